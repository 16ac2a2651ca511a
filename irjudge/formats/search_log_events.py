"""Accumulator of the rows of a search log; readers of LISP and User Behavior Insights logs."""

import json
import math
from array import array
from bisect import bisect_left
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from irjudge.formats.bytes import replace_surrogates
from irjudge.formats.reader_warnings import ReaderWarnings, WarningKind
from irjudge.formats.rows import MAX_ID_CHARACTERS
from irjudge.message import Message
from irjudge.model import NOT_LOGGED, NOT_SHOWN, ShownResults

# Rows of a search log, checked and stored as columns

FIELDS = ("session", "time", "query", "results", "clicks", "latency_ms", "variant")
MAX_NUMBER = 2**31 - 1
MAX_TIME = 253_402_300_800  # beginning of the year 10000, in seconds since 1970
# smallest number that is a time in milliseconds; as seconds, it would be a time in the year 5138
MIN_MILLISECONDS = 100_000_000_000
MAX_SHOWN_CHARACTERS = 40
MAX_VARIANTS = 50
NAN = math.nan
TYPE_DESCRIPTIONS = {
    str: Message("text"),
    bool: Message("true or false"),
    list: Message("a list"),
    dict: Message("an object"),
    type(None): Message("null"),
    int: Message("a number"),
    float: Message("a number"),
}


class InvalidRow(ValueError):
    """Error for an invalid value in a row of a log.

    Its message contains neither file nor line; the reader of the file adds them.
    """


def _make_float_array() -> "array[float]":
    return array("d")


def _make_int_array() -> "array[int]":
    return array("i")


