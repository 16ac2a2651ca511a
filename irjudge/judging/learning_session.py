"""Judging session in the order of active learning."""

from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace
from pathlib import Path

from irjudge.judging.active_learning import (
    LearningOptions,
    Lookahead,
    Proposal,
    TopicLearner,
    UntrainedLearner,
    cache_postings,
    get_cached_learner,
    get_cached_postings,
    load_postings,
    read_learning_options,
    read_relevance,
    set_learning_options,
)
from irjudge.judging.queue import Queue, QueueItem, get_queue_item
from irjudge.judging.session import PresentedDocument, Session
from irjudge.judging.sources import BECAUSE, SOURCE
from irjudge.judging.stopping import TopicFinds, compute_target_statuses, record_target_found
from irjudge.model import Event, utc_now
from irjudge.progress import SILENT, Progress
from irjudge.search import Postings
from irjudge.store import Project


class LearningQueue:
    """Documents shown to one assessor by topic, in the order shown.

    It grows until each topic has the number of documents of the options.
    """

    left_out: frozenset[str] = frozenset()

    def __init__(self, wish: LearningOptions, topics: Iterable[str], documents: int) -> None:
        self.wish = wish
        self._opened: dict[str, dict[QueueItem, int]] = {topic: {} for topic in topics}
        self._most = dict.fromkeys(self._opened, documents)
        self.endless: set[str] = set()  # topics without a limit, until the search is complete

    @property
    def topics(self) -> tuple[str, ...]:
        """All topics, in the order of the collection."""
        return tuple(self._opened)

    def documents(self, topic: str) -> tuple[str, ...]:
        """Return the documents shown for a topic."""
        return tuple(place.document for place in self._opened[topic])

    def places(self, topic: str) -> tuple[QueueItem, ...]:
        """Return the items shown for a topic."""
        return tuple(self._opened[topic])

    def count_shown(self, topic: str) -> int:
        """Return the number of documents shown for a topic."""
        return len(self._opened[topic])

    def size(self, topic: str) -> int:
        """Return the number of documents to judge for a topic, those not yet shown included."""
        shown = self._opened.get(topic)
        if shown is None:
            return 0
        wished = len(shown) + 1 if topic in self.endless else self.wish.size_of(topic)
        return max(len(shown), min(wished, self._most[topic]))

    def position(self, place: QueueItem) -> int:
        """Return the 0-based position of an item among those shown."""
        return self._opened[place.topic][place]

    def add(self, place: QueueItem) -> None:
        """Add a shown item; repeats are ignored."""
        shown = self._opened.setdefault(place.topic, {})
        shown.setdefault(place, len(shown))

    def leave(self, topic: str, documents: int) -> None:
        """Limit a topic to the documents that no other assessor judged."""
        self._most[topic] = documents

    def __len__(self) -> int:
        return sum(self.size(topic) for topic in self._opened)

    def __contains__(self, place: QueueItem) -> bool:
        return place in self._opened.get(place.topic, ())


