"""Tests of a judging session against a simple model: any actions, and any number of restarts."""

import os
import shutil
import sqlite3
import subprocess
import sys
import tempfile
from collections.abc import Callable
from itertools import count
from pathlib import Path

import pytest
from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, precondition, rule

from irjudge.errors import CommitFailed, IrjudgeError, ProjectError
from irjudge.judging import QueueItem, Session
from irjudge.model import (
    UNJUDGEABLE_REASONS,
    Document,
    Event,
    Item,
    Scale,
    Topic,
    make_run,
    preference_payload,
)
from irjudge.store import create_project, open_project
from tests.lengths import example_count
from tests.pools import depth_pool

TOPICS = {"051": ["a", "b", "c"], "007": ["a", "d"]}
PLACES = [
    QueueItem(topic, document) for topic, documents in TOPICS.items() for document in documents
]


def make(path: Path) -> None:
    with create_project(path, scale=Scale.parse("0-2"), owner="ann") as project:
        project.set_setting("seed", "3")
        project.collection.add_topics([Topic("051", "one")])
        project.collection.add_documents(Document(name, name.encode()) for name in "abcd")
        run = make_run("run", [(item.topic, item.document, 1.0) for item in PLACES])
        project.rankings.add_pool(depth_pool([run], 9))


class JudgingMachine(RuleBasedStateMachine):
    """State machine whose model is a list of actions and a list of undone actions."""

    @initialize(setup=st.none())
    def begin(self, setup: None) -> None:
        self.folder = tempfile.TemporaryDirectory()
        self.path = Path(self.folder.name) / "p.irjudge"
        shutil.copy(TEMPLATE, self.path)
        self.done: list[tuple[str, QueueItem, int]] = []
        self.undone: list[tuple[str, QueueItem, int]] = []
        self.events = 0
        self.at: QueueItem | None = None
        self.last: QueueItem | None = None
        self.open()

    def open(self) -> None:
        ticks = count()
        self.project = open_project(self.path)
        self.session = Session(
            self.project, clock=lambda: f"2026-01-01T00:00:{next(ticks) % 3:02}.000Z"
        )

    def act(self, kind: str, item: QueueItem, value: int) -> None:
        self.done.append((kind, item, value))
        self.last = item
        self.undone.clear()
        self.events += 1

    # Queries of the model

    def newest(self, item: QueueItem, kinds: tuple[str, ...]) -> tuple[str, QueueItem, int] | None:
        return next(
            (action for action in reversed(self.done) if action[1] == item and action[0] in kinds),
            None,
        )

    def find_judgment(self, item: QueueItem) -> tuple[str, QueueItem, int] | None:
        return self.newest(item, ("grade", "unjudgeable"))

    def is_skipped(self, item: QueueItem) -> bool:
        return self.count_skips(item) > 0

    def count_skips(self, item: QueueItem) -> int:
        kinds = [
            action[0]
            for action in self.done
            if action[1] == item and action[0] in ("grade", "unjudgeable", "skip")
        ]
        return next(
            (times for times, kind in enumerate(reversed(kinds)) if kind != "skip"), len(kinds)
        )

    def next_item(self, at: QueueItem | None) -> QueueItem | None:
        """Return the next item: fresh ones of the topic, those skipped once, then other topics.

        Items skipped more often come last.
        """
        rest = []
        topics = list(TOPICS)
        first = topics.index(at.topic) if at else 0
        for topic in topics[first:] + topics[:first]:
            items = [QueueItem(topic, document) for document in self.session.queue.documents(topic)]
            if at in items:
                after = items.index(at) + 1
                items = items[after:] + items[:after]
            open_ = [item for item in items if item != at and not self.find_judgment(item)]
            once = [item for item in open_ if self.count_skips(item) < 2]
            if once:
                return min(once, key=self.count_skips)
            rest += open_
        if rest:
            return min(rest, key=self.count_skips)
        return at if at and not self.find_judgment(at) else None

    # Actions of an assessor

    @rule(value=st.sampled_from([0, 1, 2]), item=st.sampled_from(PLACES))
    def grade(self, value: int, item: QueueItem) -> None:
        event = self.session.grade(self.session.open_item(item), value, active_ms=5)
        self.at = item
        self.act("grade", item, value)
        assert (event.payload["value"], event.payload["active_ms"], event.item.topic) == (
            value,
            5,
            item.topic,
        )

    @rule(reason=st.sampled_from(UNJUDGEABLE_REASONS), item=st.sampled_from(PLACES))
    def unjudgeable(self, reason: str, item: QueueItem) -> None:
        self.session.mark_unjudgeable(self.session.open_item(item), reason)
        self.at = item
        self.act("unjudgeable", item, -2)

    @rule(item=st.sampled_from(PLACES))
    def skip(self, item: QueueItem) -> None:
        self.session.skip(self.session.open_item(item))
        self.at = item
        self.act("skip", item, 0)

    @rule()
    def undo(self) -> None:
        event = self.session.undo()
        assert (event is not None) == bool(self.done)
        self.move(self.done, self.undone)

    @rule()
    def redo(self) -> None:
        event = self.session.redo()
        assert (event is not None) == bool(self.undone)
        self.move(self.undone, self.done)

    def move(self, source: list, to: list) -> None:
        if source:
            action = source.pop()
            to.append(action)
            self.events += 1
            self.at = self.last = action[1]
            assert self.session.current().queue_item == self.at

    @rule()
    def advance(self) -> None:
        expected = self.next_item(self.at)
        work = self.session.advance()
        assert (work.queue_item if work else None) == expected
        self.at = expected

    @precondition(lambda self: self.at is None)
    @rule()
    def look(self) -> None:
        work = self.session.current()
        self.at = work.queue_item if work else None
        still_open = (
            self.last is not None
            and not self.find_judgment(self.last)
            and not self.is_skipped(self.last)
        )
        assert self.at == (self.last if still_open else self.next_item(self.last)), (
            "work goes on where it stopped"
        )

    @rule()
    def close_and_reopen(self) -> None:
        self.project.close()
        self.open()
        self.at = None

    # Invariants

    @invariant()
    def items_match_the_model(self) -> None:
        for item in PLACES:
            judgment, expected = self.session.judgment(item), self.find_judgment(item)
            assert (judgment is None) == (expected is None)
            if judgment and expected:
                assert (judgment.kind, judgment.payload.get("value", -2)) == (
                    expected[0],
                    expected[2],
                )
            assert self.session.is_skipped(item) == self.is_skipped(item)

    @invariant()
    def counts_agree(self) -> None:
        for topic, documents in TOPICS.items():
            counted = self.session.count(topic)
            assert counted.judged == sum(
                self.find_judgment(QueueItem(topic, document)) is not None for document in documents
            )
            assert counted.left == len(documents) - counted.judged
        assert (self.session.count().judged, self.session.count().assigned) == (
            sum(self.find_judgment(item) is not None for item in PLACES),
            5,
        )

    @invariant()
    def undoable_actions_agree(self) -> None:
        assert (self.session.can_undo, self.session.can_redo) == (
            bool(self.done),
            bool(self.undone),
        )

    @invariant()
    def log_keeps_everything(self) -> None:
        assert self.project.events.count() == self.events

    @invariant()
    def next_item_is_open(self) -> None:
        upcoming = self.session.list_upcoming(9)
        topic = self.at.topic if self.at else None
        expected = {QueueItem(topic, name) for name in TOPICS.get(topic, ())} - {self.at}
        assert set(upcoming) == {
            item for item in expected if not self.find_judgment(item) and not self.is_skipped(item)
        }

    def teardown(self) -> None:
        if hasattr(self, "project"):
            assert self.project.verify().problems == ()
            self.project.close()
            self.folder.cleanup()


