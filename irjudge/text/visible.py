"""Texts from strangers as they may be printed: what would command a terminal is spelt out."""

import re

# Controls of both kinds, what ends a line, what turns the direction of letters around, and halves of characters.
UNPRINTABLE = re.compile(
    r"[\x00-\x1f\x7f-\x9f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069\ud800-\udfff]"
)


def visible(text: str) -> str:
    """Return a text with control characters spelt out: a stranger's id must neither break lines nor command the terminal.

    >>> visible("d\\x1b[2J")
    'd\\\\x1b[2J'
    """
    return UNPRINTABLE.sub(lambda match: match[0].encode("unicode_escape").decode(), text)
