"""Counts: how much was retrieved, how much of it is relevant, how much of it is judged."""

import math

import numpy as np

from irjudge.message import Message
from irjudge.metrics.basis.judged import JudgedRun, Scores, divide
from irjudge.metrics.basis.working import (
    Board,
    Wanted,
    Working,
    counted,
    divided,
    explains,
    is_relevant,
    looked_at,
    relevance,
    relevant_step,
)
from irjudge.metrics.naming.parameters import Cutoff, MaybeCutoff, Rel
from irjudge.metrics.naming.registry import Alias, Exemption, Pooled, measure

COUNT = (0, math.inf)
LONGER = Exemption("tail", "a longer list is what it counts")
SHORT_LIST = Exemption("tail", "a list shorter than k grows")


@measure(
    "NumQ",
    title="Number of topics",
    better="neither",
    formula="1 for each topic",
    bounds=(1, 1),
    kind="count",
    summary="sum",
    aliases=("num_q",),
)
def number_of_topics(judged: JudgedRun) -> Scores:
    """Return 1 for each topic, so that the sum is the number of topics evaluated.

    Returns
    -------
    Scores
        Shape (T,), all 1.

    Notes
    -----
    Nothing of the ranking or the judgments matters.

    Examples
    --------
    >>> number_of_topics(JudgedRun.single(ranked=[1, 0]))
    array([1.])
    """
    return np.ones(len(judged))


@explains("NumQ")
def number_of_topics_working(_board: Board) -> Working:
    """Each topic is one."""
    return Working(
        (Message("Each topic counts 1; a run's value is the number of topics evaluated."),), 1
    )


@measure(
    "NumRet",
    title="Number retrieved",
    better="neither",
    formula="documents in the top k, or in the whole list without k",
    bounds=COUNT,
    kind="count",
    summary="sum",
    aliases=("num_ret",),
    exemptions=(LONGER,),
)
def number_retrieved(judged: JudgedRun, *, cutoff: MaybeCutoff = None) -> Scores:
    """Return how many documents were retrieved, judged or not.

    Returns
    -------
    Scores
        Shape (T,); 0 where the run lacks the topic.

    Notes
    -----
    Unjudged documents count as any others.

    Examples
    --------
    >>> number_retrieved(JudgedRun.single(ranked=[1, None, 0]))
    array([3.])
    """
    return judged.depth(cutoff).astype(np.float64)


@explains("NumRet")
def number_retrieved_working(board: Board, *, cutoff: int | None) -> Working:
    """All are counted."""
    return _only(board, cutoff, "retrieved", lambda _: True)


@measure(
    "NumRel",
    title="Number relevant",
    better="neither",
    formula="relevant documents, retrieved or not",
    bounds=COUNT,
    kind="count",
    summary="sum",
    aliases=("num_rel",),
)
def number_relevant(judged: JudgedRun, *, rel: Rel = 1) -> Scores:
    """Return how many relevant documents the qrels know.

    Returns
    -------
    Scores
        Shape (T,); 0 where a topic has no relevant document.

    Notes
    -----
    Unjudged documents are not relevant. The order of the ranking, and so its ties, do not matter.

    Examples
    --------
    >>> number_relevant(JudgedRun.single(ranked=[1, 0], judged=[1, 1, 2, 0]))
    array([3.])
    """
    return judged.n_relevant(rel).astype(np.float64)


@explains("NumRel")
def number_relevant_working(board: Board, *, rel: int) -> Working:
    """What the qrels say."""
    return Working(
        (relevance(rel), relevant_step(board, rel)),
        board.relevant(rel),
        hits=frozenset(board.hits(rel)),
    )


@measure(
    "NumRelRet",
    title="Number of relevant retrieved",
    formula="relevant in the top k, or in the whole list without k",
    bounds=COUNT,
    kind="count",
    summary="sum",
    aliases=("num_rel_ret", "hits"),
    top_heavy=True,
)
def number_relevant_retrieved(
    judged: JudgedRun, *, rel: Rel = 1, cutoff: MaybeCutoff = None
) -> Scores:
    """Return how many relevant documents were retrieved.

    Returns
    -------
    Scores
        Shape (T,); 0 where nothing relevant was retrieved.

    Notes
    -----
    Unjudged documents are not relevant. Ties matter at the cutoff alone.

    Examples
    --------
    >>> number_relevant_retrieved(JudgedRun.single(ranked=[1, 0, 2], judged=[1, 2, 2]))
    array([2.])
    """
    return judged.count_by_topic(judged.relevant_hits(rel, cutoff).topic).astype(np.float64)


@explains("NumRelRet")
def number_relevant_retrieved_working(board: Board, *, rel: int, cutoff: int | None) -> Working:
    """Relevant documents are counted."""
    return _only(board, cutoff, "found", lambda grade: is_relevant(grade, rel), relevance(rel))


@measure(
    "NumJudgedRet",
    title="Number of judged retrieved",
    better="neither",
    formula="judged documents in the top k, or in the whole list without k",
    bounds=COUNT,
    kind="count",
    summary="sum",
)
def number_judged_retrieved(judged: JudgedRun, *, cutoff: MaybeCutoff = None) -> Scores:
    """Return how many retrieved documents have a grade.

    Returns
    -------
    Scores
        Shape (T,); 0 where nothing judged was retrieved.

    Notes
    -----
    Pooled but unjudged documents and unjudgeable ones have none.

    Examples
    --------
    >>> number_judged_retrieved(JudgedRun.single(ranked=[1, None, 0, -1]))
    array([2.])
    """
    return judged.count_by_topic(judged.judged_hits(cutoff).topic).astype(np.float64)


