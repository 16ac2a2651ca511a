"""Pool files: tables of sampled and not sampled documents, and judged samples of TREC (prels)."""

import csv
import io
import math
import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from operator import itemgetter
from pathlib import Path
from typing import Literal, TypeAlias

import numpy as np

from irjudge.errors import FormatError
from irjudge.formats.bytes import decode_text, replace_file
from irjudge.formats.rankings.qrels import write_qrels
from irjudge.formats.reader_warnings import ReaderWarnings
from irjudge.formats.rows import (
    NUMBER_PATTERN,
    parse_id,
    parse_integer,
    unescape_formula,
    write_csv,
)
from irjudge.message import Message
from irjudge.model import (
    UNJUDGED,
    Pool,
    Qrels,
    UnsampledDocuments,
    make_qrels,
    row_offsets,
    to_arrow_strings,
    topic_of_each_row,
)

COLUMNS = ("topic", "document", "order", "stratum", "probability", "rank", "runs")
REQUIRED_COLUMNS = COLUMNS[:5]
STRATUM_PATTERN = re.compile(r"[0-9]{1,3}")


def iter_pool_rows(
    pool: Pool,
) -> Iterator[tuple[str, str, int | None, int, float | None, int | None, str]]:
    """Yield a row with `COLUMNS` for each sampled document, then for each document not sampled.

    `order` counts from 1 in each topic; it is None for a document that was not sampled. `rank` is
    the best rank in any run. The last column lists each contributing run with the rank of the
    document in that run. An unknown probability is None.
    """
    topics, starts = pool.topic.tolist(), pool.contribution_starts.tolist()
    runs, ranks = pool.contribution_run.tolist(), pool.contribution_rank.tolist()
    columns = zip(
        pool.document.to_pylist(),
        topics,
        pool.stratum.tolist(),
        pool.probability.tolist(),
        strict=True,
    )
    for index, (document, topic, stratum, probability) in enumerate(columns):
        contribution_rows = range(starts[index], starts[index + 1])
        contributions = ", ".join(
            f"{pool.runs[runs[row]]} ({ranks[row]})" for row in contribution_rows
        )
        yield (
            pool.topics[topic],
            document,
            index - int(pool.starts[topic]) + 1,
            stratum,
            probability,
            min((ranks[contribution_row] for contribution_row in contribution_rows), default=None),
            contributions,
        )
    for topic, document, stratum, probability in zip(
        topic_of_each_row(pool.unsampled.starts).tolist(),
        pool.unsampled.document.to_pylist(),
        pool.unsampled.stratum.tolist(),
        pool.unsampled.probability.tolist(),
        strict=True,
    ):
        yield (
            pool.topics[topic],
            document,
            None,
            stratum,
            None if math.isnan(probability) else probability,
            None,
            "",
        )


def write_pool(path: Path, pool: Pool) -> None:
    """Write a pool atomically, in the format of the file name extension.

    A .qrels file contains TREC qrels with grade -1, a .csv file contains the complete table, and
    any other file contains a line with topic and document for each sampled document.
    """
    pairs = zip(
        [pool.topics[code] for code in pool.topic.tolist()], pool.document.to_pylist(), strict=True
    )
    if path.suffix == ".qrels":
        write_qrels(path, ((topic, document, UNJUDGED) for topic, document in pairs))
        return
    with replace_file(path) as part, part.open("w", encoding="utf-8", newline="\n") as file:
        if path.suffix.lower() == ".csv":
            write_csv(file, COLUMNS, iter_pool_rows(pool), for_spreadsheet=True)
        else:
            file.writelines(f"{topic}\t{document}\n" for topic, document in pairs)


def read_pool(path: Path) -> Pool:
    """Read a pool from a comma-separated table; the column of contributing runs is ignored."""
    try:
        text = io.StringIO(decode_text(path.read_bytes(), path), newline="")
        return _read_pool_rows(text, path)
    except OSError as error:
        raise FormatError(
            path, Message("cannot be read ({value})", value=error.strerror or error)
        ) from error
    except csv.Error as error:
        raise FormatError(
            path, Message("cannot be split into columns ({error})", key="not-csv", error=error)
        ) from error


