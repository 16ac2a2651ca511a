"""Tests of instructions, files of other assessors, and submission with a receipt."""

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
from tests.ui.layout_checks import process_layouts
from tests.ui.window_content import find_widget, label_texts, visible_text

ONE_WINDOW = True

Press = Callable[..., None]
Kind = TypeVar("Kind", bound=Dialog)


@pytest.fixture
def make_file(tmp_path: Path, settings: Settings) -> Callable[..., Path]:
    """Function that creates a project of two documents owned by an assessor.

    The default owner is the user of these settings.
    """
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


def visible_dialog(kind: type[Kind]) -> Kind | None:
    result = [
        each
        for each in QApplication.topLevelWidgets()
        if isinstance(each, kind) and each.isVisible()
    ]
    return result[0] if result else None


def click_button(dialog: Dialog | None, label: str) -> None:
    assert dialog is not None
    next(made for made in dialog.buttons if made.text() == label).click()


def dialog_text(dialog: Dialog | None) -> str:
    assert dialog is not None
    return "\n".join(label.text() for label in dialog.findChildren(QLabel))


def state_page_text(window: Window) -> str:
    assert window.judge.state_page is not None
    return "\n".join(label.text() for label in window.judge.state_page.findChildren(QLabel))


# Instructions


def test_instructions_are_shown_before_the_first_judgment_and_enter_starts(
    window: Window, make_file: Callable[..., Path], qtbot: QtBot, press: Press
) -> None:
    window.open(make_file(instructions="# Only facts count\n\n*Never* grade jokes."))
    dialog = visible_dialog(InstructionsDialog)
    assert dialog is not None and "Never grade jokes." in dialog.view.toPlainText()
    assert all(str(grade) in dialog.view.toPlainText() for grade in (0, 1, 2))
    qtbot.waitUntil(dialog.isActiveWindow)
    press(Qt.Key.Key_Return)
    qtbot.waitUntil(lambda: window.judge.can_judge and QApplication.focusWidget() is not None)
    press("2")
    session = window.judge.session
    assert session is not None and session.count().judged == 1


def test_instructions_are_not_shown_again_but_open_with_f1(
    window: Window, make_file: Callable[..., Path], qtbot: QtBot, press: Press
) -> None:
    path = make_file(instructions="Read them.")
    window.open(path)
    click_button(visible_dialog(InstructionsDialog), "Start")
    qtbot.waitUntil(lambda: window.judge.can_judge)
    press("1")
    window.close_project()
    window.open(path)
    assert visible_dialog(InstructionsDialog) is None
    qtbot.waitUntil(lambda: window.judge.can_judge)
    press(Qt.Key.Key_F1)
    dialog = visible_dialog(InstructionsDialog)
    assert dialog is not None and "Read them." in dialog.view.toPlainText()
    click_button(dialog, "Close")


def test_long_instructions_scroll_while_the_button_has_the_focus(
    window: Window, make_file: Callable[..., Path], qtbot: QtBot, press: Press
) -> None:
    window.open(make_file(instructions="A rule.\n\n" * 200))
    dialog = visible_dialog(InstructionsDialog)
    assert dialog is not None
    qtbot.waitUntil(dialog.isActiveWindow)
    bar = dialog.view.verticalScrollBar()
    for key, position in (
        (Qt.Key.Key_PageDown, lambda: 0 < bar.value() < bar.maximum()),
        (Qt.Key.Key_PageUp, lambda: bar.value() == 0),
        (Qt.Key.Key_End, lambda: bar.value() == bar.maximum()),
        (Qt.Key.Key_Home, lambda: bar.value() == 0),
    ):
        press(key)
        assert dialog.buttons[-1].hasFocus() and position()
    press(Qt.Key.Key_Escape)
    assert visible_dialog(InstructionsDialog) is None


