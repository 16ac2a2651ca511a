"""The explanation page: the number the table shows, where it comes from, and what it would be; the project stays as it is."""

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
from irjudge.metrics import list_measures
from irjudge.model import Scale
from irjudge.store import create_project, open_project
from irjudge_ui.actions import BY_ID
from irjudge_ui.pages.results.explain import ExplainView
from irjudge_ui.pages.results.measure_chooser import default_name
from irjudge_ui.pages.results.what_if import DOCUMENT_COLUMN
from irjudge_ui.pages.shared import EvaluationOptions, ValueRequest, store_options
from irjudge_ui.widgets import Table
from irjudge_ui.window import Window
from tests.ui.shown import is_shown, named, says

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


def type_measure(page: ExplainView, name: str, idle: Idle) -> None:
    page.measure.setEditText(name)
    QTest.keyClick(page.measure.lineEdit(), Key.Key_Return)
    idle()


def full_value(page: ExplainView) -> float:
    """The last line of the calculation."""
    return float(page.calculation.steps.text().splitlines()[-1].rpartition(" = ")[2])


def press(
    page: ExplainView,
    place: int,
    key: Key,
    modifiers: Qt.KeyboardModifier = Qt.KeyboardModifier.NoModifier,
) -> None:
    page.what_if.table.setCurrentIndex(page.what_if.ranking.index(place, DOCUMENT_COLUMN))
    QTest.keyClick(page.what_if.table, key, modifiers)


@pytest.mark.slow
def test_it_begins_with_the_first_run_topic_and_measure(page: ExplainView) -> None:
    assert (page.run.currentText(), page.topic.currentData(), page.measure.currentText()) == (
        "bm25",
        "1",
        "AP",
    )
    assert page.calculation.value.text().startswith("AP = 0.") and not page.can_undo
    assert "coasts" in page.description_label.text(), "the topic in its own words"


@pytest.mark.slow
def test_the_last_line_of_every_measure_is_the_value_of_the_table(
    page: ExplainView, idle: Idle, full: bool
) -> None:
    assert page.project is not None
    # side files are not in the project
    declared = [each for each in list_measures() if not {*each.needs} - {"subtopics"}]
    names = [default_name(declaration) for declaration in declared][:: 1 if full else 4]
    table = evaluate_project(page.project, parse_measures(names))
    run = next(run for run in table.runs if run.run == "tfidf")
    page.set_request(ValueRequest("tfidf", "4", "AP", EvaluationOptions("AP")))
    page.refresh()
    idle()
    for measure, value in zip(
        table.measures, run.values[:, run.topics.index("4")].tolist(), strict=True
    ):
        type_measure(page, measure.name, idle)
        assert full_value(page) == value, measure.name


@pytest.mark.slow
def test_a_number_of_the_table_opens_with_the_policy_it_was_made_with(
    open_window: Window, idle: Idle
) -> None:
    open_window.show_page("evaluate")
    idle()
    results = open_window.evaluation
    results.policy.rel.set_value(2)
    results.use_measures("P@5 AP")
    idle()
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
    idle()
    page = open_window.pages.view("explain")
    assert open_window.pages.on_top() == "explain"
    assert (page.run.currentText(), page.topic.currentData(), page.measure.currentText()) == (
        run,
        topic,
        "AP(rel=2)",
    )
    assert (
        full_value(page) == pytest.approx(values[0], abs=1e-4)
        and "Relevant: grade 2 or more." in page.calculation.steps.text()
    )


def test_another_column_of_the_topics_opens_the_run_of_that_column(
    open_window: Window, idle: Idle
) -> None:
    open_window.show_page("evaluate")
    idle()
    drill = open_window.evaluation.topic_values
    drill.table.setCurrentIndex(drill.table.model().index(0, 3))
    drill.table.opened.emit(0)
    idle()
    assert open_window.pages.view("explain").run.currentText() == drill.model.columns[3].header


@pytest.mark.slow
def test_the_least_average_precision_stands_beside_it(page: ExplainView, idle: Idle) -> None:
    type_measure(page, "AP", idle)
    assert "APmin(universe=collection)" in says(page)


