"""Records with named fields, from JSON or tab-separated lines, for topics and documents."""

import csv
import json
import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence, Sized
from dataclasses import dataclass
from pathlib import Path
from typing import TypeAlias

from irjudge.errors import FormatError
from irjudge.formats.bytes import (
    MAX_LINE_BYTES,
    ArchiveEntry,
    decode_text,
    iter_lines,
    iter_nonblank_lines,
    read_limited,
    replace_surrogates,
)
from irjudge.formats.reader_warnings import BLANK_IN_ID, LONE_SURROGATE, ReaderWarnings
from irjudge.message import Message

Names: TypeAlias = tuple[str, ...]
"""Accepted names of a field, best first."""

MAX_LIST_BYTES = 512 * 1024 * 1024
MAX_ID_CHARACTERS = 1000
# Limits on the cells of a table that has a column for each field that occurs in a record. If each
# record has fields of its own, the cells need far more memory than the records.
MIN_CHECKED_CELLS, MAX_CELLS_PER_FIELD = 1_000_000, 20
# Maximum number of characters of a record that are repeated in each of more than MAX_LONG_ROWS rows.
# The time for the rows of a record is therefore linear in its size.
MAX_REPEATED_CHARACTERS, MAX_LONG_ROWS = 10_000, 1_000
MAX_REPEATED_FIELDS = 500  # fields of a record that are repeated in each of many rows

# the default limit of the csv module is too small for long documents
csv.field_size_limit(MAX_LINE_BYTES)


class _AmbiguousObject(dict[str, object]):
    """JSON object with repeated names; for each repeated name, the last value is used."""

    repeated_name: str


def _make_object(pairs: list[tuple[str, object]]) -> dict[str, object]:
    fields = dict(pairs)
    if len(fields) == len(pairs):
        return fields
    counts = Counter(name for name, _ in pairs)
    ambiguous_object = _AmbiguousObject(fields)
    ambiguous_object.repeated_name = next(name for name, count in counts.items() if count > 1)
    return ambiguous_object


# decoder that returns numbers as strings, since ids such as 1.0 or 12345678901234567890 must stay
# unchanged
_JSON_DECODER = json.JSONDecoder(
    parse_int=str, parse_float=str, parse_constant=str, object_pairs_hook=_make_object
)
_BLANKS = re.compile(r"[ \t\r\n]*+")


_RUBRICS_MEMBER = re.compile(rb'"rubrics"\s*+:\s*+\[\s*+\{', re.IGNORECASE)


def has_rubrics(head: bytes) -> bool:
    """Return whether the first JSON objects of a file are rubrics (criteria for answers)."""
    return bool(_RUBRICS_MEMBER.search(head))


def make_rubrics_error(path: Path) -> FormatError:
    """Return the error for a file of rubrics, where judgments, runs or documents were expected."""
    return FormatError(
        path,
        Message(
            "these are rubrics: criteria for topics, without grades of documents; read them "
            "with --topics",
            key="rubrics",
        ),
    )


def check_repeated_fields(path: Path, row_count: int, field_count: int) -> None:
    """Raise FormatError if too many fields of a record are repeated in each of its many rows."""
    if field_count > MAX_REPEATED_FIELDS and row_count * field_count > MIN_CHECKED_CELLS:
        raise FormatError(
            path,
            Message(
                "a record has {fields:,} fields and {rows:,} labels; expected at most {limit} fields "
                "for so many labels",
                key="too-many-fields",
                fields=field_count,
                rows=row_count,
                limit=MAX_REPEATED_FIELDS,
            ),
        )


def check_repeated_texts(path: Path, row_count: int, texts: Iterable[str]) -> None:
    """Raise FormatError if long texts of a record are repeated in each of its many rows."""
    characters = sum(map(len, texts))
    if row_count > MAX_LONG_ROWS and characters > MAX_REPEATED_CHARACTERS:
        raise FormatError(
            path,
            Message(
                "a record has texts of {characters:,} characters and {rows:,} labels; expected at "
                "most {limit:,} characters for so many labels",
                key="repeated-texts",
                characters=characters,
                rows=row_count,
                limit=MAX_REPEATED_CHARACTERS,
            ),
        )


