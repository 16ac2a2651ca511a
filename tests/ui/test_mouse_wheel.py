"""Tests that the mouse wheel only scrolls; `test_pages` turns it on every page."""

import ast
from collections.abc import Callable
from pathlib import Path

import pytest
from PySide6.QtCore import QPoint, QPointF, Qt
from PySide6.QtGui import QWheelEvent
from PySide6.QtWidgets import (
    QAbstractButton,
    QAbstractItemView,
    QAbstractScrollArea,
    QApplication,
    QDialog,
    QScrollBar,
    QWidget,
)
from pytestqt.qtbot import QtBot

from irjudge_ui.window import Window
from tests.syntax_trees import iter_nodes
from tests.ui.layout_checks import visible_widgets

ONE_WINDOW = True
CHANGED_BY_WHEEL = {
    "QComboBox",
    "QSpinBox",
    "QDoubleSpinBox",
    "QSlider",
    "QDial",
    "QDateEdit",
    "QTimeEdit",
    "QDateTimeEdit",
    "QTabBar",
}
DIALOGS = {
    "collection": ("export", "prices"),
    "evaluate": ("catalogue",),
    "judge": ("jump",),
    "home": ("shortcuts",),
}


def turn_wheel(widget: QWidget) -> None:
    """Turn the wheel over the middle of a widget, up and down."""
    middle = QPointF(widget.rect().center())
    for steps in (1, -2, 1):
        event = QWheelEvent(
            middle,
            widget.mapToGlobal(middle),
            QPoint(),
            QPoint(0, 120 * steps),
            Qt.MouseButton.NoButton,
            Qt.KeyboardModifier.NoModifier,
            Qt.ScrollPhase.NoScrollPhase,
            False,
        )
        QApplication.sendEvent(widget, event)


def control_value(widget: QWidget) -> object:
    """Return the value of a control's user property."""
    return widget.metaObject().userProperty().read(widget)


def visible_controls(root: QWidget) -> list[QWidget]:
    """Return the visible widgets that hold a choice, a number or text."""
    kinds = (QAbstractScrollArea, QScrollBar)
    shown = [
        each
        for each in visible_widgets(root)
        if not isinstance(each, kinds) and each.metaObject().userProperty().isValid()
    ]
    return [each for each in shown if not isinstance(each, QAbstractButton) or each.isCheckable()]


def find_changed(root: QWidget) -> list[str]:
    """Describe the controls whose value changes when the wheel is turned over them.

    Each is tried with and without the focus.
    """
    tables = [each for each in visible_widgets(root) if isinstance(each, QAbstractItemView)]
    before = {each: control_value(each) for each in visible_controls(root)}
    rows = {each: each.currentIndex().row() for each in tables}
    for each in before:
        turn_wheel(each)
        each.setFocus()
        turn_wheel(each)
    result = [
        f"{each.accessibleName()}: {now!r}, was {then!r}"
        for each, then in before.items()
        if (now := control_value(each)) != then
    ]
    for table in tables:
        turn_wheel(table.viewport())
        result += [table.accessibleName()] if table.currentIndex().row() != rows[table] else []
    return result


@pytest.mark.slow
@pytest.mark.parametrize(
    ("page", "action"), [(page, action) for page, actions in DIALOGS.items() for action in actions]
)
def test_the_wheel_changes_nothing_in_dialogs(
    open_window: Window, wait_until_idle: Callable[[], None], qtbot: QtBot, page: str, action: str
) -> None:
    open_window.show_page(page)
    wait_until_idle()
    of = (
        open_window.actions_by_id
        if action in open_window.actions_by_id
        else open_window.pages.view(page).actions_by_id
    )
    of[action].trigger()
    wait_until_idle()
    qtbot.waitUntil(lambda: bool(open_window.findChildren(QDialog)))
    dialog = next(each for each in open_window.findChildren(QDialog) if each.isVisible())
    assert find_changed(dialog) == []
    dialog.close()


@pytest.mark.slow
def test_controls_that_react_to_the_wheel_are_created_by_the_widgets_that_prevent_it() -> None:
    home = Path(__file__).parents[2] / "ui" / "irjudge_ui"
    made = [
        f"{path.relative_to(home)}:{call.lineno}"
        for path in home.rglob("*.py")
        for call in iter_nodes(ast.parse(path.read_text(encoding="utf-8")))
        if isinstance(call, ast.Call)
        and isinstance(call.func, ast.Name)
        and call.func.id in CHANGED_BY_WHEEL
    ]
    assert made == []
