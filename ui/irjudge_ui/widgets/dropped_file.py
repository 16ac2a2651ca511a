"""How a file is taken that is dropped on the window: as a copy."""

from PySide6.QtCore import Qt
from PySide6.QtGui import QDropEvent


def take_copy(event: QDropEvent) -> bool:
    """Take what is dropped as a copy, whatever is proposed, and tell whether that can be.

    After a move whoever gave the file may remove it.
    """
    copied = bool(event.possibleActions() & Qt.DropAction.CopyAction)
    event.setDropAction(Qt.DropAction.CopyAction if copied else Qt.DropAction.IgnoreAction)
    event.setAccepted(copied)
    return copied
