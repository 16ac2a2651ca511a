"""Judge plan: a sample of documents to judge, which corrects a model's labels.

The inclusion probabilities of the documents are known.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from irjudge.errors import IrjudgeError
from irjudge.model import Floats, Longs, Pool, Run, Ties
from irjudge.pooling.candidates import Candidates, collect_candidates
from irjudge.progress import SILENT, Progress
from irjudge.stats import DEFAULT_SEED, TopicRandom

PLAN_STRATEGY = "plan"  # name of the strategy
PLAN_DEPTH = 10  # default depth: number of ranks that the estimated measures use
# minimum weight relative to the mean, so that no inclusion probability is near 0
MIN_RELATIVE_WEIGHT = 0.25
Pair = tuple[str, str]


@dataclass(frozen=True, slots=True)
class JudgePlanOptions:
    """Options of a judge plan: model, size, depth, seed and order of ties."""

    model: str  # name of the model
    size: int  # expected number of pairs to judge
    depth: int = PLAN_DEPTH  # pool only the top `depth` of each run
    # the same seed gives the same plan; a larger plan of the same seed includes the smaller one
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
        Grades of the model; a pair without one is sampled like a middle grade.

    Returns
    -------
    Pool
        Pairs are sampled independently with the stored probabilities: proportional to the root
        mean square of their DCG weights over runs, and to the expected spread of human grades
        given the model's grade; at least a quarter of the mean. The stratum is the model's grade
        plus one; 0 if there is none. Within a topic, the pairs of smaller plans come first.

    References
    ----------
    Zrnic and Candès (2024), Active statistical inference, ICML; Merlo et al. (2026) for strata by the model's grade.
    """
    candidates = collect_candidates(list(runs), plan.depth, ties=plan.ties, progress=progress)
    if plan.size < 1 or not len(candidates):
        raise IrjudgeError(
            "A judging plan needs runs with documents and a size of at least 1, got {size}.",
            size=plan.size,
        )
    codes = model_grade_of_pairs(candidates, grades)
    weight = pair_weights(candidates, plan.depth) * expected_grade_deviation(codes, highest_grade)
    probability = sampling_probabilities(weight, plan.size)
    numbers = np.concatenate(
        [
            TopicRandom(plan.seed, topic).numbers(size)
            for topic, size in zip(candidates.topics, np.diff(candidates.starts), strict=True)
        ]
    )
    is_sampled = numbers < probability
    order = np.lexsort((numbers / weight, candidates.topic))
    parameters: dict[str, int | float | str] = {
        "model": plan.model,
        "size": plan.size,
        "depth": plan.depth,
        "ties": plan.ties,
        "seed": plan.seed,
    }
    return candidates.pool(
        order[is_sampled[order]],
        np.flatnonzero(~is_sampled),
        codes.astype(np.int32),
        probability,
        PLAN_STRATEGY,
        parameters,
    )


def model_grade_of_pairs(candidates: Candidates, grades: Mapping[Pair, int]) -> Longs:
    """Return the model's grade of each pair plus one, shape (P,); 0 if there is no grade."""
    names = zip(
        [candidates.topics[code] for code in candidates.topic.tolist()],
        candidates.document.to_pylist(),
        strict=True,
    )
    return np.array([grades.get(pair, -1) + 1 for pair in names], dtype=np.int64)


def pair_weights(candidates: Candidates, depth: int) -> Floats:
    """Return the root mean square, over runs, of each pair's DCG weight, shape (P,)."""
    is_within_depth = candidates.entry_rank <= depth
    squared_discounts = np.where(
        is_within_depth, 1 / np.log2(candidates.entry_rank + 1.0) ** 2, 0.0
    )
    total: Floats = np.sqrt(candidates.total(squared_discounts) / max(1, len(candidates.runs)))
    return total


def expected_grade_deviation(codes: Longs, highest_grade: int) -> Floats:
    """Return the expected deviation of human grades, relative to the scale, for each code.

    A code is the model's grade plus one, or 0 if there is none.

    >>> expected_grade_deviation(np.array([0, 1, 2, 3]), 2).round(3).tolist()
    [0.5, 0.373, 0.5, 0.373]
    """
    expected_share = np.where(codes > 0, (codes - 0.5) / (highest_grade + 1), 0.5)
    deviations: Floats = np.sqrt(expected_share * (1 - expected_share))
    return deviations


def sampling_probabilities(weight: Floats, size: int) -> Floats:
    """Return inclusion probabilities that sum to `size` and are proportional to weights.

    Weights below `MIN_RELATIVE_WEIGHT` times their mean are raised to that minimum.

    >>> sampling_probabilities(np.array([1.0, 1.0, 8.0]), 2).round(3).tolist()
    [0.5, 0.5, 1.0]
    """
    floored_weight = np.maximum(weight, MIN_RELATIVE_WEIGHT * weight.mean())
    if size >= len(floored_weight):
        return np.ones(len(floored_weight))
    is_certain = np.zeros(len(floored_weight), dtype=bool)
    while True:  # repeated, since limiting some probabilities to 1 increases the others
        factor = (size - is_certain.sum()) / floored_weight[~is_certain].sum()
        becomes_certain = ~is_certain & (floored_weight * factor >= 1)
        if not becomes_certain.any():
            return np.where(is_certain, 1.0, floored_weight * factor)
        is_certain |= becomes_certain
