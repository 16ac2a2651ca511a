"""Active learning: selects the next document to judge, for one assessor or in a session."""

import json
from collections import defaultdict
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any, Protocol

from irjudge.errors import IrjudgeError
from irjudge.judging.consensus import (
    combine_votes,
    read_valid_adjudications,
    read_votes,
)
from irjudge.judging.sources import TERM_REASONS
from irjudge.model import Event, Pair, Topic
from irjudge.pooling import make_learner
from irjudge.progress import SILENT, Progress
from irjudge.search import (
    DOCUMENT_WEIGHTING,
    Learner,
    NearDuplicateGroups,
    Postings,
    TermReason,
    make_document_vectors,
)
from irjudge.store import Project, find_document_ids, project_postings

SETTING = "learning"
DEFAULT_SIZE = 50  # default number of documents to judge per topic
SEED_RANGE = 2**64  # upper limit of seeds of learners; the seed of a project can be larger
# Maximum number of documents in a collection for which a proposal is computed only when needed; the
# computation takes about 50 ms. In larger collections, outdated precomputed proposals are also
# used.
MAX_SCORED_WHILE_WAITING = 50_000
WEIGHT_DECIMALS = 2  # number of decimals of stored term weights


@dataclass(frozen=True, slots=True)
class LearningOptions:
    """Active learning options of a project: lowest relevant grade, documents per topic.

    A project in which no options are stored is judged without active learning.
    """

    rel: int = 1  # lowest relevant grade
    # number of documents to judge per topic before the assessor is asked whether to continue
    size: int = DEFAULT_SIZE
    more: Mapping[str, int] = field(default_factory=dict)  # number of additional documents by topic

    def __post_init__(self) -> None:
        if self.rel < 1 or self.size < 1:
            raise IrjudgeError(
                "Active learning needs a lowest relevant grade and a number of documents per "
                "topic, each at least 1; got {rel} and {size}.",
                rel=self.rel,
                size=self.size,
            )

    def size_of(self, topic: str) -> int:
        """Return the number of documents to judge for a topic."""
        return self.size + self.more.get(topic, 0)


def read_learning_options(project: Project) -> LearningOptions | None:
    """Return the active learning options of a project; None without active learning."""

    def read(stored_options: Mapping[str, Any]) -> LearningOptions:
        return LearningOptions(
            int(stored_options["rel"]),
            int(stored_options["size"]),
            {str(topic): int(count) for topic, count in stored_options["more"].items()},
        )

    error_template = "Cannot read the judging options of {file} ({error})."
    return (
        project.read_json_setting(SETTING, LearningOptions(), error_template, read)
        if project.get_setting(SETTING)
        else None
    )


def set_learning_options(project: Project, options: LearningOptions | None) -> None:
    """Set the active learning options of a project; None ends active learning."""
    project.set_setting(SETTING, json.dumps(asdict(options)) if options else "")


# Cache of postings while the project is open


@dataclass(slots=True)
class _PostingsCache:
    postings: Postings | None = None
    first_learner: "UntrainedLearner | None" = None


def get_cached_postings(project: Project) -> Postings | None:
    """Return the cached postings; None if none are cached or documents were added later.

    Added documents are detected by the number of documents, since documents are never removed.
    """
    postings = project.compute_once(_PostingsCache).postings
    return (
        postings
        if postings is not None and len(postings) == project.collection.document_count()
        else None
    )


def get_cached_learner(project: Project) -> "UntrainedLearner | None":
    """Return the cached untrained learner of the first topic; None if there is none."""
    return project.compute_once(_PostingsCache).first_learner


def cache_postings(
    project: Project, postings: Postings, first_learner: "UntrainedLearner | None" = None
) -> None:
    """Cache postings that were loaded in another thread, and the learner of the first topic."""
    postings_cache = project.compute_once(_PostingsCache)
    postings_cache.postings, postings_cache.first_learner = postings, first_learner


def load_postings(project: Project, cache: Path, progress: Progress = SILENT) -> Postings:
    """Return the postings of all current documents, and cache them."""
    postings = get_cached_postings(project) or project_postings(project, cache, progress)
    cache_postings(project, postings)
    return postings


# Learning for one topic


@dataclass(frozen=True, slots=True)
class Proposal:
    """Document proposed for judging, with the terms that led to its selection.

    There are no terms if the document was selected only because it matches the words of the topic.
    """

    document: str
    reasons: tuple[TermReason, ...] = ()

    def as_payload(self) -> list[list[object]]:
        """Return the terms and weights in the form in which a judgment stores them."""
        return [[reason.term, round(reason.weight, WEIGHT_DECIMALS)] for reason in self.reasons]


