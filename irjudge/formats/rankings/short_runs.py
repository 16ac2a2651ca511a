"""Readers of runs other than TREC's: MS MARCO's columns, tables with a header, and JSON."""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import pyarrow as pa

from irjudge.errors import FormatError, Undecided
from irjudge.formats.bytes import InputFile
from irjudge.formats.collections import (
    is_answers,
    is_candidates,
    is_top_passages,
    is_turn_responses,
    iter_answer_references,
    iter_candidate_ranking,
    iter_top_passages_ranking,
    iter_turn_ranking,
)
from irjudge.formats.file_formats import FileFormat, read_in_format
from irjudge.formats.judgments import RatingsFile
from irjudge.formats.rankings.engine_responses import iter_query_texts, read_responses_in_file
from irjudge.formats.rankings.judged_rows import CodedTexts, check_separators, map_column_indices
from irjudge.formats.rankings.other_qrels import (
    FIRST_NUMBER,
    RANK,
    SCORE,
    SCORE_NAME,
    SECOND_NUMBER,
    JsonPairs,
    parse_json_pairs,
)
from irjudge.formats.rankings.qrels import warn_of_duplicates
from irjudge.formats.rankings.rank_checks import warn_of_ranks
from irjudge.formats.reader_warnings import ReaderWarnings, prefix_file_name
from irjudge.formats.rows import (
    CODED_TYPE,
    DOCUMENT,
    EXPECTED_NUMBER,
    JSON,
    MAX_SHOWN_CHARACTERS,
    NUMBER_PATTERN,
    RECORDS,
    TOPIC,
    ColumnMapping,
    FileLines,
    Grouped,
    Layout,
    Mask,
    ReadTable,
    TypedColumn,
    detect_table_format,
    format_choices,
    format_columns,
    group_by_topic,
    parse_integer,
    read_table,
)
from irjudge.message import Message
from irjudge.model import (
    Floats,
    Ids,
    Ints,
    Longs,
    RetrievedDocument,
    Run,
    to_arrow_strings,
    to_numpy,
)

# Formats in the order in which they are tried. A new format is added to this list.
FORMATS: tuple[FileFormat[RetrievedDocument], ...] = (
    FileFormat(Message("MS MARCO top 1000"), is_top_passages, iter_top_passages_ranking),
    FileFormat(
        Message("JSON of queries and their candidates"), is_candidates, iter_candidate_ranking
    ),
    FileFormat(Message("conversation turns with responses"), is_turn_responses, iter_turn_ranking),
    FileFormat(Message("answers with citations"), is_answers, iter_answer_references),
)


RUN_PARTS = (TOPIC, DOCUMENT, RANK, SCORE)

ID_COLUMNS = (TypedColumn("topic", CODED_TYPE), TypedColumn("document", pa.string()))
PAIR_LAYOUT = Layout(ID_COLUMNS, 2, Message("2, as in the first line (topic, document)"))
TRIPLE_LAYOUT = Layout(
    (*ID_COLUMNS, TypedColumn("third", pa.float64())),
    3,
    Message("3, as in the first line (topic, document, rank or score)"),
)
COLUMN_BY_PART = {
    "topic": ID_COLUMNS[0],
    "document": ID_COLUMNS[1],
    "rank": TypedColumn("rank", pa.int32()),
    "score": TypedColumn("score", pa.float64()),
}
MAX_RANK = 2**31 - 1
MAX_CHOICES = 3


@dataclass(frozen=True, slots=True)
class _RunRows:
    """Columns of a run of N rows, except rank and score, and the grouping of rows by topic."""

    topic: CodedTexts
    document: Ids
    line: Ints
    groups: Grouped

    @classmethod
    def from_lists(
        cls, topics: list[str], documents: list[str], line: Ints | None = None
    ) -> "_RunRows":
        topic, document = CodedTexts.from_texts(topics), to_arrow_strings(documents)
        return cls(
            topic,
            document,
            np.full(len(documents), -1, dtype=np.int32) if line is None else line,
            group_by_topic(topic.codes, len(topic.texts), document),
        )


