"""Sources of judged documents outside the pool, and random samples of unjudged documents."""

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from itertools import chain
from typing import Any, Literal, TypeAlias, get_args

import numpy as np
import pyarrow as pa

from irjudge.errors import ProjectError
from irjudge.judging.ledger import Ledger, get_ledger
from irjudge.message import Message
from irjudge.model import Event, Pair, Pool, UnsampledDocuments, to_arrow_column, to_arrow_strings
from irjudge.store import Project

DocumentSource: TypeAlias = Literal["learnt", "search", "drawn"]
DOCUMENT_SOURCES: tuple[DocumentSource, ...] = get_args(DocumentSource)
SOURCE_LABELS: dict[str, str] = {
    "pool": Message("pool"),
    "learnt": Message("active learning"),
    "search": Message("search while judging"),
    "drawn": Message("sampled at random"),
}
# payload keys for the source of the judged document, and for the terms that led to its selection
SOURCE, TERM_REASONS = "source", "because"
FOUND_STRATEGY = "found"  # strategy of a pool that contains only documents from other sources


def read_source(event: Event) -> DocumentSource | None:
    """Return the source of a judged document; None if it was pooled or assigned."""
    stored_source = event.payload.get(SOURCE)
    return next((source for source in DOCUMENT_SOURCES if source == stored_source), None)


def iter_retrieved_documents(ledger: Ledger) -> Iterator[tuple[Pair, DocumentSource]]:
    """Yield each judged document outside the pool and its source, in order of first judgment."""
    for event in ledger.judgments():
        if source := read_source(event):
            yield (event.item.topic, event.item.documents[0]), source


def iter_adjudicated_documents(ledger: Ledger) -> Iterator[tuple[Pair, DocumentSource]]:
    """Yield each adjudicated document outside the pool and its source."""
    for key in ledger.decisions.events_by_key:
        event = next(ledger.decisions.iter_in_force(key), None)
        if event is not None and (source := read_source(event)):
            yield (event.item.topic, event.item.documents[0]), source


def map_retrieved_pairs(project: Project) -> Mapping[Pair, DocumentSource]:
    """Return the source of each pair that was assigned, judged or adjudicated outside the pool.

    If a pair has several sources, an assignment in a session takes precedence over judgments, and
    judgments over adjudications.
    """
    return project.compute_cached(_make_retrieved_pairs)


def _make_retrieved_pairs(project: Project) -> dict[Pair, DocumentSource]:
    sources: dict[Pair, DocumentSource] = {}
    ledgers = [get_ledger(project, name) for name in project.events.assessors()]
    for pair, source in chain(
        _iter_assigned_documents(project),
        *map(iter_retrieved_documents, ledgers),
        *map(iter_adjudicated_documents, ledgers),
    ):
        sources.setdefault(pair, source)
    return sources


def _iter_assigned_documents(project: Project) -> Iterator[tuple[Pair, DocumentSource]]:
    for assignment in project.assignments.all():
        if assignment.mode == "grade":
            for item, secret in project.assignments.items_with_notes(assignment.code):
                if source := next(
                    (source for source in DOCUMENT_SOURCES if source == secret.role), None
                ):
                    yield (item.topic, item.documents[0]), source


def require_pool(project: Project) -> Pool:
    """Return the newest pool of a project; raise ProjectError if there is none."""
    pool = project.rankings.pool()
    if pool is None:
        raise ProjectError(
            "The project has no pool yet. Build one with `irjudge pool`.", key="no-pool"
        )
    return pool


def list_pool_pairs(pool: Pool | None) -> dict[Pair, None]:
    """Return the pairs of a pool in pool order; empty if there is no pool."""
    if pool is None:
        return {}
    return dict.fromkeys(
        zip(
            (pool.topics[code] for code in pool.topic.tolist()),
            pool.document.to_pylist(),
            strict=True,
        )
    )


# Newest pool with added documents from other sources


def build_extended_pool(project: Project) -> Pool | None:
    """Return the newest pool with the added pairs of `map_retrieved_pairs`.

    The added documents are a separate stratum, after the other documents of each topic. Estimates
    use the original pool, since the inclusion probabilities of added documents are unknown. Return
    None if there is neither a pool nor such a pair.
    """
    return project.compute_cached(_make_extended_pool)


