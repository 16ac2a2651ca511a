"""Tests of the judging page around grading: end of a topic, document list, back, retry."""

import json
from collections.abc import Callable
from pathlib import Path

import pytest
from PySide6.QtCore import QAbstractItemModel, QPoint, QRect, Qt
from PySide6.QtTest import QAbstractItemModelTester, QTest
from PySide6.QtWidgets import QApplication, QComboBox, QLabel, QListView, QPushButton, QWidget
from pytestqt.qtbot import QtBot

from irjudge.errors import CommitFailed
from irjudge.judging import ItemState, PresentedDocument, QueueItem, Session
from irjudge.judging.queue import State
from irjudge.model import Event
from irjudge.store import EventLog, open_project
from irjudge_ui.models import QUEUE_ITEM_ROLE, QueueModel
from irjudge_ui.pages.judge import JudgeView
from irjudge_ui.pages.judge.document_lists import JumpDialog, first_unfinished
from irjudge_ui.widgets import GRADE_LEVEL_ROLE, GRADE_TEXT_ROLE, SECONDARY_TEXT_ROLE, StatePage
from irjudge_ui.widgets.theme import LIGHT
from irjudge_ui.window import Window
from irjudge_ui.workspace import ActionRow, ReasonMenu, TopicPanel
from tests.numbers_in_text import find_numbers
from tests.ui.layout_checks import (
    SIZES,
    find_cut_texts,
    find_overlaps,
    process_layouts,
    set_size_and_theme,
)
from tests.ui.window_content import is_shown

ONE_WINDOW = True

Press = Callable[..., None]
NONE, CONTROL = Qt.KeyboardModifier.NoModifier, Qt.KeyboardModifier.ControlModifier


@pytest.fixture
def judge(open_window: Window) -> JudgeView:
    return open_window.judge


def rendered_item(qtbot: QtBot, judge: JudgeView) -> PresentedDocument:
    qtbot.waitUntil(lambda: judge.can_judge)
    assert judge.rendered_item is not None
    return judge.rendered_item


def get_session(judge: JudgeView) -> Session:
    assert judge.session is not None
    return judge.session


def read_events(judge: JudgeView) -> list[Event]:
    window = judge.window()
    assert isinstance(window, Window) and window.project is not None
    return list(window.project.events.read())


def finish_topic(qtbot: QtBot, judge: JudgeView) -> str:
    topic = rendered_item(qtbot, judge).topic.id
    while get_session(judge).count(topic).left:
        judge.give(int(rendered_item(qtbot, judge).topic.id == topic))
    return topic


def visible_state(judge: JudgeView) -> StatePage:
    assert judge.state_page is not None and judge.state_page.isVisible()
    return judge.state_page


def state_text(judge: JudgeView) -> str:
    return "\n".join(label.text() for label in visible_state(judge).findChildren(QLabel))


# The end of a topic


@pytest.mark.slow
def test_the_end_of_a_topic_shows_a_summary_and_enter_continues(
    judge: JudgeView, qtbot: QtBot, press: Press
) -> None:
    topic = finish_topic(qtbot, judge)
    session = get_session(judge)
    count, left = session.count(topic), session.count().left
    text = state_text(judge)
    assert (
        f"Topic done: {session.topic(topic).title}" in text
        and f"Documents judged: {count.judged}" in text
    )
    assert f"Documents left: {left}; topics: {len(session.queue.topics) - 1}." in text
    press(Qt.Key.Key_Return)
    assert rendered_item(qtbot, judge).topic.id != topic


def test_digits_do_not_grade_at_the_end_of_a_topic(
    judge: JudgeView, qtbot: QtBot, press: Press
) -> None:
    finish_topic(qtbot, judge)
    judged = get_session(judge).count().judged
    for digit in "0123":
        press(digit)
    assert get_session(judge).count().judged == judged and not judge.can_judge


