"""Tests of the judging page: a key grades the rendered document, saves, and then moves on."""

import shutil
from collections.abc import Callable
from pathlib import Path

import pytest
from PySide6.QtCore import QEvent, QPoint, QRect, Qt
from PySide6.QtGui import QKeyEvent
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QLabel, QLineEdit, QMenu, QPushButton, QWidget
from pytestqt.qtbot import QtBot

from irjudge.errors import CommitFailed
from irjudge.judging import PresentedDocument, QueueItem, Session
from irjudge.model import Document, Event, Scale, Topic, make_run
from irjudge.store import EventLog, Project, create_project, open_project
from irjudge_ui import jobs
from irjudge_ui.app import TranslatorInstaller
from irjudge_ui.pages.judge import JudgeView
from irjudge_ui.pages.judge.document_lists import NearDuplicatesDialog
from irjudge_ui.settings import Settings
from irjudge_ui.widgets import Dialog, DocumentView
from irjudge_ui.window import Window
from irjudge_ui.workspace import ActionRow, TopicPanel
from irjudge_ui.workspace.action_list import KeyStrip
from irjudge_ui.workspace.panels import SHORT_LIST
from tests.numbers_in_text import find_numbers
from tests.pools import depth_pool
from tests.ui.layout_checks import process_layouts
from tests.ui.window_content import find_widget, is_shown, label_texts, visible_text

ONE_WINDOW = True
LINKS = {"Instructions", "Submit"}

Key, Modifier = Qt.Key, Qt.KeyboardModifier
Press = Callable[..., None]


@pytest.fixture
def judge(open_window: Window) -> JudgeView:
    return open_window.judge


@pytest.fixture
def make_small_project(tmp_path: Path) -> Callable[..., Path]:
    """Function that creates a project of a few documents with a given scale."""

    def make(
        count: int = 3,
        scale: str = "0-3",
        title: str = "a topic",
        documents: tuple[Document, ...] = (),
    ) -> Path:
        path = tmp_path / "small.irjudge"
        texts = documents or tuple(
            Document(f"d{number}", f"text {number}".encode(), f"title {number}")
            for number in range(count)
        )
        with create_project(path, scale=Scale.parse(scale)) as project:
            project.collection.add_topics(
                [Topic("1", title, "about <i>it</i>", "narrative & more")]
            )
            project.collection.add_documents(texts)
            run = make_run("r", [("1", each.id, float(-index)) for index, each in enumerate(texts)])
            project.rankings.add_run(run)
            project.rankings.add_pool(depth_pool([run], 100))
        return path

    return make


def current_document(judge: JudgeView) -> PresentedDocument:
    assert judge.session is not None
    work = judge.session.current()
    assert work is not None
    return work


def rendered_document(qtbot: QtBot, judge: JudgeView) -> PresentedDocument:
    qtbot.waitUntil(lambda: judge.can_judge)
    return current_document(judge)


def read_events(judge: JudgeView) -> list[Event]:
    window = judge.window()
    assert isinstance(window, Window) and window.project is not None
    return list(window.project.events.read())


def topic_panel(judge: JudgeView) -> TopicPanel:
    panel = judge.findChild(TopicPanel)
    assert panel is not None
    return panel


def message_text(judge: JudgeView) -> str:
    return judge.grade_panel.message.text()


def send_key(
    target: QWidget,
    key: Qt.Key,
    text: str = "",
    modifiers: Qt.KeyboardModifier = Modifier.NoModifier,
    *,
    repeat: bool = False,
) -> None:
    QApplication.sendEvent(target, QKeyEvent(QEvent.Type.KeyPress, key, modifiers, text, repeat))


def open_judge_page(window: Window, path: Path, qtbot: QtBot) -> JudgeView:
    assert window.open(path)
    window.show_page("judge")
    qtbot.waitUntil(lambda: window.judge.can_judge)
    return window.judge


# Grading by key


