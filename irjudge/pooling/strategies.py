"""Pooling strategies, and their registry."""

import math
from abc import ABC, abstractmethod
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Annotated, Any, Literal, TypeAlias, TypeVar, get_args

import numpy as np
import scipy

from irjudge.catalogue import Catalogue, summarise
from irjudge.errors import IrjudgeError
from irjudge.message import Message
from irjudge.metrics import (
    Parameter,
    Range,
    Value,
    format_name,
    list_parameters,
    read_values,
    split_name,
)
from irjudge.model import Floats, Longs
from irjudge.pooling.candidates import Candidates, TopicLists
from irjudge.stats import TopicRandom

# Registry of pooling strategies, which are declared by the decorator `strategy`

# Kind of a strategy: it scores all documents (`scores`), selects one document after another
# (`walk`), or draws a random sample (`sample`).
Kind: TypeAlias = Literal["scores", "walk", "sample"]
KINDS: tuple[Kind, ...] = get_args(Kind)
Need: TypeAlias = Literal["depth", "size"]
Function = TypeVar("Function", bound=Callable[..., Any])


@dataclass(frozen=True, slots=True)
class StrategyDeclaration:
    """Registry entry of a pooling strategy: names, formula, kind, parameters and function.

    The kind determines the arguments and the result of the function: it scores all documents,
    selects one document after another, or draws a random sample. The function's docstring is the
    help of the strategy.
    """

    name: str  # name, such as `rrf`
    title: str  # title, such as `Reciprocal rank fusion`
    formula: str  # formula, in one line of plain text
    # `scores`: the function returns a score for each of P `Candidates`, higher scores first;
    # `walk`: it returns an `AdaptiveStrategy` for one topic; `sample`: it returns a `TopicSample`
    kind: Kind
    adaptive: bool  # whether the next document depends on earlier judgments
    seeded: bool  # whether the strategy uses random numbers, so that a seed matters
    needs: tuple[Need, ...]  # options that must be given: `depth`, `size`, both or none
    parameters: tuple[Parameter, ...]  # parameters, in the order of the function's parameters
    function: Callable[..., Any]  # function whose arguments and result depend on the kind

    @property
    def purpose(self) -> str:
        """First paragraph of the function's docstring."""
        return summarise(self.function)


@dataclass(frozen=True, slots=True)
class Strategy:
    """Pooling strategy with a value for each of its parameters, such as `rrf` with k = 60."""

    declaration: StrategyDeclaration
    parameters: tuple[tuple[str, Value], ...]

    @property
    def name(self) -> str:
        """Printed name with the values of all parameters, such as `rrf(k=60)`."""
        return format_name(
            self.declaration.name,
            self.declaration.parameters,
            self.parameters,
            dict(self.parameters),
            None,
        )

    def compute(self, *arguments: Any) -> Any:
        """Return the result of the strategy's function, called with the parameters' values."""
        return self.declaration.function(*arguments, **dict(self.parameters))


class StrategyRegistry(Catalogue[StrategyDeclaration]):
    """Registry of pooling strategies by name, ordered by kind: `scores`, `walk`, `sample`.

    The decorator `strategy` registers a function; `parse` converts a text such as `rrf(k=20)`.
    """

    def __init__(self) -> None:
        super().__init__(
            Message("Strategy"), sort_key=lambda declaration: KINDS.index(declaration.kind)
        )

    def strategy(
        self,
        name: str,
        *,
        title: str,
        formula: str,
        kind: Kind = "scores",
        adaptive: bool = False,
        seeded: bool = False,
        needs: tuple[Need, ...] = (),
    ) -> Callable[[Function], Function]:
        """Register the decorated function; see `StrategyDeclaration` for the keywords."""

        def register(function: Function) -> Function:
            declaration = StrategyDeclaration(
                name,
                Message(title),
                formula,
                kind,
                adaptive,
                seeded,
                needs,
                list_parameters(function),
                function,
            )
            if not declaration.purpose:
                raise TypeError(f"{name} needs a docstring: the help is made from it")
            self.add(declaration)
            return function

        return register

    def parse(self, text: str, *, additional_names: Sequence[str] = ()) -> Strategy:
        """Parse a strategy name such as `rrf(k=20)`.

        Raises IrjudgeError if the name or a parameter is unknown, or if a value is out of range.
        The message about an unknown name also suggests `additional_names`.
        """
        base_name, bracket_text, at_text = split_name(text.strip(), NAME_FORMAT)
        declaration = self.lookup(base_name) if at_text is None else None
        if declaration is None:
            raise self.unknown_name_error(
                text, self.nearest(base_name, additional_names), additional_names
            )
        values = read_values(declaration.parameters, bracket_text, declaration.name, text)
        return Strategy(
            declaration,
            tuple(
                (parameter.name, values.get(parameter.name, parameter.default))
                for parameter in declaration.parameters
            ),
        )


