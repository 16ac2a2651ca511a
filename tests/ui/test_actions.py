"""The table of actions: complete, free of clashes, and every key does something."""

from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from PySide6.QtCore import QKeyCombination, Qt
from PySide6.QtGui import QKeySequence
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QFileDialog, QLabel, QLineEdit
from pytestqt.qtbot import QtBot

from irjudge.errors import CommitFailed
from irjudge.exchange import (
    AssignmentOptions,
    assign_comparison_to_owner,
    assign_pool,
    parse_candidates,
)
from irjudge.exchange import ComparisonOptions as Comparison
from irjudge.formats import ReadingOptions
from irjudge.judging import QueueItem, Session, choose_qrels, import_judgments, list_grades_in_force
from irjudge.model import LEFT_HAND_KEYS, Document, ModelJudge
from irjudge.report.figures import catalogue
from irjudge.store import EventLog, IndexState, Project, sample_sources
from irjudge.store.collection import PDF_PREFIX
from irjudge_ui.actions import (
    ACTIONS,
    BY_ID,
    KEYS,
    Action,
    BoundAction,
    bind_key_cap,
    format_keys,
    key_cap_text,
)
from irjudge_ui.keymap import KeyMap
from irjudge_ui.pages import BY_ID as SHOWN
from irjudge_ui.pages import PAGES, ShortcutsDialog
from irjudge_ui.pages.assessors import AssessorsView
from irjudge_ui.pages.assessors.adjudicate import AdjudicateView
from irjudge_ui.pages.assessors.quality import QualityView
from irjudge_ui.pages.figures import FiguresView
from irjudge_ui.pages.judge import JudgeView
from irjudge_ui.pages.models import ModelsView
from irjudge_ui.pages.project.runs import RunsView
from irjudge_ui.pages.results import EvaluateView, FilesView
from irjudge_ui.pages.results.live import LiveView
from irjudge_ui.pages.session import close_controller
from irjudge_ui.pages.session.session import SessionView
from irjudge_ui.pages.side_by_side import ComparisonView
from irjudge_ui.settings import Settings
from irjudge_ui.widgets import Table
from irjudge_ui.window import Window
from tests.lengths import short_or_long
from tests.ui.shown import named


def deeds(window: Window, page: str) -> dict[str, BoundAction]:
    """What the window, or one of its pages, can do."""
    found: dict[str, BoundAction] = getattr(
        window.pages.view(page) if page else window, "actions_by_id", {}
    )
    return found


@pytest.mark.slow
def test_window_and_pages_do_what_the_table_says_they_do(window: Window) -> None:
    for page in ("", *(each.id for each in PAGES)):
        assert sorted(deeds(window, page)) == sorted(
            action.id for action in ACTIONS if action.page == page
        ), page
        assert all(isinstance(each.possible, bool) for each in deeds(window, page).values())
    for action in ACTIONS:
        assert (
            action.label
            and action.keys
            and all(not QKeySequence(key).isEmpty() for key in action.keys)
        ), action.id


def test_ids_are_different_and_no_two_actions_of_one_place_share_keys() -> None:
    assert len({action.id for action in ACTIONS}) == len(ACTIONS)
    for page in {action.page for action in ACTIONS}:
        keys = [
            QKeySequence(key).toString()
            for action in ACTIONS
            if action.page in ("", page)
            for key in action.keys
        ]
        assert sorted(keys) == sorted(set(keys)), page


def test_no_action_takes_a_digit_that_grades() -> None:
    assert not [
        key
        for action in ACTIONS
        if action.page in ("", "judge")
        for key in action.keys
        if key.isdigit()
    ]


@pytest.mark.parametrize(
    ("keys", "shown"),
    [
        ("Ctrl+Shift+Z", "Ctrl Shift Z"),
        ("Ctrl++", "Ctrl +"),
        ("?", "?"),
        ("Ctrl+-", "Ctrl -"),
        ("+", "+"),
    ],
)
def test_keys_are_shown_as_on_a_key_cap(keys: str, shown: str) -> None:
    assert format_keys(keys) == shown
    assert format_keys("Ctrl+Return") == "Ctrl Enter"


@pytest.fixture
def first_page() -> str:
    return "home"


