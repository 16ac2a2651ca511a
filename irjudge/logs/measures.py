"""Measures of search logs, and the registry of these measures."""

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any, Literal, TypeAlias

import numpy as np

from irjudge.model import Floats, Ints, LogFlags, Longs, SearchLog

Need: TypeAlias = Literal["results", "dwell", "time", "latency"]
Method: TypeAlias = Literal["none", "wilson", "sessions", "arrivals", "percentile"]

METHODS: dict[Method, str] = {
    "none": "none: it is a count",
    "wilson": "Wilson, sessions are the trials",
    "sessions": "bootstrap over sessions",
    "arrivals": "sessions arrive independently",
    "percentile": "Woodruff, over sessions",
}
NEEDS: dict[Need, str] = {
    "results": "no query states the number of results shown",
    "dwell": "no click has a dwell time, and no act is logged",
    "time": "no query has a time",
    "latency": "no query has latency_ms",
}


@dataclass(frozen=True, slots=True, eq=False)
class LogView:
    """Input of the measures of a search log: the log, options, and derived values."""

    log: SearchLog  # whole log, or queries of one variant: Q queries, S sessions, C clicks
    dwell: float  # minimum dwell time, in seconds, of a click that counts as a success
    # hours from the first to the last time in the log; for a variant, in the whole log
    hours: float
    # query index and rank of each clicked result with a known rank; distinct and sorted
    clicked_queries: Longs
    clicked_ranks: Longs
    _cache: dict[str, Any] = field(default_factory=dict, repr=False)

    @property
    def has_click(self) -> LogFlags:
        """Flags, shape (Q,): whether the query has a click."""
        if "clicked" not in self._cache:
            self._cache["clicked"] = np.bincount(self.log.click, minlength=len(self.log)) > 0
        flags: LogFlags = self._cache["clicked"]
        return flags

    @property
    def ranked_clicks(self) -> Longs:
        """Indices of the clicks with a known rank, in file order."""
        return np.flatnonzero(self.log.rank > 0)


def make_log_view(log: SearchLog, dwell: float, hours: float) -> LogView:
    """Return a search log with derived values, as input of measures."""
    has_rank = log.rank > 0
    pair = np.unique(log.click[has_rank].astype(np.int64) << 32 | log.rank[has_rank])
    return LogView(log, dwell, hours, pair >> 32, pair & 0xFFFFFFFF)


@dataclass(frozen=True, slots=True, eq=False)
class SessionCounts:
    """Result of a measure's function: session, count and total of each unit, such as a query.

    The value of most measures is sum(count) / sum(total). The sessions are resampled to compute its
    interval.
    """

    session: Ints  # session code of each unit, in any order
    count: Floats  # count of each unit; for a percentile, the latency of each query in milliseconds
    total: Floats  # total of each unit


Function: TypeAlias = Callable[[LogView, Any], SessionCounts]


@dataclass(frozen=True, slots=True)
class OnlineMeasure:
    """Registered measure of search logs: names, definition, function and interval method."""

    name: str  # printed name without parameters
    title: str
    # definition of the counts in words, such as `sessions without a click`
    numerator: str
    # definition of the totals in words, or `hours` or `days`; empty if the value is only a count.
    # Except for percentiles, the value is sum of counts / sum of totals, or 0 if the totals are 0.
    denominator: str
    method: Method  # method of the confidence interval
    function: Function  # function that returns the counts, given a log and the parameter
    # whether each counted unit is also part of the total; if so, Wilson's interval replaces the
    # bootstrap if all sessions have the value 0, or all have the value 1
    proportion: bool = True
    # data that the measure needs; if a log lacks them, the measure is omitted
    need: Need | None = None
    # name of the parameter: `dwell`, `rank` or `p`; None if there is none
    parameter: str | None = None
    notes: str = ""  # notes shown in the lists of measures; may be empty

    @property
    def definition(self) -> str:
        """Formula of the measure in words."""
        if self.method == "percentile":
            return "milliseconds that p % of the queries do not exceed"
        return f"{self.numerator} / {self.denominator}" if self.denominator else self.numerator


MEASURES: list[OnlineMeasure] = []


def online_measure(
    name: str, title: str, numerator: str, denominator: str, method: Method, **options: Any
) -> Callable[[Function], Function]:
    """Return a decorator that registers a function as an `OnlineMeasure` with these arguments."""

    def register(function: Function) -> Function:
        MEASURES.append(
            OnlineMeasure(name, title, numerator, denominator, method, function, **options)
        )
        return function

    return register


