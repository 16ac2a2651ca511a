"""Readers of topics: records with named fields, lines of queries, TREC SGML and XML."""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import pairwise
from pathlib import Path
from typing import Any
from urllib.parse import unquote
from xml.etree.ElementTree import ParseError

from defusedxml.common import DefusedXmlException
from defusedxml.ElementTree import DefusedXMLParser

from irjudge.errors import FormatError, Undecided
from irjudge.formats.bytes import (
    ArchiveEntry,
    collapse_whitespace,
    decode_text,
    iter_nonblank_lines,
    read_limited,
)
from irjudge.formats.collections.sgml import (
    BREAK_TAGS,
    STYLE_TAGS,
    Piece,
    TaggedBlock,
    find_attribute,
    get_tag_replacement,
    iter_closed_blocks,
    iter_open_blocks,
    split_at_tags,
    unescape_entities,
)
from irjudge.formats.collections.trec_documents import parse_trec_fields
from irjudge.formats.file_formats import FileHead
from irjudge.formats.reader_warnings import ReaderWarnings, WarningKind
from irjudge.formats.rows import (
    AS_RECOGNISED,
    MAX_SHOWN_CHARACTERS,
    ColumnMapping,
    Names,
    Record,
    describe_columns,
    has_rubrics,
    iter_json_objects,
    iter_json_records,
    list_head_lines,
    list_record_columns,
    make_rubrics_error,
    parse_id,
    to_storable,
)
from irjudge.message import Message
from irjudge.model import Document, Topic

# Topics as records with named fields, from JSON, tables and XML

ID_FIELDS: Names = tuple(
    "id _id qid query_id query-id queryid topic_id topic-id topicid question_id request_id number num identifier topic".split()
)
TITLE_FIELDS: Names = ("title", "text", "query", "question", "content", "query_txt", "query_text")
DESCRIPTION_FIELDS: Names = ("description", "desc", "question", "summary", "problem_statement")
NARRATIVE_FIELDS: Names = ("narrative", "narr", "background", "note")
PART_NAMES: dict[str, Names] = {
    "id": ID_FIELDS,
    "title": TITLE_FIELDS,
    "description": DESCRIPTION_FIELDS,
    "narrative": NARRATIVE_FIELDS,
}
KNOWN_FIELDS: Names = tuple(name for names in PART_NAMES.values() for name in names)

_PARAGRAPH_BREAK = re.compile(r"\n[ \t]*+\n")


def make_topics(
    records: Iterable[Record],
    warnings: ReaderWarnings,
    columns: ColumnMapping = AS_RECOGNISED,
    known_names: Mapping[str, Names] = PART_NAMES,
    *,
    by_order: bool = False,
) -> Iterator[Topic]:
    """Convert records to topics, using the fields that the user mapped or known field names.

    With `by_order`, a record without an id becomes a topic with an empty id, which the caller
    replaces by the position of the topic. Otherwise an error is raised for such a record.
    """
    names = list_part_names(columns, known_names)
    seen_fields: dict[str, object] = {}
    for record in records:
        record = (
            replace(record, fields={name.lower(): value for name, value in record.fields.items()})
            if columns
            else record
        )
        for name, value in record.fields.items():
            if value:
                seen_fields.setdefault(name, value)
        yield _make_topic(
            record, names, warnings, by_order=by_order and record.name(names["id"]) is None
        )
    for _, column in columns.named:
        if seen_fields and column.lower() not in seen_fields:
            raise Undecided(
                record.where,
                Message(
                    "no topic has the field {column}; {fields}",
                    key="no-such-field",
                    column=column,
                    fields=describe_columns(
                        list_record_columns(seen_fields), ("id", "title"), Message("fields")
                    ),
                ),
                ("columns",),
            )


def list_part_names(columns: ColumnMapping, default_names: Mapping[str, Names]) -> dict[str, Names]:
    """Return the field names of each part, in lower case: the mapped name or the default names."""
    lower_mapping = ColumnMapping(tuple((part, name.lower()) for part, name in columns.named))
    return {part: lower_mapping.names(part, names) for part, names in default_names.items()}


def _read_identifier(record: Record, names: Names, warnings: ReaderWarnings) -> str:
    if record.name(names) is None:
        raise Undecided(
            record.where,
            Message(
                "the record has no id; expected one of the fields {names}. With --topic-ids order, "
                "the ids are the positions 1, 2, 3 …",
                key="no-id",
                names=", ".join(names),
            ),
            ("topic_ids", "columns"),
            record.line,
        )
    return record.id(names, warnings)


