"""Tests of splitting long texts: at natural boundaries, and without loss."""

import time
from html import unescape

import pytest
from hypothesis import given
from hypothesis import strategies as st

from irjudge.text import BREAK_OPPORTUNITY
from irjudge.text.sanitize import break_long_words, break_strings, find_cut_before, iter_windows


@given(st.text("ab \n&;", max_size=60), st.integers(1, 20))
def test_windows_join_to_the_whole_and_none_is_too_long(text: str, size: int) -> None:
    parts = list(iter_windows(text, 0, len(text), size))
    assert "".join(parts) == text and all(0 < len(part) <= size for part in parts)


def test_windows_end_after_blanks_and_not_in_a_character_reference() -> None:
    assert list(iter_windows("one two three", 0, 13, 9)) == ["one two ", "three"]
    assert "".join(unescape(part) for part in iter_windows("&eacute;" * 50, 0, 400, 60)) == "é" * 50
    assert list(iter_windows("", 0, 0)) == []


def test_a_cut_is_after_a_line_else_after_a_blank_else_anywhere() -> None:
    assert find_cut_before("aaaa\nb c", 0, 8) == 5
    assert find_cut_before("aaaaabb c", 0, 9) == 8
    assert find_cut_before("aaaaaaaa", 0, 6) == 6
    assert find_cut_before("a aaaaaaaaaa", 0, 10) == 10, "a blank in the first half is too far away"


def test_marks_without_width_are_kept_up_to_a_hundred_in_a_row() -> None:
    assert break_long_words("a" + "\u0301" * 100 + "b" * 5) == "a" + "\u0301" * 100 + "b" * 5
    assert break_long_words(("a" + "\u0301" * 5000) * 2) == ("a" + "\u0301" * 100) * 2
    assert break_long_words("\u202e\u200b\u2066" * 400) == ("\u202e\u200b\u2066" * 34)[:100]
    assert break_long_words("\u1e69\u0323" * 100) == "\u1e69\u0323" * 100, "ordinary accents stay"


@pytest.mark.slow
@pytest.mark.parametrize(
    "text", [("x" * 1999 + " ") * 1000, ("\u0301" * 99 + "x") * 20_000, "x" * 2_000_000]
)
def test_splitting_takes_linear_time(text: str) -> None:
    began = time.process_time()
    break_long_words(text)
    assert time.process_time() - began < 1


def test_long_strings_get_break_opportunities_and_words_do_not() -> None:
    assert break_strings(f"{'w' * 40} {'検' * 100}") == f"{'w' * 40} {'検' * 100}"
    assert break_strings("http://example.org/" + "x" * 40).split(BREAK_OPPORTUNITY) == [
        "http://example.org/" + "x" * 21,
        "x" * 19,
    ]
