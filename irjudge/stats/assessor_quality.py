"""Quality of each assessor's labels, and conspicuous patterns in them."""

from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass
from math import comb
from statistics import NormalDist
from typing import Literal, TypeAlias

import numpy as np
import numpy.typing as npt

from irjudge.message import Message
from irjudge.model import UNJUDGED, Flags, Floats, Ints, Labels, Longs
from irjudge.progress import SILENT, Progress
from irjudge.stats.consensus import FitOptions, dawid_skene
from irjudge.stats.significance import wilson_interval

# Quality of assessors, measured by comparing their labels with gold and with other assessors

# A worker who labelled at least this number of gold items is compared with gold. All others are
# compared with the majority of the other workers.
MIN_GOLD = 10
REACTION_SECONDS = 0.3  # seconds that pass before an assessor starts to read
MIN_SKIMMED_WORDS = 40  # number of words at the beginning of a document that must be skimmed
SKIMMING_SPEED = 30  # words skimmed per second, six times the reading speed
BYTES_PER_WORD = 6
THIRDS = 3


@dataclass(frozen=True, slots=True, eq=False)
class AssessorQuality:
    """Quality statistics of all W workers, computed from their labels, as arrays.

    The statistics are accuracy on gold items, agreement with the others, bias, costs, repeats and
    speed. If a worker labelled an item several times, accuracy, agreement and bias use the last
    label that is not a deliberate repeat. Arrays have the shape (W,) unless stated otherwise;
    unknown values are nan.
    """

    workers: tuple[str, ...]  # worker names
    labels: Longs  # number of labels, including repeats
    unjudgeable: Longs  # number of unjudgeable labels, including repeats
    gold: Longs  # number of gold items that the worker labelled
    gold_right: Longs  # number of gold items labelled correctly; unjudgeable labels are incorrect
    accuracy: Floats  # share of gold items that the worker labelled correctly
    accuracy_low: Floats  # lower end of the 95 % Wilson interval of `accuracy`
    accuracy_high: Floats  # upper end of the 95 % Wilson interval of `accuracy`
    agreement: Floats  # mean over items of the share of other workers with the same grade
    # Number of the worker's grades compared with the reference. The reference is gold for workers
    # with `MIN_GOLD` gold items, otherwise the majority of the other workers (the lower if tied).
    compared: Longs
    bias: Floats  # mean of grade minus reference; above 0 for a lenient worker
    error: Floats  # mean absolute difference of grade and reference
    kappa: Floats  # quadratic weighted kappa against the reference
    # confusion matrices, shape (W, K, K): rows are reference grades, columns the worker's grades
    tables: Longs
    # expected cost of an answer after bias correction (Ipeirotis), from the Dawid-Skene model
    cost: Floats
    quality: Floats  # 1 - cost / cost of a spammer: 1 is perfect, 0 is uninformative
    # agreement with others in the first, middle and last third of the worker's labels, shape (W, 3)
    thirds: Floats
    repeats: Longs  # number of labels of items that the worker had labelled before
    repeats_same: Longs  # number of `repeats` equal to the worker's previous label of the item
    same_as_before: Floats  # share of labels equal to the label that the worker gave just before
    seconds: Floats  # median time per label, in seconds
    timed: Longs  # number of labels with a time
    # number of labels given too quickly for the document to have been skimmed, see `is_unread`
    too_fast: Longs

    @property
    def mean_thirds(self) -> Floats:
        """Mean of `thirds` over the workers for whom the value is defined."""
        return np.array(
            [
                np.nanmean(values) if np.isfinite(values).any() else np.nan
                for values in self.thirds.T
            ]
        )


def is_unread(labels: Labels) -> Flags:
    """Return, for each row, whether its time was too short to skim the document's first 40 words.

    The threshold depends only on the length of the document. It does not depend on the times of
    other workers, who may all be careless. The value is False for rows without a time.
    """
    if labels.seconds is None:
        return np.zeros(len(labels), dtype=bool)
    document_words = (
        np.zeros(len(labels))
        if labels.sizes is None
        else np.nan_to_num(labels.sizes[labels.item]) / BYTES_PER_WORD
    )
    return np.isfinite(labels.seconds) & (
        labels.seconds
        < REACTION_SECONDS + np.minimum(document_words, MIN_SKIMMED_WORDS) / SKIMMING_SPEED
    )


