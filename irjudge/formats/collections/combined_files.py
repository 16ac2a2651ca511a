"""Files that contain topics, documents and a ranking: cited answers and candidate passages."""

import html
import json
import math
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path

from irjudge.errors import FormatError
from irjudge.formats.bytes import ArchiveEntry, collapse_whitespace, open_single_text
from irjudge.formats.collections.document_records import (
    TEXT_FIELDS,
    TITLE_FIELDS,
    document_from_record,
)
from irjudge.formats.file_formats import FileHead, read_file_head
from irjudge.formats.reader_warnings import ReaderWarnings, WarningKind
from irjudge.formats.rows import (
    Names,
    Record,
    iter_json_objects,
    iter_json_records,
    iter_tsv_rows,
    parse_id,
    to_storable,
)
from irjudge.message import Message
from irjudge.model import CitedAnswer, Document, RetrievedDocument, Sentence, Topic

# Answers of TREC RAG and similar tracks: JSON lines with a list of references, and sentences that
# cite a reference by its index or id

EXPECTED = Message(
    "expected JSON lines of answers, each with a topic, references, and sentences that have a text and citations"
)
TOPIC_ID_FIELDS: Names = ("topic_id", "narrative_id", "qid", "query_id", "question_id", "id")
RUN_NAME_FIELDS: Names = ("run_id", "run_name", "run", "tag")
QUESTION_FIELDS: Names = ("topic", "narrative", "question", "query", "title", "problem_statement")
SENTENCES_FIELDS: Names = ("answer", "responses", "response", "sentences")
TEXT_FIELD, CITATIONS_FIELD, REFERENCES_FIELD = "text", "citations", "references"
DEFAULT_RUN_NAME = "run"

UNLISTED_CITATION = WarningKind(
    "Skipped 1 citation that names no reference: {first}.",
    "Skipped {count} citations that name no reference. First: {first}.",
    key="unknown-reference",
)

_ANSWER_RECORD = re.compile(
    rb'"(?:answer|responses?|sentences)"\s*+:\s*+\[\s*+\{\s*+"(?:text|citations)"\s*+:'
)


# a field of answers that documents with a list of sentences do not have
_ANSWER_FIELD = re.compile(
    rb'"(?:citations|references|run_id|run_name|run|tag|topic_id|narrative_id|qid|query_id|question_id)"\s*+:'
)
_DECODER = json.JSONDecoder()


def is_answers(file_head: FileHead) -> bool:
    """Return whether a file is JSON whose answers are lists of sentences with text or citations.

    The first answer has citations, references, the id of a topic or the name of a run.
    """
    start = file_head.start
    if not start.startswith((b"{", b"[")) or not _ANSWER_RECORD.search(start):
        return False
    text = start[start.find(b"{") :].decode("utf-8", "replace")
    try:
        first_record = text[: _DECODER.raw_decode(text)[1]].encode()
    except (ValueError, RecursionError):
        first_record = start  # the beginning of a long record
    return bool(_ANSWER_RECORD.search(first_record) and _ANSWER_FIELD.search(first_record))


def read_answers(path: Path, warnings: ReaderWarnings) -> list[CitedAnswer]:
    """Read a file of answers with citations, such as a run of TREC RAG."""
    for entry in open_single_text(path, warnings):
        if is_answers(read_file_head(entry)):
            return list(iter_answers(entry, warnings))
    raise FormatError(
        path, Message("no answer found; {expected}", key="no-answer", expected=EXPECTED)
    )


def iter_answers(entry: ArchiveEntry, warnings: ReaderWarnings) -> Iterator[CitedAnswer]:
    """Yield the answers of an open file."""
    for record in iter_json_records(entry):
        metadata = record.fields.get("metadata")
        fields = {**metadata, **record.fields} if isinstance(metadata, Mapping) else record.fields
        whole_record = replace(record, fields=fields)
        content = next(
            (value for name in SENTENCES_FIELDS if isinstance(value := fields.get(name), list)),
            None,
        )
        if content is None:
            raise FormatError(
                record.where,
                Message(
                    "the answer has no list of sentences; {expected}",
                    key="no-sentences",
                    expected=EXPECTED,
                ),
                record.line,
            )
        topic = whole_record.id(TOPIC_ID_FIELDS, warnings)
        run = (
            collapse_whitespace(_read_text(whole_record, RUN_NAME_FIELDS, warnings))
            or DEFAULT_RUN_NAME
        )
        references = _read_references(whole_record, content, warnings)
        listed_references = frozenset(references)
        sentences = tuple(
            _read_sentence(whole_record, sentence, references, listed_references, warnings)
            for sentence in content
        )
        yield CitedAnswer(
            topic,
            run,
            tuple(sentence for sentence in sentences if sentence.text),
            references,
            collapse_whitespace(_read_text(whole_record, QUESTION_FIELDS, warnings)),
        )


