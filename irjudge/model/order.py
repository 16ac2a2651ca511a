"""The order of a ranking: one rule for every measure and every pool, chosen by name."""

from typing import Literal, get_args

import numpy as np
import pyarrow as pa
import pyarrow.compute

from irjudge.errors import MeasureError
from irjudge.model.ranking import Longs, Run

Ties = Literal["trec", "docno", "rank", "file"]
TIES: tuple[Ties, ...] = get_args(Ties)
MEANING: dict[Ties, str] = {
    "trec": "score descending, then document id descending",
    "docno": "score descending, then document id ascending",
    "rank": "the rank column",
    "file": "the order of lines",
}


def ranking_order(run: Run, ties: Ties = "trec") -> Longs | None:
    """Return the places of the run's rows in ranking order, topic after topic.

    Parameters
    ----------
    run
        N rows grouped by topic.
    ties
        `trec`: score descending, then document id descending by UTF-8 bytes; `docno`: then id ascending;
        `rank`: the rank column, then the order of lines; `file`: the order of lines.

    Returns
    -------
    Longs or None
        Shape (N,); None when the rows stand in order already, so that nothing is copied.

    Raises
    ------
    MeasureError
        When the rank column is asked for and some row lacks its rank.
    """
    if ties == "file":
        return None
    if ties == "rank":
        return _by_rank(run)
    new_topic = _new_topics(run)
    falls = run.score[1:] < run.score[:-1]
    if bool(np.all(falls | new_topic[1:])):
        return None
    order = np.arange(len(run))
    touched = np.unique(run.topic[1:][~(falls | new_topic[1:])])
    inside = np.isin(run.topic, touched)
    rows = order[inside]
    by_score = rows[np.lexsort((-run.score[rows], run.topic[rows]))]
    order[inside] = by_score
    return _break_ties(run, order, descending=ties == "trec")


def tied_documents(run: Run) -> int:
    """Return how many documents share their score with another of the same topic."""
    order = ranking_order(run, "docno")
    score = run.score if order is None else run.score[order]
    same = (score[1:] == score[:-1]) & ~_new_topics(run)[1:]
    return int(np.count_nonzero(np.concatenate((same, [False])) | np.concatenate(([False], same)))) if len(run) else 0


def _new_topics(run: Run) -> np.ndarray:
    begins = np.zeros(len(run) + 1, dtype=bool)
    begins[run.starts[:-1]] = True
    return begins[:-1]


def _by_rank(run: Run) -> Longs | None:
    if np.any(run.rank < 0):
        raise MeasureError(f"Run {run.name} has rows without a rank; choose another order of ties than rank.")
    if bool(np.all((run.rank[1:] >= run.rank[:-1]) | _new_topics(run)[1:])):
        return None
    return np.lexsort((run.rank, run.topic))


def _break_ties(run: Run, order: Longs, *, descending: bool) -> Longs:
    """Put rows of equal topic and score in the order of their ids; only those rows are looked at."""
    score, topic = run.score[order], run.topic[order]
    same = (score[1:] == score[:-1]) & (topic[1:] == topic[:-1])
    tied = np.concatenate((same, [False])) | np.concatenate(([False], same))
    if not tied.any():
        return order
    places = np.flatnonzero(tied)
    group = np.cumsum(np.concatenate(([True], ~same)))[places]
    ids = run.document.take(pa.array(order[places]))
    table = pa.table({"group": group, "id": ids})
    direction = "descending" if descending else "ascending"
    sorted_places = pa.compute.sort_indices(table, sort_keys=[("group", "ascending"), ("id", direction)]).to_numpy()
    result = order.copy()
    result[places] = order[places][sorted_places]
    return result
