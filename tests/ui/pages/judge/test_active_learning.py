"""Tests of active learning and search while judging in the window."""

from collections.abc import Callable

from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QLabel, QPushButton
from pytestqt.qtbot import QtBot

from irjudge.judging import (
    LearningOptions,
    LearningSession,
    read_learning_options,
    set_learning_options,
)
from irjudge.judging.ledger import get_ledger
from irjudge.judging.sources import map_retrieved_pairs, read_source
from irjudge_ui.pages.judge import JudgeView
from irjudge_ui.pages.judge.active_learning import OrderDialog
from irjudge_ui.pages.shared import SearchDialog
from irjudge_ui.window import Window

ONE_WINDOW = True
Press = Callable[..., None]


def visible_child(judge: JudgeView, kind: type) -> object:
    return next(each for each in judge.findChildren(kind) if each.isVisible())


def test_a_cancelled_preparation_of_active_learning_can_be_restarted(
    open_window: Window, qtbot: QtBot, wait_until_idle: Callable[[], None]
) -> None:
    judge = open_window.judge
    assert judge.project is not None
    set_learning_options(judge.project, LearningOptions(2, 6))
    judge.stop()
    open_window.show_page("judge")
    judge.cancel_jobs()
    wait_until_idle()
    assert judge.session is None
    judge.restart_jobs()
    qtbot.waitUntil(lambda: isinstance(judge.session, LearningSession) and judge.can_judge)
    set_learning_options(judge.project, None)
    judge.stop()
    open_window.show_page("judge")
    qtbot.waitUntil(lambda: judge.can_judge)


def test_active_learning_is_chosen_and_each_grade_shows_the_reason_for_the_next(
    open_window: Window, qtbot: QtBot, press: Press, wait_until_idle: Callable[[], None]
) -> None:
    judge = open_window.judge
    press("O")
    dialog = visible_child(judge, OrderDialog)
    dialog.order.setCurrentIndex(1)
    dialog.rel.setCurrentIndex(dialog.rel.findData(2))
    dialog.size_field.set_value(6)
    qtbot.mouseClick(dialog.buttons[-1], Qt.MouseButton.LeftButton)
    qtbot.waitUntil(lambda: isinstance(judge.session, LearningSession) and judge.can_judge)
    assert read_learning_options(judge.session.project) == LearningOptions(2, 6)
    panel = judge.grade_panel
    assert any("grade 2" in label.text() for label in panel.findChildren(QLabel))
    shown = []
    for grade in "3333":
        wait_until_idle()
        shown.append(judge.rendered_item.document.id)
        press(grade)
        qtbot.waitUntil(lambda: judge.can_judge)
    press("Y")
    assert f"{shown[-1]} was shown because of these terms: " in panel.message.text(), (
        "after grading, the terms that spoke for it"
    )
    press("Z", Qt.KeyboardModifier.ControlModifier)
    qtbot.waitUntil(lambda: judge.can_judge and judge.rendered_item.document.id == shown[-1])
    for grade in "300":
        qtbot.waitUntil(lambda: judge.can_judge)
        press(grade)
        wait_until_idle()
    qtbot.waitUntil(lambda: judge.state_page is not None)
    text = "\n".join(label.text() for label in judge.state_page.findChildren(QLabel))
    assert "Relevant: 4 of 6" in text and "Too few documents" in text
    more = next(
        each
        for each in judge.state_page.findChildren(QPushButton)
        if each.text() == "20 more documents for this topic"
    )
    qtbot.mouseClick(more, Qt.MouseButton.LeftButton)
    qtbot.waitUntil(lambda: judge.can_judge)
    topic = judge.rendered_item.topic.id
    assert judge.session.count(topic).assigned == 26
    events = get_ledger(judge.session.project).judgments()
    learned_events = [event for event in events if read_source(event) == "learnt"]
    assert [event.item.documents[0] for event in learned_events][:4] == shown


def test_a_search_hit_is_graded_in_the_result_list(
    open_window: Window, qtbot: QtBot, press: Press, wait_until_idle: Callable[[], None]
) -> None:
    judge = open_window.judge
    current_item = judge.rendered_item
    press("/")
    dialog = visible_child(judge, SearchDialog)
    QTest.keyClicks(dialog.query, "butter cake 2")
    QTest.keyClick(dialog.query, Qt.Key.Key_Return)
    wait_until_idle()
    qtbot.waitUntil(
        lambda: (
            bool(dialog.hits.rows)
            and dialog.table.hasFocus()
            and dialog.table.currentIndex().isValid()
        )
    )
    pooled = set(judge.session.queue.documents(current_item.topic.id))
    line = next(line for line, each in enumerate(dialog.hits.rows) if each[0].id not in pooled)
    dialog.table.selectRow(line)
    document = dialog.hits.rows[line][0].id
    press("2")
    assert dialog.hits.rows[line][1] == 2 and judge.rendered_item == current_item, (
        "the desk keeps its document"
    )
    assert dict(map_retrieved_pairs(judge.session.project)) == {
        (current_item.topic.id, document): "search"
    }
    dialog.table.selectRow(line)
    press(Qt.Key.Key_Return)
    qtbot.waitUntil(lambda: judge.can_judge and judge.rendered_item.document.id == document)
    press("Y")
    assert document in judge.grade_panel.message.text()
