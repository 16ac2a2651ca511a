"""Events of assessors: payloads, rationales, models as assessors; assigned items."""

import hashlib
import json
import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass, field, replace
from datetime import UTC, datetime
from functools import cached_property
from pathlib import Path
from typing import Any, Literal, TypeAlias, get_args

from irjudge.errors import IrjudgeError, ProjectError
from irjudge.message import Message

# Validation of events by kind. Logs may come from other programs. Hashes prove only that a log was
# not changed, not that its events are valid.

UNJUDGEABLE_REASONS = ("broken", Message("wrong language"), "spam", "other")
Winner = Literal["left", "right", "tie"]
WINNERS: tuple[Winner, ...] = get_args(Winner)
MAX_GRADE_VALUE = 2**31 - 1  # largest grade that qrels can store
MAX_MILLISECONDS = 2**53 - 1  # largest integer that all JSON parsers represent exactly
MAX_ACTION_NUMBER = 2**53 - 1  # largest sequence number of an action, as for milliseconds
MAX_POSITION = 2**40  # maximum position in a text, in characters
# minimum and maximum number of documents of each item type
ITEM_SIZES = {"document": (1, 1), "pair": (2, 2), "panel": (0, MAX_GRADE_VALUE)}
MAX_NESTING = 20  # maximum nesting depth of lists and objects in an action from a browser
MALFORMED_EVENT = Message("invalid contents")
# payload key of the page on which a document was judged, and maximum number of documents on it
PAGE_KEY = "page"
MAX_PAGE_DOCUMENTS = 100
TOO_DEEP_EVENT = Message("more than {limit} levels of nesting", limit=MAX_NESTING)
Payload = Mapping[str, Any]


def item_problem(kind: str, type_: str, documents: tuple[str, ...], occurrence: int) -> str | None:
    """Return why an item is invalid for a kind of event, as a clause; None if valid.

    >>> item_problem("grade", "document", ("d1",), 1), item_problem("grade", "pair", ("d1", "d2"), 1)
    (None, 'invalid contents')
    """
    minimum, maximum = ITEM_SIZES.get(type_, (1, 0))
    is_comparison = kind == "preference"
    needs_document = kind in ("grade", "unjudgeable", "adjudicate")
    has_valid_documents = (
        minimum <= len(documents) <= maximum
        and occurrence <= MAX_GRADE_VALUE
        and (type_ != "pair" or documents[0] != documents[1])
    )
    return (
        None
        if has_valid_documents
        and not (is_comparison and type_ == "document")
        and not (needs_document and type_ != "document")
        else MALFORMED_EVENT
    )


def payload_problem(kind: str, payload: Payload) -> str | None:
    """Return the reason why the payload of an event is invalid, as a clause; None if it is valid.

    It is not checked whether grades are on the project's scale, which may change.

    >>> payload_problem("grade", {"value": 2}), payload_problem("grade", {"value": "two"})
    (None, 'invalid contents')
    """
    if not isinstance(payload, Mapping) or not _is_whole_number(
        payload.get("active_ms", 0), MAX_MILLISECONDS
    ):
        return MALFORMED_EVENT
    if kind == "preference":
        return preference_problem(payload)
    check = PAYLOAD_CHECKS.get(kind)
    return (
        None
        if (check is None or check(payload)) and _is_page(payload.get(PAGE_KEY))
        else MALFORMED_EVENT
    )


def action_problem(kind: str, payload: Payload) -> str | None:
    """Return why the payload of a client's action is invalid, as a clause; None if valid.

    >>> action_problem("grade", {"value": 2, "scale": "5"}), action_problem("grade", {"value": 2, "mood": "good"})
    (None, 'unknown field mood')
    """
    if is_nested_deeper(payload, MAX_NESTING):
        return TOO_DEEP_EVENT
    unknown_field = next(
        (name for name in payload if name not in ACTION_FIELDS.get(kind, ())), None
    )
    return (
        None if unknown_field is None else Message("unknown field {name}", name=unknown_field[:40])
    )


