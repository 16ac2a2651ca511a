"""Articles of the TREC News track: JSON lines whose contents are a list of paragraphs, headings and pictures."""

import html
import re
from collections.abc import Iterator, Mapping

from irjudge.formats.bytes.archives import ArchiveEntry
from irjudge.formats.bytes.utf8 import folded
from irjudge.formats.collections.document_records import IDS
from irjudge.formats.forms import FirstLook
from irjudge.formats.remarks import Remarks
from irjudge.formats.rows.records import json_lines, storable
from irjudge.model.document import Document

CAPTIONS = ("fullcaption", "caption", "blurb")
TAGS = {"title": "h1", "kicker": "p", "byline": "p", "deck": "h2"}
IN_MARKUP = "text/html"

_CONTENTS = re.compile(rb'"contents"\s*+:\s*+\[\s*+(?:null\s*+,\s*+)*+\{')


def is_news(look: FirstLook) -> bool:
    """Tell whether it is JSON lines in which contents are a list of objects."""
    return look.start.startswith(b"{") and bool(_CONTENTS.search(look.start))


def news_documents(entry: ArchiveEntry, remarks: Remarks) -> Iterator[Document]:
    """Yield the articles as HTML: their paragraphs are in it, and of pictures, galleries and films the captions."""
    for record in json_lines(entry):
        found = record.fields.get("contents")
        parts = [each for each in found if isinstance(each, Mapping)] if isinstance(found, list) else []
        body = "\n".join(filter(None, map(_markup, parts)))
        place = f"{record.where.name}, line {record.line}"
        title = folded(_text(record.fields.get("title"))) or next(
            (folded(_text(each.get("content"))) for each in parts if _is_title(each)), ""
        )
        identifier = record.id(IDS, remarks)
        yield Document(identifier, storable(body, place, remarks).encode(), storable(title, place, remarks), "html")


def _markup(part: Mapping[str, object]) -> str:
    content, kind = part.get("content"), _text(part.get("type"))
    if isinstance(content, list):  # a list of points
        return "<ul>" + "".join(f"<li>{each}</li>" for each in content if isinstance(each, str)) + "</ul>"
    if isinstance(content, str) and kind not in ("date", "image", "gallery", "video"):
        tag = TAGS.get(kind, "p")
        text = content if part.get("mime") == IN_MARKUP or kind == "sanitized_html" else html.escape(content, quote=False)
        return f"<{tag}>{text}</{tag}>"
    caption = next((_text(part.get(name)) for name in CAPTIONS if _text(part.get(name))), "")
    return f"<p><i>{html.escape(caption, quote=False)}</i></p>" if caption else ""


def _is_title(part: Mapping[str, object]) -> bool:
    return part.get("type") == "title"


def _text(value: object) -> str:
    return value if isinstance(value, str) else ""
