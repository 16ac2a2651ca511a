"""Tests of norming rounds in both stores: independent judging, closing, discussion, repetition."""

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from irjudge.cli.lead import lead
from irjudge.errors import IrjudgeError
from irjudge.judging import Norming, list_norming_sessions, project_labels
from irjudge.model import Document
from irjudge.store import open_project
from irjudge.web import SchedulingOptions, Server, SessionOptions, StartPage
from tests.engine.exchange.classroom import build_class
from tests.engine.web.session_client import Person, run_server

OPTIONS = SessionOptions(SchedulingOptions(overlap=2), norming=Norming(names=True))
GRADES = (0, 3, 1, 2)  # of four participants, for every document, before the discussion


@pytest.fixture
def project(tmp_path: Path) -> Path:
    path = tmp_path / "class.irjudge"
    build_class(path, topics=("051", "007"), documents=6)
    return path


@pytest.fixture
def server(project: Path, store: str) -> Iterator[Server]:
    with open_project(project) as opened:  # its id is also the number of a round
        opened.collection.add_documents([Document("1", b"Elsewhere.", "Numbered like a round")])
    with run_server(project, OPTIONS) as started:
        yield started


@pytest.fixture
def scale(project: Path) -> str:
    with open_project(project, writing=False) as opened:
        return opened.scale.version


def make_people(server: Server, count: int = 4) -> list[Person]:
    return [Person(server, f"Person {number}") for number in range(count)]


def judge(person: Person, scale: str, grade: int | None, limit: int = 99) -> int:
    """Judge open items with a grade, or (None) one on which all agree; return their number."""
    done = 0
    while done < limit and (person.sync()["items"] or person.open_items()):
        for index in person.open_items()[: limit - done]:
            value = int(person.items[index]["documents"][0][-1]) % 4 if grade is None else grade
            action = person.grade(index, value, scale)
            person.act(
                "rationale", action["item"], {"text": f"because {value}", "position": [0, 5]}
            )
            done += 1
    person.sync()
    return done


def run_both_rounds(server: Server, people: list[Person], scale: str) -> None:
    for documents, grades in (("new", GRADES), ("same", (None, None, None, 3))):
        server.ask("round", documents=documents, count=5)
        for person, value in zip(people, grades, strict=True):
            assert judge(person, scale, value) == 5
        server.ask("close")


def test_nothing_of_an_open_round_is_shown_and_everything_of_a_closed_one_is(
    server: Server, scale: str
) -> None:
    people = make_people(server)
    assert people[0].sync()["items"] == [] and people[0].sync()["round"]["state"] == "waiting"
    server.ask("round", count=5)
    assert [
        judge(person, scale, value) for person, value in zip(people[:3], GRADES, strict=False)
    ] == [5, 5, 5]
    response = people[3].sync(want=1)
    assert response["round"] == {
        "number": 1,
        "state": "open",
        "names": True,
        "documents": 5,
        "shown": None,
    }
    with pytest.raises(IrjudgeError) as error:
        server.ask("show", place=0)
    assert error.value.key == "open-round"
    assert "estimates" not in server.ask("standing")["norming"]["rounds"][0]
    status = server.ask("standing")
    assert (status["judged"], status["wanted"]) == (15, 20), "of all who take part"
    server.ask("close")
    shown = people[3].sync()["round"]["shown"]
    assert (
        shown["counts"] == [[0, 1], [1, 1], [2, 0], [3, 1]]
        and shown["split"]
        and shown["before"] is None
    )
    assert [(reason["grade"], reason["name"]) for reason in shown["reasons"]] == [
        (0, ""),
        (1, ""),
        (3, ""),
    ]
    for person in people[:3]:
        person.call("/survey", {"named": True})
    assert {reason["name"] for reason in people[3].sync()["round"]["shown"]["reasons"]} == {
        "Person 0",
        "Person 1",
        "Person 2",
    }
    people[1].call("/survey", {"named": False})
    assert {reason["name"] for reason in people[3].sync()["round"]["shown"]["reasons"]} == {""}, (
        "all or none"
    )


