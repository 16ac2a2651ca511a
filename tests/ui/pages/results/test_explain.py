"""Tests of the explanation page: the calculation of a value, and changes tried without saving."""

import shutil
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QPushButton
from pytestqt.qtbot import QtBot

from irjudge.evaluation import evaluate_project, parse_measures
from irjudge.judging import choose_qrels
from irjudge.metrics import default_measure_name, list_measures
from irjudge.model import Scale
from irjudge.store import create_project, open_project
from irjudge_ui.actions import BY_ID
from irjudge_ui.pages.results.explain import ExplainView
from irjudge_ui.pages.results.what_if import DOCUMENT_COLUMN
from irjudge_ui.pages.shared import EvaluationOptions, ValueRequest, store_options
from irjudge_ui.widgets import Table
from irjudge_ui.window import Window
from tests.ui.window_content import find_widget, is_shown, visible_text

ONE_WINDOW = True

Idle = Callable[[], None]
Key = Qt.Key


@pytest.fixture
def first_page() -> str:
    return "explain"


@pytest.fixture
def page(open_window: Window) -> ExplainView:
    view = open_window.pages.view("explain")
    assert isinstance(view, ExplainView)
    return view


def enter_measure(page: ExplainView, name: str, wait_until_idle: Idle) -> None:
    page.measure.setEditText(name)
    QTest.keyClick(page.measure.lineEdit(), Key.Key_Return)
    wait_until_idle()


def calculated_value(page: ExplainView) -> float:
    """Return the value in the last line of the calculation."""
    return float(page.calculation.steps.text().splitlines()[-1].rpartition(" = ")[2])


def press_in_ranking(
    page: ExplainView,
    position: int,
    key: Key,
    modifiers: Qt.KeyboardModifier = Qt.KeyboardModifier.NoModifier,
) -> None:
    page.what_if.table.setCurrentIndex(page.what_if.ranking.index(position, DOCUMENT_COLUMN))
    QTest.keyClick(page.what_if.table, key, modifiers)


@pytest.mark.slow
def test_the_page_starts_with_the_first_run_topic_and_measure(page: ExplainView) -> None:
    assert (page.run.currentText(), page.topic.currentData(), page.measure.currentText()) == (
        "bm25",
        "1",
        "AP",
    )
    assert page.calculation.value.text().startswith("AP = 0.") and not page.what_if.can_undo
    assert "coasts" in page.description_label.text(), "the topic in its own words"


@pytest.mark.slow
def test_the_last_line_of_every_measure_is_the_value_of_the_table(
    page: ExplainView, wait_until_idle: Idle, full: bool
) -> None:
    assert page.project is not None
    # auxiliary files are not in the project
    declared = [each for each in list_measures() if not {*each.needs} - {"subtopics"}]
    names = [default_measure_name(declaration) for declaration in declared][:: 1 if full else 4]
    table = evaluate_project(page.project, parse_measures(names))
    run = next(run for run in table.runs if run.run == "tfidf")
    page.set_request(ValueRequest("tfidf", "4", "AP", EvaluationOptions("AP")))
    page.refresh()
    wait_until_idle()
    for measure, value in zip(
        table.measures, run.values[:, run.topics.index("4")].tolist(), strict=True
    ):
        enter_measure(page, measure.name, wait_until_idle)
        assert calculated_value(page) == value, measure.name


@pytest.mark.slow
def test_a_number_of_the_table_opens_with_the_policy_it_was_computed_with(
    open_window: Window, wait_until_idle: Idle
) -> None:
    open_window.show_page("evaluate")
    wait_until_idle()
    results = open_window.evaluation
    results.policy.rel.set_value(2)
    results.use_measures("P@5 AP")
    wait_until_idle()
    results.run_table.setCurrentIndex(results.run_table.model().index(2, 2))
    QTest.keyClick(results.run_table, Key.Key_Return)
    topics = results.topic_values.table
    assert topics.hasFocus() and topics.currentIndex().column() == 1
    values = [
        float(topics.model().index(row, 1).data()) for row in range(topics.model().rowCount())
    ]
    assert values == sorted(values, reverse=True)
    run, topic = results.topic_values.model.columns[1].header, topics.model().index(0, 0).data()
    QTest.keyClick(topics, Key.Key_Return)
    wait_until_idle()
    page = open_window.pages.view("explain")
    assert open_window.pages.on_top() == "explain"
    assert (page.run.currentText(), page.topic.currentData(), page.measure.currentText()) == (
        run,
        topic,
        "AP(rel=2)",
    )
    assert (
        calculated_value(page) == pytest.approx(values[0], abs=1e-4)
        and "Relevant: grade 2 or more." in page.calculation.steps.text()
    )


