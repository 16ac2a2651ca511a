"""Tests of estimates from few human judgments and model labels, on TREC Deep Learning 2021."""

from collections.abc import Sequence
from pathlib import Path

import numpy as np
import pytest

from irjudge.audit import PlanUniverse
from irjudge.audit.run_estimates import compute_run_weights, make_sampled_labels
from irjudge.evaluation import Policy, parse_measures
from irjudge.formats.judgments import read_model_labels
from irjudge.formats.rankings import read_run
from irjudge.metrics import Measure
from irjudge.model import Run
from irjudge.pooling import expected_grade_deviation, sampling_probabilities
from irjudge.pooling.candidates import collect_candidates
from irjudge.pooling.judge_plan import model_grade_of_pairs, pair_weights
from irjudge.stats import MIN_LABELS, SampledLabels, lacks_sample, linear_estimates
from tests.pools import depth_pool

EQUAL = ("pash_f2", "pash_f3")  # whose top 10 equal those of pash_f1
HIGHEST, DEPTH, REL = 3, 10, 2  # the track counts grades 2 and 3 as relevant
MEASURES = parse_measures(["P@10", "DCG@10"], REL)


class SimulatedSampling:
    """DL 2021 with GPT-4o's labels: all documents a plan could sample, and the true values."""

    def __init__(self, data: Path) -> None:
        folder = data / "model_judges" / "dl21"
        self.runs: list[Run] = [
            read_run(path, path.name.removesuffix(".run.gz"))
            for path in sorted((folder / "runs").iterdir())
            if path.name.removesuffix(".run.gz") not in EQUAL
        ]
        model, people = (
            read_model_labels(folder / f"{name}.qrels").last()
            for name in ("gpt-4o-umbrela", "people")
        )
        candidates = collect_candidates(self.runs, DEPTH, ties="trec")
        names = [candidates.topics[code] for code in candidates.topic.tolist()]
        pairs = tuple(zip(names, candidates.document.to_pylist(), strict=True))
        everything = np.ones(len(candidates), dtype=bool)
        # documents not judged by NIST are not relevant
        truth = np.maximum(model_grade_of_pairs(candidates, people) - 1, 0)
        pool = depth_pool(self.runs, DEPTH)
        self.universe = PlanUniverse(
            pool.strategy,
            pool.topics,
            pairs,
            candidates.topic,
            model_grade_of_pairs(candidates, model),
            truth,
            everything,
            everything.astype(np.float64),
            HIGHEST,
        )
        self.weight = pair_weights(candidates, DEPTH) * expected_grade_deviation(
            self.universe.code, HIGHEST
        )
        self.of = {
            measure.name: (
                make_sampled_labels(self.universe, measure),
                compute_run_weights(self.universe, self.runs, measure, Policy()),
            )
            for measure in MEASURES
        }

    def coverage(
        self, measure: Measure, size: int, draws: Sequence[int], *, alone: bool = False
    ) -> tuple[float, float]:
        """Return coverage and width of all runs' intervals; `alone` samples without a model."""
        every, weights = self.of[measure.name]
        count = len(every.topic)
        chance = (
            np.full(count, size / count) if alone else sampling_probabilities(self.weight, size)
        )
        truth = weights @ every.human_gain / every.topics
        held, width = [], []
        for seed in draws:
            chosen = np.random.default_rng(seed).random(count) < chance
            grade = np.zeros(count, dtype=np.int64) if alone else every.grade
            known = np.where(chosen, every.human_gain, 0.0)
            labels = SampledLabels(
                every.topic,
                grade,
                every.model_gain,
                chosen,
                known,
                chance,
                every.topics,
                every.highest,
            )
            if labels.labels >= MIN_LABELS:
                sampled = ~lacks_sample(
                    labels, weights
                )  # runs without a sampled document are refused
                estimates = linear_estimates(labels, weights[sampled], seed=seed)
                held.append(
                    ((estimates.low <= truth[sampled]) & (truth[sampled] <= estimates.high)).mean()
                )
                width.append((estimates.high - estimates.low).mean())
        return float(np.mean(held)), float(np.mean(width))


@pytest.fixture(scope="module")
def simulated(data: Path) -> SimulatedSampling:
    return SimulatedSampling(data)


def test_two_of_the_runs_are_equal_to_others(simulated: SimulatedSampling, data: Path) -> None:
    assert len(simulated.runs) == 61
    tops = []
    for name in ("pash_f1", *EQUAL):
        run = read_run(data / "model_judges" / "dl21" / "runs" / f"{name}.run.gz", name)
        tops.append(collect_candidates([run], DEPTH, ties="trec").document.to_pylist())
    assert sorted(tops[0]) == sorted(tops[1]) == sorted(tops[2])


@pytest.mark.parametrize("measure", MEASURES, ids=lambda each: each.name)
def test_intervals_have_their_coverage_and_are_shorter_with_a_model(
    simulated: SimulatedSampling, measure: Measure, full: bool
) -> None:
    """A thousand samples in the long form, else few: means over 61 runs vary by 0.01."""
    draws, low = (range(1000), 0.93) if full else (range(40), 0.90)
    for size in (100, 200, 400) if full else (400,):
        held, width = simulated.coverage(measure, size, draws)
        assert held >= low, size
    _, wide = simulated.coverage(measure, 400, draws, alone=True)
    assert width < 0.75 * wide
