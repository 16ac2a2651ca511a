"""Per-topic differences of two systems: wins, improvement and effect size."""

import math
from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np

from irjudge.errors import IrjudgeError
from irjudge.stats.rankings import SAME, Floats, Longs


@dataclass(frozen=True, slots=True, eq=False)
class Differences:
    """The scores of two systems on the same n topics.

    >>> found = Differences(np.array([.5, .2, .9, .1]), np.array([.4, .2, .5, .3]))
    >>> (found.wins, found.ties, found.losses), round(found.mean, 4), round(found.relative, 4)
    ((2, 1, 1), 0.075, 0.2143)
    """

    # shape (n,)
    first: Floats
    second: Floats
    # first less second, shape (n,), without rounding: equal ones are exactly equal, and those of equal scores exactly 0
    values: Floats = field(init=False)

    def __post_init__(self) -> None:
        if self.first.shape != self.second.shape or self.first.ndim != 1:
            raise IrjudgeError(
                "Two systems are compared on the same topics, got {first} and {second} scores.",
                first=self.first.size,
                second=self.second.size,
            )
        if not (np.isfinite(self.first).all() and np.isfinite(self.second).all()):
            raise IrjudgeError("A score is not a finite number, so the systems cannot be compared.")
        object.__setattr__(
            self, "values", exact_differences(self.first[None], self.second[None])[0]
        )

    def __len__(self) -> int:
        return len(self.first)

    @property
    def mean(self) -> float:
        """The mean difference; 0 without topics."""
        return mean(self.values)

    @property
    def relative(self) -> float | None:
        """The improvement of the mean as a share of the second system's mean; None where that is 0."""
        base = mean(self.second)
        return (mean(self.first) - base) / abs(base) if abs(base) > 0 else None

    @property
    def wins(self) -> int:
        """Topics on which the first system is better."""
        return int((self.values > 0).sum())

    @property
    def ties(self) -> int:
        """Topics on which both are equal."""
        return int((self.values == 0).sum())

    @property
    def losses(self) -> int:
        """Topics on which the first system is worse."""
        return int((self.values < 0).sum())

    @property
    def deviation(self) -> float:
        """The standard deviation of the differences, see `deviation`."""
        return deviation(self.values)

    @property
    def effect(self) -> float | None:
        """Mean difference over the standard deviation of the differences, see `standardised`."""
        return standardised(self.values)

    @property
    def superiority(self) -> float:
        """The share of topics won, ties counting half: .5 where neither is better, and without topics."""
        return (self.wins + self.ties / 2) / len(self) if len(self) else 0.5


def exact_differences(first: Floats, second: Floats) -> Floats:
    """Return first less second, shape (P, n), a row for each pair of systems, freed from rounding.

    In a row, sizes that differ by less than 1e-12 of the largest score are made equal, and sizes below that are 0: .30 - .25 and .55 - .50
    are the same difference, which tests on ranks must see.

    >>> exact_differences(np.array([[.30, .55, .7]]), np.array([[.25, .50, .7]])).tolist()
    [[0.04999999999999999, 0.04999999999999999, 0.0]]
    """
    raw = first - second
    if raw.shape[1] == 0:
        return raw
    near = SAME * np.maximum(np.abs(first), np.abs(second)).max(axis=1, keepdims=True)
    size = np.where(np.abs(raw) <= near, 0.0, np.abs(raw))
    order = np.argsort(size, axis=1, kind="stable")
    rising = np.take_along_axis(size, order, axis=1)
    new = np.concatenate(
        (np.ones((len(raw), 1), dtype=bool), np.diff(rising, axis=1) > near), axis=1
    )
    leader = np.maximum.accumulate(np.where(new, np.arange(raw.shape[1]), 0), axis=1)
    np.put_along_axis(size, order, np.take_along_axis(rising, leader, axis=1), axis=1)
    return np.copysign(size, raw) + 0.0


def mean(values: Floats) -> float:
    """Return the mean, 0 of nothing; values are added exactly, so that their order does not matter."""
    return math.fsum(values.tolist()) / len(values) if len(values) else 0.0


def deviation(values: Floats) -> float:
    """Return the standard deviation with n - 1 below; 0 of fewer than two values and of equal ones.

    >>> deviation(np.array([.1, .1, .1])), deviation(np.array([1.0, 2.0, 3.0]))
    (0.0, 1.0)
    """
    if len(values) < 2 or (values == values[0]).all():
        return 0.0
    centre = mean(values)
    return math.sqrt(math.fsum(((values - centre) ** 2).tolist()) / (len(values) - 1))


def standardised(values: Floats) -> float | None:
    """Return the paired effect size d: the mean of the differences over their standard deviation.

    Parameters
    ----------
    values
        Shape (n,): differences.

    Returns
    -------
    float or None
        0 where the mean is 0; None where all differences are the same and not 0, or there is one only, since it has no deviation.

    References
    ----------
    Cohen (1988), Statistical power analysis for the behavioral sciences, ch. 2: d_z.

    Examples
    --------
    >>> standardised(np.array([1.0, 2.0, 3.0])), standardised(np.zeros(3)), standardised(np.ones(3))
    (2.0, 0.0, None)
    """
    centre, spread = mean(values), deviation(values)
    if centre == 0:
        return 0.0
    return centre / spread if spread > 0 else None


def all_pairs(systems: int, baseline: int | Sequence[int] | None = None) -> Longs:
    """Return the pairs to compare, shape (P, 2): every two systems, or each other one with each baseline, no two of them twice.

    >>> all_pairs(3).tolist(), all_pairs(3, baseline=0).tolist(), all_pairs(3, baseline=[0, 2]).tolist()
    ([[0, 1], [0, 2], [1, 2]], [[1, 0], [2, 0]], [[1, 0], [2, 0], [1, 2]])
    """
    if baseline is not None:
        ends = [baseline] if isinstance(baseline, int) else [*baseline]
        found = [
            (each, end)
            for at, end in enumerate(ends)
            for each in range(systems)
            if each not in ends[: at + 1]
        ]
        return np.array(found, dtype=np.int64).reshape(-1, 2)
    return np.stack(np.triu_indices(systems, 1), axis=1).astype(np.int64)
