"""Status of the judging in a project: progress, speed and forecast."""

import math
from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from datetime import date, datetime, timedelta
from itertools import pairwise
from statistics import fmean, median, pvariance, variance
from typing import Literal

from irjudge.errors import IrjudgeError
from irjudge.judging import (
    JUDGMENTS,
    MIN_PACE_JUDGMENTS,
    TEST_ROLES,
    JudgedCount,
    Queue,
    QueueItem,
    count_outstanding_in_sessions,
    get_ledger,
    list_comparison_items,
    list_session_participants,
    make_learning_queue,
    make_queue,
)
from irjudge.message import Message
from irjudge.model import Assignment, Event, ItemKey, Pair, Topic, active_ms
from irjudge.store import Project

# Progress, speed and forecast, computed from a `WorkStatus`

# name under which pairs of sessions without an assessor are counted; no assessor can have it
UNASSIGNED_NAME = "\0unassigned"
NORMAL_QUANTILE = 1.959963984540054  # quantile of a 95 % interval
LENGTH_GROUPS = 4  # number of groups of documents with similar length
ROUNDING_MARGIN = 1e-9  # tolerance for rounding errors, in days


@dataclass(frozen=True, slots=True)
class TimedJudgment:
    """Current judgment of a document by an assessor, with day, active time and document length.

    `active_ms` is 0 if the time is unknown. `day` is a local date, and empty if it is unknown.
    `length` is the number of bytes of the document.
    """

    assessor: str
    topic: str
    document: str
    active_ms: int = 0
    day: str = ""
    length: int = 0


@dataclass(frozen=True, slots=True)
class WorkStatus:
    """Work of all assessors in a project: current judgments, and outstanding judgments.

    Tables of progress and forecasts are computed from this object. Judgments of pairs that were not
    assigned are not included; without any assignment of documents, the pairs of the newest pool
    count as assigned. Outstanding judgments are those of assigned pairs and those that open
    sessions still need. Comparisons are not included.
    """

    judgments: tuple[TimedJudgment, ...]  # current judgments of assigned pairs
    # assigned pairs that each assessor still has to judge; a document that active learning has not
    # selected yet has an empty id
    unjudged_pairs: Mapping[str, Sequence[tuple[str, str]]]
    ranks: Mapping[tuple[str, str], int]  # best rank of each pooled pair in any run
    topics: tuple[str, ...] = ()  # order of topics in tables; other topics come last
    overlap: int | None = None  # maximum number of assessors per pair; None if unknown
    depth: int | None = None  # pool depth; None if unknown
    # unassigned pairs of open sessions; a pair is repeated for each judgment that it needs
    unassigned: tuple[tuple[str, str], ...] = ()
    # participants of open sessions, who share the unassigned pairs
    session_participants: tuple[str, ...] = ()
    # assessors and their test items, such as gold items, which do not depend on the overlap
    test_pairs: frozenset[tuple[str, tuple[str, str]]] = frozenset()


@dataclass(frozen=True, slots=True)
class ProgressRow:
    """Table row about the progress of one assessor in one topic, or in all topics.

    `judged` and `assigned` are numbers of items; `active_ms` is the total active time of the
    judgments. The table is that of `irjudge status` and of the Assessors page.
    """

    assessor: str
    topic: str | None  # topic id; None for all topics
    judged: int
    assigned: int
    active_ms: int
    median_seconds: float | None  # median time per judgment; None if no judgment has a time

    @property
    def left(self) -> int:
        """Number of unjudged items."""
        return self.assigned - self.judged


@dataclass(frozen=True, slots=True)
class Speed:
    """Row of `irjudge status --show speed`: speed of judging documents of similar length.

    The judgments of all assessors with a measured time are divided into quarters by document
    length.
    """

    documents: int  # number of judgments in the group; a document counts once per judgment
    length: float  # median length of the documents, in bytes
    median_seconds: float  # median active time of the judgments


