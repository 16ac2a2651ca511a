"""A session: who takes part, what each is given, what of it counts. It speaks no HTTP; one thread uses it at a time."""

import secrets
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from hashlib import sha256
from typing import Any

from irjudge.errors import IrjudgeError
from irjudge.exchange.result_file import well_formed
from irjudge.exchange.shares import Pair
from irjudge.exchange.sieve import TIME, Sieve
from irjudge.judging.arrivals import PAGE_TIME, Arrivals
from irjudge.judging.recorder import utc_now
from irjudge.judging.supply import shown_calibration
from irjudge.message import Message
from irjudge.model.assignment import AssignedItem, Assignment
from irjudge.model.event import Event, Key
from irjudge.model.event_form import BROKEN
from irjudge.store.guest import LARGEST_EVENT
from irjudge.store.sessions import ENDED, OPEN, PAUSED, Participant
from irjudge.web.desk import Desk
from irjudge.web.dispatch import Dispatch, Given, Place
from irjudge.web.stores import Acted, Alive, GivenOut, GivenPlace, Joined, Moved, News, NewToken, SameSaid, SessionStore, SetAside, StateSet
from irjudge.web.subject import subject_of
from irjudge.web.wish import Wish, planted

TOKEN_BYTES = 16
LONGEST_NAME, MOST_PEOPLE, MOST_WANTED, MOST_ACTIONS = 80, 2000, 5, 200
SHOWN_AGAIN = 30  # judged items that a browser gets which knows none of them
MANY, MANY_SECONDS = 5000, 5.0  # judgments, from which on they are not counted for every request but so often
FAREWELL = 16.0  # seconds in which every page that is open asks how the session stands
SILENT_AFTER = 30.0  # seconds without a sign of life
TAKEN = Message("another action has this number already")
GAP = Message("an action before it is missing")
NOT_GIVEN = Message("it is about something that was not given to you")
NO_TARGET = Message("what it takes back or brings back is missing")
LARGE = Message("it is larger than an action can be")


class Refused(IrjudgeError):
    """What somebody asks of a session cannot be: `kind` is what a page can tell it by."""

    def __init__(self, kind: str, sentence: str, /, **values: object) -> None:
        super().__init__(sentence, **values)
        self.kind = kind


@dataclass(frozen=True, slots=True)
class Showing:
    """One item for a page: its place among the person's, and what it shows; the text is fetched by whoever sends it."""

    place: int
    item: AssignedItem
    occurrence: int


@dataclass(slots=True)
class Answer:
    """What a page is told.

    Parameters
    ----------
    state
        Of the session.
    acknowledged
        The number of the client's newest action that is kept.
    refused
        Number and reason of the first action that is not taken; None where all are.
    count
        How many actions of the person are kept.
    places
        How many items the person was ever given.
    showings
        Those that the page lacks.
    lost
        Places, among the person's, of what is not theirs to judge any more.
    wanted, judged
        Of the whole session: judgments wanted, and those that count.
    complete
        Where somebody of a panel goes now; empty as long as something is to be done.
    """

    state: str
    acknowledged: int
    refused: tuple[int, str] | None
    count: int
    places: int
    showings: list[Showing]
    lost: list[int]
    wanted: int
    judged: int
    complete: str = ""


@dataclass(frozen=True, slots=True)
class Seat:
    """How one person stands, for whoever leads."""

    id: str
    name: str
    judged: int
    late: int
    held: int
    aside: bool
    here: bool
    seconds: float | None  # median active time of a judgment
    same: str = ""  # what the person is called under the id that stands for them, where that is another one


@dataclass(frozen=True, slots=True)
class Standing:
    """How the session stands, for whoever leads."""

    state: str
    seats: tuple[Seat, ...]
    topics: Mapping[str, tuple[int, int]]
    late: tuple[tuple[str, Pair], ...]  # person and pair
    actions: int  # that all of them did


def hashed(token: str) -> bytes:
    """Return what a project keeps of a token."""
    return sha256(token.encode()).digest()


