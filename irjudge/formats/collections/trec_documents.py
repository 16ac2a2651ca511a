"""Readers of documents in TREC's SGML format, TRECWEB format and web archives (WARC)."""

import io
import re
import zlib
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import TypeAlias

from irjudge.errors import FormatError, IrjudgeError
from irjudge.formats.bytes import (
    MAX_LINE_BYTES,
    ArchiveEntry,
    collapse_whitespace,
    format_megabytes,
    parse_encoding,
    to_utf8_stream,
)
from irjudge.formats.collections.sgml import (
    TAG_PATTERN,
    TaggedBlock,
    find_attribute,
    get_tag_replacement,
    iter_closed_blocks,
    remove_comments,
    split_at_tags,
    unescape_entities,
)
from irjudge.formats.collections.whole_files import extract_html_title, is_image
from irjudge.formats.reader_warnings import (
    BETWEEN_RECORDS,
    NO_ID,
    SMART_MARKS,
    ReaderWarnings,
    WarningKind,
)
from irjudge.formats.rows import parse_id
from irjudge.message import Message
from irjudge.model import Document, DocumentKind

# Documents of TREC SGML (`<DOC>` with id, title and text) and TRECWEB (a page after `<DOCHDR>`)

ID_TAG = "docno"
TITLE_TAGS = ("headline", "title", "ti", "hl", "head", "ttl")
TEXT_TAGS = ("text", "lp", "leadpara")
READ_TAGS = frozenset((ID_TAG, *TITLE_TAGS, *TEXT_TAGS))
WEB_TAG = "dochdr"

_WEB_ID = re.compile(rf"<{ID_TAG}>([^<]*+)</{ID_TAG}>", re.IGNORECASE)
_WEB_HEADER = re.compile(rf"</?{WEB_TAG}>", re.IGNORECASE)
_SMART_TEXT_MARK = re.compile(r"^\.W[ \t]*$", re.MULTILINE)

TaggedText: TypeAlias = tuple[str, str]
"""Tag, and the text that belongs to it."""


@dataclass(frozen=True, slots=True)
class TrecFields:
    """Id, title and text of one document, read from its `<DOC>`."""

    id: str
    title: str
    text: str


def iter_trec_documents(entry: ArchiveEntry, warnings: ReaderWarnings) -> Iterator[Document]:
    """Yield the documents of a TREC SGML file; documents with a `<DOCHDR>` are HTML pages.

    A page without an id is skipped with a warning. Runs cannot refer to it, and one such page among
    millions should not make the file unreadable.
    """
    for block in iter_closed_blocks(entry.stream, entry.where, "doc"):
        if isinstance(block, TaggedBlock) and (header := _find_header(block.text)):
            yield from _make_trecweb_page(block, header, entry, warnings)
        elif isinstance(block, TaggedBlock):
            fields = parse_trec_fields(block, entry.where, warnings)
            if ".W" in fields.text and _SMART_TEXT_MARK.search(fields.text):
                warnings.add(SMART_MARKS, fields.id)
            yield Document(fields.id, fields.text.encode(), fields.title)
        elif stray_text := collapse_whitespace(TAG_PATTERN.sub("", remove_comments(block))):
            warnings.add(BETWEEN_RECORDS, f"{entry.name}, “{stray_text[:40]}”")


def _find_header(text: str) -> tuple[int, int] | None:
    """Return the start and end of the header in a TRECWEB page; None if there is no header."""
    begin_match = _WEB_HEADER.search(text)
    if not begin_match or begin_match[0].startswith("</"):
        return None
    end_match = _WEB_HEADER.search(text, begin_match.end())
    return begin_match.start(), end_match.end() if end_match else begin_match.end()


def _make_trecweb_page(
    block: TaggedBlock, header: tuple[int, int], entry: ArchiveEntry, warnings: ReaderWarnings
) -> Iterator[Document]:
    match = _WEB_ID.search(block.text, 0, header[0])
    if not match:
        warnings.add(NO_ID, Message("{entry}, line {line}", entry=entry.name, line=block.line))
        return
    source = block.text[header[1] :].strip()
    yield Document(
        parse_id(unescape_entities(match[1]), entry.where, block.line, warnings),
        source.encode(),
        extract_html_title(source),
        "html",
    )


