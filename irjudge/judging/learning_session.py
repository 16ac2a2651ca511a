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
    set_learning_options,
)
from irjudge.judging.consensus import read_relevance
from irjudge.judging.ledger import Ledger, get_ledger
from irjudge.judging.queue import Queue, QueueItem, get_queue_item
from irjudge.judging.session import PresentedDocument, Session
from irjudge.judging.sources import SOURCE, TERM_REASONS
from irjudge.judging.stopping import (
    RelevanceHistory,
    TargetStatus,
    compute_target_statuses,
    record_target_found,
)
from irjudge.model import Event, utc_now
from irjudge.progress import SILENT, Progress
from irjudge.search import Postings
from irjudge.store import Project


class LearningQueue:
    """Queue of the documents that have been shown to an assessor, by topic, in the order shown.

    Active learning adds documents until each topic has the number of documents that the
    options require. `len` and `size` also count the documents that are not yet shown.
    """

    left_out: frozenset[str] = frozenset()  # documents that cannot be shown; always empty

    def __init__(self, options: LearningOptions, topics: Iterable[str], documents: int) -> None:
        self.options = options
        self._opened_items: dict[str, dict[QueueItem, int]] = {topic: {} for topic in topics}
        self._max_items = dict.fromkeys(self._opened_items, documents)
        # topics with an unfinished target search; these have no limit of documents
        self.unlimited_topics: set[str] = set()

    @property
    def topics(self) -> tuple[str, ...]:
        """All topics, in the order of the collection."""
        return tuple(self._opened_items)

    def documents(self, topic: str) -> tuple[str, ...]:
        """Return the documents that have been shown for a topic."""
        return tuple(item.document for item in self._opened_items[topic])

    def topic_items(self, topic: str) -> tuple[QueueItem, ...]:
        """Return the items that have been shown for a topic."""
        return tuple(self._opened_items[topic])

    def count_shown(self, topic: str) -> int:
        """Return the number of documents shown for a topic."""
        return len(self._opened_items[topic])

    def size(self, topic: str) -> int:
        """Return the number of documents to judge for a topic, including those not yet shown."""
        opened_items = self._opened_items.get(topic)
        if opened_items is None:
            return 0
        target_size = (
            len(opened_items) + 1 if topic in self.unlimited_topics else self.options.size_of(topic)
        )
        return max(len(opened_items), min(target_size, self._max_items[topic]))

    def position(self, item: QueueItem) -> int:
        """Return the 0-based position of an item among the shown items of its topic."""
        return self._opened_items[item.topic][item]

    def add(self, item: QueueItem) -> None:
        """Add an item that is shown now; ignore an item that is already in the queue."""
        opened_items = self._opened_items.setdefault(item.topic, {})
        opened_items.setdefault(item, len(opened_items))

    def add_shown_items(self, ledger: Ledger) -> None:
        """Add the documents that were shown earlier and have actions in the log."""
        for events in ledger.actions.events_by_key.values():
            first_event = events[0]
            if (
                len(first_event.item.documents) == 1
                and first_event.item.topic in self._opened_items
                and first_event.item.occurrence == 1
            ):
                self.add(get_queue_item(first_event))

    def set_max_items(self, topic: str, max_items: int) -> None:
        """Set the maximum number of items of a topic."""
        self._max_items[topic] = max_items

    def __len__(self) -> int:
        return sum(self.size(topic) for topic in self._opened_items)

    def __contains__(self, item: QueueItem) -> bool:
        return item in self._opened_items.get(item.topic, ())


