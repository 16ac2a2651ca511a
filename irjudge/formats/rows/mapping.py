"""Mappings of columns, and suggested mappings for the option `--columns`."""

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from irjudge.errors import IrjudgeError
from irjudge.formats.bytes import collapse_whitespace, replace_surrogates
from irjudge.message import EITHER_TEMPLATE, Message, join_choices, join_messages
from irjudge.model import is_id_like

# Column mappings of tables and records, which the user gives if column names are not recognised

MAX_LISTED = 20
MAX_LISTED_CHARACTERS = 40
MAX_DIGITS = 9  # maximum number of digits of a column number


@dataclass(frozen=True, slots=True)
class ColumnMapping:
    """Columns selected for parts of a record, such as id and grade, and the sheet to read.

    A column is selected by its name or number; parts without a selected column are recognised by
    their names. A mapping without selected columns is false, even if a sheet is selected.
    """

    # pairs of a part, such as "id", "text" or "grade", and its column, which is a name in the file
    # or a number from 1
    named: tuple[tuple[str, str], ...] = ()
    sheet: str = ""  # sheet of a spreadsheet; if empty, the sheet with the best header is read

    def __bool__(self) -> bool:
        return bool(self.named)

    def __str__(self) -> str:
        """Return the mapping as text for `--columns`: `id=docno,text=abstract`."""
        return ",".join(f"{part}={column}" for part, column in self.named)

    def names(self, part: str, default_names: tuple[str, ...]) -> tuple[str, ...]:
        """Return the possible column names of a part.

        They are the column mapped to the part or, if there is none, the default names that are not
        mapped to other parts.

        >>> ColumnMapping((("id", "text"),)).names("id", ("id", "docno"))
        ('text',)
        >>> ColumnMapping((("id", "text"),)).names("text", ("text", "body"))
        ('body',)
        """
        if not self.named:
            return default_names
        mapped_columns = {column for _, column in self.named}
        own_columns = tuple(column for column_part, column in self.named if column_part == part)
        return own_columns or tuple(name for name in default_names if name not in mapped_columns)

    def format_extended(self, part: str, column: str) -> str:
        """Return the mapping with one more part, as text for `--columns`.

        >>> ColumnMapping((("id", "1"),)).format_extended("text", "3")
        'id=1,text=3'
        """
        return str(ColumnMapping((*self.named, (part, column))))

    def numbers(self) -> dict[int, str] | None:
        """Return a mapping of column indices, from 0, to parts.

        The result is None if there is no mapping, or if a column is not given by its number.

        >>> ColumnMapping((("id", "1"), ("text", "3"))).numbers()
        {0: 'id', 2: 'text'}
        >>> ColumnMapping((("id", "9" * 5000),)).numbers()
        """
        if not self.named or not all(
            column.isascii() and column.isdigit() and len(column) <= MAX_DIGITS and int(column)
            for _, column in self.named
        ):
            return None
        return {int(column) - 1: part for part, column in self.named}


AS_RECOGNISED: ColumnMapping = ColumnMapping()


def parse_columns(text: str, parts: Sequence[str]) -> ColumnMapping:
    """Return the column mapping in a text such as `id=docno,text=abstract`.

    >>> parse_columns("id=docno, text=abstract", ("id", "text")).named
    (('id', 'docno'), ('text', 'abstract'))
    """
    columns_by_part: dict[str, str] = {}
    for pair in filter(None, (pair.strip() for pair in text.split(","))):
        part, equals_sign, column = (piece.strip() for piece in pair.partition("="))
        if not equals_sign or not column or part not in parts:
            raise IrjudgeError(
                '"{pair}" does not name a column; expected pairs such as {first}=NAME, where '
                "the key is one of {parts}.",
                key="no-pair",
                pair=pair,
                first=parts[0],
                parts=join_choices(parts),
            )
        if part in columns_by_part:
            raise IrjudgeError(
                "{part} is mapped twice, to {named} and {column}; expected one column.",
                key="named-twice",
                part=part,
                named=columns_by_part[part],
                column=column,
            )
        columns_by_part[part] = column
    return ColumnMapping(tuple(columns_by_part.items()))


def format_choices(choices: Iterable[str]) -> str:
    """Return several mappings for `--columns` as text for a message."""
    return join_messages(
        [Message('"{choice}"', choice=choice) for choice in choices], EITHER_TEMPLATE
    )


def format_columns(names: Sequence[str]) -> str:
    """Return up to twenty column names as text for a message."""
    return ", ".join(map(format_column, names[:MAX_LISTED])) + (
        Message(" and more") if len(names) > MAX_LISTED else ""
    )


def format_column(name: str) -> str:
    """Return a column name as text for a message."""
    return replace_surrogates(collapse_whitespace(name))[:MAX_LISTED_CHARACTERS] or Message(
        "(no name)"
    )


# Suggested mappings for tables whose column names are not recognised

SAMPLED_ROWS = 50
# maximum number of columns inspected; a line of tabs would have a column for each character
MAX_COLUMNS = 1000
MAX_SHOWN_VALUES = 3
MAX_VALUE_LENGTH = 20
PLACEHOLDER = "COLUMN"  # text that replaces the column of a part if no column can be suggested
NO_KNOWN_COLUMNS: Mapping[str, str] = {}