@pytest.mark.slow
def test_undo_at_the_end_of_a_topic_shows_its_last_document(
    judge: JudgeView, qtbot: QtBot, press: Press
) -> None:
    topic = finish_topic(qtbot, judge)
    press("Z", Qt.KeyboardModifier.ControlModifier)
    assert rendered_item(qtbot, judge).topic.id == topic


@pytest.mark.slow
def test_rejudging_a_document_of_a_finished_topic_continues_without_a_summary(
    judge: JudgeView, qtbot: QtBot, press: Press
) -> None:
    topic = finish_topic(qtbot, judge)
    press(Qt.Key.Key_Return)
    rendered_item(qtbot, judge)
    judge.open_topic(topic)
    assert rendered_item(qtbot, judge).topic.id == topic
    judge.give(2)
    assert rendered_item(qtbot, judge).topic.id != topic


@pytest.mark.slow
def test_the_last_judgment_of_a_topic_can_be_undone_without_the_key(
    judge: JudgeView, qtbot: QtBot
) -> None:
    topic = finish_topic(qtbot, judge)
    judged = get_session(judge).count(topic).judged
    back = next(
        each
        for each in visible_state(judge).findChildren(QPushButton)
        if each.text() == "Undo the last judgment"
    )
    qtbot.mouseClick(back, Qt.MouseButton.LeftButton)
    rendered_item(qtbot, judge)
    assert get_session(judge).count(topic).judged == judged - 1


# The list of documents


@pytest.fixture
def document_list(judge: JudgeView, qtbot: QtBot, press: Press) -> JumpDialog:
    """The list of documents, after a grade of 2, a skipped unsure one, and an unjudgeable one."""
    rendered_item(qtbot, judge)
    judge.give(2)
    rendered_item(qtbot, judge)
    judge.marking.switch_unsure()
    judge.skip()
    rendered_item(qtbot, judge)
    judge.mark_unjudgeable("spam")
    rendered_item(qtbot, judge)
    press("L")
    return next(
        each
        for each in QApplication.topLevelWidgets()
        if isinstance(each, JumpDialog) and each.isVisible()
    )


def list_view(dialog: JumpDialog) -> QListView:
    places_view = dialog.findChild(QListView, "places")
    assert isinstance(places_view, QListView)
    return places_view


def model_data(model: QAbstractItemModel, role: int) -> list[object]:
    return [model.index(row, 0).data(role) for row in range(model.rowCount())]


@pytest.mark.slow
def test_the_list_shows_each_documents_judgment_in_the_order_of_the_queue(
    judge: JudgeView, document_list: JumpDialog
) -> None:
    session = get_session(judge)
    model = list_view(document_list).model()
    topic = session.queue.topics[0]
    documents = [
        state.item.document
        for state in model_data(model, QUEUE_ITEM_ROLE)
        if isinstance(state, ItemState)
    ]
    assert tuple(documents) == session.queue.documents(topic)
    assert model_data(model, GRADE_TEXT_ROLE)[:4] == ["2", "↷", "✕", ""]
    assert model_data(model, GRADE_LEVEL_ROLE)[:4] == [(2, 3), None, None, None]
    description = model_data(model, int(Qt.ItemDataRole.AccessibleTextRole))
    assert [str(description_line).split(": ")[0] for description_line in description[:4]] == [
        "grade 2",
        "skipped, unsure",
        "unjudgeable",
        "not judged",
    ]
    assert str(model_data(model, SECONDARY_TEXT_ROLE)[1]).startswith("⚑")
    document_list.close()


@pytest.mark.slow
def test_enter_opens_a_judged_document_and_another_grade_replaces_its_grade(
    judge: JudgeView, document_list: JumpDialog, qtbot: QtBot, press: Press
) -> None:
    session = get_session(judge)
    item = session.item_states(session.queue.topics[0])[0].item
    list_view(document_list).setCurrentIndex(list_view(document_list).model().index(0, 0))
    QTest.keyClick(list_view(document_list), Qt.Key.Key_Return)
    assert rendered_item(qtbot, judge).queue_item == item
    press("0")
    judgment = session.judgment(item)
    assert judgment is not None and judgment.payload["value"] == 0
    grades = [event for event in read_events(judge) if event.kind == "grade"]
    assert [event.payload["value"] for event in grades] == [2, 0]  # the log keeps both


