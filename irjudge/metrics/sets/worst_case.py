"""What a ranking of everything can have at least."""

import numpy as np

from irjudge.errors import MeasureError
from irjudge.metrics.basis.judged import JudgedRun, Scores, divide
from irjudge.metrics.naming.parameters import Rel
from irjudge.metrics.naming.registry import measure
from irjudge.metrics.sets.confusion import Universe, non_relevant


@measure(
    "APmin",
    title="Lowest possible average precision",
    formula="(1/R) Σ over i = 1 … R of i / (i + N): all N documents that are not relevant are ranked above the R relevant ones",
)
def lowest_average_precision(judged: JudgedRun, *, rel: Rel = 1, universe: Universe) -> Scores:
    """Return the average precision of the worst ranking that has every document.

    Parameters
    ----------
    universe
        The documents ranked: `judged`, `collection`, or how many there are.

    Returns
    -------
    Scores
        Shape (T,); 0 where a topic has no relevant document, 1 where every document is relevant.

    Raises
    ------
    MeasureError
        When `universe` is `collection` and its size is not known, or it is less than the relevant documents.

    Notes
    -----
    The run does not matter, only the qrels do. Documents that the qrels do not name are not relevant;
    with universe=judged they do not count.

    References
    ----------
    Boyd, Costa, Davis and Page (2012), Unachievable region in precision-recall space and its effect on empirical evaluation, ICML.

    Examples
    --------
    >>> lowest_average_precision(JudgedRun.single(ranked=[], judged=[1, 1, 0, 0]), universe="judged").round(4)
    array([0.4167])
    """
    others = non_relevant(judged, rel, universe)
    if (others < 0).any():
        raise MeasureError(f"universe={universe} is less than the {int(judged.n_relevant(rel).max()):,} documents that are relevant.")
    relevant = judged.judged_grades >= rel
    # Grades descend within a topic, so that the relevant documents have the places 1 to R.
    topic, place = judged.judged_topic[relevant], judged.judged_place[relevant]
    return divide(judged.sum_by_topic(topic, place / (place + others[topic])), judged.n_relevant(rel).astype(np.float64))