def _make_topic(
    record: Record, names: Mapping[str, Names], warnings: ReaderWarnings, *, by_order: bool
) -> Topic:
    identifier = "" if by_order else _read_identifier(record, names["id"], warnings)
    title = _find_first_filled(record, names["title"])
    description = _find_first_filled(
        record, [name for name in names["description"] if name != title]
    )
    narrative = _find_first_filled(record, names["narrative"])
    used_fields = [name for name in (title, description, narrative) if name]
    ignored_names = [
        name
        for name, value in record.fields.items()
        if name not in names["id"] and name not in used_fields and value
    ]
    if not used_fields:
        raise Undecided(
            record.where,
            Message(
                "the topic has no text; expected one of the fields {names}; {fields}",
                key="no-text",
                names=", ".join(names["title"]),
                fields=describe_columns(
                    list_record_columns({name: record.fields[name] for name in ignored_names}),
                    ("title",),
                    Message("ignored fields"),
                ),
            ),
            ("columns",),
            record.line,
        )
    warnings.add_unread(ignored_names)
    texts = [
        (record.text((name,), warnings) or "") if name else ""
        for name in (title, description, narrative)
    ]
    return Topic(
        identifier,
        collapse_whitespace(texts[0]),
        split_paragraphs(texts[1]),
        split_paragraphs(texts[2]),
    )


def _find_first_filled(record: Record, names: Sequence[str]) -> str | None:
    """Return the first name whose field is not empty.

    If all are empty, return the first name that the record has; None if it has none of them.
    """
    return next((name for name in names if record.fields.get(name)), record.name(tuple(names)))


def split_paragraphs(text: str) -> str:
    """Return a text with one line per paragraph, and a blank line between paragraphs."""
    return "\n\n".join(filter(None, map(collapse_whitespace, _PARAGRAPH_BREAK.split(text))))


# TREC SGML topics (`<top>` with closed or unclosed tags), and documents used as queries

TOPIC_NUMBER_FIELDS: Names = ("number", "topic_number", "id")
TURN_LIST_FIELDS: Names = ("turn", "turns")
TURN_NUMBER_FIELDS: Names = ("number", "turn_id", "turn_number")
UTTERANCE_FIELDS: Names = ("raw_utterance", "utterance")
RESOLVED_UTTERANCE_FIELDS: Names = (
    "manual_rewritten_utterance",
    "resolved_utterance",
    "rewritten_utterance",
    "automatic_rewritten_utterance",
)
RESPONSE_FIELDS: Names = ("response", "passage")
CONTEXT_FIELDS: Names = ("title", "description")
SPEAKER_FIELD, STATEMENTS_FIELD = "participant", "ptkb"

# maximum total characters of the narratives of a conversation, or of a file; the narratives of a
# file with longer conversations may have 20 times as many characters as the conversations
MAX_NARRATIVES_LENGTH, MAX_NARRATIVES_RATIO = 50_000_000, 20
# beginning of the list of turns in a file of conversations
_TURN_LIST = re.compile(rb'"turns?"\s*+:\s*+\[\s*+\{')


def is_conversations(file_head: FileHead) -> bool:
    """Return whether a file is JSON that contains the turns of a conversation."""
    return file_head.start.startswith((b"[", b"{")) and bool(_TURN_LIST.search(file_head.start))


def iter_conversation_topics(entry: ArchiveEntry, warnings: ReaderWarnings) -> Iterator[Topic]:
    """Yield a topic for each turn of a user in a conversation.

    The title is the resolved utterance, the description is the original utterance, and the
    narrative contains the earlier turns.
    """
    narratives_length = conversations_length = 0
    for record in iter_json_records(entry):
        topics = [*_iter_turns(record, warnings)]
        narratives_length += sum(len(topic.narrative) for topic in topics)
        conversations_length += max((len(topic.narrative) for topic in topics), default=0)
        limit = max(MAX_NARRATIVES_LENGTH, MAX_NARRATIVES_RATIO * conversations_length)
        if narratives_length > limit:
            raise FormatError(
                record.where,
                Message(
                    "the conversations are too long: their topics, each with all earlier turns, "
                    "have more than {limit:,} characters",
                    key="long-conversation",
                    limit=limit,
                ),
                record.line,
            )
        yield from topics


def _iter_turns(record: Record, warnings: ReaderWarnings) -> Iterator[Topic]:
    number = record.id(TOPIC_NUMBER_FIELDS, warnings)
    name = record.name(TURN_LIST_FIELDS)
    turns = record.fields[name] if name else None
    if not isinstance(turns, list):
        raise FormatError(
            record.where,
            Message("conversation {number} has no list of turns", key="no-turns", number=number),
            record.line,
        )
    context_texts = [
        text for name in CONTEXT_FIELDS if (text := _read_text(record, (name,), warnings))
    ] + _read_statements(record)
    earlier_turns: list[str] = []
    total_length = 0  # total characters of the narratives, each of which has all earlier turns
    for index, fields in enumerate(turns, 1):
        turn_record = replace(record, fields=fields if isinstance(fields, Mapping) else {})
        utterance = _read_text(turn_record, UTTERANCE_FIELDS, warnings)
        resolved_utterance = _read_text(turn_record, RESOLVED_UTTERANCE_FIELDS, warnings)
        is_system_turn = _read_text(turn_record, (SPEAKER_FIELD,), warnings).lower() == "system"
        if (utterance or resolved_utterance) and not is_system_turn:
            turn_number = turn_record.text(TURN_NUMBER_FIELDS, warnings) or str(index)
            narrative = "\n\n".join(context_texts + earlier_turns)
            total_length += len(narrative)
            _check_narratives(total_length, number, record)
            yield Topic(
                parse_id(f"{number}_{turn_number.strip()}", record.where, record.line, warnings),
                collapse_whitespace(resolved_utterance or utterance),
                utterance if resolved_utterance and utterance != resolved_utterance else "",
                narrative,
            )
            earlier_turns.append(resolved_utterance or utterance)
        if answer := _read_text(turn_record, RESPONSE_FIELDS, warnings) or (
            utterance if is_system_turn else ""
        ):
            earlier_turns.append(Message("Answer: {answer}", answer=answer))


