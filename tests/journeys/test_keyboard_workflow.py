"""The complete workflow by keyboard: each key goes to the focused widget, nothing is called."""

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
    """Presses keys in the focused widget."""

    def __init__(self, qtbot: QtBot) -> None:
        self._qtbot = qtbot

    def focused_widget(self) -> QWidget:
        self._qtbot.waitUntil(
            lambda: (QApplication.activePopupWidget() or QApplication.focusWidget()) is not None,
            timeout=PATIENCE,
        )
        widget = QApplication.activePopupWidget() or QApplication.focusWidget()
        assert widget is not None
        return widget

    def press(self, key: Qt.Key | str, modifier: Qt.KeyboardModifier = Modifier.NoModifier) -> None:
        QTest.keyPress(
            self.focused_widget(),
            Qt.Key(ord(key.upper())) if isinstance(key, str) else key,
            modifier,
        )
        QApplication.processEvents()

    def type_text(self, text: str) -> None:
        QTest.keyClicks(self.focused_widget(), text)

    def tab_to(self, name: str) -> None:
        """Press Tab until the control with a name has the focus."""
        for _ in range(60):
            focus = self.focused_widget()
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


def visible_dialog(kind: type[Dialog]) -> Dialog | None:
    return next(
        (
            each
            for each in QApplication.topLevelWidgets()
            if isinstance(each, kind) and each.isVisible()
        ),
        None,
    )


def test_the_workflow_from_start_page_to_workbook_works_by_keyboard(
    window: Window, qtbot: QtBot, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    keys = Keyboard(qtbot)
    open_sample(window, keys, qtbot)
    session = start_judging(window, keys, qtbot)
    judge_topic(window, session, keys, qtbot)
    mark_and_find(window, session, keys, qtbot)
    submit_work(window, keys, qtbot)
    evaluate(window, keys, qtbot, tmp_path / "report.xlsx", monkeypatch)


def wait_until_idle(qtbot: QtBot) -> None:
    qtbot.waitUntil(lambda: not jobs.is_busy(), timeout=PATIENCE)


def open_sample(window: Window, keys: Keyboard, qtbot: QtBot) -> None:
    keys.tab_to("everyday")
    keys.press(Key.Key_Return)
    qtbot.waitUntil(lambda: window.project is not None, timeout=PATIENCE)
    wait_until_idle(qtbot)


def start_judging(window: Window, keys: Keyboard, qtbot: QtBot) -> Session:
    keys.press("B", Modifier.ControlModifier)
    assert window.project is not None
    project = window.project
    qtbot.waitUntil(lambda: bool(project.rankings.pool_version()), timeout=PATIENCE)
    wait_until_idle(qtbot)
    keys.press("3", Modifier.ControlModifier)
    qtbot.waitUntil(lambda: window.judge.can_judge, timeout=PATIENCE)
    keys.press(Key.Key_F1)
    qtbot.waitUntil(
        lambda: visible_dialog(Dialog) is not None, timeout=PATIENCE
    )  # the instructions
    keys.press(Key.Key_Return)
    qtbot.waitUntil(
        lambda: visible_dialog(Dialog) is None and window.judge.can_judge, timeout=PATIENCE
    )
    assert window.judge.session is not None
    return window.judge.session


def wait_for_document(window: Window, qtbot: QtBot) -> None:
    qtbot.waitUntil(lambda: window.judge.can_judge, timeout=PATIENCE)


def judge_topic(window: Window, session: Session, keys: Keyboard, qtbot: QtBot) -> None:
    topic = session.queue.topics[0]
    grade = 0
    while session.count(topic).left:
        wait_for_document(window, qtbot)
        keys.press(str(grade % 4))
        grade += 1
    assert window.judge.state_page is not None
    assert any(
        label.text().startswith("Topic done")
        for label in window.judge.state_page.findChildren(QLabel)
    )
    keys.press(Key.Key_Return)
    wait_for_document(window, qtbot)


def mark_and_find(window: Window, session: Session, keys: Keyboard, qtbot: QtBot) -> None:
    item = window.judge.rendered_item.queue_item if window.judge.rendered_item else None
    assert item is not None
    keys.press("U")
    keys.press("N")
    keys.type_text("bread 3 of 4")
    keys.press(Key.Key_Return)
    assert session.marks(item).unsure and session.marks(item).note == "bread 3 of 4"
    keys.press("F", Modifier.ControlModifier)
    keys.type_text("the")
    keys.press(Key.Key_Escape)
    assert window.judge.document.textCursor().selectedText().lower() == "the"
    keys.press("S")
    wait_for_document(window, qtbot)
    assert session.is_skipped(item)
    keys.press("X")
    keys.press("1")
    keys.press("Z", Modifier.ControlModifier)
    wait_for_document(window, qtbot)
    assert session.count(item.topic).judged == 0
    keys.press("L")
    qtbot.waitUntil(lambda: visible_dialog(JumpDialog) is not None, timeout=PATIENCE)
    keys.press(Key.Key_Home)
    keys.press(Key.Key_Return)
    wait_for_document(window, qtbot)
    assert (
        window.judge.rendered_item is not None
        and window.judge.rendered_item.queue_item == session.item_states(item.topic)[0].item
    )
    keys.press("2")
    assert session.count(item.topic).judged == 1


def submit_work(window: Window, keys: Keyboard, qtbot: QtBot) -> None:
    wait_for_document(window, qtbot)
    keys.press(Key.Key_Return, Modifier.ControlModifier)
    keys.tab_to("Submit")
    keys.press(Key.Key_Return)
    wait_until_idle(qtbot)
    qtbot.waitUntil(lambda: visible_dialog(Dialog) is not None, timeout=PATIENCE)  # the receipt
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
    keys.type_text("AP P@5")
    keys.press(Key.Key_Return)
    qtbot.waitUntil(
        lambda: (
            window.evaluation.table is not None
            and [each.name for each in window.evaluation.table.measures] == ["AP", "P@5"]
        ),
        timeout=PATIENCE,
    )
    keys.press("S", Modifier.ControlModifier)
    wait_until_idle(qtbot)
    assert workbook.is_file()
