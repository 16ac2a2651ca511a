"""Tests of leaving out a retrieved document that is the query itself, as BEIR does."""

from pathlib import Path

import pytest

import irjudge
from irjudge.cli.main import main
from irjudge.model import make_run

QRELS = "a 0 b 1\nb 0 a 1\nb 0 c 1\n"
RUN = "a Q0 a 1 3 t\na Q0 b 2 2 t\nb Q0 a 1 3 t\nb Q0 b 2 2 t\nb Q0 c 3 1 t\nc Q0 c 1 1 t\n"


@pytest.fixture
def files(tmp_path: Path) -> list[str]:
    (tmp_path / "q").write_text(QRELS)
    (tmp_path / "r.run").write_text(RUN)
    return [str(tmp_path / "q"), str(tmp_path / "r.run")]


def values(capsys: pytest.CaptureFixture[str], *arguments: str) -> list[str]:
    assert main([*arguments]) == 0
    return [line.split(",")[-1] for line in capsys.readouterr().out.splitlines()[1:]]


def test_ranks_are_computed_without_the_query(files: list[str], capsys: pytest.CaptureFixture[str]):
    arguments = ["evaluate", *files, "-m", "RR", "-m", "AP", "-q", "-f", "csv"]
    result = [float(value) for value in values(capsys, *arguments)]
    assert result == pytest.approx([0.5, 1, 0.75, 0.5, 5 / 6, 2 / 3])
    ones = ["1.0"] * 6
    assert values(capsys, *arguments, "--exclude-query-id") == ones
    assert values(capsys, *arguments, "--exclude-query-id", "--cluster", "local") == ones


def test_a_project_and_the_explanation_agree(
    files: list[str], tmp_path: Path, capsys: pytest.CaptureFixture[str]
):
    project = str(tmp_path / "a.irjudge")
    assert main(["new", project, "--qrels", files[0], "--runs", files[1]]) == 0
    capsys.readouterr()
    arguments = ["evaluate", project, "-m", "RR", "-f", "csv", "--exclude-query-id"]
    assert values(capsys, *arguments) == ["1.0"]
    assert main(["explain", *files, "-m", "RR", "-t", "a", "--exclude-query-id"]) == 0
    assert "1 / 1" in capsys.readouterr().out


def test_a_report_can_be_reproduced(files: list[str], tmp_path: Path):
    out = tmp_path / "r.html"
    assert main(["report", *files, "-m", "RR", "--exclude-query-id", "-o", str(out)]) == 0
    assert "--exclude-query-id -o" in out.read_text(encoding="utf-8")


def test_stored_values_include_the_setting(files: list[str], capsys: pytest.CaptureFixture[str]):
    arguments = ["evaluate", *files, "-m", "RR"]
    assert main([*arguments, "--keep", "all"]) == 0
    assert main([*arguments, "--exclude-query-id", "--keep", "without"]) == 0
    folder = Path(files[0]).parent
    stored = [(folder / f"{name}.evaluations.jsonl").read_text() for name in ("all", "without")]
    assert ["exclude_query_id" in text for text in stored] == [False, True]


def test_the_python_api_excludes_the_query():
    run = make_run("r", [("a", "a", 3.0), ("a", "b", 2.0)])
    assert run.without_queries().document.to_pylist() == ["b"]
    table = irjudge.evaluate(
        {"a": {"b": 1}}, {"a": {"a": 3.0, "b": 2.0}}, "RR", exclude_query_id=True
    )
    assert table.value.tolist() == [1.0]
    only = make_run("r", [("a", "a", 3.0), ("b", "c", 1.0)]).without_queries()
    assert (only.topics, only.empty_topics) == (("a", "b"), ("a",))