def state(window: Window) -> tuple[Any, ...]:
    """What a person would notice: page, project, judgments, runs, pool, sizes, colours, focus, dialogs, words."""
    rankings = window.project.rankings if window.project else None
    desks = window.findChildren(JudgeView)  # none before somebody judges
    popup = QApplication.activePopupWidget()
    return (
        window.isVisible(),
        window.pages.currentWidget(),
        rankings and (rankings.runs(), rankings.pool_version()),
        [
            (desk.session.current(), desk.session.can_undo, desk.session.can_redo)
            for desk in desks
            if desk.session
        ],
        window.settings.get("zoom"),
        window.settings.get("theme"),
        QApplication.focusWidget(),
        len([each for each in QApplication.topLevelWidgets() if each.isVisible()]),
        type(popup),
        window.message.text(),
        [
            (
                desk.grade_panel.message.text(),
                desk.document.textCursor().selectedText(),
                desk.several.visible_items,
            )
            for desk in desks
        ],
        [
            (page.foot.message, page.opened.isVisible(), page.turns.shown)
            for page in window.findChildren(ComparisonView)
        ],
        [
            (page.panel.message(), page.votes.are_names_hidden)
            for page in window.findChildren(AdjudicateView)
        ],
    )


def full_disk(*_: object) -> None:
    raise CommitFailed("Not saved: the disk is full.")


def prepare(window: Window, action: Action, idle: Callable[[], None], qtbot: QtBot) -> None:
    """Bring the window to where the action has something to do."""
    for name in (action.page, action.id):
        if name in BEFORE and action.id != "assign":  # it needs a pool that is not assigned yet
            BEFORE[name](window, qtbot)
    window.show_page(
        action.page
        or {
            "home": "judge",
            "copy-table": "compare",
            "copy-rows": "compare",
            "print": "evaluate",
        }.get(action.id, "home")
    )
    idle()
    leaves = action.id in SHOWN and action.id != "home"  # what it shows need not be ready
    for name in () if leaves else (action.page, action.id):
        if name in AFTER:
            AFTER[name](window, action, idle, qtbot)


def judge_one(window: Window, qtbot: QtBot) -> None:
    sit_down(window, qtbot)
    window.judge.give(1)


def rest_on_what_was_judged_here(window: Window, qtbot: QtBot) -> None:
    """The shipped qrels leave nothing open."""
    judge_one(window, qtbot)
    assert window.project is not None
    choose_qrels(window.project, "judged here")


def judge_and_undo(window: Window, qtbot: QtBot) -> None:
    judge_one(window, qtbot)
    window.judge.turns.undo()


def sit_down(window: Window, qtbot: QtBot) -> None:
    """Go to the desk and wait for the first document."""
    window.show_page("judge")
    qtbot.waitUntil(lambda: window.judge.can_judge)


def fail_to_save(window: Window, qtbot: QtBot) -> None:
    sit_down(window, qtbot)
    with pytest.MonkeyPatch.context() as broken:
        broken.setattr(EventLog, "append", full_disk)
        window.judge.give(1)


def be_of_a_file(window: Window, *_: object) -> None:
    """Let the document on the desk be one whose pages can be shown."""
    assert window.judge.session is not None
    document = window.judge.session.current().document
    project = window.judge.session.project
    project.collection.add_documents([replace(document, id="filed", pdf=b"%PDF-1.7")])
    project.set_setting(PDF_PREFIX + document.id, project.get_setting(PDF_PREFIX + "filed") or "")


def know_a_field(window: Window, *_: object) -> None:
    """Let a document of the project have a field that can be shown."""
    assert window.project is not None
    window.project.collection.add_documents(
        [Document("priced", b"text", fields=(("price", "12"),))]
    )
    window.pages.view("browse").refresh()


def runs_page(window: Window) -> RunsView:
    page = window.pages.view("runs")
    assert isinstance(page, RunsView)
    return page


def remove_a_run(window: Window, _qtbot: QtBot) -> None:
    window.show_page("runs")
    runs_page(window).run_table.selectRow(0)
    runs_page(window).remove_run()


def remove_a_run_and_bring_it_back(window: Window, qtbot: QtBot) -> None:
    remove_a_run(window, qtbot)
    window.collection.undo_change()


def hand_out(window: Window, _qtbot: QtBot) -> None:
    assert window.project is not None
    assign_pool(
        window.project,
        parse_candidates("ann, bob"),
        AssignmentOptions(),
        window.project.path.parent / "out",
    )