@dataclass(frozen=True, slots=True)
class Forecast:
    """Forecast of the outstanding work: number of judgments, hours, and day of completion.

    Hours and days have 95 % intervals. They are None if no judgment has a measured time, unless all
    judgments are done; days can also be None if the pace is unknown.
    """

    left: int  # number of outstanding judgments
    hours: float | None  # active hours of all assessors; None if unknown
    low: float | None  # lower end of the 95 % interval of the hours
    high: float | None  # upper end of the 95 % interval of the hours
    # day on which the last assessor finishes, with its 95 % interval; None if unknown
    finish: date | None
    earliest: date | None
    latest: date | None


@dataclass(frozen=True, slots=True)
class ProgressChange:
    """Hypothetical change of the work: additional assessors, lower overlap, or lower depth.

    `assessors` is the number of additional assessors; `overlap` and `depth` are the new values, or
    None for no change. It is used for forecasts only; nothing is changed. The user enters a change
    on the Assessors page, or as an option of `irjudge status`.
    """

    assessors: int = 0
    overlap: int | None = None
    depth: int | None = None


def parse_progress_change(settings: Iterable[str]) -> ProgressChange:
    """Parse changes such as `assessors=+1`, `overlap=2` and `depth=10`.

    >>> parse_progress_change(["assessors=+2", "depth=10"])
    ProgressChange(assessors=2, overlap=None, depth=10)
    """
    change = ProgressChange()
    for options in settings:
        name, _, value = options.partition("=")
        item_count = (
            int(value)
            if value.removeprefix("+").isascii()
            and value.removeprefix("+").isdigit()
            and len(value) < 8
            else 0
        )
        if name not in ("assessors", "overlap", "depth") or item_count < 1:
            raise IrjudgeError(
                "Unknown change {change!r}; expected a change such as assessors=+1, overlap=2 "
                "or depth=10, with a number of at least 1.",
                change=options,
            )
        change = replace(change, **{name: item_count})
    return change


def parse_plans(settings: Sequence[str]) -> dict[str, ProgressChange]:
    """Parse changes, and return them by name; add the combined change if it is possible.

    Changes can be combined if no option occurs twice.

    >>> list(parse_plans(["assessors=+2", "depth=10"]))
    ['assessors=+2', 'depth=10', 'assessors=+2, depth=10']
    >>> list(parse_plans(["depth=5", "depth=10"]))
    ['depth=5', 'depth=10']
    """
    changes = {options: parse_progress_change([options]) for options in settings}
    option_names = {options.partition("=")[0] for options in changes}
    return (
        changes | {", ".join(changes): parse_progress_change(changes)}
        if len(option_names) == len(changes) and changes
        else changes
    )


def check_progress_change(status: WorkStatus, change: ProgressChange) -> None:
    """Raise IrjudgeError if a change would need more judgments than are assigned."""
    for name, requested_value, current_value, label in (
        (
            "depth",
            change.depth,
            status.depth,
            Message("A deeper pool"),
        ),
        (
            "overlap",
            change.overlap,
            status.overlap,
            Message("A larger number of judgments per document"),
        ),
    ):
        if (
            requested_value is not None
            and current_value is not None
            and requested_value > current_value
        ):
            raise IrjudgeError(
                "{part} requires a new assignment, which cannot be forecast: {name}={value}, "
                "currently {current}.",
                part=label,
                name=name,
                value=requested_value,
                current=current_value,
            )


