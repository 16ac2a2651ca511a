"""Tests of participants from a panel: admission, completion, and release of their items."""

import json
from dataclasses import replace
from datetime import date
from pathlib import Path
from typing import Any

import pytest

from irjudge.cli.main import main
from irjudge.errors import IrjudgeError
from irjudge.exchange import read_project_status
from irjudge.judging import project_labels
from irjudge.judging.counted_assessors import find_nonvoting_assessors
from irjudge.model import make_qrels
from irjudge.store import open_project
from irjudge.web import (
    PANELS,
    SchedulingOptions,
    Server,
    SessionOptions,
    load_panel,
    read_returned_submissions,
)
from irjudge.web.session import MAX_BROWSERS
from tests.engine.exchange.classroom import build_class
from tests.engine.web import session_client
from tests.engine.web.session_client import Person, Response, run_server, send_request

pytestmark = pytest.mark.usefixtures("store")
# as long as a panel's: a short one could occur in a digest by chance
SENT = "5f0a61c2e9d34b7f8a90c1d2"
DONE = "https://app.prolific.com/submissions/complete?cc=C123"
FAILED = "https://app.prolific.com/submissions/complete?cc=F456"


@pytest.fixture
def project(tmp_path: Path) -> Path:
    path = tmp_path / "class.irjudge"
    build_class(path)
    with open_project(
        path
    ) as opened:  # instructed documents: the requested key is their gold grade
        checks = make_qrels(
            [
                (topic, f"t{topic}n{number}", 2)
                for topic in ("051", "007", "9")
                for number in (12, 13, 14, 15)
            ]
        )
        opened.rankings.add_qrels("checks", checks)
    return path


@pytest.fixture
def scale(project: Path) -> str:
    with open_project(project, writing=False) as opened:
        return opened.scale.version


def make_options(
    each: int = 4,
    *,
    checks: str = "",
    gold_every: int = 0,
    rejoin: str = "ask",
    topics: tuple[str, ...] = (),
) -> SessionOptions:
    panel = replace(
        load_panel("prolific", "C123", "F456" if checks else "", each=each, checks=checks),
        rejoin=rejoin,
    )
    return SessionOptions(SchedulingOptions(overlap=1, gold_every=gold_every), topics, panel=panel)


def follow_link(server: Server, given: object) -> Response:
    """Return the response to a panel's link with these parameters."""
    return send_request(server.port, "/join", {"protocol": 1, "code": server.code, "panel": given})


def join_by_link(server: Server, person: str) -> Person:
    """Return a participant who followed the panel's link."""
    made = Person.__new__(Person)
    made.port, made.name = server.port, person
    answer = follow_link(server, {"PROLIFIC_PID": person, "STUDY_ID": "s", "SESSION_ID": "x"})
    assert answer.status == 200, answer.body
    made.token = answer.json["token"]
    made.open()
    return made


@pytest.mark.slow
def test_a_submission_is_complete_when_its_last_judgment_is_acknowledged(
    project: Path, scale: str
) -> None:
    with run_server(project, make_options()) as server:
        ann = join_by_link(server, SENT)
        for _ in range(4):
            assert ann.sync(want=4)["complete"] == ""
            index = ann.open_items()[0]
            ann.grade(index, 1, scale)
        answer = ann.sync(want=4)
        assert answer["complete"] == DONE and not answer["items"] and not ann.open_items()
        ann.undo(ann.saved[-1])
        assert ann.sync(want=0)["complete"] == ""  # it must be judged again
    with open_project(project, writing=False) as opened:
        assert [person.name for person in opened.sessions.participants()] == [SENT]
        assert SENT.encode() not in b"".join(
            event.canonical_bytes for event in opened.events.read()
        )


def judge(person: Person, scale: str, count: int, value: int = 1) -> dict[str, Any]:
    """Judge a number of documents; return the last response."""
    answer = person.sync(want=4)
    for _ in range(count):
        person.grade(person.open_items()[0], value, scale)
        answer = person.sync(want=4)
    return answer


