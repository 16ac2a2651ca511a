"""Whether preferences and measures point the same way, and how well a run puts preferred documents first."""

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from irjudge.errors import MeasureError
from irjudge.evaluation.table import Evaluation, RunScores
from irjudge.metrics.basis.judged import Hits, JudgedRun, Scores
from irjudge.model.preference import Preferences
from irjudge.model.ranking import Floats, Longs, Qrels, make_qrels
from irjudge.stats.preferences import oriented

DEPTH = 1000
SAME = 1e-12  # values of a measure that are closer are equal but for rounding


@dataclass(frozen=True, slots=True)
class MeasureAgreement:
    """How a measure and the preferences decide between two runs, topic by topic."""

    # names
    measure: str
    first: str
    second: str
    # topics on which both decide, for the same run or for the other
    same: int
    opposite: int
    measure_tied: int  # topics that the preferences decide and the measure does not
    undecided: int  # topics that the preferences leave open: as many for the one as for the other


def measure_agreement(
    preferences: Preferences, evaluation: Evaluation
) -> Iterator[MeasureAgreement]:
    """Yield for each two runs that were compared, and each measure, on how many topics both prefer the same run.

    A topic goes to the run that most of its answers prefer. Runs, by their names, and topics that only one side has are left out.
    """
    majority = _majorities(preferences)
    scores = {run.run: run for run in evaluation.runs}
    for (first, second), topics in majority.items():
        if first not in scores or second not in scores:
            continue
        one, two = (values_by_topic(scores[name]) for name in (first, second))
        held = [
            (sign, one[topic], two[topic])
            for topic, sign in topics.items()
            if topic in one and topic in two
        ]
        for row, measure in enumerate(evaluation.measures):
            products = [sign * _sign(float(a[row] - b[row])) for sign, a, b in held if sign]
            yield MeasureAgreement(
                measure.name,
                first,
                second,
                products.count(1),
                products.count(-1),
                products.count(0),
                len(held) - len(products),
            )


def _majorities(preferences: Preferences) -> dict[tuple[str, str], dict[str, int]]:
    """Return for each pair of systems and each topic whom most answers prefer: 1 the first, -1 the second, 0 neither."""
    one, two, sign = oriented(preferences)
    cells, at = np.unique(np.stack((one, two, preferences.topic)), axis=1, return_inverse=True)
    total = np.sign(np.bincount(at.reshape(-1), sign, cells.shape[1])).astype(int).tolist()
    found: dict[tuple[str, str], dict[str, int]] = {}
    for (first, second, topic), value in zip(cells.T.tolist(), total, strict=True):
        if topic >= 0:
            found.setdefault((preferences.items[first], preferences.items[second]), {})[
                preferences.topics[topic]
            ] = value
    return found


def values_by_topic(run: RunScores | None) -> dict[str, Floats]:
    """Return the values of a run's measures, shape (M,), by topic; none without a run."""
    return dict(zip(run.topics, run.values.T, strict=True)) if run else {}


def _sign(difference: float) -> int:
    return 0 if abs(difference) <= SAME else int(np.sign(difference))


def preference_qrels(preferences: Preferences) -> Qrels:
    """Return the compared documents with two points for each answer won and one for each tie as their grade.

    The grades say which document is better, not by how much: use them with what needs the order only, as compatibility does.

    References
    ----------
    Clarke, Vtyurina and Smucker (2021), Assessing top-k preferences, ACM TOIS 39(3): wins as gains.

    Examples
    --------
    >>> from irjudge.model.preference import make_preferences
    >>> found = make_preferences(["d1", "d1"], ["d2", "d3"], [1, 0], topic=["7", "7"], documents=True)
    >>> list(preference_qrels(found).rows())
    [('7', 'd1', 3), ('7', 'd2', 0), ('7', 'd3', 1)]
    """
    rows: list[tuple[str, str, int]] = []
    for topic, part in preferences.groups():
        points = np.bincount(part.left, part.winner + 1, len(part.items)) + np.bincount(
            part.right, 1 - part.winner, len(part.items)
        )
        rows += [
            (topic, document, int(value))
            for document, value in zip(part.items, points.tolist(), strict=True)
        ]
    return make_qrels(rows)


def compatibility(judged: JudgedRun, *, p: float = 0.95, depth: int = DEPTH) -> Scores:
    """Return how near a ranking is to the ideal one that is nearest to it, by rank-biased overlap.

    Parameters
    ----------
    judged
        T topics. The ideal ranking holds the documents graded above 0, best first; those of one grade stand as the run has them, and
        those it lacks last.
    p
        Persistence, between 0 and 1; .95 looks about as deep as nDCG@20.
    depth
        How many ranks are looked at.

    Returns
    -------
    Scores
        Shape (T,), between 0 and 1: the overlap with the ideal ranking over that of the ideal with itself; 0 where no document is
        graded above 0. A perfect ranking has 1.

    Raises
    ------
    MeasureError
        When p is not between 0 and 1 or depth is below 1.

    Notes
    -----
    Unjudged documents only take up ranks.

    References
    ----------
    Clarke, Vtyurina and Smucker (2020), Offline evaluation without gain, ICTIR.

    Examples
    --------
    >>> run = JudgedRun.single(ranked=[2, 2, 3, 0, None, None, None, 1], judged=[3, 2, 2, 2, 1, 0])
    >>> compatibility(run, p=0.9).round(6)
    array([0.613984])
    """
    if not 0 < p < 1 or depth < 1:
        raise MeasureError(
            "Compatibility: p must be more than 0 and less than 1 and depth 1 or more, got {p:g} and {depth}.",
            p=p,
            depth=depth,
        )
    below = np.append(
        np.cumsum((p ** np.arange(depth) / np.arange(1, depth + 1))[::-1])[::-1], 0.0
    )  # Σ of p^(i-1)/i from each depth on
    hits = judged.judged_hits(None)
    hits = hits.where((hits.grade > 0) & (hits.rank <= depth))
    meets = np.maximum(
        hits.rank, _ideal_rank(judged, hits)
    )  # from this depth on both rankings hold the document
    overlap = np.bincount(hits.topic, below[np.minimum(meets, depth + 1) - 1], len(judged))
    ideal = np.concatenate(([0.0], np.cumsum(below[:-1])))[np.minimum(judged.n_relevant(1), depth)]
    values: Scores = np.divide(overlap, ideal, out=np.zeros(len(judged)), where=ideal > 0)
    return values


def _ideal_rank(judged: JudgedRun, hits: Hits) -> Longs:
    """Return the place of each hit in its topic's ideal ranking, from 1, shape (H,)."""
    topic = np.repeat(np.arange(len(judged)), np.diff(judged.judged_starts))
    step = int(judged.judged_grades.max(initial=0)) + 1
    falling = topic * step - judged.judged_grades  # ascending, since grades descend within a topic
    key = hits.topic.astype(np.int64) * step - hits.grade
    better = np.searchsorted(falling, key) - judged.judged_starts[hits.topic]
    order = np.lexsort((hits.rank, key))
    first = np.searchsorted(key[order], key[order])
    among = np.empty(len(key), dtype=np.int64)
    among[order] = np.arange(len(key)) - first
    ranks: Longs = better + among + 1
    return ranks
