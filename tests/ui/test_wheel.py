"""The wheel scrolls: over whatever it stands, on every page and in every dialog, nothing that was chosen or typed becomes another."""

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
    QComboBox,
    QDialog,
    QScrollBar,
    QWidget,
)
from pytestqt.qtbot import QtBot

from irjudge_ui.pages import PAGES
from irjudge_ui.window import Window
from tests.syntax import iter_nodes
from tests.ui.seen import visible

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


def turn(widget: QWidget) -> None:
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


def chosen(widget: QWidget) -> object:
    """Return what a control says or has chosen: the property that Qt names its user's."""
    return widget.metaObject().userProperty().read(widget)


def controls(root: QWidget) -> list[QWidget]:
    """Return what shows in a widget and holds a choice, a number or words of a person."""
    kinds = (QAbstractScrollArea, QScrollBar)
    shown = [
        each
        for each in visible(root)
        if not isinstance(each, kinds) and each.metaObject().userProperty().isValid()
    ]
    return [each for each in shown if not isinstance(each, QAbstractButton) or each.isCheckable()]


def changed(root: QWidget) -> list[str]:
    """Say which controls are others after the wheel was turned over each, with the focus in it and without."""
    tables = [each for each in visible(root) if isinstance(each, QAbstractItemView)]
    before = {each: chosen(each) for each in controls(root)}
    rows = {each: each.currentIndex().row() for each in tables}
    for each in before:
        turn(each)
        each.setFocus()
        turn(each)
    found = [
        f"{each.accessibleName()}: {now!r}, was {then!r}"
        for each, then in before.items()
        if (now := chosen(each)) != then
    ]
    for table in tables:
        turn(table.viewport())
        found += [table.accessibleName()] if table.currentIndex().row() != rows[table] else []
    return found


@pytest.mark.slow
def test_the_wheel_changes_nothing_on_any_page(
    assessed_window: Window, idle: Callable[[], None]
) -> None:
    met = 0
    for page in PAGES:
        assessed_window.show_page(page.id)
        idle()
        here = assessed_window.pages.currentWidget()
        assert changed(here) == [], page.id
        met += len([each for each in controls(here) if isinstance(each, QComboBox)])
    assert met > 20, "the boxes of choices are looked at"


@pytest.mark.slow
@pytest.mark.parametrize(
    ("page", "action"), [(page, action) for page, actions in DIALOGS.items() for action in actions]
)
def test_the_wheel_changes_nothing_in_dialogs(
    open_window: Window, idle: Callable[[], None], qtbot: QtBot, page: str, action: str
) -> None:
    open_window.show_page(page)
    idle()
    of = (
        open_window.actions_by_id
        if action in open_window.actions_by_id
        else open_window.pages.view(page).actions_by_id
    )
    of[action].trigger()
    idle()
    qtbot.waitUntil(lambda: bool(open_window.findChildren(QDialog)))
    dialog = next(each for each in open_window.findChildren(QDialog) if each.isVisible())
    assert changed(dialog) == []
    dialog.close()


@pytest.mark.slow
def test_controls_that_the_wheel_changes_are_made_by_the_widgets_that_keep_it_from_it() -> None:
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
