"""Simulated collections on which the coverage of model-assisted intervals is measured.

A collection has topics with documents, the grades of people and of a model, and runs. Its documents
are sampled many times; coverage is the share of 95 % intervals that hold the true value.
"""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np
import scipy.stats

from irjudge.pooling import expected_grade_deviation, sampling_probabilities
from irjudge.stats import (
    MIN_LABELS,
    Guess,
    SampledLabels,
    TopicsAre,
    lacks_sample,
    linear_estimates,
)
from irjudge.stats.prediction_powered import LinearEstimates

CUTOFF = 10
NOISE = (0.7, 1.0, 1.5, 3.0)  # of each run; the runs of a collection go from good to nearly random
VALUES = (
    *["P"] * len(NOISE),
    *["DCG"] * len(NOISE),
    *["P difference"] * (len(NOISE) - 1),
    *["DCG difference"] * (len(NOISE) - 1),
)
Errors = Literal["anywhere", "top", "unlikely"]


@dataclass(frozen=True, slots=True)
class Case:
    """Parameters of the simulation of relevance, a model and a sample."""

    name: str
    relevant: float  # share of documents with a grade above 0
    right: float  # share of documents whose grade the model gives
    labels: int  # sampled documents, on average
    highest: int = 1  # grades 0 to this one, gains equal to grades
    errors: Errors = "anywhere"  # on which documents the model errs
    far: bool = False  # whether an error is as large as possible, instead of one step
    topics: int = 25  # of a collection
    documents: int = 30  # of a topic
    spread: float = 0.0  # standard deviation of the share of relevant documents over topics


@dataclass(frozen=True, slots=True, eq=False)
class Collection:
    """Collection of T topics with n documents, shape (T, n) each but for `weights`, (V, T, n)."""

    gain: np.ndarray
    value: np.ndarray
    weights: np.ndarray  # of V values, see `VALUES`
    planned: np.ndarray  # inclusion probabilities of a judge plan are proportional to these

    def of(self, topics: np.ndarray) -> "Collection":
        """Return a collection of some of the topics."""
        return Collection(
            self.gain[topics], self.value[topics], self.weights[:, topics], self.planned[topics]
        )


def make_collection(case: Case, seed: int, *, topics: int) -> Collection:
    """Return a collection whose runs are from good to nearly random."""
    random = np.random.default_rng(seed)
    shape = (topics, case.documents)
    share = np.clip(random.normal(case.relevant, case.spread, (topics, 1)), 0.0, 0.95)
    grade = random.integers(1, case.highest + 1, shape)
    gain = np.where(random.random(shape) < share, grade, 0).astype(float)
    noise = random.normal(size=(len(NOISE), *shape)) * np.array(NOISE)[:, None, None]
    rank = (-(gain / case.highest + noise)).argsort(axis=2).argsort(axis=2) + 1
    inside = rank <= CUTOFF
    discount = np.where(inside, 1 / np.log2(rank + 1.0), 0.0)
    means = inside / CUTOFF
    weights = np.concatenate((means, discount, means[1:] - means[0], discount[1:] - discount[0]))
    planned = np.sqrt((discount**2).mean(axis=0))
    errors = _wrong(case, random, planned)
    step = case.highest if case.far else random.integers(1, case.highest + 1, shape)
    up = (gain == 0) | ((gain < case.highest) & (random.random(shape) < 0.5))
    other = np.clip(gain + np.where(up, step, -step), 0, case.highest)
    value = np.where(errors, other, gain)
    planned = planned * expected_grade_deviation(value.astype(np.int64) + 1, case.highest)
    return Collection(gain, value, weights, planned)


def _wrong(case: Case, random: np.random.Generator, planned: np.ndarray) -> np.ndarray:
    chance = np.full(planned.shape, 1 - case.right)
    if case.errors != "anywhere":  # the same number of errors, all on a fifth of the documents
        ends = np.quantile(planned, (0.2, 0.8))
        where = planned >= ends[1] if case.errors == "top" else planned <= ends[0]
        chance = np.where(where, np.minimum(1, chance.sum() / where.sum()), 0.0)
    return random.random(planned.shape) < chance