def _check_narratives(total_length: int, number: str, record: Record) -> None:
    if total_length > MAX_NARRATIVES_LENGTH:
        raise FormatError(
            record.where,
            Message(
                "conversation {number} is too long: its topics, each with all earlier turns, have "
                "more than {limit:,} characters",
                key="long-conversation",
                number=number,
                limit=MAX_NARRATIVES_LENGTH,
            ),
            record.line,
        )


def _read_statements(record: Record) -> list[str]:
    """Return the statements about the user in a record of TREC iKAT, each on one line."""
    content = record.fields.get(STATEMENTS_FIELD)
    if isinstance(content, Mapping):
        statements: Iterable[object] = content.values()
    elif isinstance(content, list):
        statements = content
    else:
        statements = ()
    return [
        to_storable(text, record.where.name, ReaderWarnings())
        for statement in statements
        if isinstance(statement, str) and (text := collapse_whitespace(statement))
    ]


def _read_text(record: Record, names: Names, warnings: ReaderWarnings) -> str:
    """Return the first non-empty string in the named fields as one line, or an empty string."""
    filled_name = next(
        (
            name
            for name in names
            if isinstance(record.fields.get(name), str) and record.fields[name]
        ),
        None,
    )
    return collapse_whitespace(record.text((filled_name,), warnings) or "") if filled_name else ""


# Rubrics of TREC RAG: for each topic, the weighted criteria for answers

RUBRICS_FIELD, CRITERION_FIELD, WEIGHT_FIELD, AXIS_FIELD = "rubrics", "criterion", "weight", "axis"

TITLED_BY_ID = WarningKind(
    "1 topic has criteria but no query; its id is used as its title: {first}.",
    "{count} topics have criteria but no query; their ids are used as titles. First: {first}.",
    key="titled-by-id",
)


def is_rubrics(file_head: FileHead) -> bool:
    """Return whether a file consists of JSON objects with rubrics."""
    return file_head.start.startswith((b"{", b"[")) and has_rubrics(file_head.start)


def iter_rubric_topics(entry: ArchiveEntry, warnings: ReaderWarnings) -> Iterator[Topic]:
    """Yield the topics in a file of rubrics; each narrative lists the weighted criteria."""
    names = list_part_names(entry.columns, PART_NAMES)
    for record in iter_json_records(entry):
        identifier = _read_identifier(record, names["id"], warnings)
        title = _read_text(record, names["title"], warnings)
        if not title:
            warnings.add(TITLED_BY_ID, identifier)
        used_fields = {
            RUBRICS_FIELD,
            record.name(names["id"]),
            _find_first_filled(record, names["title"]),
        }
        warnings.add_unread(
            name for name, value in record.fields.items() if value and name not in used_fields
        )
        yield Topic(identifier, title or identifier, narrative=_format_criteria(record, warnings))


def refuse_rubrics(entry: ArchiveEntry, _warnings: ReaderWarnings) -> Iterator[Document]:
    """Raise FormatError for a file of rubrics that was given as documents."""
    raise make_rubrics_error(entry.where)


def _format_criteria(record: Record, warnings: ReaderWarnings) -> str:
    """Return a text with a paragraph for each criterion, its weight and its kind."""
    rubrics = record.fields.get(RUBRICS_FIELD)
    criteria = []
    for rubric in rubrics if isinstance(rubrics, list) else [None]:
        fields: Mapping[str, Any] = rubric if isinstance(rubric, Mapping) else {}
        text = fields.get(CRITERION_FIELD)
        if not isinstance(text, str) or not text.strip():
            raise FormatError(
                record.where,
                Message(
                    "a rubric has no criterion; expected text in the field criterion",
                    key="no-criterion",
                ),
                record.line,
            )
        criterion_texts = [
            Message("weight {weight}", weight=fields[WEIGHT_FIELD].removesuffix(".0"))
            if isinstance(fields.get(WEIGHT_FIELD), str)
            else "",
            fields[AXIS_FIELD] if isinstance(fields.get(AXIS_FIELD), str) else "",
        ]
        criterion = ", ".join(filter(None, criterion_texts))
        line = collapse_whitespace(f"{text} ({criterion})" if criterion else text)
        criteria.append(to_storable(line, record.where.name, warnings))
        warnings.add_unread(
            name for name in fields if name not in (CRITERION_FIELD, WEIGHT_FIELD, AXIS_FIELD)
        )
    return "\n\n".join(criteria)


