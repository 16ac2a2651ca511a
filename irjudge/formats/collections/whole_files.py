"""Documents that are whole files: plain text, HTML, Markdown, images, office and PDF files."""

import json
import re
import signal
import subprocess
from base64 import b64decode
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from pathlib import Path, PurePosixPath
from typing import Any

from irjudge.errors import FormatError
from irjudge.formats.bytes import (
    ArchiveEntry,
    collapse_whitespace,
    decode_text,
    detect_office_format,
    read_limited,
)
from irjudge.formats.collections.sgml import (
    TAG_PATTERN,
    get_tag_replacement,
    remove_comments,
    unescape_entities,
)
from irjudge.formats.reader_warnings import (
    BROKEN_UTF8,
    EMPTY_IMAGE,
    FIELDS_LEFT_OUT,
    OFFICE_UNREADABLE,
    PICTURE_LEFT_OUT,
    PICTURE_MISSING,
    ReaderWarnings,
)
from irjudge.formats.rows import parse_id, to_storable
from irjudge.message import Message
from irjudge.model import Document, DocumentKind, Fields
from irjudge.shipped import module_command

# Extraction of text and page pictures from office and PDF files, in a separate process

# module of the child process, and its maximum elapsed time; the child limits its own CPU time
CHILD_MODULE = "irjudge.formats.collections.office_child"
TIMEOUT_SECONDS = 120
# exit code of a child that exceeded its CPU time; None on Windows
CPU_TIME_EXIT_CODE = -getattr(signal, "SIGXCPU", 0) or None
MAX_FILE_BYTES, MAX_PAGE_PICTURE_BYTES = (
    256 << 20,
    8 << 20,
)  # of a file, and of the picture of a page
FAILURE_REASONS = {
    "locked": Message("it is protected by a password; save it without one", key="locked"),
    "large": Message(
        "it expands to more text than irjudge reads from one document; save it as plain text"
    ),
    "bomb": Message(
        "it expands to an implausibly large amount of data for its size; this may be a "
        "decompression bomb and is not read",
        key="bomb",
    ),
    "damaged": Message(
        "it is damaged or of another type; open it in its own program and save it again, or "
        "save it as text"
    ),
    "slow": Message("reading the file takes too long; save it as text"),
}


def extract_office_text(data: bytes, format_name: str, path: Path) -> tuple[str, str]:
    """Return title and text of an office file, extracted by a child process."""
    result = _run_child(data, path, format_name)
    return result["title"], result["text"]


def _run_child(data: bytes, path: Path, *arguments: str) -> dict[str, Any]:
    """Return the JSON output of a child process for a file; raise FormatError if it fails."""
    if len(data) > MAX_FILE_BYTES:
        raise FormatError(path, FAILURE_REASONS["large"])
    command = [*module_command(CHILD_MODULE), *arguments]
    try:
        process = subprocess.run(
            command, input=data, capture_output=True, timeout=TIMEOUT_SECONDS, check=False
        )
        result: dict[str, Any] = (
            json.loads(process.stdout)
            if process.returncode == 0
            else {"problem": "slow" if process.returncode == CPU_TIME_EXIT_CODE else "damaged"}
        )
    except subprocess.TimeoutExpired:
        result = {"problem": "slow"}
    if "problem" in result:
        raise FormatError(path, FAILURE_REASONS[result["problem"]])
    return result


@dataclass(frozen=True, slots=True)
class PagePicture:
    """Picture of a PDF page: a PNG file, the page number from 1, and the number of pages."""

    png: bytes
    number: int
    pages: int


def render_page_picture(pdf: bytes, number: int, path: Path) -> PagePicture:
    """Return a picture of a page of a PDF file, rendered by a child process."""
    result = _run_child(pdf, path, "PAGE", str(number))
    return PagePicture(b64decode(result["png"]), result["number"], result["pages"])


def render_page_pictures(pdf: bytes, max_pages: int, path: Path) -> tuple[tuple[bytes, ...], int]:
    """Return WebP pictures of the first pages of a PDF file, and the total number of pages."""
    result = _run_child(pdf, path, "PAGES", str(max_pages))
    try:
        pictures = tuple(b64decode(picture, validate=True) for picture in result["pictures"])
        pages = int(result["pages"])
    except (KeyError, TypeError, ValueError) as error:
        raise FormatError(path, FAILURE_REASONS["damaged"]) from error
    if not 0 < len(pictures) <= min(max_pages, pages) or not all(
        _is_webp(picture) for picture in pictures
    ):
        raise FormatError(path, FAILURE_REASONS["damaged"])
    return pictures, pages


