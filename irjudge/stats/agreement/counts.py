"""How often each grade was given to each item: all that agreement needs when it does not matter who said what."""

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from irjudge.message import Message
from irjudge.model.labels import Flags, Labels
from irjudge.stats.rankings import Floats, Longs
from irjudge.stats.sampling import Sampling
from irjudge.stats.seeded_random import Stream

SAMPLES = 1000
AT_ONCE = 4_000_000


@dataclass(frozen=True, slots=True, eq=False)
class Kinds:
    """The items with labels of two workers or more; those with the same counts are of one kind."""

    counts: Longs  # shape (U, K): the U different rows of counts, in ascending order
    times: Longs  # shape (U,): how many items are of each kind

    @property
    def items(self) -> int:
        """How many items there are."""
        return int(self.times.sum())

    @property
    def even(self) -> bool:
        """Whether all items have the same number of labels."""
        return bool(np.ptp(self.counts.sum(axis=1)) == 0) if len(self.counts) else True

    @property
    def pairs(self) -> int:
        """How many pairs of labels of one item there are."""
        labels = self.counts.sum(axis=1)
        return int((labels * (labels - 1) // 2 * self.times).sum())


@dataclass(frozen=True, slots=True, eq=False)
class Totals:
    """Sums over M samples of items; the items themselves are one sample."""

    items: Floats  # shape (M,): items
    # shape (M, K): the sum of the items' shares of pairs of labels that lie 0, 1, 2 … places apart on the scale
    apart: Floats
    labels: Floats  # shape (M, K): labels of each grade
    shares: Floats  # shape (M, K): the sum of the items' shares of labels of each grade
    coincidences: Floats  # shape (M, K, K): Krippendorff's matrix, Σ (ordered pairs of labels in an item)/(labels of the item - 1)
    # shape (M,): items that all, and that any, of their workers called relevant; zeros where labels are words
    all_relevant: Floats
    any_relevant: Floats


def kinds(labels: Labels) -> Kinds:
    """Return the kinds of items; the last label of a worker for an item counts, and those that say unjudgeable do not.

    >>> from irjudge.model.labels import make_labels
    >>> found = kinds(make_labels([("d1", "a", 0), ("d1", "b", 1), ("d2", "a", 1), ("d2", "b", 0), ("d3", "a", 1)]))
    >>> found.counts.tolist(), found.times.tolist()
    ([[1, 1]], [2])
    """
    counts = labels.latest().counts()
    return Kinds(*np.unique(counts[counts.sum(axis=1) > 1], axis=0, return_counts=True))


def totals(found: Kinds, relevant: Flags | None, weights: Floats | None = None) -> Totals:
    """Return the sums over samples of items of U kinds on K grades.

    `relevant`, shape (K,), says which grades are; None where labels are words. `weights`, shape (M, U), say how often each kind is in each
    sample; None takes the items as they are.
    """
    weights = found.times[None, :].astype(np.float64) if weights is None else weights
    size = found.counts.sum(axis=1)
    shares = found.counts / size[:, None]
    chosen = found.counts[:, relevant].sum(axis=1) if relevant is not None else np.zeros(len(size))
    return Totals(
        items=weights.sum(axis=1),
        apart=weights @ (_apart(found.counts) / (size * (size - 1))[:, None]),
        labels=weights @ found.counts,
        shares=weights @ shares,
        coincidences=_coincidences(found.counts, weights),
        all_relevant=weights @ (chosen == size),
        any_relevant=weights @ (chosen > 0),
    )


def _apart(counts: Longs) -> Longs:
    """Return how many ordered pairs of an item's labels lie so many places apart, shape (U, K)."""
    grades = counts.shape[1]
    pairs = [
        2 * (counts[:, places:] * counts[:, : grades - places]).sum(axis=1)
        for places in range(grades)
    ]
    pairs[0] = (counts * (counts - 1)).sum(axis=1)
    return np.stack(pairs, axis=1)


def _coincidences(counts: Longs, weights: Floats) -> Floats:
    grades = counts.shape[1]
    sums = np.zeros((len(weights), grades * grades))
    step = max(1, AT_ONCE // max(1, grades * grades))
    own = np.arange(grades)
    for begin in range(0, len(counts), step):
        part = counts[begin : begin + step].astype(np.float64)
        pairs = part[:, :, None] * part[:, None, :]
        pairs[:, own, own] -= part
        pairs /= part.sum(axis=1)[:, None, None] - 1
        sums += weights[:, begin : begin + step] @ pairs.reshape(len(part), -1)
    return sums.reshape(-1, grades, grades)


def drawn(found: Kinds, sampling: Sampling) -> Iterator[Floats]:
    """Yield weights, shape (some, U), of samples that draw as many items as there are, again and again.

    The same seed draws the same, in whatever order labels stood and whatever workers are called.
    """
    samples, items, stream = sampling.count(SAMPLES), found.items, Stream(sampling.seed)
    kind = np.repeat(np.arange(len(found.times)), found.times)
    step = max(1, AT_ONCE // max(items, len(kind), 1))
    for begin in range(0, samples, step):
        sampling.progress.step(begin, samples, Message("Drawing items"))
        rows = min(step, samples - begin)
        cells = kind[stream.draws(rows, items, items)] + np.arange(rows)[:, None] * len(found.times)
        yield (
            np.bincount(cells.reshape(-1), minlength=rows * len(found.times))
            .reshape(rows, -1)
            .astype(np.float64)
        )
    sampling.progress.step(samples, samples, Message("Drawing items"))
