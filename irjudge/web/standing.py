"""What a session tells: why something cannot be, what a page gets, and how it stands for whoever leads."""

from collections.abc import Collection, Mapping
from dataclasses import dataclass

from irjudge.errors import IrjudgeError
from irjudge.exchange.shares import Pair
from irjudge.judging.active_time import PACE_NEEDS, PACE_OF
from irjudge.model.assignment import AssignedItem
from irjudge.store.sessions import Completion
from irjudge.web.desk import PersonalDesk
from irjudge.web.dispatch import Dispatch
from irjudge.web.stores import SessionStore

SILENT_AFTER = 30.0  # seconds without a sign of life
EVERYBODY = ""  # in the place of a person
SHOWN_AGAIN = 30  # judged items that a browser gets which knows none of them


class Refused(IrjudgeError):
    """What somebody asks of a session cannot be: `kind` is what a page can tell it by, `values` what the sentence speaks of."""

    def __init__(self, kind: str, sentence: str, /, **values: object) -> None:
        super().__init__(sentence, **values)
        self.kind, self.values = kind, values


@dataclass(frozen=True, slots=True)
class ItemShowing:
    """One item for a page: its place among the person's, and what it shows; the text is fetched by whoever sends it."""

    place: int
    item: AssignedItem
    occurrence: int


@dataclass(frozen=True, slots=True)
class PageNews:
    """What every page has to hear at once."""

    state: str  # of the session
    message: str = ""  # what whoever leads says to all
    aside: bool = False  # whether nothing of the person counts and nothing more is given to them


@dataclass(slots=True)
class SyncAnswer:
    """What a page is told."""

    acknowledged: int  # the number of the client's newest action that is kept
    refused: tuple[int, str] | None  # number and reason of the first action that is not taken; None where all are
    count: int  # how many actions of the person are kept
    places: int  # how many items the person was ever given
    showings: list[ItemShowing]  # those that the page lacks
    lost: list[int]  # places, among the person's, of what is not theirs to judge any more
    # of the whole session: judgments wanted, and those that count
    wanted: int
    judged: int
    complete: str = ""  # where somebody of a panel goes now; empty as long as something is to be done
    code: str = ""  # the same, to be typed in by hand; empty where there is none
    late: int = 0  # of the person's judgments, those that came too late to count
    share: int = 0  # how many items make the person's submission; 0 where that is not set
    # as in the news
    state: str = ""
    message: str = ""
    aside: bool = False


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
    completed: Completion | None = None  # of a panel: that the way to the completion was shown


def seat_of(desk: PersonalDesk, *, aside: bool, here: bool, same: str, completed: Completion | None) -> Seat:
    """Return how one person stands."""
    states = [place.state for place in desk.places]
    times = sorted(each for each in desk.times[-PACE_OF:] if each > 0)
    pace = times[len(times) // 2] / 1000 if len(times) >= PACE_NEEDS else None
    counts = states.count("counted") + states.count("taken"), states.count("late"), states.count("held")
    return Seat(desk.participant.id, desk.participant.name, *counts, aside, here, pace, same, completed)


def showings_of(desk: PersonalDesk, has: int) -> list[ItemShowing]:
    """Return what a page lacks that has so many places; of what was judged long ago it needs no text."""
    missing = list(enumerate(desk.shown))[max(0, has) :]
    done = [number for number, each in missing if each.place.state in ("counted", "late", "taken")]
    old = set(done[:-SHOWN_AGAIN])
    left = ((number, each) for number, each in missing if each.place.state != "lost" and number not in old)
    return [ItemShowing(number, each.item, each.occurrence) for number, each in left]


@dataclass(frozen=True, slots=True)
class SessionStanding:
    """How the session stands, for whoever leads."""

    state: str
    seats: tuple[Seat, ...]
    topics: Mapping[str, tuple[int, int]]
    late: tuple[tuple[str, Pair], ...]  # person and pair
    actions: int  # that all of them did


def standing_of(
    state: str, desks: Collection[PersonalDesk], dispatch: Dispatch, store: SessionStore, late: tuple[tuple[str, Pair], ...], now: float
) -> SessionStanding:
    """Return how a session stands; who did nothing and has no seat any more is left out."""
    aside, completed = store.aside(), store.completions()
    names = {desk.participant.id: desk.participant.name for desk in desks}

    def seat(desk: PersonalDesk) -> Seat:
        id = desk.participant.id
        who = dispatch.who(id)
        same = "" if who == id else names.get(who) or who
        return seat_of(desk, aside=id in aside, here=now - desk.seen < SILENT_AFTER, same=same, completed=completed.get(id))

    seats = tuple(seat(desk) for desk in desks if len(desk.arrivals) or not desk.freed)
    return SessionStanding(state, seats, dispatch.progress(), late, sum(len(desk.arrivals) for desk in desks))