def test_a_known_panel_id_gives_no_access_to_a_participants_work(project: Path, scale: str) -> None:
    with run_server(project, make_options()) as server:
        ann = join_by_link(server, SENT)
        judge(ann, scale, 2)
        answer = follow_link(server, {"PROLIFIC_PID": SENT})
        assert (answer.status, answer.json["kind"], answer.json["values"]) == (
            400,
            "known",
            {"count": "2"},
        )
        assert "token" not in answer.json and ann.sync(want=0)["count"] == 2, "who is here stays in"
        ann.token = server.lead(lambda session: session.renew_token(session.find_participant(SENT)))
        assert ann.call("/welcome", {})["actions"] == ann.saved


@pytest.mark.parametrize("rejoin", ["ask", "continue"])
def test_another_browser_of_a_withdrawn_participant_is_refused_with_the_reason(
    project: Path, scale: str, rejoin: str
) -> None:
    with run_server(project, make_options(rejoin=rejoin)) as server:
        ann = join_by_link(server, SENT)
        judge(ann, scale, 1)
        ann.call("/survey", {"withdraw": True})
        assert follow_link(server, {"PROLIFIC_PID": SENT}).json["kind"] == "withdrawn"
        (row,) = server.ask("standing")["people"]
        server.ask("back", person=row["id"])
        included = follow_link(server, {"PROLIFIC_PID": SENT})
        assert included.json.get("kind", "") == ("known" if rejoin == "ask" else "")


@pytest.mark.slow
@pytest.mark.parametrize("undone", [False, True])
def test_another_browser_of_a_participant_without_judgments_is_the_same_participant(
    project: Path, scale: str, undone: bool
) -> None:
    with run_server(project, make_options()) as server:
        ann = join_by_link(server, SENT)
        ann.sync(want=4)
        if undone:
            ann.undo(ann.grade(ann.open_items()[0], 1, scale))
            ann.judged.clear()
            ann.sync(want=4)
        again = join_by_link(server, SENT)
        assert judge(again, scale, 3)["complete"] == ""
        assert follow_link(server, {"PROLIFIC_PID": SENT}).json["kind"] == "known", (
            "now there is work"
        )
        first = ann.sync(want=4)
        assert first["count"] == (2 if undone else 0), "who is here stays in"
        assert judge(ann, scale, 1)["complete"] == DONE, "both do one submission"
        answer = follow_link(server, {"PROLIFIC_PID": SENT})
        assert (answer.json["kind"], answer.json["values"]) == ("finished", {"count": "4"})
        (row,) = server.ask("standing")["people"]
        assert (row["name"], row["same"], row["judged"] + row["late"]) == (SENT, "", 4)


@pytest.mark.slow
def test_the_number_of_browsers_of_a_participant_without_judgments_is_limited(
    project: Path,
) -> None:
    with run_server(project, make_options()) as server:
        for _ in range(MAX_BROWSERS):
            join_by_link(server, SENT)
        assert follow_link(server, {"PROLIFIC_PID": SENT}).json["kind"] == "known"
        assert follow_link(server, {"PROLIFIC_PID": f"{SENT}x"}).status == 200


@pytest.mark.slow
def test_if_rejoining_is_allowed_another_browser_continues_without_earlier_work(
    project: Path, scale: str
) -> None:
    with run_server(project, make_options(rejoin="continue")) as server:
        ann = join_by_link(server, SENT)
        judge(ann, scale, 2)
        again = join_by_link(server, SENT)
        assert again.call("/welcome", {})["actions"] == [] and again.sync(want=0)["count"] == 0
        assert ann.sync(want=0)["count"] == 2, "who is here stays in"
        assert (
            judge(again, scale, 1)["complete"] == "" and judge(again, scale, 1)["complete"] == DONE
        )
        both = [
            tuple(item["documents"])
            for person in (ann, again)
            for index, item in person.items.items()
            if index in person.judged
        ]
        assert len(both) == len(set(both)) == 4
        assert follow_link(server, {"PROLIFIC_PID": SENT}).json["kind"] == "finished"


