"""Several documents of a topic on one page: how many are asked for, which stand together, and what a judgment keeps of it."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, TypeVar

from irjudge.errors import IrjudgeError
from irjudge.model.assignment import Assignment
from irjudge.model.event_form import PAGE
from irjudge.store.project import Project

SEVERAL = "several"  # wish of a round, and fact of a file that was made for somebody
LEAST, USUAL, MOST = (
    2,
    6,
    12,
)  # documents of a page; USUAL where a person asks for several and nobody said how many
Place = TypeVar("Place")


@dataclass(frozen=True, slots=True)
class PageSeen:
    """What stood on the page when something was said of one of its documents."""

    order: tuple[str, ...]  # ids of its documents, from its top
    visible: tuple[str, ...]  # those of them that could be seen, in the same order

    @property
    def as_payload(self) -> dict[str, Any]:
        """What the event keeps of it."""
        return {PAGE: {"order": list(self.order), "visible": list(self.visible)}}

    @staticmethod
    def of(payload: Mapping[str, Any]) -> "PageSeen | None":
        """Return what the payload of an event says of it; None where one document stood alone."""
        kept = payload.get(PAGE)
        return PageSeen(tuple(kept["order"]), tuple(kept["visible"])) if kept else None


def checked_several(count: int) -> int:
    """Return how many documents stand on a page; 0 shows one at a time. IrjudgeError when so many are never shown."""
    if count and not LEAST <= count <= MOST:
        raise IrjudgeError(
            "On a page stand {least} to {most} documents, or 0 for one at a time; got {count}.",
            least=LEAST,
            most=MOST,
            count=count,
        )
    return count


def several_of(project: Project, assignment: Assignment | None) -> int:
    """Return how many documents of a topic an assignment asks to show on one page; 0 where they are shown one at a time."""
    if assignment is None:
        return 0
    if not assignment.round:  # the file of one assessor carries no rounds
        return _known(project.fact(SEVERAL))
    made = (each for each in project.assignments.rounds() if each.number == assignment.round)
    return next((_known(each.wishes.get(SEVERAL)) for each in made), 0)


def _known(kept: object) -> int:
    """Return what a file says, as far as it makes sense: it may come from other hands."""
    text = str(kept or 0)
    return int(text) if text.isascii() and text.isdigit() and LEAST <= int(text[:4]) <= MOST else 0


def page_around(places: Sequence[Place], at: int, size: int) -> tuple[Place, ...]:
    """Return what stands on one page with what is at a place: the order is cut into pages once, so that nothing moves while it is judged.

    >>> page_around("abcdefg", 4, 3), page_around("abcdefg", 6, 3)
    (('d', 'e', 'f'), ('g',))
    """
    begin = at - at % size
    return tuple(places[begin : begin + size])
