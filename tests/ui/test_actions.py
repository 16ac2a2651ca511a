"""Tests of the action table: complete, without conflicting keys, and every key has an effect."""

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
from irjudge.judging import (
    QueueItem,
    Session,
    choose_qrels,
    import_judgments,
    list_grades_in_force,
)
from irjudge.model import LEFT_HAND_KEYS, Document, Grade, ModelJudge, Scale
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
from tests.ui.window_content import find_widget


def bound_actions(window: Window, page: str) -> dict[str, BoundAction]:
    """Return the actions of the window, or of one of its pages."""
    result: dict[str, BoundAction] = getattr(
        window.pages.view(page) if page else window, "actions_by_id", {}
    )
    return result


@pytest.mark.slow
def test_window_and_pages_implement_the_actions_of_the_table(window: Window) -> None:
    for page in ("", *(each.id for each in PAGES)):
        assert sorted(bound_actions(window, page)) == sorted(
            action.id for action in ACTIONS if action.page == page
        ), page
        assert all(isinstance(each.possible, bool) for each in bound_actions(window, page).values())
    for action in ACTIONS:
        assert (
            action.label
            and action.keys
            and all(not QKeySequence(key).isEmpty() for key in action.keys)
        ), action.id


def test_ids_are_unique_and_no_two_actions_available_together_share_keys() -> None:
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
def test_keys_are_displayed_as_on_a_key_cap(keys: str, shown: str) -> None:
    assert format_keys(keys) == shown
    assert format_keys("Ctrl+Return") == "Ctrl Enter"


@pytest.fixture
def first_page() -> str:
    return "home"


def window_state(window: Window) -> tuple[Any, ...]:
    """Return everything a key may change: page, project, judgments, sizes, focus, dialogs, text."""
    rankings = window.project.rankings if window.project else None
    workspaces = window.findChildren(JudgeView)  # none before judging starts
    popup = QApplication.activePopupWidget()
    return (
        window.isVisible(),
        window.pages.currentWidget(),
        rankings and (rankings.runs(), rankings.pool_version()),
        [
            (workspace.session.current(), workspace.session.can_undo, workspace.session.can_redo)
            for workspace in workspaces
            if workspace.session
        ],
        window.settings.get("zoom"),
        window.settings.get("theme"),
        QApplication.focusWidget(),
        len([each for each in QApplication.topLevelWidgets() if each.isVisible()]),
        type(popup),
        window.message.text(),
        [
            (
                workspace.grade_panel.message.text(),
                workspace.document.textCursor().selectedText(),
                workspace.several.visible_items,
            )
            for workspace in workspaces
        ],
        [
            (page.foot.message.text(), page.opened.isVisible(), page.turns.shown)
            for page in window.findChildren(ComparisonView)
        ],
        [
            (page.panel.message.text(), page.votes.are_names_hidden)
            for page in window.findChildren(AdjudicateView)
        ],
    )


def full_disk(*_: object) -> None:
    raise CommitFailed("Not saved: the disk is full.")


def prepare(
    window: Window, action: Action, wait_until_idle: Callable[[], None], qtbot: QtBot
) -> None:
    """Bring the window into a state in which the action has an effect."""
    for name in (action.page, action.id):
        if (
            name in PREPARATIONS and action.id != "assign"
        ):  # requires a pool that is not assigned yet
            PREPARATIONS[name](window, qtbot)
    window.show_page(
        action.page
        or {
            "home": "judge",
            "copy-table": "compare",
            "copy-rows": "compare",
            "print": "evaluate",
        }.get(action.id, "home")
    )
    wait_until_idle()
    leaves = action.id in SHOWN and action.id != "home"  # the page it shows need not be ready
    for name in () if leaves else (action.page, action.id):
        if name in PREPARATIONS_ON_PAGE:
            PREPARATIONS_ON_PAGE[name](window, action, wait_until_idle, qtbot)


