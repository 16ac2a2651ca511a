"""Folding of text to one form for equivalent characters, with the original positions."""

import re
import unicodedata
from bisect import bisect_left, bisect_right
from dataclasses import dataclass
from functools import cache, lru_cache
from itertools import chain, pairwise

from irjudge.model import normalise_unicode

# maximum number of joining characters in one piece of a folded text
MAX_JOINED = 30
# Characters that are ignored when texts are matched: soft hyphen, joiners, direction marks,
# tatweel, vowel signs of Arabic and Hebrew, nuktas.
DROPPED_CHARACTERS = (
    "\u00ad\u034f\u0591-\u05bd\u05bf\u05c1\u05c2\u05c4\u05c5\u05c7\u0610-\u061a\u061c\u0640\u064b-\u065f\u0670\u06d6-\u06dc\u06df-\u06e4"
    "\u06e7\u06e8\u06ea-\u06ed\u093c\u09bc\u0a3c\u0abc\u0b3c\u200b-\u200f\u202a-\u202e\u2060-\u2064\u2066-\u2069\ufe00-\ufe0f\ufeff"
)
DROPPED_PATTERN = re.compile(f"[{DROPPED_CHARACTERS}]+")
# replacements of single characters: apostrophes, letters with nukta, yeh, kaf, candrabindu
EQUIVALENT_CHARACTERS = {
    "’": "'",
    "ʼ": "'",
    "ऩ": "न",
    "ऱ": "र",
    "ऴ": "ळ",
    "ँ": "ं",
    "ي": "ی",
    "ى": "ی",
    "ك": "ک",
}
# vowel signs of Thai and Lao, which users type as one character, but which NFKC decomposes
SARA_AM = {"\u0e4d\u0e32": "\u0e33", "\u0ecd\u0eb2": "\u0eb3"}


@dataclass(frozen=True, slots=True)
class FoldedText:
    """Text with folded case and equivalent characters, with positions in the original text.

    A match in the folded text can thereby be highlighted in the original; see `source`. The text is
    divided into pieces.
    In an aligned piece, each folded character corresponds to one original character. In other
    pieces, only the beginning and the end have known positions. `begins` contains the offset of
    each piece in the folded text, followed by the length of the folded text. `sources` contains the
    offset of each piece in the original text, followed by the length of the original text.
    """

    text: str
    begins: list[int]
    sources: list[int]
    aligned: list[bool]

    def source(self, begin: int, end: int) -> tuple[int, int] | None:
        """Return the original span of `text[begin:end]`.

        The result is None if the span begins or ends inside the folded form of a character.
        """
        first_index, last_index = (
            bisect_right(self.begins, begin) - 1,
            bisect_left(self.begins, end) - 1,
        )
        source_begin, source_end = self.sources[first_index], self.sources[last_index + 1]
        if self.aligned[first_index]:
            source_begin += begin - self.begins[first_index]
        elif begin != self.begins[first_index]:
            return None
        if self.aligned[last_index]:
            source_end -= self.begins[last_index + 1] - end
        elif end != self.begins[last_index + 1]:
            return None
        return source_begin, source_end


def fold_text(text: str) -> FoldedText:
    """Fold a text; the result maps positions in the folded text to positions in the text.

    The time is linear in the length of the text.
    """
    if text.isascii():
        return FoldedText(text.lower(), [0, len(text)], [0, len(text)], [True])
    characters = frozenset(text)
    pattern = _compile_irregular_pattern(characters)
    irregular_spans = [match.span() for match in pattern.finditer(text)] if pattern else []
    regular_spans = list(pairwise([0, *chain.from_iterable(irregular_spans), len(text)]))[::2]
    folded_pieces = _fold_each([text[begin:end] for begin, end in regular_spans], characters)
    builder = _FoldedTextBuilder(text)
    for index, (begin, end) in enumerate(regular_spans):
        builder.add_aligned(folded_pieces[index], begin, end)
        if index < len(irregular_spans):
            builder.add_group(*irregular_spans[index])
    return builder.result()


