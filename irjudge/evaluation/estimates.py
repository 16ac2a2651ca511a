"""Estimates of the effectiveness of runs from a sampled pool."""

import math
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace

import numpy as np
import numpy.typing as npt

from irjudge.errors import IrjudgeError
from irjudge.evaluation.judged_runs import (
    TOPIC_POLICIES,
    TOPIC_POLICY_DESCRIPTIONS,
    TopicPolicy,
    join,
)
from irjudge.evaluation.table import (
    ALL_TOPICS,
    describe_missing_interval,
    intervals,
)
from irjudge.formats.rankings import no_shared_topic_warning
from irjudge.message import JOINED_TEMPLATE, Message, join_messages
from irjudge.metrics import Scores
from irjudge.model import (
    TIES,
    Pool,
    Qrels,
    Run,
    Ties,
    merge_subtopic_grades,
    select_topics,
    to_arrow_strings,
    to_numpy,
)
from irjudge.options import check_choice, check_whole
from irjudge.pooling import ESTIMATES, SampledRanking, SampledTopic
from irjudge.progress import SILENT, Progress

VALUE_COLUMNS, INTERVAL_COLUMNS = ("run", "measure", "topic", "value"), ("low", "high")


@dataclass(frozen=True, slots=True, eq=False)
class Estimation:
    """Estimates of the effectiveness of runs from a pool, usually a sampled one, for each topic.

    An estimate is a measure such as xinfAP that takes inclusion probabilities into account. Means
    and bootstrap intervals are computed over the topics that count for the run (`averaged`).
    """

    names: tuple[str, ...]  # names of the M estimates
    topics: tuple[str, ...]  # T topics of the pool with a judgment
    runs: tuple[str, ...]  # names of the R runs
    values: Scores  # estimates, shape (R, M, T); 0 if a run lacks the topic
    averaged: npt.NDArray[np.bool_]  # whether the topic is averaged for the run, shape (R, T)
    unjudged: int  # number of sampled documents that are not judged yet
    # number of judged documents that were not sampled (or, without sampling, pooled), which are not
    # used
    judged_outside: int
    notes: tuple[str, ...] = ()  # notes on how the estimates were computed
    warnings: tuple[Message, ...] = ()  # warnings about runs without judged topics

    def means(self) -> Scores:
        """Return the mean over the averaged topics, shape (R, M); 0 if there are no topics."""
        averaged_values = [
            values[:, counts] for values, counts in zip(self.values, self.averaged, strict=True)
        ]
        return np.array(
            [
                topic_values.mean(axis=1) if topic_values.shape[1] else np.zeros(len(topic_values))
                for topic_values in averaged_values
            ]
        ).reshape(self.values.shape[:2])

    def intervals(self, seed: int = 0) -> Scores:
        """Return the 95 % bootstrap interval of each mean, shape (R, M, 2); NaN if there is none."""
        run_intervals = [
            intervals(values[:, counts], seed)
            for values, counts in zip(self.values, self.averaged, strict=True)
        ]
        return np.array(run_intervals).reshape(*self.values.shape[:2], 2)

    @property
    def missing_intervals(self) -> tuple[Message, ...]:
        """Reasons why the means of some runs have no interval."""
        reasons = (
            describe_missing_interval(run, int(counts.sum()))
            for run, counts in zip(self.runs, self.averaged, strict=True)
        )
        return tuple(filter(None, reasons))

    def rows(
        self, *, per_topic: bool = False, seed: int | None = None
    ) -> Iterator[tuple[str | float | None, ...]]:
        """Yield rows (run, estimate, topic, value); in rows of means, the topic is `all`.

        If `per_topic` is set, rows of single topics precede the row of the mean. With a seed, each
        row has two more cells: the ends of the mean's interval, or None in rows of single topics.
        """
        means = self.means().tolist()
        intervals = None if seed is None else self.intervals(seed).tolist()
        for index, run in enumerate(self.runs):
            counts = self.averaged[index]
            topics = [
                topic
                for topic, is_averaged in zip(self.topics, counts.tolist(), strict=True)
                if is_averaged
            ]
            for row, (name, values) in enumerate(
                zip(self.names, self.values[index][:, counts], strict=True)
            ):
                if per_topic:
                    no_interval = () if intervals is None else (None, None)
                    yield from (
                        (run, name, topic, value, *no_interval)
                        for topic, value in zip(topics, values.tolist(), strict=True)
                    )
                interval = () if intervals is None else intervals[index][row]
                finite_ends = (None if math.isnan(end) else end for end in interval)
                yield run, name, ALL_TOPICS, means[index][row], *finite_ends


