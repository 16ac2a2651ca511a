"""An image file that detects when it is opened, to test that names never load files."""

import ctypes
import os
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

from PySide6.QtGui import QImage

IN_OPEN = 0x20  # from Linux's inotify.h


@contextmanager
def watched_image(folder: Path) -> Iterator[tuple[Path, Callable[[], bool]]]:
    """Yield the path of an image, and a function that returns whether it was opened since."""
    trap, system = folder / "trap.png", ctypes.CDLL(None, use_errno=True)
    assert QImage(4, 4, QImage.Format.Format_RGB32).save(str(trap))
    watch = system.inotify_init1(os.O_NONBLOCK | os.O_CLOEXEC)
    assert watch >= 0 and system.inotify_add_watch(watch, os.fsencode(trap), IN_OPEN) >= 0

    def was_opened() -> bool:
        try:
            return bool(os.read(watch, 4096))
        except BlockingIOError:
            return False

    yield trap, was_opened
    os.close(watch)
