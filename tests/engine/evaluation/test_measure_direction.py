"""Tests that reversing a measure's direction reverses the order in every output that ranks.

They run over all measures of the registry.
"""

import csv
import re
from collections.abc import Callable, Iterable
from dataclasses import replace
from pathlib import Path

import numpy as np
import openpyxl
import pytest

from irjudge.audit.model_orderings import ModelOrderings, compare_orderings
from irjudge.cli.main import main
from irjudge.errors import GateFailed
from irjudge.evaluation import (
    Coverage,
    Evaluation,
    Policy,
    RunScores,
    compare,
    compute_needed_topics,
    find_leaders,
    measure_orderings,
    rank_runs,
    runs_best_first,
)
from irjudge.evaluation.bounds import verdict
from irjudge.metrics import (
    JudgedRun,
    Measure,
    MeasureDeclaration,
    best_first,
    is_lower_better,
    list_measures,
    make_measure,
    parse_measure_name,
    to_goodness,
)
from irjudge.model import make_qrels, make_run
from irjudge.report import ReportContent, check_floors, check_not_worse, collect_report_content
from irjudge.report import writers as html
from irjudge.report import writers as latex
from irjudge.report.contents import summary_table
from irjudge.report.evaluation_history import ValueFloor
from irjudge.report.figures import Bars, Chart, FigureOptions, LineSeries, Points, find_figure
from irjudge.report.figures.chart import Boxes, CellGrid
from irjudge.report.workbook.book import WorkbookContents, write_workbook
from irjudge.report.writers import markdown_table_lines
from irjudge.stats import Sampling

RUNS = ("high", "middle", "low")
LEVELS = (0.8, 0.5, 0.2)
TOPICS = tuple(f"t{number}" for number in range(8))
NEEDED = {"universe": 100, "cutoff": 5, "recall": 0.5}


def measure_of(declaration: MeasureDeclaration) -> Measure:
    required = [each.name for each in declaration.parameters if each.required]
    return make_measure(declaration, **{name: NEEDED.get(name, 5) for name in required})


EVERY = tuple(map(measure_of, list_measures()))
RANKED = tuple(measure for measure in EVERY if measure.direction)
every_measure = pytest.mark.parametrize("measure", RANKED, ids=lambda each: each.name)


def reversed_measure(measure: Measure) -> Measure:
    other = {"higher": "lower", "lower": "higher", "neither": "neither"}
    declaration = replace(measure.declaration, better=other[measure.declaration.better])
    return replace(measure, declaration=declaration)


def evaluation_of(*measures: Measure) -> Evaluation:
    """Return an evaluation of three runs with high, middle and low values on every topic."""
    noise = np.random.default_rng(7).uniform(0, 0.05, (len(RUNS), len(TOPICS)))
    harder = np.linspace(0.1, 0, len(TOPICS))
    runs = []
    for row, (name, level) in enumerate(zip(RUNS, LEVELS, strict=True)):
        values = np.tile(level + noise[row] + harder, (len(measures), 1))
        coverage = Coverage(len(TOPICS), 0, 0, 0, 0.0, 0)
        runs.append(RunScores(name, TOPICS, values, values.mean(axis=1), coverage))
    qrels = make_qrels([(topic, "d", 1) for topic in TOPICS])
    return Evaluation(measures, Policy(), tuple(runs), qrels)


def test_declared_directions_prefer_a_perfect_ranking_to_a_useless_one() -> None:
    good = JudgedRun.single(ranked=[1, 1], judged=[1, 1, 0, 0], highest=1)
    bad = JudgedRun.single(ranked=[0, 0], judged=[1, 1, 0, 0], highest=1)
    tried = 0
    for measure in EVERY:
        if measure.declaration.needs:
            continue
        difference = float(measure.compute(good)[0] - measure.compute(bad)[0])
        assert np.sign(difference) == measure.direction, measure.name
        tried += 1
    assert tried > 60 and {-1, 0, 1} == {measure.direction for measure in EVERY}


