"""Tests of unsure marks, notes and rationales set by key, and of highlighted topic terms."""

import threading
from collections.abc import Callable
from pathlib import Path

import pytest
from PySide6.QtCore import Qt, QTimer
from PySide6.QtGui import QTextCharFormat, QTextCursor
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QWidget
from pytestqt.qtbot import QtBot

from irjudge.errors import CommitFailed
from irjudge.judging import Marks
from irjudge.model import Document, DocumentKind
from irjudge.progress import Progress
from irjudge.store import EventLog
from irjudge.store.connection import Connection
from irjudge.text import find_selected_passage, to_html, to_slices
from irjudge.web import to_browser_document
from irjudge_ui.widgets import DocumentView, Table
from irjudge_ui.window import Window
from irjudge_ui.workspace.highlights import HighlightsCard
from irjudge_ui.workspace.panels import MarksCard
from tests.engine.web.test_browser_documents import BODIES
from tests.ui.window_content import find_widget, visible_text

ONE_WINDOW = True


@pytest.fixture
def judging(open_window: Window, qtbot: QtBot) -> Window:
    open_window.show_page("judge")
    qtbot.waitUntil(lambda: open_window.judge.can_judge)
    return open_window


@pytest.fixture
def tap(judging: Window, qtbot: QtBot) -> Callable[..., None]:
    def press(key: Qt.Key, where: QWidget | None = None) -> None:
        qtbot.keyClick(where or judging.judge.document, key)

    return press


def marks(window: Window) -> Marks:
    return window.judge.session.marks(window.judge.session.current().queue_item)


@pytest.mark.slow
def test_unsure_is_toggled_and_the_document_stays(
    judging: Window, tap: Callable[..., None]
) -> None:
    before = judging.judge.session.current().queue_item
    tap(Qt.Key.Key_U)
    assert marks(judging).unsure and judging.judge.session.current().queue_item == before
    tap(Qt.Key.Key_U)
    assert not marks(judging).unsure


def test_a_note_is_written_and_its_digits_grade_nothing(
    judging: Window, tap: Callable[..., None], qtbot: QtBot
) -> None:
    tap(Qt.Key.Key_N)
    note = judging.judge.grade_panel.marks.note
    assert note.isVisible()
    qtbot.keyClicks(note, "see page 3, s x u")
    tap(Qt.Key.Key_Return, note)
    assert marks(judging) == Marks(note="see page 3, s x u")
    assert judging.judge.session.count().judged == 0


@pytest.mark.slow
def test_a_note_draft_is_saved_while_typing_and_restored_after_a_restart(
    judging: Window, tap: Callable[..., None], qtbot: QtBot
) -> None:
    tap(Qt.Key.Key_N)
    qtbot.keyClicks(judging.judge.grade_panel.marks.note, "half a th")
    qtbot.waitUntil(lambda: marks(judging).draft == "half a th")
    path = judging.project.path
    judging.close_project()
    assert judging.open(path)
    assert (
        judging.judge.grade_panel.marks.note.text() == "half a th"
        and judging.judge.grade_panel.marks.isVisibleTo(judging.judge)
    )


def test_a_grade_saves_an_unsaved_note_too(
    judging: Window, tap: Callable[..., None], qtbot: QtBot
) -> None:
    item = judging.judge.session.current().queue_item
    tap(Qt.Key.Key_N)
    qtbot.keyClicks(judging.judge.grade_panel.marks.note, "typed")
    tap(Qt.Key.Key_2)
    assert judging.judge.session.marks(item).note == "typed"
    assert judging.judge.session.judgment(item).payload["value"] == 2


def test_selected_text_is_saved_as_a_rationale_with_its_position(
    judging: Window, tap: Callable[..., None]
) -> None:
    document = judging.judge.document
    cursor = document.textCursor()
    cursor.setPosition(3)
    cursor.setPosition(9, QTextCursor.MoveMode.KeepAnchor)
    document.setTextCursor(cursor)
    tap(Qt.Key.Key_R)
    (reason,) = marks(judging).rationales
    text = " ".join(document.toPlainText().split())
    assert reason.text == text[reason.begin : reason.end]
    words, shown = reason.text.split(), text.replace(".", " ").replace(",", " ").split()
    assert set(words) <= set(shown) and reason.begin <= 4 and reason.end >= 9, (
        "a reason has whole words"
    )


