"""Judgments as they stand in a file, in columns, before their duplicates are left out, and grades turned into others."""

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa

from irjudge.errors import FormatError, IrjudgeError, Undecided
from irjudge.formats.ratings.rows import RatingsFile
from irjudge.message import EITHER, Message, listed
from irjudge.model.ranking import UNJUDGEABLE, Ids, Ints, strings_of, values_of
from irjudge.model.scale import HIGHEST as HIGHEST_OF_SCALES


@dataclass(frozen=True, slots=True)
class Coded:
    """A column of texts: the different ones, and the code of each row in them, shape (N,)."""

    texts: Ids
    codes: Ints

    @classmethod
    def of(cls, texts: Sequence[str]) -> "Coded":
        """Code texts in order of first appearance."""
        return cls.column(pa.chunked_array([strings_of(texts).dictionary_encode()]))

    @classmethod
    def column(cls, column: Any) -> "Coded":
        """Take a coded Arrow column, in chunks."""
        array = column.combine_chunks()
        if isinstance(array, pa.ChunkedArray):  # without rows there is no chunk
            array = strings_of([]).dictionary_encode()
        return cls(array.dictionary, values_of(array.indices))

    @classmethod
    def same(cls, text: str, rows: int) -> "Coded":
        """Code one text for all rows."""
        return cls(strings_of([text]), np.zeros(rows, dtype=np.int32))

    def renamed(self, texts: Sequence[str]) -> "Coded":
        """Return the column with its different texts renamed; those that become equal become one."""
        new = Coded.of(texts)
        return Coded(new.texts, new.codes[self.codes])


@dataclass(frozen=True, slots=True)
class JudgedRows:
    """What a file says of each pair, N rows."""

    topic: Coded
    group: Coded
    document: Coded
    grade: Ints  # shape (N,), as in the file; 1 where it has none
    convention: bool = True  # whether the form itself says what -1 and -2 mean
    said: tuple[str, ...] = ()  # what was recognised, a sentence or none
    titles: tuple[
        str, ...
    ] = ()  # the texts of the queries, by topic, where the file knows topics by them
    turned: bool = (
        False  # whether grades were turned into others already, as ratings with fractions are
    )


def rated_rows(path: Path, file: RatingsFile, grades: Mapping[float, int] | None) -> JudgedRows:
    """Return the ratings of one assessor as judgments."""
    if len(file.assessors) > 1:
        problem = Message(
            "{form}, in which {count} assessors judged; make one grade of theirs: irjudge consensus {file} --method majority -o QRELS",
            key="several-assessors",
            form=file.form,
            count=len(file.assessors),
            file=path.name,
        )
        raise FormatError(path, problem)
    rated = [each for each in file.ratings if each.value is not None or each.unusable]
    if not rated:
        raise FormatError(
            path, Message("no rating was found, expected {form}", key="no-rating", form=file.form)
        )
    usable = [each.value for each in rated if each.value is not None and not each.unusable]
    whole, done = whole_grades(path, usable, grades)
    grade = dict(zip(usable, whole, strict=True))
    topics = Coded.of([each.topic for each in rated])
    left = len(file.ratings) - len(rated)
    said = (
        Message(
            "{file}: read as {form}; a query is known by its text.",
            key="read-as-ratings",
            file=path.name,
            form=file.form,
        ),
        *(
            [
                Message(
                    "{file}: without a rating, left out: {left:,}.",
                    key="without-rating",
                    file=path.name,
                    left=left,
                )
            ]
            if left
            else []
        ),
        *file.strange.about(path.name),
    )
    return JudgedRows(
        topics,
        Coded.same("0", len(rated)),
        Coded.of([each.document for each in rated]),
        np.array(
            [
                UNJUDGEABLE if each.unusable or each.value is None else grade[each.value]
                for each in rated
            ],
            dtype=np.int32,
        ),
        said=said,
        titles=tuple(file.queries[topic].text for topic in topics.texts.to_pylist()),
        turned=done,
    )


HIGHEST, MOST_SHOWN = 999, 8
MOST_RATINGS = 100  # different ones that somebody can be asked about
DECIMAL = re.compile(r"[+-]?\d{1,9}\.\d{1,9}", re.ASCII)
_PAIR = re.compile(
    r"(?:L(?=\d))?([+-]?\d{1,9}(?:\.\d{1,9})?)\s*:\s*([+-]?\d{1,9})", re.ASCII | re.IGNORECASE
)


def parse_grades(text: str) -> dict[float, int]:
    """Return which grade becomes which, from pairs such as `1:4,2:3,3:2,4:1,-1:0` or `0.5:1`; NTCIR's `L2` is grade 2.

    >>> parse_grades("1:4, 2:3,-1:0")
    {1: 4, 2: 3, -1: 0}
    >>> parse_grades("L0:0,L1:1,L2:1")
    {0: 0, 1: 1, 2: 1}
    >>> parse_grades("0.0:0,0.5:1")
    {0: 0, 0.5: 1}
    """
    grades: dict[float, int] = {}
    for pair in filter(None, (pair.strip() for pair in text.split(","))):
        match = _PAIR.fullmatch(pair)
        if not match:
            raise IrjudgeError(
                '"{pair}" turns no grade into another, expected pairs like 1:4, the grade in the file and what it becomes.',
                key="no-pair",
                pair=pair,
            )
        old = float(match[1])
        old, new = int(old) if old.is_integer() else old, int(match[2])
        if old in grades:
            raise IrjudgeError(
                "Grade {old} becomes both {grades} and {new}, expected one of them.",
                key="two-grades",
                old=old,
                grades=grades[old],
                new=new,
            )
        if not UNJUDGEABLE <= new <= HIGHEST:
            problem = Message(
                "Grade {old} becomes {new}, expected a grade from 0 to {highest}, -1 for unjudged or -2 for unjudgeable.",
                key="out-of-range",
                old=old,
                new=new,
                highest=HIGHEST,
            )
            raise IrjudgeError(problem)
        grades[old] = new
    return grades