class LearningSession(Session):
    """Judging session in which active learning selects documents, trained after each judgment.

    Documents are proposed one at a time, until the number of documents per topic in the options is
    reached. Documents of random samples come first. The learner is also trained on the judgments of
    other assessors. The search for target documents has no limit; until it has found them all, the
    learner is not trained on the documents of the target sample that the search has not found yet.
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
        self._postings, self.options = postings, options
        self._learners: dict[str, TopicLearner] = {}
        self._next_learner = get_cached_learner(project)  # learner of the next topic
        self._target_statuses = _list_unfinished_searches(project)
        super().__init__(project, assessor, clock=clock)
        self._relevance_by_others = read_relevance(
            project, options.rel, without_assessor=self.assessor
        )

    def _make_queue(self) -> tuple[Queue, tuple[str, ...]]:
        queue = LearningQueue(self.options, self._topics, len(self._postings))
        queue.add_shown_items(self._chain.ledger)
        self._add_sampled_documents(queue)
        queue.unlimited_topics |= self._target_statuses.keys()
        return queue, ()

    # Learning

    def _get_learner(self, topic: str) -> TopicLearner:
        """Return the learner of a topic; on first use, train it on all judgments of the topic."""
        if topic not in self._learners:
            learner = self._learners[topic] = TopicLearner(
                self._postings, self.topic(topic), self._project.seed, self._next_learner
            )
            judged_by_others = {
                document: relevance
                for (pair_topic, document), relevance in self._relevance_by_others.items()
                if pair_topic == topic
            }
            hidden_documents = self._list_hidden_documents(topic)
            for document, relevant in judged_by_others.items():
                if document not in hidden_documents:
                    learner.tell(document, relevant=relevant)
            own_judgments = [
                event
                for event in self.ledger.judgments()
                if event.item.topic == topic and self._is_queued(event)
            ]
            for event in own_judgments:
                if event.item.documents[0] not in hidden_documents:
                    learner.tell(event.item.documents[0], relevant=self._combine_with_others(event))
            self.queue.set_max_items(
                topic,
                len(self._postings)
                - len(
                    judged_by_others.keys() - {event.item.documents[0] for event in own_judgments}
                ),
            )
        return self._learners[topic]

    def _combine_with_others(self, event: Event | None) -> bool | None:
        """Return the relevance of the document of `event`, this assessor's judgment of it.

        A document is relevant if this assessor or the others judged it relevant. None means that
        the relevance is unknown or the document is unjudgeable.
        """
        if event is None or event.kind != "grade":
            return (
                self._relevance_by_others.get((event.item.topic, event.item.documents[0]))
                if event
                else None
            )
        is_relevant = int(event.payload["value"]) >= self.options.rel
        # if this assessor and the others disagree, this is a tie, which counts as relevant
        return (
            is_relevant
            or self._relevance_by_others.get((event.item.topic, event.item.documents[0])) is True
        )

    def _find_relevance(self, item: QueueItem) -> bool | None:
        """Return the current relevance of a document; None if it is unknown or unjudgeable."""
        judgment = self.ledger.judgment(item.key)
        return (
            self._combine_with_others(judgment)
            if judgment
            else self._relevance_by_others.get((item.topic, item.document))
        )

    def _count(self, event: Event, previous_judgment: Event | None) -> None:
        super()._count(event, previous_judgment)
        item = get_queue_item(event)
        if (
            item in self.queue
            and item.topic in self._learners
            and item.document not in self._list_hidden_documents(item.topic)
        ):
            self._learners[item.topic].tell(item.document, relevant=self._find_relevance(item))

    def _recount(self) -> None:
        self._learners.clear()
        self.queue.add_shown_items(self._chain.ledger)
        super()._recount()

    # Order of documents

    def open_topic(self, topic: str) -> PresentedDocument:
        """Open an unjudged document of a topic.

        If there is none, open a newly proposed document or, if the topic is complete, the first
        document of the topic.
        """
        has_unjudged = any(self.judgment(item) is None for item in self.queue.topic_items(topic))
        proposal = (
            self._propose(topic, None) if not has_unjudged and self.count(topic).left > 0 else None
        )
        return self.open_item(proposal) if proposal else super().open_topic(topic)

    def _find_next_open(self, current_item: QueueItem | None) -> QueueItem | None:
        """Return the next item to judge; None if everything is judged.

        Items of the current topic come first. Within a topic, unjudged documents of random samples
        come first, then a proposal, then other unjudged items.
        """
        self._end_searches()
        for topic in self._list_topics_from(current_item):
            if self.count(topic).left > 0 and (proposal := self._propose(topic, current_item)):
                return proposal
        return current_item if current_item and self.judgment(current_item) is None else None

    def _propose(self, topic: str, current_item: QueueItem | None) -> QueueItem | None:
        learner = self._get_learner(topic)
        unjudged_samples = (
            item
            for item in self.queue.topic_items(topic)
            if (topic, item.document) in self._sampled_pairs
            and item != current_item
            and self._is_pending(item)
        )
        # documents of random samples come first, because all of them must be judged
        if sampled_document := next(unjudged_samples, None):
            return sampled_document
        if self.queue.count_shown(topic) < self.queue.size(topic):
            is_skipped = (
                current_item is not None
                and current_item.topic == topic
                and learner.find_relevance(current_item.document) is None
                and not self._is_pending(current_item)
            )
            proposal_after_skip = (
                learner.propose_after_skip(current_item.document)
                if is_skipped and current_item
                else None
            )
            proposal = proposal_after_skip or learner.propose(
                self._list_excluded_documents(topic, current_item)
            )
            while proposal and proposal.document in self._list_hidden_documents(topic):
                self._record_found_again(topic, proposal.document)
                proposal = (
                    learner.propose(self._list_excluded_documents(topic, current_item))
                    if self.queue.count_shown(topic) < self.queue.size(topic)
                    else None
                )
            if proposal:
                return self._add_proposed_item(topic, proposal)
        unjudged_documents = [
            item
            for item in self.queue.topic_items(topic)
            if item != current_item and self.judgment(item) is None
        ]
        return min(
            unjudged_documents, key=lambda item: self.ledger.count_skips(item.key), default=None
        )

    def _add_proposed_item(self, topic: str, proposal: Proposal) -> QueueItem:
        item = QueueItem(topic, proposal.document)
        self.queue.add(item)
        self._origins[item] = {SOURCE: "learnt", TERM_REASONS: proposal.as_payload()}
        return item

    def _list_excluded_documents(
        self, topic: str, current_item: QueueItem | None
    ) -> frozenset[str]:
        """Return the documents that must not be proposed.

        These are the current document, judged and skipped documents, and documents that the other
        assessors marked as unjudgeable. Documents hidden by the target method are not excluded.
        """
        excluded_documents = {
            item.document
            for item in self.queue.topic_items(topic)
            if item == current_item or not self._is_pending(item)
        } - self._list_hidden_documents(topic)
        return frozenset(
            excluded_documents
            | {
                document
                for (pair_topic, document), relevance in self._relevance_by_others.items()
                if pair_topic == topic and relevance is None
            }
        )

    # Target method

    def _list_hidden_documents(self, topic: str) -> frozenset[str]:
        """Return the documents of the target sample that the search has not found yet."""
        status = self._target_statuses.get(topic)
        return (
            frozenset(status.sample.documents).difference(status.sample.again)
            if status
            else frozenset()
        )

    def _record_found_again(self, topic: str, document: str) -> None:
        """Record that the search found a document of the target sample; train on the document.

        The document is already judged and is not shown again. When the last target document has
        been found, the learner is also trained on the remaining documents of the sample.
        """
        previous_status, learner = self._target_statuses[topic], self._get_learner(topic)
        status = replace(
            previous_status, sample=record_target_found(self._project, topic, document)
        )
        found_documents = {document} if not status.complete else self._list_hidden_documents(topic)
        self._target_statuses[topic] = status
        if status.complete:
            del self._target_statuses[topic]
            self.queue.unlimited_topics.discard(topic)
        for found_document in sorted(found_documents):
            learner.tell(
                found_document,
                relevant=self._find_relevance(QueueItem(topic, found_document)),
            )

    def _end_searches(self) -> None:
        """End the target searches in which no document remains to be shown.

        The documents of the sample that were not found are recorded as found last.
        """
        for topic in [
            topic
            for topic in self._target_statuses
            if self.queue.count_shown(topic) >= self.queue.size(topic)
        ]:
            for document in sorted(self._list_hidden_documents(topic)):
                if topic in self._target_statuses:
                    self._record_found_again(topic, document)

    def list_upcoming(self, count: int = 2) -> list[QueueItem]:
        """Return up to `count` items that may come next, from the precomputed proposals."""
        if self._current_item is None or self._current_item.topic not in self._learners:
            return []
        return [
            QueueItem(self._current_item.topic, document)
            for document in self._learners[self._current_item.topic].list_upcoming(
                self._current_item.document
            )
        ][:count]

    def look_ahead(self) -> Callable[[Progress], Lookahead | UntrainedLearner] | None:
        """Return a function that computes the next proposals or the learner of the next topic.

        The function can be called in another thread; its result must be passed to `take`. None is
        returned if there is nothing to compute.
        """
        current_item = self._current_item
        if current_item is None:
            return None
        if self.queue.count_shown(current_item.topic) >= self.queue.size(current_item.topic):
            return self._prepare_next_learner(current_item)
        if current_item.document not in self._postings.code:
            return None
        return self._get_learner(current_item.topic).look_ahead(
            current_item.document, self._list_excluded_documents(current_item.topic, None)
        )

    def _prepare_next_learner(
        self, current_item: QueueItem
    ) -> Callable[[Progress], UntrainedLearner] | None:
        next_topic = next(
            (
                topic
                for topic in self._list_topics_from(current_item)[1:]
                if self.count(topic).left > 0
            ),
            None,
        )
        if next_topic is None or next_topic in self._learners:
            return None
        postings, topic, seed = self._postings, self.topic(next_topic), self._project.seed
        if self._next_learner and self._next_learner.fits(postings, topic):
            return None
        return lambda _progress: UntrainedLearner.create(postings, topic, seed)

    def take(self, lookahead: Lookahead | UntrainedLearner) -> None:
        """Store precomputed proposals, or the learner of the next topic."""
        if isinstance(lookahead, UntrainedLearner):
            self._next_learner = lookahead
        elif lookahead.topic in self._learners:
            self._learners[lookahead.topic].take(lookahead)

    # Continuation and results

    def ask_more(self, topic: str, count: int) -> None:
        """Increase the number of documents to judge for a topic by `count`."""
        self.options = replace(
            self.options,
            more={**self.options.more, topic: self.queue.size(topic) - self.options.size + count},
        )
        self.queue.options = self.options
        set_learning_options(self._project, self.options)

    def make_history(self, topic: str) -> RelevanceHistory:
        """Return this assessor's relevance judgments on a topic, in the order of the queue."""
        grade_events = [
            (item.document, event)
            for item in self.queue.topic_items(topic)
            if (event := self.judgment(item)) and event.kind == "grade"
        ]
        relevant = tuple(
            int(event.payload["value"]) >= self.options.rel for _, event in grade_events
        )
        return RelevanceHistory(topic, tuple(document for document, _ in grade_events), relevant)

    def count_relevant(self, topic: str) -> int:
        """Return the number of documents of a topic that this assessor judged relevant."""
        return self.make_history(topic).relevant_count