def test_judgments_of_a_closed_round_are_hidden_from_excluded_participants_and_before_consent(
    project: Path, store: str, scale: str
) -> None:
    options = replace(OPTIONS, start=StartPage("You may **stop** at any time."))
    with run_server(project, options) as server:
        ann, bob, cid = make_people(server, 3)
        for person in (ann, bob):
            person.call("/survey", {"answers": {}, "consented": True})
        server.ask("round", count=1)
        assert [judge(person, scale, 1) for person in (ann, bob)] == [1, 1]
        server.ask("close")

        def shown(person: Person) -> list[object]:
            news = person.call("/news", {"known": {}})
            return [news["round"]["shown"], person.sync(want=0)["round"]["shown"]]

        assert all(shown(ann)) and all(shown(bob)) and shown(cid) == [None, None]
        server.ask("aside", person="Person 1")
        assert all(shown(ann)) and shown(bob) == [None, None]
        ann.call("/survey", {"withdraw": True})
        assert shown(ann) == [None, None]


def test_a_note_is_the_reason_for_its_grade_unless_it_was_removed(
    server: Server, scale: str
) -> None:
    people = make_people(server, 2)
    server.ask("round", count=1)
    for person, value in zip(people, (0, 3), strict=True):
        person.sync()
        (index,) = person.open_items()
        action = person.grade(index, value, scale)
        person.act("note", action["item"], {"text": f"noted {value}"})
        person.act("note", action["item"], {"text": "" if value else "better"})
        person.sync()
    server.ask("close")
    reasons = people[0].sync()["round"]["shown"]["reasons"]
    assert [(reason["grade"], reason["text"]) for reason in reasons] == [(0, "better")]


def test_judgments_of_a_closed_round_are_fixed_and_late_ones_kept_separately(
    server: Server, scale: str
) -> None:
    ann, bob = make_people(server, 2)
    server.ask("round", count=2)
    ann.sync(want=2)
    first = ann.grade(ann.open_items()[0], 3, scale)
    ann.sync()
    late = ann.items[ann.open_items()[0]]
    judge(bob, scale, 1)
    server.ask("close")
    ann.undo(first)
    assert "round is closed" in ann.sync()["refused"]["problem"]
    ann.outbox.clear()
    ann.number -= 1
    ann.act("grade", late, {"value": 2, "scale": scale, "active_ms": 1200})
    assert (
        ann.sync()["refused"] is None
        and server.ask("standing")["norming"]["rounds"][0]["people"] == 2
    )
    status = server.ask("standing")
    assert [each["name"] for each in status["late"]] == ["Person 0"]
    assert sorted(each["votes"] for each in status["norming"]["rounds"][0]["list"]) == [1, 2]
    (one,) = status["late"]
    with open_project(server.lead(lambda session: session.project.path), writing=False) as project:
        document = one["pair"].split("\0")[0]
        assert one["title"] == project.collection.titles([document])[document] != ""
    server.ask("take", person=one["person"], topic=one["topic"], pair=one["pair"])
    assert [each["votes"] for each in server.ask("standing")["norming"]["rounds"][0]["list"]] == [
        2,
        2,
    ]


def test_a_closed_round_is_reopened_and_continues(server: Server, scale: str) -> None:
    with pytest.raises(IrjudgeError):
        server.ask("reopen")
    ann, bob = make_people(server, 2)
    server.ask("round", count=3)
    with pytest.raises(IrjudgeError):
        server.ask("reopen")
    assert judge(ann, scale, 3, limit=1) == 1
    bob.sync(want=3)
    late = bob.open_items()[0]
    server.ask("close")
    bob.grade(late, 0, scale)
    assert bob.sync()["refused"] is None and len(server.ask("standing")["late"]) == 1
    assert server.ask("reopen") == {"number": 1, "documents": 3}
    status = server.ask("standing")
    assert status["norming"]["open"] and status["norming"]["rounds"][0]["reopened"]
    assert status["late"] == [] and (status["judged"], status["wanted"]) == (2, 6)
    for person, value in ((ann, 3), (bob, 0)):
        person.open()
        person.judged = set()
        items = person.sync(want=3)["items"]
        left = [each for each in items if each["place"] not in read_judged_items(person)]
        for each in left:
            person.grade(each["place"], value, scale)
        person.sync()
    status = server.ask("standing")
    assert (status["judged"], status["wanted"]) == (6, 6)
    server.ask("close")
    (round_,) = server.ask("standing")["norming"]["rounds"]
    assert round_["people"] == 2 and [each["votes"] for each in round_["list"]] == [2, 2, 2]


