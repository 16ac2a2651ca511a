"""Tests of text search: matches anywhere, the same in slices as in the whole text."""

import unicodedata
from functools import partial
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from irjudge.errors import Cancelled
from irjudge.progress import Progress
from irjudge.text import (
    Term,
    TermHit,
    TextMatches,
    find_terms,
    find_typed,
    query_terms,
    search_slices,
    utf16_length,
)
from irjudge.text.highlight import iter_slices


def search(text: str, typed: str, *, match_case: bool = False) -> list[str]:
    return [text[hit.begin : hit.end] for hit in find_typed(text, typed, match_case=match_case)]


@pytest.mark.parametrize(
    ("text", "typed", "hits"),
    [
        ("Riptides and tides. TIDE", "tide", ["tide", "tide", "TIDE"]),
        ("Straße, STRASSE, Strasse", "SS", ["ß", "SS", "ss"]),
        ("Straße, STRASSE, Strasse", "ß", ["ß", "SS", "ss"]),
        ("Masse", "s", ["s", "s"]),
        ("ß", "s", []),  # a part of a character is not a match
        ("sßt", "sß", ["sß"]),
        ("ssß", "sß", ["sß"]),
        (
            "İstanbul, istanbul, Istanbul, i̇stanbul",
            "istanbul",
            ["İstanbul", "istanbul", "Istanbul", "i̇stanbul"],
        ),
        ("İzm, izm", "İ", ["İ", "i"]),
        ("ısı ISI", "ı", ["ı", "ı"]),
        ("潮汐与月亮", "汐与", ["汐与"]),
        ("🌙 tide 🌙", "🌙", ["🌙", "🌙"]),
        ("e.g. 1.5", ".", [".", ".", "."]),
        ("a+b (c) [d] \\e", "+b (c) [d] \\", ["+b (c) [d] \\"]),
        ("the moon’s", "'S", ["’s"]),
        ("ﬁne", "fi", ["ﬁ"]),
        ("cafe\u0301 café", "É", ["e\u0301", "é"]),
        ("low  tide, low\ntide, low\n\ntide", "low tide", ["low  tide", "low\ntide"]),
        ("a   b", " b", ["   b"]),
        ("a b", "a ", ["a "]),
        ("aaaa", "aa", ["aa", "aa"]),
        ("tide", "", []),
        ("", "tide", []),
        ("tide", "\u00ad", []),
        ("a\tb  c", " ", ["\t", "  "]),
    ],
)
def test_characters_that_readers_consider_equal_match(
    text: str, typed: str, hits: list[str]
) -> None:
    assert search(text, typed) == hits


def test_matching_case_finds_only_the_same_characters() -> None:
    assert search("Tide tide İ i ß SS .", "tide", match_case=True) == ["tide"]
    assert search("Tide tide İ i ß SS .", "SS", match_case=True) == ["SS"]
    assert search("Tide tide İ i ß SS .", ".", match_case=True) == ["."]
    assert search("Tide", "", match_case=True) == []


@given(
    st.text("aAßsSiİıI\u0307.🌙 \n", max_size=30), st.text("aAßsSiİ. 🌙", min_size=1, max_size=3)
)
def test_every_match_is_the_typed_text_and_none_overlap(text: str, typed: str) -> None:
    hits = find_typed(text, typed)
    assert all(one.end <= other.begin for one, other in pairwise(hits))
    for hit in hits:
        same = (
            unicodedata.normalize("NFKC", text[hit.begin : hit.end].casefold())
            .replace("i\u0307", "i")
            .split()
        )
        assert (
            same == unicodedata.normalize("NFKC", typed.casefold()).replace("i\u0307", "i").split()
        )


@given(
    st.lists(st.sampled_from(["tide", "low tide", "🌙", "月 潮", "x\n\n"]), max_size=30),
    st.integers(5, 40),
)
def test_a_text_in_slices_gives_the_matches_of_the_whole(search_text: list[str], size: int) -> None:
    text = " ".join(search_text)
    look = partial(
        find_terms,
        terms=(Term("tide", is_own=True), Term("月", is_own=True), Term("tide tide", is_own=True)),
    )
    matches = search_slices(text, look, size=size)
    assert matches.hits == look(text)
    assert matches == search_slices(text, look)


@pytest.mark.slow
def test_matches_across_two_slices_are_found_once() -> None:
    text = ("low tide " * 400).strip()
    look = partial(find_terms, terms=(Term("low tide", is_own=True),))
    for size in (7, 9, 100, 1001):
        assert search_slices(text, look, size=size).hits == look(text)
        assert search_slices(text, partial(find_typed, typed="w t"), size=size).hits == find_typed(
            text, "w t"
        )


def test_a_search_stops_at_the_maximum_number_of_matches() -> None:
    looked: list[str] = []

    def look(piece: str) -> list[TermHit]:
        looked.append(piece)
        return find_typed(piece, "tide")

    matches = search_slices("tide " * 100_000, look, max_hits=3000)
    assert (
        matches.has_more
        and len(matches.hits) == len(matches.positions) == 3000
        and matches.hits[-1].begin == 2999 * 5
    )
    assert sum(map(len, looked)) < 30_000, "the text behind is not looked through"
    assert not search_slices("tide " * 3000, look, max_hits=3000).has_more, (
        "just so many are all of them"
    )


def test_positions_in_every_slice_are_those_of_qt() -> None:
    text = "🌙 tide 潮 " * 50
    matches = search_slices(text, partial(find_terms, terms=query_terms("tide")), size=20)
    wide = text.encode("utf-16-le")
    assert len(matches.positions) == len(matches.hits) == 50
    assert {wide[2 * begin : 2 * end].decode("utf-16-le") for begin, end in matches.positions} == {
        "tide"
    }


def test_slices_cover_the_text_without_gaps() -> None:
    for text in ("", "a", "tide " * 100, "潮" * 100):
        borders = list(iter_slices(text, 30))
        assert "".join(text[begin:end] for begin, end in borders) == text
        assert all(end - begin <= 30 for begin, end in borders)


def test_nothing_is_found_in_an_empty_text() -> None:
    assert search_slices("", lambda piece: [TermHit(0, 1, 0)]) == TextMatches()


def test_the_work_stops_between_two_slices() -> None:
    asked: list[int] = []
    progress = Progress(lambda done, total, what: asked.append(done), lambda: len(asked) == 2)
    with pytest.raises(Cancelled):
        search_slices("tide " * 1000, lambda piece: [], progress, size=50)
    assert asked == [10, 20]


@pytest.mark.parametrize(
    ("text", "length"), [("", 0), ("abc", 3), ("é潮", 2), ("🌙a", 3), ("\ud800", 1)]
)
def test_length_is_that_of_qt(text: str, length: int) -> None:
    assert utf16_length(text) == length
