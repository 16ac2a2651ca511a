"""File and folder dialogs that start in the last used folder, and dropped files."""

from pathlib import Path
from typing import Any

from PySide6.QtCore import Qt
from PySide6.QtGui import QDropEvent
from PySide6.QtWidgets import QFileDialog, QWidget

from irjudge_ui.settings import Settings


class LastFolders:
    """Store of the folders last used for opening and for saving, in which file dialogs start.

    The last folder for opening is shared by all projects. The last folder for saving is shared by
    the projects that are in the same folder. The folders are stored in the settings; without
    settings, they are not stored.
    """

    def __init__(self) -> None:
        self._settings: Settings | None = None

    def use(self, settings: Settings) -> None:
        """Set the settings object in which the folders are stored."""
        self._settings = settings

    def get_last(self, source: str = "") -> str:
        """Return the folder last used to save files of projects that are in the folder `source`.

        If no file has been saved, return `source`. If `source` is empty, return the folder last
        used for opening files; it is empty if no file has been opened.
        """
        return (self._settings.folders().get(source) if self._settings else "") or source

    def store(self, folder: Path, source: str = "") -> None:
        """Store a folder as the last used one for `source`; see `get_last`."""
        if self._settings:
            self._settings.keep_folder(source, str(folder))


LAST_FOLDERS = LastFolders()


def _find_styled_widget(parent: QWidget) -> QWidget:
    """Return a widget that a dialog can use as its parent to inherit the style sheet.

    The window has no style sheet; its pages have style sheets.
    """
    ancestor: QWidget | None = parent
    while ancestor is not None:
        if ancestor.styleSheet():
            return parent
        ancestor = ancestor.parentWidget()
    styled_widgets = (widget for widget in parent.findChildren(QWidget) if widget.styleSheet())
    return next((widget for widget in styled_widgets if widget.isVisible()), parent)


def ask_file(
    parent: QWidget, title: str, kinds: str = "", *, start: Path | None = None
) -> Path | None:
    """Ask for a file to open; return None if the dialog is cancelled."""
    name, _ = QFileDialog.getOpenFileName(
        _find_styled_widget(parent), title, str(start or LAST_FOLDERS.get_last()), kinds
    )
    if name:
        LAST_FOLDERS.store(Path(name).parent)
    return Path(name) if name else None


def ask_files(parent: QWidget, title: str, kinds: str = "") -> tuple[Path, ...]:
    """Ask for files to open; return an empty result if the dialog is cancelled."""
    names, _ = QFileDialog.getOpenFileNames(
        _find_styled_widget(parent), title, LAST_FOLDERS.get_last(), kinds
    )
    if names:
        LAST_FOLDERS.store(Path(names[0]).parent)
    return tuple(map(Path, names))


def ask_save_path(
    parent: QWidget, title: str, start: Path, kinds: str = "", **options: Any
) -> tuple[Path | None, str]:
    """Ask for the path and type of a file to save; the path is None if the dialog is cancelled."""
    source = str(start.parent)
    dialog_arguments: tuple[Any, ...] = (
        _find_styled_widget(parent),
        title,
        str(Path(LAST_FOLDERS.get_last(source), start.name))
        if start.name
        else LAST_FOLDERS.get_last(),
        *([kinds] if kinds else []),
    )
    name, kind = QFileDialog.getSaveFileName(*dialog_arguments, **options)
    if name:
        LAST_FOLDERS.store(Path(name).parent, source)
    return (Path(name) if name else None), kind


def ask_folder(parent: QWidget, title: str, start: Path | None = None) -> Path | None:
    """Ask for a folder to read from or write to; return None if the dialog is cancelled."""
    source = str(start) if start else ""
    name = QFileDialog.getExistingDirectory(
        _find_styled_widget(parent), title, LAST_FOLDERS.get_last(source)
    )
    if name:
        LAST_FOLDERS.store(Path(name) if start else Path(name).parent, source)
    return Path(name) if name else None


def accept_as_copy(event: QDropEvent) -> bool:
    """Accept a drop as a copy, even if a move is proposed; return whether copying is possible.

    After a move, the program from which the file was dragged could delete the file.
    """
    is_copyable = bool(event.possibleActions() & Qt.DropAction.CopyAction)
    event.setDropAction(Qt.DropAction.CopyAction if is_copyable else Qt.DropAction.IgnoreAction)
    event.setAccepted(is_copyable)
    return is_copyable
