"""Averages of gain: Q-measure, G, and nDCG averaged over documents and over levels."""

from dataclasses import dataclass
from typing import Annotated, Literal, TypeAlias

import numpy as np

from irjudge.message import Message
from irjudge.metrics.cumulative_gain import (
    Gain,
    Gains,
    describe_gain,
    discounts,
    example_gains,
    explain_ideal_gains,
    ideal_gains,
    retrieved_gains,
)
from irjudge.metrics.judged import (
    Floats,
    Ints,
    JudgedRun,
    Longs,
    Scores,
    accumulate_by_topic,
    divide,
    rank_in_topic,
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
    format_quotient,
    format_sum,
)

# Q-measure: average precision for graded relevance

Weight: TypeAlias = Annotated[float, Range(0, 1e6)]
QNorm: TypeAlias = Literal["relevant", "cutoff"]


@measure(
    "Q",
    title="Q-measure",
    formula=(
        "(1/R) Σ of (found + beta·CG@r) / (r + beta·ideal CG@r) over the ranks r ≤ k of "
        "documents with a gain above 0; found: number of such documents at ranks 1 to r; R: "
        "number of such documents in the qrels (norm=cutoff: 1/min(R, k) instead of 1/R)"
    ),
    kind="graded",
    aliases=("Q-measure",),
    top_heavy=True,
)
def q_measure(
    run: JudgedRun,
    *,
    gain: Gain = "linear",
    beta: Weight = 1.0,
    norm: QNorm = "relevant",
    cutoff: MaybeCutoff = None,
) -> Scores:
    """Return average precision with the blended ratio, which takes gain into account, instead of
    precision.

    Parameters
    ----------
    beta
        Weight of the gain; with 0, the value is average precision.
    norm
        Divisor of the sum: `relevant` (R, the number of documents with a gain above 0) or `cutoff`
        (min(R, k), as in NTCIREVAL).
    cutoff
        Uses ranks 1 to `cutoff`; without a cutoff, the whole ranking, and norm=cutoff is then equal
        to norm=relevant.

    Returns
    -------
    Scores
        Shape (T,), between 0 and 1; 0 where no judged document has gain.

    Notes
    -----
    A document is relevant if its gain is above 0. Unjudged and unjudgeable documents have no gain.

    References
    ----------
    Sakai (2004), New performance metrics based on multigrade relevance: their application to question answering, NTCIR-4.

    Examples
    --------
    >>> q_measure(JudgedRun.single(ranked=[0, 2, 1], judged=[2, 1])).round(4)
    array([0.7167])
    """
    retrieved, ideal = retrieved_gains(run, gain, cutoff), ideal_gains(run, gain)
    blended_gain = rank_in_topic(retrieved.topic, len(run)) + beta * accumulate_by_topic(
        np.add, retrieved.topic, retrieved.gain, len(run)
    )
    blended_divisor = retrieved.rank + beta * _compute_ideal_sums(
        run, ideal.topic, ideal.gain, retrieved.topic, retrieved.rank
    )
    relevant = run.count_by_topic(ideal.topic)
    denominator = relevant if norm == "relevant" or cutoff is None else np.minimum(relevant, cutoff)
    return divide(run.sum_by_topic(retrieved.topic, blended_gain / blended_divisor), denominator)


@explains("Q")
def explain_q_measure(
    example: ExampleTopic, *, gain: Gain, beta: float, norm: QNorm, cutoff: int | None
) -> WorkedExample:
    """Explain Q: average precision with the blended ratio instead of precision."""
    ideal_ranking_gains, ideal_step = explain_ideal_gains(example, gain, "judged", None)
    ranked_gains = example_gains(example.gains_or_grades(cutoff), gain)
    rows: list[tuple[float | None, ...]] = []
    relevant_count, gain_so_far, ideal_gain, total, terms = 0, 0.0, 0.0, 0.0, []
    for rank, document_gain in enumerate(ranked_gains, 1):
        gain_so_far += document_gain
        ideal_gain += ideal_ranking_gains[rank - 1] if rank <= len(ideal_ranking_gains) else 0.0
        ratio = None
        if document_gain:
            relevant_count += 1
            ratio = (relevant_count + beta * gain_so_far) / (rank + beta * ideal_gain)
            total += ratio
            terms.append(
                f"({relevant_count} + {format_value(beta)}·{format_number(gain_so_far)})/({rank} + {format_value(beta)}·{format_number(ideal_gain)})"
            )
        rows.append((gain_so_far, ideal_gain, ratio, total))
    if norm == "cutoff" and cutoff is not None:
        step, value = format_quotient(
            Message("Q = sum / min(k, R)"),
            total,
            min(cutoff, len(ideal_ranking_gains)),
            Message("R, the number of documents with a gain above 0,"),
        )
    else:
        step, value = format_quotient(
            Message("Q = sum / R"),
            total,
            len(ideal_ranking_gains),
            Message("R, the number of documents with a gain above 0,"),
        )
    steps = (
        describe_cutoff(example, cutoff),
        describe_gain(gain, is_of_ratings=example.gains is not None),
        ideal_step,
        Message(
            "Sum of (found + beta·CG)/(r + beta·ideal CG) at the ranks of documents with a "
            "gain above 0: {terms} = {number}",
            terms=format_sum(terms),
            number=format_number(total),
        ),
        step,
    )
    hits = frozenset(rank for rank, document_gain in enumerate(ranked_gains, 1) if document_gain)
    return WorkedExample(
        steps, value, ("CG", Message("ideal CG"), "ratio", "sum"), tuple(rows), hits
    )


