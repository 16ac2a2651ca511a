"""Precision and recall at a rank, at a recall level, and with incomplete judgments."""

from fractions import Fraction
from typing import Annotated, Literal, TypeAlias

import numpy as np
import numpy.typing as npt

from irjudge.metrics.counts import number_relevant_retrieved
from irjudge.metrics.judged import Hits, JudgedRun, Longs, Scores, divide
from irjudge.metrics.parameters import Cutoff, Range, Rel
from irjudge.metrics.registry import Alias, measure

Level: TypeAlias = Annotated[float, Range(0, 1)]
Rule: TypeAlias = Literal["max", "window"]

TREC_CUTOFFS = "5,10,15,20,30,100,200,500,1000"
TREC_LEVELS = "0,.1,.2,.3,.4,.5,.6,.7,.8,.9,1"


@measure("P", title="Precision", formula="relevant in the top k / k", aliases=("precision",), top_heavy=True)
def precision(judged: JudgedRun, *, rel: Rel = 1, cutoff: Cutoff) -> Scores:
    """Return which share of the top k is relevant.

    Parameters
    ----------
    judged
        T topics.
    rel
        A document is relevant when its grade is `rel` or more.
    cutoff
        The number of documents looked at, k.

    Returns
    -------
    Scores
        Shape (T,).

    Notes
    -----
    Divided by k even where fewer documents were retrieved. Unjudged documents are not relevant.

    Examples
    --------
    >>> precision(JudgedRun.single(ranked=[1, 0, 1]), cutoff=5)
    array([0.4])
    """
    return number_relevant_retrieved(judged, rel=rel, cutoff=cutoff) / cutoff


@measure("R", title="Recall", formula="relevant in the top k / R, the number of relevant documents", aliases=("recall",), top_heavy=True)
def recall(judged: JudgedRun, *, rel: Rel = 1, cutoff: Cutoff) -> Scores:
    """Return which share of the relevant documents is in the top k.

    Parameters
    ----------
    judged
        T topics.
    rel
        A document is relevant when its grade is `rel` or more.
    cutoff
        The number of documents looked at, k.

    Returns
    -------
    Scores
        Shape (T,); 0 where a topic has no relevant document.

    Notes
    -----
    Unjudged documents are not relevant. Ties matter at the cutoff alone.

    Examples
    --------
    >>> recall(JudgedRun.single(ranked=[1, 0, 1], judged=[1, 1, 1, 1]), cutoff=2)
    array([0.25])
    """
    return divide(number_relevant_retrieved(judged, rel=rel, cutoff=cutoff), judged.n_relevant(rel))


@measure("Success", title="Success", formula="1 if a relevant document is in the top k, else 0", aliases=("hit_rate",), top_heavy=True)
def success(judged: JudgedRun, *, rel: Rel = 1, cutoff: Cutoff) -> Scores:
    """Return 1 where the top k has a relevant document, else 0.

    Parameters
    ----------
    judged
        T topics.
    rel
        A document is relevant when its grade is `rel` or more.
    cutoff
        The number of documents looked at, k.

    Returns
    -------
    Scores
        Shape (T,), 0 or 1.

    Notes
    -----
    Unjudged documents are not relevant. Ties matter at the cutoff alone.

    Examples
    --------
    >>> success(JudgedRun.single(ranked=[0, 0, 1]), cutoff=2)
    array([0.])
    """
    return (number_relevant_retrieved(judged, rel=rel, cutoff=cutoff) > 0).astype(np.float64)


@measure(
    "Rprec",
    title="R-precision",
    formula="relevant in the top R / R, where R documents are relevant",
    aliases=("r-precision",),
    top_heavy=True,
)
def r_precision(judged: JudgedRun, *, rel: Rel = 1) -> Scores:
    """Return precision at the rank that a perfect ranking would need.

    Parameters
    ----------
    judged
        T topics.
    rel
        A document is relevant when its grade is `rel` or more.

    Returns
    -------
    Scores
        Shape (T,); 0 where a topic has no relevant document.

    Notes
    -----
    It equals recall at that rank, and the break-even point of precision and recall.

    Examples
    --------
    >>> r_precision(JudgedRun.single(ranked=[1, 0, 1], judged=[1, 1]))
    array([0.5])
    """
    relevant = judged.n_relevant(rel)
    hits = judged.relevant_hits(rel)
    return divide(judged.count_by_topic(hits.topic[hits.rank <= relevant[hits.topic]]), relevant)


