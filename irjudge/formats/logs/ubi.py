"""Logs of User Behavior Insights, as OpenSearch keeps them: queries and events, plain lines or lines for `_bulk`."""

import math
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from irjudge.formats.logs.rows import NAN, LogRows, UnfitRow, kind, name_of, shorn, time_of
from irjudge.message import Message
from irjudge.model.search_log import NOT_LOGGED, NOT_SHOWN, ShownResults

IMPRESSION = "impression"
CLICKS = frozenset(
    ("click", "item_click", "product_click", "result_click")
)  # on a result; `global_click` may be on anything
ACTS = frozenset(("add_to_cart", "purchase", "buy_now"))
ACTIONS = ("index", "create")  # of lines for `_bulk`
LARGEST = 2**31 - 2
MOST_NAMED = 6


@dataclass(slots=True)
class _Seen:
    """What is known of one query, by its id."""

    text: str = ""
    application: str = ""
    client: str = ""
    session: str = ""
    time: float = NAN
    hits: list[str] = field(default_factory=list)
    impressions: list[tuple[str, int | None]] = field(default_factory=list)  # document, ordinal
    clicks: list[tuple[str, int | None]] = field(default_factory=list)
    acted: bool = False
    by_query: bool = False  # whether the time is that of a record of the query


def _is_used(seen: _Seen) -> bool:
    """Tell whether an event says that results of a query were seen or used."""
    return bool(seen.impressions or seen.clicks or seen.acted)


def is_ubi(row: Mapping[str, Any]) -> bool:
    """Tell whether a JSON object is a query or an event of such a log, or the action before one."""
    if len(row) == 1 and next(iter(row)) in ACTIONS:
        return isinstance(next(iter(row.values())), dict)
    return (
        "session" not in row and "query_id" in row and ("action_name" in row or "user_query" in row)
    )


