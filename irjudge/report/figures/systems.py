"""Figures of systems and measures: two measures as points, how alike measures order systems, and places under each."""

import numpy as np

from irjudge.errors import IrjudgeError
from irjudge.evaluation.comparison import runs_best_first
from irjudge.evaluation.system_orderings import matrix, orderings
from irjudge.evaluation.table import Evaluation
from irjudge.message import Message
from irjudge.metrics.basis.judged import Floats
from irjudge.metrics.naming.direction import to_goodness
from irjudge.model.labels import Labels
from irjudge.report.figures.chart import Axis, CellGrid, Chart, Line, LineSeries, Points, Role
from irjudge.report.figures.curves import topics_said
from irjudge.report.figures.material import must_have_runs, policy_words, standing_out
from irjudge.report.figures.registry import FigureWish, figure
from irjudge.report.figures.topics import bounds_of
from irjudge.stats.agreement.estimates import agreement_of_pairs
from irjudge.stats.correlation import parse_statistics, tau_b
from irjudge.stats.rankings import RankPair, places, spans

ASSESSORS_USUAL_STATISTIC = "kappa"


@figure(
    "assessor-agreement", title="Agreement of assessors", takes="labels", options=("statistic",)
)
def assessor_agreement(labels: Labels, wish: FigureWish) -> Chart:
    """Show how far every two assessors agree on the documents both judged."""
    name = wish.statistic or ASSESSORS_USUAL_STATISTIC
    if len(labels.workers) < 2:
        raise IrjudgeError(
            "Agreement takes two assessors or more, got {workers}.", workers=len(labels.workers)
        )
    pairs = agreement_of_pairs(labels, [name], rel=wish.rel)[0]
    values = pairs.matrix()
    np.fill_diagonal(values, np.nan)
    shared = Message("{items:,} pairs of assessors share documents", items=len(pairs.items)) + (
        Message(", {median:,} in the median.", median=int(np.median(pairs.items)))
        if len(pairs.items)
        else "."
    )
    return Chart(
        Message(
            "Agreement of {workers:,} assessors, {statistic}",
            workers=len(labels.workers),
            statistic=pairs.statistic,
        ),
        Message(
            "Each two on the documents both judged, {scale} scale; {shared} Hatched: undefined, or the same assessor.",
            scale=pairs.scale,
            shared=shared,
        ),
        Axis(Message("Assessor"), names=labels.workers),
        Axis(Message("Assessor"), names=labels.workers),
        CellGrid(values, -1.0 if (values < 0).any() else 0.0, 1.0, pairs.statistic),
        ("assessor_a", "assessor_b", pairs.statistic),
    )


USUAL_STATISTIC = "tau-b"
NAMED = 12  # so few points are all named


@figure(
    "scatter",
    title="Two measures",
    takes="values",
    measures=(2, 2),
    usual=("AP", "P@10"),
    options=("runs", "topic", "of"),
)
def scatter(table: Evaluation, wish: FigureWish) -> Chart:
    """Show two measures as points: one for each system, or one for each topic of a run."""
    must_have_runs(table.runs)
    first, second = table.measures
    runs = [run.run for run in table.runs]
    strong = standing_out(runs, orderings(table)[0].values.tolist(), wish.runs)
    if wish.of == "topics":
        run = table.runs[runs.index(wish.runs[0] if wish.runs else runs_best_first(table)[0].run)]
        names, x, y = run.topics, run.values[0], run.values[1]
        what: str = Message("topics of {run}", run=run.run)
        chosen = [wish.topic] if wish.topic else []
        if wish.topic is not None and wish.topic not in run.topics:
            raise IrjudgeError(
                "{run} has no topic {topic!r} that was evaluated.", run=run.run, topic=wish.topic
            )
    else:
        names, (x, y), what = (
            tuple(runs),
            (np.array([run.summary[row] for run in table.runs]) for row in (0, 1)),
            Message("systems"),
        )
        chosen = [*strong] if wish.runs or len(runs) > NAMED else runs
    roles: tuple[Role, ...] = tuple("chosen" if name in chosen else "quiet" for name in names)
    alike = (
        Message(
            "Kendall's tau-b {tau_b:.3f} over ",
            tau_b=tau_b(RankPair.of_scores(to_goodness(first, x), to_goodness(second, y))),
        )
        if len(x) > 1
        else ""
    )
    rests = (
        ""
        if wish.of == "topics"
        else Message(
            " Averaged over {topics_said}.",
            topics_said=topics_said([len(run.topics) for run in table.runs]),
        )
    )
    return Chart(
        Message(
            "{second} against {first}, {what}", second=second.name, first=first.name, what=what
        ),
        Message(
            "{alike}{count:,} {what}.{rests} {policy}",
            alike=alike,
            count=len(x),
            what=what,
            rests=rests,
            policy=policy_words(table),
        ),
        Axis(first.name, *ends(x, bounds_of(first))),
        Axis(second.name, *ends(y, bounds_of(second))),
        Points(names, x, y, roles),
        (wish.of.removesuffix("s"), first.name, second.name),
    )