def design_a_comparison(window: Window, _qtbot: QtBot) -> None:
    assert window.project is not None
    assign_comparison_to_owner(window.project, Comparison((("bm25", "ql"),)))


def judge_by_two(window: Window, _qtbot: QtBot) -> None:
    assert window.project is not None
    let_two_disagree(window.project)


def judge_beside_a_model(window: Window, _qtbot: QtBot) -> None:
    assert window.project is not None
    let_two_disagree(window.project)
    path = window.project.path.parent / "labels.txt"
    path.write_text(
        "".join(
            f"{event.item.topic} 0 {event.item.documents[0]} 1\n"
            for event in list_grades_in_force(window.project, "ann")
        )
    )
    import_judgments(window.project, path, ReadingOptions(judge=ModelJudge("m-1")))


def name_a_model(window: Window, *_: object) -> None:
    page = window.pages.view("models")
    assert isinstance(page, ModelsView)
    page.name.setText("m-2")


BEFORE: dict[str, Callable[[Window, QtBot], None]] = {
    **dict.fromkeys(("redo", "go-on"), judge_and_undo),
    **dict.fromkeys(("undo", "back", "hand-in", "alike", "why-shown"), judge_one),
    "live": rest_on_what_was_judged_here,
    **dict.fromkeys(("retry", "save-copy"), fail_to_save),
    **dict.fromkeys(("undo-change", "undo-documents", "undo-runs"), remove_a_run),
    **dict.fromkeys(("redo-change", "redo-documents", "redo-runs"), remove_a_run_and_bring_it_back),
    "assessors": hand_out,
    "panels": design_a_comparison,
    **dict.fromkeys(("adjudicate", "quality"), judge_by_two),
    "save-audit": judge_beside_a_model,
    "zoom-reset": lambda window, _qtbot: window.appearance.zoom_in(),
}


def choose_a_run(window: Window, *_: object) -> None:
    runs_page(window).run_table.selectRow(0)


def exchange_two(window: Window, _action: Action, idle: Callable[[], None], _qtbot: QtBot) -> None:
    window.pages.view("explain").what_if.exchange(1, 2)
    idle()


def name_an_assessor(window: Window, *_: object) -> None:
    page = window.pages.view("assessors")
    assert isinstance(page, AssessorsView)
    page.form.people.setText("cleo")
    named(page, "Files", Table).selectRow(0)


def wait_for_the_document(
    window: Window, _action: Action, _idle: Callable[[], None], qtbot: QtBot
) -> None:
    qtbot.waitUntil(lambda: window.judge.can_judge)


def wait_for_the_sides(
    window: Window, action: Action, _idle: Callable[[], None], qtbot: QtBot
) -> None:
    qtbot.waitUntil(lambda: window.panels.can_compare)
    prepare_panels(window.panels, action, qtbot)


def let_two_disagree(project: Project) -> None:
    for name, grade in (("ann", 0), ("bob", 3)):
        session = Session(project, name)
        topic = min(session.queue.topics)
        for document in sorted(session.queue.documents(topic))[:2]:
            session.grade(session.open_item(QueueItem(topic, document)), grade)


def prepare_decision(window: Window, action: Action, qtbot: QtBot) -> None:
    """Decide what the action needs decided."""
    view = window.pages.view("adjudicate")
    assert isinstance(view, AdjudicateView)
    qtbot.waitUntil(lambda: view.can_decide)
    with pytest.MonkeyPatch.context() as broken:
        if action.id == "save-decision":
            broken.setattr(EventLog, "append", full_disk)
        if action.id in ("undo-decision", "redo-decision", "save-decision"):
            view.give(1)
    if action.id == "redo-decision":
        view.turns.undo()
    qtbot.waitUntil(lambda: view.can_decide)


def prepare_aside(window: Window, action: Action, idle: Callable[[], None]) -> None:
    """Set somebody aside, and undo it where that is to be brought back."""
    view = window.pages.view("quality")
    assert isinstance(view, QualityView)
    view.set_aside()
    if action.id == "redo-aside":
        view.undo_change()
    idle()


def prepare_panels(view: ComparisonView, action: Action, qtbot: QtBot) -> None:
    """Compare what the action needs compared."""
    if action.id in ("panel-undo", "panel-redo", "panel-go-on", "panel-hand-in"):
        view.prefer("left", 1)
        qtbot.waitUntil(lambda: view.can_compare)
    if action.id in ("panel-redo", "panel-go-on"):
        view.turns.undo()
        qtbot.waitUntil(lambda: view.can_compare)
    if action.id in ("panel-retry", "panel-copy"):
        with pytest.MonkeyPatch.context() as broken:
            broken.setattr(EventLog, "append", full_disk)
            view.prefer("left", 1)


