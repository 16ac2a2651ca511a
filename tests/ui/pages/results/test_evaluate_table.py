"""What stands around the numbers of the evaluation page: signs, intervals, coverage, colours, and the topics below."""

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


@pytest.fixture
def first_page() -> str:
    return "evaluate"


@pytest.fixture
def page(open_window: Window) -> EvaluateView:
    return open_window.evaluation


def told(page: EvaluateView, role: int) -> Iterator[tuple[str, int, object]]:
    """Run, place of the measure and what is told, for each number."""
    for row in range(page.runs.rowCount()):
        for place in range(len(page.table.measures if page.table else ())):
            cell = page.runs.index(row, place + 1)
            yield page.runs.at(cell).run, place, cell.data(role)


def choose(page: EvaluateView, name: str, idle: Idle) -> None:
    page.options[name].click()
    idle()


def test_runs_that_are_not_significantly_worse_have_a_sign_and_the_best_has_none(
    page: EvaluateView,
) -> None:
    assert page.table is not None
    found = find_leaders(page.table)
    best = np.stack([run.summary for run in page.table.runs]).max(axis=0)
    values = {run.run: run.summary for run in page.table.runs}
    for run, place, sign in told(page, SIGN_ROLE):
        assert (sign == SAME_AS_BEST_SIGN) == (
            run in found[place] and values[run][place] < best[place]
        )
    signs = [sign for _, _, sign in told(page, SIGN_ROLE)]
    assert SAME_AS_BEST_SIGN in signs and None in signs and "≈" in page.basis_label.text()