def test_a_page_reopened_during_the_discussion_gets_its_items_when_the_round_is_reopened(
    server: Server, scale: str
) -> None:
    ann, bob = make_people(server, 2)
    server.ask("round", count=3)
    judge(bob, scale, 0)
    assert judge(ann, scale, 3, limit=1) == 1
    server.ask("close")
    ann.open()
    ann.sync()
    server.ask("reopen")
    ann.sync()
    ann.sync()
    assert len(ann.items) == 3
    for index in {*ann.items} - read_judged_items(ann):
        ann.grade(index, 3, scale)
    ann.sync()
    assert server.ask("standing")["judged"] == 6


def read_judged_items(person: Person) -> set[int]:
    """Return the judged items of a participant, as sent to a newly opened page."""
    known = {str(about): index for index, about in person.items.items()}
    actions = person.call("/welcome", {})["actions"]
    return {known[str(each["item"])] for each in actions if each["kind"] == "grade"}


@pytest.mark.slow
def test_finished_rounds_are_reopened_and_the_pool_continues_after_them(
    server: Server, scale: str
) -> None:
    people = make_people(server, 2)
    server.ask("round", count=2)
    server.ask("pool")
    assert server.ask("standing")["norming"]["over"]
    assert judge(people[0], scale, 1, limit=2) == 2
    server.ask("reopen")
    status = server.ask("standing")["norming"]
    assert status["open"] and not status["over"]
    assert [judge(person, scale, 2) for person in people[1:]] == [2]
    server.ask("pool")
    judge(people[1], scale, 3)
    status = server.ask("standing")
    assert status["norming"]["over"] and status["late"] == []
    # 2 and 2 of the first participant, 8 of the second outside the round
    assert status["judged"] == 4 + 8


def alpha(status: dict[str, Any], number: int) -> float:
    estimates = status["norming"]["rounds"][number - 1]["estimates"]
    return next(
        float(each["value"])
        for each in estimates
        if (each["statistic"], each["scale"], each["of"]) == ("alpha", "ordinal", "")
    )


def test_rounds_are_recorded_in_the_log_and_the_first_one_counts(
    project: Path, store: str, scale: str
) -> None:
    with run_server(project, OPTIONS) as server:
        people = make_people(server)
        run_both_rounds(server, people, scale)
        status = server.ask("standing")
        assert alpha(status, 2) > alpha(status, 1)
        server.ask("round", documents="new", count=2, qualifies=True)
        for person in people:
            judge(person, scale, 1)
        server.ask("pool")
        assert people[0].sync()["round"] is None
        assert judge(people[0], scale, 0) == 12 - 5 - 2, "items of a round are not assigned again"
    with open_project(project, writing=False) as opened:
        (session,) = list_norming_sessions(opened)
        assert [
            (each.number, each.participants, len(each.documents)) for each in session.rounds
        ] == [
            (1, 4, 5),
            (2, 4, 5),
            (3, 4, 2),
        ]
        assert [len(each.disputed_documents) for each in session.rounds] == [
            5,
            0,
            0,
        ] and session.persistent_splits == ()
        assert [each.value("alpha", "ordinal").value for each in session.rounds[:2]] == [
            alpha(status, 1),
            alpha(status, 2),
        ]
        assert all(asked == 2 for _, asked in session.rounds[2].qualified.values())
        rounds = [
            event.payload.get("round") for event in opened.events.read() if event.kind == "grade"
        ]
        assert [rounds.count(number) for number in (1, 2, 3, None)] == [20, 20, 8, 5]
        labels = project_labels(opened)
        of_round_one = np.isin(
            labels.item,
            [
                at
                for at, pair in enumerate(labels.pairs or ())
                if pair in session.norming.rounds[0].pairs
            ],
        )
        first = [
            set(labels.label[of_round_one & (labels.worker == at)].tolist())
            for at in range(len(labels.workers))
        ]
        assert sorted(first, key=min) == [{0}, {1}, {2}, {3}], (
            "items that were not discussed before"
        )
        assert project_labels(opened, repeats=True).is_repeat is None
        assert opened.verify().problems == ()