def test_without_instructions_f1_shows_what_each_grade_means(
    open_window: Window, qtbot: QtBot, press: Press
) -> None:
    assert open_window.project is not None
    open_window.project.set_setting("instructions", "")
    press(Qt.Key.Key_F1)
    dialog = visible_dialog(InstructionsDialog)
    assert dialog is not None
    assert all(
        grade.label in dialog.view.toPlainText() for grade in open_window.project.scale.grades
    )
    dialog.reject()


# Owner of the file


def test_a_question_is_asked_about_a_file_of_another_assessor_and_nothing_changes(
    window: Window, make_file: Callable[..., Path]
) -> None:
    path = make_file("assessor-7")
    assert not window.open(path)
    dialog = visible_dialog(Dialog)
    assert "belongs to assessor-7" in dialog_text(dialog)
    click_button(dialog, "Not my file")
    assert window.project is None
    with open_project(path) as free:
        assert free.writing


def test_escape_releases_a_file_of_another_assessor(
    window: Window, make_file: Callable[..., Path], press: Press
) -> None:
    path = make_file("assessor-7")
    window.open(path)
    dialog = visible_dialog(Dialog)
    assert dialog is not None
    dialog.reject()
    with open_project(path) as free:
        assert free.writing and window.project is None


def test_a_file_of_another_assessor_can_be_opened_for_reading(
    window: Window, make_file: Callable[..., Path]
) -> None:
    window.open(make_file("assessor-7"))
    click_button(visible_dialog(Dialog), "Open read-only")
    assert window.project is not None and not window.project.writing
    assert "belongs to assessor-7" in window.read_only_label.text()


def test_a_user_who_claims_the_file_is_not_asked_again(
    window: Window, settings: Settings, make_file: Callable[..., Path], qtbot: QtBot
) -> None:
    path = make_file("assessor-7")
    window.open(path)
    click_button(visible_dialog(Dialog), "Start as assessor-7")
    assert settings.names() == ["me", "assessor-7"]
    qtbot.waitUntil(lambda: window.judge.can_judge)
    assert window.judge.session is not None and window.judge.session.assessor == "assessor-7"
    window.close_project()
    assert window.open(path) and visible_dialog(Dialog) is None


def test_the_ownership_question_shows_the_instructions_and_one_key_starts(
    window: Window, make_file: Callable[..., Path], qtbot: QtBot, press: Press
) -> None:
    window.open(make_file("assessor-7", instructions="Read them."))
    dialog = visible_dialog(InstructionsDialog)
    assert dialog is not None and "Read them." in dialog.view.toPlainText()
    assert "work.irjudge" in dialog_text(dialog) and window.project is None
    qtbot.waitUntil(dialog.isActiveWindow)
    press(Qt.Key.Key_Return)
    qtbot.waitUntil(lambda: window.judge.can_judge)
    assert visible_dialog(Dialog) is None, "the instructions are not shown twice"
    press("1")
    session = window.judge.session
    assert session is not None and session.count().judged == 1
    assert session.assessor == "assessor-7"


def test_a_started_file_of_another_assessor_continues_without_instructions(
    window: Window, settings: Settings, make_file: Callable[..., Path], qtbot: QtBot
) -> None:
    path = make_file("assessor-7", instructions="Read them.")
    window.open(path)
    click_button(visible_dialog(InstructionsDialog), "Start as assessor-7")
    qtbot.waitUntil(lambda: window.judge.can_judge)
    window.judge.give(1)
    window.close_project()
    settings.set("names", "me")
    window.open(path)
    assert visible_dialog(InstructionsDialog) is None
    click_button(visible_dialog(Dialog), "Continue as assessor-7")
    qtbot.waitUntil(lambda: window.judge.can_judge)


@pytest.mark.parametrize("choice", ["Not my file", "Open read-only"])
def test_the_instructions_of_another_assessors_file_can_be_cancelled(
    window: Window, make_file: Callable[..., Path], choice: str
) -> None:
    path = make_file("assessor-7", instructions="Read them.")
    window.open(path)
    click_button(visible_dialog(InstructionsDialog), choice)
    assert visible_dialog(Dialog) is None
    assert window.project is None or not window.project.writing
    with open_project(path) as free:
        assert free.writing