@pytest.mark.slow
def test_names_of_runs_stay_whole_however_narrow_the_table_is(
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
def test_the_box_of_qrels_shows_all_of_a_name(
    page: EvaluateView, settings: Settings, zoom: float
) -> None:
    settings.set("zoom", zoom)
    box = page.policy.qrels
    for words in map("covid-round{}".format, range(1, 60)):
        box.clear()
        box.addItem(words)
        box.resize(box.sizeHint())
        assert box.elided_text() == words


def test_intervals_are_those_of_the_engine_and_go_when_they_are_not_wanted(
    page: EvaluateView, idle: Idle
) -> None:
    assert page.table is not None
    low = page.run_table.verticalHeader().defaultSectionSize()
    choose(page, "table_intervals", idle)
    for run in page.table.runs:
        expected = [f"{low:.4f}–{high:.4f}" for low, high in intervals(run.values).tolist()]
        assert [
            below for name, _, below in told(page, SECOND_LINE_ROLE) if name == run.run
        ] == expected
    assert page.run_table.verticalHeader().defaultSectionSize() > low
    choose(page, "table_intervals", idle)
    assert {below for _, _, below in told(page, SECOND_LINE_ROLE)} == {None}
    assert page.run_table.verticalHeader().defaultSectionSize() == low


@pytest.mark.slow
def test_intervals_that_nobody_wants_any_more_are_not_shown(page: EvaluateView, idle: Idle) -> None:
    page.options["table_intervals"].click()
    page.options["table_intervals"].click()
    idle()
    assert {below for _, _, below in told(page, SECOND_LINE_ROLE)} == {None}


def test_what_is_no_mean_has_no_interval(page: EvaluateView, idle: Idle) -> None:
    choose(page, "table_intervals", idle)
    page.use_measures("AP NumRel GMAP P@5")
    idle()
    assert [
        below is not None for name, _, below in told(page, SECOND_LINE_ROLE) if name == "ql"
    ] == [
        True,
        False,
        False,
        True,
    ]
    page.policy.average.setCurrentIndex(page.policy.average.findData("median"))
    page.policy.average.activated.emit(0)
    idle()
    assert page.evaluation_options().policy().average == "median" and {
        below for _, _, below in told(page, SECOND_LINE_ROLE)
    } == {None}


def test_all_that_the_means_rest_on_can_be_shown(page: EvaluateView, idle: Idle) -> None:
    few = page.runs.columnCount()
    choose(page, "table_coverage", idle)
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


def test_numbers_are_coloured_unless_nobody_wants_it_and_that_is_remembered(
    page: EvaluateView, idle: Idle, settings: Settings
) -> None:
    assert {heat for _, place, heat in told(page, HEAT_ROLE) if place == 0} >= {0.0, 1.0}
    choose(page, "table_colours", idle)
    assert {heat for _, _, heat in told(page, HEAT_ROLE)} == {None}
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
def test_each_policy_is_used_said_and_kept(
    page: EvaluateView, idle: Idle, field: str, word: str, policy: Policy
) -> None:
    box = getattr(page.policy, field)
    box.setCurrentIndex(box.findData(word))
    box.activated.emit(box.currentIndex())
    idle()
    assert (
        page.table is not None and page.table.policy == policy and word in page.basis_label.text()
    )
    page.show_project(page.project)
    assert page.evaluation_options().policy() == policy


@pytest.mark.slow
def test_only_the_top_of_each_ranking_counts_when_a_depth_is_given(
    page: EvaluateView, idle: Idle
) -> None:
    page.policy.depth_field._enter(2)
    idle()
    assert (
        page.table is not None
        and page.table.policy == Policy(depth=2)
        and "ranks 1 to 2 " in page.basis_label.text()
    )


def test_an_average_that_a_measure_does_not_have_is_said(page: EvaluateView, idle: Idle) -> None:
    page.policy.average.setCurrentIndex(page.policy.average.findData("micro"))
    page.policy.average.activated.emit(0)
    idle()
    assert "no micro average" in page.problem.text() and not page.has_table


def test_other_qrels_are_used_and_kept(page: EvaluateView, idle: Idle) -> None:
    project = page.project
    assert isinstance(project, Project)
    project.rankings.add_qrels("none", make_qrels([("1", "nothing", 1)]))
    page.refresh()
    idle()
    assert (
        page.choice() == page.evaluation_options().choice(project)
        and page.evaluation_options().qrels == ""
    )
    page.policy.qrels.setCurrentIndex(1)
    page.policy.qrels.activated.emit(1)
    idle()
    assert (
        page.table is not None
        and page.table.runs[0].topics == ("1",)
        and page.evaluation_options().qrels == "none"
    )
    page.show_project(project)
    page.refresh()
    idle()
    choice = page.choice()
    assert choice is not None and choice.name == "none"


def test_of_many_runs_the_chosen_one_the_median_and_the_highest_are_shown(
    page: EvaluateView, idle: Idle, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(evaluate_table, "MAX_RUNS", 3)
    page.run_table.setCurrentIndex(page.run_table.model().index(3, 1))
    assert page.results is not None
    names = [column.header for column in page.topic_values.model.columns]
    assert names == ["Topic", page.topic_values._names[0], "Median of 4 runs", "Highest"]
    values = page.results.values[0]
    for column, (_, shown) in enumerate(page.topic_values.model.rows):
        assert shown[1:] == pytest.approx([np.median(values[:, column]), values[:, column].max()])


@pytest.mark.slow
def test_a_topic_that_a_run_lacks_is_a_dash(page: EvaluateView, idle: Idle) -> None:
    assert page.project is not None
    page.project.rankings.add_run(make_run("short", [("1", "nothing", 1.0)]))
    page.refresh()
    idle()
    place = page.topic_values._names.index("short") + 1
    assert [page.topic_values.model.index(row, place).data() for row in range(3)] == [
        "0.0000",
        "–",
        "–",
    ]


@pytest.mark.slow
def test_what_is_found_out_for_an_older_table_is_never_shown(
    page: EvaluateView, idle: Idle, monkeypatch: pytest.MonkeyPatch, qtbot: QtBot
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
    idle()
    assert page.runs.index(0, 1).data(SIGN_ROLE) == "sign 2"


@pytest.mark.slow
def test_the_policy_stands_in_one_line_until_somebody_changes_it(
    page: EvaluateView, idle: Idle, press: Callable[..., None]
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
    idle()
    assert "only ranks 1 to 3" in page.policy.summary.text()


def test_runs_that_are_shown_alone_while_all_are_compared_have_the_places_of_those_alone(
    page: EvaluateView, idle: Idle
) -> None:
    assert page.table is not None
    page.board.show_table(page.table)
    page.board.show_only(frozenset({"ql", "title"}))
    idle()
    told = {
        page.runs.rows[row].run: place
        for (row, _), place in page.runs.annotations(PREFIX_ROLE).items()
    }
    assert told == {"ql": "1", "title": "2"}
    assert "over 1 comparisons" in page.basis_label.text()
