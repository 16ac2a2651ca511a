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
    """Documents shown to an assessor, by topic in the order shown.

    It grows until each topic has the number of documents set in the options.
    """

    left_out: frozenset[str] = frozenset()

    def __init__(self, options: LearningOptions, topics: Iterable[str], documents: int) -> None:
        self.wish = options
        self._opened: dict[str, dict[QueueItem, int]] = {topic: {} for topic in topics}
        self._max_items = dict.fromkeys(self._opened, documents)
        self.endless: set[str] = set()  # topics without a limit, until the search is complete

    @property
    def topics(self) -> tuple[str, ...]:
        """All topics, in the order of the collection."""
        return tuple(self._opened)

    def documents(self, topic: str) -> tuple[str, ...]:
        """Return the documents shown for a topic."""
        return tuple(item.document for item in self._opened[topic])

    def topic_items(self, topic: str) -> tuple[QueueItem, ...]:
        """Return the items shown for a topic."""
        return tuple(self._opened[topic])

    def count_shown(self, topic: str) -> int:
        """Return the number of documents shown for a topic."""
        return len(self._opened[topic])

    def size(self, topic: str) -> int:
        """Return the number of documents to judge for a topic, including those not yet shown."""
        shown = self._opened.get(topic)
        if shown is None:
            return 0
        wished = len(shown) + 1 if topic in self.endless else self.wish.size_of(topic)
        return max(len(shown), min(wished, self._max_items[topic]))

    def position(self, item: QueueItem) -> int:
        """Return the 0-based position of an item among those shown."""
        return self._opened[item.topic][item]

    def add(self, item: QueueItem) -> None:
        """Add a shown item; items already shown are ignored."""
        shown = self._opened.setdefault(item.topic, {})
        shown.setdefault(item, len(shown))

    def leave(self, topic: str, documents: int) -> None:
        """Limit a topic to a number of documents, such as those not judged by other assessors."""
        self._max_items[topic] = documents

    def __len__(self) -> int:
        return sum(self.size(topic) for topic in self._opened)

    def __contains__(self, item: QueueItem) -> bool:
        return item in self._opened.get(item.topic, ())


