"""Splits and finds words of scripts without spaces: Chinese, Japanese, Thai, Lao, Khmer, Burmese."""

import re
from collections.abc import Iterator, Sequence
from typing import Any, Final

from irjudge.text.stop_words import CHINESE, CHINESE_WORDS, JAPANESE, THAI
from irjudge.text.words import HAN, HIRAGANA, KANA, KATAKANA, SOUTHEAST, SOUTHEAST_MARKS

LONGEST_PART = 24
SHORTEST_SOUTHEAST = 4  # about one syllable
SHORTEST_HIRAGANA = 3  # below it are endings
SCRIPT = re.compile(rf"[{HAN}{KANA}]+|[{SOUTHEAST}]+")
ALL_HAN = re.compile(rf"[{HAN}]+")
KANA_LETTER = re.compile(f"[{KANA}]")
# A stem of one Chinese letter goes with the first letter of its ending: 始ま of 始まった.
JAPANESE_PIECE = re.compile(rf"[{HAN}]{{2,}}|[{HAN}](?:[{HIRAGANA}])?|[{KATAKANA}]{{2,}}|[{HIRAGANA}]{{{SHORTEST_HIRAGANA},}}")
NOT_CUT: Final = rf"(?![{SOUTHEAST_MARKS}])(?<![เแโใไ])"


def _cutter(stop_words: Sequence[str], kept: Sequence[str] = ()) -> re.Pattern[str]:
    longest_first = sorted(stop_words, key=len, reverse=True)
    return re.compile(f"({'|'.join(kept) or '(?!)'})|(?:{'|'.join(longest_first)})")


CUT_CHINESE, CUT_JAPANESE, CUT_THAI = _cutter(CHINESE, CHINESE_WORDS), _cutter(JAPANESE), _cutter(THAI)


def pieces(run: str) -> Iterator[tuple[int, int]]:
    """Yield the places of the content words in a run of letters without spaces.

    Examples
    --------
    >>> title = "二战是什么时候开始的"
    >>> [title[begin:end] for begin, end in pieces(title)]
    ['二战', '开始']
    """
    for part in SCRIPT.finditer(run):
        if not ALL_HAN.match(part[0]) and not KANA_LETTER.match(part[0]):
            yield from _between(CUT_THAI, part[0], part.start())
        elif not KANA_LETTER.search(part[0]):
            yield from _between(CUT_CHINESE, part[0], part.start())
        else:
            for begin, end in _between(CUT_JAPANESE, part[0], part.start()):
                yield from (piece.span() for piece in JAPANESE_PIECE.finditer(run, begin, end))


def _between(cutter: re.Pattern[str], text: str, offset: int) -> Iterator[tuple[int, int]]:
    """Yield the places between the stop words of a text."""
    begin = 0
    for match in cutter.finditer(text):
        if match[1] is None:
            if begin < match.start():
                yield offset + begin, offset + match.start()
            begin = match.end()
    if begin < len(text):
        yield offset + begin, offset + len(text)


def parts(word: str) -> Iterator[str]:
    """Yield what marks a word where a text has it: for Chinese any two or more letters of it in a row, for Thai any syllables.

    Words with kana are marked whole, with or without the sign for a long vowel at their end.
    """
    if not word:
        return
    if KANA_LETTER.search(word):
        yield word
        if len(word) > SHORTEST_HIRAGANA:
            yield word.removesuffix("ー")
        return
    shortest = min(len(word), 2 if ALL_HAN.fullmatch(word) else SHORTEST_SOUTHEAST)
    for begin in range(len(word) - shortest + 1):
        for end in range(begin + shortest, min(len(word), begin + LONGEST_PART) + 1):
            yield word[begin:end]


def pattern(owners: dict[str, int]) -> re.Pattern[str] | None:
    """Return what finds the longest of some strings at each place; None when there are none."""
    tree: dict[str, Any] = {}
    for string in owners:
        node = tree
        for letter in string:
            node = node.setdefault(letter, {})
        node[""] = {}
    return re.compile(f"(?<![เแโใไ])(?![{SOUTHEAST_MARKS}]){_branches(tree)}") if tree else None


def _branches(node: dict[str, Any]) -> str:
    """Return a pattern for a tree of letters; it is as deep as the longest string, so parts are short."""
    longer = "|".join(re.escape(letter) + _branches(below) for letter, below in node.items() if letter)
    if "" not in node:
        return f"(?:{longer})"
    return f"(?:{longer}|{NOT_CUT})" if longer else NOT_CUT
