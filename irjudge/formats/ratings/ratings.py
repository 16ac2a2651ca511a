"""Ratings of search teams' tools, whichever form they have; here those in lines: Quepid's CSV, and what learning to rank is taught with."""

import csv
import re
from collections.abc import Iterator

from irjudge.errors import FormatError
from irjudge.formats.bytes.archives import ArchiveEntry
from irjudge.formats.bytes.one_file import Given, OneFile, one_file
from irjudge.formats.bytes.utf8 import every_line, numbered_lines
from irjudge.formats.ratings.json_forms import json_ratings
from irjudge.formats.ratings.rows import NOBODY, Place, Rating, RatingsFile
from irjudge.formats.remarks import Remarks
from irjudge.formats.rows.columns import LONGEST_SHOWN
from irjudge.formats.rows.records import checked_id, json_lines
from irjudge.formats.rows.tables import ASSESSOR, DOCUMENT, GRADE, TOPIC
from irjudge.message import Message

OTHERS = {
    *TOPIC.known,
    *DOCUMENT.known,
    *GRADE.known,
    *ASSESSOR.known,
    "rank",
    "position",
    "sim",
    "similarity",
    "iteration",
    "subtopic",
}
IDS = frozenset({*TOPIC.known, *DOCUMENT.known})
CASE, BOOK, NEEDS = ("query", "docid", "rating"), ("query", "docid"), ("query", "information_need")
UNNAMED = "Unknown"  # what Quepid calls an assessor without a name
SEVERAL = "|"  # between ratings that one person gave of one pair
_RATED = re.compile(r"\s*+(-?\d++(\.\d++)?)?\s*+", re.ASCII)
_LEARNING = re.compile(
    r"\s*(?P<rating>-?\d+(\.\d+)?)\s+qid:\s*(?P<query>\S+)(?P<features>(\s+\d+:\S+)*)\s*(#(?P<comment>.*))?",
    re.ASCII,
)
_QUERY_LINE = re.compile(r"#\s*qid:\s*(?P<query>[^\s:]+)\s*:\s*(?P<text>.*\S)\s*")
_QUERY_SET = re.compile(rb'[^\n]*"queryText"\s*:')
_DOCID = re.compile(r"\s*docid\s*=\s*(?P<document>\S+)", re.IGNORECASE)


def read_ratings(given: Given) -> RatingsFile | None:
    """Read ratings in a form of search teams' tools; None where the file has none of them."""
    with one_file(given) as file:
        if not file.path.is_file() or file.is_zip():
            return None
        return json_ratings(file) or text_ratings(file)


def read_book(given: Given) -> RatingsFile | None:
    """Read ratings that say of each whose it is, as Quepid's books do; None where the file has none."""
    with one_file(given) as file:
        if not file.path.is_file() or file.is_zip():
            return None
        book = json_ratings(file) or book_table(file)
        return book if book and book.is_signed else None


def read_answer(given: Given) -> RatingsFile | None:
    """Read what an engine ranked and how it was rated, as rank_eval answers; None where the file is no such answer."""
    with one_file(given) as file:
        if not file.path.is_file() or file.is_zip():
            return None
        answer = json_ratings(file)
        return answer if answer and answer.ranking else None


# Ratings in lines


def text_ratings(file: OneFile) -> RatingsFile | None:
    """Read ratings in lines of one of these forms; None where they have none."""
    remarks = Remarks()
    entry = file.text(remarks)
    header = _header(entry)
    if header == CASE:
        return _case(entry, remarks)
    if _is_book(header):
        return _book(entry, remarks)
    if header == NEEDS:
        return _needs(entry)
    if _learns(entry.head):
        return _learning(entry, remarks)
    if entry.head.lstrip(b"\xef\xbb\xbf").startswith(b"{"):
        return _query_lines(entry) if _QUERY_SET.match(entry.head) else _pair_lines(entry)
    return None