TEMPLATE = Path(tempfile.gettempdir())


@pytest.fixture(scope="module", autouse=True)
def template(tmp_path_factory: pytest.TempPathFactory) -> None:
    global TEMPLATE  # hypothesis passes no fixtures to state machines
    TEMPLATE = tmp_path_factory.mktemp("judging") / "template.irjudge"
    make(TEMPLATE)


class TestJudging(JudgingMachine.TestCase):
    settings = settings(max_examples=example_count(40), stateful_step_count=30, deadline=None)


def place(work) -> QueueItem | None:
    return work.queue_item if work else None


def test_skipped_documents_come_back_at_the_end_of_their_topic(project_file: Path) -> None:
    with open_project(project_file) as project:
        session = Session(project)
        order = [QueueItem("051", document) for document in session.queue.documents("051")]
        session.skip(session.current())
        seen = []
        for _ in range(6):
            work = session.advance()
            seen.append(work.queue_item)
            session.grade(work, 1)
        assert seen == [*order[1:], order[0]]
        assert session.advance().queue_item.topic == "007"


def test_documents_skipped_twice_come_back_after_all_topics(
    project_file: Path,
) -> None:
    with open_project(project_file) as project:
        session = Session(project)
        order = [QueueItem("051", document) for document in session.queue.documents("051")]
        for _ in range(2 * len(order)):
            assert session.current().topic.id == "051"
            session.skip(session.current())
            session.advance()
        assert session.current().topic.id == "007"
        while (work := session.current()).topic.id == "007":
            session.grade(work, 1)
            session.advance()
        for expected in (*order, *order):
            assert session.current().queue_item == expected, "the least often skipped is next"
            session.skip(session.current())
            session.advance()


