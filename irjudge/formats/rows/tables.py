"""Tables with a header, of text or from a spreadsheet: which column holds what is known by names, or said by the user."""

import csv
import io
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import chain
from pathlib import Path
from typing import TypeAlias

from irjudge.errors import FormatError, Undecided
from irjudge.formats.bytes.archives import BROKEN, Entry
from irjudge.formats.bytes.encodings import as_utf8, known_encoding
from irjudge.formats.bytes.single import Given, OneFile, one_file, single_file
from irjudge.formats.bytes.utf8 import decoded, whole
from irjudge.formats.remarks import Remarks
from irjudge.formats.rows.cells import restored_rows
from irjudge.formats.rows.columns import LONGEST_SHOWN
from irjudge.formats.rows.mapping import Columns, unknown_columns
from irjudge.formats.rows.records import LARGEST_LIST, head_lines
from irjudge.formats.rows.workbooks import is_workbook, workbook_rows
from irjudge.message import Message

SEPARATORS = ",\t;"
FORMS = {",": "CSV", "\t": "TSV", ";": Message("CSV with semicolons")}
WORKBOOK, JSON = "spreadsheet", "JSON"
LOOK = 4096  # bytes that tell what a file is
MOST_DIGITS = 9
_LINE = re.compile(r"[^\r\n]*+(?:\r\n?|\n)|[^\r\n]++")  # io.StringIO takes four bytes a letter
_OBJECT = re.compile(rb'\s*+\{\s*+(?:\}\s*+$|"(?:[^"\\]|\\.)*+"\s*+:)')
_WHOLE = re.compile(r"([+-]?\d+)(?:\.0+)?", re.ASCII)
AS_SAID = Columns()


@dataclass(frozen=True, slots=True)
class Part:
    """What a column can hold.

    Parameters
    ----------
    name
        In sentences, and where the user says columns.
    known
        The names that files give it, the best first.
    needed
        Whether a table must have it.
    verbatim
        Whether blanks around the text belong to it.
    suggested
        Whether a sentence about columns that do not tell names it, though a table may do without it.
    """

    name: str
    known: tuple[str, ...]
    needed: bool = True
    verbatim: bool = False
    suggested: bool = False


TOPIC = Part("topic", tuple("topic topic_id query qid query_id query-id queryid q_id".split()))
DOCUMENT = Part("document", tuple("document document_id doc docno docid doc_id doc-id corpus-id corpus_id did pid".split()))
ASSESSOR = Part("assessor", tuple("assessor worker judge annotator rater user".split()))
GRADE = Part("grade", tuple("grade label relevance rel judgment judgement score".split()))


Row: TypeAlias = tuple[int, list[str]]
"""The line of a row, and its cells."""


@dataclass(slots=True)
class Table:
    """A table whose columns are known.

    Parameters
    ----------
    form
        What was recognised, in words.
    rows
        Those that are not empty; gives each row once.
    places
        In which column each part stands, from 0; parts that are not there are not named.
    unread
        The names of the columns that no part stands in.
    header
        The names of all columns; empty where they were said by number.
    verbatim
        The parts whose blanks around are kept.
    """

    path: Path
    form: str
    rows: Iterator[Row]
    places: dict[str, int]
    unread: tuple[str, ...] = ()
    header: tuple[str, ...] = ()
    verbatim: frozenset[str] = frozenset()

    def reading(self) -> str:
        """Say which column was read as what, as in `topic is qid, document is column 2`."""
        return ", ".join(Message("{part} is {name}", part=part, name=self._name(place)) for part, place in self.places.items())

    def _name(self, place: int) -> str:
        named = self.header[place] if place < len(self.header) else ""
        return named or Message("column {place}", place=place + 1)

    def empty(self, part: str, line: int) -> FormatError:
        """Return the sentence about a cell that must hold something."""
        why = Message("; of merged cells only the first holds a value, and a formula holds one once a spreadsheet program has saved it")
        return FormatError(self.path, Message("the {part} is empty{why}", part=part, why=why if self.form == WORKBOOK else ""), line)

    def records(self) -> Iterator[tuple[int, dict[str, str]]]:
        """Yield the line of each row and the text of each part.

        Raises
        ------
        FormatError
            When a row is shorter than the header promises.
        """
        width = max(self.places.values()) + 1
        for line, cells in self.rows:
            if len(cells) < width and self.form != WORKBOOK:
                raise FormatError(
                    self.path, Message("{cells} columns, expected {width} or more as in the header", cells=len(cells), width=width), line
                )
            texts = {part: cells[place] if place < len(cells) else "" for part, place in self.places.items()}
            yield line, {part: text if part in self.verbatim else text.strip() for part, text in texts.items()}


