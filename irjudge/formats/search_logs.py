"""Readers of search logs (JSON lines, CSV, event logs), and of results of interleaving."""

import csv
import json
from array import array
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import chain, islice
from pathlib import Path
from typing import Any, TypeAlias, cast

import numpy as np

from irjudge.errors import FormatError
from irjudge.formats.bytes import iter_nonblank_lines, open_decompressed, quote_beginning
from irjudge.formats.reader_warnings import ReaderWarnings, WarningKind
from irjudge.formats.rows import (
    DOCUMENT,
    NUMBER_PATTERN,
    TOPIC,
    WHOLE_NUMBER,
    ColumnKind,
    parse_integer,
    read_table,
)
from irjudge.formats.search_log_events import (
    FIELDS,
    InvalidRow,
    LogRows,
    UbiLog,
    describe_type,
    is_event,
    is_ubi,
    parse_name,
    parse_time,
    read_events,
    shorten_value,
)
from irjudge.message import Message
from irjudge.model import (
    NOT_LOGGED,
    NOT_SHOWN,
    Floats,
    Ints,
    LogFlags,
    Longs,
    SearchLog,
    ShownResults,
)

# Search logs, detected by content: JSON lines or CSV with a row per query, or event logs

NOT_SHOWN_CLICKS = WarningKind(
    "1 click on a result that was not shown for the query counts as a click without a rank.",
    "{count} clicks on results that were not shown for the query count as clicks without a rank.",
    key="not-shown-clicks",
)
NO_RANK = WarningKind(
    "1 click names a document, but the log has only the number of results, not their ids, so "
    "the click counts as a click without a rank.",
    "{count} clicks name a document, but the log has only the number of results, not their "
    "ids, so the clicks count as clicks without a rank.",
    key="no-rank",
)
NO_RESULTS_FIELD = WarningKind(
    "For 1 query, the log does not state how many results were shown; CTR and ZeroResults "
    "ignore this query.",
    "For {count} queries, the log does not state how many results were shown; CTR and "
    "ZeroResults ignore these queries.",
    key="no-results-field",
)
INCOMPLETE_RESULTS = WarningKind(
    "For 1 query, the ranks of the results in the log are not 1, 2, 3 …, so the number of results "
    "shown is unknown; CTR and ZeroResults ignore this query.",
    "For {count} queries, the ranks of the results in the log are not 1, 2, 3 …, so the number of "
    "results shown is unknown; CTR and ZeroResults ignore these queries.",
    key="incomplete-results",
)
NO_TIME = WarningKind(
    "1 query has no time; the file order is used.",
    "{count} queries have no time; the file order is used.",
    key="no-time",
)
DECREASING_TIME = WarningKind(
    "In 1 session, the times are not in order; the file order is used.",
    "In {count} sessions, the times are not in order; the file order is used.",
    key="backwards-time",
)
NO_VARIANT = WarningKind(
    "1 query has no variant; it is counted only in the total.",
    "{count} queries have no variant; they are counted only in the total.",
    key="no-variant",
)
NEGATIVE_DWELL = WarningKind(
    "1 negative dwell time is treated as missing.",
    "{count} negative dwell times are treated as missing.",
    key="negative-dwell",
)
NEGATIVE_LATENCY = WarningKind(
    "1 negative latency is treated as missing.",
    "{count} negative latencies are treated as missing.",
    key="negative-latency",
)


