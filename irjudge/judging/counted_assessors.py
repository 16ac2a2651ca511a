"""Assessors whose judgments count: groups, excluded assessors, and gaps in logs."""

from collections import Counter
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Literal, TypeAlias, get_args

from irjudge.errors import ProjectError
from irjudge.judging.ledger import JUDGMENTS, get_ledger, list_waiting_events
from irjudge.message import Message, format_count
from irjudge.model import Labels
from irjudge.store import Project, RegisteredAssessor, open_project

Group: TypeAlias = Literal["everybody", "sessions", "others"]
ASSESSOR_GROUPS: tuple[Group, ...] = get_args(Group)
COUNTED_GROUP_SETTING = "counted_group"  # key of the setting for the group whose judgments count
CHOSEN_SETTING = "qrels"  # key of the setting for the name of the chosen qrels
DEFAULT_EXCLUSION_REASON = Message("excluded by the organiser")


def make_display_names(project: Project) -> dict[str, str]:
    """Return the display names of session participants who have a name; the keys are their ids.

    The id is appended if several assessors have the same name, or if the id was merged into the
    participant's main id.
    """
    names_by_id = {
        participant.id: participant.name
        for participant in project.sessions.participants()
        if participant.name
    }
    first_ids = project.sessions.first_ids()
    plain_names = (name for name in _list_assessors_and_models(project) if name not in names_by_id)
    name_counts = Counter(
        name.casefold()
        for name in (
            *(name for id, name in names_by_id.items() if id not in first_ids),
            *plain_names,
        )
    )
    return {
        id: f"{name} ({id})" if name_counts[name.casefold()] + (id in first_ids) > 1 else name
        for id, name in names_by_id.items()
    }


def rename_workers(labels: Labels, names: Mapping[str, str]) -> Labels:
    """Return labels with the ids of workers replaced by names."""
    return replace(
        labels, workers=tuple(names.get(assessor, assessor) for assessor in labels.workers)
    )


# Assessors whose judgments count


def read_counted_group(project: Project) -> Group:
    """Return the group whose judgments count: `everybody`, `sessions` or `others`."""
    stored_group = project.get_setting(COUNTED_GROUP_SETTING)
    return next((group for group in ASSESSOR_GROUPS if group == stored_group), "everybody")


def set_counted_group(project: Project, group: Group) -> None:
    """Set the group whose judgments count in agreement, consensus, qrels and evaluation.

    All judgments stay in the project.
    """
    project.set_setting(COUNTED_GROUP_SETTING, group)


def group_assessors(project: Project) -> dict[Group, tuple[str, ...]]:
    """Return the assessors who have events in each group, sorted by name, without the owner.

    The groups are session participants (`sessions`) and other assessors (`others`).
    """
    participant_ids = {participant.id for participant in project.sessions.participants()}
    names = [name for name in project.events.assessors() if name != project.owner]
    return {
        "sessions": tuple(name for name in names if name in participant_ids),
        "others": tuple(name for name in names if name not in participant_ids),
    }


def _find_assessors_outside_group(project: Project) -> set[str]:
    """Return the assessors outside the counted group.

    The owner does not belong to the group of session participants.
    """
    group = read_counted_group(project)
    if group == "everybody":
        return set()
    participant_ids = {participant.id for participant in project.sessions.participants()}
    if group == "others":
        return participant_ids
    all_assessors = {
        *project.events.assessors(),
        *(assignment.assessor for assignment in project.assignments.all()),
        project.owner,
    }
    return all_assessors - participant_ids


def list_counted_assessors(project: Project, *, include_excluded: bool = False) -> tuple[str, ...]:
    """Return the assessors who have events and whose judgments are votes, sorted.

    The owner is not included if documents are assigned to other assessors. Excluded assessors are
    included only with `include_excluded`.
    """
    nonvoting_assessors = find_nonvoting_assessors(project, include_excluded=include_excluded)
    return tuple(name for name in project.events.assessors() if name not in nonvoting_assessors)


def find_nonvoting_assessors(project: Project, *, include_excluded: bool = False) -> set[str]:
    """Return the assessors without a vote.

    These are the assessors whose judgments do not count and, if documents are assigned to other
    assessors, the owner. With `include_excluded`, excluded assessors have a vote.
    """
    uncounted_assessors = find_uncounted_assessors(project, include_excluded=include_excluded)
    if any(assignment.assessor != project.owner for assignment in project.assignments.all()):
        uncounted_assessors.add(project.owner)
    return uncounted_assessors


def find_uncounted_assessors(project: Project, *, include_excluded: bool = False) -> set[str]:
    """Return the assessors whose judgments do not count.

    These are the assessors outside the counted group and, without `include_excluded`, the excluded
    assessors.
    """
    uncounted_assessors = (
        set()
        if include_excluded
        else {assessor.name for assessor in list_excluded_assessors(project)}
    )
    return uncounted_assessors | _find_assessors_outside_group(project)


def list_excluded_assessors(project: Project) -> tuple[RegisteredAssessor, ...]:
    """Return the excluded assessors, with the reason for each exclusion."""
    return tuple(
        assessor
        for assessor in project.assignments.registered_assessors()
        if assessor.exclusion_reason is not None
    )


def exclude_assessor(project: Project, name: str, reason: str = DEFAULT_EXCLUSION_REASON) -> None:
    """Exclude the judgments of an assessor; they remain stored in the project."""
    _check_assessor_exists(project, name)
    project.assignments.set_exclusion(name, reason)