def list_progress_rows(status: WorkStatus) -> list[ProgressRow]:
    """Return rows with the progress of each assessor, by topic and in total.

    Topics and assessors have the same order as in `status`.
    """
    milliseconds: dict[tuple[str, str], list[int]] = defaultdict(list)
    unjudged_counts = Counter(
        (assessor, topic) for assessor, pairs in status.unjudged_pairs.items() for topic, _ in pairs
    )
    for judgment in status.judgments:
        milliseconds[judgment.assessor, judgment.topic].append(judgment.active_ms)
    topics: dict[str, dict[str, None]] = {
        assessor: {}
        for assessor in [
            *status.unjudged_pairs,
            *(judgment.assessor for judgment in status.judgments),
        ]
    }
    for assessor, topic in [*milliseconds, *unjudged_counts]:
        topics[assessor][topic] = None
    topic_index = {topic: index for index, topic in enumerate(status.topics)}
    rows = []
    for assessor, assessor_topics in topics.items():
        assigned_topics = sorted(
            assessor_topics, key=lambda topic: topic_index.get(topic, len(topic_index))
        )
        rows += [
            _make_progress_row(
                assessor, topic, milliseconds[assessor, topic], unjudged_counts[assessor, topic]
            )
            for topic in assigned_topics
        ]
        all_times = [
            pair_milliseconds
            for topic in assigned_topics
            for pair_milliseconds in milliseconds[assessor, topic]
        ]
        rows.append(
            _make_progress_row(
                assessor,
                None,
                all_times,
                sum(unjudged_counts[assessor, topic] for topic in assigned_topics),
            )
        )
    return rows


def _make_progress_row(
    assessor: str, topic: str | None, times: Sequence[int], left_count: int
) -> ProgressRow:
    positive_times = [time for time in times if time > 0]
    return ProgressRow(
        assessor,
        topic,
        len(times),
        len(times) + left_count,
        sum(positive_times),
        median(positive_times) / 1000 if positive_times else None,
    )


def measure_speed_by_length(judgments: Iterable[TimedJudgment]) -> list[Speed]:
    """Return the speed for each quartile of document length, without empty quartiles.

    The shortest documents come first.
    """
    timed_judgments = sorted(
        (judgment for judgment in judgments if judgment.active_ms > 0 and judgment.length),
        key=lambda judgment: judgment.length,
    )
    cut_points = [
        len(timed_judgments) * judgments_of_group // LENGTH_GROUPS
        for judgments_of_group in range(LENGTH_GROUPS + 1)
    ]
    length_groups = [
        timed_judgments[start:end] for start, end in pairwise(cut_points) if end > start
    ]
    return [
        Speed(
            len(judgments_of_group),
            median(judgment.length for judgment in judgments_of_group),
            median(judgment.active_ms for judgment in judgments_of_group) / 1000,
        )
        for judgments_of_group in length_groups
    ]


def forecast_work(
    status: WorkStatus, today: date, what_if: ProgressChange | None = None
) -> Forecast:
    """Return a forecast of the outstanding work, with a hypothetical change if `what_if` is given.

    Each assessor is assumed to continue with the same mean time per judgment, and the same mean
    number of hours a day (over all days from the first to the last day of judging). If fewer than
    five judgments of an assessor have times, the mean time of all assessors is used. The interval
    accounts for the spread of single times and for means estimated from few times, but not for
    holidays.
    """
    change = what_if or ProgressChange()
    check_progress_change(status, change)
    outstanding_counts = _count_outstanding(status, change)
    if change.assessors and outstanding_counts:
        active_names = [name for name in outstanding_counts if outstanding_counts[name]] or list(
            outstanding_counts
        )
        factor = len(active_names) / (len(active_names) + change.assessors)
        items_per_assessor = sum(outstanding_counts.values()) / (
            len(active_names) + change.assessors
        )
        outstanding_counts = {
            name: item_count * factor for name, item_count in outstanding_counts.items()
        }
        # no real assessor can have such a name, which contains a NUL character
        outstanding_counts.update(
            {f"{index}\0": items_per_assessor for index in range(change.assessors)}
        )
    count, seconds_by_assessor = (
        round(sum(outstanding_counts.values())),
        _collect_seconds(status.judgments),
    )
    all_seconds = [time for times in seconds_by_assessor.values() for time in times]
    if not count or not all_seconds:
        finished_hours = None if count else 0.0
        day = None if count else today
        return Forecast(count, finished_hours, finished_hours, finished_hours, day, day, day)
    return _make_forecast(
        outstanding_counts,
        count,
        seconds_by_assessor,
        all_seconds,
        _measure_hours_a_day(status.judgments),
        today,
    )


