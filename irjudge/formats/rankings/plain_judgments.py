"""Judgments of NPL, LISA and TIME, which list the relevant documents of each query, and NTCIR's, whose grades are L0, L1, L2 …"""

import re
from collections.abc import Iterator
from typing import NamedTuple

from irjudge.errors import FormatError
from irjudge.formats.bytes.archives import ArchiveEntry
from irjudge.formats.bytes.utf8 import numbered_lines
from irjudge.formats.collections.plain_records import NPL, is_npl, plain_records
from irjudge.formats.forms import FirstLook
from irjudge.formats.remarks import Oddity, Remarks
from irjudge.formats.rows.columns import LONGEST_SHOWN
from irjudge.message import Message

RELEVANT = 1
MOST_DIGITS = 9
LEVEL = re.compile(r"L(\d{1,3})", re.ASCII)
_NUMBERS = re.compile(r"\s*+\d++(?:\s++\d++)*+\s*+", re.ASCII)
_QUERY = re.compile(r"Query\s++(\d++)\s*+", re.IGNORECASE | re.ASCII)
_COUNT = re.compile(r"(\d{1,9})\s++Relevant\s++Refs?:?\s*+", re.IGNORECASE | re.ASCII)

WRONG_COUNT = Oddity(
    "1 query says another number of relevant documents than it lists, and keeps those that are listed: {first}.",
    "{count} queries say another number of relevant documents than they list, and keep those that are listed, beginning with {first}.",
    key="wrong-count",
)
NO_QUERY = Oddity(
    "1 document stands below a count without a query, and was left out: {first}.",
    "{count} documents stand below a count without a query, and were left out, beginning with {first}.",
    key="no-query",
)
PLACES = Oddity(
    "The documents are their places in the collection (1, 2, 3 …), not the numbers that stand in its records.",
    "The documents are their places in the collection (1, 2, 3 …), not the numbers that stand in its records.",
    key="ids-by-position",
)


class PlainJudgment(NamedTuple):
    """One judgment; where a form only lists documents, they are relevant."""

    topic: str
    document: str
    grade: int = RELEVANT


def is_npl_judgments(look: FirstLook) -> bool:
    """Tell whether it is NPL's form, and all lines hold numbers."""
    return is_npl(look) and all(
        _NUMBERS.fullmatch(line) or line.strip() == "/" for line in look.lines
    )


def npl_judgments(entry: ArchiveEntry, remarks: Remarks) -> Iterator[PlainJudgment]:
    """Yield the documents below each query's number, up to its slash."""
    for record in plain_records(entry, NPL, remarks):
        for line, text in enumerate(record.lines, record.line + 1):
            yield from (
                PlainJudgment(record.id, document) for document in _numbers(text, entry, line)
            )


def is_lisa_judgments(look: FirstLook) -> bool:
    """Tell whether the first line is `Query` and a number."""
    return bool(re.match(rb"query[ \t]++[0-9]++[ \t]*+\r?\n", look.start))


def lisa_judgments(entry: ArchiveEntry, remarks: Remarks) -> Iterator[PlainJudgment]:
    """Yield the documents of each `Query n`, which end with -1; the count before them is checked."""
    topic, expected, found = "", 0, 0
    for line, text in numbered_lines(entry.stream, entry.where):
        query, count = _QUERY.fullmatch(text), _COUNT.fullmatch(text)
        if query or (count and expected):
            _check_count(topic, expected, found, remarks)
            topic, expected, found = query[1] if query else "", 0, 0
        if count:
            expected = int(count[1])
        elif not query:
            documents = _numbers(text.rstrip().removesuffix("-1"), entry, line)
            found += len(documents)
            if not topic:
                remarks.add(NO_QUERY, Message("line {line}", line=line), len(documents))
                continue
            yield from (PlainJudgment(topic, document) for document in documents)
    _check_count(topic, expected, found, remarks)


def is_counted_list(look: FirstLook) -> bool:
    """Tell whether the file is numbers alone: a query, how many documents it has, these documents, the next query."""
    lines = look.lines
    if not all(map(_NUMBERS.fullmatch, lines)):
        return False
    numbers = [int(number[-MOST_DIGITS:]) for line in lines for number in line.split()]
    at, queries = 0, 0
    while at + 1 < len(numbers) and numbers[at] == queries + 1:
        at, queries = at + 2 + numbers[at + 1], queries + 1
    return queries > 1 and at + 1 >= len(numbers)


