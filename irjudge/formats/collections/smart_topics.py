"""Queries of SMART collections as topics."""

from collections.abc import Iterator

from irjudge.formats.bytes.archives import Entry
from irjudge.formats.bytes.utf8 import folded
from irjudge.formats.collections.smart import ID, TEXT, TITLE, smart_records
from irjudge.formats.collections.topic_records import paragraphs
from irjudge.formats.remarks import Remarks
from irjudge.formats.rows.records import checked_id
from irjudge.model.topic import Topic


def smart_topics(entry: Entry, remarks: Remarks) -> Iterator[Topic]:
    """Yield each query: `.W` is its title, or its description where `.T` is there too."""
    for record in smart_records(entry.stream, entry.where, remarks):
        fields = {letter: str(text) for letter, text in record.fields.items()}
        remarks.unread(f".{letter}" for letter in fields if letter not in (ID, TITLE, TEXT))
        title, text = fields.get(TITLE, ""), fields.get(TEXT, "")
        name = checked_id(fields[ID], entry.where, record.line, remarks)
        yield Topic(name, folded(title or text), paragraphs(text) if title else "")