@pytest.mark.slow
def test_the_list_can_be_filtered_to_unjudged_documents_and_counts_each_kind(
    judge: JudgeView, document_list: JumpDialog, qtbot: QtBot
) -> None:
    box = next(
        each
        for each in document_list.findChildren(QComboBox)
        if each.accessibleName() == "Documents to list"
    )
    assert isinstance(box, QComboBox)
    total = get_session(judge).count(get_session(judge).queue.topics[0]).assigned
    counts = [int(box.itemText(line).rsplit("(", 1)[1].rstrip(")")) for line in range(box.count())]
    assert counts == [total, total - 3, 1, 2, 1]
    box.setCurrentIndex(2)
    box.activated.emit(2)
    assert model_data(list_view(document_list).model(), GRADE_TEXT_ROLE) == ["↷"]
    document_list.close()


def test_the_model_of_the_list_passes_qts_model_tester(judge: JudgeView, qtbot: QtBot) -> None:
    session = get_session(judge)
    model = QueueModel(session.item_states(session.queue.topics[0]), {}, session.scale.values)
    QAbstractItemModelTester(model, QAbstractItemModelTester.FailureReportingMode.Fatal)
    assert model.rowCount() > 1 and model.rowCount(model.index(0)) == 0, "rows have no children"
    model.show_items([])
    model.show_items(session.item_states(session.queue.topics[1]))


def choose_topic(dialog: JumpDialog, line: int) -> None:
    box = dialog.findChild(QComboBox, "topics")
    assert isinstance(box, QComboBox)
    box.setCurrentIndex(line)
    box.activated.emit(line)


def test_every_topic_can_be_selected_and_its_documents_are_listed(
    judge: JudgeView, document_list: JumpDialog, qtbot: QtBot
) -> None:
    session = get_session(judge)
    box = document_list.findChild(QComboBox, "topics")
    assert isinstance(box, QComboBox)
    assert [box.itemData(line) for line in range(box.count())] == list(session.queue.topics)
    count = session.count(session.queue.topics[0])
    title = session.topic(session.queue.topics[0]).title
    assert (
        box.currentIndex() == 0
        and title in box.currentText()
        and box.currentText().endswith(f"  {count.judged}/{count.assigned}")
    )
    choose_topic(document_list, 2)
    topic = session.queue.topics[2]
    assert [state.item for state in list_view(document_list).model().items] == [
        state.item for state in session.item_states(topic)
    ]
    titles = session.titles(topic)
    assert model_data(list_view(document_list).model(), int(Qt.ItemDataRole.DisplayRole)) == [
        titles[document] for document in session.queue.documents(topic)
    ]
    QTest.keyClick(list_view(document_list), Qt.Key.Key_Return)
    assert rendered_item(qtbot, judge).topic.id == topic


@pytest.mark.slow
def test_the_counts_of_the_list_follow_the_topic(
    judge: JudgeView, document_list: JumpDialog
) -> None:
    filter_box = document_list.findChild(QComboBox, "kept")
    assert isinstance(filter_box, QComboBox)
    filter_box.setCurrentIndex(2)
    filter_box.activated.emit(2)
    choose_topic(document_list, 1)
    total = get_session(judge).count(get_session(judge).queue.topics[1]).assigned
    assert (
        filter_box.currentIndex() == 0
        and filter_box.itemText(1) == f"Not judged  ({total})"
        and len(list_view(document_list).model().items) == total
    )
    document_list.close()


