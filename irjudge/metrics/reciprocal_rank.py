"""Reciprocal rank: how soon the first relevant document comes."""

from irjudge.metrics.judged import JudgedRun, Scores
from irjudge.metrics.parameters import MaybeCutoff, Rel
from irjudge.metrics.registry import measure


@measure(
    "RR",
    title="Reciprocal rank",
    formula="1 / rank of the first relevant document in the top k, 0 without one",
    aliases=("mrr", "recip_rank"),
    top_heavy=True,
)
def reciprocal_rank(judged: JudgedRun, *, rel: Rel = 1, cutoff: MaybeCutoff = None) -> Scores:
    """Return 1 divided by the rank of the first relevant document.

    Parameters
    ----------
    judged
        T topics.
    rel
        A document is relevant when its grade is `rel` or more.
    cutoff
        The document must stand at ranks 1 to `cutoff`; None looks through the whole ranking.

    Returns
    -------
    Scores
        Shape (T,); 0 where no relevant document is found.

    Notes
    -----
    Unjudged documents are not relevant. Ties were put in order when the run was read.

    References
    ----------
    Voorhees (1999), The TREC-8 question answering track report, TREC-8.

    Examples
    --------
    >>> reciprocal_rank(JudgedRun.single(ranked=[0, None, 0, 1]))
    array([0.25])
    """
    hits = judged.relevant_hits(rel, cutoff)
    first = hits.where(hits.nth_in_topic == 1)
    return judged.sum_by_topic(first.topic, 1 / first.rank)
