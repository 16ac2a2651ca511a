"""What is done for a figure beside the window: reading what it is made of, making its chart, drawing it for files and clipboard."""

from dataclasses import dataclass, replace
from pathlib import Path

from irjudge.audit.judge_audit import audits_of_project
from irjudge.evaluation.project_evaluation import evaluate_project
from irjudge.evaluation.table import Evaluation, parse_measures
from irjudge.judging.consensus import voting_labels
from irjudge.model.labels import Labels
from irjudge.progress import Progress
from irjudge.report.figures.chart import Bars, Chart, Figure, FigureWish, LineSeries, Points
from irjudge.report.figures.curves import JudgedRankings, project_rankings
from irjudge.report.figures.drawing import FigureColours
from irjudge.report.figures.files import LARGEST, figure_bytes, write_figure
from irjudge.report.figures.judges import JudgeAudits
from irjudge.report.tables import Cell
from irjudge.stats.sampling import Sampling
from irjudge.store.project import Project
from irjudge_ui.pages.shared.policy import EvaluationWish

Material = JudgedRankings | Evaluation | Labels | JudgeAudits
FEW = Sampling(samples=1)  # no figure shows the intervals
LIVE = (LineSeries, Bars, Points)  # what the window draws itself; all else comes as a picture
INCHES = (3.0, 2.6)  # no picture is drawn smaller: its words would not fit


@dataclass(frozen=True, slots=True)
class Order:
    """A figure that is to be made: which one, of which measures, under which policy, and what is to be shown."""

    figure: Figure
    measures: str
    policy: EvaluationWish
    wish: FigureWish

    @property
    def key(self) -> tuple[str, str, str]:
        """What tells apart the material of two orders."""
        named = self.measures if self.figure.takes == "values" else ""
        return (
            self.figure.takes,
            named,
            self.policy.words() if self.figure.takes != "labels" else "",
        )


@dataclass(frozen=True, slots=True, eq=False)
class Canvas:
    """What a picture is drawn for: a look, a size in pixels at the normal zoom, and pixels of the screen in one of them."""

    look: FigureColours
    width: float
    height: float
    scale: float


@dataclass(frozen=True, slots=True, eq=False)
class DrawnFigure:
    """A chart with its material, all its values and, where the window does not draw it itself, a PNG of it."""

    order: Order
    material: Material
    chart: Chart
    rows: tuple[tuple[Cell, ...], ...] = ()
    picture: bytes = b""

    @property
    def runs(self) -> tuple[str, ...]:
        """The runs that can stand out."""
        if isinstance(self.material, Evaluation):
            return tuple(run.run for run in self.material.runs)
        if isinstance(self.material, JudgeAudits):
            found = [each.orderings.systems for each in self.material.audits if each.orderings]
            return tuple(each.run for each in found[0]) if found else ()
        return self.material.runs if isinstance(self.material, JudgedRankings) else ()

    @property
    def models(self) -> tuple[str, ...]:
        """The models that can be shown."""
        return self.material.models if isinstance(self.material, JudgeAudits) else ()

    @property
    def topics(self) -> tuple[str, ...]:
        """The topics that can be shown."""
        return self.material.topics


def make(
    project: Project, order: Order, known: Material | None, canvas: Canvas, progress: Progress
) -> DrawnFigure:
    """Make a chart, of material that is known or read now."""
    material = known
    if material is None:
        with project.second_connection() as other:
            material = _read(other, order, progress)
    chart = order.figure.chart(material, order.wish)
    return DrawnFigure(
        order,
        material,
        chart,
        tuple(chart.rows()),
        b"" if isinstance(chart.marks, LIVE) else picture_of(chart, canvas),
    )


def _read(project: Project, order: Order, progress: Progress) -> Material:
    policy = order.policy.policy()
    if order.figure.takes == "labels":
        return voting_labels(project, progress)
    if order.figure.takes == "models":
        return JudgeAudits(
            audits_of_project(project, policy=policy, sampling=FEW, progress=progress)
        )
    choice = order.policy.choice(project)
    if order.figure.takes == "rankings":
        return project_rankings(project, policy, choice, progress)
    measures = parse_measures(order.measures.split(), policy.rel, policy.profile)
    order.figure.check(len(measures))
    return evaluate_project(project, measures, policy, choice, progress)


def picture_of(chart: Chart, canvas: Canvas) -> bytes:
    """Return a chart as PNG, as many pixels as the screen has where it is shown; its words stand beside it on the page."""
    width, height = (
        min(max(side / 96, least), LARGEST)
        for side, least in zip((canvas.width, canvas.height), INCHES, strict=True)
    )
    return figure_bytes(
        replace(chart, title="", caption=""),
        "png",
        canvas.look,
        size=(width, height),
        dpi=96 * canvas.scale,
    )


def for_clipboard(chart: Chart, look: FigureColours) -> tuple[bytes, bytes]:
    """Return a chart as PNG and as SVG."""
    return figure_bytes(chart, "png", look), figure_bytes(chart, "svg", look)


def save(path: Path, chart: Chart, look: FigureColours) -> Path:
    """Write a chart and return where it is."""
    write_figure(path, chart, look)
    return path