# Submission


def test_submission_reports_missing_judgments_then_writes_a_receipt_and_records_it(
    window: Window,
    make_file: Callable[..., Path],
    qtbot: QtBot,
    press: Press,
    wait_until_idle: Callable[[], None],
    tmp_path: Path,
) -> None:
    window.open(make_file())
    qtbot.waitUntil(lambda: window.judge.can_judge)
    press("1")
    qtbot.waitUntil(lambda: window.judge.can_judge)
    press(Qt.Key.Key_Return, Qt.KeyboardModifier.ControlModifier)
    dialog = visible_dialog(SubmissionDialog)
    assert "Documents not judged yet: 1." in dialog_text(dialog) and "Not judged\n1" in dialog_text(
        dialog
    )
    assert (
        dialog is not None and dialog.buttons[-1].text() == "Continue judging"
    )  # Enter does not submit unfinished work
    click_button(dialog, "Submit")
    wait_until_idle()
    receipt = visible_dialog(ReceiptDialog)
    assert (
        receipt is not None
        and window.project is not None
        and "Keep this code." in dialog_text(receipt)
    )
    lines = dialog_text(receipt).replace("\u200b", "").splitlines()
    assert lines[1] == f"Return this file: {window.project.path}", "what is to be done stands first"
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
    assert "Saved as receipt.txt." in dialog_text(receipt)
    receipt.buttons[-1].click()
    qtbot.waitUntil(lambda: window.judge.can_judge)
    assert any(text.startswith("Submitted 20") for text in label_texts(window.judge.grade_panel))
    window.judge.give(2)
    done = read_submission(window.project)
    assert done is not None and done.changed and done.added == 1
    assert "Changed since" in state_page_text(window)


def test_finished_work_is_submitted_with_enter_and_the_receipt_can_be_copied(
    window: Window,
    make_file: Callable[..., Path],
    qtbot: QtBot,
    press: Press,
    wait_until_idle: Callable[[], None],
) -> None:
    window.open(make_file())
    for _ in range(2):
        qtbot.waitUntil(lambda: window.judge.can_judge)
        press("0")
    assert window.judge.state_page is not None
    button = next(made for made in window.judge.state_page.buttons if made.text() == "Submit")
    QTest.keyPress(button, Qt.Key.Key_Return)
    assert visible_dialog(SubmissionDialog) is None, "nothing is missing"
    wait_until_idle()
    page = window.judge.state_page
    assert visible_dialog(Dialog) is None and page is not None
    receipt = page.findChild(ReceiptView)
    assert isinstance(receipt, ReceiptView) and receipt.folder_button.hasFocus()
    find_widget(receipt, "Copy receipt", QPushButton).click()
    assert "2 of 2" in QGuiApplication.clipboard().text()


def test_the_buttons_below_a_receipt_are_visible_in_a_small_window(
    window: Window,
    make_file: Callable[..., Path],
    qtbot: QtBot,
    wait_until_idle: Callable[[], None],
) -> None:
    before = window.size()
    window.resize(800, 600)
    window.open(make_file())
    for _ in range(2):
        qtbot.waitUntil(lambda: window.judge.can_judge)
        window.judge.give(0)
    window.judge.closing.submit()
    wait_until_idle()
    page = window.judge.state_page
    assert page is not None
    folder = page.findChild(ReceiptView).folder_button
    for button in (folder, *page.buttons):
        assert button.visibleRegion().boundingRect() == button.rect()
    window.resize(before)


