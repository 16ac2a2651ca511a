"""The balance of a rescue: how much was read of each kind of thing, and what is lost."""

import sqlite3
from dataclasses import dataclass, field
from typing import Any

from irjudge.store.connection import Connection

NAMED = 20  # lost events that are named one by one
PARTS = ("facts", "topics", "texts", "documents", "runs", "qrels", "pools", "assignments", "events")


@dataclass(slots=True)
class Part:
    """How much of one kind of thing was read, and how much of it is known to be lost."""

    name: str
    read: int = 0
    lost: int = 0


@dataclass(slots=True)
class Report:
    """The balance of a rescue.

    Attributes
    ----------
    parts
        What was read and lost: facts, topics, texts, documents, events; of runs, qrels and pools their topics;
        of assignments every row about them and about what came back.
    lost_events
        The events that are lost, each by its number in the log and, where it is known, its digest.
    gone
        The digests of lost events, as far as anything names them.
    remarks
        Sentences about what had to be put in the place of something lost.
    """

    parts: dict[str, Part] = field(default_factory=lambda: {name: Part(name) for name in PARTS})
    lost_events: list[str] = field(default_factory=list)
    gone: set[str] = field(default_factory=set)
    remarks: list[str] = field(default_factory=list)

    @property
    def whole(self) -> bool:
        """Whether nothing is known to be lost."""
        return not any(part.lost for part in self.parts.values()) and not self.lost_events and not self.remarks

    @property
    def sentences(self) -> list[str]:
        """What is missing, in words; empty when nothing is."""
        parts = [f"{part.lost:,} of {part.read + part.lost:,} {part.name}" for part in self.parts.values() if part.lost]
        lost = [f"Cannot be read: {', '.join(parts)}."] if parts else []
        more = len(self.lost_events) - NAMED
        names = "; ".join(self.lost_events[:NAMED]) + (f"; and {more:,} more" if more > 0 else "")
        return lost + ([f"Lost from the log: {names}."] if self.lost_events else []) + self.remarks


def insert(target: Connection, part: Part, statement: str, values: tuple[Any, ...]) -> bool:
    """Write a row unless the tables refuse it: then it was damaged."""
    try:
        target.execute(statement, values)
    except (sqlite3.IntegrityError, sqlite3.ProgrammingError, OverflowError, UnicodeEncodeError):
        part.lost += 1
        return False
    part.read += 1
    return True
