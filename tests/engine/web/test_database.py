"""Tests of sessions in a database: several servers, merging, dumps, and error messages."""

import http.client
import signal
import threading
import time
from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from itertools import count
from pathlib import Path
from random import Random
from typing import Any

import psycopg
import pytest

from irjudge.cli.main import main
from irjudge.errors import IrjudgeError
from irjudge.exchange import merge_sessions
from irjudge.judging import project_labels
from irjudge.message import Message
from irjudge.store import ENDED, PAUSED, open_project
from irjudge.web import (
    SchedulingOptions,
    Server,
    SessionOptions,
    SharedSession,
    begin_session,
    open_database_session,
    open_project_session,
    read_sessions,
)
from irjudge.web.postgres_connection import ERROR_MESSAGES, DatabaseConnection
from irjudge.web.session_store import SessionStore
from tests.engine.exchange.classroom import build_class
from tests.engine.web.conftest import Databases
from tests.engine.web.session_client import Person, make_server, pull, run_server, send_request
from tests.engine.web.test_server import ServerProcess
from tests.golden.released.test_released import state
from tests.lengths import short_or_long
from tests.postgres import Postgres

pytestmark = pytest.mark.slow


@pytest.fixture
def project(tmp_path: Path) -> Path:
    path = tmp_path / "class.irjudge"
    build_class(path)
    return path


@pytest.fixture
def scale(project: Path) -> str:
    with open_project(project, writing=False) as opened:
        return opened.scale.version


def judge_all(people: list[Person], scale: str, ports: list[int]) -> None:
    """Let all participants judge their items, sending each request to a different server."""
    turns = count()
    while sum(len(person.sync()["items"]) + len(person.open_items()) for person in people):
        for person in people:
            person.port = ports[next(turns) % len(ports)]
            for index in person.open_items()[:2]:
                person.grade(index, index % 4, scale)


def item_states(session: SharedSession) -> list[list[Any]]:
    """Return every item of every participant, and its state."""
    return [
        [(lease.pair, lease.state) for lease in session.scheduler.leases(seat.id)]
        for seat in session.status().participants
    ]


def hash_of(path: Path) -> str:
    with open_project(path, writing=False) as opened:
        assert opened.verify().problems == ()
        return state(opened)


# Several servers


def test_two_servers_assign_nothing_twice_and_have_the_same_state(
    project: Path, scale: str, databases: Databases
) -> None:
    with run_server(project) as one, run_server(project) as other:
        assert one.code == other.code
        people = [
            Person(server, name) for server, name in ((one, "Ann"), (other, "Bob"), (one, "Cleo"))
        ]
        judge_all(people, scale, [one.port, other.port])
        standings = [server.lead(lambda session: session.status()) for server in (one, other)]
        assert standings[0].topics == standings[1].topics
        assert [seat.judged for seat in standings[0].participants] == [
            seat.judged for seat in standings[1].participants
        ]
        assert one.lead(item_states) == other.lead(item_states)
    with open_project(project, writing=False) as opened:
        votes = Counter(project_labels(opened).item.tolist())
        assert set(votes.values()) == {2} and len(votes) == 36


