"""What surrounds the grades: the end of a topic, the list of its documents, the way back, another try to save."""

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
from tests.numbers_in import numbers_in
from tests.ui.seen import SIZES, cut_words, dress, overlapping, settle
from tests.ui.shown import is_shown

ONE_WINDOW = True

Press = Callable[..., None]
NONE, CONTROL = Qt.KeyboardModifier.NoModifier, Qt.KeyboardModifier.ControlModifier


@pytest.fixture
def judge(open_window: Window) -> JudgeView:
    return open_window.judge


def painted(qtbot: QtBot, judge: JudgeView) -> PresentedDocument:
    qtbot.waitUntil(lambda: judge.can_judge)
    assert judge.rendered_item is not None
    return judge.rendered_item


def session_of(judge: JudgeView) -> Session:
    assert judge.session is not None
    return judge.session


def events_of(judge: JudgeView) -> list[Event]:
    window = judge.window()
    assert isinstance(window, Window) and window.project is not None
    return list(window.project.events.read())


def finish_topic(qtbot: QtBot, judge: JudgeView) -> str:
    topic = painted(qtbot, judge).topic.id
    while session_of(judge).count(topic).left:
        judge.give(int(painted(qtbot, judge).topic.id == topic))
    return topic


def state_of(judge: JudgeView) -> StatePage:
    assert judge.state_page is not None and judge.state_page.isVisible()
    return judge.state_page


def words_of(judge: JudgeView) -> str:
    return "\n".join(label.text() for label in state_of(judge).findChildren(QLabel))


# The end of a topic


@pytest.mark.slow
def test_the_end_of_a_topic_says_how_it_went_and_enter_goes_on(
    judge: JudgeView, qtbot: QtBot, press: Press
) -> None:
    topic = finish_topic(qtbot, judge)
    session = session_of(judge)
    count, left = session.count(topic), session.count().left
    said = words_of(judge)
    assert (
        f"Topic done: {session.topic(topic).title}" in said
        and f"Documents judged: {count.judged}" in said
    )
    assert f"Documents left: {left}; topics: {len(session.queue.topics) - 1}." in said
    press(Qt.Key.Key_Return)
    assert painted(qtbot, judge).topic.id != topic


def test_no_digit_grades_while_the_end_of_a_topic_is_shown(
    judge: JudgeView, qtbot: QtBot, press: Press
) -> None:
    finish_topic(qtbot, judge)
    judged = session_of(judge).count().judged
    for digit in "0123":
        press(digit)
    assert session_of(judge).count().judged == judged and not judge.can_judge


@pytest.mark.slow
def test_undo_at_the_end_of_a_topic_brings_its_last_document_back(
    judge: JudgeView, qtbot: QtBot, press: Press
) -> None:
    topic = finish_topic(qtbot, judge)
    press("Z", Qt.KeyboardModifier.ControlModifier)
    assert painted(qtbot, judge).topic.id == topic


@pytest.mark.slow
def test_judging_a_document_of_a_finished_topic_again_goes_on_without_a_summary(
    judge: JudgeView, qtbot: QtBot, press: Press
) -> None:
    topic = finish_topic(qtbot, judge)
    press(Qt.Key.Key_Return)
    painted(qtbot, judge)
    judge.open_topic(topic)
    assert painted(qtbot, judge).topic.id == topic
    judge.give(2)
    assert painted(qtbot, judge).topic.id != topic


@pytest.mark.slow
def test_the_last_judgment_of_a_topic_can_be_taken_back_without_its_key(
    judge: JudgeView, qtbot: QtBot
) -> None:
    topic = finish_topic(qtbot, judge)
    judged = session_of(judge).count(topic).judged
    back = next(
        each
        for each in state_of(judge).findChildren(QPushButton)
        if each.text() == "Undo the last judgment"
    )
    qtbot.mouseClick(back, Qt.MouseButton.LeftButton)
    painted(qtbot, judge)
    assert session_of(judge).count(topic).judged == judged - 1


# The list of documents


@pytest.fixture
def listed(judge: JudgeView, qtbot: QtBot, press: Press) -> JumpDialog:
    """The list, after a grade of 2, an unsure one that was skipped, and one that cannot be judged."""
    painted(qtbot, judge)
    judge.give(2)
    painted(qtbot, judge)
    judge.marking.switch_unsure()
    judge.skip()
    painted(qtbot, judge)
    judge.mark_unjudgeable("spam")
    painted(qtbot, judge)
    press("L")
    return next(
        each
        for each in QApplication.topLevelWidgets()
        if isinstance(each, JumpDialog) and each.isVisible()
    )


def list_of(dialog: JumpDialog) -> QListView:
    found = dialog.findChild(QListView, "places")
    assert isinstance(found, QListView)
    return found


