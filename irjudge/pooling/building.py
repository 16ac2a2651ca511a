"""Pools by strategies, presets or active learning, and fusion of runs."""

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

# Function that returns whether a document is relevant; its arguments are topic id and document id
Judge: TypeAlias = Callable[[str, str], bool]


@dataclass(frozen=True, slots=True)
class Preset:
    """Named combination of a strategy and limits; `PoolOptions.strategy` can be its name."""

    name: str  # name, such as `find-relevant`
    title: str  # title, such as `Find relevant documents`
    purpose: str  # purpose, in one sentence
    strategy: str  # strategy name with parameters
    depth: int | None = None  # value of `PoolOptions.depth` if the options have none
    first: int = 0  # value of `PoolOptions.first` if the options have none


PRESETS = (
    Preset(
        "plain",
        Message("Depth only"),
        Message("The top documents of each run; best if more runs are to be evaluated later."),
        "depth",
        10,
    ),
    Preset(
        "rank-systems",
        Message("Rank systems"),
        Message(
            "The top 10 documents of each run and a sample of the rest; with xinfAP, this is "
            "the most accurate way to distinguish runs at a given cost."
        ),
        "stratified(edges=10,rates=1/0.2)",
        100,
    ),
    Preset(
        "find-relevant",
        Message("Find relevant documents"),
        Message(
            "The top 5 documents of each run, up to half of the pool size, then documents with "
            "high scores in most runs; of the methods without feedback, this one finds the "
            "largest number of relevant documents."
        ),
        "combmnz",
        100,
        5,
    ),
)


@dataclass(frozen=True, slots=True)
class PoolOptions:
    """Options for building a pool: strategy, limits, seed, order of ties, and topics.

    The options include neither the runs nor the judgments that an adaptive strategy needs. The
    strategy is a name, which may contain parameters or refer to a preset; `resolve` parses the
    strategy and checks the options.
    """

    # name of a strategy in `STRATEGIES`, with or without parameters (`rrf(k=20)`), or name of a
    # preset in `PRESETS`
    strategy: str = "depth"
    # number of top documents of each run that are considered; None for whole rankings
    depth: int | None = None
    # maximum number of documents per topic; None for no limit or, if the strategy samples, for the
    # number that its sampling rates determine
    size: int | None = None
    # number of top documents of each run that precede all others in the pool, for any strategy that
    # does not sample; if `size` is set, these are at most half of it (rounded up)
    first: int = 0
    # seed of random choices; equal seeds yield equal pools on all machines
    seed: int = DEFAULT_SEED
    ties: Ties = "docno"  # order of equal scores within a run
    topics: tuple[str, ...] = ()  # topic ids to pool; empty for all

    def max_opening_count(self, documents: int) -> int:
        """Return the maximum number of documents that `first` puts at the start of a topic's pool.

        `documents` is the number of candidates of the topic.
        """
        return documents if self.size is None else (self.size + 1) // 2

    def resolve(self) -> tuple[Strategy, "PoolOptions"]:
        """Return the parsed strategy, and the options in which a preset is replaced by its values.

        Raises IrjudgeError if a name is unknown, if a value is out of range, if an option that the
        strategy needs is missing, or if `first` is used with a strategy that samples.
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
                "The strategy {strategy} samples at random and cannot start with the top "
                'documents of each run; use the strategy "stratified".',
                key="no-first",
                strategy=strategy.declaration.name,
            )
        return strategy, plan


def list_strategies() -> tuple[StrategyDeclaration, ...]:
    """Return the declarations of all strategies: first scoring, then adaptive, then sampling."""
    return STRATEGIES.catalogue()


def make_qrels_judge(qrels: Qrels, rel: int = 1) -> Judge:
    """Return a function that judges by qrels: documents with grade `rel` or more are relevant."""
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
    """Build a pool from one or more runs, in which topics and documents are compared by id.

    Topics are in the order in which they first occur in `runs`. Documents are in the order of the
    strategy; ties are sorted by best rank in any run, then by id. The pool contains the runs that
    contributed each document, and the ranks in these runs. Adaptive strategies ask the judge about
    one document after another, and the pool contains these documents in that order. Strategies that
    select runs prefer the first of equally good runs. `workers` process one topic at a time, if the
    strategy processes topics separately; they do not affect the result.

    Raises IrjudgeError if there is no run, if two runs have the same name, if the options are
    invalid (the default options lack a depth), or if an adaptive strategy has no judge.

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
    samples = workers.map_tasks(
        _run_strategy,
        (candidates, strategy, plan, judge or partial(_is_relevant, frozenset())),
        range(len(candidates.topics)),
        Message("Ordering"),
        progress,
    )
    return _make_pool(candidates, _combine_topic_samples(candidates, [*samples]), strategy, plan)


