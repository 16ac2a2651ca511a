"""One row of a search log after another, checked and put into columns."""

import json
import math
from array import array
from bisect import bisect_left
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import Any

from irjudge.formats.bytes.utf8 import without_half_characters
from irjudge.formats.rows.records import LONGEST_ID
from irjudge.message import Message
from irjudge.model.search_log import NOT_LOGGED, NOT_SHOWN, ShownResults

FIELDS = ("session", "time", "query", "results", "clicks", "latency_ms", "variant")
CLICK_FIELDS = ("rank", "document", "time", "dwell", "act")
LARGEST = 2**31 - 1
LATEST = 253_402_300_800  # the year 10000 in seconds
MILLISECONDS_FROM = (
    100_000_000_000  # a time so large counts milliseconds: in seconds it would be the year 5138
)
LONGEST_SHOWN = 40
MOST_VARIANTS = 50
NAN = math.nan
KINDS = {
    str: "text",
    bool: "true or false",
    list: "a list",
    dict: "an object",
    type(None): "null",
    int: "a number",
    float: "a number",
}


class UnfitRow(ValueError):
    """A row does not say what it should: what was found and what was expected. The reader adds file and line."""


def _floats() -> "array[float]":
    return array("d")


def _ints() -> "array[int]":
    return array("i")


@dataclass(slots=True)
class LogRows:
    """The columns of a log while they grow; see `SearchLog`. `begin` opens a row, and `click` adds to the row last begun."""

    sessions: dict[str, int] = field(default_factory=dict)
    variants: dict[str, int] = field(default_factory=dict)
    session: "array[int]" = field(default_factory=_ints)
    time: "array[float]" = field(default_factory=_floats)
    shown: "array[int]" = field(default_factory=_ints)
    acted: bytearray = field(default_factory=bytearray)
    latency: "array[float]" = field(default_factory=_floats)
    variant: "array[int]" = field(default_factory=_ints)
    backwards: bytearray = field(
        default_factory=bytearray
    )  # whether time runs backwards within the row
    click_row: "array[int]" = field(default_factory=_ints)
    rank: "array[int]" = field(default_factory=_ints)
    dwell: "array[float]" = field(default_factory=_floats)
    acts_logged: bool = False
    unread: dict[str, None] = field(default_factory=dict)
    results: ShownResults | None = None  # where each result that was shown is wanted too

    def __len__(self) -> int:
        return len(self.session)

    def begin(
        self,
        session: str,
        time: float = NAN,
        shown: int = NOT_LOGGED,
        latency: float = NAN,
        variant: str | None = None,
    ) -> None:
        """Open the next row."""
        self.session.append(self.sessions.setdefault(session, len(self.sessions)))
        self.time.append(time)
        self.shown.append(shown)
        self.latency.append(latency)
        self.variant.append(
            NOT_LOGGED if variant is None else self.variants.setdefault(variant, len(self.variants))
        )
        if len(self.variants) > MOST_VARIANTS:
            raise UnfitRow(
                Message(
                    "variant {shorn} is one more than the {most_variants} different variants that a log "
                    "may have",
                    key="too-many-variants",
                    shorn=shorn(variant),
                    most_variants=MOST_VARIANTS,
                )
            )
        self.acted.append(0)
        self.backwards.append(0)

    def click(self, rank: int, dwell: float = NAN) -> None:
        """Add a click to the row begun last."""
        self.click_row.append(len(self.session) - 1)
        self.rank.append(rank)
        self.dwell.append(dwell)

    def act(self) -> None:
        """Say that the user did something explicit in the row begun last."""
        self.acted[-1] = 1

    def add(self, row: Mapping[str, Any]) -> None:
        """Add a row of named fields."""
        results, clicks = row.get("results"), row.get("clicks")
        seconds, variant, latency = (
            time_of(row.get("time")),
            row.get("variant"),
            row.get("latency_ms"),
        )
        shown = _shown(results)
        self.begin(
            name_of(row.get("session"), "session"),
            seconds,
            shown,
            NAN if latency is None else number_of(latency, "latency_ms"),
            None if variant is None or variant == "" else name_of(variant, "variant"),
        )
        if clicks:
            self._add_clicks(clicks, results if isinstance(results, list) else (), shown, seconds)
        elif clicks is not None and clicks != []:
            raise UnfitRow(
                Message(
                    "clicks holds {kind}, expected a list of objects",
                    key="wrong-type",
                    kind=kind(clicks),
                )
            )
        if self.results is not None and isinstance(results, list):
            self._add_results(self.results, row.get("query"), results)
        if not row.keys() <= _KNOWN:
            self.unread.update(dict.fromkeys(name for name in row if name not in _KNOWN))

    def _add_results(self, shown: ShownResults, query: object, results: Sequence[Any]) -> None:
        """Take each result of the row begun last; a row without the words of its query says nothing of documents."""
        if not isinstance(query, str) or not query.strip():
            return
        row = len(self.session) - 1
        first = bisect_left(self.click_row, row)
        clicked = set(self.rank[first:])
        for rank, document in enumerate(results, 1):
            shown.add(
                name_of(query, "query"), name_of(document, "results"), rank, clicked=rank in clicked
            )

    def _add_clicks(
        self, clicks: object, results: Sequence[Any], shown: int, before: float
    ) -> None:
        if not isinstance(clicks, list):
            raise UnfitRow(
                Message(
                    "clicks holds {kind}, expected a list of objects",
                    key="wrong-type",
                    kind=kind(clicks),
                )
            )
        for click in clicks:
            if type(click) is not dict:
                raise UnfitRow(
                    Message(
                        "a click is {kind}, expected an object with rank or document",
                        key="wrong-type",
                        kind=kind(click),
                    )
                )
            dwell, act = click.get("dwell"), click.get("act")
            self.click(
                _rank(click, results, shown), NAN if dwell is None else number_of(dwell, "dwell")
            )
            if "act" in click:
                self.acts_logged = True
                if act is not None and _is_act(act):
                    self.act()
            if "time" in click:
                at = time_of(click["time"])
                if at < before:
                    self.backwards[-1] = 1
                before = before if at != at else at
            if not click.keys() <= _KNOWN_OF_CLICK:
                self.unread.update(
                    dict.fromkeys(f"clicks.{name}" for name in click if name not in _KNOWN_OF_CLICK)
                )


