"""The judgments of one assessor that stand."""

from irjudge.judging.ledger import ledger_of
from irjudge.model.event import Event
from irjudge.store.project import Project


def grades_in_force(project: Project, assessor: str | None = None) -> list[Event]:
    """Return each judgment of a single document that stands, of one assessor (by default the owner).

    They come in the order in which documents were first judged; a preference between two is no grade, and what came late in a session
    does not count.
    """
    late = project.sessions.late(assessor or project.owner)
    found = (event for event in ledger_of(project, assessor).judgments() if event.kind in ("grade", "unjudgeable"))
    return [event for event in found if (event.item.topic, event.item.documents[0]) not in late]