def _count_outstanding(status: WorkStatus, change: ProgressChange) -> dict[str, float]:
    """Return the number of outstanding judgments of each assessor.

    Judgments that open sessions have not assigned are divided equally among their participants.
    """
    needed_pairs = _list_needed_pairs(status, change)
    unassigned_count = len(needed_pairs.pop(UNASSIGNED_NAME))
    sharing_assessors = status.session_participants or (
        (UNASSIGNED_NAME,) if unassigned_count else ()
    )
    names = dict.fromkeys([*needed_pairs, *sharing_assessors])
    return {
        name: len(needed_pairs.get(name, ()))
        + (unassigned_count / len(sharing_assessors) if name in sharing_assessors else 0)
        for name in names
    }


def _list_needed_pairs(
    status: WorkStatus, change: ProgressChange
) -> dict[str, list[tuple[str, str]]]:
    """Return the pairs that each assessor must still judge after a hypothetical change.

    A smaller overlap does not change the numbers of repeats and of test items.
    """
    judged_pairs = {
        (judgment.assessor, (judgment.topic, judgment.document)) for judgment in status.judgments
    }
    assessor_counts = Counter(pair for _, pair in judged_pairs - status.test_pairs)
    presented_pairs = set(judged_pairs)
    needed_pairs: dict[str, list[tuple[str, str]]] = {
        name: [] for name in (*status.unjudged_pairs, UNASSIGNED_NAME)
    }
    for name, pairs in status.unjudged_pairs.items():
        for pair in pairs:
            is_repeat = (name, pair) in presented_pairs
            presented_pairs.add((name, pair))
            if (name, pair) in status.test_pairs or (
                _is_in_depth(status, change, pair)
                and (is_repeat or _count_assessor(assessor_counts, pair, change.overlap))
            ):
                needed_pairs[name].append(pair)
    needed_pairs[UNASSIGNED_NAME] = [
        pair
        for pair in status.unassigned
        if _is_in_depth(status, change, pair)
        and _count_assessor(assessor_counts, pair, change.overlap)
    ]
    return needed_pairs


def _is_in_depth(status: WorkStatus, change: ProgressChange, pair: tuple[str, str]) -> bool:
    return change.depth is None or status.ranks.get(pair, 1) <= change.depth


def _count_assessor(
    assessor_counts: Counter[tuple[str, str]], pair: tuple[str, str], overlap: int | None
) -> bool:
    """Count one more assessor for a pair; return False if the pair already has enough."""
    if overlap is not None and assessor_counts[pair] >= overlap:
        return False
    assessor_counts[pair] += 1
    return True


def _collect_seconds(judgments: Iterable[TimedJudgment]) -> dict[str, list[float]]:
    times: dict[str, list[float]] = defaultdict(list)
    for judgment in judgments:
        if judgment.active_ms > 0:
            times[judgment.assessor].append(judgment.active_ms / 1000)
    return times


def _measure_hours_a_day(judgments: Iterable[TimedJudgment]) -> dict[str, float]:
    """Return the mean active hours per day of each assessor.

    All days from the first to the last day of judging are counted.
    """
    hours: dict[str, float] = defaultdict(float)
    days: dict[str, set[date]] = defaultdict(set)
    for judgment in judgments:
        if judgment.active_ms > 0 and judgment.day:
            with suppress(ValueError):  # earlier versions stored days that do not exist
                day = date.fromisoformat(judgment.day)
                days[judgment.assessor].add(day)
                hours[judgment.assessor] += judgment.active_ms / 3_600_000
    return {name: hours[name] / ((max(days[name]) - min(days[name])).days + 1) for name in days}