def readmit_assessor(project: Project, name: str) -> None:
    """Include the judgments of an excluded assessor again."""
    _check_assessor_exists(project, name)
    project.assignments.set_exclusion(name, None)


def _check_assessor_exists(project: Project, name: str) -> None:
    known_assessors = {
        *project.events.assessors(),
        *(assignment.assessor for assignment in project.assignments.all()),
    }
    if name not in known_assessors:
        raise ProjectError(
            "{file} has no assessor {name}; it has {names}.",
            key="unknown-assessor",
            file=project.path.name,
            name=name,
            names=", ".join(sorted(known_assessors)) or Message("none"),
        )


# Events that are ignored because they are malformed or an earlier event is missing


@dataclass(frozen=True, slots=True)
class LogGap:
    """Gap in the log of an assessor or model: an event is missing, so later events are ignored."""

    assessor: str  # name of the assessor or model
    events: int  # number of ignored events, including judgments and events in merged files
    judgments: int  # number of ignored judgments

    @property
    def sentence(self) -> str:
        """Warning for users of the judgments."""
        subject = (
            format_count(self.judgments, "judgment")
            if self.judgments
            else format_count(self.events, "event")
        )
        return Message(
            "Ignored because an earlier event is missing: {items} of {assessor}. Merge an "
            "unmodified copy of the file, accept the gap (`irjudge merge --accept-gap`), or "
            "rescue the project (`irjudge rescue`).",
            assessor=self.assessor,
            items=subject,
        )


def _list_assessors_and_models(project: Project) -> tuple[str, ...]:
    return (*project.events.assessors(), *project.events.models())


def find_gaps(project: Project) -> tuple[LogGap, ...]:
    """Return the gap of each assessor whose log lacks an event, sorted by name.

    Ignored events in the project's log and in merged files are counted.
    """
    event_counts, judgment_counts = Counter[str](), Counter[str]()
    ignored_events = [
        event
        for name in _list_assessors_and_models(project)
        for event in list_waiting_events(project, name)
    ]
    for event in [*ignored_events, *project.events.waiting()]:
        event_counts[event.assessor] += 1
        judgment_counts[event.assessor] += event.kind in JUDGMENTS
    return tuple(
        LogGap(name, event_count, judgment_counts[name])
        for name, event_count in sorted(event_counts.items())
    )


@dataclass(frozen=True, slots=True)
class InvalidEvents:
    """Number of malformed events in the log of an assessor or model; these events are ignored."""

    assessor: str  # name of the assessor or model
    events: int

    @property
    def sentence(self) -> str:
        """Warning for users of the judgments."""
        return Message(
            "Ignored because of an unknown format: {events} of {assessor}. Run `irjudge "
            "verify` for the list.",
            assessor=self.assessor,
            events=format_count(self.events, "event"),
        )


def count_invalid_events(project: Project) -> tuple[InvalidEvents, ...]:
    """Return the number of malformed events of each assessor, sorted by name."""
    counts = (
        (name, len(get_ledger(project, name).malformed))
        for name in _list_assessors_and_models(project)
    )
    return tuple(InvalidEvents(name, event_count) for name, event_count in counts if event_count)


def describe_uncounted(project: Project) -> tuple[str, ...]:
    """Return sentences about judgments that do not count, and about ignored events."""
    event_warnings = (
        *(gap.sentence for gap in find_gaps(project)),
        *(count.sentence for count in count_invalid_events(project)),
    )
    return (*_describe_group(project), *_describe_models(project), *event_warnings)


@contextmanager
def open_for_reading(path: Path, warnings: list[str]) -> Iterator[Project]:
    """Open a project for reading, and add the sentences of `describe_source` to `warnings`."""
    with open_project(path, writing=False) as project:
        warnings += describe_source(project)
        yield project


def describe_source(project: Project) -> tuple[str, ...]:
    """Return sentences about damage to a project and about judgments that do not count."""
    if not project.damage:
        return describe_uncounted(project)
    message = Message("{file} is damaged; the readable part is used.", file=project.path.name)
    return (message, *project.damage.sentences, *describe_uncounted(project))


def model_qrels_names(model: str) -> tuple[str, str]:
    """Return the names of a model's two qrels: without and with the grades of assessors."""
    return Message("model {name}", name=model), f"mixed:{model}"


def _describe_models(project: Project) -> tuple[str, ...]:
    """Return a sentence about models whose labels are not selected as qrels, if there are any."""
    chosen_name = project.get_setting(CHOSEN_SETTING)
    names = [name for name in project.events.models() if chosen_name not in model_qrels_names(name)]
    message = Message(
        "Model labels are unused until selected as qrels: {names}.",
        key="models-not-counted",
        names=", ".join(names),
    )
    return (message,) if names else ()


def _describe_group(project: Project) -> tuple[str, ...]:
    counted_group, assessors_by_group = read_counted_group(project), group_assessors(project)
    if counted_group == "sessions" and assessors_by_group["others"]:
        message = Message(
            "Only judgments of session participants are used, as selected. Excluded assessors: "
            "{count:,}.",
            count=len(assessors_by_group["others"]),
        )
    elif counted_group == "others" and assessors_by_group["sessions"]:
        message = Message(
            "Judgments of session participants are excluded, as selected. Excluded assessors: "
            "{count:,}.",
            count=len(assessors_by_group["sessions"]),
        )
    else:
        return ()
    return (message,)
