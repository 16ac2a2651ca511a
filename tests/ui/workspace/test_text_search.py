"""Tests of text searches: immediate or in the background, never two at a time."""

from collections.abc import Callable, Iterator

import pytest
from PySide6.QtCore import QCoreApplication, QObject
from PySide6.QtGui import QTextCursor
from pytestqt.qtbot import QtBot

from irjudge.progress import Progress
from irjudge_ui.widgets import DocumentView, TextMarks
from irjudge_ui.workspace.document_page import MAX_CHARACTERS_AT_ONCE, Finder, TextSearch


@pytest.fixture
def search() -> Iterator[TextSearch]:
    owner = QObject()
    yield TextSearch(owner)
    owner.deleteLater()


def test_short_searches_run_at_once(search: TextSearch) -> None:
    heard: list[int] = []
    search.start(MAX_CHARACTERS_AT_ONCE, lambda _progress: 7, heard.append)
    assert heard == [7] and not search.busy


def test_long_searches_report_later(
    search: TextSearch, wait_until_idle: Callable[[], None]
) -> None:
    heard: list[int] = []
    search.start(MAX_CHARACTERS_AT_ONCE + 1, lambda _progress: 7, heard.append)
    assert heard == [] and search.busy
    wait_until_idle()
    assert heard == [7] and not search.busy


def test_a_newer_search_stops_the_older_one_and_drops_its_result(
    search: TextSearch,
    wait_until_idle: Callable[[], None],
) -> None:
    heard: list[int] = []

    def forever(progress: Progress) -> int:
        while True:
            progress.step(0, None, "")

    search.start(MAX_CHARACTERS_AT_ONCE + 1, forever, heard.append)
    search.start(MAX_CHARACTERS_AT_ONCE + 1, lambda _progress: 2, heard.append)
    search.start(1, lambda _progress: 3, heard.append)
    wait_until_idle()
    assert heard == [3]


def test_an_internal_error_is_not_swallowed(
    search: TextSearch, wait_until_idle: Callable[[], None], qtbot: QtBot
) -> None:
    with qtbot.captureExceptions() as caught:
        search.start(MAX_CHARACTERS_AT_ONCE + 1, lambda _progress: 1 // 0, pytest.fail)
        wait_until_idle()
        QCoreApplication.processEvents()
    assert [type(each[1]) for each in caught] == [ZeroDivisionError] and not search.busy


def test_opening_the_find_bar_again_counts_matches_without_moving(qtbot: QtBot) -> None:
    view = DocumentView()
    qtbot.addWidget(view)
    view.show_html("<p>tide and tide</p>", 1.0)
    finder = Finder(view, TextMarks(view))
    qtbot.addWidget(finder.bar)
    finder.read(view.toPlainText())
    finder.bar.field.setText("tide")
    finder.close()
    view.moveCursor(QTextCursor.MoveOperation.Start)
    finder.open()
    assert (finder.count, finder.number) == (2, None) and not view.textCursor().hasSelection()
    finder.step(1)
    assert finder.number == 0
    finder.bar.close()