def want_an_index(window: Window, *_: object) -> None:
    window.pages.view("browse")._index = IndexState(40, is_ready=False, needs_consent=True)


def evaluate_files(
    window: Window, _action: Action, idle: Callable[[], None], _qtbot: QtBot
) -> None:
    page = window.pages.view("files")
    assert isinstance(page, FilesView)
    sources, _ = sample_sources("everyday")
    page.add_files([*sources.qrels, *sources.runs])
    idle()


def choose_all_pairs(window: Window, *_: object) -> None:
    table = named(window.pages.view("compare"), "Pairs of runs", Table)
    table.setFocus()
    table.selectAll()


def begin_a_session(
    window: Window, _action: Action, _idle: Callable[[], None], qtbot: QtBot
) -> None:
    page = window.pages.view("session")
    assert isinstance(page, SessionView)
    page.form.address.clear()
    page.begin()
    qtbot.waitUntil(lambda: page.controller is not None)


AFTER: dict[str, Callable[[Window, Action, Callable[[], None], QtBot], None]] = {
    "files-report": evaluate_files,
    "add-labels": name_a_model,
    "ask-start": lambda window, *_: window.pages.view("ask-models").ask.setFocus(),
    "big-screen": begin_a_session,
    "copy-rows": choose_all_pairs,
    "remove-run": choose_a_run,
    **dict.fromkeys(  # the search field undoes what was typed in it
        ("search", "undo-documents", "redo-documents"),
        lambda window, *_: window.pages.view("browse").table.setFocus(),
    ),
    "make-index": want_an_index,
    "pages": be_of_a_file,
    "fields": know_a_field,
    **dict.fromkeys(("undo-step", "reset-steps"), exchange_two),
    "assessors": name_an_assessor,
    **dict.fromkeys(("judge", "home"), wait_for_the_document),
    "panels": wait_for_the_sides,
    "adjudicate": lambda window, action, _idle, qtbot: prepare_decision(window, action, qtbot),
    **dict.fromkeys(
        ("undo-aside", "redo-aside"),
        lambda window, action, idle, _qtbot: prepare_aside(window, action, idle),
    ),
}


def press_keys(key: str) -> None:
    combination: QKeyCombination = QKeySequence(key)[0]
    focus = QApplication.focusWidget()
    assert focus is not None
    QTest.keyClick(focus, combination.key(), combination.keyboardModifiers())


def close_all(window: Window) -> None:
    """Close whatever stands before the window."""
    for each in QApplication.topLevelWidgets():
        if each.isVisible() and each is not window:
            each.close()
    window.activateWindow()
    QTest.qWaitForWindowActive(window)