def is_nested_deeper(value: Any, limit: int) -> bool:
    """Return whether lists and objects are nested deeper than a limit, without recursion."""
    level_values = [value]
    for _ in range(limit):
        level_values = [child for parent in level_values for child in _list_child_values(parent)]
        if not level_values:
            return False
    return any(isinstance(value, (Mapping, list, tuple)) for value in level_values)


def _list_child_values(value: Any) -> Iterable[Any]:
    if isinstance(value, Mapping):
        return value.values()
    return value if isinstance(value, (list, tuple)) else ()


def preference_problem(payload: Payload) -> str | None:
    """Return why the payload of an imported preference is invalid, as a clause; None if valid.

    >>> preference_problem({"winner": "left"}), preference_problem({"winner": "both"})
    (None, "the winner is 'both'; expected left, right or tie")
    """
    winner, strength = payload.get("winner"), payload.get("strength", 1)
    if not isinstance(winner, str) or winner not in WINNERS:
        return Message(
            "the winner is {winner!r}; expected left, right or tie",
            key="no-winner",
            winner=str(winner)[:40],
        )
    if type(strength) is not int or strength not in ((0,) if winner == "tie" else (1, 2)):
        return Message("the strength of preference is missing or invalid", key="no-strength")
    if not all(
        _is_pair_of(payload.get(name, [0, 0]), _is_count)
        for name in ("opens", "dwell_ms", "scrolled", "sizes")
    ):
        return Message("the viewing times are missing or invalid", key="no-views")
    reasons = payload.get("reasons", [])
    if (
        not _has_texts_only(payload, "note")
        or not isinstance(reasons, list)
        or not all(isinstance(reason, str) for reason in reasons)
    ):
        return Message("the reasons cannot be read", key="unreadable-reasons")
    ids = payload.get("sides", [])
    return (
        None
        if isinstance(ids, list) and all(isinstance(list_id, str) for list_id in ids)
        else MALFORMED_EVENT
    )


def _is_page(page: Any) -> bool:
    """Return whether the page in a payload (`PageSeen.as_payload`) is valid or missing."""
    if page is None:
        return True
    if not isinstance(page, Mapping) or set(page) != {"order", "visible"}:
        return False
    order, visible = page["order"], page["visible"]
    if not all(
        isinstance(ids, (list, tuple)) and {str}.issuperset(map(type, ids))
        for ids in (order, visible)
    ):
        return False
    # Each search of the iterator continues after the previous match, so `visible` must be in the
    # order of the page. A document that is repeated to check consistency occurs twice on a page.
    remaining_ids = iter(order)
    return 1 <= len(order) <= MAX_PAGE_DOCUMENTS and all(id in remaining_ids for id in visible)


def _is_whole_number(value: Any, maximum: int, minimum: int = 0) -> bool:
    return type(value) is int and minimum <= value <= maximum


def _is_count(value: Any) -> bool:
    return _is_whole_number(value, MAX_MILLISECONDS)


def _is_pair_of(values: Any, is_valid: Callable[[Any], bool]) -> bool:
    return isinstance(values, (list, tuple)) and len(values) == 2 and all(map(is_valid, values))


def _has_texts_only(payload: Payload, *names: str) -> bool:
    return {type(payload.get(name, "")) for name in names} == {str}


def _is_text_payload(payload: Payload) -> bool:
    return isinstance(payload.get("text"), str)


def _is_grade_payload(payload: Payload) -> bool:
    return _is_whole_number(
        payload.get("value"), MAX_GRADE_VALUE, -MAX_GRADE_VALUE
    ) and _has_texts_only(payload, "scale", "judged", "imported", "paper", "source")


def _is_unjudgeable_payload(payload: Payload) -> bool:
    return payload.get("reason") in UNJUDGEABLE_REASONS and _has_texts_only(
        payload, "judged", "imported", "paper", "source"
    )


def _is_rationale_payload(payload: Payload) -> bool:
    return _is_text_payload(payload) and _is_pair_of(
        payload.get("position"), lambda value: _is_whole_number(value, MAX_POSITION)
    )


def _is_adjudication_payload(payload: Payload) -> bool:
    has_decision = payload.get("unjudgeable") is True or _is_whole_number(
        payload.get("value"), MAX_GRADE_VALUE, -MAX_GRADE_VALUE
    )
    return has_decision and _has_texts_only(payload, "scale", "why", "source")


