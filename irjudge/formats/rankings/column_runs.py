"""Columnar runs, read completely or by row group, and the stored order of their rows."""

import json
import os
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cache, partial
from hashlib import blake2b
from itertools import pairwise
from pathlib import Path
from typing import Any, Generic, TypeAlias, TypeVar

import numpy as np
import pyarrow as pa
import pyarrow.compute

from irjudge.errors import FormatError, IrjudgeError, Undecided
from irjudge.formats.bytes import FileSource, describe_os_error, replace_file
from irjudge.formats.rankings.qrels import warn_of_duplicates
from irjudge.formats.rankings.rank_checks import find_contradictions, looks_like_ranks
from irjudge.formats.rankings.short_runs import (
    RUN_PARTS,
    complete_scores_and_ranks,
    ranks_to_scores,
)
from irjudge.formats.rows import (
    AS_RECOGNISED,
    DAMAGED_METADATA,
    DATA_FILE,
    NO_NUMBER,
    RUN_FOLDER,
    Checksums,
    ColumnFile,
    ColumnMapping,
    ColumnTable,
    HashedTexts,
    IrregularFile,
    NumberIds,
    RowGroups,
    RowPiece,
    cast_column,
    encode_ids,
    find_column_files,
    group_by_topic,
    map_in_parallel,
    map_parts_in_parallel,
    to_ids,
    to_numbers,
)
from irjudge.message import Message
from irjudge.model import (
    Floats,
    Ids,
    Ints,
    Longs,
    Run,
    count_tied_documents,
    index_in,
    reordered_rows,
    to_arrow_column,
    to_arrow_strings,
    to_numpy,
    topic_of_each_row,
)
from irjudge.progress import SILENT, Progress

# Columnar runs (Parquet, Arrow IPC), read completely or by row group

Result = TypeVar("Result")
HashedIds: TypeAlias = HashedTexts | NumberIds

MAX_TOPIC_ROWS = 100_000_000  # maximum rows of one topic; all of them are in memory together
ROW_SIZE = 40  # minimum bytes that a row needs in memory
# metadata key for the name of the file that contains the texts of the document codes
CODES_KEY = b"irjudge.documents"
# metadata key for the name of the file that contains the rank order of the rows
ORDER_KEY = b"irjudge.order"
# metadata key for the list of topics without retrieved documents, which have no rows
EMPTY_TOPICS_KEY = b"irjudge.empty"
DOCUMENT_COLUMN = "document"
RUN_COLUMN = "run"


class UnreadRanks(IrregularFile):
    """Exception for rows not in the order of their scores, if their ranks were not read.

    The ranks may contradict the scores; the caller must read the rows again with their ranks.
    """


@dataclass(frozen=True, slots=True, eq=False)
class TopicRows:
    """Consecutive rows of a run, grouped by topic, as read from a columnar file."""

    topics: tuple[str, ...]  # ids of T groups of rows; the same topic may have several groups
    starts: Longs  # shape (T + 1,): the rows of group t are `starts[t]:starts[t + 1]`
    documents: HashedIds  # N document ids
    score: Floats | None  # shape (N,); None if the file has no scores
    rank: Ints | None  # shape (N,); None if the file has no ranks, or they were not read
    has_unread_ranks: bool = False  # whether the file has ranks that were not read

    def slice_topics(self, first_topic: int, end_topic: int) -> "TopicRows":
        """Return the rows of the topics whose indices are in `range(first_topic, end_topic)`."""
        begin, end = int(self.starts[first_topic]), int(self.starts[end_topic])
        return TopicRows(
            self.topics[first_topic:end_topic],
            self.starts[first_topic : end_topic + 1] - begin,
            self.documents[begin:end],
            None if self.score is None else self.score[begin:end],
            None if self.rank is None else self.rank[begin:end],
            self.has_unread_ranks,
        )

    def run(self, name: str = "") -> Run:
        """Return the rows as a run; if there are no scores, they are derived from the ranks."""
        unknown_ranks = np.broadcast_to(np.int32(-1), len(self.documents))
        rank = unknown_ranks if self.rank is None else self.rank
        score = (
            ranks_to_scores(rank.astype(np.float64), self.starts)
            if self.score is None
            else self.score
        )
        return Run(name, self.topics, self.starts, self.documents, score, rank, unknown_ranks)

    def regular_run(self) -> Run:
        """Return the rows as a run.

        Raises IrregularFile if the scores look like ranks or contradict the ranks; the warning
        needs the complete run (`read_whole_columnar_run`). Raises UnreadRanks if they may
        contradict ranks that were not read.
        """
        run = self.run()
        if self.score is None:
            return run
        is_rising = run.score[1:] > run.score[:-1]
        is_rising[self.starts[1:-1] - 1] = False
        if is_rising.any() and self.has_unread_ranks:
            raise UnreadRanks
        if is_rising.any() and (
            looks_like_ranks(run.score, run.starts)
            or len(find_contradictions(run.starts, run.rank, run.score)[0])
        ):
            raise IrregularFile
        return run