@pytest.fixture
def asked(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """What the dialogs for files were asked for; nobody chooses anything."""
    asked: list[str] = []
    monkeypatch.setattr(
        QFileDialog, "getOpenFileName", lambda *_: (asked.append("open"), ("", ""))[1]
    )
    monkeypatch.setattr(
        QFileDialog, "getOpenFileNames", lambda *_: (asked.append("open"), ([], ""))[1]
    )
    monkeypatch.setattr(
        QFileDialog, "getExistingDirectory", lambda *_: (asked.append("folder"), "")[1]
    )
    monkeypatch.setattr(
        QFileDialog, "getSaveFileName", lambda *_: (asked.append("save"), ("", ""))[1]
    )
    return asked


def check_shortcut(
    action: Action,
    key: str,
    window: Window,
    asked: list[str],
    idle: Callable[[], None],
    qtbot: QtBot,
) -> None:
    prepare(window, action, idle, qtbot)
    asked.clear()
    before = state(window)
    assert deeds(window, action.page)[action.id].possible
    press_keys(key)
    idle()
    assert asked or state(window) != before
    close_all(window)
    if action.id == "big-screen":
        close_controller(window.project)


# These end the window, or leave it with what is not saved: nothing can be opened in it afterwards.
ALONE = [
    each
    for each in ACTIONS
    if each.id in ("quit", "save-copy", "retry", "panel-copy", "panel-retry", "save-decision")
]
# These leave the project and what is typed as it was, so that one project serves for all of them.
LEAVE = (
    "open",
    "zoom-in",
    "zoom-out",
    "theme",
    "export-qrels",
    "add-runs",
    "add-qrels",
    "add-sides",
    "search",
    "workbook",
    "save-figure",
)
TOGETHER = [
    each for each in ACTIONS if each.id in LEAVE or (each.id in SHOWN and each.id not in BEFORE)
]


@pytest.mark.slow
def test_every_shortcut_that_leaves_the_project_alone_does_something_in_its_place(
    open_window: Window,
    asked: list[str],
    idle: Callable[[], None],
    qtbot: QtBot,
    subtests: pytest.Subtests,
) -> None:
    for action, key in ((each, key) for each in TOGETHER for key in each.keys):
        with subtests.test(action=action.id, key=key):
            check_shortcut(action, key, open_window, asked, idle, qtbot)


# Preparing one of these changes the project; the others find what they need in any project.
CHANGE_PROJECT = {*BEFORE, *AFTER, "assign"} - {"judge", "home", "copy-rows", "search", "ask-start"}


@pytest.fixture
def window_for(anew: Callable[[], Window]) -> Callable[..., Window]:
    """Return the window for an action or page; with an untouched project where it needs one."""
    windows: list[Window] = []

    def choose(*names: str) -> Window:
        if not windows or CHANGE_PROJECT & {*names}:
            windows[:] = [anew()]
        return windows[0]

    return choose


@pytest.mark.slow
@pytest.mark.parametrize("page", sorted({each.page for each in ACTIONS}))
def test_every_shortcut_does_something_in_its_place(
    page: str,
    window_for: Callable[..., Window],
    asked: list[str],
    idle: Callable[[], None],
    qtbot: QtBot,
    subtests: pytest.Subtests,
) -> None:
    here = [each for each in ACTIONS if each.page == page and each not in (*TOGETHER, *ALONE)]
    for action, key in (
        (each, key) for each in here for key in each.keys[: short_or_long(1, None)]
    ):
        with subtests.test(action=action.id, key=key):
            check_shortcut(action, key, window_for(page, action.id), asked, idle, qtbot)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("action", "key"),
    [pytest.param(each, key, id=f"{each.id}-{key}") for each in ALONE for key in each.keys],
)
def test_every_shortcut_after_which_nothing_can_be_opened_does_something_in_its_place(
    action: Action,
    key: str,
    open_window: Window,
    asked: list[str],
    idle: Callable[[], None],
    qtbot: QtBot,
) -> None:
    check_shortcut(action, key, open_window, asked, idle, qtbot)


def test_a_held_shortcut_acts_once(window: Window) -> None:
    assert not [action for action in window.actions_by_id.values() if action.autoRepeat()]


def test_the_list_of_shortcuts_shows_every_action_and_key(window: Window) -> None:
    dialog = ShortcutsDialog(window)
    words = [label.text() for label in dialog.findChildren(QLabel)]
    for action in ACTIONS:
        assert action.label in words
        assert any(all(format_keys(key) in each for key in action.keys) for each in words), (
            action.id
        )
    assert "0 … 9" in words
    dialog.deleteLater()


@pytest.mark.slow
def test_the_list_of_shortcuts_has_the_grades_of_the_scale_alone(open_window: Window) -> None:
    assert open_window.project is not None and open_window.project.scale.grades[-1].value == 3
    open_window.show_shortcuts()
    dialog = open_window.findChild(ShortcutsDialog)
    words = [label.text() for label in dialog.findChildren(QLabel)]
    assert "0 … 3" in words and "0 … 9" not in words
    dialog.close()


@pytest.mark.slow
def test_the_list_of_shortcuts_begins_with_the_keys_of_the_page_it_was_opened_from(
    window: Window, subtests: pytest.Subtests
) -> None:
    for page in ("judge", "collection", ""):
        with subtests.test(page=page):
            dialog = ShortcutsDialog(window, first_page=page)
            words = [label.text() for label in dialog.findChildren(QLabel)]
            assert words[1] == (BY_ID[page].label if page else "Everywhere")
            assert words.index(BY_ID["skip"].label) - words.index("0 … 9") == 3, (
                "the grades stand above the other keys of judging"
            )
            dialog.deleteLater()


