"""Tests that the commands of the six lessons in the teachers' guide run on their samples."""

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
SEEDS = ("1", "5")  # those used in the lessons


def read_lessons() -> list[tuple[str, list[str]]]:
    """Return the samples and the text of each lesson."""
    rows = re.findall(
        r"^\| \d\. [^|]*\|([^|]*)\|([^\n]*)\|$",
        guide_path("teachers").read_text(encoding="utf-8"),
        re.MULTILINE,
    )
    return [(lesson, [each.strip() for each in which.split(",")]) for which, lesson in rows]


@pytest.fixture
def lesson_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder with the samples that the guide assumes."""
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
    lesson_folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    make_folder(lesson_folder / "class")
    commands = COMMAND.findall(guide_path("teachers").read_text(encoding="utf-8"))
    assert len(commands) >= 4
    for command in commands:
        whole = command.replace("PROJECT", "textbook.irjudge").replace("KIND", "step")
        whole = whole.replace("DIR", "class")
        assert main(shlex.split(whole)) == 0, whole
    assert (lesson_folder / "booklet.html").read_text(encoding="utf-8").count(
        "ann"
    ) >= 1 and "Ann" in capsys.readouterr().out


def test_six_lessons_give_the_described_results(
    lesson_folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    lessons = read_lessons()
    assert len(lessons) == 6 and {name for _, which in lessons for name in which} == {
        "textbook",
        "harbour",
    }
    figures = [(kind, which[0]) for lesson, which in lessons for kind in MADE.findall(lesson)]
    assert {kind for kind, _ in figures} == set(CHOICE_EXERCISES)
    for kind, name in [*figures, ("bm25", "harbour")]:
        for seed in SEEDS:
            assert main(["exercise", f"{name}.irjudge", "--make", kind, "--seed", seed]) == 0, (
                kind,
                name,
                seed,
            )
    capsys.readouterr()