def make_search_log(rows: LogRows, warnings: ReaderWarnings | None = None) -> SearchLog:
    """Return the search log that consists of the given rows, with warnings about their values.

    >>> rows = LogRows()
    >>> rows.add({"session": "a", "results": ["d1", "d2"], "clicks": [{"document": "d2", "dwell": -1}]})
    >>> log = make_search_log(rows)
    >>> log.shown, log.rank, log.warnings[1]
    (array([2], dtype=int32), array([2], dtype=int32), '1 negative dwell time is treated as missing.')
    """
    warnings = warnings or ReaderWarnings()
    session, time = np.array(rows.session, dtype=np.int32), np.array(rows.time)
    shown_counts, rank = np.array(rows.shown, dtype=np.int32), np.array(rows.rank, dtype=np.int32)
    dwell, latency = np.array(rows.dwell), np.array(rows.latency)
    names = sorted(rows.variants)
    code = np.array([names.index(name) for name in rows.variants] + [NOT_LOGGED], dtype=np.int32)
    variant = code[np.array(rows.variant, dtype=np.int32)]  # the index -1 selects NOT_LOGGED
    decreasing_sessions = np.concatenate(
        (
            session[np.frombuffer(rows.has_decreasing_times, dtype=bool)],
            _find_decreasing_sessions(session, time),
        )
    )
    warnings.add_unread(rows.unread)
    value_warnings = ReaderWarnings()
    for warning_kind, count in (
        (NOT_SHOWN_CLICKS, int((rank == NOT_SHOWN).sum())),
        (NO_RANK, int((rank == NOT_LOGGED).sum())),
        (NO_RESULTS_FIELD, int((shown_counts == NOT_LOGGED).sum()) - rows.incomplete_count),
        (INCOMPLETE_RESULTS, rows.incomplete_count),
        (NO_TIME, int(np.isnan(time).sum())),
        (DECREASING_TIME, len(np.unique(decreasing_sessions))),
        (NO_VARIANT, int((variant == NOT_LOGGED).sum()) if names else 0),
        (NEGATIVE_DWELL, int((dwell < 0).sum())),
        (NEGATIVE_LATENCY, int((latency < 0).sum())),
    ):
        if count:
            value_warnings.add(warning_kind, "", count)
    dwell[dwell < 0], latency[latency < 0] = np.nan, np.nan
    return SearchLog(
        sessions=len(rows.sessions),
        session=session,
        time=time,
        shown=shown_counts,
        acted=np.array(np.frombuffer(rows.acted, dtype=bool)),
        latency=latency,
        variants=tuple(names),
        variant=variant,
        click=np.array(rows.click_row, dtype=np.int32),
        rank=rank,
        dwell=dwell,
        has_explicit_actions=rows.has_explicit_actions,
        warnings=value_warnings.sentences() + warnings.sentences(),
    )


def _find_decreasing_sessions(session: Ints, time: Floats) -> Ints:
    """Return the sessions in which a query has an earlier time than the query before it.

    A session is repeated if this occurs several times.
    """
    timed_rows = np.flatnonzero(~np.isnan(time))
    order = timed_rows[np.argsort(session[timed_rows], kind="stable")]
    is_same_session = session[order][1:] == session[order][:-1]
    decreasing_sessions: Ints = session[order][1:][is_same_session & (np.diff(time[order]) < 0)]
    return decreasing_sessions


Lines: TypeAlias = Iterator[tuple[int, str]]

EXPECTED = "expected JSON lines or CSV with a field session"
SEPARATORS = ",;\t"
YES_TEXTS, NO_TEXTS = ("true", "yes"), ("", "false", "no")
# names that other programs use for the fields
OTHER_NAMES = {
    "session": ("session_id", "sessionid", "anonid"),
    "time": ("timestamp", "querytime", "query_time"),
    "query": ("query_text", "user_query"),
}
BATCH_LINES = 200  # number of lines decoded in one call; they fit in the CPU cache


def read_log(paths: Path | Sequence[Path]) -> SearchLog:
    """Read a search log in UTF-8, plain or gzip: a file, several files, or a folder."""
    return _read_rows(paths, LogRows())


def read_shown_results(paths: Path | Sequence[Path]) -> tuple[ShownResults, SearchLog]:
    """Read a search log, and the results shown and clicked for each query; see `read_log`.

    Raises FormatError if the log has no lists of results, or no query texts.
    """
    results = ShownResults()
    log = _read_rows(paths, LogRows(results=results))
    if not len(results):
        raise FormatError(
            paths if isinstance(paths, Path) else paths[0],
            Message(
                "the log contains no query with both its text and a list of the results shown; "
                "counts by position need both",
                key="no-results",
            ),
        )
    return results, log


