"""Tests of result cards: the rank of right-to-left text is at the right."""

from PySide6.QtGui import QImage
from PySide6.QtWidgets import QWidget
from pytestqt.qtbot import QtBot

from irjudge_ui.widgets import CardContent, ResultCard

SIZE = (400, 60)


def has_ink(card: ResultCard, left: int, right: int) -> bool:
    """Return whether something is drawn inside the card's border between two x positions."""
    image = card.grab().toImage().convertToFormat(QImage.Format.Format_Grayscale8)
    scale = image.width() / card.width()
    paper = image.pixelColor(image.width() // 2, image.height() - 6).value()
    columns, rows = range(int(left * scale), int(right * scale)), range(6, int(30 * scale))
    return any(abs(image.pixelColor(x, y).value() - paper) > 60 for x in columns for y in rows)


def make_card(around: QWidget, title: str) -> ResultCard:
    card = ResultCard(around)
    card.resize(*SIZE)
    card.show_result(CardContent(7, title, ""))
    return card


def test_the_rank_is_where_the_text_begins(qtbot: QtBot) -> None:
    around = QWidget()
    qtbot.addWidget(around)
    hebrew, english = make_card(around, "\u05e9\u05dc\u05d5\u05dd"), make_card(around, "hello")
    assert hebrew.is_mirrored and not english.is_mirrored
    assert has_ink(english, 8, 24) and not has_ink(english, 376, 392)
    assert has_ink(hebrew, 376, 392) and not has_ink(hebrew, 8, 24)


def test_text_without_room_is_elided_at_every_width(qtbot: QtBot) -> None:
    around = QWidget()
    qtbot.addWidget(around)
    card = ResultCard(around)
    card.show_result(
        CardContent(
            1,
            "Seven knots",
            "Knot. What for. How to tie it, in one line. Bowline: a loop that does not slip. Small loop, "
            * 2,
        )
    )
    for width in range(180, 520):
        layout = card.height_for(width) and card._text
        line = layout.lineAt(layout.lineCount() - 1)
        assert line.textStart() + line.textLength() == len(
            layout.text()
        ) and layout.text().endswith("…"), width


def test_room_for_an_image_is_reserved_where_the_text_ends(qtbot: QtBot) -> None:
    around, red = QWidget(), QImage(300, 200, QImage.Format.Format_RGB32)
    qtbot.addWidget(around)
    red.fill(0xFFFF0000)
    for title, left, right in (("hello", 340, 380), ("\u05e9\u05dc\u05d5\u05dd", 20, 60)):
        card = ResultCard(around)
        card.show_result(CardContent(1, title, "", metadata="12 · Nordwind", pictured=True))
        height = card.height_for(SIZE[0])
        card.resize(SIZE[0], height)
        assert not card.has_picture and not has_ink(card, left, right)
        card.show_picture(red)
        assert (
            card.has_picture and has_ink(card, left, right) and card.height_for(SIZE[0]) == height
        )
        card.show_result(CardContent(1, title, ""))
        assert not card.has_picture, "nothing of it stays for the next result"
