"""Tests of the mouse on the judged document: context menu, Ctrl and wheel, printing."""

from collections.abc import Callable
from pathlib import Path

import pytest
from pypdfium2 import PdfDocument
from PySide6.QtCore import QPoint, QPointF, Qt
from PySide6.QtGui import QAction, QImage, QTextCursor, QWheelEvent
from PySide6.QtPrintSupport import QPrinter
from PySide6.QtWidgets import QApplication, QMenu
from pytestqt.qtbot import QtBot

from irjudge_ui.widgets import DocumentPicture, DocumentView, Theme
from irjudge_ui.widgets.theme import DARK, LIGHT
from irjudge_ui.window import Window
from irjudge_ui.workspace import AnswerButton
from irjudge_ui.workspace import document_page as menus
from irjudge_ui.workspace.document_page import print_document

ONE_WINDOW = True


def menu_labels(window: Window, point: QPoint) -> dict[str, QAction]:
    document = window.judge.document
    document.customContextMenuRequested.emit(point)
    menu = QApplication.activePopupWidget()
    assert isinstance(menu, QMenu)
    return {each.text().split("\t")[0]: each for each in menu.actions() if each.text()}


def middle_of_word(document: DocumentView, text: str) -> QPoint:
    cursor = document.document().find(text)
    cursor.setPosition(cursor.selectionStart() + 1)
    return document.cursorRect(cursor).center()


def test_a_right_click_selects_the_word_under_it_and_saves_it_as_a_rationale(
    open_window: Window,
) -> None:
    judge = open_window.judge
    word = judge.document.toPlainText().split()[-1].strip(".")
    entries = menu_labels(open_window, middle_of_word(judge.document, word))
    assert list(entries) == ["Mark as evidence", "Highlight", "Copy", "Find", "Print"] and all(
        each.isEnabled() for each in entries.values()
    )
    assert all("\t" in each.text() for name, each in entries.items() if name != "Copy"), (
        "each says its key"
    )
    entries["Mark as evidence"].trigger()
    assert judge.session and judge.rendered_item
    assert [
        each.text for each in judge.session.marks(judge.rendered_item.queue_item).rationales
    ] == [word]
    QApplication.activePopupWidget().close()


def test_a_right_click_on_a_selection_keeps_it_and_offers_copy_and_highlight(
    open_window: Window,
) -> None:
    document = open_window.judge.document
    cursor = document.textCursor()
    cursor.setPosition(document.toPlainText().index("\n") + 1)
    cursor.movePosition(QTextCursor.MoveOperation.NextWord, QTextCursor.MoveMode.KeepAnchor, 3)
    document.setTextCursor(cursor)
    text = cursor.selectedText()
    entries = menu_labels(open_window, document.cursorRect(cursor).center())
    entries["Copy"].trigger()
    entries["Highlight"].trigger()
    assert QApplication.clipboard().text() == text
    assert [term.text for term in open_window.judge.reading.terms if term.is_own] == [text.strip()]
    QApplication.activePopupWidget().close()


def test_without_a_word_only_actions_that_need_none_are_offered(open_window: Window) -> None:
    document = open_window.judge.document
    document.show_html("<p> </p>")
    entries = menu_labels(open_window, QPoint(5, 5))
    assert [name for name, each in entries.items() if each.isEnabled()] == ["Find", "Print"]
    QApplication.activePopupWidget().close()


@pytest.mark.parametrize(("turn", "zoom"), [(120, 1.1), (-120, 0.9)])
def test_ctrl_and_wheel_zoom_the_window(
    open_window: Window, qtbot: QtBot, turn: int, zoom: float
) -> None:
    viewport = open_window.judge.document.viewport()
    for modifier in (Qt.KeyboardModifier.NoModifier, Qt.KeyboardModifier.ControlModifier):
        at = QPointF(20, 20)
        event = QWheelEvent(
            at,
            at,
            QPoint(),
            QPoint(0, turn),
            Qt.MouseButton.NoButton,
            modifier,
            Qt.ScrollPhase.NoScrollPhase,
            False,
        )
        QApplication.sendEvent(viewport, event)
    qtbot.waitUntil(lambda: open_window.settings.get("zoom") == zoom)


def test_a_document_is_printed_as_dark_text_on_paper(
    qtbot: QtBot, tmp_path: Path, set_look: Callable[[Theme, float], None]
) -> None:
    pages = []
    for theme, zoom in ((LIGHT, 1.0), (DARK, 2.0)):
        set_look(theme, zoom)
        view = DocumentView()
        qtbot.addWidget(view)
        view.show_html("<h1>Tides</h1>" + "<p>The sea rises twice a day. </p>" * 60, zoom)
        printer = QPrinter()
        printer.setOutputFormat(QPrinter.OutputFormat.PdfFormat)
        printer.setOutputFileName(str(tmp_path / f"{theme.name}.pdf"))
        print_document(view, printer)
        pages.append((tmp_path / f"{theme.name}.pdf").read_bytes().count(b"/Type /Page\n"))
    assert pages[0] == pages[1] > 1, "zoom and theme are the screen's alone"


@pytest.mark.parametrize(
    "html", ["<h1>Lamp</h1><p>It shines.</p>", "<p>It shines.</p>"], ids=["titled", "plain"]
)
def test_document_fields_are_printed_with_the_text(qtbot: QtBot, tmp_path: Path, html: str) -> None:
    view = DocumentView()
    qtbot.addWidget(view)
    view.show_html(html)
    picture = QImage(40, 30, QImage.Format.Format_RGB32)
    view.show_fields(
        [("price", "12 €"), ("<b>maker</b>", "Tide & Co")], DocumentPicture(40, 30, picture)
    )
    before = view.toPlainText()
    printer = QPrinter()
    printer.setOutputFormat(QPrinter.OutputFormat.PdfFormat)
    printer.setOutputFileName(str(tmp_path / "lamp.pdf"))
    print_document(view, printer)
    texts = " ".join(PdfDocument(tmp_path / "lamp.pdf")[0].get_textpage().get_text_range().split())
    title = ["Lamp"] if "h1" in html else []
    assert texts == " ".join([*title, "price: 12 € <b>maker</b>: Tide & Co It shines."])
    assert b"/Subtype /Image" in (tmp_path / "lamp.pdf").read_bytes()
    assert view.toPlainText() == before


def test_a_very_long_document_is_not_printed_and_the_reason_is_shown(
    open_window: Window, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(menus, "MAX_PRINTED_CHARACTERS", 10)
    open_window.actions_by_id["print"].trigger()
    assert "more than 10 characters" in open_window.judge.grade_panel.message.text()


def test_an_answer_button_is_never_smaller_than_its_label(qtbot: QtBot) -> None:
    button = AnswerButton("left")
    qtbot.addWidget(button)
    least = button.minimumSizeHint()
    assert least.isValid() and least.width() <= button.sizeHint().width()
