"""Queue of the documents that an assessor is to judge, states of the items, and topic totals."""

from collections import Counter, deque
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from hashlib import blake2b
from statistics import median_low
from typing import Literal, Protocol

from irjudge.errors import IrjudgeError
from irjudge.judging.active_time import MAX_PACE_JUDGMENTS
from irjudge.judging.ledger import Ledger, get_ledger
from irjudge.judging.sources import iter_retrieved_documents
from irjudge.model import Event, ItemKey, Pool, active_ms
from irjudge.store import Project

NOT_IN_POOL = -1  # code for topics that are not in the pool


@dataclass(frozen=True, slots=True)
class QueueItem:
    """Item of a queue: id of the topic, id of the document, and number of the presentation.

    The number is 1 unless the document is presented again for the same topic.
    """

    topic: str
    document: str
    occurrence: int = 1

    @property
    def key(self) -> ItemKey:
        """Key of the item in the ledger."""
        return (self.topic, (self.document,), self.occurrence)


def get_queue_item(event: Event) -> QueueItem:
    """Return the queue item to which an event about a single document refers."""
    return QueueItem(event.item.topic, event.item.documents[0], event.item.occurrence)


class Queue(Protocol):
    """Protocol of a queue: the ordered documents of each topic that one assessor is to judge.

    Documents that the assessor retrieves can be added, except to the queue of an assignment file,
    whose method `add` raises IrjudgeError.
    """

    left_out: frozenset[str]  # ids of documents that cannot be shown

    @property
    def topics(self) -> tuple[str, ...]:
        """Topics with documents to judge."""

    def documents(self, topic: str) -> tuple[str, ...]:
        """Return the documents of a topic in this assessor's order; repeats are included."""

    def topic_items(self, topic: str) -> tuple[QueueItem, ...]:
        """Return the items of a topic in this assessor's order."""

    def size(self, topic: str) -> int:
        """Return the number of items of a topic; 0 for an unknown topic."""

    def position(self, item: QueueItem) -> int:
        """Return the 0-based position of an item within its topic."""

    def add(self, item: QueueItem) -> None:
        """Append a document that the assessor retrieved to the items of its topic."""

    def __len__(self) -> int: ...

    def __contains__(self, item: QueueItem) -> bool: ...


class AssignedQueue:
    """Queue of the documents of an assignment file, in the order of the assignment."""

    def __init__(
        self, items: Iterable[tuple[str, str]], *, excluded_documents: frozenset[str] = frozenset()
    ) -> None:
        self.left_out = excluded_documents
        occurrences: Counter[tuple[str, str]] = Counter()
        items_by_topic: dict[str, list[QueueItem]] = {}
        for topic, document in items:
            if document not in excluded_documents:
                occurrences[topic, document] += 1
                items_by_topic.setdefault(topic, []).append(
                    QueueItem(topic, document, occurrences[topic, document])
                )
        self._items = {topic: tuple(items) for topic, items in items_by_topic.items()}
        self._positions = {
            item: position for items in self._items.values() for position, item in enumerate(items)
        }

    @property
    def topics(self) -> tuple[str, ...]:
        """Topics with documents to judge, in the order of the assignment."""
        return tuple(self._items)

    def documents(self, topic: str) -> tuple[str, ...]:
        """Return the documents of a topic, in the order of presentation, with repeats."""
        return tuple(item.document for item in self._items[topic])

    def topic_items(self, topic: str) -> tuple[QueueItem, ...]:
        """Return the items of a topic, in the order of presentation."""
        return self._items[topic]

    def size(self, topic: str) -> int:
        """Return the number of items of a topic."""
        return len(self._items.get(topic, ()))

    def position(self, item: QueueItem) -> int:
        """Return the 0-based position of an item within its topic."""
        return self._positions[item]

    def add(self, item: QueueItem) -> None:
        """Raise IrjudgeError, since an assignment file contains only assigned documents."""
        raise IrjudgeError(
            "Document {document} was not assigned for topic {topic}.",
            document=item.document,
            topic=item.topic,
        )

    def __len__(self) -> int:
        return len(self._positions)

    def __contains__(self, item: QueueItem) -> bool:
        return item in self._positions


