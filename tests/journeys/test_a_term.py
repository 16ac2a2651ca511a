"""The term of six lessons in the guide for teachers: whatever command it names runs on the samples it names."""

import re
import shlex
import shutil
from pathlib import Path

import pytest

from irjudge.cli.main import main
from irjudge.evaluation import CHOICE_EXERCISES
from irjudge.shipped import guide_path, sample_folders
from tests.engine.exchange.test_class_folder import make_folder

COMMAND = re.compile(r"`irjudge ([^`]*(?:\.irjudge|PROJECT)[^`]*)`")
MADE = re.compile(r"`--make (\w+)`")
SEEDS = ("1", "5")  # of those that lessons give out


def lessons() -> list[tuple[str, list[str]]]:
    """Return of each lesson its samples and what it says."""
    rows = re.findall(
        r"^\| \d\. [^|]*\|([^|]*)\|([^\n]*)\|$",
        guide_path("teachers").read_text(encoding="utf-8"),
        re.MULTILINE,
    )
    return [(said, [each.strip() for each in which.split(",")]) for which, said in rows]


@pytest.fixture
def desk(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder with the samples, as a teacher has it."""
    monkeypatch.chdir(tmp_path)
    for name in ("textbook", "harbour"):
        assert main(["sample", name, "-o", f"{name}.irjudge"]) == 0
    shutil.copy(sample_folders()["textbook"] / "exercises.csv", tmp_path)
    assert (
        main(
            "exercise textbook.irjudge --make kappa --answer a --student Ann -o answers.csv".split()
        )
        == 0
    )
    return tmp_path


def test_every_command_of_the_teachers_guide_runs_on_the_samples(
    desk: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    make_folder(desk / "class")
    commands = COMMAND.findall(guide_path("teachers").read_text(encoding="utf-8"))
    assert len(commands) >= 4
    for command in commands:
        whole = command.replace("PROJECT", "textbook.irjudge").replace("KIND", "step")
        whole = whole.replace("DIR", "class")
        assert main(shlex.split(whole)) == 0, whole
    assert (desk / "booklet.html").read_text(encoding="utf-8").count(
        "ann"
    ) >= 1 and "Ann" in capsys.readouterr().out


def test_six_lessons_draw_what_their_samples_give(
    desk: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    found = lessons()
    assert len(found) == 6 and {name for _, which in found for name in which} == {
        "textbook",
        "harbour",
    }
    drawn = [(kind, which[0]) for said, which in found for kind in MADE.findall(said)]
    assert {kind for kind, _ in drawn} == set(CHOICE_EXERCISES)
    for kind, name in [*drawn, ("bm25", "harbour")]:
        for seed in SEEDS:
            assert main(["exercise", f"{name}.irjudge", "--make", kind, "--seed", seed]) == 0, (
                kind,
                name,
                seed,
            )
    capsys.readouterr()
