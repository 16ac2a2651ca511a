"""Precision and recall at a rank."""

import numpy as np

from irjudge.metrics.counts import number_relevant_retrieved
from irjudge.metrics.judged import JudgedRun, Scores, divide
from irjudge.metrics.parameters import Cutoff, Rel
from irjudge.metrics.registry import Alias, Pooled, measure

TREC_CUTOFFS = "5,10,15,20,30,100,200,500,1000"


def _found_of_cutoff(judged: JudgedRun, *, rel: int, cutoff: int) -> tuple[Scores, Scores]:
    return number_relevant_retrieved(judged, rel=rel, cutoff=cutoff), np.full(len(judged), float(cutoff))


def _found_of_relevant(judged: JudgedRun, *, rel: int, cutoff: int) -> tuple[Scores, Scores]:
    return number_relevant_retrieved(judged, rel=rel, cutoff=cutoff), judged.n_relevant(rel).astype(np.float64)


def _found_of_possible(judged: JudgedRun, *, rel: int, cutoff: int) -> tuple[Scores, Scores]:
    return number_relevant_retrieved(judged, rel=rel, cutoff=cutoff), np.minimum(judged.n_relevant(rel), cutoff).astype(np.float64)


def _found_in_top_r(judged: JudgedRun, *, rel: int) -> tuple[Scores, Scores]:
    relevant, hits = judged.n_relevant(rel), judged.relevant_hits(rel)
    found = judged.count_by_topic(hits.topic[hits.rank <= relevant[hits.topic]])
    return found.astype(np.float64), relevant.astype(np.float64)


@measure(
    "P",
    title="Precision",
    formula="relevant in the top k / k",
    micro=Pooled(_found_of_cutoff),
    aliases=("precision",),
    top_heavy=True,
)
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
    return divide(*_found_of_cutoff(judged, rel=rel, cutoff=cutoff))


@measure(
    "R",
    title="Recall",
    formula="relevant in the top k / R, the number of relevant documents",
    micro=Pooled(_found_of_relevant),
    aliases=("recall",),
    top_heavy=True,
)
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
    return divide(*_found_of_relevant(judged, rel=rel, cutoff=cutoff))


@measure(
    "RelP",
    title="Relative precision",
    formula="relevant in the top k / min(k, R), the most that there could be",
    micro=Pooled(_found_of_possible),
    aliases=(Alias("relative_P", bare="." + TREC_CUTOFFS),),
    top_heavy=True,
)
def relative_precision(judged: JudgedRun, *, rel: Rel = 1, cutoff: Cutoff) -> Scores:
    """Return precision in the top k as a share of the highest possible one.

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
        Shape (T,); 0 where a topic has no relevant document, for which trec_eval prints nan.

    Notes
    -----
    It is precision up to rank R and recall from there on. Unjudged documents are not relevant. Ties matter at the cutoff alone.

    Examples
    --------
    >>> relative_precision(JudgedRun.single(ranked=[1, 0, 0], judged=[1, 1]), cutoff=3)
    array([0.5])
    """
    return divide(*_found_of_possible(judged, rel=rel, cutoff=cutoff))


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
    micro=Pooled(_found_in_top_r),
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
    return divide(*_found_in_top_r(judged, rel=rel))
