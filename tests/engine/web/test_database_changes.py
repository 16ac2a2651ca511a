"""Tests of the statements of the database store, with prepared rows instead of a database.

Tests marked slow do the same with PostgreSQL.
"""

import json
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import psycopg
import pytest
from psycopg import errors

from irjudge.errors import IrjudgeError, ProjectError
from irjudge.model import AssignedItem, Event, Item, OrganiserNote, Topic
from irjudge.store import ENDED, PAUSED, Completion, Participant, open_project
from irjudge.web import SchedulingOptions, SessionOptions
from irjudge.web.postgres_connection import (
    SCHEMA_VERSION,
    check_url,
    compute_fingerprints,
    describe_error,
    find_last_line,
)
from irjudge.web.postgres_store import DatabaseStore, format_completion
from irjudge.web.session_store import (
    ActionTaken,
    ExclusionChanged,
    Heartbeat,
    ItemAssigned,
    ItemStateChanged,
    LeasedItem,
    MessageChanged,
    ParticipantChanged,
    ParticipantJoined,
    ParticipantMerged,
    SessionChange,
    StateChanged,
    TermsChanged,
)
from tests.engine.exchange.classroom import build_class

NUMBER = 4  # number of the session
ANN = Participant("p-ann", NUMBER, 1, "Ann", b"a" * 32, "2026-03-01T09:00:00.000Z")
ITEM = AssignedItem("7", (("d1",),))
NOTE = OrganiserNote()


def event_of(person: str, number: int = 1) -> Event:
    payload = {"value": 1, "scale": "s" * 8}
    item = Item("7", ("d1",), ("0" * 64,))
    time = "2026-03-01T09:00:01.000Z"
    return Event(person, "grade", item, time, payload, version=2, client="c" * 32, number=number)


class PreparedConnection:
    """Rows that a database would return, and the statements that were sent."""

    name = "prepared"

    def __init__(self) -> None:
        self.terms = SessionOptions(SchedulingOptions(overlap=2)).as_json()
        self.turn, self.state, self.message = 7, "open", ""
        self.schema = str(SCHEMA_VERSION)
        self.people: list[tuple[Any, ...]] = []
        self.leases: list[tuple[Any, ...]] = []
        self.events: list[tuple[Any, ...]] = []
        self.sent: list[tuple[str, Any]] = []
        self.since = -1  # the turn after which rows must be requested

    @contextmanager
    def transaction(self) -> Iterator[None]:
        yield

    savepoint = transaction

    def acquire_lock(self, lock_number: int) -> None:
        assert lock_number == NUMBER

    def run(self, statement: str, values: Sequence[Any] = ()) -> None:
        self.sent.append((statement, values))

    def run_batch(self, statement: str, rows: Sequence[Sequence[Any]]) -> None:
        self.sent += [(statement, row) for row in rows]

    def fetch_all(self, statement: str, values: Sequence[Any] = ()) -> list[tuple[Any, ...]]:
        texts = " ".join(statement.split())
        terms = json.dumps(self.terms)
        if texts.startswith("SELECT code, id, state"):
            head = (NUMBER, "s-1", self.state, terms, "2026-03-01T08:59:00.000Z")
            return [(*head, "KLMN", 11, 1, self.message, str(hash(terms)))]
        if texts.startswith("SELECT topic, document"):
            return [("7", "d1"), ("9", "d2"), ("7", "d3")]
        if texts.startswith("SELECT turn, state"):
            return [(self.turn, self.state, self.message, str(hash(terms)), self.schema)]
        assert texts.startswith("SELECT terms FROM session")
        return [(terms,)]

    def run_all(self, queries: Iterable[tuple[str, Sequence[Any]]]) -> list[list[Any]]:
        assert [values for _, values in queries] == [(NUMBER, self.since)] * 3
        return [self.people, self.leases, self.events]


def row_of(
    person: Participant, *, aside: bool = False, seconds: float = 0.0, same: str = ""
) -> tuple[Any, ...]:
    head = (person.id, person.assignment, person.name, person.token, person.joined)
    return (*head, aside, seconds, same, "", "")


def lease_row(number: int, state: str = "held") -> tuple[Any, ...]:
    return (ANN.id, number, ITEM.type, "7", '[["d1"]]', "[]", NOTE.role, "", "", state)


def event_row(event: Event) -> tuple[Any, ...]:
    return (event.assessor, bytes.fromhex(event.digest), event.canonical_bytes)


@pytest.fixture
def link() -> PreparedConnection:
    return PreparedConnection()


@pytest.fixture
def store(link: PreparedConnection) -> DatabaseStore:
    return DatabaseStore(link, None, NUMBER)  # type: ignore[arg-type]


def changes_of(store: DatabaseStore) -> list[SessionChange]:
    with store.transaction():
        return list(store.changes())


def add_ann(link: PreparedConnection, store: DatabaseStore) -> None:
    """Add Ann with one lease to the store."""
    link.people, link.leases = [row_of(ANN)], [lease_row(0)]
    assert changes_of(store) == [ParticipantJoined(ANN), Heartbeat(ANN.id, 0.0)]
    link.people, link.leases, link.since, link.turn = [], [], 7, 8