_NUMBERED_QUERY = re.compile(r"\s*+(\d{1,18}):(.*+)", re.ASCII)
_PRIORITY = re.compile(r"\s*+(\d):(?=.*\S)", re.ASCII)


def is_numbered_queries(file_head: FileHead) -> bool:
    """Return whether each of the first lines consists of a number, a colon and a text."""
    matches = [_NUMBERED_QUERY.fullmatch(line) for line in file_head.lines]
    return bool(matches) and all(match and match[2].strip() for match in matches)


def iter_numbered_queries(entry: ArchiveEntry, warnings: ReaderWarnings) -> Iterator[Topic]:
    """Yield the query on each line, such as `20001:obama family tree`.

    If every query begins with a digit and a colon, as in `20001:1:obama family tree`, the digit is
    a priority and is omitted.
    """
    queries = [
        _match_query(number, line, entry)
        for number, line in iter_nonblank_lines(entry.stream, entry.where)
    ]
    has_priorities = all(_PRIORITY.match(query[2]) for query in queries)
    if has_priorities:
        warnings.add_unread([Message("the priority of each query")])
    for query in queries:
        begin = _PRIORITY.match(query[2]) if has_priorities else None
        text = query[2][begin.end() :] if begin else query[2]
        yield Topic(parse_id(query[1], entry.where, None, warnings), collapse_whitespace(text))


def _match_query(number: int, line: str, entry: ArchiveEntry) -> re.Match[str]:
    query = _NUMBERED_QUERY.fullmatch(line)
    if not query:
        raise FormatError(
            entry.where,
            Message(
                "found “{line}”; expected a number, a colon and the query",
                key="not-a-query",
                line=line.strip()[:MAX_SHOWN_CHARACTERS],
            ),
            number,
        )
    return query


_NUMBERED_LINE = re.compile(r"\s*+(\d{1,9})\s++(?=\S)(.*+)", re.ASCII)
# A string in JSON; it is a key if a colon follows. The pattern matches even truncated strings, so
# that a search takes linear time.
_STRING_OR_KEY = re.compile(rb'"((?:[^"\\]|\\.)*+)(?:"(\s*+:)?+)?+')
_TEXT_OF_FIRST_KEY = re.compile(rb'\{\s*+"(?:[^"\\]|\\.)*+"\s*+:\s*+"')
MAX_QUERY_WORDS = 40
MIN_COLUMNS_OF_TABLE = 3
_NUMBER_CELL = re.compile(r"[+-]?\d[\d.eE+-]*+", re.ASCII)


def is_object_of_queries(file_head: FileHead) -> bool:
    """Return whether a file is one JSON object that maps ids to texts, such as `{"401": "foo"}`."""
    if not _TEXT_OF_FIRST_KEY.match(file_head.start):
        return False
    known_names = {name.encode() for name in KNOWN_FIELDS}
    strings = _STRING_OR_KEY.findall(file_head.start)
    return known_names.isdisjoint(text.strip() for text, colon in strings if colon)


def iter_object_queries(entry: ArchiveEntry, warnings: ReaderWarnings) -> Iterator[Topic]:
    """Yield a topic for each member of the object; the name is the id, the value is the title."""
    for record in iter_json_objects(entry):
        for id, text in record.fields.items():
            if not isinstance(text, str):
                raise FormatError(
                    entry.where,
                    Message(
                        "the query of topic {topic} is not a string; expected an object that "
                        "maps topic ids to queries",
                        key="no-text",
                        topic=to_storable(id[:MAX_SHOWN_CHARACTERS], entry.name, warnings),
                    ),
                    record.line,
                )
            name = to_storable(id, entry.name, warnings)
            title = collapse_whitespace(to_storable(text, entry.name, warnings))
            yield Topic(parse_id(name, entry.where, record.line, warnings), title)


def is_numbered_lines(file_head: FileHead) -> bool:
    """Return whether each of the first lines is a number and a query, and the numbers increase."""
    matches = [_NUMBERED_LINE.fullmatch(line) for line in file_head.lines]
    numbers = [int(match[1]) for match in matches if match]
    is_ascending = all(
        previous_number < next_number for previous_number, next_number in pairwise(numbers)
    )
    has_text = all(match and re.search(r"[^\W\d]", match[2]) for match in matches)
    return bool(matches) and is_ascending and has_text and not _looks_like_table(file_head.lines)


