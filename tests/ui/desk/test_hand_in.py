"""Instructions before the first judgment, somebody else's file, and closing the work with a receipt."""

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TypeVar

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtGui import QGuiApplication
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QFileDialog, QLabel, QPlainTextEdit, QPushButton
from pytestqt.qtbot import QtBot
from shiboken6 import isValid

from irjudge.errors import CommitFailed
from irjudge.judging import SubmissionReview, TopicReview, make_receipt, read_submission
from irjudge.model import Document, Scale, Topic, make_run
from irjudge.store import EventLog, create_project, open_project
from irjudge_ui.pages.judge.document_lists import JumpDialog
from irjudge_ui.pages.shared.view import InstructionsDialog
from irjudge_ui.settings import Settings
from irjudge_ui.widgets import Dialog, LinkButton, Theme
from irjudge_ui.widgets.theme import LIGHT
from irjudge_ui.window import Window
from irjudge_ui.workspace import ActionRow
from irjudge_ui.workspace.submission import ReceiptDialog, ReceiptView, SubmissionDialog
from tests.pools import depth_pool
from tests.ui.seen import settle
from tests.ui.shown import labels, named, says

ONE_WINDOW = True

Press = Callable[..., None]
Kind = TypeVar("Kind", bound=Dialog)


@pytest.fixture
def file_of(tmp_path: Path, settings: Settings) -> Callable[..., Path]:
    """Make a project of two documents that belongs to somebody, by default to whoever sits here."""
    settings.add_name("me")

    def make(owner: str = "me", instructions: str = "") -> Path:
        path = tmp_path / "work.irjudge"
        with create_project(path, scale=Scale.parse("0-2"), owner=owner) as project:
            project.collection.add_topics([Topic("1", "a topic")])
            project.collection.add_documents([Document("d0", b"text"), Document("d1", b"other")])
            run = make_run("r", [("1", "d0", 2.0), ("1", "d1", 1.0)])
            project.rankings.add_run(run)
            project.rankings.add_pool(depth_pool([run], 10))
            if instructions:
                project.set_setting("instructions", instructions)
        return path

    return make


def shown(kind: type[Kind]) -> Kind | None:
    found = [
        each
        for each in QApplication.topLevelWidgets()
        if isinstance(each, kind) and each.isVisible()
    ]
    return found[0] if found else None


def click(dialog: Dialog | None, label: str) -> None:
    assert dialog is not None
    next(made for made in dialog.buttons if made.text() == label).click()


def words_of(dialog: Dialog | None) -> str:
    assert dialog is not None
    return "\n".join(label.text() for label in dialog.findChildren(QLabel))


def words_of_rest(window: Window) -> str:
    assert window.judge.state_page is not None
    return "\n".join(label.text() for label in window.judge.state_page.findChildren(QLabel))


# Instructions


def test_instructions_are_shown_before_the_first_judgment_and_enter_begins(
    window: Window, file_of: Callable[..., Path], qtbot: QtBot, press: Press
) -> None:
    window.open(file_of(instructions="# Only facts count\n\n*Never* grade jokes."))
    dialog = shown(InstructionsDialog)
    assert dialog is not None and "Never grade jokes." in dialog.view.toPlainText()
    assert all(str(grade) in dialog.view.toPlainText() for grade in (0, 1, 2))
    qtbot.waitUntil(dialog.isActiveWindow)
    press(Qt.Key.Key_Return)
    qtbot.waitUntil(lambda: window.judge.can_judge and QApplication.focusWidget() is not None)
    press("2")
    session = window.judge.session
    assert session is not None and session.count().judged == 1


def test_instructions_are_not_shown_again_but_come_with_f1(
    window: Window, file_of: Callable[..., Path], qtbot: QtBot, press: Press
) -> None:
    path = file_of(instructions="Read them.")
    window.open(path)
    click(shown(InstructionsDialog), "Start")
    qtbot.waitUntil(lambda: window.judge.can_judge)
    press("1")
    window.close_project()
    window.open(path)
    assert shown(InstructionsDialog) is None
    qtbot.waitUntil(lambda: window.judge.can_judge)
    press(Qt.Key.Key_F1)
    dialog = shown(InstructionsDialog)
    assert dialog is not None and "Read them." in dialog.view.toPlainText()
    click(dialog, "Close")


