"""Merging of returned files into a project."""

import json
import re
import sys
from collections import Counter, defaultdict, deque
from collections.abc import Callable, Container, Iterable, Iterator, Mapping, Sequence, Set
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field, replace
from itertools import count, pairwise
from pathlib import Path
from types import MappingProxyType
from typing import Any, TypeVar, cast

from irjudge.errors import IrjudgeError, ProjectError, convert_os_error
from irjudge.exchange.result_file import (
    ActionId,
    EventValidator,
    ResultFile,
    decode_row,
    describe_receipt,
    is_page,
    is_result,
    make_log,
    make_slots,
    read_result,
)
from irjudge.formats.bytes import replace_surrogates
from irjudge.judging import JUDGMENTS, Ledger, read_comparison_rules, sort_events
from irjudge.message import (
    BOTH_TEMPLATE,
    SEMICOLON,
    SENTENCES,
    Message,
    format_count,
    join_messages,
)
from irjudge.model import (
    Assignment,
    Event,
    EventKind,
    Item,
    ItemKey,
    Scale,
    decode_event,
    format_minutes,
    utc_now,
)
from irjudge.progress import SILENT, Progress
from irjudge.store import (
    ASSESSOR_ROLE,
    ASSIGNMENT_KEY,
    LOSS_COUNTS,
    PROJECT_KEY,
    ROLE_KEY,
    SUBMISSION_KEY,
    MergedFile,
    Project,
    ReturnedFile,
    ReturnedRow,
    Spool,
    SpooledRows,
    describe_losses,
    open_project,
    parse_losses,
    read_returned_file,
)

# Comparison of a returned file with the project

EVENT_OUTCOMES = ("new", "identical", "superseded", "waiting", "rejected")


@dataclass(slots=True)
class FileMergeReport:
    """Report on merging one returned file: numbers of events by outcome, and warnings.

    The report is filled during the merge. If the whole file was rejected, `refused` is the reason.
    An object of this class also reports on the merge of a session in a database.
    """

    file: str  # name of the file or, for a session, of the storage
    assessor: str = ""  # name of the assessor; empty if unknown
    # id of the assignment or, for a session, of the session; empty if unknown
    assignment: str = ""
    digest: str = ""  # SHA-256 (hex) of the file; empty if unknown
    read: int = 0  # number of events in the file
    new: int = 0  # number of added events, without superseded judgments
    identical: int = 0  # number of events already in the project or earlier in the file
    # number of added judgments that a later judgment of the assessor supersedes
    superseded: int = 0
    waiting: int = 0  # number of events that wait for a missing earlier event
    reasons: Counter[str] = field(default_factory=Counter)  # number of rejected events by reason
    warnings: list[str] = field(default_factory=list)  # warnings about the file
    refused: str | None = None  # reason why the whole file was rejected; None if it was not
    handed_in: str = ""  # time of submission (UTC); empty if not submitted

    @property
    def rejected(self) -> int:
        """Number of rejected events."""
        return self.reasons.total()

    @property
    def has_new_events(self) -> bool:
        """Whether the file contained valid events that the project did not have."""
        return bool(self.new or self.superseded or self.waiting)

    @property
    def is_balanced(self) -> bool:
        """Whether the numbers of events by outcome add up to the number of events in the file."""
        return (
            self.read == self.new + self.identical + self.superseded + self.waiting + self.rejected
        )

    @property
    def sentences(self) -> list[str]:
        """Messages about the file; each begins with the file name."""
        lines = [self.refused] if self.refused else []
        if not self.refused:
            lines += [
                Message(
                    "{events} not imported: {reason}.",
                    events=format_count(count, "event"),
                    reason=reason,
                )
                for reason, count in self.reasons.most_common()
            ]
        if self.waiting:
            lines.append(
                Message(
                    "Held until an earlier event arrives: {events}.",
                    events=format_count(self.waiting, "event"),
                )
            )
        return [
            sentence
            if sentence.startswith(self.file)
            else Message("{file}: {sentence}", file=self.file, sentence=sentence)
            for sentence in [*lines, *self.warnings]
        ]

    def as_json(self) -> dict[str, Any]:
        """Return the report in the form stored in the project."""
        event_counts = {outcome: getattr(self, outcome) for outcome in ("read", *EVENT_OUTCOMES)}
        return {
            **event_counts,
            "reasons": dict(self.reasons),
            "remarks": self.warnings,
            "refused": self.refused,
            "handed_in": self.handed_in,
        }


@dataclass(frozen=True, slots=True)
class ReturnedLog:
    """Summary of a returned log, from which `report_differences` derives warnings."""

    digests: Set[str]  # digests of all events
    shown_pairs: Set[tuple[str, str]]  # id and SHA-256 of each document in new events