def test_skipping_the_last_document_of_a_topic_opens_the_next_topic(
    project_file: Path,
) -> None:
    with open_project(project_file) as project:
        session = Session(project)
        for _ in session.queue.documents("051")[1:]:
            session.grade(session.current(), 1)
            session.advance()
        last = session.current().queue_item
        session.skip(session.current())
        assert session.advance().topic.id == "007"
    with open_project(project_file) as project:
        session = Session(project)
        assert session.current().topic.id == "007"
        while (work := session.current()).queue_item != last:
            session.grade(work, 1)
            session.advance()
        session.skip(work)
        assert session.advance().queue_item == last, "the only one left stays on the desk"


def test_no_document_is_presented_when_everything_is_judged(project_file: Path) -> None:
    with open_project(project_file) as project:
        session = Session(project)
        while work := session.advance():
            session.grade(work, 3)
        assert (session.current(), session.count().left, session.list_upcoming()) == (None, 0, [])
        session.undo()
        assert session.current() is not None


def test_an_event_names_the_presented_document(project_file: Path) -> None:
    with open_project(project_file) as project:
        session = Session(project)
        work = session.current()
        event = session.grade(work, 2)
        assert event.item.contents == (work.document.digest.hex(),)
        assert (event.assessor, event.payload["scale"], event.parent) == (
            "ann",
            project.scale.version,
            None,
        )
        assert session.grade(session.advance(), 0).parent == event.digest


def test_two_assessors_do_not_see_each_other_s_judgments(project_file: Path) -> None:
    with open_project(project_file) as project:
        Session(project).grade(Session(project).current(), 2)
        other = Session(project, "bob")
        assert (other.count().judged, other.can_undo) == (0, False)
        assert Session(project).count().judged == 1


def test_documents_without_text_are_listed_but_not_presented(project_file: Path) -> None:
    with open_project(project_file) as project:
        project.rankings.add_pool(
            depth_pool(
                [make_run("a", [("051", "d1", 2.0), ("051", "lost", 1.0), ("9", "gone", 1.0)])], 9
            )
        )
        session = Session(project)
        assert (session.without_text, len(session.queue), session.queue.topics) == (
            ("gone", "lost"),
            1,
            ("051",),
        )
        with pytest.raises(IrjudgeError) as error:
            session.open_item(QueueItem("051", "lost"))
        assert error.value.key == "not-to-judge"
        assert error.value.values["document"] == "lost"
        assert error.value.values["topic"] == "051"


def test_a_topic_without_text_shows_its_id(project_file: Path) -> None:
    with open_project(project_file) as project:
        assert Session(project).topic("unknown") == Topic("unknown", "unknown")


