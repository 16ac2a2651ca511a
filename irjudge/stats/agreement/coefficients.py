"""Agreement of assessors: coefficients, their registry, and estimates with intervals."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import astuple, dataclass, fields, replace
from typing import Literal, TypeAlias, TypeVar

import numpy as np

from irjudge.catalogue import Catalogue, normalise_name, summarise
from irjudge.errors import MeasureError
from irjudge.message import Message
from irjudge.model import Flags, Floats, Labels, Longs
from irjudge.progress import SILENT, Progress
from irjudge.stats.sampling import RandomStream, Sampling
from irjudge.stats.significance import DEFAULT_QUANTILE, wilson_interval

# Numbers of labels of each grade per item, for statistics that ignore which worker gave a label

DEFAULT_AGREEMENT_SAMPLES = 1000
MAX_VALUES_PER_BLOCK = 4_000_000


@dataclass(frozen=True, slots=True, eq=False)
class ItemKinds:
    """Items with two or more labels, grouped into U kinds, to compute agreement from counts.

    Items of a kind have the same number of labels of each grade. As in `SampleTotals`, a worker's
    last label for an item counts, and unjudgeable labels do not.
    """

    # for each kind, the number of labels of each grade that an item has, shape (U, K); the rows are
    # sorted
    counts: Longs
    item_counts: Longs  # number of items of each kind, shape (U,)

    @property
    def items(self) -> int:
        """Number of items."""
        return int(self.item_counts.sum())

    @property
    def has_equal_counts(self) -> bool:
        """Whether all items have the same number of labels."""
        return bool(np.ptp(self.counts.sum(axis=1)) == 0) if len(self.counts) else True

    @property
    def pairs(self) -> int:
        """Number of pairs of labels of the same item, over all items."""
        labels = self.counts.sum(axis=1)
        return int((labels * (labels - 1) // 2 * self.item_counts).sum())


@dataclass(frozen=True, slots=True, eq=False)
class SampleTotals:
    """Sums over the items of each of M samples, from which agreement statistics are computed.

    A sample is a bootstrap sample of the items, or the observed items themselves. Only items with
    two or more labels are included. The labels are the last label of each worker for each item,
    without unjudgeable ones, on a scale of K grades; a pair of labels consists of two labels of the
    same item. An object can also contain the sums of a model's confusion matrices; the fields that
    cannot be computed from these are then 0.
    """

    items: Floats  # number of items, shape (M,)
    # for each distance 0, 1, 2 … on the scale, shape (M, K): the share of an item's label pairs
    # that have this distance, summed over the items
    distances: Floats
    labels: Floats  # number of labels of each grade, shape (M, K)
    # for each grade, shape (M, K): its share of an item's labels, summed over the items
    shares: Floats
    # Krippendorff's coincidence matrix, shape (M, K, K): an item's number of ordered label pairs
    # with two given grades, divided by its number of labels minus 1, summed over the items
    coincidences: Floats
    # number of items with only relevant labels, and number of items with at least one relevant
    # label, shape (M,) each; 0 if labels are words
    all_relevant: Floats
    any_relevant: Floats


def count_item_kinds(labels: Labels) -> ItemKinds:
    """Group items by their counts of grades, and count the items of each kind.

    Only a worker's last label for an item is used. Unjudgeable labels are ignored, and so are items
    with fewer than two judgeable labels.

    >>> from irjudge.model import make_labels
    >>> kinds = count_item_kinds(make_labels([("d1", "a", 0), ("d1", "b", 1), ("d2", "a", 1), ("d2", "b", 0), ("d3", "a", 1)]))
    >>> kinds.counts.tolist(), kinds.item_counts.tolist()
    ([[1, 1]], [2])
    """
    counts = labels.latest().count_grades()
    return ItemKinds(*np.unique(counts[counts.sum(axis=1) > 1], axis=0, return_counts=True))


def sum_samples(
    kinds: ItemKinds, relevant: Flags | None, weights: Floats | None = None
) -> SampleTotals:
    """Return the sums over the items of each sample.

    `relevant`, shape (K,), marks the relevant grades; it is None if labels are words.
    `weights`, shape (M, U), is the number of items of each kind in each sample; None means one
    sample, the observed items.
    """
    weights = kinds.item_counts[None, :].astype(np.float64) if weights is None else weights
    item_sizes = kinds.counts.sum(axis=1)
    shares = kinds.counts / item_sizes[:, None]
    relevant_counts = (
        kinds.counts[:, relevant].sum(axis=1) if relevant is not None else np.zeros(len(item_sizes))
    )
    return SampleTotals(
        items=weights.sum(axis=1),
        distances=weights
        @ (_count_distances(kinds.counts) / (item_sizes * (item_sizes - 1))[:, None]),
        labels=weights @ kinds.counts,
        shares=weights @ shares,
        coincidences=_count_coincidences(kinds.counts, weights),
        all_relevant=weights @ (relevant_counts == item_sizes),
        any_relevant=weights @ (relevant_counts > 0),
    )


def _count_distances(counts: Longs) -> Longs:
    """Return, for each kind of item, the number of ordered label pairs at each distance.

    The shape is (U, K); distances 0, 1 … are differences of positions on the scale.
    """
    grades = counts.shape[1]
    pairs = [
        2 * (counts[:, distance:] * counts[:, : grades - distance]).sum(axis=1)
        for distance in range(grades)
    ]
    pairs[0] = (counts * (counts - 1)).sum(axis=1)
    return np.stack(pairs, axis=1)


def _count_coincidences(counts: Longs, weights: Floats) -> Floats:
    grades = counts.shape[1]
    sums = np.zeros((len(weights), grades * grades))
    step = max(1, MAX_VALUES_PER_BLOCK // max(1, grades * grades))
    diagonal = np.arange(grades)
    for start in range(0, len(counts), step):
        block = counts[start : start + step].astype(np.float64)
        pairs = block[:, :, None] * block[:, None, :]
        pairs[:, diagonal, diagonal] -= block
        pairs /= block.sum(axis=1)[:, None, None] - 1
        sums += weights[:, start : start + step] @ pairs.reshape(len(block), -1)
    return sums.reshape(-1, grades, grades)


def iter_resamples(kinds: ItemKinds, sampling: Sampling) -> Iterator[Floats]:
    """Yield blocks of bootstrap samples of the items.

    A block, shape (samples, U), is the number of items of each kind in each sample. The samples do
    not depend on the order of labels or the names of workers.
    """
    samples = sampling.count(DEFAULT_AGREEMENT_SAMPLES)
    items = kinds.items
    stream = RandomStream(sampling.seed)
    kind = np.repeat(np.arange(len(kinds.item_counts)), kinds.item_counts)
    step = max(1, MAX_VALUES_PER_BLOCK // max(items, len(kind), 1))
    for start in range(0, samples, step):
        sampling.progress.step(start, samples, Message("Sampling items"))
        rows = min(step, samples - start)
        cell_codes = kind[stream.draw_integers(rows, items, items)] + np.arange(rows)[
            :, None
        ] * len(kinds.item_counts)
        yield (
            np.bincount(cell_codes.reshape(-1), minlength=rows * len(kinds.item_counts))
            .reshape(rows, -1)
            .astype(np.float64)
        )
    sampling.progress.step(samples, samples, Message("Sampling items"))


# Contingency tables of all pairs of workers, over the items that both labelled

# maximum number of label pairs in memory; if there are more, equal pairs are replaced by their
# count
MAX_PAIRS_PER_BLOCK = 8_000_000
# maximum number of pairs of workers times the number of grades; 8 million need about 1 GB
MAX_PAIR_GRADES = 8_000_000


@dataclass(frozen=True, slots=True, eq=False)
class PairTables:
    """Contingency tables of P pairs of workers, stored as the C non-empty cells.

    The table of a pair counts the items by the last grades that the two workers gave. Unjudgeable
    labels are ignored, and only pairs with a common item are included. The tables can also be
    confusion matrices of a model; `workers` is then empty, and `first` and `second` are both the
    index of the matrix.
    """

    first: Longs  # code of the first worker, shape (P,)
    second: Longs  # code of the second worker, above that of the first, shape (P,)
    items: Longs  # number of items graded by both workers, shape (P,)
    pair: Longs  # index of each cell's pair, shape (C,)
    row: Longs  # grade by the first worker in each cell, shape (C,)
    column: Longs  # grade by the second worker in each cell, shape (C,)
    count: Longs  # number of items in each cell, shape (C,)
    # number of shared items to which the first or second worker gave each grade, shape (P, K)
    first_grades: Longs
    second_grades: Longs
    # index of the cell and code of the item for each of R pairs of labels, shape (R, 2), unsorted;
    # None if there are too many pairs to store, and for confusion matrices
    label_pairs: Longs | None
    workers: tuple[str, ...]  # names of the W workers

    def __len__(self) -> int:
        return len(self.first)

    @property
    def grades(self) -> int:
        """Number of grades of the scale, K."""
        return int(self.first_grades.shape[1])

    def sum_by_pair(self, values: Floats) -> Floats:
        """Return the sum of value times count over the cells of each pair, shape (P,).

        `values`, shape (C,), contains a value for each cell.
        """
        return np.bincount(self.pair, weights=values * self.count, minlength=len(self)).astype(
            np.float64
        )

    def count_relevant(self, relevant: Flags) -> tuple[Floats, Floats]:
        """Return two counts of items for each pair of workers, shape (P,) each.

        The first counts the items that both workers labelled relevant. The second counts the items
        that at least one of them labelled relevant.
        """
        row, column = relevant[self.row], relevant[self.column]
        return self.sum_by_pair((row & column).astype(np.float64)), self.sum_by_pair(
            (row | column).astype(np.float64)
        )


def build_pair_tables(labels: Labels, progress: Progress = SILENT) -> PairTables:
    """Return the tables of all pairs of workers with a common item.

    Only the last label of a worker for an item is used; unjudgeable labels are ignored. The
    computing time grows with the square of the number of labels per item. Raises MeasureError if
    there are too many pairs.

    >>> from irjudge.model import make_labels
    >>> rows = [("d1", "ann", 0), ("d1", "bob", 1), ("d2", "ann", 1), ("d2", "bob", 1), ("d3", "bob", 0)]
    >>> tables = build_pair_tables(make_labels(rows))
    >>> tables.items.tolist(), tables.row.tolist(), tables.column.tolist(), tables.count.tolist()
    ([2], [0, 1], [1, 1], [1, 1])
    """
    latest_labels = labels.latest()
    graded = latest_labels.where(latest_labels.label >= 0)
    workers, grades = len(labels.workers), len(labels.scale)
    keys, count, rows = _count_cells(graded, workers, grades, progress)
    cell_pair, cell = np.divmod(keys, grades * grades)
    pairs, pair = np.unique(cell_pair, return_inverse=True)
    _check_pair_count(len(pairs) * grades)
    first, second = np.divmod(pairs, max(workers, 1))
    row, column = np.divmod(cell, grades)

    def count_grades(grade: Longs) -> Longs:
        sums = np.bincount(pair * grades + grade, weights=count, minlength=len(pairs) * grades)
        return sums.astype(np.int64).reshape(len(pairs), grades)

    first_grades = count_grades(row)
    return PairTables(
        first,
        second,
        first_grades.sum(axis=1),
        pair,
        row,
        column,
        count,
        first_grades,
        count_grades(column),
        None if rows is None else np.stack((np.searchsorted(keys, rows[:, 0]), rows[:, 1]), axis=1),
        labels.workers,
    )


def _count_cells(
    labels: Labels, workers: int, grades: int, progress: Progress
) -> tuple[Longs, Longs, Longs | None]:
    """Return the codes of the non-empty cells, their numbers of items, and the label pairs.

    The array of label pairs has a row for each pair: the code of its cell and the code of its item.
    It is None if there are more than `MAX_PAIRS_PER_BLOCK` label pairs.
    """
    order = np.lexsort((labels.worker, labels.item))
    item, worker, label = (
        column[order].astype(np.int64) for column in (labels.item, labels.worker, labels.label)
    )
    max_votes = int(np.bincount(item).max(initial=0))
    pending_keys: list[Longs] = []
    blocks: list[Longs] | None = []
    keys, count = np.empty(0, dtype=np.int64), np.empty(0, dtype=np.int64)
    for lag in range(1, max_votes):
        progress.step(lag, max_votes, Message("Comparing assessors"))
        first_row = np.flatnonzero(item[:-lag] == item[lag:])
        second_row = first_row + lag
        pending_keys.append(
            ((worker[first_row] * workers + worker[second_row]) * grades + label[first_row])
            * grades
            + label[second_row]
        )
        if blocks is not None:
            blocks.append(np.stack((pending_keys[-1], item[first_row]), axis=1))
        if sum(map(len, pending_keys)) > MAX_PAIRS_PER_BLOCK:
            keys, count = _merge_counts(keys, count, pending_keys)
            pending_keys, blocks = [], None
            _check_pair_count(len(keys))
    keys, count = _merge_counts(keys, count, pending_keys)
    return (
        keys,
        count,
        None if blocks is None else np.concatenate([np.empty((0, 2), dtype=np.int64), *blocks]),
    )


def _check_pair_count(count: int) -> None:
    if count > MAX_PAIR_GRADES:
        raise MeasureError(
            "too many pairs of assessors share an item; the number of pairs times the number of "
            "grades must be at most {limit:,}",
            key="too-many-pairs",
            limit=MAX_PAIR_GRADES,
        )


def _merge_counts(keys: Longs, count: Longs, additional_keys: list[Longs]) -> tuple[Longs, Longs]:
    """Add further occurrences of keys to counted keys; return the distinct keys and their counts.

    `keys` are distinct, and `count` is the number of occurrences of each key. Each element of the
    arrays in `additional_keys` is one more occurrence of a key.
    """
    all_keys = np.concatenate([keys, *additional_keys])
    all_counts = np.concatenate(
        [count, *(np.ones(len(keys), dtype=np.int64) for keys in additional_keys)]
    )
    distinct_keys, position = np.unique(all_keys, return_inverse=True)
    return distinct_keys, np.bincount(
        position, weights=all_counts, minlength=len(distinct_keys)
    ).astype(np.int64)


# Registry of agreement statistics, which are declared by the decorators `of_items` and `of_pairs`

# Scaling of labels, which determines the distance between two labels
Scaling: TypeAlias = Literal[
    "nominal", "ordinal", "interval", "ratio", "linear", "quadratic", "binary"
]
SINGLE_LABEL = Message(
    "all labels are equal, so agreement cannot be distinguished from chance", key="labels-all-same"
)  # reason why statistics that are corrected for chance are undefined


@dataclass(frozen=True, slots=True, eq=False)
class LabelView:
    """Interpretation of the K labels of a scale by a statistic: scaling, values, relevance."""

    scaling: Scaling  # determines the distance between two labels
    values: Floats | None  # labels as numbers, shape (K,); None if the labels are words
    # mask of the relevant labels, shape (K,); None if not needed, or if the labels are words
    relevant: Flags | None

    @property
    def undefined_reason(self) -> str:
        """Reason why statistics with this scaling are undefined; empty if they are defined."""
        if self.scaling != "nominal" and self.values is None:
            return Message("the labels are words, which have no order", key="labels-are-words")
        if self.scaling == "ratio" and self.values is not None and (self.values < 0).any():
            return Message("the ratio scale needs labels of 0 or more", key="negative-labels")
        return ""


@dataclass(frozen=True, slots=True, eq=False)
class PairValues:
    """Values of an agreement statistic for P pairs of workers, with 95 % intervals.

    The interval of the mean over the pairs is computed from `influence`.
    """

    value: Floats  # value of each pair, shape (P,); nan where undefined
    low: Floats  # lower end of the 95 % interval of each pair's value, shape (P,)
    high: Floats  # upper end of the 95 % interval of each pair's value, shape (P,)
    # influence of each of the C cells of the pairs' contingency tables, shape (C,): how much the
    # value of the pair changes if an item is added to the cell, times the number of items of the
    # pair; None if there is no interval of the mean
    influence: Floats | None = None


Function = TypeVar("Function", bound=Callable[..., object])


@dataclass(slots=True)
class AgreementStatistic:
    """Registry entry of an agreement statistic: names, formula, scalings and functions."""

    name: str  # such as `alpha`
    title: str  # such as `Krippendorff's alpha`
    formula: str  # one line of plain text
    scalings: tuple[Scaling, ...]  # available scalings, the default first
    zero_reason: str  # reason why the statistic is undefined if its denominator is 0
    needs_equal_counts: bool = False  # whether all items must have the same number of labels
    # computes the value for all workers together, from sums over M samples of items; None for a
    # pairwise statistic
    items: Callable[[SampleTotals, LabelView], Floats] | None = None
    # computes the value for each of P pairs of workers; None if there is no pairwise form
    pairs: Callable[[PairTables, LabelView], PairValues] | None = None

    @property
    def about(self) -> str:
        """Description of the statistic: first paragraph of the docstring of its function."""
        return summarise(self.items or self.pairs)


class AgreementRegistry(Catalogue[AgreementStatistic]):
    """Registry of agreement statistics, each with one or more scalings such as `ordinal`.

    The decorator `of_items` declares a statistic of all assessors together, `of_pairs` the function
    that computes it for each pair of assessors.
    """

    def __init__(self) -> None:
        super().__init__(Message("Statistic"), error_class=MeasureError)

    def of_items(
        self,
        name: str,
        title: str,
        formula: str,
        *scalings: Scaling,
        zero_reason: str,
        needs_equal_counts: bool = False,
    ) -> Callable[[Function], Function]:
        """Register the decorated function as a statistic of all workers.

        See `AgreementStatistic` for the arguments.
        """

        def register(function: Function) -> Function:
            self.add(
                AgreementStatistic(
                    name,
                    Message(title),
                    formula,
                    scalings,
                    zero_reason,
                    needs_equal_counts,
                    items=function,  # type: ignore[arg-type]
                )
            )
            return function

        return register

    def of_pairs(
        self,
        name: str,
        title: str = "",
        formula: str = "",
        *scalings: Scaling,
        zero_reason: str = "",
    ) -> Callable[[Function], Function]:
        """Register the decorated function as the pairwise form of a statistic."""

        def register(function: Function) -> Function:
            if name not in self:
                self.add(AgreementStatistic(name, Message(title), formula, scalings, zero_reason))
            self[name].pairs = function  # type: ignore[assignment]
            return function

        return register

    def select(self, names: Iterable[str]) -> tuple[tuple[AgreementStatistic, Scaling], ...]:
        """Return the named statistics without duplicates, each with a scaling.

        A name such as `alpha` selects all scalings of the statistic; `alpha-ordinal` selects one.
        Raises MeasureError if a name is unknown.
        """
        all_scalings = {
            f"{statistic.name}-{scaling}": (statistic, scaling)
            for statistic in self.values()
            for scaling in statistic.scalings
        }
        selected: dict[tuple[str, Scaling], tuple[AgreementStatistic, Scaling]] = {}
        for name in names:
            if declaration := self.lookup(name):
                scaled_statistics = [(declaration, scaling) for scaling in declaration.scalings]
            elif normalise_name(name) in all_scalings:
                scaled_statistics = [all_scalings[normalise_name(name)]]
            else:
                raise self.unknown_name_error(name, self.nearest(name, other_names=all_scalings))
            selected.update(
                {
                    (statistic.name, scaling): (statistic, scaling)
                    for statistic, scaling in scaled_statistics
                }
            )
        return tuple(selected.values())


AGREEMENT = AgreementRegistry()


def label_distances(view: LabelView, grades: int) -> Floats:
    """Return the distances of all pairs of K labels, shape (K, K), with the scaling of `view`."""
    if view.scaling == "nominal" or view.values is None:
        return 1.0 - np.eye(grades)
    positions = (
        np.arange(grades, dtype=np.float64)
        if view.scaling in ("linear", "quadratic")
        else view.values
    )
    steps = np.abs(positions[:, None] - positions[None, :])
    if view.scaling == "ratio":
        sums = positions[:, None] + positions[None, :]
        steps = np.divide(steps, sums, out=np.zeros_like(steps), where=sums > 0)
    return steps if view.scaling == "linear" else steps**2


# Observed agreement (raw, positive, overlap) and Fleiss' kappa, of all workers and of pairs

NONE_RELEVANT = Message("no label is relevant")


@AGREEMENT.of_items(
    "raw-agreement",
    "Raw agreement",
    "mean over the items of (pairs of equal labels / pairs of labels)",
    "nominal",
    zero_reason="",
)
def raw_agreement(totals: SampleTotals, _view: LabelView) -> Floats:
    """Return the share of pairs of labels that are equal, averaged over items, from 0 to 1.

    Returns
    -------
    array
        Shape (M,); nan if no item has two labels.

    Examples
    --------
    >>> from irjudge.model import make_labels
    >>> from irjudge.stats.agreement import agreement
    >>> rows = [("d1", "ann", 0), ("d1", "bob", 1), ("d2", "ann", 1), ("d2", "bob", 1)]
    >>> agreement(make_labels(rows), ["raw-agreement"])[0].value
    0.5
    """
    return totals.distances[:, 0] / totals.items


@AGREEMENT.of_items(
    "prevalence",
    "Share of relevant labels",
    "labels of grade rel or higher / all labels",
    "binary",
    zero_reason="",
)
def prevalence(totals: SampleTotals, view: LabelView) -> Floats:
    """Return the share of relevant labels among the labels of the items used for agreement, from 0
    to 1. A share near 0 or 1 explains low kappas.
    """
    shares: Floats = _select_relevant(totals.labels, view).sum(axis=1) / totals.labels.sum(axis=1)
    return shares


@AGREEMENT.of_items(
    "positive-agreement",
    "Positive agreement",
    "pairs of relevant labels / pairs with a relevant label, where a pair with only one "
    "relevant label counts half; 2|A∩B|/(|A|+|B|) for two assessors",
    "binary",
    zero_reason=NONE_RELEVANT,
)
def positive_agreement(totals: SampleTotals, view: LabelView) -> Floats:
    """Return the probability that an item called relevant by one assessor is called relevant by
    another, from 0 to 1; for two assessors, it equals F1.

    References
    ----------
    Fleiss, Levin and Paik (2003), Statistical methods for rates and proportions, 3rd ed., ch. 18: specific agreement.
    """
    relevant_by_both = _select_relevant(
        _select_relevant(totals.coincidences, view).swapaxes(1, 2), view
    )
    value: Floats = relevant_by_both.sum(axis=(1, 2)) / _select_relevant(totals.labels, view).sum(
        axis=1
    )
    return value


@AGREEMENT.of_items(
    "overlap",
    "Overlap of relevant documents",
    "items judged relevant by all assessors / items judged relevant by at least one; "
    "|A∩B|/|A∪B| for two assessors",
    "binary",
    zero_reason=NONE_RELEVANT,
)
def overlap(totals: SampleTotals, _view: LabelView) -> Floats:
    """Return the share of items called relevant by all assessors among the items called relevant by
    at least one assessor, from 0 to 1.

    Notes
    -----
    Overlap decreases with the number of labels per item, so only overlaps of equally many workers
    are comparable.

    References
    ----------
    Voorhees (2000), Variations in relevance judgments and the measurement of retrieval effectiveness, IP&M 36.
    """
    return totals.all_relevant / totals.any_relevant


@AGREEMENT.of_items(
    "fleiss-kappa",
    "Fleiss' kappa",
    "(P - Pe)/(1 - Pe), where P is the raw agreement and Pe = Σ p_k², with p_k the share of "
    "grade k",
    "nominal",
    zero_reason=SINGLE_LABEL,
    needs_equal_counts=True,
)
def fleiss_kappa(totals: SampleTotals, _view: LabelView) -> Floats:
    """Return agreement corrected for chance, for items that all have the same number of labels; the
    maximum is 1, and 0 is chance level.

    Notes
    -----
    The value is undefined if all labels are the same. For two workers it is Scott's pi.

    References
    ----------
    Fleiss (1971), Measuring nominal scale agreement among many raters, Psychological Bulletin 76.

    Examples
    --------
    >>> from irjudge.model import make_labels
    >>> from irjudge.stats.agreement import agreement
    >>> rows = [("d1", "ann", 0), ("d1", "bob", 1), ("d2", "ann", 1), ("d2", "bob", 1)]
    >>> round(agreement(make_labels(rows), ["fleiss-kappa"])[0].value, 4)
    -0.3333
    """
    chance_agreement = ((totals.labels / totals.labels.sum(axis=1, keepdims=True)) ** 2).sum(axis=1)
    kappas: Floats = (totals.distances[:, 0] / totals.items - chance_agreement) / (
        1 - chance_agreement
    )
    return kappas


# Pairwise forms of raw and positive agreement and of overlap


@AGREEMENT.of_pairs("raw-agreement")
def raw_agreement_of_pairs(tables: PairTables, _view: LabelView) -> PairValues:
    """Return the share of items on which two workers gave the same grade, with Wilson's interval."""
    return _compute_pair_proportions(
        tables.sum_by_pair((tables.row == tables.column).astype(np.float64)),
        tables.items.astype(np.float64),
    )


