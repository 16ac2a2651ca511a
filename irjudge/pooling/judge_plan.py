"""Judging plans: random samples of documents to judge, which correct estimates from a model.

The inclusion probabilities of documents depend on the model's grades and are stored in the pool.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from irjudge.errors import IrjudgeError
from irjudge.model import Floats, Longs, Pair, Pool, Run, Ties
from irjudge.pooling.candidates import Candidates, collect_candidates
from irjudge.progress import SILENT, Progress
from irjudge.stats import DEFAULT_SEED, TopicRandom

PLAN_STRATEGY = "plan"  # name of the strategy in pools
PLAN_DEPTH = 10  # default number of top ranks that the estimated measures use
# minimum weight of a document relative to the mean, so that no inclusion probability is near 0
MIN_RELATIVE_WEIGHT = 0.25


@dataclass(frozen=True, slots=True)
class JudgePlanOptions:
    """Options for building the pool of a judging plan: model, size, depth, seed and ties.

    A judging plan is a random sample of pairs of topic and document that assessors judge, so that
    runs can be evaluated with a model's grades. Its inclusion probabilities depend on these grades.
    The size is the expected number of pairs over all topics.
    """

    model: str  # name of the model or, without a project, path of the file of its labels
    size: int  # expected number of pairs to judge, over all topics
    depth: int = PLAN_DEPTH  # number of top documents of each run that can be sampled
    # seed of the random sample; a larger plan with the same seed includes the smaller plan
    seed: int = DEFAULT_SEED
    ties: Ties = "docno"  # order of equal scores within a run


def plan_pool(
    runs: Sequence[Run],
    plan: JudgePlanOptions,
    grades: Mapping[Pair, int],
    highest_grade: int,
    *,
    progress: Progress = SILENT,
) -> Pool:
    """Return a pool that is sampled according to a model's grades.

    Parameters
    ----------
    runs
        Runs whose values are to be estimated.
    grades
        Grades of the model. A pair without a grade is sampled like one with a middle grade.

    Returns
    -------
    Pool
        Pairs are sampled independently, with the stored inclusion probabilities, which are
        proportional to weights. The weight of a pair is the root mean square of its DCG weights
        over runs, multiplied by the expected standard deviation of human grades given the model's
        grade; a weight below a quarter of the mean is raised to a quarter of the mean. The stratum
        is the model's grade plus one, or 0 if there is none. The pairs of a topic are sorted so
        that the pairs of smaller plans come first.

    References
    ----------
    Zrnic and Candès (2024), Active statistical inference, ICML.
    Merlo et al. (2026): strata by the model's grade.
    """
    candidates = collect_candidates(list(runs), plan.depth, ties=plan.ties, progress=progress)
    if plan.size < 1 or not len(candidates):
        raise IrjudgeError(
            "A judging plan needs runs with documents and a size of at least 1; the size is "
            "{size}.",
            size=plan.size,
        )
    codes = model_grade_of_pairs(candidates, grades)
    weight = pair_weights(candidates, plan.depth) * expected_grade_deviation(codes, highest_grade)
    probability = sampling_probabilities(weight, plan.size)
    random_numbers = np.concatenate(
        [
            TopicRandom(plan.seed, topic).draw_numbers(size)
            for topic, size in zip(candidates.topics, np.diff(candidates.starts), strict=True)
        ]
    )
    is_sampled = random_numbers < probability
    order = np.lexsort((random_numbers / _raise_low_weights(weight), candidates.topic))
    return candidates.make_pool(
        order[is_sampled[order]],
        np.flatnonzero(~is_sampled),
        codes.astype(np.int32),
        probability,
        PLAN_STRATEGY,
        {
            "model": plan.model,
            "size": plan.size,
            "depth": plan.depth,
            "ties": plan.ties,
            "seed": plan.seed,
        },
    )


def model_grade_of_pairs(candidates: Candidates, grades: Mapping[Pair, int]) -> Longs:
    """Return, for each pair, the model's grade plus one, or 0 if there is none; shape (P,)."""
    names = zip(
        [candidates.topics[code] for code in candidates.topic.tolist()],
        candidates.document.to_pylist(),
        strict=True,
    )
    return np.array([grades.get(pair, -1) + 1 for pair in names], dtype=np.int64)


def pair_weights(candidates: Candidates, depth: int) -> Floats:
    """Return, for each pair, the root mean square of its DCG weights over runs, shape (P,).

    The DCG weight is 1 / log2(rank + 1) for ranks 1 to `depth`, and 0 for all others.
    """
    squared_discounts = np.where(
        candidates.entry_rank <= depth, 1 / np.log2(candidates.entry_rank + 1.0) ** 2, 0.0
    )
    return np.sqrt(candidates.sum_by_pair(squared_discounts) / max(1, len(candidates.runs)))


def expected_grade_deviation(codes: Longs, highest_grade: int) -> Floats:
    """Return the standard deviation expected for human grades, divided by the scale's width.

    The result has one value for each of `codes`. The code of a pair is the model's grade plus one,
    or 0 if there is none.

    >>> expected_grade_deviation(np.array([0, 1, 2, 3]), 2).round(3).tolist()
    [0.5, 0.373, 0.5, 0.373]
    """
    expected_share = np.where(codes > 0, (codes - 0.5) / (highest_grade + 1), 0.5)
    deviations: Floats = np.sqrt(expected_share * (1 - expected_share))
    return deviations


def sampling_probabilities(weight: Floats, size: int) -> Floats:
    """Return inclusion probabilities that are proportional to weights and have the sum `size`.

    They are at most 1, and all are 1 if there are no more than `size` weights. Weights below
    `MIN_RELATIVE_WEIGHT` times their mean are replaced by this minimum.

    >>> sampling_probabilities(np.array([1.0, 1.0, 8.0]), 2).round(3).tolist()
    [0.5, 0.5, 1.0]
    """
    floored_weight = _raise_low_weights(weight)
    if size >= len(floored_weight):
        return np.ones(len(floored_weight))
    is_certain = np.zeros(len(floored_weight), dtype=bool)
    while True:  # repeated, since setting some probabilities to 1 increases the others
        factor = (size - is_certain.sum()) / floored_weight[~is_certain].sum()
        becomes_certain = ~is_certain & (floored_weight * factor >= 1)
        if not becomes_certain.any():
            return np.where(is_certain, 1.0, floored_weight * factor)
        is_certain |= becomes_certain


def _raise_low_weights(weight: Floats) -> Floats:
    """Return the weights, of which none is below `MIN_RELATIVE_WEIGHT` times their mean."""
    raised_weight: Floats = np.maximum(weight, MIN_RELATIVE_WEIGHT * weight.mean())
    return raised_weight
