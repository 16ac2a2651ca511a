"""Tests of the quality page: the engine's numbers, notices, and excluding assessors reversibly."""

import shutil
from collections.abc import Callable
from pathlib import Path
from types import SimpleNamespace

import numpy as np
import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QPushButton

from irjudge.judging import Session, list_qrels_choices, project_labels, read_assigned_gold
from irjudge.stats import measure_quality
from irjudge.store import Project
from irjudge_ui.models import TableModel
from irjudge_ui.pages.assessors.quality import QualityView
from irjudge_ui.window import Window
from tests.numbers_in_text import find_numbers
from tests.ui.window_content import find_widget, is_shown, label_texts

ONE_WINDOW = True


@pytest.fixture
def first_page() -> str:
    return "quality"


@pytest.fixture
def page(assessed_window: Window) -> QualityView:
    view = assessed_window.pages.view("quality")
    assert isinstance(view, QualityView)
    return view


def select_assessor(page: QualityView, name: str) -> None:
    model = page.table.model()
    line = next(line for line in range(model.rowCount()) if model.index(line, 0).data() == name)
    page.table.setCurrentIndex(model.index(line, 0))


def exclusion_reasons(project: Project) -> dict[str, str | None]:
    return {
        person.name: person.exclusion_reason
        for person in project.assignments.registered_assessors()
    }


def test_the_numbers_equal_those_of_the_engine(page: QualityView) -> None:
    assert page.project is not None
    quality = measure_quality(
        project_labels(page.project, repeats=True, gold=read_assigned_gold(page.project))
    )
    assert (
        [row.name for row in page.assessors.rows] == list(quality.workers) == ["ann", "bob", "cleo"]
    )
    for row in page.assessors.rows:
        assert (
            row.quality.agreement.tolist() == quality.agreement.tolist()
            and row.exclusion_reason is None
        )
    select_assessor(page, "bob")
    assert page.answers.matrix.values.tolist() == quality.tables[1].tolist()
    assert page.answers.matrix.row_names == [
        "0",
        "1",
        "2",
        "3",
    ] and page.drift.accessibleDescription().startswith("first third: ")


def test_repeats_are_shown_as_equal_grades_of_all_repeats_and_sorted_by_share(
    page: QualityView,
) -> None:
    column = next(each for each in page.assessors.columns if each.header == "Repeats")
    quality = SimpleNamespace(repeats=np.array([3, 0, 20, 1]), repeats_same=np.array([2, 0, 2, 1]))
    model = TableModel([column], [SimpleNamespace(quality=quality, index=i) for i in range(4)])
    for order, texts in (
        (Qt.SortOrder.AscendingOrder, ["2 of 20", "2 of 3", "1 of 1", "–"]),
        (Qt.SortOrder.DescendingOrder, ["1 of 1", "2 of 3", "2 of 20", "–"]),
    ):
        model.sort(0, order)
        assert [model.index(line, 0).data() for line in range(4)] == texts


def test_six_gold_items_are_too_few_for_a_notice(page: QualityView) -> None:
    select_assessor(page, "cleo")
    assert "cleo" in label_texts(page) and page.description_label.text().startswith(
        "Too little data for a verdict."
    ), "six answers, however fast"
    assert page.table.model().index(2, 2).data() == "too little data"


def test_judgments_faster_than_reading_are_noticed(
    open_window: Window, project_path: Path, wait_until_idle: Callable[[], None]
) -> None:
    assert open_window.project is not None
    session = Session(open_window.project, "dora")
    for number in range(12):
        work = session.current()
        assert work is not None
        session.grade(work, number % 4, active_ms=300)
        session.advance()
    page = open_window.pages.view("quality")
    open_window.do("quality")
    wait_until_idle()
    assert isinstance(page, QualityView)
    select_assessor(page, "dora")
    assert page.description_label.text().startswith("Some checks flag")
    assert find_numbers(page.description_label.text())[:2] == [
        "0.3",
        "100",
    ]  # seconds; percentage that is too fast


def test_an_exclusion_is_undone_and_every_judgment_is_kept(
    page: QualityView, press: Callable[..., None], wait_until_idle: Callable[[], None]
) -> None:
    project = page.project
    assert project is not None
    events = project.events.count()
    select_assessor(page, "cleo")
    page.reason.setText("too fast")
    find_widget(page, "Exclude", QPushButton).click()
    wait_until_idle()
    assert exclusion_reasons(project) == {"cleo": "too fast"} and project.events.count() == events
    assert (
        "cleo" in label_texts(page)
        and is_shown(page, "Include again")
        and "Excluded. Reason: too fast." in page.description_label.text()
    )
    assert any(find_numbers(text)[:2] == ["2", "1"] for text in label_texts(page))
    assert "assessor cleo" not in [choice.name for choice in list_qrels_choices(project)]
    page.table.setFocus()
    press("z", Qt.KeyboardModifier.ControlModifier)
    wait_until_idle()
    assert exclusion_reasons(project) == {"cleo": None} and "assessor cleo" in [
        choice.name for choice in list_qrels_choices(project)
    ]
    press("y", Qt.KeyboardModifier.ControlModifier)
    wait_until_idle()
    assert exclusion_reasons(project) == {"cleo": "too fast"}
    find_widget(page, "Include again", QPushButton).click()
    wait_until_idle()
    assert exclusion_reasons(project) == {"cleo": None}


