"""Rank-biased precision, its bounds and its residual."""

from typing import Annotated, Literal, TypeAlias

import numpy as np

from irjudge.message import Message
from irjudge.metrics.judged import (
    Floats,
    Hits,
    Ints,
    JudgedRun,
    Scores,
    divide,
    highest_gain,
)
from irjudge.metrics.measure_bounds import (
    Interval,
    NoBounds,
    OpenRun,
    OpenRunPair,
    is_within,
    linear_difference,
    register_bounds,
    register_difference_bounds,
)
from irjudge.metrics.registry import (
    Alias,
    Exemption,
    MaybeCutoff,
    Range,
    Rel,
    format_value,
    measure,
)
from irjudge.metrics.worked_example import (
    ExampleTopic,
    WorkedExample,
    describe_cutoff,
    explains,
    format_number,
    format_power,
    format_sum,
)

TOPIC_GAIN_NO_BOUNDS = NoBounds(
    lambda values: values["gain"] == "topic",
    Message("an unjudged document may raise the topic's highest grade"),
)

Persistence: TypeAlias = Annotated[
    float, Range(0, 0.999999), "Persistence: the probability of continuing to the next rank."
]
RankGain: TypeAlias = Literal["binary", "graded", "topic"]
Rule: TypeAlias = Literal["definition", "trec10"]


@measure(
    "RBP",
    title="Rank-biased precision",
    formula="(1 − p) Σ of g·p^(r−1) over ranks r ≤ k; g = 1 for a relevant document, else 0 "
    "(gain=graded: g = grade / highest grade of the scale; gain=topic: g = grade / "
    "highest grade of the topic)",
    always=("p",),
    aliases=(Alias("RBP", suffix="p"),),
    top_heavy=True,
)
def rank_biased_precision(
    run: JudgedRun,
    *,
    p: Persistence = 0.8,
    rel: Rel = 1,
    gain: RankGain = "binary",
    cutoff: MaybeCutoff = None,
) -> Scores:
    """Return the rate of gain of a user who continues from each document to the next with a fixed
    probability.

    Parameters
    ----------
    run
        T topics; `highest` is the scale's highest grade, else the highest grade judged.
    rel
        With `gain=binary`, a document is relevant if its grade is `rel` or more.
    gain
        `binary`: 1 for a relevant document; `graded`: the grade of the document / the highest grade
        of the scale; `topic`, as in trec_eval's `rbp`: the grade of the document / the highest
        grade of any document judged for the topic.

    Returns
    -------
    Scores
        Shape (T,); 0 where nothing relevant was retrieved.

    Notes
    -----
    Unjudged and unjudgeable documents have no gain; RBPResid is the value that they could add.

    References
    ----------
    Moffat and Zobel (2008), Rank-biased precision for measurement of retrieval effectiveness, ACM TOIS 27(1), 2:1–2:27.

    Examples
    --------
    >>> rank_biased_precision(JudgedRun.single(ranked=[1, 0, 1]), p=0.5)
    array([0.625])
    """
    hits = run.relevant_hits(rel, cutoff) if gain == "binary" else run.gaining_hits(cutoff)
    return (1 - p) * run.sum_by_topic(
        hits.topic, _compute_rank_gain(run, hits, gain) * p ** (hits.rank - 1.0)
    )


@register_bounds("RBP", no_bounds=(TOPIC_GAIN_NO_BOUNDS,))
def rank_biased_bounds(
    run: OpenRun, *, p: float, rel: int, gain: RankGain, cutoff: int | None
) -> Interval:
    """Return the bounds of RBP.

    The lower bound is the value if all open documents have gain 0; the upper bound is the value if
    all have the highest gain. In the world `open`, documents after the end of the list are also
    open documents.
    """
    low, high = (
        rank_biased_precision(run.assign_grade(grade), p=p, rel=rel, gain=gain, cutoff=cutoff)
        for grade in (0, run.grades[-1])
    )
    return Interval(
        low, high + _compute_tail_weight(run, p, rel if gain == "binary" else 1, cutoff)
    )


@register_difference_bounds("RBP", no_bounds=(TOPIC_GAIN_NO_BOUNDS,))
def rank_biased_difference(
    pair: OpenRunPair, *, p: float, rel: int, gain: RankGain, cutoff: int | None
) -> Interval:
    """Return the bounds of the difference in RBP.

    Documents that both runs have at the same rank do not affect the difference.
    """
    lowest_relevant = rel if gain == "binary" else 1
    gains_a, gains_b = (
        rank_biased_precision(open_run.with_highest_grade(), p=p, rel=rel, gain=gain, cutoff=cutoff)
        for open_run in (pair.a, pair.b)
    )
    weight = _compute_rank_weights(pair.rank_a, p, cutoff) - _compute_rank_weights(
        pair.rank_b, p, cutoff
    )
    difference = linear_difference(
        pair, gains_a - gains_b, weight if pair.a.can_be_relevant(lowest_relevant) else weight * 0
    )
    return Interval(
        difference.low - _compute_tail_weight(pair.b, p, lowest_relevant, cutoff),
        difference.high + _compute_tail_weight(pair.a, p, lowest_relevant, cutoff),
    )


def _compute_rank_weights(rank: Ints, p: float, cutoff: int | None) -> Floats:
    return np.where(is_within(rank, cutoff), (1 - p) * p ** (np.maximum(rank, 1) - 1.0), 0.0)


