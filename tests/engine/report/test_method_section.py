"""Tests of a report's methods paragraph, input hashes, and reproducing command."""

import hashlib
import shlex
from pathlib import Path

import openpyxl
import pytest

from irjudge.cli.main import main
from irjudge.evaluation import Policy, evaluate_project, parse_measures
from irjudge.formats import ReadingOptions
from irjudge.judging import QueueItem, Session, import_judgments, select_qrels
from irjudge.model import ModelJudge
from irjudge.report import ExportOptions, describe_method, export_project, project_source
from irjudge.report.contents import METHOD_TITLE, MethodSource
from irjudge.store import Project, open_project
from tests.engine.report.three_runs import evaluate_three_runs

TITLES = {"en": METHOD_TITLE, "zh": "这些数值的计算方法"}


@pytest.fixture
def files(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    Path("q.qrels").write_text("1 0 a 2\n1 0 b 1\n2 0 a 1\n2 0 c 0\n")
    Path("x.run").write_text("1 Q0 a 1 9 x\n1 Q0 b 2 8 x\n2 Q0 c 1 9 x\n2 Q0 a 2 8 x\n")
    Path("y.run").write_text("1 Q0 b 1 9 y\n1 Q0 c 2 8 y\n2 Q0 a 1 9 y\n2 Q0 c 2 8 y\n")
    return tmp_path


def report_text(*arguments: str) -> str:
    assert main(["report", *arguments]) == 0
    path = Path(arguments[-1])
    if path.suffix != ".xlsx":
        return path.read_text()
    rows = openpyxl.load_workbook(path)[METHOD_TITLE].iter_rows(values_only=True)
    return "\n".join(" ".join(map(str, row)) for row in rows)


@pytest.mark.slow
@pytest.mark.parametrize("ending", ["xlsx", "html", "tex", "md"])
def test_every_format_has_input_hashes_and_the_command(files: Path, ending: str) -> None:
    text = report_text(
        "q.qrels", "x.run", "y.run", "-m", "AP", "--ties", "docno", "-o", f"r.{ending}"
    )
    assert TITLES["en"] in text
    for name in ("q.qrels", "x.run", "y.run"):
        assert hashlib.sha256(Path(name).read_bytes()).hexdigest() in text
    assert "irjudge report q.qrels x.run y.run" in text and "docno" in text


def test_the_command_reproduces_the_report(files: Path) -> None:
    text = report_text(
        "q.qrels", "x.run", "-m", "P@5", "-m", "nDCG@10", "--rel", "2", "-o", "r.csv"
    )
    result = report_text(
        "q.qrels",
        "x.run",
        "-m",
        "P@5",
        "-m",
        "nDCG@10",
        "--rel",
        "2",
        "--depth",
        "1",
        "--highest",
        "3",
        "--average",
        "median",
        "-o",
        "r.xlsx",
    )
    command = next(line for line in result.split("\n") if line.startswith("Command ")).removeprefix(
        "Command "
    )
    again = shlex.split(command)
    assert again[0] == "irjudge" and report_text(*again[2:]) == result
    assert text.startswith("run,measure,topic,value")


@pytest.mark.parametrize(
    ("options", "average"),
    [
        (["--topic", "2", "--topic", "1"], "0.7500"),  # AP of x: 1 on topic 1, 1/2 on topic 2
        (
            ["--topic", "2-3"],
            "0.2500",
        ),  # 1/2 on topic 2, and 0 on topic 3, which has no relevant document
        (["--topics", "both"], "**0.5000**"),  # 3/6: ranked, although z has only topic 1
    ],
)
def test_the_command_reproduces_the_choice_of_topics(
    files: Path, options: list[str], average: str
) -> None:
    with Path("q.qrels").open("a") as qrels, Path("x.run").open("a") as run:
        qrels.write("3 0 a 0\n")
        run.write("3 Q0 a 1 9 x\n")
    Path("z.run").write_text("1 Q0 c 1 9 z\n")
    result = report_text("q.qrels", "x.run", "z.run", "-m", "AP", *options, "-o", "r.md")
    assert f"| x | {average} |" in result
    command = next(line for line in result.split("\n") if line.startswith("| Command |"))
    again = shlex.split(command.split("|")[2])
    assert again[0] == "irjudge" and report_text(*again[2:]) == result


def test_hashes_of_files_with_the_same_name_belong_to_different_runs(files: Path) -> None:
    paths = [Path(folder, "run.txt") for folder in ("new", "old")]
    for path, name in zip(paths, ("x.run", "y.run"), strict=True):
        path.parent.mkdir()
        path.write_bytes(Path(name).read_bytes())
    result = report_text("q.qrels", *map(str, paths), "-m", "AP", "-o", "r.md")
    for path in paths:
        digest = hashlib.sha256(path.read_bytes()).hexdigest()
        assert f"| Run {path.parent}/run | SHA-256 {digest} |" in result


def test_the_section_is_in_the_requested_language(files: Path) -> None:
    text = report_text("q.qrels", "x.run", "-m", "AP", "--language", "zh", "-o", "r.md")
    assert f"## {TITLES['zh']}" in text and "评测" in text and TITLES["en"] not in text


def test_every_parameter_and_the_whole_policy_are_stated() -> None:
    table = evaluate_three_runs("nDCG@10", Policy(ties="docno"))
    text = dict(describe_method(table, MethodSource(command="irjudge report")).metadata)
    assert "gain = linear" in text["nDCG@10"] and "cutoff = 10" in text["nDCG@10"]
    assert (
        text["Averaging"].startswith("macro: ")
        and text["Profile"].startswith("irjudge: ")
        and "docno" in text["Topics and ties"]
    )


@pytest.fixture
def project_of_two_assessors_and_a_model(project_file: Path, tmp_path: Path):
    """Ann, the owner, judged d0 and d1, and bob d0; the model gpt-x labelled d0 to d2."""
    (tmp_path / "people.csv").write_text(
        "topic,document,assessor,grade\n051,d0,ann,3\n051,d0,bob,1\n051,d1,ann,0\n"
    )
    (tmp_path / "labels.txt").write_text("051 0 d0 2\n051 0 d1 2\n051 0 d2 1\n")
    with open_project(project_file) as project:
        import_judgments(project, tmp_path / "people.csv")
        judge = ModelJudge("gpt-x")
        import_judgments(project, tmp_path / "labels.txt", ReadingOptions(judge=judge))
        yield project


@pytest.mark.parametrize(
    ("qrels", "parts", "missing"),
    [
        ("consensus", ["Assessors: 2; judgments: 3.", "alpha"], ["gpt-x"]),
        ("assessor bob", ["bob; judgments: 1."], ["Assessors: 2", "alpha", "by the rule"]),
        ("judged here", ["Assessors: 1; judgments: 2."], ["Assessors: 2", "alpha", "by the rule"]),
        ("model gpt-x", ["gpt-x; judgments: 3."], ["Assessors: ", "alpha", "by the rule"]),
        ("mixed:gpt-x", ["gpt-x", "Assessors: 2; judgments: 3.", "by the rule"], []),
    ],
)
def test_a_report_states_who_made_the_evaluated_qrels(
    project_of_two_assessors_and_a_model: Project,
    qrels: str,
    parts: list[str],
    missing: list[str],
) -> None:
    project = project_of_two_assessors_and_a_model
    choice = select_qrels(project, qrels)
    table = evaluate_project(project, parse_measures(["AP"]), choice=choice)
    paragraph = describe_method(table, project_source(project, table, "")).paragraph
    assert all(part in paragraph for part in parts), paragraph
    assert not any(part in paragraph for part in missing), paragraph


def test_a_project_report_states_pool_assessors_agreement_rule_and_hash(
    project_file: Path, tmp_path: Path
) -> None:
    with open_project(project_file) as project:
        for name in ("ann", "bob"):
            session = Session(project, name)
            for number in range(6):
                session.grade(
                    session.open_item(QueueItem("051", f"d{number}")),
                    (number + (name == "bob" and number > 3)) % 4,
                )
        table = evaluate_project(project, parse_measures(["AP"]))
        made = describe_method(table, project_source(project, table, ""))
        for part in (
            "Pool: strategy depth",
            "Assessors: 2; judgments: 12.",
            "6 of ",
            "alpha, ordinal",
            "by the rule: ",
        ):
            assert part in made.paragraph
        metadata = dict(made.metadata)
        run = table.runs[0].run
        export_project(project, ExportOptions("run", run), tmp_path / "out.run")
        export_project(project, ExportOptions("qrels"), tmp_path / "out.qrels")
    hashes = {
        each: hashlib.sha256((tmp_path / each).read_bytes()).hexdigest()
        for each in ("out.run", "out.qrels")
    }
    assert f"SHA-256 {hashes['out.qrels']}" == metadata["Qrels written by `irjudge export`"]
    assert f"SHA-256 {hashes['out.run']}" in [
        value for name, value in metadata.items() if name.startswith(f"Run {run}")
    ]
