"""Tests of the matrix plot: each number is shown in full, missing values are hatched."""

from collections.abc import Iterator

import numpy as np
import pytest
from PySide6.QtCore import QEvent, QPoint, Qt
from PySide6.QtGui import QMouseEvent
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QToolTip
from pytestqt.qtbot import QtBot

from irjudge_ui.charts import DriftPlot, Matrix, MatrixArea, MatrixPlot

NAMES = ("ann", "bob", "a name that is much longer than a cell")
VALUES = np.array([[np.nan, 0.5, -0.25], [0.5, np.nan, 1.0], [-0.25, 1.0, np.nan]])


@pytest.fixture
def plot(qtbot: QtBot) -> Iterator[MatrixPlot]:
    made = MatrixPlot("Agreement")
    area = MatrixArea(made, "Agreement")
    qtbot.addWidget(area)
    made.show_matrix(Matrix(NAMES, NAMES, VALUES))
    area.show()
    yield made
    area.close()


def test_numbers_have_accessible_text_and_missing_values_have_none(plot: MatrixPlot) -> None:
    descriptions = plot.accessibleDescription().split("; ")
    assert (
        descriptions[:2] == ["ann, bob: 0.50", f"ann, {NAMES[2]}: −0.25"] and len(descriptions) == 6
    )


def test_every_cell_has_room_for_its_number_and_the_plot_for_every_cell(plot: MatrixPlot) -> None:
    metrics = plot.fontMetrics()
    last = plot._cell_rect(2, 2)
    assert last.width() >= metrics.horizontalAdvance("−0.25") and last.height() >= metrics.height()
    assert plot.width() >= last.right() and plot.height() >= last.bottom()
    before = plot.size()
    plot.show_matrix(Matrix(NAMES[:2], NAMES[:2], VALUES[:2, :2]))
    assert plot.width() < before.width() and plot.height() < before.height()


def test_shades_grow_with_values_and_missing_values_have_none(plot: MatrixPlot) -> None:
    image = plot.grab().toImage()

    def shade(row: int, column: int) -> int:
        corner = plot._cell_rect(row, column).topLeft().toPoint() + QPoint(3, 3)
        return image.pixelColor(corner).lightness()

    assert shade(1, 2) < shade(0, 1) < shade(0, 2)
    hatched = {
        image.pixelColor(plot._cell_rect(0, 0).topLeft().toPoint() + QPoint(x, 8)).name()
        for x in range(2, 20)
    }
    assert len(hatched) > 1, "hatched"


@pytest.mark.parametrize(
    ("row", "column", "text"), [(1, 2, f"bob / {NAMES[2]}: 1.00"), (0, 0, "ann / ann: –")]
)
def test_the_cell_under_the_mouse_is_named_in_full(
    plot: MatrixPlot, qtbot: QtBot, row: int, column: int, text: str
) -> None:
    QTest.mouseMove(plot, plot._cell_rect(row, column).center().toPoint())
    qtbot.waitUntil(lambda: text in QToolTip.text())
    QToolTip.hideText()
    qtbot.waitUntil(lambda: not QToolTip.isVisible())


@pytest.mark.parametrize("side", [QPoint(-1, 0), QPoint(0, -1)], ids=["row", "column"])
def test_over_a_name_no_cell_is_named(
    plot: MatrixPlot, monkeypatch: pytest.MonkeyPatch, side: QPoint
) -> None:
    shown: list[str] = []
    monkeypatch.setattr(QToolTip, "showText", lambda at, text, widget: shown.append(text))
    first = plot._cell_rect(0, 0)
    name = first.translated(side.x() * first.width(), side.y() * first.height())
    for area in (first, name):
        move = QMouseEvent(
            QEvent.Type.MouseMove,
            area.center(),
            plot.mapToGlobal(area.center()),
            Qt.MouseButton.NoButton,
            Qt.MouseButton.NoButton,
            Qt.KeyboardModifier.NoModifier,
        )
        QApplication.sendEvent(plot, move)
    assert shown == ["ann / ann: –", ""]


def test_counts_have_no_decimals_and_rows_and_columns_have_titles(plot: MatrixPlot) -> None:
    plot.show_matrix(
        Matrix(
            ("0", "1"),
            ("0", "1"),
            np.array([[7.0, 0.0], [2.0, 9.0]]),
            9.0,
            0,
            "known answer",
            "given",
        )
    )
    assert plot.accessibleDescription() == "0, 0: 7; 0, 1: 0; 1, 0: 2; 1, 1: 9"
    assert plot._origin.x() > plot.fontMetrics().height() and not plot.grab().isNull()


def test_a_plot_of_parts_states_their_shares_and_missing_parts(qtbot: QtBot) -> None:
    made = DriftPlot("Agreement over time")
    qtbot.addWidget(made)
    made.show_parts(
        ("first", "middle", "last"), (0.9, float("nan"), 0.25), (0.5, 0.5, 0.5), ("ann", "all")
    )
    assert made.accessibleDescription() == "first: 90 %, middle: –, last: 25 %"
    assert not made.grab().isNull()
