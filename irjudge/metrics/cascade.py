"""Expected reciprocal rank: a user who goes down the list and stops where a document satisfies."""

from typing import Annotated, TypeAlias

import numpy as np
import numpy.typing as npt

from irjudge.errors import MeasureError
from irjudge.metrics.judged import Floats, Hits, JudgedRun, Scores, divide
from irjudge.metrics.parameters import MaybeCutoff, Range
from irjudge.metrics.registry import measure
from irjudge.metrics.running import before, running

MaybeHighest: TypeAlias = Annotated[int | None, Range(1)]


def highest_grade(judged: JudgedRun, highest: int | None = None) -> int:
    """Return the highest grade of the scale: as given, else as the run knows it, else the highest that was judged.

    Raises
    ------
    MeasureError
        When a judged grade is higher than the one given.
    """
    judged_highest = int(judged.judged_grades.max(initial=0))
    if highest is None:
        return max(judged.highest or 0, judged_highest)
    if highest < judged_highest:
        raise MeasureError(f"highest={highest} is less than the grade {judged_highest} in the qrels.")
    return highest


def _expected(judged: JudgedRun, hits: Hits, highest: int) -> Scores:
    """Return the expected reciprocal rank of documents of grade 1 or more that stand at these ranks."""
    stops = satisfaction(hits.grade, highest)
    arrives = before(hits.topic, running(np.multiply, hits.topic, 1 - stops, len(judged)), 1.0)
    return judged.sum_by_topic(hits.topic, arrives * stops / hits.rank)


def satisfaction(grade: npt.NDArray[np.int32], highest: int) -> Floats:
    """Return the probability that a document of this grade satisfies: (2^grade − 1) / 2^highest.

    Examples
    --------
    >>> satisfaction(np.array([0, 1, 2], dtype=np.int32), highest=2)
    array([0.  , 0.25, 0.75])
    """
    chance: Floats = np.ldexp(1.0, grade - highest) - np.ldexp(1.0, -highest)
    return chance


@measure(
    "ERR",
    title="Expected reciprocal rank",
    formula="Σ over ranks r <= k of (1/r)·R_r·Π over i < r of (1 − R_i), R = (2^grade − 1) / 2^G, G the scale's highest grade",
    kind="graded",
    aliases=("err",),
    top_heavy=True,
)
def expected_reciprocal_rank(judged: JudgedRun, *, highest: MaybeHighest = None, cutoff: MaybeCutoff = None) -> Scores:
    """Return the expected reciprocal of the rank at which the user is satisfied.

    Parameters
    ----------
    judged
        T topics.
    highest
        The highest grade of the scale, G; None takes the one that is known, or the highest grade in the qrels where none is.
    cutoff
        Ranks 1 to `cutoff` count; None counts the whole ranking.

    Returns
    -------
    Scores
        Shape (T,), less than 1; 0 where nothing retrieved satisfies.

    Raises
    ------
    MeasureError
        When a judged grade is higher than `highest`.

    Notes
    -----
    Unjudged and unjudgeable documents satisfy nobody. TREC's gdeval computes ERR(highest=4).

    References
    ----------
    Chapelle, Metzler, Zhang and Grinspan (2009), Expected reciprocal rank for graded relevance, CIKM, 621–630.

    Examples
    --------
    >>> expected_reciprocal_rank(JudgedRun.single(ranked=[0, 2, 1]), highest=2).round(4)
    array([0.3958])
    """
    return _expected(judged, judged.relevant_hits(1, cutoff), highest_grade(judged, highest))


@measure(
    "nERR",
    title="Normalised expected reciprocal rank",
    formula="ERR / ERR of the ideal order of all judged documents, both over ranks 1 to k",
    kind="graded",
    top_heavy=True,
)
def normalised_expected_reciprocal_rank(judged: JudgedRun, *, highest: MaybeHighest = None, cutoff: MaybeCutoff = None) -> Scores:
    """Return the expected reciprocal rank as a share of the highest possible one.

    Parameters
    ----------
    judged
        T topics.
    highest
        The highest grade of the scale, G; None takes the one that is known, or the highest grade in the qrels where none is.
    cutoff
        Ranks 1 to `cutoff` of both rankings count; None counts all.

    Returns
    -------
    Scores
        Shape (T,), between 0 and 1; 0 where no judged document satisfies.

    Raises
    ------
    MeasureError
        When a judged grade is higher than `highest`.

    Notes
    -----
    Unjudged and unjudgeable documents satisfy nobody.

    References
    ----------
    Chapelle, Metzler, Zhang and Grinspan (2009), Expected reciprocal rank for graded relevance, CIKM, 621–630.

    Examples
    --------
    >>> normalised_expected_reciprocal_rank(JudgedRun.single(ranked=[0, 2, 1]), highest=2).round(4)
    array([0.5067])
    """
    best = _expected(judged, judged.ideal_hits(cutoff), highest_grade(judged, highest))
    return divide(expected_reciprocal_rank(judged, highest=highest, cutoff=cutoff), best)
