"""Run in a process of its own: opens a project in the real window, judges it by keys, and prints what each key took as JSON.

`python judge_big_project.py PROJECT SETTINGS KEYS [PLAIN]`. PLAIN is another copy of the project: plain sqlite3 commits events of
the same size into it, before and after the keys.
"""

import json
import os
import random
import resource
import sqlite3
import sys
import time
from collections import defaultdict
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from typing import Any

from PySide6.QtCore import QEventLoop, Qt, QTimer
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication

from irjudge.store import EventLog
from irjudge_ui import jobs
from irjudge_ui.app import make_application
from irjudge_ui.settings import Settings
from irjudge_ui.widgets import DocumentView
from irjudge_ui.window import Window

TICK_MS, PATIENCE_MS = 5, 20_000
# that whoever reads takes before a key
PAUSE_MS = int(os.environ.get("IRJUDGE_BENCH_PAUSE_MS", "5"))
PLAIN_COMMITS = 300  # before the keys, and as many after them
SELDOM = ("skip", "unsure", "note", "undo")  # one action in fifty each; all others give a grade
LONG = 15_000  # bytes


def now() -> float:
    """Return milliseconds."""
    return time.perf_counter() * 1000


def computed() -> float:
    """Return the milliseconds that this thread has computed."""
    return time.thread_time() * 1000


class Gaps:
    """How late a timer came that should tick every few milliseconds, and how long the window's thread computed meanwhile.

    On a machine that others use too a thread is late through no fault of its own; the time it computed is its own.
    """

    def __init__(self) -> None:
        self.late: dict[str, list[float]] = defaultdict(list)
        self.computed: dict[str, list[float]] = defaultdict(list)
        self._during, self._last, self._last_computed = "", now(), computed()
        self._timer = QTimer()
        self._timer.setTimerType(Qt.TimerType.PreciseTimer)
        self._timer.setInterval(TICK_MS)
        self._timer.timeout.connect(self._tick)
        self._timer.start()

    def watch(self, during: str) -> None:
        """Note what comes from now on under this name."""
        self._tick()
        self._during = during

    def _tick(self) -> None:
        late, self._last = now() - self._last, now()
        own, self._last_computed = computed() - self._last_computed, computed()
        if self._during:
            self.late[self._during].append(late)
            self.computed[self._during].append(own)


class Typist:
    """Presses keys in the window and notes what each took and which event it must have left."""

    def __init__(self, window: Window) -> None:
        self.view = window.judge
        self.page = self.view.findChild(DocumentView, "document")
        self.took: dict[str, list[float]] = defaultdict(list)
        self.events: list[tuple[str, str, str]] = []  # kind, topic, document
        self._to_undo: list[tuple[str, str]] = []
        self._chance = random.Random(7)
        self._rendered_at: float | None = None
        self._loop = QEventLoop()
        self._limit, self._pause = self._timer(PATIENCE_MS), self._timer(PAUSE_MS)
        self.page.rendered.connect(self._on_rendered)

    def _timer(self, milliseconds: int) -> QTimer:
        timer = QTimer()
        timer.setSingleShot(True)
        timer.setTimerType(Qt.TimerType.PreciseTimer)
        timer.setInterval(milliseconds)
        timer.timeout.connect(self._loop.quit)
        return timer

    def _on_rendered(self) -> None:
        self._rendered_at = now()
        self._loop.quit()

    def rendered(self) -> float:
        """Wait until the next document is painted; return when that was."""
        if self._rendered_at is None:
            self._limit.start()
            self._loop.exec()
            self._limit.stop()
        if self._rendered_at is None:
            raise TimeoutError("No document was painted.")
        when, self._rendered_at = self._rendered_at, None
        return when

    def rest(self) -> None:
        """Give the event loop a moment, as a person does who reads."""
        self._pause.start()
        self._loop.exec()
        self._rendered_at = None

    def act(self) -> None:
        """Do one thing that leaves an event, and wait for what comes on screen after it."""
        drawn = self._chance.randrange(50)
        what = SELDOM[drawn] if drawn < len(SELDOM) else "grade"
        if what == "undo" and self._to_undo:
            self._move(
                "undo", self._to_undo.pop(), Qt.Key.Key_Z, Qt.KeyboardModifier.ControlModifier
            )
        elif what == "skip":
            self._move("skip", self._here(), Qt.Key.Key_S)
        elif what == "unsure":
            self._mark("unsure", lambda: QTest.keyClick(self.page, Qt.Key.Key_U))
        elif what == "note":
            self._mark("note", self._type_note)
        else:
            self._move("grade", self._here(), Qt.Key(Qt.Key.Key_0 + self._chance.randrange(4)))
        self.rest()

    def _here(self) -> tuple[str, str]:
        work = self.view.rendered_item
        if work is None:
            raise RuntimeError("There is no document on screen.")
        return work.topic.id, work.document.id

    def _note(self, kind: str, pair: tuple[str, str]) -> None:
        self.events.append((kind, *pair))
        if kind != "undo":
            self._to_undo.append(pair)

    def _move(
        self,
        kind: str,
        pair: tuple[str, str],
        key: Qt.Key,
        with_key: Qt.KeyboardModifier = Qt.KeyboardModifier.NoModifier,
    ) -> None:
        """Press a key after which another document is shown, or the end of a topic."""
        self._note(kind, pair)
        begin = now()
        QTest.keyClick(self.page, key, with_key)
        if self.view.state_page:
            QApplication.processEvents()
            self.took["key to the end of a topic"].append(now() - begin)
            self._go_on()
            return
        took = self.rendered() - begin
        shown = self.view.rendered_item
        self.took["key to next document painted"].append(took)
        if shown and len(shown.document.body) > LONG:
            self.took["of these, documents of 20 to 200 KB"].append(took)

    def _go_on(self) -> None:
        """Press the button of the page that ends a topic, unless all is done."""
        if self.view.session.count().left:
            self.rest()
            begin = now()
            QTest.keyClick(self.view.state_page.buttons[0], Qt.Key.Key_Space)
            self.took["key to next topic painted"].append(self.rendered() - begin)

    def _type_note(self) -> None:
        QTest.keyClick(self.page, Qt.Key.Key_N)
        field = QApplication.focusWidget()
        QTest.keyClicks(field, "odd")
        QTest.keyClick(field, Qt.Key.Key_Return)

    def _mark(self, kind: str, press: Callable[[], None]) -> None:
        """Press keys after which the same document stays."""
        self._note(kind, self._here())
        begin = now()
        press()
        QApplication.processEvents()
        self.took["key to a mark shown"].append(now() - begin)