def find_refusal(
    project: Project, returned_file: ReturnedFile, assignment: Assignment | None
) -> str | None:
    """Return the reason why a whole file is rejected; None if it is not."""
    name, metadata = returned_file.path.name, returned_file.metadata
    if not {ROLE_KEY, PROJECT_KEY, ASSIGNMENT_KEY} & metadata.keys() and returned_file.damage:
        return Message(
            "{name} is so damaged that its assignment is unknown. Ask the assessor to "
            "send it again.",
            name=name,
        )
    if metadata.get(ROLE_KEY) != ASSESSOR_ROLE:
        return Message(
            "{name} is a project; expected an assessor's file.",
            key="not-an-assignment",
            name=name,
        )
    if metadata.get(PROJECT_KEY) != project.get_setting(PROJECT_KEY):
        return Message(
            "{name} belongs to another project ({title}).",
            key="another-project",
            name=name,
            title=_shorten(metadata.get("title", "?")),
        )
    if assignment is None:
        return Message(
            "{name} belongs to an assignment that is not in this project. Was the project "
            "restored from an older copy?",
            key="unknown-assignment",
            name=name,
        )
    # The page shows the participant's name, but events contain the opaque id.
    participants = {
        participant.id: participant.name for participant in project.sessions.participants()
    }
    if metadata.get("owner") not in (assignment.assessor, participants.get(assignment.assessor)):
        return Message(
            "{name} was created for {assessor}, but {owner} is stored as its owner.",
            key="another-assessor",
            name=name,
            assessor=assignment.assessor,
            owner=_shorten(metadata.get("owner", "nobody")),
        )
    return _find_scale_refusal(project, returned_file)


def _find_scale_refusal(project: Project, returned_file: ReturnedFile) -> str | None:
    scale = _read_scale(returned_file)
    if scale is None:
        return Message(
            "Cannot read the grade scale in {file}.",
            file=returned_file.path.name,
        )
    if scale.values != project.scale.values:
        return Message(
            "{file} was judged with the grades {grades}, but the grades of the project are {project_grades}.",
            file=returned_file.path.name,
            grades=_join_grades(scale),
            project_grades=_join_grades(project.scale),
        )
    return None


def _read_scale(returned_file: ReturnedFile) -> Scale | None:
    try:
        return Scale.from_json(returned_file.metadata.get("scale", ""))
    except (
        ValueError,
        KeyError,
        TypeError,
        AttributeError,
        RecursionError,
        OverflowError,
        IrjudgeError,
    ):
        return None


def _join_grades(scale: Scale) -> str:
    return ", ".join(map(str, scale.values))


def _shorten(text: str) -> str:
    return "".join(character for character in text[:60] if character.isprintable())


def make_event_validator(
    project: Project, returned_file: ReturnedFile, assignment: Assignment
) -> EventValidator:
    """Return a validator for the events of an accepted file."""
    scale = _read_scale(returned_file)
    scales = frozenset({project.scale.version} | ({scale.version} if scale else set()))
    grading = (
        assignment.mode == "side-by-side" and read_comparison_rules(project, assignment).grading
    )
    # items that were reassigned are included: the participant may have judged them offline
    assigned_items = project.assignments.all_assigned_items(assignment.code)
    slots = make_slots((item for _, item, _ in assigned_items), grading=grading)
    return EventValidator(assignment.assessor, slots, scales, frozenset(project.scale.values))


def report_differences(
    project: Project,
    returned_file: ReturnedFile,
    assignment: Assignment,
    log: ReturnedLog,
    report: FileMergeReport,
) -> None:
    """Report differences between a returned file and the project as warnings in `report`.

    The time of submission is also added to `report`.
    """
    scale, pool_version = _read_scale(returned_file), project.rankings.pool_version()
    if scale and scale.version != project.scale.version:
        report.warnings.append(
            Message(
                "The grades match the project's, but their labels or help texts have "
                "changed since the assignment was made.",
                key="changed-labels",
            )
        )
    if assignment.mode == "grade" and assignment.pool != pool_version:
        report.warnings.append(
            Message(
                "The assignment was made from pool {pool}; the project now has pool {version}.",
                key="older-pool",
                pool=assignment.pool,
                version=pool_version,
            )
        )
    if assignment.withdrawn:
        report.warnings.append(
            Message(
                "The rest of the assignment had been reassigned; judgments that were "
                "returned anyway are stored."
            )
        )
    project_topics = {topic.id: topic.digest for topic in project.collection.topics()}
    topics = [
        topic
        for topic, digest in returned_file.topics.items()
        if project_topics.get(topic, digest) != digest
    ]
    if topics:
        report.warnings.append(
            Message(
                "The returned file and the project differ in {topics} (for example {example}).",
                key="changed-topics",
                topics=format_count(len(topics), "topic"),
                example=_shorten(topics[0]),
            )
        )
    _warn_of_changed_texts(project, log.shown_pairs, report)
    losses = parse_losses(returned_file.metadata.get(LOSS_COUNTS, ""))
    if losses:
        report.warnings.append(
            Message(
                "Rescued from a damaged file; lost: {losses}.",
                key="rescued-file",
                losses=describe_losses(losses),
            )
        )
    _add_submission(returned_file, log.digests, report)