def test_the_receipt_of_finished_work_stays_on_the_final_page_until_the_work_changes(
    window: Window,
    make_file: Callable[..., Path],
    qtbot: QtBot,
    wait_until_idle: Callable[[], None],
) -> None:
    def visible_codes() -> list[str]:
        page = window.judge.state_page
        assert page is not None
        return [label.text() for label in page.findChildren(QLabel, "code")]

    path = make_file()
    window.open(path)
    for _ in range(2):
        qtbot.waitUntil(lambda: window.judge.can_judge)
        window.judge.give(0)
    assert visible_codes() == []
    window.judge.closing.submit()
    wait_until_idle()
    session = window.judge.session
    assert session is not None
    code = make_receipt(session, is_checked=True).code
    assert visible_codes() == [code]
    window.close_project()
    window.open(path)
    assert visible_codes() == [code]
    window.judge.back()
    qtbot.waitUntil(lambda: window.judge.can_judge)
    window.judge.closing.submit()  # while a document is shown
    wait_until_idle()
    assert visible_codes() == [code]
    window.judge.back()
    qtbot.waitUntil(lambda: window.judge.can_judge)
    window.judge.give(2)
    assert visible_codes() == []
    page = window.judge.state_page
    assert page is not None and page.buttons[0].text() == "Submit again"


def test_a_receipt_that_cannot_be_written_is_reported(
    window: Window,
    make_file: Callable[..., Path],
    qtbot: QtBot,
    wait_until_idle: Callable[[], None],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    window.open(make_file())
    qtbot.waitUntil(lambda: window.judge.can_judge)
    window.judge.give(1)
    window.judge.closing.submit()
    click_button(visible_dialog(SubmissionDialog), "Submit")
    wait_until_idle()
    receipt = visible_dialog(ReceiptDialog)
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
        "Cannot write" in dialog_text(receipt)
        and receipt.receipt.problem.isVisible()
        and "Saved as" not in visible_text(receipt)
    )
    receipt.receipt.save(tmp_path / "kept.txt")
    assert "Saved as kept.txt." in visible_text(receipt) and not receipt.receipt.problem.isVisible()
    receipt.reject()


def make_review(*topics: tuple[str, int, int]) -> SubmissionReview:
    """Return a review of topics given as (title, unjudged, unsure)."""
    return SubmissionReview(
        tuple(
            TopicReview(f"t{at}", title, 30, 30 - left, 0, 0, unsure, 0, 0)
            for at, (title, left, unsure) in enumerate(topics)
        )
    )


@pytest.fixture
def open_incomplete(window: Window) -> Iterator[Callable[..., SubmissionDialog]]:
    """Function that opens the dialog for incomplete work."""
    made: list[SubmissionDialog] = []

    def make(*topics: tuple[str, int, int]) -> SubmissionDialog:
        made.append(SubmissionDialog(window, make_review(*topics), lambda: None))
        made[-1].open()
        return made[-1]

    yield make
    for dialog in filter(isValid, made):
        dialog.reject()


def link_buttons(dialog: SubmissionDialog) -> list[LinkButton]:
    return dialog.findChildren(LinkButton)


def test_a_topics_title_closes_the_dialog_and_requests_its_documents(
    open_incomplete: Callable[..., SubmissionDialog], qtbot: QtBot
) -> None:
    dialog = open_incomplete(("tides", 2, 0), ("done", 0, 0), ("moons", 0, 3))
    tides, moons = link_buttons(dialog)
    assert (moons.accessibleName(), moons.accessibleDescription()) == (
        "Documents of moons",
        "Unsure: 3",
    )
    assert tides.accessibleDescription() == "Not judged: 2"
    with qtbot.waitSignal(dialog.topic_requested) as asked:
        QTest.keyClick(moons, Qt.Key.Key_Return)
    assert asked.args == ["t2"] and not dialog.isVisible()


def test_the_submission_controller_reports_the_requested_topic(
    window: Window, make_file: Callable[..., Path], qtbot: QtBot
) -> None:
    window.open(make_file())
    qtbot.waitUntil(lambda: window.judge.can_judge)
    window.judge.give(1)
    window.judge.closing.submit()
    dialog = visible_dialog(SubmissionDialog)
    assert dialog is not None
    with qtbot.waitSignal(window.judge.closing.topic_requested) as asked:
        link_buttons(dialog)[0].click()
    assert asked.args == ["1"]
    for each in QApplication.topLevelWidgets():
        if isinstance(each, JumpDialog):
            each.close()


