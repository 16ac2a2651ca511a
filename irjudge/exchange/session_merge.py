"""Merging of sessions from a database into a project: new participants, items and events."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import nullcontext
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from irjudge.exchange.assignments import ensure_identity
from irjudge.exchange.merging import FileMergeReport, back_up_project, split_ready_events
from irjudge.exchange.result_file import EventValidator, decode_row, make_slots
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
    """Copy of an item that was assigned to a participant, with the stored state of its lease."""

    number: int  # index, from 0, of the item among the participant's items
    item: AssignedItem
    note: OrganiserNote
    # `lost`, `late` or `taken` (see `web.scheduler.State`); empty for a state that the log implies
    state: str


@dataclass(frozen=True, slots=True)
class ParticipantCopy:
    """Copy of a session's participant: assigned items, exclusion, completion and survey.

    The participant's events are not included. If name and token were removed from the database, the
    participant is released (`is_released`).
    """

    participant: Participant
    assignment: str  # id of the participant's assignment
    items: Sequence[AssignedItemCopy]
    is_excluded: bool = False
    first_id: str = ""  # main id of the participant; empty if `participant` has the main id
    completion: Completion | None = None
    # answers to the surveys before and after judging
    survey: Mapping[str, Any] = field(default_factory=dict)

    @property
    def is_released(self) -> bool:
        """Whether the name and token of the participant were removed."""
        return not (self.participant.name or self.participant.token)


@dataclass(frozen=True, slots=True)
class SessionCopy:
    """Copy of one state of a session in a database, to be merged into a project.

    It contains the options, the participants and the digests of the events. The function `bodies`
    reads the events with the given digests, and yields the digest and the stored bytes of each; it
    can be called only while the copy of the database is open.
    """

    name: str  # name of the storage, for messages
    session: StoredSession  # stored session, whose number is valid only in this storage
    seed: int  # seed of the document orders
    pool: int  # version of the judged pool
    options: Mapping[str, Any]  # options of the round of assignments
    grading: bool  # whether compared documents may be graded
    participants: Sequence[ParticipantCopy]  # participants in order of joining
    digests: Sequence[str]  # digests of all events, in the order of writing
    bodies: Callable[
        [Sequence[str]], Iterable[tuple[str, bytes]]
    ]  # function that reads events by digest


@dataclass(slots=True)
class SessionMergeReport:
    """Result of `merge_sessions`: a report on each session, and the path of the backup.

    The sessions were copied from a database. Sessions without anything new have a report, too. The
    path is None if there was nothing new to merge or no backup was requested.
    """

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
    """Merge copies of sessions, which were made from a database, into a project.

    Merging the same copies again has no effect.
    """
    copies = [_remove_erased(project, copy) for copy in copies]
    result = SessionMergeReport()
    known_digests = project.events.digests() | {
        event.digest for event in project.events.iter_waiting()
    }
    changed_copies = [
        copy for copy in copies if _SessionMerger(project, copy).is_new(known_digests)
    ]
    with (
        back_up_project(project, clock(), progress)
        if changed_copies and backup
        else nullcontext() as result.backup,
        project.transaction(),
    ):
        if changed_copies:
            ensure_identity(project)
        for copy in copies:
            result.reports.append(_SessionMerger(project, copy).merge(known_digests, progress))
    return result


def _remove_erased(project: Project, copy: SessionCopy) -> SessionCopy:
    """Return a session copy without the participants and events erased from the project."""
    erased_digests = project.events.erased_digests()
    participants = [
        participant_copy
        for participant_copy in copy.participants
        if not is_erased(project, participant_copy.participant.id)
    ]
    return replace(
        copy,
        participants=participants,
        digests=[digest for digest in copy.digests if digest not in erased_digests],
    )


class _SessionMerger:
    """Merger of the copy of one session into a project, which may already have parts of it."""

    def __init__(self, project: Project, copy: SessionCopy) -> None:
        self._project, self._session_copy = project, copy
        self._stored_session = next(
            (session for session in project.sessions.all() if session.id == copy.session.id), None
        )
        self._stored_participants = (
            {
                participant.id: participant
                for participant in project.sessions.participants(self._stored_session.code)
            }
            if self._stored_session
            else {}
        )
        self._completions, self._surveys = (
            project.sessions.completions(),
            project.sessions.surveys(),
        )
        self._exclusion_reasons = {
            participant.name: participant.exclusion_reason
            for participant in project.assignments.registered_assessors()
        }

    def is_new(self, known_digests: set[str]) -> bool:
        stored_session, session_copy = self._stored_session, self._session_copy
        if (
            stored_session is None
            or stored_session.state != session_copy.session.state
            or self._have_rounds_changed()
            or any(digest not in known_digests for digest in session_copy.digests)
        ):
            return True
        return any(
            self._has_changed(participant_copy) for participant_copy in session_copy.participants
        )

    def _have_rounds_changed(self) -> bool:
        """Return whether the norming rounds of the copy differ from those in the project."""
        return self._stored_session is not None and self._stored_session.terms.get(
            NORMING_KEY
        ) != self._session_copy.session.terms.get(NORMING_KEY)

    def _has_changed(self, participant_copy: ParticipantCopy) -> bool:
        stored_participant = self._stored_participants.get(participant_copy.participant.id)
        if (
            stored_participant is None
            or stored_participant.token != participant_copy.participant.token
            or self._needs_exclusion(participant_copy)
            or self._needs_readmission(participant_copy)
            or self._needs_id_merge(participant_copy)
            or self._needs_completion(participant_copy)
            or self._needs_survey(participant_copy)
        ):
            return True
        states = self._project.sessions.item_states(stored_participant.assignment)
        return len(
            self._project.assignments.all_assigned_items(stored_participant.assignment)
        ) != len(participant_copy.items) or any(
            states.get(item_copy.number, "") != item_copy.state
            for item_copy in participant_copy.items
        )

    def _needs_exclusion(self, participant_copy: ParticipantCopy) -> bool:
        return (
            participant_copy.is_excluded
            and self._exclusion_reasons.get(participant_copy.participant.id) is None
        )

    def _needs_readmission(self, participant_copy: ParticipantCopy) -> bool:
        return (
            not participant_copy.is_excluded
            and self._exclusion_reasons.get(participant_copy.participant.id) == EXCLUDED_AT_SERVER
        )

    def _needs_id_merge(self, participant_copy: ParticipantCopy) -> bool:
        main_ids, id = self._project.sessions.first_ids(), participant_copy.participant.id
        return bool(participant_copy.first_id) and main_ids.get(id, id) != main_ids.get(
            participant_copy.first_id, participant_copy.first_id
        )

    def _needs_completion(self, participant_copy: ParticipantCopy) -> bool:
        return (
            participant_copy.completion is not None
            and participant_copy.participant.id not in self._completions
        )

    def _needs_survey(self, participant_copy: ParticipantCopy) -> bool:
        return (
            bool(participant_copy.survey)
            and self._surveys.get(participant_copy.participant.id) != participant_copy.survey
        )

    def merge(self, known_digests: set[str], progress: Progress) -> FileMergeReport:
        """Merge the session, and return a report on its events."""
        session = self._add_session()
        for participant_copy in self._session_copy.participants:
            self._merge_participant(session, participant_copy)
        return self._merge_events(known_digests, progress)

    def _add_session(self) -> StoredSession:
        session, sessions = self._session_copy.session, self._project.sessions
        if self._stored_session is None:
            round_number = len(self._project.assignments.rounds()) + 1
            self._project.assignments.add_round(
                Round(
                    round_number, self._session_copy.seed, self._session_copy.options, session.made
                )
            )
            code = sessions.add(
                session.id, round_number, {**session.terms, HOSTED_ELSEWHERE: True}, session.made
            )
            self._stored_session = replace(session, code=code, round=round_number, state="open")
        if self._stored_session.state != session.state:
            sessions.set_state(self._stored_session.code, session.state)
        if self._have_rounds_changed():
            sessions.set_terms(
                self._stored_session.code,
                {**self._stored_session.terms, NORMING_KEY: session.terms.get(NORMING_KEY)},
            )
        return self._stored_session

    def _merge_participant(self, session: StoredSession, participant_copy: ParticipantCopy) -> None:
        """Merge the copy of a participant: items, states, exclusion, completion and survey.

        The name of a participant who is already in the project is not changed.
        """
        stored_participant = self._store_participant(session, participant_copy)
        self._store_items(stored_participant.assignment, participant_copy.items)
        if self._needs_exclusion(participant_copy) or self._needs_readmission(participant_copy):
            self._project.assignments.set_exclusion(
                stored_participant.id, EXCLUDED_AT_SERVER if participant_copy.is_excluded else None
            )
        if self._needs_id_merge(participant_copy):
            self._project.sessions.set_first_id(stored_participant.id, participant_copy.first_id)
        if participant_copy.completion and self._needs_completion(participant_copy):
            self._project.sessions.note_completion(
                stored_participant.id, participant_copy.completion
            )
        if self._needs_survey(participant_copy):
            self._project.sessions.note_survey(stored_participant.id, participant_copy.survey)

    def _store_participant(
        self, session: StoredSession, participant_copy: ParticipantCopy
    ) -> Participant:
        """Add a new participant with an empty assignment, or copy a changed token.

        If name and token were removed in the database, they are also removed in the project.
        """
        participant = participant_copy.participant
        stored_participant = self._stored_participants.get(participant.id)
        if stored_participant is None:
            assignment = Assignment(
                0,
                participant_copy.assignment,
                participant.id,
                session.mode,
                self._session_copy.pool,
                round=session.round,
                made=participant.joined,
            )
            stored_participant = replace(
                participant,
                session=session.code,
                assignment=self._project.assignments.add(assignment, ()),
            )
            self._project.sessions.add_participant(stored_participant)
        elif stored_participant.token != participant.token:
            if participant_copy.is_released:
                self._project.sessions.release(stored_participant.id)
            else:
                self._project.sessions.set_token(stored_participant.id, participant.token)
        return stored_participant

    def _store_items(self, assignment: int, items: Sequence[AssignedItemCopy]) -> None:
        start = len(self._project.assignments.all_assigned_items(assignment))
        new_items = [item for item in items if item.number >= start]
        self._project.assignments.append_items(
            assignment,
            start,
            [item.item for item in new_items],
            [item.note for item in new_items],
        )
        states = self._project.sessions.item_states(assignment)
        self._project.sessions.store_lease_states(
            (assignment, item.number, item.state)
            for item in items
            if states.get(item.number, "") != item.state
        )

    def _merge_events(self, known_digests: set[str], progress: Progress) -> FileMergeReport:
        report = FileMergeReport(
            self._session_copy.name,
            assignment=self._session_copy.session.id,
            read=len(self._session_copy.digests),
        )
        new_digests = [
            digest for digest in self._session_copy.digests if digest not in known_digests
        ]
        report.identical = report.read - len(new_digests)
        validators, accepted_events = self._make_validators(), list[Event]()
        rows = progress.track(
            self._session_copy.bodies(new_digests),
            Message("Reading {file}", file=self._session_copy.name),
            total=len(new_digests),
        )
        for number, (digest, body) in enumerate(rows):
            event = decode_row(ReturnedRow(number, bytes.fromhex(digest), body))
            validator = None if isinstance(event, str) else validators.get(event.assessor)
            if isinstance(event, str):
                problem: str | None = event
            elif validator:
                problem = validator.find_problem(event)
            else:
                problem = Message("the assessor is not a participant of the session")
            if isinstance(event, str) or problem:
                report.reasons[problem or ""] += 1
            else:
                accepted_events.append(event)
        lost_digests = self._project.events.lost_digests()
        ready_events, waiting_events = split_ready_events(
            [*self._project.events.iter_waiting(), *accepted_events],
            lambda digest: digest in known_digests or digest in lost_digests,
        )
        self._project.events.append_merged(ready_events, waiting_events)
        known_digests.update(event.digest for event in ready_events)
        self._count_events(report, accepted_events, {event.digest for event in waiting_events})
        return report

    def _make_validators(self) -> dict[str, EventValidator]:
        """Return a validator for each participant, which accepts events on all assigned items.

        Items that were assigned to another participant later are included.
        """
        scales = frozenset({self._project.scale.version})
        values = frozenset(self._project.scale.values)
        return {
            participant_copy.participant.id: EventValidator(
                participant_copy.participant.id,
                make_slots(
                    (item_copy.item for item_copy in participant_copy.items),
                    grading=self._session_copy.grading,
                ),
                scales,
                values,
            )
            for participant_copy in self._session_copy.participants
        }

    def _count_events(
        self, report: FileMergeReport, valid_events: Sequence[Event], waiting_digests: set[str]
    ) -> None:
        current_digests: set[str] = set()
        for assessor in {event.assessor for event in valid_events}:
            current_digests |= {
                event.digest for event in Ledger(self._project.events.read(assessor)).judgments()
            }
        report.waiting = sum(event.digest in waiting_digests for event in valid_events)
        pending_digests = current_digests | waiting_digests
        superseded_events = [
            event
            for event in valid_events
            if event.kind in JUDGMENTS and event.digest not in pending_digests
        ]
        report.superseded = len(superseded_events)
        report.new = len(valid_events) - report.waiting - report.superseded
