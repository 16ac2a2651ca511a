"""How good each assessor's work is: against known answers, against the others, and over time."""

from collections.abc import Collection
from dataclasses import dataclass

import numpy as np

from irjudge.model.labels import Flags, Labels
from irjudge.model.ranking import UNJUDGED, Ints
from irjudge.progress import SILENT, Progress
from irjudge.stats.consensus.dawid_skene import Fitting, dawid_skene
from irjudge.stats.proportion import wilson
from irjudge.stats.rankings import Floats, Longs

ENOUGH_GOLD = 10  # fewer known answers decide nothing
REACTION, GLANCE, RATE = (
    0.3,
    40,
    30,
)  # seconds; words at most that have to be seen; words a second, six times as fast as reading
BYTES_A_WORD = 6
THIRDS = 3


@dataclass(frozen=True, slots=True, eq=False)
class Quality:
    """What is known of W workers; all of shape (W,) unless said otherwise, nan where there is nothing to tell from."""

    workers: tuple[str, ...]  # their names
    # labels given in all, and those that say unjudgeable
    given: Longs
    unjudgeable: Longs
    # items with a known answer, those right, their share, and its Wilson interval of 95 %. Unjudgeable is wrong there.
    gold: Longs
    gold_right: Longs
    accuracy: Floats
    accuracy_low: Floats
    accuracy_high: Floats
    agreement: Floats  # mean over items of the share of the other workers who gave the same grade
    # grades compared with the reference; mean of grade less reference (above 0: lenient); mean distance from it. The reference is the known
    # answer for workers with 10 or more of them, otherwise the majority of the others, ties to the lower grade.
    compared: Longs
    bias: Floats
    error: Floats
    kappa: Floats  # quadratic weighted kappa with the reference
    tables: Longs  # shape (W, K, K): how often the worker answered the column where the reference is the row
    # expected cost of an answer once its bias is undone (Ipeirotis), and 1 less its share of a spammer's cost: 1 is perfect, 0 says
    # nothing. From the tables of the Dawid-Skene model.
    cost: Floats
    quality: Floats
    thirds: Floats  # shape (W, 3): agreement with the others in the first, middle and last third of the work
    # labels of items the worker had labelled before, and those that say the same as the one before
    repeats: Longs
    repeats_same: Longs
    same_as_before: Floats  # share of grades that are the same as the worker's grade just before
    # median time of a label, labels with a time, and those that came before the document can be skimmed (`unread`)
    seconds: Floats
    timed: Longs
    too_fast: Longs


def unread(labels: Labels) -> Flags:
    """Tell of each row whether it came before anybody can have skimmed the first 40 words; without a time nobody knows, and it did not.

    That is measured against the document and what reading takes, never against the others: a group that presses digits is fast too.
    """
    if labels.seconds is None:
        return np.zeros(len(labels), dtype=bool)
    words = (
        np.zeros(len(labels))
        if labels.sizes is None
        else np.nan_to_num(labels.sizes[labels.item]) / BYTES_A_WORD
    )
    return np.isfinite(labels.seconds) & (
        labels.seconds < REACTION + np.minimum(words, GLANCE) / RATE
    )


def quality(labels: Labels, *, progress: Progress = SILENT) -> Quality:
    """Return how good each worker's labels are.

    Parameters
    ----------
    labels
        Rows in the order of the work. Known answers and times are optional. Of a worker's labels of one item the last counts that is
        no planted repeat, but for repeats, streaks and times. Bias and error take places on the scale where labels are words.
    progress
        Told while the model of the workers is fitted.

    References
    ----------
    Ipeirotis, Provost and Wang (2010), Quality management on Amazon Mechanical Turk, HCOMP.

    Examples
    --------
    >>> from irjudge.model.labels import make_labels
    >>> rows = [(f"d{item}", name, item % 2) for item in range(8) for name in ("ann", "bob")]
    >>> found = quality(make_labels([*rows, *((f"d{item}", "spam", 1) for item in range(8))]))
    >>> found.agreement.tolist(), found.bias.round(2).tolist(), found.same_as_before.tolist()
    ([0.75, 0.75, 0.5], [0.0, 0.0, 0.5], [0.0, 0.0, 1.0])
    """
    seconds, timed, too_fast = _times(labels)
    first = labels.first_showings()
    latest = first.latest()
    workers = len(labels.workers)
    gold, gold_right = met_gold(latest)
    share, majority = _others(latest)
    reference = _reference(latest, majority, gold)
    tables = _tables(latest, reference)
    fitted = dawid_skene(first, Fitting(progress=progress))
    costs = [answer_cost(fitted.prior, table) for table in fitted.tables]
    compared, bias, error, kappa = _compared(latest, tables)
    repeats, repeats_same = _repeats(labels)
    low, high = wilson(gold_right, gold)
    return Quality(
        workers=labels.workers,
        given=_count(labels.worker, workers),
        unjudgeable=_count(labels.worker[labels.label < 0], workers),
        gold=gold,
        gold_right=gold_right,
        accuracy=_divide(gold_right, gold),
        accuracy_low=low,
        accuracy_high=high,
        agreement=_mean_share(latest, share),
        compared=compared,
        bias=bias,
        error=error,
        kappa=kappa,
        tables=tables,
        cost=np.array([cost for cost, _ in costs]),
        quality=np.array([value for _, value in costs]),
        thirds=_thirds(latest, share),
        repeats=repeats,
        repeats_same=repeats_same,
        same_as_before=_streaks(labels),
        seconds=seconds,
        timed=timed,
        too_fast=too_fast,
    )


