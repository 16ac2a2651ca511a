"""Queries with the passages retrieved for them, in JSON or in lines as MS MARCO has them: topics, documents and a ranking at once."""

import math
import re
from collections.abc import Iterator, Mapping
from dataclasses import replace

from irjudge.errors import FormatError
from irjudge.formats.bytes.archives import ArchiveEntry
from irjudge.formats.bytes.utf8 import folded
from irjudge.formats.collections.document_records import TEXTS, TITLES, document_of
from irjudge.formats.forms import FirstLook
from irjudge.formats.remarks import Remarks
from irjudge.formats.rows.records import (
    Names,
    Record,
    checked_id,
    json_lines,
    json_list,
    json_objects,
    tab_separated,
)
from irjudge.message import Message
from irjudge.model.documents import Document, Topic
from irjudge.model.ranking import RetrievedDocument

QUERY, CANDIDATES, PASSAGE, SCORE = "query", "candidates", "doc", "score"
QUERY_IDS: Names = ("qid", "id", "query_id")
QUERY_TEXTS: Names = ("text", "query", "title")
IDS: Names = ("docid", "id", "doc_id", "_id")

_MARKS = re.compile(rb'[\[{]\s*+(?:\{\s*+)?"(?:query|candidates)"\s*+:\s*+[\[{]')


def is_candidates(look: FirstLook) -> bool:
    """Tell whether it is JSON whose first object has a query with an id of its own, or candidates."""
    return bool(_MARKS.match(look.start)) and b'"candidates"' in look.start


def candidate_topics(entry: ArchiveEntry, remarks: Remarks) -> Iterator[Topic]:
    """Yield the queries."""
    for record in _records(entry):
        query = _inside(record, QUERY)
        yield Topic(query.id(QUERY_IDS, remarks), folded(query.text(QUERY_TEXTS, remarks) or ""))


def candidate_documents(entry: ArchiveEntry, remarks: Remarks) -> Iterator[Document]:
    """Yield each passage once, where it first stands."""
    seen: set[str] = set()
    for record in _records(entry):
        for candidate in _candidates(record):
            identifier = candidate.id(IDS, remarks)
            if identifier in seen:
                continue
            seen.add(identifier)
            passage = _inside(candidate, PASSAGE)
            if passage.name(TEXTS) is None:
                problem = Message(
                    "the passage {id} has no text, expected one of {names}",
                    key="no-text",
                    id=identifier,
                    names=", ".join(TEXTS),
                )
                raise FormatError(record.where, problem, record.line)
            yield Document(
                identifier,
                (passage.text(TEXTS, remarks) or "").encode(),
                folded(passage.text(TITLES, remarks) or ""),
            )


def candidate_ranking(entry: ArchiveEntry, remarks: Remarks) -> Iterator[RetrievedDocument]:
    """Yield each candidate with its score."""
    for record in _records(entry):
        topic = _inside(record, QUERY).id(QUERY_IDS, remarks)
        candidates = list(_candidates(record))
        if not candidates:
            yield RetrievedDocument(topic, "")
        for candidate in candidates:
            yield RetrievedDocument(topic, candidate.id(IDS, remarks), _score(candidate))


def _records(entry: ArchiveEntry) -> Iterator[Record]:
    head = entry.head.lstrip(b"\xef\xbb\xbf \t\r\n")
    if head.startswith(b"["):
        return json_list(entry)
    return (
        json_lines(entry)
        if head.partition(b"\n")[0].rstrip().endswith(b"}") or b"\n" not in head
        else json_objects(entry)
    )


def _candidates(record: Record) -> Iterator[Record]:
    found = record.fields.get(CANDIDATES)
    if not isinstance(found, list) or not all(isinstance(each, Mapping) for each in found):
        raise FormatError(
            record.where,
            Message(
                'the field "{name}" is missing or no list of objects',
                key="no-list",
                name=CANDIDATES,
            ),
            record.line,
        )
    for each in found:
        yield Record(record.where, record.line, each)


