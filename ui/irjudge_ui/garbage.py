"""Collects garbage between events, on the window's thread.

Python would do it whenever enough objects were made: in another thread, or in the middle of a call that Qt makes. The parts
of a window that end there take the program down with them.
"""

import gc

from PySide6.QtCore import QObject, QTimer

EVERY_MS = 500


class GarbageCollector(QObject):
    """Takes the place of Python's own moments for as long as `parent` lives."""

    def __init__(self, parent: QObject) -> None:
        super().__init__(parent)
        gc.disable()
        gc.freeze()  # what is loaded stays: going through it for garbage would hold the window up for a tenth of a second now and then
        timer = QTimer(self)
        timer.timeout.connect(collect_what_is_due)
        timer.start(EVERY_MS)


def collect_what_is_due() -> None:
    """Collect the oldest generation whose threshold is passed, as Python would."""
    due = [generation for generation, (count, most) in enumerate(zip(gc.get_count(), gc.get_threshold(), strict=True)) if count > most]
    if due:
        gc.collect(due[-1])