# check of the payload for each kind of event; payloads of other kinds are not checked
PAYLOAD_CHECKS: dict[str, Callable[[Payload], bool]] = {
    "grade": _is_grade_payload,
    "unjudgeable": _is_unjudgeable_payload,
    "unsure": lambda payload: isinstance(payload.get("value"), bool),
    "note": _is_text_payload,
    "draft": _is_text_payload,
    "rationale": _is_rationale_payload,
    "adjudicate": _is_adjudication_payload,
}

PREFERENCE_FIELDS = (
    "winner",
    "strength",
    "reasons",
    "note",
    "opens",
    "dwell_ms",
    "scrolled",
    "sides",
    "sizes",
    "identical",
    "active_ms",
)
# fields that the payload of each kind of action may have
ACTION_FIELDS: dict[str, tuple[str, ...]] = {
    "grade": ("value", "scale", "active_ms", PAGE_KEY),
    "unjudgeable": ("reason", "active_ms", PAGE_KEY),
    "skip": ("active_ms", PAGE_KEY),
    "unsure": ("value",),
    "note": ("text",),
    "draft": ("text",),
    "rationale": ("text", "position"),
    "preference": PREFERENCE_FIELDS,
}


# Events: immutable actions of assessors, each identified by the SHA-256 of its bytes

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
EVENT_KINDS: tuple[EventKind, ...] = get_args(EventKind)
Actor = Literal["person", "model"]
ACTORS: tuple[Actor, ...] = get_args(Actor)
# format versions of events: of the desktop application, and of browsers and models
VERSION, CLIENT_VERSION = 1, 2
DIGEST_PATTERN = re.compile("[0-9a-f]{64}")
# first bytes of an event by a model, since the fields of an event are sorted by name
MODEL_EVENT_PREFIX = b'{"actor":"model"'
# beginning of an escaped lone surrogate; irjudge never writes lone surrogates
LONE_SURROGATE = b"\\ud"
CLIENT_PATTERN = re.compile("[0-9a-f]{32}")
# maximum number of nesting levels of JSON parsed at once; limited, since the parser is recursive
LEVELS_PER_PIECE = 100
# pattern of a string, or of a bracket that begins or ends a nesting level
JSON_TOKEN_PATTERN = re.compile(r'"(?:[^"\\]++|(?s:\\.))*+(?:"|\\?\Z)|[\[\]{}]')
ItemKey: TypeAlias = tuple[str, tuple[str, ...], int]


@dataclass(frozen=True, slots=True)
class Item:
    """Item to which an event refers (document, pair or panel), with hashes of its content.

    A pair consists of two documents of a topic. A panel consists of two lists of documents, of
    which the left one is first. A deliberate repetition of an item is judged separately: it has a
    higher `occurrence` or, in a comparison, left and right are swapped.
    """

    topic: str  # topic id
    documents: tuple[str, ...]  # ids, in the order shown
    # SHA-256 (hex) of the content of each document as shown, by which edits are detected; empty for
    # a document of an imported judgment whose content is unknown
    contents: tuple[str, ...]
    type: str = "document"  # `document`, `pair` or `panel`
    # number of the presentation of the item, from 1; items are presented again to check consistency
    # and in later norming rounds
    occurrence: int = 1

    @property
    def key(self) -> ItemKey:
        """Topic, documents and occurrence; the last judgment with the same key counts."""
        return (self.topic, self.documents, self.occurrence)


CANONICAL_ENCODER = json.JSONEncoder(
    ensure_ascii=False, sort_keys=True, separators=(",", ":"), allow_nan=False
)