def test_host_actions_at_one_server_take_effect_at_the_other(
    project: Path, scale: str, databases: Databases
) -> None:
    with run_server(project) as one, run_server(project) as other:
        ann = Person(one, "Ann")
        ann.sync()
        ann.grade(0, 2, scale)
        ann.sync()
        assert (
            send_request(
                other.port, "/join", {"protocol": 1, "code": other.code, "name": "ann"}
            ).json["kind"]
            == "taken"
        )
        other.lead(lambda session: session.exclude_participant(session.find_participant("Ann")))
        assert one.lead(lambda session: session.status().participants[0].aside)
        assert not any(
            judged for judged, _ in one.lead(lambda session: session.scheduler.progress()).values()
        )
        other.lead(lambda session: session.readmit_participant(session.find_participant("Ann")))
        assert (
            sum(
                judged
                for judged, _ in one.lead(lambda session: session.scheduler.progress()).values()
            )
            == 1
        )
        token = other.lead(lambda session: session.renew_token(session.find_participant("Ann")))
        assert ann.try_call("/sync", {}).status == 401
        ann.token = token
        other.lead(lambda session: session.release(session.find_participant("Ann")))
        assert ann.sync()["lost"]
        anna = Person(one, "Anna")
        other.lead(
            lambda session: session.set_first_id(
                session.find_participant("Anna"), session.find_participant("Ann")
            )
        )
        status = one.lead(lambda session: session.status())
        assert [(seat.name, seat.same) for seat in status.participants] == [("Ann", "Anna")]
        anna.port = one.port
        anna.sync(want=5)
        assert tuple(ann.items[0]["documents"]) not in {
            tuple(item["documents"]) for item in anna.items.values()
        }
        assert one.lead(item_states) == other.lead(item_states)
        other.lead(lambda session: session.revoke(session.find_participant("Anna")))
        assert anna.try_call("/sync", {}).status == 401
        bob = Person(one, "Bob")
        other.lead(lambda session: session.free_seat(session.find_participant("Bob")))
        assert bob.try_call("/sync", {}).status == 401
        assert [seat.name for seat in one.lead(lambda session: session.status()).participants] == [
            "Ann"
        ]
        assert Person(one, "Bob").try_call("/sync", {}).status == 200
        other.lead(lambda session: session.set_state(PAUSED))
        assert ann.sync()["state"] == "paused"
        other.lead(lambda session: session.set_state(ENDED))
        assert ann.sync()["state"] == "ended"


def test_a_heartbeat_at_one_server_keeps_leases_at_the_other(
    project: Path, databases: Databases
) -> None:
    options = SessionOptions(SchedulingOptions(overlap=1, lease=1.0), topics=("9",))
    with run_server(project, options) as one, run_server(project, options) as other:
        ann, bob = Person(one, "Ann"), Person(other, "Bob")
        held = set(ann.sync(want=3)["items"][0]) and ann.open_items()
        for _ in range(8):  # longer than the lease, with the participant present all the time
            time.sleep(0.2)
            assert ann.sync(want=0)["lost"] == []
        given = 0
        while bob.sync(want=5)["items"]:
            given = len(bob.items)
            bob.judged = set(bob.items)
            if given >= 5:
                break
        mine = {tuple(ann.items[position]["documents"]) for position in held}
        assert not mine & {tuple(item["documents"]) for item in bob.items.values()}


# From one store to another


def run_script(opening: Any, scale: str, documents: dict[str, str]) -> None:
    """Let the same participants do the same in a session in any kind of store."""
    seconds = count()
    chance = Random(3)
    with opening() as store:
        session = in_turn(
            store,
            None,
            lambda: SharedSession(
                store, clock=lambda: f"2026-03-01T10:00:{next(seconds) % 60:02}.000Z"
            ),
        )
        people = [
            in_turn(store, session, lambda name=name: session.join(name)[0])
            for name in ("Ann", "Bob")
        ]
        for step in range(30):
            person, client = people[step % 2], f"{step % 2:032x}"
            answer = in_turn(
                store, session, lambda person=person: session.sync(person, (), wanted_count=1)
            )
            shown = next(
                (
                    each
                    for each in answer.new_items
                    if session._works_by_id[person].leases[each.position].state == "held"
                ),
                None,
            )
            if shown is None:
                continue
            document = shown.item.documents[0]
            action = {
                "client": client,
                "number": 1 + len([1 for each in session._works_by_id[person].log.known_actions]),
                "kind": "grade",
                "item": {
                    "type": "document",
                    "topic": shown.item.topic,
                    "documents": [document],
                    "contents": [documents[document]],
                    "occurrence": shown.occurrence,
                },
                "time": "2026-03-01T10:00:00.000Z",
                "payload": {"value": chance.randrange(4), "scale": scale},
                "target": None,
            }
            assert (
                in_turn(
                    store,
                    session,
                    lambda person=person, action=action: session.sync(person, [action]),
                ).refused
                is None
            )
        in_turn(store, session, lambda: session.exclude_participant(people[1]))


def in_turn(store: SessionStore, session: SharedSession | None, work: Any) -> Any:
    with store.transaction():
        if session is not None:
            session.catch_up()
        return work()


