"""Tests of the evaluation table: signs, intervals, coverage, colours, and the topics below."""

import threading
from collections.abc import Callable, Iterator
from dataclasses import replace

import numpy as np
import pytest
from PySide6.QtCore import Qt
from pytestqt.qtbot import QtBot

from irjudge.evaluation import Evaluation, Policy, find_leaders, intervals
from irjudge.model import make_qrels, make_run
from irjudge.progress import Progress
from irjudge.store import Project
from irjudge_ui.models import ScoreModel
from irjudge_ui.pages.results import EvaluateView, leaderboard
from irjudge_ui.pages.results import leaderboard as evaluate_table
from irjudge_ui.pages.results.leaderboard import SAME_AS_BEST_SIGN, ScoreTable
from irjudge_ui.settings import Settings
from irjudge_ui.widgets import HEAT_ROLE, PREFIX_ROLE, SECOND_LINE_ROLE, SIGN_ROLE
from irjudge_ui.window import Window

Idle = Callable[[], None]

ONE_WINDOW = True


@pytest.fixture
def first_page() -> str:
    return "evaluate"


@pytest.fixture
def page(open_window: Window) -> EvaluateView:
    return open_window.evaluation


def cell_data(page: EvaluateView, role: int) -> Iterator[tuple[str, int, object]]:
    """Yield run, index of the measure and data of a role, for each number."""
    for row in range(page.runs.rowCount()):
        for index in range(len(page.table.measures if page.table else ())):
            cell = page.runs.index(row, index + 1)
            yield page.runs.at(cell).run, index, cell.data(role)


def click_option(page: EvaluateView, name: str, wait_until_idle: Idle) -> None:
    page.options[name].click()
    wait_until_idle()


def test_runs_that_are_not_significantly_worse_have_a_sign_and_the_best_has_none(
    page: EvaluateView,
) -> None:
    assert page.table is not None
    leaders = find_leaders(page.table)
    best = np.stack([run.summary for run in page.table.runs]).max(axis=0)
    values = {run.run: run.summary for run in page.table.runs}
    for run, position, sign in cell_data(page, SIGN_ROLE):
        assert (sign == SAME_AS_BEST_SIGN) == (
            run in leaders[position] and values[run][position] < best[position]
        )
    signs = [sign for _, _, sign in cell_data(page, SIGN_ROLE)]
    assert SAME_AS_BEST_SIGN in signs and None in signs and "≈" in page.basis_label.text()


@pytest.mark.slow
def test_run_names_are_shown_in_full_however_narrow_the_table_is(
    page: EvaluateView, qtbot: QtBot
) -> None:
    assert page.table is not None
    evaluation = replace(
        page.table,
        runs=tuple(replace(run, run=f"the system called {run.run}") for run in page.table.runs),
    )
    model = ScoreModel()
    table = ScoreTable(model, "runs")
    qtbot.addWidget(table)
    table.show()
    model.fill(list(evaluation.runs), evaluate_table.run_columns(evaluation, 4, {}, coverage=True))
    needed = max(table.fontMetrics().horizontalAdvance(run.run) for run in evaluation.runs)
    for width in range(400, 1200, 50):
        table.resize(width, 300)
        assert table.columnWidth(0) > needed, width


@pytest.mark.slow
@pytest.mark.parametrize("zoom", [1.0, 2.0])
def test_the_qrels_combo_box_shows_full_names(
    page: EvaluateView, settings: Settings, zoom: float
) -> None:
    settings.set("zoom", zoom)
    box = page.policy.qrels
    for name in map("covid-round{}".format, range(1, 60)):
        box.clear()
        box.addItem(name)
        box.resize(box.sizeHint())
        assert box.elided_text() == name


def test_intervals_equal_those_of_the_engine_and_can_be_hidden(
    page: EvaluateView, wait_until_idle: Idle
) -> None:
    assert page.table is not None
    low = page.run_table.verticalHeader().defaultSectionSize()
    click_option(page, "table_intervals", wait_until_idle)
    for run in page.table.runs:
        expected = [f"{low:.4f}–{high:.4f}" for low, high in intervals(run.values).tolist()]
        assert [
            below for name, _, below in cell_data(page, SECOND_LINE_ROLE) if name == run.run
        ] == expected
    assert page.run_table.verticalHeader().defaultSectionSize() > low
    click_option(page, "table_intervals", wait_until_idle)
    assert {below for _, _, below in cell_data(page, SECOND_LINE_ROLE)} == {None}
    assert page.run_table.verticalHeader().defaultSectionSize() == low