class SharedSession:
    """A session at work.

    Everything that changes writes into the store; whoever calls puts a transaction around it, and throws this object away when that
    fails. Then another, made from the store, stands where the last good transaction ended.

    Parameters
    ----------
    store
        Keeps the session; this thread alone uses it.
    clock
        Gives the time of an event.
    monotonic
        Gives seconds that never jump, for leases.
    """

    def __init__(
        self,
        store: SessionStore,
        *,
        clock: Callable[[], str] = utc_now,
        monotonic: Callable[[], float] = time.monotonic,
    ) -> None:
        self._store, self.project = store, store.project
        self._clock, self._monotonic = clock, monotonic
        kept = store.session()
        self.wish = Wish.from_json(kept.terms)
        self.state = kept.state
        self._scale = self.project.scale
        self._scales, self._values = frozenset({self._scale.version}), frozenset(self._scale.values)
        self._version = store.pool_version()
        self._gold, self._checks = planted(self.project, self.wish)
        self.subject = subject_of(store, self.wish.compare, self.wish.topics)
        people, aside = store.people(), store.aside()
        self.dispatch = self._new_dispatch()
        self._desks: dict[str, Desk] = {}
        self._tokens: dict[bytes, str] = {}
        self._clients: dict[str, str] = {}
        self._sum: tuple[float, int, int] = (float("-inf"), 0, 0)
        for participant in people:
            self._open_desk(participant)
            if participant.id in aside:
                self.dispatch.set_aside(participant.id)

    def _new_dispatch(self) -> Dispatch:
        """Return the dispatch of this session, which knows of nobody yet but which ids are those of one person."""
        opening = {} if self.wish.compare else shown_calibration(self.project)
        return Dispatch(
            self.wish.terms,
            self.subject.pool(),
            self._store.seed(),
            gold=self._gold,
            opening=opening,
            may_repeat=self._may_repeat,
            same=self._store.same(),
        )

    def _open_desk(self, participant: Participant) -> Desk:
        """Put a person's places and work back as the project has them."""
        desk = Desk(participant, Arrivals(self._store.log, participant.id))
        self._desks[participant.id], self._tokens[participant.token] = desk, participant.id
        self._clients |= dict.fromkeys(desk.arrivals.clients, participant.id)
        for given in self._store.given(participant):
            self._put_back(desk, given)
        return desk

    def _put_back(self, desk: Desk, given: GivenPlace) -> None:
        """Put a place back as it is kept."""
        occurrence = 2 if given.secret.role == "repeat" else 1
        place = Place(desk.participant.id, self.subject.pair_of(given.item, given.secret), given.secret.role, occurrence)
        shown = desk.add(place, given.item, given.secret, grading=self._grading)
        place.state = given.state or ("counted" if desk.arrivals.ledger.judgment(shown.key) is not None else "held")
        self.dispatch.restore(place, self._monotonic())

    @property
    def _grading(self) -> bool:
        """Whether documents may be graded where two sides are compared."""
        return self.subject.rules is not None and self.subject.rules.grading

    def _may_repeat(self, place: Place) -> bool:
        return self.subject.may_repeat(place, self._desks[place.person].shown)

    def labels(self) -> tuple[str, ...]:
        """Return the words of this session that a page shows in the reader's language, where it is known there."""
        grades = (words for grade in self._scale.grades for words in (grade.label, grade.help))
        return (*grades, self._scale.question, *(self.subject.rules.reasons if self.subject.rules else ()))

    def catch_up(self) -> None:
        """Take in what other servers of the session did meanwhile; at the beginning of a transaction."""
        for news in self._store.news():
            self._hear(news)

    def _hear(self, news: News) -> None:
        match news:
            case Joined(person):
                self._open_desk(person)
            case GivenOut(person, place):
                self._put_back(self._desks[person], place)
            case Moved(person, number, state):
                self.dispatch.move(self._desks[person].shown[number].place, state, self._monotonic())
            case Acted(event):
                self._desks[event.assessor].note(event)
                self._clients.setdefault(event.client, event.assessor)
            case Alive(person, seconds):
                self._desks[person].seen = max(self._desks[person].seen, self._monotonic() - seconds)
                self.dispatch.alive(person, self._monotonic() - seconds)
            case SetAside(person, aside):
                self.dispatch.set_aside(person) if aside else self.dispatch.bring_back(person)
            case SameSaid():
                self._share_out_anew()
            case NewToken(person, token):
                self._let_in_by(self._desks[person], token)
            case StateSet(state):
                self.state = state

    # Joining

    def join(self, name: str) -> tuple[str, str]:
        """Let somebody in who knows the code, and return their id and their token.

        Raises
        ------
        Refused
            When the name is none, is taken, or is not on the list.
        """
        name = " ".join(name.split())
        if not name or len(name) > LONGEST_NAME or not name.isprintable():
            raise Refused("name", "Give a name of 1 to {longest} letters.", longest=LONGEST_NAME)
        if self.state == ENDED:
            raise Refused("ended", "The session has ended.")
        if self.wish.join == "links":
            raise Refused("links", "This session is joined by personal links. Ask whoever leads for yours.")
        if self.wish.join == "names" and name.casefold() not in {each.casefold() for each in self.wish.names}:
            raise Refused("unlisted", "{name} is not on the list. Write the name as the list has it, or ask whoever leads.", name=name)
        if any(desk.participant.name.casefold() == name.casefold() for desk in self._desks.values()):
            raise Refused("taken", "{name} is here already. If that is you, ask whoever leads to let you in again.", name=name)
        if len(self._desks) >= MOST_PEOPLE:
            raise Refused("full", "The session is full.")
        token = secrets.token_urlsafe(TOKEN_BYTES)
        person = self._store.seat(name, hashed(token), self._clock())
        self._open_desk(person).seen = self._monotonic()
        return person.id, token

    def join_by_panel(self, given: Mapping[str, Any]) -> tuple[str, str]:
        """Let somebody in whom the panel sends, or in again: who comes back is the same person.

        Raises
        ------
        Refused
            When the link does not say who comes, or the session has ended.
        """
        panel = self.wish.panel
        name = panel.who(given) if panel else ""
        if not name:
            raise Refused("panel", "Open this page by the link of the panel.")
        known = next((id for id, desk in self._desks.items() if desk.participant.name.casefold() == name.casefold()), None)
        return (known, self.let_in_again(known)) if known else self.join(name)

    def who(self, token: str) -> str:
        """Return whose token it is; only its hash is ever looked up.

        Raises
        ------
        Refused
            When it is nobody's.
        """
        person = self._tokens.get(hashed(token))
        if person is None:
            raise Refused("token", "You are not let in any more. Join again, or ask whoever leads to let you in.")
        return person

    def let_in_again(self, person: str) -> str:
        """Return a new token for somebody who lost theirs; the one before lets nobody in any more."""
        token, desk = secrets.token_urlsafe(TOKEN_BYTES), self._desks[person]
        self._let_in_by(desk, hashed(token))
        self._store.set_token(person, desk.participant.token)
        return token

    def _let_in_by(self, desk: Desk, token: bytes) -> None:
        self._tokens.pop(desk.participant.token, None)
        desk.participant = replace(desk.participant, token=token)
        self._tokens[token] = desk.participant.id

    def welcome(self, person: str) -> tuple[Assignment, str, list[dict[str, Any]]]:
        """Return what a page that opens needs: the assignment, the person's name, and all they did."""
        desk = self._desks[person]
        return self._store.assignment(desk.participant), desk.participant.name, desk.arrivals.actions()

    # Judging

    def sync(self, person: str, actions: Sequence[Any], *, client: str = "", want: int = 0, has: int = 0) -> Answer:
        """Take in what a page did, in order, and give it what it wants.

        Parameters
        ----------
        person
            Whose page it is.
        actions
            As the page made them; the first that cannot be taken ends the taking.
        client
            The page's own; its newest number is told.
        want
            How many items the page wants to have ready.
        has
            How many of the person's items it knows.
        """
        desk, now = self._desks[person], self._monotonic()
        desk.seen = now
        self.dispatch.alive(person, now)
        self._store.alive(person)
        refused = None
        for action in actions:
            problem = self._take(desk, action, now)
            if problem is not None:
                number = action.get("number") if isinstance(action, dict) else 0
                refused = (number if isinstance(number, int) else 0, problem)
                break
        if want and self.state == OPEN:
            self._claim(desk, min(want, MOST_WANTED, self._left(desk)), now)
        judged, wanted = self._judged_of_wanted(now)
        lost = [number for number, place in enumerate(desk.places) if place.state == "lost"]
        acknowledged = desk.arrivals.last(client)
        showings = self._showings(desk, has)
        counts = len(desk.arrivals), len(desk.places)
        return Answer(self.state, acknowledged, refused, *counts, showings, lost, wanted, judged, self._complete(desk))

    def _left(self, desk: Desk) -> int:
        """Return how many items of a submission are not judged yet."""
        return max(0, self.wish.panel.each - self._judged_by(desk)) if self.wish.panel else MOST_WANTED

    def _judged_by(self, desk: Desk) -> int:
        """Return how much a person judged, under whichever id."""
        return sum(each.judged for each in self._desks_of(desk.participant.id))

    def _desks_of(self, person: str) -> list[Desk]:
        """Return all that a person works at: one desk for each of their ids."""
        who = self.dispatch.who(person)
        return [desk for desk in self._desks.values() if self.dispatch.who(desk.participant.id) == who]

    def _complete(self, desk: Desk) -> str:
        """Return where somebody of a panel goes: their submission is whole, or nothing is left for them."""
        panel = self.wish.panel
        if panel is None or not desk.judged or self.dispatch.held(desk.participant.id):
            return ""
        if self._judged_by(desk) < panel.each and self.state == OPEN and not self.dispatch.done:
            return ""
        wrong = sum(self._is_wrong(desk, shown.place.pair, shown.key) for shown in desk.shown)
        return panel.failed if panel.failed and wrong > panel.forgiven else panel.completion

    def _is_wrong(self, desk: Desk, pair: Pair, key: Key) -> bool:
        """Tell whether somebody pressed another key than an attention check asked for."""
        event = desk.arrivals.ledger.judgment(key) if pair in self._checks else None
        return event is not None and event.payload.get("value") != self._checks[pair]

    def _judged_of_wanted(self, now: float) -> tuple[int, int]:
        """Return how many judgments of the session count and how many are wanted; of very many, looked at anew now and then."""
        if self._sum[2] < MANY or now - self._sum[0] >= MANY_SECONDS:
            topics = self.dispatch.progress().values()
            self._sum = now, sum(counted for counted, _ in topics), sum(wanted for _, wanted in topics)
        return self._sum[1:]

    def _take(self, desk: Desk, action: Any, now: float) -> str | None:
        """Take one action in; return why it is not taken, None where it is."""
        if not well_formed(action) or PAGE_TIME in action["payload"] or not TIME.fullmatch(action["time"]):
            return BROKEN
        known = desk.arrivals.known.get((action["client"], action["number"]))
        try:
            event = desk.arrivals.event_of(action, self._clock())
            if event is not None and len(event.encoded) > LARGEST_EVENT:
                return LARGE
        except (ValueError, TypeError, RecursionError):
            return BROKEN
        if event is None:
            return NO_TARGET
        if known is not None:
            return None if event.digest == known.digest else TAKEN
        if self._clients.get(action["client"], desk.participant.id) != desk.participant.id:
            return TAKEN
        if action["number"] != desk.arrivals.last(action["client"]) + 1:
            return GAP
        item = event.item
        if (item.type, *item.key) not in desk.slots or item.contents != self._contents(desk, item.documents):
            return NOT_GIVEN
        sieve = Sieve(desk.participant.id, desk.slots, self._scales, self._values)
        problem = sieve.problem(event) or desk.problem(event)
        if problem is None:
            self._keep(desk, event, now)
        return problem

    def _contents(self, desk: Desk, documents: Sequence[str]) -> tuple[str, ...]:
        """Return the hashes of documents' texts as they are now."""
        missing = [document for document in documents if document not in desk.contents]
        if missing:
            desk.contents |= self.project.collection.digests(missing)
        return tuple(desk.contents.get(document, "") for document in documents)

    def _keep(self, desk: Desk, event: Event, now: float) -> None:
        key = event.item.key
        number, before = desk.by_key.get(key), desk.arrivals.ledger.judgment(key)
        desk.arrivals.append(event)
        self._clients[event.client] = desk.participant.id
        desk.time(event)
        after = desk.arrivals.ledger.judgment(key)
        if number is None:
            return  # the grade of a document that is compared fills no overlap
        place = desk.shown[number].place
        was = place.state
        if after is None and before is not None:
            self.dispatch.unjudged(place, now)
        elif after is not None and (before is None or was in ("lost", "held")):
            self.dispatch.judged(place)
            self._keep_states(self.dispatch.filled(place.pair))
        if place.state != was:
            self._keep_states([place])

    def _keep_states(self, places: Sequence[Place]) -> None:
        """Keep how places stand."""
        rows = []
        for place in places:
            desk = self._desks[place.person]
            rows.append((desk.participant, desk.numbers[place], place.state))
        self._store.keep_places(rows)

    def _claim(self, desk: Desk, want: int, now: float) -> None:
        """Give a person items until so many are open, and keep that before they hear of it."""
        person, skipped = desk.participant.id, desk.arrivals.ledger.skipped
        ready = [place for place in self.dispatch.held(person) if not skipped(desk.key(place))]
        if len(ready) >= want:
            return
        begin, more = len(desk.shown), want - len(ready)
        while more > 0 and (given := self._given(person, now)).places:
            for place in given.places:
                if place not in desk.numbers:
                    desk.add(place, *self.subject.item(place, desk.shown), grading=self._grading)
            again = [place for place in given.places if desk.numbers[place] < begin]
            self._keep_states([*given.lost, *again])
            more -= len(given.places)
        fresh = desk.shown[begin:]
        self._store.give(desk.participant, begin, [each.item for each in fresh], [each.secret for each in fresh])

    def _given(self, person: str, now: float) -> Given:
        """Give a person one place more; where nothing is left, of what a newer pool brought."""
        given = self.dispatch.claim(person, now)
        return self.dispatch.claim(person, now) if not given.places and self._refresh() else given

    def _refresh(self) -> bool:
        """Take in what a newer pool brought; tell whether there is one."""
        version = self._store.pool_version()
        if version == self._version:
            return False
        self._version = version
        self.dispatch.extend(self.subject.pool())
        return True

    @staticmethod
    def _showings(desk: Desk, has: int) -> list[Showing]:
        """Return what a page lacks; of what was judged long ago it needs no text."""
        missing = list(enumerate(desk.shown))[max(0, has) :]
        done = [number for number, each in missing if each.place.state in ("counted", "late", "taken")]
        old = set(done[:-SHOWN_AGAIN])
        left = ((number, each) for number, each in missing if each.place.state != "lost" and number not in old)
        return [Showing(number, each.item, each.occurrence) for number, each in left]

    # Leading

    def set_state(self, state: str) -> None:
        """Pause the session, let it go on, or end it."""
        if state not in (OPEN, PAUSED, ENDED):
            raise IrjudgeError("A session is open, paused or ended, not {state}.", state=state)
        self._store.set_state(state)
        self.state = state

    def set_aside(self, person: str) -> None:
        """Let nothing of a person count, so that others judge it; their events stay."""
        for desk in self._desks_of(person):
            self._store.set_aside(desk.participant.id, aside=True)
        self._keep_states(self.dispatch.set_aside(person))

    def bring_back(self, person: str) -> None:
        """Let a person count again; where others filled the overlap meanwhile, what they judged is late."""
        for desk in self._desks_of(person):
            self._store.set_aside(desk.participant.id, aside=False)
        self._keep_states(self.dispatch.bring_back(person))

    def set_same(self, person: str, other: str) -> None:
        """Let an id be that of another one's person: all of a person's ids count as one, and nothing that was judged changes.

        What the person has on one screen and judged on another is taken from the screen.

        Raises
        ------
        IrjudgeError
            When they are one already.
        """
        if self.dispatch.who(person) == self.dispatch.who(other):
            raise IrjudgeError("These are one person already.")
        self._store.set_same(person, other)
        self._share_out_anew()
        self._keep_states(self.dispatch.held_twice(person))
        for id in self._store.aside():
            self.set_aside(id)

    def _share_out_anew(self) -> None:
        """Go on with the same places, and with what is known by now of whose ids are one person's."""
        self.dispatch, now = self._new_dispatch(), self._monotonic()
        for desk in self._desks.values():
            for place in desk.places:
                self.dispatch.restore(place, now)
        for id in self._store.aside():
            self.dispatch.set_aside(id)

    def free(self, names: Sequence[str]) -> tuple[int, int]:
        """Set aside whose submissions were returned or timed out; return how many, and how many of the names never came."""
        known = {desk.participant.name.casefold(): id for id, desk in self._desks.items()}
        found = [known[name.casefold()] for name in names if name.casefold() in known]
        fresh = [id for id in dict.fromkeys(found) if id not in self._store.aside()]
        for id in fresh:
            self.set_aside(id)
        return len(fresh), len(names) - len(found)

    def release(self, person: str) -> int:
        """Give what a person holds back to all, and return how much it was."""
        lost = self.dispatch.release(self.dispatch.held(person))
        self._keep_states(lost)
        return len(lost)

    def take_in(self, person: str, pair: Pair) -> bool:
        """Let a judgment that came late count; tell whether there was one."""
        place = next((each for each in self._late() if each.person == person and each.pair == pair), None)
        if place is None or not self.dispatch.take_in(place):
            return False
        self._keep_states([place])
        return True

    def _late(self) -> list[Place]:
        """Return what was judged too late and is not taken back."""
        desks, late = self._desks, self.dispatch.late()
        return [place for place in late if desks[place.person].arrivals.ledger.judgment(desks[place.person].key(place)) is not None]

    def person_called(self, name: str) -> str:
        """Return the id of who is called so, or has that id.

        Raises
        ------
        IrjudgeError
            When nobody is.
        """
        for id, desk in self._desks.items():
            if name == id or desk.participant.name.casefold() == name.casefold():
                return id
        raise IrjudgeError("Nobody called {name} is here.", name=name)

    def standing(self) -> Standing:
        """Return how the session stands."""
        now = self._monotonic()
        late = tuple((place.person, place.pair) for place in self._late())
        aside = self._store.aside()
        seats = tuple(self._seat(desk, desk.participant.id in aside, now) for desk in self._desks.values())
        return Standing(self.state, seats, self.dispatch.progress(), late, sum(len(desk.arrivals) for desk in self._desks.values()))

    def _seat(self, desk: Desk, aside: bool, now: float) -> Seat:
        states = [place.state for place in desk.places]
        times = sorted(each for each in desk.times[-50:] if each > 0)
        pace = times[len(times) // 2] / 1000 if len(times) >= 5 else None
        judged = states.count("counted") + states.count("taken")
        name, here = desk.participant.name, now - desk.seen < SILENT_AFTER
        who = self.dispatch.who(desk.participant.id)
        stands = self._desks[who].participant.name or who if who in self._desks else who
        same = stands if who != desk.participant.id else ""
        return Seat(desk.participant.id, name, judged, states.count("late"), states.count("held"), aside, here, pace, same)