def _warn_of_changed_texts(
    project: Project, shown_pairs: Set[tuple[str, str]], report: FileMergeReport
) -> None:
    """Add a warning about documents whose judged text differs from the text in the project."""
    current_digests = project.collection.digests(sorted({name for name, _ in shown_pairs}))
    changed_documents = sorted(
        {name for name, content in shown_pairs if current_digests.get(name, "") != content}
    )
    if changed_documents:
        message = Message(
            "{documents} had a different text when judged (for example {example})",
            documents=format_count(len(changed_documents), "document"),
            example=changed_documents[0],
        )
        report.warnings.append(
            Message(
                "{problem}; the judgments of these documents are stored separately.",
                key="another-text",
                problem=message,
            )
        )


def _add_submission(
    returned_file: ReturnedFile, digests: Set[str], report: FileMergeReport
) -> None:
    try:
        submission = json.loads(returned_file.metadata[SUBMISSION_KEY])
        submission_time, head_checksum = (
            format_minutes(str(submission["time"])),
            str(submission["head"]),
        )
    except (KeyError, ValueError, TypeError, RecursionError):
        has_all_events = report.read > report.rejected + report.waiting
        report.warnings.append(
            Message(
                "Not submitted yet; the judgments made so far were imported.", key="not-handed-in"
            )
            if has_all_events
            else Message("Not submitted yet.")
        )
        return
    report.handed_in = submission_time
    if head_checksum not in digests:
        report.warnings.append(
            Message(
                "The log submitted at {time} differs from the log in this file: the file does "
                "not contain the last event named in the receipt.",
                key="another-log",
                time=submission_time,
            )
        )


# Merging. After a backup, all events that the project lacks are copied from the files.

ERASED_AUTHOR_MESSAGE = Message("the assessor was erased from the project")
MAX_BRANCHES = 20  # maximum number of branches that are compared
MAX_NAMED_ITEMS = 5


def describe_fork(assessor: str, events: Sequence[Event], files: int) -> str | None:
    """Return a sentence about the branches of a log; None if it has none.

    A log has branches if copies of a file were edited separately. `files` is the number of files
    assigned to the assessor; in each of them, the first event may have no parent. Several events of
    one browser client with the same parent are no branches: after an accepted gap, an event has an
    earlier parent than in the intact copy.
    """
    children = Counter(
        parent for parent, _ in {(event.parent, event.client or event.digest) for event in events}
    )
    branches = sum(
        child_count - 1 for parent, child_count in children.items() if parent is not None
    )
    branches += max(0, children[None] - max(1, files))
    if not branches:
        return None
    return Message(
        "{assessor} worked on {branches} separate copies. All judgments are stored; for each "
        "document, the latest one is used.",
        key="separate-copies",
        assessor=assessor,
        branches=branches + 1,
    )


def describe_disagreements(assessor: str, events: Sequence[Event]) -> str | None:
    """Return a sentence about items that an assessor judged differently in two branches.

    Return None if there are none.
    """
    disagreements = find_disagreements(events)
    if not disagreements:
        return None
    items_text = join_messages(
        (
            Message(
                "{topic} {documents}: {judgments}",
                topic=item.topic,
                documents=" ".join(item.documents[:2]),
                judgments=join_messages(judgments, BOTH_TEMPLATE),
            )
            for item, judgments in disagreements[:MAX_NAMED_ITEMS]
        ),
        SEMICOLON,
    )
    remaining_text = (
        Message("; and {count:,} more", count=len(disagreements) - MAX_NAMED_ITEMS)
        if len(disagreements) > MAX_NAMED_ITEMS
        else ""
    )
    return Message(
        "{assessor} judged {items} differently in two copies: {examples}{remaining}.",
        key="different-judgments",
        assessor=assessor,
        items=format_count(len(disagreements), "item"),
        examples=items_text,
        remaining=remaining_text,
    )


