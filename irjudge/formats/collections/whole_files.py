"""Files that are one text each: documents whose id is the file's name (plain, Markdown, HTML, images, office), and instructions."""

import re
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path, PurePosixPath

from irjudge.errors import FormatError
from irjudge.formats.bytes.archives import ArchiveEntry
from irjudge.formats.bytes.utf8 import decoded, folded, whole
from irjudge.formats.collections.office import office_form, office_text
from irjudge.formats.collections.sgml import TAG, gap, unescaped, without_comments
from irjudge.formats.remarks import BROKEN_UTF8, OFFICE_UNREADABLE, Remarks
from irjudge.formats.rows.records import checked_id
from irjudge.message import Message
from irjudge.model.documents import Document, DocumentKind

_IMAGE = re.compile(
    rb"\x89PNG\r\n\x1a\n|\xff\xd8\xff|GIF8[79]a|RIFF.{4}WEBP|BM.{4}\0{4}", re.DOTALL
)
_HEADING = re.compile(r"\s*+#[ \t]++([^\n]++)")


def text_file(entry: ArchiveEntry, remarks: Remarks) -> Iterator[Document]:
    """Yield the file as plain text."""
    yield _document(entry, "text", "", _source(entry, remarks), remarks)


def markdown_file(entry: ArchiveEntry, remarks: Remarks) -> Iterator[Document]:
    """Yield the file as Markdown; a heading that begins it is the title."""
    source = _source(entry, remarks)
    heading = _HEADING.match(source)
    yield _document(
        entry, "markdown", folded(heading[1].rstrip("# ")) if heading else "", source, remarks
    )


def html_file(entry: ArchiveEntry, remarks: Remarks) -> Iterator[Document]:
    """Yield the file as HTML; `<title>` is the title, else the first `<h1>`."""
    source = _source(entry, remarks)
    yield _document(entry, "html", html_title(source), source, remarks)


def image_file(entry: ArchiveEntry, remarks: Remarks) -> Iterator[Document]:
    """Yield the file's bytes as an image; nothing is decoded here."""
    name = checked_id(PurePosixPath(entry.name).stem, entry.where, None, remarks)
    yield Document(name, whole(entry.stream, entry.where), "", "image")


def office_file(entry: ArchiveEntry, remarks: Remarks) -> Iterator[Document]:
    """Yield the text of a PDF, DOCX or ODT file; its title is what it says of itself. One among many that cannot be read is left out."""
    form = office_form(entry.head, entry.name)
    try:
        data = whole(entry.stream, entry.where)
        title, text = office_text(data, form, entry.where)
    except FormatError:
        if not entry.holder:
            raise
        remarks.add(OFFICE_UNREADABLE, entry.name)
        return
    yield replace(
        _document(entry, "text", folded(title), text, remarks), pdf=data if form == "PDF" else b""
    )


def is_image(head: bytes) -> bool:
    """Tell whether a file begins as PNG, JPEG, GIF, WebP or BMP files do."""
    return _IMAGE.match(head) is not None


def html_title(source: str) -> str:
    """Return the text of `<title>`, or of the first `<h1>`; empty when there is neither.

    >>> html_title("<h1>A <i>new</i> day</h1><p>…")
    'A new day'
    """
    source = without_comments(source)
    return _element(source, "title") or _element(source, "h1")


def _element(source: str, tag: str) -> str:
    begins = re.search(rf"<{tag}(?:\s[^<>]*+)?+>", source, re.IGNORECASE)
    if not begins:
        return ""
    ends = re.compile(rf"</{tag}\s*+>", re.IGNORECASE).search(source, begins.end())
    text = source[begins.end() : ends.start()] if ends else ""
    return folded(unescaped(TAG.sub(lambda match: gap(match[2].lower()), text)))


def _source(entry: ArchiveEntry, remarks: Remarks) -> str:
    raw = whole(entry.stream, entry.where)
    try:
        return raw.decode("utf-8-sig")
    except UnicodeDecodeError:
        remarks.add(BROKEN_UTF8, entry.name)
        return raw.decode("utf-8-sig", "replace")


def _document(
    entry: ArchiveEntry, kind: DocumentKind, title: str, source: str, remarks: Remarks
) -> Document:
    name = checked_id(PurePosixPath(entry.name).stem, entry.where, None, remarks)
    return Document(name, source.encode(), title, kind)


def read_instructions(path: Path) -> str:
    """Return the text of a file of instructions."""
    try:
        text = decoded(path.read_bytes(), path).replace("\0", "\N{REPLACEMENT CHARACTER}")
    except OSError as fault:
        raise FormatError(
            path, Message("cannot be read ({value})", value=fault.strerror or fault)
        ) from fault
    if not text.strip():
        raise FormatError(
            path, Message("it is empty, expected instructions in Markdown", key="empty-file")
        )
    return text
