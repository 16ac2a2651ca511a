"""Retrieval of judged documents from columnar runs."""

from dataclasses import dataclass

import numpy as np

from irjudge.evaluation.judged_runs import PartMatcher, merge_parts
from irjudge.formats.bytes import FileSource
from irjudge.formats.rankings import (
    ColumnarRun,
    RunOrder,
    iter_document_readers,
    open_columnar_run,
    read_column_parts,
    read_order,
    run_name,
)
from irjudge.formats.rows import (
    AS_RECOGNISED,
    NO_NUMBER,
    ColumnMapping,
    IrregularFile,
    Mask,
    NumberIds,
    map_in_parallel,
)
from irjudge.model import (
    Ints,
    JudgedRanking,
    Longs,
    Qrels,
    Ties,
    replace_query_texts,
    topics_of_rows,
)


def read_columnar_judged_ranks(
    source: FileSource,
    qrels: Qrels,
    name: str | None = None,
    *,
    ties: Ties = "trec",
    single_precision: bool = False,
    columns: ColumnMapping = AS_RECOGNISED,
) -> JudgedRanking | None:
    """Read the ranks of judged documents from a columnar run; see `read_judged_ranks`.

    The run is a file, folder, pattern or address (see `find_column_files`). Return None if there
    are no columnar files, or if the run is not regular (see `read_column_parts`).
    """
    run = open_columnar_run(source, columns)
    return (
        find_judged_ranks_in_columns(
            run,
            qrels,
            name or run_name(run.table.path),
            ties=ties,
            single_precision=single_precision,
        )
        if run
        else None
    )


def find_judged_ranks_in_columns(
    run: ColumnarRun, qrels: Qrels, name: str, *, ties: Ties, single_precision: bool
) -> JudgedRanking | None:
    """Find the ranks of judged documents in an open run; see `read_columnar_judged_ranks`."""
    if ordered_ranks := find_judged_ranks_in_order(
        run, qrels, name, ties=ties, single_precision=single_precision
    ):
        return add_empty_topics(ordered_ranks, run, qrels)
    try:
        ranking = read_column_parts(
            run,
            PartMatcher(
                qrels, ties, single_precision=single_precision, names=run.names
            ).match_columnar_part,
            ranks=ties == "rank",
        )
    except IrregularFile:
        return None
    if not ranking:
        return None
    parts = [part for topic_parts in ranking for part in topic_parts]
    return add_empty_topics(
        merge_parts(name, parts, ties, run.messages, single_precision=single_precision), run, qrels
    )


def add_empty_topics(ranking: JudgedRanking, run: ColumnarRun, qrels: Qrels) -> JudgedRanking:
    """Add the topics without results in a columnar run; query texts are replaced by topic ids."""
    ids = dict(zip(qrels.titles, qrels.topics, strict=False))
    return ranking.with_topics(replace_query_texts(run.empty_topics, {*qrels.topics}, ids))


# Runs that store the ranks of rows, so that only the column of documents is read


ROW_ORDER_TIES: tuple[Ties, ...] = ("trec", "file")  # orders of ties for which runs can store ranks
# maximum number of low bits of a document code in the filter, whose table must fit into the
# processor cache
MAX_FILTER_BITS = 19


@dataclass(frozen=True, slots=True, eq=False)
class WantedDocuments:
    """Index of the documents that the qrels judge, to find their rows in a columnar run by code."""

    run_codes: Longs  # documents as coded in the run, ascending, shape (V,)
    pairs: Longs  # topic x V + index of the document in `run_codes`, ascending, shape (K,)
    qrels_codes: Ints  # document code in the qrels for each pair, shape (K,)
    # for each value of the low bits, whether the code of any wanted document has these bits; a
    # fast first test of each row
    bit_filter: Mask

    @classmethod
    def from_qrels(cls, qrels: Qrels, run: ColumnarRun, order: RunOrder) -> "WantedDocuments":
        """Build the index for qrels whose topics are identified by id."""
        codes = NumberIds.from_texts(qrels.documents, run.names).values.astype(np.int64)
        is_present = codes != NO_NUMBER if run.names is None else codes >= 0
        topic_indices = {topic: index for index, topic in enumerate(order.topics)}
        topic = np.array([topic_indices.get(topic, -1) for topic in qrels.topics], dtype=np.int64)[
            qrels.topic
        ]
        rows = np.flatnonzero((topic >= 0) & is_present[qrels.document])
        # np.unique without indices imports numpy.ma, which is slower than the rest of the method
        run_codes = np.sort(codes[qrels.document[rows]])
        pairs, first = np.unique(
            topic[rows] * len(run_codes) + np.searchsorted(run_codes, codes[qrels.document[rows]]),
            return_index=True,
        )
        bit_filter = np.zeros(
            1 << min(MAX_FILTER_BITS, 10 + len(run_codes).bit_length()), dtype=bool
        )
        bit_filter[run_codes & (len(bit_filter) - 1)] = True
        return cls(run_codes, pairs, qrels.document[rows][first], bit_filter)

    def find_rows(self, documents: Longs | Ints, first: int, starts: Longs) -> tuple[Longs, Longs]:
        """Return the rows of wanted documents, and the index of each row's pair in `pairs`.

        `documents` contains the documents of consecutive rows of the run, from row `first`.
        `starts` contains the offsets of the topics.
        """
        candidate_rows = np.flatnonzero(
            self.bit_filter.take(documents & documents.dtype.type(len(self.bit_filter) - 1))
        )
        run_codes = documents[candidate_rows].astype(np.int64)
        row = np.minimum(np.searchsorted(self.run_codes, run_codes), len(self.run_codes) - 1)
        candidate_rows = candidate_rows[self.run_codes[row] == run_codes] + first
        row = row[self.run_codes[row] == run_codes]
        candidate_keys = (
            topics_of_rows(starts, candidate_rows).astype(np.int64) * len(self.run_codes) + row
        )
        pair = np.minimum(np.searchsorted(self.pairs, candidate_keys), len(self.pairs) - 1)
        is_match = self.pairs[pair] == candidate_keys
        return candidate_rows[is_match], pair[is_match]


def find_judged_ranks_in_order(
    run: ColumnarRun, qrels: Qrels, name: str, *, ties: Ties, single_precision: bool
) -> JudgedRanking | None:
    """Return the result of `find_judged_ranks`; None if the run has no usable stored ranks."""
    order = (
        read_order(run)
        if ties in ROW_ORDER_TIES and not single_precision and not qrels.titles
        else None
    )
    if order is None:
        return None
    matches: list[tuple[Longs, Longs]] = [(np.empty(0, np.int64), np.empty(0, np.int64))]
    wanted_documents = WantedDocuments.from_qrels(qrels, run, order)
    if len(wanted_documents.pairs):
        matches += map_in_parallel(
            lambda read: wanted_documents.find_rows(*read(), order.starts),
            iter_document_readers(run),
        )
    rows, pairs = (np.concatenate(arrays) for arrays in zip(*matches, strict=True))
    position = order.find_positions(rows) if ties == "trec" else rows
    by_rank = np.argsort(position)
    position, document = position[by_rank], wanted_documents.qrels_codes[pairs[by_rank]]
    topic = topics_of_rows(order.starts, position)
    return JudgedRanking(
        name,
        order.topics,
        np.diff(order.starts),
        topic,
        (position - order.starts[topic] + 1).astype(np.int32),
        document,
        order.tied_count,
        ties,
        single_precision,
        run.messages,
    )