def find_disagreements(events: Sequence[Event]) -> list[tuple[Item, list[str]]]:
    """Return the items judged differently in branches of one log, with the judgments.

    Items are in log order. A judgment is ignored if another branch contains it together
    with a later judgment that replaces it.
    """
    by_digest = {event.digest: event for event in events}
    parents = {event.parent for event in events}
    branch_ends = [event for event in events if event.digest not in parents][:MAX_BRANCHES]
    if len(branch_ends) < 2:
        return []
    branches = [_list_branch(leaf, by_digest) for leaf in branch_ends]
    judgments_by_item: dict[ItemKey, list[tuple[Event, int]]] = defaultdict(list)
    for index, branch in enumerate(branches):
        for event in Ledger(branch.values()).judgments():
            judgments_by_item[event.item.key].append((event, index))
    disagreements = []
    for judgments in judgments_by_item.values():
        branch_judgments = [
            event
            for event, _ in judgments
            # another judgment replaces the event if the event is in the branch of that judgment
            if not any(
                other_event.digest != event.digest and event.digest in branches[index]
                for other_event, index in judgments
            )
        ]
        versions = list(dict.fromkeys(_describe_judgment(event) for event in branch_judgments))
        if len(versions) > 1:
            disagreements.append((branch_judgments[0].item, versions))
    return disagreements


def _list_branch(leaf: Event, by_digest: Mapping[str, Event]) -> dict[str, Event]:
    """Return the events of the branch that ends with `leaf`, by digest, oldest first."""
    chain: list[Event] = []
    event: Event | None = leaf
    while event is not None:
        chain.append(event)
        event = by_digest.get(event.parent or "")
    return {event.digest: event for event in reversed(chain)}


def _describe_judgment(event: Event) -> str:
    if event.kind == "unjudgeable":
        return Message("unjudgeable ({reason})", reason=event.payload.get("reason"))
    return str(event.payload.get("value" if event.kind == "grade" else "winner"))


# fields of a payload that a spooled event contains, since `Ledger` and `describe_disagreements`
# use them
STORED_PAYLOAD_FIELDS = ("value", "winner", "reason", "identical")


@dataclass(frozen=True, slots=True)
class MergeReport:
    """Result of merging returned files: path of the backup, report on each file, and warnings.

    `backup` is None if nothing was written: each file was rejected as a whole, or was merged before
    and contained no new events; and no gap was accepted.
    """

    backup: Path | None = None  # copy of the project before the merge; None if nothing was written
    reports: tuple[FileMergeReport, ...] = ()  # report on each file, in the order of the files
    # warnings about several files: separately edited copies, and waiting events that were added
    warnings: tuple[str, ...] = ()
    waiting: int = 0  # number of waiting events in the project

    @property
    def sentences(self) -> list[str]:
        """Messages about each file and about all files."""
        return [
            *(sentence for report in self.reports for sentence in report.sentences),
            *self.warnings,
        ]

    @property
    def problem(self) -> str:
        """Sentences about the files that could not be used completely."""
        refused_files = [report.file for report in self.reports if report.refused]
        rejected_files = [
            report.file for report in self.reports if report.rejected and not report.refused
        ]
        sentences = list[str]()
        if refused_files:
            sentences.append(
                Message(
                    "{files} of {total} could not be used: {names}.",
                    files=format_count(len(refused_files), "file"),
                    total=len(self.reports),
                    names=", ".join(refused_files),
                )
            )
        if rejected_files:
            sentences.append(
                Message(
                    "Some events in {names} could not be used.", names=", ".join(rejected_files)
                )
            )
        return join_messages(sentences, SENTENCES)


def merge_files(
    project: Project,
    paths: Sequence[Path],
    *,
    accept_gap: bool = False,
    clock: Callable[[], str] = utc_now,
    progress: Progress = SILENT,
) -> MergeReport:
    """Merge returned files into a project.

    The result depends only on the events, not on the order or the names of the files. Files may be
    merged repeatedly, and may be older versions or separately edited copies. Files are only read;
    an unusable file only causes a message. If a log is inconsistent, the events before the first
    invalid event are added, and later events wait for an intact copy. With `accept_gap`, later
    events are also added, and the project records the missing events as lost. The missing events
    are still added if an intact copy is merged later.
    """
    if not project.assignments.all():
        raise ProjectError(
            "{file} has no assignments, so no returned file can belong to it. Create "
            "assignments first.",
            file=project.path.name,
        )
    time, merger = clock(), _Merger(project, accept_gap=accept_gap)
    reports = [
        merger.collect_file(path, index, len(paths), progress) for index, path in enumerate(paths)
    ]
    merged_digests = {file.digest for file in project.assignments.merged_files()}
    new_reports = [
        report
        for report in reports
        if report.has_new_events or (not report.refused and report.digest not in merged_digests)
    ]
    merge_report = MergeReport(None, tuple(reports), tuple(merger.warnings()), len(merger.waiting))
    if not (new_reports or merger.accepted_events or merger.list_accepted_losses()):
        return merge_report
    with back_up_project(project, time, progress) as backup:
        progress.step(len(paths), len(paths), "Saving")
        with project.transaction():
            project.events.append_merged(
                cast(list[Event], merger.accepted_events),
                cast(list[Event], list(merger.waiting.values())),
                merger.list_accepted_losses(),
            )
            project.assignments.add_returned(
                MergedFile(
                    time,
                    report.file,
                    report.digest,
                    report.assignment,
                    report.assessor,
                    report.as_json(),
                )
                for report in new_reports
            )
    return replace(merge_report, backup=backup)


