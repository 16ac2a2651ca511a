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
from irjudge.metrics.parameters import MaybeCutoff, Range, Rel, format_value
from irjudge.metrics.registry import Alias, Exemption, measure
from irjudge.metrics.worked_example import (
    ExampleTopic,
    WorkedExample,
    describe_cutoff,
    explains,
    format_number,
    format_power,
    format_sum,
)

TOPIC_GAIN = NoBounds(
    lambda values: values["gain"] == "topic",
    "an unjudged document may raise the topic's highest grade",
)

Persistence: TypeAlias = Annotated[
    float, Range(0, 0.999999), "Probability of continuing to the next rank, the persistence."
]
RankGain: TypeAlias = Literal["binary", "graded", "topic"]
Rule: TypeAlias = Literal["definition", "trec10"]


@measure(
    "RBP",
    title="Rank-biased precision",
    formula="(1 − p) Σ of g·p^(r−1) over ranks r <= k; g = 1 for relevant (gain=graded: grade / highest grade of the scale; "
    "gain=topic: grade / highest grade of the topic)",
    always=("p",),
    aliases=(Alias("RBP", suffix="p"),),
    top_heavy=True,
)
def rank_biased_precision(
    judged: JudgedRun,
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
    judged
        T topics; `highest` is the scale's highest grade, else the highest grade judged.
    rel
        With `gain=binary`, a document is relevant if its grade is `rel` or more.
    gain
        `binary`: 1 for a relevant document; `graded`: its grade / the scale's highest grade;
        `topic`, of trec_eval's `rbp`: its grade / the highest grade judged for its topic.

    Returns
    -------
    Scores
        Shape (T,); 0 where nothing relevant was retrieved.

    Notes
    -----
    Unjudged and unjudgeable documents have no gain; RBPResid gives what they could add.

    References
    ----------
    Moffat and Zobel (2008), Rank-biased precision for measurement of retrieval effectiveness, ACM TOIS 27(1), 2:1–2:27.

    Examples
    --------
    >>> rank_biased_precision(JudgedRun.single(ranked=[1, 0, 1]), p=0.5)
    array([0.625])
    """
    hits = judged.relevant_hits(rel, cutoff) if gain == "binary" else judged.gaining_hits(cutoff)
    return (1 - p) * judged.sum_by_topic(
        hits.topic, _rank_gain(judged, hits, gain) * p ** (hits.rank - 1.0)
    )


@register_bounds("RBP", refusals=(TOPIC_GAIN,))
def rank_biased_bounds(
    run: OpenRun, *, p: float, rel: int, gain: RankGain, cutoff: int | None
) -> Interval:
    """Return the interval with all open documents at the highest gain or 0; in the open world also
    the documents after the list.
    """
    low, high = (
        rank_biased_precision(run.settle(grade), p=p, rel=rel, gain=gain, cutoff=cutoff)
        for grade in (0, run.grades[-1])
    )
    return Interval(low, high + _tail_weight(run, p, rel if gain == "binary" else 1, cutoff))


@register_difference_bounds("RBP", refusals=(TOPIC_GAIN,))
def rank_biased_difference(
    pair: OpenRunPair, *, p: float, rel: int, gain: RankGain, cutoff: int | None
) -> Interval:
    """Return the interval of the difference; documents at the same rank cancel."""
    least = rel if gain == "binary" else 1
    of_a, of_b = (
        rank_biased_precision(each.with_highest_grade(), p=p, rel=rel, gain=gain, cutoff=cutoff)
        for each in (pair.a, pair.b)
    )
    weight = _rank_weights(pair.rank_a, p, cutoff) - _rank_weights(pair.rank_b, p, cutoff)
    difference = linear_difference(
        pair, of_a - of_b, weight if pair.a.can_be_relevant(least) else weight * 0
    )
    return Interval(
        difference.low - _tail_weight(pair.b, p, least, cutoff),
        difference.high + _tail_weight(pair.a, p, least, cutoff),
    )


def _rank_weights(rank: Ints, p: float, cutoff: int | None) -> Floats:
    return np.where(is_within(rank, cutoff), (1 - p) * p ** (np.maximum(rank, 1) - 1.0), 0.0)


def _tail_weight(run: OpenRun, p: float, rel: int, cutoff: int | None) -> Floats:
    """Return the weight of the ranks after the end of the list; 0 in the pool world."""
    could = np.isinf(run.outside) & run.can_be_relevant(rel)
    return np.where(could, p ** run.judged.depth(cutoff).astype(np.float64), 0.0)


@explains("RBP")
def rank_biased_precision_working(
    board: ExampleTopic, *, p: float, rel: int, gain: RankGain, cutoff: int | None
) -> WorkedExample:
    """A user who goes on with probability p."""
    divisor = {
        "binary": 1,
        "graded": board.highest_worth(),
        "topic": max(board.judged_worths(), default=0),
    }[gain]
    worths = board.top(cutoff) if gain == "binary" else board.worths(cutoff)
    rows: list[tuple[float | None, ...]] = []
    total, terms, hits = 0.0, [], []
    for rank, worth in enumerate(worths, 1):
        weight, gained = p ** (rank - 1), 0.0
        if worth is not None and (worth >= rel if gain == "binary" else worth > 0):
            gained = 1.0 if gain == "binary" else worth / divisor
            factor = "" if gained == 1 else f"{format_number(gained)}·"
            hits.append(rank)
            terms.append(factor + format_power(p, rank - 1))
        total += gained * weight
        rows.append((gained, weight, total))
    value = (1 - p) * total
    means = (
        Message("1 for a relevant document (grade {rel} or more)", rel=rel)
        if gain == "binary"
        else Message("grade / {divisor}", divisor=divisor)
        if board.gains is None
        else Message("gain / {divisor}", divisor=format_number(divisor))
    )
    steps = (
        describe_cutoff(board, cutoff),
        Message(
            "p = {show}; g is {means}; the weight of rank r is p^(r−1).",
            show=format_value(p),
            means=means,
        ),
        Message(
            "Sum of g·p^(r−1): {added} = {number}",
            added=format_sum(terms),
            number=format_number(total),
        ),
        Message(
            "RBP = (1 − p)·sum = {rest}·{sum} = {value}",
            rest=format_number(1 - p),
            sum=format_number(total),
            value=format_number(value),
        ),
    )
    return WorkedExample(steps, value, ("g", "weight", "sum"), tuple(rows), frozenset(hits))


def _rank_gain(judged: JudgedRun, hits: Hits, gain: RankGain) -> Floats:
    if gain == "binary":
        return np.ones(len(hits.grade))
    if gain == "topic":
        worth = judged.judged_grades if judged.judged_gain is None else judged.judged_gain
        return divide(hits.worth, judged.max_by_topic(judged.judged_topic, worth)[hits.topic])
    if judged.judged_gain is not None:
        return divide(hits.worth, highest_gain(judged))
    highest = max(judged.highest or 0, int(judged.judged_grades.max(initial=0)))
    return divide(hits.grade, highest)


@measure(
    "RBPResid",
    title="Residual of rank-biased precision",
    better="neither",
    formula=(
        "(1 − p) Σ of p^(r−1) over the unjudged documents at ranks r <= k, plus p^min(k, "
        "n) for everything below"
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
    judged: JudgedRun,
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
        `definition`; or `trec10`, as in trec_eval 10: 0 if no unjudged document is among those
        looked at.
    cutoff
        Uses ranks 1 to `cutoff`; None uses the whole ranking.

    Returns
    -------
    Scores
        Shape (T,); 1 where nothing was retrieved, 0 there with `rule=trec10`.

    Notes
    -----
    Pooled but unjudged and unjudgeable documents count as unjudged. So does everything below the
    end of the list.

    References
    ----------
    Moffat and Zobel (2008), Rank-biased precision for measurement of retrieval effectiveness, ACM TOIS 27(1), 2:1–2:27.

    Examples
    --------
    >>> rank_biased_residual(JudgedRun.single(ranked=[1, None]), p=0.5)
    array([0.5])
    """
    hits, depth = judged.judged_hits(cutoff), judged.depth(cutoff)
    known = (1 - p) * judged.sum_by_topic(hits.topic, p ** (hits.rank - 1.0))
    rest = np.clip(1 - known, 0, 1)
    if rule == "definition":
        return rest
    return np.where(judged.count_by_topic(hits.topic) < depth, rest, 0.0)
