"""Tests of live evaluation: the engine's intervals, final values, and the next document."""

import threading
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QLabel, QPushButton
from pytestqt.modeltest import ModelTester
from pytestqt.qtbot import QtBot

from irjudge.errors import IrjudgeError
from irjudge.evaluation import (
    DEFAULT_LIVE_MEASURES,
    BoundsSetting,
    compute_project_live_table,
    find_decisive_documents,
    parse_measures,
    run_orderings,
)
from irjudge.judging import QueueItem, Session, choose_qrels, exclude_assessor
from irjudge.model import AssignedItem, Assignment, Scale
from irjudge.model.scale import Grade
from irjudge.store import (
    ImportReport,
    create_project,
    create_project_from_files,
    open_project,
    sample_sources,
)
from irjudge_ui.pages.frame import CrashDialog
from irjudge_ui.pages.results import live
from irjudge_ui.pages.results.live import LiveView
from irjudge_ui.widgets import Table
from irjudge_ui.window import Window
from tests.numbers_in_text import find_numbers
from tests.ui.window_content import find_widget, is_shown, selected_row, visible_text

ONE_WINDOW = True


@pytest.fixture
def first_page() -> str:
    return "home"  # opened after judging


@pytest.fixture
def page(open_window: Window, wait_until_idle: Callable[[], None]) -> LiveView:
    """The live page of the sample with the first topic judged."""
    judge_topics(open_window, 1)
    assert open_window.project is not None
    choose_qrels(open_window.project, "judged here")
    return open_live_page(open_window, wait_until_idle)


def judge_topics(window: Window, count: int) -> None:
    assert window.project is not None
    session = Session(window.project)
    pool = window.project.rankings.pool()
    assert pool is not None
    for topic in pool.topics[:count]:
        session.open_topic(topic)
        while session.count(topic).left:
            work = session.current()
            assert work is not None
            session.grade(
                work, 1 + len(work.queue_item.document) % 2 if session.count(topic).left % 2 else 0
            )
            session.advance()


def open_live_page(window: Window, wait_until_idle: Callable[[], None]) -> LiveView:
    window.show_page("live")
    wait_until_idle()
    view = window.pages.view("live")
    assert isinstance(view, LiveView)
    return view


def column_texts(model: Any, position: int) -> list[str]:
    return [str(model.index(row, position).data()) for row in range(model.rowCount())]


def enter_measures(page: LiveView, measures: str) -> None:
    page.chips.edit()
    QTest.keyClicks(page.measures, measures)
    QTest.keyClick(page.measures, Qt.Key.Key_Return)


def choose_item(box: Any, data: str) -> None:
    box.setCurrentIndex(box.findData(data))
    box.activated.emit(box.currentIndex())


@pytest.mark.slow
def test_the_tables_show_the_engines_intervals_orderings_and_documents(
    page: LiveView, qtmodeltester: ModelTester
) -> None:
    assert page.project is not None and page.table is not None
    measures = parse_measures(list(DEFAULT_LIVE_MEASURES))
    table = compute_project_live_table(page.project, measures, setting=BoundsSetting("pool"))
    assert page.table.judged == table.judged > 0 and page.table.pooled == table.pooled
    for index in range(len(measures)):
        cells = [table.cell(run, index) for run in table.runs]
        assert column_texts(page.runs, index + 1) == [
            f"{value:.4f} {low:.4f} to {high:.4f}" for value, low, high in cells
        ]
    first = table.runs[0].run
    orderings = run_orderings(table, first, measures[0])
    assert column_texts(page.orderings, 0) == [each.run_b for each in orderings]
    other = selected_row(find_widget(page, "Pairs of runs", Table))[0]
    expected = find_decisive_documents(table, first, other, measures[0], 20)
    assert [each.decisive for each in page.next.rows] == expected and expected
    assert "values can still change" in page.can_change.text() and first in visible_text(page)
    assert "in the qrels" in page.basis_label.text()
    for model in (page.runs, page.orderings, page.next):
        qtmodeltester.check(model)


@pytest.mark.slow
def test_another_run_measure_or_assumption_gives_other_tables(
    page: LiveView, wait_until_idle: Callable[[], None]
) -> None:
    before = column_texts(page.runs, 2), column_texts(page.orderings, 2)
    page.run_table.selectRow(2)
    wait_until_idle()
    assert column_texts(page.orderings, 0) == [
        name for name in column_texts(page.runs, 0) if name != selected_row(page.run_table)[0]
    ]
    by_precision = column_texts(page.orderings, 2)
    choose_item(page.measure, "nDCG@10")
    wait_until_idle()
    assert column_texts(page.orderings, 2) != by_precision and "by nDCG@10" in visible_text(page)
    choose_item(page.world, "open")
    wait_until_idle()
    assert (
        column_texts(page.runs, 2) != before[0] and "unjudged document" in page.basis_label.text()
    )
    assert page.measure.currentData() == "nDCG@10" and page.run_table.currentIndex().row() == 2, (
        "what was chosen stays chosen"
    )


