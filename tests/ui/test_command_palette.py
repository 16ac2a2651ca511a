"""The command palette finds and runs everything that the window offers, and nothing else."""

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
from tests.ui.shown import named

Opener = Callable[[], CommandPalette]


@pytest.fixture
def palette(open_window: Window, qtbot: QtBot) -> Opener:
    """Return what opens the palette of a window with a project."""

    def show() -> CommandPalette:
        open_window.do("command-palette")
        return open_window.findChildren(CommandPalette)[-1]

    return show


def entries(opened: CommandPalette) -> list[PaletteEntry]:
    return [opened.list.item(row).data(ENTRY_ROLE) for row in range(opened.list.count())]


def labels(opened: CommandPalette) -> list[str]:
    return [each.label for each in entries(opened)]


def choose(opened: CommandPalette, typed: str, kind: str = "") -> PaletteEntry:
    """Type, run the first entry of a kind with Enter, and return it."""
    opened.field.setText(typed)
    row = next(at for at, each in enumerate(entries(opened)) if kind in ("", each.kind))
    chosen = entries(opened)[row]
    for _ in range(row):
        QTest.keyClick(opened.field, Qt.Key.Key_Down)
    QTest.keyClick(opened.field, Qt.Key.Key_Return)
    return chosen


def entry(label: str, kind: str = "Page") -> PaletteEntry:
    return PaletteEntry(label, kind, lambda: None)


def test_the_closest_entry_is_first_and_equally_close_ones_keep_their_order() -> None:
    known = [
        entry("Rebuild pool"),
        entry("Pool size"),
        entry("Build pool"),
        entry("Whirlpool"),
        entry("Pool"),
        entry("Topics", "Pool"),
        entry("Runs"),
    ]
    found = [each.label for each in find_entries(" POOL ", known)]
    assert found == ["Pool", "Pool size", "Rebuild pool", "Build pool", "Whirlpool", "Topics"]


