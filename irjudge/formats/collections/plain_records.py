"""Documents and queries of the oldest collections, NPL, LISA and TIME: records between lines of their own, and nothing is tagged."""

import itertools
import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

from irjudge.errors import FormatError, Undecided
from irjudge.formats.bytes.archives import ArchiveEntry
from irjudge.formats.bytes.utf8 import LONGEST, beginning, every_line, folded, megabytes
from irjudge.formats.forms import FirstLook
from irjudge.formats.remarks import BETWEEN_RECORDS, Oddity, Remarks
from irjudge.formats.rows.records import checked_id
from irjudge.message import Message
from irjudge.model.documents import Document, Topic

_NUMBER_LINE = re.compile(rb"[0-9]++[ \t]*+\r?\n")
_SLASH_LINE = re.compile(rb"\n[ \t]*+/[ \t]*+(?:\r?\n|$)")
_HASH_LINE = re.compile(rb"#[ \t]*+(?:\r?\n|$)")


@dataclass(frozen=True, slots=True)
class RecordMarks:
    """How records begin and end."""

    begins: re.Pattern[str]  # group 1 is the id
    ends: re.Pattern[str]  # group 1 is text that belongs to the record, or nothing
    anywhere: bool = True  # whether a beginning ends the record before it; else it is text while a record is open


NPL = RecordMarks(re.compile(r"\s*+(\d++)\s*+$"), re.compile(r"()\s*+/\s*+$"), anywhere=False)
LISA = RecordMarks(re.compile(r"Document\s++(\d++)\s*+$"), re.compile(r"()\*{8,}+\s*+$"))
LISA_QUERIES = RecordMarks(NPL.begins, re.compile(r"(.*)#\s*+$"), anywhere=False)
TIME = RecordMarks(re.compile(r"\*TEXT\s++(\d++)"), re.compile(r"()\*STOP\s*+$"))
TIME_QUERIES = RecordMarks(re.compile(r"\*FIND\s++(\d++)\s*+$"), TIME.ends)


@dataclass(slots=True)
class PlainRecord:
    """The lines of one record, and where it begins."""

    line: int
    id: str
    lines: list[str] = field(default_factory=list)
    size: int = 0


def plain_records(
    entry: ArchiveEntry, marks: RecordMarks, remarks: Remarks
) -> Iterator[PlainRecord]:
    """Yield the records of a file in its order; what stands outside of them is remarked."""
    record: PlainRecord | None = None
    for number, line in every_line(entry.stream, entry.where):
        begins = marks.begins.match(line) if marks.anywhere or not record else None
        if begins:
            if record:
                yield record
            record = PlainRecord(number, begins[1])
        elif record and (ends := marks.ends.match(line)):
            _add(record, ends[1], entry.where)
            yield record
            record = None
        elif record:
            _add(record, line, entry.where)
        elif line.strip():
            example = Message(
                "{where}, line {first}, “{beginning}”",
                where=entry.where.name,
                first=number,
                beginning=beginning(line.encode()),
            )
            remarks.add(BETWEEN_RECORDS, example)
    if record:
        yield record


def _add(record: PlainRecord, line: str, where: Path) -> None:
    record.size += len(line) + 1
    if record.size > LONGEST:
        raise FormatError(
            where,
            Message(
                "no end of the record within {megabytes}",
                key="no-end",
                megabytes=megabytes(LONGEST),
            ),
            record.line,
        )
    record.lines.append(line.rstrip())


# How each is known by its first lines, in small letters


def is_npl(look: FirstLook) -> bool:
    """Tell whether the first line is a number and a line holds nothing but a slash."""
    return bool(_NUMBER_LINE.match(look.start) and _SLASH_LINE.search(look.start))


def is_lisa(look: FirstLook) -> bool:
    """Tell whether the first line is `Document` and a number."""
    return bool(re.match(rb"document[ \t]++[0-9]++[ \t]*+\r?\n", look.start))


def is_lisa_queries(look: FirstLook) -> bool:
    """Tell whether the first line is a number, and the first record ends with `#` before any tab."""
    end = _HASH_LINE.search(look.start)
    return bool(_NUMBER_LINE.match(look.start) and end and b"\t" not in look.start[: end.start()])