class PoolQueue:
    """Queue of pooled documents, with a different order for each assessor.

    Within a topic, documents are ordered by a hash of seed, assessor, topic and document. This
    order does not depend on ranks, the machine or versions of libraries, and added documents do not
    change the order of the others. If the pool has a fixed order, that order is used. Calibration
    documents come first, added documents last.
    """

    def __init__(
        self,
        pool: Pool,
        *,
        seed: int,
        assessor: str,
        excluded_documents: frozenset[str] = frozenset(),
        calibration: Mapping[str, Iterable[str]] | None = None,
        retrieved_pairs: Iterable[tuple[str, str]] = (),
    ) -> None:
        self._pool, self._salt = pool, f"{seed}\0{assessor}".encode()
        self.left_out = excluded_documents
        calibration_documents = calibration or {}
        self._calibration_documents = {
            topic: frozenset(calibration_documents.get(topic, ())) - excluded_documents
            for topic in pool.topics
        }
        self._ordered_documents: dict[str, tuple[str, ...]] = {}
        self._items: dict[str, tuple[QueueItem, ...]] = {}
        self._positions: dict[str, dict[str, int]] = {}
        self._pooled_documents: dict[str, frozenset[str]] = {}
        documents_by_topic = (self._list_documents(code) for code in range(len(pool.topics)))
        self._topics = {
            topic: (code, len(ids))
            for code, (topic, ids) in enumerate(zip(pool.topics, documents_by_topic, strict=True))
            if ids
        }
        self._added_documents: dict[str, list[str]] = {}
        for topic, document in retrieved_pairs:
            if (
                item := QueueItem(topic, document)
            ) not in self and document not in excluded_documents:
                self.add(item)

    @property
    def topics(self) -> tuple[str, ...]:
        """Topics with documents to judge, in pool order."""
        return tuple(self._topics)

    def documents(self, topic: str) -> tuple[str, ...]:
        """Return the documents of a topic in this assessor's order."""
        if topic not in self._ordered_documents:
            opening_documents = self._calibration_documents.get(topic, frozenset[str]())
            documents = self._list_documents(self._topics[topic][0])
            order_key = (
                (lambda _topic, _document: b"") if self._pool.in_order else self._hash_document
            )
            shuffled_documents = sorted(
                documents,
                key=lambda document: (
                    document not in opening_documents,
                    order_key(topic, document),
                ),
            )
            self._ordered_documents[topic] = (
                *shuffled_documents,
                *self._added_documents.get(topic, ()),
            )
        return self._ordered_documents[topic]

    def topic_items(self, topic: str) -> tuple[QueueItem, ...]:
        """Return the items of a topic in this assessor's order."""
        if topic not in self._items:
            self._items[topic] = tuple(
                QueueItem(topic, document) for document in self.documents(topic)
            )
        return self._items[topic]

    def size(self, topic: str) -> int:
        """Return the number of documents to judge for a topic."""
        return self._topics[topic][1] if topic in self._topics else 0

    def position(self, item: QueueItem) -> int:
        """Return the 0-based position of an item within its topic."""
        if item.topic not in self._positions:
            self._positions[item.topic] = {
                document: position for position, document in enumerate(self.documents(item.topic))
            }
        return self._positions[item.topic][item.document]

    def add(self, item: QueueItem) -> None:
        """Append a document that the assessor retrieved to the items of its topic."""
        topic = item.topic
        code, size = self._topics.get(topic, (NOT_IN_POOL, 0))
        self._topics[topic] = code, size + 1
        self._added_documents.setdefault(topic, []).append(item.document)
        for cache in (
            self._ordered_documents,
            self._items,
            self._positions,
            self._pooled_documents,
        ):
            cache.pop(topic, None)

    def __len__(self) -> int:
        return sum(size for _, size in self._topics.values())

    def __contains__(self, item: QueueItem) -> bool:
        if item.topic not in self._topics or item.occurrence != 1:
            return False
        if item.topic not in self._pooled_documents:
            documents = self._list_documents(self._topics[item.topic][0])
            self._pooled_documents[item.topic] = frozenset(
                [*documents, *self._added_documents.get(item.topic, ())]
            )
        return item.document in self._pooled_documents[item.topic]

    def _list_documents(self, code: int) -> list[str]:
        """Return the documents of a pooled topic, calibration documents first, without duplicates.

        A topic without pooled documents has no calibration documents.
        """
        if code == NOT_IN_POOL:
            return []
        start, end = self._pool.starts[code], self._pool.starts[code + 1]
        documents = [
            document
            for document in self._pool.document[start:end].to_pylist()
            if document not in self.left_out
        ]
        calibration_documents = self._calibration_documents[self._pool.topics[code]]
        return (
            [
                *sorted(calibration_documents),
                *(document for document in documents if document not in calibration_documents),
            ]
            if documents and calibration_documents
            else documents
        )

    def _hash_document(self, topic: str, document: str) -> bytes:
        return blake2b(
            b"\0".join((self._salt, topic.encode(), document.encode())), digest_size=16
        ).digest()