@pytest.mark.parametrize(
    ("typed", "label", "fits"),
    [
        ("bu po", "Build pool", True),
        ("po bu", "Build pool", True),
        ("build page", "Build pool", True),  # a word of its kind
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
def test_words_fit_in_any_order_and_case(typed: str, label: str, fits: bool) -> None:
    assert bool(find_entries(typed, [entry(label)])) == fits


def test_no_more_entries_are_shown_than_asked_for() -> None:
    known = [entry(f"topic {number}") for number in range(9)]
    assert [each.label for each in find_entries("topic", known, 2)] == ["topic 0", "topic 1"]


def test_it_opens_with_its_key_and_takes_what_is_typed(open_window: Window) -> None:
    open_window.activateWindow()
    QTest.keyClick(open_window, Qt.Key.Key_K, Qt.KeyboardModifier.ControlModifier)
    (opened,) = open_window.findChildren(CommandPalette)
    assert opened.focusWidget() is opened.field
    QTest.keyClick(opened.field, Qt.Key.Key_Escape)
    assert not opened.isVisible()


def test_the_search_button_of_the_navigation_bar_opens_it(open_window: Window) -> None:
    QTest.mouseClick(open_window.rail.search, Qt.MouseButton.LeftButton)
    (opened,) = open_window.findChildren(CommandPalette)
    assert opened.isVisible()
    opened.reject()


@pytest.mark.slow
def test_every_page_and_action_that_is_possible_is_offered_with_its_keys(
    open_window: Window, palette: Opener
) -> None:
    open_window.show_page("collection")
    opened = palette()
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
    open_window: Window, palette: Opener
) -> None:
    chosen = choose(palette(), "compare", "Page")
    assert chosen.label == BY_ID["compare"].label
    assert open_window.pages.on_top() == "compare"
    choose(palette(), BY_ID["browse"].label, "Page")
    assert open_window.pages.on_top() == "browse"
    before = open_window.settings.get("zoom")
    choose(palette(), BY_ID["zoom-in"].label)
    assert open_window.settings.get("zoom") > before
    choose(palette(), BY_ID["catalogue"].label, BY_ID["evaluate"].label)
    assert open_window.pages.on_top() == "evaluate"
    dialogs = [each for each in open_window.evaluation.children() if each.isWidgetType()]
    assert any(each.isWindow() and each.isVisible() for each in dialogs)
    next(each for each in dialogs if each.isWindow()).close()


def test_topics_runs_documents_and_words_are_shown_where_one_looks_into_them(
    open_window: Window, palette: Opener, qtbot: QtBot
) -> None:
    project = open_window.project
    assert project is not None
    open_window.show_page("home")
    topic = project.collection.topics()[-1].id
    choose(palette(), topic, "Topic")
    assert open_window.pages.on_top() == "collection"
    topics = named(open_window.collection, "Topics", Table)
    qtbot.waitUntil(lambda: topics.currentIndex().siblingAtColumn(0).data() == topic)
    run = project.rankings.runs()[-1].name
    choose(palette(), run, "Run")
    runs = open_window.pages.view("runs")
    assert isinstance(runs, RunsView) and open_window.pages.on_top() == "runs"
    assert runs.run_table.currentIndex().siblingAtColumn(0).data() == run
    opened = palette()
    document = project.collection.beginning("", 1)[0]
    opened.field.setText(document)
    assert entries(opened)[0].label.startswith(document)
    opened.reject()
    opened = palette()
    opened.field.setText("no such words")
    assert [each.kind for each in entries(opened)] == ["Document", "Guide"]
    QTest.keyClick(opened.field, Qt.Key.Key_Return)
    browse = open_window.pages.view("browse")
    assert isinstance(browse, BrowseView) and open_window.pages.on_top() == "browse"
    assert browse.search.text() == "no such words"


def test_measures_and_guides_open_their_text(open_window: Window, palette: Opener) -> None:
    choose(palette(), "rbp", "Measure")
    guides = open_window.pages.view("guides")
    assert isinstance(guides, GuidesView) and open_window.pages.on_top() == "guides"
    assert guides.shown == "measures" and guides.finder.bar.field.text().startswith("RBP")
    opened = palette()
    labels_of_guides = {each.label for each in opened._entries if each.kind == "Guide"}
    assert {*GUIDES.values()} <= labels_of_guides
    opened.reject()


def test_without_a_project_only_what_needs_none_is_offered(window: Window) -> None:
    window.do("command-palette")
    (opened,) = window.findChildren(CommandPalette)
    kinds = {each.kind for each in opened._entries}
    assert kinds == {"Page", "Action", "Measure", "Guide", BY_ID["guides"].label}
    pages = {each.label for each in opened._entries if each.kind == "Page"}
    assert BY_ID["evaluate"].label not in pages and BY_ID["new"].label in pages
    opened.reject()


@pytest.mark.slow
def test_an_assessor_is_offered_no_run_and_no_page_of_the_organiser(
    open_window: Window, opened: Callable[[Path], Window], palette: Opener, tmp_path: Path
) -> None:
    project = open_window.project
    assert project is not None
    (made,) = assign_pool(
        project, parse_candidates("ann"), AssignmentOptions(), tmp_path / "tasks"
    ).files
    open_window.settings.add_name("ann")
    opened(made.path)
    shown = palette()
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
    assert all(each.kind != "Document" for each in entries(shown))
    shown.reject()


@pytest.mark.parametrize("typed", ["kappa", "overlap", "Krippendorff"])
def test_agreement_statistics_open_the_page_of_agreement(
    open_window: Window, palette: Opener, typed: str
) -> None:
    opened = palette()
    choose(opened, typed, BY_ID["agreement"].label)
    QTest.keyClick(opened.field, Qt.Key.Key_Return)
    assert open_window.pages.on_top() == "agreement"


def test_sections_of_guides_are_found_and_any_text_can_be_searched_in_them(
    open_window: Window, palette: Opener
) -> None:
    headings = list_guide_headings("en")
    assert {name for name, _ in headings} <= set(GUIDES) and len(headings) > 50
    guide, heading = headings[len(headings) // 2]
    opened = palette()
    assert f"{heading} · {GUIDES[guide]}" in {entry.label for entry in opened._entries}
    opened.field.setText("zzyzx")
    (last,) = (entry for entry in entries(opened) if entry.kind == "Guide")
    last.run()
    view = open_window.pages.view("guides")
    assert isinstance(view, GuidesView) and view.finder.bar.field.text() == "zzyzx"