@dataclass(slots=True, eq=False)
class _SpooledEvent:
    """Event during merging, with the fields that ledgers and sorting need.

    The other fields remain in a temporary file, since a million objects of class `Event` may not
    fit into memory.
    """

    digest: str
    assessor: str
    kind: EventKind
    item: Item
    payload: Mapping[str, Any]
    target: str | None
    parent: str | None
    client: str  # id of the browser client; empty for other events
    problem: str | None
    _rows: SpooledRows
    _offset: int

    @property
    def canonical_bytes(self) -> bytes:
        """The event as canonical JSON, read from disk."""
        return self._rows.read_row(self._offset).body or b""

    @property
    def time(self) -> str:
        """Time of the event, which is read from disk and needed only for logs with branches."""
        return decode_event(self.canonical_bytes, self.digest).time


class _Merger:
    """Collector of the events of returned files; it writes nothing to the project."""

    def __init__(self, project: Project, *, accept_gap: bool) -> None:
        self.accepted_events: list[_SpooledEvent] = []
        self._project, self._lost_digests, self._accept_gap = (
            project,
            project.events.lost_digests(),
            accept_gap,
        )
        self._items: dict[ItemKey, Item] = {}
        self._payloads: dict[str, Mapping[str, Any]] = {}
        self._spool = Spool(project.path.parent)
        self._rows = SpooledRows(self._spool)
        self.waiting = {
            event.digest: self._spool_event(event) for event in project.events.iter_waiting()
        }
        self._accepted_losses: set[str] = set()
        self._known_digests, self._erased_digests = (
            project.events.digests(),
            project.events.erased_digests(),
        )
        self._assignments = {assignment.id: assignment for assignment in project.assignments.all()}
        self._events: dict[str, list[_SpooledEvent]] = {}
        self._initial_waiting = set(self.waiting)
        self._returned_assignments = {
            file.assignment for file in project.assignments.merged_files()
        }

    def _spool_event(self, event: Event) -> _SpooledEvent:
        return self._to_spooled(event, self._rows.add(ReturnedRow(0, None, event.canonical_bytes)))

    def _to_spooled(
        self, event: Event, offset: int, digests: Mapping[str, _SpooledEvent] = MappingProxyType({})
    ) -> _SpooledEvent:
        """Return a spooled event for an event whose row is at `offset`.

        Equal values are shared to save memory. For example, the digest of the parent is shared with
        the parent's event in `digests`.
        """
        parent = digests.get(event.parent or "")
        payload = {
            name: event.payload[name] for name in STORED_PAYLOAD_FIELDS if name in event.payload
        } | ({"text": ""} if event.kind == "draft" else {})
        item = self._items.get(event.item.key) or self._items.setdefault(
            event.item.key, replace(event.item, contents=())
        )
        return _SpooledEvent(
            event.digest,
            sys.intern(event.assessor),
            event.kind,
            item,
            self._payloads.setdefault(repr(payload), payload),
            event.target,
            event.parent if parent is None else parent.digest,
            sys.intern(event.client),
            event.problem,
            self._rows,
            offset,
        )

    def collect_file(
        self, path: Path, index: int, total: int, progress: Progress
    ) -> FileMergeReport:
        """Read one file, collect its events, and return the report on it."""
        progress.step(index, total, Message("Reading {file}", file=path.name))
        report = FileMergeReport(replace_surrogates(path.name))
        try:
            returned_file, result = read_returned(
                path, Progress(cancelled=progress.cancellation_check), spool=self._spool
            )
        except ProjectError as error:
            report.refused = str(error)
            return report
        except OSError as error:
            report.refused = str(convert_os_error(error))
            return report
        report.digest = returned_file.digest
        report.read = len(result.actions if result else returned_file.rows)
        report.warnings += returned_file.damage
        assignment = self._assignments.get(returned_file.metadata.get(ASSIGNMENT_KEY, ""))
        report.refused = find_refusal(self._project, returned_file, assignment)
        if assignment is None or report.refused:
            report.reasons.update({report.refused or "": report.read} if report.read else {})
            return report
        report.assessor, report.assignment = assignment.assessor, assignment.id
        self._returned_assignments.add(assignment.id)
        if result is not None:
            returned_file.rows = make_log(
                result,
                assignment.assessor,
                self._map_client_events(assignment.assessor),
                accept_gap=self._accept_gap,
            )
            report.warnings.append(describe_receipt(result))
        self._collect_events(returned_file, assignment, report, progress)
        return report

    def _collect_events(
        self,
        returned_file: ReturnedFile,
        assignment: Assignment,
        report: FileMergeReport,
        progress: Progress,
    ) -> None:
        validated_rows = _ValidatedRows()
        validator = make_event_validator(self._project, returned_file, assignment)
        for offset, row in progress.track(
            self._iter_rows(returned_file), Message("Reading {file}", file=returned_file.path.name)
        ):
            event = decode_row(row)
            if isinstance(event, str):
                problem: str | None = event
            elif event.digest in self._erased_digests:
                problem = ERASED_AUTHOR_MESSAGE
            else:
                problem = validator.find_problem(event)
            if isinstance(event, str) or problem:
                report.reasons[problem or ""] += 1
                validated_rows.reject_row(row, problem or "")
            else:
                is_known = self._is_known(event)
                report.identical += event.digest in validated_rows.valid_events or is_known
                validated_rows.add_row(
                    row,
                    self._to_spooled(event, offset, validated_rows.valid_events),
                    self._is_available(event.parent),
                )
                if not is_known:
                    validated_rows.shown_pairs.update(
                        zip(event.item.documents, event.item.contents, strict=True)
                    )
        new_events = [
            event for event in validated_rows.valid_events.values() if not self._is_known(event)
        ]
        missing_count = self._accept_losses(validated_rows.valid_events) if self._accept_gap else 0
        self._add_ready_events(new_events, assignment.assessor, report)
        if first_problem := validated_rows.find_first_problem():
            consequence = (
                Message(" Later events are held until a complete copy of the file is imported.")
                if validated_rows.valid_events.keys() & self.waiting.keys()
                else ""
            )
            report.warnings.append(
                Message(
                    "First problem: {event}.{consequence}",
                    key="first-misfit",
                    event=first_problem,
                    consequence=consequence,
                )
            )
        if missing_count:
            report.warnings.append(
                Message(
                    "Accepted a gap of {events}; later events have been imported.",
                    key="accepted-gap",
                    events=format_count(missing_count, "event"),
                )
            )
        report_differences(
            self._project,
            returned_file,
            assignment,
            ReturnedLog(validated_rows.digests(), validated_rows.shown_pairs),
            report,
        )

    def _iter_rows(self, returned_file: ReturnedFile) -> Iterator[tuple[int, ReturnedRow]]:
        """Yield (offset, row) of each row of a file; offsets refer to the temporary file."""
        if isinstance(returned_file.rows, SpooledRows):
            yield from returned_file.rows
        else:
            yield from ((self._rows.add(row), row) for row in returned_file.rows)

    def _accept_losses(self, valid_events: Mapping[str, _SpooledEvent]) -> int:
        """Record missing events as lost if a file's events refer to them; return their number."""
        referenced_digests = {
            digest
            for event in valid_events.values()
            for digest in (event.parent, event.target)
            if digest
        }
        missing_digests = {
            digest
            for digest in referenced_digests
            if not (self._is_available(digest) or digest in valid_events or digest in self.waiting)
        }
        self._accepted_losses |= missing_digests
        self._lost_digests |= missing_digests
        return len(missing_digests)

    def list_accepted_losses(self) -> list[str]:
        """Return the digests of events that were accepted as lost and that no file contains."""
        return sorted(self._accepted_losses - self._known_digests)

    def _is_known(self, event: Event | _SpooledEvent) -> bool:
        return event.digest in self._known_digests or event.digest in self.waiting

    def _is_available(self, digest: str | None) -> bool:
        return digest is None or digest in self._known_digests or digest in self._lost_digests

    def _add_ready_events(
        self, new_events: Sequence[_SpooledEvent], assessor: str, report: FileMergeReport
    ) -> None:
        """Accept new and waiting events whose references are available.

        For each outcome, the number of new events is added to `report`.
        """
        ready_events, waiting_events = split_ready_events(
            [*self.waiting.values(), *new_events], self._is_available
        )
        self.accepted_events += ready_events
        self._known_digests.update(event.digest for event in ready_events)
        self.waiting = {event.digest: event for event in waiting_events}
        for event in ready_events:
            self._read_log(event.assessor).append(event)
        judgment_digests = self._find_judgments(assessor)
        for event in new_events:
            if event.digest in self.waiting:
                report.waiting += 1
            elif event.kind in JUDGMENTS and event.digest not in judgment_digests:
                report.superseded += 1
            else:
                report.new += 1

    def _read_log(self, assessor: str) -> list[_SpooledEvent]:
        if assessor not in self._events:
            self._events[assessor] = [
                self._spool_event(event) for event in self._project.events.read(assessor)
            ]
        return self._events[assessor]

    def _map_client_events(self, assessor: str) -> dict[ActionId, Event]:
        """Return the assessor's events that were made from actions in a browser, by action id.

        Waiting events are included.
        """
        waiting_events = (event for event in self.waiting.values() if event.assessor == assessor)
        events = (event for event in (*waiting_events, *self._read_log(assessor)) if event.client)
        return {
            (event.client, event.number): event
            for event in (decode_event(event.canonical_bytes, event.digest) for event in events)
        }

    def _find_judgments(self, assessor: str) -> set[str]:
        # a spooled event has all fields that the ledger needs
        log = cast(list[Event], self._read_log(assessor))
        sorted_log = (
            log if _is_linear(log, self._lost_digests) else sort_events(log, self._lost_digests)[0]
        )
        return {event.digest for event in Ledger(sorted_log).judgments()}

    def warnings(self) -> list[str]:
        """Return warnings that are not about a single file."""
        messages = [
            sentence
            for assessor in sorted(self._events)
            for sentence in self._describe_branches(assessor)
        ]
        completed_count = len(self._initial_waiting - self.waiting.keys())
        if completed_count:
            messages.append(
                Message(
                    (
                        "Imported events that had been held until the gap before them was "
                        "accepted: {events}."
                    )
                    if self._accepted_losses
                    else "Imported events that had been held until an earlier one arrived: "
                    "{events}.",
                    key="waited-events",
                    events=format_count(completed_count, "event"),
                )
            )
        return messages

    def _describe_branches(self, assessor: str) -> Iterator[str]:
        """Yield warnings about separately edited copies of an assessor's files."""
        files = sum(
            assignment.assessor == assessor and id in self._returned_assignments
            for id, assignment in self._assignments.items()
        )
        log = cast(list[Event], self._read_log(assessor))
        yield from filter(
            None, (describe_fork(assessor, log, files), describe_disagreements(assessor, log))
        )