def _find_pool_columns(table: Iterator[list[str]], path: Path) -> dict[str, int]:
    """Return the index of each column in the header; raise FormatError if one is missing."""
    try:
        names = next(table, [])
    except csv.Error:  # the file is probably not a table
        names = []
    missing_columns = [name for name in REQUIRED_COLUMNS if name not in names]
    if missing_columns:
        raise FormatError(
            path,
            Message(
                "no column {column}; expected {columns}, as written by `irjudge pool -o FILE.csv`",
                key="no-column",
                column=missing_columns[0],
                columns=", ".join(REQUIRED_COLUMNS),
            ),
            1,
        )
    return {name: index for index, name in enumerate(names) if name in REQUIRED_COLUMNS}


def _read_pool_rows(text: Iterable[str], path: Path) -> Pool:
    table = csv.reader(text, strict=True)
    index_of_column = _find_pool_columns(table, path)
    needed_count = max(index_of_column.values()) + 1
    # documents of each topic, with their numbers in the column `order`
    numbered_by_topic: dict[str, list[tuple[float, tuple[str, int, float]]]] = {}
    unsampled_by_topic: dict[str, list[tuple[str, int, float]]] = {}
    seen_pairs: set[tuple[str, str]] = set()
    warnings = ReaderWarnings()
    for cells in filter(None, table):
        if len(cells) < needed_count:
            raise FormatError(
                path,
                Message(
                    "the row has fewer than {needed} columns",
                    key="column-count",
                    needed=needed_count,
                ),
                table.line_num,
            )
        row = {name: cells[index] for name, index in index_of_column.items()}
        stratum, probability = _parse_numbers(row, path, table.line_num)
        topic, document = (
            parse_id(unescape_formula(row[name]), path, table.line_num, warnings)
            for name in ("topic", "document")
        )
        if (topic, document) in seen_pairs:
            raise FormatError(
                path,
                Message(
                    "topic {topic} contains document {document} twice",
                    key="same-document",
                    topic=topic,
                    document=document,
                ),
                table.line_num,
            )
        seen_pairs.add((topic, document))
        numbered_documents = numbered_by_topic.setdefault(topic, [])
        unsampled_documents = unsampled_by_topic.setdefault(topic, [])
        if row["order"]:
            number = float(row["order"]) if NUMBER_PATTERN.fullmatch(row["order"]) else math.inf
            numbered_documents.append((number, (document, stratum, probability)))
        else:
            unsampled_documents.append((document, stratum, probability))
    sampled_by_topic = {
        topic: [row for _, row in sorted(documents, key=itemgetter(0))]
        for topic, documents in numbered_by_topic.items()
    }
    return _make_pool(sampled_by_topic, unsampled_by_topic)


def _parse_numbers(row: dict[str, str], path: Path, line: int) -> tuple[int, float]:
    if not STRATUM_PATTERN.fullmatch(row["stratum"]):
        raise FormatError(
            path,
            Message(
                "the stratum is {stratum!r}; expected a whole number from 0 to 999",
                key="not-a-stratum",
                stratum=row["stratum"],
            ),
            line,
        )
    if not row["order"] and not row["probability"]:
        return int(row["stratum"]), math.nan
    is_number = NUMBER_PATTERN.fullmatch(row["probability"])
    probability = float(row["probability"]) if is_number else math.nan
    if not 0 < probability <= 1:
        raise FormatError(
            path,
            Message(
                "the probability is {probability!r}; expected a number above 0 and at most 1",
                key="not-a-probability",
                probability=row["probability"],
            ),
            line,
        )
    return int(row["stratum"]), probability


def make_listed_pool(documents: Mapping[str, Iterable[str]]) -> Pool:
    """Return a pool of the documents listed for each topic, without duplicates.

    >>> make_listed_pool({"1": ["a", "b", "a"], "2": []}).document.to_pylist()
    ['a', 'b']
    """
    sampled_rows = {
        topic: [(document, 0, 1.0) for document in dict.fromkeys(topic_documents)]
        for topic, topic_documents in documents.items()
    }
    return _make_pool(sampled_rows, {topic: [] for topic in sampled_rows})