@dataclass(frozen=True)
class Event:
    """Event in an assessor's log: an action on an item, such as a judgment or an undo.

    The event is immutable and identified by the SHA-256 of its bytes. It contains the digest of the
    assessor's previous event, so that changes to the log are detected. An undo or redo refers to
    another event, which remains in the log.
    """

    assessor: str
    kind: EventKind
    item: Item
    # in UTC, ISO 8601 with milliseconds; used only to sort the events of a forked log, since clocks
    # are unreliable
    time: str
    # data of the action as JSON values, such as grade, scale version and active milliseconds
    payload: Mapping[str, Any] = field(default_factory=dict)
    target: str | None = None  # hex digest of the event that an undo or redo refers to
    # hex digest of the previous event of this assessor; None for the first event
    parent: str | None = None
    version: int = VERSION  # format version: 1, or 2 for events of browsers and models
    client: str = ""  # in version 2: id of the client, 32 random hexadecimal digits
    number: int = 0  # in version 2: sequence number of the client's event, from 1
    actor: Actor = "person"  # in version 2: whether a person or a model judged

    def __hash__(self) -> int:
        return hash(self.digest)

    @property
    def judged_at(self) -> str:
        """Time of judging: the imported time for an imported judgment, otherwise the event's time."""
        return str(self.payload.get("judged") or self.time)

    @cached_property
    def canonical_bytes(self) -> bytes:
        """Canonical bytes: JSON in UTF-8 with sorted keys and without spaces."""
        item: dict[str, Any] = {
            "type": self.item.type,
            "topic": self.item.topic,
            "documents": list(self.item.documents),
            "contents": list(self.item.contents),
        }
        # occurrence 1 is omitted, so that the bytes are the same as in earlier versions
        if self.item.occurrence != 1:
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
        if self.version == CLIENT_VERSION:  # the bytes of version 1 must never change
            data |= {"client": self.client, "number": self.number, "actor": self.actor}
        return CANONICAL_ENCODER.encode(data).encode()

    @cached_property
    def size(self) -> int:
        """Size of the event in bytes."""
        return len(self.canonical_bytes)

    @cached_property
    def digest(self) -> str:
        """SHA-256 of the event's bytes, in hex, by which the event is identified."""
        return hashlib.sha256(self.canonical_bytes).hexdigest()

    @cached_property
    def problem(self) -> str | None:
        """Reason why a well-formed event is invalid, as a clause; None if the event is valid."""
        item = self.item
        if (
            (self.kind in ("undo", "redo")) != (self.target is not None)
            or len(item.contents) != len(item.documents)
            or self.number > MAX_ACTION_NUMBER
        ):
            return MALFORMED_EVENT
        return item_problem(
            self.kind, item.type, item.documents, item.occurrence
        ) or payload_problem(self.kind, self.payload)


def decode_event(encoded: bytes, digest: str | None = None) -> Event:
    """Return the event that canonical bytes encode.

    The event is encoded again to check that the bytes are canonical. Since this takes most of the
    time, it is omitted if the stored `digest` is given and the event has no lone surrogate. Raises
    ProjectError if the version is unknown, the bytes are not canonical, or the digest does not
    match.
    """
    if digest is not None and hashlib.sha256(encoded).hexdigest() != digest:
        raise ProjectError(
            "Event {digest} does not match its hash: its bytes were changed.",
            key="changed-event",
            digest=digest[:12],
        )
    try:
        *inner_parts, outer_part = (
            split_nested_json(encoded.decode())
            if encoded.count(b"[") + encoded.count(b"{") > LEVELS_PER_PIECE
            else [encoded.decode()]
        )
        data = json.loads(outer_part)
        if data["v"] not in (VERSION, CLIENT_VERSION):
            raise ProjectError(
                "An event has version {version!r}, but the installed irjudge can read only versions "
                "{supported} and {client_version}. Install a newer version of irjudge.",
                key="newer-version",
                version=data["v"],
                supported=VERSION,
                client_version=CLIENT_VERSION,
            )
        fields = (
            data["assessor"],
            data["kind"],
            _decode_item(data["item"]),
            data["time"],
            data["payload"],
            data["target"],
            data["parent"],
        )
        client_fields = (
            (data["client"], data["number"], data["actor"]) if data["v"] == CLIENT_VERSION else ()
        )
        event = Event(*fields, data["v"], *client_fields)
        is_trusted = digest is not None and LONE_SURROGATE not in encoded.lower()
        is_canonical = is_trusted or (
            event.canonical_bytes == outer_part.encode()
            and all(CANONICAL_ENCODER.encode(json.loads(part)) == part for part in inner_parts)
        )
        is_valid = is_canonical and event.kind in EVENT_KINDS and _is_well_typed(event)
    except (ValueError, KeyError, TypeError, AttributeError, RecursionError) as error:
        raise ProjectError(
            "Cannot read an event ({error}).", key="unreadable", error=error
        ) from error
    if not is_valid:
        raise ProjectError(
            "The bytes of an event were changed: they are not the canonical JSON that "
            "irjudge writes.",
            key="not-canonical",
        )
    # deeper nesting levels are never used; they are omitted from the payload, but bytes and hash
    # include them
    if inner_parts:
        event.__dict__["canonical_bytes"] = encoded  # `cached_property` stores its value there
        digest = digest or hashlib.sha256(encoded).hexdigest()
    if digest is not None:
        event.__dict__.update(digest=digest, size=len(encoded))
    return event