def test_lower_is_better_for_error_rates_and_costs() -> None:
    lower = {measure.declaration.name for measure in EVERY if measure.direction < 0}
    assert {"SetE", "E", "FNR", "FDR", "FPR", "FOR", "FP", "FN", "LastRel", "Effort"} <= lower
    assert {
        each for each in ("fallout", "miss_rate", "E@10", "AP", "x") if is_lower_better(each)
    } == {
        "fallout",
        "miss_rate",
        "E@10",
    }


# The best run or the order of runs in each output


def list_ranks(table: Evaluation) -> list[str]:
    return [each.run for each in rank_runs(table)]


def orders(table: Evaluation) -> list[str]:
    (ordering,) = measure_orderings(table)
    return [ordering.systems[at] for at in np.argsort(-ordering.values)]


def chart(name: str, table: Evaluation) -> Chart:
    return find_figure(name).chart(table, FigureOptions())


def ranks_of_figure(table: Evaluation) -> list[str]:
    marks = chart("system-ranks", replace(table)).marks
    assert isinstance(marks, LineSeries)
    return [line.name for line in sorted(marks.lines, key=lambda line: float(line.y[0]))]


def boxes(table: Evaluation) -> list[str]:
    marks = chart("topic-spread", table).marks
    assert isinstance(marks, Boxes)
    return [box.name for box in marks.boxes]


def heat_rows(table: Evaluation) -> list[str]:
    return list(chart("heat-map", table).y.names)


def order_by_wins(table: Evaluation) -> list[str]:
    """Return the runs ordered by the number of topics won against the others."""
    won = dict.fromkeys(RUNS, 0)
    for pair in compare(table, tests=["t"]).pairs:
        won[pair.run_a] += pair.wins
        won[pair.run_b] += pair.losses
    return sorted(won, key=lambda run: -won[run])


ORDERS: dict[str, Callable[[Evaluation], list[str]]] = {
    "runs_best_first": lambda table: [run.run for run in runs_best_first(table)],
    "places": list_ranks,
    "orderings": orders,
    "system-ranks": ranks_of_figure,
    "topic-spread": boxes,
    "heat-map": heat_rows,
    "compare": order_by_wins,
}


@pytest.mark.parametrize("output", ORDERS)
def test_a_reversed_measure_reverses_the_order(output: str) -> None:
    for measure in RANKED:
        original, turned = (
            ORDERS[output](evaluation_of(each)) for each in (measure, reversed_measure(measure))
        )
        if not original:  # counts and geometric means have no ranks
            assert output == "places" and not turned
            continue
        assert original == (list(RUNS) if measure.direction > 0 else list(reversed(RUNS))), measure
        assert turned == list(reversed(original)), measure


@every_measure
def test_topics_are_easiest_first_and_differences_best_first(measure: Measure) -> None:
    table, turned = evaluation_of(measure), evaluation_of(reversed_measure(measure))
    assert chart("heat-map", table).x.names == tuple(reversed(chart("heat-map", turned).x.names))
    one, other = (
        find_figure("topic-differences").chart(each, FigureOptions(runs=("high", "low")))
        for each in (table, turned)
    )
    assert one.x.names == tuple(reversed(other.x.names))
    assert isinstance(one.marks, Bars) and isinstance(other.marks, Bars)
    above, below = list(RUNS)[:: 2 * measure.direction]
    assert (one.marks.above, one.marks.below) == (above, below)
    assert (other.marks.above, other.marks.below) == (below, above)
    assert isinstance(chart("heat-map", table).marks, CellGrid)


