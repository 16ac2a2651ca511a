"""Records between marker lines, in the formats of SMART, NPL, LISA and TIME."""

import io
import itertools
import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

from irjudge.errors import Undecided
from irjudge.formats.bytes import (
    ArchiveEntry,
    check_record_size,
    collapse_whitespace,
    iter_lines,
    iter_pieces,
    quote_beginning,
)
from irjudge.formats.file_formats import FileHead
from irjudge.formats.reader_warnings import BETWEEN_RECORDS, ReaderWarnings, WarningKind
from irjudge.formats.rows import Record, parse_id
from irjudge.message import Message
from irjudge.model import Document, Topic

# SMART records of documents and queries: `.I 1` begins a record; `.T`, `.A`, `.W` … begin a field

ID_MARK, TITLE_MARK, TEXT_MARK = "I", "T", "W"

_RECORD_START = re.compile(r"\.I(?:[ \t]++(.*))?$")
_FIELD_MARK = re.compile(r"\.([A-Z])[ \t]*$")
_SMART_START = re.compile(rb"\.i[ \t]++[^\s]")


def is_smart(start: bytes) -> bool:
    """Return whether a file has SMART's format; `start` is its beginning in lower case."""
    return bool(_SMART_START.match(start))


def iter_smart_records(
    stream: io.BufferedReader, path: Path, warnings: ReaderWarnings
) -> Iterator[Record]:
    """Yield the SMART records of a file in file order."""
    first_line, size = 0, 0
    fields: dict[str, list[str]] = {}
    current_lines: list[str] | None = None
    for number, mark, lines in _iter_sections(stream, path):
        if begin_match := _RECORD_START.match(mark):
            if first_line:
                yield _make_record(path, first_line, fields)
            first_line, size, fields, current_lines = (
                number,
                0,
                {ID_MARK: [begin_match[1] or ""]},
                None,
            )
        elif first_line and (field_match := _FIELD_MARK.match(mark)):
            current_lines = fields.setdefault(field_match[1], [])
        elif mark:
            number, lines = number - 1, [mark, *lines]
        if current_lines is None:
            warn_of_stray_lines(lines, number + 1, path, warnings)
        elif lines:
            current_lines.append("\n".join(map(str.rstrip, lines)))
        size += len(mark) + sum(map(len, lines)) + len(lines)
        check_record_size(size, path, first_line)
    if first_line:
        yield _make_record(path, first_line, fields)


def _iter_sections(stream: io.BufferedReader, path: Path) -> Iterator[tuple[int, str, list[str]]]:
    """Yield each line that begins with a dot, with its line number and the lines that follow it."""
    for first_line, text in iter_pieces(stream, path):
        number, dotted_text = first_line - 1, ("\n" + text.removesuffix("\n")).split("\n.")
        for section in dotted_text:
            line, *lines = section.split("\n")
            yield number, f".{line}".rstrip("\r") if number >= first_line else "", lines
            number += 1 + len(lines)


def warn_of_stray_lines(
    lines: list[str], first_line: int, path: Path, warnings: ReaderWarnings
) -> None:
    """Warn about consecutive lines between two records, except for blank lines."""
    stray_lines = [index for index, line in enumerate(lines) if line and not line.isspace()]
    if stray_lines:
        warnings.add(
            BETWEEN_RECORDS,
            Message(
                "{where}, line {first}, “{beginning}”",
                where=path.name,
                first=first_line + stray_lines[0],
                beginning=quote_beginning(lines[stray_lines[0]].encode()),
            ),
            len(stray_lines),
        )


def _make_record(path: Path, line: int, fields: dict[str, list[str]]) -> Record:
    return Record(
        path, line, {mark: "\n".join(lines).strip("\n") for mark, lines in fields.items()}
    )


# Untagged documents and queries of NPL, LISA and TIME

_NUMBER_LINE = re.compile(rb"[0-9]++[ \t]*+\r?\n")
_SLASH_LINE = re.compile(rb"\n[ \t]*+/[ \t]*+(?:\r?\n|$)")
_NEXT_NUMBER_LINE = re.compile(rb"\s*+(?:[0-9]++[ \t]*+(?:\r?\n|$)|$)")
_HASH_LINE = re.compile(rb"#[ \t]*+(?:\r?\n|$)")