def parse_trec_fields(block: TaggedBlock, path: Path, warnings: ReaderWarnings) -> TrecFields:
    """Return the id, title and text of one `<DOC>`.

    The text is that of `<TEXT>` and `<LP>` (a lead paragraph) or, without these tags, everything
    except id and title. Tags inside the text are removed; their content is part of the text.
    """
    tagged_texts = _split_by_tag(block, path)
    part_of_tag = dict.fromkeys((ID_TAG, *TITLE_TAGS), "")
    part_of_tag |= {
        tag: "".join(text for text_tag, text in tagged_texts if text_tag == tag)
        for tag in {tag for tag, _ in tagged_texts} & part_of_tag.keys()
    }
    identifier = (
        part_of_tag[ID_TAG]
        or find_attribute(block.attributes, "id")
        or find_attribute(block.attributes, "docno")
    )
    if not identifier.strip():
        raise FormatError(
            path,
            Message("the document has no id; expected <DOCNO> in each <DOC>", key="no-id"),
            block.line,
        )
    titles = (collapse_whitespace(unescape_entities(part_of_tag[tag])) for tag in TITLE_TAGS)
    return TrecFields(
        parse_id(unescape_entities(identifier), path, block.line, warnings),
        next(filter(None, titles), "") or find_attribute(block.attributes, "title"),
        _join_body(tagged_texts, warnings),
    )


def _join_body(tagged_texts: list[TaggedText], warnings: ReaderWarnings) -> str:
    other_texts = [
        (tag, text) for tag, text in tagged_texts if tag != ID_TAG and tag not in TITLE_TAGS
    ]
    body_texts = [(tag, text) for tag, text in other_texts if tag in TEXT_TAGS]
    if body_texts:
        warnings.add_unread(
            tag for tag, text in other_texts if tag and tag not in TEXT_TAGS and text.strip()
        )
    return unescape_entities("".join(text for _, text in body_texts or other_texts)).strip()


def _split_by_tag(block: TaggedBlock, path: Path) -> list[TaggedText]:
    """Return consecutive parts of the text, each with the tag of the field that contains it.

    A field is an element with a known tag, or an outermost element. The tag of text outside all
    fields is empty.
    """
    tagged_texts: list[TaggedText] = []
    tag, seen_id = "", False
    for piece in split_at_tags(block.text):
        if piece.tag == "doc" and seen_id:
            raise FormatError(
                path,
                Message(
                    "<DOC> is not closed before the next one, expected </DOC>", key="not-closed"
                ),
                block.line,
            )
        if _opens_part(piece.tag, tag):
            tag, seen_id = piece.tag, seen_id or piece.tag == ID_TAG
        elif piece.tag:
            tagged_texts.append((tag, get_tag_replacement(piece.tag)))
        if piece.tag == f"/{tag}":
            tag = ""
        tagged_texts.append((tag, piece.text))
    return tagged_texts


def _opens_part(tag: str, parent_tag: str) -> bool:
    if tag.startswith("/") or not tag:
        return False
    return (parent_tag not in TEXT_TAGS and tag in READ_TAGS) or (
        parent_tag not in READ_TAGS and get_tag_replacement(tag) == " "
    )


# Web archives (WARC), read as streams of records; each downloaded page is a document

WARC_VERSION = re.compile(rb"WARC/\d\.\d+[ \t]*\r?\n")
PAGE_RECORD_TYPES = frozenset(("response", "resource", "conversion"))
# headers that may contain an id, in order of preference: runs refer to TREC's ids, not to record
# ids
ID_NAMES = ("warc-trec-id", "clueweb22-id", "warc-record-id")
MAX_HEADER_BYTES = 1024 * 1024
MAX_BLANK_LINES = 1000
MAX_READ_BYTES = 64 * 1024