@pytest.mark.slow
def test_a_participant_included_again_after_the_rounds_has_all_judgments_counted(
    project: Path, store: str, scale: str
) -> None:
    with run_server(project, OPTIONS) as server:
        people = make_people(server)
        run_both_rounds(server, people, scale)
        server.ask("pool")
        (first,) = [each for each in server.ask("standing")["people"] if each["name"] == "Person 0"]
        server.ask("aside", person=first["id"])
        assert [each["people"] for each in server.ask("standing")["norming"]["rounds"]] == [3, 3]
        server.ask("back", person=first["id"])
        status = server.ask("standing")
        assert status["late"] == [] and [
            each["people"] for each in status["norming"]["rounds"]
        ] == [
            4,
            4,
        ]
        assert people[0].sync()["late"] == 0
    with run_server(project, OPTIONS, code=server.code) as again:
        assert again.ask("standing")["late"] == []
    if store == "project":
        with open_project(project, writing=False) as opened:
            (session,) = list_norming_sessions(opened)
            assert [each.participants for each in session.rounds] == [4, 4]


def test_a_second_round_asks_about_split_documents_and_latecomers_take_part(
    server: Server, scale: str
) -> None:
    people = make_people(server, 3)
    server.ask("round", count=4)
    for person, value in zip(people, (0, 1, 3), strict=True):
        while person.sync(want=5)["items"] or person.open_items():
            for index in person.open_items():
                person.grade(index, value if person.items[index]["topic"] == "051" else 1, scale)
    server.ask("close")
    late = Person(server, "Late")
    assert server.ask("round", documents="split")["documents"] == 2
    assert [judge(person, scale, 2) for person in (*people, late)] == [2, 2, 2, 2]
    server.ask("close")
    norming = server.ask("standing")["norming"]
    assert [each["people"] for each in norming["rounds"]] == [3, 4] and norming["document"][
        "before"
    ]["votes"] == 3
    with pytest.raises(IrjudgeError, match="are disputed"):
        server.ask("round", documents="split")


def test_the_document_under_discussion_is_sent_to_participants_who_joined_after_the_round(
    server: Server, scale: str
) -> None:
    people = make_people(server, 2)
    server.ask("round", count=2)
    for person in people:
        judge(person, scale, 1)
    late = Person(server, "Late")
    assert late.try_call("/shown", {}).json["kind"] == "shown", "the round is open"
    server.ask("close")
    for position in (0, 1):
        server.ask("show", place=position)
        shown = server.ask("standing")["norming"]["document"]["document"]
        answer = late.call("/shown", {})
        assert answer["document"]["id"] == shown and answer["content"]["html"]
    server.ask("aside", person=server.lead(lambda session: session.find_participant("Late")))
    assert late.try_call("/shown", {}).json["kind"] == "shown"
    server.ask("show", place=None)
    assert people[0].try_call("/shown", {}).json["kind"] == "shown"


@pytest.mark.slow
def test_a_restarted_server_continues_the_rounds(project: Path, store: str, scale: str) -> None:
    with run_server(project, OPTIONS) as server:
        people = make_people(server)
        server.ask("round", count=3)
        for person in people:
            judge(person, scale, 1)
        judged = server.ask("standing")["norming"]
        server.ask("close")
    with run_server(project, OPTIONS, code=server.code) as again:
        assert (
            judged["rounds"][0]["documents"]
            == again.ask("standing")["norming"]["rounds"][0]["documents"]
            == 3
        )
        for person in people:
            person.port = again.port
            assert person.sync()["round"]["shown"]["votes"] == 4
        again.ask("round", documents="same")
        assert [judge(person, scale, 2) for person in people] == [3, 3, 3, 3]
        if store == "database":
            with run_server(project, OPTIONS) as other:
                other.ask("close")
                assert (
                    people[0].sync()["round"]["state"]
                    == "closed"
                    == (other.lead(lambda session: session.rounds.newest_round()) or {})["state"]
                )


def test_at_the_terminal_a_round_with_missing_judgments_is_closed_only_after_confirmation(
    server: Server, scale: str
) -> None:
    def is_open() -> bool:
        return bool(server.ask("standing")["norming"]["open"])

    (ann,) = make_people(server, 1)
    server.ask("round", count=2)
    (message,) = lead(server, ["close"])
    assert is_open() and "0 of 0" in message
    judge(ann, scale, 1, limit=1)
    for word in ("close", "pool"):
        (message,) = lead(server, [word])
        assert is_open() and "1 of 2" in message
    list(lead(server, ["close", "now"]))
    assert not is_open()
    list(lead(server, ["reopen"]))
    assert is_open()
    judge(ann, scale, 1)
    list(lead(server, ["close"]))
    assert not is_open()
    list(lead(server, ["reopen"]))
    list(lead(server, ["pool", "now"]))
    assert server.ask("standing")["norming"]["over"]


