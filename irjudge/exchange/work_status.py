"""Where the work stands in a project: what is judged and left, and which files are out, back or late."""

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import date
from typing import Literal

from irjudge.exchange.work_progress import AllWork, Done
from irjudge.judging.consensus import sharing_people, wanted_in_sessions
from irjudge.judging.ledger import JUDGMENTS, ledger_of
from irjudge.judging.preferences import showings_of
from irjudge.judging.queue import QueuePlace, active_ms, queue_of
from irjudge.judging.session import Count
from irjudge.model.assignment import Assignment
from irjudge.model.event import Event, Key
from irjudge.model.topic import Topic
from irjudge.store.project import Project

Pair = tuple[str, str]
FileState = Literal["out", "begun", "returned", "withdrawn"]


@dataclass(frozen=True, slots=True)
class AssignmentFile:
    """One assignment file: whose, its name, address and deadline, how much is judged, and how it stands."""

    assessor: str
    file: str
    email: str
    deadline: str
    judged: int
    assigned: int
    # `out`: nothing came back; `begun`: something did; `returned`: all is judged, or it was handed in; `withdrawn`: what was left went to
    # others
    state: FileState
    returned: str  # when it came back last (UTC), or empty
    handed_in: str  # when its assessor handed it in (UTC), or empty
    late: bool  # whether the deadline is over and it is not returned
    waiting: int = (
        0  # how many of its judgments came back and wait for an event before them, which is missing
    )


def file_rows(project: Project, today: date) -> list[AssignmentFile]:
    """Return every assignment file in the order in which they were made; who judged in a session has none."""
    emails = {person.name: person.email for person in project.assignments.people()}
    last = {each.assignment: each for each in project.assignments.returned()}
    handed: dict[str, str] = {}
    for each in project.assignments.returned():
        handed[each.assignment] = str(
            each.balance.get("handed_in") or handed.get(each.assignment, "")
        )
    waiting = [
        (event.assessor, event.item.key)
        for event in project.events.waiting()
        if event.kind in JUDGMENTS
    ]
    rows = []
    for assignment in project.assignments.all():
        if assignment.assessor == project.owner or not assignment.file:
            continue  # neither a comparison of one's own nor a place in a session has a file
        keys = _keys(project, assignment)
        ledger = ledger_of(project, assignment.assessor)
        judged = sum(ledger.judgment(key) is not None for key in keys)
        back, done = last.get(assignment.id), handed.get(assignment.id, "")
        if back and (done or judged == len(keys)):
            state: FileState = "returned"
        elif back:
            state = "begun"
        else:
            state = "out"
        state = "withdrawn" if assignment.withdrawn else state
        late = (
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
                judged,
                len(keys),
                state,
                back.time if back else "",
                done,
                late,
                len(
                    {key for assessor, key in waiting if assessor == assignment.assessor}
                    & set(keys)
                ),
            )
        )
    return rows


def _keys(project: Project, assignment: Assignment) -> list[Key]:
    """Return the keys of all that was assigned: documents, pairs and panels."""
    showings = showings_of(project.assignments.items(assignment.code))
    return [place.key for place in assigned_places(project, assignment)] + [
        showing.key for showing in showings
    ]


def assigned_places(project: Project, assignment: Assignment) -> list[QueuePlace]:
    """Return the documents of an assignment in its order, a second showing as the next occurrence."""
    times: dict[tuple[str, str], int] = {}
    places = []
    for item in project.assignments.items(assignment.code):
        if item.type == "document":
            key = (item.topic, item.documents[0])
            times[key] = times.get(key, 0) + 1
            places.append(QueuePlace(*key, times[key]))
    return places


@dataclass(frozen=True, slots=True)
class AssignedWork:
    """What the organiser's project knows of the files of one assessor, as their receipt tells it."""

    project: Project
    assessor: str
    by_topic: Mapping[str, tuple[Key, ...]]

    @property
    def topics(self) -> tuple[str, ...]:
        """The topics that were assigned, in the order of the files."""
        return tuple(self.by_topic)

    def topic(self, topic: str) -> Topic:
        """Return a topic; only its id where the project has no words for it."""
        return next(
            (each for each in self.project.collection.topics() if each.id == topic),
            Topic(topic, ""),
        )

    def keys(self, topic: str) -> tuple[Key, ...]:
        """Return the key of each item of a topic."""
        return self.by_topic[topic]

    def count(self, topic: str | None = None) -> Count:
        """Return how much is judged, of one topic or of all."""
        keys = [
            key for each in self.by_topic if topic in (None, each) for key in self.by_topic[each]
        ]
        ledger = ledger_of(self.project, self.assessor)
        return Count(sum(ledger.judgment(key) is not None for key in keys), len(keys))