def judge_one(window: Window, qtbot: QtBot) -> None:
    open_judge_page(window, qtbot)
    window.judge.give(1)


def select_own_judgments(window: Window, qtbot: QtBot) -> None:
    """Use the user's own judgments as qrels, since the shipped qrels leave nothing unjudged."""
    judge_one(window, qtbot)
    assert window.project is not None
    choose_qrels(window.project, "judged here")


def judge_and_undo(window: Window, qtbot: QtBot) -> None:
    judge_one(window, qtbot)
    window.judge.turns.undo()


def open_judge_page(window: Window, qtbot: QtBot) -> None:
    """Show the judging page and wait for the first document."""
    window.show_page("judge")
    qtbot.waitUntil(lambda: window.judge.can_judge)


def fail_saving(window: Window, qtbot: QtBot) -> None:
    open_judge_page(window, qtbot)
    with pytest.MonkeyPatch.context() as broken:
        broken.setattr(EventLog, "append", full_disk)
        window.judge.give(1)


def attach_pdf(window: Window, *_: object) -> None:
    """Let the current document have page images."""
    assert window.judge.session is not None
    document = window.judge.session.current().document
    project = window.judge.session.project
    project.collection.add_documents([replace(document, id="filed", pdf=b"%PDF-1.7")])
    project.set_setting(PDF_PREFIX + document.id, project.get_setting(PDF_PREFIX + "filed") or "")


def add_field(window: Window, *_: object) -> None:
    """Add a document with a field that can be shown."""
    assert window.project is not None
    window.project.collection.add_documents(
        [Document("priced", b"text", fields=(("price", "12"),))]
    )
    window.pages.view("browse").refresh()


def runs_page(window: Window) -> RunsView:
    page = window.pages.view("runs")
    assert isinstance(page, RunsView)
    return page


def remove_run(window: Window, _qtbot: QtBot) -> None:
    window.show_page("runs")
    runs_page(window).run_table.selectRow(0)
    runs_page(window).remove_run()


def remove_and_restore_run(window: Window, qtbot: QtBot) -> None:
    remove_run(window, qtbot)
    window.collection.undo_change()


def assign_files(window: Window, _qtbot: QtBot) -> None:
    assert window.project is not None
    assign_pool(
        window.project,
        parse_candidates("ann, bob"),
        AssignmentOptions(),
        window.project.path.parent / "out",
    )


def design_comparison(window: Window, _qtbot: QtBot) -> None:
    assert window.project is not None
    assign_comparison_to_owner(window.project, Comparison((("bm25", "ql"),)))


def judge_by_two(window: Window, _qtbot: QtBot) -> None:
    assert window.project is not None
    add_disagreement(window.project)


def import_model_labels(window: Window, _qtbot: QtBot) -> None:
    assert window.project is not None
    add_disagreement(window.project)
    path = window.project.path.parent / "labels.txt"
    path.write_text(
        "".join(
            f"{event.item.topic} 0 {event.item.documents[0]} 1\n"
            for event in list_grades_in_force(window.project, "ann")
        )
    )
    import_judgments(window.project, path, ReadingOptions(judge=ModelJudge("m-1")))


def enter_model_name(window: Window, *_: object) -> None:
    page = window.pages.view("models")
    assert isinstance(page, ModelsView)
    page.name.setText("m-2")


PREPARATIONS: dict[str, Callable[[Window, QtBot], None]] = {
    **dict.fromkeys(("redo", "go-on"), judge_and_undo),
    **dict.fromkeys(("undo", "back", "hand-in", "alike", "why-shown"), judge_one),
    "live": select_own_judgments,
    **dict.fromkeys(("retry", "save-copy"), fail_saving),
    **dict.fromkeys(("undo-change", "undo-documents", "undo-runs"), remove_run),
    **dict.fromkeys(("redo-change", "redo-documents", "redo-runs"), remove_and_restore_run),
    "assessors": assign_files,
    "panels": design_comparison,
    **dict.fromkeys(("adjudicate", "quality"), judge_by_two),
    "save-audit": import_model_labels,
    "zoom-reset": lambda window, _qtbot: window.appearance.zoom_in(),
}


