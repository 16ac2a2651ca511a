"""Figures of systems, measures and topics."""

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from irjudge.errors import IrjudgeError
from irjudge.evaluation import (
    PAIRED_TEST,
    Evaluation,
    RunScores,
    TopicNeed,
    compute_needed_topics,
    measure_orderings,
    ordering_matrix,
    runs_best_first,
)
from irjudge.message import Message
from irjudge.metrics import Floats, Measure, best_first, count_outcomes, to_goodness
from irjudge.model import Labels
from irjudge.report.figures.chart import (
    MAX_CHOSEN,
    Axis,
    Bars,
    Boxes,
    CellGrid,
    Chart,
    FigureOptions,
    Line,
    LineSeries,
    Points,
    Role,
    figure,
    make_box,
)
from irjudge.report.figures.curves import (
    describe_policy,
    format_topic_counts,
    highlighted_runs,
    require_runs,
)
from irjudge.stats import RankPair, parse_statistics, rank_scores, rank_spans, tau_b
from irjudge.stats.agreement import agreement_of_pairs
from irjudge.stats.significance import ALPHA, POWER, detectable_difference

# Figures of topics: differences between runs, spread, difficulty, and numbers of topics needed

# smallest number of topics on the x axis; with fewer topics, only huge differences are detectable
MIN_TOPICS = 5


def _compute_differences(first: RunScores, second: RunScores) -> tuple[tuple[str, ...], Floats]:
    """Return the common topics of two runs, and the first value minus the second for each."""
    value_of = dict(zip(second.topics, second.values[0], strict=True))
    difference_of = {
        topic: value - value_of[topic]
        for topic, value in zip(first.topics, first.values[0], strict=True)
        if topic in value_of
    }
    if not difference_of:
        raise IrjudgeError(
            "{first} and {second} have no topic in common.", first=first.run, second=second.run
        )
    return tuple(difference_of), np.array(list(difference_of.values()))


@figure(
    "topic-differences",
    title="Two runs by topic",
    input_kind="values",
    measures=(1, 1),
    default_measures=("Rprec",),
    options=("runs",),
)
def topic_differences(table: Evaluation, options: FigureOptions) -> Chart:
    """Return a chart of the difference in one measure between two runs for each topic, largest
    first.

    Unless two runs are given, the best run is compared with the second best.

    References
    ----------
    Baeza-Yates and Ribeiro-Neto (2011), Modern information retrieval, ch. 4: precision histograms, RP_A/B(i) = RP_A(i) - RP_B(i).
    """
    first, second = _select_two_runs(table, options)
    common_topics, difference = _compute_differences(first, second)
    measure = table.measures[0]
    order = best_first(measure, difference)
    topics = tuple(common_topics[index] for index in order)
    wins, _, losses = count_outcomes(measure, difference)
    topic_counts = format_topic_counts([len(topics)])
    names = (first.run, second.run) if measure.direction >= 0 else (second.run, first.run)
    counts = Message(
        "{first} is better on {wins:,} of {topics}, and {second} on {losses:,}"
        if measure.direction
        else "{first} is higher on {wins:,} of {topics}, and {second} on {losses:,}",
        first=first.run,
        wins=wins,
        topics=topic_counts,
        second=second.run,
        losses=losses,
    )
    return Chart(
        Message(
            "{measure} by topic, {first} minus {second}",
            measure=measure.name,
            first=first.run,
            second=second.run,
        ),
        Message(
            "{counts}; mean difference {mean:+.4f}. {policy}",
            counts=counts,
            mean=difference.mean(),
            policy=describe_policy(table),
        ),
        Axis(Message("{topics}, ordered by difference", topics=topic_counts), names=topics),
        Axis(
            Message("Difference in {measure}", measure=measure.name),
            *_compute_symmetric_bounds(difference),
        ),
        Bars(difference[order], *names, is_directed=measure.direction != 0),
        ("topic", "difference"),
    )


def _select_two_runs(table: Evaluation, options: FigureOptions) -> tuple[RunScores, RunScores]:
    require_runs(table.runs, 2)
    runs_by_name = {run.run: run for run in table.runs}
    sorted_runs = runs_best_first(table)
    highlighted_runs(list(runs_by_name), [0.0] * len(runs_by_name), options.runs)
    selected_runs = [runs_by_name[name] for name in options.runs[:2]]
    selected_runs += [run for run in sorted_runs if run not in selected_runs][
        : 2 - len(selected_runs)
    ]
    if selected_runs[0].run == selected_runs[1].run:
        raise IrjudgeError(
            "Give two different runs, not {run} twice.", key="same-run", run=selected_runs[0].run
        )
    return selected_runs[0], selected_runs[1]


