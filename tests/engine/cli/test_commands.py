"""Tests of the interface of the command line: output, exit codes, and errors."""

import csv
import io
import json
from pathlib import Path

import click
import openpyxl
import pytest

from irjudge.cli.main import COMMANDS, irjudge, main
from irjudge.shipped import sample_folders
from irjudge.store import open_project
from tests.engine.cli.output import find_line, numbers

SAMPLE = sample_folders()["everyday"]
QRELS = str(SAMPLE / "qrels.txt")
RUNS = [str(path) for path in sorted((SAMPLE / "runs").glob("*.run"))]


class CommandResult:
    """Exit code and output of a command."""

    def __init__(self, code: int, out: str, err: str) -> None:
        self.code, self.out, self.err = code, out, err

    def csv(self) -> list[dict[str, str]]:
        return list(csv.DictReader(io.StringIO(self.out)))


@pytest.fixture
def run(capsys: pytest.CaptureFixture[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.chdir(tmp_path)

    def call(*arguments: str) -> CommandResult:
        code = main(list(arguments))
        captured = capsys.readouterr()
        return CommandResult(code, captured.out, captured.err)

    return call


@pytest.fixture
def project(run) -> str:
    assert run("sample", "everyday").code == 0
    return "everyday.irjudge"


def test_sample_lists_the_collections(run) -> None:
    assert [row["name"] for row in run("sample", "--format", "csv").csv()] == [
        "everyday",
        "harbour",
        "textbook",
    ]


def test_sample_never_overwrites(run, project: str) -> None:
    before = Path(project).read_bytes()
    again = run("sample", "everyday")
    assert (again.code, again.out) == (2, "")
    assert "already exists" in again.err and Path(project).read_bytes() == before


def test_new_accepts_several_files_after_one_option(run) -> None:
    arguments = [
        "--documents",
        str(SAMPLE / "documents.jsonl"),
        "--topics",
        str(SAMPLE / "topics.txt"),
        "--runs",
        *RUNS,
        "--qrels",
        QRELS,
    ]
    binary = ["--scale", "binary", "--grades", "0:0,1:0,2:1,3:1"]
    assert run("new", "a.irjudge", *arguments, *binary).code == 0
    with open_project(Path("a.irjudge"), writing=False) as made:
        assert [each.name for each in made.rankings.runs()] == ["bm25", "ql", "tfidf", "title"]
        assert made.scale.values == (0, 1)


def test_new_leaves_nothing_when_a_file_is_invalid(run, tmp_path: Path) -> None:
    bad = tmp_path / "bad.run"
    bad.write_text("1 Q0 d1 1 2.0 a\n1 Q0 d2\n")
    arguments = [
        "--documents",
        str(SAMPLE / "documents.jsonl"),
        "--topics",
        str(SAMPLE / "topics.txt"),
        "--runs",
        str(bad),
    ]
    result = run("new", "a.irjudge", *arguments)
    assert result.code == 2 and "bad.run, line 2: 3 columns; expected 6" in result.err
    assert [path.name for path in tmp_path.iterdir()] == ["bad.run"]


def test_import_adds_all_or_nothing(run, project: str, tmp_path: Path) -> None:
    good, bad = tmp_path / "good.run", tmp_path / "bad.run"
    good.write_text("1 Q0 tides-made 1 2.0 a\n")
    bad.write_text("1 Q0 tides-made 1 much a\n")
    result = run("import", project, "--runs", str(good), str(bad))
    assert result.code == 2 and "bad.run, line 1: " in result.err and "'much'" in result.err
    with open_project(Path(project), writing=False) as opened:
        assert "good" not in [each.name for each in opened.rankings.runs()]
    assert run("import", project, "--runs", str(good)).code == 0
    assert run("import", project).code == 2


@pytest.mark.parametrize("form", ["csv", "json"])
def test_evaluate_prints_the_expected_columns(run, form: str) -> None:
    result = run(
        "evaluate",
        QRELS,
        *RUNS,
        "-m",
        "AP",
        "-m",
        "P@5 num_rel_ret",
        "--per-topic",
        "--format",
        form,
    )
    rows = result.csv() if form == "csv" else json.loads(result.out)["values"]
    assert list(rows[0]) == ["run", "measure", "topic", "value"]
    assert len(rows) == 4 * 3 * (6 + 1)
    values = {(row["run"], row["measure"], row["topic"]): float(row["value"]) for row in rows}
    assert f"{values['bm25', 'AP', 'all']:.4f}" == "0.7084"
    assert values["bm25", "NumRelRet", "all"] == sum(
        values["bm25", "NumRelRet", topic] for topic in "123456"
    )


def test_evaluate_prints_as_trec_eval_does(run) -> None:
    lines = run(
        "evaluate", QRELS, RUNS[0], "-m", "map", "-m", "P_5", "--format", "trec"
    ).out.splitlines()
    assert lines == ["map                   \tall\t0.7084", "P_5                   \tall\t0.7333"]


def test_evaluate_reports_the_coverage_of_means(run) -> None:
    result = run("evaluate", QRELS, *RUNS, "-m", "AP")
    assert result.out.splitlines()[0].split() == ["run", "AP"]
    assert numbers(find_line(result.err, "bm25: ")) == ["25", "6", "10", "0.0", "10"]
    assert find_line(result.err, "qrels", "run;")


def test_evaluate_accepts_a_single_project(run, project: str) -> None:
    assert (
        run("evaluate", project, "-m", "AP", "--format", "csv").out
        == run("evaluate", QRELS, *RUNS, "-m", "AP", "--format", "csv").out
    )


def test_a_relevance_threshold_shows_in_the_name(run) -> None:
    rows = run(
        "evaluate", QRELS, RUNS[0], "-m", "P@5", "-m", "nDCG@5", "--rel", "2", "--format", "csv"
    ).csv()
    assert [row["measure"] for row in rows] == ["P(rel=2)@5", "nDCG@5"]


def test_pool_prints_the_expected_columns_and_writes_a_file(run, tmp_path: Path) -> None:
    rows = run("pool", *RUNS, "--depth", "1", "--format", "csv").csv()
    assert list(rows[0]) == ["topic", "document"]
    assert run("pool", *RUNS, "--depth", "1", "-o", "p.qrels").code == 0
    lines = (tmp_path / "p.qrels").read_text().splitlines()
    assert lines == [f"{row['topic']} 0 {row['document']} -1" for row in rows]


def test_a_run_is_removed_and_imported_again(run, project: str) -> None:
    file = str(sample_folders()["everyday"] / "runs" / "bm25.run")
    again = run("import", project, "--runs", file)
    assert again.code == 2 and "`irjudge remove-run`" in again.err
    assert run("remove-run", project, "bm25").out == f"Removed the run bm25 from {project}.\n"
    assert run("import", project, "--runs", file).code == 0


def test_the_pool_of_a_project_is_stored_in_it(run, project: str) -> None:
    assert numbers(run("pool", project, "--depth", "10").out) == ["54", "36", "6", "10", "4"]
    rows = run("status", project, "--format", "csv").csv()
    counted = {"assessor": "owner", "topic": "all", "judged": "0", "assigned": "54", "left": "54"}
    assert rows[-1] == {**counted, "active_minutes": "0.0", "median_seconds": ""}


def test_imported_qrels_are_used_until_there_are_judgments(run, project: str) -> None:
    assert sorted(run("qrels", project).out.splitlines()) == sorted(
        Path(QRELS).read_text().splitlines()
    )
    assert run("qrels", project, "--source", "nobody's").code == 2


def test_report_writes_a_workbook_and_a_table(run, project: str) -> None:
    assert run("report", project, "-m", "AP", "-o", "r.xlsx").code == 0
    summary = openpyxl.load_workbook("r.xlsx", data_only=True)["Summary"]
    assert {row[0] for row in summary.iter_rows(min_row=2, values_only=True)} == {
        "bm25",
        "ql",
        "tfidf",
        "title",
    }
    assert run("report", QRELS, *RUNS, "-m", "AP", "-o", "r.csv").code == 0
    assert Path("r.csv").read_text().startswith("run,measure,topic,value\nbm25,AP,1,")
    assert run("report", QRELS, *RUNS, "-o", "r.xlsx").code == 0
    result = run("report", project, "-o", "r.pdf")
    assert result.code == 2 and ".xlsx" in result.err and "r.pdf" in result.err


def test_verify_reports_an_intact_file(run, project: str) -> None:
    result = run("verify", project)
    assert (result.code, numbers(result.out)) == (0, ["0", "40"])


def test_measures_are_listed_and_explained(run) -> None:
    names = [row["name"] for row in run("measures", "--format", "csv").csv()]
    assert {"AP", "P", "R", "RR", "Rprec", "Success", "SetP", "SetR", "SetF", "DCG", "nDCG"} <= set(
        names
    )
    for name in ("nDCG@10", "map"):
        assert "formula" in run("measures", name).out


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (["evaluate", QRELS, *RUNS, "-m", "ndgc@10"], "Did you mean nDCG@10"),
        (["evaluate", QRELS, *RUNS, "-m", "P@0"], "got 0"),
        (["evaluate", "nosuch.qrels", *RUNS], "nosuch.qrels: cannot be read"),
        (["evaluate", RUNS[0], QRELS, "-m", "AP"], "is a run"),
        (["pool", *RUNS, "--depth", "0"], "depth"),
        (
            ["pool", *RUNS, "--depth", "5", "--strategy", "magic"],
            "plain, rank-systems, find-relevant, depth",
        ),
        (["pool", *RUNS, "--strategy", "plane"], "Did you mean plain?"),
        (
            ["pool", RUNS[0], RUNS[0], "--depth", "5"],
            RUNS[0],
        ),
        (["status", "nosuch.irjudge"], "does not exist"),
        (["verify", QRELS], "is not"),
        (["open", "nosuch.irjudge"], "does not exist"),
        (["nosuch"], "nosuch"),
        (["measures", "nosuch"], "not known"),
    ],
    ids=lambda value: (
        " ".join(Path(word).name for word in value) if isinstance(value, list) else ""
    ),
)
def test_invalid_options_give_one_error_and_exit_code_2(
    run, arguments: list[str], sentence: str
) -> None:
    result = run(*arguments)
    assert (result.code, result.out) == (2, "")
    assert sentence in result.err and "Traceback" not in result.err


