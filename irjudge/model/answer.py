"""An answer that a system wrote for a topic: its sentences, and the documents that each of them cites."""

from dataclasses import dataclass

from irjudge.message import Message
from irjudge.model.scale import Grade, Scale


@dataclass(frozen=True, slots=True)
class Sentence:
    """A piece of an answer, and the ids of the documents it cites, in its order."""

    text: str
    citations: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class CitedAnswer:
    """What one system answered."""

    # `topic`, `question`: the topic's id, and what was asked, as far as the file says it
    topic: str
    run: str  # the system's name
    sentences: tuple[Sentence, ...]  # in the order in which they are read
    references: tuple[
        str, ...
    ] = ()  # the documents that were used, those no sentence cites included
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


def _scale(name: str, *grades: tuple[str, str]) -> Scale:
    return Scale(
        name,
        tuple(Grade(value, str(label), str(words)) for value, (label, words) in enumerate(grades)),
    )


# What answers are judged by; `Scale.question` says what each of them asks.
CITATION_SUPPORT = _scale(
    "citation support",
    (
        Message("No support"),
        Message("The passage does not say what the sentence says, or says otherwise."),
    ),
    (Message("Partial support"), Message("The passage says a part of it, or something weaker.")),
    (Message("Full support"), Message("The passage says all that the sentence says.")),
)
NUGGET_SUPPORT = _scale(
    "nugget support",
    (Message("Not supported"), Message("The answer does not say it.")),
    (Message("Partly supported"), Message("The answer says a part of it.")),
    (Message("Supported"), Message("The answer says all of it, in whatever words.")),
)
NUGGET_IMPORTANCE = _scale(
    "nugget importance",
    (Message("Okay"), Message("Worth having, but not needed.")),
    (Message("Vital"), Message("Without it an answer is not a good one.")),
)