def test_both_stores_give_the_same_project_in_any_order(
    project: Path, scale: str, tmp_path: Path, postgres: Postgres, monkeypatch: pytest.MonkeyPatch
) -> None:
    copies = [tmp_path / f"{name}.irjudge" for name in ("own", "early", "late")]
    for path in copies:
        path.write_bytes(project.read_bytes())
    with open_project(project, writing=False) as opened:
        documents = opened.collection.digests(
            [f"t{topic}n{number}" for topic in ("051", "007", "9") for number in range(16)]
        )
    url, options = (
        postgres.database(),
        SessionOptions(SchedulingOptions(overlap=1, repeats_every=4)),
    )

    def with_fixed_randomness(opening: Any) -> None:
        ids, random = count(), Random(4)
        monkeypatch.setattr("secrets.randbits", lambda count: 7)
        monkeypatch.setattr(
            "secrets.token_hex",
            lambda size: f"{next(ids):010x}" if size == 5 else random.randbytes(size).hex(),
        )
        run_script(opening, scale, documents)
        monkeypatch.undo()

    with_fixed_randomness(
        open_project_session(
            lambda: open_project(copies[0]), lambda opened: begin_session(opened, options)
        )
    )
    done = threading.Event()

    def keep_pulling() -> None:
        while not done.is_set():
            try:
                load_dump(copies[1], url)
            except IrjudgeError:  # not created yet
                time.sleep(0.05)

    puller = threading.Thread(target=keep_pulling)
    puller.start()
    try:
        with_fixed_randomness(
            open_database_session(
                url, lambda: open_project(project, writing=False), lambda _: options
            )
        )
    finally:
        done.set()
        puller.join()
    load_dump(copies[1], url)
    load_dump(copies[2], url)
    hashes = {hash_of(path) for path in copies}
    assert len(hashes) == 1 and hash_of(project) not in hashes
    with open_project(copies[0], writing=False) as opened:
        assert opened.events.count() > 20 and len(project_labels(opened)) > 5


def load_dump(path: Path, url: str) -> Any:
    with open_project(path) as opened, read_sessions(url, opened) as sessions:
        return merge_sessions(opened, sessions, backup=False)


def test_a_dump_and_the_project_can_each_restore_the_other(
    project: Path, scale: str, tmp_path: Path, databases: Databases, postgres: Postgres
) -> None:
    before = tmp_path / "before.irjudge"
    before.write_bytes(project.read_bytes())
    with run_server(project, SessionOptions(SchedulingOptions(overlap=2, gold_every=5))) as server:
        ann, bob = Person(server, "Ann"), Person(server, "Bob")
        for person in (ann, bob):
            person.sync()
            for index in person.open_items()[:2]:
                person.grade(index, 1, scale)
            person.sync()
        held = server.lead(item_states)
    whole, first = hash_of(project), databases[project]
    restored = postgres.database()
    postgres.restore(restored, postgres.dump(first))
    load_dump(before, restored)
    assert hash_of(before) == whole
    databases[project] = postgres.database()  # the first one is lost: the project creates another
    with run_server(project) as server:
        assert server.lead(item_states) == held
        ann.port = server.port
        assert ann.call("/welcome", {})["actions"] == ann.saved  # their links still work
        assert server.lead(lambda session: session.options.terms.gold_every) == 5
    assert hash_of(project) == whole


def test_merged_participants_of_a_project_are_known_to_all_servers(
    project: Path, scale: str, databases: Databases
) -> None:
    with run_server(project) as server:
        people = [Person(server, name) for name in ("Ann", "Anna", "Bob")]
        judge_all(people[:1], scale, [server.port])
    assert main(["participant", str(project), "Anna", "--same-as", "Ann"]) == 0
    with run_server(project) as one, run_server(project) as other:
        for server in (one, other):
            assert [
                seat.same for seat in server.lead(lambda session: session.status()).participants
            ] == [
                "Anna",
                "",
            ]
        anna = people[1]
        anna.port = other.port
        assert anna.sync(want=5)["items"] == []
        other.lead(
            lambda session: session.set_first_id(
                session.find_participant("Bob"), session.find_participant("Ann")
            )
        )
    with open_project(project, writing=False) as opened:
        ids = {person.name: person.id for person in opened.sessions.participants()}
        assert opened.sessions.first_ids() == {ids["Anna"]: ids["Ann"], ids["Bob"]: ids["Ann"]}


