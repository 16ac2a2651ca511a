"""The `qtbot` fixture's class: it polls more often and waits longer than that of pytest-qt."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from itertools import count
from time import monotonic
from typing import Any

from PySide6.QtCore import QCoreApplication, QEvent, QObject
from PySide6.QtWidgets import QWidget
from pytestqt.qtbot import QtBot
from shiboken6 import isValid

PATIENCE = 30_000  # milliseconds; on a busy machine work takes longer
QUICK_POLLS = 20  # a millisecond apart, before those that are ten milliseconds apart
UNPAINTED_SECONDS = 1  # maximum time for which painting is postponed while a test waits


class PaintingDelay(QObject):
    """Event filter that postpones the painting of windows while a test waits.

    Painting takes a third of the time of such tests. A window that changes several times during a
    wait is painted once, at the end of the wait.
    """

    def __init__(self) -> None:
        super().__init__()
        self._depth = 0
        self._windows: list[QWidget] = []  # windows that are painted at the end of the wait

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if not self._depth or event.type() != QEvent.Type.UpdateRequest:
            return False
        if isinstance(watched, QWidget) and watched not in self._windows:
            self._windows.append(watched)
        return True

    @contextmanager
    def postpone(self) -> Iterator[None]:
        self._depth += 1
        try:
            yield
        finally:
            self._depth -= 1
            if not self._depth:
                self._paint()

    def _paint(self) -> None:
        windows, self._windows = self._windows, []
        for window in filter(isValid, windows):
            QCoreApplication.sendEvent(window, QEvent(QEvent.Type.UpdateRequest))


PAINTING_DELAY = PaintingDelay()


class QuickBot(QtBot):
    """`QtBot` for windows whose work mostly takes a few milliseconds."""

    def waitUntil(self, callback: Callable[[], bool | None], *, timeout: int = PATIENCE) -> None:
        end, polls = monotonic() + min(UNPAINTED_SECONDS, timeout / 1000), count()
        with PAINTING_DELAY.postpone():
            while monotonic() < end:
                try:
                    if callback() in (True, None):
                        return
                except AssertionError:
                    pass  # not yet
                self.wait(1 if next(polls) < QUICK_POLLS else 10)
        super().waitUntil(callback, timeout=timeout)

    def waitSignal(self, signal: Any, *, timeout: int = PATIENCE, **options: Any) -> Any:
        return super().waitSignal(signal, timeout=timeout, **options)

    def waitExposed(self, widget: Any, *, timeout: int = PATIENCE) -> Any:
        return super().waitExposed(widget, timeout=timeout)