_CHARSET = re.compile(r"charset\s*+=\s*+[\"']?([\w.:-]++)", re.IGNORECASE)
_STATUS_LINE = re.compile(rb"HTTP/\d")
_CHUNK_HEADER = re.compile(rb"([0-9a-fA-F]{1,8})[^\r\n]{0,100}\r?\n")

NOT_TEXT = WarningKind(
    "Skipped 1 page of a web archive because it is not text, HTML or an image: {first}.",
    "Skipped {count} pages of web archives because they are not text, HTML or images. First: "
    "{first}.",
    key="not-text",
)
NOT_A_PAGE = WarningKind(
    "Skipped 1 record of a web archive because it is not a page: {first}.",
    "Skipped {count} records of web archives because they are not pages (for example requests "
    "or metadata). First: {first}.",
    key="not-a-page",
)


@dataclass(frozen=True, slots=True)
class _Record:
    """Record of a web archive: its content, and its headers with lower-case names."""

    headers: dict[str, str]
    content: bytes


def is_warc(head: bytes) -> bool:
    """Return whether the first bytes of a file are those of a web archive."""
    return WARC_VERSION.match(head.lstrip(b"\r\n")) is not None


def iter_warc_documents(entry: ArchiveEntry, warnings: ReaderWarnings) -> Iterator[Document]:
    """Yield the pages of a web archive; their ids are TREC ids or, if missing, record ids."""
    for number, record in enumerate(_iter_records(entry.stream, entry.where), 1):
        kind = record.headers.get("warc-type", "").lower()
        location = Message("{entry}, record {number}", entry=entry.name, number=number)
        if kind == "warcinfo":
            continue
        name = next((record.headers[name] for name in ID_NAMES if record.headers.get(name)), "")
        if kind not in PAGE_RECORD_TYPES or not name:
            warnings.add(NOT_A_PAGE, location)
            continue
        headers, content = _parse_warc_page(record)
        document_kind = _detect_kind(
            headers.get("content-type", record.headers.get("content-type", "")), content
        )
        if document_kind is None:
            warnings.add(NOT_TEXT, location)
            continue
        identifier = parse_id(
            name.strip().removeprefix("<").removesuffix(">").removeprefix("urn:uuid:"),
            entry.where,
            None,
            warnings,
        )
        if document_kind == "image":
            yield Document(identifier, content, "", document_kind)
            continue
        text = _decode_page(content, headers.get("content-type", ""), entry.name)
        yield Document(
            identifier,
            text.encode(),
            extract_html_title(text) if document_kind == "html" else "",
            document_kind,
        )


def _iter_records(stream: io.BufferedReader, path: Path) -> Iterator[_Record]:
    while version := _read_nonempty_line(stream, path):
        if not WARC_VERSION.fullmatch(version if version.endswith(b"\n") else version + b"\n"):
            raise FormatError(
                path,
                Message(
                    "the web archive is damaged: found “{found}” where a record should start",
                    key="no-record",
                    found=version[:40].decode("ascii", "replace").strip(),
                ),
            )
        headers = _read_headers(stream, path)
        size = headers.get("content-length", "")
        if not size.isascii() or not size.isdecimal() or len(size) > 18:
            raise FormatError(
                path,
                Message(
                    "a record of the web archive has no length; expected Content-Length",
                    key="no-length",
                ),
            )
        if int(size) > MAX_LINE_BYTES:
            raise FormatError(
                path,
                Message(
                    "a record is longer than {megabytes}",
                    key="long-record",
                    megabytes=format_megabytes(MAX_LINE_BYTES),
                ),
            )
        content = stream.read(int(size))
        if len(content) < int(size):
            raise FormatError(
                path, Message("the web archive ends in the middle of a record", key="cut-off")
            )
        yield _Record(headers, content)


