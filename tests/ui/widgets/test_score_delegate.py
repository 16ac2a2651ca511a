"""Tests of numbers on a colour scale: contrast, lightness, and the signs drawn with them."""

import pytest
from PySide6.QtCore import QRect
from PySide6.QtGui import QColor, QImage, QPainter
from PySide6.QtWidgets import QStyledItemDelegate, QStyleOptionViewItem, QTableView
from pytestqt.qtbot import QtBot

from irjudge_ui.models import Column, ScoreColumn, ScoreModel
from irjudge_ui.widgets import SECOND_LINE_ROLE, SIGN_ROLE, ScoreDelegate, Theme, heat_colour
from irjudge_ui.widgets.theme import LIGHT, THEMES, contrast

SHARES = [place / 10 for place in range(11)]


@pytest.mark.parametrize("theme", THEMES.values(), ids=lambda theme: theme.name)
def test_text_is_readable_on_every_colour_of_the_scale(theme: Theme) -> None:
    least = min(contrast(QColor(theme.text), heat_colour(theme, share)) for share in SHARES)
    assert least >= (7 if theme.strong else 4.5)


@pytest.mark.parametrize("theme", THEMES.values(), ids=lambda theme: theme.name)
def test_the_lightness_of_the_scale_is_monotonic_and_its_ends_differ_much(theme: Theme) -> None:
    lights = [heat_colour(theme, share).lightnessF() for share in SHARES]
    assert lights == sorted(lights, reverse=not theme.dark)
    assert contrast(heat_colour(theme, 0), heat_colour(theme, 1)) >= 1.2


def draw_cell(model: ScoreModel, row: int, column: int) -> QImage:
    image = QImage(160, 60, QImage.Format.Format_RGB32)
    image.fill(QColor("#FFFFFF"))
    option = QStyleOptionViewItem()
    option.rect = QRect(0, 0, 160, 60)
    painter = QPainter(image)
    ScoreDelegate().paint(painter, option, model.index(row, column))
    painter.end()
    return image


@pytest.fixture
def model(qtbot: QtBot) -> ScoreModel:
    made = ScoreModel()
    columns = [
        Column("Run", lambda row: row[0]),
        ScoreColumn("AP", lambda row: row[1], "{:.2f}".format, number=True, best=True),
    ]
    made.fill([("a", 0.1), ("b", 0.9), ("c", 0.9)], columns)
    return made


def test_a_number_is_drawn_on_its_colour(model: ScoreModel) -> None:
    assert draw_cell(model, 1, 1).pixelColor(3, 3) == heat_colour(LIGHT, 1)
    assert draw_cell(model, 0, 1).pixelColor(3, 3) == heat_colour(LIGHT, 0)


def test_signs_and_second_lines_are_drawn_in_their_cells(model: ScoreModel) -> None:
    plain = draw_cell(model, 1, 1)
    for role in (SIGN_ROLE, SECOND_LINE_ROLE):
        model.set_annotations(role, {(1, 1): "≈"})
        assert draw_cell(model, 1, 1) != plain
        assert draw_cell(model, 2, 1) == plain, "the same number without a sign"
        model.set_annotations(role, {})
    assert draw_cell(model, 1, 1) == plain


def test_text_is_drawn_as_in_every_table(model: ScoreModel, qtbot: QtBot) -> None:
    table = QTableView()
    qtbot.addWidget(table)
    table.setModel(model)
    table.grab()  # lays it out
    cell, drawn_by = table.visualRect(model.index(0, 0)), []
    for delegate in (ScoreDelegate(table), QStyledItemDelegate(table)):
        table.setItemDelegate(delegate)
        drawn_by.append(
            table.viewport().grab(cell).toImage().convertToFormat(QImage.Format.Format_RGB32)
        )
    assert drawn_by[0] == drawn_by[1]
