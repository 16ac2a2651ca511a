"""The dialog that makes a run: what it asks, what it says beside the runs that are there, and what is kept."""

from collections.abc import Callable

import pytest
from PySide6.QtWidgets import QComboBox, QLineEdit

from irjudge.search import RANKER_REGISTRY
from irjudge_ui.pages.project.make_run import MakeRunDialog
from irjudge_ui.pages.project.runs import RunsView
from irjudge_ui.window import Window
from tests.ui.shown import says

ONE_WINDOW = True


@pytest.fixture
def first_page() -> str:
    return "runs"


@pytest.fixture
def page(open_window: Window) -> RunsView:
    view = open_window.pages.view("runs")
    assert isinstance(view, RunsView)
    return view


@pytest.fixture
def dialog(page: RunsView, idle: Callable[[], None]) -> MakeRunDialog:
    idle()
    page.actions_by_id["make-run"].trigger()
    return page.findChild(MakeRunDialog)


def test_the_next_step_asks_at_once_how_to_search(
    open_window: Window, page: RunsView, idle: Callable[[], None]
) -> None:
    idle()
    open_window._take_step("make-run")
    assert page.isVisible() and page.findChild(MakeRunDialog) is not None


def names(page: RunsView) -> list[str]:
    assert page.project is not None
    return [run.name for run in page.project.rankings.runs()]


def enter(dialog: MakeRunDialog, name: str, value: str) -> None:
    field = dialog.values[name]
    field.setText(value) if isinstance(field, QLineEdit) else field.setCurrentText(value)


def test_every_ranker_asks_for_its_parameters(dialog: MakeRunDialog) -> None:
    for place, declared in enumerate(RANKER_REGISTRY.catalogue()):
        dialog.ranker.setCurrentIndex(place)
        assert list(dialog.values) == [each.name for each in declared.parameters]
        assert dialog.plan().resolve() == RANKER_REGISTRY.parse(declared.name)
    assert isinstance(dialog.values["document"], QComboBox)
    dialog.reject()


def test_a_run_is_tried_beside_those_that_are_there(
    dialog: MakeRunDialog, page: RunsView, idle: Callable[[], None]
) -> None:
    before = names(page)
    enter(dialog, "k1", "1.2")
    assert not dialog._table.isVisible()
    dialog.attempt.click()
    idle()
    assert dialog._table.isVisible()
    new, *others = dialog.summaries.rows
    assert new.name == "bm25-k1=1.2-b=0.4" and [each.name for each in others] == before
    enter(dialog, "b", "1")
    dialog.attempt.click()
    idle()
    longer, *same = dialog.summaries.rows
    assert longer.values != new.values and [each.values for each in same] == [
        each.values for each in others
    ]
    assert "not relevant" in says(dialog) and names(page) == before
    dialog.reject()


def test_several_values_are_tried_together_and_one_is_kept(
    dialog: MakeRunDialog, page: RunsView, idle: Callable[[], None]
) -> None:
    before = names(page)
    enter(dialog, "k1", "0 0.9")
    enter(dialog, "b", "0.4 1")
    dialog.attempt.click()
    idle()
    tried = [f"bm25-k1={k1}-b={b}" for k1 in ("0", "0.9") for b in ("0.4", "1")]
    assert [each.name for each in dialog.summaries.rows] == [*tried, *before]
    assert (
        dialog.summaries.rows[0].values
        == dialog.summaries.rows[1].values
        != dialog.summaries.rows[2].values
    )
    dialog.buttons[-1].click()
    idle()
    assert dialog.isVisible() and "4 runs" in says(dialog) and names(page) == before
    dialog.reject()


def test_a_run_is_kept_and_can_be_taken_back(
    dialog: MakeRunDialog, page: RunsView, idle: Callable[[], None]
) -> None:
    before = names(page)
    dialog.feedback.setChecked(True)
    dialog.fields.setCurrentIndex(1)
    dialog.name.setText("mine")
    dialog.buttons[-1].click()
    idle()
    assert names(page) == [*before, "mine"]
    page.actions_by_id["undo-runs"].trigger()
    idle()
    assert names(page) == before
    page.actions_by_id["redo-runs"].trigger()
    idle()
    assert names(page) == [*before, "mine"]


def test_what_makes_no_sense_is_said_and_asked_again(
    dialog: MakeRunDialog, page: RunsView, idle: Callable[[], None]
) -> None:
    before = names(page)
    enter(dialog, "b", "7")
    dialog.buttons[-1].click()
    idle()
    assert dialog.isVisible() and "between 0 and 1" in says(dialog) and names(page) == before
    enter(dialog, "b", "zero")
    dialog.attempt.click()
    assert "must be a number" in says(dialog)
    dialog.reject()


def test_a_name_that_is_taken_is_said(
    dialog: MakeRunDialog, page: RunsView, idle: Callable[[], None]
) -> None:
    before = names(page)
    dialog.name.setText(before[0])
    dialog.buttons[-1].click()
    idle()
    assert names(page) == before
    assert "already" in says(page.window())