Intervals = Callable[[LinearEstimates, float], tuple[np.ndarray, np.ndarray]]


def estimator_intervals(estimates: LinearEstimates, _reach: float) -> tuple[np.ndarray, np.ndarray]:
    """Return the intervals of the estimator."""
    return estimates.low, estimates.high


def normal_intervals(estimates: LinearEstimates, reach: float) -> tuple[np.ndarray, np.ndarray]:
    """Return the intervals without the added errors."""
    return estimates.value - reach * estimates.error, estimates.value + reach * estimates.error


@dataclass(frozen=True, slots=True, eq=False)
class Coverage:
    """Coverage of intervals for C collections and V values, shape (C, V) each."""

    held: np.ndarray
    width: np.ndarray
    used: np.ndarray  # shape (C,): the share of draws with enough labels and a document of each run

    def of(self, kind: str) -> tuple[float, float, float]:
        """Return the mean coverage, that of the worst run of a collection, and the mean width."""
        mine = np.array([kind == name for name in VALUES])
        held = self.held[:, mine]
        return float(held.mean()), float(held.min()), float(self.width[:, mine].mean())


def simulate(
    case: Case,
    *,
    planned: bool,
    topics: TopicsAre = "fixed",
    guess: Guess = "calibrated",
    collections: Sequence[int] = range(20),
    draws: int = 500,
    intervals: Intervals = estimator_intervals,
) -> Coverage:
    """Return the coverage over samples of simulated collections.

    A collection of sampled topics has 40 times as many topics, one of two stages 4 times as many;
    topics are sampled first, then their documents.
    """
    many = {"fixed": 1, "sampled": 40, "drawn": 4}[topics] * case.topics
    held, width, used = [], [], []
    for seed in collections:
        world = make_collection(case, seed, topics=many)
        random = np.random.default_rng(10_000 + seed)
        truth = (world.weights * world.gain).sum(axis=2).mean(axis=1)
        ends = np.array(
            list(_intervals(case, world, random, planned, topics, guess, draws, intervals))
        )
        held.append(((ends[:, 0] <= truth + 1e-9) & (truth <= ends[:, 1] + 1e-9)).mean(axis=0))
        width.append((ends[:, 1] - ends[:, 0]).mean(axis=0))
        used.append(len(ends) / draws)
    return Coverage(np.array(held), np.array(width), np.array(used))


def _intervals(
    case: Case,
    world: Collection,
    random: np.random.Generator,
    planned: bool,
    topics: TopicsAre,
    guess: Guess,
    draws: int,
    intervals: Intervals,
) -> Iterator[tuple[np.ndarray, np.ndarray]]:
    many = len(world.gain)
    reach = float(
        scipy.stats.norm.ppf(0.975)
        if topics == "fixed"
        else scipy.stats.t.ppf(0.975, case.topics - 1)
    )
    for draw in range(draws):
        here = world
        if topics != "fixed":
            here = world.of(random.choice(many, case.topics, replace=False))
        labels, weights = sample(case, here, random, planned=planned)
        if labels.labels >= MIN_LABELS and not lacks_sample(labels, weights).any():
            yield intervals(
                linear_estimates(
                    labels,
                    weights,
                    topics=topics,
                    out_of=many if topics == "drawn" else None,
                    guess=guess,
                    seed=draw,
                ),
                reach,
            )


def sample(
    case: Case, world: Collection, random: np.random.Generator, *, planned: bool
) -> tuple[SampledLabels, np.ndarray]:
    """Return one sample of a collection, and the weights of its values."""
    topics, documents = world.gain.shape
    count = topics * documents
    probability = sampling_probabilities(
        world.planned.ravel() if planned else np.ones(count), case.labels
    )
    sampled = random.random(count) < probability
    labels = SampledLabels(
        np.repeat(np.arange(topics), documents),
        world.value.ravel().astype(np.int64),
        world.value.ravel(),
        sampled,
        np.where(sampled, world.gain.ravel(), 0.0),
        probability,
        topics,
        float(case.highest),
    )
    return labels, world.weights.reshape(len(VALUES), count)
