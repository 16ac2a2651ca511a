"""What a topic's work adds up to, and the list of its documents with the state of each."""

from collections import Counter, deque
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from statistics import median_low
from typing import Literal

from irjudge.judging.active_time import PACE_OF
from irjudge.judging.ledger import Ledger
from irjudge.judging.queue import Queue, QueuePlace
from irjudge.model.event import Event

GRADINGS, COMPARISONS = frozenset({"grade", "unjudgeable"}), frozenset({"preference"})
State = Literal["grade", "unjudgeable", "skipped", "unjudged"]


@dataclass(frozen=True, slots=True)
class PlaceState:
    """A place of the queue and how it stands."""

    place: QueuePlace  # topic and document
    state: State  # `grade`, `unjudgeable`, `skipped` (put off and not judged since) or `unjudged`
    grade: int | None = None  # the value given; None unless the state is `grade`
    unsure: bool = False  # whether the flag stands, judged or not
    noted: bool = False  # whether there is a note, kept or still being typed, or a reason


@dataclass(frozen=True, slots=True)
class TopicSummary:
    """How the work on a topic went."""

    topic: str  # its id
    # documents, the unjudgeable ones among the judged
    judged: int
    assigned: int
    grades: dict[
        int, int
    ]  # how many documents have each grade, by grade; every grade of the scale is there
    # documents; a flag counts whether the document is judged or not
    unjudgeable: int
    skipped: int
    unsure: int
    active_ms: int  # milliseconds spent in all, on judgments that were taken back or changed too
    median_ms: int | None  # of the judgments in force whose time is known; None when there is none
    # what is unjudged in the whole assignment
    topics_left: int
    documents_left: int


def column_of(ledger: Ledger, queue: Queue, topic: str) -> tuple[PlaceState, ...]:
    """Return the places of a topic in the assessor's order, each with its state; empty when the topic has none."""
    if not queue.size(topic):
        return ()
    return tuple(_state(ledger, place) for place in queue.places(topic))


def _state(ledger: Ledger, place: QueuePlace) -> PlaceState:
    if not ledger.touched(place.key):
        return PlaceState(place, "unjudged")
    judgment = ledger.judgment(place.key)
    marks = ledger.marks(place.key)
    said = marks.unsure, bool(marks.note or marks.draft or marks.rationales)
    if judgment is None:
        return PlaceState(
            place, "skipped" if ledger.skipped(place.key) else "unjudged", None, *said
        )
    if judgment.kind == "grade":
        return PlaceState(place, "grade", int(judgment.payload["value"]), *said)
    return PlaceState(place, "unjudgeable", None, *said)


def active_ms(event: Event) -> int:
    """Return the milliseconds an event says were spent; 0 when it says nothing that can be."""
    value = event.payload.get("active_ms", 0)
    return value if isinstance(value, int) and value > 0 else 0


def newest_times(judgments: Iterable[Event], kinds: frozenset[str]) -> deque[int]:
    """Return the newest active times of judgments of some kinds, in ms, for `seconds_left`: grading and comparing have a pace each."""
    return deque(
        (spent for event in judgments if event.kind in kinds and (spent := active_ms(event))),
        maxlen=PACE_OF,
    )


def summarise(
    ledger: Ledger, queue: Queue, topic: str, grades: Iterable[int], judged: Mapping[str, int]
) -> TopicSummary:
    """Return what the work on a topic adds up to; `grades` are the values of the scale, `judged` counts documents by topic."""
    places = column_of(ledger, queue, topic)
    states = Counter(place.state for place in places)
    values = Counter(place.grade for place in places if place.grade is not None)
    judgments = [event for place in places if (event := ledger.judgment(place.place.key))]
    times = [spent for event in judgments if (spent := active_ms(event))]
    left = [queue.size(each) - judged.get(each, 0) for each in queue.topics]
    return TopicSummary(
        topic=topic,
        judged=len(judgments),
        assigned=len(places),
        grades={value: values[value] for value in sorted({*grades, *values})},
        unjudgeable=states["unjudgeable"],
        skipped=states["skipped"],
        unsure=sum(place.unsure for place in places),
        active_ms=sum(
            active_ms(event) for place in places for event in ledger.history(place.place.key)
        ),
        median_ms=median_low(times) if times else None,
        topics_left=sum(count > 0 for count in left),
        documents_left=sum(left),
    )
