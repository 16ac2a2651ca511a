"""Tests of the contents of a report: values, best runs, significance, and settings."""

from dataclasses import replace

import pytest

from irjudge.errors import IrjudgeError
from irjudge.evaluation import (
    Policy,
    compare,
    compute_needed_topics,
    evaluate_runs,
    find_leaders,
    parse_measures,
)
from irjudge.model import make_qrels, make_run
from irjudge.report import ReportContent, build_report
from irjudge.report.contents import METHOD_TITLE as MADE
from irjudge.report.contents import (
    Report,
    ReportTable,
    compare_all_runs,
    correlate_measures,
    summary_table,
)
from tests.engine.report.three_runs import evaluate_three_runs


def table_of(report: Report, title: str) -> ReportTable:
    return next(table for table in report.tables if table.title == title)


def test_the_summary_has_the_values_of_the_engine():
    table = evaluate_three_runs()
    summary = summary_table(table)
    assert [row[0] for row in summary.rows] == ["good", "poor", "poorer"]
    for run, row in zip(table.runs, summary.rows, strict=True):
        assert list(row[1:]) == run.summary.tolist()


def test_the_best_value_follows_the_direction_and_counts_have_none():
    table = evaluate_three_runs("AP FNR NumRelRet", Policy(depth=3))
    summary = summary_table(table)
    assert [row[2] for row in summary.rows] != [summary.rows[0][2]] * 3, (
        "false negatives must differ for the test to say something"
    )
    assert summary.best_cells == {(0, 1), (0, 2)}
    assert [measure.name for measure in table.measures] == ["AP", "FNR", "NumRelRet"]


def test_tied_values_are_all_best_unless_all_are_equal():
    table = evaluate_three_runs("NumRet P@100")
    table = replace(table, runs=(table.runs[0], replace(table.runs[0], run="same"), table.runs[2]))
    assert summary_table(table).best_cells == frozenset()
    first = evaluate_three_runs("AP")
    assert summary_table(
        replace(first, runs=(first.runs[0], replace(first.runs[0], run="same"), first.runs[2]))
    ).best_cells == {(0, 1), (1, 1)}
    alone = evaluate_runs(
        table.qrels, [make_run("one", [("001", "a", 1.0)])], parse_measures(["AP"])
    )
    assert summary_table(alone).best_cells == frozenset(), "one run is not the best of anything"


def test_runs_significantly_different_from_the_best_are_marked():
    table = evaluate_three_runs("AP P@5")
    summary = summary_table(table)
    leaders = find_leaders(table)
    for at in range(2):
        marked = {table.runs[row].run for row, column in summary.marked_cells if column == 1 + at}
        assert marked == {"poor", "poorer"} - leaders[at]
    assert {(1, 1), (2, 1)} <= summary.marked_cells
    assert (
        "† " in summary.notes[-1]
        and "t-test" in summary.notes[-1]
        and "(holm)" in summary.notes[-1]
        and "α = 0.05" in summary.notes[-1]
    )


def test_averages_that_are_not_tested_have_no_mark_and_no_statement():
    """AP is 1 1 1/2 1 1 and 1 1 1 1/2 1/2; the geometric mean has a best run, but no test."""
    topics = range(1, 6)
    qrels = make_qrels([(str(topic), "x", 1) for topic in topics])
    runs = [
        make_run(
            name,
            [(str(topic), "x", 1.0) for topic in topics]
            + [(str(topic), "y", 2.0) for topic in second_on],
        )
        for name, second_on in (("a", [3]), ("b", [4, 5]))
    ]
    summary = summary_table(evaluate_runs(qrels, runs, parse_measures(["AP", "GMAP"])))
    assert summary.best_cells == {(0, 1), (0, 2)} and not summary.marked_cells
    assert any("α" in note for note in summary.notes), "p of AP is .62"
    untested = summary_table(evaluate_runs(qrels, runs, parse_measures(["GMAP"])))
    assert untested.best_cells == {(0, 1)} and not untested.marked_cells
    assert not any("α" in note for note in untested.notes)