@pytest.mark.slow
def test_further_judging_narrows_the_intervals_when_the_page_is_shown_again(
    page: LiveView, open_window: Window, wait_until_idle: Callable[[], None]
) -> None:
    assert page.table is not None
    before = page.table
    assert open_live_page(open_window, wait_until_idle).table is before, (
        "nothing was judged, nothing is computed"
    )
    judge_topics(open_window, 2)
    now = open_live_page(open_window, wait_until_idle).table
    assert now is not None and now.judged > before.judged
    for index in range(len(now.measures)):
        for was, run in zip(before.runs, now.runs, strict=True):
            (_, low, high), (_, lower, higher) = now.cell(run, index), before.cell(was, index)
            assert (
                None not in (low, high, lower, higher)
                and lower - 1e-12 <= low
                and high <= higher + 1e-12
            )  # type: ignore[operator]


def test_when_everything_is_judged_the_values_are_final(
    open_window: Window, wait_until_idle: Callable[[], None]
) -> None:
    judge_topics(open_window, 99)
    page = open_live_page(open_window, wait_until_idle)
    assert "are final" in page.can_change.text() and not find_numbers(page.can_change.text())
    assert all(
        cell.endswith("final") for cell in column_texts(page.runs, 1)
    ) and "0 of " in visible_text(page)
    assert (
        page.next.rows == []
        and "No unjudged document" in visible_text(page)
        and not find_widget(page, "Judge this topic", QPushButton).isEnabled()
    )


@pytest.mark.slow
def test_nothing_is_final_while_an_assigned_judgment_is_outstanding(
    open_window: Window, wait_until_idle: Callable[[], None]
) -> None:
    project = open_window.project
    assert project is not None
    pool = project.rankings.pool()
    assert pool is not None
    pairs = [
        (pool.topics[code], document)
        for code, document in zip(pool.topic.tolist(), pool.document.to_pylist(), strict=True)
    ]
    for name, judged in (("ann", pairs), ("bob", pairs), ("cleo", pairs[2:])):
        project.assignments.add(
            Assignment(0, name, name, "grade", 1),
            [AssignedItem(topic, ((document,),)) for topic, document in pairs],
        )
        session = Session(project, name)
        for pair in judged:
            session.grade(session.open_item(QueueItem(*pair)), 1)
    page = open_live_page(open_window, wait_until_idle)
    assert (
        page.qrels.currentData() == "consensus"
        and page.table is not None
        and page.table.outstanding == 2
    )
    assert (
        "2 more judgments are outstanding" in page.can_change.text()
        and "final" in page.can_change.text()
    )
    assert is_shown(
        page, "Documents with a judgment"
    ) and page.table.judged == page.table.pooled == len(pairs)
    assert not any(
        cell.endswith("final") for index in range(1, 5) for cell in column_texts(page.runs, index)
    )
    choose_item(page.world, "open")
    wait_until_idle()
    assert "2 judgments are outstanding" in page.can_change.text()
    assert "are final" not in page.can_change.text(), "they are not all that is open"
    choose_item(page.world, "pool")
    choose_item(page.qrels, "assessor ann")
    wait_until_idle()
    assert (
        page.can_change.text().startswith("0 of ")
        and find_numbers(page.can_change.text())[-1] == "2"
    )
    assert not any(cell.endswith("final") for cell in column_texts(page.runs, 1))
    choose_item(page.qrels, "qrels")
    wait_until_idle()
    assert "owe" not in page.can_change.text(), "imported qrels wait for nobody"
    choose_item(page.qrels, "consensus")
    wait_until_idle()
    exclude_assessor(project, "cleo")
    page = open_live_page(open_window, wait_until_idle)
    assert "are final" in page.can_change.text() and not find_numbers(page.can_change.text())
    assert all(cell.endswith("final") for cell in column_texts(page.runs, 1))


def test_measures_without_bounds_are_provisional_and_decide_nothing(
    page: LiveView, wait_until_idle: Callable[[], None]
) -> None:
    enter_measures(page, "infAP P@3")
    wait_until_idle()
    assert (
        all(cell.endswith("provisional") for cell in column_texts(page.runs, 1))
        and "infAP has no bounds" in page.basis_label.text()
    )
    assert set(column_texts(page.orderings, 1)) == {"provisional"} and page.next.rows == []
    assert find_numbers(page.can_change.text())[-1] == str(len(page.runs.rows))


def test_values_without_bounds_are_not_called_final(
    page: LiveView, wait_until_idle: Callable[[], None]
) -> None:
    enter_measures(page, "infAP")
    wait_until_idle()
    assert not find_numbers(page.can_change.text()) and "final" not in page.can_change.text()


