"""Active learning: the next document to judge, for one assessor or a session."""

import json
from collections import defaultdict
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any, Protocol

from irjudge.errors import IrjudgeError
from irjudge.judging.consensus import compute_consensus_grades
from irjudge.judging.counted_assessors import find_uncounted_assessors, list_counted_assessors
from irjudge.judging.ledger import get_ledger, list_grades_in_force
from irjudge.judging.sources import BECAUSE, Pair, read_source
from irjudge.model import UNJUDGEABLE, Event, Topic
from irjudge.pooling import make_learner
from irjudge.progress import SILENT, Progress
from irjudge.search import (
    DOCUMENT_WEIGHTING,
    Learner,
    NearDuplicateGroups,
    Postings,
    TermReason,
    document_vectors,
)
from irjudge.store import Project, SearchHit, find_documents, project_postings

# Which document of the collection to judge next, learnt from every grade so far: topic by topic, and ahead of the key that asks.

FACT = "learning"
DEFAULT_SIZE = 50  # documents of each topic, where nobody says how many
SEED_RANGE = 2**64  # that chance takes; a project has more
MAX_SCORED_WHILE_WAITING = 50_000  # documents that are scored while somebody waits: a key is answered in less than a twentieth of a second
SHOWN_DECIMALS = 2  # of what a term adds, where it is kept


@dataclass(frozen=True, slots=True)
class LearningOptions:
    """How a project is judged by learning."""

    rel: int = 1  # a document is relevant from this grade on
    size: int = DEFAULT_SIZE  # documents of each topic after which one is asked whether to go on
    more: Mapping[str, int] = field(
        default_factory=dict
    )  # how many more somebody asked for, by topic

    def __post_init__(self) -> None:
        if self.rel < 1 or self.size < 1:
            raise IrjudgeError(
                "Learning takes a grade and a number of documents, each 1 or more; got {rel} and {size}.",
                rel=self.rel,
                size=self.size,
            )

    def size_of(self, topic: str) -> int:
        """Return how many documents of a topic are to be judged."""
        return self.size + self.more.get(topic, 0)


def read_learning_options(project: Project) -> LearningOptions | None:
    """Return how a project is judged by learning; None where it is judged in another order."""

    def read(kept: Mapping[str, Any]) -> LearningOptions:
        return LearningOptions(
            int(kept["rel"]),
            int(kept["size"]),
            {str(topic): int(count) for topic, count in kept["more"].items()},
        )

    unreadable = "{file} does not say in a readable way how it is judged ({fault})."
    return (
        project.kept_fact(FACT, LearningOptions(), unreadable, read) if project.fact(FACT) else None
    )


def set_learning_options(project: Project, wish: LearningOptions | None) -> None:
    """Let a project be judged by learning from now on, or with None in the order of its pool."""
    project.set_fact(FACT, json.dumps(asdict(wish)) if wish else "")


# The postings, at hand while the project is open


@dataclass(slots=True)
class _PostingsCache:
    postings: Postings | None = None
    fresh: "UntrainedLearner | None" = None


def get_cached_postings(project: Project) -> Postings | None:
    """Return the postings that were loaded, where the project has no other documents by now: texts come and never go."""
    found = project.kept(_PostingsCache).postings
    return (
        found if found is not None and len(found) == project.collection.document_count() else None
    )


def get_cached_learner(project: Project) -> "UntrainedLearner | None":
    """Return what was made to learn for the topic with which judging begins, where it is at hand."""
    return project.kept(_PostingsCache).fresh


def cache_postings(
    project: Project, postings: Postings, fresh: "UntrainedLearner | None" = None
) -> None:
    """Let a project have at hand the postings that were loaded by another connection to its file, and what learns first."""
    at_hand = project.kept(_PostingsCache)
    at_hand.postings, at_hand.fresh = postings, fresh


def load_postings(project: Project, cache: Path, progress: Progress = SILENT) -> Postings:
    """Return the postings of a project and keep them at hand; texts that came since are among them."""
    found = get_cached_postings(project) or project_postings(project, cache, progress)
    cache_postings(project, found)
    return found


# One topic


@dataclass(frozen=True, slots=True)
class Proposal:
    """A document to judge next, and the terms that speak for it; none where it comes first by its topic's words alone."""

    document: str
    because: tuple[TermReason, ...] = ()

    def as_payload(self) -> list[list[object]]:
        """Return the terms as a judgment keeps them."""
        return [[each.term, round(each.weight, SHOWN_DECIMALS)] for each in self.because]


