"""Tests that a session applies the changes made by another server or by the project's window."""

import json
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path

import pytest

from irjudge.exchange import merge_files
from irjudge.judging import exclude_assessor, project_labels, readmit_assessor
from irjudge.store import ENDED, PAUSED, Project, open_project
from irjudge.web import (
    SchedulingOptions,
    Server,
    ServerAddress,
    SessionOptions,
    SharedSession,
    begin_session,
    open_project_session,
)
from irjudge.web.session_state import Refused
from irjudge.web.session_store import (
    ActionTaken,
    ExclusionChanged,
    Heartbeat,
    ItemAssigned,
    ItemStateChanged,
    LeasedItem,
    MessageChanged,
    Participant,
    ParticipantChanged,
    ParticipantJoined,
    ParticipantMerged,
    ProjectStore,
    SessionChange,
    StateChanged,
    TermsChanged,
)
from tests.engine.exchange.browser_results import Browser
from tests.engine.exchange.classroom import build_class
from tests.engine.web.session_client import Person
from tests.engine.web.test_live_evaluation import Pupil, Room, class_project


class FollowingStore(ProjectStore):
    """Store that reports the changes of another server writing to the same project."""

    def __init__(self, room: Room) -> None:
        super().__init__(room.project, room.session.store.session())
        self.received: list[SessionChange] = []

    def changes(self) -> Iterable[SessionChange]:
        changes, self.received = self.received, []
        return changes


class TwoServers:
    """A session at one server, and the same session at another that receives its changes."""

    def __init__(self, project: Project) -> None:
        self.room = Room(project, SchedulingOptions(overlap=2, lease=60.0))
        self.store = FollowingStore(self.room)
        self.other = SharedSession(self.store, monotonic=lambda: self.room.now)

    @property
    def allow_one_more(self) -> SharedSession:
        return self.room.session

    def receive(self, *changes: SessionChange) -> None:
        self.store.received += changes
        self.other.catch_up()
        assert not self.store.received

    def participant(self, id: str) -> Participant:
        return next(each for each in self.store.participants() if each.id == id)

    def leases(self, id: str) -> list[LeasedItem]:
        return list(self.store.list_leases(self.participant(id)))

    def join(self, name: str) -> Pupil:
        pupil = Pupil(self.room, name)
        self.receive(ParticipantJoined(self.participant(pupil.id)))
        return pupil

    def assign(self, pupil: Pupil) -> int:
        before = len(self.leases(pupil.id))
        (index,) = pupil.request_items()
        self.receive(*(ItemAssigned(pupil.id, each) for each in self.leases(pupil.id)[before:]))
        return index

    def judge(self, pupil: Pupil, position: int, grade: int) -> None:
        pupil.judge(position, grade)
        *_, event = self.store.log.read(pupil.id)
        self.receive(
            ActionTaken(event),
            ItemStateChanged(pupil.id, position, "counted"),
            Heartbeat(pupil.id, 0.0),
        )


@pytest.fixture
def servers(tmp_path: Path) -> Iterator[TwoServers]:
    with class_project(tmp_path / "class.irjudge") as project:
        yield TwoServers(project)


def test_an_item_and_its_judgment_at_one_server_count_at_the_other(servers: TwoServers) -> None:
    ann = servers.join("Ann")
    position = servers.assign(ann)
    (held,) = servers.other.works
    assert [lease.state for lease in held.leases] == ["held"] and held.judged_count == 0
    servers.judge(ann, position, 2)
    assert [lease.state for lease in held.leases] == ["counted"] and held.judged_count == 1
    assert servers.other.scheduler.progress() == servers.allow_one_more.scheduler.progress()
    assert servers.other.status() == servers.allow_one_more.status()


def test_a_joined_participant_is_known_by_name_and_token(servers: TwoServers) -> None:
    ann, (other_id, token) = servers.join("Ann"), servers.allow_one_more.join("Bob")
    assert servers.other.find_participant("Ann") == ann.id
    servers.receive(ParticipantJoined(servers.participant(other_id)))
    assert servers.other.authenticate(token) == other_id
    fresh = servers.allow_one_more.renew_token(other_id)
    servers.receive(ParticipantChanged(servers.participant(other_id)))
    assert servers.other.authenticate(fresh) == other_id
    with pytest.raises(Refused):
        servers.other.authenticate(token)


def test_an_excluded_participant_counts_again_when_included(servers: TwoServers) -> None:
    ann = servers.join("Ann")
    servers.judge(ann, servers.assign(ann), 1)
    counted = servers.other.scheduler.progress()
    servers.receive(ExclusionChanged(ann.id, True))
    assert not any(judged for judged, _ in servers.other.scheduler.progress().values())
    assert ann.id in servers.other.ids_to_notify
    servers.receive(ExclusionChanged(ann.id, False))
    assert servers.other.scheduler.progress() == counted