def test_another_column_of_the_topics_opens_the_run_of_that_column(
    open_window: Window, wait_until_idle: Idle
) -> None:
    open_window.show_page("evaluate")
    wait_until_idle()
    drill = open_window.evaluation.topic_values
    drill.table.setCurrentIndex(drill.table.model().index(0, 3))
    drill.table.opened.emit(0)
    wait_until_idle()
    assert open_window.pages.view("explain").run.currentText() == drill.model.columns[3].header


@pytest.mark.slow
def test_the_minimum_average_precision_is_shown_next_to_the_value(
    page: ExplainView, wait_until_idle: Idle
) -> None:
    enter_measure(page, "AP", wait_until_idle)
    assert "APmin(universe=collection)" in visible_text(page)


@pytest.mark.slow
def test_the_ranking_shows_grades_and_running_values(page: ExplainView) -> None:
    rows = page.what_if.ranking.rows
    assert page.what_if.trial is not None and [row.document for row in rows] == list(
        page.what_if.trial.documents
    )
    headers = [page.what_if.ranking.headerData(at, Qt.Orientation.Horizontal) for at in range(3, 6)]
    assert headers == ["found", "P@r", "sum"] and rows[0].cells == ("1", "1.0000", "1.0000")
    assert [row.grade for row in page.what_if.ideal.rows] == sorted(
        (row.grade for row in page.what_if.ideal.rows), reverse=True
    )


@pytest.mark.slow
def test_the_ideal_ranking_is_hidden_for_measures_without_gains(
    page: ExplainView, wait_until_idle: Idle
) -> None:
    def visible_tables() -> list[str]:
        tables = page.what_if.findChildren(Table)
        return [each.accessibleName() for each in tables if each.isVisible()]

    enter_measure(page, "AP", wait_until_idle)
    wide = page.what_if.table.width()
    assert visible_tables() == ["Ranking"]
    enter_measure(page, "nDCG@10", wait_until_idle)
    assert (
        visible_tables() == ["Ranking", "Ideal ranking"]
        and page.what_if.table.width() < 0.85 * wide
    )
    enter_measure(page, "P@5", wait_until_idle)
    assert visible_tables() == ["Ranking"] and page.what_if.table.width() == wide


@pytest.mark.slow
def test_every_step_changes_every_measure_and_can_be_undone(
    page: ExplainView, wait_until_idle: Idle, project_path: Path
) -> None:
    before, first = project_path.read_bytes(), page.calculation.steps.text()
    press_in_ranking(page, 0, Key.Key_Down, Qt.KeyboardModifier.AltModifier)
    press_in_ranking(page, 2, Key.Key_0)
    press_in_ranking(page, 3, Key.Key_Delete)
    wait_until_idle()
    assert page.what_if.table.currentIndex().row() == 3, "the document that was graded stays marked"
    assert [row.grade for row in page.what_if.ranking.rows[2:4]] == [0, None]
    trial = page.what_if.trial
    assert trial is not None and page.what_if.first is not None
    shown = [row[2] for row in page.calculation.measures.rows]
    assert shown == trial.values(parse_measures("AP P@10 nDCG@10 RR".split())).tolist()
    assert "(previously 0.8056)" in page.calculation.value.text()
    for _ in range(3):
        QTest.keyClick(page.what_if.table, Key.Key_Z, Qt.KeyboardModifier.ControlModifier)
    wait_until_idle()
    assert (
        page.calculation.steps.text() == first
        and not page.what_if.can_undo
        and not find_widget(page, BY_ID["undo-step"].label, QPushButton).isEnabled()
    )
    assert project_path.read_bytes() == before


def test_reset_restores_the_projects_ranking_and_is_a_step_too(
    page: ExplainView, wait_until_idle: Idle
) -> None:
    first = page.calculation.steps.text()
    press_in_ranking(page, 0, Key.Key_0)
    changed = page.calculation.steps.text()
    page.reset()
    assert page.calculation.steps.text() == first != changed
    page.undo()
    assert page.calculation.steps.text() == changed
    wait_until_idle()