def test_merging_again_changes_nothing_and_a_deleted_name_stays_deleted(
    project: Path, scale: str, databases: Databases
) -> None:
    with run_server(project) as server:
        ann = Person(server, "Ann")
        ann.sync()
        ann.grade(0, 2, scale)
        ann.sync()
    before = project.read_bytes()
    assert (
        load_dump(project, databases[project]).reports[0].identical == 1
        and project.read_bytes() == before
    )
    with open_project(project) as opened:
        opened.sessions.rename_person(opened.sessions.participants()[0].id, "")
    load_dump(project, databases[project])
    with open_project(project, writing=False) as opened:
        assert [person.name for person in opened.sessions.participants()] == [""]


def test_the_command_merges_a_database_and_reports_the_result(
    project: Path, scale: str, databases: Databases, capsys: pytest.CaptureFixture[str]
) -> None:
    server = make_server(project)
    server.start()
    ann = Person(server, "Ann")
    ann.sync()
    ann.grade(0, 2, scale)
    ann.sync()
    server.stop()
    assert main(["merge", str(project), databases[project], "--format", "csv"]) == 0
    captured = capsys.readouterr()
    assert ",1,1,0,0,0,0" in captured.out and "before-merge" in captured.err
    assert (
        main(["merge", str(project), databases[project]]) == 0
        and "Nothing is new" in capsys.readouterr().err
    )
    assert (
        main(["merge", str(project), databases[project], "x.irtask"]) == 2
        and "without other files" in capsys.readouterr().err
    )


# Errors


def error_message(
    project: Path, url: str, options: SessionOptions | None = None, *, unsafe: bool = False
) -> Message:
    """Return the message of the error when a project is served from a database."""
    opening = open_database_session(
        url,
        lambda: open_project(project, writing=False),
        lambda _: options or SessionOptions(),
        unsafe=unsafe,
    )
    with pytest.raises(IrjudgeError) as raised, opening():
        pass
    return raised.value.message


def start_session(project: Path, url: str, **more: Any) -> None:
    with open_database_session(
        url, lambda: open_project(project, writing=False), lambda _: SessionOptions(), **more
    )():
        pass


def test_the_database_of_another_project_is_refused(
    project: Path, tmp_path: Path, postgres: Postgres
) -> None:
    url, other = postgres.database(), tmp_path / "other.irjudge"
    start_session(project, url)
    build_class(other, topics=("1", "2"))
    message = error_message(other, url)
    assert "a different project" in message and "other.irjudge" in message
    with (
        open_project(other) as opened,
        pytest.raises(IrjudgeError, match="a different project"),
        read_sessions(url, opened),
    ):
        pass


def test_other_texts_or_another_scale_are_refused(
    project: Path, tmp_path: Path, postgres: Postgres
) -> None:
    url = postgres.database()
    start_session(project, url)
    for part, text in (
        ("texts", "different texts"),
        ("pool", "a different pool"),
        ("gold", "different gold items"),
        ("scale", "a different scale"),
    ):
        ((value,),) = postgres.sql(url, f"SELECT value FROM irjudge_fact WHERE name = '{part}'")
        postgres.sql(url, f"UPDATE irjudge_fact SET value = 'x' WHERE name = '{part}'")
        assert text in error_message(project, url)
        postgres.sql(url, f"UPDATE irjudge_fact SET value = '{value}' WHERE name = '{part}'")
    start_session(project, url)


def test_newer_and_foreign_databases_are_refused_with_a_message(
    project: Path, postgres: Postgres
) -> None:
    url = postgres.database()
    with (
        open_project(project) as opened,
        pytest.raises(IrjudgeError, match="contains no session"),
        read_sessions(url, opened),
    ):
        pass
    postgres.sql(url, "CREATE TABLE event (what text)")
    foreign = error_message(project, url)
    assert (foreign.key, foreign.values["table"]) == ("foreign-database", "event")
    newer = postgres.database()
    start_session(project, newer)
    postgres.sql(newer, "UPDATE irjudge_fact SET value = '99' WHERE name = 'form'")
    assert "newer version" in error_message(project, newer)


