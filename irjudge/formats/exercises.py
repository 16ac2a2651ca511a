"""Exercises written by a teacher as a table, and the answers of students."""

import csv
import io
import os
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Literal, TypeAlias, get_args

from irjudge.errors import FormatError, IrjudgeError
from irjudge.formats.bytes import check_overwrite, decode_text, describe_os_error, sync_folder
from irjudge.formats.reader_warnings import ReaderWarnings
from irjudge.formats.rows import (
    MAX_SHOWN_CHARACTERS,
    TOPIC,
    ColumnKind,
    parse_integer,
    read_table,
    write_csv,
)
from irjudge.message import Message

# Exercises: compute a value by hand, or reorder a ranking until a measure has a given value

Relation: TypeAlias = Literal["=", ">=", "<="]
RELATIONS: tuple[Relation, ...] = get_args(Relation)
DEFAULT_DECIMALS = 2  # default number of decimals of an answer
TOLERANCE = 1e-9  # tolerance for rounding errors of floating-point numbers


@dataclass(frozen=True, slots=True)
class Target:
    """Value of a measure that a student must reach by reordering a ranking.

    The `relation` states whether the value must be equal after rounding, or is a minimum or a
    maximum.

    >>> Target("=", 0.79, 2).is_reached(0.7888), Target(">=", 0.79, 2).is_reached(0.7888)
    (True, False)
    """

    relation: Relation  # `=`: equal after rounding to `decimals`; `>=`: at least; `<=`: at most
    value: float  # value to reach
    decimals: int  # number of decimals of the value in the file of exercises

    def is_reached(self, value: float) -> bool:
        """Return whether a value reaches the target."""
        if self.relation == "=":
            return abs(value - self.value) <= 0.5 * 10.0**-self.decimals + TOLERANCE
        return (
            value >= self.value - TOLERANCE
            if self.relation == ">="
            else value <= self.value + TOLERANCE
        )

    @property
    def written(self) -> str:
        """Target as written in a file of exercises."""
        return (
            f"{'' if self.relation == '=' else self.relation + ' '}{self.value:.{self.decimals}f}"
        )


@dataclass(frozen=True, slots=True)
class Exercise:
    """Exercise for a student: compute a value, or reorder a ranking until it reaches a target.

    Teachers write exercises in a file; the program also makes one for a value that the student
    selects. Generated exercises of other kinds, such as a choice of answers, are converted to this
    class, so that their answers can be stored. `evaluation.OpenExercise` computes the solution.
    """

    name: str  # name of the exercise, written to the file of answers
    topic: str  # topic of the value to compute
    measure: str  # measure of the value to compute; in generated exercises, also a ranker or kappa
    # name of the run; in a file, empty for the first run of the project; in generated exercises,
    # also several names or the id of a document
    run: str = ""
    question: str = ""  # the teacher's question; empty for the default question
    # value to be reached by reordering the ranking; None if a value is to be computed
    target: Target | None = None
    moves: int | None = None  # maximum number of moves of documents; None for no limit
    decimals: int = DEFAULT_DECIMALS  # minimum number of decimals of an answer


@dataclass(frozen=True, slots=True)
class ExerciseAnswer:
    """Answer of a student to an exercise, with its verdict, to be appended to a file of answers.

    A file may contain answers of several students, and several answers of a student to an exercise.
    """

    time: str  # time at which the answer was checked, in UTC (ISO 8601)
    student: str  # name that the student entered; may be empty
    exercise: Exercise
    given: str  # value, letter of a choice, or moves of documents such as `3>2 9>8`
    steps: str  # typed steps of the calculation, such as `1 P@r 0.5; 2 P@r 1/2`; may be empty
    # `right`, `wrong`, `rounded`, `close` or `open`, as in `evaluation.CheckResult`, or `shown` if
    # the student had the solution shown
    verdict: str
    wrong_at: str  # position of the first wrong step, as text; empty if there is none
    # seconds since the exercise was shown in the window; None for other kinds and the command line
    seconds: int | None = None


# Tables of a teacher's exercises, and tables of students' answers, to which rows are only appended


@dataclass(frozen=True, slots=True)
class StoredAnswer:
    """Answer read from a file for the results of a class: exercise, verdict and first wrong step.

    The value or ranking that the student gave is not included.
    """

    student: str
    exercise: str  # name of the exercise
    verdict: str  # as in `ExerciseAnswer`
    wrong_at: str  # position of the first wrong step, as text; empty if there is none