def test_a_topic_opens_at_its_first_unfinished_document() -> None:
    def state(document: str, how: State, *, unsure: bool = False) -> ItemState:
        return ItemState(QueueItem("1", document), how, unsure=unsure)

    judged, unsure = state("a", "grade"), state("b", "grade", unsure=True)
    assert first_unfinished(
        [judged, unsure, state("c", "skipped"), state("d", "unjudged")]
    ) == QueueItem("1", "c")
    assert first_unfinished([judged, unsure, state("c", "unjudgeable")]) == QueueItem("1", "b")
    assert first_unfinished([judged]) is None and first_unfinished([]) is None


def test_the_list_starts_at_unfinished_work_when_no_document_is_shown(
    judge: JudgeView, qtbot: QtBot
) -> None:
    topic = rendered_item(qtbot, judge).topic.id
    judge.give(1)
    dialog = JumpDialog(judge, get_session(judge), topic, None)
    qtbot.addWidget(dialog)
    assert list_view(dialog).currentIndex().row() == 1


def test_a_document_with_a_note_or_rationales_has_a_sign_and_accessible_text(
    judge: JudgeView, qtbot: QtBot
) -> None:
    session, work = get_session(judge), rendered_item(qtbot, judge)
    session.note(work, "look again")
    session.set_unsure(work, True)
    model = QueueModel(session.item_states(work.topic.id), {}, session.scale.values)
    assert model_data(model, SECONDARY_TEXT_ROLE)[:2] == ["✎  ⚑", ""]
    descriptions = [
        str(text).split(": ")[0]
        for text in model_data(model, int(Qt.ItemDataRole.AccessibleTextRole))
    ]
    first, second, *_ = descriptions
    assert first.split(", ")[:2] == ["not judged", "unsure"] and "note" in first
    assert second == "not judged"


# Reasons for unjudgeable


def test_the_menu_of_reasons_opens_at_the_bottom_of_the_document(
    judge: JudgeView, qtbot: QtBot
) -> None:
    rendered_item(qtbot, judge)
    paper = judge.document
    judge.ask_unjudgeable()
    menu = judge.findChildren(ReasonMenu)[-1]
    corner = paper.mapToGlobal(paper.rect().bottomLeft())
    screen = paper.screen().availableGeometry()
    assert screen.contains(menu.geometry())
    assert menu.x() == corner.x() and menu.geometry().bottom() == min(corner.y(), screen.bottom())
    assert menu.y() > paper.mapToGlobal(paper.rect().center()).y(), (
        "it covers the head of the document"
    )
    menu.close()