@pytest.mark.parametrize(
    ("setting", "value"),
    [("synchronous_commit", "off"), ("fsync", "off"), ("full_page_writes", "off")],
)
def test_a_database_without_durability_is_refused_unless_allowed(
    project: Path, setting: str, value: str, request: pytest.FixtureRequest
) -> None:
    if setting == "synchronous_commit":
        server = request.getfixturevalue("postgres")
        url = server.database()
        server.sql(
            url, f"ALTER DATABASE {url.split('/')[3].split('?')[0]} SET synchronous_commit = off"
        )
    else:
        server = Postgres(f"{setting}={value}")
        request.addfinalizer(server.close)
        url = server.database()
    assert f"{setting} = {value}" in error_message(project, url)
    start_session(project, url, unsafe=True)


def test_a_server_writes_with_fsync_and_synchronous_commit_on(postgres: Postgres) -> None:
    link = DatabaseConnection(postgres.database())
    with link.transaction():
        assert link.fetch_all(
            "SELECT current_setting('fsync'), current_setting('synchronous_commit')"
        ) == [("on", "on")]
    link.close()


def test_invalid_addresses_have_a_message(
    project: Path, postgres: Postgres, tmp_path: Path
) -> None:
    assert "contains a password" in error_message(project, "postgresql://me:secret@localhost/x")
    assert "secret" not in error_message(project, "postgresql://me:secret@localhost/x")
    for address in (
        "postgresql://localhost/x?password=sesame&nothing=1",
        "Postgresql://me:sesame@localhost/x",
        "postgresql+psycopg://me:sesame@localhost/x",
        "mysql://me:sesame@localhost/x",
        "postgresql://me:1/sesame@localhost",
    ):
        assert "valid database address" in error_message(project, address)
        assert "sesame" not in error_message(project, address)
    unreachable = error_message(project, f"postgresql:///x?host={tmp_path}")
    assert "No such file" in unreachable and "?" not in unreachable
    assert "does not exist" in error_message(project, postgres.url("nowhere"))


def test_a_lost_connection_causes_a_retry(
    project: Path, scale: str, databases: Databases, postgres: Postgres
) -> None:
    with run_server(project) as server:
        ann = Person(server, "Ann")
        ann.sync()
        ann.grade(0, 2, scale)
        postgres.sql(
            "postgres",
            "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name = 'irjudge'",
        )
        answers = [
            ann.try_call("/sync", {"client": ann.client, "actions": ann.outbox}) for _ in range(2)
        ]
        assert [answer.status for answer in answers] == [503, 200]
        assert answers[0].json["kind"] == "unsaved" and "connection" in answers[0].json["problem"]
        assert ann.sync()["acknowledged"] == 1 and ann.sync()["count"] == 1


@pytest.mark.parametrize("code", ["53100", "42501", "25006"])  # full, no permission, read-only
def test_a_full_disk_and_other_database_errors_are_described(
    project: Path, scale: str, databases: Databases, postgres: Postgres, code: str
) -> None:
    with run_server(project) as server:
        ann = Person(server, "Ann")
        ann.sync()
        ann.grade(0, 2, scale)
        url = databases[project]
        postgres.sql(
            url,
            f"CREATE FUNCTION halt() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RAISE EXCEPTION 'no' USING ERRCODE = '{code}'; END $$; "
            "CREATE TRIGGER halt BEFORE INSERT ON event FOR EACH ROW EXECUTE FUNCTION halt()",
        )
        answer = ann.try_call("/sync", {"client": ann.client, "actions": ann.outbox})
        text = dict(ERROR_MESSAGES)[psycopg.errors.lookup(code)]
        assert answer.status == 503 and text in answer.json["problem"]
        postgres.sql(url, "DROP TRIGGER halt ON event")
        assert ann.sync()["acknowledged"] == 1


# Crashes


