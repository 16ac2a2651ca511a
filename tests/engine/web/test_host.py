"""Tests of hosting over the network, which requires the host's secret."""

import json
from collections.abc import Iterator
from pathlib import Path
from traceback import TracebackException
from typing import Any

import pytest
from click.testing import CliRunner

from irjudge.cli import lead as lead_module
from irjudge.cli.lead import (
    COMMANDS_HELP,
    SECRET_VARIABLE,
    STATES,
    RemoteServer,
    lead,
    lead_command,
)
from irjudge.cli.serve import _read_host_secret
from irjudge.errors import IrjudgeError
from irjudge.http_client import HttpResponse
from irjudge.judging import Norming
from irjudge.model import make_qrels
from irjudge.store import ENDED, open_project
from irjudge.web import (
    DEFAULT_PORTS,
    SchedulingOptions,
    Server,
    ServerAddress,
    SessionOptions,
    SharedSession,
    StartPage,
    SurveyQuestion,
    list_unopened_seats,
    load_panel,
)
from irjudge.web import connections as quotas
from irjudge.web.host import HOST_REQUESTS
from tests.engine.audit.misbehaving_endpoint import run_server as misbehaving
from tests.engine.exchange.classroom import build_class
from tests.engine.web.session_client import Person, make_server, run_server, send_request


@pytest.fixture
def project(tmp_path: Path) -> Path:
    path = tmp_path / "class.irjudge"
    build_class(path, topics=("051",), documents=8)
    return path


@pytest.fixture
def server(project: Path, store: str) -> Iterator[Server]:
    with run_server(project) as started:
        yield started


@pytest.fixture
def scale(project: Path) -> str:
    with open_project(project, writing=False) as opened:
        return opened.scale.version


def send_host_request(server: Server, secret: str, name: str, **values: Any) -> Any:
    data = {"protocol": 1, "wish": name, "values": values}
    return send_request(server.port, "/lead", data, headers={"Authorization": f"Bearer {secret}"})


def session_state(server: Server) -> Any:
    """Return the state of the session, without fields that depend on time."""
    standing = server.ask("standing")
    return {
        **standing,
        "seconds": None,
        "people": [{**seat, "here": None} for seat in standing["people"]],
    }


def judge(person: Person, scale: str, value: int = 1, limit: int = 8) -> None:
    while limit and (person.sync()["items"] or person.open_items()):
        for index in person.open_items()[:limit]:
            person.grade(index, value, scale)
            limit -= 1
    person.sync()


def test_the_hosts_page_translates_the_grades_of_the_scale(server: Server) -> None:
    page = send_request(server.port, "/lead").body.decode()
    texts = json.loads(page.split('id="words">')[1].split("</script>")[0])
    labels = server.lead(lambda session: [grade.label for grade in session.project.scale.grades])
    assert labels and {*labels} <= texts["zh_CN"].keys()


