"""Judgments as they stand in a file, in columns, before their grades are settled and their duplicates left out."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import pyarrow as pa

from irjudge.model.arrow import strings_of, values_of
from irjudge.model.ranking import Ids, Ints


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