def answer_cost(prior: Floats, table: Floats, costs: Floats | None = None) -> tuple[float, float]:
    """Return the expected cost of a worker's answer, and the worker's quality.

    Parameters
    ----------
    prior
        Shape (K,): how frequent each grade is.
    table
        Shape (K, K): how likely the worker answers the column where the row is true.
    costs
        Shape (K, K): what taking the column for the row costs; None for 1 where they differ.

    Returns
    -------
    tuple of two floats
        The cost that is left when each answer is read as the grades it may stand for, and 1 - cost / cost of a spammer: 1 for a worker
        whose answers tell the grade, inverted or not; 0 for one whose answers tell nothing, and where there is one grade only.

    References
    ----------
    Ipeirotis, Provost and Wang (2010), Quality management on Amazon Mechanical Turk, HCOMP.

    Examples
    --------
    >>> cost, worth = answer_cost(np.array([.85, .15]), np.array([[.8, .2], [.2, .8]]))
    >>> round(cost, 6), round(worth, 6)
    (0.198154, 0.222924)
    """
    costs = 1.0 - np.eye(len(prior)) if costs is None else costs
    joint = prior[:, None] * table
    answers = joint.sum(axis=0)
    soft = np.divide(joint, answers, out=np.zeros_like(joint), where=answers > 0)
    cost = float((answers * np.einsum("kl,km,ml->l", soft, costs, soft)).sum())
    spammer = float(prior @ costs @ prior)
    return cost, 1 - cost / spammer if spammer > 0 else 0.0


def met_gold(latest: Labels) -> tuple[Longs, Longs]:
    """Return how many known answers each worker was asked for, and how many were met.

    `latest` has one label of each worker and item. Unjudgeable meets no answer.
    """
    workers = len(latest.workers)
    answer = latest.known_answers()
    known = answer >= 0
    return _count(latest.worker[known], workers), _count(
        latest.worker[known & (latest.label == answer)], workers
    )


def agreement_with_others(latest: Labels, *, excluded: Collection[str] = ()) -> Floats:
    """Return the mean over items of the share of the other workers who gave the same grade.

    Shape (W,), nan for a worker whose items nobody else graded. `latest` has one label of each
    worker and item; unjudgeable is no grade. An excluded worker is compared with those who count,
    and nobody is compared with an excluded one.

    >>> from irjudge.model.labels import make_labels
    >>> rows = [("d1", "ann", 1), ("d1", "bob", 1), ("d1", "cleo", 2), ("d2", "ann", 0)]
    >>> agreement_with_others(make_labels(rows)).tolist()
    [0.5, 0.5, 0.0]
    >>> agreement_with_others(make_labels(rows), excluded=["bob"]).tolist()
    [0.0, 0.5, 0.0]
    """
    return _mean_share(latest, _others(latest, excluded)[0])


def _mean_share(latest: Labels, share: Floats) -> Floats:
    return _mean(latest.worker, share, len(latest.workers))


def _others(latest: Labels, excluded: Collection[str] = ()) -> tuple[Floats, Ints]:
    """Return for each row which share of the item's other grades is the same, and the others' majority; nan and -1 without others."""
    graded = latest.label >= 0
    rows = np.arange(len(latest))[graded]
    counting = np.array([name not in excluded for name in latest.workers], bool)[latest.worker]
    counts = latest.where(counting).counts()[latest.item[rows]]
    own = np.arange(len(rows)), latest.label[rows]
    counts[own] -= counting[rows]
    others = counts.sum(axis=1)
    share, majority = np.full(len(latest), np.nan), np.full(len(latest), UNJUDGED, dtype=np.int32)
    share[rows] = _divide(counts[own], others)
    majority[rows] = np.where(others > 0, counts.argmax(axis=1), UNJUDGED)
    return share, majority