@explains("NumJudgedRet")
def number_judged_retrieved_working(board: Board, *, cutoff: int | None) -> Working:
    """Judged documents are counted."""
    return _only(board, cutoff, "judged", lambda grade: is_relevant(grade, 0))


@measure(
    "NumNonrelJudgedRet",
    title="Number of judged non-relevant retrieved",
    better="lower",
    formula="judged and not relevant in the top k, or in the whole list without k",
    bounds=COUNT,
    kind="count",
    summary="sum",
    aliases=("num_nonrel_judged_ret",),
)
def number_judged_nonrelevant_retrieved(
    judged: JudgedRun, *, rel: Rel = 1, cutoff: MaybeCutoff = None
) -> Scores:
    """Return how many retrieved documents have a grade that is not relevant.

    Returns
    -------
    Scores
        Shape (T,); 0 where nothing judged was retrieved.

    Notes
    -----
    Unjudged and unjudgeable documents do not count.

    Examples
    --------
    >>> number_judged_nonrelevant_retrieved(JudgedRun.single(ranked=[1, None, 0, -1]))
    array([1.])
    """
    return number_judged_retrieved(judged, cutoff=cutoff) - number_relevant_retrieved(
        judged, rel=rel, cutoff=cutoff
    )


@explains("NumNonrelJudgedRet")
def number_judged_nonrelevant_retrieved_working(
    board: Board, *, rel: int, cutoff: int | None
) -> Working:
    """Documents are counted that were judged and are not relevant."""
    return _only(
        board,
        cutoff,
        Message("not relevant"),
        lambda grade: is_relevant(grade, 0) and not is_relevant(grade, rel),
        relevance(rel),
    )


def _judged_of_retrieved(judged: JudgedRun, *, cutoff: int | None) -> tuple[Scores, Scores]:
    return number_judged_retrieved(judged, cutoff=cutoff), judged.depth(cutoff).astype(np.float64)


def _unjudged_of_cutoff(judged: JudgedRun, *, cutoff: int) -> tuple[Scores, Scores]:
    return judged.depth(cutoff) - number_judged_retrieved(judged, cutoff=cutoff), np.full(
        len(judged), float(cutoff)
    )


@measure(
    "Judged",
    title="Share of judged documents",
    better="neither",
    formula="judged in the top k / min(k, n), where n documents were retrieved; without k in the whole list / n",
    kind="count",
    micro=Pooled(_judged_of_retrieved),
    exemptions=(SHORT_LIST,),
)
def judged_share(judged: JudgedRun, *, cutoff: MaybeCutoff = None) -> Scores:
    """Return which share of the top k has a grade.

    Parameters
    ----------
    cutoff
        The number of documents looked at, k; None looks at the whole list.

    Returns
    -------
    Scores
        Shape (T,), between 0 and 1; 0 where nothing was retrieved.

    Notes
    -----
    0 where nothing was retrieved. A list shorter than k is divided by its own length.

    Examples
    --------
    >>> judged_share(JudgedRun.single(ranked=[1, None, 0, -1]), cutoff=10)
    array([0.5])
    """
    return divide(*_judged_of_retrieved(judged, cutoff=cutoff))


@explains("Judged")
def judged_share_working(board: Board, *, cutoff: int | None) -> Working:
    """Judged documents among those looked at."""
    total, found = counted(board, cutoff, "judged", lambda grade: is_relevant(grade, 0))
    step, value = divided(
        Message("Judged@{cutoff} = judged / min(k, n)", cutoff=cutoff)
        if cutoff
        else Message("Judged = judged / n"),
        total,
        len(board.top(cutoff)),
        Message("the number looked at"),
    )
    return Working((looked_at(board, cutoff), step), value, found.columns, found.rows, found.hits)


@measure(
    "Unjudged",
    title="Share of unjudged documents",
    better="neither",
    formula="retrieved and unjudged in the top k / k",
    kind="count",
    micro=Pooled(_unjudged_of_cutoff),
    aliases=(Alias("unj", bare=".5,10,20"),),
    exemptions=(SHORT_LIST,),
)
def unjudged_share(judged: JudgedRun, *, cutoff: Cutoff) -> Scores:
    """Return how many of the top k have no grade, divided by k.

    Returns
    -------
    Scores
        Shape (T,), between 0 and 1; 0 where nothing was retrieved.

    Notes
    -----
    Divided by k even where fewer documents were retrieved, so that it is not 1 − Judged@k for short lists.

    Examples
    --------
    >>> unjudged_share(JudgedRun.single(ranked=[1, None, 0, -1]), cutoff=10)
    array([0.2])
    """
    return divide(*_unjudged_of_cutoff(judged, cutoff=cutoff))


@explains("Unjudged")
def unjudged_share_working(board: Board, *, cutoff: int) -> Working:
    """Unjudged documents among the top k."""
    total, found = counted(board, cutoff, "unjudged", lambda grade: not is_relevant(grade, 0))
    step, value = divided(
        Message("Unjudged@{cutoff} = unjudged / k", cutoff=cutoff), total, cutoff, "k"
    )
    return Working((looked_at(board, cutoff), step), value, found.columns, found.rows, found.hits)


def _only(board: Board, cutoff: int | None, column: str, wanted: Wanted, *steps: str) -> Working:
    total, found = counted(board, cutoff, column, wanted)
    return Working(
        (looked_at(board, cutoff), *steps, Message("Counted: {total}", total=total)),
        total,
        found.columns,
        found.rows,
        found.hits,
    )