EXERCISE_COLUMNS = (
    TOPIC,
    ColumnKind("measure", ("measure", "metric")),
    ColumnKind("run", ("run", "system", "ranking"), needed=False),
    ColumnKind("question", ("question", "task", "text", "words"), needed=False),
    ColumnKind("target", ("target", "goal"), needed=False),
    ColumnKind("moves", ("moves", "most_moves", "max_moves"), needed=False),
    ColumnKind("decimals", ("decimals", "digits"), needed=False),
    ColumnKind("exercise", ("exercise", "name", "number", "id"), needed=False),
)
MAX_DECIMALS = 6
ANSWER_COLUMNS = tuple(
    "time student exercise run topic measure target answer steps verdict wrong_at seconds".split()
)
_TARGET_PATTERN = re.compile(
    r"(?P<relation>>=|<=|=|≥|≤)?\s*(?P<value>-?\d+(?:[.,](?P<decimals>\d+))?)", re.ASCII
)
_RELATION_BY_SIGN: Mapping[str, Relation] = {
    **{relation: relation for relation in RELATIONS},
    "≥": ">=",
    "≤": "<=",
    "": "=",
}


def read_exercises(path: Path, encoding: str | None = None) -> tuple[Exercise, ...]:
    """Read exercises from a spreadsheet, or from text separated by commas, tabs or semicolons."""
    table = read_table(path, EXERCISE_COLUMNS, ReaderWarnings(), encoding=encoding)
    exercises: dict[str, Exercise] = {}
    for line, record in table.records():
        for field in ("topic", "measure"):
            if not record[field]:
                raise table.make_empty_cell_error(field, line)
        exercise = _make_exercise(path, line, record, str(len(exercises) + 1))
        if exercise.name in exercises:
            raise FormatError(
                path,
                Message(
                    "exercise {name!r} occurs twice; expected once",
                    key="same-exercise",
                    name=exercise.name,
                ),
                line,
            )
        exercises[exercise.name] = exercise
    if not exercises:
        raise FormatError(
            path,
            Message("the file has no exercises; expected rows below the header", key="no-exercise"),
        )
    return tuple(exercises.values())


def _make_exercise(path: Path, line: int, record: Mapping[str, str], number: str) -> Exercise:
    target, moves = record.get("target", ""), record.get("moves", "")
    if moves and not target:
        raise FormatError(
            path,
            Message(
                "the exercise limits the number of moves but has no target; moves are only "
                "counted if the ranking must reach a target",
                key="no-target",
            ),
            line,
        )
    decimals = record.get("decimals", "")
    return Exercise(
        record.get("exercise", "") or number,
        record["topic"],
        record["measure"],
        record.get("run", ""),
        record.get("question", ""),
        _parse_target(path, line, target) if target else None,
        _check_range(path, line, "moves", moves, 1) if moves else None,
        _check_range(path, line, "decimals", decimals, 0, MAX_DECIMALS)
        if decimals
        else DEFAULT_DECIMALS,
    )


def _parse_target(path: Path, line: int, text: str) -> Target:
    match = _TARGET_PATTERN.fullmatch(text)
    if not match:
        raise FormatError(
            path,
            Message(
                "target {text!r} is not valid; expected a target such as 0.79, >= 0.79 or <= 0.5",
                key="not-a-target",
                text=text[:MAX_SHOWN_CHARACTERS],
            ),
            line,
        )
    return Target(
        _RELATION_BY_SIGN[match["relation"] or ""],
        float(match["value"].replace(",", ".")),
        len(match["decimals"] or ""),
    )


def _check_range(
    path: Path, line: int, name: str, text: str, low: int, high: int | None = None
) -> int:
    value = parse_integer(path, name, text, line)
    if value < low or (high is not None and value > high):
        raise FormatError(
            path,
            Message(
                "{name} must be at least {minimum}{upper_limit}, got {value}",
                key="out-of-range",
                name=name,
                minimum=low,
                upper_limit="" if high is None else Message(" and at most {maximum}", maximum=high),
                value=value,
            ),
            line,
        )
    return value


# Answers of students


def append_answer(path: Path, answer: ExerciseAnswer) -> None:
    """Append an answer to a file, and flush it to disk; an incomplete last row is removed."""
    check_overwrite(path, is_append=True)
    try:
        is_new = _is_new_file(path)
        with path.open("ab", buffering=0) as file:
            data = b"" if is_new else path.read_bytes()
            end, line_end = _find_end_of_rows(data)
            if end < len(data):
                file.truncate(end)
            try:
                _append_row(file, line_end + _format_lines(answer, header=is_new))
            except OSError:
                # an incomplete row at the end is removed; otherwise the new row would be appended
                # to it
                file.truncate(end)
                raise
        if is_new:
            sync_folder(path.parent)
    except OSError as error:
        raise IrjudgeError(
            "Cannot write the answer to {file}: {reason}.",
            file=path.name,
            reason=describe_os_error(error),
        ) from error


