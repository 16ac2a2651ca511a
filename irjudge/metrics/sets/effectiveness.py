"""Precision and recall in one number: F and E at a rank, the break-even point, and the mean that F is better than."""

from dataclasses import replace

import numpy as np

from irjudge.errors import MeasureError
from irjudge.metrics.basis.bounds import Interval, Unsettled, bounded
from irjudge.metrics.basis.judged import JudgedRun, Scores, divide
from irjudge.metrics.basis.working import Board, Working, explains, number
from irjudge.metrics.naming.parameters import Cutoff, Rel, SetCutoff
from irjudge.metrics.naming.registry import Exemption, Pooled, measure
from irjudge.metrics.sets.confusion import Universe, non_relevant
from irjudge.metrics.sets.counts import number_relevant_retrieved
from irjudge.metrics.sets.sets import (
    Alpha,
    Beta,
    harmonic,
    precision_weight,
    set_precision,
    set_recall,
)


@measure(
    "APmin",
    title="Lowest possible average precision",
    better="neither",
    formula="(1/R) Σ over i = 1 … R of i / (i + N): all N documents that are not relevant are ranked above the R relevant ones",
)
def lowest_average_precision(judged: JudgedRun, *, rel: Rel = 1, universe: Universe) -> Scores:
    """Return the average precision of the worst ranking that has every document.

    Parameters
    ----------
    universe
        The documents ranked: `judged`, `collection`, or how many there are.

    Returns
    -------
    Scores
        Shape (T,); 0 where a topic has no relevant document, 1 where every document is relevant.

    Raises
    ------
    MeasureError
        When `universe` is `collection` and its size is not known, or it is less than the relevant documents.

    Notes
    -----
    The run does not matter, only the qrels do. Documents that the qrels do not name are not relevant;
    with universe=judged they do not count.

    References
    ----------
    Boyd, Costa, Davis and Page (2012), Unachievable region in precision-recall space and its effect on empirical evaluation, ICML.

    Examples
    --------
    >>> lowest_average_precision(JudgedRun.single(ranked=[], judged=[1, 1, 0, 0]), universe="judged").round(4)
    array([0.4167])
    """
    others = non_relevant(judged, rel, universe)
    if (others < 0).any():
        raise MeasureError(
            "universe={universe} is less than the {max:,} documents that are relevant.",
            universe=universe,
            max=int(judged.n_relevant(rel).max()),
        )
    relevant = judged.judged_grades >= rel
    # Grades descend within a topic, so that the relevant documents have the places 1 to R.
    topic, place = judged.judged_topic[relevant], judged.judged_place[relevant]
    return divide(
        judged.sum_by_topic(topic, place / (place + others[topic])),
        judged.n_relevant(rel).astype(np.float64),
    )


LONGER = Exemption("tail", "a longer list is less precise")


def _weighted(
    judged: JudgedRun,
    rel: int,
    beta: float,
    alpha: float | None,
    retrieved: Scores,
    cutoff: int | None,
) -> tuple[Scores, Scores]:
    weight = precision_weight(beta, alpha)
    found = number_relevant_retrieved(judged, rel=rel, cutoff=cutoff)
    # P·R / (alpha·R + (1 − alpha)·P), with P = found / retrieved and R = found / relevant.
    return found, weight * retrieved + (1 - weight) * judged.n_relevant(rel)


def _f_of_cutoff(
    judged: JudgedRun, *, rel: int, beta: float, alpha: float | None, cutoff: int
) -> tuple[Scores, Scores]:
    return _weighted(judged, rel, beta, alpha, np.full(len(judged), float(cutoff)), cutoff)


def _f_of_set(
    judged: JudgedRun, *, rel: int, beta: float, alpha: float | None, cutoff: int | None
) -> tuple[Scores, Scores]:
    return _weighted(judged, rel, beta, alpha, judged.depth(cutoff).astype(np.float64), cutoff)


def _f_bounds(
    run: Unsettled, rel: int, weight: float, size: Scores, cutoff: int | None
) -> Interval:
    """Lowest where only what is not among the documents looked at turns out relevant; highest where only what is there does.

    `weight` is that of precision; `size`, shape (T,), is what precision is divided by.
    """
    run = run.upto(cutoff, rel)
    found = run.judged.count_by_topic(run.judged.relevant_hits(rel, cutoff).topic)
    relevant, more = run.judged.n_relevant(rel), run.judged.count_by_topic(run.topic)
    share = 1 - weight
    missed = (
        run.outside * share if share else np.zeros(len(size))
    )  # the open world misses any number
    below = weight * size + share * relevant
    return Interval(divide(found, below + missed), divide(found + more, below + share * more))


