"""Standard output and standard error of commands.

Texts of files cannot inject terminal escape sequences: `tell`, `say` and text tables escape control
characters. `to_stdout` writes data for programs (csv, json, TREC) unchanged to files and pipes, and
escaped to a terminal.
"""

import codecs
import io
import os
import re
import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from typing import TextIO

from irjudge.errors import IrjudgeError
from irjudge.text import escape_control_characters

SPELT = "irjudge-spelt"  # error handler for characters that an encoding lacks
ESCAPING_MESSAGE = "The output encoding is {}: other characters are written as \\uXXXX. Set PYTHONIOENCODING=utf-8 to write them unchanged."
_spelt: list[bool] = []
_PIECES = re.compile("([\\n\\t])")  # line ends and tabs that irjudge writes


def tell(*lines: str) -> None:
    """Print lines of the result on stdout, for people."""
    put("".join(f"{escape_control_characters(line)}\n" for line in lines))


def put(text: str) -> None:
    """Print a part of the result on stdout."""
    with to_stdout() as stdout:
        stdout.write(text)


def on_terminal() -> bool:
    """Return whether stdout is a terminal."""
    return sys.stdout.isatty()


def say(*sentences: str) -> None:
    """Print messages, which are not part of the result, on stderr."""
    with suppress(OSError, ValueError):  # errors of stderr cannot be reported
        for sentence in sentences:
            sys.stderr.write(f"{escape_control_characters(sentence)}\n")
        sys.stderr.flush()


class _Terminal(io.StringIO):
    """Stdout of a terminal, with control characters escaped."""

    def write(self, text: str) -> int:
        sys.stdout.write(
            "".join(
                piece if piece in ("\n", "\t") else escape_control_characters(piece)
                for piece in _PIECES.split(text)
            )
        )
        return len(text)


@contextmanager
def to_stdout() -> Iterator[TextIO]:
    """Yield stdout, escaped for terminals; report write errors as output errors."""
    try:
        yield _Terminal() if on_terminal() else sys.stdout
    except BrokenPipeError:
        raise
    except OSError as error:
        leave_stdout()
        raise IrjudgeError(
            "Cannot write the output ({strerror}).", strerror=error.strerror or error
        ) from error


def leave_stdout() -> None:
    """Discard buffered output, which would raise again when Python exits."""
    with suppress(OSError, ValueError):
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


# Closed streams and limited encodings


def prepare_streams() -> None:
    """Make every character printable in any encoding, and replace closed streams by null devices."""
    for number in range(3):  # a closed descriptor would be reused by the next opened file
        try:
            os.fstat(number)
        except OSError:
            os.open(os.devnull, os.O_RDWR)
    sys.stdout = sys.stdout or open(os.devnull, "w", encoding="utf-8")  # noqa: SIM115, PTH123
    sys.stderr = sys.stderr or open(os.devnull, "w", encoding="utf-8")  # noqa: SIM115, PTH123
    codecs.register_error(SPELT, _spell)
    if hasattr(sys.stdout, "reconfigure"):
        sys.stdout.reconfigure(errors=SPELT)


def say_spelt() -> None:
    """Warn if characters were escaped for the encoding of the output."""
    if _spelt:
        _spelt.clear()
        say(ESCAPING_MESSAGE.format(sys.stdout.encoding))


def _spell(error: UnicodeError) -> tuple[str, int]:
    """Escape characters that the encoding lacks, in the syntax of JSON so that JSON stays valid."""
    if not isinstance(error, UnicodeEncodeError):
        raise error
    _spelt.append(True)
    units = error.object[error.start : error.end].encode("utf-16-be", "surrogatepass")
    return "".join(
        f"\\u{units[index]:02x}{units[index + 1]:02x}" for index in range(0, len(units), 2)
    ), error.end
