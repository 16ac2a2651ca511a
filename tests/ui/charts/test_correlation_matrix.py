"""Tests of the correlation matrix: selection by key and mouse, contrast, accessible text."""

from collections.abc import Callable

import numpy as np
import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from pytestqt.qtbot import QtBot

from irjudge_ui.charts import CorrelationMatrix, Matrix
from irjudge_ui.charts.matrix import correlation_colour
from irjudge_ui.widgets import Theme, choose_text_colour
from irjudge_ui.widgets.theme import THEMES, contrast

NAMES = ("AP", "P@10", "RR")
VALUES = np.array([[1.0, 0.5, -0.25], [0.5, 1.0, 0.0], [-0.25, 0.0, 1.0]])


@pytest.fixture
def matrix(qtbot: QtBot) -> CorrelationMatrix:
    made = CorrelationMatrix("Correlations")
    qtbot.addWidget(made)
    made.show_matrix(Matrix(NAMES, NAMES, VALUES))
    made.resize(made.sizeHint())
    made.show()
    return made


def test_the_first_pair_is_selected_and_arrow_keys_move_to_the_edge(
    matrix: CorrelationMatrix,
) -> None:
    selections: list[tuple[int, int]] = []
    matrix.chosen.connect(lambda row, column: selections.append((row, column)))
    assert matrix.cell() == (0, 1)
    for key in (
        Qt.Key.Key_Right,
        Qt.Key.Key_Right,
        Qt.Key.Key_Down,
        Qt.Key.Key_Left,
        Qt.Key.Key_Up,
        Qt.Key.Key_Up,
    ):
        QTest.keyClick(matrix, key)
    assert selections == [(0, 2), (1, 2), (1, 1), (0, 1)] and matrix.cell() == (0, 1)
    assert matrix.accessibleDescription() == "AP, P@10: 0.50"


def test_a_click_selects_the_cell_under_it(matrix: CorrelationMatrix, qtbot: QtBot) -> None:
    with qtbot.waitSignal(matrix.chosen):
        qtbot.mouseClick(
            matrix, Qt.MouseButton.LeftButton, pos=matrix._cell_rect(2, 0).center().toPoint()
        )
    assert matrix.cell() == (2, 0) and matrix.accessibleDescription() == "RR, AP: −0.25"
    qtbot.mouseClick(
        matrix, Qt.MouseButton.LeftButton, pos=matrix._cell_rect(-1, -1).center().toPoint()
    )
    assert matrix.cell() == (2, 0), "the corner is no cell"


def test_every_cell_has_the_colour_of_its_value(
    matrix: CorrelationMatrix, set_look: Callable[[Theme, float], None]
) -> None:
    picture = matrix.grab().toImage()
    scale = picture.width() / matrix.width()
    for row, column in ((0, 1), (2, 0), (1, 2)):
        corner = matrix._cell_rect(row, column).topLeft()
        seen = picture.pixelColor(round((corner.x() + 5) * scale), round((corner.y() + 5) * scale))
        assert seen.name() == correlation_colour(float(VALUES[row, column]), THEMES["light"]).name()


@pytest.mark.parametrize("theme", THEMES.values(), ids=lambda theme: theme.name)
def test_numbers_are_readable_on_every_colour_and_opposite_signs_differ_in_lightness(
    theme: Theme,
) -> None:
    colours = [correlation_colour(value, theme) for value in np.linspace(-1, 1, 41)]
    assert min(contrast(choose_text_colour(each), each) for each in colours) >= 4.5
    blue, orange = colours[-1], colours[0]
    assert (
        blue.blue() - blue.red() > 0 > orange.blue() - orange.red()
    )  # lightness, which every kind of colour blindness leaves intact
    assert all(contrast(colours[20], end) > 1.5 for end in (blue, orange))


def test_a_matrix_without_names_draws_nothing(qtbot: QtBot) -> None:
    made = CorrelationMatrix("Correlations")
    qtbot.addWidget(made)
    made.show_matrix(Matrix((), (), np.empty((0, 0))))
    made.choose(0, 0)
    assert not made.grab().isNull() and made.cell() == (0, 0)
