"""Store of a session: interface, and the store in a project file."""

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

# Where a session is kept: what its logic asks of a store, whichever one that is.


@dataclass(frozen=True, slots=True)
class LeasedItem:
    """Something that was given to a person: its number among the person's, what it is and why, and how it stands.

    The state is empty where it follows from the log: `counted` once it was judged, `held` before.
    """

    number: int
    item: AssignedItem
    secret: OrganiserNote
    state: State | None = None


@dataclass(frozen=True, slots=True)
class ParticipantJoined:
    """Another server let somebody in."""

    person: Participant


@dataclass(frozen=True, slots=True)
class ParticipantChanged:
    """Another server gave somebody another secret, or freed their seat."""

    person: Participant


@dataclass(frozen=True, slots=True)
class ItemAssigned:
    """Another server gave a person something to judge."""

    person: str
    place: LeasedItem


@dataclass(frozen=True, slots=True)
class ItemStateChanged:
    """A place of a person has another state."""

    person: str
    number: int
    state: State


@dataclass(frozen=True, slots=True)
class ActionTaken:
    """A person did something that another server took in."""

    event: Event


@dataclass(frozen=True, slots=True)
class ExclusionChanged:
    """Nothing of a person counts, or (not `aside`) all does again."""

    person: str
    aside: bool


@dataclass(frozen=True, slots=True)
class ParticipantMerged:
    """Another id stands for a person now."""

    person: str


@dataclass(frozen=True, slots=True)
class Heartbeat:
    """A person gave a sign of life so many seconds ago."""

    person: str
    seconds: float


@dataclass(frozen=True, slots=True)
class StateChanged:
    """The session is open, paused or ended."""

    state: str


@dataclass(frozen=True, slots=True)
class MessageChanged:
    """Whoever leads says something to all, or (empty) nothing any more."""

    words: str


@dataclass(frozen=True, slots=True)
class TermsChanged:
    """Something else is asked of whom from now on."""

    terms: Mapping[str, Any]


