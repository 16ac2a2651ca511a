"""Set measures: precision, recall, F, E and utility of the retrieved set."""

import math
from dataclasses import replace
from typing import Annotated, TypeAlias

import numpy as np

from irjudge.errors import MeasureError
from irjudge.message import Message
from irjudge.metrics.counts import MatrixUniverse
from irjudge.metrics.judged import JudgedRun, Scores, divide
from irjudge.metrics.measure_bounds import Interval, OpenRun, register_bounds
from irjudge.metrics.registry import (
    Alias,
    Cutoff,
    Exemption,
    MicroAverage,
    Range,
    Rel,
    SetCutoff,
    format_value,
    measure,
)
from irjudge.metrics.worked_example import (
    ExampleTopic,
    WorkedExample,
    count_at_ranks,
    describe_cutoff,
    describe_relevance,
    describe_relevant,
    explains,
    format_number,
    format_quotient,
    is_relevant,
)

# Set measures: the retrieved documents as a set, regardless of order

Beta: TypeAlias = Annotated[
    float,
    Range(0, 1e6),
    (
        "Recall is weighted beta² times as much as precision: with beta = 0, the measure is "
        "precision; for large beta, it approaches recall."
    ),
]
Alpha: TypeAlias = Annotated[
    float | None,
    Range(0, 1),
    "Weight of precision, given instead of `beta`; alpha = 1 / (1 + beta²).",
]
Weight: TypeAlias = Annotated[float, Range(-1e9, 1e9)]
LONGER_LIST_EXEMPTION = Exemption("tail", "a longer list is less precise")


def _count_hits_relevant_and_retrieved(
    run: JudgedRun, *, rel: int, cutoff: int | None = None, **_: float
) -> tuple[Scores, Scores, Scores]:
    hits = run.count_relevant_retrieved(rel, cutoff).astype(np.float64)
    return (
        hits,
        run.n_relevant(rel).astype(np.float64),
        run.count_retrieved(cutoff).astype(np.float64),
    )


def _compute_precision_counts(
    run: JudgedRun, *, rel: int, cutoff: int | None
) -> tuple[Scores, Scores]:
    hits, _, retrieved = _count_hits_relevant_and_retrieved(run, rel=rel, cutoff=cutoff)
    return hits, retrieved


def _compute_recall_counts(
    run: JudgedRun, *, rel: int, cutoff: int | None
) -> tuple[Scores, Scores]:
    hits, relevant, _ = _count_hits_relevant_and_retrieved(run, rel=rel, cutoff=cutoff)
    return hits, relevant


def _compute_relative_precision_counts(
    run: JudgedRun, *, rel: int, cutoff: int | None
) -> tuple[Scores, Scores]:
    hits, relevant, retrieved = _count_hits_relevant_and_retrieved(run, rel=rel, cutoff=cutoff)
    return hits, np.minimum(relevant, retrieved)


def precision_weight(beta: float, alpha: float | None) -> float:
    """Return the weight of precision: alpha, or 1 / (1 + beta²) if alpha is not given.

    Raises MeasureError if both are given.

    >>> precision_weight(1.0, None), precision_weight(1.0, 0.2)
    (0.5, 0.2)
    """
    if alpha is None:
        return 1 / (1 + beta**2)
    if beta != 1:
        raise MeasureError(
            "Give beta or alpha = 1 / (1 + beta²), not both: got beta={beta:g} and "
            "alpha={alpha:g}.",
            beta=beta,
            alpha=alpha,
        )
    return alpha


def _compute_set_f_counts(
    run: JudgedRun, *, rel: int, beta: float, alpha: float | None, cutoff: int | None
) -> tuple[Scores, Scores]:
    hits, relevant, retrieved = _count_hits_relevant_and_retrieved(run, rel=rel, cutoff=cutoff)
    if alpha is None:
        return (1 + beta**2) * hits, beta**2 * relevant + retrieved
    weight = precision_weight(beta, alpha)
    return hits, weight * retrieved + (1 - weight) * relevant


def _compute_precision_times_recall(hits: Scores, relevant: Scores, retrieved: Scores) -> Scores:
    return divide(hits * hits, relevant * retrieved)