def read_table_run(
    file: InputFile, name: str, columns: ColumnMapping, encoding: str | None
) -> Run | None:
    """Read a run from a table with a header, a spreadsheet or JSON; None for plain lines."""
    path = file.path
    if not columns and (answers := read_responses_in_file(file)):
        return run_from_responses(path, name, answers)
    format_name = detect_table_format(file, RUN_PARTS, columns, encoding, records=True)
    if (
        format_name in ("", JSON, RECORDS)
        and not columns
        and (content := read_in_format(file, "runs", FORMATS, RetrievedDocument))
    ):
        return _make_listed_run(path, name, *content)
    if format_name == JSON:
        return _make_json_run(path, name, parse_json_pairs(file, SCORE_NAME))
    if not format_name:
        return None
    warnings = ReaderWarnings()
    table = read_table(file, RUN_PARTS, warnings, columns=columns, encoding=encoding, records=True)
    return _read_table(name, table, warnings)


def _make_json_run(path: Path, name: str, pairs: JsonPairs) -> Run:
    rows = _RunRows.from_lists(pairs.topics, pairs.documents)
    score, rank = _choose_score_and_rank(path, pairs, rows.groups)
    messages = (
        Message(
            "{file}: read as JSON of topics, documents and scores.",
            key="read-as-json",
            file=path.name,
        )
        if score is not None
        else Message(
            "{file}: read as JSON of topics and documents{ranking}.",
            key="read-as-json",
            file=path.name,
            ranking=_describe_ranking_source(has_scores=False, has_ranks=rank is not None),
        ),
        *prefix_file_name(path.name, pairs.warnings),
    )
    return _make_run(path, name, rows, score, rank, messages).with_topics(pairs.empty_topics)


def _choose_score_and_rank(
    path: Path, pairs: JsonPairs, groups: Grouped
) -> tuple[Floats | None, Floats | None]:
    """Return the numbers that are scores, and those that are ranks, or None.

    In lists such as [id, number], whole numbers that increase in each topic are ranks.
    """
    numbers = {part: np.array(column) for part, column in pairs.numbers.items()}
    score, rank = numbers.get(SCORE.name), numbers.get(RANK.name)
    first, second = numbers.get(FIRST_NUMBER), numbers.get(SECOND_NUMBER)
    if score is not None and rank is not None:
        rank = np.where(_are_ranks(rank), rank, -1)
    elif rank is not None and not _are_ranks(rank).all():
        raise FormatError(
            path,
            Message(
                "the ranks are not whole numbers from 0 to {limit:,}",
                key="not-whole",
                limit=MAX_RANK,
            ),
        )
    if first is None:
        return score, rank

    def is_increasing(column: Floats) -> bool:
        return _are_increasing(groups.take(column), groups.starts)

    if second is None:
        has_single_documents = len(groups.starts) > groups.starts[-1]
        is_rank = _are_ranks(first).all() and is_increasing(first) and not has_single_documents
        return (None, first) if is_rank else (first, None)
    # -1 means an unknown rank
    is_first_rank, is_second_rank = (
        (_are_ranks(column) | (column == -1)).all() for column in (first, second)
    )
    if not is_first_rank and not is_second_rank:
        raise FormatError(
            path,
            Message(
                "neither of the two numbers of each document is a rank, which is a whole number; "
                'expected lists such as ["d7", 1, 2.5]',
                key="no-rank-number",
            ),
        )
    # without other evidence, the first number is the rank
    is_known = _are_ranks(second).all()
    if is_second_rank and (
        not is_first_rank or (is_known and is_increasing(second) and not is_increasing(first))
    ):
        return first, second
    return second, first


def _make_listed_run(
    path: Path,
    name: str,
    format_name: str,
    rows: list[RetrievedDocument],
    warnings: ReaderWarnings,
) -> Run:
    ranking = [row for row in rows if row.document]
    if not ranking:
        raise FormatError(
            path,
            Message("no ranking found; expected {form}", key="no-ranking", form=format_name),
        )
    scores = [row.score for row in ranking if row.score is not None]
    has_scores = len(scores) == len(ranking)
    return _make_run(
        path,
        name,
        _RunRows.from_lists([row.topic for row in ranking], [row.document for row in ranking]),
        np.array(scores) if has_scores else None,
        None,
        (
            Message(
                "{file}: read as {form}{order}.",
                key="read-as",
                file=path.name,
                form=format_name,
                order=""
                if has_scores
                else Message("; the ranking follows the order in the file", key="file-order"),
            ),
            *_warn_of_unused_scores(path, len(scores), len(ranking)),
            *warnings.format_for(path.name),
        ),
    ).with_topics(row.topic for row in rows if not row.document)


