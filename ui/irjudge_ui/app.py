"""Starts the window: `python -m irjudge_ui [FILE]`."""

import sys
import traceback
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path
from types import TracebackType

from PySide6.QtGui import QIcon
from PySide6.QtWidgets import QApplication

from irjudge.shipped import shipped
from irjudge_ui.garbage import GarbageCollector
from irjudge_ui.language import Language
from irjudge_ui.pages.frame.appearance import apply_looks
from irjudge_ui.pages.frame.trouble import TroubleDialog
from irjudge_ui.settings import Settings
from irjudge_ui.window import Window

TURN = 0.001  # seconds; Python's own are 0.005


def make_application(arguments: Sequence[str], settings: Settings) -> QApplication:
    """Return the one Qt application, with the program's name, icon, language and looks."""
    sys.setswitchinterval(TURN)  # the window gives way in every call of Qt, and waits a turn of the threads beside it for each
    application = QApplication(list(arguments))
    application.setApplicationName("irjudge")
    application.setApplicationDisplayName("irjudge")
    application.setDesktopFileName("irjudge")
    application.setWindowIcon(QIcon(str(shipped("resources") / "irjudge.svg")))
    Language(application, settings)
    apply_looks(application, settings)
    GarbageCollector(application)
    return application


def show_faults(window: Window) -> None:
    """Show faults of ours in a dialog instead of losing them on a console that nobody sees."""

    def hook(kind: type[BaseException], fault: BaseException, trace: TracebackType | None) -> None:
        words = "".join(traceback.format_exception(kind, fault, trace))
        if sys.stderr is not None:  # a window that a desktop started may have none
            with suppress(OSError, ValueError):
                sys.stderr.write(words)
        if issubclass(kind, Exception):
            TroubleDialog(window, fault, words).open()

    sys.excepthook = hook


def main(arguments: Sequence[str] | None = None) -> int:
    """Show the window, with a project when a file is named, and return the exit code."""
    given = list(sys.argv if arguments is None else arguments)
    settings = Settings()
    application = make_application(given, settings)
    window = Window(settings)
    show_faults(window)
    window.show()
    if len(given) > 1:
        window.open(Path(given[1]))
    return application.exec()
