"""Correlation of two rankings: pairs of rankings with ties, coefficients, and their registry."""

import math
from collections.abc import Callable, Hashable, Iterable, Iterator
from dataclasses import dataclass, replace
from typing import Annotated, Literal, TypeAlias, TypeVar, get_args

import numpy as np
import numpy.typing as npt
import pyarrow as pa

from irjudge.catalogue import Catalogue, summarise
from irjudge.errors import IrjudgeError, MeasureError
from irjudge.message import Message
from irjudge.metrics import (
    MaybeCutoff,
    Parameter,
    Range,
    Value,
    find_parameter,
    format_name,
    list_parameters,
    read_values,
    split_name,
)
from irjudge.model import Flags, Floats, Longs, Run, Ties, ranking_order, to_numpy
from irjudge.progress import SILENT, Progress

# Pairs of rankings, made from scores, from lists, or from two runs for each topic

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
            # topic. This has no effect, since `get_topic_ranks` returns ranks relative to the first
            # document.
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


# Registry of rank correlations, which are declared by the decorator `statistic`

# Statistics of kind `order` compare two orders of the same K items. Those of kind `lists` compare
# lists, in which an item of one list may be missing from the other.
Kind: TypeAlias = Literal["order", "lists"]
KINDS: tuple[Kind, ...] = get_args(Kind)
StatisticFunction = TypeVar("StatisticFunction", bound=Callable[..., float])


@dataclass(frozen=True, slots=True)
class CorrelationStatistic:
    """Registry entry of a rank correlation: names, formula, properties and function."""

    name: str  # such as `tau-b`
    title: str  # such as `Kendall's tau-b`
    formula: str  # one line of plain text
    bounds: tuple[float, float]  # lowest and highest possible value
    # `order`: both rankings must have the same items; `lists`: the items may differ, as for RBO
    kind: Kind
    # whether the value remains the same if the rankings are swapped; if False, the first ranking is
    # the true one
    symmetric: bool
    same: float | None  # value for a ranking without ties compared with itself
    # value for a ranking without ties and its reverse; None if it depends on the length
    opposite: float | None
    aliases: tuple[str, ...]
    # names of parameters that are printed even if they have the default value, because publications
    # use different values
    always: tuple[str, ...]
    parameters: tuple[Parameter, ...]  # in the order of the function's parameters
    function: Callable[..., float]  # computes the value of a `RankPair`

    @property
    def about(self) -> str:
        """Description of the statistic: first paragraph of the docstring of `function`."""
        return summarise(self.function)


@dataclass(frozen=True, slots=True)
class Statistic:
    """Rank correlation or similarity with given parameters, such as RBO with p = 0.9.

    `compute` returns the value for two rankings; the value is not stored.
    """

    declaration: CorrelationStatistic
    parameters: tuple[tuple[str, Value], ...]

    @property
    def name(self) -> str:
        """Printed name, such as `rbo(p=0.9)`; most parameters with default values are omitted."""
        return format_name(
            self.declaration.name,
            self.declaration.parameters,
            self.parameters,
            self.declaration.always,
            "cutoff",
        )

    def compute(self, pair: RankPair, items: Items = "common") -> float:
        """Return the value for two rankings.

        `items` selects the items that statistics of kind `order` compare. Statistics of kind
        `lists` use all items.
        """
        compared_pair = pair.select_items(items) if self.declaration.kind == "order" else pair
        return float(self.declaration.function(compared_pair, **dict(self.parameters)))

    def items(self, pair: RankPair, items: Items = "common") -> int:
        """Return the number of items that `compute` compares."""
        return len(pair.select_items(items)) if self.declaration.kind == "order" else len(pair)

    def __str__(self) -> str:
        return self.name


class CorrelationRegistry(Catalogue[CorrelationStatistic]):
    """Registry of rank correlations by name and alias.

    Those that need the same items in both rankings (kind `order`) come before those that compare
    rankings of different items too (kind `lists`), such as RBO.
    """

    def __init__(self) -> None:
        super().__init__(
            Message("Statistic"),
            sort_key=lambda statistic: KINDS.index(statistic.kind),
            error_class=MeasureError,
        )

    def statistic(
        self,
        name: str,
        *,
        title: str,
        formula: str,
        bounds: tuple[float, float] = (-1, 1),
        kind: Kind = "order",
        symmetric: bool = True,
        same: float | None = 1,
        opposite: float | None = -1,
        aliases: Iterable[str] = (),
        always: Iterable[str] = (),
    ) -> Callable[[StatisticFunction], StatisticFunction]:
        """Register the decorated function; see `CorrelationStatistic` for the keywords."""

        def register(function: StatisticFunction) -> StatisticFunction:
            parameters = list_parameters(function)
            alias_names = tuple(aliases)
            declaration = CorrelationStatistic(
                name,
                Message(title),
                formula,
                bounds,
                kind,
                symmetric,
                same,
                opposite,
                alias_names,
                tuple(always),
                parameters,
                function,
            )
            self.add(declaration, alias_names)
            return function

        return register

    def parse(self, text: str) -> Statistic:
        """Parse a name such as `tau-b`, `rbo(p=0.8)` or `overlap@10`.

        Case is ignored, and `-` and `_` are equivalent. Raises MeasureError for an unknown name
        or parameter, or a value out of range.
        """
        expected_form = Message(
            "expected a statistic in the form name, name(parameter=value) or name@cutoff"
        )
        head, bracket_text, at_text = split_name(text.strip(), expected_form)
        declaration = self.find(head)
        values = read_values(declaration.parameters, bracket_text, declaration.name, text)
        if at_text is not None:
            values["cutoff"] = find_parameter(
                declaration.parameters, "cutoff", declaration.name
            ).read(at_text, text)
        return Statistic(
            declaration,
            tuple(
                (parameter.name, values.get(parameter.name, parameter.default))
                for parameter in declaration.parameters
            ),
        )


