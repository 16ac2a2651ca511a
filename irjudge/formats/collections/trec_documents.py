"""Documents in TREC's SGML: `<DOC>`, its id, its title and its text; or in TRECWEB's, where a page follows a `<DOCHDR>`."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import TypeAlias

from irjudge.errors import FormatError
from irjudge.formats.bytes.archives import ArchiveEntry
from irjudge.formats.bytes.utf8 import folded
from irjudge.formats.collections.sgml import (
    TAG,
    TaggedBlock,
    attribute,
    closed_blocks,
    gap,
    pieces,
    unescaped,
    without_comments,
)
from irjudge.formats.collections.whole_files import html_title
from irjudge.formats.remarks import BETWEEN_RECORDS, NO_ID, SMART_MARKS, Remarks
from irjudge.formats.rows.records import checked_id
from irjudge.message import Message
from irjudge.model.documents import Document

ID_TAG = "docno"
TITLE_TAGS = ("headline", "title", "ti", "hl", "head", "ttl")
TEXT_TAGS = ("text", "lp", "leadpara")
READ = frozenset((ID_TAG, *TITLE_TAGS, *TEXT_TAGS))
WEB_TAG = "dochdr"

_WEB_ID = re.compile(rf"<{ID_TAG}>([^<]*+)</{ID_TAG}>", re.IGNORECASE)
_WEB_HEADER = re.compile(rf"</?{WEB_TAG}>", re.IGNORECASE)
_SMART = re.compile(r"^\.W[ \t]*$", re.MULTILINE)

Run: TypeAlias = tuple[str, str]
"""A tag, and text that stands under it."""


@dataclass(frozen=True, slots=True)
class TrecFields:
    """What is read of a `<DOC>`."""

    id: str
    title: str
    text: str


def trec_documents(entry: ArchiveEntry, remarks: Remarks) -> Iterator[Document]:
    """Yield the documents of a file in TREC's SGML; those with a `<DOCHDR>` are pages of HTML.

    A page without id is left out and remarked: no run can name it, and one in millions should not cost the others.
    """
    for block in closed_blocks(entry.stream, entry.where, "doc"):
        if isinstance(block, TaggedBlock) and (header := _header(block.text)):
            yield from _page(block, header, entry, remarks)
        elif isinstance(block, TaggedBlock):
            fields = trec_fields(block, entry.where, remarks)
            if ".W" in fields.text and _SMART.search(fields.text):
                remarks.add(SMART_MARKS, fields.id)
            yield Document(fields.id, fields.text.encode(), fields.title)
        elif stray := folded(TAG.sub("", without_comments(block))):
            remarks.add(BETWEEN_RECORDS, f"{entry.name}, “{stray[:40]}”")


def _header(text: str) -> tuple[int, int] | None:
    """Return where the header of a page begins and ends; None when there is none."""
    begins = _WEB_HEADER.search(text)
    if not begins or begins[0].startswith("</"):
        return None
    ends = _WEB_HEADER.search(text, begins.end())
    return begins.start(), ends.end() if ends else begins.end()


def _page(
    block: TaggedBlock, header: tuple[int, int], entry: ArchiveEntry, remarks: Remarks
) -> Iterator[Document]:
    found = _WEB_ID.search(block.text, 0, header[0])
    if not found:
        remarks.add(NO_ID, Message("{entry}, line {line}", entry=entry.name, line=block.line))
        return
    source = block.text[header[1] :].strip()
    yield Document(
        checked_id(unescaped(found[1]), entry.where, block.line, remarks),
        source.encode(),
        html_title(source),
        "html",
    )


def trec_fields(block: TaggedBlock, where: Path, remarks: Remarks) -> TrecFields:
    """Return id, title and text of one `<DOC>`.

    The text is what stands in `<TEXT>` (and `<LP>`, a lead paragraph); without such a tag it is everything
    but the id and the title. Tags inside the text are dropped, what they hold stays.
    """
    runs = _runs(block, where)
    special = dict.fromkeys((ID_TAG, *TITLE_TAGS), "")
    special |= {
        tag: "".join(text for here, text in runs if here == tag)
        for tag in {tag for tag, _ in runs} & special.keys()
    }
    identifier = (
        special[ID_TAG] or attribute(block.attributes, "id") or attribute(block.attributes, "docno")
    )
    if not identifier.strip():
        raise FormatError(
            where,
            Message("the document has no id, expected <DOCNO> in each <DOC>", key="no-id"),
            block.line,
        )
    titles = (folded(unescaped(special[tag])) for tag in TITLE_TAGS)
    title = next(filter(None, titles), "") or attribute(block.attributes, "title")
    return TrecFields(
        checked_id(unescaped(identifier), where, block.line, remarks), title, _body(runs, remarks)
    )


def _body(runs: list[Run], remarks: Remarks) -> str:
    rest = [(tag, text) for tag, text in runs if tag != ID_TAG and tag not in TITLE_TAGS]
    marked = [(tag, text) for tag, text in rest if tag in TEXT_TAGS]
    if marked:
        remarks.unread(tag for tag, text in rest if tag and tag not in TEXT_TAGS and text.strip())
    return unescaped("".join(text for _, text in marked or rest)).strip()


def _runs(block: TaggedBlock, where: Path) -> list[Run]:
    """Return the text in its order, each run with the tag it stands under: one that is read, or the outermost."""
    runs: list[Run] = []
    here, seen_id = "", False
    for piece in pieces(block.text):
        if piece.tag == "doc" and seen_id:
            raise FormatError(
                where,
                Message(
                    "<DOC> is not closed before the next one, expected </DOC>", key="not-closed"
                ),
                block.line,
            )
        if _opens(piece.tag, here):
            here, seen_id = piece.tag, seen_id or piece.tag == ID_TAG
        elif piece.tag:
            runs.append((here, gap(piece.tag)))
        if piece.tag == f"/{here}":
            here = ""
        runs.append((here, piece.text))
    return runs


def _opens(tag: str, here: str) -> bool:
    if tag.startswith("/") or not tag:
        return False
    return (here not in TEXT_TAGS and tag in READ) or (here not in READ and gap(tag) == " ")