@dataclass(frozen=True, slots=True)
class RecordMarks:
    """Patterns of the lines at which the records of a format begin and end."""

    begin_mark: re.Pattern[str]  # group 1 is the id
    end_mark: re.Pattern[str]  # group 1 is the last text of the record; it may be empty
    # whether a line that matches `begin_mark` inside a record begins a new record; if False, the
    # line is part of the text
    ends_open_record: bool = True


NPL_MARKS: RecordMarks = RecordMarks(
    re.compile(r"\s*+(\d++)\s*+$"), re.compile(r"()\s*+/\s*+$"), ends_open_record=False
)
LISA_MARKS = RecordMarks(re.compile(r"Document\s++(\d++)\s*+$"), re.compile(r"()\*{8,}+\s*+$"))
LISA_QUERY_MARKS: RecordMarks = RecordMarks(
    NPL_MARKS.begin_mark, re.compile(r"(.*)#\s*+$"), ends_open_record=False
)
TIME_MARKS = RecordMarks(re.compile(r"\*TEXT\s++(\d++)"), re.compile(r"()\*STOP\s*+$"))
TIME_QUERY_MARKS: RecordMarks = RecordMarks(
    re.compile(r"\*FIND\s++(\d++)\s*+$"), TIME_MARKS.end_mark
)


@dataclass(slots=True)
class PlainRecord:
    """Record of a plain-text collection, to which the reader appends lines."""

    line: int  # 1-based number of its first line in the file
    id: str
    lines: list[str] = field(default_factory=list)
    size: int = 0  # number of characters with line breaks, to limit the length of a record


def iter_plain_records(
    entry: ArchiveEntry, marks: RecordMarks, warnings: ReaderWarnings
) -> Iterator[PlainRecord]:
    """Yield the records of a file in file order; warn about text that is not part of a record."""
    record: PlainRecord | None = None
    for number, line in iter_lines(entry.stream, entry.where):
        begin_match = marks.begin_mark.match(line) if marks.ends_open_record or not record else None
        if begin_match:
            if record:
                yield record
            record = PlainRecord(number, begin_match[1])
        elif record and (end_match := marks.end_mark.match(line)):
            _append_line(record, end_match[1], entry.where)
            yield record
            record = None
        elif record:
            _append_line(record, line, entry.where)
        else:
            warn_of_stray_lines([line], number, entry.where, warnings)
    if record:
        yield record


def _append_line(record: PlainRecord, line: str, path: Path) -> None:
    record.size += len(line) + 1
    check_record_size(record.size, path, record.line)
    record.lines.append(line.rstrip())


# Detection by the first lines, which are compared in lower case

_LISA_START = re.compile(rb"document[ \t]++[0-9]++[ \t]*+\r?\n")
_ASTERISK_LINE = re.compile(rb"\n\*{8,}+[ \t]*+(?:\r?\n|$)")
TIME_START = re.compile(rb"\*text[ \t]++[0-9]")
TIME_QUERY_START: re.Pattern[bytes] = re.compile(rb"\*find[ \t]++[0-9]")


def is_npl(file_head: FileHead) -> bool:
    """Return whether the first line is a number, and the first record ends with a slash.

    Another number or the end of the file follows the line with the slash.
    """
    slash_line = _SLASH_LINE.search(file_head.start)
    return bool(
        _NUMBER_LINE.match(file_head.start)
        and slash_line
        and _NEXT_NUMBER_LINE.match(file_head.start, slash_line.end())
    )


def is_lisa(file_head: FileHead) -> bool:
    """Return whether the first line is `Document` and a number, and a line is only asterisks."""
    return bool(_LISA_START.match(file_head.start) and _ASTERISK_LINE.search(file_head.start))


