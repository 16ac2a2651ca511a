"""Preference of relevant documents over judged non-relevant ones, for incomplete judgments."""

import numpy as np

from irjudge.metrics.average_precision import Epsilon
from irjudge.metrics.judged import JudgedRun, Scores, divide
from irjudge.metrics.parameters import Rel
from irjudge.metrics.registry import measure


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


@measure(
    "GMBpref",
    title="Geometric mean of binary preference",
    formula="geometric mean over the topics of max(Bpref, eps)",
    mean="geometric",
    aliases=("gm_bpref",),
    top_heavy=True,
)
def geometric_binary_preference(judged: JudgedRun, *, rel: Rel = 1, eps: Epsilon = 1e-5) -> Scores:
    """Return binary preference, but at least a small number, for a mean in which bad topics weigh more.

    Parameters
    ----------
    judged
        T topics.
    rel
        A document is relevant when its grade is `rel` or more.
    eps
        What stands for lower values, since one 0 would make the geometric mean 0.

    Returns
    -------
    Scores
        Shape (T,), between `eps` and 1; `eps` where a topic has no relevant document.

    Notes
    -----
    A run's value is exp of the mean of the logarithms, also where other measures are averaged otherwise.

    Examples
    --------
    >>> geometric_binary_preference(JudgedRun.single(ranked=[0, 0], judged=[1]))
    array([1.e-05])
    """
    return np.maximum(binary_preference(judged, rel=rel), eps)