def split_nested_json(text: str) -> list[str]:
    """Split JSON into pieces of at most `LEVELS_PER_PIECE` nesting levels; the outermost is last.

    In each piece, null replaces the pieces inside it. Raises ValueError if brackets are not
    balanced.

    >>> split_nested_json('{"a":[1]}'), [len(each) for each in split_nested_json("[" * 150 + "]" * 150)]
    (['{"a":[1]}'], [100, 204])
    """
    finished_pieces: list[str] = []
    parts: list[list[str]] = [[]]
    depth = offset = 0
    for token in JSON_TOKEN_PATTERN.finditer(text):
        if token[0] in "[{":
            if depth and depth % LEVELS_PER_PIECE == 0:
                parts[-1].append(text[offset : token.start()] + "null")
                parts.append([])
                offset = token.start()
            depth += 1
        elif token[0] in "]}":
            depth -= 1
            if depth > 0 and depth % LEVELS_PER_PIECE == 0:
                finished_pieces.append("".join([*parts.pop(), text[offset : token.end()]]))
                offset = token.end()
    if depth:
        raise ValueError(
            Message("brackets or braces are not closed (unclosed levels: {depth})", depth=depth)
        )
    return [*finished_pieces, "".join([*parts[0], text[offset:]])]


def _decode_item(data: Mapping[str, Any]) -> Item:
    documents, contents = data["documents"], data["contents"]
    if not (isinstance(documents, list) and isinstance(contents, list)):
        raise TypeError("its documents are not a list")
    return Item(
        data["topic"], tuple(documents), tuple(contents), data["type"], data.get("occurrence", 1)
    )


def _is_well_typed(event: Event) -> bool:
    """Return whether the fields of a decoded event have the right types and formats."""
    item = event.item
    texts = (event.assessor, event.time, item.topic, item.type, *item.documents, *item.contents)
    has_valid_occurrence = type(item.occurrence) is int and item.occurrence >= 1
    has_valid_types = (
        set(map(type, texts)) == {str}
        and _is_digest_or_none(event.target)
        and _is_digest_or_none(event.parent)
    )
    return (
        has_valid_occurrence
        and has_valid_types
        and isinstance(event.payload, dict)
        and type(event.version) is int
        and (event.version == VERSION or _has_client_fields(event))
    )


def _is_digest_or_none(text: Any) -> bool:
    return text is None or DIGEST_PATTERN.fullmatch(text) is not None


def _has_client_fields(event: Event) -> bool:
    return (
        type(event.number) is int
        and event.number >= 1
        and event.actor in ACTORS
        and bool(CLIENT_PATTERN.fullmatch(event.client))
    )


# Passages of a document that assessors saved as rationales


@dataclass(frozen=True, slots=True)
class Rationale:
    """Passage of a document that an assessor saved as a rationale for a judgment.

    `begin` and `end` (exclusive) are offsets in the displayed text, in code points; consecutive
    white space counts as one character, as in `irjudge.text.Passage`.
    """

    text: str
    begin: int
    end: int


def format_rationales(rationales: Sequence[Rationale]) -> str:
    """Return passages as a table cell: a JSON list of objects; empty if there are no passages.

    >>> format_rationales([Rationale("wing section", 12, 24)])
    '[{"text": "wing section", "begin": 12, "end": 24}]'
    """
    return (
        json.dumps([asdict(rationale) for rationale in rationales], ensure_ascii=False)
        if rationales
        else ""
    )


