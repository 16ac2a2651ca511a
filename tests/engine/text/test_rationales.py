"""Tests of rationales: the same text and offsets for any white space on screen."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from irjudge.text import Passage, find_selected_passage

WORDS = ["A", "title", "of", "\U0001f319", "tides", "words", "here"]
GAPS = st.sampled_from(
    [" ", "\n", "\u2029", "\u2028", "\xa0", "\n\n", " \u200b ", "\ufdd0", "\u3000", "\n\ufffc\n"]
)


@given(st.data(), st.integers(0, 6), st.integers(1, 7))
def test_kinds_of_white_space_make_no_difference(
    data: st.DataObject, first: int, after: int
) -> None:
    after = max(after, first + 1)
    gaps = [data.draw(GAPS) for _ in range(8)]
    lead = data.draw(st.sampled_from(["", "\n", "\u2029\u200b"]))
    before = lead + "".join(word + gap for word, gap in zip(WORDS[:first], gaps, strict=False))
    selected = "".join(word + gap for word, gap in zip(WORDS[first:after], gaps, strict=False))
    text = " ".join(WORDS)
    begin = len(" ".join([*WORDS[:first], "x"])) - 1
    expected = " ".join(WORDS[first:after])
    passage = find_selected_passage(before, selected)
    assert (
        passage == Passage(expected, begin, begin + len(expected))
        and text[passage.begin : passage.end] == expected
    )


@given(st.text(max_size=20), st.text(min_size=1, max_size=10))
def test_leading_blanks_are_not_part_of_a_selection(before: str, selected: str) -> None:
    assert find_selected_passage(before, " \n" + selected) == find_selected_passage(
        before + " \n", selected
    )


@pytest.mark.parametrize("selected", ["", " ", "\u2029\u200b\n", "\ufffc"])
def test_a_selection_without_words_is_not_a_rationale(selected: str) -> None:
    assert find_selected_passage("before", selected) is None
