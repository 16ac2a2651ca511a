"""Tests of starting the program: stored state never prevents it, and errors are always shown."""

import errno
import faulthandler
import os
import subprocess
import sys
import threading
from collections.abc import Callable
from pathlib import Path

import pytest
from PySide6.QtWidgets import QLabel, QPushButton
from pytestqt.qtbot import QtBot

from irjudge.shipped import crash_report_path, release_version
from irjudge_ui import jobs
from irjudge_ui.app import install_error_dialog, open_crash_log
from irjudge_ui.pages.frame import CrashDialog
from irjudge_ui.pages.home import HomeView
from irjudge_ui.settings import SETTINGS, Settings
from irjudge_ui.window import Window

UNREACHABLE = (
    "EACCES",
    "EPERM",
    "ESTALE",
    "EIO",
    "ENODEV",
    "ENXIO",
    "ENAMETOOLONG",
    "ELOOP",
    "ETIMEDOUT",
    "EHOSTDOWN",
    "ENOTCONN",
)


@pytest.fixture
def break_stat(monkeypatch: pytest.MonkeyPatch) -> Callable[[Path, str], None]:
    """Function that makes `os.stat` fail for a path, as for a lost share or a forbidden folder."""

    def act(gone: Path, name: str) -> None:
        code, real = getattr(errno, name), os.stat

        def stat(path: object, *args: object, **more: object) -> os.stat_result:
            if str(path) == str(gone):
                raise OSError(code, os.strerror(code), str(path))
            return real(path, *args, **more)  # type: ignore[arg-type, no-any-return]

        monkeypatch.setattr(os, "stat", stat)

    return act


@pytest.mark.parametrize("name", UNREACHABLE)
def test_a_recent_project_that_cannot_be_reached_does_not_prevent_the_start(
    name: str,
    settings: Settings,
    tmp_path: Path,
    qtbot: QtBot,
    break_stat: Callable[[Path, str], None],
) -> None:
    for each in ("here", "gone"):
        (tmp_path / each).touch()
        settings.add_recent(tmp_path / each)
    break_stat(tmp_path / "gone", name)
    home = HomeView(settings)
    qtbot.addWidget(home)
    qtbot.waitUntil(lambda: "gone" not in entry_names(home))
    assert "here" in entry_names(home)
    assert any(
        "(.irtask)" in label.text() and "Open project" in label.text()
        for label in home.findChildren(QLabel)
    ), "who was sent a file sees what to do"
    settings.add_recent(tmp_path / "here")


