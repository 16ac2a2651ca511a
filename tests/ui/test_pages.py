"""Tests of the page registry: complete, pages created on demand and inside the window."""

import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest
from PySide6.QtCore import QEvent, QObject
from PySide6.QtWidgets import QApplication, QComboBox, QLabel, QWidget
from pytestqt.qtbot import QtBot

from irjudge_ui.actions import BY_ID
from irjudge_ui.pages import ENTRIES, PAGES, ShortcutsDialog, sibling_pages
from irjudge_ui.pages.assessors import AssessorsView
from irjudge_ui.pages.results.what_if import RankingTable
from irjudge_ui.widgets import FilterLine, NumberField, Table, current_theme
from irjudge_ui.window import Window
from tests.ui.conftest import DEPTH
from tests.ui.layout_checks import process_layouts
from tests.ui.test_mouse_wheel import find_changed, visible_controls
from tests.ui.test_window_layout import check_tab_order
from tests.ui.window_content import MAX_CHOICES, primary_choices


class WindowRecorder(QObject):
    """Event filter that records widgets shown as windows."""

    def __init__(self) -> None:
        super().__init__()
        self.seen: list[QWidget] = []

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if event.type() == QEvent.Type.Show and isinstance(watched, QWidget) and watched.isWindow():
            self.seen.append(watched)
        return False


EXEMPT = {
    "browse": "the search above finds in whole texts",
    "found": "a few sources and sizes of samples, all of one topic",
    "session": "the people of a session are looked for by its own lists",
}


@pytest.mark.slow
def test_every_page_keeps_the_rules_of_pages(
    assessed_window: Window,
    wait_until_idle: Callable[[], None],
    press: Callable[..., None],
    subtests: pytest.Subtests,
) -> None:
    """One loop over all pages, since creating them takes most of the time."""
    application, window, boxes = QApplication.instance(), assessed_window, 0
    assert application is not None
    window.resize(1366, 768)
    for page in PAGES:
        with subtests.test("made in the window, shown by its action", page=page.id):
            windows = WindowRecorder()
            application.installEventFilter(windows)
            window.do(page.id)
            application.removeEventFilter(windows)
            view = window.pages.view(page.id)
            assert windows.seen == [] and window.isActiveWindow()
            assert window.pages.on_top() == page.id and view.project is window.project
        wait_until_idle()
        process_layouts()
        with subtests.test("primary choices", page=page.id):
            choices = primary_choices(view)
            assert len(choices) <= MAX_CHOICES, choices
        with subtests.test("tables whose rows have no order of their own", page=page.id):
            assert page.id in EXEMPT or unfiltered_tables(view) == []
        with subtests.test("everything focusable has a name, reached with Tab", page=page.id):
            check_tab_order(window, page.id, press)
        with subtests.test("the wheel changes nothing", page=page.id):
            boxes += sum(isinstance(each, QComboBox) for each in visible_controls(view))
            assert find_changed(view) == []
    assert boxes > 20, "the boxes of choices are looked at"


def unfiltered_tables(view: QWidget) -> list[str]:
    """Return the names of tables without a filter, except for rankings."""
    filtered = {line.table for line in view.findChildren(FilterLine)}
    return [
        table.accessibleName()
        for table in view.findChildren(Table)
        if table not in filtered and not isinstance(table, RankingTable)
    ]


def test_every_page_and_every_navigation_entry_has_its_action() -> None:
    assert {page.id for page in PAGES} | set(ENTRIES) <= set(BY_ID)
    assert all(page.entry == "" or sibling_pages(page.entry)[0].id == page.entry for page in PAGES)


def test_a_part_belongs_to_a_page_of_its_entry_that_is_not_a_part_itself() -> None:
    known = {page.id: page for page in PAGES}
    for page in (each for each in PAGES if each.part_of):
        main = known[page.part_of]
        assert main.entry == page.entry and not main.part_of
        assert main.tab_label and page.part_label != main.part_label