def _inside(record: Record, name: str) -> Record:
    """Return an object inside another; where a text stands in its place, that text."""
    found = record.fields.get(name)
    if isinstance(found, Mapping):
        fields: Mapping[str, object] = found
    elif isinstance(found, str):
        fields = {"text": found}
    else:
        fields = {}
    return Record(record.where, record.line, fields)


def _score(record: Record) -> float | None:
    """Return the score, which JSON's reader has left as it is written; None where it has none."""
    found = record.fields.get(SCORE)
    if found is None:
        return None
    try:
        score = float(found) if isinstance(found, str) else math.nan
    except ValueError:
        score = math.nan
    if math.isnan(score):
        raise FormatError(
            record.where,
            Message("the score of a candidate is not a number", key="not-a-score"),
            record.line,
        )
    return score


QUOTED_COLUMNS = ("id", "text", "title")
_QUOTED = re.compile(r'"((?:[^"]|"")*+)"')


def is_quoted_passages(look: FirstLook) -> bool:
    """Tell whether the header is DPR's, and of the texts below it each is quoted or has no quote at all."""
    header, *rows = [tuple(line.split("\t")) for line in look.lines] or [()]
    cells = [row[1] for row in rows if len(row) == len(QUOTED_COLUMNS)]
    return (
        header == QUOTED_COLUMNS
        and any(map(_QUOTED.fullmatch, cells))
        and all(_QUOTED.fullmatch(cell) or '"' not in cell for cell in cells)
    )


def quoted_passages(entry: ArchiveEntry, remarks: Remarks) -> Iterator[Document]:
    """Yield the passages without the quotes around their texts and titles."""
    for record in tab_separated(entry, QUOTED_COLUMNS, header=True):
        fields = {name: _unquoted(str(text)) for name, text in record.fields.items()}
        yield document_of(replace(record, fields=fields), entry.columns, remarks)


def _unquoted(cell: str) -> str:
    quoted = _QUOTED.fullmatch(cell)
    return quoted[1].replace('""', '"') if quoted else cell


COLUMNS = ("qid", "pid", "query", "passage")


def is_top_passages(look: FirstLook) -> bool:
    """Tell whether each of the first lines has four columns between tabs, of which the first two are numbers and no URL follows."""
    rows = [line.split("\t") for line in look.lines]
    return bool(rows) and all(
        len(row) == len(COLUMNS)
        and row[0].isdecimal()
        and row[1].isdecimal()
        and " " in row[3].strip()
        for row in rows
    )


def top_passages_documents(entry: ArchiveEntry, remarks: Remarks) -> Iterator[Document]:
    """Yield each passage once, where it first stands."""
    seen: set[str] = set()
    for record, _, pid in _rows(entry, remarks):
        if pid not in seen:
            seen.add(pid)
            yield Document(pid, str(record.fields["passage"]).encode())


def top_passages_topics(entry: ArchiveEntry, remarks: Remarks) -> Iterator[Topic]:
    """Yield each query once."""
    seen: set[str] = set()
    for record, qid, _ in _rows(entry, remarks):
        if qid not in seen:
            seen.add(qid)
            yield Topic(qid, folded(str(record.fields["query"])))


def top_passages_ranking(entry: ArchiveEntry, remarks: Remarks) -> Iterator[RetrievedDocument]:
    """Yield each pair; the order of the file is the ranking."""
    for _, qid, pid in _rows(entry, remarks):
        yield RetrievedDocument(qid, pid)


def _rows(entry: ArchiveEntry, remarks: Remarks) -> Iterator[tuple[Record, str, str]]:
    for record in tab_separated(entry, COLUMNS, header=False):
        qid, pid = (
            checked_id(str(record.fields[name]), entry.where, record.line, remarks)
            for name in COLUMNS[:2]
        )
        yield record, qid, pid