CORRELATIONS = CorrelationRegistry()
statistic = CORRELATIONS.statistic


# Counts of items above, below and tied, for Kendall-like statistics; computed in K log² K time


@dataclass(frozen=True, slots=True, eq=False)
class RankAgreement:
    """Counts, for each of K items, of the other items above, below or tied in two rankings.

    The arrays have the shape (K,).
    """

    above: Longs  # number of items strictly above the item in both rankings
    below: Longs  # number of items strictly below the item in both rankings
    crossed: Longs  # number of items above the item in one ranking and below it in the other
    tied_first: Longs  # number of items tied with the item in the first ranking
    tied_second: Longs  # number of items tied with the item in the second ranking
    tied_both: Longs  # number of items tied with the item in both rankings

    @property
    def concordant(self) -> int:
        """Number of pairs of items that are in the same order in both rankings."""
        return int(self.above.sum())

    @property
    def discordant(self) -> int:
        """Number of pairs of items that are in opposite orders in the two rankings."""
        return int(self.crossed.sum()) // 2

    @property
    def pairs(self) -> int:
        """Number of pairs of items."""
        return len(self.above) * (len(self.above) - 1) // 2

    @property
    def tied(self) -> int:
        """Number of pairs of items that are tied in at least one ranking."""
        return self.pairs - self.concordant - self.discordant

    @property
    def tied_once(self) -> tuple[int, int]:
        """Number of pairs tied in only the first ranking, and number tied in only the second."""
        tied_in_both = int(self.tied_both.sum())
        return (int(self.tied_first.sum()) - tied_in_both) // 2, (
            int(self.tied_second.sum()) - tied_in_both
        ) // 2


def rank_agreement(first: Longs, second: Longs) -> RankAgreement:
    """Return the concordance counts of two rankings of the same K items.

    The arguments are the ranks of the items, shape (K,); equal ranks are ties.

    >>> agreement = rank_agreement(np.array([1, 2, 3]), np.array([2, 1, 3]))
    >>> agreement.above.tolist(), agreement.concordant, agreement.discordant
    ([0, 0, 2], 2, 1)
    """
    other_count = len(first) - 1
    above_counts, below_counts = (
        count_above_in_both(first, second),
        count_above_in_both(-first, -second),
    )
    tied_first, tied_second = _count_equal(first) - 1, _count_equal(second) - 1
    _, pair = np.unique(np.stack((first, second)), axis=1, return_inverse=True)
    tied_both = _count_equal(pair.reshape(-1).astype(np.int64)) - 1
    crossed = other_count - above_counts - below_counts - tied_first - tied_second + tied_both
    return RankAgreement(above_counts, below_counts, crossed, tied_first, tied_second, tied_both)


def count_above_in_both(first: Longs, second: Longs) -> Longs:
    """Return, for each item, the number of items above it in both rankings, shape (K,).

    Items are sorted by `first`, then processed as in merge sort, in blocks whose width doubles. For
    each item in the right half of a block, the items of the left half that are above it in `second`
    are counted. All blocks of one width are processed together.
    """
    count = len(first)
    # Items that are tied in `first` are sorted by descending rank in `second`, so that none of them
    # is counted as above another of them.
    order = np.lexsort((-second, first))
    position = second[order] - second.min(initial=0)
    span = int(position.max(initial=0)) + 1
    positions, above_counts = np.arange(count), np.zeros(count, dtype=np.int64)
    width = 1
    while width < count:
        block, is_left = positions // (2 * width), (positions // width) % 2 == 0
        # Of items with equal ranks, those of the right half come first, because items of the left
        # half with an equal rank must not be counted as above them.
        block_order = np.argsort((block * span + position) * 2 + is_left, kind="stable")
        left_before = np.cumsum(is_left[block_order])
        before_block = block[block_order] * width  # all earlier blocks have a full left half
        is_right = ~is_left[block_order]
        above_counts[block_order[is_right]] += (left_before - before_block)[is_right]
        width *= 2
    result = np.empty(count, dtype=np.int64)
    result[order] = above_counts
    return result


def _count_equal(codes: Longs) -> Longs:
    """Return, for each item, the number of items with the same code, including itself."""
    _, inverse, counts = np.unique(codes, return_inverse=True, return_counts=True)
    return counts[inverse.reshape(-1)].astype(np.int64)


# Statistics that compare two orders: Spearman's rho, Kendall's tau and its variants, footrule