@pytest.mark.parametrize(("kind", "body"), BODIES)
def test_the_window_and_a_browser_count_the_positions_of_rationales_equally(
    qtbot: QtBot, kind: DocumentKind, body: str
) -> None:
    document = Document("d", body.encode(), "A \U0001f319 title", kind)
    view = DocumentView()
    qtbot.addWidget(view)
    view.show_slices(list(to_slices(document)))
    qtbot.waitUntil(lambda: view.complete)
    cursor = QTextCursor(view.document())
    cursor.select(QTextCursor.SelectionType.Document)
    assert find_selected_passage("", cursor.selectedText()) == find_selected_passage(
        "", to_browser_document(document, "c0-").text
    )


ONE = "\u0648\u0627\u062d\u062f"
TWO = "\u0627\u062b\u0646\u0627\u0646"
THREE = "\u062b\u0644\u0627\u062b\u0629"
TURNED = (
    f"<p>before \U0001f319</p><table><tr><td>{ONE}<td>{TWO}<p>two<td>{THREE}<tr><td>4<td>5 five</table><p>after</p>"
    f"<table dir=rtl><tr><td>6<td>7<table><tr><td>8<td>{ONE}{TWO}</table></table>"
)


@pytest.mark.parametrize(
    "words", [ONE, TWO, "two", THREE, "4", "five", "after", "6", "7", "8", ONE + TWO, "before"]
)
def test_positions_in_right_to_left_tables_are_counted_as_in_a_browser(
    qtbot: QtBot, words: str
) -> None:
    document = Document("d", TURNED.encode(), "", "html")
    view = DocumentView()
    qtbot.addWidget(view)
    view.show_html(to_html(document))
    paper = to_browser_document(document, "c0-").text
    before = paper[: paper.index(words)]
    view.setTextCursor(cursor := view.document().find(words))
    assert cursor.selectedText() == words
    assert find_selected_passage(*view.selection()) == find_selected_passage(before, words)


def test_a_whole_right_to_left_table_is_saved_and_copied_in_reading_order(
    qtbot: QtBot,
) -> None:
    document = Document("d", TURNED.encode(), "", "html")
    view = DocumentView()
    qtbot.addWidget(view)
    view.show_html(to_html(document))
    view.selectAll()
    assert find_selected_passage(*view.selection()) == find_selected_passage(
        "", to_browser_document(document, "c0-").text
    )
    assert (
        view.createMimeDataFromSelection().text().split()
        == to_browser_document(document, "c0-").text.split()
    )


def test_saved_rationales_are_underlined_until_undone(
    judging: Window, tap: Callable[..., None]
) -> None:
    document = judging.judge.document

    def underlined_texts() -> list[str]:
        dash = QTextCharFormat.UnderlineStyle.DashUnderline
        return [
            each.cursor.selectedText()
            for each in document.extraSelections()
            if each.format.underlineStyle() == dash
        ]

    document.setTextCursor(document.document().find(document.toPlainText().split()[-3]))
    tap(Qt.Key.Key_R)
    (reason,) = marks(judging).rationales
    assert underlined_texts() == [reason.text]
    judging.judge.refresh()
    assert underlined_texts() == [reason.text], "also when the document is shown again"
    judging.judge.turns.undo()
    assert underlined_texts() == []


def test_without_a_selection_the_key_shows_a_message(
    judging: Window, tap: Callable[..., None]
) -> None:
    tap(Qt.Key.Key_R)
    assert (
        "Select the text" in judging.judge.grade_panel.message.text() and marks(judging) == Marks()
    )