def counted_list(entry: ArchiveEntry, _remarks: Remarks) -> Iterator[PlainJudgment]:
    """Yield the documents of a list of numbers, in which each query says how many it has."""
    topic, left = "", 0
    for line, text in numbered_lines(entry.stream, entry.where):
        for number in _numbers(text, entry, line):
            if left < 0:
                left = int(number[:MOST_DIGITS])
            elif left:
                left -= 1
                yield PlainJudgment(topic, number)
            else:
                topic, left = number, -1
    if left:
        raise FormatError(
            entry.where,
            Message(
                "query {topic} lists fewer documents than it says; the end is missing",
                key="missing-end",
                topic=topic,
            ),
            line,
        )


def is_document_list(look: FirstLook) -> bool:
    """Tell whether lines hold a query and its documents, all of them numbers, and some have more of them than others.

    Each query has one line: where one comes again it is a topic, and a line that is too long is a wrong one. So it is where a document
    comes again, or is 0, which is no place in a collection but the second column of qrels.
    """
    lines = look.lines
    rows = [line.split() for line in lines]
    widths, queries = {len(row) for row in rows}, {row[0] for row in rows if row}
    if (
        len(widths) < 2
        or max(widths) <= 4
        or len(queries) < len(rows)
        or not all(map(_NUMBERS.fullmatch, lines))
    ):
        return False
    return all(
        len({*documents}) == len(documents) and not any(each[0] == "0" for each in documents)
        for _, *documents in rows
    )


def document_list(entry: ArchiveEntry, remarks: Remarks) -> Iterator[PlainJudgment]:
    """Yield the documents behind the query on each line, as TIME lists them by their places in the collection."""
    for line, text in numbered_lines(entry.stream, entry.where):
        topic, *documents = _numbers(text, entry, line)
        yield from (PlainJudgment(topic, document) for document in documents)
    remarks.add(PLACES, "")


def is_ntcir(look: FirstLook) -> bool:
    """Tell whether each of the first lines has a grade like L2 in the same column, one of two to four."""
    rows = [line.split() for line in look.lines]
    width = len(rows[0]) if rows else 0
    return 2 <= width <= 4 and any(
        all(len(row) == width and LEVEL.fullmatch(row[at].upper()) for row in rows)
        for at in range(1, width)
    )


def ntcir_judgments(entry: ArchiveEntry, _remarks: Remarks) -> Iterator[PlainJudgment]:
    """Yield NTCIR's judgments: topic, document and L0, L1, L2 … in either order, or with an iteration in the second of four columns."""
    width, at = 0, 0
    for line, text in numbered_lines(entry.stream, entry.where):
        cells = text.split()
        if not width:
            width, at = (
                len(cells),
                max(place for place, cell in enumerate(cells) if LEVEL.fullmatch(cell)),
            )
        if width == 2:
            raise FormatError(
                entry.where,
                Message(
                    "2 columns, a document and its grade; expected the topic in front of each line",
                    key="column-count",
                ),
                line,
            )
        level = LEVEL.fullmatch(cells[at]) if len(cells) == width else None
        if not level:
            problem = Message(
                "found “{text}”, expected {width} columns with a grade such as L2",
                key="column-count",
                text=text[:LONGEST_SHOWN],
                width=width,
            )
            raise FormatError(entry.where, problem, line)
        others = [cell for place, cell in enumerate(cells) if place != at]
        yield PlainJudgment(others[0], others[-1], int(level[1]))


def _numbers(text: str, entry: ArchiveEntry, line: int) -> list[str]:
    if text.strip() and not _NUMBERS.fullmatch(text):
        problem = Message(
            "found “{text}”, expected the numbers of documents",
            key="not-numbers",
            text=text.strip()[:LONGEST_SHOWN],
        )
        raise FormatError(entry.where, problem, line)
    return text.split()


def _check_count(topic: str, expected: int, found: int, remarks: Remarks) -> None:
    if topic and expected != found:
        remarks.add(
            WRONG_COUNT,
            Message(
                "query {topic} says {expected} and lists {found}",
                topic=topic,
                expected=expected,
                found=found,
            ),
        )