def iter_numbered_lines(entry: ArchiveEntry, warnings: ReaderWarnings) -> Iterator[Topic]:
    """Yield the query on each line; its id is the number at the beginning of the line."""
    for number, line in iter_nonblank_lines(entry.stream, entry.where):
        match = _NUMBERED_LINE.fullmatch(line)
        if not match:
            raise FormatError(
                entry.where,
                Message(
                    "found “{line}”; expected a number and the query",
                    key="not-a-query",
                    line=line.strip()[:MAX_SHOWN_CHARACTERS],
                ),
                number,
            )
        yield Topic(
            parse_id(match[1], entry.where, number, warnings), collapse_whitespace(match[2])
        )


ONE_COLUMN_HEADER = WarningKind(
    "The first line, {first}, was read as the name of the column, not as a query.",
    "The first line, {first}, was read as the name of the column, not as a query.",
    key="one-column-header",
)


def is_query_lines(file_head: FileHead) -> bool:
    """Return whether each of the first lines may be a query.

    Queries are short and distinct, contain a letter, and are neither sentences nor table rows.
    """
    lines = [line.strip() for line in file_head.lines]
    return (
        file_head.is_named_by_user
        and bool(lines)
        and not file_head.start.startswith((b"<", b"{", b"[", b"."))
        and "\0" not in "".join(lines)
        and len({*lines}) == len(lines)
        and all(
            re.search(r"[^\W\d]", line)
            and line.isprintable()
            and "\ufffd" not in line
            and "://" not in line
            and not line.endswith((".", ":", ";", ",", "{", "}"))
            and len(line.split()) <= MAX_QUERY_WORDS
            for line in lines
        )
        and not _looks_like_table(lines)
    )


def _looks_like_table(lines: Sequence[str]) -> bool:
    """Return whether lines look like a table.

    This is the case if all lines have the same number of separators, such as tabs. It is also the
    case if all lines have the same number of words, and some position after the first has a number
    in every line, as in runs and qrels.
    """
    rows = [line.split() for line in lines]
    width = len(rows[0]) if rows else 0
    is_rectangular = width >= MIN_COLUMNS_OF_TABLE and all(len(row) == width for row in rows)
    has_number_column = is_rectangular and any(
        all(_NUMBER_CELL.fullmatch(row[column]) for row in rows) for column in range(1, width)
    )
    counts = ({line.count(separator) for line in lines} for separator in "\t,;|=")
    return has_number_column or any(len(count) == 1 and count != {0} for count in counts)


def iter_query_lines(entry: ArchiveEntry, warnings: ReaderWarnings) -> Iterator[Topic]:
    """Yield the query on each non-blank line; the ids are 1, 2, 3 … in file order.

    A first line that is the name of a column, such as `query`, is a header if lines follow it.
    """
    lines = iter_nonblank_lines(entry.stream, entry.where)
    header, *following_lines = [line.strip(' "') for line in list_head_lines(entry.head)] or [""]
    if following_lines and header.lower() in (*TITLE_FIELDS, "queries"):
        warnings.add(ONE_COLUMN_HEADER, header)
        next(lines)
    for count, (number, line) in enumerate(lines, 1):
        if "\0" in line:
            raise FormatError(
                entry.where,
                Message("contains a zero byte; this is not a text file", key="zero-byte"),
                number,
            )
        yield Topic(str(count), collapse_whitespace(line))


NUMBER_FIELD = "num"
NTCIR_FIELDS: dict[str, Names] = {
    "id": (NUMBER_FIELD, "number", "qid", "id", "tid", "topicid"),
    "title": ("title", "query", "content", "question"),
    "description": ("desc", "description"),
    "narrative": ("narr", "narrative"),
}

_TOPIC_START = re.compile(rb"(?:<\?xml[^<>]*+>\s*+)?<topic(?:\s[^<>]*+)?+>")
_NUMBERED_TOPIC = re.compile(rb"<topic\s++q\s*+=|<num>|<tid>")


def is_ntcir_topics(file_head: FileHead) -> bool:
    """Return whether a file begins with a topic whose number is marked as in NTCIR's files."""
    return bool(_TOPIC_START.match(file_head.start) and _NUMBERED_TOPIC.search(file_head.start))


def iter_ntcir_topics(entry: ArchiveEntry, warnings: ReaderWarnings) -> Iterator[Topic]:
    """Yield the topics; a field includes the text of elements inside it, such as `background`."""
    return make_topics(
        (
            Record(entry.where, block.line, _read_ntcir_fields(block))
            for block in iter_closed_blocks(entry.stream, entry.where, "topic")
            if isinstance(block, TaggedBlock)
        ),
        warnings,
        entry.columns,
        NTCIR_FIELDS,
    )


def _read_ntcir_fields(block: TaggedBlock) -> dict[str, object]:
    """Return the text of each outermost element, and the topic's attribute `q`, if any, as id."""
    texts: dict[str, list[str]] = {}
    tag = ""
    for piece in split_at_tags(block.text):
        if tag and piece.tag == f"/{tag}":
            tag = ""
        elif tag:
            texts[tag].append(get_tag_replacement(piece.tag))
        elif piece.tag and not piece.tag.startswith("/"):
            tag = piece.tag
        if tag:
            texts.setdefault(tag, []).append(piece.text)
    fields: dict[str, object] = {
        name: unescape_entities("".join(parts)).strip() for name, parts in texts.items()
    }
    number = find_attribute(block.attributes, "q")
    return {NUMBER_FIELD: number, **fields} if number else fields