def read_returned(
    path: Path, progress: Progress = SILENT, *, spool: Spool | None = None
) -> tuple[ReturnedFile, ResultFile | None]:
    """Read a returned file: an assignment file, or a result file of a browser.

    The kind of file is detected from its content. The second value is the content of a result file;
    None for an assignment file.
    """
    if is_page(path):
        raise ProjectError(
            "{file} is a judging page, not a result. Open it, press Save result, and "
            "merge the saved file.",
            file=path.name,
        )
    if not is_result(path):
        return read_returned_file(path, progress, spool=spool), None
    result = read_result(path, progress)
    return result.returned, result


class _ValidatedRows:
    """Collector of the valid events and the rejected rows of one file."""

    def __init__(self) -> None:
        self.valid_events: dict[str, _SpooledEvent] = {}
        self.shown_pairs: set[tuple[str, str]] = set()
        self._rejected_digests: set[str] = set()
        self._first_problem: tuple[int, str] | None = None
        # position, message and parent of events whose parent has not been read yet
        self._rows_without_parent: list[tuple[int, str, str]] = []
        self._read_count = 0

    def reject_row(self, row: ReturnedRow, problem: str) -> None:
        self._read_count += 1
        if row.digest:
            self._rejected_digests.add(row.digest.hex())
        self._first_problem = self._first_problem or (
            self._read_count,
            f"{_describe_row(row)}: {problem}",
        )

    def add_row(self, row: ReturnedRow, event: _SpooledEvent, has_parent: bool) -> None:
        """Register a valid event; `has_parent` is whether its parent is in the project."""
        self._read_count += 1
        self.valid_events[event.digest] = event
        if not has_parent and event.parent not in self.valid_events:
            self._rows_without_parent.append(
                (
                    self._read_count,
                    Message("{event}: the previous event is missing", event=_describe_row(row)),
                    event.parent or "",
                )
            )

    def digests(self) -> set[str]:
        return self._rejected_digests | self.valid_events.keys()

    def find_first_problem(self) -> str | None:
        """Return the message about the first invalid row; None if all are valid."""
        known_digests = self.digests() if self._rows_without_parent else set()
        unmatched_row = next(
            (
                (row, problem)
                for row, problem, parent in self._rows_without_parent
                if parent not in known_digests
            ),
            None,
        )
        return min(filter(None, (self._first_problem, unmatched_row)), default=(0, None))[1]