def check_cell_count(path: Path, records: Sequence[Sized], name_count: int) -> None:
    """Raise FormatError if a table with a column for each field that occurs is too large."""
    cell_count = len(records) * name_count
    if cell_count > MIN_CHECKED_CELLS and cell_count > MAX_CELLS_PER_FIELD * sum(map(len, records)):
        raise FormatError(
            path,
            Message(
                "the records have {count:,} different fields, and each record has only a few of "
                "them; expected the same fields in each record",
                key="too-many-fields",
                count=name_count,
            ),
        )


@dataclass(frozen=True, slots=True)
class Record:
    """Record of a file, such as a document or topic: named fields, and the line where it begins.

    A record is, for example, a JSON object or a row of a table. Values are texts or other JSON
    values; numbers of JSON are stored as texts. Readers of tagged formats have already decoded
    entities. A nested object has the line of the outer record.
    """

    where: Path
    line: int
    fields: Mapping[str, object]

    def text(self, names: Names, warnings: ReaderWarnings) -> str | None:
        """Return the text of the first non-empty field in `names`.

        If all these fields are empty, the text is empty; None if the record has none of them.
        """
        name = self.name(names)
        if name is None:
            return None
        return to_storable(self._read_text(name), f"{self.where.name}, line {self.line}", warnings)

    def id(self, names: Names, warnings: ReaderWarnings) -> str:
        """Return the id in the first non-empty field in `names`.

        Raises FormatError if the record has none of the fields, or the id is invalid.
        """
        text = self.text(names, warnings)
        if text is None:
            raise FormatError(
                self.where,
                Message(
                    "the record has no id; expected one of the fields {names}",
                    key="no-id",
                    names=", ".join(names),
                ),
                self.line,
            )
        return parse_id(text, self.where, self.line, warnings)

    def name(self, names: Names) -> str | None:
        """Return the first name in `names` that is the name of a non-empty field of the record.

        If all these fields are empty, the first is returned; None if the record has none of them.
        """
        empty_name = None
        for name in names:
            if name in self.fields:
                if self.fields[name] not in (None, ""):
                    return name
                empty_name = empty_name or name
        return empty_name

    def _read_text(self, name: str) -> str:
        value = self.fields[name]
        if isinstance(value, str):
            return value
        if value is None:
            return ""
        if isinstance(value, list):
            parts = [part.get("text") if isinstance(part, dict) else part for part in value]
            texts = [part for part in parts if isinstance(part, str)]
            if len(texts) == len(parts):
                return "\n".join(texts)
        raise FormatError(
            self.where,
            Message(
                'the field "{name}" contains {kind}; expected text',
                key="not-text",
                name=name,
                kind=_describe_kind(value),
            ),
            self.line,
        )


def parse_id(text: str, path: Path, line: int | None, warnings: ReaderWarnings) -> str:
    """Return an id without spaces at its ends.

    Raises FormatError if it is empty or too long, or contains a character that files of judgments
    or qrels cannot store.
    """
    name = text.strip()
    if not name:
        raise FormatError(path, Message("the id is empty", key="empty-id"), line)
    if len(name) > MAX_ID_CHARACTERS:
        raise FormatError(
            path,
            Message(
                'the id "{name}…" has {length:,} characters; expected at most {limit:,}',
                key="long-id",
                name=name[:30],
                length=len(name),
                limit=MAX_ID_CHARACTERS,
            ),
            line,
        )
    if "\0" in name:
        shown_name = name.replace("\0", "\N{REPLACEMENT CHARACTER}")
        raise FormatError(
            path,
            Message('the id "{name}" contains a zero byte', key="zero-byte", name=shown_name),
            line,
        )
    if not name.isascii() and (storable := replace_surrogates(name)) != name:
        raise FormatError(
            path,
            Message('the id "{name}" contains half of a surrogate pair', name=storable),
            line,
        )
    if len(name.split(None, 1)) > 1:
        warnings.add(BLANK_IN_ID, name)
    return name


