"""Q-measure: average precision that counts gain."""

from typing import Annotated, Literal, TypeAlias

import numpy as np

from irjudge.metrics.gain import Gain, ideal_gains, retrieved_gains
from irjudge.metrics.judged import Floats, Ints, JudgedRun, Scores, divide, place_in_topic
from irjudge.metrics.parameters import MaybeCutoff, Range
from irjudge.metrics.registry import measure
from irjudge.metrics.running import running

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
    judged: JudgedRun, *, gain: Gain = "linear", beta: Weight = 1.0, norm: QNorm = "relevant", cutoff: MaybeCutoff = None
) -> Scores:
    """Return average precision with the blended ratio, which counts how much documents gain, in the place of precision.

    Parameters
    ----------
    judged
        T topics.
    gain
        `linear`: the grade; `exp2`: 2^grade − 1; `1:3/2:9`: these gains for these grades, the grade itself for others.
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
    reached = place_in_topic(found.topic, len(judged)) + beta * running(np.add, found.topic, found.gain, len(judged))
    possible = found.rank + beta * _ideal_upto(judged, best.topic, best.gain, found.topic, found.rank)
    relevant = judged.count_by_topic(best.topic)
    most = relevant if norm == "relevant" or cutoff is None else np.minimum(relevant, cutoff)
    return divide(judged.sum_by_topic(found.topic, reached / possible), most)


def _ideal_upto(judged: JudgedRun, topic: Ints, gain: Floats, at_topic: Ints, rank: Ints) -> Floats:
    """Return what the first `rank` documents of the ideal ranking of topics gain that have a document that gains."""
    sizes = judged.count_by_topic(topic)
    starts = np.cumsum(sizes) - sizes
    sums = running(np.add, topic, gain, len(judged))
    reached: Floats = sums[starts[at_topic] + np.minimum(rank, sizes[at_topic]) - 1]
    return reached
