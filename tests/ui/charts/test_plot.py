"""Tests of live charts: positions of values, accessible text, readability at every size."""

from collections.abc import Callable

import numpy as np
import pytest
from PySide6.QtCore import QPointF, QRectF
from PySide6.QtWidgets import QWidget
from pytestqt.qtbot import QtBot

from irjudge.report.figures import LIGHT_FIGURE, Axis, Line
from irjudge_ui.charts import BarPlot, LinePlot, PointPlot
from irjudge_ui.charts.plot import AxisScale, Plot, axis_limits, compute_ticks, label_grid

NONE = np.empty(0)
LINES = (
    Line("other", np.array([0.0, 1.0]), np.array([0.1, 0.1]), "quiet"),
    Line("ideal", np.array([0.0, 1.0]), np.array([1.0, 1.0]), "guide"),
    Line("low", np.array([0.0, 1.0]), np.array([0.2, 0.3]), "chosen", 0),
    Line("high", np.array([0.0, 1.0]), np.array([0.8, 0.9]), "chosen", 1),
)


@pytest.fixture
def show_plot(qtbot: QtBot) -> Callable[[Plot], Plot]:
    def show(plot: Plot) -> Plot:
        qtbot.addWidget(plot)
        plot.resize(600, 400)
        plot.show()
        return plot

    return show


def test_values_are_mapped_to_positions_and_an_inverted_axis_goes_down() -> None:
    frame = QRectF(100, 20, 400, 200)
    scale = AxisScale(frame, Axis("x", 0, 2), Axis("y", 0, 1), NONE, NONE)
    assert (scale.x(1), scale.y(0), scale.y(1)) == (300, 220, 20)
    falling = AxisScale(
        frame, Axis("x", names=("AP", "RR")), Axis("Rank", 1, 4, is_reversed=True), NONE, NONE
    )
    assert falling.y(1) < falling.y(4) and falling.x(0) == 200 and falling.x(1) == 400


@pytest.mark.parametrize(
    ("axis", "values", "labels"),
    [
        (Axis("a", 0, 1), NONE, ["0.0", "0.2", "0.4", "0.6", "0.8", "1.0"]),
        (Axis("a", 0), np.array([11.4]), ["0", "2", "4", "6", "8", "10"]),
        (Axis("a", 0, 13), NONE, ["0.0", "2.5", "5.0", "7.5", "10.0", "12.5"]),
        (Axis("a", 1, 4, is_reversed=True), NONE, ["1", "2", "3", "4"]),
        (Axis("a", 1, 100, is_reversed=True), NONE, ["1", "20", "40", "60", "80", "100"]),
        (Axis("a", -0.25, 0.25), NONE, ["-0.2", "-0.1", "0.0", "0.1", "0.2"]),
        (Axis("a", names=("b",)), NONE, []),
    ],
)
def test_an_axis_has_ticks_at_round_values(
    axis: Axis, values: np.ndarray, labels: list[str]
) -> None:
    assert [label for _, label in compute_ticks(axis, values, 6)] == labels


def test_an_axis_without_values_still_has_ends() -> None:
    assert axis_limits(Axis("a"), NONE) == axis_limits(Axis("a"), np.array([np.nan])) == (0, 1)


def test_the_legend_lists_highlighted_lines_then_guides_then_the_rest(
    show_plot: Callable[[Plot], Plot],
) -> None:
    plot = LinePlot("curves")
    plot.show_lines(Axis("x", 0, 1), Axis("y", 0, 1), LINES, LIGHT_FIGURE.hues)
    show_plot(plot)
    assert [name for name, _ in plot.entries()] == ["high", "low", "ideal", "1 others"]


def test_the_nearest_value_is_described_as_text(show_plot: Callable[[Plot], Plot]) -> None:
    plot = LinePlot("curves")
    lines = (Line("<b>run", np.array([0.0, 1.0]), np.array([0.25, 0.5])),)
    plot.show_lines(Axis("Recall", 0, 1), Axis("Precision", 0, 1), lines, LIGHT_FIGURE.hues)
    show_plot(plot)
    scale = plot.scale()
    assert scale is not None
    assert (
        plot.tooltip_at(scale, QPointF(scale.x(1) - 3, scale.y(0.5)))
        == "<b>run\nRecall: 1\nPrecision: 0.5"
    )
    assert plot.tooltip_at(scale, QPointF(scale.x(0.5), scale.y(0.9))) == ""


