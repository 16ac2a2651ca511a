"""Merging of sessions stored elsewhere: new participants, items and events, matched by identity."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import nullcontext
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from irjudge.exchange.assignments import ensure_identity
from irjudge.exchange.merging import FileMergeReport, back_up_project, split_ready_events
from irjudge.exchange.result_file import EventValidator, Slot, decode_row, make_slots
from irjudge.judging import JUDGMENTS, NORMING_KEY, Ledger
from irjudge.message import Message
from irjudge.model import AssignedItem, Assignment, Event, OrganiserNote, utc_now
from irjudge.progress import SILENT, Progress
from irjudge.store import (
    HOSTED_ELSEWHERE,
    Completion,
    Participant,
    Project,
    ReturnedRow,
    Round,
    StoredSession,
    is_erased,
)

EXCLUDED_AT_SERVER = Message("excluded on the server")


@dataclass(frozen=True, slots=True)
class AssignedItemCopy:
    """Assigned item of a participant, with its state unless the log determines it."""

    number: int
    item: AssignedItem
    secret: OrganiserNote
    state: str


@dataclass(frozen=True, slots=True)
class ParticipantCopy:
    """Participant of a session, with assignment, exclusion, first id and completion."""

    participant: Participant
    assignment: str
    places: Sequence[AssignedItemCopy]
    aside: bool = False
    same: str = ""  # first id of the participant, if this is a further id
    completed: Completion | None = None
    survey: Mapping[str, Any] = field(default_factory=dict)  # answers before and after judging

    @property
    def is_released(self) -> bool:
        """Whether the seat was released, so that its name is free."""
        return not (self.participant.name or self.participant.token)


@dataclass(frozen=True, slots=True)
class SessionCopy:
    """Consistent copy of a session stored elsewhere."""

    name: str  # name of the storage, for messages
    session: StoredSession  # session number, which is valid only there
    # seed of its orders, and version of the judged pool
    seed: int
    pool: int
    # options stored with the round, and whether compared documents may be graded
    wishes: Mapping[str, Any]
    grading: bool
    people: Sequence[ParticipantCopy]  # in order of joining
    digests: Sequence[str]  # digests of all events, in the order of writing
    bodies: Callable[[Sequence[str]], Iterable[tuple[str, bytes]]]  # returns the bytes of events


@dataclass(slots=True)
class SessionMergeReport:
    """Report of each merged session, and the backup (None if nothing was written)."""

    reports: list[FileMergeReport] = field(default_factory=list)
    backup: Path | None = None


def merge_sessions(
    project: Project,
    copies: Sequence[SessionCopy],
    *,
    backup: bool = True,
    clock: Callable[[], str] = utc_now,
    progress: Progress = SILENT,
) -> SessionMergeReport:
    """Merge new parts of sessions stored elsewhere; merging them again has no effect."""
    copies = [_without_erased(project, copy) for copy in copies]
    result, known = (
        SessionMergeReport(),
        project.events.digests() | {event.digest for event in project.events.iter_waiting()},
    )
    changed = [copy for copy in copies if _SessionMerger(project, copy).is_new(known)]
    with (
        back_up_project(project, clock(), progress)
        if changed and backup
        else nullcontext() as result.backup,
        project.transaction(),
    ):
        if changed:
            ensure_identity(project)
        for copy in copies:
            result.reports.append(_SessionMerger(project, copy).take(known, progress))
    return result


def _without_erased(project: Project, copy: SessionCopy) -> SessionCopy:
    """Return a copy without erased participants and their events."""
    erased = project.events.erased_digests()
    people = [person for person in copy.people if not is_erased(project, person.participant.id)]
    return replace(
        copy, people=people, digests=[digest for digest in copy.digests if digest not in erased]
    )


class _SessionMerger:
    """Merges one session into the project."""

    def __init__(self, project: Project, copy: SessionCopy) -> None:
        self._project, self._copy = project, copy
        self._here = next(
            (each for each in project.sessions.all() if each.id == copy.session.id), None
        )
        self._people = (
            {person.id: person for person in project.sessions.people(self._here.code)}
            if self._here
            else {}
        )
        self._completed, self._surveys = project.sessions.completions(), project.sessions.surveys()
        self._aside = {person.name: person.set_aside for person in project.assignments.people()}

    def is_new(self, known: set[str]) -> bool:
        """Return whether the project lacks any part of the session."""
        here, there = self._here, self._copy
        if (
            here is None
            or here.state != there.session.state
            or self._have_rounds_changed()
            or any(digest not in known for digest in there.digests)
        ):
            return True
        return any(self._has_changed(person) for person in there.people)

    def _have_rounds_changed(self) -> bool:
        """Return whether norming rounds were opened or closed; other options are not merged."""
        return self._here is not None and self._here.terms.get(
            NORMING_KEY
        ) != self._copy.session.terms.get(NORMING_KEY)

    def _has_changed(self, person: ParticipantCopy) -> bool:
        own = self._people.get(person.participant.id)
        if (
            own is None
            or own.token != person.participant.token
            or self._needs_exclusion(person)
            or self._needs_readmission(person)
        ):
            return True
        if (
            self._needs_joining(person)
            or self._needs_completion(person)
            or self._needs_survey(person)
        ):
            return True
        states = self._project.sessions.places(own.assignment)
        return len(self._project.assignments.all_assigned_items(own.assignment)) != len(
            person.places
        ) or any(states.get(item_copy.number, "") != item_copy.state for item_copy in person.places)

    def _needs_exclusion(self, person: ParticipantCopy) -> bool:
        return person.aside and self._aside.get(person.participant.id) is None

    def _needs_readmission(self, person: ParticipantCopy) -> bool:
        return not person.aside and self._aside.get(person.participant.id) == EXCLUDED_AT_SERVER

    def _needs_joining(self, person: ParticipantCopy) -> bool:
        same, id = self._project.sessions.same(), person.participant.id
        return bool(person.same) and same.get(id, id) != same.get(person.same, person.same)

    def _needs_completion(self, person: ParticipantCopy) -> bool:
        return person.completed is not None and person.participant.id not in self._completed

    def _needs_survey(self, person: ParticipantCopy) -> bool:
        return bool(person.survey) and self._surveys.get(person.participant.id) != person.survey

    def take(self, known: set[str], progress: Progress) -> FileMergeReport:
        """Merge the session; return the report on its events."""
        session = self._session()
        for person in self._copy.people:
            self._take_person(session, person)
        return self._take_events(known, progress)

    def _session(self) -> StoredSession:
        session, sessions = self._copy.session, self._project.sessions
        if self._here is None:
            number = len(self._project.assignments.rounds()) + 1
            self._project.assignments.add_round(
                Round(number, self._copy.seed, self._copy.wishes, session.made)
            )
            code = sessions.add(
                session.id, number, {**session.terms, HOSTED_ELSEWHERE: True}, session.made
            )
            self._here = replace(session, code=code, round=number, state="open")
        if self._here.state != session.state:
            sessions.set_state(self._here.code, session.state)
        if self._have_rounds_changed():
            sessions.set_terms(
                self._here.code, {**self._here.terms, NORMING_KEY: session.terms.get(NORMING_KEY)}
            )
        return self._here

    def _take_person(self, session: StoredSession, person: ParticipantCopy) -> None:
        """Merge a participant: identity, new items and states; a name changed in the project is
        kept.
        """
        there, own = person.participant, self._people.get(person.participant.id)
        if own is None:
            assignment = Assignment(
                0,
                person.assignment,
                there.id,
                session.mode,
                self._copy.pool,
                round=session.round,
                made=there.joined,
            )
            own = replace(
                there,
                session=session.code,
                assignment=self._project.assignments.add(assignment, ()),
            )
            self._project.sessions.join(own)
        elif own.token != there.token:
            self._project.sessions.free(
                own.id
            ) if person.is_released else self._project.sessions.set_token(own.id, there.token)
        begin = len(self._project.assignments.all_assigned_items(own.assignment))
        fresh = [item_copy for item_copy in person.places if item_copy.number >= begin]
        self._project.assignments.give(
            own.assignment,
            begin,
            [item_copy.item for item_copy in fresh],
            [item_copy.secret for item_copy in fresh],
        )
        states = self._project.sessions.places(own.assignment)
        changed = [
            item_copy
            for item_copy in person.places
            if states.get(item_copy.number, "") != item_copy.state
        ]
        self._project.sessions.store_lease_states(
            (own.assignment, item_copy.number, item_copy.state) for item_copy in changed
        )
        if self._needs_exclusion(person) or self._needs_readmission(person):
            self._project.assignments.set_aside(
                own.id, EXCLUDED_AT_SERVER if person.aside else None
            )
        if self._needs_joining(person):
            self._project.sessions.set_same(own.id, person.same)
        if person.completed and self._needs_completion(person):
            self._project.sessions.note_completion(own.id, person.completed)
        if self._needs_survey(person):
            self._project.sessions.note_survey(own.id, person.survey)

    def _take_events(self, known: set[str], progress: Progress) -> FileMergeReport:
        report = FileMergeReport(
            self._copy.name, assignment=self._copy.session.id, read=len(self._copy.digests)
        )
        new = [digest for digest in self._copy.digests if digest not in known]
        report.identical = report.read - len(new)
        sieves, sound = self._sieves(), list[Event]()
        rows = progress.track(
            self._copy.bodies(new), Message("Reading {file}", file=self._copy.name), total=len(new)
        )
        for number, (digest, body) in enumerate(rows):
            event = decode_row(ReturnedRow(number, bytes.fromhex(digest), body))
            validator = None if isinstance(event, str) else sieves.get(event.assessor)
            if isinstance(event, str):
                problem: str | None = event
            elif validator:
                problem = validator.problem(event)
            else:
                problem = Message("its author is not a participant of the session")
            if isinstance(event, str) or problem:
                report.reasons[problem or ""] += 1
            else:
                sound.append(event)
        lost = self._project.events.lost()
        ready, waiting = split_ready_events(
            [*self._project.events.iter_waiting(), *sound],
            lambda digest: digest in known or digest in lost,
        )
        self._project.events.take(ready, waiting)
        known.update(event.digest for event in ready)
        self._count(report, sound, {event.digest for event in waiting})
        return report

    def _sieves(self) -> dict[str, EventValidator]:
        """Return a validator for each participant, for all items ever assigned."""
        scales, values = (
            frozenset({self._project.scale.version}),
            frozenset(self._project.scale.values),
        )
        return {
            person.participant.id: EventValidator(
                person.participant.id, self._slots(person), scales, values
            )
            for person in self._copy.people
        }

    def _slots(self, person: ParticipantCopy) -> Mapping[Slot, tuple[str, ...]]:
        return make_slots(
            (item_copy.item for item_copy in person.places), grading=self._copy.grading
        )

    def _count(self, report: FileMergeReport, sound: Sequence[Event], waiting: set[str]) -> None:
        status: set[str] = set()
        for assessor in {event.assessor for event in sound}:
            status |= {
                event.digest for event in Ledger(self._project.events.read(assessor)).judgments()
            }
        report.waiting = sum(event.digest in waiting for event in sound)
        over = [
            event
            for event in sound
            if event.kind in JUDGMENTS and event.digest not in status | waiting
        ]
        report.superseded = len(over)
        report.new = len(sound) - report.waiting - report.superseded