def test_a_hanging_network_share_delays_neither_the_start_page_nor_other_work(
    settings: Settings, tmp_path: Path, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    for each in ("gone", *[f"hangs {number}" for number in range(4)]):
        settings.add_recent(tmp_path / each)
    answer, real = threading.Event(), os.stat

    def stat(path: object, *args: object, **more: object) -> os.stat_result:
        if "hangs " in str(path):
            assert threading.current_thread() is not threading.main_thread(), (
                "the window would hang"
            )
            answer.wait(10)
        return real(path, *args, **more)  # type: ignore[arg-type, no-any-return]

    monkeypatch.setattr(os, "stat", stat)
    home, done = HomeView(settings), list[str]()
    qtbot.addWidget(home)
    assert {"gone", "hangs 0", "hangs 3"} <= entry_names(home), "all are shown at once"
    jobs.run(lambda _progress: "other work", done.append, pytest.fail)
    qtbot.waitUntil(lambda: "gone" not in entry_names(home) and done == ["other work"])
    assert {"hangs 0", "hangs 3"} <= entry_names(home)
    answer.set()
    qtbot.waitUntil(lambda: not any(name.startswith("hangs") for name in entry_names(home)))


def entry_names(home: HomeView) -> set[str]:
    """Return the names of the entries of the start page."""
    return {
        entry.accessibleName() for entry in home.findChildren(QPushButton) if not entry.isHidden()
    }


@pytest.mark.parametrize("name", UNREACHABLE)
def test_opening_an_unreachable_file_shows_one_sentence(
    name: str, window: Window, tmp_path: Path, break_stat: Callable[[Path, str], None]
) -> None:
    break_stat(tmp_path / "gone.irjudge", name)
    assert not window.open(tmp_path / "gone.irjudge")
    assert (
        window.message.text().startswith("✕ ")
        and os.strerror(getattr(errno, name)) in window.message.text()
    )
    assert window.findChild(CrashDialog) is None


GARBAGE = (
    bytes(range(256)) * 40,
    b"[General]\nrecent=@Variant(\\0\\0\\0\\x7f)\nzoom=@Rect(1 2 3 4)\ngeometry=@ByteArray(\\xff\\0)\nkeys=5\nfont=\\0\n",
    b"[General]\nrecent=\\x0\\x1\\n//\\n/dev/null/x\\n"
    + b"a" * 5000
    + b"\nown_words={\nnames=@Invalid()\nsamples=\\0\nlanguage=@DateTime(x)\n",
    b"\xff\xfe[\0G\0",
    b"[keys]\nskip=\n[grade_keys]\n=\n[%]\n",
)


@pytest.mark.qt_log_ignore(
    "QVariant::load: unknown user type", extend=True
)  # Qt reports what it found in the file
@pytest.mark.parametrize("kind", [*range(len(GARBAGE)), "a folder", "in a file", "unwritable"])
def test_no_broken_settings_file_prevents_the_start(
    kind: int | str, tmp_path: Path, qtbot: QtBot
) -> None:
    file = tmp_path / "irjudge.ini"
    if isinstance(kind, int):
        file.write_bytes(GARBAGE[kind])
    elif kind == "a folder":
        file.mkdir()
    elif kind == "in a file":
        (tmp_path / "plain").touch()
        file = tmp_path / "plain" / "irjudge.ini"
    else:
        file = Path("/proc/nowhere/irjudge.ini")
    settings = Settings(file)
    made = Window(settings)
    qtbot.addWidget(made)
    made.show()
    qtbot.waitExposed(made)
    for setting in SETTINGS:
        assert type(settings.get(setting.name)) is type(setting.default)
    settings.set("zoom", 1.1)
    settings.add_recent(tmp_path / "p.irjudge")
    made.close()


class BrokenConsole:
    """A console that raises an error on each write."""

    def __init__(self, error: Exception) -> None:
        self._fault = error

    def write(self, _words: str) -> None:
        raise self._fault


@pytest.mark.parametrize(
    "console",
    [
        None,
        BrokenConsole(ValueError("I/O operation on closed file.")),
        BrokenConsole(OSError(errno.ENOSPC, "full")),
    ],
)
def test_an_error_is_shown_without_a_console(
    console: BrokenConsole | None, window: Window, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sys, "excepthook", sys.excepthook)
    install_error_dialog(window)
    with monkeypatch.context() as without:
        without.setattr(sys, "stderr", console)
        error = ValueError("of ours")
        sys.excepthook(ValueError, error, None)
    dialog = window.findChild(CrashDialog)
    assert dialog is not None and dialog.isVisible() and "of ours" in dialog.details
    dialog.close()


def test_a_crash_report_is_stored_to_be_sent_later(
    window: Window, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setenv("IRJUDGE_CACHE", str(tmp_path / "new"))
    monkeypatch.setattr(sys, "excepthook", sys.excepthook)
    monkeypatch.setattr(faulthandler, "enable", lambda file: None)  # enabled by pytest
    crash_log = open_crash_log()
    assert crash_log is not None
    with crash_log:
        install_error_dialog(window, crash_log)
        sys.excepthook(ValueError, ValueError("of ours"), None)
        assert "ValueError: of ours" in crash_report_path().read_text(encoding="utf-8")
        assert release_version() in crash_report_path().read_text(encoding="utf-8")
    dialog = window.findChild(CrashDialog)
    assert dialog is not None
    dialog.close()


@pytest.mark.slow
def test_a_fatal_signal_leaves_a_stack_trace(tmp_path: Path) -> None:
    dies = (
        "from irjudge_ui.app import open_crash_log; kept = open_crash_log(); import os; os.abort()"
    )
    environment = os.environ | {"IRJUDGE_CACHE": str(tmp_path)}
    assert (
        subprocess.run(
            [sys.executable, "-c", dies], env=environment, capture_output=True, check=False
        ).returncode
        != 0
    )
    assert "Fatal Python error: Aborted" in (tmp_path / "crash.txt").read_text(encoding="utf-8")


def test_an_unwritable_folder_prevents_no_start(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "file").touch()
    monkeypatch.setenv("IRJUDGE_CACHE", str(tmp_path / "file"))
    assert open_crash_log() is None


LOADING = """
import sys, threading
from pathlib import Path
from PySide6.QtCore import QEventLoop, QTimer
from irjudge_ui import jobs; from irjudge_ui.pages import registry as pages
from irjudge_ui.app import make_application
from irjudge_ui.settings import Settings
from irjudge_ui.window import Window
settings = Settings(Path(sys.argv[1]))
application = make_application(["irjudge"], settings)
print(sys.getswitchinterval())
pages.PRELOAD_MS, called_files = 1, set()
def note(event, arguments):
    if event == "exec" and threading.current_thread() is not threading.main_thread():
        called_files.add(arguments[0].co_filename)
sys.addaudithook(note)
window, loop, looking = Window(settings), QEventLoop(), QTimer()
window.show()
looking.timeout.connect(lambda: all(page.is_loaded for page in pages.PAGES) and not jobs.is_busy() and loop.quit())
looking.start(5)
loop.exec()
of = lambda package: [each for each in called_files if package in Path(each).parts]
print(of("irjudge_ui") + of("PySide6"), len(of("irjudge")) > 10)
for page in pages.PAGES:
    window.pages.view(page.id)
print("made")
"""


@pytest.mark.slow
def test_engine_modules_are_loaded_in_the_background_without_qt_and_release_the_lock_soon(
    tmp_path: Path,
) -> None:
    completed = subprocess.run(
        [sys.executable, "-c", LOADING, str(tmp_path / "settings.ini")],
        capture_output=True,
        text=True,
        check=True,
        timeout=240,
    )
    interval, *loaded = completed.stdout.splitlines()
    assert loaded == ["[] True", "made"], completed.stdout + completed.stderr
    # with Python's default of 5 ms, drawing a table beside a busy thread waits for each call
    assert float(interval) <= 0.0002