@dataclass(frozen=True, slots=True, eq=False)
class ColumnarRun:
    """Columnar run (Parquet, Arrow IPC, or a table in memory), read in batches when needed.

    The object contains the metadata of the files, or the table in memory. If files store documents
    as codes, `names` has the text of each code. `pieces` reads the rows; `read_whole_columnar_run`
    returns them as a `Run`.
    """

    table: ColumnTable
    names: Ids | None  # texts of the document codes; None if the column contains ids

    @property
    def empty_topics(self) -> tuple[str, ...]:
        """Topics without retrieved documents, as listed in the files."""
        return tuple(topic for part in self.table.parts for topic in _read_empty_topics(part))

    @property
    def messages(self) -> tuple[str, ...]:
        """Messages about recognised columns, and a warning if the file has no checksums."""
        return self.table.messages(
            ""
            if "score" in self.table.column_of_part
            else Message("; scores were derived from ranks")
        ) + tuple(
            Message(
                "{file} was converted without checksums, so damage to it cannot be detected; "
                "convert the run again.",
                file=self.table.path.name,
            )
            for part in self.table.parts[:1]
            if part.checksums is None
            and {CODES_KEY, ORDER_KEY, EMPTY_TOPICS_KEY} & {*(part.schema.metadata or {})}
        )

    def pieces(
        self, *, ranks: bool = True, row_group: tuple[int, int] | None = None
    ) -> Iterator[Callable[[], TopicRows]]:
        """Yield, for each batch of rows in file order, a function that reads the batch.

        Ranks are read only if `ranks` is True, or if there are no scores. `row_group` selects one
        row group: the index of its file, and its index in that file.
        """
        number_columns = (
            ("score",) if "score" in self.table.column_of_part and not ranks else ("score", "rank")
        )
        for read_piece in self.table.pieces(("topic", "document", *number_columns), row_group):
            yield partial(self._read_rows, read_piece)

    def _read_rows(self, read_piece: Callable[[], RowPiece]) -> TopicRows:
        piece = read_piece()
        # topic and first row of each group of consecutive rows with the same topic
        codes, texts = encode_ids(piece.id_column("topic"))
        first_rows = np.flatnonzero(np.concatenate(([True], codes[1:] != codes[:-1])))[: len(codes)]
        topic_codes = codes[first_rows]
        names = (
            topic_codes.tolist()
            if texts is None
            else texts.take(to_arrow_column(topic_codes)).to_pylist()
        )
        topics, starts = tuple(map(str, names)), np.append(first_rows, len(codes))
        score = (
            to_numbers(piece.column("score"), pa.float64())
            if "score" in piece.column_of_part
            else None
        )
        if score is not None and len(score) and np.isnan(score.min()):
            raise piece.make_error(
                "score", int(np.flatnonzero(np.isnan(score))[0]), Message("is not a number")
            )
        rank = _read_ranks(piece) if piece.has("rank") else None
        documents = self._read_documents(piece.id_column("document"))
        if self.names is not None and isinstance(documents, NumberIds):
            is_unknown = (documents.values < 0) | (documents.values >= len(self.names))
            if is_unknown.any():
                raise piece.make_error(
                    "document",
                    int(np.flatnonzero(is_unknown)[0]),
                    Message("is a code with no corresponding id"),
                )
        has_unread_ranks = "rank" in piece.column_of_part and rank is None
        return TopicRows(topics, starts, documents, score, rank, has_unread_ranks)

    def _read_documents(self, column: Any) -> HashedIds:
        ids = to_ids(column)
        if pa.types.is_integer(ids.type):
            values = to_numpy(ids)
            if values.dtype == np.int64 and len(values) and values.min() == NO_NUMBER:
                raise IrregularFile
            return NumberIds(values, self.names)
        return HashedTexts.from_texts(cast_column(ids, pa.string()))


def _read_ranks(piece: RowPiece) -> Ints:
    """Return the ranks of rows, shape (N,); -1 for a missing rank of a row with a score."""
    column = piece.optional_column("rank")
    is_needed = "score" not in piece.column_of_part
    if is_needed or not column.null_count:
        ranks: Ints = to_numbers(piece.column("rank"), pa.int32())
        if is_needed and len(ranks) and ranks.min() < 0:
            row = int(np.argmax(ranks < 0))
            raise piece.make_error("rank", row, Message("is negative"))
        return ranks
    is_valid = column.is_valid()
    ranks = np.full(len(column), -1, dtype=np.int32)
    rows = to_numpy(pa.compute.indices_nonzero(is_valid))
    ranks[rows] = to_numbers(column.filter(is_valid), pa.int32())
    return ranks


