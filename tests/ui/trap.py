"""A picture that tells when somebody opens it: what names of people and files must never lead to."""

import ctypes
import os
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

from PySide6.QtGui import QImage

IN_OPEN = 0x20  # as Linux has it


@contextmanager
def trapped(folder: Path) -> Iterator[tuple[Path, Callable[[], bool]]]:
    """Yield the path of such a picture, and what tells whether it was opened since the last time."""
    trap, system = folder / "trap.png", ctypes.CDLL(None, use_errno=True)
    assert QImage(4, 4, QImage.Format.Format_RGB32).save(str(trap))
    watch = system.inotify_init1(os.O_NONBLOCK | os.O_CLOEXEC)
    assert watch >= 0 and system.inotify_add_watch(watch, os.fsencode(trap), IN_OPEN) >= 0

    def opened() -> bool:
        try:
            return bool(os.read(watch, 4096))
        except BlockingIOError:
            return False

    yield trap, opened
    os.close(watch)
