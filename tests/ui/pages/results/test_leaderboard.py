"""Tests of the leaderboard: reversing a measure's direction reverses order, signs and colours."""

from collections.abc import Callable
from dataclasses import replace

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QFont
from pytestqt.qtbot import QtBot

from irjudge.evaluation import Evaluation
from irjudge.metrics import Measure, parse_measure_name
from irjudge.progress import SILENT
from irjudge_ui.jobs import LatestJob
from irjudge_ui.models import TableModel
from irjudge_ui.pages.results.leaderboard import Leaderboard, run_columns, significance_signs
from irjudge_ui.settings import Settings
from irjudge_ui.widgets import HEAT_ROLE
from irjudge_ui.window import Window
from tests.engine.evaluation.test_measure_direction import (
    RANKED,
    RUNS,
    evaluation_of,
    reversed_measure,
)
from tests.numbers_in_text import find_numbers


@pytest.fixture
def leaderboard(settings: Settings, qtbot: QtBot) -> Leaderboard:
    def failed(error: Exception, trace: str) -> None:
        raise AssertionError(trace) from error

    made = Leaderboard(settings, LatestJob, failed, rows=10)
    qtbot.addWidget(made)
    return made


def column_data(leaderboard: Leaderboard, role: int) -> list[object]:
    return [
        leaderboard.model.index(line, 1).data(role) for line in range(leaderboard.model.rowCount())
    ]


def run_order(leaderboard: Leaderboard) -> list[str]:
    return [leaderboard.model.index(line, 0).data() for line in range(leaderboard.model.rowCount())]


def bold_cells(leaderboard: Leaderboard) -> list[bool]:
    fonts = column_data(leaderboard, int(Qt.ItemDataRole.FontRole))
    return [isinstance(font, QFont) and font.weight() > QFont.Weight.Normal for font in fonts]


def test_the_best_run_is_first_bold_and_coloured_whatever_the_direction(
    leaderboard: Leaderboard, wait_until_idle: Callable[[], None]
) -> None:
    for measure in RANKED:
        for each in (measure, reversed_measure(measure)):
            leaderboard.show_table(evaluation_of(each), complete=False)
            best_first = list(RUNS)[:: each.direction]
            assert run_order(leaderboard) == best_first, each.name
            if each.declaration.summary != "sum":
                assert bold_cells(leaderboard) == [True, False, False], each.name
                heat = column_data(leaderboard, HEAT_ROLE)
                assert heat == sorted(heat, reverse=True) and heat[0] == 1, each.name
    wait_until_idle()


@pytest.mark.parametrize("coverage", [False, True])
def test_all_columns_but_the_name_are_right_aligned_numbers(coverage: bool) -> None:
    table = evaluation_of(RANKED[0])
    model = TableModel(run_columns(table, 4, None, coverage=coverage), list(table.runs))
    right = [
        bool(
            model.index(0, column).data(Qt.ItemDataRole.TextAlignmentRole)
            & Qt.AlignmentFlag.AlignRight
        )
        for column in range(model.columnCount())
    ]
    assert right == [False] + [True] * (len(right) - 1)


def test_another_chosen_order_is_kept(leaderboard: Leaderboard) -> None:
    leaderboard.table.sortByColumn(0, Qt.SortOrder.AscendingOrder)
    for name in ("AP", "SetE", "AP"):
        leaderboard.show_table(evaluation_of(*parse_measure_name(name)), complete=False)
        assert run_order(leaderboard) == sorted(RUNS)


def test_the_runs_stay_sorted_by_the_chosen_column_when_other_columns_change(
    leaderboard: Leaderboard, wait_until_idle: Callable[[], None]
) -> None:
    """Without coverage, the columns are run, AP, Unjudged@10 and possible ranks."""

    def sorted_header() -> str:
        section = leaderboard.table.horizontalHeader().sortIndicatorSection()
        return leaderboard.model.columns[section].header

    leaderboard.show_table(evaluation_of(*parse_measure_name("AP")), complete=False)
    leaderboard.table.sortByColumn(2, Qt.SortOrder.DescendingOrder)
    for is_on in (True, False):
        leaderboard.options["table_coverage"].setChecked(is_on)
        assert sorted_header() == "Unjudged@10"
    leaderboard.options["table_coverage"].setChecked(True)
    leaderboard.table.sortByColumn(2, Qt.SortOrder.AscendingOrder)
    assert sorted_header() == "Topics"
    leaderboard.options["table_coverage"].setChecked(False)
    assert sorted_header() == "AP" and run_order(leaderboard) == list(RUNS)
    wait_until_idle()