NAME_FORMAT = Message("expected a strategy in the form name or name(parameter=value)")
STRATEGIES = StrategyRegistry()
strategy = STRATEGIES.strategy


# Strategies that score all retrieved documents: by depth, votes or ranks

Persistence = Annotated[float, Range(0, 1)]
# number of pairs of documents that are compared at a time, few enough for the processor's cache
ENTRIES_PER_BLOCK = 200_000


@strategy("depth", title="Depth k", formula="lowest rank in any run", needs=("depth",))
def depth(candidates: Candidates) -> Floats:
    """Take the top documents of each run; this is the standard method, which also suits the
    evaluation of later runs.

    References
    ----------
    Spärck Jones and van Rijsbergen (1975), Report on the need for and provision of an "ideal" test collection.
    """
    return -candidates.best_rank.astype(np.float64)


@strategy("take", title="Take N", formula="lowest rank in any run", needs=("size",))
def take(candidates: Candidates) -> Floats:
    """Take as many documents per topic as can be judged, starting with those that have the best
    rank in any run.

    References
    ----------
    Lipani, Lupu and Hanbury (2017), Visual Pool, SIGIR.
    """
    return -candidates.best_rank.astype(np.float64)


@strategy(
    "fair-take",
    title="Fair take N",
    formula="lowest rank in any run, then the number of runs that retrieved it",
    needs=("size",),
)
def fair_take(candidates: Candidates) -> Floats:
    """Take as many documents as can be judged; if only some documents of the last rank fit, take
    those retrieved by the most runs.

    References
    ----------
    Lipani, Palotti, Lupu, Piroi, Zuccon and Hanbury (2017), Fixed-cost pooling strategies based on IR evaluation measures, ECIR.
    """
    return -candidates.best_rank.astype(np.float64) + candidates.votes / (len(candidates.runs) + 1)


@strategy("votes", title="Votes", formula="number of runs that retrieved it")
def votes(candidates: Candidates) -> Floats:
    """Prefer documents retrieved by the most runs."""
    return candidates.votes.astype(np.float64)


@strategy(
    "borda",
    title="Borda count",
    formula="−Σ rank; documents missing from a run get the mean of its remaining ranks",
)
def borda(candidates: Candidates) -> Floats:
    """Prefer documents with a low rank sum; documents missing from a run get the mean of the
    remaining ranks of that run.

    References
    ----------
    Aslam and Montague (2001), Models for metasearch, SIGIR.
    """
    list_lengths = np.repeat(np.diff(candidates.starts), len(candidates.runs))
    missing_rank = (list_lengths + candidates.list_length + 1) / 2
    missing_sum = missing_rank.reshape(len(candidates.topics), len(candidates.runs)).sum(axis=1)
    sums: Floats = (
        candidates.sum_by_pair(candidates.entry_rank - missing_rank[candidates.list_code])
        + missing_sum[candidates.topic]
    )
    return -sums


@strategy(
    "condorcet",
    title="Condorcet",
    formula="number of documents that more runs rank below it than above",
)
def condorcet(candidates: Candidates) -> Floats:
    """Prefer documents that win the most pairwise majority votes of the runs.

    References
    ----------
    Montague and Aslam (2002), Condorcet fusion for improved retrieval, CIKM.
    """
    return np.concatenate(
        [
            _count_duel_wins(candidates.get_topic_lists(topic).rank)
            for topic in range(len(candidates.topics))
        ]
        or [np.empty(0)]
    )


