"""Asks for files and folders, each time where one was chosen last, and takes those that are dropped on the window."""

from pathlib import Path
from typing import Any

from PySide6.QtCore import Qt
from PySide6.QtGui import QDropEvent
from PySide6.QtWidgets import QFileDialog, QWidget

from irjudge_ui.settings import Settings


class Folders:
    """The folders of the user's last choices: one for what is opened, one for what is written from each place."""

    def __init__(self) -> None:
        self._settings: Settings | None = None

    def use(self, settings: Settings) -> None:
        """Keep them in a user's settings."""
        self._settings = settings

    def last(self, beside: str = "") -> str:
        """Return where was chosen last what would go beside a place; that of what is opened has none."""
        return (self._settings.folders().get(beside) if self._settings else "") or beside

    def keep(self, folder: Path, beside: str = "") -> None:
        """Keep where something was chosen."""
        if self._settings:
            self._settings.keep_folder(beside, str(folder))


FOLDERS = Folders()


def ask_file(
    parent: QWidget, title: str, kinds: str = "", *, start: Path | None = None
) -> Path | None:
    """Ask for a file to open; None where nobody names one."""
    name, _ = QFileDialog.getOpenFileName(parent, title, str(start or FOLDERS.last()), kinds)
    if name:
        FOLDERS.keep(Path(name).parent)
    return Path(name) if name else None


def ask_files(parent: QWidget, title: str, kinds: str = "") -> tuple[Path, ...]:
    """Ask for files to open; none where nobody names any."""
    names, _ = QFileDialog.getOpenFileNames(parent, title, FOLDERS.last(), kinds)
    if names:
        FOLDERS.keep(Path(names[0]).parent)
    return tuple(map(Path, names))


def ask_save_path(
    parent: QWidget, title: str, start: Path, kinds: str = "", **more: Any
) -> tuple[Path | None, str]:
    """Ask where a file goes that is proposed at a place, and of which kind it is; None where nobody says it."""
    beside = str(start.parent)
    proposed = str(Path(FOLDERS.last(beside), start.name)) if start.name else FOLDERS.last()
    asked: tuple[Any, ...] = (
        (parent, title, proposed, kinds) if kinds else (parent, title, proposed)
    )
    name, kind = QFileDialog.getSaveFileName(*asked, **more)
    if name:
        FOLDERS.keep(Path(name).parent, beside)
    return (Path(name) if name else None), kind


def ask_folder(parent: QWidget, title: str, start: Path | None = None) -> Path | None:
    """Ask for a folder: one to read, or one to write to, which is proposed; None where nobody names one."""
    beside = str(start) if start else ""
    name = QFileDialog.getExistingDirectory(parent, title, FOLDERS.last(beside))
    if name:
        FOLDERS.keep(Path(name) if start else Path(name).parent, beside)
    return Path(name) if name else None


def accept_as_copy(event: QDropEvent) -> bool:
    """Take what is dropped as a copy, whatever is proposed, and tell whether that can be.

    After a move whoever gave the file may remove it.
    """
    copied = bool(event.possibleActions() & Qt.DropAction.CopyAction)
    event.setDropAction(Qt.DropAction.CopyAction if copied else Qt.DropAction.IgnoreAction)
    event.setAccepted(copied)
    return copied