LOAD_PAGE = """
import sys
from importlib import import_module
import irjudge_ui.app, irjudge_ui.window
from irjudge_ui.pages.registry import PAGES
for page in PAGES:
    page.load_engine()
    before = {*sys.modules}
    page.import_view()
    print(page.id, *(name for name in {*sys.modules} - before if name.startswith("irjudge.")))
"""


@pytest.mark.slow
def test_a_page_loads_only_the_engine_modules_named_in_its_entry() -> None:
    """Others would be loaded in the window's thread, and block it."""
    done = subprocess.run(
        [sys.executable, "-c", LOAD_PAGE], check=True, capture_output=True, text=True
    )
    assert [line.split() for line in done.stdout.splitlines()] == [[page.id] for page in PAGES]


def test_unopened_pages_are_not_created(window: Window, qtbot: QtBot) -> None:
    assert window.pages.count() == 1


@pytest.mark.slow
def test_text_entered_for_one_project_is_dropped_for_the_next(
    open_window: Window, everyday: Path, tmp_path: Path, wait_until_idle: Callable[[], None]
) -> None:
    pages = [page.id for page in PAGES if page.entry]
    fields = {id: open_window.pages.view(id).findChildren(NumberField) for id in pages}
    before = {id: [field.value() for field in each] for id, each in fields.items()}
    assert len(before["collection"]) >= 2 and len(before["assessors"]) >= 4
    for field in (field for each in fields.values() for field in each):
        field.set_value(7)
    collection, assessors = open_window.collection, open_window.pages.view("assessors")
    collection.pool_form.strategy.setCurrentIndex(1)
    assert isinstance(assessors, AssessorsView)
    assessors.form.people.setText("ann, bob")
    assessors.form.deadline.setText("2027-01-01")
    assert open_window.open(Path(shutil.copy(everyday, tmp_path / "other.irjudge")))
    wait_until_idle()
    before["collection"][0] = DEPTH  # a new pool starts with the options of the newest pool
    assert {id: [field.value() for field in each] for id, each in fields.items()} == before
    assert collection.pool_form.strategy.currentIndex() == 0
    assert (assessors.form.people.text(), assessors.form.deadline.text()) == ("", "")


@pytest.mark.slow
def test_a_new_theme_is_applied_at_once_to_visible_widgets_and_later_to_other_pages(
    open_window: Window,
) -> None:
    open_window.show_page("settings")
    judge, settings = open_window.judge, open_window.pages.view("settings")
    before = judge.styleSheet()
    ShortcutsDialog(open_window).open()
    open_window.settings.set("theme", "dark")
    assert judge.styleSheet() == before != settings.styleSheet()
    assert find_unstyled(open_window) == []
    open_window.settings.set("theme", "contrast-light")
    open_window.show_page("judge")
    assert find_unstyled(open_window) == []
    open_window.findChild(ShortcutsDialog).close()


def find_unstyled(window: Window) -> list[QWidget]:
    """Return the visible widgets without the current style sheet, own or inherited."""
    (worn,) = {
        each.styleSheet()
        for each in (window.pages.currentWidget(), window.navigation_bar, window.steps)
    }
    assert current_theme().line in worn
    shown = [
        each
        for each in window.findChildren(QWidget)
        if each.isVisible() and not each.isAncestorOf(window.pages)
    ]
    return [each for each in shown if not has_style_sheet(each, worn)]


def has_style_sheet(widget: QWidget | None, sheet: str) -> bool:
    return widget is not None and (
        widget.styleSheet() == sheet or has_style_sheet(widget.parentWidget(), sheet)
    )


@pytest.mark.slow
def test_the_text_size_of_a_page_follows_the_zoom_whenever_the_page_was_created(
    open_window: Window,
) -> None:
    open_window.show_page("session")
    open_window.settings.set("zoom", 2.0)
    for id in ("session", "assessors"):  # created before and after the change
        open_window.show_page(id)
        page = open_window.pages.view(id)
        sizes = {
            each.font().pixelSize()
            for each in page.findChildren(QLabel, "quiet")
            if each.isVisible()
        }
        assert sizes == {26}, id