def test_the_list_of_shortcuts_closes_with_escape_and_leaves_nothing(
    window: Window, qtbot: QtBot
) -> None:
    window.show_shortcuts()
    dialog = window.findChild(ShortcutsDialog)
    assert dialog is not None
    with qtbot.waitSignal(dialog.destroyed):
        QTest.keyClick(dialog, Qt.Key.Key_Escape)


@pytest.fixture
def keys(settings: Settings) -> Iterator[KeyMap]:
    """The keys of now, following fresh settings; the table's own afterwards."""
    KEYS.use(settings)
    yield KEYS
    KEYS.use(None)


REMAPPED = (
    "skip",
    "unsure",
    "note",
    "undo",
    "passage",
    "jump",
    "home",
    "theme",
    "zoom-in",
    "shortcuts",
    "remove-run",
    "measures",
)


def check_remapped(
    id: str, keys: KeyMap, window: Window, idle: Callable[[], None], qtbot: QtBot
) -> None:
    prepare(window, BY_ID[id], idle, qtbot)
    keys.change(id, "Ctrl+F9")
    before = state(window)
    for old in BY_ID[id].keys:
        press_keys(old)
    idle()
    assert state(window) == before
    press_keys("Ctrl+F9")
    idle()
    assert state(window) != before
    close_all(window)


@pytest.mark.slow
def test_a_key_of_ones_own_does_what_the_default_did_and_the_default_no_longer_does(
    keys: KeyMap,
    window_for: Callable[..., Window],
    idle: Callable[[], None],
    qtbot: QtBot,
    subtests: pytest.Subtests,
) -> None:
    for id in REMAPPED:
        with subtests.test(action=id):
            check_remapped(id, keys, window_for(id), idle, qtbot)
        keys.change(id, "")  # it has its own again, and the next can have this one


def check_left(
    id: str, keys: KeyMap, window: Window, idle: Callable[[], None], qtbot: QtBot
) -> None:
    prepare(window, BY_ID[id], idle, qtbot)
    if id == "zoom-reset":
        window.appearance.zoom_in()
    before = state(window)
    press_keys(keys.keys(id)[0])
    idle()
    assert state(window) != before
    close_all(window)


@pytest.mark.slow
def test_the_keys_of_the_left_hand_do_the_same(
    keys: KeyMap,
    settings: Settings,
    window_for: Callable[..., Window],
    idle: Callable[[], None],
    qtbot: QtBot,
    subtests: pytest.Subtests,
) -> None:
    settings.set("hand", "left")
    moved = [id for id in LEFT_HAND_KEYS if id in BY_ID and id not in ("back", "hand-in", "find")]
    assert moved
    for id in moved:
        with subtests.test(action=id):
            check_left(id, keys, window_for(id), idle, qtbot)


@pytest.mark.slow
def test_the_list_of_shortcuts_shows_the_keys_of_now(
    keys: KeyMap, settings: Settings, window: Window
) -> None:
    settings.set("hand", "left")
    keys.change("skip", "F6")
    dialog = ShortcutsDialog(window)
    words = [label.text() for label in dialog.findChildren(QLabel)]
    assert words[words.index(BY_ID["skip"].label) - 1] == "F6"
    assert words[words.index(BY_ID["note"].label) - 1] == "A"
    assert "`  1  2  3  4  5  Q  W  E  R" in words
    dialog.deleteLater()


def test_who_shows_a_key_cap_is_told_when_the_key_is_another_and_not_after_it_has_gone(
    keys: KeyMap, qtbot: QtBot
) -> None:
    label = QLabel()
    qtbot.addWidget(label)
    bind_key_cap("skip", label.setText, label)
    assert label.text() == key_cap_text("skip") == "S"
    keys.change("skip", "Ctrl+Shift+K")
    assert label.text() == "Ctrl Shift K"
    gone = QLabel()
    bind_key_cap("skip", gone.setText, gone)
    with qtbot.waitSignal(gone.destroyed):
        gone.deleteLater()
    keys.change("skip", "")
    assert label.text() == "S"


def choose_differences(page: FiguresView, idle: Callable[[], None]) -> None:
    page.list.setCurrentRow([figure.name for figure in catalogue()].index("topic-differences"))
    idle()


