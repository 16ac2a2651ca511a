"""Precision, recall and success at a rank and at levels of recall, and average precision."""

import math
from collections.abc import Iterator
from fractions import Fraction
from typing import Annotated, Literal, TypeAlias

import numpy as np
import numpy.typing as npt

from irjudge.message import Message
from irjudge.metrics.judged import (
    Floats,
    Hits,
    Ints,
    JudgedRun,
    Longs,
    Scores,
    divide,
    rank_in_topic,
)
from irjudge.metrics.measure_bounds import (
    INFINITE_RANK,
    Interval,
    NoBounds,
    OpenRun,
    OpenRunPair,
    first_difference,
    is_within,
    iter_topic_rows,
    linear_difference,
    register_bounds,
    register_difference_bounds,
    without_open_documents,
)
from irjudge.metrics.registry import (
    TREC_CUTOFFS,
    Alias,
    Cutoff,
    Exemption,
    MaybeCutoff,
    MicroAverage,
    Range,
    Rel,
    format_value,
    measure,
)
from irjudge.metrics.worked_example import (
    ExampleTopic,
    SheetColumn,
    SheetPart,
    SheetResult,
    WorkedExample,
    count_relevant_by_rank,
    describe_cutoff,
    describe_relevance,
    describe_relevant,
    explains,
    format_number,
    format_quotient,
    format_sum,
    is_relevant,
)

# Precision and recall at a rank


def _compute_precision_counts(run: JudgedRun, *, rel: int, cutoff: int) -> tuple[Scores, Scores]:
    hits = run.count_relevant_retrieved(rel, cutoff).astype(np.float64)
    return hits, np.full(len(run), float(cutoff))


def _compute_recall_counts(run: JudgedRun, *, rel: int, cutoff: int) -> tuple[Scores, Scores]:
    hits = run.count_relevant_retrieved(rel, cutoff).astype(np.float64)
    return hits, run.n_relevant(rel).astype(np.float64)


def _compute_relative_precision_counts(
    run: JudgedRun, *, rel: int, cutoff: int
) -> tuple[Scores, Scores]:
    hits = run.count_relevant_retrieved(rel, cutoff).astype(np.float64)
    return hits, np.minimum(run.n_relevant(rel), cutoff).astype(np.float64)


def _compute_r_precision_counts(run: JudgedRun, *, rel: int) -> tuple[Scores, Scores]:
    relevant, hits = run.n_relevant(rel), run.relevant_hits(rel)
    counts = run.count_by_topic(hits.topic[hits.rank <= relevant[hits.topic]])
    return counts.astype(np.float64), relevant.astype(np.float64)


@measure(
    "P",
    title="Precision",
    formula="relevant documents in the top k / k",
    micro=MicroAverage(_compute_precision_counts),
    aliases=("precision",),
    top_heavy=True,
)
def precision(run: JudgedRun, *, rel: Rel = 1, cutoff: Cutoff) -> Scores:
    """Return the share of the top k that is relevant.

    Returns
    -------
    Scores
        Shape (T,).

    Notes
    -----
    The count is divided by k even if fewer documents were retrieved. Unjudged documents count as
    not relevant.

    Examples
    --------
    >>> precision(JudgedRun.single(ranked=[1, 0, 1]), cutoff=5)
    array([0.4])
    """
    return divide(*_compute_precision_counts(run, rel=rel, cutoff=cutoff))


@register_bounds("P")
def precision_bounds(run: OpenRun, *, rel: int, cutoff: int) -> Interval:
    """Return the bounds of P@k.

    The lower bound is the value if no open document in the top k is relevant; the upper bound is
    the value if all of them are.
    """
    return Interval(
        *(
            precision(run.assign_grade(grade), rel=rel, cutoff=cutoff)
            for grade in (0, run.grades[-1])
        )
    )


@register_difference_bounds("P")
def precision_difference(pair: OpenRunPair, *, rel: int, cutoff: int) -> Interval:
    """Return the bounds of the difference in P@k.

    Documents that both runs have in the top k do not affect the difference.
    """
    current = precision(pair.a.judged, rel=rel, cutoff=cutoff) - precision(
        pair.b.judged, rel=rel, cutoff=cutoff
    )
    weight = (
        is_within(pair.rank_a, cutoff).astype(np.float64) - is_within(pair.rank_b, cutoff)
    ) / cutoff
    return linear_difference(pair, current, weight if pair.a.can_be_relevant(rel) else weight * 0)


