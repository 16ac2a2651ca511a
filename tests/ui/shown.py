"""What a window shows, asked for as a person would: by its words, and by the names that a screen reader says."""

from collections.abc import Sequence
from typing import TypeVar

from PySide6.QtCore import QObject, QPoint, Qt, QTimer
from PySide6.QtWidgets import QLabel, QPushButton, QTableView, QWidget

from irjudge_ui.actions import BY_ID
from irjudge_ui.window import Window
from tests.ui.seen import visible

Kind = TypeVar("Kind", bound=QWidget)


MAX_CHOICES = 7
# Style names of buttons that are no primary choice: quiet links, entries of a list, parts of a row.
SECONDARY = ("link", "entry", "nav", "row", "keycap", "remove")


def primary_choices(page: QWidget) -> list[str]:
    """Return the buttons of a page that compete for attention before anything is opened."""
    return [
        made.text() or made.accessibleName()
        for made in page.findChildren(QPushButton)
        if made.isVisible() and made.objectName() not in SECONDARY
    ]


def labels(root: QWidget) -> list[str]:
    """Return what each label that is in view says."""
    return [each.text() for each in visible(root) if isinstance(each, QLabel) and each.text()]


def says(root: QWidget) -> str:
    """Return all that the labels in view say, one below the other."""
    return "\n".join(labels(root))


def named(root: QWidget, name: str, kind: type[Kind]) -> Kind:
    """Return the one part that is called so, or says so, whether it is in view or not."""
    found = [
        each
        for each in root.findChildren(kind)
        if name in (each.accessibleName(), each.property("text"))
    ]
    assert len(found) == 1, f"{len(found)} parts are called {name!r}"
    return found[0]


def top_of(root: QWidget, name: str, kind: type[QWidget] = QWidget) -> int:
    """Return how far down in a page a part begins that is called so, or says so."""
    return named(root, name, kind).mapTo(root, QPoint()).y()


def is_shown(root: QWidget, name: str) -> bool:
    """Tell whether a part in view is called so, or says so."""
    return any(name in (each.accessibleName(), each.property("text")) for each in visible(root))


def chosen(table: QTableView, columns: Sequence[int] = (0,)) -> list[str]:
    """Return what the chosen row of a table says."""
    return [str(table.currentIndex().siblingAtColumn(column).data()) for column in columns]


def stop_following(page: QObject) -> None:
    """Let a page look at a running session only when a test tells it to."""
    for timer in page.findChildren(QTimer, options=Qt.FindChildOption.FindDirectChildrenOnly):
        timer.stop()


def road(window: Window) -> str:
    """Return what the foot of a page says about how far the project is."""
    return named(window.steps, "Project progress", QLabel).text()


def missing(window: Window) -> str:
    """Return what the foot of a page says is missing."""
    return named(window.steps, "Missing", QLabel).text()


def comes_next(window: Window) -> str:
    """Return the action that the foot of a page offers; empty where it offers none."""
    offered = window.steps.now
    return (
        next(id for id, each in BY_ID.items() if each.label == offered.text())
        if offered.isVisible()
        else ""
    )
