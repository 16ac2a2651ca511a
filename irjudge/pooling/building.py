"""Building of pools by any strategy."""

from collections.abc import Callable, Sequence, Set
from dataclasses import dataclass, replace
from functools import partial
from typing import TypeAlias

import numpy as np

from irjudge.errors import IrjudgeError
from irjudge.message import Message
from irjudge.metrics import format_value
from irjudge.model import (
    Floats,
    Ints,
    Longs,
    Pool,
    Qrels,
    Run,
    Ties,
    Topic,
    UnsampledDocuments,
    row_offsets,
    to_arrow_column,
)
from irjudge.pooling.candidates import Candidates, TopicLists, collect_candidates
from irjudge.pooling.strategies import (
    STRATEGIES,
    AdaptiveStrategy,
    Relevant,
    Strategy,
    StrategyDeclaration,
    TopicSample,
)
from irjudge.progress import SILENT, Progress
from irjudge.search import Learner, NearDuplicateGroups, Postings
from irjudge.stats import DEFAULT_SEED, SERIAL, TopicRandom, Workers

# Function of a topic id and a document id that returns whether the document is relevant
Judge: TypeAlias = Callable[[str, str], bool]


@dataclass(frozen=True, slots=True)
class Preset:
    """Preset of pool options, named after its purpose."""

    name: str  # such as `find-relevant`
    title: str  # such as `Find relevant documents`
    purpose: str  # one sentence
    strategy: str  # strategy name with parameters
    depth: int | None = None  # default of `PoolOptions.depth`
    first: int = 0  # default of `PoolOptions.first`


PRESETS = (
    Preset(
        "plain",
        Message("Depth only"),
        Message("Top of each run; best for evaluating later runs."),
        "depth",
        10,
    ),
    Preset(
        "rank-systems",
        Message("Rank systems"),
        Message(
            "Top 10 of each run and a sample of the rest; with xinfAP, this distinguishes runs "
            "best for a given cost."
        ),
        "stratified(edges=10,rates=1/0.2)",
        100,
    ),
    Preset(
        "find-relevant",
        Message("Find relevant documents"),
        Message(
            "Top 5 of each run, up to half of the pool size, then documents with high scores "
            "in most runs; without feedback, this finds the largest number of relevant "
            "documents."
        ),
        "combmnz",
        100,
        5,
    ),
)


@dataclass(frozen=True, slots=True)
class PoolOptions:
    """Options of a pool: strategy, limits, seed, order of ties, and topics."""

    # name in `STRATEGIES`, with or without parameters (`rrf(k=20)`), or in `PRESETS`
    strategy: str = "depth"
    depth: int | None = None  # pool only the top `depth` of each run; None for whole rankings
    # maximum number of documents per topic; None for no limit, or if the strategy's sampling rates
    # determine the number
    size: int | None = None
    # with any strategy, pool the top `first` documents of each run before all others; at most half
    # of `size`, if it is set
    first: int = 0
    # seed of random choices; equal seeds yield equal pools on all machines
    seed: int = DEFAULT_SEED
    ties: Ties = "docno"  # order of equal scores within a run
    topics: tuple[str, ...] = ()  # topic ids to pool; empty for all

    def opening(self, documents: int) -> int:
        """Return how many of a topic's `documents` the option `first` may put before others."""
        return documents if self.size is None else (self.size + 1) // 2

    def resolve(self) -> tuple[Strategy, "PoolOptions"]:
        """Return the parsed strategy, and the options with the preset applied.

        Raises IrjudgeError if a name is unknown, a value out of range, or a parameter missing.
        """
        preset = next(
            (preset for preset in PRESETS if preset.name == self.strategy.strip().lower()), None
        )
        strategy = STRATEGIES.parse(
            preset.strategy if preset else self.strategy,
            additional_names=[preset.name for preset in PRESETS],
        )
        plan = self
        if preset:
            plan = PoolOptions(
                preset.strategy,
                self.depth or preset.depth,
                self.size,
                self.first or preset.first,
                self.seed,
                self.ties,
                self.topics,
            )
        for name in ("size", "first"):
            value, lowest = getattr(plan, name), 1 if name == "size" else 0
            if value is not None and value < lowest:
                raise IrjudgeError(
                    "The pool option {name} must be at least {minimum}, got {value}.",
                    key="out-of-range",
                    name=name,
                    minimum=lowest,
                    value=value,
                )
        for option_name in strategy.declaration.needs:
            if getattr(plan, option_name) is None:
                raise IrjudgeError(
                    "The {need} is missing; the strategy {strategy} needs it (on the command line, --{need}).",
                    key="missing-need",
                    strategy=strategy.declaration.name,
                    need=option_name,
                )
        if plan.first and strategy.declaration.kind == "sample":
            raise IrjudgeError(
                "The strategy {strategy} samples at random and cannot put chosen documents "
                'first; use the strategy "stratified".',
                key="no-first",
                strategy=strategy.declaration.name,
            )
        return strategy, plan


