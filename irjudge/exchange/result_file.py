"""Reader of result files from browsers, and validator of their events.

A result is one JSON value in UTF-8. It is divided into lines, so that a truncated file can be read:

    {"irjudge":"result","version":2,"assignment":A,"code":…,"assessor":…,"title":…,"saved":T,"handed_in":T,"origin":{…},"actions":[
    [SUM,"ACTION"], … ],"receipt":{"count":N,"last":SUM,"head":H}}

Times T are by the browser's clock; `handed_in` is empty if the work was not submitted; `origin` is
that of the task (`irjudge.web.task`). ACTION is the text of an action as the page first wrote it.
SUM is the SHA-256 (hex) of the previous SUM, a newline and that text; instead of a previous SUM,
the first one has A, the id of the assignment. H (since version 2) is the SHA-256 of the first line
without the actions: `{"irjudge":…,"origin":{…}}`. An action is

    {"client":C,"number":n,"kind":…,"item":{type, topic, documents, contents, occurrence},"time":T,"payload":{…},"target":{client, number}}

where C (32 hex digits) identifies the client and n counts its actions from 1. A page that opens a
saved result continues as a new client, so that no number is used twice. `target` is the action to
undo or redo; null for other actions. The event of an action has version 2: its bytes are determined
by the action and the actions before it, so that the same actions always result in the same events.
"""

import hashlib
import json
import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from datetime import datetime
from pathlib import Path
from typing import Any, NoReturn, TypeAlias

from irjudge.errors import ProjectError
from irjudge.judging import (
    CODE_CAVEAT,
    CODE_GROUP_LENGTH,
    CODE_GROUPS,
    PAGE_TIME,
    ROUND_KEY,
    Ledger,
)
from irjudge.message import Message, format_count
from irjudge.model import (
    CLIENT_PATTERN,
    CLIENT_VERSION,
    DIGEST_PATTERN,
    EVENT_KINDS,
    MALFORMED_EVENT,
    MAX_ACTION_NUMBER,
    MAX_NESTING,
    TOO_DEEP_EVENT,
    AssignedItem,
    Event,
    Item,
    decode_event,
    format_minutes,
    is_nested_deeper,
)
from irjudge.progress import SILENT, Progress
from irjudge.store import (
    ASSESSOR_ROLE,
    ASSIGNMENT_KEY,
    MAX_EVENT_BYTES,
    MAX_EVENTS,
    PROJECT_KEY,
    ROLE_KEY,
    SUBMISSION_KEY,
    ReturnedFile,
    ReturnedRow,
)

# Validation of events in returned files

Slot: TypeAlias = tuple[str, str, tuple[str, ...], int]  # type, topic, documents, occurrence