News: TypeAlias = (
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
    """What is being written contradicts what is there; without it, the rest can be written."""


class SessionStore(Protocol):
    """Keeps one session. One thread uses it at a time.

    All that writes is called inside `transaction`, and is durable when that ends well; where it raises, nothing was written.
    """

    @property
    def project(self) -> Project:
        """Where topics, texts, answers and the scale are."""

    @property
    def log(self) -> ActionLog:
        """What people did."""

    def transaction(self) -> AbstractContextManager[None]:
        """Make what happens inside durable as one, or none of it."""

    def savepoint(self) -> AbstractContextManager[None]:
        """Inside a transaction, write what happens here, or none of it where it raises; what came before stays."""

    def news(self) -> Iterable[News]:
        """Yield what other servers of the session did since the transaction before; asked at the beginning of one."""

    # The session

    @property
    def code(self) -> str:
        """What is to be known to join; empty where each server draws its own."""

    def session(self) -> StoredSession:
        """Return the session as it is kept now."""

    def seed(self) -> int:
        """Return the number from which its orders are drawn."""

    def pool(self) -> Mapping[str, Sequence[str]]:
        """Return what is to be judged in it: documents by topic."""

    def pool_version(self) -> int:
        """Return the number of the pool that `pool` gives; another one means that there is more."""

    def set_state(self, state: str) -> None:
        """Let the session be open, paused or ended."""

    def set_terms(self, terms: Mapping[str, Any]) -> None:
        """Ask something else of whom from now on, as a wish has it in JSON."""

    def message(self) -> str:
        """Return what whoever leads says to all; empty for nothing."""

    def say(self, words: str) -> None:
        """Let something be said to all; empty for nothing any more."""

    # People

    def people(self) -> Sequence[Participant]:
        """Return who joined, in the order in which they came."""

    def aside(self) -> frozenset[str]:
        """Return the ids of those of whom nothing counts."""

    def seat(self, name: str, token: bytes, time: str) -> Participant:
        """Keep a new person, with an assignment that is empty as yet."""

    def assignment(self, person: Participant) -> Assignment:
        """Return the assignment of a person."""

    def set_token(self, person: str, token: bytes) -> None:
        """Let a person in by another secret; the one before lets nobody in any more."""

    def free_seat(self, person: str) -> None:
        """Let a person have no name and nobody in by their secret; another may join by the name."""

    def completions(self) -> Mapping[str, Completion]:
        """Return who was shown the way to the completion of a panel, by id."""

    def note_completion(self, person: str, completion: Completion) -> None:
        """Note that somebody was shown the way to the completion, who was not before."""

    def surveys(self) -> Mapping[str, Mapping[str, Any]]:
        """Return what people answered before and after their work, by id."""

    def note_survey(self, person: str, answers: Mapping[str, Any]) -> None:
        """Keep more of what somebody answered."""

    def set_aside(self, person: str, *, aside: bool) -> None:
        """Let nothing of a person count, or all of it again."""

    def same(self) -> Mapping[str, str]:
        """Return which ids are those of people who have another one too: id -> the one that stands for the person."""

    def set_same(self, person: str, other: str) -> None:
        """Let an id be that of another one's person."""

    def alive(self, person: str) -> None:
        """Note that a person gave a sign of life; for other servers, so it need not last."""

    # Places

    def given(self, person: Participant) -> Sequence[LeasedItem]:
        """Return all that was ever given to a person, in order."""

    def has_client_elsewhere(self, client: str, /) -> bool:
        """Tell whether an action of a client that nobody of this session has would contradict what is there."""

    def give(
        self,
        person: Participant,
        begin: int,
        items: Sequence[AssignedItem],
        secrets: Sequence[OrganiserNote],
    ) -> None:
        """Keep what a person is given, from a number on."""

    def store_lease_states(self, states: Iterable[tuple[Participant, int, State]]) -> None:
        """Keep how places stand."""


Opening: TypeAlias = Callable[[], AbstractContextManager[SessionStore]]


# A session that is kept in the project file itself, which one process writes.

ID_BYTES = 5
STATES_NOT_IN_LOG = frozenset({"lost", "late", "taken"})  # states that cannot be told from the log


class ProjectStore:
    """Keeps a session in the project that it is about."""

    code = ""

    def __init__(self, project: Project, kept: StoredSession) -> None:
        self._project, self._kept = project, kept

    @property
    def project(self) -> Project:
        """The project, which is the store as well."""
        return self._project

    @property
    def log(self) -> EventLog:
        """The project's own log."""
        return self._project.events

    def transaction(self) -> AbstractContextManager[None]:
        """Make what happens inside durable as one, or none of it."""
        return self._project.transaction()

    def savepoint(self) -> AbstractContextManager[None]:
        """Write what happens inside, or none of it."""
        return self._project.savepoint()

    def news(self) -> Iterable[News]:
        """Nothing: nobody else writes in the project."""
        return ()

    def session(self) -> StoredSession:
        """Return the session as the project has it."""
        return next(each for each in self._project.sessions.all() if each.code == self._kept.code)

    def seed(self) -> int:
        """Return the seed of its round."""
        return next(
            (
                each.seed
                for each in self._project.assignments.rounds()
                if each.number == self._kept.round
            ),
            0,
        )

    def pool(self) -> Mapping[str, Sequence[str]]:
        """Return what the project has no other assignment for, or where it is asked for once more all."""
        return list_unassigned(self._project, besides=self._kept.round, again=self._kept.again)[0]

    def pool_version(self) -> int:
        """Return the number of the newest pool."""
        return self._project.rankings.pool_version() or 0

    def set_state(self, state: str) -> None:
        """Let the session be open, paused or ended."""
        self._project.sessions.set_state(self._kept.code, state)

    def set_terms(self, terms: Mapping[str, Any]) -> None:
        """Ask something else of whom from now on."""
        self._project.sessions.set_terms(self._kept.code, terms)

    def message(self) -> str:
        """Return what whoever leads says to all."""
        return self._project.sessions.message(self._kept.code)

    def say(self, words: str) -> None:
        """Let something be said to all."""
        self._project.sessions.say(self._kept.code, words)

    def people(self) -> Sequence[Participant]:
        """Return who joined."""
        return self._project.sessions.people(self._kept.code)

    def aside(self) -> frozenset[str]:
        """Return who is set aside in the project."""
        return frozenset(person.name for person in list_excluded_assessors(self._project))

    def seat(self, name: str, token: bytes, time: str) -> Participant:
        """Keep a new person and their assignment."""
        id = new_id(each.id for each in self._project.sessions.people())
        assignment = Assignment(
            0,
            secrets.token_hex(16),
            id,
            self._kept.mode,
            self.pool_version(),
            round=self._kept.round,
            made=time,
        )
        with self._project.transaction():
            person = Participant(
                id,
                self._kept.code,
                self._project.assignments.add(assignment, ()),
                name,
                token,
                time,
            )
            self._project.sessions.join(person)
        return person

    def assignment(self, person: Participant) -> Assignment:
        """Return the assignment of a person."""
        return next(
            each for each in self._project.assignments.all() if each.code == person.assignment
        )

    def set_token(self, person: str, token: bytes) -> None:
        """Let a person in by another secret."""
        self._project.sessions.set_token(person, token)

    def free_seat(self, person: str) -> None:
        """Let a person have no name and nobody in by their secret."""
        self._project.sessions.free(person)

    def completions(self) -> Mapping[str, Completion]:
        """Return who was shown the way to the completion, of all sessions of the project."""
        return self._project.sessions.completions()

    def note_completion(self, person: str, completion: Completion) -> None:
        """Note that somebody was shown the way to the completion."""
        self._project.sessions.note_completion(person, completion)

    def surveys(self) -> Mapping[str, Mapping[str, Any]]:
        """Return what people answered, of all sessions of the project."""
        return self._project.sessions.surveys()

    def note_survey(self, person: str, answers: Mapping[str, Any]) -> None:
        """Keep more of what somebody answered."""
        self._project.sessions.note_survey(person, answers)

    def set_aside(self, person: str, *, aside: bool) -> None:
        """Set a person aside, or bring them back."""
        exclude_assessor(self._project, person) if aside else readmit_assessor(
            self._project, person
        )

    def same(self) -> Mapping[str, str]:
        """Return which ids the project knows as those of one person."""
        return self._project.sessions.same()

    def set_same(self, person: str, other: str) -> None:
        """Let an id be that of another one's person, in the project."""
        self._project.sessions.set_same(person, other)

    def alive(self, person: str) -> None:
        """Nothing is kept: there is no other server."""

    def given(self, person: Participant) -> Sequence[LeasedItem]:
        """Return all that was ever given to a person."""
        states = self._project.sessions.places(person.assignment)
        return [
            LeasedItem(
                number,
                item,
                secret,
                next((state for state in get_args(State) if state == states.get(number)), None),
            )
            for number, item, secret in self._project.assignments.given(person.assignment)
        ]

    def has_client_elsewhere(self, _client: str) -> bool:
        """Nothing stands in the way: events are known by their hashes alone."""
        return False

    def give(
        self,
        person: Participant,
        begin: int,
        items: Sequence[AssignedItem],
        secrets: Sequence[OrganiserNote],
    ) -> None:
        """Add items to the assignment of a person."""
        self._project.assignments.give(person.assignment, begin, items, secrets)

    def store_lease_states(self, states: Iterable[tuple[Participant, int, State]]) -> None:
        """Keep of the states of places what the log does not tell."""
        rows = (
            (person.assignment, number, state if state in STATES_NOT_IN_LOG else "")
            for person, number, state in states
        )
        self._project.sessions.store_lease_states(rows)


def new_id(known: Iterable[str]) -> str:
    """Return an opaque id that nobody has."""
    taken = set(known)
    return next(
        made for made in iter(lambda: f"p-{secrets.token_hex(ID_BYTES)}", "") if made not in taken
    )


def open_project_session(
    opening: Callable[[], AbstractContextManager[Project]],
    begin: Callable[[Project], StoredSession],
) -> Opening:
    """Return what opens the store of a session that is kept in its project."""

    @contextmanager
    def opened() -> Iterator[ProjectStore]:
        with opening() as project:
            yield ProjectStore(project, begin(project))

    return opened