_NUMBER = re.compile(r"[+-]?(?:\d++\.?\d*+|\.\d++)(?:[eE][+-]?\d++)?", re.ASCII)
_ROW_NUMBER = re.compile(r"|#|no\.?|nr\.?|row|index|unnamed: \d+|row[ _]?(?:id|no|number)", re.I)
_DOCUMENT_HINT = (
    r"doc|product|item|passage|page|record|article|paper|corpus|url|sku|asin|key|id$|^id"
)
_PERSON_HINT = r"worker|assessor|annotat|rater|judge|user|coder|participant|person|email|who"
_VALUE_HINT = r"label|grade|rel|rating|score|judg|answer|gain|stars|verdict|winner|prefer|choice"
# sources of patterns, which are compiled only when needed, since compilation takes 3 ms
_HINTS = {
    "topic": r"topic|quer|question|request|search|^q",
    "document": _DOCUMENT_HINT,
    "id": _DOCUMENT_HINT,
    "item": rf"{_DOCUMENT_HINT}|task|unit|example|pair",
    "worker": _PERSON_HINT,
    "assessor": _PERSON_HINT,
    "label": _VALUE_HINT,
    "grade": _VALUE_HINT,
    "gold": r"gold|truth|expected",
    "winner": _VALUE_HINT,
    "score": r"score|sim|bm25|value",
    "rank": r"rank|position",
    "text": r"text|abstract|body|content|descri|passage|snippet|summary|story|words",
    "title": r"title|headline|name|query|question|subject",
}
_TEXT_PARTS, _ASSESSOR_PARTS = frozenset({"text", "title"}), frozenset({"worker", "assessor"})
_VALUE_PARTS = frozenset({"label", "grade", "gold", "winner", "score", "rank"})
_ID_KIND_OF_PART = {"topic": "topic", "document": "document", "id": "document", "item": "document"}


def _is_like(part: str, name: str) -> bool:
    return re.search(_HINTS[part], name, re.IGNORECASE) is not None


@dataclass(frozen=True, slots=True)
class CandidateColumn:
    """Column of a table, or field of a record, that may be suggested for a part, such as the id.

    The suggestion is part of the message about columns that were not recognised. `rank_as`
    determines how well the column fits a part; None means that it must not be suggested for it.
    """

    name: str  # name or number for `--columns`
    position: int  # index of the column, from 0
    values: tuple[str, ...]  # non-empty values in the first rows

    @property
    def is_row_number(self) -> bool:
        """Whether the column contains row numbers, such as the index of a data frame."""
        if _ROW_NUMBER.fullmatch(self.name):
            return True
        if len(self.values) < 2 or not all(value.isdecimal() for value in self.values):
            return False
        numbers = [int(value[:18]) for value in self.values]
        return numbers[0] in (0, 1) and numbers == [*range(numbers[0], numbers[0] + len(numbers))]

    @property
    def _is_id(self) -> bool:
        return is_id_like("topic", self.name) or is_id_like("document", self.name)

    def rank_as(self, part: str) -> tuple[float, ...] | None:
        """Return a key that sorts columns by how well they fit a part, the best column first.

        The key is None if the column must not be suggested for the part.
        """
        is_strong = part in _ID_KIND_OF_PART and is_id_like(_ID_KIND_OF_PART[part], self.name)
        is_hinted = part in _HINTS and _is_like(part, self.name)
        if self.is_row_number and not is_strong and part != "rank":
            return None
        has_blanks = any(" " in value for value in self.values)
        length = sum(map(len, self.values)) / max(1, len(self.values))
        if part in _TEXT_PARTS:
            is_title = part == "text" and _is_like("title", self.name)
            return (is_title or self._is_id, not is_hinted, not has_blanks, -length, self.position)
        if part in _VALUE_PARTS:
            if self._is_id:
                return None
            is_number = all(map(_NUMBER.fullmatch, self.values))
            return (not is_hinted, has_blanks, not is_number, -self.position)
        if part in _ASSESSOR_PARTS:
            if self._is_id:
                return None
            return (not is_hinted, has_blanks, len({*self.values}), self.position)
        # whether the name is that of another kind of id, such as a topic id for the document
        is_wrong_id = self._is_id and not is_strong
        return (
            is_wrong_id,
            not is_strong,
            not is_hinted,
            has_blanks,
            length > MAX_VALUE_LENGTH,
            self.position,
        )

    def __str__(self) -> str:
        """Return the name of the column, with its first values in parentheses."""
        shown_values = (
            value if len(value) <= MAX_VALUE_LENGTH else f"{value[:MAX_VALUE_LENGTH].rstrip()}…"
            for value in map(collapse_whitespace, self.values[:MAX_SHOWN_VALUES])
        )
        values = replace_surrogates(", ".join(shown_values))
        return f"{format_column(self.name)} ({values})" if values else format_column(self.name)


