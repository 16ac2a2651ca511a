"""Tests of live evaluation in a session: final values are always inside the earlier intervals."""

from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from irjudge.evaluation import LiveTable, compute_project_live_table, evaluate_runs, parse_measures
from irjudge.evaluation.bounds import run_ordering
from irjudge.judging import (
    QrelsChoice,
    QueueItem,
    Session,
    count_outstanding,
    find_changeable_pairs,
    list_qrels_choices,
    read_project_qrels,
    set_consensus_method,
)
from irjudge.model import (
    UNJUDGEABLE,
    AssignedItem,
    Assignment,
    Document,
    OrganiserNote,
    Scale,
    Topic,
    make_qrels,
    make_run,
)
from irjudge.store import CALIBRATION, ENDED, PAUSED, Project, create_project
from irjudge.web import SchedulingOptions, SessionOptions, SharedSession, begin_session
from irjudge.web.session_state import ItemPresentation
from irjudge.web.session_store import ProjectStore
from tests.lengths import example_count
from tests.pools import depth_pool

# without Bpref, whose bounds do not allow for unjudgeable documents (see test_live.py)
MEASURES = parse_measures("P@2 R@2 RR RBP nDCG nDCG@2 ERR AP".split())
RULES = ("majority", "lower-median", "one-coin")
NEAR = 1e-12
SHOWN, ELSEWHERE, OPENING, UNPOOLED = "abcd", "e", "d", "z"
LEASE = 60.0


@contextmanager
def class_project(path: Path) -> Iterator[Project]:
    """Create a project of one topic and two runs, with one pooled document assigned in a file."""
    with create_project(path, scale=Scale.parse("0-2"), owner="teacher") as project:
        letters = SHOWN + ELSEWHERE
        project.collection.add_topics([Topic("1", "letters")])
        project.collection.add_documents(
            Document(letter, letter.encode(), letter) for letter in letters + UNPOOLED
        )
        runs = [
            make_run(name, [("1", each, -index) for index, each in enumerate(order)])
            for name, order in RANKS.items()
        ]
        for run in runs:
            project.rankings.add_run(run, run.name)
        project.rankings.add_pool(depth_pool(runs, len(letters)))
        project.rankings.add_qrels(
            "known", make_qrels([("1", letter, 1) for letter in (SHOWN[0], ELSEWHERE, UNPOOLED)])
        )
        project.assignments.add(
            Assignment(0, "file", "file", "grade", 1),
            [AssignedItem("1", ((ELSEWHERE,),))],
            (OrganiserNote(),),
        )
        yield project


RANKS = {"up": SHOWN + ELSEWHERE, "down": (SHOWN + ELSEWHERE)[::-1]}


class Room:
    """A session and its participants without a server: every action takes effect at once."""

    def __init__(self, project: Project, terms: SchedulingOptions, names: str = "") -> None:
        self.project, self.now = project, 0.0
        stored_session = begin_session(project, SessionOptions(terms, gold_from="known"))
        self.session = SharedSession(
            ProjectStore(project, stored_session), monotonic=lambda: self.now
        )
        self.people = [Pupil(self, name) for name in names]


@dataclass(slots=True)
class Shown:
    showing: ItemPresentation
    judged: bool = False


class Pupil:
    """A participant's page."""

    def __init__(self, room: Room, name: str) -> None:
        self.room, (self.id, _) = room, room.session.join(name)
        self.number, self.shown = 0, dict[int, Shown]()

    def request_items(self, want: int = 1) -> list[int]:
        """Request items, and return those to be judged now."""
        answer = self.room.session.sync(self.id, (), wanted_count=want, item_count=len(self.shown))
        self.shown |= {each.position: Shown(each) for each in answer.new_items}
        return [
            position
            for position, each in self.shown.items()
            if not each.judged and position not in answer.lost
        ]

    def judge(self, position: int, grade: int) -> None:
        """Judge an item, late or not."""
        self.number += 1
        each = self.shown[position]
        each.judged, item = True, each.showing.item
        (document,) = item.documents
        contents = [self.room.project.collection.digests([document])[document]]
        about = {
            "type": "document",
            "topic": item.topic,
            "documents": [document],
            "contents": contents,
            "occurrence": each.showing.occurrence,
        }
        kind = "unjudgeable" if grade == UNJUDGEABLE else "grade"
        judgments = (
            {"reason": "spam"}
            if grade == UNJUDGEABLE
            else {"value": grade, "scale": self.room.project.scale.version}
        )
        action = {
            "client": self.id.encode().hex().ljust(32, "0")[:32],
            "number": self.number,
            "kind": kind,
            "item": about,
        }
        action |= {"time": "2026-03-01T10:00:00.000Z", "payload": judgments, "target": None}
        assert self.room.session.sync(self.id, [action]).refused is None