def _make_pool(
    sampled_by_topic: dict[str, list[tuple[str, int, float]]],
    unsampled_by_topic: dict[str, list[tuple[str, int, float]]],
) -> Pool:
    topics = tuple(sampled_by_topic)
    rows = [(index, *row) for index, topic in enumerate(topics) for row in sampled_by_topic[topic]]
    unsampled_rows = [
        (index, *row) for index, topic in enumerate(topics) for row in unsampled_by_topic[topic]
    ]
    no_codes = np.empty(0, dtype=np.int32)
    return Pool(
        topics=topics,
        starts=row_offsets(np.array([row[0] for row in rows], dtype=np.int32), len(topics)),
        document=to_arrow_strings([row[1] for row in rows]),
        strategy="file",
        parameters={},
        runs=(),
        contribution_starts=np.zeros(len(rows) + 1, dtype=np.int64),
        contribution_run=no_codes,
        contribution_rank=no_codes,
        stratum=np.array([row[2] for row in rows], dtype=np.int32),
        probability=np.array([row[3] for row in rows], dtype=np.float64),
        unsampled=UnsampledDocuments(
            row_offsets(np.array([row[0] for row in unsampled_rows], dtype=np.int32), len(topics)),
            to_arrow_strings([row[1] for row in unsampled_rows]),
            np.array([row[2] for row in unsampled_rows], dtype=np.int32),
            np.array([row[3] for row in unsampled_rows], dtype=np.float64),
        ),
    )


Dialect: TypeAlias = Literal["strata", "probabilities"]
PRELS_COLUMN_COUNT = 5
# mark of an unknown probability; the scripts of the Million Query tracks ignore lines with it
UNKNOWN_PROBABILITY = "NA"
# Methods of the Million Query tracks. With method 1, statAP sampled the document. With methods 0
# (MTC) and 2 (both), the document was judged regardless of the sample, so its inclusion
# probability is 1.
UNSAMPLED_METHODS = ("0", "2")
EXPECTED: dict[Dialect, str] = {
    "strata": "topic, iteration, document, stratum, grade",
    "probabilities": "topic, document, grade, method, probability",
}
Row: TypeAlias = tuple[str, str, int, int, float]


@dataclass(frozen=True, slots=True, eq=False)
class Prels:
    """Result of reading a prels file: a pool, of which a sample was judged, and the grades."""

    pool: Pool  # sampled documents; in a file with strata also the documents that were not sampled
    qrels: Qrels  # grades of the sampled documents; those with a grade below 0 are omitted
    # `strata`: each line contains a stratum, and a grade below 0 means not sampled;
    # `probabilities`: each line contains a sampled document with its inclusion probability, as in
    # the Million Query tracks
    dialect: Dialect
    skipped_count: int = 0  # number of lines without a probability (NA)


def read_prels(path: Path) -> Prels | None:
    """Read a file with a judged sample; None if the first line does not have five columns."""
    try:
        lines = [line.split() for line in decode_text(path.read_bytes(), path).splitlines()]
    except OSError as error:
        raise FormatError(
            path, Message("cannot be read ({reason})", reason=error.strerror or error)
        ) from error
    numbered_lines = [
        (number, cells)
        for number, cells in enumerate(lines, 1)
        if cells and not cells[0].startswith("#")
    ]
    if not numbered_lines or len(numbered_lines[0][1]) != PRELS_COLUMN_COUNT:
        return None
    dialect = _detect_dialect(
        [cells for _, cells in numbered_lines if len(cells) == PRELS_COLUMN_COUNT]
    )
    line_count = len(numbered_lines)
    if dialect == "probabilities":
        numbered_lines = [
            (number, cells)
            for number, cells in numbered_lines
            if cells[4:] != [UNKNOWN_PROBABILITY]
        ]
    rows = [_parse_row(cells, dialect, path, number) for number, cells in numbered_lines]
    seen_pairs: set[tuple[str, str]] = set()
    for (number, _), row in zip(numbered_lines, rows, strict=True):
        if row[:2] in seen_pairs:
            raise FormatError(
                path,
                Message(
                    "topic {topic} contains document {document} twice",
                    key="same-document",
                    topic=row[0],
                    document=row[1],
                ),
                number,
            )
        seen_pairs.add(row[:2])
    return Prels(
        _make_sampled_pool(rows, dialect),
        make_qrels([row[:3] for row in rows if row[2] > UNJUDGED]),
        dialect,
        line_count - len(numbered_lines),
    )


