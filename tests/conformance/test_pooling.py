"""Tests of pooling strategies on the 56 runs of TREC-COVID round 1."""

from pathlib import Path

import numpy as np
import pytest

from irjudge.evaluation import estimate_runs, evaluate_runs, parse_measures
from irjudge.formats.rankings import read_qrels, read_run
from irjudge.model import Qrels, Run, make_qrels
from irjudge.pooling import PoolOptions, build_pool, list_strategies, make_qrels_judge
from irjudge.pooling.strategies import STRATEGIES
from irjudge.stats import RankPair, tau_b

SIZE = 30


@pytest.fixture(scope="module")
def runs(data: Path) -> list[Run]:
    return [
        read_run(path)
        for path in sorted((data / "trec_covid" / "round1_pool" / "runs_top20").iterdir())
    ]


@pytest.fixture(scope="module")
def qrels(data: Path) -> Qrels:
    return read_qrels(data / "trec_covid" / "qrels" / "covid-round1.txt")


def count_relevant(runs: list[Run], qrels: Qrels, name: str) -> int:
    judge = make_qrels_judge(qrels)
    pool = build_pool(runs, PoolOptions(name, 20, SIZE), judge=judge)
    assert np.diff(pool.starts).tolist() == [SIZE] * 30
    return sum(
        judge(pool.topics[topic], document)
        for topic, document in zip(pool.topic.tolist(), pool.document.to_pylist(), strict=True)
    )


@pytest.fixture(scope="module")
def relevant_by_random_sampling(runs: list[Run], qrels: Qrels) -> int:
    return count_relevant(runs, qrels, "sample")


@pytest.mark.parametrize("name", [each.name for each in list_strategies()])
def test_every_strategy_pools_a_real_track(
    runs: list[Run], qrels: Qrels, relevant_by_random_sampling: int, name: str
) -> None:
    # A strategy finds more relevant documents than random sampling, except for those that prefer
    # documents retrieved by few runs.
    poor = {"sample", "combanz", "combmin", "combmed"}
    assert count_relevant(runs, qrels, name) > relevant_by_random_sampling or name in poor


def test_strategies_that_seek_relevant_documents_find_more_than_depth_pooling(
    runs: list[Run], qrels: Qrels
) -> None:
    plain = count_relevant(runs, qrels, "take")
    for name in ("combmnz", "rrf", "maxmean", "find-relevant", "thompson", "rbp-c"):
        assert count_relevant(runs, qrels, name) > 1.05 * plain, name


def test_a_sample_ranks_systems_almost_like_all_judgments(runs: list[Run], qrels: Qrels) -> None:
    whole = build_pool(runs, PoolOptions("depth", 20))
    judge = make_qrels_judge(qrels)
    pairs = zip(
        [whole.topics[topic] for topic in whole.topic.tolist()],
        whole.document.to_pylist(),
        strict=True,
    )
    all_judged = make_qrels(
        [(topic, document, int(judge(topic, document))) for topic, document in pairs]
    )
    truth = np.array(
        [run.summary[0] for run in evaluate_runs(all_judged, runs, parse_measures(["AP"])).runs]
    )
    for name in ("rank-systems", "sample(share=0.3)"):
        pool = build_pool(runs, PoolOptions(name, 20))
        guess = estimate_runs(pool, all_judged, runs).values[:, 0].mean(axis=1)
        assert tau_b(RankPair.of_scores(truth, guess)) > 0.85, name
        assert np.abs(guess - truth).mean() < 0.1 * truth.mean(), name


def test_seeded_pools_of_real_runs_stay_the_same(runs: list[Run], qrels: Qrels) -> None:
    for name in ("sample", "thompson", "active"):
        assert STRATEGIES.parse(name).declaration.seeded
        plan = PoolOptions(name, 20, 5, seed=11)
        one, other = (
            build_pool(given, plan, judge=make_qrels_judge(qrels)).document.to_pylist()
            for given in (runs, list(runs))
        )
        assert one == other