@pytest.mark.slow
@pytest.mark.parametrize(
    ("position", "key", "modifiers"),
    [
        (0, Key.Key_Up, Qt.KeyboardModifier.AltModifier),
        (0, Key.Key_9, Qt.KeyboardModifier.NoModifier),
    ],
    ids=["above the first", "no grade of the scale"],
)
def test_an_impossible_change_is_not_a_step(
    page: ExplainView, position: int, key: Key, modifiers: Qt.KeyboardModifier
) -> None:
    press_in_ranking(page, position, key, modifiers)
    assert not page.what_if.can_undo


@pytest.mark.slow
def test_giving_the_existing_grade_is_not_a_step(page: ExplainView) -> None:
    grade = page.what_if.ranking.rows[0].grade
    assert grade is not None
    press_in_ranking(page, 0, Key(Key.Key_0 + grade))
    assert not page.what_if.can_undo


@pytest.mark.slow
def test_dragging_moves_a_document(page: ExplainView, wait_until_idle: Idle) -> None:
    documents = [row.document for row in page.what_if.ranking.rows]
    page.what_if.ranking.moved.emit(4, 1)
    wait_until_idle()
    assert [row.document for row in page.what_if.ranking.rows][:5] == [
        documents[at] for at in (0, 4, 1, 2, 3)
    ]


def test_the_predicted_effect_of_a_change_is_its_effect(
    page: ExplainView, wait_until_idle: Idle
) -> None:
    text = visible_text(page.calculation)
    assert "ranks 5 and 6 " in text and "0.8333 (+0.0278)" in text
    QTest.mouseClick(
        find_widget(page.calculation, "Swap these documents", QPushButton),
        Qt.MouseButton.LeftButton,
    )
    wait_until_idle()
    assert calculated_value(page) == pytest.approx(0.8333, abs=1e-4)


@pytest.mark.slow
def test_the_best_ranking_has_nothing_to_exchange(page: ExplainView, wait_until_idle: Idle) -> None:
    enter_measure(page, "RR", wait_until_idle)
    assert "improves" in visible_text(page.calculation) and not is_shown(
        page.calculation, "Swap these documents"
    )


def test_an_invalid_name_is_reported_and_the_shown_value_is_kept(
    page: ExplainView, wait_until_idle: Idle
) -> None:
    before = page.calculation.value.text()
    enter_measure(page, "Prezision@5", wait_until_idle)
    assert page.problem.isVisible() and page.calculation.value.text() == before
    enter_measure(page, "P@5", wait_until_idle)
    assert not page.problem.isVisible() and page.calculation.value.text().startswith("P@5 = ")


def test_another_measure_is_explained_on_the_current_ranking(
    page: ExplainView, wait_until_idle: Idle
) -> None:
    press_in_ranking(page, 0, Key.Key_0)
    page.calculation.table.setCurrentIndex(page.calculation.table.model().index(3, 0))
    QTest.keyClick(page.calculation.table, Key.Key_Return)
    wait_until_idle()
    assert (
        page.measure.currentText() == "RR"
        and page.what_if.can_undo
        and calculated_value(page) == 0.5
    )


@pytest.mark.slow
def test_a_typed_measure_is_listed_with_the_chosen_ones(
    page: ExplainView, wait_until_idle: Idle
) -> None:
    enter_measure(page, "Bpref", wait_until_idle)
    assert [row[0].name for row in page.calculation.measures.rows] == [
        "AP",
        "P@10",
        "nDCG@10",
        "RR",
        "Bpref",
    ]
    assert page.calculation.table.currentIndex().row() == 4


@pytest.mark.slow
def test_another_topic_or_run_starts_without_changes(
    page: ExplainView, wait_until_idle: Idle
) -> None:
    press_in_ranking(page, 0, Key.Key_0)
    page.topic.setCurrentIndex(2)
    page.topic.activated.emit(2)
    wait_until_idle()
    assert (
        not page.what_if.can_undo
        and page.what_if.trial is not None
        and page.what_if.trial.topic == page.topic.currentData()
    )
    topic = page.topic.currentData()
    page.run.setCurrentIndex(1)
    page.run.activated.emit(1)
    wait_until_idle()
    assert page.what_if.trial is not None and (
        page.what_if.trial.run,
        page.what_if.trial.topic,
    ) == (page.run.currentText(), topic)