@measure(
    "SetP",
    title="Set precision",
    formula="relevant documents retrieved / all documents retrieved",
    kind="set",
    micro=MicroAverage(_compute_precision_counts),
    aliases=("set_P",),
    exemptions=(LONGER_LIST_EXEMPTION,),
    condensed=True,
)
def set_precision(run: JudgedRun, *, rel: Rel = 1, cutoff: SetCutoff = None) -> Scores:
    """Return the share of retrieved documents that are relevant.

    Parameters
    ----------
    cutoff
        The set consists of the top `cutoff` documents; without a cutoff, of the whole list. The
        count is divided by the size of the set, not by `cutoff` as in P@k.

    Returns
    -------
    Scores
        Shape (T,); 0 where nothing was retrieved.

    Notes
    -----
    Unjudged documents count as not relevant. Ties matter only at the cutoff.

    Examples
    --------
    >>> set_precision(JudgedRun.single(ranked=[1, None, 0, 2]))
    array([0.5])
    """
    return divide(*_compute_precision_counts(run, rel=rel, cutoff=cutoff))


@explains("SetP")
def explain_set_precision(example: ExampleTopic, *, rel: int, cutoff: int | None) -> WorkedExample:
    """Explain SetP: the share of the retrieved documents that is relevant."""
    total, count_rows = count_at_ranks(
        example, cutoff, "found", lambda grade: is_relevant(grade, rel)
    )
    step, value = format_quotient(
        Message("P = relevant retrieved / retrieved"),
        total,
        len(example.top_grades(cutoff)),
        Message("the number of documents retrieved"),
    )
    return WorkedExample(
        (describe_relevance(rel), describe_cutoff(example, cutoff), step),
        value,
        count_rows.columns,
        count_rows.rows,
        count_rows.hits,
    )


@measure(
    "SetR",
    title="Set recall",
    formula="relevant documents retrieved / all relevant documents",
    kind="set",
    micro=MicroAverage(_compute_recall_counts),
    aliases=("set_R", "set_recall"),
)
def set_recall(run: JudgedRun, *, rel: Rel = 1, cutoff: SetCutoff = None) -> Scores:
    """Return the share of relevant documents that were retrieved.

    Returns
    -------
    Scores
        Shape (T,); 0 where a topic has no relevant document.

    Notes
    -----
    Unjudged documents count as not relevant. Ties matter only at the cutoff.

    Examples
    --------
    >>> set_recall(JudgedRun.single(ranked=[1, None, 0, 2], judged=[1, 1, 2, 2]))
    array([0.5])
    """
    return divide(*_compute_recall_counts(run, rel=rel, cutoff=cutoff))


@explains("SetR")
def explain_set_recall(example: ExampleTopic, *, rel: int, cutoff: int | None) -> WorkedExample:
    """Explain SetR: the share of the relevant documents that is retrieved."""
    total, count_rows = count_at_ranks(
        example, cutoff, "found", lambda grade: is_relevant(grade, rel)
    )
    step, value = format_quotient(
        Message("R = relevant retrieved / relevant"),
        total,
        example.count_relevant(rel),
        Message("the number of relevant documents"),
    )
    steps = (
        describe_relevance(rel),
        describe_cutoff(example, cutoff),
        describe_relevant(example, rel, ""),
        step,
    )
    return WorkedExample(steps, value, count_rows.columns, count_rows.rows, count_rows.hits)


@measure(
    "SetF",
    title="F measure",
    formula="(1 + beta²)·P·R / (beta²·P + R), with set precision P and set recall R; alpha = 1 / (1 + beta²)",
    kind="set",
    micro=MicroAverage(_compute_set_f_counts),
    # in trec_eval's set_F.x, x is beta²
    aliases=(Alias("set_F", suffix="beta", convert=math.sqrt),),
    exemptions=(LONGER_LIST_EXEMPTION,),
    condensed=True,
)
def set_f(
    run: JudgedRun,
    *,
    rel: Rel = 1,
    beta: Beta = 1.0,
    alpha: Alpha = None,
    cutoff: SetCutoff = None,
) -> Scores:
    """Return the weighted harmonic mean of set precision and set recall.

    Returns
    -------
    Scores
        Shape (T,); 0 where no relevant document was retrieved.

    Notes
    -----
    The value is computed from precision and recall as in trec_eval, to the last digit: 13 relevant
    of 25 retrieved and 39 relevant documents give 0.40625000000000006, printed as 0.4063, although 26/64
    is exactly 0.40625. With alpha, and when pooled over topics, it is computed from counts.

    References
    ----------
    van Rijsbergen (1979), Information Retrieval, 2nd ed., Butterworths, ch. 7.

    Examples
    --------
    >>> set_f(JudgedRun.single(ranked=[1, 0], judged=[1, 1, 1])).round(4)
    array([0.4])
    """
    if alpha is not None:
        return divide(*_compute_set_f_counts(run, rel=rel, beta=beta, alpha=alpha, cutoff=cutoff))
    hits, relevant, retrieved = _count_hits_relevant_and_retrieved(run, rel=rel, cutoff=cutoff)
    precision, recall, weight = divide(hits, retrieved), divide(hits, relevant), beta**2
    return divide((weight + 1) * precision * recall, weight * precision + recall)