def measure_quality(labels: Labels, *, progress: Progress = SILENT) -> AssessorQuality:
    """Return the quality of each worker's labels.

    Parameters
    ----------
    labels
        Rows in the order of judging. Gold and times are optional. If a worker labelled an item more
        than once, the last label that is not a deliberate repeat is used, except for statistics of
        repeats, streaks and times, which use all labels. For labels without values, bias and error
        use positions on the scale.
    progress
        Progress of fitting the model of the workers.

    References
    ----------
    Ipeirotis, Provost and Wang (2010), Quality management on Amazon Mechanical Turk, HCOMP.

    Examples
    --------
    >>> from irjudge.model import make_labels
    >>> rows = [(f"d{item}", name, item % 2) for item in range(8) for name in ("ann", "bob")]
    >>> quality = measure_quality(make_labels([*rows, *((f"d{item}", "spam", 1) for item in range(8))]))
    >>> quality.agreement.tolist(), quality.bias.round(2).tolist(), quality.same_as_before.tolist()
    ([0.75, 0.75, 0.5], [0.0, 0.0, 0.5], [0.0, 0.0, 1.0])
    """
    seconds, timed_counts, too_fast = _summarise_times(labels)
    first = labels.without_repeats()
    latest_labels = first.latest()
    workers = len(labels.workers)
    gold, gold_right = count_gold_right(latest_labels)
    share, majority = _compare_with_others(latest_labels)
    reference = _find_reference_labels(latest_labels, majority, gold)
    tables = _compute_confusion_tables(latest_labels, reference)
    fitted = dawid_skene(first, FitOptions(progress=progress))
    costs = [answer_cost(fitted.prior, table) for table in fitted.tables]
    compared_counts, bias, error, kappa = _compare_with_reference(latest_labels, tables)
    repeats, repeats_same = _count_repeats(labels)
    low, high = wilson_interval(gold_right, gold)
    return AssessorQuality(
        workers=labels.workers,
        labels=_count_by_code(labels.worker, workers),
        unjudgeable=_count_by_code(labels.worker[labels.label < 0], workers),
        gold=gold,
        gold_right=gold_right,
        accuracy=_divide(gold_right, gold),
        accuracy_low=low,
        accuracy_high=high,
        agreement=_compute_mean_share(latest_labels, share),
        compared=compared_counts,
        bias=bias,
        error=error,
        kappa=kappa,
        tables=tables,
        cost=np.array([cost for cost, _ in costs]),
        quality=np.array([value for _, value in costs]),
        thirds=_compute_share_by_third(latest_labels, share),
        repeats=repeats,
        repeats_same=repeats_same,
        same_as_before=_compute_share_same_as_before(labels),
        seconds=seconds,
        timed=timed_counts,
        too_fast=too_fast,
    )


def answer_cost(prior: Floats, table: Floats, costs: Floats | None = None) -> tuple[float, float]:
    """Return the expected cost of a worker's answer, and the worker's quality.

    Parameters
    ----------
    prior
        Shape (K,): frequency of each grade.
    table
        Shape (K, K): probability of the column as the worker's answer if the row is the true grade.
    costs
        Shape (K, K): cost of assigning the column's grade if the row's grade is the true grade;
        None means a cost of 1 for every wrong grade.

    Returns
    -------
    tuple of two floats
        The expected cost of a soft label, which is the posterior distribution of grades given an
        answer; and the quality, which is 1 - cost / cost of a spammer. The quality is 1 if answers
        determine the grade, even if they are inverted. It is 0 if answers contain no information,
        or if there is only one grade.

    References
    ----------
    Ipeirotis, Provost and Wang (2010), Quality management on Amazon Mechanical Turk, HCOMP.

    Examples
    --------
    >>> cost, quality = answer_cost(np.array([.85, .15]), np.array([[.8, .2], [.2, .8]]))
    >>> round(cost, 6), round(quality, 6)
    (0.198154, 0.222924)
    """
    costs = 1.0 - np.eye(len(prior)) if costs is None else costs
    joint_probabilities = prior[:, None] * table
    answers = joint_probabilities.sum(axis=0)
    posterior = np.divide(
        joint_probabilities, answers, out=np.zeros_like(joint_probabilities), where=answers > 0
    )
    cost = float((answers * np.einsum("kl,km,ml->l", posterior, costs, posterior)).sum())
    spammer = float(prior @ costs @ prior)
    return cost, 1 - cost / spammer if spammer > 0 else 0.0


def count_gold_right(latest_labels: Labels) -> tuple[Longs, Longs]:
    """Return how many gold items each worker labelled, and how many of them correctly.

    Both arrays have the shape (W,). `latest_labels` has at most one label for each worker and item.
    An unjudgeable label is incorrect.
    """
    workers = len(latest_labels.workers)
    gold_grade = latest_labels.gold_by_row()
    is_gold = gold_grade >= 0
    return _count_by_code(latest_labels.worker[is_gold], workers), _count_by_code(
        latest_labels.worker[is_gold & (latest_labels.label == gold_grade)], workers
    )