def book_table(file: OneFile) -> RatingsFile | None:
    """Read a table with a column for each assessor; None where the file is none."""
    remarks = Remarks()
    entry = file.text(remarks)
    return _book(entry, remarks) if _is_book(_header(entry)) else None


def _header(entry: ArchiveEntry) -> tuple[str, ...]:
    first = (
        entry.head.removeprefix(b"\xef\xbb\xbf").lstrip().split(b"\n")[0].decode("utf-8", "replace")
    )
    return tuple(cell.strip(' \t\r"').lower() for cell in first.split(","))


def _is_book(header: tuple[str, ...]) -> bool:
    """Return whether a column for each assessor follows query and document.

    A single column must not have the name of another part, and none the name of an id.
    """
    judges = header[2:]
    return (
        header[:2] == BOOK
        and len(judges) > 0
        and (len(judges) > 1 or judges[0] not in OTHERS)
        and IDS.isdisjoint(judges)
    )


def _case(entry: ArchiveEntry, remarks: Remarks) -> RatingsFile:
    """Read a case: a rating may be empty, and so may the document of a query that has none."""
    file = RatingsFile(Message("Quepid ratings"))
    rows = _cells(entry)
    next(rows)
    for line, cells in rows:
        query, document, rating = _fitting(entry, line, cells, 3)
        topic = file.query(_query(entry, line, query))
        if document:
            value = _rating(entry, line, rating)
            file.ratings.append(
                Rating(topic, checked_id(document, entry.where, line, remarks), value)
            )
    return file


def _needs(entry: ArchiveEntry) -> RatingsFile:
    """Read what whoever asks a query wants to know."""
    file = RatingsFile(Message("Quepid information needs"))
    rows = _cells(entry)
    next(rows)
    for line, cells in rows:
        query, need = _fitting(entry, line, cells, 2)
        file.query(_query(entry, line, query), need=need)
    return file


def _query_lines(entry: ArchiveEntry) -> RatingsFile:
    """Read an OpenSearch query set of lines, each an object with `queryText`; what stands beside it is its need."""
    file = RatingsFile(Message("an OpenSearch query set"))
    for record in json_lines(entry):
        place = Place(entry.where, dict(record.fields), Message("line {line}", line=record.line))
        answer = place.get("referenceAnswer")
        file.query(place["queryText"].query_text(), need=answer.text() if answer else "")
    return file


def _pair_lines(entry: ArchiveEntry) -> RatingsFile | None:
    """Read lines that are objects with a query, a document and a rating; None where the first line is not one."""
    file, first = RatingsFile(Message("JSON lines of pairs")), True
    try:
        for record in json_lines(entry):
            place = Place(
                entry.where, dict(record.fields), Message("line {line}", line=record.line)
            )
            names = [
                next((name for name in part.known if name in place), "")
                for part in (TOPIC, DOCUMENT, GRADE)
            ]
            if not all(names) and first:
                return None
            id, document, value = (
                place[name or part.name]
                for name, part in zip(names, (TOPIC, DOCUMENT, GRADE), strict=True)
            )
            text = place.get("query") or place.get("query_text") or id
            topic = file.query(text.query_text(), id="" if names[0] == "query" else id.query_text())
            file.ratings.append(Rating(topic, document.name(), value.rating()))
            first = False
    except FormatError:
        if first:
            return None
        raise
    return file


def _book(entry: ArchiveEntry, remarks: Remarks) -> RatingsFile | None:
    """Read a book: a column for each assessor; None where a column holds anything but ratings, so that nobody knows what it is."""
    file = RatingsFile(Message("a Quepid book as a table"), by_judge=True)
    rows = _cells(entry)
    _, header = next(rows)
    judges = [name or UNNAMED for name in header[2:]]
    for line, cells in rows:
        query, document, *rated = _fitting(entry, line, cells, len(header))
        if not all(_RATED.fullmatch(part) for cell in rated for part in cell.split(SEVERAL)):
            return None
        topic = file.query(_query(entry, line, query))
        if not document:
            continue
        name = checked_id(document, entry.where, line, remarks)
        for judge, cell in zip(judges, rated, strict=True):
            file.ratings += [
                Rating(topic, name, _rating(entry, line, part), judge)
                for part in cell.split(SEVERAL)
                if part
            ]
    return file


