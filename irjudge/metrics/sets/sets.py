"""Set measures: the retrieved documents as a set, their order ignored."""

import math
from typing import Annotated, TypeAlias

import numpy as np

from irjudge.errors import MeasureError
from irjudge.message import Message
from irjudge.metrics.basis.judged import JudgedRun, Scores, divide
from irjudge.metrics.basis.working import (
    Board,
    Working,
    counted,
    divided,
    explains,
    is_relevant,
    looked_at,
    number,
    relevance,
    relevant_step,
)
from irjudge.metrics.naming.parameters import Range, Rel, SetCutoff, show
from irjudge.metrics.naming.registry import Alias, Exemption, Pooled, measure
from irjudge.metrics.sets.counts import number_relevant_retrieved

Beta: TypeAlias = Annotated[
    float,
    Range(0, 1e6),
    "0 gives precision, large values recall: recall weighs beta² times as much as precision.",
]
Alpha: TypeAlias = Annotated[
    float | None,
    Range(0, 1),
    "The weight of precision, instead of `beta`; alpha = 1 / (1 + beta²).",
]
Weight: TypeAlias = Annotated[float, Range(-1e9, 1e9)]
Universe: TypeAlias = Annotated[int | None, Range(0)]
LONGER = Exemption("tail", "a longer list is less precise")


def _found_relevant_retrieved(
    judged: JudgedRun, *, rel: int, cutoff: int | None = None, **_: float
) -> tuple[Scores, Scores, Scores]:
    """Return relevant retrieved, relevant, and retrieved documents of each topic."""
    found = number_relevant_retrieved(judged, rel=rel, cutoff=cutoff)
    return found, judged.n_relevant(rel).astype(np.float64), judged.depth(cutoff).astype(np.float64)


def _found_of_retrieved(
    judged: JudgedRun, *, rel: int, cutoff: int | None
) -> tuple[Scores, Scores]:
    found, _, retrieved = _found_relevant_retrieved(judged, rel=rel, cutoff=cutoff)
    return found, retrieved


def _found_of_relevant(judged: JudgedRun, *, rel: int, cutoff: int | None) -> tuple[Scores, Scores]:
    found, relevant, _ = _found_relevant_retrieved(judged, rel=rel, cutoff=cutoff)
    return found, relevant


def _found_of_possible(judged: JudgedRun, *, rel: int, cutoff: int | None) -> tuple[Scores, Scores]:
    found, relevant, retrieved = _found_relevant_retrieved(judged, rel=rel, cutoff=cutoff)
    return found, np.minimum(relevant, retrieved)


def precision_weight(beta: float, alpha: float | None) -> float:
    """Return how much precision weighs against recall, between 0 and 1: alpha, or 1 / (1 + beta²) where it is not given.

    MeasureError when both are given.

    >>> precision_weight(1.0, None), precision_weight(1.0, 0.2)
    (0.5, 0.2)
    """
    if alpha is None:
        return 1 / (1 + beta**2)
    if beta != 1:
        raise MeasureError(
            "Give beta or alpha = 1 / (1 + beta²), not both: got beta={beta:g} and "
            "alpha={alpha:g}.",
            beta=beta,
            alpha=alpha,
        )
    return alpha


def _weighted(
    judged: JudgedRun, *, rel: int, beta: float, alpha: float | None, cutoff: int | None
) -> tuple[Scores, Scores]:
    found, relevant, retrieved = _found_relevant_retrieved(judged, rel=rel, cutoff=cutoff)
    if alpha is None:
        return (1 + beta**2) * found, beta**2 * relevant + retrieved
    weight = precision_weight(beta, alpha)
    return found, weight * retrieved + (1 - weight) * relevant


def _product(found: Scores, relevant: Scores, retrieved: Scores) -> Scores:
    return divide(found * found, relevant * retrieved)


@measure(
    "SetP",
    title="Set precision",
    formula="relevant retrieved / retrieved",
    kind="set",
    micro=Pooled(_found_of_retrieved),
    aliases=("set_P",),
    exemptions=(LONGER,),
    condensed=True,
)
def set_precision(judged: JudgedRun, *, rel: Rel = 1, cutoff: SetCutoff = None) -> Scores:
    """Return which share of the retrieved documents is relevant.

    Parameters
    ----------
    cutoff
        The top `cutoff` documents are the set; None takes the whole list. Divided by the size of the set, unlike P@k.

    Returns
    -------
    Scores
        Shape (T,); 0 where nothing was retrieved.

    Notes
    -----
    Unjudged documents are not relevant. Ties matter at the cutoff alone.

    Examples
    --------
    >>> set_precision(JudgedRun.single(ranked=[1, None, 0, 2]))
    array([0.5])
    """
    return divide(*_found_of_retrieved(judged, rel=rel, cutoff=cutoff))


