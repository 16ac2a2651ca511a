"""Tests of `--topic` in every command that evaluates."""

import csv
import io
import re
from pathlib import Path

import pytest

from irjudge.cli.main import main
from irjudge.shipped import sample_folders

SAMPLE = sample_folders()["everyday"]
QRELS = str(SAMPLE / "qrels.txt")
RUNS = [str(path) for path in sorted((SAMPLE / "runs").glob("*.run"))]
COMMANDS = {
    "evaluate": ["evaluate", QRELS, *RUNS, "-m", "AP", "-m", "ERR@10", "--format", "csv"],
    "compare": ["compare", QRELS, *RUNS, "-m", "AP", "--format", "csv"],
    "needs": ["compare", QRELS, *RUNS, "-m", "AP", "--power", ".8", "--format", "csv"],
    "correlate": [
        "correlate",
        "--systems",
        QRELS,
        *RUNS,
        "-m",
        "AP",
        "-m",
        "RR",
        "--format",
        "csv",
    ],
    "bounds": ["bounds", QRELS, *RUNS, "-m", "nDCG@10", "--world", "open", "--format", "csv"],
    "differences": [
        "bounds",
        QRELS,
        *RUNS,
        "-m",
        "AP",
        "--world",
        "open",
        "--difference",
        "--format",
        "csv",
    ],
    "figure": ["figure", "heat-map", QRELS, *RUNS, "--format", "csv"],
    "curves": ["figure", "precision-recall", QRELS, *RUNS, "--format", "csv"],
    "reusability": ["reusability", QRELS, *RUNS, "--depth", "5", "--format", "csv"],
    "user": ["user", QRELS, *RUNS, "--known", QRELS, "--format", "csv"],
}


@pytest.fixture
def run_command(capsys: pytest.CaptureFixture[str]):
    def call(*arguments: str) -> tuple[list[dict[str, str]], str]:
        code, captured = main(list(arguments)), capsys.readouterr()
        assert code == 0, captured.err
        return list(csv.DictReader(io.StringIO(captured.out))), captured.err

    return call


@pytest.fixture(scope="module")
def few_qrels(tmp_path_factory: pytest.TempPathFactory) -> str:
    """Return qrels with only topics 2, 3 and 5."""
    path = tmp_path_factory.mktemp("few") / "qrels.txt"
    path.write_text(
        "".join(
            line
            for line in Path(QRELS).read_text().splitlines(keepends=True)
            if line.split()[0] in "235"
        )
    )
    return str(path)


@pytest.mark.parametrize("arguments", COMMANDS.values(), ids=COMMANDS)
def test_output_is_limited_to_the_named_topics(
    run_command, few_qrels: str, arguments: list[str]
) -> None:
    output, reported = run_command(*arguments, "--topic", "2-3", "--topic", "5")
    expected, _ = run_command(*(few_qrels if word == QRELS else word for word in arguments))
    everything, quiet = run_command(*arguments)
    assert output == expected != everything
    assert "topics: 2-3,5" in reported and "topics 2-3,5" not in quiet


@pytest.mark.parametrize("arguments", COMMANDS.values(), ids=COMMANDS)
def test_an_unknown_topic_is_refused(
    capsys: pytest.CaptureFixture[str], arguments: list[str]
) -> None:
    assert main([*arguments, "--topic", "99"]) == 2
    assert re.search(r"^irjudge: .*\b99\b.*\b1\b", capsys.readouterr().err, re.MULTILINE)


def test_the_scale_is_that_of_all_judgments(run_command, tmp_path: Path) -> None:
    """ERR divides by the highest grade, which occurs in another topic."""
    qrels, run = tmp_path / "qrels", tmp_path / "a.run"
    qrels.write_text("1 0 d 1\n2 0 d 3\n")
    run.write_text("1 Q0 d 1 1 a\n2 Q0 d 1 1 a\n")
    output, _ = run_command(
        "evaluate", str(qrels), str(run), "-m", "ERR@1", "--topic", "1", "--format", "csv"
    )
    assert [row["value"] for row in output] == ["0.125"]
    err = run_command("evaluate", str(qrels), str(run), "--topic", "1", "--format", "csv")[1]
    assert "1 topic " not in err.replace("a: 1 topic,", "")


def test_projects_and_reports_are_limited_to_the_named_topics(
    run_command, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path, made = str(tmp_path / "p.irjudge"), tmp_path / "report.csv"
    assert main(["sample", "everyday", "-o", path]) == 0
    capsys.readouterr()
    chosen = ["--topic", "2-3", "--topic", "5"]
    output, reported = run_command(
        "evaluate", path, *COMMANDS["evaluate"][2 + len(RUNS) :], *chosen
    )
    assert (
        output == run_command(*COMMANDS["evaluate"], *chosen)[0]
        and "only these topics: 2-3,5" in reported
    )
    assert main(["report", path, "-m", "AP", "-m", "ERR@10", "-o", str(made), *chosen]) == 0
    assert "only these topics: 2-3,5" in capsys.readouterr().err
    with made.open() as file:
        assert {row["topic"] for row in csv.DictReader(file)} == {"2", "3", "5", "all"}


def test_an_estimate_is_averaged_over_the_named_topics(run_command, tmp_path: Path) -> None:
    sample, run = tmp_path / "prels.txt", tmp_path / "a.run"
    grades = {"1": (1, 0, 1, -1), "2": (0, 1, -1, 0), "3": (1, 1, 0, 0)}
    sample.write_text(
        "".join(
            f"{topic} 0 d{at} 1 {grade}\n"
            for topic, given in grades.items()
            for at, grade in enumerate(given)
        )
    )
    run.write_text(
        "".join(f"{topic} Q0 d{at} 1 {9 - at} a\n" for topic in grades for at in range(4))
    )
    arguments = ["estimate", str(sample), str(run), "--per-topic", "--format", "csv"]
    values = {row["topic"]: float(row["value"]) for row in run_command(*arguments)[0]}
    output, reported = run_command(*arguments, "--topic", "2", "--topic", "3")
    assert {row["topic"]: float(row["value"]) for row in output} == {
        "2": values["2"],
        "3": values["3"],
        "all": pytest.approx((values["2"] + values["3"]) / 2),
    }
    assert "only these topics: 2,3" in reported
