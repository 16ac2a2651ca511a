"""Store of a session: protocol, and implementation in a project file."""

import secrets
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, contextmanager
from dataclasses import dataclass
from typing import Any, Protocol, TypeAlias, get_args

from irjudge.errors import CommitFailed
from irjudge.judging import (
    ActionLog,
    exclude_assessor,
    list_excluded_assessors,
    list_unassigned,
    readmit_assessor,
)
from irjudge.model import AssignedItem, Assignment, Event, OrganiserNote
from irjudge.store import Completion, EventLog, Participant, Project, StoredSession
from irjudge.web.scheduler import State

# Protocol of all stores


@dataclass(frozen=True, slots=True)
class LeasedItem:
    """Lease as stored, from which a session is restored: item, organiser's note and state.

    The state is None if it follows from the log: `counted` if judged, otherwise `held`.
    """

    number: int  # index among the participant's leases, from 0
    item: AssignedItem
    organiser_note: OrganiserNote
    state: State | None = None


@dataclass(frozen=True, slots=True)
class ParticipantJoined:
    """Change by another server: a participant joined the session."""

    participant: Participant


@dataclass(frozen=True, slots=True)
class ParticipantChanged:
    """Change by another server: a participant has a new token, or a seat was freed."""

    participant: Participant


@dataclass(frozen=True, slots=True)
class ItemAssigned:
    """Change by another server: an item was assigned to a participant."""

    participant_id: str
    lease: LeasedItem


@dataclass(frozen=True, slots=True)
class ItemStateChanged:
    """Change by another server: lease `number` of a participant has a new state."""

    participant_id: str
    number: int
    state: State


@dataclass(frozen=True, slots=True)
class ActionTaken:
    """Change by another server: an action of a participant was stored as an event."""

    event: Event


@dataclass(frozen=True, slots=True)
class ExclusionChanged:
    """Change by another server: a participant was excluded, or included again."""

    participant_id: str
    is_excluded: bool


@dataclass(frozen=True, slots=True)
class ParticipantMerged:
    """Change by another server: ids of one participant were merged."""


@dataclass(frozen=True, slots=True)
class Heartbeat:
    """Change by another server: a participant was last seen `seconds` ago."""

    participant_id: str
    seconds: float


@dataclass(frozen=True, slots=True)
class StateChanged:
    """Change by another server: the session was opened, paused or ended."""

    state: str


@dataclass(frozen=True, slots=True)
class MessageChanged:
    """Change by another server: the host's message was replaced, or removed (empty text)."""

    message: str


@dataclass(frozen=True, slots=True)
class TermsChanged:
    """Change by another server: the session has new options."""

    terms: Mapping[str, Any]


SessionChange: TypeAlias = (
    ParticipantJoined
    | ParticipantChanged
    | ItemAssigned
    | ItemStateChanged
    | ActionTaken
    | ExclusionChanged
    | ParticipantMerged
    | Heartbeat
    | StateChanged
    | MessageChanged
    | TermsChanged
)


class Conflict(CommitFailed):
    """Error: a write failed because it contradicts stored data; other writes can succeed."""