@dataclass(slots=True)
class LogRows:
    """Accumulator of the rows of a search log, stored as columns; each row is one query.

    `begin` appends a row, to which `add_click` and `record_action` add; `add` appends a row with
    its clicks. `make_search_log` converts the rows to a `SearchLog`.
    """

    sessions: dict[str, int] = field(default_factory=dict)  # code of each session, by its id
    # code of each variant of an A/B test, by its name
    variants: dict[str, int] = field(default_factory=dict)
    session: "array[int]" = field(default_factory=_make_int_array)  # session code of each row
    # time of each row, in seconds since 1970; NaN if unknown
    time: "array[float]" = field(default_factory=_make_float_array)
    # number of results shown in each row, or `NOT_LOGGED`
    shown: "array[int]" = field(default_factory=_make_int_array)
    # for each row, whether the user acted explicitly, for example saved a result
    acted: bytearray = field(default_factory=bytearray)
    # latency of each row in milliseconds; NaN if unknown
    latency: "array[float]" = field(default_factory=_make_float_array)
    # variant code of each row, or `NOT_LOGGED`
    variant: "array[int]" = field(default_factory=_make_int_array)
    # for each row, whether the times of its clicks or events decrease
    has_decreasing_times: bytearray = field(default_factory=bytearray)
    # index of the row of each click
    click_row: "array[int]" = field(default_factory=_make_int_array)
    # rank of each click, from 1; `NOT_SHOWN` for a document that was not shown, or `NOT_LOGGED`
    rank: "array[int]" = field(default_factory=_make_int_array)
    # seconds spent on each clicked result; NaN if unknown
    dwell: "array[float]" = field(default_factory=_make_float_array)
    has_explicit_actions: bool = False  # whether the log records explicit actions
    # number of rows whose number of results is unknown although the log lists results
    incomplete_count: int = 0
    unread: dict[str, None] = field(default_factory=dict)  # names of fields that were not read
    results: ShownResults | None = None  # results that were shown; None if they are not stored

    def __len__(self) -> int:
        return len(self.session)

    def begin(
        self,
        session: str,
        time: float = NAN,
        shown_count: int = NOT_LOGGED,
        latency: float = NAN,
        variant: str | None = None,
    ) -> None:
        """Add a row; later calls of `add_click` and `record_action` change it."""
        self.session.append(self.sessions.setdefault(session, len(self.sessions)))
        self.time.append(time)
        self.shown.append(shown_count)
        self.latency.append(latency)
        self.variant.append(
            NOT_LOGGED if variant is None else self.variants.setdefault(variant, len(self.variants))
        )
        if len(self.variants) > MAX_VARIANTS:
            raise InvalidRow(
                Message(
                    "variant {value} exceeds the limit; expected at most {limit} "
                    "different variants in a log",
                    key="too-many-variants",
                    value=shorten_value(variant),
                    limit=MAX_VARIANTS,
                )
            )
        self.acted.append(0)
        self.has_decreasing_times.append(0)

    def add_click(self, rank: int, dwell: float = NAN) -> None:
        """Add a click to the last row."""
        self.click_row.append(len(self.session) - 1)
        self.rank.append(rank)
        self.dwell.append(dwell)

    def record_action(self) -> None:
        """Record in the last row that the user performed an explicit action."""
        self.acted[-1] = 1

    def add(self, row: Mapping[str, Any]) -> None:
        """Add a row and its clicks, from an object with named fields."""
        results, clicks = row.get("results"), row.get("clicks")
        query_time = parse_time(row.get("time"))
        variant = row.get("variant")
        latency = row.get("latency_ms")
        result_count = _check_results(results)
        self.begin(
            parse_name(row.get("session"), "session"),
            query_time,
            result_count,
            NAN if latency is None else parse_number(latency, "latency_ms"),
            None if variant is None or variant == "" else parse_name(variant, "variant"),
        )
        if clicks is not None and not isinstance(clicks, list):
            raise InvalidRow(
                Message(
                    "clicks is {kind}; expected a list of objects",
                    key="wrong-type",
                    kind=describe_type(clicks),
                )
            )
        if clicks:
            self._add_clicks(
                clicks, results if isinstance(results, list) else (), result_count, query_time
            )
        if self.results is not None and isinstance(results, list):
            self._add_results(self.results, row.get("query"), results)
        if not row.keys() <= _KNOWN_FIELDS:
            self.unread.update(dict.fromkeys(name for name in row if name not in _KNOWN_FIELDS))

    def _add_results(
        self, shown_results: ShownResults, query: object, results: Sequence[Any]
    ) -> None:
        """Store the results shown for the query of the last row, unless the query has no text."""
        if not isinstance(query, str) or not query.strip():
            return
        clicked_ranks = set(self.rank[bisect_left(self.click_row, len(self.session) - 1) :])
        for rank, document in enumerate(results, 1):
            shown_results.add(
                parse_name(query, "query"),
                parse_name(document, "results"),
                rank,
                clicked=rank in clicked_ranks,
            )

    def _add_clicks(
        self, clicks: list[Any], results: Sequence[Any], result_count: int, earliest_time: float
    ) -> None:
        positions = _number_results(results)
        for click in clicks:
            if type(click) is not dict:
                raise InvalidRow(
                    Message(
                        "a click is {kind}; expected an object with rank or document",
                        key="wrong-type",
                        kind=describe_type(click),
                    )
                )
            dwell, act = click.get("dwell"), click.get("act")
            self.add_click(
                _find_rank(click, positions, result_count),
                NAN if dwell is None else parse_number(dwell, "dwell"),
            )
            if "act" in click:
                self.has_explicit_actions = True
                if act is not None and _is_explicit_action(act):
                    self.record_action()
            if "time" in click:
                click_time = parse_time(click["time"])
                if click_time < earliest_time:
                    self.has_decreasing_times[-1] = 1
                earliest_time = earliest_time if click_time != click_time else click_time
            if not click.keys() <= _KNOWN_CLICK_FIELDS:
                self.unread.update(
                    dict.fromkeys(
                        f"clicks.{name}" for name in click if name not in _KNOWN_CLICK_FIELDS
                    )
                )


_KNOWN_FIELDS = frozenset(FIELDS)
_KNOWN_CLICK_FIELDS = frozenset(("rank", "document", "time", "dwell", "act"))