@pytest.mark.slow
def test_intervals_that_arrive_after_being_turned_off_are_not_shown(
    page: EvaluateView, wait_until_idle: Idle
) -> None:
    page.options["table_intervals"].click()
    page.options["table_intervals"].click()
    wait_until_idle()
    assert {below for _, _, below in cell_data(page, SECOND_LINE_ROLE)} == {None}


def test_values_that_are_not_means_have_no_interval(
    page: EvaluateView, wait_until_idle: Idle
) -> None:
    click_option(page, "table_intervals", wait_until_idle)
    page.use_measures("AP NumRel GMAP P@5")
    wait_until_idle()
    assert [
        below is not None for name, _, below in cell_data(page, SECOND_LINE_ROLE) if name == "ql"
    ] == [
        True,
        False,
        False,
        True,
    ]
    page.policy.average.setCurrentIndex(page.policy.average.findData("median"))
    page.policy.average.activated.emit(0)
    wait_until_idle()
    assert page.evaluation_options().policy().average == "median" and {
        below for _, _, below in cell_data(page, SECOND_LINE_ROLE)
    } == {None}


def test_all_data_behind_the_means_can_be_shown(page: EvaluateView, wait_until_idle: Idle) -> None:
    few = page.runs.columnCount()
    click_option(page, "table_coverage", wait_until_idle)
    assert page.table is not None
    headers = [column.header for column in page.runs.columns][few - 2 :]
    assert headers == [
        "Topics",
        "Missing",
        "Not in qrels",
        "None relevant",
        "Tied",
        "Unjudged@10",
        "Possible ranks",
    ]
    for row, run in enumerate(page.table.runs):
        coverage = run.coverage
        counts = (
            coverage.topics,
            coverage.missing,
            coverage.unjudged_topics,
            coverage.without_relevant,
            coverage.tied,
        )
        shown = page.runs.line_of(row)
        assert [shown.siblingAtColumn(few - 2 + at).data() for at in range(5)] == [
            f"{count:,}" for count in counts
        ]


def test_numbers_are_coloured_unless_turned_off_and_the_choice_is_remembered(
    page: EvaluateView, wait_until_idle: Idle, settings: Settings
) -> None:
    assert {heat for _, position, heat in cell_data(page, HEAT_ROLE) if position == 0} >= {0.0, 1.0}
    click_option(page, "table_colours", wait_until_idle)
    assert {heat for _, _, heat in cell_data(page, HEAT_ROLE)} == {None}
    assert settings.get("table_colours") is False
    assert EvaluateView(settings).runs.coloured is False


@pytest.mark.slow
@pytest.mark.parametrize(
    ("field", "word", "policy"),
    [
        ("profile", "trec_eval-9", Policy(profile="trec_eval-9")),
        ("average", "geometric", Policy(average="geometric")),
        ("ties", "docno", Policy(ties="docno")),
    ],
)
def test_each_policy_option_is_used_described_and_stored(
    page: EvaluateView, wait_until_idle: Idle, field: str, word: str, policy: Policy
) -> None:
    box = getattr(page.policy, field)
    box.setCurrentIndex(box.findData(word))
    box.activated.emit(box.currentIndex())
    wait_until_idle()
    assert (
        page.table is not None and page.table.policy == policy and word in page.basis_label.text()
    )
    page.show_project(page.project)
    assert page.evaluation_options().policy() == policy


@pytest.mark.slow
def test_only_the_top_of_each_ranking_counts_if_a_depth_is_given(
    page: EvaluateView, wait_until_idle: Idle
) -> None:
    page.policy.depth_field._enter(2)
    wait_until_idle()
    assert (
        page.table is not None
        and page.table.policy == Policy(depth=2)
        and "ranks 1 to 2 " in page.basis_label.text()
    )


def test_an_average_that_a_measure_does_not_have_is_reported(
    page: EvaluateView, wait_until_idle: Idle
) -> None:
    page.policy.average.setCurrentIndex(page.policy.average.findData("micro"))
    page.policy.average.activated.emit(0)
    wait_until_idle()
    assert "no micro average" in page.problem.text() and not page.has_table