def to_storable(text: str, location: str, warnings: ReaderWarnings) -> str:
    """Replace lone surrogates in a text, which UTF-8 cannot encode, and warn about them."""
    try:
        text.encode()
    except UnicodeEncodeError:
        warnings.add(LONE_SURROGATE, location)
        return replace_surrogates(text)
    return text


def iter_json_lines(entry: ArchiveEntry) -> Iterator[Record]:
    """Yield the JSON object on each line."""
    for number, line in iter_nonblank_lines(entry.stream, entry.where):
        try:
            value = _JSON_DECODER.decode(line)
        except json.JSONDecodeError as error:
            raise FormatError(
                entry.where,
                Message(
                    "not JSON ({reason}, column {column}); expected one JSON object per line",
                    key="not-json",
                    reason=error.msg,
                    column=error.colno,
                ),
                number,
            ) from None
        except RecursionError:
            raise _make_too_deep_error(entry.where, number) from None
        yield _make_record(entry.where, number, value)


def iter_json_list(entry: ArchiveEntry) -> Iterator[Record]:
    """Yield the JSON objects in a list, after reading the whole file into memory."""
    text = decode_text(read_limited(entry.stream, entry.where, MAX_LIST_BYTES), entry.where)
    offset, line, line_offset = _skip_mark(text, "[", _skip_mark(text, "", 0), entry.where), 1, 0
    while not text.startswith("]", offset):
        line, line_offset = line + text.count("\n", line_offset, offset), offset
        value, offset = _parse_json_value(
            text, offset, entry.where, line, Message("a list of objects")
        )
        yield _make_record(entry.where, line, value)
        offset = _skip_mark(text, "", offset)
        if not text.startswith("]", offset):
            offset = _skip_mark(text, ",", offset, entry.where)
    if _skip_mark(text, "", offset + 1) < len(text):
        raise FormatError(
            entry.where,
            Message("there is content after the end of the JSON list", key="after-list"),
            text.count("\n", 0, offset + 1) + 1,
        )


def iter_json_records(entry: ArchiveEntry) -> Iterator[Record]:
    """Yield the JSON objects in a list or, if the file does not begin with a list, on its lines."""
    is_list = entry.head.lstrip(b"\xef\xbb\xbf \t\r\n").startswith(b"[")
    return iter_json_list(entry) if is_list else iter_json_lines(entry)


def iter_json_objects(entry: ArchiveEntry) -> Iterator[Record]:
    """Yield consecutive JSON objects, each on one or more lines; the whole file is read first."""
    text = decode_text(read_limited(entry.stream, entry.where, MAX_LIST_BYTES), entry.where)
    offset, line, line_offset = _skip_mark(text, "", 0), 1, 0
    while offset < len(text):
        line, line_offset = line + text.count("\n", line_offset, offset), offset
        value, offset = _parse_json_value(text, offset, entry.where, line, Message("a JSON object"))
        yield _make_record(entry.where, line, value)
        offset = _skip_mark(text, "", offset)


def _parse_json_value(
    text: str, offset: int, path: Path, line: int, expected: str
) -> tuple[object, int]:
    try:
        return _JSON_DECODER.raw_decode(text, offset)
    except json.JSONDecodeError as error:
        raise FormatError(
            path,
            Message(
                "not JSON ({reason}, column {column}); expected {expected}",
                key="not-json",
                reason=error.msg,
                column=error.colno,
                expected=expected,
            ),
            error.lineno,
        ) from None
    except RecursionError:
        raise _make_too_deep_error(path, line) from None


def iter_csv_rows(entry: ArchiveEntry, separator: str) -> Iterator[tuple[int, list[str]]]:
    """Yield the line number and cells of each row, including the header, as in RFC 4180."""
    first_line = 1
    rows = csv.reader(
        (f"{line}\n" for _, line in iter_lines(entry.stream, entry.where)),
        delimiter=separator,
        strict=True,
    )
    try:
        for cells in rows:
            if cells:
                yield first_line, cells
            first_line = rows.line_num + 1
    except csv.Error as error:
        raise FormatError(
            entry.where,
            Message(
                "the row that starts in this line cannot be split into columns ({error})",
                key="not-csv",
                error=error,
            ),
            first_line,
        ) from None