def _count_duel_wins(rank: np.ndarray) -> Floats:
    """Return, for each document of a topic, how many others it beats by a majority of runs.

    `rank` is as in `TopicLists`. In a run, a retrieved document beats a document that the run
    lacks.
    """
    # 16-bit integers are used if they suffice, since they are compared faster
    integer_type = np.int16 if rank.max(initial=0) < np.iinfo(np.int16).max else np.int32
    rank_or_last = np.where(rank == 0, np.iinfo(integer_type).max, rank).astype(integer_type)
    count = rank.shape[1]
    wins = np.zeros(count)
    block_size = max(1, ENTRIES_PER_BLOCK // max(1, count))
    for start in range(0, count, block_size):
        margin = np.zeros((min(block_size, count - start), count), dtype=np.int16)
        for row in rank_or_last:
            own_rank = row[start : start + block_size, None]
            margin += row > own_rank
            margin -= row < own_rank
        wins[start : start + block_size] = (margin > 0).sum(axis=1)
    return wins


@strategy("rrf", title="Reciprocal rank fusion", formula="Σ 1 / (k + rank)")
def reciprocal_rank_fusion(
    candidates: Candidates, *, k: Annotated[float, Range(0)] = 60.0
) -> Floats:
    """Prefer documents ranked high by many runs; no scores and no judgments are needed.

    References
    ----------
    Cormack, Clarke and Büttcher (2009), Reciprocal rank fusion outperforms Condorcet and individual rank learning methods, SIGIR.
    """
    return candidates.sum_by_pair(1 / (k + candidates.entry_rank.astype(np.float64)))


@strategy("dcg", title="DCG mass", formula="Σ 1 / log2(rank + 1)")
def dcg_mass(candidates: Candidates) -> Floats:
    """Prefer documents with the greatest weight in the runs' discounted cumulative gain.

    References
    ----------
    Lipani, Palotti, Lupu, Piroi, Zuccon and Hanbury (2017), Fixed-cost pooling strategies based on IR evaluation measures, ECIR.
    """
    return candidates.sum_by_pair(1 / np.log2(candidates.entry_rank + 1.0))


@strategy("rbp-a", title="RBP mass", formula="Σ (1 − p) p^(rank − 1)")
def rbp_mass(candidates: Candidates, *, p: Persistence = 0.8) -> Floats:
    """Prefer documents with the greatest weight in the runs' rank-biased precision.

    References
    ----------
    Moffat, Webber and Zobel (2007), Strategic system comparisons via targeted relevance judgments, SIGIR.
    """
    return candidates.sum_by_pair((1 - p) * p ** (candidates.entry_rank.astype(np.float64) - 1))


# Strategies based on the scores in runs, scaled to 0–1 for each run and topic


def _scale_scores(candidates: Candidates) -> Floats:
    """Return the scores of entries, scaled to 0–1 for each run and topic, shape (E,).

    The lowest score of a ranking becomes 0 and the highest 1; if all are equal, they become 1.
    """
    max_float = np.finfo(np.float64).max
    # scores are divided by 2, so that their differences do not overflow
    score = np.clip(candidates.entry_score, -max_float, max_float) / 2
    low = np.full(len(candidates.list_length), np.inf)
    max_scores = np.full(len(candidates.list_length), -np.inf)
    np.minimum.at(low, candidates.list_code, score)
    np.maximum.at(max_scores, candidates.list_code, score)
    low, max_scores = low[candidates.list_code], max_scores[candidates.list_code]
    width = np.where(max_scores > low, max_scores - low, 1)
    return np.where(max_scores > low, (score - low) / width, 1.0)


@strategy("combsum", title="CombSUM", formula="Σ score, scaled to 0–1 in each run")
def comb_sum(candidates: Candidates) -> Floats:
    """Prefer documents with high scores in many runs.

    References
    ----------
    Fox and Shaw (1994), Combination of multiple searches, TREC-2.
    """
    return candidates.sum_by_pair(_scale_scores(candidates))


@strategy("combmnz", title="CombMNZ", formula="number of runs × Σ score, scaled to 0–1 in each run")
def comb_mnz(candidates: Candidates) -> Floats:
    """Prefer documents with high scores in many runs, weighted by the number of runs; this finds
    many relevant documents.

    References
    ----------
    Fox and Shaw (1994), Combination of multiple searches, TREC-2.
    """
    return comb_sum(candidates) * candidates.votes


@strategy(
    "combanz",
    title="CombANZ",
    formula="mean of the scores, scaled to 0–1 in each run, over the runs that retrieved it",
)
def comb_anz(candidates: Candidates) -> Floats:
    """Prefer documents with a high mean score in the runs that retrieved them, however few these
    runs are.

    References
    ----------
    Fox and Shaw (1994), Combination of multiple searches, TREC-2.
    """
    return comb_sum(candidates) / np.maximum(candidates.votes, 1)


@strategy("combmax", title="CombMAX", formula="highest score, scaled to 0–1 in each run")
def comb_max(candidates: Candidates) -> Floats:
    """Prefer documents with a high score in any run.

    References
    ----------
    Fox and Shaw (1994), Combination of multiple searches, TREC-2.
    """
    highest_scores = np.zeros(len(candidates))
    np.maximum.at(highest_scores, candidates.entry_pair, _scale_scores(candidates))
    return highest_scores


@strategy(
    "combmin",
    title="CombMIN",
    formula="lowest score, scaled to 0–1 in each run, over the runs that retrieved it",
)
def comb_min(candidates: Candidates) -> Floats:
    """Prefer documents whose lowest score among the runs that retrieved them is high.

    References
    ----------
    Fox and Shaw (1994), Combination of multiple searches, TREC-2.
    """
    lowest = np.ones(len(candidates))
    np.minimum.at(lowest, candidates.entry_pair, _scale_scores(candidates))
    return lowest


@strategy(
    "combmed",
    title="CombMED",
    formula="median of the scores, scaled to 0–1 in each run, over the runs that retrieved it",
)
def comb_med(candidates: Candidates) -> Floats:
    """Prefer documents with a high median score in the runs that retrieved them.

    References
    ----------
    Fox and Shaw (1994), Combination of multiple searches, TREC-2.
    """
    score = _scale_scores(candidates)
    sorted_scores = score[np.lexsort((score, candidates.entry_pair))]
    start = np.concatenate(([0], np.cumsum(candidates.votes)))[:-1]
    return (
        sorted_scores[start + (candidates.votes - 1) // 2]
        + sorted_scores[start + candidates.votes // 2]
    ) / 2


# Sampling strategies with known inclusion probabilities, for estimates of measures

Relevant: TypeAlias = Callable[[int], bool]


@dataclass(frozen=True, slots=True, eq=False)
class TopicSample:
    """Documents that a strategy selected from the n retrieved documents of a topic.

    Strategies that do not sample have one stratum, and all inclusion probabilities are 1.
    """

    order: list[int]  # codes of the selected documents, in the order of the pool
    stratum: Longs  # stratum of each document, selected or not, shape (n,)
    # inclusion probability of each document, shape (n,), from 0 to 1; above 0 if it was selected
    probability: Floats


Share = Annotated[float, Range(0, 1, above=True)]


@strategy(
    "sample",
    title="Random sample",
    formula="each document with the same probability",
    kind="sample",
    seeded=True,
)
def uniform(
    lists: TopicLists,
    topic_random: TopicRandom,
    size: int | None,
    _relevant: Relevant,
    *,
    share: Share = 0.2,
) -> TopicSample:
    """Sample a share of the retrieved documents; with infAP, this strategy ranks runs most
    accurately for a given cost, but finds the fewest relevant documents.

    References
    ----------
    Yilmaz and Aslam (2006), Estimating average precision with incomplete and imperfect judgments, CIKM, 102–111.
    """
    return _draw_from_strata(np.zeros(len(lists), dtype=np.int64), (share,), size, topic_random)


@strategy(
    "stratified",
    title="Stratified sample",
    formula="a share of each stratum; strata end at the ranks `edges`, by the lowest rank in any run",
    kind="sample",
    seeded=True,
)
def stratified(
    lists: TopicLists,
    topic_random: TopicRandom,
    size: int | None,
    _relevant: Relevant,
    *,
    edges: Annotated[tuple[float, ...], Range(1)] = (10.0,),
    rates: Annotated[tuple[float, ...], Range(0, 1, above=True)] = (1.0, 0.2),
) -> TopicSample:
    """Select all top documents of the runs and a sample of the other documents, for xinfAP
    estimates; a given size is the total of both.

    References
    ----------
    Yilmaz, Kanoulas and Aslam (2008), A simple and efficient sampling method for estimating AP and NDCG, SIGIR, 603–610.
    """
    if len(rates) != len(edges) + 1 or list(edges) != sorted(set(edges)):
        raise IrjudgeError(
            "Strata bounded by {edges} increasing ranks need {needed} sampling rates, got {rates}.",
            key="wrong-number-of-rates",
            edges=len(edges),
            needed=len(edges) + 1,
            rates=len(rates),
        )
    best_rank = np.where(lists.rank > 0, lists.rank, np.iinfo(np.int32).max).min(axis=0)
    return _draw_from_strata(np.searchsorted(edges, best_rank), rates, size, topic_random)


def _draw_from_strata(
    stratum: Longs, rates: tuple[float, ...], size: int | None, topic_random: TopicRandom
) -> TopicSample:
    """Sample documents of each stratum without replacement.

    If `size` is None, the rate of a stratum determines the number of its sampled documents (see
    `draws_by_rate`). Otherwise `size` documents are sampled in total (see `draws_by_size`).
    """
    stratum_sizes = np.bincount(stratum, minlength=len(rates))
    counts = (
        draws_by_rate(stratum_sizes, np.array(rates))
        if size is None
        else draws_by_size(stratum_sizes, np.array(rates), size)
    )
    random_numbers = topic_random.draw_numbers(len(stratum))
    order: list[int] = []
    for stratum_code, count in enumerate(counts.tolist()):
        documents = np.flatnonzero(stratum == stratum_code)
        order += documents[np.argsort(random_numbers[documents])][:count].tolist()
    return TopicSample(order, stratum, (counts / np.maximum(stratum_sizes, 1))[stratum])


def draws_by_rate(stratum_sizes: Longs, rates: Floats) -> Longs:
    """Return the sample size of each stratum: its size times its rate, rounded.

    The sample size is at least 1, unless the stratum is empty.

    >>> draws_by_rate(np.array([4, 10, 2, 0]), np.array([1, 0.25, 0.1, 0.5])).tolist()
    [4, 3, 1, 0]
    """
    return np.minimum(stratum_sizes, np.maximum(1, np.floor(stratum_sizes * rates + 0.5))).astype(
        np.int64
    )


def draws_by_size(stratum_sizes: Longs, rates: Floats, size: int) -> Longs:
    """Return the sample size of each stratum, for a sample of `size` documents in total.

    If `size` allows it, strata with rate 1 are included entirely; the rest is divided among the
    other strata in proportion to rate × number of documents. If `size` is too small, all strata are
    sampled in this proportion. At least one document of each non-empty stratum is sampled, if
    `size` allows it.

    >>> draws_by_size(np.array([4, 10, 20]), np.array([1, 0.5, 0.25]), 10).tolist()
    [4, 3, 3]
    >>> draws_by_size(np.array([4, 10, 20]), np.array([1, 0.5, 0.25]), 100).tolist()
    [4, 10, 20]
    """
    size = min(size, int(stratum_sizes.sum()))
    is_complete = (rates >= 1) & (stratum_sizes > 0)
    other_size = int(np.count_nonzero(stratum_sizes[~is_complete]))
    complete_sizes = (
        np.where(is_complete, stratum_sizes, 0)
        if stratum_sizes[is_complete].sum() + other_size <= size
        else np.zeros_like(stratum_sizes)
    )
    is_sampled = (stratum_sizes > 0) & (complete_sizes == 0)
    counts = (
        complete_sizes + np.where(is_sampled, 1, 0)
        if size >= complete_sizes.sum() + is_sampled.sum()
        else complete_sizes.copy()
    )
    weight = np.where(is_sampled, stratum_sizes * rates, 0.0)
    while counts.sum() < size:  # adds a document of the stratum furthest below its proportion
        can_grow = is_sampled & (counts < stratum_sizes)
        counts[np.argmax(np.where(can_grow, weight / (counts + 0.5), -1))] += 1
    return counts


@strategy(
    "active",
    title="Active sampling",
    formula="rank with probability ln(Z / rank) from runs weighted by the average precision seen in them, with replacement",
    kind="sample",
    adaptive=True,
    seeded=True,
    needs=("size",),
)
def active(
    lists: TopicLists,
    topic_random: TopicRandom,
    size: int,
    relevant: Relevant,
    *,
    batch: Annotated[int, Range(1)] = 5,
) -> TopicSample:
    """Sample more from runs with relevant documents, with known inclusion probabilities, for
    Horvitz–Thompson estimates.

    Notes
    -----
    Z is one more than the longest ranking, and each run keeps some weight, so that each document
    can be drawn. The weights of the runs change after `batch` draws, or after more draws if many
    documents are judged: a tenth of their number. A relevant document makes its own runs, and so
    itself, more likely to be drawn again. Its inclusion probability is computed without this
    effect, since the actual probability would make the estimates too low.

    References
    ----------
    Li and Kanoulas (2017), Active sampling for large-scale information retrieval evaluation, CIKM.
    """
    count = len(lists)
    if size >= count:
        return TopicSample(list(range(count)), np.zeros(count, dtype=np.int64), np.ones(count))
    prior, evidence = _compute_run_priors(lists)
    initial_log_odds = np.where(prior.any(axis=1), evidence.mean(), 0.0)
    relevance: dict[int, bool] = {}
    log_miss_probabilities = np.zeros(count)
    while len(relevance) < size:
        relevant_documents = [
            document for document, is_relevant in relevance.items() if is_relevant
        ]
        merit = initial_log_odds + evidence[:, relevant_documents].sum(axis=1)
        probabilities = merit @ prior / merit.sum()
        draws = np.searchsorted(
            np.cumsum(probabilities),
            topic_random.draw_numbers(max(batch, len(relevance) // 10)) * probabilities.sum(),
        ).tolist()
        draw_count = _count_draws(draws, relevance, size)
        for document in dict.fromkeys(draws[:draw_count]):
            if document not in relevance:
                relevance[document] = relevant(document)
        merit_of_others = merit[:, None] - evidence[:, relevant_documents]
        probabilities[relevant_documents] = (merit_of_others * prior[:, relevant_documents]).sum(
            axis=0
        ) / merit_of_others.sum(axis=0)
        log_miss_probabilities += draw_count * np.log1p(-np.minimum(probabilities, 1 - 2**-52))
    return TopicSample(
        list(relevance), np.zeros(count, dtype=np.int64), -np.expm1(log_miss_probabilities)
    )


def _count_draws(draws: list[int], drawn_before: dict[int, bool], size: int) -> int:
    """Return how many of the draws are needed until `size` distinct documents have been drawn.

    Distinct documents include those in `drawn_before`. If there are fewer than `size` distinct
    documents, all draws are needed.
    """
    new_documents: set[int] = set()
    for draw_count, document in enumerate(draws, 1):
        if document not in drawn_before:
            new_documents.add(document)
        if len(drawn_before) + len(new_documents) == size:
            return draw_count
    return len(draws)


def _compute_run_priors(lists: TopicLists) -> tuple[Floats, Floats]:
    """Return two values for each run and document of a topic, shape (S, n) each.

    The first value is the probability of drawing the document after the run has been drawn. The
    second value is added to the weight of the run if the document is relevant.
    """
    max_rank = int(lists.rank.max(initial=0))
    ranks = np.arange(1, max_rank + 1)
    prior = np.concatenate(([0.0], np.log((max_rank + 1) / ranks)))[lists.rank]
    evidence = np.concatenate(([0.0], np.cumsum(1 / ranks[::-1])[::-1]))[lists.rank]
    return prior / np.maximum(prior.sum(axis=1, keepdims=True), 1e-300), evidence


# Adaptive strategies, which select one document at a time and learn from each judgment

# Values are tied if they are equal after rounding to this number of decimals, since sums over runs
# have rounding errors.
DECIMALS = 12


class AdaptiveStrategy(ABC):
    """Base class of strategies that select the documents of a topic one after another.

    The caller alternates between `next`, which returns a document, and `tell`, which records its
    judgment. Documents and runs are numbered as in `TopicLists`.
    """

    def __init__(self, lists: TopicLists) -> None:
        self._lists = lists
        self._retrieved = lists.rank > 0
        self._is_unjudged = np.ones(len(lists), dtype=bool)
        self._unjudged_counts = self._retrieved.sum(axis=1)
        self._positions = [0] * len(lists.rank)

    @property
    def judged_count(self) -> int:
        """Number of judged documents."""
        return int(np.count_nonzero(~self._is_unjudged))

    @abstractmethod
    def next(self) -> int:
        """Return the code of the document to judge next."""

    def tell(self, document: int, *, relevant: bool) -> None:
        """Record the judgment of a document, whether `next` returned it or not.

        Repeated judgments of a document have no effect.
        """
        if self._is_unjudged[document]:
            self._is_unjudged[document] = False
            self._unjudged_counts -= self._retrieved[:, document]
            self._learn(document, relevant)

    @abstractmethod
    def _learn(self, document: int, is_relevant: bool) -> None:
        """Update the statistics of the runs after the first judgment of a document."""

    def _find_best_document(self, values: Floats) -> int:
        """Return the code of the unjudged document with the highest value.

        Ties are broken by the best rank in any run, then by id.
        """
        return int(np.argmax(np.where(self._is_unjudged, np.round(values, DECIMALS), -np.inf)))

    def _find_best_run(self, values: Floats) -> int:
        """Return the index of the run with the highest value, among runs with unjudged documents.

        Of tied runs, the first run is returned.
        """
        return int(
            np.argmax(np.where(self._unjudged_counts > 0, np.round(values, DECIMALS), -np.inf))
        )

    def _find_first_unjudged(self, run: int) -> int:
        """Return the code of a run's highest-ranked unjudged document, which must exist."""
        ranked_documents = self._lists.ranked_documents[run]
        while not self._is_unjudged[ranked_documents[self._positions[run]]]:
            self._positions[run] += 1
        return ranked_documents[self._positions[run]]


# Strategies that treat runs as arms of a bandit: they select the next document of the best run


# Function that returns the value of each of S runs. Its arguments are the numbers of relevant and
# of judged documents of each run, and the total number of judged documents.
RunValueFunction: TypeAlias = Callable[[Floats, Floats, int], Floats]


class BestRunStrategy(AdaptiveStrategy):
    """Strategy that selects the next unjudged document of the run with the highest value.

    `value` computes the values of the runs, mainly from their numbers of relevant and of judged
    documents. Before a judgment of a document is added, both numbers of each run that retrieved it
    are multiplied by `memory`. With 1, all judgments count equally; with 0, only the run's latest
    judgment counts. Of tied runs, the first run is used.
    """

    def __init__(self, lists: TopicLists, value: RunValueFunction, memory: float = 1.0) -> None:
        super().__init__(lists)
        self._compute_values, self._decay = value, memory
        self._relevant_counts, self._judged_counts = (
            np.zeros(len(lists.rank)),
            np.zeros(len(lists.rank)),
        )

    def next(self) -> int:
        """Return the first unjudged document of the best run."""
        return self._find_first_unjudged(
            self._find_best_run(
                self._compute_values(self._relevant_counts, self._judged_counts, self.judged_count)
            )
        )

    def _learn(self, document: int, is_relevant: bool) -> None:
        is_retrieving = self._retrieved[:, document]
        self._relevant_counts[is_retrieving] = (
            self._decay * self._relevant_counts[is_retrieving] + is_relevant
        )
        self._judged_counts[is_retrieving] = self._decay * self._judged_counts[is_retrieving] + 1


class MoveToFrontStrategy(AdaptiveStrategy):
    """Strategy move-to-front, which selects a run's documents until one is non-relevant.

    The next run is then the one from which the fewest non-relevant documents were selected.
    """

    def __init__(self, lists: TopicLists) -> None:
        super().__init__(lists)
        self._priority = np.zeros(len(lists.rank))
        self._run = -1
        self._last_document = -1

    def next(self) -> int:
        """Return the first unjudged document of the current run.

        If there is no current run, or all of its documents are judged, the run with the highest
        priority becomes the current run.
        """
        if self._run < 0 or not self._unjudged_counts[self._run]:
            self._run = self._find_best_run(self._priority)
        self._last_document = self._find_first_unjudged(self._run)
        return self._last_document

    def _learn(self, document: int, is_relevant: bool) -> None:
        if document == self._last_document and not is_relevant:
            self._priority[self._run] -= 1
            self._run = -1


@strategy(
    "mtf",
    title="Move to front",
    formula="stay with a run while its documents are relevant",
    kind="walk",
    adaptive=True,
)
def move_to_front(lists: TopicLists, _topic_random: TopicRandom) -> AdaptiveStrategy:
    """Stay with a run as long as it yields relevant documents; then switch to the run that has
    yielded the fewest non-relevant documents.

    References
    ----------
    Cormack, Palmer and Clarke (1998), Efficient construction of large test collections, SIGIR.
    """
    return MoveToFrontStrategy(lists)


def _compute_posterior_mean(relevant_counts: Floats, judged_counts: Floats, _total: int) -> Floats:
    return (1 + relevant_counts) / (2 + judged_counts)


@strategy(
    "maxmean",
    title="MaxMean",
    formula="run of the highest (1 + relevant) / (2 + judged)",
    kind="walk",
    adaptive=True,
)
def max_mean(lists: TopicLists, _topic_random: TopicRandom) -> AdaptiveStrategy:
    """Take the next document of the run with the highest share of relevant documents so far, to
    find as many relevant documents as possible.

    References
    ----------
    Losada, Parapar and Barreiro (2017), Multi-armed bandits for adjudicating documents in pooling-based evaluation, IP&M.
    """
    return BestRunStrategy(lists, _compute_posterior_mean)


@strategy(
    "maxmean-ns",
    title="MaxMean, non-stationary",
    formula="run of the highest (1 + relevant) / (2 + judged), older judgments times ρ",
    kind="walk",
    adaptive=True,
)
def max_mean_forgetting(
    lists: TopicLists, _topic_random: TopicRandom, *, rho: Annotated[float, Range(0, 1)] = 0.0
) -> AdaptiveStrategy:
    """Take the next document of the run that recently yielded the largest number of relevant
    documents; each new judgment of a run multiplies the weights of its older judgments by `rho`.

    References
    ----------
    Losada, Parapar and Barreiro (2017), Multi-armed bandits for adjudicating documents in pooling-based evaluation, IP&M.
    """
    return BestRunStrategy(lists, _compute_posterior_mean, rho)


@strategy(
    "thompson",
    title="Thompson sampling",
    formula="run with the highest draw from its Beta distribution",
    kind="walk",
    adaptive=True,
    seeded=True,
)
def thompson(lists: TopicLists, topic_random: TopicRandom) -> AdaptiveStrategy:
    """Take the next document of a run chosen at random; each run is chosen with the probability
    that it is the best.

    References
    ----------
    Losada, Parapar and Barreiro (2017), Multi-armed bandits for adjudicating documents in pooling-based evaluation, IP&M.
    """

    def draw(relevant_counts: Floats, judged_counts: Floats, _total: int) -> Floats:
        sample: Floats = scipy.special.betaincinv(
            1 + relevant_counts,
            1 + judged_counts - relevant_counts,
            topic_random.draw_numbers(len(judged_counts)),
        )
        return sample

    return BestRunStrategy(lists, draw)


@strategy(
    "ucb",
    title="UCB1-tuned",
    formula="μ + √(ln N / n · min(¼, μ(1 − μ) + √(2 ln N / n)))",
    kind="walk",
    adaptive=True,
)
def upper_confidence(lists: TopicLists, _topic_random: TopicRandom) -> AdaptiveStrategy:
    """Take the next document of the run with the highest upper confidence bound; each run is tried
    once first.

    References
    ----------
    Auer, Cesa-Bianchi and Fischer (2002), Finite-time analysis of the multiarmed bandit problem, Machine Learning 47.
    """

    def upper_bounds(relevant_counts: Floats, judged_counts: Floats, total: int) -> Floats:
        trials = np.maximum(judged_counts, 1)
        mean, log_ratio = relevant_counts / trials, math.log(max(total, 1)) / trials
        upper_bound = mean + np.sqrt(
            log_ratio * np.minimum(0.25, mean * (1 - mean) + np.sqrt(2 * log_ratio))
        )
        return np.where(judged_counts > 0, upper_bound, np.inf)

    return BestRunStrategy(lists, upper_bounds)


@strategy(
    "greedy",
    title="ε-greedy",
    formula="any run with probability min(1, c · runs / (d² · step)), else the run of the highest (1 + relevant) / (2 + judged)",
    kind="walk",
    adaptive=True,
    seeded=True,
)
def epsilon_greedy(
    lists: TopicLists,
    topic_random: TopicRandom,
    *,
    c: Annotated[float, Range(0)] = 0.01,
    d: Annotated[float, Range(0, above=True)] = 0.1,
) -> AdaptiveStrategy:
    """Take the next document of the run with the highest share of relevant documents; occasionally,
    and less often as judging proceeds, take the next document of a random run.

    References
    ----------
    Auer, Cesa-Bianchi and Fischer (2002), Finite-time analysis of the multiarmed bandit problem, Machine Learning 47.
    """

    def explore(relevant_counts: Floats, judged_counts: Floats, total: int) -> Floats:
        first_number, *values = topic_random.draw_numbers(1 + len(judged_counts))
        return (
            np.array(values)
            if first_number < c * len(judged_counts) / (d**2 * (total + 1))
            else _compute_posterior_mean(relevant_counts, judged_counts, total)
        )

    return BestRunStrategy(lists, explore)


# Strategies that treat runs as experts: they select the document with the most weight in good runs


class HedgeStrategy(AdaptiveStrategy):
    """Strategy Hedge, which selects the document with the highest weighted mean gain.

    The gain of a document in a run is ln(n / rank). The weight of a run decreases with its loss.
    Non-relevant documents near the top of a run increase the loss, and relevant documents decrease
    it.
    """

    def __init__(self, lists: TopicLists, beta: float) -> None:
        super().__init__(lists)
        self._beta = beta
        size = len(lists)
        log_sums = np.concatenate((np.cumsum(np.log(np.arange(1, size + 1))[::-1])[::-1], [0.0]))
        length = self._retrieved.sum(axis=1)
        missing_loss = log_sums[length] / np.maximum(size - length, 1)
        self._gain = math.log(max(size, 1)) - np.where(
            self._retrieved, np.log(np.maximum(lists.rank, 1)), missing_loss[:, None]
        )
        self._loss = np.zeros(len(lists.rank))

    def compute_mean_gains(self) -> Floats:
        """Return the weighted mean gain of each document over the runs, shape (n,)."""
        weight = self._beta ** (self._loss - self._loss.min())
        mean_gains: Floats = weight @ self._gain / weight.sum()
        return mean_gains

    def next(self) -> int:
        """Return the unjudged document with the highest weighted mean gain."""
        return self._find_best_document(self.compute_mean_gains())

    def _learn(self, document: int, is_relevant: bool) -> None:
        self._loss += (-0.5 if is_relevant else 0.5) * self._gain[:, document]


@strategy(
    "hedge",
    title="Hedge",
    formula="Σ weight · ln(n / rank), weight = β^loss",
    kind="walk",
    adaptive=True,
)
def hedge(
    lists: TopicLists,
    _topic_random: TopicRandom,
    *,
    beta: Annotated[float, Range(0, 1, above=True)] = 0.1,
) -> AdaptiveStrategy:
    """Prefer documents ranked high by runs with many relevant documents so far.

    References
    ----------
    Aslam, Pavlu and Savell (2003), A unified model for metasearch, pooling, and system evaluation, CIKM.
    """
    return HedgeStrategy(lists, beta)


class RbpStrategy(AdaptiveStrategy):
    """Strategy that selects the document with the most weight in the rank-biased precision of runs.

    Runs are weighted by their residual, which is 1 minus the weight of their judged documents. If
    `quality` is True, they are also weighted by the cube of their precision so far plus half of the
    residual.
    """

    def __init__(self, lists: TopicLists, p: float, *, quality: bool) -> None:
        super().__init__(lists)
        self._weight = np.where(self._retrieved, (1 - p) * p ** (lists.rank - 1.0), 0.0)
        self._residual, self._base = np.ones(len(lists.rank)), np.zeros(len(lists.rank))
        self._quality = quality

    def next(self) -> int:
        """Return the unjudged document with the most weight over the runs."""
        merit = (
            self._residual * (self._base + self._residual / 2) ** 3
            if self._quality
            else self._residual
        )
        return self._find_best_document(merit @ self._weight)

    def _learn(self, document: int, is_relevant: bool) -> None:
        self._residual -= self._weight[:, document]
        if is_relevant:
            self._base += self._weight[:, document]


@strategy(
    "rbp-b", title="RBP mass × residual", formula="Σ (1 − p) p^(rank − 1) · residual", kind="walk"
)
def rbp_residual(
    lists: TopicLists, _topic_random: TopicRandom, *, p: Annotated[float, Range(0, 1)] = 0.8
) -> AdaptiveStrategy:
    """Prefer documents with the greatest weight in the runs that have been judged least; grades
    have no effect.

    References
    ----------
    Moffat, Webber and Zobel (2007), Strategic system comparisons via targeted relevance judgments, SIGIR.
    """
    return RbpStrategy(lists, p, quality=False)


@strategy(
    "rbp-c",
    title="RBP mass × residual × quality",
    formula="Σ (1 − p) p^(rank − 1) · residual · (base + residual / 2)³",
    kind="walk",
    adaptive=True,
)
def rbp_quality(
    lists: TopicLists, _topic_random: TopicRandom, *, p: Annotated[float, Range(0, 1)] = 0.8
) -> AdaptiveStrategy:
    """Prefer documents with the greatest weight in the runs that may be the best.

    References
    ----------
    Moffat, Webber and Zobel (2007), Strategic system comparisons via targeted relevance judgments, SIGIR.
    """
    return RbpStrategy(lists, p, quality=True)