def _make_forecast(
    outstanding_counts: Mapping[str, float],
    count: int,
    seconds_by_assessor: Mapping[str, Sequence[float]],
    all_seconds: Sequence[float],
    paces: Mapping[str, float],
    today: date,
) -> Forecast:
    default_pace = fmean(paces.values()) if paces else 0.0
    total_seconds = variance_sum = pooled_item_count = 0.0
    days: list[list[float]] = []
    for name, item_count in outstanding_counts.items():
        own_times = seconds_by_assessor.get(name, ())
        times = own_times if len(own_times) >= MIN_PACE_JUDGMENTS else all_seconds
        mean = fmean(times)
        single_variance = variance(times) if len(times) > 1 else pvariance(times)
        total_seconds += item_count * mean
        variance_sum += item_count * single_variance + (
            item_count**2 * single_variance / len(times) if times is own_times else 0.0
        )
        pooled_item_count += item_count if times is all_seconds else 0.0
        margin = NORMAL_QUANTILE * math.sqrt(
            item_count * single_variance + item_count**2 * single_variance / len(times)
        )
        pace = paces.get(name) or default_pace
        if pace and item_count:
            seconds = item_count * mean
            days.append(
                [
                    max(0.0, duration) / 3600 / pace
                    for duration in (seconds, seconds - margin, seconds + margin)
                ]
            )
    variance_sum += (
        pooled_item_count**2
        * (variance(all_seconds) if len(all_seconds) > 1 else 0.0)
        / len(all_seconds)
    )
    margin = NORMAL_QUANTILE * math.sqrt(variance_sum)
    min_hours, max_hours = max(0.0, total_seconds - margin) / 3600, (total_seconds + margin) / 3600
    finish_day, earliest_day, latest_day = (
        (_find_completion_day(today, days_left) for days_left in zip(*days, strict=True))
        if days
        else (None,) * 3
    )
    return Forecast(
        count, total_seconds / 3600, min_hours, max_hours, finish_day, earliest_day, latest_day
    )


def _find_completion_day(today: date, days: Iterable[float]) -> date:
    """Return the day on which the last assessor finishes, at most a century after `today`."""
    return today + timedelta(days=min(36_500, math.ceil(max(days) - ROUNDING_MARGIN)))


# Status of assignment files, and the work of all assessors in a project

FileState = Literal["out", "begun", "returned", "withdrawn"]


@dataclass(frozen=True, slots=True)
class AssignmentFile:
    """Table row about one assignment file: whether it was returned, and how much is judged.

    `judged` and `assigned` are numbers of items. `state` is `out`, `begun`, `returned` or
    `withdrawn`. The table is that of the Assessors page and of `irjudge status --show files`.
    """

    assessor: str
    file: str
    email: str
    deadline: str
    judged: int
    assigned: int
    # `out`: no judgment was returned; `begun`: some judgments were returned; `returned`: all items
    # are judged, or the file was submitted; `withdrawn`: the file was withdrawn, or its unjudged
    # items were reassigned
    state: FileState
    returned: str  # time of the last return (UTC); empty if there is none
    handed_in: str  # time of submission (UTC); empty if there is none
    late: bool  # whether the deadline has passed and the state is `out` or `begun`
    waiting: int = 0  # number of returned judgments that wait for a missing event


