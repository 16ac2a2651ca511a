"""Tests of hashed ids: words of text slices against Python's bytes."""

from collections.abc import Callable

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from irjudge.formats.rows import (
    PADDING_BYTES,
    add_padding,
    to_fixed_width,
    to_left_aligned_words,
    to_zero_padded_words,
)
from irjudge.formats.rows.grouping import hash_words, words_to_texts

PIECES = st.lists(
    st.text(alphabet="ab0\u007f -", min_size=1, max_size=PADDING_BYTES).map(str.encode),
    min_size=1,
    max_size=8,
)


def spans(pieces: list[bytes]) -> tuple[bytes, np.ndarray, np.ndarray]:
    lengths = np.array([len(piece) for piece in pieces], dtype=np.int64)
    return add_padding(b"\n".join(pieces)), np.cumsum(lengths + 1) - lengths - 1, lengths


@given(PIECES)
def test_slices_are_converted_back_to_texts(pieces: list[bytes]) -> None:
    text, begins, lengths = spans(pieces)
    assert words_to_texts(to_left_aligned_words(text, begins, lengths), lengths).to_pylist() == [
        piece.decode() for piece in pieces
    ]


@given(PIECES)
def test_slices_are_equal_if_their_words_and_hashes_are(pieces: list[bytes]) -> None:
    text, begins, lengths = spans(pieces)
    words = to_left_aligned_words(text, begins, lengths)
    rows = np.stack(words, axis=1).tolist()
    hashes = hash_words(words, lengths).tolist()
    for first, row, hash_ in zip(pieces, rows, hashes, strict=True):
        for second, other, other_hash in zip(pieces, rows, hashes, strict=True):
            assert (first == second) == (row == other) == (hash_ == other_hash)


@given(PIECES)
def test_a_hash_depends_only_on_the_slice(pieces: list[bytes]) -> None:
    text, begins, lengths = spans(pieces)
    together = hash_words(to_left_aligned_words(text, begins, lengths), lengths).tolist()
    assert together == [
        int(hash_words(to_left_aligned_words(*alone), alone[2])[0])
        for alone in (spans([piece]) for piece in pieces)
    ]


@given(PIECES)
def test_slices_are_padded_with_zeros_on_the_left(pieces: list[bytes]) -> None:
    text, begins, lengths = spans(pieces)
    filled = to_fixed_width(to_zero_padded_words(text, begins + lengths, lengths)).to_pylist()
    width = -(-max(map(len, pieces)) // 8) * 8
    assert filled == [piece.rjust(width, b"0").decode() for piece in pieces]


@pytest.mark.parametrize(
    "function",
    [
        lambda text, begins, lengths: hash_words(
            to_left_aligned_words(text, begins, lengths), lengths
        ),
        to_zero_padded_words,
    ],
)
def test_no_slices_give_no_rows(function: Callable[..., np.ndarray]) -> None:
    none = np.empty(0, dtype=np.int64)
    assert len(function(add_padding(), none, none)) == 0
