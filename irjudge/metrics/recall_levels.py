"""Precision at levels of recall and at multiples of R."""

from fractions import Fraction
from typing import Annotated, Literal, TypeAlias

import numpy as np
import numpy.typing as npt

from irjudge.message import Message
from irjudge.metrics.judged import Floats, Hits, JudgedRun, Longs, Scores, divide
from irjudge.metrics.measure_bounds import (
    Interval,
    NoBounds,
    OpenRun,
    iter_topic_rows,
    register_bounds,
)
from irjudge.metrics.registry import Alias, Range, Rel, format_value, measure
from irjudge.metrics.worked_example import (
    ExampleTopic,
    WorkedExample,
    count_relevant_by_rank,
    describe_relevance,
    describe_relevant,
    explains,
    format_number,
)

Level: TypeAlias = Annotated[float, Range(0, 1), "Recall level x, from 0 to 1."]
Levels: TypeAlias = Annotated[tuple[float, ...], Range(0, 1)]
Multiple: TypeAlias = Annotated[float, Range(0, 1e6)]
Rule: TypeAlias = Literal["max", "window", "trec9", "trec9fused", "trec10"]
# `trec9` and `trec10` yield the same value; each profile uses the rule that is named after it
MultipleRule: TypeAlias = Literal["exact", "trec9", "trec9fused", "trec10"]

TREC_LEVELS = "0,.1,.2,.3,.4,.5,.6,.7,.8,.9,1"
TREC_MULTIPLES = ".2,.4,.6,.8,1,1.2,1.4,1.6,1.8,2"
ELEVEN_LEVELS = (0.0, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 1.0)


@measure(
    "IPrec",
    title="Interpolated precision",
    formula=(
        "highest precision at recall x or more (rule=window: at recall x, else up to recall "
        "x + 0.1, else that of the next level; rule=trec9: from relevant document number "
        "floor(x·R + 0.9) on; rule=trec10: from number x·R, rounded)"
    ),
    aliases=(Alias("iprec_at_recall", bare="." + TREC_LEVELS),),
    at="recall",
    top_heavy=True,
)
def interpolated_precision(
    run: JudgedRun, *, rel: Rel = 1, rule: Rule = "max", recall: Level
) -> Scores:
    """Return the interpolated precision at a recall level.

    Parameters
    ----------
    rule
        `max`: the highest precision at any recall of at least `recall`. `window`, taught in some
        courses: the precision at the recall point `recall` if a relevant document is there,
        otherwise the highest precision at a recall up to 0.1 above that point, otherwise the value
        at the recall level 0.1 higher. `trec9` and `trec10`, from versions 9 and 10 of trec_eval:
        the highest precision from relevant document number floor(x·R + 0.9) or round(x·R) on, with
        halves rounded up; this may be one relevant document fewer than recall x needs. Both compute
        in double precision. `trec9fused`: as in version 9 on ARM processors, which round x·R + 0.9
        once instead of twice.
    recall
        Recall level x, from 0 to 1.

    Returns
    -------
    Scores
        Shape (T,); 0 where the run never reaches the level, and where a topic has no relevant document.

    Notes
    -----
    Levels are exact decimals: recall 0.7 of 10 documents is reached with the seventh document,
    although 0.7 is not exact in binary. Digits beyond the ninth are rounded off. Under the rules of
    trec_eval, levels are C doubles: 0.7·3 + 0.9 is 2.9999999999999996, whose floor is 2.

    References
    ----------
    Manning, Raghavan and Schütze (2008), Introduction to Information Retrieval, Cambridge University Press, ch. 8.4.

    Examples
    --------
    >>> run = JudgedRun.single(ranked=[0, 0, 1, 0, 0, 0, 0, 1], judged=[1, 1, 1])
    >>> interpolated_precision(run, recall=0.4), interpolated_precision(run, recall=0.7)
    (array([0.25]), array([0.]))
    """
    hits, relevant = run.relevant_hits(rel), run.n_relevant(rel)
    counted_hits = hits.where(_is_counted(recall, rule, hits, relevant))
    return run.max_by_topic(counted_hits.topic, counted_hits.nth_in_topic / counted_hits.rank)


WINDOW_NO_BOUNDS = NoBounds(
    lambda values: values["rule"] == "window",
    Message(
        "with rule=window, one more relevant document can move the window, and so raise or "
        "lower the value"
    ),
)


@register_bounds("IPrec", no_bounds=(WINDOW_NO_BOUNDS,))
def interpolated_precision_bounds(run: OpenRun, *, rel: int, rule: Rule, recall: float) -> Interval:
    """Return the bounds of interpolated precision at a level; see `eleven_point_bounds`."""
    return eleven_point_bounds(run, rel=rel, rule=rule, levels=(recall,))