@pytest.mark.slow
def test_a_participant_can_perform_no_action_of_the_host(
    server: Server, scale: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    # a delay for guessing, not for this test
    monkeypatch.setattr(quotas, "INVALID_CODE_DELAY", 0.0)
    all_of_it = {
        "person": "Bob",
        "other": "Ann",
        "state": ENDED,
        "words": "x",
        "overlap": 5,
        "topic": "051",
        "pair": "d",
        "link": "x",
    }
    ann, bob = Person(server, "Ann"), Person(server, "Bob")
    judge(ann, scale, limit=2)
    before = session_state(server)
    for secret in (ann.token, server.code, "", server.leader[:-1], server.leader.lower() + "x"):
        for name in HOST_REQUESTS:
            refused = send_host_request(server, secret, name, **all_of_it)
            assert refused.status == 401 and set(refused.json) == {"problem", "kind", "values"}, (
                secret,
                name,
            )
    assert session_state(server) == before
    assert bob.sync()["state"] == "open"
    page = send_request(server.port, "/lead")
    assert (
        page.status == 200
        and server.leader not in page.body.decode()
        and server.code not in page.body.decode()
    )
    foreign = send_request(
        server.port,
        "/lead",
        {"protocol": 1, "wish": "standing"},
        headers={"Origin": "http://elsewhere.example"},
    )
    assert foreign.status == 403, "a page of another site is refused too"


def test_the_hosts_secret_does_not_admit_a_participant(server: Server) -> None:
    ann = Person(server, "Ann")
    ann.token = server.leader
    assert ann.try_call("/sync", {}).status == 401


def test_the_host_sees_participants_progress_and_quality_and_actions_take_effect(
    server: Server, scale: str
) -> None:
    ann, bob = Person(server, "Ann"), Person(server, "Bob")
    judge(ann, scale)
    judge(bob, scale, value=2)
    status = send_host_request(server, server.leader, "standing").json
    assert [(seat["name"], seat["judged"]) for seat in status["people"]] == [
        ("Ann", 8),
        ("Bob", 8),
    ] and status["code"] == server.code
    assert (status["judged"], status["wanted"], status["overlap"]) == (16, 16, 2) and status[
        "topics"
    ][0]["title"]
    quality = send_host_request(server, server.leader, "quality").json["people"]
    assert [each["agreement"] for each in quality.values()] == [0, 0]
    assert (
        send_host_request(server, server.leader, "more", overlap=3).json["code"]
        and server.ask("standing")["wanted"] == 24
    )
    assert (
        send_host_request(server, server.leader, "aside", person="Bob").status == 200
        and bob.sync()["aside"]
    )
    assert (
        send_host_request(server, server.leader, "back", person="Bob").status == 200
        and not bob.sync()["aside"]
    )
    token = send_host_request(server, server.leader, "let", person="Ann").json["token"]
    assert ann.try_call("/sync", {}).status == 401
    ann.token = token
    assert ann.sync()["state"] == "open"
    rows = send_host_request(server, server.leader, "picture", link="http://teacher.example/").json[
        "rows"
    ]
    assert len(rows) == len(rows[0]) and set("".join(rows)) == {"0", "1"}
    assert (
        send_host_request(server, server.leader, "state", state="ended").status == 200
        and ann.sync()["state"] == "ended"
    )


def test_the_overlap_can_be_raised_and_never_lowered(server: Server, scale: str) -> None:
    for name in ("Ann", "Bob"):
        judge(Person(server, name), scale)
    cleo = Person(server, "Cleo")
    assert cleo.sync()["items"] == []
    server.ask("more", overlap=3)
    judge(cleo, scale)
    assert server.ask("standing")["judged"] == 24
    refused = send_host_request(server, server.leader, "more", overlap=3)
    assert refused.status == 400 and "larger than the current number" in refused.json["problem"]


@pytest.mark.slow
def test_a_raised_overlap_applies_after_a_restart_and_at_other_servers(
    project: Path, store: str
) -> None:
    with run_server(project) as server:
        server.ask("more", overlap=4)
    with run_server(project) as server:
        assert server.ask("standing")["overlap"] == 4
        if store == "database":
            with run_server(project) as other:
                other.ask("more", overlap=5)
                assert (
                    server.ask("standing")["overlap"] == 5
                    and server.ask("standing")["wanted"] == 40
                )


def test_impossible_requests_have_a_message(server: Server) -> None:
    Person(server, "Ann")
    asked: list[tuple[str, dict[str, Any]]] = [
        ("no such wish", {}),
        ("state", {"state": "asleep"}),
        ("state", {}),
        ("say", {"words": 3}),
        ("aside", {"person": "Nobody"}),
        ("more", {"overlap": "3"}),
        ("more", {"overlap": 10**9}),
        ("take", {"person": "Ann", "topic": 1, "pair": "d"}),
        ("picture", {"link": "x" * 501}),
    ]
    for name, values in asked:
        refused = send_host_request(server, server.leader, name, **values)
        assert refused.status == 400 and refused.json["problem"].endswith("."), (name, values)


# By commands, from any machine


def run_lead(server: Server, *arguments: str, secret: str = "", **how: Any) -> list[str]:
    address = f"http://127.0.0.1:{server.port}"
    done = CliRunner().invoke(
        lead_command,
        [address, *arguments],
        env={SECRET_VARIABLE: secret or server.leader},
        catch_exceptions=False,
        **how,
    )
    assert done.exit_code == 0, done.output
    return done.stdout.splitlines()


def test_a_script_hosts_with_the_commands_typed_at_the_server(server: Server, scale: str) -> None:
    ann = Person(server, "Ann")
    judge(ann, scale, limit=3)
    assert run_lead(server)[-1] == "3 of 16 judgments." and run_lead(server, "people")[
        0
    ].startswith("Ann: 3 judged")
    assert run_lead(server, "topics")[0].startswith("051 ") and run_lead(server, "late") == [
        "No late judgments."
    ]
    assert run_lead(server, "pause") == [STATES["pause"][1]] and ann.sync()["state"] == "paused"
    assert run_lead(server, "go", "on") == [STATES["go"][1]]
    assert (
        run_lead(server, "say", "Five", "more", "minutes.")[0].startswith("The message is now")
        and ann.sync()["message"] == "Five more minutes."
    )
    assert "removed" in run_lead(server, "say")[0] and run_lead(server, "more", "3") == [
        "Each document or comparison now gets 3 judgments."
    ]
    link = run_lead(server, "let", "Ann")[-1]
    assert link.startswith(f"http://127.0.0.1:{server.port}/#t=")
    assert (
        run_lead(server, "help")
        == run_lead(server, "more", "few")
        == run_lead(server, "same", "Ann")
        == COMMANDS_HELP.splitlines()
    )


@pytest.mark.parametrize("number", ["²", "9" * 5_000, "-1", "1e3"])
@pytest.mark.parametrize("text", ["more", "show", "round new", "round last"])
def test_arguments_that_are_not_numbers_are_not_sent(text: str, number: str) -> None:
    class UnexpectedRequests:
        def send_request(self, command: str, **values: Any) -> Any:
            raise AssertionError(command)

    assert [*lead(UnexpectedRequests(), [*text.split(), number])] == COMMANDS_HELP.split("\n")


def test_the_secret_comes_from_the_environment_or_a_file_and_not_from_the_command_line(
    server: Server, tmp_path: Path
) -> None:
    (tmp_path / "secret").write_text(f"{server.leader}\n", encoding="utf-8")
    address = f"http://127.0.0.1:{server.port}"
    done = CliRunner().invoke(
        lead_command,
        [address, "topics", "--secret", str(tmp_path / "secret")],
        env={SECRET_VARIABLE: ""},
    )
    assert done.exit_code == 0 and done.stdout.startswith("051")
    with pytest.raises(IrjudgeError) as error:
        CliRunner().invoke(
            lead_command, [f"{address}/lead#{server.leader}"], catch_exceptions=False
        )
    assert error.value.key == "secret-in-address" and error.value.values == {
        "name": SECRET_VARIABLE
    }
    for path in ("/", "/lead"):  # the address without the part after the #
        done = CliRunner().invoke(
            lead_command, [f"{address}{path}", "topics"], env={SECRET_VARIABLE: server.leader}
        )
        assert done.exit_code == 0 and done.stdout.startswith("051")
    with pytest.raises(IrjudgeError, match="cannot lead"):
        run_lead(server, secret="another")


@pytest.mark.parametrize(
    ("words", "response"),
    [
        ("let Ann", '{"token": ["abc"]}'),
        ("people", '{"people": [], "judged": {"a": 1}, "wanted": 2}'),
        ("people", '{"people": {}, "judged": 1, "wanted": 2}'),
        ("people", '{"people": [], "judged": true, "wanted": 2}'),
        ("topics", '{"topics": [{"id": 1, "title": "", "judged": 1, "wanted": 2}]}'),
        ("close now", '{"norming": null, "number": null}'),
    ],
)
def test_a_response_with_a_field_of_another_type_is_refused(
    words: str, response: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(lead_module, "post", lambda *_, **__: HttpResponse(200, response))
    with pytest.raises(IrjudgeError) as error:
        command("http://127.0.0.1:9", *words.split())
    assert error.value.values == {"address": "http://127.0.0.1:9", "status": "200"}


@pytest.mark.parametrize("secret", ["ключ" * 6, "line\nbreak" * 3])
def test_a_server_refuses_a_secret_that_cannot_be_sent(
    secret: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv(SECRET_VARIABLE, secret)
    with pytest.raises(IrjudgeError) as refused:
        _read_host_secret()
    assert refused.value.key == "invalid-secret" and secret not in str(refused.value)
    monkeypatch.setenv(SECRET_VARIABLE, " correct horse battery staple\n")
    assert _read_host_secret() == "correct horse battery staple"


def command(*arguments: str, secret: str = "top-secret") -> None:
    CliRunner().invoke(
        lead_command, arguments, env={SECRET_VARIABLE: secret}, catch_exceptions=False
    )


@pytest.mark.parametrize(
    "address",
    [
        "teacher.example",
        "ftp://HIDDEN:HIDDEN@teacher.example",
        "http://user:HIDDEN@127.0.0.1:9",
        "http://HIDDEN@127.0.0.1:9",
        "http://:HIDDEN@127.0.0.1:9",
        "http://user:1/HIDDEN@127.0.0.1:9",
        "http://[HIDDEN",
        "http://127.0.0.1:HIDDEN",
        "http://127.0.0.1:99999",
        "http://user:HIDDEN@",
        "//user:HIDDEN@teacher.example",
        "user:HIDDEN@teacher.example",
        "http://user%3AHIDDEN%40127.0.0.1:9",
        "http://user:HIDDEN%40127.0.0.1:9",
        "http://user\N{FULLWIDTH COLON}HIDDEN\N{FULLWIDTH COMMERCIAL AT}127.0.0.1:9",
        "http://user:HIDDEN\\%40[::1]:9",
        "http://[HIDDEN]",
        "http://127.0.0.1;HIDDEN",
        "http://127.0.0.1\\HIDDEN",
        "http://127.0.0.1,HIDDEN",
        "http://teacher.example\N{FULLWIDTH SEMICOLON}HIDDEN",
        "http://[::1%eth0;HIDDEN]:9",
        "",
    ],
)
def test_an_invalid_address_is_an_error_without_its_password(address: str) -> None:
    with pytest.raises(IrjudgeError) as error:
        command(address)
    shown = TracebackException.from_exception(error.value, limit=0).format()
    assert "hidden" not in "".join(shown).lower()


@pytest.mark.parametrize(
    "rest", ["/?secret=HIDDEN", "?HIDDEN", "/lead?HIDDEN", "/lead#HIDDEN", "/HIDDEN", "/lead/x"]
)
def test_an_address_with_a_path_or_a_query_is_refused(rest: str) -> None:
    with pytest.raises(IrjudgeError) as error:
        RemoteServer(f"http://127.0.0.1:9{rest}", "top-secret")
    assert rest not in str(error.value)


@pytest.mark.parametrize(
    "content",
    [
        b"HIDDEN\nHIDDEN\n",
        b"HIDDEN HIDDEN",
        b"",
        b"\xff\xfeHIDDEN",
        "HIDDENé".encode(),
        b"HID\0DEN",
    ],
)
def test_a_file_without_a_secret_is_an_error_without_its_content(
    tmp_path: Path, content: bytes
) -> None:
    (tmp_path / "secret.txt").write_bytes(content)
    with pytest.raises(IrjudgeError, match=r"secret\.txt") as error:
        command("http://127.0.0.1:9", "--secret", str(tmp_path / "secret.txt"))
    assert "HID" not in str(error.value)
    with pytest.raises(IrjudgeError, match="--secret") as error:  # given in place of its file
        command("http://127.0.0.1:9", "--secret", str(tmp_path / "HIDDEN"))
    assert "HID" not in "".join(TracebackException.from_exception(error.value, limit=0).format())


SESSION_STATE = {"people": [], "topics": [], "late": [], "judged": 0, "wanted": 0, "norming": None}
WRONG_RESPONSES = [
    ("", 200),
    ("null", 200),
    ("[]", 200),
    ("3", 200),
    ('"text"', 200),
    ("{}", 200),
    ("<html>", 200),
    ("[" * 100_000, 200),
    ("[]", 400),
    ("{}", 400),
    ("", 500),
    ('{"problem": 3}', 400),
    ('{"problem": ["top-secret"]}', 400),
    ('{"problem": ""}', 400),
    (json.dumps({**SESSION_STATE, "people": 3, "topics": 3, "late": 3, "norming": 3}), 200),
    (
        json.dumps(
            {
                **SESSION_STATE,
                "people": [{}],
                "topics": [{}],
                "late": [{}],
                "norming": {"rounds": [{}]},
            }
        ),
        200,
    ),
    (
        json.dumps(
            {
                **SESSION_STATE,
                "people": ["x"],
                "topics": [None],
                "late": [7],
                "norming": {"rounds": 3},
            }
        ),
        200,
    ),
    ('{"token": 7, "number": {}, "count": null, "people": [{"seconds": 1e999}]}', 200),
    ('{"token": "' + "x" * 100_000 + '"}', 200),
]


@pytest.mark.parametrize(("text", "status"), WRONG_RESPONSES)
def test_a_server_of_another_kind_is_one_error(text: str, status: int) -> None:
    def say(handler: Any, _asked: str, _before: int) -> None:
        handler.say(text, status)

    with misbehaving(say) as other:
        for command_name in ("people", "topics", "late", "rounds"):
            with pytest.raises(IrjudgeError) as error:
                command(f"http://127.0.0.1:{other.server_port}", command_name)
            assert "top-secret" not in str(error.value) and len(str(error.value)) < 1200


def test_a_deeply_nested_state_is_refused_instead_of_indented() -> None:
    def say(handler: Any, _asked: str, _before: int) -> None:
        state = {**SESSION_STATE, "message": json.loads("[" * 900 + "1" + "]" * 900)}
        handler.say(json.dumps(state), 200)

    with misbehaving(say) as other, pytest.raises(IrjudgeError) as error:
        command(f"http://127.0.0.1:{other.server_port}", "--json")
    assert error.value.values["status"] == "200"


def test_the_secret_is_masked_in_a_servers_response() -> None:
    def say(handler: Any, _asked: str, _before: int) -> None:
        handler.say(json.dumps({"problem": "no: top-secret"}).replace("t", "\\u0074"), 400)

    with misbehaving(say) as other, pytest.raises(IrjudgeError) as error:
        command(f"http://127.0.0.1:{other.server_port}")
    assert str(error.value) == "no: [key]"


def test_an_endless_response_is_one_error(monkeypatch: pytest.MonkeyPatch) -> None:
    def drip(handler: Any, _asked: str, _before: int) -> None:
        handler.wfile.write(b"HTTP/1.1 200 OK\r\n\r\n")
        while True:
            handler.wfile.write(b"x" * (1 << 20))

    with misbehaving(drip) as other, pytest.raises(IrjudgeError):
        command(f"http://127.0.0.1:{other.server_port}")


def test_an_unreachable_server_is_reported(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(lead_module, "RESPONSE_TIMEOUT", 0.5)
    with pytest.raises(IrjudgeError) as error:
        CliRunner().invoke(
            lead_command,
            ["http://127.0.0.1:9", "people"],
            env={SECRET_VARIABLE: "x"},
            catch_exceptions=False,
        )
    assert error.value.key == "no-session-server"
    assert error.value.values["address"] == "http://127.0.0.1:9"


# Address and port


@pytest.mark.slow
def test_a_server_keeps_its_default_port_if_that_is_free(project: Path, tmp_path: Path) -> None:
    other = tmp_path / "other.irjudge"
    build_class(other, topics=("051",), documents=4)
    first = make_server(project, address=ServerAddress(port=None))
    second = make_server(other, SessionOptions(), address=ServerAddress(port=None))
    first.start()
    try:
        second.start()
        try:
            assert first.port != second.port and first.port in DEFAULT_PORTS
        finally:
            second.stop()
    finally:
        first.stop()


# Preview


def read_preview(server: Server) -> Any:
    return send_request(server.port, "/preview", {"protocol": 1, "code": server.code}).json


@pytest.mark.parametrize("tokens", ["none", "invented"])
def test_previews_are_charged_to_the_address_whatever_token_is_sent(
    tmp_path: Path, tokens: str
) -> None:
    build_class(tmp_path / "p.irjudge", topics=("051",), documents=4)
    with run_server(tmp_path / "p.irjudge") as server:
        server._byte_budget = quotas.RateBudget(rate=0.001, burst=1)
        statuses = [
            send_request(
                server.port,
                "/preview",
                {"protocol": 1, "code": server.code},
                headers={} if tokens == "none" else {"Authorization": f"Bearer invented{number}"},
            ).status
            for number in range(3)
        ]
        assert statuses == [200, 503, 503]
        ann = Person(server, "Ann")
        assert ann.sync()["items"]  # the budget of a participant is another one


def test_a_very_long_code_is_wrong(tmp_path: Path) -> None:
    build_class(tmp_path / "p.irjudge", topics=("051",), documents=4)
    with run_server(tmp_path / "p.irjudge") as server:
        code = f"{server.code}{'-' * 1000}"
        response = send_request(server.port, "/preview", {"protocol": 1, "code": code})
        assert response.json["kind"] == "code"


def document_ids(response: Any) -> list[str]:
    return [each["parts"]["items"][0]["about"]["documents"][0] for each in response["items"]]


@pytest.mark.slow
@pytest.mark.parametrize("gold", [0, 2, 8])
def test_a_preview_has_documents_even_if_many_of_the_pool_are_gold(
    tmp_path: Path, gold: int
) -> None:
    path = tmp_path / "class.irjudge"
    build_class(path, topics=("051",), documents=6)
    names = [f"t051n{number}" for number in range(6)]
    with open_project(path) as project:
        project.rankings.add_qrels(
            "gold", make_qrels([("051", f"t051n{n}", 1) for n in range(gold)])
        )
    options = SessionOptions(
        SchedulingOptions(gold_every=2 if gold else 0, qualification=2), gold_from="gold"
    )
    if not gold:
        options = SessionOptions(SchedulingOptions())
    with run_server(path, options) as server:
        before = server.ask("standing")
        shown = document_ids(read_preview(server))
        assert shown == sorted(shown) and len(shown) == 5 == len({*shown} & {*names})
        assert {name for name in names if int(name[-1]) >= gold} - {*shown} <= {"t051n5"}
        assert server.ask("standing") == before


def test_previews_of_norming_and_of_active_learning_have_documents(
    tmp_path: Path,
) -> None:
    for number, options in enumerate(
        (
            SessionOptions(SchedulingOptions(), norming=Norming()),
            SessionOptions(SchedulingOptions(order="learning", size=3)),
        )
    ):
        path = tmp_path / f"{number}.irjudge"
        build_class(path, topics=("051",), documents=6)
        with run_server(path, options) as server:
            assert document_ids(read_preview(server))


@pytest.mark.slow
def test_a_preview_has_consent_and_survey_and_stores_no_answers(tmp_path: Path) -> None:
    path = tmp_path / "class.irjudge"
    build_class(path, topics=("051",), documents=6)
    start = StartPage("I **agree**", 7, (SurveyQuestion("a", "A?"),), (SurveyQuestion("b", "B?"),))
    panel = load_panel("prolific", "C123", each=3)
    with run_server(path, SessionOptions(SchedulingOptions(), start=start, panel=panel)) as server:
        preview = read_preview(server)
        start_page = preview["task"]["start"]
        assert len(preview["items"]) == start_page["count"], "as many as a participant gets"
        assert (start_page["minutes"], start_page["count"], start_page["answered"]) == (7, 3, {})
        assert "<strong>agree</strong>" in start_page["consent"]
        assert [start_page[when][0]["id"] for when in ("before", "after")] == ["a", "b"]


# Exclusion, merging and late judgments


def judge_all(person: Person, scale: str, want: int = 5) -> None:
    """Judge all documents that the participant can get with one request."""
    person.sync(want)
    for index in person.open_items():
        person.grade(index, 1, scale)
    person.sync(0)


@pytest.fixture
def small_project(tmp_path: Path) -> Path:
    path = tmp_path / "small.irjudge"
    build_class(path, topics=("9",), documents=2)
    return path


def test_a_document_that_a_merged_participant_judged_twice_counts_once(
    small_project: Path, scale: str
) -> None:
    with run_server(small_project) as server:
        ann, bob = Person(server, "ann"), Person(server, "bob")
        judge_all(ann, scale)
        judge_all(bob, scale)
        server.ask("same", person="ann", other="bob")
        status = server.ask("standing")
        assert (status["judged"], [row["judged"] for row in status["people"]]) == (2, [2])
        assert ann.sync(0)["own"] == 2


def test_merging_a_second_name_keeps_the_participants_who_were_merged_before(
    server: Server,
) -> None:
    for name in ("ann", "bob", "cleo"):
        Person(server, name)
    server.ask("same", person="bob", other="ann")
    server.ask("same", person="bob", other="cleo")
    (row,) = server.ask("standing")["people"]
    assert (row["name"], sorted(row["same"].split(", "))) == ("cleo", ["ann", "bob"])


def test_documents_that_an_inclusion_completes_are_taken_back_from_others(
    small_project: Path, scale: str
) -> None:
    with run_server(small_project, SessionOptions(SchedulingOptions(overlap=1))) as server:
        ann, bob = Person(server, "ann"), Person(server, "bob")
        judge_all(ann, scale)
        server.ask("aside", person="ann")
        bob.sync(2)
        assert len(bob.open_items()) == 2
        server.ask("back", person="ann")
        answer = bob.sync(2)
        assert (answer["judged"], answer["held"], answer["done"]) == (2, [], True)
    with run_server(small_project) as server:
        assert [row["held"] for row in server.ask("standing")["people"]] == [0, 0]


def test_late_judgments_of_excluded_participants_are_not_offered_for_inclusion(
    small_project: Path, scale: str
) -> None:
    with run_server(small_project, SessionOptions(SchedulingOptions(overlap=1))) as server:
        ann = Person(server, "ann")
        ann.sync(1)
        server.ask("aside", person="ann")
        action = ann.grade(ann.open_items()[0], 1, scale)
        assert ann.sync(0)["late"] == 1 and server.ask("standing")["late"] == []
        server.ask("back", person="ann")
        (late,) = server.ask("standing")["late"]
        values = {name: late[name] for name in ("person", "topic", "pair")}
        server.ask("aside", person="ann")
        assert server.ask("take", **values) == {"taken": False}
        server.ask("back", person="ann")
        assert server.ask("take", **values) == {"taken": True}
        assert server.ask("standing")["judged"] == 1 and action["number"] == 1


def test_undone_late_judgments_are_not_counted_as_late(small_project: Path, scale: str) -> None:
    with run_server(small_project, SessionOptions(SchedulingOptions(overlap=1))) as server:
        ann, bob = Person(server, "ann"), Person(server, "bob")
        ann.sync(2)
        bob.sync(2)  # the last documents are shared
        judge_all(ann, scale)
        actions = [bob.grade(index, 1, scale) for index in bob.open_items()]
        bob.sync(0)
        late = [row["late"] for row in server.ask("standing")["people"]]
        bob.undo(actions[0])
        bob.sync(0)
        assert late[1] - 1 == server.ask("standing")["people"][1]["late"]


@pytest.mark.parametrize("way", ["release", "exclude"])
def test_released_qualification_documents_are_assigned_again_first(project: Path, way: str) -> None:
    options = SessionOptions(SchedulingOptions(overlap=1, qualification=3))
    with run_server(project, options) as server:
        ann = Person(server, "ann")
        ann.sync(3)
        documents = {item["documents"][0] for item in ann.items.values()}
        for command in ("release",) if way == "release" else ("aside", "back"):
            server.ask(command, person="ann")
        ann.sync(0)
        assert not ann.open_items()
        ann.sync(3)
        ann.sync(3)  # the page requests items that it lacks
        assert {ann.items[index]["documents"][0] for index in ann.open_items()} == documents


def test_documents_of_an_excluded_participant_stay_released_after_a_merge(
    project: Path, scale: str
) -> None:
    with run_server(project) as server:
        ann, bob = Person(server, "ann"), Person(server, "bob")
        judge_all(ann, scale, 1)
        bob.sync(3)
        server.ask("aside", person="ann")
        server.ask("same", person="bob", other="ann")
        server.ask("back", person="ann")
        state = server.lead(lambda session: [row.held for row in session.status().participants])
    with run_server(project) as server:
        assert [row["held"] for row in server.ask("standing")["people"]] == state == [0]


def test_personal_links_are_replaced_only_for_participants_who_have_not_begun(
    small_project: Path,
) -> None:
    options = SessionOptions(
        SchedulingOptions(overlap=1), join="links", names=("ann", "bob", "cleo", "dan")
    )
    with run_server(small_project, options) as server:
        tokens = {
            row["name"]: server.ask("let", person=row["name"])["token"]
            for row in server.ask("standing")["people"]
        }
        bob = Person(server, "bob", join=False)
        bob.token = tokens["bob"]
        bob.sync(1)
    with run_server(small_project, options) as server:  # nobody is present after a restart
        server.ask("revoke", person="ann")
        server.ask("aside", person="dan")
        seats = server.lead(list_unopened_seats)
        assert [seat.name for seat in seats] == ["cleo"]


def test_a_seat_is_unused_if_its_page_is_absent_and_sent_no_action(
    small_project: Path, scale: str
) -> None:
    with run_server(small_project) as server:
        ann, bob = Person(server, "ann"), Person(server, "bob")
        Person(server, "cleo")
        judge_all(ann, scale, 1)
        server.ask("aside", person="ann")
        bob.sync(1)
        bob.undo(bob.grade(bob.open_items()[0], 1, scale))
        bob.sync(0)
        assert [row["unused"] for row in server.ask("standing")["people"]] == [False] * 3
    with run_server(small_project) as server:
        unused = {row["name"]: row["unused"] for row in server.ask("standing")["people"]}
        assert unused == {"ann": False, "bob": False, "cleo": True}
        assert server.ask("free-empty") == {"count": 1}


def test_the_state_of_the_judgments_changes_with_exclusions_merges_and_accepted_judgments(
    small_project: Path, scale: str
) -> None:
    with run_server(small_project, SessionOptions(SchedulingOptions(overlap=1))) as server:
        ann, bob = Person(server, "ann"), Person(server, "bob")
        ann.sync(1)
        server.ask("aside", person="ann")
        ann.grade(ann.open_items()[0], 1, scale)
        ann.sync(0)
        judge_all(bob, scale, 1)
        states = [server.lead(SharedSession.status).judgment_state]
        server.ask("back", person="ann")
        states.append(server.lead(SharedSession.status).judgment_state)
        (late,) = server.ask("standing")["late"]
        server.ask("take", **{name: late[name] for name in ("person", "topic", "pair")})
        states.append(server.lead(SharedSession.status).judgment_state)
        server.ask("same", person="bob", other="ann")
        states.append(server.lead(SharedSession.status).judgment_state)
        assert len({*states}) == 4


def test_an_undone_late_judgment_does_not_leave_the_document_to_judge(
    small_project: Path, scale: str
) -> None:
    with run_server(small_project, SessionOptions(SchedulingOptions(overlap=1))) as server:
        ann, bob = Person(server, "ann"), Person(server, "bob")
        ann.sync(1)
        server.ask("release", person="ann")
        judge_all(bob, scale)
        action = ann.grade(ann.open_items()[0], 1, scale)
        assert ann.sync(0)["late"] == 1
        ann.undo(action)
        answer = ann.sync(1)
        assert (answer["late"], answer["lost"], answer["done"]) == (0, [0], True)


def test_a_search_result_that_the_searcher_cannot_judge_is_given_to_nobody(project: Path) -> None:
    options = SessionOptions(SchedulingOptions(overlap=1, qualification=1), search=True)
    with run_server(project, options) as server:
        ann, bob = Person(server, "ann"), Person(server, "bob")
        ann.sync(1)
        (known,) = (item["documents"][0] for item in ann.items.values())
        wanted = server.ask("standing")["wanted"]
        assert ann.call("/find", {"topic": "051", "document": known})["given"]
        server.ask("aside", person="bob")
        refused = bob.try_call("/find", {"topic": "051", "document": "t051n11"})
        assert refused.json["kind"] == "search"
        assert server.ask("standing")["wanted"] == wanted


def test_a_gold_item_of_any_id_of_a_participant_counts_as_gold(
    small_project: Path, scale: str
) -> None:
    options = SessionOptions(SchedulingOptions(overlap=2, gold_every=2))
    with run_server(small_project, options) as server:
        ann, bob = Person(server, "ann"), Person(server, "bob")
        for person in (ann, bob):
            judge_all(person, scale)
        ids = {row["name"]: row["id"] for row in server.ask("standing")["people"]}

        def make_gold_item(session: SharedSession) -> int:
            """Make a document of both ids a gold item of bob's; return the number of gold items."""
            leases = [*session.scheduler.leases(ids["ann"]), *session.scheduler.leases(ids["bob"])]
            ordinary = [lease for lease in leases if lease.role == "document"]
            shared = next(lease for lease in ordinary[::-1] if lease.pair == ordinary[0].pair)
            assert shared.participant_id == ids["bob"]
            shared.role = "gold"
            session.set_first_id(ids["bob"], ids["ann"])
            return len({lease.pair for lease in leases if lease.role == "gold"})

        gold_count = server.lead(make_gold_item)
        assert server.ask("quality")["people"][ids["ann"]]["gold"][1] == gold_count


def test_late_judgments_count_when_more_judgments_are_wanted(
    small_project: Path, scale: str
) -> None:
    with run_server(small_project, SessionOptions(SchedulingOptions(overlap=1))) as server:
        people = [Person(server, name) for name in ("ann", "bob", "cleo")]
        for person in people:
            person.sync(2)
            server.ask("release", person=person.name)
        for person in people:
            for index in (0, 1):
                person.grade(index, 1, scale)
            person.sync(0)
        assert server.ask("standing")["judged"] == 2 and len(server.ask("standing")["late"]) == 4
        server.ask("more", overlap=2)
        status = server.ask("standing")
        assert (status["judged"], status["wanted"], len(status["late"])) == (4, 4, 2)
        server.ask("more", overlap=4)
        status = server.ask("standing")
        assert (status["judged"], status["wanted"], len(status["late"])) == (6, 8, 0)
    with run_server(small_project) as server:
        assert server.ask("standing")["judged"] == 6