@pytest.mark.parametrize(("x", "y"), [(-1, 1), (1, 1), (-1, -1), (1, -1)])
def test_the_menu_of_reasons_is_on_the_screen_at_any_position_of_the_window(
    qtbot: QtBot, x: int, y: int
) -> None:
    part = QWidget()
    qtbot.addWidget(part)
    screen = part.screen().availableGeometry()
    part.resize(60, 60)
    part.move(screen.center() + QPoint(x * screen.width() // 2, y * screen.height() // 2))
    menu = ReasonMenu(part)
    assert screen.contains(QRect(menu._compute_position(part), menu.sizeHint()))
    menu.close()


# Going back


@pytest.mark.slow
def test_back_walks_through_the_judged_documents_and_shows_their_grades(
    judge: JudgeView, qtbot: QtBot, press: Press
) -> None:
    seen = []
    for grade in "102":
        seen.append(rendered_item(qtbot, judge))
        press(grade)
    rendered_item(qtbot, judge)
    for work, grade in zip(seen[::-1], (2, 0, 1), strict=True):
        press(Qt.Key.Key_Backspace)
        assert rendered_item(qtbot, judge) == work
        buttons = judge.grade_panel.buttons
        assert buttons is not None and [
            value for value, made in buttons.buttons.items() if made.is_given
        ] == [grade]


def continue_row(judge: JudgeView) -> ActionRow:
    return next(
        each
        for each in judge.findChildren(ActionRow)
        if each.accessibleName() == "continue judging"
    )


@pytest.mark.slow
@pytest.mark.parametrize("by", ["G", "click"])
def test_after_going_back_a_row_to_continue_is_shown_and_works(
    judge: JudgeView, qtbot: QtBot, press: Press, by: str
) -> None:
    for grade in "102":
        rendered_item(qtbot, judge)
        press(grade)
    front = rendered_item(qtbot, judge)
    assert not continue_row(judge).isVisible()
    for back, modifiers in ((Qt.Key.Key_Backspace, NONE), (Qt.Key.Key_Z, CONTROL)):
        for _ in range(2):
            press(back, modifiers)
            assert rendered_item(qtbot, judge) != front
        shown = continue_row(judge)
        assert shown.isVisible() and [label.text() for label in shown.findChildren(QLabel)] == [
            "G",
            "continue judging",
        ]
        press("G") if by == "G" else qtbot.mouseClick(shown, Qt.MouseButton.LeftButton)
        assert rendered_item(qtbot, judge) == front and not continue_row(judge).isVisible()
    press("G")
    assert rendered_item(qtbot, judge) == front, "who is behind nothing goes nowhere"
    assert get_session(judge).count().judged == 1


def test_rejudging_moves_on_and_hides_the_row_to_continue(
    judge: JudgeView, qtbot: QtBot, press: Press
) -> None:
    rendered_item(qtbot, judge)
    press("1")
    front = rendered_item(qtbot, judge)
    press(Qt.Key.Key_Backspace)
    rendered_item(qtbot, judge)
    press("2")
    assert rendered_item(qtbot, judge) == front and not continue_row(judge).isVisible()


@pytest.mark.slow
def test_continuing_from_a_document_of_a_finished_topic_opens_the_next_topic(
    judge: JudgeView, qtbot: QtBot, press: Press
) -> None:
    topic = finish_topic(qtbot, judge)
    judge.back()
    assert rendered_item(qtbot, judge).topic.id == topic and continue_row(judge).isVisible()
    press("G")
    assert rendered_item(qtbot, judge).topic.id != topic


@pytest.mark.slow
def test_a_window_made_smaller_shows_topic_document_and_grades(
    open_window: Window, qtbot: QtBot
) -> None:
    judge = open_window.judge
    topic = judge.findChild(TopicPanel)
    assert topic is not None
    for size in ((1366, 768), (800, 600), (1366, 768), (1020, 700)):
        open_window.resize(*size)
        qtbot.wait(50)
        process_layouts()
        for part in (topic.title, judge.document, judge.grade_panel):
            assert part.visibleRegion().boundingRect().height() >= min(part.height(), 100) > 10, (
                size,
                part,
            )


# Retry of saving


@pytest.mark.slow
def test_a_failed_save_is_kept_and_f5_retries_it(
    judge: JudgeView, qtbot: QtBot, press: Press, monkeypatch: pytest.MonkeyPatch
) -> None:
    work = rendered_item(qtbot, judge)
    with monkeypatch.context() as broken:

        def refuse(*_: object) -> None:
            raise CommitFailed("Not saved: the disk is full.")

        broken.setattr(EventLog, "append", refuse)
        press("3")
        assert judge.saving.has_failed_saves and is_shown(judge.grade_panel, "Try again")
        press(Qt.Key.Key_F5)
        assert judge.saving.has_failed_saves and judge.rendered_item == work
    press(Qt.Key.Key_F5)
    judgment = get_session(judge).judgment(work.queue_item)
    assert judgment is not None and judgment.payload["value"] == 3
    assert not judge.saving.has_failed_saves and not is_shown(judge.grade_panel, "Try again")


def test_showing_another_document_drops_the_failed_save(
    judge: JudgeView, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    rendered_item(qtbot, judge)
    with monkeypatch.context() as broken:

        def refuse(*_: object) -> None:
            raise CommitFailed("Not saved: the disk is full.")

        broken.setattr(EventLog, "append", refuse)
        judge.give(3)
    judge.open_topic(get_session(judge).queue.topics[1])
    rendered_item(qtbot, judge)
    assert not judge.saving.has_failed_saves
    judge.saving.retry()
    assert get_session(judge).count().judged == 0


# Calibration


def test_the_gold_grade_of_a_calibration_document_is_shown_after_grading(
    window: Window, project_path: Path, qtbot: QtBot, press: Press
) -> None:
    with open_project(project_path) as project:
        pool = project.rankings.pool()
        assert pool is not None
        topic, document = pool.topics[0], pool.document.to_pylist()[1]
        project.set_setting("calibration", json.dumps({topic: {document: 2}}))
        project.set_setting("instructions", "")
    window.open(project_path)
    window.show_page("judge")
    judge = window.judge
    assert rendered_item(qtbot, judge).document.id == document
    notable, before = (
        judge.grade_panel.notable,
        "The known grade is shown after you grade the document.",
    )
    assert not notable.isVisible() and any(
        before in label.text() and label.isVisible() for label in judge.findChildren(QLabel)
    )
    press("0")
    assert (
        notable.isVisible()
        and document in notable.text()
        and find_numbers(notable.text().replace(document, "")) == ["2", "0"]
    )
    assert "undoes it" in judge.grade_panel.message.text()
    rendered_item(qtbot, judge)
    assert not any(
        before in label.text() and label.isVisible() for label in judge.findChildren(QLabel)
    )
    press("1")
    assert not notable.isVisible()
    judge.back()
    rendered_item(qtbot, judge)
    judge.back()
    assert rendered_item(qtbot, judge).document.id == document
    press("2")
    assert notable.text() == f"✓ Known grade of {document}: 2 Relevant"


@pytest.mark.slow
@pytest.mark.parametrize("zoom", [1.0, 2.0])
def test_calibration_messages_keep_the_page_in_the_window(
    window: Window, project_path: Path, qtbot: QtBot, press: Press, zoom: float
) -> None:
    with open_project(project_path) as project:
        pool = project.rankings.pool()
        assert pool is not None
        project.set_setting(
            "calibration",
            json.dumps({pool.topics[0]: dict.fromkeys(pool.document.to_pylist()[:4], 2)}),
        )
        project.set_setting("instructions", "")
    window.settings.set("zoom", zoom)
    window.open(project_path)
    window.show_page("judge")
    title = window.judge.findChild(TopicPanel).title
    for size, grade in ((SIZES[0], "1"), (SIZES[1], "2")):
        set_size_and_theme(window, size, LIGHT)
        rendered_item(qtbot, window.judge)
        press(grade)
        rendered_item(qtbot, window.judge)
        qtbot.wait(50)
        process_layouts()
        assert (
            window.judge.grade_panel.notable.isVisible()
            and title.visibleRegion().boundingRect().height() >= title.fontMetrics().height()
        )
        assert find_cut_texts(window) == [] and find_overlaps(window) == [], size


@pytest.mark.slow
def test_work_continues_at_the_last_jump_after_a_restart(
    qtbot: QtBot,
    judge: JudgeView,
    open_window: Window,
    make_window: Callable[[], Window],
    project_path: Path,
) -> None:
    judge.give(1)
    last = get_session(judge).queue.topics[-1]
    open_window._judge_topic(last)
    jumped = rendered_item(qtbot, judge).queue_item
    open_window.close()
    again = make_window()
    assert again.open(project_path)
    assert rendered_item(qtbot, again.judge).queue_item == jumped
    again.judge.give(1)
    after = rendered_item(qtbot, again.judge).queue_item
    again.close()
    third = make_window()
    assert third.open(project_path)
    assert rendered_item(qtbot, third.judge).queue_item == after and after.topic == last
