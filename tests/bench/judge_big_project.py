"""Script that judges a project by key in the window, and prints the time of each key as JSON.

`python judge_big_project.py PROJECT SETTINGS KEYS [PLAIN]`. PLAIN is another copy of the project:
plain sqlite3 commits events of the same size into it, before and after the keys.
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
# that a reader takes before a key
PAUSE_MS = int(os.environ.get("IRJUDGE_BENCH_PAUSE_MS", "5"))
PLAIN_COMMITS = 300  # before the keys, and as many after them
SELDOM = ("skip", "unsure", "note", "undo")  # one action in fifty each; all others give a grade
LONG = 15_000  # bytes


def now_ms() -> float:
    """Return the time in milliseconds."""
    return time.perf_counter() * 1000


def thread_ms() -> float:
    """Return the milliseconds that this thread has computed."""
    return time.thread_time() * 1000


class LoopMonitor:
    """Measures delays of a timer in the window's thread, and the thread's computing time meanwhile.

    On a busy machine the delays include the time of other programs; the computing time does not.
    """

    def __init__(self) -> None:
        self.late: dict[str, list[float]] = defaultdict(list)
        self.computed: dict[str, list[float]] = defaultdict(list)
        self._during, self._last, self._last_computed = "", now_ms(), thread_ms()
        self._timer = QTimer()
        self._timer.setTimerType(Qt.TimerType.PreciseTimer)
        self._timer.setInterval(TICK_MS)
        self._timer.timeout.connect(self._tick)
        self._timer.start()

    def watch(self, during: str) -> None:
        """Record measurements under this name from now on."""
        self._tick()
        self._during = during

    def _tick(self) -> None:
        late, self._last = now_ms() - self._last, now_ms()
        own, self._last_computed = thread_ms() - self._last_computed, thread_ms()
        if self._during:
            self.late[self._during].append(late)
            self.computed[self._during].append(own)


class Typist:
    """Presses keys in the window; measures each, and records the event it must have left."""

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
        self._rendered_at = now_ms()
        self._loop.quit()

    def rendered(self) -> float:
        """Wait until the next document is rendered; return its time."""
        if self._rendered_at is None:
            self._limit.start()
            self._loop.exec()
            self._limit.stop()
        if self._rendered_at is None:
            raise TimeoutError("No document was painted.")
        when, self._rendered_at = self._rendered_at, None
        return when

    def rest(self) -> None:
        """Process events for a moment, as while a user reads."""
        self._pause.start()
        self._loop.exec()
        self._rendered_at = None

    def act(self) -> None:
        """Perform an action that leaves an event, and wait for the next document."""
        number = self._chance.randrange(50)
        what = SELDOM[number] if number < len(SELDOM) else "grade"
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
        """Press a key after which another document, or the end of a topic, is shown."""
        self._note(kind, pair)
        begin = now_ms()
        QTest.keyClick(self.page, key, with_key)
        if self.view.state_page:
            QApplication.processEvents()
            self.took["key to the end of a topic"].append(now_ms() - begin)
            self._go_on()
            return
        took = self.rendered() - begin
        shown = self.view.rendered_item
        self.took["key to next document painted"].append(took)
        if shown and len(shown.document.body) > LONG:
            self.took["of these, documents of 20 to 200 KB"].append(took)

    def _go_on(self) -> None:
        """Press the button of the page at the end of a topic, unless all is done."""
        if self.view.session.count().left:
            self.rest()
            begin = now_ms()
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
        begin = now_ms()
        press()
        QApplication.processEvents()
        self.took["key to a mark shown"].append(now_ms() - begin)


def watch_commits(took: dict[str, list[float]]) -> None:
    """Measure the time until each event is on disk."""
    append = EventLog.append

    def timed(log: EventLog, event: Any) -> int:
        begin = now_ms()
        number = append(log, event)
        took["of a key, our commit"].append(now_ms() - begin)
        return number

    EventLog.append = timed


def plain_commits(path: Path) -> list[float]:
    """Return the times of plain sqlite3 commits with the same settings into an equal file."""
    took = []
    with closing(sqlite3.connect(path, isolation_level=None)) as connection:
        connection.execute("PRAGMA journal_mode = DELETE")
        connection.execute("PRAGMA synchronous = EXTRA")
        for _ in range(PLAIN_COMMITS):
            key, body = os.urandom(32), os.urandom(250).hex()[:470].encode()
            begin = now_ms()
            connection.execute("BEGIN IMMEDIATE")
            connection.execute(
                "INSERT INTO event (digest, assessor, parent, body) VALUES (?, ?, ?, ?)",
                (key, "owner", key, body),
            )
            connection.execute("COMMIT")
            took.append(now_ms() - begin)
    return took


def peak_megabytes() -> float:
    """Return the peak memory of this process."""
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
    """Return an application and its window, without guard time."""
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
    """Open the project, judge, and print the times."""
    application, window = open_window(settings_file)
    typist, gaps = Typist(window), LoopMonitor()
    typist.rest()
    peaks = {"before opening": peak_megabytes()}
    gaps.watch("opening")
    begin = now_ms()
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