def field_of(window: Window, page: str, idle: Callable[[], None], qtbot: QtBot) -> list[QLineEdit]:
    """Return the fields of a page that take typing now."""
    found = next(each for each in ACTIONS if each.id == page)
    prepare(window, found, idle, qtbot)
    window.show_page(page)
    idle()
    view = window.pages.view(page)
    if isinstance(view, FiguresView):
        choose_differences(view, idle)
    if isinstance(view, EvaluateView):
        view.policy.change.setChecked(True)
    if isinstance(view, EvaluateView | LiveView):
        view.chips.edit()
    return [
        field
        for field in view.findChildren(QLineEdit)
        if field.isVisible() and field.isEnabled() and not field.isReadOnly()
    ]


EDITED = {
    "new": 1,
    "collection": 2,
    "assessors": 5,
    "quality": 1,
    "evaluate": 3,
    "explain": 1,
    "figures": 1,
    "live": 1,
    "preferences": 0,
}


def check_taken(
    page: str, least: int, window: Window, idle: Callable[[], None], qtbot: QtBot
) -> None:
    fields = field_of(window, page, idle, qtbot)
    assert len(fields) >= least
    for field in fields:
        entered: list[str] = []
        field.editingFinished.connect(
            lambda entered=entered, field=field: entered.append(field.text())
        )
        field.setFocus()
        field.selectAll()
        QTest.keyClicks(field, "7")
        press_keys("Ctrl+0")  # an action of the whole window, which leaves the cursor where it is
        assert entered == ["7"], f"{field.accessibleName()} was not taken"
        idle()


@pytest.mark.slow
def test_every_action_first_takes_what_is_typed(
    window_for: Callable[..., Window],
    idle: Callable[[], None],
    qtbot: QtBot,
    subtests: pytest.Subtests,
) -> None:
    for page, least in EDITED.items():
        with subtests.test(page=page):
            check_taken(page, least, window_for(page), idle, qtbot)


def type_into(field: QLineEdit, words: str) -> None:
    field.setFocus()
    field.selectAll()
    QTest.keyClicks(field, words)


@pytest.mark.slow
def test_a_depth_that_was_typed_is_the_depth_of_the_pool(
    open_window: Window, idle: Callable[[], None]
) -> None:
    open_window.show_page("collection")
    type_into(open_window.collection.pool_form.top, "3")
    press_keys("Ctrl+B")
    idle()
    assert open_window.project is not None
    pool = open_window.project.rankings.pool()
    assert pool is not None and pool.parameters["depth"] == 3


@pytest.mark.slow
def test_repeats_that_were_typed_are_written(
    open_window: Window, idle: Callable[[], None], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(QFileDialog, "getExistingDirectory", lambda *_: str(tmp_path / "out"))
    open_window.show_page("assessors")
    page = open_window.pages.view("assessors")
    assert isinstance(page, AssessorsView) and open_window.project is not None
    page.form.people.setText("cleo")
    page.form.more.setChecked(True)
    type_into(page.form.repeats, "2")
    press_keys("Ctrl+Return")
    idle()
    assignment = open_window.project.assignments.all()[-1]
    shown = [
        (item.topic, item.documents)
        for item in open_window.project.assignments.items(assignment.code)
    ]
    assert len(shown) - len(set(shown)) == 2


def test_a_workbook_waits_for_the_measures_that_were_just_typed(
    open_window: Window, idle: Callable[[], None], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(
        QFileDialog, "getSaveFileName", lambda *_: (str(tmp_path / "out.csv"), "CSV (*.csv)")
    )
    open_window.show_page("evaluate")
    idle()
    open_window.evaluation.chips.edit()
    type_into(open_window.evaluation.measures, "P@3")
    press_keys("Ctrl+S")
    idle()
    written = (tmp_path / "out.csv").read_text()
    assert "P@3" in written and "nDCG" not in written


def test_a_figure_that_is_saved_is_of_the_measures_that_were_just_typed(
    open_window: Window, idle: Callable[[], None], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(
        QFileDialog, "getSaveFileName", lambda *_: (str(tmp_path / "out.svg"), "SVG (*.svg)")
    )
    open_window.show_page("figures")
    idle()
    page = open_window.pages.view("figures")
    assert isinstance(page, FiguresView)
    choose_differences(page, idle)
    type_into(page.choices.measures, "P@3")
    press_keys("Ctrl+S")
    idle()
    assert page.rendered_figure is not None and page.rendered_figure.order.measures == "P@3"
    assert "P@3" in (tmp_path / "out.svg").read_text()
