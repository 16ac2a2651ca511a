"""Parsers of the output of commands, independent of its wording."""

import re

import pytest

from irjudge.cli.main import irjudge
from irjudge.errors import IrjudgeError
from irjudge.message import Message


def numbers(text: str) -> list[str]:
    """Return the numbers of a text in order, with their separators."""
    return re.findall(r"\d+(?:[.,]\d+)*", text)


def find_line(text: str, *parts: str) -> str:
    """Return the only line that has all the parts."""
    lines = [line for line in text.splitlines() if all(part in line for part in parts)]
    assert len(lines) == 1, (parts, text)
    return lines[0]


def keys_of(message: str) -> set[str]:
    """Return the keys of a message and of the messages among its values."""
    if not isinstance(message, Message):
        return set()
    return {message.key}.union(*map(keys_of, message.values.values()))


def command_error(*arguments: object) -> IrjudgeError:
    """Return the error that ends a command, with its key and values."""
    with pytest.raises(IrjudgeError) as error:
        irjudge.main(args=[*map(str, arguments)], prog_name="irjudge", standalone_mode=False)
    return error.value
