"""Ratings of search teams' tools as judgments: whole numbers are grades, and of fractions somebody says what they become."""

from collections.abc import Mapping
from pathlib import Path

import numpy as np

from irjudge.errors import FormatError, Undecided
from irjudge.formats.rankings.judged_rows import Coded, JudgedRows
from irjudge.formats.ratings.rows import Rating, RatingsFile
from irjudge.message import Message, listed
from irjudge.model.ranking import UNJUDGEABLE, UNJUDGED

MOST_SHOWN = 8


def rated_rows(path: Path, file: RatingsFile, grades: Mapping[float, int] | None) -> JudgedRows:
    """Return the ratings of one assessor as judgments."""
    if len(file.assessors) > 1:
        problem = Message(
            "{form}, in which {count} assessors judged; make one grade of theirs: irjudge consensus {file} --method majority -o QRELS",
            form=file.form,
            count=len(file.assessors),
            file=path.name,
        )
        raise FormatError(path, problem)
    if not file.ratings:
        raise FormatError(path, Message("no rating was found, expected {form}", form=file.form))
    values = sorted({each.value for each in file.ratings if each.value is not None})
    fractions = [value for value in values if not value.is_integer()]
    if fractions and grades is None:
        raise _undecided(path, values, fractions)
    turned = {value: _turned(path, value, grades) for value in values} if fractions and grades is not None else None
    topics = Coded.of([each.topic for each in file.ratings])
    said = Message("{file}: read as {form}; a query is known by its text.", file=path.name, form=file.form)
    return JudgedRows(
        topics,
        Coded.same("0", len(file.ratings)),
        Coded.of([each.document for each in file.ratings]),
        np.array([_grade(each, turned) for each in file.ratings], dtype=np.int32),
        said=(said,),
        titles=tuple(file.queries[topic].text for topic in topics.texts.to_pylist()),
        turned=turned is not None,
    )


def _grade(rating: Rating, turned: Mapping[float, int] | None) -> int:
    if rating.unusable:
        return UNJUDGEABLE
    if rating.value is None:
        return UNJUDGED
    return turned[rating.value] if turned is not None else int(rating.value)


def _turned(path: Path, value: float, grades: Mapping[float, int] | None) -> int:
    if grades is None or value not in grades:
        raise FormatError(path, Message("--grades does not say what the rating {value:g} becomes", value=value))
    return grades[value]


def _undecided(path: Path, values: list[float], fractions: list[float]) -> Undecided:
    shown = listed([f"{value:g}" for value in values[:MOST_SHOWN]] + ([Message("more")] if len(values) > MOST_SHOWN else []))
    example = ",".join(f"{value:g}:{place}" for place, value in enumerate(values[:MOST_SHOWN]))
    problem = Message(
        'ratings are fractions, such as {first:g}, and a grade is a whole number (ratings: {shown}); say with --grades "{example}" what '
        "each becomes",
        first=fractions[0],
        shown=shown,
        example=example,
    )
    return Undecided(path, problem, ("grades",))
