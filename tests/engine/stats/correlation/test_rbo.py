"""Tests of rank-biased overlap: published values, its definition, and its bounds."""

from itertools import count

import pytest
from hypothesis import given
from hypothesis import strategies as st

from irjudge.errors import MeasureError
from irjudge.stats import RankPair, rank_biased_overlap


def ranking(text: str) -> list[object]:
    """Parse `i1 (i2 i3)`, with tied items in parentheses."""
    groups, inside = [], None
    for word in text.split():
        if word.startswith("("):
            inside = set()
        if inside is None:
            groups.append(word)
            continue
        inside.add(word.strip("()"))
        if word.endswith(")"):
            groups.append(inside)
            inside = None
    return groups


# Extrapolated, minimum, residual: by the definition; the extrapolated ones also by the package rbo
# 0.1.3.
WITHOUT_TIES = [
    ("abcde", "badcf", 0.9, 0.741780, 0.479371, 0.380507),
    ("abcde", "badcf", 0.8, 0.675413, 0.564105, 0.176845),
    ("abcde", "abcde", 0.9, 1, 0.671989, 0.328011),
    ("abcde", "vwxyz", 0.9, 0, 0, 0.511608),
    ("abc", "badcefg", 0.9, 0.747109, 0.395528, 0.477472),
]
# Extrapolated, minimum, maximum of the variants w, a, b: tests of the code of Corsi and Urbano
# (2024), sigir2024-rbo.
WITH_TIES = [
    (
        "i3 (i1 i5 i7) i9",
        "(i1 i9) i7 i3 i4",
        0.930093081332594,
        {
            "w": (0.697096710334, 0.351760941708, 0.836304027812),
            "a": (0.678580739450, 0.333244970824, 0.817788056928),
            "b": (0.684614956130, 0.339279187504, 0.823822273607),
        },
    ),
    (
        "i13 i4 (i1 i2 i5 i6)",
        "i11 i14 i1 (i5 i6) (i3 i12) i8",
        0.936646766367491,
        {
            "w": (0.419724384589, 0.222485580291, 0.718444020803),
            "a": (0.400042334962, 0.196487169510, 0.692445610022),
            "b": (0.410333982782, 0.203127599510, 0.699086040022),
        },
    ),
    (
        "(i3 i6) (i2 i7) i10",
        "(i3 i6 i7 i10) (i1 i2)",
        0.965413635276732,
        {
            "w": (0.946064537518, 0.343706790400, 0.958770957517),
            "a": (0.920515344676, 0.319428239558, 0.934492406676),
            "b": (0.956844651807, 0.348953051937, 0.964017219054),
        },
    ),
    (
        "i2 i5 i3 (i1 i4)",
        "i5 i8 i2 (i3 i9)",
        0.968922741966306,
        {
            "w": (0.580287544332, 0.196704918555, 0.917454802646),
            "a": (0.580994268839, 0.197411643061, 0.918161527152),
            "b": (0.583518284932, 0.199935659154, 0.920685543245),
        },
    ),
]


@pytest.mark.parametrize(("first", "second", "p", "extrapolated", "low", "residual"), WITHOUT_TIES)
@pytest.mark.parametrize("ties", ["a", "w", "b"])
def test_values_without_ties_are_the_same_in_every_variant(
    first, second, p, extrapolated, low, residual, ties
) -> None:
    overlap = rank_biased_overlap(RankPair.of_lists(first, second), p=p, ties=ties)
    assert [round(each, 6) for each in (overlap.extrapolated, overlap.low, overlap.residual)] == [
        extrapolated,
        low,
        residual,
    ]


@pytest.mark.parametrize("ties", ["w", "a", "b"])
@pytest.mark.parametrize(("first", "second", "p", "values"), WITH_TIES)
def test_values_with_ties_are_the_published_ones(first, second, p, values, ties) -> None:
    for one, two in ((first, second), (second, first)):
        overlap = rank_biased_overlap(RankPair.of_lists(ranking(one), ranking(two)), p=p, ties=ties)
        assert (overlap.extrapolated, overlap.low, overlap.high) == pytest.approx(
            values[ties], abs=1e-11
        )


def sum_definition(first: list[int], second: list[int], p: float, depths: int) -> float:
    """Compute (1 - p) Σ p^(d-1) |A_d ∩ B_d| / d for rankings that are long enough."""
    return sum(
        (1 - p) * p ** (depth - 1) * len({*first[:depth]} & {*second[:depth]}) / depth
        for depth in range(1, depths + 1)
    )


short = st.lists(st.integers(0, 8), min_size=1, max_size=6, unique=True)