def test_an_invalid_measure_is_reported_and_the_table_is_kept(
    page: LiveView, wait_until_idle: Callable[[], None]
) -> None:
    before = column_texts(page.runs, 1)
    enter_measures(page, "Prezision@10")
    wait_until_idle()
    assert (
        page.problem.isVisible()
        and "Prezision" in page.problem.text()
        and column_texts(page.runs, 1) == before
    )
    enter_measures(page, "P@10")
    wait_until_idle()
    assert not page.problem.isVisible() and page.runs.columnCount() == 2
    enter_measures(page, "Prezision@10")
    assert page.problem.isVisible()
    enter_measures(page, "P@10")  # as before, so that nothing is computed
    assert not page.problem.isVisible() and page.runs.columnCount() == 2


@pytest.mark.slow
def test_measures_and_assumption_are_stored_in_the_project(
    page: LiveView, open_window: Window, wait_until_idle: Callable[[], None], project_path: Path
) -> None:
    enter_measures(page, "RR P@3")
    choose_item(page.world, "open")
    wait_until_idle()
    open_window.reopen()
    wait_until_idle()
    again = open_live_page(open_window, wait_until_idle)
    assert (again.measures.text(), again.world.currentData()) == ("RR P@3", "open")


def test_the_selected_document_leads_to_its_topic(
    page: LiveView, open_window: Window, qtbot: QtBot, wait_until_idle: Callable[[], None]
) -> None:
    topic = page.next.rows[-1].decisive.topic
    find_widget(page, "Documents to judge next", Table).selectRow(len(page.next.rows) - 1)
    assert find_widget(page, "Judge this topic", QPushButton).isEnabled()
    find_widget(page, "Judge this topic", QPushButton).click()
    wait_until_idle()
    qtbot.waitUntil(lambda: open_window.judge.can_judge)
    assert open_window.pages.on_top() == "judge"
    assert open_window.judge.session is not None
    work = open_window.judge.session.current()
    assert work is not None and work.queue_item.topic == topic


def state_texts(page: LiveView) -> list[str]:
    return (
        [label.text() for label in page.state_stack.page.findChildren(QLabel)]
        if page.state_stack.page
        else []
    )


def test_without_runs_or_a_pool_the_page_says_what_to_do(
    window: Window, tmp_path: Path, wait_until_idle: Callable[[], None]
) -> None:
    empty = tmp_path / "empty.irjudge"
    with create_project(empty, scale=Scale.parse("binary")):
        pass
    window.open(empty)
    assert state_texts(open_live_page(window, wait_until_idle))[0] == "No runs yet"
    sources, scale = sample_sources("everyday")
    report: ImportReport = create_project_from_files(
        tmp_path / "runs.irjudge",
        type(sources)(**{**source_files(sources), "qrels": ()}),
        scale=scale,
    )
    assert report
    window.open(tmp_path / "runs.irjudge")
    page = open_live_page(window, wait_until_idle)
    assert state_texts(page)[0] == "No pool yet" and page.state_stack.page is not None
    page.state_stack.page.buttons[0].click()
    assert window.pages.on_top() == "collection"


def source_files(sources: Any) -> dict[str, Any]:
    return {name: getattr(sources, name) for name in type(sources).__slots__}


def test_a_scale_without_0_has_no_bounds_and_says_so(
    window: Window, tmp_path: Path, wait_until_idle: Callable[[], None]
) -> None:
    sources, _ = sample_sources("everyday")
    path = tmp_path / "from-1.irjudge"
    create_project_from_files(
        path,
        type(sources)(**{**source_files(sources), "qrels": ()}),
        scale=Scale("1-2", (Grade(1, "little"), Grade(2, "much"))),
    )
    window.open(path)
    window.show_page("collection")
    window.collection.build_pool()
    wait_until_idle()
    page = open_live_page(window, wait_until_idle)
    assert "lowest grade" in page.problem.text()


@pytest.mark.slow
def test_an_internal_error_is_shown_with_details(
    page: LiveView,
    open_window: Window,
    wait_until_idle: Callable[[], None],
    monkeypatch: pytest.MonkeyPatch,
    qtbot: QtBot,
) -> None:
    def broken(*_: object) -> None:
        raise ZeroDivisionError

    monkeypatch.setattr(live, "compute_project_live_table", broken)
    enter_measures(page, "P@4")
    wait_until_idle()
    dialog = open_window.findChild(CrashDialog)
    assert dialog is not None and "in broken" in dialog.details
    with qtbot.waitSignal(dialog.destroyed):
        dialog.close()


