"""A judging session: what is on the desk, what comes next, and every action durable before it returns."""

from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from itertools import islice
from typing import Any

from irjudge.errors import CommitFailed, IrjudgeError, ProjectError
from irjudge.judging.active_time import estimate_seconds_left
from irjudge.judging.ledger import Marks
from irjudge.judging.model_judgments import SAW_MODELS, list_models_shown
from irjudge.judging.queue import (
    GRADINGS,
    ItemState,
    Queue,
    QueueItem,
    TopicSummary,
    collect_recent_times,
    get_queue_item,
    list_item_states,
    make_queue,
    summarize_topic,
)
from irjudge.judging.recorder import Recorder, ResumePoint
from irjudge.judging.sources import BECAUSE, SOURCE, DocumentSource, list_sampled_pairs, read_source
from irjudge.model import (
    UNJUDGEABLE_REASONS,
    Document,
    Event,
    EventKind,
    Item,
    ItemKey,
    PageSeen,
    Scale,
    Topic,
    utc_now,
)
from irjudge.store import Project, select_page


@dataclass(frozen=True, slots=True)
class PresentedDocument:
    """A document on the desk: what is painted, and nothing that lets its rank be guessed."""

    topic: Topic
    document: Document
    occurrence: int = 1

    @property
    def place(self) -> QueueItem:
        """Where it stands in the queue."""
        return QueueItem(self.topic.id, self.document.id, self.occurrence)


@dataclass(frozen=True, slots=True)
class JudgedCount:
    """How many of the assigned documents are judged."""

    judged: int
    assigned: int

    @property
    def left(self) -> int:
        """How many are not judged yet."""
        return self.assigned - self.judged