def list_assignment_files(project: Project, today: date) -> list[AssignmentFile]:
    """Return a row about each assignment file, oldest first; `today` determines which are late."""
    emails = {
        assessor.name: assessor.email for assessor in project.assignments.registered_assessors()
    }
    last_return = {file.assignment: file for file in project.assignments.merged_files()}
    submission_times: dict[str, str] = {}
    for file in project.assignments.merged_files():
        submission_times[file.assignment] = str(
            file.balance.get("handed_in") or submission_times.get(file.assignment, "")
        )
    waiting_counts = [
        (event.assessor, event.item.key)
        for event in project.events.waiting()
        if event.kind in JUDGMENTS
    ]
    rows = []
    for assignment in project.assignments.all():
        if assignment.assessor == project.owner or not assignment.file:
            continue  # assignments to the owner and in sessions have no file
        keys = _list_item_keys(project, assignment)
        ledger = get_ledger(project, assignment.assessor)
        judged_count = sum(ledger.judgment(key) is not None for key in keys)
        returned_file = last_return.get(assignment.id)
        submission_time = submission_times.get(assignment.id, "")
        if returned_file and (submission_time or judged_count == len(keys)):
            state: FileState = "returned"
        elif returned_file and judged_count:
            state = "begun"
        else:
            state = "out"
        state = "withdrawn" if assignment.withdrawn else state
        is_late = (
            bool(assignment.deadline)
            and assignment.deadline < today.isoformat()
            and state in ("out", "begun")
        )
        rows.append(
            AssignmentFile(
                assignment.assessor,
                assignment.file,
                emails.get(assignment.assessor, ""),
                assignment.deadline,
                judged_count,
                len(keys),
                state,
                returned_file.time if returned_file else "",
                submission_time,
                is_late,
                len(
                    {key for assessor, key in waiting_counts if assessor == assignment.assessor}
                    & set(keys)
                ),
            )
        )
    return rows


def _list_item_keys(project: Project, assignment: Assignment) -> list[ItemKey]:
    presentations = list_comparison_items(project.assignments.items(assignment.code))
    return [item.key for item in list_assigned_items(project, assignment)] + [
        presentation.key for presentation in presentations
    ]


def list_assigned_items(project: Project, assignment: Assignment) -> list[QueueItem]:
    """Return the documents of an assignment, in the order of presentation.

    If a document is repeated, its items have the values 1, 2 and so on for `occurrence`; unjudged
    items that were reassigned are counted, but omitted.
    """
    lost_positions = project.assignments.read_lost_positions(assignment.code)
    occurrences: dict[tuple[str, str], int] = {}
    items = []
    for position, item, _note in project.assignments.all_assigned_items(assignment.code):
        if item.type == "document":
            key = (item.topic, item.documents[0])
            occurrences[key] = occurrences.get(key, 0) + 1
            if position not in lost_positions:
                items.append(QueueItem(*key, occurrences[key]))
    return items


@dataclass(frozen=True, slots=True)
class AssignedWork:
    """Items assigned to one assessor, and their judgments returned to the organiser's project.

    A receipt is made from this work. The organiser compares it with the assessor's receipt.
    """

    project: Project
    assessor: str
    by_topic: Mapping[str, tuple[ItemKey, ...]]  # keys of the items of each topic

    @property
    def topics(self) -> tuple[str, ...]:
        """Assigned topics, in the order of the files."""
        return tuple(self.by_topic)

    def topic(self, topic: str) -> Topic:
        """Return a topic; if the project does not have it, return a topic without texts."""
        return next(
            (
                stored_topic
                for stored_topic in self.project.collection.topics()
                if stored_topic.id == topic
            ),
            Topic(topic, ""),
        )

    def keys(self, topic: str) -> tuple[ItemKey, ...]:
        """Return the key of each item of a topic."""
        return self.by_topic[topic]

    def count(self, topic: str | None = None) -> JudgedCount:
        """Return the numbers of items and of judged items, in one topic or in all."""
        keys = [
            key
            for item_topic in self.by_topic
            if topic in (None, item_topic)
            for key in self.by_topic[item_topic]
        ]
        ledger = get_ledger(self.project, self.assessor)
        return JudgedCount(sum(ledger.judgment(key) is not None for key in keys), len(keys))


