"""Tests of the order of every strategy on three small runs, by hand and by published programs."""

import math

import numpy as np
import pytest

from irjudge.model import Run, make_run
from irjudge.pooling import PoolOptions, build_pool, list_strategies
from irjudge.pooling.candidates import collect_candidates
from irjudge.pooling.strategies import STRATEGIES, HedgeStrategy
from irjudge.stats import TopicRandom

RELEVANT = {"d3", "d5", "d7"}


def make_ranking(name: str, documents: str, *scores: float) -> Run:
    return make_run(
        name,
        [("1", document, score) for document, score in zip(documents.split(), scores, strict=True)],
    )


A = make_ranking("A", "d1 d2 d3 d4", 4, 3, 2, 1)
B = make_ranking("B", "d3 d1 d5 d6", 0.9, 0.8, 0.3, 0.1)
C = make_ranking("C", "d7 d3 d2 d8", 10, 9, 5, 0)
RUNS = [A, B, C]


def judge(_topic: str, document: str) -> bool:
    return document in RELEVANT


def order(strategy: str, runs: list[Run] = RUNS, **plan) -> str:
    return " ".join(
        build_pool(runs, PoolOptions(strategy, **plan), judge=judge).document.to_pylist()
    )


def scores(strategy: str) -> dict[str, float]:
    candidates = collect_candidates(RUNS)
    return dict(
        zip(
            candidates.document.to_pylist(),
            STRATEGIES.parse(strategy).compute(candidates).tolist(),
            strict=True,
        )
    )


# Made with the formulas of the papers in an independent script; ties by best rank, then id.
ORDERS = {
    "take": "d1 d3 d7 d2 d5 d4 d6 d8",
    "votes": "d3 d1 d2 d7 d5 d4 d6 d8",
    "borda": "d3 d1 d2 d7 d5 d4 d6 d8",
    "rrf": "d3 d1 d2 d7 d5 d4 d6 d8",
    "combsum": "d3 d1 d2 d7 d5 d4 d6 d8",
    "combmnz": "d3 d1 d2 d7 d5 d4 d6 d8",
    "dcg": "d3 d1 d2 d7 d5 d4 d6 d8",
    "rbp-a": "d3 d1 d2 d7 d5 d4 d6 d8",
    "condorcet": "d3 d1 d2 d7 d5 d4 d6 d8",
    "mtf": "d1 d3 d5 d6 d7 d2 d4 d8",
    "maxmean": "d1 d7 d3 d2 d8 d5 d6 d4",
    "maxmean-ns(rho=0)": "d1 d7 d3 d2 d5 d6 d4 d8",
    "hedge": "d3 d1 d7 d2 d8 d5 d6 d4",
}


@pytest.mark.parametrize("name", ORDERS)
def test_documents_are_in_the_order_of_the_strategy(name: str) -> None:
    assert order(name, size=8) == ORDERS[name]


SCORES = {
    "votes": (3, 2, 2, 1, 1, 1),
    "borda": (-6, -9.5, -11.5, -14, -16, -17),
    "rrf": (0.0484, 0.0325, 0.0320, 0.0164, 0.0159, 0.0156),
    "combsum": (2.2333, 1.8750, 1.1667, 1, 0.25, 0),
    "combmnz": (6.7, 3.75, 2.3333, 1, 0.25, 0),
    "dcg": (2.1309, 1.6309, 1.1309, 1, 0.5, 0.4307),
    "rbp-a(p=0.8)": (0.4880, 0.3600, 0.2880, 0.2000, 0.1280, 0.1024),
    "condorcet": (7, 6, 4, 1, 1, 0),
    # The scaled scores: d3 1/3 in A, 1 in B, .9 in C; d1 1 and .875; d2 2/3 and .5; d7 1; d5 .25;
    # the last of each run 0.
    "combanz": (2.2333 / 3, 1.875 / 2, 1.1667 / 2, 1, 0.25, 0),
    "combmax": (1, 1, 0.6667, 1, 0.25, 0),
    "combmin": (0.3333, 0.875, 0.5, 1, 0.25, 0),
    "combmed": (0.9, 0.9375, 0.5833, 1, 0.25, 0),
}