def list_strategies() -> tuple[StrategyDeclaration, ...]:
    """Return the declarations of all strategies."""
    return STRATEGIES.catalogue()


def make_qrels_judge(qrels: Qrels, rel: int = 1) -> Judge:
    """Return a relevance function: documents with a grade of `rel` or more are relevant."""
    names = qrels.documents.take(to_arrow_column(qrels.document)).to_pylist()
    grades = zip(qrels.topic.tolist(), names, (qrels.grade >= rel).tolist(), strict=True)
    relevant = {(qrels.topics[topic], name) for topic, name, is_relevant in grades if is_relevant}
    return partial(_is_relevant, relevant)


def _is_relevant(relevant: Set[tuple[str, str]], topic: str, document: str) -> bool:
    return (topic, document) in relevant


def build_pool(
    runs: Sequence[Run],
    plan: PoolOptions | None = None,
    *,
    judge: Judge | None = None,
    progress: Progress = SILENT,
    workers: Workers = SERIAL,
) -> Pool:
    """Build a pool from one or more runs; topics and documents are compared by id.

    Strategies that process one run after another treat equally good runs in the order of `runs`.
    Adaptive strategies ask the judge about one document after another; the pool then contains the
    judged documents, in that order. Progress is reported after each run, and after each topic for
    strategies that select one document at a time; `workers` each process one topic at a time and do
    not affect the result.

    Topics are in order of first appearance, documents in the strategy's order, ties by best
    rank, then id ascending. Each document has the contributing runs and its ranks there. Raises
    IrjudgeError if there is no run, two runs have the same name, the options are invalid (the
    default options lack a depth), or an adaptive strategy has no judge.

    >>> from irjudge.model import make_run
    >>> a = make_run("a", [("1", "d1", 2.0), ("1", "d2", 1.0)])
    >>> b = make_run("b", [("1", "d3", 9.0), ("1", "d2", 8.0)])
    >>> build_pool([a, b], PoolOptions("rrf", size=2)).document.to_pylist()
    ['d2', 'd1']
    """
    strategy, plan = (plan or PoolOptions()).resolve()
    if strategy.declaration.adaptive and judge is None:
        raise IrjudgeError(
            "The strategy {strategy} learns from each judgment, so it needs existing "
            "judgments (qrels).",
            key="needs-judgments",
            strategy=strategy.declaration.name,
        )
    runs = [run.select_topics(set(plan.topics)) for run in runs] if plan.topics else runs
    candidates = collect_candidates(runs, plan.depth, ties=plan.ties, progress=progress)
    if strategy.declaration.kind == "scores":
        return _make_pool(
            candidates,
            _select_by_score(candidates, strategy.compute(candidates), plan),
            strategy,
            plan,
        )
    topic_judge = judge or partial(_is_relevant, frozenset())
    samples = workers.map_tasks(
        _run_strategy,
        (candidates, strategy, plan, topic_judge),
        range(len(candidates.topics)),
        Message("Ordering"),
        progress,
    )
    return _make_pool(candidates, _join_topics(candidates, [*samples]), strategy, plan)