@explains("P")
def explain_precision(example: ExampleTopic, *, rel: int, cutoff: int) -> WorkedExample:
    """Explain P: the number of relevant documents in the top k, divided by k."""
    counts = count_relevant_by_rank(example, rel, cutoff)
    step, value = format_quotient(
        Message("P@{cutoff} = relevant in the top {cutoff} / {cutoff}", cutoff=cutoff),
        counts[-1] if counts else 0,
        cutoff,
        "k",
    )
    return WorkedExample(
        (describe_relevance(rel), describe_cutoff(example, cutoff), step),
        value,
        ("found", "P@r"),
        tuple((count, count / rank) for rank, count in enumerate(counts, 1)),
        frozenset(example.list_hit_ranks(rel, cutoff)),
    )


@measure(
    "R",
    title="Recall",
    formula="relevant documents in the top k / R, where R is the number of relevant documents",
    micro=MicroAverage(_compute_recall_counts),
    aliases=("recall",),
    top_heavy=True,
)
def recall(run: JudgedRun, *, rel: Rel = 1, cutoff: Cutoff) -> Scores:
    """Return the share of relevant documents that are in the top k.

    Returns
    -------
    Scores
        Shape (T,); 0 where a topic has no relevant document.

    Notes
    -----
    Unjudged documents count as not relevant. Ties matter only at the cutoff.

    Examples
    --------
    >>> recall(JudgedRun.single(ranked=[1, 0, 1], judged=[1, 1, 1, 1]), cutoff=2)
    array([0.25])
    """
    return divide(*_compute_recall_counts(run, rel=rel, cutoff=cutoff))


@register_bounds("R")
def recall_bounds(run: OpenRun, *, rel: int, cutoff: int) -> Interval:
    """Return the bounds of R@k.

    For the lower bound, only the open documents outside the top k are relevant; for the upper
    bound, only those inside it.
    """
    run = run.upto(cutoff, rel)
    retrieved = run.judged.count_relevant_retrieved(rel, cutoff)
    relevant, open_count = run.judged.n_relevant(rel), run.judged.count_by_topic(run.topic)
    return Interval(
        divide(retrieved, relevant + run.unretrieved_open),
        divide(retrieved + open_count, relevant + open_count),
    )


@register_difference_bounds("R")
def recall_difference(pair: OpenRunPair, *, rel: int, cutoff: int) -> Interval:
    """Return the bounds of the difference in R@k.

    For the highest difference, the open documents that only run a has in its top k are relevant. If
    run b is better even then, all open documents except those only in the top k of b are also
    relevant, since more relevant documents make the difference smaller. The lowest difference is
    computed in the same way, with the runs exchanged.
    """
    if not pair.a.can_be_relevant(rel):
        pair = without_open_documents(pair)
    judged_run = pair.a.judged
    retrieved_a, retrieved_b = (
        open_run.judged.count_relevant_retrieved(rel, cutoff) for open_run in (pair.a, pair.b)
    )
    top_difference = is_within(pair.rank_a, cutoff).astype(np.int64) - is_within(
        pair.rank_b, cutoff
    )
    open_only_a, open_only_b, open_in_neither = (
        judged_run.count_by_topic(pair.topic[top_difference == sign]) for sign in (1, -1, 0)
    )
    current = (retrieved_a - retrieved_b).astype(np.float64)
    relevant = judged_run.n_relevant(rel)
    shared_open = open_in_neither + pair.unretrieved_open
    high, low = current + open_only_a, current - open_only_b
    return Interval(
        divide(low, relevant + open_only_b + np.where(low > 0, shared_open, 0)),
        divide(high, relevant + open_only_a + np.where(high < 0, shared_open, 0)),
    )


