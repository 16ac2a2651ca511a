"""Topics in TREC's dialects of SGML: <top> with its tags closed or not, or documents that are queries."""

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
from pathlib import Path
from urllib.parse import unquote

from irjudge.errors import FormatError
from irjudge.formats.bytes.archives import ArchiveEntry
from irjudge.formats.bytes.utf8 import decoded, folded, numbered_lines, whole
from irjudge.formats.collections.sgml import (
    BREAKS,
    STYLES,
    Piece,
    TaggedBlock,
    attribute,
    closed_blocks,
    gap,
    open_blocks,
    pieces,
    unescaped,
)
from irjudge.formats.collections.topics.records import names_of, paragraphs, topics_of
from irjudge.formats.collections.trec_documents import trec_fields
from irjudge.formats.forms import FirstLook
from irjudge.formats.remarks import Remarks
from irjudge.formats.rows.columns import LONGEST_SHOWN
from irjudge.formats.rows.records import Names, Record, checked_id, json_lines, json_list, storable
from irjudge.message import Message
from irjudge.model.documents import Topic

NUMBERS: Names = ("number", "topic_number", "id")
TURN_LISTS: Names = ("turn", "turns")
TURN_NUMBERS: Names = ("number", "turn_id", "turn_number")
SAID: Names = ("raw_utterance", "utterance")
RESOLVED: Names = (
    "manual_rewritten_utterance",
    "resolved_utterance",
    "rewritten_utterance",
    "automatic_rewritten_utterance",
)
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
        raise FormatError(
            record.where,
            Message("conversation {number} has no list of turns", key="no-turns", number=number),
            record.line,
        )
    about = [text for name in ABOUT if (text := _text(record, (name,), remarks))] + _statements(
        record
    )
    before: list[str] = []
    for at, fields in enumerate(turns, 1):
        turn = replace(record, fields=fields if isinstance(fields, Mapping) else {})
        said, meant = _text(turn, SAID, remarks), _text(turn, RESOLVED, remarks)
        by_system = _text(turn, (SPEAKER,), remarks).lower() == "system"
        if (said or meant) and not by_system:
            called = turn.text(TURN_NUMBERS, remarks) or str(at)
            identifier = checked_id(
                f"{number}_{called.strip()}", record.where, record.line, remarks
            )
            description = said if meant and said != meant else ""
            yield Topic(
                identifier,
                folded(meant or said),
                description,
                paragraphs("\n\n".join([*about, *before])),
            )
            before.append(meant or said)
        if answer := _text(turn, ANSWERS, remarks) or (said if by_system else ""):
            before.append(Message("Answer: {answer}", answer=answer))


def _statements(record: Record) -> list[str]:
    """Return what iKAT says about the person who asks, a sentence each."""
    found = record.fields.get(STATEMENTS)
    if isinstance(found, Mapping):
        said: Iterable[object] = found.values()
    elif isinstance(found, list):
        said = found
    else:
        said = ()
    return [
        storable(folded(each), record.where.name, Remarks())
        for each in said
        if isinstance(each, str)
    ]


def _text(record: Record, names: Names, remarks: Remarks) -> str:
    """Return the first of the fields that holds text, on one line; nothing where none does."""
    filled = next(
        (
            name
            for name in names
            if isinstance(record.fields.get(name), str) and record.fields[name]
        ),
        None,
    )
    return folded(record.text((filled,), remarks) or "") if filled else ""


_QUERY = re.compile(r"\s*+(\d{1,18}):(.*+)", re.ASCII)
_PRIORITY = re.compile(r"\s*+(\d):(?=.*\S)", re.ASCII)


def is_numbered_queries(look: FirstLook) -> bool:
    """Tell whether each of the first lines is a number, a colon and text."""
    found = [_QUERY.fullmatch(line) for line in look.lines]
    return bool(found) and all(each and each[2].strip() for each in found)


def numbered_queries(entry: ArchiveEntry, remarks: Remarks) -> Iterator[Topic]:
    """Yield the queries. Where each has a digit and a colon in front of its text, as `20001:1:obama family tree`, it is its priority."""
    queries = [
        _query(number, line, entry) for number, line in numbered_lines(entry.stream, entry.where)
    ]
    prioritised = all(_PRIORITY.match(query[2]) for query in queries)
    if prioritised:
        remarks.unread([Message("the priority of each query")])
    for query in queries:
        begin = _PRIORITY.match(query[2]) if prioritised else None
        text = query[2][begin.end() :] if begin else query[2]
        yield Topic(checked_id(query[1], entry.where, None, remarks), folded(text))


