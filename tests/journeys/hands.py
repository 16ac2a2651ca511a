"""What a person does in a window, counted: only what can be seen is pressed, and what is scrolled to costs an action."""

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


class Hands:
    """What a person does in a window, counted. Only what can be seen and pressed is pressed."""

    def __init__(self, window: Window, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch) -> None:
        self.window, self.actions, self._qtbot = window, 0, qtbot
        self._answers: list[object] = []
        for name in (
            "getOpenFileNames",
            "getOpenFileName",
            "getSaveFileName",
            "getExistingDirectory",
        ):
            monkeypatch.setattr(QFileDialog, name, lambda *_: self._answer())

    def settle(self) -> None:
        self._qtbot.waitUntil(lambda: not jobs.is_busy(), timeout=PATIENCE)

    def click(self, words: str, inside: QWidget | None = None) -> None:
        """Click the button that says so, or is called so; what the page has scrolled away is scrolled to first."""

        def seen() -> list[QAbstractButton]:
            every = (inside or self.shown).findChildren(QAbstractButton)
            return [
                each
                for each in every
                if words in (each.text(), each.accessibleName())
                and each.isVisible()
                and each.isEnabled()
            ]

        self._qtbot.waitUntil(lambda: len(seen()) >= 1, timeout=PATIENCE)
        assert len(seen()) == 1, f"{len(seen())} buttons say {words!r}"
        self._bring_into_view(seen()[0])
        self.actions += 1
        QTest.mouseClick(seen()[0], Qt.MouseButton.LeftButton)
        self.settle()

    def _bring_into_view(self, part: QWidget) -> None:
        """Scroll to a part of a page, which is an action, where it is not all in view."""
        if part.visibleRegion().boundingRect().size() == part.size():
            return
        area = next((each for each in above(part) if isinstance(each, QScrollArea)), None)
        assert area is not None, (
            f"{part.accessibleName()} is out of view, and nothing scrolls to it"
        )
        self.actions += 1
        QApplication.processEvents()  # a page that has just grown is laid out before anybody scrolls it
        area.ensureWidgetVisible(part)
        QApplication.processEvents()
        assert not part.visibleRegion().isEmpty()

    def fill(self, field: QLineEdit, words: str) -> None:
        """Type into a field that can be seen."""
        assert field.isVisible()
        self._bring_into_view(field)
        self.actions += 1
        field.setFocus()
        field.setText(words)

    def choose(self, box: QComboBox, words: str) -> None:
        """Choose by its words what a box offers."""
        assert box.isVisible() and words in [box.itemText(place) for place in range(box.count())]
        self.actions += 1
        box.setCurrentText(words)
        box.activated.emit(box.currentIndex())
        self.settle()

    def will_choose(self, answer: object) -> None:
        """Fill the next file dialog in so."""
        self._answers.append(answer)

    def _answer(self) -> object:
        self.actions += 1
        return self._answers.pop(0)

    @property
    def shown(self) -> QWidget:
        """The window in front: a dialog, or the window itself."""
        return next(
            (each for each in reversed(self.window.findChildren(QDialog)) if each.isVisible()),
            self.window,
        )

    @property
    def page(self) -> QWidget:
        """The page in view."""
        return self.window.pages.currentWidget()

    def open(self, path: Path) -> None:
        """Open a file with a double click, as a folder shows it."""
        self.actions += 1
        self.window.open(path)
        self.settle()

    def grade(self, key: Qt.Key) -> None:
        """Grade the document on the desk, and go on where a topic has ended."""
        if self.window.judge.state_page:
            self.press(Qt.Key.Key_Return)
        self.key(key)
        self.settle()

    def key(self, key: Qt.Key) -> None:
        judge = self.window.judge
        self._qtbot.waitUntil(lambda: judge.can_judge and judge.turns.ready(), timeout=PATIENCE)
        self.actions += 1
        QTest.keyClick(judge.document, key)

    def press(self, key: Qt.Key) -> None:
        """Press a key where the focus is."""
        self.actions += 1
        target = QApplication.focusWidget() or QApplication.activeWindow()
        assert target is not None, "nothing has the focus"
        QTest.keyClick(target, key)
        self.settle()


def above(part: QWidget) -> Iterator[QWidget]:
    """Yield what a part stands in, the nearest first."""
    parent = part.parentWidget()
    while parent is not None:
        yield parent
        parent = parent.parentWidget()
