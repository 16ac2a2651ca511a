"""What a run says of itself at its head: comments, among them a block of ir_metadata (platform, method, actor, data … in YAML)."""

import re
from collections.abc import Iterator
from pathlib import Path
from typing import BinaryIO

from irjudge.formats.bytes.blocks import UTF8_BOM
from irjudge.message import Message

START, END = "ir_metadata.start", "ir_metadata.end"
COMMENTS = re.compile(rb"(?:[ \t]*+(?:#[^\n]*+)?\n)++")  # whole lines, blank ones among them
MOST = 1 << 20  # bytes of comments at the head of a file
PIECE = 1 << 16


def head_and_rest(file: BinaryIO) -> tuple[bytes, bytes]:
    """Return the comments that an open file begins with, and what was read behind them; no comments where there are too many."""
    text = file.read(PIECE).removeprefix(UTF8_BOM)
    while (
        (cut := _end_of_comments(text)) is None and len(text) <= MOST and (more := file.read(PIECE))
    ):
        text += more
    return (text[:cut], text[cut:]) if cut and cut <= MOST else (b"", text)


def _end_of_comments(text: bytes) -> int | None:
    """Return where the first line begins that is no comment; None where it is not in view yet."""
    found = COMMENTS.match(text)
    end = found.end() if found else 0
    after = text[end:].lstrip(b" \t")
    return end if after and not after.startswith(b"#") else None


def metadata_of(path: Path, head: bytes) -> tuple[str, tuple[str, ...]]:
    """Return what stands in a block of ir_metadata, without the marks of comments, and a sentence where it cannot be kept."""
    lines = [_uncommented(line) for line in head.replace(b"\r\n", b"\n").split(b"\n")]
    marks = [line.strip() for line in lines]
    if START.encode() not in marks:
        return "", ()
    begin = marks.index(START.encode())
    if END.encode() not in marks[begin:]:
        return "", (
            Message(
                "{file}: its block of ir_metadata has no end before the ranking begins; it is not kept.",
                key="metadata-without-end",
                file=path.name,
            ),
        )
    try:
        return b"\n".join(lines[begin + 1 : marks.index(END.encode(), begin)]).decode(), ()
    except UnicodeDecodeError:
        return "", (
            Message(
                "{file}: its block of ir_metadata is not UTF-8; it is not kept.",
                key="metadata-not-utf8",
                file=path.name,
            ),
        )


def _uncommented(line: bytes) -> bytes:
    return line.lstrip(b" \t").removeprefix(b"#").removeprefix(b" ")


def metadata_lines(metadata: str) -> Iterator[str]:
    """Yield the comments that say it at the head of a run; none where there is nothing to say."""
    if metadata:
        for line in (START, *metadata.split("\n"), END):
            yield f"# {line}".rstrip(" ") + "\n"