@explains("SetF")
def explain_set_f(
    example: ExampleTopic, *, rel: int, beta: float, alpha: float | None, cutoff: int | None
) -> WorkedExample:
    """Explain SetF: the weighted harmonic mean of set precision and set recall."""
    return explain_f(example, rel, cutoff, len(example.top_grades(cutoff)), beta=beta, alpha=alpha)


@measure(
    "SetRelP",
    title="Relative set precision",
    formula=(
        "relevant documents retrieved / min(n, R), where n is the number of documents "
        "retrieved and R the number of relevant documents"
    ),
    kind="set",
    micro=MicroAverage(_compute_relative_precision_counts),
    aliases=("set_relative_P",),
    exemptions=(LONGER_LIST_EXEMPTION,),
    condensed=True,
)
def set_relative_precision(run: JudgedRun, *, rel: Rel = 1, cutoff: SetCutoff = None) -> Scores:
    """Return set precision divided by the highest possible set precision for a set of that size.

    Returns
    -------
    Scores
        Shape (T,); 0 where nothing was retrieved or nothing is relevant; trec_eval prints nan if
        nothing is relevant.

    Notes
    -----
    Unjudged documents count as not relevant. A list shorter than k is compared with a perfect list
    of its own length, unlike in RelP@k.

    Examples
    --------
    >>> set_relative_precision(JudgedRun.single(ranked=[1, 0, 1], judged=[1, 1, 1, 1])).round(4)
    array([0.6667])
    """
    return divide(*_compute_relative_precision_counts(run, rel=rel, cutoff=cutoff))


@measure(
    "SetAP",
    title="Set average precision",
    formula="P·R, with set precision P and set recall R",
    kind="set",
    micro=MicroAverage(_count_hits_relevant_and_retrieved, _compute_precision_times_recall),
    aliases=("set_map",),
    exemptions=(LONGER_LIST_EXEMPTION,),
    condensed=True,
)
def set_average_precision(run: JudgedRun, *, rel: Rel = 1, cutoff: SetCutoff = None) -> Scores:
    """Return the average precision of a set: every relevant document in it contributes the set's
    precision.

    Returns
    -------
    Scores
        Shape (T,); 0 where nothing was retrieved or nothing is relevant.

    Notes
    -----
    Relevant documents outside the set count as 0. Unjudged documents count as not relevant.

    Examples
    --------
    >>> set_average_precision(JudgedRun.single(ranked=[1, 0], judged=[1, 1]))
    array([0.25])
    """
    return _compute_precision_times_recall(
        *_count_hits_relevant_and_retrieved(run, rel=rel, cutoff=cutoff)
    )


