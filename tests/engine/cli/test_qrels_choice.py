"""Tests of the qrels that commands use: reported, and chosen by name."""

import csv
import io
from pathlib import Path

import pytest

from irjudge.cli.main import main
from irjudge.formats.rankings import read_qrels
from irjudge.judging import QueueItem, Session, choose_qrels, list_qrels_choices
from irjudge.model import make_qrels, make_run
from irjudge.store import open_project
from tests.engine.cli.output import find_line, numbers

COMMANDS = (
    ("evaluate", "{file}", "-m", "P@1"),
    ("compare", "{file}", "-m", "P@1"),
    ("bounds", "{file}", "-m", "P@1"),
    ("explain", "{file}", "bm25", "-t", "051", "-m", "P@1"),
    ("estimate", "{file}"),
    ("reusability", "{file}", "-m", "P@1"),
    ("report", "{file}", "-m", "P@1", "-o", "report.md"),
    ("figure", "system-ranks", "{file}", "-m", "P@1", "-m", "AP"),
    ("figure", "precision-recall", "{file}"),
)


@pytest.fixture
def call(
    project_file: Path,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
):
    """Return a function that runs commands on a project with two runs.

    Document d0 of topic 051 is not relevant by its assessors, and relevant by imported qrels.
    """
    monkeypatch.chdir(tmp_path)
    with open_project(project_file) as project:
        project.rankings.add_run(
            make_run("other", [("051", "d1", 2.0), ("051", "d0", 1.0)]), "other.run"
        )
        project.rankings.add_qrels(
            "given", make_qrels([("051", "d0", 1), ("051", "d1", 0), ("051", "d2", 1)]), "given.txt"
        )
        for name in ("ann", "bob"):
            session = Session(project, name)
            for document, grade in (("d0", 0), ("d1", 1)):
                session.grade(session.open_item(QueueItem("051", document)), grade)
        assert list_qrels_choices(project)[0].name == "given", "it covers one pair of the pool more"
        choose_qrels(project, "consensus")

    def run(*arguments: str) -> tuple[int, str, str]:
        code = main([word.format(file=project_file) for word in arguments])
        captured = capsys.readouterr()
        return code, captured.out, captured.err

    return run


@pytest.mark.parametrize("arguments", COMMANDS, ids=lambda arguments: " ".join(arguments[:2]))
def test_the_used_qrels_are_reported_and_can_be_chosen(call, arguments: tuple[str, ...]) -> None:
    code, _, err = call(*arguments)
    assert code == 0 and err.count("Qrels: consensus (2 pairs).\n") == 1, err
    code, _, err = call(*arguments, "--source", "given")
    assert code == 0 and err.count("Qrels: given (3 pairs).\n") == 1, err
    code, out, err = call(*arguments, "--source", "nobody")
    assert (code, out) == (2, "") and find_line(
        err, "'nobody'", " consensus, judged here, given, assessor bob."
    )


def test_values_are_those_of_the_chosen_qrels(call) -> None:
    def values(*more: str) -> list[float]:
        return [
            float(row["value"])
            for row in csv.DictReader(io.StringIO(call(*COMMANDS[0], "--format", "csv", *more)[1]))
        ]

    assert (values(), values("--source", "given")) == ([0.0, 1.0], [1.0, 0.0])


@pytest.mark.parametrize(
    "arguments",
    [("evaluate", "q", "r"), ("bounds", "q", "r"), ("explain", "q", "r", "-t", "1", "-m", "AP")],
)
def test_sources_need_a_project(call, arguments: tuple[str, ...]) -> None:
    Path("q").write_text("1 0 d 1\n")
    Path("r").write_text("1 Q0 d 1 1 r\n")
    code, out, err = call(*arguments, "--source", "given")
    assert (code, out) == (2, "") and err.startswith("irjudge: q ") and "--source" in err


def test_a_source_is_refused_if_no_qrels_are_used(call) -> None:
    code, _, err = call("correlate", "a.run", "b.run", "--source", "given")
    assert code == 2 and find_line(err, "--source", "--systems")


def test_qrels_keep_imported_subtopics_and_report_waiting_judgments(
    call, project_file: Path
) -> None:
    Path("div.qrels").write_text("051 1 d1 1\n051 2 d1 0\n")
    with open_project(project_file) as project:
        project.rankings.add_qrels("div", read_qrels(Path("div.qrels")), "div.qrels")
    assert call("qrels", "{file}", "--source", "div") == (
        0,
        "051 1 d1 1\n051 2 d1 0\n",
        "2 pairs, div.\n",
    )
    assert call("qrels", "{file}", "--source", "div", "--unjudged", "-o", "out.qrels")[0] == 0
    lines = Path("out.qrels").read_text().splitlines()
    assert (
        lines[:2] == ["051 1 d1 1", "051 2 d1 0"]
        and lines[2] == "051 0 d0 -1"
        and lines[-1] == "007 0 d8 -1"
        and len(lines) == 13
    )


# Topics


def means(call, *arguments: str) -> dict[tuple[str, str], float]:
    code, out, err = call(*arguments, "--format", "csv")
    assert code == 0, err
    return {
        (row["run"], row["measure"]): float(row["value"])
        for row in csv.DictReader(io.StringIO(out))
    }


def test_bounds_and_evaluate_average_the_same_topics(call) -> None:
    """Topic 007 is pooled, but not in the imported qrels."""
    options = ("{file}", "-m", "AP", "--source", "given")
    assert means(call, "bounds", *options) == means(call, "evaluate", *options)
    assert find_line(call("bounds", *options)[2], "Averaged over: ").endswith(" 1 topic.")


def test_topics_waiting_for_judgments_are_counted(call) -> None:
    err = call("bounds", "{file}", "-m", "AP")[2]
    assert numbers(find_line(err, "`irjudge evaluate`")) == ["1"]
    assert err.endswith(": bm25 2, other 1.\n")
    err = call("bounds", "{file}", "-m", "AP", "--difference")[2]
    assert err.endswith(" 1 topic.\n")


def test_an_estimate_of_a_judged_pool_is_the_evaluated_value(call, project_file: Path) -> None:
    """The second run lacks topic 007."""
    with open_project(project_file) as project:
        for name in ("ann", "bob"):
            session = Session(project, name)
            while (work := session.current()) is not None:
                session.grade(work, int(work.document.id == "d3"))
                session.advance()
    evaluated = means(call, "evaluate", "{file}", "-m", "AP")
    estimated = means(call, "estimate", "{file}", "-m", "htAP")
    assert list(estimated.values()) == pytest.approx(list(evaluated.values()))
    err = call("estimate", "{file}", "-m", "htAP")[2]
    assert numbers(find_line(err, "Averaged over: ")) == ["2"]
    assert numbers(find_line(err, "other: ")) == ["1"]
    for topics in ("qrels", "relevant"):
        options = ("{file}", "--topics", topics)
        assert list(means(call, "estimate", *options, "-m", "htAP").values()) == pytest.approx(
            list(means(call, "evaluate", *options, "-m", "AP").values())
        )
    assert means(call, "estimate", "{file}", "-m", "htAP", "--topics", "qrels") != pytest.approx(
        estimated
    )
