"""Fuses runs into one: what pools by scores, as a ranking."""

from collections.abc import Sequence

import numpy as np

from irjudge.errors import IrjudgeError
from irjudge.model.arrow import places_of
from irjudge.model.order import Ties
from irjudge.model.ranking import Run
from irjudge.pooling.building import strategies
from irjudge.pooling.candidates import candidates_of
from irjudge.pooling.registry import SHIPPED, Strategy, StrategyDeclaration
from irjudge.progress import SILENT, Progress


def fusions() -> tuple[StrategyDeclaration, ...]:
    """Return the strategies that fuse runs: those that score whatever some run retrieved, and need no bound."""
    return tuple(each for each in strategies() if each.kind == "scores" and not each.needs)


def fusion(name: str) -> Strategy:
    """Return the way of fusing that a name means: `rrf`, `rrf(k=20)`.

    Raises
    ------
    IrjudgeError
        When the name is not known, or means a strategy that fuses nothing.
    """
    found = SHIPPED.parse(name)
    if found.declaration not in fusions():
        names = ", ".join(each.name for each in fusions())
        raise IrjudgeError("Strategy {given} gives no score to fuse runs by; these do: {names}.", given=found.declaration.name, names=names)
    return found


def fuse(runs: Sequence[Run], method: Strategy, name: str, *, depth: int = 1000, ties: Ties = "trec", progress: Progress = SILENT) -> Run:
    """Return one run made of several.

    Parameters
    ----------
    runs
        Two or more, whose topics and documents are compared by id.
    method
        What `fusion` returns.
    name
        Of the new run.
    depth
        Documents of each topic at most.
    ties
        The order of equal scores within a run.
    progress
        Told after each run.

    Returns
    -------
    Run
        Equal scores stand by best rank in any run, then by id ascending.

    Raises
    ------
    IrjudgeError
        When there are fewer than two runs, or two of one name.

    Examples
    --------
    >>> from irjudge.model.ranking import make_run
    >>> a = make_run("a", [("1", "d1", 2.0), ("1", "d2", 1.0)])
    >>> b = make_run("b", [("1", "d3", 9.0), ("1", "d2", 8.0)])
    >>> fuse([a, b], fusion("rrf"), "both").document.to_pylist()
    ['d2', 'd1', 'd3']
    """
    if len(runs) < 2:
        raise IrjudgeError("Fusing takes two runs or more, got {count}.", count=len(runs))
    found = candidates_of(runs, None, ties=ties, progress=progress)
    score = method.compute(found)
    order = np.lexsort((-score, found.topic))
    place = np.arange(len(order)) - found.starts[found.topic[order]]
    rows = order[place < depth]
    return Run(
        name=name,
        topics=found.topics,
        starts=np.searchsorted(found.topic[rows], np.arange(len(found.topics) + 1)),
        document=found.document.take(places_of(rows)),
        score=score[rows].astype(np.float64),
        rank=(place[place < depth] + 1).astype(np.int32),
        line=np.arange(1, len(rows) + 1, dtype=np.int32),
    )
