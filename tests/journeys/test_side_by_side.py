"""Two runs compared by keys alone: undo, resume, opened results, and printed conclusions."""

import json
from collections.abc import Callable
from contextlib import redirect_stdout
from io import StringIO
from pathlib import Path

import pytest
from openpyxl import load_workbook
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QLabel
from pytestqt.qtbot import QtBot

from irjudge.cli.main import main
from irjudge.store import open_project
from irjudge_ui import jobs
from irjudge_ui.pages.shared.view import InstructionsDialog
from irjudge_ui.pages.side_by_side import ComparisonView
from irjudge_ui.settings import Settings
from irjudge_ui.window import Window
from irjudge_ui.workspace.submission import ReceiptView

Key, Modifier = Qt.Key, Qt.KeyboardModifier
PATIENCE = 5000
RUNS = ("bm25", "grams")


@pytest.fixture
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The sample with twelve topics as a project, created by the command line."""
    monkeypatch.chdir(tmp_path)
    run_command("sample", "harbour", "-o", "harbour.irjudge")
    return tmp_path / "harbour.irjudge"


def run_command(*arguments: str) -> str:
    """Run a command and return what it printed."""
    printed = StringIO()
    with redirect_stdout(printed):
        assert main(list(arguments)) == 0
    return printed.getvalue()


def press_key(key: Qt.Key, modifier: Qt.KeyboardModifier = Modifier.NoModifier) -> None:
    focus = QApplication.focusWidget()
    assert focus is not None
    QTest.keyPress(focus, key, modifier)


def wait_until_ready(view: ComparisonView, qtbot: QtBot) -> None:
    qtbot.waitUntil(lambda: view.can_compare, timeout=PATIENCE)


def open_file(window: Window, path: Path, qtbot: QtBot) -> ComparisonView:
    window.activateWindow()
    window.open(path)
    qtbot.waitUntil(lambda: not jobs.is_busy() and window.project is not None, timeout=PATIENCE)
    assert window.pages.on_top() == "panels"
    wait_until_ready(window.panels, qtbot)
    if window.panels.session is not None and window.panels.session.is_unstarted:
        qtbot.waitUntil(
            lambda: isinstance(QApplication.activeModalWidget(), InstructionsDialog),
            timeout=PATIENCE,
        )
        press_key(Key.Key_Return)
        qtbot.waitUntil(lambda: QApplication.activeModalWidget() is None, timeout=PATIENCE)
    qtbot.waitUntil(lambda: QApplication.focusWidget() is not None, timeout=PATIENCE)
    return window.panels


def answer_panels(view: ComparisonView, count: int, qtbot: QtBot) -> None:
    keys = (
        (Key.Key_Left, Modifier.NoModifier),
        (Key.Key_Right, Modifier.ShiftModifier),
        (Key.Key_0, Modifier.NoModifier),
    )
    for number in range(count):
        wait_until_ready(view, qtbot)
        press_key(Key(Key.Key_1 + number % 4))
        press_key(*keys[number % 3])


def test_an_anonymous_comparison_by_keys_alone(
    project: Path,
    open_window: Callable[[], Window],
    settings: Settings,
    qtbot: QtBot,
    snap: Callable[..., None],
) -> None:
    settings.set("guard_ms", 0)
    settings.add_name("ann")
    runs = [word for name in RUNS for word in ("--run", name)]
    run_command(
        "assign",
        "harbour.irjudge",
        "--assessors",
        "ann",
        "--mode",
        "side-by-side",
        *runs,
        "--repeats",
        "2",
        "-o",
        "out",
    )
    file = project.parent / "out" / "ann.irtask"
    view = open_file(open_window(), file, qtbot)
    assert view.session is not None
    total = view.session.count().assigned
    shown = total - view.session.identical()
    assert len(view.session.topics) == 12 and shown >= 12
    open_results(view, qtbot, snap)
    answer_panels(view, 5, qtbot)
    undo_two(view, qtbot)
    view.window().close()

    view = open_file(open_window(), file, qtbot)
    assert view.session is not None and view.session.count().left == shown - 3
    answer_panels(view, shown - 3, qtbot)
    assert (
        any(label.text() == "All comparisons done" for label in view.findChildren(QLabel))
        and view.session.count().left == 0
    )
    press_key(Key.Key_Return, Modifier.ControlModifier)
    qtbot.waitUntil(
        lambda: not jobs.is_busy() and bool(view.findChildren(ReceiptView)), timeout=PATIENCE
    )
    assert QApplication.activeModalWidget() is None
    view.window().close()
    check_conclusions(file, shown)


def open_results(view: ComparisonView, qtbot: QtBot, snap: Callable[..., None]) -> None:
    """Open a result of each side by key, and go back."""
    for _ in range(2):
        press_key(Key.Key_O)
        qtbot.waitUntil(
            lambda: view.results.is_open and bool(view.opened.view.toPlainText()), timeout=PATIENCE
        )
        press_key(Key.Key_Escape)
        press_key(Key.Key_Tab)
    press_key(Key.Key_Down)
    window = view.window()
    assert isinstance(window, Window)
    snap(window, "side-by-side")
    assert not view.results.is_open and view.results.log.count()[0] == (2, 0)


def undo_two(view: ComparisonView, qtbot: QtBot) -> None:
    for _ in range(2):
        wait_until_ready(view, qtbot)
        press_key(Key.Key_Z, Modifier.ControlModifier)
    wait_until_ready(view, qtbot)
    assert view.session is not None and sum(view.session.outcomes().values()) == 3


def check_conclusions(file: Path, shown: int) -> None:
    raw = file.read_bytes()
    with open_project(file, writing=False) as task:
        events = [
            event
            for event in task.events.read()
            if event.kind == "preference" and not event.payload.get("identical")
        ]
    assert len(events) == shown + 2 and events[0].payload["opens"] == [2, 0], (
        "two were undone and answered again"
    )
    assert b"bm25" not in raw
    assert "1 event" not in run_command("merge", "harbour.irjudge", str(file))
    rows = json.loads(run_command("preferences", "harbour.irjudge", "--format", "json"))["values"]
    pairs = [row for row in rows if row["part"] == "pairs"]
    assert {(row["first"], row["second"]) for row in pairs} == {RUNS}
    assert {row["part"] for row in rows} >= {"pairs", "strengths", "sides", "repeats"}
    run_command("report", "harbour.irjudge", "-o", "report.xlsx")
    book = load_workbook(file.parent.parent / "report.xlsx", read_only=True)
    assert "Preferences" in book.sheetnames and RUNS[1] in {
        cell.value for row in book["Preferences"].iter_rows() for cell in row
    }
    book.close()
