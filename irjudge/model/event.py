"""An event: one thing an assessor did, immutable and named by the SHA-256 of its bytes."""

import hashlib
import json
import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, Literal, TypeAlias, get_args

from irjudge.errors import ProjectError
from irjudge.message import Message
from irjudge.model.event_form import BROKEN, item_problem, payload_problem

EventKind = Literal[
    "grade",
    "unjudgeable",
    "skip",
    "unsure",
    "note",
    "rationale",
    "preference",
    "undo",
    "redo",
    "draft",
    "adjudicate",
]
KINDS: tuple[EventKind, ...] = get_args(EventKind)
Actor = Literal["person", "model"]
ACTORS: tuple[Actor, ...] = get_args(Actor)
VERSION, OF_CLIENTS = 1, 2  # what the window writes; what browsers and models do
DIGEST = re.compile("[0-9a-f]{64}")
BY_MODEL = b'{"actor":"model"'  # begins what a model did, as its fields stand in order
HALF_LETTER = b"\\ud"  # begins the escape of one, which no text of ours can hold
CLIENT = re.compile("[0-9a-f]{32}")
LEVELS = 100  # of JSON that are read at once; no parser has to go deeper, and what is there is read all the same
MARK = re.compile(
    r'"(?:[^"\\]++|(?s:\\.))*+(?:"|\\?\Z)|[\[\]{}]'
)  # a string, or what begins or ends a level
Key: TypeAlias = tuple[str, tuple[str, ...], int]


@dataclass(frozen=True, slots=True)
class Item:
    """What was judged: a document of a topic now; pairs and panels name several documents."""

    topic: str  # the topic's id
    documents: tuple[str, ...]  # ids, in the order painted
    contents: tuple[
        str, ...
    ]  # SHA-256 (hex) of what was painted for each, so that an edited text is noticed
    type: str = "document"  # `document`, `pair` or `panel`
    occurrence: int = 1  # which showing of the same documents it was: 2 where they were planted a second time, to be judged anew

    @property
    def key(self) -> Key:
        """Topic, documents and occurrence: what a later judgment of the same item supersedes by."""
        return (self.topic, self.documents, self.occurrence)


CANONICAL = json.JSONEncoder(
    ensure_ascii=False, sort_keys=True, separators=(",", ":"), allow_nan=False
)


@dataclass(frozen=True)
class Event:
    """One action of one assessor."""

    assessor: str  # who did it
    kind: EventKind  # what was done
    item: Item  # what it was done to
    time: str  # UTC, ISO 8601 with milliseconds. It orders forks and is never trusted for more: clocks jump.
    payload: Mapping[str, Any] = field(
        default_factory=dict
    )  # scale version, value, text, position, active milliseconds; JSON values only
    target: str | None = None  # hex digest of the event that an undo or redo speaks of
    parent: str | None = (
        None  # hex digest of the event before it in this assessor's chain; None for the first
    )
    version: int = VERSION  # of the form: 1, or 2 for what a client did
    # in version 2, what did it, 32 hex digits drawn at random, and which of its actions it is, from 1
    client: str = ""
    number: int = 0
    actor: Actor = "person"  # in version 2, whether a person or a model judged

    def __hash__(self) -> int:
        return hash(self.digest)

    @property
    def judged_at(self) -> str:
        """When it was judged: what was imported says so, where its table did; the event's own time orders the log."""
        return str(self.payload.get("judged") or self.time)

    @cached_property
    def encoded(self) -> bytes:
        """The canonical bytes: JSON with sorted keys, no spaces, UTF-8."""
        item: dict[str, Any] = {
            "type": self.item.type,
            "topic": self.item.topic,
            "documents": list(self.item.documents),
            "contents": list(self.item.contents),
        }
        if self.item.occurrence != 1:  # first showings keep the bytes they always had
            item["occurrence"] = self.item.occurrence
        data = {
            "v": self.version,
            "assessor": self.assessor,
            "kind": self.kind,
            "item": item,
            "time": self.time,
            "payload": dict(self.payload),
            "target": self.target,
            "parent": self.parent,
        }
        if self.version == OF_CLIENTS:  # the bytes of version 1 never change
            data |= {"client": self.client, "number": self.number, "actor": self.actor}
        return CANONICAL.encode(data).encode()

    @cached_property
    def size(self) -> int:
        """How many bytes it has."""
        return len(self.encoded)

    @cached_property
    def digest(self) -> str:
        """The event's identity: SHA-256 of its bytes, in hex."""
        return hashlib.sha256(self.encoded).hexdigest()

    @cached_property
    def problem(self) -> str | None:
        """Why an event cannot count though its bytes fit its hash, as the end of a sentence; None when it can."""
        item = self.item
        if (self.kind in ("undo", "redo")) != (self.target is not None) or len(
            item.contents
        ) != len(item.documents):
            return BROKEN
        return item_problem(
            self.kind, item.type, item.documents, item.occurrence
        ) or payload_problem(self.kind, self.payload)