def _compute_symmetric_bounds(values: Floats) -> tuple[float, float]:
    limit = float(np.abs(values).max(initial=0.0)) * 1.08 or 1.0
    return -limit, limit


@figure(
    "topic-spread",
    title="Distribution over topics",
    input_kind="values",
    measures=(1, 1),
    default_measures=("AP",),
    options=("runs",),
)
def topic_spread(table: Evaluation, options: FigureOptions) -> Chart:
    """Return a chart of the distribution of one measure over topics for each run, as box plots,
    with the best run at the top.
    """
    runs = [run for run in runs_best_first(table) if run.topics]
    require_runs(runs)
    # by default no box plot is coloured, since the y axis has the names of the runs
    highlighted = (
        highlighted_runs([run.run for run in runs], [0.0] * len(runs), options.runs)
        if options.runs
        else []
    )
    boxes = tuple(
        make_box(run.run, run.values[0], "chosen" if run.run in highlighted else "quiet")
        for run in runs
    )
    measure = table.measures[0]
    caption = Message(
        "Box: middle half of the topics; line: median; diamond: mean; whiskers: within 1.5 box "
        "lengths; circles: outliers."
    )
    return Chart(
        Message("Distribution of {measure} over topics, by run", measure=measure.name),
        Message(
            "{caption} {topics}. {policy}",
            caption=caption,
            topics=format_topic_counts([len(run.topics) for run in runs]),
            policy=describe_policy(table),
        ),
        Axis(measure.name, *axis_bounds(measure)),
        Axis(Message("Run"), names=tuple(run.run for run in runs)),
        Boxes(boxes),
        (
            "run",
            "low",
            Message("first quartile"),
            "median",
            Message("third quartile"),
            "high",
            "mean",
        ),
    )


@figure(
    "heat-map",
    title="Runs and topics",
    input_kind="values",
    measures=(1, 1),
    default_measures=("AP",),
    options=("runs",),
)
def heat_map(table: Evaluation, options: FigureOptions) -> Chart:
    """Return a chart of the values of one measure for every run and topic, with the best runs at
    the top and the easiest topics on the left.
    """
    runs = runs_best_first(table)
    require_runs(runs)
    highlighted = (
        highlighted_runs([run.run for run in runs], [0.0] * len(runs), options.runs)
        if options.runs
        else []
    )
    row_of = {run.run: row for row, run in enumerate(table.runs)}
    topics, values = table.topics, table.topic_values()[0, [row_of[run.run] for run in runs]]
    if not topics:
        raise IrjudgeError("No run has a judged topic, so there is nothing to plot.")
    measure = table.measures[0]
    order = best_first(measure, np.nanmean(values, axis=0))
    sorted_values = values[:, order]
    low, high = axis_bounds(measure)
    return Chart(
        Message("{measure} by run and topic", measure=measure.name),
        Message(
            (
                "Runs and topics are sorted by their means; hatched cells were not evaluated. "
                "{policy}"
            )
            if table.is_rankable
            else (
                "Topics are sorted by their means, and runs are in the given order; hatched "
                "cells were not evaluated. {policy}"
            ),
            key="ordered-by-means" if table.is_rankable else "runs-as-given",
            policy=describe_policy(table),
        ),
        Axis(
            Message("{topics}, easiest first", topics=format_topic_counts([len(topics)])),
            names=tuple(topics[index] for index in order),
        ),
        Axis(Message("Run"), names=tuple(run.run for run in runs)),
        CellGrid(
            sorted_values,
            float(np.nanmin(sorted_values)) if low is None else low,
            float(np.nanmax(sorted_values)) if high is None else high,
            measure.name,
            tuple(highlighted),
        ),
        ("run", "topic", measure.name),
    )


