"""NTCIR's topics: <TOPIC> one after another with closed tags inside, and no element around them, so that they are no XML."""

import re
from collections.abc import Iterator

from irjudge.formats.bytes.archives import ArchiveEntry
from irjudge.formats.collections.sgml import TaggedBlock, attribute, closed_blocks, gap, pieces, unescaped
from irjudge.formats.collections.topics.records import topics_of
from irjudge.formats.forms import FirstLook
from irjudge.formats.remarks import Remarks
from irjudge.formats.rows.records import Names, Record
from irjudge.model.topic import Topic

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
    blocks = (block for block in closed_blocks(entry.stream, entry.where, "topic") if isinstance(block, TaggedBlock))
    return topics_of((Record(entry.where, block.line, _fields(block)) for block in blocks), remarks, entry.columns, NAMES)


def _fields(block: TaggedBlock) -> dict[str, object]:
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
    fields: dict[str, object] = {name: unescaped("".join(parts)).strip() for name, parts in texts.items()}
    number = attribute(block.attributes, "q")
    return {NUMBER: number, **fields} if number else fields
