"""Session of side-by-side comparisons, in which an assessor prefers one of two lists."""

from collections import Counter, OrderedDict
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from time import monotonic
from typing import Any

from irjudge.errors import IrjudgeError, ProjectError
from irjudge.judging.active_time import estimate_seconds_left
from irjudge.judging.preferences import (
    ComparisonItem,
    ComparisonQueue,
    list_comparisons,
    read_comparison_items,
)
from irjudge.judging.queue import COMPARISONS, collect_recent_times
from irjudge.judging.recorder import Recorder, ResumePoint
from irjudge.judging.session import JudgedCount
from irjudge.message import Message
from irjudge.model import (
    ComparisonRules,
    Document,
    Event,
    EventKind,
    Item,
    ItemKey,
    Topic,
    Winner,
    preference_payload,
    utc_now,
)
from irjudge.store import (
    Project,
    has_shown_picture,
    limit_to_shown_fields,
    shown_picture,
    summarise_document,
)
from irjudge.text import Snippet, Term, make_snippet, query_terms

MAX_CACHED_RESULTS = 400  # maximum number of cached results; a comparison has about 20 results


@dataclass(frozen=True, slots=True)
class ListedDocument:
    """Document in a comparison as shown: document id, snippet, and a line of field texts.

    It is a result in a compared list, or one of two compared documents. `digest` is the hash of the
    document's content (hex). `is_new` is always False for results in lists.
    """

    document: str
    digest: str
    snippet: Snippet
    is_new: bool = False  # whether the document has not been shown to the assessor before
    metadata: str = ""  # texts of the first fields that are shown to assessors, in one line
    pictured: bool = False  # whether a picture of the document is shown


@dataclass(frozen=True, slots=True)
class PresentedLists:
    """Two result lists, or two documents, presented for comparison; runs are not revealed."""

    item: ComparisonItem
    topic: Topic
    left: tuple[ListedDocument, ...]
    right: tuple[ListedDocument, ...]

    @property
    def results(self) -> tuple[ListedDocument, ...]:
        """All results; those of the left list come first."""
        return self.left + self.right


@dataclass(frozen=True, slots=True)
class Attention:
    """Record of what an assessor viewed of two lists or documents, stored with the preference.

    All fields except `active_ms` are pairs in the order (left, right). Two compared documents are
    not opened, so that `opens` and `dwell_ms` are 0.
    """

    active_ms: int = 0  # active milliseconds
    opens: tuple[int, int] = (0, 0)  # number of times that a result of each list was opened
    # milliseconds for which an opened result was visible, on each side
    dwell_ms: tuple[int, int] = (0, 0)
    # lists: largest rank number, from 1, that was visible; documents: 1 if the end was visible; 0 if
    # nothing was
    scrolled: tuple[int, int] = (0, 0)


NO_ATTENTION = Attention()
ResultPosition = tuple[int, int]  # side (0 left, 1 right) of a result, and index in the list


class ViewingLog:
    """Counter of how often and how long results of each side were open while an item was shown.

    Sides are 0 (left) and 1 (right); ranks are indices, from 0. `begin` resets the log for another
    item. At most one result is open at a time.

    Examples
    --------
    >>> ticks = iter([10.0, 12.5])
    >>> log = ViewingLog(lambda: next(ticks))
    >>> log.open(1, 3)
    >>> log.close(), log.count()
    ((1, 3), ((0, 1), (0, 2500)))
    """

    def __init__(self, clock: Callable[[], float] = monotonic) -> None:
        self._clock = clock
        self.begin()

    def begin(self) -> None:
        """Reset the log for another item."""
        self._opens, self._dwell = [0, 0], [0.0, 0.0]
        self.open_position: ResultPosition | None = None  # None if no result is open
        self._opened_at = 0.0

    def open(self, side: int, rank: int) -> None:
        """Record that a result was opened; if another one was open, first record its closing."""
        self.close()
        self.open_position, self._opened_at = (side, rank), self._clock()
        self._opens[side] += 1

    def close(self) -> ResultPosition | None:
        """Record that the open result was closed; return its position, or None if none was open."""
        position, self.open_position = self.open_position, None
        if position is not None:
            self._dwell[position[0]] += self._clock() - self._opened_at
        return position

    def count(self) -> tuple[tuple[int, int], tuple[int, int]]:
        """Return how often results of each side were opened, and for how many milliseconds."""
        return (self._opens[0], self._opens[1]), (
            round(self._dwell[0] * 1000),
            round(self._dwell[1] * 1000),
        )