def _compute_ideal_sums(
    run: JudgedRun, topic: Ints, gain: Floats, requested_topic: Ints, rank: Ints
) -> Floats:
    """Return the sum of ideal gains at ranks 1 to `rank` for each topic in `requested_topic`.

    `topic` and `gain` are the documents of the ideal rankings.
    """
    sizes = run.count_by_topic(topic)
    starts = np.cumsum(sizes) - sizes
    sums = accumulate_by_topic(np.add, topic, gain, len(run))
    gain_upto_rank: Floats = sums[
        starts[requested_topic] + np.minimum(rank, sizes[requested_topic]) - 1
    ]
    return gain_upto_rank


# Experimental gain measures of trec_eval: G, nDCG averaged over documents and over levels


@measure(
    "BinG",
    title="Binary G",
    formula=(
        "(1/R) Σ over relevant documents retrieved of 1 / log2(2 + number of non-relevant "
        "documents ranked above)"
    ),
    top_heavy=True,
)
def binary_g(run: JudgedRun, *, rel: Rel = 1) -> Scores:
    """Return a score that is higher when fewer non-relevant documents are ranked above each
    relevant one.

    Returns
    -------
    Scores
        Shape (T,); 0 where a topic has no relevant document.

    Notes
    -----
    Unjudged documents count as not relevant. This is an experimental measure of trec_eval that is
    intermediate between AP and nDCG.

    Examples
    --------
    >>> binary_g(JudgedRun.single(ranked=[1, 0, 0, 1]))
    array([0.75])
    """
    hits = run.relevant_hits(rel)
    return divide(
        run.sum_by_topic(hits.topic, 1 / np.log2(2.0 + hits.rank - hits.nth_in_topic)),
        run.n_relevant(rel),
    )


@measure(
    "G",
    title="Normalised gain",
    formula=(
        "Σ over ranks r of gain / log2(2 + Σ of max(ideal gain, 1) − Σ of gain, both over "
        "ranks 1 to r), divided by the sum of all gains"
    ),
    kind="graded",
    aliases=(Alias("G", suffix="gain"),),
    top_heavy=True,
)
def normalised_gain(run: JudgedRun, *, gain: Gain = "linear") -> Scores:
    """Return the gain of the list; a document counts less the further the list has fallen behind
    the ideal list.

    Returns
    -------
    Scores
        Shape (T,); 0 where no judged document has gain.

    Notes
    -----
    Unjudged documents have no gain. This is an experimental measure of trec_eval; with binary
    grades, it equals BinG.

    Examples
    --------
    >>> normalised_gain(JudgedRun.single(ranked=[0, 2], judged=[1])).round(4)
    array([0.4206])
    """
    retrieved, ideal = retrieved_gains(run, gain), ideal_gains(run, gain)
    running_gain = _make_running_sums(run, retrieved, retrieved.gain)
    ideal_costs = _make_running_sums(run, ideal, np.maximum(ideal.gain, 1))
    ideal_gain_upto_rank = ideal_costs.sum_top_documents(
        retrieved.topic, retrieved.rank
    ) + np.maximum(retrieved.rank - ideal_costs.count(retrieved.topic), 0)
    # The ideal sum can be lower than the sum of the ranking only because of rounding errors
    shortfall = np.maximum(ideal_gain_upto_rank - running_gain.sums, 0)
    return divide(
        run.sum_by_topic(retrieved.topic, retrieved.gain / np.log2(2 + shortfall)),
        run.sum_by_topic(ideal.topic, ideal.gain),
    )


@measure(
    "nDCGrel",
    title="nDCG averaged over relevant documents",
    formula=(
        "(Σ of nDCG@r over the ranks r of the retrieved documents with a gain above 0 + DCG / "
        "IDCG × number of such documents not retrieved) / number of all such documents"
    ),
    kind="graded",
    aliases=(Alias("ndcg_rel", suffix="gain"),),
    top_heavy=True,
)
def ndcg_over_relevant(run: JudgedRun, *, gain: Gain = "linear") -> Scores:
    """Return the mean of nDCG at the ranks of the documents with a gain above 0.

    Returns
    -------
    Scores
        Shape (T,); 0 where no judged document has gain.

    Notes
    -----
    A document that was not retrieved contributes the DCG of the whole list divided by the ideal DCG
    of all judged documents. Unjudged documents have no gain. This is an experimental measure of
    trec_eval.

    Examples
    --------
    >>> ndcg_over_relevant(JudgedRun.single(ranked=[0, 1])).round(4)
    array([0.6309])
    """
    retrieved, ideal = retrieved_gains(run, gain), ideal_gains(run, gain)
    retrieved_sums, ideal_sums = (
        _make_running_sums(run, ranked, ranked.gain / discounts(ranked.rank, "log2p1", 2))
        for ranked in (retrieved, ideal)
    )
    retrieved_total = run.sum_by_topic(
        retrieved.topic,
        retrieved_sums.sums / ideal_sums.sum_top_documents(retrieved.topic, retrieved.rank),
    )
    unretrieved_total = (ideal_sums.sizes - retrieved_sums.sizes) * divide(
        retrieved_sums.totals, ideal_sums.totals
    )
    return divide(retrieved_total + unretrieved_total, ideal_sums.sizes)