def test_a_mark_that_cannot_be_saved_is_not_shown(
    judging: Window, tap: Callable[..., None], monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(*_: object) -> None:
        raise CommitFailed("Not saved: the disk is full.")

    monkeypatch.setattr(EventLog, "append", refuse)
    tap(Qt.Key.Key_U)
    assert not marks(judging).unsure and "disk is full" in judging.judge.grade_panel.message.text()


def test_undo_removes_a_mark(judging: Window, tap: Callable[..., None], qtbot: QtBot) -> None:
    tap(Qt.Key.Key_U)
    qtbot.keyClick(judging.judge.document, Qt.Key.Key_Z, Qt.KeyboardModifier.ControlModifier)
    assert not marks(judging).unsure


def test_topic_terms_are_highlighted_and_counted(judging: Window) -> None:
    view = judging.judge
    document = view.document
    marked = [selection.cursor.selectedText() for selection in document.extraSelections()]
    text = document.toPlainText()
    assert marked == [text[hit.begin : hit.end] for hit in view.reading.hits] and marked
    assert view.findChild(HighlightsCard).isVisible()


def test_the_best_passage_is_shown_by_key(judging: Window, tap: Callable[..., None]) -> None:
    tap(Qt.Key.Key_B)
    chosen = judging.judge.document.textCursor().selectedText()
    assert any(
        selection.cursor.selectedText() in chosen
        for selection in judging.judge.document.extraSelections()
    )


def test_typed_text_is_saved_as_a_draft_when_another_document_is_shown(
    judging: Window, tap: Callable[..., None]
) -> None:
    view = judging.judge
    item = view.session.current().queue_item
    tap(Qt.Key.Key_N)
    QTest.keyClicks(view.grade_panel.marks.note, "half a th")
    view.open_topic(view.session.topics[1])
    assert view.session.current().queue_item != item
    assert view.session.marks(item).draft == "half a th"


def test_a_copy_includes_typed_text_and_has_the_connection_to_itself(
    judging: Window,
    tap: Callable[..., None],
    qtbot: QtBot,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """The pause after which a typed note is saved ends long before the copy is written."""
    copying = threading.Event()
    go = threading.Event()
    copied = list[Connection]()
    used = list[str]()

    def watch_method(name: str) -> None:
        method = getattr(Connection, name)

        def call(connection: Connection, *what: object) -> object:
            if copying.is_set() and connection in copied:
                used.append(f"{name} by {threading.current_thread().name}: {what}")
            return method(connection, *what)

        monkeypatch.setattr(Connection, name, call)

    def slow(connection: Connection, path: Path, progress: Progress) -> None:
        copied.append(connection)
        copying.set()
        go.wait(60)
        copying.clear()
        write(connection, path, progress)

    write = Connection.backup_to
    monkeypatch.setattr(Connection, "backup_to", slow)
    for name in ("fetch_all", "execute", "insert", "transaction"):
        watch_method(name)
    item = judging.judge.session.current().queue_item
    pause = judging.judge.findChild(MarksCard).findChild(QTimer)
    pause.setInterval(150)
    tap(Qt.Key.Key_N)
    QTest.keyClicks(judging.judge.findChild(MarksCard).note, "half a th")
    judging.judge.saving.save_copy(tmp_path / "copy.irjudge")
    assert copying.wait(5) and pause.isActive()
    qtbot.wait(400)
    assert used == []
    go.set()
    qtbot.waitUntil(
        lambda: judging.project is not None and judging.project.path.name == "copy.irjudge"
    )
    judging.show_page("judge")
    assert judging.judge.session.marks(item).draft == "half a th"


@pytest.mark.slow
def test_typed_text_survives_a_change_of_theme_another_mark_and_closing(
    judging: Window, tap: Callable[..., None], qtbot: QtBot
) -> None:
    note = judging.judge.grade_panel.marks.note
    tap(Qt.Key.Key_N)
    qtbot.keyClicks(note, "one")
    judging.appearance.switch_theme()
    qtbot.waitUntil(lambda: judging.judge.can_judge)
    assert note.text() == "one"
    qtbot.keyClicks(note, " two")
    tap(Qt.Key.Key_U)
    assert note.text() == "one two"
    qtbot.keyClicks(note, " three")
    path = judging.project.path
    judging.close_project()
    assert judging.open(path) and note.text() == "one two three"


@pytest.mark.slow
def test_enter_on_a_topic_starts_judging_it(
    judging: Window, tap: Callable[..., None], qtbot: QtBot
) -> None:
    judging.show_page("collection")
    table = find_widget(judging.collection, "Topics", Table)
    qtbot.waitUntil(lambda: table.model().rowCount() > 2)  # topics are read in the background
    table.setCurrentIndex(table.model().index(2, 0))
    topic = table.model().index(2, 0).data()
    tap(Qt.Key.Key_Return, table)
    assert judging.judge.isVisible() and judging.judge.session.current().topic.id == topic


def test_an_unchanged_note_is_not_saved_again(judging: Window, tap: Callable[..., None]) -> None:
    for _ in range(2):
        tap(Qt.Key.Key_N)
        if not judging.judge.grade_panel.marks.note.text():
            QTest.keyClicks(judging.judge.grade_panel.marks.note, "once")
        QTest.keyClick(judging.judge.grade_panel.marks.note, Qt.Key.Key_Return)
    kinds = [event.kind for event in judging.judge.session.project.events.read()]
    assert kinds.count("note") == 1 and marks(judging).note == "once"


def test_escape_leaves_the_field_and_saves_the_typed_text(
    judging: Window, tap: Callable[..., None]
) -> None:
    note = judging.judge.grade_panel.marks.note
    tap(Qt.Key.Key_N)
    QTest.keyClicks(note, "half a thought")
    QTest.keyClick(note, Qt.Key.Key_Escape)
    assert note.text() == "half a thought" and marks(judging).draft == "half a thought"
    assert not note.hasFocus()
    tap(Qt.Key.Key_2)
    notes = [each for each in judging.judge.session.project.events.read() if each.kind == "note"]
    assert [each.payload["text"] for each in notes] == ["half a thought"]


def test_escape_saves_nothing_if_nothing_was_typed(
    judging: Window, tap: Callable[..., None]
) -> None:
    tap(Qt.Key.Key_N)
    QTest.keyClick(judging.judge.grade_panel.marks.note, Qt.Key.Key_Escape)
    assert marks(judging) == Marks() and not [*judging.judge.session.project.events.read()]


def test_larger_text_saves_no_second_draft(judging: Window, tap: Callable[..., None]) -> None:
    tap(Qt.Key.Key_N)
    QTest.keyClicks(judging.judge.grade_panel.marks.note, "half")
    for _ in range(3):
        judging.judge.marking.flush()
    assert [event.kind for event in judging.judge.session.project.events.read()] == ["draft"]


def test_the_same_text_is_saved_as_a_rationale_once_and_is_shown(
    judging: Window, tap: Callable[..., None], qtbot: QtBot
) -> None:
    document = judging.judge.document
    for _ in range(2):
        cursor = document.textCursor()
        cursor.setPosition(0)
        cursor.setPosition(8, QTextCursor.MoveMode.KeepAnchor)
        document.setTextCursor(cursor)
        tap(Qt.Key.Key_R)
    assert len(marks(judging).rationales) == 1
    assert f"“{marks(judging).rationales[0].text.strip()}”" in visible_text(
        judging.judge.grade_panel.marks
    )
    assert "already saved" in judging.judge.grade_panel.message.text()


def test_a_page_with_saving_suspended_saves_no_draft_until_it_resumes(qtbot: QtBot) -> None:
    card = MarksCard()
    qtbot.addWidget(card)
    heard: list[str] = []
    card.typed.connect(heard.append)
    pause = card.findChild(QTimer)
    pause.setInterval(10)
    QTest.keyClicks(card.note, "half")
    card.setEnabled(False)
    qtbot.wait(60)
    assert heard == [] and pause.isActive()
    card.setEnabled(True)
    qtbot.waitUntil(lambda: heard == ["half"])
