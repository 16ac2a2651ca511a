"""Queries for what a window shows, by visible text and by accessible name."""

from collections.abc import Sequence
from typing import TypeVar

from PySide6.QtCore import QObject, QPoint, Qt, QTimer
from PySide6.QtWidgets import QLabel, QPushButton, QTableView, QWidget

from irjudge_ui.actions import BY_ID
from irjudge_ui.window import Window
from tests.ui.layout_checks import visible_widgets

Kind = TypeVar("Kind", bound=QWidget)


MAX_CHOICES = 7
# Object names of buttons that are no primary choice: quiet links, list entries, parts of a row.
SECONDARY = ("link", "entry", "nav", "row", "keycap", "remove")


def primary_choices(page: QWidget) -> list[str]:
    """Return the visible buttons of a page that compete for attention."""
    return [
        made.text() or made.accessibleName()
        for made in page.findChildren(QPushButton)
        if made.isVisible() and made.objectName() not in SECONDARY
    ]


def label_texts(root: QWidget) -> list[str]:
    """Return the texts of all visible labels."""
    return [
        each.text() for each in visible_widgets(root) if isinstance(each, QLabel) and each.text()
    ]


def visible_text(root: QWidget) -> str:
    """Return the texts of all visible labels, one per line."""
    return "\n".join(label_texts(root))


def find_widget(root: QWidget, name: str, kind: type[Kind]) -> Kind:
    """Return the only widget with an accessible name or text, visible or not."""
    widgets = [
        each
        for each in root.findChildren(kind)
        if name in (each.accessibleName(), each.property("text"))
    ]
    assert len(widgets) == 1, f"{len(widgets)} parts are called {name!r}"
    return widgets[0]


def top_of(root: QWidget, name: str, kind: type[QWidget] = QWidget) -> int:
    """Return the vertical position in a page of the widget with an accessible name or text."""
    return find_widget(root, name, kind).mapTo(root, QPoint()).y()


def is_shown(root: QWidget, name: str) -> bool:
    """Return whether a visible widget has an accessible name or text."""
    return any(
        name in (each.accessibleName(), each.property("text")) for each in visible_widgets(root)
    )


def selected_row(table: QTableView, columns: Sequence[int] = (0,)) -> list[str]:
    """Return the texts of the current row of a table, in the given columns."""
    return [str(table.currentIndex().siblingAtColumn(column).data()) for column in columns]


def stop_following(page: QObject) -> None:
    """Stop the timers of a page, so that it reads a running session only when a test asks it to."""
    for timer in page.findChildren(QTimer, options=Qt.FindChildOption.FindDirectChildrenOnly):
        timer.stop()


def workflow_text(window: Window) -> str:
    """Return the project's progress as the workflow bar shows it."""
    return find_widget(window.steps, "Project progress", QLabel).text()


def missing_text(window: Window) -> str:
    """Return what the workflow bar reports as missing."""
    return find_widget(window.steps, "Missing", QLabel).text()


def next_action(window: Window) -> str:
    """Return the id of the action offered by the workflow bar; empty if it offers none."""
    offered = window.steps.now
    return (
        next(id for id, each in BY_ID.items() if each.label == offered.text())
        if offered.isVisible()
        else ""
    )
