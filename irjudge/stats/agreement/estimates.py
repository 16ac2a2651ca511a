"""Agreement of all assessors and of each pair, with intervals."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import astuple, dataclass, fields, replace

import numpy as np

from irjudge.errors import MeasureError
from irjudge.message import Message
from irjudge.model import Floats, Labels, Longs
from irjudge.stats.agreement.coefficients import (
    AGREEMENT,
    AgreementStatistic,
    ItemKinds,
    LabelView,
    PairTables,
    PairValues,
    SampleTotals,
    Scaling,
    build_pair_tables,
    count_item_kinds,
    iter_resamples,
    sum_samples,
)
from irjudge.stats.proportions import DEFAULT_QUANTILE
from irjudge.stats.sampling import Sampling

# Agreement of several assessors, with intervals: overall, by topic and by grade

NO_SHARED_ITEM = Message("no item has labels from two assessors")
PER_GRADE_STATISTICS = ("positive-agreement", "alpha-nominal", "fleiss-kappa")
BINARY_VALUES = np.array([0.0, 1.0])


@dataclass(frozen=True, slots=True)
class AgreementEstimate:
    """Value of one agreement statistic, with its 95 % interval, for all labels or a subset.

    The subset is a topic, a grade or a pair of assessors. An undefined value is None, and `reason`
    states why. For a mean over pairs of assessors, `reason` states the number of pairs. The same
    class describes how well assessors agree on the order of systems; `scale` is then the name of a
    measure, and `used` and `total` count systems.
    """

    statistic: str  # name of the statistic
    scale: str  # scaling: nominal, ordinal, interval, ratio, linear, quadratic or binary
    used: int  # number of items from which the value is computed
    total: int  # number of all items
    value: float | None  # value of the statistic; None if undefined
    reason: str = ""  # why the value is undefined; for a mean over pairs, the number of pairs
    low: float | None = None  # lower end of the 95 % interval; None if there is no interval
    high: float | None = None  # upper end of the 95 % interval
    of: str = ""  # name of the subset: a topic, a grade or two assessors; empty for all labels

    def row(self) -> tuple[str | int | float | None, ...]:
        """Return the fields in the order of `AGREEMENT_COLUMNS`."""
        return astuple(self)


AGREEMENT_COLUMNS = tuple(field.name for field in fields(AgreementEstimate))


def agreement(
    labels: Labels,
    statistics: Iterable[str] | None = None,
    *,
    rel: float = 1,
    sampling: Sampling | None = None,
) -> tuple[AgreementEstimate, ...]:
    """Return the agreement of all workers, as statistics such as `alpha` or `kappa-linear`.

    Only the last label of a worker for an item is used. Unjudgeable labels are ignored, and so are
    items with fewer than two judgeable labels. `rel` is the lowest relevant label, for positive
    agreement, overlap and prevalence. If `statistics` is None, all statistics are computed.

    For more than two workers, kappas and pi are means over pairs, weighted by the number of shared
    items; their intervals are computed by the delta method. All other intervals are percentiles of
    bootstrap samples of the items, by default 1,000. Raises MeasureError for an unknown name.

    >>> from irjudge.model import make_labels
    >>> rows = [("d1", "ann", 0), ("d1", "bob", 1), ("d2", "ann", 1), ("d2", "bob", 1), ("d3", "ann", 0), ("d3", "bob", 0)]
    >>> [(each.statistic, round(each.value, 4)) for each in agreement(make_labels(rows), ["raw-agreement", "alpha-nominal"])]
    [('raw-agreement', 0.6667), ('alpha', 0.4444)]
    """
    sampling = sampling or Sampling()
    scaled_statistics = AGREEMENT.select(AGREEMENT if statistics is None else statistics)
    relevant = labels.mark_relevant(rel)
    views = [
        (statistic, LabelView(scaling, labels.values, relevant))
        for statistic, scaling in scaled_statistics
    ]
    item_estimates = _estimate_from_items(
        labels, [pair for pair in views if pair[0].items], sampling
    )
    pair_estimates = _estimate_from_pairs(
        labels, [pair for pair in views if not pair[0].items], sampling
    )
    return tuple(
        next(item_estimates if statistic.items else pair_estimates) for statistic, _ in views
    )


def _estimate_from_items(
    labels: Labels, statistics: Sequence[tuple[AgreementStatistic, LabelView]], sampling: Sampling
) -> Iterator[AgreementEstimate]:
    if not statistics:
        return
    kinds = count_item_kinds(labels)
    relevant = statistics[0][1].relevant
    reasons = [_explain_undefined(declaration, view, kinds) for declaration, view in statistics]
    values = _compute_values(statistics, reasons, sum_samples(kinds, relevant))[:, 0]
    if kinds.items > 1:
        samples = np.concatenate(
            [
                _compute_values(statistics, reasons, sum_samples(kinds, relevant, weights))
                for weights in iter_resamples(kinds, sampling)
            ],
            axis=1,
        )
    else:
        samples = np.empty((len(statistics), 0))
    for index, (declaration, view) in enumerate(statistics):
        low, high = _compute_percentile_interval(samples[index], float(values[index]))
        yield _make_estimate(
            declaration,
            view,
            kinds.items,
            len(labels.items),
            float(values[index]),
            reasons[index] or ("" if np.isfinite(values[index]) else declaration.zero_reason),
            low,
            high,
        )


def _compute_values(
    statistics: Sequence[tuple[AgreementStatistic, LabelView]],
    reasons: Sequence[str],
    totals: SampleTotals,
) -> Floats:
    """Return the values of each statistic for each sample; nan if undefined."""
    values = np.full((len(statistics), len(totals.items)), np.nan)
    with np.errstate(divide="ignore", invalid="ignore"):
        for index, (declaration, view) in enumerate(statistics):
            if declaration.items and not reasons[index]:
                values[index] = declaration.items(totals, view)
    return np.where(np.isfinite(values), values, np.nan)


def _explain_undefined(declaration: AgreementStatistic, view: LabelView, kinds: ItemKinds) -> str:
    if not kinds.items:
        return NO_SHARED_ITEM
    if declaration.needs_equal_counts and not kinds.has_equal_counts:
        sizes = kinds.counts.sum(axis=1)
        return Message(
            "items have {minimum} to {maximum} labels, but the statistic needs the same number for "
            "each item; alpha accepts any number",
            key="unequal-labels",
            minimum=sizes.min(),
            maximum=sizes.max(),
        )
    return view.undefined_reason


def _compute_percentile_interval(samples: Floats, value: float) -> tuple[float, float]:
    """Return the 95 % percentile interval of the finite samples, extended to include the value.

    Both ends are nan if the value or all samples are undefined.
    """
    defined_samples = samples[np.isfinite(samples)]
    if not len(defined_samples) or not np.isfinite(value):
        return np.nan, np.nan
    low, high = np.quantile(defined_samples, (0.025, 0.975), method="inverted_cdf")
    return min(float(low), value), max(float(high), value)


def _estimate_from_pairs(
    labels: Labels, statistics: Sequence[tuple[AgreementStatistic, LabelView]], sampling: Sampling
) -> Iterator[AgreementEstimate]:
    if not statistics:
        return
    item_count = count_item_kinds(labels).items
    try:
        tables = build_pair_tables(labels, sampling.progress)
    except MeasureError as error:
        for declaration, view in statistics:
            yield _make_estimate(
                declaration,
                view,
                item_count,
                len(labels.items),
                np.nan,
                error.message,
                np.nan,
                np.nan,
            )
        return
    for declaration, view in statistics:
        reason = NO_SHARED_ITEM if not len(tables) else view.undefined_reason
        value, low, high, defined_count = (
            (np.nan, np.nan, np.nan, 0)
            if reason
            else _average_over_pairs(tables, declaration, view)
        )
        if not reason and not defined_count:
            reason = declaration.zero_reason
        elif not reason and len(tables) > 1:
            reason = Message(
                "the mean over {count:,} of {total:,} pairs of assessors, weighted by the "
                "number of items that each pair shares",
                key="mean-of-pairs",
                count=defined_count,
                total=len(tables),
            )
        yield _make_estimate(
            declaration, view, item_count, len(labels.items), value, reason, low, high
        )


def _average_over_pairs(
    tables: PairTables, declaration: AgreementStatistic, view: LabelView
) -> tuple[float, float, float, int]:
    """Return the mean over pairs, the ends of its interval, and the number of pairs with a value.

    Pairs are weighted by their number of shared items. An undefined mean or end is nan.
    """
    values = declaration.pairs(tables, view) if declaration.pairs else None
    if values is None or not np.isfinite(values.value).any():
        return np.nan, np.nan, np.nan, 0
    is_defined = np.isfinite(values.value)
    if len(tables) == 1:
        return float(values.value[0]), float(values.low[0]), float(values.high[0]), 1
    pair_sizes = np.where(is_defined, tables.items, 0)
    value = float(np.nansum(values.value * pair_sizes) / pair_sizes.sum())
    if values.influence is None or tables.label_pairs is None:
        return value, np.nan, np.nan, int(is_defined.sum())
    changes = np.where(
        is_defined[tables.pair], values.influence + values.value[tables.pair] - value, 0.0
    )
    change_by_item = np.bincount(
        tables.label_pairs[:, 1], weights=changes[tables.label_pairs[:, 0]]
    )
    error = float(np.sqrt((change_by_item**2).sum()) / pair_sizes.sum())
    return (
        value,
        max(-1.0, value - DEFAULT_QUANTILE * error),
        min(1.0, value + DEFAULT_QUANTILE * error),
        int(is_defined.sum()),
    )


def _make_estimate(
    declaration: AgreementStatistic,
    view: LabelView,
    used: int,
    total: int,
    value: float,
    reason: str,
    low: float,
    high: float,
    of: str = "",
) -> AgreementEstimate:
    interval = (_to_number(low), _to_number(high)) if np.isfinite(value) else (None, None)
    return AgreementEstimate(
        declaration.name, view.scaling, used, total, _to_number(value), reason, *interval, of
    )


def _to_number(value: float) -> float | None:
    return float(value) if np.isfinite(value) else None


def agreement_by_topic(
    labels: Labels,
    statistics: Iterable[str] | None = None,
    *,
    rel: float = 1,
    sampling: Sampling | None = None,
) -> Iterator[AgreementEstimate]:
    """Yield the results of `agreement` for each topic; the topic is in the field `of`."""
    for topic, topic_labels in labels.by_topic():
        yield from (
            replace(estimate, of=topic)
            for estimate in agreement(topic_labels, statistics, rel=rel, sampling=sampling)
        )


def agreement_by_grade(
    labels: Labels,
    statistics: Iterable[str] = PER_GRADE_STATISTICS,
    *,
    sampling: Sampling | None = None,
) -> Iterator[AgreementEstimate]:
    """Yield, for each grade of the scale, the agreement on whether an item has this grade.

    The grade is in the field `of`. Positive agreement is the probability that a second worker gives
    an item this grade if the first worker did. Fleiss' kappa is the category-wise kappa.

    >>> from irjudge.model import make_labels
    >>> rows = [("d1", "ann", 0), ("d1", "bob", 1), ("d2", "ann", 1), ("d2", "bob", 1)]
    >>> [(each.of, round(each.value, 4)) for each in agreement_by_grade(make_labels(rows), ["positive-agreement"])]
    [('0', 0.0), ('1', 0.6667)]
    """
    for code, name in enumerate(labels.scale):
        binary_label = np.where(labels.label >= 0, labels.label == code, labels.label).astype(
            np.int32
        )
        grade_labels = replace(
            labels, scale=("other", name), values=BINARY_VALUES, label=binary_label, gold=None
        )
        yield from (
            replace(estimate, of=name)
            for estimate in agreement(grade_labels, statistics, rel=1, sampling=sampling)
        )


# Pairwise agreement, as a list and as a matrix

DEFAULT_PAIR_STATISTICS = ("raw-agreement", "kappa", "scott-pi", "positive-agreement", "overlap")


@dataclass(frozen=True, slots=True, eq=False)
class PairAgreement:
    """Values of one agreement statistic for P pairs of workers, with intervals.

    Only pairs with common items are included; the second worker has the higher code. Undefined
    values, and the ends of missing intervals, are nan.
    """

    statistic: str  # name of the statistic
    scale: Scaling
    workers: tuple[str, ...]  # names of the W workers
    first: Longs  # code of the first worker, shape (P,)
    second: Longs  # code of the second worker, shape (P,)
    items: Longs  # number of items graded by both workers, shape (P,)
    all_items: int  # number of all items, graded by both workers or not
    value: Floats  # value of each pair, shape (P,); nan if undefined
    low: Floats  # lower end of the interval, shape (P,)
    high: Floats  # upper end of the interval, shape (P,)
    zero_reason: str  # reason why the value of a pair is undefined

    def matrix(self) -> Floats:
        """Return the values as a symmetric matrix, shape (W, W).

        Undefined values, pairs without a shared item, and the diagonal are nan.
        """
        worker_count = len(self.workers)
        values = np.full((worker_count, worker_count), np.nan)
        values[self.first, self.second] = self.value
        values[self.second, self.first] = self.value
        return values

    def estimates(self) -> Iterator[AgreementEstimate]:
        """Yield an `AgreementEstimate` for each pair; the field `of` contains both names."""
        columns = (self.first, self.second, self.items, self.value, self.low, self.high)
        for first, second, items, *numbers in zip(
            *(column.tolist() for column in columns), strict=True
        ):
            value, low, high = (number if number == number else None for number in numbers)
            yield AgreementEstimate(
                self.statistic,
                self.scale,
                items,
                self.all_items,
                value,
                "" if value is not None else self.zero_reason,
                low,
                high,
                f"{self.workers[first]} / {self.workers[second]}",
            )


def agreement_of_pairs(
    labels: Labels,
    statistics: Iterable[str] = DEFAULT_PAIR_STATISTICS,
    *,
    rel: float = 1,
    sampling: Sampling | None = None,
) -> tuple[PairAgreement, ...]:
    """Return the agreement of each pair of workers; see `agreement`.

    Raises MeasureError for an unknown name, or a statistic without a pairwise form.

    >>> from irjudge.model import make_labels
    >>> rows = [("d1", "ann", 0), ("d1", "bob", 1), ("d1", "cem", 1), ("d2", "ann", 1), ("d2", "bob", 1)]
    >>> [raw] = agreement_of_pairs(make_labels(rows), ["raw-agreement"])
    >>> raw.first.tolist(), raw.second.tolist(), raw.items.tolist(), raw.value.tolist()
    ([0, 0, 1], [1, 2, 2], [2, 1, 1], [0.5, 0.0, 1.0])
    """
    scaled_statistics = AGREEMENT.select(statistics)
    unpaired_name = next(
        (declaration.name for declaration, _ in scaled_statistics if not declaration.pairs), None
    )
    if unpaired_name is not None:
        raise MeasureError(
            "{name} is not a statistic for two assessors; use one of {names}.",
            name=unpaired_name,
            names=", ".join(name for name, statistic in AGREEMENT.items() if statistic.pairs),
        )
    tables = build_pair_tables(labels, (sampling or Sampling()).progress)
    relevant = labels.mark_relevant(rel)
    return tuple(
        _make_pair_agreement(
            tables, len(labels.items), declaration, LabelView(scaling, labels.values, relevant)
        )
        for declaration, scaling in scaled_statistics
    )


def _make_pair_agreement(
    tables: PairTables, items: int, declaration: AgreementStatistic, view: LabelView
) -> PairAgreement:
    undefined = np.full(len(tables), np.nan)
    values = (
        declaration.pairs(tables, view)
        if declaration.pairs and not view.undefined_reason
        else PairValues(undefined, undefined, undefined)
    )
    return PairAgreement(
        statistic=declaration.name,
        scale=view.scaling,
        workers=tables.workers,
        first=tables.first,
        second=tables.second,
        items=tables.items,
        all_items=items,
        value=values.value,
        low=values.low,
        high=values.high,
        zero_reason=view.undefined_reason or declaration.zero_reason,
    )
