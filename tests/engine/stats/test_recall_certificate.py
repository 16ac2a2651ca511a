"""Tests of recall certificates: the limit against all samples, and the error rate."""

from itertools import combinations
from math import comb

import numpy as np
import pytest

from irjudge.errors import IrjudgeError
from irjudge.stats import (
    TARGET_RECALL,
    TARGET_SAMPLE_SIZE,
    RecallCertificate,
    expected_target_cost,
    forecast_samples,
)

SIMULATED = 1000
ENOUGH = 933  # 95 %, allowing for chance


def chance_of_as_few(rest: int, relevant: int, sample_size: int, few: int) -> float:
    """Return the probability of at most `few` relevant documents, by counting all samples."""
    return sum(
        comb(relevant, k) * comb(rest - relevant, sample_size - k) for k in range(few + 1)
    ) / comb(rest, sample_size)


@pytest.mark.parametrize(
    ("rest", "sample_size", "relevant"),
    [(20, 5, 0), (20, 5, 1), (30, 10, 3), (12, 12, 4), (12, 1, 0), (7, 3, 3), (200, 60, 0)],
)
def test_the_limit_is_the_highest_count_that_is_not_rejected(
    rest: int, sample_size: int, relevant: int
) -> None:
    max_missed = RecallCertificate(10, rest, sample_size, relevant).most_missed + relevant
    possible = [
        many
        for many in range(relevant, rest - sample_size + relevant + 1)
        if chance_of_as_few(rest, many, sample_size, relevant) > 0.05
    ]
    assert max_missed == max(possible)


def test_samples_are_drawn_without_replacement() -> None:
    """Three of six documents with two relevant are sampled: every sample is enumerated."""
    as_few = sum(len({0, 1} & set(sample)) <= 0 for sample in combinations(range(6), 3)) / comb(
        6, 3
    )
    assert as_few == chance_of_as_few(6, 2, 3, 0) == 0.2


def test_an_empty_sample_obeys_the_rule_of_three() -> None:
    assert RecallCertificate(100, 100_000, 1_000, 0).most_missed == pytest.approx(
        3 * 100_000 / 1_000, rel=0.02
    )


def test_the_published_example_of_a_large_set_is_reproduced() -> None:
    recalls = [RecallCertificate(4_500, 90_000, 1_000, relevant).recall for relevant in (6, 5)]
    assert recalls == pytest.approx([0.81, 0.83], abs=0.01)


def test_a_complete_sample_gives_the_exact_count() -> None:
    certificate = RecallCertificate(3, 10, 10, 2)
    assert (certificate.most_missed, certificate.recall) == (0, 1.0)
    assert RecallCertificate(0, 10, 10, 0).recall == 1.0


def test_a_weak_claim_is_marked_as_weak() -> None:
    weak, strong = RecallCertificate(20, 1_000, 100, 0), RecallCertificate(4_500, 90_000, 1_000, 5)
    assert weak.weak and "bound is weak" in " ".join(map(str, weak.sentences()))
    assert not strong.weak and "weak" not in " ".join(map(str, strong.sentences()))
    assert "at least 0.41 with" in str(weak.sentences()[0]) and weak.recall == pytest.approx(
        20 / 48
    )


def test_a_claim_is_never_rounded_up() -> None:
    for relevant_found in range(1, 400):
        certificate = RecallCertificate(relevant_found, 1_000, 100, 1)
        assert (
            float(str(certificate.sentences()[0]).split("at least ")[1].split(" ")[0])
            <= certificate.recall
        )


def test_more_looks_give_weaker_claims() -> None:
    recalls = [RecallCertificate(50, 1_000, 300, 1, looks).recall for looks in (1, 2, 5)]
    assert recalls == sorted(recalls, reverse=True) and len(set(recalls)) == 3


def test_predicted_claims_of_samples_are_the_actual_ones() -> None:
    for each in forecast_samples(20, 1_000):
        assert each.recall_if_none == RecallCertificate(20, 1_000, each.drawn, 0).recall
        assert each.missed_if_none == RecallCertificate(20, 1_000, each.drawn, 0).most_missed
    assert forecast_samples(20, 1_000)[-1].drawn == 1_000 and [
        each.drawn for each in forecast_samples(2, 20)
    ] == [20]


def test_the_target_method_costs_as_many_judgments_as_sampling() -> None:
    assert expected_target_cost(999, 99) == 100 and expected_target_cost(1_000, 9) is None


@pytest.mark.parametrize("counts", [(1, 10, 11, 0), (1, 10, 5, 6), (-1, 10, 5, 0), (1, 10, 5, -1)])
def test_impossible_counts_are_refused(counts: tuple[int, int, int, int]) -> None:
    with pytest.raises(IrjudgeError, match="contradict"):
        RecallCertificate(*counts)


@pytest.mark.parametrize(
    ("relevant_found", "rest", "missed", "sample_size"),
    [(30, 1_300, 8, 100), (12, 3_100, 40, 150), (100, 900, 100, 60)],
)
@pytest.mark.parametrize("looks", [1, 5])
def test_the_claim_has_its_nominal_confidence(
    full: bool, relevant_found: int, rest: int, missed: int, sample_size: int, looks: int
) -> None:
    """With several looks the best of them is claimed, each on a larger sample."""
    times = SIMULATED if full else 200
    random, right = np.random.default_rng(relevant_found), 0
    known: dict[tuple[int, int], float] = {}
    for _ in range(times):
        sample = np.cumsum(random.permutation(rest)[: sample_size * looks] < missed)
        claims, true = (
            [],
            (relevant_found + sample[sample_size - 1 :: sample_size]) / (relevant_found + missed),
        )
        for look in range(looks):
            key = (sample_size * (look + 1), int(sample[sample_size * (look + 1) - 1]))
            if key not in known:
                known[key] = RecallCertificate(relevant_found, rest, *key, looks).recall
            claims.append(known[key])
        right += bool((np.array(claims) <= true + 1e-12).all())
    assert right >= times * (ENOUGH / SIMULATED if full else 0.9)


@pytest.mark.parametrize(("documents", "relevant"), [(1_400, 22), (3_204, 35), (1_460, 150)])
def test_the_target_method_has_its_nominal_confidence(
    full: bool, documents: int, relevant: int
) -> None:
    """The order of retrieval does not matter: here most documents come early, and a third late."""
    times = SIMULATED if full else 200
    random, reached = np.random.default_rng(relevant), 0
    early, late = relevant - relevant // 3, np.arange(documents - relevant // 3, documents)
    order = np.zeros(documents, dtype=bool)
    order[[*range(0, 3 * early, 3), *late]] = True
    for _ in range(times):
        drawing = random.permutation(documents)
        targets = drawing[order[drawing]][:TARGET_SAMPLE_SIZE]
        reached += order[: targets.max() + 1].sum() >= TARGET_RECALL * relevant
    assert reached >= times * (ENOUGH / SIMULATED if full else 0.9)
