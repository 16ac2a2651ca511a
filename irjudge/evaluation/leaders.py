"""Who leads: the best run by each measure, those the topics do not tell apart from it, and the places of all."""

from collections.abc import Iterator
from dataclasses import dataclass, replace

import numpy as np
import numpy.typing as npt

from irjudge.errors import IrjudgeError
from irjudge.evaluation.comparison import adjusted_p, pairs_by_topics
from irjudge.evaluation.table import Evaluation, RunScores
from irjudge.metrics.naming.direction import best_first, to_goodness
from irjudge.progress import SILENT, Progress
from irjudge.stats.significance.tests import all_pairs

ALPHA = 0.05
TEST, CORRECTION = "t", "holm"


def leaders(
    evaluation: Evaluation,
    *,
    test: str = TEST,
    correction: str = CORRECTION,
    alpha: float = ALPHA,
    progress: Progress = SILENT,
) -> tuple[frozenset[str], ...]:
    """Return for each measure the runs that do not differ significantly from the one with the best mean, without that one.

    Each run is compared with the best one, over the topics that both have, and is significantly worse where it is worse there and
    its adjusted p is less than alpha. The adjustment is for these comparisons alone, so that more differences are found than by
    `standings`. Empty for counts, for measures that say nothing of quality, for averages other than the mean, with fewer than two
    runs, where two runs share no topic, and where runs have different topics that the user did not choose, see `Evaluation.is_rankable`.
    """
    found = []
    for place in range(len(evaluation.measures)):
        found.append(
            _leading(evaluation, place, test, correction, alpha)
            if _has_order(evaluation, place)
            else frozenset[str]()
        )
        progress.step(place + 1, len(evaluation.measures), evaluation.measures[place].name)
    return tuple(found)


def _has_order(evaluation: Evaluation, place: int) -> bool:
    measure = evaluation.measures[place]
    declaration = measure.declaration
    plain = (
        declaration.summary == "mean"
        and declaration.mean == "arithmetic"
        and evaluation.policy.average == "macro"
    )
    ranked = measure.direction != 0 and len(evaluation.runs) > 1 and evaluation.is_rankable
    return plain and ranked


def runs_best_first(evaluation: Evaluation, place: int = 0) -> list[RunScores]:
    """Return the runs by the measure at a place of the evaluation, best first; equal ones keep their order.

    Runs with different topics that the user did not choose stay in the order given, see `Evaluation.is_rankable`.
    """
    if not evaluation.is_rankable:
        return list(evaluation.runs)
    values = [run.summary[place] for run in evaluation.runs]
    return [evaluation.runs[at] for at in best_first(evaluation.measures[place], values)]


def _leading(
    evaluation: Evaluation, place: int, test: str, correction: str, alpha: float
) -> frozenset[str]:
    best = runs_best_first(evaluation, place)[0]
    runs = (
        best,
        *(
            run
            for run in evaluation.runs
            if run is not best and not set(run.topics).isdisjoint(best.topics)
        ),
    )
    if len(runs) < 2 or not best.topics:
        return frozenset()
    compared = replace(evaluation, runs=runs)
    found = adjusted_p(compared, place, test=test, correction=correction, baseline=best.run)
    worse = (found < alpha) & (_goodness_of_pairs(compared, place, baseline=0) < 0)
    return frozenset(run.run for run, is_worse in zip(runs[1:], worse, strict=True) if not is_worse)


def _goodness_of_pairs(
    evaluation: Evaluation, place: int, baseline: int | None = None
) -> npt.NDArray[np.float64]:
    """Return for each pair by how much the first run is better than the second, over the topics that both have."""
    runs, pairs = evaluation.runs, all_pairs(len(evaluation.runs), baseline)
    if evaluation.has_same_topics:
        good = to_goodness(evaluation.measures[place], [run.summary[place] for run in runs])
        differences: npt.NDArray[np.float64] = good[pairs[:, 0]] - good[pairs[:, 1]]
        return differences
    found = np.zeros(len(pairs))
    for group in pairs_by_topics(runs, pairs):
        means = group.scores(runs, place).mean(axis=1)
        one, two = group.local(pairs).T
        found[list(group.at)] = means[one] - means[two]
    return to_goodness(evaluation.measures[place], found)


@dataclass(frozen=True, slots=True)
class LeaderPlace:
    """Where a run stands among all by one measure."""

    run: str  # its name
    first: int  # the places of its group: the best of it, and those after that which the topics do not tell apart from that best
    last: int
    highest: int  # the places that are left to it: after those that are surely better
    lowest: int  # and before those that are surely worse

    @property
    def group(self) -> str:
        """The places of the group in writing."""
        return places_words(self.first, self.last)

    @property
    def interval(self) -> str:
        """The places that are left to the run in writing."""
        return places_words(self.highest, self.lowest)


def places_words(first: int, last: int) -> str:
    """Return places in writing.

    >>> places_words(1, 3), places_words(4, 4)
    ('1–3', '4')
    """
    return f"{first}" if first == last else f"{first}–{last}"


def standings(
    evaluation: Evaluation,
    place: int = 0,
    *,
    test: str = TEST,
    correction: str = CORRECTION,
    alpha: float = ALPHA,
) -> tuple[LeaderPlace, ...]:
    """Return where each run stands by the measure at a place of the evaluation, best first.

    Every two runs are compared over the topics that both have, and told apart where their adjusted p is less than alpha and the run of
    the better average is better on these topics too. A group begins
    with the best run that is in none yet, and ends before the first that is told apart from that one. Empty for counts, for measures that
    say nothing of quality, for averages other than the mean, with fewer than two runs, and where two runs share no topic.
    """
    if not evaluation.measures or not _has_order(evaluation, place):
        return ()
    runs = runs_best_first(evaluation, place)
    ranked = replace(evaluation, runs=tuple(runs))
    try:
        found = adjusted_p(ranked, place, test=test, correction=correction)
    except IrjudgeError:  # two runs share no topic
        return ()
    apart = np.zeros((len(runs), len(runs)), dtype=bool)
    one, two = all_pairs(len(runs)).T
    apart[one, two] = apart[two, one] = (found < alpha) & (_goodness_of_pairs(ranked, place) > 0)
    better = np.tril(apart).sum(axis=1)
    worse = np.triu(apart).sum(axis=1)
    groups = list(_grouped(apart))
    return tuple(
        LeaderPlace(run.run, first + 1, last + 1, int(above) + 1, len(runs) - int(below))
        for run, (first, last), above, below in zip(runs, groups, better, worse, strict=True)
    )


def _grouped(apart: npt.NDArray[np.bool_]) -> Iterator[tuple[int, int]]:
    """Yield for each run, best first, the first and the last of its group."""
    first = 0
    while first < len(apart):
        told = np.flatnonzero(apart[first, first:])
        end = first + int(told[0]) if len(told) else len(apart)
        yield from [(first, end - 1)] * (end - first)
        first = end