def agreement_with_others(latest_labels: Labels, *, excluded: Collection[str] = ()) -> Floats:
    """Return, for each worker, the mean share of other workers who gave an item the same grade.

    The mean is over items; the shape is (W,). The value is nan for a worker whose items no other
    worker graded. `latest_labels` has one label per worker and item. Unjudgeable labels are
    ignored. Excluded workers are compared with included ones, and no worker is compared with an
    excluded one.

    >>> from irjudge.model import make_labels
    >>> rows = [("d1", "ann", 1), ("d1", "bob", 1), ("d1", "cleo", 2), ("d2", "ann", 0)]
    >>> agreement_with_others(make_labels(rows)).tolist()
    [0.5, 0.5, 0.0]
    >>> agreement_with_others(make_labels(rows), excluded=["bob"]).tolist()
    [0.0, 0.5, 0.0]
    """
    return _compute_mean_share(latest_labels, _compare_with_others(latest_labels, excluded)[0])


def _compute_mean_share(latest_labels: Labels, share: Floats) -> Floats:
    return _average_by_code(latest_labels.worker, share, len(latest_labels.workers))


def _compare_with_others(
    latest_labels: Labels, excluded: Collection[str] = ()
) -> tuple[Floats, Ints]:
    """Return, for each row, the share of others who gave the item the same grade, and the majority.

    The share is nan if no other worker graded the item. The majority is the grade that most other
    workers gave (in a tie, the lowest), or `UNJUDGED` if there are none. The grades of excluded
    workers are not used.
    """
    graded = latest_labels.label >= 0
    rows = np.arange(len(latest_labels))[graded]
    is_included = np.array([name not in excluded for name in latest_labels.workers], bool)[
        latest_labels.worker
    ]
    counts = latest_labels.where(is_included).count_grades()[latest_labels.item[rows]]
    own_cells = np.arange(len(rows)), latest_labels.label[rows]
    counts[own_cells] -= is_included[rows]
    other_votes = counts.sum(axis=1)
    share, majority = (
        np.full(len(latest_labels), np.nan),
        np.full(len(latest_labels), UNJUDGED, dtype=np.int32),
    )
    share[rows] = _divide(counts[own_cells], other_votes)
    majority[rows] = np.where(other_votes > 0, counts.argmax(axis=1), UNJUDGED)
    return share, majority


def _find_reference_labels(latest_labels: Labels, majority: Ints, gold: Longs) -> Ints:
    """Return the reference label of each row; negative if there is none.

    For workers with at least `MIN_GOLD` gold items, it is the gold grade of the item. For other
    workers, it is the grade in `majority`.
    """
    if latest_labels.gold is None:
        return majority
    return np.where(gold[latest_labels.worker] >= MIN_GOLD, latest_labels.gold_by_row(), majority)


def _compute_confusion_tables(latest_labels: Labels, reference: Ints) -> Longs:
    workers, grades = len(latest_labels.workers), len(latest_labels.scale)
    is_used = (reference >= 0) & (latest_labels.label >= 0)
    cells = (
        latest_labels.worker[is_used].astype(np.int64) * grades + reference[is_used]
    ) * grades + latest_labels.label[is_used]
    return np.bincount(cells, minlength=workers * grades * grades).reshape(workers, grades, grades)


def _compare_with_reference(
    latest_labels: Labels, tables: Longs
) -> tuple[Longs, Floats, Floats, Floats]:
    """Return the fields `compared`, `bias`, `error` and `kappa` of `AssessorQuality`.

    They are computed from the workers' confusion matrices, shape (W, K, K).
    """
    grades = len(latest_labels.scale)
    values = (
        latest_labels.values
        if latest_labels.values is not None
        else np.arange(grades, dtype=np.float64)
    )
    differences = values[None, :] - values[:, None]
    compared_counts = tables.sum(axis=(1, 2))
    steps = (np.arange(grades)[None, :] - np.arange(grades)[:, None]) ** 2
    expected = np.einsum("wk,kl,wl->w", tables.sum(axis=2), steps, tables.sum(axis=1))
    kappa = 1 - _divide((tables * steps).sum(axis=(1, 2)) * compared_counts, expected)
    return (
        compared_counts,
        _divide((tables * differences).sum(axis=(1, 2)), compared_counts),
        _divide((tables * abs(differences)).sum(axis=(1, 2)), compared_counts),
        kappa,
    )


def _compute_share_by_third(latest_labels: Labels, share: Floats) -> Floats:
    """Return the mean of `share` in each third of each worker's rows, shape (W, 3)."""
    workers = len(latest_labels.workers)
    order = np.argsort(latest_labels.worker, kind="stable")
    label_counts = np.bincount(latest_labels.worker, minlength=workers)
    index = np.arange(len(order)) - np.repeat(np.cumsum(label_counts) - label_counts, label_counts)
    third = index * THIRDS // np.maximum(np.repeat(label_counts, label_counts), 1)
    return _average_by_code(
        latest_labels.worker[order] * THIRDS + third, share[order], workers * THIRDS
    ).reshape(workers, THIRDS)


