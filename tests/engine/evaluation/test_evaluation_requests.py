"""Tests of evaluation by request, of files and of projects, and of its tables."""

from pathlib import Path

import pytest

from irjudge.cli.main import main
from irjudge.errors import FormatError, IrjudgeError
from irjudge.evaluation import (
    EvaluationRequest,
    EvaluationSettings,
    IntervalRequest,
    ValueTableOptions,
    evaluate_sources,
    tabulate_values,
)
from irjudge.formats.rankings import ReadingRequest
from irjudge.model import Scale
from irjudge.store import create_project

QRELS = "1 0 a 1\n1 0 b 0\n2 0 a 0\n2 0 b 1\n"
REQUEST = EvaluationRequest(settings=EvaluationSettings(measures=("RR P@1", "NumRet")))


@pytest.fixture
def files(tmp_path: Path) -> Path:
    (tmp_path / "q.txt").write_text(QRELS)
    for name, order in (("x", "ab"), ("y", "ba")):
        lines = [
            f"{topic} Q0 {document} 1 {score} tag-{name}\n"
            for topic in "12"
            for document, score in zip(order, (2, 1), strict=True)
        ]
        (tmp_path / f"{name}.run").write_text("".join(lines))
    return tmp_path


def test_values_of_files_are_those_of_their_rankings(files: Path) -> None:
    table = evaluate_sources(files / "q.txt", [files / "x.run", files / "y.run"], REQUEST)
    assert list(table.rows()) == [
        ("x", "RR", "all", 0.75),  # (1 + 1/2) / 2
        ("x", "P@1", "all", 0.5),
        ("x", "NumRet", "all", 4),
        ("y", "RR", "all", 0.75),
        ("y", "P@1", "all", 0.5),
        ("y", "NumRet", "all", 4),
    ]
    assert (table.source, table.warnings) == ("q.txt", ())


def test_a_folder_is_read_as_its_runs(files: Path) -> None:
    runs = files / "runs"
    runs.mkdir()
    for name in ("x.run", "y.run"):
        (files / name).rename(runs / name)
    table = evaluate_sources(files / "q.txt", [runs], REQUEST)
    assert [run.run for run in table.runs] == ["x", "y"]


def test_a_single_run_has_its_tag_as_its_name_in_trec_eval(files: Path) -> None:
    settings = EvaluationSettings(measures=("RR",), profile="trec_eval-9")
    request = EvaluationRequest(settings=settings)
    table = evaluate_sources(files / "q.txt", [files / "x.run"], request)
    assert [run.run for run in table.runs] == ["tag-x"]


def test_warnings_of_files_are_part_of_the_result(files: Path) -> None:
    (files / "q.txt").write_text(QRELS + "1 0 a 1\n")
    table = evaluate_sources(files / "q.txt", [files / "x.run"], REQUEST)
    assert [warning.startswith("q.txt") for warning in table.warnings] == [True]


def test_an_error_keeps_the_warnings_before_it(files: Path) -> None:
    (files / "q.txt").write_text(QRELS + "1 0 a 1\n")
    (files / "x.run").write_text("1 Q0 a 1 2 x\n1 Q0 b x\n")
    with pytest.raises(FormatError) as error:
        evaluate_sources(files / "q.txt", [files / "x.run"], REQUEST)
    assert [note.startswith("q.txt") for note in error.value.__notes__] == [True]


def test_exchanged_files_are_recognised(files: Path) -> None:
    with pytest.raises(IrjudgeError) as error:
        evaluate_sources(files / "x.run", [files / "q.txt"], REQUEST)
    assert error.value.key == "exchanged"


def test_qrels_alone_are_refused(files: Path) -> None:
    with pytest.raises(IrjudgeError) as error:
        evaluate_sources(files / "q.txt", [], REQUEST)
    assert error.value.key == "no-runs"


@pytest.mark.parametrize(
    ("settings", "with_texts", "fragment"),
    [
        (EvaluationSettings(measures=("nonsense",)), False, "nonsense"),
        (EvaluationSettings(measures=("runid",)), False, "runid"),
        (EvaluationSettings(which="consensus"), False, "--source"),
        (EvaluationSettings(reading=ReadingRequest(encoding="nonsense")), False, "nonsense"),
        (EvaluationSettings(reading=ReadingRequest(columns=("runs:grade=x",))), False, "grade"),
    ],
)
def test_options_that_do_not_fit_are_refused(
    files: Path, settings: EvaluationSettings, with_texts: bool, fragment: str
) -> None:
    with pytest.raises(IrjudgeError, match=fragment):
        evaluate_sources(
            files / "q.txt",
            [files / "x.run"],
            EvaluationRequest(settings=settings),
            with_texts=with_texts,
        )


