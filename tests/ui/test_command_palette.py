"""Tests of the command palette: it finds and runs all that the window offers, no more."""

from collections.abc import Callable
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from pytestqt.qtbot import QtBot

from irjudge.exchange import AssignmentOptions, assign_pool, parse_candidates
from irjudge_ui.actions import ACTIONS, BY_ID, key_cap_text
from irjudge_ui.command_palette import (
    ENTRY_ROLE,
    CommandPalette,
    PaletteEntry,
    find_entries,
)
from irjudge_ui.pages.guides import GUIDES, GuidesView, list_guide_headings
from irjudge_ui.pages.project.browse import BrowseView
from irjudge_ui.pages.project.runs import RunsView
from irjudge_ui.widgets import Table
from irjudge_ui.window import Window
from tests.ui.window_content import find_widget

Opener = Callable[[], CommandPalette]


@pytest.fixture
def open_palette(open_window: Window, qtbot: QtBot) -> Opener:
    """Function that opens the palette of a window with a project."""

    def show() -> CommandPalette:
        open_window.do("command-palette")
        return open_window.findChildren(CommandPalette)[-1]

    return show


def listed_entries(palette: CommandPalette) -> list[PaletteEntry]:
    return [palette.list.item(row).data(ENTRY_ROLE) for row in range(palette.list.count())]


def listed_labels(palette: CommandPalette) -> list[str]:
    return [each.label for each in listed_entries(palette)]


def run_entry(palette: CommandPalette, typed: str, kind: str = "") -> PaletteEntry:
    """Type, run the first entry of a kind with Enter, and return it."""
    palette.field.setText(typed)
    row = next(at for at, each in enumerate(listed_entries(palette)) if kind in ("", each.kind))
    chosen = listed_entries(palette)[row]
    for _ in range(row):
        QTest.keyClick(palette.field, Qt.Key.Key_Down)
    QTest.keyClick(palette.field, Qt.Key.Key_Return)
    return chosen


def make_entry(label: str, kind: str = "Page") -> PaletteEntry:
    return PaletteEntry(label, kind, lambda: None)


def test_the_closest_entry_is_first_and_equally_close_ones_keep_their_order() -> None:
    known = [
        make_entry("Rebuild pool"),
        make_entry("Pool size"),
        make_entry("Build pool"),
        make_entry("Whirlpool"),
        make_entry("Pool"),
        make_entry("Topics", "Pool"),
        make_entry("Runs"),
    ]
    labels = [each.label for each in find_entries(" POOL ", known)]
    assert labels == ["Pool", "Pool size", "Rebuild pool", "Build pool", "Whirlpool", "Topics"]


@pytest.mark.parametrize(
    ("typed", "label", "fits"),
    [
        ("bu po", "Build pool", True),
        ("po bu", "Build pool", True),
        ("build page", "Build pool", True),  # matches the kind
        ("buildpool", "Build pool", False),
        ("@10", "nDCG@10", True),
        ("ndcg@10", "nDCG@10", True),
        ("10", "nDCG@10", True),
        ("(", "Build pool", False),
        ("[a-z]", "Build pool", False),
        ("整", "整理文档", True),
        ("文档", "整理文档", True),
        ("STRASSE", "Straße", True),
    ],
)
def test_words_match_in_any_order_and_case(typed: str, label: str, fits: bool) -> None:
    assert bool(find_entries(typed, [make_entry(label)])) == fits


def test_at_most_the_requested_number_of_entries_is_listed() -> None:
    known = [make_entry(f"topic {number}") for number in range(9)]
    assert [each.label for each in find_entries("topic", known, 2)] == ["topic 0", "topic 1"]


def test_it_opens_with_its_key_and_takes_typed_text(open_window: Window) -> None:
    open_window.activateWindow()
    QTest.keyClick(open_window, Qt.Key.Key_K, Qt.KeyboardModifier.ControlModifier)
    (opened,) = open_window.findChildren(CommandPalette)
    assert opened.focusWidget() is opened.field
    QTest.keyClick(opened.field, Qt.Key.Key_Escape)
    assert not opened.isVisible()


def test_the_search_button_of_the_navigation_bar_opens_it(open_window: Window) -> None:
    QTest.mouseClick(open_window.navigation_bar.search, Qt.MouseButton.LeftButton)
    (opened,) = open_window.findChildren(CommandPalette)
    assert opened.isVisible()
    opened.reject()


@pytest.mark.slow
def test_every_page_and_available_action_is_offered_with_its_keys(
    open_window: Window, open_palette: Opener
) -> None:
    open_window.show_page("collection")
    opened = open_palette()
    offered = {(each.label, each.keys) for each in opened._entries}
    for action in ACTIONS:
        label = action.label[:1].upper() + action.label[1:]
        where = open_window.pages.view(action.page) if action.page else None
        bound = (where.actions_by_id if where else open_window.actions_by_id).get(action.id)
        wanted = (
            action.id != "command-palette"
            and bound is not None
            and (bound.possible if action.page in ("", "collection") else not action.in_context)
        )
        if wanted:
            assert (label, key_cap_text(action.id)) in offered, action.id
    undo = [each for each in opened._entries if each.label == BY_ID["undo-step"].label]
    assert not undo, "what undoes a step of another page is offered there only"
    opened.reject()