class SessionStore(Protocol):
    """Storage of one session in a project file or database; only one thread uses it at a time.

    Methods that write must be called inside `transaction`. Writes are durable when the transaction
    has succeeded; if it raises an error, nothing is written.
    """

    @property
    def project(self) -> Project:
        """Project with topics, texts, answers and the scale."""

    @property
    def log(self) -> ActionLog:
        """Event log of the participants."""

    def transaction(self) -> AbstractContextManager[None]:
        """Commit the block durably, or roll it back."""

    def savepoint(self) -> AbstractContextManager[None]:
        """Inside a transaction, roll back only this block if it raises an error."""

    def changes(self) -> Iterable[SessionChange]:
        """Yield changes by other servers since this server's last transaction.

        Call it at the beginning of a transaction.
        """

    def count_other_writes(self) -> int:
        """Return a number that changes when something else writes to the project of the session.

        It is constant if `changes` reports all changes.
        """

    # The session

    @property
    def code(self) -> str:
        """Join code; empty if the store has none, so that each server creates its own code."""

    def session(self) -> StoredSession:
        """Return the stored session."""

    def seed(self) -> int:
        """Return the random seed."""

    def pool(self) -> Mapping[str, Sequence[str]]:
        """Return the documents to judge, by topic."""

    def pool_version(self) -> int:
        """Return the version of the pool; a new version has more documents."""

    def set_state(self, state: str) -> None:
        """Store the session's state: open, paused or ended."""

    def set_terms(self, terms: Mapping[str, Any]) -> None:
        """Store the session's options as JSON."""

    def message(self) -> str:
        """Return the host's message to all participants; empty if there is none."""

    def set_message(self, message: str) -> None:
        """Store the host's message to all participants; an empty string removes it."""

    # Participants

    def participants(self) -> Sequence[Participant]:
        """Return the participants in the order of joining."""

    def excluded_ids(self) -> frozenset[str]:
        """Return the excluded ids."""

    def add_participant(self, name: str, token: bytes, time: str) -> Participant:
        """Add a participant with an empty assignment."""

    def assignment(self, participant: Participant) -> Assignment:
        """Return the assignment of a participant."""

    def set_token(self, participant_id: str, token: bytes) -> None:
        """Replace the token of a participant; the old one becomes invalid."""

    def free_seat(self, participant_id: str) -> None:
        """Remove the name and token of a participant, so that the name is available again."""

    def completions(self) -> Mapping[str, Completion]:
        """Return the completion of each participant who was shown the completion link, by id."""

    def note_completion(self, participant_id: str, completion: Completion) -> None:
        """Record when a participant was first shown the completion link."""

    def surveys(self) -> Mapping[str, Mapping[str, Any]]:
        """Return the survey answers by id."""

    def note_survey(self, participant_id: str, answers: Mapping[str, Any]) -> None:
        """Add survey answers of a participant."""

    def set_excluded(self, participant_id: str, *, is_excluded: bool) -> None:
        """Exclude or include a participant."""

    def get_first_ids(self) -> Mapping[str, str]:
        """Return the main id for each id that was merged into it."""

    def set_first_id(self, participant_id: str, other_id: str) -> None:
        """Merge two ids into one participant."""

    def record_heartbeat(self, participant_id: str) -> None:
        """Record a heartbeat for other servers; it need not be durable."""

    # Leases

    def list_leases(self, participant: Participant) -> Sequence[LeasedItem]:
        """Return all leases of a participant, in the order of presentation."""

    def has_client_elsewhere(self, client: str, /) -> bool:
        """Return whether a client without events in this session has events in another session."""

    def assign_items(
        self,
        participant: Participant,
        start: int,
        items: Sequence[AssignedItem],
        organiser_notes: Sequence[OrganiserNote],
    ) -> None:
        """Store leases of a participant, numbered from `start`."""

    def store_lease_states(self, states: Iterable[tuple[Participant, int, State]]) -> None:
        """Store the states of leases."""


StoreOpener: TypeAlias = Callable[[], AbstractContextManager[SessionStore]]


# Store in the project file, to which only one process writes

ID_BYTES = 5
STATES_NOT_IN_LOG = frozenset({"lost", "late", "taken"})  # states that the log does not imply


