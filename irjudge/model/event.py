"""An event: one thing an assessor did, immutable and named by the SHA-256 of its bytes."""

import hashlib
import json
import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, Literal, TypeAlias, get_args

from irjudge.errors import ProjectError

EventKind = Literal["grade", "unjudgeable", "skip", "unsure", "note", "rationale", "preference", "undo", "redo", "draft", "adjudicate"]
KINDS: tuple[EventKind, ...] = get_args(EventKind)
VERSION = 1
DIGEST = re.compile("[0-9a-f]{64}")
Key: TypeAlias = tuple[str, tuple[str, ...], int]


@dataclass(frozen=True, slots=True)
class Item:
    """What was judged: a document of a topic now; pairs and panels name several documents.

    Parameters
    ----------
    topic
        The topic's id.
    documents
        Ids, in the order painted.
    contents
        SHA-256 (hex) of what was painted for each, so that an edited text is noticed.
    type
        `document`, `pair` or `panel`.
    occurrence
        Which showing of the same documents it was: 2 where they were planted a second time, to be judged anew.
    """

    topic: str
    documents: tuple[str, ...]
    contents: tuple[str, ...]
    type: str = "document"
    occurrence: int = 1

    @property
    def key(self) -> Key:
        """Topic, documents and occurrence: what a later judgment of the same item supersedes by."""
        return (self.topic, self.documents, self.occurrence)


@dataclass(frozen=True)
class Event:
    """One action of one assessor.

    Parameters
    ----------
    assessor
        Who did it.
    kind
        What was done.
    item
        What it was done to.
    time
        UTC, ISO 8601 with milliseconds. It orders forks and is never trusted for more: clocks jump.
    payload
        Scale version, value, text, position, active milliseconds; JSON values only.
    target
        Hex digest of the event that an undo or redo speaks of.
    parent
        Hex digest of the event before it in this assessor's chain; None for the first.
    version
        The version of this form.
    """

    assessor: str
    kind: EventKind
    item: Item
    time: str
    payload: Mapping[str, Any] = field(default_factory=dict)
    target: str | None = None
    parent: str | None = None
    version: int = VERSION

    def __hash__(self) -> int:
        return hash(self.digest)

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
        return json.dumps(data, ensure_ascii=False, sort_keys=True, separators=(",", ":"), allow_nan=False).encode()

    @cached_property
    def digest(self) -> str:
        """The event's identity: SHA-256 of its bytes, in hex."""
        return hashlib.sha256(self.encoded).hexdigest()


def decode(encoded: bytes, digest: str | None = None) -> Event:
    """Read an event from its bytes.

    Parameters
    ----------
    encoded
        As `Event.encoded` wrote them.
    digest
        The hash they were stored under. It is compared, and spares writing the event anew to see whether its form is
        canonical, which takes most of the time; bytes from elsewhere come without one.

    Raises
    ------
    ProjectError
        When the bytes are not an event of a known version, not in canonical form, or do not fit the digest.
    """
    if digest is not None and hashlib.sha256(encoded).hexdigest() != digest:
        raise ProjectError(f"Event {digest[:12]} does not fit its hash; its bytes were changed.")
    try:
        data = json.loads(encoded)
        if data["v"] != VERSION:
            raise ProjectError(f"An event has version {data['v']!r}; this irjudge reads version {VERSION}. Install a newer irjudge.")
        item = _item(data["item"])
        event = Event(data["assessor"], data["kind"], item, data["time"], data["payload"], data["target"], data["parent"])
        canonical = (digest is not None or event.encoded == encoded) and event.kind in KINDS and _well_typed(event)
    except (ValueError, KeyError, TypeError, RecursionError) as fault:
        raise ProjectError(f"An event cannot be read ({fault}).") from fault
    if not canonical:
        raise ProjectError("An event is not in its canonical form; its bytes were changed.")
    if digest is not None:
        event.__dict__["digest"] = digest  # where cached_property keeps it
    return event


def _item(data: Mapping[str, Any]) -> Item:
    return Item(str(data["topic"]), tuple(data["documents"]), tuple(data["contents"]), data["type"], data.get("occurrence", 1))


def _well_typed(event: Event) -> bool:
    """Tell whether texts are texts and digests digests: events come from other people's files."""
    item = event.item
    texts = (event.assessor, event.time, item.topic, item.type, *item.documents, *item.contents)
    digests = (digest for digest in (event.target, event.parent) if digest is not None)
    counted = type(item.occurrence) is int and item.occurrence >= 1
    return counted and all(isinstance(text, str) for text in texts) and all(DIGEST.fullmatch(digest) for digest in digests)
