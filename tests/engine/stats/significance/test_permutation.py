"""Tests of permutation tests: exact values, sampling, ties, and cancelling."""

from itertools import permutations, product

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from irjudge.errors import Cancelled, IrjudgeError
from irjudge.progress import Progress
from irjudge.stats import RandomStream, Sampling
from irjudge.stats.significance import all_pairs, run_test
from irjudge.stats.significance.tests import exact_sign_p, permutation_test, randomised_tukey

MAIZE = np.array([49, -67, 8, 16, 6, 23, 28, 41, 14, 29, 56, 24, 75, 60, -48.0])
SLEEP = np.array(
    [
        [0.7, -1.6, -0.2, -1.2, -0.1, 3.4, 3.7, 0.8, 0, 2],
        [1.9, 0.8, 1.1, 0.1, -0.1, 4.4, 5.5, 1.6, 4.6, 3.4],
    ]
)
EIGHT = np.array(
    [
        [0.30, 0.42, 0.12, 0.55, 0.61, 0.28, 0.35, 0.47],
        [0.33, 0.45, 0.20, 0.52, 0.66, 0.31, 0.40, 0.50],
        [0.25, 0.40, 0.10, 0.50, 0.55, 0.20, 0.30, 0.41],
    ]
)
PAIR = np.array([[0, 1]])


def test_darwins_maize_has_the_published_p() -> None:
    """Fisher (1935), §21: 863 of 32,768 sign patterns reach 314, so 1,726 on both sides."""
    assert exact_sign_p(MAIZE) == 1726 / 32768
    assert round(exact_sign_p(MAIZE), 8) == 0.05267334


def test_students_sleep_has_the_exact_p() -> None:
    """Nine differences of one sign and a zero: 2 patterns of 2^9, or 4 of 2^10."""
    result = permutation_test(SLEEP, PAIR, Sampling())
    assert (result.p.tolist(), result.method) == ([4 / 1024], "exact")


def test_exact_randomised_tukey_of_three_systems_on_eight_topics() -> None:
    """All 6^8 = 1,679,616 shuffles, counted one by one:

    546,648, 138,774 and 54 reach the differences.
    """
    result = randomised_tukey(EIGHT, all_pairs(3), Sampling())
    assert result.p.tolist() == [546_648 / 6**8, 138_774 / 6**8, 54 / 6**8]


def share_of_patterns(values: list[int]) -> float:
    return sum(
        abs(sum(v * s for v, s in zip(values, signs, strict=True))) >= abs(sum(values))
        for signs in product((-1, 1), repeat=len(values))
    ) / 2 ** len(values)


@given(st.lists(st.integers(-4, 4), max_size=9))
def test_exact_is_counting_every_pattern(values) -> None:
    assert exact_sign_p(np.array(values, dtype=float)) == share_of_patterns(values)


@given(st.lists(st.integers(-40, 40), max_size=9), st.sampled_from([0.1, 0.01, 1 / 3, 1e-9, 1e9]))
def test_sums_equal_but_for_rounding_count_as_equal(values, unit) -> None:
    assert exact_sign_p(np.array([value * unit for value in values])) == share_of_patterns(values)


@pytest.mark.parametrize("topics", [20, 21])
def test_up_to_twenty_topics_are_counted_and_more_are_sampled(topics: int) -> None:
    values = np.arange(1, topics + 1.0)
    values[::3] *= -1
    result = permutation_test(np.stack((values, 0 * values)), PAIR, Sampling(samples=20_000))
    assert result.method == ("exact" if topics == 20 else "20,000 random sign patterns, seed 0")
    assert result.p[0] == pytest.approx(exact_sign_p(values), abs=0.015)  # four standard errors


def test_topics_without_a_difference_do_not_count_towards_twenty() -> None:
    values = np.concatenate((MAIZE, np.zeros(100)))
    result = permutation_test(np.stack((values, 0 * values)), PAIR, Sampling())
    assert (result.method, result.p.tolist()) == ("exact", [1726 / 32768])


def test_sampling_counts_the_observed_pattern() -> None:
    """No random pattern of 60 equal signs comes up: p is 1/(m + 1), not 0."""
    result = permutation_test(np.stack((np.ones(60), np.zeros(60))), PAIR, Sampling(samples=999))
    assert result.p.tolist() == [1 / 1000]


@pytest.fixture
def scores() -> np.ndarray:
    return np.random.default_rng(5).integers(0, 50, (6, 40)) / 50


@pytest.mark.parametrize("name", ["permutation", "tukey"])
def test_the_same_seed_gives_the_same_numbers_and_another_seed_others(name: str, scores) -> None:
    first, again, other = (
        run_test(name, scores, sampling=Sampling(seed=seed, samples=500)).p.tolist()
        for seed in (4, 4, 5)
    )
    assert first == again != other


def whole_scores() -> list[list[int]]:
    return [[(topic * 7 + system * topic % 11) % 50 for topic in range(40)] for system in range(4)]


