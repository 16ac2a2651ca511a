"""Conversations of TREC CAsT and iKAT as topics: each turn of a person is one, called `31_1` by its conversation and its number."""

import re
from collections.abc import Iterator, Mapping
from dataclasses import replace

from irjudge.errors import FormatError
from irjudge.formats.bytes.archives import ArchiveEntry
from irjudge.formats.bytes.utf8 import folded
from irjudge.formats.collections.topics.records import paragraphs
from irjudge.formats.forms import FirstLook
from irjudge.formats.remarks import Remarks
from irjudge.formats.rows.records import Names, Record, checked_id, json_lines, json_list, storable
from irjudge.message import Message
from irjudge.model.topic import Topic

NUMBERS: Names = ("number", "topic_number", "id")
TURN_LISTS: Names = ("turn", "turns")
TURN_NUMBERS: Names = ("number", "turn_id", "turn_number")
SAID: Names = ("raw_utterance", "utterance")
RESOLVED: Names = ("manual_rewritten_utterance", "resolved_utterance", "rewritten_utterance", "automatic_rewritten_utterance")
ANSWERS: Names = ("response", "passage")
ABOUT: Names = ("title", "description")
SPEAKER, STATEMENTS = "participant", "ptkb"

# The list of turns stands behind a title, and iKAT's statements about the person, within the first letters of a file.
_TURNS = re.compile(rb'"turns?"\s*+:\s*+\[\s*+\{')


def is_conversations(look: FirstLook) -> bool:
    """Tell whether it is JSON with a list of turns."""
    return look.start.startswith((b"[", b"{")) and bool(_TURNS.search(look.start))


def conversation_topics(entry: ArchiveEntry, remarks: Remarks) -> Iterator[Topic]:
    """Yield each turn of a person: what was meant is its title, what was said its description, and what came before its narrative."""
    is_list = entry.head.lstrip(b"\xef\xbb\xbf \t\r\n").startswith(b"[")
    for record in json_list(entry) if is_list else json_lines(entry):
        yield from _turns(record, remarks)


def _turns(record: Record, remarks: Remarks) -> Iterator[Topic]:
    number = record.id(NUMBERS, remarks)
    name = record.name(TURN_LISTS)
    turns = record.fields[name] if name else None
    if not isinstance(turns, list):
        raise FormatError(record.where, Message("conversation {number} has no list of turns", number=number), record.line)
    about = [text for name in ABOUT if (text := _text(record, (name,), remarks))] + _statements(record)
    before: list[str] = []
    for at, fields in enumerate(turns, 1):
        turn = replace(record, fields=fields if isinstance(fields, Mapping) else {})
        said, meant = _text(turn, SAID, remarks), _text(turn, RESOLVED, remarks)
        by_system = _text(turn, (SPEAKER,), remarks).lower() == "system"
        if (said or meant) and not by_system:
            called = turn.text(TURN_NUMBERS, remarks) or str(at)
            identifier = checked_id(f"{number}_{called.strip()}", record.where, record.line, remarks)
            description = said if meant and said != meant else ""
            yield Topic(identifier, folded(meant or said), description, paragraphs("\n\n".join([*about, *before])))
            before.append(meant or said)
        if answer := _text(turn, ANSWERS, remarks) or (said if by_system else ""):
            before.append(Message("Answer: {answer}", answer=answer))


def _statements(record: Record) -> list[str]:
    """Return what iKAT says about the person who asks, a sentence each."""
    found = record.fields.get(STATEMENTS)
    said = found.values() if isinstance(found, Mapping) else found if isinstance(found, list) else ()
    return [storable(folded(each), record.where.name, Remarks()) for each in said if isinstance(each, str)]


def _text(record: Record, names: Names, remarks: Remarks) -> str:
    """Return the first of the fields that holds text, on one line; nothing where none does."""
    filled = next((name for name in names if isinstance(record.fields.get(name), str) and record.fields[name]), None)
    return folded(record.text((filled,), remarks) or "") if filled else ""
