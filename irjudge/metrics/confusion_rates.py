"""Shares of the rows and columns of the confusion matrix."""

from irjudge.metrics.confusion import LONGER, MaybeUniverse, Universe, cells
from irjudge.metrics.judged import JudgedRun, Scores, divide
from irjudge.metrics.parameters import MaybeCutoff, Rel
from irjudge.metrics.registry import Pooled, measure


def _specificity(judged: JudgedRun, *, rel: int, universe: int | str, cutoff: int | None) -> tuple[Scores, Scores]:
    _, false, _, rest = cells(judged, rel=rel, universe=universe, cutoff=cutoff)
    return rest, rest + false


def _fall_out(judged: JudgedRun, *, rel: int, universe: int | str, cutoff: int | None) -> tuple[Scores, Scores]:
    _, false, _, rest = cells(judged, rel=rel, universe=universe, cutoff=cutoff)
    return false, rest + false


def _negative_prediction(judged: JudgedRun, *, rel: int, universe: int | str, cutoff: int | None) -> tuple[Scores, Scores]:
    _, _, missed, rest = cells(judged, rel=rel, universe=universe, cutoff=cutoff)
    return rest, rest + missed


def _false_omission(judged: JudgedRun, *, rel: int, universe: int | str, cutoff: int | None) -> tuple[Scores, Scores]:
    _, _, missed, rest = cells(judged, rel=rel, universe=universe, cutoff=cutoff)
    return missed, rest + missed


def _false_discovery(judged: JudgedRun, *, rel: int, universe: int | str | None, cutoff: int | None) -> tuple[Scores, Scores]:
    true, false, _, _ = cells(judged, rel=rel, universe=universe, cutoff=cutoff)
    return false, true + false


def _miss(judged: JudgedRun, *, rel: int, cutoff: int | None) -> tuple[Scores, Scores]:
    true, _, missed, _ = cells(judged, rel=rel, cutoff=cutoff)
    return missed, true + missed


@measure(
    "TNR",
    title="True negative rate",
    formula="TN / (TN + FP)",
    kind="set",
    micro=Pooled(_specificity),
    aliases=("specificity",),
    exemptions=(LONGER,),
)
def true_negative_rate(judged: JudgedRun, *, rel: Rel = 1, universe: Universe, cutoff: MaybeCutoff = None) -> Scores:
    """Return which share of the documents that are not relevant was not retrieved.

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
        Shape (T,); 0 where all documents are relevant.

    Raises
    ------
    MeasureError
        When `universe` is `collection` and its size is not known, or it is less than what was retrieved or is relevant.

    Notes
    -----
    Documents that the qrels do not name are not relevant; with universe=judged they do not count.

    Examples
    --------
    >>> true_negative_rate(JudgedRun.single(ranked=[1, 0, None], judged=[1, 1]), universe=10).round(4)
    array([0.75])
    """
    return divide(*_specificity(judged, rel=rel, universe=universe, cutoff=cutoff))


@measure(
    "FPR",
    title="False positive rate",
    formula="FP / (FP + TN)",
    kind="set",
    micro=Pooled(_fall_out),
    aliases=("fallout",),
    exemptions=(LONGER,),
)
def false_positive_rate(judged: JudgedRun, *, rel: Rel = 1, universe: Universe, cutoff: MaybeCutoff = None) -> Scores:
    """Return which share of the documents that are not relevant was retrieved.

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
        Shape (T,); 0 where all documents are relevant.

    Raises
    ------
    MeasureError
        When `universe` is `collection` and its size is not known, or it is less than what was retrieved or is relevant.

    Notes
    -----
    Documents that the qrels do not name are not relevant; with universe=judged they do not count.

    Examples
    --------
    >>> false_positive_rate(JudgedRun.single(ranked=[1, 0, None], judged=[1, 1]), universe=10).round(4)
    array([0.25])
    """
    return divide(*_fall_out(judged, rel=rel, universe=universe, cutoff=cutoff))