@explains("SetP")
def set_precision_working(board: Board, *, rel: int, cutoff: int | None) -> Working:
    """Relevant among the retrieved."""
    total, found = counted(board, cutoff, "found", lambda grade: is_relevant(grade, rel))
    step, value = divided(
        Message("P = relevant retrieved / retrieved"),
        total,
        len(board.top(cutoff)),
        Message("the number retrieved"),
    )
    return Working(
        (relevance(rel), looked_at(board, cutoff), step),
        value,
        found.columns,
        found.rows,
        found.hits,
    )


@measure(
    "SetR",
    title="Set recall",
    formula="relevant retrieved / relevant",
    kind="set",
    micro=Pooled(_found_of_relevant),
    aliases=("set_R", "set_recall"),
)
def set_recall(judged: JudgedRun, *, rel: Rel = 1, cutoff: SetCutoff = None) -> Scores:
    """Return which share of the relevant documents was retrieved.

    Returns
    -------
    Scores
        Shape (T,); 0 where a topic has no relevant document.

    Notes
    -----
    Unjudged documents are not relevant. Ties matter at the cutoff alone.

    Examples
    --------
    >>> set_recall(JudgedRun.single(ranked=[1, None, 0, 2], judged=[1, 1, 2, 2]))
    array([0.5])
    """
    return divide(*_found_of_relevant(judged, rel=rel, cutoff=cutoff))


@explains("SetR")
def set_recall_working(board: Board, *, rel: int, cutoff: int | None) -> Working:
    """Retrieved among the relevant."""
    total, found = counted(board, cutoff, "found", lambda grade: is_relevant(grade, rel))
    step, value = divided(
        Message("R = relevant retrieved / relevant"),
        total,
        board.relevant(rel),
        Message("the number of relevant documents"),
    )
    steps = (relevance(rel), looked_at(board, cutoff), relevant_step(board, rel, ""), step)
    return Working(steps, value, found.columns, found.rows, found.hits)


@measure(
    "SetF",
    title="F measure",
    formula="(1 + beta²)·P·R / (beta²·P + R), with set precision P and set recall R; alpha = 1 / (1 + beta²)",
    kind="set",
    micro=Pooled(_weighted),
    # trec_eval's set_F.x takes x = beta².
    aliases=(Alias("set_F", suffix="beta", convert=math.sqrt),),
    exemptions=(LONGER,),
    condensed=True,
)
def set_f(
    judged: JudgedRun,
    *,
    rel: Rel = 1,
    beta: Beta = 1.0,
    alpha: Alpha = None,
    cutoff: SetCutoff = None,
) -> Scores:
    """Return the weighted harmonic mean of set precision and set recall.

    Returns
    -------
    Scores
        Shape (T,); 0 where no relevant document was retrieved.

    Notes
    -----
    Computed from precision and recall as trec_eval does, to the last digit: 13 relevant of 25 retrieved and 39 relevant documents is
    0.40625000000000006 and so printed as 0.4063, though 26/64 is exactly 0.40625. With alpha, and pooled over topics, from counts.

    References
    ----------
    van Rijsbergen (1979), Information Retrieval, 2nd ed., Butterworths, ch. 7.

    Examples
    --------
    >>> set_f(JudgedRun.single(ranked=[1, 0], judged=[1, 1, 1])).round(4)
    array([0.4])
    """
    if alpha is not None:
        return divide(*_weighted(judged, rel=rel, beta=beta, alpha=alpha, cutoff=cutoff))
    found, relevant, retrieved = _found_relevant_retrieved(judged, rel=rel, cutoff=cutoff)
    precision, recall, weight = divide(found, retrieved), divide(found, relevant), beta**2
    return divide((weight + 1) * precision * recall, weight * precision + recall)


@explains("SetF")
def set_f_working(
    board: Board, *, rel: int, beta: float, alpha: float | None, cutoff: int | None
) -> Working:
    """The weighted harmonic mean of set precision and set recall."""
    return harmonic(board, rel, cutoff, len(board.top(cutoff)), beta=beta, alpha=alpha)


@measure(
    "SetRelP",
    title="Relative set precision",
    formula="relevant retrieved / min(n, R), the most that n retrieved documents could have",
    kind="set",
    micro=Pooled(_found_of_possible),
    aliases=("set_relative_P",),
    exemptions=(LONGER,),
    condensed=True,
)
def set_relative_precision(judged: JudgedRun, *, rel: Rel = 1, cutoff: SetCutoff = None) -> Scores:
    """Return set precision as a share of the highest that a set of its size could have.

    Returns
    -------
    Scores
        Shape (T,); 0 where nothing was retrieved or nothing is relevant; trec_eval prints nan for the latter.

    Notes
    -----
    Unjudged documents are not relevant. A list shorter than k is compared with a perfect list of its own length, unlike in RelP@k.

    Examples
    --------
    >>> set_relative_precision(JudgedRun.single(ranked=[1, 0, 1], judged=[1, 1, 1, 1])).round(4)
    array([0.6667])
    """
    return divide(*_found_of_possible(judged, rel=rel, cutoff=cutoff))