@measure(
    "RnDCG",
    title="nDCG averaged over levels of gain",
    formula=(
        "mean of nDCG@k, where k is the last rank of each gain in the ideal ranking, and of "
        "nDCG@n if n > R + 1 (R is the number of documents with a gain above 0)"
    ),
    kind="graded",
    aliases=(Alias("Rndcg", suffix="gain"),),
    top_heavy=True,
    exemptions=(Exemption("tail", "from R + 2 documents on, the whole list is one more point"),),
)
def ndcg_over_levels(run: JudgedRun, *, gain: Gain = "linear") -> Scores:
    """Return the mean of nDCG at the ranks where the ideal ranking drops to a lower gain.

    Returns
    -------
    Scores
        Shape (T,); 0 where no judged document has gain.

    Notes
    -----
    Unjudged documents have no gain. This is an experimental measure of trec_eval, which prints 0 if
    no document reaches the grade given with its option -l. In irjudge, the minimum relevant grade
    has no effect, because gains do not depend on it.

    Examples
    --------
    >>> ndcg_over_levels(JudgedRun.single(ranked=[1, 2], judged=[2, 1])).round(4)
    array([0.6799])
    """
    retrieved, ideal = retrieved_gains(run, gain), ideal_gains(run, gain)
    retrieved_sums, ideal_sums = (
        _make_running_sums(run, ranked, ranked.gain / discounts(ranked.rank, "log2p1", 2))
        for ranked in (retrieved, ideal)
    )
    is_last_of_level = np.append(
        (ideal.topic[1:] != ideal.topic[:-1]) | (ideal.gain[1:] != ideal.gain[:-1]), True
    )[: len(ideal.topic)]
    topic, rank = ideal.topic[is_last_of_level], ideal.rank[is_last_of_level]
    total = run.sum_by_topic(
        topic,
        retrieved_sums.sum_upto_rank(retrieved, topic, rank) / ideal_sums.sums[is_last_of_level],
    )
    is_longer_than_ideal = (run.n_retrieved > ideal_sums.sizes + 1) & (ideal_sums.sizes > 0)
    return divide(
        total + np.where(is_longer_than_ideal, divide(retrieved_sums.totals, ideal_sums.totals), 0),
        run.count_by_topic(topic) + is_longer_than_ideal,
    )


@dataclass(frozen=True, slots=True, eq=False)
class _RunningSums:
    """Running sums of values within each topic, with one sum for each document.

    The sums of topic t are `sums[starts[t]:starts[t + 1]]`.
    """

    sums: Floats
    starts: Longs

    @property
    def sizes(self) -> Longs:
        """Number of documents of each topic, shape (T,)."""
        return np.diff(self.starts)

    @property
    def totals(self) -> Floats:
        """Sum over all documents of each topic, shape (T,)."""
        return self._sum_first(np.arange(len(self.sizes)), self.sizes)

    def count(self, topic: Ints) -> Longs:
        """Return the number of documents of each topic in `topic`."""
        return self.sizes[topic]

    def sum_top_documents(self, topic: Ints, rank: Ints) -> Floats:
        """Return the sum over the first `rank` documents of each topic in `topic`."""
        return self._sum_first(topic, np.minimum(rank, self.count(topic)))

    def sum_upto_rank(self, gains: Gains, topic: Ints, rank: Ints) -> Floats:
        """Return, for each topic in `topic`, the sum over its documents at ranks 1 to `rank`.

        `gains` contains the ranks of the documents.
        """
        max_rank = int(max(gains.rank.max(initial=0), rank.max(initial=0))) + 1
        keys = gains.topic.astype(np.int64) * max_rank + gains.rank
        first = np.searchsorted(keys, topic.astype(np.int64) * max_rank + rank, side="right")
        return self._sum_first(topic, first - self.starts[topic])

    def _sum_first(self, topic: Ints | Longs, count: Ints | Longs) -> Floats:
        padded_sums = np.append(self.sums, 0.0)
        return np.where(count > 0, padded_sums[self.starts[topic] + np.maximum(count, 1) - 1], 0.0)


def _make_running_sums(run: JudgedRun, gains: Gains, values: Floats) -> _RunningSums:
    """Return the running sums of `values`; topics do not affect each other's rounding errors."""
    starts = np.concatenate(([0], np.cumsum(run.count_by_topic(gains.topic)))).astype(np.int64)
    return _RunningSums(accumulate_by_topic(np.add, gains.topic, values, len(run)), starts)
