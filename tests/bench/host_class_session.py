"""Script in which the window hosts a session with the live page open, and measures its event loop.

It prints a line `port code` when participants can join. A line on stdin ends it; then it prints the
measurements as JSON.
"""

import json
import sys
import time
from pathlib import Path
from threading import Thread

from PySide6.QtCore import QEventLoop, Qt, QTimer

from irjudge_ui import jobs
from irjudge_ui.app import make_application
from irjudge_ui.pages.results.live import LiveView
from irjudge_ui.pages.session.session import SessionView
from irjudge_ui.settings import Settings
from irjudge_ui.window import Window

TICK_MS = 10
MEASURES = " ".join(
    f"{name}@{cutoff}"
    for name in ("P", "nDCG", "RBP", "CG", "DCG")
    for cutoff in (1, 3, 5, 10, 15, 20)
)


class LoopMonitor:
    """Measures delays of a timer in the event loop, and the computing time meanwhile.

    Browsers and participants use the same cores: a delay without computing is time of other
    processes.
    """

    def __init__(self) -> None:
        self.late: list[float] = []
        self.own: list[float] = []
        self._timer = QTimer()
        self._timer.setTimerType(Qt.TimerType.PreciseTimer)
        self._timer.timeout.connect(self._tick)
        self._before, self._computed = time.perf_counter(), time.process_time()
        self._timer.start(TICK_MS)

    def _tick(self) -> None:
        now, computed = time.perf_counter(), time.process_time()
        self.late.append((now - self._before) * 1000 - TICK_MS)
        self.own.append(min(self.late[-1], (computed - self._computed) * 1000))
        self._before, self._computed = now, computed


def wait(holds: object) -> None:
    """Process events until a condition holds."""
    loop, looking = QEventLoop(), QTimer()
    looking.timeout.connect(lambda: loop.quit() if holds() else None)  # type: ignore[operator]
    looking.start(5)
    loop.exec()


def main(project: Path, settings_file: Path, overlap: int) -> None:
    settings = Settings(settings_file)
    settings.add_name("teacher")  # the owner of the project
    application = make_application(["irjudge"], settings)
    window = Window(settings)
    window.show()
    window.open(project)
    wait(lambda: window.project is not None and not jobs.is_busy())
    window.do("session")
    wait(lambda: not jobs.is_busy())
    view = window.pages.view("session")
    assert isinstance(view, SessionView)
    view.form.overlap.set_value(overlap)
    view.form.address.clear()
    view.begin()
    wait(lambda: view.controller is not None)
    assert view.controller
    server = view.controller.server
    view.show_screen()
    window.show_page("live")
    live = window.pages.view("live")
    assert isinstance(live, LiveView)
    live.measures.setText(MEASURES)
    live.compute()
    wait(lambda: live.table is not None)
    sys.stdout.write(f"{server.port} {server.code}\n")
    sys.stdout.flush()
    pulse, lines = LoopMonitor(), []
    Thread(target=lambda: lines.append(sys.stdin.readline()), daemon=True).start()
    tables = set()
    looking = QTimer()
    looking.timeout.connect(lambda: tables.add(id(live.table)))
    looking.start(500)
    wait(lambda: lines)
    late = sorted(pulse.late)
    measures = len(live.table.measures) if live.table else 0
    waits = {"latest": late[-1], "own": max(pulse.own), "p99": late[len(late) * 99 // 100]}
    noted = {**waits, "ticks": len(late), "tables": len(tables), "measures": measures}
    sys.stdout.write(json.dumps(noted) + "\n")
    sys.stdout.flush()
    view.screen_shown.close() if view.screen_shown else None
    window.close_project()
    wait(lambda: not jobs.is_busy())
    application.quit()


if __name__ == "__main__":
    main(Path(sys.argv[1]), Path(sys.argv[2]), int(sys.argv[3]))