def _count_sessions(view: LogView, is_counted: LogFlags) -> SessionCounts:
    """Return a count for each session: 1 if `is_counted` is true for any query, otherwise 0.

    The total of each session is 1.
    """
    sessions = view.log.sessions
    has_counted_query = np.bincount(view.log.session[is_counted], minlength=sessions) > 0
    return SessionCounts(
        np.arange(sessions, dtype=np.int32), has_counted_query.astype(np.float64), np.ones(sessions)
    )


def _count_queries(
    view: LogView, is_counted: LogFlags, is_unit: LogFlags | None = None
) -> SessionCounts:
    """Return a count for each query: 1 if `is_counted` is true for the query, otherwise 0.

    The total of each query is 1. If `is_unit` is given and is false for a query, the count and the
    total of this query are 0.
    """
    log = view.log
    totals = np.ones(len(log)) if is_unit is None else is_unit.astype(np.float64)
    return SessionCounts(
        log.session,
        (is_counted if is_unit is None else is_counted & is_unit).astype(np.float64),
        totals,
    )


@online_measure("NumSessions", "Sessions", "sessions with a query", "", "none")
def sessions(view: LogView, _: None) -> SessionCounts:
    """Count all sessions that contain a query."""
    return _count_sessions(view, np.ones(len(view.log), dtype=bool))


@online_measure("NumQueries", "Queries", "queries", "", "none")
def queries(view: LogView, _: None) -> SessionCounts:
    """Count all queries, including those without results or clicks."""
    return _count_queries(view, np.ones(len(view.log), dtype=bool))


@online_measure("NumClicks", "Clicks", "clicks, including repeated ones", "", "none")
def clicks(view: LogView, _: None) -> SessionCounts:
    """Count all clicks, including repeated clicks on the same result and clicks without a rank."""
    log = view.log
    return SessionCounts(
        log.session,
        np.bincount(log.click, minlength=len(log)).astype(np.float64),
        np.ones(len(log)),
    )


@online_measure(
    "SessionAbandonment", "Session abandonment", "sessions without a click", "sessions", "wilson"
)
def session_abandonment(view: LogView, _: None) -> SessionCounts:
    """Count the sessions without a click."""
    click_counts = _count_sessions(view, view.has_click)
    return SessionCounts(click_counts.session, 1 - click_counts.count, click_counts.total)


@online_measure(
    "QueryAbandonment", "Query abandonment", "queries without a click", "queries", "sessions"
)
def query_abandonment(view: LogView, _: None) -> SessionCounts:
    """Count the queries without a click."""
    return _count_queries(view, ~view.has_click)


@online_measure(
    "QueriesWithClick", "Queries with a click", "queries with a click", "queries", "sessions"
)
def queries_with_click(view: LogView, _: None) -> SessionCounts:
    """Count the queries with a click."""
    return _count_queries(view, view.has_click)


@online_measure(
    "CTR",
    "Click-through rate",
    "clicked results",
    "shown results",
    "sessions",
    need="results",
    notes="Each result is counted once per query.",
)
def click_through(view: LogView, _: None) -> SessionCounts:
    """Count the clicked results and the shown results of queries with a known number of results."""
    log, has_result_count = view.log, view.log.shown >= 0
    return SessionCounts(
        log.session,
        np.where(has_result_count, np.bincount(view.clicked_queries, minlength=len(log)), 0).astype(
            np.float64
        ),
        np.where(has_result_count, log.shown, 0).astype(np.float64),
    )


@online_measure(
    "CTR@k",
    "Click-through rate at rank k",
    "queries with a click at rank k",
    "queries that showed a result at rank k",
    "sessions",
    need="results",
    parameter="rank",
)
def click_through_at(view: LogView, rank: int) -> SessionCounts:
    """Count the queries with a click at a rank, among those that showed a result at this rank."""
    has_click_at_rank = np.zeros(len(view.log), dtype=bool)
    has_click_at_rank[view.clicked_queries[view.clicked_ranks == rank]] = True
    return _count_queries(view, has_click_at_rank, view.log.shown >= rank)


def _count_click_positions(view: LogView, is_last: bool, is_reciprocal: bool) -> SessionCounts:
    clicks = view.ranked_clicks
    row, first_indices = np.unique(
        view.log.click[clicks][:: -1 if is_last else 1], return_index=True
    )
    rank = view.log.rank[clicks][:: -1 if is_last else 1][first_indices].astype(np.float64)
    return SessionCounts(
        view.log.session[row], 1 / rank if is_reciprocal else rank, np.ones(len(row))
    )


_RANKED_QUERIES = "queries with a click at a known rank"
_ORDER_NOTE = "First and last in the order of the file. Queries without a click do not count: QueryAbandonment counts them."