def _run_strategy(
    arguments: tuple[Candidates, Strategy, PoolOptions, Judge], topic: int
) -> TopicSample:
    """Return the documents that a strategy selects for a topic; random numbers depend on its id."""
    candidates, strategy, plan, judge = arguments
    topic_wise = _select_adaptively if strategy.declaration.kind == "walk" else _sample
    name = candidates.topics[topic]
    ids = candidates.document[candidates.starts[topic] : candidates.starts[topic + 1]].to_pylist()
    return topic_wise(
        candidates.lists(topic),
        strategy,
        plan,
        TopicRandom(plan.seed, name),
        _make_relevance_function(judge, name, ids),
    )


def _make_relevance_function(judge: Judge, topic: str, ids: list[str]) -> Callable[[int], bool]:
    return lambda document: judge(topic, ids[document])


@dataclass(frozen=True, slots=True, eq=False)
class _Selection:
    """Pairs selected from P candidates.

    The selection consists of the codes of the pairs to judge, in pool order, and of the pairs that were not
    sampled, and of the stratum and the inclusion probability of all candidates.
    """

    rows: Longs
    unsampled: Longs
    stratum: Ints
    probability: Floats


def _select_by_score(candidates: Candidates, score: Floats, plan: PoolOptions) -> _Selection:
    ranks = np.arange(len(candidates)) - candidates.starts[candidates.topic]
    is_opening = (candidates.best_rank <= plan.first) & (ranks < plan.opening(len(candidates)))
    # lexsort is stable, so ties stay in the order by best rank and id
    order = np.lexsort((np.where(is_opening, 0.0, -score), ~is_opening, candidates.topic))
    position = np.arange(len(order)) - candidates.starts[candidates.topic[order]]
    rows = order if plan.size is None else order[position < plan.size]
    return _Selection(
        rows, rows[:0], np.zeros(len(candidates), dtype=np.int32), np.ones(len(candidates))
    )


def _select_adaptively(
    lists: TopicLists,
    strategy: Strategy,
    plan: PoolOptions,
    topic_random: TopicRandom,
    relevant: Relevant,
) -> TopicSample:
    count = len(lists)
    order: list[int] = []
    if count:
        best_rank = np.where(lists.rank > 0, lists.rank, np.iinfo(np.int32).max).min(axis=0)
        order = order_adaptively(
            strategy.compute(lists, topic_random),
            count,
            relevant,
            size=plan.size,
            opening_documents=np.flatnonzero(best_rank <= plan.first)[
                : plan.opening(count)
            ].tolist(),
        )
    return TopicSample(order, np.zeros(count, dtype=np.int64), np.ones(count))


def order_adaptively(
    strategy: AdaptiveStrategy,
    count: int,
    relevant: Relevant,
    *,
    size: int | None = None,
    opening_documents: Sequence[int] = (),
) -> list[int]:
    """Return the first `size` documents in the order requested by an adaptive strategy.

    They begin with `opening_documents`.
    """
    limit = count if size is None else min(size, count)
    order: list[int] = []
    while len(order) < limit:
        document = (
            opening_documents[len(order)]
            if len(order) < len(opening_documents)
            else strategy.next()
        )
        strategy.tell(document, relevant=relevant(document))
        order.append(document)
    return order


def _sample(
    lists: TopicLists,
    strategy: Strategy,
    plan: PoolOptions,
    topic_random: TopicRandom,
    relevant: Relevant,
) -> TopicSample:
    sample: TopicSample = strategy.compute(lists, topic_random, plan.size, relevant)
    return sample


def _join_topics(candidates: Candidates, samples: Sequence[TopicSample]) -> _Selection:
    """Concatenate the samples of topics."""
    rows = [
        np.array(draw.order, dtype=np.int64) + start
        for draw, start in zip(samples, candidates.starts, strict=False)
    ]
    selected_rows = np.concatenate(rows or [np.empty(0, dtype=np.int64)])
    stratum = np.concatenate(
        [draw.stratum for draw in samples] or [np.empty(0, dtype=np.int64)]
    ).astype(np.int32)
    probability = np.concatenate([draw.probability for draw in samples] or [np.empty(0)])
    is_unsampled = np.ones(len(candidates), dtype=bool)
    is_unsampled[selected_rows] = False
    return _Selection(
        selected_rows, np.flatnonzero(is_unsampled & (probability < 1)), stratum, probability
    )