@statistic(
    "spearman",
    title="Spearman's rho",
    formula="1 - 6 Σ d² / (K (K² - 1)); with ties the product-moment correlation of the mean ranks",
    aliases=("rho", "spearman-rho"),
)
def spearman(pair: RankPair) -> float:
    """Return the correlation of the ranks.

    Returns
    -------
    float
        Between -1 and 1; 0 if K is below 2 or all items of a ranking are tied. Tied items have the
        mean of their ranks.

    References
    ----------
    Spearman (1904), The proof and measurement of association between two things.

    Examples
    --------
    >>> other = "cabedifgjh"  # ranks of a to j: 2 3 1 5 4 7 8 10 6 9, so Σ d² = 24
    >>> round(spearman(RankPair.of_lists("abcdefghij", other)), 4)
    0.8545
    """
    first, second = (
        ranks - ranks.mean() if len(ranks) else ranks
        for ranks in (rank_spans(pair.first).middle, rank_spans(pair.second).middle)
    )
    return _compute_bounded_ratio(
        float(first @ second), math.sqrt(float(first @ first) * float(second @ second))
    )


@statistic(
    "tau",
    title="Kendall's tau",
    formula="(C - D) / (K (K - 1) / 2)",
    aliases=("kendall", "tau-a", "kendall-tau"),
)
def tau(pair: RankPair) -> float:
    """Return the share of pairs of items in the same order minus the share in opposite order.

    Returns
    -------
    float
        Between -1 and 1; 0 if K is below 2. A pair tied in either ranking counts as neither, so 1
        cannot be reached if there are ties.

    References
    ----------
    Kendall (1938), A new measure of rank correlation.

    Examples
    --------
    >>> round(tau(RankPair.of_lists("abcde", "bacde")), 4)
    0.8
    """
    agreement, count = rank_agreement(pair.first, pair.second), len(pair)
    return _compute_bounded_ratio(
        agreement.concordant - agreement.discordant, count * (count - 1) / 2
    )


@statistic(
    "tau-b",
    title="Kendall's tau-b",
    formula="(C - D) / √((C + D + T_a)(C + D + T_b))",
    aliases=("kendall-b", "kendall-tau-b"),
)
def tau_b(pair: RankPair) -> float:
    """Return tau corrected for ties, the usual comparison of two orders of systems with equal
    scores.

    Returns
    -------
    float
        Between -1 and 1; 0 if K is below 2 or all items of a ranking are tied. T is the number of
        pairs tied in only one ranking.

    References
    ----------
    Kendall (1945), The treatment of ties in ranking problems.

    Examples
    --------
    >>> round(tau_b(RankPair.of_scores([12, 2, 1, 12, 2], [1, 4, 7, 1, 0])), 7)
    -0.4714045
    """
    agreement = rank_agreement(pair.first, pair.second)
    ordered = agreement.concordant + agreement.discordant
    tied = agreement.tied_once
    return _compute_bounded_ratio(
        agreement.concordant - agreement.discordant,
        math.sqrt((ordered + tied[0]) * (ordered + tied[1])),
    )


@statistic(
    "tau-ap",
    title="AP correlation",
    formula="2/(K - 1) Σ_{i=2..K} C(i)/(i - 1) - 1, with C(i) items above rank i that are truly above it; the mean over the orders of ties",
    symmetric=False,
    aliases=("tau-ap-a", "tauap", "ap-correlation"),
)
def tau_ap(pair: RankPair, *, tied: Literal["half", "wrong"] = "half") -> float:
    """Return the correlation that gives disagreement at the top more weight.

    Parameters
    ----------
    pair
        The true order, then the estimated one, over the same K items.
    tied
        Whether two items that are tied in either order count as half right or, as in programs that
        compare strictly, as wrong.

    Returns
    -------
    float
        Between -1 and 1; 0 if K is below 2. It is exactly the mean over all orders of the tied
        items in both rankings. If ties count as wrong, every pair tied in either order counts as
        discordant, and only the ranks of items tied in the estimated order are averaged; the value
        is below 1 if any two items are tied.

    Notes
    -----
    Swapping the rankings changes the value. Urbano and Marrero define it for ties in the estimated
    order; counting items tied in the true order as half above each other gives the same mean.

    References
    ----------
    Yilmaz, Aslam and Robertson (2008), A new rank correlation coefficient for information
    retrieval, SIGIR. Urbano and Marrero (2017), The treatment of ties in AP correlation, ICTIR.

    Examples
    --------
    >>> [round(tau_ap(RankPair.of_lists("abcde", estimate)), 4) for estimate in ("bacde", "abced")]
    [0.5, 0.875]
    """
    if len(pair) < 2:
        return 0.0
    agreement = rank_agreement(pair.first, pair.second)
    spans = rank_spans(pair.second)
    above_counts = spans.top - 1
    # number of items above in both orders, plus half of the items that are tied in the true order
    # and above in the estimated order
    tied_above = _count_tied_above(pair.first, pair.second)
    concordant_counts = agreement.above + (tied_above / 2 if tied == "half" else 0)
    tie_sizes = spans.bottom - spans.top + 1
    # partial sums of 1 + 1/2 + 1/3 + …; the first is the empty sum
    sums = np.concatenate(([0.0], np.cumsum(1 / np.arange(1, len(pair) + 1))))
    tied_mean = (sums[spans.bottom - 1] - sums[np.maximum(above_counts - 1, 0)]) / tie_sizes
    # without ties the reciprocal itself is used, since differences of sums have rounding errors
    mean_reciprocal = np.where(tie_sizes > 1, tied_mean, 1 / np.maximum(above_counts, 1))
    sum_from_items_above = np.where(
        above_counts > 0, concordant_counts * mean_reciprocal, 0.0
    ).sum()
    # Σ_{k=1..t-1} k/(p + k - 1) = (t - 1) - (p - 1) Σ 1/(p + k - 1), with p - 1 items above.
    sums_from_ties = (
        (tie_sizes - 1 - above_counts * (sums[spans.bottom - 1] - sums[above_counts]))
        / (2 * tie_sizes)
        * (tied == "half")
    )
    return _compute_bounded_ratio(
        2 * float(sum_from_items_above + sums_from_ties.sum()) - (len(pair) - 1), len(pair) - 1
    )


