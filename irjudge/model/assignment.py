"""An assignment: what one assessor is asked to judge, in order, and what only the organiser knows about it."""

from dataclasses import dataclass
from typing import Literal, TypeAlias, get_args

ItemType: TypeAlias = Literal["document", "pair", "panel"]
ITEM_TYPES: tuple[ItemType, ...] = get_args(ItemType)
Role: TypeAlias = Literal["document", "gold", "qualification", "calibration", "repeat"]
ROLES: tuple[Role, ...] = get_args(Role)
Mode: TypeAlias = Literal["grade", "side-by-side"]
MODES: tuple[Mode, ...] = get_args(Mode)


@dataclass(frozen=True, slots=True)
class AssignedItem:
    """One thing to judge, as its assessor may see it.

    Parameters
    ----------
    topic
        The topic's id.
    lists
        One list of one document; for a pair two of one each; for a panel two ranked lists.
    type
        `document`, `pair` or `panel`.
    sides
        Opaque ids of the lists of a pair or panel; none for a document.
    """

    topic: str
    lists: tuple[tuple[str, ...], ...]
    type: ItemType = "document"
    sides: tuple[str, ...] = ()

    @property
    def documents(self) -> tuple[str, ...]:
        """All documents of the item, list after list."""
        return tuple(document for each in self.lists for document in each)


@dataclass(frozen=True, slots=True)
class Secret:
    """What the organiser knows about an item and its assessor must not: why it is there, and which run stands where."""

    role: Role = "document"
    left_run: str = ""
    right_run: str = ""


@dataclass(frozen=True, slots=True)
class Assignment:
    """Who was asked to judge what.

    Parameters
    ----------
    code
        Its number in the file.
    id
        A hash of project, round, assessor and items.
    assessor
        Who is to judge.
    mode
        `grade` or `side-by-side`.
    pool
        The version of the pool it was made from.
    deadline
        A date, `2026-03-01`, or empty.
    file
        The name of the file that was made for it.
    round
        Number of the round in which it was made; 0 in the assessor's file.
    made
        UTC time at which it was made; empty in the assessor's file.
    withdrawn
        Whether what was left of it was given to others.
    """

    code: int
    id: str
    assessor: str
    mode: Mode
    pool: int
    deadline: str = ""
    file: str = ""
    round: int = 0
    made: str = ""
    withdrawn: bool = False
