"""Assessors whose judgments count: groups, excluded assessors, gaps in logs."""

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Literal, TypeAlias, get_args

from irjudge.errors import ProjectError
from irjudge.judging.ledger import JUDGMENTS, get_ledger, list_waiting_events
from irjudge.message import Message, format_count
from irjudge.model import Labels
from irjudge.store import Project, RegisteredAssessor

Group: TypeAlias = Literal["everybody", "sessions", "others"]
GROUPS: tuple[Group, ...] = get_args(Group)
COUNTED_GROUP_FACT = "counted_group"  # fact: whose judgments count, where not everybody's do
DEFAULT_EXCLUSION_REASON = Message("set aside by the organiser")


def make_display_names(project: Project) -> dict[str, str]:
    """Return the name of each opaque id that has one.

    A name that several assessors have comes with the id; so does that of another id of a
    participant, whose judgments count under the first one.
    """
    named = {person.id: person.name for person in project.sessions.people() if person.name}
    same = project.sessions.same()
    others = (name for name in _list_assessors_and_models(project) if name not in named)
    times = Counter(
        name.casefold()
        for name in (*(name for id, name in named.items() if id not in same), *others)
    )
    return {
        id: f"{name} ({id})" if times[name.casefold()] + (id in same) > 1 else name
        for id, name in named.items()
    }


def rename_workers(labels: Labels, names: Mapping[str, str]) -> Labels:
    """Return labels whose workers are called by their names."""
    return replace(labels, workers=tuple(names.get(worker, worker) for worker in labels.workers))


# Who counts


def read_counted_group(project: Project) -> Group:
    """Return whose judgments count: everybody's, those of people of sessions alone, or those of the others alone."""
    kept = project.fact(COUNTED_GROUP_FACT)
    return next((each for each in GROUPS if each == kept), "everybody")


def set_counted_group(project: Project, group: Group) -> None:
    """Let the judgments of one group count from now on, in agreement, consensus, qrels and evaluation; all judgments stay."""
    project.set_fact(COUNTED_GROUP_FACT, group)


def group_assessors(project: Project) -> dict[Group, tuple[str, ...]]:
    """Return who judged in sessions and who did elsewhere, in alphabetical order; the owner is in neither group."""
    here = {person.id for person in project.sessions.people()}
    names = [name for name in project.events.assessors() if name != project.owner]
    return {
        "sessions": tuple(name for name in names if name in here),
        "others": tuple(name for name in names if name not in here),
    }


def _find_assessors_of_other_group(project: Project) -> set[str]:
    """Return who does not count as another group was chosen; judgments of the owner are no group's."""
    group = read_counted_group(project)
    if group == "everybody":
        return set()
    here = {person.id for person in project.sessions.people()}
    if group == "others":
        return here
    known = {
        *project.events.assessors(),
        *(each.assessor for each in project.assignments.all()),
        project.owner,
    }
    return known - here


def list_counted_assessors(project: Project, *, aside: bool = False) -> tuple[str, ...]:
    """Return whose judgments count, in alphabetical order; without assignments that may be the owner."""
    out = find_nonvoting_assessors(project, aside=aside)
    return tuple(name for name in project.events.assessors() if name not in out)


def find_nonvoting_assessors(project: Project, *, aside: bool = False) -> set[str]:
    """Return whose judgments do not count, whether they judged or not; with `aside`, those of who is set aside do."""
    out = find_uncounted_assessors(project, aside=aside)
    if any(each.assessor != project.owner for each in project.assignments.all()):
        out.add(project.owner)
    return out


def find_uncounted_assessors(project: Project, *, aside: bool = False) -> set[str]:
    """Return whose judgments of whichever kind do not count: of who is set aside (not with `aside`), and of another group than counts."""
    out = set() if aside else {person.name for person in list_excluded_assessors(project)}
    return out | _find_assessors_of_other_group(project)


def list_excluded_assessors(project: Project) -> tuple[RegisteredAssessor, ...]:
    """Return who is set aside, each with the reason."""
    return tuple(person for person in project.assignments.people() if person.set_aside is not None)


