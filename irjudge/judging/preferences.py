"""The preferences of a project: what its assessors said of pairs of documents, or of panels, and did not take back."""

from collections.abc import Iterator, Mapping

from irjudge.errors import ProjectError
from irjudge.judging.ledger import ledger_of
from irjudge.judging.votes import left_out
from irjudge.model.event import Event
from irjudge.model.preference import OUTCOMES, Preferences, make_preferences
from irjudge.store.project import Project


def preferences_in_force(project: Project, type_: str) -> Iterator[Event]:
    """Yield each preference that stands on items of a type (`pair` or `panel`), assessor by assessor, in the order first judged.

    Whoever is set aside, or of another group than counts, does not count, nor does the owner of a project that has given comparisons
    to others, nor what came late in a session. What one person said of one question under two ids counts once.
    """
    same, said = project.sessions.same(), set()
    for assessor in sorted(_counting(project), key=lambda name: name in same):
        late, who = project.sessions.late(assessor), same.get(assessor, assessor)
        events = (
            event
            for event in ledger_of(project, assessor).judgments()
            if event.kind == "preference" and event.item.type == type_
        )
        mine = [event for event in events if (event.item.topic, event.item.documents) not in late]
        yield from (event for event in mine if (who, _question(event)) not in said)
        said |= {(who, _question(event)) for event in mine} if who in same.values() else set()


def _question(event: Event) -> tuple[str, frozenset[tuple[str, ...]]]:
    """Return what was compared: the topic and the two lists, whichever stood left."""
    sizes = event.payload.get("sizes")
    first = (
        int(sizes[0])
        if isinstance(sizes, (list, tuple)) and sizes
        else len(event.item.documents) // 2
    )
    return event.item.topic, frozenset((event.item.documents[:first], event.item.documents[first:]))


def _counting(project: Project) -> list[str]:
    out = left_out(project)
    out |= {one for one, other in project.sessions.same().items() if other in out}
    comparisons = {
        each.assessor for each in project.assignments.all() if each.mode == "side-by-side"
    }
    if comparisons - {project.owner}:
        out.add(project.owner)
    return [name for name in project.events.assessors() if name not in out]


def sides_of(project: Project) -> dict[str, str]:
    """Return the run that each opaque side of a panel stands for; empty in a file that was made for an assessor."""
    sides: dict[str, str] = {}
    for assignment in project.assignments.all():
        if assignment.mode == "side-by-side":
            pairs = project.assignments.with_secrets(assignment.code)
            for item, secret in pairs:
                runs = (secret.left_run, secret.right_run)
                sides.update(
                    (side, run) for side, run in zip(item.sides, runs, strict=False) if run
                )
    return sides


def project_preferences(project: Project, sides: Mapping[str, str] | None = None) -> Preferences:
    """Return the preferences of all assessors of a project who count."""
    events = list(preferences_in_force(project, "pair" if sides is None else "panel"))
    if not events:
        raise ProjectError(
            "There are no preferences: no two were compared yet.", key="no-preferences"
        )
    shown, same = [_names(event, sides) for event in events], project.sessions.same()
    active = [event.payload.get("active_ms") for event in events]
    return make_preferences(
        [left for left, _ in shown],
        [right for _, right in shown],
        [_outcome(event) for event in events],
        strength=[
            min(2, max(0, int(event.payload.get("strength", 1)))) if _outcome(event) else 0
            for event in events
        ],
        topic=[event.item.topic for event in events],
        assessor=[same.get(event.assessor, event.assessor) for event in events],
        seconds=[float("nan") if each is None else float(each) / 1000 for each in active],
        documents=sides is None,
    )


def _names(event: Event, sides: Mapping[str, str] | None) -> tuple[str, str]:
    """Return what was compared, left first: two documents, or the runs that two sides stand for."""
    shown = event.item.documents if sides is None else event.payload.get("sides")
    if not isinstance(shown, (list, tuple)) or len(shown) != 2:
        raise ProjectError(
            "A preference of {assessor} for topic {topic} cannot be read: it is not about two sides.",
            assessor=event.assessor,
            topic=event.item.topic,
        )
    if sides is None:
        return str(shown[0]), str(shown[1])
    for side in shown:
        if side not in sides:
            raise ProjectError(
                "The project does not know which run the side {side} of a panel stands for.",
                side=side,
            )
    left, right = sides[shown[0]], sides[shown[1]]
    if left == right:
        raise ProjectError(
            "A preference of {assessor} for topic {topic} cannot be read: both sides stand for the run {run}.",
            assessor=event.assessor,
            topic=event.item.topic,
            run=left,
        )
    return left, right


def _outcome(event: Event) -> int:
    winner = event.payload.get("winner")
    if winner not in OUTCOMES:
        raise ProjectError(
            "A preference of {assessor} for topic {topic} cannot be read: its winner is {winner!r}.",
            assessor=event.assessor,
            topic=event.item.topic,
            winner=winner,
        )
    return OUTCOMES[winner]
