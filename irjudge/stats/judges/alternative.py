"""Whether a model may stand for one of several people: the alternative annotator test."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
import scipy

from irjudge.model.labels import Labels
from irjudge.stats.rankings import Floats

Pair = tuple[str, str]
EPSILON = 0.2  # by which a person may be better and the model still does: people cost more
LEVEL = 0.05
LEAST = 30  # items of a person, below which nothing is tested
HALF = 0.5  # of the people, whom the model has to win against


@dataclass(frozen=True, slots=True)
class AlternativeOfOne:
    """The model in the place of one person."""

    person: str
    items: int  # that both graded, and another person too
    # the share of them on which the model is at least as near to the others as the person is, and the other way round
    model_wins: float
    person_wins: float
    p: float  # one-sided, corrected; of the model not being worse by epsilon


@dataclass(frozen=True, slots=True)
class Alternative:
    """What the test says of a model."""

    people: tuple[AlternativeOfOne, ...]  # those with enough items
    epsilon: float

    @property
    def winning_rate(self) -> float:
        """The share of people whom the model may stand for; nan where nobody has enough items."""
        return (
            float(np.mean([each.p < LEVEL for each in self.people]))
            if self.people
            else float("nan")
        )

    @property
    def passes(self) -> bool:
        """Whether the model may stand for one of them."""
        return bool(self.winning_rate >= HALF)


def alternative_test(
    labels: Labels, model: Mapping[Pair, int], epsilon: float = EPSILON
) -> Alternative:
    """Test whether a model may stand for one of several people.

    Parameters
    ----------
    labels
        Of people, on whole grades; items that one alone graded say nothing.
    model
        The model's grades of the same pairs of topic and document.
    epsilon
        How much rarer the model may win than the person, between 0 and 1.

    Returns
    -------
    Alternative
        For each person with 30 items or more: on how many the model is at least as near to the others' grades (root mean square) as
        the person, and a paired t-test with the correction of Benjamini and Yekutieli.

    References
    ----------
    Calderon, Reichart and Dror (2025), The alternative annotator test for LLM-as-a-judge, ACL.
    """
    grades = _grades(labels)
    found = [
        each
        for each in (
            _against(worker, grades, labels, model, epsilon)
            for worker in range(len(labels.workers))
        )
        if each
    ]
    adjusted = _yekutieli([each.p for each in found])
    return Alternative(
        tuple(
            AlternativeOfOne(each.person, each.items, each.model_wins, each.person_wins, p)
            for each, p in zip(found, adjusted, strict=True)
        ),
        epsilon,
    )


def _grades(labels: Labels) -> Floats:
    """Return each worker's grade of each item, shape (I, W); nan where there is none."""
    latest = labels.latest()
    values = (
        labels.values
        if labels.values is not None
        else np.arange(len(labels.scale), dtype=np.float64)
    )
    grades = np.full((len(labels.items), len(labels.workers)), np.nan)
    kept = latest.label >= 0
    grades[latest.item[kept], latest.worker[kept]] = values[latest.label[kept]]
    return grades


def _against(
    worker: int, grades: Floats, labels: Labels, model: Mapping[Pair, int], epsilon: float
) -> AlternativeOfOne | None:
    others = np.delete(grades, worker, axis=1)
    own = grades[:, worker]
    given = np.array([model.get(pair, np.nan) for pair in labels.pairs or ()], dtype=np.float64)
    both = np.isfinite(own) & np.isfinite(given) & np.isfinite(others).any(axis=1)
    if both.sum() < LEAST:
        return None
    far_model, far_person = (_distance(each[both], others[both]) for each in (given, own))
    model_wins, person_wins = (
        (far_model <= far_person).astype(np.float64),
        (far_person <= far_model).astype(np.float64),
    )
    p = _less(person_wins - model_wins, epsilon)
    return AlternativeOfOne(
        labels.workers[worker],
        int(both.sum()),
        float(model_wins.mean()),
        float(person_wins.mean()),
        p,
    )


def _distance(grade: Floats, others: Floats) -> Floats:
    """Return how far grades are from those of the others, root mean square, shape (N,)."""
    distance: Floats = np.sqrt(np.nanmean((others - grade[:, None]) ** 2, axis=1))
    return distance


def _less(difference: Floats, epsilon: float) -> float:
    """Return the p-value of the mean difference being epsilon or more, one-sided."""
    if np.ptp(difference) == 0:
        return 0.0 if difference[0] < epsilon else 1.0
    return float(scipy.stats.ttest_1samp(difference, epsilon, alternative="less").pvalue)


def _yekutieli(p: Sequence[float]) -> list[float]:
    """Return p-values adjusted for any dependence, as people who graded the same items have it."""
    return (
        [float(value) for value in scipy.stats.false_discovery_control(p, method="by")]
        if len(p)
        else []
    )