def test_the_runs_stay_sorted_by_ranks_while_the_runs_are_read_again(
    leaderboard: Leaderboard, wait_until_idle: Callable[[], None]
) -> None:
    """One run has no rank; the columns are run, AP, Unjudged@10 and possible ranks."""
    full = evaluation_of(*parse_measure_name("AP"))
    leaderboard.show_table(full)
    leaderboard.table.sortByColumn(3, Qt.SortOrder.DescendingOrder)
    header = leaderboard.table.horizontalHeader()
    leaderboard.show_table(replace(full, runs=full.runs[:1]), complete=False)
    assert header.sortIndicatorSection() == 1
    leaderboard.show_table(full)
    wait_until_idle()
    assert header.sortIndicatorSection() == 3
    assert run_order(leaderboard) == list(RUNS)[::-1]


def make_nearly_equal(measure: Measure) -> Evaluation:
    """Make the middle run equal the best one except for one topic: no significant difference."""
    table = evaluation_of(measure)
    values = table.runs[0].values.copy()
    values[0, 0] -= 0.01
    middle = replace(table.runs[1], values=values, summary=values.mean(axis=1))
    return replace(table, runs=(table.runs[0], middle, table.runs[2]))


def test_runs_not_significantly_different_from_the_best_have_the_sign() -> None:
    (recall,) = parse_measure_name("SetR")
    table = make_nearly_equal(recall)
    assert significance_signs(table, SILENT).keys() == {(1, 1)}
    assert significance_signs(make_nearly_equal(reversed_measure(recall)), SILENT).keys() == set()
    negative = tuple(
        replace(run, values=-run.values, summary=-run.summary)
        for run in make_nearly_equal(reversed_measure(recall)).runs
    )
    turned = replace(make_nearly_equal(reversed_measure(recall)), runs=negative)
    assert significance_signs(turned, SILENT).keys() == {(1, 1)}


def test_runs_with_different_topics_are_not_ranked_until_missing_topics_count_as_0(
    open_window: Window, wait_until_idle: Callable[[], None]
) -> None:
    page = open_window.evaluation
    assert page.project is not None
    run = page.project.rankings.run("bm25")
    page.project.rankings.add_run(replace(run.select_topics(run.topics[:2]), name="few"))
    page.refresh()
    page.compute()
    wait_until_idle()
    board = page.board
    assert page.table is not None and not page.table.is_rankable
    assert not board.count_missing.isHidden() and not any(bold_cells(board))
    assert run_order(board) == [each.run for each in page.table.runs]
    assert "few: 2" in board.warning.text() and not board.warning.isHidden()
    assert set(column_data(board, HEAT_ROLE)) == {None}, "colours would compare the runs"
    columns = board.model.columnCount()
    board.count_missing.click()
    wait_until_idle()
    assert board.model.columnCount() == columns + 1, "the possible ranks of runs that are ranked"
    assert page.table.policy.topics == "qrels" and page.table.is_rankable
    assert board.count_missing.isHidden() and bold_cells(board)[0] and run_order(board)[-1] == "few"
    assert board.warning.isHidden() and set(column_data(board, HEAT_ROLE)) != {None}


def test_a_table_warns_of_runs_with_many_unjudged_documents(
    leaderboard: Leaderboard, wait_until_idle: Callable[[], None]
) -> None:
    table = evaluation_of(RANKED[0])
    for share, warned in ((0.29, False), (0.52, True)):
        first, *others = table.runs
        coverage = replace(first.coverage, unjudged_top=share)
        leaderboard.show_table(replace(table, runs=(replace(first, coverage=coverage), *others)))
        assert (not leaderboard.warning.isHidden()) is warned
    assert (
        find_numbers(leaderboard.warning.text())[0] == "52"
        and first.run in leaderboard.warning.text()
    )
    wait_until_idle()


def test_the_captions_state_the_number_of_comparisons(
    leaderboard: Leaderboard, wait_until_idle: Callable[[], None]
) -> None:
    table = evaluation_of(*parse_measure_name("AP"))
    more = tuple(replace(run, run=f"{run.run} {number}") for number in "12" for run in table.runs)
    leaderboard.show_table(replace(table, runs=table.runs + more))
    wait_until_idle()
    caption = leaderboard.basis_label.text()
    assert "over 8 comparisons" in caption, "each of nine runs with the best"
    assert "over 36 comparisons" in caption, "every two"
