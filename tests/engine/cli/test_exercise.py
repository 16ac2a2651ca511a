"""Tests of `irjudge exercise`: lists, answers, and the file of answers."""

import csv
from pathlib import Path

import pytest

from irjudge.cli.main import main
from irjudge.shipped import sample_folders
from tests.engine.cli.output import command_error, find_line, numbers


@pytest.fixture
def exercise(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]):
    monkeypatch.chdir(tmp_path)
    assert main(["sample", "textbook"]) == 0
    capsys.readouterr()

    def call(
        *arguments: str,
        code: int = 0,
        file: str = str(sample_folders()["textbook"] / "exercises.csv"),
    ) -> str:
        assert main(["exercise", "textbook.irjudge", *filter(None, [file]), *arguments]) == code
        out, call.err = capsys.readouterr()
        return out

    return call


def test_exercises_are_listed_without_their_values(exercise) -> None:
    rows = list(csv.DictReader(exercise("--format", "csv").splitlines()))
    assert [row["topic"] for row in rows if row["exercise"] == "Average precision 1"] == ["map-1"]
    assert [row["target"] for row in rows if row["target"]] == ["0.79", "0.765", ">= 0.5"]
    assert "0.83" not in exercise()


def test_an_exercise_shows_the_ranking_without_the_solution(exercise) -> None:
    out = exercise("-n", "Average precision 1")
    assert find_line(out, ": found, P@r, sum.") and "map-1-07" in out
    assert "0.83" not in out and "0.75" not in out


def test_an_answer_is_checked_and_stored(exercise) -> None:
    options = ("--student", "Group 2", "-o", "answers.csv")
    output = exercise(
        "-n", "Average precision 1", "--answer", "0.5", "--step", "P@r=1 1 - 3/4 - - 0.5", *options
    )
    assert numbers(output.splitlines()[-1]) == ["7"] and "P@r" in output.splitlines()[-1]
    exercise("-n", "Average precision 1", "--answer", "(1/1 + 2/2 + 3/4 + 4/7)/4", *options)
    rows = list(csv.DictReader(Path("answers.csv").read_text().splitlines()))
    assert [(row["student"], row["answer"], row["verdict"], row["wrong_at"]) for row in rows] == [
        ("Group 2", "0.5", "wrong", "rank 7, P@r"),
        ("Group 2", "(1/1 + 2/2 + 3/4 + 4/7)/4", "right", ""),
    ]
    assert rows[0]["steps"] == "1 P@r 1; 2 P@r 1; 4 P@r 3/4; 7 P@r 0.5"


def test_moves_reach_a_target(exercise) -> None:
    assert numbers(find_line(exercise("-n", "One exchange"), "AP", "0.79", "1 move")) == [
        "0.79",
        "1",
    ]
    reached, missed = (
        exercise("-n", "One exchange", "--answer", moves, "--student", "Ann", "-o", "a.csv")
        for moves in ("3>2", "9>10")
    )
    assert numbers(reached) == ["0.7888", "0.79"] and reached != missed
    rows = list(csv.DictReader(Path("a.csv").read_text().splitlines()))
    assert [row["verdict"] for row in rows] == ["right", "wrong"]


def test_the_solution_is_the_worked_example_of_the_measure(exercise) -> None:
    step, result = exercise("-n", "First relevant", "--solution").splitlines()[-2:]
    assert step.startswith("RR = 1 / ") and step.endswith(" = 1 / 3 = 0.3333")
    assert result == "RR = 0.3333333333333333"


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("-n", "None such"), "'None such'; "),
        (("-n", "P at 2", "--answer", "half"), "'half'"),
        (("--answer", "0.5", "-o", "answers.csv"), "--name"),
        (("-n", "P at 2", "--topic", "map-1"), "--topic needs --make"),
        (("-n", "P at 2", "-o", "answers.csv"), "--answer"),
        (
            ("-n", "P at 2", "--step", "sum=1"),
            "found, P@r.",
        ),
        (("-n", "One exchange", "--answer", "3-2"), "'3-2' is not a move"),
        (("-n", "P at 2", "--answer", "0.5", "-o", "textbook.irjudge"), "it is a project"),
    ],
)
def test_invalid_options_are_refused(exercise, arguments: tuple[str, ...], message: str) -> None:
    exercise(*arguments, code=2)
    assert message in exercise.err