@bounded("F")
def f_at_rank_bounds(
    run: Unsettled, *, rel: int, beta: float, alpha: float | None, cutoff: int
) -> Interval:
    """See `_f_bounds`."""
    return _f_bounds(
        run, rel, precision_weight(beta, alpha), np.full(len(run.judged), float(cutoff)), cutoff
    )


@bounded("SetF")
def set_f_bounds(
    run: Unsettled, *, rel: int, beta: float, alpha: float | None, cutoff: int | None
) -> Interval:
    """See `_f_bounds`."""
    return _f_bounds(
        run, rel, precision_weight(beta, alpha), run.judged.depth(cutoff).astype(np.float64), cutoff
    )


@bounded("E")
def e_at_rank_bounds(
    run: Unsettled, *, rel: int, beta: float, alpha: float | None, cutoff: int
) -> Interval:
    """Those of F, the other way round."""
    found = f_at_rank_bounds(run, rel=rel, beta=beta, alpha=alpha, cutoff=cutoff)
    return Interval(1 - found.high, 1 - found.low)


@bounded("SetE")
def set_e_bounds(
    run: Unsettled, *, rel: int, beta: float, alpha: float | None, cutoff: int | None
) -> Interval:
    """Those of SetF, the other way round."""
    found = set_f_bounds(run, rel=rel, beta=beta, alpha=alpha, cutoff=cutoff)
    return Interval(1 - found.high, 1 - found.low)


def _one_minus(above: Scores, below: Scores) -> Scores:
    return 1 - divide(above, below)


@measure(
    "SetE",
    title="E measure",
    better="lower",
    formula="1 − SetF = 1 − (1 + beta²)·P·R / (beta²·P + R), with set precision P and set recall R; alpha = 1 / (1 + beta²)",
    kind="set",
    micro=Pooled(_f_of_set, _one_minus),
    exemptions=(LONGER,),
)
def set_e(
    judged: JudgedRun,
    *,
    rel: Rel = 1,
    beta: Beta = 1.0,
    alpha: Alpha = None,
    cutoff: SetCutoff = None,
) -> Scores:
    """Return how far a set is from perfect effectiveness; low values are good.

    Parameters
    ----------
    beta
        0 gives 1 − precision, large values 1 − recall: recall weighs beta² times as much as precision.

    Returns
    -------
    Scores
        Shape (T,); 1 where no relevant document was retrieved.

    Notes
    -----
    Unjudged documents are not relevant. Some courses say that b > 1 favours precision; by its limits it favours recall.

    References
    ----------
    van Rijsbergen (1979), Information Retrieval, 2nd ed., Butterworths, ch. 7.

    Examples
    --------
    >>> set_e(JudgedRun.single(ranked=[1, 0], judged=[1, 1, 1])).round(4)
    array([0.6])
    """
    return _one_minus(*_f_of_set(judged, rel=rel, beta=beta, alpha=alpha, cutoff=cutoff))


@explains("SetE")
def set_e_working(
    board: Board, *, rel: int, beta: float, alpha: float | None, cutoff: int | None
) -> Working:
    """One minus the weighted harmonic mean of set precision and set recall."""
    return one_minus(harmonic(board, rel, cutoff, len(board.top(cutoff)), beta=beta, alpha=alpha))


@measure(
    "SetMeanPR",
    title="Arithmetic mean of precision and recall",
    formula="(P + R) / 2, with set precision P and set recall R",
    kind="set",
    exemptions=(LONGER,),
)
def set_mean(judged: JudgedRun, *, rel: Rel = 1, cutoff: SetCutoff = None) -> Scores:
    """Return the plain mean of set precision and set recall, which shows why F takes the harmonic one.

    Returns
    -------
    Scores
        Shape (T,); 0 where no relevant document was retrieved.

    Notes
    -----
    Who retrieves everything gets at least a half. Unjudged documents are not relevant.

    Examples
    --------
    >>> set_mean(JudgedRun.single(ranked=[1, 0, 0, 0], judged=[1]))
    array([0.625])
    """
    return (
        set_precision(judged, rel=rel, cutoff=cutoff) + set_recall(judged, rel=rel, cutoff=cutoff)
    ) / 2