@every_measure
def test_reversing_exchanges_the_best_group(measure: Measure) -> None:
    best = []
    for each in (measure, reversed_measure(measure)):
        table = evaluation_of(each)
        equal = replace(
            table, runs=tuple(replace(run, values=run.values * 0) for run in table.runs)
        )
        names = {"high", "low"} - {runs_best_first(table)[0].run} | {"middle"}
        assert find_leaders(equal)[0] in (names, frozenset())
        assert find_leaders(table)[0] == frozenset()
        best.append(runs_best_first(table)[0].run)
    assert best[0] != best[1]


@every_measure
def test_reversing_exchanges_best_and_worst_in_the_number_of_topics(measure: Measure) -> None:
    one, other = (
        next(
            (each.run_a, each.run_b)
            for each in compute_needed_topics(evaluation_of(side)).rows
            if each.runs > 2
        )
        for side in (measure, reversed_measure(measure))
    )
    assert one == other[::-1] and one[0] == ("high" if measure.direction > 0 else "low")


@every_measure
def test_only_the_better_run_passes_a_check(measure: Measure) -> None:
    worse = {1: "low", -1: "high"}
    for each in (measure, reversed_measure(measure)):
        table = evaluation_of(each)
        two = replace(table, runs=(table.runs[0], table.runs[2]))
        check_not_worse(two, baseline=worse[each.direction])
        better = ({"high", "low"} - {worse[each.direction]}).pop()
        with pytest.raises(GateFailed):
            check_not_worse(two, baseline=better)


def test_a_limit_is_a_maximum_if_lower_is_better() -> None:
    table = evaluation_of(*parse_measure_name("SetE"), *parse_measure_name("SetP"))
    check_floors(replace(table, runs=table.runs[2:]), [ValueFloor("SetE", 0.5)])
    check_floors(replace(table, runs=table.runs[:1]), [ValueFloor("SetP", 0.5)])
    for name, runs in (("SetE", table.runs[:1]), ("SetP", table.runs[2:])):
        with pytest.raises(GateFailed, match=name):
            check_floors(replace(table, runs=runs), [ValueFloor(name, 0.5)])


def test_reversing_exchanges_the_verdict_of_bounds() -> None:
    for measure in RANKED:
        result = verdict(measure, 0.1, 0.4)
        assert result == ("a_better" if measure.direction > 0 else "b_better")
        assert verdict(reversed_measure(measure), 0.1, 0.4) != result
        assert verdict(measure, -0.1, 0.4) == "can_change"


def test_equal_and_missing_values_are_ranked_consistently() -> None:
    (error,) = parse_measure_name("SetE")
    assert best_first(error, [0.5, np.nan, 0.2, 0.5]) == [2, 0, 3, 1]
    assert to_goodness(*parse_measure_name("NumRet"), [1, 2]).tolist() == [1, 2]


# Two measures as points


def test_measures_of_opposite_directions_that_agree_correlate() -> None:
    (error,), (precision,) = parse_measure_name("SetE"), parse_measure_name("SetP")
    table = evaluation_of(error, precision)
    opposite = replace(
        table,
        runs=tuple(
            replace(run, values=run.values * [[-1], [1]], summary=run.summary * [-1, 1])
            for run in table.runs
        ),
    )
    points = find_figure("scatter").chart(opposite, FigureOptions())
    assert isinstance(points.marks, Points) and "1.000" in points.caption
    one, other = measure_orderings(opposite)
    assert np.argsort(one.values).tolist() == np.argsort(other.values).tolist()


# Reports


MEANS = tuple(measure for measure in RANKED if measure.declaration.summary == "mean")


def marked_cells(lines: Iterable[str], between: str, mark: str) -> dict[int, str]:
    """Return the run whose value is marked in each column of a written table."""
    result = {}
    for line in lines:
        cells = [cell for cell in re.split(between, line) if cell.strip()]
        if len(cells) == 1 + len(MEANS):
            run = next((run for run in RUNS if run in cells[0]), "")
            result |= {column: run for column, cell in enumerate(cells) if mark in cell}
    return result


def best_of_markdown(table: Evaluation) -> dict[int, str]:
    return marked_cells(markdown_table_lines(summary_table(table).format_rows()), r"\|", "**")