@figure(
    "topics-needed",
    title="Topics needed",
    input_kind="values",
    measures=(1, 1),
    default_measures=("AP",),
    options=("runs",),
)
def topics_needed(table: Evaluation, options: FigureOptions) -> Chart:
    """Return a chart of the detectable difference for different numbers of topics, with a paired
    t-test for each pair of runs and an analysis of variance for all runs.

    The given runs, or all if there are few pairs, are highlighted; the dashed line marks the
    current number of topics.

    References
    ----------
    Sakai (2016), Topic set size design, Information Retrieval Journal 19(3).
    """
    require_runs(table.runs, 2)
    needed_topics = compute_needed_topics(table).rows
    pairs = [need for need in needed_topics if need.test == PAIRED_TEST]
    names = (
        highlighted_runs([run.run for run in table.runs], [0.0] * len(table.runs), options.runs)
        if options.runs
        else ()
    )
    highlighted = [
        need for need in pairs if len(pairs) <= MAX_CHOSEN or {need.run_a, need.run_b} <= {*names}
    ]
    return needed_topics_chart(needed_topics, highlighted, describe_policy(table))


def needed_topics_chart(
    needs: Sequence[TopicNeed], highlighted: Sequence[TopicNeed], settings_text: str
) -> Chart:
    """Return the chart of differences that can be detected with more or fewer topics.

    `needs` are the results for one measure; `highlighted` are the results to highlight.
    `settings_text` is a caption text about the evaluation settings. Raises IrjudgeError if all runs
    are equal.
    """
    needs = [need for need in needs if need.design is not None]
    if not needs:
        raise IrjudgeError(
            "All runs are equal on every topic, so no number of topics can make a difference "
            "significant."
        )
    current_topic_count = max(need.topics for need in needs)
    topics = np.unique(
        np.geomspace(MIN_TOPICS, max(4 * current_topic_count, 10 * MIN_TOPICS), 41).round()
    ).astype(np.int64)
    # The detectable difference is proportional to the deviation. Therefore it is computed for a
    # deviation of 1 and multiplied by the deviation of each pair.
    designs = {(need.test, need.runs): replace(need, deviation=1.0).design for need in needs}
    counts = topics.tolist()
    curves = {
        test: np.array([detectable_difference(design, count) for count in counts], dtype=float)
        for test, design in designs.items()
        if design
    }

    def make_line(need: TopicNeed, role: Role, hue: int = 0) -> Line:
        name = (
            f"{need.run_a} – {need.run_b}"
            if need.test == PAIRED_TEST
            else Message("all {runs:,} runs", runs=need.runs)
        )
        return Line(
            name,
            topics.astype(np.float64),
            curves[need.test, need.runs] * need.deviation,
            role,
            hue,
        )

    shown_needs = [need for need in highlighted if need.design is not None]
    lines = [
        make_line(need, "quiet")
        for need in needs
        if need.test == PAIRED_TEST and need not in shown_needs
    ]
    lines += [
        make_line(need, "guide", len(shown_needs)) for need in needs if need.test != PAIRED_TEST
    ]
    lines += [make_line(need, "chosen", hue) for hue, need in enumerate(shown_needs)]
    largest_count = max(float(line.y.max()) for line in lines)
    current_topics = Line(
        Message("topics in this evaluation: {topics:,}", topics=current_topic_count),
        np.full(2, float(current_topic_count)),
        np.array([0.0, largest_count]),
        "guide",
        5,
    )
    caption = Message(
        "Smallest true difference that a two-sided paired t-test at {alpha:g} or, for several "
        "runs, a one-way analysis of variance detects with probability {percent:.3g} %, using "
        "the standard deviations of these runs. Detecting half the difference takes about four "
        "times as many topics.",
        percent=100 * POWER,
        alpha=ALPHA,
    )
    measure = needs[0].measure
    return Chart(
        Message("Detectable difference in {measure}", measure=measure),
        Message(
            "{caption} {topics}. {policy}",
            caption=caption,
            topics=format_topic_counts([need.topics for need in needs]),
            policy=settings_text,
        ),
        Axis(Message("Number of topics"), 0, float(topics[-1]), is_integer=True),
        Axis(Message("Difference in {measure}", measure=measure), 0, largest_count * 1.05),
        LineSeries((*lines, current_topics)),
        ("runs", "topics", "difference"),
    )


def axis_bounds(measure: Measure) -> tuple[float | None, float | None]:
    """Return the limits of a measure's axis: the measure's bounds, or None if one is infinite."""
    low, high = measure.declaration.bounds
    return (low, high) if np.isfinite(low) and np.isfinite(high) else (None, None)