def _count_repeats(labels: Labels) -> tuple[Longs, Longs]:
    """Return the fields `repeats` and `repeats_same` of `AssessorQuality`."""
    order = np.lexsort((np.arange(len(labels)), labels.item, labels.worker))
    item, worker, label = labels.item[order], labels.worker[order], labels.label[order]
    is_repeat = (item[1:] == item[:-1]) & (worker[1:] == worker[:-1])
    count = len(labels.workers)
    return _count_by_code(worker[1:][is_repeat], count), _count_by_code(
        worker[1:][is_repeat & (label[1:] == label[:-1])], count
    )


def _compute_share_same_as_before(labels: Labels) -> Floats:
    order = np.argsort(labels.worker, kind="stable")
    worker, label = labels.worker[order], labels.label[order]
    same_worker = worker[1:] == worker[:-1]
    return _average_by_code(
        worker[1:][same_worker],
        (label[1:] == label[:-1])[same_worker].astype(np.float64),
        len(labels.workers),
    )


def _summarise_times(labels: Labels) -> tuple[Floats, Longs, Longs]:
    """Return the fields `seconds`, `timed` and `too_fast` of `AssessorQuality`."""
    workers = len(labels.workers)
    seconds = labels.seconds if labels.seconds is not None else np.full(len(labels), np.nan)
    has_time = np.isfinite(seconds)
    medians = np.full(workers, np.nan)
    order = np.argsort(labels.worker[has_time], kind="stable")
    timed_counts = _count_by_code(labels.worker[has_time], workers)
    for worker, times in enumerate(
        np.split(seconds[has_time][order], np.cumsum(timed_counts)[:-1]) if workers else ()
    ):
        medians[worker] = np.median(times) if len(times) else np.nan
    return medians, timed_counts, _count_by_code(labels.worker[is_unread(labels)], workers)


def _count_by_code(codes: Ints, size: int) -> Longs:
    return np.bincount(codes, minlength=size)


def _average_by_code(codes: Ints, values: Floats, size: int) -> Floats:
    """Return, for each code, the mean of the values with this code; nan if there are none.

    Values that are not finite are ignored.
    """
    is_finite = np.isfinite(values)
    return _divide(
        np.bincount(codes[is_finite], weights=values[is_finite], minlength=size),
        np.bincount(codes[is_finite], minlength=size),
    )


def _divide(numerator: Floats | Longs, denominator: Floats | Longs) -> Floats:
    return np.divide(
        numerator,
        denominator,
        out=np.full(np.shape(denominator), np.nan),
        where=np.asarray(denominator) > 0,
    )


# Verdict on an assessor: conspicuous patterns, no conspicuous patterns, or too few data

VerdictState: TypeAlias = Literal["stands out", "nothing flagged", "too few data"]

# confidence level of the intervals; at 99 %, five checks cause at most 5 % false alarms
CONFIDENCE_LEVEL = 0.99
Z_ONE_SIDED = NormalDist().inv_cdf(CONFIDENCE_LEVEL)  # quantile of one-sided intervals
Z_TWO_SIDED = NormalDist().inv_cdf((1 + CONFIDENCE_LEVEL) / 2)
# quantile for checking whether an assessor agrees with the others less than they agree with each
# other. It is higher than the other quantiles, because one of a few other assessors may be
# careless.
Z_BELOW = NormalDist().inv_cdf(0.999)
MIN_CAREFUL_ACCURACY = 0.7  # accuracy on gold that careful assessors are assumed to reach
# share of repeated documents to which careful assessors are assumed to give the same grade again
MIN_REPEAT_CONSISTENCY = 0.5
# Two assessors may have copied if they agree on more than this share of certain documents: those on
# which the majority of the other assessors differs from at least one of the two.
MIN_COPIED_SHARE = 0.8
# maximum agreement of the other assessors with each other. If it is higher, they may have copied,
# so it is not evidence against an assessor who differs from them.
MAX_LIKELY_AGREEMENT = 0.95
RARE_PROBABILITY = 0.001  # probability below which a series of one grade is conspicuous
# minimum number of labels for each comparison, and minimum length of a series of one grade
MIN_LABELS = 20
MIN_TIMED_LABELS = 10
MAX_UNREAD_SHARE = 0.5  # maximum share of labels given before the document can have been read


@dataclass(frozen=True, slots=True)
class AssessorVerdict:
    """Verdict on an assessor's labels: state, and sentences that give the evidence.

    The states are `stands out` (evidence of a problem), `nothing flagged` (no such evidence, but
    evidence that the labels are better than chance) and `too few data` (neither).
    """

    state: VerdictState
    # a sentence for each problem; if there is none, for each result better than chance; if there is
    # no such result either, a single sentence which reports that there are too few data
    evidence: tuple[str, ...]