def iter_answer_documents(entry: ArchiveEntry, warnings: ReaderWarnings) -> Iterator[Document]:
    """Yield each answer as an HTML document, which contains its sentences and references."""
    for answer in iter_answers(entry, warnings):
        yield Document(
            f"{answer.topic}:{answer.run}",
            render_answer(answer).encode(),
            answer.question[:200],
            "html",
        )


def iter_answer_topics(entry: ArchiveEntry, warnings: ReaderWarnings) -> Iterator[Topic]:
    """Yield the question of each answer as a topic; a topic with several answers is repeated."""
    for answer in iter_answers(entry, warnings):
        yield Topic(answer.topic, answer.question)


def iter_answer_references(
    entry: ArchiveEntry, warnings: ReaderWarnings
) -> Iterator[RetrievedDocument]:
    """Yield the references of each answer as a ranking, in the order of the list.

    For an answer without references, a row with an empty document id is yielded. Raises FormatError
    for answers of several runs, since their references are different rankings.
    """
    run = None
    for answer in iter_answers(entry, warnings):
        run = answer.run if run is None else run
        if answer.run != run:
            raise FormatError(
                entry.where,
                Message(
                    "contains answers of several runs ({first}, {second}); expected one run per "
                    "file",
                    key="several-runs",
                    first=run,
                    second=answer.run,
                ),
            )
        yield from (
            RetrievedDocument(answer.topic, reference) for reference in (answer.references or ("",))
        )


def render_answer(answer: CitedAnswer) -> str:
    """Return an answer as HTML: a paragraph per sentence, and a numbered list of references."""
    number_by_reference = {
        reference: number for number, reference in enumerate(answer.references, 1)
    }
    sentences = "\n".join(
        f"<p>{html.escape(sentence.text, quote=False)}{_format_citation_marks(sentence.citations, number_by_reference)}</p>"
        for sentence in answer.sentences
    )
    cited_paragraphs = "\n".join(
        f"<li>{html.escape(reference, quote=False)}</li>" for reference in answer.references
    )
    return f"{sentences}\n<ol>\n{cited_paragraphs}\n</ol>" if cited_paragraphs else sentences


def _format_citation_marks(citations: Sequence[str], number_by_reference: Mapping[str, int]) -> str:
    return "".join(
        f" [{number_by_reference[citation]}]"
        for citation in citations
        if citation in number_by_reference
    )


def _read_references(
    record: Record, sentences: Sequence[object], warnings: ReaderWarnings
) -> tuple[str, ...]:
    """Return the references that an answer lists or, if it lists none, those that it cites."""
    reference_ids = _read_ids(record, record.fields.get(REFERENCES_FIELD), warnings) or [
        cited_id
        for part in sentences
        if isinstance(part, Mapping)
        for cited_id in _read_ids(record, part.get(CITATIONS_FIELD), warnings)
    ]
    return tuple(dict.fromkeys(reference_ids))


def _read_sentence(
    record: Record,
    content: object,
    references: tuple[str, ...],
    listed_references: frozenset[str],
    warnings: ReaderWarnings,
) -> Sentence:
    sentence_record = replace(record, fields=content if isinstance(content, Mapping) else {})
    text = sentence_record.text((TEXT_FIELD,), warnings)
    if text is None:
        raise FormatError(
            record.where,
            Message("a sentence has no text; {expected}", key="no-text", expected=EXPECTED),
            record.line,
        )
    cited_references: dict[str, None] = {}
    for citation in _read_ids(record, sentence_record.fields.get(CITATIONS_FIELD), warnings):
        if citation in listed_references:
            cited_references[citation] = None
        elif (
            citation.isascii()
            and citation.isdecimal()
            and len(citation) < 9
            and int(citation) < len(references)
        ):
            cited_references[references[int(citation)]] = None
        else:
            warnings.add(
                UNLISTED_CITATION,
                Message("{citation} in line {line}", citation=citation, line=record.line),
            )
    return Sentence(collapse_whitespace(text), tuple(cited_references))