def _is_webp(picture: bytes) -> bool:
    size = int.from_bytes(picture[4:8], "little") + 8
    return (
        picture[:4] == b"RIFF"
        and picture[8:12] == b"WEBP"
        and size == len(picture) <= MAX_PAGE_PICTURE_BYTES
    )


# Readers of files that contain one document each (plain text, Markdown, HTML, images, office
# files). The id is the file name. There is also a reader of instructions for assessors.

_IMAGE = re.compile(
    rb"\x89PNG\r\n\x1a\n|\xff\xd8\xff|GIF8[79]a|RIFF.{4}WEBP|BM.{4}\0{4}", re.DOTALL
)
_PNG = b"\x89PNG"  # beginning of a PNG file; bytes 16 to 23 are its width and height
MIN_IMAGE_BYTES = 26  # size of the smallest image, which is a bitmap (BMP) or a GIF
_HEADING = re.compile(r"\s*+#[ \t]++([^\n]++)")


def iter_text_file(entry: ArchiveEntry, warnings: ReaderWarnings) -> Iterator[Document]:
    """Yield the file as a plain-text document."""
    yield _make_document(entry, "text", "", _read_source(entry, warnings), warnings)


def iter_markdown_file(entry: ArchiveEntry, warnings: ReaderWarnings) -> Iterator[Document]:
    """Yield the file as a Markdown document; a heading at the beginning is the title."""
    source = _read_source(entry, warnings)
    heading = _HEADING.match(source)
    yield _make_document(
        entry,
        "markdown",
        collapse_whitespace(heading[1].rstrip("# ")) if heading else "",
        source,
        warnings,
    )


def iter_html_file(entry: ArchiveEntry, warnings: ReaderWarnings) -> Iterator[Document]:
    """Yield the file as an HTML document; its title is `<title>`, or else the first `<h1>`."""
    source = _read_source(entry, warnings)
    yield _make_document(entry, "html", extract_html_title(source), source, warnings)


def iter_image_file(entry: ArchiveEntry, warnings: ReaderWarnings) -> Iterator[Document]:
    """Yield the file as an image document, without decoding it."""
    name = parse_id(PurePosixPath(entry.name).stem, entry.where, None, warnings)
    data = read_limited(entry.stream, entry.where)
    has_size = not data.startswith(_PNG) or all(map(any, (data[16:20], data[20:24])))
    if len(data) < MIN_IMAGE_BYTES or not has_size:
        warnings.add(EMPTY_IMAGE, entry.name)
    yield Document(name, data, "", "image")


def iter_office_file(entry: ArchiveEntry, warnings: ReaderWarnings) -> Iterator[Document]:
    """Yield a PDF, DOCX or ODT file as a document; the title is read from its metadata.

    An unreadable file in a folder or archive is skipped with a warning. An unreadable file that the
    user named raises FormatError.
    """
    format_name = detect_office_format(entry.head, entry.name)
    try:
        data = read_limited(entry.stream, entry.where)
        title, text = extract_office_text(data, format_name, entry.where)
    except FormatError:
        if not entry.container:
            raise
        warnings.add(OFFICE_UNREADABLE, entry.name)
        return
    yield replace(
        _make_document(entry, "text", collapse_whitespace(title), text, warnings),
        pdf=data if format_name == "PDF" else b"",
    )


def is_image(head: bytes) -> bool:
    """Return whether the first bytes of a file are those of a PNG, JPEG, GIF, WebP or BMP image."""
    return _IMAGE.match(head) is not None


def extract_html_title(source: str) -> str:
    """Return the text of `<title>` or, without it, the first `<h1>`; empty if there is neither.

    >>> extract_html_title("<h1>A <i>new</i> day</h1><p>…")
    'A new day'
    """
    source = remove_comments(source)
    return _find_element_text(source, "title") or _find_element_text(source, "h1")


def _find_element_text(source: str, tag: str) -> str:
    begin_match = re.search(rf"<{tag}(?:\s[^<>]*+)?+>", source, re.IGNORECASE)
    if not begin_match:
        return ""
    end_match = re.compile(rf"</{tag}\s*+>", re.IGNORECASE).search(source, begin_match.end())
    text = source[begin_match.end() : end_match.start()] if end_match else ""
    return collapse_whitespace(
        unescape_entities(
            TAG_PATTERN.sub(lambda match: get_tag_replacement(match[2].lower()), text)
        )
    )


def _read_source(entry: ArchiveEntry, warnings: ReaderWarnings) -> str:
    raw = read_limited(entry.stream, entry.where)
    try:
        return raw.decode("utf-8-sig")
    except UnicodeDecodeError:
        warnings.add(BROKEN_UTF8, entry.name)
        return raw.decode("utf-8-sig", "replace")