@explains("R")
def explain_recall(example: ExampleTopic, *, rel: int, cutoff: int) -> WorkedExample:
    """Explain R: the share of the relevant documents that is in the top k."""
    counts, relevant = count_relevant_by_rank(example, rel, cutoff), example.count_relevant(rel)
    step, value = format_quotient(
        Message("R@{cutoff} = relevant in the top {cutoff} / R", cutoff=cutoff),
        counts[-1] if counts else 0,
        relevant,
        "R",
    )
    rows = tuple((count, count / relevant if relevant else 0.0) for count in counts)
    steps = (
        describe_relevance(rel),
        describe_cutoff(example, cutoff),
        describe_relevant(example, rel),
        step,
    )
    return WorkedExample(
        steps, value, ("found", "R@r"), rows, frozenset(example.list_hit_ranks(rel, cutoff))
    )


@measure(
    "RelP",
    title="Relative precision",
    formula=(
        "relevant documents in the top k / min(k, R), where R is the number of relevant documents"
    ),
    micro=MicroAverage(_compute_relative_precision_counts),
    aliases=(Alias("relative_P", bare="." + TREC_CUTOFFS),),
    top_heavy=True,
)
def relative_precision(run: JudgedRun, *, rel: Rel = 1, cutoff: Cutoff) -> Scores:
    """Return precision in the top k divided by the highest possible precision.

    Returns
    -------
    Scores
        Shape (T,); 0 where a topic has no relevant document, for which trec_eval prints nan.

    Notes
    -----
    The value is precision for k up to R, and recall for higher k. Unjudged documents count as not
    relevant. Ties matter only at the cutoff.

    Examples
    --------
    >>> relative_precision(JudgedRun.single(ranked=[1, 0, 0], judged=[1, 1]), cutoff=3)
    array([0.5])
    """
    return divide(*_compute_relative_precision_counts(run, rel=rel, cutoff=cutoff))


@measure(
    "Success",
    title="Success",
    formula="1 if a relevant document is in the top k, else 0",
    aliases=("hit_rate",),
    top_heavy=True,
)
def success(run: JudgedRun, *, rel: Rel = 1, cutoff: Cutoff) -> Scores:
    """Return 1 if the top k contains a relevant document, else 0.

    Returns
    -------
    Scores
        Shape (T,), 0 or 1.

    Notes
    -----
    Unjudged documents count as not relevant. Ties matter only at the cutoff.

    Examples
    --------
    >>> success(JudgedRun.single(ranked=[0, 0, 1]), cutoff=2)
    array([0.])
    """
    return (run.count_relevant_retrieved(rel, cutoff) > 0).astype(np.float64)


@register_bounds("Success")
def success_bounds(run: OpenRun, *, rel: int, cutoff: int) -> Interval:
    """Return the bounds of Success@k.

    The lower bound is the value if no open document is relevant; the upper bound is the value if
    all are.
    """
    return Interval(
        *(success(run.assign_grade(grade), rel=rel, cutoff=cutoff) for grade in (0, run.grades[-1]))
    )


@register_difference_bounds("Success")
def success_difference(pair: OpenRunPair, *, rel: int, cutoff: int) -> Interval:
    """Return the bounds of the difference in Success@k.

    At each bound, at most one open document is relevant.
    """
    return first_difference(
        pair, rel, cutoff, lambda rank: (rank < INFINITE_RANK).astype(np.float64)
    )


@explains("Success")
def explain_success(example: ExampleTopic, *, rel: int, cutoff: int) -> WorkedExample:
    """Explain Success: whether the top k contains a relevant document."""
    hits = example.list_hit_ranks(rel, cutoff)
    rank_step = (
        Message(
            "The first relevant document is at rank {rank}, so the topic counts as a success.",
            rank=hits[0],
        )
        if hits
        else Message(
            "None of the documents examined is relevant, so the topic does not count as a success."
        )
    )
    return WorkedExample(
        (describe_relevance(rel), describe_cutoff(example, cutoff), rank_step),
        float(bool(hits)),
        hits=frozenset(hits[:1]),
    )


@measure(
    "Rprec",
    title="R-precision",
    formula="relevant documents in the top R / R, where R is the number of relevant documents",
    micro=MicroAverage(_compute_r_precision_counts),
    aliases=("r-precision",),
    top_heavy=True,
)
def r_precision(run: JudgedRun, *, rel: Rel = 1) -> Scores:
    """Return precision at rank R, the number of relevant documents.

    Returns
    -------
    Scores
        Shape (T,); 0 where a topic has no relevant document.

    Notes
    -----
    The value equals recall at rank R, and the break-even point of precision and recall.

    Examples
    --------
    >>> r_precision(JudgedRun.single(ranked=[1, 0, 1], judged=[1, 1]))
    array([0.5])
    """
    return divide(*_compute_r_precision_counts(run, rel=rel))


