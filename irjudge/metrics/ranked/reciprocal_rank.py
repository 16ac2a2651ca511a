"""Reciprocal rank: how soon the first relevant document comes."""

import numpy as np

from irjudge.message import Message
from irjudge.metrics.basis.bounds import (
    FAR,
    Interval,
    Unsettled,
    UnsettledPair,
    bounded,
    bounded_difference,
    first_difference,
)
from irjudge.metrics.basis.judged import JudgedRun, Scores
from irjudge.metrics.basis.working import Board, Working, explains, looked_at, number, relevance
from irjudge.metrics.naming.parameters import MaybeCutoff, Rel
from irjudge.metrics.naming.registry import measure


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


@bounded("RR")
def reciprocal_rank_bounds(run: Unsettled, *, rel: int, cutoff: int | None) -> Interval:
    """The first relevant document is the first judged so, or the first that is open."""
    return Interval(
        *(
            reciprocal_rank(run.settle(grade), rel=rel, cutoff=cutoff)
            for grade in (0, run.grades[-1])
        )
    )


@bounded_difference("RR")
def reciprocal_rank_difference(pair: UnsettledPair, *, rel: int, cutoff: int | None) -> Interval:
    """One document decides: any further one could only help the other run."""
    return first_difference(pair, rel, cutoff, lambda rank: np.where(rank < FAR, 1 / rank, 0.0))


@explains("RR")
def reciprocal_rank_working(board: Board, *, rel: int, cutoff: int | None) -> Working:
    """One divided by the rank of the first relevant document."""
    hits = board.hits(rel, cutoff)
    value = 1 / hits[0] if hits else 0.0
    said = (
        Message(
            "RR = 1 / rank of the first relevant document = 1 / {first} = {number}",
            first=hits[0],
            number=number(value),
        )
        if hits
        else Message("RR = 0: none is relevant.")
    )
    return Working(
        (relevance(rel), looked_at(board, cutoff), said), value, hits=frozenset(hits[:1])
    )