def test_marks_against_a_baseline_are_those_of_the_comparison():
    table = evaluate_three_runs("AP")
    table = replace(table, runs=(*table.runs, replace(table.runs[2], run="alike")))
    comparison = compare(table, tests=["t"], baseline="poorer")
    summary = summary_table(table, ReportContent(comparison, baseline="poorer"))
    assert summary.marked_cells == {
        (row, 1)
        for row, run in enumerate(table.runs)
        for pair in comparison.pairs
        if pair.run_a == run.run and pair.p_adjusted < 0.05
    }
    assert (
        (0, 1) in summary.marked_cells
        and (3, 1) not in summary.marked_cells
        and "from poorer" in summary.notes[-1]
    )
    with pytest.raises(IrjudgeError) as error:
        summary_table(table, ReportContent(comparison, baseline="none"))
    values = error.value.values
    assert (values["baseline"], values["names"]) == ("'none'", "good, poor, poorer, alike")


def test_a_note_says_if_no_difference_is_significant():
    qrels = make_qrels([("1", "a", 1), ("1", "b", 0), ("2", "a", 1), ("2", "b", 0)])
    runs = [
        make_run("x", [("1", "a", 2.0), ("1", "b", 1.0), ("2", "b", 2.0), ("2", "a", 1.0)]),
        make_run("y", [("1", "b", 2.0), ("1", "a", 1.0), ("2", "b", 2.0), ("2", "a", 1.0)]),
    ]
    summary = summary_table(evaluate_runs(qrels, runs, parse_measures(["AP"])))
    assert summary.marked_cells == frozenset() and "† " not in summary.notes[-1]


def test_values_by_topic_are_empty_for_missing_topics():
    qrels = make_qrels([("1", "a", 1), ("2", "a", 1)])
    runs = [
        make_run("both", [("1", "a", 1.0), ("2", "b", 1.0)]),
        make_run("one", [("2", "a", 1.0)]),
    ]
    report = build_report(
        evaluate_runs(qrels, runs, parse_measures(["AP"])), ReportContent(titles={"1": "first"})
    )
    table = table_of(report, "AP by topic")
    assert [column.title for column in table.columns] == ["Topic", "Title", "both", "one"]
    assert table.rows == (("1", "first", 1.0, None), ("2", "", 0.0, 1.0))
    assert table.format_rows().rows == (("1", "first", "1.0000", ""), ("2", "", "0.0000", "1.0000"))


def test_a_report_states_coverage_and_definitions():
    table = evaluate_three_runs("AP P@5")
    comparison, notes = compare_all_runs(table)
    report = build_report(
        table,
        ReportContent(
            comparison, correlate_measures(table), metadata={"Qrels": table.source}, notes=notes
        ),
    )
    titles = [each.title for each in report.tables]
    assert titles == [
        "Summary",
        "Coverage",
        "Comparisons",
        "Correlations",
        "AP by topic",
        "P@5 by topic",
        "Legend",
        "Settings",
        MADE,
    ]
    assert [row[1] for row in table_of(report, "Coverage").rows] == [12, 12, 12]
    compared_runs = table_of(report, "Comparisons")
    assert comparison is not None and [row[:-2] for row in compared_runs.rows] == list(
        comparison.rows()
    )
    needs = {
        (need.measure, need.run_a, need.run_b): (need.seen, need.needed)
        for need in compute_needed_topics(table).rows
        if need.test == "t"
    }
    assert [row[-2:] for row in compared_runs.rows] == [
        needs[row[:3]] for row in compared_runs.rows
    ]
    assert any(" 80 %" in note for note in compared_runs.notes)
    legend = {row[0]: row for row in table_of(report, "Legend").rows}
    assert legend["AP"][1] == "Average precision" and "Difference" in legend
    settings = dict(table_of(report, "Settings").rows)
    assert (
        settings["Qrels"] == "judged.txt"
        and settings["Runs"] == "3"
        and settings["Relevant"] == "grade 1 or more"
    )


def test_reports_without_comparison_or_runs_are_written():
    table = evaluate_runs(make_qrels([("1", "a", 1)]), [], parse_measures(["AP"]))
    report = build_report(table)
    assert [each.title for each in report.tables] == [
        "Summary",
        "Coverage",
        "AP by topic",
        "Legend",
        "Settings",
        MADE,
    ]
    assert (
        report.title.startswith("Evaluation of 0 runs, ") and table_of(report, "Summary").rows == ()
    )