def best_of_html(table: Evaluation) -> dict[int, str]:
    return marked_cells(
        html.table_lines(summary_table(table).format_rows()), r"(?=<t[dh]\b)|<tr>", "best"
    )


def best_of_latex(table: Evaluation) -> dict[int, str]:
    return marked_cells(latex.tabular(summary_table(table).format_rows()), "&", "textbf")


def best_of_contents(table: Evaluation) -> dict[int, str]:
    summary = summary_table(table)
    return {column: str(summary.rows[row][0]) for row, column in summary.best_cells}


@pytest.mark.parametrize("best", [best_of_contents, best_of_markdown, best_of_html, best_of_latex])
def test_reports_mark_the_best_by_direction(best: Callable[[Evaluation], dict[int, str]]) -> None:
    result = best(evaluation_of(*MEANS))
    turned = best(evaluation_of(*map(reversed_measure, MEANS)))
    for column, measure in enumerate(MEANS, 1):
        right, worst = list(RUNS)[:: 2 * measure.direction]
        assert (result[column], turned[column]) == (right, worst), measure.name


def test_a_report_marks_runs_that_differ_from_the_best_by_direction() -> None:
    marked = summary_table(evaluation_of(*MEANS)).marked_cells
    turned = summary_table(evaluation_of(*map(reversed_measure, MEANS))).marked_cells
    for column, measure in enumerate(MEANS, 1):
        if measure.declaration.mean == "geometric":
            continue
        rows, others = ({row for row, at in each if at == column} for each in (marked, turned))
        assert rows == ({1, 2} if measure.direction > 0 else {0, 1}), measure.name
        assert others == {2 - row for row in rows}


def test_a_measure_without_direction_has_no_best_run_and_no_ranks() -> None:
    neither = tuple(
        measure for measure in EVERY if not measure.direction and measure.name != "NumQ"
    )
    table = evaluation_of(*neither)
    summary = summary_table(table)
    assert not summary.best_cells and not summary.marked_cells
    assert set(find_leaders(table)) == {frozenset()}
    assert [rank_runs(table, index) for index in range(len(neither))] == [()] * len(neither)


def test_comparisons_of_a_workbook_count_topics_by_direction(tmp_path: Path) -> None:
    chosen = MEANS[:1] + tuple(each for each in MEANS if each.direction < 0)
    for measures, sign in ((chosen, 1), (tuple(map(reversed_measure, chosen)), -1)):
        table = evaluation_of(*measures)
        path = tmp_path / f"{sign}.xlsx"
        comparison = compare(table, tests=["t"], sampling=Sampling())
        write_workbook(path, table, WorkbookContents(comparison=comparison))
        book = openpyxl.load_workbook(path, data_only=True)
        header, *rows = book["Comparisons"].iter_rows(values_only=True)
        formulas = openpyxl.load_workbook(path)["Comparisons"]
        a, b, name = header.index("A better"), header.index("B better"), header.index("Measure")
        for at, row in enumerate(rows, 2):
            (direction,) = {each.direction for each in measures if each.name == row[name]}
            assert (row[a], row[b]) == ((8, 0) if direction > 0 else (0, 8)), row[name]
            sign_of_a = ">" if direction > 0 else "<-"
            assert sign_of_a in str(formulas.cell(at, a + 1).value)


def test_report_analyses_compare_with_the_best_run(tmp_path: Path) -> None:
    (error,) = parse_measure_name("SetE")
    table = evaluation_of(error)
    many = replace(
        table,
        runs=tuple(
            replace(
                table.runs[0],
                run=f"r{at}",
                values=table.runs[0].values + at,
                summary=table.runs[0].summary + at,
            )
            for at in range(12)
        ),
    )
    content = collect_report_content(many, {}, {})
    assert isinstance(content, ReportContent) and content.comparison is not None
    assert {pair.run_b for pair in content.comparison.pairs} == {"r0"}