@statistic(
    "tau-ap-b",
    title="AP correlation, symmetrical and corrected for ties",
    formula="the mean of both directions of 2/#{p_i > 1} Σ C(i)/(p_i - 1) - 1, with p_i - 1 items strictly above i",
)
def tau_ap_b(pair: RankPair) -> float:
    """Return AP correlation over the pairs that are not tied, averaged over taking each ranking as
    the true one.

    Returns
    -------
    float
        Between -1 and 1. A direction in which all items are tied counts as 0, so the value is 0 if
        K is below 2.

    References
    ----------
    Urbano and Marrero (2017), The treatment of ties in AP correlation, ICTIR.

    Examples
    --------
    >>> round(tau_ap_b(RankPair.of_lists("abcde", "bacde")), 4)
    0.5
    """
    agreement = rank_agreement(pair.first, pair.second)
    return (
        _compute_mean_ap_correlation(agreement, pair.second)
        + _compute_mean_ap_correlation(agreement, pair.first)
    ) / 2


@statistic(
    "weighted-tau",
    title="Weighted tau",
    formula="Σ (w_i + w_j) over pairs in the same order minus those in opposite order, corrected for ties as tau-b; w = 1/rank",
    aliases=("weightedtau", "tau-w"),
)
def weighted_tau(pair: RankPair, *, rank: Literal["both", "first"] = "both") -> float:
    """Return tau with weights that decrease with the rank, so that agreement at the top counts
    more.

    Parameters
    ----------
    rank
        Ranking that determines the weights: `first`, with ties broken by the second; `both`, the
        mean of that value and the one with swapped rankings.

    Returns
    -------
    float
        Between -1 and 1; 0 if K is below 2 or all items of a ranking are tied.

    References
    ----------
    Vigna (2015), A weighted correlation index for rankings with ties, WWW; additive hyperbolic weights.

    Examples
    --------
    >>> [round(weighted_tau(RankPair.of_lists("abcde", estimate)), 6) for estimate in ("bacde", "abced")]
    [0.671533, 0.90146]
    """
    agreement = rank_agreement(pair.first, pair.second)
    value = _compute_weighted_tau_by_order(agreement, np.lexsort((pair.second, pair.first)))
    return (
        value
        if rank == "first"
        else (
            value + _compute_weighted_tau_by_order(agreement, np.lexsort((pair.first, pair.second)))
        )
        / 2
    )


@statistic(
    "footrule",
    title="Spearman's footrule, as a similarity",
    formula="1 - Σ |r_a - r_b| / ⌊K²/2⌋",
    bounds=(0, 1),
    opposite=0,
)
def footrule(pair: RankPair) -> float:
    """Return how close the ranks of the items are: 1 minus the sum of their distances divided by
    the largest possible sum.

    Returns
    -------
    float
        Between 0 and 1; 0 if K is below 2. Tied items have the mean of their ranks.

    References
    ----------
    Diaconis and Graham (1977), Spearman's footrule as a measure of disarray.

    Examples
    --------
    >>> [round(footrule(RankPair.of_lists("abcde", other)), 4) for other in ("edcba", "bacde")]
    [0.0, 0.8333]
    """
    max_distance = len(pair) ** 2 // 2
    return 1 - footrule_distance(pair) / max_distance if max_distance else 0.0


def footrule_distance(pair: RankPair) -> float:
    """Return the sum of the absolute differences of ranks, between 0 and ⌊K²/2⌋.

    >>> footrule_distance(RankPair.of_lists("abcde", "edcba"))
    12.0
    """
    return float(np.abs(rank_spans(pair.first).middle - rank_spans(pair.second).middle).sum())


def _count_tied_above(tied: Longs, order: Longs) -> Longs:
    """Return, for each item, the number of items tied with it in `tied` and above it in `order`."""
    row_order = np.lexsort((order, tied))
    ties, ranks, positions = tied[row_order], order[row_order], np.arange(len(row_order))
    is_tie_start = np.concatenate(([True], ties[1:] != ties[:-1]))[: len(row_order)]
    is_rank_start = (
        is_tie_start | np.concatenate(([True], ranks[1:] != ranks[:-1]))[: len(row_order)]
    )
    result = np.empty(len(row_order), dtype=np.int64)
    result[row_order] = np.maximum.accumulate(
        np.where(is_rank_start, positions, 0)
    ) - np.maximum.accumulate(np.where(is_tie_start, positions, 0))
    return result


