"""Standard output and standard error of commands.

Texts in files cannot inject terminal escape sequences, since `tell`, `say` and text tables escape
control characters. `to_stdout` writes data for programs (csv, json, TREC) unchanged to files and
pipes, and escaped to a terminal.
"""

import codecs
import io
import json
import os
import re
import sys
from collections import deque
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import asdict, dataclass, field
from typing import TYPE_CHECKING, TextIO

from irjudge.errors import IrjudgeError
from irjudge.text import escape_control_characters

if TYPE_CHECKING:
    from irjudge.evaluation import Policy

MAX_MESSAGES = 10_000  # maximum messages in JSON output; a long session prints more
SPELLING_HANDLER = (
    "irjudge-spelt"  # name of the error handler for characters that an encoding lacks
)
ESCAPING_MESSAGE = "The output encoding is {}: other characters are written as \\uXXXX. Set PYTHONIOENCODING=utf-8 to write them unchanged."
_spelt: list[bool] = []


@dataclass(slots=True)
class _Output:
    """Output of one command: its messages, and whether its JSON object is unfinished."""

    quiet: bool = False
    messages: deque[str] = field(default_factory=lambda: deque(maxlen=MAX_MESSAGES))
    policy: "Policy | None" = None
    json_is_open: bool = False


_output = _Output()
_PIECES = re.compile("([\\n\\t])")  # line ends and tabs that irjudge writes


def tell(*lines: str) -> None:
    """Print lines of the result on stdout, for human readers."""
    put("".join(f"{escape_control_characters(line)}\n" for line in lines))


def put(text: str) -> None:
    """Print part of the result on stdout."""
    with to_stdout() as stdout:
        stdout.write(text)


def on_terminal() -> bool:
    """Return whether stdout is a terminal."""
    return sys.stdout.isatty()


def be_quiet() -> None:
    """Print no messages of this command except errors."""
    _output.quiet = True


def say(*sentences: str) -> None:
    """Print messages, which are not part of the result, to stderr; JSON output includes them."""
    if not _output.quiet:
        say_error(*sentences)
    else:
        _output.messages.extend(sentences)


def say_error(*sentences: str) -> None:
    """Print an error to stderr, even with `--quiet`."""
    _output.messages.extend(sentences)
    with suppress(OSError, ValueError):  # an error in writing to stderr cannot be reported
        for sentence in sentences:
            sys.stderr.write(f"{escape_control_characters(sentence)}\n")
        sys.stderr.flush()


def record_policy(policy: "Policy") -> None:
    """Include the policy of an evaluation in JSON output."""
    _output.policy = policy


@contextmanager
def json_output() -> Iterator[TextIO]:
    """Yield a stream for the `values` of JSON output; `end_json` writes the rest of the object.

    Messages may follow the table, so the object is finished when the command ends.
    """
    end_json()  # finishes the object of a previous table, if a command prints two
    with to_stdout() as stdout:
        stdout.write('{"values": ')
        yield stdout
        _output.json_is_open = True


def end_json() -> None:
    """Finish JSON output with the policy and the messages of the command."""
    if not _output.json_is_open:
        return
    _output.json_is_open = False
    policy = _output.policy and asdict(_output.policy)
    with to_stdout() as stdout:
        stdout.write(f',\n"policy": {_to_json(policy)},\n')
        stdout.write(f'"warnings": {_to_json([str(message) for message in _output.messages])}}}\n')


def _to_json(value: object) -> str:
    return json.dumps(value, ensure_ascii=False, allow_nan=False)


class _Terminal(io.StringIO):
    """Stdout of a terminal, on which control characters are escaped."""

    def write(self, text: str) -> int:
        sys.stdout.write(
            "".join(
                text_part if text_part in ("\n", "\t") else escape_control_characters(text_part)
                for text_part in _PIECES.split(text)
            )
        )
        return len(text)


@contextmanager
def to_stdout() -> Iterator[TextIO]:
    """Yield stdout, escaped for a terminal; errors in writing are raised as output errors."""
    try:
        yield _Terminal() if on_terminal() else sys.stdout
    except BrokenPipeError:
        raise
    except OSError as error:
        leave_stdout()
        raise IrjudgeError(
            "Cannot write the output ({reason}).", reason=error.strerror or error
        ) from error


def leave_stdout() -> None:
    """Discard buffered output, since writing it at exit would raise the error again."""
    with suppress(OSError, ValueError):
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


# Closed streams and limited encodings


def prepare_streams() -> None:
    """Make all characters printable in any encoding, and replace closed streams by null devices."""
    global _output
    _output = _Output()
    for descriptor in range(3):  # a closed descriptor would be reused by the next opened file
        try:
            os.fstat(descriptor)
        except OSError:
            os.open(os.devnull, os.O_RDWR)
    sys.stdout = sys.stdout or open(os.devnull, "w", encoding="utf-8")  # noqa: SIM115, PTH123
    sys.stderr = sys.stderr or open(os.devnull, "w", encoding="utf-8")  # noqa: SIM115, PTH123
    codecs.register_error(SPELLING_HANDLER, _spell_error)
    if hasattr(sys.stdout, "reconfigure"):
        sys.stdout.reconfigure(errors=SPELLING_HANDLER)


def say_spelt() -> None:
    """Print a warning if the encoding of the output lacks characters, which were escaped."""
    if _spelt:
        _spelt.clear()
        say(ESCAPING_MESSAGE.format(sys.stdout.encoding))


def _spell_error(error: UnicodeError) -> tuple[str, int]:
    """Return the characters that the encoding lacks, escaped as in JSON, and the next position."""
    if not isinstance(error, UnicodeEncodeError):
        raise error
    _spelt.append(True)
    units = error.object[error.start : error.end].encode("utf-16-be", "surrogatepass")
    return "".join(
        f"\\u{units[index]:02x}{units[index + 1]:02x}" for index in range(0, len(units), 2)
    ), error.end
