"""Tests of exercise files of teachers, and of answer files, which are only appended to."""

import csv
import os
from pathlib import Path

import pytest

from irjudge.errors import FormatError, IrjudgeError
from irjudge.formats import (
    Exercise,
    ExerciseAnswer,
    Target,
    append_answer,
    read_answers,
    read_exercises,
)
from irjudge.formats.exercises import ANSWER_COLUMNS


def write_exercises(tmp_path: Path, text: str) -> Path:
    path = tmp_path / "exercises.csv"
    path.write_text(text, encoding="utf-8")
    return path


def answer(given: str = "0.5", student: str = "") -> ExerciseAnswer:
    return ExerciseAnswer(
        "2026-01-02T03:04:05+00:00",
        student,
        Exercise("1", "q1", "AP", "bm25"),
        given,
        "",
        "right",
        "",
        7,
    )


def rows(path: Path) -> list[list[str]]:
    with path.open(encoding="utf-8", newline="") as file:
        return list(csv.reader(file))


def test_a_table_of_two_columns_is_enough(tmp_path: Path) -> None:
    assert read_exercises(write_exercises(tmp_path, "topic,measure\nq1,AP\n051,P@5\n")) == (
        Exercise("1", "q1", "AP"),
        Exercise("2", "051", "P@5"),
    )


@pytest.mark.parametrize(
    ("target", "read"),
    [
        ("0.79", Target("=", 0.79, 2)),
        ("= 0,8", Target("=", 0.8, 1)),
        (">=1", Target(">=", 1.0, 0)),
        ("≥ 0.5", Target(">=", 0.5, 1)),
        ("≤0.25", Target("<=", 0.25, 2)),
    ],
)
def test_targets_are_read_in_common_notations(tmp_path: Path, target: str, read: Target) -> None:
    (exercise,) = read_exercises(
        write_exercises(tmp_path, f"topic;measure;target;moves\nq1;AP;{target};3\n")
    )
    assert (exercise.target, exercise.moves) == (read, 3)


def test_all_columns_are_read_in_any_order(tmp_path: Path) -> None:
    path = write_exercises(
        tmp_path,
        'name,Question,decimals,run,measure,topic\nA,"What is it, and why?",3,bm25,AP,q1\n',
    )
    assert read_exercises(path) == (
        Exercise("A", "q1", "AP", "bm25", "What is it, and why?", None, None, 3),
    )


@pytest.mark.parametrize(
    ("text", "key", "line", "values"),
    [
        ("topic,run\nq1,a\n", "no-column", 1, {"part": "measure"}),
        ("topic,measure\n", "no-exercise", None, {}),
        ("topic,measure\nq1,\n", "empty-cell", 2, {"part": "measure"}),
        ("topic,measure,target\nq1,AP,high\n", "not-a-target", 2, {"text": "'high'"}),
        ("topic,measure,target,moves\nq1,AP,,2\n", "no-target", 2, {}),
        (
            "topic,measure,target,moves\nq1,AP,0.5,0\n",
            "out-of-range",
            2,
            {"minimum": "1", "upper_limit": "", "value": "0"},
        ),
        (
            "topic,measure,decimals\nq1,AP,9\n",
            "out-of-range",
            2,
            {"minimum": "0", "maximum": "6", "value": "9"},
        ),
        ("name,topic,measure\nA,q1,AP\nA,q2,AP\n", "same-exercise", 3, {"name": "'A'"}),
    ],
)
def test_invalid_rows_are_reported_with_their_line(
    tmp_path: Path, text: str, key: str, line: int | None, values: dict[str, str]
) -> None:
    with pytest.raises(FormatError) as error:
        read_exercises(write_exercises(tmp_path, text))
    assert (error.value.key, error.value.line) == (key, line)
    assert values.items() <= error.value.values.items()


def test_answers_are_appended_under_one_header(tmp_path: Path) -> None:
    path = tmp_path / "answers.csv"
    append_answer(path, answer("0.5", "Blue, group 2"))
    before = path.read_bytes()
    append_answer(path, answer("0.6"))
    assert path.read_bytes().startswith(before)
    result = rows(path)
    assert result[0] == list(ANSWER_COLUMNS)
    assert [(row[1], row[2], row[7], row[9], row[11]) for row in result[1:]] == [
        ("Blue, group 2", "1", "0.5", "right", "7"),
        ("", "1", "0.6", "right", "7"),
    ]


