"""Queries with the passages retrieved for them, as JSON, as rerankers and TREC RAG take them: topics, documents and a ranking."""

import math
import re
from collections.abc import Iterator, Mapping

from irjudge.errors import FormatError
from irjudge.formats.bytes.archives import ArchiveEntry
from irjudge.formats.bytes.utf8 import folded
from irjudge.formats.collections.document_records import TEXTS, TITLES
from irjudge.formats.forms import FirstLook
from irjudge.formats.remarks import Remarks
from irjudge.formats.rows.records import Names, Record, json_lines, json_list, json_objects
from irjudge.message import Message
from irjudge.model.document import Document
from irjudge.model.retrieved import RetrievedDocument
from irjudge.model.topic import Topic

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
                problem = Message("the passage {id} has no text, expected one of {names}", id=identifier, names=", ".join(TEXTS))
                raise FormatError(record.where, problem, record.line)
            yield Document(identifier, (passage.text(TEXTS, remarks) or "").encode(), folded(passage.text(TITLES, remarks) or ""))


def candidate_ranking(entry: ArchiveEntry, remarks: Remarks) -> Iterator[RetrievedDocument]:
    """Yield each candidate with its score."""
    for record in _records(entry):
        topic = _inside(record, QUERY).id(QUERY_IDS, remarks)
        for candidate in _candidates(record):
            yield RetrievedDocument(topic, candidate.id(IDS, remarks), _score(candidate))


def _records(entry: ArchiveEntry) -> Iterator[Record]:
    head = entry.head.lstrip(b"\xef\xbb\xbf \t\r\n")
    if head.startswith(b"["):
        return json_list(entry)
    return json_lines(entry) if head.partition(b"\n")[0].rstrip().endswith(b"}") or b"\n" not in head else json_objects(entry)


def _candidates(record: Record) -> Iterator[Record]:
    found = record.fields.get(CANDIDATES)
    if not isinstance(found, list) or not all(isinstance(each, Mapping) for each in found):
        raise FormatError(record.where, Message('the field "{name}" is missing or no list of objects', name=CANDIDATES), record.line)
    for each in found:
        yield Record(record.where, record.line, each)


def _inside(record: Record, name: str) -> Record:
    """Return an object inside another; where a text stands in its place, that text."""
    found = record.fields.get(name)
    fields: Mapping[str, object] = found if isinstance(found, Mapping) else {"text": found} if isinstance(found, str) else {}
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
        raise FormatError(record.where, Message("the score of a candidate is not a number"), record.line)
    return score