def test_an_open_second_browser_waits_for_nothing_when_the_share_is_judged(
    project: Path, scale: str
) -> None:
    with run_server(project, make_options(2, rejoin="continue")) as server:
        first, second = join_by_link(server, SENT), join_by_link(server, SENT)
        assert judge(first, scale, 2)["complete"] == DONE
        answer = second.sync(want=4)
        assert (answer["done"], answer["held"], answer["complete"]) == (True, [], "")


def test_an_excluded_participant_completes_only_with_a_full_share(
    project: Path, scale: str
) -> None:
    """Others finish the pool; without the exclusion, nothing would be left for the participant."""
    options = make_options(20, topics=("9",))
    with run_server(project, options) as server:
        ann, bob = join_by_link(server, SENT), join_by_link(server, "another")
        judge(ann, scale, 1)
        server.ask("aside", person=SENT)
        assert judge(bob, scale, 12)["complete"] == DONE
        assert ann.sync(want=4)["complete"] == ""
        completed = {row["name"]: row["completed"] for row in server.ask("standing")["people"]}
        assert completed[SENT] is None and completed["another"]


def test_participants_without_the_panel_or_from_a_preview_are_not_admitted(project: Path) -> None:
    with run_server(project, make_options()) as server:
        for given in (
            {},
            {"PROLIFIC_PID": ""},
            {"PROLIFIC_PID": 7},
            {"PROLIFIC_PID": "x" * 81},
            {"PROLIFIC_PID": "a\nb"},
        ):
            assert follow_link(server, given).json["kind"] == "panel"
        for unfilled in ("{{%PROLIFIC_PID%}}", "${participantId}", "[[ID]]", "{%PID%}"):
            answer = follow_link(server, {"PROLIFIC_PID": unfilled})
            assert answer.json["kind"] == "preview" and "preview" in answer.json["problem"]
        assert server.lead(lambda session: session.status()).participants == ()


@pytest.mark.slow
def test_neither_a_pause_nor_the_end_completes_unfinished_work(project: Path, scale: str) -> None:
    with run_server(project, make_options()) as server:
        ann = join_by_link(server, SENT)
        judge(ann, scale, 1)
        server.lead(lambda session: session.release(session.find_participant(SENT)))
        for state in ("paused", "ended"):
            server.lead(lambda session, state=state: session.set_state(state))
            assert (
                ann.sync(want=0)["complete"] == ""
                and not server.lead(lambda session: session.status()).participants[0].held
            )


@pytest.mark.slow
def test_undone_work_is_not_complete_even_if_the_undo_was_late(project: Path, scale: str) -> None:
    with run_server(project, make_options(2, topics=("9",))) as server:
        ann, bob = join_by_link(server, SENT), join_by_link(server, "77")
        ann.sync(want=1)
        server.lead(lambda session: session.release(session.find_participant(SENT)))
        while bob.open_items() or bob.sync(want=4)["items"]:
            bob.grade(bob.open_items()[0], 1, scale)
            if bob.sync(want=1)["complete"]:
                break
        late = ann.grade(0, 1, scale)
        ann.sync(want=0)
        ann.undo(late)
        ann.sync(want=0)
        assert judge(ann, scale, 1)["complete"] == ""


@pytest.mark.slow
def test_a_participant_who_judged_everything_is_done_with_fewer_judgments(
    project: Path, scale: str
) -> None:
    with run_server(project, make_options(100, topics=("9",))) as server:
        ann = join_by_link(server, SENT)
        answer = ann.sync(want=1)
        while ann.open_items():
            assert not answer["complete"]
            ann.grade(ann.open_items()[0], 1, scale)
            answer = ann.sync(want=1)
        assert answer["complete"] == DONE and len(ann.judged) == answer["wanted"]