def _make_pool(
    candidates: Candidates, selection: _Selection, strategy: Strategy, plan: PoolOptions
) -> Pool:
    name, parameters = strategy.declaration.name, _stored_parameters(strategy, plan)
    return candidates.pool(
        selection.rows,
        selection.unsampled,
        selection.stratum,
        selection.probability,
        name,
        parameters,
    )


def _stored_parameters(strategy: Strategy, plan: PoolOptions) -> dict[str, int | float | str]:
    """Return the parameters that reproduce the pool."""
    common_parameters = {
        "depth": plan.depth,
        "ties": plan.ties,
        "size": plan.size,
        "first": plan.first or None,
        "topics": ", ".join(plan.topics) or None,
    }
    explicit_options = {
        name: value if isinstance(value, int | float | str) else format_value(value)
        for name, value in strategy.parameters
    }
    seed = {"seed": plan.seed} if strategy.declaration.seeded else {}
    return {
        name: value
        for name, value in {**common_parameters, **explicit_options, **seed}.items()
        if value is not None
    }


# Fusion of runs: the rankings of strategies that score documents


def list_fusion_strategies() -> tuple[StrategyDeclaration, ...]:
    """Return the strategies that can fuse runs, which score documents and need no limits."""
    return tuple(
        strategy
        for strategy in list_strategies()
        if strategy.kind == "scores" and not strategy.needs
    )


def parse_fusion_strategy(name: str) -> Strategy:
    """Parse the name of a fusion strategy, such as `rrf` or `rrf(k=20)`.

    Raises IrjudgeError if the name is unknown, or the strategy does not score documents.
    """
    strategy = STRATEGIES.parse(name)
    if strategy.declaration not in list_fusion_strategies():
        names = ", ".join(strategy.name for strategy in list_fusion_strategies())
        raise IrjudgeError(
            "The strategy {strategy} provides no scores for fusing runs; use one of {names}.",
            strategy=strategy.declaration.name,
            names=names,
        )
    return strategy


def fuse_runs(
    runs: Sequence[Run],
    method: Strategy,
    name: str,
    *,
    depth: int = 1000,
    ties: Ties = "trec",
    progress: Progress = SILENT,
) -> Run:
    """Fuse two or more runs, matched by topic and document ids, with a method from
    `parse_fusion_strategy`.

    Each topic has at most `depth` documents; `ties` is the order of equal scores within a run.
    Ties of the fused run are ordered by best rank in any run, then id ascending. Raises
    IrjudgeError for fewer than two runs, or two of the same name.

    >>> from irjudge.model import make_run
    >>> a = make_run("a", [("1", "d1", 2.0), ("1", "d2", 1.0)])
    >>> b = make_run("b", [("1", "d3", 9.0), ("1", "d2", 8.0)])
    >>> fuse_runs([a, b], parse_fusion_strategy("rrf"), "both").document.to_pylist()
    ['d2', 'd1', 'd3']
    """
    if len(runs) < 2:
        raise IrjudgeError(
            "Fusion needs at least two runs, got {count}.", key="one-run", count=len(runs)
        )
    candidates = collect_candidates(runs, None, ties=ties, progress=progress)
    score = method.compute(candidates)
    order = np.lexsort((-score, candidates.topic))
    position = np.arange(len(order)) - candidates.starts[candidates.topic[order]]
    rows = order[position < depth]
    return Run(
        name=name,
        topics=candidates.topics,
        starts=np.searchsorted(candidates.topic[rows], np.arange(len(candidates.topics) + 1)),
        document=candidates.document.take(to_arrow_column(rows)),
        score=score[rows].astype(np.float64),
        rank=(position[position < depth] + 1).astype(np.int32),
        line=np.arange(1, len(rows) + 1, dtype=np.int32),
    )


# Simulation of continuous active learning


LEARNING = "learning"
LEARNING_PURPOSE = Message(
    "Learn from each judgment which document of the collection is most likely to be relevant; "
    "needs no runs."
)


def make_learner(postings: Postings, topic: Topic, seed: int = DEFAULT_SEED) -> Learner:
    """Return the learner of a topic, trained with its title, description and narrative."""
    query = postings.read("\n".join((topic.title, topic.description, topic.narrative)))
    random_order = np.argsort(TopicRandom(seed, topic.id).numbers(len(postings)), kind="stable")
    return Learner(postings, query, random_order)