def estimate_runs(
    pool: Pool,
    qrels: Qrels,
    runs: Iterable[Run],
    names: Sequence[str] = (),
    *,
    rel: int = 1,
    ties: Ties = "trec",
    policy: TopicPolicy = "both",
    only: str = "",
    total: int | None = None,
    progress: Progress = SILENT,
) -> Estimation:
    """Estimate the effectiveness of runs from a sampled pool.

    The runs need not have contributed to the pool.

    Parameters
    ----------
    runs
        Runs, read one at a time.
    names
        Names of `ESTIMATES` that are applicable to the pool; empty for its default estimate, see
        `applicable_estimates`.
    policy
        Which of the topics with a judgment are averaged.
    only
        Topics to average, see `select_topics`; empty for all.
    total
        Number of runs, for progress reports.

    Raises
    ------
    IrjudgeError
        If a name is unknown, an estimate is not applicable to the pool, or the pool has no
        judgment.
    """
    qrels.require_grades("estimate")
    check_choice("ties", ties, TIES)
    check_choice("topics", policy, TOPIC_POLICIES)
    check_whole("rel", rel, minimum=1)
    checked_names = _check_names(names, pool)
    universe, judged, unpooled_count = _select_judged_topics(pool, qrels)
    indices = [index for index, topic in enumerate(judged) if (topic.grade >= 0).any()]
    if not indices:
        raise IrjudgeError(
            "No document of the pool is judged, so nothing can be estimated.", key="nothing-judged"
        )
    topics = tuple(pool.topics[index] for index in indices)
    has_relevant = np.array([(judged[index].grade >= rel).any() for index in indices])
    averaged_topics = {"qrels": np.ones_like(has_relevant), "relevant": has_relevant}
    is_counted = np.isin(topics, select_topics(only, pool.topics) or pool.topics)
    functions = [ESTIMATES[name].function for name in checked_names]
    values, run_names, averaged, warnings = [], [], [], []
    for run in runs:
        rankings = _read_sampled_rankings(run, universe, judged, ties)
        is_in_run = np.isin(topics, run.topics)
        if not is_in_run.any():
            warnings.append(no_shared_topic_warning(run.name))
        averaged.append(averaged_topics.get(policy, is_in_run) & is_counted)
        values.append(
            [[function(rankings[index], rel) for index in indices] for function in functions]
        )
        run_names.append(run.name)
        progress.step(len(run_names), total, f"Estimated {run.name}")
    unjudged_count = sum(map(_count_unjudged, judged))
    value_array = np.array(values, dtype=np.float64).reshape(-1, len(checked_names), len(topics))
    counts = np.array(averaged, dtype=bool).reshape(-1, len(topics))
    estimation = Estimation(
        checked_names, topics, tuple(run_names), value_array, counts, unjudged_count, unpooled_count
    )
    notes = _describe_estimation(estimation, pool, policy, only, has_names=bool(names))
    return replace(estimation, notes=(*notes, *warnings), warnings=tuple(warnings))


def _describe_unjudged_treatment(names: Sequence[str]) -> Iterator[Message]:
    """Yield sentences about how the named estimates treat unjudged sampled documents."""
    stratified_names = join_messages(
        name for name in names if ESTIMATES[name].needs_equal_probabilities
    )
    if stratified_names:
        yield Message(
            "; {names}: assumed to be relevant as often as the judged documents of their stratum",
            names=stratified_names,
        )
    excluding_estimates = join_messages(
        name for name in names if not ESTIMATES[name].needs_equal_probabilities
    )
    if excluding_estimates:
        yield Message("; {names}: counted as not relevant", names=excluding_estimates)


def _describe_estimation(
    estimation: Estimation, pool: Pool, policy: TopicPolicy, only: str, *, has_names: bool
) -> Iterator[str]:
    if not pool.is_sample:
        yield Message(
            "The pool was not sampled, so it contains all documents that its strategy "
            "selected. If exactly the pooled documents are judged, the estimates equal the "
            "values of the ordinary measures."
        )
    yield Message(
        "Averaged over: {policy}; topics with judgments: {topics:,}{restriction}.",
        key="averaged",
        policy=TOPIC_POLICY_DESCRIPTIONS[policy],
        topics=len(estimation.topics),
        restriction=Message("; only these topics: {topics}", topics=only) if only else "",
    )
    missing_counts = {
        run: int(counts.sum())
        for run, counts in zip(estimation.runs, estimation.averaged, strict=True)
        if not counts.all()
    }
    yield from (
        Message("{run}: topics included in the average: {topics:,}.", run=run, topics=count)
        for run, count in missing_counts.items()
    )
    if not (has_names or pool.has_equal_probabilities):
        yield Message(
            "{name}: documents of this pool were sampled with unequal probabilities.",
            key="unequal-chances",
            name=estimation.names[0],
        )
    if estimation.unjudged:
        yield Message(
            "Sampled documents that are not judged: {documents:,}{treatment}.",
            documents=estimation.unjudged,
            treatment=join_messages(
                _describe_unjudged_treatment(estimation.names), JOINED_TEMPLATE
            ),
        )
    if estimation.judged_outside:
        yield Message(
            "Documents ignored because they were judged but not sampled: {documents:,}.",
            documents=estimation.judged_outside,
        )


