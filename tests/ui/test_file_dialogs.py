"""Tests of file dialogs: each starts in the folder used last, in this session and the next."""

from pathlib import Path

import pytest
from PySide6.QtWidgets import QFileDialog, QWidget
from pytestqt.qtbot import QtBot

import irjudge_ui
from irjudge_ui.file_dialogs import LAST_FOLDERS, ask_file, ask_files, ask_folder, ask_save_path
from irjudge_ui.pages.project.file_import import FileImporter
from irjudge_ui.settings import Settings
from irjudge_ui.window import Window

Started = list[str]


@pytest.fixture
def parent(qtbot: QtBot, settings: Settings) -> QWidget:
    made = QWidget()
    qtbot.addWidget(made)
    LAST_FOLDERS.use(settings)
    return made


@pytest.fixture
def start_folders(monkeypatch: pytest.MonkeyPatch) -> Started:
    """The folder in which each dialog started; each dialog returns a file in /there."""
    begun: Started = []

    def answer(
        _parent: QWidget, _title: str, start: str = "", *_kinds: str, answer: object
    ) -> object:
        begun.append(start)
        return answer

    for name, given in {
        "getOpenFileName": ("/there/a.txt", ""),
        "getOpenFileNames": (["/there/a.txt", "/there/b.txt"], ""),
        "getSaveFileName": ("/out/a.xlsx", "Excel"),
        "getExistingDirectory": "/there/folder",
    }.items():
        monkeypatch.setattr(QFileDialog, name, lambda *all, given=given: answer(*all, answer=given))
    return begun


def test_an_open_dialog_starts_where_a_file_was_opened_last(
    parent: QWidget, start_folders: Started, settings: Settings
) -> None:
    assert ask_file(parent, "Open") == Path("/there/a.txt")
    assert ask_files(parent, "Open") == (Path("/there/a.txt"), Path("/there/b.txt"))
    assert ask_folder(parent, "Open") == Path("/there/folder")
    LAST_FOLDERS.use(Settings(settings._file))  # as after a restart
    ask_file(parent, "Open")
    assert start_folders == ["", "/there", "/there", "/there"]


def test_a_save_dialog_starts_in_the_folder_used_last_for_the_project(
    parent: QWidget, start_folders: Started
) -> None:
    neighbour, other = Path("/work") / "one.xlsx", Path("/other") / "two.xlsx"
    assert ask_save_path(parent, "Save", neighbour, "Excel (*.xlsx)") == (
        Path("/out/a.xlsx"),
        "Excel",
    )
    ask_save_path(parent, "Save", neighbour.with_suffix(".html"))
    ask_save_path(parent, "Save", other)
    ask_folder(parent, "Where", neighbour.parent)
    ask_folder(parent, "Where", neighbour.parent)
    assert start_folders == [str(neighbour), "/out/one.html", str(other), "/out", "/there/folder"]


def test_a_cancelled_dialog_does_not_change_where_the_next_starts(
    parent: QWidget, start_folders: Started, monkeypatch: pytest.MonkeyPatch
) -> None:
    ask_file(parent, "Open")
    monkeypatch.setattr(
        QFileDialog,
        "getOpenFileName",
        lambda _parent, _title, start, _kinds: (start_folders.append(start) or "", ""),
    )
    assert ask_file(parent, "Open") is None and ask_file(parent, "Open") is None
    assert start_folders == ["", "/there", "/there"]


def test_a_dialog_of_the_window_has_the_style_of_its_pages(
    qtbot: QtBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    window, page = QWidget(), QWidget()
    qtbot.addWidget(window)
    page.setParent(window)
    page.setStyleSheet("QPushButton { color: red }")
    window.show()
    parents: list[QWidget] = []
    monkeypatch.setattr(
        QFileDialog,
        "getSaveFileName",
        lambda parent, *_: (parents.append(parent) or "", ""),
    )
    for parent in (window, page):
        ask_save_path(parent, "Save", Path("a.txt"))
    assert parents == [page, page]


@pytest.mark.parametrize("stored", ["", "{", "[1]", '{"": null}'])
def test_invalid_stored_folders_are_ignored(stored: str, settings: Settings) -> None:
    settings.set("folders", stored)
    assert settings.folders() in ({}, {"": "None"})


def test_only_one_module_opens_file_dialogs() -> None:
    folder = Path(irjudge_ui.__file__).parent
    asking = {
        path.name
        for path in folder.rglob("*.py")
        if "QFileDialog.get" in path.read_text(encoding="utf-8")
    }
    assert asking == {"file_dialogs.py"}


def test_each_dialog_has_a_title_of_its_own(
    open_window: Window, monkeypatch: pytest.MonkeyPatch
) -> None:
    titles: list[str] = []

    def note(_parent: QWidget, title: str, *_rest: object) -> tuple[str, str]:
        titles.append(title)
        return "", ""

    for name in ("getOpenFileName", "getOpenFileNames"):
        monkeypatch.setattr(QFileDialog, name, note)
    importer = FileImporter(open_window.collection, open_window)
    for kind in ("documents", "topics", "runs", "qrels", "sides"):
        importer.asks(kind)()
    new = open_window.pages.view("new")
    for row in new.rows.values():
        row._ask_files()
    open_window.pages.view("assessors").ask_files()
    open_window.pages.view("files").ask_files()
    assert len(titles) == len(set(titles)) == 7 + len(new.rows)
