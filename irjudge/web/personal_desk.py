"""One person's work in a session, in memory: what was given out, and what came of it."""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from irjudge.exchange.assignment_plan import Pair
from irjudge.exchange.result_file import Slot
from irjudge.judging.ledger import JUDGMENTS
from irjudge.judging.norming import COUNTED, RoundVote, round_of
from irjudge.judging.recorder import Arrivals
from irjudge.message import Message
from irjudge.model.assignment import AssignedItem, Secret
from irjudge.model.event import Event, Key
from irjudge.store.sessions import Participant
from irjudge.web.dispatch import Dispatch, GivenShowing

# What one person may write grows with what they were given: first so many, and for each place so many more.
ACTIONS = 1000, 200
BYTES = 2_000_000, 32_000
DRAFTED, MOST_DRAFTED = (1_000_000, 32_000), 8_000_000  # bytes
TOO_MUCH = Message("more was written than one person may write for what they were given")


@dataclass(frozen=True, slots=True)
class Shown:
    """One showing: its place with the dispatch, what the person sees, what only the organiser knows, and which showing of it it is."""

    place: GivenShowing
    item: AssignedItem
    secret: Secret
    occurrence: int

    @property
    def key(self) -> Key:
        """The key of the item in the ledger."""
        return self.item.topic, self.item.documents, self.occurrence


class PersonalDesk:
    """What one person was given, their log, and when they were last heard of."""

    def __init__(self, participant: Participant, arrivals: Arrivals) -> None:
        self.participant, self.arrivals = participant, arrivals
        self.shown: list[Shown] = []
        self.numbers: dict[GivenShowing, int] = {}
        self.by_key: dict[Key, int] = {}
        self._times: Counter[tuple[str, str, tuple[str, ...]]] = Counter()
        self.slots: dict[Slot, tuple[str, ...]] = {}
        self.contents: dict[str, str] = {}
        self.times: list[int] = []
        self.seen = float("-inf")

    @property
    def places(self) -> list[GivenShowing]:
        """All that was given out, in order."""
        return [shown.place for shown in self.shown]

    def add(
        self, place: GivenShowing, item: AssignedItem, secret: Secret, *, grading: bool
    ) -> Shown:
        """Take a place in with what is seen there; with `grading`, compared documents may be graded too."""
        same = (item.type, item.topic, item.documents)
        self._times[same] += 1
        made = Shown(place, item, secret, self._times[same])
        self.by_key[made.key] = self.numbers[place] = len(self.shown)
        self.shown.append(made)
        if grading:
            self.slots |= {
                ("document", item.topic, (document,), 1): () for document in item.documents
            }
        self.slots[item.type, *made.key] = item.sides
        return made

    @property
    def judged(self) -> int:
        """How many of the places have a judgment that stands, counted or not."""
        return sum(self.arrivals.ledger.judgment(shown.key) is not None for shown in self.shown)

    @property
    def late(self) -> int:
        """How many judgments came too late to count, and are not taken back."""
        late = (shown for shown in self.shown if shown.place.state == "late")
        return sum(self.arrivals.ledger.judgment(shown.key) is not None for shown in late)

    def grades(self) -> Iterator[tuple[GivenShowing, int]]:
        """Yield place and value of each grade that stands, planted repeats left out."""
        for place, event in self.judgments():
            if event.kind == "grade":
                yield place, int(event.payload["value"])

    def judgments(self) -> Iterator[tuple[GivenShowing, Event]]:
        """Yield place and event of each judgment that stands, planted repeats left out."""
        for shown in self.shown:
            event = self.arrivals.ledger.judgment(shown.key)
            if event is not None and shown.occurrence == 1:
                yield shown.place, event

    def round_at(self, item: Mapping[str, Any]) -> int:
        """Return the number of the norming round in which an item, as a page names it, was given; 0 for none."""
        number = self.by_key.get((item["topic"], tuple(item["documents"]), item["occurrence"]))
        return 0 if number is None else round_of(self.shown[number].secret)

    def round_votes(self, who: str) -> Iterator[RoundVote]:
        """Yield what a person, who has this desk, said in norming rounds, as far as it belongs to them."""
        for shown in self.shown:
            number, event = round_of(shown.secret), self.arrivals.ledger.judgment(shown.key)
            if number and event is not None and shown.place.state in COUNTED:
                yield RoundVote.of(who, number, event, self.arrivals.ledger)

    def first_said(self, key: Key) -> Event | None:
        """Return the first judgment of an item, though it was taken back or another one followed; None where there is none."""
        return next(
            (event for event in self.arrivals.ledger.history(key) if event.kind in JUDGMENTS), None
        )

    def wrong(self, checks: Mapping[Pair, int]) -> int:
        """Return how many attention checks were answered with another key than they ask for; what was said later changes nothing."""
        first = (
            (checks[shown.place.pair], self.first_said(shown.key))
            for shown in self.shown
            if shown.place.pair in checks
        )
        return sum(said is not None and said.payload.get("value") != asked for asked, said in first)

    @property
    def freed(self) -> bool:
        """Whether the seat was freed: nobody is called so, and nobody is let in."""
        return not (self.participant.name or self.participant.token)

    def problem(self, event: Event) -> Message | None:
        """Return why there is no room for an event; None where there is: what one person writes, others have to wait for."""
        written = self.arrivals
        actions, size, drafted = (
            first + each * len(self.shown) for first, each in (ACTIONS, BYTES, DRAFTED)
        )
        if event.kind == "draft":
            return (
                TOO_MUCH
                if len(written) >= actions
                or written.drafted + event.size > min(drafted, MOST_DRAFTED)
                else None
            )
        return (
            TOO_MUCH
            if len(written) >= 2 * actions or written.size - written.drafted + event.size > size
            else None
        )

    def note(self, event: Event) -> None:
        """Take note of an event that another server wrote."""
        self.arrivals.note(event)
        self.time(event)

    def time(self, event: Event) -> None:
        """Note how long a judgment took."""
        spent = event.payload.get("active_ms")
        if isinstance(spent, int) and self.arrivals.ledger.judgment(event.item.key) is event:
            self.times.append(spent)

    def key(self, place: GivenShowing) -> Key:
        """Return the key in the ledger of what is seen at a place."""
        return self.shown[self.numbers[place]].key


def votes_at(desks: Iterable[PersonalDesk], dispatch: Dispatch) -> list[RoundVote]:
    """Return what everybody who counts said in norming rounds; of two ids of one person, what the one that stands for them said."""
    said: dict[tuple[str, int, Pair], RoundVote] = {}
    for desk in sorted(
        desks, key=lambda desk: dispatch.who(desk.participant.id) != desk.participant.id
    ):
        id, who = desk.participant.id, dispatch.who(desk.participant.id)
        for vote in desk.round_votes(who) if not dispatch.is_aside(id) else ():
            said.setdefault((who, vote.round, vote.pair), vote)
    return list(said.values())