@dataclass(frozen=True, slots=True)
class Lookahead:
    """What comes after a document, whatever its grade: computed while it is read."""

    topic: str
    state: int  # of the topic's learner, which another judgment changes
    document: str
    after: Mapping[bool, Proposal | None]  # by whether it turns out to be relevant
    skipped: Proposal | None  # where it is put off


@dataclass(frozen=True, slots=True)
class UntrainedLearner:
    """What learns for a topic and was told of nothing yet, made while the topic before it is judged: that takes long."""

    postings: Postings
    topic: Topic
    learner: Learner

    @classmethod
    def of(cls, postings: Postings, topic: Topic, seed: int) -> "UntrainedLearner":
        """Return one that knows what comes first."""
        made = cls(postings, topic, make_learner(postings, topic, seed % SEED_RANGE))
        made.learner.next()
        return made

    def fits(self, postings: Postings, topic: Topic) -> bool:
        """Tell whether it learns for a topic, as that reads now, from just these postings."""
        return self.postings is postings and self.topic == topic


class TopicLearner:
    """Learns for one topic. It names documents by their ids, and leaves out what is put off or cannot be judged."""

    def __init__(
        self, postings: Postings, topic: Topic, seed: int, fresh: UntrainedLearner | None = None
    ) -> None:
        self._postings, self.topic = postings, topic.id
        ready = fresh is not None and fresh.fits(postings, topic)
        self._learner: Learner = (
            fresh.learner.copy()
            if fresh and ready
            else make_learner(postings, topic, seed % SEED_RANGE)
        )
        self._state = 0
        self._outlook: Lookahead | None = None
        self._told: tuple[int, str, bool | None] | None = (
            None  # the state before the last judgment, and what that was
        )

    def told(self, document: str) -> bool | None:
        """Return whether a document is relevant as far as the learner was told; None where it was not."""
        code = self._postings.code.get(document)
        return None if code is None else self._learner.judged.get(code)

    @property
    def judged(self) -> int:
        """How many documents the learner was told of."""
        return len(self._learner.judged)

    def tell(self, document: str, *, relevant: bool | None) -> None:
        """Take a judgment, or with None take it back; a document without words teaches nothing."""
        code = self._postings.code.get(document)
        if code is None or self._learner.judged.get(code) == relevant:
            return
        self._told, self._state = (self._state, document, relevant), self._state + 1
        if relevant is None:
            self._learner.forget(code)
        else:
            self._learner.tell(code, relevant=relevant)

    def propose(self, besides: frozenset[str] = frozenset()) -> Proposal | None:
        """Return the document to judge next that is none of some others: what was computed ahead, where it still fits."""
        ahead = self._ahead()
        if ahead is not None and ahead.document not in besides:
            return ahead
        if len(self._postings) > MAX_SCORED_WHILE_WAITING:
            at_hand = (
                each
                for each in self._at_hand()
                if each.document not in besides and self.told(each.document) is None
            )
            if found := next(at_hand, None):
                return found
        return _choose_document(self._learner, self._postings, besides)

    def _at_hand(self) -> list[Proposal]:
        """Return what was computed ahead last, whether it fits or not: in a large collection nobody waits for what fits."""
        outlook = self._outlook
        return (
            [each for each in (*outlook.after.values(), outlook.skipped) if each] if outlook else []
        )

    def _ahead(self) -> Proposal | None:
        outlook, told = self._outlook, self._told
        if outlook is None or told is None or told[2] is None:
            return None
        return (
            outlook.after.get(told[2])
            if (outlook.state, outlook.document) == told[:2] and self._state == told[0] + 1
            else None
        )

    def look_ahead(
        self, document: str, besides: frozenset[str] = frozenset()
    ) -> Callable[[Progress], Lookahead]:
        """Return work for another thread that finds what comes after a document; `take` takes its result."""
        copied, postings, state, topic = (
            self._learner.copy(),
            self._postings,
            self._state,
            self.topic,
        )

        def look(progress: Progress) -> Lookahead:
            code, after = postings.code[document], dict[bool, Proposal | None]()
            put_off = _choose_document(copied, postings, besides | {document})
            for relevant in (False, True):
                progress.step(0, None, "")
                learner = copied.copy()
                learner.tell(code, relevant=relevant)
                after[relevant] = _choose_document(learner, postings, besides)
            return Lookahead(topic, state, document, after, put_off)

        return look

    def take(self, outlook: Lookahead) -> None:
        """Take what was computed ahead; what no longer fits is never asked for."""
        self._outlook = outlook

    def put_off(self, document: str) -> Proposal | None:
        """Return what comes next where a document is put off and that was computed ahead."""
        outlook = self._outlook
        return (
            outlook.skipped
            if outlook and (outlook.state, outlook.document) == (self._state, document)
            else None
        )

    def upcoming(self, document: str) -> list[str]:
        """Return what may come after a document, as far as it was computed ahead, each once."""
        outlook = self._outlook
        if outlook is None or (outlook.state, outlook.document) != (self._state, document):
            return []
        return list(dict.fromkeys(each.document for each in self._at_hand()))

    def scores(self) -> dict[str, float]:
        """Return what each document scores by what was learnt last; none before a document is relevant. It is no chance of anything."""
        found = self._learner.scores()
        return (
            {}
            if found is None
            else dict(zip(self._postings.documents, found.tolist(), strict=True))
        )


