"""Subjects of sessions: documents to grade, or pairs of lists or documents to compare."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict
from typing import Any, Literal, Protocol, TypeAlias

from irjudge.errors import IrjudgeError
from irjudge.exchange import ComparisonOptions as Comparison
from irjudge.exchange import ComparisonQuestion, ComparisonRandomizer, list_questions
from irjudge.judging import Norming, make_norming_note, read_round_number
from irjudge.model import AssignedItem, ComparisonRules, Mode, OrganiserNote, Pair
from irjudge.store import Project
from irjudge.web.scheduler import PRESENTED_STATES, Lease, Scheduler, SchedulingOptions
from irjudge.web.session_state import Presentation
from irjudge.web.session_store import SessionStore

PageMode: TypeAlias = Literal["grade", "panels", "pairs"]
SEPARATOR = "\0"  # separator of two runs or documents in a scheduler's pair
ROUND_SEPARATOR = "\0\0"  # separator of a document and its norming round in a scheduler's pair
# overlap of pairs that every participant judges; larger than any number of participants
UNLIMITED_OVERLAP = 1_000_000


class Subject(Protocol):
    """Protocol of the subject of a session: pairs to schedule, and the item for each pair.

    The scheduler assigns pairs; `item` converts the pair of a lease to the item that is presented.
    """

    mode: Mode  # kind of the participants' assignments
    page_mode: PageMode  # what a page shows: documents to grade, ranked lists, or two documents
    rules: ComparisonRules | None  # None if documents are graded

    @property
    def closed(self) -> frozenset[Pair]:
        """Pairs of closed norming rounds, which were assigned to all participants."""

    @property
    def identical(self) -> frozenset[Pair]:
        """Pairs of identical lists, which the page records without showing them."""

    def pool(self) -> dict[str, list[str]]:
        """Return the pairs that can be judged now: by topic, the second elements of its pairs."""

    def get_pair(self, item: AssignedItem, organiser_note: OrganiserNote) -> Pair:
        """Return the pair by which the scheduler identifies an assigned item."""

    def item(
        self, lease: Lease, earlier_presentations: Sequence[Presentation]
    ) -> tuple[AssignedItem, OrganiserNote]:
        """Return the item and note of a lease, given the participant's earlier presentations."""

    def can_repeat(self, lease: Lease, earlier_presentations: Sequence[Presentation]) -> bool:
        """Return whether the item of a lease can be presented to the participant again."""


class GradingSubject:
    """Subject of a grading session: pooled documents that are not assigned elsewhere."""

    mode: Mode = "grade"
    page_mode: PageMode = "grade"
    rules: ComparisonRules | None = None
    closed: frozenset[Pair] = frozenset()
    identical: frozenset[Pair] = frozenset()

    def __init__(self, store: SessionStore, topics: Sequence[str]) -> None:
        self._store, self._topics = store, topics

    def pool(self) -> dict[str, list[str]]:
        """Return the documents by topic, in pool order."""
        pool = self._store.pool()
        return {topic: list(pool[topic]) for topic in self._topics or pool if topic in pool}

    def get_pair(self, item: AssignedItem, _organiser_note: OrganiserNote) -> Pair:
        """Return the topic and the document of an item."""
        return item.topic, item.documents[0]

    def item(
        self, lease: Lease, _before: Sequence[Presentation]
    ) -> tuple[AssignedItem, OrganiserNote]:
        """Return the document of a lease."""
        return AssignedItem(lease.pair[0], ((lease.pair[1],),)), OrganiserNote(lease.role)

    def can_repeat(self, _lease: Lease, _before: Sequence[Presentation]) -> bool:
        """Return True, since every document can be repeated."""
        return True


class ActiveLearningSubject(GradingSubject):
    """Subject of a grading session in which active learning selects the documents.

    The pool is empty at first; the session adds the selected documents to the scheduler.
    """

    def pool(self) -> dict[str, list[str]]:
        """Return the topics with empty lists, since documents are selected during judging."""
        return {
            topic: []
            for topic in self._topics
            or [topic.id for topic in self._store.project.collection.topics()]
        }