def _read_rows(paths: Path | Sequence[Path], rows: LogRows) -> SearchLog:
    path_list = [paths] if isinstance(paths, Path) else list(paths)
    warnings, ubi = ReaderWarnings(), UbiLog()
    for path in (file for given_path in path_list for file in _list_files(given_path)):
        _read_log_file(path, rows, warnings, ubi)
    messages = ubi.add_queries_to(rows) if ubi else []
    if not len(rows):
        raise FormatError(path_list[0], Message("the log has no query", key="no-query"))
    log = make_search_log(rows, warnings)
    return replace(log, warnings=(*messages, *log.warnings))


def _list_files(path: Path) -> list[Path]:
    try:
        if not path.is_dir():
            return [path]
        files = sorted(
            file for file in path.iterdir() if file.is_file() and not file.name.startswith(".")
        )
    except OSError as error:
        raise FormatError(
            path, Message("cannot be read ({reason})", reason=error.strerror or error)
        ) from error
    if not files:
        raise FormatError(
            path, Message("the folder contains no files; expected search logs", key="empty-folder")
        )
    return files


def _read_log_file(path: Path, rows: LogRows, warnings: ReaderWarnings, ubi: UbiLog) -> None:
    lines = _iter_lines(path)
    number, first_line = next(lines, (1, ""))
    if not first_line:
        raise FormatError(
            path, Message("the file is empty; {expected}", key="empty-file", expected=EXPECTED)
        )
    lines = chain([(number, first_line)], lines)
    if not first_line.lstrip().startswith("{"):
        _read_csv(path, lines, rows)
        return
    records = _NumberedLines(_iter_objects(path, lines))
    row = next(records)
    objects = chain([row], records)
    try:
        if isinstance(row[1], dict) and is_event(row[1]):
            read_events(path, objects, rows, warnings)
            return
        if isinstance(row[1], dict) and is_ubi(row[1]):
            for _, fields in objects:
                ubi.read(fields)
            return
        if isinstance(row[1], dict) and "clicks" not in row[1] and _find_result_columns([*row[1]]):
            raise InvalidRow(  # noqa: TRY301 -- the line is added below
                Message(
                    "the row is a single result; expected JSON lines with a row per query and "
                    "lists of results and clicks. A log with a row per result must be in CSV",
                    key="result-row",
                )
            )
        for _, record in objects:
            fields = _rename_fields(record)
            if type(fields) is not dict:
                raise InvalidRow(  # noqa: TRY301 -- the line is added below
                    Message(
                        "found {kind}; expected a JSON object",
                        key="not-object",
                        kind=describe_type(fields),
                    )
                )
            rows.add(fields)
    except InvalidRow as error:
        raise FormatError(path, str(error), records.line) from None


_KNOWN_FIELDS = frozenset(FIELDS)


def _rename_fields(record: Any) -> Any:
    """Return an object with its fields renamed to the names that the reader uses."""
    if type(record) is not dict or record.keys() <= _KNOWN_FIELDS:
        return record
    standard_names = {alias: field for field, aliases in OTHER_NAMES.items() for alias in aliases}
    return {
        field if (field := standard_names.get(name, name)) not in record else name: value
        for name, value in record.items()
    }


class _NumberedLines(Iterator[tuple[int, Any]]):
    """Iterator over (line number, item) pairs that stores the line number of the last item."""

    def __init__(self, records: Iterator[tuple[int, Any]]) -> None:
        self.line, self._records = 1, records

    def __next__(self) -> tuple[int, Any]:
        record = next(self._records)
        self.line = record[0]
        return record


def _iter_lines(path: Path) -> Lines:
    with open_decompressed(path) as stream:
        try:
            for number, line in iter_nonblank_lines(stream, path):
                if "\0" in line:
                    raise FormatError(
                        path,
                        Message(
                            "contains a zero byte; this is not a text file in UTF-8",
                            key="zero-byte",
                        ),
                        number,
                    )
                yield number, line
        except OSError as error:
            raise FormatError(
                path, Message("cannot be read completely ({error})", error=error)
            ) from error


