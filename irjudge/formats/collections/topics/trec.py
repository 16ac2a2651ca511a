"""Topics in TREC's dialects of SGML: <top> with its tags closed or not, or documents that are queries."""

import re
from collections.abc import Iterator, Mapping
from pathlib import Path

from irjudge.errors import FormatError
from irjudge.formats.bytes.archives import ArchiveEntry
from irjudge.formats.bytes.utf8 import decoded, folded, whole
from irjudge.formats.collections.sgml import BREAKS, STYLES, Piece, TaggedBlock, closed_blocks, gap, open_blocks, pieces, unescaped
from irjudge.formats.collections.topics.records import names_of, paragraphs, topics_of
from irjudge.formats.collections.trec_documents import trec_fields
from irjudge.formats.remarks import Remarks
from irjudge.formats.rows.records import Names, Record
from irjudge.model.topic import Topic

# The tags of a topic that begin a field wherever they stand, and those that do at the start of a line.
_OWN: dict[str, Names] = {
    "id": ("num", "number"),
    "title": ("title",),
    "description": ("desc", "description"),
    "narrative": ("narr", "narrative"),
}
_NAMES: dict[str, Names] = _OWN | {"title": ("title", "query", "content")}
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
    return topics_of((_record(entry.where, block.line, fields, names) for block, fields in blocks), remarks, entry.columns, _NAMES)


def _record(where: Path, line: int, fields: dict[str, str], names: Mapping[str, Names]) -> Record:
    """Return the fields of a topic with an id and a title, which is empty where there is no text at all."""
    identifier = next((name for name in names["id"] if name in fields), None)
    if identifier is None:
        raise FormatError(where, "the topic has no <num>, expected a number in each <top>", line)
    texts = [name for part, each in names.items() if part != "id" for name in each]
    first, _, below = fields[identifier].strip().partition("\n")
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
    return {name: _plain(name, "".join(parts), closed=closed) for name, parts in texts.items() if not name.startswith("<")}


def _begins_field(name: str, piece: Piece, here: str, own: frozenset[str]) -> bool:
    if not name or name.startswith("/") or name in STYLES | BREAKS:
        return False
    return name in own or piece.starts_line or not here


def _plain(name: str, text: str, *, closed: bool) -> str:
    prefix = next((_PREFIXES[part] for part, names in _OWN.items() if name in names), None)
    text = prefix.sub("", text, count=1) if prefix and prefix.match(text) else text
    return unescaped(text) if closed else text


def document_topics(entry: ArchiveEntry, remarks: Remarks) -> Iterator[Topic]:
    """Yield each TREC document as a topic: its text is the query."""
    for block in closed_blocks(entry.stream, entry.where, "doc"):
        if isinstance(block, TaggedBlock):
            fields = trec_fields(block, entry.where, remarks)
            title = folded(fields.title) or folded(fields.text)
            yield Topic(fields.id, title, paragraphs(fields.text) if fields.title else "")
