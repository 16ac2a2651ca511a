"""Topics in TREC's dialects of SGML: <top> with its tags closed or not, or documents that are queries."""

import re
from collections.abc import Iterator

from irjudge.errors import FormatError
from irjudge.formats.archives import Entry
from irjudge.formats.records import checked_id
from irjudge.formats.remarks import Remarks
from irjudge.formats.sgml import BREAKS, STYLES, Block, Piece, closed_blocks, gap, open_blocks, pieces, unescaped
from irjudge.formats.topic_records import paragraphs
from irjudge.formats.trec_documents import trec_fields
from irjudge.formats.utf8 import decoded, folded, whole
from irjudge.model.topic import Topic

# The tags of a topic, and the word that may stand in front of their text.
_FIELDS = {"num": "id", "number": "id", "title": "title", "desc": "description", "description": "description"}
_FIELDS |= {"narr": "narrative", "narrative": "narrative"}
_PREFIXES = {
    "id": re.compile(r"\s*+(?:number|topic)\s*+:", re.IGNORECASE),
    "title": re.compile(r"\s*+(?:topic|title)\s*+:", re.IGNORECASE),
    "description": re.compile(r"\s*+description\s*+:", re.IGNORECASE),
    "narrative": re.compile(r"\s*+narrative\s*+:", re.IGNORECASE),
}
_LANGUAGE = re.compile(r"[a-z]{1,3}-(?=(?:num|title|desc|narr)$)")


def sgml_topics(entry: Entry, remarks: Remarks) -> Iterator[Topic]:
    """Yield the topic in each `<top>`."""
    text = decoded(whole(entry.stream, entry.where), entry.where).replace("\r\n", "\n")
    for block in open_blocks(text, "top"):
        fields = _fields(block, remarks)
        if "id" not in fields:
            raise FormatError(entry.where, "the topic has no <num>, expected a number in each <top>", block.line)
        yield Topic(
            checked_id(folded(fields["id"]), entry.where, block.line, remarks),
            folded(fields.get("title", "")),
            paragraphs(fields.get("description", "")),
            paragraphs(fields.get("narrative", "")),
        )


def _fields(block: Block, remarks: Remarks) -> dict[str, str]:
    """Return the text of each field of a topic, with its tags closed or not.

    A tag begins a field when it is one of a topic's own, when it starts a line, or when no field is open;
    other tags inside a field are dropped and their text is kept. A field that is not read, or was there before,
    is kept apart as `<tag`.
    """
    texts: dict[str, list[str]] = {}
    filled: set[str] = set()
    here, closes, closed = "", "", False
    for piece in pieces(block.text):
        name = _LANGUAGE.sub("", piece.tag)
        if here and name == closes:
            here, closed = "", True
        elif _begins_field(name, piece, here):
            field = _FIELDS.get(name, f"<{name}")
            here, closes = f"<{name}" if field in filled else field, f"/{name}"
        elif here:
            texts[here].append(gap(name))
        if here:
            texts.setdefault(here, []).append(piece.text)
            filled.update([here] if piece.text.strip() else [])
    remarks.unread(name[1:] for name in texts if name.startswith("<") and name in filled)
    return {name: _plain(name, "".join(parts), closed=closed) for name, parts in texts.items() if not name.startswith("<")}


def _begins_field(name: str, piece: Piece, here: str) -> bool:
    if not name or name.startswith("/") or name in STYLES | BREAKS:
        return False
    return name in _FIELDS or piece.starts_line or not here


def _plain(name: str, text: str, *, closed: bool) -> str:
    text = _PREFIXES[name].sub("", text, count=1) if _PREFIXES[name].match(text) else text
    return unescaped(text) if closed else text


def document_topics(entry: Entry, remarks: Remarks) -> Iterator[Topic]:
    """Yield each TREC document as a topic: its text is the query."""
    for block in closed_blocks(entry.stream, entry.where, "doc"):
        if isinstance(block, Block):
            fields = trec_fields(block, entry.where, remarks)
            title = folded(fields.title) or folded(fields.text)
            yield Topic(fields.id, title, paragraphs(fields.text) if fields.title else "")
