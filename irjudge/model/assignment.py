"""Assignment of one assessor: the items to judge, in order, and the organiser's notes."""

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
    """Item to judge (document, pair or panel), with the data that its assessor may see."""

    topic: str  # topic id
    # a document is one list of one id; a pair, two such lists; a panel, two ranked lists of ids
    lists: tuple[tuple[str, ...], ...]
    type: ItemType = "document"  # `document`, `pair` or `panel`
    sides: tuple[str, ...] = ()  # opaque ids of the lists of a pair or panel; empty for a document

    @property
    def documents(self) -> tuple[str, ...]:
        """All documents of the item, one list after another."""
        return tuple(document for documents in self.lists for document in documents)

    @property
    def identical(self) -> bool:
        """Whether the item is two identical lists, so that there is nothing to compare."""
        return len(self.lists) == 2 and self.lists[0] == self.lists[1]


@dataclass(frozen=True, slots=True)
class OrganiserNote:
    """Organiser's data on an item, hidden from the assessor: role, and runs on left and right."""

    role: Role = "document"
    left_run: str = ""  # for an item of a norming round, the number of the round instead
    right_run: str = ""


@dataclass(frozen=True, slots=True)
class Assignment:
    """Assignment of items to an assessor: its identity, mode, deadline and task file."""

    code: int  # number of the assignment in the project file
    id: str  # hash of project, round, assessor and items
    assessor: str
    mode: Mode  # `grade` or `side-by-side`
    pool: int  # version of the pool
    deadline: str = ""  # date such as `2026-03-01`; empty if there is none
    file: str = ""  # name of the task file
    round: int = 0  # number of the round; 0 in the assessor's file
    made: str = ""  # UTC time of creation; empty in the assessor's file
    withdrawn: bool = False  # whether its open items were reassigned
