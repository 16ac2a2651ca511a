"""Judging session: which document is open, which comes next, and recording of judgments."""

from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from itertools import islice
from typing import Any

from irjudge.errors import CommitFailed, IrjudgeError, ProjectError
from irjudge.judging.active_time import estimate_seconds_left
from irjudge.judging.ledger import Marks
from irjudge.judging.model_judgments import SHOWN_MODELS_KEY, list_models_shown
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
from irjudge.judging.sources import (
    SOURCE,
    TERM_REASONS,
    DocumentSource,
    list_sampled_pairs,
    read_source,
)
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
    """Document to present to an assessor or adjudicator, with topic and presentation number.

    The document has all its texts and fields. Ranks and runs are not included.
    """

    topic: Topic
    document: Document
    occurrence: int = 1

    @property
    def queue_item(self) -> QueueItem:
        """Queue item of the document."""
        return QueueItem(self.topic.id, self.document.id, self.occurrence)


@dataclass(frozen=True, slots=True)
class JudgedCount:
    """Number of judged items, and number of all items to judge, in one topic or in all topics.

    An item is a document or a comparison.
    """

    judged: int
    assigned: int

    @property
    def left(self) -> int:
        """Number of items that are not judged yet."""
        return self.assigned - self.judged


class Session(Recorder):
    """Judging session of one assessor in one project: opens documents and records judgments.

    In an assignment file, the documents are those of the assignment; otherwise, they are
    calibration documents, those of the newest pool, those of random samples, and those that the
    assessor retrieves by searching. Documents without a text are omitted. Without a pool,
    ProjectError is raised. One document is open at a time. Judgments, notes and skips are written
    durably as events, and can be undone.
    """

    def __init__(
        self, project: Project, assessor: str | None = None, *, clock: Callable[[], str] = utc_now
    ) -> None:
        super().__init__(project, assessor, clock=clock)
        self.scale: Scale = project.scale
        self._topics = {topic.id: topic for topic in project.collection.topics()}
        self._calibration = project.calibration
        self._sampled_pairs = list_sampled_pairs(project)
        self.queue, self.without_text = self._make_queue()
        self._origins = self._read_origins()
        self.refuse_gap()
        self._fetched_documents: dict[QueueItem, Document | None] = {}
        self._current_item: QueueItem | None = None
        self._resume_point = ResumePoint[QueueItem](lambda item: self.judgment(item) is not None)

    def _make_queue(self) -> tuple[Queue, tuple[str, ...]]:
        """Return the queue, and the pooled documents that cannot be shown as they have no text."""
        pool = self._project.rankings.pool()
        if pool is None:
            raise ProjectError(
                "There is nothing to judge: the project has no pool. Build one first."
            )
        queue = make_queue(self._project, pool, self.assessor)
        self._add_sampled_documents(queue)
        return queue, tuple(sorted(queue.left_out.intersection(pool.document.to_pylist())))

    def _read_origins(self) -> dict[QueueItem, dict[str, Any]]:
        """Return the source of each unpooled document, from the first event on the document."""
        origins: dict[QueueItem, dict[str, Any]] = {}
        for event in (
            event
            for events in self.ledger.actions.events_by_key.values()
            for event in events
            if read_source(event)
        ):
            origins.setdefault(
                get_queue_item(event),
                {
                    name: event.payload[name]
                    for name in (SOURCE, TERM_REASONS)
                    if name in event.payload
                },
            )
        return origins

    def _add_sampled_documents(self, queue: Queue) -> None:
        """Add the documents of random samples to a queue, except in an assignment file."""
        for topic, document in sorted(
            self._sampled_pairs if self._project.assignments.assessor_assignment() is None else ()
        ):
            if (item := QueueItem(topic, document)) not in queue:
                queue.add(item)

    @property
    def topics(self) -> tuple[str, ...]:
        """Topics with documents to judge, in queue order."""
        return self.queue.topics

    def keys(self, topic: str) -> tuple[ItemKey, ...]:
        """Return the key of each queue item of a topic."""
        return tuple(item.key for item in self.queue.topic_items(topic))

    @property
    def _judged_by_topic(self) -> Counter[str]:
        self._sync()
        return self._judged_counts

    def _is_queued(self, event: Event) -> bool:
        return len(event.item.documents) == 1 and get_queue_item(event) in self.queue

    # Open document

    def current(self) -> PresentedDocument | None:
        """Return the open document; None if everything is judged."""
        if self._current_item is None:
            self._current_item = self._find_resume_item()
        return self.present(self._current_item) if self._current_item else None

    def resume(self, item: QueueItem, head: str | None) -> None:
        """Open an item if the event with the digest `head` is still the last event of the log.

        Otherwise, the session continues with the item of the last event.
        """
        if head == self.head and item in self.queue:
            self._current_item = item

    def _find_resume_item(self) -> QueueItem | None:
        """Return the item of the last action; if it is judged or skipped, return the next item."""
        last_item = next(
            (
                get_queue_item(event)
                for event in self.ledger.iter_newest()
                if self._is_queued(event)
            ),
            None,
        )
        return (
            last_item
            if last_item and self._is_pending(last_item)
            else self._find_next_open(last_item)
        )

    def advance(self) -> PresentedDocument | None:
        """Open the next document.

        Unjudged documents of the current topic come first, then its skipped documents, then those
        of other topics. Documents that were skipped repeatedly come last.
        """
        self._resume_point.forget()
        self._current_item = self._find_next_open(self._current_item)
        return self.present(self._current_item) if self._current_item else None

    @property
    def is_revisiting(self) -> bool:
        """Whether the open document is judged or was opened by going back."""
        return self._resume_point.is_revisiting(self._current_item)

    def return_or_advance(self) -> PresentedDocument | None:
        """Open the unjudged document that was open before going back, or else the next document.

        Returns None if everything is judged.
        """
        if (item := self._resume_point.take()) is None:
            return self.advance()
        self._current_item = item
        return self.present(item)

    def open_item(self, item: QueueItem) -> PresentedDocument:
        """Open a queue item, judged or not."""
        if item not in self.queue:
            raise IrjudgeError(
                "Document {document} is not in the pool of topic {topic}.",
                key="not-to-judge",
                document=item.document,
                topic=item.topic,
            )
        if self._is_pending(item):
            self._resume_point.forget()
        else:
            self._resume_point.leave(self._current_item, item)
        self._current_item = item
        return self.present(item)

    def open_retrieved(
        self, topic: str, document: str, source: DocumentSource = "search"
    ) -> PresentedDocument:
        """Open a document that the assessor retrieved, whether it is pooled or not."""
        return self.open_item(self._add_to_queue(topic, document, source))

    def grade_retrieved(
        self, topic: str, document: str, value: int, source: DocumentSource = "search"
    ) -> Event:
        """Grade a document in a list of search results without opening it."""
        return self.grade(self.present(self._add_to_queue(topic, document, source)), value)

    def _add_to_queue(self, topic: str, document: str, source: DocumentSource) -> QueueItem:
        """Add a document and its source to the queue, unless it is already there."""
        item = QueueItem(topic, document)
        if item not in self.queue:
            self.queue.add(item)
            self._origins[item] = {SOURCE: source}
        return item

    def page(self, item: QueueItem, size: int) -> tuple[QueueItem, ...]:
        """Return the items on the same page as `item`, in pages of `size` documents."""
        return select_page(self.queue.topic_items(item.topic), self.queue.position(item), size)

    def list_upcoming(self, count: int = 2) -> list[QueueItem]:
        """Return up to `count` items that come next in the topic and can be prefetched."""
        if self._current_item is None:
            return []
        following_items = (
            item
            for item in self._list_following_items(self._current_item)
            if item != self._current_item and self._is_pending(item)
        )
        return list(islice(following_items, count))

    def fetch_ahead(self) -> None:
        """Prefetch the next documents, so that showing them needs no disk access."""
        self._fetched_documents = {
            item: self._project.collection.document(item.document) for item in self.list_upcoming()
        }

    def open_topic(self, topic: str) -> PresentedDocument:
        """Open the first unjudged document of a topic; documents of random samples come first.

        If all documents are judged, open the first document.
        """
        if not self.queue.size(topic):
            raise IrjudgeError("Topic {topic} has no documents to judge.", topic=topic)
        items = sorted(
            self.queue.topic_items(topic),
            key=lambda item: (topic, item.document) not in self._sampled_pairs,
        )
        return self.open_item(
            next((item for item in items if self.judgment(item) is None), items[0])
        )

    def present(self, item: QueueItem) -> PresentedDocument:
        """Return the document of a queue item as assessors see it."""
        document = self._fetched_documents.get(item) or self._project.collection.document(
            item.document
        )
        if document is None:
            raise ProjectError(
                "Document {document} has no text in this project.", document=item.document
            )
        return PresentedDocument(self.topic(item.topic), document, item.occurrence)

    def topic(self, topic: str) -> Topic:
        """Return a topic; if the project does not have it, return a topic with the id as title."""
        return self._topics.get(topic) or Topic(topic, topic)

    # Order of items

    def _list_topics_from(self, current_item: QueueItem | None) -> tuple[str, ...]:
        """Return all topics, the current topic first; the first topic follows the last."""
        topics = self.queue.topics
        start = (
            topics.index(current_item.topic) if current_item and current_item.topic in topics else 0
        )
        return topics[start:] + topics[:start]

    def _find_next_open(self, current_item: QueueItem | None) -> QueueItem | None:
        """Return the next item to judge; None if everything is judged.

        Unjudged items of the current topic after `current_item` come first, then unjudged items
        before it, then items that were skipped once, then other topics. Items that were skipped
        repeatedly come last.
        """
        unfinished_topics = [
            topic for topic in self._list_topics_from(current_item) if self.count(topic).left
        ]
        for topic in unfinished_topics:
            for skip_count in (0, 1):
                if next_item := next(
                    (
                        item
                        for item in self._iter_unjudged(topic, current_item)
                        if self.ledger.count_skips(item.key) == skip_count
                    ),
                    None,
                ):
                    return next_item
        skipped_items = (
            item for topic in unfinished_topics for item in self._iter_unjudged(topic, current_item)
        )
        return min(
            skipped_items,
            key=lambda item: self.ledger.count_skips(item.key),
            default=current_item if unfinished_topics else None,
        )

    def _iter_unjudged(self, topic: str, current_item: QueueItem | None) -> Iterator[QueueItem]:
        """Yield the unjudged items of a topic after `current_item`, then those before it."""
        items = (
            self._list_following_items(current_item)
            if current_item and current_item.topic == topic
            else self.queue.topic_items(topic)
        )
        return (
            item
            for item in items
            if item != current_item and self.ledger.judgment(item.key) is None
        )

    def _list_following_items(self, item: QueueItem) -> tuple[QueueItem, ...]:
        items = self.queue.topic_items(item.topic)
        start = self.queue.position(item) + 1
        return items[start:] + items[:start]

    def _is_pending(self, item: QueueItem) -> bool:
        return self.ledger.judgment(item.key) is None and not self.ledger.is_skipped(item.key)

    # Actions

    def grade(
        self,
        presentation: PresentedDocument,
        value: int,
        *,
        active_ms: int = 0,
        page: PageSeen | None = None,
    ) -> Event:
        """Record the grade of a presented document durably, and return the event."""
        if type(value) is not int or value not in self.scale.values:
            raise IrjudgeError(
                "Grade {value} is not on the scale {values}.",
                key="unknown-grade",
                value=value,
                values=", ".join(map(str, self.scale.values)),
            )
        return self._judge(
            "grade", presentation, {"value": value, "scale": self.scale.version}, active_ms, page
        )

    def mark_unjudgeable(
        self,
        presentation: PresentedDocument,
        reason: str,
        *,
        active_ms: int = 0,
        page: PageSeen | None = None,
    ) -> Event:
        """Mark a document as unjudgeable, with one of `UNJUDGEABLE_REASONS`."""
        if reason not in UNJUDGEABLE_REASONS:
            raise IrjudgeError(
                "Unknown reason {reason!r}; expected one of {reasons}.",
                reason=reason,
                reasons=", ".join(UNJUDGEABLE_REASONS),
            )
        return self._judge("unjudgeable", presentation, {"reason": reason}, active_ms, page)

    def skip(
        self, presentation: PresentedDocument, *, active_ms: int = 0, page: PageSeen | None = None
    ) -> Event:
        """Skip a document.

        The document is shown again at the end of its topic or, after a second skip, at the end of
        all topics.
        """
        return self._judge("skip", presentation, {}, active_ms, page)

    def set_unsure(self, presentation: PresentedDocument, unsure: bool) -> Event:
        """Flag a document as unsure, or remove the flag."""
        return self._write("unsure", presentation, {"value": unsure})

    def note(self, presentation: PresentedDocument, text: str) -> Event:
        """Save a note on a document; an empty text removes it."""
        return self._write("note", presentation, {"text": text})

    def draft(self, presentation: PresentedDocument, text: str) -> Event:
        """Save an unfinished note, so that a crash does not lose it; `undo` ignores drafts."""
        return self._write("draft", presentation, {"text": text})

    def rationale(self, presentation: PresentedDocument, text: str, begin: int, end: int) -> Event:
        """Save a passage of the shown text, with its position, as a rationale."""
        if not text.strip() or not 0 <= begin < end:
            raise IrjudgeError("Select the text of the rationale first.")
        return self._write("rationale", presentation, {"text": text, "position": [begin, end]})

    def _judge(
        self,
        kind: EventKind,
        presentation: PresentedDocument,
        payload: dict[str, Any],
        active_ms: int,
        page: PageSeen | None,
    ) -> Event:
        return self._write(
            kind,
            presentation,
            {**payload, "active_ms": active_ms, **(page.as_payload if page else {})},
        )

    def _write(
        self, kind: EventKind, presentation: PresentedDocument, payload: dict[str, Any]
    ) -> Event:
        item = Item(
            presentation.topic.id,
            (presentation.document.id,),
            (presentation.document.digest.hex(),),
            occurrence=presentation.occurrence,
        )
        return self._record(
            kind,
            item,
            payload
            | self._make_source_payload(presentation.queue_item)
            | self._make_shown_models_payload(presentation.queue_item)
            if kind in GRADINGS
            else payload,
        )

    def _make_shown_models_payload(self, item: QueueItem) -> dict[str, Any]:
        """Return the payload that records the models whose grades of the document were shown."""
        pair = (item.topic, item.document)
        try:
            models = list_models_shown(self._project, self.assessor, pair)
        except ProjectError:
            # if the file was replaced, the transaction raises an error that reports the replacement
            with self._project.transaction():
                try:
                    models = list_models_shown(self._project, self.assessor, pair)
                except ProjectError as error:
                    raise CommitFailed("Not saved: {error}", error=error) from error
        return {SHOWN_MODELS_KEY: list(models)} if models else {}

    def _make_source_payload(self, item: QueueItem) -> dict[str, Any]:
        """Return the payload with the source of an unpooled document; empty if it is pooled."""
        return (
            {SOURCE: "drawn"}
            if (item.topic, item.document) in self._sampled_pairs
            else self._origins.get(item, {})
        )

    def _count(self, event: Event, previous_judgment: Event | None) -> None:
        self._recent_times.extend(collect_recent_times([event], GRADINGS))
        if self._is_queued(event):
            judgment = self.ledger.judgment(event.item.key)
            self._judged_counts[event.item.topic] += (judgment is not None) - (
                previous_judgment is not None
            )

    def _recount(self) -> None:
        self._judged_counts = Counter(
            event.item.topic for event in self.ledger.judgments() if self._is_queued(event)
        )
        self._recent_times = collect_recent_times(self.ledger.judgments(), GRADINGS)

    def _return_to(self, event: Event) -> None:
        item = get_queue_item(event)
        if item in self.queue:
            self._resume_point.leave(self._current_item, item)
            self._current_item = item

    # Status of the work

    def judgment(self, item: QueueItem) -> Event | None:
        """Return the current judgment of an item; None if it is unjudged."""
        return self.ledger.judgment(item.key)

    def is_skipped(self, item: QueueItem) -> bool:
        """Return whether a document was skipped and not judged since."""
        return self.ledger.is_skipped(item.key)

    def calibration(self, item: QueueItem) -> int | None:
        """Return the agreed grade of a calibration document; None for other documents.

        The grade is shown to the assessor after the document is judged.
        """
        return self._calibration.get(item.topic, {}).get(item.document)

    def marks(self, item: QueueItem) -> Marks:
        """Return the annotations of a document."""
        return self.ledger.marks(item.key)

    def count(self, topic: str | None = None) -> JudgedCount:
        """Return the numbers of assigned and judged documents, in one topic or in all topics."""
        judged_counts = self._judged_by_topic
        return (
            JudgedCount(judged_counts.total(), len(self.queue))
            if topic is None
            else JudgedCount(judged_counts[topic], self.queue.size(topic))
        )

    def item_states(self, topic: str) -> tuple[ItemState, ...]:
        """Return the state of each item of a topic, in queue order, without reading texts."""
        return list_item_states(self.ledger, self.queue, topic)

    def titles(self, topic: str) -> dict[str, str]:
        """Return the title or first words of each document of a topic, by document id."""
        return (
            self._project.collection.titles(self.queue.documents(topic))
            if self.queue.size(topic)
            else {}
        )

    def summary(self, topic: str) -> TopicSummary:
        """Return the summary of the work on a topic."""
        return summarize_topic(
            self.ledger, self.queue, topic, self.scale.values, self._judged_by_topic
        )

    def last_judged(self) -> QueueItem | None:
        """Return the item that was judged last; None if there is none.

        If the open document is judged, return the item that was judged before it. Thus, opening the
        returned item and calling this method again goes back further.
        """
        judged_items = (
            get_queue_item(event)
            for event in self.ledger.newest_judgments()
            if self._is_queued(event)
        )
        if self._current_item is not None and self.judgment(self._current_item) is not None:
            # skip judgments that are newer than the judgment of the open document
            next((item for item in judged_items if item == self._current_item), None)
        return next(judged_items, None)

    @property
    def is_unstarted(self) -> bool:
        """Whether the assessor has no events in this project yet."""
        return self.head is None

    def seconds_left(self) -> int | None:
        """Return the estimated seconds for the remaining judgments; None if the pace is unknown."""
        remaining_count = self.count().left
        return estimate_seconds_left(self._recent_times, remaining_count)