def test_long_instructions_are_leafed_through_while_the_button_has_the_focus(
    window: Window, file_of: Callable[..., Path], qtbot: QtBot, press: Press
) -> None:
    window.open(file_of(instructions="A rule.\n\n" * 200))
    dialog = shown(InstructionsDialog)
    assert dialog is not None
    qtbot.waitUntil(dialog.isActiveWindow)
    bar = dialog.view.verticalScrollBar()
    for key, place in (
        (Qt.Key.Key_PageDown, lambda: 0 < bar.value() < bar.maximum()),
        (Qt.Key.Key_PageUp, lambda: bar.value() == 0),
        (Qt.Key.Key_End, lambda: bar.value() == bar.maximum()),
        (Qt.Key.Key_Home, lambda: bar.value() == 0),
    ):
        press(key)
        assert dialog.buttons[-1].hasFocus() and place()
    press(Qt.Key.Key_Escape)
    assert shown(InstructionsDialog) is None


def test_without_instructions_f1_shows_what_each_grade_means(
    open_window: Window, qtbot: QtBot, press: Press
) -> None:
    assert open_window.project is not None
    open_window.project.set_setting("instructions", "")
    press(Qt.Key.Key_F1)
    dialog = shown(InstructionsDialog)
    assert dialog is not None
    assert all(
        grade.label in dialog.view.toPlainText() for grade in open_window.project.scale.grades
    )
    dialog.reject()


# Whose file


def test_a_file_of_somebody_else_is_asked_about_and_left_alone(
    window: Window, file_of: Callable[..., Path]
) -> None:
    path = file_of("assessor-7")
    assert not window.open(path)
    dialog = shown(Dialog)
    assert "belongs to assessor-7" in words_of(dialog)
    click(dialog, "Not my file")
    assert window.project is None
    with open_project(path) as free:
        assert free.writing


def test_escape_leaves_somebody_elses_file_free(
    window: Window, file_of: Callable[..., Path], press: Press
) -> None:
    path = file_of("assessor-7")
    window.open(path)
    dialog = shown(Dialog)
    assert dialog is not None
    dialog.reject()
    with open_project(path) as free:
        assert free.writing and window.project is None


def test_somebody_elses_file_can_be_read(window: Window, file_of: Callable[..., Path]) -> None:
    window.open(file_of("assessor-7"))
    click(shown(Dialog), "Open read-only")
    assert window.project is not None and not window.project.writing
    assert "belongs to assessor-7" in window.reading.text()


def test_whoever_says_it_is_their_file_is_not_asked_again(
    window: Window, settings: Settings, file_of: Callable[..., Path], qtbot: QtBot
) -> None:
    path = file_of("assessor-7")
    window.open(path)
    click(shown(Dialog), "Start as assessor-7")
    assert settings.names() == ["me", "assessor-7"]
    qtbot.waitUntil(lambda: window.judge.can_judge)
    assert window.judge.session is not None and window.judge.session.assessor == "assessor-7"
    window.close_project()
    assert window.open(path) and shown(Dialog) is None


def test_the_question_whose_file_it_is_shows_the_instructions_and_one_key_starts(
    window: Window, file_of: Callable[..., Path], qtbot: QtBot, press: Press
) -> None:
    window.open(file_of("assessor-7", instructions="Read them."))
    dialog = shown(InstructionsDialog)
    assert dialog is not None and "Read them." in dialog.view.toPlainText()
    assert "work.irjudge" in words_of(dialog) and window.project is None
    qtbot.waitUntil(dialog.isActiveWindow)
    press(Qt.Key.Key_Return)
    qtbot.waitUntil(lambda: window.judge.can_judge)
    assert shown(Dialog) is None, "the instructions are not shown twice"
    press("1")
    session = window.judge.session
    assert session is not None and session.count().judged == 1
    assert session.assessor == "assessor-7"


def test_a_started_file_of_somebody_else_continues_without_its_instructions(
    window: Window, settings: Settings, file_of: Callable[..., Path], qtbot: QtBot
) -> None:
    path = file_of("assessor-7", instructions="Read them.")
    window.open(path)
    click(shown(InstructionsDialog), "Start as assessor-7")
    qtbot.waitUntil(lambda: window.judge.can_judge)
    window.judge.give(1)
    window.close_project()
    settings.set("names", "me")
    window.open(path)
    assert shown(InstructionsDialog) is None
    click(shown(Dialog), "Continue as assessor-7")
    qtbot.waitUntil(lambda: window.judge.can_judge)


@pytest.mark.parametrize("choice", ["Not my file", "Open read-only"])
def test_somebody_elses_instructions_can_be_left(
    window: Window, file_of: Callable[..., Path], choice: str
) -> None:
    path = file_of("assessor-7", instructions="Read them.")
    window.open(path)
    click(shown(InstructionsDialog), choice)
    assert shown(Dialog) is None
    assert window.project is None or not window.project.writing
    with open_project(path) as free:
        assert free.writing


# Hand in


