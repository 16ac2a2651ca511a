"""Tests of estimates from samples: published values, complete judgments, and bias."""

import numpy as np
import pytest

from irjudge.metrics import JudgedRun, parse_measure_name
from irjudge.model import make_run
from irjudge.pooling import ESTIMATES, PoolOptions, SampledRanking, SampledTopic, build_pool
from irjudge.pooling.candidates import collect_candidates
from irjudge.pooling.estimates import (
    estimate_relevant,
    extended_inferred_ap,
    inferred_ndcg,
    stat_ap,
    weighted_ap,
    weighted_precision,
)

# trec_eval 10.0's qrels: d1 1, d2 -1, d3 0, d4 1, d6 -1, d7 1, d8 0, d9 -1, d10 1, x1 1; d5 is not
# named, x1 not retrieved.
RANKS = [1, 2, 3, 4, 6, 7, 8, 9, 10]
GRADES = [1, -1, 0, 1, -1, 1, 0, -1, 1, 1]


def ranking(grades: list[int], strata: list[int], ranks: list[int] = RANKS) -> SampledRanking:
    topic = SampledTopic(np.array(strata), np.array(grades), np.ones(len(grades)))
    return SampledRanking(topic, np.arange(len(ranks)), np.array(ranks))


def infap(grades: list[int], ranks: list[int]) -> float:
    ranked = [None] * max(ranks)
    for rank, grade in zip(ranks, grades, strict=False):
        ranked[rank - 1] = grade
    return float(
        parse_measure_name("infAP")[0].compute(
            JudgedRun.single(ranked, [grade for grade in grades if grade >= 0])
        )[0]
    )


ONE, TWO = [0] * 10, [0, 0, 0, 1, 1, 1, 1, 1, 1, 1]
TWO = [0, 0, 0, 0, 1, 1, 1, 1, 1, 1]


def test_one_stratum_is_infap_as_trec_eval_prints_it() -> None:
    assert extended_inferred_ap(ranking(GRADES, ONE)) == pytest.approx(0.564809, abs=5e-7)
    assert extended_inferred_ap(ranking(GRADES, ONE)) == pytest.approx(
        infap(GRADES, RANKS), abs=1e-12
    )


def test_two_strata_are_weighted_by_how_much_of_them_was_judged() -> None:
    # The first stratum is d1 to d4. Values by an independent script with the paper's formula.
    assert extended_inferred_ap(ranking(GRADES, TWO)) == pytest.approx(0.545515, abs=5e-7)
    assert extended_inferred_ap(ranking([1, 0, *GRADES[2:]], TWO)) == pytest.approx(
        0.461539, abs=5e-7
    )


def test_estimates_of_complete_judgments_are_the_measures() -> None:
    grades = [max(grade, 0) for grade in GRADES]
    # AP by hand: (1/1 + 2/4 + 3/7 + 4/10) / 5 = .465714.
    for strata in (ONE, TWO, list(range(10))):
        assert extended_inferred_ap(ranking(grades, strata)) == pytest.approx(0.465714, abs=2e-5)
        assert weighted_ap(ranking(grades, strata)) == pytest.approx(0.465714, abs=5e-7)
        assert stat_ap(ranking(grades, strata)) == pytest.approx(0.465714, abs=5e-7)
    assert weighted_precision(ranking(grades, ONE)) == pytest.approx(0.4)
    assert estimate_relevant(ranking(grades, ONE).topic) == 5


def test_infndcg_of_complete_judgments_is_ndcg() -> None:
    grades = [2, 0, 1, 3, 0, 1, 0, 2, 1, 3]
    ranked = [*grades[:4], None, *grades[4:9]]
    expected = parse_measure_name("nDCG")[0].compute(JudgedRun.single(ranked, grades))[0]
    assert inferred_ndcg(ranking(grades, TWO)) == pytest.approx(expected, abs=1e-12)


def test_infndcg_is_that_worked_by_hand() -> None:
    # Two of four judged, each counting for two: DCG = 2·2/log2(2) = 4. Ideal: two documents of
    # grade 2: 2/log2(2) + 2/log2(3) = 3.2619.
    assert inferred_ndcg(ranking([2, 0, -1, -1], [0] * 4, [1, 2, 3, 4])) == pytest.approx(
        4 / 3.261860, abs=1e-6
    )
    # One of three of the only stratum with gains: it counts for 1.5 documents: 1.5 against 1 +
    # .5/log2(3) = 1.3155.
    assert inferred_ndcg(ranking([1, 0, -1], [0] * 3, [1, 2, 3])) == pytest.approx(
        1.5 / 1.315465, abs=1e-6
    )


@pytest.mark.parametrize("name", ESTIMATES)
def test_a_topic_without_relevant_or_retrieved_documents_is_0(name: str) -> None:
    estimate = ESTIMATES[name].function
    assert estimate(ranking([0, -1], [0, 1], [1, 2]), 1) == 0
    assert (
        estimate(
            SampledRanking(
                SampledTopic(np.array([0]), np.array([2]), np.ones(1)),
                np.empty(0, int),
                np.empty(0, int),
            ),
            1,
        )
        == 0
    )


def test_statap_weights_documents_above_a_relevant_one() -> None:
    # relevant at rank 2, sampled with 1/2, and at rank 5, with 1/4; one with 1 not retrieved: R is
    # estimated as 2 + 4 + 1
    topic = SampledTopic(np.zeros(4, int), np.array([1, 0, 1, 1]), np.array([0.5, 0.3, 0.25, 1]))
    sampled = SampledRanking(topic, np.array([0, 1, 2]), np.array([2, 3, 5]))
    # at rank 2: 1/2, for two documents; at rank 5: (1 + 2)/5, for four
    assert stat_ap(sampled) == pytest.approx((2 * 1 / 2 + 4 * 3 / 5) / 7)
    assert weighted_ap(sampled) == pytest.approx(
        (2 * 2 / 2 + 4 * 6 / 5) / 7
    )  # which also counts it for four there