class NormingSubject(GradingSubject):
    """Subject with norming rounds, in which all participants grade the same documents.

    After the host ends the rounds, the rest of the pool is assigned. The scheduler's pairs of a
    round contain the round number.
    """

    def __init__(self, store: SessionStore, topics: Sequence[str], norming: Norming) -> None:
        super().__init__(store, topics)
        self._norming, self.over = norming, norming.over
        self._rounds = [
            [_make_round_pair(pair, round_number) for pair in norming_round.pairs]
            for round_number, norming_round in enumerate(norming.rounds, 1)
        ]
        closed_rounds = self._rounds[:-1] if norming.open else self._rounds
        self.closed = frozenset(pair for pairs in closed_rounds for pair in pairs)

    @property
    def newest_pairs(self) -> Sequence[Pair]:
        """Pairs of the newest norming round; empty if there is none."""
        return self._rounds[-1] if self._rounds else ()

    def list_remaining(self) -> dict[str, list[str]]:
        """Return the documents of the pool that were not part of any round, by topic."""
        return self.exclude_rounds(super().pool())

    def exclude_rounds(self, documents: Mapping[str, Iterable[str]]) -> dict[str, list[str]]:
        """Return those of the given documents that were not part of any round, by topic."""
        norming_pairs = self._norming.pairs
        return {
            topic: [name for name in names if (topic, name) not in norming_pairs]
            for topic, names in documents.items()
        }

    def pool(self) -> dict[str, list[str]]:
        """Return the documents of all rounds and, after the last round, those of the pool."""
        pool = self.list_remaining() if self.over else {}
        for topic, document in (pair for pairs in self._rounds for pair in pairs):
            pool.setdefault(topic, []).append(document)
        return pool

    def get_pair(self, item: AssignedItem, organiser_note: OrganiserNote) -> Pair:
        """Return the topic and document of an item, with the round number if it is in a round."""
        round_number, pair = (
            read_round_number(organiser_note),
            super().get_pair(item, organiser_note),
        )
        return _make_round_pair(pair, round_number) if round_number else pair

    def item(
        self, lease: Lease, earlier_presentations: Sequence[Presentation]
    ) -> tuple[AssignedItem, OrganiserNote]:
        """Return the document of a lease, with its round in the note."""
        document, separator, round_number = lease.pair[1].partition(ROUND_SEPARATOR)
        if not separator:
            return super().item(lease, earlier_presentations)
        return AssignedItem(lease.pair[0], ((document,),)), make_norming_note(int(round_number))


def _make_round_pair(pair: Pair, round_number: int) -> Pair:
    return pair[0], f"{pair[1]}{ROUND_SEPARATOR}{round_number}"


class RoundScheduler(Scheduler):
    """Scheduler of norming rounds, which assigns each pair once to every participant.

    It is used until the host ends the rounds. Its progress is that of the newest round.
    """

    def __init__(
        self, rounds: NormingSubject, seed: int, lease: float, main_ids: Mapping[str, str]
    ) -> None:
        super().__init__(
            SchedulingOptions(UNLIMITED_OVERLAP, lease, share_last=False),
            rounds.pool(),
            seed,
            main_ids=main_ids,
        )
        self._newest_pairs = dict.fromkeys(rounds.newest_pairs)

    def _count_participants(self) -> int:
        """Return the number of participants in the newest round who are not excluded."""
        return sum(
            not participant.is_excluded
            and any(participant.has_lease(pair, PRESENTED_STATES) for pair in self._newest_pairs)
            for participant in self._participants_by_id.values()
        )

    def progress(self) -> dict[str, tuple[int, int]]:
        """Return, by topic, the progress of the newest round.

        The progress is the number of judgments that count, and the number of judgments that are
        needed until all participants of the round have judged all its documents.
        """
        participant_count, progress = self._count_participants(), dict[str, tuple[int, int]]()
        for pair in self._newest_pairs:
            counted_count, wanted_count = progress.get(pair[0], (0, 0))
            progress[pair[0]] = (
                counted_count + self._judgment_counts[pair],
                wanted_count + participant_count,
            )
        return {topic: progress[topic] for topic in self._pairs_by_topic if topic in progress}

    def is_current(self, pair: Pair) -> bool:
        """Return whether a pair belongs to the newest round."""
        return pair in self._newest_pairs

    def release_others(self) -> list[Lease]:
        """Release and return all held leases of pairs outside the newest round."""
        return self.release(
            lease
            for participant in [*self._participants_by_id.values()]
            for lease in [*participant.held_leases]
            if not self.is_current(lease.pair)
        )

    def count_complete(self) -> int:
        """Return the number of documents of the newest round that all participants judged."""
        participant_count = self._count_participants()
        return sum(
            0 < participant_count <= self._judgment_counts[pair] for pair in self._newest_pairs
        )