@AGREEMENT.of_pairs("overlap")
def overlap_of_pairs(tables: PairTables, view: LabelView) -> PairValues:
    """Return |A∩B|/|A∪B| with Wilson's interval.

    A and B are the items that the first and the second worker called relevant.
    """
    return (
        _compute_pair_proportions(*tables.count_relevant(view.relevant))
        if view.relevant is not None
        else _make_undefined_values(tables)
    )


@AGREEMENT.of_pairs("positive-agreement")
def positive_agreement_of_pairs(tables: PairTables, view: LabelView) -> PairValues:
    """Return 2|A∩B|/(|A|+|B|) with an interval.

    A and B are the items that the first and the second worker called relevant. The ends of the
    interval are those of the overlap J, converted by F1 = 2J/(1 + J).
    """
    overlap = overlap_of_pairs(tables, view)
    return PairValues(
        *(
            2 * overlap_share / (1 + overlap_share)
            for overlap_share in (overlap.value, overlap.low, overlap.high)
        )
    )


def _select_relevant(sums: Floats, view: LabelView) -> Floats:
    """Return the sums of the relevant grades; `sums` has the shape (M, K, …)."""
    return sums[:, view.relevant]


def _compute_pair_proportions(count: Floats, total: Floats) -> PairValues:
    return PairValues(
        np.divide(count, total, out=np.full(len(total), np.nan), where=total > 0),
        *wilson_interval(count, total),
    )


