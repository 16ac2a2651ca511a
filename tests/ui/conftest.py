"""What the window's tests stand on: fresh settings, a small real project, a window, and nothing left behind."""

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
from irjudge_ui.app import Language
from irjudge_ui.settings import SETTINGS, Settings
from irjudge_ui.widgets import Theme, apply_theme
from irjudge_ui.widgets.theme import LIGHT
from irjudge_ui.window import Window
from irjudge_ui.workspace import JudgmentSaver
from tests.pools import depth_pool
from tests.quick_bot import PATIENCE
from tests.ui.seen import settle

DEPTH = 5
SIZE = (1360, 820)


@pytest.fixture(autouse=True)
def nothing_left_behind(qtbot: QtBot) -> Iterator[None]:
    """Fail the test that leaves a thread, work or a top-level window behind."""
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
    }  # Qt's own are counted below
    assert not ours - threads, "a thread was left behind"
    assert QThreadPool.globalInstance().waitForDone(
        PATIENCE
    )  # work is done a moment before its thread is


@pytest.fixture(scope="session", autouse=True)
def clipboard_ends_empty(qapp: QApplication) -> Iterator[None]:
    """Take from the clipboard what Python put there: Qt without a screen would end it when Python is gone already, and crash."""
    yield
    qapp.clipboard().clear()


@pytest.fixture(scope="module", autouse=True)
def lasting(
    request: pytest.FixtureRequest, qapp: QApplication, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[Window | None]:
    """The window that all tests of a module share that says `ONE_WINDOW = True`; each finds it without a project, with fresh settings."""
    if not getattr(request.module, "ONE_WINDOW", False):
        yield None
        return
    give_look(LIGHT, 1.0)
    made = Window(Settings(tmp_path_factory.mktemp("lasting") / "settings.ini"))
    bring_up(made)
    yield made
    made.close()
    made.deleteLater()
    QApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete)


def bring_up(window: Window) -> None:
    """Show a window in the size of these tests."""
    window.resize(*SIZE)
    window.show()
    window.activateWindow()
    QTest.qWaitForWindowExposed(window)


def clear(window: Window) -> None:
    """Leave nothing of a test in a window that others use after it."""
    for each in QApplication.topLevelWidgets():
        if each.isVisible() and each is not window:
            each.close()
    for saving in window.findChildren(JudgmentSaver):
        saving.forget()
    window.close_project()
    window.show_message("")


def preset(settings: Settings, folder: Path) -> Settings:
    """Give settings the values of these tests."""
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
    """Ask for this in a module of one window where a test is about what such a window has not known before."""


@pytest.fixture
def shared(lasting: Window | None, request: pytest.FixtureRequest) -> Window | None:
    """The window that the test shares with others; None where it has its own. Another language makes all pages anew."""
    return None if {"own_window", "language"} & {*request.fixturenames} else lasting


@pytest.fixture
def settings(shared: Window | None, tmp_path: Path) -> Settings:
    return preset(shared.settings if shared else Settings(tmp_path / "settings.ini"), tmp_path)


