"""Tests of `irjudge duplicates`, and of pools without near-duplicates."""

import csv
import io
from pathlib import Path

import pytest

from irjudge.cli.main import main
from irjudge.store import open_project
from tests.engine.cli.output import command_error, find_line

TEXT = "the tide comes in twice a day because the moon draws the water on both sides of the earth and so do we see it"
TEXTS = {"a": TEXT, "b": "bread and dough", "c": f"{TEXT.upper()}!", "d": f"{TEXT} again"}


@pytest.fixture
def call(capsys: pytest.CaptureFixture[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("IRJUDGE_CACHE", str(tmp_path / "cache"))

    def run(*arguments: str) -> tuple[int, str, str]:
        code = main(list(arguments))
        captured = capsys.readouterr()
        return code, captured.out, captured.err

    return run


@pytest.fixture
def project(call, tmp_path: Path) -> str:
    """Return a project with one run of four documents, three of them near-duplicates.

    The second of the three is judged, and another one has a different grade.
    """
    (tmp_path / "texts").mkdir()
    for id, text in TEXTS.items():
        (tmp_path / "texts" / f"{id}.txt").write_text(text)
    (tmp_path / "topics.tsv").write_text("1\ttide\n2\tbread\n")
    ranked = [
        f"{topic} Q0 {id} {rank} {9 - rank} r\n"
        for topic in "12"
        for rank, id in enumerate("cbad", 1)
    ]
    (tmp_path / "run.run").write_text("".join(ranked))
    (tmp_path / "known.qrels").write_text("1 0 c 1\n1 0 b 0\n2 0 a 0\n2 0 d 1\n")
    files = [
        "--documents",
        "texts",
        "--topics",
        "topics.tsv",
        "--runs",
        "run.run",
        "--qrels",
        "known.qrels",
    ]
    assert call("new", "p.irjudge", *files)[0] == 0
    return "p.irjudge"


def rows(out: str) -> list[list[str]]:
    return list(csv.reader(io.StringIO(out)))[1:]


def test_near_duplicates_are_listed(call, project: str) -> None:
    code, out, err = call("duplicates", project, "--format", "csv")
    assert (
        code == 0
        and [row[:2] for row in rows(out)] == [["1", "c"], ["1", "a"], ["1", "d"]]
        and "1 group with 3 documents" in err
    )
    assert float(rows(out)[1][2]) == 1 and 0.8 < float(rows(out)[2][2]) < 1
    assert [
        row[1] for row in rows(call("duplicates", project, "--overlap", "1", "--format", "csv")[1])
    ] == ["c", "a"]
    assert [row[1] for row in rows(call("duplicates", "texts", "--format", "csv")[1])] == [
        "a",
        "c",
        "d",
    ]


def test_a_pool_has_one_of_each_group_and_reports_omissions(call, project: str) -> None:
    code, _, err = call("pool", project, "--depth", "4", "--once")
    assert code == 0 and find_line(err, " 4 pairs.")
    with open_project(Path(project), writing=False) as opened:
        pool = opened.rankings.pool()
    assert (
        pool is not None
        and pool.document.to_pylist() == ["c", "b"] * 2
        and pool.parameters["once"] == 0.8
    )
    assert pool.contribution_rank.tolist() == [1, 2] * 2
    assert (
        "sampled pool"
        in call("pool", project, "--depth", "4", "--strategy", "sample", "--size", "2", "--once")[2]
    )


def test_grades_are_suggested_for_duplicates_but_not_assigned(call, project: str) -> None:
    call("pool", project, "--depth", "4")
    before = Path(project).read_bytes()
    code, out, err = call("duplicates", project, "--offer", "--format", "csv")
    assert code == 0 and [row[:4] for row in rows(out)] == [
        ["1", "a", "1", "c"],
        ["1", "d", "1", "c"],
        ["2", "c", "0", "a"],
    ]
    assert find_line(err, "Topic 2: ", " a 0, d 1.")
    assert Path(project).read_bytes() == before
    assert [
        row[2] for row in rows(call("duplicates", project, "--pool", "--format", "csv")[1])
    ] == ["c", "a", "d"] * 2


def test_suggested_grades_need_a_pool(call, project: str) -> None:
    assert command_error("duplicates", project, "--offer").key == "no-pool"
