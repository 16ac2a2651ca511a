"""An answer that a system wrote for a topic: its sentences, and the documents that each of them cites."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Sentence:
    """A piece of an answer, and the ids of the documents it cites, in its order."""

    text: str
    citations: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class CitedAnswer:
    """What one system answered.

    Parameters
    ----------
    topic, question
        The topic's id, and what was asked, as far as the file says it.
    run
        The system's name.
    sentences
        In the order in which they are read.
    references
        The documents that were used, those no sentence cites included.
    """

    topic: str
    run: str
    sentences: tuple[Sentence, ...]
    references: tuple[str, ...] = ()
    question: str = ""

    @property
    def text(self) -> str:
        """All sentences, a blank between them."""
        return " ".join(sentence.text for sentence in self.sentences)


@dataclass(frozen=True, slots=True)
class Nugget:
    """A fact that a good answer holds, and its importance, `vital` or `okay`; empty where nobody said it."""

    text: str
    importance: str = ""