@pytest.mark.parametrize("zoom", [1.0, 2.0])
def test_rows_of_missing_work_are_at_the_top_with_numbers_in_columns(
    open_incomplete: Callable[..., SubmissionDialog],
    set_look: Callable[[Theme, float], None],
    zoom: float,
) -> None:
    set_look(LIGHT, zoom)
    dialog = open_incomplete(
        ("short", 7, 1), ("المد والجزر في البحر", 28, 0), ("a title that is long " * 8, 1, 12)
    )
    QApplication.processEvents()
    links = link_buttons(dialog)
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


def test_of_a_thousand_unfinished_topics_a_hundred_are_listed_and_the_others_counted(
    open_incomplete: Callable[..., SubmissionDialog],
) -> None:
    dialog = open_incomplete(*[(f"topic {number}", 1, 0) for number in range(1000)])
    assert len(link_buttons(dialog)) == 100 and "Further topics: 900." in dialog_text(dialog)


# Closing the window


def test_closing_with_unsaved_changes_asks_first(
    window: Window, make_file: Callable[..., Path], qtbot: QtBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    window.open(make_file())
    qtbot.waitUntil(lambda: window.judge.can_judge)

    def refuse(*_: object) -> None:
        raise CommitFailed("Not saved: the disk is full.")

    with monkeypatch.context() as broken:
        broken.setattr(EventLog, "append", refuse)
        window.judge.give(1)
        window.close()
    assert window.isVisible()
    click_button(visible_dialog(Dialog), "Stay")
    window.close()
    click_button(visible_dialog(Dialog), "Close and discard")
    assert not window.isVisible()


def test_the_page_of_submitted_work_offers_to_submit_again_and_shows_the_date(
    window: Window,
    make_file: Callable[..., Path],
    qtbot: QtBot,
    wait_until_idle: Callable[[], None],
) -> None:
    window.open(make_file())
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
    wait_until_idle()
    labels = [made.text() for made in judge.state_page.buttons]
    assert labels == ["Browse documents", "Submit again"]  # Enter must not submit twice
    assert "Submitted 20" in state_page_text(window)
    receipt = make_receipt(session, is_checked=True)
    assert session.project.path.name in state_page_text(window).replace("\u200b", "")
    assert receipt.code in state_page_text(window)
    assert {close.text() for close in judge.grade_panel._submit_buttons} == {"Submit again"}


def test_an_assessor_of_an_assigned_file_may_submit_it_and_sees_no_runs(
    window: Window, make_file: Callable[..., Path], qtbot: QtBot
) -> None:
    window.open(make_file("assessor-7"))
    click_button(visible_dialog(Dialog), "Start as assessor-7")
    for _ in range(2):
        qtbot.waitUntil(lambda: window.judge.can_judge)
        window.judge.give(1)
    assert window.judge.state_page is not None and [
        made.text() for made in window.judge.state_page.buttons
    ] == [
        "Submit",
        "Browse documents",
    ]


def test_the_short_list_of_keys_can_be_clicked(
    window: Window, make_file: Callable[..., Path], qtbot: QtBot
) -> None:
    window.open(make_file())
    qtbot.waitUntil(lambda: window.judge.can_judge)
    session = window.judge.session
    assert session is not None and window.judge.rendered_item is not None
    item = window.judge.rendered_item.queue_item
    next(
        row for row in window.judge.findChildren(ActionRow) if row.accessibleName() == "unsure"
    ).click()
    assert session.marks(item).unsure
    next(
        row
        for row in window.judge.findChildren(ActionRow)
        if row.accessibleName() == "skip for now"
    ).click()
    assert session.is_skipped(item)


def test_work_can_be_submitted_with_the_mouse_if_the_progress_panel_is_hidden(
    window: Window, make_file: Callable[..., Path], wait_until_idle: Callable[[], None]
) -> None:
    window.resize(800, 600)
    window.open(make_file())
    window.show_page("judge")
    wait_until_idle()
    process_layouts()
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
    process_layouts()
    assert panel._progress.isVisible() and not panel._more_button.isVisible()