def test_an_unexpected_exception_is_reported_as_a_bug(run, monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(*_: object, **__: object) -> None:
        raise ZeroDivisionError

    monkeypatch.setattr("irjudge.cli.evaluate.evaluate_sources", broken)
    result = run("evaluate", QRELS, *RUNS, "-m", "AP")
    assert result.code == 1 and "error occurred in irjudge" in result.err


@pytest.mark.parametrize("name", COMMANDS)
def test_every_command_has_a_help_text(run, name: str) -> None:
    result = run(name, "--help")
    assert result.code == 0 and result.out.startswith(f"Usage: irjudge {name}")
    command = irjudge.get_command(click.Context(irjudge), name)
    assert command is not None and command.help
    assert len(COMMANDS[name].summary) <= 60 and COMMANDS[name].summary in run("--help").out
    assert f"  {name} " in run("--help").out


def test_an_assumed_highest_grade_is_reported_once(run) -> None:
    result = run("evaluate", QRELS, *RUNS, "-m", "ERR@10", "-m", "nERR@10")
    assert result.code == 0 and numbers(find_line(result.err, "Highest grade")) == ["3"]
    for measure in ("AP", "ERR(highest=4)@10"):
        assert "Highest grade" not in run("evaluate", QRELS, RUNS[0], "-m", measure).err