@pytest.mark.slow
def test_a_digit_grades_the_rendered_document_and_moves_on(
    judge: JudgeView, press: Press, qtbot: QtBot, project_path: Path
) -> None:
    work = rendered_document(qtbot, judge)
    press("2")
    (event,) = read_events(judge)
    assert (event.kind, event.payload["value"], event.payload["scale"]) == (
        "grade",
        2,
        judge.session and judge.session.scale.version,
    )
    assert event.item.documents == (work.document.id,) and event.item.topic == work.topic.id
    assert event.item.contents == (work.document.digest.hex(),)
    assert (
        current_document(judge) != work
        and work.document.id in message_text(judge)
        and "grade 2" in message_text(judge)
    )
    with open_project(project_path, writing=False) as other:
        assert list(other.events.read()) == [event]  # already saved


@pytest.mark.slow
def test_another_project_does_not_show_the_last_save_message(
    judge: JudgeView,
    press: Press,
    qtbot: QtBot,
    open_window: Window,
    make_small_project: Callable[..., Path],
) -> None:
    rendered_document(qtbot, judge)
    press("2")
    assert "grade 2" in judge.grade_panel.message.text()
    assert open_window.open(make_small_project())
    open_window.show_page("judge")
    rendered_document(qtbot, judge)
    assert judge.grade_panel.message.text() == ""


@pytest.mark.parametrize("grade", range(4))
def test_each_digit_of_the_scale_gives_its_grade(
    judge: JudgeView, press: Press, qtbot: QtBot, grade: int
) -> None:
    rendered_document(qtbot, judge)
    press(str(grade))
    assert [event.payload["value"] for event in read_events(judge)] == [grade]


@pytest.mark.parametrize(
    ("key", "text"), [(Key.Key_2, "2"), (Key.Key_Down, "")], ids=["NumLock on", "NumLock off"]
)
def test_the_number_pad_grades_and_does_not_scroll(
    judge: JudgeView, qtbot: QtBot, key: Qt.Key, text: str
) -> None:
    rendered_document(qtbot, judge)
    send_key(judge.document, key, text, Modifier.KeypadModifier)
    assert [event.payload["value"] for event in read_events(judge)] == [2]


def test_the_arrow_keys_scroll_and_grade_nothing(
    judge: JudgeView, press: Press, qtbot: QtBot
) -> None:
    rendered_document(qtbot, judge)
    for key in (Key.Key_Down, Key.Key_Up, Key.Key_PageDown, Key.Key_Home):
        press(key)
    assert read_events(judge) == []


@pytest.mark.slow
def test_a_held_key_grades_one_document(
    judge: JudgeView, qtbot: QtBot, hold_key: Callable[[QWidget, Qt.Key, int], None]
) -> None:
    rendered_document(qtbot, judge)
    hold_key(judge, Key.Key_2, 20)
    assert len(read_events(judge)) == 1


@pytest.mark.parametrize("key", ["4", "9", "a", "²", "٣"])
def test_keys_without_a_grade_do_nothing(judge: JudgeView, qtbot: QtBot, key: str) -> None:
    rendered_document(qtbot, judge)
    send_key(judge.document, Key.Key_unknown if ord(key) > 127 else Qt.Key(ord(key.upper())), key)
    assert read_events(judge) == []


@pytest.mark.slow
@pytest.mark.parametrize(
    "modifier", [Modifier.AltModifier, Modifier.MetaModifier, Modifier.ControlModifier]
)
def test_a_digit_with_a_modifier_does_not_grade(
    judge: JudgeView, qtbot: QtBot, modifier: Qt.KeyboardModifier
) -> None:
    rendered_document(qtbot, judge)
    send_key(judge.document, Key.Key_2, "2", modifier)
    QTest.keyClick(judge.document, Key.Key_9, modifier)
    assert read_events(judge) == []


def test_a_digit_typed_into_a_text_field_is_text(judge: JudgeView, qtbot: QtBot) -> None:
    rendered_document(qtbot, judge)
    field = QLineEdit(judge)
    field.show()
    QTest.keyClicks(field, "1203")
    assert field.text() == "1203" and read_events(judge) == []


def test_a_grade_button_grades_too(judge: JudgeView, qtbot: QtBot) -> None:
    rendered_document(qtbot, judge)
    buttons = judge.grade_panel.buttons
    assert buttons is not None
    qtbot.mouseClick(buttons.buttons[3], Qt.MouseButton.LeftButton)
    assert [event.payload["value"] for event in read_events(judge)] == [3]
    assert judge.document.hasFocus()


