"""Scores of a run that look like ranks or contradict its ranks."""

from pathlib import Path

import numpy as np
import pyarrow as pa

from irjudge.message import Message
from irjudge.model import Floats, Ints, Longs, topic_of_each_row, topics_of_rows


def looks_like_ranks(score: Floats, starts: Longs) -> bool:
    """Return whether the scores in each topic are 1, 2, 3 … or 0, 1, 2 …, as ranks are."""
    rank = np.arange(1, len(score) + 1) - np.repeat(starts[:-1], np.diff(starts))
    return len(score) > len(starts) - 1 and (
        np.array_equal(score, rank) or np.array_equal(score, rank - 1)
    )


def find_contradictions(starts: Longs, rank: Ints, score: Floats) -> tuple[Longs, Longs]:
    """Return pairs of rows with adjacent ranks of which the second has the higher score.

    The result has an array of first rows and an array of second rows; both rows of a pair are in
    the same topic. Equal ranks do not contradict scores, nor do ranks below 0, which mean missing
    ranks.
    """
    if not (rank >= 0).any():
        return np.empty(0, np.int64), np.empty(0, np.int64)
    order = np.arange(len(rank))
    topic = topic_of_each_row(starts)
    if (((rank[1:] <= rank[:-1]) | (score[1:] > score[:-1])) & (topic[1:] == topic[:-1])).any():
        # a rank has at most 32 bits; sorting one integer is faster than sorting three columns
        topic_and_rank = topic.astype(np.int64) << 32 | (rank.astype(np.int64) + 2**31)
        order = np.argsort(topic_and_rank)
        topic_and_rank = topic_and_rank[order]
        if (topic_and_rank[1:] == topic_and_rank[:-1]).any():
            order = np.lexsort((-score, rank, topic))
    first_rows, second_rows = order[:-1], order[1:]
    is_contradicting = (
        (topic[first_rows] == topic[second_rows])
        & (rank[first_rows] >= 0)
        & (rank[first_rows] < rank[second_rows])
        & (score[first_rows] < score[second_rows])
    )
    return first_rows[is_contradicting], second_rows[is_contradicting]


def warn_of_ranks(
    path: Path, topics: pa.Array, starts: Longs, rank: Ints, score: Floats
) -> tuple[str, ...]:
    """Return a warning if the scores look like ranks or contradict the ranks; otherwise empty.

    A rank below 0 means that the rank is missing.
    """
    return _warn_of_swapped_columns(path, rank, score, starts) or _warn_of_contradictions(
        path, topics, starts, rank, score
    )


def _warn_of_swapped_columns(
    path: Path, rank: Ints, score: Floats, starts: Longs
) -> tuple[str, ...]:
    """Return a warning if the scores look like ranks and the ranks are missing or decrease."""
    if not looks_like_ranks(score, starts):
        return ()
    rank_differences = np.diff(rank)
    rank_differences[starts[1:-1] - 1] = 0
    has_decreasing_ranks = bool(
        (rank >= 0).all() and (rank_differences <= 0).all() and (rank_differences < 0).any()
    )
    if not has_decreasing_ranks and not (rank < 0).all():
        return ()
    return (
        Message(
            "{file}: the scores are 1, 2, 3 … like ranks, so the ranking is reversed. Are "
            "rank and score swapped?",
            key="scores-as-ranks",
            file=path.name,
        ),
    )


def _warn_of_contradictions(
    path: Path, topics: pa.Array, starts: Longs, rank: Ints, score: Floats
) -> tuple[str, ...]:
    """Return a warning if ranks contradict the order by score; otherwise empty."""
    first_rows, second_rows = find_contradictions(starts, rank, score)
    if not len(first_rows):
        return ()
    topic_of_pair = topics_of_rows(starts, first_rows)
    count, first_example, second_example = (
        len(np.unique(topic_of_pair)),
        first_rows[0],
        second_rows[0],
    )
    return (
        Message(
            "{file}: the ranks contradict the scores in {topics} (for example {example}); the "
            "ranking is ordered by score.",
            key="contradicting-ranks",
            file=path.name,
            topics=Message("1 topic") if count == 1 else Message("{count:,} topics", count=count),
            example=Message(
                "topic {topic}: score {score:g} at rank {rank}, score {next_score:g} at rank {next_rank}",
                topic=topics[int(topic_of_pair[0])].as_py(),
                score=score[first_example],
                rank=rank[first_example],
                next_score=score[second_example],
                next_rank=rank[second_example],
            ),
        ),
    )