def _reference(latest: Labels, majority: Ints, gold: Longs) -> Ints:
    """Return what each row is compared with: known answers for workers with enough of them, else the others' majority; -1 for nothing."""
    if latest.gold is None:
        return majority
    return np.where(gold[latest.worker] >= ENOUGH_GOLD, latest.known_answers(), majority)


def _tables(latest: Labels, reference: Ints) -> Longs:
    workers, grades = len(latest.workers), len(latest.scale)
    used = (reference >= 0) & (latest.label >= 0)
    cells = (
        latest.worker[used].astype(np.int64) * grades + reference[used]
    ) * grades + latest.label[used]
    return np.bincount(cells, minlength=workers * grades * grades).reshape(workers, grades, grades)


def _compared(latest: Labels, tables: Longs) -> tuple[Longs, Floats, Floats, Floats]:
    """Return how many grades were compared with the reference, bias, mean distance, and quadratic kappa, from the tables."""
    grades = len(latest.scale)
    values = latest.values if latest.values is not None else np.arange(grades, dtype=np.float64)
    apart = values[None, :] - values[:, None]
    compared = tables.sum(axis=(1, 2))
    steps = (np.arange(grades)[None, :] - np.arange(grades)[:, None]) ** 2
    expected = np.einsum("wk,kl,wl->w", tables.sum(axis=2), steps, tables.sum(axis=1))
    observed = (tables * steps).sum(axis=(1, 2)) * compared
    kappa = 1 - _divide(observed, expected)
    return (
        compared,
        _divide((tables * apart).sum(axis=(1, 2)), compared),
        _divide((tables * abs(apart)).sum(axis=(1, 2)), compared),
        kappa,
    )


def _thirds(latest: Labels, share: Floats) -> Floats:
    """Return the mean share in each third of each worker's rows."""
    workers = len(latest.workers)
    order = np.argsort(latest.worker, kind="stable")
    size = np.bincount(latest.worker, minlength=workers)
    place = np.arange(len(order)) - np.repeat(np.cumsum(size) - size, size)
    third = place * THIRDS // np.maximum(np.repeat(size, size), 1)
    return _mean(latest.worker[order] * THIRDS + third, share[order], workers * THIRDS).reshape(
        workers, THIRDS
    )


def _repeats(labels: Labels) -> tuple[Longs, Longs]:
    """Return how many rows of each worker are of an item labelled before, and how many of these say what the one before said."""
    order = np.lexsort((np.arange(len(labels)), labels.item, labels.worker))
    item, worker, label = labels.item[order], labels.worker[order], labels.label[order]
    again = (item[1:] == item[:-1]) & (worker[1:] == worker[:-1])
    count = len(labels.workers)
    return _count(worker[1:][again], count), _count(
        worker[1:][again & (label[1:] == label[:-1])], count
    )


def _streaks(labels: Labels) -> Floats:
    order = np.argsort(labels.worker, kind="stable")
    worker, label = labels.worker[order], labels.label[order]
    beside = worker[1:] == worker[:-1]
    return _mean(
        worker[1:][beside],
        (label[1:] == label[:-1])[beside].astype(np.float64),
        len(labels.workers),
    )


def _times(labels: Labels) -> tuple[Floats, Longs, Longs]:
    """Return each worker's median time, labels with a time, and those too fast."""
    workers = len(labels.workers)
    seconds = labels.seconds if labels.seconds is not None else np.full(len(labels), np.nan)
    known = np.isfinite(seconds)
    medians = np.full(workers, np.nan)
    order = np.argsort(labels.worker[known], kind="stable")
    timed = _count(labels.worker[known], workers)
    for worker, times in enumerate(
        np.split(seconds[known][order], np.cumsum(timed)[:-1]) if workers else ()
    ):
        medians[worker] = np.median(times) if len(times) else np.nan
    return medians, timed, _count(labels.worker[unread(labels)], workers)


def _count(codes: Ints, size: int) -> Longs:
    return np.bincount(codes, minlength=size)


def _mean(codes: Ints, values: Floats, size: int) -> Floats:
    """Return the mean of the values of each code, nan left aside; nan without any."""
    known = np.isfinite(values)
    return _divide(
        np.bincount(codes[known], weights=values[known], minlength=size),
        np.bincount(codes[known], minlength=size),
    )


def _divide(part: Floats | Longs, whole: Floats | Longs) -> Floats:
    return np.divide(part, whole, out=np.full(np.shape(whole), np.nan), where=np.asarray(whole) > 0)