def iter_tsv_rows(entry: ArchiveEntry, columns: Names, *, header: bool) -> Iterator[Record]:
    """Yield each line as a record; tabs after the last column are part of that column."""
    for number, line in iter_nonblank_lines(entry.stream, entry.where):
        if header:
            header = False
            continue
        cells = line.split("\t", len(columns) - 1)
        if len(cells) < len(columns):
            raise FormatError(
                entry.where,
                Message(
                    "number of columns separated by tabs: {cells}; expected {count}: {columns}",
                    key="column-count",
                    cells=len(cells),
                    count=len(columns),
                    columns=", ".join(columns),
                ),
                number,
            )
        yield Record(entry.where, number, dict(zip(columns, cells, strict=True)))


def list_head_lines(head: bytes) -> list[str]:
    """Return the complete, non-blank lines at the beginning of a file."""
    lines = head.removeprefix(b"\xef\xbb\xbf").decode("utf-8", "replace").split("\n")
    return [line.rstrip("\r") for line in (lines[:-1] or lines) if line and not line.isspace()]


def read_header_columns(
    head: bytes, known_names: Names, ids: Names, separator: str = "\t"
) -> Names | None:
    """Return the column names in the first line; None if the line is not a header.

    A header contains the name of an id and of another known field, and no repeated names.
    """
    lines = list_head_lines(head)
    cells = (
        tuple(cell.strip().strip('"').lower() for cell in lines[0].split(separator))
        if lines
        else ()
    )
    return (
        cells
        if len(set(cells) & set(known_names)) > 1
        and set(cells) & set(ids)
        and len(set(cells)) == len(cells)
        else None
    )


def read_first_cell(head: bytes, separator: str = "\t") -> str:
    """Return the first cell of the first line; empty for a file without lines."""
    lines = list_head_lines(head)
    return lines[0].partition(separator)[0].strip().strip('"') if lines else ""


def find_min_column_count(head: bytes) -> int:
    """Return the lowest number of tab-separated columns in any of the first lines.

    The result is 0 if there is no complete, non-blank line.
    """
    return min((line.count("\t") + 1 for line in list_head_lines(head)), default=0)


def _make_record(path: Path, line: int, value: object) -> Record:
    if not isinstance(value, dict):
        raise FormatError(
            path,
            Message(
                "found {kind}; expected a JSON object with an id",
                key="not-object",
                kind=_describe_kind(value),
            ),
            line,
        )
    if isinstance(value, _AmbiguousObject):
        raise FormatError(
            path,
            Message(
                '"{name}" occurs twice in one object; each name may occur only once',
                key="repeated-name",
                name=replace_surrogates(value.repeated_name)[:40],
            ),
            line,
        )
    return Record(path, line, value)


def _skip_mark(text: str, mark: str, offset: int, path: Path | None = None) -> int:
    """Return the offset after `mark` and after the white space that surrounds it.

    A missing mark raises FormatError if `path` is given.
    """
    match = _BLANKS.match(text, offset)
    offset = match.end() if match else offset
    if path is not None and not text.startswith(mark, offset):
        raise FormatError(
            path,
            Message(
                'found {found}; expected "{mark}" in the JSON list',
                key="missing-mark",
                found=f'"{text[offset]}"' if offset < len(text) else Message("the end of the file"),
                mark=mark,
            ),
            text.count("\n", 0, offset) + 1,
        )
    match = _BLANKS.match(text, offset + len(mark))
    return match.end() if match else offset


def _make_too_deep_error(path: Path, line: int) -> FormatError:
    return FormatError(
        path,
        Message(
            "the JSON is nested too deeply; expected an object with an id and text", key="too-deep"
        ),
        line,
    )


def _describe_kind(value: object) -> str:
    names = {
        str: Message("text"),
        bool: Message("true or false"),
        list: Message("a list"),
        dict: Message("an object"),
        type(None): Message("null"),
    }
    return names.get(type(value), Message("content of another type"))
