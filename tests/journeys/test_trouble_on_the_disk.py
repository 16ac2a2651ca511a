"""What an assessor sees when the disk is full, and when the file is locked, read-only, moved or replaced while it is open.

The screen stays, says why, keeps what was done, and saves it on request once the trouble is gone. Nothing here is simulated: the
limit is the system's, the lock another connection's, and the file is really moved.
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
def path(tmp_path: Path) -> Path:
    made = tmp_path / "work.irjudge"
    sources, scale = sample_sources("everyday")
    create_project_from_files(made, sources, scale=scale)
    with open_project(made) as project:
        runs = [project.rankings.run(run.name) for run in project.rankings.runs()]
        project.rankings.add_pool(depth_pool(runs, 5))
    return made


@pytest.fixture
def window(path: Path, tmp_path: Path, qtbot: QtBot) -> Iterator[Window]:
    """The real window, with two documents judged."""
    settings = Settings(tmp_path / "settings.ini")
    settings.set("guard_ms", 0)
    made = Window(settings)
    qtbot.addWidget(made)
    made.resize(1360, 820)
    made.show()
    made.open(path)
    qtbot.waitUntil(lambda: not jobs.is_busy(), timeout=PATIENCE)
    made.show_page("judge")
    for _ in range(2):
        painted(made, qtbot)
        press(made, Key.Key_1)
    yield made
    made.judge.saving.forget()
    made.close()


def painted(window: Window, qtbot: QtBot) -> PresentedDocument:
    qtbot.waitUntil(lambda: window.judge.can_judge, timeout=PATIENCE)
    assert window.judge.rendered_item is not None
    return window.judge.rendered_item


def press(window: Window, key: Qt.Key) -> None:
    QTest.keyClick(window.judge.document, key)


def session_of(window: Window) -> Session:
    assert window.judge.session is not None
    return window.judge.session


def said(window: Window) -> str:
    return window.judge.grade_panel.message.text()


def fails_then_saves(
    window: Window, qtbot: QtBot, path: Path, why: str, mend: Callable[[], None]
) -> None:
    """Grade 3 fails and says why; the screen stays; once the trouble is gone F5 saves that very grade for that very document."""
    work, before = painted(window, qtbot), session_of(window).count().judged
    press(window, Key.Key_3)
    assert why in said(window) and window.judge.saving.has_failed_saves
    assert window.judge.rendered_item == work and session_of(window).count().judged == before
    press(window, Key.Key_F5)
    assert why in said(window) and window.judge.rendered_item == work  # still so
    mend()
    press(window, Key.Key_F5)
    assert painted(window, qtbot) != work and not window.judge.saving.has_failed_saves
    with open_project(path, writing=False) as other:
        grades = [
            (event.item.documents[0], event.payload["value"])
            for event in other.events.read()
            if event.kind == "grade"
        ]
        assert grades[-1] == (work.document.id, 3) and len(grades) == before + 1
        assert not other.verify().problems


def test_a_full_disk(window: Window, path: Path, qtbot: QtBot) -> None:
    painted(window, qtbot)
    limits = resource.getrlimit(resource.RLIMIT_FSIZE)
    # no file of this process may grow beyond a page
    resource.setrlimit(resource.RLIMIT_FSIZE, (4096, limits[1]))
    try:
        fails_then_saves(
            window,
            qtbot,
            path,
            "Not saved",
            lambda: resource.setrlimit(resource.RLIMIT_FSIZE, limits),
        )
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, limits)


def test_another_program_holds_the_file(
    window: Window, path: Path, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    project = window.project
    assert project is not None
    monkeypatch.setattr("irjudge.store.connection.WAIT_SECONDS", 0.05)
    project._db._sqlite.execute("PRAGMA busy_timeout = 50")  # opened before
    other = sqlite3.connect(path, isolation_level=None)
    other.execute("BEGIN IMMEDIATE")

    def let_go() -> None:
        other.execute("ROLLBACK")
        other.close()

    fails_then_saves(window, qtbot, path, "another program", let_go)


def test_the_file_is_moved_away_and_comes_back(
    window: Window, path: Path, qtbot: QtBot, tmp_path: Path
) -> None:
    elsewhere = tmp_path / "elsewhere.irjudge"
    path.rename(elsewhere)
    fails_then_saves(
        window, qtbot, path, "moved, deleted or replaced", lambda: elsewhere.rename(path) and None
    )


def test_another_file_stands_in_its_place(
    window: Window, path: Path, qtbot: QtBot, tmp_path: Path
) -> None:
    ours, copy = tmp_path / "ours.irjudge", tmp_path / "copy.irjudge"
    shutil.copy(path, copy)
    path.rename(ours)
    copy.rename(path)
    stranger = path.read_bytes()

    def back() -> None:
        assert path.read_bytes() == stranger  # nothing was written into it
        ours.replace(path)

    fails_then_saves(window, qtbot, path, "moved, deleted or replaced", back)


def test_the_file_is_written_over_in_its_place(
    window: Window, path: Path, qtbot: QtBot, tmp_path: Path
) -> None:
    session = session_of(window)
    backup = path.read_bytes()
    painted(window, qtbot)
    press(window, Key.Key_1)
    painted(window, qtbot)
    ours, judged = path.read_bytes(), session.count().judged
    path.write_bytes(backup)
    press(window, Key.Key_2)
    assert "overwritten with another file" in said(window) and window.judge.saving.has_failed_saves
    assert path.read_bytes() == backup  # nothing was written into it
    window.judge.saving.save_copy(tmp_path / "copy.irjudge")
    qtbot.waitUntil(
        lambda: window.project is not None and window.project.path.name == "copy.irjudge",
        timeout=PATIENCE,
    )
    painted(window, qtbot)
    assert session_of(window).count().judged == judged  # the work goes on where it stood
    path.write_bytes(ours)


class EndsBadly:
    """SQLite as it is where the folder cannot be synced once a commit is made and its journal gone."""

    def __init__(self, sqlite: sqlite3.Connection) -> None:
        self._sqlite = sqlite

    def __getattr__(self, name: str) -> object:
        return getattr(self._sqlite, name)

    def execute(self, statement: str, values: tuple = ()) -> sqlite3.Cursor:
        made = self._sqlite.execute(statement, values)
        if statement == "COMMIT":
            raise sqlite3.OperationalError("disk I/O error")
        return made


def test_a_judgment_that_is_in_the_file_is_not_called_lost_and_one_nobody_knows_of_is_not_called_saved(
    window: Window, path: Path, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    work, before = painted(window, qtbot), session_of(window).count().judged
    assert window.project is not None
    window.project._db._sqlite = EndsBadly(window.project._db._sqlite)
    press(window, Key.Key_3)
    assert painted(window, qtbot) != work and said(window).startswith("Saved: "), (
        "the file was looked at"
    )
    work = painted(window, qtbot)
    monkeypatch.setattr("irjudge.store.connection.sync_folder", lambda _folder: False)
    press(window, Key.Key_2)
    assert "Cannot tell" in said(window) and "to try again" in said(window)
    assert window.judge.rendered_item == work and window.judge.saving.has_failed_saves
    press(window, Key.Key_F5)
    assert (
        painted(window, qtbot) != work
        and not window.judge.saving.has_failed_saves
        and session_of(window).count().judged == before + 2
    )
    window.project._db._sqlite = window.project._db._sqlite._sqlite
    with open_project(path, writing=False) as other:
        assert [event.payload["value"] for event in other.events.read() if event.kind == "grade"][
            before:
        ] == [3, 2]


@pytest.mark.skipif(os.geteuid() == 0, reason="root may write everywhere")
def test_a_folder_that_became_read_only(window: Window, path: Path, qtbot: QtBot) -> None:
    path.parent.chmod(0o555)
    try:
        fails_then_saves(window, qtbot, path, "Not saved", lambda: path.parent.chmod(0o755))
    finally:
        path.parent.chmod(0o755)


def test_a_note_that_cannot_be_saved_is_kept_in_the_field(
    window: Window, path: Path, qtbot: QtBot, tmp_path: Path
) -> None:
    work = painted(window, qtbot)
    press(window, Key.Key_N)
    note = window.judge.grade_panel.marks.note
    elsewhere = tmp_path / "elsewhere.irjudge"
    path.rename(elsewhere)
    QTest.keyClicks(note, "half a thought")
    QTest.keyClick(note, Key.Key_Return)
    assert "moved, deleted or replaced" in said(window) and note.text() == "half a thought"
    elsewhere.rename(path)
    press(window, Key.Key_F5)
    assert session_of(window).marks(work.queue_item).note == "half a thought"


def test_a_grade_and_a_note_that_wait_are_both_saved_in_the_end(
    window: Window, path: Path, qtbot: QtBot, tmp_path: Path
) -> None:
    work = painted(window, qtbot)
    elsewhere = tmp_path / "elsewhere.irjudge"
    path.rename(elsewhere)
    press(window, Key.Key_2)
    press(window, Key.Key_3)  # a change of mind
    press(window, Key.Key_N)
    note = window.judge.grade_panel.marks.note
    QTest.keyClicks(note, "why")
    QTest.keyClick(note, Key.Key_Return)
    assert window.judge.rendered_item == work and "to try again" in said(window)
    elsewhere.rename(path)
    press(window, Key.Key_F5)
    session = session_of(window)
    judgment = session.judgment(work.queue_item)
    assert (
        judgment is not None
        and judgment.payload["value"] == 3
        and session.marks(work.queue_item).note == "why"
    )
    assert painted(window, qtbot) != work


def test_where_the_file_is_gone_for_good_the_work_goes_on_in_a_copy(
    window: Window, path: Path, qtbot: QtBot, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    work = painted(window, qtbot)
    path.unlink()
    press(window, Key.Key_3)
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
        painted(window, qtbot).queue_item == work.queue_item
        and session_of(window).count().judged == 2
    )
    press(window, Key.Key_3)
    assert session_of(window).count().judged == 3
    assert not path.exists()
    with open_project(copy, writing=False) as other:
        assert not other.verify().problems


@pytest.mark.parametrize("size", [(1360, 820), (800, 600)])
def test_why_and_what_to_do_is_shown_whole(
    window: Window, path: Path, qtbot: QtBot, tmp_path: Path, size: tuple[int, int]
) -> None:
    window.resize(*size)
    painted(window, qtbot)
    path.rename(tmp_path / "elsewhere.irjudge")
    press(window, Key.Key_3)
    qtbot.wait(50)
    panel = window.judge.grade_panel
    message = panel.message
    assert message.height() >= message.heightForWidth(message.width()) and message.width() >= 200
    for made in (panel._retry_button, panel._copy_button):
        assert made.isVisible() and made.width() >= made.sizeHint().width()
    (tmp_path / "elsewhere.irjudge").rename(path)


def test_a_copy_overwrites_nothing(window: Window, path: Path, tmp_path: Path) -> None:
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


def test_a_clock_that_jumps_back_keeps_the_order_of_what_was_done(
    window: Window, path: Path, qtbot: QtBot
) -> None:
    session = session_of(window)
    session._clock = lambda: "1999-01-01T00:00:00.000Z"
    seen = []
    for key in (Key.Key_2, Key.Key_3):
        seen.append(painted(window, qtbot).queue_item)
        press(window, key)
    painted(window, qtbot)
    press(window, Key.Key_S)
    painted(window, qtbot)
    QTest.keyClick(window.judge.document, Key.Key_Z, Qt.KeyboardModifier.ControlModifier)
    QTest.keyClick(window.judge.document, Key.Key_Z, Qt.KeyboardModifier.ControlModifier)
    assert session.judgment(seen[1]) is None and painted(window, qtbot).queue_item == seen[1]
    window.close_project()
    with open_project(path) as project:
        again = Session(project)
        judgment = again.judgment(seen[0])
        assert (
            judgment is not None
            and judgment.payload["value"] == 2
            and again.judgment(seen[1]) is None
        )
        assert not project.verify().problems
