"""The confusion matrix: relevant or not against retrieved or not."""

import math
from typing import Annotated, Literal, TypeAlias

import numpy as np

from irjudge.errors import MeasureError
from irjudge.metrics.judged import JudgedRun, Longs, Scores, divide
from irjudge.metrics.parameters import MaybeCutoff, Range, Rel
from irjudge.metrics.registry import Exemption, Pooled, measure

Universe: TypeAlias = Annotated[Literal["judged", "collection"] | int, Range(1)]
MaybeUniverse: TypeAlias = Annotated[Literal["judged", "collection"] | int | None, Range(1)]
Cells: TypeAlias = tuple[Scores, Scores, Scores, Scores]

COUNT = (0, math.inf)
LONGER = Exemption("tail", "every document retrieved has its place in the matrix")


def cells(judged: JudgedRun, *, rel: int, universe: int | str | None = None, cutoff: int | None = None) -> Cells:
    """Return how many documents are retrieved and relevant, retrieved alone, relevant alone, neither: TP, FP, FN, TN.

    Parameters
    ----------
    judged
        T topics.
    rel
        A document is relevant when its grade is `rel` or more.
    universe
        The documents that are counted: `judged`, `collection` (whose size `judged` must know), or how many there are. None counts
        what was retrieved or is relevant, and leaves TN at 0.
    cutoff
        The top `cutoff` documents are the set; None takes the whole list.

    Raises
    ------
    MeasureError
        When the size of the collection is not known, or is less than what was retrieved or is relevant.

    Examples
    --------
    >>> [int(count[0]) for count in cells(JudgedRun.single(ranked=[1, 0, None], judged=[1, 1, 0, 0]), rel=1, universe="judged")]
    [1, 1, 1, 1]
    >>> [int(count[0]) for count in cells(JudgedRun.single(ranked=[1, 0, None], judged=[1, 1, 0, 0]), rel=1, universe=10)]
    [1, 2, 1, 6]
    """
    relevant = judged.n_relevant(rel)
    true = judged.count_by_topic(judged.relevant_hits(rel, cutoff).topic)
    seen = judged.count_by_topic(judged.judged_hits(cutoff).topic) if universe == "judged" else judged.depth(cutoff)
    false = seen - true
    rest = np.zeros_like(false) if universe is None else non_relevant(judged, rel, universe) - false
    if (rest < 0).any():
        needed = int((relevant + false)[rest < 0].max())
        raise MeasureError(f"universe={universe} is less than the {needed:,} documents that were retrieved or are relevant.")
    return true.astype(np.float64), false.astype(np.float64), (relevant - true).astype(np.float64), rest.astype(np.float64)


def non_relevant(judged: JudgedRun, rel: int, universe: int | str) -> Longs:
    """Return how many documents of a universe are not relevant, as the qrels know them: shape (T,); below 0 where it is too small.

    Raises
    ------
    MeasureError
        When the size of the collection is not known.
    """
    if universe == "judged":
        return judged.n_judged - judged.n_relevant(rel)
    size = judged.collection if universe == "collection" else universe
    if size is None:
        raise MeasureError(
            "universe=collection needs the size of the collection, which is not known here; write it, for example universe=1400."
        )
    return int(size) - judged.n_relevant(rel)


def _accuracy(true: Scores, false: Scores, missed: Scores, rest: Scores) -> Scores:
    return divide(true + rest, true + false + missed + rest)


def _balanced(true: Scores, false: Scores, missed: Scores, rest: Scores) -> Scores:
    return (divide(true, true + missed) + divide(rest, rest + false)) / 2


def _correlation(true: Scores, false: Scores, missed: Scores, rest: Scores) -> Scores:
    product = (true + false) * (true + missed) * (rest + false) * (rest + missed)
    # The product of four counts may be rounded, so that perfect agreement would pass 1 by a hair.
    return np.clip(divide(true * rest - false * missed, np.sqrt(product)), -1, 1)