# Logs in JSON lines


def _refuse_constant(name: str) -> float:
    raise ValueError(f"found {name}, which is not JSON")


_JSON_DECODER = json.JSONDecoder(parse_constant=_refuse_constant)


def _iter_objects(path: Path, lines: Lines) -> Iterator[tuple[int, Any]]:
    """Yield the line number and the value of each line of JSON.

    Lines are decoded in batches; if decoding a batch fails, its lines are decoded one by one.
    """
    while batch := list(islice(lines, BATCH_LINES)):
        try:
            values = _JSON_DECODER.decode("[" + ",".join([line for _, line in batch]) + "]")
        except (ValueError, RecursionError):
            values = []
        if len(values) == len(batch):
            yield from zip([number for number, _ in batch], values, strict=True)
        else:
            yield from ((number, _decode_json_line(path, number, line)) for number, line in batch)


def _decode_json_line(path: Path, number: int, line: str) -> Any:
    try:
        return _JSON_DECODER.decode(line)
    except json.JSONDecodeError as error:
        raise FormatError(
            path,
            Message(
                "not JSON ({reason}, column {column}); expected one JSON object per line",
                key="not-json",
                reason=error.msg,
                column=error.colno,
            ),
            number,
        ) from None
    except RecursionError:
        raise FormatError(
            path,
            Message(
                "the JSON is nested too deeply; expected one JSON object per line",
                key="too-deep",
            ),
            number,
        ) from None
    except ValueError as error:
        raise FormatError(
            path,
            Message(
                "{error}; expected one JSON object per line",
                key="not-json",
                error=str(error).partition(";")[0],
            ),
            number,
        ) from None


# Logs in CSV


def _read_csv(path: Path, lines: Lines, rows: LogRows) -> None:
    numbered_lines = _NumberedLines(cast(Iterator[tuple[int, Any]], lines))
    number, first_line = next(numbered_lines)
    cells = csv.reader(
        chain([first_line], (f"{line}\n" for _, line in numbered_lines)),
        delimiter=max(SEPARATORS, key=first_line.count),
        strict=True,
    )
    try:
        columns = _parse_header(path, next(cells, []), number, first_line)
        result_columns = _find_result_columns(columns)
        known_columns = {"session", *result_columns} if result_columns else {*FIELDS}
        rows.unread.update(dict.fromkeys(name for name in columns if name not in known_columns))
        if result_columns:
            _add_results(path, cells, columns, result_columns, numbered_lines, rows)
        else:
            for row in cells:
                try:
                    rows.add(
                        {
                            name: _CELL_PARSERS[name](cell)
                            for name, cell in _iter_named_cells(row, columns)
                            if cell and name in _CELL_PARSERS
                        }
                    )
                except InvalidRow as error:
                    raise FormatError(path, str(error), numbered_lines.line) from None
    except csv.Error as error:
        raise FormatError(
            path,
            Message("the line cannot be split into columns ({error})", key="not-csv", error=error),
            numbered_lines.line,
        ) from None


def _parse_header(path: Path, names: list[str], number: int, first_line: str) -> list[str]:
    columns = [name.strip().lower() for name in names]
    for field, aliases in OTHER_NAMES.items():
        if field not in columns:
            alias = next((name for name in aliases if name in columns), None)
            columns = [field if name == alias else name for name in columns]
    if "session" not in columns:
        raise FormatError(
            path,
            Message(
                "found “{beginning}”; {expected}",
                key="unknown-format",
                beginning=quote_beginning(first_line.encode()),
                expected=EXPECTED,
            ),
            number,
        )
    if len(set(columns)) < len(columns):
        raise FormatError(
            path,
            Message("two columns have the same name; expected unique names", key="same-column"),
            number,
        )
    return columns


# Logs with a row per shown result, or with a row per click, such as the AOL log

