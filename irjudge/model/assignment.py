"""Assignments: the items that one assessor judges, in order, and the organiser's data on them."""

from dataclasses import dataclass
from typing import Literal, TypeAlias, get_args

ItemType: TypeAlias = Literal["document", "pair", "panel"]
ITEM_TYPES: tuple[ItemType, ...] = get_args(ItemType)
Role: TypeAlias = Literal[
    "document",
    "gold",
    "qualification",
    "calibration",
    "repeat",
    "learnt",
    "search",
    "drawn",
    "norming",
]
ROLES: tuple[Role, ...] = get_args(Role)
NORMING_ROLE: Role = "norming"
Mode: TypeAlias = Literal["grade", "side-by-side"]
MODES: tuple[Mode, ...] = get_args(Mode)


@dataclass(frozen=True, slots=True)
class AssignedItem:
    """Item of an assignment (document, pair or panel), with the data that the assessor may see.

    A pair consists of two documents, a panel of two ranked lists; the first list is on the left.
    """

    topic: str  # topic id
    # ids of the documents: for a document, one list with one id; for a pair, two such lists; for a
    # panel, two ranked lists
    lists: tuple[tuple[str, ...], ...]
    type: ItemType = "document"  # `document`, `pair` or `panel`
    # ids of the two lists of a panel, which do not reveal their runs; empty for a document or pair
    sides: tuple[str, ...] = ()

    @property
    def documents(self) -> tuple[str, ...]:
        """All documents of the item: the first list, then the second list."""
        return tuple(document for documents in self.lists for document in documents)

    @property
    def identical(self) -> bool:
        """Whether the two lists of the item are identical, so that there is nothing to compare."""
        return len(self.lists) == 2 and self.lists[0] == self.lists[1]


@dataclass(frozen=True, slots=True)
class OrganiserNote:
    """Organiser's data on an item, hidden from the assessor: the item's role and compared runs.

    The role is, for example, `document`, `gold` or `qualification`. The runs are empty unless two
    lists are compared. For an item of a norming round, `left_run` is the number of the round.
    """

    role: Role = "document"
    # run whose list is on the left; for an item of a norming round, the number of the round
    left_run: str = ""
    right_run: str = ""


@dataclass(frozen=True, slots=True)
class Assignment:
    """Properties of an assessor's assignment: number, id, mode, pool, deadline, task file.

    The items are not included. For a participant of a session, the assessor is the id of the
    participant. The assessor's task file contains neither the round nor the time of creation nor
    the name of the file. A withdrawn assignment continues to exist, but its unjudged items
    can be assigned to other assessors.
    """

    code: int  # number of the assignment in the project; 0 if it is not stored yet
    # hash of project, round, assessor and items; random for a participant of a session
    id: str
    assessor: str
    mode: Mode  # `grade` or `side-by-side`
    pool: int  # version of the pool
    deadline: str = ""  # date such as `2026-03-01`; empty if there is none
    file: str = ""  # name of the task file; empty if there is none, and in the file itself
    round: int = 0  # number of the round; 0 in the file for the assessor
    made: str = ""  # UTC time of creation; empty in the file for the assessor
    withdrawn: bool = False  # whether its unjudged items can be assigned to others
