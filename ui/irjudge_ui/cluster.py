"""Who computes for the pages: this program, or the workers of the setting `cluster`, which stay from one work to the next."""

import threading
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager

from PySide6.QtCore import QCoreApplication

from irjudge.progress import Progress
from irjudge.stats.cluster import workers_at
from irjudge.stats.workers import HERE, Workers
from irjudge_ui.settings import Settings


class Team:
    """Holds the workers that the settings ask for; jobs of several pages share them."""

    def __init__(self) -> None:
        self._settings: Settings | None = None
        self._lock = threading.Lock()
        self._held = ExitStack()
        self._where, self._workers = "", HERE

    def use(self, settings: Settings) -> None:
        """Ask these settings from now on."""
        self._settings = settings

    @contextmanager
    def at_work(self, progress: Progress) -> Iterator[Workers]:
        """Give the workers to a job, in its thread; they are started where they are not there, or there no more.

        Raises
        ------
        IrjudgeError
            As `workers_at` does.
        """
        where = str(self._settings.get("cluster")).strip() if self._settings else ""
        with self._lock:
            if where != self._where or not self._workers.alive:
                self._end()
                progress.step(0, None, QCoreApplication.translate("Team", "Starting workers"))
                self._workers, self._where = (
                    self._held.enter_context(workers_at(where or None)),
                    where,
                )
        yield self._workers

    def close(self) -> None:
        """End workers that were started here."""
        with self._lock:
            self._end()

    def _end(self) -> None:
        self._held.close()
        self._where, self._workers = "", HERE


TEAM = Team()
