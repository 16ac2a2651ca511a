"""Measures of search logs, and their registry."""

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
    """Search log in the form used by measures."""

    log: SearchLog  # Q queries, S sessions, C clicks
    dwell: float  # minimum seconds on a result that make a click a success
    hours: float  # hours from the first to the last time in the whole log, of all variants
    # distinct clicked results of each query that were shown or of unknown number, by query and rank
    row: Longs
    rank: Longs
    _known: dict[str, Any] = field(default_factory=dict, repr=False)

    @property
    def has_click(self) -> LogFlags:
        """Whether each query has a click: shape (Q,)."""
        if "clicked" not in self._known:
            self._known["clicked"] = np.bincount(self.log.click, minlength=len(self.log)) > 0
        flags: LogFlags = self._known["clicked"]
        return flags

    @property
    def ranked_clicks(self) -> Longs:
        """Clicks with a known rank, in file order."""
        return np.flatnonzero(self.log.rank > 0)


def make_log_view(log: SearchLog, dwell: float, hours: float) -> LogView:
    """Return the view of a log for measures."""
    ranked = log.rank > 0
    pair = np.unique(log.click[ranked].astype(np.int64) << 32 | log.rank[ranked])
    return LogView(log, dwell, hours, pair >> 32, pair & 0xFFFFFFFF)


@dataclass(frozen=True, slots=True, eq=False)
class SessionCounts:
    """Counts of a measure, with their sessions."""

    session: Ints  # session of each unit, in any order
    # of each unit: the value is sum(count) / sum(total)
    count: Floats
    total: Floats


Function: TypeAlias = Callable[[LogView, Any], SessionCounts]


@dataclass(frozen=True, slots=True)
class OnlineMeasure:
    """Declaration of an online measure."""

    name: str  # printed name without parameters
    title: str  # title
    # what `count` and `total` are; the value is count / total, or 0 if total is 0
    counted: str
    of: str
    method: Method  # method of its interval
    function: Function  # returns counts; called with the parameter
    proportion: bool = True  # whether `count` is part of `total`
    need: Need | None = None  # required data; without it the measure is omitted
    parameter: str | None = None  # `dwell`, `rank` or `p`; None if there is none
    notes: str = ""  # further notes

    @property
    def definition(self) -> str:
        """Formula as text."""
        if self.method == "percentile":
            return "milliseconds that p % of the queries do not exceed"
        return f"{self.counted} / {self.of}" if self.of else self.counted


MEASURES: list[OnlineMeasure] = []


def online_measure(
    name: str, title: str, counted: str, of: str, method: Method, **more: Any
) -> Callable[[Function], Function]:
    """Register the decorated function; see `OnlineMeasure` for the arguments."""

    def register(function: Function) -> Function:
        MEASURES.append(OnlineMeasure(name, title, counted, of, method, function, **more))
        return function

    return register


def _count_sessions(view: LogView, holds: LogFlags) -> SessionCounts:
    """Return sessions as units, counted if `holds` is true for any of their queries."""
    sessions = view.log.sessions
    some = np.bincount(view.log.session[holds], minlength=sessions) > 0
    return SessionCounts(
        np.arange(sessions, dtype=np.int32), some.astype(np.float64), np.ones(sessions)
    )


def _count_queries(view: LogView, holds: LogFlags, among: LogFlags | None = None) -> SessionCounts:
    """Return queries as units, counted if a condition is true."""
    log = view.log
    of = np.ones(len(log)) if among is None else among.astype(np.float64)
    return SessionCounts(
        log.session, (holds if among is None else holds & among).astype(np.float64), of
    )


@online_measure("NumSessions", "Sessions", "sessions with a query", "", "none")
def sessions(facts: LogView, _: None) -> SessionCounts:
    """Count the sessions."""
    return _count_sessions(facts, np.ones(len(facts.log), dtype=bool))


@online_measure("NumQueries", "Queries", "queries", "", "none")
def queries(facts: LogView, _: None) -> SessionCounts:
    """Count the queries."""
    return _count_queries(facts, np.ones(len(facts.log), dtype=bool))


@online_measure("NumClicks", "Clicks", "clicks, each time", "", "none")
def clicks(facts: LogView, _: None) -> SessionCounts:
    """Count the clicks, those on one result again and those without a rank included."""
    log = facts.log
    return SessionCounts(
        log.session,
        np.bincount(log.click, minlength=len(log)).astype(np.float64),
        np.ones(len(log)),
    )


@online_measure(
    "SessionAbandonment", "Session abandonment", "sessions without a click", "sessions", "wilson"
)
def session_abandonment(facts: LogView, _: None) -> SessionCounts:
    """Count the sessions without a click."""
    clicked = _count_sessions(facts, facts.has_click)
    return SessionCounts(clicked.session, 1 - clicked.count, clicked.total)