def test_the_session_is_read_with_its_pool_in_order(store: DatabaseStore) -> None:
    assert store.pool() == {"7": ["d1", "d3"], "9": ["d2"]}
    assert (store.code, store.seed(), store.pool_version()) == ("KLMN", 11, 1)
    assert store.session().state == "open" and store.session().code == NUMBER


def test_a_new_participant_comes_with_leases_and_events_which_are_not_reported_again(
    link: PreparedConnection, store: DatabaseStore
) -> None:
    event = event_of(ANN.id)
    link.people, link.leases = [row_of(ANN, seconds=2.5)], [lease_row(0, "counted")]
    link.events = [event_row(event)]
    with store.transaction():
        changes = store.changes()
        assert next(iter(changes)) == ParticipantJoined(ANN)
        assert list(store.list_leases(ANN)) == [LeasedItem(0, ITEM, NOTE, "counted")]
        assert list(store.read(ANN.id)) == [event]
    assert link.sent == []


def test_a_server_that_starts_reads_the_whole_session(
    link: PreparedConnection, store: DatabaseStore
) -> None:
    link.people, link.leases = [row_of(ANN, aside=True, same="p-bob")], [lease_row(0)]
    with store.transaction():
        assert store.participants() == [ANN]
        assert store.excluded_ids() == {ANN.id} and store.get_first_ids() == {ANN.id: "p-bob"}
        assert list(store.list_leases(ANN)) == [LeasedItem(0, ITEM, NOTE, "held")]
        assert list(store.changes()) == []  # nothing of it is new


def test_each_changed_column_of_a_participant_is_one_change(
    link: PreparedConnection, store: DatabaseStore
) -> None:
    add_ann(link, store)
    renewed = Participant(ANN.id, NUMBER, 1, "Ann", b"b" * 32, ANN.joined)
    for row, change in (
        (row_of(renewed), ParticipantChanged(renewed)),
        (row_of(renewed, aside=True), ExclusionChanged(ANN.id, True)),
        (row_of(renewed), ExclusionChanged(ANN.id, False)),
        (row_of(renewed, same="p-bob"), ParticipantMerged()),
    ):
        link.people = [row]
        assert changes_of(store) == [change, Heartbeat(ANN.id, 0.0)]
        link.since, link.turn = link.turn, link.turn + 1
    assert store.get_first_ids() == {ANN.id: "p-bob"}


def test_leases_and_events_of_a_known_participant_are_reported_one_by_one(
    link: PreparedConnection, store: DatabaseStore
) -> None:
    add_ann(link, store)
    event = event_of(ANN.id)
    link.leases, link.events = [lease_row(0, "counted"), lease_row(1)], [event_row(event)]
    assert changes_of(store) == [
        ItemStateChanged(ANN.id, 0, "counted"),
        ItemAssigned(ANN.id, LeasedItem(1, ITEM, NOTE, "held")),
        ActionTaken(event),
    ]


def test_nothing_is_read_while_no_server_wrote(
    link: PreparedConnection, store: DatabaseStore
) -> None:
    add_ann(link, store)
    link.turn, link.people = 7, [row_of(ANN, aside=True)]  # rows that must not be requested
    assert changes_of(store) == []


def test_state_message_and_options_are_reported_once(
    link: PreparedConnection, store: DatabaseStore
) -> None:
    changes_of(store)
    link.state, link.message = PAUSED, "Back at ten"
    assert changes_of(store) == [StateChanged(PAUSED), MessageChanged("Back at ten")]
    link.state, link.terms = ENDED, {**link.terms, "gold_every": 5}
    assert changes_of(store) == [StateChanged(ENDED), TermsChanged(link.terms)]
    assert changes_of(store) == [] and store.session().terms == link.terms


def test_a_database_that_a_newer_server_changed_is_refused(
    link: PreparedConnection, store: DatabaseStore
) -> None:
    link.schema = str(SCHEMA_VERSION + 1)
    with pytest.raises(ProjectError) as error:
        changes_of(store)
    assert error.value.values == {"name": "prepared"}


def test_what_a_transaction_writes_gets_its_number_once(
    link: PreparedConnection, store: DatabaseStore
) -> None:
    add_ann(link, store)
    event = event_of(ANN.id)
    with store.transaction():
        assert list(store.changes()) == []
        store.assign_items(ANN, 1, [ITEM], [NOTE])
        store.store_lease_states([(ANN, 0, "counted")])
        store.append(event)
        store.record_heartbeat(ANN.id)
        assert link.sent == []  # written together, at the end
    kinds = [statement.split()[0] + " " + statement.split()[1] for statement, _ in link.sent]
    assert kinds == [
        "UPDATE session",
        "INSERT INTO",
        "UPDATE lease",
        "INSERT INTO",
        "UPDATE assessor",
    ]
    turns = [link.sent[0][1][0], link.sent[1][1][-1], link.sent[2][1][1], link.sent[3][1][0]]
    assert turns == [9, 9, 9, 9]
    assert link.sent[3][1][1:] == (
        [bytes.fromhex(event.digest)],
        [ANN.id],
        ["c" * 32],
        [1],
        [event.canonical_bytes],
    )
    with store.transaction():
        store.record_heartbeat(ANN.id)  # too soon after the last heartbeat to be written
    assert len(link.sent) == 5