def test_statap_of_one_relevant_document_is_that_of_the_million_query_script() -> None:
    # Printed by statAP_MQ_eval_v4 for topic 57 of a run: Relevant=1.563 sampled_relev=1,
    # Prec_at_10=0.156, AP=0.167: it has rank 6.
    topic = SampledTopic(np.zeros(1, int), np.array([1]), np.array([1 / 1.563]))
    sampled = SampledRanking(topic, np.array([0]), np.array([6]))
    assert (
        round(estimate_relevant(topic), 3),
        round(weighted_precision(sampled), 3),
        round(stat_ap(sampled), 3),
    ) == (1.563, 0.156, 0.167)


# Over many samples

RUNS = [
    make_run("a", [("1", f"d{(index * 7) % 40}", -float(index)) for index in range(40)]),
    make_run("b", [("1", f"d{(place * 11 + 3) % 40}", -float(place)) for place in range(30)]),
]
RELEVANT = {f"d{number}" for number in (0, 3, 7, 9, 14, 21, 22, 30, 33, 35, 39)}


def draws(strategy: str, times: int, **plan) -> list[SampledRanking]:
    """Return the ranking of run a with each of many samples, whose documents were judged."""
    candidates = collect_candidates(RUNS)
    ids, rank = candidates.document.to_pylist(), candidates.get_topic_lists(0).rank[0]
    made = []
    for seed in range(times):
        pool = build_pool(
            RUNS,
            PoolOptions(strategy, seed=seed, **plan),
            judge=lambda topic, document: document in RELEVANT,
        )
        sampled_documents = dict(
            zip(
                pool.document.to_pylist(),
                zip(pool.stratum.tolist(), pool.probability.tolist(), strict=True),
                strict=True,
            )
        )
        left = dict(
            zip(pool.unsampled.document.to_pylist(), pool.unsampled.stratum.tolist(), strict=True)
        )
        assert set(sampled_documents) | set(left) == set(ids) and not set(sampled_documents) & set(
            left
        )
        stratum = np.array(
            [
                sampled_documents[name][0] if name in sampled_documents else left[name]
                for name in ids
            ]
        )
        grade = np.array(
            [int(name in RELEVANT) if name in sampled_documents else -1 for name in ids]
        )
        probability = np.array(
            [sampled_documents[name][1] if name in sampled_documents else 1 for name in ids]
        )
        by_rank = np.argsort(rank)[np.count_nonzero(rank == 0) :]
        made.append(
            SampledRanking(
                SampledTopic(stratum, grade, probability), by_rank, rank[by_rank].astype(np.int64)
            )
        )
    return made


def truth(estimate) -> float:
    (whole,) = draws("stratified(edges=2,rates=1/1)", 1)
    return estimate(whole)


@pytest.mark.slow
@pytest.mark.parametrize(
    "strategy", ["sample(share=0.3)", "stratified(edges=3/10,rates=1/0.5/0.25)"]
)
@pytest.mark.parametrize(
    "estimate",
    [lambda made: estimate_relevant(made.topic), weighted_precision],
    ids=["relevant", "P@10"],
)
def test_unbiased_estimates_are_right_on_average(strategy: str, estimate) -> None:
    values = np.array([estimate(made) for made in draws(strategy, 600)])
    error = values.std() / np.sqrt(len(values))
    assert values.std() > 0 and abs(values.mean() - truth(estimate)) < 4 * error


@pytest.mark.slow
def test_xinfap_is_near_average_precision_on_average() -> None:
    values = np.array(
        [
            extended_inferred_ap(made)
            for made in draws("stratified(edges=3/10,rates=1/0.5/0.25)", 600)
        ]
    )
    # A ratio of estimates has some bias; it is small compared with the spread of one sample.
    assert abs(values.mean() - truth(extended_inferred_ap)) < values.std() / 3


@pytest.mark.slow
def test_statap_has_much_less_bias_than_htap() -> None:
    made = draws("sample(share=0.3)", 600)
    of_stat, of_ht = (
        np.mean([each(one) * estimate_relevant(one.topic) for one in made])
        for each in (stat_ap, weighted_ap)
    )
    right = truth(stat_ap) * len(RELEVANT)
    # A sample of fixed size contains two given documents slightly less often than independent
    # draws.
    assert abs(of_stat / right - 1) < 0.08 and of_ht / right > 1.3


@pytest.mark.slow
@pytest.mark.parametrize(
    "estimate",
    [lambda made: estimate_relevant(made.topic), weighted_precision],
    ids=["relevant", "P@10"],
)
@pytest.mark.parametrize("size", [8, 20])
def test_active_sampling_knows_its_probabilities(estimate, size: int) -> None:
    made = draws("active(batch=3)", 400, size=size)
    values = np.array([estimate(each) for each in made])
    # The sampling of the others still depends on the grade of a document.
    assert values.std() > 0 and abs(values.mean() - truth(estimate)) < 3 * values.std() / np.sqrt(
        len(values)
    )
    frequent = np.mean([each.topic.grade >= 0 for each in made], axis=0)
    assert frequent[0] > 2 * frequent[-1] > 0


def test_active_sampling_covers_runs_without_relevant_documents() -> None:
    """Sampling never ended if more was requested than runs with relevant documents have."""
    runs = [
        make_run(name, [("1", f"{name}{position}", -float(position)) for position in range(20)])
        for name in ("good", "bad")
    ]
    pool = build_pool(
        runs, PoolOptions("active", size=35), judge=lambda topic, document: document == "good0"
    )
    assert len(pool) == 35