@online_measure(
    "QueryAbandonment", "Query abandonment", "queries without a click", "queries", "sessions"
)
def query_abandonment(facts: LogView, _: None) -> SessionCounts:
    """Count the queries without a click."""
    return _count_queries(facts, ~facts.has_click)


@online_measure(
    "QueriesWithClick", "Queries with a click", "queries with a click", "queries", "sessions"
)
def queries_with_click(facts: LogView, _: None) -> SessionCounts:
    """Count the queries with a click."""
    return _count_queries(facts, facts.has_click)


@online_measure(
    "CTR",
    "Click-through rate",
    "clicked results",
    "shown results",
    "sessions",
    need="results",
    notes="Each result is counted once per query.",
)
def click_through(facts: LogView, _: None) -> SessionCounts:
    """Count the clicked results of queries with a known number of results."""
    log, known = facts.log, facts.log.shown >= 0
    clicked = np.bincount(facts.row, minlength=len(log))
    return SessionCounts(
        log.session,
        np.where(known, clicked, 0).astype(np.float64),
        np.where(known, log.shown, 0).astype(np.float64),
    )


@online_measure(
    "CTR@k",
    "Click-through rate at rank k",
    "queries with a click at rank k",
    "queries that showed a rank k",
    "sessions",
    need="results",
    parameter="rank",
)
def click_through_at(facts: LogView, rank: int) -> SessionCounts:
    """Count the clicks at one rank."""
    at = np.zeros(len(facts.log), dtype=bool)
    at[facts.row[facts.rank == rank]] = True
    return _count_queries(facts, at, facts.log.shown >= rank)


def _click_position(view: LogView, last: bool, reciprocal: bool) -> SessionCounts:
    chosen = view.ranked_clicks
    row, first = np.unique(view.log.click[chosen][:: -1 if last else 1], return_index=True)
    rank = view.log.rank[chosen][:: -1 if last else 1][first].astype(np.float64)
    return SessionCounts(view.log.session[row], 1 / rank if reciprocal else rank, np.ones(len(row)))


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
def first_click_rank(facts: LogView, _: None) -> SessionCounts:
    """Add up the ranks of first clicks."""
    return _click_position(facts, last=False, reciprocal=False)


@online_measure(
    "LastClickRank",
    "Mean rank of the last click",
    "sum of the ranks of last clicks",
    _RANKED_QUERIES,
    "sessions",
    proportion=False,
    notes=_ORDER_NOTE,
)
def last_click_rank(facts: LogView, _: None) -> SessionCounts:
    """Add up the ranks of last clicks."""
    return _click_position(facts, last=True, reciprocal=False)


@online_measure(
    "FirstClickRR",
    "Mean reciprocal rank of the first click",
    "sum of 1 / rank of first clicks",
    _RANKED_QUERIES,
    "sessions",
    proportion=False,
    notes=_ORDER_NOTE,
)
def first_click_rr(facts: LogView, _: None) -> SessionCounts:
    """Add up the reciprocal ranks of first clicks."""
    return _click_position(facts, last=False, reciprocal=True)


@online_measure(
    "LastClickRR",
    "Mean reciprocal rank of the last click",
    "sum of 1 / rank of last clicks",
    _RANKED_QUERIES,
    "sessions",
    proportion=False,
    notes=_ORDER_NOTE,
)
def last_click_rr(facts: LogView, _: None) -> SessionCounts:
    """Add up the reciprocal ranks of last clicks."""
    return _click_position(facts, last=True, reciprocal=True)


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
def session_success(facts: LogView, dwell: float) -> SessionCounts:
    """Count the sessions in which somebody stayed with a result or acted on one."""
    holds = facts.log.acted.copy()
    holds[facts.log.click[facts.log.dwell >= dwell]] = True
    return _count_sessions(facts, holds)


@online_measure(
    "ZeroResults",
    "Zero-result rate",
    "queries without results",
    "queries with a known number of results",
    "sessions",
    need="results",
)
def zero_results(facts: LogView, _: None) -> SessionCounts:
    """Count the queries that found nothing."""
    return _count_queries(facts, facts.log.shown == 0, facts.log.shown >= 0)


@online_measure(
    "QueriesPerSession", "Queries per session", "queries", "sessions", "sessions", proportion=False
)
def queries_per_session(facts: LogView, _: None) -> SessionCounts:
    """Count the queries of each session."""
    sessions = facts.log.sessions
    counts = np.bincount(facts.log.session, minlength=sessions).astype(np.float64)
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
def queries_per_hour(facts: LogView, _: None) -> SessionCounts:
    """Count the queries with a time."""
    return _count_queries(facts, ~np.isnan(facts.log.time))


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
def queries_per_day(facts: LogView, _: None) -> SessionCounts:
    """Count the queries with a time."""
    return queries_per_hour(facts, None)


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
def latency(facts: LogView, _: float) -> SessionCounts:
    """Return the latencies as units."""
    log = facts.log
    known = ~np.isnan(log.latency)
    return SessionCounts(log.session[known], log.latency[known], np.ones(int(known.sum())))