def _list_unfinished_searches(project: Project) -> dict[str, TargetStatus]:
    """Return the status of each topic with an unfinished search for target documents."""
    return {
        topic: status
        for topic, status in compute_target_statuses(project).items()
        if status.sample.searching and not status.complete
    }


def make_learning_queue(project: Project) -> LearningQueue | None:
    """Return the documents that active learning showed to the owner, and the numbers to show.

    Return None if the project has a pool or assignments of documents, or no active learning.
    """
    options = find_learning_options(project)
    if (
        options is None
        or project.rankings.pool_version()
        or any(assignment.mode == "grade" for assignment in project.assignments.all())
    ):
        return None
    queue = LearningQueue(
        options, project.collection.topic_titles(), project.collection.document_count()
    )
    queue.add_shown_items(get_ledger(project))
    queue.unlimited_topics |= _list_unfinished_searches(project).keys()
    return queue


def open_learning_session(project: Project) -> LearningSession | None:
    """Open a learning session of a project.

    Return None if the project is not judged by active learning or its postings are not cached.
    """
    options, postings = find_learning_options(project), get_cached_postings(project)
    return LearningSession(project, postings, options) if options and postings else None


def find_learning_options(project: Project) -> LearningOptions | None:
    """Return the active learning options of a project; None if it has none.

    The result is also None in an assignment file, in which active learning is not used.
    """
    return (
        read_learning_options(project)
        if project.assignments.assessor_assignment() is None
        else None
    )


@dataclass(frozen=True, slots=True)
class PreparedLearning:
    """Result of `prepare_learning`: postings, and the untrained learner of the first topic.

    With both, a learning session opens without delay. The learner is None if the project is not
    judged by active learning, or if everything is judged.
    """

    postings: Postings
    # learner of the first topic; None without active learning, or if everything is judged
    first_learner: UntrainedLearner | None = None


def prepare_learning(
    project: Project, cache: Path, progress: Progress = SILENT
) -> PreparedLearning:
    """Prepare and cache the postings and the learner for the first document of a session.

    The function is slow; call it in a background thread.
    """
    postings, options = load_postings(project, cache, progress), find_learning_options(project)
    if options is None:
        return PreparedLearning(postings)
    progress.step(0, None, "")
    session = LearningSession(project, postings, options)
    presentation = session.current()
    if (
        compute_lookahead := session.look_ahead()
    ):  # the first training is slow, because it computes the weights of all terms
        compute_lookahead(progress)
    prepared = PreparedLearning(
        postings,
        UntrainedLearner.create(postings, presentation.topic, project.seed)
        if presentation
        else None,
    )
    cache_postings(project, prepared.postings, prepared.first_learner)
    return prepared