def _run_strategy(
    arguments: tuple[Candidates, Strategy, PoolOptions, Judge], topic: int
) -> TopicSample:
    """Return the documents that a strategy selects for the topic with the code `topic`.

    Random numbers depend on the topic's id, so that topics can be processed separately.
    """
    candidates, strategy, plan, judge = arguments
    select_documents = _select_adaptively if strategy.declaration.kind == "walk" else _draw_sample
    name = candidates.topics[topic]
    ids = candidates.document[candidates.starts[topic] : candidates.starts[topic + 1]].to_pylist()
    return select_documents(
        candidates.get_topic_lists(topic),
        strategy,
        plan,
        TopicRandom(plan.seed, name),
        lambda document: judge(name, ids[document]),
    )


@dataclass(frozen=True, slots=True, eq=False)
class _Selection:
    """Selection of pairs for a pool, made by a strategy from P candidate pairs.

    `rows` are the codes of the pairs to judge, in the order of the pool. `unsampled` are the codes
    of the other pairs that could have been sampled. `stratum` and `probability` are the stratum and
    the inclusion probability of each candidate, shape (P,).
    """

    rows: Longs
    unsampled: Longs
    stratum: Ints
    probability: Floats


def _select_by_score(candidates: Candidates, score: Floats, plan: PoolOptions) -> _Selection:
    ranks = np.arange(len(candidates)) - candidates.starts[candidates.topic]
    is_opening = (candidates.best_rank <= plan.first) & (
        ranks < plan.max_opening_count(len(candidates))
    )
    # lexsort is stable, so that ties remain sorted by best rank and id
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
                : plan.max_opening_count(count)
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
    """Return the codes of the documents that an adaptive strategy requests, in order of request.

    The first documents are `opening_documents`, which are judged without a request. The result has
    at most `size` of the topic's `count` documents. `relevant` returns whether a document is
    relevant; the strategy learns from every judgment.
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


def _draw_sample(
    lists: TopicLists,
    strategy: Strategy,
    plan: PoolOptions,
    topic_random: TopicRandom,
    relevant: Relevant,
) -> TopicSample:
    sample: TopicSample = strategy.compute(lists, topic_random, plan.size, relevant)
    return sample


def _combine_topic_samples(candidates: Candidates, samples: Sequence[TopicSample]) -> _Selection:
    rows = [
        np.array(sample.order, dtype=np.int64) + start
        for sample, start in zip(samples, candidates.starts, strict=False)
    ]
    selected_rows = np.concatenate(rows or [np.empty(0, dtype=np.int64)])
    stratum = np.concatenate(
        [sample.stratum for sample in samples] or [np.empty(0, dtype=np.int64)]
    ).astype(np.int32)
    probability = np.concatenate([sample.probability for sample in samples] or [np.empty(0)])
    is_unsampled = np.ones(len(candidates), dtype=bool)
    is_unsampled[selected_rows] = False
    return _Selection(
        selected_rows, np.flatnonzero(is_unsampled & (probability < 1)), stratum, probability
    )


def _make_pool(
    candidates: Candidates, selection: _Selection, strategy: Strategy, plan: PoolOptions
) -> Pool:
    name, parameters = strategy.declaration.name, _collect_parameters(strategy, plan)
    return candidates.make_pool(
        selection.rows,
        selection.unsampled,
        selection.stratum,
        selection.probability,
        name,
        parameters,
    )


def _collect_parameters(strategy: Strategy, plan: PoolOptions) -> dict[str, int | float | str]:
    """Return the parameters to store in the pool, so that the pool can be rebuilt."""
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


# Fusion of runs, by strategies that score documents


def list_fusion_strategies() -> tuple[StrategyDeclaration, ...]:
    """Return the strategies that can fuse runs: those that score documents without depth or size."""
    return tuple(
        strategy
        for strategy in list_strategies()
        if strategy.kind == "scores" and not strategy.needs
    )


def parse_fusion_strategy(name: str) -> Strategy:
    """Parse the name of a fusion strategy, such as `rrf` or `rrf(k=20)`.

    Raises IrjudgeError if the name is unknown, or if the strategy cannot fuse runs.
    """
    strategy = STRATEGIES.parse(name)
    if strategy.declaration not in list_fusion_strategies():
        raise IrjudgeError(
            "The strategy {strategy} provides no scores for fusing runs; use one of {names}.",
            strategy=strategy.declaration.name,
            names=", ".join(strategy.name for strategy in list_fusion_strategies()),
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
    """Fuse two or more runs into one run with the given name.

    `method` is a strategy from `parse_fusion_strategy`; topics and documents are compared by id.
    The fused run has at most `depth` documents per topic. `ties` is the order of equal scores in
    `runs`. In the fused run, documents with equal scores are sorted by best rank in any run, then
    by id; an evaluation uses this order only if its ties are `rank` or `file`. Raises IrjudgeError
    if there are fewer than two runs, or if two have the same name.

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


