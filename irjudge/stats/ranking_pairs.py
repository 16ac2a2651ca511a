"""Pairs of rankings, made from scores, from lists, or from two runs for each topic."""

from collections.abc import Hashable, Iterable, Iterator
from dataclasses import dataclass, replace
from typing import Literal, TypeAlias, get_args

import numpy as np
import numpy.typing as npt
import pyarrow as pa

from irjudge.errors import IrjudgeError, MeasureError
from irjudge.message import Message
from irjudge.model import Floats, Longs, Run, Ties, ranking_order, to_numpy
from irjudge.progress import SILENT, Progress

Flags: TypeAlias = npt.NDArray[np.bool_]
Items = Literal["common", "union"]
ITEMS: tuple[Items, ...] = get_args(Items)
ITEMS_MEAN: dict[Items, str] = {
    "common": Message("only items in both rankings"),
    "union": Message("all items, where those missing from a ranking are tied after its last item"),
}

# Relative difference up to which scores are tied, since they may be equal except for rounding: a
# mean of 50 values has a relative error of 1e-15.
TIE_TOLERANCE = 1e-12


@dataclass(frozen=True, slots=True, eq=False)
class RankPair:
    """Two rankings of K items as ranks. Each item is in at least one of the rankings.

    Ranks are dense: the best item has rank 1, tied items have the same rank, and the next item has
    the next number. The rank 0 means that the ranking lacks the item. The method
    `select_items("common")` does not renumber ranks, so that numbers can be skipped in its result.
    The names of the items are not stored.
    """

    first: Longs  # rank of each item in the first ranking, shape (K,)
    second: Longs  # rank of each item in the second ranking, shape (K,)

    @classmethod
    def of_scores(cls, first: npt.ArrayLike, second: npt.ArrayLike) -> "RankPair":
        """Return the rankings of the same K items by two arrays of scores, shape (K,) each.

        Higher scores are better. For ties see `rank_scores`. Raises MeasureError if the lengths
        differ or a score is nan.

        >>> pair = RankPair.of_scores([.9, .5, .5], [.1, .3, .2])
        >>> pair.first.tolist(), pair.second.tolist()
        ([1, 2, 2], [3, 1, 2])
        """
        first_scores = np.asarray(first, dtype=np.float64)
        second_scores = np.asarray(second, dtype=np.float64)
        if first_scores.shape != second_scores.shape or first_scores.ndim != 1:
            raise MeasureError(
                "Two rankings of the same items must have the same number of scores, got "
                "{first} and {second}.",
                first=first_scores.size,
                second=second_scores.size,
            )
        if np.isnan(first_scores).any() or np.isnan(second_scores).any():
            raise MeasureError("A score is not a number, so its item cannot be ranked.")
        return cls(rank_scores(first_scores), rank_scores(second_scores))

    @classmethod
    def of_lists(cls, first: Iterable[object], second: Iterable[object]) -> "RankPair":
        """Return the rankings by two lists of items, the best first.

        Tied items are nested in a set, list or tuple. Raises MeasureError if a list contains an
        item twice.

        >>> pair = RankPair.of_lists(["d1", {"d2", "d3"}], ["d4", "d1"])
        >>> pair.first.tolist(), pair.second.tolist()
        ([1, 2, 2, 0], [2, 0, 0, 1])
        """
        first_ranks, second_ranks = _rank_list_items(first), _rank_list_items(second)
        items = sorted(
            {**first_ranks, **second_ranks},
            key=lambda item: (
                first_ranks.get(item, len(first_ranks) + 1),
                second_ranks.get(item, 0),
            ),
        )
        return cls(
            *(
                np.array([ranking.get(item, 0) for item in items], dtype=np.int64)
                for ranking in (first_ranks, second_ranks)
            )
        )

    def __len__(self) -> int:
        return len(self.first)

    @property
    def common(self) -> Flags:
        """Mask of the items that are in both rankings, shape (K,)."""
        return (self.first > 0) & (self.second > 0)

    @property
    def has_ties(self) -> bool:
        """Whether either ranking has ties."""
        return any(
            len(np.unique(ranks[ranks > 0])) < np.count_nonzero(ranks)
            for ranks in (self.first, self.second)
        )

    def swap_rankings(self) -> "RankPair":
        """Return the pair with the rankings swapped."""
        return RankPair(self.second, self.first)

    def select_items(self, items: Items) -> "RankPair":
        """Return the rankings of only the common items, or of all items.

        `items` is `common` or `union`; with `union`, the items missing from a ranking are tied
        after its last item.

        >>> pair = RankPair.of_lists("ab", "cb")
        >>> len(pair.select_items("common")), pair.select_items("union").first.tolist()
        (1, [1, 2, 3])
        """
        if items == "common":
            return RankPair(self.first[self.common], self.second[self.common])
        return RankPair(
            *(
                np.where(ranks > 0, ranks, ranks.max(initial=0) + 1)
                for ranks in (self.first, self.second)
            )
        )