def parse_rationales(cell: str) -> tuple[Rationale, ...]:
    """Parse a cell written by `format_rationales`; raise ValueError if it is malformed."""
    if not cell:
        return ()
    try:
        passages = json.loads(cell)
    except RecursionError as error:
        raise ValueError("nested too deeply") from error
    if not isinstance(passages, list):
        raise ValueError("not a list")  # noqa: TRY004 -- callers handle one error
    return tuple(map(_parse_rationale, passages))


def _parse_rationale(entry: object) -> Rationale:
    if not isinstance(entry, dict) or entry.keys() != {"text", "begin", "end"}:
        raise ValueError("not an object of text, begin and end")
    text, begin, end = entry["text"], entry["begin"], entry["end"]
    if not isinstance(text, str) or not text.strip():
        raise ValueError("text is empty or not a string")
    if type(begin) is not int or type(end) is not int or not 0 <= begin < end <= MAX_POSITION:
        raise ValueError("offsets are not a range")
    return Rationale(text, begin, end)


# Models as assessors

TEXT_FIELDS = ("version", "prompt", "prompt_hash", "asked", "host", "family", "chosen_on")


@dataclass(frozen=True, slots=True)
class ModelJudge:
    """Description of a model that judges like an assessor: name, version, prompt and settings.

    Only the name must be known. The description is stored in the events of the model's judgments;
    it is not used to call the model.
    """

    name: str  # name of the assessor
    version: str = ""  # version of the model according to its responses
    prompt: str = ""  # name of the prompt file
    prompt_hash: str = ""  # SHA-256 (hex) of the prompt file
    parameters: Mapping[str, Any] = field(default_factory=dict)  # parameters other than the prompt
    asked: str = ""  # time when the model was asked, as text from the file
    host: str = ""  # name of the machine on which the model ran
    family: str = ""  # family of related models; the model may favour runs of its own family
    # name of the qrels used to choose the prompt; the model must not be validated with these qrels
    chosen_on: str = ""

    def with_prompt(self, path: Path) -> "ModelJudge":
        """Return a copy with the name and hash of the prompt file `path`."""
        try:
            content = path.read_bytes()
        except OSError as error:
            raise IrjudgeError(
                "Cannot read {file} ({error}).", file=path.name, error=error.strerror or error
            ) from error
        return replace(self, prompt=path.name, prompt_hash=hashlib.sha256(content).hexdigest())

    def as_payload(self) -> dict[str, Any]:
        """Return the known properties of the model as data of an event payload."""
        fields = {name: getattr(self, name) for name in TEXT_FIELDS}
        return {
            name: value
            for name, value in {**fields, "parameters": dict(self.parameters)}.items()
            if value
        }

    @classmethod
    def from_payload(cls, name: str, payload: object) -> "ModelJudge":
        """Return the model described in an event payload; invalid properties are ignored."""
        fields = payload if isinstance(payload, Mapping) else {}
        texts = {
            text_field: text
            for text_field in TEXT_FIELDS
            if isinstance(text := fields.get(text_field), str)
        }
        parameters = fields.get("parameters")
        return cls(name, **texts, parameters=parameters if isinstance(parameters, Mapping) else {})

    def sentence(self) -> str:
        """Return a description of the model on one line."""
        parts = (
            self.name,
            self.version,
            self.prompt and f"{self.prompt} ({self.prompt_hash[:12]})",
            self.host,
            self.asked,
        )
        return ", ".join(filter(None, parts))


def utc_now() -> str:
    """Return the current time in the format of events."""
    return datetime.now(UTC).isoformat(timespec="milliseconds").replace("+00:00", "Z")


def format_minutes(time: str) -> str:
    """Return a time of the log in readable form, to the minute.

    >>> format_minutes("2026-03-01T09:05:07.123Z")
    '2026-03-01 09:05 UTC'
    """
    return datetime.fromisoformat(time).strftime("%Y-%m-%d %H:%M UTC")


