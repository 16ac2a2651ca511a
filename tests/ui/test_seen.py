"""The eye of the tests finds what it looks for: each fault is made on purpose, and a page without any passes."""

import pytest
from PySide6.QtWidgets import QLabel, QPushButton, QVBoxLayout, QWidget
from pytestqt.qtbot import QtBot

from irjudge_ui.widgets import column, make_label, row, scrolling
from irjudge_ui.widgets.grades import GradeButton
from irjudge_ui.widgets.theme import LIGHT
from tests.ui.seen import cut_words, faint, overlapping

WORDS = "With a grade"
HALF = LIGHT.line  # a colour of lines, too pale for words


@pytest.fixture
def page(qtbot: QtBot) -> QWidget:
    """An empty page in the colours of the window."""
    made = QWidget()
    made.setObjectName("page")
    made.setStyleSheet(f"QWidget {{ background: {LIGHT.surface}; color: {LIGHT.text}; }}")
    made.resize(400, 300)
    qtbot.addWidget(made)
    return made


def placed(page: QWidget, part: QLabel | QPushButton, x: int, y: int) -> QWidget:
    part.setParent(page)
    part.adjustSize()
    part.move(x, y)
    return part


def looked_at(page: QWidget, qtbot: QtBot) -> tuple[list[str], list[str], list[str]]:
    page.show()
    qtbot.waitExposed(page)
    return cut_words(page), overlapping(page), faint(page)


def test_a_page_on_which_all_is_well_passes(page: QWidget, qtbot: QtBot) -> None:
    page.setLayout(
        column(
            make_label(WORDS),
            make_label(WORDS * 9),
            row(QPushButton("Build pool"), QPushButton("Judge")),
            None,
        )
    )
    assert looked_at(page, qtbot) == ([], [], [])


@pytest.mark.parametrize("kind", [QLabel, QPushButton])
def test_words_in_too_narrow_a_place_are_seen(
    page: QWidget, qtbot: QtBot, kind: type[QLabel | QPushButton]
) -> None:
    part = placed(page, kind(WORDS), 10, 10)
    part.resize(part.fontMetrics().horizontalAdvance(WORDS) - 2, part.height())
    cut, *_ = looked_at(page, qtbot)
    assert len(cut) == 1
    assert WORDS in cut[0]


def test_words_in_too_low_a_place_are_seen(page: QWidget, qtbot: QtBot) -> None:
    low = make_label(WORDS * 5)
    low.setParent(page)
    low.setGeometry(10, 10, 200, low.heightForWidth(200) - 3)
    assert len(looked_at(page, qtbot)[0]) == 1


def test_a_button_too_low_for_its_words_is_seen_without_a_text_of_its_own_too(
    page: QWidget, qtbot: QtBot
) -> None:
    grade, plain = GradeButton(2, "Relevant", 1, 2), QPushButton("Judge")
    for place, made in enumerate((grade, plain)):
        made.setParent(page)
        made.setGeometry(10, 10 + 60 * place, 150, made.minimumSizeHint().height() - 4)
    cut, *_ = looked_at(page, qtbot)
    assert len(cut) == 2 and "Grade 2: Relevant" in cut[0]


def test_words_that_leave_the_window_are_seen(page: QWidget, qtbot: QtBot) -> None:
    right = placed(page, QLabel(WORDS), 0, 10)
    right.move(page.width() - right.width() + 2, 10)
    below = placed(page, QPushButton(WORDS), 10, 0)
    below.move(10, page.height() - below.height() + 2)
    assert len(looked_at(page, qtbot)[0]) == 2


def test_words_beyond_the_edge_of_a_page_that_scrolls_are_seen_and_those_further_down_are_not(
    page: QWidget, qtbot: QtBot
) -> None:
    inside = QWidget()
    inside.setMinimumSize(600, 900)
    beyond = placed(inside, QLabel(WORDS), 500, 10)
    below = placed(inside, QLabel("further down"), 10, 800)
    box = QVBoxLayout(page)
    box.addWidget(scrolling(inside))
    cut, *_ = looked_at(page, qtbot)
    assert [beyond.text() in each for each in cut] == [True]
    assert below.isVisible()


def test_parts_one_upon_another_are_seen(page: QWidget, qtbot: QtBot) -> None:
    placed(page, QLabel(WORDS), 10, 10)
    placed(page, QPushButton("Build pool"), 40, 14)
    placed(page, QPushButton("Judge"), 200, 150)
    _, upon, _ = looked_at(page, qtbot)
    assert len(upon) == 1
    assert WORDS in upon[0] and "Build pool" in upon[0]


@pytest.mark.parametrize(("colour", "count"), [(HALF, 1), ("#868686", 1), ("#6F6F6F", 0)])
def test_words_too_pale_for_their_ground_are_seen(
    page: QWidget, qtbot: QtBot, colour: str, count: int
) -> None:
    pale = placed(page, QLabel(WORDS), 10, 10)
    pale.setStyleSheet(f"color: {colour}")
    *_, faint_words = looked_at(page, qtbot)
    assert len(faint_words) == count, faint_words


def test_a_button_that_cannot_be_pressed_now_may_be_pale(page: QWidget, qtbot: QtBot) -> None:
    pale = placed(page, QPushButton(WORDS), 10, 10)
    pale.setStyleSheet(f"color: {HALF}; border: 0")
    pale.setEnabled(False)
    assert looked_at(page, qtbot)[2] == []
    pale.setEnabled(True)
    assert len(faint(page)) == 1
