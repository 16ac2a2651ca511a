"""Checks of option values that a Python program passes; the command line makes them itself."""

from collections.abc import Sequence
from numbers import Integral

from irjudge.errors import IrjudgeError


def check_choice(option: str, value: object, choices: Sequence[str]) -> None:
    """Raise IrjudgeError with the choices if the value is none of them."""
    if not isinstance(value, str) or value not in choices:
        raise IrjudgeError(
            "{option} must be one of {choices}, got {value}",
            key="unknown-choice",
            option=option,
            choices=", ".join(choices),
            value=repr(value),
        )


def check_whole(option: str, value: object, *, minimum: int) -> None:
    """Raise IrjudgeError if the value is no whole number, or is less than the minimum."""
    if isinstance(value, bool) or not isinstance(value, Integral) or value < minimum:
        raise IrjudgeError(
            "{option} must be a whole number of at least {minimum}, got {value}",
            key="not-whole",
            option=option,
            minimum=minimum,
            value=repr(value),
        )
