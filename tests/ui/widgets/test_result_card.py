"""The card of a result: words that run from right to left have their rank at the right."""

from PySide6.QtGui import QImage
from PySide6.QtWidgets import QWidget
from pytestqt.qtbot import QtBot

from irjudge_ui.widgets import CardContent, ResultCard

SIZE = (400, 60)


def inked(card: ResultCard, left: int, right: int) -> bool:
    """Tell whether something is drawn between two places, inside of the card's line."""
    image = card.grab().toImage().convertToFormat(QImage.Format.Format_Grayscale8)
    scale = image.width() / card.width()
    paper = image.pixelColor(image.width() // 2, image.height() - 6).value()
    columns, rows = range(int(left * scale), int(right * scale)), range(6, int(30 * scale))
    return any(abs(image.pixelColor(x, y).value() - paper) > 60 for x in columns for y in rows)


def card_of(around: QWidget, title: str) -> ResultCard:
    card = ResultCard(around)
    card.resize(*SIZE)
    card.show_result(CardContent(7, title, ""))
    return card


def test_the_rank_stands_where_the_words_begin(qtbot: QtBot) -> None:
    around = QWidget()
    qtbot.addWidget(around)
    hebrew, english = card_of(around, "\u05e9\u05dc\u05d5\u05dd"), card_of(around, "hello")
    assert hebrew.is_mirrored and not english.is_mirrored
    assert inked(english, 8, 24) and not inked(english, 376, 392)
    assert inked(hebrew, 376, 392) and not inked(hebrew, 8, 24)


def test_what_has_no_room_ends_with_dots_at_every_width(qtbot: QtBot) -> None:
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


def test_a_picture_has_its_place_before_it_comes_and_stands_where_words_end(qtbot: QtBot) -> None:
    around, red = QWidget(), QImage(300, 200, QImage.Format.Format_RGB32)
    qtbot.addWidget(around)
    red.fill(0xFFFF0000)
    for title, left, right in (("hello", 340, 380), ("\u05e9\u05dc\u05d5\u05dd", 20, 60)):
        card = ResultCard(around)
        card.show_result(CardContent(1, title, "", metadata="12 · Nordwind", pictured=True))
        height = card.height_for(SIZE[0])
        card.resize(SIZE[0], height)
        assert not card.has_picture and not inked(card, left, right)
        card.show_picture(red)
        assert card.has_picture and inked(card, left, right) and card.height_for(SIZE[0]) == height
        card.show_result(CardContent(1, title, ""))
        assert not card.has_picture, "nothing of it stays for the next result"