def _describe_row(row: ReturnedRow) -> str:
    return Message(
        "event {sequence}{digest}",
        sequence=row.sequence,
        digest=f" ({row.digest.hex()[:12]})" if row.digest else "",
    )


def _is_linear(log: Sequence[Event], lost_digests: Container[str]) -> bool:
    """Return whether a log is complete, and each event is the parent of the next.

    Such a log need not be sorted. A log is complete if it begins with an event without a parent or
    after a lost event.
    """
    is_complete = not log or log[0].parent is None or log[0].parent in lost_digests
    return is_complete and all(
        next_event.parent == event.digest for event, next_event in pairwise(log)
    )


EventT = TypeVar("EventT", Event, _SpooledEvent)


def split_ready_events(
    events: Iterable[EventT], is_available: Callable[[str], bool]
) -> tuple[list[EventT], list[EventT]]:
    """Split events into ready events and waiting events.

    An event is ready if each event that it references is ready or available. In the result, an
    event follows the ready events that it references.
    """
    ready_events: list[EventT] = []
    ready_digests: set[str] = set()
    deferred_events: dict[str, EventT] = {}
    for event in events:  # nearly all events follow the events that they reference
        if all(
            name in ready_digests or is_available(name)
            for name in (event.parent, event.target)
            if name
        ):
            if event.digest not in ready_digests:
                ready_events.append(event)
                ready_digests.add(event.digest)
        else:
            deferred_events[event.digest] = event
    missing_digests = {
        digest: {
            name
            for name in (event.parent, event.target)
            if name and not (name in ready_digests or is_available(name))
        }
        for digest, event in deferred_events.items()
    }
    dependents: dict[str, list[str]] = defaultdict(list)
    for digest, names in missing_digests.items():
        for name in names:
            dependents[name].append(digest)
    queue = deque(digest for digest, names in missing_digests.items() if not names)
    while queue:
        digest = queue.popleft()
        ready_events.append(deferred_events.pop(digest))
        for dependent in dependents[digest]:
            missing_digests[dependent].discard(digest)
            if not missing_digests[dependent]:
                queue.append(dependent)
    return ready_events, list(deferred_events.values())


