"""Tests of `irjudge preferences`: output, exit codes, and errors."""

import csv
import io
import json
import re
from pathlib import Path

import pytest

from irjudge.cli.main import main
from irjudge.evaluation import PARTS
from irjudge.formats.judgments import PREFERENCE_PARTS as COLUMNS_READ
from irjudge.judging import get_ledger
from irjudge.model import Event, Item, preference_payload, utc_now
from irjudge.shipped import shipped_folder
from irjudge.store import open_project
from tests.engine.cli.output import command_error, find_line

HELP = (shipped_folder("resources") / "help" / "preferences.md").read_text(encoding="utf-8")
COLUMNS = "part,topic,assessor,first,second,statistic,value,low,high,p,count,total"


@pytest.fixture
def run(capsys: pytest.CaptureFixture[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.chdir(tmp_path)
    rows = "".join(
        f"{topic},bm25,lm,{winner}\n"
        for topic, winner in (("1", "left"), ("1", "left"), ("2", "lm"), ("2", "tie"), ("2", ""))
    )
    Path("p.csv").write_text(f"topic,left,right,winner\n{rows}", encoding="utf-8")
    Path("q.qrels").write_text("1 0 d1 1\n2 0 d1 1\n", encoding="utf-8")
    Path("bm25.run").write_text("1 Q0 d1 1 2 bm25\n2 Q0 d2 1 2 bm25\n", encoding="utf-8")
    Path("lm.run").write_text("1 Q0 d2 1 2 lm\n2 Q0 d1 1 2 lm\n", encoding="utf-8")

    def call(*arguments: str) -> tuple[int, str, str]:
        code = main(["preferences", *arguments])
        captured = capsys.readouterr()
        return code, captured.out, captured.err

    return call


def test_text_has_a_table_per_part_and_reports_omitted_rows(run) -> None:
    code, out, err = run("p.csv")
    assert code == 0 and out.startswith("Answers\n")
    assert all(f"\n{title}\n" in out for title in ("Pairs", "Strengths, best first", "Side bias"))
    assert find_line(err, "1 row ")


def test_csv_and_json_have_the_documented_columns(run) -> None:
    code, out, _ = run("p.csv", "--format", "csv")
    rows = list(csv.DictReader(io.StringIO(out)))
    assert code == 0 and ",".join(rows[0]) == COLUMNS
    assert {row["count"] for row in rows if row["statistic"] == "wins, ties dropped"} == {"2"}
    assert len(json.loads(run("p.csv", "--format", "json")[1])["values"]) == len(rows)


def test_a_single_part_can_be_requested(run) -> None:
    rows = list(csv.DictReader(io.StringIO(run("p.csv", "--part", "sides", "--format", "csv")[1])))
    assert {row["part"] for row in rows} == {"sides"}
    assert run("p.csv", "--part", "sides")[1].startswith("Side bias\n")


def test_measures_are_compared_with_preferences(run) -> None:
    out = run(
        "p.csv",
        "--qrels",
        "q.qrels",
        "--run",
        "bm25.run",
        "--run",
        "lm.run",
        "-m",
        "P@1",
        "--part",
        "measures",
        "--format",
        "csv",
    )[1]
    [row] = csv.DictReader(io.StringIO(out))
    assert (row["first"], row["second"], row["statistic"], row["count"], row["total"]) == (
        "bm25",
        "lm",
        "P@1",
        "2",
        "2",
    )


def test_fractional_grades_are_mapped_as_given(run) -> None:
    Path("half.qrels").write_text("1 0 d1 0.5\n2 0 d1 1\n", encoding="utf-8")
    options = (
        "p.csv",
        "--qrels",
        "half.qrels",
        "--run",
        "bm25.run",
        "--run",
        "lm.run",
        "-m",
        "P@1",
        "--part",
        "measures",
    )
    assert "--grades" in run(*options)[2]
    assert run(*options, "--grades", "0.5:1,1:2")[0] == 0
    assert "give --qrels too" in run("p.csv", "--grades", "0.5:1")[2]


def test_preferred_documents_give_the_compatibility_of_a_run(run) -> None:
    Path("d.csv").write_text(
        "topic,left,right,winner\n1,d1,d2,left\n2,d1,d2,left\n", encoding="utf-8"
    )
    rows = list(
        csv.DictReader(
            io.StringIO(
                run(
                    "d.csv",
                    "--documents",
                    "--run",
                    "bm25.run",
                    "--part",
                    "measures",
                    "--format",
                    "csv",
                )[1]
            )
        )
    )
    assert [(row["topic"], row["value"]) for row in rows] == [
        ("1", "1.0"),
        ("2", "0.0"),
        ("", "0.5"),
    ]


def test_pairs_judged_in_a_project_are_read(run, project_file: Path) -> None:
    with open_project(project_file) as project:
        for left, right in (("d0", "d1"), ("d1", "d2")):
            item = Item("051", (left, right), ("", ""), "pair")
            project.events.append(
                Event(
                    "ann",
                    "preference",
                    item,
                    utc_now(),
                    preference_payload("left"),
                    None,
                    get_ledger(project, "ann").head,
                )
            )
    code, out, _ = run(
        str(project_file), "--part", "measures", "--part", "answers", "--format", "csv"
    )
    rows = list(csv.DictReader(io.StringIO(out)))
    assert code == 0 and [row["count"] for row in rows if row["statistic"] == "left"] == ["2"]
    assert [row["first"] for row in rows if row["statistic"] == "compatibility"] == ["bm25", "bm25"]


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["p.csv", "--winners", "left:up"], "pairs such as A:left"),
        (["p.csv", "--columns", "who=left"], "does not name a column"),
        (["p.csv", "--qrels", "q.qrels"], "--run"),
        (["p.csv", "--documents", "--qrels", "q.qrels"], "--documents"),
        (["none.csv"], "none.csv"),
    ],
)
def test_invalid_options_give_one_error(run, arguments: list[str], message: str) -> None:
    code, out, err = run(*arguments)
    assert (code, out) == (2, "") and message in err


def test_a_project_without_preferences_is_refused(run, project_file: Path) -> None:
    assert command_error("preferences", project_file).key == "no-preferences"
    assert "--winners" in run(str(project_file), "--winners", "a:left")[2]


def test_the_help_shows_actual_output_and_names_all_parts_and_columns(run) -> None:
    block = {
        language: re.findall(rf"```{language}\n(.*?)```", HELP, re.DOTALL)[0]
        for language in ("csv", "console")
    }
    Path("answers.csv").write_text(block["csv"], encoding="utf-8")
    command, _, printed = block["console"].removeprefix("$ irjudge preferences ").partition("\n")
    assert run(*command.split())[:2] == (0, printed)
    assert [
        name for name in (*PARTS, *(part.name for part in COLUMNS_READ)) if f"`{name}`" not in HELP
    ] == []