def test_scales_above_nine_take_two_digits(
    window: Window, make_small_project: Callable[..., Path], qtbot: QtBot, press: Press
) -> None:
    judge = open_judge_page(window, make_small_project(4, "0-12"), qtbot)
    for keys, count in (("12", 1), ("03", 2), ("99", 2), ("10", 3)):
        rendered_document(qtbot, judge)
        press(keys[0])
        assert "second digit" in message_text(judge)
        press(keys[1])
        assert len(read_events(judge)) == count
    assert [event.payload["value"] for event in read_events(judge)] == [12, 3, 10]


@pytest.mark.slow
def test_the_first_of_two_digits_is_dropped_when_the_document_changes(
    window: Window, make_small_project: Callable[..., Path], qtbot: QtBot, press: Press
) -> None:
    judge = open_judge_page(window, make_small_project(3, "0-12"), qtbot)
    press("1")
    judge.skip()
    rendered_document(qtbot, judge)
    press("2")
    assert [event.kind for event in read_events(judge)] == ["skip"]


# Only rendered documents


def test_a_key_before_the_document_is_rendered_is_ignored_with_a_message(
    judge: JudgeView, qtbot: QtBot
) -> None:
    rendered_document(qtbot, judge)
    judge._show(current_document(judge))  # the document is shown again and not rendered yet
    assert not judge.can_judge
    send_key(judge.document, Key.Key_2, "2")
    assert read_events(judge) == [] and "ignored" in message_text(judge)
    rendered_document(qtbot, judge)
    send_key(judge.document, Key.Key_2, "2")
    assert len(read_events(judge)) == 1


@pytest.mark.slow
def test_a_key_after_enlarging_the_text_is_not_ignored(
    judge: JudgeView, qtbot: QtBot, settings: Settings
) -> None:
    settings.set("guard_ms", 40)
    work = rendered_document(qtbot, judge)
    qtbot.wait(60)
    judge.refresh()  # as after a zoom: the same document, which was shown long enough
    send_key(judge.document, Key.Key_2, "2")
    assert [event.item.documents[0] for event in read_events(judge)] == [work.document.id]


@pytest.mark.slow
def test_rendering_the_previous_document_does_not_count_for_the_next(
    judge: JudgeView, qtbot: QtBot
) -> None:
    rendered_document(qtbot, judge)
    judge.skip()
    judge.document.grab()  # renders; the signal arrives after the next document was shown
    judge.turns.undo()
    shown = []
    judge.document.rendered.connect(lambda: shown.append(True))
    judge.document.setUpdatesEnabled(False)
    QApplication.processEvents()
    assert not judge.can_judge and not shown
    judge.document.setUpdatesEnabled(True)
    rendered_document(qtbot, judge)


def test_a_key_within_the_guard_time_is_ignored_with_a_message(
    judge: JudgeView, qtbot: QtBot, settings: Settings, press: Press
) -> None:
    rendered_document(qtbot, judge)
    settings.set("guard_ms", 5000)
    press("2")
    press("S")
    assert read_events(judge) == [] and "ignored" in message_text(judge)
    settings.set("guard_ms", 20)
    qtbot.waitUntil(lambda: judge.turns.ready())
    press("2")
    assert len(read_events(judge)) == 1


