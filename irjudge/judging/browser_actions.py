"""What browsers send becomes events: one chain a person, an action known by its client and number."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Protocol

from irjudge.judging.ledger import Ledger
from irjudge.model.event import OF_CLIENTS, Event, Item

PAGE_TIME = "page_time"  # in a payload: when it was by the browser's clock
ROUND = "round"  # in a payload: in which norming round it was said; no page says that
Name = tuple[str, int]  # client and number


class Log(Protocol):
    """Where events are kept: a project's log, or that of a database."""

    def read(self, assessor: str | None = None) -> Iterator[Event]:
        """Yield the events in the order they were written, of one assessor or of all."""

    def append(self, event: Event) -> object:
        """Write an event; it is durable when the transaction around it has ended."""


@dataclass(frozen=True, slots=True)
class Known:
    """An action that is in the log: the digest of its event, the time the server gave it, and the digest of the event before."""

    digest: str
    time: str
    parent: str | None
    merged: bool = False  # whether it came in a file that the page saved, and no server stamped it


class Arrivals:
    """The work of one person of a session, as it comes in."""

    def __init__(self, events: Log, assessor: str) -> None:
        self._events, self.assessor = events, assessor
        self.ledger = Ledger()
        self.known: dict[Name, Known] = {}
        self._names: dict[str, Name] = {}
        self._last: dict[str, int] = {}
        self.size, self.drafted = 0, 0  # bytes of all, and of drafts among them
        for event in events.read(assessor):
            self.note(event)

    def __len__(self) -> int:
        return len(self.known)

    def last(self, client: str) -> int:
        """Return the number of a client's newest action; 0 where it has none."""
        return self._last.get(client, 0)

    @property
    def clients(self) -> tuple[str, ...]:
        """The clients that did something."""
        return tuple(self._last)

    def event_of(self, action: Mapping[str, Any], time: str, number: int = 0) -> Event | None:
        """Return the event of an action that came now, or the one it made when it came first; None where what it takes back is missing.

        Other fields under a number that is known give an event of another digest than the known one. With a `number`, it says in which
        norming round it was done.
        """
        known = self.known.get((action["client"], action["number"]))
        target = None
        if action["target"] is not None:
            spoken_of = self.known.get((action["target"]["client"], action["target"]["number"]))
            if spoken_of is None:
                return None
            target = spoken_of.digest
        item = action["item"]
        about = Item(
            item["topic"],
            tuple(item["documents"]),
            tuple(item["contents"]),
            item["type"],
            item["occurrence"],
        )
        stamped = {
            PAGE_TIME: action["time"],
            **({ROUND: number} if number and target is None else {}),
        }
        payload = {**action["payload"], **({} if known and known.merged else stamped)}
        when, parent = (known.time, known.parent) if known else (time, self.ledger.head)
        who = (OF_CLIENTS, action["client"], action["number"])
        return Event(self.assessor, action["kind"], about, when, payload, target, parent, *who)

    def append(self, event: Event) -> None:
        """Write an event; it is on disk when the transaction around it has ended."""
        self._events.append(event)
        self.note(event)

    def note(self, event: Event) -> None:
        """Take note of an event that is in the log."""
        self.ledger.apply(event)
        self.size += event.size
        self.drafted += event.size if event.kind == "draft" else 0
        name = (event.client, event.number)
        self.known[name] = Known(
            event.digest, event.time, event.parent, PAGE_TIME not in event.payload
        )
        self._names[event.digest] = name
        self._last[event.client] = max(event.number, self._last.get(event.client, 0))

    def actions(self) -> list[dict[str, Any]]:
        """Return all actions as the page made them, in the order in which they came."""
        return [self._action(event) for event in self._events.read(self.assessor)]

    def _action(self, event: Event) -> dict[str, Any]:
        item = event.item
        about = {
            "type": item.type,
            "topic": item.topic,
            "documents": list(item.documents),
            "contents": list(item.contents),
            "occurrence": item.occurrence,
        }
        client, number = self._names.get(event.target or "", ("", 0))
        payload = {
            name: value for name, value in event.payload.items() if name not in (PAGE_TIME, ROUND)
        }
        return {
            "client": event.client,
            "number": event.number,
            "kind": event.kind,
            "item": about,
            "time": str(event.payload.get(PAGE_TIME, event.time)),
            "payload": payload,
            "target": {"client": client, "number": number} if event.target else None,
        }