def make_queue(project: Project, pool: Pool, assessor: str) -> Queue:
    """Return the queue of an assessor.

    In an assignment file, the queue contains the assigned documents. Otherwise, it contains, in
    this order, calibration documents, pooled documents, and documents that the assessor retrieved.
    Documents without a text are omitted.
    """
    assignment = project.assignments.assessor_assignment()
    if assignment is not None and assignment.assessor == assessor:
        items = [
            (item.topic, item.documents[0])
            for item in project.assignments.items(assignment.code)
            if item.type == "document"
        ]
        return AssignedQueue(
            items,
            excluded_documents=frozenset(
                project.collection.without_text(list(dict.fromkeys(item[1] for item in items)))
            ),
        )
    calibration = project.calibration
    calibration_ids = {document for documents in calibration.values() for document in documents}
    excluded_documents = frozenset(project.rankings.pooled_without_text()).union(
        project.collection.without_text(sorted(calibration_ids))
    )
    retrieved_pairs = [pair for pair, _ in iter_retrieved_documents(get_ledger(project, assessor))]
    return PoolQueue(
        pool,
        seed=project.seed,
        assessor=assessor,
        excluded_documents=excluded_documents,
        calibration=calibration,
        retrieved_pairs=retrieved_pairs,
    )


def list_pooled_without_text(project: Project) -> list[str]:
    """Return the pooled documents that have no text, in pool order, without duplicates."""
    pool = project.rankings.pool()
    return (
        project.collection.without_text(list(dict.fromkeys(pool.document.to_pylist())))
        if pool
        else []
    )


def list_retrieved_without_text(project: Project) -> list[str]:
    """Return the documents in runs that have no text, without duplicates.

    The result is empty if no document has a text, since such a project is used only for evaluation.
    """
    return project.rankings.retrieved_without_text() if project.collection.document_count() else []


# States and summaries

GRADINGS, COMPARISONS = frozenset({"grade", "unjudgeable"}), frozenset({"preference"})
State = Literal["grade", "unjudgeable", "skipped", "unjudged"]


@dataclass(frozen=True, slots=True)
class ItemState:
    """State of a queue item (`grade`, `unjudgeable` and so on), its grade, and two flags.

    The flags are whether the assessor is unsure, and whether there are annotations. The note and
    the rationales themselves are in `Marks`.
    """

    item: QueueItem
    state: State  # `grade`, `unjudgeable`, `skipped` (if not judged since) or `unjudged`
    grade: int | None = None  # grade of the document; None unless the state is `grade`
    unsure: bool = False  # whether the item is flagged, judged or not
    has_annotations: bool = False  # whether the item has a note, a draft or a rationale