class UbiLog:
    """Takes queries and events in whatever order they come, and puts one row for each query into columns."""

    def __init__(self) -> None:
        self._queries: dict[str, _Seen] = {}
        self._records = 0  # of queries
        self._known: set[str] = set()  # queries that have a record of their own
        self._events: dict[str, int] = {}  # how many of each action
        self._dropped = 0  # impressions that are no row of their own where results are wanted
        self._without = 0  # events that name no query
        self._zero: dict[str, bool] = {}  # whether ordinals begin at 0, by application

    def __bool__(self) -> bool:
        return bool(self._records or self._events)

    def read(self, row: object) -> None:
        """Take one line."""
        if not isinstance(row, dict):
            raise UnfitRow(
                Message("found {kind}, expected an object", key="not-object", kind=kind(row))
            )
        if len(row) == 1 and next(iter(row)) in ACTIONS:
            return
        if "action_name" in row:
            self._event(row)
        elif "query_id" in row:
            self._query(row)
        else:
            raise UnfitRow(
                Message(
                    "expected a query (query_id, user_query) or an event (action_name, query_id)",
                    key="not-ubi",
                )
            )

    def _query(self, row: Mapping[str, Any]) -> None:
        id = name_of(row["query_id"], "query_id")
        self._records += 1
        self._known.add(id)
        seen = self._seen(id, row)
        hits = row.get("query_response_hit_ids")
        if isinstance(hits, list):
            seen.hits += [
                document for each in hits if (document := _text(each)) and document not in seen.hits
            ]
        elif hits is not None:
            raise UnfitRow(
                Message(
                    "query_response_hit_ids holds {kind}, expected a list of ids",
                    key="wrong-type",
                    kind=kind(hits),
                )
            )

    def _seen(self, id: str, row: Mapping[str, Any]) -> _Seen:
        """Return what is known of a query, with what a line says of it that was not known."""
        seen = self._queries.setdefault(id, _Seen())
        seen.text = seen.text or _text(row.get("user_query"))
        seen.application = seen.application or _text(row.get("application"))
        seen.client = seen.client or _text(row.get("client_id"))
        seen.session = seen.session or _text(row.get("session_id"))
        of_query, time = "action_name" not in row, time_of(row.get("timestamp"))
        if of_query > seen.by_query or (
            of_query == seen.by_query and not time >= seen.time and time == time
        ):
            seen.time, seen.by_query = (
                time,
                of_query,
            )  # the earliest of its records, or of its events where it has none
        return seen

    def _event(self, row: Mapping[str, Any]) -> None:
        action = _text(row["action_name"])
        self._events[action] = self._events.get(action, 0) + 1
        id = row.get("query_id")
        if id is None or id == "":
            self._without += 1
            return
        seen = self._seen(name_of(id, "query_id"), row)
        if action not in CLICKS and action not in ACTS and action != IMPRESSION:
            return
        document, ordinal = _object(row), _ordinal(row)
        application = _text(row.get("application")) or seen.application
        if ordinal is not None:
            self._zero[application] = self._zero.get(application, False) or ordinal == 0
        if action == IMPRESSION:
            seen.impressions.append((document, ordinal))
        elif action in CLICKS:
            seen.clicks.append((document, ordinal))
        else:
            seen.acted = True

    # What comes of it

    def put(self, rows: LogRows) -> list[str]:
        """Put a row for each query into columns; return what was read, a sentence each."""
        told = self._told()
        taken = (
            (id, seen) for id, seen in self._queries.items() if id in self._known or _is_used(seen)
        )
        for id, seen in sorted(
            taken, key=lambda each: math.inf if each[1].time != each[1].time else each[1].time
        ):
            ranks = self._ranks(seen)
            shown = (
                max(len(seen.hits), max(ranks.values(), default=0))
                if seen.hits or ranks or id in told
                else NOT_LOGGED
            )
            rows.begin(seen.session or seen.client or id, seen.time, shown)
            clicked = set[str]()
            for document, ordinal in seen.clicks:
                rank = self._rank(seen, document, ordinal, ranks)
                rows.click(NOT_SHOWN if 0 <= shown < rank else rank)
                clicked.add(document)
            if seen.acted:
                rows.act()
            if rows.results is not None:
                self._dropped += len(seen.impressions) - (len(ranks) if seen.text else 0)
                _tell(rows.results, seen.text, ranks, clicked)
        rows.acts_logged = rows.acts_logged or any(action in ACTS for action in self._events)
        return list(self._remarks())

    def _told(self) -> frozenset[str]:
        """Return the queries whose lists of hits are logged, though they are empty: where some of an application are not."""
        telling = {seen.application for seen in self._queries.values() if seen.hits}
        return frozenset(
            id
            for id, seen in self._queries.items()
            if id in self._known and seen.application in telling
        )

    def _ranks(self, seen: _Seen) -> dict[str, int]:
        """Return the best rank at which each document was seen."""
        ranks: dict[str, int] = {}
        for document, ordinal in seen.impressions:
            rank = self._rank(seen, document, ordinal, {})
            if rank > 0 and document:
                ranks[document] = min(rank, ranks.get(document, rank))
        return ranks

    def _rank(
        self, seen: _Seen, document: str, ordinal: int | None, ranks: Mapping[str, int]
    ) -> int:
        """Return the rank of a document, from 1: by its ordinal, or by its place among hits and impressions."""
        if ordinal is not None:
            return ordinal + 1 if self._zero.get(seen.application) else ordinal
        if document in ranks:
            return ranks[document]
        return seen.hits.index(document) + 1 if document in seen.hits else NOT_LOGGED

    def _remarks(self) -> list[str]:
        events = sum(self._events.values())
        found = [
            f"User Behavior Insights: {self._records:,} records of {len(self._known):,} queries, {events:,} events."
        ]
        alone = [seen for id, seen in self._queries.items() if id not in self._known]
        used = sum(map(_is_used, alone))
        clicks, acts = (
            sum(count for name, count in self._events.items() if name in some)
            for some in (CLICKS, ACTS)
        )
        others = {
            name: count
            for name, count in self._events.items()
            if name not in CLICKS | ACTS | {IMPRESSION}
        }
        read = f"{self._events.get(IMPRESSION, 0):,} impressions, {clicks:,} clicks, {acts:,} acts"
        found.append(
            f"Events: {read}, {sum(others.values()):,} of other kinds{f' ({_listed(others)})' if others else ''}."
        )
        if alone:
            found.append(
                f"Queries without a record: {used:,} that impressions, clicks or acts name, {len(alone) - used:,} others, left out."
            )
        if self._without:
            found.append(f"Events that name no query and were left out: {self._without:,}.")
        if self._dropped:
            found.append(
                f"Impressions of a document that its query had shown before, or without a place or words: {self._dropped:,}."
            )
        starts = ", ".join(
            f"{name or 'without a name'} at {0 if zero else 1}" for name, zero in self._zero.items()
        )
        return [*found, f"Ordinals begin by application: {starts}."] if starts else found


def _listed(counts: Mapping[str, int]) -> str:
    most = sorted(counts.items(), key=lambda each: -each[1])
    named = ", ".join(f"{shorn(name)[1:-1]} {count:,}" for name, count in most[:MOST_NAMED])
    return named + (", …" if len(most) > MOST_NAMED else "")


def _tell(results: ShownResults, text: str, ranks: Mapping[str, int], clicked: set[str]) -> None:
    if text:
        for document, rank in ranks.items():
            results.add(text, document, rank, clicked=document in clicked)


def _text(value: object) -> str:
    """Return a name; an empty text for what is none."""
    if isinstance(value, int) and not isinstance(value, bool):
        value = str(value)
    return name_of(value, "a name") if isinstance(value, str) and value else ""


def _object(row: Mapping[str, Any]) -> str:
    return _text(_below(row, "object").get("object_id"))


def _ordinal(row: Mapping[str, Any]) -> int | None:
    """Return the position of what an event is about; None where it has none."""
    value = _below(row, "position").get("ordinal")
    if value is None:
        return None
    if isinstance(value, bool) or not isinstance(value, int) or not 0 <= value <= LARGEST:
        raise UnfitRow(
            Message(
                "ordinal {shorn} is no position, expected a whole number from 0",
                key="not-a-position",
                shorn=shorn(value),
            )
        )
    return value


def _below(row: Mapping[str, Any], name: str) -> Mapping[str, Any]:
    attributes = row.get("event_attributes")
    below = attributes.get(name) if isinstance(attributes, dict) else None
    return below if isinstance(below, dict) else {}