@pytest.mark.slow
def test_attention_checks_are_evaluated_by_the_first_answer(project: Path, scale: str) -> None:
    with run_server(project, make_options(8, checks="checks", gold_every=2)) as server:
        mallory = join_by_link(server, SENT)
        answer = mallory.sync(want=1)
        while not answer["complete"]:
            for index in mallory.open_items():
                mallory.grade(index, 0, scale)
            answer = mallory.sync(want=0)
            for index in mallory.judged:  # all again, with the requested keys
                mallory.grade(index, 2, scale)
            answer = mallory.sync(want=1)
        assert answer["complete"] == FAILED
        for action in reversed(mallory.saved[-len(mallory.judged) :]):
            mallory.undo(action)
        mallory.sync(want=0)
        for index in mallory.judged:
            mallory.grade(index, 2, scale)
        assert mallory.sync(want=0)["complete"] == FAILED


@pytest.mark.slow
def test_a_reported_participant_stays_listed_after_undo(
    project: Path, scale: str, capsys: pytest.CaptureFixture[str]
) -> None:
    with run_server(project, make_options()) as server:
        ann = join_by_link(server, SENT)
        assert judge(ann, scale, 4)["complete"] == DONE
        completion = server.lead(lambda session: session.status()).participants[0].completed
        assert completion and (completion.failed, completion.judged) == (False, 4)
        for action in list(reversed(ann.saved)):
            ann.undo(action)
        ann.judged.clear()
        assert ann.sync(want=0)["complete"] == ""
        assert judge(ann, scale, 4)["complete"] == DONE
    with run_server(project, make_options()) as server:
        assert server.lead(lambda session: session.status()).participants[0].completed == completion
    assert main(["participant", str(project), "--format", "csv"]) == 0
    head, row = capsys.readouterr().out.splitlines()
    assert dict(zip(head.split(","), row.split(","), strict=True))["completed"] == completion.time
    if session_client.databases is not None:  # a new database receives it from the project
        session_client.databases.pop(project)
        with run_server(project, make_options()) as server:
            assert (
                server.lead(lambda session: session.status()).participants[0].completed
                == completion
            )


@pytest.mark.slow
def test_wrong_answers_to_instructed_documents_lead_to_the_other_completion(
    project: Path, scale: str
) -> None:
    with run_server(project, make_options(8, checks="checks", gold_every=2)) as server:
        for name, value, end in (("good", 2, DONE), ("bad", 0, FAILED)):
            person = join_by_link(server, name)
            for _ in range(20):
                answer = person.sync(want=1)
                if answer["complete"]:
                    break
                for index in person.open_items():
                    person.grade(index, value, scale)
            assert answer["complete"] == end, name