_KNOWN = frozenset(FIELDS)
_KNOWN_OF_CLICK = frozenset(CLICK_FIELDS)


def time_of(value: object) -> float:
    """Return seconds since 1970; NaN for None and an empty text.

    A text is ISO 8601, in UTC where it names no zone. A number counts seconds, or milliseconds from 100,000,000,000 on.
    """
    if value is None or value == "":
        return NAN
    if isinstance(value, str):
        try:
            moment = datetime.fromisoformat(value)
            return (moment if moment.tzinfo else moment.replace(tzinfo=UTC)).timestamp()
        except (ValueError, OverflowError):
            raise UnfitRow(
                Message(
                    "time {shorn} is no time, expected ISO 8601 such as 2026-01-31T13:05:00Z",
                    key="not-a-time",
                    shorn=shorn(value),
                )
            ) from None
    if isinstance(value, bool) or not isinstance(value, int | float):
        raise UnfitRow(
            Message(
                "time holds {kind}, expected text or a number of seconds",
                key="wrong-type",
                kind=kind(value),
            )
        )
    if abs(value) >= MILLISECONDS_FROM and abs(value) < LATEST * 1000:
        value = value / 1000
    if not abs(value) < LATEST:
        raise UnfitRow(
            Message(
                "time {shorn} is outside of the years that are known",
                key="unknown-year",
                shorn=shorn(value),
            )
        )
    return float(value)


def number_of(value: object, name: str) -> float:
    """Return a finite number; UnfitRow when it is none."""
    if isinstance(value, bool) or not isinstance(value, int | float):
        raise UnfitRow(
            Message(
                "{name} holds {kind}, expected a number",
                key="wrong-type",
                name=name,
                kind=kind(value),
            )
        )
    if not abs(value) <= LARGEST:
        raise UnfitRow(
            Message(
                "{name} {shorn} is too large, expected {largest:,} at most",
                key="large-number",
                name=name,
                shorn=shorn(value),
                largest=LARGEST,
            )
        )
    return float(value)