def test_an_exercise_for_another_project_is_refused(exercise) -> None:
    Path("mine.csv").write_text("topic,measure\nq3,AP\n")
    exercise(code=2, file="mine.csv")
    assert "mine.csv: exercise 1: " in exercise.err and "'q3'" in exercise.err


def test_a_multiple_choice_exercise_is_created_checked_and_stored(exercise) -> None:
    made = ("--make", "kappa", "--topic", "q1", "--seed", "3")
    out = exercise(*made, file="")
    assert "What is Cohen's kappa?" in out and exercise(*made, file="") == out
    solved = exercise(*made, "--solution", file="")
    letter = solved.splitlines()[-1][0]
    assert "kappa = (" in solved and f"{letter} is correct" in solved
    options = ("--student", "Group 2", "-o", "answers.csv")
    verdicts = [exercise(*made, "--answer", each, *options, file="") for each in "abcd"]
    assert sorted(verdicts) == sorted(
        f"{each} is {'right' if each == letter else 'wrong'}.\n" for each in "abcd"
    )
    rows = list(csv.DictReader(Path("answers.csv").read_text(encoding="utf-8").splitlines()))
    assert [row["verdict"] for row in rows].count("right") == 1 and {
        row["exercise"] for row in rows
    } == {"kappa 3"}


def test_either_a_file_or_a_kind_is_needed(exercise) -> None:
    for arguments, file in (
        ((), ""),
        (("--make", "step"), "exercises.csv"),
        (("--make", "step", "-n", "1"), ""),
    ):
        exercise(*arguments, code=2, file=file)
        given = [file] if file else []
        assert (
            command_error("exercise", "textbook.irjudge", *given, *arguments).key == "file-or-kind"
        )


def test_the_results_of_a_class_are_on_one_sheet(exercise) -> None:
    for student, name, *arguments in (
        ("Ann", "P at 2", "--answer", "0.7"),
        ("Ann", "P at 2", "--answer", "1/2"),
        ("Bob", "Average precision 1", "--step", "P@r=0.3", "--answer", "0.7"),
        ("Ann", "P at 8", "--answer", "5/8"),
    ):
        exercise("-n", name, *arguments, "--student", student, "-o", "answers.csv")
    with Path("answers.csv").open("a", encoding="utf-8") as file:
        file.write("2026-01-01T00:00:00Z,Ann,P a")  # a power cut
    rows = list(
        csv.DictReader(
            exercise("--results", "answers.csv", "--format", "csv", file="").splitlines()
        )
    )
    assert rows == [
        {
            "student": "Ann",
            "right": "2",
            "P at 2": "passed on attempt 2",
            "Average precision 1": "",
            "P at 8": "passed on attempt 1",
        },
        {
            "student": "Bob",
            "right": "0",
            "P at 2": "",
            "Average precision 1": "wrong (rank 1, P@r)",
            "P at 8": "",
        },
    ]


def test_a_file_without_answers_gives_no_sheet(exercise) -> None:
    Path("other.csv").write_text("a,b\n1,2\n", encoding="utf-8")
    exercise("--results", "other.csv", code=2, file="")
    assert "other.csv, line 1: " in exercise.err


def test_a_bm25_score_exercise_is_checked_and_stored(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("IRJUDGE_CACHE", str(tmp_path / "cache"))
    assert main(["sample", "everyday"]) == 0
    capsys.readouterr()

    def call(*arguments: str, seed: str = "4", code: int = 0) -> str:
        assert (
            main(["exercise", "everyday.irjudge", "--make", "bm25", "--seed", seed, *arguments])
            == code
        )
        out, err = capsys.readouterr()
        return out if code == 0 else err

    task = call()
    assert "What is the BM25 score of document" in task and "k1 = " in task and "idf = ln(" in task
    assert call() == task != call(seed="5")
    score = call("--solution").strip().rsplit("= ", 1)[1]
    assert score not in task and call("--answer", score) == f"The score {score} is correct.\n"
    call("--step", "idf=9 -", "--student", "Ann", "-o", "answers.csv")
    [row] = csv.DictReader(Path("answers.csv").read_text().splitlines())
    assert (row["student"], row["exercise"], row["verdict"]) == ("Ann", "bm25 4", "wrong") and row[
        "wrong_at"
    ].endswith(", idf")
    assert "no topic 99" in call("--topic", "99", code=2)
    assert "idf, tf, adds" in call("--step", "rank=1", code=2)