@pytest.mark.slow
def test_the_ranking_shows_grades_and_what_runs_along(page: ExplainView) -> None:
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
def test_the_ideal_ranking_takes_no_room_from_titles_where_no_gain_is_compared(
    page: ExplainView, idle: Idle
) -> None:
    def shown() -> list[str]:
        tables = page.what_if.findChildren(Table)
        return [each.accessibleName() for each in tables if each.isVisible()]

    type_measure(page, "AP", idle)
    wide = page.what_if.table.width()
    assert shown() == ["Ranking"]
    type_measure(page, "nDCG@10", idle)
    assert shown() == ["Ranking", "Ideal ranking"] and page.what_if.table.width() < 0.85 * wide
    type_measure(page, "P@5", idle)
    assert shown() == ["Ranking"] and page.what_if.table.width() == wide


@pytest.mark.slow
def test_every_step_changes_every_measure_and_can_be_taken_back(
    page: ExplainView, idle: Idle, project_path: Path
) -> None:
    before, first = project_path.read_bytes(), page.calculation.steps.text()
    press(page, 0, Key.Key_Down, Qt.KeyboardModifier.AltModifier)
    press(page, 2, Key.Key_0)
    press(page, 3, Key.Key_Delete)
    idle()
    assert page.what_if.table.currentIndex().row() == 3, "the document that was graded stays marked"
    assert [row.grade for row in page.what_if.ranking.rows[2:4]] == [0, None]
    trial = page.what_if.trial
    assert trial is not None and page.what_if.first is not None
    shown = [row[2] for row in page.calculation.measures.rows]
    assert shown == trial.values(parse_measures("AP P@10 nDCG@10 RR".split())).tolist()
    assert "(previously 0.8056)" in page.calculation.value.text()
    for _ in range(3):
        QTest.keyClick(page.what_if.table, Key.Key_Z, Qt.KeyboardModifier.ControlModifier)
    idle()
    assert (
        page.calculation.steps.text() == first
        and not page.can_undo
        and not named(page, BY_ID["undo-step"].label, QPushButton).isEnabled()
    )
    assert project_path.read_bytes() == before


def test_reset_shows_the_project_again_and_is_a_step_too(page: ExplainView, idle: Idle) -> None:
    first = page.calculation.steps.text()
    press(page, 0, Key.Key_0)
    changed = page.calculation.steps.text()
    page.reset()
    assert page.calculation.steps.text() == first != changed
    page.undo()
    assert page.calculation.steps.text() == changed
    idle()


@pytest.mark.slow
@pytest.mark.parametrize(
    ("place", "key", "modifiers"),
    [
        (0, Key.Key_Up, Qt.KeyboardModifier.AltModifier),
        (0, Key.Key_9, Qt.KeyboardModifier.NoModifier),
    ],
    ids=["above the first", "no grade of the scale"],
)
def test_what_cannot_be_done_is_no_step(
    page: ExplainView, place: int, key: Key, modifiers: Qt.KeyboardModifier
) -> None:
    press(page, place, key, modifiers)
    assert not page.can_undo


@pytest.mark.slow
def test_the_grade_a_document_has_is_no_step(page: ExplainView) -> None:
    grade = page.what_if.ranking.rows[0].grade
    assert grade is not None
    press(page, 0, Key(Key.Key_0 + grade))
    assert not page.can_undo


@pytest.mark.slow
def test_dragging_moves_a_document(page: ExplainView, idle: Idle) -> None:
    documents = [row.document for row in page.what_if.ranking.rows]
    page.what_if.ranking.moved.emit(4, 1)
    idle()
    assert [row.document for row in page.what_if.ranking.rows][:5] == [
        documents[at] for at in (0, 4, 1, 2, 3)
    ]


def test_what_would_change_it_is_true_when_it_is_done(page: ExplainView, idle: Idle) -> None:
    words = says(page.calculation)
    assert "ranks 5 and 6 " in words and "0.8333 (+0.0278)" in words
    QTest.mouseClick(
        named(page.calculation, "Swap these documents", QPushButton), Qt.MouseButton.LeftButton
    )
    idle()
    assert full_value(page) == pytest.approx(0.8333, abs=1e-4)