def read_assigned_work(project: Project, assessor: str | None) -> AssignedWork | None:
    """Return the assigned work of an assessor.

    Return None if nothing is assigned to the assessor, or if this is an assessor's file.
    """
    assignments = [
        assignment for assignment in project.assignments.all() if assignment.assessor == assessor
    ]
    if assessor is None or not assignments or project.assignments.assessor_assignment() is not None:
        return None
    by_topic: dict[str, dict[ItemKey, None]] = {}
    for assignment in assignments:
        for key in _list_item_keys(project, assignment):
            by_topic.setdefault(key[0], {})[key] = None
    return AssignedWork(project, assessor, {topic: tuple(keys) for topic, keys in by_topic.items()})


def read_work_status(project: Project) -> WorkStatus:
    """Return the work of all assessors in a project.

    If there are no assignments, the newest pool is the work of the owner and of each assessor with
    judgments. Without a pool, it is the documents that active learning shows to the owner.
    """
    items_by_assessor = _list_items_by_assessor(project)
    judgments, unjudged_pairs = _split_items(project, items_by_assessor)
    if learning_queue := make_learning_queue(project):
        unjudged_pairs[project.owner] += [
            (topic, "")
            for topic in learning_queue.topics
            for _ in range(learning_queue.size(topic) - learning_queue.count_shown(topic))
        ]
    lengths = project.collection.lengths(
        list(dict.fromkeys(item.document for _, item, _ in judgments))
    )
    timed_judgments = tuple(
        TimedJudgment(
            assessor,
            item.topic,
            item.document,
            active_ms(event),
            _find_local_day(event.time),
            lengths.get(item.document, 0),
        )
        for assessor, item, event in judgments
    )
    topics = dict.fromkeys(project.collection.topic_titles()) | dict.fromkeys(
        item.topic for assessor_items in items_by_assessor.values() for item, _ in assessor_items
    )
    ranks = _read_best_ranks(project)
    names = list_session_participants(project)
    session_participants = tuple(name for name in names if name in unjudged_pairs)
    assigned_counts = Counter(
        pair for name in session_participants for pair in unjudged_pairs[name]
    )
    unassigned_pairs = tuple((count_outstanding_in_sessions(project) - assigned_counts).elements())
    return WorkStatus(
        timed_judgments,
        unjudged_pairs,
        ranks,
        tuple(topics),
        _read_overlap(project, len(unjudged_pairs)),
        _read_depth(project, ranks),
        unassigned_pairs,
        session_participants,
        _list_test_pairs(project),
    )


def _list_test_pairs(project: Project) -> frozenset[tuple[str, Pair]]:
    """Return each assessor with the pairs that are gold, qualification or calibration items."""
    main_ids = project.sessions.first_ids()
    return frozenset(
        (main_ids.get(assignment.assessor, assignment.assessor), (item.topic, item.documents[0]))
        for assignment in project.assignments.all()
        if assignment.mode == "grade"
        for item, note in project.assignments.items_with_notes(assignment.code)
        if note.role in TEST_ROLES
    )


def _find_local_day(time: str) -> str:
    """Return the local date of an event's time; empty if the time does not exist."""
    try:
        return datetime.fromisoformat(time).astimezone().date().isoformat()
    except (ValueError, OverflowError):  # from an earlier version
        return ""


def _split_items(
    project: Project, items_by_assessor: Mapping[str, Sequence[tuple[QueueItem, bool]]]
) -> tuple[list[tuple[str, QueueItem, Event]], dict[str, list[Pair]]]:
    """Return the judgments of items, and the unjudged pairs of each assessor.

    A participant with several ids is one assessor, named by the main id: an item that is assigned
    under several ids is counted once, and is judged if it was judged under one of them.
    """
    main_ids = project.sessions.first_ids()
    judged_items: dict[tuple[str, QueueItem], Event] = {}
    open_items: dict[str, dict[QueueItem, None]] = {}
    for id, assessor_items in items_by_assessor.items():
        ledger, assessor = get_ledger(project, id), main_ids.get(id, id)
        assessor_open_items = open_items.setdefault(assessor, {})
        for item, is_open in assessor_items:
            event = ledger.judgment(item.key)
            if event is not None and event.kind in JUDGMENTS:
                judged_items.setdefault((assessor, item), event)
            elif is_open:
                assessor_open_items[item] = None
    unjudged_pairs = {
        assessor: [
            (item.topic, item.document) for item in items if (assessor, item) not in judged_items
        ]
        for assessor, items in open_items.items()
    }
    return [(*key, event) for key, event in judged_items.items()], unjudged_pairs


