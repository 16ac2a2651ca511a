"""Start of the desktop application: `python -m irjudge_ui [FILE]`."""

import faulthandler
import gc
import sys
import traceback
from collections.abc import Sequence
from contextlib import suppress
from datetime import UTC, datetime
from pathlib import Path
from types import TracebackType
from typing import TextIO

from PySide6.QtCore import QLibraryInfo, QLocale, QObject, QTimer, QTranslator
from PySide6.QtGui import QIcon
from PySide6.QtWidgets import QApplication

from irjudge.message import escape_control_characters
from irjudge.shipped import crash_report_path, release_version, shipped_folder
from irjudge_ui.jobs import CLUSTER_WORKERS
from irjudge_ui.pages import apply_appearance
from irjudge_ui.pages.frame import CrashDialog
from irjudge_ui.settings import Settings, locale_of
from irjudge_ui.translator import CatalogueTranslator
from irjudge_ui.widgets import apply_script
from irjudge_ui.window import Window

SWITCH_INTERVAL = 0.0002  # seconds between switches of Python threads; the default is 0.005
GARBAGE_INTERVAL_MS = 500
MAX_CRASH_LOG_BYTES = 1_000_000  # size above which the crash log is truncated


class TranslatorInstaller(QObject):
    """Installer of translators: Qt's for standard dialogs and, except in English, irjudge's own.

    When the language setting changes, the translators are replaced. The window then creates its
    widgets again, since existing widgets keep their texts.
    """

    def __init__(self, application: QApplication, settings: Settings) -> None:
        super().__init__(application)
        self._application, self._settings = application, settings
        self._installed: list[QTranslator] = []
        settings.changed.connect(
            lambda name: self.install_translators() if name == "language" else None
        )
        self.install_translators()

    def install_translators(self) -> None:
        """Install the translators for the language chosen in the settings."""
        for old_translator in self._installed:
            self._application.removeTranslator(old_translator)
            old_translator.deleteLater()
        self._installed.clear()
        locale = locale_of(str(self._settings.get("language")))
        folder = QLibraryInfo.path(QLibraryInfo.LibraryPath.TranslationsPath)
        qt_translator = QTranslator(self)
        if qt_translator.load(locale, "qtbase", "_", folder):
            self._install(qt_translator)
        apply_script(self._application, locale.name())
        if locale.language() != QLocale.Language.English:
            self._install(CatalogueTranslator(self, locale.name()))

    def _install(self, translator: QTranslator) -> None:
        self._application.installTranslator(translator)
        self._installed.append(translator)


class GarbageCollector(QObject):
    """Garbage collector on the GUI thread, between events, instead of Python's collector.

    Python's own collector is disabled: it can run at any allocation, even in another thread or
    inside a Qt call, where destroying a widget crashes the program. Objects that exist at the start
    are excluded from collections. The collector runs while `parent` exists.
    """

    def __init__(self, parent: QObject) -> None:
        super().__init__(parent)
        gc.disable()
        # Exclude all existing objects from collections: scanning them would block the window for
        # 0.1 s per collection
        gc.freeze()
        timer = QTimer(self)
        timer.timeout.connect(collect_due_generation)
        timer.start(GARBAGE_INTERVAL_MS)


def collect_due_generation() -> None:
    """Collect the oldest generation whose collection threshold is exceeded."""
    due_generations = [
        generation
        for generation, (count, threshold) in enumerate(
            zip(gc.get_count(), gc.get_threshold(), strict=True)
        )
        if count > threshold
    ]
    if due_generations:
        gc.collect(due_generations[-1])


def make_application(arguments: Sequence[str], settings: Settings) -> QApplication:
    """Return the QApplication with name, icon, language and theme."""
    # the GUI thread releases the GIL in every Qt call, and then waits up to one switch interval for
    # each other thread
    sys.setswitchinterval(SWITCH_INTERVAL)
    application = QApplication(list(arguments))
    application.setApplicationName("irjudge")
    application.setApplicationDisplayName("irjudge")
    application.setDesktopFileName("irjudge")
    application.setWindowIcon(QIcon(str(shipped_folder("resources") / "irjudge.svg")))
    TranslatorInstaller(application, settings)
    apply_appearance(application, settings)
    GarbageCollector(application)
    return application


def open_crash_log() -> TextIO | None:
    """Open the crash log that `irjudge doctor --crash` reads; return None if that fails.

    Python writes to the log if Qt aborts the program.
    """
    path = crash_report_path()
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        is_full = path.is_file() and path.stat().st_size > MAX_CRASH_LOG_BYTES
        log_file = path.open("w" if is_full else "a", encoding="utf-8")
    except OSError:  # the program works without a crash log
        return None
    faulthandler.enable(log_file)
    return log_file


def install_error_dialog(window: Window, log_file: TextIO | None = None) -> None:
    """Show unhandled exceptions in a dialog, and write them to the crash log."""

    def hook(kind: type[BaseException], error: BaseException, trace: TracebackType | None) -> None:
        text = "".join(traceback.format_exception(kind, error, trace))
        if sys.stderr is not None:  # None if the window was started from a desktop
            with suppress(OSError, ValueError):
                # a file name in the message may contain terminal control characters
                sys.stderr.write("\n".join(map(escape_control_characters, text.split("\n"))))
        if log_file is not None:
            with suppress(OSError, ValueError):
                log_file.write(
                    f"{datetime.now(UTC):%Y-%m-%d %H:%M} UTC, {release_version()}\n{text}\n"
                )
                log_file.flush()
        if issubclass(kind, Exception):
            CrashDialog(window, error, text).open()

    sys.excepthook = hook


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the application, open the given project file, if any, and return the exit code."""
    all_arguments = list(sys.argv if arguments is None else arguments)
    settings = Settings()
    application = make_application(all_arguments, settings)
    window = Window(settings)
    install_error_dialog(window, open_crash_log())
    window.show()
    if len(all_arguments) > 1:
        window.open(Path(all_arguments[1]))
    try:
        return application.exec()
    finally:
        CLUSTER_WORKERS.close()
