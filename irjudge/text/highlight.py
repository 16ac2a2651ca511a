"""Search for terms in a text, and for text that the user types, to highlight the matches."""

import re
import string
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from itertools import pairwise
from typing import Any, Final, NamedTuple

from irjudge.progress import SILENT, Progress
from irjudge.text.folding import FoldedText, casefold_text, fold_text
from irjudge.text.stems import (
    ASCII_WORD,
    CHINESE,
    CHINESE_WORDS,
    HAN,
    HANGUL,
    HIRAGANA,
    JAPANESE,
    KANA,
    KATAKANA,
    KOREAN,
    KOREAN_ENDINGS,
    LETTER,
    MARKS,
    MAX_STEMMED_LENGTH,
    NASAL,
    SOUTHEAST,
    SOUTHEAST_MARKS,
    SPACELESS_TEXT,
    THAI,
    WORD,
    find_word_bounds,
    get_letter_script,
    guess_languages,
    load_stop_words,
    make_inflection_key,
    stem,
    strip_accents,
)

# Search for terms in a folded text. The terms are words with stems, words in scripts without
# spaces, and phrases.

Span = tuple[int, int, int]  # begin, end, index of the term

MAX_CACHED_WORDS = 20_000  # number of words after which a matcher begins a new cache
MAX_SHARED_LENGTH = 100_000  # maximum length of a text whose words are cached for other texts

# A phrase may continue on the next line, but not after a blank line.
PHRASE_GAP = r"(?:[ \t]++(?:\r?[\n\u2028\u2029][ \t]*+)?+|\r?[\n\u2028\u2029][ \t]*+)"
LETTER_PATTERN = re.compile(LETTER)
LETTER_OR_MARK_PATTERN = re.compile(f"{LETTER}|[{MARKS}]")
REST_OF_WORD = re.compile(f"(?:{LETTER}++|[{MARKS}]++)*+")
MARK_PATTERN = re.compile(f"[{MARKS}{SOUTHEAST_MARKS}]")
HANGUL_PATTERN = re.compile(f"[{HANGUL}]")
KOREAN_ENDING = re.compile(f"(?:{'|'.join(sorted(KOREAN_ENDINGS, key=len, reverse=True))})\\Z")
# Languages whose stemmers also remove prefixes, so that a stem may begin inside a word.
LANGUAGES_WITH_PREFIXES = frozenset({"arabic", "persian", "dutch"})
# characters that the stemmers of Arabic and Persian change
VARIANT_CHARACTERS = re.compile("[ءاأإآٱؤئويىیةه]+")


@dataclass(slots=True)
class WordMatcher:
    """Matcher that finds the term of a query that a word matches.

    Words are compared by their stems, with a `StemMatcher` for each script and language of the
    terms. Korean words match a term if they begin with it.
    """

    # matcher of each script and, within it, of each language
    stems: dict[str, dict[str, "StemMatcher"]] = field(default_factory=lambda: defaultdict(dict))
    korean: dict[str, int] = field(default_factory=dict)  # index of the term of each Korean stem
    korean_sizes: list[int] = field(default_factory=list)  # lengths of `korean`, descending
    # possible first letters of matching words; an ASCII word with another one is not stemmed
    initials: set[str] = field(default_factory=set)
    # results of `find_term` for words of earlier texts, since texts of a collection share words
    matches: dict[str, Span | None] = field(default_factory=dict)

    def add(self, word: str, language: str, term: int) -> None:
        """Add a folded word of a term, so that all inflected forms of the word match the term."""
        if HANGUL_PATTERN.match(word):
            word_stem = strip_korean_particle(word)
            self.korean.setdefault(word_stem, term)
            self.korean_sizes = sorted({*self.korean_sizes, len(word_stem)}, reverse=True)
            return
        begin, end = find_word_bounds(word)
        word = word[begin:end]
        word_stem = stem(word, language)
        self.stems[get_letter_script(word[0])].setdefault(language, StemMatcher(language)).add(
            word_stem, make_inflection_key(word, language), term
        )
        self.initials |= (
            {*string.ascii_lowercase} if language in LANGUAGES_WITH_PREFIXES else set(word_stem[:1])
        )

    def find_term(self, word: str) -> Span | None:
        """Return the matching span of a word and the index of the term; None if no term matches."""
        if word[0] not in self.initials and word.isascii() and "'" not in word:
            return None  # most words of a long text are rejected here, since stemming is slow
        if HANGUL_PATTERN.match(word):
            return self._find_korean_term(word)
        begin, end = find_word_bounds(word)
        stripped_word = word[begin:end]
        for matcher in self.stems.get(get_letter_script(stripped_word[0]), {}).values():
            term = matcher.find_term(stripped_word)
            if term is not None:
                return begin, end, term
        return None

    def _find_korean_term(self, word: str) -> Span | None:
        """Return the span and index of the longest term at the beginning of a word, or None.

        A term of a single syllable must be the whole word, or be followed by an ending.
        """
        for size in self.korean_sizes:
            term = self.korean.get(word[:size]) if size <= len(word) else None
            if term is not None and (
                size > 1 or size == len(word) or KOREAN_ENDING.fullmatch(word, size)
            ):
                return 0, size, term
        return None


