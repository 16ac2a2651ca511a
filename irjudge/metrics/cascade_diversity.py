"""Diversity by cascade: intent-aware ERR and novelty- and rank-biased precision."""

from typing import Annotated, TypeAlias

import numpy as np

from irjudge.message import Message
from irjudge.metrics.diversity import (
    COLUMNS,
    GREEDY_IDEAL_BOUND,
    Alpha,
    WithSubtopics,
    count_subtopics,
    explain_normalised,
    explain_sum,
    greedy_ideal,
    list_subtopic_names,
    subtopic_hits,
)
from irjudge.metrics.judged import Scores, divide
from irjudge.metrics.registry import (
    BothCutoff,
    Range,
    SubtopicRel,
    TopCutoff,
    format_value,
    measure,
)
from irjudge.metrics.worked_example import (
    ExampleTopic,
    WorkedExample,
    explains,
    format_number,
    format_quotient,
)

Beta: TypeAlias = Annotated[
    float,
    Range(0, 1),
    "Probability that an unsatisfied user continues to the next document; it must be less than 1.",
]


@measure(
    "ERR-IA",
    title="Intent-aware expected reciprocal rank",
    formula=(
        "mean over the subtopics of Σ over the ranks r ≤ k of relevant documents of (1 − "
        "alpha)^c / r, where c is the number of relevant documents above rank r, divided by "
        "the highest possible value: Σ over r = 1 … k of (1 − alpha)^(r − 1) / r"
    ),
    kind="graded",
    aliases=("ERR_IA", "ERRIA"),
    top_heavy=True,
    needs=("subtopics",),
)
def intent_aware_err(
    run: WithSubtopics, *, alpha: Alpha = 0.5, rel: SubtopicRel = 1, cutoff: TopCutoff
) -> Scores:
    """Return the expected reciprocal rank at which users who each want one of the subtopics are
    satisfied.

    Returns
    -------
    Scores
        Shape (T,), between 0 and 1; 0 where no document is relevant for any subtopic.

    Notes
    -----
    All subtopics with a relevant document are equally probable. As in TREC's ndeval, it only
    matters whether a grade is `rel` or more, and the value is divided by that of a list of k
    documents relevant to every subtopic. Unjudged documents count as not relevant.

    References
    ----------
    Chapelle, Metzler, Zhang and Grinspan (2009), Expected reciprocal rank for graded relevance, CIKM, 621–630.
    Clarke, Craswell, Soboroff and Ashkan (2011), A comparative analysis of cascade measures for novelty and diversity, WSDM, 75–84.

    Examples
    --------
    >>> from irjudge.metrics import JudgedRun
    >>> intent_aware_err(JudgedRun.single(ranked=[0, 1]), cutoff=2)
    array([0.4])
    """
    hits = subtopic_hits(run, rel, cutoff)
    gain_by_topic = run.sum_by_topic(hits.topic, (1 - alpha) ** (hits.occurrence - 1) / hits.rank)
    return divide(gain_by_topic, count_subtopics(run, rel) * _compute_highest_gain(alpha, cutoff))


@explains("ERR-IA")
def explain_intent_aware_err(
    example: ExampleTopic, *, alpha: float, rel: int, cutoff: int
) -> WorkedExample:
    """Explain ERR-IA: a weighted sum of gains, divided by the highest sum of any ranking."""
    steps, rows, total, hits = explain_sum(
        example, alpha, rel, cutoff, lambda rank: 1 / rank, "1/r"
    )
    count, max_value = len(list_subtopic_names(example, rel)), _compute_highest_gain(alpha, cutoff)
    message = Message(
        "Maximum for each subtopic: Σ over r = 1 … {k} of {power} / r = {maximum}",
        k=cutoff,
        power=f"{format_value(1 - alpha)}^(r − 1)",
        maximum=format_number(max_value),
    )
    step, value = format_quotient(
        Message("ERR-IA = sum / (N · maximum)"),
        total,
        count * max_value,
        Message("N, the number of subtopics"),
    )
    return WorkedExample((*steps, message, step), value, COLUMNS, rows, hits)


@measure(
    "nERR-IA",
    title="Normalised intent-aware expected reciprocal rank",
    formula=(
        "Σ over the subtopics and the ranks r ≤ k of their relevant documents of (1 − alpha)^c "
        "/ r, where c is the number of documents above rank r that are relevant to the "
        "subtopic; divided by the same sum for the greedy ideal ranking"
    ),
    bounds=(0, GREEDY_IDEAL_BOUND),
    kind="graded",
    aliases=("nERR_IA", "nERRIA"),
    top_heavy=True,
    needs=("subtopics",),
)
def normalised_intent_aware_err(
    run: WithSubtopics, *, alpha: Alpha = 0.5, rel: SubtopicRel = 1, cutoff: BothCutoff
) -> Scores:
    """Return the intent-aware expected reciprocal rank, divided by that of the greedy ideal ranking.

    Returns
    -------
    Scores
        Shape (T,); 0 where no document is relevant for any subtopic.

    Notes
    -----
    The ideal ranking is that of alpha-nDCG, so a value may exceed 1, but not e / (e − 1) = 1.58.
    Unjudged documents count as not relevant.

    References
    ----------
    Clarke, Craswell, Soboroff and Ashkan (2011), A comparative analysis of cascade measures for novelty and diversity, WSDM, 75–84.

    Examples
    --------
    >>> from irjudge.metrics import JudgedRun
    >>> normalised_intent_aware_err(JudgedRun.single(ranked=[0, 1]), cutoff=2)
    array([0.5])
    """
    hits, ideal = subtopic_hits(run, rel, cutoff), greedy_ideal(run, alpha, rel, cutoff)
    gain_by_topic = run.sum_by_topic(hits.topic, (1 - alpha) ** (hits.occurrence - 1) / hits.rank)
    return divide(gain_by_topic, run.sum_by_topic(ideal.topic, ideal.gain / ideal.rank))