def test_handing_in_says_what_is_missing_then_gives_a_receipt_and_notes_it(
    window: Window,
    file_of: Callable[..., Path],
    qtbot: QtBot,
    press: Press,
    idle: Callable[[], None],
    tmp_path: Path,
) -> None:
    window.open(file_of())
    qtbot.waitUntil(lambda: window.judge.can_judge)
    press("1")
    qtbot.waitUntil(lambda: window.judge.can_judge)
    press(Qt.Key.Key_Return, Qt.KeyboardModifier.ControlModifier)
    dialog = shown(SubmissionDialog)
    assert "Documents not judged yet: 1." in words_of(dialog) and "Not judged\n1" in words_of(
        dialog
    )
    assert (
        dialog is not None and dialog.buttons[-1].text() == "Continue judging"
    )  # Enter does not hand in unfinished work
    click(dialog, "Submit")
    idle()
    receipt = shown(ReceiptDialog)
    assert (
        receipt is not None
        and window.project is not None
        and "Keep this code." in words_of(receipt)
    )
    said = words_of(receipt).replace("\u200b", "").splitlines()
    assert said[1] == f"Return this file: {window.project.path}", "what is to be done stands first"
    head = window.project.events.head("me")
    assert head is not None
    shown_text = receipt.findChild(QPlainTextEdit, "receipt")
    assert (
        isinstance(shown_text, QPlainTextEdit)
        and head in shown_text.toPlainText()
        and "1 of 2" in shown_text.toPlainText()
    )
    done = read_submission(window.project)
    assert done is not None and done.head == head and not done.changed
    receipt.receipt.save(tmp_path / "receipt.txt")
    assert head in (tmp_path / "receipt.txt").read_text(encoding="utf-8")
    assert "Saved as receipt.txt." in words_of(receipt)
    receipt.buttons[-1].click()
    qtbot.waitUntil(lambda: window.judge.can_judge)
    assert any(words.startswith("Submitted 20") for words in labels(window.judge.grade_panel))
    window.judge.give(2)
    done = read_submission(window.project)
    assert done is not None and done.changed and done.added == 1
    assert "Changed since" in words_of_rest(window)


def test_finished_work_is_handed_in_with_enter_and_the_receipt_can_be_copied(
    window: Window,
    file_of: Callable[..., Path],
    qtbot: QtBot,
    press: Press,
    idle: Callable[[], None],
) -> None:
    window.open(file_of())
    for _ in range(2):
        qtbot.waitUntil(lambda: window.judge.can_judge)
        press("0")
    assert window.judge.state_page is not None
    button = next(made for made in window.judge.state_page.buttons if made.text() == "Submit")
    QTest.keyPress(button, Qt.Key.Key_Return)
    assert shown(SubmissionDialog) is None, "nothing is missing"
    idle()
    page = window.judge.state_page
    assert shown(Dialog) is None and page is not None
    receipt = page.findChild(ReceiptView)
    assert isinstance(receipt, ReceiptView) and receipt.folder_button.hasFocus()
    named(receipt, "Copy receipt", QPushButton).click()
    assert "2 of 2" in QGuiApplication.clipboard().text()


def test_the_buttons_below_a_receipt_are_in_view_in_a_small_window(
    window: Window, file_of: Callable[..., Path], qtbot: QtBot, idle: Callable[[], None]
) -> None:
    before = window.size()
    window.resize(800, 600)
    window.open(file_of())
    for _ in range(2):
        qtbot.waitUntil(lambda: window.judge.can_judge)
        window.judge.give(0)
    window.judge.closing.submit()
    idle()
    page = window.judge.state_page
    assert page is not None
    folder = page.findChild(ReceiptView).folder_button
    for button in (folder, *page.buttons):
        assert button.visibleRegion().boundingRect() == button.rect()
    window.resize(before)


def test_the_receipt_of_finished_work_stays_on_the_final_page_until_the_work_changes(
    window: Window, file_of: Callable[..., Path], qtbot: QtBot, idle: Callable[[], None]
) -> None:
    def shown_codes() -> list[str]:
        page = window.judge.state_page
        assert page is not None
        return [label.text() for label in page.findChildren(QLabel, "code")]

    path = file_of()
    window.open(path)
    for _ in range(2):
        qtbot.waitUntil(lambda: window.judge.can_judge)
        window.judge.give(0)
    assert shown_codes() == []
    window.judge.closing.submit()
    idle()
    session = window.judge.session
    assert session is not None
    code = make_receipt(session, is_checked=True).code
    assert shown_codes() == [code]
    window.close_project()
    window.open(path)
    assert shown_codes() == [code]
    window.judge.back()
    qtbot.waitUntil(lambda: window.judge.can_judge)
    window.judge.closing.submit()  # while a document is shown
    idle()
    assert shown_codes() == [code]
    window.judge.back()
    qtbot.waitUntil(lambda: window.judge.can_judge)
    window.judge.give(2)
    assert shown_codes() == []
    page = window.judge.state_page
    assert page is not None and page.buttons[0].text() == "Submit again"