def _compute_mean_ap_correlation(agreement: RankAgreement, estimated: Longs) -> float:
    """Return AP correlation with `estimated` as the estimated order.

    The value is a mean over all items that are below another item; 0 if there are no such items.
    """
    above_counts = rank_spans(estimated).top - 1
    has_above = above_counts > 0
    return (
        2 * float(np.mean(agreement.above[has_above] / above_counts[has_above])) - 1
        if has_above.any()
        else 0.0
    )


def _compute_weighted_tau_by_order(ranked: RankAgreement, order: Longs) -> float:
    """Return weighted tau with weight 1/(k + 1) for the item at position k in `order`."""
    weight = np.empty(len(order))
    weight[order] = 1 / np.arange(1, len(order) + 1)
    other_count = len(order) - 1
    agreement = weight @ (ranked.above + ranked.below - ranked.crossed)
    return _compute_bounded_ratio(
        float(agreement),
        math.sqrt(weight @ (other_count - ranked.tied_first))
        * math.sqrt(weight @ (other_count - ranked.tied_second)),
    )


def _compute_bounded_ratio(numerator: float, denominator: float) -> float:
    return max(-1.0, min(1.0, numerator / denominator)) if denominator > 0 else 0.0


# List statistics: overlap, Jaccard, and Fagin's distances for top-k lists


@statistic(
    "overlap",
    title="Overlap",
    formula="|A_k ∩ B_k| / k",
    bounds=(0, 1),
    kind="lists",
    opposite=None,
)
def overlap(pair: RankPair, *, cutoff: MaybeCutoff = None) -> float:
    """Return the share of the top k that is in both rankings.

    Parameters
    ----------
    cutoff
        k; None for the length of the longer ranking. If both are shorter than k, the length of the
        longer one is used.

    Returns
    -------
    float
        Between 0 and 1; 0 if both are empty. If only some of several tied items fit into the top k,
        each is included with that share; an item in both counts with the smaller of its two shares.

    Examples
    --------
    >>> overlap(RankPair.of_lists("abcd", "baef"), cutoff=3)
    0.6666666666666666
    """
    first, second, depth = _compute_top_shares(pair, cutoff)
    return float(np.minimum(first, second).sum()) / depth if depth else 0.0


@statistic(
    "jaccard",
    title="Jaccard coefficient",
    formula="|A_k ∩ B_k| / |A_k ∪ B_k|",
    bounds=(0, 1),
    kind="lists",
    opposite=None,
)
def jaccard(pair: RankPair, *, cutoff: MaybeCutoff = None) -> float:
    """Return the share of the items in either top k that are in both.

    Parameters
    ----------
    cutoff
        k; None for whole rankings.

    Returns
    -------
    float
        Between 0 and 1; 0 if both are empty. If the cutoff divides a group of tied items, each of
        them counts as the fraction of the group that fits. If its fractions in the two rankings
        differ, the intersection uses the smaller and the union the larger.

    References
    ----------
    Jaccard (1901), Étude comparative de la distribution florale; with shares it is Ružička's (1958).

    Examples
    --------
    >>> jaccard(RankPair.of_lists("abcd", "baef"), cutoff=3)
    0.5
    """
    first, second, _ = _compute_top_shares(pair, cutoff)
    union = float(np.maximum(first, second).sum())
    return float(np.minimum(first, second).sum()) / union if union else 0.0


@statistic(
    "fagin-footrule",
    title="Footrule of top-k lists, as a similarity",
    formula="1 - F/max, where F = Σ |r_a - r_b| and a missing item has rank k + 1",
    bounds=(0, 1),
    kind="lists",
    opposite=None,
)
def fagin_footrule(pair: RankPair) -> float:
    """Return how close the ranks are if items missing in a list are ranked directly after the end
    of the longer list.

    Returns
    -------
    float
        Between 0, for lists without common items, and 1; 0 if both are empty. Tied items have the
        mean of their ranks.

    References
    ----------
    Fagin, Kumar and Sivakumar (2003), Comparing top k lists: F with location parameter k + 1, over its maximum.

    Examples
    --------
    >>> fagin_footrule(RankPair.of_lists("abcd", "baef"))
    0.6
    """
    distance, max_distance = fagin_footrule_distance(pair)
    return 1 - distance / max_distance if max_distance else 0.0


def fagin_footrule_distance(pair: RankPair) -> tuple[float, float]:
    """Return the footrule distance of two lists, and its maximum for lists with these lengths.

    The maximum is k (k + 1) for two lists of length k.

    >>> fagin_footrule_distance(RankPair.of_lists("abcd", "baef"))
    (8.0, 20.0)
    """
    first, second = rank_spans(pair.first), rank_spans(pair.second)
    missing_rank = max(first.length, second.length) + 1
    ranks = [np.where(spans.top > 0, spans.middle, missing_rank) for spans in (first, second)]
    max_distance = sum(
        spans.length * missing_rank - spans.length * (spans.length + 1) / 2
        for spans in (first, second)
    )
    return float(np.abs(ranks[0] - ranks[1]).sum()), float(max_distance)