class StemMatcher:
    """Matcher that finds the term with the same stem as a word, in one language.

    Stemming is slow. Therefore a word is not stemmed unless it begins with the first letters of the
    stem of a term. In Arabic, Persian and Dutch, these letters may be anywhere in the word.
    """

    def __init__(self, language: str) -> None:
        self._language = language
        self._terms: dict[str, int] = {}
        self._prefixes: dict[int, set[str]] = defaultdict(set)
        self._fragments: set[str] = set()

    def add(self, word_stem: str, key: str, term: int) -> None:
        """Add the stem and the inflection key of a term, unless another term has the same key."""
        self._terms.setdefault(key, term)
        if self._language in {"arabic", "persian"}:
            self._fragments.add(casefold_text(max(VARIANT_CHARACTERS.split(word_stem), key=len)))
        elif self._language in LANGUAGES_WITH_PREFIXES:
            self._fragments.add(word_stem[:2])
        else:
            start = self._normalise_beginning(word_stem)
            size = max(1, min(4, len(start) - 2))  # a stemmer may change the last two characters
            self._prefixes[size].add(start[:size])

    def find_term(self, word: str) -> int | None:
        """Return the term with the same inflection key as a folded word; None if there is none."""
        if not self._can_have_stem(word):
            return None
        return self._terms.get(make_inflection_key(word, self._language))

    def _can_have_stem(self, word: str) -> bool:
        if not self._language or len(word) > MAX_STEMMED_LENGTH:
            return True
        beginning = self._normalise_beginning(word)
        if self._fragments:
            return any(prefix in beginning for prefix in self._fragments)
        return any(beginning[:size] in starts for size, starts in self._prefixes.items())

    def _normalise_beginning(self, word: str) -> str:
        accentless_word = strip_accents(word)
        if self._language == "german":  # ä may also be written as ae
            accentless_word = (
                accentless_word.replace("ae", "a").replace("oe", "o").replace("ue", "u")
            )
        return NASAL.sub("ं", accentless_word) if self._language == "hindi" else accentless_word


def strip_korean_particle(word: str) -> str:
    """Return a Korean word without its particle if at least two syllables remain."""
    ending = KOREAN_ENDING.search(word, 2)
    return word[: ending.start()] if ending else word


def find_words(text: str, matcher: WordMatcher) -> Iterator[Span]:
    """Yield the spans of those words of a folded text that match a term."""
    if not matcher.stems and not matcher.korean:
        return
    if len(matcher.matches) > MAX_CACHED_WORDS:
        matcher.matches = {}
    matches = matcher.matches if len(text) <= MAX_SHARED_LENGTH else {}
    for match in (ASCII_WORD if text.isascii() else WORD).finditer(text):
        word = match[0]
        if word not in matches:
            matches[word] = matcher.find_term(word)
        hit = matches[word]
        if hit:
            offset = match.start()
            yield offset + hit[0], offset + hit[1], hit[2]


def find_spaceless_words(
    text: str, pattern: re.Pattern[str] | None, term_of_word: dict[str, int]
) -> Iterator[Span]:
    """Yield the spans of terms in scripts without spaces; `pattern` matches the longest term."""
    for match in pattern.finditer(text) if pattern else ():
        yield *match.span(), term_of_word[match[0]]