# Pools by active learning, which needs no runs


LEARNING = "learning"
LEARNING_PURPOSE = Message(
    "Learn from each judgment which document of the collection is most likely to be relevant; "
    "no runs are needed."
)


def make_learner(postings: Postings, topic: Topic, seed: int = DEFAULT_SEED) -> Learner:
    """Return a learner for a topic; its query is the topic's title, description and narrative."""
    query = postings.read("\n".join((topic.title, topic.description, topic.narrative)))
    random_order = np.argsort(
        TopicRandom(seed, topic.id).draw_numbers(len(postings)), kind="stable"
    )
    return Learner(postings, query, random_order)


def order_by_learning(
    learner: Learner, documents: Sequence[str], topic: str, judge: Judge, size: int
) -> list[int]:
    """Return the indexes of the documents that a learner requests, in order of request.

    At most `size` documents are requested. The judge judges each document before the next one is
    requested.
    """
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
    """Build a pool of the documents that active learning requests, in order of request.

    This is the strategy `learning`, which needs no runs. The judge returns whether a requested
    document is relevant. `size`, 1 or more, is the number of documents per topic, or less if the
    collection has fewer. The seed determines which unjudged documents are presumed non-relevant for
    training. `workers` process one topic at a time; they do not affect the result. Raises
    IrjudgeError if there are no topics or no documents.
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
    empty_column = np.empty(0, dtype=np.int32)
    return Pool(
        topics=tuple(topic.id for topic in topics),
        starts=np.concatenate(([0], np.cumsum([len(order) for order in orders]))).astype(np.int64),
        document=postings.ids.take(to_arrow_column(codes)),
        strategy=LEARNING,
        parameters={"size": size, "seed": seed},
        runs=(),
        contribution_starts=np.zeros(len(codes) + 1, dtype=np.int64),
        contribution_run=empty_column,
        contribution_rank=empty_column,
        stratum=np.zeros(len(codes), dtype=np.int32),
        probability=np.ones(len(codes)),
        unsampled=UnsampledDocuments(
            np.zeros(len(topics) + 1, dtype=np.int64), postings.ids[:0], empty_column, np.empty(0)
        ),
    )


def _learn_topic(arguments: tuple[Postings, Judge, int, int], topic: Topic) -> list[int]:
    postings, judge, size, seed = arguments
    return order_by_learning(
        make_learner(postings, topic, seed), postings.documents, topic.id, judge, size
    )


# Removal of near-duplicates from a pool, so that one document of each group remains per topic


def drop_near_duplicates(pool: Pool, groups: NearDuplicateGroups) -> Pool:
    """Return a pool without near-duplicates of earlier documents of the same topic.

    Raises IrjudgeError if the pool is a sample, because estimates need every document that could
    be sampled.
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
    entry_ends = np.cumsum(counts)
    entries = np.arange(counts.sum()) + np.repeat(
        pool.contribution_starts[rows] - (entry_ends - counts), counts
    )
    return replace(
        pool,
        starts=row_offsets(pool.topic[rows], len(pool.topics)),
        document=pool.document.take(to_arrow_column(rows)),
        parameters={**pool.parameters, "once": groups.overlap},
        contribution_starts=np.concatenate(([0], entry_ends)),
        contribution_run=pool.contribution_run[entries],
        contribution_rank=pool.contribution_rank[entries],
        stratum=pool.stratum[rows],
        probability=pool.probability[rows],
    )