def open_columnar_run(
    source: FileSource, columns: ColumnMapping = AS_RECOGNISED
) -> ColumnarRun | None:
    """Return the columnar run at a path; None if there is no columnar file.

    Raises
    ------
    FormatError
        If a column is missing, or the files contain several runs.
    """
    table = ColumnTable.open(source, RUN_PARTS, columns)
    if table is None:
        return None
    if not {"score", "rank"} & {*table.column_of_part}:
        raise Undecided(
            table.header.path,
            Message(
                '{problem}; map the column with --columns, for example "score=NAME"',
                problem=Message(
                    "cannot tell which column is the score or the rank; the columns are {names}",
                    names=", ".join(table.header.header),
                ),
            ),
            ("columns",),
        )
    _check_no_added_files(table.parts)
    _check_one_run(table.parts)
    return ColumnarRun(table, _read_names(table.parts))


def _check_no_added_files(parts: Sequence[RowGroups]) -> None:
    """Raise FormatError if a file without checksums was added to the folder of a converted run."""
    converted_part = next((part for part in parts if part.checksums is not None), None)
    added_part = next((part for part in parts if part is not converted_part), None)
    if converted_part is not None and added_part is not None:
        raise FormatError(
            added_part.file.path,
            Message(
                "it is not part of the run that `irjudge convert` wrote into this folder; remove it, or "
                "convert the run again",
                key="added-to-run",
            ),
        )


def _list_distinct_values(part: RowGroups, table: Any) -> list[Any]:
    """Return the distinct names of runs in the only column of a table."""
    try:
        values: list[Any] = pa.compute.unique(table[RUN_COLUMN]).to_pylist()
    except (pa.ArrowException, ValueError, OverflowError) as error:
        raise FormatError(
            part.file.path,
            Message(
                "its column “run” contains values that are no names of runs ({type})",
                key="run-type",
                type=str(table[RUN_COLUMN].type)[:40],
            ),
        ) from error
    return values


def _check_one_run(parts: Sequence[RowGroups]) -> None:
    """Raise FormatError if the column `run` of the files contains several names, or occurs twice."""
    names: dict[str, None] = {}
    for part in parts:
        if part.schema.names.count(RUN_COLUMN) > 1:
            raise FormatError(
                part.file.path,
                Message(
                    "several columns are named {column}; rename them, so that their names differ",
                    key="repeated-column",
                    column=RUN_COLUMN,
                ),
            )
        if RUN_COLUMN in part.schema.names:
            for _, _, read_piece in part.pieces([RUN_COLUMN]):
                names |= dict.fromkeys(map(str, _list_distinct_values(part, read_piece())))
    if len(names) > 1:
        raise FormatError(
            parts[0].file.path,
            Message(
                "its column “run” contains {count} runs ({listed}); expected one. Put each run in "
                "a folder named run=NAME",
                key="several-runs",
                count=len(names),
                listed=", ".join([*names][:3]) + (" …" if len(names) > 3 else ""),
            ),
        )


def _read_metadata(row_groups: RowGroups, key: bytes) -> str | None:
    """Return a text from the metadata of a columnar file; None if it is missing.

    Raises
    ------
    FormatError
        If the text is not UTF-8.
    """
    text = (row_groups.schema.metadata or {}).get(key)
    try:
        return None if text is None else str(text, "utf-8")
    except ValueError as error:
        raise FormatError(row_groups.file.path, DAMAGED_METADATA) from error


def _read_empty_topics(row_groups: RowGroups) -> list[str]:
    text = _read_metadata(row_groups, EMPTY_TOPICS_KEY)
    try:
        topics = [] if text is None else json.loads(text)
    except (ValueError, RecursionError) as error:
        raise FormatError(row_groups.file.path, DAMAGED_METADATA) from error
    if not isinstance(topics, list) or not all(isinstance(topic, str) for topic in topics):
        raise FormatError(row_groups.file.path, DAMAGED_METADATA)
    return topics


def _read_names(parts: Sequence[RowGroups]) -> Ids | None:
    """Return the texts of the document codes; None if documents are stored as ids.

    The metadata of the first part contain the name of the file with the texts.
    """
    codes = {_read_metadata(part, CODES_KEY) for part in parts}
    if codes == {None}:
        return None
    if len(codes) > 1:
        raise FormatError(
            parts[0].file.path,
            Message(
                "only some of its parts store documents as codes, or the parts use different codes"
            ),
        )
    return _read_names_in(parts[0].file.sibling(next(iter(codes)) or ""))


