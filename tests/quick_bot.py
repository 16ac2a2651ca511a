"""The `qtbot` fixture's class: it polls more often and waits longer than that of pytest-qt."""

from collections.abc import Callable
from typing import Any

from pytestqt.qtbot import QtBot

PATIENCE = 30_000  # milliseconds; on a busy machine work takes longer
QUICK_POLLS = 20  # a millisecond apart, before those of pytest-qt, which are ten milliseconds apart


class QuickBot(QtBot):
    """`QtBot` for windows whose work mostly takes a few milliseconds."""

    def waitUntil(self, callback: Callable[[], bool | None], *, timeout: int = PATIENCE) -> None:
        for _ in range(QUICK_POLLS):
            try:
                if callback() in (True, None):
                    return
            except AssertionError:
                pass  # not yet
            self.wait(1)
        super().waitUntil(callback, timeout=timeout)

    def waitSignal(self, signal: Any, *, timeout: int = PATIENCE, **options: Any) -> Any:
        return super().waitSignal(signal, timeout=timeout, **options)

    def waitExposed(self, widget: Any, *, timeout: int = PATIENCE) -> Any:
        return super().waitExposed(widget, timeout=timeout)