def rank_scores(scores: Floats) -> Longs:
    """Return dense ranks by score, 1 for the highest; tied scores share a rank.

    A score is tied with the next higher one if they differ by at most 1e-12 of the largest finite
    magnitude.

    >>> rank_scores(np.array([.1 + .2, .3, .5])).tolist()
    [2, 2, 1]
    """
    order = np.argsort(-scores, kind="stable")
    descending_scores = scores[order]
    # Equal infinite scores are compared directly, since their difference is not a number.
    with np.errstate(invalid="ignore"):
        is_next_rank = (descending_scores[:-1] != descending_scores[1:]) & ~(
            descending_scores[:-1] - descending_scores[1:]
            <= TIE_TOLERANCE * float(np.abs(scores[np.isfinite(scores)]).max(initial=0.0))
        )
    result = np.empty(len(scores), dtype=np.int64)
    result[order] = np.cumsum(np.concatenate(([1], is_next_rank)))[: len(scores)]
    return result


def _rank_list_items(ranking: Iterable[object]) -> dict[Hashable, int]:
    """Return the rank of each item of a list; raise MeasureError if an item is repeated."""
    rank_by_item: dict[Hashable, int] = {}
    for rank, group in enumerate(ranking, 1):
        for item in group if isinstance(group, set | frozenset | list | tuple) else (group,):
            if item in rank_by_item:
                raise MeasureError(
                    "A ranking contains {item!r} twice, at ranks {first_rank} and {second_rank}.",
                    item=item,
                    first_rank=rank_by_item[item],
                    second_rank=rank,
                )
            rank_by_item[item] = rank
    return rank_by_item


@dataclass(frozen=True, slots=True, eq=False)
class RankSpans:
    """First and last rank that each of K items of a ranking may have, given its ties."""

    top: Longs  # first rank of each item's tie group, 1 for the best, 0 if missing, shape (K,)
    bottom: Longs  # last rank of each item's tie group, 0 if missing, shape (K,)
    length: int  # number of items in the ranking

    @property
    def middle(self) -> Floats:
        """Mean rank of each item's tie group, shape (K,); 0 if the item is missing."""
        return (self.top + self.bottom) / 2

    def where(self, selected: Flags) -> "RankSpans":
        """Return the spans of only the selected items, with their ranks in the whole ranking."""
        return replace(self, top=self.top[selected], bottom=self.bottom[selected])


def rank_spans(rank: Longs) -> RankSpans:
    """Convert dense ranks, in which tied items share a rank, to spans of ranks.

    >>> spans = rank_spans(np.array([1, 2, 2, 0, 3]))
    >>> spans.top.tolist(), spans.bottom.tolist(), spans.length
    ([1, 2, 2, 0, 4], [1, 3, 3, 0, 4], 4)
    """
    tie_sizes = np.bincount(rank, minlength=1)
    tie_sizes[0] = 0
    bottom = np.cumsum(tie_sizes)[rank] if len(rank) else np.empty(0, dtype=np.int64)
    return RankSpans(
        np.where(rank > 0, bottom - tie_sizes[rank] + 1, 0),
        np.where(rank > 0, bottom, 0),
        int(tie_sizes.sum()),
    )


@dataclass(frozen=True, slots=True, eq=False)
class TopicPair:
    """Topic id, and the rankings of the topic's documents by two runs.

    Documents that only one of the runs retrieved are included, with rank 0 in the other ranking; a
    document below the depth of `run_pairs` counts as not retrieved. Document ids are not stored.
    """

    topic: str
    pair: RankPair