def _warn_of_unused_scores(path: Path, score_count: int, count: int) -> tuple[Message, ...]:
    """Return a warning if only some documents have scores, which are not used; otherwise empty."""
    if score_count in (0, count):
        return ()
    return (
        Message(
            "{file}: scores are missing, so that no score is used (documents without a score: "
            "{missing:,} of {count:,}).",
            key="missing-scores",
            file=path.name,
            missing=count - score_count,
            count=count,
        ),
    )


def run_from_responses(path: Path, name: str, answers: RatingsFile) -> Run:
    """Return the run in search engine responses; topic ids are the texts of the queries."""
    if not answers.ranking:
        raise FormatError(path, Message("no hit found; expected {form}", form=answers.format_name))
    messages = (
        Message(
            "{file}: read as {form}. Queries: {queries:,}; documents with fields: {documents:,}.",
            key="read-as",
            file=path.name,
            form=answers.format_name,
            queries=len(answers.queries),
            documents=len(answers.documents),
        ),
        *prefix_file_name(path.name, answers.warnings),
    )
    documents = [document for _, document, _ in answers.ranking]
    rows = _RunRows.from_lists(list(iter_query_texts(answers)), documents)
    return _make_run(
        path, name, rows, np.array([score for _, _, score in answers.ranking]), None, messages
    ).with_topics(answers.queries[topic].text for topic in answers.ranked)


def choose_short_layout(first_row: list[str], columns: ColumnMapping) -> Layout | None:
    """Return the layout of lines with two, three or mapped columns; None for other lines."""
    if not columns:
        check_separators(first_row, COLUMN_BY_PART)
        return {2: PAIR_LAYOUT, 3: TRIPLE_LAYOUT}.get(len(first_row))
    numbers = map_column_indices(columns, first_row, COLUMN_BY_PART)
    if {SCORE.name, RANK.name}.isdisjoint(numbers.values()):
        # a numeric column to which no part is mapped may be the rank or the score
        unread_column = next(
            (
                index
                for index, text in enumerate(first_row)
                if index not in numbers and NUMBER_PATTERN.fullmatch(text)
            ),
            None,
        )
        if unread_column is not None:
            raise ValueError(
                Message(
                    "cannot tell which column is the score or the rank (perhaps {name}); choose "
                    "one with --columns {choice}",
                    key="no-score-column",
                    name=unread_column + 1,
                    choice=format_choices(
                        columns.format_extended(part, str(unread_column + 1))
                        for part in (SCORE.name, RANK.name)
                    ),
                )
            )
    return Layout(
        tuple(
            COLUMN_BY_PART[numbers[index]] if index in numbers else None
            for index in range(len(first_row))
        ),
        len(first_row),
        Message("the same number as in the first line"),
    )


def make_short_run(path: Path, name: str, lines: FileLines, columns: ColumnMapping) -> Run:
    """Return the run in lines with topic, document and, optionally, rank and score."""
    topic, document = CodedTexts.from_column(lines.table["topic"]), lines.take("document")
    groups = group_by_topic(topic.codes, len(topic.texts), document)
    numbers = {
        part: to_numpy(lines.take(part)).astype(np.float64)
        for part in lines.table.column_names
        if part != "topic"
    }
    score, rank = numbers.get("score"), numbers.get("rank")
    if (third_column := numbers.get("third")) is not None:
        score, rank = (
            (None, third_column)
            if _is_rank_column(path, groups.take(third_column), groups.starts)
            else (third_column, None)
        )
    column_list = str(columns) or ", ".join(
        (
            Message("topic, document"),
            *(["rank"] if rank is not None else ["score"] if score is not None else []),
        )
    )
    messages = (
        Message(
            "{file}: read as {columns}{ranking}.",
            key="read-as",
            file=path.name,
            columns=column_list,
            ranking=_describe_ranking_source(
                has_scores=score is not None, has_ranks=rank is not None
            ),
        ),
    )
    return _make_run(
        path, name, _RunRows(topic, document, lines.line_numbers, groups), score, rank, messages
    )