class ComparisonSubject:
    """Subject of a comparison: questions that show two lists or documents side by side.

    For each participant, it is random but balanced which list or document is on the left.
    """

    mode: Mode = "side-by-side"
    closed: frozenset[Pair] = frozenset()

    def __init__(self, store: SessionStore, comparison: Comparison) -> None:
        self.rules: ComparisonRules | None = comparison.rules
        self.page_mode: PageMode = "pairs" if comparison.choice else "panels"
        questions, _ = list_questions(store.project, comparison)
        self._questions_by_pair = {_make_question_key(question): question for question in questions}
        self.identical = frozenset(
            pair
            for pair, question in self._questions_by_pair.items()
            if question.lists[0] == question.lists[1]
        )
        self._randomizer = ComparisonRandomizer(str(store.seed()).encode(), 0, store.session().code)

    def pool(self) -> dict[str, list[str]]:
        """Return the questions by topic."""
        pool: dict[str, list[str]] = {}
        for topic, name in self._questions_by_pair:
            pool.setdefault(topic, []).append(name)
        return pool

    def get_pair(self, item: AssignedItem, organiser_note: OrganiserNote) -> Pair:
        """Return the pair of an item's question; it is the same if left and right are swapped."""
        names = (
            (organiser_note.left_run, organiser_note.right_run)
            if item.type == "panel"
            else item.documents
        )
        return item.topic, SEPARATOR.join(sorted(names))

    def item(
        self, lease: Lease, earlier_presentations: Sequence[Presentation]
    ) -> tuple[AssignedItem, OrganiserNote]:
        """Return the item of a question, with its left and right lists.

        In a repeat, the lists are swapped. Otherwise, the run that has been on the left less often
        is on the left.
        """
        question = self._questions_by_pair[lease.pair]
        first_left = (
            not self._was_first_left(lease, earlier_presentations)
            if lease.occurrence > 1
            else self._choose_first_left(question, lease.participant_id, earlier_presentations)
        )
        direction = 1 if first_left else -1
        runs, lists = question.runs[::direction], question.lists[::direction]
        if not question.runs[0]:
            return AssignedItem(question.topic, lists, "pair"), OrganiserNote(lease.role)
        ids = tuple(
            self._randomizer.draw_bytes(
                "id", lease.participant_id, str(len(earlier_presentations)), side
            ).hex()
            for side in ("left", "right")
        )
        return AssignedItem(question.topic, lists, "panel", ids), OrganiserNote(lease.role, *runs)

    def can_repeat(self, lease: Lease, earlier_presentations: Sequence[Presentation]) -> bool:
        """Return whether a lease can be repeated with swapped lists.

        Identical lists cannot be repeated. A repeat is also impossible if, after it, the first list
        would have been on one side at least two times more often than on the other.
        """
        question = self._questions_by_pair.get(lease.pair)
        if question is None or lease.pair in self.identical:
            return False
        orientation = -1 if self._was_first_left(lease, earlier_presentations) else 1
        return abs(self._compute_left_surplus(question, earlier_presentations) + orientation) <= 1

    def _choose_first_left(
        self,
        question: ComparisonQuestion,
        participant_id: str,
        earlier_presentations: Sequence[Presentation],
    ) -> bool:
        """Return whether to show the first list of a question on the left."""
        left_surplus = self._compute_left_surplus(question, earlier_presentations)
        return (
            left_surplus < 0
            if left_surplus
            else bool(
                self._randomizer.draw_bytes(
                    "side", participant_id, str(len(earlier_presentations))
                )[0]
                & 1
            )
        )

    def _compute_left_surplus(
        self, question: ComparisonQuestion, earlier_presentations: Iterable[Presentation]
    ) -> int:
        """Return how much more often the first list was on the left than on the right.

        Earlier questions about the same two runs are counted. In a comparison of documents, all
        earlier questions are counted.
        """
        left_surplus = 0
        for presentation in earlier_presentations:
            earlier_question = self._questions_by_pair.get(presentation.lease.pair)
            if (
                earlier_question
                and presentation.lease.state != "lost"
                and earlier_question.runs == question.runs
                and presentation.lease.pair not in self.identical
            ):
                left_surplus += 1 if self._is_first_left(earlier_question, presentation) else -1
        return left_surplus

    def _was_first_left(self, lease: Lease, earlier_presentations: Sequence[Presentation]) -> bool:
        """Return whether the first list was on the left when the question was first presented."""
        presentation = next(
            presentation
            for presentation in earlier_presentations
            if presentation.lease.pair == lease.pair
        )
        return self._is_first_left(self._questions_by_pair[lease.pair], presentation)

    @staticmethod
    def _is_first_left(question: ComparisonQuestion, presentation: Presentation) -> bool:
        if question.runs[0]:
            return presentation.organiser_note.left_run == question.runs[0]
        return presentation.item.lists[0] == question.lists[0]