def compile_phrase(text: str) -> re.Pattern[str] | None:
    """Return a pattern for a folded phrase, with any spaces between words; None without words."""
    tokens = text.split()
    return re.compile(PHRASE_GAP.join(map(re.escape, tokens))) if tokens else None


def find_phrase(
    text: str, pattern: re.Pattern[str], term: int, *, is_prefix: bool = False
) -> Iterator[Span]:
    """Yield the spans at which a phrase matches whole words.

    With `is_prefix`, the last word in the text may continue after the phrase.
    """
    match = pattern.search(text)
    while match:
        begin, end = match.span()
        if _is_inside_word(text, begin):
            word_rest = REST_OF_WORD.match(text, begin)
            # the rest of the word is skipped, since a match there would also begin inside the word
            end = word_rest.end() if word_rest else end
        elif MARK_PATTERN.match(text, end) or (not is_prefix and _is_inside_word(text, end)):
            end = begin + 1
        else:
            yield begin, end, term
        match = pattern.search(text, end)


def _is_inside_word(text: str, index: int) -> bool:
    return (
        index > 0
        and bool(LETTER_PATTERN.match(text, index))
        and bool(LETTER_OR_MARK_PATTERN.match(text, index - 1))
    )


# Search for inflected forms of the topic's terms, and for the assessor's own terms as typed.

MAX_TERM_LENGTH = 100  # maximum number of characters of a term that an assessor adds
MAX_PART_LENGTH = 24
MIN_SOUTHEAST_LENGTH = 4  # minimum number of characters, about one syllable
MIN_HIRAGANA_LENGTH = 3  # minimum number of characters; shorter strings are endings
SPACELESS_RUN = re.compile(rf"[{HAN}{KANA}]+|[{SOUTHEAST}]+")
ALL_HAN = re.compile(rf"[{HAN}]+")
KANA_LETTER = re.compile(f"[{KANA}]")
# Pattern of the parts of Japanese text that are searched for. If the stem of a word is one Chinese
# character, the first character of its ending is included, such as 始ま in 始まった.
JAPANESE_PIECE = re.compile(
    rf"[{HAN}]{{2,}}|[{HAN}](?:[{HIRAGANA}])?|[{KATAKANA}]{{2,}}|[{HIRAGANA}]{{{MIN_HIRAGANA_LENGTH},}}"
)
UNSPLIT_POSITION: Final = rf"(?![{SOUTHEAST_MARKS}])(?<![เแโใไ])"


def _make_stop_word_pattern(
    stop_words: Sequence[str], protected: Sequence[str] = ()
) -> re.Pattern[str]:
    sorted_words = sorted(stop_words, key=len, reverse=True)
    return re.compile(f"({'|'.join(protected) or '(?!)'})|(?:{'|'.join(sorted_words)})")


CHINESE_STOP_WORD = _make_stop_word_pattern(CHINESE, CHINESE_WORDS)
JAPANESE_STOP_WORD = _make_stop_word_pattern(JAPANESE)
THAI_STOP_WORD = _make_stop_word_pattern(THAI)


def iter_content_words(text: str) -> Iterator[tuple[int, int]]:
    """Yield the spans of content words in scripts without spaces, such as Chinese.

    >>> title = "二战是什么时候开始的"
    >>> [title[begin:end] for begin, end in iter_content_words(title)]
    ['二战', '开始']
    """
    for part in SPACELESS_RUN.finditer(text):
        if not ALL_HAN.match(part[0]) and not KANA_LETTER.match(part[0]):
            yield from _iter_between(THAI_STOP_WORD, part[0], part.start())
        elif not KANA_LETTER.search(part[0]):
            yield from _iter_between(CHINESE_STOP_WORD, part[0], part.start())
        else:
            for begin, end in _iter_between(JAPANESE_STOP_WORD, part[0], part.start()):
                yield from (piece.span() for piece in JAPANESE_PIECE.finditer(text, begin, end))