def list_candidate_columns(
    header: Sequence[str], rows: Sequence[Sequence[str]] = (), *, has_header: bool | None = None
) -> list[CandidateColumn]:
    """Return the columns of a table as candidates for a suggested mapping.

    The name of a candidate is the number of the column if the first row is not a header, or if the
    name in the header is empty, repeated or contains a comma.

    Parameters
    ----------
    header
        The first row.
    rows
        Some of the rows below it.
    has_header
        Whether the first row is a header. If None, this is detected from the cells.
    """
    header = header[:MAX_COLUMNS]
    if has_header is None:
        has_header = is_header(header, rows)
    all_rows = list(rows) if has_header else [header, *rows]
    names = [
        name if has_header and name and "," not in name and header.count(name) == 1 else str(number)
        for number, name in enumerate(header, 1)
    ]
    return [
        CandidateColumn(
            name,
            position,
            tuple(
                row[position].strip()
                for row in all_rows
                if position < len(row) and row[position].strip()
            ),
        )
        for position, name in enumerate(names)
    ]


def list_record_columns(fields: Mapping[str, object]) -> list[CandidateColumn]:
    """Return the fields of a record as candidates for a suggested mapping."""
    return list_candidate_columns(
        [*fields], [[str(field) for field in fields.values()]], has_header=True
    )


def is_header(first_row: Sequence[str], rows: Sequence[Sequence[str]] = ()) -> bool:
    """Return whether a row is a header: no cell is a number or is repeated in its column.

    >>> is_header(["w1", "u1", "1"]), is_header(["who", "what"], [["ann", "d1"], ["ann", "d2"]])
    (False, True)
    >>> is_header(["ann", "d1"], [["ann", "d2"]])
    False
    """
    if any(_NUMBER.fullmatch(cell) for cell in first_row):
        return False
    return not any(
        cell and any(position < len(row) and row[position].strip() == cell for row in rows)
        for position, cell in enumerate(first_row)
    )


def suggest_columns(
    columns: Sequence[CandidateColumn],
    parts: Sequence[str],
    *,
    known_columns: Mapping[str, str] = NO_KNOWN_COLUMNS,
) -> dict[str, str]:
    """Return the most likely column of each part; parts without a likely column are omitted.

    Columns are first suggested for values such as grades, then for assessors, ids and texts. A
    column of row numbers is only suggested for ranks, or if its name is that of an id.

    >>> columns = list_candidate_columns(["record_id", "title", "abstract"], [["1", "T one", "Long one"]])
    >>> suggest_columns(columns, ["id", "text"])
    {'id': 'record_id', 'text': 'abstract'}
    """
    column_by_name = {column.name: column for column in columns}
    column_by_part = {
        part: known_columns[part]
        for part in parts
        if known_columns.get(part) in column_by_name
        and column_by_name[known_columns[part]].rank_as(part) is not None
    }
    used_columns = {*column_by_part.values()} | {
        known_columns[part] for part in known_columns if part not in parts
    }
    for part in sorted(parts, key=_rank_part):
        candidates = (
            (rank, column.name)
            for column in columns
            if column.name not in used_columns and (rank := column.rank_as(part)) is not None
        )
        if part not in column_by_part and (best_candidate := min(candidates, default=None)):
            column_by_part[part] = best_candidate[1]
            used_columns.add(best_candidate[1])
    return {part: column_by_part[part] for part in parts if part in column_by_part}


def _rank_part(part: str) -> int:
    """Return a key that sorts parts: values such as grades, then assessors, ids and texts."""
    kinds = (part in _VALUE_PARTS, part in _ASSESSOR_PARTS, part not in _TEXT_PARTS, part == "text")
    return kinds.index(True) if True in kinds else len(kinds)


COLUMNS_NOUN = Message("columns")  # default of `noun` in `describe_columns`


def describe_columns(
    columns: Sequence[CandidateColumn],
    parts: Sequence[str],
    noun: Message = COLUMNS_NOUN,
    *,
    known_columns: Mapping[str, str] = NO_KNOWN_COLUMNS,
) -> str:
    """Return the end of a message: the columns of a table, and a suggested mapping.

    >>> print(describe_columns(list_candidate_columns(["w1", "u1", "1"]), ["item", "worker", "label"]))
    the columns are 1 (w1), 2 (u1), 3 (1); map the columns with --columns, for example "worker=1,item=2,label=3"
    """
    if not columns:
        return Message("there are no {columns}", columns=noun)
    suggested = suggest_columns(columns, parts, known_columns=known_columns)
    if [column.name for column in columns] == [str(index + 1) for index in range(len(columns))]:
        suggested = dict(sorted(suggested.items(), key=lambda pair: int(pair[1])))
    suggested |= {part: PLACEHOLDER for part in parts if part not in suggested}
    return Message(
        'the {columns} are {names}; map the columns with --columns, for example "{example}"',
        columns=noun,
        names=", ".join(map(str, columns[:MAX_LISTED]))
        + (Message(" and more") if len(columns) > MAX_LISTED else ""),
        example=",".join(f"{part}={format_column(column)}" for part, column in suggested.items()),
    )
