"""Tests of reproducible random numbers: the published generator, and derived values."""

import numpy as np
import pytest

from irjudge.errors import IrjudgeError
from irjudge.stats import MAX_SEED, RandomStream

MASK = 2**64 - 1


def philox(key: int, counter: int) -> list[int]:
    """Compute Philox4x64-10 as published by Salmon et al. (2011), with Python integers."""
    c = [(counter >> 64 * word) & MASK for word in range(4)]
    k = [(key >> 64 * word) & MASK for word in range(2)]
    for _ in range(10):
        first, second = 0xD2E7470EE14C6C93 * c[0], 0xCA5A826395121157 * c[2]
        c = [(second >> 64) ^ c[1] ^ k[0], second & MASK, (first >> 64) ^ c[3] ^ k[1], first & MASK]
        k = [(k[0] + 0x9E3779B97F4A7C15) & MASK, (k[1] + 0xBB67AE8584CAA73B) & MASK]
    return c


def test_the_generator_gives_the_published_values() -> None:
    """Known answers of Random123 for a counter and key of zeros."""
    assert [f"{word:016x}" for word in philox(0, 0)] == [
        "16554d9eca36314c",
        "db20fe9d672d0fdc",
        "d7e772cee186176b",
        "7e68b68aec7ba23b",
    ]


@pytest.mark.parametrize("seed", [0, 1, 42, MAX_SEED])
def test_words_match_the_published_generator(seed: int) -> None:
    expected = [word for counter in (1, 2, 3) for word in philox(seed, counter)]
    assert RandomStream(seed).draw_words(12).tolist() == expected


def test_signs_are_the_bits_of_the_words_from_the_lowest() -> None:
    words = RandomStream(7).draw_words(4).tolist()
    rows = RandomStream(7).draw_signs(2, 70)
    assert rows.shape == (2, 70)
    for row, (low, high) in zip(rows, (words[:2], words[2:]), strict=True):
        whole = low | high << 64
        assert row.tolist() == [1 if whole >> bit & 1 else -1 for bit in range(70)]


def test_signs_do_not_depend_on_the_number_of_rows_per_call() -> None:
    stream = RandomStream(3)
    parts = np.concatenate([stream.draw_signs(rows, 50) for rows in (1, 3, 6)])
    assert (parts == RandomStream(3).draw_signs(10, 50)).all()


def test_draws_are_the_upper_halves_scaled() -> None:
    words = RandomStream(5).draw_words(6).tolist()
    assert RandomStream(5).draw_integers(2, 3, 50).reshape(-1).tolist() == [
        (word >> 32) * 50 >> 32 for word in words
    ]


@pytest.mark.parametrize("columns", [1, 2, 3, 64, 65, 129])
def test_orders_are_the_orders_of_the_words(columns: int) -> None:
    words = RandomStream(9).draw_words(20 * columns).reshape(20, columns)
    assert RandomStream(9).draw_orders(20, columns).tolist() == np.argsort(words, axis=1).tolist()


def test_every_order_is_equally_likely() -> None:
    """6,000 orders of three: each of six occurs about 1,000 times.

    150 is five standard deviations.
    """
    rows, counts = np.unique(RandomStream(1).draw_orders(6000, 3), axis=0, return_counts=True)
    assert len(rows) == 6 and np.abs(counts - 1000).max() < 150


@pytest.mark.parametrize("seed", [-1, MAX_SEED + 1])
def test_a_seed_out_of_its_range_is_refused(seed: int) -> None:
    with pytest.raises(IrjudgeError) as error:
        RandomStream(seed)
    assert error.value.values["seed"] == str(seed)
    assert error.value.values["maximum"] == str(MAX_SEED)