def assigned_work(project: Project, assessor: str | None) -> AssignedWork | None:
    """Return what an assessor was assigned from this project; None where nothing was, or where this is the assessor's own file."""
    mine = [each for each in project.assignments.all() if each.assessor == assessor]
    if assessor is None or not mine or project.assignments.own() is not None:
        return None
    by_topic: dict[str, dict[Key, None]] = {}
    for assignment in mine:
        for key in _keys(project, assignment):
            by_topic.setdefault(key[0], {})[key] = None
    return AssignedWork(project, assessor, {topic: tuple(keys) for topic, keys in by_topic.items()})


def work_of(project: Project) -> AllWork:
    """Return the work of all assessors; without assignments that is the newest pool, for its owner and for whoever judged in it."""
    places = _places_by_assessor(project)
    judged: list[tuple[str, QueuePlace, Event]] = []
    left: dict[str, list[tuple[str, str]]] = {}
    same, seen = project.sessions.same(), set[tuple[str, QueuePlace]]()
    for id, mine in places.items():
        ledger, assessor = ledger_of(project, id), same.get(id, id)
        still = left.setdefault(assessor, [])
        for place, open_ in mine:
            event = ledger.judgment(place.key)
            if event is not None and event.kind in JUDGMENTS:
                if (assessor, place) not in seen:  # the same judgment under another id counts once
                    judged.append((assessor, place, event))
                    seen.add((assessor, place))
            elif open_:
                still.append((place.topic, place.document))
    lengths = project.collection.lengths(
        list(dict.fromkeys(place.document for _, place, _ in judged))
    )
    done = tuple(
        Done(
            assessor,
            place.topic,
            place.document,
            active_ms(event),
            event.time[:10],
            lengths.get(place.document, 0),
        )
        for assessor, place, event in judged
    )
    topics = dict.fromkeys(place.topic for mine in places.values() for place, _ in mine)
    ranks = _ranks(project)
    sharing = tuple(name for name in sharing_people(project) if name in left)
    held = Counter(pair for name in sharing for pair in left[name])
    unheld = tuple((wanted_in_sessions(project) - held).elements())
    return AllWork(
        done,
        left,
        ranks,
        tuple(topics),
        _overlap(project, len(left)),
        _depth(project, ranks),
        unheld,
        sharing,
    )


def _overlap(project: Project, people: int) -> int | None:
    """Return how many judgments of a document were assigned at most; without assignments, as many as there are people."""
    if project.fact("role") is not None or not any(
        each.mode == "grade" for each in project.assignments.all()
    ):
        return people or None
    wishes = [
        each.wishes for each in project.assignments.rounds() if each.wishes.get("mode") == "grade"
    ]
    return max((int(wish["overlap"]) for wish in wishes if "overlap" in wish), default=None)


def _depth(project: Project, ranks: Mapping[Pair, int]) -> int | None:
    """Return the rank down to which documents are pooled; None without a pool that knows ranks."""
    pool = project.rankings.pool()
    depth = pool.parameters.get("depth") if pool is not None else None
    return max([*ranks.values(), *([depth] if isinstance(depth, int) else [])], default=None)


def _places_by_assessor(project: Project) -> dict[str, list[tuple[QueuePlace, bool]]]:
    """Return what each has to judge, and whether they still have to: a withdrawn assignment counts with what was judged."""
    assignments = [each for each in project.assignments.all() if each.mode == "grade"]
    places: dict[str, list[tuple[QueuePlace, bool]]] = {}
    over = project.sessions.over()  # what was held there and not judged is nobody's
    if project.fact("role") is None and assignments:
        for assignment in sorted(
            assignments, key=lambda each: each.withdrawn
        ):  # what was assigned anew counts once
            mine, open_ = (
                places.setdefault(assignment.assessor, []),
                not (assignment.withdrawn or assignment.code in over),
            )
            known = {place for place, _ in mine} if assignment.withdrawn else set()
            mine += [
                (place, open_)
                for place in assigned_places(project, assignment)
                if place not in known
            ]
        return {assignment.assessor: places[assignment.assessor] for assignment in assignments}
    pool = project.rankings.pool()
    if pool is None:
        return {}
    for assessor in dict.fromkeys([project.owner, *project.events.assessors()]):
        queue = queue_of(project, pool, assessor)
        places[assessor] = [
            (place, True) for topic in queue.topics for place in queue.places(topic)
        ]
    return places


def _ranks(project: Project) -> dict[Pair, int]:
    """Return the best rank of each pair of the newest pool in any of its runs."""
    pool = project.rankings.pool()
    if pool is None or not len(pool.contribution_rank):
        return {}
    topics = (pool.topics[code] for code in pool.topic.tolist())
    starts, ranks = pool.contribution_starts.tolist(), pool.contribution_rank.tolist()
    pairs: Iterable[tuple[str, str]] = zip(topics, pool.document.to_pylist(), strict=True)
    return {
        pair: min(ranks[begin:end])
        for pair, begin, end in zip(pairs, starts, starts[1:], strict=False)
        if end > begin
    }