def judge_assessors(labels: Labels, *, progress: Progress = SILENT) -> tuple[AssessorVerdict, ...]:
    """Return a verdict on each worker.

    Accuracy on gold and agreement with others are compared with chance: the values expected if the
    worker had given the same labels in random order. Problems are reported if they are significant,
    most of them at a confidence level of 99 %. They are: accuracy on gold below 70 %; agreement no
    better than chance while the others agree with each other; agreement below chance; the same
    grade so often in a row that the probability, given the others' grades, is below 1 in 1,000;
    more than half of the repeated documents graded differently; the same grades as one other
    assessor on documents for which the majority of the remaining assessors gave another grade; more
    than half of the labels given faster than 40 words can be skimmed. Detection and false-alarm
    rates are in the help. For `labels` see `measure_quality`.

    >>> from irjudge.model import make_labels
    >>> rows = [(f"d{item}", name, item % 3 == 0) for item in range(60) for name in ("ann", "bob")]
    >>> verdicts = judge_assessors(make_labels([(item, name, int(grade)) for item, name, grade in rows]))
    >>> verdicts[0].state, *verdicts[0].evidence
    ('nothing flagged', 'Agrees with the other assessors on 100 % of 60 documents; 56 % would be expected by chance.')
    """
    latest_labels = labels.without_repeats().latest()
    counts, unread_mask = latest_labels.count_grades(), is_unread(labels)
    evidence_by_worker = [
        _AssessorEvidence(labels, latest_labels, counts, unread_mask, worker)
        for worker in progress.track(range(len(labels.workers)), Message("Comparing assessors"))
    ]
    flags_by_worker = [[*evidence.list_flags()] for evidence in evidence_by_worker]
    for copied_worker, other_worker, equal_count, compared_count in _find_copies(
        latest_labels, {index for index, flags in enumerate(flags_by_worker) if flags}
    ):
        flags_by_worker[copied_worker].append(
            _describe_copying(labels.workers[other_worker], equal_count, compared_count)
        )
        flags_by_worker[other_worker].append(
            _describe_copying(labels.workers[copied_worker], equal_count, compared_count)
        )
    return tuple(
        _judge_assessor(evidence, flags)
        for evidence, flags in zip(evidence_by_worker, flags_by_worker, strict=True)
    )


@dataclass(frozen=True, slots=True)
class AssessorResult:
    """Result of an assessor: statistics, verdict, reason for exclusion, displayed name.

    `quality` contains the statistics of several assessors; those of this assessor are at `index`.
    `exclusion_reason` is None if the assessor is included. An excluded assessor is compared only
    with included assessors.
    """

    quality: AssessorQuality
    index: int
    verdict: AssessorVerdict
    exclusion_reason: str | None
    display_name: str = ""  # set by the caller of `assess_assessors`; empty to display `name`

    @property
    def name(self) -> str:
        """Name of the assessor."""
        return self.quality.workers[self.index]


def assess_assessors(
    labels: Labels, exclusion_reasons: Mapping[str, str], *, progress: Progress = SILENT
) -> list[AssessorResult]:
    """Return the result of each assessor by name, given the reasons of excluded assessors.

    >>> from irjudge.model import make_labels
    >>> rows = [(f"d{item}", name, item % 2) for item in range(8) for name in ("ann", "bob", "eve")]
    >>> results = assess_assessors(make_labels(rows), {"bob": "spam"})
    >>> [(result.name, result.exclusion_reason, len(result.quality.workers)) for result in results]
    [('ann', None, 2), ('bob', 'spam', 3), ('eve', None, 2)]
    """
    excluded = {name for name in labels.workers if name in exclusion_reasons}
    included_labels = labels.without(excluded) if excluded else labels
    quality = measure_quality(included_labels, progress=progress)
    results = [
        AssessorResult(quality, index, verdict, None)
        for index, verdict in enumerate(judge_assessors(included_labels, progress=progress))
    ]
    for name in sorted(excluded):
        compared_labels = labels.without(excluded - {name})
        index = compared_labels.workers.index(name)
        results.append(
            AssessorResult(
                measure_quality(compared_labels, progress=progress),
                index,
                judge_assessors(compared_labels, progress=progress)[index],
                exclusion_reasons[name],
            )
        )
    return sorted(results, key=lambda result: result.name)


def _judge_assessor(evidence: "_AssessorEvidence", flags: list[str]) -> AssessorVerdict:
    if flags:
        return AssessorVerdict("stands out", tuple(flags))
    better_than_chance = tuple(evidence.list_strengths())
    return (
        AssessorVerdict("nothing flagged", better_than_chance)
        if better_than_chance
        else AssessorVerdict("too few data", (evidence.explain_too_few_data(),))
    )