def _query(number: int, line: str, entry: ArchiveEntry) -> re.Match[str]:
    query = _QUERY.fullmatch(line)
    if not query:
        problem = Message(
            "found “{line}”, expected a number, a colon and the query",
            key="not-a-query",
            line=line.strip()[:LONGEST_SHOWN],
        )
        raise FormatError(entry.where, problem, number)
    return query


NUMBER = "num"
NAMES: dict[str, Names] = {
    "id": (NUMBER, "number", "qid", "id", "tid", "topicid"),
    "title": ("title", "query", "content", "question"),
    "description": ("desc", "description"),
    "narrative": ("narr", "narrative"),
}

_BEGINS = re.compile(rb"(?:<\?xml[^<>]*+>\s*+)?<topic(?:\s[^<>]*+)?+>")
_NUMBERED = re.compile(rb"<topic\s++q\s*+=|<num>|<tid>")


def is_ntcir_topics(look: FirstLook) -> bool:
    """Tell whether the outermost element is a topic that is numbered as NTCIR numbers them."""
    return bool(_BEGINS.match(look.start) and _NUMBERED.search(look.start))


def ntcir_topics(entry: ArchiveEntry, remarks: Remarks) -> Iterator[Topic]:
    """Yield the topics; what stands in a field's own tags, such as the background in a narrative, belongs to its text."""
    blocks = (
        block
        for block in closed_blocks(entry.stream, entry.where, "topic")
        if isinstance(block, TaggedBlock)
    )
    return topics_of(
        (Record(entry.where, block.line, _ntcir_fields(block)) for block in blocks),
        remarks,
        entry.columns,
        NAMES,
    )


def _ntcir_fields(block: TaggedBlock) -> dict[str, object]:
    """Return the text of each outermost tag; the number may stand in the attribute `q` of the topic."""
    texts: dict[str, list[str]] = {}
    here = ""
    for piece in pieces(block.text):
        if here and piece.tag == f"/{here}":
            here = ""
        elif here:
            texts[here].append(gap(piece.tag))
        elif piece.tag and not piece.tag.startswith("/"):
            here = piece.tag
        if here:
            texts.setdefault(here, []).append(piece.text)
    fields: dict[str, object] = {
        name: unescaped("".join(parts)).strip() for name, parts in texts.items()
    }
    number = attribute(block.attributes, "q")
    return {NUMBER: number, **fields} if number else fields


# The tags of a topic that begin a field wherever they stand, and those that do at the start of a line.
_OWN: dict[str, Names] = {
    "id": ("num", "number"),
    "title": ("title",),
    "description": ("desc", "description"),
    "narrative": ("narr", "narrative"),
}
_NAMES: dict[str, Names] = _OWN | {"title": ("title", "query", "content")}
LINKED, ADDRESS = "docid", "url"  # of the document that is itself the topic
# The word that may stand in front of the text.
_PREFIXES = {
    "id": re.compile(r"\s*+(?:number|topic)\s*+:", re.IGNORECASE),
    "title": re.compile(r"\s*+(?:topic|title)\s*+:", re.IGNORECASE),
    "description": re.compile(r"\s*+description\s*+:", re.IGNORECASE),
    "narrative": re.compile(r"\s*+narrative\s*+:", re.IGNORECASE),
}
_LANGUAGE = re.compile(r"^(/?)[a-z]{1,2}-(?=(?:num|title|desc|narr)$)")


def sgml_topics(entry: ArchiveEntry, remarks: Remarks) -> Iterator[Topic]:
    """Yield the topic in each `<top>`."""
    text = decoded(whole(entry.stream, entry.where), entry.where).replace("\r\n", "\n")
    names = names_of(entry.columns, _NAMES)
    own = frozenset(name for each in names_of(entry.columns, _OWN).values() for name in each)
    blocks = ((block, _fields(block, own, remarks)) for block in open_blocks(text, "top"))
    return topics_of(
        (_record(entry.where, block.line, fields, names) for block, fields in blocks),
        remarks,
        entry.columns,
        _NAMES,
    )


