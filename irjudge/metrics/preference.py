"""Preference of relevant documents over judged non-relevant ones (bpref)."""

from typing import Any, TypeAlias

import numpy as np
import numpy.typing as npt

from irjudge.message import Message
from irjudge.metrics.average_precision import Epsilon
from irjudge.metrics.judged import Floats, JudgedRun, Scores, divide
from irjudge.metrics.measure_bounds import Interval, OpenRun, iter_topic_rows, register_bounds
from irjudge.metrics.parameters import Rel
from irjudge.metrics.registry import measure
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
    formula="(1/R) Σ over relevant retrieved of 1 − min(judged non-relevant above, m) / m, with m = min(R, N)",
    top_heavy=True,
)
def binary_preference(judged: JudgedRun, *, rel: Rel = 1) -> Scores:
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
    R documents are relevant and N judged non-relevant. Unjudged documents are skipped. If N is 0,
    it is the share of relevant documents retrieved. As in trec_eval, the divisor is min(R, N), not
    R as in the paper.

    References
    ----------
    Buckley and Voorhees (2004), Retrieval evaluation with incomplete information, SIGIR, 25–32.

    Examples
    --------
    >>> binary_preference(JudgedRun.single(ranked=[0, None, 1, 1], judged=[1, 1, 0, 0]))
    array([0.5])
    """
    relevant = judged.n_relevant(rel)
    limit = np.minimum(relevant, judged.n_judged - relevant)
    seen = judged.judged_hits()
    is_relevant = seen.grade >= rel
    topic = seen.topic[is_relevant]
    above = seen.nth_in_topic[is_relevant] - judged.relevant_hits(rel).nth_in_topic
    lost = divide(np.minimum(above, limit[topic]), limit[topic])
    return divide(judged.sum_by_topic(topic, 1 - lost), relevant)


@register_bounds("Bpref")
def binary_preference_bounds(run: OpenRun, *, rel: int) -> Interval:
    """Return the interval over all numbers of relevant documents among the open ones, with the
    highest-ranked or the lowest-ranked ones relevant.

    In the open world any number of other documents may be relevant or not, so the lowest value is
    0.

    Open documents are taken to be judged relevant or not: a value may leave the interval if one is
    found unjudgeable, since such documents are neither.
    """
    count, can = len(run.judged), run.can_be_relevant(rel)
    seen = run.judged.judged_hits()
    relevant = run.judged.n_relevant(rel)
    others = run.judged.n_judged - relevant
    low, high = np.zeros(count), np.zeros(count)
    for topic, (judged, unknown) in enumerate(
        zip(iter_topic_rows(seen.topic, count), iter_topic_rows(run.topic, count), strict=True)
    ):
        rank, is_relevant = (
            np.concatenate((seen.rank[judged], run.rank[unknown])),
            seen.grade[judged] >= rel,
        )
        order = np.argsort(rank)
        position = np.empty(len(rank), dtype=np.int64)
        position[order] = np.arange(len(rank))
        known, unsure = position[: len(is_relevant)], position[len(is_relevant) :]
        low[topic], high[topic] = _extreme_values(
            known[is_relevant],
            unsure,
            int(relevant[topic]),
            int(others[topic]),
            float(run.outside[topic]),
            can,
        )
    return Interval(low, high)


def _extreme_values(
    known: Numbers, unsure: Numbers, relevant: int, others: int, outside: float, can: bool
) -> tuple[float, float]:
    """Return the lowest and the highest value of one topic.

    `known` and `unsure` are indexes, from 0 among the judged and open documents of the ranking,
    of the relevant and of the open ones; `relevant` and `others` are the numbers judged
    relevant and non-relevant, retrieved or not; `outside` is the number of open documents not
    retrieved. `can` states whether an open document can be relevant.
    """
    endless = np.isinf(outside)
    # More unretrieved relevant documents than twice the retrieved ones only lower the value
    reach = int(2 * (len(known) + len(unsure) + others) + 2) if endless else int(outside)
    missed = np.arange(reach + 1 if can else 1)
    low, high = np.inf, 0.0
    for more in range(len(unsure) + 1 if can else 1):
        total = relevant + more + missed
        rest: Numbers = (
            others + (len(unsure) - more) + (missed * 0.0 if endless else outside - missed)
        )
        limit = np.full(len(missed), np.inf) if endless else rest
        top, bottom = (
            np.sort(np.concatenate((known, unsure[:more]))),
            np.sort(np.concatenate((known, unsure[len(unsure) - more :]))),
        )
        high = max(high, float(_bpref_values(top, total, limit).max()))
        low = min(low, float(_bpref_values(bottom, total, rest).min()))
    return 0.0 if endless and can else low, high


def _bpref_values(position: Numbers, relevant: Numbers, others: Numbers) -> Floats:
    """Return bpref for relevant documents at these indexes among the judged ones, for several
    numbers of relevant and other documents.
    """
    above = position - np.arange(len(position))
    limit = np.minimum(relevant, others)
    total = np.concatenate(([0], np.cumsum(above)))
    below = np.searchsorted(above, limit)
    lost = total[below] + (len(position) - below) * limit
    return divide(len(position) - divide(lost, limit), relevant)


@explains("Bpref")
def binary_preference_working(board: ExampleTopic, *, rel: int) -> WorkedExample:
    """How rarely judged non-relevant documents stand above relevant ones."""
    hits, relevant = board.hits(rel), board.relevant(rel)
    others = len(board.judged) - relevant
    least = min(relevant, others)
    rows: list[tuple[int | float | None, ...]] = []
    terms, total, above = [], 0.0, 0
    for grade in board.grades:
        if is_relevant(grade, rel):
            term = 1 - min(above, least) / least if least else 1.0
            total += term
            terms.append(f"(1 − {min(above, least)}/{least})" if least else "1")
            rows.append((above, term, total))
        else:
            above += is_relevant(grade, 0)
            rows.append((above, None, total))
    step, value = format_quotient(Message("Bpref = sum / R"), total, relevant, "R")
    steps = (
        describe_relevance(rel),
        describe_relevant(board, rel),
        Message(
            "N = {others} documents judged non-relevant; m = min(R, N) = {least}. Unjudged "
            "documents are skipped.",
            others=others,
            least=least,
        ),
        Message(
            "Sum of 1 − min(non-relevant above, m)/m at the relevant ranks: {added} = {number}",
            added=format_sum(terms),
            number=format_number(total),
        ),
        step,
    )
    return WorkedExample(
        steps, value, (Message("non-relevant above"), "term", "sum"), tuple(rows), frozenset(hits)
    )


@measure(
    "GMBpref",
    title="Geometric mean of binary preference",
    formula="geometric mean over the topics of max(Bpref, eps)",
    mean="geometric",
    aliases=("gm_bpref",),
    top_heavy=True,
)
def geometric_binary_preference(judged: JudgedRun, *, rel: Rel = 1, eps: Epsilon = 1e-5) -> Scores:
    """Return binary preference with a small lower bound, for a mean in which difficult topics weigh
    more.

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
    return np.maximum(binary_preference(judged, rel=rel), eps)
