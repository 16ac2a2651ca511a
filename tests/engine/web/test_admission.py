"""Tests of admission: codes, tokens, visible names, freed seats and revoked tokens."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from irjudge.cli.main import main
from irjudge.errors import IrjudgeError
from irjudge.store import ENDED, open_project
from irjudge.web import Server, SessionOptions, SharedSession, begin_session, free_empty
from irjudge.web import session as session_module
from irjudge.web import session_state as session_answers
from irjudge.web.connections import INVALID_CODE_DELAY, MAX_INVALID_CODES, MAX_JOINS, JoinLimiter
from irjudge.web.session_state import Refused
from irjudge.web.session_store import ProjectStore
from tests.engine.exchange.classroom import build_class
from tests.engine.web.conftest import Databases
from tests.engine.web.session_client import Person, Response, pull, run_server, send_request

CLASS, ADDRESSES = 60, [f"192.0.2.{number}" for number in range(20)]


@pytest.fixture
def project(tmp_path: Path) -> Path:
    path = tmp_path / "class.irjudge"
    build_class(path, topics=("9",), documents=6)
    return path


@pytest.fixture
def scale(project: Path) -> str:
    with open_project(project, writing=False) as opened:
        return opened.scale.version


@pytest.fixture
def server(project: Path, store: str) -> Iterator[Server]:
    with run_server(project) as started:
        yield started


def post_join(server: Server, name: str) -> Response:
    return send_request(server.port, "/join", {"protocol": 1, "code": server.code, "name": name})


def post_join_of_page(server: Server, name: str, page: object) -> Response:
    data = {"protocol": 1, "code": server.code, "name": name, "page": page}
    return send_request(server.port, "/join", data)


def participant_names(server: Server) -> list[str]:
    return [seat.name for seat in server.lead(lambda session: session.status()).participants]


# Codes


def test_a_guesser_waits_and_no_other_participant_does() -> None:
    now = [0.0]
    gate = JoinLimiter(lambda: now[0])
    assert [gate.record_invalid_code("192.0.2.1") for _ in range(MAX_INVALID_CODES + 2)] == [
        0.0
    ] * MAX_INVALID_CODES + [INVALID_CODE_DELAY] * 2
    for address in ADDRESSES[2:]:
        for _ in range(MAX_INVALID_CODES):
            gate.record_invalid_code(address)
    assert gate.record_invalid_code("198.51.100.7") == 0.0, (
        "200 wrong codes of twenty addresses do not delay other addresses"
    )
    for _ in range(CLASS):
        gate.record_join("192.0.2.1")  # a class behind the guesser's address
    now[0] = 61.0
    assert gate.record_invalid_code("192.0.2.1") == 0.0


@pytest.mark.parametrize(
    ("one", "other", "same"),
    [
        ("2001:db8:1:2::1", "2001:db8:1:2:ffff::9", True),
        ("2001:db8:1:2::1", "2001:db8:1:3::1", False),
        ("::ffff:192.0.2.1", "192.0.2.1", True),
        ("192.0.2.1", "192.0.2.2", False),
        ("fe80::1%eth0", "fe80::2%eth1", True),
        ("", "unix", False),
    ],
)
def test_an_ipv6_address_is_identified_by_its_network(one: str, other: str, same: bool) -> None:
    gate = JoinLimiter(lambda: 0.0)
    for _ in range(MAX_INVALID_CODES):
        gate.record_invalid_code(one)
    assert (gate.record_invalid_code(other) > 0) is same


def test_a_class_joins_at_once_and_an_address_that_takes_all_seats_waits() -> None:
    now = [0.0]
    gate = JoinLimiter(lambda: now[0])
    for _ in range(MAX_JOINS):
        gate.record_join("192.0.2.1")
    with pytest.raises(Refused, match="Wait a minute"):
        gate.record_join("192.0.2.1")
    gate.record_join("192.0.2.2")
    now[0] = 61.0
    gate.record_join("192.0.2.1")
    assert 2 * CLASS < MAX_JOINS < 296


# Names

INVISIBLE_NAMES = {
    "a filler of Hangul": "\u3164",
    "an empty pattern of Braille": "\u2800\u2800",
    "marks alone": "\u0301\u0302",
    "a zero-width space": "A\u200bnn",
    "a turn of direction": "\u202eAnn",
    "an isolate": "Ann\u2066",
    "a soft hyphen": "An\u00adn",
    "a joiner of marks": "A\u034fnn",
    "selectors alone": "\ufe0f\ufe0e",
    "a filler within": "Ann\uffa0",
    "half a letter": "Ann\ud800",
    "an HTML tag or comment": "Ann\U000e0041",
}


@pytest.mark.slow
def test_a_name_of_invisible_characters_is_refused(server: Server) -> None:
    for what, name in INVISIBLE_NAMES.items():
        assert post_join(server, name).json["kind"] == "name", what
    assert participant_names(server) == []


@pytest.mark.slow
def test_names_in_all_scripts_are_accepted_and_other_spellings_are_the_same_name(
    server: Server,
) -> None:
    seen = ["李雷", "Zoë", "Ⅻ", "สมชาย", "O’Neil", "आशा", "🙂", "X Æ A-12", "7"]
    for name in seen:
        assert post_join(server, f"  {name} ").status == 200
        wide = "".join(
            chr(ord(letter) + 0xFEE0) if "!" <= letter <= "~" else letter for letter in name
        )
        for spelled in (name.upper(), wide, name + "\ufe0f"):
            assert post_join(server, spelled).json["kind"] == "taken", spelled
    assert participant_names(server) == seen


def test_present_or_listed_names_are_not_revealed_before_admission(
    project: Path, store: str
) -> None:
    with run_server(project, SessionOptions(join="names", names=("Ann", "Bob"))) as server:
        Person(server, "Ann")
        answers = [post_join(server, name) for name in ("Ann", "Eva", "ＡＮＮ")]
        messages = {
            (
                each.status,
                each.json["kind"],
                each.json["problem"].replace(each.json["values"]["name"], "X"),
            )
            for each in answers
        }
        assert len(messages) == 1
        assert Person(server, "ｂob").name, "the list is met in another spelling"


# Tokens and seats


@pytest.mark.slow
def test_a_revoked_token_does_not_admit_and_a_new_one_does(server: Server, scale: str) -> None:
    ann, bob = Person(server, "Ann"), Person(server, "Bob")
    ann.sync()
    ann.grade(0, 2, scale)
    ann.sync()
    server.lead(lambda session: session.revoke(session.find_participant("Ann")))
    assert ann.try_call("/sync", {}).status == ann.try_call("/welcome", {}).status == 401
    assert (
        bob.try_call("/sync", {}).status == 200 and post_join(server, "Ann").json["kind"] == "taken"
    )
    ann.token = ""
    assert ann.try_call("/sync", {}).status == 401
    ann.token = server.lead(lambda session: session.renew_token(session.find_participant("Ann")))
    assert ann.call("/welcome", {})["actions"] == ann.saved


@pytest.mark.slow
def test_a_revoked_token_stays_revoked_after_a_restart(project: Path, store: str) -> None:
    with run_server(project) as server:
        ann = Person(server, "Ann")
        server.lead(lambda session: session.revoke(session.find_participant("Ann")))
    with run_server(project) as server:
        ann.port = server.port
        assert ann.try_call("/sync", {}).status == 401


def test_tokens_end_with_the_session(project: Path) -> None:
    """Actions not sent yet are accepted while pages are being notified, and none after that."""
    now = [0.0]
    with open_project(project) as opened:
        session = SharedSession(
            ProjectStore(opened, begin_session(opened, SessionOptions())), monotonic=lambda: now[0]
        )
        _, token = session.join("Ann")
        session.set_state(ENDED)
        now[0] = session_module.FAREWELL_SECONDS - 1
        assert session.authenticate(token)
        now[0] = session_module.FAREWELL_SECONDS + 1
        with pytest.raises(Refused) as refused:
            session.authenticate(token)
        assert refused.value.kind == "ended"


def test_a_page_that_did_not_receive_its_token_joins_again_until_it_has_judged(
    server: Server, scale: str
) -> None:
    def join_again(name: str, page: object = "page 1") -> str:
        """Return the kind of refusal."""
        return str(post_join_of_page(server, name, page).json["kind"])

    lost = post_join_of_page(server, "Ann", "page 1").json["token"]
    assert join_again("Ann", "page 2") == "taken"
    assert post_join(server, "Ann").json["kind"] == "taken"
    ann = Person(server, "Ann", join=False)
    ann.token = post_join_of_page(server, " ann", "page 1").json["token"]
    assert ann.token != lost and participant_names(server) == ["Ann"]
    ann.sync()
    ann.grade(0, 1, scale)
    ann.sync()
    assert join_again("Ann") == "taken"
    ann.token = lost
    assert ann.try_call("/sync", {}).json["kind"] == "token"
    assert post_join(server, "Bob").status == 200
    assert join_again("Bob", "") == "taken"
    assert [join_again("Cleo", page) for page in (5, None, "\ud800")] == ["broken"] * 3


def test_a_page_does_not_regain_access_that_was_revoked_or_given_to_another(
    server: Server,
) -> None:
    for name, change in (("Ann", "revoke"), ("Bob", "let")):
        assert post_join_of_page(server, name, "page").status == 200
        server.ask(change, person=name)
        assert post_join_of_page(server, name, "page").json["kind"] == "taken"


def test_a_listed_name_is_shown_as_in_the_list(project: Path, store: str) -> None:
    with run_server(project, SessionOptions(join="names", names=("Ann Smith", "Bob"))) as server:
        assert post_join(server, " ann  SMITH ").status == 200
        assert participant_names(server) == ["Ann Smith"]
        assert post_join(server, "Ann Smith").json["kind"] == "taken"


@pytest.mark.slow
def test_an_unused_seat_is_freed_and_its_name_can_be_taken(
    project: Path, store: str, scale: str
) -> None:
    with run_server(project, SessionOptions(join="names", names=("Ann", "Bob"))) as server:
        thief = Person(server, "Ann")
        held = thief.sync()["items"]
        server.lead(lambda session: session.free_seat(session.find_participant("Ann")))
        assert thief.try_call("/sync", {}).status == 401 and participant_names(server) == []
        ann = Person(server, "Ann")
        assert {str(each["parts"]["items"]) for each in ann.sync()["items"]} & {
            str(each["parts"]["items"]) for each in held
        }
        ann.grade(ann.open_items()[0], 2, scale)
        ann.sync(want=0)
        with pytest.raises(IrjudgeError) as error:
            server.lead(lambda session: session.free_seat(session.find_participant("Ann")))
        assert error.value.key == "judged-seat"
        assert error.value.values == {"name": "Ann", "count": "1"}
        server.lead(lambda session: session.exclude_participant(session.find_participant("Ann")))
        server.lead(lambda session: session.free_seat(session.find_participant("Ann")))
        assert Person(server, "ann").sync(want=0)["count"] == 0
        assert [
            seat.judged for seat in server.lead(lambda session: session.status()).participants
        ] == [
            1,
            0,
        ], "what was judged stays listed"
    with open_project(pull(project), writing=False) as opened:
        assert opened.verify().problems == () and [
            person.name for person in opened.sessions.participants()
        ] == ["", "", "Ann"]


def test_unused_seats_taken_in_large_numbers_are_freed_at_once(
    project: Path, store: str, scale: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(session_module, "MAX_PARTICIPANTS", 20)
    with run_server(project) as server:
        ann = Person(server, "Ann")
        ann.sync()
        ann.grade(0, 2, scale)
        ann.sync(want=0)
        for number in range(19):
            assert post_join(server, f"bot {number}").status == 200
        assert post_join(server, "Bob").json["kind"] == "full"
        assert server.lead(free_empty) == 0, "they were here just now"
        assert server.ask("standing")["unused"] == []
        monkeypatch.setattr(session_answers, "PRESENCE_TIMEOUT", -1.0)
        unused = server.ask("standing")["unused"]
        assert len(unused) == 19 and {"id", "name"} == {*unused[0]}
        assert server.ask("free-empty", people=[unused[0]["id"]])["count"] == 1
        assert server.lead(free_empty) == 18
        assert (
            participant_names(server) == ["Ann"]
            and Person(server, "Bob").sync()["items"]
            and ann.sync(want=0)["count"] == 1
        )


def test_seats_of_personal_links_are_not_freed(project: Path, store: str) -> None:
    with run_server(project, SessionOptions(join="links", names=("Ann", "Bob"))) as server:
        with pytest.raises(IrjudgeError, match="personal link"):
            server.lead(lambda session: session.free_seat(session.find_participant("Ann")))
        assert participant_names(server) == ["Ann", "Bob"]


def test_an_id_is_never_mistaken_for_a_participants_name(server: Server) -> None:
    ann = server.lead(lambda session: session.join("Ann")[0])
    assert post_join(server, ann).status == 200
    assert server.lead(lambda session: session.find_participant(ann)) == ann


def test_the_host_of_a_database_frees_and_revokes_at_any_server(
    project: Path, databases: Databases, capsys: pytest.CaptureFixture[str]
) -> None:
    with run_server(project) as server:
        ann, bob = Person(server, "Ann"), Person(server, "Bob")
        store = ["--store", databases[project]]
        assert (
            main(["participant", str(project), "Ann", "--revoke", *store])
            == main(["participant", str(project), "bob", "--free", *store])
            == 0
        )
        assert ann.try_call("/sync", {}).status == bob.try_call("/sync", {}).status == 401
        assert Person(server, "Bob").sync(want=0)["count"] == 0
    assert main(["participant", str(project), "--format", "csv"]) == 0
    assert [line.split(",")[1] for line in capsys.readouterr().out.splitlines()] == [
        "name",
        "Ann",
        "Bob",
    ], "the freed seat is no person"