def _make_undefined_values(tables: PairTables) -> PairValues:
    undefined = np.full(len(tables), np.nan)
    return PairValues(undefined, undefined, undefined)


# Krippendorff's alpha, for any number of workers, with missing labels


@AGREEMENT.of_items(
    "alpha",
    "Krippendorff's alpha",
    "1 - Do/De, where Do is the observed distance within items and De is the expected distance "
    "over all labels",
    *("nominal", "ordinal", "interval", "ratio"),
    zero_reason=SINGLE_LABEL,
)
def alpha(totals: SampleTotals, view: LabelView) -> Floats:
    """Return Krippendorff's alpha; the maximum is 1, and 0 is chance level. Items may have any
    number of labels.

    Parameters
    ----------
    view
        Labels with nominal scaling (equal or not), ordinal scaling (number of labels between two
        grades), interval scaling (difference of values) or ratio scaling.

    Returns
    -------
    array
        Shape (M,); nan if all labels are the same.

    References
    ----------
    Krippendorff (2011), Computing Krippendorff's alpha-reliability.

    Examples
    --------
    >>> from irjudge.model import make_labels
    >>> from irjudge.stats.agreement import agreement
    >>> first, second = "0100000010", "1110010000"
    >>> rows = [(str(item), "ab"[worker], labels[item]) for worker, labels in enumerate((first, second)) for item in range(10)]
    >>> round(agreement(make_labels(rows), ["alpha-nominal"])[0].value, 6)
    0.095238
    """
    label_counts = totals.coincidences.sum(axis=2)
    all_labels = label_counts.sum(axis=1)
    if view.scaling == "ordinal":
        mean_rank = np.cumsum(label_counts, axis=1) - label_counts / 2
        observed = 2 * (
            (label_counts * mean_rank**2).sum(axis=1)
            - _compute_quadratic_form(mean_rank, totals.coincidences)
        )
        expected = 2 * (
            (label_counts * mean_rank**2).sum(axis=1) * all_labels
            - (label_counts * mean_rank).sum(axis=1) ** 2
        )
    else:
        distances = label_distances(view, label_counts.shape[1])
        observed = (totals.coincidences * distances).sum(axis=(1, 2))
        expected = ((label_counts @ distances) * label_counts).sum(axis=1)
    alphas: Floats = 1 - (all_labels - 1) * observed / expected
    return alphas


