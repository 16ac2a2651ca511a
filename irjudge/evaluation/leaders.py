"""Who leads: for each measure the best run, and the runs whose means the topics do not tell apart from its mean."""

from collections.abc import Iterator
from dataclasses import replace

import numpy as np

from irjudge.evaluation.comparison import compare
from irjudge.evaluation.table import Evaluation, RunScores
from irjudge.progress import SILENT, Progress
from irjudge.stats.testing import Sampling

ALPHA = 0.05
TEST, CORRECTION = "t", "holm"


def leaders(
    evaluation: Evaluation, *, test: str = TEST, correction: str = CORRECTION, alpha: float = ALPHA, progress: Progress = SILENT
) -> tuple[frozenset[str], ...]:
    """Return for each measure the runs that do not differ significantly from the one with the highest mean, without that one.

    Parameters
    ----------
    evaluation
        Of any number of runs.
    test, correction
        As for `compare`; each run is compared with the best one, over the topics that both have.
    alpha
        A run is told apart where its adjusted p is less.
    progress
        Told after each measure.

    Returns
    -------
    tuple of frozenset
        One a measure; empty for counts, for averages other than the mean, with fewer than two runs, and where two runs share no topic.
    """
    found = []
    for place in range(len(evaluation.measures)):
        found.append(_leading(evaluation, place, test, correction, alpha) if _has_mean(evaluation, place) else frozenset[str]())
        progress.step(place + 1, len(evaluation.measures), evaluation.measures[place].name)
    return tuple(found)


def _has_mean(evaluation: Evaluation, place: int) -> bool:
    declaration = evaluation.measures[place].declaration
    plain = declaration.summary == "mean" and declaration.mean == "arithmetic" and evaluation.policy.average == "macro"
    return plain and len(evaluation.runs) > 1


def _leading(evaluation: Evaluation, place: int, test: str, correction: str, alpha: float) -> frozenset[str]:
    best = evaluation.runs[int(np.argmax([run.summary[place] for run in evaluation.runs]))]
    runs = (best, *(run for run in evaluation.runs if run is not best and not set(run.topics).isdisjoint(best.topics)))
    if len(runs) < 2 or not best.topics:
        return frozenset()
    alone = replace(evaluation, measures=(evaluation.measures[place],), runs=tuple(_of(runs, place)))
    compared = compare(alone, tests=(test,), baseline=best.run, correction=correction, sampling=Sampling())
    return frozenset(pair.run_a for pair in compared.pairs if pair.p_adjusted >= alpha)


def _of(runs: tuple[RunScores, ...], place: int) -> Iterator[RunScores]:
    """Yield the runs with the values of one measure alone."""
    for run in runs:
        yield replace(run, values=run.values[place : place + 1], summary=run.summary[place : place + 1])