@pytest.mark.slow
def test_larger_text_does_not_restart_the_guard_time(
    judge: JudgeView, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    rendered_document(qtbot, judge)
    starts: list[bool] = []
    monkeypatch.setattr(judge.turns.active, "start", lambda: starts.append(True))
    judge.refresh()
    rendered_document(qtbot, judge)
    assert starts == []
    judge.give(1)
    rendered_document(qtbot, judge)
    assert starts == [True]


# Commit, then move


@pytest.mark.slow
def test_a_failed_commit_keeps_the_document_and_the_key_works_later(
    judge: JudgeView, qtbot: QtBot, press: Press, monkeypatch: pytest.MonkeyPatch
) -> None:
    work = rendered_document(qtbot, judge)
    with monkeypatch.context() as broken:

        def refuse(*_: object) -> None:
            raise CommitFailed("Not saved: the disk is full.")

        broken.setattr(EventLog, "append", refuse)
        press("2")
        assert current_document(judge) == work and judge.can_judge
        assert "disk is full" in message_text(judge) and "have been kept" in message_text(judge)
        assert not judge.turns.can_undo
    press("2")
    assert [event.item.documents[0] for event in read_events(judge)] == [work.document.id]
    assert "Saved" in message_text(judge)


def test_a_grade_replaces_one_that_could_not_be_saved_also_if_a_note_is_saved_with_it(
    judge: JudgeView, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    work = rendered_document(qtbot, judge)
    with monkeypatch.context() as broken:

        def refuse(*_: object) -> None:
            raise CommitFailed("Not saved: the disk is full.")

        broken.setattr(EventLog, "append", refuse)
        judge.give(2)
    judge.grade_panel.marks.note.setText("why")
    judge.give(1)
    assert [
        (event.kind, event.item.documents[0], event.payload.get("value"))
        for event in read_events(judge)
    ] == [("note", work.document.id, None), ("grade", work.document.id, 1)]


def test_opening_another_project_asks_before_a_judgment_that_is_not_saved_is_discarded(
    judge: JudgeView,
    open_window: Window,
    everyday: Path,
    tmp_path: Path,
    qtbot: QtBot,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    rendered_document(qtbot, judge)
    project = open_window.project
    other = Path(shutil.copy(everyday, tmp_path / "other.irjudge"))
    with monkeypatch.context() as broken:

        def refuse(*_: object) -> None:
            raise CommitFailed("Not saved: the disk is full.")

        broken.setattr(EventLog, "append", refuse)
        judge.give(2)
    for choice in ("Stay", "Close and discard"):
        assert open_window.project is project and judge.saving.has_failed_saves
        open_window.open(other)
        dialog = next(each for each in open_window.findChildren(Dialog) if each.isVisible())
        next(button for button in dialog.buttons if button.text() == choice).click()
        qtbot.waitUntil(lambda: not jobs.is_busy())
    assert open_window.project is not None and open_window.project.path == other
    assert not judge.saving.has_failed_saves


def test_a_judgment_that_is_not_saved_is_kept_if_the_user_does_not_stop_the_session(
    judge: JudgeView, open_window: Window, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    rendered_document(qtbot, judge)
    with monkeypatch.context() as broken:

        def refuse(*_: object) -> None:
            raise CommitFailed("Not saved: the disk is full.")

        broken.setattr(EventLog, "append", refuse)
        judge.give(2)
    with monkeypatch.context() as running:
        running.setattr("irjudge_ui.window.controller_of", lambda _project: object())
        open_window.reopen()
        for choice in ("Close and discard", "Stay"):
            dialog = next(each for each in open_window.findChildren(Dialog) if each.isVisible())
            next(button for button in dialog.buttons if button.text() == choice).click()
    assert judge.saving.has_failed_saves


def test_an_undo_that_cannot_be_saved_changes_nothing_and_is_reported(
    judge: JudgeView, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    rendered_document(qtbot, judge)
    judge.give(2)
    rendered_document(qtbot, judge)

    def refuse(*_: object) -> None:
        raise CommitFailed("Not saved: the disk is full.")

    monkeypatch.setattr(EventLog, "append", refuse)
    judge.turns.undo()
    assert (
        judge.turns.can_undo and not judge.turns.can_redo and "disk is full" in message_text(judge)
    )


# Undo, redo, skip, unjudgeable


@pytest.mark.slow
def test_undo_shows_the_document_again_and_redo_shows_it_with_its_grade(
    judge: JudgeView, qtbot: QtBot, press: Press
) -> None:
    work = rendered_document(qtbot, judge)
    buttons = judge.grade_panel.buttons
    assert buttons is not None
    press("2")
    rendered_document(qtbot, judge)
    press("Z", Modifier.ControlModifier)
    assert rendered_document(qtbot, judge) == work
    assert not any(made.is_given for made in buttons.buttons.values()) and "Undone" in message_text(
        judge
    )
    press("Y", Modifier.ControlModifier)
    assert rendered_document(qtbot, judge) == work
    assert [value for value, made in buttons.buttons.items() if made.is_given] == [
        2
    ] and "Redone" in message_text(judge)
    assert buttons.buttons[2].accessibleDescription() == "given grade"
    assert [event.kind for event in read_events(judge)] == ["grade", "undo", "redo"]


@pytest.mark.slow
def test_undo_goes_back_through_the_whole_session_and_works_after_a_restart(
    window: Window, make_small_project: Callable[..., Path], qtbot: QtBot
) -> None:
    path = make_small_project(4)
    judge = open_judge_page(window, path, qtbot)
    seen = []
    for grade in range(3):
        seen.append(rendered_document(qtbot, judge).document.id)
        judge.give(grade)
    window.close_project()
    judge = open_judge_page(window, path, qtbot)
    back = []
    while judge.turns.can_undo:
        judge.turns.undo()
        back.append(rendered_document(qtbot, judge).document.id)
    assert back == seen[::-1]


@pytest.mark.slow
def test_a_skipped_document_comes_back_at_the_end_of_the_topic(
    window: Window, make_small_project: Callable[..., Path], qtbot: QtBot, press: Press
) -> None:
    judge = open_judge_page(window, make_small_project(3), qtbot)
    first = rendered_document(qtbot, judge)
    press("S")
    assert "skipped" in message_text(judge)
    for _ in range(2):
        assert rendered_document(qtbot, judge) != first
        press("1")
    assert rendered_document(qtbot, judge) == first


@pytest.mark.slow
def test_a_document_is_marked_unjudgeable_with_a_reason_by_keyboard_alone(
    judge: JudgeView, qtbot: QtBot, press: Press
) -> None:
    work = rendered_document(qtbot, judge)
    press("X")
    qtbot.waitUntil(lambda: isinstance(QApplication.activePopupWidget(), QMenu))
    press("3")
    (event,) = read_events(judge)
    assert (event.kind, event.payload["reason"], event.item.documents[0]) == (
        "unjudgeable",
        "spam",
        work.document.id,
    )
    assert "spam" in message_text(judge) and current_document(judge) != work
    qtbot.waitUntil(lambda: not judge.findChildren(QMenu))


@pytest.mark.slow
def test_escape_closes_the_reasons_without_judging(
    judge: JudgeView, qtbot: QtBot, press: Press
) -> None:
    rendered_document(qtbot, judge)
    press("X")
    press(Key.Key_Escape)
    assert read_events(judge) == []
    press("1")
    assert len(read_events(judge)) == 1


# States


def state_texts(judge: JudgeView) -> list[str]:
    assert judge.state_page is not None and judge.state_page.isVisible()
    return [label.text() for label in judge.state_page.findChildren(QLabel)]


@pytest.mark.slow
def test_when_all_is_judged_a_message_is_shown_and_undo_still_works(
    window: Window, make_small_project: Callable[..., Path], qtbot: QtBot, press: Press
) -> None:
    judge = open_judge_page(window, make_small_project(2), qtbot)
    for grade in "12":
        last = rendered_document(qtbot, judge)
        press(grade)
    texts = state_texts(judge)
    assert texts[0] == "All done" and "Documents judged: 2; topics: 1" in texts[1]
    assert judge.state_page is not None
    assert [made.text() for made in judge.state_page.buttons] == [
        "Evaluate the runs",
        "Browse documents",
        "Export qrels",
    ]
    assert not judge.can_judge
    press("1")
    assert len(read_events(judge)) == 2
    press("Z", Modifier.ControlModifier)
    assert rendered_document(qtbot, judge) == last


@pytest.mark.slow
def test_without_a_pool_the_page_says_what_to_do_and_links_there(
    window: Window, tmp_path: Path, press: Press
) -> None:
    path = tmp_path / "empty.irjudge"
    with create_project(path, scale=Scale.parse("binary")):
        pass
    window.open(path)
    window.show_page("judge")
    assert state_texts(window.judge)[0] == "Nothing to judge yet"
    press(Key.Key_Space)
    assert window.pages.currentWidget() is window.collection


@pytest.mark.slow
def test_a_second_window_on_the_same_file_is_read_only_and_says_so(
    make_window: Callable[[], Window],
    project_path: Path,
    qtbot: QtBot,
    wait_until_idle: Callable[[], None],
) -> None:
    one, two = make_window(), make_window()
    one.open(project_path)
    two.open(project_path)
    assert two.project is not None and not two.project.writing
    assert (
        two.windowTitle() == "project.irjudge (read-only) – irjudge"
        and one.windowTitle() == "project.irjudge – irjudge"
    )
    assert (
        "open read-only" in two.read_only_label.text()
        and two.read_only_label.isVisible()
        and not one.read_only_label.isVisible()
    )
    two.show_page("judge")
    assert "read-only" in state_texts(two.judge)[0]
    two.show_page("collection")
    assert not two.collection.actions_by_id["build-pool"].possible
    assert not two.collection.can_write
    two.show_page("runs")
    assert not two.pages.view("runs").actions_by_id["remove-run"].possible
    two.show_page("evaluate")
    wait_until_idle()
    assert two.evaluation.has_table and two.read_only_label.isVisible(), (
        "it is said for as long as it is so"
    )
    one.show_page("judge")
    one.activateWindow()
    rendered_document(qtbot, one.judge)
    one.judge.give(1)
    assert len(read_events(one.judge)) == 1


@pytest.mark.slow
def test_a_read_only_project_is_reopened_for_writing_once_the_other_window_closes(
    make_window: Callable[[], Window], project_path: Path, qtbot: QtBot
) -> None:
    one, two = make_window(), make_window()
    one.open(project_path)
    two.open(project_path)
    two.show_page("judge")
    assert two.judge.state_page is not None and two.project is not None and not two.project.writing
    one.close_project()
    next(made for made in two.judge.state_page.buttons if made.text() == "Try again").click()
    qtbot.waitUntil(lambda: two.project is not None and two.project.writing)


def test_pooled_documents_without_text_are_left_out_and_counted(
    window: Window, make_small_project: Callable[..., Path], qtbot: QtBot
) -> None:
    path = make_small_project(1)
    with open_project(path) as project:
        run = make_run("s", [("1", "nobody", 2.0), ("1", "d0", 1.0)])
        project.rankings.add_run(run)
        project.rankings.add_pool(depth_pool([run], 5))
    judge = open_judge_page(window, path, qtbot)
    judge.give(1)
    assert find_numbers(state_texts(judge)[1])[-1] == "1"


# Display


@pytest.mark.slow
def test_topic_and_title_are_shown_as_text_never_as_html(
    window: Window, make_small_project: Callable[..., Path], qtbot: QtBot
) -> None:
    tricky = "<b>x</b> & <img src='file:///etc/passwd'>"
    judge = open_judge_page(
        window,
        make_small_project(
            title=tricky, documents=(Document("d", b"<script>alert(1)</script> text", tricky),)
        ),
        qtbot,
    )
    panel = topic_panel(judge)
    assert panel.title.text() == tricky and panel.title.textFormat() == Qt.TextFormat.PlainText
    assert {each.textFormat() for each in panel.findChildren(QLabel)} == {Qt.TextFormat.PlainText}
    assert judge.document.toPlainText() == f"{tricky}\n<script>alert(1)</script> text"


def test_no_run_rank_or_score_is_shown_on_the_page(
    open_window: Window, project: Project | None = None
) -> None:
    assert open_window.project is not None
    names = {run.name for run in open_window.project.rankings.runs()}
    text = (
        " ".join(label.text() for label in open_window.judge.findChildren(QLabel))
        + open_window.judge.document.toPlainText()
    )
    assert not {name for name in names if f" {name} " in f" {text} "} - {"title"}


@pytest.mark.slow
def test_progress_counts_the_topic_and_the_whole_pool(judge: JudgeView, qtbot: QtBot) -> None:
    rendered_document(qtbot, judge)
    judge.give(1)
    assert judge.session is not None
    total = judge.session.count()
    texts = [label.text() for label in judge.grade_panel.findChildren(QLabel)]
    assert total.judged == 1 and f"1 of {total.assigned}" in texts
    assert f"1 of {judge.session.count(current_document(judge).topic.id).assigned}" in texts


def test_the_narrative_is_shown_until_it_is_collapsed(judge: JudgeView, qtbot: QtBot) -> None:
    panel = topic_panel(judge)
    fold, narrative = (
        find_widget(panel, "Hide narrative", QPushButton),
        current_document(judge).topic.narrative,
    )
    assert narrative in label_texts(panel)
    fold.click()
    judge.give(1)
    assert narrative not in label_texts(panel) and fold.text() == "Show narrative"
    fold.click()
    assert narrative in label_texts(panel)


@pytest.mark.parametrize("size", [(800, 600), (1100, 700), (1360, 820)])
def test_the_topic_is_visible_at_every_size(
    open_window: Window, qtbot: QtBot, size: tuple[int, int]
) -> None:
    open_window.resize(*size)
    panel = topic_panel(open_window.judge)
    qtbot.waitUntil(
        lambda: (
            panel.title.visibleRegion().boundingRect().height()
            >= panel.title.heightForWidth(panel.title.width())
        )
    )
    assert open_window.judge.document.viewport().height() > 120
    if size == (800, 600):
        # above the document, where vertical space is scarce
        qtbot.waitUntil(lambda: panel.height() <= size[1] / 4 + 1)


@pytest.mark.slow
@pytest.mark.usefixtures("own_window")
def test_without_room_for_the_progress_its_links_are_shown_while_they_fit(
    open_window: Window, qtbot: QtBot
) -> None:
    judge, panel = open_window.judge, open_window.judge.grade_panel
    open_window.resize(1360, 820)
    qtbot.waitUntil(lambda: is_shown(panel, "This topic"))
    assert judge.session is not None and rendered_document(qtbot, judge)
    brief = f"0/{judge.session.count().assigned} total"
    assert visible_links(panel) == LINKS and brief not in visible_text(panel)
    while is_shown(panel, "This topic"):
        open_window.resize(open_window.width(), open_window.height() - 10)
        process_layouts()
    assert visible_links(panel) == LINKS and visible_text(panel).count(brief) == 1
    open_window.resize(700, 520)
    qtbot.waitUntil(lambda: not visible_links(panel) and visible_text(panel).count(brief) == 1)


def visible_links(panel: QWidget) -> set[str]:
    return {
        made.text()
        for made in panel.findChildren(QPushButton)
        if made.isVisible() and made.text() in LINKS
    }


@pytest.mark.slow
@pytest.mark.usefixtures("own_window")
def test_the_layout_follows_the_zoom(open_window: Window, qtbot: QtBot) -> None:
    judge = open_window.judge
    qtbot.waitUntil(lambda: is_topic_beside(judge))
    open_window.settings.set("zoom", 1.5)
    qtbot.waitUntil(lambda: not is_topic_beside(judge))
    open_window.appearance.zoom_reset()
    qtbot.waitUntil(lambda: is_topic_beside(judge))


def is_topic_beside(judge: JudgeView) -> bool:
    """Return whether the topic is beside the document, as in a wide window, not above it."""
    topic = topic_panel(judge)
    return (
        topic.mapTo(judge, topic.rect().topRight()).x() < judge.document.mapTo(judge, QPoint()).x()
    )


def test_a_page_without_a_project_judges_nothing(
    judge: JudgeView, open_window: Window, qtbot: QtBot
) -> None:
    rendered_document(qtbot, judge)
    open_window.close_project()
    assert not judge.can_judge
    send_key(judge.document, Key.Key_2, "2")
    judge.turns.undo()
    judge.refresh()


def test_the_page_works_without_a_main_window(
    qtbot: QtBot, settings: Settings, project: Project
) -> None:
    view = JudgeView(settings)
    qtbot.addWidget(view)
    view.begin(Session(project))
    view.show()
    qtbot.waitUntil(lambda: view.can_judge)
    with qtbot.waitSignal(view.judged):
        view.give(0)


@pytest.mark.slow
@pytest.mark.parametrize("times", [1, 3000])
def test_a_document_without_content_can_be_judged(
    window: Window, make_small_project: Callable[..., Path], qtbot: QtBot, press: Press, times: int
) -> None:
    sources = {
        "script": ("html", b"<script>1</script>"),
        "quotes": ("markdown", b"> > >\n\n"),
        "table": ("html", b"<table><tr><td></table>"),
    }
    assert window.open(
        make_small_project(
            documents=tuple(
                Document(name, body * times, "", kind) for name, (kind, body) in sources.items()
            )
        )
    )
    window.show_page("judge")
    for done in range(len(sources)):
        qtbot.waitUntil(
            lambda done=done: window.judge.can_judge and window.project.events.count() == done
        )
        assert "nothing to show" in window.judge.findChild(DocumentView).toPlainText()
        press("2")
    assert {
        event.item.documents[0] for event in window.project.events.read() if event.kind == "grade"
    } == set(sources)


@pytest.mark.slow
@pytest.mark.parametrize("language", ["en", "zh_CN"])
@pytest.mark.parametrize(
    ("size", "zoom"), [((1366, 768), 1.0), ((800, 600), 1.0), ((800, 600), 2.0)]
)
def test_the_keys_are_visible_at_every_size_and_each_can_be_clicked(
    language: str,
    size: tuple[int, int],
    zoom: float,
    make_window: Callable[[], Window],
    settings: Settings,
    project_path: Path,
    qtbot: QtBot,
) -> None:
    application = QApplication.instance()
    assert isinstance(application, QApplication)
    settings.set("language", language)
    settings.set("zoom", zoom)
    installer, window = TranslatorInstaller(application, settings), make_window()
    window.resize(*size)
    assert window.open(project_path)
    window.show_page("judge")
    qtbot.waitUntil(lambda: window.judge.can_judge)
    keys = window.judge.findChild(KeyStrip)
    rows = keys.findChildren(ActionRow)
    asked: list[str] = []
    keys.action_requested.disconnect()
    keys.action_requested.connect(asked.append)

    def all_visible() -> bool:
        return all(
            row.isVisible()
            and window.rect().contains(QRect(row.mapTo(window, QPoint()), row.size()))
            for row in rows
        )

    qtbot.waitUntil(all_visible)
    rectangles = [row.geometry() for row in rows]
    assert not any(
        one.intersects(other) for at, one in enumerate(rectangles) for other in rectangles[:at]
    )
    for row in rows:
        QTest.mouseClick(row, Qt.MouseButton.LeftButton)
    assert asked == list(SHORT_LIST) and all(row.toolTip() for row in rows)
    settings.set("language", "en")
    installer.deleteLater()


def test_a_grade_is_suggested_for_near_duplicates(
    open_window: Window,
    make_small_project: Callable[..., Path],
    press: Press,
    qtbot: QtBot,
    wait_until_idle: Callable[[], None],
) -> None:
    text = " ".join(f"word{index}" for index in range(60))
    bodies = (text, f"{text} more", "bread and dough", text.upper(), f"{text} last")
    judge = open_judge_page(
        open_window,
        make_small_project(
            documents=tuple(
                Document(f"d{index}", body.encode()) for index, body in enumerate(bodies)
            )
        ),
        qtbot,
    )
    first = "d1"  # another document is the first of its group
    session = judge.session
    assert session is not None
    judge._jump(lambda: session.open_item(QueueItem("1", first)))
    assert rendered_document(qtbot, judge).document.id == first
    press("2")
    rendered_document(qtbot, judge)
    before = len(read_events(judge))
    judge.actions_by_id["alike"].trigger()
    wait_until_idle()
    [dialog] = [each for each in judge.findChildren(NearDuplicatesDialog) if each.isVisible()]
    others = {"d0", "d1", "d3", "d4"} - {first}
    assert len(read_events(judge)) == before, "nothing is graded unasked"
    overlaps = {"d0": 58 / 59, "d3": 58 / 59, "d4": 58 / 60}
    assert {each.id: each.overlap for each in dialog.rows.rows} == pytest.approx(overlaps)
    assert f"Near-duplicate of {first}" in visible_text(dialog) and "grade: 3" in visible_text(
        dialog
    )
    dialog.offer.click()
    wait_until_idle()
    grades = {
        event.item.documents[0]: event.payload["value"]
        for event in read_events(judge)[before:]
        if event.kind == "grade"
    }
    assert grades == dict.fromkeys(others, 2) and "grade 2 for near-duplicates (3)" in message_text(
        judge
    )
    press(Key.Key_Z, Modifier.ControlModifier)
    assert judge.session is not None and judge.session.count("1").judged == len(others) + (
        before > 1
    ), "each is taken back by itself"