_ROW_PARTS: dict[str, tuple[str, ...]] = {
    "document": (*DOCUMENT.column_names, "clickurl"),
    "position": ("position", "rank", "itemrank"),
    "click": ("click", "clicked", "clicks"),
    "search": ("query_id", "search_id", "impression_id"),
}


def _find_result_columns(columns: list[str]) -> dict[str, str]:
    """Return the field that each column contains, by column name.

    The log has a row per result or click; the dictionary is empty for a log with a row per query.
    """
    if "results" in columns:
        return {}
    parts_by_column = {
        name: part
        for part, names in _ROW_PARTS.items()
        if (name := next((name for name in names if name in columns), None))
    }
    parts = {*parts_by_column.values()}
    needed_parts = {"document", "position"} if "clicks" in columns else {"document"}
    if not needed_parts <= parts or parts.isdisjoint(("click", "position")):
        return {}
    return parts_by_column | {name: name for name in ("query", "time") if name in columns}


def _add_results(
    path: Path,
    cells: Iterable[list[str]],
    columns: list[str],
    parts: Mapping[str, str],
    numbered_lines: _NumberedLines,
    rows: LogRows,
) -> None:
    """Add a row to `rows` for each search of a log with a row per result or click.

    If there is no column of clicks, each row with a document is a click, and the other results that
    were shown are unknown.
    """
    result_rows = _ResultRows(rows, parts)
    try:
        for row in cells:
            result_rows.add(
                {
                    parts.get(name, name): text.strip()
                    for name, text in _iter_named_cells(row, columns)
                }
            )
    except InvalidRow as error:
        raise FormatError(path, str(error), numbered_lines.line) from None
    result_rows.add_searches()


def _iter_named_cells(row: list[str], columns: list[str]) -> Iterator[tuple[str, str]]:
    if len(row) != len(columns):
        raise InvalidRow(
            Message(
                "number of columns: {count}; expected {expected}, as in the header",
                key="column-count",
                count=len(row),
                expected=len(columns),
            )
        )
    return zip(columns, row, strict=True)


NO_POSITION = -1
MAX_RESULT_CLICKS = 100  # clicks on a result in one search; a larger number is something else
# limit of the clicks of a file: their mean number per row, and a number that any file may have
MAX_MEAN_CLICKS, MIN_CLICK_LIMIT = 4, 1_000_000


