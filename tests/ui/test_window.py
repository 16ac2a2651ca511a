"""Tests of the main window: opening projects, navigation, export, settings, errors."""

from collections.abc import Callable
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QFileDialog, QPushButton
from pytestqt.qtbot import QtBot

from irjudge.formats.rankings import read_qrels
from irjudge.judging import choose_qrels
from irjudge.model import Scale
from irjudge.store import create_project, open_project
from irjudge_ui import jobs
from irjudge_ui.pages import PAGES
from irjudge_ui.pages.frame import CrashDialog, Exports
from irjudge_ui.settings import Settings
from irjudge_ui.window import Window

ONE_WINDOW = True


@pytest.mark.usefixtures("own_window")
def test_the_window_starts_with_the_start_page_and_without_a_project(window: Window) -> None:
    assert window.pages.on_top() == "home" and not window.has_project
    assert [name for name, made in window.navigation_bar.buttons.items() if made.isVisible()] == [
        "home",
        "settings",
        "guides",
    ]


@pytest.mark.slow
def test_a_rarely_needed_page_has_a_tab_once_it_was_opened(open_window: Window) -> None:
    open_window.show_page("evaluate")
    assert "live" not in open_window._tabs.buttons
    open_window.do("live")
    assert open_window._tabs.buttons["live"].isChecked()
    open_window.show_page("evaluate")
    assert "live" in open_window._tabs.buttons and "found" not in open_window._tabs.buttons
    assert open_window.settings.used_pages() == ["live"]


@pytest.mark.slow
@pytest.mark.parametrize(
    ("main", "other"), [("agreement", "quality"), ("models", "ask-models"), ("models", "models")]
)
def test_related_pages_share_a_tab_and_each_action_shows_its_part(
    main: str, other: str, open_window: Window, qtbot: QtBot
) -> None:
    open_window.do(main)
    tabs, parts = open_window._tabs.buttons, open_window._parts.buttons
    assert main in tabs and (other == main or other not in tabs)
    assert next(iter(parts)) == main and other in parts and parts[main].isChecked()
    open_window.do(other)
    assert open_window.pages.on_top() == other and parts[other].isChecked()
    assert tabs[main].isChecked() and open_window._parts.isVisible()
    qtbot.mouseClick(tabs["session"], Qt.MouseButton.LeftButton)
    assert not open_window._parts.isVisible()
    qtbot.mouseClick(tabs[main], Qt.MouseButton.LeftButton)
    assert open_window.pages.on_top() == other, "the tab shows the part that was shown last"
    qtbot.mouseClick(open_window._parts.buttons[main], Qt.MouseButton.LeftButton)
    assert open_window.pages.on_top() == main


@pytest.mark.usefixtures("own_window")
def test_a_project_has_at_most_six_entries_and_its_name_leads_to_the_start_page(
    open_window: Window, qtbot: QtBot
) -> None:
    entries = [
        name
        for name, made in open_window.navigation_bar.buttons.items()
        if made.isVisible() and name not in ("home", "settings", "guides")
    ]
    assert len(entries) <= 6
    qtbot.mouseClick(open_window.navigation_bar.buttons["home"], Qt.MouseButton.LeftButton)
    assert open_window.pages.on_top() == "home"


def test_an_opened_project_is_listed_as_recent_and_its_name_is_the_title(
    open_window: Window, project_path: Path
) -> None:
    open_window.show_page("home")
    entries = [
        each.accessibleName()
        for each in open_window.pages.view("home").findChildren(QPushButton)
        if each.isVisible()
    ]
    assert project_path.name in entries and "everyday" in entries
    assert open_window.windowTitle().endswith("irjudge") and open_window.windowTitle() != "irjudge"


@pytest.mark.usefixtures("own_window")
def test_opening_a_project_creates_only_the_page_that_is_shown(
    window: Window, project_path: Path
) -> None:
    assert window.open(project_path)
    made = {page.id for page in PAGES if window.pages.existing_view(page.id)}
    assert made == {"home", "collection"} and window.pages.on_top() == "collection"