def parse_time(value: object) -> float:
    """Return a time in seconds since 1970; NaN for None or an empty string.

    A string must be an ISO 8601 time; without a time zone, it is in UTC. A number is in seconds or,
    if its absolute value is 100,000,000,000 or more, in milliseconds.
    """
    if value is None or value == "":
        return NAN
    if isinstance(value, str):
        try:
            parsed_time = datetime.fromisoformat(value)
            return (
                parsed_time if parsed_time.tzinfo else parsed_time.replace(tzinfo=UTC)
            ).timestamp()
        except (ValueError, OverflowError):
            raise InvalidRow(
                Message(
                    "time {value} is not valid; expected ISO 8601 such as 2026-01-31T13:05:00Z",
                    key="not-a-time",
                    value=shorten_value(value),
                )
            ) from None
    if isinstance(value, bool) or not isinstance(value, int | float):
        raise InvalidRow(
            Message(
                "time is {kind}; expected text or a number of seconds",
                key="wrong-type",
                kind=describe_type(value),
            )
        )
    if abs(value) >= MIN_MILLISECONDS and abs(value) < MAX_TIME * 1000:
        value = value / 1000
    if not abs(value) < MAX_TIME:
        raise InvalidRow(
            Message(
                "time {value} is outside the supported years; expected a year before 10000",
                key="unknown-year",
                value=shorten_value(value),
            )
        )
    return float(value)


def parse_number(value: object, name: str) -> float:
    """Return a finite number; raise InvalidRow for other values."""
    if isinstance(value, bool) or not isinstance(value, int | float):
        raise InvalidRow(
            Message(
                "{name} is {kind}; expected a number",
                key="wrong-type",
                name=name,
                kind=describe_type(value),
            )
        )
    if not abs(value) <= MAX_NUMBER:
        raise InvalidRow(
            Message(
                "{name} {value} is too large; expected at most {largest:,}",
                key="large-number",
                name=name,
                value=shorten_value(value),
                largest=MAX_NUMBER,
            )
        )
    return float(value)


def parse_name(value: object, name: str) -> str:
    """Return a name or id, such as that of a session, as text.

    Raises InvalidRow unless the value is an integer or a non-empty string that is not too long.
    """
    if isinstance(value, int) and not isinstance(value, bool):
        value = str(value)
    if value is None or value == "":
        raise InvalidRow(
            Message(
                "the row has no {name}; expected text in the field {name}",
                key="no-field",
                name=name,
            )
        )
    if not isinstance(value, str):
        raise InvalidRow(
            Message(
                "{name} is {kind}; expected text",
                key="wrong-type",
                name=name,
                kind=describe_type(value),
            )
        )
    if len(value) > MAX_ID_CHARACTERS:
        raise InvalidRow(
            Message(
                "{name} {value} has {count:,} characters; expected at most {limit:,}",
                key="long-id",
                name=name,
                value=shorten_value(value),
                count=len(value),
                limit=MAX_ID_CHARACTERS,
            )
        )
    return value if value.isascii() else replace_surrogates(value)


def describe_type(value: object) -> str:
    """Return the name of a JSON type, for a message."""
    return TYPE_DESCRIPTIONS.get(type(value), Message("something else"))


def shorten_value(value: object) -> str:
    """Return a value as short text for a message."""
    text = replace_surrogates(value) if isinstance(value, str) else str(value)
    shortened_text = (
        text if len(text) <= MAX_SHOWN_CHARACTERS else text[:MAX_SHOWN_CHARACTERS] + "…"
    )
    return (
        json.dumps(shortened_text, ensure_ascii=False) if isinstance(value, str) else shortened_text
    )


def _check_results(results: object) -> int:
    if type(results) is list:
        if not _TEXT_TYPES.issuperset(map(type, results)):
            invalid_result = next(result for result in results if type(result) not in _TEXT_TYPES)
            raise InvalidRow(
                Message(
                    "results contains {kind} among the ids; expected text or numbers",
                    key="wrong-type",
                    kind=describe_type(invalid_result),
                )
            )
        return len(results)
    if results is None:
        return NOT_LOGGED
    if type(results) is not int:
        raise InvalidRow(
            Message(
                "results is {kind}; expected a list of ids or a count",
                key="wrong-type",
                kind=describe_type(results),
            )
        )
    if not 0 <= results <= MAX_NUMBER:
        raise InvalidRow(
            Message(
                "results is {value}; expected a count from 0 to {largest:,}",
                key="out-of-range",
                value=shorten_value(results),
                largest=MAX_NUMBER,
            )
        )
    return results


