"""What qrels with subtopics say of the documents: a row for each document and subtopic."""

from dataclasses import dataclass
from typing import TypeAlias

import numpy as np
import numpy.typing as npt

Ints: TypeAlias = npt.NDArray[np.int32]


@dataclass(frozen=True, slots=True, eq=False)
class Subtopics:
    """Judged documents with the subtopics they were judged for, twice: those that were retrieved, and all."""

    # shape (F,), sorted by (topic, rank), one row for each subtopic that a retrieved document was judged for: place of the topic in
    # `JudgedRun.topics`, 1-based rank, code of the subtopic, grade
    found_topic: Ints
    found_rank: Ints
    found_subtopic: Ints
    found_grade: Ints
    # shape (S,), sorted by (topic, document), one row for each subtopic that a document was judged for, retrieved or not. The documents of
    # all topics are numbered 0, 1, 2 …; of equally good ones the ideal ranking takes the lower number.
    topic: Ints
    document: Ints
    subtopic: Ints
    grade: Ints
    names: tuple[str, ...] = ()  # what the subtopics are called, by code; empty where it does not matter

    def moved(self, rank: Ints) -> "Subtopics":
        """Return the same where the retrieved documents stand at other ranks, in the same order; those of rank 0 are not retrieved."""
        kept = rank > 0
        found = (self.found_topic[kept], rank[kept], self.found_subtopic[kept], self.found_grade[kept])
        return Subtopics(*found, self.topic, self.document, self.subtopic, self.grade, self.names)

    def __post_init__(self) -> None:
        found, judged = self.found_topic, self.topic
        if not len(found) == len(self.found_rank) == len(self.found_subtopic) == len(self.found_grade):
            raise ValueError("These are no subtopics: the rows of retrieved documents differ in length.")
        if not len(judged) == len(self.document) == len(self.subtopic) == len(self.grade):
            raise ValueError("These are no subtopics: the rows of judged documents differ in length.")
        if (np.diff(found) < 0).any() or (np.diff(judged) < 0).any() or (np.diff(self.document) < 0).any():
            raise ValueError("These are no subtopics: the rows are not sorted.")