def _iter_between(
    stop_word_pattern: re.Pattern[str], text: str, offset: int
) -> Iterator[tuple[int, int]]:
    """Yield the spans between the stop words in a text; `offset` is added to the spans."""
    begin = 0
    for match in stop_word_pattern.finditer(text):
        if match[1] is None:
            if begin < match.start():
                yield offset + begin, offset + match.start()
            begin = match.end()
    if begin < len(text):
        yield offset + begin, offset + len(text)


def iter_word_parts(word: str) -> Iterator[str]:
    """Yield the parts of a word that are highlighted, such as two or more Chinese characters.

    A word with kana is not divided. The result is the word itself and, for longer words, the word
    without a final long vowel mark.
    """
    if not word:
        return
    if KANA_LETTER.search(word):
        yield word
        if len(word) > MIN_HIRAGANA_LENGTH:
            yield word.removesuffix("ー")
        return
    shortest = min(len(word), 2 if ALL_HAN.fullmatch(word) else MIN_SOUTHEAST_LENGTH)
    for begin in range(len(word) - shortest + 1):
        for end in range(begin + shortest, min(len(word), begin + MAX_PART_LENGTH) + 1):
            yield word[begin:end]


def compile_alternatives(words: dict[str, int]) -> re.Pattern[str] | None:
    """Return a pattern that matches the longest of several words; None if there are no words."""
    trie: dict[str, Any] = {}
    for term in words:
        node = trie
        for letter in term:
            node = node.setdefault(letter, {})
        node[""] = {}
    return (
        re.compile(f"(?<![เแโใไ])(?![{SOUTHEAST_MARKS}]){_make_trie_pattern(trie)}")
        if trie
        else None
    )


def _make_trie_pattern(node: dict[str, Any]) -> str:
    """Return a pattern that matches the longest word in a trie."""
    longer_words = "|".join(
        re.escape(letter) + _make_trie_pattern(child) for letter, child in node.items() if letter
    )
    if "" not in node:
        return f"(?:{longer_words})"
    return f"(?:{longer_words}|{UNSPLIT_POSITION})" if longer_words else UNSPLIT_POSITION


MIN_PREFIX_LENGTH = 4  # minimum number of characters; shorter prefixes match too many words
# maximum total number of characters of the searched terms in scripts without spaces
MAX_SPACELESS_TERMS = 200
# maximum number of characters of a title, and of its context, from which terms are made; a pattern
# of hundreds of thousands of words takes seconds to compile
MAX_QUERY_CHARACTERS = 10_000


@dataclass(frozen=True, slots=True)
class Term:
    """Word or phrase to be highlighted in texts, from a query or added by the assessor.

    A word of a query, such as a topic's title, also matches other inflected forms of the word. A
    term added by the assessor is matched as typed, except for case. In scripts with spaces, it
    matches whole words; a single word of four or more characters also matches at the beginning of
    longer words.
    """

    text: str  # text shown in the list of terms, such as `tides`
    is_own: bool = False  # whether the assessor added the term
    # language for stemming, such as `german`; if empty, it is guessed from all terms
    language: str = ""


class TermHit(NamedTuple):
    """Occurrence of a term at `text[begin:end]`, and the term's index in a list of terms."""

    begin: int
    end: int
    term: int


def query_terms(topic_title: str, *, context: str = "") -> tuple[Term, ...]:
    """Return the content words of a topic's title, each in only one inflected form.

    Stop words are omitted, unless there are no other words. `context` is additional text in the
    same language, such as the description of the topic, from which the language of a short title
    can be guessed. Only the first `MAX_QUERY_CHARACTERS` of title and context are used.

    >>> [term.text for term in query_terms("why are there two tides a day")]
    ['two', 'tides', 'day']
    """
    topic_title = topic_title[:MAX_QUERY_CHARACTERS]
    languages = guess_languages(f"{topic_title}\n{context[:MAX_QUERY_CHARACTERS]}")
    stop_words = load_stop_words(frozenset(languages.values())) | KOREAN
    content_words: dict[str, Term] = {}
    other_words: dict[str, Term] = {}
    folded_text = fold_text(topic_title)
    for begin, end, is_content_word in _iter_title_words(folded_text.text):
        source = folded_text.source(begin, end)
        if source:
            word = folded_text.text[begin:end]
            language = languages.get(get_letter_script(word[0]), "")
            words = content_words if is_content_word and word not in stop_words else other_words
            words.setdefault(
                make_inflection_key(word, language),
                Term(topic_title[source[0] : source[1]], language=language),
            )
    return tuple((content_words or other_words).values())


