"""Tests of the start page: unfinished work is prominent, and recent projects precede samples."""

import shutil
import threading
from collections.abc import Callable
from pathlib import Path

import pytest
from PySide6.QtCore import QMimeData, QPoint, QPointF, Qt, QUrl
from PySide6.QtGui import QDragEnterEvent, QDropEvent, QGuiApplication
from PySide6.QtWidgets import QApplication, QMenu, QPushButton
from pytestqt.qtbot import QtBot

from irjudge.shipped import sample_folders
from irjudge_ui.pages.home import unfinished_counts
from irjudge_ui.pages.project.new_project import NewProjectView
from irjudge_ui.window import Window
from tests.ui.layout_checks import process_layouts
from tests.ui.window_content import visible_text

ONE_WINDOW = True
Press = Callable[..., None]


def primary_buttons(window: Window, *seen: tuple[Path, dict[str, str]]) -> list[QPushButton]:
    """Add recent projects, the newest first, and return the primary buttons of the start page."""
    for path, facts in reversed(seen):
        path.touch()
        window.settings.add_recent(path)
        window.settings.keep_last_seen(path, facts)
    window.show_page("home")
    process_layouts()
    return [
        each
        for each in window.pages.view("home").findChildren(QPushButton, "primary")
        if each.isVisible()
    ]


def make_progress_values(judged: str, assigned: str, **more: str) -> dict[str, str]:
    return {"judged": judged, "assigned": assigned} | more


@pytest.mark.parametrize(
    ("values", "expected"),
    [
        ({}, None),
        (make_progress_values("0", "0"), None),
        (make_progress_values("39", "39"), None),
        (make_progress_values("0", "39"), ("0", "39")),
        (make_progress_values("25", "1,039"), ("25", "1,039")),
        (make_progress_values("25", "39", handed="2026-05-02"), None),
        (make_progress_values("25", "39", handed="2026-05-02", changed="yes"), ("25", "39")),
        (make_progress_values("many", "39"), None),
    ],
)
def test_work_is_unfinished_while_judgments_are_missing(
    values: dict[str, str], expected: tuple[str, str] | None
) -> None:
    assert unfinished_counts(values) == expected


def test_a_user_with_unfinished_work_can_continue_it(window: Window, tmp_path: Path) -> None:
    (before,) = primary_buttons(window)
    assert before.text() == "New project" and QApplication.focusWidget() is before
    done, left = tmp_path / "bob.irtask", tmp_path / "ann.irtask"
    (primary,) = primary_buttons(
        window, (done, make_progress_values("9", "9")), (left, make_progress_values("25", "39"))
    )
    assert (
        primary.text() == "Continue ann.irtask (25 of 39)" and QApplication.focusWidget() is primary
    )
    opened: list[Path] = []
    window.pages.view("home").open_file.disconnect()
    window.pages.view("home").open_file.connect(opened.append)
    primary.click()
    window.pages.view("home").open_file.connect(window.open)
    assert opened == [left]


def test_work_whose_file_is_missing_is_not_prominent(
    window: Window, tmp_path: Path, qtbot: QtBot, wait_until_idle: Callable[[], None]
) -> None:
    left = tmp_path / "ann.irtask"
    primary_buttons(window, (left, make_progress_values("25", "39")))
    wait_until_idle()
    left.unlink()
    window.show_page("home")
    wait_until_idle()
    home = window.pages.view("home")
    qtbot.waitUntil(
        lambda: (
            [each.text() for each in home.findChildren(QPushButton, "primary") if each.isVisible()]
            == ["New project"]
        )
    )


def test_tab_reaches_recent_projects_before_the_samples(
    window: Window, tmp_path: Path, press: Press
) -> None:
    primary_buttons(
        window,
        (tmp_path / "ann.irtask", make_progress_values("25", "39")),
        (tmp_path / "bob.irtask", make_progress_values("39", "39")),
    )
    seen = []
    for _ in range(6 + len(sample_folders())):
        seen.append(
            QApplication.focusWidget().accessibleName()
            or QApplication.focusWidget().property("text")
        )
        press(Qt.Key.Key_Tab)
    assert seen[1:] == [
        "New project",
        "Open project",
        "Evaluate files",
        "ann.irtask",
        "bob.irtask",
        *sample_folders(),
    ]