@measure(
    "SetAP",
    title="Set average precision",
    formula="P·R, with set precision P and set recall R",
    kind="set",
    micro=Pooled(_found_relevant_retrieved, _product),
    aliases=("set_map",),
    exemptions=(LONGER,),
    condensed=True,
)
def set_average_precision(judged: JudgedRun, *, rel: Rel = 1, cutoff: SetCutoff = None) -> Scores:
    """Return the average precision of a set: every relevant document in it is found at the set's precision.

    Returns
    -------
    Scores
        Shape (T,); 0 where nothing was retrieved or nothing is relevant.

    Notes
    -----
    Relevant documents outside the set count with 0. Unjudged documents are not relevant.

    Examples
    --------
    >>> set_average_precision(JudgedRun.single(ranked=[1, 0], judged=[1, 1]))
    array([0.25])
    """
    return _product(*_found_relevant_retrieved(judged, rel=rel, cutoff=cutoff))


@measure(
    "Utility",
    title="Linear utility",
    formula="a·TP + b·FP + c·FN + d·TN: relevant retrieved, others retrieved, relevant missed, all others of the universe",
    bounds=(-math.inf, math.inf),
    kind="set",
    # trec_eval's utility.2,-1,0,0 gives the four weights.
    aliases=(Alias("Utility", suffix=("a", "b", "c", "d")),),
    exemptions=(Exemption("tail", "every document retrieved has its weight"),),
)
def utility(
    judged: JudgedRun,
    *,
    rel: Rel = 1,
    a: Weight = 1.0,
    b: Weight = -1.0,
    c: Weight = 0.0,
    d: Weight = 0.0,
    universe: Universe = None,
) -> Scores:
    """Return what a set is worth when each document has a weight by whether it is relevant and whether it was retrieved.

    Parameters
    ----------
    a, b
        Weights of a relevant and of another retrieved document.
    c, d
        Weights of a relevant and of another document that was not retrieved.
    universe
        The number of documents in the collection; needed where `d` is not 0, which only it makes countable.

    Returns
    -------
    Scores
        Shape (T,), any number; c·R where nothing was retrieved and d is 0.

    Notes
    -----
    Unjudged documents are not relevant. The run's value is the mean over the topics, as in trec_eval.

    Raises
    ------
    MeasureError
        Where `d` is not 0 and `universe` is not given, or is smaller than what was retrieved or is relevant.

    Examples
    --------
    >>> utility(JudgedRun.single(ranked=[1, 0, 0], judged=[1, 1]), a=2.0)
    array([0.])
    """
    found, relevant, retrieved = _found_relevant_retrieved(judged, rel=rel)
    worth = a * found + b * (retrieved - found) + c * (relevant - found)
    if d == 0:
        return worth
    if universe is None:
        raise MeasureError(
            "Utility with d counts documents of the collection; say how many it has, for example Utility(d=0.1,universe=1400)."
        )
    rest = universe - (retrieved + relevant - found)
    if (rest < 0).any():
        raise MeasureError(
            "Utility: universe={universe} is less than the {documents} documents retrieved or "
            "relevant.",
            universe=universe,
            documents=int(universe - rest.min()),
        )
    return worth + d * rest


def harmonic(
    board: Board,
    rel: int,
    cutoff: int | None,
    size: int,
    *,
    beta: float,
    alpha: float | None = None,
) -> Working:
    """Return the working of F, where precision is divided by `size`."""
    total, found = counted(board, cutoff, "found", lambda grade: is_relevant(grade, rel))
    first, precision = divided("P", total, size, Message("the number looked at"))
    second, recall = divided(
        "R", total, board.relevant(rel), Message("the number of relevant documents")
    )
    if alpha is None:
        weight = beta * beta
        formula, above, below = (
            f"(1 + {show(beta)}²)·P·R / ({show(beta)}²·P + R)",
            (1 + weight) * precision * recall,
            weight * precision + recall,
        )
    else:
        formula, above = f"P·R / ({show(alpha)}·R + {show(1 - alpha)}·P)", precision * recall
        below = alpha * recall + (1 - alpha) * precision
    value = above / below if below else 0.0
    last = (
        f"F = {formula} = {number(above)} / {number(below)} = {number(value)}"
        if below
        else Message("F = {formula} = 0, since P and R are 0", formula=formula)
    )
    steps = (
        relevance(rel),
        looked_at(board, cutoff),
        relevant_step(board, rel, ""),
        first,
        second,
        last,
    )
    return Working(steps, value, found.columns, found.rows, found.hits)