def read_answers(path: Path) -> tuple[StoredAnswer, ...]:
    """Read the answers that `append_answer` wrote, oldest first; an incomplete last row is ignored.

    Raises FormatError if the file is not a file of answers.
    """
    if not path.is_file() or _is_new_file(path):
        raise FormatError(path, Message("the file has no answers; expected rows below the header"))
    try:
        rows = list(csv.DictReader(io.StringIO(decode_text(path.read_bytes(), path), newline="")))
    except csv.Error as error:
        raise FormatError(
            path, Message("cannot be split into columns ({error})", error=error)
        ) from error
    return tuple(
        StoredAnswer(row["student"], row["exercise"], row["verdict"], row["wrong_at"] or "")
        for row in rows
        if row["verdict"] is not None
    )


def summarise_class(
    answers: Sequence[StoredAnswer],
) -> tuple[tuple[str, ...], list[tuple[str | int, ...]]]:
    """Return the results of a class as column names and rows, with one row for each student.

    The columns are the student, the number of solved exercises, and the result of each exercise.
    """
    answers_by_student: dict[str, dict[str, list[StoredAnswer]]] = {}
    for answer in answers:
        answers_by_student.setdefault(answer.student, {}).setdefault(answer.exercise, []).append(
            answer
        )
    exercises = tuple(dict.fromkeys(answer.exercise for answer in answers))
    return (Message("student"), Message("right"), *exercises), [
        (
            student,
            sum(
                any(attempt.verdict == "right" for attempt in attempts)
                for attempts in student_answers.values()
            ),
            *(_format_attempts(student_answers.get(exercise, [])) for exercise in exercises),
        )
        for student, student_answers in answers_by_student.items()
    ]


def _format_attempts(attempts: Sequence[StoredAnswer]) -> str:
    """Return a student's result: the number of the first correct attempt, or the last verdict.

    The last verdict is followed by the first wrong step of the last attempt, if it is known. The
    result is empty if there are no attempts.
    """
    first_correct = next(
        (number for number, attempt in enumerate(attempts, 1) if attempt.verdict == "right"), None
    )
    if first_correct or not attempts:
        return Message("passed on attempt {number}", number=first_correct) if first_correct else ""
    return (
        f"{attempts[-1].verdict} ({attempts[-1].wrong_at})"
        if attempts[-1].wrong_at
        else attempts[-1].verdict
    )


def _is_new_file(path: Path) -> bool:
    """Return whether a file of answers is empty or missing.

    Raises FormatError for anything else that is not a file of answers.
    """
    if not path.exists():
        return True
    if not path.is_file():  # reading a pipe would block
        raise FormatError(
            path,
            Message(
                "not an ordinary file; expected an answer file. Nothing was written",
                key="not-a-file",
            ),
        )
    if not path.stat().st_size:
        return True
    with path.open("rb") as file:
        header_line = (
            file.readline(4096).removeprefix(b"\xef\xbb\xbf").decode(errors="replace").strip()
        )
    if header_line != ",".join(ANSWER_COLUMNS):
        raise FormatError(
            path,
            Message(
                "not an answer file; expected {header}. Nothing was written",
                key="not-answers",
                header=",".join(ANSWER_COLUMNS),
            ),
            1,
        )
    return False


def _find_end_of_rows(data: bytes) -> tuple[int, bytes]:
    """Return the offset after the last complete row of a file, and the line end that it lacks.

    The last row is incomplete after a power failure. It may only lack its line end, if the file was
    edited.
    """
    end = offset = quote_count = 0
    for line in data.splitlines(keepends=True):
        offset += len(line)
        quote_count += line.count(b'"')
        if line.endswith(b"\n") and quote_count % 2 == 0:
            end = offset
    last_row = data[end:].decode("utf-8", "replace")
    if quote_count % 2 == 0 and last_row:
        cells = next(csv.reader(io.StringIO(last_row, newline="")), [])
        if len(cells) == len(ANSWER_COLUMNS):
            return len(data), b"\n"
    return end, b""


def _format_lines(answer: ExerciseAnswer, *, header: bool) -> bytes:
    text = io.StringIO()
    exercise = answer.exercise
    row = (
        answer.time,
        answer.student,
        exercise.name,
        exercise.run,
        exercise.topic,
        exercise.measure,
        exercise.target.written if exercise.target else "",
        answer.given,
        answer.steps,
        answer.verdict,
        answer.wrong_at,
        answer.seconds,
    )
    write_csv(text, ANSWER_COLUMNS, [row])
    lines = text.getvalue()
    return (lines if header else lines.partition("\n")[2]).encode()


def _append_row(file: io.FileIO, row: bytes) -> None:
    """Append a row with a single write operation, and flush it to disk."""
    if file.write(row) != len(row):
        raise OSError(Message("the disk is full"))
    os.fsync(file.fileno())