@measure(
    "Utility",
    title="Linear utility",
    formula=(
        "a·TP + b·FP + c·FN + d·TN; TP: relevant documents retrieved; FP: other documents "
        "retrieved; FN: relevant documents not retrieved; TN: all other documents in the "
        "universe"
    ),
    bounds=(-math.inf, math.inf),
    kind="set",
    # trec_eval's utility.2,-1,0,0 sets the four weights
    aliases=(Alias("Utility", suffix=("a", "b", "c", "d")),),
    exemptions=(Exemption("tail", "every retrieved document has a weight"),),
)
def utility(
    run: JudgedRun,
    *,
    rel: Rel = 1,
    a: Weight = 1.0,
    b: Weight = -1.0,
    c: Weight = 0.0,
    d: Weight = 0.0,
    universe: Annotated[int | None, Range(0)] = None,
) -> Scores:
    """Return the utility of a set: a weighted sum of its true positives, false positives, false
    negatives and true negatives.

    Parameters
    ----------
    a, b
        Weights of relevant and of non-relevant documents that were retrieved.
    c, d
        Weights of relevant and of non-relevant documents that were not retrieved.
    universe
        Number of documents in the collection; required if `d` is not 0.

    Returns
    -------
    Scores
        Shape (T,), any number; c·R where nothing was retrieved and d is 0.

    Raises
    ------
    MeasureError
        If `d` is not 0 and `universe` is not given, or is smaller than the number of documents that
        were retrieved or are relevant.

    Notes
    -----
    Unjudged documents count as not relevant. The value of a run is the mean over the topics, as in
    trec_eval.

    Examples
    --------
    >>> utility(JudgedRun.single(ranked=[1, 0, 0], judged=[1, 1]), a=2.0)
    array([0.])
    """
    hits, relevant, retrieved = _count_hits_relevant_and_retrieved(run, rel=rel)
    value = a * hits + b * (retrieved - hits) + c * (relevant - hits)
    if d == 0:
        return value
    if universe is None:
        raise MeasureError(
            "If d is not 0, Utility needs the number of documents in the collection, for "
            "example Utility(d=0.1,universe=1400)."
        )
    unretrieved_non_relevant = universe - (retrieved + relevant - hits)
    if (unretrieved_non_relevant < 0).any():
        raise MeasureError(
            "Utility: universe={universe} is less than the number of retrieved or relevant "
            "documents ({documents}).",
            universe=universe,
            documents=int(universe - unretrieved_non_relevant.min()),
        )
    return value + d * unretrieved_non_relevant


def explain_f(
    example: ExampleTopic,
    rel: int,
    cutoff: int | None,
    size: int,
    *,
    beta: float,
    alpha: float | None = None,
) -> WorkedExample:
    """Return the worked example of F, in which `size` is the divisor of precision."""
    total, count_rows = count_at_ranks(
        example, cutoff, "found", lambda grade: is_relevant(grade, rel)
    )
    first, precision = format_quotient(
        "P", total, size, Message("the number of documents examined")
    )
    recall_step, recall = format_quotient(
        "R", total, example.count_relevant(rel), Message("the number of relevant documents")
    )
    if alpha is None:
        weight = beta * beta
        formula = f"(1 + {format_value(beta)}²)·P·R / ({format_value(beta)}²·P + R)"
        numerator = (1 + weight) * precision * recall
        denominator = weight * precision + recall
    else:
        formula = f"P·R / ({format_value(alpha)}·R + {format_value(1 - alpha)}·P)"
        numerator = precision * recall
        denominator = alpha * recall + (1 - alpha) * precision
    value = numerator / denominator if denominator else 0.0
    last_step = (
        f"F = {formula} = {format_number(numerator)} / {format_number(denominator)} = {format_number(value)}"
        if denominator
        else Message("F = {formula} = 0, because P and R are 0", formula=formula)
    )
    steps = (
        describe_relevance(rel),
        describe_cutoff(example, cutoff),
        describe_relevant(example, rel, ""),
        first,
        recall_step,
        last_step,
    )
    return WorkedExample(steps, value, count_rows.columns, count_rows.rows, count_rows.hits)


# Precision and recall combined: F and E at a rank, the break-even point, and the arithmetic mean