_TEXT_TYPES = frozenset((str, int))


def _make_id_key(id: str | int) -> str | bytes:
    """Return the key of an id; a number is no key, since many numbers can have one hash value."""
    return id if isinstance(id, str) else b"%d" % id


def _number_results(results: Sequence[Any]) -> dict[str | bytes, int]:
    """Return the rank of each result; the keys are those of the ids, and the ids as text.

    An id may be a number in the results and a text in a click, or the reverse.
    """
    ranks: dict[str | bytes, int] = {}
    for rank, result in enumerate(results, 1):
        ranks.setdefault(_make_id_key(result), rank)
    for rank, result in enumerate(results, 1):
        ranks.setdefault(str(result), rank)
    return ranks


def _find_rank(
    click: Mapping[str, Any], positions: Mapping[str | bytes, int], result_count: int
) -> int:
    """Return the rank of the clicked result, or `NOT_LOGGED` or `NOT_SHOWN`.

    If the log lists the results and the click has a document, the rank is the position of the
    document in the list. Otherwise it is the rank stored with the click.
    """
    document, rank = click.get("document"), click.get("rank")
    if document is not None and type(document) not in _TEXT_TYPES:
        raise InvalidRow(
            Message(
                "document is {kind}; expected text",
                key="wrong-type",
                kind=describe_type(document),
            )
        )
    if rank is None and document is None:
        raise InvalidRow(
            Message("a click has neither rank nor document; expected one of them", key="no-place")
        )
    if rank is not None:
        if type(rank) is not int:
            raise InvalidRow(
                Message(
                    "rank {value} is not a whole number", key="not-whole", value=shorten_value(rank)
                )
            )
        if not 1 <= rank <= MAX_NUMBER:
            raise InvalidRow(
                Message(
                    "rank is {value}; expected 1 or more, because the first result has rank 1",
                    key="out-of-range",
                    value=shorten_value(rank),
                )
            )
    if document is not None and (positions or result_count == 0):
        rank_of_id = positions.get(_make_id_key(document))
        return rank_of_id or positions.get(str(document), NOT_SHOWN)
    if rank is None:
        return NOT_LOGGED
    return NOT_SHOWN if 0 <= result_count < rank else int(rank)


def _is_explicit_action(action: object) -> bool:
    if not isinstance(action, bool | str):
        raise InvalidRow(
            Message(
                "act is {kind}; expected true, false or text",
                key="wrong-type",
                kind=describe_type(action),
            )
        )
    return bool(action)


# Event logs of LISP, one event per line: queries, results, opened results, and stances

EVENT_BEFORE_QUERY = WarningKind(
    "Skipped 1 click or action before the first query: {first}.",
    "Skipped {count} clicks or actions before the first query. First: {first}.",
    key="before-a-query",
)
UNREAD_EVENTS = frozenset(
    "idSubmitted TaskStarted queryBoxFocused pageNavigationClicked ClickedEndTask TaskEndConfirmed TaskEnded TaskContinued "
    "toggleSavedDocumentsClicked".split()
)


def is_event(row: Mapping[str, Any]) -> bool:
    """Return whether a JSON object is a line of a LISP log."""
    return "session" not in row and (
        ("type" in row and "timestamp" in row) or ("docno" in row and "score" in row)
    )


def read_events(
    path: Path, lines: Iterable[tuple[int, Any]], rows: LogRows, warnings: ReaderWarnings
) -> None:
    """Add the queries in one file of a LISP log to `rows`.

    The lines after a query are its results, one per line, and the user's actions. `expand` opens a
    result, and `reduce` closes it; the dwell time is the time between the two. Choosing a stance is
    an explicit action. All rows without `sessionID` in a file are one session.
    """
    reader = _Reader(path, rows, warnings)
    rows.has_explicit_actions = True
    for number, event in lines:
        reader.line = number
        reader.read(event)


