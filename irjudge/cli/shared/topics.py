"""The option that leaves topics out."""

from collections.abc import Callable, Sequence
from typing import Any, TypeVar

import click

Command = TypeVar("Command", bound=Callable[..., Any])
WORDS = "Only this topic; may be repeated. 401-405 stands for all from one to the other."


def topic_option(*short: str, words: str = WORDS) -> Callable[[Command], Command]:
    """Return the option that names the topics that count; the command takes them as `only`, a wish as `chosen_topics` reads it."""
    return click.option(*short, "--topic", "only", multiple=True, metavar="TOPIC", callback=_joined, help=words)


def _joined(_context: click.Context, _option: click.Parameter, said: Sequence[str]) -> str:
    return ",".join(said)
