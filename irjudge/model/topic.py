"""A topic: what a person wants to know."""

import hashlib
import json
import unicodedata
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import count

from irjudge.errors import IrjudgeError
from irjudge.message import Message


@dataclass(frozen=True, slots=True)
class Topic:
    """One information need."""

    id: str  # text as it stands in the file: `051` stays `051`
    # the query, the need in a sentence, and what counts as relevant. The last two may be empty.
    title: str
    description: str = ""
    narrative: str = ""

    @property
    def digest(self) -> bytes:
        """SHA-256 of everything an assessor reads, to notice when a text was edited."""
        return hashlib.sha256(
            json.dumps([self.id, self.title, self.description, self.narrative]).encode()
        ).digest()


def same_text(query: str) -> str:
    """Return the text that a query is known by where it has no id: Unicode's NFC, blanks as one, case kept.

    >>> same_text("  Jazz \\n bass ")
    'Jazz bass'
    """
    return " ".join(unicodedata.normalize("NFC", query).split())


def by_text(
    topics: Sequence[str], known: Collection[str], ids: Mapping[str, str]
) -> tuple[str, ...]:
    """Return topics with the ids that texts of queries have where they are such texts, each id once; those that are known stay.

    >>> by_text(["jazz  bass", "rock", "q1"], {"q1"}, {"jazz bass": "q1", "rock": "q2"})
    ('jazz  bass', 'q2', 'q1')
    """
    held = {*topics}
    named: dict[str, str] = {}
    for topic in topics:
        new = topic if topic in known else ids.get(same_text(topic), topic)
        named[topic] = (
            new if new == topic or (new not in held and new not in named.values()) else topic
        )
    return tuple(named[topic] for topic in topics)


def without_blanks(topics: Iterable[str]) -> dict[str, str]:
    """Return what topics are called where an id cannot hold a blank: q1, q2 … in place of those that do, and else as they are.

    >>> without_blanks(["jazz bass", "q1", "rock"])
    {'jazz bass': 'q2', 'q1': 'q1', 'rock': 'rock'}
    """
    held = dict.fromkeys(topics)
    free = (name for number in count(1) if (name := f"q{number}") not in held)
    return {topic: topic if topic.split() == [topic] else next(free) for topic in held}


def said_of_renamed(names: Mapping[str, str]) -> tuple[str, ...]:
    """Return the sentence about topics that `without_blanks` calls otherwise, or nothing."""
    others = [(name, topic) for topic, name in names.items() if topic != name]
    if not others:
        return ()
    words = "Ids of TREC files hold no blank; topics that are called otherwise there: {count:,}, for example {name} for “{topic}”."
    return (Message(words, count=len(others), name=others[0][0], topic=others[0][1]),)


def chosen_topics(wish: str, known: Sequence[str]) -> tuple[str, ...]:
    """Return the topics that a wish names, in the order they are known in; an empty wish names none, which stands for all.

    Ids have commas between them; `401-405` stands for all from one to the other. An id that is known as it is comes before a range.
    IrjudgeError when an id is not known, or a range runs backwards.

    >>> chosen_topics("5, 1-3", ["1", "2", "3", "4", "5"])
    ('1', '2', '3', '5')
    """
    if not wish:
        return ()
    places = {topic: place for place, topic in enumerate(known)}
    chosen: set[int] = set()
    for part in filter(None, (part.strip() for part in wish.split(","))):
        ends = [part] if part in places else [end.strip() for end in part.split("-", 1)]
        strange = next((end for end in ends if end not in places), None)
        if strange is not None:
            example = known[0] if known else "–"
            raise IrjudgeError(
                "There is no topic {topic}; give ids such as {example}, with commas between them.",
                topic=part,
                example=example,
            )
        first, last = places[ends[0]], places[ends[-1]]
        if first > last:
            raise IrjudgeError("The topics {part} run backwards.", part=part)
        chosen.update(range(first, last + 1))
    return tuple(known[place] for place in sorted(chosen))