class _Reader:
    """Reader of the lines of a LISP log; results and actions follow their query."""

    def __init__(self, path: Path, rows: LogRows, warnings: ReaderWarnings) -> None:
        self.line = 0
        self._path, self._rows, self._warnings = path, rows, warnings
        self._ranks: dict[str, int] = {}
        # for each open document, the index of the click that opened it, and its time
        self._open_results: dict[str, tuple[int, float]] = {}
        self._time = NAN
        # whether times decrease before the first query, when there is no row yet
        self._is_time_decreasing = False
        self._has_begun = False
        self._session: object = None  # session of the current query

    def read(self, event: object) -> None:
        """Add the query, result or action on one line to the rows."""
        if not isinstance(event, dict):
            raise InvalidRow(Message("found {kind}; expected an object", kind=describe_type(event)))
        event_type = event.get("type")
        if event_type is None:
            if not self._has_begun:
                raise InvalidRow(
                    Message(
                        "a result before the first query; expected a querySubmitted event",
                        key="before-a-query",
                    )
                )
            self._rows.shown[-1] += 1
            self._ranks.setdefault(parse_name(event.get("docno"), "docno"), self._rows.shown[-1])
            return
        self._check_time(event, is_query=event_type == "querySubmitted")
        if event_type == "querySubmitted":
            self._read_query(event)
        elif event_type in ("toggleArgument", "StanceClicked"):
            self._add_action(event)
        elif not isinstance(event_type, str) or event_type not in UNREAD_EVENTS:
            self._rows.unread.setdefault(f"events of type {shorten_value(event_type)}")

    def _check_time(self, event: Mapping[str, Any], *, is_query: bool) -> None:
        """Record whether the time of an event is earlier than that of the event before it."""
        event_time = parse_time(event.get("timestamp"))
        if is_query and event.get("sessionID") != self._session:
            if self._has_begun:
                self._time = NAN  # times of two sessions are not compared
            self._session = event.get("sessionID")
        if event_time < self._time:
            if self._has_begun:
                self._rows.has_decreasing_times[-1] = 1
            else:
                self._is_time_decreasing = True
        self._time = event_time if event_time == event_time else self._time

    def _read_query(self, event: Mapping[str, Any]) -> None:
        session = event.get("sessionID")
        self._rows.begin(
            parse_name(session, "session") if session else str(self._path),
            parse_time(event.get("timestamp")),
            0,
        )
        self._rows.has_decreasing_times[-1] = self._is_time_decreasing
        self._is_time_decreasing = False
        self._has_begun, self._ranks, self._open_results = True, {}, {}

    def _add_action(self, event: Mapping[str, Any]) -> None:
        if not self._has_begun:
            self._warnings.add(EVENT_BEFORE_QUERY, f"{self._path.name}, line {self.line}")
            return
        document, action = parse_name(event.get("doc"), "doc"), event.get("action")
        if action == "chooseStance":
            self._rows.record_action()
        elif action == "expand":
            self._open_results[document] = (
                len(self._rows.rank),
                parse_time(event.get("timestamp")),
            )
            self._rows.add_click(self._ranks.get(document, NOT_SHOWN))
        elif action == "reduce" and document in self._open_results:
            click, opened_at = self._open_results.pop(document)
            self._rows.dwell[click] = parse_time(event.get("timestamp")) - opened_at


# Logs of User Behavior Insights (OpenSearch): queries and events, in plain lines or bulk files

IMPRESSION = "impression"
# names of actions that are clicks on a result; `global_click` is not listed, as it may be a click
# on something else
CLICK_ACTIONS = frozenset(("click", "item_click", "product_click", "result_click"))
EXPLICIT_ACTIONS = frozenset(("add_to_cart", "purchase", "buy_now"))
BULK_ACTIONS = ("index", "create")  # actions of a bulk file that precede a query or event
MAX_ORDINAL = 2**31 - 2
MAX_LISTED_NAMES = 6


@dataclass(slots=True)
class _QueryRecord:
    """Accumulated data of one query id in a UBI log, from query records and events."""

    text: str = ""
    application: str = ""  # application that the query records name
    event_application: str = ""  # application that the events name
    client: str = ""
    session: str = ""
    time: float = NAN
    hit_count: int = 0  # number of results
    hit_ranks: dict[str, int] = field(default_factory=dict)  # best rank of each document
    # document and ordinal of each impression
    impressions: list[tuple[str, int | None]] = field(default_factory=list)
    clicks: list[tuple[str, int | None]] = field(default_factory=list)
    has_action: bool = False
    smallest_ordinal: int | None = None
    has_query_time: bool = (
        False  # whether `time` is from a query record; otherwise it is from an event
    )