class Session(Recorder):
    """One assessor at work in one project."""

    def __init__(
        self, project: Project, assessor: str | None = None, *, clock: Callable[[], str] = utc_now
    ) -> None:
        super().__init__(project, assessor, clock=clock)
        self.scale: Scale = project.scale
        self._topics = {topic.id: topic for topic in project.collection.topics()}
        self._calibration = project.calibration
        self._drawn = list_sampled_pairs(project)
        self.queue, self.without_text = self._make_queue()
        self._found = (
            self._read_origins()
        )  # what brought a document that no pool has, as its judgment keeps it
        self.refuse_gap()
        self._fetched: dict[QueueItem, Document | None] = {}
        self._at: QueueItem | None = None
        self._front = ResumePoint[QueueItem](lambda place: self.judgment(place) is not None)

    def _make_queue(self) -> tuple[Queue, tuple[str, ...]]:
        """Return what there is to judge, and the pooled documents that cannot be shown."""
        pool = self._project.rankings.pool()
        if pool is None:
            raise ProjectError(
                "There is nothing to judge yet: the project has no pool. Build one first."
            )
        queue = make_queue(self._project, pool, self.assessor)
        self._add_sampled(queue)
        return queue, tuple(sorted(queue.left_out.intersection(pool.document.to_pylist())))

    def _read_origins(self) -> dict[QueueItem, dict[str, Any]]:
        """Return what the log says of how documents were found; a grade that is given anew keeps it."""
        found: dict[QueueItem, dict[str, Any]] = {}
        for event in (
            each for events in self.ledger.acts.of.values() for each in events if read_source(each)
        ):
            found.setdefault(
                get_queue_item(event),
                {name: event.payload[name] for name in (SOURCE, BECAUSE) if name in event.payload},
            )
        return found

    def _add_sampled(self, queue: Queue) -> None:
        """Let what was drawn at random be judged too."""
        for topic, document in sorted(
            self._drawn if self._project.assignments.own() is None else ()
        ):
            if (place := QueueItem(topic, document)) not in queue:
                queue.add(place)

    @property
    def topics(self) -> tuple[str, ...]:
        """The topics that have something to judge, in the order of the queue."""
        return self.queue.topics

    def keys(self, topic: str) -> tuple[ItemKey, ...]:
        """Return the key of each place of a topic."""
        return tuple(place.key for place in self.queue.places(topic))

    @property
    def _judged_by_topic(self) -> Counter[str]:
        self._sync()
        return self._judged

    def _is_queued(self, event: Event) -> bool:
        return len(event.item.documents) == 1 and get_queue_item(event) in self.queue

    # What is on the desk

    def current(self) -> PresentedDocument | None:
        """Return the document on the desk; None when everything is judged."""
        if self._at is None:
            self._at = self._find_stop()
        return self.work(self._at) if self._at else None

    def resume(self, place: QueueItem, head: str | None) -> None:
        """Put a place on the desk that was there when the log ended with a certain event; where the log has gone on it knows better."""
        if head == self.head and place in self.queue:
            self._at = place

    def _find_stop(self) -> QueueItem | None:
        """Return where the work stopped: what was last touched if it is still open, or what comes after it."""
        last = next(
            (get_queue_item(event) for event in self.ledger.newest() if self._is_queued(event)),
            None,
        )
        return last if last and self._open(last) else self._next_open(last)

    def advance(self) -> PresentedDocument | None:
        """Put what comes next on the desk: unjudged ones of the topic, skipped ones, then other topics, then what was skipped again."""
        self._front.forget()
        self._at = self._next_open(self._at)
        return self.work(self._at) if self._at else None

    @property
    def behind(self) -> bool:
        """Whether the document on the desk is judged, or an action that was taken back led to it."""
        return self._front.behind(self._at)

    def go_on(self) -> PresentedDocument | None:
        """Put on the desk what was there before somebody went back, else what comes next; None when everything is judged."""
        if (place := self._front.take()) is None:
            return self.advance()
        self._at = place
        return self.work(place)

    def open_item(self, place: QueueItem) -> PresentedDocument:
        """Put a certain document on the desk, judged or not."""
        if place not in self.queue:
            raise IrjudgeError(
                "Document {document} is not to be judged for topic {topic}.",
                key="not-to-judge",
                document=place.document,
                topic=place.topic,
            )
        if self._open(place):
            self._front.forget()
        else:
            self._front.leave(self._at, place)
        self._at = place
        return self.work(place)

    def open_found(
        self, topic: str, document: str, source: DocumentSource = "search"
    ) -> PresentedDocument:
        """Put a document of the collection on the desk, whether the pool has it or not."""
        return self.open_item(self._take_in(topic, document, source))

    def grade_found(
        self, topic: str, document: str, value: int, source: DocumentSource = "search"
    ) -> Event:
        """Grade a document of the collection where it was found; what is on the desk stays there."""
        return self.grade(self.work(self._take_in(topic, document, source)), value)

    def _take_in(self, topic: str, document: str, source: DocumentSource) -> QueueItem:
        """Let a document of the collection be among those to judge, with what found it where the pool lacks it."""
        place = QueueItem(topic, document)
        if place not in self.queue:
            self.queue.add(place)
            self._found[place] = {SOURCE: source}
        return place

    def page(self, place: QueueItem, size: int) -> tuple[QueueItem, ...]:
        """Return what stands on one page of so many documents with a place, in order."""
        return select_page(self.queue.places(place.topic), self.queue.position(place), size)

    def upcoming(self, count: int = 2) -> list[QueueItem]:
        """Return the places that come next, for fetching ahead; fewer near the end of a topic."""
        if self._at is None:
            return []
        others = (
            place for place in self._around(self._at) if place != self._at and self._open(place)
        )
        return list(islice(others, count))

    def fetch_ahead(self) -> None:
        """Read the documents that come next, so that the next key need not wait for the disk."""
        self._fetched = {
            place: self._project.collection.document(place.document) for place in self.upcoming()
        }

    def open_topic(self, topic: str) -> PresentedDocument:
        """Put the first unjudged document of a topic on the desk, of a random sample first, or its first one when all are judged."""
        if not self.queue.size(topic):
            raise IrjudgeError("Topic {topic} has no documents to judge.", topic=topic)
        places = sorted(
            self.queue.places(topic), key=lambda place: (topic, place.document) not in self._drawn
        )
        return self.open_item(
            next((place for place in places if self.judgment(place) is None), places[0])
        )

    def work(self, place: QueueItem) -> PresentedDocument:
        """Return the document at a place as it is put on the desk."""
        document = self._fetched.get(place) or self._project.collection.document(place.document)
        if document is None:
            raise ProjectError(
                "Document {document} has no text in this project.", document=place.document
            )
        return PresentedDocument(self.topic(place.topic), document, place.occurrence)

    def topic(self, topic: str) -> Topic:
        """Return a topic; where the project has no text for it, its id is its title."""
        return self._topics.get(topic) or Topic(topic, topic)

    # Which comes next

    def _next_open(self, at: QueueItem | None) -> QueueItem | None:
        """Unjudged after `at`, then before it, then those skipped once; then the next topic; in the end what was skipped again."""
        topics = self.queue.topics
        begin = topics.index(at.topic) if at and at.topic in topics else 0
        left = [topic for topic in topics[begin:] + topics[:begin] if self.count(topic).left]
        for topic in left:
            for times in (0, 1):
                if found := next(
                    (
                        place
                        for place in self._left(topic, at)
                        if self.ledger.times_skipped(place.key) == times
                    ),
                    None,
                ):
                    return found
        again = (place for topic in left for place in self._left(topic, at))
        return min(
            again,
            key=lambda place: self.ledger.times_skipped(place.key),
            default=at if left else None,
        )

    def _left(self, topic: str, at: QueueItem | None) -> Iterator[QueueItem]:
        """Yield the unjudged places of a topic but the one on the desk, those behind it first."""
        places = self._around(at) if at and at.topic == topic else self.queue.places(topic)
        return (
            place for place in places if place != at and self.ledger.judgment(place.key) is None
        )

    def _around(self, at: QueueItem) -> tuple[QueueItem, ...]:
        places = self.queue.places(at.topic)
        begin = self.queue.position(at) + 1
        return places[begin:] + places[:begin]

    def _open(self, place: QueueItem) -> bool:
        return self.ledger.judgment(place.key) is None and not self.ledger.skipped(place.key)

    # What an assessor does

    def grade(
        self,
        work: PresentedDocument,
        value: int,
        *,
        active_ms: int = 0,
        page: PageSeen | None = None,
    ) -> Event:
        """Grade the document that was painted; it is on disk when this returns."""
        if type(value) is not int or value not in self.scale.values:
            raise IrjudgeError(
                "The scale has no grade {value}; it has {values}.",
                key="unknown-grade",
                value=value,
                values=", ".join(map(str, self.scale.values)),
            )
        return self._judge(
            "grade", work, {"value": value, "scale": self.scale.version}, active_ms, page
        )

    def unjudgeable(
        self,
        work: PresentedDocument,
        reason: str,
        *,
        active_ms: int = 0,
        page: PageSeen | None = None,
    ) -> Event:
        """Say that the document cannot be judged, and why (one of `REASONS`)."""
        if reason not in UNJUDGEABLE_REASONS:
            raise IrjudgeError(
                "The reason {reason!r} is not known; choose {reasons}.",
                reason=reason,
                reasons=", ".join(UNJUDGEABLE_REASONS),
            )
        return self._judge("unjudgeable", work, {"reason": reason}, active_ms, page)

    def skip(
        self, work: PresentedDocument, *, active_ms: int = 0, page: PageSeen | None = None
    ) -> Event:
        """Put a document off; it comes back at the end of its topic, and put off again at the end of all."""
        return self._judge("skip", work, {}, active_ms, page)

    def set_unsure(self, work: PresentedDocument, unsure: bool) -> Event:
        """Flag the document as one the assessor is unsure about, or take the flag off."""
        return self._write("unsure", work, {"value": unsure})

    def note(self, work: PresentedDocument, text: str) -> Event:
        """Keep a note about the document; an empty text takes it away."""
        return self._write("note", work, {"text": text})

    def draft(self, work: PresentedDocument, text: str) -> Event:
        """Keep a note that is still being typed, so that a crash does not lose it; it is nothing to undo."""
        return self._write("draft", work, {"text": text})

    def rationale(self, work: PresentedDocument, text: str, begin: int, end: int) -> Event:
        """Keep a piece of the shown text, and its place in it, as the reason of the judgment."""
        if not text.strip() or not 0 <= begin < end:
            raise IrjudgeError("Select the words that are the reason first.")
        return self._write("rationale", work, {"text": text, "position": [begin, end]})

    def _judge(
        self,
        kind: EventKind,
        work: PresentedDocument,
        said: dict[str, Any],
        active_ms: int,
        page: PageSeen | None,
    ) -> Event:
        return self._write(
            kind, work, {**said, "active_ms": active_ms, **(page.as_payload if page else {})}
        )

    def _write(self, kind: EventKind, work: PresentedDocument, payload: dict[str, Any]) -> Event:
        item = Item(
            work.topic.id,
            (work.document.id,),
            (work.document.digest.hex(),),
            occurrence=work.occurrence,
        )
        return self._record(
            kind,
            item,
            payload | self._origin(work.place) | self._seen(work.place)
            if kind in GRADINGS
            else payload,
        )

    def _seen(self, place: QueueItem) -> dict[str, Any]:
        """Return what a judgment keeps where the program had shown what a model says of the document."""
        pair = (place.topic, place.document)
        try:
            models = list_models_shown(self._project, self.assessor, pair)
        except ProjectError:
            with self._project.transaction():  # says where another file was written over this one, and reads anew where it came back
                try:
                    models = list_models_shown(self._project, self.assessor, pair)
                except ProjectError as fault:
                    raise CommitFailed("Not saved: {fault}", fault=fault) from fault
        return {SAW_MODELS: list(models)} if models else {}

    def _origin(self, place: QueueItem) -> dict[str, Any]:
        """Return what a judgment keeps of how its document was found."""
        return (
            {SOURCE: "drawn"}
            if (place.topic, place.document) in self._drawn
            else self._found.get(place, {})
        )

    def _count(self, event: Event, before: Event | None) -> None:
        self._times.extend(collect_recent_times([event], GRADINGS))
        if self._is_queued(event):
            after = self.ledger.judgment(event.item.key)
            self._judged[event.item.topic] += (after is not None) - (before is not None)

    def _recount(self) -> None:
        self._judged = Counter(
            event.item.topic for event in self.ledger.judgments() if self._is_queued(event)
        )
        self._times = collect_recent_times(self.ledger.judgments(), GRADINGS)

    def _return_to(self, event: Event) -> None:
        place = get_queue_item(event)
        if place in self.queue:
            self._front.leave(self._at, place)
            self._at = place

    # Where the work stands

    def judgment(self, place: QueueItem) -> Event | None:
        """Return the judgment in force for a place; None while it is unjudged."""
        return self.ledger.judgment(place.key)

    def skipped(self, place: QueueItem) -> bool:
        """Tell whether a document was put off."""
        return self.ledger.skipped(place.key)

    def calibration(self, place: QueueItem) -> int | None:
        """Return the agreed grade of a calibration document, to be told after it was judged; None for every other document."""
        return self._calibration.get(place.topic, {}).get(place.document)

    def marks(self, place: QueueItem) -> Marks:
        """Return what was noted about a document beside its judgment."""
        return self.ledger.marks(place.key)

    def count(self, topic: str | None = None) -> JudgedCount:
        """Return how much is judged, of one topic or of all."""
        judged = self._judged_by_topic
        return (
            JudgedCount(judged.total(), len(self.queue))
            if topic is None
            else JudgedCount(judged[topic], self.queue.size(topic))
        )

    def places(self, topic: str) -> tuple[ItemState, ...]:
        """Return the documents of a topic in the order of the queue, each with its state; nothing is read from the file."""
        return list_item_states(self.ledger, self.queue, topic)

    def titles(self, topic: str) -> dict[str, str]:
        """Return the title of each document of a topic, without reading any text."""
        return (
            self._project.collection.titles(self.queue.documents(topic))
            if self.queue.size(topic)
            else {}
        )

    def summary(self, topic: str) -> TopicSummary:
        """Return what the work on a topic adds up to."""
        return summarize_topic(
            self.ledger, self.queue, topic, self.scale.values, self._judged_by_topic
        )

    def last_judged(self) -> QueueItem | None:
        """Return where the newest judgment in force stands; with a judged document on the desk, the one judged before that.

        Putting that place on the desk and asking again walks further back. None when there is none.
        """
        judged = (
            get_queue_item(event)
            for event in self.ledger.newest_judgments()
            if self._is_queued(event)
        )
        if self._at is not None and self.judgment(self._at) is not None:
            next(
                (place for place in judged if place == self._at), None
            )  # what was judged after the one on the desk
        return next(judged, None)

    @property
    def fresh(self) -> bool:
        """Whether the assessor has not done anything in this project yet."""
        return self.head is None

    def seconds_left(self) -> int | None:
        """Return how long what is left takes at this assessor's pace of late; None before five judgments were timed."""
        left = self.count().left
        return estimate_seconds_left(self._times, left)
