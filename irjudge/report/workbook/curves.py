"""The sheets of curves: precision over recall and nDCG over rank, of each topic and averaged over them."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from irjudge.evaluation.table import Evaluation, Policy
from irjudge.metrics.naming.names import Measure, parse
from irjudge.progress import Progress
from irjudge.report.workbook.evaluation import topic_table, write_topics
from irjudge.report.workbook.formulas import TopicTable
from irjudge.report.workbook.sheet_writer import Book, Cell, Formula, WorkbookColumn, write_table

CURVES, CURVES_PER_TOPIC = "Curves", "Curves per topic"


@dataclass(frozen=True, slots=True)
class Curve:
    """A curve: what it shows, what is along its axis, and the measure that gives its height at each of its points."""

    title: str
    axis: str
    height: str
    measure: str
    points: tuple[float, ...]
    logarithmic: bool = False

    @property
    def names(self) -> list[str]:
        """The names of its measures, a point each."""
        return [f"{self.measure}@{point:g}" for point in self.points]


SHOWN = (
    Curve(
        "Precision over recall",
        "Recall",
        "Interpolated precision",
        "IPrec",
        tuple(level / 10 for level in range(11)),
    ),
    Curve(
        "nDCG over rank",
        "Rank",
        "nDCG",
        "nDCG",
        (1, 2, 3, 5, 10, 20, 30, 50, 100),
        logarithmic=True,
    ),
)


def curve_measures(policy: Policy) -> tuple[Measure, ...]:
    """Return the measures that are the points of all curves, in their order."""
    return tuple(
        parse(name, rel=policy.rel, profile=policy.profile)[0]
        for curve in SHOWN
        for name in curve.names
    )


def only(evaluation: Evaluation, measures: Sequence[Measure]) -> Evaluation:
    """Return an evaluation with some of its measures alone."""
    places = [evaluation.measures.index(measure) for measure in measures]
    runs = (
        replace(run, values=run.values[places], summary=run.summary[places])
        for run in evaluation.runs
    )
    return replace(evaluation, measures=tuple(measures), runs=tuple(runs))


def curve_row(curve: int, point: int = 0) -> int:
    """Return the row of the sheet Curves on which a point of a curve stands, from 0."""
    return 1 + sum(len(each.points) for each in SHOWN[:curve]) + point


def write_curves(
    book: Book, curves: Evaluation, titles: Mapping[str, str], progress: Progress
) -> None:
    """Write the averaged curves, a column for each run, and the topics' beneath them."""
    table = topic_table(curves, CURVES_PER_TOPIC, titled=bool(titles))
    columns = [
        WorkbookColumn("Curve"),
        WorkbookColumn("At", "plain"),
        *(WorkbookColumn(run.run, "number") for run in curves.runs),
    ]
    write_table(book, CURVES, columns, _mean_rows(curves, table), progress, frozen=2)
    write_topics(book, curves, table, titles, progress)


def _mean_rows(curves: Evaluation, table: TopicTable) -> Iterator[Sequence[Cell]]:
    points = [(curve.title, at) for curve in SHOWN for at in curve.points]
    for place, (name, at) in enumerate(points):
        means = (
            Formula(
                f"={table.mean(place, str(number), len(run.topics))}",
                float(run.values[place].mean()) if run.topics else 0.0,
            )
            for number, run in enumerate(curves.runs, 1)
        )
        yield name, at, *means