def order_by_learning(
    learner: Learner, documents: Sequence[str], topic: str, judge: Judge, size: int
) -> list[int]:
    """Return the numbers of the first `size` documents, in the order requested by a learner."""
    order: list[int] = []
    while len(order) < min(size, len(documents)):
        document = learner.next()
        learner.tell(document, relevant=judge(topic, documents[document]))
        order.append(document)
    return order


def learn_pool(
    postings: Postings,
    topics: Sequence[Topic],
    judge: Judge,
    size: int,
    *,
    seed: int = DEFAULT_SEED,
    progress: Progress = SILENT,
    workers: Workers = SERIAL,
) -> Pool:
    """Build the pool that active learning would judge, in order, without runs (strategy
    `learning`).

    The judge returns whether a requested document is relevant. `size`, 1 or more, is
    the number of documents judged per topic; all if the collection has fewer. The seed selects
    the documents presumed non-relevant; the same seed yields the same pool for any `workers`,
    which process one topic at a time. Raises IrjudgeError without topics or documents.
    """
    if not topics or not len(postings):
        raise IrjudgeError(
            "Active learning needs documents and topics, got {documents} and {topics}.",
            documents=len(postings),
            topics=len(topics),
        )
    orders = [
        *workers.map_tasks(
            _learn_topic, (postings, judge, size, seed), topics, Message("Learning"), progress
        )
    ]
    codes = np.array([code for order in orders for code in order], dtype=np.int64)
    starts: Longs = np.concatenate(([0], np.cumsum([len(order) for order in orders]))).astype(
        np.int64
    )
    empty = np.empty(0, dtype=np.int32)
    return Pool(
        topics=tuple(topic.id for topic in topics),
        starts=starts,
        document=postings.ids.take(to_arrow_column(codes)),
        strategy=LEARNING,
        parameters={"size": size, "seed": seed},
        runs=(),
        contribution_starts=np.zeros(len(codes) + 1, dtype=np.int64),
        contribution_run=empty,
        contribution_rank=empty,
        stratum=np.zeros(len(codes), dtype=np.int32),
        probability=np.ones(len(codes)),
        unsampled=UnsampledDocuments(
            np.zeros(len(topics) + 1, dtype=np.int64), postings.ids[:0], empty, np.empty(0)
        ),
    )


def _learn_topic(arguments: tuple[Postings, Judge, int, int], topic: Topic) -> list[int]:
    postings, judge, size, seed = arguments
    return order_by_learning(
        make_learner(postings, topic, seed), postings.documents, topic.id, judge, size
    )


# Near-duplicates: keeping one document per group


def drop_near_duplicates(pool: Pool, groups: NearDuplicateGroups) -> Pool:
    """Return a pool that keeps only the first of each group of near-duplicates of a topic.

    Raises IrjudgeError for a sampled pool, because estimates need every document that could be
    sampled.
    """
    if pool.is_sample:
        raise IrjudgeError(
            Message("A sampled pool keeps near-duplicates, because estimates count each document.")
        )
    group_keys = list(
        zip(pool.topic.tolist(), map(groups.find_first, pool.document.to_pylist()), strict=True)
    )
    first_row = {key: row for row, key in reversed([*enumerate(group_keys)])}
    rows = np.array(
        [row for row, key in enumerate(group_keys) if first_row[key] == row], dtype=np.int64
    )
    counts = np.diff(pool.contribution_starts)[rows]
    ends = np.cumsum(counts)
    entries = np.arange(counts.sum()) + np.repeat(
        pool.contribution_starts[rows] - (ends - counts), counts
    )
    return replace(
        pool,
        starts=row_offsets(pool.topic[rows], len(pool.topics)),
        document=pool.document.take(to_arrow_column(rows)),
        parameters={**pool.parameters, "once": groups.overlap},
        contribution_starts=np.concatenate(([0], ends)),
        contribution_run=pool.contribution_run[entries],
        contribution_rank=pool.contribution_rank[entries],
        stratum=pool.stratum[rows],
        probability=pool.probability[rows],
    )
