"""Tests of comparison and checks by request, of files, projects and stored evaluations."""

from pathlib import Path

import pytest

from irjudge.errors import GateFailed, IrjudgeError
from irjudge.evaluation import (
    COMPARISON_COLUMNS,
    NEED_COLUMNS,
    CorrelationRequest,
    EvaluationRequest,
    EvaluationSettings,
    ValueChecks,
    correlate_sources,
    evaluate_sources,
)
from irjudge.formats.rankings import ReadingRequest
from irjudge.report import (
    RunComparisonRequest,
    check_options,
    check_values,
    compare_sources,
    find_stored_evaluation,
    list_stored_evaluations,
    store_values,
)
from irjudge.store import new_project

RR = EvaluationRequest(settings=EvaluationSettings(measures=("RR",)))


@pytest.fixture
def files(tmp_path: Path) -> Path:
    """Write qrels in which document a is relevant for each topic; x ranks it first, y second."""
    (tmp_path / "q.txt").write_text("".join(f"{topic} 0 a 1\n" for topic in "123"))
    for name, order in (("x", "ab"), ("y", "ba")):
        lines = [
            f"{topic} Q0 {document} 1 {score} {name}\n"
            for topic in "123"
            for document, score in zip(order, (2, 1), strict=True)
        ]
        (tmp_path / f"{name}.run").write_text("".join(lines))
    return tmp_path


def runs_of(files: Path) -> list[Path]:
    return [files / "x.run", files / "y.run"]


def test_two_runs_are_compared_over_their_topics(files: Path) -> None:
    request = RunComparisonRequest(evaluation=RR, tests=("sign", "permutation"))
    result = compare_sources(files / "q.txt", runs_of(files), request)
    assert tuple(result.columns) == tuple(COMPARISON_COLUMNS)
    rows = [dict(zip(result.columns, row, strict=True)) for row in result.rows]
    assert [row["difference"] for row in rows] == [0.5, 0.5]  # 1 and 1/2 for each topic
    assert [row["p"] for row in rows] == [0.25, 0.25]  # 2 of the 2³ patterns of signs


def test_a_baseline_may_be_given_as_a_file(files: Path) -> None:
    request = RunComparisonRequest(evaluation=RR, baselines=(str(files / "y.run"),), tests=("t",))
    (row,) = compare_sources(files / "q.txt", runs_of(files), request).rows
    assert row[:3] == ("RR", "x", "y")


def test_the_number_of_topics_has_its_own_table(files: Path) -> None:
    request = RunComparisonRequest(evaluation=RR, power=0.9)
    result = compare_sources(files / "q.txt", runs_of(files), request)
    assert tuple(result.columns) == tuple(NEED_COLUMNS)
    assert len(list(result.rows)) == 1


@pytest.mark.parametrize(
    ("request_", "fragment"),
    [
        (RunComparisonRequest(tests=("nonsense",)), "nonsense"),
        (RunComparisonRequest(correction="nonsense"), "nonsense"),
        (RunComparisonRequest(baselines=("z",)), "z"),
        (RunComparisonRequest(kept_name="a", baselines=("x",)), "--with"),
        (RunComparisonRequest(kept_name="a", power=0.8), "--with"),
        (RunComparisonRequest(kept_name="a"), "a"),
        (RunComparisonRequest(power=0.8, baselines=("x", "y")), "--baseline"),
    ],
)
def test_impossible_requests_are_refused(
    files: Path, request_: RunComparisonRequest, fragment: str
) -> None:
    with pytest.raises(IrjudgeError, match=fragment):
        compare_sources(files / "q.txt", runs_of(files), request_)


def test_one_run_is_not_compared(files: Path) -> None:
    with pytest.raises(IrjudgeError) as error:
        compare_sources(files / "q.txt", runs_of(files)[:1], RunComparisonRequest())
    assert error.value.values["name"] == "x.run"