def test_enter_shows_a_page_and_runs_an_action_of_another_page(
    open_window: Window, open_palette: Opener
) -> None:
    chosen = run_entry(open_palette(), "compare", "Page")
    assert chosen.label == BY_ID["compare"].label
    assert open_window.pages.on_top() == "compare"
    run_entry(open_palette(), BY_ID["browse"].label, "Page")
    assert open_window.pages.on_top() == "browse"
    before = open_window.settings.get("zoom")
    run_entry(open_palette(), BY_ID["zoom-in"].label)
    assert open_window.settings.get("zoom") > before
    run_entry(open_palette(), BY_ID["catalogue"].label, BY_ID["evaluate"].label)
    assert open_window.pages.on_top() == "evaluate"
    dialogs = [each for each in open_window.evaluation.children() if each.isWidgetType()]
    assert any(each.isWindow() and each.isVisible() for each in dialogs)
    next(each for each in dialogs if each.isWindow()).close()


def test_topics_runs_documents_and_terms_are_opened_on_their_pages(
    open_window: Window, open_palette: Opener, qtbot: QtBot
) -> None:
    project = open_window.project
    assert project is not None
    open_window.show_page("home")
    topic = project.collection.topics()[-1].id
    run_entry(open_palette(), topic, "Topic")
    assert open_window.pages.on_top() == "collection"
    topics = find_widget(open_window.collection, "Topics", Table)
    qtbot.waitUntil(lambda: topics.currentIndex().siblingAtColumn(0).data() == topic)
    run = project.rankings.runs()[-1].name
    run_entry(open_palette(), run, "Run")
    runs = open_window.pages.view("runs")
    assert isinstance(runs, RunsView) and open_window.pages.on_top() == "runs"
    assert runs.run_table.currentIndex().siblingAtColumn(0).data() == run
    opened = open_palette()
    document = project.collection.ids_with_prefix("", 1)[0]
    opened.field.setText(document)
    assert listed_entries(opened)[0].label.startswith(document)
    opened.reject()
    opened = open_palette()
    opened.field.setText("no such words")
    assert [each.kind for each in listed_entries(opened)] == ["Document", "Guide"]
    QTest.keyClick(opened.field, Qt.Key.Key_Return)
    browse = open_window.pages.view("browse")
    assert isinstance(browse, BrowseView) and open_window.pages.on_top() == "browse"
    assert browse.search.text() == "no such words"


def test_measures_and_guides_open_their_text(open_window: Window, open_palette: Opener) -> None:
    run_entry(open_palette(), "rbp", "Measure")
    guides = open_window.pages.view("guides")
    assert isinstance(guides, GuidesView) and open_window.pages.on_top() == "guides"
    assert guides.shown == "measures" and guides.finder.bar.field.text().startswith("RBP")
    opened = open_palette()
    labels_of_guides = {each.label for each in opened._entries if each.kind == "Guide"}
    assert {*GUIDES.values()} <= labels_of_guides
    opened.reject()


def test_without_a_project_only_entries_that_need_none_are_offered(window: Window) -> None:
    window.do("command-palette")
    (opened,) = window.findChildren(CommandPalette)
    kinds = {each.kind for each in opened._entries}
    assert kinds == {"Page", "Action", "Measure", "Guide", BY_ID["guides"].label}
    pages = {each.label for each in opened._entries if each.kind == "Page"}
    assert BY_ID["evaluate"].label not in pages and BY_ID["new"].label in pages
    opened.reject()


@pytest.mark.slow
def test_an_assessor_is_offered_no_run_and_no_page_of_the_organiser(
    open_window: Window, open_path: Callable[[Path], Window], open_palette: Opener, tmp_path: Path
) -> None:
    project = open_window.project
    assert project is not None
    (made,) = assign_pool(
        project, parse_candidates("ann"), AssignmentOptions(), tmp_path / "tasks"
    ).files
    open_window.settings.add_name("ann")
    open_path(made.path)
    shown = open_palette()
    assert {each.kind for each in shown._entries} <= {
        "Page",
        "Action",
        "Topic",
        "Measure",
        "Guide",
        BY_ID["judge"].label,
        BY_ID["guides"].label,
    }
    pages = {each.label for each in shown._entries if each.kind == "Page"}
    assert not pages & {BY_ID[id].label for id in ("evaluate", "collection", "browse", "panels")}
    shown.field.setText("051")
    assert all(each.kind != "Document" for each in listed_entries(shown))
    shown.reject()


@pytest.mark.parametrize("typed", ["kappa", "overlap", "Krippendorff"])
def test_agreement_statistics_open_the_page_of_agreement(
    open_window: Window, open_palette: Opener, typed: str
) -> None:
    opened = open_palette()
    run_entry(opened, typed, BY_ID["agreement"].label)
    QTest.keyClick(opened.field, Qt.Key.Key_Return)
    assert open_window.pages.on_top() == "agreement"


def test_sections_of_guides_are_found_and_guides_can_be_searched_for_any_text(
    open_window: Window, open_palette: Opener
) -> None:
    headings = list_guide_headings("en")
    assert {name for name, _ in headings} <= set(GUIDES) and len(headings) > 50
    guide, heading = headings[len(headings) // 2]
    opened = open_palette()
    assert f"{heading} · {GUIDES[guide]}" in {entry.label for entry in opened._entries}
    opened.field.setText("zzyzx")
    (last,) = (entry for entry in listed_entries(opened) if entry.kind == "Guide")
    last.run()
    view = open_window.pages.view("guides")
    assert isinstance(view, GuidesView) and view.finder.bar.field.text() == "zzyzx"
