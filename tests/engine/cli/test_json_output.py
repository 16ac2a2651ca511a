"""Tests of JSON output: one object of rows and policy, with the messages of stderr."""

import json
from pathlib import Path

import pytest

from irjudge.cli.main import main
from irjudge.evaluation import Policy

QRELS = "1 0 d1 1\n1 0 d2 0\n2 0 d1 2\n"
RUN = "1 Q0 d1 1 2.0 a\n1 Q0 d2 2 1.0 a\n2 Q0 d9 1 1.0 a\n"


@pytest.fixture
def files(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "q.qrels").write_text(QRELS, encoding="utf-8")
    for name in "ab":
        (tmp_path / f"{name}.run").write_text(RUN, encoding="utf-8")
    return tmp_path


def evaluate(*arguments: str) -> int:
    return main(["evaluate", "q.qrels", "a.run", "-m", "RR", *arguments])


def test_output_is_one_object_of_values_policy_and_warnings(
    files: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert evaluate("-f", "json", "--ties", "docno", "--rel", "2", "--depth", "5") == 0
    out, err = capsys.readouterr()
    printed = json.loads(out)
    assert list(printed) == ["values", "policy", "warnings"]
    assert printed["values"] == [{"run": "a", "measure": "RR(rel=2)", "topic": "all", "value": 0.0}]
    assert printed["policy"].keys() == Policy.__dataclass_fields__.keys()
    chosen = {name: printed["policy"][name] for name in ("ties", "rel", "depth", "topics")}
    assert chosen == {"ties": "docno", "rel": 2, "depth": 5, "topics": "both"}
    assert printed["warnings"] == err.splitlines() and len(printed["warnings"]) >= 2


@pytest.mark.parametrize("command", ["compare", "bounds", "correlate"])
def test_every_command_that_evaluates_has_its_policy(
    files: Path, capsys: pytest.CaptureFixture[str], command: str
) -> None:
    more = ["--systems"] if command == "correlate" else []
    measures = ["-m", "RR", "-m", "AP"] if command == "correlate" else ["-m", "RR"]
    arguments = [command, *more, "q.qrels", "a.run", "b.run", *measures, "--ties", "docno"]
    assert main([*arguments, "-f", "json"]) == 0
    assert json.loads(capsys.readouterr().out)["policy"]["ties"] == "docno"


def test_a_table_without_an_evaluation_has_no_policy(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["measures", "-f", "json"]) == 0
    printed = json.loads(capsys.readouterr().out)
    assert printed["policy"] is None and len(printed["values"]) > 50


def test_a_failed_check_leaves_a_whole_object_that_says_so(
    files: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert evaluate("-f", "json", "--fail-below", "RR=0.9") == 3
    out, err = capsys.readouterr()
    assert json.loads(out)["warnings"] == err.splitlines()


def test_an_error_before_the_table_prints_no_json(
    files: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["evaluate", "q.qrels", "no.run", "-m", "RR", "-f", "json"]) == 2
    assert capsys.readouterr().out == ""


def test_quiet_prints_only_results_and_errors(
    files: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert evaluate() == 0
    loud = capsys.readouterr()
    assert evaluate("--quiet") == 0
    quiet = capsys.readouterr()
    assert (quiet.out, quiet.err) == (loud.out, "") and loud.err
    assert evaluate("--quiet", "--fail-below", "RR=0.9") == 3
    assert capsys.readouterr().err.count("\n") == 1
    assert evaluate("--quiet", "-f", "json") == 0
    assert json.loads(capsys.readouterr().out)["warnings"] == loud.err.splitlines()
    assert evaluate() == 0
    assert capsys.readouterr().err == loud.err  # the quiet option applies to one command
