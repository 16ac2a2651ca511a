"""Tests of `irjudge bounds`: tables, messages and errors."""

import csv
import io
from pathlib import Path

import pytest

from irjudge.cli.main import main
from irjudge.model import Scale
from irjudge.store import create_project
from tests.engine.cli.output import command_error, find_line, numbers

QRELS = "1 0 a 1\n1 0 b -1\n1 0 c 0\n" + "".join(f"1 0 {letter} -1\n" for letter in "defg")
RUNS = {"A": "abcde", "B": "bafgc"}


@pytest.fixture
def bounds(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]):
    monkeypatch.chdir(tmp_path)
    Path("q.qrels").write_text(QRELS)
    for name, letters in RUNS.items():
        Path(f"{name}.run").write_text(
            "".join(
                f"1 Q0 {letter} {rank} {9 - rank} {name}\n"
                for rank, letter in enumerate(letters, 1)
            )
        )

    def call(
        *arguments: str, code: int = 0, files: tuple[str, ...] = ("q.qrels", "A.run", "B.run")
    ) -> list[dict[str, str]]:
        assert main(["bounds", *files, "--format", "csv", *arguments]) == code
        out, call.err = capsys.readouterr()
        return list(csv.DictReader(io.StringIO(out)))

    return call


def test_each_run_has_its_interval(bounds) -> None:
    rows = bounds("-m", "P@5 infAP")
    assert list(rows[0]) == ["run", "measure", "topic", "value", "low", "high"]
    assert rows[0] == {
        "run": "A",
        "measure": "P@5",
        "topic": "all",
        "value": "0.2",
        "low": "0.2",
        "high": "0.8",
    }
    assert (rows[1]["measure"], rows[1]["low"], rows[1]["high"]) == ("infAP", "", "")
    assert numbers(find_line(bounds.err, "Assumption pool")) == ["5", "0", "1"]
    assert find_line(bounds.err, "infAP")


def test_a_difference_has_an_interval_and_a_verdict(bounds) -> None:
    (row,) = bounds("-m", "nDCG@5", "--difference")
    assert list(row) == [
        "measure",
        "run_a",
        "run_b",
        "topic",
        "difference",
        "low",
        "high",
        "verdict",
    ]
    assert (float(row["low"]), float(row["high"])) == pytest.approx((-0.363318, 0.556846), abs=1e-6)
    assert row["verdict"] == "can_change" and find_line(bounds.err, "can_change: ")
    assert len(bounds("-m", "nDCG@5", "--difference", "--per-topic")) == 2
    bounds("-m", "AP", "--difference")
    assert find_line(bounds.err, "AP: ")


def test_unpooled_documents_can_count_as_unjudged(bounds) -> None:
    (row,) = bounds("-m", "RBP(p=0.5)", "--world", "open", files=("q.qrels", "A.run"))
    assert (float(row["low"]), float(row["high"])) == (0.5, 0.5 + 0.25 + 0.0625 + 0.03125 + 0.03125)
    assert find_line(bounds.err, "Assumption open:")


def test_grades_can_be_given(bounds) -> None:
    (row,) = bounds("-m", "CG@2", "--highest", "3", files=("q.qrels", "A.run"))
    assert (row["low"], row["high"]) == ("1.0", "4.0")


def test_bounds_without_unjudged_documents_equal_the_value(bounds) -> None:
    Path("q.qrels").write_text("1 0 a 1\n")
    (row,) = bounds("-m", "AP", files=("q.qrels", "A.run"))
    assert (row["value"], row["low"], row["high"]) == ("1.0", "1.0", "1.0")
    assert find_line(bounds.err, "grade -1")


def test_a_project_uses_its_pool_and_scale(
    bounds, project_file: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert (
        bounds("-m", "P@2", files=(str(project_file),))[0]["high"] == "1.0"
        and "Unjudged pooled documents: 12" in bounds.err
    )
    bounds(files=(str(project_file), "A.run"), code=2)
    assert command_error("bounds", project_file, "A.run").key == "project-alone"
    capsys.readouterr()
    Path("judgments.csv").write_text("assessor,topic,document,grade\nann,051,d0,2\n")
    assert main(["import", str(project_file), "--judgments", "judgments.csv"]) == 0
    capsys.readouterr()
    rows = bounds("-m", "P@2 CG@2", "--per-topic", files=(str(project_file),))
    assert [(row["topic"], row["low"], row["high"]) for row in rows if row["topic"] == "051"] == [
        ("051", "0.5", "1.0"),
        ("051", "2.0", "5.0"),
    ]


def test_the_next_documents_separate_the_runs(bounds) -> None:
    rows = bounds("-m", "nDCG@5", "--difference", "--next", "2")
    assert list(rows[0]) == [
        "measure",
        "run_a",
        "run_b",
        "topic",
        "document",
        "rank_a",
        "rank_b",
        "weight",
    ]
    assert [list(row.values())[:-1] for row in rows] == [
        ["nDCG@5", "A", "B", "1", "f", "", "3"],
        ["nDCG@5", "A", "B", "1", "d", "4", ""],
    ]
    assert [float(row["weight"]) for row in rows] == pytest.approx(
        [-0.306574, 0.264068], abs=1e-6
    )  # 1/2 and 1/log2(5), by 1 + 1/log2(3)
    assert "Unjudged pooled documents: 5" in bounds.err
    assert (
        bounds("-m", "infAP", "--difference", "--next", "2") == []
        and "infAP has no bounds" in bounds.err
    )


def test_a_project_without_qrels_and_pool_has_no_unjudged_documents(bounds, tmp_path: Path) -> None:
    with create_project(tmp_path / "empty.irjudge", scale=Scale.parse("binary")):
        pass
    bounds(files=("empty.irjudge",), code=2)
    assert find_line(bounds.err, "irjudge: ", "empty.irjudge")


@pytest.mark.parametrize(
    ("arguments", "files", "message"),
    [
        (
            ("--next", "3"),
            ("q.qrels", "A.run", "B.run"),
            "--difference",
        ),
        (("--difference", "--next", "0"), ("q.qrels", "A.run", "B.run"), "0"),
        (("--difference",), ("q.qrels", "A.run"), "got 1"),
        (("-m", "nope"), ("q.qrels", "A.run"), "'nope'"),
        (("-m", "AP", "--world", "moon"), ("q.qrels", "A.run"), "moon"),
    ],
)
def test_invalid_options_give_one_error(
    bounds, arguments: tuple[str, ...], files: tuple[str, ...], message: str
) -> None:
    bounds(*arguments, files=files, code=2)
    assert message in bounds.err
