"""Tests of suggestions on the command line, and of differences from trec_eval's defaults."""

from pathlib import Path

import pytest

from irjudge.cli.main import COMMANDS, COMMANDS_OF_OTHER_PROGRAMS, main
from irjudge.errors import MeasureError
from irjudge.metrics import MEASURE_REGISTRY, parse_measure_name
from irjudge.report import compare_with_trec_eval
from irjudge.report.explanation import TREC_EVAL_DEFAULTS

HELP = Path(__file__).parents[3] / "resources" / "help"


@pytest.fixture
def files(tmp_path: Path) -> list[str]:
    (tmp_path / "q").write_text("1 0 a 1\n")
    (tmp_path / "r.run").write_text("1 Q0 a 1 2.5 t\n")
    (tmp_path / "other.run").write_text("2 Q0 a 1 2.5 t\n")
    return [str(tmp_path / name) for name in ("q", "r.run", "other.run")]


@pytest.mark.parametrize(
    ("name", "meant"), [("evalute", "evaluate"), ("Pool", "pool"), ("init", "new"), ("xyz", "")]
)
def test_a_mistyped_command_gets_a_suggestion(
    capsys: pytest.CaptureFixture[str], name: str, meant: str
):
    assert main([name]) == 2
    suggestion = capsys.readouterr().err.partition("Did you mean ")[2]
    assert suggestion.startswith(meant) and bool(suggestion) == bool(meant)


def test_other_names_lead_to_commands():
    assert {*COMMANDS_OF_OTHER_PROGRAMS.values()} <= {*COMMANDS} and {
        *COMMANDS_OF_OTHER_PROGRAMS
    }.isdisjoint(COMMANDS)


@pytest.mark.parametrize(
    ("name", "meant"),
    [("WSS@95", "WSS@0.95"), ("WSS@7.5", "WSS@0.075"), ("R", "SetR"), ("P", "SetP")],
)
def test_a_mistyped_measure_gets_a_suggestion(name: str, meant: str):
    with pytest.raises(MeasureError) as caught:
        parse_measure_name(name)
    assert meant in str(caught.value)
    assert parse_measure_name(meant)


@pytest.mark.parametrize("name", ["P@95.5", "nDCG@0", "WSS@950", "WSS@x"])
def test_other_invalid_measures_get_no_suggestion(name: str):
    with pytest.raises(MeasureError) as caught:
        parse_measure_name(name)
    assert caught.value.key != "percent-for-share"


def test_a_run_without_a_topic_of_the_qrels_exits_2(
    files: list[str], capsys: pytest.CaptureFixture[str]
):
    qrels, run, other = files
    assert main(["evaluate", qrels, run, "-m", "RR"]) == 0
    assert main(["evaluate", qrels, run, other, "-m", "RR", "-f", "csv"]) == 2
    assert capsys.readouterr().out.splitlines()[-2:] == ["r,RR,all,1.0", "other,RR,all,0.0"]
    assert main(["evaluate", qrels, other, "-m", "RR", "--topics", "qrels"]) == 0


@pytest.mark.parametrize("command", ["evaluate", "compare", "report"])
def test_exchanged_qrels_and_runs_are_detected(
    files: list[str], capsys: pytest.CaptureFixture[str], tmp_path: Path, command: str
):
    qrels, run, _ = files
    arguments = [
        command,
        run,
        qrels,
        *(["-o", str(tmp_path / "x.html")] if command == "report" else []),
    ]
    assert main([*arguments, *([qrels] if command == "compare" else [])]) == 2
    err = capsys.readouterr().err
    assert "r.run is a run" in err and "q contains qrels" in err


def test_exchanged_tables_are_detected_even_if_readable(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
):
    (tmp_path / "r.csv").write_text("qid,docno,score\n1,a,3\n1,b,2\n")
    (tmp_path / "q").write_text("1 0 a 1\n1 0 b 0\n")
    assert main(["evaluate", str(tmp_path / "r.csv"), str(tmp_path / "q")]) == 2
    assert "r.csv is a run" in capsys.readouterr().err


def test_the_table_of_defaults_matches_the_guide_and_existing_measures():
    guide = (HELP / "differences.md").read_text(encoding="utf-8")
    chinese = (HELP / "zh_CN" / "differences.md").read_text(encoding="utf-8")
    for subject, here, there, option in compare_with_trec_eval():
        shown = ", ".join(f"`{each}`" for each in option.split(", "))
        assert f"| {subject} | {here} | {there} | {shown} |" in guide
        assert shown in chinese
    for name in {name for each in TREC_EVAL_DEFAULTS for name in each.measures}:
        assert MEASURE_REGISTRY.lookup(name).name == name


def test_explain_prints_the_rows_of_its_measure(
    files: list[str], capsys: pytest.CaptureFixture[str]
):
    for measure, gains in (("AP", False), ("nDCG", True)):
        assert main(["explain", *files[:2], "-t", "1", "-m", measure]) == 0
        err = capsys.readouterr().err
        assert "--profile trec_eval-9" in err and ("gain=1:3/2:9" in err) == gains