@online_measure(
    "FirstClickRank",
    "Mean rank of the first click",
    "sum of the ranks of first clicks",
    _RANKED_QUERIES,
    "sessions",
    proportion=False,
    notes=_ORDER_NOTE,
)
def first_click_rank(view: LogView, _: None) -> SessionCounts:
    """Add up the rank of the first click of each query."""
    return _count_click_positions(view, is_last=False, is_reciprocal=False)


@online_measure(
    "LastClickRank",
    "Mean rank of the last click",
    "sum of the ranks of last clicks",
    _RANKED_QUERIES,
    "sessions",
    proportion=False,
    notes=_ORDER_NOTE,
)
def last_click_rank(view: LogView, _: None) -> SessionCounts:
    """Add up the rank of the last click of each query."""
    return _count_click_positions(view, is_last=True, is_reciprocal=False)


@online_measure(
    "FirstClickRR",
    "Mean reciprocal rank of the first click",
    "sum of 1 / rank of first clicks",
    _RANKED_QUERIES,
    "sessions",
    proportion=False,
    notes=_ORDER_NOTE,
)
def first_click_rr(view: LogView, _: None) -> SessionCounts:
    """Add up the reciprocal rank of the first click of each query."""
    return _count_click_positions(view, is_last=False, is_reciprocal=True)


@online_measure(
    "LastClickRR",
    "Mean reciprocal rank of the last click",
    "sum of 1 / rank of last clicks",
    _RANKED_QUERIES,
    "sessions",
    proportion=False,
    notes=_ORDER_NOTE,
)
def last_click_rr(view: LogView, _: None) -> SessionCounts:
    """Add up the reciprocal rank of the last click of each query."""
    return _count_click_positions(view, is_last=True, is_reciprocal=True)


@online_measure(
    "SessionSuccess",
    "Session success",
    "sessions with an act or with a click of dwell time s or more",
    "sessions",
    "wilson",
    need="dwell",
    parameter="dwell",
    notes="A click without a logged dwell time does not count as a success.",
)
def session_success(view: LogView, dwell: float) -> SessionCounts:
    """Count the sessions with an explicit action or a click of at least `dwell` seconds."""
    is_success = view.log.acted.copy()
    is_success[view.log.click[view.log.dwell >= dwell]] = True
    return _count_sessions(view, is_success)


@online_measure(
    "ZeroResults",
    "Zero-result rate",
    "queries without results",
    "queries with a known number of results",
    "sessions",
    need="results",
)
def zero_results(view: LogView, _: None) -> SessionCounts:
    """Count the queries without results, among those with a known number of results."""
    return _count_queries(view, view.log.shown == 0, view.log.shown >= 0)


@online_measure(
    "QueriesPerSession", "Queries per session", "queries", "sessions", "sessions", proportion=False
)
def queries_per_session(view: LogView, _: None) -> SessionCounts:
    """Count the queries of each session."""
    sessions = view.log.sessions
    counts = np.bincount(view.log.session, minlength=sessions).astype(np.float64)
    return SessionCounts(np.arange(sessions, dtype=np.int32), counts, np.ones(sessions))


_SPAN_NOTE = "The time is that from the first to the last query of the whole log, including nights and gaps; it is the same for all variants."


@online_measure(
    "QueriesPerHour",
    "Queries per hour",
    "queries with a time",
    "hours",
    "arrivals",
    proportion=False,
    need="time",
    notes=_SPAN_NOTE,
)
def queries_per_hour(view: LogView, _: None) -> SessionCounts:
    """Count the queries whose time is known."""
    return _count_queries(view, ~np.isnan(view.log.time))


@online_measure(
    "QueriesPerDay",
    "Queries per day",
    "queries with a time",
    "days",
    "arrivals",
    proportion=False,
    need="time",
    notes=_SPAN_NOTE,
)
def queries_per_day(view: LogView, _: None) -> SessionCounts:
    """Count the queries whose time is known."""
    return queries_per_hour(view, None)


@online_measure(
    "Latency",
    "Percentile of the latency",
    "queries at or below it",
    "queries with a latency",
    "percentile",
    need="latency",
    parameter="p",
    notes="The value is in milliseconds, interpolated linearly between two latencies; it is not count / total.",
)
def latency(view: LogView, _: float) -> SessionCounts:
    """Return the latency of each query for which it is known."""
    log = view.log
    has_latency = ~np.isnan(log.latency)
    return SessionCounts(
        log.session[has_latency], log.latency[has_latency], np.ones(int(has_latency.sum()))
    )
