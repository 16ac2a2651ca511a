"""Standard output and standard error of commands.

Nothing that comes from a file commands the terminal: `tell` and `say` spell out what would, and so do tables for people. Data for
programs (csv, json, TREC) goes out as it is to a file or another program, and spelt out to a terminal: all of it by `to_stdout`.
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

SPELT = "irjudge-spelt"  # how characters are written that an encoding lacks
ESCAPING_MESSAGE = "The output takes {} alone: other characters are written as \\uXXXX. PYTHONIOENCODING=utf-8 writes them as they are."
_spelt: list[bool] = []
_PIECES = re.compile("([\\n\\t])")  # lines and columns of our own


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
    """Say something that is not the result, on stderr."""
    with suppress(OSError, ValueError):  # errors of stderr cannot be reported
        for sentence in sentences:
            sys.stderr.write(f"{escape_control_characters(sentence)}\n")
        sys.stderr.flush()


class _Terminal(io.StringIO):
    """Stdout where a person reads it: what a terminal would obey is spelt out."""

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
    except OSError as fault:
        leave_stdout()
        raise IrjudgeError(
            "The output could not be written ({strerror}).", strerror=fault.strerror or fault
        ) from fault


def leave_stdout() -> None:
    """Discard buffered output, which would raise again when Python exits."""
    with suppress(OSError, ValueError):
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


# Streams that are closed, or take few characters


def prepare_streams() -> None:
    """Make every character printable in any encoding, and replace closed streams by null devices."""
    for number in range(
        3
    ):  # a closed place would go to the next file that is opened, and take what is printed
        try:
            os.fstat(number)
        except OSError:
            os.open(os.devnull, os.O_RDWR)
    sys.stdout = sys.stdout or open(os.devnull, "w", encoding="utf-8")  # noqa: SIM115, PTH123 -- for as long as the program
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
    """Spell out what an encoding lacks; as JSON does, so that JSON stays exact."""
    if not isinstance(error, UnicodeEncodeError):
        raise error
    _spelt.append(True)
    units = error.object[error.start : error.end].encode("utf-16-be", "surrogatepass")
    return "".join(
        f"\\u{units[index]:02x}{units[index + 1]:02x}" for index in range(0, len(units), 2)
    ), error.end
