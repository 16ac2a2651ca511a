"""Average precision and its relatives."""

from typing import Literal, TypeAlias

import numpy as np

from irjudge.metrics.judged import JudgedRun, Longs, Scores, divide
from irjudge.metrics.parameters import MaybeCutoff, Rel
from irjudge.metrics.precision import TREC_CUTOFFS
from irjudge.metrics.registry import Alias, Exemption, measure

Norm: TypeAlias = Literal["relevant", "retrieved", "cutoff"]


@measure(
    "AP",
    title="Average precision",
    formula="Σ of P@r over the ranks r <= k of relevant documents, / R (norm=retrieved: / those found; norm=cutoff: / min(R, k))",
    aliases=("map", Alias("map_cut", bare="." + TREC_CUTOFFS)),
    top_heavy=True,
    exemptions=(Exemption("top_heavy", "a relevant document that enters the top k low lowers the mean", when=(("norm", ("retrieved",)),)),),
)
def average_precision(judged: JudgedRun, *, rel: Rel = 1, norm: Norm = "relevant", cutoff: MaybeCutoff = None) -> Scores:
    """Return the mean of the precisions at the ranks of the relevant documents.

    Parameters
    ----------
    judged
        T topics; the arrays of hits have shape (H,), sorted by topic and rank.
    rel
        A document is relevant when its grade is `rel` or more.
    norm
        What the sum is divided by: all relevant documents, those among the documents looked at, or min(relevant, cutoff).
    cutoff
        Ranks 1 to `cutoff` count; None counts the whole ranking, and makes norm=cutoff the same as norm=relevant.

    Returns
    -------
    Scores
        Shape (T,), each between 0 and 1; 0 where a topic has no relevant document.

    Notes
    -----
    Unjudged documents are not relevant. Ties were put in order when the run was read.

    References
    ----------
    Buckley and Voorhees (2005), Retrieval System Evaluation, in TREC, MIT Press, ch. 3.

    Examples
    --------
    >>> average_precision(JudgedRun.single(ranked=[1, 0, 1], judged=[1, 1, 1])).round(4)
    array([0.5556])
    """
    hits = judged.relevant_hits(rel, cutoff)
    precision_at_hit = hits.nth_in_topic / hits.rank
    return divide(judged.sum_by_topic(hits.topic, precision_at_hit), _divisor(judged, rel, norm, cutoff))


def _divisor(judged: JudgedRun, rel: int, norm: Norm, cutoff: int | None) -> Longs:
    if norm == "retrieved":
        return judged.count_by_topic(judged.relevant_hits(rel, cutoff).topic)
    relevant = judged.n_relevant(rel)
    return np.minimum(relevant, cutoff) if norm == "cutoff" and cutoff is not None else relevant