class ProjectStore:
    """Session store in the project file, to which no other server writes.

    Other programs may write to the file, which `count_other_writes` detects.
    """

    code = ""

    def __init__(self, project: Project, session: StoredSession) -> None:
        self._project, self._session = project, session

    @property
    def project(self) -> Project:
        """The project, which also stores the session."""
        return self._project

    @property
    def log(self) -> EventLog:
        """The project's event log."""
        return self._project.events

    def transaction(self) -> AbstractContextManager[None]:
        """Commit the block durably, or roll it back."""
        return self._project.transaction()

    def savepoint(self) -> AbstractContextManager[None]:
        """Inside a transaction, roll back only this block if it raises an error."""
        return self._project.savepoint()

    def changes(self) -> Iterable[SessionChange]:
        """Yield nothing, because no other server writes to the project."""
        return ()

    def count_other_writes(self) -> int:
        """Return a number that changes when another connection writes to the project."""
        return self._project.writes[0]

    def session(self) -> StoredSession:
        """Return the stored session."""
        return next(
            session
            for session in self._project.sessions.all()
            if session.code == self._session.code
        )

    def seed(self) -> int:
        """Return the random seed of the session's round."""
        return next(
            (
                assignment_round.seed
                for assignment_round in self._project.assignments.rounds()
                if assignment_round.number == self._session.round
            ),
            0,
        )

    def pool(self) -> Mapping[str, Sequence[str]]:
        """Return the pooled documents by topic, without those assigned outside the session.

        If the session assigns documents again, all pooled documents are returned.
        """
        return list_unassigned(
            self._project,
            ignored_round=self._session.round,
            include_assigned=self._session.assigns_again,
        )[0]

    def pool_version(self) -> int:
        """Return the number of the newest pool."""
        return self._project.rankings.pool_version() or 0

    def set_state(self, state: str) -> None:
        """Store the session's state."""
        self._project.sessions.set_state(self._session.code, state)

    def set_terms(self, terms: Mapping[str, Any]) -> None:
        """Store the session's options."""
        self._project.sessions.set_terms(self._session.code, terms)

    def message(self) -> str:
        """Return the host's message."""
        return self._project.sessions.message(self._session.code)

    def set_message(self, message: str) -> None:
        """Store the host's message."""
        self._project.sessions.set_message(self._session.code, message)

    def participants(self) -> Sequence[Participant]:
        """Return the participants."""
        return self._project.sessions.participants(self._session.code)

    def excluded_ids(self) -> frozenset[str]:
        """Return the ids that are excluded in the project."""
        return frozenset(assessor.name for assessor in list_excluded_assessors(self._project))

    def add_participant(self, name: str, token: bytes, time: str) -> Participant:
        """Add a participant and their assignment."""
        id = make_participant_id(
            participant.id for participant in self._project.sessions.participants()
        )
        assignment = Assignment(
            0,
            secrets.token_hex(16),
            id,
            self._session.mode,
            self.pool_version(),
            round=self._session.round,
            made=time,
        )
        with self._project.transaction():
            participant = Participant(
                id,
                self._session.code,
                self._project.assignments.add(assignment, ()),
                name,
                token,
                time,
            )
            self._project.sessions.add_participant(participant)
        return participant

    def assignment(self, participant: Participant) -> Assignment:
        """Return the assignment of a participant."""
        return next(
            assignment
            for assignment in self._project.assignments.all()
            if assignment.code == participant.assignment
        )

    def set_token(self, participant_id: str, token: bytes) -> None:
        """Replace the token of a participant."""
        self._project.sessions.set_token(participant_id, token)

    def free_seat(self, participant_id: str) -> None:
        """Remove the name and token of a participant."""
        self._project.sessions.release(participant_id)

    def completions(self) -> Mapping[str, Completion]:
        """Return the completions of participants in all sessions of the project."""
        return self._project.sessions.completions()

    def note_completion(self, participant_id: str, completion: Completion) -> None:
        """Record that a participant was shown the completion link."""
        self._project.sessions.note_completion(participant_id, completion)

    def surveys(self) -> Mapping[str, Mapping[str, Any]]:
        """Return the survey answers in all sessions of the project."""
        return self._project.sessions.surveys()

    def note_survey(self, participant_id: str, answers: Mapping[str, Any]) -> None:
        """Add survey answers of a participant."""
        self._project.sessions.note_survey(participant_id, answers)

    def set_excluded(self, participant_id: str, *, is_excluded: bool) -> None:
        """Exclude or include a participant."""
        exclude_assessor(self._project, participant_id) if is_excluded else readmit_assessor(
            self._project, participant_id
        )

    def get_first_ids(self) -> Mapping[str, str]:
        """Return the main id for each id of the project that was merged into it."""
        return self._project.sessions.first_ids()

    def set_first_id(self, participant_id: str, other_id: str) -> None:
        """Merge two ids into one participant, in the project."""
        self._project.sessions.set_first_id(participant_id, other_id)

    def record_heartbeat(self, participant_id: str) -> None:
        """Store nothing, because there is no other server."""

    def list_leases(self, participant: Participant) -> Sequence[LeasedItem]:
        """Return all leases of a participant, in the order of presentation."""
        states = self._project.sessions.item_states(participant.assignment)
        return [
            LeasedItem(
                position,
                item,
                organiser_note,
                next((state for state in get_args(State) if state == states.get(position)), None),
            )
            for position, item, organiser_note in self._project.assignments.all_assigned_items(
                participant.assignment
            )
        ]

    def has_client_elsewhere(self, _client: str) -> bool:
        """Return False, since events of a project are identified by hash, not by client."""
        return False

    def assign_items(
        self,
        participant: Participant,
        start: int,
        items: Sequence[AssignedItem],
        organiser_notes: Sequence[OrganiserNote],
    ) -> None:
        """Add items to the assignment of a participant."""
        self._project.assignments.append_items(
            participant.assignment, start, items, organiser_notes
        )

    def store_lease_states(self, states: Iterable[tuple[Participant, int, State]]) -> None:
        """Store the states that the log does not imply."""
        self._project.sessions.store_lease_states(
            (participant.assignment, position, state if state in STATES_NOT_IN_LOG else "")
            for participant, position, state in states
        )


def make_participant_id(known_ids: Iterable[str]) -> str:
    """Return a random participant id that is not in `known_ids`."""
    taken_ids = set(known_ids)
    return next(
        candidate
        for candidate in iter(lambda: f"p-{secrets.token_hex(ID_BYTES)}", "")
        if candidate not in taken_ids
    )


def open_project_session(
    open_project: Callable[[], AbstractContextManager[Project]],
    start: Callable[[Project], StoredSession],
) -> StoreOpener:
    """Return a function that opens the store of a session in its project."""

    @contextmanager
    def open_store() -> Iterator[ProjectStore]:
        with open_project() as project:
            yield ProjectStore(project, start(project))

    return open_store