@register_bounds("Rprec")
def r_precision_bounds(run: OpenRun, *, rel: int) -> Interval:
    """Return the bounds of R-precision over all possible values of R.

    For the highest value, the retrieved open documents become relevant first, in order of rank, and
    then the unretrieved ones. For the lowest value, the unretrieved open documents become relevant
    first, and then the retrieved ones, in reverse order of rank.
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
        # If R exceeds the number of retrieved documents, further relevant documents lower the value
        unretrieved = int(min(run.unretrieved_open[topic], run.judged.n_retrieved[topic]))
        additional_counts = np.arange(len(open_ranks) + unretrieved + 1)
        high[topic] = _compute_precision_with_open(
            relevant[topic] + additional_counts,
            relevant_ranks,
            open_ranks,
            np.minimum(additional_counts, len(open_ranks)),
        ).max()
        if np.isfinite(run.unretrieved_open[topic]):
            additional_counts = np.arange(len(open_ranks) + int(run.unretrieved_open[topic]) + 1)
            additional_retrieved = np.maximum(
                additional_counts - int(run.unretrieved_open[topic]), 0
            )
            low[topic] = _compute_precision_with_open(
                relevant[topic] + additional_counts,
                relevant_ranks,
                open_ranks,
                additional_retrieved,
                lowest_first=True,
            ).min()
    return Interval(low, high)


def _compute_precision_with_open(
    rank: Longs,
    relevant_ranks: Ints,
    open_ranks: Ints,
    additional_counts: Longs,
    *,
    lowest_first: bool = False,
) -> Floats:
    """Return the precision at each rank if some retrieved open documents are relevant.

    `additional_counts` contains, for each rank, the number of relevant open documents. These are
    the highest-ranked open documents or, if `lowest_first`, the lowest-ranked ones.
    """
    open_above = np.searchsorted(open_ranks, rank, side="right")
    additional_above = (
        np.maximum(open_above - (len(open_ranks) - additional_counts), 0)
        if lowest_first
        else np.minimum(open_above, additional_counts)
    )
    return divide(np.searchsorted(relevant_ranks, rank, side="right") + additional_above, rank)


@explains("Rprec")
def explain_r_precision(example: ExampleTopic, *, rel: int) -> WorkedExample:
    """Explain Rprec: the precision at rank R, the number of relevant documents."""
    relevant = example.count_relevant(rel)
    counts = count_relevant_by_rank(example, rel, relevant)
    step, value = format_quotient(
        Message("Rprec = relevant in the top {relevant} / R", relevant=relevant),
        counts[-1] if counts else 0,
        relevant,
        "R",
    )
    return WorkedExample(
        (describe_relevance(rel), describe_relevant(example, rel), step),
        value,
        ("found", "P@r"),
        tuple((count, count / rank) for rank, count in enumerate(counts, 1)),
        frozenset(example.list_hit_ranks(rel, relevant)),
    )


PRECISION_SHEET = SheetPart(
    columns=(
        SheetColumn(
            "Found",
            10,
            "=N({Found}{above})+{Relevant}{row}",
            lambda sheet_data: sheet_data.relevant_so_far,
            decimals=False,
        ),
        SheetColumn(
            "P@r",
            10,
            "={Found}{row}/{Rank}{row}",
            lambda sheet_data: sheet_data.relevant_so_far / sheet_data.rank,
        ),
    ),
    results=(
        SheetResult("P@k", '=SUMIFS({Relevant:area},{Rank:area},"<="&{k})/{k}', "P@{cutoff}"),
    ),
)


# Reciprocal rank of the first relevant document


@measure(
    "RR",
    title="Reciprocal rank",
    formula="1 / rank of the first relevant document in the top k; 0 if there is none",
    aliases=("mrr", "recip_rank"),
    top_heavy=True,
)
def reciprocal_rank(run: JudgedRun, *, rel: Rel = 1, cutoff: MaybeCutoff = None) -> Scores:
    """Return 1 divided by the rank of the first relevant document.

    Parameters
    ----------
    cutoff
        Uses ranks 1 to `cutoff`; without a cutoff, the whole ranking.

    Returns
    -------
    Scores
        Shape (T,); 0 where no relevant document is found.

    Notes
    -----
    Unjudged documents count as not relevant. Ties were broken when the run was read.

    References
    ----------
    Voorhees (1999), The TREC-8 question answering track report, TREC-8.

    Examples
    --------
    >>> reciprocal_rank(JudgedRun.single(ranked=[0, None, 0, 1]))
    array([0.25])
    """
    hits = run.relevant_hits(rel, cutoff)
    first = hits.where(hits.nth_in_topic == 1)
    return run.sum_by_topic(first.topic, 1 / first.rank)


@register_bounds("RR")
def reciprocal_rank_bounds(run: OpenRun, *, rel: int, cutoff: int | None) -> Interval:
    """Return the bounds of RR.

    The lower bound is the value if no open document is relevant; the upper bound is the value if
    all are.
    """
    return Interval(
        *(
            reciprocal_rank(run.assign_grade(grade), rel=rel, cutoff=cutoff)
            for grade in (0, run.grades[-1])
        )
    )


@register_difference_bounds("RR")
def reciprocal_rank_difference(pair: OpenRunPair, *, rel: int, cutoff: int | None) -> Interval:
    """Return the bounds of the difference in RR.

    At each bound, at most one open document is relevant. Further relevant documents could only
    raise the value of the other run.
    """
    return first_difference(
        pair, rel, cutoff, lambda rank: np.where(rank < INFINITE_RANK, 1 / rank, 0.0)
    )


@explains("RR")
def explain_reciprocal_rank(
    example: ExampleTopic, *, rel: int, cutoff: int | None
) -> WorkedExample:
    """Explain RR: 1 divided by the rank of the first relevant document."""
    hits = example.list_hit_ranks(rel, cutoff)
    value = 1 / hits[0] if hits else 0.0
    rank_step = (
        Message(
            "RR = 1 / rank of the first relevant document = 1 / {rank} = {number}",
            rank=hits[0],
            number=format_number(value),
        )
        if hits
        else Message("RR = 0, because none of the documents examined is relevant.")
    )
    return WorkedExample(
        (describe_relevance(rel), describe_cutoff(example, cutoff), rank_step),
        value,
        hits=frozenset(hits[:1]),
    )


# Average precision and its variants

Norm: TypeAlias = Literal["relevant", "retrieved", "cutoff"]
Epsilon: TypeAlias = Annotated[
    float,
    Range(0, 1, above=True),
    "Minimum value of a topic: smaller values are replaced by it, because a single 0 would "
    "make the geometric mean 0.",
]

# value of ε, with which trec_eval smooths infAP
SMOOTHING = 1e-5


@measure(
    "AP",
    title="Average precision",
    formula=(
        "(Σ of P@r over the ranks r ≤ k of relevant documents) / R (norm=retrieved: / number "
        "of relevant documents retrieved; norm=cutoff: / min(R, k))"
    ),
    aliases=("map", Alias("map_cut", bare="." + TREC_CUTOFFS)),
    top_heavy=True,
    exemptions=(
        Exemption(
            "top_heavy",
            "a relevant document that enters the top k low lowers the mean",
            when=(("norm", ("retrieved",)),),
        ),
    ),
)
def average_precision(
    run: JudgedRun, *, rel: Rel = 1, norm: Norm = "relevant", cutoff: MaybeCutoff = None
) -> Scores:
    """Return the mean of precision at the ranks of the relevant documents.

    Parameters
    ----------
    run
        T topics; the arrays of hits have shape (H,), sorted by topic and rank.
    norm
        Divisor of the sum: the number of all relevant documents, the number of those found up to
        the cutoff, or min(relevant, cutoff).
    cutoff
        Uses ranks 1 to `cutoff`; without a cutoff, the whole ranking, and norm=cutoff is then equal
        to norm=relevant.

    Returns
    -------
    Scores
        Shape (T,), each between 0 and 1; 0 where a topic has no relevant document.

    Notes
    -----
    Unjudged documents count as not relevant. Ties were broken when the run was read. The lowest AP
    of a ranking of all documents is APmin, not 0.

    References
    ----------
    Buckley and Voorhees (2005), Retrieval System Evaluation, in TREC, MIT Press, ch. 3.

    Examples
    --------
    >>> average_precision(JudgedRun.single(ranked=[1, 0, 1], judged=[1, 1, 1])).round(4)
    array([0.5556])
    """
    hits = run.relevant_hits(rel, cutoff)
    precision_at_hit = hits.nth_in_topic / hits.rank
    return divide(
        run.sum_by_topic(hits.topic, precision_at_hit), _compute_divisor(run, rel, norm, cutoff)
    )


@register_bounds("AP")
def average_precision_bounds(run: OpenRun, *, rel: int, norm: Norm, cutoff: int | None) -> Interval:
    """Return the bounds of AP for all possible numbers s of relevant open documents.

    An open document is one that is not judged but may be relevant. The upper bound is the highest
    value if the s highest-ranked open documents are relevant. The lower bound is the lowest value
    if the s lowest-ranked open documents and all unretrieved open documents are relevant.
    """
    run = run.upto(cutoff, rel)
    hits, count = run.judged.relevant_hits(rel, cutoff), len(run.judged)
    relevant = (
        run.judged.count_by_topic(hits.topic) if norm == "retrieved" else run.judged.n_relevant(rel)
    ).astype(np.float64)
    unretrieved = np.zeros(count) if norm == "retrieved" else run.unretrieved_open
    max_divisor = float(cutoff) if norm == "cutoff" and cutoff is not None else np.inf
    low, high = np.zeros(count), np.zeros(count)
    for topic, (hit_rows, open_rows) in enumerate(
        zip(iter_topic_rows(hits.topic, count), iter_topic_rows(run.topic, count), strict=True)
    ):
        highest_sums, lowest_sums = _compute_sums_of_precision(
            hits.rank[hit_rows].astype(np.float64), run.rank[open_rows].astype(np.float64)
        )
        possible_relevant = relevant[topic] + np.arange(len(highest_sums))
        high[topic] = divide(highest_sums, np.minimum(possible_relevant, max_divisor)).max()
        low[topic] = divide(
            lowest_sums, np.minimum(possible_relevant + unretrieved[topic], max_divisor)
        ).min()
    return Interval(low, high)


def _compute_sums_of_precision(relevant_ranks: Floats, open_ranks: Floats) -> tuple[Floats, Floats]:
    """Return the sums of precisions if s = 0, 1, 2 … open documents are relevant.

    In the first array, the s highest-ranked open documents are relevant; in the second, the s
    lowest-ranked ones. `relevant_ranks` are the ranks of the documents judged relevant, and
    `open_ranks` those of the open documents; both are ascending.
    """
    reciprocal_sums = np.concatenate(([0.0], np.cumsum(1 / relevant_ranks)))
    relevant_above = np.searchsorted(relevant_ranks, open_ranks)
    gain_below = reciprocal_sums[-1] - reciprocal_sums[relevant_above]
    judged_sum = (np.arange(1, len(relevant_ranks) + 1) / relevant_ranks).sum()
    # From the top: s − 1 relevant open documents are above the s-th one, and are counted in the
    # precision at its rank. From the bottom: s − 1 relevant open documents are below the s-th one,
    # which raises the precision at the rank r of each of them by 1 / r.
    gains_from_top = (relevant_above + np.arange(1, len(open_ranks) + 1)) / open_ranks + gain_below
    lower_open_gain = np.cumsum(1 / open_ranks[::-1]) - 1 / open_ranks[::-1]
    gains_from_bottom = ((relevant_above + 1) / open_ranks + gain_below)[::-1] + lower_open_gain
    return tuple(
        judged_sum + np.concatenate(([0.0], np.cumsum(gains)))
        for gains in (gains_from_top, gains_from_bottom)
    )


@explains("AP")
def explain_average_precision(
    example: ExampleTopic, *, rel: int, norm: Norm, cutoff: int | None
) -> WorkedExample:
    """Explain AP: the mean of the precisions at the ranks of relevant documents."""
    hits, relevant = example.list_hit_ranks(rel, cutoff), example.count_relevant(rel)
    rows: list[tuple[float | None, ...]] = []
    total, relevant_count = 0.0, 0
    for rank, grade in enumerate(example.top_grades(cutoff), 1):
        if is_relevant(grade, rel):
            relevant_count += 1
            total += relevant_count / rank
            rows.append((relevant_count, relevant_count / rank, total))
        else:
            rows.append((relevant_count, None, total))
    sum_step = Message(
        "Sum of P@r at the ranks of relevant documents: {terms} = {number}",
        terms=format_sum([f"{nth}/{rank}" for nth, rank in enumerate(hits, 1)]),
        number=format_number(total),
    )
    divisor, divisor_symbol = relevant, "R"
    if norm == "retrieved":
        divisor, divisor_symbol = len(hits), Message("the number of relevant documents found")
    elif norm == "cutoff" and cutoff is not None:
        divisor, divisor_symbol = min(relevant, cutoff), Message("min(R, k)")
    step, value = format_quotient(
        Message("AP = sum / {divisor}", divisor=divisor_symbol), total, divisor, divisor_symbol
    )
    steps = (
        describe_relevance(rel),
        describe_cutoff(example, cutoff),
        describe_relevant(example, rel),
        *_explain_lowest_ap(example, rel, norm, cutoff),
        sum_step,
        step,
    )
    return WorkedExample(steps, value, ("found", "P@r", "sum"), tuple(rows), frozenset(hits))


def _explain_lowest_ap(
    example: ExampleTopic, rel: int, norm: Norm, cutoff: int | None
) -> Iterator[str]:
    """Yield a step that states the lowest AP of any ranking of all documents.

    There is no step if there is a cutoff or no relevant document, or if `norm` is not `relevant`.
    """
    collection_size, relevant = example.judged_run.collection or 0, example.count_relevant(rel)
    if norm != "relevant" or cutoff is not None or not relevant:
        return
    from irjudge.metrics.sets import lowest_average_precision  # noqa: PLC0415

    universe: Literal["collection", "judged"] = (
        "collection" if collection_size >= len(example.judged) else "judged"
    )
    yield Message(
        "Even a ranking of all {documents} in which the relevant ones come last has an AP of "
        "{minimum}, which is the value of {name}.",
        key="least-ap",
        documents=Message("{size:,} documents", size=collection_size)
        if universe == "collection"
        else Message("{count:,} judged documents", count=len(example.judged)),
        minimum=format_number(
            float(lowest_average_precision(example.judged_run, rel=rel, universe=universe)[0])
        ),
        name=f"APmin(universe={universe})",
    )


def _compute_divisor(run: JudgedRun, rel: int, norm: Norm, cutoff: int | None) -> Longs:
    if norm == "retrieved":
        return run.count_relevant_retrieved(rel, cutoff)
    relevant = run.n_relevant(rel)
    return np.minimum(relevant, cutoff) if norm == "cutoff" and cutoff is not None else relevant


@measure(
    "GMAP",
    title="Geometric mean of average precision",
    formula="geometric mean over the topics of max(AP, eps)",
    mean="geometric",
    aliases=("gm_map",),
    top_heavy=True,
)
def geometric_average_precision(run: JudgedRun, *, rel: Rel = 1, eps: Epsilon = 1e-5) -> Scores:
    """Return average precision, but at least eps, for the geometric mean, which gives difficult
    topics more weight.

    Returns
    -------
    Scores
        Shape (T,), between `eps` and 1; `eps` where a topic has no relevant document.

    Notes
    -----
    The value of a run is exp of the mean of the logarithms, even if other measures are averaged
    differently.

    References
    ----------
    Robertson (2006), On GMAP: and other transformations, CIKM, 78–83.

    Examples
    --------
    >>> geometric_average_precision(JudgedRun.single(ranked=[0, 1], judged=[1, 1]))
    array([0.25])
    """
    return np.maximum(average_precision(run, rel=rel), eps)


@explains("GMAP")
def explain_geometric_average_precision(
    example: ExampleTopic, *, rel: int, eps: float
) -> WorkedExample:
    """Explain a topic's contribution to GMAP: average precision, but at least eps."""
    ap_example = explain_average_precision(example, rel=rel, norm="relevant", cutoff=None)
    value = max(ap_example.result, eps)
    steps = (
        *ap_example.steps,
        Message(
            "max(AP, eps) = max({average}, {epsilon}) = {maximum}",
            average=format_number(ap_example.result),
            epsilon=format_value(eps),
            maximum=format_number(value) if value > eps else format_value(eps),
        ),
        Message(
            "The value of a run is the geometric mean over the topics: exp of the mean of the "
            "logarithms."
        ),
    )
    return WorkedExample(steps, value, ap_example.columns, ap_example.rows, ap_example.hits)