@pytest.fixture
def project(files: Path, capsys: pytest.CaptureFixture[str]) -> Path:
    path = files / "p.irjudge"
    with create_project(path, scale=Scale.parse("binary")):
        pass
    runs = [str(files / "x.run"), str(files / "y.run")]
    assert main(["import", str(path), "--qrels", str(files / "q.txt"), "--runs", *runs[:1]]) == 0
    assert main(["import", str(path), "--runs", runs[1]]) == 0
    capsys.readouterr()
    return path


def test_a_project_has_the_values_of_its_files(project: Path, files: Path) -> None:
    table = evaluate_sources(project, [], REQUEST)
    other = evaluate_sources(files / "q.txt", [files / "x.run", files / "y.run"], REQUEST)
    assert list(table.rows()) == list(other.rows())
    assert table.warnings[0].endswith("(4 pairs).")


def test_a_project_excludes_files_and_options_for_files(project: Path, files: Path) -> None:
    with pytest.raises(IrjudgeError) as error:
        evaluate_sources(project, [files / "x.run"], REQUEST)
    assert error.value.key == "project-alone"
    reading = ReadingRequest(columns=("grade=x",))
    request = EvaluationRequest(settings=EvaluationSettings(reading=reading))
    with pytest.raises(IrjudgeError, match="--columns"):
        evaluate_sources(project, [], request)
    missing = EvaluationRequest(settings=EvaluationSettings(which="nothing"))
    with pytest.raises(IrjudgeError, match="nothing"):
        evaluate_sources(project, [], missing)


# Tables


def test_a_wide_table_has_a_column_for_each_measure(files: Path) -> None:
    table = evaluate_sources(files / "q.txt", [files / "x.run"], REQUEST)
    result = tabulate_values(table, ValueTableOptions(per_topic=True), wide=True)
    assert result.columns == ["run", "topic", "RR", "P@1", "NumRet"]
    assert list(result.rows) == [
        ["x", "1", 1.0, 1.0, 2],
        ["x", "2", 0.5, 0.0, 2],
        ["x", "all", 0.75, 0.5, 4],
    ]
    assert len(result.notes) == 2  # the policy, and the coverage of the run
    assert result.policy == table.policy


def test_only_means_have_a_deviation_and_an_interval(files: Path) -> None:
    table = evaluate_sources(files / "q.txt", [files / "x.run"], REQUEST)
    options = ValueTableOptions(deviation=True, spread=IntervalRequest(interval=True))
    result = tabulate_values(table, options)
    assert result.columns == ["run", "measure", "topic", "value", "deviation", "low", "high"]
    rows = {row[1]: row[4:] for row in result.rows}
    # values 1 and .5: deviation √(2 · .25²); resampled means are .5, .75 and 1
    assert rows["RR"] == [pytest.approx(0.125**0.5), 0.5, 1.0]
    assert rows["NumRet"] == [None, None, None]


def test_one_topic_has_no_interval_and_a_note_says_so(files: Path) -> None:
    (files / "q.txt").write_text("1 0 a 1\n")
    table = evaluate_sources(files / "q.txt", [files / "x.run"], REQUEST)
    options = ValueTableOptions(spread=IntervalRequest(interval=True))
    result = tabulate_values(table, options)
    assert [row[4:] for row in result.rows] == [[None, None]] * 3
    assert getattr(result.notes[0], "key", "") == "no-interval"


@pytest.mark.parametrize("wide", [True, False])
def test_equal_runs_share_all_ranks(files: Path, wide: bool) -> None:
    table = evaluate_sources(files / "q.txt", [files / "x.run", files / "y.run"], REQUEST)
    rows = list(tabulate_values(table, ValueTableOptions(places=True), wide=wide).rows)
    if wide:
        assert rows == [["1–2", run, 0.75, 0.5, 4, "1–2"] for run in "xy"]
    else:
        assert rows[:2] == [[run, "RR", "all", 0.75, 1, 2, 1, 2] for run in "xy"]


def test_one_run_cannot_be_ranked(files: Path) -> None:
    table = evaluate_sources(files / "q.txt", [files / "x.run"], REQUEST)
    with pytest.raises(IrjudgeError) as error:
        tabulate_values(table, ValueTableOptions(places=True), wide=True)
    assert error.value.key == "no-places"


@pytest.mark.parametrize(
    ("options", "trec"),
    [
        (ValueTableOptions(average="median", spread=IntervalRequest(interval=True)), False),
        (ValueTableOptions(deviation=True), True),
        (ValueTableOptions(places=True), True),
        (ValueTableOptions(places=True, per_topic=True), False),
    ],
)
def test_columns_that_a_table_cannot_have_are_refused(
    options: ValueTableOptions, trec: bool
) -> None:
    with pytest.raises(IrjudgeError):
        options.check(trec=trec)
    ValueTableOptions().check(trec=trec)