# Figures of systems and measures: scatter plots, rank correlations, and ranks by measure

DEFAULT_AGREEMENT_STATISTIC = "kappa"


@figure(
    "assessor-agreement", title="Assessor agreement", input_kind="labels", options=("statistic",)
)
def assessor_agreement(labels: Labels, options: FigureOptions) -> Chart:
    """Return a chart of the pairwise agreement of assessors on the documents that both judged."""
    name = options.statistic or DEFAULT_AGREEMENT_STATISTIC
    if len(labels.workers) < 2:
        raise IrjudgeError(
            "Agreement needs at least two assessors, got {workers}.", workers=len(labels.workers)
        )
    pairs = agreement_of_pairs(labels, [name], rel=options.rel)[0]
    values = pairs.matrix()
    np.fill_diagonal(values, np.nan)
    pairs_text = Message(
        (
            "Pairs of assessors that share documents: {pairs:,}; median number of shared "
            "documents: {median:,}."
        )
        if len(pairs.items)
        else "Pairs of assessors that share documents: {pairs:,}.",
        pairs=len(pairs.items),
        median=int(np.median(pairs.items)) if len(pairs.items) else 0,
    )
    return Chart(
        Message(
            "Agreement of {workers:,} assessors, {statistic}",
            workers=len(labels.workers),
            statistic=pairs.statistic,
        ),
        Message(
            "Pairwise agreement on the documents that both assessors judged, {scale} scale; "
            "{pairs} Hatched cells: undefined, or the same assessor.",
            scale=Message(pairs.scale),
            pairs=pairs_text,
        ),
        Axis(Message("Assessor"), names=labels.workers),
        Axis(Message("Assessor"), names=labels.workers),
        CellGrid(values, -1.0 if (values < 0).any() else 0.0, 1.0, pairs.statistic),
        ("assessor_a", "assessor_b", pairs.statistic),
    )


DEFAULT_CORRELATION = "tau-b"
MAX_LABELLED_POINTS = 12  # maximum number of points that are all labelled by default


@figure(
    "scatter",
    title="Two measures",
    input_kind="values",
    measures=(2, 2),
    default_measures=("AP", "P@10"),
    options=("runs", "topic", "of"),
)
def scatter(table: Evaluation, options: FigureOptions) -> Chart:
    """Return a scatter plot of two measures: one point for each system, or for each topic of a run."""
    require_runs(table.runs)
    first, second = table.measures
    runs = [run.run for run in table.runs]
    highlighted = highlighted_runs(runs, measure_orderings(table)[0].values.tolist(), options.runs)
    if options.of == "topics":
        run = table.runs[
            runs.index(options.runs[0] if options.runs else runs_best_first(table)[0].run)
        ]
        names, x, y = run.topics, run.values[0], run.values[1]
        points_text: str = Message("topics of {run}", run=run.run)
        labelled_names = [options.topic] if options.topic else []
        if options.topic is not None and options.topic not in run.topics:
            raise IrjudgeError(
                "Topic {topic!r} of {run} was not evaluated.", run=run.run, topic=options.topic
            )
    else:
        names, (x, y), points_text = (
            tuple(runs),
            (np.array([run.summary[row] for run in table.runs]) for row in (0, 1)),
            Message("systems"),
        )
        labelled_names = [*highlighted] if options.runs or len(runs) > MAX_LABELLED_POINTS else runs
    roles: tuple[Role, ...] = tuple(
        "chosen" if name in labelled_names else "quiet" for name in names
    )
    correlation_text = (
        Message(
            "Kendall's tau-b = {tau_b:.3f} over ",
            tau_b=tau_b(RankPair.of_scores(to_goodness(first, x), to_goodness(second, y))),
        )
        if len(x) > 1
        else ""
    )
    basis = (
        ""
        if options.of == "topics"
        else Message(
            " Averaged over {topics}.",
            topics=format_topic_counts([len(run.topics) for run in table.runs]),
        )
    )
    return Chart(
        Message(
            "{second} against {first}, {points}",
            second=second.name,
            first=first.name,
            points=points_text,
        ),
        Message(
            "{correlation}{count:,} {points}.{basis} {policy}",
            correlation=correlation_text,
            count=len(x),
            points=points_text,
            basis=basis,
            policy=describe_policy(table),
        ),
        Axis(first.name, *padded_range(x, axis_bounds(first))),
        Axis(second.name, *padded_range(y, axis_bounds(second))),
        Points(names, x, y, roles),
        (options.of.removesuffix("s"), first.name, second.name),
    )


