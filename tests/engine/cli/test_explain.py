"""Tests of `irjudge explain`: formats, and requests that cannot be met."""

import csv
import io
import json
from pathlib import Path

import pytest

from irjudge.cli.main import main

QRELS = "1 0 a 1\n1 0 b -1\n1 0 c 0\n1 0 d -2\n3 0 a 1\n"


@pytest.fixture
def explain(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]):
    monkeypatch.chdir(tmp_path)
    Path("q.qrels").write_text(QRELS)
    Path("mine.run").write_text(
        "".join(f"1 Q0 {letter} {rank} {9 - rank} mine\n" for rank, letter in enumerate("cabdx", 1))
    )

    def call(
        *arguments: str,
        code: int = 0,
        files: tuple[str, str] = ("q.qrels", "mine.run"),
        topic: str = "1",
    ) -> str:
        assert main(["explain", *files, "-t", topic, *arguments]) == code
        out, call.err = capsys.readouterr()
        return out

    return call


def test_text_ends_with_the_value(explain) -> None:
    lines = explain("-m", "AP").splitlines()
    assert "AP" in lines[0] and "topic 1, run mine" in lines[0] and lines[-1] == "AP = 0.5"
    assert [line.split()[2] for line in lines[4:9]] == [
        "0",
        "1",
        "unjudged",
        "unjudgeable",
        "unjudged",
    ]


def test_a_table_has_a_row_for_each_rank(explain) -> None:
    rows = list(csv.DictReader(io.StringIO(explain("-m", "P@4", "--format", "csv"))))
    assert list(rows[0]) == ["rank", "document", "grade", "found", "P@r"]
    assert [(row["document"], row["grade"], row["found"]) for row in rows] == [
        ("c", "0", "0"),
        ("a", "1", "1"),
        ("b", "-1", "1"),
        ("d", "-2", "1"),
    ]
    assert "P@4 = 0.25" in explain.err
    records = json.loads(explain("-m", "P@5", "--format", "json"))["values"]
    assert records[4] == {"rank": 5, "document": "x", "grade": None, "found": 1, "P@r": 0.2}


def test_each_measure_of_several_is_explained(explain) -> None:
    out = explain("-m", "P.1,2 RR")
    assert [line for line in out.splitlines() if " of topic " in line] == [
        f"{name} of topic 1, run mine" for name in ("P@1", "P@2", "RR")
    ]


def test_evaluation_options_apply(explain) -> None:
    assert explain("-m", "NumRelRet", "--depth", "1").splitlines()[-1] == "NumRelRet = 0"
    assert (
        explain("-m", "P@1", "--negative", "0", "--rel", "2").splitlines()[-1] == "P(rel=2)@1 = 0.0"
    )
    assert "Nothing was retrieved." in explain("-m", "AP", "--topics", "qrels", topic="3")


@pytest.mark.parametrize(
    ("arguments", "topic", "message"),
    [
        (
            ("-m", "AP"),
            "9",
            "1, 3.",
        ),
        (
            ("-m", "AP"),
            "3",
            "Topic 3 ",
        ),
        (("-m", "PA"), "1", "'PA'"),
        (("-m", "P.1,2", "--format", "csv"), "1", "2 (P@1, P@2)"),
        (("-m", "relstring"), "1", "relstring"),
    ],
)
def test_invalid_options_give_one_error(
    explain, arguments: tuple[str, ...], topic: str, message: str
) -> None:
    assert explain(*arguments, topic=topic, code=2) == ""
    assert message in explain.err and "fault" not in explain.err


def test_runs_of_a_project_are_named(
    explain, project_file: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    Path("judgments.csv").write_text("assessor,topic,document,grade\nann,051,d0,2\n")
    assert main(["import", str(project_file), "--judgments", "judgments.csv"]) == 0
    capsys.readouterr()
    assert (
        explain("-m", "ERR", files=(str(project_file), "bm25"), topic="051").splitlines()[-1]
        == "ERR = 0.375"
    )
    explain("-m", "ERR", files=(str(project_file), "x"), topic="051", code=2)
    assert "'x'" in explain.err and "bm25" in explain.err
