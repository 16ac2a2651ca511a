"""Tests of grade chips: coloured by grade, hatched while unjudged."""

import pytest
from PySide6.QtCore import QRectF
from PySide6.QtGui import QColor, QImage, QPainter
from pytestqt.qtbot import QtBot

from irjudge_ui.widgets import draw_chip
from irjudge_ui.widgets.theme import LIGHT


def render_chip(mark: str, level: tuple[int, int] | None) -> QImage:
    image = QImage(60, 30, QImage.Format.Format_RGB32)
    image.fill(QColor("#FF00FF"))
    painter = QPainter(image)
    draw_chip(painter, QRectF(4, 4, 50, 22), mark, level)
    painter.end()
    return image


@pytest.mark.parametrize("position", [0, 1, 2, 3])
def test_a_grade_has_its_colour(qtbot: QtBot, position: int) -> None:
    assert render_chip(str(position), (position, 3)).pixelColor(9, 15) == LIGHT.grade(position, 3)


def test_an_unjudged_chip_is_hatched_and_never_looks_like_grade_0(qtbot: QtBot) -> None:
    hatched = render_chip("", None)
    inside = {hatched.pixelColor(x, 15).name() for x in range(8, 50)}
    assert QColor(LIGHT.quiet).name() in inside and len(inside) > 1
    assert hatched != render_chip("0", (0, 3))