@pytest.mark.parametrize("name", SCORES)
def test_scores_follow_the_formula(name: str) -> None:
    document_scores = scores(name)
    assert [
        document_scores[document] for document in ("d3", "d1", "d2", "d7", "d5", "d4")
    ] == pytest.approx(SCORES[name], abs=5.1e-5)
    assert document_scores["d4"] == document_scores["d6"] == document_scores["d8"]


def test_hedge_weighs_documents_as_published() -> None:
    candidates = collect_candidates(RUNS)
    names, walk, reported = (
        candidates.document.to_pylist(),
        HedgeStrategy(candidates.get_topic_lists(0), 0.1),
        {},
    )
    while len(reported) < 8:
        document = walk.next()
        reported[names[document]] = walk.compute_mean_gains()[document]
        walk.tell(document, relevant=names[document] in RELEVANT)
    expected = {
        "d3": 1.4822,
        "d1": 1.1969,
        "d7": 1.3441,
        "d2": 0.9358,
        "d8": 0.6249,
        "d5": 0.3885,
        "d6": 0.4114,
        "d4": 0.2260,
    }
    assert list(reported) == list(expected)
    assert reported == pytest.approx(expected, abs=5.1e-5)


def test_a_depth_two_pool_is_the_union_of_the_tops() -> None:
    assert order("depth", depth=2) == "d1 d3 d7 d2"


def test_fair_take_fills_the_last_rank_by_votes() -> None:
    # Rank 1: d1 d3 d7. Rank 2: d2 (two runs), nothing else. Rank 3: d5. With a fourth run, rank 2
    # has d2 and d0.
    runs = [*RUNS, make_ranking("D", "d7 d0", 2, 1)]
    assert order("take", runs, size=4) == "d1 d3 d7 d0"
    assert order("fair-take", runs, size=4).split()[3] == "d2"
    assert set(order("fair-take", runs, size=3).split()) == {"d1", "d3", "d7"}


def test_rbp_b_moves_to_runs_with_fewer_judged_documents() -> None:
    # p = .5: weights 1/2 1/4 1/8 1/16. Start: d3 1/8+1/2+1/4 = .875, d1 .75, d7 .5, d2 .375, d5
    # .125, the last ones .0625.
    # After d3 the residuals are A .875, B .5, C .75: d1 .5·.875+.25·.5 = .5625, d7 .375, d2
    # .25·.875+.125·.75 = .3125.
    # After d1: A .375, B .25, C .75: d7 .375, d2 .09375+.09375 = .1875. After d7: C .25: d2 .125,
    # d5 .03125.
    # After d2: A .125, B .25, C .125: d5 .03125, d4 .0078125, d6 .015625, d8 .0078125. Then B is
    # .125, like the others.
    assert order("rbp-b(p=0.5)") == "d3 d1 d7 d2 d5 d4 d6 d8"


def test_rbp_c_moves_to_runs_with_a_high_possible_value() -> None:
    # p = .5, all relevant in C alone. Start as RBP-B: d3 first. Then A (residual .875, base .125),
    # B (.5, .5), C (.75, .25):
    # merit A .875·.5625³ = .1557, B .5·.75³ = .2109, C .75·.625³ = .1831.
    # d1 .5·.1557+.25·.2109 = .1306, d7 .0916, d2 .25·.1557+.125·.1831 = .0618: d1, which is not
    # relevant:
    # A (.375, .125) .375·.3125³ = .0114, B (.25, .5) .25·.625³ = .0610, C as before .1831: d7
    # .0916. Then C (.25, .75) .25·.875³ = .1675:
    # d2 .25·.0114+.125·.1675 = .0238, d5 .125·.0610 = .0076, d8 .0625·.1675 = .0105. d2 is not
    # relevant:
    # C (.125, .75) .125·.8125³ = .0670, so d8 .0042, d5 .0076: d5. Then B (.125, .625) .125·.6875³
    # = .0406: d6 .0025, d8 .0042, d4 .0003.
    assert order("rbp-c(p=0.5)") == "d3 d1 d7 d2 d5 d8 d6 d4"