class LearningSession(Session):
    """Judging session in the order of active learning; each grade trains the learner.

    The project needs no pool.
    """

    queue: LearningQueue

    def __init__(
        self,
        project: Project,
        postings: Postings,
        wish: LearningOptions,
        assessor: str | None = None,
        *,
        clock: Callable[[], str] = utc_now,
    ) -> None:
        self._postings, self.wish = postings, wish
        self._learners: dict[str, TopicLearner] = {}
        self._fresh = get_cached_learner(project)  # learner of the next topic
        self._target_statuses = {
            topic: each
            for topic, each in compute_target_statuses(project).items()
            if each.way.searching and not each.complete
        }
        super().__init__(project, assessor, clock=clock)
        self._others = read_relevance(project, wish.rel, besides=self.assessor)

    def _make_queue(self) -> tuple[Queue, tuple[str, ...]]:
        queue = LearningQueue(self.wish, self._topics, len(self._postings))
        self._remember(queue)
        self._add_sampled(queue)
        queue.endless |= self._target_statuses.keys()
        return queue, ()

    def _remember(self, queue: LearningQueue) -> None:
        """Add the documents shown before, by the log."""
        for event in self._chain.ledger.acts.of.values():
            first = event[0]
            if (
                len(first.item.documents) == 1
                and first.item.topic in self._topics
                and first.item.occurrence == 1
            ):
                queue.add(get_queue_item(first))

    # Learning

    def _learner(self, topic: str) -> TopicLearner:
        """Return the learner of a topic, trained with all judgments."""
        if topic not in self._learners:
            made = self._learners[topic] = TopicLearner(
                self._postings, self.topic(topic), self._project.seed, self._fresh
            )
            others = {
                document: said for (of, document), said in self._others.items() if of == topic
            }
            hidden = self._hidden(topic)
            for document, relevant in others.items():
                if document not in hidden:
                    made.tell(document, relevant=relevant)
            mine = [
                event
                for event in self.ledger.judgments()
                if event.item.topic == topic and self._is_queued(event)
            ]
            for event in mine:
                if event.item.documents[0] not in hidden:
                    made.tell(event.item.documents[0], relevant=self._combine_with_others(event))
            self.queue.leave(
                topic,
                len(self._postings)
                - len(others.keys() - {event.item.documents[0] for event in mine}),
            )
        return self._learners[topic]

    def _combine_with_others(self, event: Event | None) -> bool | None:
        """Return the relevance by a judgment combined with other assessors; None if unknown.

        If others judged the document relevant, it is relevant.
        """
        if event is None or event.kind != "grade":
            return self._others.get((event.item.topic, event.item.documents[0])) if event else None
        mine = int(event.payload["value"]) >= self.wish.rel
        # A tie of two votes counts as relevant.
        return mine or self._others.get((event.item.topic, event.item.documents[0])) is True

    def _find_relevance(self, place: QueueItem) -> bool | None:
        """Return the current relevance of a document; None if unknown."""
        standing = self.ledger.judgment(place.key)
        return (
            self._combine_with_others(standing)
            if standing
            else self._others.get((place.topic, place.document))
        )

    def _count(self, event: Event, before: Event | None) -> None:
        super()._count(event, before)
        place = get_queue_item(event)
        if (
            place in self.queue
            and place.topic in self._learners
            and place.document not in self._hidden(place.topic)
        ):
            self._learners[place.topic].tell(place.document, relevant=self._find_relevance(place))

    def _recount(self) -> None:
        self._learners.clear()
        self._remember(self.queue)
        super()._recount()

    # Order

    def open_topic(self, topic: str) -> PresentedDocument:
        """Open the unjudged document of a topic, else the proposal, else its first document."""
        waits = any(self.judgment(place) is None for place in self.queue.places(topic))
        chosen = self._propose(topic, None) if not waits and self.count(topic).left > 0 else None
        return self.open_item(chosen) if chosen else super().open_topic(topic)

    def _next_open(self, at: QueueItem | None) -> QueueItem | None:
        """Return the proposal for the current topic, then a skipped item of it, then other topics."""
        self._end_searches()
        for topic in self._topics_from(at):
            if self.count(topic).left > 0 and (found := self._propose(topic, at)):
                return found
        return at if at and self.judgment(at) is None else None

    def _topics_from(self, at: QueueItem | None) -> tuple[str, ...]:
        """Return the topics from the current one on, then those before it."""
        topics = self.queue.topics
        begin = topics.index(at.topic) if at and at.topic in topics else 0
        return topics[begin:] + topics[:begin]

    def _propose(self, topic: str, at: QueueItem | None) -> QueueItem | None:
        learner = self._learner(topic)
        drawn = (
            place
            for place in self.queue.places(topic)
            if (topic, place.document) in self._drawn and place != at and self._open(place)
        )
        if first := next(drawn, None):  # samples have to be judged completely
            return first
        if self.queue.count_shown(topic) < self.queue.size(topic):
            put_off = (
                at is not None
                and at.topic == topic
                and learner.find_relevance(at.document) is None
                and not self._open(at)
            )
            ready = learner.put_off(at.document) if put_off and at else None
            found = ready or learner.propose(self._list_excluded(topic, at))
            while found and found.document in self._hidden(topic):
                self._record_found_again(topic, found.document)
                found = (
                    learner.propose(self._list_excluded(topic, at))
                    if self.queue.count_shown(topic) < self.queue.size(topic)
                    else None
                )
            if found:
                return self._show_choice(topic, found)
        waiting = [
            place
            for place in self.queue.places(topic)
            if place != at and self.judgment(place) is None
        ]
        return min(waiting, key=lambda place: self.ledger.times_skipped(place.key), default=None)

    def _show_choice(self, topic: str, choice: Proposal) -> QueueItem:
        place = QueueItem(topic, choice.document)
        self.queue.add(place)
        self._found[place] = {SOURCE: "learnt", BECAUSE: choice.as_payload()}
        return place

    def _list_excluded(self, topic: str, at: QueueItem | None) -> frozenset[str]:
        """Return the documents of a topic that must not be proposed: skipped or unjudgeable."""
        shown = {
            place.document
            for place in self.queue.places(topic)
            if place == at or not self._open(place)
        } - self._hidden(topic)
        return frozenset(
            shown
            | {
                document
                for (of, document), said in self._others.items()
                if of == topic and said is None
            }
        )

    # Target method

    def _hidden(self, topic: str) -> frozenset[str]:
        """Return the sampled documents that the target search has not found yet."""
        sought = self._target_statuses.get(topic)
        return (
            frozenset(sought.way.documents).difference(sought.way.again) if sought else frozenset()
        )

    def _record_found_again(self, topic: str, document: str) -> None:
        """Record that the search found a sampled document; it is judged and not shown again.

        After the last one, the learner gets the judgments of all of them.
        """
        sought, learner = self._target_statuses[topic], self._learner(topic)
        standing = replace(sought, way=record_target_found(self._project, topic, document))
        known = {document} if not standing.complete else self._hidden(topic)
        self._target_statuses[topic] = standing
        if standing.complete:
            del self._target_statuses[topic]
            self.queue.endless.discard(topic)
        for each in sorted(known):
            learner.tell(each, relevant=self._find_relevance(QueueItem(topic, each)))

    def _end_searches(self) -> None:
        """Complete the searches that have shown every other document."""
        for topic in [
            topic
            for topic in self._target_statuses
            if self.queue.count_shown(topic) >= self.queue.size(topic)
        ]:
            for document in sorted(self._hidden(topic)):
                if topic in self._target_statuses:
                    self._record_found_again(topic, document)

    def upcoming(self, count: int = 2) -> list[QueueItem]:
        """Return the precomputed items that may come next, for any grade."""
        if self._at is None or self._at.topic not in self._learners:
            return []
        return [
            QueueItem(self._at.topic, document)
            for document in self._learners[self._at.topic].upcoming(self._at.document)
        ][:count]

    def look_ahead(self) -> Callable[[Progress], Lookahead | UntrainedLearner] | None:
        """Return a function for another thread that computes what follows the open document.

        None if there is nothing to compute.
        """
        at = self._at
        if at is None:
            return None
        if self.queue.count_shown(at.topic) >= self.queue.size(at.topic):
            return self._look_at_next_topic(at)
        if at.document not in self._postings.code:
            return None
        return self._learner(at.topic).look_ahead(at.document, self._list_excluded(at.topic, None))

    def _look_at_next_topic(self, at: QueueItem) -> Callable[[Progress], UntrainedLearner] | None:
        coming = next(
            (topic for topic in self._topics_from(at)[1:] if self.count(topic).left > 0), None
        )
        if coming is None or coming in self._learners:
            return None
        postings, topic, seed = self._postings, self.topic(coming), self._project.seed
        if self._fresh and self._fresh.fits(postings, topic):
            return None
        return lambda _progress: UntrainedLearner.of(postings, topic, seed)

    def take(self, outlook: Lookahead | UntrainedLearner) -> None:
        """Store precomputed proposals or the learner of the next topic."""
        if isinstance(outlook, UntrainedLearner):
            self._fresh = outlook
        elif outlook.topic in self._learners:
            self._learners[outlook.topic].take(outlook)

    # Continuation and results

    def ask_more(self, topic: str, count: int) -> None:
        """Add `count` documents to those to judge for a topic."""
        self.wish = replace(
            self.wish,
            more={**self.wish.more, topic: self.queue.size(topic) - self.wish.size + count},
        )
        self.queue.wish = self.wish
        set_learning_options(self._project, self.wish)

    def finds(self, topic: str) -> TopicFinds:
        """Return the relevance of each document of a topic by this assessor, in the order shown."""
        graded = [
            (place.document, event)
            for place in self.queue.places(topic)
            if (event := self.judgment(place)) and event.kind == "grade"
        ]
        relevant = tuple(int(event.payload["value"]) >= self.wish.rel for _, event in graded)
        return TopicFinds(topic, tuple(document for document, _ in graded), relevant)

    def relevant(self, topic: str) -> int:
        """Return the number of relevant documents of a topic by this assessor."""
        return self.finds(topic).relevant_count