def _compute_quadratic_form(vector: Floats, matrix: Floats) -> Floats:
    """Return vᵀ A v for each of M samples, with v of shape (M, K) and A of shape (M, K, K)."""
    products: Floats = np.einsum("mi,mij,mj->m", vector, matrix, vector)
    return products


# Gwet's AC1 and AC2, and Brennan and Prediger's coefficient, which are robust to rare grades

ONE_GRADE = Message("the scale has only one grade", key="one-grade")


@AGREEMENT.of_items(
    "ac1",
    "Gwet's AC1",
    "(P - Pe)/(1 - Pe), where P is the raw agreement and Pe = Σ π_k(1 - π_k)/(K - 1), with π_k "
    "the mean share of grade k",
    "nominal",
    zero_reason=ONE_GRADE,
)
def ac1(totals: SampleTotals, view: LabelView) -> Floats:
    """Return agreement corrected for chance in a way that is robust to rare grades; the maximum is
    1.

    Notes
    -----
    K is the number of grades on the scale, whether used or not. Items with one label are ignored.

    References
    ----------
    Gwet (2008), Computing inter-rater reliability and its variance in the presence of high agreement, BJMSP 61.
    """
    return _compute_gwet_coefficient(totals, view)


@AGREEMENT.of_items(
    "ac2",
    "Gwet's AC2",
    "(P - Pe)/(1 - Pe), where P is the mean of w_ij over pairs of labels and Pe = Σ w_ij Σ "
    "π_k(1 - π_k)/(K(K - 1)); w decreases with |i - j| or (i - j)²",
    *("linear", "quadratic"),
    zero_reason=ONE_GRADE,
)
def ac2(totals: SampleTotals, view: LabelView) -> Floats:
    """Return AC1 with partial credit for close grades; the maximum is 1.

    Parameters
    ----------
    view
        Labels with linear scaling, w = 1 - |i - j|/(K - 1), or quadratic scaling,
        w = 1 - (i - j)²/(K - 1)², where i and j are positions on the declared scale.

    Returns
    -------
    array
        Shape (M,); nan on a scale of one grade. On a scale of two grades, AC2 equals AC1.

    References
    ----------
    Gwet (2014), Handbook of inter-rater reliability, 4th ed., ch. 5.

    Examples
    --------
    >>> from irjudge.model import make_labels
    >>> from irjudge.stats.agreement import agreement
    >>> rows = [("d1", "ann", 0), ("d1", "bob", 1), ("d2", "ann", 2), ("d2", "bob", 2)]
    >>> [round(each.value, 4) for each in agreement(make_labels(rows), ["ac2"])]  # P = .75 and .875, Pe = 5/6 · .625 and .625
    [0.4783, 0.6667]
    """
    return _compute_gwet_coefficient(totals, view)