def _cells(entry: ArchiveEntry) -> Iterator[tuple[int, list[str]]]:
    """Yield the line and the cells of each row that is not blank, without the blanks that keep a spreadsheet from reckoning."""
    reader = csv.reader(line + "\n" for _, line in every_line(entry.stream, entry.where))
    try:
        for cells in reader:
            if any(cell.strip() for cell in cells):
                yield reader.line_num, [cell.removeprefix("\ufeff").strip() for cell in cells]
    except csv.Error as fault:
        raise FormatError(
            entry.where, Message("not CSV ({fault})", fault=fault), reader.line_num
        ) from None


def _fitting(entry: ArchiveEntry, line: int, cells: list[str], width: int) -> list[str]:
    if len(cells) != width:
        raise FormatError(
            entry.where,
            Message(
                "{found} columns, expected {width} as in the header", found=len(cells), width=width
            ),
            line,
        )
    return cells


def _query(entry: ArchiveEntry, line: int, text: str) -> str:
    if not text:
        raise FormatError(entry.where, "the query is empty, expected its text", line)
    return text


def _rating(entry: ArchiveEntry, line: int, text: str) -> float | None:
    if not text:
        return None
    if not _RATED.fullmatch(text):
        raise FormatError(
            entry.where,
            Message(
                "the rating is “{text}”, expected a number",
                key="not-a-rating",
                text=text[:LONGEST_SHOWN],
            ),
            line,
        )
    return Place(entry.where, text).rating()


def _learns(head: bytes) -> bool:
    """Tell whether the first lines that are no comment are a rating and `qid:`."""
    lines = [
        line
        for line in head.decode("utf-8", "replace").split("\n")[:-1]
        or [head.decode("utf-8", "replace")]
        if line.strip()
    ]
    rated = [line for line in lines if not line.lstrip().startswith("#")]
    return bool(rated) and all(map(_LEARNING.fullmatch, (line.rstrip("\r") for line in rated[:20])))


def _learning(entry: ArchiveEntry, remarks: Remarks) -> RatingsFile:
    """Read `3 qid:1 # DOC query` with or without features, and LETOR's `#docid = DOC …`; `# qid:1: text` says what a query is."""
    file, texts = RatingsFile(Message("ratings for learning to rank")), dict[str, str]()
    for line, text in numbered_lines(entry.stream, entry.where):
        if named := _QUERY_LINE.fullmatch(text.strip()):
            texts[named["query"]] = named["text"]
        if text.lstrip().startswith("#"):
            continue
        found = _LEARNING.fullmatch(text)
        if found is None:
            problem = Message(
                "found “{text}”, expected a rating, qid:QUERY, and # with the document",
                key="not-a-rating",
                text=text[:LONGEST_SHOWN],
            )
            raise FormatError(entry.where, problem, line)
        document, said = _commented(found["comment"] or "")
        if not document:
            raise FormatError(
                entry.where,
                Message(
                    "no document stands behind #, and features alone do not say which it is",
                    key="no-document",
                ),
                line,
            )
        words = texts.get(found["query"]) or said
        known = file.queries.get(found["query"])
        topic = (
            known.id
            if known and (not words or known.text)
            else file.query(words or found["query"], id=found["query"])
        )
        name = checked_id(document, entry.where, line, remarks)
        file.ratings.append(
            Rating(topic, name, Place(entry.where, found["rating"]).rating(), NOBODY)
        )
    return file


def _commented(comment: str) -> tuple[str, str]:
    """Return the document that a comment names, and the query behind it, if any."""
    if letor := _DOCID.match(comment):
        return letor["document"], ""
    document, _, rest = (
        comment.strip().partition("\t")
        if "\t" in comment.strip()
        else comment.strip().partition(" ")
    )
    return document.strip(), rest.strip()