# Tags that always begin a field, for each part of a topic.
_SGML_FIELDS: dict[str, Names] = {
    "id": ("num", "number"),
    "title": ("title",),
    "description": ("desc", "description"),
    "narrative": ("narr", "narrative"),
}
# All recognised names of fields, for each part of a topic.
_SGML_FIELD_NAMES: dict[str, Names] = _SGML_FIELDS | {"title": ("title", "query", "content")}
LINKED_DOCUMENT_TAG, ADDRESS_TAG = "docid", "url"  # tags of a topic that refers to a document
# Labels that may precede the text of a field, such as `Number:`.
_FIELD_LABELS = {
    "id": re.compile(r"\s*+(?:number|topic)\s*+:", re.IGNORECASE),
    "title": re.compile(r"\s*+(?:topic|title)\s*+:", re.IGNORECASE),
    "description": re.compile(r"\s*+description\s*+:", re.IGNORECASE),
    "narrative": re.compile(r"\s*+narrative\s*+:", re.IGNORECASE),
}
_LANGUAGE_PREFIX = re.compile(r"^(/?)[a-z]{1,2}-(?=(?:num|title|desc|narr)$)")


def iter_sgml_topics(entry: ArchiveEntry, warnings: ReaderWarnings) -> Iterator[Topic]:
    """Yield the topic in each `<top>`."""
    text = decode_text(read_limited(entry.stream, entry.where), entry.where).replace("\r\n", "\n")
    names = list_part_names(entry.columns, _SGML_FIELD_NAMES)
    own_tags = frozenset(
        name
        for part_name in list_part_names(entry.columns, _SGML_FIELDS).values()
        for name in part_name
    )
    return make_topics(
        (
            _make_sgml_record(
                entry.where, block.line, _read_fields(block, own_tags, warnings), names
            )
            for block in iter_open_blocks(text, "top")
        ),
        warnings,
        entry.columns,
        _SGML_FIELD_NAMES,
    )


def _make_sgml_record(
    path: Path, line: int, fields: dict[str, str], names: Mapping[str, Names]
) -> Record:
    """Return a topic as a record, which always has an id and a title; the title may be empty."""
    identifier = next((name for name in names["id"] if name in fields), None)
    if identifier is None:
        raise FormatError(
            path,
            Message("the topic has no <num>; expected a number in each <top>", key="no-number"),
            line,
        )
    number = {identifier: collapse_whitespace(fields[identifier])}
    if any(
        name in fields for part, part_names in names.items() if part != "id" for name in part_names
    ):
        return Record(path, line, fields | number)
    if document := fields.get(LINKED_DOCUMENT_TAG, "").strip():
        # in the background linking task, a topic refers to a document
        title = Message("Document {document}", document=document)
        description = fields.get(ADDRESS_TAG, "")
        return Record(
            path,
            line,
            number | {names["title"][0]: title, names["description"][0]: description},
        )
    first_line, _, body = fields[identifier].strip().partition("\n")
    return Record(
        path,
        line,
        {**fields, identifier: collapse_whitespace(first_line), names["title"][0]: body},
    )


def _read_fields(
    block: TaggedBlock, own_tags: frozenset[str], warnings: ReaderWarnings
) -> dict[str, str]:
    """Return the text of each field of a topic, whether its tag is closed or not.

    A tag begins a field if it is a known topic tag, if it starts a line, or if no field is open.
    Other tags inside a field are removed, and their text is part of the field. If a tag is
    repeated, its first text is used.
    """
    texts: dict[str, list[str]] = {}
    filled_names: set[str] = set()
    current_field, end_tag, is_closed = "", "", False
    for piece in split_at_tags(block.text):
        name = _LANGUAGE_PREFIX.sub(r"\1", piece.tag)
        if current_field and name == end_tag:
            current_field, is_closed = "", True
        elif _is_field_start(name, piece, current_field, own_tags):
            current_field, end_tag = f"<{name}" if name in filled_names else name, f"/{name}"
        elif current_field:
            texts[current_field].append(get_tag_replacement(name))
        if current_field:
            texts.setdefault(current_field, []).append(piece.text)
            filled_names.update([current_field] if piece.text.strip() else [])
    warnings.add_unread(name[1:] for name in texts if name.startswith("<") and name in filled_names)
    return {
        name: _strip_label(name, "".join(parts), is_closed=is_closed)
        for name, parts in texts.items()
        if not name.startswith("<")
    }


def _is_field_start(name: str, piece: Piece, current_field: str, own_tags: frozenset[str]) -> bool:
    is_start_tag = bool(name) and not name.startswith("/") and name not in STYLE_TAGS | BREAK_TAGS
    return is_start_tag and (name in own_tags or piece.starts_line or not current_field)


