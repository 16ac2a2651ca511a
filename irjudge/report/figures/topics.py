"""Figures of topics: where two runs differ, how a run's topics spread, and which topics are hard for whom."""

import numpy as np

from irjudge.errors import IrjudgeError
from irjudge.evaluation.table import Evaluation, RunScores
from irjudge.message import Message
from irjudge.metrics.basis.judged import Floats
from irjudge.metrics.naming.names import Measure
from irjudge.report.figures.chart import Axis, Bars, Boxes, CellGrid, Chart, box_of
from irjudge.report.figures.curves import topics_said
from irjudge.report.figures.material import must_have_runs, policy_words, standing_out
from irjudge.report.figures.registry import FigureWish, figure


@figure("topic-differences", title="Two runs by topic", takes="values", measures=(1, 1), usual=("Rprec",), options=("runs",))
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
    order = np.argsort(-difference, kind="stable")
    topics = tuple(one.topics[shared[at][0]] for at in order)
    wins, losses = int((difference > 0).sum()), int((difference < 0).sum())
    measure = table.measures[0].name
    counts = Message(
        "{one} is better on {wins:,} of {topics_said}, {other} on {losses:,}",
        one=one.run,
        wins=wins,
        topics_said=topics_said([len(topics)]),
        other=two.run,
        losses=losses,
    )
    return Chart(
        Message("{measure} by topic, {one} less {other}", measure=measure, one=one.run, other=two.run),
        Message(
            "{counts}; mean difference {mean:+.4f}. {policy_words}", counts=counts, mean=difference.mean(), policy_words=policy_words(table)
        ),
        Axis(Message("{topics_said}, by difference", topics_said=topics_said([len(topics)])), names=topics),
        Axis(Message("Difference in {measure}", measure=measure), *_around_zero(difference)),
        Bars(difference[order], one.run, two.run),
        ("topic", "difference"),
    )


def _two_runs(table: Evaluation, wish: FigureWish) -> tuple[RunScores, RunScores]:
    must_have_runs(table.runs, 2)
    by_name = {run.run: run for run in table.runs}
    ranked = sorted(table.runs, key=lambda run: -run.summary[0])
    standing_out(list(by_name), [0.0] * len(by_name), wish.runs)
    chosen = [by_name[name] for name in wish.runs[:2]]
    chosen += [run for run in ranked if run not in chosen][: 2 - len(chosen)]
    if chosen[0].run == chosen[1].run:
        raise IrjudgeError("Name two different runs, not {run} twice.", run=chosen[0].run)
    return chosen[0], chosen[1]


def _around_zero(values: Floats) -> tuple[float, float]:
    reach = float(np.abs(values).max(initial=0.0)) * 1.08 or 1.0
    return -reach, reach


@figure("topic-spread", title="Spread over topics", takes="values", measures=(1, 1), usual=("AP",), options=("runs",))
def topic_spread(table: Evaluation, wish: FigureWish) -> Chart:
    """Show how the topics of each run spread under one measure, as box plots, the best run on top."""
    runs = [run for run in sorted(table.runs, key=lambda run: -run.summary[0]) if run.topics]
    must_have_runs(runs)
    # Box plots need no colour to be told apart, so without a wish all of them are quiet.
    strong = standing_out([run.run for run in runs], [float(run.summary[0]) for run in runs], wish.runs) if wish.runs else []
    boxes = tuple(box_of(run.run, run.values[0], "chosen" if run.run in strong else "quiet") for run in runs)
    measure = table.measures[0]
    how = Message("Box: the middle half of the topics; line: median; diamond: mean; whiskers: within 1.5 box lengths; rings: beyond.")
    return Chart(
        Message("{measure} over topics, by run", measure=measure.name),
        f"{how} {topics_said([len(run.topics) for run in runs])}. {policy_words(table)}",
        Axis(measure.name, *bounds_of(measure)),
        Axis("Run", names=tuple(run.run for run in runs)),
        Boxes(boxes),
        ("run", "low", Message("first quartile"), "median", Message("third quartile"), "high", "mean"),
    )


@figure("heat-map", title="Runs and topics", takes="values", measures=(1, 1), usual=("AP",), options=("runs",))
def heat_map(table: Evaluation, wish: FigureWish) -> Chart:
    """Show one measure for every run and topic, the best runs on top and the easiest topics at the left."""
    runs = sorted(table.runs, key=lambda run: -run.summary[0])
    must_have_runs(runs)
    strong = standing_out([run.run for run in runs], [0.0] * len(runs), wish.runs) if wish.runs else []
    topics, values = values_by_topic(table, runs)
    if not topics:
        raise IrjudgeError("No run has a topic that was judged, so there is nothing to draw.")
    means = np.nanmean(values, axis=0)
    order = np.argsort(-means, kind="stable")
    measure, shown = table.measures[0], values[:, order]
    low, high = bounds_of(measure)
    return Chart(
        Message("{measure} by run and topic", measure=measure.name),
        Message("Runs and topics are ordered by their means; hatched: not evaluated. {policy_words}", policy_words=policy_words(table)),
        Axis(Message("{topics_said}, easiest first", topics_said=topics_said([len(topics)])), names=tuple(topics[at] for at in order)),
        Axis("Run", names=tuple(run.run for run in runs)),
        CellGrid(
            shown,
            float(np.nanmin(shown)) if low is None else low,
            float(np.nanmax(shown)) if high is None else high,
            measure.name,
            tuple(strong),
        ),
        ("run", "topic", measure.name),
    )


def values_by_topic(table: Evaluation, runs: list[RunScores], row: int = 0) -> tuple[tuple[str, ...], Floats]:
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
