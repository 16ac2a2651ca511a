"""The whole flow with keys alone: every key goes to where the focus is, and nothing is called past it."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QFileDialog, QLabel, QWidget
from pytestqt.qtbot import QtBot

from irjudge.judging import Session, read_submission
from irjudge_ui import jobs
from irjudge_ui.pages.judge.document_lists import JumpDialog
from irjudge_ui.settings import Settings
from irjudge_ui.widgets import Dialog, apply_theme
from irjudge_ui.widgets.theme import LIGHT
from irjudge_ui.window import Window

Key, Modifier = Qt.Key, Qt.KeyboardModifier
PATIENCE = 5000


class Keyboard:
    """Presses keys where the focus is."""

    def __init__(self, qtbot: QtBot) -> None:
        self._qtbot = qtbot

    def focus(self) -> QWidget:
        self._qtbot.waitUntil(
            lambda: (QApplication.activePopupWidget() or QApplication.focusWidget()) is not None,
            timeout=PATIENCE,
        )
        found = QApplication.activePopupWidget() or QApplication.focusWidget()
        assert found is not None
        return found

    def press(self, key: Qt.Key | str, modifier: Qt.KeyboardModifier = Modifier.NoModifier) -> None:
        QTest.keyPress(
            self.focus(), Qt.Key(ord(key.upper())) if isinstance(key, str) else key, modifier
        )
        QApplication.processEvents()

    def write(self, words: str) -> None:
        QTest.keyClicks(self.focus(), words)

    def tab_to(self, name: str) -> None:
        """Go on with Tab until the control of a name has the focus."""
        for _ in range(60):
            focus = self.focus()
            if (focus.accessibleName() or getattr(focus, "text", str)()) == name:
                return
            self.press(Key.Key_Tab)
        raise AssertionError(f"Tab does not reach {name!r}")


@pytest.fixture
def window(qtbot: QtBot, tmp_path: Path) -> Iterator[Window]:
    settings = Settings(tmp_path / "settings.ini")
    settings.set("guard_ms", 0)
    settings.set("samples", str(tmp_path / "samples"))
    application = QApplication.instance()
    assert isinstance(application, QApplication)
    apply_theme(application, LIGHT, 1.0)
    made = Window(settings)
    qtbot.addWidget(made)
    made.resize(1360, 820)
    made.show()
    made.activateWindow()
    qtbot.waitExposed(made)
    yield made
    made.close()


def shown(kind: type[Dialog]) -> Dialog | None:
    return next(
        (
            each
            for each in QApplication.topLevelWidgets()
            if isinstance(each, kind) and each.isVisible()
        ),
        None,
    )


def test_from_the_start_page_to_a_receipt_and_a_workbook(
    window: Window, qtbot: QtBot, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    keys = Keyboard(qtbot)
    open_a_sample(window, keys, qtbot)
    session = begin_to_judge(window, keys, qtbot)
    judge_a_topic(window, session, keys, qtbot)
    mark_and_find(window, session, keys, qtbot)
    hand_in(window, keys, qtbot)
    evaluate(window, keys, qtbot, tmp_path / "report.xlsx", monkeypatch)


def at_rest(qtbot: QtBot) -> None:
    qtbot.waitUntil(lambda: not jobs.is_busy(), timeout=PATIENCE)


def open_a_sample(window: Window, keys: Keyboard, qtbot: QtBot) -> None:
    keys.tab_to("everyday")
    keys.press(Key.Key_Return)
    qtbot.waitUntil(lambda: window.project is not None, timeout=PATIENCE)
    at_rest(qtbot)


def begin_to_judge(window: Window, keys: Keyboard, qtbot: QtBot) -> Session:
    keys.press("B", Modifier.ControlModifier)
    assert window.project is not None
    project = window.project
    qtbot.waitUntil(lambda: bool(project.rankings.pool_version()), timeout=PATIENCE)
    at_rest(qtbot)
    keys.press("3", Modifier.ControlModifier)
    qtbot.waitUntil(lambda: window.judge.can_judge, timeout=PATIENCE)
    keys.press(Key.Key_F1)
    qtbot.waitUntil(lambda: shown(Dialog) is not None, timeout=PATIENCE)  # the instructions
    keys.press(Key.Key_Return)
    qtbot.waitUntil(lambda: shown(Dialog) is None and window.judge.can_judge, timeout=PATIENCE)
    assert window.judge.session is not None
    return window.judge.session


def next_document(window: Window, qtbot: QtBot) -> None:
    qtbot.waitUntil(lambda: window.judge.can_judge, timeout=PATIENCE)


def judge_a_topic(window: Window, session: Session, keys: Keyboard, qtbot: QtBot) -> None:
    topic = session.queue.topics[0]
    grade = 0
    while session.count(topic).left:
        next_document(window, qtbot)
        keys.press(str(grade % 4))
        grade += 1
    assert window.judge.state_page is not None
    assert any(
        label.text().startswith("Topic done")
        for label in window.judge.state_page.findChildren(QLabel)
    )
    keys.press(Key.Key_Return)
    next_document(window, qtbot)


def mark_and_find(window: Window, session: Session, keys: Keyboard, qtbot: QtBot) -> None:
    place = window.judge.rendered_item.queue_item if window.judge.rendered_item else None
    assert place is not None
    keys.press("U")
    keys.press("N")
    keys.write("bread 3 of 4")
    keys.press(Key.Key_Return)
    assert session.marks(place).unsure and session.marks(place).note == "bread 3 of 4"
    keys.press("F", Modifier.ControlModifier)
    keys.write("the")
    keys.press(Key.Key_Escape)
    assert window.judge.document.textCursor().selectedText().lower() == "the"
    keys.press("S")
    next_document(window, qtbot)
    assert session.is_skipped(place)
    keys.press("X")
    keys.press("1")
    keys.press("Z", Modifier.ControlModifier)
    next_document(window, qtbot)
    assert session.count(place.topic).judged == 0
    keys.press("L")
    qtbot.waitUntil(lambda: shown(JumpDialog) is not None, timeout=PATIENCE)
    keys.press(Key.Key_Home)
    keys.press(Key.Key_Return)
    next_document(window, qtbot)
    assert (
        window.judge.rendered_item is not None
        and window.judge.rendered_item.queue_item == session.item_states(place.topic)[0].item
    )
    keys.press("2")
    assert session.count(place.topic).judged == 1


def hand_in(window: Window, keys: Keyboard, qtbot: QtBot) -> None:
    next_document(window, qtbot)
    keys.press(Key.Key_Return, Modifier.ControlModifier)
    keys.tab_to("Submit")
    keys.press(Key.Key_Return)
    at_rest(qtbot)
    qtbot.waitUntil(lambda: shown(Dialog) is not None, timeout=PATIENCE)  # the receipt
    keys.tab_to("Close")
    keys.press(Key.Key_Return)
    assert window.project is not None
    done = read_submission(window.project)
    assert done is not None and not done.changed


def evaluate(
    window: Window, keys: Keyboard, qtbot: QtBot, workbook: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(QFileDialog, "getSaveFileName", lambda *_: (str(workbook), ""))
    keys.press("6", Modifier.ControlModifier)
    qtbot.waitUntil(lambda: window.evaluation.table is not None, timeout=PATIENCE)
    keys.press("L", Modifier.ControlModifier)
    keys.press("A", Modifier.ControlModifier)
    keys.write("AP P@5")
    keys.press(Key.Key_Return)
    qtbot.waitUntil(
        lambda: (
            window.evaluation.table is not None
            and [each.name for each in window.evaluation.table.measures] == ["AP", "P@5"]
        ),
        timeout=PATIENCE,
    )
    keys.press("S", Modifier.ControlModifier)
    at_rest(qtbot)
    assert workbook.is_file()