@AGREEMENT.of_items(
    "brennan-prediger",
    "Brennan-Prediger coefficient",
    "(P - Pe)/(1 - Pe), where P is the mean of w_ij over pairs of labels and Pe = Σ w_ij/K²; w "
    "is 1 for equal grades and 0 for different ones, or decreases with |i - j| or (i - j)²",
    *("nominal", "linear", "quadratic"),
    zero_reason=ONE_GRADE,
)
def brennan_prediger(totals: SampleTotals, view: LabelView) -> Floats:
    """Return agreement corrected for chance, assuming that all grades are equally likely; the
    maximum is 1.

    Parameters
    ----------
    view
        Labels with nominal, linear or quadratic scaling; for the weights of the last two, see
        `ac2`.

    Returns
    -------
    array
        Shape (M,); nan on a scale of one grade.

    Notes
    -----
    K is the number of grades on the scale, whether used or not, so unused grades increase the
    value.

    References
    ----------
    Brennan and Prediger (1981), Coefficient kappa: some uses, misuses, and alternatives,
    Educational and Psychological Measurement 41. Gwet (2014), Handbook of inter-rater reliability,
    4th ed., ch. 5, for weights.

    Examples
    --------
    >>> from irjudge.model import make_labels
    >>> from irjudge.stats.agreement import agreement
    >>> rows = [("d1", "ann", 0), ("d1", "bob", 1), ("d2", "ann", 2), ("d2", "bob", 2)]
    >>> [round(each.value, 4) for each in agreement(make_labels(rows), ["brennan-prediger"])]  # Pe = 3/9, 5/9 and 6/9
    [0.25, 0.4375, 0.625]
    """
    weights = _compute_agreement_weights(totals, view)
    coefficients: Floats = (_compute_weighted_agreement(totals, weights) - weights.mean()) / (
        1 - weights.mean()
    )
    return coefficients