def select_run(window: Window, *_: object) -> None:
    runs_page(window).run_table.selectRow(0)


def exchange_ranks(
    window: Window, _action: Action, wait_until_idle: Callable[[], None], _qtbot: QtBot
) -> None:
    window.pages.view("explain").what_if.exchange(1, 2)
    wait_until_idle()


def enter_assessor(window: Window, *_: object) -> None:
    page = window.pages.view("assessors")
    assert isinstance(page, AssessorsView)
    page.form.people.setText("cleo")
    find_widget(page, "Files", Table).selectRow(0)


def wait_for_document(
    window: Window, _action: Action, _idle: Callable[[], None], qtbot: QtBot
) -> None:
    qtbot.waitUntil(lambda: window.judge.can_judge)


def wait_for_panel(window: Window, action: Action, _idle: Callable[[], None], qtbot: QtBot) -> None:
    qtbot.waitUntil(lambda: window.panels.can_compare)
    prepare_panels(window.panels, action, qtbot)


def add_disagreement(project: Project) -> None:
    for name, grade in (("ann", 0), ("bob", 3)):
        session = Session(project, name)
        topic = min(session.queue.topics)
        for document in sorted(session.queue.documents(topic))[:2]:
            session.grade(session.open_item(QueueItem(topic, document)), grade)


def prepare_adjudication(window: Window, action: Action, qtbot: QtBot) -> None:
    """Adjudicate what the action needs."""
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


def prepare_exclusion(window: Window, action: Action, wait_until_idle: Callable[[], None]) -> None:
    """Exclude an assessor, and undo it if the action is redo."""
    view = window.pages.view("quality")
    assert isinstance(view, QualityView)
    view.set_aside()
    if action.id == "redo-aside":
        view.actions_by_id["undo-aside"].trigger()
    wait_until_idle()


def prepare_panels(view: ComparisonView, action: Action, qtbot: QtBot) -> None:
    """Compare panels as far as the action needs."""
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


def require_index(window: Window, *_: object) -> None:
    window.pages.view("browse")._index = IndexState(40, is_ready=False, needs_consent=True)


def evaluate_files(
    window: Window, _action: Action, wait_until_idle: Callable[[], None], _qtbot: QtBot
) -> None:
    page = window.pages.view("files")
    assert isinstance(page, FilesView)
    sources, _ = sample_sources("everyday")
    page.add_files([*sources.qrels, *sources.runs])
    wait_until_idle()


def select_all_pairs(window: Window, *_: object) -> None:
    table = find_widget(window.pages.view("compare"), "Pairs of runs", Table)
    table.setFocus()
    table.selectAll()


def start_session(window: Window, _action: Action, _idle: Callable[[], None], qtbot: QtBot) -> None:
    page = window.pages.view("session")
    assert isinstance(page, SessionView)
    page.form.address.clear()
    page.begin()
    qtbot.waitUntil(lambda: page.controller is not None)


PREPARATIONS_ON_PAGE: dict[str, Callable[[Window, Action, Callable[[], None], QtBot], None]] = {
    "files-report": evaluate_files,
    "add-labels": enter_model_name,
    "ask-start": lambda window, *_: window.pages.view("ask-models").ask.setFocus(),
    "big-screen": start_session,
    "copy-rows": select_all_pairs,
    "remove-run": select_run,
    **dict.fromkeys(  # the search field undoes typing
        ("search", "undo-documents", "redo-documents"),
        lambda window, *_: window.pages.view("browse").table.setFocus(),
    ),
    "make-index": require_index,
    "pages": attach_pdf,
    "fields": add_field,
    **dict.fromkeys(("undo-step", "reset-steps"), exchange_ranks),
    "assessors": enter_assessor,
    **dict.fromkeys(("judge", "home"), wait_for_document),
    "panels": wait_for_panel,
    "adjudicate": lambda window, action, _idle, qtbot: prepare_adjudication(window, action, qtbot),
    **dict.fromkeys(
        ("undo-aside", "redo-aside"),
        lambda window, action, wait_until_idle, _qtbot: prepare_exclusion(
            window, action, wait_until_idle
        ),
    ),
}