def decode(encoded: bytes, digest: str | None = None) -> Event:
    """Read an event from its bytes, as `Event.encoded` wrote them.

    The digest that they were stored under is compared, and spares writing the event anew to see whether its form is canonical, which takes
    most of the time; bytes from elsewhere come without one. ProjectError when the bytes are not an event of a known version, not in
    canonical form, or do not fit the digest.
    """
    if digest is not None and hashlib.sha256(encoded).hexdigest() != digest:
        raise ProjectError(
            "Event {digest} does not fit its hash; its bytes were changed.",
            key="changed-event",
            digest=digest[:12],
        )
    try:
        *inner, outer = (
            pieces(encoded.decode())
            if encoded.count(b"[") + encoded.count(b"{") > LEVELS
            else [encoded.decode()]
        )
        data = json.loads(outer)
        if data["v"] not in (VERSION, OF_CLIENTS):
            raise ProjectError(
                "An event has version {v!r}; this irjudge reads versions {version} and {of_clients}. Install a newer irjudge.",
                key="newer-version",
                v=data["v"],
                version=VERSION,
                of_clients=OF_CLIENTS,
            )
        fields = (
            data["assessor"],
            data["kind"],
            _item(data["item"]),
            data["time"],
            data["payload"],
            data["target"],
            data["parent"],
        )
        more = (data["client"], data["number"], data["actor"]) if data["v"] == OF_CLIENTS else ()
        event = Event(*fields, data["v"], *more)
        trusted = digest is not None and HALF_LETTER not in encoded.lower()
        same = trusted or (
            event.encoded == outer.encode()
            and all(CANONICAL.encode(json.loads(each)) == each for each in inner)
        )
        canonical = same and event.kind in KINDS and _well_typed(event)
    except (ValueError, KeyError, TypeError, AttributeError, RecursionError) as fault:
        raise ProjectError(
            "An event cannot be read ({fault}).", key="unreadable", fault=fault
        ) from fault
    if not canonical:
        raise ProjectError(
            "An event is not in its canonical form; its bytes were changed.", key="not-canonical"
        )
    if (
        inner
    ):  # its payload lacks what lies deeper, which nobody reads; its bytes and its hash do not
        event.__dict__["encoded"] = encoded  # where cached_property keeps it
        digest = digest or hashlib.sha256(encoded).hexdigest()
    if digest is not None:
        event.__dict__.update(digest=digest, size=len(encoded))
    return event


def pieces(text: str) -> list[str]:
    """Return JSON in pieces of `LEVELS` levels, the outermost last; null stands where a deeper piece was.

    ValueError when levels end that never began, or do not end.

    >>> pieces('{"a":[1]}'), [len(each) for each in pieces("[" * 150 + "]" * 150)]
    (['{"a":[1]}'], [100, 204])
    """
    done: list[str] = []
    parts: list[list[str]] = [[]]
    depth = at = 0
    for mark in MARK.finditer(text):
        if mark[0] in "[{":
            if depth and depth % LEVELS == 0:
                parts[-1].append(text[at : mark.start()] + "null")
                parts.append([])
                at = mark.start()
            depth += 1
        elif mark[0] in "]}":
            depth -= 1
            if depth > 0 and depth % LEVELS == 0:
                done.append("".join([*parts.pop(), text[at : mark.end()]]))
                at = mark.end()
    if depth:
        raise ValueError(Message("{depth} levels do not end", depth=depth))
    return [*done, "".join([*parts[0], text[at:]])]


def _item(data: Mapping[str, Any]) -> Item:
    documents, contents = data["documents"], data["contents"]
    if not (isinstance(documents, list) and isinstance(contents, list)):
        raise TypeError("its documents are no list")
    return Item(
        data["topic"], tuple(documents), tuple(contents), data["type"], data.get("occurrence", 1)
    )


def _well_typed(event: Event) -> bool:
    """Tell whether texts are texts and digests digests: events come from other people's files."""
    item = event.item
    texts = (event.assessor, event.time, item.topic, item.type, *item.documents, *item.contents)
    counted = type(item.occurrence) is int and item.occurrence >= 1
    typed = (
        set(map(type, texts)) == {str}
        and _digest_or_none(event.target)
        and _digest_or_none(event.parent)
    )
    return (
        counted
        and typed
        and isinstance(event.payload, dict)
        and type(event.version) is int
        and (event.version == VERSION or _by_client(event))
    )


def _digest_or_none(text: Any) -> bool:
    return text is None or DIGEST.fullmatch(text) is not None


def _by_client(event: Event) -> bool:
    return (
        type(event.number) is int
        and event.number >= 1
        and event.actor in ACTORS
        and bool(CLIENT.fullmatch(event.client))
    )
