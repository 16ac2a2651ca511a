"""Tests of the dialog that creates a run: parameters, comparison with other runs, saving."""

from collections.abc import Callable

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QComboBox, QLineEdit

from irjudge.evaluation import SUMMARY_MEASURES, RunSummary
from irjudge.search import RANKER_REGISTRY
from irjudge_ui.pages.project.make_run import MakeRunDialog
from irjudge_ui.pages.project.runs import RunsView
from irjudge_ui.window import Window
from tests.ui.window_content import visible_text

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
def dialog(page: RunsView, wait_until_idle: Callable[[], None]) -> MakeRunDialog:
    wait_until_idle()
    page.actions_by_id["make-run"].trigger()
    return page.findChild(MakeRunDialog)


def test_the_next_step_opens_the_dialog_at_once(
    open_window: Window, page: RunsView, wait_until_idle: Callable[[], None]
) -> None:
    wait_until_idle()
    open_window._begin_step("make-run")
    assert page.isVisible() and page.findChild(MakeRunDialog) is not None


def run_names(page: RunsView) -> list[str]:
    assert page.project is not None
    return [run.name for run in page.project.rankings.runs()]


def enter_value(dialog: MakeRunDialog, name: str, value: str) -> None:
    field = dialog.values[name]
    field.setText(value) if isinstance(field, QLineEdit) else field.setCurrentText(value)


def test_every_ranker_asks_for_its_parameters(dialog: MakeRunDialog) -> None:
    for index, declared in enumerate(RANKER_REGISTRY.catalogue()):
        dialog.ranker.setCurrentIndex(index)
        assert list(dialog.values) == [each.name for each in declared.parameters]
        assert dialog.plan().resolve() == RANKER_REGISTRY.parse(declared.name)
    assert isinstance(dialog.values["document"], QComboBox)
    dialog.reject()


def test_a_new_run_is_previewed_with_the_existing_ones(
    dialog: MakeRunDialog, page: RunsView, wait_until_idle: Callable[[], None]
) -> None:
    before = run_names(page)
    enter_value(dialog, "k1", "1.2")
    assert not dialog._table.isVisible()
    dialog.attempt.click()
    wait_until_idle()
    assert dialog._table.isVisible()
    new, *others = dialog.summaries.rows
    assert new.name == "bm25-k1=1.2-b=0.4" and [each.name for each in others] == before
    enter_value(dialog, "b", "1")
    dialog.attempt.click()
    wait_until_idle()
    longer, *same = dialog.summaries.rows
    assert longer.values != new.values and [each.values for each in same] == [
        each.values for each in others
    ]
    assert "not relevant" in visible_text(dialog) and run_names(page) == before
    dialog.reject()


def test_no_missing_value_is_bold(dialog: MakeRunDialog) -> None:
    model = dialog.summaries

    def bold_cells() -> list[tuple[int, int]]:
        return [
            (line, column)
            for line in range(model.rowCount())
            for column in range(model.columnCount())
            if model.index(line, column).data(Qt.ItemDataRole.FontRole)
        ]

    model.fill([RunSummary("new", 5, (), None), RunSummary("old", 5, (), 0.5)])
    assert bold_cells() == []
    values = tuple(0.1 for _ in SUMMARY_MEASURES)
    better = (0.2, *values[1:])
    model.fill([RunSummary("new", 5, better, None), RunSummary("old", 5, values, 0.5)])
    assert (0, 1) in bold_cells() and (1, 1) not in bold_cells()
    dialog.reject()


def test_several_values_are_tried_together_and_one_run_is_saved(
    dialog: MakeRunDialog, page: RunsView, wait_until_idle: Callable[[], None]
) -> None:
    before = run_names(page)
    enter_value(dialog, "k1", "0 0.9")
    enter_value(dialog, "b", "0.4 1")
    dialog.attempt.click()
    wait_until_idle()
    tried = [f"bm25-k1={k1}-b={b}" for k1 in ("0", "0.9") for b in ("0.4", "1")]
    assert [each.name for each in dialog.summaries.rows] == [*tried, *before]
    assert (
        dialog.summaries.rows[0].values
        == dialog.summaries.rows[1].values
        != dialog.summaries.rows[2].values
    )
    dialog.buttons[-1].click()
    wait_until_idle()
    assert dialog.isVisible() and "4 runs" in visible_text(dialog) and run_names(page) == before
    dialog.reject()


def test_a_run_is_saved_and_can_be_undone(
    dialog: MakeRunDialog, page: RunsView, wait_until_idle: Callable[[], None]
) -> None:
    before = run_names(page)
    dialog.feedback.setChecked(True)
    dialog.fields.setCurrentIndex(1)
    dialog.name.setText("mine")
    dialog.buttons[-1].click()
    wait_until_idle()
    assert run_names(page) == [*before, "mine"]
    page.actions_by_id["undo-runs"].trigger()
    wait_until_idle()
    assert run_names(page) == before
    page.actions_by_id["redo-runs"].trigger()
    wait_until_idle()
    assert run_names(page) == [*before, "mine"]


def test_an_invalid_parameter_is_reported_and_can_be_corrected(
    dialog: MakeRunDialog, page: RunsView, wait_until_idle: Callable[[], None]
) -> None:
    before = run_names(page)
    enter_value(dialog, "b", "7")
    dialog.buttons[-1].click()
    wait_until_idle()
    assert (
        dialog.isVisible()
        and "between 0 and 1" in visible_text(dialog)
        and run_names(page) == before
    )
    enter_value(dialog, "b", "zero")
    dialog.attempt.click()
    assert "must be a number" in visible_text(dialog)
    dialog.reject()


def test_a_name_in_use_is_reported(
    dialog: MakeRunDialog, page: RunsView, wait_until_idle: Callable[[], None]
) -> None:
    before = run_names(page)
    dialog.name.setText(before[0])
    dialog.buttons[-1].click()
    wait_until_idle()
    assert run_names(page) == before
    assert "already" in visible_text(page.window())
