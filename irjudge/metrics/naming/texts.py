"""Texts that trec_eval prints among its measures: the run's tag, and the grades at the top of a ranking as a string."""

import re
from dataclasses import dataclass

from irjudge.errors import MeasureError
from irjudge.metrics.basis.judged import JudgedRun
from irjudge.metrics.naming.names import TEXT_WORDS, WORDS
from irjudge.metrics.naming.parameters import HIGHEST_WHOLE

LENGTH = 10
WRITTEN = re.compile(r"(?P<word>[a-z]+)([._](?P<length>[0-9]+)(\.[0-9]*)?)?", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Text:
    """A text to print."""

    word: str  # `runid` or `relstring`
    length: int = LENGTH  # of a string of grades: how many ranks it shows
    given: str = ""  # the length as it was typed; empty where it was not

    @property
    def name(self) -> str:
        """As trec_eval prints it."""
        return f"{self.word}_{self.given}" if self.given else self.word

    @property
    def about(self) -> str:
        """What it is, in words."""
        return ABOUT[self.word]


ABOUT = {
    "runid": "the run's name",
    "relstring": "the grades at ranks 1 to 10, or to k with relstring.k: 0 to 9, > for more, . for a pooled document without a grade, "
    "- for one that the qrels do not name",
}


def parse_texts(name: str) -> tuple[Text, ...] | None:
    """Return the texts that a name or group means; None where the name is no text and no group.

    >>> [text.name for text in parse_texts("all_trec")], parse_texts("relstring.20")[0].length, parse_texts("map")
    (['runid', 'relstring'], 20, None)
    """
    name = name.strip().lower()
    if name in WORDS:
        return tuple(Text(word) for word in WORDS[name] if word in TEXT_WORDS)
    found = WRITTEN.fullmatch(name)
    if (
        found is None
        or found["word"] not in TEXT_WORDS
        or (found["length"] and found["word"] == "runid")
    ):
        return None
    length = int(found["length"] or LENGTH)
    if length > HIGHEST_WHOLE:
        raise MeasureError("{name}: the length is too large.", name=name)
    return (Text(found["word"], length, name[len(found["word"]) + 1 :]),)


def relevance_strings(judged: JudgedRun, length: int = LENGTH) -> tuple[str, ...]:
    """Return the grades at the top of each topic's ranking, a character each: of `length` ranks, or of a shorter ranking all.

    >>> relevance_strings(JudgedRun.single(ranked=[1, 0, None, -1, 12]))
    ('10-.>',)
    """
    shown = judged.hit_rank <= length
    strings = [["-"] * int(depth) for depth in judged.depth(length)]
    hits = (
        array[shown].tolist() for array in (judged.hit_topic, judged.hit_rank, judged.hit_grade)
    )
    for topic, rank, grade in zip(*hits, strict=True):
        if grade < 0:
            strings[topic][rank - 1] = "."
        elif grade <= 9:
            strings[topic][rank - 1] = str(grade)
        else:
            strings[topic][rank - 1] = ">"
    return tuple(map("".join, strings))


def merged(texts: tuple[Text, ...]) -> tuple[Text, ...]:
    """Return each text once: a length that was given replaces the usual one."""
    given = {text.word for text in texts if text.given}
    return tuple(dict.fromkeys(text for text in texts if text.given or text.word not in given))
