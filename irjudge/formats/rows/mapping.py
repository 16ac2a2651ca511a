"""Which column of a table, or field of a record, holds what: said by the user where names do not tell."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from irjudge.errors import IrjudgeError
from irjudge.formats.bytes.utf8 import folded, without_half_characters
from irjudge.message import EITHER, Message, listed

MOST_LISTED = 20
LONGEST_LISTED = 40


@dataclass(frozen=True, slots=True)
class ColumnMapping:
    """What the user said about columns."""

    # pairs of a part ("id", "text", "grade") and the column it is in: the name as it stands in the file, or its number from 1. A part that
    # is not here is recognised by names.
    named: tuple[tuple[str, str], ...] = ()

    def __bool__(self) -> bool:
        return bool(self.named)

    def __str__(self) -> str:
        """As it is typed: `id=docno,text=abstract`."""
        return ",".join(f"{part}={column}" for part, column in self.named)

    def names(self, part: str, known: tuple[str, ...]) -> tuple[str, ...]:
        """Return the names a part goes by: the one that was said, else those of `known` that were not said of another part.

        >>> ColumnMapping((("id", "text"),)).names("id", ("id", "docno"))
        ('text',)
        >>> ColumnMapping((("id", "text"),)).names("text", ("text", "body"))
        ('body',)
        """
        if not self.named:
            return known
        said = {column for _, column in self.named}
        own = tuple(column for each, column in self.named if each == part)
        return own or tuple(name for name in known if name not in said)

    def also(self, part: str, column: str) -> str:
        """Return what was said and one part more, as it is typed.

        >>> ColumnMapping((("id", "1"),)).also("text", "3")
        'id=1,text=3'
        """
        return str(ColumnMapping((*self.named, (part, column))))

    def numbers(self) -> dict[int, str] | None:
        """Return the part that each column holds, from 0; None unless all columns were said by number.

        >>> ColumnMapping((("id", "1"), ("text", "3"))).numbers()
        {0: 'id', 2: 'text'}
        """
        if not self.named or not all(
            column.isascii() and column.isdigit() and int(column) for _, column in self.named
        ):
            return None
        return {int(column) - 1: part for part, column in self.named}


AS_RECOGNISED = ColumnMapping()


def parse_columns(text: str, parts: Sequence[str]) -> ColumnMapping:
    """Return the columns that `text` names, such as `id=docno,text=abstract`.

    >>> parse_columns("id=docno, text=abstract", ("id", "text")).named
    (('id', 'docno'), ('text', 'abstract'))
    """
    named: dict[str, str] = {}
    for pair in filter(None, (pair.strip() for pair in text.split(","))):
        part, sign, column = (piece.strip() for piece in pair.partition("="))
        if not sign or not column or part not in parts:
            raise IrjudgeError(
                '"{pair}" names no column, expected pairs like {first}=NAME with {parts} in front.',
                key="no-pair",
                pair=pair,
                first=parts[0],
                parts=" or ".join(parts),
            )
        if part in named:
            raise IrjudgeError(
                "{part} is named twice, by {named} and {column}; expected one column.",
                key="named-twice",
                part=part,
                named=named[part],
                column=column,
            )
        named[part] = column
    return ColumnMapping(tuple(named.items()))


def either(choices: Iterable[str]) -> str:
    """Return what can be said with `--columns`, as a sentence offers it."""
    return listed([Message('"{choice}"', choice=choice) for choice in choices], EITHER)


def listed_columns(names: Sequence[str]) -> str:
    """Return the names of columns as a sentence shows them, the first twenty."""
    return ", ".join(map(shown_column, names[:MOST_LISTED])) + (
        Message(" and more") if len(names) > MOST_LISTED else ""
    )


def shown_column(name: str) -> str:
    """Return the name of a column as a sentence shows it."""
    return without_half_characters(folded(name))[:LONGEST_LISTED] or Message("(no name)")
