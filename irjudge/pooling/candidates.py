"""Candidates of a pool: the retrieved documents of each topic, with their ranks in the runs."""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
import pyarrow as pa
import pyarrow.compute

from irjudge.errors import IrjudgeError
from irjudge.model import (
    Floats,
    Ids,
    Ints,
    Longs,
    Pool,
    Run,
    Ties,
    UnsampledDocuments,
    ranking_order,
    row_offsets,
    to_arrow_column,
    to_numpy,
)
from irjudge.progress import SILENT, Progress


@dataclass(frozen=True, eq=False)
class Candidates:
    """Candidates of a pool: P pairs of topic and document in the top ranks of runs.

    A run retrieved a pair if the run ranks the document in the top `depth` of the topic, see
    `collect_candidates`. There are E entries: one for each pair and each run that retrieved it,
    with rank and score. Pooling strategies read the candidates.
    """

    topics: tuple[str, ...]  # T topic ids
    runs: tuple[str, ...]  # S run names
    # Shape (T + 1,): the pairs of topic t are `starts[t]:starts[t + 1]`. The pairs of a topic are
    # sorted by best rank, then by the UTF-8 bytes of the id; in pools, documents with equal scores
    # remain in this order.
    starts: Longs
    document: Ids  # document id of each pair, as P Arrow strings
    best_rank: Ints  # lowest rank of each pair in any run, shape (P,)
    # The entries are sorted by pair, rank and run.
    entry_pair: Longs  # pair code of each entry, shape (E,)
    entry_run: Ints  # run code of each entry, shape (E,)
    entry_rank: Ints  # rank of each entry, from 1, shape (E,)
    entry_score: Floats  # score of each entry, shape (E,)

    def __len__(self) -> int:
        return len(self.document)

    @cached_property
    def topic(self) -> Longs:
        """Topic code of each pair, shape (P,)."""
        return np.repeat(np.arange(len(self.topics)), np.diff(self.starts))

    @cached_property
    def votes(self) -> Longs:
        """Number of runs that retrieved each pair, shape (P,)."""
        return np.bincount(self.entry_pair, minlength=len(self))

    @cached_property
    def list_code(self) -> Longs:
        """Code of the ranking that contains each entry, topic × S + run, shape (E,)."""
        return self.topic[self.entry_pair] * len(self.runs) + self.entry_run

    @cached_property
    def list_length(self) -> Longs:
        """Number of documents in each ranking, by `list_code`, shape (T × S,)."""
        return np.bincount(self.list_code, minlength=len(self.topics) * len(self.runs))

    def sum_by_pair(self, values: Floats) -> Floats:
        """Return, for each pair, the sum of the values of its entries, shape (P,).

        `values` has the shape (E,). Values are added in ascending order, so that pairs with the
        same values have the same sum despite rounding errors.
        """
        order = np.lexsort((values, self.entry_pair))
        return np.bincount(
            self.entry_pair[order], weights=values[order], minlength=len(self)
        ).astype(np.float64)

    def make_pool(
        self,
        rows: Longs,
        unsampled: Longs,
        stratum: Ints,
        probability: Floats,
        strategy: str,
        parameters: Mapping[str, int | float | str],
    ) -> Pool:
        """Return a pool of the pairs with the codes `rows`, in the order of `rows`.

        `unsampled` are the codes of pairs that could have been sampled. `stratum` and
        `probability` have a value for each candidate, shape (P,).
        """
        start = np.concatenate(([0], np.cumsum(self.votes)))
        counts = self.votes[rows]
        ends = np.cumsum(counts)
        entries = np.arange(counts.sum()) + np.repeat(start[rows] - (ends - counts), counts)
        return Pool(
            topics=self.topics,
            starts=self._compute_starts(rows),
            document=self.document.take(to_arrow_column(rows)),
            strategy=strategy,
            parameters=dict(parameters),
            runs=self.runs,
            contribution_starts=np.concatenate(([0], ends)),
            contribution_run=self.entry_run[entries],
            contribution_rank=self.entry_rank[entries],
            stratum=stratum[rows],
            probability=probability[rows],
            unsampled=UnsampledDocuments(
                self._compute_starts(unsampled),
                self.document.take(to_arrow_column(unsampled)),
                stratum[unsampled],
                probability[unsampled],
            ),
        )

    def _compute_starts(self, rows: Longs) -> Longs:
        return row_offsets(self.topic[rows].astype(np.int32), len(self.topics))

    def get_topic_lists(self, topic: int) -> "TopicLists":
        """Return the rankings of the topic with the code `topic`."""
        start, end = int(self.starts[topic]), int(self.starts[topic + 1])
        entries = slice(*np.searchsorted(self.entry_pair, (start, end)))
        rank = np.zeros((len(self.runs), end - start), dtype=np.int32)
        rank[self.entry_run[entries], self.entry_pair[entries] - start] = self.entry_rank[entries]
        return TopicLists(
            rank,
            tuple(
                np.argsort(row, kind="stable")[np.count_nonzero(row == 0) :].tolist()
                for row in rank
            ),
        )