@explains("IPrec")
def explain_interpolated_precision(
    example: ExampleTopic, *, rel: int, rule: Rule, recall: float
) -> WorkedExample:
    """Explain IPrec: the highest precision at the documents that count at a level of recall."""
    hits, relevant = example.list_hit_ranks(rel), example.count_relevant(rel)
    rows = tuple(
        (count, count / relevant if relevant else 0.0, count / rank)
        for rank, count in enumerate(count_relevant_by_rank(example, rel, None), 1)
    )
    first, last, level_step = _describe_documents_at_level(recall, relevant, rule)
    counted_documents = [
        (relevant_count, rank)
        for relevant_count, rank in enumerate(hits, 1)
        if first <= relevant_count <= last
    ]
    value = max((relevant_count / rank for relevant_count, rank in counted_documents), default=0.0)
    fractions = ", ".join(
        f"{relevant_count}/{rank}" for relevant_count, rank in counted_documents[:8]
    ) + (
        Message(" and {number} more", number=len(counted_documents) - 8)
        if len(counted_documents) > 8
        else ""
    )
    result_step = (
        Message(
            "Highest precision at the ranks that count at this recall level: "
            "the maximum of {fractions} = {number}",
            fractions=fractions,
            number=format_number(value),
        )
        if counted_documents
        else Message("The run never reaches this recall, so the value is 0.")
    )
    return WorkedExample(
        (describe_relevance(rel), describe_relevant(example, rel), level_step, result_step),
        value,
        ("found", "recall", "precision"),
        rows,
        frozenset(rank for _, rank in counted_documents),
    )


def _describe_documents_at_level(recall: float, relevant: int, rule: Rule) -> tuple[int, int, str]:
    """Return the first and last relevant document that count at a recall level, and an explanation.

    Relevant documents are numbered by rank; the highest-ranked relevant document is number 1.
    """
    recall_text = Message(
        "With R = {relevant}, recall {recall}", recall=format_value(recall), relevant=relevant
    )
    needed_count = to_fraction(recall) * relevant
    first = int(first_document_at_level(recall, np.array([relevant]), rule)[0])
    if rule == "window" and needed_count == first > 0:
        return (
            first,
            first,
            Message(
                "{recall} is reached exactly with relevant document number {document}.",
                recall=recall_text,
                document=first,
            ),
        )
    if rule == "window":
        return _describe_documents_in_window(to_fraction(recall), relevant)
    if rule == "max" and not needed_count:
        return first, relevant, Message("{recall} is reached at every rank.", recall=recall_text)
    if rule == "max":
        reason = Message(
            "{recall} needs x·R = {product:g} relevant documents, so it is reached with "
            "relevant document number {document}.",
            recall=recall_text,
            product=float(needed_count),
            document=first,
        )
        return first, relevant, reason
    rule_text = (
        Message("As in trec_eval 9 on ARM")
        if rule == "trec9fused"
        else Message("As in trec_eval {version}", version=rule.removeprefix("trec"))
    )
    reason = Message(
        "{version}: {recall} is reached with relevant document number {document} ({rounding}).",
        version=rule_text,
        recall=recall_text,
        document=first,
        rounding=_describe_rounding(recall, relevant, rule),
    )
    return first, relevant, reason


def _describe_rounding(recall: float, relevant: int, rule: Rule) -> str:
    needed_count = recall * relevant
    if rule == "trec9":
        return Message(
            "floor({reached!r} + 0.9), where the sum is {sum!r}",
            reached=needed_count,
            sum=needed_count + 0.9,
        )
    if rule == "trec9fused":
        return Message(
            "floor({recall!r}·{relevant} + 0.9), rounded only once before floor",
            recall=recall,
            relevant=relevant,
        )
    return Message("{reached!r}, rounded", reached=needed_count)


def _describe_documents_in_window(level: Fraction, relevant: int) -> tuple[int, int, str]:
    """Return the first and last relevant document in the rule's window, and an explanation.

    The window contains the relevant documents at which recall is above `level` by at most 0.1. If
    there are none, the next window, which is also 0.1 wide, is tried, and so on.
    """
    first, window_end = int(level * relevant) + 1, level
    while relevant and window_end * relevant < first:
        window_end += Fraction(1, 10)
    last = int(window_end * relevant)
    reason = Message(
        "Recall above {lower} and up to {upper} is reached with the relevant documents {first} "
        "to {last} of {relevant}.",
        lower=format_value(float(level)),
        upper=format_value(float(window_end)),
        first=first,
        last=last,
        relevant=relevant,
    )
    return first, last, reason


