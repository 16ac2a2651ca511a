"""Precision, recall and success at a rank, and reciprocal rank."""

import numpy as np

from irjudge.message import Message
from irjudge.metrics.judged import Floats, Ints, JudgedRun, Longs, Scores, divide
from irjudge.metrics.measure_bounds import (
    INFINITE_RANK,
    Interval,
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
from irjudge.metrics.names import TREC_CUTOFFS
from irjudge.metrics.registry import Alias, Cutoff, MaybeCutoff, MicroAverage, Rel, measure
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
