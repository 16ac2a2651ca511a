"""Tests of the documents page: documents are listed, searched and opened."""

from collections.abc import Callable
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QLabel, QPushButton
from pytestqt.qtbot import QtBot

from irjudge.store import search_index
from irjudge_ui.pages.project.browse import BrowseView
from irjudge_ui.pages.shared import DocumentDialog
from irjudge_ui.settings import Settings
from irjudge_ui.widgets import Table
from irjudge_ui.window import Window
from tests.ui.window_content import find_widget, is_shown, visible_text

MAKE = "Build index"
Idle = Callable[[], None]


@pytest.fixture
def first_page() -> str:
    return "browse"


@pytest.fixture
def page(open_path: Callable[[Path], Window], harbour_path: Path) -> BrowseView:
    window = open_path(harbour_path)
    view = window.pages.view("browse")
    assert isinstance(view, BrowseView)
    return view


def listed_ids(page: BrowseView) -> list[str]:
    return [row.id for row in page.documents.rows]


def search_for(page: BrowseView, query: str, qtbot: QtBot, wait_until_idle: Idle) -> None:
    page.search.clear()
    page.search.setText(query)  # a test cannot press the keys of all scripts
    page.search_documents()
    wait_until_idle()


def read_open_document(page: BrowseView) -> str:
    dialog = page.findChild(DocumentDialog)
    assert dialog is not None
    content = (
        "\n".join(label.text() for label in dialog.findChildren(QLabel)) + dialog.view.toPlainText()
    )
    dialog.reject()
    return content


@pytest.mark.slow
def test_a_small_collection_is_indexed_without_asking_and_searched_in_every_script(
    page: BrowseView, qtbot: QtBot, wait_until_idle: Idle
) -> None:
    assert (
        page.project is not None
        and len(page.documents.rows) == 100
        and "Showing the first 100 of 160 documents." in page.description_label.text()
    )
    assert not is_shown(page, MAKE) and not page.actions_by_id["make-index"].possible
    for query, document in (
        ("bowline rabbit", "bowline-rabbit"),
        ("绿茶", "zh-green-tea"),
        ("القهوة", "ar-coffee-pot"),
        ("मसाला", "hi-masala-chai"),
    ):
        search_for(page, query, qtbot, wait_until_idle)
        assert document in listed_ids(page), query
    assert any(row.text for row in page.documents.rows), "a piece of the text says why it was found"
    search_for(page, "zh-gre", qtbot, wait_until_idle)
    assert listed_ids(page)[0] == "zh-green-tea", "an id is found by a part of it"
    search_for(page, "nothing like it anywhere", qtbot, wait_until_idle)
    assert listed_ids(page) == [] and page.description_label.text() == "Documents found: 0."


def test_enter_moves_to_the_hits_and_opens_one(
    page: BrowseView, qtbot: QtBot, wait_until_idle: Idle
) -> None:
    page.search.setText("绿茶")
    qtbot.keyClick(page.search, Qt.Key.Key_Return)
    wait_until_idle()
    table = find_widget(page, "Documents", Table)
    assert table.hasFocus() and table.currentIndex().row() == 0
    first = str(table.model().index(0, 0).data())
    qtbot.keyClick(table, Qt.Key.Key_Return)
    assert page.project is not None
    document = page.project.collection.document(first)
    dialog = page.findChild(DocumentDialog)
    assert dialog is not None and {
        each.cursor.selectedText() for each in dialog.view.extraSelections()
    } == {"绿茶"}
    assert document is not None and document.title in read_open_document(page)


def test_a_large_collection_is_indexed_on_request_and_the_job_can_be_cancelled(
    page: BrowseView,
    qtbot: QtBot,
    wait_until_idle: Idle,
    monkeypatch: pytest.MonkeyPatch,
    settings: Settings,
) -> None:
    monkeypatch.setattr(search_index, "MAX_DOCUMENTS_INDEXED_UNASKED", 10)
    for file in (settings.cache / "search").iterdir():
        file.unlink()
    page.refresh()
    wait_until_idle()
    assert (
        is_shown(page, MAKE)
        and page.actions_by_id["make-index"].possible
        and "Only ids are searched" in visible_text(page)
    )
    search_for(page, "绿茶", qtbot, wait_until_idle)
    assert listed_ids(page) == []
    find_widget(page, MAKE, QPushButton).click()
    find_widget(page, "Cancel", QPushButton).click()
    wait_until_idle()
    assert "Only ids are searched" in visible_text(page) and not is_shown(
        page, "Indexing documents"
    )
    page.search_documents()
    wait_until_idle()
    find_widget(page, MAKE, QPushButton).click()
    wait_until_idle()
    assert (
        "zh-green-tea" in listed_ids(page)
        and not is_shown(page, MAKE)
        and not page.actions_by_id["make-index"].possible
    )


def test_a_document_is_opened_from_the_explain_and_live_pages(
    page: BrowseView, window: Window, wait_until_idle: Idle, qtbot: QtBot
) -> None:
    window.show_page("explain")
    wait_until_idle()
    explain = window.pages.view("explain")
    explain.what_if.table.selectRow(0)
    qtbot.keyClick(explain.what_if.table, Qt.Key.Key_Return)
    dialog = explain.findChild(DocumentDialog)
    assert dialog is not None and dialog.windowTitle() == explain.what_if.ranking.rows[0].document
    dialog.reject()


def test_the_index_is_stored_in_the_cache_folder_of_the_settings(
    page: BrowseView, settings: Settings, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert settings.cache == tmp_path / "cache" and [
        path.suffix for path in (settings.cache / "search").iterdir()
    ] == [".sqlite"]
    monkeypatch.delenv("IRJUDGE_CACHE")
    assert Settings().cache.name == "irjudge"


@pytest.mark.slow
def test_a_topic_is_opened_from_the_agreement_page(
    page: BrowseView, window: Window, wait_until_idle: Idle
) -> None:
    window.show_page("agreement")
    wait_until_idle()
    table = find_widget(window.pages.view("agreement"), "Agreement by topic", Table)
    wanted = str(table.model().index(2, 0).data())
    table.opened.emit(2)
    wait_until_idle()
    assert window.pages.on_top() == "collection"
    topics = find_widget(window.collection, "Topics", Table)
    chosen = topics.currentIndex()
    assert chosen.isValid() and str(chosen.siblingAtColumn(0).data()) == wanted
    assert topics.hasFocus()


def test_a_cancelled_index_leaves_no_progress(
    page: BrowseView, monkeypatch: pytest.MonkeyPatch, wait_until_idle: Idle
) -> None:
    monkeypatch.setattr(search_index, "MAX_DOCUMENTS_INDEXED_UNASKED", 0)
    wait_until_idle()
    page.make_index()
    assert not page._bar.isHidden()
    page.cancel_jobs()
    page.restart_jobs()
    wait_until_idle()
    assert page._bar.isHidden() and page._cancel_button.isHidden()
