"""What evaluation needs of a run: where the documents stand that the qrels name."""

from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import NamedTuple

import numpy as np

from irjudge.model.order import Ties
from irjudge.model.ranking import Ints, Longs


class RetrievedDocument(NamedTuple):
    """A document that was retrieved for a topic, and its score; None where the order is all that is known.

    An empty document stands for a topic for which nothing was retrieved.
    """

    topic: str
    document: str
    score: float | None = None


@dataclass(frozen=True, slots=True, eq=False)
class Retrieved:
    """A ranking of which only the documents are kept that qrels name for their topic."""

    name: str  # the run's name
    topics: tuple[str, ...]  # T topic ids in order of first appearance
    sizes: Longs  # shape (T,): documents retrieved
    # shape (H,), sorted by topic and rank: place in `topics`; 1-based rank; code in the qrels' `documents`
    topic: Ints
    rank: Ints
    document: Ints
    tied: int  # documents of the run that share their score with another of the same topic
    # the order of ties that the ranks are of, and whether scores were compared in single precision
    ties: Ties = "trec"
    single: bool = False
    remarks: tuple[str, ...] = ()  # what was strange in the file, a sentence each

    def with_topics(self, topics: Iterable[str]) -> "Retrieved":
        """Return the same ranking with an empty one for each of some topics that it lacks."""
        known = {*self.topics}
        added = tuple(dict.fromkeys(topic for topic in topics if topic not in known))
        sizes = np.concatenate((self.sizes, np.zeros(len(added), dtype=self.sizes.dtype)))
        return replace(self, topics=self.topics + added, sizes=sizes)
