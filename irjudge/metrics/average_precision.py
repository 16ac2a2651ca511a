"""Average precision and its variants."""

import math
from collections.abc import Iterator
from typing import Annotated, Literal, TypeAlias

import numpy as np

from irjudge.message import Message
from irjudge.metrics.judged import Floats, JudgedRun, Longs, Scores, divide, rank_in_topic
from irjudge.metrics.measure_bounds import Interval, OpenRun, iter_topic_rows, register_bounds
from irjudge.metrics.names import TREC_CUTOFFS
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
    SheetColumn,
    SheetPart,
    SheetResult,
    WorkedExample,
    describe_cutoff,
    describe_relevance,
    describe_relevant,
    explains,
    format_number,
    format_quotient,
    format_sum,
    is_relevant,
)

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
