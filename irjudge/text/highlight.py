"""Finds the words of a topic in a text, whatever their form, and the assessor's own words as typed."""

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import pairwise
from typing import Any, Final, NamedTuple

from irjudge.text.folding import Folded, fold, fold_plainly
from irjudge.text.matching import (
    Span,
    Wanted,
    find_phrase,
    find_spaceless,
    find_words,
    phrase,
    without_ending,
)
from irjudge.text.stems import (
    CHINESE,
    CHINESE_WORDS,
    HAN,
    HIRAGANA,
    JAPANESE,
    KANA,
    KATAKANA,
    KOREAN,
    SOUTHEAST,
    SOUTHEAST_MARKS,
    SPACELESS,
    THAI,
    WORD,
    guess_languages,
    known_stop_words,
    script_of,
    stem,
    trim,
)

LONGEST_TERM = 100  # letters that a person can have highlighted as one
LONGEST_PART = 24
SHORTEST_SOUTHEAST = 4  # about one syllable
SHORTEST_HIRAGANA = 3  # below it are endings
SCRIPT = re.compile(rf"[{HAN}{KANA}]+|[{SOUTHEAST}]+")
ALL_HAN = re.compile(rf"[{HAN}]+")
KANA_LETTER = re.compile(f"[{KANA}]")
# A stem of one Chinese letter goes with the first letter of its ending: 始ま of 始まった.
JAPANESE_PIECE = re.compile(
    rf"[{HAN}]{{2,}}|[{HAN}](?:[{HIRAGANA}])?|[{KATAKANA}]{{2,}}|[{HIRAGANA}]{{{SHORTEST_HIRAGANA},}}"
)
NOT_CUT: Final = rf"(?![{SOUTHEAST_MARKS}])(?<![เแโใไ])"


def _cutter(stop_words: Sequence[str], kept: Sequence[str] = ()) -> re.Pattern[str]:
    longest_first = sorted(stop_words, key=len, reverse=True)
    return re.compile(f"({'|'.join(kept) or '(?!)'})|(?:{'|'.join(longest_first)})")


CUT_CHINESE, CUT_JAPANESE, CUT_THAI = (
    _cutter(CHINESE, CHINESE_WORDS),
    _cutter(JAPANESE),
    _cutter(THAI),
)


def pieces(run: str) -> Iterator[tuple[int, int]]:
    """Yield the places of the content words in a run of letters without spaces.

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
    longer = "|".join(
        re.escape(letter) + _branches(below) for letter, below in node.items() if letter
    )
    if "" not in node:
        return f"(?:{longer})"
    return f"(?:{longer}|{NOT_CUT})" if longer else NOT_CUT


LEAST_BEGINNING = 4  # letters; fewer begin too many words
MOST_SPACELESS = (
    200  # letters without spaces that are looked for; a longer title is a text of its own
)


@dataclass(frozen=True, slots=True)
class Term:
    """A word or phrase to highlight."""

    text: str  # as shown in the list, such as `tides`
    # added by the assessor: matched as typed but for case, and never in the middle of a word where a script has spaces. It may be a phrase,
    # which stands as whole words; one word of four letters or more is found at the beginning of words too.
    own: bool = False
    language: str = ""  # decides the stem, such as `german`; empty: guessed from all terms together


class TermHit(NamedTuple):
    """Where a term stands: `text[begin:end]`, and the term's place among the terms that were looked for."""

    begin: int
    end: int
    term: int


def query_terms(topic_title: str, *, context: str = "") -> tuple[Term, ...]:
    """Return the content words of a title in their order, each stem once; empty for a title without words.

    Stop words are left out unless nothing else remains. The context, more text in the same language such as the topic's description, helps
    to guess the language of a short title.

    >>> [term.text for term in query_terms("why are there two tides a day")]
    ['two', 'tides', 'day']
    """
    languages = guess_languages(f"{topic_title}\n{context}")
    stop_words = known_stop_words(frozenset(languages.values())) | KOREAN
    content: dict[str, Term] = {}
    others: dict[str, Term] = {}
    folded = fold(topic_title)
    for begin, end, says_something in _words(folded.text):
        source = folded.source(begin, end)
        if source:
            word = folded.text[begin:end]
            language = languages.get(script_of(word[0]), "")
            chosen = content if says_something and word not in stop_words else others
            chosen.setdefault(
                stem(word, language), Term(topic_title[source[0] : source[1]], language=language)
            )
    return tuple((content or others).values())


