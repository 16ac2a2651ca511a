"""Tests of the plot of strengths with intervals: its height, positions and accessible text."""

from pytestqt.qtbot import QtBot

from irjudge_ui.charts import Strength, StrengthsPlot
from irjudge_ui.widgets import current_theme


def test_the_plot_has_a_line_per_item_a_name_and_accessible_text(qtbot: QtBot) -> None:
    plot = StrengthsPlot("Strengths")
    qtbot.addWidget(plot)
    one = plot.sizeHint().height()
    plot.show_strengths(
        [
            Strength("bm25", 0.5, 0.1, 0.9, "+0.50"),
            Strength("a name " * 30, -0.5, None, None, "−0.50"),
        ]
    )
    assert plot.sizeHint().height() == 2 * one and "bm25: +0.50" in plot.accessibleDescription()


def test_points_and_bars_are_drawn_at_their_values(qtbot: QtBot) -> None:
    plot = StrengthsPlot("Strengths")
    qtbot.addWidget(plot)
    plot.show_strengths([Strength("a", 1.0, 0.5, 2.0, "+1"), Strength("b", -1.0, -2.0, -0.5, "−1")])
    plot.resize(400, plot.sizeHint().height())
    picture = plot.grab().toImage()
    height = picture.height() // 2
    coloured = [
        [
            x
            for x in range(picture.width())
            if picture.pixelColor(x, row * height + height // 2).name()
            == current_theme().accent.lower()
        ]
        for row in (0, 1)
    ]
    assert min(coloured[0]) > max(
        coloured[1]
    )  # the first is entirely right of 0, the second entirely left of it
    assert abs((max(coloured[0]) - min(coloured[0])) - (max(coloured[1]) - min(coloured[1]))) <= 2