def test_opening_the_open_project_again_keeps_it_writable(
    open_window: Window, project_path: Path
) -> None:
    before = open_window.project
    assert open_window.open(project_path)
    assert open_window.project is before and before is not None and before.writing


def test_a_file_that_is_not_a_project_is_refused_and_the_open_one_stays(
    open_window: Window, tmp_path: Path
) -> None:
    before = open_window.project
    (tmp_path / "x.irjudge").write_text("no project", encoding="utf-8")
    assert not open_window.open(tmp_path / "x.irjudge") and not open_window.open(
        tmp_path / "gone.irjudge"
    )
    assert open_window.project is before and open_window.message.text().startswith("✕ ")
    open_window.open(open_window.project.path if open_window.project else tmp_path)
    assert not open_window.message.isVisible()


@pytest.mark.slow
def test_opening_another_project_closes_and_unlocks_the_first(
    open_window: Window, project_path: Path, wait_until_idle: Callable[[], None]
) -> None:
    open_window.open_sample("textbook")
    wait_until_idle()
    assert open_window.project is not None and open_window.project.path.name == "textbook.irjudge"
    with open_project(project_path) as free:
        assert free.writing


def test_a_sample_is_copied_once_and_opened_again_later(
    window: Window, settings: Settings, wait_until_idle: Callable[[], None]
) -> None:
    window.open_sample("everyday")
    wait_until_idle()
    assert window.pages.currentWidget() is window.collection and window.project is not None
    window.close_project()
    window.open_sample("everyday")
    assert (
        not jobs.is_busy()
        and window.project is not None
        and window.project.path == settings.sample_path("everyday")
    )