def _strip_label(name: str, text: str, *, is_closed: bool) -> str:
    prefix = next(
        (_FIELD_LABELS[part] for part, names in _SGML_FIELDS.items() if name in names), None
    )
    label = prefix.match(text) if prefix else None
    text = text[label.end() :] if label else text
    return unescape_entities(text) if is_closed else text


_OUTLINE_LINE = re.compile(r"[A-Za-z]\w*:(?=[^/\s])\S+")
_OUTLINE_HEADING = re.compile(r"[a-z]\w*+:(?=\S*(?:/|%[0-9a-f]{2}))\S*+")


def is_outline(file_head: FileHead) -> bool:
    """Return whether the first lines are heading paths of TREC CAR.

    An example of a heading path is `enwiki:Title/Heading`, in which `%20` means a space.
    """
    lines = [line.strip() for line in file_head.lines]
    return all(_OUTLINE_LINE.fullmatch(line) and "://" not in line for line in lines) and any(
        map(_OUTLINE_HEADING.fullmatch, lines)
    )


def iter_outline_topics(entry: ArchiveEntry, warnings: ReaderWarnings) -> Iterator[Topic]:
    """Yield a topic for each heading path in an outline; the path is the id."""
    for number, line in iter_nonblank_lines(entry.stream, entry.where):
        path = line.strip()
        if not _OUTLINE_LINE.fullmatch(path):
            raise FormatError(
                entry.where,
                Message(
                    "found “{line}”; expected the path of a heading, such as enwiki:Title/Heading",
                    key="not-a-heading",
                    line=path[:MAX_SHOWN_CHARACTERS],
                ),
                number,
            )
        text = to_storable(
            unquote(path.partition(":")[2].replace("/", " / "), errors="replace"),
            entry.name,
            warnings,
        )
        yield Topic(parse_id(path, entry.where, number, warnings), collapse_whitespace(text))


def iter_document_topics(entry: ArchiveEntry, warnings: ReaderWarnings) -> Iterator[Topic]:
    """Yield a topic for each TREC document; the query is the text of the document."""
    for block in iter_closed_blocks(entry.stream, entry.where, "doc"):
        if isinstance(block, TaggedBlock):
            fields = parse_trec_fields(block, entry.where, warnings)
            title = collapse_whitespace(fields.title) or collapse_whitespace(fields.text)
            yield Topic(fields.id, title, split_paragraphs(fields.text) if fields.title else "")


# XML topics of the web, session, clinical and newer tracks, with or without a DTD

MAX_DEPTH = 20
MAX_OUTER_DEPTH = 100
MAX_ELEMENTS = 10_000
TOPIC_TAGS = frozenset({"session", "topic", "top", "query", "question"})
EXPECTED = Message("expected <topic> elements, each with a number")


@dataclass(slots=True)
class _Node:
    """XML element: lower-case tag without namespace, attributes, children, and all inner text."""

    tag: str
    line: int
    attributes: dict[str, str]
    parts: list[str] = field(default_factory=list)
    children: list["_Node"] = field(default_factory=list)

    @property
    def text(self) -> str:
        return "".join(self.parts)

    def child(self, tag: str) -> "_Node | None":
        return next((child for child in self.children if child.tag == tag), None)


class _Builder:
    """Target of an XML parser that collects the outermost elements that may be topics."""

    def __init__(self, path: Path) -> None:
        self.parser: Any = None
        self.topics: list[_Node] = []
        self._path, self._open_nodes, self._element_count, self._outer_depth = (
            path,
            list[_Node](),
            0,
            0,
        )

    @property
    def line(self) -> int:
        return int(self.parser.parser.CurrentLineNumber)

    def start(self, tag: str, attributes: dict[str, str]) -> None:
        name = _strip_namespace(tag)
        if not self._open_nodes:
            if name not in TOPIC_TAGS:
                self._outer_depth += 1
                if self._outer_depth > MAX_OUTER_DEPTH:
                    raise FormatError(
                        self._path,
                        Message(
                            "elements are nested more than {limit} levels deep, but no element is "
                            "a topic",
                            key="deep-elements",
                            limit=MAX_OUTER_DEPTH,
                        ),
                        self.line,
                    )
                return
            self._element_count = 0
        self._element_count += 1
        if len(self._open_nodes) == MAX_DEPTH or self._element_count > MAX_ELEMENTS:
            raise FormatError(
                self._path,
                Message(
                    "a topic has more than {limit:,} elements, or elements nested more than "
                    "{depth_limit} levels deep",
                    key="large-topic",
                    limit=MAX_ELEMENTS,
                    depth_limit=MAX_DEPTH,
                ),
                self.line,
            )
        self._open_nodes.append(
            _Node(
                name, self.line, {_strip_namespace(key): value for key, value in attributes.items()}
            )
        )

    def data(self, text: str) -> None:
        if self._open_nodes:
            self._open_nodes[-1].parts.append(text)

    def end(self, _tag: str) -> None:
        if not self._open_nodes:
            self._outer_depth -= 1
            return
        node = self._open_nodes.pop()
        if not self._open_nodes:
            self.topics.append(node)
            return
        parent = self._open_nodes[-1]
        parent.children.append(node)
        parent.parts += (get_tag_replacement(node.tag), node.text, get_tag_replacement(node.tag))

    def close(self) -> list[_Node]:
        return self.topics