def watch_commits(took: dict[str, list[float]]) -> None:
    """Note how long each event takes until it is on disk."""
    append = EventLog.append

    def timed(log: EventLog, event: Any) -> int:
        begin = now()
        number = append(log, event)
        took["of a key, our commit"].append(now() - begin)
        return number

    EventLog.append = timed


def plain_commits(path: Path) -> list[float]:
    """Return how long plain sqlite3 takes to commit an event, with the same settings into a file of the same size and tables."""
    took = []
    with closing(sqlite3.connect(path, isolation_level=None)) as connection:
        connection.execute("PRAGMA journal_mode = DELETE")
        connection.execute("PRAGMA synchronous = EXTRA")
        for _ in range(PLAIN_COMMITS):
            key, body = os.urandom(32), os.urandom(250).hex()[:470].encode()
            begin = now()
            connection.execute("BEGIN IMMEDIATE")
            connection.execute(
                "INSERT INTO event (digest, assessor, parent, body) VALUES (?, ?, ?, ?)",
                (key, "owner", key, body),
            )
            connection.execute("COMMIT")
            took.append(now() - begin)
    return took


def peak_megabytes() -> float:
    """Return the most memory this process had."""
    try:
        status = Path("/proc/self/status").read_text(encoding="ascii")
    except OSError:
        return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / (
            1024**2 if sys.platform == "darwin" else 1024
        )
    return next(
        int(line.split()[1]) / 1024 for line in status.splitlines() if line.startswith("VmHWM")
    )


def open_window(settings_file: Path) -> tuple[QApplication, Window]:
    """Return an application and its window, in which keys count at once."""
    settings = Settings(settings_file)
    settings.set("guard_ms", 0)
    settings.set("theme", "light")
    application = make_application(["irjudge"], settings)
    window = Window(settings)
    window.resize(1360, 820)
    window.show()
    window.activateWindow()
    QTest.qWaitForWindowExposed(window)
    return application, window


def main(project: Path, settings_file: Path, keys: int, plain: Path | None) -> None:
    """Open, judge, and print."""
    application, window = open_window(settings_file)
    typist, gaps = Typist(window), Gaps()
    typist.rest()
    peaks = {"before opening": peak_megabytes()}
    gaps.watch("opening")
    begin = now()
    window.open(project)
    while jobs.is_busy():
        application.processEvents()
    window.show_page("judge")
    typist.took["opening to first document painted"].append(typist.rendered() - begin)
    typist.rest()
    gaps.watch("")
    peaks["after opening"] = peak_megabytes()
    if plain:
        typist.took["plain sqlite3 commit"] += plain_commits(plain)
    watch_commits(typist.took)
    gaps.watch("keys")
    for _ in range(keys):
        typist.act()
    gaps.watch("")
    peaks["at the end"] = peak_megabytes()
    if plain:
        typist.took["plain sqlite3 commit"] += plain_commits(plain)
    window.close()
    result = {
        "took": typist.took,
        "gaps": gaps.late,
        "computed": gaps.computed,
        "peaks": peaks,
        "events": typist.events,
        "load": os.getloadavg(),
    }
    sys.stdout.write(json.dumps(result))


if __name__ == "__main__":
    main(
        Path(sys.argv[1]),
        Path(sys.argv[2]),
        int(sys.argv[3]),
        Path(sys.argv[4]) if len(sys.argv) > 4 else None,
    )
