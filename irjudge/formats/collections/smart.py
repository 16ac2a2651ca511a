"""SMART's records: `.I 1` begins one, `.T`, `.A`, `.W` and others begin its fields; documents and queries alike."""

import io
import re
from collections.abc import Iterator
from pathlib import Path

from irjudge.errors import FormatError
from irjudge.formats.bytes.utf8 import LONGEST, beginning, megabytes, pieces
from irjudge.formats.remarks import BETWEEN_RECORDS, Remarks
from irjudge.formats.rows.records import Record
from irjudge.message import Message

ID, TITLE, TEXT = "I", "T", "W"

_BEGINS = re.compile(r"\.I(?:[ \t]+(.*))?$")
_FIELD = re.compile(r"\.([A-Z])[ \t]*$")
_STARTS = re.compile(rb"\.i[ \t]++[^\s]")


def is_smart(start: bytes) -> bool:
    """Tell whether a file whose first bytes are `start`, in small letters, is SMART's."""
    return bool(_STARTS.match(start))


def smart_records(stream: io.BufferedReader, where: Path, remarks: Remarks) -> Iterator[Record]:
    """Yield the records of a file in its order."""
    began, size = 0, 0
    fields: dict[str, list[str]] = {}
    here: list[str] | None = None
    for number, mark, lines in _sections(stream, where):
        if begins := _BEGINS.match(mark):
            if began:
                yield _record(where, began, fields)
            began, size, fields, here = number, 0, {ID: [begins[1] or ""]}, None
        elif began and (field := _FIELD.match(mark)):
            here = fields.setdefault(field[1], [])
        elif mark:
            number, lines = number - 1, [mark, *lines]
        if here is None:
            _remark_strays(lines, number + 1, where, remarks)
        elif lines:
            here.append("\n".join(map(str.rstrip, lines)))
        size += len(mark) + sum(map(len, lines)) + len(lines)
        if size > LONGEST:
            raise FormatError(
                where,
                Message(
                    "no end of the record within {megabytes}",
                    key="no-end",
                    megabytes=megabytes(LONGEST),
                ),
                began,
            )
    if began:
        yield _record(where, began, fields)


def _sections(stream: io.BufferedReader, where: Path) -> Iterator[tuple[int, str, list[str]]]:
    """Yield the number and the text of each line that begins with a dot, and the lines up to the next; some come with an empty one."""
    for first, text in pieces(stream, where):
        number, dotted = first - 1, ("\n" + text.removesuffix("\n")).split("\n.")
        for section in dotted:
            line, *lines = section.split("\n")
            yield number, f".{line}".rstrip("\r") if number >= first else "", lines
            number += 1 + len(lines)


def _remark_strays(lines: list[str], first: int, where: Path, remarks: Remarks) -> None:
    strays = [place for place, line in enumerate(lines) if line and not line.isspace()]
    if strays:
        example = Message(
            "{where}, line {first}, “{beginning}”",
            where=where.name,
            first=first + strays[0],
            beginning=beginning(lines[strays[0]].encode()),
        )
        remarks.add(BETWEEN_RECORDS, example, len(strays))


def _record(where: Path, line: int, fields: dict[str, list[str]]) -> Record:
    return Record(
        where, line, {letter: "\n".join(lines).strip("\n") for letter, lines in fields.items()}
    )