@measure(
    "TP",
    title="True positives",
    formula="relevant in the set",
    bounds=COUNT,
    kind="set",
    summary="sum",
    top_heavy=True,
)
def true_positives(judged: JudgedRun, *, rel: Rel = 1, cutoff: MaybeCutoff = None) -> Scores:
    """Return how many documents are retrieved and relevant.

    Parameters
    ----------
    judged
        T topics.
    rel
        A document is relevant when its grade is `rel` or more.
    cutoff
        The top `cutoff` documents are the set; None takes the whole list.

    Returns
    -------
    Scores
        Shape (T,); 0 where nothing relevant was retrieved.

    Notes
    -----
    Unjudged documents are not relevant. Ties matter at the cutoff alone.

    Examples
    --------
    >>> true_positives(JudgedRun.single(ranked=[1, 0, None], judged=[1, 1]))
    array([1.])
    """
    return cells(judged, rel=rel, cutoff=cutoff)[0]


@measure(
    "FP",
    title="False positives",
    formula="in the set and not relevant (universe=judged: judged and not relevant)",
    bounds=COUNT,
    kind="set",
    summary="sum",
    exemptions=(LONGER,),
)
def false_positives(judged: JudgedRun, *, rel: Rel = 1, universe: MaybeUniverse = None, cutoff: MaybeCutoff = None) -> Scores:
    """Return how many documents are retrieved and not relevant.

    Parameters
    ----------
    judged
        T topics.
    rel
        A document is relevant when its grade is `rel` or more.
    universe
        None counts all that was retrieved; `judged` counts judged documents alone; `collection` or a number says how many there are.
    cutoff
        The top `cutoff` documents are the set; None takes the whole list.

    Returns
    -------
    Scores
        Shape (T,); 0 where nothing else was retrieved.

    Raises
    ------
    MeasureError
        When `universe` is `collection` and its size is not known, or it is less than what was retrieved or is relevant.

    Notes
    -----
    Documents that the qrels do not name are not relevant; with universe=judged they do not count.

    Examples
    --------
    >>> false_positives(JudgedRun.single(ranked=[1, 0, None], judged=[1, 1]))
    array([2.])
    """
    return cells(judged, rel=rel, universe=universe, cutoff=cutoff)[1]


@measure(
    "FN",
    title="False negatives",
    formula="relevant and not in the set",
    bounds=COUNT,
    kind="set",
    summary="sum",
)
def false_negatives(judged: JudgedRun, *, rel: Rel = 1, cutoff: MaybeCutoff = None) -> Scores:
    """Return how many documents are relevant and not retrieved.

    Parameters
    ----------
    judged
        T topics.
    rel
        A document is relevant when its grade is `rel` or more.
    cutoff
        The top `cutoff` documents are the set; None takes the whole list.

    Returns
    -------
    Scores
        Shape (T,); 0 where a topic has no relevant document.

    Notes
    -----
    Unjudged documents are not relevant. Ties matter at the cutoff alone.

    Examples
    --------
    >>> false_negatives(JudgedRun.single(ranked=[1, 0, None], judged=[1, 1]))
    array([1.])
    """
    return cells(judged, rel=rel, cutoff=cutoff)[2]


@measure(
    "TN",
    title="True negatives",
    formula="neither in the set nor relevant: U − TP − FP − FN, with U documents in the universe",
    bounds=COUNT,
    kind="set",
    summary="sum",
    exemptions=(LONGER,),
)
def true_negatives(judged: JudgedRun, *, rel: Rel = 1, universe: Universe, cutoff: MaybeCutoff = None) -> Scores:
    """Return how many documents are neither retrieved nor relevant.

    Parameters
    ----------
    judged
        T topics.
    rel
        A document is relevant when its grade is `rel` or more.
    universe
        The documents that are counted: `judged`, `collection`, or how many there are.
    cutoff
        The top `cutoff` documents are the set; None takes the whole list.

    Returns
    -------
    Scores
        Shape (T,); 0 where all others were retrieved.

    Raises
    ------
    MeasureError
        When `universe` is `collection` and its size is not known, or it is less than what was retrieved or is relevant.

    Notes
    -----
    Documents that the qrels do not name are not relevant; with universe=judged they do not count.

    Examples
    --------
    >>> true_negatives(JudgedRun.single(ranked=[1, 0, None], judged=[1, 1]), universe=10)
    array([6.])
    """
    return cells(judged, rel=rel, universe=universe, cutoff=cutoff)[3]


