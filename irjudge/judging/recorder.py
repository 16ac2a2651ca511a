"""Recording of actions in the window and in browsers as events; undo and redo."""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Generic, Protocol, TypeVar

from irjudge.errors import ProjectDamaged
from irjudge.judging.ledger import Ledger, UndoStack, get_chain
from irjudge.model import CLIENT_VERSION, Event, EventKind, Item, utc_now
from irjudge.store import Project

P = TypeVar("P")


class Recorder:
    """Base class of sessions and of `AdjudicationRecorder`: records one assessor's actions.

    An action is written durably as an event, even if it undoes or redoes another action. Judgments
    and adjudications are in one event chain but have separate undo stacks. If `is_adjudicating` is
    true, the recorder uses the undo stack of adjudications. Subclasses define the actions, and are
    notified of each event to update their counts.
    """

    is_adjudicating = False

    def __init__(
        self, project: Project, assessor: str | None = None, *, clock: Callable[[], str] = utc_now
    ) -> None:
        self._project, self._clock = project, clock
        self.assessor = assessor or project.owner
        self._chain = get_chain(project, self.assessor)
        # ledger whose events were last counted, and its head at that time
        self._counted_ledger: tuple[Ledger, str | None] | None = None

    def refuse_gap(self) -> None:
        """Raise ProjectDamaged if an event of the chain is missing and the project is writable."""
        if self._project.writing and self._chain.waiting:
            raise ProjectDamaged(
                "{file} is damaged: an event of {assessor} is missing, so later events cannot "
                "be used.",
                key="gap",
                file=self._project.path.name,
                assessor=self.assessor,
            )

    @property
    def project(self) -> Project:
        """Project that is judged."""
        return self._project

    @property
    def ledger(self) -> Ledger:
        """Ledger of the assessor, including all events."""
        self._sync()
        return self._chain.ledger

    def _sync(self) -> None:
        """Recompute all counts if another object has changed the chain."""
        if self._counted_ledger != (ledger_state := (self._chain.ledger, self.head)):
            self._counted_ledger = ledger_state
            self._recount()

    @property
    def undo_stack(self) -> UndoStack:
        """Undo stack of this recorder's actions."""
        return self.ledger.decisions if self.is_adjudicating else self.ledger.actions

    @property
    def head(self) -> str | None:
        """Digest of the assessor's last event; None before the first event."""
        return self._chain.ledger.head

    @property
    def can_undo(self) -> bool:
        """Whether there is an action to undo."""
        return self.undo_stack.next_undo is not None

    @property
    def can_redo(self) -> bool:
        """Whether there is an action to redo."""
        return self.undo_stack.next_redo is not None

    def undo(self) -> Event | None:
        """Undo the newest action, open its item, and return its event.

        Return None if there is no action to undo.
        """
        return self._undo_or_redo("undo", self.undo_stack.next_undo)

    def redo(self) -> Event | None:
        """Redo the last undone action, open its item, and return its event.

        Return None if there is no action to redo.
        """
        return self._undo_or_redo("redo", self.undo_stack.next_redo)

    def _undo_or_redo(self, kind: EventKind, target: Event | None) -> Event | None:
        if target is not None:
            self._record(kind, target.item, {}, target.digest)
            self._return_to(target)
        return target

    def _make_event(
        self,
        kind: EventKind,
        item: Item,
        payload: Mapping[str, Any],
        target: str | None,
        parent: str | None,
    ) -> Event:
        return Event(self.assessor, kind, item, self._clock(), payload, target, parent)

    def _record(
        self, kind: EventKind, item: Item, payload: Mapping[str, Any], target: str | None = None
    ) -> Event:
        """Write an event durably and return it.

        If the commit of an equal event was uncertain and the log now contains that event, no event
        is written.
        """
        uncertain_event = self._chain.find_uncertain_event()
        ledger = self.ledger
        if uncertain_event and (
            uncertain_event.kind,
            uncertain_event.item,
            uncertain_event.payload,
            uncertain_event.target,
        ) == (
            kind,
            item,
            payload,
            target,
        ):
            return uncertain_event
        previous_judgment = ledger.judgment(item.key)
        event = self._make_event(kind, item, payload, target, self.head)
        self._chain.append(event)
        if (
            self._chain.ledger is ledger
        ):  # if the log has forked, the chain has a new ledger, which `_sync` counts
            self._counted_ledger = ledger, event.digest
            self._count(event, previous_judgment)
        return event

    # Hooks for sessions

    def _count(self, event: Event, previous_judgment: Event | None) -> None:
        """Update counts after an event; `previous_judgment` is the judgment before the event."""

    def _recount(self) -> None:
        """Recompute all counts from the ledger."""

    def _return_to(self, event: Event) -> None:
        """Open the item of an event that was undone or redone."""


class ResumePoint(Generic[P]):
    """Record of the unjudged item that was open when the assessor went back to another item.

    The session can later return to this item with `take`, unless it has been judged since.
    `is_revisiting` is also True for any open item that is judged.
    """

    def __init__(self, is_judged: Callable[[P], bool]) -> None:
        self._is_judged = is_judged
        self._item: P | None = None

    def leave(self, current_item: P | None, target: P) -> None:
        """Remember the open item when the assessor goes to item `target`.

        Nothing changes if an item is already remembered or the open item is judged.
        """
        if (
            self._item is None
            and current_item is not None
            and current_item != target
            and not self._is_judged(current_item)
        ):
            self._item = current_item

    def forget(self) -> None:
        """Discard the remembered item, so that work continues from the open item."""
        self._item = None

    def is_revisiting(self, current_item: P | None) -> bool:
        """Return whether the open item is judged or was opened by going back."""
        return current_item is not None and (
            self._is_judged(current_item) or self._item not in (None, current_item)
        )

    def take(self) -> P | None:
        """Return and discard the remembered item; None if no unjudged item is remembered."""
        item, self._item = self._item, None
        return None if item is None or self._is_judged(item) else item


