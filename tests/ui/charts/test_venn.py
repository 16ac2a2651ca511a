"""Tests of Venn diagrams whose areas are proportional to the sizes of the sets."""

import math

import pytest
from PySide6.QtCore import QPointF
from PySide6.QtGui import QPainterPath
from pytestqt.qtbot import QtBot

from irjudge_ui.charts import Venn
from irjudge_ui.charts.ranking_comparison import circle_distance


@pytest.mark.parametrize(
    ("first", "second", "shared"),
    [(1.0, 1.0, 1.0), (1.0, 2.0, 0.5), (2.0, 1.5, 3.0), (1.0, 1.0, 3.1)],
)
def test_the_shared_area_is_as_requested(first: float, second: float, shared: float) -> None:
    apart = circle_distance(first, second, shared)
    one, two = QPainterPath(), QPainterPath()
    one.addEllipse(QPointF(0, 0), 1000 * first, 1000 * first)
    two.addEllipse(QPointF(1000 * apart, 0), 1000 * second, 1000 * second)
    points = one.intersected(two).toFillPolygon()
    area = (
        abs(
            sum(
                points[index].x() * points[index - 1].y()
                - points[index - 1].x() * points[index].y()
                for index in range(len(points))
            )
        )
        / 2
    )
    assert area / 1e6 == pytest.approx(shared, rel=0.01)  # Qt's circles are approximated by curves


def test_disjoint_circles_touch_and_a_contained_circle_touches_the_edge_of_the_other() -> None:
    assert (
        circle_distance(1.0, 2.0, 0.0) == 3.0
        and circle_distance(1.0, 2.0, math.pi) == 1.0
        and circle_distance(1.0, 1.0, math.pi) == 0.0
    )


@pytest.mark.parametrize(
    "counts", [(0, 0, 0), (5, 0, 0), (0, 3, 4), (0, 3, 0), (9, 1, 1), (2, 0, 8)]
)
def test_every_kind_of_overlap_is_drawn(qtbot: QtBot, counts: tuple[int, int, int]) -> None:
    venn = Venn("Documents")
    qtbot.addWidget(venn)
    venn.show_counts(*counts, "In words")
    assert not venn.grab().isNull() and venn.accessibleDescription() == "In words"
