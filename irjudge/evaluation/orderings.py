"""How alike the orders are in which two measures, or two qrels, put the same systems."""

from collections.abc import Iterator, Sequence
from dataclasses import astuple, dataclass, fields
from itertools import combinations

import numpy as np

from irjudge.errors import IrjudgeError
from irjudge.evaluation.table import Evaluation
from irjudge.formats.rankings.leaderboards import SystemScores
from irjudge.stats.correlation.registry import Statistic
from irjudge.stats.rankings import Floats, RankPair


@dataclass(frozen=True, slots=True, eq=False)
class SystemOrdering:
    """Systems with a value each: what orders them, its K systems, and shape (K,) values, higher is better."""

    name: str
    systems: tuple[str, ...]
    values: Floats


@dataclass(frozen=True, slots=True)
class OrderingPair:
    """Two orders of the same systems compared; for a statistic that is not symmetrical the first is the true one."""

    measure_a: str
    measure_b: str
    statistic: str
    systems: int
    value: float


COLUMNS = tuple(field.name for field in fields(OrderingPair))


def orderings(evaluation: Evaluation, source: str = "") -> tuple[SystemOrdering, ...]:
    """Return the order of the runs under each measure; `source` is put behind the measures' names, to tell qrels apart."""
    names = tuple(run.run for run in evaluation.runs)
    values = [np.array([run.summary[row] for run in evaluation.runs]) for row in range(len(evaluation.measures))]
    behind = f" [{source}]" if source else ""
    return tuple(SystemOrdering(measure.name + behind, names, each) for measure, each in zip(evaluation.measures, values, strict=True))


def compare_orderings(pairs: Sequence[tuple[SystemOrdering, SystemOrdering]], statistics: Sequence[Statistic]) -> Iterator[OrderingPair]:
    """Yield the value of each statistic for each pair of orders.

    Parameters
    ----------
    pairs
        Over systems of the same names; those that one of the two lacks are left out, which `systems` of the result tells. Systems
        whose values differ by rounding alone are tied.
    statistics
        At least one.

    Raises
    ------
    IrjudgeError
        When two orders share fewer than two systems.
    """
    for first, second in pairs:
        place = {name: at for at, name in enumerate(second.systems)}
        shared = [(at, place[name]) for at, name in enumerate(first.systems) if name in place]
        if len(shared) < 2:
            raise IrjudgeError(
                "An order takes two systems or more; {first} and {second} share {shared}.",
                first=first.name,
                second=second.name,
                shared=len(shared),
            )
        one, two = (list(each) for each in zip(*shared, strict=True))
        pair = RankPair.of_scores(first.values[one], second.values[two])
        for statistic in statistics:
            yield OrderingPair(first.name, second.name, statistic.name, len(shared), statistic.compute(pair))


def measure_pairs(evaluation: Evaluation) -> list[tuple[SystemOrdering, SystemOrdering]]:
    """Return every two measures of one evaluation, in the order given."""
    return list(combinations(orderings(evaluation), 2))


def qrels_pairs(first: Evaluation, second: Evaluation, names: tuple[str, str]) -> list[tuple[SystemOrdering, SystemOrdering]]:
    """Return each measure under both qrels, these called by `names`; the evaluations have the same measures."""
    return list(zip(orderings(first, names[0]), orderings(second, names[1]), strict=True))


def board_pairs(boards: Sequence[SystemScores]) -> list[tuple[SystemOrdering, SystemOrdering]]:
    """Return every two measures of one leaderboard; of several, each measure of the first with each of the others."""
    orders = [_of_board(board, apart=len(boards) > 1) for board in boards]
    if len(orders) == 1:
        return list(combinations(orders[0], 2))
    return [(true, other) for true in orders[0] for board in orders[1:] for other in board]


def _of_board(board: SystemScores, *, apart: bool) -> list[SystemOrdering]:
    behind = f" [{board.name}]" if apart else ""
    return [SystemOrdering(measure + behind, tuple(values), np.array(list(values.values()))) for measure, values in board.values.items()]


def matrix(evaluation: Evaluation, statistic: Statistic) -> Floats:
    """Return the statistic of every measure with every other, shape (M, M).

    The true order is the row's, where that matters.
    """
    orders = orderings(evaluation)
    return np.array([[statistic.compute(RankPair.of_scores(a.values, b.values)) for b in orders] for a in orders])


def rows(pairs: Sequence[OrderingPair]) -> Iterator[tuple[str | int | float, ...]]:
    """Yield a row of `COLUMNS` for each pair."""
    yield from (astuple(pair) for pair in pairs)