@dataclass(frozen=True, slots=True)
class Lookahead:
    """Precomputed proposals for the cases that a document is relevant, not relevant or skipped.

    The proposals are computed in the background while the assessor reads the document. They are
    outdated if the learner has changed since, except by the judgment of this document; in a large
    collection, outdated proposals can still be used. A proposal is None if no document is left.
    """

    topic: str
    change_count: int  # number of changes to the learner before the computation
    document: str
    next_proposals: Mapping[bool, Proposal | None]  # next proposal, by relevance of the document
    proposal_after_skip: Proposal | None  # next proposal if the document is skipped


@dataclass(frozen=True, slots=True)
class UntrainedLearner:
    """Learner that was created for a topic and postings but not trained on judgments yet.

    Creating a learner is slow. Therefore, it is created before the assessor judges the topic. It
    has already computed its first proposal.
    """

    postings: Postings
    topic: Topic
    learner: Learner

    @classmethod
    def create(cls, postings: Postings, topic: Topic, seed: int) -> "UntrainedLearner":
        """Return a learner that has already computed its first proposal."""
        learner = cls(postings, topic, make_learner(postings, topic, seed % SEED_RANGE))
        learner.learner.next()
        return learner

    def fits(self, postings: Postings, topic: Topic) -> bool:
        """Return whether the learner was created for the given postings and topic text."""
        return self.postings is postings and self.topic == topic


class TopicLearner:
    """Active learner of one topic: proposes documents, and is trained on judgments.

    It wraps a `Learner`, which identifies documents by codes instead of ids, and stores the
    proposals that were precomputed in the background.
    """

    def __init__(
        self, postings: Postings, topic: Topic, seed: int, untrained: UntrainedLearner | None = None
    ) -> None:
        self._postings, self.topic = postings, topic.id
        is_reusable = untrained is not None and untrained.fits(postings, topic)
        self._learner: Learner = (
            untrained.learner.copy()
            if untrained and is_reusable
            else make_learner(postings, topic, seed % SEED_RANGE)
        )
        self._change_count = 0
        self._lookahead: Lookahead | None = None
        # last judgment: number of changes before it, document, and relevance
        self._last_answer: tuple[int, str, bool | None] | None = None

    def find_relevance(self, document: str) -> bool | None:
        """Return the relevance of a document that the learner is trained on; None for others."""
        code = self._postings.code.get(document)
        return None if code is None else self._learner.judged_relevance.get(code)

    @property
    def judged_count(self) -> int:
        """Number of documents that the learner is trained on."""
        return len(self._learner.judged_relevance)

    def tell(self, document: str, *, relevant: bool | None) -> None:
        """Set the relevance of a document, as training data; None removes the document.

        Documents that are not in the postings are ignored.
        """
        code = self._postings.code.get(document)
        if code is None or self._learner.judged_relevance.get(code) == relevant:
            return
        self._last_answer, self._change_count = (
            (self._change_count, document, relevant),
            self._change_count + 1,
        )
        if relevant is None:
            self._learner.forget(code)
        else:
            self._learner.tell(code, relevant=relevant)

    def propose(self, excluded_documents: frozenset[str] = frozenset()) -> Proposal | None:
        """Return a proposal that is not in `excluded_documents`; None if no document is left.

        A precomputed proposal is returned if it is still valid or, in a large collection, even if
        it is outdated.
        """
        precomputed_proposal = self._find_precomputed()
        if (
            precomputed_proposal is not None
            and precomputed_proposal.document not in excluded_documents
        ):
            return precomputed_proposal
        if len(self._postings) > MAX_SCORED_WHILE_WAITING:
            proposals = (
                proposal
                for proposal in self._list_precomputed()
                if proposal.document not in excluded_documents
                and self.find_relevance(proposal.document) is None
            )
            if proposal := next(proposals, None):
                return proposal
        return _choose_document(self._learner, self._postings, excluded_documents)

    def _list_precomputed(self) -> list[Proposal]:
        """Return the last precomputed proposals, even if they are outdated.

        Outdated proposals are used in large collections, where computing proposals takes too long.
        """
        lookahead = self._lookahead
        return (
            [
                proposal
                for proposal in (*lookahead.next_proposals.values(), lookahead.proposal_after_skip)
                if proposal
            ]
            if lookahead
            else []
        )

    def _find_precomputed(self) -> Proposal | None:
        lookahead, last_answer = self._lookahead, self._last_answer
        if lookahead is None or last_answer is None or last_answer[2] is None:
            return None
        return (
            lookahead.next_proposals.get(last_answer[2])
            if (lookahead.change_count, lookahead.document) == last_answer[:2]
            and self._change_count == last_answer[0] + 1
            else None
        )

    def look_ahead(
        self, document: str, excluded_documents: frozenset[str] = frozenset()
    ) -> Callable[[Progress], Lookahead]:
        """Return a function that computes the proposals that may follow a document.

        The function can be called in another thread; its result must be passed to `take`.
        """
        learner_copy = self._learner.copy()
        postings = self._postings
        change_count = self._change_count
        topic = self.topic

        def compute_lookahead(progress: Progress) -> Lookahead:
            code, proposals = postings.code[document], dict[bool, Proposal | None]()
            proposal_after_skip = _choose_document(
                learner_copy, postings, excluded_documents | {document}
            )
            for relevant in (False, True):
                progress.step(0, None, "")
                learner = learner_copy.copy()
                learner.tell(code, relevant=relevant)
                proposals[relevant] = _choose_document(learner, postings, excluded_documents)
            return Lookahead(topic, change_count, document, proposals, proposal_after_skip)

        return compute_lookahead

    def take(self, lookahead: Lookahead) -> None:
        """Store precomputed proposals; methods that use them check whether they are outdated."""
        self._lookahead = lookahead

    def propose_after_skip(self, document: str) -> Proposal | None:
        """Return the precomputed proposal for the case that a document is skipped.

        Return None if the proposal is outdated."""
        lookahead = self._lookahead
        return (
            lookahead.proposal_after_skip
            if lookahead
            and (lookahead.change_count, lookahead.document) == (self._change_count, document)
            else None
        )

    def list_upcoming(self, document: str) -> list[str]:
        """Return the documents that may follow a document, from the precomputed proposals."""
        lookahead = self._lookahead
        if lookahead is None or (lookahead.change_count, lookahead.document) != (
            self._change_count,
            document,
        ):
            return []
        return list(dict.fromkeys(proposal.document for proposal in self._list_precomputed()))

    def scores(self) -> dict[str, float]:
        """Return the score of each document after the last training; scores are not probabilities.

        The result is empty until a document is judged relevant.
        """
        scores = self._learner.scores()
        return (
            {}
            if scores is None
            else dict(zip(self._postings.documents, scores.tolist(), strict=True))
        )


