"""Tests that saving, undo and retry of all judging pages go through one module each."""

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from types import FrameType

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QWidget
from pytestqt.qtbot import QtBot

from irjudge.errors import CommitFailed
from irjudge.exchange import ComparisonOptions, assign_comparison_to_owner
from irjudge.judging import ActiveTimer
from irjudge.store import open_project
from irjudge.store.connection import Connection
from irjudge_ui.actions import BoundAction
from irjudge_ui.pages.assessors.adjudicate import AdjudicateView
from irjudge_ui.window import Window
from irjudge_ui.workspace import JudgmentSaver, PresentationTurns
from irjudge_ui.workspace import saving as turns_module
from irjudge_ui.workspace.saving import JUDGMENT_KIND

Press = Callable[..., None]
CONTROL, SHIFT = Qt.KeyboardModifier.ControlModifier, Qt.KeyboardModifier.ShiftModifier
MODULES = (
    "irjudge_ui.workspace.",
    "irjudge_ui.pages.",
    "irjudge.judging.",
    "irjudge.store.events",
    "irjudge.store.connection",
)
SHARED_MODULES = ["workspace.saving", "judging.recorder", "judging.ledger", "store.events"]

POSSIBLE_CODE = BoundAction.possible.fget.__code__  # type: ignore[attr-defined]


@contextmanager
def traced_modules() -> Iterator[list[str]]:
    """Collect the modules that are entered, in order, until the transaction begins.

    Returning to a module is no entry, several calls in a row count once, and calls made by the
    check whether an action is possible are skipped.
    """
    entered: list[str] = []
    committed = False

    def module_of(frame: FrameType | None) -> str:
        name = str(frame.f_globals.get("__name__", "")) if frame else ""
        return name if name.startswith(MODULES) else ""

    def is_possible_check(frame: FrameType | None) -> bool:
        while frame is not None and frame.f_code is not POSSIBLE_CODE:
            frame = frame.f_back
        return frame is not None

    def caller(frame: FrameType) -> str:
        before = frame.f_back
        while before is not None and not module_of(before):
            before = before.f_back
        return module_of(before)

    def trace(frame: FrameType, happened: str, _value: object) -> None:
        nonlocal committed
        if (
            happened == "call"
            and not committed
            and module_of(frame)
            and module_of(frame) != caller(frame)
            and not is_possible_check(frame)
        ):
            name = module_of(frame).removeprefix("irjudge_ui.").removeprefix("irjudge.")
            entered.extend([name] if entered[-1:] != [name] else [])
            committed = frame.f_code is Connection.transaction.__wrapped__.__code__  # type: ignore[attr-defined]

    sys.setprofile(trace)
    try:
        yield entered
    finally:
        sys.setprofile(None)


def shared_only(entered: list[str]) -> list[str]:
    return [each for each in entered if each in SHARED_MODULES]


def visible_turns(window: Window) -> PresentationTurns:
    (label,) = (
        each
        for each in window.findChildren(PresentationTurns)
        if each.rendered is not None and each.parent().isVisible()
    )
    return label


@pytest.fixture
def judging(open_window: Window, qtbot: QtBot) -> Window:
    """A window in which documents are graded."""
    qtbot.waitUntil(lambda: open_window.judge.can_judge)
    return open_window


@pytest.fixture
def comparing(window: Window, project_path: Path, qtbot: QtBot) -> Window:
    """A window in which runs are compared side by side."""
    with open_project(project_path) as project:
        names = [run.name for run in project.rankings.runs()]
        assign_comparison_to_owner(project, ComparisonOptions(((names[0], names[1]),), seed=3))
    assert window.open(project_path)
    window.do("panels")
    qtbot.waitUntil(lambda: window.panels.can_compare)
    return window


@pytest.fixture
def adjudicating(
    assessed_window: Window, wait_until_idle: Callable[[], None], qtbot: QtBot
) -> Window:
    """A window in which disagreements are adjudicated."""
    assessed_window.do("adjudicate")
    wait_until_idle()
    view = assessed_window.pages.view("adjudicate")
    assert isinstance(view, AdjudicateView)
    qtbot.waitUntil(lambda: view.can_decide)
    return assessed_window