@pytest.mark.slow
def test_split_documents_are_listed_with_their_topics(server: Server, scale: str) -> None:
    people = make_people(server, 2)
    server.ask("round", count=2)
    for person, value in zip(people, (0, 3), strict=True):
        judge(person, scale, value)
    server.ask("close")
    (round_,) = server.ask("standing")["norming"]["rounds"]
    assert [each["name"] for each in round_["list"] if each["split"]] == [
        f"{each['title'] or each['document']} · title of {each['topic']}" for each in round_["list"]
    ]


@pytest.mark.usefixtures("store")
def test_the_first_judgment_of_a_participant_who_missed_a_round_counts_in_the_agreement(
    project: Path, scale: str
) -> None:
    with run_server(project, OPTIONS) as server:
        ann, bob = make_people(server, 2)
        server.ask("round", count=2)
        assert len(ann.sync()["items"]) == 2 and judge(bob, scale, 1) == 2
        server.ask("close")
        server.ask("round", documents="same")
        assert judge(ann, scale, 1) == 2 and judge(bob, scale, 2) == 2
        agreement = [each["agreement"] for each in server.ask("quality")["people"].values()]
        assert agreement == [1.0, 1.0], "Bob's judgments of the first round and Ann's of the second"


def test_a_search_result_is_not_assigned_during_a_round(project: Path) -> None:
    options = replace(OPTIONS, search=True)
    with run_server(project, options) as server:
        ann, bob = make_people(server, 2)
        server.ask("round", count=2)
        ann.sync()
        shown = {item["documents"][0] for item in ann.items.values()}
        document = next(name for name in ("t051n0", "t051n1", "t051n2") if name not in shown)
        refused = ann.try_call("/find", {"topic": "051", "document": document})
        assert refused.json["kind"] == "search"
        bob.sync(want=5)
        assert {item["documents"][0] for item in bob.items.values()} == shown
        server.ask("pool")
        assert ann.call("/find", {"topic": "051", "document": document})["given"]
        of_round = next(name for name in shown if name.startswith("t051"))
        refused = ann.try_call("/find", {"topic": "051", "document": of_round})
        assert refused.json["kind"] == "search"


def test_a_search_result_is_not_assigned_in_a_reopened_round(
    project: Path, scale: str, store: str
) -> None:
    with open_project(project) as opened:
        opened.collection.add_documents([Document("x", b"Elsewhere.", "Outside the pool")])
    with run_server(project, replace(OPTIONS, search=True)) as server:
        ann, bob = make_people(server, 2)
        server.ask("round", count=2)
        assert judge(ann, scale, 1) == 2
        server.ask("pool")
        assert ann.call("/find", {"topic": "051", "document": "x"})["given"]
        server.ask("reopen")
        assert judge(ann, scale, 1) == 0
        assert judge(bob, scale, 1) == 2, "only the documents of the round"
        server.ask("pool")
        judge(bob, scale, 1)
        assert "x" in {item["documents"][0] for item in bob.items.values()}, "after the rounds"


def test_documents_of_rounds_are_not_repeated_in_the_main_judging(
    project: Path, scale: str, store: str
) -> None:
    options = replace(OPTIONS, terms=SchedulingOptions(overlap=2, repeats_every=2))
    with run_server(project, options) as server:
        (ann,) = make_people(server, 1)
        server.ask("round", count=4)
        judge(ann, scale, 1)
        discussed = {item["documents"][0] for item in ann.items.values()}
        server.ask("pool")
        judge(ann, scale, 1)
        shown = [item["documents"][0] for item in ann.items.values()]
        assert len(shown) > len(set(shown)), "other documents are repeated"
        assert all(shown.count(document) == 1 for document in discussed)
        (row,) = server.ask("standing")["people"]
        assert row["norming_count"] == len(discussed) == 4


def test_a_note_being_typed_when_the_round_is_closed_is_kept_as_a_draft(
    server: Server, scale: str
) -> None:
    (ann,) = make_people(server, 1)
    server.ask("round", count=1)
    judge(ann, scale, 1)
    server.ask("close")
    item = next(iter(ann.items.values()))
    ann.act("draft", item, {"text": "because"})
    assert ann.sync()["refused"] is None
    ann.act("note", item, {"text": "because"})
    assert ann.sync()["refused"]
