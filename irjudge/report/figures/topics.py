"""Figures of topics: where two runs differ, how a run's topics spread, which are hard for whom, and how many are needed."""

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from irjudge.errors import IrjudgeError
from irjudge.evaluation.comparison import PAIRED, TopicNeed, runs_best_first, topics_needed_by
from irjudge.evaluation.table import Evaluation, RunScores
from irjudge.message import Message
from irjudge.metrics.basis.judged import Floats
from irjudge.metrics.naming.direction import best_first, count_outcomes
from irjudge.metrics.naming.names import Measure
from irjudge.report.figures.chart import (
    MOST_CHOSEN,
    Axis,
    Bars,
    Boxes,
    CellGrid,
    Chart,
    Line,
    LineSeries,
    Role,
    box_of,
)
from irjudge.report.figures.curves import topics_said
from irjudge.report.figures.material import must_have_runs, policy_words, standing_out
from irjudge.report.figures.registry import FigureWish, figure
from irjudge.stats.significance.power import ALPHA, POWER, difference_seen

FEWEST_TOPICS = 5  # that a curve begins with: below, any difference is too small


@figure(
    "topic-differences",
    title="Two runs by topic",
    takes="values",
    measures=(1, 1),
    usual=("Rprec",),
    options=("runs",),
)
def topic_differences(table: Evaluation, wish: FigureWish) -> Chart:
    """Show the difference of one measure between two runs on each topic, the largest first.

    Without two runs in the wish, the best one stands against the next best.

    References
    ----------
    Baeza-Yates and Ribeiro-Neto (2011), Modern information retrieval, ch. 4: precision histograms, RP_A/B(i) = RP_A(i) - RP_B(i).
    """
    one, two = _two_runs(table, wish)
    place = {topic: at for at, topic in enumerate(two.topics)}
    shared = [(at, place[topic]) for at, topic in enumerate(one.topics) if topic in place]
    if not shared:
        raise IrjudgeError("{one} and {other} share no topic.", one=one.run, other=two.run)
    difference = np.array([one.values[0][mine] - two.values[0][theirs] for mine, theirs in shared])
    measure = table.measures[0]
    order = best_first(measure, difference)
    topics = tuple(one.topics[shared[at][0]] for at in order)
    wins, _, losses = count_outcomes(measure, difference)
    names = (one.run, two.run) if measure.direction >= 0 else (two.run, one.run)
    counts = Message(
        "{one} is better on {wins:,} of {topics_said}, {other} on {losses:,}",
        one=one.run,
        wins=wins,
        topics_said=topics_said([len(topics)]),
        other=two.run,
        losses=losses,
    )
    return Chart(
        Message(
            "{measure} by topic, {one} less {other}",
            measure=measure.name,
            one=one.run,
            other=two.run,
        ),
        Message(
            "{counts}; mean difference {mean:+.4f}. {policy_words}",
            counts=counts,
            mean=difference.mean(),
            policy_words=policy_words(table),
        ),
        Axis(
            Message("{topics_said}, by difference", topics_said=topics_said([len(topics)])),
            names=topics,
        ),
        Axis(Message("Difference in {measure}", measure=measure.name), *_around_zero(difference)),
        Bars(difference[order], *names),
        ("topic", "difference"),
    )


def _two_runs(table: Evaluation, wish: FigureWish) -> tuple[RunScores, RunScores]:
    must_have_runs(table.runs, 2)
    by_name = {run.run: run for run in table.runs}
    ranked = runs_best_first(table)
    standing_out(list(by_name), [0.0] * len(by_name), wish.runs)
    chosen = [by_name[name] for name in wish.runs[:2]]
    chosen += [run for run in ranked if run not in chosen][: 2 - len(chosen)]
    if chosen[0].run == chosen[1].run:
        raise IrjudgeError(
            "Name two different runs, not {run} twice.", key="same-run", run=chosen[0].run
        )
    return chosen[0], chosen[1]


def _around_zero(values: Floats) -> tuple[float, float]:
    reach = float(np.abs(values).max(initial=0.0)) * 1.08 or 1.0
    return -reach, reach


@figure(
    "topic-spread",
    title="Spread over topics",
    takes="values",
    measures=(1, 1),
    usual=("AP",),
    options=("runs",),
)
def topic_spread(table: Evaluation, wish: FigureWish) -> Chart:
    """Show how the topics of each run spread under one measure, as box plots, the best run on top."""
    runs = [run for run in runs_best_first(table) if run.topics]
    must_have_runs(runs)
    # Box plots need no colour to be told apart, so without a wish all of them are quiet.
    strong = (
        standing_out([run.run for run in runs], [0.0] * len(runs), wish.runs) if wish.runs else []
    )
    boxes = tuple(
        box_of(run.run, run.values[0], "chosen" if run.run in strong else "quiet") for run in runs
    )
    measure = table.measures[0]
    how = Message(
        "Box: the middle half of the topics; line: median; diamond: mean; whiskers: within 1.5 box lengths; rings: beyond."
    )
    return Chart(
        Message("{measure} over topics, by run", measure=measure.name),
        Message(
            "{how} {rests_on}. {policy}",
            how=how,
            rests_on=topics_said([len(run.topics) for run in runs]),
            policy=policy_words(table),
        ),
        Axis(measure.name, *bounds_of(measure)),
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
    takes="values",
    measures=(1, 1),
    usual=("AP",),
    options=("runs",),
)
def heat_map(table: Evaluation, wish: FigureWish) -> Chart:
    """Show one measure for every run and topic, the best runs on top and the easiest topics at the left."""
    runs = runs_best_first(table)
    must_have_runs(runs)
    strong = (
        standing_out([run.run for run in runs], [0.0] * len(runs), wish.runs) if wish.runs else []
    )
    topics, values = values_by_topic(table, runs)
    if not topics:
        raise IrjudgeError("No run has a topic that was judged, so there is nothing to draw.")
    means = np.nanmean(values, axis=0)
    measure = table.measures[0]
    order = best_first(measure, means)
    shown = values[:, order]
    low, high = bounds_of(measure)
    return Chart(
        Message("{measure} by run and topic", measure=measure.name),
        Message(
            "Runs and topics are ordered by their means; hatched: not evaluated. {policy_words}"
            if table.is_rankable
            else "Topics are ordered by their means, runs as given; hatched: not evaluated. {policy_words}",
            key="ordered-by-means" if table.is_rankable else "runs-as-given",
            policy_words=policy_words(table),
        ),
        Axis(
            Message("{topics_said}, easiest first", topics_said=topics_said([len(topics)])),
            names=tuple(topics[at] for at in order),
        ),
        Axis(Message("Run"), names=tuple(run.run for run in runs)),
        CellGrid(
            shown,
            float(np.nanmin(shown)) if low is None else low,
            float(np.nanmax(shown)) if high is None else high,
            measure.name,
            tuple(strong),
        ),
        ("run", "topic", measure.name),
    )


