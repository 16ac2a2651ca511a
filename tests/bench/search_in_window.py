"""Script that types queries into the window's search, and prints the times until hits are shown.

`python search_in_window.py PROJECT CACHE SETTINGS QUERY...`; the last character of each query is
the key that is timed. The project's index is in the cache already.
"""

import json
import os
import sys
import time
from pathlib import Path

from judge_big_project import now_ms, open_window, thread_ms
from PySide6.QtCore import QEvent, QObject
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication

from irjudge_ui import jobs
from irjudge_ui.pages.project.browse import BrowseView
from irjudge_ui.settings import Settings
from irjudge_ui.window import Window

REPEATS, REST_MS, NAP_S = 5, 200, 0.0003


class RenderTime(QObject):
    """Event filter that records the time of the last paint event."""

    at = 0.0

    def eventFilter(self, _watched: QObject, event: QEvent) -> bool:
        """Record the time."""
        if event.type() == QEvent.Type.Paint:
            self.at = now_ms()
        return False


class Searcher:
    """Types queries and waits for their hits."""

    def __init__(self, application: QApplication, window: Window) -> None:
        window.show_page("browse")
        page = window.pages.view("browse")
        assert isinstance(page, BrowseView)
        self._application = application
        self._page = page
        self._painted = RenderTime()
        self._filled = 0.0
        page.table.viewport().installEventFilter(self._painted)
        page.documents.modelReset.connect(self._on_hits)
        self._settle()

    def _on_hits(self) -> None:
        self._filled = now_ms()

    def _settle(self) -> None:
        QTest.qWait(REST_MS)
        while jobs.is_busy():
            self._application.processEvents()
        QTest.qWait(REST_MS)

    def search(self, query: str) -> tuple[float, float]:
        """Return the milliseconds from the last key to the shown hits, and those of computing."""
        self._page.search.setText(query[:-1])
        self._settle()
        begin, mine = now_ms(), thread_ms()
        self._filled = self._painted.at = 0.0
        QTest.keyClicks(self._page.search, query[-1])
        while not self._filled or self._painted.at < self._filled:
            self._application.processEvents()
            time.sleep(NAP_S)
        return self._painted.at - begin, thread_ms() - mine


def main(path: Path, cache: Path, settings: Path, queries: list[str]) -> None:
    """Open the project, search, and print the minimum time of each query."""
    Settings.cache = property(lambda _settings: cache)  # type: ignore[assignment, method-assign, misc]
    application, window = open_window(settings)
    window.open(path)
    while jobs.is_busy():
        application.processEvents()
    window.resize(1366, 728)
    searcher = Searcher(application, window)
    took = {
        query: [
            min(column)
            for column in zip(*(searcher.search(query) for _ in range(REPEATS)), strict=True)
        ]
        for query in queries
    }
    window.close()
    sys.stdout.write(json.dumps({"took": took, "load": os.getloadavg()}))


if __name__ == "__main__":
    main(Path(sys.argv[1]), Path(sys.argv[2]), Path(sys.argv[3]), sys.argv[4:])
