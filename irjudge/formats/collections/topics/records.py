"""Topics as records with named fields: what JSON, tables and XML say of a topic, by the names it goes by."""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace

from irjudge.errors import Undecided
from irjudge.formats.bytes.utf8 import folded
from irjudge.formats.remarks import Remarks
from irjudge.formats.rows.mapping import AS_RECOGNISED, ColumnMapping
from irjudge.formats.rows.records import Names, Record
from irjudge.formats.rows.suggestions import describe_columns, record_columns
from irjudge.message import Message
from irjudge.model.documents import Topic

IDS: Names = tuple(
    "id _id qid query_id query-id queryid topic_id topic-id topicid question_id request_id number num identifier topic".split()
)
TITLES: Names = ("title", "text", "query", "question", "content", "query_txt")
DESCRIPTIONS: Names = ("description", "desc", "question", "summary", "problem_statement")
NARRATIVES: Names = ("narrative", "narr", "background", "note")
PART_NAMES: dict[str, Names] = {
    "id": IDS,
    "title": TITLES,
    "description": DESCRIPTIONS,
    "narrative": NARRATIVES,
}
KNOWN: Names = tuple(name for names in PART_NAMES.values() for name in names)

_PARAGRAPHS = re.compile(r"\n[ \t]*+\n")


def topics_of(
    records: Iterable[Record],
    remarks: Remarks,
    columns: ColumnMapping = AS_RECOGNISED,
    known: Mapping[str, Names] = PART_NAMES,
    *,
    by_order: bool = False,
) -> Iterator[Topic]:
    """Yield the topic that each record describes, by the names of fields that are known or that the user said.

    A topic without an id has an empty one where topics are called by their order, and is refused otherwise.
    """
    names = names_of(columns, known)
    met: dict[str, object] = {}
    for record in records:
        record = (
            replace(record, fields={name.lower(): value for name, value in record.fields.items()})
            if columns
            else record
        )
        for name, value in record.fields.items():
            if value:
                met.setdefault(name, value)
        yield _topic(record, names, remarks, by_order=by_order and record.name(names["id"]) is None)
    for _, said in columns.named:
        if met and said.lower() not in met:
            raise Undecided(
                record.where,
                Message(
                    "no topic has {said}; {fields}",
                    key="no-such-field",
                    said=said,
                    fields=describe_columns(record_columns(met), ("id", "title"), "fields"),
                ),
                ("columns",),
            )


def names_of(columns: ColumnMapping, known: Mapping[str, Names]) -> dict[str, Names]:
    """Return the names, in small letters, that each part of a topic goes by: what the user said, else those that are known."""
    lowered = ColumnMapping(tuple((part, name.lower()) for part, name in columns.named))
    return {part: lowered.names(part, names) for part, names in known.items()}


def _identifier(record: Record, names: Names, remarks: Remarks) -> str:
    if record.name(names) is None:
        problem = Message(
            "the record has no id, expected one of {names}; --topic-ids order calls the topics 1, 2, 3 … by their places",
            key="no-id",
            names=", ".join(names),
        )
        raise Undecided(record.where, problem, ("topic_ids", "columns"), record.line)
    return record.id(names, remarks)


def _topic(
    record: Record, names: Mapping[str, Names], remarks: Remarks, *, by_order: bool
) -> Topic:
    identifier = "" if by_order else _identifier(record, names["id"], remarks)
    title = _filled(record, names["title"])
    description = _filled(record, [name for name in names["description"] if name != title])
    narrative = _filled(record, names["narrative"])
    used = [name for name in (title, description, narrative) if name]
    left = [
        name
        for name, value in record.fields.items()
        if name not in names["id"] and name not in used and value
    ]
    if not used:
        strange = describe_columns(
            record_columns({name: record.fields[name] for name in left}),
            ("title",),
            Message("fields not read"),
        )
        expected = ", ".join(names["title"])
        raise Undecided(
            record.where,
            Message(
                "the topic has no text, expected one of {expected}; {strange}",
                key="no-text",
                expected=expected,
                strange=strange,
            ),
            ("columns",),
            record.line,
        )
    remarks.unread(left)
    texts = [
        (record.text((name,), remarks) or "") if name else ""
        for name in (title, description, narrative)
    ]
    return Topic(identifier, folded(texts[0]), paragraphs(texts[1]), paragraphs(texts[2]))


def _filled(record: Record, names: Sequence[str]) -> str | None:
    """Return which of the names the record has; one with something in it before one that is empty."""
    return next((name for name in names if record.fields.get(name)), record.name(tuple(names)))


def paragraphs(text: str) -> str:
    """Return text with each paragraph on one line, and an empty line between paragraphs."""
    folds = (folded(part) for part in _PARAGRAPHS.split(text))
    return "\n\n".join(part for part in folds if part)