def is_time(look: FirstLook) -> bool:
    """Tell whether the file begins with `*TEXT` and a number."""
    return bool(re.match(rb"\*text[ \t]++[0-9]", look.start))


def is_time_queries(look: FirstLook) -> bool:
    """Tell whether the file begins with `*FIND` and a number."""
    return bool(re.match(rb"\*find[ \t]++[0-9]", look.start))


NUMBER, PLACE = "number", "place"

GAPS = Oddity(
    "The numbers of TIME's records have gaps, and its judgments (TIME.REL) count records by their place in the whole collection of 425. "
    "{first}.",
    "The numbers of TIME's records have gaps in {count} files, and its judgments (TIME.REL) count records by their place in the whole "
    "collection of 425. {first}.",
    key="missing-records",
)


def npl_documents(entry: ArchiveEntry, remarks: Remarks) -> Iterator[Document]:
    """Yield NPL's documents: a number, lines of text, and a slash."""
    for record in plain_records(entry, NPL, remarks):
        yield Document(_id(record, entry, remarks), _text(record.lines).encode())


def lisa_documents(entry: ArchiveEntry, remarks: Remarks) -> Iterator[Document]:
    """Yield LISA's documents: the title ends with the first empty line."""
    for record in plain_records(entry, LISA, remarks):
        title = list(itertools.takewhile(str.strip, record.lines))
        yield Document(
            _id(record, entry, remarks),
            _text(record.lines[len(title) :]).encode(),
            folded(" ".join(title)),
        )


def time_documents(entry: ArchiveEntry, remarks: Remarks) -> Iterator[Document]:
    """Yield TIME's documents; their ids are their numbers, or with `--columns id=place` their places in the file, from 1."""
    called = next(iter(entry.columns.names("id", (NUMBER,))), "")
    if called not in (NUMBER, PLACE):
        choice = Message('"id={number}" or "id={place}"', number=NUMBER, place=PLACE)
        raise Undecided(
            entry.where,
            Message(
                "TIME's records have a number and a place; say with --columns {choice}",
                choice=choice,
            ),
            ("columns",),
        )
    place, first, last = 0, "", ""
    for place, record in enumerate(plain_records(entry, TIME, remarks), 1):
        number = _id(record, entry, remarks)
        first, last = first or number, number
        text = "\n".join(
            line.strip() for line in record.lines if line.strip()
        )  # every second line is empty
        yield Document(number if called == NUMBER else str(place), text.encode())
    if last.lstrip("0") != str(place):
        how = Message(
            "{place} records are here, with numbers from {first} to {last}",
            place=place,
            first=first,
            last=last,
        )
        ids = (
            Message(
                'their numbers are the ids; "id=place" with --columns takes their places',
                key="ids-are-numbers",
            )
            if called == NUMBER
            else Message(
                "their places in this file are the ids, which are those of the judgments only before the first record that is missing",
                key="ids-are-places",
            )
        )
        remarks.add(GAPS, Message("{how}; {ids}", how=how, ids=ids))


def npl_topics(entry: ArchiveEntry, remarks: Remarks) -> Iterator[Topic]:
    """Yield NPL's queries."""
    return _topics(entry, NPL, remarks)


def lisa_topics(entry: ArchiveEntry, remarks: Remarks) -> Iterator[Topic]:
    """Yield LISA's queries: a number, lines of text, and `#` at their end."""
    return _topics(entry, LISA_QUERIES, remarks)


def time_topics(entry: ArchiveEntry, remarks: Remarks) -> Iterator[Topic]:
    """Yield TIME's queries: each begins with `*FIND` and its number."""
    return _topics(entry, TIME_QUERIES, remarks)


def _topics(entry: ArchiveEntry, marks: RecordMarks, remarks: Remarks) -> Iterator[Topic]:
    for record in plain_records(entry, marks, remarks):
        yield Topic(_id(record, entry, remarks), folded(" ".join(record.lines)))


def _id(record: PlainRecord, entry: ArchiveEntry, remarks: Remarks) -> str:
    return checked_id(record.id, entry.where, record.line, remarks)


def _text(lines: list[str]) -> str:
    return "\n".join(lines).strip("\n")