def _describe_ranking_source(*, has_scores: bool, has_ranks: bool) -> str:
    """Return the end of a message that says whether ranks or file order determine the ranking.

    The text is empty if scores determine the ranking.
    """
    if has_scores:
        return ""
    return (
        Message("; scores were derived from ranks", key="rank-as-score")
        if has_ranks
        else Message("; the ranking follows the order in the file", key="file-order")
    )


def _is_rank_column(path: Path, numbers: Floats, starts: Longs) -> bool:
    """Return whether numbers are integers that increase within each topic, as ranks do.

    Raises Undecided if the numbers are integers in mixed order, or count down to 1 or 0.
    """
    is_within_topic = np.ones(len(numbers), dtype=bool)
    is_within_topic[starts[:-1]] = False
    rank_differences = np.diff(numbers, prepend=0)[is_within_topic]
    if not _are_ranks(numbers).all():
        return False
    if _are_increasing(numbers, starts):
        return True
    is_countdown = bool((rank_differences == -1).all() and (numbers[starts[1:] - 1] <= 1).all())
    if (rank_differences <= 0).all() and not is_countdown:
        return False
    raise Undecided(
        path,
        Message(
            "the third column may be the rank or the score, because it has whole numbers that "
            "do not increase within a topic; choose one with --columns {choice}",
            key="rank-or-score",
            choice=Message('"topic=1,document=2,rank=3" or "topic=1,document=2,score=3"'),
        ),
        ("columns",),
    )


def _are_ranks(numbers: Floats) -> Mask:
    """Return for each number whether it is an integer in the range of ranks."""
    is_rank: Mask = (numbers >= 0) & (numbers <= MAX_RANK) & (numbers == np.floor(numbers))
    return is_rank


def _are_increasing(numbers: Floats, starts: Longs) -> bool:
    is_within_topic = np.ones(len(numbers), dtype=bool)
    is_within_topic[starts[:-1]] = False
    return bool((np.diff(numbers, prepend=0)[is_within_topic] > 0).all())


def _read_table(name: str, table: ReadTable, warnings: ReaderWarnings) -> Run:
    path, parts = table.path, table.index_of_part
    has_ranks, has_scores = "rank" in parts, "score" in parts
    if not has_ranks and not has_scores:
        _check_no_unread_number(table)
    topics: list[str] = []
    documents: list[str] = []
    scores: list[float] = []
    rank_texts: list[str] = []
    lines: list[int] = []
    for line, fields in table.records():
        for column in ("topic", "document"):
            if not fields[column]:
                raise table.make_empty_cell_error(column, line)
        topics.append(fields["topic"])
        documents.append(fields["document"])
        lines.append(line)
        if has_scores:
            scores.append(_parse_score(path, fields["score"], line))
        if has_ranks:
            rank_texts.append(fields["rank"])
    if not topics:
        raise FormatError(
            path,
            Message(
                "the table has a header but no rows; expected documents below the header",
                key="no-rows",
            ),
        )
    table.report_unread(warnings)
    messages = (
        Message(
            "{file}: read as {form}: {reading}{ranking}.",
            key="read-as",
            file=path.name,
            form=table.format_name,
            reading=table.describe_mapping(),
            ranking=_describe_ranking_source(has_scores=has_scores, has_ranks=has_ranks),
        ),
        *warnings.format_for(path.name),
    )
    return _make_run(
        path,
        name,
        _RunRows.from_lists(topics, documents, np.array(lines, dtype=np.int32)),
        np.array(scores) if has_scores else None,
        _parse_ranks(path, rank_texts, lines, is_needed=not has_scores) if has_ranks else None,
        messages,
    )