def is_whole(text: str) -> bool:
    """Tell whether a cell holds a whole number."""
    return _WHOLE.fullmatch(text) is not None


def whole_number(path: Path, name: str, text: str, line: int) -> int:
    """Return the whole number that a cell holds; `2.0`, which spreadsheets make of 2, is one.

    Raises
    ------
    FormatError
        When it holds none, or one of more than nine digits.
    """
    match = _WHOLE.fullmatch(text)
    if not match:
        raise FormatError(path, Message("{name} {text!r} is not a whole number", name=name, text=text[:LONGEST_SHOWN]), line)
    if len(match[1].lstrip("+-0")) > MOST_DIGITS:
        raise FormatError(
            path,
            Message(
                "{name} {text!r} is too large, expected {most_digits} digits at most",
                name=name,
                text=text[:LONGEST_SHOWN],
                most_digits=MOST_DIGITS,
            ),
            line,
        )
    return int(match[1])


def names_parts(cells: Sequence[str], parts: Sequence[Part]) -> bool:
    """Tell whether a first row names two of the parts or more, so that it is a header."""
    names = {cell.strip().lower() for cell in cells}
    return sum(not names.isdisjoint(part.known) for part in parts) > 1


def header_separator(head: bytes, parts: Sequence[Part]) -> str | None:
    """Return what separates the columns of a first line that is a header; None when it is none."""
    for line in head_lines(head)[:1]:
        for separator in SEPARATORS:
            if names_parts([cell.strip().strip('"') for cell in line.split(separator)], parts):
                return separator
    return None


def table_form(given: Given, header: Sequence[Part], columns: Columns = AS_SAID, encoding: str | None = None) -> str:
    """Return what a file of judgments or rankings is, from its first bytes: a form of tables, `JSON`, or nothing for plain lines.

    Parameters
    ----------
    given
        A pipe is taken for lines: what is read of it does not come again.
    header
        What a first line must name two of.
    columns
        Where the user said columns, a line split by commas, tabs or semicolons is a table whatever it names.
    encoding
        What the user named.
    """
    with one_file(given) as file:
        if not file.path.is_file():
            return ""
        if is_workbook(file):
            return WORKBOOK
        head = _head(file, encoding)
    if _OBJECT.match(head.removeprefix(b"\xef\xbb\xbf")):  # an id may begin with a brace
        return JSON
    separator = header_separator(head, header)
    if separator is None and columns:
        separator = next((each for each in SEPARATORS for line in head_lines(head)[:1] if each in line), None)
    return FORMS.get(separator or "", "")


def _head(file: OneFile, encoding: str | None) -> bytes:
    """Return the first bytes of a file as UTF-8, unpacked; none where it cannot be read, which its reader says better."""
    try:
        raw = file.plain(last=False).read(LOOK)
        if raw.isascii() and b"\0" not in raw:
            return raw
        return as_utf8(io.BufferedReader(io.BytesIO(raw)), file.path.name, Remarks(), known(encoding)).read(LOOK)
    except (*BROKEN, FormatError):
        return b""


def as_written(table: Table, remarks: Remarks) -> Table:
    """Take away the apostrophes that our own tables of text have for spreadsheet programs, and note that there were some."""
    if table.form not in (WORKBOOK, JSON):
        table.rows = restored_rows(table.rows, remarks)
    return table


def read_table(given: Given, parts: Sequence[Part], remarks: Remarks, *, columns: Columns = AS_SAID, encoding: str | None = None) -> Table:
    """Read a table: comma, tab or semicolon between columns and quotes where needed, or the first sheet of a spreadsheet.

    Parameters
    ----------
    given
        Text, plain or packed with gzip, or .xlsx.
    parts
        What to look for.
    remarks
        Learns the encoding of text that is not UTF-8, and which sheets were not read.
    columns
        What the user said. Where all that is needed is said by number, no header is needed; a first row that is one is left out.
    encoding
        What the user named; None for what is detected.

    Raises
    ------
    FormatError
        When a needed column is not there (`Undecided`), or the file cannot be read.
    """
    if is_workbook(given):
        path = given if isinstance(given, Path) else given.path
        return table_of_rows(path, WORKBOOK, workbook_rows(given, remarks), parts, columns)
    return next(text_table(entry, parts) for entry in single_file(given, remarks, encoding=known(encoding), columns=columns))


