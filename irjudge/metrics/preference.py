"""Preference of relevant documents over judged non-relevant ones (bpref)."""

from typing import Any, TypeAlias

import numpy as np
import numpy.typing as npt

from irjudge.message import Message
from irjudge.metrics.judged import Floats, JudgedRun, Scores, divide
from irjudge.metrics.measure_bounds import Interval, OpenRun, iter_topic_rows, register_bounds
from irjudge.metrics.precision import Epsilon
from irjudge.metrics.registry import Rel, measure
from irjudge.metrics.worked_example import (
    ExampleTopic,
    WorkedExample,
    describe_relevance,
    describe_relevant,
    explains,
    format_number,
    format_quotient,
    format_sum,
    is_relevant,
)

Numbers: TypeAlias = npt.NDArray[Any]


@measure(
    "Bpref",
    title="Binary preference",
    formula=(
        "(1/R) Σ over relevant documents retrieved of 1 − min(number judged non-relevant "
        "above, m) / m, with m = min(R, N)"
    ),
    top_heavy=True,
)
def binary_preference(run: JudgedRun, *, rel: Rel = 1) -> Scores:
    """Return a score that decreases as more judged non-relevant documents are ranked above relevant ones.

    Parameters
    ----------
    rel
        A document is relevant if its grade is `rel` or more, and non-relevant if it is lower.

    Returns
    -------
    Scores
        Shape (T,); 0 where a topic has no relevant document.

    Notes
    -----
    R documents are relevant, and N documents are judged non-relevant. Unjudged documents are
    skipped. If N is 0, the value is the share of relevant documents retrieved. As in trec_eval, the
    divisor is min(R, N), not R as in the paper.

    References
    ----------
    Buckley and Voorhees (2004), Retrieval evaluation with incomplete information, SIGIR, 25–32.

    Examples
    --------
    >>> binary_preference(JudgedRun.single(ranked=[0, None, 1, 1], judged=[1, 1, 0, 0]))
    array([0.5])
    """
    relevant = run.n_relevant(rel)
    limit = np.minimum(relevant, run.n_judged - relevant)
    judged_hits = run.judged_hits()
    is_relevant = judged_hits.grade >= rel
    topic = judged_hits.topic[is_relevant]
    non_relevant_above = judged_hits.nth_in_topic[is_relevant] - run.relevant_hits(rel).nth_in_topic
    penalty = divide(np.minimum(non_relevant_above, limit[topic]), limit[topic])
    return divide(run.sum_by_topic(topic, 1 - penalty), relevant)


@register_bounds("Bpref")
def binary_preference_bounds(run: OpenRun, *, rel: int) -> Interval:
    """Return the bounds of bpref over all possible numbers of relevant open documents.

    For the highest value, the highest-ranked open documents are relevant; for the lowest value, the
    lowest-ranked ones. In the world `open`, the lowest value is 0, since there can be any number of
    further relevant and non-relevant documents.

    Open documents are assumed to be either relevant or not. If a document turns out to be
    unjudgeable, and so neither relevant nor non-relevant, a value can be outside the interval.
    """
    count, can_be_relevant = len(run.judged), run.can_be_relevant(rel)
    judged_hits = run.judged.judged_hits()
    relevant = run.judged.n_relevant(rel)
    non_relevant = run.judged.n_judged - relevant
    low, high = np.zeros(count), np.zeros(count)
    for topic, (judged_rows, open_rows) in enumerate(
        zip(
            iter_topic_rows(judged_hits.topic, count),
            iter_topic_rows(run.topic, count),
            strict=True,
        )
    ):
        rank = np.concatenate((judged_hits.rank[judged_rows], run.rank[open_rows]))
        is_relevant = judged_hits.grade[judged_rows] >= rel
        order = np.argsort(rank)
        position = np.empty(len(rank), dtype=np.int64)
        position[order] = np.arange(len(rank))
        judged_positions = position[: len(is_relevant)]
        open_positions = position[len(is_relevant) :]
        low[topic], high[topic] = _compute_extreme_values(
            judged_positions[is_relevant],
            open_positions,
            int(relevant[topic]),
            int(non_relevant[topic]),
            float(run.unretrieved_open[topic]),
            can_be_relevant,
        )
    return Interval(low, high)