class _AssessorEvidence:
    """Comparison of one worker's labels with gold, other workers and chance.

    The verdict on the worker is derived from it.
    """

    def __init__(
        self, labels: Labels, latest_labels: Labels, counts: Longs, unread_mask: Flags, worker: int
    ) -> None:
        self.labels, self.latest_labels, self.unread_mask, self.worker = (
            labels,
            latest_labels,
            unread_mask,
            worker,
        )
        self.rows = np.flatnonzero(labels.worker == worker)
        graded = np.flatnonzero((latest_labels.worker == worker) & (latest_labels.label >= 0))
        self.item, self.label = latest_labels.item[graded], latest_labels.label[graded]
        other_votes = counts[self.item]
        other_votes[np.arange(len(graded)), self.label] -= 1
        is_shared = other_votes.sum(axis=1) > 0
        self.agreement = _AgreementWithOthers(self.label[is_shared], other_votes[is_shared])
        gold_counts, right_counts = count_gold_right(
            latest_labels.where(latest_labels.worker == worker)
        )
        self.gold_right, self.gold = int(right_counts[worker]), int(gold_counts[worker])
        gold_grade = latest_labels.gold_by_row()[graded]
        self.gold_chance = _compute_chance_agreement(self.label, gold_grade[gold_grade >= 0])

    def list_flags(self) -> Iterator[str]:
        """Yield a sentence for each pattern that careful assessors would not show."""
        yield from self._flag_unread()
        if (
            self._has_enough_gold()
            and float(_compute_upper_bound(self.gold_right, self.gold)) < MIN_CAREFUL_ACCURACY
        ):
            yield Message(
                "{correct} of {gold} gold items correct; {chance:.1f} expected by chance.",
                **self._compute_gold_values(),
            )
        yield from self._flag_disagreement()
        yield from self._flag_series()
        yield from self._flag_changes()

    def list_strengths(self) -> Iterator[str]:
        """Yield a sentence for each result that random labels would rarely reach."""
        if (
            self._has_enough_gold()
            and _compute_binomial_tail(self.gold_right, self.gold, self.gold_chance)
            < 1 - CONFIDENCE_LEVEL
        ):
            yield Message(
                "{correct} of {gold} gold items correct; {chance:.1f} expected by chance.",
                **self._compute_gold_values(),
            )
        if (
            self.agreement.size >= MIN_LABELS
            and self.agreement.deviations_above_chance > Z_ONE_SIDED
        ):
            yield self._describe_agreement()

    def explain_too_few_data(self) -> str:
        """Return a sentence which reports that there are too few data for a verdict."""
        return Message(
            "The numbers of gold items ({gold}) and of documents also graded by other "
            "assessors ({shared}) are too small to distinguish the assessor's grades from "
            "chance.",
            key="undecided",
            gold=self.gold,
            shared=self.agreement.size,
        )

    def _has_enough_gold(self) -> bool:
        """Return whether there is enough gold to flag a worker with random labels.

        The probability that such a worker is flagged must be above 1/2.
        """
        low_counts = np.flatnonzero(
            _compute_upper_bound(np.arange(self.gold + 1), self.gold) < MIN_CAREFUL_ACCURACY
        )
        return (
            bool(len(low_counts))
            and 1 - _compute_binomial_tail(int(low_counts[-1]) + 1, self.gold, self.gold_chance)
            > 0.5
        )

    def _compute_gold_values(self) -> dict[str, float]:
        return {
            "correct": self.gold_right,
            "gold": self.gold,
            "chance": self.gold * self.gold_chance,
        }

    def _describe_agreement(self) -> str:
        agreement = self.agreement
        return Message(
            "Agrees with the other assessors on {share:.0f} % of {count} documents; "
            "{chance:.0f} % would be expected by chance.",
            key="agreement",
            share=100 * agreement.mean,
            count=agreement.size,
            chance=100 * agreement.chance_agreement,
        )

    def _flag_disagreement(self) -> Iterator[str]:
        agreement = self.agreement
        if agreement.size < MIN_LABELS:
            return
        if agreement.deviations_above_chance < -Z_TWO_SIDED:
            yield self._describe_agreement()
        elif (
            agreement.deviations_above_chance < Z_ONE_SIDED
            and agreement.deviations_below_others > Z_BELOW
            and agreement.agreement_among_others < MAX_LIKELY_AGREEMENT
        ):
            yield self._describe_agreement()
            yield Message(
                "Agreement of the other assessors with each other: {share:.0f} %.",
                share=100 * agreement.agreement_among_others,
            )

    def _flag_series(self) -> Iterator[str]:
        """Yield a sentence if a series of one grade is too long, given the grades of others."""
        label = self.labels.label[self.rows]
        length, grade = _find_longest_series(label)
        if length < MIN_LABELS or grade < 0:
            return
        shares = _compute_grade_shares_of_others(self.latest_labels, self.worker)
        if not len(shares) or (len(shares) < 2 and length < len(label)):
            return  # if there is only one other assessor, that assessor may be the careless one
        share = float(shares[:, grade].max())
        if len(label) * share**length < RARE_PROBABILITY:
            yield Message(
                "Gave the same grade ({grade}) {length} times in a row; other assessors gave "
                "this grade in at most {share:.0f} % of their judgments.",
                key="same-grade",
                grade=self.labels.scale[grade],
                length=length,
                share=100 * share,
            )

    def _flag_changes(self) -> Iterator[str]:
        """Yield a sentence if repeated documents got different grades too often."""
        order = np.argsort(self.labels.item[self.rows], kind="stable")
        item, label = self.labels.item[self.rows][order], self.labels.label[self.rows][order]
        is_repeat = item[1:] == item[:-1]
        count, equal_count = int(is_repeat.sum()), int((label[1:] == label[:-1])[is_repeat].sum())
        if count and float(_compute_upper_bound(equal_count, count)) < MIN_REPEAT_CONSISTENCY:
            yield Message(
                "{matches} of {count} repeated documents got the same grade both times.",
                key="repeats",
                count=count,
                matches=equal_count,
            )

    def _flag_unread(self) -> Iterator[str]:
        """Yield a sentence if most labels were given before the document can have been read."""
        if self.labels.seconds is None:
            return
        seconds = self.labels.seconds[self.rows]
        has_time = np.isfinite(seconds)
        is_unread = self.unread_mask[self.rows][has_time]
        if len(is_unread) >= MIN_TIMED_LABELS and is_unread.mean() > MAX_UNREAD_SHARE:
            yield Message(
                "Median time {median:.1f} s; {share:.0f} % of the judgments were made before the "
                "first {words} words could be skimmed.",
                key="hasty",
                median=float(np.median(seconds[has_time])),
                share=100 * is_unread.mean(),
                words=MIN_SKIMMED_WORDS,
            )