def test_a_failed_save_changes_nothing(project_file: Path) -> None:
    with open_project(project_file) as project:
        session = Session(project)
        work = session.current()
        moved = project_file.rename(project_file.with_name("moved"))
        with pytest.raises(CommitFailed, match="moved"):
            session.grade(work, 1)
        assert (session.count().judged, session.can_undo, place(session.current())) == (
            0,
            False,
            work.queue_item,
        )
        moved.rename(project_file)
        session.grade(work, 1)
    with open_project(project_file) as project:
        assert Session(project).count().judged == 1


def test_grades_outside_the_scale_are_refused(project_file: Path) -> None:
    with open_project(project_file) as project:
        session = Session(project)
        with pytest.raises(IrjudgeError) as error:
            session.grade(session.current(), 4)
        assert error.value.key == "unknown-grade"
        assert error.value.values["value"] == "4"
        assert error.value.values["values"] == "0, 1, 2, 3"
        with pytest.raises(IrjudgeError) as error:
            session.mark_unjudgeable(session.current(), "dull")
        assert error.value.values["reason"] == "'dull'"
        assert "wrong language" in error.value.values["reasons"]
        assert project.events.count() == 0


def test_without_a_pool_there_is_nothing_to_judge(tmp_path: Path) -> None:
    with (
        create_project(tmp_path / "p", scale=Scale.parse("binary")) as project,
        pytest.raises(ProjectError, match="has no pool"),
    ):
        Session(project)


def test_an_extended_pool_keeps_judgments(project_file: Path) -> None:
    with open_project(project_file) as project:
        session = Session(project)
        session.grade(session.open_item(QueueItem("051", "d1")), 3)
        before = session.queue.documents("051")
        rows = [("051", f"d{number}", 1.0) for number in range(12)]
        project.rankings.add_pool(depth_pool([make_run("a", rows)], 99))
        session = Session(project)
        assert (session.count().judged, session.count().assigned) == (1, 12)
        assert tuple(name for name in session.queue.documents("051") if name in before) == before


def test_comparisons_do_not_affect_the_pace_of_grading(project_file: Path) -> None:
    with open_project(project_file) as project:
        session = Session(project, clock=lambda: "2026-01-01T00:00:00.000Z")
        head = None
        for number in range(6):
            item = Item("051", (f"x{number}", f"y{number}"), ("00", "11"))
            event = Event(
                "ann",
                "preference",
                item,
                "2026-01-01T00:00:00.000Z",
                preference_payload("left", active_ms=1000),
                None,
                head,
            )
            project.events.append(event)
            head = event.digest
        assert Session(project).seconds_left() is None
        for _ in range(4):
            session = Session(project)
            session.grade(session.current(), 1, active_ms=3000)
        assert session.seconds_left() is None, "four times are too few"


def current_item(session: Session) -> QueueItem:
    work = session.current()
    assert work is not None
    return work.queue_item


def test_work_resumes_where_it_stopped_after_a_jump_to_another_topic(project_file: Path) -> None:
    with open_project(project_file) as project:
        session = Session(project)
        session.grade(session.open_topic("007"), 1)
        stopped = session.advance()
        assert stopped is not None and stopped.topic.id == "007"
    with open_project(project_file) as project:
        session = Session(project)
        assert current_item(session) == stopped.queue_item
        while session.current().topic.id == "007":
            session.grade(session.current(), 2)
            session.advance()
        assert session.count("007").left == 0, "the topics before it come when it is done"


def test_work_resumes_at_undone_or_noted_documents_and_after_skips(
    project_file: Path,
) -> None:
    with open_project(project_file) as project:
        session = Session(project)
        first, *_ = session.queue.topic_items("007")
        session.grade(session.open_item(first), 1)
        session.undo()
        assert current_item(Session(project)) == first
        other = session.queue.topic_items("051")[1]
        session.draft(session.open_item(other), "half a th")
        assert current_item(Session(project)) == other
        session.skip(session.current())
        assert current_item(Session(project)) == session.queue.topic_items("051")[2]


