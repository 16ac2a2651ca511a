"""Reads topics: what people want to know, in TREC's dialects of SGML, tab-separated lines or JSON."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from irjudge.errors import FormatError
from irjudge.formats.archives import Entry, single_file
from irjudge.formats.forms import Form, Look, recognised, refusing
from irjudge.formats.records import (
    Names,
    Record,
    checked_id,
    fewest_columns,
    header_columns,
    json_lines,
    json_list,
    tab_separated,
)
from irjudge.formats.remarks import NO_TITLE, SAME_TOPIC, Remarks
from irjudge.formats.sgml import BREAKS, STYLES, Block, Piece, closed_blocks, gap, open_blocks, pieces, unescaped
from irjudge.formats.trec_documents import trec_fields
from irjudge.formats.utf8 import decoded, folded, whole
from irjudge.model.topic import Topic

IDS: Names = tuple("id _id qid query_id query-id queryid topic_id topic-id topicid question_id number num topic".split())
TITLES: Names = ("title", "text", "query", "question")
DESCRIPTIONS: Names = ("description", "desc", "question")
NARRATIVES: Names = ("narrative", "narr", "background")
KNOWN: Names = (*IDS, *TITLES, *DESCRIPTIONS, *NARRATIVES)

EXPECTED = "expected TREC topics (<top>), JSON objects with an id and a title or text, or lines with an id, a tab and the query"

_TOP = re.compile(rb"<top[\s>]")
_TOP_STARTS_LINE = re.compile(rb"^[ \t]*+<top[\s>]", re.MULTILINE)
_DOC = re.compile(rb"<doc[\s>]")

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
_PARAGRAPHS = re.compile(r"\n[ \t]*+\n")


@dataclass(frozen=True, slots=True)
class TopicFile:
    """The topics of one file, in its order.

    Parameters
    ----------
    topics
        Ids are unique: of several topics with one id the first is kept.
    form
        What was recognised, in words: "TREC SGML", "TSV", "JSON lines".
    remarks
        What was strange, a sentence each.
    """

    topics: tuple[Topic, ...]
    form: str
    remarks: tuple[str, ...]


def read_topics(path: Path) -> TopicFile:
    """Read a file of topics, plain or packed with gzip.

    Parameters
    ----------
    path
        The content decides about the form, not the name; see `FORMS`.

    Returns
    -------
    TopicFile
        One topic at least.

    Raises
    ------
    FormatError
        When the form is not known, a topic has no id or no text field, or the file is not UTF-8.
    """
    remarks = Remarks()
    for entry in single_file(path):
        form = recognised(entry, FORMS, EXPECTED)
        if form and (topics := _first_of_each(form.read(entry, remarks), remarks)):
            return TopicFile(topics, form.name, remarks.sentences())
    raise FormatError(path, f"no topic was found, {EXPECTED}")


def _first_of_each(topics: Iterator[Topic], remarks: Remarks) -> tuple[Topic, ...]:
    kept: dict[str, Topic] = {}
    for topic in topics:
        if topic.id in kept:
            remarks.add(SAME_TOPIC, topic.id)
            continue
        kept[topic.id] = topic
        if not topic.title:
            remarks.add(NO_TITLE, topic.id)
    return tuple(kept.values())


# TREC's SGML


def _sgml(entry: Entry, remarks: Remarks) -> Iterator[Topic]:
    text = decoded(whole(entry.stream, entry.where), entry.where).replace("\r\n", "\n")
    for block in open_blocks(text, "top"):
        fields = _fields(block, remarks)
        if "id" not in fields:
            raise FormatError(entry.where, "the topic has no <num>, expected a number in each <top>", block.line)
        yield Topic(
            checked_id(folded(fields["id"]), entry.where, block.line, remarks),
            folded(fields.get("title", "")),
            _paragraphs(fields.get("description", "")),
            _paragraphs(fields.get("narrative", "")),
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


def _paragraphs(text: str) -> str:
    """Return text with each paragraph on one line, and an empty line between paragraphs."""
    folds = (folded(part) for part in _PARAGRAPHS.split(text))
    return "\n\n".join(part for part in folds if part)


def _documents(entry: Entry, remarks: Remarks) -> Iterator[Topic]:
    for block in closed_blocks(entry.stream, entry.where, "doc"):
        if isinstance(block, Block):
            fields = trec_fields(block, entry.where, remarks)
            title = folded(fields.title) or folded(fields.text)
            yield Topic(fields.id, title, _paragraphs(fields.text) if fields.title else "")


# Records


def _topic(record: Record, remarks: Remarks) -> Topic:
    identifier = record.id(IDS, remarks)
    title = record.text(TITLES, remarks)
    used = record.name(TITLES)
    description = record.text(tuple(name for name in DESCRIPTIONS if name != used), remarks)
    narrative = record.text(NARRATIVES, remarks)
    if title is None and description is None and narrative is None:
        raise FormatError(record.where, f"the topic has no text, expected one of {', '.join(TITLES)}", record.line)
    remarks.unread(name for name in record.fields if name not in KNOWN)
    return Topic(identifier, folded(title or ""), _paragraphs(description or ""), _paragraphs(narrative or ""))


def _json_lines(entry: Entry, remarks: Remarks) -> Iterator[Topic]:
    return (_topic(record, remarks) for record in json_lines(entry))


def _json_list(entry: Entry, remarks: Remarks) -> Iterator[Topic]:
    return (_topic(record, remarks) for record in json_list(entry))


def _tsv(entry: Entry, remarks: Remarks) -> Iterator[Topic]:
    header = header_columns(entry.head, KNOWN, IDS)
    columns = fewest_columns(entry.head)
    if not header and columns != 2:
        problem = f"found {columns} columns separated by tabs, expected two, an id and the query, or a first line that names the columns"
        raise FormatError(entry.where, problem, 1)
    return (_topic(record, remarks) for record in tab_separated(entry, header or ("id", "text"), header=bool(header)))


def _is_sgml(look: Look) -> bool:
    return bool(_TOP.search(look.start) if look.start.startswith(b"<") else _TOP_STARTS_LINE.search(look.start))


def _is_tsv(look: Look) -> bool:
    return fewest_columns(look.head) > 1 or header_columns(look.head, KNOWN, IDS) is not None


# The first form that fits is taken. A new form is one more line here.
FORMS: tuple[Form[Topic], ...] = (
    Form("TREC SGML", _is_sgml, _sgml),
    Form("TREC documents as topics", lambda look: bool(_DOC.match(look.start)), _documents),
    Form("XML", lambda look: look.start.startswith(b"<"), refusing("a file of XML topics", EXPECTED)),
    Form("JSON list", lambda look: look.start.startswith(b"["), _json_list),
    Form("JSON lines", lambda look: look.start.startswith(b"{"), _json_lines),
    Form("TSV", _is_tsv, _tsv),
)