def _read_ids(record: Record, content: object, warnings: ReaderWarnings) -> list[str]:
    """Return the ids in `content`, which is a list of ids or of objects with ids, or an object.

    The ids in an object are the names of its members.
    """
    parts = (
        content if isinstance(content, Sequence | Mapping) and not isinstance(content, str) else ()
    )
    named_ids = [
        part.get("docid", part.get("id")) if isinstance(part, Mapping) else part for part in parts
    ]
    return [
        parse_id(
            to_storable(reference_id, record.where.name, warnings),
            record.where,
            record.line,
            warnings,
        )
        for reference_id in named_ids
        if isinstance(reference_id, str)
    ]


def _read_text(record: Record, names: Names, warnings: ReaderWarnings) -> str:
    name = next((name for name in names if isinstance(record.fields.get(name), str)), None)
    return record.text((name,), warnings) or "" if name else ""


# Queries with their retrieved passages, in JSON or in MS MARCO's tab-separated format

QUERY_FIELD, CANDIDATES_FIELD, PASSAGE_FIELD, SCORE_FIELD = "query", "candidates", "doc", "score"
QUERY_ID_FIELDS: Names = ("qid", "id", "query_id")
QUERY_TEXT_FIELDS: Names = ("text", "query", "title")
PASSAGE_ID_FIELDS: Names = ("docid", "id", "doc_id", "_id")

_CANDIDATES_RECORD = re.compile(rb'[\[{]\s*+(?:\{\s*+)?"(?:query|candidates)"\s*+:\s*+[\[{]')


def is_candidates(file_head: FileHead) -> bool:
    """Return whether a file is JSON whose first object contains a query object or candidates."""
    return bool(_CANDIDATES_RECORD.match(file_head.start)) and b'"candidates"' in file_head.start


def iter_candidate_topics(entry: ArchiveEntry, warnings: ReaderWarnings) -> Iterator[Topic]:
    """Yield the query of each record in a file of candidate passages."""
    for record in _iter_records(entry):
        query = _read_object(record, QUERY_FIELD)
        yield Topic(
            query.id(QUERY_ID_FIELDS, warnings),
            collapse_whitespace(query.text(QUERY_TEXT_FIELDS, warnings) or ""),
        )


def iter_candidate_documents(entry: ArchiveEntry, warnings: ReaderWarnings) -> Iterator[Document]:
    """Yield each passage once, in order of first occurrence."""
    seen_ids: set[str] = set()
    for record in _iter_records(entry):
        for candidate in _iter_candidates(record):
            identifier = candidate.id(PASSAGE_ID_FIELDS, warnings)
            if identifier in seen_ids:
                continue
            seen_ids.add(identifier)
            passage = _read_object(candidate, PASSAGE_FIELD)
            if passage.name(TEXT_FIELDS) is None:
                raise FormatError(
                    record.where,
                    Message(
                        "the passage {id} has no text; expected one of the fields {names}",
                        key="no-text",
                        id=identifier,
                        names=", ".join(TEXT_FIELDS),
                    ),
                    record.line,
                )
            yield Document(
                identifier,
                (passage.text(TEXT_FIELDS, warnings) or "").encode(),
                collapse_whitespace(passage.text(TITLE_FIELDS, warnings) or ""),
            )


def iter_candidate_ranking(
    entry: ArchiveEntry, warnings: ReaderWarnings
) -> Iterator[RetrievedDocument]:
    """Yield each candidate passage with its query and score.

    For a query without candidates, a row with an empty document id is yielded.
    """
    for record in _iter_records(entry):
        topic = _read_object(record, QUERY_FIELD).id(QUERY_ID_FIELDS, warnings)
        candidates = list(_iter_candidates(record))
        if not candidates:
            yield RetrievedDocument(topic, "")
        for candidate in candidates:
            yield RetrievedDocument(
                topic, candidate.id(PASSAGE_ID_FIELDS, warnings), _read_score(candidate)
            )