def rows(model: QAbstractItemModel, role: int) -> list[object]:
    return [model.index(row, 0).data(role) for row in range(model.rowCount())]


@pytest.mark.slow
def test_the_list_shows_what_was_said_of_each_document_in_the_order_of_the_queue(
    judge: JudgeView, listed: JumpDialog
) -> None:
    session = session_of(judge)
    model = list_of(listed).model()
    topic = session.queue.topics[0]
    documents = [
        state.item.document
        for state in rows(model, QUEUE_ITEM_ROLE)
        if isinstance(state, ItemState)
    ]
    assert tuple(documents) == session.queue.documents(topic)
    assert rows(model, GRADE_TEXT_ROLE)[:4] == ["2", "↷", "✕", ""]
    assert rows(model, GRADE_LEVEL_ROLE)[:4] == [(2, 3), None, None, None]
    said = rows(model, int(Qt.ItemDataRole.AccessibleTextRole))
    assert [str(words).split(": ")[0] for words in said[:4]] == [
        "grade 2",
        "skipped, unsure",
        "unjudgeable",
        "not judged",
    ]
    assert str(rows(model, SECONDARY_TEXT_ROLE)[1]).startswith("⚑")
    listed.close()


@pytest.mark.slow
def test_enter_opens_a_judged_document_and_another_grade_replaces_the_one_it_has(
    judge: JudgeView, listed: JumpDialog, qtbot: QtBot, press: Press
) -> None:
    session = session_of(judge)
    place = session.item_states(session.queue.topics[0])[0].item
    list_of(listed).setCurrentIndex(list_of(listed).model().index(0, 0))
    QTest.keyClick(list_of(listed), Qt.Key.Key_Return)
    assert painted(qtbot, judge).queue_item == place
    press("0")
    judgment = session.judgment(place)
    assert judgment is not None and judgment.payload["value"] == 0
    grades = [event for event in events_of(judge) if event.kind == "grade"]
    assert [event.payload["value"] for event in grades] == [2, 0]  # the log keeps both


@pytest.mark.slow
def test_the_list_can_be_narrowed_to_what_is_left_and_counts_each_kind(
    judge: JudgeView, listed: JumpDialog, qtbot: QtBot
) -> None:
    box = next(
        each
        for each in listed.findChildren(QComboBox)
        if each.accessibleName() == "Documents to list"
    )
    assert isinstance(box, QComboBox)
    total = session_of(judge).count(session_of(judge).queue.topics[0]).assigned
    counts = [int(box.itemText(line).rsplit("(", 1)[1].rstrip(")")) for line in range(box.count())]
    assert counts == [total, total - 3, 1, 2, 1]
    box.setCurrentIndex(2)
    box.activated.emit(2)
    assert rows(list_of(listed).model(), GRADE_TEXT_ROLE) == ["↷"]
    listed.close()


def test_the_model_of_the_list_keeps_qts_rules(judge: JudgeView, qtbot: QtBot) -> None:
    session = session_of(judge)
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


def test_every_topic_can_be_chosen_and_its_documents_are_listed(
    judge: JudgeView, listed: JumpDialog, qtbot: QtBot
) -> None:
    session = session_of(judge)
    box = listed.findChild(QComboBox, "topics")
    assert isinstance(box, QComboBox)
    assert [box.itemData(line) for line in range(box.count())] == list(session.queue.topics)
    count = session.count(session.queue.topics[0])
    title = session.topic(session.queue.topics[0]).title
    assert (
        box.currentIndex() == 0
        and title in box.currentText()
        and box.currentText().endswith(f"  {count.judged}/{count.assigned}")
    )
    choose_topic(listed, 2)
    topic = session.queue.topics[2]
    assert [state.item for state in list_of(listed).model().places] == [
        state.item for state in session.item_states(topic)
    ]
    titles = session.titles(topic)
    assert rows(list_of(listed).model(), int(Qt.ItemDataRole.DisplayRole)) == [
        titles[document] for document in session.queue.documents(topic)
    ]
    QTest.keyClick(list_of(listed), Qt.Key.Key_Return)
    assert painted(qtbot, judge).topic.id == topic


@pytest.mark.slow
def test_what_is_listed_is_counted_anew_for_another_topic(
    judge: JudgeView, listed: JumpDialog
) -> None:
    kept = listed.findChild(QComboBox, "kept")
    assert isinstance(kept, QComboBox)
    kept.setCurrentIndex(2)
    kept.activated.emit(2)
    choose_topic(listed, 1)
    total = session_of(judge).count(session_of(judge).queue.topics[1]).assigned
    assert (
        kept.currentIndex() == 0
        and kept.itemText(1) == f"Not judged  ({total})"
        and len(list_of(listed).model().places) == total
    )
    listed.close()


