"""A simulated user of a window whose actions, scrolling included, are counted."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import (
    QAbstractButton,
    QApplication,
    QComboBox,
    QDialog,
    QFileDialog,
    QLineEdit,
    QScrollArea,
    QWidget,
)
from pytestqt.qtbot import QtBot

from irjudge_ui import jobs
from irjudge_ui.window import Window

PATIENCE = 30_000


class CountedUser:
    """A user of a window whose actions are counted.

    Only visible and enabled controls are used.
    """

    def __init__(self, window: Window, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch) -> None:
        self.window, self.actions, self._qtbot = window, 0, qtbot
        self._answers: list[object] = []
        for name in (
            "getOpenFileNames",
            "getOpenFileName",
            "getSaveFileName",
            "getExistingDirectory",
        ):
            monkeypatch.setattr(QFileDialog, name, lambda *_: self._answer_dialog())

    def wait_until_idle(self) -> None:
        self._qtbot.waitUntil(lambda: not jobs.is_busy(), timeout=PATIENCE)

    def click(self, label: str, inside: QWidget | None = None) -> None:
        """Click the button with a text or accessible name, after scrolling to it if necessary."""

        def matching_buttons() -> list[QAbstractButton]:
            every = (inside or self.front_widget).findChildren(QAbstractButton)
            return [
                each
                for each in every
                if label in (each.text(), each.accessibleName())
                and each.isVisible()
                and each.isEnabled()
            ]

        self._qtbot.waitUntil(lambda: len(matching_buttons()) >= 1, timeout=PATIENCE)
        assert len(matching_buttons()) == 1, f"{len(matching_buttons())} buttons say {label!r}"
        self._bring_into_view(matching_buttons()[0])
        self.actions += 1
        QTest.mouseClick(matching_buttons()[0], Qt.MouseButton.LeftButton)
        self.wait_until_idle()

    def _bring_into_view(self, part: QWidget) -> None:
        """Scroll to a widget unless it is completely visible; scrolling counts as an action."""
        if part.visibleRegion().boundingRect().size() == part.size():
            return
        area = next((each for each in ancestors(part) if isinstance(each, QScrollArea)), None)
        assert area is not None, (
            f"{part.accessibleName()} is out of view, and nothing scrolls to it"
        )
        self.actions += 1
        QApplication.processEvents()  # lays out a page that has just grown
        area.ensureWidgetVisible(part)
        QApplication.processEvents()
        assert not part.visibleRegion().isEmpty()

    def fill(self, field: QLineEdit, text: str) -> None:
        """Type into a visible field."""
        assert field.isVisible()
        self._bring_into_view(field)
        self.actions += 1
        field.setFocus()
        field.setText(text)

    def choose(self, box: QComboBox, label: str) -> None:
        """Choose an item of a combo box by its text."""
        assert box.isVisible() and label in [box.itemText(index) for index in range(box.count())]
        self.actions += 1
        box.setCurrentText(label)
        box.activated.emit(box.currentIndex())
        self.wait_until_idle()

    def prepare_file_dialog(self, answer: object) -> None:
        """Set the answer of the next file dialog."""
        self._answers.append(answer)

    def _answer_dialog(self) -> object:
        self.actions += 1
        return self._answers.pop(0)

    @property
    def front_widget(self) -> QWidget:
        """The open dialog, or the window itself."""
        return next(
            (each for each in reversed(self.window.findChildren(QDialog)) if each.isVisible()),
            self.window,
        )

    @property
    def page(self) -> QWidget:
        """The current page."""
        return self.window.pages.currentWidget()

    def open(self, path: Path) -> None:
        """Open a file as by a double click in a file manager."""
        self.actions += 1
        self.window.open(path)
        self.wait_until_idle()

    def grade(self, key: Qt.Key) -> None:
        """Grade the current document, after continuing to the next topic if one has ended."""
        if self.window.judge.state_page:
            self.press(Qt.Key.Key_Return)
        self.key(key)
        self.wait_until_idle()

    def key(self, key: Qt.Key) -> None:
        judge = self.window.judge
        self._qtbot.waitUntil(lambda: judge.can_judge and judge.turns.ready(), timeout=PATIENCE)
        self.actions += 1
        QTest.keyClick(judge.document, key)

    def press(self, key: Qt.Key) -> None:
        """Press a key in the focused widget."""
        self.actions += 1
        target = QApplication.focusWidget() or QApplication.activeWindow()
        assert target is not None, "nothing has the focus"
        QTest.keyClick(target, key)
        self.wait_until_idle()


def ancestors(part: QWidget) -> Iterator[QWidget]:
    """Yield the ancestors of a widget, the nearest first."""
    parent = part.parentWidget()
    while parent is not None:
        yield parent
        parent = parent.parentWidget()