@pytest.mark.slow
def test_the_best_ranking_has_nothing_to_exchange(page: ExplainView, idle: Idle) -> None:
    type_measure(page, "RR", idle)
    assert "increases" in says(page.calculation) and not is_shown(
        page.calculation, "Swap these documents"
    )


def test_a_wrong_name_says_so_and_keeps_what_is_shown(page: ExplainView, idle: Idle) -> None:
    before = page.calculation.value.text()
    type_measure(page, "Prezision@5", idle)
    assert page.problem.isVisible() and page.calculation.value.text() == before
    type_measure(page, "P@5", idle)
    assert not page.problem.isVisible() and page.calculation.value.text().startswith("P@5 = ")


def test_another_measure_is_explained_on_the_ranking_as_it_is(
    page: ExplainView, idle: Idle
) -> None:
    press(page, 0, Key.Key_0)
    page.calculation.table.setCurrentIndex(page.calculation.table.model().index(3, 0))
    QTest.keyClick(page.calculation.table, Key.Key_Return)
    idle()
    assert page.measure.currentText() == "RR" and page.can_undo and full_value(page) == 0.5


@pytest.mark.slow
def test_a_measure_that_is_typed_stands_beside_the_chosen_ones(
    page: ExplainView, idle: Idle
) -> None:
    type_measure(page, "Bpref", idle)
    assert [row[0].name for row in page.calculation.measures.rows] == [
        "AP",
        "P@10",
        "nDCG@10",
        "RR",
        "Bpref",
    ]
    assert page.calculation.table.currentIndex().row() == 4


@pytest.mark.slow
def test_another_topic_or_run_begins_anew(page: ExplainView, idle: Idle) -> None:
    press(page, 0, Key.Key_0)
    page.topic.setCurrentIndex(2)
    page.topic.activated.emit(2)
    idle()
    assert (
        not page.can_undo
        and page.what_if.trial is not None
        and page.what_if.trial.topic == page.topic.currentData()
    )
    topic = page.topic.currentData()
    page.run.setCurrentIndex(1)
    page.run.activated.emit(1)
    idle()
    assert page.what_if.trial is not None and (
        page.what_if.trial.run,
        page.what_if.trial.topic,
    ) == (page.run.currentText(), topic)


@pytest.mark.slow
def test_the_page_shows_what_was_judged_meanwhile(
    page: ExplainView, open_window: Window, idle: Idle, qtbot: QtBot
) -> None:
    before = page.calculation.steps.text()
    assert open_window.project is not None
    choose_qrels(open_window.project, "judged here")
    open_window.show_page("judge")
    qtbot.waitUntil(lambda: open_window.judge.can_judge)
    open_window.judge.give(0)
    open_window.show_page("explain")
    idle()
    assert (
        page.calculation.steps.text() != before
        and "Qrels: judged here (judgments: 1)." in page.description_label.text()
    )


@pytest.mark.slow
def test_the_wish_that_the_project_keeps_is_used(
    opened: Callable[[Path], Window], project_path: Path
) -> None:
    with open_project(project_path) as project:
        store_options(project, EvaluationOptions("RR", rel=3, depth=2))
    page = opened(project_path).pages.view("explain")
    assert page.measure.currentText() == "RR(rel=3)" and len(page.what_if.ranking.rows) == 2


@pytest.mark.slow
def test_without_runs_or_qrels_the_page_says_what_is_missing(
    window: Window, tmp_path: Path, project_path: Path, idle: Idle
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
    idle()
    assert page.calculation.isVisible() and not page.empty.isVisible()


@pytest.mark.slow
def test_a_topic_without_documents_is_explained_too(open_window: Window, idle: Idle) -> None:
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
    idle()
    assert page.what_if.ranking.rows == () and full_value(page) == 0


@pytest.mark.slow
def test_a_measure_typed_for_one_project_is_none_of_the_next(
    page: ExplainView, open_window: Window, project_path: Path, idle: Idle
) -> None:
    type_measure(page, "P@3", idle)
    assert open_window.open(
        Path(shutil.copy(project_path, project_path.with_name("other.irjudge")))
    )
    open_window.show_page("explain")
    idle()
    assert page.measure.currentText() == "AP" and page.calculation.value.text().startswith("AP = ")
