"""Finds prepared terms in a folded text: words by their stem, letters of scripts without spaces, phrases as typed."""

import re
import string
from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass, field

from irjudge.text.folding import fold_plainly
from irjudge.text.stems import (
    ASCII_WORD,
    HANGUL,
    KOREAN_ENDINGS,
    LETTER,
    LONGEST_STEMMED,
    MARKS,
    NASAL,
    SOUTHEAST_MARKS,
    WORD,
    script_of,
    stem,
    trim,
    unaccented,
)

Span = tuple[int, int, int]  # begin, end, term

# Between the words of a phrase a line may end, but an empty line may not stand.
GAP = r"(?:[ \t]++(?:\r?[\n\u2028\u2029][ \t]*+)?+|\r?[\n\u2028\u2029][ \t]*+)"
IS_LETTER = re.compile(LETTER)
IS_LETTER_OR_MARK = re.compile(f"{LETTER}|[{MARKS}]")
REST_OF_WORD = re.compile(f"(?:{LETTER}++|[{MARKS}]++)*+")
IS_MARK = re.compile(f"[{MARKS}{SOUTHEAST_MARKS}]")
IS_HANGUL = re.compile(f"[{HANGUL}]")
KOREAN_ENDING = re.compile(f"(?:{'|'.join(sorted(KOREAN_ENDINGS, key=len, reverse=True))})\\Z")
# Their stemmers take something away in front, so a stem may begin anywhere in a word.
STEM_INSIDE = frozenset({"arabic", "persian", "dutch"})
CHANGING = re.compile(
    "[ءاأإآٱؤئويىیةه]+"
)  # letters that the stemmers of Arabic and Persian write in another way


@dataclass(slots=True)
class Wanted:
    """The words to find: by script and language their stems, and the beginnings of Korean words."""

    stems: dict[str, dict[str, "Stems"]] = field(default_factory=lambda: defaultdict(dict))
    korean: dict[str, int] = field(default_factory=dict)
    initials: set[str] = field(default_factory=set)

    def add(self, word: str, language: str, term: int) -> None:
        """Want all forms of a folded word."""
        if IS_HANGUL.match(word):
            self.korean.setdefault(without_ending(word), term)
            return
        begin, end = trim(word)
        word = word[begin:end]
        wanted = stem(word, language)
        self.stems[script_of(word[0])].setdefault(language, Stems(language)).add(wanted, term)
        self.initials |= {*string.ascii_lowercase} if language in STEM_INSIDE else set(wanted[:1])

    def term_of(self, word: str) -> Span | None:
        """Return which part of a word is marked, and for which term; None when the word is not wanted."""
        if word[0] not in self.initials and word.isascii() and "'" not in word:
            return None  # most words of a long text end here
        if IS_HANGUL.match(word):
            return self._korean_term_of(word)
        begin, end = trim(word)
        core = word[begin:end]
        for stems in self.stems.get(script_of(core[0]), {}).values():
            term = stems.term_of(core)
            if term is not None:
                return begin, end, term
        return None

    def _korean_term_of(self, word: str) -> Span | None:
        """Return the longest beginning; one syllable alone begins too many words, so an ending or nothing must follow it."""
        for size in range(min(len(word), max(map(len, self.korean), default=0)), 0, -1):
            term = self.korean.get(word[:size])
            if term is not None and (
                size > 1 or size == len(word) or KOREAN_ENDING.fullmatch(word, size)
            ):
                return 0, size, term
        return None


class Stems:
    """The wanted stems of one language. Stemming costs 30 microseconds, so a look at a few letters comes first."""

    def __init__(self, language: str) -> None:
        self._language = language
        self._terms: dict[str, int] = {}
        self._starts: dict[int, set[str]] = defaultdict(set)
        self._inside: set[str] = set()

    def add(self, wanted: str, term: int) -> None:
        """Want a stem; of two equal ones the first term has it."""
        self._terms.setdefault(wanted, term)
        if self._language in {"arabic", "persian"}:
            self._inside.add(fold_plainly(max(CHANGING.split(wanted), key=len)))
        elif self._language in STEM_INSIDE:
            self._inside.add(wanted[:2])
        else:
            start = self._first_letters(wanted)
            size = max(
                1, min(4, len(start) - 2)
            )  # a stemmer may write the last two letters in another way
            self._starts[size].add(start[:size])

    def term_of(self, word: str) -> int | None:
        """Return the term whose stem a folded word has."""
        if not self._may_have_stem(word):
            return None
        return self._terms.get(stem(word, self._language))

    def _may_have_stem(self, word: str) -> bool:
        if not self._language or len(word) > LONGEST_STEMMED:
            return True
        first = self._first_letters(word)
        if self._inside:
            return any(letters in first for letters in self._inside)
        return any(first[:size] in starts for size, starts in self._starts.items())

    def _first_letters(self, word: str) -> str:
        plain = unaccented(word)
        if self._language == "german":  # ä is also written ae
            plain = plain.replace("ae", "a").replace("oe", "o").replace("ue", "u")
        return NASAL.sub("ं", plain) if self._language == "hindi" else plain


class _Known(dict[str, Span | None]):
    """Looks at each different word of a text once."""

    def __init__(self, wanted: Wanted) -> None:
        super().__init__()
        self._wanted = wanted

    def __missing__(self, word: str) -> Span | None:
        found = self[word] = self._wanted.term_of(word)
        return found


def without_ending(word: str) -> str:
    """Return a Korean word without its particle, if two syllables remain."""
    ending = KOREAN_ENDING.search(word, 2)
    return word[: ending.start()] if ending else word


def find_words(text: str, wanted: Wanted) -> Iterator[Span]:
    """Yield where the wanted words stand in a folded text."""
    if not wanted.stems and not wanted.korean:
        return
    known = _Known(wanted)
    for match in (ASCII_WORD if text.isascii() else WORD).finditer(text):
        found = known[match[0]]
        if found:
            at = match.start()
            yield at + found[0], at + found[1], found[2]


def find_spaceless(
    text: str, pattern: re.Pattern[str] | None, owners: dict[str, int]
) -> Iterator[Span]:
    """Yield where the longest parts of wanted words stand."""
    for match in pattern.finditer(text) if pattern else ():
        yield *match.span(), owners[match[0]]


def phrase(text: str) -> re.Pattern[str] | None:
    """Return what finds a folded text as typed, however wide its spaces; None when it says nothing."""
    words = text.split()
    return re.compile(GAP.join(map(re.escape, words))) if words else None


def find_phrase(
    text: str, pattern: re.Pattern[str], term: int, *, begins: bool = False
) -> Iterator[Span]:
    """Yield where a phrase stands as whole words, or begins one; scripts without spaces, and Korean, have no whole words."""
    match = pattern.search(text)
    while match:
        begin, end = match.span()
        if _is_inside_word(text, begin):
            rest = REST_OF_WORD.match(text, begin)
            end = rest.end() if rest else end  # every other place in this word is inside it too
        elif IS_MARK.match(text, end) or (not begins and _is_inside_word(text, end)):
            end = begin + 1
        else:
            yield begin, end, term
        match = pattern.search(text, end)


def _is_inside_word(text: str, place: int) -> bool:
    return (
        place > 0
        and bool(IS_LETTER.match(text, place))
        and bool(IS_LETTER_OR_MARK.match(text, place - 1))
    )
