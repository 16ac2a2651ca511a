"""Fixtures of the window's tests: settings, small projects, windows, and a check for leaks."""

import shutil
import threading
from collections.abc import Callable, Iterator
from dataclasses import replace
from itertools import count
from pathlib import Path

import pytest
from PySide6.QtCore import QEvent, Qt, QThreadPool
from PySide6.QtGui import QKeyEvent
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QWidget
from pytestqt.qtbot import QtBot

from irjudge.judging import QueueItem, Session, create_sample_project
from irjudge.store import (
    ImportReport,
    Project,
    Sources,
    create_project_from_files,
    open_project,
    sample_sources,
)
from irjudge_ui import jobs
from irjudge_ui.actions import KEYS
from irjudge_ui.app import TranslatorInstaller
from irjudge_ui.settings import SETTINGS, Settings
from irjudge_ui.widgets import Theme, apply_theme
from irjudge_ui.widgets.theme import LIGHT
from irjudge_ui.window import Window
from irjudge_ui.workspace import JudgmentSaver
from tests.pools import depth_pool
from tests.quick_bot import PAINTING_DELAY, PATIENCE
from tests.ui.layout_checks import process_layouts

DEPTH = 5
SIZE = (1360, 820)


@pytest.fixture(autouse=True)
def check_for_leaks(qtbot: QtBot) -> Iterator[None]:
    """Fail a test that leaves a thread, a running job or a visible top-level window."""
    threads, windows = set(threading.enumerate()), set(QApplication.topLevelWidgets())
    yield
    QThreadPool.globalInstance().waitForDone(PATIENCE)
    qtbot.waitUntil(lambda: not jobs.is_busy())
    QApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete)
    left = [
        widget for widget in set(QApplication.topLevelWidgets()) - windows if widget.isVisible()
    ]
    assert not left, f"windows left open: {left}"
    qtbot.waitUntil(
        lambda: (
            not {
                each
                for each in set(threading.enumerate()) - threads
                if each.daemon and each.name.startswith("Thread-")
            }
        )
    )
    ours = {
        thread for thread in threading.enumerate() if not isinstance(thread, threading._DummyThread)
    }  # threads started by Qt are checked by `waitForDone` below
    assert not ours - threads, "a thread was left behind"
    assert QThreadPool.globalInstance().waitForDone(
        PATIENCE
    )  # a job reports its end shortly before its thread ends


@pytest.fixture(scope="session", autouse=True)
def clear_clipboard(qapp: QApplication) -> Iterator[None]:
    """Clear the clipboard at the end of the session.

    The offscreen platform would otherwise free Python objects after the interpreter has ended, and
    crash.
    """
    yield
    qapp.clipboard().clear()


@pytest.fixture(scope="module", autouse=True)
def module_window(
    request: pytest.FixtureRequest, qapp: QApplication, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[Window | None]:
    """The window shared by all tests of a module that defines `ONE_WINDOW = True`; else None.

    Each test gets it without an open project and with fresh settings.
    """
    if not getattr(request.module, "ONE_WINDOW", False):
        yield None
        return
    set_theme_and_zoom(LIGHT, 1.0)
    made = Window(Settings(tmp_path_factory.mktemp("lasting") / "settings.ini"))
    show_window(made)
    yield made
    made.close()
    made.deleteLater()
    QApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete)


def show_window(window: Window) -> None:
    """Show a window at the size used by these tests."""
    window.installEventFilter(PAINTING_DELAY)
    window.resize(*SIZE)
    window.show()
    window.activateWindow()
    QTest.qWaitForWindowExposed(window)


def reset_window(window: Window) -> None:
    """Close the project and all dialogs, and drop unsaved work, for the next test of the module."""
    for each in QApplication.topLevelWidgets():
        if each.isVisible() and each is not window:
            each.close()
    for saving in window.findChildren(JudgmentSaver):
        saving.forget()
    window.close_project()
    window.show_message("")


def reset_settings(settings: Settings, folder: Path) -> Settings:
    """Set all settings to their defaults, except for those that tests need otherwise."""
    wanted = {each.name: each.default for each in SETTINGS} | {
        "guard_ms": 0,
        "theme": "light",
        "samples": str(folder / "samples"),
    }
    for name, value in wanted.items():
        if settings.get(name) != value:
            settings.set(name, value)
    return settings


@pytest.fixture
def own_window() -> None:
    """Request a window of its own for a test in a module that shares one (`ONE_WINDOW`)."""


@pytest.fixture
def shared_window(module_window: Window | None, request: pytest.FixtureRequest) -> Window | None:
    """The window shared by the module, or None if the test has its own.

    A test in another language has its own, because a change of language rebuilds all pages.
    """
    return None if {"own_window", "language"} & {*request.fixturenames} else module_window