@dataclass(frozen=True, slots=True, eq=False)
class TopicLists:
    """Rankings of one topic by S runs, over the n candidates of the topic.

    They are the input of adaptive and sampling strategies. The documents have the codes 0 to n - 1,
    in the order of best rank in any run, then of id.
    """

    rank: Ints  # rank of each document in each run, from 1, shape (S, n); 0 if the run lacks it
    ranked_documents: tuple[list[int], ...]  # codes of the documents of each run, by rank

    def __len__(self) -> int:
        return int(self.rank.shape[1])


def collect_candidates(
    runs: Sequence[Run],
    depth: int | None = None,
    *,
    ties: Ties = "docno",
    progress: Progress = SILENT,
) -> Candidates:
    """Return the documents in the top `depth` of any run as candidates.

    If `depth` is None, whole rankings are used. `ties` is the order of equal scores within a run.
    Raises IrjudgeError if there is no run, if two runs have the same name, or if `depth` is below
    1.
    """
    if depth is not None and depth < 1:
        raise IrjudgeError(
            "The pool depth must be at least 1, got {depth}.", key="invalid-depth", depth=depth
        )
    if not runs:
        raise IrjudgeError("A pool needs at least one run, got none.", key="no-run")
    for name, count in Counter(run.name for run in runs).items():
        if count > 1:
            raise IrjudgeError(
                "Two runs are named {name}; the runs of a pool must have different names.",
                key="repeated-run",
                name=name,
            )
    topics = tuple(dict.fromkeys(topic for run in runs for topic in run.topics))
    code = {topic: index for index, topic in enumerate(topics)}
    entries_by_run = []
    for run_number, run in enumerate(runs, 1):
        entries_by_run.append(_select_top_entries(run, depth, ties, code))
        progress.step(run_number, len(runs), "Pooling")
    run_index = np.repeat(
        np.arange(len(runs), dtype=np.int32), [len(entries[0]) for entries in entries_by_run]
    )
    topic, rank, score = (
        np.concatenate([entries[column] for entries in entries_by_run]) for column in (0, 2, 3)
    )
    document = pa.concat_arrays([entries[1] for entries in entries_by_run])
    return _merge_entries(
        topics, tuple(run.name for run in runs), (topic, document, run_index, rank, score)
    )


def _select_top_entries(
    run: Run, depth: int | None, ties: Ties, code: dict[str, int]
) -> tuple[Ints, Ids, Ints, Floats]:
    """Return topic code, document, rank and score of a run's top `depth` documents per topic."""
    order = ranking_order(run, ties)
    rank = np.arange(len(run)) - np.repeat(run.starts[:-1], np.diff(run.starts)) + 1
    indices = np.flatnonzero(rank <= (len(run) if depth is None else depth))
    rows = indices if order is None else order[indices]
    return (
        np.array([code[topic] for topic in run.topics], dtype=np.int32)[run.topic[indices]],
        run.document.take(to_arrow_column(rows)),
        rank[indices].astype(np.int32),
        run.score[rows],
    )


def _merge_entries(
    topics: tuple[str, ...], runs: tuple[str, ...], entries: tuple[Ints, Ids, Ints, Ints, Floats]
) -> Candidates:
    topic, document, run, rank, score = entries
    dictionary = document.dictionary_encode()
    ids = dictionary.dictionary
    # position of each id in the order of the ids' UTF-8 bytes
    id_positions = np.empty(len(ids), dtype=np.int64)
    id_positions[to_numpy(pa.compute.sort_indices(ids)).astype(np.int64)] = np.arange(len(ids))
    position = id_positions[to_numpy(dictionary.indices)]
    topic_and_position = topic.astype(np.int64) * max(1, len(ids)) + position
    # the distinct pairs that np.unique returns are sorted by topic and id
    _, first_indices, pair = np.unique(topic_and_position, return_index=True, return_inverse=True)
    best_rank = np.full(len(first_indices), np.iinfo(np.int32).max, dtype=np.int32)
    np.minimum.at(best_rank, pair, rank)
    # lexsort is stable, so that pairs with equal best rank remain sorted by id
    best_rank_order = np.lexsort((best_rank, topic[first_indices]))
    new_code = np.empty(len(first_indices), dtype=np.int64)
    new_code[best_rank_order] = np.arange(len(first_indices))
    pair = new_code[pair]
    order = np.lexsort((run, rank, pair))
    return Candidates(
        topics=topics,
        runs=runs,
        starts=row_offsets(topic[first_indices[best_rank_order]], len(topics)),
        document=document.take(to_arrow_column(first_indices[best_rank_order])),
        best_rank=best_rank[best_rank_order],
        entry_pair=pair[order],
        entry_run=run[order],
        entry_rank=rank[order],
        entry_score=score[order],
    )