def open_learning_session(project: Project) -> LearningSession | None:
    """Return the learning session of a project.

    None if the project is not judged by learning, or its postings are not cached.
    """
    wish, postings = find_learning_options(project), get_cached_postings(project)
    return LearningSession(project, postings, wish) if wish and postings else None


def find_learning_options(project: Project) -> LearningOptions | None:
    """Return the learning options of a project; None without them or in an assignment file."""
    return (
        read_learning_options(project)
        if project.assignments.assessor_assignment() is None
        else None
    )


@dataclass(frozen=True, slots=True)
class PreparedLearning:
    """Postings and learner for the first document of a learning session."""

    postings: Postings
    fresh: UntrainedLearner | None = None  # None if not judged by learning, or all is judged


def prepare_learning(
    project: Project, cache: Path, progress: Progress = SILENT
) -> PreparedLearning:
    """Prepare and cache what the first document of a session needs, in another thread."""
    postings, wish = load_postings(project, cache, progress), find_learning_options(project)
    if wish is None:
        return PreparedLearning(postings)
    progress.step(0, None, "")
    session = LearningSession(project, postings, wish)
    work = session.current()
    if look := session.look_ahead():  # the first training is slow: it weights every term
        look(progress)
    ready = PreparedLearning(
        postings, UntrainedLearner.of(postings, work.topic, project.seed) if work else None
    )
    cache_postings(project, ready.postings, ready.fresh)
    return ready
