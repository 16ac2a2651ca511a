"""Whose judgments count: not those of an assessor who is set aside, nor, among assessors, those of the owner."""

from collections import Counter
from collections.abc import Mapping
from dataclasses import replace

from irjudge.errors import ProjectError
from irjudge.message import Message
from irjudge.model.labels import Labels
from irjudge.store.project import Project


def shown_names(project: Project) -> dict[str, str]:
    """Return the name of each opaque id that has one; where two people have one name, it stands with the id."""
    named = {person.id: person.name for person in project.sessions.people() if person.name}
    others = (name for name in project.events.assessors() if name not in named)
    times = Counter(name.casefold() for name in (*named.values(), *others))
    return {id: f"{name} ({id})" if times[name.casefold()] > 1 else name for id, name in named.items()}


def with_names(labels: Labels, names: Mapping[str, str]) -> Labels:
    """Return labels whose workers are called by their names."""
    return replace(labels, workers=tuple(names.get(worker, worker) for worker in labels.workers))


NO_REASON = Message("set aside by the organiser")


def assessors(project: Project, *, aside: bool = False) -> tuple[str, ...]:
    """Return whose judgments count, in alphabetical order; without assignments that may be the owner."""
    out = without_vote(project, aside=aside)
    return tuple(name for name in project.events.assessors() if name not in out)


def without_vote(project: Project, *, aside: bool = False) -> set[str]:
    """Return whose judgments do not count, whether they judged or not; with `aside`, those of who is set aside do."""
    out = set() if aside else {person.name for person in project.assignments.people() if person.set_aside is not None}
    if any(each.assessor != project.owner for each in project.assignments.all()):
        out.add(project.owner)
    return out


def set_aside(project: Project, name: str, reason: str = NO_REASON) -> None:
    """Let an assessor's judgments not count any more; all of them stay.

    Raises
    ------
    ProjectError
        When nobody of that name has an assignment or judged anything.
    """
    _check_known(project, name)
    project.assignments.set_aside(name, reason)


def bring_back(project: Project, name: str) -> None:
    """Let the judgments of an assessor who was set aside count again.

    Raises
    ------
    ProjectError
        As `set_aside`.
    """
    _check_known(project, name)
    project.assignments.set_aside(name, None)


def _check_known(project: Project, name: str) -> None:
    known = {*project.events.assessors(), *(each.assessor for each in project.assignments.all())}
    if name not in known:
        raise ProjectError(
            "{file} knows no assessor called {name}; it knows {value}.",
            file=project.path.name,
            name=name,
            value=", ".join(sorted(known)) or "none",
        )