def _choose_document(
    learner: Learner, postings: Postings, besides: frozenset[str]
) -> Proposal | None:
    codes = {postings.code[document] for document in besides if document in postings.code}
    code = learner.choose(codes)
    return None if code is None else Proposal(postings.documents[code], learner.reasons(code))


# What teaches


def read_relevance(project: Project, rel: int, *, besides: str = "") -> dict[Pair, bool | None]:
    """Return whether each judged document is relevant, by the rule of consensus that is in force; a tie counts as relevant.

    None stands for a document that cannot be judged: it is not shown again and teaches nothing. The judgments of the assessor `besides`
    are left out, where they are told as they come.
    """
    several = len([name for name in list_counted_assessors(project) if name != besides]) > 1
    settled = compute_consensus_grades(project) if several else {}
    return {
        pair: combine_votes([*votes.values()], settled.get(pair), rel)
        for pair, votes in read_votes(project, besides=besides).items()
    }


def read_votes(project: Project, *, besides: str = "") -> dict[Pair, dict[str, int]]:
    """Return the grade that each assessor but one gave to a document; unjudgeable is -2, and who is set aside has no vote."""
    out = find_uncounted_assessors(project)
    votes: dict[Pair, dict[str, int]] = defaultdict(dict)
    for name in project.events.assessors():
        if name != besides and name not in out:
            for event in list_grades_in_force(project, name):
                pair = event.item.topic, event.item.documents[0]
                votes[pair][name] = (
                    int(event.payload["value"]) if event.kind == "grade" else UNJUDGEABLE
                )
    return votes


def combine_votes(values: Sequence[int], settled: int | None, rel: int) -> bool | None:
    """Return whether a document is relevant by the votes of several and what settles them; None where nobody could judge it.

    >>> combine_votes([0, 2], 0, 1), combine_votes([0, 0, 2], 0, 1), combine_votes([-2], None, 1)
    (True, False, None)
    """
    graded = [value for value in values if value != UNJUDGEABLE]
    if not graded:
        return None
    relevant = sum(value >= rel for value in graded)
    tie = 2 * relevant == len(graded)
    return True if tie else settled >= rel if settled is not None else 2 * relevant > len(graded)


# What was chosen


@dataclass(frozen=True, slots=True)
class LearnedChoice:
    """A document that learning chose, how it was judged, and why it was shown; grades that were given anew keep its place."""

    topic: str
    document: str
    event: Event


def list_learned_choices(project: Project, assessor: str | None = None) -> Iterator[LearnedChoice]:
    """Yield what learning chose for one assessor, in the order it was shown and judged: this is the order, whatever a learner says now."""
    for event in get_ledger(project, assessor).judgments():
        if read_source(event) == "learnt":
            yield LearnedChoice(event.item.topic, event.item.documents[0], event)


def read_term_reasons(event: Event) -> tuple[TermReason, ...]:
    """Return the terms for which learning showed the document of a judgment, as they stand in it."""
    kept = event.payload.get(BECAUSE)
    if not isinstance(kept, list):
        return ()
    return tuple(TermReason(each[0], float(each[1])) for each in kept if _is_term_reason(each))


def _is_term_reason(each: object) -> bool:
    return (
        isinstance(each, list)
        and len(each) == 2
        and isinstance(each[0], str)
        and isinstance(each[1], int | float)
    )


# Learning in a session: what everybody says teaches one learner for each topic, which finds more where somebody has nothing open.

MAX_HITS = 10  # of a search in a session: whoever judges waits for the thread that looks for them


class GrowingPairs(Protocol):
    """What a dispatch knows of pairs that can grow."""

    def lacking(self, person: str) -> list[str]:
        """Return the topics that are to have more documents, the one first that a person is at."""

    def known(self, topic: str) -> Collection[str]:
        """Return the documents of a topic that are there."""

    def enough(self, topic: str) -> None:
        """Want no more documents of a topic."""

    def found(self, topic: str, document: str) -> None:
        """Take in a document that learning found."""


