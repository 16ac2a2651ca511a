"""Tests of the commands for labels of a model, which count only if a source names it."""

import shutil
from pathlib import Path

import pytest

from irjudge.cli.main import main
from irjudge.store import open_project
from tests.engine.cli.output import command_error, find_line, numbers

LABELS = "051 0 d0 2\n051 0 d1 x\n007 0 d3 1\n"


@pytest.fixture
def project(tmp_path: Path, small_project: Path) -> Path:
    (tmp_path / "labels.txt").write_text(LABELS)
    (tmp_path / "prompt.txt").write_text("Grade {document}.\n")
    return Path(shutil.copy(small_project, tmp_path / "p.irjudge"))


def import_labels(project: Path, *more: str) -> int:
    return main(["import", str(project), "--judgments", str(project.parent / "labels.txt"), *more])


def test_import_as_a_model_stores_the_prompt_and_settings(
    project: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    prompt = str(project.parent / "prompt.txt")
    assert (
        import_labels(
            project,
            "--as",
            "model",
            "gpt-x",
            "--prompt",
            prompt,
            "--asked",
            "2026-05-01",
            "--family",
            "gpt",
        )
        == 0
    )
    err = capsys.readouterr().err
    assert numbers(find_line(err, " gpt-x ", " from labels.txt")) == ["3"]
    assert '--source "model gpt-x"' in err and find_line(err, "1 line ", ": line 2 ('x' ")
    with open_project(project, writing=False) as opened:
        asked = next(opened.events.read("gpt-x")).payload["model"]
    assert (asked["prompt"], asked["asked"], asked["family"], len(asked["prompt_hash"])) == (
        "prompt.txt",
        "2026-05-01",
        "gpt",
        64,
    )


def test_a_source_names_the_model_and_every_output_repeats_it(
    project: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    import_labels(project, "--as", "model", "gpt-x")
    capsys.readouterr()
    assert main(["qrels", str(project)]) == 2
    assert command_error("qrels", project).key == "only-models"
    capsys.readouterr()
    assert main(["qrels", str(project), "--source", "model gpt-x"]) == 0
    out, err = capsys.readouterr()
    assert sorted(out.splitlines()) == ["007 0 d3 1", "051 0 d0 2"]
    assert find_line(err, "2 pairs, model gpt-x.") and find_line(err, ": gpt-x.")


@pytest.mark.parametrize(
    ("more", "problem"),
    [
        (["--as", "robot", "x"], "'robot'"),
        (["--prompt", "p.txt"], "give --as model NAME too"),
        (["--as", "person", "ann", "--backwards"], "give --as model NAME too"),
    ],
)
def test_invalid_combinations_of_options_are_refused(
    project: Path, capsys: pytest.CaptureFixture[str], more: list[str], problem: str
) -> None:
    assert import_labels(project, *more) == 2
    assert problem in capsys.readouterr().err
