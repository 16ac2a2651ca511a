"""Output of commands to stdout and stderr, and the messages in JSON output.

Texts from files cannot send escape sequences to a terminal, since `tell`, `say` and text tables
escape control characters. Data for programs (csv, json, TREC) are written with `to_stdout`:
unchanged to files and pipes, and escaped to a terminal.
"""

import codecs
import io
import json
import os
import re
import sys
from collections import deque
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import asdict, dataclass, field
from typing import TYPE_CHECKING, TextIO

from irjudge.errors import IrjudgeError
from irjudge.formats.bytes import list_typed_secrets
from irjudge.text import escape_control_characters

if TYPE_CHECKING:
    from irjudge.evaluation import Policy

MAX_MESSAGES = 10_000  # maximum number of messages in JSON output
SPELLING_HANDLER = (
    "irjudge-spelt"  # name of the codec error handler for characters that an encoding lacks
)
ESCAPING_MESSAGE = "The output encoding is {}: other characters are written as \\uXXXX. Set PYTHONIOENCODING=utf-8 to write them unchanged."
_encoding_gaps: list[bool] = []  # an entry for each text that was escaped


@dataclass(slots=True)
class _Output:
    """State of a command's output: whether it is quiet, messages, policy, unfinished JSON."""

    quiet: bool = False
    messages: deque[str] = field(default_factory=lambda: deque(maxlen=MAX_MESSAGES))
    secrets: list[str] = field(default_factory=list)  # parts of the arguments that are not printed
    policy: "Policy | None" = None
    json_is_open: bool = False


_output = _Output()
_LINE_ENDS_AND_TABS = re.compile("([\\n\\t])")  # line ends and tabs, which are not escaped


def tell(*lines: str) -> None:
    """Print lines of a result for human readers on stdout."""
    put("".join(f"{escape_control_characters(line)}\n" for line in lines))


def put(text: str) -> None:
    """Print a part of a result on stdout."""
    with to_stdout() as stdout:
        stdout.write(text)


def on_terminal() -> bool:
    """Return whether stdout is a terminal."""
    return sys.stdout.isatty()


def be_quiet() -> None:
    """Suppress all messages of this command except errors."""
    _output.quiet = True


def hide_secrets(arguments: Sequence[str]) -> None:
    """Replace passwords in a command's arguments in all messages, also in mistyped addresses."""
    _output.secrets = [secret for each in arguments for secret in list_typed_secrets(each)]


def say(*sentences: str) -> None:
    """Print messages that are not part of the result to stderr, unless quiet.

    JSON output includes them in any case.
    """
    if not _output.quiet:
        say_error(*sentences)
    else:
        _output.messages.extend(map(_without_secrets, sentences))


def say_error(*sentences: str) -> None:
    """Print an error or other messages to stderr, even with `--quiet`."""
    shown = [_without_secrets(sentence) for sentence in sentences]
    _output.messages.extend(shown)
    with suppress(OSError, ValueError):  # errors of writing to stderr cannot be reported
        for sentence in shown:
            sys.stderr.write(f"{escape_control_characters(sentence)}\n")
        sys.stderr.flush()


def _without_secrets(sentence: str) -> str:
    for secret in _output.secrets:
        sentence = sentence.replace(secret, "…")
    return sentence


def record_policy(policy: "Policy") -> None:
    """Set the policy of an evaluation, which JSON output includes."""
    _output.policy = policy


@contextmanager
def json_output() -> Iterator[TextIO]:
    """Yield a stream to which the `values` of JSON output are written.

    The JSON object is finished by `end_json` at the end of the command, since messages may follow.
    """
    end_json()  # finishes the object of a previous table, if the command prints several
    with to_stdout() as stdout:
        stdout.write('{"values": ')
        yield stdout
        _output.json_is_open = True


def end_json() -> None:
    """Finish the JSON object, if any, with the policy and the messages of the command."""
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
    """Stream that writes to stdout and escapes control characters, for a terminal."""

    def write(self, text: str) -> int:
        sys.stdout.write(
            "".join(
                text_part if text_part in ("\n", "\t") else escape_control_characters(text_part)
                for text_part in _LINE_ENDS_AND_TABS.split(text)
            )
        )
        return len(text)


@contextmanager
def to_stdout() -> Iterator[TextIO]:
    """Yield a stream for stdout, which escapes control characters if stdout is a terminal.

    Errors of writing become IrjudgeError, except BrokenPipeError.
    """
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
    """Redirect stdout to nowhere after an error, since Python would write the buffer at exit."""
    with suppress(OSError, ValueError):
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


# Closed streams and limited encodings


def prepare_streams() -> None:
    """Prepare stdout and stderr for a command, and reset the state of the output.

    Characters that the encoding lacks are escaped; closed streams are replaced by null devices.
    """
    global _output
    _output = _Output()
    for descriptor in range(3):  # opens closed descriptors, which the next opened file would reuse
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
    """Print a warning if characters were escaped because the output encoding lacks them."""
    if _encoding_gaps:
        _encoding_gaps.clear()
        say(ESCAPING_MESSAGE.format(sys.stdout.encoding))


def _spell_error(error: UnicodeError) -> tuple[str, int]:
    """Return the characters that the encoding lacks, escaped as in JSON, and where to go on.

    This is a codec error handler.
    """
    if not isinstance(error, UnicodeEncodeError):
        raise error
    _encoding_gaps.append(True)
    units = error.object[error.start : error.end].encode("utf-16-be", "surrogatepass")
    return "".join(
        f"\\u{units[index]:02x}{units[index + 1]:02x}" for index in range(0, len(units), 2)
    ), error.end