@measure(
    "APmin",
    title="Lowest possible average precision",
    better="neither",
    formula=(
        "(1/R) Σ over i = 1 … R of i / (i + N): all N non-relevant documents are ranked "
        "above the R relevant ones"
    ),
)
def lowest_average_precision(run: JudgedRun, *, rel: Rel = 1, universe: MatrixUniverse) -> Scores:
    """Return the average precision of the worst ranking of all documents.

    Parameters
    ----------
    universe
        Documents to rank: `judged`, `collection`, or a number of documents.

    Returns
    -------
    Scores
        Shape (T,); 0 where a topic has no relevant document, 1 where every document is relevant.

    Raises
    ------
    MeasureError
        If `universe` is `collection` and its size is unknown, or if the universe has fewer
        documents than are relevant.

    Notes
    -----
    The value depends only on the qrels, not on the run. Documents that are not in the qrels count
    as not relevant; with universe=judged they are ignored.

    References
    ----------
    Boyd, Costa, Davis and Page (2012), Unachievable region in precision-recall space and its effect on empirical evaluation, ICML.

    Examples
    --------
    >>> lowest_average_precision(JudgedRun.single(ranked=[], judged=[1, 1, 0, 0]), universe="judged").round(4)
    array([0.4167])
    """
    non_relevant = run.count_non_relevant(rel, universe)
    if (non_relevant < 0).any():
        raise MeasureError(
            "universe={universe} is less than the number of relevant documents ({documents:,}).",
            universe=universe,
            documents=int(run.n_relevant(rel).max()),
        )
    relevant = run.judged_grades >= rel
    # Grades descend within a topic, so the relevant documents have indexes 1 to R
    topic, position = run.judged_topic[relevant], run.judged_position[relevant]
    return divide(
        run.sum_by_topic(topic, position / (position + non_relevant[topic])),
        run.n_relevant(rel).astype(np.float64),
    )


def _compute_f_counts(
    run: JudgedRun,
    rel: int,
    beta: float,
    alpha: float | None,
    retrieved: Scores,
    cutoff: int | None,
) -> tuple[Scores, Scores]:
    weight = precision_weight(beta, alpha)
    hits = run.count_relevant_retrieved(rel, cutoff).astype(np.float64)
    # P·R / (alpha·R + (1 − alpha)·P), with P = hits / retrieved and R = hits / relevant.
    return hits, weight * retrieved + (1 - weight) * run.n_relevant(rel)


def _compute_f_parts_at_cutoff(
    run: JudgedRun, *, rel: int, beta: float, alpha: float | None, cutoff: int
) -> tuple[Scores, Scores]:
    return _compute_f_counts(run, rel, beta, alpha, np.full(len(run), float(cutoff)), cutoff)


def _compute_f_parts_of_set(
    run: JudgedRun, *, rel: int, beta: float, alpha: float | None, cutoff: int | None
) -> tuple[Scores, Scores]:
    return _compute_f_counts(
        run, rel, beta, alpha, run.count_retrieved(cutoff).astype(np.float64), cutoff
    )


def _compute_f_bounds(
    run: OpenRun, rel: int, weight: float, size: Scores, cutoff: int | None
) -> Interval:
    """Return the bounds of F.

    For the lower bound, the relevant open documents are those outside the top k; for the upper
    bound, those inside it. `weight` is the weight of precision; `size`, shape (T,), is the divisor
    of precision.
    """
    run = run.upto(cutoff, rel)
    hits = run.judged.count_relevant_retrieved(rel, cutoff)
    relevant, open_count = run.judged.n_relevant(rel), run.judged.count_by_topic(run.topic)
    recall_weight = 1 - weight
    # in the world `open`, any number of relevant documents may be unretrieved
    unretrieved = run.unretrieved_open * recall_weight if recall_weight else np.zeros(len(size))
    denominator = weight * size + recall_weight * relevant
    return Interval(
        divide(hits, denominator + unretrieved),
        divide(hits + open_count, denominator + recall_weight * open_count),
    )


@register_bounds("F")
def f_at_rank_bounds(
    run: OpenRun, *, rel: int, beta: float, alpha: float | None, cutoff: int
) -> Interval:
    """Return the bounds of F@k; see `_compute_f_bounds`."""
    return _compute_f_bounds(
        run, rel, precision_weight(beta, alpha), np.full(len(run.judged), float(cutoff)), cutoff
    )


@register_bounds("SetF")
def set_f_bounds(
    run: OpenRun, *, rel: int, beta: float, alpha: float | None, cutoff: int | None
) -> Interval:
    """Return the bounds of SetF; see `_compute_f_bounds`."""
    return _compute_f_bounds(
        run,
        rel,
        precision_weight(beta, alpha),
        run.judged.count_retrieved(cutoff).astype(np.float64),
        cutoff,
    )


@register_bounds("E")
def e_at_rank_bounds(
    run: OpenRun, *, rel: int, beta: float, alpha: float | None, cutoff: int
) -> Interval:
    """Return the bounds of E: 1 minus the bounds of F."""
    bounds = f_at_rank_bounds(run, rel=rel, beta=beta, alpha=alpha, cutoff=cutoff)
    return Interval(1 - bounds.high, 1 - bounds.low)