def _is_used(record: _QueryRecord) -> bool:
    """Return whether a query has an impression, a click or an explicit action."""
    return bool(record.impressions or record.clicks or record.has_action)


def _find_application(record: _QueryRecord) -> str:
    return record.application or record.event_application


def is_ubi(row: Mapping[str, Any]) -> bool:
    """Return whether a JSON object is a query, event or bulk action of a UBI log.

    A row of an ordinary log may have the same ids, but it has results or clicks.
    """
    if len(row) == 1 and next(iter(row)) in BULK_ACTIONS:
        return isinstance(next(iter(row.values())), dict)
    if "session" in row or (row.keys() & _SESSION_NAMES and row.keys() & _ROW_FIELDS):
        return False
    return "query_id" in row and ("action_name" in row or "user_query" in row)


_SESSION_NAMES = frozenset(("session_id", "sessionid"))
_ROW_FIELDS = frozenset(("results", "clicks"))  # fields that UBI does not have


class UbiLog:
    """Accumulator of the queries and events of a UBI (User Behavior Insights) log, in any order.

    `add_queries_to` combines the events of each query to a row of a search log.
    """

    def __init__(self) -> None:
        self._queries: dict[str, _QueryRecord] = {}
        self._record_count = 0  # number of query records
        self._known_queries: set[str] = set()  # ids of queries that have a record
        self._event_counts: dict[str, int] = {}  # number of events by action
        self._dropped_count = 0  # number of impressions that are not stored as shown results
        self._missing_id_count = 0  # number of events without a query id
        self._unread: dict[str, None] = {}
        # for each application, whether its ordinals start at 0; known when all lines are read
        self._starts_at_zero: dict[str, bool] = {}

    def __bool__(self) -> bool:
        return bool(self._record_count or self._event_counts)

    def read(self, row: object) -> None:
        """Add the query or event on one line."""
        if not isinstance(row, dict):
            raise InvalidRow(
                Message(
                    "found {kind}; expected an object", key="not-object", kind=describe_type(row)
                )
            )
        if len(row) == 1 and next(iter(row)) in BULK_ACTIONS:
            return
        self._unread.update(dict.fromkeys(name for name in row if name in _ROW_FIELDS))
        if "action_name" in row:
            self._read_event(row)
        elif "query_id" in row:
            self._read_query(row)
        else:
            raise InvalidRow(
                Message(
                    "expected a query (query_id, user_query) or an event (action_name, query_id)",
                    key="not-ubi",
                )
            )

    def _read_query(self, row: Mapping[str, Any]) -> None:
        id = parse_name(row["query_id"], "query_id")
        self._record_count += 1
        self._known_queries.add(id)
        record = self._update_query(id, row)
        hits = row.get("query_response_hit_ids")
        if isinstance(hits, list):
            documents = [
                document
                for hit in hits
                if (document := _read_text(hit)) and document not in record.hit_ranks
            ]
            for document in documents:
                record.hit_count += 1
                record.hit_ranks.setdefault(document, record.hit_count)
        elif hits is not None:
            raise InvalidRow(
                Message(
                    "query_response_hit_ids is {kind}; expected a list of ids",
                    key="wrong-type",
                    kind=describe_type(hits),
                )
            )

    def _update_query(self, id: str, row: Mapping[str, Any]) -> _QueryRecord:
        """Add the values in a line to the data of a query, and return these data."""
        record = self._queries.setdefault(id, _QueryRecord())
        record.text = record.text or _read_text(row.get("user_query"))
        application = _read_text(row.get("application"))
        if "action_name" not in row:
            record.application = record.application or application
        elif not record.event_application:
            record.event_application = application
        record.client = record.client or _read_text(row.get("client_id"))
        record.session = record.session or _read_text(row.get("session_id"))
        is_query_record, time = "action_name" not in row, parse_time(row.get("timestamp"))
        if is_query_record > record.has_query_time or (
            is_query_record == record.has_query_time and not time >= record.time and time == time
        ):
            # the earliest time in query records or, if there is no query record, in events
            record.time = time
            record.has_query_time = is_query_record
        return record

    def _read_event(self, row: Mapping[str, Any]) -> None:
        action = _read_text(row["action_name"])
        self._event_counts[action] = self._event_counts.get(action, 0) + 1
        id = row.get("query_id")
        if id is None or id == "":
            self._missing_id_count += 1
            return
        record = self._update_query(parse_name(id, "query_id"), row)
        if action not in CLICK_ACTIONS and action not in EXPLICIT_ACTIONS and action != IMPRESSION:
            return
        document = _read_text(_read_nested_attributes(row, "object").get("object_id"))
        ordinal = _read_ordinal(row)
        if ordinal is not None:
            smallest_ordinal = record.smallest_ordinal
            record.smallest_ordinal = (
                ordinal if smallest_ordinal is None else min(ordinal, smallest_ordinal)
            )
        if action == IMPRESSION:
            record.impressions.append((document, ordinal))
        elif action in CLICK_ACTIONS:
            record.clicks.append((document, ordinal))
        else:
            record.has_action = True

    # Conversion to rows of a search log

    def add_queries_to(self, rows: LogRows) -> list[str]:
        """Add a row for each query to `rows`, and return messages about the log."""
        rows.unread.update(self._unread)
        self._starts_at_zero = self._find_first_ordinals()
        queries_with_hits = self._find_queries_with_hits()
        applications_with_impressions = {
            _find_application(record) for record in self._queries.values() if record.impressions
        }
        if applications_with_impressions:
            applications_with_impressions.add("")  # queries without events may name no application
        used_queries = (
            (id, record)
            for id, record in self._queries.items()
            if id in self._known_queries or _is_used(record)
        )
        for id, query_record in sorted(
            used_queries,
            key=lambda item: math.inf if item[1].time != item[1].time else item[1].time,
        ):
            ranks = self._find_ranks(query_record)
            shown_count = (
                max(query_record.hit_count, max(ranks.values(), default=0))
                if query_record.hit_count or ranks or id in queries_with_hits
                else NOT_LOGGED
            )
            rows.begin(
                query_record.session or query_record.client or id, query_record.time, shown_count
            )
            clicked_documents = set[str]()
            for document, ordinal in query_record.clicks:
                rank = self._find_rank(query_record, document, ordinal, ranks)
                rows.add_click(NOT_SHOWN if 0 <= shown_count < rank else rank)
                clicked_documents.add(document)
            if query_record.has_action:
                rows.record_action()
            if rows.results is not None:
                self._dropped_count += len(query_record.impressions) - (
                    len(ranks) if query_record.text else 0
                )
                # an application without impressions logs the results shown as hits only
                has_impressions = _find_application(query_record) in applications_with_impressions
                shown_ranks = ranks if has_impressions else query_record.hit_ranks
                for document, rank in shown_ranks.items() if query_record.text else ():
                    rows.results.add(
                        query_record.text, document, rank, clicked=document in clicked_documents
                    )
        rows.has_explicit_actions = rows.has_explicit_actions or any(
            action in EXPLICIT_ACTIONS for action in self._event_counts
        )
        return list(self._describe_warnings())

    def _find_first_ordinals(self) -> dict[str, bool]:
        """Return for each application whether one of its ordinals is 0."""
        starts_at_zero: dict[str, bool] = {}
        for record in self._queries.values():
            if record.smallest_ordinal is not None:
                application = _find_application(record)
                starts_at_zero[application] = (
                    starts_at_zero.get(application, False) or record.smallest_ordinal == 0
                )
        return starts_at_zero

    def _find_queries_with_hits(self) -> frozenset[str]:
        """Return the ids of queries that have a query record and whose application logs hits.

        If the list of hits of such a query is empty, the query had no results.
        """
        applications_with_hits = {
            _find_application(record) for record in self._queries.values() if record.hit_count
        }
        return frozenset(
            id
            for id, record in self._queries.items()
            if id in self._known_queries and _find_application(record) in applications_with_hits
        )

    def _find_ranks(self, record: _QueryRecord) -> dict[str, int]:
        """Return the best rank of each document in the impressions of a query."""
        ranks: dict[str, int] = {}
        for document, ordinal in record.impressions:
            rank = self._find_rank(record, document, ordinal, {})
            if rank > 0 and document:
                ranks[document] = min(rank, ranks.get(document, rank))
        return ranks

    def _find_rank(
        self, record: _QueryRecord, document: str, ordinal: int | None, ranks: Mapping[str, int]
    ) -> int:
        """Return the rank of a document; `NOT_LOGGED` if it is unknown.

        The rank is taken from the ordinal or, if this is None, from `ranks` or the list of hits.
        """
        if ordinal is not None:
            return ordinal + 1 if self._starts_at_zero.get(_find_application(record)) else ordinal
        if document in ranks:
            return ranks[document]
        return record.hit_ranks.get(document, NOT_LOGGED)

    def _describe_warnings(self) -> list[str]:
        events = sum(self._event_counts.values())
        messages = [
            f"User Behavior Insights: {self._record_count:,} records of {len(self._known_queries):,} queries, {events:,} events."
        ]
        unlinked_records = [
            record for id, record in self._queries.items() if id not in self._known_queries
        ]
        used_count = sum(map(_is_used, unlinked_records))
        click_count, action_count = (
            sum(count for name, count in self._event_counts.items() if name in event_names)
            for event_names in (CLICK_ACTIONS, EXPLICIT_ACTIONS)
        )
        unread_events = {
            name: count
            for name, count in self._event_counts.items()
            if name not in CLICK_ACTIONS | EXPLICIT_ACTIONS | {IMPRESSION}
        }
        summary = f"{self._event_counts.get(IMPRESSION, 0):,} impressions, {click_count:,} clicks, {action_count:,} acts"
        messages.append(
            f"Events: {summary}, {sum(unread_events.values()):,} of other kinds{f' ({_list_counts(unread_events)})' if unread_events else ''}."
        )
        if unlinked_records:
            messages.append(
                f"Queries without a record: {used_count:,} used, because impressions, clicks or acts "
                f"refer to them; {len(unlinked_records) - used_count:,} skipped."
            )
        if self._missing_id_count:
            messages.append(f"Skipped events without a query: {self._missing_id_count:,}.")
        if self._dropped_count:
            messages.append(
                f"Skipped impressions, repeated or without a rank or query text: {self._dropped_count:,}."
            )
        ordinal_starts = ", ".join(
            f"{name or '(no name)'} at {0 if starts_at_zero else 1}"
            for name, starts_at_zero in self._starts_at_zero.items()
        )
        return (
            [*messages, f"First ordinals, by application: {ordinal_starts}."]
            if ordinal_starts
            else messages
        )