# Stored values


def test_stored_values_are_found_by_name_and_in_a_file(files: Path) -> None:
    table = evaluate_sources(files / "q.txt", runs_of(files), RR)
    reading = ReadingRequest(negative="0")
    path = store_values(table, "first", files / "q.txt", runs_of(files), reading=reading)
    assert path == files / "first.evaluations.jsonl"
    stored = find_stored_evaluation(files / "q.txt", "first")
    assert (stored.get_average("x", "RR"), stored.get_average("y", "RR")) == (1.0, 0.5)
    assert stored.reading == {"negative": "0"}
    assert [each.name for each in stored.inputs] == ["q.txt", "x", "y"]
    assert find_stored_evaluation(files / "x.run", str(path)).made == stored.made
    assert len(list_stored_evaluations(path)) == 1


def test_the_newest_of_a_name_counts(files: Path) -> None:
    for runs in (runs_of(files), runs_of(files)[:1]):
        store_values(evaluate_sources(files / "q.txt", runs, RR), "first", files / "q.txt", runs)
    assert [run.run for run in find_stored_evaluation(files / "q.txt", "first").runs] == ["x"]


def test_a_project_without_stored_values_is_refused(files: Path) -> None:
    project = new_project(files / "p.irjudge")
    with pytest.raises(IrjudgeError) as error:
        find_stored_evaluation(files / "q.txt", str(project))
    assert error.value.values["name"] == "p.irjudge"


def test_an_unknown_name_is_refused(files: Path) -> None:
    with pytest.raises(IrjudgeError) as error:
        find_stored_evaluation(files / "q.txt", "first")
    assert error.value.values["name"] == "first"


def test_runs_are_compared_with_stored_values_and_changes_are_named(files: Path) -> None:
    table = evaluate_sources(files / "q.txt", runs_of(files), RR)
    store_values(table, "first", files / "q.txt", runs_of(files))
    request = RunComparisonRequest(evaluation=RR, kept_name="first", tests=("t",))
    same = compare_sources(files / "q.txt", runs_of(files), request)
    assert [row[6] for row in same.rows] == [0.0, 0.0]
    (files / "y.run").write_text((files / "x.run").read_text())
    changed = compare_sources(files / "q.txt", runs_of(files), request)
    assert [row[6] for row in changed.rows] == [0.0, 0.5]
    assert [note.values["setting"] for note in changed.notes if "setting" in note.values] == [
        "Run y"
    ]  # type: ignore[attr-defined]


# Checks


def test_values_below_a_minimum_fail_together(files: Path) -> None:
    table = evaluate_sources(files / "q.txt", runs_of(files), RR)
    check_values(table, ValueChecks(fail_below=("RR=0.5",)), files / "q.txt")
    with pytest.raises(GateFailed, match=r"RR of y is 0\.5000"):
        check_values(table, ValueChecks(fail_below=("RR=0.6",)), files / "q.txt")


def test_a_run_worse_than_another_or_than_stored_values_fails(files: Path) -> None:
    table = evaluate_sources(files / "q.txt", runs_of(files), RR)
    check_values(table, ValueChecks(fail_if_worse="y"), files / "q.txt")
    with pytest.raises(GateFailed, match="y"):
        check_values(table, ValueChecks(fail_if_worse="x"), files / "q.txt")
    check_values(table, ValueChecks(fail_if_worse="x", by=0.5), files / "q.txt")
    store_values(table, "first", files / "q.txt", runs_of(files))
    check_values(table, ValueChecks(fail_if_worse="first"), files / "q.txt")
    with pytest.raises(IrjudgeError, match="nothing"):
        check_values(table, ValueChecks(fail_if_worse="nothing"), files / "q.txt")