def _iter_records(entry: ArchiveEntry) -> Iterator[Record]:
    head = entry.head.lstrip(b"\xef\xbb\xbf \t\r\n")
    is_on_lines = head.partition(b"\n")[0].rstrip().endswith(b"}") or b"\n" not in head
    return (
        iter_json_records(entry)
        if is_on_lines or head.startswith(b"[")
        else iter_json_objects(entry)
    )


def _iter_candidates(record: Record) -> Iterator[Record]:
    content = record.fields.get(CANDIDATES_FIELD)
    if not isinstance(content, list) or not all(isinstance(item, Mapping) for item in content):
        raise FormatError(
            record.where,
            Message(
                'the field "{name}" is missing or not a list of objects',
                key="no-list",
                name=CANDIDATES_FIELD,
            ),
            record.line,
        )
    yield from (Record(record.where, record.line, candidate) for candidate in content)


def _read_object(record: Record, name: str) -> Record:
    """Return the object in a field as a record.

    A string becomes the member `text` of a new object; any other value becomes an empty object.
    """
    content = record.fields.get(name)
    if isinstance(content, Mapping):
        fields: Mapping[str, object] = content
    elif isinstance(content, str):
        fields = {"text": content}
    else:
        fields = {}
    return Record(record.where, record.line, fields)


def _read_score(record: Record) -> float | None:
    """Return the score of a record as a number; None if it has no score.

    The JSON reader yields numbers as strings. Raises FormatError for other values.
    """
    content = record.fields.get(SCORE_FIELD)
    if content is None:
        return None
    try:
        score = float(content) if isinstance(content, str) else math.nan
    except ValueError:
        score = math.nan
    if math.isnan(score):
        raise FormatError(
            record.where,
            Message("the score of a candidate is not a number", key="not-a-score"),
            record.line,
        )
    return score


DPR_COLUMNS = ("id", "text", "title")
_QUOTED_CELL = re.compile(r'"((?:[^"]|"")*+)"')


def is_quoted_passages(file_head: FileHead) -> bool:
    """Return whether a file has DPR's header and texts in quotation marks.

    At least one text must be in quotation marks; other texts must contain no quotation mark.
    """
    header, *rows = [tuple(line.split("\t")) for line in file_head.lines] or [()]
    cells = [row[1] for row in rows if len(row) == len(DPR_COLUMNS)]
    return (
        header == DPR_COLUMNS
        and any(map(_QUOTED_CELL.fullmatch, cells))
        and all(_QUOTED_CELL.fullmatch(cell) or '"' not in cell for cell in cells)
    )


def iter_quoted_passages(entry: ArchiveEntry, warnings: ReaderWarnings) -> Iterator[Document]:
    """Yield the passages of a DPR file, without the quotation marks around texts and titles."""
    for record in iter_tsv_rows(entry, DPR_COLUMNS, header=True):
        fields = {name: _unquote(str(text)) for name, text in record.fields.items()}
        yield document_from_record(replace(record, fields=fields), entry.columns, warnings)


def _unquote(cell: str) -> str:
    quoted_match = _QUOTED_CELL.fullmatch(cell)
    return quoted_match[1].replace('""', '"') if quoted_match else cell


TOP_PASSAGES_COLUMNS = ("qid", "pid", "query", "passage")


def is_top_passages(file_head: FileHead) -> bool:
    """Return whether the first lines have the four columns of MS MARCO's files of top passages.

    The columns are two ids that are numbers, a query, and a passage that contains a space.
    """
    rows = [line.split("\t") for line in file_head.lines]
    return bool(rows) and all(
        len(row) == len(TOP_PASSAGES_COLUMNS)
        and row[0].isdecimal()
        and row[1].isdecimal()
        and " " in row[3].strip()
        for row in rows
    )


def iter_top_passages_documents(
    entry: ArchiveEntry, warnings: ReaderWarnings
) -> Iterator[Document]:
    """Yield each passage once, in order of first occurrence."""
    seen_ids: set[str] = set()
    for record, _, pid in _iter_rows(entry, warnings):
        if pid not in seen_ids:
            seen_ids.add(pid)
            yield Document(pid, str(record.fields["passage"]).encode())


