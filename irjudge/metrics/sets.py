"""Set measures: the retrieved documents as a set, their order ignored."""

import math
from typing import Annotated, TypeAlias

from irjudge.metrics.counts import number_relevant_retrieved
from irjudge.metrics.judged import JudgedRun, Scores, divide
from irjudge.metrics.parameters import MaybeCutoff, Range, Rel
from irjudge.metrics.registry import Alias, Exemption, measure

Beta: TypeAlias = Annotated[float, Range(0, 1e6)]
LONGER = Exemption("tail", "a longer list is less precise")


@measure(
    "SetP",
    title="Set precision",
    formula="relevant retrieved / retrieved",
    kind="set",
    aliases=("set_P",),
    exemptions=(LONGER,),
)
def set_precision(judged: JudgedRun, *, rel: Rel = 1, cutoff: MaybeCutoff = None) -> Scores:
    """Return which share of the retrieved documents is relevant.

    Parameters
    ----------
    judged
        T topics.
    rel
        A document is relevant when its grade is `rel` or more.
    cutoff
        The top `cutoff` documents are the set; None takes the whole list. Divided by the size of the set, unlike P@k.

    Returns
    -------
    Scores
        Shape (T,); 0 where nothing was retrieved.

    Notes
    -----
    Unjudged documents are not relevant. Ties matter at the cutoff alone.

    Examples
    --------
    >>> set_precision(JudgedRun.single(ranked=[1, None, 0, 2]))
    array([0.5])
    """
    return divide(number_relevant_retrieved(judged, rel=rel, cutoff=cutoff), judged.depth(cutoff))


@measure("SetR", title="Set recall", formula="relevant retrieved / relevant", kind="set", aliases=("set_R", "set_recall"))
def set_recall(judged: JudgedRun, *, rel: Rel = 1, cutoff: MaybeCutoff = None) -> Scores:
    """Return which share of the relevant documents was retrieved.

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
    >>> set_recall(JudgedRun.single(ranked=[1, None, 0, 2], judged=[1, 1, 2, 2]))
    array([0.5])
    """
    return divide(number_relevant_retrieved(judged, rel=rel, cutoff=cutoff), judged.n_relevant(rel))


@measure(
    "SetF",
    title="F measure",
    formula="(1 + beta²)·P·R / (beta²·P + R), with set precision P and set recall R",
    kind="set",
    # trec_eval's set_F.x takes x = beta².
    aliases=(Alias("set_F", suffix="beta", convert=math.sqrt),),
    exemptions=(LONGER,),
)
def set_f(judged: JudgedRun, *, rel: Rel = 1, beta: Beta = 1.0, cutoff: MaybeCutoff = None) -> Scores:
    """Return the weighted harmonic mean of set precision and set recall.

    Parameters
    ----------
    judged
        T topics.
    rel
        A document is relevant when its grade is `rel` or more.
    beta
        0 gives precision, large values recall: recall weighs beta² times as much as precision.
    cutoff
        The top `cutoff` documents are the set; None takes the whole list.

    Returns
    -------
    Scores
        Shape (T,); 0 where no relevant document was retrieved.

    Notes
    -----
    Computed from counts, as (1 + beta²)·relevant retrieved / (beta²·relevant + retrieved), which is the same number.

    References
    ----------
    van Rijsbergen (1979), Information Retrieval, 2nd ed., Butterworths, ch. 7.

    Examples
    --------
    >>> set_f(JudgedRun.single(ranked=[1, 0], judged=[1, 1, 1])).round(4)
    array([0.4])
    """
    found = number_relevant_retrieved(judged, rel=rel, cutoff=cutoff)
    return divide((1 + beta**2) * found, beta**2 * judged.n_relevant(rel) + judged.depth(cutoff))