def _compute_grade_shares_of_others(latest_labels: Labels, worker: int) -> Floats:
    """Return the share of each grade among the labels of each other worker, shape (others, K).

    Only documents that `worker` labelled are used, unless every other worker labelled fewer than
    `MIN_LABELS` of these; in that case, all documents are used. Other workers with fewer than
    `MIN_LABELS` labels of the used documents are omitted.
    """
    own_items = np.unique(latest_labels.item[latest_labels.worker == worker])
    is_by_others = (latest_labels.label >= 0) & (latest_labels.worker != worker)
    for rows in (is_by_others & np.isin(latest_labels.item, own_items), is_by_others):
        grades = len(latest_labels.scale)
        cells = latest_labels.worker[rows].astype(np.int64) * grades + latest_labels.label[rows]
        counts = np.bincount(cells, minlength=len(latest_labels.workers) * grades).reshape(
            -1, grades
        )
        usable_counts = counts[counts.sum(axis=1) >= MIN_LABELS]
        if len(usable_counts):
            return np.asarray(
                usable_counts / usable_counts.sum(axis=1, keepdims=True), dtype=np.float64
            )
    return np.zeros((0, len(latest_labels.scale)))


class _AgreementWithOthers:
    """Mean agreement of a worker with other workers, compared with two other values.

    The two values are the agreement expected by chance, and the agreement of the other workers with
    each other. The differences are measured in standard deviations.
    """

    def __init__(self, label: Longs, other_votes: Longs) -> None:
        self.size = len(label)
        voters = other_votes.sum(axis=1)
        share = other_votes / np.maximum(voters, 1)[:, None]
        own_shares = np.bincount(label, minlength=other_votes.shape[1]) / max(self.size, 1)
        equal_share = share[np.arange(self.size), label]
        self.mean = float(equal_share.mean()) if self.size else np.nan
        self.chance_agreement = float(own_shares @ share.mean(axis=0)) if self.size else np.nan
        self.deviations_above_chance = self._compute_agreement_above_chance(share, own_shares)
        has_several_voters = voters > 1
        pairs = (voters * (voters - 1))[has_several_voters]
        pair_agreement = (other_votes * (other_votes - 1)).sum(axis=1)[has_several_voters] / pairs
        self.agreement_among_others = (
            float(pair_agreement.mean()) if has_several_voters.any() else np.nan
        )
        self.deviations_below_others = _compute_standardised_mean(
            pair_agreement - equal_share[has_several_voters]
        )

    def _compute_agreement_above_chance(self, share: Floats, own_shares: Floats) -> float:
        """Return by how many standard deviations the agreement exceeds chance agreement.

        Chance agreement and its standard deviation are computed over all orders of the worker's
        labels. The result is 0 for fewer than `MIN_LABELS` labels, or if the agreement does not
        depend on the order.
        """
        if self.size < MIN_LABELS:
            return 0.0
        centred_share = (
            share
            - (share @ own_shares)[:, None]
            - share.mean(axis=0)[None, :]
            + share.mean(axis=0) @ own_shares
        )
        deviation = (
            np.sqrt(float((centred_share**2 @ own_shares).sum()) * self.size / (self.size - 1))
            / self.size
        )
        return (self.mean - self.chance_agreement) / deviation if deviation > 1e-12 else 0.0


