"""Documents and queries of NPL, LISA and TIME, in the plain forms these collections are kept in."""

import itertools
from collections.abc import Iterator

from irjudge.errors import Undecided
from irjudge.formats.bytes.archives import ArchiveEntry
from irjudge.formats.bytes.utf8 import folded
from irjudge.formats.collections.plain_records import LISA, LISA_QUERIES, NPL, TIME, TIME_QUERIES, PlainRecord, RecordMarks, plain_records
from irjudge.formats.remarks import Oddity, Remarks
from irjudge.formats.rows.records import checked_id
from irjudge.message import Message
from irjudge.model.document import Document
from irjudge.model.topic import Topic

NUMBER, PLACE = "number", "place"

GAPS = Oddity(
    "The numbers of TIME's records have gaps, and its judgments (TIME.REL) count records by their place in the whole collection of 425. "
    "{first}.",
    "The numbers of TIME's records have gaps in {count} files, and its judgments (TIME.REL) count records by their place in the whole "
    "collection of 425. {first}.",
)


def npl_documents(entry: ArchiveEntry, remarks: Remarks) -> Iterator[Document]:
    """Yield NPL's documents: a number, lines of text, and a slash."""
    for record in plain_records(entry, NPL, remarks):
        yield Document(_id(record, entry, remarks), _text(record.lines).encode())


def lisa_documents(entry: ArchiveEntry, remarks: Remarks) -> Iterator[Document]:
    """Yield LISA's documents: the title ends with the first empty line."""
    for record in plain_records(entry, LISA, remarks):
        title = list(itertools.takewhile(str.strip, record.lines))
        yield Document(_id(record, entry, remarks), _text(record.lines[len(title) :]).encode(), folded(" ".join(title)))


def time_documents(entry: ArchiveEntry, remarks: Remarks) -> Iterator[Document]:
    """Yield TIME's documents; their ids are their numbers, or with `--columns id=place` their places in the file, from 1."""
    called = next(iter(entry.columns.names("id", (NUMBER,))), "")
    if called not in (NUMBER, PLACE):
        choice = Message('"id={number}" or "id={place}"', number=NUMBER, place=PLACE)
        raise Undecided(
            entry.where, Message("TIME's records have a number and a place; say with --columns {choice}", choice=choice), ("columns",)
        )
    place, first, last = 0, "", ""
    for place, record in enumerate(plain_records(entry, TIME, remarks), 1):
        number = _id(record, entry, remarks)
        first, last = first or number, number
        text = "\n".join(line.strip() for line in record.lines if line.strip())  # every second line is empty
        yield Document(number if called == NUMBER else str(place), text.encode())
    if last.lstrip("0") != str(place):
        how = Message("{place} records are here, with numbers from {first} to {last}", place=place, first=first, last=last)
        ids = (
            Message('their numbers are the ids; "id=place" with --columns takes their places')
            if called == NUMBER
            else Message(
                "their places in this file are the ids, which are those of the judgments only before the first record that is missing"
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
