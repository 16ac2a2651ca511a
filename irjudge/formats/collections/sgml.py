"""Linear-time parser of TREC SGML records and their tags."""

import html
import io
import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import NamedTuple

from irjudge.errors import FormatError
from irjudge.formats.bytes import check_record_size, decode_text
from irjudge.message import Message

CHUNK_BYTES = 1024 * 1024
MAX_TAG_CHARACTERS = 4096

TAG_PATTERN = re.compile(r"<(/?)([A-Za-z][\w.:-]*+)((?:[\s/][^<>]*+)?+)>")
ATTRIBUTE_PATTERN = re.compile(
    r"""(?<![\w.:-])([A-Za-z][\w.:-]*+)\s*+=\s*+(?:"([^"]*+)"|'([^']*+)'|([^\s"'<>]++))"""
)
ENTITY_PATTERN = re.compile(r"&(#[0-9]{1,7}|#[xX][0-9a-fA-F]{1,6}|[A-Za-z][A-Za-z0-9]{0,30});")

# Entities that HTML lacks or defines differently, from the DTD of the Federal Register.
TREC_ENTITIES = {"hyph": "-", "blank": " "}

BREAK_TAGS = frozenset("p br div li ul ol tr table h1 h2 h3 h4 h5 h6".split())
STYLE_TAGS = frozenset("a b i u em strong sub sup span font tt small big".split())


@dataclass(frozen=True, slots=True)
class TaggedBlock:
    """Block of tagged text, such as a record: its attributes, its text and its line number."""

    line: int  # line of the opening tag, from 1
    attributes: str  # attributes of the opening tag, unparsed
    text: str  # text without the two tags


class Piece(NamedTuple):
    """Part of a text: a tag, and the text up to the next tag; the first part has no tag."""

    tag: str  # lower-case name, with a leading slash if closing; empty if there is no tag
    text: str  # text after the tag; entities are not replaced
    starts_line: bool = False  # whether the tag is the first text of its line


class _Window:
    """Buffer with the unconsumed bytes of a stream; `find` reads more bytes if necessary."""

    def __init__(self, stream: io.BufferedReader, path: Path) -> None:
        self._stream, self._path = stream, path
        self._buffer, self._position, self._is_ended = b"", 0, False
        self.line = 1

    def find(self, pattern: re.Pattern[bytes]) -> tuple[int, int] | None:
        """Return the start and the end of the first match in the unconsumed bytes, or None.

        Both offsets are counted from the first unconsumed byte.
        """
        searched_bytes = 0
        while not (match := pattern.search(self._buffer, self._position + searched_bytes)):
            if self._is_ended:
                return None
            searched_bytes = max(
                searched_bytes, len(self._buffer) - MAX_TAG_CHARACTERS - self._position
            )
            chunk = self._stream.read(CHUNK_BYTES)
            self._is_ended = not chunk
            self._buffer, self._position = self._buffer[self._position :] + chunk, 0
            check_record_size(len(self._buffer) - CHUNK_BYTES, self._path, self.line)
        return match.start() - self._position, match.end() - self._position

    def take(self, size: int | None) -> bytes:
        """Consume and return the next `size` bytes or, if None, all bytes in the buffer."""
        end = len(self._buffer) if size is None else self._position + size
        taken_bytes = self._buffer[self._position : end]
        self._position, self.line = end, self.line + taken_bytes.count(b"\n")
        return taken_bytes


def iter_closed_blocks(
    stream: io.BufferedReader, path: Path, tag: str
) -> Iterator[TaggedBlock | str]:
    """Yield records between `<tag>` and `</tag>` as blocks, and the text between them as str."""
    window, name = _Window(stream, path), re.escape(tag.encode())
    start_pattern = re.compile(rb"<" + name + rb"((?:\s[^<>]*+)?+)>", re.IGNORECASE)
    end_pattern = re.compile(rb"</" + name + rb"\s*+>", re.IGNORECASE)
    while span := window.find(start_pattern):
        yield decode_text(window.take(span[0]), path, window.line)
        line = window.line
        attributes = decode_text(window.take(span[1] - span[0])[len(tag) + 1 : -1], path, line)
        if not (end := window.find(end_pattern)):
            raise FormatError(
                path,
                Message(
                    "<{tag}> is never closed, expected </{tag}>", key="not-closed", tag=tag.upper()
                ),
                line,
            )
        inner_line = window.line
        text = decode_text(window.take(end[0]), path, inner_line)
        window.take(end[1] - end[0])
        yield TaggedBlock(line, attributes, text.replace("\r\n", "\n"))
    line = window.line
    yield decode_text(window.take(None), path, line)


def iter_open_blocks(text: str, tag: str) -> Iterator[TaggedBlock]:
    """Yield each record, which ends at `</tag>`, at the next `<tag>` or at the end of the text."""
    start_pattern = re.compile(rf"<{re.escape(tag)}((?:\s[^<>]*+)?+)>", re.IGNORECASE)
    end_pattern = re.compile(rf"</{re.escape(tag)}\s*+>", re.IGNORECASE)
    line, counted_offset, match = 1, 0, start_pattern.search(text)
    while match:
        next_match = start_pattern.search(text, match.end())
        end = next_match.start() if next_match else len(text)
        end_match = end_pattern.search(text, match.end(), end)
        line, counted_offset = line + text.count("\n", counted_offset, match.start()), match.start()
        yield TaggedBlock(
            line, match[1], text[match.end() : end_match.start() if end_match else end]
        )
        match = next_match


def split_at_tags(text: str) -> Iterator[Piece]:
    """Split a text at its tags, after removing comments."""
    text, offset, tag, starts_line = remove_comments(text), 0, "", False
    for match in TAG_PATTERN.finditer(text):
        text_before = text[offset : match.start()]
        yield Piece(tag, text_before, starts_line)
        _, line_end, blanks = text_before.rpartition("\n")
        starts_line = not blanks.strip() and bool(line_end or offset == 0)
        offset, tag = match.end(), match[1] + match[2].lower()
    yield Piece(tag, text[offset:], starts_line)


def get_tag_replacement(tag: str) -> str:
    """Return the text that replaces a removed tag: nothing, a space or a line break."""
    name = tag.removeprefix("/")
    if name in STYLE_TAGS:
        return ""
    return "\n" if name in BREAK_TAGS else " "


def remove_comments(text: str) -> str:
    """Remove comments (`<!--` to `-->`); an unclosed comment is kept."""
    parts, offset = [], 0
    while (start := text.find("<!--", offset)) >= 0 and (end := text.find("-->", start + 4)) >= 0:
        parts.append(text[offset:start])
        offset = end + 3
    parts.append(text[offset:])
    return "".join(parts)


def unescape_entities(text: str) -> str:
    """Replace entities that end with a semicolon; unknown entities are kept.

    >>> unescape_entities("AT&amp;T &#8211; R&D &unknown;")
    'AT&T – R&D &unknown;'
    """
    return (
        ENTITY_PATTERN.sub(
            lambda match: TREC_ENTITIES.get(match[1]) or html.unescape(match[0]), text
        )
        if "&" in text
        else text
    )


def find_attribute(attributes: str, name: str) -> str:
    """Return the value of an attribute; empty if it is missing.

    >>> find_attribute(' id="doc2" lang=hi', "lang")
    'hi'
    """
    for match in ATTRIBUTE_PATTERN.finditer(attributes):
        if match[1].lower() == name:
            return unescape_entities(match[2] or match[3] or match[4] or "").strip()
    return ""
