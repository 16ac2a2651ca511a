"""Judgments as they stand in a file, in columns, before their duplicates are left out, and grades turned into others."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa

from irjudge.errors import FormatError
from irjudge.formats.rankings.grades import whole_grades
from irjudge.formats.ratings.rows import RatingsFile
from irjudge.message import Message
from irjudge.model.arrow import strings_of, values_of
from irjudge.model.ranking import UNJUDGEABLE, Ids, Ints

READ_AS = Message("{file}: read as {form}; a query is known by its text.", file="", form="").template


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
    titles: tuple[str, ...] = ()  # the texts of the queries, by topic, where the file knows topics by them
    turned: bool = False  # whether grades were turned into others already, as ratings with fractions are


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
    rated = [each for each in file.ratings if each.value is not None or each.unusable]
    if not rated:
        raise FormatError(path, Message("no rating was found, expected {form}", form=file.form))
    usable = [each.value for each in rated if each.value is not None and not each.unusable]
    whole, done = whole_grades(path, usable, grades)
    grade = dict(zip(usable, whole, strict=True))
    topics = Coded.of([each.topic for each in rated])
    left = len(file.ratings) - len(rated)
    said = (
        Message(READ_AS, file=path.name, form=file.form),
        *([Message("{file}: without a rating, left out: {left:,}.", file=path.name, left=left)] if left else []),
    )
    return JudgedRows(
        topics,
        Coded.same("0", len(rated)),
        Coded.of([each.document for each in rated]),
        np.array([UNJUDGEABLE if each.unusable or each.value is None else grade[each.value] for each in rated], dtype=np.int32),
        said=said,
        titles=tuple(file.queries[topic].text for topic in topics.texts.to_pylist()),
        turned=done,
    )