def _check_no_unread_number(table: ReadTable) -> None:
    """Raise Undecided for a table with neither rank nor score but an unread numeric column."""
    numbers = [
        name
        for name, cells in table.unmapped_cells().items()
        if cells and all(map(NUMBER_PATTERN.fullmatch, cells))
    ]
    if numbers:
        choices = [
            table.mapping.format_extended(part, name)
            for name in numbers[:MAX_CHOICES]
            for part in (SCORE.name, RANK.name)
        ]
        raise Undecided(
            table.path,
            Message(
                "cannot tell which column is the score or the rank (perhaps {names}); choose one "
                "with --columns {choice}",
                key="no-score-column",
                names=format_columns(numbers),
                choice=format_choices(choices),
            ),
            ("columns",),
            1,
        )


def _parse_score(path: Path, text: str, line: int) -> float:
    if not NUMBER_PATTERN.fullmatch(text):
        raise FormatError(
            path,
            Message(
                "score {text!r} is not a number; {any_number}",
                key="not-a-number",
                text=text[:MAX_SHOWN_CHARACTERS],
                any_number=EXPECTED_NUMBER,
            ),
            line,
        )
    return float(text)


def _parse_ranks(path: Path, texts: list[str], lines: list[int], *, is_needed: bool) -> Floats:
    """Return the ranks in a column; -1 for other texts if ranks are not needed.

    Ranks are not needed if there are scores.
    """
    column = to_arrow_strings(texts)
    if pa.compute.all(pa.compute.match_substring_regex(column, "^[0-9]{1,9}$")).as_py():
        return to_numpy(column.cast(pa.int32())).astype(np.float64)
    return np.array(
        [
            _parse_rank(path, text, line, is_needed=is_needed)
            for text, line in zip(texts, lines, strict=True)
        ],
        dtype=np.float64,
    )


def _parse_rank(path: Path, text: str, line: int, *, is_needed: bool) -> int:
    """Return the rank in a cell; -1 for another text if it is not needed, as there are scores."""
    try:
        rank = parse_integer(path, RANK.name, text, line)
    except FormatError:
        if is_needed:
            raise
        return -1
    if is_needed and rank < 0:
        raise FormatError(path, Message("the rank {rank} is negative", rank=rank), line)
    return max(rank, -1)


def _make_run(
    path: Path,
    name: str,
    rows: _RunRows,
    score: Floats | None,
    rank: Floats | None,
    messages: Sequence[str],
) -> Run:
    """Return a run grouped by topic.

    Missing scores are derived from the ranks or, if there are none, from the order in the file.
    """
    starts, take_values = rows.groups.starts, rows.groups.take
    scores, ranks, rank_warnings = complete_scores_and_ranks(
        path,
        rows.topic.texts,
        starts,
        None if score is None else take_values(score),
        None if rank is None else take_values(rank).astype(np.int32),
    )
    return Run(
        name=name,
        topics=tuple(rows.topic.texts.to_pylist()),
        starts=starts,
        document=take_values(rows.document),
        score=scores,
        rank=ranks,
        line=take_values(rows.line),
        warnings=tuple(messages)
        + rank_warnings
        + warn_of_duplicates(
            path, rows.groups.duplicate_count, rows.groups.first_duplicate, rows.topic.texts
        ),
    )


def complete_scores_and_ranks(
    path: Path, topics: Ids, starts: Longs, score: Floats | None, rank: Ints | None
) -> tuple[Floats, Ints, tuple[str, ...]]:
    """Return scores, ranks, and a warning if the ranks contradict scores that the file contains.

    Missing scores are derived from the ranks, or else from the order of the rows. If only the ranks
    are missing, they are -1.
    """
    if score is not None:
        ranks = np.full(int(starts[-1]), -1, dtype=np.int32) if rank is None else rank
        return score, ranks, warn_of_ranks(path, topics, starts, ranks, score)
    ranks = _make_ranks(starts) if rank is None else rank
    return ranks_to_scores(ranks.astype(np.float64), starts), ranks, ()


def _make_ranks(starts: Longs) -> Ints:
    return np.arange(1, starts[-1] + 1, dtype=np.int32) - np.repeat(
        starts[:-1].astype(np.int32), np.diff(starts)
    )


def ranks_to_scores(rank: Floats, starts: Longs) -> Floats:
    """Return scores derived from ranks; in each topic, the last rank has the score 1."""
    scores: Floats = np.repeat(np.maximum.reduceat(rank, starts[:-1]), np.diff(starts)) - rank + 1
    return scores
