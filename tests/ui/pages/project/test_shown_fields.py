"""Document fields: chosen, ordered and previewed, and shown under the title for judging."""

import json
from collections.abc import Callable
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QLabel
from pytestqt.qtbot import QtBot

from irjudge.cli.main import main
from irjudge.store import shown_field_names
from irjudge_ui.pages.project.browse import ShownFieldsDialog
from irjudge_ui.window import Window
from tests.engine.formats.collections.test_whole_files import PNG

ONE_WINDOW = True
HOSTILE = '<img src="x.png"><b>bold</b>'


@pytest.fixture
def shop(tmp_path: Path) -> Path:
    (tmp_path / "b1.png").write_bytes(PNG)
    shoe = {
        "id": "B1",
        "name": "Red shoe",
        "description": "For rain.",
        "price": "12",
        "brand": HOSTILE,
        "img": "b1.png",
    }
    hits = [shoe, {"id": "B2", "name": "Plain shoe", "description": "Without anything else."}]
    answer = {"responseHeader": {"params": {"q": "red shoe"}}, "response": {"docs": hits}}
    (tmp_path / "solr.json").write_text(json.dumps(answer), encoding="utf-8")
    path = tmp_path / "p.irjudge"
    assert main(["new", str(path), "--runs", str(tmp_path / "solr.json")]) == 0
    assert main(["pool", str(path), "--depth", "2"]) == 0
    return path


@pytest.fixture
def window(window: Window, shop: Path) -> Window:
    assert window.open(shop)
    return window


def rendered_id(window: Window) -> str:
    return window.judge.rendered_item.document.id if window.judge.rendered_item else ""


def wait_for_document(window: Window, document: str, qtbot: QtBot) -> None:
    """Wait until a document is rendered, and check its fields."""
    view, table = window.judge.document, window.judge.document.fields
    qtbot.waitUntil(lambda: rendered_id(window) == document)
    assert table.isVisible() == (document == "B1")
    if document == "B1":
        assert table.rows == [("price", "12"), ("brand", HOSTILE)]
        assert all(
            label.textFormat() == Qt.TextFormat.PlainText
            for label in table.findChildren(QLabel)
            if label.text()
        )
        qtbot.waitUntil(lambda: table.has_picture)
        blocks = view.document().begin(), view.document().lastBlock()
        title, last = (view.document().documentLayout().blockBoundingRect(each) for each in blocks)
        assert title.bottom() <= table.y() and table.geometry().bottom() <= last.top()
        assert view.toPlainText() == "Red shoe\nFor rain.", (
            "places in the text are those of a document without fields"
        )


@pytest.mark.slow
def test_fields_are_shown_literally_under_the_title_of_their_document(
    window: Window, qtbot: QtBot
) -> None:
    window.show_page("judge")
    qtbot.waitUntil(lambda: bool(rendered_id(window)))
    first = rendered_id(window)
    wait_for_document(window, first, qtbot)
    window.judge.give(1)
    wait_for_document(window, "B2" if first == "B1" else "B1", qtbot)
    window.judge.turns.undo()
    wait_for_document(window, first, qtbot)


def test_chosen_fields_are_previewed_stored_and_undone(
    window: Window, wait_until_idle: Callable[[], None], qtbot: QtBot
) -> None:
    window.show_page("browse")
    wait_until_idle()
    page = window.pages.view("browse")
    page.actions_by_id["fields"].trigger()
    dialog = next(each for each in window.findChildren(ShownFieldsDialog) if each.isVisible())
    assert dialog.names == ("price", "brand", "img")
    dialog.list.setCurrentRow(1)
    dialog.up.click()
    dialog.list.item(2).setCheckState(Qt.CheckState.Unchecked)
    assert (dialog.names, dialog.view.fields.rows) == (
        ("brand", "price"),
        [("brand", HOSTILE), ("price", "12")],
    )
    qtbot.waitUntil(lambda: not dialog.view.fields.has_picture)
    dialog.buttons[-1].click()
    assert window.project is not None and shown_field_names(window.project) == ("brand", "price")
    page.undo_change()
    assert shown_field_names(window.project) == ("price", "brand", "img")


@pytest.mark.slow
def test_a_project_without_fields_offers_no_choice(
    window: Window, project_path: Path, wait_until_idle: Callable[[], None]
) -> None:
    assert window.open(project_path)
    window.show_page("browse")
    wait_until_idle()
    assert not window.pages.view("browse").buttons["fields"].isEnabled()
