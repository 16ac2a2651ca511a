"""User-oriented measures: what a person knew before, wanted, and had to look at. They need more than qrels and a run."""

from typing import Annotated, TypeAlias

import numpy as np

from irjudge.errors import MeasureError
from irjudge.metrics.basis.judged import Hits, JudgedRun, Scores, divide
from irjudge.metrics.naming.parameters import MaybeCutoff, Range, Rel

Wanted: TypeAlias = Annotated[int, Range(1), "How many relevant documents the user wants."]
Patience: TypeAlias = Annotated[
    int | None, Range(1), "The user looks at ranks 1 to `cutoff`; None lets the user go to the end."
]


def coverage(known: JudgedRun, *, rel: Rel = 1, cutoff: MaybeCutoff = None) -> Scores:
    """Return which share of the relevant documents that the user knew was retrieved.

    Parameters
    ----------
    known
        The run joined with the user's own qrels: the documents known to be relevant before the search.

    Returns
    -------
    Scores
        Shape (T,), each between 0 and 1: |Ru| / |U|; 0 where the user knew no relevant document.

    References
    ----------
    Korfhage (1997), Information Storage and Retrieval, Wiley, ch. 8.

    Examples
    --------
    The user knows 5 relevant documents; the run has 2 of them.

    >>> coverage(JudgedRun.single(ranked=[1, None, None, 1], judged=[1, 1, 1, 1, 1]))
    array([0.4])
    """
    return divide(
        known.count_by_topic(known.relevant_hits(rel, cutoff).topic), known.n_relevant(rel)
    )


def novelty(
    judged: JudgedRun, known: JudgedRun, *, rel: Rel = 1, cutoff: MaybeCutoff = None
) -> Scores:
    """Return which share of the relevant documents that were retrieved is new to the user.

    Parameters
    ----------
    judged
        The run joined with the qrels.
    known
        The same run, in the same order of ties, joined with the user's own qrels; the same topics.

    Returns
    -------
    Scores
        Shape (T,), each between 0 and 1: |Rk| / (|Ru| + |Rk|), where Ru are the retrieved ones that the user knew and Rk
        those relevant by the qrels that the user did not know; 0 where nothing relevant was retrieved.

    Raises
    ------
    MeasureError
        When the two have other topics.

    References
    ----------
    Korfhage (1997), Information Storage and Retrieval, Wiley, ch. 8.

    Examples
    --------
    Relevant are ranks 1, 2 and 4; the user knew the document at rank 4.

    >>> run = JudgedRun.single(ranked=[1, 1, 0, 1])
    >>> novelty(run, JudgedRun.single(ranked=[None, None, None, 1])).round(4)
    array([0.6667])
    """
    if judged.topics != known.topics:
        raise MeasureError(
            "novelty needs the same topics in both qrels, got {count} and {known}.",
            count=len(judged),
            known=len(known),
        )
    hits, familiar = judged.relevant_hits(rel, cutoff), known.relevant_hits(rel, cutoff)
    new = judged.count_by_topic(hits.topic[~np.isin(_place(hits), _place(familiar))])
    return divide(new, new + known.count_by_topic(familiar.topic))


def relative_recall(
    judged: JudgedRun, *, wanted: Wanted, rel: Rel = 1, cutoff: Patience = None
) -> Scores:
    """Return how much of what the user wanted was found; the user stops when it is enough.

    Returns
    -------
    Scores
        Shape (T,), each between 0 and 1: found / wanted.

    Raises
    ------
    MeasureError
        When `wanted` is less than 1.

    References
    ----------
    Baeza-Yates and Ribeiro-Neto (1999), Modern Information Retrieval, Addison-Wesley, 3.2.2.

    Examples
    --------
    Wanted are 4, found are 3.

    >>> relative_recall(JudgedRun.single(ranked=[1, 0, 1, 1]), wanted=4)
    array([0.75])
    """
    found = judged.count_by_topic(judged.relevant_hits(rel, cutoff).topic)
    return np.minimum(found, _checked(wanted)) / wanted


def recall_effort(
    judged: JudgedRun, *, wanted: Wanted, rel: Rel = 1, cutoff: Patience = None
) -> Scores:
    """Return how many documents were wanted for each one examined to find them.

    Returns
    -------
    Scores
        Shape (T,), 0 or more: wanted / examined, where the user examines down to the wanted-th relevant document, or all
        where there are fewer. 1 is the best a user who finds all of it can see; more than 1 says that the list was
        shorter than the wish. 0 where nothing was retrieved.

    Raises
    ------
    MeasureError
        When `wanted` is less than 1.

    References
    ----------
    Baeza-Yates and Ribeiro-Neto (1999), Modern Information Retrieval, Addison-Wesley, 3.2.2.

    Examples
    --------
    Two relevant documents are wanted; the second stands at rank 5.

    >>> recall_effort(JudgedRun.single(ranked=[0, 1, 0, 0, 1, 1]), wanted=2)
    array([0.4])
    """
    hits = judged.relevant_hits(rel, cutoff)
    last = hits.nth_in_topic == _checked(wanted)
    examined = judged.depth(cutoff).copy()
    examined[hits.topic[last]] = hits.rank[last]
    return divide(wanted, examined)


def _place(hits: Hits) -> np.ndarray[tuple[int], np.dtype[np.int64]]:
    return hits.topic.astype(np.int64) << 32 | hits.rank


def _checked(wanted: int) -> int:
    if wanted < 1:
        raise MeasureError("wanted must be 1 or more, got {wanted}.", wanted=wanted)
    return wanted