def test_other_qrels_are_used_and_the_choice_is_stored(
    page: EvaluateView, wait_until_idle: Idle
) -> None:
    project = page.project
    assert isinstance(project, Project)
    project.rankings.add_qrels("none", make_qrels([("1", "nothing", 1)]))
    page.refresh()
    wait_until_idle()
    assert (
        page.policy.choice() == page.evaluation_options().choice(project)
        and page.evaluation_options().qrels == ""
    )
    page.policy.qrels.setCurrentIndex(1)
    page.policy.qrels.activated.emit(1)
    wait_until_idle()
    assert (
        page.table is not None
        and page.table.runs[0].topics == ("1",)
        and page.evaluation_options().qrels == "none"
    )
    page.show_project(project)
    page.refresh()
    wait_until_idle()
    choice = page.policy.choice()
    assert choice is not None and choice.name == "none"


def test_of_many_runs_the_selected_one_the_median_and_the_highest_are_shown(
    page: EvaluateView, wait_until_idle: Idle, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(evaluate_table, "MAX_RUNS", 3)
    page.run_table.setCurrentIndex(page.run_table.model().index(3, 1))
    assert page.results is not None
    names = [column.header for column in page.topic_values.model.columns]
    assert names == ["Topic", page.topic_values._names[0], "Median of 4 runs", "Highest"]
    values = page.results.values[0]
    for column, (_, *shown) in enumerate(page.topic_values.model.rows):
        assert shown[1:] == pytest.approx([np.median(values[:, column]), values[:, column].max()])


@pytest.mark.slow
def test_a_topic_missing_from_a_run_is_a_dash(page: EvaluateView, wait_until_idle: Idle) -> None:
    assert page.project is not None
    page.project.rankings.add_run(make_run("short", [("1", "nothing", 1.0)]))
    page.refresh()
    wait_until_idle()
    index = page.topic_values._names.index("short") + 1
    assert [page.topic_values.model.index(row, index).data() for row in range(3)] == [
        "0.0000",
        "–",
        "–",
    ]


@pytest.mark.slow
def test_results_for_an_older_table_are_never_shown(
    page: EvaluateView, wait_until_idle: Idle, monkeypatch: pytest.MonkeyPatch, qtbot: QtBot
) -> None:
    go, asked = threading.Event(), []

    def slow(table: Evaluation, _progress: Progress) -> dict[tuple[int, int], str]:
        asked.append(table)
        if len(asked) == 1:
            go.wait(5)
        return {(0, 1): f"sign {len(table.measures)}"}

    monkeypatch.setattr(leaderboard, "significance_signs", slow)
    page.use_measures("P@5")
    qtbot.waitUntil(lambda: len(asked) == 1)
    page.use_measures("P@5 AP")
    qtbot.waitUntil(lambda: page.runs.index(0, 1).data(SIGN_ROLE) == "sign 2")
    go.set()
    wait_until_idle()
    assert page.runs.index(0, 1).data(SIGN_ROLE) == "sign 2"


@pytest.mark.slow
def test_the_policy_is_shown_in_one_line_until_it_is_edited(
    page: EvaluateView, wait_until_idle: Idle, press: Callable[..., None]
) -> None:
    parts = page.policy.summary.text().split(" · ")
    assert [each.split()[-1] for each in parts] == [
        "run",
        "trec_eval",
        "higher",  # grade 1 or higher
        "mean",
        "definitions",
    ]
    assert page.policy.qrels.isVisible() and not page.policy.topics.isVisible()
    page.policy.change.setFocus()
    press(Qt.Key.Key_Space)
    assert page.policy.topics.isVisible()
    page.policy.depth_field._enter(3)
    wait_until_idle()
    assert "only ranks 1 to 3" in page.policy.summary.text()


def test_runs_shown_alone_while_all_are_compared_have_their_own_positions(
    page: EvaluateView, wait_until_idle: Idle
) -> None:
    assert page.table is not None
    page.board.show_table(page.table)
    page.board.show_only(frozenset({"ql", "title"}))
    wait_until_idle()
    positions = {
        page.runs.rows[row].run: position
        for (row, _), position in page.runs.annotations(PREFIX_ROLE).items()
    }
    assert positions == {"ql": "1", "title": "2"}
    assert "over 1 comparisons" in page.basis_label.text()
