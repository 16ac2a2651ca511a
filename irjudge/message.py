"""Texts for users: translatable messages, and escaping of control characters."""

import re
from collections.abc import Callable, Iterable, Mapping
from functools import reduce
from string import Formatter
from typing import Self

FORMATTER = Formatter()
PLACEHOLDER = re.compile(r"\{(\w+)\}|\{\{|\}\}")  # placeholder, or escaped brace


class Message(str):
    """English sentence or phrase with its template and values, from which it can be translated.

    A message can be used as a string. To translate it, `template` is translated and filled with
    `values`, some of which may be messages themselves. A placeholder is `{name}`; a format such as
    `{count:,}` is applied and not stored.

    Parameters
    ----------
    template
        English text with `{name}` for each value.
    key
        Identifies the message for programs and tests, independent of its wording. Without a key,
        the template identifies it.
    **values
        The values to fill in, by name.

    Examples
    --------
    >>> read = Message("{file} has {count:,} lines.", file="a.run", count=1200)
    >>> read, read.template, read.values["count"]
    ('a.run has 1,200 lines.', '{file} has {count} lines.', '1,200')
    >>> Message("No runs were given.", key="no-runs").key
    'no-runs'
    """

    __slots__ = ("key", "template", "values")
    key: str
    template: str
    values: Mapping[str, str]

    def __new__(cls, template: str, /, *, key: object = "", **values: object) -> Self:
        """Format the English sentence, and store its template and values."""
        template_parts: list[str] = []
        text_parts: list[str] = []
        formatted_values: dict[str, str] = {}
        for text, name, spec, conversion in FORMATTER.parse(template):
            template_parts.append(text.replace("{", "{{").replace("}", "}}"))
            text_parts.append(text)
            if name is not None:
                value = values[name]
                if conversion is not None:
                    value = FORMATTER.convert_field(value, conversion)
                if isinstance(value, Exception):
                    value = str(value)  # the text of an IrjudgeError is a message
                formatted_values[name] = (
                    value if isinstance(value, Message) and not spec else format(value, spec or "")
                )
                template_parts.append(f"{{{name}}}")
                text_parts.append(formatted_values[name])
        message = super().__new__(cls, "".join(text_parts))
        message.template, message.values = "".join(template_parts), formatted_values
        message.key = str(key) or message.template
        return message

    @property
    def all_values(self) -> dict[str, str]:
        """Values of the message and, recursively, of messages among its values.

        If a name occurs repeatedly, the value of the outer message is used.
        """
        values: dict[str, str] = {}
        for value in self.values.values():
            if isinstance(value, Message):
                values |= value.all_values
        return values | dict(self.values)

    def translate_with(self, translate: Callable[[str], str]) -> str:
        """Return the translated text; `translate` returns the translation of an English template.

        Braces in values, and placeholders in the translation without a value, are not changed.

        >>> Message("{file} is gone.", file="a{b}.run").translate_with({"{file} is gone.": "{file} ist fort."}.__getitem__)
        'a{b}.run ist fort.'
        """
        values = {
            name: value.translate_with(translate) if isinstance(value, Message) else value
            for name, value in self.values.items()
        }
        return PLACEHOLDER.sub(
            lambda match: values.get(match[1], match[0]) if match[1] else match[0][0],
            translate(self.template),
        )

    def __str__(self) -> str:  # returns the message itself, so that `str(error)` is a Message
        return self

    def __add__(self, other: str) -> "Message":
        """Return a message that consists of two texts and has the key of this message."""
        return Message(JOINED_TEMPLATE, key=self._given_key, first=self, second=other)

    def __radd__(self, other: str) -> "Message":
        return Message(JOINED_TEMPLATE, key=self._given_key, first=other, second=self)

    @property
    def _given_key(self) -> str:
        return "" if self.key == self.template else self.key

    def __reduce__(self) -> tuple[object, ...]:
        return _restore, (self.template, self._given_key, dict(self.values))


def _restore(template: str, key: str, values: dict[str, str]) -> Message:
    return Message(template, key=key, **values)


COMMA = "{first}, {second}"
SEMICOLON = "{first}; {second}"
EITHER_TEMPLATE = "{first} or {second}"
BOTH_TEMPLATE = "{first} and {second}"
JOINED_TEMPLATE = "{first}{second}"
SENTENCES = "{first} {second}"


def join_messages(parts: Iterable[str], separator_template: str = COMMA) -> str:
    """Return texts joined by a separator, as a message if at least one text is a message.

    >>> join_messages(["bm25", "ql"]), type(join_messages([Message("a {b}", b=1), "c"])).__name__
    ('bm25, ql', 'Message')
    """
    row = list(parts)
    if not any(isinstance(text, Message) for text in row):
        return separator_template.removeprefix("{first}").removesuffix("{second}").join(row)
    return reduce(
        lambda first, second: Message(separator_template, first=first, second=second), row
    )


def join_choices(names: Iterable[str]) -> str:
    """Return names joined by commas and "or"; only "or" is translated.

    >>> join_choices(["linear", "exp2"]), join_choices(["exact", "trec9", "trec10"])
    ('linear or exp2', 'exact, trec9 or trec10')
    """
    *first_names, last_name = names
    if not first_names:
        return last_name
    return Message(EITHER_TEMPLATE, first=join_messages(first_names), second=last_name)


def to_data(text: str) -> object:
    """Return a message as JSON data; return any other text unchanged."""
    if not isinstance(text, Message):
        return text
    return {
        "template": text.template,
        "values": {name: to_data(value) for name, value in text.values.items()},
    }


def from_data(data: object) -> str:
    """Return the message or text from the result of `to_data`."""
    if isinstance(data, dict):
        return Message(
            str(data["template"]),
            **{str(name): from_data(value) for name, value in data["values"].items()},
        )
    return str(data)


def format_count(count: int, noun: str) -> Message:
    """Return a number with its noun, in the plural for all numbers except 1.

    The catalogue of messages contains the singular and plural of each noun in calls of this
    function.

    >>> format_count(1, "topic"), format_count(1200, "topic")
    ('1 topic', '1,200 topics')
    """
    return Message(f"1 {noun}") if count == 1 else Message(f"{{count:,}} {noun}s", count=count)


# Escaping of control characters in untrusted texts, since they could control a terminal

# Control characters, line ends, direction marks, and lone surrogates.
UNPRINTABLE = re.compile(
    r"[\x00-\x1f\x7f-\x9f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069\ud800-\udfff]"
)


def escape_control_characters(text: str) -> str:
    """Return a text with control characters and line ends escaped, safe for a terminal.

    >>> escape_control_characters("d\\x1b[2J")
    'd\\\\x1b[2J'
    """
    return UNPRINTABLE.sub(lambda match: match[0].encode("unicode_escape").decode(), text)