def test_nothing_acknowledged_is_lost_or_doubled_when_servers_and_database_are_killed(
    project: Path, scale: str, databases: Databases, request: pytest.FixtureRequest
) -> None:
    postgres = Postgres()
    request.addfinalizer(postgres.close)
    databases[project] = postgres.database()
    served = [ServerProcess(project, "--overlap", "3") for _ in range(2)]
    people: list[Person] = []
    over = threading.Event()

    def attend(number: int) -> None:
        chance, person = Random(number), people[number]
        while not over.is_set():
            person.port = served[chance.randrange(2)].port
            try:
                person.sync(want=2)
            except (
                OSError,
                http.client.HTTPException,
                ValueError,
                AssertionError,
            ):  # it or its database was killed just now
                time.sleep(0.05)
                continue
            for index in person.open_items()[:1]:
                action = person.grade(index, chance.randrange(4), scale)
                if chance.random() < 0.5:
                    person.undo(action)
                    person.judged.discard(index)

    people += [Person(served[number % 2], f"Person {number}") for number in range(6)]  # type: ignore[arg-type]
    with ThreadPoolExecutor(6) as pool:
        running = [pool.submit(attend, number) for number in range(6)]
        try:
            for turn in range(short_or_long(4, 30)):
                time.sleep(short_or_long(15, 30) / 100)
                if turn % 3 == 2:
                    postgres.stop(signal.SIGKILL)
                    postgres.start()
                else:
                    served[turn % 2].kill()
                    served[turn % 2] = ServerProcess(project)
        finally:
            over.set()
        for each in running:
            each.result()
    for each in served:
        each.kill()
    pull(project)
    acknowledged = [(each["client"], each["number"]) for person in people for each in person.saved]
    with open_project(project, writing=False) as opened:
        stored_events = [(event.client, event.number) for event in opened.events.read()]
        assert (
            set(acknowledged) <= set(stored_events)
            and len(stored_events) == len(set(stored_events))
            and len(acknowledged) > 6
        )
        assert max(Counter(project_labels(opened).item.tolist()).values(), default=0) <= 3
        assert opened.verify().problems == ()


def test_an_erased_participant_is_not_restored_from_the_database(
    project: Path, scale: str, databases: Databases
) -> None:
    with run_server(project) as server:
        ann, bob = Person(server, "Ann"), Person(server, "Bob")
        judge_all([ann, bob], scale, [server.port])
    made = project.with_name("without.irjudge")
    assert main(["participant", str(project), "Bob", "--erase", "-o", str(made)]) == 0
    with open_project(project, writing=False) as opened:
        (left, erased) = (person.id for person in opened.sessions.participants())
    for _ in range(2):
        with open_project(made) as opened, read_sessions(databases[project], opened) as copies:
            merge_sessions(opened, copies, backup=False)
        with open_project(made, writing=False) as opened:
            assert [person.id for person in opened.sessions.participants()] == [
                left
            ] and opened.events.assessors() == (left,)
            assert opened.verify().problems == ()
    assert b"Bob" not in made.read_bytes() and erased.encode() not in made.read_bytes()


def test_a_new_session_of_a_database_has_the_documents_that_no_earlier_one_judged(
    project: Path, scale: str, databases: Databases
) -> None:
    def start(*, again: bool = False, is_new: bool = True) -> Server:
        options = SessionOptions(SchedulingOptions(overlap=1), ("9",), again=again)
        opening = open_database_session(
            databases[project],
            lambda: open_project(project, writing=False),
            lambda _: options,
            is_new=is_new,
        )
        server = Server(project, opening)
        server.start()
        return server

    first = start(is_new=False)
    ann = Person(first, "ann")
    ann.sync(want=3)
    ann.grade(ann.open_items()[0], 1, scale)
    ann.sync(want=0)
    assert first.ask("standing")["wanted"] == 12
    with pytest.raises(IrjudgeError, match="Nothing is left"):
        start()  # the first session has not ended
    first.ask("state", state=ENDED)
    first.stop()
    for again, wanted in ((False, 11), (True, 12)):
        server = start(again=again)
        assert server.ask("standing")["wanted"] == wanted
        server.ask("state", state=ENDED)
        server.stop()