@measure(
    "11ptAP",
    title="Eleven-point average precision",
    formula="mean of the interpolated precision at the recall levels",
    # trec_eval's 11pt_avg..25,.5,.75 sets the levels
    aliases=(Alias("11pt_avg", suffix="levels"), "11pt"),
    top_heavy=True,
)
def eleven_point_average_precision(
    run: JudgedRun, *, rel: Rel = 1, rule: Rule = "max", levels: Levels = ELEVEN_LEVELS
) -> Scores:
    """Return the mean of interpolated precision at several recall levels.

    Parameters
    ----------
    rule
        This parameter has the same meaning as in IPrec.
    levels
        Recall levels, each from 0 to 1; default: the eleven levels 0, 0.1 … 1. A level given twice
        counts twice.

    Returns
    -------
    Scores
        Shape (T,); 0 where a topic has no relevant document.

    Notes
    -----
    Levels that the run never reaches count as 0. Unjudged documents count as not relevant.

    References
    ----------
    Manning, Raghavan and Schütze (2008), Introduction to Information Retrieval, Cambridge University Press, ch. 8.4.

    Examples
    --------
    >>> eleven_point_average_precision(JudgedRun.single(ranked=[1, 0, 0, 1]), levels=(0.5, 1.0))
    array([0.75])
    """
    total = np.zeros(len(run))
    for level in reversed(levels):
        total += interpolated_precision(run, rel=rel, rule=rule, recall=level)
    return total / len(levels)


@register_bounds("11ptAP", no_bounds=(WINDOW_NO_BOUNDS,))
def eleven_point_bounds(
    run: OpenRun, *, rel: int, rule: Rule, levels: tuple[float, ...]
) -> Interval:
    """Return the bounds of 11ptAP over all possible numbers s of relevant open documents.

    The upper bound is the highest value if the s highest-ranked open documents are relevant. The
    lower bound is the lowest value if the s lowest-ranked open documents and all unretrieved open
    documents are relevant.
    """
    run = run.upto(None, rel)
    hits = run.judged.relevant_hits(rel)
    count = len(run.judged)
    relevant = run.judged.n_relevant(rel)
    low, high = np.zeros(count), np.zeros(count)
    for topic, (hit_rows, open_rows) in enumerate(
        zip(iter_topic_rows(hits.topic, count), iter_topic_rows(run.topic, count), strict=True)
    ):
        relevant_ranks, open_ranks = hits.rank[hit_rows], run.rank[open_rows]
        judged_relevant, unretrieved = int(relevant[topic]), float(run.unretrieved_open[topic])
        counts = range(len(open_ranks) + 1)
        highest_values = [
            _average_at_levels(
                np.union1d(relevant_ranks, open_ranks[:number]),
                judged_relevant + number,
                rule,
                levels,
            )
            for number in counts
        ]
        lowest_values = [
            _average_at_levels(
                np.union1d(relevant_ranks, open_ranks[len(open_ranks) - number :]),
                judged_relevant + number + unretrieved,
                rule,
                levels,
            )
            for number in counts
        ]
        low[topic], high[topic] = min(lowest_values), max(highest_values)
    return Interval(low, high)


def _average_at_levels(
    ranks: Longs, relevant: float, rule: Rule, levels: tuple[float, ...]
) -> float:
    """Return the mean interpolated precision at several levels of recall for one topic.

    `ranks` are the ranks of the retrieved relevant documents; `relevant` is the number of all
    relevant documents, which may be infinite.
    """
    interpolated = np.maximum.accumulate(np.arange(len(ranks), 0, -1) / ranks[::-1])[::-1]
    return sum(
        _compute_best_precision_from(interpolated, relevant, rule, level) for level in levels
    ) / len(levels)


def _compute_best_precision_from(
    interpolated: Floats, relevant: float, rule: Rule, level: float
) -> float:
    if np.isinf(relevant) and level:
        return 0.0
    first = max(
        1,
        int(
            first_document_at_level(
                level, np.array([0 if np.isinf(relevant) else int(relevant)]), rule
            )[0]
        ),
    )
    return float(interpolated[first - 1]) if first <= len(interpolated) else 0.0


