"""Tests of the topic plot: a dot per run while runs are few, a range when they are many."""

import numpy as np
import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QColor, QImage
from PySide6.QtTest import QTest
from pytestqt.qtbot import QtBot

from irjudge_ui.charts import TopicPlot, compute_spans
from irjudge_ui.charts.topics import MAX_RUNS
from irjudge_ui.widgets.theme import LIGHT


def test_ranges_are_lowest_median_and_highest_of_the_known_values() -> None:
    nan = float("nan")
    values = np.array([[0.1, nan, nan], [0.3, 0.5, nan], [0.2, 0.1, nan], [0.9, nan, nan]])
    assert compute_spans(values) == pytest.approx(
        np.array([[0.1, 0.25, 0.9], [0.1, 0.3, 0.5], [0, 0, 0]])
    )
    assert compute_spans(values[:3, :1])[0].tolist() == [0.1, 0.2, 0.3]


def count_dots(plot: TopicPlot, colour: str) -> int:
    image: QImage = plot.grab().toImage()
    wanted = QColor(colour)
    return sum(
        image.pixelColor(x, y) == wanted
        for x in range(image.width())
        for y in range(image.height())
    )


def test_many_runs_are_a_range_per_topic_and_the_selected_run_keeps_its_dots(
    qtbot: QtBot,
) -> None:
    plot = TopicPlot("Values")
    qtbot.addWidget(plot)
    plot.resize(480, 260)
    values = np.random.default_rng(0).random((MAX_RUNS + 1, 5))
    names, topics = [f"run{index}" for index in range(len(values))], list("abcde")
    plot.show_values(names[:-1], topics, values[:-1], 0)
    few, accent = count_dots(plot, LIGHT.quiet), count_dots(plot, LIGHT.accent)
    plot.show_values(names, topics, values, 0)
    assert count_dots(plot, LIGHT.quiet) < few / 2 and count_dots(plot, LIGHT.accent) >= accent > 0


@pytest.mark.parametrize("runs", [0, 1, MAX_RUNS + 1])
def test_a_plot_without_data_is_empty(qtbot: QtBot, runs: int) -> None:
    plot = TopicPlot("Values")
    qtbot.addWidget(plot)
    plot.show_values([f"run{index}" for index in range(runs)], [], np.empty((runs, 0)), 0)
    assert not plot.grab().isNull()


def test_a_click_on_a_dot_reports_its_run_and_topic_and_a_click_elsewhere_nothing(
    qtbot: QtBot,
) -> None:
    plot = TopicPlot("Values")
    qtbot.addWidget(plot)
    plot.resize(480, 260)
    plot.show_values(["bm25", "ql"], ["a", "b"], np.array([[0.2, 0.9], [0.8, 0.9]]), 1)
    picked: list[tuple[str, str]] = []
    plot.picked.connect(lambda run, topic: picked.append((run, topic)))
    frame = plot._frame()
    for run, position, value in (
        ("bm25", 1, 0.2),
        ("ql", 1, 0.8),
        ("ql", 0, 0.9),
    ):  # topics are at their mean; the selected run is drawn last
        QTest.mouseClick(
            plot, Qt.MouseButton.LeftButton, pos=plot._point(frame, position, value).toPoint()
        )
        assert picked.pop() == (run, "ba"[position])
    QTest.mouseClick(plot, Qt.MouseButton.LeftButton, pos=plot._point(frame, 1, 0.5).toPoint())
    QTest.mouseClick(plot, Qt.MouseButton.RightButton, pos=plot._point(frame, 1, 0.8).toPoint())
    assert picked == []


@pytest.mark.parametrize(("rising", "order"), [(False, "cabd"), (True, "bacd")])
def test_topics_are_ordered_by_the_mean_of_the_runs_that_have_them(
    qtbot: QtBot, rising: bool, order: str
) -> None:
    """Means: .5, .4 and .9 (one run lacks topic c); no run has topic d."""
    plot = TopicPlot("Values")
    qtbot.addWidget(plot)
    values = np.array([[0.5, 0.4, 0.9, np.nan], [0.5, 0.4, np.nan, np.nan]])
    plot.show_values(["x", "y"], list("abcd"), values, 0, rising=rising)
    assert plot._topics == tuple(order)