def applicable_estimates(pool: Pool) -> tuple[str, ...]:
    """Return the names of the estimates applicable to a pool, the default estimate first."""
    has_equal_probabilities = pool.has_equal_probabilities
    return tuple(
        name
        for name, estimate in ESTIMATES.items()
        if has_equal_probabilities or not estimate.needs_equal_probabilities
    )


def _check_names(names: Sequence[str], pool: Pool) -> tuple[str, ...]:
    applicable = applicable_estimates(pool)
    for name in names:
        if name not in ESTIMATES:
            raise IrjudgeError(
                "Unknown estimator {name!r}; expected one of {names}.",
                key="unknown-estimate",
                name=name,
                names=", ".join(ESTIMATES),
            )
        if name not in applicable:
            raise IrjudgeError(
                "The estimator {name} needs {needs}, which this pool does not have; use {fit}.",
                key="needs-equal-chances",
                name=name,
                needs=ESTIMATES[name].needs,
                fit=", ".join(applicable),
            )
    return tuple(names) or applicable[:1]


def _count_unjudged(topic: SampledTopic) -> int:
    """Return the number of sampled documents of a topic that are not judged."""
    return int((topic.probability > 0).sum() - (topic.grade >= 0).sum())


def _select_judged_topics(pool: Pool, qrels: Qrels) -> tuple[Qrels, list[SampledTopic], int]:
    """Return the sampling frame as qrels, its topics, and the number of judgments outside it.

    In these qrels, the grade of a document is replaced by its index within the topic.
    """
    grades_by_pair = merge_subtopic_grades(row for row in qrels.rows() if row[2] >= 0)
    starts = pool.starts + pool.unsampled.starts
    ids: list[str] = []
    topics = []
    for code, topic in enumerate(pool.topics):
        sampled_rows = slice(*pool.starts[code : code + 2])
        unsampled_rows = slice(*pool.unsampled.starts[code : code + 2])
        sampled = pool.document[sampled_rows].to_pylist()
        ids += sampled + pool.unsampled.document[unsampled_rows].to_pylist()
        unsampled_count = unsampled_rows.stop - unsampled_rows.start
        grade = np.array(
            [grades_by_pair.pop((topic, document), -1) for document in sampled]
            + [-1] * unsampled_count,
            dtype=np.int32,
        )
        stratum = np.concatenate(
            (pool.stratum[sampled_rows], pool.unsampled.stratum[unsampled_rows])
        ).astype(np.int64)
        topics.append(
            SampledTopic(
                stratum,
                grade,
                np.concatenate((pool.probability[sampled_rows], np.zeros(unsampled_count))),
            )
        )
    encoded_ids = to_arrow_strings(ids).dictionary_encode()
    index_in_topic = (np.arange(len(ids)) - np.repeat(starts[:-1], np.diff(starts))).astype(
        np.int32
    )
    document_codes = to_numpy(encoded_ids.indices)
    universe = Qrels(
        pool.topics,
        starts,
        encoded_ids.dictionary,
        document_codes,
        index_in_topic,
        np.zeros(len(ids), dtype=np.int32),
    )
    return universe, topics, len(grades_by_pair)


def _read_sampled_rankings(
    run: Run, universe: Qrels, topics: Sequence[SampledTopic], ties: Ties
) -> list[SampledRanking]:
    hits = join(run, universe, ties=ties, topics="qrels")
    ends = np.searchsorted(hits.hit_topic, np.arange(len(topics) + 1))
    pieces = [slice(*ends[index : index + 2]) for index in range(len(topics))]
    document, rank = hits.hit_grade.astype(np.int64), hits.hit_rank.astype(np.int64)
    return [
        SampledRanking(topic, document[topic_hits], rank[topic_hits])
        for topic, topic_hits in zip(topics, pieces, strict=True)
    ]