def _make_document(
    entry: ArchiveEntry, kind: DocumentKind, title: str, source: str, warnings: ReaderWarnings
) -> Document:
    name = parse_id(PurePosixPath(entry.name).stem, entry.where, None, warnings)
    return Document(name, source.encode(), title, kind)


def read_instructions(path: Path) -> str:
    """Return the text of a file of instructions for assessors."""
    try:
        text = decode_text(path.read_bytes(), path).replace("\0", "\N{REPLACEMENT CHARACTER}")
    except OSError as error:
        raise FormatError(
            path, Message("cannot be read ({value})", value=error.strerror or error)
        ) from error
    if not text.strip():
        raise FormatError(
            path, Message("it is empty; expected instructions in Markdown", key="empty-file")
        )
    return text


# Fields of documents, and pictures in files to which a field refers

# maximum number of fields of a document, and maximum characters of a name and of a value
MAX_FIELDS = 100
MAX_NAME_CHARACTERS = 100
MAX_FIELD_CHARACTERS = 10_000
MAX_DEPTH = 4  # maximum nesting depth of objects in a document's fields
# maximum bytes of a picture; pictures are included in assignment files
MAX_PICTURE_BYTES = 1_000_000
MAX_ADDRESS_CHARACTERS = 500  # maximum characters of a relative path of a picture
FALSE, TRUE = "false", "true"

# relative path of a picture, without hidden folders or files, URL scheme or drive letter
_PICTURE_PATH = re.compile(
    r"(?!.*(?::|\\|//|(?:^|/)\.))[^/].*\.(?:png|jpe?g|gif|webp|bmp)", re.IGNORECASE
)


def flatten_fields(values: Mapping[str, object], location: str, warnings: ReaderWarnings) -> Fields:
    """Return the members of an object as strings, with lists joined by commas.

    The name of a nested member consists of the names on its path, joined by dots.

    Empty members and `null` are omitted. Members that exceed a limit are omitted with a warning.

    >>> flatten_fields({"price": 12.5, "tags": ["red", "new"], "size": {"eu": "42", "us": None}, "sold": False}, "shop.json", ReaderWarnings())
    (('price', '12.5'), ('tags', 'red, new'), ('size.eu', '42'), ('sold', 'false'))
    """
    fields: dict[str, str] = {}
    for name, text in _iter_flat_fields(values, "", MAX_DEPTH, warnings):
        name_text = to_storable(name, location, warnings).strip()
        if not name_text or not text.strip():
            continue
        if (
            len(name_text) > MAX_NAME_CHARACTERS
            or len(text) > MAX_FIELD_CHARACTERS
            or len(fields) == MAX_FIELDS
        ):
            warnings.add(
                FIELDS_LEFT_OUT,
                Message("{name} in {place}", name=name_text[:MAX_NAME_CHARACTERS], place=location),
            )
        else:
            fields.setdefault(name_text, to_storable(text, location, warnings).strip())
    return tuple(fields.items())


def _iter_flat_fields(
    values: Mapping[str, object], prefix: str, depth: int, warnings: ReaderWarnings
) -> Iterator[tuple[str, str]]:
    for key, value in values.items():
        name = f"{prefix}{key}"
        if isinstance(value, Mapping) and depth:
            # a prefix as long as the limit is enough, since the names are left out
            nested_prefix = f"{name.lstrip()[:MAX_NAME_CHARACTERS]}."
            yield from _iter_flat_fields(value, nested_prefix, depth - 1, warnings)
        elif isinstance(value, list) and all(isinstance(item, str | int | float) for item in value):
            yield name, ", ".join(map(_to_word, value))
        elif isinstance(value, Mapping | list):
            warnings.add_unread((name,))
        elif value is not None:
            yield name, _to_word(value)


def _to_word(value: object) -> str:
    return (TRUE if value else FALSE) if isinstance(value, bool) else str(value)


def load_picture(document: Document, folder: Path, warnings: ReaderWarnings) -> Document:
    """Return a document with the picture to which one of its fields refers."""
    picture_name = next(
        (
            (name, text)
            for name, text in document.fields
            if len(text) <= MAX_ADDRESS_CHARACTERS and _PICTURE_PATH.fullmatch(text)
        ),
        None,
    )
    if picture_name is None or document.picture:
        return document
    name, text = picture_name
    try:
        path = (folder / PurePosixPath(text)).resolve()
        is_available = path.is_relative_to(folder.resolve()) and path.is_file()
        size = path.stat().st_size if is_available else 0
        data = path.read_bytes() if is_available and size <= MAX_PICTURE_BYTES else b""
    except (OSError, ValueError):
        is_available, data = False, b""
    if not is_image(data):
        warnings.add(PICTURE_LEFT_OUT if is_available else PICTURE_MISSING, text)
        return document
    return replace(document, pictured=name, picture=data)