def name_of(value: object, name: str) -> str:
    """Return the text of a session or variant; a whole number is taken as its digits. UnfitRow when it is none."""
    if isinstance(value, int) and not isinstance(value, bool):
        value = str(value)
    if value is None or value == "":
        raise UnfitRow(
            Message(
                "the row has no {name}, expected a text in the field {name}",
                key="no-field",
                name=name,
            )
        )
    if not isinstance(value, str):
        raise UnfitRow(
            Message(
                "{name} holds {kind}, expected text", key="wrong-type", name=name, kind=kind(value)
            )
        )
    if len(value) > LONGEST_ID:
        raise UnfitRow(
            Message(
                "{name} {shorn} has {count:,} characters, expected {longest_id:,} at most",
                key="long-id",
                name=name,
                shorn=shorn(value),
                count=len(value),
                longest_id=LONGEST_ID,
            )
        )
    return value if value.isascii() else without_half_characters(value)


def kind(value: object) -> str:
    """Return what a JSON value is, in words."""
    return KINDS.get(type(value), "something else")


def shorn(value: object) -> str:
    """Return a value fit to stand in a sentence."""
    text = without_half_characters(value) if isinstance(value, str) else str(value)
    short = text if len(text) <= LONGEST_SHOWN else text[:LONGEST_SHOWN] + "…"
    return json.dumps(short, ensure_ascii=False) if isinstance(value, str) else short


def _shown(results: object) -> int:
    if type(results) is list:
        if not _TEXTS.issuperset(map(type, results)):
            odd = next(each for each in results if type(each) not in _TEXTS)
            raise UnfitRow(
                Message(
                    "results holds {kind} among the ids, expected texts or numbers",
                    key="wrong-type",
                    kind=kind(odd),
                )
            )
        return len(results)
    if results is None:
        return NOT_LOGGED
    if type(results) is not int:
        raise UnfitRow(
            Message(
                "results holds {kind}, expected a list of ids or a count",
                key="wrong-type",
                kind=kind(results),
            )
        )
    if not 0 <= results <= LARGEST:
        raise UnfitRow(
            Message(
                "results {shorn}, expected a count from 0 to {largest:,}",
                key="out-of-range",
                shorn=shorn(results),
                largest=LARGEST,
            )
        )
    return results


_TEXTS = frozenset((str, int))


def _rank(click: Mapping[str, Any], results: Sequence[Any], shown: int) -> int:
    """Return the rank of a click; where it names its document and the results are listed, the document decides."""
    document, rank = click.get("document"), click.get("rank")
    if document is not None and type(document) not in _TEXTS:
        raise UnfitRow(
            Message("document holds {kind}, expected text", key="wrong-type", kind=kind(document))
        )
    if rank is None and document is None:
        raise UnfitRow(
            Message("a click has neither rank nor document, expected one of them", key="no-place")
        )
    if rank is not None:
        if type(rank) is not int:
            raise UnfitRow(
                Message("rank {shorn} is not a whole number", key="not-whole", shorn=shorn(rank))
            )
        if not 1 <= rank <= LARGEST:
            raise UnfitRow(
                Message(
                    "rank {shorn}, expected 1 or more; the first result has rank 1",
                    key="out-of-range",
                    shorn=shorn(rank),
                )
            )
    if document is not None and (results or shown == 0):
        return _place(document, results)
    if rank is None:
        return NOT_LOGGED
    return NOT_SHOWN if 0 <= shown < rank else int(rank)


def _place(document: str | int, results: Sequence[Any]) -> int:
    if document in results:
        return results.index(document) + 1
    texts = [
        str(each) for each in results
    ]  # one side may be a number where the other is its digits
    return texts.index(str(document)) + 1 if str(document) in texts else NOT_SHOWN


def _is_act(act: object) -> bool:
    if not isinstance(act, bool | str):
        raise UnfitRow(
            Message(
                "act holds {kind}, expected true, false or a word", key="wrong-type", kind=kind(act)
            )
        )
    return bool(act)