@pytest.mark.slow
def test_a_cancelled_request_never_overwrites_a_newer_one(
    page: LiveView, wait_until_idle: Callable[[], None], monkeypatch: pytest.MonkeyPatch
) -> None:
    real = live.compute_project_live_table

    def fail_late(project: Any, measures: Any, *rest: Any) -> Any:
        if measures[0].name == "P@1":
            raise IrjudgeError("too late")
        return real(project, measures, *rest)

    monkeypatch.setattr(live, "compute_project_live_table", fail_late)
    enter_measures(page, "P@1")
    enter_measures(page, "P@7")
    wait_until_idle()
    assert page.runs.columns[1].header == "P@7" and not page.problem.isVisible()


@pytest.mark.slow
def test_selecting_a_run_does_not_stop_a_running_computation(
    page: LiveView, wait_until_idle: Callable[[], None], monkeypatch: pytest.MonkeyPatch
) -> None:
    real, go = live.compute_project_live_table, threading.Event()

    def slow(*asked: Any) -> Any:
        go.wait(5)
        return real(*asked)

    monkeypatch.setattr(live, "compute_project_live_table", slow)
    enter_measures(page, "P@7")
    page.run_table.selectRow(1)
    go.set()
    wait_until_idle()
    assert page.runs.columns[1].header == "P@7" and page.run_table.currentIndex().row() == 1


def test_an_ordering_selected_while_orderings_are_computed_does_not_stop_the_computation(
    page: LiveView, wait_until_idle: Callable[[], None]
) -> None:
    pairs = find_widget(page, "Pairs of runs", Table)
    page.run_table.selectRow(2)
    pairs.selectRow(1)
    wait_until_idle()
    assert page.table is not None
    name, measure = selected_row(page.run_table)[0], page.table.measures[0]
    assert page.orderings.rows == run_orderings(page.table, name, measure)
    other = selected_row(pairs)[0]
    assert [document.decisive for document in page.next.rows] == find_decisive_documents(
        page.table, name, other, measure, 20
    )
    assert name in page._next_text.text() and other in page._next_text.text()


def test_no_result_of_another_selection_is_shown_after_a_cancellation(
    page: LiveView, wait_until_idle: Callable[[], None]
) -> None:
    page.run_table.selectRow(1)
    page.cancel_jobs()
    assert page.runs.rows and not page.orderings.rows and not page.next.rows
    enter_measures(page, "P@7")
    page.cancel_jobs()
    assert not page.runs.rows and not page.basis_label.text()
    page.refresh()
    wait_until_idle()
    assert page.runs.rows and page.orderings.rows and page.runs.columns[1].header == "P@7"


@pytest.mark.slow
def test_a_result_for_a_closed_project_is_not_shown(
    page: LiveView,
    open_window: Window,
    wait_until_idle: Callable[[], None],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    real, go = live.compute_project_live_table, threading.Event()

    def slow(*asked: Any) -> Any:
        go.wait(5)
        return real(*asked)

    monkeypatch.setattr(live, "compute_project_live_table", slow)
    enter_measures(page, "P@7")
    page.show_project(None)
    go.set()
    wait_until_idle()
    assert page.table is None and page.runs.rows == []


def test_other_qrels_can_be_selected_if_there_are_any(
    page: LiveView, open_window: Window, wait_until_idle: Callable[[], None]
) -> None:
    assert open_window.project is not None
    names = [page.qrels.itemData(index) for index in range(page.qrels.count())]
    assert names == ["judged here", "qrels"] and page.qrels.isVisibleTo(page)
    before = column_texts(page.runs, 1)
    choose_item(page.qrels, "qrels")
    wait_until_idle()
    assert column_texts(page.runs, 1) != before


@pytest.mark.slow
def test_another_project_starts_with_its_default_measure_and_qrels(
    page: LiveView,
    open_window: Window,
    open_fresh_copy: Callable[[], Window],
    wait_until_idle: Callable[[], None],
) -> None:
    for box in (page.measure, page.qrels):
        box.setCurrentIndex(1)
    judge_topics(open_fresh_copy(), 1)
    open_live_page(open_window, wait_until_idle)
    assert [(box.currentIndex(), box.count() > 1) for box in (page.measure, page.qrels)] == [
        (0, True),
        (0, True),
    ]


@pytest.mark.slow
def test_a_read_only_project_shows_intervals_and_judges_nothing(
    project_path: Path, window: Window, wait_until_idle: Callable[[], None]
) -> None:
    with open_project(project_path) as busy:
        session = Session(busy)
        work = session.current()
        assert work is not None
        session.grade(work, 1)
        choose_qrels(busy, "judged here")
        window.open(project_path)
        page = open_live_page(window, wait_until_idle)
        assert (
            page.table is not None
            and page.next.rows
            and not find_widget(page, "Judge this topic", QPushButton).isEnabled()
            and not page.can_judge_next
        )