def _list_counts(counts: Mapping[str, int]) -> str:
    sorted_counts = sorted(counts.items(), key=lambda item: -item[1])
    name_list = ", ".join(
        f"{shorten_value(name)[1:-1]} {count:,}" for name, count in sorted_counts[:MAX_LISTED_NAMES]
    )
    return name_list + (", …" if len(sorted_counts) > MAX_LISTED_NAMES else "")


def _read_text(value: object) -> str:
    """Return a text or integer as a name; empty for other values."""
    if isinstance(value, int) and not isinstance(value, bool):
        value = str(value)
    return parse_name(value, "a name") if isinstance(value, str) and value else ""


def _read_ordinal(row: Mapping[str, Any]) -> int | None:
    value = _read_nested_attributes(row, "position").get("ordinal")
    if value is None:
        return None
    if isinstance(value, bool) or not isinstance(value, int) or not 0 <= value <= MAX_ORDINAL:
        raise InvalidRow(
            Message(
                "ordinal is {value}; expected a whole number of 0 or more",
                key="not-a-position",
                value=shorten_value(value),
            )
        )
    return value


def _read_nested_attributes(row: Mapping[str, Any], name: str) -> Mapping[str, Any]:
    attributes = row.get("event_attributes")
    nested_value = attributes.get(name) if isinstance(attributes, dict) else None
    return nested_value if isinstance(nested_value, dict) else {}