def is_lisa_queries(file_head: FileHead) -> bool:
    """Return whether the first line is a number and the first record ends with `#`."""
    end = _HASH_LINE.search(file_head.start)
    return bool(
        _NUMBER_LINE.match(file_head.start) and end and b"\t" not in file_head.start[: end.start()]
    )


ID_BY_NUMBER, ID_BY_POSITION = "number", "place"

MISSING_NUMBERS = WarningKind(
    "The record numbers of the TIME collection have gaps, and the judgments (TIME.REL) refer "
    "to records by their position in the complete collection of 425 records: {first}.",
    "The record numbers of the TIME collection have gaps in {count} files, and the judgments "
    "(TIME.REL) refer to records by their position in the complete collection of 425 records. "
    "First: {first}.",
    key="missing-records",
)


def iter_npl_documents(entry: ArchiveEntry, warnings: ReaderWarnings) -> Iterator[Document]:
    """Yield NPL's documents; each is a number, lines of text, and a slash."""
    for record in iter_plain_records(entry, NPL_MARKS, warnings):
        yield Document(
            _parse_record_id(record, entry, warnings), _join_lines(record.lines).encode()
        )


def iter_lisa_documents(entry: ArchiveEntry, warnings: ReaderWarnings) -> Iterator[Document]:
    """Yield LISA's documents; the first blank line ends the title."""
    for record in iter_plain_records(entry, LISA_MARKS, warnings):
        title = list(itertools.takewhile(str.strip, record.lines))
        yield Document(
            _parse_record_id(record, entry, warnings),
            _join_lines(record.lines[len(title) :]).encode(),
            collapse_whitespace(" ".join(title)),
        )


def iter_time_documents(entry: ArchiveEntry, warnings: ReaderWarnings) -> Iterator[Document]:
    """Yield TIME documents; the number in each record is the document id.

    With `--columns id=place`, the id is the position in the file, from 1.
    """
    id = next(iter(entry.columns.names("id", (ID_BY_NUMBER,))), "")
    if id not in (ID_BY_NUMBER, ID_BY_POSITION):
        raise Undecided(
            entry.where,
            Message(
                "records of the TIME collection have a number and a position; choose one of "
                "the two as the document id with --columns {choice}",
                choice=Message(
                    '"id={number}" or "id={place}"', number=ID_BY_NUMBER, place=ID_BY_POSITION
                ),
            ),
            ("columns",),
        )
    position, first_number, last_number = 0, "", ""
    for position, record in enumerate(iter_plain_records(entry, TIME_MARKS, warnings), 1):
        number = _parse_record_id(record, entry, warnings)
        first_number, last_number = first_number or number, number
        # in this format, every second line is blank
        yield Document(
            number if id == ID_BY_NUMBER else str(position),
            "\n".join(line.strip() for line in record.lines if line.strip()).encode(),
        )
    if last_number.lstrip("0") != str(position):
        ids = (
            Message(
                'record numbers are used as ids; with "id=place" in --columns, positions '
                "are used instead",
                key="ids-are-numbers",
            )
            if id == ID_BY_NUMBER
            else Message(
                "positions in this file are used as ids; they match the judgments only up to "
                "the first missing record",
                key="ids-are-places",
            )
        )
        numbering = Message(
            "the file has {place} records, numbered from {first} to {last}",
            place=position,
            first=first_number,
            last=last_number,
        )
        warnings.add(MISSING_NUMBERS, Message("{how}; {ids}", how=numbering, ids=ids))


def iter_plain_topics(
    marks: RecordMarks, entry: ArchiveEntry, warnings: ReaderWarnings
) -> Iterator[Topic]:
    """Yield each record of a file of queries as a topic."""
    for record in iter_plain_records(entry, marks, warnings):
        yield Topic(
            _parse_record_id(record, entry, warnings), collapse_whitespace(" ".join(record.lines))
        )


def _parse_record_id(record: PlainRecord, entry: ArchiveEntry, warnings: ReaderWarnings) -> str:
    return parse_id(record.id, entry.where, record.line, warnings)


def _join_lines(lines: list[str]) -> str:
    return "\n".join(lines).strip("\n")