def iter_xml_topics(entry: ArchiveEntry, warnings: ReaderWarnings) -> Iterator[Topic]:
    """Yield the topics of an XML file.

    A topic's fields are its attributes and child elements, with the same names as in JSON.
    Subtopics become paragraphs of the narrative. The title of a session is its current or last
    query; the topic inside the session describes the information need.
    """
    nodes = _parse_xml(entry)
    if not nodes:
        raise FormatError(
            entry.where,
            Message("the XML contains no topic; {expected}", key="no-topic", expected=EXPECTED),
        )
    return make_topics(
        (_make_xml_record(node, entry.where) for node in nodes), warnings, entry.columns
    )


def _parse_xml(entry: ArchiveEntry) -> list[_Node]:
    text = read_limited(entry.stream, entry.where)
    try:
        return _parse_elements(text, entry.where)
    except FormatError:
        if not _SEVERAL_ROOTS.match(text):
            raise
        return _parse_elements(
            b"<topics>" + _XML_DECLARATION.sub(b"", text, 1) + b"</topics>", entry.where
        )


_XML_DECLARATION = re.compile(rb"^(?:\xef\xbb\xbf)?\s*+<\?xml[^<>]*+>")
_SEVERAL_ROOTS = re.compile(
    rb"(?:\xef\xbb\xbf)?\s*+(?:<\?xml[^<>]*+>\s*+)?<(topic|top|query|question)[\s>]", re.IGNORECASE
)


def _parse_elements(text: bytes, path: Path) -> list[_Node]:
    builder = _Builder(path)
    builder.parser = parser = DefusedXMLParser(
        target=builder,
        encoding="utf-8",
        forbid_dtd=False,
        forbid_entities=True,
        forbid_external=True,
    )
    try:
        parser.feed(text)
        nodes: list[_Node] = parser.close()
    except DefusedXmlException:
        raise FormatError(
            path,
            Message(
                "the XML declares entities or refers to another file, and irjudge reads neither; "
                "replace each reference with its text",
                key="entities",
            ),
            builder.line,
        ) from None
    except ParseError as error:
        raise FormatError(
            path,
            Message(
                "not well-formed XML ({reason}); {expected}",
                key="not-well-formed",
                reason=str(error).partition(":")[0],
                expected=EXPECTED,
            ),
            error.position[0],
        ) from None
    except (
        ValueError,
        LookupError,
    ) as error:  # the declared encoding of the file is unknown
        raise FormatError(
            path,
            Message("the XML cannot be read ({error})", key="unreadable-xml", error=error),
            1,
        ) from None
    return nodes


def _make_xml_record(node: _Node, path: Path) -> Record:
    fields: dict[str, object] = dict(node.attributes)
    if node.tag == "session":
        fields |= _read_session(node)
    for child in node.children:
        if child.tag != "subtopic" and not (
            node.tag == "session" and child.tag in ("topic", "currentquery")
        ):
            fields.setdefault(child.tag, child.text)
    if not node.children:
        fields.setdefault("text", node.text)
    if subtopics := [_format_subtopic(child) for child in node.children if child.tag == "subtopic"]:
        narratives = [str(fields[name]) for name in ("narrative", "narr") if name in fields]
        fields["narrative"] = "\n\n".join(narratives + subtopics)
        fields.pop("narr", None)
    return Record(path, node.line, fields)


def _read_session(node: _Node) -> dict[str, object]:
    """Return the topic of a session as fields; the title is the current or last query."""
    fields: dict[str, object] = {}
    if topic_node := node.child("topic"):
        fields |= {child.tag: child.text for child in topic_node.children}
    current_query = node.child("currentquery") or next(
        (child for child in reversed(node.children) if child.tag == "interaction"), None
    )
    if current_query and (
        query := current_query.child("query")
        or (current_query if current_query.tag == "currentquery" else None)
    ):
        for name in TITLE_FIELDS:
            fields.pop(name, None)
        fields["title"] = query.text
    return fields


def _format_subtopic(node: _Node) -> str:
    description = " ".join(
        node.attributes[name] for name in ("number", "num", "id") if name in node.attributes
    )
    kind = f" ({node.attributes['type']})" if node.attributes.get("type") else ""
    return (
        Message(
            "Subtopic {about}{kind}: {folded}",
            about=description,
            kind=kind,
            folded=collapse_whitespace(node.text),
        )
        if description
        else Message("Subtopic{kind}: {folded}", kind=kind, folded=collapse_whitespace(node.text))
    )


def _strip_namespace(name: str) -> str:
    return name.rpartition("}")[2].lower()
