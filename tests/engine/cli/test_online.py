"""Tests of `irjudge online`: output, exit codes, and the examples of its help."""

import csv
import io
import json
import re
from pathlib import Path

import pytest

from irjudge.cli.main import main
from irjudge.logs import MEASURES
from irjudge.shipped import shipped_folder

HELP = (shipped_folder("resources") / "help" / "logs.md").read_text(encoding="utf-8")


def block(language: str) -> str:
    return re.findall(rf"```{language}\n(.*?)```", HELP, re.DOTALL)[0]


@pytest.fixture
def run(capsys: pytest.CaptureFixture[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("COLUMNS", "80")
    for language in ("jsonl", "csv"):
        Path(f"log.{language}").write_text(block(language), encoding="utf-8")

    def call(*arguments: str) -> tuple[int, str, str]:
        code = main(["online", *arguments])
        captured = capsys.readouterr()
        return code, captured.out, captured.err

    return call


def test_the_help_shows_the_actual_output(run) -> None:
    command, _, printed = block("console").removeprefix("$ irjudge online ").partition("\n")
    assert run(*command.split())[:2] == (0, printed)


def test_both_formats_of_the_help_are_equivalent(run) -> None:
    assert (
        run("log.csv", "--format", "csv", "--intervals")[1]
        == run("log.jsonl", "--format", "csv", "--intervals")[1]
    )


def test_the_help_names_every_measure(run) -> None:
    assert [
        each.name for each in MEASURES if f"| `{each.name}` | {each.definition} |" not in HELP
    ] == []


def test_csv_has_the_four_documented_columns(run) -> None:
    code, out, err = run("log.csv", "--format", "csv")
    rows = list(csv.DictReader(io.StringIO(out)))
    assert code == 0 and list(rows[0]) == ["measure", "value", "count", "total"]
    assert {"measure": "CTR", "value": "0.16", "count": "4", "total": "25"} in rows
    assert err == ""


def test_intervals_come_after_the_total(run) -> None:
    rows = list(csv.DictReader(io.StringIO(run("log.csv", "--format", "csv", "--intervals")[1])))
    assert list(rows[0]) == ["measure", "value", "count", "total", "low", "high"]
    result = {row["measure"]: row for row in rows}
    assert (
        result["SessionAbandonment"]["low"].startswith("0.0614")
        and result["NumClicks"]["low"] == ""
    )


def test_json_has_the_same_keys(run) -> None:
    rows = json.loads(run("log.csv", "--format", "json")[1])["values"]
    assert rows[0] == {"measure": "NumSessions", "value": 3, "count": 3, "total": None}


def test_definitions_are_shown_if_the_terminal_is_wide(
    run, monkeypatch: pytest.MonkeyPatch
) -> None:
    narrow, err = run("log.csv")[1:]
    assert "definition" not in narrow and "--measures" in err
    monkeypatch.setenv("COLUMNS", "200")
    wide, err = run("log.csv")[1:]
    assert (
        wide.splitlines()[0].split()[-1] == "definition"
        and all(each.definition in wide for each in MEASURES[:3])
        and "--measures" not in err
    )


def test_the_measures_are_explained(run) -> None:
    code, out, _ = run("--measures", "--format", "csv")
    assert code == 0 and [row["measure"] for row in csv.DictReader(io.StringIO(out))] == [
        each.name for each in MEASURES
    ]


def test_options_reach_the_measures(run) -> None:
    rows = [
        row["measure"]
        for row in json.loads(run("log.csv", "--dwell", "4", "--rank", "3", "--format", "json")[1])[
            "values"
        ]
    ]
    assert "SessionSuccess(dwell=4)" in rows and [
        name for name in rows if name.startswith("CTR@")
    ] == ["CTR@1", "CTR@2", "CTR@3"]


def test_another_seed_gives_another_interval_and_the_same_seed_the_same(run) -> None:
    rows = "".join(f"{index},{index % 7},{index % 3 + 1}\n" for index in range(60))
    Path("many.csv").write_text("session,results,clicks\n" + rows)
    arguments = ("many.csv", "--format", "csv", "--intervals")
    assert run(*arguments)[1] == run(*arguments)[1] != run(*arguments, "--seed", "2")[1]


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (("none.csv",), "irjudge: none.csv: "),
        (("bad.jsonl",), "irjudge: bad.jsonl, line 1: "),
        (("log.csv", "--dwell", "-1"), "-1"),
        (("log.csv", "--dwell", "nan"), "nan"),
    ],
)
def test_invalid_options_give_one_error_and_exit_code_2(
    run, arguments: tuple[str, ...], sentence: str
) -> None:
    Path("bad.jsonl").write_text("{}\n")
    code, out, err = run(*arguments)
    assert (code, out) == (2, "") and sentence in err