def _compute_gwet_coefficient(totals: SampleTotals, view: LabelView) -> Floats:
    weights, share = _compute_agreement_weights(totals, view), totals.shares / totals.items[:, None]
    grades = len(weights)
    chance_agreement = (
        weights.sum() / grades * (share * (1 - share)).sum(axis=1) / np.float64(grades - 1)
    )
    coefficients: Floats = (_compute_weighted_agreement(totals, weights) - chance_agreement) / (
        1 - chance_agreement
    )
    return coefficients


def _compute_agreement_weights(totals: SampleTotals, view: LabelView) -> Floats:
    """Return the agreement weight of each pair of grades, shape (K, K).

    The weight is 1 for equal grades and 0 for the most distant ones.
    """
    distances = label_distances(view, totals.distances.shape[1])
    weights: Floats = 1 - distances / max(distances.max(), 1.0)
    return weights


def _compute_weighted_agreement(totals: SampleTotals, weights: Floats) -> Floats:
    """Return the mean weight of an item's label pairs, averaged over the items, shape (M,)."""
    value: Floats = totals.distances @ weights[0] / totals.items
    return value


# Cohen's kappa, plain and weighted, and Scott's pi, for pairs of workers


@AGREEMENT.of_pairs(
    "kappa",
    "Cohen's kappa",
    "1 - Σ d_ij o_ij/Σ d_ij e_ij; d is 1 for different grades, or |i - j| (linear), or (i - j)² (quadratic)",
    *("nominal", "linear", "quadratic"),
    zero_reason=SINGLE_LABEL,
)
def kappa(tables: PairTables, view: LabelView) -> PairValues:
    """Return agreement corrected for chance, given how often each assessor uses each grade; the
    maximum is 1.

    Parameters
    ----------
    view
        Labels with nominal, linear or quadratic scaling. Linear and quadratic distances are numbers
        of steps on the declared scale, including unused grades.

    Returns
    -------
    PairValues
        Values with large-sample intervals; nan if both workers gave a single grade. The value for
        all workers is the mean over pairs, weighted by the number of shared items.

    References
    ----------
    Cohen (1960), Educational and Psychological Measurement 20; (1968), Psychological Bulletin 70.
    Fleiss, Cohen and Everitt (1969), Large sample standard errors of kappa and weighted kappa,
    Psychological Bulletin 72. Light (1971) for the mean over pairs.

    Examples
    --------
    >>> from irjudge.model import make_labels
    >>> from irjudge.stats.agreement import agreement
    >>> table = {(0, 0): 20, (0, 1): 5, (1, 0): 10, (1, 1): 15}
    >>> pairs = [pair for pair, count in table.items() for _ in range(count)]
    >>> rows = [(str(item), "ab"[worker], pair[worker]) for item, pair in enumerate(pairs) for worker in (0, 1)]
    >>> round(agreement(make_labels(rows), ["kappa-nominal"])[0].value, 4)
    0.4
    """
    grade_counts = tables.first_grades.astype(np.float64), tables.second_grades.astype(np.float64)
    return _correct_for_chance(tables, *grade_counts, label_distances(view, tables.grades))