@given(short, short, st.sampled_from([0.5, 0.8]))
def test_all_continuations_are_within_the_bounds_and_both_are_reached(first, second, p) -> None:
    overlap = rank_biased_overlap(RankPair.of_lists(first, second), p=p)
    new = count(100)
    apart = [first + [next(new) for _ in range(200)], second + [next(new) for _ in range(200)]]
    assert sum_definition(*apart, p, 200) == pytest.approx(overlap.low, abs=1e-9)
    # Each list continues with the items that only the other had, then both with the same items.
    agreements = [
        [*one, *(each for each in two if each not in one), *range(1000, 1200)]
        for one, two in ((first, second), (second, first))
    ]
    assert sum_definition(*agreements, p, 200) <= overlap.high + 1e-9
    if len(first) == len(second):
        assert sum_definition(*agreements, p, 200) == pytest.approx(overlap.high, abs=1e-9)
    assert overlap.low - 1e-12 <= overlap.extrapolated <= overlap.high + 1e-12


def share(ranking: list[list[int]], item: int, depth: int, ties: str) -> float:
    """Return the share of an item in the top `depth`; 1 beyond the end of the ranking."""
    before = 0
    for group in ranking:
        if item in group:
            inside = min(max(depth - before, 0), len(group)) / len(group)
            return float(inside > 0) if ties == "w" else inside
        before += len(group)
    return 0.0


def word_by_word(
    first: list[list[int]], second: list[list[int]], p: float, ties: str
) -> tuple[float, float, float]:
    """Compute extrapolated, minimum and maximum by Corsi and Urbano (2024), sections 3 to 5.

    It takes one depth and one item at a time.
    """
    short, long = sorted((first, second), key=lambda ranking: sum(map(len, ranking)))
    s, length = (sum(map(len, ranking)) for ranking in (short, long))
    known = [item for group in short for item in group]
    alone = [item for group in long for item in group if item not in known]
    sums, agreed = [0.0, 0.0, 0.0], 0.0
    for depth in range(1, length + 1):
        one, two = (
            {item: share(ranking, item, depth, ties) for item in {*known, *alone}}
            for ranking in (short, long)
        )
        seen = sum(one[item] * two[item] for item in one)
        sizes = [sum(one.values()) if depth <= s else depth, sum(two.values())]
        squares = [
            sum(each**2 for each in one.values()) if depth <= s else depth,
            sum(each**2 for each in two.values()),
        ]
        size = {"a": depth, "w": sum(sizes) / 2, "b": (squares[0] * squares[1]) ** 0.5}[ties]
        agreed = seen / size if depth == s else agreed
        started = [two[item] for item in alone if two[item] > 0]
        mean = sum(started) / len(started) if started else 0
        unseen = max(0, depth - s)
        for at, more in enumerate(
            (unseen * agreed * mean, 0, sum(two[item] for item in alone[:unseen]))
        ):
            sums[at] += p**depth * (seen + more) / size
    shared = len(set(known) & {item for group in long for item in group})
    for depth in range(length + 1, length + 400):
        tails = (
            (shared + (length - s) * agreed) / length,
            shared / depth,
            min(1, (shared + (depth - s) + (depth - length)) / depth),
        )
        sums = [each + p**depth * tail for each, tail in zip(sums, tails, strict=True)]
    extrapolated, low, high = ((1 - p) / p * each for each in sums)
    return extrapolated, low, high


groups = st.permutations(range(8)).flatmap(
    lambda items: st.lists(st.integers(1, 3), min_size=1, max_size=6).map(
        lambda sizes: [
            part
            for part in (items[sum(sizes[:at]) : sum(sizes[: at + 1])] for at in range(len(sizes)))
            if part
        ]
    )
)


@pytest.mark.parametrize("ties", ["a", "w", "b"])
@given(first=groups, second=groups)
def test_values_match_the_definition_depth_by_depth(ties, first, second) -> None:
    overlap = rank_biased_overlap(RankPair.of_lists(first, second), p=0.85, ties=ties)
    assert (overlap.extrapolated, overlap.low, overlap.high) == pytest.approx(
        word_by_word(first, second, 0.85, ties), abs=1e-9
    )


@pytest.mark.parametrize("p", [0, 1, 1.5, -0.1])
def test_p_is_between_0_and_1(p: float) -> None:
    with pytest.raises(MeasureError) as error:
        rank_biased_overlap(RankPair.of_lists("ab", "ab"), p=p)
    assert error.value.values["p"] == str(p)


def test_empty_rankings_have_value_0_and_maximal_residual() -> None:
    overlap = rank_biased_overlap(RankPair.of_lists("", ""))
    assert (overlap.extrapolated, overlap.low) == (0, 0) and overlap.high == pytest.approx(1)
    overlap = rank_biased_overlap(RankPair.of_lists("", "abc"), p=0.5)
    assert (overlap.extrapolated, overlap.low) == (0, 0) and 0 < overlap.high <= 1