def grade(chance: Random) -> int:
    return chance.choice([UNJUDGEABLE, 0, 0, 1, 2])


def step(room: Room, chance: Random) -> bool:
    """Perform a random action of a class; return whether anything happened."""
    if len(room.people) < 4 and chance.random() < 0.3:
        room.people.append(Pupil(room, f"pupil {len(room.people)}"))
    if chance.random() < 0.1:
        room.now += 2 * LEASE
    for pupil in chance.sample(room.people, len(room.people)):
        items = pupil.request_items(chance.randint(1, 3))
        if items and chance.random() < 0.8:
            pupil.judge(chance.choice(items), grade(chance))
            return True
    return False


def consensus_qrels(project: Project) -> QrelsChoice | None:
    """Return the consensus qrels, if there are two assessors to have one."""
    return next((each for each in list_qrels_choices(project) if each.source == "consensus"), None)


def live_tables(project: Project) -> list[LiveTable]:
    choice = consensus_qrels(project)
    return [compute_project_live_table(project, MEASURES, choice=choice)] if choice else []


def check_inside(tables: list[LiveTable], project: Project) -> None:
    """Check that all current values and differences are inside their intervals."""
    runs = [project.rankings.run(run.name) for run in project.rankings.runs()]
    final = [
        run.summary
        for run in evaluate_runs(
            read_project_qrels(project, consensus_qrels(project)), runs, MEASURES, highest=2
        ).runs
    ]
    for table in tables:
        for index, run in enumerate(table.runs):
            for number, measure in enumerate(MEASURES):
                _, low, high = table.cell(run, number)
                assert low is not None and high is not None
                assert low - NEAR <= final[index][number] <= high + NEAR, (measure.name, run.run)
        for number, measure in enumerate(MEASURES):
            ordering = run_ordering(table, "up", "down", measure)
            assert ordering.low is not None and ordering.high is not None
            assert (
                ordering.low - NEAR <= final[0][number] - final[1][number] <= ordering.high + NEAR
            )


EVERY_TERMS = st.builds(
    SchedulingOptions,
    overlap=st.integers(1, 3),
    lease=st.just(LEASE),
    gold_every=st.sampled_from([0, 2]),
    repeats_every=st.sampled_from([0, 3]),
    qualification=st.sampled_from([0, 0, 2]),
)


@pytest.mark.slow
@settings(max_examples=example_count(60), deadline=None)
@given(
    st.integers(0, 2**32), EVERY_TERMS, st.sampled_from(RULES), st.integers(0, 25), st.booleans()
)
def test_final_values_are_inside_every_earlier_interval_of_a_random_session(
    tmp_path_factory: pytest.TempPathFactory,
    seed: int,
    terms: SchedulingOptions,
    rule: str,
    steps: int,
    calibrating: bool,
) -> None:
    chance = Random(seed)
    with (
        pytest.MonkeyPatch.context() as patch,
        class_project(tmp_path_factory.mktemp("class") / "class.irjudge") as project,
    ):
        # so that a session can be repeated
        patch.setattr("secrets.randbits", chance.getrandbits)
        patch.setattr("secrets.token_hex", lambda size: chance.randbytes(size).hex())
        set_consensus_method(project, rule)
        if calibrating:
            project.set_setting(CALIBRATION, f'{{"1": {{"{OPENING}": 1}}}}')
        room, tables = Room(project, terms), []
        for _ in range(steps):
            step(room, chance)
            tables += live_tables(project)
        while chance.random() < 0.98 and (step(room, chance) or not room.session.scheduler.is_done):
            tables += live_tables(project)
        files = Session(project, "file")
        files.grade(files.open_item(QueueItem("1", ELSEWHERE)), chance.choice([0, 1, 2]))
        room.session.set_state(ENDED)
        check_inside(tables, project)
        assert not count_outstanding(project) and not find_changeable_pairs(project)