@register_bounds("SetE")
def set_e_bounds(
    run: OpenRun, *, rel: int, beta: float, alpha: float | None, cutoff: int | None
) -> Interval:
    """Return the bounds of SetE: 1 minus the bounds of SetF."""
    bounds = set_f_bounds(run, rel=rel, beta=beta, alpha=alpha, cutoff=cutoff)
    return Interval(1 - bounds.high, 1 - bounds.low)


def _compute_complement(numerator: Scores, denominator: Scores) -> Scores:
    return 1 - divide(numerator, denominator)


@measure(
    "SetE",
    title="E measure",
    better="lower",
    formula="1 − SetF = 1 − (1 + beta²)·P·R / (beta²·P + R), with set precision P and set recall R; alpha = 1 / (1 + beta²)",
    kind="set",
    micro=MicroAverage(_compute_f_parts_of_set, _compute_complement),
    exemptions=(LONGER_LIST_EXEMPTION,),
)
def set_e(
    run: JudgedRun,
    *,
    rel: Rel = 1,
    beta: Beta = 1.0,
    alpha: Alpha = None,
    cutoff: SetCutoff = None,
) -> Scores:
    """Return the distance of a set from perfect effectiveness; lower is better.

    Parameters
    ----------
    beta
        Recall is weighted beta² times as much as precision: with beta = 0, the measure is 1 −
        precision; for large beta, it approaches 1 − recall.

    Returns
    -------
    Scores
        Shape (T,); 1 where no relevant document was retrieved.

    Notes
    -----
    Unjudged documents count as not relevant. Some textbooks say that b > 1 favours precision; the
    limits of the formula show that it favours recall.

    References
    ----------
    van Rijsbergen (1979), Information Retrieval, 2nd ed., Butterworths, ch. 7.

    Examples
    --------
    >>> set_e(JudgedRun.single(ranked=[1, 0], judged=[1, 1, 1])).round(4)
    array([0.6])
    """
    return _compute_complement(
        *_compute_f_parts_of_set(run, rel=rel, beta=beta, alpha=alpha, cutoff=cutoff)
    )


@explains("SetE")
def explain_set_e(
    example: ExampleTopic, *, rel: int, beta: float, alpha: float | None, cutoff: int | None
) -> WorkedExample:
    """Explain SetE: 1 minus the weighted harmonic mean of set precision and set recall."""
    return explain_complement(
        explain_f(example, rel, cutoff, len(example.top_grades(cutoff)), beta=beta, alpha=alpha)
    )


@measure(
    "SetMeanPR",
    title="Arithmetic mean of precision and recall",
    formula="(P + R) / 2, with set precision P and set recall R",
    kind="set",
    exemptions=(LONGER_LIST_EXEMPTION,),
)
def set_mean(run: JudgedRun, *, rel: Rel = 1, cutoff: SetCutoff = None) -> Scores:
    """Return the arithmetic mean of set precision and set recall, for comparison with F, which uses
    the harmonic mean.

    Returns
    -------
    Scores
        Shape (T,); 0 where no relevant document was retrieved.

    Notes
    -----
    A run that retrieves all documents scores at least 0.5. Unjudged documents count as not
    relevant.

    Examples
    --------
    >>> set_mean(JudgedRun.single(ranked=[1, 0, 0, 0], judged=[1]))
    array([0.625])
    """
    return (
        set_precision(run, rel=rel, cutoff=cutoff) + set_recall(run, rel=rel, cutoff=cutoff)
    ) / 2


@measure(
    "F",
    title="F measure at a rank",
    formula="(1 + beta²)·P·R / (beta²·P + R), with P = P@k and R = R@k; alpha = 1 / (1 + beta²)",
    micro=MicroAverage(_compute_f_parts_at_cutoff),
    aliases=("f1",),
    top_heavy=True,
)
def f_at_rank(
    run: JudgedRun, *, rel: Rel = 1, beta: Beta = 1.0, alpha: Alpha = None, cutoff: Cutoff
) -> Scores:
    """Return the weighted harmonic mean of precision and recall in the top k.

    Returns
    -------
    Scores
        Shape (T,); 0 where the top k has no relevant document.

    Notes
    -----
    The count is divided by k even if fewer documents were retrieved; SetF@k divides by the number
    retrieved. Unjudged documents count as not relevant.

    References
    ----------
    van Rijsbergen (1979), Information Retrieval, 2nd ed., Butterworths, ch. 7.

    Examples
    --------
    >>> f_at_rank(JudgedRun.single(ranked=[1, 0], judged=[1, 1, 1]), cutoff=2).round(4)
    array([0.4])
    """
    return divide(*_compute_f_parts_at_cutoff(run, rel=rel, beta=beta, alpha=alpha, cutoff=cutoff))