@explains("nERR-IA")
def explain_normalised_intent_aware_err(
    example: ExampleTopic, *, alpha: float, rel: int, cutoff: int
) -> WorkedExample:
    """Explain nERR-IA: gains weighted by 1/r, divided by those of the greedy ideal ranking."""
    return explain_normalised(example, "nERR-IA", alpha, rel, cutoff, lambda rank: 1 / rank, "1/r")


@measure(
    "NRBP",
    title="Novelty- and rank-biased precision",
    formula="(1 − (1 − alpha)·beta) / N · Σ over ranks r of beta^(r − 1) · Σ of (1 − "
    "alpha)^(times seen before) over the subtopics of the document at r",
    kind="graded",
    always=("alpha", "beta"),
    top_heavy=True,
    needs=("subtopics",),
)
def novelty_rank_biased_precision(
    run: WithSubtopics, *, alpha: Alpha = 0.5, beta: Beta = 0.5, rel: SubtopicRel = 1
) -> Scores:
    """Return the gain of users who each want one subtopic, lose interest with each relevant
    document, and may stop at any rank.

    Returns
    -------
    Scores
        Shape (T,), between 0 and 1; 0 where no document is relevant for any subtopic.

    Notes
    -----
    An infinite list of documents relevant to all N subtopics (those with a relevant document) would
    score 1. As in TREC's ndeval, all subtopics are equally probable. Unjudged documents count as
    not relevant.

    References
    ----------
    Clarke, Kolla and Vechtomova (2009), An effectiveness measure for ambiguous and underspecified queries, ICTIR, 188–199.

    Examples
    --------
    >>> from irjudge.metrics import JudgedRun
    >>> novelty_rank_biased_precision(JudgedRun.single(ranked=[0, 1, 1]))
    array([0.46875])
    """
    hits = subtopic_hits(run, rel, None)
    gain_by_topic = run.sum_by_topic(
        hits.topic, (1 - alpha) ** (hits.occurrence - 1) * beta ** (hits.rank - 1.0)
    )
    return (1 - (1 - alpha) * beta) * divide(gain_by_topic, count_subtopics(run, rel))


@explains("NRBP")
def explain_novelty_rank_biased_precision(
    example: ExampleTopic, *, alpha: float, beta: float, rel: int
) -> WorkedExample:
    """Explain NRBP: a weighted sum of gains, scaled to at most 1."""
    steps, rows, total, hits = explain_sum(
        example, alpha, rel, None, lambda rank: beta ** (rank - 1), f"{format_value(beta)}^(r − 1)"
    )
    count, factor = len(list_subtopic_names(example, rel)), 1 - (1 - alpha) * beta
    step, mean = format_quotient(
        Message("sum / N"), total, count, Message("N, the number of subtopics")
    )
    last_step = f"NRBP = (1 − {format_value(1 - alpha)}·{format_value(beta)}) · {format_number(mean)} = {format_number(factor * mean)}"
    return WorkedExample((*steps, step, last_step), factor * mean, COLUMNS, rows, hits)


@measure(
    "nNRBP",
    title="Normalised novelty- and rank-biased precision",
    formula="NRBP divided by that of the greedy ideal ranking",
    bounds=(0, GREEDY_IDEAL_BOUND),
    kind="graded",
    always=("alpha", "beta"),
    top_heavy=True,
    needs=("subtopics",),
)
def normalised_novelty_rank_biased_precision(
    run: WithSubtopics, *, alpha: Alpha = 0.5, beta: Beta = 0.5, rel: SubtopicRel = 1
) -> Scores:
    """Return novelty- and rank-biased precision, divided by that of the greedy ideal ranking.

    Returns
    -------
    Scores
        Shape (T,); 0 where no document is relevant for any subtopic.

    Notes
    -----
    The ideal ranking is that of alpha-nDCG, so a value may exceed 1, but not e / (e − 1) = 1.58.
    Unjudged documents count as not relevant.

    References
    ----------
    Clarke, Kolla and Vechtomova (2009), An effectiveness measure for ambiguous and underspecified queries, ICTIR, 188–199.

    Examples
    --------
    >>> from irjudge.metrics import JudgedRun
    >>> normalised_novelty_rank_biased_precision(JudgedRun.single(ranked=[0, 1, 1]))
    array([0.5])
    """
    hits, ideal = subtopic_hits(run, rel, None), greedy_ideal(run, alpha, rel, None)
    gain_by_topic = run.sum_by_topic(
        hits.topic, (1 - alpha) ** (hits.occurrence - 1) * beta ** (hits.rank - 1.0)
    )
    return divide(
        gain_by_topic, run.sum_by_topic(ideal.topic, ideal.gain * beta ** (ideal.rank - 1.0))
    )


@explains("nNRBP")
def explain_normalised_novelty_rank_biased_precision(
    example: ExampleTopic, *, alpha: float, beta: float, rel: int
) -> WorkedExample:
    """Explain nNRBP: weighted gains, divided by those of the greedy ideal ranking."""
    return explain_normalised(
        example,
        "nNRBP",
        alpha,
        rel,
        None,
        lambda rank: beta ** (rank - 1),
        f"{format_value(beta)}^(r − 1)",
    )


def _compute_highest_gain(alpha: float, cutoff: int) -> float:
    """Return the gain of a subtopic if all documents are relevant: Σ (1 − alpha)^(r − 1) / r."""
    ranks = np.arange(1, cutoff + 1)
    return float(((1 - alpha) ** (ranks - 1.0) / ranks).sum())