def header_of(path: Path, encoding: str | None = None) -> tuple[str, ...]:
    """Return the cells of the first row of a table, as `Table.header` has them; none where nothing is in it.

    Raises
    ------
    FormatError
        When the file cannot be read.
    """
    if is_workbook(path):
        first = next(workbook_rows(path, Remarks()), None)
    else:
        first = next((row for entry in single_file(path, Remarks(), encoding=known(encoding)) for row in _split(entry)[1]), None)
    return tuple(cell.strip() for cell in first[1]) if first else ()


def known(encoding: str | None) -> str | None:
    """Return Python's name of an encoding that was named; None where none was."""
    return known_encoding(encoding) if encoding else None


def text_table(entry: Entry, parts: Sequence[Part]) -> Table:
    """Read a table from a file of text; see `read_table`."""
    form, rows = _split(entry)
    return table_of_rows(entry.where, form, rows, parts, entry.columns)


def _split(entry: Entry) -> tuple[str, Iterator[Row]]:
    """Return the form of a text and its rows."""
    path = entry.where
    text = decoded(whole(entry.stream, path, LARGEST_LIST), path)
    if "\0" in text:
        raise FormatError(path, "a zero byte; this is not a text file", text.count("\n", 0, text.index("\0")) + 1)
    header = next((line for line in text.split("\n", 50) if line.strip()), "")
    separator = max(SEPARATORS, key=header.count)
    return FORMS[separator], _text_rows(path, text, separator)


def table_of_rows(path: Path, form: str, rows: Iterator[Row], parts: Sequence[Part], columns: Columns) -> Table:
    """Return the table that rows make, the first of them its header; see `read_table`."""
    first = next(rows, None)
    if first is None:
        raise FormatError(
            path, Message("the header has no {first}: nothing is in the file, expected a header and rows below it", first=parts[0].name), 1
        )
    line, header = first[0], [cell.strip() for cell in first[1]]
    verbatim = frozenset(part.name for part in parts if part.verbatim)
    known = {part.name for part in parts}
    if strange := [part for part, _ in columns.named if part not in known]:
        raise FormatError(
            path,
            Message(
                "--columns says where the {first} is, expected only {parts}", first=strange[0], parts=", ".join(part.name for part in parts)
            ),
        )
    numbers = columns.numbers()
    if numbers and {part.name for part in parts if part.needed} <= set(numbers.values()):
        places = {part: place for place, part in numbers.items()}
        data = rows if _is_header(header, places, parts) else chain([first], rows)
        return Table(path, form, data, places, verbatim=verbatim)
    places = _places(path, line, header, parts, columns)
    unread = tuple(name for place, name in enumerate(header) if place not in places.values() and name)
    return Table(path, form, rows, places, unread, tuple(header), verbatim)


def _text_rows(path: Path, text: str, separator: str) -> Iterator[Row]:
    lines = csv.reader((match[0] for match in _LINE.finditer(text)), delimiter=separator, strict=True)
    try:
        for cells in lines:
            if any(cell and not cell.isspace() for cell in cells):
                yield lines.line_num, cells
    except csv.Error as fault:
        raise FormatError(path, Message("the line cannot be split into columns ({fault})", fault=fault), lines.line_num) from fault


def _is_header(cells: list[str], places: dict[str, int], parts: Sequence[Part]) -> bool:
    """Tell whether the first row names a part where the user said it is."""
    known = {part.name: part.known for part in parts}
    return any(place < len(cells) and cells[place].lower() in known.get(part, ()) for part, place in places.items())


def _places(path: Path, line: int, header: list[str], parts: Sequence[Part], columns: Columns) -> dict[str, int]:
    given = [name.lower() for name in header]
    places: dict[str, int] = {}
    for part in parts:
        names = columns.names(part.name, part.known)
        found = next((place for name in names for place in _standing(name, given, columns) if place not in places.values()), None)
        if found is not None:
            places[part.name] = found
        elif part.needed or part.name in dict(columns.named):
            wanted = [each.name for each in parts if each.needed or each.suggested]
            raise Undecided(
                path,
                Message("the header has no {part}; {unknown_columns}", part=part.name, unknown_columns=unknown_columns(header, wanted)),
                ("columns",),
                line,
            )
    return places


def _standing(name: str, given: list[str], columns: Columns) -> list[int]:
    """Return where a column of that name stands: at the number it is, where the user said a number that is no name."""
    if name.lower() in given:
        return [given.index(name.lower())]
    return [int(name) - 1] if name in dict(columns.named).values() and name.isdecimal() and 0 < int(name) <= len(given) else []
