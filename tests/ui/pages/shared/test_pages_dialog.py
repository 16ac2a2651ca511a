"""Tests of page images: rendered on demand, turned by keys, cached, and damaged files reported."""

import io
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest
from matplotlib.backends.backend_pdf import PdfPages
from matplotlib.figure import Figure
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from pytestqt.qtbot import QtBot

from irjudge.exchange import WITH_PAGES, AssignmentOptions, assign_pool, parse_candidates
from irjudge.judging import QueueItem, Session
from irjudge.store import open_project
from irjudge.store.collection import PDF_PREFIX
from irjudge_ui.pages.shared import DocumentDialog, PagesDialog, open_document
from irjudge_ui.pages.shared import dialogs as pages_dialog
from irjudge_ui.window import Window
from tests.ui.window_content import label_texts

Idle = Callable[[], None]


def make_pdf(count: int) -> bytes:
    file = io.BytesIO()
    with PdfPages(file) as made:
        for number in range(1, count + 1):
            figure = Figure(figsize=(4, 5))
            figure.text(0.1, 0.5, f"page {number}")
            made.savefig(figure)
    return file.getvalue()


def attach_pdf(window: Window, data: bytes) -> str:
    """Let the text on the judging page come from a PDF file, and return the document's id."""
    session = window.judge.session
    assert session is not None
    document = session.current().document
    session.project.collection.add_documents([replace(document, id="from-a-file", pdf=data)])
    session.project.set_setting(
        PDF_PREFIX + document.id, session.project.get_setting(PDF_PREFIX + "from-a-file") or ""
    )
    return document.id


def visible_dialog(window: Window) -> PagesDialog:
    (dialog,) = [each for each in window.findChildren(PagesDialog) if each.isVisible()]
    return dialog


@pytest.mark.slow
def test_a_key_shows_the_pages_of_the_judged_document(
    open_window: Window, wait_until_idle: Idle
) -> None:
    assert not open_window.judge.has_pages, "the sample is of texts"
    QTest.keyClick(open_window.judge.document, Qt.Key.Key_P)
    assert not open_window.findChildren(PagesDialog)
    attach_pdf(open_window, make_pdf(3))
    QTest.keyClick(open_window.judge.document, Qt.Key.Key_P)
    wait_until_idle()
    dialog = visible_dialog(open_window)
    assert (
        "Page 1 of 3" in label_texts(dialog)
        and not dialog.back.isEnabled()
        and dialog.next_button.isEnabled()
    )
    assert (
        dialog.shown is not None
        and dialog.view.accessibleDescription() == "Image, 1,000 × 1,250 pixels"
    )
    assert dialog.view.verticalScrollBar().maximum() > 0, (
        "it is as wide as the page, so that its words can be read"
    )
    QTest.keyClick(dialog.view, Qt.Key.Key_2)
    assert open_window.judge.session.project.events.count() == 0, (
        "a digit grades nothing behind the dialog"
    )
    dialog.close()


@pytest.mark.slow
def test_arrow_keys_turn_pages_and_a_rendered_page_is_not_rendered_again(
    open_window: Window, wait_until_idle: Idle, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked, real = [], pages_dialog.render_page_picture
    monkeypatch.setattr(
        pages_dialog,
        "render_page_picture",
        lambda data, number, where: (asked.append(number), real(data, number, where))[1],
    )
    attach_pdf(open_window, make_pdf(3))
    open_window.judge.show_pages()
    wait_until_idle()
    dialog = visible_dialog(open_window)
    for key, number in (
        (Qt.Key.Key_Right, 2),
        (Qt.Key.Key_Right, 3),
        (Qt.Key.Key_Right, 3),
        (Qt.Key.Key_Left, 2),
        (Qt.Key.Key_Left, 1),
    ):
        QTest.keyClick(dialog.view, key)
        wait_until_idle()
        assert f"Page {number} of 3" in label_texts(dialog)
    assert asked == [1, 2, 3]
    dialog.close()


@pytest.mark.slow
def test_a_file_that_cannot_be_rendered_is_reported(
    open_window: Window, wait_until_idle: Idle
) -> None:
    attach_pdf(open_window, b"%PDF-1.7 and nothing more")
    open_window.judge.show_pages()
    wait_until_idle()
    dialog = visible_dialog(open_window)
    assert "it is damaged" in dialog.problem.text() and dialog.problem.isVisible()
    dialog.close()


@pytest.mark.slow
def test_the_document_dialog_offers_pages_if_there_are_any(
    open_window: Window, wait_until_idle: Idle, qtbot: QtBot
) -> None:
    name = attach_pdf(open_window, make_pdf(1))
    project = open_window.project
    other = next(
        each for each in project.collection.list_ids() if not project.collection.has_pages(each)
    )
    for document, there in ((name, True), (other, False)):
        assert open_document(open_window, project, document, "Topic 1", 1.0) == ""
        (dialog,) = [each for each in open_window.findChildren(DocumentDialog) if each.isVisible()]
        assert dialog.pages.isVisible() is there
        if there:
            dialog.pages.click()
            wait_until_idle()
            pages = visible_dialog(open_window)
            assert "Page 1 of 1" in label_texts(pages) and not pages.next_button.isEnabled()
            pages.close()
        dialog.close()
        qtbot.waitUntil(
            lambda: (
                not [each for each in open_window.findChildren(DocumentDialog) if each.isVisible()]
            )
        )


@pytest.mark.slow
def test_an_assessor_sees_the_pages_included_in_the_file(
    open_window: Window, wait_until_idle: Idle, qtbot: QtBot, tmp_path: Path
) -> None:
    name, project = attach_pdf(open_window, make_pdf(2)), open_window.project
    assert project is not None
    (made,) = assign_pool(
        project,
        parse_candidates("ann"),
        AssignmentOptions(),
        tmp_path / "out",
        file_format=WITH_PAGES,
    ).files
    with open_project(made.path) as task:
        session = Session(task)
        topic = min(session.queue.topics)
        begun = next(each for each in session.queue.documents(topic) if each != name)
        # work has begun, so that no instructions cover the pages
        session.grade(session.open_item(QueueItem(topic, begun)), 1)
        session = Session(task)
        while (work := session.current()) and work.document.id != name:
            assert not task.collection.has_pages(work.document.id)
            session.grade(work, 1, active_ms=4000)
            session.advance()
    open_window.settings.add_name("ann")
    assert open_window.open(made.path)
    open_window.show_page("judge")
    judge = open_window.judge
    qtbot.waitUntil(lambda: judge.can_judge)
    wait_until_idle()
    assert judge.has_pages
    QTest.keyClick(judge.document, Qt.Key.Key_P)
    qtbot.waitUntil(lambda: bool(open_window.findChildren(PagesDialog)))
    wait_until_idle()
    dialog = visible_dialog(open_window)
    assert (
        "Page 1 of 2" in label_texts(dialog)
        and dialog.view.accessibleDescription() == "Image, 1,000 × 1,250 pixels"
    )
    dialog.close()
