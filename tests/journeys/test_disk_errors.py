"""Judging with a full disk, and with a locked, read-only, moved or replaced project file.

The document stays, the reason is shown, and work is saved on request once the problem is solved.
Nothing is simulated: the size limit is the system's, the lock is another connection's, and the file
is really moved.
"""

import os
import resource
import shutil
import sqlite3
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QFileDialog
from pytestqt.qtbot import QtBot

from irjudge.errors import ProjectError
from irjudge.judging import PresentedDocument, Session
from irjudge.store import create_project_from_files, open_project, sample_sources
from irjudge_ui import jobs
from irjudge_ui.settings import Settings
from irjudge_ui.window import Window
from tests.pools import depth_pool

Key = Qt.Key
PATIENCE = 5000


@pytest.fixture
def project_path(tmp_path: Path) -> Path:
    made = tmp_path / "work.irjudge"
    sources, scale = sample_sources("everyday")
    create_project_from_files(made, sources, scale=scale)
    with open_project(made) as project:
        runs = [project.rankings.run(run.name) for run in project.rankings.runs()]
        project.rankings.add_pool(depth_pool(runs, 5))
    return made


@pytest.fixture
def window(project_path: Path, tmp_path: Path, qtbot: QtBot) -> Iterator[Window]:
    """The window with two documents judged."""
    settings = Settings(tmp_path / "settings.ini")
    settings.set("guard_ms", 0)
    made = Window(settings)
    qtbot.addWidget(made)
    made.resize(1360, 820)
    made.show()
    made.open(project_path)
    qtbot.waitUntil(lambda: not jobs.is_busy(), timeout=PATIENCE)
    made.show_page("judge")
    for _ in range(2):
        wait_until_rendered(made, qtbot)
        press_key(made, Key.Key_1)
    yield made
    made.judge.saving.forget()
    made.close()


def wait_until_rendered(window: Window, qtbot: QtBot) -> PresentedDocument:
    qtbot.waitUntil(lambda: window.judge.can_judge, timeout=PATIENCE)
    assert window.judge.rendered_item is not None
    return window.judge.rendered_item


def press_key(window: Window, key: Qt.Key) -> None:
    QTest.keyClick(window.judge.document, key)


def get_session(window: Window) -> Session:
    assert window.judge.session is not None
    return window.judge.session


def message_text(window: Window) -> str:
    return window.judge.grade_panel.message.text()


def check_failure_and_retry(
    window: Window, qtbot: QtBot, project_path: Path, why: str, mend: Callable[[], None]
) -> None:
    """Check that a grade fails with a reason, and F5 saves it once the problem is solved."""
    work, before = wait_until_rendered(window, qtbot), get_session(window).count().judged
    press_key(window, Key.Key_3)
    assert why in message_text(window) and window.judge.saving.has_failed_saves
    assert window.judge.rendered_item == work and get_session(window).count().judged == before
    press_key(window, Key.Key_F5)
    assert why in message_text(window) and window.judge.rendered_item == work  # unchanged
    mend()
    press_key(window, Key.Key_F5)
    assert wait_until_rendered(window, qtbot) != work and not window.judge.saving.has_failed_saves
    with open_project(project_path, writing=False) as other:
        grades = [
            (event.item.documents[0], event.payload["value"])
            for event in other.events.read()
            if event.kind == "grade"
        ]
        assert grades[-1] == (work.document.id, 3) and len(grades) == before + 1
        assert not other.verify().problems


def test_a_full_disk_prevents_saving_until_there_is_room(
    window: Window, project_path: Path, qtbot: QtBot
) -> None:
    wait_until_rendered(window, qtbot)
    limits = resource.getrlimit(resource.RLIMIT_FSIZE)
    # no file of this process may grow beyond a page
    resource.setrlimit(resource.RLIMIT_FSIZE, (4096, limits[1]))
    try:
        check_failure_and_retry(
            window,
            qtbot,
            project_path,
            "Not saved",
            lambda: resource.setrlimit(resource.RLIMIT_FSIZE, limits),
        )
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, limits)