@statistic(
    "fagin-kendall",
    title="Kendall distance of top-k lists, as a similarity",
    formula="1 - K/max, where a pair in opposite order costs 1 and a pair ordered by only one list costs p",
    bounds=(0, 1),
    kind="lists",
    opposite=None,
    always=("p",),
)
def fagin_kendall(pair: RankPair, *, p: Annotated[float, Range(0, 1)] = 0.5) -> float:
    """Return how few pairs of items are in opposite order, if items missing in a list are ranked
    after all its items.

    Parameters
    ----------
    p
        Penalty for a pair that only one list puts in order, because the other lacks both items or
        has them tied.

    Returns
    -------
    float
        Between 0, for lists without common items, and 1; 0 if both are empty.

    References
    ----------
    Fagin, Kumar and Sivakumar (2003), Comparing top k lists: K with penalty p, over its maximum.

    Examples
    --------
    >>> round(fagin_kendall(RankPair.of_lists("abcd", "baef")), 4)
    0.7273
    """
    distance, max_distance = fagin_kendall_distance(pair, p=p)
    return 1 - distance / max_distance if max_distance else 0.0


def fagin_kendall_distance(pair: RankPair, *, p: float = 0.5) -> tuple[float, float]:
    """Return the Kendall distance of two lists, and its maximum for lists with these lengths.

    >>> pair = RankPair.of_lists("abcd", "baef")
    >>> fagin_kendall_distance(pair, p=0), fagin_kendall_distance(pair)
    ((5.0, 16.0), (6.0, 22.0))
    """
    union_pair = pair.select_items("union")
    agreement = rank_agreement(union_pair.first, union_pair.second)
    a, b = (int((ranks > 0).sum()) for ranks in (pair.first, pair.second))
    max_distance = a * b + p * (a * (a - 1) + b * (b - 1)) / 2
    return float(agreement.discordant + p * sum(agreement.tied_once)), float(max_distance)


def _compute_top_shares(pair: RankPair, cutoff: int | None) -> tuple[Floats, Floats, int]:
    """Return each item's share in the top k of the first and of the second ranking, and k.

    The share is below 1 if the end of the top k divides a group of tied items. k is the smaller of
    `cutoff` and the length of the longer ranking; None means no cutoff.
    """
    longer_length = max(int((pair.first > 0).sum()), int((pair.second > 0).sum()))
    depth = longer_length if cutoff is None else min(cutoff, longer_length)
    return _compute_top_share(pair.first, depth), _compute_top_share(pair.second, depth), depth


def _compute_top_share(rank: Longs, depth: int) -> Floats:
    spans = rank_spans(rank)
    share_inside = (depth - spans.top + 1) / (spans.bottom - spans.top + 1)
    return np.where(spans.top > 0, np.clip(share_inside, 0.0, 1.0), 0.0)


# Rank-biased overlap, with extrapolation beyond the known ranks

RboTies = Literal["a", "w", "b"]
Persistence = Annotated[float, Range(0, above=True)]


@dataclass(frozen=True, slots=True)
class Rbo:
    """Rank-biased overlap of two rankings: extrapolated value, lower and upper bound."""

    extrapolated: float  # extrapolated from the observed agreement; between `low` and `high`
    low: float  # lowest value over all continuations of the rankings
    high: float  # highest value over all continuations of the rankings

    @property
    def residual(self) -> float:
        """Upper bound minus lower bound: the part that depends on unknown ranks."""
        return self.high - self.low


@statistic(
    "rbo",
    title="Rank-biased overlap, extrapolated",
    formula="(1 - p)/p Σ_d p^d A_d, with A_d the agreement of the top d, extrapolated below the known ranks",
    bounds=(0, 1),
    kind="lists",
    opposite=None,
    aliases=("rbo-ext",),
    always=("p",),
)
def rbo(pair: RankPair, *, p: Persistence = 0.9, ties: RboTies = "a") -> float:
    """Return the mean agreement of the top d over all depths d, with decreasing weights.

    Parameters
    ----------
    pair
        Two rankings, of any items and lengths.
    p
        Persistence, between 0 and 1: the probability that the reader continues to the next rank. At
        .9 the top 10 have 86 % of the weight.
    ties
        Meaning of ties. `a`: the order is unknown, and the value is the mean over all orders (as
        for scores of a search engine). `b`: the same, corrected for the information lost through
        ties. `w`: the items really share the rank.

    Returns
    -------
    float
        Between 0 and 1; 0 if a ranking is empty.

    References
    ----------
    Webber, Moffat and Zobel (2010), A similarity measure for indefinite rankings, ACM TOIS 28(4).
    Corsi and Urbano (2024), The treatment of ties in rank-biased overlap, SIGIR.

    Examples
    --------
    >>> round(rbo(RankPair.of_lists("abcde", "badcf")), 6)
    0.74178
    """
    return rank_biased_overlap(pair, p=p, ties=ties).extrapolated


@statistic(
    "rbo-min",
    title="Rank-biased overlap, minimum",
    formula="(1 - p)/p Σ_d p^d A_d where nothing below the known ranks agrees",
    bounds=(0, 1),
    kind="lists",
    same=None,
    opposite=None,
    always=("p",),
)
def rbo_min(pair: RankPair, *, p: Persistence = 0.9, ties: RboTies = "a") -> float:
    """Return the lower bound on rank-biased overlap; for the parameters see `rbo`.

    Examples
    --------
    >>> round(rbo_min(RankPair.of_lists("abcde", "badcf")), 6)
    0.479371
    """
    return rank_biased_overlap(pair, p=p, ties=ties).low


