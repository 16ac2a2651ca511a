"""What assessors are called where somebody reads it: people of sessions by their names, which no event holds."""

from collections import Counter
from collections.abc import Mapping
from dataclasses import replace

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