@explains("F")
def explain_f_at_rank(
    example: ExampleTopic, *, rel: int, beta: float, alpha: float | None, cutoff: int
) -> WorkedExample:
    """Explain F: the weighted harmonic mean of P@k and R@k."""
    return explain_f(example, rel, cutoff, cutoff, beta=beta, alpha=alpha)


@measure(
    "E",
    title="E measure at a rank",
    better="lower",
    formula="1 − F@k = 1 − (1 + beta²)·P·R / (beta²·P + R), with P = P@k and R = R@k; alpha = 1 / (1 + beta²)",
    micro=MicroAverage(_compute_f_parts_at_cutoff, _compute_complement),
)
def e_at_rank(
    run: JudgedRun, *, rel: Rel = 1, beta: Beta = 1.0, alpha: Alpha = None, cutoff: Cutoff
) -> Scores:
    """Return the distance of the top k from perfect effectiveness; lower is better.

    Parameters
    ----------
    beta
        With beta = 0, the measure is 1 − precision; for large beta, it approaches 1 − recall.
        Textbooks call this parameter b.

    Returns
    -------
    Scores
        Shape (T,); 1 where the top k has no relevant document.

    Notes
    -----
    Unjudged documents count as not relevant. Some textbooks say that b > 1 favours precision; the
    limits of the formula show that it favours recall.

    References
    ----------
    van Rijsbergen (1979), Information Retrieval, 2nd ed., Butterworths, ch. 7.

    Examples
    --------
    >>> e_at_rank(JudgedRun.single(ranked=[1, 0], judged=[1, 1, 1]), cutoff=2).round(4)
    array([0.6])
    """
    return _compute_complement(
        *_compute_f_parts_at_cutoff(run, rel=rel, beta=beta, alpha=alpha, cutoff=cutoff)
    )


@explains("E")
def explain_e_at_rank(
    example: ExampleTopic, *, rel: int, beta: float, alpha: float | None, cutoff: int
) -> WorkedExample:
    """Explain E: 1 minus the weighted harmonic mean of P@k and R@k."""
    return explain_complement(explain_f(example, rel, cutoff, cutoff, beta=beta, alpha=alpha))


@measure(
    "BEP",
    title="Break-even point",
    formula=(
        "the recall at which interpolated precision equals recall: the maximum of "
        "min(precision, recall) over the ranks of relevant documents"
    ),
    aliases=("breakeven",),
    top_heavy=True,
)
def break_even_point(run: JudgedRun, *, rel: Rel = 1) -> Scores:
    """Return the point where the interpolated precision–recall curve crosses the line precision =
    recall.

    Returns
    -------
    Scores
        Shape (T,); 0 where no relevant document was retrieved.

    Notes
    -----
    If the curve drops across the diagonal at a recall point, the recall at this point is returned.
    Without interpolation, the value would be R-precision, which is never larger. Unjudged documents
    count as not relevant.

    References
    ----------
    Manning, Raghavan and Schütze (2008), Introduction to Information Retrieval, Cambridge University Press, ch. 8.4.

    Examples
    --------
    >>> break_even_point(JudgedRun.single(ranked=[0, 1, 1, 1], judged=[1, 1, 1, 1])).round(4)
    array([0.75])
    """
    hits = run.relevant_hits(rel)
    return run.max_by_topic(
        hits.topic, hits.nth_in_topic / np.maximum(hits.rank, run.n_relevant(rel)[hits.topic])
    )


def explain_complement(f_example: WorkedExample) -> WorkedExample:
    """Return the worked example of E = 1 − F."""
    value = 1 - f_example.result
    return replace(
        f_example,
        steps=(
            *f_example.steps,
            f"E = 1 − F = 1 − {format_number(f_example.result)} = {format_number(value)}",
        ),
        result=value,
    )