class ComparisonSession(Recorder):
    """Session in which one assessor compares pairs of documents or panels of two lists.

    The comparisons are those assigned to the assessor; without any, ProjectError is raised. Items
    with a document that has no text are omitted. Each item has the rules of its assignment.
    Preferences and, if its rules allow it, grades of opened results are recorded. Identical lists
    are recorded as ties when the session begins, and are not shown.
    """

    def __init__(
        self, project: Project, assessor: str | None = None, *, clock: Callable[[], str] = utc_now
    ) -> None:
        super().__init__(project, assessor, clock=clock)
        assignments = list_comparisons(project, self.assessor)
        if not assignments:
            raise ProjectError(
                "There is nothing to compare side by side yet: set up a comparison first."
            )
        self.scale = project.scale
        self.queue = ComparisonQueue(
            self._select_with_text(read_comparison_items(project, assignments))
        )
        self._topics = {topic.id: topic for topic in project.collection.topics()}
        self._terms: dict[str, tuple[Term, ...]] = {}
        self._cached_results: OrderedDict[tuple[str, str], ListedDocument] = OrderedDict()
        self.refuse_gap()
        self._current_item: ComparisonItem | None = None
        self._resume_point = ResumePoint[ComparisonItem](
            lambda item: self.judgment(item) is not None
        )
        self._record_identical_lists()

    def _select_with_text(self, presentations: Sequence[ComparisonItem]) -> list[ComparisonItem]:
        """Return the items whose documents all have a text.

        Set `without_text` to the ids of the documents without a text."""
        missing_texts = set(
            self._project.collection.without_text(
                list({document for item in presentations for document in item.documents})
            )
        )
        self.without_text = tuple(sorted(missing_texts))
        return [item for item in presentations if missing_texts.isdisjoint(item.documents)]

    def _record_identical_lists(self) -> None:
        unrecorded_items = [
            item
            for item in self.queue.all
            if item.identical and self.ledger.judgment(item.key) is None
        ]
        if not unrecorded_items:
            return
        digests = self._project.collection.digests(
            list({document for item in unrecorded_items for document in item.documents})
        )
        events: list[Event] = []
        for item in unrecorded_items:
            contents = tuple(digests[document] for document in item.documents)
            payload = preference_payload("tie", identical=True, **_make_side_payload(item))
            parent = events[-1].digest if events else self.head
            events.append(
                self._make_event("preference", _make_item(item, contents), payload, None, parent)
            )
        self._chain.append_all(events)

    @property
    def rules(self) -> ComparisonRules:
        """Rules of the open item; if no item is open, of the last item."""
        items = self.queue.all[-1:] if self._current_item is None else (self._current_item,)
        return items[0].rules if items else ComparisonRules()

    @property
    def topics(self) -> tuple[str, ...]:
        """Topics with items to compare, in the order of their first items."""
        return self.queue.topics

    def keys(self, topic: str) -> tuple[ItemKey, ...]:
        """Return the key of each item of a topic."""
        return tuple(item.key for item in self.queue.list_topic_items(topic))

    # Open item

    def current(self) -> PresentedLists | None:
        """Return the open lists; None if everything is compared."""
        if self._current_item is None:
            self._current_item = self._find_next(None)
        return self._present(self._current_item) if self._current_item else None

    def advance(self) -> PresentedLists | None:
        """Open the next item; skipped items come last."""
        self._resume_point.forget()
        self._current_item = self._find_next(self._current_item)
        return self.current() if self._current_item else None

    @property
    def is_revisiting(self) -> bool:
        """Whether the open item is judged or was opened by going back."""
        return self._resume_point.is_revisiting(self._current_item)

    def return_or_advance(self) -> PresentedLists | None:
        """Open the unjudged item that was open before going back, or else the next item.

        Returns None if everything is compared.
        """
        if (item := self._resume_point.take()) is None:
            return self.advance()
        self._current_item = item
        return self._present(item)

    def prepare(self) -> bool:
        """Prefetch one result of the next item; return False if all are prefetched.

        Opening a completely prefetched item needs no disk access.
        """
        item = self.queue.find_next(self.ledger, self._current_item) if self._current_item else None
        if item is None:
            return False
        missing_document = next(
            (
                document
                for document in item.documents
                if (item.topic, document) not in self._cached_results
            ),
            None,
        )
        if missing_document is not None:
            self._make_result(item.topic, missing_document)
        return missing_document is not None

    def document(self, id: str) -> Document:
        """Return a document with its whole text, but only the fields that assessors see."""
        return limit_to_shown_fields(self._project, self._read_document(id))

    def picture(self, id: str) -> bytes:
        """Return the shown picture of a document; empty if there is none."""
        return shown_picture(self._project, self._read_document(id))

    def _read_document(self, id: str) -> Document:
        document = self._project.collection.document(id)
        if document is None:
            raise ProjectError("Document {id} has no text in this project.", id=id)
        return document

    def topic(self, topic: str) -> Topic:
        """Return a topic; if the project does not have it, return a topic with the id as title."""
        return self._topics.get(topic) or Topic(topic, topic)

    def terms(self, topic: str) -> tuple[Term, ...]:
        """Return the terms of a topic that are highlighted in results."""
        if topic not in self._terms:
            topic_text = self.topic(topic)
            self._terms[topic] = query_terms(
                topic_text.title, context=f"{topic_text.description} {topic_text.narrative}"
            )
        return self._terms[topic]

    def _find_next(self, current_item: ComparisonItem | None) -> ComparisonItem | None:
        return self.queue.find_next(self.ledger, current_item) or self.queue.find_next(
            self.ledger, current_item, include_skipped=True
        )

    def _present(self, item: ComparisonItem) -> PresentedLists:
        shown_documents = (
            self._find_shown_documents(item) if item.type == "pair" else frozenset(item.documents)
        )
        left_list, right_list = (
            tuple(
                self._make_result(item.topic, document, is_new=document not in shown_documents)
                for document in documents
            )
            for documents in (item.left, item.right)
        )
        return PresentedLists(item, self.topic(item.topic), left_list, right_list)

    def _find_shown_documents(self, item: ComparisonItem) -> frozenset[str]:
        return frozenset(
            document
            for other_item in self.queue.list_topic_items(item.topic)
            if other_item != item and self.ledger.has_events(other_item.key)
            for document in other_item.documents
        )

    def _make_result(self, topic: str, id: str, *, is_new: bool = False) -> ListedDocument:
        cached_result = self._cached_results.get((topic, id))
        if cached_result is None:
            document = self._read_document(id)
            metadata = summarise_document(self._project, document)
            has_picture = has_shown_picture(self._project, document)
            snippet = make_snippet(document, self.terms(topic))
            cached_result = self._cached_results[topic, id] = ListedDocument(
                id, document.digest.hex(), snippet, metadata=metadata, pictured=has_picture
            )
            if len(self._cached_results) > MAX_CACHED_RESULTS:
                self._cached_results.popitem(last=False)
        return replace(cached_result, is_new=True) if is_new else cached_result

    # Actions

    def prefer(
        self,
        presentation: PresentedLists,
        winner: Winner,
        *,
        strength: int = 1,
        reasons: Sequence[str] = (),
        note: str = "",
        attention: Attention = NO_ATTENTION,
    ) -> Event:
        """Record a preference between the presented lists durably, and return the event."""
        rules = presentation.item.rules
        unknown_reasons = [reason for reason in reasons if reason not in rules.reasons]
        if unknown_reasons:
            raise IrjudgeError(
                "Unknown reason {reason!r}; expected one of {reasons}.",
                key="unknown-reason",
                reason=unknown_reasons[0],
                reasons=", ".join(rules.reasons) or Message("none"),
            )
        if strength not in (1, 2):
            raise IrjudgeError(
                "The strength of a preference must be 1 or 2, got {strength}.",
                key="invalid-strength",
                strength=strength,
            )
        if self.list_unviewed_sides(presentation, attention):
            raise IrjudgeError(
                "Before answering, scroll both lists to the end or open a result in each.",
                key="not-viewed",
            )
        attention_pairs = {
            name: list(getattr(attention, name)) for name in ("opens", "dwell_ms", "scrolled")
        }
        payload = preference_payload(
            winner,
            strength=strength,
            reasons=list(reasons),
            note=note,
            active_ms=attention.active_ms,
            **attention_pairs,
            **_make_side_payload(presentation.item),
        )
        return self._write("preference", presentation, payload)

    def list_unviewed_sides(
        self, presentation: PresentedLists, attention: Attention
    ) -> tuple[str, ...]:
        """Return the sides (`left`, `right`) that the assessor has not viewed sufficiently.

        If the rules require viewing, the assessor must scroll to the end of each list or open one
        of its results before a choice.
        """
        lists = zip(
            ("left", "right"),
            (presentation.left, presentation.right),
            attention.opens,
            attention.scrolled,
            strict=True,
        )
        return tuple(
            side
            for side, results, opens, scrolled in lists
            if presentation.item.rules.must_view and not opens and scrolled < len(results)
        )

    def skip(self, presentation: PresentedLists, *, active_ms: int = 0) -> Event:
        """Skip the presented item; it is shown again after the other items."""
        return self._write("skip", presentation, {"active_ms": active_ms})

    @staticmethod
    def can_grade(presentation: PresentedLists) -> bool:
        """Return whether opened results can be graded.

        If there is only one result, its grade and the answer would have the same ledger key.
        """
        return presentation.item.rules.grading and len(presentation.results) > 1

    def grade(self, presentation: PresentedLists, result: ListedDocument, value: int) -> Event:
        """Record the grade of an opened result."""
        if not self.can_grade(presentation):
            raise IrjudgeError("This comparison does not collect grades.", key="no-grades")
        if value not in self.scale.values:
            raise IrjudgeError(
                "Grade {value} is not on the scale {values}.",
                key="unknown-grade",
                value=value,
                values=", ".join(map(str, self.scale.values)),
            )
        item = Item(presentation.topic.id, (result.document,), (result.digest,))
        return self._record(
            "grade", item, {"value": value, "scale": self.scale.version, "active_ms": 0}
        )

    def find_grade(self, presentation: PresentedLists, result: ListedDocument) -> int | None:
        """Return this assessor's grade of a result; None if there is none."""
        event = self.ledger.judgment((presentation.topic.id, (result.document,), 1))
        return int(event.payload["value"]) if event is not None and event.kind == "grade" else None

    def _write(
        self, kind: EventKind, presentation: PresentedLists, payload: dict[str, Any]
    ) -> Event:
        return self._record(
            kind,
            _make_item(presentation.item, tuple(result.digest for result in presentation.results)),
            payload,
        )

    def _count(self, event: Event, _before: Event | None) -> None:
        self.queue.forget(event.item.topic)
        self._recent_times.extend(collect_recent_times([event], COMPARISONS))

    def _recount(self) -> None:
        for topic in self.queue.topics:
            self.queue.forget(topic)
        self._recent_times = collect_recent_times(self.ledger.judgments(), COMPARISONS)

    def _return_to(self, event: Event) -> None:
        if item := self.queue.find_item(event):
            # in a search for the best documents, the next question depends on the changed answer
            if not item.is_searched:
                self._resume_point.leave(self._current_item, item)
            self._current_item = item

    # Status of the work

    def count(self, topic: str | None = None) -> JudgedCount:
        """Return the numbers of items and of judged items, including identical lists."""
        return JudgedCount(
            self.queue.count_judged(self.ledger, topic), self.queue.size(self.ledger, topic)
        )

    def judgment(self, item: ComparisonItem) -> Event | None:
        """Return the current preference for an item; None if there is none."""
        return self.ledger.judgment(item.key)

    def identical(self) -> int:
        """Return the number of items with identical lists, which are recorded but not shown."""
        return sum(item.identical for item in self.queue.all)

    def outcomes(self) -> Counter[str]:
        """Return the numbers of current preferences for left, right and tie."""
        events = (self.ledger.judgment(item.key) for item in self.queue.all if not item.identical)
        return Counter(str(event.payload["winner"]) for event in events if event is not None)

    @property
    def is_unstarted(self) -> bool:
        """Whether the assessor has no actions that can be undone or redone."""
        return not (self.can_undo or self.can_redo)

    def seconds_left(self) -> int | None:
        """Return the estimated seconds for the remaining items; None if the pace is unknown."""
        remaining_count = self.count().left
        return estimate_seconds_left(self._recent_times, remaining_count)


def _make_item(item: ComparisonItem, contents: tuple[str, ...]) -> Item:
    return Item(item.topic, item.documents, contents, item.type, item.occurrence)


def _make_side_payload(item: ComparisonItem) -> dict[str, Any]:
    """Return the payload fields of a panel, which are empty for a pair.

    The fields are the opaque ids and the lengths of the panel's lists.
    """
    return (
        {"sides": list(item.sides), "sizes": [len(item.left), len(item.right)]}
        if item.type == "panel"
        else {}
    )