def _make_question_key(question: ComparisonQuestion) -> Pair:
    names = question.runs if question.runs[0] else question.documents
    return question.topic, SEPARATOR.join(sorted(names))


def make_subject(
    store: SessionStore,
    comparison: Comparison | None,
    topics: Sequence[str],
    norming: Norming | None = None,
    *,
    learns: bool = False,
) -> Subject:
    """Return the subject of a session."""
    if comparison is not None:
        return ComparisonSubject(store, comparison)
    if norming is not None:
        return NormingSubject(store, topics, norming)
    return ActiveLearningSubject(store, topics) if learns else GradingSubject(store, topics)


def check_comparison(project: Project, comparison: Comparison) -> None:
    """Raise `IrjudgeError` if a comparison is invalid or not supported in sessions."""
    if comparison.choice == "top":
        raise IrjudgeError(
            "A comparison in a session cannot search for the top documents, because each "
            "question would depend on one participant's earlier answers. Compare all documents "
            "instead."
        )
    if comparison.repeats:
        raise IrjudgeError(
            "A session repeats items at a fixed interval, so the number of repeats cannot be set."
        )
    list_questions(project, comparison)


def comparison_as_json(comparison: Comparison) -> dict[str, Any]:
    """Return the options of a comparison as JSON, to be stored with the session."""
    return {
        **asdict(comparison),
        "runs": [list(pair) for pair in comparison.runs],
        "topics": list(comparison.topics),
        "rules": comparison.rules.as_json(),
    }


def comparison_from_json(data: Mapping[str, Any]) -> Comparison:
    """Return the options of a comparison from JSON made by `comparison_as_json`."""
    return Comparison(
        **{
            **data,
            "runs": tuple((str(first), str(second)) for first, second in data["runs"]),
            "topics": tuple(data["topics"]),
            "rules": ComparisonRules.read(data["rules"]),
        }
    )


def describe_pair(pair: Pair) -> str:
    """Return the document of a scheduler's pair, or the two compared documents or runs.

    The number of a norming round is omitted.

    >>> describe_pair(("401", "d1")), describe_pair(("401", "bm25\\0tfidf"))
    ('d1', 'bm25 – tfidf')
    >>> describe_pair(("401", "d1\\0\\0002"))
    'd1'
    """
    return pair[1].partition(ROUND_SEPARATOR)[0].replace(SEPARATOR, " – ")