@cache
def _read_names_in(file: ColumnFile) -> Ids:
    groups = RowGroups.from_file(file)
    try:
        table = pa.concat_tables(
            [read_piece() for _, _, read_piece in groups.pieces([DOCUMENT_COLUMN])]
        )
        names = cast_column(table[DOCUMENT_COLUMN].combine_chunks(), pa.string())
    except (LookupError, ValueError, pa.ArrowException, IrregularFile) as error:
        raise FormatError(file.path, DAMAGED_METADATA) from error
    if names.null_count:
        raise FormatError(file.path, DAMAGED_METADATA)
    return names


@dataclass(frozen=True, slots=True, eq=False)
class BatchResult(Generic[Result]):
    """Batch of rows of a columnar run, after a function was applied to its whole topics.

    The first and the last topic may continue in other batches: the function was not applied to
    them, and `first` and `last` contain their rows. `join_batch_results` joins these rows and
    applies the function to them.
    """

    topics: tuple[str, ...]  # all topics of the batch, in file order
    first: TopicRows  # rows of the first topic
    middle: list[Result]  # results for the other topics, one for each group of consecutive topics
    last: TopicRows | None  # rows of the last topic; None if the batch has one topic


def process_whole_topics(rows: TopicRows, process: Callable[[Run], Result]) -> BatchResult[Result]:
    """Apply `process` to a batch, except its first and last topics, which may be incomplete."""
    return _separate_outer_topics(rows, [make() for make in _split_in_halves(rows, process)])


def _separate_outer_topics(rows: TopicRows, middle_results: list[Result]) -> BatchResult[Result]:
    last_topic = len(rows.topics) - 1
    return BatchResult(
        rows.topics,
        rows.slice_topics(0, 1),
        middle_results,
        rows.slice_topics(last_topic, last_topic + 1) if last_topic else None,
    )