def test_sampled_signs_match_the_published_generator() -> None:
    """Recomputed with Python integers; bit i of a sample's word is the sign of topic i."""
    rows, words = whole_scores(), RandomStream(1).draw_words(999).tolist()
    result = permutation_test(np.array(rows) / 50, all_pairs(4), Sampling(seed=1, samples=999))
    for p, (a, b) in zip(result.p.tolist(), all_pairs(4).tolist(), strict=True):
        values = [one - two for one, two in zip(rows[a], rows[b], strict=True)]
        sums = [
            sum(value if word >> topic & 1 else -value for topic, value in enumerate(values))
            for word in words
        ]
        assert p == (sum(abs(each) >= abs(sum(values)) for each in sums) + 1) / 1000


def test_sampled_shuffles_match_the_published_generator() -> None:
    """Recomputed with Python integers; words order the systems within each topic."""
    rows, words = whole_scores(), iter(RandomStream(1).draw_words(999 * 40 * 4).tolist())
    ranges = []
    for _ in range(999):
        sums = [0] * 4
        for topic in range(40):
            key = [next(words) for _ in range(4)]
            for at, system in enumerate(sorted(range(4), key=key.__getitem__)):
                sums[at] += rows[system][topic]
        ranges.append(max(sums) - min(sums))
    result = randomised_tukey(np.array(rows) / 50, all_pairs(4), Sampling(seed=1, samples=999))
    gaps = [abs(sum(rows[a]) - sum(rows[b])) for a, b in all_pairs(4).tolist()]
    assert result.p.tolist() == [(sum(each >= gap for each in ranges) + 1) / 1000 for gap in gaps]


def test_a_pair_has_the_same_p_whatever_else_is_tested(scores) -> None:
    together = run_test("permutation", scores, sampling=Sampling(samples=2000)).p
    alone = [
        run_test("permutation", scores[pair], sampling=Sampling(samples=2000)).p[0]
        for pair in all_pairs(6).tolist()
    ]
    assert together.tolist() == alone


def test_the_batch_size_does_not_change_the_values(scores, monkeypatch: pytest.MonkeyPatch) -> None:
    whole = [
        run_test(name, scores, sampling=Sampling(samples=700)).p.tolist()
        for name in ("permutation", "tukey")
    ]
    monkeypatch.setattr("irjudge.stats.significance.tests.MAX_VALUES_PER_BLOCK", 5000)
    assert [
        run_test(name, scores, sampling=Sampling(samples=700)).p.tolist()
        for name in ("permutation", "tukey")
    ] == whole


def test_thousands_of_topics_are_handled() -> None:
    scores = np.random.default_rng(3).random((3, 3000))
    assert (run_test("permutation", scores, sampling=Sampling(samples=50)).p > 0).all()


def test_for_two_systems_tukey_is_the_permutation_test() -> None:
    assert (
        randomised_tukey(SLEEP, PAIR, Sampling()).p.tolist()
        == permutation_test(SLEEP, PAIR, Sampling()).p.tolist()
    )


@given(st.lists(st.lists(st.integers(0, 5), min_size=3, max_size=3), min_size=3, max_size=3))
def test_exact_tukey_is_counting_every_shuffle(rows) -> None:
    scores = np.array(rows, dtype=float).T
    ranges = [
        np.ptp(np.sum(shuffle, axis=0))
        for shuffle in product(*(list(permutations(row)) for row in rows))
    ]
    expected = [
        np.mean([each >= abs(scores[a].sum() - scores[b].sum()) for each in ranges])
        for a, b in all_pairs(3).tolist()
    ]
    assert randomised_tukey(scores, all_pairs(3), Sampling()).p.tolist() == pytest.approx(expected)


def test_random_shuffles_agree_with_all_of_them(monkeypatch: pytest.MonkeyPatch) -> None:
    exact = randomised_tukey(EIGHT, all_pairs(3), Sampling()).p
    monkeypatch.setattr("irjudge.stats.significance.tests.MAX_EXACT_ORDERS", 1)
    assert randomised_tukey(EIGHT, all_pairs(3), Sampling()).p == pytest.approx(exact, abs=0.02)


@pytest.mark.parametrize("name", ["permutation", "tukey"])
@pytest.mark.parametrize(
    "scores",
    [np.empty((2, 0)), np.array([[0.5], [0.1]]), np.ones((3, 30)), np.array([[0.1, 0.2]] * 2)],
)
def test_edge_cases_are_defined(name: str, scores) -> None:
    assert run_test(name, scores, sampling=Sampling(samples=10)).p.tolist() == [1] * (
        len(scores) * (len(scores) - 1) // 2
    )


@pytest.mark.parametrize("name", ["permutation", "tukey", "bootstrap"])
def test_long_work_reports_progress_and_can_be_cancelled(name: str, scores) -> None:
    steps: list[tuple[int, int | None]] = []
    run_test(
        name,
        scores,
        sampling=Sampling(
            samples=300, progress=Progress(lambda done, total, what: steps.append((done, total)))
        ),
    )
    assert steps[0] == (0, 300) and steps[-1] == (300, 300)
    with pytest.raises(Cancelled):
        run_test(name, scores, sampling=Sampling(progress=Progress(cancelled=lambda: True)))


@pytest.mark.parametrize("name", ["permutation", "tukey", "bootstrap"])
def test_zero_samples_are_refused(name: str, scores) -> None:
    with pytest.raises(IrjudgeError) as error:
        run_test(name, scores, sampling=Sampling(samples=0))
    assert error.value.values["count"] == "0"
