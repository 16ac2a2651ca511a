"""Test of multiple-choice exercises: one view for every kind, stored answers, and a class sheet."""

from collections.abc import Callable
from pathlib import Path

import pytest
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QFileDialog

from irjudge.evaluation import CHOICE_EXERCISES, CHOICE_LETTERS
from irjudge.formats import read_answers
from irjudge_ui.pages.results.exercises import ChoiceExerciseDialog, ClassSheetDialog
from irjudge_ui.pages.results.explain import ExplainView
from irjudge_ui.window import Window
from tests.ui.window_content import visible_text

ONE_WINDOW = True
Idle = Callable[[], None]


@pytest.fixture
def first_page() -> str:
    return "explain"


@pytest.fixture
def page(open_window: Window, wait_until_idle: Idle) -> ExplainView:
    view = open_window.pages.view("explain")
    assert isinstance(view, ExplainView)
    wait_until_idle()
    view.actions_by_id["exercise"].trigger()
    wait_until_idle()
    return view


@pytest.fixture
def dialog(page: ExplainView, wait_until_idle: Idle) -> ChoiceExerciseDialog:
    page.exercise.drills.click()
    wait_until_idle()
    return page.findChild(ChoiceExerciseDialog)


def test_a_revealed_calculation_is_stored_unless_the_answer_was_correct(
    page: ExplainView, dialog: ChoiceExerciseDialog, wait_until_idle: Idle, tmp_path: Path
) -> None:
    answers = tmp_path / "answers.csv"
    page.exercise.store_in(answers)
    dialog.reveal.click()
    dialog.next.click()
    wait_until_idle()
    assert dialog.drill is not None
    dialog.answer(CHOICE_LETTERS[dialog.drill.right])
    dialog.reveal.click()
    dialog.reject()
    assert [each.verdict for each in read_answers(answers)] == ["shown", "right"]


def test_a_choice_can_be_typed_in_upper_case(dialog: ChoiceExerciseDialog) -> None:
    letter = CHOICE_LETTERS[0]
    QTest.keyClicks(dialog, letter.upper())
    assert not dialog.buttons_by_letter[letter].isEnabled()
    dialog.reject()


@pytest.mark.slow
def test_every_kind_of_question_is_asked_and_answered_by_its_letter(
    page: ExplainView, wait_until_idle: Idle, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    answers = tmp_path / "answers.csv"
    page.exercise.store_in(answers)
    page.exercise.student.setText("Ann")
    page.exercise.drills.click()
    dialog = page.findChild(ChoiceExerciseDialog)
    wait_until_idle()
    assert [dialog.kind.itemData(index) for index in range(dialog.kind.count())] == list(
        CHOICE_EXERCISES
    )
    for index, kind in enumerate(CHOICE_EXERCISES):
        dialog.kind.setCurrentIndex(index)
        dialog.kind.activated.emit(index)
        wait_until_idle()
        drill = dialog.drill
        assert drill is not None and drill.kind == kind and drill.question in visible_text(dialog)
        assert [made.text()[4:] for made in dialog.buttons_by_letter.values()] == list(
            drill.choices
        )
        right = CHOICE_LETTERS[drill.right]
        wrong_letter = next(letter for letter in CHOICE_LETTERS if letter != right)
        QTest.keyClicks(dialog, wrong_letter)
        assert (
            dialog.verdict.text().startswith("✕")
            and not dialog.buttons_by_letter[wrong_letter].isEnabled()
        )
        QTest.keyClicks(dialog, right)
        assert dialog.verdict.text().startswith("✓")
        dialog.reveal.click()
        assert (
            drill.calculation[0] in dialog.working.text()
            and f"{right} is correct" in dialog.working.text()
        )
    before = dialog.drill
    dialog.next.click()
    wait_until_idle()
    assert dialog.drill != before and dialog.drill is not None and dialog.drill.seed == 2
    dialog.reject()
    assert [each.verdict for each in read_answers(answers)] == ["wrong", "right"] * len(
        CHOICE_EXERCISES
    )
    monkeypatch.setattr(QFileDialog, "getOpenFileName", lambda *_: (str(answers), ""))
    page.exercise.sheet.click()
    sheet = page.exercise.findChild(ClassSheetDialog)
    model = sheet.table.model()
    cells = [str(model.index(0, column).data()) for column in range(model.columnCount())]
    assert cells[:2] == ["Ann", str(len(CHOICE_EXERCISES))] and set(cells[2:]) == {
        "passed on attempt 2"
    }
    sheet.reject()
    answers.write_text("no,answers\n", encoding="utf-8")
    page.exercise.sheet.click()
    assert "not an answer file" in page.exercise.problem.text()
