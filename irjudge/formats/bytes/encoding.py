"""Decoding of UTF-8 text into lines and blocks; errors contain the number of the invalid line."""

import codecs
import io
from collections.abc import Iterator
from pathlib import Path

from irjudge.errors import FormatError
from irjudge.message import Message

MAX_LINE_BYTES = 64 * 1024 * 1024
"""Maximum bytes of a record or line, which limits the memory needed for any input."""

PIECE_BYTES = 256 * 1024
"""Number of bytes read and decoded at a time; line by line would be several times slower."""


class NotUtf8(FormatError):
    """Error for bytes that are not UTF-8, in a file whose encoding the user did not specify."""


UTF16_MARKS = (codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)


def decode_text(raw: bytes, path: Path, line: int = 1) -> str:
    """Return bytes decoded as UTF-8; `line` is the line number of the first byte."""
    if line == 1:
        refuse_utf16(raw, path)
        raw = raw.removeprefix(codecs.BOM_UTF8)
    try:
        return raw.decode("utf-8")
    except UnicodeDecodeError as error:
        raise NotUtf8(
            path,
            Message(
                "byte {column} of the line (0x{raw:02x}) is not valid UTF-8",
                key="not-utf8",
                column=error.start - raw.rfind(b"\n", 0, error.start),
                raw=raw[error.start],
            ),
            line + raw.count(b"\n", 0, error.start),
        ) from None


def refuse_utf16(raw: bytes, path: Path) -> None:
    """Raise FormatError if `raw` begins with a UTF-16 byte order mark."""
    if raw.startswith(UTF16_MARKS):
        raise FormatError(
            path,
            Message(
                "the file is UTF-16; expected UTF-8. Save it as UTF-8 and read it again",
                key="utf16",
            ),
        )


def iter_nonblank_lines(stream: io.BufferedReader, path: Path) -> Iterator[tuple[int, str]]:
    """Yield the number, from 1, and the text of each non-blank line, without its line end."""
    for first_line, text in iter_pieces(stream, path):
        # blank lines are skipped before decoding, since a file may have millions of them
        if not text.isspace():
            yield from (
                (number, line.rstrip("\r"))
                for number, line in enumerate(text.split("\n"), first_line)
                if line and not line.isspace()
            )


def iter_lines(stream: io.BufferedReader, path: Path) -> Iterator[tuple[int, str]]:
    """Yield the number, from 1, and the text of each line, without its line end."""
    for first_line, text in iter_pieces(stream, path):
        yield from enumerate(
            [line.rstrip("\r") for line in text.removesuffix("\n").split("\n")], first_line
        )


def iter_pieces(stream: io.BufferedReader, path: Path) -> Iterator[tuple[int, str]]:
    """Yield the text in blocks of whole lines, each with the number of its first line."""
    first_line = 1
    while raw := stream.read(PIECE_BYTES):
        if not raw.endswith(b"\n"):
            raw += stream.readline(MAX_LINE_BYTES + 1)
        if len(raw) - raw.rfind(b"\n", 0, -1) - 1 > MAX_LINE_BYTES:
            raise FormatError(
                path,
                Message(
                    "the line is longer than {megabytes}",
                    key="long-line",
                    megabytes=format_megabytes(MAX_LINE_BYTES),
                ),
                first_line + raw.count(b"\n", 0, -1),
            )
        yield first_line, decode_text(raw, path, first_line)
        first_line += raw.count(b"\n")


def read_limited(stream: io.BufferedReader, path: Path, limit: int = MAX_LINE_BYTES) -> bytes:
    """Return the rest of `stream`; raise FormatError if it exceeds `limit` bytes."""
    raw = stream.read(limit + 1)
    if len(raw) > limit:
        raise FormatError(
            path,
            Message(
                "it is larger than {megabytes}, too large to be read at once",
                key="large-file",
                megabytes=format_megabytes(limit),
            ),
        )
    return raw


def check_record_size(size: int, path: Path, line: int) -> None:
    """Raise FormatError if the record that begins at `line` has more than `MAX_LINE_BYTES`."""
    if size > MAX_LINE_BYTES:
        raise FormatError(
            path,
            Message(
                "the record does not end within {megabytes}",
                key="no-end",
                megabytes=format_megabytes(MAX_LINE_BYTES),
            ),
            line,
        )


def format_megabytes(size: int) -> str:
    """Return a size in bytes formatted in megabytes."""
    return f"{size / 1024 / 1024:,.0f} MB"


def replace_surrogates(text: str) -> str:
    """Replace lone surrogates in `text`, which UTF-8 cannot encode, with U+FFFD."""
    return text.encode("utf-16", "surrogatepass").decode("utf-16", "replace")


def collapse_whitespace(text: str) -> str:
    """Strip white space from both ends, and replace inner white space with single spaces.

    >>> collapse_whitespace("  foreign\\n minorities ")
    'foreign minorities'
    """
    return " ".join(text.split())


def quote_beginning(head: bytes) -> str:
    """Return the beginning of a file, up to 40 characters, for an error message."""
    text = collapse_whitespace(head[:200].decode("utf-8", "replace"))[:40]
    return "".join(character if character.isprintable() else "\ufffd" for character in text)