def find_terms(text: str, terms: Sequence[Term]) -> list[TermHit]:
    """Return the occurrences of terms in a text, in ascending order.

    If two terms are forms of the same word, a hit has the index of the first term. Of hits that
    overlap, only the longest is returned; if several are equally long, only the first.

    The time is linear in the length of the text. A text can also be searched in slices. If it is
    divided at blank lines, the hits are the same. If it is divided at other spaces, phrases that
    continue in the next slice are not detected. A text must not be divided inside a word.

    >>> find_terms("The Moon's pull", query_terms("moons"))
    [TermHit(begin=4, end=8, term=0)]
    """
    compiled_terms = _compile_terms(tuple(terms))
    folded_text = fold_text(text)
    spans = list(_map_to_source(folded_text, find_words(folded_text.text, compiled_terms.words)))
    spans += _map_to_source(
        folded_text,
        find_spaceless_words(
            folded_text.text, compiled_terms.spaceless, compiled_terms.term_of_word
        ),
    )
    for pattern, term, is_prefix in compiled_terms.phrases:
        spans += _map_to_source(
            folded_text, find_phrase(folded_text.text, pattern, term, is_prefix=is_prefix)
        )
    spans.sort()
    return list(map(TermHit._make, _drop_overlaps(spans)))


def count_hits(hits: Iterable[TermHit], terms: Sequence[Term]) -> list[int]:
    """Return how many hits each term has."""
    counts = [0] * len(terms)
    for hit in hits:
        counts[hit.term] += 1
    return counts


def to_utf16_positions(text: str, positions: Iterable[int]) -> list[int]:
    """Convert ascending positions to positions in UTF-16 code units, which Qt counts.

    >>> to_utf16_positions("🌙 tide", [2, 6])
    [3, 7]
    """
    if text.isascii() or max(text) < "\U00010000":
        return list(positions)
    utf16_positions, previous, surrogate_count = [], 0, 0
    for position in positions:
        surrogate_count += sum(character >= "\U00010000" for character in text[previous:position])
        utf16_positions.append(position + surrogate_count)
        previous = position
    return utf16_positions


def _iter_title_words(text: str) -> Iterator[tuple[int, int, bool]]:
    """Yield the spans of the words in a title, and whether each may be a content word."""
    for match in sorted([*WORD.finditer(text), *SPACELESS_TEXT.finditer(text)], key=re.Match.start):
        offset = match.start()
        if SPACELESS_TEXT.match(match[0]):
            content_spans = list(iter_content_words(match[0]))
            yield from ((offset + begin, offset + end, True) for begin, end in content_spans)
            if not content_spans:
                yield *match.span(), False
        else:
            begin, end = find_word_bounds(match[0])
            stripped_word = (
                match[0][begin:end]
                if match[0] in KOREAN
                else strip_korean_particle(match[0][begin:end])
            )
            yield offset + begin, offset + begin + len(stripped_word), True


@dataclass(frozen=True, slots=True)
class _CompiledTerms:
    """Terms prepared for searching: a matcher of words, and patterns of all other terms."""

    words: WordMatcher
    term_of_word: dict[str, int]  # index of the term of each word in scripts without spaces
    spaceless: re.Pattern[str] | None  # pattern of these words
    # for each phrase: pattern, index of its term, and whether its last word may continue
    phrases: list[tuple[re.Pattern[str], int, bool]]


@lru_cache(maxsize=16)
def _compile_terms(terms: tuple[Term, ...]) -> _CompiledTerms:
    languages = guess_languages(" ".join(term.text for term in terms))
    words, phrases = WordMatcher(), []
    term_of_part: dict[str, int] = {}
    characters_left = MAX_SPACELESS_TERMS
    for index, term in enumerate(terms):
        folded_term = casefold_text(term.text)
        if term.is_own:
            pattern = compile_phrase(folded_term)
            is_prefix = len(folded_term) >= MIN_PREFIX_LENGTH and len(folded_term.split()) == 1
            phrases += [(pattern, index, is_prefix)] if pattern else []
            continue
        for word in WORD.findall(folded_term):
            words.add(word, term.language or languages.get(get_letter_script(word[0]), ""), index)
        for segment in SPACELESS_TEXT.findall(folded_term):
            for part in iter_word_parts(segment[:characters_left]):
                term_of_part.setdefault(part, index)
            characters_left -= min(characters_left, len(segment))
    return _CompiledTerms(words, term_of_part, compile_alternatives(term_of_part), phrases)


