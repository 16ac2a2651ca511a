"""Queue of documents of an assessor, the state of each, and totals per topic."""

from collections import Counter, deque
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from hashlib import blake2b
from statistics import median_low
from typing import Literal, Protocol

from irjudge.errors import IrjudgeError
from irjudge.judging.active_time import MAX_PACE_JUDGMENTS
from irjudge.judging.ledger import Ledger, get_ledger
from irjudge.judging.sources import iter_found_documents
from irjudge.model import Event, ItemKey, Pool, active_ms
from irjudge.store import Project

# Which document comes next: topic by topic, in an order drawn once for each assessor.

NOT_IN_POOL = -1  # the place of a topic that the pool lacks


@dataclass(frozen=True, slots=True)
class QueueItem:
    """A place in the queue: topic and document by id, and which showing of the document it is."""

    topic: str
    document: str
    occurrence: int = 1

    @property
    def key(self) -> ItemKey:
        """The key of the item in the ledger."""
        return (self.topic, (self.document,), self.occurrence)


def get_queue_item(event: Event) -> QueueItem:
    """Return the place that an event about one document speaks of."""
    return QueueItem(event.item.topic, event.item.documents[0], event.item.occurrence)


class Queue(Protocol):
    """What one assessor has to judge, topic by topic, in the order it is shown."""

    left_out: frozenset[str]  # ids of documents that cannot be shown

    @property
    def topics(self) -> tuple[str, ...]:
        """The topics that have something to judge."""

    def documents(self, topic: str) -> tuple[str, ...]:
        """Return the documents of a topic in this assessor's order; one that is shown twice stands there twice."""

    def places(self, topic: str) -> tuple[QueueItem, ...]:
        """Return the places of a topic in this assessor's order."""

    def size(self, topic: str) -> int:
        """Return how many places a topic has; 0 where it is not among the topics."""

    def position(self, place: QueueItem) -> int:
        """Return the 0-based position of a place among its topic's places."""

    def add(self, place: QueueItem) -> None:
        """Let a document that was found be judged too, as the last of its topic."""

    def __len__(self) -> int: ...

    def __contains__(self, place: QueueItem) -> bool: ...


class AssignedQueue:
    """What was assigned, in the order the assignment gives."""

    def __init__(
        self, items: Iterable[tuple[str, str]], *, left_out: frozenset[str] = frozenset()
    ) -> None:
        self.left_out = left_out
        times: Counter[tuple[str, str]] = Counter()
        order: dict[str, list[QueueItem]] = {}
        for topic, document in items:
            if document not in left_out:
                times[topic, document] += 1
                order.setdefault(topic, []).append(
                    QueueItem(topic, document, times[topic, document])
                )
        self._places = {topic: tuple(places) for topic, places in order.items()}
        self._positions = {
            place: number for places in self._places.values() for number, place in enumerate(places)
        }

    @property
    def topics(self) -> tuple[str, ...]:
        """The topics that have something to judge, in the order of the assignment."""
        return tuple(self._places)

    def documents(self, topic: str) -> tuple[str, ...]:
        """Return the documents of a topic in order; one that is shown twice stands there twice."""
        return tuple(place.document for place in self._places[topic])

    def places(self, topic: str) -> tuple[QueueItem, ...]:
        """Return the places of a topic in order."""
        return self._places[topic]

    def size(self, topic: str) -> int:
        """Return how many places a topic has."""
        return len(self._places.get(topic, ()))

    def position(self, place: QueueItem) -> int:
        """Return the 0-based position of a place among its topic's places."""
        return self._positions[place]

    def add(self, place: QueueItem) -> None:
        """Refuse: a file that was made for somebody carries what it asks for, and no collection to find more in."""
        raise IrjudgeError(
            "Document {document} was not assigned for topic {topic}.",
            document=place.document,
            topic=place.topic,
        )

    def __len__(self) -> int:
        return len(self._positions)

    def __contains__(self, place: QueueItem) -> bool:
        return place in self._positions