def find(text: str, terms: Sequence[Term]) -> list[TermHit]:
    """Return where the terms stand in a text of up to tens of megabytes, in ascending order.

    Of two terms with the same stem the first gets the hits. Of two hits that would overlap the longer stays, of equally long ones the
    first.

    Work grows with the length of the text alone. A text may be given in slices: cut at an empty line they give the hits of the whole; cut
    at any space they do so too unless a phrase stands across it. A place inside a word is no place to cut.

    >>> find("The Moon's pull", query_terms("moons"))
    [TermHit(begin=4, end=8, term=0)]
    """
    search = _search(tuple(terms))
    folded = fold(text)
    spans = list(_to_source(folded, find_words(folded.text, search.words)))
    spans += _to_source(folded, find_spaceless(folded.text, search.spaceless, search.owners))
    for wanted, term, begins in search.phrases:
        spans += _to_source(folded, find_phrase(folded.text, wanted, term, begins=begins))
    spans.sort()
    return list(map(TermHit._make, _apart(spans)))


def counts(hits: Iterable[TermHit], terms: Sequence[Term]) -> list[int]:
    """Return how often each term was found, in the order of the terms."""
    found = [0] * len(terms)
    for hit in hits:
        found[hit.term] += 1
    return found


def utf16_positions(text: str, positions: Iterable[int]) -> list[int]:
    """Return ascending positions in a text as Qt counts them: a letter beyond U+FFFF, such as an emoji, counts as two there.

    >>> utf16_positions("🌙 tide", [2, 6])
    [3, 7]
    """
    if text.isascii() or max(text) < "\U00010000":
        return list(positions)
    counted, at, wide = [], 0, 0
    for position in positions:
        wide += sum(letter >= "\U00010000" for letter in text[at:position])
        counted.append(position + wide)
        at = position
    return counted


def _words(text: str) -> Iterator[tuple[int, int, bool]]:
    """Yield the places of the words of a folded title, and whether each can be a content word."""
    for run in sorted([*WORD.finditer(text), *SPACELESS.finditer(text)], key=re.Match.start):
        at = run.start()
        if SPACELESS.match(run[0]):
            inner = list(pieces(run[0]))
            yield from ((at + begin, at + end, True) for begin, end in inner)
            if not inner:
                yield *run.span(), False
        else:
            begin, end = trim(run[0])
            bare = run[0][begin:end] if run[0] in KOREAN else without_ending(run[0][begin:end])
            yield at + begin, at + begin + len(bare), True


@dataclass(frozen=True, slots=True)
class _Search:
    """All terms made ready."""

    words: Wanted
    owners: dict[str, int]
    spaceless: re.Pattern[str] | None
    phrases: list[
        tuple[re.Pattern[str], int, bool]
    ]  # what to find, its term, and whether the beginning of a word counts


@lru_cache(maxsize=16)
def _search(terms: tuple[Term, ...]) -> _Search:
    languages = guess_languages(" ".join(term.text for term in terms))
    words, phrases = Wanted(), []
    owners: dict[str, int] = {}
    room = MOST_SPACELESS
    for index, term in enumerate(terms):
        folded = fold_plainly(term.text)
        if term.own:
            wanted = phrase(folded)
            begins = len(folded) >= LEAST_BEGINNING and len(folded.split()) == 1
            phrases += [(wanted, index, begins)] if wanted else []
            continue
        for word in WORD.findall(folded):
            words.add(word, term.language or languages.get(script_of(word[0]), ""), index)
        for run in SPACELESS.findall(folded):
            for part in parts(run[:room]):
                owners.setdefault(part, index)
            room -= min(room, len(run))
    return _Search(words, owners, pattern(owners), phrases)


def _to_source(folded: Folded, spans: Iterable[Span]) -> Iterator[Span]:
    """Yield the spans of a folded text as places in the original; what begins or ends inside a character is no hit."""
    if folded.straight == [True]:
        yield from spans
        return
    for begin, end, term in spans:
        source = folded.source(begin, end)
        if source:
            yield *source, term


def _apart(spans: Sequence[Span]) -> Iterator[Span]:
    """Yield ascending spans without those that overlap a longer one."""
    if all(before[1] <= after[0] for before, after in pairwise(spans)):
        yield from spans
        return
    together: list[Span] = []
    reach = 0
    for span in spans:
        if together and span[0] >= reach:
            yield from _longest(together)
            together = []
        together.append(span)
        reach = max(reach, span[1])
    yield from _longest(together)


def _longest(spans: list[Span]) -> list[Span]:
    """Return which of some spans that hang together stay: the longest first, then those that still have room."""
    if len(spans) < 2:
        return spans
    offset = spans[0][0]
    taken = bytearray(max(end for _, end, _ in spans) - offset)
    kept = []
    for begin, end, term in sorted(spans, key=lambda span: (span[0] - span[1], span)):
        if not taken[begin - offset] and not taken[end - offset - 1]:
            taken[begin - offset : end - offset] = b"\1" * (end - begin)
            kept.append((begin, end, term))
    return sorted(kept)
