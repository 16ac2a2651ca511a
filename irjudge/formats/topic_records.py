"""Topics as records with named fields: what JSON, tables and XML say of a topic, by the names it goes by."""

import re

from irjudge.errors import FormatError
from irjudge.formats.records import Names, Record
from irjudge.formats.remarks import Remarks
from irjudge.formats.utf8 import folded
from irjudge.model.topic import Topic

IDS: Names = tuple("id _id qid query_id query-id queryid topic_id topic-id topicid question_id number num identifier topic".split())
TITLES: Names = ("title", "text", "query", "question")
DESCRIPTIONS: Names = ("description", "desc", "question", "summary")
NARRATIVES: Names = ("narrative", "narr", "background", "note")
KNOWN: Names = (*IDS, *TITLES, *DESCRIPTIONS, *NARRATIVES)

_PARAGRAPHS = re.compile(r"\n[ \t]*+\n")


def topic_of(record: Record, remarks: Remarks) -> Topic:
    """Return the topic that a record describes.

    Raises
    ------
    FormatError
        When it has no id, or none of the fields that hold text.
    """
    identifier = record.id(IDS, remarks)
    title = record.text(TITLES, remarks)
    used = record.name(TITLES)
    description = record.text(tuple(name for name in DESCRIPTIONS if name != used), remarks)
    narrative = record.text(NARRATIVES, remarks)
    if title is None and description is None and narrative is None:
        raise FormatError(record.where, f"the topic has no text, expected one of {', '.join(TITLES)}", record.line)
    remarks.unread(name for name in record.fields if name not in KNOWN)
    return Topic(identifier, folded(title or ""), paragraphs(description or ""), paragraphs(narrative or ""))


def paragraphs(text: str) -> str:
    """Return text with each paragraph on one line, and an empty line between paragraphs."""
    folds = (folded(part) for part in _PARAGRAPHS.split(text))
    return "\n\n".join(part for part in folds if part)