def _compute_tail_weight(run: OpenRun, p: float, rel: int, cutoff: int | None) -> Floats:
    """Return the weight of the ranks after the end of the list; 0 in the world `pool`."""
    has_tail = np.isinf(run.unretrieved_open) & run.can_be_relevant(rel)
    return np.where(has_tail, p ** run.judged.count_retrieved(cutoff).astype(np.float64), 0.0)


@explains("RBP")
def explain_rank_biased_precision(
    example: ExampleTopic, *, p: float, rel: int, gain: RankGain, cutoff: int | None
) -> WorkedExample:
    """Explain RBP by a user who continues to the next document with probability p."""
    divisor = {
        "binary": 1,
        "graded": example.highest_gain_or_grade(),
        "topic": max(example.judged_gains_or_grades(), default=0),
    }[gain]
    is_binary = gain == "binary"
    gains_or_grades = example.top_grades(cutoff) if is_binary else example.gains_or_grades(cutoff)
    rows: list[tuple[float | None, ...]] = []
    total, terms, hits = 0.0, [], []
    for rank, gain_or_grade in enumerate(gains_or_grades, 1):
        weight, document_gain = p ** (rank - 1), 0.0
        if gain_or_grade is not None and (gain_or_grade >= rel if is_binary else gain_or_grade > 0):
            document_gain = 1.0 if is_binary else gain_or_grade / divisor
            factor = "" if document_gain == 1 else f"{format_number(document_gain)}·"
            hits.append(rank)
            terms.append(factor + format_power(p, rank - 1))
        total += document_gain * weight
        rows.append((document_gain, weight, total))
    value = (1 - p) * total
    if is_binary:
        gain_description = Message("1 for a relevant document (grade {rel} or more)", rel=rel)
    elif example.gains is None:
        gain_description = Message("grade / {divisor}", divisor=divisor)
    else:
        gain_description = Message("gain / {divisor}", divisor=format_number(divisor))
    steps = (
        describe_cutoff(example, cutoff),
        Message(
            "p = {p}; g is {gain}; the weight of rank r is p^(r−1).",
            p=format_value(p),
            gain=gain_description,
        ),
        Message(
            "Sum of g·p^(r−1): {terms} = {number}",
            terms=format_sum(terms),
            number=format_number(total),
        ),
        Message(
            "RBP = (1 − p)·sum = {factor}·{sum} = {value}",
            factor=format_number(1 - p),
            sum=format_number(total),
            value=format_number(value),
        ),
    )
    return WorkedExample(steps, value, ("g", "weight", "sum"), tuple(rows), frozenset(hits))


def _compute_rank_gain(run: JudgedRun, hits: Hits, gain: RankGain) -> Floats:
    if gain == "binary":
        return np.ones(len(hits.grade))
    if gain == "topic":
        gain_or_grade = run.judged_grades if run.judged_gain is None else run.judged_gain
        return divide(
            hits.gain_or_grade, run.max_by_topic(run.judged_topic, gain_or_grade)[hits.topic]
        )
    if run.judged_gain is not None:
        return divide(hits.gain_or_grade, highest_gain(run))
    return divide(hits.grade, max(run.highest or 0, int(run.judged_grades.max(initial=0))))


@measure(
    "RBPResid",
    title="Residual of rank-biased precision",
    better="neither",
    formula=(
        "(1 − p) Σ of p^(r−1) over the unjudged documents at ranks r ≤ k, plus p^min(k, n) for "
        "all later ranks"
    ),
    always=("p",),
    aliases=(Alias("rbp_resid", preset=(("p", 0.9),)),),
    exemptions=(
        Exemption(
            "tail",
            "an unjudged document retrieved is an unjudged document not retrieved",
            when=(("rule", ("trec10",)),),
        ),
    ),
)
def rank_biased_residual(
    run: JudgedRun,
    *,
    p: Persistence = 0.8,
    rule: Rule = "definition",
    cutoff: MaybeCutoff = None,
) -> Scores:
    """Return how much rank-biased precision could still increase if all unjudged documents had the
    highest grade.

    Parameters
    ----------
    rule
        `definition`: as defined; `trec10`: as in trec_eval 10, where the value is 0 if all
        documents examined are judged.
    cutoff
        Uses ranks 1 to `cutoff`; without a cutoff, the whole ranking.

    Returns
    -------
    Scores
        Shape (T,); 1 where nothing was retrieved, 0 there with `rule=trec10`.

    Notes
    -----
    Pooled documents without a judgment, unjudgeable documents and all ranks after the end of the
    list count as unjudged.

    References
    ----------
    Moffat and Zobel (2008), Rank-biased precision for measurement of retrieval effectiveness, ACM TOIS 27(1), 2:1–2:27.

    Examples
    --------
    >>> rank_biased_residual(JudgedRun.single(ranked=[1, None]), p=0.5)
    array([0.5])
    """
    hits, depth = run.judged_hits(cutoff), run.count_retrieved(cutoff)
    judged_weight = (1 - p) * run.sum_by_topic(hits.topic, p ** (hits.rank - 1.0))
    residual = np.clip(1 - judged_weight, 0, 1)
    if rule == "definition":
        return residual
    return np.where(run.count_by_topic(hits.topic) < depth, residual, 0.0)
