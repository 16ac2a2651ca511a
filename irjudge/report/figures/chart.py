"""What a figure shows, as plain data: titles, axes and one kind of marks. Whatever draws it draws these numbers."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal, TypeAlias, get_args

import numpy as np

from irjudge.metrics.basis.judged import Floats
from irjudge.report.tables import Cell

# Chosen marks have a colour and a shape of their own, quiet ones are all alike, guides are what others are measured by.
Role: TypeAlias = Literal["chosen", "quiet", "guide"]
ROLES: tuple[Role, ...] = get_args(Role)
# What can still be told apart by colour and shape.
MOST_CHOSEN = 6


@dataclass(frozen=True, slots=True)
class Axis:
    """One axis."""

    label: str  # what stands along it
    # its ends; None where the values say
    low: float | None = None
    high: float | None = None
    names: tuple[str, ...] = ()  # of the places 0, 1, 2 …, where it has no numbers
    falling: bool = False  # whether it runs the other way, as places in an order do


@dataclass(frozen=True, slots=True, eq=False)
class Line:
    """A line through the points (x, y), shape (N,) each; `hue` is its colour and shape where it is chosen, or a chosen one's guide."""

    name: str
    x: Floats
    y: Floats
    role: Role = "chosen"
    hue: int = 0


@dataclass(frozen=True, slots=True, eq=False)
class LineSeries:
    """Lines, the quiet ones first."""

    lines: tuple[Line, ...]

    def rows(self, chart: "Chart") -> Iterator[tuple[Cell, ...]]:
        """Yield (name, x, y) for each point."""
        for line in self.lines:
            for x, y in zip(line.x.tolist(), line.y.tolist(), strict=True):
                yield line.name, chart.x.names[int(x)] if chart.x.names else x, y


@dataclass(frozen=True, slots=True, eq=False)
class Bars:
    """A bar up or down from 0 at each place of the x axis, shape (N,), and who is better where it goes up, and where down."""

    heights: Floats
    above: str
    below: str

    def rows(self, chart: "Chart") -> Iterator[tuple[Cell, ...]]:
        """Yield (name, height) for each bar."""
        yield from zip(chart.x.names, self.heights.tolist(), strict=True)


@dataclass(frozen=True, slots=True, eq=False)
class Box:
    """A box plot: the ends of the whiskers, the quartiles, the mean, and the values outside, shape (N,)."""

    name: str
    low: float
    first: float
    median: float
    third: float
    high: float
    mean: float
    outside: Floats
    role: Role = "quiet"


@dataclass(frozen=True, slots=True, eq=False)
class Boxes:
    """Box plots at the places of the y axis, the first on top."""

    boxes: tuple[Box, ...]

    def rows(self, _chart: "Chart") -> Iterator[tuple[Cell, ...]]:
        """Yield (name, low, first quartile, median, third quartile, high, mean) for each box."""
        for box in self.boxes:
            yield box.name, box.low, box.first, box.median, box.third, box.high, box.mean


@dataclass(frozen=True, slots=True, eq=False)
class Points:
    """Named points, shape (N,) each; `roles` are as long, and chosen points are named in the figure."""

    names: tuple[str, ...]
    x: Floats
    y: Floats
    roles: tuple[Role, ...]

    def rows(self, _chart: "Chart") -> Iterator[tuple[Cell, ...]]:
        """Yield (name, x, y) for each point."""
        yield from zip(self.names, self.x.tolist(), self.y.tolist(), strict=True)


@dataclass(frozen=True, slots=True, eq=False)
class CellGrid:
    """Cells in rows (y axis) and columns (x axis), shape (R, C); nan is undefined. `scale` says what the colours mean."""

    values: Floats
    low: float
    high: float
    scale: str
    chosen: tuple[str, ...] = ()

    def rows(self, chart: "Chart") -> Iterator[tuple[Cell, ...]]:
        """Yield (row, column, value) for each cell; no value where it is undefined."""
        for name, values in zip(chart.y.names, self.values.tolist(), strict=True):
            yield from (
                (name, other, None if value != value else value)
                for other, value in zip(chart.x.names, values, strict=True)
            )


Marks: TypeAlias = LineSeries | Bars | Boxes | Points | CellGrid


@dataclass(frozen=True, slots=True, eq=False)
class Chart:
    """A figure before it is drawn."""

    title: str  # what it shows
    caption: str  # what was averaged, over what, under which policy
    # axes and what is drawn between them
    x: Axis
    y: Axis
    marks: Marks
    columns: tuple[str, ...]  # the header of `rows`

    def rows(self) -> Iterator[tuple[Cell, ...]]:
        """Yield every value that is drawn, a row each."""
        yield from self.marks.rows(self)


def box_of(name: str, values: Floats, role: Role = "quiet") -> Box:
    """Return the box plot of values, shape (N,) with N of 1 or more.

    Quartiles interpolate between values; whiskers end at the last value within 1.5 box lengths (Tukey).

    >>> box = box_of("a", np.array([0.0, 1.0, 2.0, 3.0, 10.0]))
    >>> box.low, box.first, box.median, box.third, box.high, box.outside.tolist()
    (0.0, 1.0, 2.0, 3.0, 3.0, [10.0])
    """
    first, median, third = np.percentile(values, [25, 50, 75]).tolist()
    reach = 1.5 * (third - first)
    inside = (values >= first - reach) & (values <= third + reach)
    low, high = min(first, float(values[inside].min())), max(third, float(values[inside].max()))
    return Box(name, low, first, median, third, high, float(values.mean()), values[~inside], role)