def _read_nonempty_line(stream: io.BufferedReader, path: Path) -> bytes:
    """Return the next non-empty line; empty at the end of the file."""
    for _ in range(MAX_BLANK_LINES):
        line = stream.readline(MAX_READ_BYTES)
        if not line or line.strip():
            return line
    raise FormatError(
        path,
        Message(
            "the web archive is damaged: found only empty lines where a record should start",
            key="empty-lines",
        ),
    )


def _read_headers(stream: io.BufferedIOBase, path: Path) -> dict[str, str]:
    headers: dict[str, str] = {}
    size = 0
    while (line := stream.readline(MAX_READ_BYTES)).strip():
        size += len(line)
        if size > MAX_HEADER_BYTES:
            raise FormatError(
                path,
                Message(
                    "a record header is longer than {megabytes}",
                    key="long-header",
                    megabytes=format_megabytes(MAX_HEADER_BYTES),
                ),
            )
        name, _, value = line.decode("utf-8", "replace").partition(":")
        headers.setdefault(name.strip().lower(), value.strip())
    return headers


def _parse_warc_page(record: _Record) -> tuple[dict[str, str], bytes]:
    """Return the HTTP headers of a page, and its content after removing chunks and compression.

    If the record is not an HTTP response, there are no headers, and the content is unchanged.
    """
    if not _STATUS_LINE.match(record.content):
        return {}, record.content
    stream = io.BytesIO(record.content)
    stream.readline()
    headers = _read_headers(stream, Path())
    content = stream.read()
    if "chunked" in headers.get("transfer-encoding", "").lower():
        content = _join_chunks(content)
    if headers.get("content-encoding", "").lower() in ("gzip", "x-gzip", "deflate"):
        content = _decompress_page(content)
    return headers, content


def _join_chunks(content: bytes) -> bytes:
    """Join the chunks of an HTTP body; a body that is not chunked is returned unchanged."""
    parts, offset = [], 0
    while match := _CHUNK_HEADER.match(content, offset):
        size = int(match[1], 16)
        parts.append(content[match.end() : match.end() + size])
        offset = match.end() + size
        offset += 2 if content.startswith(b"\r\n", offset) else 0
        if not size:
            return b"".join(parts)
    return b"".join(parts) if parts and offset >= len(content) else content


def _decompress_page(content: bytes) -> bytes:
    """Decompress a page; return it unchanged if the crawler has already decompressed it."""
    try:
        return zlib.decompressobj(zlib.MAX_WBITS | 32).decompress(content, MAX_LINE_BYTES)
    except zlib.error:
        return _inflate_raw(content)


def _inflate_raw(content: bytes) -> bytes:
    """Return a page after decompression of deflate data without the header of zlib.

    Some servers send such data. Without a header, only data that end exactly with the page are
    recognised; otherwise the page is returned unchanged.
    """
    decompressor = zlib.decompressobj(-zlib.MAX_WBITS)
    try:
        page = decompressor.decompress(content, MAX_LINE_BYTES)
    except zlib.error:
        return content
    return page if decompressor.eof and not decompressor.unused_data else content


def _detect_kind(content_type: str, content: bytes) -> DocumentKind | None:
    """Return the document kind of a page; None for videos, programs and other unsupported formats."""
    kind = content_type.lower()
    if is_image(content[:32]):
        return "image"
    if "html" in kind or content[:1000].lstrip().lower().startswith((b"<!doctype html", b"<html")):
        return "html"
    is_text = (
        not kind
        or kind.startswith("text/")
        or "json" in kind
        or "xml" in kind
        or "application/http" in kind
    )
    return "text" if is_text and b"\0" not in content[:1000] else None


def _decode_page(content: bytes, content_type: str, name: str) -> str:
    """Decode a page with the encoding in the HTTP header or the markup, or with a detected one."""
    if match := _CHARSET.search(content_type):
        try:
            return content.decode(parse_encoding(match[1]), "replace")
        except (IrjudgeError, LookupError):
            pass
    return (
        to_utf8_stream(io.BufferedReader(io.BytesIO(content)), name, ReaderWarnings())
        .read()
        .decode("utf-8-sig", "replace")
    )