@pytest.mark.parametrize("text", ["a\rb", "a\r\nb", "a\nb", 'a "b", c'])
def test_any_answer_stays_in_its_cell(tmp_path: Path, text: str) -> None:
    path = tmp_path / "answers.csv"
    for _ in range(2):
        append_answer(path, answer(text, text))
    assert [(row[1], row[7]) for row in rows(path)[1:]] == [(text, text)] * 2


@pytest.mark.parametrize("encoding", ["latin-1", "utf-16"])
def test_answers_in_another_encoding_are_refused(tmp_path: Path, encoding: str) -> None:
    path = tmp_path / "answers.csv"
    append_answer(path, answer(student="Zoë"))
    path.write_text(path.read_text(encoding="utf-8"), encoding=encoding)
    with pytest.raises(FormatError) as error:
        read_answers(path)
    assert error.value.values["where"].startswith("answers.csv")


@pytest.mark.parametrize("row", [b"2026-01-02T03:04", b'2026-01-02,bob,e,"run, a', b'a,"\nb'])
def test_an_answer_after_a_truncated_row_replaces_it(tmp_path: Path, row: bytes) -> None:
    path = tmp_path / "answers.csv"
    append_answer(path, answer("0.5"))
    with path.open("ab") as file:
        file.write(row)
    append_answer(path, answer("0.6"))
    append_answer(path, answer("0.7"))
    assert [row[7] for row in rows(path)[1:]] == ["0.5", "0.6", "0.7"]
    assert len(read_answers(path)) == 3


def test_a_last_row_without_a_line_end_is_kept(tmp_path: Path) -> None:
    path = tmp_path / "answers.csv"
    append_answer(path, answer("0.5"))
    path.write_bytes(path.read_bytes().rstrip(b"\r\n"))
    append_answer(path, answer("0.6"))
    assert [row[7] for row in rows(path)[1:]] == ["0.5", "0.6"]


@pytest.mark.parametrize("cell", ['"run, a', '"run\n', '"a ""b""', '"a ""'])
def test_an_answer_after_a_row_cut_inside_a_cell_is_read(tmp_path: Path, cell: str) -> None:
    path = tmp_path / "answers.csv"
    append_answer(path, answer(student="ann"))
    with path.open("a", encoding="utf-8") as file:
        file.write(f"2026-01-02T03:04:05+00:00,bob,1,{cell}")
    for student in ("eve", "dan"):
        append_answer(path, answer(student=student))
    assert [(each.student, each.verdict) for each in read_answers(path)] == [
        ("ann", "right"),
        ("eve", "right"),
        ("dan", "right"),
    ]


def test_other_files_are_never_written_to(tmp_path: Path) -> None:
    path = tmp_path / "grades.csv"
    path.write_bytes(b"name,grade\nx,1\n")
    with pytest.raises(FormatError) as refused:
        append_answer(path, answer())
    assert refused.value.key == "not-answers"
    assert path.read_bytes() == b"name,grade\nx,1\n"


def test_a_full_disk_leaves_no_truncated_row(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "answers.csv"
    append_answer(path, answer("0.5"))
    before = path.read_bytes()

    def fails(_number: int) -> None:
        raise OSError(28, "no space")

    monkeypatch.setattr(os, "fsync", fails)
    with pytest.raises(IrjudgeError) as refused:
        append_answer(path, answer("0.6"))
    values = refused.value.values
    assert (values["file"], values["reason"]) == ("answers.csv", "no space")
    assert path.read_bytes() == before


def test_a_reported_answer_is_on_the_disk(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path, synced = tmp_path / "answers.csv", []
    real = os.fsync
    monkeypatch.setattr(
        os, "fsync", lambda number: (synced.append(path.stat().st_size), real(number))
    )
    append_answer(path, answer())
    assert path.stat().st_size in synced


@pytest.mark.skipif(os.name == "nt", reason="pipes of POSIX")
def test_a_pipe_is_refused_without_waiting(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe")
    with pytest.raises(FormatError, match="not an ordinary file"):
        append_answer(tmp_path / "pipe", answer())
