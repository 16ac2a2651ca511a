"""The balance of a rescue: how much was read of each kind of thing, and what is lost."""

import sqlite3
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from irjudge.message import Message, listed
from irjudge.store.connection import Connection

NAMED = 20  # lost events that are named one by one
PLACES = {
    "raw scan": Message("by scanning the raw bytes"),
    "free page": Message("on free pages"),
    "overflow chain": Message("in chains of overflow pages"),
    "behind the last page": Message("behind the last page"),
}
PARTS = ("facts", "topics", "texts", "documents", "runs", "qrels", "pools", "assignments", "events")


@dataclass(slots=True)
class BalancePart:
    """How much of one kind of thing was read, and how much of it is known to be lost."""

    name: str
    read: int = 0
    lost: int = 0


@dataclass(slots=True)
class RescueReport:
    """The balance of a rescue."""

    # what was read and lost: facts, topics, texts, documents, events; of runs, qrels and pools their topics; of assignments every row about
    # them and about what came back
    parts: dict[str, BalancePart] = field(
        default_factory=lambda: {name: BalancePart(name) for name in PARTS}
    )
    # the events that are lost, each by its number in the log and, where it is known, its digest
    lost_events: list[str] = field(default_factory=list)
    gone: set[str] = field(
        default_factory=set
    )  # the digests of lost events, as far as anything names them
    # how many events were found how: in the tables, by a scan of the raw bytes, on free pages, in chains of overflow pages
    found: dict[str, int] = field(default_factory=dict)
    # events that were found and not taken, since nothing proves that they belong to the log: who, what, and the digest
    apart: list[str] = field(default_factory=list)
    # sentences about what had to be put in the place of something lost, and about what cannot be known
    remarks: list[str] = field(default_factory=list)

    @property
    def whole(self) -> bool:
        """Whether nothing is known to be lost."""
        return not any(part.lost for part in self.parts.values()) and not (
            self.lost_events or self.apart or self.remarks
        )

    @property
    def sentences(self) -> list[str]:
        """What is missing, in words; empty when nothing is."""
        parts = [
            f"{part.lost:,} of {part.read + part.lost:,} {part.name}"
            for part in self.parts.values()
            if part.lost
        ]
        lost = (
            [Message("Cannot be read: {parts}.", key="unreadable", parts=", ".join(parts))]
            if parts
            else []
        )
        found = listed(
            Message("{number:,} {where}", number=number, where=PLACES[how])
            for how, number in self.found.items()
            if number and how in PLACES
        )
        return (
            lost
            + (
                [
                    Message(
                        "Lost from the log: {some}.",
                        key="lost-events",
                        some=_some(self.lost_events),
                    )
                ]
                if self.lost_events
                else []
            )
            + (
                [
                    Message(
                        "Found outside the tables, and proven by their hashes: {found}.",
                        key="found-outside",
                        found=found,
                    )
                ]
                if found
                else []
            )
            + (
                [
                    Message(
                        "Found and not taken, since nothing proves that they belong to the log: {some}.",
                        some=_some(self.apart),
                    )
                ]
                if self.apart
                else []
            )
            + self.remarks
        )


def _some(names: Sequence[str]) -> str:
    """Return the first names of a list, and how many more there are."""
    more = len(names) - NAMED
    return "; ".join(names[:NAMED]) + (
        Message("; and {more:,} more", more=more) if more > 0 else ""
    )


def insert(target: Connection, part: BalancePart, statement: str, values: tuple[Any, ...]) -> bool:
    """Write a row unless the tables refuse it: then it was damaged."""
    try:
        target.execute(statement, values)
    except (sqlite3.IntegrityError, sqlite3.ProgrammingError, OverflowError, UnicodeEncodeError):
        part.lost += 1
        return False
    part.read += 1
    return True
