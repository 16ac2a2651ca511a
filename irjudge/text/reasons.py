"""Words of a document kept as a reason: the same text and place whether they were selected in the window or in a browser."""

import re
from collections.abc import Iterable
from dataclasses import dataclass
from typing import NamedTuple

from irjudge.text.matching import IS_LETTER_OR_MARK
from irjudge.text.pieces import BREAK

BLANKS = "\t\n\x0b\x0c\r\x1c-\x1f \x85\xa0\u1680\u2000-\u200a\u2028\u2029\u202f\u205f\u3000\ufdd0\ufdd1"  # Qt has the last two around cells
PICTURE = "\ufffc"  # as Qt has a picture in a text
_SHOWN = {ord(BREAK): None, ord(PICTURE): None, 0: "\ufffd"}
BLANK_SIGNS = frozenset(re.findall(f"[{BLANKS}]", "".join(map(chr, range(0x10000)))))
_BLANKS = re.compile(f"[{BLANKS}]+")
_LEADING = re.compile(f"\\A[{BLANKS}{BREAK}{PICTURE}]+")


@dataclass(frozen=True, slots=True)
class Reason:
    """Words, and where they begin and end in the document's text, counted in code points with runs of blanks as one."""

    text: str
    begin: int
    end: int


class Unsaid(NamedTuple):
    """Words that the places of reasons count and no screen shows: where they stand, and how many letters they have with a blank."""

    place: int = 0
    length: int = 0


ALL_SAID = Unsaid()


def reason_of(before: str, selected: str, unsaid: Unsaid = ALL_SAID) -> Reason | None:
    """Return the reason that a selection makes, after the shown text before it; None where no word is selected.

    `unsaid` is what `render.unsaid` says of the document. Screens part blocks and cells in their own ways, so any blanks count as one;
    places to break long words, and pictures, count nothing.

    >>> reason_of("A  title\\u2029Tides ", " follow\\u2028the moon")
    Reason(text='follow the moon', begin=14, end=29)
    """
    leading = _LEADING.match(selected)
    text = in_one_line(selected)
    if not text:
        return None
    begin = len(in_one_line(f"{before}{leading[0] if leading else ''}x")) - 1
    if begin > unsaid.place:
        begin += unsaid.length
    return Reason(text, begin, begin + len(text))


def column_of(
    reasons: Iterable[Reason], shown: str, unsaid: Unsaid = ALL_SAID
) -> list[tuple[int, int]]:
    """Return where reasons stand in a shown text, in ascending order; one that does not stand where it says is left out.

    >>> column_of([Reason("follow the", 8, 18)], "A  tide\\nfollow  the moon")
    []
    >>> column_of([Reason("follow the", 7, 17)], "A  tide\\nfollow  the moon")
    [(8, 19)]
    """
    letters, blank = list[int](), False
    for at, letter in enumerate(shown):
        if letter in BLANK_SIGNS:
            blank = bool(letters)
        elif letter not in (BREAK, PICTURE):
            letters += [at - 1, at] if blank else [at]
            blank = False
    found = []
    for reason in reasons:
        begin = reason.begin - (unsaid.length if reason.begin > unsaid.place else 0)
        last = begin + len(reason.text) - 1
        if 0 <= begin <= last < len(letters):
            place = letters[begin], letters[last] + 1
            found += [place] if in_one_line(shown[slice(*place)]) == reason.text else []
    return sorted(found)


def within_word(before: str, after: str) -> bool:
    """Tell whether a place between two letters lies inside a word of a script with spaces.

    >>> within_word("t", "i"), within_word("t", " "), within_word("\u6f6e", "\u6c50")
    (True, False, False)
    """
    return bool(IS_LETTER_OR_MARK.match(before) and IS_LETTER_OR_MARK.match(after))


def in_one_line(text: str) -> str:
    """Return a text with one blank for any number of them, and none around it."""
    return _BLANKS.sub(" ", text.translate(_SHOWN)).strip(" ")
