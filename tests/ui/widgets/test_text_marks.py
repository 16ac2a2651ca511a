"""Tests of marks in a text, and of moving from one to the next."""

import time

import pytest
from PySide6.QtGui import QTextCursor
from PySide6.QtWidgets import QTextEdit
from pytestqt.qtbot import QtBot

from irjudge_ui.widgets import TextMarks, is_in_view, next_span, scroll_to, search_start, show_span
from irjudge_ui.widgets.text_marks import MAX_BLOCK_MARKS, first_visible_position

LINES = "line of text\n" * 300


@pytest.fixture
def view(qtbot: QtBot) -> QTextEdit:
    made = QTextEdit()
    qtbot.addWidget(made)
    made.resize(300, 200)
    made.setPlainText(LINES)
    made.show()
    qtbot.waitExposed(made)
    return made


def test_both_kinds_of_marks_are_shown_together_and_look_different(view: QTextEdit) -> None:
    marks = TextMarks(view)
    marks.mark_hits([(0, 4), (13, 17)])
    marks.mark_matches([(1, 3)])
    selections = view.extraSelections()
    assert [each.cursor.selectedText() for each in selections] == ["line", "line", "in"]
    assert selections[0].format.background() != selections[2].format.background()
    assert selections[2].format.fontUnderline() and not selections[0].format.fontUnderline()
    marks.mark_matches([])
    assert len(view.extraSelections()) == 2
    assert marks.hit_count == 2
    marks.clear()
    assert view.extraSelections() == [] and marks.hit_count == 0


@pytest.mark.parametrize(
    ("now", "top", "step", "position"),
    [
        (None, 0, 1, 0),
        (None, 8, 1, 1),
        (None, 8, -1, 0),
        (None, 0, -1, 2),
        (None, 99, 1, 0),
        (0, 99, 1, 1),
        (2, 0, 1, 0),
        (0, 0, -1, 2),
    ],
)
def test_the_next_mark_wraps_around(now: int | None, top: int, step: int, position: int) -> None:
    assert next_span([(3, 5), (8, 9), (20, 22)], now, top, step) == position


def test_a_visible_mark_is_shown_without_scrolling(view: QTextEdit) -> None:
    show_span(view, (26, 30))
    assert view.verticalScrollBar().value() == 0 and view.textCursor().selectedText() == "line"


def test_a_mark_out_of_view_is_shown_with_lines_above_it(view: QTextEdit) -> None:
    for position in (2600, 130):
        show_span(view, (position, position + 4))
        rect = view.cursorRect(view.textCursor())
        assert 2 * rect.height() <= rect.top() <= view.viewport().height() / 2


def test_scrolling_to_a_mark_selects_nothing(view: QTextEdit) -> None:
    scroll_to(view, 1300)
    assert first_visible_position(view) == 1300 and not view.textCursor().hasSelection()
    assert is_in_view(view, 1300) and is_in_view(view, 0) and not is_in_view(view, 2600)


def test_moving_starts_at_the_selection_or_else_at_the_top_of_the_view(
    view: QTextEdit,
) -> None:
    scroll_to(view, 1300)
    assert search_start(view, 1) == search_start(view, -1) == 1300
    cursor = view.textCursor()
    cursor.setPosition(5)
    cursor.setPosition(9, QTextCursor.MoveMode.KeepAnchor)
    view.setTextCursor(cursor)
    assert (search_start(view, 1), search_start(view, -1)) == (9, 5)


@pytest.mark.slow
def test_a_paragraph_full_of_matches_is_marked_around_the_view_and_rendered_at_once(
    view: QTextEdit,
) -> None:
    view.setPlainText("ab" * 20_000)
    marks = TextMarks(view)
    marks.mark_matches([(index, index + 1) for index in range(0, 40_000, 2)])
    assert (
        len(view.extraSelections()) == MAX_BLOCK_MARKS
        and view.extraSelections()[0].cursor.selectionStart() == 0
    )
    view.verticalScrollBar().setValue(view.verticalScrollBar().maximum() // 2)
    marks.draw()
    starts = [each.cursor.selectionStart() for each in view.extraSelections()]
    assert len(starts) == MAX_BLOCK_MARKS and starts[0] <= first_visible_position(view) < starts[-1]
    begun = time.process_time()
    view.viewport().repaint()
    assert time.process_time() - begun < 1  # 2,000 marks took 40 seconds
