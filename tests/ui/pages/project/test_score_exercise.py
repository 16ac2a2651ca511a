"""Test of the exercise of computing a score by hand: marked steps, and the worked calculation."""

from collections.abc import Callable

import pytest

from irjudge_ui.pages.project.make_run import MakeRunDialog, ScoreByHand
from irjudge_ui.window import Window
from tests.ui.window_content import visible_text

ONE_WINDOW = True


@pytest.fixture
def first_page() -> str:
    return "runs"


@pytest.fixture
def dialog(open_window: Window, wait_until_idle: Callable[[], None]) -> ScoreByHand:
    page = open_window.pages.view("runs")
    wait_until_idle()
    page.actions_by_id["make-run"].trigger()
    asking = page.findChild(MakeRunDialog)
    asking.by_hand.click()
    asking.reject()
    wait_until_idle()
    return page.findChild(ScoreByHand)


def test_a_score_is_computed_and_each_step_is_marked(
    dialog: ScoreByHand, wait_until_idle: Callable[[], None]
) -> None:
    exercise = dialog.exercise
    assert (
        exercise is not None
        and exercise.document in visible_text(dialog)
        and f"{exercise.explained.score:.3f}" not in visible_text(dialog)
    )
    idf, tf, adds = exercise.steps[0]
    dialog.steps[1, "idf"].setText(f"{idf:.4f}")
    dialog.steps[1, "tf"].setText("99")
    dialog.check.click()
    assert (
        dialog.marks[1, "idf"].text(),
        dialog.marks[1, "tf"].text(),
        dialog.marks[1, "adds"].text(),
    ) == ("✓", "✕", "")
    assert f"{exercise.explained.terms[0].term}, " in visible_text(
        dialog
    ) and "column tf" in visible_text(dialog)
    dialog.steps[1, "tf"].setText(f"{tf:.4f}")
    dialog.value.setText(f"{exercise.explained.score:.3f}")
    dialog.check.click()
    assert dialog.marks[1, "tf"].text() == "✓" and dialog.verdict.text().startswith("✓")
    dialog.value.setText("tide")
    dialog.check.click()
    assert "not a valid number" in dialog.problem.text()
    dialog.reveal.click()
    assert (
        dialog.working.isVisibleTo(dialog)
        and f"{adds:.4f}".rstrip("0") in dialog.working.text()
        and not dialog.check.isEnabled()
    )
    dialog.next.click()
    wait_until_idle()
    assert (
        dialog.exercise is not exercise
        and dialog.check.isEnabled()
        and not dialog.working.isVisibleTo(dialog)
        and not dialog.value.text()
    )
    dialog.reject()
