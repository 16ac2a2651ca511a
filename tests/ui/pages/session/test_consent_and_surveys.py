"""Test of consent and questions before and after a session: stored, asked, and exported."""

from PySide6.QtWidgets import QPushButton, QWidget
from pytestqt.qtbot import QtBot

from irjudge.report import list_available_exports
from irjudge.web import StartPage, SurveyQuestion, load_start_page
from irjudge_ui.pages.session.session import SessionView
from irjudge_ui.pages.session.session_form import StartPageDialog
from irjudge_ui.widgets.theme import LIGHT
from irjudge_ui.window import Window
from tests.engine.web.session_client import Person
from tests.ui.layout_checks import (
    SIZES,
    find_cut_texts,
    find_overlaps,
    process_layouts,
    set_size_and_theme,
)
from tests.ui.window_content import find_widget

ONE_WINDOW = True
ASKED = StartPage(
    "I take part **freely**.",
    12,
    (SurveyQuestion("how-often-do-you-search", "How often do you search?", ("daily", "rarely")),),
    (SurveyQuestion("what-was-hard", "What was hard?"),),
)


def open_dialog(page: SessionView) -> StartPageDialog:
    find_widget(page, "Consent and questions", QPushButton).click()
    (dialog,) = (each for each in page.findChildren(StartPageDialog) if each.isVisible())
    return dialog


def click_button(dialog: QWidget, label: str) -> None:
    find_widget(dialog, label, QPushButton).click()


def fill_form(dialog: StartPageDialog) -> None:
    dialog.consent.setPlainText(ASKED.consent)
    dialog.minutes.set_value(ASKED.minutes)
    for _ in range(3):
        click_button(dialog, "Add a question")
    often, hard, empty = dialog.rows
    often.wording.setText("How often do you search?")
    often.choices.setText("daily")
    assert "One choice is not enough" in often.problem.text() and not dialog.buttons[-1].isEnabled()
    often.choices.setText("daily, rarely")
    assert not often.problem.isVisible() and dialog.buttons[-1].isEnabled()
    hard.when.setCurrentIndex(hard.when.findData("after"))
    hard.wording.setText("What was hard?")
    empty.remove.click()


def test_the_form_is_stored_and_asked_by_the_next_session_and_answers_are_exported(
    page: SessionView, open_window: Window, qtbot: QtBot
) -> None:
    project = open_window.project
    assert project is not None and "surveys" not in list_available_exports(project)
    dialog = open_dialog(page)
    fill_form(dialog)
    set_size_and_theme(open_window, SIZES[0], LIGHT)
    process_layouts()
    assert find_cut_texts(dialog) == find_overlaps(dialog) == []
    click_button(dialog, "Save")
    assert load_start_page(project) == ASKED
    assert "12 min, questions: 2" in page.asks.summary.text()
    again = open_dialog(page)
    assert again.read_questions() == ASKED, (
        "the stored questions are shown, with their stored answer names"
    )
    click_button(again, "Cancel")
    page.form.address.clear()
    page.start.click()
    qtbot.waitUntil(lambda: page.controller is not None and page.status is not None)
    assert page.controller is not None
    ann = Person(page.controller.server, "ann")
    ann.call("/survey", {"answers": {"how-often-do-you-search": "daily"}, "consented": True})
    qtbot.waitUntil(lambda: bool(project.sessions.surveys()))
    assert [each["how-often-do-you-search"] for each in project.sessions.surveys().values()] == [
        "daily"
    ]
    assert "surveys" in list_available_exports(project)