def ends(values: Floats, bounds: tuple[float | None, float | None]) -> tuple[float, float]:
    """Return ends a little beyond the values; where these do not differ, those of the measure."""
    low, high = float(values.min(initial=np.inf)), float(values.max(initial=-np.inf))
    if not len(values) or low == high:
        low, high = (
            each if each is not None else fallback
            for each, fallback in zip(bounds, (0.0, 1.0), strict=True)
        )
        low, high = (low, high) if low < high else (low - 1, low + 1)
    room = 0.06 * (high - low)
    return low - room, high + room


@figure(
    "measure-correlation",
    title="How alike measures order systems",
    takes="values",
    measures=(2, None),
    usual=("AP", "P@10", "nDCG@10", "RR", "Rprec"),
    options=("statistic",),
)
def measure_correlation(table: Evaluation, wish: FigureWish) -> Chart:
    """Show the rank correlation of the orders in which every two measures put the systems."""
    must_have_runs(table.runs, 2)
    [statistic] = parse_statistics([wish.statistic or USUAL_STATISTIC])
    names = tuple(measure.name for measure in table.measures)
    values = matrix(table, statistic)
    low, high = statistic.declaration.bounds
    truth = (
        ""
        if statistic.declaration.symmetric
        else Message(" The measure of the row is taken for the true order.")
    )
    topics = topics_said([len(run.topics) for run in table.runs])
    return Chart(
        Message(
            "Orders of {runs:,} systems by measure, {statistic}",
            runs=len(table.runs),
            statistic=statistic.name,
        ),
        Message(
            "{title} of the orders by average over {topics}.{truth} {policy_words}",
            title=statistic.declaration.title,
            topics=topics,
            truth=truth,
            policy_words=policy_words(table),
        ),
        Axis(Message("Measure"), names=names),
        Axis(Message("Measure"), names=names),
        CellGrid(values, min(low, 0.0) if (values < 0).any() else 0.0, high, statistic.name),
        ("measure_a", "measure_b", statistic.name),
    )


@figure(
    "system-ranks",
    title="Places of systems by measure",
    takes="values",
    measures=(2, None),
    usual=("AP", "P@10", "nDCG@10", "RR"),
    options=("runs",),
)
def system_ranks(table: Evaluation, wish: FigureWish) -> Chart:
    """Show how the places of the systems change from measure to measure."""
    must_have_runs(table.runs)
    if table.topics_warning:
        raise IrjudgeError("{warning}", warning=table.topics_warning)
    orders = orderings(table)
    runs = orders[0].systems
    ranks = np.stack([spans(places(order.values)).middle for order in orders])
    strong = standing_out(runs, orders[0].values.tolist(), wish.runs)
    across = np.arange(float(len(orders)))
    quiet = tuple(
        Line(run, across, ranks[:, at], "quiet") for at, run in enumerate(runs) if run not in strong
    )
    chosen = tuple(
        Line(run, across, ranks[:, runs.index(run)], "chosen", hue)
        for hue, run in enumerate(strong)
    )
    return Chart(
        Message("Places of {runs:,} systems by measure", runs=len(runs)),
        Message(
            "By average over {topics_said}; systems of equal value share the middle of their places. {policy_words}",
            topics_said=topics_said([len(run.topics) for run in table.runs]),
            policy_words=policy_words(table),
        ),
        Axis(Message("Measure"), names=tuple(order.name for order in orders)),
        Axis(Message("Place"), 1, max(len(runs), 2), falling=True),
        LineSeries((*quiet, *chosen)),
        ("run", "measure", "place"),
    )