def _compute_standardised_mean(values: Floats) -> float:
    """Return the mean divided by its standard error.

    The result is 0 for fewer than `MIN_LABELS` values. If all values are equal, the standard error
    is 0; the result is then 0 if the values are 0, otherwise infinite with their sign.
    """
    if len(values) < MIN_LABELS:
        return 0.0
    error = float(values.std(ddof=1) / np.sqrt(len(values)))
    if error > 0:
        return float(values.mean() / error)
    if values.mean():
        return float(np.sign(values.mean()) * np.inf)
    return 0.0


def _compute_chance_agreement(label: Ints, gold: Ints) -> float:
    """Return the expected accuracy on gold if the worker's labels were in random order."""
    if not len(gold) or not len(label):
        return 0.0
    grade_count = int(max(label.max(), gold.max())) + 1
    return float(
        np.bincount(label, minlength=grade_count)
        / len(label)
        @ (np.bincount(gold, minlength=grade_count) / len(gold))
    )


def _compute_binomial_tail(successes: int, trials: int, probability: float) -> float:
    """Return the probability of at least `successes` successes in independent trials."""
    return float(
        sum(
            comb(trials, count) * probability**count * (1 - probability) ** (trials - count)
            for count in range(successes, trials + 1)
        )
    )


def _compute_upper_bound(count: npt.ArrayLike, total: int) -> Floats:
    return wilson_interval(count, total, CONFIDENCE_LEVEL)[1]


def _find_longest_series(label: Ints) -> tuple[int, int]:
    """Return the length and the value of the longest series of equal values.

    If there are no values, return 0 and -1.
    """
    if not len(label):
        return 0, -1
    starts = np.flatnonzero(np.diff(label, prepend=label[0] - 1))
    lengths = np.diff(starts, append=len(label))
    index = int(lengths.argmax())
    return int(lengths[index]), int(label[starts[index]])


def _find_copies(
    latest_labels: Labels, flagged_workers: set[int]
) -> Iterator[tuple[int, int, int, int]]:
    """Yield the pairs of workers of whom one may have copied from the other.

    Each tuple contains the codes of the two workers, the number of documents that they labelled
    equally, and the number of documents compared. The compared documents are those that both
    labelled and for which the majority of the unflagged other workers differs from at least one of
    the two.
    """
    graded = latest_labels.where(latest_labels.label >= 0)
    order = np.lexsort((graded.worker, graded.item))
    unflagged_counts = graded.where(~np.isin(graded.worker, list(flagged_workers))).count_grades()
    by_worker = [graded.where(graded.worker == worker) for worker in range(len(graded.workers))]
    overlapping_pairs = _iter_overlapping_pairs(graded.item[order], graded.worker[order])
    for first_worker, other_worker in overlapping_pairs:
        a, b = by_worker[first_worker], by_worker[other_worker]
        shared_items, rows_a, rows_b = np.intersect1d(
            a.item, b.item, assume_unique=True, return_indices=True
        )
        labels_a, labels_b = a.label[rows_a], b.label[rows_b]
        other_counts = unflagged_counts[shared_items].copy()
        for worker, pair_labels in ((first_worker, labels_a), (other_worker, labels_b)):
            if worker not in flagged_workers:
                other_counts[np.arange(len(shared_items)), pair_labels] -= 1
        is_compared = (other_counts.sum(axis=1) > 0) & (
            (other_counts.argmax(axis=1) != labels_a) | (other_counts.argmax(axis=1) != labels_b)
        )
        equal_count, compared_count = (
            int((labels_a == labels_b)[is_compared].sum()),
            int(is_compared.sum()),
        )
        if (
            compared_count >= MIN_LABELS
            and float(wilson_interval(equal_count, compared_count, CONFIDENCE_LEVEL)[0])
            > MIN_COPIED_SHARE
        ):
            yield first_worker, other_worker, equal_count, compared_count


def _iter_overlapping_pairs(item: Ints, worker: Ints) -> Iterator[tuple[int, int]]:
    """Yield pairs of worker codes with at least `MIN_LABELS` common items.

    `item` and `worker` must be sorted by item, then by worker.
    """
    label_counts = np.bincount(worker)
    begins = np.searchsorted(item, item)
    lengths = np.searchsorted(item, item, side="right") - begins
    for first_worker in np.flatnonzero(label_counts >= MIN_LABELS).tolist():
        rows = np.flatnonzero(worker == first_worker)
        ends = np.cumsum(lengths[rows])
        shared_rows = np.arange(ends[-1]) + np.repeat(
            begins[rows] - ends + lengths[rows], lengths[rows]
        )
        shared_counts = np.bincount(worker[shared_rows], minlength=len(label_counts))
        shared_counts[: first_worker + 1] = 0
        for other_worker in np.flatnonzero(shared_counts >= MIN_LABELS).tolist():
            yield first_worker, other_worker


def _describe_copying(name: str, equal_count: int, compared_count: int) -> str:
    return Message(
        "Agrees with {name} on {matches} of {count} documents on which a third assessor disagrees; "
        "one of the two may have copied from the other.",
        key="copied",
        name=name,
        matches=equal_count,
        count=compared_count,
    )