def _split_in_halves(
    rows: TopicRows, process: Callable[[Run], Result]
) -> list[Callable[[], Result]]:
    """Return two functions, each of which applies `process` to half of the topics in a batch.

    The first and the last topic are omitted, since other batches may contain more of their rows. If
    there is only one other topic, there is one function; if there is none, the list is empty.
    """

    def process_topics(first_topic: int, end: int) -> Result:
        return process(rows.slice_topics(first_topic, end).regular_run())

    last_topic = len(rows.topics) - 1
    if last_topic < 2:
        return []
    middle_topic = int(
        np.searchsorted(rows.starts, (rows.starts[1] + rows.starts[last_topic]) // 2)
    )
    return [
        partial(process_topics, *span) for span in pairwise(sorted({1, middle_topic, last_topic}))
    ]


def join_batch_results(
    path: Path, pieces: Iterable[BatchResult[Result]], process: Callable[[Run], Result]
) -> list[Result]:
    """Return the results of all topics in file order.

    If the rows of a topic are in several batches, they are joined before they are processed.

    Raises
    ------
    IrregularFile
        If the rows of a topic are not consecutive, or the scores look like ranks or may contradict
        the ranks.
    FormatError
        If a topic has too many rows.
    """
    results: list[Result] = []
    seen_topics: list[str] = []
    open_rows: list[TopicRows] = []
    open_row_count = 0

    def finish() -> None:
        nonlocal open_row_count
        if open_rows:
            results.append(process(_join_topic_rows(open_rows).regular_run()))
            open_rows.clear()
            open_row_count = 0

    for piece in pieces:
        is_continued = bool(open_rows) and open_rows[0].topics == piece.first.topics
        if not is_continued:
            finish()
        seen_topics += piece.topics[1:] if is_continued else piece.topics
        open_rows.append(piece.first)
        open_row_count += len(piece.first.documents)
        _check_topic_size(path, piece.first.topics[0], open_row_count)
        if piece.last is not None:
            finish()
            open_rows.append(piece.last)
            open_row_count = len(piece.last.documents)
        results += piece.middle
    finish()
    if len({*seen_topics}) < len(seen_topics):
        raise IrregularFile
    return results


def _check_topic_size(path: Path, topic: str, row_count: int) -> None:
    """Raise FormatError if a topic has too many rows."""
    if row_count > MAX_TOPIC_ROWS:
        raise FormatError(
            path,
            Message(
                "topic {topic} has more than {limit:,} rows", topic=topic, limit=MAX_TOPIC_ROWS
            ),
        )


def read_column_parts(
    run: ColumnarRun, process: Callable[[Run], Result], *, ranks: bool = False
) -> list[Result]:
    """Apply `process` to groups of whole topics; return the results in file order.

    If a batch is not in the order of its scores, the ranks are also read.

    Raises
    ------
    IrregularFile
        As in `join_batch_results`.
    """
    try:
        return _read_column_parts(run, process, ranks=ranks)
    except UnreadRanks:
        return _read_column_parts(run, process, ranks=True)


def _read_column_parts(
    run: ColumnarRun, process: Callable[[Run], Result], *, ranks: bool
) -> list[Result]:
    parts = map_parts_in_parallel(
        lambda piece: piece(), lambda rows: _split_in_halves(rows, process), run.pieces(ranks=ranks)
    )
    return join_batch_results(
        run.table.path,
        (_separate_outer_topics(rows, results) for rows, results in parts if rows.topics),
        process,
    )


def _join_topic_rows(parts: Sequence[TopicRows]) -> TopicRows:
    if len(parts) == 1:
        return parts[0]
    score, rank = (
        None
        if any(getattr(part, name) is None for part in parts)
        else np.concatenate([getattr(part, name) for part in parts])
        for name in ("score", "rank")
    )
    return TopicRows(
        parts[0].topics,
        np.array([0, sum(len(part.documents) for part in parts)]),
        _join_documents([part.documents for part in parts]),
        score,
        rank,
        any(part.has_unread_ranks for part in parts),
    )


def _join_documents(documents: Sequence[HashedIds]) -> HashedIds:
    if all(isinstance(document, NumberIds) for document in documents):
        values = [document.values for document in documents]  # type: ignore[union-attr]
        return NumberIds(np.concatenate(values), documents[0].names)  # type: ignore[union-attr]
    if not all(isinstance(document, HashedTexts) for document in documents):
        raise IrregularFile
    return HashedTexts(pa.concat_arrays([document.ids for document in documents]))  # type: ignore[union-attr]


def measure_physical_memory() -> int:
    """Return the computer's physical memory in bytes; if unknown, a very large number."""
    try:
        return os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES")
    except (AttributeError, ValueError, OSError):
        return 1 << 62


def _check_row_count(run: ColumnarRun) -> None:
    """Raise FormatError for a run whose metadata claim more rows than fit in memory."""
    for part in run.table.parts:
        rows = sum(size for size in part.row_counts if size > 0)
        if rows * ROW_SIZE > measure_physical_memory():
            raise FormatError(
                part.file.path,
                Message("has {rows:,} rows, too many for the memory of this computer", rows=rows),
            )


def read_whole_columnar_run(run: ColumnarRun, name: str) -> Run:
    """Return the complete run, grouped by topic; only the first of duplicate rows is kept."""
    _check_row_count(run)
    path = run.table.path
    rows = list(map_in_parallel(lambda piece: piece(), run.pieces()))
    if not rows:
        raise FormatError(
            path,
            Message(
                "the table has a header but no rows; expected documents below the header",
                key="no-rows",
            ),
        )
    code: dict[str, int] = {}
    codes = [
        np.array([code.setdefault(topic, len(code)) for topic in row.topics], dtype=np.int32)
        for row in rows
    ]
    topic = np.concatenate(
        [
            np.repeat(code, np.diff(part_rows.starts))
            for code, part_rows in zip(codes, rows, strict=True)
        ]
    )
    document = pa.concat_arrays([_to_texts(row.documents) for row in rows])
    groups = group_by_topic(topic, len(code), document)
    score, ranks = (
        None
        if getattr(rows[0], part) is None
        else groups.take(np.concatenate([getattr(row, part) for row in rows]))
        for part in ("score", "rank")
    )
    topics = to_arrow_strings([*code])
    score, rank, rank_warnings = complete_scores_and_ranks(
        path, topics, groups.starts, score, ranks
    )
    return Run(
        name,
        tuple(code),
        groups.starts,
        groups.take(document),
        score,
        rank,
        groups.take(np.arange(1, len(topic) + 1, dtype=np.int32)),
        (
            *run.messages,
            *rank_warnings,
            *warn_of_duplicates(path, groups.duplicate_count, groups.first_duplicate, topics),
        ),
    ).with_topics(run.empty_topics)


def run_from_table(run: ColumnarRun, name: str) -> Run | None:
    """Return the run in a table in memory; None if it needs the slow reader."""
    try:
        result = read_whole_columnar_run(run, name)
    except (IrregularFile, FormatError):
        return None
    return replace(result, warnings=()) if len(result) == run.table.arrow_table.num_rows else None


def _to_texts(documents: HashedIds) -> Ids:
    if isinstance(documents, HashedTexts):
        return documents.ids
    if documents.names is not None:
        return documents.names.take(to_arrow_column(documents.values))
    return cast_column(to_arrow_column(documents.values), pa.string())


# Rank order stored with a converted run, so that readers need not read all rows to compute ranks

ORDER_METADATA_KEY = b"irjudge.known"
ORDER_FILE = "_order.parquet"
MIN_ROWS_PER_MOVED_ROW = 4  # at most one in four rows may be out of rank order


@dataclass(frozen=True, slots=True, eq=False)
class RunOrder:
    """Rank order of a run whose rows are grouped by topic and nearly sorted by rank.

    It contains positions only for the rows whose position by rank differs from their position in
    the file. `irjudge convert` stores the order in a file next to the columnar run (`write_order`),
    so that an evaluation reads only the column of documents.
    """

    topics: tuple[str, ...]  # T topics, in the order of the file
    starts: Longs  # shape (T + 1,): the rows of topic t are `starts[t]:starts[t + 1]`
    # indices, ascending, of rows whose position by rank differs from their index in the file
    moved_rows: Longs
    # position by rank of each row in `moved_rows`, from 0, counted over all topics
    positions: Longs
    tied_count: int  # number of documents with the same score as another document of the topic

    def find_positions(self, rows: Longs) -> Longs:
        """Return the position by rank of each row in `rows`, which are indices in the file."""
        if not len(self.moved_rows):
            return rows
        indices = np.minimum(np.searchsorted(self.moved_rows, rows), len(self.moved_rows) - 1)
        return np.where(self.moved_rows[indices] == rows, self.positions[indices], rows)


def detect_order(run: Run) -> RunOrder | None:
    """Return the rank order of a run in memory; None if too many rows are out of order."""
    order_pair = reordered_rows(run) or (np.empty(0, np.int64), np.empty(0, np.int64))
    is_moved = order_pair[0] != order_pair[1]
    positions, moved_rows = (rows[is_moved] for rows in order_pair)
    if len(moved_rows) * MIN_ROWS_PER_MOVED_ROW > len(run):
        return None
    row_order = np.argsort(moved_rows)
    return RunOrder(
        run.topics,
        run.starts,
        moved_rows[row_order],
        positions[row_order],
        count_tied_documents(run),
    )


def write_order(file: Path, order: RunOrder, checksums: Checksums) -> None:
    """Write the rank order of the run in `file` to another file in the same folder."""
    from pyarrow.parquet import write_table  # noqa: PLC0415 -- few commands write the row order

    order_metadata = {
        "of": _compute_fingerprint(RowGroups.from_file(ColumnFile(file))),
        "tied": order.tied_count,
    }
    offsets = to_arrow_column(np.searchsorted(order.moved_rows, order.starts).astype(np.int32))
    moved_rows, positions = (
        pa.ListArray.from_arrays(offsets, to_arrow_column(values))
        for values in (order.moved_rows, order.positions)
    )
    table = pa.table(
        {
            "topic": to_arrow_strings(order.topics),
            "rows": to_arrow_column(np.diff(order.starts)),
            "moved": moved_rows,
            "places": positions,
        }
    )
    with replace_file(file.parent / ORDER_FILE) as part:
        with part.open("wb") as stream:
            table = table.replace_schema_metadata({ORDER_METADATA_KEY: json.dumps(order_metadata)})
            write_table(table, stream, compression="zstd")
        checksums.add(file.parent, ORDER_FILE, part)


def read_order(run: ColumnarRun) -> RunOrder | None:
    """Read the stored rank order of a run; None if there is none or it is outdated."""
    row_groups = run.table.parts[0]
    order_name = (row_groups.schema.metadata or {}).get(ORDER_KEY)
    if len(run.table.parts) > 1 or order_name is None:
        return None
    try:
        order = RowGroups.from_file(row_groups.file.sibling(order_name.decode()))
        order_metadata = json.loads((order.schema.metadata or {})[ORDER_METADATA_KEY])
        if order_metadata["of"] != _compute_fingerprint(row_groups):
            return None
        table = pa.concat_tables(
            [
                read_piece()
                for _, _, read_piece in order.pieces(["topic", "rows", "moved", "places"])
            ]
        )
        topics = tuple(cast_column(table["topic"], pa.string()).to_pylist())
        starts = np.concatenate(([0], np.cumsum(to_numpy(table["rows"]))))
        moved_rows, positions = (
            to_numpy(table[name].combine_chunks().flatten()) for name in ("moved", "places")
        )
        stored_order = RunOrder(topics, starts, moved_rows, positions, order_metadata["tied"])
        return stored_order if _is_consistent(stored_order, sum(row_groups.row_counts)) else None
    except FormatError as error:
        is_missing = isinstance(error.__context__, FileNotFoundError)
        if row_groups.checksums is not None and not is_missing:
            raise
        return None
    except (
        IrregularFile,
        pa.ArrowException,
        LookupError,
        TypeError,
        ValueError,
        AttributeError,
        RecursionError,
    ):
        return None


def _is_consistent(order: RunOrder, rows: int) -> bool:
    """Return whether a stored order is consistent and belongs to a run with `rows` rows."""
    starts, moved_rows, positions = order.starts, order.moved_rows, order.positions
    if starts[-1] != rows or not (np.diff(starts) > 0).all():
        return False
    topic = [np.searchsorted(starts, rows, side="right") for rows in (moved_rows, positions)]
    return (
        len({*order.topics} - {None}) == len(order.topics)
        and isinstance(order.tied_count, int)
        and 0 <= order.tied_count <= rows
        and bool((np.diff(moved_rows) > 0).all())
        # the positions must be a permutation of the rows
        and np.array_equal(np.sort(positions), moved_rows)
        and np.array_equal(topic[0], topic[1])
        and (not len(moved_rows) or (moved_rows[0] >= 0 and moved_rows[-1] < rows))
    )


def _compute_fingerprint(row_groups: RowGroups) -> str:
    """Return the size and footer hash of a file as text that differs if the file is rewritten."""
    with row_groups.file.open() as source:
        file_size, end = source.size(), row_groups.metadata.serialized_size + 8
        source.seek(file_size - end)
        return f"{file_size}:{blake2b(source.read(end), digest_size=16).hexdigest()}"


def iter_document_readers(run: ColumnarRun) -> Iterator[Callable[[], tuple[Longs | Ints, int]]]:
    """Yield a reader for each row group.

    A reader is a function that returns the documents of the row group and the index of its first
    row in the file.
    """
    row_groups, column = run.table.parts[0], run.table.column_of_part[DOCUMENT_COLUMN]
    first_row = 0
    for group, rows in enumerate(row_groups.row_counts):
        yield partial(_read_documents, row_groups, group, column, first_row)
        first_row += rows


def _read_documents(
    row_groups: RowGroups, group: int, column: str, first_row: int
) -> tuple[Longs | Ints, int]:
    return to_numpy(row_groups.read(group, [column])[column]), first_row


# Parquet runs that can be read quickly: documents are integers, and rows are grouped by topic

# prefix of the name of the file that maps document codes to ids; Parquet readers ignore the file
# because of the underscore
DOCUMENTS_FILE_PREFIX = "_documents"
ROW_GROUP_SIZE = 1 << 19  # number of rows of a row group
_INT32_LIMIT = 2**31


def convert_runs(
    runs: Iterable[Run], folder: Path, *, total: int | None = None, progress: Progress = SILENT
) -> list[Path]:
    """Write each run into a subfolder `run=NAME` of a folder, and return these subfolders.

    A slash in a name, with which runs of several folders are distinguished, becomes an underscore.
    Rows are grouped by topic and keep the order of the run within a topic. The rank order of the
    rows is stored in a separate file, so that readers need not sort. Integer ids are written as
    integers; other ids are written as codes, and their texts to a separate file. The written data
    are verified before they replace an earlier conversion.

    Raises
    ------
    IrjudgeError
        If two runs have the same subfolder, a subfolder exists and is not a converted run, or the
        written data differ from the run.
    """
    written_paths = list[Path]()
    for index, run in enumerate(runs, 1):
        target = folder / f"{RUN_FOLDER}{run.name.replace('/', '_')}"
        if target in written_paths:
            raise IrjudgeError(
                "Two runs would be written into the folder {target}; rename the file of one of them.",
                key="same-folder",
                target=target.name,
            )
        _convert_run(run, target)
        written_paths.append(target)
        progress.step(index, total, Message("Converted {run}", run=run.name))
    return written_paths


def _convert_run(run: Run, target: Path) -> None:
    if any(file.path.name != DATA_FILE for file in find_column_files(target)):
        raise IrjudgeError(
            "{target} exists but contains no converted run; choose another folder.",
            key="other-folder",
            target=target.name,
        )
    try:
        target.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise IrjudgeError(
            "Cannot write {folder}: {reason}.",
            folder=target.name,
            reason=describe_os_error(error),
        ) from error
    _write_converted_run(target, _sort_by_topic(run))


def _sort_by_topic(run: Run) -> Run:
    """Return a run sorted by topic; topics without retrieved documents are last."""
    empty_topics = sorted(run.empty_topics)
    run = run.without_empty_topics()
    order = sorted(range(len(run.topics)), key=run.topics.__getitem__)
    sizes = np.diff(run.starts)[order]
    starts = np.concatenate(([0], np.cumsum(sizes)))
    rows = np.arange(len(run)) + np.repeat(run.starts[:-1][order] - starts[:-1], sizes)
    return Run(
        run.name,
        tuple(run.topics[index] for index in order),
        starts,
        run.document.take(to_arrow_column(rows)),
        run.score[rows],
        run.rank[rows],
        run.line[rows],
    ).with_topics(empty_topics)


def _write_converted_run(folder: Path, run: Run) -> None:
    """Write a run atomically; the texts of its document codes are written to a separate file."""
    from pyarrow.parquet import write_table  # noqa: PLC0415 -- few commands write columnar runs

    table, names = _to_run_columns(run)
    order = detect_order(run.without_empty_topics())
    metadata, schema_metadata = "", {ORDER_KEY: ORDER_FILE.encode()} if order else {}
    checksums = Checksums.in_folder(folder)
    if run.empty_topics:
        schema_metadata[EMPTY_TOPICS_KEY] = json.dumps(run.empty_topics).encode()
    if names is not None:
        metadata = f"{DOCUMENTS_FILE_PREFIX}-{blake2b(names.buffers()[2] or b'', digest_size=8).hexdigest()}.parquet"
        schema_metadata[CODES_KEY] = metadata.encode()
        with replace_file(folder / metadata) as part:
            # opened by Python, since pyarrow can open a file only if its name is UTF-8
            with part.open("wb") as file:
                write_table(pa.table({DOCUMENT_COLUMN: names}), file, compression="zstd")
            checksums.add(folder, metadata, part)
    with replace_file(folder / DATA_FILE) as part:
        with part.open("wb") as file:
            write_table(
                table.replace_schema_metadata(schema_metadata),
                file,
                row_group_size=ROW_GROUP_SIZE,
                use_dictionary=["topic"],
                compression={
                    "topic": "zstd",
                    DOCUMENT_COLUMN: "none",
                    "score": "none",
                    "rank": "zstd",
                },
            )
        _verify_written_run(part, run)
        checksums.add(folder, DATA_FILE, part)
    if order:
        write_order(folder / DATA_FILE, order, checksums)
    else:
        (folder / ORDER_FILE).unlink(missing_ok=True)
    checksums.keep_only(
        folder, {name for name in (DATA_FILE, metadata, ORDER_FILE if order else "") if name}
    )
    for old_file in folder.glob(f"{DOCUMENTS_FILE_PREFIX}-*.parquet"):
        if old_file.name != metadata:
            old_file.unlink()


def _to_run_columns(run: Run) -> tuple[Any, Ids | None]:
    """Return the columns of a run as a table, and the texts of its document codes.

    The texts are None if the table contains integer ids.
    """
    values = NumberIds.from_texts(run.document, None).values
    names = None
    if len(values) and values.min() == NO_NUMBER:
        names = pa.compute.unique(run.document)
        names = names.take(pa.compute.sort_indices(names))
        values = index_in(run.document, names).astype(np.int64)
    is_small = not len(values) or (values.min() >= -_INT32_LIMIT and values.max() < _INT32_LIMIT)
    numbers = to_arrow_column(values.astype(np.int32) if is_small else values)
    topic = pa.DictionaryArray.from_arrays(
        to_arrow_column(topic_of_each_row(run.starts)), to_arrow_strings(run.topics)
    )
    columns = {"topic": topic, DOCUMENT_COLUMN: numbers, "score": to_arrow_column(run.score)}
    if len(run) and run.rank.min() >= 0:
        columns["rank"] = to_arrow_column(run.rank)
    return pa.table(columns), names


def _verify_written_run(file: Path, run: Run) -> None:
    """Read the written run; raise an error if it differs from the run in memory."""
    try:
        written_run = (
            read_whole_columnar_run(written, run.name)
            if (written := open_columnar_run(file))
            else None
        )
    except IrregularFile:
        written_run = None
    is_unchanged = (
        written_run is not None
        and written_run.topics == run.topics
        and np.array_equal(written_run.starts, run.starts)
        and np.array_equal(written_run.score.view(np.int64), run.score.view(np.int64))
        and (np.array_equal(written_run.rank, run.rank) or run.rank.min(initial=0) < 0)
        and written_run.document.equals(run.document)
    )
    if not is_unchanged:
        raise IrjudgeError(
            "The data written for {run} differed when they were read back; no file was replaced. "
            "Check the disk.",
            key="not-as-written",
            run=run.name,
        )