def padded_range(values: Floats, bounds: tuple[float | None, float | None]) -> tuple[float, float]:
    """Return the limits of an axis, slightly beyond the lowest and the highest value.

    If all values are equal or there are none, the limits are slightly beyond `bounds`.
    """
    low, high = float(values.min(initial=np.inf)), float(values.max(initial=-np.inf))
    if not len(values) or low == high:
        low, high = (
            bound if bound is not None else fallback
            for bound, fallback in zip(bounds, (0.0, 1.0), strict=True)
        )
        low, high = (low, high) if low < high else (low - 1, low + 1)
    padding = 0.06 * (high - low)
    return low - padding, high + padding


@figure(
    "measure-correlation",
    title="Similarity of system rankings by different measures",
    input_kind="values",
    measures=(2, None),
    default_measures=("AP", "P@10", "nDCG@10", "RR", "Rprec"),
    options=("statistic",),
)
def measure_correlation(table: Evaluation, options: FigureOptions) -> Chart:
    """Return a chart of the rank correlation between the system rankings for every pair of
    measures.
    """
    require_runs(table.runs, 2)
    [statistic] = parse_statistics([options.statistic or DEFAULT_CORRELATION])
    names = tuple(measure.name for measure in table.measures)
    values = ordering_matrix(measure_orderings(table), statistic)
    low, high = statistic.declaration.bounds
    order_note = (
        ""
        if statistic.declaration.symmetric
        else Message(" The measure in the row gives the reference ranking.")
    )
    topics = format_topic_counts([len(run.topics) for run in table.runs])
    return Chart(
        Message(
            "Agreement between measures on the ranking of {runs:,} systems, {statistic}",
            runs=len(table.runs),
            statistic=statistic.name,
        ),
        Message(
            "{title} between system rankings; each ranking is based on the averages of one "
            "measure over {topics}.{reference} {policy}",
            title=statistic.declaration.title,
            topics=topics,
            reference=order_note,
            policy=describe_policy(table),
        ),
        Axis(Message("Measure"), names=names),
        Axis(Message("Measure"), names=names),
        CellGrid(values, min(low, 0.0) if (values < 0).any() else 0.0, high, statistic.name),
        ("measure_a", "measure_b", statistic.name),
    )


@figure(
    "system-ranks",
    title="Ranks of systems by measure",
    input_kind="values",
    measures=(2, None),
    default_measures=("AP", "P@10", "nDCG@10", "RR"),
    options=("runs",),
)
def system_ranks(table: Evaluation, options: FigureOptions) -> Chart:
    """Return a chart of the ranks of the systems under each measure."""
    require_runs(table.runs)
    if table.topics_warning:
        raise IrjudgeError("{warning}", warning=table.topics_warning)
    orders = measure_orderings(table)
    runs = orders[0].systems
    ranks = np.stack([rank_spans(rank_scores(order.values)).middle for order in orders])
    highlighted = highlighted_runs(runs, orders[0].values.tolist(), options.runs)
    positions = np.arange(float(len(orders)))
    background_lines = tuple(
        Line(run, positions, ranks[:, index], "quiet")
        for index, run in enumerate(runs)
        if run not in highlighted
    )
    highlighted_lines = tuple(
        Line(run, positions, ranks[:, runs.index(run)], "chosen", hue)
        for hue, run in enumerate(highlighted)
    )
    return Chart(
        Message("Ranks of {runs:,} systems by measure", runs=len(runs)),
        Message(
            "Systems are ranked by their average over {topics}; tied systems share the "
            "mean of their ranks. {policy}",
            topics=format_topic_counts([len(run.topics) for run in table.runs]),
            policy=describe_policy(table),
        ),
        Axis(Message("Measure"), names=tuple(order.name for order in orders)),
        Axis(Message("Rank"), 1, max(len(runs), 2), is_reversed=True),
        LineSeries((*background_lines, *highlighted_lines)),
        ("run", "measure", "place"),
    )
