"""Tests of the best passage: which window is chosen, and where it begins and ends."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from irjudge.text import TermHit, find_best_passage, find_terms, query_terms

TERMS = query_terms("tides moon sun")


def passage(text: str, length: int = 600) -> str:
    begin, end = find_best_passage(text, find_terms(text, TERMS), length)
    return text[begin:end]


def test_there_is_no_passage_without_hits() -> None:
    assert find_best_passage("No word of it.", []) == (0, 0)


def test_a_short_text_is_its_own_passage() -> None:
    assert passage("One. Tides. Two.\n") == "One. Tides. Two."


def test_different_terms_count_more_than_hits() -> None:
    filler = "x" * 60
    assert passage(f"Tides tides tides.\n{filler}.\nTides, moon.\n{filler}.", 30) == "Tides, moon."


def test_with_equal_terms_more_hits_win_then_the_earliest() -> None:
    filler = "x" * 60
    assert passage(f"Tides now.\n{filler}.\nTides and tides.\n{filler}.", 30) == "Tides and tides."
    assert passage(f"Tides now.\n{filler}.\nTides then.", 30) == "Tides now."


def test_whole_paragraphs_come_before_sentences() -> None:
    text = f"{'Before it all. ' * 9}\nA first one. The moon. A last one.\n{'After it all. ' * 9}"
    assert passage(text, 60) == "A first one. The moon. A last one."


def test_sentences_come_before_words() -> None:
    text = f"{'word ' * 40}. The moon is near. {'word ' * 40}."
    assert passage(text, 40) == "The moon is near."
    assert passage(f"{'字' * 99}。tides 字。{'字' * 99}", 20) == "tides 字。"


def test_words_are_not_split() -> None:
    text = f"{'wordy ' * 40} moon {'wordy ' * 40}"
    assert set(passage(text, 50).split()) == {"wordy", "moon"}


def test_a_full_line_does_not_end_a_paragraph() -> None:
    text = f"{'Before it all. ' * 9}\n\nA long line about\nthe moon and\nthe sun.\n\n{'After it all. ' * 9}"
    assert passage(text, 60) == "A long line about\nthe moon and\nthe sun."


def test_a_hit_longer_than_the_passage_is_shown_whole() -> None:
    assert find_best_passage("a very long phrase is here", [TermHit(2, 18, 0)], 5) == (2, 18)


def test_a_passage_of_no_length_is_refused() -> None:
    with pytest.raises(ValueError, match=r"length .* 0"):
        find_best_passage("tides", [TermHit(0, 5, 0)], 0)


@given(
    st.lists(
        st.sampled_from(["Tides", "moon.", "sun", "word", "字。", "\n", "\n\n", " "]), max_size=60
    ),
    st.integers(5, 80),
)
def test_a_passage_contains_as_many_terms_as_fit(words: list[str], length: int) -> None:
    text = " ".join(words)
    hits = find_terms(text, TERMS)
    begin, end = find_best_passage(text, hits, length)
    assert 0 <= begin <= end <= len(text)
    assert end - begin <= length

    def terms(first: int, last: int) -> int:
        return len({hit.term for hit in hits if first <= hit.begin and hit.end <= last})

    assert terms(begin, end) == max(
        (terms(hit.begin, hit.begin + length) for hit in hits), default=0
    )
    assert (
        all(
            hit.end <= begin or hit.begin >= end or (begin <= hit.begin and hit.end <= end)
            for hit in hits
        )
        or end - begin == length
    )
