"""Output of commands to stdout and stderr, and the messages in JSON output.

`tell`, `say` and text tables escape control characters, so that text from files cannot control
the terminal. Data for programs (csv, json, TREC) are written with `to_stdout`, which escapes
control characters only if stdout is a terminal.
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
from itertools import takewhile
from typing import TYPE_CHECKING, TextIO

from irjudge.errors import IrjudgeError
from irjudge.formats.bytes import list_typed_secrets, replace_in_any_case
from irjudge.message import escape_control_characters

if TYPE_CHECKING:
    from irjudge.evaluation import Policy

MAX_MESSAGES = 10_000  # maximum number of messages in JSON output
MIN_MASKED_CHARACTERS = 4  # shorter beginnings of secrets in messages are not masked
# name of the codec error handler for characters that the output encoding lacks
ESCAPING_HANDLER = "irjudge-spelt"
ESCAPING_MESSAGE = "The output encoding is {}: other characters are written as \\uXXXX. Set PYTHONIOENCODING=utf-8 to write them unchanged."
_encoding_gaps: list[bool] = []  # not empty if characters that the encoding lacks were escaped


@dataclass(slots=True)
class _Output:
    """State of a command's output, and the messages and policy for JSON output."""

    quiet: bool = False
    messages: deque[str] = field(default_factory=lambda: deque(maxlen=MAX_MESSAGES))
    secrets: list[str] = field(default_factory=list)  # parts of arguments that messages omit
    policy: "Policy | None" = None
    json_is_open: bool = False


_output = _Output()
_LINE_ENDS_AND_TABS = re.compile("([\\n\\t])")  # line ends and tabs, which are not escaped


def tell(*lines: str) -> None:
    """Print lines of a result to stdout in human-readable form."""
    put("".join(f"{escape_control_characters(line)}\n" for line in lines))


def put(text: str) -> None:
    """Print a part of a result to stdout."""
    with to_stdout() as stdout:
        stdout.write(text)


def is_terminal() -> bool:
    """Return whether stdout is a terminal."""
    return sys.stdout.isatty()


def be_quiet() -> None:
    """Suppress all messages of this command except errors."""
    _output.quiet = True


def hide_secrets(arguments: Sequence[str]) -> None:
    """Omit the passwords in the arguments of a command from all its messages.

    Passwords in mistyped addresses are also recognised.
    """
    _output.secrets = [secret for argument in arguments for secret in list_typed_secrets(argument)]


def say(*sentences: str) -> None:
    """Print messages that are not part of the result to stderr, unless `--quiet` is given.

    JSON output always includes these messages.
    """
    if not _output.quiet:
        say_error(*sentences)
    else:
        _output.messages.extend(map(_mask_secrets, sentences))


def say_error(*sentences: str) -> None:
    """Print an error or other messages to stderr, even with `--quiet`."""
    masked_sentences = [_mask_secrets(sentence) for sentence in sentences]
    _output.messages.extend(masked_sentences)
    with suppress(OSError, ValueError):  # errors of writing to stderr cannot be reported
        for sentence in masked_sentences:
            sys.stderr.write(f"{escape_control_characters(sentence)}\n")
        sys.stderr.flush()


def _mask_secrets(sentence: str) -> str:
    for secret in _output.secrets:
        sentence = _mask_beginning(replace_in_any_case(sentence, secret, "…"), secret)
    return sentence


def _mask_beginning(sentence: str, secret: str) -> str:
    """Mask the beginning of a secret where the message quotes only a part of the argument."""
    beginning = secret[:MIN_MASKED_CHARACTERS]
    begin = sentence.find(beginning) if len(secret) > MIN_MASKED_CHARACTERS else -1
    while begin >= 0:
        pairs = zip(sentence[begin : begin + len(secret)], secret, strict=False)
        end = begin + sum(1 for _ in takewhile(lambda pair: pair[0] == pair[1], pairs))
        if not sentence[end : end + 1].isalnum():
            sentence = f"{sentence[:begin]}…{sentence[end:]}"
        begin = sentence.find(beginning, begin + 1)
    return sentence


def record_policy(policy: "Policy") -> None:
    """Store the policy of an evaluation, which JSON output includes."""
    _output.policy = policy


@contextmanager
def json_output() -> Iterator[TextIO]:
    """Yield a stream to which the value of the JSON field `values` must be written.

    `end_json` finishes the JSON object at the end of the command, since messages may follow.
    """
    end_json()  # finishes the object of a previous table, if the command prints several
    with to_stdout() as stdout:
        stdout.write('{"values": ')
        yield stdout
        _output.json_is_open = True


def end_json() -> None:
    """If a JSON object was begun, finish it with the policy and messages of the command."""
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
    """Stream that writes to a terminal on stdout and escapes control characters."""

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
        yield _Terminal() if is_terminal() else sys.stdout
    except BrokenPipeError:
        raise
    except OSError as error:
        leave_stdout()
        raise IrjudgeError(
            "Cannot write the output ({reason}).", reason=error.strerror or error
        ) from error


def leave_stdout() -> None:
    """Redirect stdout to the null device after an error.

    Otherwise Python would write the rest of the buffer at exit.
    """
    with suppress(OSError, ValueError):
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


# Closed streams and limited encodings


def prepare_streams() -> None:
    """Prepare stdout and stderr for a command, and reset the state of the output.

    Characters that the encoding lacks are escaped; closed streams are replaced by null devices.
    """
    global _output
    _output = _Output()
    for descriptor in range(3):  # otherwise the next opened file would reuse a closed descriptor
        try:
            os.fstat(descriptor)
        except OSError:
            os.open(os.devnull, os.O_RDWR)
    sys.stdout = sys.stdout or open(os.devnull, "w", encoding="utf-8")  # noqa: SIM115, PTH123
    sys.stderr = sys.stderr or open(os.devnull, "w", encoding="utf-8")  # noqa: SIM115, PTH123
    codecs.register_error(ESCAPING_HANDLER, _escape_missing_characters)
    if hasattr(sys.stdout, "reconfigure"):
        sys.stdout.reconfigure(errors=ESCAPING_HANDLER)


def warn_of_escaping() -> None:
    """Print a warning if output was escaped because the encoding lacks characters."""
    if _encoding_gaps:
        _encoding_gaps.clear()
        say(ESCAPING_MESSAGE.format(sys.stdout.encoding))


def _escape_missing_characters(error: UnicodeError) -> tuple[str, int]:
    """Return escapes of characters that the encoding lacks, and the index of the next character.

    This is a codec error handler. The escapes are those of JSON.
    """
    if not isinstance(error, UnicodeEncodeError):
        raise error
    _encoding_gaps.append(True)
    units = error.object[error.start : error.end].encode("utf-16-be", "surrogatepass")
    return "".join(
        f"\\u{units[index]:02x}{units[index + 1]:02x}" for index in range(0, len(units), 2)
    ), error.end