def test_a_block_that_fails_is_not_written_and_the_rest_of_the_transaction_is(
    link: PreparedConnection, store: DatabaseStore
) -> None:
    add_ann(link, store)
    with store.transaction():
        store.store_lease_states([(ANN, 0, "counted")])
        with pytest.raises(IrjudgeError), store.savepoint():
            store.set_state(PAUSED)
            store.append(event_of(ANN.id))
            raise IrjudgeError("refused")
    assert store.session().state == "open"
    assert not any("INSERT INTO event" in statement for statement, _ in link.sent)
    assert sum("UPDATE lease" in statement for statement, _ in link.sent) == 1


def test_participants_are_changed_for_all_servers(
    link: PreparedConnection, store: DatabaseStore
) -> None:
    add_ann(link, store)
    with store.transaction():
        store.note_completion(ANN.id, Completion("2026-03-01T10:00:00.000Z", False, 12))
        store.note_survey(ANN.id, {"age": "30"})
        store.note_survey(ANN.id, {"place": "Graz"})
        store.set_excluded(ANN.id, is_excluded=True)
        store.set_token(ANN.id, b"n" * 32)
        store.set_message("Soon over")
        store.free_seat(ANN.id)
    assert store.surveys() == {ANN.id: {"age": "30", "place": "Graz"}}
    assert store.completions() == {ANN.id: Completion("2026-03-01T10:00:00.000Z", False, 12)}
    assert store.excluded_ids() == {ANN.id} and store.message() == "Soon over"
    assert {values[-2] for statement, values in link.sent if "assessor" in statement} == {9}


def test_a_completion_is_stored_as_json() -> None:
    stored = format_completion(Completion("2026-03-01T10:00:00.000Z", True, 3))
    assert json.loads(stored) == ["2026-03-01T10:00:00.000Z", True, 3]


def test_an_address_names_the_database_and_holds_no_password() -> None:
    assert check_url("postgresql://ann@host/judging") == "judging"
    assert check_url("postgresql://host") == "postgres"
    with pytest.raises(IrjudgeError, match="password"):
        check_url("postgresql://ann:secret@host/judging")
    with pytest.raises(IrjudgeError) as error:
        check_url("postgresql://host/judging?sslkey=key&sslpassword=secret")
    assert error.value.key == "key-password"
    with pytest.raises(IrjudgeError) as error:
        check_url("judging at host")
    assert error.value.key == "no-database-address"


@pytest.mark.parametrize(
    "host", ["ann%3Asecret%40127.0.0.1:1", "secret%40host", "host,ann%3Asecret", "%3A%3Asecret"]
)
def test_a_database_host_that_contains_a_password_is_refused(host: str) -> None:
    with pytest.raises(IrjudgeError) as error:
        check_url(f"postgresql://{host}/judging")
    assert error.value.key == "no-database-address"


@pytest.mark.parametrize(
    "host",
    ["127.0.0.1:1", "one:1,two:2", "[::1]:1", "[fe80::1%25eth0]", "%2Frun%2Fa@b", "host-1.x_y"],
)
def test_a_valid_database_host_is_accepted(host: str) -> None:
    assert check_url(f"postgresql://{host}/judging") == "judging"


@pytest.mark.parametrize(
    "error, expected",
    [
        (errors.DiskFull("x"), "disk"),
        (errors.UniqueViolation("x"), "same time"),
        (errors.AdminShutdown("x"), "lost"),
        (psycopg.OperationalError("x"), "lost"),
        (errors.SyntaxError('syntax error at "X"\nIs it running?'), 'at "X"'),
    ],
)
def test_errors_of_the_database_are_described(error: psycopg.Error, expected: str) -> None:
    assert expected in describe_error(error)


def test_the_last_statement_of_an_error_is_shown_without_its_questions() -> None:
    text = (
        "connection to ::1 failed: refused\n\tIs it running?\nconnection to host failed: no route."
    )
    assert find_last_line(psycopg.OperationalError(text)) == "connection to host failed: no route"
    assert find_last_line(psycopg.OperationalError("")) == "OperationalError"


def test_a_changed_part_of_the_project_changes_its_fingerprint_alone(tmp_path: Path) -> None:
    path = tmp_path / "class.irjudge"
    build_class(path)
    options = SessionOptions(SchedulingOptions(overlap=2))
    with open_project(path) as project:
        before = compute_fingerprints(project, 1, options)
        assert compute_fingerprints(project, 1, options) == before
        project.collection.add_topics([Topic("new", "a topic that nobody judges")])
        after = compute_fingerprints(project, 1, options)
    assert {name for name, value in before.items() if after[name] != value} == {
        "project",
        "topics",
    }
    assert {"pool", "texts", "gold", "scale"} < before.keys()
