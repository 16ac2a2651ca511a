"""Cuts long texts where a reader would, and puts places to break into words that are too long for a screen."""

import re
from collections.abc import Iterator

GAP = " \t\n\r\f\v"  # where a line may break; the no-break space is not among them
LONGEST_WORD = 2000  # the screen takes quadratic time over a line without a place to break
LONGEST_STRING = (
    40  # of Latin letters and signs; the words of a language are shorter, an address is not
)
BREAK = "\u200b"
WINDOW = 64_000
LONGEST_REFERENCE = 40  # of HTML's named characters the longest has 32 letters

_LONG_WORD = re.compile(rf"(?<![^{GAP}])[^{GAP}]{{{LONGEST_WORD},}}+")
# What takes no width of its own: marks above and below a letter, joiners, and signs of direction.
_WIDTHLESS = (
    "\u00ad\u0300-\u036f\u0483-\u0489\u0591-\u05bd\u0610-\u061a\u064b-\u065f\u0e34-\u0e3a\u0e47-\u0e4e\u1ab0-\u1aff"
    "\u1dc0-\u1dff\u200b-\u200f\u202a-\u202e\u2060-\u206f\u20d0-\u20ff\ufe00-\ufe0f\ufe20-\ufe2f\ufeff"
)
MOST_WIDTHLESS = 100
_HEAP = re.compile(rf"(?<![{_WIDTHLESS}])([{_WIDTHLESS}]{{{MOST_WIDTHLESS}}})[{_WIDTHLESS}]++")
_STRING = re.compile(rf"[!-~]{{{LONGEST_STRING}}}(?=[!-~])")
_PIECE = re.compile(f".{{{LONGEST_WORD}}}", re.DOTALL)


def break_long_words(text: str) -> str:
    """Put a place to break after every 2,000 characters without a space.

    Of characters without width, such as accents, 100 in a row are kept: thousands would lie on one spot of the screen.
    """
    if len(text) <= MOST_WIDTHLESS:
        return text
    text = text if text.isascii() else _HEAP.sub(r"\1", text)
    if len(text) < LONGEST_WORD:
        return text
    return _LONG_WORD.sub(lambda word: _PIECE.sub(lambda piece: piece[0] + BREAK, word[0]), text)


def break_strings(text: str) -> str:
    """Put a place to break after every 40 Latin letters and signs without a space: a screen need break no word elsewhere.

    >>> [len(piece) for piece in break_strings("see " + "x" * 100).split(BREAK)]
    [44, 40, 20]
    """
    return _STRING.sub(lambda piece: piece[0] + BREAK, text)


def windows(text: str, begin: int, end: int, size: int = WINDOW) -> Iterator[str]:
    """Yield `text[begin:end]` in pieces of `size` characters at most, cut behind a blank where there is one.

    Without a blank a piece is not cut inside a character reference such as `&amp;`. Nothing is lost, an empty range yields
    nothing.
    """
    while end - begin > size:
        at = cut_before(text, begin, begin + size)
        reference = text.rfind("&", max(begin + 1, at - LONGEST_REFERENCE), at)
        if reference > 0 and text[at - 1] not in GAP and ";" not in text[reference:at]:
            at = reference
        yield text[begin:at]
        begin = at
    if begin < end:
        yield text[begin:end]


def cut_before(text: str, begin: int, latest: int) -> int:
    """Return the best place to cut in the second half of `text[begin:latest]`: behind a line, else behind a blank, else `latest`."""
    middle = (begin + latest) // 2
    for gap in ("\n", " ", "\t"):
        if (at := text.rfind(gap, middle, latest)) >= 0:
            return at + 1
    return latest