@pytest.mark.slow
def test_items_of_returned_or_timed_out_submissions_are_given_to_others(
    project: Path, scale: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    with run_server(project, make_options(36)) as server:
        ann = join_by_link(server, SENT)
        ann.sync(want=2)
        ann.grade(0, 1, scale)
        ann.sync(want=0)
    export = tmp_path / "prolific.csv"
    export.write_text(
        f"Submission id,Participant id,Status,Time taken\n1,{SENT},RETURNED,60\n2,77,APPROVED,60\n3,9,TIMED-OUT,\n",
        encoding="utf-8",
    )
    store = (
        ["--store", session_client.databases[project]]
        if session_client.databases is not None
        else []
    )
    assert main(["import", str(project), "--panel", str(export), *store]) == 0
    assert "Excluded now: 1." in (errors := capsys.readouterr().err) and "1 never joined" in errors
    with run_server(project) as server:
        bob = join_by_link(server, "77")
        while bob.sync()["items"] or bob.open_items():
            for index in bob.open_items():
                bob.grade(index, 1, scale)
        assert bob.sync()["complete"] == DONE
    with open_project(project, writing=False) as opened:
        labels = project_labels(opened, excluded=find_nonvoting_assessors(opened))
        assert len(labels) == 36 and len(labels.workers) == 1


def test_a_panel_definition_is_read_and_written(tmp_path: Path) -> None:
    path = tmp_path / "mine.json"
    path.write_text(
        json.dumps({"name": "mine", "person": "who", "completion": "https://panel.example/{code}"})
    )
    made = load_panel(str(path), "K", each=3)
    assert (made.completion, made.person, made.each) == (
        "https://panel.example/K",
        "who",
        3,
    ) and type(made).from_json(made.as_json()) == made
    assert load_panel("sona", "https://sona.example/done?id=1", each=1).completion.startswith(
        "https://sona"
    )
    assert set(PANELS) == {"prolific", "connect", "sona"}


@pytest.mark.parametrize(
    ("text", "code", "each", "key"),
    [
        ("nobody", "C", 1, "unknown-panel"),
        ("prolific", "", 1, "completion-link"),
        ("prolific", "C", 0, "submission-size"),
        ("sona", "http://plain.example", 1, "completion-link"),
        ('{"person": 3}', "C", 1, "panel-file"),
        ('{"name": "x", "person": 3}', "C", 1, "panel-field-type"),
        ('{"name": "x", "person": "p\\ud800"}', "C", 1, "panel-field-type"),
        ('{"name": "x", "person": "p", "freed": [1]}', "C", 1, "panel-field-type"),
        ('{"name": "x", "person": "p", "rejoin": "never"}', "C", 1, "panel-rejoin"),
        ("[", "C", 1, "panel-file"),
        ('{"name": "x", "person": "p", "freed": "RETURNED"}', "C", 1, "panel-file"),
        (f'{{"name": "x", "person": {"[" * 600}{"]" * 600}}}', "C", 1, "panel-file"),
        *(
            (f'{{"name": "x", "person": "p", "forgiven": {value}}}', "C", 1, "panel-count")
            for value in ('"1"', "null", "[]", "true", "NaN", "-1", "1e400", "1.5")
        ),
    ],
)
def test_invalid_panel_definitions_are_refused(
    tmp_path: Path, text: str, code: str, each: int, key: str
) -> None:
    path = tmp_path / "panel.json"
    path.write_text(text)
    with pytest.raises(IrjudgeError) as error:
        load_panel(str(path) if text[0] in "{[" else text, code, each=each)
    assert error.value.key == key
    assert error.value.values.get("rejoin", "never") == "never"


def test_panel_exports_are_recognised_by_their_columns(tmp_path: Path) -> None:
    path = tmp_path / "x.csv"
    path.write_text("ParticipantId,Status\na,TimedOut\nb,Approved\n")
    assert read_returned_submissions(path) == (["a"], 2)
    path.write_text("who,what\na,b\n")
    with pytest.raises(IrjudgeError, match="person"):
        read_returned_submissions(path)


@pytest.mark.slow
def test_two_browsers_of_one_participant_are_one_row_with_all_judgments(
    project: Path, scale: str
) -> None:
    with run_server(project, make_options(6, rejoin="continue")) as server:
        first = join_by_link(server, SENT)
        judge(first, scale, 1)
        second = join_by_link(server, SENT)
        assert judge(second, scale, 5)["complete"] == DONE
        (seat,) = server.lead(lambda session: session.status()).participants
        assert (seat.name, seat.judged, seat.same) == (SENT, 6, "") and seat.completed is not None
        assert [person.sync(want=0)["own"] for person in (first, second)] == [6, 6]
        status = server.ask("standing")
        assert [(each["judged"], each["late"]) for each in status["people"]] == [(6, 0)]
    if (
        session_client.databases is None
    ):  # with a database, the project has no data of the session yet
        with open_project(project, writing=False) as opened:
            session_status = read_project_status(opened, date(2026, 3, 1)).session
            assert session_status is not None and session_status.participants == 1


@pytest.mark.slow
def test_revoking_a_participants_row_closes_all_their_browsers(project: Path, scale: str) -> None:
    with run_server(project, make_options(6, rejoin="continue")) as server:
        first, second = join_by_link(server, SENT), join_by_link(server, SENT)
        judge(first, scale, 1)
        (seat,) = server.lead(lambda session: session.status()).participants
        server.lead(lambda session: session.revoke(seat.id))
        assert [each.try_call("/sync", {}).status for each in (first, second)] == [401, 401]
