"""Learning in a session: what everybody says teaches one learner for each topic, which finds more where somebody has nothing open."""

from collections import defaultdict
from collections.abc import Collection, Mapping, Sequence
from pathlib import Path
from typing import Protocol

from irjudge.judging.finding.learning import TopicLearner, known_votes, load_postings, relevance
from irjudge.judging.finding.sources import Pair
from irjudge.model.topic import Topic
from irjudge.progress import SILENT, Progress
from irjudge.search.learning import LETTERS
from irjudge.search.postings import Postings
from irjudge.search.rankers import vectors
from irjudge.store.project import Project
from irjudge.store.search_index import SearchHit, find_documents

MOST_HITS = 10  # of a search in a session: whoever judges waits for the thread that looks for them


class SharedPairs(Protocol):
    """What a dispatch knows of pairs that can grow."""

    def lacking(self, person: str) -> list[str]:
        """Return the topics that are to have more documents, the one first that a person is at."""

    def known(self, topic: str) -> Collection[str]:
        """Return the documents of a topic that are there."""

    def enough(self, topic: str) -> None:
        """Want no more documents of a topic."""

    def found(self, topic: str, document: str) -> None:
        """Take in a document that learning found."""


class SharedFinding:
    """The collection of a session: what is learnt in it, from documents that are relevant from `rel` on, and what searches find in it."""

    def __init__(self, project: Project, cache: Path, rel: int) -> None:
        self._project, self._cache, self._rel = project, cache, rel
        self._loaded: Postings | None = None
        self._topics = {topic.id: topic for topic in project.collection.topics()}
        self._votes: dict[Pair, dict[str, int]] = defaultdict(dict)
        for pair, votes in known_votes(project).items():
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
            vectors(self._loaded, LETTERS)
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
                pair[1], relevant=relevance([*votes.values()], None, self._rel)
            )

    def find_for(self, person: str, pairs: SharedPairs) -> None:
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
                    made.tell(pair[1], relevant=relevance([*votes.values()], None, self._rel))
            self._learners[topic] = made
        return self._learners[topic]

    # Searching

    def search(self, words: str) -> Sequence[SearchHit]:
        """Return the documents that fit words best."""
        return find_documents(self._project, self.load(), words, MOST_HITS)