def _map_to_source(folded: FoldedText, spans: Iterable[Span]) -> Iterator[Span]:
    """Yield spans in the original text; omit spans that begin or end inside a character."""
    if folded.aligned == [True]:
        yield from spans
        return
    for begin, end, term in spans:
        source = folded.source(begin, end)
        if source:
            yield *source, term


def _drop_overlaps(spans: Sequence[Span]) -> Iterator[Span]:
    """Yield spans that do not overlap, given ascending spans; the longest are preferred."""
    if all(previous_span[1] <= next_span[0] for previous_span, next_span in pairwise(spans)):
        yield from spans
        return
    group: list[Span] = []
    group_end = 0
    for span in spans:
        if group and span[0] >= group_end:
            yield from _select_non_overlapping(group)
            group = []
        group.append(span)
        group_end = max(group_end, span[1])
    yield from _select_non_overlapping(group)


def _select_non_overlapping(spans: list[Span]) -> list[Span]:
    """Return spans that do not overlap; longer spans are selected first."""
    if len(spans) < 2:
        return spans
    offset = spans[0][0]
    is_occupied = bytearray(max(end for _, end, _ in spans) - offset)
    selected_spans = []
    for begin, end, term in sorted(spans, key=lambda span: (span[0] - span[1], span)):
        if not is_occupied[begin - offset] and not is_occupied[end - offset - 1]:
            is_occupied[begin - offset : end - offset] = b"\1" * (end - begin)
            selected_spans.append((begin, end, term))
    return sorted(selected_spans)


# Search for typed text anywhere, even inside words. Long texts are searched in slices.

# number of characters per search step, during which other threads are blocked for about 1 ms
SLICE_LENGTH = 5_000
SLICES_PER_REPORT = 10  # number of slices after which progress is reported
# maximum number of hits: one per 200 characters of a text of 10 MB; each hit takes 10 µs
MAX_HITS = 50_000
# number of characters after a slice that are also searched, for hits that continue after the slice
MAX_SLICE_EXTENSION = 1000
SPACE = r"[^\S\r\n\u2028\u2029]"
# A space in the typed text matches any spaces and a line end, but not a blank line.
TYPED_GAP = rf"(?:{SPACE}++(?:\r?[\n\u2028\u2029]{SPACE}*+)?+|\r?[\n\u2028\u2029]{SPACE}*+)"
COMBINING_DOT = "\u0307"  # mark that follows the i if İ is converted to lower case


@dataclass(frozen=True, slots=True)
class TextMatches:
    """Result of searching a text for terms or typed text: matches that do not overlap.

    The offsets of a match count characters; its positions in Qt count UTF-16 code units. The search
    stops at a maximum number of matches.
    """

    hits: list[TermHit] = field(default_factory=list)  # matches in ascending order
    # begin and end of each match, as positions in Qt
    positions: list[tuple[int, int]] = field(default_factory=list)
    # whether the search stopped at the maximum number of hits; there may be more
    has_more: bool = False


