"""Tests of the layout checks: each detects a deliberate error, and a correct page passes."""

import pytest
from PySide6.QtWidgets import QLabel, QPushButton, QVBoxLayout, QWidget
from pytestqt.qtbot import QtBot

from irjudge_ui.widgets import column, make_label, make_scroll_area, row
from irjudge_ui.widgets.grades import GradeButton
from irjudge_ui.widgets.theme import LIGHT
from tests.ui.layout_checks import find_cut_texts, find_low_contrast, find_overlaps

WORDS = "With a grade"
PALE = LIGHT.line  # a colour of lines, too pale for text


@pytest.fixture
def page(qtbot: QtBot) -> QWidget:
    """An empty page in the colours of the window."""
    made = QWidget()
    made.setObjectName("page")
    made.setStyleSheet(f"QWidget {{ background: {LIGHT.surface}; color: {LIGHT.text}; }}")
    made.resize(400, 300)
    qtbot.addWidget(made)
    return made


def place_widget(page: QWidget, part: QLabel | QPushButton, x: int, y: int) -> QWidget:
    part.setParent(page)
    part.adjustSize()
    part.move(x, y)
    return part


def find_problems(page: QWidget, qtbot: QtBot) -> tuple[list[str], list[str], list[str]]:
    page.show()
    qtbot.waitExposed(page)
    return find_cut_texts(page), find_overlaps(page), find_low_contrast(page)


def test_a_correct_page_passes(page: QWidget, qtbot: QtBot) -> None:
    page.setLayout(
        column(
            make_label(WORDS),
            make_label(WORDS * 9),
            row(QPushButton("Build pool"), QPushButton("Judge")),
            None,
        )
    )
    assert find_problems(page, qtbot) == ([], [], [])


@pytest.mark.parametrize("kind", [QLabel, QPushButton])
def test_text_in_a_too_narrow_label_is_detected(
    page: QWidget, qtbot: QtBot, kind: type[QLabel | QPushButton]
) -> None:
    part = place_widget(page, kind(WORDS), 10, 10)
    part.resize(part.fontMetrics().horizontalAdvance(WORDS) - 2, part.height())
    cut, *_ = find_problems(page, qtbot)
    assert len(cut) == 1
    assert WORDS in cut[0]


def test_text_in_a_too_low_label_is_detected(page: QWidget, qtbot: QtBot) -> None:
    low = make_label(WORDS * 5)
    low.setParent(page)
    low.setGeometry(10, 10, 200, low.heightForWidth(200) - 3)
    assert len(find_problems(page, qtbot)[0]) == 1


def test_a_button_that_is_too_low_is_detected_also_without_text(
    page: QWidget, qtbot: QtBot
) -> None:
    grade, plain = GradeButton(2, "Relevant", 1, 2), QPushButton("Judge")
    for index, made in enumerate((grade, plain)):
        made.setParent(page)
        made.setGeometry(10, 10 + 60 * index, 150, made.minimumSizeHint().height() - 4)
    cut, *_ = find_problems(page, qtbot)
    assert len(cut) == 2 and "Grade 2: Relevant" in cut[0]


def test_text_beyond_the_window_is_detected(page: QWidget, qtbot: QtBot) -> None:
    right = place_widget(page, QLabel(WORDS), 0, 10)
    right.move(page.width() - right.width() + 2, 10)
    below = place_widget(page, QPushButton(WORDS), 10, 0)
    below.move(10, page.height() - below.height() + 2)
    assert len(find_problems(page, qtbot)[0]) == 2


def test_text_beyond_the_right_edge_of_a_scrolling_page_is_detected_but_not_below_it(
    page: QWidget, qtbot: QtBot
) -> None:
    inside = QWidget()
    inside.setMinimumSize(600, 900)
    beyond = place_widget(inside, QLabel(WORDS), 500, 10)
    below = place_widget(inside, QLabel("further down"), 10, 800)
    box = QVBoxLayout(page)
    box.addWidget(make_scroll_area(inside))
    cut, *_ = find_problems(page, qtbot)
    assert [beyond.text() in each for each in cut] == [True]
    assert below.isVisible()


def test_overlapping_widgets_are_detected(page: QWidget, qtbot: QtBot) -> None:
    place_widget(page, QLabel(WORDS), 10, 10)
    place_widget(page, QPushButton("Build pool"), 40, 14)
    place_widget(page, QPushButton("Judge"), 200, 150)
    _, upon, _ = find_problems(page, qtbot)
    assert len(upon) == 1
    assert WORDS in upon[0] and "Build pool" in upon[0]


@pytest.mark.parametrize(("colour", "count"), [(PALE, 1), ("#868686", 1), ("#6F6F6F", 0)])
def test_text_with_too_little_contrast_is_detected(
    page: QWidget, qtbot: QtBot, colour: str, count: int
) -> None:
    pale = place_widget(page, QLabel(WORDS), 10, 10)
    pale.setStyleSheet(f"color: {colour}")
    *_, faint_words = find_problems(page, qtbot)
    assert len(faint_words) == count, faint_words


def test_a_disabled_button_may_have_little_contrast(page: QWidget, qtbot: QtBot) -> None:
    pale = place_widget(page, QPushButton(WORDS), 10, 10)
    pale.setStyleSheet(f"color: {PALE}; border: 0")
    pale.setEnabled(False)
    assert find_problems(page, qtbot)[2] == []
    pale.setEnabled(True)
    assert len(find_low_contrast(page)) == 1