def test_a_topic_is_opened_at_what_is_to_be_done_first() -> None:
    def state(document: str, how: State, *, unsure: bool = False) -> ItemState:
        return ItemState(QueueItem("1", document), how, unsure=unsure)

    judged, unsure = state("a", "grade"), state("b", "grade", unsure=True)
    assert first_unfinished(
        [judged, unsure, state("c", "skipped"), state("d", "unjudged")]
    ) == QueueItem("1", "c")
    assert first_unfinished([judged, unsure, state("c", "unjudgeable")]) == QueueItem("1", "b")
    assert first_unfinished([judged]) is None and first_unfinished([]) is None


def test_the_list_begins_at_what_is_to_be_done_when_nothing_is_on_the_desk(
    judge: JudgeView, qtbot: QtBot
) -> None:
    topic = painted(qtbot, judge).topic.id
    judge.give(1)
    dialog = JumpDialog(judge, session_of(judge), topic, None)
    qtbot.addWidget(dialog)
    assert list_of(dialog).currentIndex().row() == 1


def test_a_document_with_a_note_or_reasons_has_a_sign_and_says_so(
    judge: JudgeView, qtbot: QtBot
) -> None:
    session, work = session_of(judge), painted(qtbot, judge)
    session.note(work, "look again")
    session.set_unsure(work, True)
    model = QueueModel(session.item_states(work.topic.id), {}, session.scale.values)
    assert rows(model, SECONDARY_TEXT_ROLE)[:2] == ["✎  ⚑", ""]
    said = [
        str(words).split(": ")[0] for words in rows(model, int(Qt.ItemDataRole.AccessibleTextRole))
    ]
    first, second, *_ = said
    assert first.split(", ")[:2] == ["not judged", "unsure"] and "note" in first
    assert second == "not judged"


# Why not


