"""Tests of `irjudge export`: counts on stderr, nothing on stdout, clear errors."""

import csv
from pathlib import Path

import pytest

from irjudge.cli.export import HELP
from irjudge.cli.main import main
from irjudge.report import EXPORT_KINDS, EXPORTS, project_exports
from irjudge.store import open_project
from tests.engine.cli.output import find_line, numbers
from tests.engine.exchange.classroom import assign_class, build_class, judge_file


def run(capsys: pytest.CaptureFixture[str], *arguments: object) -> tuple[int, str, str]:
    code = main([str(word) for word in arguments])
    captured = capsys.readouterr()
    return code, captured.out, captured.err


def test_every_kind_has_its_option() -> None:
    assert {*HELP, "run"} == set(EXPORTS)


def test_both_counts_are_printed_on_stderr(
    project_file: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    out = tmp_path / "tasks.csv"
    code, printed, err = run(capsys, "export", project_file, "--tasks", "-o", out)
    assert (code, printed) == (0, "")
    assert err.count("\n") == 1 and numbers(err.replace(str(out), "")) == ["12", "12"]
    assert str(out) in err


def test_tasks_are_exported_and_crowd_results_imported(
    project_file: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    run(capsys, "export", project_file, "--tasks", "-o", tmp_path / "tasks.csv")
    with (tmp_path / "tasks.csv").open(encoding="utf-8", newline="") as file:
        items = [row["item"] for row in csv.DictReader(file)]
    for name, part in (("one.csv", items[:6]), ("two.csv", items[6:])):
        rows = "".join(f"{item};w1;Relevant\n" for item in part)
        (tmp_path / name).write_text("unit;by;answer given\n" + rows)
    columns = "item=unit,worker=by,label=answer given"
    assert (
        run(
            capsys,
            "import",
            project_file,
            "--judgments",
            tmp_path / "one.csv",
            "--columns",
            columns,
        )[0]
        == 0
    )
    code, _, err = run(capsys, "import", project_file, "--judgments", tmp_path / "two.csv")
    assert code == 0 and find_line(err, "two.csv: ", " unit, ", " by")
    run(
        capsys,
        "export",
        project_file,
        "--qrels",
        "--source",
        "assessor w1",
        "-o",
        tmp_path / "q.qrels",
    )
    with open_project(project_file) as project:
        pool = project.rankings.pool()
        assert pool is not None
        lines = [
            f"{topic} 0 {document} 2"
            for topic, document in zip(
                [pool.topics[t] for t in pool.topic], pool.document.to_pylist(), strict=True
            )
        ]
    assert (tmp_path / "q.qrels").read_text().splitlines() == lines


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        ([], f"({', '.join(f'--{name}' for name in EXPORT_KINDS)})"),
        (["--topics", "--run", "x"], "--topics and --run."),
        (
            ["--topics", "--unjudged"],
            "with --topics.",
        ),
        (["--qrels", "--source", "nobody"], "There are no qrels"),
        (["--pool"], "got out.x."),
    ],
)
def test_invalid_options_give_an_error_and_exit_code_2(
    project_file: Path,
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
    arguments: list[str],
    sentence: str,
) -> None:
    code, printed, err = run(capsys, "export", project_file, *arguments, "-o", tmp_path / "out.x")
    assert (code, printed) == (2, "") and sentence in err and not (tmp_path / "out.x").exists()


def test_a_lost_row_is_an_error_and_the_previous_file_stays(
    project_file: Path,
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    whole = project_exports.write_topics
    monkeypatch.setattr(
        project_exports, "write_topics", lambda path, topics: whole(path, topics[:-1])
    )
    out = tmp_path / "t.jsonl"
    out.write_text("before")
    code, _, err = run(capsys, "export", project_file, "--topics", "-o", out)
    assert code == 2 and numbers(err.partition(out.name)[2]) == ["2", "1", "2"]
    assert out.read_text() == "before"


def test_an_assessors_file_becomes_a_page_for_a_browser(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    build_class(tmp_path / "class.irjudge")
    task = assign_class(tmp_path / "class.irjudge", tmp_path / "files").files[0].path
    judge_file(task, limit=1)
    out = tmp_path / "ann.html"
    code, printed, err = run(capsys, "export", task, "--html", "-o", out)
    assert (
        (code, printed) == (0, "")
        and out.read_text().startswith("<!doctype html>")
        and b'"assessor":"ann"' in out.read_bytes()
    )
    assert find_line(err, "ann.html", "ann.result.json")
    assert find_line(err, "ann.irtask")
    for arguments, sentence in (
        (
            (tmp_path / "class.irjudge", "--html"),
            "class.irjudge",
        ),
        ((task, "--html", "--tasks"), "--html and --tasks."),
    ):
        code, _, err = run(capsys, "export", *arguments, "-o", tmp_path / "no.html")
        assert code == 2 and sentence in err and not (tmp_path / "no.html").exists()


@pytest.mark.parametrize(
    ("arguments", "ending"),
    [
        (["--qrels"], ".txt"),
        (["--qrels", "--form", "opensearch"], ".txt"),
        (["--tasks"], ".csv"),
        (["--tasks", "--form", "doccano"], ".jsonl"),
        (["--topics"], ".jsonl"),
        (["--documents"], ".jsonl"),
        (["--pool"], ".csv"),
        (["--judgments"], ".csv"),
    ],
)
def test_a_hyphen_writes_the_same_text_to_standard_output(
    project_file: Path,
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
    arguments: list[str],
    ending: str,
) -> None:
    monkeypatch.chdir(tmp_path)
    out = tmp_path / f"out{ending}"
    expected, _, message = run(capsys, "export", project_file, *arguments, "-o", out)
    code, printed, err = run(capsys, "export", project_file, *arguments, "-o", "-")
    assert code == expected
    if code:
        assert (printed, err) == ("", message)
    else:
        assert printed == out.read_bytes().decode()
        assert "out" not in err
    assert not (tmp_path / "-").exists()


@pytest.mark.parametrize("arguments", [["--qrels", "--form", "parquet"], ["--html"]])
def test_files_that_are_not_text_are_not_written_to_standard_output(
    project_file: Path,
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
    arguments: list[str],
) -> None:
    monkeypatch.chdir(tmp_path)
    code, printed, err = run(capsys, "export", project_file, *arguments, "-o", "-")
    assert (code, printed, err.count("\n")) == (2, "", 1)
    assert "-o" in err and not list(tmp_path.glob("-*"))