def _make_extended_pool(project: Project) -> Pool | None:
    pool = project.rankings.pool()
    pooled_pairs = list_pool_pairs(pool)
    added_pairs = [pair for pair in map_retrieved_pairs(project) if pair not in pooled_pairs]
    return add_retrieved_pairs(pool or _make_empty_pool(), added_pairs) if added_pairs else pool


def add_retrieved_pairs(pool: Pool, pairs: Iterable[Pair]) -> Pool:
    """Return a copy of a pool with added pairs, to which no run contributed."""
    documents_by_topic: dict[str, list[str]] = defaultdict(list)
    for topic, document in pairs:
        documents_by_topic[topic].append(document)
    topics = (*pool.topics, *(topic for topic in documents_by_topic if topic not in pool.topics))
    topic_starts = [*pool.starts.tolist(), *[len(pool)] * (len(topics) - len(pool.topics))]
    unsampled_starts = [
        *pool.unsampled.starts.tolist(),
        *[len(pool.unsampled)] * (len(topics) - len(pool.topics)),
    ]
    insert_positions = np.concatenate(
        [
            np.full(len(documents_by_topic[topic]), topic_starts[code + 1])
            for code, topic in enumerate(topics)
        ]
    ).astype(np.int64)
    added_ids = [document for topic in topics for document in documents_by_topic[topic]]
    order = np.argsort(
        np.concatenate((np.arange(len(pool)), insert_positions - 0.5)), kind="stable"
    )
    sizes = np.diff(topic_starts) + [len(documents_by_topic[topic]) for topic in topics]
    counts = np.concatenate(
        (np.diff(pool.contribution_starts), np.zeros(len(added_ids), dtype=np.int64))
    )[order]
    stratum = int(pool.stratum.max(initial=-1)) + 1
    return replace(
        pool,
        topics=topics,
        starts=np.concatenate(([0], np.cumsum(sizes))).astype(np.int64),
        document=pa.concat_arrays(
            [pool.document, to_arrow_strings(added_ids).cast(pool.document.type)]
        ).take(to_arrow_column(order)),
        contribution_starts=np.concatenate(([0], np.cumsum(counts))).astype(np.int64),
        stratum=np.concatenate((pool.stratum, np.full(len(added_ids), stratum, dtype=np.int32)))[
            order
        ],
        probability=np.concatenate((pool.probability, np.ones(len(added_ids))))[order],
        unsampled=replace(pool.unsampled, starts=np.array(unsampled_starts, dtype=np.int64)),
    )


def _make_empty_pool() -> Pool:
    empty_codes, starts = np.empty(0, dtype=np.int32), np.zeros(1, dtype=np.int64)
    ids = to_arrow_strings(())
    return Pool(
        (),
        starts,
        ids,
        FOUND_STRATEGY,
        {},
        (),
        starts,
        empty_codes,
        empty_codes,
        empty_codes,
        np.empty(0),
        UnsampledDocuments(starts, ids, empty_codes, np.empty(0)),
    )


# Shares of sources


@dataclass(frozen=True, slots=True)
class SourceShare:
    """Table row about one source of documents: numbers of judged and relevant documents.

    A source is the pool, or a way in which a document outside the pool was retrieved, such as
    search. Documents outside the pool whose source is unknown count as pooled. `share` is the share
    of all known relevant documents that are from the source. The table is shown on the recall
    estimation page.
    """

    source: str  # `pool`, or one of `DOCUMENT_SOURCES`
    judged: int
    relevant: int
    share: float  # share of all known relevant documents, 0 to 1