def test_the_menu_of_reasons_stands_at_the_foot_of_the_document(
    judge: JudgeView, qtbot: QtBot
) -> None:
    painted(qtbot, judge)
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
def test_the_menu_of_reasons_is_on_the_screen_wherever_the_document_is(
    qtbot: QtBot, x: int, y: int
) -> None:
    part = QWidget()
    qtbot.addWidget(part)
    screen = part.screen().availableGeometry()
    part.resize(60, 60)
    part.move(screen.center() + QPoint(x * screen.width() // 2, y * screen.height() // 2))
    menu = ReasonMenu(part)
    assert screen.contains(QRect(menu._position(part), menu.sizeHint()))
    menu.close()


# The way back


@pytest.mark.slow
def test_back_walks_through_the_judged_documents_and_shows_their_grades(
    judge: JudgeView, qtbot: QtBot, press: Press
) -> None:
    seen = []
    for grade in "102":
        seen.append(painted(qtbot, judge))
        press(grade)
    painted(qtbot, judge)
    for work, grade in zip(seen[::-1], (2, 0, 1), strict=True):
        press(Qt.Key.Key_Backspace)
        assert painted(qtbot, judge) == work
        buttons = judge.grade_panel.buttons
        assert buttons is not None and [
            value for value, made in buttons.buttons.items() if made.is_given
        ] == [grade]


def way_on(judge: JudgeView) -> ActionRow:
    return next(
        each
        for each in judge.findChildren(ActionRow)
        if each.accessibleName() == "continue judging"
    )


@pytest.mark.slow
@pytest.mark.parametrize("by", ["G", "click"])
def test_whoever_went_back_sees_the_way_forward_and_takes_it(
    judge: JudgeView, qtbot: QtBot, press: Press, by: str
) -> None:
    for grade in "102":
        painted(qtbot, judge)
        press(grade)
    front = painted(qtbot, judge)
    assert not way_on(judge).isVisible()
    for back, modifiers in ((Qt.Key.Key_Backspace, NONE), (Qt.Key.Key_Z, CONTROL)):
        for _ in range(2):
            press(back, modifiers)
            assert painted(qtbot, judge) != front
        shown = way_on(judge)
        assert shown.isVisible() and [label.text() for label in shown.findChildren(QLabel)] == [
            "G",
            "continue judging",
        ]
        press("G") if by == "G" else qtbot.mouseClick(shown, Qt.MouseButton.LeftButton)
        assert painted(qtbot, judge) == front and not way_on(judge).isVisible()
    press("G")
    assert painted(qtbot, judge) == front, "who is behind nothing goes nowhere"
    assert session_of(judge).count().judged == 1


def test_judging_anew_goes_on_and_the_way_forward_is_gone(
    judge: JudgeView, qtbot: QtBot, press: Press
) -> None:
    painted(qtbot, judge)
    press("1")
    front = painted(qtbot, judge)
    press(Qt.Key.Key_Backspace)
    painted(qtbot, judge)
    press("2")
    assert painted(qtbot, judge) == front and not way_on(judge).isVisible()


@pytest.mark.slow
def test_from_a_document_of_a_finished_topic_one_goes_on_to_the_next_topic(
    judge: JudgeView, qtbot: QtBot, press: Press
) -> None:
    topic = finish_topic(qtbot, judge)
    judge.back()
    assert painted(qtbot, judge).topic.id == topic and way_on(judge).isVisible()
    press("G")
    assert painted(qtbot, judge).topic.id != topic


@pytest.mark.slow
def test_a_window_that_was_made_smaller_shows_topic_document_and_grades(
    open_window: Window, qtbot: QtBot
) -> None:
    judge = open_window.judge
    topic = judge.findChild(TopicPanel)
    assert topic is not None
    for size in ((1366, 768), (800, 600), (1366, 768), (1020, 700)):
        open_window.resize(*size)
        qtbot.wait(50)
        settle()
        for part in (topic.title, judge.document, judge.grade_panel):
            assert part.visibleRegion().boundingRect().height() >= min(part.height(), 100) > 10, (
                size,
                part,
            )


# Another try


@pytest.mark.slow
def test_what_could_not_be_saved_is_kept_and_f5_saves_it(
    judge: JudgeView, qtbot: QtBot, press: Press, monkeypatch: pytest.MonkeyPatch
) -> None:
    work = painted(qtbot, judge)
    with monkeypatch.context() as broken:

        def refuse(*_: object) -> None:
            raise CommitFailed("Not saved: the disk is full.")

        broken.setattr(EventLog, "append", refuse)
        press("3")
        assert judge.saving.has_failed_saves and is_shown(judge.grade_panel, "Try again")
        press(Qt.Key.Key_F5)
        assert judge.saving.has_failed_saves and judge.rendered_item == work
    press(Qt.Key.Key_F5)
    judgment = session_of(judge).judgment(work.queue_item)
    assert judgment is not None and judgment.payload["value"] == 3
    assert not judge.saving.has_failed_saves and not is_shown(judge.grade_panel, "Try again")


def test_another_document_forgets_what_could_not_be_saved(
    judge: JudgeView, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    painted(qtbot, judge)
    with monkeypatch.context() as broken:

        def refuse(*_: object) -> None:
            raise CommitFailed("Not saved: the disk is full.")

        broken.setattr(EventLog, "append", refuse)
        judge.give(3)
    judge.open_topic(session_of(judge).queue.topics[1])
    painted(qtbot, judge)
    assert not judge.saving.has_failed_saves
    judge.saving.retry()
    assert session_of(judge).count().judged == 0


# Calibration


def test_the_agreed_grade_of_a_calibration_document_is_told_after_it_was_graded(
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
    assert painted(qtbot, judge).document.id == document
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
        and numbers_in(notable.text().replace(document, "")) == ["2", "0"]
    )
    assert "undoes it" in judge.grade_panel.message.text()
    painted(qtbot, judge)
    assert not any(
        before in label.text() and label.isVisible() for label in judge.findChildren(QLabel)
    )
    press("1")
    assert not notable.isVisible()
    judge.back()
    painted(qtbot, judge)
    judge.back()
    assert painted(qtbot, judge).document.id == document
    press("2")
    assert notable.text() == f"✓ Known grade of {document}: 2 Relevant"


@pytest.mark.slow
@pytest.mark.parametrize("zoom", [1.0, 2.0])
def test_calibration_pushes_nothing_out(
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
        dress(window, size, LIGHT)
        painted(qtbot, window.judge)
        press(grade)
        painted(qtbot, window.judge)
        qtbot.wait(50)
        settle()
        assert (
            window.judge.grade_panel.notable.isVisible()
            and title.visibleRegion().boundingRect().height() >= title.fontMetrics().height()
        )
        assert cut_words(window) == [] and overlapping(window) == [], size


@pytest.mark.slow
def test_a_jump_is_where_work_goes_on_after_the_program_was_closed(
    qtbot: QtBot,
    judge: JudgeView,
    open_window: Window,
    make_window: Callable[[], Window],
    project_path: Path,
) -> None:
    judge.give(1)
    last = session_of(judge).queue.topics[-1]
    open_window._judge_topic(last)
    jumped = painted(qtbot, judge).queue_item
    open_window.close()
    again = make_window()
    assert again.open(project_path)
    assert painted(qtbot, again.judge).queue_item == jumped
    again.judge.give(1)
    after = painted(qtbot, again.judge).queue_item
    again.close()
    third = make_window()
    assert third.open(project_path)
    assert painted(qtbot, third.judge).queue_item == after and after.topic == last