class PoolQueue:
    """The pooled documents in the order one assessor sees them.

    The order within a topic comes from a hash of seed, assessor, topic and document: the same on every machine and
    with every version of every library, unrelated to rank, and a document added later moves no other. A pool that is read in order
    keeps its own.
    """

    def __init__(
        self,
        pool: Pool,
        *,
        seed: int,
        assessor: str,
        left_out: frozenset[str] = frozenset(),
        calibration: Mapping[str, Iterable[str]] | None = None,
        found: Iterable[tuple[str, str]] = (),
    ) -> None:
        self._pool, self._salt = pool, f"{seed}\0{assessor}".encode()
        self.left_out = left_out
        opening = calibration or {}
        self._opening = {
            topic: frozenset(opening.get(topic, ())) - left_out for topic in pool.topics
        }
        self._ordered: dict[str, tuple[str, ...]] = {}
        self._places: dict[str, tuple[QueueItem, ...]] = {}
        self._positions: dict[str, dict[str, int]] = {}
        self._members: dict[str, frozenset[str]] = {}
        sizes = (self._to_judge(place) for place in range(len(pool.topics)))
        self._topics = {
            topic: (place, len(ids))
            for place, (topic, ids) in enumerate(zip(pool.topics, sizes, strict=True))
            if ids
        }
        self._added: dict[str, list[str]] = {}
        for topic, document in found:
            if (place := QueueItem(topic, document)) not in self and document not in left_out:
                self.add(place)

    @property
    def topics(self) -> tuple[str, ...]:
        """The topics that have something to judge, in pool order."""
        return tuple(self._topics)

    def documents(self, topic: str) -> tuple[str, ...]:
        """Return the documents of a topic in this assessor's order."""
        if topic not in self._ordered:
            first = self._opening.get(topic, frozenset[str]())
            documents = self._to_judge(self._topics[topic][0])
            drawn = (lambda _topic, _document: b"") if self._pool.in_order else self._draw
            ordered = sorted(
                documents, key=lambda document: (document not in first, drawn(topic, document))
            )
            self._ordered[topic] = (*ordered, *self._added.get(topic, ()))
        return self._ordered[topic]

    def places(self, topic: str) -> tuple[QueueItem, ...]:
        """Return the places of a topic in this assessor's order."""
        if topic not in self._places:
            self._places[topic] = tuple(
                QueueItem(topic, document) for document in self.documents(topic)
            )
        return self._places[topic]

    def size(self, topic: str) -> int:
        """Return how many documents a topic has to judge."""
        return self._topics[topic][1] if topic in self._topics else 0

    def position(self, place: QueueItem) -> int:
        """Return the 0-based position of a place among its topic's documents."""
        if place.topic not in self._positions:
            self._positions[place.topic] = {
                document: number for number, document in enumerate(self.documents(place.topic))
            }
        return self._positions[place.topic][place.document]

    def add(self, place: QueueItem) -> None:
        """Let a document that was found be judged too, as the last of its topic."""
        topic = place.topic
        code, size = self._topics.get(topic, (NOT_IN_POOL, 0))
        self._topics[topic] = code, size + 1
        self._added.setdefault(topic, []).append(place.document)
        for made in (self._ordered, self._places, self._positions, self._members):
            made.pop(topic, None)

    def __len__(self) -> int:
        return sum(size for _, size in self._topics.values())

    def __contains__(self, place: QueueItem) -> bool:
        if place.topic not in self._topics or place.occurrence != 1:
            return False
        if place.topic not in self._members:
            pooled = self._to_judge(self._topics[place.topic][0])
            self._members[place.topic] = frozenset([*pooled, *self._added.get(place.topic, ())])
        return place.document in self._members[place.topic]

    def _to_judge(self, place: int) -> list[str]:
        """Return what a topic of the pool has to judge, each document once: what it opens with, then the rest; nothing of another topic."""
        if place == NOT_IN_POOL:
            return []
        begin, end = self._pool.starts[place], self._pool.starts[place + 1]
        pooled = [
            document
            for document in self._pool.document[begin:end].to_pylist()
            if document not in self.left_out
        ]
        opening = self._opening[self._pool.topics[place]]
        return (
            [*sorted(opening), *(document for document in pooled if document not in opening)]
            if pooled and opening
            else pooled
        )

    def _draw(self, topic: str, document: str) -> bytes:
        return blake2b(
            b"\0".join((self._salt, topic.encode(), document.encode())), digest_size=16
        ).digest()