@measure(
    "ACC",
    title="Accuracy",
    formula="(TP + TN) / (TP + FP + FN + TN)",
    kind="set",
    micro=Pooled(cells, _accuracy),
    exemptions=(LONGER,),
)
def accuracy(judged: JudgedRun, *, rel: Rel = 1, universe: Universe, cutoff: MaybeCutoff = None) -> Scores:
    """Return which share of all documents is on the right side.

    Parameters
    ----------
    judged
        T topics.
    rel
        A document is relevant when its grade is `rel` or more.
    universe
        The documents that are counted: `judged`, `collection`, or how many there are.
    cutoff
        The top `cutoff` documents are the set; None takes the whole list.

    Returns
    -------
    Scores
        Shape (T,); 0 where the universe is empty.

    Raises
    ------
    MeasureError
        When `universe` is `collection` and its size is not known, or it is less than what was retrieved or is relevant.

    Notes
    -----
    Documents that the qrels do not name are not relevant; with universe=judged they do not count.
    Almost all documents of a collection are rightly not retrieved, so that an empty list is nearly perfect.

    Examples
    --------
    >>> accuracy(JudgedRun.single(ranked=[1, 0, None], judged=[1, 1]), universe=10).round(4)
    array([0.7])
    """
    return _accuracy(*cells(judged, rel=rel, universe=universe, cutoff=cutoff))


@measure(
    "BACC",
    title="Balanced accuracy",
    formula="(TP / (TP + FN) + TN / (TN + FP)) / 2",
    kind="set",
    micro=Pooled(cells, _balanced),
    aliases=("balanced_accuracy",),
    exemptions=(LONGER,),
)
def balanced_accuracy(judged: JudgedRun, *, rel: Rel = 1, universe: Universe, cutoff: MaybeCutoff = None) -> Scores:
    """Return the mean of the shares of relevant and of other documents that are on the right side.

    Parameters
    ----------
    judged
        T topics.
    rel
        A document is relevant when its grade is `rel` or more.
    universe
        The documents that are counted: `judged`, `collection`, or how many there are.
    cutoff
        The top `cutoff` documents are the set; None takes the whole list.

    Returns
    -------
    Scores
        Shape (T,); each share is 0 where there is no such document.

    Raises
    ------
    MeasureError
        When `universe` is `collection` and its size is not known, or it is less than what was retrieved or is relevant.

    Notes
    -----
    Documents that the qrels do not name are not relevant; with universe=judged they do not count.

    Examples
    --------
    >>> balanced_accuracy(JudgedRun.single(ranked=[1, 0, None], judged=[1, 1]), universe=10).round(4)
    array([0.625])
    """
    return _balanced(*cells(judged, rel=rel, universe=universe, cutoff=cutoff))


@measure(
    "MCC",
    title="Matthews correlation coefficient",
    formula="(TP·TN − FP·FN) / √((TP + FP)·(TP + FN)·(TN + FP)·(TN + FN))",
    bounds=(-1, 1),
    kind="set",
    micro=Pooled(cells, _correlation),
    exemptions=(LONGER,),
)
def matthews_correlation(judged: JudgedRun, *, rel: Rel = 1, universe: Universe, cutoff: MaybeCutoff = None) -> Scores:
    """Return the correlation between being retrieved and being relevant.

    Parameters
    ----------
    judged
        T topics.
    rel
        A document is relevant when its grade is `rel` or more.
    universe
        The documents that are counted: `judged`, `collection`, or how many there are.
    cutoff
        The top `cutoff` documents are the set; None takes the whole list.

    Returns
    -------
    Scores
        Shape (T,); between -1 and 1; 0 where a row or column of the matrix is empty.

    Raises
    ------
    MeasureError
        When `universe` is `collection` and its size is not known, or it is less than what was retrieved or is relevant.

    Notes
    -----
    Documents that the qrels do not name are not relevant; with universe=judged they do not count.

    References
    ----------
    Matthews (1975), Comparison of the predicted and observed secondary structure of T4 phage lysozyme, BBA 405(2), 442–451.

    Examples
    --------
    >>> matthews_correlation(JudgedRun.single(ranked=[1, 0, None], judged=[1, 1]), universe=10).round(4)
    array([0.2182])
    """
    return _correlation(*cells(judged, rel=rel, universe=universe, cutoff=cutoff))