@measure(
    "F",
    title="F measure at a rank",
    formula="(1 + beta²)·P·R / (beta²·P + R), with P = P@k and R = R@k; alpha = 1 / (1 + beta²)",
    micro=Pooled(_f_of_cutoff),
    aliases=("f1",),
    top_heavy=True,
)
def f_at_rank(
    judged: JudgedRun, *, rel: Rel = 1, beta: Beta = 1.0, alpha: Alpha = None, cutoff: Cutoff
) -> Scores:
    """Return the weighted harmonic mean of precision and recall in the top k.

    Returns
    -------
    Scores
        Shape (T,); 0 where the top k has no relevant document.

    Notes
    -----
    Precision is divided by k even where fewer documents were retrieved; SetF@k divides by what was retrieved. Unjudged documents
    are not relevant.

    References
    ----------
    van Rijsbergen (1979), Information Retrieval, 2nd ed., Butterworths, ch. 7.

    Examples
    --------
    >>> f_at_rank(JudgedRun.single(ranked=[1, 0], judged=[1, 1, 1]), cutoff=2).round(4)
    array([0.4])
    """
    return divide(*_f_of_cutoff(judged, rel=rel, beta=beta, alpha=alpha, cutoff=cutoff))


@explains("F")
def f_at_rank_working(
    board: Board, *, rel: int, beta: float, alpha: float | None, cutoff: int
) -> Working:
    """The weighted harmonic mean of P@k and R@k."""
    return harmonic(board, rel, cutoff, cutoff, beta=beta, alpha=alpha)


@measure(
    "E",
    title="E measure at a rank",
    better="lower",
    formula="1 − F@k = 1 − (1 + beta²)·P·R / (beta²·P + R), with P = P@k and R = R@k; alpha = 1 / (1 + beta²)",
    micro=Pooled(_f_of_cutoff, _one_minus),
)
def e_at_rank(
    judged: JudgedRun, *, rel: Rel = 1, beta: Beta = 1.0, alpha: Alpha = None, cutoff: Cutoff
) -> Scores:
    """Return how far the top k is from perfect effectiveness; low values are good.

    Parameters
    ----------
    beta
        0 gives 1 − precision, large values 1 − recall; courses call it b.

    Returns
    -------
    Scores
        Shape (T,); 1 where the top k has no relevant document.

    Notes
    -----
    Unjudged documents are not relevant. Some courses say that b > 1 favours precision; by its limits it favours recall.

    References
    ----------
    van Rijsbergen (1979), Information Retrieval, 2nd ed., Butterworths, ch. 7.

    Examples
    --------
    >>> e_at_rank(JudgedRun.single(ranked=[1, 0], judged=[1, 1, 1]), cutoff=2).round(4)
    array([0.6])
    """
    return _one_minus(*_f_of_cutoff(judged, rel=rel, beta=beta, alpha=alpha, cutoff=cutoff))


@explains("E")
def e_at_rank_working(
    board: Board, *, rel: int, beta: float, alpha: float | None, cutoff: int
) -> Working:
    """One minus the weighted harmonic mean of P@k and R@k."""
    return one_minus(harmonic(board, rel, cutoff, cutoff, beta=beta, alpha=alpha))


@measure(
    "BEP",
    title="Break-even point",
    formula="the recall at which interpolated precision equals it: highest of min(precision, recall) over the ranks of relevant documents",
    aliases=("breakeven",),
    top_heavy=True,
)
def break_even_point(judged: JudgedRun, *, rel: Rel = 1) -> Scores:
    """Return where the interpolated curve of precision over recall crosses precision = recall.

    Returns
    -------
    Scores
        Shape (T,); 0 where no relevant document was retrieved.

    Notes
    -----
    Where the curve falls past the diagonal at a recall point, that recall is returned. Of the points that are not interpolated it is
    R-precision, which is never more. Unjudged documents are not relevant.

    References
    ----------
    Manning, Raghavan and Schütze (2008), Introduction to Information Retrieval, Cambridge University Press, ch. 8.4.

    Examples
    --------
    >>> break_even_point(JudgedRun.single(ranked=[0, 1, 1, 1], judged=[1, 1, 1, 1])).round(4)
    array([0.75])
    """
    hits = judged.relevant_hits(rel)
    return judged.max_by_topic(
        hits.topic, hits.nth_in_topic / np.maximum(hits.rank, judged.n_relevant(rel)[hits.topic])
    )


def one_minus(work: Working) -> Working:
    """Return the working of E = 1 − F."""
    value = 1 - work.result
    return replace(
        work,
        steps=(*work.steps, f"E = 1 − F = 1 − {number(work.result)} = {number(value)}"),
        result=value,
    )