def _choose_document(
    learner: Learner, postings: Postings, excluded_documents: frozenset[str]
) -> Proposal | None:
    codes = {
        postings.code[document] for document in excluded_documents if document in postings.code
    }
    code = learner.choose(codes)
    return None if code is None else Proposal(postings.documents[code], learner.reasons(code))


# Documents selected by active learning, as recorded in judgments


def read_term_reasons(event: Event) -> tuple[TermReason, ...]:
    """Return the terms that led to the selection of a document, as stored in its judgment."""
    stored_terms = event.payload.get(TERM_REASONS)
    if not isinstance(stored_terms, list):
        return ()
    return tuple(
        TermReason(term[0], float(term[1])) for term in stored_terms if _is_term_reason(term)
    )


def _is_term_reason(reason: object) -> bool:
    return (
        isinstance(reason, list)
        and len(reason) == 2
        and isinstance(reason[0], str)
        and isinstance(reason[1], int | float)
    )


# Active learning in a session: one learner per topic is trained on all participants' judgments.

MAX_HITS = 10  # maximum number of results of a search in a session


class PairScheduler(Protocol):
    """Protocol of a session's scheduler, to which active learning adds topic-document pairs."""

    def list_incomplete_topics(self, participant_id: str) -> list[str]:
        """Return the topics that need more documents; the participant's current topic is first."""

    def list_documents(self, topic: str) -> Collection[str]:
        """Return the documents that were already added for a topic."""

    def complete_topic(self, topic: str) -> None:
        """Stop adding documents to a topic."""

    def add_document(self, topic: str, document: str) -> None:
        """Add a document selected by active learning."""