# Actions sent by browsers. The events of a participant form one chain, in which each refers to its
# predecessor; an action is identified by client and sequence number.

PAGE_TIME = "page_time"  # payload key: time of the action by the browser's clock
ROUND_KEY = "round"  # payload key, set by the server: number of the norming round
ActionId = tuple[str, int]  # client and sequence number


class ActionLog(Protocol):
    """Protocol of an event log in a project file or a database.

    It contains the actions of the participants of a session and, in a project file, the events of
    all other assessors. Events can be appended, but not changed.
    """

    def read(self, assessor: str | None = None) -> Iterator[Event]:
        """Yield the events of one assessor or of all assessors, in log order."""

    def append(self, event: Event) -> object:
        """Write an event; it is durable when the surrounding transaction has been committed."""


@dataclass(frozen=True, slots=True)
class KnownAction:
    """Record of a received action: digest, server time and parent of its event.

    If a page sends the action again, the same event is made from it.
    """

    digest: str  # SHA-256 (hex) of the event
    time: str  # time at which the server received the action, UTC
    parent: str | None  # digest of the previous event of the participant; None for the first
    merged: bool = False  # whether the event is from a result file and therefore has no `PAGE_TIME`


class ParticipantLog:
    """Actions received from one participant of a session, and the ledger derived from them.

    An action is identified by its client (a browser page) and sequence number, so that repeated
    actions are detected. New events are written to the session's log. The total size of the events
    is counted, so that it can be limited.
    """

    def __init__(self, events: ActionLog, assessor: str) -> None:
        self._events, self.assessor = events, assessor
        self.ledger = Ledger()
        self.known_actions: dict[ActionId, KnownAction] = {}
        self._action_ids: dict[str, ActionId] = {}
        self._last_numbers: dict[str, int] = {}
        self.event_bytes, self.draft_bytes = (
            0,
            0,
        )  # total bytes of all events, and of events that save drafts
        for event in events.read(assessor):
            self.register(event)

    def __len__(self) -> int:
        return len(self.known_actions)

    def last_number(self, client: str) -> int:
        """Return the highest sequence number of a client; 0 if it has no actions."""
        return self._last_numbers.get(client, 0)

    @property
    def clients(self) -> tuple[str, ...]:
        """Clients that have sent actions of the participant."""
        return tuple(self._last_numbers)

    def event_of(
        self, action: Mapping[str, Any], time: str, norming_round: int = 0
    ) -> Event | None:
        """Return the event of a received action; None if the target of an undo or redo is missing.

        If the action was received before, the event equals the stored event. If a different action
        with the same client and number was received before, the digests of the events differ.
        `norming_round` is 0 outside norming rounds.
        """
        known_action = self.known_actions.get((action["client"], action["number"]))
        target = None
        if action["target"] is not None:
            target_action = self.known_actions.get(
                (action["target"]["client"], action["target"]["number"])
            )
            if target_action is None:
                return None
            target = target_action.digest
        item = action["item"]
        event_item = Item(
            item["topic"],
            tuple(item["documents"]),
            tuple(item["contents"]),
            item["type"],
            item["occurrence"],
        )
        stored_payload = {
            PAGE_TIME: action["time"],
            **({ROUND_KEY: norming_round} if norming_round and target is None else {}),
        }
        payload = {
            **action["payload"],
            **({} if known_action and known_action.merged else stored_payload),
        }
        event_time, parent = (
            (known_action.time, known_action.parent) if known_action else (time, self.ledger.head)
        )
        client_fields = (CLIENT_VERSION, action["client"], action["number"])
        return Event(
            self.assessor,
            action["kind"],
            event_item,
            event_time,
            payload,
            target,
            parent,
            *client_fields,
        )

    def append(self, event: Event) -> None:
        """Write an event; it is durable when the surrounding transaction has been committed."""
        self._events.append(event)
        self.register(event)

    def register(self, event: Event) -> None:
        """Register an event that is already in the log."""
        self.ledger.apply(event)
        self.event_bytes += event.size
        self.draft_bytes += event.size if event.kind == "draft" else 0
        action_id = (event.client, event.number)
        self.known_actions[action_id] = KnownAction(
            event.digest, event.time, event.parent, PAGE_TIME not in event.payload
        )
        self._action_ids[event.digest] = action_id
        self._last_numbers[event.client] = max(
            event.number, self._last_numbers.get(event.client, 0)
        )

    def actions(self) -> list[dict[str, Any]]:
        """Return all actions in the form in which pages send them, in the order received."""
        return [self._to_action(event) for event in self._events.read(self.assessor)]

    def _to_action(self, event: Event) -> dict[str, Any]:
        item = event.item
        item_data = {
            "type": item.type,
            "topic": item.topic,
            "documents": list(item.documents),
            "contents": list(item.contents),
            "occurrence": item.occurrence,
        }
        client, sequence_number = self._action_ids.get(event.target or "", ("", 0))
        payload = {
            name: value
            for name, value in event.payload.items()
            if name not in (PAGE_TIME, ROUND_KEY)
        }
        return {
            "client": event.client,
            "number": event.number,
            "kind": event.kind,
            "item": item_data,
            "time": str(event.payload.get(PAGE_TIME, event.time)),
            "payload": payload,
            "target": {"client": client, "number": sequence_number} if event.target else None,
        }