class SessionLearner:
    """The collection of a session: what is learnt in it, from documents that are relevant from `rel` on, and what searches find in it."""

    def __init__(self, project: Project, cache: Path, rel: int) -> None:
        self._project, self._cache, self._rel = project, cache, rel
        self._loaded: Postings | None = None
        self._topics = {topic.id: topic for topic in project.collection.topics()}
        self._votes: dict[Pair, dict[str, int]] = defaultdict(dict)
        for pair, votes in read_votes(project).items():
            self._votes[pair] |= votes
        self._learners: dict[str, TopicLearner] = {}

    @property
    def topics(self) -> Mapping[str, Topic]:
        """The topics of the project."""
        return self._topics

    def load(self, progress: Progress = SILENT) -> Postings:
        """Return the postings, and make what learning weighs; made anew where the cache has none of just these documents."""
        if self._loaded is None:
            self._loaded = load_postings(self._project, self._cache, progress)
            document_vectors(self._loaded, DOCUMENT_WEIGHTING)
        return self._loaded

    # Learning

    def judged(self, person: str, pair: Pair, grade: int | None) -> None:
        """Take in what somebody says of a document; None where they took it back."""
        votes = self._votes[pair]
        if grade is None:
            votes.pop(person, None)
        else:
            votes[person] = grade
        if pair[0] in self._learners:
            self._learners[pair[0]].tell(
                pair[1], relevant=combine_votes([*votes.values()], None, self._rel)
            )

    def find_for(self, person: str, pairs: GrowingPairs) -> None:
        """Find one more document where topics are to have more; the topic that a person is at comes first."""
        for topic in pairs.lacking(person):
            chosen = self._learner(topic).propose(frozenset(pairs.known(topic)))
            if chosen is not None:
                pairs.found(topic, chosen.document)
                return
            pairs.enough(topic)

    def _learner(self, topic: str) -> TopicLearner:
        if topic not in self._learners:
            made = TopicLearner(
                self.load(), self._topics.get(topic) or Topic(topic, topic), self._project.seed
            )
            for pair, votes in self._votes.items():
                if pair[0] == topic:
                    made.tell(pair[1], relevant=combine_votes([*votes.values()], None, self._rel))
            self._learners[topic] = made
        return self._learners[topic]

    # Searching

    def search(self, words: str) -> Sequence[SearchHit]:
        """Return the documents that fit words best."""
        return find_documents(self._project, self.load(), words, MAX_HITS)


# Grades that may be given to documents nearly the same as one that was judged: offered, never copied in silence.


@dataclass(frozen=True, slots=True)
class GradeSuggestion:
    """A pair that nobody judged, and the grade of a document that is nearly the same."""

    topic: str
    document: str
    grade: int
    source: str  # the document that was judged
    overlap: float  # the share of shingles: of the one of the two that shares less with the first of their group


@dataclass(frozen=True, slots=True)
class InconsistentGroup:
    """Documents that are nearly the same, and were judged differently for a topic."""

    topic: str
    grades: tuple[tuple[str, int], ...]  # document and grade, in the order of the group


def suggest_grades(
    pooled: Collection[tuple[str, str]],
    grades: Mapping[tuple[str, str], int],
    alike: NearDuplicateGroups,
    topic: str = "",
    document: str = "",
) -> list[GradeSuggestion]:
    """Return what pairs that are pooled and not judged may be offered by documents nearly the same, in the order of the pool.

    With a topic and document only what the grade of this pair offers; without them what all offer, each pair by the first of its group that
    has a grade.
    """
    offers = []
    for pair in pooled:
        if pair in grades or (topic and pair[0] != topic):
            continue
        others = [
            each
            for each in alike.others(pair[1])
            if (pair[0], each.id) in grades and document in ("", each.id)
        ]
        if others:
            mine = next(each.overlap for each in alike.others(others[0].id) if each.id == pair[1])
            offers.append(
                GradeSuggestion(
                    *pair, grades[pair[0], others[0].id], others[0].id, min(mine, others[0].overlap)
                )
            )
    return offers


def find_inconsistent_groups(
    grades: Mapping[tuple[str, str], int], alike: NearDuplicateGroups
) -> list[InconsistentGroup]:
    """Return the groups that were judged differently for a topic: here somebody may have looked away."""
    torn = []
    for topic in dict.fromkeys(topic for topic, _ in grades):
        for group in alike.groups:
            given = tuple(
                (each.id, grades[topic, each.id]) for each in group if (topic, each.id) in grades
            )
            if len({grade for _, grade in given}) > 1:
                torn.append(InconsistentGroup(topic, given))
    return torn