def test_a_second_click_on_exclude_changes_nothing(
    page: QualityView, wait_until_idle: Callable[[], None]
) -> None:
    assert page.project is not None
    select_assessor(page, "cleo")
    for reason in ("too fast", None):
        page.reason.setText("too fast")
        page.set_aside()
        page.reason.setText("other reason")
        page.set_aside()
        wait_until_idle()
        assert exclusion_reasons(page.project) == {"cleo": reason}
    assert page.changes.count() == 2
    for reason in ("too fast", None):
        page.changes.undo_change()
        assert exclusion_reasons(page.project) == {"cleo": reason}


def test_the_selected_assessor_and_the_typed_reason_are_kept_after_an_exclusion(
    page: QualityView, wait_until_idle: Callable[[], None]
) -> None:
    assert page.project is not None
    select_assessor(page, "cleo")
    page.set_aside()
    wait_until_idle()
    select_assessor(page, "bob")
    page.reason.setText("too fast")
    session = Session(page.project, "ann")
    work = session.current()
    assert work is not None
    session.grade(work, 1, active_ms=4000)
    page.refresh()
    wait_until_idle()
    chosen = page.chosen()
    assert chosen is not None and (chosen.name, page.reason.text()) == ("bob", "too fast")


def test_a_restart_after_a_cancellation_keeps_the_typed_reason_and_the_changes(
    page: QualityView, wait_until_idle: Callable[[], None]
) -> None:
    select_assessor(page, "cleo")
    page.set_aside()
    page.cancel_jobs()
    select_assessor(page, "bob")
    page.reason.setText("too fast")
    page.restart_jobs()
    wait_until_idle()
    assert {row.name: row.exclusion_reason is None for row in page.assessors.rows} == {
        "ann": True,
        "bob": True,
        "cleo": False,
    }
    assert page.reason.text() == "too fast" and page.changes.canUndo()


def test_an_excluded_assessor_no_longer_affects_the_quality_of_others(
    page: QualityView, wait_until_idle: Callable[[], None]
) -> None:
    project = page.project
    assert project is not None
    select_assessor(page, "cleo")
    page.set_aside()
    wait_until_idle()
    rows = {row.name: row for row in page.assessors.rows}
    alone = measure_quality(project_labels(project, excluded={"cleo"}, repeats=True))
    assert rows["ann"].quality.agreement[rows["ann"].index] == alone.agreement[0]
    everybody = measure_quality(project_labels(project, repeats=True))
    assert rows["cleo"].quality.agreement[rows["cleo"].index] == everybody.agreement[2], (
        "and is still seen against them"
    )


def test_without_judgments_the_page_explains_its_purpose(
    open_window: Window, wait_until_idle: Callable[[], None]
) -> None:
    open_window.do("quality")
    wait_until_idle()
    view = open_window.pages.view("quality")
    assert isinstance(view, QualityView) and view.state_stack.page is not None
    view.state_stack.page.buttons[0].click()
    assert open_window.pages.on_top() == "assessors"


@pytest.mark.slow
@pytest.mark.usefixtures("own_window")
def test_a_reason_typed_for_one_project_is_dropped_for_the_next_but_kept_during_judging(
    page: QualityView,
    assessed_window: Window,
    assessed_path: Path,
    wait_until_idle: Callable[[], None],
) -> None:
    select_assessor(page, "bob")
    page.reason.setText("too fast")
    assert page.project is not None
    session = Session(page.project, "dora")
    work = session.current()
    assert work is not None
    session.grade(work, 1, active_ms=4000)
    page.refresh()
    wait_until_idle()
    assert [row.name for row in page.assessors.rows][
        -1
    ] == "dora" and page.reason.text() == "too fast"
    select_assessor(page, "ann")
    assert page.reason.text() == "", "a reason is that of one assessor"
    page.reason.setText("too slow")
    assert assessed_window.open(
        Path(shutil.copy(assessed_path, assessed_path.with_name("other.irjudge")))
    )
    assessed_window.do("quality")
    wait_until_idle()
    assert page.project.path.name == "other.irjudge" and page.reason.text() == ""