def _read_overlap(project: Project, assessor_count: int) -> int | None:
    """Return the maximum number of assessors per document; None if unknown.

    Without assignments for grading, `assessor_count` is the maximum.
    """
    if project.get_setting("role") is not None or not any(
        assignment.mode == "grade" for assignment in project.assignments.all()
    ):
        return assessor_count or None
    round_options = [
        assignment_round.options
        for assignment_round in project.assignments.rounds()
        if assignment_round.options.get("mode") == "grade"
    ]
    return max(
        (int(options["overlap"]) for options in round_options if "overlap" in options), default=None
    )


def _read_depth(project: Project, ranks: Mapping[Pair, int]) -> int | None:
    """Return the pool depth or, if larger, the largest of `ranks`; None if both are unknown."""
    pool = project.rankings.pool()
    depth = pool.parameters.get("depth") if pool is not None else None
    return max([*ranks.values(), *([depth] if isinstance(depth, int) else [])], default=None)


def _list_items_by_assessor(project: Project) -> dict[str, list[tuple[QueueItem, bool]]]:
    """Return the items of each assessor, each with a flag: whether its assignment is open.

    An assignment is open unless it was withdrawn or its session has ended. Only unjudged items of
    open assignments still have to be judged. If an item of a withdrawn assignment was assigned
    again, it is included once.
    """
    assignments = [
        assignment for assignment in project.assignments.all() if assignment.mode == "grade"
    ]
    items_by_assessor: dict[str, list[tuple[QueueItem, bool]]] = {}
    # unjudged items of ended sessions no longer count as assigned
    ended_sessions = project.sessions.ended_assignments()
    if project.get_setting("role") is None and assignments:
        # withdrawn assignments come last, so that their items are skipped if assigned again
        for assignment in sorted(assignments, key=lambda assignment: assignment.withdrawn):
            assessor_items = items_by_assessor.setdefault(assignment.assessor, [])
            is_open = not (assignment.withdrawn or assignment.code in ended_sessions)
            known_items = {item for item, _ in assessor_items} if assignment.withdrawn else set()
            assessor_items += [
                (item, is_open)
                for item in list_assigned_items(project, assignment)
                if item not in known_items
            ]
        return {
            assignment.assessor: items_by_assessor[assignment.assessor]
            for assignment in assignments
        }
    pool = project.rankings.pool()
    if pool is None:
        learning_queue = make_learning_queue(project)
        return {project.owner: _list_open_items(learning_queue)} if learning_queue else {}
    for assessor in dict.fromkeys([project.owner, *project.events.assessors()]):
        items_by_assessor[assessor] = _list_open_items(make_queue(project, pool, assessor))
    return items_by_assessor


def _list_open_items(queue: Queue) -> list[tuple[QueueItem, bool]]:
    return [(item, True) for topic in queue.topics for item in queue.topic_items(topic)]


def _read_best_ranks(project: Project) -> dict[Pair, int]:
    pool = project.rankings.pool()
    if pool is None or not len(pool.contribution_rank):
        return {}
    topics = (pool.topics[code] for code in pool.topic.tolist())
    starts, ranks = pool.contribution_starts.tolist(), pool.contribution_rank.tolist()
    pairs: Iterable[tuple[str, str]] = zip(topics, pool.document.to_pylist(), strict=True)
    return {
        pair: min(ranks[start:end])
        for pair, start, end in zip(pairs, starts, starts[1:], strict=False)
        if end > start
    }