@statistic(
    "rbo-res",
    title="Rank-biased overlap, residual",
    formula="the highest possible value minus the lowest",
    bounds=(0, 1),
    kind="lists",
    same=None,
    opposite=None,
    always=("p",),
)
def rbo_res(pair: RankPair, *, p: Persistence = 0.9, ties: RboTies = "a") -> float:
    """Return how much of rank-biased overlap depends on unknown ranks; for the parameters see
    `rbo`.

    Examples
    --------
    >>> round(rbo_res(RankPair.of_lists("abcde", "badcf")), 6)
    0.380507
    """
    return rank_biased_overlap(pair, p=p, ties=ties).residual


def rank_biased_overlap(pair: RankPair, *, p: float = 0.9, ties: RboTies = "a") -> Rbo:
    """Return rank-biased overlap with its bounds; see `rbo`.

    Raises MeasureError for p out of range.

    >>> overlap = rank_biased_overlap(RankPair.of_lists("abc", "badcefg"))
    >>> round(overlap.extrapolated, 6), round(overlap.low, 6), round(overlap.residual, 6)
    (0.747109, 0.395528, 0.477472)
    """
    if not 0 < p < 1:
        raise MeasureError("rbo needs 0 < p < 1, got {p:g}.", p=p)
    pair = (
        pair
        if np.count_nonzero(pair.first) <= np.count_nonzero(pair.second)
        else pair.swap_rankings()
    )
    shorter_spans, longer_spans = rank_spans(pair.first), rank_spans(pair.second)
    s, length = shorter_spans.length, longer_spans.length
    depth = np.arange(1, length + 1)
    profiles = (
        _DepthProfile.from_spans(shorter_spans, length, ties),
        _DepthProfile.from_spans(longer_spans, length, ties),
    )
    overlap_by_depth = _compute_shared_by_depth(pair, profiles, length)
    size = _compute_size_by_depth(profiles, depth, ties)
    last_agreement = float(overlap_by_depth[s - 1] / size[s - 1]) if s else 0.0
    unseen_counts = np.maximum(depth - s, 0)
    mean_share, highest_share = _compute_unmatched_share(pair, profiles[1], unseen_counts)
    weight = p**depth
    last_overlap = float(overlap_by_depth[-1]) if length else 0.0
    factor = (1 - p) / p
    tail_weight = p ** (length + 1) / (1 - p)
    return Rbo(
        factor
        * (
            float(
                weight @ ((overlap_by_depth + unseen_counts * last_agreement * mean_share) / size)
            )
            + _compute_extrapolated_agreement(last_overlap, last_agreement, s, length) * tail_weight
        ),
        factor
        * (float(weight @ (overlap_by_depth / size)) + last_overlap * _compute_tail_sum(p, length)),
        factor
        * (
            float(weight @ ((overlap_by_depth + highest_share) / size))
            + _compute_highest_tail(p, s, length, int(last_overlap))
        ),
    )


@dataclass(frozen=True, slots=True, eq=False)
class _DepthProfile:
    """Tie groups of a ranking, and the shares of its items in the top d, for each depth d.

    D is the number of depths. An item without ties is a tie group of one item. The share of an item
    is 1 if its tie group is inside the top d, 0 if the group is below, and between 0 and 1 if the
    end of the top d divides the group.
    """

    # first and last rank of each item's tie group, shape (K,); D + 1 if the ranking lacks the item
    top: Longs
    bottom: Longs
    share: Floats  # share of the items of the tie group at rank d in the top d, shape (D,)
    total: Floats  # sum of the shares of all items in the top d, shape (D,)
    squares: Floats  # sum of the squared shares of all items in the top d, shape (D,)

    @classmethod
    def from_spans(cls, spans: RankSpans, depths: int, ties: RboTies) -> "_DepthProfile":
        depth = np.arange(1, depths + 1)
        is_ranked = spans.top > 0
        # unknown items below the end of the ranking are assumed to be untied
        top = depth.copy()
        bottom = depth.copy()
        for rank_at_depth, rank_of_item in ((top, spans.top), (bottom, spans.bottom)):
            rank_at_top = np.zeros(depths + 1, dtype=np.int64)
            rank_at_top[spans.top[is_ranked]] = rank_of_item[is_ranked]
            rank_at_depth[: spans.length] = np.maximum.accumulate(rank_at_top)[1 : spans.length + 1]
        share: Floats = (
            np.ones(depths) if ties == "w" else (depth - top + 1.0) / (bottom - top + 1.0)
        )
        total = bottom.astype(np.float64) if ties == "w" else depth.astype(np.float64)
        squares = np.asarray(top - 1 + (bottom - top + 1) * share * share, dtype=np.float64)
        missing_depth = depths + 1
        return cls(
            np.where(is_ranked, spans.top, missing_depth),
            np.where(is_ranked, spans.bottom, missing_depth),
            share,
            total,
            squares,
        )

    def split_depths(
        self, depths: int
    ) -> tuple[tuple[Longs, Longs, Floats], tuple[Longs, Longs, Floats]]:
        """Return two ranges of depths for each item, and the share of an item at each depth.

        In the first range, the top d contains only a part of the item's tie group; in the second
        range, it contains the whole group. Each range is represented by the first and the last
        depth of each item, and the share at each depth.
        """
        return (self.top, self.bottom, self.share), (
            self.bottom + 1,
            np.full_like(self.bottom, depths),
            np.ones(depths),
        )