def whole_grades(
    path: Path, values: Sequence[float], grades: Mapping[float, int] | None
) -> tuple[list[int], bool]:
    """Return ratings as grades, and whether they were turned: whole ones stay, fractions become what was said or are asked about.

    >>> whole_grades(Path("a.csv"), [2.0, 0.0], None), whole_grades(Path("a.csv"), [0.5, 1.0], {0.5: 1, 1: 2})
    (([2, 0], False), ([1, 2], True))
    """
    different = sorted({*values})
    fractions = [value for value in different if not value.is_integer()]
    if not fractions:
        return list(map(int, values)), False
    if grades is None and len(different) > MOST_RATINGS:
        problem = Message(
            "it holds {count:,} different numbers with fractions, such as {first:g}, as scores and values are; expected grades",
            key="not-grades",
            count=len(different),
            first=fractions[0],
        )
        raise FormatError(path, problem)
    if grades is None:
        raise _undecided(path, different, fractions)
    missing = next((value for value in different if value not in grades), None)
    if missing is not None:
        raise FormatError(
            path,
            Message(
                "--grades does not say what the rating {value:g} becomes",
                key="unturned-grade",
                value=missing,
            ),
        )
    return [grades[value] for value in values], True


def _undecided(path: Path, values: list[float], fractions: list[float]) -> Undecided:
    shown = listed(
        [f"{value:g}" for value in values[:MOST_SHOWN]]
        + ([Message("more")] if len(values) > MOST_SHOWN else [])
    )
    problem = Message(
        'ratings are fractions, such as {first:g}, and a grade is a whole number (ratings: {shown}); say with --grades "{example}" what '
        "each becomes",
        key="fractions",
        first=fractions[0],
        shown=shown,
        example=in_steps(values[:MOST_SHOWN]),
    )
    return Undecided(path, problem, ("grades",))


def in_steps(values: Sequence[float]) -> str:
    """Return what turns values into grades that count from 0, as it is typed.

    >>> in_steps([0, 1, 10, 100])
    '0:0,1:1,10:2,100:3'
    """
    return ",".join(f"{value:g}:{place}" for place, value in enumerate(values))


@dataclass(frozen=True, slots=True)
class OffScale:
    """Grades that a scale lacks, and what fits them."""

    grades: tuple[int, ...]  # those that it lacks
    values: tuple[int, ...]  # of the scale
    steps: str  # what turns the grades of the file into grades of the scale; empty where there are more than it has
    wider: str  # the name of a scale that has them all; empty where none has

    @property
    def problem(self) -> Message:
        """What is wrong, and the options that fit."""
        each = Message("--grades with a pair for each grade")
        fits = [
            Message('--grades "{steps}" (lowest first)', steps=self.steps) if self.steps else each
        ]
        fits += [Message("--scale {wider}", wider=self.wider)] if self.wider else []
        return Message(
            "the scale ({values}) does not have grades {grades}; choose what fits: {fits}",
            values=listed(map(str, self.values)),
            grades=listed(map(str, self.grades)),
            fits=listed(fits, EITHER),
        )


def find_off_scale(grades: Iterable[int], values: Sequence[int]) -> OffScale | None:
    """Return the grades of 0 or more that a scale of these values lacks; None where it has them all.

    >>> found = find_off_scale([0, 1, 4, 4, -2], [0, 1, 2, 3])
    >>> found.grades, found.steps, found.wider
    ((4,), '0:0,1:1,4:2', '0-4')
    """
    used = sorted({grade for grade in grades if grade >= 0})
    lacking = tuple(grade for grade in used if grade not in values)
    if not lacking:
        return None
    steps = in_steps(used) if used[-1] and len(used) <= len(values) else ""
    return OffScale(
        lacking, tuple(values), steps, f"0-{used[-1]}" if used[-1] <= HIGHEST_OF_SCALES else ""
    )


def turned(
    path: Path, grade: Ints, grades: Mapping[float, int], *, keep_negative: bool = False
) -> tuple[Ints, str]:
    """Return grades turned into others, and the sentence that says so."""
    values, codes, counts = np.unique(grade, return_inverse=True, return_counts=True)
    if keep_negative:  # what they mean was said apart
        grades = {value: value for value in values.tolist() if value < 0} | dict(grades)
    missing = [
        (value, count)
        for value, count in zip(values.tolist(), counts.tolist(), strict=True)
        if value not in grades
    ]
    if missing:
        value, count = missing[0]
        problem = Message(
            "{count:,} grades are {value}, and --grades does not say what {value} becomes; expected a pair for each of {values}",
            key="unturned-grade",
            count=count,
            value=value,
            values=listed(map(str, values.tolist())),
        )
        raise FormatError(path, problem)
    new = np.array([grades[value] for value in values.tolist()], dtype=np.int32)
    parts = [
        Message("{count:,} of {old} became {to}", count=count, old=old, to=to)
        for old, to, count in zip(values.tolist(), new.tolist(), counts.tolist(), strict=True)
        if old != to
    ]
    done = (
        Message("grades were turned as was said: {parts}", key="turned", parts=listed(parts))
        if parts
        else Message("grades are as they were, as was said", key="not-turned")
    )
    return new[codes].astype(np.int32), Message(
        "{file}: {done}.", key=done.key, file=path.name, done=done
    )