def compute_source_shares(
    project: Project, grades: Mapping[Pair, int], rel: int = 1
) -> tuple[SourceShare, ...]:
    """Return a row for each source of graded documents, the pool first.

    A pooled document belongs to the pool, even if it was also retrieved in another way. The result
    is empty if all documents belong to the pool.
    """
    pooled_pairs, sources = list_pool_pairs(project.rankings.pool()), map_retrieved_pairs(project)
    grades_by_source: dict[str, list[int]] = {name: [] for name in ("pool", *DOCUMENT_SOURCES)}
    for pair, grade in grades.items():
        grades_by_source[
            "pool" if pair in pooled_pairs or pair not in sources else sources[pair]
        ].append(grade)
    if not any(grades_by_source[name] for name in DOCUMENT_SOURCES):
        return ()
    relevant = {
        name: sum(grade >= rel for grade in values) for name, values in grades_by_source.items()
    }
    total = max(1, sum(relevant.values()))
    return tuple(
        SourceShare(name, len(grades_by_source[name]), relevant[name], relevant[name] / total)
        for name in grades_by_source
        if grades_by_source[name]
    )


# Random samples of unjudged documents. Every session reads the samples. Therefore, this module
# imports no modules that take long to load.

SETTING, TARGET_SETTING = "random samples", "target way"


@dataclass(frozen=True, slots=True)
class RandomSample:
    """Random sample of a topic's unjudged documents, with counts at the time of sampling.

    Once all its documents are judged, it bounds the number of missing relevant documents.
    """

    topic: str
    documents: tuple[str, ...]  # ids of the sampled documents
    rest: int  # number of unjudged documents, including the sampled documents
    found: int  # number of known relevant documents
    rel: int  # lowest relevant grade
    looks: int  # planned number of samples of the topic, by which the significance level is divided
    made: str  # time of sampling, UTC


def read_samples(project: Project) -> dict[str, tuple[RandomSample, ...]]:
    """Return the random samples of each topic, oldest first."""

    def read(data: Mapping[str, list[dict[str, Any]]]) -> dict[str, tuple[RandomSample, ...]]:
        return {
            topic: tuple(_parse_sample(sample) for sample in samples)
            for topic, samples in data.items()
        }

    return project.read_json_setting(
        SETTING, {}, "Cannot read the samples recorded in {file} ({error}).", read
    )


def _parse_sample(data: Mapping[str, Any]) -> RandomSample:
    counts = {name: int(data[name]) for name in ("rest", "found", "rel", "looks")}
    return RandomSample(
        str(data["topic"]),
        tuple(map(str, data["documents"])),
        **counts,
        made=str(data["made"]),
    )


@dataclass(frozen=True, slots=True)
class TargetSample:
    """Random sample of a topic for the target method of estimating recall.

    Documents are sampled until enough of them are relevant. Then a search must find these relevant
    documents again.
    """

    topic: str
    documents: tuple[str, ...]  # ids of the sampled documents, in the order of sampling
    rest: int  # number of unjudged documents at the start
    rel: int  # lowest relevant grade
    made: str  # start time, UTC
    # whether the search has started, which requires enough relevant documents in the sample
    searching: bool = False
    again: tuple[str, ...] = ()  # sampled documents that the search has found, in the order found


def read_target_samples(project: Project) -> dict[str, TargetSample]:
    """Return the target sample of each topic that uses the target method."""

    def read(data: Mapping[str, Mapping[str, Any]]) -> dict[str, TargetSample]:
        return {topic: _parse_target_sample(sample) for topic, sample in data.items()}

    return project.read_json_setting(
        TARGET_SETTING,
        {},
        "Cannot read the samples recorded in {file} ({error}).",
        read,
    )


def _parse_target_sample(data: Mapping[str, Any]) -> TargetSample:
    documents, found_documents = (tuple(map(str, data[name])) for name in ("documents", "again"))
    unjudged_count, rel = (int(data[name]) for name in ("rest", "rel"))
    return TargetSample(
        str(data["topic"]),
        documents,
        unjudged_count,
        rel,
        str(data["made"]),
        bool(data["searching"]),
        found_documents,
    )


def list_sampled_pairs(project: Project) -> frozenset[Pair]:
    """Return all pairs of random samples and target samples.

    Judgments of these pairs record the sample as the source."""
    sampled_pairs = (
        (sample.topic, document)
        for samples in read_samples(project).values()
        for sample in samples
        for document in sample.documents
    )
    targets = (
        (sample.topic, document)
        for sample in read_target_samples(project).values()
        for document in sample.documents
    )
    return frozenset((*sampled_pairs, *targets))
