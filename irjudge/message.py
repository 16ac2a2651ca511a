"""A sentence that remembers what it was made of, so that a window can say it in another language; and numbers with their nouns."""

import re
from collections.abc import Callable, Iterable, Mapping
from functools import reduce
from string import Formatter
from typing import Self

PARTS = Formatter()
PLACE = re.compile(r"\{(\w+)\}|\{\{|\}\}")  # a value's, or a brace that is meant


class Message(str):
    """A finished English sentence or phrase, with the template and the values that made it, by name.

    It is a string wherever a string is wanted. Who speaks another language translates `template`, fills it with `values`, and does the same
    to those values that are messages themselves. A place is `{name}`; a format such as `{count:,}` is applied and not kept.

    >>> said = Message("{file} has {count:,} lines.", file="a.run", count=1200)
    >>> said, said.template, said.values["count"]
    ('a.run has 1,200 lines.', '{file} has {count} lines.', '1,200')
    """

    __slots__ = ("template", "values")
    template: str
    values: Mapping[str, str]

    def __new__(cls, template: str, /, **values: object) -> Self:
        """Make the English sentence, and keep what it is made of."""
        plain: list[str] = []
        said: list[str] = []
        shown: dict[str, str] = {}
        for words, name, spec, conversion in PARTS.parse(template):
            plain.append(words.replace("{", "{{").replace("}", "}}"))
            said.append(words)
            if name is not None:
                value = (
                    values[name]
                    if conversion is None
                    else PARTS.convert_field(values[name], conversion)
                )
                value = (
                    str(value) if isinstance(value, Exception) else value
                )  # what an error of ours says is a message
                shown[name] = (
                    value if isinstance(value, Message) and not spec else format(value, spec or "")
                )
                plain.append(f"{{{name}}}")
                said.append(shown[name])
        made = super().__new__(cls, "".join(said))
        made.template, made.values = "".join(plain), shown
        return made

    def in_words_of(self, translate: Callable[[str], str]) -> str:
        """Return the message in another language, of which `translate` gives the template for an English one.

        A value that brings braces of its own is left as it is, and so is a place that the translation names and the message lacks.

        >>> Message("{file} is gone.", file="a{b}.run").in_words_of({"{file} is gone.": "{file} ist fort."}.__getitem__)
        'a{b}.run ist fort.'
        """
        values = {
            name: value.in_words_of(translate) if isinstance(value, Message) else value
            for name, value in self.values.items()
        }
        return PLACE.sub(
            lambda place: values.get(place[1], place[0]) if place[1] else place[0][0],
            translate(self.template),
        )

    def __str__(self) -> str:  # the message itself, so that `str(fault)` keeps what it was made of
        return self

    def __add__(self, other: str) -> "Message":
        return Message(TOGETHER, first=self, second=other)

    def __radd__(self, other: str) -> "Message":
        return Message(TOGETHER, first=other, second=self)

    def __reduce__(self) -> tuple[object, ...]:
        return _again, (self.template, dict(self.values))


def _again(template: str, values: dict[str, str]) -> Message:
    return Message(template, **values)


COMMA, SEMICOLON, EITHER, TOGETHER = (
    "{first}, {second}",
    "{first}; {second}",
    "{first} or {second}",
    "{first}{second}",
)


def listed(parts: Iterable[str], between: str = COMMA) -> str:
    """Return words in a row with commas or semicolons between; where one is a message, so is the row.

    >>> listed(["bm25", "ql"]), type(listed([Message("a {b}", b=1), "c"])).__name__
    ('bm25, ql', 'Message')
    """
    row = list(parts)
    if not any(isinstance(part, Message) for part in row):
        return between.removeprefix("{first}").removesuffix("{second}").join(row)
    return reduce(lambda first, second: Message(between, first=first, second=second), row)


def as_data(words: str) -> object:
    """Return what a message was made of as JSON has it; other words are kept as they are."""
    if not isinstance(words, Message):
        return words
    return {
        "template": words.template,
        "values": {name: as_data(value) for name, value in words.values.items()},
    }


def from_data(data: object) -> str:
    """Return the words that `as_data` gave as JSON."""
    if isinstance(data, dict):
        return Message(
            str(data["template"]),
            **{str(name): from_data(value) for name, value in data["values"].items()},
        )
    return str(data)


def counted(number: int, noun: str) -> str:
    """Return a number with its noun, which takes an s for all numbers but 1.

    >>> counted(1, "topic"), counted(1200, "topic")
    ('1 topic', '1,200 topics')
    """
    return f"{number:,} {noun}" if number == 1 else f"{number:,} {noun}s"