def _detect_dialect(lines: list[list[str]]) -> Dialect:
    """Return `strata` if the documents are in column 3, otherwise `probabilities`.

    If columns 2, 3 and 5 contain only integers, the documents are in column 2 or 3, whichever has
    more distinct values.
    """
    if not all(_is_whole(cells[2]) for cells in lines):
        return "strata"
    if not all(_is_whole(cells[1]) for cells in lines) or not all(
        _is_whole(cells[4]) for cells in lines
    ):
        return "probabilities"
    second_column, third_column = ({cells[index] for cells in lines} for index in (1, 2))
    return "strata" if len(third_column) > len(second_column) else "probabilities"


def _parse_row(cells: list[str], dialect: Dialect, path: Path, number: int) -> Row:
    """Return the topic, document, grade, stratum and inclusion probability in a line.

    The probability is 0 if the document was not sampled.
    """
    if len(cells) != PRELS_COLUMN_COUNT:
        raise FormatError(
            path,
            Message(
                "number of columns: {count}; expected {columns}: {expected}",
                key="column-count",
                count=len(cells),
                columns=PRELS_COLUMN_COUNT,
                expected=EXPECTED[dialect],
            ),
            number,
        )
    topic, document = cells[0], cells[2 if dialect == "strata" else 1]
    grade = cells[4 if dialect == "strata" else 2]
    if not _is_whole(grade):
        raise FormatError(
            path,
            Message(
                "grade {grade!r} is not a whole number; expected {expected}",
                key="not-whole",
                grade=grade,
                expected=EXPECTED[dialect],
            ),
            number,
        )
    value = max(parse_integer(path, "grade", grade, number), UNJUDGED)
    if dialect == "strata":
        if not cells[3].isdecimal() or len(cells[3]) > 3:
            raise FormatError(
                path,
                Message(
                    "the stratum is {stratum!r}; expected a whole number from 0 to 999",
                    key="not-a-stratum",
                    stratum=cells[3],
                ),
                number,
            )
        return topic, document, value, int(cells[3]), float(value >= 0)
    if cells[3] in UNSAMPLED_METHODS:
        return topic, document, value, 0, 1.0
    probability = float(cells[4]) if NUMBER_PATTERN.fullmatch(cells[4]) else math.nan
    if not probability <= 1:
        raise FormatError(
            path,
            Message(
                "the probability is {probability!r}; expected a number of at most 1",
                key="not-a-probability",
                probability=cells[4],
            ),
            number,
        )
    return topic, document, value, 0, max(probability, 0.0)


def _is_whole(text: str) -> bool:
    return text.removeprefix("-").isdecimal()


def _make_sampled_pool(rows: list[Row], dialect: Dialect) -> Pool:
    """Return the pool with its sampled documents.

    The inclusion probability in a stratum is the share of its documents that were sampled.
    """
    stratum_sizes: dict[tuple[str, int], int] = {}
    judged_counts: dict[tuple[str, int], int] = {}
    for topic, _, _, stratum, probability in rows:
        stratum_sizes[topic, stratum] = stratum_sizes.get((topic, stratum), 0) + 1
        judged_counts[topic, stratum] = judged_counts.get((topic, stratum), 0) + (probability > 0)
    sampled_by_topic: dict[str, list[tuple[str, int, float]]] = {row[0]: [] for row in rows}
    unsampled_by_topic: dict[str, list[tuple[str, int, float]]] = {row[0]: [] for row in rows}
    for topic, document, _, stratum, probability in rows:
        rate = judged_counts[topic, stratum] / stratum_sizes[topic, stratum]
        if probability > 0:
            sampled_by_topic[topic].append(
                (document, stratum, rate if dialect == "strata" else probability)
            )
        elif dialect == "strata":
            unsampled_by_topic[topic].append((document, stratum, rate))
    return _make_pool(sampled_by_topic, unsampled_by_topic)