class _ResultRows:
    """Accumulator of the rows of a log with a row per result or click, as columns.

    The rows of a search have the same session and the same search id, if there is one; they need
    not be consecutive.
    """

    def __init__(self, rows: LogRows, parts: Mapping[str, str]) -> None:
        """Begin without rows; `parts` has the field of each column."""
        self._rows = rows
        self._parts = frozenset(parts.values())
        self._has_clicks = "click" in self._parts
        self._has_click_counts = parts.get("clicks") == "click"
        self._groups: dict[tuple[str, str], int] = {}  # code of each session and search id
        self._queries: dict[str, int] = {}
        self._documents: dict[str, int] = {"": 0}
        self._group, self._query, self._document = array("i"), array("i"), array("i")
        self._position, self._click_count, self._time = array("i"), array("i"), array("d")
        self._last_time_text, self._last_time = "", parse_time("")
        self._total_clicks = 0

    def add(self, row: Mapping[str, str]) -> None:
        """Add a row with the cells `session` and `document`, and those of other parts."""
        group = parse_name(row["session"], "session"), row.get("search", "")
        query, document = row.get("query", ""), row["document"]
        if self._rows.results is not None:
            query = query and parse_name(query, "query")
            document = document and parse_name(document, "document")
        self._group.append(self._groups.setdefault(group, len(self._groups)))
        self._query.append(self._queries.setdefault(query, len(self._queries)))
        self._document.append(self._documents.setdefault(document, len(self._documents)))
        if (time_text := row.get("time", "")) != self._last_time_text:
            self._last_time = parse_time(_parse_time_cell(time_text))
            self._last_time_text = time_text
        self._time.append(self._last_time)
        self._position.append(_parse_position(row.get("position", "")))
        self._click_count.append(self._count_clicks(row["click"]) if self._has_clicks else 1)

    def _count_clicks(self, cell: str) -> int:
        """Return the number of clicks in a cell; 1 if its column only states that there was one."""
        count = _parse_click_cell(cell)
        if not self._has_click_counts:
            return min(count, 1)
        if count > MAX_RESULT_CLICKS:
            raise InvalidRow(
                Message(
                    "clicks is {value}; expected at most {limit:,} clicks on a result in a search",
                    key="too-many-clicks",
                    value=count,
                    limit=MAX_RESULT_CLICKS,
                )
            )
        self._total_clicks += count
        click_limit = max(MIN_CLICK_LIMIT, MAX_MEAN_CLICKS * len(self._group))
        if self._total_clicks > click_limit:
            raise InvalidRow(
                Message(
                    "the clicks of the log so far are more than {limit:,}; expected the clicks of "
                    "single searches",
                    key="too-many-clicks",
                    limit=click_limit,
                )
            )
        return count

    def add_searches(self) -> None:
        """Add a row for each search to the rows of the log, in the order of their first rows."""
        sessions = [session for session, _ in self._groups]
        queries, documents = [*self._queries], [*self._documents]
        search = self._number_searches()
        order = np.argsort(search, kind="stable")
        begins = np.flatnonzero(np.diff(search[order], prepend=-1))
        lengths = np.diff(begins, append=len(order))
        positions = self._count_positions_from_one(order)
        for begin, length in zip(begins.tolist(), lengths.tolist(), strict=True):
            part = slice(begin, begin + length)
            first_row = order[begin]
            results = self._find_ranks(positions[part].tolist(), order[part].tolist())
            click_counts: Counter[tuple[int, int]] = Counter()  # clicks by rank and document
            for rank, row in results:
                click_counts[rank, self._document[row]] += self._click_count[row]
            self._begin_search(
                sessions[self._group[first_row]], self._time[first_row], sorted(click_counts)
            )
            query = queries[self._query[first_row]]
            for rank, row in results:
                for _ in range(self._click_count[row]):
                    self._rows.add_click(rank)
            if self._rows.results is not None and self._has_clicks and query:
                for (rank, document), click_count in sorted(click_counts.items()):
                    self._rows.results.add(
                        query, documents[document], rank, clicked=click_count > 0
                    )

    def _begin_search(self, session: str, time: float, results: Sequence[tuple[int, int]]) -> None:
        """Begin the row of a search with the given results, which are pairs (rank, document).

        The number of results shown is known only if their ranks are 1, 2, 3 …
        """
        is_complete = all(rank == index for index, (rank, _) in enumerate(results, 1))
        self._rows.begin(
            session, time, len(results) if self._has_clicks and is_complete else NOT_LOGGED
        )
        self._rows.incomplete_count += self._has_clicks and not is_complete

    def _count_positions_from_one(self, order: Longs) -> Longs:
        """Return the positions of rows in the given order, plus 1 if those of the file begin at 0.

        Missing positions are `NO_POSITION`.
        """
        position = np.array(self._position)[order]
        is_positioned = position != NO_POSITION
        begins_with_zero = position.min(initial=1, where=is_positioned) == 0
        positions: Longs = np.where(is_positioned, position + begins_with_zero, NO_POSITION)
        return positions

    def _find_ranks(self, positions: list[int], rows: list[int]) -> list[tuple[int, int]]:
        """Return the rank and the row of each result in the given rows of a search.

        If a result has no position, its rank is the number of documents in the rows up to the
        first row of its document.
        """
        indices: dict[int, int] = {}
        return [
            (index if position == NO_POSITION else position, row)
            for position, row in zip(positions, rows, strict=True)
            if (document := self._document[row])
            and (index := indices.setdefault(document, len(indices) + 1))
        ]

    def _number_searches(self) -> Ints:
        """Return the number of the search of each row; searches are in order of their first rows.

        A row begins a search if its query differs from that of the previous row with the same
        session and search id. Without a search id, a different time also begins a search in a log
        without a column of clicks, and otherwise a document that the search already has.
        """
        order = np.argsort(np.array(self._group), kind="stable")
        time = np.array(self._time)[order]
        time[np.isnan(time)] = -np.inf  # missing times are equal
        group, query = np.array(self._group)[order], np.array(self._query)[order]
        has_id = np.array([bool(search_id) for _, search_id in self._groups], dtype=bool)[group]
        is_first = np.ones(len(order), dtype=bool)
        is_first[1:] = (group[1:] != group[:-1]) | (query[1:] != query[:-1])
        if not self._has_clicks:
            is_first[1:] |= ~has_id[1:] & (time[1:] != time[:-1])
        # With a search id, a document that occurs again was logged or clicked twice. So it was in a
        # log of clicks with times. Otherwise, the search was repeated.
        if self._has_clicks or "time" not in self._parts:
            self._split_at_repeated_documents(order, ~has_id, is_first)
        first_rows = order[is_first]
        number = np.empty(len(first_rows), dtype=np.int32)
        number[np.argsort(first_rows)] = np.arange(len(first_rows))
        search = np.empty(len(order), dtype=np.int32)
        search[order] = number[np.cumsum(is_first) - 1]
        return search

    def _split_at_repeated_documents(
        self, order: Longs, can_begin: LogFlags, is_first: LogFlags
    ) -> None:
        """Set `is_first` also for rows with a document that occurs in the current search.

        Only rows with `can_begin` are set.
        """
        documents = set[int]()
        for index, row in enumerate(order.tolist()):
            document = self._document[row]
            if is_first[index] or (can_begin[index] and document in documents):
                is_first[index] = True
                documents = set()
            documents.add(document)