@pytest.fixture
def settings(shared_window: Window | None, tmp_path: Path) -> Settings:
    return reset_settings(
        shared_window.settings if shared_window else Settings(tmp_path / "settings.ini"), tmp_path
    )


@pytest.fixture(scope="session")
def everyday(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The shipped sample as a project with a pool, created once per session; tests use copies."""
    path = tmp_path_factory.mktemp("everyday") / "everyday.irjudge"
    sources, scale = sample_sources("everyday")
    create_project_from_files(path, sources, scale=scale)
    with open_project(path) as project:
        runs = [project.rankings.run(run.name) for run in project.rankings.runs()]
        project.rankings.add_pool(depth_pool(runs, DEPTH))
    return path


@pytest.fixture
def textless_sources(tmp_path: Path) -> Sources:
    """The source files of the sample, without the last ten documents."""
    sources, _scale = sample_sources("everyday")
    (documents,) = sources.documents
    lines = documents.read_text(encoding="utf-8").splitlines(keepends=True)
    shortened = tmp_path / "documents.jsonl"
    shortened.write_text("".join(lines[:-10]), encoding="utf-8")
    return replace(sources, documents=(shortened,), qrels=())


@pytest.fixture
def textless_path(textless_sources: Sources, tmp_path: Path) -> Path:
    """The sample as a project with a pool; some pooled documents have no text."""
    path = tmp_path / "textless.irjudge"
    create_project_from_files(path, textless_sources, scale=sample_sources("everyday")[1])
    with open_project(path) as project:
        runs = [project.rankings.run(run.name) for run in project.rankings.runs()]
        project.rankings.add_pool(depth_pool(runs, DEPTH))
    return path


@pytest.fixture
def project_path(everyday: Path, tmp_path: Path) -> Path:
    return Path(shutil.copy(everyday, tmp_path / "project.irjudge"))


# grades of the first three documents of two topics
GRADES = {"ann": (2, 2, 0, 1, 3, 0), "bob": (2, 0, 0, 1, 1, 0), "cleo": (2, 3, 0, 0, 2, 3)}


@pytest.fixture(scope="session")
def assessed_sample(everyday: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The sample after three assessors judged the same six documents; created once per session.

    They agree on some of the documents.
    """
    path = Path(shutil.copy(everyday, tmp_path_factory.mktemp("assessed") / "assessed.irjudge"))
    with open_project(path) as project:
        pool = project.rankings.pool()
        assert pool is not None
        ids = pool.document.to_pylist()
        items = [
            QueueItem(topic, ids[row])
            for topic, start in zip(pool.topics[:2], pool.starts, strict=False)
            for row in range(start, start + 3)
        ]
        for name, grades in GRADES.items():
            session = Session(project, name)
            for position, grade in zip(items, grades, strict=True):
                session.grade(
                    session.open_item(position), grade, active_ms=4000 if name != "cleo" else 300
                )
            work = session.open_item(items[1])
            session.set_unsure(work, True)
            session.note(work, f"what {name} thinks")
    return path


@pytest.fixture
def assessed_path(assessed_sample: Path, tmp_path: Path) -> Path:
    return Path(shutil.copy(assessed_sample, tmp_path / "project.irjudge"))


@pytest.fixture(scope="session")
def harbour(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The sample that three assessors judged, created once per session."""
    path = tmp_path_factory.mktemp("harbour") / "harbour.irjudge"
    create_sample_project(path, "harbour")
    return path


@pytest.fixture
def harbour_path(harbour: Path, tmp_path: Path) -> Path:
    return Path(shutil.copy(harbour, tmp_path / "harbour.irjudge"))


@pytest.fixture
def project(project_path: Path) -> Iterator[Project]:
    with open_project(project_path) as opened:
        yield opened


def set_theme_and_zoom(theme: Theme, zoom: float) -> None:
    """Apply a theme and a zoom to the application."""
    application = QApplication.instance()
    assert isinstance(application, QApplication)
    apply_theme(application, theme, zoom)


@pytest.fixture
def set_look() -> Iterator[Callable[[Theme, float], None]]:
    """Function that applies a theme and a zoom; both are reset after the test."""
    yield set_theme_and_zoom
    set_theme_and_zoom(LIGHT, 1.0)


@pytest.fixture(autouse=True)
def wait_for_opening(monkeypatch: pytest.MonkeyPatch, qtbot: QtBot) -> None:
    """Make `Window.open` wait until the project is open, and return whether it is.

    In the program, projects are opened in the background.
    """
    original_open = Window.open

    def open_and_wait(window: Window, path: Path, report: ImportReport | None = None) -> bool:
        original_open(window, path, report)
        qtbot.waitUntil(lambda: not jobs.is_busy())
        return window.project is not None and window.project.path == path.absolute()

    monkeypatch.setattr(Window, "open", open_and_wait)


@pytest.fixture(params=["en", "zh_CN"])
def language(
    request: pytest.FixtureRequest, settings: Settings, qapp: QApplication
) -> Iterator[str]:
    """The language of the windows of a test; the test runs once in each language."""
    settings.set("language", request.param)
    installer = TranslatorInstaller(qapp, settings)
    yield request.param
    settings.set("language", "en")
    installer.deleteLater()


@pytest.fixture
def make_window(
    qtbot: QtBot, settings: Settings, set_look: Callable[[Theme, float], None]
) -> Iterator[Callable[[], Window]]:
    set_look(LIGHT, float(settings.get("zoom")))
    windows: list[Window] = []

    def make() -> Window:
        made = Window(settings)
        qtbot.addWidget(made)
        show_window(made)
        windows.append(made)
        return made

    yield make
    for made in windows:
        made.close()


@pytest.fixture
def window(
    shared_window: Window | None,
    settings: Settings,
    set_look: Callable[[Theme, float], None],
    make_window: Callable[[], Window],
) -> Iterator[Window]:
    if shared_window is None:
        yield make_window()
        return
    set_look(LIGHT, 1.0)
    KEYS.use(settings)
    show_window(shared_window)
    yield shared_window
    reset_window(shared_window)


@pytest.fixture
def first_page() -> str:
    """The page that is shown when a project is opened; modules about another page override it.

    Only the first page is built, which keeps tests fast.
    """
    return "judge"


@pytest.fixture
def open_path(
    window: Window, first_page: str, monkeypatch: pytest.MonkeyPatch, qtbot: QtBot
) -> Callable[[Path], Window]:
    """Function that opens a project file in the window, on `first_page`."""

    def do(path: Path) -> Window:
        with monkeypatch.context() as patch:
            patch.setattr(Window, "_choose_first_page", lambda *_, **__: first_page)
            assert window.open(path)
        if first_page == "judge":
            qtbot.waitUntil(lambda: window.judge.can_judge)
        qtbot.waitUntil(lambda: not jobs.is_busy())  # jobs started by the page have finished
        return window

    return do


@pytest.fixture
def open_window(open_path: Callable[[Path], Window], project_path: Path) -> Window:
    """The window with a copy of the sample open."""
    return open_path(project_path)


@pytest.fixture
def open_fresh_copy(
    open_path: Callable[[Path], Window], everyday: Path, tmp_path: Path
) -> Callable[[], Window]:
    """Function that opens an untouched copy of the sample, each in a folder of its own."""
    folders = (tmp_path / str(number) for number in count())

    def do() -> Window:
        folder = next(folders)
        folder.mkdir()
        return open_path(Path(shutil.copy(everyday, folder / "project.irjudge")))

    return do


@pytest.fixture
def assessed_window(open_path: Callable[[Path], Window], assessed_path: Path) -> Window:
    """The window with the project that three assessors judged."""
    return open_path(assessed_path)


@pytest.fixture
def wait_until_idle(qtbot: QtBot) -> Callable[[], None]:
    """Function that waits until no job runs, its results are shown, and layouts are updated."""

    def wait() -> None:
        qtbot.waitUntil(lambda: not jobs.is_busy())
        process_layouts()
        qtbot.waitUntil(lambda: not jobs.is_busy())

    return wait


@pytest.fixture
def press(qtbot: QtBot) -> Callable[..., None]:
    """Function that presses a key in the focused widget or the active popup."""

    def act(
        key: Qt.Key | str, modifiers: Qt.KeyboardModifier = Qt.KeyboardModifier.NoModifier
    ) -> None:
        qtbot.waitUntil(
            lambda: bool(QApplication.activePopupWidget() or QApplication.focusWidget()),
            timeout=PATIENCE,
        )
        target = QApplication.activePopupWidget() or QApplication.focusWidget()
        assert target is not None, "nothing has the focus"
        QTest.keyClick(target, Qt.Key(ord(key.upper())) if isinstance(key, str) else key, modifiers)

    return act


@pytest.fixture
def hold_key() -> Callable[[QWidget, Qt.Key, int], None]:
    """Function that holds a key down: one press, then repeats."""

    def act(target: QWidget, key: Qt.Key, repeats: int) -> None:
        for index in range(repeats + 1):
            event = QKeyEvent(
                QEvent.Type.KeyPress, key, Qt.KeyboardModifier.NoModifier, chr(key), index > 0
            )
            QApplication.sendEvent(QApplication.focusWidget() or target, event)
            QApplication.processEvents()

    return act
