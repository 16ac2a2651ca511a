"""Nuggets: the facts that a good answer holds, as TREC RAG keeps them, JSON lines of a topic and its list."""

from collections.abc import Mapping
from pathlib import Path

from irjudge.errors import FormatError
from irjudge.formats.bytes.single import single_file
from irjudge.formats.bytes.utf8 import folded
from irjudge.formats.remarks import Remarks
from irjudge.formats.rows.records import Names, Record, json_lines, json_list, storable
from irjudge.formats.rows.tables import JSON, ColumnKind, read_table, table_form
from irjudge.message import Message
from irjudge.model.answer import Nugget

EXPECTED = Message('expected JSON lines like {{"qid": "7", "nuggets": [{{"text": "…", "importance": "vital"}}]}}')
TOPICS: Names = ("qid", "topic_id", "narrative_id", "query_id", "topic", "id")
PARTS = (ColumnKind("topic", TOPICS), ColumnKind("nugget", ("nugget", "text")), ColumnKind("importance", ("importance",), needed=False))
LIST, TEXTS, IMPORTANCE = "nuggets", ("text", "nugget"), "importance"


def read_nuggets(path: Path) -> dict[str, tuple[Nugget, ...]]:
    """Read the nuggets of each topic: JSON, or a table of topic, nugget and importance as `irjudge answers` prints it."""
    found: dict[str, tuple[Nugget, ...]] = {}
    remarks = Remarks()
    if table_form(path, PARTS) not in ("", JSON):
        return _of_table(path, remarks)
    for entry in single_file(path, remarks):
        is_list = entry.head.lstrip(b"\xef\xbb\xbf \t\r\n").startswith(b"[")
        for record in json_list(entry) if is_list else json_lines(entry):
            topic = record.id(TOPICS, remarks)
            if topic in found:
                raise FormatError(path, Message("topic {topic} is there twice, expected each once", topic=topic), record.line)
            listed = record.fields.get(LIST)
            if not isinstance(listed, list) or not listed:
                raise FormatError(
                    path, Message("topic {topic} has no list of nuggets, {expected}", topic=topic, expected=EXPECTED), record.line
                )
            found[topic] = tuple(_nugget(each, record, remarks) for each in listed)
    if not found:
        raise FormatError(path, Message("no nugget was found, {expected}", expected=EXPECTED))
    return found


def _of_table(path: Path, remarks: Remarks) -> dict[str, tuple[Nugget, ...]]:
    table = read_table(path, PARTS, remarks)
    found: dict[str, list[Nugget]] = {}
    for line, fields in table.records():
        for part in ("topic", "nugget"):
            if not fields[part]:
                raise table.empty(part, line)
        found.setdefault(fields["topic"], []).append(Nugget(folded(fields["nugget"]), folded(fields.get("importance", ""))))
    if not found:
        raise FormatError(path, Message("no nugget was found, {expected}", expected=EXPECTED))
    return {topic: tuple(nuggets) for topic, nuggets in found.items()}


def _nugget(found: object, record: Record, remarks: Remarks) -> Nugget:
    fields = found if isinstance(found, Mapping) else {TEXTS[0]: found}
    text = next((value for name in TEXTS if isinstance(value := fields.get(name), str)), "")
    importance = fields.get(IMPORTANCE)
    if not text.strip():
        raise FormatError(record.where, Message("a nugget has no text, {expected}", expected=EXPECTED), record.line)
    place = f"{record.where.name}, line {record.line}"
    said = folded(storable(importance, place, remarks)) if isinstance(importance, str) else ""
    return Nugget(folded(storable(text, place, remarks)), said)