@measure(
    "IPrec",
    title="Interpolated precision",
    formula="highest precision where recall is x or more (rule=window: at recall x, else up to x + 0.1, else the next level's)",
    aliases=(Alias("iprec_at_recall", bare="." + TREC_LEVELS),),
    at="recall",
    top_heavy=True,
)
def interpolated_precision(judged: JudgedRun, *, rel: Rel = 1, rule: Rule = "max", recall: Level) -> Scores:
    """Return the precision that can still be had at a level of recall.

    Parameters
    ----------
    judged
        T topics.
    rel
        A document is relevant when its grade is `rel` or more.
    rule
        `max`: the highest precision at any recall of `recall` or more.
        `window`, taught in some courses: the precision at the recall point `recall` where a relevant document stands there, else the
        highest for recall above it and up to 0.1 more, else the value at the level 0.1 higher.
    recall
        The level x, from 0 to 1.

    Returns
    -------
    Scores
        Shape (T,); 0 where the run never reaches the level, and where a topic has no relevant document.

    Notes
    -----
    Levels are exact decimals: recall 0.7 of 10 documents is reached with the seventh, whatever 0.7 is in binary. Decimals beyond the
    ninth are rounded. trec_eval counts documents differently: version 9 asks for floor(x·R + 0.9) of R, version 10 rounds x·R.

    References
    ----------
    Manning, Raghavan and Schütze (2008), Introduction to Information Retrieval, Cambridge University Press, ch. 8.4.

    Examples
    --------
    >>> judged = JudgedRun.single(ranked=[0, 0, 1, 0, 0, 0, 0, 1], judged=[1, 1, 1])
    >>> interpolated_precision(judged, recall=0.4), interpolated_precision(judged, recall=0.7)
    (array([0.25]), array([0.]))
    """
    # The nearest fraction with a small divisor is the decimal that was written.
    level = Fraction(recall).limit_denominator(10**9)
    hits, relevant = judged.relevant_hits(rel), judged.n_relevant(rel)
    wanted = _in_window(level, hits, relevant) if rule == "window" else hits.nth_in_topic >= _reached_by(level, relevant)[hits.topic]
    chosen = hits.where(wanted)
    return judged.max_by_topic(chosen.topic, chosen.nth_in_topic / chosen.rank)


def _reached_by(level: Fraction, relevant: Longs) -> Longs:
    """Return how many relevant documents recall `level` needs: ceil(level · relevant), in exact arithmetic."""
    return -(-level.numerator * relevant // level.denominator)


def _in_window(level: Fraction, hits: Hits, relevant: Longs) -> npt.NDArray[np.bool_]:
    """Say which hits count for the rule `window`: the recall point itself, else the first window of 0.1 that has one."""
    reached = level.numerator * relevant
    first = reached // level.denominator
    is_point = (first * level.denominator == reached) & (first > 0)
    first = np.where(is_point, first, first + 1)
    # Windows end at level + j/10; the first that holds the document `first` has the smallest j with (level + j/10)·R >= first.
    beyond = 10 * (first * level.denominator - reached)
    windows = -(-beyond // np.maximum(level.denominator * relevant, 1))
    last = np.where(is_point, first, (10 * reached + windows * level.denominator * relevant) // (10 * level.denominator))
    return (hits.nth_in_topic >= first[hits.topic]) & (hits.nth_in_topic <= last[hits.topic])


@measure(
    "Bpref",
    title="Binary preference",
    formula="(1/R) Σ over relevant retrieved of 1 − min(judged non-relevant above, m) / m, with m = min(R, N)",
    top_heavy=True,
)
def binary_preference(judged: JudgedRun, *, rel: Rel = 1) -> Scores:
    """Return how rarely judged non-relevant documents stand above relevant ones.

    Parameters
    ----------
    judged
        T topics.
    rel
        A document is relevant when its grade is `rel` or more, and non-relevant when it has a lower one.

    Returns
    -------
    Scores
        Shape (T,); 0 where a topic has no relevant document.

    Notes
    -----
    R documents are relevant and N judged non-relevant. Unjudged documents are passed over. Where N is 0 it is the share of relevant
    documents that were retrieved. As in trec_eval, the divisor is min(R, N), not R as in the paper.

    References
    ----------
    Buckley and Voorhees (2004), Retrieval evaluation with incomplete information, SIGIR, 25–32.

    Examples
    --------
    >>> binary_preference(JudgedRun.single(ranked=[0, None, 1, 1], judged=[1, 1, 0, 0]))
    array([0.5])
    """
    relevant = judged.n_relevant(rel)
    most = np.minimum(relevant, judged.n_judged - relevant)
    seen = judged.judged_hits()
    is_relevant = seen.grade >= rel
    topic = seen.topic[is_relevant]
    above = seen.nth_in_topic[is_relevant] - judged.relevant_hits(rel).nth_in_topic
    lost = divide(np.minimum(above, most[topic]), most[topic])
    return divide(judged.sum_by_topic(topic, 1 - lost), relevant)