def test_a_receipt_that_cannot_be_written_says_so(
    window: Window,
    file_of: Callable[..., Path],
    qtbot: QtBot,
    idle: Callable[[], None],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    window.open(file_of())
    qtbot.waitUntil(lambda: window.judge.can_judge)
    window.judge.give(1)
    window.judge.closing.submit()
    click(shown(SubmissionDialog), "Submit")
    idle()
    receipt = shown(ReceiptDialog)
    assert receipt is not None
    monkeypatch.setattr(
        QFileDialog, "getSaveFileName", lambda *_: (str(tmp_path / "gone" / "r.txt"), "")
    )
    next(
        made
        for made in receipt.findChildren(type(receipt.buttons[0]))
        if made.text() == "Save receipt"
    ).click()
    assert (
        "Cannot write" in words_of(receipt)
        and receipt.receipt.problem.isVisible()
        and "Saved as" not in says(receipt)
    )
    receipt.receipt.save(tmp_path / "kept.txt")
    assert "Saved as kept.txt." in says(receipt) and not receipt.receipt.problem.isVisible()
    receipt.reject()


def reviewed(*topics: tuple[str, int, int]) -> SubmissionReview:
    """Return a review of topics given as (title, not judged, unsure)."""
    return SubmissionReview(
        tuple(
            TopicReview(f"t{at}", title, 30, 30 - left, 0, 0, unsure, 0, 0)
            for at, (title, left, unsure) in enumerate(topics)
        )
    )


@pytest.fixture
def missing(window: Window) -> Iterator[Callable[..., SubmissionDialog]]:
    """Open the dialog over work that is not complete."""
    made: list[SubmissionDialog] = []

    def make(*topics: tuple[str, int, int]) -> SubmissionDialog:
        made.append(SubmissionDialog(window, reviewed(*topics), lambda: None))
        made[-1].open()
        return made[-1]

    yield make
    for dialog in filter(isValid, made):
        dialog.reject()


def links_of(dialog: SubmissionDialog) -> list[LinkButton]:
    return dialog.findChildren(LinkButton)


def test_the_title_of_a_topic_closes_the_dialog_and_asks_for_its_documents(
    missing: Callable[..., SubmissionDialog], qtbot: QtBot
) -> None:
    dialog = missing(("tides", 2, 0), ("done", 0, 0), ("moons", 0, 3))
    tides, moons = links_of(dialog)
    assert (moons.accessibleName(), moons.accessibleDescription()) == (
        "Documents of moons",
        "Unsure: 3",
    )
    assert tides.accessibleDescription() == "Not judged: 2"
    with qtbot.waitSignal(dialog.topic_requested) as asked:
        QTest.keyClick(moons, Qt.Key.Key_Return)
    assert asked.args == ["t2"] and not dialog.isVisible()


def test_who_closes_the_work_is_told_which_topic_was_asked_for(
    window: Window, file_of: Callable[..., Path], qtbot: QtBot
) -> None:
    window.open(file_of())
    qtbot.waitUntil(lambda: window.judge.can_judge)
    window.judge.give(1)
    window.judge.closing.submit()
    dialog = shown(SubmissionDialog)
    assert dialog is not None
    with qtbot.waitSignal(window.judge.closing.topic_requested) as asked:
        links_of(dialog)[0].click()
    assert asked.args == ["1"]
    for each in QApplication.topLevelWidgets():
        if isinstance(each, JumpDialog):
            each.close()


@pytest.mark.parametrize("zoom", [1.0, 2.0])
def test_rows_of_missing_work_stand_at_the_top_with_numbers_in_columns(
    missing: Callable[..., SubmissionDialog], look: Callable[[Theme, float], None], zoom: float
) -> None:
    look(LIGHT, zoom)
    dialog = missing(
        ("short", 7, 1), ("المد والجزر في البحر", 28, 0), ("a title that is long " * 8, 1, 12)
    )
    QApplication.processEvents()
    links = links_of(dialog)
    assert len({link.x() for link in links}) == 1 and {link.width() for link in links} == {
        links[0].width()
    }
    assert (
        links[2].height() >= 2 * links[2].fontMetrics().height()
        and links[0].height() < 2 * links[0].fontMetrics().height()
    )
    numbers = [
        label for label in links[0].parentWidget().findChildren(QLabel) if label.text().isdigit()
    ]
    assert len(numbers) == 5 and len({number.geometry().right() for number in numbers}) == 2
    assert links[1].y() - links[0].geometry().bottom() < links[0].height() / 2
    assert (
        dialog.buttons[0].y() - links[2].mapTo(dialog, QPoint(0, links[2].height())).y()
        < 3 * links[0].height()
    )


def test_of_a_thousand_unfinished_topics_a_hundred_are_rows_and_the_others_a_number(
    missing: Callable[..., SubmissionDialog],
) -> None:
    dialog = missing(*[(f"topic {number}", 1, 0) for number in range(1000)])
    assert len(links_of(dialog)) == 100 and "Further topics: 900." in words_of(dialog)


# Closing the window


def test_closing_with_something_unsaved_asks_first(
    window: Window, file_of: Callable[..., Path], qtbot: QtBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    window.open(file_of())
    qtbot.waitUntil(lambda: window.judge.can_judge)

    def refuse(*_: object) -> None:
        raise CommitFailed("Not saved: the disk is full.")

    with monkeypatch.context() as broken:
        broken.setattr(EventLog, "append", refuse)
        window.judge.give(1)
        window.close()
    assert window.isVisible()
    click(shown(Dialog), "Stay")
    window.close()
    click(shown(Dialog), "Close and discard")
    assert not window.isVisible()


def test_a_page_whose_work_was_handed_in_offers_to_do_it_again_and_says_when(
    window: Window, file_of: Callable[..., Path], qtbot: QtBot, idle: Callable[[], None]
) -> None:
    window.open(file_of())
    judge = window.judge
    qtbot.waitUntil(lambda: judge.can_judge)
    session = judge.session
    assert session is not None
    while session.count().left:
        session.grade(session.current(), 1)
        session.advance()
    judge._move(session.current)
    assert judge.state_page is not None and "Submit" in [
        made.text() for made in judge.state_page.buttons
    ]
    judge.closing.submit()
    idle()
    labels = [made.text() for made in judge.state_page.buttons]
    assert labels == ["Browse documents", "Submit again"]  # Enter must not submit twice
    assert "Submitted 20" in words_of_rest(window)
    receipt = make_receipt(session, is_checked=True)
    assert session.project.path.name in words_of_rest(window).replace("\u200b", "")
    assert receipt.code in words_of_rest(window)
    assert {close.text() for close in judge.grade_panel._submit_buttons} == {"Submit again"}


def test_whoever_judges_for_another_is_offered_to_hand_in_and_no_runs(
    window: Window, file_of: Callable[..., Path], qtbot: QtBot
) -> None:
    window.open(file_of("assessor-7"))
    click(shown(Dialog), "Start as assessor-7")
    for _ in range(2):
        qtbot.waitUntil(lambda: window.judge.can_judge)
        window.judge.give(1)
    assert window.judge.state_page is not None and [
        made.text() for made in window.judge.state_page.buttons
    ] == [
        "Submit",
        "Browse documents",
    ]


def test_the_short_list_of_keys_can_be_clicked_too(
    window: Window, file_of: Callable[..., Path], qtbot: QtBot
) -> None:
    window.open(file_of())
    qtbot.waitUntil(lambda: window.judge.can_judge)
    session = window.judge.session
    assert session is not None and window.judge.rendered_item is not None
    place = window.judge.rendered_item.queue_item
    next(
        row for row in window.judge.findChildren(ActionRow) if row.accessibleName() == "unsure"
    ).click()
    assert session.marks(place).unsure
    next(
        row
        for row in window.judge.findChildren(ActionRow)
        if row.accessibleName() == "skip for now"
    ).click()
    assert session.is_skipped(place)


def test_work_can_be_handed_in_with_the_mouse_where_the_progress_has_no_room(
    window: Window, file_of: Callable[..., Path], idle: Callable[[], None]
) -> None:
    window.resize(800, 600)
    window.open(file_of())
    window.show_page("judge")
    idle()
    settle()
    panel = window.judge.grade_panel
    assert not panel._progress.isVisible() and panel._more_button.isVisible()
    called: list[str] = []
    panel.action_requested.connect(called.append)
    for action in panel.more_actions():
        if action.text().startswith(("Submit", "Instructions")):
            action.trigger()
    assert called == ["hand-in", "help"]
    for dialog in QApplication.topLevelWidgets():
        if isinstance(dialog, Dialog):
            dialog.close()
    window.resize(1360, 820)
    settle()
    assert panel._progress.isVisible() and not panel._more_button.isVisible()