def make_queue(project: Project, pool: Pool, assessor: str) -> Queue:
    """Return what an assessor has to judge: in a file made for them what was assigned, else the pool of the project.

    Documents without a text are left out; of a pool, calibration comes first, and what the assessor found comes last.
    """
    own = project.assignments.own()
    if own is not None and own.assessor == assessor:
        items = [
            (item.topic, item.documents[0])
            for item in project.assignments.items(own.code)
            if item.type == "document"
        ]
        return AssignedQueue(
            items,
            left_out=frozenset(
                project.collection.without_text(list(dict.fromkeys(item[1] for item in items)))
            ),
        )
    calibration = project.calibration
    named = {document for documents in calibration.values() for document in documents}
    left_out = frozenset(project.rankings.pooled_without_text()).union(
        project.collection.without_text(sorted(named))
    )
    found = [pair for pair, _ in iter_found_documents(get_ledger(project, assessor))]
    return PoolQueue(
        pool,
        seed=project.seed,
        assessor=assessor,
        left_out=left_out,
        calibration=calibration,
        found=found,
    )


def list_pooled_without_text(project: Project) -> list[str]:
    """Return the pooled documents that cannot be judged since the project has no text for them, in pool order, each once."""
    pool = project.rankings.pool()
    return (
        project.collection.without_text(list(dict.fromkeys(pool.document.to_pylist())))
        if pool
        else []
    )


# What a topic's work adds up to, and the list of its documents with the state of each.

GRADINGS, COMPARISONS = frozenset({"grade", "unjudgeable"}), frozenset({"preference"})
State = Literal["grade", "unjudgeable", "skipped", "unjudged"]


@dataclass(frozen=True, slots=True)
class ItemState:
    """A place of the queue and how it stands."""

    place: QueueItem  # topic and document
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


def list_item_states(ledger: Ledger, queue: Queue, topic: str) -> tuple[ItemState, ...]:
    """Return the places of a topic in the assessor's order, each with its state; empty when the topic has none."""
    if not queue.size(topic):
        return ()
    return tuple(_item_state(ledger, place) for place in queue.places(topic))


def _item_state(ledger: Ledger, place: QueueItem) -> ItemState:
    if not ledger.touched(place.key):
        return ItemState(place, "unjudged")
    judgment = ledger.judgment(place.key)
    marks = ledger.marks(place.key)
    said = marks.unsure, bool(marks.note or marks.draft or marks.rationales)
    if judgment is None:
        return ItemState(place, "skipped" if ledger.skipped(place.key) else "unjudged", None, *said)
    if judgment.kind == "grade":
        return ItemState(place, "grade", int(judgment.payload["value"]), *said)
    return ItemState(place, "unjudgeable", None, *said)


def collect_recent_times(judgments: Iterable[Event], kinds: frozenset[str]) -> deque[int]:
    """Return the newest active times of judgments of some kinds, in ms, for `seconds_left`: grading and comparing have a pace each."""
    return deque(
        (spent for event in judgments if event.kind in kinds and (spent := active_ms(event))),
        maxlen=MAX_PACE_JUDGMENTS,
    )


def summarize_topic(
    ledger: Ledger, queue: Queue, topic: str, grades: Iterable[int], judged: Mapping[str, int]
) -> TopicSummary:
    """Return what the work on a topic adds up to; `grades` are the values of the scale, `judged` counts documents by topic."""
    places = list_item_states(ledger, queue, topic)
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