@measure(
    "RprecMult",
    title="Precision at a multiple of R",
    formula=(
        "relevant documents in the top k / k, with k = floor(x·R + 0.9), where R is the number "
        "of relevant documents (rule=trec9 and trec10: in double precision)"
    ),
    aliases=(Alias("Rprec_mult", bare="." + TREC_MULTIPLES),),
    at="multiple",
    top_heavy=True,
)
def precision_at_multiple(
    run: JudgedRun, *, rel: Rel = 1, rule: MultipleRule = "exact", multiple: Multiple
) -> Scores:
    """Return precision at a multiple of R, the number of relevant documents.

    Parameters
    ----------
    rule
        `exact`: k is computed in exact decimal arithmetic. `trec9` and `trec10`: k is computed in
        double precision, as in versions 9 and 10 of trec_eval; `trec9fused`: as on ARM processors,
        k is rounded only once.
    multiple
        Multiple x of R; with x = 1, the measure is R-precision.

    Returns
    -------
    Scores
        Shape (T,); 0 where a topic has no relevant document, and where k is 0.

    Notes
    -----
    k is rounded up, but a remainder below a tenth of a document is ignored, as in versions 9 and 10
    of trec_eval.

    Examples
    --------
    >>> precision_at_multiple(JudgedRun.single(ranked=[1, 0, 1], judged=[1, 1]), multiple=1.5).round(4)
    array([0.6667])
    """
    cutoff = rank_of_multiple(multiple, run.n_relevant(rel), rule)
    hits = run.relevant_hits(rel)
    return divide(run.count_by_topic(hits.topic[hits.rank <= cutoff[hits.topic]]), cutoff)


def to_fraction(number: float) -> Fraction:
    """Return the nearest fraction with a denominator of at most 10⁹: the number as written.

    >>> to_fraction(0.7)
    Fraction(7, 10)
    """
    return Fraction(number).limit_denominator(10**9)


def rank_of_multiple(multiple: float, relevant: Longs, rule: MultipleRule = "exact") -> Longs:
    """Return the rank floor(multiple · relevant + 0.9), in the shape of `relevant`.

    The rank is computed exactly or, under the rules of trec_eval, in double precision.

    >>> [rank_of_multiple(0.7, np.array([3]), rule).tolist() for rule in ("exact", "trec9", "trec9fused")]
    [[3], [2], [3]]
    """
    if rule == "trec9fused":
        return np.array(
            [int(float(Fraction(multiple) * count + Fraction(0.9))) for count in relevant.tolist()],
            np.int64,
        )
    if rule != "exact":
        rank: Longs = np.floor(multiple * relevant + 0.9).astype(np.int64)
        return rank
    fraction = to_fraction(multiple)
    return (10 * fraction.numerator * relevant + 9 * fraction.denominator) // (
        10 * fraction.denominator
    )


def first_document_at_level(level: float, relevant: Longs, rule: Rule) -> Longs:
    """Return the number of the relevant document, from 1, at which a level of recall is reached.

    `relevant` contains the number of relevant documents of each topic. The result has its shape.

    >>> [first_document_at_level(0.7, np.array([3]), rule).tolist() for rule in ("max", "trec9", "trec10")]
    [[3], [2], [2]]
    """
    if rule in ("trec9", "trec9fused"):
        return rank_of_multiple(level, relevant, rule)
    if rule == "trec10":
        needed_count = level * relevant
        floor = np.floor(needed_count)
        # floor(needed_count + 0.5) would round up the largest double below 0.5
        rounded: Longs = (floor + (needed_count - floor >= 0.5)).astype(np.int64)
        return rounded
    fraction = to_fraction(level)
    return -(-fraction.numerator * relevant // fraction.denominator)


def _is_counted(level: float, rule: Rule, hits: Hits, relevant: Longs) -> npt.NDArray[np.bool_]:
    if rule == "window":
        return _is_in_window(to_fraction(level), hits, relevant)
    return hits.nth_in_topic >= first_document_at_level(level, relevant, rule)[hits.topic]


def _is_in_window(level: Fraction, hits: Hits, relevant: Longs) -> npt.NDArray[np.bool_]:
    """Return a mask of the hits that count under the rule `window`."""
    scaled_recall = level.numerator * relevant
    first = scaled_recall // level.denominator
    is_point = (first * level.denominator == scaled_recall) & (first > 0)
    first = np.where(is_point, first, first + 1)
    # Windows end at level + j/10; the first that contains the document `first` has the smallest j
    # with (level + j/10)·R >= first.
    distance = 10 * (first * level.denominator - scaled_recall)
    window_count = -(-distance // np.maximum(level.denominator * relevant, 1))
    last = np.where(
        is_point,
        first,
        (10 * scaled_recall + window_count * level.denominator * relevant)
        // (10 * level.denominator),
    )
    return (hits.nth_in_topic >= first[hits.topic]) & (hits.nth_in_topic <= last[hits.topic])