@pytest.fixture(scope="session")
def everyday(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The shipped sample as a project with a pool, made once; tests work on copies."""
    path = tmp_path_factory.mktemp("everyday") / "everyday.irjudge"
    sources, scale = sample_sources("everyday")
    create_project_from_files(path, sources, scale=scale)
    with open_project(path) as project:
        runs = [project.rankings.run(run.name) for run in project.rankings.runs()]
        project.rankings.add_pool(depth_pool(runs, DEPTH))
    return path


@pytest.fixture
def textless_sources(tmp_path: Path) -> Sources:
    """The files of the sample, without the last ten documents."""
    sources, _scale = sample_sources("everyday")
    (documents,) = sources.documents
    lines = documents.read_text(encoding="utf-8").splitlines(keepends=True)
    shortened = tmp_path / "documents.jsonl"
    shortened.write_text("".join(lines[:-10]), encoding="utf-8")
    return replace(sources, documents=(shortened,), qrels=())


@pytest.fixture
def textless_path(textless_sources: Sources, tmp_path: Path) -> Path:
    """The sample as a project with a pool, some of whose documents have no text."""
    path = tmp_path / "textless.irjudge"
    create_project_from_files(path, textless_sources, scale=sample_sources("everyday")[1])
    with open_project(path) as project:
        runs = [project.rankings.run(run.name) for run in project.rankings.runs()]
        project.rankings.add_pool(depth_pool(runs, DEPTH))
    return path


@pytest.fixture
def project_path(everyday: Path, tmp_path: Path) -> Path:
    return Path(shutil.copy(everyday, tmp_path / "project.irjudge"))


# of the first documents of two topics
GRADES = {"ann": (2, 2, 0, 1, 3, 0), "bob": (2, 0, 0, 1, 1, 0), "cleo": (2, 3, 0, 0, 2, 3)}


@pytest.fixture(scope="session")
def assessed(everyday: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The project after three assessors judged the same six documents, some alike, some not; made once."""
    path = Path(shutil.copy(everyday, tmp_path_factory.mktemp("assessed") / "assessed.irjudge"))
    with open_project(path) as project:
        pool = project.rankings.pool()
        assert pool is not None
        ids = pool.document.to_pylist()
        places = [
            QueueItem(topic, ids[row])
            for topic, start in zip(pool.topics[:2], pool.starts, strict=False)
            for row in range(start, start + 3)
        ]
        for name, grades in GRADES.items():
            session = Session(project, name)
            for place, grade in zip(places, grades, strict=True):
                session.grade(
                    session.open_item(place), grade, active_ms=4000 if name != "cleo" else 300
                )
            work = session.open_item(places[1])
            session.set_unsure(work, True)
            session.note(work, f"what {name} thinks")
    return path


@pytest.fixture
def assessed_path(assessed: Path, tmp_path: Path) -> Path:
    return Path(shutil.copy(assessed, tmp_path / "project.irjudge"))


@pytest.fixture(scope="session")
def harbour(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The sample that three assessors judged, made once."""
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


def give_look(theme: Theme, zoom: float) -> None:
    """Give the application a theme and a zoom."""
    application = QApplication.instance()
    assert isinstance(application, QApplication)
    apply_theme(application, theme, zoom)


@pytest.fixture
def look() -> Iterator[Callable[[Theme, float], None]]:
    """Give the application a theme and a zoom."""
    yield give_look
    give_look(LIGHT, 1.0)


@pytest.fixture(autouse=True)
def opening_is_waited_for(monkeypatch: pytest.MonkeyPatch, qtbot: QtBot) -> None:
    """Projects are opened beside the window: let `Window.open` return when it is done, and tell whether the file is open then."""
    beside = Window.open

    def open_and_wait(window: Window, path: Path, report: ImportReport | None = None) -> bool:
        beside(window, path, report)
        qtbot.waitUntil(lambda: not jobs.is_busy())
        return window.project is not None and window.project.path == path.absolute()

    monkeypatch.setattr(Window, "open", open_and_wait)


@pytest.fixture(params=["en", "zh_CN"])
def language(
    request: pytest.FixtureRequest, settings: Settings, qapp: QApplication
) -> Iterator[str]:
    """Speak a language in the windows of a test."""
    settings.set("language", request.param)
    speaking = Language(qapp, settings)
    yield request.param
    settings.set("language", "en")
    speaking.deleteLater()


@pytest.fixture
def make_window(
    qtbot: QtBot, settings: Settings, look: Callable[[Theme, float], None]
) -> Iterator[Callable[[], Window]]:
    look(LIGHT, float(settings.get("zoom")))
    windows: list[Window] = []

    def make() -> Window:
        made = Window(settings)
        qtbot.addWidget(made)
        bring_up(made)
        windows.append(made)
        return made

    yield make
    for made in windows:
        made.close()


@pytest.fixture
def window(
    shared: Window | None,
    settings: Settings,
    look: Callable[[Theme, float], None],
    make_window: Callable[[], Window],
) -> Iterator[Window]:
    if shared is None:
        yield make_window()
        return
    look(LIGHT, 1.0)
    KEYS.use(settings)
    bring_up(shared)
    yield shared
    clear(shared)


@pytest.fixture
def first_page() -> str:
    """The page on which projects open in these tests; a module whose subject is another page says so, and no other is made first."""
    return "judge"


@pytest.fixture
def opened(
    window: Window, first_page: str, monkeypatch: pytest.MonkeyPatch, qtbot: QtBot
) -> Callable[[Path], Window]:
    """Open a project on the first page of these tests."""

    def do(path: Path) -> Window:
        with monkeypatch.context() as patch:
            patch.setattr(Window, "_first_page", lambda *_, **__: first_page)
            assert window.open(path)
        if first_page == "judge":
            qtbot.waitUntil(lambda: window.judge.can_judge)
        qtbot.waitUntil(lambda: not jobs.is_busy())  # what the page has under way has ended
        return window

    return do


@pytest.fixture
def open_window(opened: Callable[[Path], Window], project_path: Path) -> Window:
    """A window with the project open."""
    return opened(project_path)


@pytest.fixture
def anew(opened: Callable[[Path], Window], everyday: Path, tmp_path: Path) -> Callable[[], Window]:
    """Open an untouched copy of the project, each time another in a folder of its own, in the same window."""
    folders = (tmp_path / str(number) for number in count())

    def do() -> Window:
        folder = next(folders)
        folder.mkdir()
        return opened(Path(shutil.copy(everyday, folder / "project.irjudge")))

    return do


@pytest.fixture
def assessed_window(opened: Callable[[Path], Window], assessed_path: Path) -> Window:
    """The same with the project that three assessors judged."""
    return opened(assessed_path)


@pytest.fixture
def idle(qtbot: QtBot) -> Callable[[], None]:
    """Wait until no work is under way, what it said has arrived, and the page has its new layout."""

    def wait() -> None:
        qtbot.waitUntil(lambda: not jobs.is_busy())
        settle()
        qtbot.waitUntil(lambda: not jobs.is_busy())

    return wait


@pytest.fixture
def press(qtbot: QtBot) -> Callable[..., None]:
    """Press a key where the focus is, as a person does."""

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
def hold() -> Callable[[QWidget, Qt.Key, int], None]:
    """Hold a key down: one press, then repeats."""

    def act(target: QWidget, key: Qt.Key, repeats: int) -> None:
        for place in range(repeats + 1):
            event = QKeyEvent(
                QEvent.Type.KeyPress, key, Qt.KeyboardModifier.NoModifier, chr(key), place > 0
            )
            QApplication.sendEvent(QApplication.focusWidget() or target, event)
            QApplication.processEvents()

    return act
