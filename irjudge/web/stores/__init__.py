"""Where a session is kept: what its logic asks of a store, whichever one that is."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass
from typing import Any, Protocol, TypeAlias

from irjudge.errors import CommitFailed
from irjudge.judging.recorder import Log
from irjudge.model.assignment import AssignedItem, Assignment, Secret
from irjudge.model.event import Event
from irjudge.store.project import Project
from irjudge.store.sessions import Completion, KeptSession, Participant
from irjudge.web.dispatch import State


@dataclass(frozen=True, slots=True)
class GivenPlace:
    """Something that was given to a person: its number among the person's, what it is and why, and how it stands.

    The state is empty where it follows from the log: `counted` once it was judged, `held` before.
    """

    number: int
    item: AssignedItem
    secret: Secret
    state: State | None = None


@dataclass(frozen=True, slots=True)
class Joined:
    """Another server let somebody in."""

    person: Participant


@dataclass(frozen=True, slots=True)
class Changed:
    """Another server gave somebody another secret, or freed their seat."""

    person: Participant


@dataclass(frozen=True, slots=True)
class GivenOut:
    """Another server gave a person something to judge."""

    person: str
    place: GivenPlace


@dataclass(frozen=True, slots=True)
class Moved:
    """A place of a person has another state."""

    person: str
    number: int
    state: State


@dataclass(frozen=True, slots=True)
class Acted:
    """A person did something that another server took in."""

    event: Event


@dataclass(frozen=True, slots=True)
class AsideSet:
    """Nothing of a person counts, or (not `aside`) all does again."""

    person: str
    aside: bool


@dataclass(frozen=True, slots=True)
class SameSaid:
    """Another id stands for a person now."""

    person: str


@dataclass(frozen=True, slots=True)
class Alive:
    """A person gave a sign of life so many seconds ago."""

    person: str
    seconds: float


@dataclass(frozen=True, slots=True)
class StateSet:
    """The session is open, paused or ended."""

    state: str


@dataclass(frozen=True, slots=True)
class MessageSaid:
    """Whoever leads says something to all, or (empty) nothing any more."""

    words: str


@dataclass(frozen=True, slots=True)
class TermsSet:
    """Something else is asked of whom from now on."""

    terms: Mapping[str, Any]


News: TypeAlias = (
    Joined
    | Changed
    | GivenOut
    | Moved
    | Acted
    | AsideSet
    | SameSaid
    | Alive
    | StateSet
    | MessageSaid
    | TermsSet
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
    def log(self) -> Log:
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

    def session(self) -> KeptSession:
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

    def given(self, person: Participant) -> Sequence[GivenPlace]:
        """Return all that was ever given to a person, in order."""

    def knows_client(self, client: str, /) -> bool:
        """Tell whether an action of a client that nobody of this session has would contradict what is there."""

    def give(
        self,
        person: Participant,
        begin: int,
        items: Sequence[AssignedItem],
        secrets: Sequence[Secret],
    ) -> None:
        """Keep what a person is given, from a number on."""

    def keep_places(self, states: Iterable[tuple[Participant, int, State]]) -> None:
        """Keep how places stand."""


Opening: TypeAlias = Callable[[], AbstractContextManager[SessionStore]]
