"""Numbers on a colour scale: readable in every theme, told by lightness alone, drawn with what stands around them."""

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
def test_words_can_be_read_on_every_colour_of_the_scale(theme: Theme) -> None:
    least = min(contrast(QColor(theme.text), heat_colour(theme, share)) for share in SHARES)
    assert least >= (7 if theme.strong else 4.5)


@pytest.mark.parametrize("theme", THEMES.values(), ids=lambda theme: theme.name)
def test_the_scale_goes_one_way_in_lightness_and_ends_far_from_its_beginning(theme: Theme) -> None:
    lights = [heat_colour(theme, share).lightnessF() for share in SHARES]
    assert lights == sorted(lights, reverse=not theme.dark)
    assert contrast(heat_colour(theme, 0), heat_colour(theme, 1)) >= 1.2


def drawn(model: ScoreModel, row: int, column: int) -> QImage:
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


def test_a_number_stands_on_its_colour(model: ScoreModel) -> None:
    assert drawn(model, 1, 1).pixelColor(3, 3) == heat_colour(LIGHT, 1)
    assert drawn(model, 0, 1).pixelColor(3, 3) == heat_colour(LIGHT, 0)


def test_signs_and_lines_below_are_drawn_for_the_cells_they_were_told_of(model: ScoreModel) -> None:
    plain = drawn(model, 1, 1)
    for role in (SIGN_ROLE, SECOND_LINE_ROLE):
        model.set_annotations(role, {(1, 1): "≈"})
        assert drawn(model, 1, 1) != plain
        assert drawn(model, 2, 1) == plain, "the same number without a sign"
        model.set_annotations(role, {})
    assert drawn(model, 1, 1) == plain


def test_words_are_drawn_as_in_every_table(model: ScoreModel, qtbot: QtBot) -> None:
    table = QTableView()
    qtbot.addWidget(table)
    table.setModel(model)
    table.grab()  # which lays it out
    cell, drawn_by = table.visualRect(model.index(0, 0)), []
    for delegate in (ScoreDelegate(table), QStyledItemDelegate(table)):
        table.setItemDelegate(delegate)
        drawn_by.append(
            table.viewport().grab(cell).toImage().convertToFormat(QImage.Format.Format_RGB32)
        )
    assert drawn_by[0] == drawn_by[1]
