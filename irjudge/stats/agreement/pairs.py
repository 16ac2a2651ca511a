"""What every two workers said of the items that both labelled, as tables of grade against grade."""

from dataclasses import dataclass

import numpy as np

from irjudge.message import Message
from irjudge.model.labels import Flags, Labels
from irjudge.progress import SILENT, Progress
from irjudge.stats.rankings import Floats, Longs

TOGETHER = 8_000_000  # label pairs held in memory before equal ones are counted


@dataclass(frozen=True, slots=True, eq=False)
class PairTables:
    """The tables of P pairs of workers, as the C cells that are not empty."""

    # shape (P,): codes of the workers, first below second
    first: Longs
    second: Longs
    items: Longs  # shape (P,): items that both labelled
    # shape (C,): the pair, the first's grade, the second's grade, and how many items have them
    pair: Longs
    row: Longs
    column: Longs
    count: Longs
    # shape (P, K): how often each of the two gave each grade
    first_grades: Longs
    second_grades: Longs
    label_pairs: (
        Longs | None
    )  # cell and item of each pair of labels, shape (R, 2), in any order; None where they were too many to keep
    workers: tuple[str, ...]  # names of all workers, W of them

    def __len__(self) -> int:
        return len(self.first)

    @property
    def grades(self) -> int:
        """K, the grades of the scale."""
        return int(self.first_grades.shape[1])

    def by_pair(self, values: Floats) -> Floats:
        """Return the sum of values of the cells, each times its count, for each pair: shape (P,)."""
        sums: Floats = np.bincount(
            self.pair, weights=values * self.count, minlength=len(self)
        ).astype(np.float64)
        return sums

    def chosen(self, relevant: Flags) -> tuple[Floats, Floats]:
        """Return how many items both, and how many either of a pair, called relevant: shape (P,) each."""
        row, column = relevant[self.row], relevant[self.column]
        return self.by_pair((row & column).astype(np.float64)), self.by_pair(
            (row | column).astype(np.float64)
        )


def pair_tables(labels: Labels, progress: Progress = SILENT) -> PairTables:
    """Return the tables of all pairs of workers that labelled an item both; the work grows with the square of the labels an item has.

    The last label of a worker for an item counts; those that say unjudgeable do not.

    >>> from irjudge.model.labels import make_labels
    >>> rows = [("d1", "ann", 0), ("d1", "bob", 1), ("d2", "ann", 1), ("d2", "bob", 1), ("d3", "bob", 0)]
    >>> found = pair_tables(make_labels(rows))
    >>> found.items.tolist(), found.row.tolist(), found.column.tolist(), found.count.tolist()
    ([2], [0, 1], [1, 1], [1, 1])
    """
    latest = labels.latest()
    graded = latest.where(latest.label >= 0)
    workers, grades = len(labels.workers), len(labels.scale)
    keys, count, rows = _counted(graded, workers, grades, progress)
    cell_pair, cell = np.divmod(keys, grades * grades)
    pairs, pair = np.unique(cell_pair, return_inverse=True)
    first, second = np.divmod(pairs, max(workers, 1))
    row, column = np.divmod(cell, grades)

    def given(grade: Longs) -> Longs:
        sums = np.bincount(pair * grades + grade, weights=count, minlength=len(pairs) * grades)
        return sums.astype(np.int64).reshape(len(pairs), grades)

    given_first = given(row)
    return PairTables(
        first,
        second,
        given_first.sum(axis=1),
        pair,
        row,
        column,
        count,
        given_first,
        given(column),
        _placed(keys, rows),
        labels.workers,
    )


def _counted(
    labels: Labels, workers: int, grades: int, progress: Progress
) -> tuple[Longs, Longs, Longs | None]:
    """Return the different cells as numbers, how many items each has, and (cell number, item) of every pair of labels."""
    order = np.lexsort((labels.worker, labels.item))
    item, worker, label = (
        each[order].astype(np.int64) for each in (labels.item, labels.worker, labels.label)
    )
    most = int(np.bincount(item).max(initial=0))
    held: list[Longs] = []
    kept: list[Longs] | None = []
    keys, count = np.empty(0, dtype=np.int64), np.empty(0, dtype=np.int64)
    for lag in range(1, most):
        progress.step(lag, most, Message("Comparing assessors"))
        one = np.flatnonzero(item[:-lag] == item[lag:])
        two = one + lag
        held.append(
            ((worker[one] * workers + worker[two]) * grades + label[one]) * grades + label[two]
        )
        if kept is not None:
            kept.append(np.stack((held[-1], item[one]), axis=1))
        if sum(map(len, held)) > TOGETHER:
            keys, count = _merged(keys, count, held)
            held, kept = [], None
    keys, count = _merged(keys, count, held)
    return (
        keys,
        count,
        None if kept is None else np.concatenate([np.empty((0, 2), dtype=np.int64), *kept]),
    )


def _merged(keys: Longs, count: Longs, more: list[Longs]) -> tuple[Longs, Longs]:
    """Return counted keys with some more of them counted in."""
    every = np.concatenate([keys, *more])
    times = np.concatenate([count, *(np.ones(len(each), dtype=np.int64) for each in more)])
    different, place = np.unique(every, return_inverse=True)
    return different, np.bincount(place, weights=times, minlength=len(different)).astype(np.int64)


def _placed(keys: Longs, rows: Longs | None) -> Longs | None:
    return (
        None if rows is None else np.stack((np.searchsorted(keys, rows[:, 0]), rows[:, 1]), axis=1)
    )