MAX_BACKUPS = 3
BACKUP_NAME = re.compile(r"\.before-merge-(?P<stamp>[0-9]{12})(?:-(?P<number>[0-9]+))?")


@contextmanager
def back_up_project(project: Project, time: str, progress: Progress = SILENT) -> Iterator[Path]:
    """Copy a project next to it before a merge, and yield the path of the copy.

    If the block raises an exception, the copy is removed. After the block, copies older than the
    newest `MAX_BACKUPS` are removed, unless they contain events that the project does not contain.
    """
    time_stamp = "".join(character for character in time[:16] if character.isdigit())
    backup = _find_free_path(project.path, f".before-merge-{time_stamp}")
    project.copy_to(backup, progress)
    try:
        yield backup
    except BaseException:
        backup.unlink(missing_ok=True)
        raise
    with suppress(OSError):  # the merge is complete, even if an old copy cannot be removed
        for old_backup in [path for path in list_backups(project.path) if path != backup][
            MAX_BACKUPS - 1 :
        ]:
            if _is_contained(old_backup, project):
                old_backup.unlink()


def list_backups(project: Path) -> list[Path]:
    """Return the backups next to a project, newest first."""
    backups = dict[Path, tuple[str, int]]()
    for path in project.parent.iterdir():
        match = BACKUP_NAME.fullmatch(
            path.name.removeprefix(project.stem).removesuffix(project.suffix)
        )
        if match and path.name == f"{project.stem}{match[0]}{project.suffix}":
            backups[path] = match["stamp"], int(match["number"] or 1)
    return sorted(backups, key=lambda path: backups[path], reverse=True)


def describe_backup(backup: Path) -> str:
    """Return a sentence about the location of the backup and the number of backups kept."""
    return Message(
        "Backup of the project: {file}, in the same folder. The last {count} backups are kept.",
        file=backup.name,
        count=MAX_BACKUPS,
    )


def _find_free_path(project: Path, suffix: str) -> Path:
    paths = (
        project.with_name(
            f"{project.stem}{suffix}{'' if number == 1 else f'-{number}'}{project.suffix}"
        )
        for number in count(1)
    )
    return next(path for path in paths if not path.exists())


def _is_contained(backup: Path, project: Project) -> bool:
    """Return whether a project contains all events of a backup; False for an unreadable backup."""
    try:
        with open_project(backup, writing=False) as copy:
            return (
                not copy.damage
                and copy.seed == project.seed
                and _list_digests(copy) <= _list_digests(project)
            )
    except (IrjudgeError, OSError):
        return False


def _list_digests(project: Project) -> set[str]:
    return project.events.digests() | {event.digest for event in project.events.iter_waiting()}