@measure(
    "NPV",
    title="Negative predictive value",
    formula="TN / (TN + FN)",
    kind="set",
    micro=Pooled(_negative_prediction),
    exemptions=(LONGER,),
)
def negative_predictive_value(judged: JudgedRun, *, rel: Rel = 1, universe: Universe, cutoff: MaybeCutoff = None) -> Scores:
    """Return which share of the documents that were not retrieved is rightly not.

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
        Shape (T,); 0 where everything was retrieved.

    Raises
    ------
    MeasureError
        When `universe` is `collection` and its size is not known, or it is less than what was retrieved or is relevant.

    Notes
    -----
    Documents that the qrels do not name are not relevant; with universe=judged they do not count.

    Examples
    --------
    >>> negative_predictive_value(JudgedRun.single(ranked=[1, 0, None], judged=[1, 1]), universe=10).round(4)
    array([0.8571])
    """
    return divide(*_negative_prediction(judged, rel=rel, universe=universe, cutoff=cutoff))


@measure(
    "FOR",
    title="False omission rate",
    formula="FN / (FN + TN)",
    kind="set",
    micro=Pooled(_false_omission),
    exemptions=(LONGER,),
)
def false_omission_rate(judged: JudgedRun, *, rel: Rel = 1, universe: Universe, cutoff: MaybeCutoff = None) -> Scores:
    """Return which share of the documents that were not retrieved is relevant.

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
        Shape (T,); 0 where everything was retrieved.

    Raises
    ------
    MeasureError
        When `universe` is `collection` and its size is not known, or it is less than what was retrieved or is relevant.

    Notes
    -----
    Documents that the qrels do not name are not relevant; with universe=judged they do not count.

    Examples
    --------
    >>> false_omission_rate(JudgedRun.single(ranked=[1, 0, None], judged=[1, 1]), universe=10).round(4)
    array([0.1429])
    """
    return divide(*_false_omission(judged, rel=rel, universe=universe, cutoff=cutoff))


@measure(
    "FDR",
    title="False discovery rate",
    formula="FP / (TP + FP)",
    kind="set",
    micro=Pooled(_false_discovery),
    exemptions=(LONGER,),
)
def false_discovery_rate(judged: JudgedRun, *, rel: Rel = 1, universe: MaybeUniverse = None, cutoff: MaybeCutoff = None) -> Scores:
    """Return which share of the retrieved documents is not relevant.

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
        Shape (T,); 0 where nothing was retrieved, so that it is not 1 − precision there.

    Raises
    ------
    MeasureError
        When `universe` is `collection` and its size is not known, or it is less than what was retrieved or is relevant.

    Notes
    -----
    Documents that the qrels do not name are not relevant; with universe=judged they do not count.

    Examples
    --------
    >>> false_discovery_rate(JudgedRun.single(ranked=[1, 0, None], judged=[1, 1])).round(4)
    array([0.6667])
    """
    return divide(*_false_discovery(judged, rel=rel, universe=universe, cutoff=cutoff))


@measure(
    "FNR",
    title="False negative rate",
    formula="FN / (TP + FN)",
    kind="set",
    micro=Pooled(_miss),
    aliases=("miss_rate",),
)
def false_negative_rate(judged: JudgedRun, *, rel: Rel = 1, cutoff: MaybeCutoff = None) -> Scores:
    """Return which share of the relevant documents was not retrieved.

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
        Shape (T,); 0 where a topic has no relevant document, so that it is not 1 − recall there.

    Notes
    -----
    Unjudged documents are not relevant. Ties matter at the cutoff alone.

    Examples
    --------
    >>> false_negative_rate(JudgedRun.single(ranked=[1, 0, None], judged=[1, 1])).round(4)
    array([0.5])
    """
    return divide(*_miss(judged, rel=rel, cutoff=cutoff))
