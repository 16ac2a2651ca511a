"""The preferences of a project: what its assessors said of pairs of documents, or of panels, and did not take back."""

from collections.abc import Iterator, Mapping

from irjudge.errors import ProjectError
from irjudge.judging.ledger import ledger_of
from irjudge.model.event import Event
from irjudge.model.preference import OUTCOMES, Preferences, make_preferences
from irjudge.store.project import Project


def preferences_in_force(project: Project, type_: str) -> Iterator[Event]:
    """Yield each preference that stands on items of a type (`pair` or `panel`), assessor by assessor, in the order first judged."""
    for assessor in project.events.assessors():
        events = ledger_of(project, assessor).judgments()
        yield from (event for event in events if event.kind == "preference" and event.item.type == type_)


def project_preferences(project: Project, sides: Mapping[str, str] | None = None) -> Preferences:
    """Return the preferences of all assessors of a project.

    Parameters
    ----------
    project
        With events of kind `preference`; their payload is described by `Preferences`.
    sides
        The run that each opaque side of a panel stands for: then panels are read, and items are runs. None reads pairs of documents.

    Raises
    ------
    ProjectError
        When there are none, a payload has no winner, or a side is not in `sides`.
    """
    events = list(preferences_in_force(project, "pair" if sides is None else "panel"))
    if not events:
        raise ProjectError("There are no preferences: no two were compared yet.")
    shown = [tuple(_name(each, sides) for each in event.item.documents) for event in events]
    active = [event.payload.get("active_ms") for event in events]
    return make_preferences(
        [left for left, _ in shown],
        [right for _, right in shown],
        [_outcome(event) for event in events],
        strength=[min(2, max(0, int(event.payload.get("strength", 1)))) if _outcome(event) else 0 for event in events],
        topic=[event.item.topic for event in events],
        assessor=[event.assessor for event in events],
        seconds=[float("nan") if each is None else float(each) / 1000 for each in active],
        documents=sides is None,
    )


def _name(shown: str, sides: Mapping[str, str] | None) -> str:
    if sides is None:
        return shown
    if shown not in sides:
        raise ProjectError(f"The project does not know which run the side {shown} of a panel stands for.")
    return sides[shown]


def _outcome(event: Event) -> int:
    winner = event.payload.get("winner")
    if winner not in OUTCOMES or len(event.item.documents) != 2:
        raise ProjectError(f"A preference of {event.assessor} for topic {event.item.topic} cannot be read: its winner is {winner!r}.")
    return OUTCOMES[winner]