def test_recent_projects_have_a_context_menu(
    window: Window, tmp_path: Path, qtbot: QtBot, press: Press
) -> None:
    path = tmp_path / "ann.irtask"
    primary_buttons(window, (path, make_progress_values("25", "39")))
    home = window.pages.view("home")
    (entry,) = [
        each
        for each in home.findChildren(QPushButton)
        if each.accessibleName() == "ann.irtask" and each.isVisible()
    ]

    def choose_entry(label: str) -> None:
        entry.customContextMenuRequested.emit(QPoint(3, 3))
        menu = next(each for each in entry.findChildren(QMenu) if each.isVisible())
        assert [each.text() for each in menu.actions()] == [
            "Open",
            "Show in folder",
            "Copy path",
            "Remove from list",
        ]
        next(each for each in menu.actions() if each.text() == label).trigger()
        menu.close()

    choose_entry("Copy path")
    assert QGuiApplication.clipboard().text() == str(path)
    choose_entry("Remove from list")
    assert (
        path.exists()
        and path not in window.settings.recent()
        and "Recent" not in visible_text(home)
    )


def drop(window: Window, *paths: Path, accepted: bool = True) -> None:
    data = QMimeData()
    data.setUrls([QUrl.fromLocalFile(str(path)) for path in paths])
    copy = Qt.DropAction.CopyAction
    left = Qt.MouseButton.LeftButton
    none = Qt.KeyboardModifier.NoModifier
    for event in (
        QDragEnterEvent(QPoint(5, 5), copy, data, left, none),
        QDropEvent(QPointF(5, 5), copy, data, left, none),
    ):
        QApplication.sendEvent(window, event)
        assert event.isAccepted() == accepted


def chosen_files(window: Window) -> dict[str, list[str]]:
    page = window.pages.currentWidget()
    assert isinstance(page, NewProjectView)
    return {
        kind: [path.name for path in row.chosen] for kind, row in page.rows.items() if row.chosen
    }


def test_dropped_topics_and_documents_become_a_project(
    window: Window, wait_until_idle: Callable[[], None], qtbot: QtBot
) -> None:
    everyday = sample_folders()["everyday"]
    window.show_page("home")
    drop(window, everyday / "topics.txt", everyday / "documents.jsonl")
    qtbot.waitUntil(lambda: window.pages.on_top() == "new")
    wait_until_idle()
    assert chosen_files(window) == {"topics": ["topics.txt"], "documents": ["documents.jsonl"]}
    assert "belong in a project" in window.message.text()
    # dropped beside the rows: each file is assigned to the row of its kind
    drop(window, everyday / "qrels.txt", everyday / "runs" / "bm25.run")
    wait_until_idle()
    assert chosen_files(window) == {
        "topics": ["topics.txt"],
        "documents": ["documents.jsonl"],
        "qrels": ["qrels.txt"],
        "runs": ["bm25.run"],
    }


def test_files_dropped_while_a_job_writes_are_refused(
    open_window: Window, project_path: Path, tmp_path: Path, wait_until_idle: Callable[[], None]
) -> None:
    other = shutil.copy(project_path, tmp_path / "other.irjudge")
    project, ended = open_window.project, threading.Event()
    results: list[object] = []
    open_window.run("Building", lambda _progress: ended.wait(20), results.append)
    for path in (other, sample_folders()["everyday"] / "qrels.txt"):
        drop(open_window, path, accepted=False)
    assert open_window.blocking_job.title == "Building" and open_window.pages.on_top() != "files"
    ended.set()
    wait_until_idle()
    assert open_window.project is project and results == [True]
    drop(open_window, other)
    wait_until_idle()
    assert open_window.project is not None and open_window.project.path.name == "other.irjudge"


def test_each_project_has_one_line_and_the_samples_stay_visible(
    window: Window, tmp_path: Path
) -> None:
    before = window.size()
    window.resize(1366, 768)
    folder = (
        tmp_path / "a long name of a folder" / "with another long name of a folder" / "below it"
    )
    folder.mkdir(parents=True)
    progress_values = {"judged": "3", "assigned": "3", "handed": "2026-05-02", "changed": "yes"}
    projects = [
        ((tmp_path if at % 2 else folder) / f"{at}.irjudge", progress_values if at % 3 else {})
        for at in range(8)
    ]
    primary_buttons(window, *projects)
    home = window.pages.view("home")
    entries = list(home._recent_entries.values())
    assert len(entries) == 8 and len({entry.height() for entry in entries}) == 1
    for entry, (path, _) in zip(entries, projects, strict=True):
        assert str(path) in entry.toolTip()
    for sample in home._samples:
        assert sample.visibleRegion().boundingRect() == sample.rect()
    window.resize(before)