def find_typed(text: str, typed: str, *, match_case: bool = False) -> list[TermHit]:
    """Return the occurrences of typed text, even inside words; they do not overlap.

    The typed text is not a pattern; if it is empty, there are no matches. A space matches any white
    space, including one line end. Without `match_case`, equivalent characters match: `SS` and `ß`,
    `ﬁ` and `fi`, `İ` and `i`. The time is linear in the length of the text.

    >>> find_typed("Riptides. Tide.", "tide")
    [TermHit(begin=3, end=7, term=0), TermHit(begin=10, end=14, term=0)]
    >>> find_typed("Straße", "SS")
    [TermHit(begin=4, end=5, term=0)]
    """
    if match_case:
        pattern = _compile_typed(typed, match_dotted_i=False)
        return [TermHit(*match.span(), 0) for match in pattern.finditer(text)] if pattern else []
    folded_text = fold_text(text)
    pattern = _compile_typed(
        casefold_text(typed).replace(f"i{COMBINING_DOT}", "i"),
        match_dotted_i=f"i{COMBINING_DOT}" in folded_text.text,
    )
    hits = []
    match = pattern.search(folded_text.text) if pattern else None
    while pattern and match:
        # `source` is None if the match is only a part of a letter, such as one s of ß
        source = folded_text.source(*match.span())
        if source:
            hits.append(TermHit(*source, 0))
        match = pattern.search(folded_text.text, match.end() if source else match.start() + 1)
    return hits


def search_slices(
    text: str,
    find_hits: Callable[[str], Sequence[TermHit]],
    progress: Progress = SILENT,
    *,
    size: int = SLICE_LENGTH,
    max_hits: int = MAX_HITS,
) -> TextMatches:
    """Search a text slice by slice, and stop at a maximum number of hits.

    `find_hits` returns the hits in a text in ascending order. `size`, at least 1, is the number of
    characters of a slice. `max_hits`, at least 1, is the maximum number of hits that are returned.
    Progress is reported after every tenth slice. Raises Cancelled if the user cancels the search.
    """
    matches = TextMatches()
    # `start`: offset at which the search continues; `surrogate_count`: number of UTF-16 code units
    # before this offset, minus the number of characters
    start = surrogate_count = 0
    for _begin, end in progress.track(iter_slices(text, size), "", every=SLICES_PER_REPORT):
        if start < end:
            piece = text[start : end + MAX_SLICE_EXTENSION]
            hits = [hit for hit in find_hits(piece) if hit.begin < end - start]
            qt_positions = iter(
                to_utf16_positions(
                    piece, [position for hit in hits for position in (hit.begin, hit.end)]
                )
            )
            matches.positions.extend(
                (start + surrogate_count + hit_begin, start + surrogate_count + hit_end)
                for hit_begin, hit_end in zip(qt_positions, qt_positions, strict=True)
            )
            matches.hits.extend(
                TermHit(start + begin, start + end, term) for begin, end, term in hits
            )
            next_start = max(end, matches.hits[-1].end) if hits else end
            surrogate_count += utf16_length(text[start:next_start]) - (next_start - start)
            start = next_start
        if len(matches.hits) > max_hits:
            return TextMatches(matches.hits[:max_hits], matches.positions[:max_hits], has_more=True)
    return matches


def iter_slices(text: str, size: int = SLICE_LENGTH) -> Iterator[tuple[int, int]]:
    """Yield the begin and end of slices of a text; a slice ends after a space if one is near.

    >>> list(iter_slices("high tide low tide", 6))
    [(0, 5), (5, 10), (10, 14), (14, 18)]
    """
    begin = 0
    while begin < len(text):
        end = begin + size
        if end < len(text):
            spaces = [
                text.rfind(space, max(begin, end - MAX_SLICE_EXTENSION), end) for space in "\n "
            ]
            end = max(spaces) + 1 or end
        yield begin, min(end, len(text))
        begin = end


def utf16_length(text: str) -> int:
    """Return the length of a text in UTF-16 code units, as Qt counts."""
    return len(text) if text.isascii() else len(text.encode("utf-16-le", "surrogatepass")) // 2


@lru_cache(maxsize=16)
def _compile_typed(typed: str, *, match_dotted_i: bool) -> re.Pattern[str] | None:
    """Return a linear-time pattern for typed text; None if the text is empty."""
    if not typed:
        return None
    tokens = [
        re.escape(word).replace("i", f"i{COMBINING_DOT}?+") if match_dotted_i else re.escape(word)
        for word in typed.split()
    ]
    # a match begins only at the first of several spaces
    leading_pattern = rf"(?<!{SPACE}){TYPED_GAP}" if typed[0].isspace() else ""
    trailing_pattern = TYPED_GAP if typed[-1].isspace() and tokens else ""
    return re.compile(leading_pattern + TYPED_GAP.join(tokens) + trailing_pattern)