def casefold_text(text: str) -> str:
    """Return a text in case-folded NFKC form, without invisible and optional characters.

    >>> casefold_text("Ｔｉｄｅｓ’ ﬁne Straße")
    "tides' fine strasse"
    """
    folded_text = normalise_unicode(
        "NFKC", DROPPED_PATTERN.sub("", normalise_unicode("NFKC", text)).casefold()
    )
    for sequence, replacement in (EQUIVALENT_CHARACTERS | SARA_AM).items():
        folded_text = folded_text.replace(sequence, replacement)
    return folded_text


class _FoldedTextBuilder:
    """Builder of a `FoldedText` from consecutive pieces of a text."""

    def __init__(self, text: str) -> None:
        self._text = text
        self._parts: list[str] = []
        self._length = 0
        self._starts: list[int] = []
        self._sources: list[int] = []
        self._aligned: list[bool] = []

    def add_aligned(self, folded: str, begin: int, end: int) -> None:
        """Add characters that are folded one by one; `folded` is their folded text."""
        if len(folded) == end - begin:
            self._add_piece(folded, begin, True)
        else:
            for index in range(begin, end):
                self.add_group(index, index + 1)

    def add_group(self, begin: int, end: int) -> None:
        """Add characters that must be folded together, as one piece that is not aligned."""
        self._add_piece(_fold_short_text(self._text[begin:end]), begin, False)

    def _add_piece(self, folded: str, source: int, is_aligned: bool) -> None:
        self._parts.append(folded)
        self._starts.append(self._length)
        self._sources.append(source)
        self._aligned.append(is_aligned)
        self._length += len(folded)

    def result(self) -> FoldedText:
        return FoldedText(
            "".join(self._parts),
            [*self._starts, self._length],
            [*self._sources, len(self._text)],
            self._aligned,
        )


@lru_cache(maxsize=10_000)
def _fold_short_text(text: str) -> str:
    return casefold_text(text)


def _fold_each(texts: list[str], characters: frozenset[str]) -> list[str]:
    """Fold several texts together, which is faster than folding them one by one.

    `characters` are all characters of the texts; the texts are joined by another character.
    """
    separator = next(
        (
            character
            for character in map(chr, range(0xF0000, 0xFFFFE))
            if character not in characters
        ),
        "\n",
    )
    folded_texts = casefold_text(separator.join(texts)).split(separator)
    return (
        folded_texts if len(folded_texts) == len(texts) else [casefold_text(text) for text in texts]
    )


def _compile_irregular_pattern(characters: frozenset[str]) -> re.Pattern[str] | None:
    """Return a pattern for the characters that folding does not map to one character each.

    Folding removes these characters, replaces them by several characters, or combines them with the
    previous character. The result is None if there are no such characters among `characters`.
    """
    joining_characters = {
        character
        for character in characters
        if character in _find_joining_characters() or DROPPED_PATTERN.match(character)
    }
    growing_characters = {
        letter for letter in characters - joining_characters if len(_fold_short_text(letter)) != 1
    }
    if not joining_characters:
        return (
            re.compile(f"[{_format_character_class(growing_characters)}]")
            if growing_characters
            else None
        )
    joining_class = _format_character_class(joining_characters)
    joined_pattern = f"[^{joining_class}]?[{joining_class}]{{1,{MAX_JOINED}}}"
    return re.compile(
        f"{joined_pattern}|[{_format_character_class(growing_characters)}]"
        if growing_characters
        else joined_pattern
    )


def _format_character_class(characters: set[str]) -> str:
    return "".join(map(re.escape, sorted(characters)))


@cache
def _find_joining_characters() -> frozenset[str]:
    """Return the characters that NFKC may combine with the previous character."""
    joining_characters = set(
        map(chr, [*range(0x1161, 0x1176), *range(0x11A8, 0x11C3), 0xFF9E, 0xFF9F])
    )
    for code in [*range(0xC0, 0x3100), *range(0x11000, 0x12000), *range(0x16100, 0x16E00)]:
        components = unicodedata.decomposition(chr(code)).split()
        if len(components) == 2 and not components[0].startswith("<"):
            joining_characters.add(chr(int(components[1], 16)))
    return frozenset(
        joining_characters
        | {
            part
            for character in joining_characters
            for part in unicodedata.normalize("NFKD", character)
        }
    )