def _compute_shared_by_depth(
    pair: RankPair, profiles: tuple[_DepthProfile, _DepthProfile], depths: int
) -> Floats:
    """Return, for each depth, the sum over items of the product of their shares in both rankings.

    The shape is (D,).
    """
    result = np.zeros(depths)
    for first in profiles[0].split_depths(depths):
        for second in profiles[1].split_depths(depths):
            start = np.maximum(first[0], second[0])[pair.common]
            end = np.minimum(first[1], second[1])[pair.common]
            result += first[2] * second[2] * _count_covering(start, end, depths)
    return result


def _count_covering(start: Longs, end: Longs, depths: int) -> Longs:
    """Return, for each depth from 1 to `depths`, the number of intervals that contain it."""
    is_covering = start <= end
    count_changes = (
        np.bincount(start[is_covering], minlength=depths + 2)[: depths + 2]
        - np.bincount(end[is_covering] + 1, minlength=depths + 2)[: depths + 2]
    )
    return np.cumsum(count_changes)[1 : depths + 1]


def _compute_size_by_depth(
    profiles: tuple[_DepthProfile, _DepthProfile], depth: Longs, ties: RboTies
) -> Floats:
    """Return the divisor of the overlap at each depth, shape (D,)."""
    if ties == "a":
        return depth.astype(np.float64)
    if ties == "w":
        return (profiles[0].total + profiles[1].total) / 2
    return np.sqrt(profiles[0].squares) * np.sqrt(profiles[1].squares)


def _compute_unmatched_share(
    pair: RankPair, longer_profile: _DepthProfile, unseen_counts: Longs
) -> tuple[Floats, Floats]:
    """Return, for each depth, two values for the items that the shorter ranking lacks.

    The first is the mean share of these items in the top d of the longer ranking. The second is the
    highest overlap that the items can add if the unseen ranks of the shorter ranking contain them.
    Both have the shape (D,).
    """
    is_missing = pair.first == 0
    depths = len(unseen_counts)
    entering_counts, inside_counts = (
        _count_covering(start[is_missing], end[is_missing], depths)
        for start, end, _ in longer_profile.split_depths(depths)
    )
    mean_share = (inside_counts + longer_profile.share * entering_counts) / np.maximum(
        inside_counts + entering_counts, 1
    )
    highest_share = np.minimum(unseen_counts, inside_counts) + longer_profile.share * np.clip(
        unseen_counts - inside_counts, 0, entering_counts
    )
    return mean_share, highest_share


def _compute_extrapolated_agreement(
    last_overlap: float, shorter_agreement: float, s: int, length: int
) -> float:
    return (last_overlap + (length - s) * shorter_agreement) / length if length else 0.0


def _compute_tail_sum(p: float, length: int) -> float:
    """Return Σ p^d / d over all depths d > `length`."""
    depth = np.arange(1, length + 1)
    return max(0.0, math.log(1 / (1 - p)) - float((p**depth / depth).sum()))


def _compute_highest_tail(p: float, s: int, length: int, total_overlap: int) -> float:
    """Return Σ p^d A_d over all depths d > `length`, if agreement A_d is as high as possible.

    `s` and `length` are the lengths of the rankings, and `total_overlap` is their overlap.
    """
    full_depth = length + s - total_overlap
    depth = np.arange(length + 1, full_depth + 1)
    agreement = (2 * depth - length - s + total_overlap) / depth
    return float((agreement * p**depth).sum()) + p ** (full_depth + 1) / (1 - p)


# Rank correlations by name

list_correlations = CORRELATIONS.catalogue


def parse_statistics(names: Iterable[str]) -> tuple[Statistic, ...]:
    """Parse names of statistics and remove duplicates; raise MeasureError for an unknown name.

    >>> [each.name for each in parse_statistics(["tau_b", "RBO(p=.8)", "overlap@10"])]
    ['tau-b', 'rbo(p=0.8)', 'overlap@10']
    """
    return tuple(
        {statistic.name: statistic for statistic in map(CORRELATIONS.parse, names)}.values()
    )


def correlate(
    first: Iterable[object], second: Iterable[object], by: str = "tau-b", *, items: Items = "common"
) -> float:
    """Return the rank correlation of two rankings by the statistic `by`.

    A ranking contains items, the best first; tied items are nested in a set, list or tuple. For an
    asymmetric statistic, the first ranking is the true one. `items` selects the items that
    statistics of kind `order` compare, see `ITEMS_MEAN`; the result is 0 if there are none. Raises
    MeasureError for an unknown name or a duplicate item.

    >>> correlate(["d123", "d84", "d56", "d6", "d8"], ["d56", "d123", "d84", "d8", "d6"], "tau")
    0.4
    """
    return CORRELATIONS.parse(by).compute(RankPair.of_lists(first, second), items)