def _parse_position(cell: str) -> int:
    """Return the position in a cell; `NO_POSITION` if the cell is empty."""
    if not cell:
        return NO_POSITION
    if not WHOLE_NUMBER.fullmatch(cell) or len(cell) > 9:
        raise InvalidRow(
            Message(
                "position {value} is not a whole number",
                key="not-whole",
                value=shorten_value(cell),
            )
        )
    return int(cell)


def _parse_click_cell(cell: str) -> int:
    if cell.lower() in (*YES_TEXTS, *NO_TEXTS):
        return int(cell.lower() in YES_TEXTS)
    if not WHOLE_NUMBER.fullmatch(cell) or len(cell) > 9:
        raise InvalidRow(
            Message(
                "click is {value}; expected 0 or 1", key="not-a-click", value=shorten_value(cell)
            )
        )
    return int(cell)


def _parse_number(cell: str) -> float:
    if not NUMBER_PATTERN.fullmatch(cell.strip()):
        raise InvalidRow(
            Message(
                "latency_ms {value} is not a number", key="not-a-number", value=shorten_value(cell)
            )
        )
    return float(cell)


def _parse_time_cell(cell: str) -> float | str:
    return float(cell) if ":" not in cell and NUMBER_PATTERN.fullmatch(cell) else cell.strip()


def _parse_results(cell: str) -> Any:
    if cell.startswith("["):
        return _parse_json_cell(cell, "results")
    if not WHOLE_NUMBER.fullmatch(cell.strip()) or len(cell) > 20:
        raise InvalidRow(
            Message(
                "results is {value}; expected a count or a JSON list of ids",
                key="not-results",
                value=shorten_value(cell),
            )
        )
    return int(cell)


def _parse_clicks(cell: str) -> Any:
    return (
        _parse_json_cell(cell, "clicks")
        if cell.startswith("[")
        else [_parse_click(click_text) for click_text in cell.split()]
    )