def test_bars_and_points_are_described_too(show_plot: Callable[[Plot], Plot]) -> None:
    bars = BarPlot("bars")
    bars.show_bars(
        Axis("topics", names=("401", "402")),
        Axis("Difference", -1, 1),
        np.array([0.5, 0.0]),
        ("a", "b"),
        LIGHT_FIGURE.hues,
    )
    points = PointPlot("points")
    positions = np.array([0.2, 0.4]), np.array([0.3, 0.6])
    points.show_points(
        Axis("AP", 0, 1),
        Axis("RR", 0, 1),
        ("r1", "r2"),
        positions,
        ("quiet", "chosen"),
        LIGHT_FIGURE.hues,
    )
    show_plot(bars), show_plot(points)
    scale, other = bars.scale(), points.scale()
    assert scale is not None and other is not None
    assert bars.tooltip_at(scale, QPointF(scale.x(0), scale.y(0))) == "401\nDifference: 0.5"
    assert [name for name, _ in bars.entries()] == ["a better: 1", "b better: 0", "equal: 1"]
    assert points.tooltip_at(other, QPointF(other.x(0.2), other.y(0.3))) == "r1\nAP: 0.2\nRR: 0.3"
    assert [name for name, _ in points.entries()] == ["r2"]


def test_a_curve_is_drawn_in_its_colour_at_its_values(show_plot: Callable[[Plot], Plot]) -> None:
    plot = LinePlot("curves")
    plot.show_lines(Axis("x", 0, 1), Axis("y", 0, 1), LINES, LIGHT_FIGURE.hues)
    show_plot(plot)
    scale = plot.scale()
    assert scale is not None
    image = plot.grab().toImage()
    x, y = scale.x(0.03), scale.y(0.203)
    near = [image.pixelColor(round(x), round(y) + each).name() for each in (-1, 0, 1)]
    assert LIGHT_FIGURE.hues[0].lower() in near


@pytest.mark.parametrize("size", [(240, 220), (2000, 1200)])
def test_a_hundred_lines_and_an_empty_plot_are_drawn_at_every_size(
    show_plot: Callable[[Plot], Plot], size: tuple[int, int]
) -> None:
    plot = LinePlot("curves")
    show_plot(plot)
    plot.resize(*size)
    assert not plot.grab().isNull()
    many = [
        Line(f"run{at}", np.linspace(0, 1, 11), np.full(11, at / 100), "quiet") for at in range(100)
    ]
    plot.show_lines(Axis("x", 0, 1), Axis("y", 0, 1), many, LIGHT_FIGURE.hues)
    assert not plot.grab().isNull()
    plot.show_lines(Axis("x", 0, 1), Axis("y", 0, 1), (), LIGHT_FIGURE.hues)
    assert not plot.grab().isNull() and isinstance(plot, QWidget)


@pytest.mark.parametrize("high", [1.0, 4.0, 9.0, 13.0, 26.0, 140.0])
def test_counts_have_ticks_at_integers(high: float) -> None:
    for max_ticks in (2, 4, 6):
        ticks = compute_ticks(Axis("", 0.0, high, is_integer=True), np.array([]), max_ticks)
        assert ticks and all(value == round(value) and "." not in label for value, label in ticks)
        assert ticks[-1][0] <= high


def test_the_limits_of_negative_values_include_the_highest_value() -> None:
    assert axis_limits(Axis("a"), np.array([-0.9, -0.5])) == pytest.approx((-0.9, -0.475))
    low, high = axis_limits(Axis("a"), np.array([-0.5]))
    assert low <= -0.5 < high < 0


@pytest.mark.parametrize(
    ("values", "labels"),
    [
        ([0, 0.2, 0.4, 0.6, 0.8, 1], ["0.0", "0.2", "0.4", "0.6", "0.8", "1.0"]),
        ([0, 24.6, 49.2, 73.8, 98.4, 123], ["0", "25", "49", "74", "98", "123"]),
        ([-0.37, -0.096, 0.178], ["−0.37", "−0.10", "0.18"]),
        ([-0.004, -0.002, 0, 0.002, 0.004], ["−0.004", "−0.002", "0.000", "0.002", "0.004"]),
        ([0, 500, 1000], ["0", "500", "1,000"]),
    ],
)
def test_labels_of_grid_lines_have_the_decimals_of_their_step(
    values: list[float], labels: list[str]
) -> None:
    assert label_grid(values) == labels