@pytest.fixture
def project(tmp_path: Path) -> Iterator[Project]:
    with class_project(tmp_path / "class.irjudge") as made:
        yield made


def test_unassigned_documents_keep_values_open(project: Project) -> None:
    room = Room(project, SchedulingOptions(overlap=2), "x")
    wanted = {("1", letter): 2 for letter in SHOWN}
    assert count_outstanding(project) == Counter(wanted | {("1", ELSEWHERE): 1}), (
        "the last one of the assessor with a file"
    )
    (ann,) = room.people
    for _ in SHOWN:
        (index,) = ann.request_items()
        ann.judge(index, 2)
    assert count_outstanding(project) == Counter(dict.fromkeys([*wanted, ("1", ELSEWHERE)], 1))
    assert find_changeable_pairs(project) >= set(wanted), "another can still say otherwise of each"
    room.people.append(Pupil(room, "y"))
    room.people[1].judge(room.people[1].request_items()[0], 1)
    (table,) = live_tables(project)
    assert table.outstanding == 4 and table.count_open_values() > 0


def test_a_paused_session_keeps_values_open_and_an_ended_one_does_not(
    project: Project,
) -> None:
    room = Room(project, SchedulingOptions(overlap=3), "x")
    room.people[0].judge(room.people[0].request_items(want=3)[0], 1)
    room.session.set_state(PAUSED)
    assert count_outstanding(project).total() == 12
    room.session.set_state(ENDED)
    assert count_outstanding(project) == {("1", ELSEWHERE): 1}, (
        "what was held is waited for no more"
    )


def test_late_judgments_and_excluded_participants_fill_nothing(project: Project) -> None:
    room = Room(project, SchedulingOptions(overlap=1), "xy")
    first, second = room.people
    held = first.request_items(want=3)
    room.now += 2 * LEASE
    while items := second.request_items():
        second.judge(items[0], 1)
    assert count_outstanding(project) == {("1", ELSEWHERE): 1}
    first.judge(held[0], 2)
    assert len(room.session.status().late) == 1 and count_outstanding(project) == {
        ("1", ELSEWHERE): 1
    }
    room.session.exclude_participant(second.id)
    assert count_outstanding(project).total() == 1 + len(SHOWN)


def test_two_ids_of_one_participant_fill_one_judgment(project: Project) -> None:
    room = Room(project, SchedulingOptions(overlap=2), "xy")
    for pupil in room.people:
        while items := pupil.request_items():
            pupil.judge(items[0], 1)
    assert count_outstanding(project) == {("1", ELSEWHERE): 1}
    room.session.set_first_id(room.people[0].id, room.people[1].id)
    assert count_outstanding(project) == Counter({("1", letter): 1 for letter in SHOWN + ELSEWHERE})


def test_documents_shown_to_every_new_participant_can_change_until_the_end(
    project: Project,
) -> None:
    project.set_setting(CALIBRATION, f'{{"1": {{"{OPENING}": 1}}}}')
    room = Room(project, SchedulingOptions(overlap=1, qualification=3), "xy")
    for pupil in room.people:
        while items := pupil.request_items():
            pupil.judge(items[0], 2)
    assert room.session.scheduler.is_done and count_outstanding(project) == {("1", ELSEWHERE): 1}
    assert find_changeable_pairs(project) == {("1", OPENING), ("1", ELSEWHERE)}, (
        "the next one who comes says what they are, too"
    )
    room.session.set_state(ENDED)
    assert find_changeable_pairs(project) == {("1", ELSEWHERE)}


def test_other_topics_do_not_depend_on_the_session(project: Project) -> None:
    project.collection.add_topics([Topic("2", "more")])
    runs = [
        make_run(f"{name} 2", [(topic, each, 0.0) for topic in "12" for each in SHOWN])
        for name in "ab"
    ]
    project.rankings.add_pool(depth_pool(runs, len(SHOWN)))
    stored_session = begin_session(
        project, SessionOptions(SchedulingOptions(overlap=2), topics=("2",))
    )
    assert set(count_outstanding(project)) - {("1", ELSEWHERE)} == {
        ("2", letter) for letter in SHOWN
    }
    project.sessions.set_state(stored_session.code, ENDED)
    assert not set(count_outstanding(project)) - {("1", ELSEWHERE)}