@pytest.mark.parametrize(
    "checks",
    [
        ValueChecks(by=0.1),
        ValueChecks(significant=True),
        ValueChecks(keep="a/b"),
        ValueChecks(fail_below=("RR",)),
    ],
)
def test_invalid_checks_are_refused_before_anything_is_computed(checks: ValueChecks) -> None:
    with pytest.raises(IrjudgeError):
        check_options(checks)
    check_options(ValueChecks(keep="a", fail_below=("RR=0.5",)))


# Correlation


def test_opposite_rankings_correlate_negatively(files: Path) -> None:
    result = correlate_sources(runs_of(files), CorrelationRequest(by=("tau", "tau-ap")))
    rows = list(result.rows)
    assert rows[0] == ("1", "tau", 2, -1.0)
    assert rows[-2:] == [("all", "tau", 6, -1.0), ("all", "tau-ap", 6, -1.0)]


def test_topics_of_only_one_run_are_noted(files: Path) -> None:
    (files / "y.run").write_text("1 Q0 a 1 2 y\n1 Q0 b 1 1 y\n")
    result = correlate_sources(runs_of(files), CorrelationRequest(by=("tau",)))
    assert [row[0] for row in result.rows] == ["1", "all"]
    (note,) = [note for note in result.notes if getattr(note, "values", {}).get("other")]
    assert (note.values["run"], note.values["other"]) == ("x", "y")  # type: ignore[attr-defined]


def test_measures_order_systems_and_qrels_too(files: Path) -> None:
    settings = EvaluationSettings(measures=("RR", "P@1"))
    request = CorrelationRequest(
        systems=True, by=("tau",), evaluation=EvaluationRequest(settings=settings)
    )
    (row,) = correlate_sources([files / "q.txt", *runs_of(files)], request).rows
    assert row == ("RR", "P@1", "tau", 2, 1.0)
    (files / "p.txt").write_text("".join(f"{topic} 0 b 1\n" for topic in "123"))
    other = CorrelationRequest(systems=True, by=("tau",), other=files / "p.txt", evaluation=RR)
    (row,) = correlate_sources([files / "q.txt", *runs_of(files)], other).rows
    assert row == ("RR [q.txt]", "RR [p.txt]", "tau", 2, -1.0)


def test_leaderboards_with_the_same_name_are_distinguished_by_folder(tmp_path: Path) -> None:
    paths = [tmp_path / folder / "board.csv" for folder in "ab"]
    for path, values in zip(paths, ((3, 2), (2, 3)), strict=True):
        path.parent.mkdir()
        rows = [f"{run},AP,all,0.{value}\n" for run, value in zip("xy", values, strict=True)]
        path.write_text("run,measure,topic,value\n" + "".join(rows))
    result = correlate_sources(paths, CorrelationRequest(systems=True, by=("tau",)))
    (row,) = result.rows
    assert row == (f"AP [{paths[0]}]", f"AP [{paths[1]}]", "tau", 2, -1.0)
    missing = EvaluationRequest(settings=EvaluationSettings(measures=("RR",)))
    with pytest.raises(IrjudgeError, match="RR"):
        correlate_sources(paths, CorrelationRequest(systems=True, evaluation=missing))


@pytest.mark.parametrize(
    ("names", "request_", "fragment"),
    [
        (["x.run"], CorrelationRequest(), "1"),
        (["x.run", "y.run"], CorrelationRequest(by=("nonsense",)), "nonsense"),
        (["x.run", "y.run"], CorrelationRequest(top=0), "0"),
        ([], CorrelationRequest(systems=True), "qrels"),
        (["q.txt", "x.run", "y.run"], CorrelationRequest(systems=True, evaluation=RR), "measures"),
        (["q.txt", "x.run"], CorrelationRequest(systems=True), "1"),
    ],
)
def test_files_that_cannot_be_correlated_are_refused(
    files: Path, names: list[str], request_: CorrelationRequest, fragment: str
) -> None:
    with pytest.raises(IrjudgeError, match=fragment):
        correlate_sources([files / name for name in names], request_)
