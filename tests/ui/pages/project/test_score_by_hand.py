"""The dialog of a score by hand: what it asks, which steps it marks, and that the calculation shows when it is asked for."""

from collections.abc import Callable

import pytest

from irjudge_ui.pages.project.make_run import MakeRunDialog, ScoreByHand
from irjudge_ui.window import Window
from tests.ui.shown import says

ONE_WINDOW = True


@pytest.fixture
def first_page() -> str:
    return "runs"


@pytest.fixture
def dialog(open_window: Window, idle: Callable[[], None]) -> ScoreByHand:
    page = open_window.pages.view("runs")
    idle()
    page.actions_by_id["make-run"].trigger()
    asking = page.findChild(MakeRunDialog)
    asking.by_hand.click()
    asking.reject()
    idle()
    return page.findChild(ScoreByHand)


def test_a_score_is_computed_and_each_step_is_marked(
    dialog: ScoreByHand, idle: Callable[[], None]
) -> None:
    posed = dialog.exercise
    assert (
        posed is not None
        and posed.document in says(dialog)
        and f"{posed.explained.score:.3f}" not in says(dialog)
    )
    idf, tf, adds = posed.steps[0]
    dialog.steps[1, "idf"].setText(f"{idf:.4f}")
    dialog.steps[1, "tf"].setText("99")
    dialog.check.click()
    assert (
        dialog.marks[1, "idf"].text(),
        dialog.marks[1, "tf"].text(),
        dialog.marks[1, "adds"].text(),
    ) == ("✓", "✕", "")
    assert f"{posed.explained.terms[0].term}, " in says(dialog) and "column tf" in says(dialog)
    dialog.steps[1, "tf"].setText(f"{tf:.4f}")
    dialog.value.setText(f"{posed.explained.score:.3f}")
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
    idle()
    assert (
        dialog.exercise is not posed
        and dialog.check.isEnabled()
        and not dialog.working.isVisibleTo(dialog)
        and not dialog.value.text()
    )
    dialog.reject()