def active_ms(event: Event) -> int:
    """Return the active milliseconds of an event; 0 if they are missing or invalid."""
    value = event.payload.get("active_ms", 0)
    return value if isinstance(value, int) and value > 0 else 0


@dataclass(frozen=True, slots=True)
class PageSeen:
    """Documents that were on the assessor's page when one of them was judged.

    It contains the ids of all documents on the page and of the visible documents. It is stored with
    the judgment, unless the document was shown alone.
    """

    order: tuple[str, ...]  # ids of the page's documents, from the top
    visible: tuple[str, ...]  # ids of the visible documents, in the same order

    @property
    def as_payload(self) -> dict[str, Any]:
        """Return the page as data of an event payload."""
        return {PAGE_KEY: {"order": list(self.order), "visible": list(self.visible)}}

    @staticmethod
    def from_payload(payload: Mapping[str, Any]) -> "PageSeen | None":
        """Return the page in an event payload; None if the document was shown alone."""
        stored_page = payload.get(PAGE_KEY)
        return (
            PageSeen(tuple(stored_page["order"]), tuple(stored_page["visible"]))
            if stored_page
            else None
        )


# Assignments: the items that one assessor judges, in order, and the organiser's data on them


ItemType: TypeAlias = Literal["document", "pair", "panel"]
ITEM_TYPES: tuple[ItemType, ...] = get_args(ItemType)
Role: TypeAlias = Literal[
    "document",
    "gold",
    "qualification",
    "calibration",
    "repeat",
    "learnt",
    "search",
    "drawn",
    "norming",
]
ROLES: tuple[Role, ...] = get_args(Role)
NORMING_ROLE: Role = "norming"
Mode: TypeAlias = Literal["grade", "side-by-side"]
MODES: tuple[Mode, ...] = get_args(Mode)


@dataclass(frozen=True, slots=True)
class AssignedItem:
    """Item of an assignment (document, pair or panel), with the data that the assessor may see.

    A pair consists of two documents, a panel of two ranked lists; the first list is on the left.
    """

    topic: str  # topic id
    # ids of the documents: for a document, one list with one id; for a pair, two such lists; for a
    # panel, two ranked lists
    lists: tuple[tuple[str, ...], ...]
    type: ItemType = "document"  # `document`, `pair` or `panel`
    # ids of the two lists of a panel, which do not reveal their runs; empty for a document or pair
    sides: tuple[str, ...] = ()

    @property
    def documents(self) -> tuple[str, ...]:
        """All documents of the item: the first list, then the second list."""
        return tuple(document for documents in self.lists for document in documents)

    @property
    def identical(self) -> bool:
        """Whether the two lists of the item are identical, so that there is nothing to compare."""
        return len(self.lists) == 2 and self.lists[0] == self.lists[1]


@dataclass(frozen=True, slots=True)
class OrganiserNote:
    """Organiser's data on an item, hidden from the assessor: the item's role and compared runs.

    The role is, for example, `document`, `gold` or `qualification`. The runs are empty unless two
    lists are compared. For an item of a norming round, `left_run` is the number of the round.
    """

    role: Role = "document"
    # run whose list is on the left; for an item of a norming round, the number of the round
    left_run: str = ""
    right_run: str = ""


@dataclass(frozen=True, slots=True)
class Assignment:
    """Assignment of items to one assessor, as stored in a project and in the assessor's task file.

    The items are stored separately. For a participant of a session, the assessor is the id of the
    participant. The assessor's task file contains neither the round nor the time of creation nor
    the name of the file. A withdrawn assignment continues to exist, but its unjudged items
    can be assigned to other assessors.
    """

    code: int  # number of the assignment in the project; 0 if it is not stored yet
    # hash of project, round, assessor and items; random for a participant of a session
    id: str
    assessor: str
    mode: Mode  # `grade` or `side-by-side`
    pool: int  # version of the pool
    deadline: str = ""  # date such as `2026-03-01`; empty if there is none
    file: str = ""  # name of the task file; empty if there is none, and in the file itself
    round: int = 0  # number of the round; 0 in the file for the assessor
    made: str = ""  # UTC time of creation; empty in the file for the assessor
    withdrawn: bool = False  # whether its unjudged items can be assigned to others