@figure(
    "topics-needed",
    title="Topics needed",
    takes="values",
    measures=(1, 1),
    usual=("AP",),
    options=("runs",),
)
def topics_needed(table: Evaluation, wish: FigureWish) -> Chart:
    """Show which difference more or fewer topics would find, by a paired t-test of every two runs and an analysis of variance of all.

    The runs that are wished, or all where they make few pairs, stand out; the dashed line is the number of topics there are.

    References
    ----------
    Sakai (2016), Topic set size design, Information Retrieval Journal 19(3).
    """
    must_have_runs(table.runs, 2)
    needs = topics_needed_by(table).rows
    pairs = [need for need in needs if need.test == PAIRED]
    names = (
        standing_out([run.run for run in table.runs], [0.0] * len(table.runs), wish.runs)
        if wish.runs
        else ()
    )
    strong = [
        need for need in pairs if len(pairs) <= MOST_CHOSEN or {need.run_a, need.run_b} <= {*names}
    ]
    return needed_chart(needs, strong, policy_words(table))


def needed_chart(needs: Sequence[TopicNeed], strong: Sequence[TopicNeed], rests_on: str) -> Chart:
    """Return the chart of some needs by one measure; `rests_on` says what they were computed from."""
    needs = [need for need in needs if need.design is not None]
    if not needs:
        raise IrjudgeError(
            "No two runs differ on any topic, so no number of topics can tell them apart."
        )
    most = max(need.topics for need in needs)
    topics = np.unique(
        np.geomspace(FEWEST_TOPICS, max(4 * most, 10 * FEWEST_TOPICS), 41).round()
    ).astype(np.int64)
    # what is seen grows with the deviation, so each test is computed once
    usual = {(need.test, need.runs): replace(need, deviation=1.0).design for need in needs}
    counts = topics.tolist()
    curves = {
        test: np.array([difference_seen(each, count) for count in counts], dtype=float)
        for test, each in usual.items()
        if each
    }

    def line(need: TopicNeed, role: Role, hue: int = 0) -> Line:
        name = (
            f"{need.run_a} – {need.run_b}"
            if need.test == PAIRED
            else Message("all {runs:,} runs", runs=need.runs)
        )
        return Line(
            name,
            topics.astype(np.float64),
            curves[need.test, need.runs] * need.deviation,
            role,
            hue,
        )

    shown = [need for need in strong if need.design is not None]
    lines = [line(need, "quiet") for need in needs if need.test == PAIRED and need not in shown]
    lines += [line(need, "guide", len(shown)) for need in needs if need.test != PAIRED]
    lines += [line(need, "chosen", hue) for hue, need in enumerate(shown)]
    top = max(float(each.y.max()) for each in lines)
    here = Line(
        Message("{topics:,} topics here", topics=most),
        np.full(2, float(most)),
        np.array([0.0, top]),
        "guide",
        5,
    )
    how = Message(
        "The smallest true difference that is found with a chance of {percent:.3g} %: two-sided paired t-test at {alpha:g}, for several"
        " runs one-way analysis of variance, with the deviations of these runs. Half of a difference needs about four times the topics.",
        percent=100 * POWER,
        alpha=ALPHA,
    )
    measure = needs[0].measure
    return Chart(
        Message("Difference in {measure} that topics can see", measure=measure),
        Message(
            "{how} {rests_on}. {policy}",
            how=how,
            rests_on=topics_said([need.topics for need in needs]),
            policy=rests_on,
        ),
        Axis(Message("Number of topics"), 0, float(topics[-1])),
        Axis(Message("Difference in {measure}", measure=measure), 0, top * 1.05),
        LineSeries((*lines, here)),
        ("runs", "topics", "difference"),
    )


def values_by_topic(
    table: Evaluation, runs: list[RunScores], row: int = 0
) -> tuple[tuple[str, ...], Floats]:
    """Return the topics, and one measure's values: shape (runs, topics), nan where a run was not evaluated."""
    topics = table.topics
    place = {topic: at for at, topic in enumerate(topics)}
    values = np.full((len(runs), len(topics)), np.nan)
    for at, run in enumerate(runs):
        values[at, [place[topic] for topic in run.topics]] = run.values[row]
    return topics, values


def bounds_of(measure: Measure) -> tuple[float | None, float | None]:
    """Return the ends of a measure's axis: its bounds where both are finite, else what the values say."""
    low, high = measure.declaration.bounds
    return (low, high) if np.isfinite(low) and np.isfinite(high) else (None, None)