def test_work_resumes_at_a_visited_document_if_nothing_followed(
    project_file: Path,
) -> None:
    with open_project(project_file) as project:
        session = Session(project)
        session.grade(session.current(), 1)
        jumped, head = session.queue.topic_items("007")[1], session.head
        again = Session(project)
        again.current()
        again.resume(jumped, head)
        assert current_item(again) == jumped
        session.grade(session.advance(), 1)
        later = Session(project)
        expected = current_item(later)
        later.resume(jumped, head)
        assert current_item(later) == expected, "the log is newer than the jump"
        later.resume(QueueItem("007", "gone"), later.head)
        assert current_item(later) == expected


def test_going_back_and_continuing_returns_to_the_position(project_file: Path) -> None:
    with open_project(project_file) as project:
        session = Session(project)
        first = session.open_item(session.queue.topic_items("051")[1])
        assert not session.is_revisiting, (
            "a document that waits is where the work is, wherever one came from"
        )
        session.grade(first, 1)
        second = session.advance()
        assert second and not session.is_revisiting
        session.skip(second)
        front = place(session.advance())
        assert front and not session.is_revisiting
        assert session.undo() is not None and session.is_revisiting, (
            "what was put off is on the desk again"
        )
        assert (
            session.undo() is not None
            and session.is_revisiting
            and place(session.current()) == first.queue_item
        )
        assert place(session.return_or_advance()) == front and not session.is_revisiting, (
            "from however far"
        )
        assert session.undo() is None and session.redo() is not None and session.is_revisiting
        assert place(session.return_or_advance()) == front and not session.is_revisiting


def test_continuing_after_rejudging_returns_to_the_position(
    project_file: Path,
) -> None:
    with open_project(project_file) as project:
        session = Session(project)
        again = session.queue.topic_items("051")[0]
        session.grade(session.open_item(again), 1)
        at = session.open_item(session.queue.topic_items("007")[1])
        assert not session.is_revisiting
        judged = session.open_item(again)
        assert session.is_revisiting and session.open_item(again) and session.is_revisiting
        assert place(session.return_or_advance()) == at.queue_item and not session.is_revisiting, (
            "not the next of the other topic"
        )
        session.open_item(again)
        session.grade(judged, 2)
        assert place(session.advance()) not in (None, at.queue_item) and not session.is_revisiting
    with open_project(project_file) as project:
        session = Session(project)
        session.resume(again, session.head)
        assert session.current() == judged and session.is_revisiting
        assert place(session.return_or_advance()) not in (None, again) and not session.is_revisiting


def test_undoing_on_the_presented_document_does_not_move(
    project_file: Path,
) -> None:
    with open_project(project_file) as project:
        session = Session(project)
        at = session.open_item(session.queue.topic_items("051")[1])
        session.skip(at)
        assert (
            session.undo() is not None
            and place(session.current()) == at.queue_item
            and not session.is_revisiting
        )
        session.skip(at)
        assert place(session.return_or_advance()) != at.queue_item, (
            "it was skipped and not reopened"
        )


def test_continuing_when_everything_is_judged_leads_to_the_end(project_file: Path) -> None:
    with open_project(project_file) as project:
        session = Session(project)
        while work := session.current():
            session.grade(work, 1)
            session.advance()
        assert not session.is_revisiting
        session.open_item(session.queue.topic_items("051")[0])
        assert (
            session.is_revisiting
            and session.return_or_advance() is None
            and not session.is_revisiting
        )


def test_remaining_time_uses_the_assessor_s_own_pace(project_file: Path) -> None:
    with open_project(project_file) as project:
        session = Session(project)
        for milliseconds in (1000, 2000, 0, 3000, 4000):
            session.grade(session.advance(), 1, active_ms=milliseconds)
            assert session.seconds_left() is None
        session.grade(session.advance(), 1, active_ms=90_000)
        assert session.seconds_left() == 18  # the median of five is 3 s; six are left


# Disk errors