class SessionLearner:
    """Active learners of a session with several participants, one for each topic, and search.

    Each learner is shared by all participants. It is created when its topic first needs a document.
    `find_for` adds the proposed document to the topic, or completes a topic without further
    documents. The learners are trained on the votes in the project, including those from outside
    the session, and on the votes that `record_vote` stores. A document is relevant if at least half
    of its grades are `rel` or higher.
    """

    def __init__(self, project: Project, cache: Path, rel: int) -> None:
        self._project, self._cache, self._rel = project, cache, rel
        self._postings: Postings | None = None
        self._topics = {topic.id: topic for topic in project.collection.topics()}
        self._votes: dict[Pair, dict[str, int]] = defaultdict(dict)
        for pair, votes in read_votes(project).items():
            self._votes[pair] |= votes
        self._adjudicated_pairs = frozenset(read_valid_adjudications(project))
        self._learners: dict[str, TopicLearner] = {}

    @property
    def topics(self) -> Mapping[str, Topic]:
        """Topics of the project."""
        return self._topics

    def load(self, progress: Progress = SILENT) -> Postings:
        """Load the postings, prepare the document vectors, and return the postings.

        The vectors are read from a cache if the cache contains the vectors of exactly these
        documents.
        """
        if self._postings is None:
            self._postings = load_postings(self._project, self._cache, progress)
            make_document_vectors(self._postings, DOCUMENT_WEIGHTING)
        return self._postings

    # Learning

    def record_vote(self, participant_id: str, pair: Pair, grade: int | None) -> None:
        """Store a participant's grade of a pair; None removes the grade.

        An adjudicated grade is not changed.
        """
        if pair in self._adjudicated_pairs:
            return
        votes = self._votes[pair]
        if grade is None:
            votes.pop(participant_id, None)
        else:
            votes[participant_id] = grade
        if pair[0] in self._learners:
            self._learners[pair[0]].tell(
                pair[1], relevant=combine_votes([*votes.values()], None, self._rel)
            )

    def find_for(self, participant_id: str, pairs: PairScheduler) -> None:
        """Add a document to an incomplete topic, preferably the participant's current topic."""
        for topic in pairs.list_incomplete_topics(participant_id):
            proposal = self._get_learner(topic).propose(frozenset(pairs.list_documents(topic)))
            if proposal is not None:
                pairs.add_document(topic, proposal.document)
                return
            pairs.complete_topic(topic)

    def _get_learner(self, topic: str) -> TopicLearner:
        if topic not in self._learners:
            learner = TopicLearner(
                self.load(), self._topics.get(topic) or Topic(topic, topic), self._project.seed
            )
            for pair, votes in self._votes.items():
                if pair[0] == topic:
                    learner.tell(
                        pair[1], relevant=combine_votes([*votes.values()], None, self._rel)
                    )
            self._learners[topic] = learner
        return self._learners[topic]

    # Searching

    def search(self, query: str) -> Sequence[str]:
        """Return the ids of the documents that best match a query."""
        return find_document_ids(self._project, self.load(), query, MAX_HITS)


# Near-duplicates. Grades of near-duplicates are only suggested, never copied automatically.


@dataclass(frozen=True, slots=True)
class GradeSuggestion:
    """Suggestion of a grade for an unjudged pooled pair: the grade of a near-duplicate document.

    It is shown to the assessor or listed by a command; nothing is recorded until it is accepted.
    """

    topic: str
    document: str
    grade: int
    source: str  # id of the judged document


@dataclass(frozen=True, slots=True)
class InconsistentGroup:
    """Group of near-duplicates with different grades for a topic in the qrels of a project.

    One of the grades may be an error. `irjudge duplicates --offer` lists such groups in notes.
    """

    topic: str
    # document and grade of each graded document, in the order of the group
    grades: tuple[tuple[str, int], ...]


def suggest_grades(
    pooled_pairs: Collection[tuple[str, str]],
    grades: Mapping[tuple[str, str], int],
    duplicates: NearDuplicateGroups,
    topic: str = "",
    document: str = "",
) -> list[GradeSuggestion]:
    """Return suggestions of grades for unjudged pooled pairs, in pool order.

    The grade of the first graded near-duplicate is suggested. If `topic` and `document` are given,
    only the grade of this pair is suggested for its near-duplicates.
    """
    suggestions = []
    for pair in pooled_pairs:
        if pair in grades or (topic and pair[0] != topic):
            continue
        for duplicate in duplicates.list_others(pair[1]):
            grade = grades.get((pair[0], duplicate.id))
            if grade is not None and document in ("", duplicate.id):
                suggestions.append(GradeSuggestion(*pair, grade, duplicate.id))
                break
    return suggestions


def find_inconsistent_groups(
    grades: Mapping[tuple[str, str], int], duplicates: NearDuplicateGroups
) -> list[InconsistentGroup]:
    """Return the groups of near-duplicates with different grades for a topic.

    One of the grades may be an error.
    """
    group_of_document = {
        duplicate.id: index for index, group in enumerate(duplicates.groups) for duplicate in group
    }
    groups_by_topic: dict[str, set[int]] = {}
    for topic, document in grades:
        if (index := group_of_document.get(document)) is not None:
            groups_by_topic.setdefault(topic, set()).add(index)
    inconsistent_groups = []
    for topic, indices in groups_by_topic.items():
        for index in sorted(indices):
            grades_of_group = tuple(
                (duplicate.id, grades[topic, duplicate.id])
                for duplicate in duplicates.groups[index]
                if (topic, duplicate.id) in grades
            )
            if len({grade for _, grade in grades_of_group}) > 1:
                inconsistent_groups.append(InconsistentGroup(topic, grades_of_group))
    return inconsistent_groups