def press_keys(key: str) -> None:
    combination: QKeyCombination = QKeySequence(key)[0]
    focus = QApplication.focusWidget()
    assert focus is not None
    QTest.keyClick(focus, combination.key(), combination.keyboardModifiers())


def close_dialogs(window: Window) -> None:
    """Close all other top-level windows."""
    for each in QApplication.topLevelWidgets():
        if each.isVisible() and each is not window:
            each.close()
    window.activateWindow()
    QTest.qWaitForWindowActive(window)


@pytest.fixture
def asked_dialogs(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The kinds of file dialogs that were opened; each is cancelled."""
    asked_dialogs: list[str] = []
    monkeypatch.setattr(
        QFileDialog, "getOpenFileName", lambda *_: (asked_dialogs.append("open"), ("", ""))[1]
    )
    monkeypatch.setattr(
        QFileDialog, "getOpenFileNames", lambda *_: (asked_dialogs.append("open"), ([], ""))[1]
    )
    monkeypatch.setattr(
        QFileDialog, "getExistingDirectory", lambda *_: (asked_dialogs.append("folder"), "")[1]
    )
    monkeypatch.setattr(
        QFileDialog, "getSaveFileName", lambda *_: (asked_dialogs.append("save"), ("", ""))[1]
    )
    return asked_dialogs


def check_shortcut(
    action: Action,
    key: str,
    window: Window,
    asked_dialogs: list[str],
    wait_until_idle: Callable[[], None],
    qtbot: QtBot,
) -> None:
    prepare(window, action, wait_until_idle, qtbot)
    asked_dialogs.clear()
    before = window_state(window)
    assert bound_actions(window, action.page)[action.id].possible
    press_keys(key)
    wait_until_idle()
    assert asked_dialogs or window_state(window) != before
    close_dialogs(window)
    if action.id == "big-screen":
        close_controller(window.project)


# These close the window, or leave unsaved work in it: no project can be opened in it afterwards.
FINAL = [
    each
    for each in ACTIONS
    if each.id in ("quit", "save-copy", "retry", "panel-copy", "panel-retry", "save-decision")
]
# These change neither the project nor entered text, so one project is used for all of them.
UNCHANGING = (
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
SAME_PROJECT = [
    each
    for each in ACTIONS
    if each.id in UNCHANGING or (each.id in SHOWN and each.id not in PREPARATIONS)
]


@pytest.mark.slow
def test_every_shortcut_that_leaves_the_project_unchanged_has_an_effect_on_its_page(
    open_window: Window,
    asked_dialogs: list[str],
    wait_until_idle: Callable[[], None],
    qtbot: QtBot,
    subtests: pytest.Subtests,
) -> None:
    for action, key in ((each, key) for each in SAME_PROJECT for key in each.keys):
        with subtests.test(action=action.id, key=key):
            check_shortcut(action, key, open_window, asked_dialogs, wait_until_idle, qtbot)


# Preparing one of these changes the project; the others work in any project.
CHANGE_PROJECT = {*PREPARATIONS, *PREPARATIONS_ON_PAGE, "assign"} - {
    "judge",
    "home",
    "copy-rows",
    "search",
    "ask-start",
}


@pytest.fixture
def window_for(open_fresh_copy: Callable[[], Window]) -> Callable[..., Window]:
    """Function that returns the window for an action or page, with a fresh project if needed."""
    windows: list[Window] = []

    def choose_window(*names: str) -> Window:
        if not windows or CHANGE_PROJECT & {*names}:
            windows[:] = [open_fresh_copy()]
        return windows[0]

    return choose_window


@pytest.mark.slow
@pytest.mark.parametrize("page", sorted({each.page for each in ACTIONS}))
def test_every_shortcut_has_an_effect_on_its_page(
    page: str,
    window_for: Callable[..., Window],
    asked_dialogs: list[str],
    wait_until_idle: Callable[[], None],
    qtbot: QtBot,
    subtests: pytest.Subtests,
) -> None:
    here = [each for each in ACTIONS if each.page == page and each not in (*SAME_PROJECT, *FINAL)]
    for action, key in (
        (each, key) for each in here for key in each.keys[: short_or_long(1, None)]
    ):
        with subtests.test(action=action.id, key=key):
            check_shortcut(
                action, key, window_for(page, action.id), asked_dialogs, wait_until_idle, qtbot
            )


@pytest.mark.slow
@pytest.mark.parametrize(
    ("action", "key"),
    [pytest.param(each, key, id=f"{each.id}-{key}") for each in FINAL for key in each.keys],
)
def test_every_shortcut_that_ends_work_in_the_window_has_an_effect_on_its_page(
    action: Action,
    key: str,
    open_window: Window,
    asked_dialogs: list[str],
    wait_until_idle: Callable[[], None],
    qtbot: QtBot,
) -> None:
    check_shortcut(action, key, open_window, asked_dialogs, wait_until_idle, qtbot)


def test_a_held_shortcut_acts_once(window: Window) -> None:
    assert not [action for action in window.actions_by_id.values() if action.autoRepeat()]


def test_the_list_of_shortcuts_shows_every_action_and_key(window: Window) -> None:
    dialog = ShortcutsDialog(window)
    texts = [label.text() for label in dialog.findChildren(QLabel)]
    for action in ACTIONS:
        assert action.label in texts
        assert any(all(format_keys(key) in each for key in action.keys) for each in texts), (
            action.id
        )
    assert "0 … 9" in texts
    dialog.deleteLater()


@pytest.mark.parametrize(
    ("grades", "keys"), [((1, 2, 3, 4), "1 … 4"), ((0, 1, 3), "0  1  3"), ((2, 3, 12), "2 … 3")]
)
def test_the_list_of_shortcuts_has_the_keys_of_the_grades_on_the_scale(
    window: Window, grades: tuple[int, ...], keys: str
) -> None:
    scale = Scale("own", tuple(Grade(value, "") for value in grades))
    dialog = ShortcutsDialog(window, scale=scale)
    texts = [label.text() for label in dialog.findChildren(QLabel)]
    assert keys in texts
    dialog.deleteLater()


def test_the_list_of_shortcuts_has_no_grades_if_none_of_the_scale_has_a_key(
    window: Window,
) -> None:
    dialog = ShortcutsDialog(window, scale=Scale("own", (Grade(10, ""), Grade(20, ""))))
    texts = [label.text() for label in dialog.findChildren(QLabel)]
    assert not [word for word in texts if " … " in word]
    dialog.deleteLater()


@pytest.mark.slow
def test_the_list_of_shortcuts_has_only_the_grades_of_the_scale(open_window: Window) -> None:
    assert open_window.project is not None and open_window.project.scale.grades[-1].value == 3
    open_window.show_shortcuts()
    dialog = open_window.findChild(ShortcutsDialog)
    texts = [label.text() for label in dialog.findChildren(QLabel)]
    assert "0 … 3" in texts and "0 … 9" not in texts
    dialog.close()


@pytest.mark.slow
def test_the_list_of_shortcuts_starts_with_the_keys_of_the_current_page(
    window: Window, subtests: pytest.Subtests
) -> None:
    for page in ("judge", "collection", ""):
        with subtests.test(page=page):
            dialog = ShortcutsDialog(window, first_page=page)
            texts = [label.text() for label in dialog.findChildren(QLabel)]
            assert texts[1] == (BY_ID[page].label if page else "Everywhere")
            assert texts.index(BY_ID["skip"].label) - texts.index("0 … 9") == 3, (
                "the grades are above the other keys of judging"
            )
            dialog.deleteLater()


def test_the_list_of_shortcuts_closes_with_escape_and_changes_nothing(
    window: Window, qtbot: QtBot
) -> None:
    window.show_shortcuts()
    dialog = window.findChild(ShortcutsDialog)
    assert dialog is not None
    with qtbot.waitSignal(dialog.destroyed):
        QTest.keyClick(dialog, Qt.Key.Key_Escape)


@pytest.fixture
def keys(settings: Settings) -> Iterator[KeyMap]:
    """The current keys, with fresh settings; reset to the defaults after the test."""
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
    id: str, keys: KeyMap, window: Window, wait_until_idle: Callable[[], None], qtbot: QtBot
) -> None:
    prepare(window, BY_ID[id], wait_until_idle, qtbot)
    keys.change(id, "Ctrl+F9")
    before = window_state(window)
    for old in BY_ID[id].keys:
        press_keys(old)
    wait_until_idle()
    assert window_state(window) == before
    press_keys("Ctrl+F9")
    wait_until_idle()
    assert window_state(window) != before
    close_dialogs(window)


@pytest.mark.slow
def test_a_customised_key_acts_like_the_default_and_the_default_no_longer_acts(
    keys: KeyMap,
    window_for: Callable[..., Window],
    wait_until_idle: Callable[[], None],
    qtbot: QtBot,
    subtests: pytest.Subtests,
) -> None:
    for id in REMAPPED:
        with subtests.test(action=id):
            check_remapped(id, keys, window_for(id), wait_until_idle, qtbot)
        keys.change(id, "")  # restore the default, so that the next action can use this key


def check_left_hand(
    id: str, keys: KeyMap, window: Window, wait_until_idle: Callable[[], None], qtbot: QtBot
) -> None:
    prepare(window, BY_ID[id], wait_until_idle, qtbot)
    if id == "zoom-reset":
        window.appearance.zoom_in()
    before = window_state(window)
    press_keys(keys.keys(id)[0])
    wait_until_idle()
    assert window_state(window) != before
    close_dialogs(window)


@pytest.mark.slow
def test_the_left_hand_keys_act_like_the_default_keys(
    keys: KeyMap,
    settings: Settings,
    window_for: Callable[..., Window],
    wait_until_idle: Callable[[], None],
    qtbot: QtBot,
    subtests: pytest.Subtests,
) -> None:
    settings.set("hand", "left")
    moved = [id for id in LEFT_HAND_KEYS if id in BY_ID and id not in ("back", "hand-in", "find")]
    assert moved
    for id in moved[:: short_or_long(2, 1)]:
        with subtests.test(action=id):
            check_left_hand(id, keys, window_for(id), wait_until_idle, qtbot)


@pytest.mark.slow
def test_the_list_of_shortcuts_shows_the_current_keys(
    keys: KeyMap, settings: Settings, window: Window
) -> None:
    settings.set("hand", "left")
    keys.change("skip", "F6")
    dialog = ShortcutsDialog(window)
    texts = [label.text() for label in dialog.findChildren(QLabel)]
    assert texts[texts.index(BY_ID["skip"].label) - 1] == "F6"
    assert texts[texts.index(BY_ID["note"].label) - 1] == "A"
    assert "`  1  2  3  4  5  Q  W  E  R" in texts
    dialog.deleteLater()


def test_a_key_cap_is_notified_of_changed_keys_until_it_is_deleted(
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


def select_differences(page: FiguresView, wait_until_idle: Callable[[], None]) -> None:
    page.list.setCurrentRow([figure.name for figure in catalogue()].index("topic-differences"))
    wait_until_idle()


def editable_fields(
    window: Window, page: str, wait_until_idle: Callable[[], None], qtbot: QtBot
) -> list[QLineEdit]:
    """Return the editable fields of a page."""
    action = next(each for each in ACTIONS if each.id == page)
    prepare(window, action, wait_until_idle, qtbot)
    window.show_page(page)
    wait_until_idle()
    view = window.pages.view(page)
    if isinstance(view, FiguresView):
        select_differences(view, wait_until_idle)
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


def check_entered(
    page: str, least: int, window: Window, wait_until_idle: Callable[[], None], qtbot: QtBot
) -> None:
    fields = editable_fields(window, page, wait_until_idle, qtbot)
    assert len(fields) >= least
    for field in fields:
        entered: list[str] = []
        field.editingFinished.connect(
            lambda entered=entered, field=field: entered.append(field.text())
        )
        field.setFocus()
        field.selectAll()
        QTest.keyClicks(field, "7")
        press_keys("Ctrl+0")  # an action of the whole window, which does not move the focus
        assert entered == ["7"], f"{field.accessibleName()} was not taken"
        wait_until_idle()


@pytest.mark.slow
def test_every_action_first_applies_typed_text(
    window_for: Callable[..., Window],
    wait_until_idle: Callable[[], None],
    qtbot: QtBot,
    subtests: pytest.Subtests,
) -> None:
    for page, least in EDITED.items():
        with subtests.test(page=page):
            check_entered(page, least, window_for(page), wait_until_idle, qtbot)


def type_into(field: QLineEdit, text: str) -> None:
    field.setFocus()
    field.selectAll()
    QTest.keyClicks(field, text)


@pytest.mark.slow
def test_a_typed_depth_is_the_depth_of_the_pool(
    open_window: Window, wait_until_idle: Callable[[], None]
) -> None:
    open_window.show_page("collection")
    type_into(open_window.collection.pool_form.top, "3")
    press_keys("Ctrl+B")
    wait_until_idle()
    assert open_window.project is not None
    pool = open_window.project.rankings.pool()
    assert pool is not None and pool.parameters["depth"] == 3


@pytest.mark.slow
def test_a_typed_number_of_repeats_is_written(
    open_window: Window,
    wait_until_idle: Callable[[], None],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(QFileDialog, "getExistingDirectory", lambda *_: str(tmp_path / "out"))
    open_window.show_page("assessors")
    page = open_window.pages.view("assessors")
    assert isinstance(page, AssessorsView) and open_window.project is not None
    page.form.people.setText("cleo")
    page.form.more.setChecked(True)
    type_into(page.form.repeats, "2")
    press_keys("Ctrl+Return")
    wait_until_idle()
    assignment = open_window.project.assignments.all()[-1]
    shown = [
        (item.topic, item.documents)
        for item in open_window.project.assignments.items(assignment.code)
    ]
    assert len(shown) - len(set(shown)) == 2


def test_a_workbook_uses_measures_typed_just_before(
    open_window: Window,
    wait_until_idle: Callable[[], None],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(
        QFileDialog, "getSaveFileName", lambda *_: (str(tmp_path / "out.csv"), "CSV (*.csv)")
    )
    open_window.show_page("evaluate")
    wait_until_idle()
    open_window.evaluation.chips.edit()
    type_into(open_window.evaluation.measures, "P@3")
    press_keys("Ctrl+S")
    wait_until_idle()
    written = (tmp_path / "out.csv").read_text()
    assert "P@3" in written and "nDCG" not in written


def test_a_saved_figure_uses_measures_typed_just_before(
    open_window: Window,
    wait_until_idle: Callable[[], None],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(
        QFileDialog, "getSaveFileName", lambda *_: (str(tmp_path / "out.svg"), "SVG (*.svg)")
    )
    open_window.show_page("figures")
    wait_until_idle()
    page = open_window.pages.view("figures")
    assert isinstance(page, FiguresView)
    select_differences(page, wait_until_idle)
    type_into(page.choices.measures, "P@3")
    press_keys("Ctrl+S")
    wait_until_idle()
    assert page.rendered_figure is not None and page.rendered_figure.spec.measures == "P@3"
    assert "P@3" in (tmp_path / "out.svg").read_text()