def exclude_assessor(project: Project, name: str, reason: str = DEFAULT_EXCLUSION_REASON) -> None:
    """Let an assessor's judgments not count any more; all of them stay."""
    _check_known(project, name)
    project.assignments.set_aside(name, reason)


def readmit_assessor(project: Project, name: str) -> None:
    """Let the judgments of an assessor who was set aside count again."""
    _check_known(project, name)
    project.assignments.set_aside(name, None)


def _check_known(project: Project, name: str) -> None:
    known = {*project.events.assessors(), *(each.assessor for each in project.assignments.all())}
    if name not in known:
        raise ProjectError(
            "{file} knows no assessor called {name}; it knows {value}.",
            key="unknown-assessor",
            file=project.path.name,
            name=name,
            value=", ".join(sorted(known)) or "none",
        )


# Events that do not count, since one before them is missing or they say nothing that can be


@dataclass(frozen=True, slots=True)
class LogGap:
    """What of one assessor waits for a missing event: how many events, and how many judgments among them."""

    assessor: str
    events: int
    judgments: int

    @property
    def sentence(self) -> str:
        """What is to be said to whoever reads judgments."""
        what = (
            format_count(self.judgments, "judgment")
            if self.judgments
            else format_count(self.events, "event")
        )
        return Message(
            "Of {assessor}, {what} wait for an event that is missing and do not count. "
            "Merge an untouched copy of the file, accept the gap (`irjudge merge --accept-gap`), or rescue the project (`irjudge rescue`).",
            assessor=self.assessor,
            what=what,
        )


def _list_assessors_and_models(project: Project) -> tuple[str, ...]:
    return (*project.events.assessors(), *project.events.models())


def find_gaps(project: Project) -> tuple[LogGap, ...]:
    """Return for each assessor, in alphabetical order, what waits: in the log, or kept apart from it when a returned file was merged."""
    events, judgments = Counter[str](), Counter[str]()
    kept = [
        event
        for name in _list_assessors_and_models(project)
        for event in list_waiting_events(project, name)
    ]
    for event in [*kept, *project.events.waiting()]:
        events[event.assessor] += 1
        judgments[event.assessor] += event.kind in JUDGMENTS
    return tuple(LogGap(name, number, judgments[name]) for name, number in sorted(events.items()))


@dataclass(frozen=True, slots=True)
class InvalidEvents:
    """What of one assessor is in the log and is not as its kind asks: how many events."""

    assessor: str
    events: int

    @property
    def sentence(self) -> str:
        """What is to be said to whoever reads judgments."""
        return Message(
            "Of {assessor}, {events} of the log do not count: irjudge writes none of such a form. `irjudge verify` says which.",
            assessor=self.assessor,
            events=format_count(self.events, "event"),
        )


def count_invalid_events(project: Project) -> tuple[InvalidEvents, ...]:
    """Return for each assessor, in alphabetical order, how many events of the log are not as their kind asks."""
    found = (
        (name, len(get_ledger(project, name).strange))
        for name in _list_assessors_and_models(project)
    )
    return tuple(InvalidEvents(name, number) for name, number in found if number)


def describe_uncounted(project: Project) -> tuple[str, ...]:
    """Return a sentence for each assessor of whom something does not count, for a chosen group, and for models."""
    of_events = (
        *(gap.sentence for gap in find_gaps(project)),
        *(strange.sentence for strange in count_invalid_events(project)),
    )
    return (*_describe_group(project), *_describe_models(project), *of_events)


def _describe_models(project: Project) -> tuple[str, ...]:
    names = project.events.models()
    words = Message(
        "Labels of models count nowhere until a source names one: {names}.",
        key="models-not-counted",
        names=", ".join(names),
    )
    return (words,) if names else ()


def _describe_group(project: Project) -> tuple[str, ...]:
    chosen, known = read_counted_group(project), group_assessors(project)
    if chosen == "sessions" and known["others"]:
        words = Message(
            "Only people of sessions count, as was chosen. Left out: {count:,}.",
            count=len(known["others"]),
        )
    elif chosen == "others" and known["sessions"]:
        words = Message(
            "People of sessions do not count, as was chosen. Left out: {count:,}.",
            count=len(known["sessions"]),
        )
    else:
        return ()
    return (words,)