def _compute_extreme_values(
    relevant_positions: Numbers,
    open_positions: Numbers,
    relevant: int,
    non_relevant: int,
    unretrieved_count: float,
    can_be_relevant: bool,
) -> tuple[float, float]:
    """Return the lowest and the highest bpref of one topic.

    `relevant_positions` and `open_positions` are the indexes of the relevant and of the open
    documents among all judged and open documents of the ranking, from 0. `relevant` and
    `non_relevant` are the numbers of documents judged relevant and non-relevant, retrieved or not;
    `unretrieved_count` is the number of open documents not retrieved. `can_be_relevant` states
    whether an open document can be relevant.
    """
    is_infinite = np.isinf(unretrieved_count)
    # A higher number of unretrieved relevant documents would only lower the value
    max_unretrieved = (
        int(2 * (len(relevant_positions) + len(open_positions) + non_relevant) + 2)
        if is_infinite
        else int(unretrieved_count)
    )
    unretrieved_relevant = np.arange(max_unretrieved + 1 if can_be_relevant else 1)
    low, high = np.inf, 0.0
    for additional_count in range(len(open_positions) + 1 if can_be_relevant else 1):
        possible_relevant = relevant + additional_count + unretrieved_relevant
        possible_non_relevant: Numbers = (
            non_relevant
            + (len(open_positions) - additional_count)
            + (
                unretrieved_relevant * 0.0
                if is_infinite
                else unretrieved_count - unretrieved_relevant
            )
        )
        limit = np.full(len(unretrieved_relevant), np.inf) if is_infinite else possible_non_relevant
        highest_positions = np.sort(
            np.concatenate((relevant_positions, open_positions[:additional_count]))
        )
        lowest_positions = np.sort(
            np.concatenate(
                (relevant_positions, open_positions[len(open_positions) - additional_count :])
            )
        )
        high = max(
            high, float(_compute_bpref_values(highest_positions, possible_relevant, limit).max())
        )
        low = min(
            low,
            float(
                _compute_bpref_values(
                    lowest_positions, possible_relevant, possible_non_relevant
                ).min()
            ),
        )
    return 0.0 if is_infinite and can_be_relevant else low, high


def _compute_bpref_values(position: Numbers, relevant: Numbers, non_relevant: Numbers) -> Floats:
    """Return bpref for corresponding numbers of relevant and non-relevant documents.

    `position` contains the indexes of the retrieved relevant documents among the judged documents
    of the ranking.
    """
    non_relevant_above = position - np.arange(len(position))
    limit = np.minimum(relevant, non_relevant)
    total = np.concatenate(([0], np.cumsum(non_relevant_above)))
    first_limited_index = np.searchsorted(non_relevant_above, limit)
    penalty = total[first_limited_index] + (len(position) - first_limited_index) * limit
    return divide(len(position) - divide(penalty, limit), relevant)


@explains("Bpref")
def explain_binary_preference(example: ExampleTopic, *, rel: int) -> WorkedExample:
    """Explain Bpref: how rarely judged non-relevant documents are ranked above relevant ones."""
    hits, relevant = example.list_hit_ranks(rel), example.count_relevant(rel)
    non_relevant = len(example.judged) - relevant
    smaller_count = min(relevant, non_relevant)
    rows: list[tuple[int | float | None, ...]] = []
    terms, total, non_relevant_above = [], 0.0, 0
    for grade in example.grades:
        if is_relevant(grade, rel):
            term = (
                1 - min(non_relevant_above, smaller_count) / smaller_count if smaller_count else 1.0
            )
            total += term
            terms.append(
                f"(1 − {min(non_relevant_above, smaller_count)}/{smaller_count})"
                if smaller_count
                else "1"
            )
            rows.append((non_relevant_above, term, total))
        else:
            non_relevant_above += is_relevant(grade, 0)
            rows.append((non_relevant_above, None, total))
    step, value = format_quotient(Message("Bpref = sum / R"), total, relevant, "R")
    steps = (
        describe_relevance(rel),
        describe_relevant(example, rel),
        Message(
            "Documents judged non-relevant: N = {nonrelevant}; m = min(R, N) = {minimum}. Unjudged "
            "documents are skipped.",
            nonrelevant=non_relevant,
            minimum=smaller_count,
        ),
        Message(
            "Sum of 1 − min(non-relevant above, m)/m at the ranks of relevant documents: "
            "{terms} = {number}",
            terms=format_sum(terms),
            number=format_number(total),
        ),
        step,
    )
    return WorkedExample(
        steps,
        value,
        (Message("non-relevant documents above"), "term", "sum"),
        tuple(rows),
        frozenset(hits),
    )


@measure(
    "GMBpref",
    title="Geometric mean of binary preference",
    formula="geometric mean over the topics of max(Bpref, eps)",
    mean="geometric",
    aliases=("gm_bpref",),
    top_heavy=True,
)
def geometric_binary_preference(run: JudgedRun, *, rel: Rel = 1, eps: Epsilon = 1e-5) -> Scores:
    """Return binary preference, but at least eps, for the geometric mean, which gives difficult
    topics more weight.

    Returns
    -------
    Scores
        Shape (T,), between `eps` and 1; `eps` where a topic has no relevant document.

    Notes
    -----
    The value of a run is exp of the mean of the logarithms, even if other measures are averaged
    differently.

    Examples
    --------
    >>> geometric_binary_preference(JudgedRun.single(ranked=[0, 0], judged=[1]))
    array([1.e-05])
    """
    return np.maximum(binary_preference(run, rel=rel), eps)