def test_a_file_locked_by_another_program_is_saved_later(
    window: Window, project_path: Path, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    project = window.project
    assert project is not None
    monkeypatch.setattr("irjudge.store.connection.WAIT_SECONDS", 0.05)
    project._db._sqlite.execute("PRAGMA busy_timeout = 50")  # opened before
    other = sqlite3.connect(project_path, isolation_level=None)
    other.execute("BEGIN IMMEDIATE")

    def unlock() -> None:
        other.execute("ROLLBACK")
        other.close()

    check_failure_and_retry(window, qtbot, project_path, "another program", unlock)


def test_a_moved_file_can_be_saved_after_it_was_moved_back(
    window: Window, project_path: Path, qtbot: QtBot, tmp_path: Path
) -> None:
    elsewhere = tmp_path / "elsewhere.irjudge"
    project_path.rename(elsewhere)
    check_failure_and_retry(
        window,
        qtbot,
        project_path,
        "moved, deleted or replaced",
        lambda: elsewhere.rename(project_path) and None,
    )


def test_a_different_file_at_the_path_is_not_written(
    window: Window, project_path: Path, qtbot: QtBot, tmp_path: Path
) -> None:
    ours, copy = tmp_path / "ours.irjudge", tmp_path / "copy.irjudge"
    shutil.copy(project_path, copy)
    project_path.rename(ours)
    copy.rename(project_path)
    stranger = project_path.read_bytes()

    def move_back() -> None:
        assert project_path.read_bytes() == stranger  # not written
        ours.replace(project_path)

    check_failure_and_retry(window, qtbot, project_path, "moved, deleted or replaced", move_back)


def test_a_file_overwritten_by_a_backup_is_not_written(
    window: Window, project_path: Path, qtbot: QtBot, tmp_path: Path
) -> None:
    session = get_session(window)
    backup = project_path.read_bytes()
    wait_until_rendered(window, qtbot)
    press_key(window, Key.Key_1)
    wait_until_rendered(window, qtbot)
    ours, judged = project_path.read_bytes(), session.count().judged
    project_path.write_bytes(backup)
    press_key(window, Key.Key_2)
    assert (
        "overwritten with another file" in message_text(window)
        and window.judge.saving.has_failed_saves
    )
    assert project_path.read_bytes() == backup  # not written
    window.judge.saving.save_copy(tmp_path / "copy.irjudge")
    qtbot.waitUntil(
        lambda: window.project is not None and window.project.path.name == "copy.irjudge",
        timeout=PATIENCE,
    )
    wait_until_rendered(window, qtbot)
    assert get_session(window).count().judged == judged  # judging continues where it was
    project_path.write_bytes(ours)


class FailingSync:
    """SQLite in a state in which a commit is written but the folder cannot be synced."""

    def __init__(self, sqlite: sqlite3.Connection) -> None:
        self._sqlite = sqlite

    def __getattr__(self, name: str) -> object:
        return getattr(self._sqlite, name)

    def execute(self, statement: str, values: tuple = ()) -> sqlite3.Cursor:
        made = self._sqlite.execute(statement, values)
        if statement == "COMMIT":
            raise sqlite3.OperationalError("disk I/O error")
        return made


def test_a_committed_judgment_is_not_reported_lost_and_an_unknown_one_not_reported_saved(
    window: Window, project_path: Path, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    work, before = wait_until_rendered(window, qtbot), get_session(window).count().judged
    assert window.project is not None
    window.project._db._sqlite = FailingSync(window.project._db._sqlite)
    press_key(window, Key.Key_3)
    assert wait_until_rendered(window, qtbot) != work and message_text(window).startswith(
        "Saved: "
    ), "the file was looked at"
    work = wait_until_rendered(window, qtbot)
    monkeypatch.setattr("irjudge.store.connection.sync_folder", lambda _folder: False)
    press_key(window, Key.Key_2)
    assert "Cannot tell" in message_text(window) and "to try again" in message_text(window)
    assert window.judge.rendered_item == work and window.judge.saving.has_failed_saves
    press_key(window, Key.Key_F5)
    assert (
        wait_until_rendered(window, qtbot) != work
        and not window.judge.saving.has_failed_saves
        and get_session(window).count().judged == before + 2
    )
    window.project._db._sqlite = window.project._db._sqlite._sqlite
    with open_project(project_path, writing=False) as other:
        assert [event.payload["value"] for event in other.events.read() if event.kind == "grade"][
            before:
        ] == [3, 2]


@pytest.mark.skipif(os.geteuid() == 0, reason="root may write everywhere")
def test_a_folder_that_became_read_only_prevents_saving(
    window: Window, project_path: Path, qtbot: QtBot
) -> None:
    project_path.parent.chmod(0o555)
    try:
        check_failure_and_retry(
            window, qtbot, project_path, "Not saved", lambda: project_path.parent.chmod(0o755)
        )
    finally:
        project_path.parent.chmod(0o755)


def test_a_note_that_cannot_be_saved_stays_in_the_field(
    window: Window, project_path: Path, qtbot: QtBot, tmp_path: Path
) -> None:
    work = wait_until_rendered(window, qtbot)
    press_key(window, Key.Key_N)
    note = window.judge.grade_panel.marks.note
    elsewhere = tmp_path / "elsewhere.irjudge"
    project_path.rename(elsewhere)
    QTest.keyClicks(note, "half a thought")
    QTest.keyClick(note, Key.Key_Return)
    assert "moved, deleted or replaced" in message_text(window) and note.text() == "half a thought"
    elsewhere.rename(project_path)
    press_key(window, Key.Key_F5)
    assert get_session(window).marks(work.queue_item).note == "half a thought"


def test_an_unsaved_grade_and_an_unsaved_note_are_both_saved_later(
    window: Window, project_path: Path, qtbot: QtBot, tmp_path: Path
) -> None:
    work = wait_until_rendered(window, qtbot)
    elsewhere = tmp_path / "elsewhere.irjudge"
    project_path.rename(elsewhere)
    press_key(window, Key.Key_2)
    press_key(window, Key.Key_3)  # the user changes the grade
    press_key(window, Key.Key_N)
    note = window.judge.grade_panel.marks.note
    QTest.keyClicks(note, "why")
    QTest.keyClick(note, Key.Key_Return)
    assert window.judge.rendered_item == work and "to try again" in message_text(window)
    elsewhere.rename(project_path)
    press_key(window, Key.Key_F5)
    session = get_session(window)
    judgment = session.judgment(work.queue_item)
    assert (
        judgment is not None
        and judgment.payload["value"] == 3
        and session.marks(work.queue_item).note == "why"
    )
    assert wait_until_rendered(window, qtbot) != work


def test_if_the_file_is_deleted_work_continues_in_a_copy(
    window: Window,
    project_path: Path,
    qtbot: QtBot,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    work = wait_until_rendered(window, qtbot)
    project_path.unlink()
    press_key(window, Key.Key_3)
    copy = tmp_path / "copy.irjudge"
    monkeypatch.setattr(QFileDialog, "getSaveFileName", lambda *_: (str(copy), ""))
    QTest.keyClick(
        window.judge.document,
        Key.Key_S,
        Qt.KeyboardModifier.ControlModifier | Qt.KeyboardModifier.ShiftModifier,
    )
    qtbot.waitUntil(
        lambda: not jobs.is_busy() and window.project is not None and window.project.path == copy,
        timeout=PATIENCE,
    )
    assert (
        wait_until_rendered(window, qtbot).queue_item == work.queue_item
        and get_session(window).count().judged == 2
    )
    press_key(window, Key.Key_3)
    assert get_session(window).count().judged == 3
    assert not project_path.exists()
    with open_project(copy, writing=False) as other:
        assert not other.verify().problems


@pytest.mark.parametrize("size", [(1360, 820), (800, 600)])
def test_reason_and_remedy_are_shown_in_full(
    window: Window, project_path: Path, qtbot: QtBot, tmp_path: Path, size: tuple[int, int]
) -> None:
    window.resize(*size)
    wait_until_rendered(window, qtbot)
    project_path.rename(tmp_path / "elsewhere.irjudge")
    press_key(window, Key.Key_3)
    qtbot.wait(50)
    panel = window.judge.grade_panel
    message = panel.message
    assert message.height() >= message.heightForWidth(message.width()) and message.width() >= 200
    for made in (panel._retry_button, panel._copy_button):
        assert made.isVisible() and made.width() >= made.sizeHint().width()
    (tmp_path / "elsewhere.irjudge").rename(project_path)


def test_a_copy_overwrites_nothing(window: Window, project_path: Path, tmp_path: Path) -> None:
    assert window.project is not None
    there = tmp_path / "there.irjudge"
    there.write_text("mine", encoding="utf-8")
    with pytest.raises(ProjectError, match="already exists"):
        window.project.copy_to(there)
    with pytest.raises(ProjectError, match="Cannot write"):
        window.project.copy_to(tmp_path / "gone" / "x.irjudge")
    assert (
        there.read_text(encoding="utf-8") == "mine"
        and sorted(each.name for each in tmp_path.glob(".*")) == []
    )


def test_a_clock_that_jumps_back_keeps_the_order_of_events(
    window: Window, project_path: Path, qtbot: QtBot
) -> None:
    session = get_session(window)
    session._clock = lambda: "1999-01-01T00:00:00.000Z"
    seen = []
    for key in (Key.Key_2, Key.Key_3):
        seen.append(wait_until_rendered(window, qtbot).queue_item)
        press_key(window, key)
    wait_until_rendered(window, qtbot)
    press_key(window, Key.Key_S)
    wait_until_rendered(window, qtbot)
    QTest.keyClick(window.judge.document, Key.Key_Z, Qt.KeyboardModifier.ControlModifier)
    QTest.keyClick(window.judge.document, Key.Key_Z, Qt.KeyboardModifier.ControlModifier)
    assert (
        session.judgment(seen[1]) is None
        and wait_until_rendered(window, qtbot).queue_item == seen[1]
    )
    window.close_project()
    with open_project(project_path) as project:
        again = Session(project)
        judgment = again.judgment(seen[0])
        assert (
            judgment is not None
            and judgment.payload["value"] == 2
            and again.judgment(seen[1]) is None
        )
        assert not project.verify().problems