TIME_PATTERN = re.compile(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z", re.ASCII)
MAX_ACTIVE_MS = 10**9  # maximum active milliseconds of one judgment
UNREADABLE_EVENT = Message(
    "unreadable, or larger than the maximum size of an event", key="unreadable-event"
)
CHANGED_EVENT = Message(
    "changed after being written: bytes and hash do not match",
    key="changed-event",
)


def is_event_time(text: str) -> bool:
    """Return whether a text is the time of an event: in UTC, with milliseconds, on a real day.

    >>> is_event_time("2026-02-28T23:59:59.000Z"), is_event_time("2026-02-31T00:00:00.000Z")
    (True, False)
    """
    try:
        return bool(TIME_PATTERN.fullmatch(text)) and bool(datetime.fromisoformat(text))
    except ValueError:
        return False


@dataclass(frozen=True, slots=True)
class EventValidator:
    """Validator of single events of an assessor, in a returned file or sent by a browser.

    An event is valid if it is by the given assessor and on an assigned item (or, if results can be
    graded, on a document of an assigned comparison), if it contains a text hash of every shown
    document, and if scale, grade, active time and time format are valid. A preference must refer to
    the assigned left and right side. Adjudications are invalid, since only the organiser can
    adjudicate. Hashes and parents of events are checked elsewhere.
    """

    assessor: str  # assessor of the assignment
    # assigned items, and documents of comparisons that can be graded, with the opaque ids of their
    # left and right side, see `make_slots`
    slots: Mapping[Slot, tuple[str, ...]]
    scales: frozenset[str]  # compatible versions of the scale
    values: frozenset[int]  # valid grades

    def find_problem(self, event: Event) -> str | None:
        """Return why an event is invalid, as part of a sentence; None if it is valid."""
        if event.assessor != self.assessor:
            return Message(
                "the assessor is not {assessor}, the owner of the file",
                assessor=self.assessor,
            )
        if not is_event_time(event.time):
            return Message("the time is invalid")
        item = event.item
        if (item.type, item.topic, item.documents, item.occurrence) not in self.slots:
            return Message("the item was not assigned")
        if len(item.contents) != len(item.documents):
            return Message("the text that was shown is not recorded for every document")
        return self._find_payload_problem(event)

    def _find_payload_problem(self, event: Event) -> str | None:
        payload = event.payload
        if event.kind == "adjudicate":
            return Message("only the organiser can adjudicate")
        if event.problem:
            return event.problem
        if event.kind == "grade" and payload.get("scale") not in self.scales:
            return Message("the document was graded on another scale")
        if event.kind == "grade" and payload["value"] not in self.values:
            return Message("the grade is not on the scale")
        if payload.get("active_ms", 0) > MAX_ACTIVE_MS:
            return MALFORMED_EVENT
        return self._find_sides_problem(event) if event.kind == "preference" else None

    def _find_sides_problem(self, event: Event) -> str | None:
        item = event.item
        ids = self.slots[item.type, item.topic, item.documents, item.occurrence]
        has_other_sides = ids and event.payload.get("sides") != list(ids)
        return (
            Message("the left and right sides differ from the assigned sides", key="other-sides")
            if has_other_sides
            else None
        )


def make_slots(
    items: Iterable[AssignedItem], *, grading: bool = False
) -> dict[Slot, tuple[str, ...]]:
    """Return a dict from slots to the opaque ids of left and right side of each assigned item.

    The slots of a repeated item have the occurrences 1, 2 and so on. With `grading`, there are also
    slots for the documents of pairs and panels.
    """
    occurrences: dict[tuple[str, str, tuple[str, ...]], int] = {}
    slots: dict[Slot, tuple[str, ...]] = {}
    for item in items:
        key = (item.type, item.topic, item.documents)
        occurrences[key] = occurrences.get(key, 0) + 1
        slots[*key, occurrences[key]] = item.sides
        if grading:
            slots.update(
                (("document", item.topic, (document,), 1), ()) for document in item.documents
            )
    return slots


def decode_row(row: ReturnedRow) -> Event | str:
    """Return the event in a row of a returned log, or a description of the row's problem."""
    if row.problem is not None:
        return row.problem
    if row.body is None or row.digest is None or len(row.body) > MAX_EVENT_BYTES:
        return UNREADABLE_EVENT
    try:
        event = decode_event(row.body)
    except (ProjectError, AttributeError, RecursionError, ValueError):
        return CHANGED_EVENT if not _matches_digest(row) else MALFORMED_EVENT
    return event if bytes.fromhex(event.digest) == row.digest else CHANGED_EVENT


def _matches_digest(row: ReturnedRow) -> bool:
    return hashlib.sha256(row.body or b"").digest() == row.digest


# Reading of result files, which may be damaged or manipulated

FORMAT_VERSION = 2
HEADER_CHECKSUM_VERSION = 2  # first version whose header has a checksum
MAX_RESULT_BYTES = 512_000_000
# maximum size of a result that another program reformatted; parsing it as a whole takes much memory
MAX_REFORMATTED_CHARACTERS = 64_000_000
MAX_BRACKETS = 2_000_000
HEAD_BYTES = 65_536
BEGIN, OPENING, CLOSING = '{"irjudge":"result"', '"actions":[', '],"receipt":'
ACTION_FIELDS = frozenset({"client", "number", "kind", "item", "time", "payload", "target"})
UNREADABLE_ACTION = Message("unreadable")
INVALID_CHECKSUM = Message(
    "the checksum does not match: the action was changed, or the previous action is missing",
    key="wrong-checksum",
)
BROKEN_ACTION = Message("not a valid action")
INVALID_SEQUENCE_NUMBER = Message("the sequence number does not follow that of the previous action")
TAKEN_NUMBER = Message(
    "the project already has another action with this number", key="number-taken"
)
NO_TARGET = Message("the action to be undone or restored is missing")
FOLLOWS_UNUSABLE = Message("an earlier action cannot be used", key="follows-unusable")

ActionId: TypeAlias = tuple[str, int]  # client and sequence number


@dataclass(frozen=True, slots=True)
class ResultLine:
    """Line of a result file with an action: its text, and whether its checksum matches.

    The text is None if it is unreadable.
    """

    text: str | None
    is_valid: bool


@dataclass(slots=True)
class ResultFile:
    """Content of a browser's result file: settings, lines of actions, and time of submission."""

    returned: ReturnedFile  # settings and texts that merging needs, without a log
    actions: list[ResultLine] = field(default_factory=list)  # lines of actions, in file order
    handed_in: str = ""  # time by the clock of the browser; empty if not submitted
    # checksum of the last action, as shown in receipts; empty if it is unreadable or missing
    head: str = ""


def is_result(path: Path) -> bool:
    """Return whether the first bytes of a file are those of a result, which may be damaged."""
    return path.is_file() and _read_head(path).lstrip().startswith("{")


def is_page(path: Path) -> bool:
    """Return whether a file is an HTML page, such as the judging page itself."""
    return path.is_file() and _read_head(path).lstrip()[:15].lower().startswith(
        ("<!doctype", "<html")
    )


def read_result(path: Path, progress: Progress = SILENT) -> ResultFile:
    """Read the intact part of a result file; raise ProjectError if the file is unusable."""
    size = path.stat().st_size
    if size > MAX_RESULT_BYTES:
        raise ProjectError(
            "{file} has {size:,} bytes; results have at most {limit:,}.",
            key="result-too-large",
            file=path.name,
            size=size,
            limit=MAX_RESULT_BYTES,
        )
    progress.step(0, None, Message("Reading {file}", file=path.name))
    try:
        data = path.read_bytes()
    except OSError as error:
        raise ProjectError(
            "Cannot read {file} ({reason}).", file=path.name, reason=error.strerror or error
        ) from error
    text = _decode_text(data)
    result = ResultFile(ReturnedFile(path, hashlib.sha256(data).hexdigest()))
    first_line = text[: text.find("\n") + 1].rstrip()
    has_original_layout = first_line.startswith(BEGIN) and first_line.endswith(OPENING)
    header, pairs, receipt = (
        _parse_lines(result, text) if has_original_layout else _parse_reformatted(path, text)
    )
    _check_header(path, header)
    _read_header_fields(result, header)
    _check_checksums(result, header["assignment"], pairs)
    _check_receipt(result, receipt)
    _check_header_checksum(result, header, first_line if has_original_layout else "", receipt)
    return result


def _read_head(path: Path) -> str:
    try:
        with path.open("rb") as file:
            return _decode_text(file.read(HEAD_BYTES))
    except OSError:
        return ""


def _decode_text(data: bytes) -> str:
    """Decode a file from UTF-8, or from UTF-16, in which another program may have saved it."""
    if data.startswith((b"\xff\xfe", b"\xfe\xff")):
        return data.decode("utf-16", "replace")
    return data.removeprefix(b"\xef\xbb\xbf").decode("utf-8", "replace")


# Layout


def _refuse_constant(name: str) -> NoReturn:
    raise ValueError(Message("{name} is not a number", name=name))


def _parse_lines(result: ResultFile, text: str) -> tuple[Any, Iterator[Any], Any]:
    """Return header, lines of actions and receipt of a result whose layout is unchanged.

    Each line is parsed to [checksum, action], or to None if it is unreadable. A missing end of the
    file is recorded as damage of `result`.
    """
    name, count = result.returned.path.name, text.count("\n")
    if count > MAX_EVENTS:
        raise ProjectError(
            "{name} contains {count:,} lines, more than irjudge accepts in a result file.",
            name=name,
            count=count,
        )
    lines = text.split("\n")
    end_index = next((index for index, line in enumerate(lines) if line.startswith("]")), None)
    body = (
        lines[1:end_index]
        if end_index is not None
        else [line for line in lines[1:] if line.strip()]
    )
    last_line = lines[end_index].strip() if end_index is not None else ""
    receipt = (
        (_parse_json_or_none("{" + last_line.removeprefix("],")) or {}).get("receipt")
        if last_line.startswith(CLOSING)
        else None
    )
    if not isinstance(receipt, dict):
        result.returned.damage.append(
            Message(
                "{name} is truncated: the end is missing; the rest is used. Ask the assessor "
                "to send the file again.",
                name=name,
            )
        )
    pairs = (
        _parse_json_or_none(line.strip().removesuffix(","))
        if len(line) <= 2 * MAX_EVENT_BYTES
        else None
        for line in body
    )
    return _parse_json_or_none(lines[0].rstrip() + "]}"), pairs, receipt


def _parse_json_or_none(text: str) -> Any:
    try:
        return json.loads(text, parse_constant=_refuse_constant)
    except (ValueError, RecursionError):
        return None


def _parse_reformatted(path: Path, text: str) -> tuple[Any, Iterator[Any], Any]:
    """Return header, lines of actions and receipt of a result that another program reformatted."""
    if len(text) > MAX_REFORMATTED_CHARACTERS or text.count("[") + text.count("{") > MAX_BRACKETS:
        raise ProjectError(
            "{file} is not a valid result: it is not divided into lines. Nothing was read from it.",
            file=path.name,
        )
    data = _parse_json_or_none(text)
    if not isinstance(data, dict) or not isinstance(data.get("actions"), list):
        raise ProjectError(
            "{file} is not a result from the browser page, or its beginning is damaged. "
            "Ask the assessor to send it again.",
            file=path.name,
        )
    return data, iter(data["actions"]), data.get("receipt")


def _check_header(path: Path, header: Any) -> None:
    if not isinstance(header, dict) or header.get("irjudge") != "result":
        raise ProjectError(
            "{file} is not a result from the browser page, or its beginning is damaged. "
            "Ask the assessor to send it again.",
            file=path.name,
        )
    version = header.get("version")
    if type(version) is int and version > FORMAT_VERSION:
        raise ProjectError(
            "{file} was written by a newer version of irjudge (format {version}; this version "
            "reads {supported}). Install the newer version.",
            file=path.name,
            version=version,
            supported=FORMAT_VERSION,
        )
    if type(version) is not int or version < 1 or not isinstance(header.get("assignment"), str):
        raise ProjectError(
            "{file} does not state its result format or its assignment.",
            file=path.name,
        )


def _read_header_fields(result: ResultFile, header: Mapping[str, Any]) -> None:
    returned_file, stored_origin = result.returned, header.get("origin")
    origin: dict[str, Any] = stored_origin if isinstance(stored_origin, dict) else {}
    topics = origin.get("topics")
    header_texts = {
        PROJECT_KEY: origin.get("project"),
        "scale": origin.get("scale"),
        "owner": header.get("assessor"),
        "title": header.get("title"),
    }
    returned_file.metadata = {
        ROLE_KEY: ASSESSOR_ROLE,
        ASSIGNMENT_KEY: header["assignment"],
        **{name: text for name, text in header_texts.items() if isinstance(text, str)},
    }
    result.handed_in = header["handed_in"] if isinstance(header.get("handed_in"), str) else ""
    if isinstance(topics, dict):
        returned_file.topics = {
            name: bytes.fromhex(digest) for name, digest in topics.items() if _is_digest(digest)
        }


def _is_digest(value: Any) -> bool:
    return isinstance(value, str) and bool(DIGEST_PATTERN.fullmatch(value))


def _check_checksums(result: ResultFile, first_checksum: str, pairs: Iterator[Any]) -> None:
    previous_checksum: str | None = first_checksum
    for pair in pairs:
        is_readable = (
            isinstance(pair, list)
            and len(pair) == 2
            and _is_digest(pair[0])
            and isinstance(pair[1], str)
        )
        text = pair[1] if is_readable and len(pair[1]) <= MAX_EVENT_BYTES else None
        checksum = pair[0] if is_readable else None
        result.actions.append(
            ResultLine(
                text,
                text is not None
                and previous_checksum is not None
                and _chain_checksum(previous_checksum, text) == checksum,
            )
        )
        previous_checksum = checksum
    result.head = previous_checksum or "" if result.actions else ""


def _chain_checksum(previous_sum: str, text: str) -> str:
    return hashlib.sha256(f"{previous_sum}\n{text}".encode("utf-8", "surrogatepass")).hexdigest()


def _check_receipt(result: ResultFile, receipt: Any) -> None:
    if isinstance(receipt, dict) and (receipt.get("count"), receipt.get("last")) != (
        len(result.actions),
        result.head,
    ):
        file, count = result.returned.path.name, receipt.get("count")
        actions = format_count(len(result.actions), "action")
        if type(count) is not int:
            message = Message(
                "{file} was changed: its receipt does not state a number of actions; the file "
                "has {actions}.",
                key="changed-receipt",
                file=file,
                actions=actions,
            )
        elif count != len(result.actions):
            message = Message(
                "{file} was changed: its receipt states {expected}, but the file has {actions}.",
                key="changed-receipt",
                file=file,
                expected=format_count(count, "action"),
                actions=actions,
            )
        else:
            message = Message(
                "{file} was changed: the checksum of its last action differs from the one in its "
                "receipt.",
                key="changed-receipt",
                file=file,
            )
        result.returned.damage.append(message)


def _check_header_checksum(
    result: ResultFile, header: Mapping[str, Any], line: str, receipt: Any
) -> None:
    """Record damage of `result` if its header does not match the checksum in its receipt.

    `line` is the first line of the file; empty if the result was reformatted.
    """
    if not isinstance(receipt, dict) or (
        "head" not in receipt and header["version"] < HEADER_CHECKSUM_VERSION
    ):
        return
    fields = {name: value for name, value in header.items() if name not in ("actions", "receipt")}
    text = (
        f"{line.removesuffix(OPENING)[:-1]}}}"
        if line
        else json.dumps(fields, ensure_ascii=False, separators=(",", ":"))
    )
    if receipt.get("head") != hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest():
        result.returned.damage.append(
            Message(
                "{file} was changed: the assignment data before the first action do not match "
                "their checksum.",
                key="changed-header",
                file=result.returned.path.name,
            )
        )


# Events


def make_log(
    result: ResultFile,
    assessor: str,
    known_events: Mapping[ActionId, Event],
    *,
    accept_gap: bool = False,
) -> list[ReturnedRow]:
    """Return the log of a result, with one row for each action.

    Also store the time of submission in the settings of the result.
    """
    event_maker = _EventMaker(assessor, dict(known_events), accept_gap=accept_gap)
    rows = [
        event_maker.make_row(line_number, action)
        for line_number, action in enumerate(result.actions, 1)
    ]
    if result.handed_in:  # the setting has the same format as in a submitted assignment file
        result.returned.metadata[SUBMISSION_KEY] = json.dumps(
            {
                "time": result.handed_in,
                "head": rows[-1].digest.hex() if rows and rows[-1].digest else "",
            }
        )
    return rows


class _EventMaker:
    """Converter of the actions of a result file to events of one log.

    The actions must be converted in file order, since each event is the parent of the next.
    """

    def __init__(
        self, assessor: str, known_events: dict[ActionId, Event], *, accept_gap: bool
    ) -> None:
        self._assessor, self._known_events, self._accept_gap = assessor, known_events, accept_gap
        self._parent: str | None = None
        self._last_numbers: dict[str, int] = {}
        self._has_gap = False

    def make_row(self, line_number: int, action: ResultLine) -> ReturnedRow:
        """Return a row for an action: digest and bytes of the event, or why there is no event."""
        event = self._read_event(action)
        if isinstance(event, Event):
            self._has_gap, self._parent = False, event.digest
            return ReturnedRow(line_number, bytes.fromhex(event.digest), event.canonical_bytes)
        self._has_gap = not self._accept_gap
        return ReturnedRow(line_number, None, None, event)

    def _read_event(self, action: ResultLine) -> Event | str:
        if action.text is None:
            return UNREADABLE_ACTION
        data = _parse_json_or_none(action.text)
        if not action.is_valid:
            self._register_number(data)
            return INVALID_CHECKSUM
        if not is_well_formed(data):
            return BROKEN_ACTION
        action_id = (data["client"], data["number"])
        if not self._register_number(data):
            return INVALID_SEQUENCE_NUMBER
        previous_event = self._known_events.get(action_id)
        if previous_event is None and is_nested_deeper(data["payload"], MAX_NESTING):
            return TOO_DEEP_EVENT
        try:
            event = self._make_event(data, previous_event)
            if isinstance(event, Event) and event.digest:  # raises if the event cannot be encoded
                self._known_events.setdefault(action_id, event)
        except (ValueError, TypeError, RecursionError):
            return BROKEN_ACTION
        return event

    def _register_number(self, data: Any) -> bool:
        """Register the sequence number of an action; return whether it is valid.

        A number is valid if it is the client's last number plus 1 or, after a gap, any larger one.
        """
        if not isinstance(data, dict) or not _has_action_id(data):
            return False
        client, sequence_number = data["client"], data["number"]
        last_number = self._last_numbers.get(client, 0)
        self._last_numbers[client] = max(last_number, sequence_number)
        return sequence_number == last_number + 1 or (
            sequence_number > last_number and (self._has_gap or self._accept_gap)
        )

    def _make_event(self, data: Mapping[str, Any], previous_event: Event | None) -> Event | str:
        target = None
        if data["target"] is not None:
            target_event = self._known_events.get(
                (data["target"]["client"], data["target"]["number"])
            )
            if target_event is None:
                return FOLLOWS_UNUSABLE if self._has_gap else NO_TARGET
            target = target_event.digest
        item = data["item"]
        event_item = Item(
            item["topic"],
            tuple(item["documents"]),
            tuple(item["contents"]),
            item["type"],
            item["occurrence"],
        )
        parent = previous_event.parent if previous_event is not None else self._parent
        client_fields = (CLIENT_VERSION, data["client"], data["number"])
        time, payload = data["time"], data["payload"]
        if (
            previous_event is not None and PAGE_TIME in previous_event.payload
        ):  # a session server received the action earlier, and replaced its time
            event_fields = {
                name: previous_event.payload[name]
                for name in (ROUND_KEY,)
                if name in previous_event.payload
            }
            time, payload = previous_event.time, {**payload, PAGE_TIME: time, **event_fields}
        event = Event(
            self._assessor, data["kind"], event_item, time, payload, target, parent, *client_fields
        )
        if previous_event is not None:
            return previous_event if event.digest == previous_event.digest else TAKEN_NUMBER
        return FOLLOWS_UNUSABLE if self._has_gap else event


def _has_action_id(value: Any) -> bool:
    if not isinstance(value, dict):
        return False
    client, sequence_number = value.get("client"), value.get("number")
    return (
        isinstance(client, str)
        and bool(CLIENT_PATTERN.fullmatch(client))
        and type(sequence_number) is int
        and 1 <= sequence_number <= MAX_ACTION_NUMBER
    )


def is_well_formed(data: Any) -> bool:
    """Return whether an action has the required fields and types; values are not checked."""
    if (
        not isinstance(data, dict)
        or data.keys() != ACTION_FIELDS
        or not _has_action_id(data)
        or not isinstance(data["payload"], dict)
    ):
        return False
    item, target = data["item"], data["target"]
    if not isinstance(item, dict) or item.keys() != {
        "type",
        "topic",
        "documents",
        "contents",
        "occurrence",
    }:
        return False
    lists = (item["documents"], item["contents"])
    texts = (item["type"], item["topic"], data["time"], data["kind"])
    return (
        all(
            isinstance(documents, list) and all(isinstance(text, str) for text in documents)
            for documents in lists
        )
        and all(isinstance(text, str) for text in texts)
        and data["kind"] in EVENT_KINDS
        and type(item["occurrence"]) is int
        and (target is None or (_has_action_id(target) and len(target) == 2))
    )


def describe_receipt(result: ResultFile) -> str:
    """Return a sentence with the receipt code, which the assessor's page shows too."""
    return Message(
        "Receipt {code}: {actions}.",
        code=_compute_receipt_code(result),
        actions=format_count(len(result.actions), "action"),
    )


def list_problems(result: ResultFile) -> list[str]:
    """Return sentences about truncated or changed parts of a result; empty if it is intact."""
    rows = make_log(result, result.returned.metadata.get("owner", ""), {})
    first_problem_row = next((row for row in rows if row.problem), None)
    problems = (
        [
            Message(
                "{file}, action {sequence}: {problem}.",
                file=result.returned.path.name,
                sequence=first_problem_row.sequence,
                problem=first_problem_row.problem,
            )
        ]
        if first_problem_row
        else []
    )
    return [*result.returned.damage, *problems]


def format_receipt(result: ResultFile) -> str:
    """Return the receipt of a result as lines for saving, printing or reading aloud."""
    name, metadata = result.returned.path.name, result.returned.metadata
    events = (
        event
        for row in make_log(result, metadata.get("owner", ""), {})
        if row.body and isinstance(event := decode_row(row), Event)
    )
    lines = [
        Message("Receipt {code}", code=_compute_receipt_code(result)),
        "",
        f"Assessor   {metadata.get('owner', '?')}",
        f"Project    {metadata.get('title', '?')} ({name})",
        f"Submitted  {_format_submission_time(result)}",
        f"Judged     {sum(1 for _ in Ledger(events).judgments()):,}",
        f"Actions    {len(result.actions):,}",
        f"Checksum   {result.head or 'none'}",
        "",
        *list_problems(result),
        CODE_CAVEAT,
    ]
    return "\n".join(lines) + "\n"


def _compute_receipt_code(result: ResultFile) -> str:
    return (
        " ".join(
            result.head[start : start + CODE_GROUP_LENGTH]
            for start in range(0, CODE_GROUPS * CODE_GROUP_LENGTH, CODE_GROUP_LENGTH)
        )
        if result.head
        else "none"
    )


def _format_submission_time(result: ResultFile) -> str:
    try:
        return format_minutes(result.handed_in) if result.handed_in else Message("not yet")
    except ValueError:
        return Message("unreadable time")