FULL_DISK = """
import resource, signal, sys
from pathlib import Path
from irjudge.errors import CommitFailed
from irjudge.judging.session import Session
from irjudge.store.project import open_project
signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
path = Path(sys.argv[1])
with open_project(path) as project:
    session = Session(project)
    session.grade(session.current(), 1, active_ms=5)
    work = session.advance()
    def state():
        return (session.count(), session.can_undo, session.can_redo, session.current().queue_item, session.judgment(work.queue_item),
                session.marks(work.queue_item), session.item_states(work.topic.id), session.seconds_left(), project.events.count())
    before = state()
    acts = [lambda: session.grade(work, 2, active_ms=7), lambda: session.mark_unjudgeable(work, "spam"), lambda: session.skip(work),
            lambda: session.set_unsure(work, True), lambda: session.note(work, "x"), lambda: session.draft(work, "x"),
            lambda: session.rationale(work, "text", 0, 4), session.undo]
    limits = resource.getrlimit(resource.RLIMIT_FSIZE)
    for number, act in enumerate(acts):
        resource.setrlimit(resource.RLIMIT_FSIZE, (100, limits[1]))
        try:
            act()
        except CommitFailed as error:
            assert "the disk" in str(error), error
        else:
            raise AssertionError(number)
        assert state() == before, number
        resource.setrlimit(resource.RLIMIT_FSIZE, limits)
    acts[0]()
    assert session.judgment(work.queue_item).payload["value"] == 2 and session.count().judged == 2
    assert project.verify().problems == () and project.events.count() == 2
print("as before")
"""


@pytest.mark.slow
@pytest.mark.skipif(sys.platform != "linux", reason="needs a limit on the size of files")
def test_on_a_full_disk_every_action_fails_completely_and_can_be_repeated(
    project_file: Path,
) -> None:
    answer = subprocess.run(
        [sys.executable, "-c", FULL_DISK, str(project_file)],
        capture_output=True,
        text=True,
        check=False,
    )
    assert answer.stdout == "as before\n", answer.stderr


def lock(path: Path) -> Callable[[], None]:
    other = sqlite3.connect(path, isolation_level=None)
    other.execute("BEGIN EXCLUSIVE")
    return other.close


def move_away(path: Path) -> Callable[[], None]:
    moved = path.rename(path.with_name("moved"))
    return lambda: moved.replace(path)


def replace(path: Path) -> Callable[[], None]:
    moved = path.rename(path.with_name("moved"))
    shutil.copy(moved, path)
    return lambda: moved.replace(path)


@pytest.mark.skipif(os.name == "nt", reason="an open file cannot be moved there")
@pytest.mark.parametrize("trouble", [lock, move_away, replace])
def test_after_an_error_the_session_is_unchanged_and_the_action_can_be_repeated(
    project_file: Path, trouble: Callable, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("irjudge.store.connection.WAIT_SECONDS", 0.02)
    with open_project(project_file) as project:
        session = Session(project)
        session.grade(session.current(), 3)
        work = session.advance()
        before = (
            session.count(),
            session.current().queue_item,
            session.item_states("051"),
            session.can_undo,
            session.last_judged(),
        )
        mend = trouble(project_file)
        for act in (lambda: session.grade(work, 1), session.undo):
            with pytest.raises(CommitFailed):
                act()
        mend()
        assert (
            session.count(),
            session.current().queue_item,
            session.item_states("051"),
            session.can_undo,
            session.last_judged(),
        ) == before
        session.grade(work, 1)
        assert session.count().judged == 2
    with open_project(project_file) as project:
        assert (
            Session(project).count().judged,
            project.events.count(),
            project.verify().problems,
        ) == (2, 2, ())


def test_a_judgment_on_disk_counts_even_if_the_log_becomes_unreadable(
    project_file: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with open_project(project_file) as project:
        session = Session(project)
        session.grade(session.current(), 3)

        def unreadable(*_: object) -> None:
            raise ProjectError("cannot be read")

        monkeypatch.setattr(project.events, "read_since", unreadable)
        first = session.grade(session.advance(), 1)
        second = session.grade(session.advance(), 2)
        assert (session.count().judged, second.parent, session.can_undo) == (3, first.digest, True)
        monkeypatch.undo()
        session.grade(session.advance(), 0)
        assert session.count().judged == 4
    with open_project(project_file) as project:
        assert (Session(project).count().judged, project.verify().problems) == (4, ())