def test_two_ids_of_a_participant_get_different_documents(servers: TwoServers) -> None:
    ann, anna = servers.join("Ann"), servers.join("Anna")
    first = servers.assign(ann)
    servers.store.set_first_id(ann.id, anna.id)
    servers.receive(ParticipantMerged())
    synced = servers.other.sync(anna.id, (), wanted_count=5)
    documents = {each.item.documents for each in synced.new_items}
    assert documents and ann.shown[first].showing.item.documents not in documents


def test_a_heartbeat_at_one_server_keeps_a_lease_at_the_other(servers: TwoServers) -> None:
    ann = servers.join("Ann")
    servers.assign(ann)
    servers.room.now = 100.0
    servers.receive(Heartbeat(ann.id, 10.0))
    (work,) = servers.other.works
    assert work.last_seen == 90.0
    assert [seat.here for seat in servers.other.status().participants] == [True]
    servers.receive(Heartbeat(ann.id, 95.0))  # an older one changes nothing
    assert work.last_seen == 90.0


def test_state_message_and_options_are_those_of_the_other_server(servers: TwoServers) -> None:
    ann = servers.join("Ann")
    servers.receive(MessageChanged("Back at ten"), StateChanged(PAUSED))
    assert servers.other.message == "Back at ten"
    assert servers.other.sync(ann.id, ()).state == PAUSED
    servers.receive(StateChanged(ENDED), MessageChanged(""))
    assert servers.other.message == "" and servers.other.sync(ann.id, ()).state == ENDED
    options = servers.allow_one_more.options
    wanted = replace(options, terms=replace(options.terms, overlap=3))
    servers.receive(TermsChanged(wanted.as_json()))
    assert servers.other.options == wanted
    assert {needed for _, needed in servers.other.scheduler.progress().values()} != {
        needed for _, needed in servers.allow_one_more.scheduler.progress().values()
    }


# Changes that the window makes in the project while it serves the session


@contextmanager
def serve_from_window(path: Path) -> Iterator[tuple[Server, Project]]:
    """Serve a session of four documents; yield the server and the project of the window."""
    build_class(path, topics=("9",), documents=4)
    options = SessionOptions(SchedulingOptions(overlap=1))
    with open_project(path) as project:
        opening = open_project_session(
            project.second_connection, lambda opened: begin_session(opened, options)
        )
        server = Server(path, opening, ServerAddress("127.0.0.1", None))
        server.start()
        try:
            yield server, project
        finally:
            server.stop()


def judge_all(person: Person, project: Project, want: int) -> None:
    person.sync(want)
    for position in person.open_items():
        person.grade(position, 1, project.scale.version)


def test_a_participant_excluded_in_the_project_is_excluded_from_the_running_session(
    tmp_path: Path,
) -> None:
    with serve_from_window(tmp_path / "class.irjudge") as (server, project):
        ann, bob = Person(server, "ann"), Person(server, "bob")
        judge_all(ann, project, 2)
        assert ann.sync(0)["judged"] == 2
        id = server.ask("standing")["people"][0]["id"]
        exclude_assessor(project, id, "too fast")
        answer = ann.sync(2)
        assert (answer["aside"], answer["judged"], answer["held"]) == (True, 0, [])
        assert [each["here"] for each in server.ask("standing")["people"]] == [True, True]
        bob.sync(5)
        assert len(bob.open_items()) == 4
        readmit_assessor(project, id)
        answer = ann.sync(0)
        assert (answer["aside"], answer["judged"]) == (False, 2)


def import_work(person: Person, project: Project, folder: Path) -> None:
    """Import the unsent judgments of a participant as a result file."""
    browser = Browser(person.call("/welcome", {})["task"])
    browser.texts = [
        json.dumps(action, ensure_ascii=False, separators=(",", ":")) for action in person.outbox
    ]
    merge_files(project, [browser.save(folder / "work.result.json")])


def test_judgments_of_a_result_file_imported_during_the_session_are_stored_once(
    tmp_path: Path,
) -> None:
    with serve_from_window(tmp_path / "class.irjudge") as (server, project):
        ann = Person(server, "ann")
        judge_all(ann, project, 4)  # not sent, since there is no connection
        import_work(ann, project, tmp_path)
        status = server.ask("standing")
        assert (status["judged"], status["people"][0]["judged"]) == (4, 4)
        answer = ann.sync(0)
        assert (answer["refused"], answer["acknowledged"], answer["count"]) == (None, 4, 4)
        assert project.events.count(status["people"][0]["id"]) == 4
        ann.undo(ann.saved[0])
        assert (ann.sync(0)["judged"], project.events.count()) == (3, 5)


def test_imported_judgments_of_documents_that_others_have_judged_meanwhile_are_late(
    tmp_path: Path,
) -> None:
    with serve_from_window(tmp_path / "class.irjudge") as (server, project):
        ann, bob = Person(server, "ann"), Person(server, "bob")
        judge_all(ann, project, 4)  # not sent
        server.ask("release", person="ann")
        judge_all(bob, project, 3)
        bob.sync(0)
        import_work(ann, project, tmp_path)
        status = server.ask("standing")
        assert [(row["judged"], row["late"]) for row in status["people"]] == [(1, 3), (3, 0)]
        assert status["judged"] == 4
        assert len(project_labels(project).label) == 4