def run_pairs(
    first: Run,
    second: Run,
    *,
    depth: int | None = None,
    ties: Ties | None = None,
    progress: Progress = SILENT,
) -> Iterator[TopicPair]:
    """Yield the rankings of two runs for each common topic, in the first run's order of topics.

    Documents are compared by id. `depth` is the number of top documents of a topic that are used,
    or None for all. `ties` is the order of documents with equal scores. If it is None, they remain
    tied, and the order `trec` determines which of them are within `depth`. Raises IrjudgeError if
    `depth` is below 1, or if the runs have no topic in common.

    >>> from irjudge.model import make_run
    >>> runs = [make_run(name, [("1", "d1", 2.0), ("1", other, 1.0)]) for name, other in (("a", "d2"), ("b", "d3"))]
    >>> [topic_pair] = run_pairs(*runs)
    >>> topic_pair.pair.first.tolist(), topic_pair.pair.second.tolist()
    ([1, 2, 0], [1, 0, 2])
    """
    if depth is not None and depth < 1:
        raise IrjudgeError("The depth must be at least 1, got {depth}.", depth=depth)
    index_of = {topic: code for code, topic in enumerate(second.topics)}
    shared_topics = [
        (topic, code, index_of[topic])
        for code, topic in enumerate(first.topics)
        if topic in index_of
    ]
    if not shared_topics:
        raise IrjudgeError(
            "{first} and {second} have no topic in common, so they cannot be compared.",
            key="no-common-topic",
            first=first.name,
            second=second.name,
        )
    codes = to_numpy(
        pa.concat_arrays([first.document, second.document]).dictionary_encode().indices
    ).astype(np.int64)
    first_ranks = _TopRanks.from_run(first, codes[: len(first)], depth, ties)
    second_ranks = _TopRanks.from_run(second, codes[len(first) :], depth, ties)
    for topic, a, b in progress.track(
        shared_topics, Message("Comparing topics"), total=len(shared_topics)
    ):
        yield TopicPair(
            topic, _make_rank_pair(first_ranks.get_topic_ranks(a), second_ranks.get_topic_ranks(b))
        )


@dataclass(frozen=True, slots=True, eq=False)
class _TopRanks:
    """Documents of a run, sorted by topic and then by rank."""

    code: Longs  # code of each document
    ranks: Longs  # rank of each document; the numbering continues from one topic to the next
    starts: Longs  # index of the first document of each topic
    depth: int | None  # number of top documents used per topic; None for all

    @classmethod
    def from_run(cls, run: Run, codes: Longs, depth: int | None, ties: Ties | None) -> "_TopRanks":
        order = ranking_order(run, ties or "trec")
        order = np.arange(len(run)) if order is None else order
        score = run.score[order]
        is_next_rank = np.ones(len(run), dtype=bool)
        if ties is None:
            # The first document of a topic may share a rank with the last document of the previous
            # topic. This has no effect, since `get_topic_ranks` returns ranks relative to the first document.
            is_next_rank[1:] = score[1:] != score[:-1]
        return cls(codes[order], np.cumsum(is_next_rank), run.starts, depth)

    def get_topic_ranks(self, code: int) -> tuple[Longs, Longs]:
        """Return the codes and ranks of a topic's top `depth` documents; all if `depth` is None."""
        start, end = int(self.starts[code]), int(self.starts[code + 1])
        end = end if self.depth is None else min(end, start + self.depth)
        rank = self.ranks[start:end]
        return self.code[start:end], rank - rank[0] + 1 if len(rank) else rank


def _make_rank_pair(first: tuple[Longs, Longs], second: tuple[Longs, Longs]) -> RankPair:
    """Return the rankings of all documents that at least one of the two runs retrieved.

    Each argument contains the codes and the ranks of a run's documents, in any order.
    """
    codes, code_index = np.unique(np.concatenate((first[0], second[0])), return_inverse=True)
    first_ranks = np.zeros(len(codes), dtype=np.int64)
    second_ranks = np.zeros(len(codes), dtype=np.int64)
    first_ranks[code_index[: len(first[0])]] = first[1]
    second_ranks[code_index[len(first[0]) :]] = second[1]
    return RankPair(first_ranks, second_ranks)
