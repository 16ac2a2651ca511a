"""What assessors are to do: one file of Markdown."""

from pathlib import Path

from irjudge.errors import FormatError
from irjudge.formats.bytes.utf8 import decoded
from irjudge.message import Message


def read_instructions(path: Path) -> str:
    """Return the text of a file of instructions."""
    try:
        text = decoded(path.read_bytes(), path).replace("\0", "\N{REPLACEMENT CHARACTER}")
    except OSError as fault:
        raise FormatError(path, Message("cannot be read ({value})", value=fault.strerror or fault)) from fault
    if not text.strip():
        raise FormatError(path, "it is empty, expected instructions in Markdown")
    return text
