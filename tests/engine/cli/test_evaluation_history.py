"""Tests of the commands for a study over time: store, compare, and fail on worse values."""

import csv
import io
from pathlib import Path

import pytest

from irjudge.cli.main import main
from irjudge.report import read_stored_evaluations, stored_evaluations
from irjudge.store import open_project
from tests.engine.cli.output import find_line, numbers

QRELS = "1 0 a 1\n1 0 b 1\n2 0 a 1\n"
GOOD = "1 Q0 a 1 3 t\n1 Q0 b 2 2 t\n2 Q0 a 1 1 t\n"
BAD = "1 Q0 x 1 3 t\n1 Q0 a 2 2 t\n2 Q0 a 1 1 t\n"


@pytest.fixture(autouse=True)
def files(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    Path("q.qrels").write_text(QRELS)
    Path("r.run").write_text(GOOD)


def evaluate(*arguments: str) -> int:
    return main(["evaluate", "q.qrels", "r.run", "-m", "AP RR", "--format", "csv", *arguments])


def test_evaluations_are_stored_with_the_qrels_and_compared(
    capsys: pytest.CaptureFixture[str],
) -> None:
    assert evaluate("--keep", "nightly") == 0
    (evaluation,) = read_stored_evaluations(Path("nightly.evaluations.jsonl"))
    assert (
        evaluation.name,
        evaluation.get_average("r", "AP"),
        evaluation.get_average("r", "RR"),
    ) == (
        "nightly",
        1.0,
        1.0,
    )
    Path("r.run").write_text(BAD)
    capsys.readouterr()
    assert (
        main(
            [
                "compare",
                "q.qrels",
                "r.run",
                "-m",
                "RR",
                "--with",
                "nightly",
                "--test",
                "t",
                "--format",
                "csv",
            ]
        )
        == 0
    )
    out, err = capsys.readouterr()
    (row,) = csv.DictReader(io.StringIO(out))
    assert (row["mean_a"], row["mean_b"], row["difference"]) == ("0.75", "1.0", "-0.25")
    assert "Run r: " in err and "Qrels: " not in err and "Measures: RR, AP" not in err


def test_a_failed_check_exits_with_3_and_stores_nothing(
    capsys: pytest.CaptureFixture[str],
) -> None:
    assert evaluate("--keep", "nightly", "--fail-below", "RR=0.8") == 0
    Path("r.run").write_text(BAD)
    capsys.readouterr()
    assert evaluate("--keep", "nightly", "--fail-below", "RR=0.8") == 3
    out, err = capsys.readouterr()
    assert out.startswith("run,measure,topic,value\n")
    last = err.splitlines()[-1]
    assert last.startswith("irjudge: RR of r ") and numbers(last) == ["0.7500", "0.8"]
    assert evaluate("--keep", "nightly", "--fail-if-worse", "nightly", "--by", "0.2") == 3
    assert evaluate("--fail-if-worse", "nightly", "--by", "0.5") == 0
    assert evaluate("--fail-if-worse", "nightly", "--significant") == 0
    assert len(read_stored_evaluations(Path("nightly.evaluations.jsonl"))) == 1


def test_a_minimum_adds_its_measure(capsys: pytest.CaptureFixture[str]) -> None:
    assert evaluate("--fail-below", "P@1=1") == 0
    assert "r,P@1,all,1.0" in capsys.readouterr().out


def test_a_project_stores_and_lists_evaluations(capsys: pytest.CaptureFixture[str]) -> None:
    project = "everyday.irjudge"
    assert main(["sample", "everyday"]) == 0
    assert main(["evaluate", project, "-m", "AP", "--keep", "one"]) == 0
    assert main(["remove-run", project, "title"]) == 0
    assert main(["evaluate", project, "-m", "AP", "--keep", "two", "--fail-if-worse", "one"]) == 0
    with open_project(Path(project)) as opened:
        assert [each.name for each in stored_evaluations(opened)] == ["one", "two"]
    capsys.readouterr()
    assert main(["history", project, "--format", "csv"]) == 0
    rows = list(csv.DictReader(io.StringIO(capsys.readouterr().out)))
    assert [(row["name"], row["run"]) for row in rows[3:6]] == [
        ("one", "title"),
        ("two", "bm25"),
        ("two", "ql"),
    ]
    assert main(["history", project, "--changes", "--format", "csv"]) == 0
    (row,) = csv.DictReader(io.StringIO(capsys.readouterr().out))
    assert (row["what"], row["now"]) == ("Run title", "") and len(row["before"]) == 12
    assert main(["compare", project, "-m", "AP", "--with", "one"]) == 0
    assert main(["history", project, "--forget", "two"]) == 0
    assert main(["history", project, "--forget", "two"]) == 2
    err = capsys.readouterr().err
    assert find_line(err, "irjudge: ", " two; ", " one.")
    assert main(["verify", project]) == 0


def test_a_run_of_the_evaluation_can_be_the_baseline() -> None:
    Path("new.run").write_text(BAD)
    arguments = ["evaluate", "q.qrels", "r.run", "new.run", "-m", "RR", "--format", "csv"]
    assert main([*arguments, "--fail-if-worse", "r"]) == 3
    assert main([*arguments, "--fail-if-worse", "new"]) == 0


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (
            ("--by", "0.1"),
            "--fail-if-worse",
        ),
        (("--fail-below", "AP"), "got AP."),
        (("--keep", "a/b"), "'a/b'"),
        (("--fail-if-worse", "never"), " never"),
    ],
)
def test_invalid_options_are_refused(
    capsys: pytest.CaptureFixture[str], arguments: tuple[str, ...], message: str
) -> None:
    assert evaluate(*arguments) == 2
    assert message in capsys.readouterr().err


@pytest.mark.slow
def test_studies_and_files_can_be_baselines() -> None:
    assert main(["report", "q.qrels", "r.run", "-m", "AP RR", "-o", "study.zip"]) == 0
    assert evaluate("--fail-if-worse", "study.zip") == 0
    Path("r.run").write_text(BAD)
    assert evaluate("--fail-if-worse", "study.zip") == 3
    assert main(["history", "study.zip"]) == 0
    assert main(["compare", "q.qrels", "r.run", "--with", "study.zip", "--baseline", "r"]) == 2