@pytest.mark.slow
@pytest.mark.parametrize(
    ("page_fixture", "key"),
    [("judging", "2"), ("comparing", Qt.Key.Key_Left), ("adjudicating", "1")],
)
def test_every_judging_page_saves_through_the_same_modules(
    page_fixture: str, key: Qt.Key | str, request: pytest.FixtureRequest, press: Press, qtbot: QtBot
) -> None:
    window: Window = request.getfixturevalue(page_fixture)
    turns = visible_turns(window)
    assert turns.session is not None
    before = turns.session.head
    with traced_modules() as entered:
        press(key)
    assert turns.session.head != before and shared_only(entered) == SHARED_MODULES, " ".join(
        entered
    )

    qtbot.waitUntil(lambda: turns.rendered is not None)
    with traced_modules() as entered:
        press("z", CONTROL)
    assert shared_only(entered) == SHARED_MODULES, " ".join(entered)
    qtbot.waitUntil(lambda: turns.rendered is not None)
    with traced_modules() as entered:
        press("z", CONTROL | SHIFT)
    assert shared_only(entered) == SHARED_MODULES and turns.session.can_undo, " ".join(entered)


class RecordingPanel:
    """A panel that records the messages it is given."""

    def __init__(self) -> None:
        self.said: list[str] = []

    def show_hint(self, text: str) -> None:
        self.said.append(text)

    def show_ignored(self, text: str) -> None:
        self.said.append(text)

    def show_problem(self, text: str, *, offers_retry: bool = False) -> None:
        self.said.append(text)


def test_repainting_the_same_work_does_not_restart_the_guard_time(
    window: Window, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    now, page, work = [10.0], QWidget(), object()
    qtbot.addWidget(page)
    monkeypatch.setattr(turns_module, "monotonic", lambda: now[0])
    window.settings.set("guard_ms", 400)
    turns = PresentationTurns(
        RecordingPanel(), page, window.settings, lambda _work: None, too_soon_message="too soon"
    )
    turns.active = ActiveTimer(60_000, clock=lambda: now[0])
    begun: list[bool] = []
    turns.begun.connect(lambda: begun.append(True))
    turns.show(work)
    turns.paint()
    assert not turns.ready()
    now[0] += 3
    turns.show(work)  # as after a change of colours
    assert not turns.ready(), "nobody sees it yet"
    turns.paint()
    assert turns.ready() and turns.active.stop() == 3000 and len(begun) == 1
    turns.show(other := object())
    turns.paint()
    assert (
        not turns.ready()
        and turns.rendered is other
        and turns.active.stop() == 0
        and len(begun) == 2
    )


def test_marks_are_saved_before_a_judgment_that_moves_on(qtbot: QtBot) -> None:
    page, saved, burning = QWidget(), list[str](), [True]
    qtbot.addWidget(page)
    saving = JudgmentSaver(RecordingPanel(), page, "retry")

    def save(kind: str) -> None:
        def act() -> None:
            if burning[0]:
                raise CommitFailed("The disk burns.")
            saved.append(kind)

        saving.commit(act, lambda _event: None, kind)

    for kind in (JUDGMENT_KIND, "note"):
        save(kind)
    burning[0] = False
    save("unsure")
    assert saved == ["note", "unsure", JUDGMENT_KIND] and not saving.has_failed_saves


@pytest.mark.slow
@pytest.mark.parametrize(
    ("desk", "key"), [("judging", "2"), ("comparing", Qt.Key.Key_Left), ("adjudicating", "1")]
)
def test_every_judging_page_retries_a_failed_save_through_the_same_module(
    desk: str,
    key: Qt.Key | str,
    request: pytest.FixtureRequest,
    press: Press,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    window: Window = request.getfixturevalue(desk)
    turns = visible_turns(window)
    assert turns.session is not None
    before, work = turns.session.head, turns.rendered

    def full(_db: Connection) -> None:
        raise CommitFailed("Not saved: the disk is full.")

    with monkeypatch.context() as broken:
        broken.setattr(Connection, "_check_identity", full)
        press(key)
    assert (
        turns.session.head == before and turns.saving.has_failed_saves and turns.rendered is work
    ), "it stays, and so does what was done"
    with traced_modules() as entered:
        press(Qt.Key.Key_F5)
    assert turns.session.head != before and not turns.saving.has_failed_saves
    assert shared_only(entered) == SHARED_MODULES, " ".join(entered)


def test_every_judging_page_undoes_a_failed_save_before_anything_else(
    judging: Window, press: Press, monkeypatch: pytest.MonkeyPatch, qtbot: QtBot
) -> None:
    turns = visible_turns(judging)
    press("1")
    qtbot.waitUntil(lambda: turns.rendered is not None)
    assert turns.session is not None
    head = turns.session.head
    monkeypatch.setattr(
        Connection,
        "_check_identity",
        lambda _db: (_ for _ in ()).throw(CommitFailed("Not saved: the disk is full.")),
    )
    press("2")
    assert turns.saving.has_failed_saves
    press("z", CONTROL)
    assert not turns.saving.has_failed_saves and turns.session.head == head, (
        "the grade before it stands"
    )