def test_a_topic_selected_while_a_run_is_read_is_explained_for_this_run(
    page: ExplainView, wait_until_idle: Idle
) -> None:
    page.refresh()  # as when the page is shown again
    for box, position in ((page.run, 2), (page.topic, 3)):
        box.setCurrentIndex(position)
        box.activated.emit(position)
    wait_until_idle()
    trial = page.what_if.trial
    assert trial is not None and page.topic.currentIndex() == 3
    assert (trial.run, trial.topic) == (page.run.currentText(), page.topic.currentData())
    assert page.calculation.value.text().startswith(page.measure.currentText())


def test_a_document_moved_while_a_run_is_read_does_not_stop_the_reading(
    page: ExplainView, wait_until_idle: Idle
) -> None:
    page.run.setCurrentIndex(2)
    page.run.activated.emit(2)
    press_in_ranking(page, 0, Key.Key_0)
    wait_until_idle()
    assert page.what_if.trial is not None and page.what_if.trial.run == page.run.currentText()
    assert not page.what_if.can_undo


def test_no_value_of_another_run_is_shown_after_a_cancellation(
    page: ExplainView, wait_until_idle: Idle
) -> None:
    for cancels in (True, False):
        page.run.setCurrentIndex(2)
        page.run.activated.emit(2)
        if cancels:
            page.cancel_jobs()
            page.topic.activated.emit(page.topic.currentIndex())
        wait_until_idle()
        assert page.calculation.isVisible() != cancels


@pytest.mark.slow
def test_new_judgments_are_shown_on_the_page(
    page: ExplainView, open_window: Window, wait_until_idle: Idle, qtbot: QtBot
) -> None:
    before = page.calculation.steps.text()
    assert open_window.project is not None
    choose_qrels(open_window.project, "judged here")
    open_window.show_page("judge")
    qtbot.waitUntil(lambda: open_window.judge.can_judge)
    open_window.judge.give(0)
    open_window.show_page("explain")
    wait_until_idle()
    assert (
        page.calculation.steps.text() != before
        and "Qrels: judged here (judgments: 1)." in page.description_label.text()
    )


@pytest.mark.slow
def test_the_options_stored_in_the_project_are_used(
    open_path: Callable[[Path], Window], project_path: Path
) -> None:
    with open_project(project_path) as project:
        store_options(project, EvaluationOptions("RR", rel=3, depth=2))
    page = open_path(project_path).pages.view("explain")
    assert page.measure.currentText() == "RR(rel=3)" and len(page.what_if.ranking.rows) == 2


@pytest.mark.slow
def test_without_runs_or_qrels_the_page_says_what_is_missing(
    window: Window, tmp_path: Path, project_path: Path, wait_until_idle: Idle
) -> None:
    empty = tmp_path / "empty.irjudge"
    with create_project(empty, scale=Scale.parse("binary")):
        pass
    window.open(empty)
    window.show_page("explain")
    page = window.pages.view("explain")
    assert "no runs" in page.empty.text() and not page.calculation.isVisible()
    window.open(project_path)
    window.show_page("explain")
    wait_until_idle()
    assert page.calculation.isVisible() and not page.empty.isVisible()


@pytest.mark.slow
def test_a_topic_without_documents_is_explained_too(
    open_window: Window, wait_until_idle: Idle
) -> None:
    assert open_window.project is not None
    run = open_window.project.rankings.run("bm25")
    part = run.starts[1]
    columns = {name: getattr(run, name)[:part] for name in ("document", "score", "rank", "line")}
    short = type(run)("short", run.topics[:1], np.array([0, part]), **columns)
    open_window.project.rankings.add_run(short)
    open_window.show_page("explain")
    page = open_window.pages.view("explain")
    page.set_request(ValueRequest("short", "2", "AP", EvaluationOptions("AP", topics="qrels")))
    page.refresh()
    wait_until_idle()
    assert page.what_if.ranking.rows == () and calculated_value(page) == 0


@pytest.mark.slow
def test_a_measure_typed_for_one_project_is_not_used_for_the_next(
    page: ExplainView, open_window: Window, project_path: Path, wait_until_idle: Idle
) -> None:
    enter_measure(page, "P@3", wait_until_idle)
    assert open_window.open(
        Path(shutil.copy(project_path, project_path.with_name("other.irjudge")))
    )
    open_window.show_page("explain")
    wait_until_idle()
    assert page.measure.currentText() == "AP" and page.calculation.value.text().startswith("AP = ")