# The audit of a model


def audit(measure: Measure) -> ModelOrderings:
    """Return three runs that the grades of people and of a model put in the same order."""
    grades, runs = {}, []
    rng = np.random.default_rng(3)
    for topic in range(10):
        for document in range(12):
            grades[f"t{topic}", f"d{document}"] = int(document < 6)
    for name, share in (("good", 1.0), ("fair", 0.6), ("poor", 0.1)):
        rows = []
        for topic in range(10):
            relevant = int(6 * share) - int(rng.integers(0, 2))
            documents = [*range(relevant), *range(6, 12 - relevant)]
            rows += [(f"t{topic}", f"d{each}", float(-at)) for at, each in enumerate(documents)]
        runs.append(make_run(name, rows))
    return compare_orderings(grades, grades, runs, measure)


@pytest.mark.parametrize("name", ["AP", "SetE", "FNR", "FDR", "E@5", "nDCG@10", "SetF", "P@5"])
def test_reversing_exchanges_the_better_run_of_a_significant_pair(name: str) -> None:
    (measure,) = parse_measure_name(name)
    original, turned = audit(measure), audit(reversed_measure(measure))
    assert [each.run for each in original.systems] == ["good", "fair", "poor"]
    assert [each.run for each in turned.systems] == ["poor", "fair", "good"]
    assert [each.people_rank for each in original.systems] == [1, 2, 3]
    pairs = {(each.better, each.worse) for each in original.pairs}
    assert ("good", "poor") in pairs
    assert {(each.better, each.worse) for each in turned.pairs} == {pair[::-1] for pair in pairs}
    values = {each.run: each.people for each in original.systems}
    assert values == {each.run: each.people for each in turned.systems}, "values stay as measured"
    assert (values["good"] - values["poor"]) * measure.direction > 0


# The command line


@pytest.fixture
def good_and_bad(tmp_path: Path) -> list[str]:
    """Write qrels with two relevant documents per topic; G retrieves them, B retrieves others."""
    qrels, good, bad = (tmp_path / name for name in ("qrels", "G.run", "B.run"))
    topics = range(1, 9)
    qrels.write_text("".join(f"{t} 0 {d} {int(d < 'c')}\n" for t in topics for d in "abcdef"))
    good.write_text(
        "".join(
            f"{t} Q0 {d} {r} {9 - r} G\n"
            for t in topics
            for r, d in enumerate("ab" + "c" * (t % 2), 1)
        )
    )
    bad.write_text(
        "".join(
            f"{t} Q0 {d} {r} {9 - r} B\n"
            for t in topics
            for r, d in enumerate("cde" + "a" * (t % 2), 1)
        )
    )
    return [str(path) for path in (qrels, bad, good)]


COMPUTED = [
    measure.name
    for measure in MEANS
    if not measure.declaration.needs and measure.declaration.mean == "arithmetic"
]


def test_the_good_run_is_ranked_first(
    good_and_bad: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    measures = [word for name in COMPUTED for word in ("-m", name)]
    assert main(["evaluate", *good_and_bad, *measures, "--places", "--format", "csv"]) == 0
    rows = list(csv.DictReader(capsys.readouterr().out.splitlines()))
    assert [row["measure"] for row in rows[::2]] == COMPUTED
    for first, second in zip(rows[::2], rows[1::2], strict=True):
        assert first["value"] != second["value"], first
        assert (first["run"], second["run"]) == ("G", "B"), first


def test_compare_counts_topics_on_which_the_first_run_is_better(
    good_and_bad: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    measures = "-m SetE -m FNR -m FDR -m E@5 -m SetF".split()
    assert main(["compare", *good_and_bad, *measures, "--format", "csv"]) == 0
    for row in csv.DictReader(capsys.readouterr().out.splitlines()):
        assert (row["run_a"], row["wins"], row["losses"]) == ("B", "0", "8"), row
