"""Charts as data, without drawing code, and the registry of figures."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Annotated, Any, Literal, TypeAlias, TypeVar, get_args

import numpy as np

from irjudge.catalogue import Catalogue, summarise
from irjudge.errors import IrjudgeError
from irjudge.message import Message
from irjudge.metrics import Floats
from irjudge.options import Option
from irjudge.report.tables import Cell

# Content of a figure as plain data: titles, axes and marks of one kind. Drawing code and printed
# values use the same numbers.

# Role of a mark. Each `chosen` mark has its own colour and shape. All `quiet` marks are in the
# background, with the same colour and shape. `guide` marks are references, such as ideal values.
Role: TypeAlias = Literal["chosen", "quiet", "guide"]
ROLES: tuple[Role, ...] = get_args(Role)
# number of marks that can be distinguished by colour and shape; if there are more runs, only the
# best run is `chosen` by default
MAX_CHOSEN = 6


@dataclass(frozen=True, slots=True)
class Axis:
    """Axis of a chart: label, limits, direction, and the names of positions.

    A limit that is None is determined by the values. An axis with `names` is categorical, with the
    positions 0, 1, 2 …
    """

    label: str  # axis label
    low: float | None = None  # lower limit; None if the values determine it
    high: float | None = None  # upper limit; None if the values determine it
    names: tuple[str, ...] = ()  # names of positions 0, 1, 2 … of a categorical axis
    is_reversed: bool = False  # whether the axis is reversed, as for ranks
    is_integer: bool = False  # whether all positions are integers, as for ranks and counts


@dataclass(frozen=True, slots=True, eq=False)
class Line:
    """Line of a chart through N points, whose coordinates are `x` and `y`, shape (N,) each.

    The role is `chosen` (own colour and markers), `quiet` (grey, in the background) or `guide`
    (dashed reference). `hue` is the index of the colour and the marker shape of a `chosen` line. A
    guide that belongs to a `chosen` line has the same hue.
    """

    name: str
    x: Floats
    y: Floats
    role: Role = "chosen"
    hue: int = 0


@dataclass(frozen=True, slots=True, eq=False)
class LineSeries:
    """All lines of a chart.

    Background lines come first, since later lines are drawn over them.
    """

    lines: tuple[Line, ...]

    def rows(self, chart: "Chart") -> Iterator[tuple[Cell, ...]]:
        """Yield (name, x, y) for each point."""
        for line in self.lines:
            for x, y in zip(line.x.tolist(), line.y.tolist(), strict=True):
                position = int(x) if chart.x.is_integer else x
                yield line.name, chart.x.names[int(x)] if chart.x.names else position, y


@dataclass(frozen=True, slots=True, eq=False)
class Bars:
    """Vertical bars of a chart, one at each position of the x axis. All bars start at 0.

    The heights have the shape (N,). `above` is the name of the run that is better where a height is
    positive; `below` is the name of the run that is better where a height is negative. If the
    measure has no direction (`is_directed` is False), the values are higher, but not better.
    """

    heights: Floats
    above: str
    below: str
    is_directed: bool = True

    def rows(self, chart: "Chart") -> Iterator[tuple[Cell, ...]]:
        """Yield (name, height) for each bar."""
        yield from zip(chart.x.names, self.heights.tolist(), strict=True)


@dataclass(frozen=True, slots=True, eq=False)
class Box:
    """Values that a box plot shows: ends of the whiskers, quartiles, mean, and outliers.

    `make_box` computes them; whiskers are at most 1.5 times as long as the box.
    """

    name: str
    low: float  # end of the lower whisker
    first: float  # first quartile
    median: float
    third: float  # third quartile
    high: float  # end of the upper whisker
    mean: float
    outliers: Floats  # values beyond the whiskers
    role: Role = "quiet"


@dataclass(frozen=True, slots=True, eq=False)
class Boxes:
    """Horizontal box plots of a chart, one at each position of the y axis, from top to bottom."""

    boxes: tuple[Box, ...]

    def rows(self, _chart: "Chart") -> Iterator[tuple[Cell, ...]]:
        """Yield (name, low, first quartile, median, third quartile, high, mean) for each box."""
        for box in self.boxes:
            yield box.name, box.low, box.first, box.median, box.third, box.high, box.mean


@dataclass(frozen=True, slots=True, eq=False)
class Points:
    """N named points of a chart, each with a role; points with the role `chosen` are labelled.

    The coordinates have the shape (N,). Points with the role `quiet` are in the background.
    """

    names: tuple[str, ...]
    x: Floats
    y: Floats
    roles: tuple[Role, ...]

    def rows(self, _chart: "Chart") -> Iterator[tuple[Cell, ...]]:
        """Yield (name, x, y) for each point."""
        yield from zip(self.names, self.x.tolist(), self.y.tolist(), strict=True)


@dataclass(frozen=True, slots=True, eq=False)
class CellGrid:
    """Grid of cells in a chart; the colour of a cell represents its value.

    The values have the shape (R, C); undefined values are nan. Rows and columns are named by the y
    and x axes of the chart. `low` and `high` are the values at the ends of the colour scale, and
    `scale_label` is its label.
    """

    values: Floats
    low: float
    high: float
    scale_label: str
    # names of the rows to label if the labels of all rows do not fit
    highlighted: tuple[str, ...] = ()

    def rows(self, chart: "Chart") -> Iterator[tuple[Cell, ...]]:
        """Yield, for each row, the (row name, column name, value) of each cell.

        An undefined value is None.
        """
        for name, values in zip(chart.y.names, self.values.tolist(), strict=True):
            yield from (
                (name, column, None if value != value else value)
                for column, value in zip(chart.x.names, values, strict=True)
            )


Marks: TypeAlias = LineSeries | Bars | Boxes | Points | CellGrid


@dataclass(frozen=True, slots=True, eq=False)
class Chart:
    """Content of a figure as data: title, caption, axes and marks of one kind.

    The marks are lines, bars, boxes, points or a grid of cells. Files, the window and printed
    tables show the same values.
    """

    title: str
    caption: str  # text below the chart that explains the content and the evaluation settings
    x: Axis
    y: Axis
    marks: Marks
    columns: tuple[str, ...]  # names of the columns of `rows`

    def rows(self) -> Iterator[tuple[Cell, ...]]:
        """Yield rows with the values that are drawn, except the outliers of box plots."""
        yield from self.marks.rows(self)


def make_box(name: str, values: Floats, role: Role = "quiet") -> Box:
    """Make the box plot of values, shape (N,) with N ≥ 1.

    Quartiles are interpolated between values. Whiskers end at the last value that is at most 1.5
    box lengths away from the box (Tukey).

    >>> box = make_box("a", np.array([0.0, 1.0, 2.0, 3.0, 10.0]))
    >>> box.low, box.first, box.median, box.third, box.high, box.outliers.tolist()
    (0.0, 1.0, 2.0, 3.0, 3.0, [10.0])
    """
    first, median, third = np.percentile(values, [25, 50, 75]).tolist()
    max_reach = 1.5 * (third - first)
    is_inside = (values >= first - max_reach) & (values <= third + max_reach)
    low = min(first, float(values[is_inside].min()))
    high = max(third, float(values[is_inside].max()))
    return Box(
        name, low, first, median, third, high, float(values.mean()), values[~is_inside], role
    )


# Registry of figures, which are declared by the decorator `figure`

# Input from which a figure is made: rankings joined with qrels, an evaluation, labels of assessors,
# or audits of models
FigureInput: TypeAlias = Literal["rankings", "values", "labels", "models"]
FIGURE_INPUTS: tuple[FigureInput, ...] = get_args(FigureInput)
Curve: TypeAlias = Literal["cg", "dcg", "ncg", "ndcg"]
CURVES: tuple[Curve, ...] = get_args(Curve)
ScatterPoints: TypeAlias = Literal["systems", "topics"]
SCATTER_POINTS: tuple[ScatterPoints, ...] = get_args(ScatterPoints)
Fit: TypeAlias = Literal["none", "binormal"]
FITS: tuple[Fit, ...] = get_args(Fit)
DEFAULT_RANKS = 100
Maker = TypeVar("Maker", bound=Callable[..., Chart])


@dataclass(frozen=True, slots=True)
class FigureOptions:
    """Options that determine what figures show, such as runs to highlight, topic or statistic.

    Each figure uses only the options that its declaration lists; in addition, figures of labels use
    `rel`. Colours and the output file are separate arguments.
    """

    # names of runs to highlight or, in the figure of differences, of two runs to compare; if empty,
    # the figure chooses, for example all runs or, if there are many, only the best run
    runs: tuple[str, ...] = ()
    topic: str | None = None  # topic to show; None for the average over topics
    levels: Annotated[
        int,
        Option(
            "For the precision-recall figure: the number of recall levels.", minimum=2, maximum=1001
        ),
    ] = 11
    fit: Annotated[
        Fit,
        Option(
            "For the precision-recall figure: add a smooth curve, and the area under it, for each "
            "highlighted run."
        ),
    ] = "none"
    curve: Annotated[Curve, Option("For the gain figure: the curve to plot.")] = "ndcg"
    discount: Annotated[
        Literal["log2p1", "jk"],
        Option(
            "For the gain figure: the discount of the curves dcg and ndcg. log2p1: gains are "
            "divided by log2(rank + 1); jk: from rank 2 on, gains are divided by log2(rank)."
        ),
    ] = "log2p1"
    averaging: Annotated[
        Literal["topics", "ratio"],
        Option(
            "For the gain figure: how ncg and ndcg are averaged over topics: as the mean of "
            "the topics' ratios (topics), or as the ratio of the mean gains (ratio)."
        ),
    ] = "topics"
    ranks: Annotated[int, Option("For curves over ranks: the last rank to plot.", minimum=1)] = (
        DEFAULT_RANKS
    )
    of: Annotated[ScatterPoints, Option("For the scatter figure: what the points represent.")] = (
        "systems"
    )
    statistic: Annotated[
        str,
        Option(
            "For the measure-correlation and assessor-agreement figures: the statistic to plot.",
            flags=("-s", "--statistic"),
            metavar="NAME",
        ),
    ] = ""
    model: Annotated[
        str,
        Option(
            "For the model-grades, model-leniency and model-orders figures: the model to plot. "
            "Default: the first model.",
            metavar="NAME",
        ),
    ] = ""
    rel: int = 1  # lowest relevant grade, for figures of labels


@dataclass(frozen=True, slots=True)
class Figure:
    """Registry entry of a figure: name, title, required input, options, and chart function.

    The input is an evaluation, rankings, labels or audits of models. The chart function has the
    arguments input and options, and returns a `Chart`; it draws nothing.
    """

    name: str  # name, such as `precision-recall`
    title: str  # title, such as `Precision over recall`
    input_kind: FigureInput  # kind of input
    # minimum and maximum number of measures, for input that is an evaluation; None for no maximum
    measures: tuple[int, int | None]
    default_measures: tuple[str, ...]
    options: tuple[str, ...]  # names of the options that the figure uses
    chart: Callable[[Any, FigureOptions], Chart]  # function that makes the chart

    @property
    def about(self) -> str:
        """First paragraph of the docstring of the figure's function."""
        return summarise(self.chart)

    @property
    def inputs(self) -> Message:
        """Text that describes the input from which the figure is made."""
        if self.input_kind == "labels":
            return Message("a project, or a table of labels")
        if self.input_kind == "models":
            return Message("a project with model labels")
        return Message("a project, or qrels and runs")

    def check(self, measures: int) -> None:
        """Raise IrjudgeError if the figure cannot show this number of measures."""
        minimum, maximum = self.measures
        if self.input_kind == "values" and (
            measures < minimum or (maximum is not None and measures > maximum)
        ):
            if minimum == maximum == 1:
                raise IrjudgeError(
                    "The figure {name} needs one measure, got {count}.",
                    name=self.name,
                    count=measures,
                )
            raise IrjudgeError(
                "The figure {name} needs {number} measures, got {count}."
                if minimum == maximum
                else "The figure {name} needs {number} or more measures, got {count}.",
                name=self.name,
                number=minimum,
                count=measures,
            )


# Modules that declare figures. They import this module, so they are only imported when the
# catalogue is first used. The catalogue lists figures in the order of these modules.
FAMILIES = ("curves", "judges", "systems_and_topics")
FIGURES: Catalogue[Figure] = Catalogue(
    Message("Figure"),
    sort_key=lambda figure: FIGURE_INPUTS.index(figure.input_kind),
    modules=(f"{__package__}.{name}" for name in FAMILIES),
)
catalogue, find_figure = FIGURES.catalogue, FIGURES.find


def figure(
    name: str,
    *,
    title: str,
    input_kind: FigureInput,
    measures: tuple[int, int | None] = (0, 0),
    default_measures: tuple[str, ...] = (),
    options: tuple[str, ...] = (),
) -> Callable[[Maker], Maker]:
    """Register the decorated function as a figure; the function returns a chart (see `Figure`)."""

    def declare(maker: Maker) -> Maker:
        FIGURES.add(Figure(name, title, input_kind, measures, default_measures, options, maker))
        return maker

    return declare