@dataclass(frozen=True, slots=True)
class TopicSummary:
    """Summary of an assessor's work on one topic, and of what is left in the whole assignment.

    It is shown when the topic is finished.
    """

    topic: str  # topic id
    judged: int  # number of judged documents, including unjudgeable documents
    assigned: int  # number of documents to judge
    grades: dict[int, int]  # number of documents with each grade of the scale
    unjudgeable: int  # number of unjudgeable documents
    skipped: int  # number of documents skipped and not judged since
    unsure: int  # number of flagged documents, judged or not
    # total active milliseconds, including those of judgments that were undone or changed
    active_ms: int
    # median active milliseconds of the current judgments with a time; None if there are none
    median_ms: int | None
    topics_left: int  # number of unfinished topics of the whole assignment
    documents_left: int  # number of unjudged documents of the whole assignment


def list_item_states(ledger: Ledger, queue: Queue, topic: str) -> tuple[ItemState, ...]:
    """Return the state of each item of a topic, in queue order; empty for an unknown topic."""
    if not queue.size(topic):
        return ()
    return tuple(_make_item_state(ledger, item) for item in queue.topic_items(topic))


def _make_item_state(ledger: Ledger, item: QueueItem) -> ItemState:
    if not ledger.has_events(item.key):
        return ItemState(item, "unjudged")
    judgment = ledger.judgment(item.key)
    marks = ledger.marks(item.key)
    flags = marks.unsure, bool(marks.note or marks.draft or marks.rationales)
    if judgment is None:
        return ItemState(
            item, "skipped" if ledger.is_skipped(item.key) else "unjudged", None, *flags
        )
    if judgment.kind == "grade":
        return ItemState(item, "grade", int(judgment.payload["value"]), *flags)
    return ItemState(item, "unjudgeable", None, *flags)


def collect_recent_times(judgments: Iterable[Event], kinds: frozenset[str]) -> deque[int]:
    """Return the active times (ms) of the newest judgments of the given kinds.

    `estimate_seconds_left` uses these times; grading and comparing are timed separately.
    """
    return deque(
        (
            milliseconds
            for event in judgments
            if event.kind in kinds and (milliseconds := active_ms(event))
        ),
        maxlen=MAX_PACE_JUDGMENTS,
    )


def summarize_topic(
    ledger: Ledger,
    queue: Queue,
    topic: str,
    grades: Iterable[int],
    judged_counts: Mapping[str, int],
) -> TopicSummary:
    """Return the summary of an assessor's work on a topic.

    `grades` are the values of the scale; `judged_counts` is the number of judged documents of each
    topic.
    """
    items = list_item_states(ledger, queue, topic)
    state_counts = Counter(item.state for item in items)
    grade_counts = Counter(item.grade for item in items if item.grade is not None)
    judgments = [event for item in items if (event := ledger.judgment(item.item.key))]
    active_times = [milliseconds for event in judgments if (milliseconds := active_ms(event))]
    unjudged_counts = [
        queue.size(queue_topic) - judged_counts.get(queue_topic, 0) for queue_topic in queue.topics
    ]
    return TopicSummary(
        topic=topic,
        judged=len(judgments),
        assigned=len(items),
        grades={grade: grade_counts[grade] for grade in sorted({*grades, *grade_counts})},
        unjudgeable=state_counts["unjudgeable"],
        skipped=state_counts["skipped"],
        unsure=sum(item.unsure for item in items),
        active_ms=sum(
            active_ms(event) for item in items for event in ledger.history(item.item.key)
        ),
        median_ms=median_low(active_times) if active_times else None,
        topics_left=sum(count > 0 for count in unjudged_counts),
        documents_left=sum(unjudged_counts),
    )