def test_ucb_tries_each_run_and_then_the_one_with_the_highest_bound() -> None:
    # d1 of A, which B has too; then C, of which nothing is judged: d7. After two: A 0 of 1, B 0 of
    # 1, C 1 of 1, ln 2 = .6931:
    # A and B 0 + √(.6931·¼) = .4163, C 1.4163: d3, which all have. C 2 of 2, ln 3 = 1.0986 halved:
    # 1 + √(.5493·¼) > A, B at ½: d2.
    # A 1 of 3, B 1 of 2, C 2 of 3, ln 4: A .3333 + √(.4621·¼) = .6732, B .5 + √(.6931·¼) = .9163, C
    # .6667 + .3399 = 1.0065: d8.
    # C 2 of 4, B 1 of 2, ln 5: C is read to its end; A .3333 + √(.5365·¼) = .6996, B .5 +
    # √(.8047·¼) = .9485: d5, d6; A is left: d4.
    assert order("ucb") == "d1 d7 d3 d2 d8 d5 d6 d4"


def test_thompson_follows_the_beta_distribution() -> None:
    # Each arm first draws from Beta(1, 1), whose quantile is the number itself: the run of the
    # highest number contributes its first document.
    for seed in range(12):
        first = "d1 d3 d7".split()[int(np.argmax(TopicRandom(seed, "1").draw_numbers(3)))]
        assert order("thompson", seed=seed).startswith(first)


@pytest.mark.slow
def test_thompson_follows_a_run_with_its_probability_of_being_best() -> None:
    # After its relevant d7, C draws from Beta(2, 1), A and B from Beta(1, 1). C is the best with
    # probability ∫ x²·2x dx = 1/2, so A is with 1/4, and contributes d1. Bounds at 5 standard
    # deviations.
    orders = [order("thompson", seed=seed).split() for seed in range(300)]
    seconds = [second for first, second, *_ in orders if first == "d7"]
    assert abs(seconds.count("d1") / len(seconds) - 0.25) < 5 * math.sqrt(
        0.25 * 0.75 / len(seconds)
    )


def test_greedy_does_not_explore_with_rate_0() -> None:
    assert order("greedy(c=0)") == ORDERS["maxmean"]
    assert len({order("greedy(c=1000)", seed=seed) for seed in range(20)}) > 5


def test_the_first_ranks_come_first_in_every_strategy() -> None:
    assert order("combmnz", first=1) == "d1 d3 d7 d2 d5 d4 d6 d8"
    # With a size they take half of it: d1 and d3 of d1 d3 d7, then the most votes: d2 has 2, d7 has
    # 1.
    assert order("votes", first=1, size=4) == "d1 d3 d2 d7"
    assert order("rbp-b", first=4, size=2).split()[0] == "d1"
    # The opening counts as experience: A and B lost one each with d1, and all won with d3; C won
    # with d7.
    assert order("maxmean", first=1) == "d1 d3 d7 d2 d8 d5 d6 d4"


def test_each_document_keeps_its_contributing_runs_and_ranks() -> None:
    pool = build_pool(RUNS, PoolOptions("rrf", size=2))
    brought = [
        {
            pool.runs[pool.contribution_run[at]]: int(pool.contribution_rank[at])
            for at in range(pool.contribution_starts[row], pool.contribution_starts[row + 1])
        }
        for row in range(len(pool))
    ]
    assert brought == [{"A": 3, "B": 1, "C": 2}, {"A": 1, "B": 2}]
    assert (pool.strategy, pool.parameters) == ("rrf", {"ties": "docno", "size": 2, "k": 60.0})
    assert (
        pool.probability.tolist() == [1, 1]
        and pool.stratum.tolist() == [0, 0]
        and not pool.is_sample
    )


def test_every_strategy_has_an_expected_order() -> None:
    elsewhere = {
        "depth",
        "fair-take",
        "combanz",
        "combmax",
        "combmin",
        "combmed",
        "sample",
        "stratified",
        "active",
    }  # scores or tests of their own
    walks = {"rbp-b", "rbp-c", "ucb", "thompson", "greedy"}
    assert {each.name for each in list_strategies()} == elsewhere | walks | {
        name.partition("(")[0] for name in ORDERS
    }


def test_scores_of_any_size_are_scaled() -> None:
    run = make_run(
        "a",
        [
            ("1", "x", math.inf),
            ("1", "y", 1e308),
            ("1", "z", -1e308),
            ("2", "x", 3.0),
            ("2", "y", 3.0),
        ],
    )
    # The infinite score becomes the largest number, 1.7977e308: y is at (1 + 1) / (1.7977 + 1) of
    # the range.
    assert STRATEGIES.parse("combsum").compute(collect_candidates([run])).tolist() == pytest.approx(
        [1, 2 / 2.797693, 0, 1, 1]
    )