@measure(
    "YAAP",
    title="Yet another average precision",
    formula="ln((1 + S) / (1 + R − S)), with S = Σ of P@r over the ranks r of relevant documents",
    bounds=(-math.inf, math.inf),
    top_heavy=True,
)
def yet_another_average_precision(run: JudgedRun, *, rel: Rel = 1) -> Scores:
    """Return the log odds of average precision; their mean is not distorted by the limits 0 and 1.

    Returns
    -------
    Scores
        Shape (T,), any number; 0 where a topic has no relevant document, and where AP is 1/2.

    Notes
    -----
    Unjudged documents count as not relevant. For each topic, the measure ranks the runs in the same
    order as AP.

    References
    ----------
    Robertson (2012), On smoothing average precision, ECIR, 158–169.

    Examples
    --------
    >>> yet_another_average_precision(JudgedRun.single(ranked=[0, 1])).round(4)
    array([0.])
    """
    hits = run.relevant_hits(rel)
    total = run.sum_by_topic(hits.topic, hits.nth_in_topic / hits.rank)
    return np.log((1 + total) / (1 + run.n_relevant(rel) - total))


@measure(
    "infAP",
    title="Inferred average precision",
    formula="(1/R) Σ over the ranks r of relevant documents of (1 + pooled above · (relevant above + ε)/(judged above + 2ε)) / r",
    exemptions=(Exemption("unjudged", "a pooled document without a grade counts as pooled"),),
)
def inferred_average_precision(run: JudgedRun, *, rel: Rel = 1) -> Scores:
    """Return an estimate of average precision from a random sample of the pool.

    Parameters
    ----------
    run
        T topics. The documents in the qrels are the pool; grades below 0 mark pooled documents that
        the sample left out.

    Returns
    -------
    Scores
        Shape (T,); 0 where a topic has no relevant document.

    Notes
    -----
    Pooled documents without a grade, including unjudgeable ones, are assumed to be relevant as
    often as the judged documents above them; documents that are not in the qrels count as not
    relevant. ε is 0.00001, as in trec_eval. If all pooled documents are judged, the value differs
    from AP only because of ε.

    References
    ----------
    Yilmaz and Aslam (2006), Estimating average precision with incomplete and imperfect judgments, CIKM, 102–111.

    Examples
    --------
    >>> inferred_average_precision(JudgedRun.single(ranked=[1, -1, 0, 1])).round(4)
    array([0.8125])
    """
    relevant = run.hit_grade >= rel
    topic, rank = run.hit_topic[relevant], run.hit_rank[relevant]
    pooled_above = rank_in_topic(run.hit_topic, len(run))[relevant] - 1
    relevant_above = run.relevant_hits(rel).nth_in_topic - 1
    judged_above = run.judged_hits().nth_in_topic[run.judged_hits().grade >= rel] - 1
    relevant_share = (relevant_above + SMOOTHING) / (judged_above + 2 * SMOOTHING)
    return divide(
        run.sum_by_topic(topic, (1 + pooled_above * relevant_share) / rank), run.n_relevant(rel)
    )


AVERAGE_PRECISION_SHEET = SheetPart(
    columns=(
        SheetColumn(
            "Term of AP",
            12,
            "={Relevant}{row}*{P@r}{row}",
            lambda sheet_data: (
                sheet_data.relevant[: sheet_data.retrieved]
                * sheet_data.relevant_so_far
                / sheet_data.rank
            ),
        ),
    ),
    results=(
        SheetResult(
            "AP", "=IF(SUM({Relevant:area})=0,0,SUM({Term of AP:area})/SUM({Relevant:area}))", "AP"
        ),
    ),
)


# Precision at levels of recall and at multiples of R

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