def _parse_click(click_text: str) -> dict[str, Any]:
    """Parse a click: `rank`, `rank:dwell` or `rank:dwell:act`."""
    rank, _, dwell_text = click_text.partition(":")
    dwell, separator, action = dwell_text.partition(":")
    if (
        not WHOLE_NUMBER.fullmatch(rank)
        or len(rank) > 20
        or (dwell and not NUMBER_PATTERN.fullmatch(dwell))
    ):
        raise InvalidRow(
            Message(
                "click is {value}; expected rank, rank:dwell or rank:dwell:act",
                key="not-a-click",
                value=shorten_value(click_text),
            )
        )
    click: dict[str, Any] = {"rank": int(rank)}
    if dwell:
        click["dwell"] = float(dwell)
    if separator:
        click["act"] = action
    return click


def _parse_json_cell(cell: str, name: str) -> Any:
    try:
        return _JSON_DECODER.decode(cell)
    except (ValueError, RecursionError):
        raise InvalidRow(
            Message(
                "{name} {value} is not a JSON list",
                key="not-a-list",
                name=name,
                value=shorten_value(cell),
            )
        ) from None


_CELL_PARSERS: dict[str, Callable[[str], Any]] = {
    "session": str,
    "query": str,
    "time": _parse_time_cell,
    "results": _parse_results,
    "clicks": _parse_clicks,
    "latency_ms": _parse_number,
    "variant": str,
}


# Tables of interleaved searches: the team of each document shown, and the clicks on it

INTERLEAVING_PARTS = (
    ColumnKind("search", ("search", "search_id", "impression", "impression_id", "query_id")),
    # `query_id` is the topic only if another column identifies the search
    ColumnKind(
        "topic",
        (*(name for name in TOPIC.column_names if name != "query_id"), "query_id"),
        needed=False,
    ),
    ColumnKind("rank", ("rank", "position"), needed=False),
    DOCUMENT,
    ColumnKind("team", ("team", "ranker", "system", "run")),
    ColumnKind("clicked", ("clicked", "click", "clicks")),
)


@dataclass(frozen=True, slots=True)
class InterleavedResult:
    """Result shown in a search with interleaving: document, team, and number of clicks.

    In interleaving, the result list of a search combines the rankings of several teams.
    """

    search: str  # id of the search
    topic: str  # topic id; empty if the table has no topics
    document: str
    team: str  # team that contributed the document; empty if there is none
    clicks: int  # number of clicks; 1 if the table only states that the result was clicked


def read_interleaved(
    path: Path, warnings: ReaderWarnings | None = None
) -> tuple[InterleavedResult, ...]:
    """Read a table `search, topic, rank, document, team, clicked` with a row per shown result.

    Raises FormatError with the first invalid line, or if a search has a document twice.
    """
    notes = warnings if warnings is not None else ReaderWarnings()
    table = read_table(path, INTERLEAVING_PARTS, notes)
    results, seen_pairs = list[InterleavedResult](), set[tuple[str, str]]()
    topics: dict[str, str] = {}
    for line, row in table.records():
        for part in ("search", "document"):
            if not row[part]:
                raise table.make_empty_cell_error(part, line)
        key = row["search"], row["document"]
        if key in seen_pairs:
            raise FormatError(
                path,
                Message(
                    "document {document} occurs twice in search {search}",
                    document=key[1],
                    search=key[0],
                ),
                line,
            )
        seen_pairs.add(key)
        topic = row.get("topic", "")
        if topics.setdefault(key[0], topic) != topic:
            raise FormatError(
                path, Message("search {search} has two topics; expected one", search=key[0]), line
            )
        results.append(
            InterleavedResult(
                key[0], topic, key[1], row["team"], _parse_click_count(path, row["clicked"], line)
            )
        )
    if not results:
        raise FormatError(
            path,
            Message(
                "the table has a header but no rows; expected results below the header",
                key="no-rows",
            ),
        )
    table.report_unread(notes)
    return tuple(results)


def _parse_click_count(path: Path, cell: str, line: int) -> int:
    if cell.lower() in (*YES_TEXTS, *NO_TEXTS):
        return int(cell.lower() in YES_TEXTS)
    count = parse_integer(path, "clicked", cell, line)
    if count < 0:
        raise FormatError(
            path,
            Message("clicked is {cell}; expected 0 or more clicks", cell=cell),
            line,
        )
    return count