@AGREEMENT.of_pairs(
    "scott-pi",
    "Scott's pi",
    "(po - pe)/(1 - pe), pe = Σ ((p_k1 + p_k2)/2)²",
    "nominal",
    zero_reason=SINGLE_LABEL,
)
def scott_pi(tables: PairTables, view: LabelView) -> PairValues:
    """Return agreement corrected for chance, assuming that both assessors use each grade with the
    same frequency; the maximum is 1.

    References
    ----------
    Scott (1955), Reliability of content analysis: the case of nominal scale coding, Public Opinion Quarterly 19.
    """
    mean_grades = (tables.first_grades + tables.second_grades) / 2
    return _correct_for_chance(
        tables, mean_grades, mean_grades, label_distances(view, tables.grades)
    )


def _correct_for_chance(
    tables: PairTables, first: Floats, second: Floats, distances: Floats
) -> PairValues:
    """Return 1 minus observed disagreement divided by expected disagreement, for each pair.

    Expected disagreement is computed from `first` and `second`, shape (P, K): numbers of labels of
    each grade for the first and the second worker. Intervals are computed by the delta method.
    """
    items = tables.items.astype(np.float64)
    first_shares, second_shares = first / items[:, None], second / items[:, None]
    observed = tables.sum_by_pair(distances[tables.row, tables.column]) / items
    distance_to_second, distance_to_first = second_shares @ distances, first_shares @ distances
    expected = (first_shares * distance_to_second).sum(axis=1)
    pair_of_cell, row, column = tables.pair, tables.row, tables.column
    with np.errstate(divide="ignore", invalid="ignore"):
        coefficients = np.where(expected > 0, 1 - observed / expected, np.nan)
        observed_change = distances[row, column] - observed[pair_of_cell]
        expected_change = (
            distance_to_second[pair_of_cell, row]
            + distance_to_first[pair_of_cell, column]
            - 2 * expected[pair_of_cell]
        )
        influence = (
            observed[pair_of_cell] * expected_change / expected[pair_of_cell] - observed_change
        ) / expected[pair_of_cell]
        error = np.sqrt(tables.sum_by_pair(influence**2)) / items
    return PairValues(
        coefficients,
        np.maximum(coefficients - DEFAULT_QUANTILE * error, -1),
        np.minimum(coefficients + DEFAULT_QUANTILE * error, 1),
        influence,
    )


# Agreement of all assessors and of each pair, with intervals

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