def _record(where: Path, line: int, fields: dict[str, str], names: Mapping[str, Names]) -> Record:
    """Return the fields of a topic with an id and a title, which is empty where there is no text at all."""
    identifier = next((name for name in names["id"] if name in fields), None)
    if identifier is None:
        raise FormatError(
            where,
            Message("the topic has no <num>, expected a number in each <top>", key="no-number"),
            line,
        )
    texts = [name for part, each in names.items() if part != "id" for name in each]
    first, _, below = fields[identifier].strip().partition("\n")
    if (document := fields.get(LINKED, "").strip()) and not any(
        name in fields for name in texts
    ):  # background linking
        about = {
            names["title"][0]: Message("Document {document}", document=document),
            names["description"][0]: fields.get(ADDRESS, ""),
        }
        return Record(where, line, {identifier: folded(fields[identifier]), **about})
    if not any(name in fields for name in texts):
        return Record(where, line, {**fields, identifier: folded(first), names["title"][0]: below})
    return Record(where, line, {**fields, identifier: folded(fields[identifier])})


def _fields(block: TaggedBlock, own: frozenset[str], remarks: Remarks) -> dict[str, str]:
    """Return the text of each tag of a topic, closed or not.

    A tag begins a field when it is one of a topic's own, when it starts a line, or when no field is open;
    other tags inside a field are dropped and their text is kept. Of a tag that comes twice the first text counts.
    """
    texts: dict[str, list[str]] = {}
    filled: set[str] = set()
    here, closes, closed = "", "", False
    for piece in pieces(block.text):
        name = _LANGUAGE.sub(r"\1", piece.tag)
        if here and name == closes:
            here, closed = "", True
        elif _begins_field(name, piece, here, own):
            here, closes = f"<{name}" if name in filled else name, f"/{name}"
        elif here:
            texts[here].append(gap(name))
        if here:
            texts.setdefault(here, []).append(piece.text)
            filled.update([here] if piece.text.strip() else [])
    remarks.unread(name[1:] for name in texts if name.startswith("<") and name in filled)
    return {
        name: _plain(name, "".join(parts), closed=closed)
        for name, parts in texts.items()
        if not name.startswith("<")
    }


def _begins_field(name: str, piece: Piece, here: str, own: frozenset[str]) -> bool:
    if not name or name.startswith("/") or name in STYLES | BREAKS:
        return False
    return name in own or piece.starts_line or not here


def _plain(name: str, text: str, *, closed: bool) -> str:
    prefix = next((_PREFIXES[part] for part, names in _OWN.items() if name in names), None)
    begin = prefix.match(text) if prefix else None
    text = text[begin.end() :] if begin else text
    return unescaped(text) if closed else text


_OUTLINE = re.compile(r"[A-Za-z]\w*:(?=[^/\s])\S+")
_HEADING = re.compile(r"[a-z]\w*:\S*(?:/|%[0-9a-f]{2})\S*")


def is_outline(look: FirstLook) -> bool:
    """Tell whether each of the first lines is the path of a heading, as CAR writes `enwiki:Title/Heading`, with blanks as `%20`."""
    lines = [line.strip() for line in look.lines]
    paths = all(_OUTLINE.fullmatch(line) and "://" not in line for line in lines)
    return paths and any(map(_HEADING.fullmatch, lines))


def outline_topics(entry: ArchiveEntry, remarks: Remarks) -> Iterator[Topic]:
    """Yield each heading of an outline: its path is its id, and read as words its title."""
    for number, line in numbered_lines(entry.stream, entry.where):
        path = line.strip()
        if not _OUTLINE.fullmatch(path):
            problem = Message(
                "found “{line}”, expected the path of a heading, as enwiki:Title/Heading",
                key="not-a-heading",
                line=path[:LONGEST_SHOWN],
            )
            raise FormatError(entry.where, problem, number)
        words = storable(
            unquote(path.partition(":")[2].replace("/", " / "), errors="replace"),
            entry.name,
            remarks,
        )
        yield Topic(checked_id(path, entry.where, number, remarks), folded(words))


def document_topics(entry: ArchiveEntry, remarks: Remarks) -> Iterator[Topic]:
    """Yield each TREC document as a topic: its text is the query."""
    for block in closed_blocks(entry.stream, entry.where, "doc"):
        if isinstance(block, TaggedBlock):
            fields = trec_fields(block, entry.where, remarks)
            title = folded(fields.title) or folded(fields.text)
            yield Topic(fields.id, title, paragraphs(fields.text) if fields.title else "")
