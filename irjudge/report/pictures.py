"""The figures that an evaluation can be drawn as by itself, on light and on dark."""

from collections.abc import Iterator
from dataclasses import dataclass

from irjudge.errors import IrjudgeError
from irjudge.evaluation.table import Evaluation
from irjudge.progress import SILENT, Progress
from irjudge.report.figures.chart import Chart
from irjudge.report.figures.drawing import DARK, LIGHT
from irjudge.report.figures.files import catalogue, figure_bytes
from irjudge.report.figures.registry import Figure, FigureWish
from irjudge.report.workbook.curves import only
from irjudge.report.workbook.formulas import is_count


@dataclass(frozen=True, slots=True)
class FigureSvg:
    """A figure as SVG, with the words of its caption, which are drawn in it."""

    title: str
    caption: str
    light: bytes
    dark: bytes


def pictures_of(evaluation: Evaluation, progress: Progress = SILENT) -> tuple[FigureSvg, ...]:
    """Draw every figure that takes the values of an evaluation, by as many of its measures as the figure takes.

    Counts are left out. A figure that has too few runs, topics or measures is not drawn.
    """
    averaged = only(
        evaluation, [measure for measure in evaluation.measures if not is_count(measure)]
    )
    charts = list(_charts(averaged)) if any(run.topics for run in averaged.runs) else []
    drawn = progress.through(charts, "Drawing figures", total=len(charts), every=1)
    return tuple(
        FigureSvg(
            each.title, each.caption, *(figure_bytes(each, "svg", look) for look in (LIGHT, DARK))
        )
        for each in drawn
    )


def _charts(evaluation: Evaluation) -> Iterator[Chart]:
    for figure in catalogue():
        if figure.takes == "values" and len(evaluation.measures) >= max(1, figure.measures[0]):
            yield from _chart(figure, evaluation)


def _chart(figure: Figure, evaluation: Evaluation) -> Iterator[Chart]:
    most = figure.measures[1]
    try:
        yield figure.chart(only(evaluation, evaluation.measures[:most]), FigureWish())
    except IrjudgeError:  # what it says is told to those who ask for this figure alone
        return
