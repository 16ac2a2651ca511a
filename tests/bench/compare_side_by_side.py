"""Script that compares side by side by key in the window, and prints the time of each key as JSON.

`python compare_side_by_side.py PROJECT SETTINGS KEYS`.
"""

import json
import os
import random
import sys
from pathlib import Path

from judge_big_project import PATIENCE_MS, PAUSE_MS, LoopMonitor, now_ms, open_window, watch_commits
from PySide6.QtCore import QEventLoop, Qt, QTimer
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication

from irjudge_ui import jobs
from irjudge_ui.pages.shared.view import InstructionsDialog
from irjudge_ui.pages.side_by_side import ComparisonView

NONE = Qt.KeyboardModifier.NoModifier
SHIFT = Qt.KeyboardModifier.ShiftModifier
CONTROL = Qt.KeyboardModifier.ControlModifier
ANSWERS = (
    (Qt.Key.Key_Left, NONE),
    (Qt.Key.Key_Right, NONE),
    (Qt.Key.Key_0, NONE),
    (Qt.Key.Key_Left, SHIFT),
    (Qt.Key.Key_S, NONE),
)
UNDO_EVERY = 20


class Comparer:
    """Presses keys on the page, and measures the time until the next panel is rendered."""

    def __init__(self, view: ComparisonView) -> None:
        self.view = view
        self.took = {
            "key to next panel painted": list[float](),
            "of a key, our commit": list[float](),
        }
        self._chance = random.Random(7)
        self._loop, self._rendered_at = QEventLoop(), 0.0
        self._limit, self._pause = QTimer(), QTimer()
        for timer, milliseconds in ((self._limit, PATIENCE_MS), (self._pause, PAUSE_MS)):
            timer.setSingleShot(True)
            timer.setTimerType(Qt.TimerType.PreciseTimer)
            timer.setInterval(milliseconds)
            timer.timeout.connect(self._loop.quit)
        for papers in (view.lists, view.pair):
            papers.rendered.connect(self._on_rendered)

    def _on_rendered(self) -> None:
        self._rendered_at = now_ms()
        self._loop.quit()

    def rendered(self) -> float:
        """Wait until the next panel is rendered; return its time."""
        if not self._rendered_at:
            self._limit.start()
            self._loop.exec()
            self._limit.stop()
        if not self._rendered_at:
            raise TimeoutError("Nothing was painted.")
        when, self._rendered_at = self._rendered_at, 0.0
        return when

    def rest(self) -> None:
        """Process events for as long as the quickest user takes."""
        for _ in range(20):
            self._pause.start()
            self._loop.exec()
        self._rendered_at = 0.0

    def act(self, number: int) -> None:
        """Press a key and wait for the next panel."""
        key, held = (
            (Qt.Key.Key_Z, CONTROL)
            if number % UNDO_EVERY == UNDO_EVERY - 1
            else self._chance.choice(ANSWERS)
        )
        begin = now_ms()
        QTest.keyClick(QApplication.focusWidget(), key, held)
        self.took["key to next panel painted"].append(self.rendered() - begin)
        self.rest()


def main(project: Path, settings_file: Path, keys: int) -> None:
    """Open the project, compare, and print the times."""
    application, window = open_window(settings_file)
    window.open(project)
    while jobs.is_busy():
        application.processEvents()
    for dialog in window.findChildren(InstructionsDialog):
        dialog.buttons[-1].click()
    window.activateWindow()
    comparer, gaps = Comparer(window.panels), LoopMonitor()
    begin = now_ms()
    window.do("panels")
    comparer.took["page to first panel painted"] = [comparer.rendered() - begin]
    comparer.rest()
    watch_commits(comparer.took)  # type: ignore[arg-type]
    gaps.watch("keys")
    for number in range(keys):
        comparer.act(number)
    gaps.watch("")
    events = window.panels.session.count().judged
    window.close()
    sys.stdout.write(
        json.dumps(
            {"took": comparer.took, "gaps": gaps.late, "judged": events, "load": os.getloadavg()}
        )
    )


if __name__ == "__main__":
    main(Path(sys.argv[1]), Path(sys.argv[2]), int(sys.argv[3]))
