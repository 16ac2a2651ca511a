"""The order of a ranking: one rule for every measure and every pool, chosen by name."""

from dataclasses import replace
from typing import Literal, get_args

import numpy as np
import numpy.typing as npt
import pyarrow.compute

from irjudge.errors import MeasureError
from irjudge.message import Message
from irjudge.model.arrow import column_of, values_of
from irjudge.model.ranking import Ints, Longs, Run, topics_at

Mask = npt.NDArray[np.bool_]
Ties = Literal["trec", "docno", "rank", "file"]
TIES: tuple[Ties, ...] = get_args(Ties)
MEANING: dict[Ties, str] = {
    "trec": Message("score descending, then document id descending"),
    "docno": Message("score descending, then document id ascending"),
    "rank": Message("the rank column"),
    "file": Message("the order of lines"),
}


def ranking_order(run: Run, ties: Ties = "trec") -> Longs | None:
    """Return the places of the run's rows in ranking order, topic after topic, shape (N,); None when they stand so, and nothing is copied.

    Ties are in order by `trec`: score descending, then document id descending by UTF-8 bytes; `docno`: then id ascending; `rank`: the rank
    column, then the order of lines; `file`: the order of lines. MeasureError when the rank column is asked for and some row lacks its rank.
    """
    moved = moved_rows(run, ties)
    if moved is None:
        return None
    places, rows = moved
    order = np.arange(len(run))
    order[places] = rows
    return order


def moved_rows(
    run: Run, ties: Ties = "trec", unsettled: Longs | None = None
) -> tuple[Longs, Longs] | None:
    """Return the part of `ranking_order` in which rows may stand elsewhere, for who needs few of millions of rows.

    Places, ascending, and the row that belongs at each; None when the rows stand in order already.
    """
    if ties == "file":
        return None
    if ties == "rank":
        return _by_rank(run)
    places = unsettled_rows(run) if unsettled is None else unsettled
    if not len(places):
        return None
    return places, _break_ties(run, _by_score(run, places), descending=ties == "trec")


def ranks_of(run: Run, rows: Longs, ties: Ties = "trec", unsettled: Longs | None = None) -> Ints:
    """Return the 1-based ranks of some rows of a run, in whatever order they are; `unsettled` where `unsettled_rows` was asked already."""
    moved = moved_rows(run, ties, unsettled)
    place = rows if moved is None else _places(rows, *moved)
    return (place - run.starts[topics_at(run.starts, rows)] + 1).astype(np.int32)


def _places(rows: Longs, places: Longs, moved: Longs) -> Longs:
    """Return where rows stand in a ranking order in which `moved` stand at `places` and all others at their own."""
    new = np.empty_like(places)
    new[np.searchsorted(places, moved)] = places
    found = np.minimum(np.searchsorted(places, rows), len(places) - 1)
    return np.where(places[found] == rows, new[found], rows)


def tied_documents(run: Run, unsettled: Longs | None = None) -> int:
    """Return how many documents share their score with another of the same topic."""
    rows = _by_score(run, unsettled_rows(run) if unsettled is None else unsettled)
    return int(np.count_nonzero(_tied(run, rows)[0]))


def unsettled_rows(run: Run) -> Longs:
    """Return the rows of the topics in which some score is not less than the one before it."""
    stays = run.score[1:] >= run.score[:-1]
    stays[run.starts[1:-1][(run.starts[1:-1] > 0) & (run.starts[1:-1] < len(run))] - 1] = False
    if not stays.any():
        return np.empty(0, dtype=np.int64)
    touched = (
        np.bincount(topics_at(run.starts, np.flatnonzero(stays) + 1), minlength=len(run.topics)) > 0
    )
    return np.flatnonzero(np.repeat(touched, np.diff(run.starts)))


def _by_score(run: Run, rows: Longs) -> Longs:
    """Return rows, which are whole topics, with the scores of each topic descending."""
    score, topic = run.score[rows], topics_at(run.starts, rows)
    rises = (score[1:] > score[:-1]) & (topic[1:] == topic[:-1])
    return rows[np.lexsort((-score, topic))] if rises.any() else rows


def _tied(run: Run, order: Longs) -> tuple[Mask, Mask]:
    """Tell of each of the rows in `order` whether it shares topic and score with a neighbour, and whether with the one before it."""
    score, topic = run.score[order], topics_at(run.starts, order)
    same = np.concatenate(([False], (score[1:] == score[:-1]) & (topic[1:] == topic[:-1])))[
        : len(order)
    ]
    return same | np.concatenate((same[1:], [False]))[: len(order)], same


def _new_topics(run: Run) -> np.ndarray:
    begins = np.zeros(len(run) + 1, dtype=bool)
    begins[run.starts[:-1]] = True
    return begins[:-1]


def _by_rank(run: Run) -> tuple[Longs, Longs] | None:
    if np.any(run.rank < 0):
        raise MeasureError(
            "Run {run} has rows without a rank; choose another order of ties than rank.",
            key="rows-without-rank",
            run=run.name,
        )
    if bool(np.all((run.rank[1:] >= run.rank[:-1]) | _new_topics(run)[1:])):
        return None
    return np.arange(len(run)), np.lexsort((run.rank, run.topic))


def _break_ties(run: Run, order: Longs, *, descending: bool) -> Longs:
    """Put rows of equal topic and score in the order of their ids; only those rows are looked at."""
    tied, same = _tied(run, order)
    if not tied.any():
        return order
    places = np.flatnonzero(tied)
    ids = run.document.take(column_of(order[places]))
    by_id = values_of(
        pyarrow.compute.array_sort_indices(ids, order="descending" if descending else "ascending")
    ).astype(np.int64)
    group = np.cumsum(~same)[places]
    result = order.copy()
    result[places] = order[places][by_id[np.argsort(group[by_id], kind="stable")]]
    return result


def top_documents(run: Run, topic: str, depth: int, ties: Ties = "trec") -> list[str]:
    """Return the ids of a topic's top documents, best first; none where the run lacks the topic."""
    if topic not in run.topics:
        return []
    code = run.topics.index(topic)
    begin, end = int(run.starts[code]), int(run.starts[code + 1])
    columns = {
        name: getattr(run, name)[begin:end] for name in ("document", "score", "rank", "line")
    }
    part = replace(run, topics=(topic,), starts=np.array([0, end - begin]), **columns)
    order = ranking_order(part, ties)
    documents: list[str] = part.document.to_pylist()
    return (
        documents[:depth] if order is None else [documents[row] for row in order[:depth].tolist()]
    )
