"""Q-measure: average precision that counts gain."""

from typing import Annotated, Literal, TypeAlias

import numpy as np

from irjudge.message import Message
from irjudge.metrics.basis.gain_and_discount import (
    Gain,
    gained,
    ideal_gains,
    ideal_of,
    means,
    retrieved_gains,
)
from irjudge.metrics.basis.judged import Floats, Ints, JudgedRun, Scores, divide, place_in_topic
from irjudge.metrics.basis.running import running
from irjudge.metrics.basis.working import (
    Board,
    Working,
    added,
    divided,
    explains,
    looked_at,
    number,
)
from irjudge.metrics.naming.parameters import MaybeCutoff, Range, show
from irjudge.metrics.naming.registry import measure

Weight: TypeAlias = Annotated[float, Range(0, 1e6)]
QNorm: TypeAlias = Literal["relevant", "cutoff"]


@measure(
    "Q",
    title="Q-measure",
    formula="(1/R) Σ over ranks r <= k of documents that gain of (their number up to r + beta·CG@r) / (r + beta·ideal CG@r), "
    "where R documents gain (norm=cutoff: 1/min(R, k))",
    kind="graded",
    aliases=("Q-measure",),
    top_heavy=True,
)
def q_measure(
    judged: JudgedRun,
    *,
    gain: Gain = "linear",
    beta: Weight = 1.0,
    norm: QNorm = "relevant",
    cutoff: MaybeCutoff = None,
) -> Scores:
    """Return average precision with the blended ratio, which counts how much documents gain, in the place of precision.

    Parameters
    ----------
    beta
        How much gain matters; 0 gives average precision.
    norm
        What the sum is divided by: `relevant`, all documents that gain, or `cutoff`, min(R, k), as NTCIREVAL does.
    cutoff
        Ranks 1 to `cutoff` count; None counts the whole ranking, and makes norm=cutoff the same as norm=relevant.

    Returns
    -------
    Scores
        Shape (T,), between 0 and 1; 0 where no judged document gains anything.

    Notes
    -----
    A document is relevant when it gains something. Unjudged and unjudgeable documents gain nothing.

    References
    ----------
    Sakai (2004), New performance metrics based on multigrade relevance: their application to question answering, NTCIR-4.

    Examples
    --------
    >>> q_measure(JudgedRun.single(ranked=[0, 2, 1], judged=[2, 1])).round(4)
    array([0.7167])
    """
    found, best = retrieved_gains(judged, gain, cutoff), ideal_gains(judged, gain)
    reached = place_in_topic(found.topic, len(judged)) + beta * running(
        np.add, found.topic, found.gain, len(judged)
    )
    possible = found.rank + beta * _ideal_upto(
        judged, best.topic, best.gain, found.topic, found.rank
    )
    relevant = judged.count_by_topic(best.topic)
    most = relevant if norm == "relevant" or cutoff is None else np.minimum(relevant, cutoff)
    return divide(judged.sum_by_topic(found.topic, reached / possible), most)


@explains("Q")
def q_measure_working(
    board: Board, *, gain: Gain, beta: float, norm: QNorm, cutoff: int | None
) -> Working:
    """Average precision with the blended ratio."""
    best, said = ideal_of(board, gain, "judged", None)
    each = gained(board.top(cutoff), gain)
    rows: list[tuple[float | None, ...]] = []
    nth, reached, possible, total, terms = 0, 0.0, 0.0, 0.0, []
    for rank, one in enumerate(each, 1):
        reached += one
        possible += best[rank - 1] if rank <= len(best) else 0.0
        ratio = None
        if one:
            nth += 1
            ratio = (nth + beta * reached) / (rank + beta * possible)
            total += ratio
            terms.append(
                f"({nth} + {show(beta)}·{number(reached)})/({rank} + {show(beta)}·{number(possible)})"
            )
        rows.append((reached, possible, ratio, total))
    if norm == "cutoff" and cutoff is not None:
        step, value = divided(
            Message("Q = sum / min(k, R)"),
            total,
            min(cutoff, len(best)),
            Message("R, the number of documents that gain,"),
        )
    else:
        step, value = divided(
            Message("Q = sum / R"),
            total,
            len(best),
            Message("R, the number of documents that gain,"),
        )
    steps = (
        looked_at(board, cutoff),
        f"{means(gain).capitalize()}.",
        said,
        Message(
            "Sum of (found + beta·CG)/(r + beta·ideal CG) where a document gains: {added} = {number}",
            added=added(terms),
            number=number(total),
        ),
        step,
    )
    hits = frozenset(rank for rank, one in enumerate(each, 1) if one)
    return Working(steps, value, ("CG", Message("ideal CG"), "ratio", "sum"), tuple(rows), hits)


def _ideal_upto(judged: JudgedRun, topic: Ints, gain: Floats, at_topic: Ints, rank: Ints) -> Floats:
    """Return what the first `rank` documents of the ideal ranking of topics gain that have a document that gains."""
    sizes = judged.count_by_topic(topic)
    starts = np.cumsum(sizes) - sizes
    sums = running(np.add, topic, gain, len(judged))
    reached: Floats = sums[starts[at_topic] + np.minimum(rank, sizes[at_topic]) - 1]
    return reached