class LearningSession(Session):
    """Judging session in the order of active learning; each grade trains the learner.

    The project needs no pool.
    """

    queue: LearningQueue

    def __init__(
        self,
        project: Project,
        postings: Postings,
        options: LearningOptions,
        assessor: str | None = None,
        *,
        clock: Callable[[], str] = utc_now,
    ) -> None:
        self._postings, self.wish = postings, options
        self._learners: dict[str, TopicLearner] = {}
        self._fresh = get_cached_learner(project)  # learner of the next topic
        self._target_statuses = {
            topic: each
            for topic, each in compute_target_statuses(project).items()
            if each.way.searching and not each.complete
        }
        super().__init__(project, assessor, clock=clock)
        self._others = read_relevance(project, options.rel, besides=self.assessor)

    def _make_queue(self) -> tuple[Queue, tuple[str, ...]]:
        queue = LearningQueue(self.wish, self._topics, len(self._postings))
        self._remember(queue)
        self._add_sampled(queue)
        queue.endless |= self._target_statuses.keys()
        return queue, ()

    def _remember(self, queue: LearningQueue) -> None:
        """Restore the documents shown before, from the log."""
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
                document: relevance
                for (of, document), relevance in self._others.items()
                if of == topic
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
        """Return the relevance by a judgment and those of other assessors; None if unknown.

        If others judged the document relevant, it is relevant.
        """
        if event is None or event.kind != "grade":
            return self._others.get((event.item.topic, event.item.documents[0])) if event else None
        mine = int(event.payload["value"]) >= self.wish.rel
        # A tie of two votes counts as relevant.
        return mine or self._others.get((event.item.topic, event.item.documents[0])) is True

    def _find_relevance(self, item: QueueItem) -> bool | None:
        """Return the current relevance of a document; None if unknown."""
        judgment = self.ledger.judgment(item.key)
        return (
            self._combine_with_others(judgment)
            if judgment
            else self._others.get((item.topic, item.document))
        )

    def _count(self, event: Event, before: Event | None) -> None:
        super()._count(event, before)
        item = get_queue_item(event)
        if (
            item in self.queue
            and item.topic in self._learners
            and item.document not in self._hidden(item.topic)
        ):
            self._learners[item.topic].tell(item.document, relevant=self._find_relevance(item))

    def _recount(self) -> None:
        self._learners.clear()
        self._remember(self.queue)
        super()._recount()

    # Order

    def open_topic(self, topic: str) -> PresentedDocument:
        """Open an unjudged document of a topic, or else the proposal, or else the first document."""
        waits = any(self.judgment(item) is None for item in self.queue.topic_items(topic))
        chosen = self._propose(topic, None) if not waits and self.count(topic).left > 0 else None
        return self.open_item(chosen) if chosen else super().open_topic(topic)

    def _next_open(self, at: QueueItem | None) -> QueueItem | None:
        """Return the proposal for the current topic, then its skipped items, then those of other
        topics.
        """
        self._end_searches()
        for topic in self._topics_from(at):
            if self.count(topic).left > 0 and (proposal := self._propose(topic, at)):
                return proposal
        return at if at and self.judgment(at) is None else None

    def _topics_from(self, at: QueueItem | None) -> tuple[str, ...]:
        """Return the topics from the current one on, then the previous ones."""
        topics = self.queue.topics
        begin = topics.index(at.topic) if at and at.topic in topics else 0
        return topics[begin:] + topics[:begin]

    def _propose(self, topic: str, at: QueueItem | None) -> QueueItem | None:
        learner = self._learner(topic)
        sampled = (
            item
            for item in self.queue.topic_items(topic)
            if (topic, item.document) in self._sampled and item != at and self._open(item)
        )
        if first := next(sampled, None):  # all documents of a sample have to be judged
            return first
        if self.queue.count_shown(topic) < self.queue.size(topic):
            put_off = (
                at is not None
                and at.topic == topic
                and learner.find_relevance(at.document) is None
                and not self._open(at)
            )
            ready = learner.put_off(at.document) if put_off and at else None
            proposal = ready or learner.propose(self._list_excluded(topic, at))
            while proposal and proposal.document in self._hidden(topic):
                self._record_found_again(topic, proposal.document)
                proposal = (
                    learner.propose(self._list_excluded(topic, at))
                    if self.queue.count_shown(topic) < self.queue.size(topic)
                    else None
                )
            if proposal:
                return self._show_choice(topic, proposal)
        waiting = [
            item
            for item in self.queue.topic_items(topic)
            if item != at and self.judgment(item) is None
        ]
        return min(waiting, key=lambda item: self.ledger.times_skipped(item.key), default=None)

    def _show_choice(self, topic: str, choice: Proposal) -> QueueItem:
        item = QueueItem(topic, choice.document)
        self.queue.add(item)
        self._found[item] = {SOURCE: "learnt", BECAUSE: choice.as_payload()}
        return item

    def _list_excluded(self, topic: str, at: QueueItem | None) -> frozenset[str]:
        """Return the documents of a topic that must not be proposed, as they were skipped or
        unjudgeable.
        """
        shown = {
            item.document
            for item in self.queue.topic_items(topic)
            if item == at or not self._open(item)
        } - self._hidden(topic)
        return frozenset(
            shown
            | {
                document
                for (of, document), relevance in self._others.items()
                if of == topic and relevance is None
            }
        )

    # Target method

    def _hidden(self, topic: str) -> frozenset[str]:
        """Return the sampled documents not yet found by the target search."""
        status = self._target_statuses.get(topic)
        return (
            frozenset(status.way.documents).difference(status.way.again) if status else frozenset()
        )

    def _record_found_again(self, topic: str, document: str) -> None:
        """Record that the search found a sampled document, which is judged and not shown again.

        After the last one, the learner gets the judgments of all of them.
        """
        before, learner = self._target_statuses[topic], self._learner(topic)
        status = replace(before, way=record_target_found(self._project, topic, document))
        known = {document} if not status.complete else self._hidden(topic)
        self._target_statuses[topic] = status
        if status.complete:
            del self._target_statuses[topic]
            self.queue.endless.discard(topic)
        for each in sorted(known):
            learner.tell(each, relevant=self._find_relevance(QueueItem(topic, each)))

    def _end_searches(self) -> None:
        """Complete the searches in which every other document has been shown."""
        for topic in [
            topic
            for topic in self._target_statuses
            if self.queue.count_shown(topic) >= self.queue.size(topic)
        ]:
            for document in sorted(self._hidden(topic)):
                if topic in self._target_statuses:
                    self._record_found_again(topic, document)

    def upcoming(self, count: int = 2) -> list[QueueItem]:
        """Return the precomputed items that may come next, after any grade."""
        if self._at is None or self._at.topic not in self._learners:
            return []
        return [
            QueueItem(self._at.topic, document)
            for document in self._learners[self._at.topic].upcoming(self._at.document)
        ][:count]

    def look_ahead(self) -> Callable[[Progress], Lookahead | UntrainedLearner] | None:
        """Return a function for another thread that computes what may follow the open document.

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

    def take(self, lookahead: Lookahead | UntrainedLearner) -> None:
        """Store precomputed proposals, or the learner of the next topic."""
        if isinstance(lookahead, UntrainedLearner):
            self._fresh = lookahead
        elif lookahead.topic in self._learners:
            self._learners[lookahead.topic].take(lookahead)

    # Continuation and results

    def ask_more(self, topic: str, count: int) -> None:
        """Add `count` documents to those to be judged for a topic."""
        self.wish = replace(
            self.wish,
            more={**self.wish.more, topic: self.queue.size(topic) - self.wish.size + count},
        )
        self.queue.wish = self.wish
        set_learning_options(self._project, self.wish)

    def finds(self, topic: str) -> TopicFinds:
        """Return the relevance of each document of a topic by this assessor, in the order shown."""
        graded = [
            (item.document, event)
            for item in self.queue.topic_items(topic)
            if (event := self.judgment(item)) and event.kind == "grade"
        ]
        relevant = tuple(int(event.payload["value"]) >= self.wish.rel for _, event in graded)
        return TopicFinds(topic, tuple(document for document, _ in graded), relevant)

    def relevant(self, topic: str) -> int:
        """Return the number of relevant documents of a topic by this assessor."""
        return self.finds(topic).relevant_count


def open_learning_session(project: Project) -> LearningSession | None:
    """Return the learning session of a project.

    None if the project is not judged by active learning, or its postings are not cached.
    """
    options, postings = find_learning_options(project), get_cached_postings(project)
    return LearningSession(project, postings, options) if options and postings else None


def find_learning_options(project: Project) -> LearningOptions | None:
    """Return the active learning options of a project; None if it has none or is an assignment
    file.
    """
    return (
        read_learning_options(project)
        if project.assignments.assessor_assignment() is None
        else None
    )


@dataclass(frozen=True, slots=True)
class PreparedLearning:
    """Postings and learner for the first document of a learning session."""

    postings: Postings
    # None if not judged by active learning, or if everything is judged
    fresh: UntrainedLearner | None = None


def prepare_learning(
    project: Project, cache: Path, progress: Progress = SILENT
) -> PreparedLearning:
    """Prepare and cache, in another thread, what a session needs for its first document."""
    postings, options = load_postings(project, cache, progress), find_learning_options(project)
    if options is None:
        return PreparedLearning(postings)
    progress.step(0, None, "")
    session = LearningSession(project, postings, options)
    work = session.current()
    if look := session.look_ahead():  # the first training is slow: it weights every term
        look(progress)
    ready = PreparedLearning(
        postings, UntrainedLearner.of(postings, work.topic, project.seed) if work else None
    )
    cache_postings(project, ready.postings, ready.fresh)
    return ready