def iter_top_passages_topics(entry: ArchiveEntry, warnings: ReaderWarnings) -> Iterator[Topic]:
    """Yield each query once."""
    seen_ids: set[str] = set()
    for record, qid, _ in _iter_rows(entry, warnings):
        if qid not in seen_ids:
            seen_ids.add(qid)
            yield Topic(qid, collapse_whitespace(str(record.fields["query"])))


def iter_top_passages_ranking(
    entry: ArchiveEntry, warnings: ReaderWarnings
) -> Iterator[RetrievedDocument]:
    """Yield the query and passage of each line; the order of the lines is the ranking."""
    for _, qid, pid in _iter_rows(entry, warnings):
        yield RetrievedDocument(qid, pid)


def _iter_rows(entry: ArchiveEntry, warnings: ReaderWarnings) -> Iterator[tuple[Record, str, str]]:
    for record in iter_tsv_rows(entry, TOP_PASSAGES_COLUMNS, header=False):
        qid, pid = (
            parse_id(str(record.fields[name]), entry.where, record.line, warnings)
            for name in TOP_PASSAGES_COLUMNS[:2]
        )
        yield record, qid, pid


# Runs for conversations (CAsT 2022, iKAT): turns with responses, and the passages that a response
# is based on

_TURN_RESPONSES = re.compile(rb'"turns"\s*+:\s*+\[')
PROVENANCE_FIELDS: Names = ("provenance", "passage_provenance", "citations")
EXPECTED_TURNS = Message(
    "expected turns with a turn_id and with responses whose provenance is a list of passages "
    "with ids"
)


def is_turn_responses(file_head: FileHead) -> bool:
    """Return whether a file is JSON of turns with responses."""
    head = file_head.start
    return (
        head.startswith(b"{")
        and bool(_TURN_RESPONSES.search(head))
        and b'"responses"' in head
        and b'"turn_id"' in head
    )


def iter_turn_ranking(entry: ArchiveEntry, warnings: ReaderWarnings) -> Iterator[RetrievedDocument]:
    """Yield the passages on which the responses of each turn are based, without duplicates.

    Passages are in the order of the responses and, within a response, in the order of its
    provenance. The scores are used only if no turn has several responses. For a turn without
    passages, a row with an empty document id is yielded.
    """
    turns = list[tuple[str, list[list[tuple[str, float | None]]]]]()
    for record in iter_json_objects(entry):
        for turn_record in _iter_objects(record, record.fields.get("turns")):
            name = turn_record.id(("turn_id",), warnings)
            ranked_responses = sorted(
                _iter_objects(turn_record, turn_record.fields.get("responses")),
                key=_rank_of_response,
            )
            turns.append(
                (name, [_read_passages(response, warnings) for response in ranked_responses])
            )
    has_scores = all(len(responses) < 2 for _, responses in turns)
    for name, responses in turns:
        score_by_document = dict[str, float | None]()
        for passages in responses:
            for document, score in passages:
                score_by_document.setdefault(document, score)
        if not score_by_document:
            yield RetrievedDocument(name, "")
        for document, score in score_by_document.items():
            yield RetrievedDocument(name, document, score if has_scores else None)


def _iter_objects(record: Record, items: object) -> Iterator[Record]:
    if not isinstance(items, list) or not all(isinstance(item, dict) for item in items):
        raise FormatError(
            record.where,
            Message(
                "no conversation turn found; {expected}", key="no-turns", expected=EXPECTED_TURNS
            ),
            record.line,
        )
    yield from (replace(record, fields=item) for item in items)


def _parse_number(value: object) -> float | None:
    """Return the finite number in a string; None for other values."""
    try:
        number = float(value) if isinstance(value, str) else math.nan
    except ValueError:
        return None
    return number if math.isfinite(number) else None


def _rank_of_response(response: Record) -> float:
    rank = _parse_number(response.fields.get("rank"))
    return math.inf if rank is None else rank


def _read_passages(response: Record, warnings: ReaderWarnings) -> list[tuple[str, float | None]]:
    field = response.name(PROVENANCE_FIELDS)
    stored_passages = response.fields[field] if field else []
    if isinstance(stored_passages, dict):
        stored_passages = [{"id": id, "score": score} for id, score in stored_passages.items()]
    return [
        (
            passage.id(("id", "docid", "doc_id"), warnings),
            _parse_number(passage.fields.get("score")),
        )
        for passage in _iter_objects(response, stored_passages)
    ]
