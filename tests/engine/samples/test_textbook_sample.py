"""Tests that irjudge computes every number in the textbook collection's README."""

import re

import pytest

from irjudge.evaluation import (
    OpenExercise,
    applicable_exercises,
    apply_moves,
    evaluate_runs,
    make_trial,
)
from irjudge.formats import Exercise, read_exercises
from irjudge.formats.rankings import read_qrels, read_run
from irjudge.metrics import parse_measure_name
from irjudge.shipped import sample_folders

FOLDER = sample_folders()["textbook"]


def list_printed_values() -> list[tuple[str, str, str, str]]:
    """Return topic, run, measure and value of each line in the tables of worked values."""
    numbers, worked, run_column = [], False, False
    for line in (FOLDER / "README.md").read_text(encoding="utf-8").splitlines():
        cells = [cell.strip().strip("`") for cell in line.strip("|").split("|")]
        if cells[0] in ("topic", "topics"):
            worked, run_column = "measure" in cells, cells[1] == "run"
        elif worked and re.fullmatch(r"\d+\.\d{4}", cells[-1]) and len(cells) == 4 + run_column:
            numbers.append(
                (cells[0], cells[1] if run_column else "textbook", cells[1 + run_column], cells[-1])
            )
    return numbers


@pytest.mark.parametrize(("topic", "run", "measure", "value"), list_printed_values())
def test_a_printed_value_is_computed(topic: str, run: str, measure: str, value: str) -> None:
    table = evaluate_runs(
        read_qrels(FOLDER / "qrels.txt"),
        [read_run(FOLDER / "runs" / f"{run}.run")],
        parse_measure_name(measure),
        highest=4,
    )
    assert f"{table.runs[0].values[0][table.runs[0].topics.index(topic)]:.4f}" == value


def test_all_tables_of_the_readme_are_checked() -> None:
    assert len(list_printed_values()) >= 80


EXERCISES = read_exercises(FOLDER / "exercises.csv")


def open_exercise(exercise: Exercise) -> OpenExercise:
    qrels, run = read_qrels(FOLDER / "qrels.txt"), read_run(FOLDER / "runs" / f"{exercise.run}.run")
    (fitted,) = applicable_exercises(
        FOLDER / "exercises.csv", [exercise], {exercise.run: run.topics}, qrels.topics
    )
    return OpenExercise(fitted, make_trial(qrels, run, exercise.topic, highest=4))


@pytest.mark.parametrize(
    "exercise", [each for each in EXERCISES if not each.target], ids=lambda exercise: exercise.name
)
def test_an_exercise_is_solved_by_the_printed_value(exercise: Exercise) -> None:
    (value,) = {
        value
        for topic, run, measure, value in list_printed_values()
        if (topic, run, measure) == (exercise.topic, exercise.run, exercise.measure)
    }
    assert open_exercise(exercise).check(value).verdict == "right"


@pytest.mark.parametrize(
    ("name", "moves"),
    [("One exchange", "3>2"), ("Lower down", "9>8"), ("All on top", "3>2 6>3 10>4 15>5")],
)
def test_a_target_is_reachable_only_with_the_allowed_moves(name: str, moves: str) -> None:
    task = open_exercise(next(each for each in EXERCISES if each.name == name))
    assert task.check_order(task.trial, 0).verdict == "wrong"
    assert task.check_order(*apply_moves(task.trial, moves)).verdict == "right"