def test_the_qrels_in_use_are_exported_and_named(
    open_window: Window,
    tmp_path: Path,
    wait_until_idle: Callable[[], None],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    path = tmp_path / "out.qrels"
    monkeypatch.setattr(QFileDialog, "getSaveFileName", lambda *_: (str(path), ""))
    open_window.exports.ask_qrels()
    wait_until_idle()
    assert len(read_qrels(path)) == 61 and "Judgments: 61." in open_window.message.text()
    assert (
        open_window.written_file_buttons.isVisible()
        and open_window.written_file_buttons._path == path
    )
    open_window.judge.give(3)
    assert open_window.project is not None
    choose_qrels(open_window.project, "judged here")
    open_window.exports.ask_qrels()
    wait_until_idle()
    assert "Qrels: judged here (judgments: 1)." in open_window.message.text()
    assert [grade for *_, grade in read_qrels(path).rows()] == [3]


def test_exported_qrels_keep_the_subtopics_of_imported_ones(
    open_window: Window, tmp_path: Path, wait_until_idle: Callable[[], None]
) -> None:
    given, path = tmp_path / "given.qrels", tmp_path / "out.qrels"
    given.write_text("1 1 a 1\n1 2 a 0\n")
    exports = Exports(open_window)
    with create_project(tmp_path / "given.irjudge", scale=Scale.parse("0-1")) as project:
        project.rankings.add_qrels("given", read_qrels(given), given.name)
    with open_project(tmp_path / "given.irjudge") as project:
        exports.project = project
        exports.job_requested.connect(open_window.run)
        exports.write_qrels(path)
        wait_until_idle()
    assert path.read_text() == given.read_text()


def test_an_unwritable_path_is_reported(
    open_window: Window, tmp_path: Path, wait_until_idle: Callable[[], None]
) -> None:
    open_window.exports.write_qrels(tmp_path / "missing" / "out.qrels")
    wait_until_idle()
    assert open_window.message.text().startswith("✕ ")


def test_an_imported_file_is_never_overwritten(
    open_window: Window, tmp_path: Path, wait_until_idle: Callable[[], None]
) -> None:
    """It is recognised by its name; the project stores nothing else about its path."""
    assert open_window.project is not None
    imported = [
        open_window.project.rankings.qrels_names()[0].source,
        open_window.project.rankings.runs()[0].source,
    ]
    for name in imported:
        path = tmp_path / name
        path.write_text("the only copy")
        open_window.exports.write_qrels(path)
        wait_until_idle()
        assert "is one of the input files" in open_window.message.text()
        assert path.read_text() == "the only copy"


def test_theme_and_zoom_are_stored_and_stay_within_their_range(
    window: Window, settings: Settings
) -> None:
    window.appearance.switch_theme()
    assert settings.get("theme") == "dark"
    settings.set("zoom", 3.0)
    window.appearance.zoom_in()
    assert settings.get("zoom") == 3.0
    window.appearance.zoom_reset()
    window.appearance.zoom_out()
    assert settings.get("zoom") == 0.9


@pytest.mark.slow
def test_no_other_project_can_be_opened_while_work_is_running(open_window: Window) -> None:
    open_window.blocking_job._set_enabled(False)
    enabled = [name for name, action in open_window.actions_by_id.items() if action.isEnabled()]
    assert (
        not {"new", "open", "home", "collection", "judge", "evaluate", "export-qrels"}
        & set(enabled)
        and "quit" in enabled
    )
    open_window.blocking_job._set_enabled(True)
    assert all(action.isEnabled() for action in open_window.actions_by_id.values())


def test_closing_while_work_is_running_stops_it_and_unlocks_the_file(
    open_window: Window, project_path: Path, qtbot: QtBot
) -> None:
    open_window.show_page("evaluate")
    open_window.close()
    assert not jobs.is_busy() and open_window.project is None
    with open_project(project_path) as free:
        assert free.writing
    qtbot.wait(20)


def test_the_window_restores_its_position(make_window: Callable[[], Window]) -> None:
    first = make_window()
    first.resize(800, 600)  # no larger than the offscreen screen
    first.close()
    again = Window(first.settings)
    assert (again.width(), again.height()) == (800, 600)
    again.deleteLater()


def test_the_error_dialog_saves_its_details_and_reports_failure(
    window: Window, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, qtbot: QtBot
) -> None:
    dialog = CrashDialog(window, ValueError("<b>bold</b>"), "the trace")
    dialog.open()
    for path in (tmp_path / "missing" / "fault.txt", tmp_path / "fault.txt"):
        monkeypatch.setattr(QFileDialog, "getSaveFileName", lambda *_, path=path: (str(path), ""))
        dialog._save()
        assert dialog.problem.isVisible() is not path.exists()
    assert "the trace" in (tmp_path / "fault.txt").read_text(encoding="utf-8")
    with qtbot.waitSignal(dialog.destroyed):
        qtbot.keyClick(dialog, Qt.Key.Key_Escape)


def test_the_first_window_fits_the_screen_with_its_title_and_borders(
    settings: Settings, qtbot: QtBot
) -> None:
    window = Window(settings)
    qtbot.addWidget(window)
    room = window.screen().availableSize()
    assert window.width() <= max(800, room.width() - 16) and window.height() <= max(
        560, room.height() - 40
    )
    window.close()


def test_messages_use_the_width_of_the_window(
    open_window: Window, wait_until_idle: Callable[[], None]
) -> None:
    open_window.show_message(
        "Saved 140 judgments to /home/somebody/a folder with a name of some length/harbour.qrels."
    )
    wait_until_idle()
    label = open_window.message
    assert label.height() < 2 * label.fontMetrics().height(), "one line is enough"


def test_the_navigation_bar_marks_the_current_page_also_without_an_entry(window: Window) -> None:
    for page in ("guides", "settings", "home"):
        window.show_page(page)
        current = [
            name
            for name, button in window.navigation_bar.buttons.items()
            if button.property("current")
        ]
        assert current == [page]


def test_rarely_needed_pages_are_listed_until_they_have_a_tab(open_window: Window) -> None:
    open_window.settings.set("used_pages", "")
    open_window.show_page("evaluate")
    links = open_window.evaluation.more_pages.links
    assert all(link.isVisible() for link in links.values())
    links["live"].click()
    assert open_window.pages.on_top() == "live"
    open_window.show_page("evaluate")
    assert [name for name, link in links.items() if link.isVisible()] == ["found", "history"]
