"""Tests of consent, surveys, withdrawal and completion codes in a panel session."""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from irjudge.errors import FormatError, ProjectError
from irjudge.store import open_project
from irjudge.web import (
    SchedulingOptions,
    Server,
    SessionOptions,
    StartPage,
    SurveyQuestion,
    load_panel,
    read_survey,
)
from irjudge.web import session as session_module
from irjudge.web.participants import (
    CONSENTED,
    MAX_ANSWER_LENGTH,
    START_PAGE_KEY,
    load_start_page,
)
from irjudge.web.session_state import WITHDRAWAL_KEY
from tests.engine.exchange.classroom import build_class
from tests.engine.web.session_client import Person, pull, run_server

START = StartPage(
    "I **agree** <script>alert(1)</script>",
    12,
    (SurveyQuestion("often", "How often do you search?", ("daily", "rarely")),),
    (SurveyQuestion("words", "What was hard?"),),
)


@pytest.fixture
def project(tmp_path: Path) -> Path:
    path = tmp_path / "crowd.irjudge"
    build_class(path, topics=("051",), documents=8)
    return path


@pytest.fixture
def server(project: Path, store: str) -> Iterator[Server]:
    panel = load_panel("prolific", "CODE1", "FAIL1", each=2)
    with run_server(
        project, SessionOptions(SchedulingOptions(overlap=2), panel=panel, start=START)
    ) as started:
        yield started


def join_panel(server: Server, name: str) -> Person:
    person = Person(server, name, join=False)
    person.token = person.call("/join", {"code": server.code, "panel": {"PROLIFIC_PID": name}})[
        "token"
    ]
    return person


def accept_start_page(person: Person) -> Person:
    """Accept the start page."""
    person.call("/survey", {"answers": {"often": "daily"}, "consented": True})
    return person


def test_judging_requires_acceptance_of_the_start_page(server: Server, project: Path) -> None:
    ann = join_panel(server, "ann")
    ask = {"client": ann.client, "actions": [], "want": 3, "has": 0}
    assert ann.try_call("/sync", ask).json["kind"] == "start"
    assert ann.call("/sync", {**ask, "want": 0})["items"] == []
    assert ann.try_call("/sync", {**ask, "actions": [{}], "want": 0}).json["kind"] == "start"
    assert ann.try_call("/survey", {"answers": {}, "consented": True}).json["kind"] == "start"
    assert ann.try_call("/sync", ask).json["kind"] == "start", "a question was not answered"
    assert accept_start_page(ann).sync()["items"]


@pytest.mark.parametrize("answer", [{"answers": {"words": ""}}, {"skip": True}])
def test_the_code_is_shown_only_after_the_final_questions(
    server: Server, project: Path, answer: dict[str, Any]
) -> None:
    with open_project(project, writing=False) as opened:
        scale = opened.scale.version
    ann = accept_start_page(join_panel(server, "ann"))
    assert ann.sync()["asks"] == ""
    for position in (0, 1):
        ann.grade(position, 1, scale)
    response = ann.sync()
    assert (response["asks"], response["complete"], response["code"]) == ("code", "", "")
    (seat,) = server.lead(lambda session: session.status()).participants
    assert seat.completed is None
    ann.call("/survey", answer)
    response = ann.sync()
    assert (response["asks"], response["code"]) == ("", "CODE1") and response["complete"]


def test_a_complete_submission_gets_its_code_after_the_end_of_the_session(
    server: Server, project: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with open_project(project, writing=False) as opened:
        scale = opened.scale.version
    ann, bob = (accept_start_page(join_panel(server, name)) for name in ("ann", "bob"))
    for person, count in ((ann, 2), (bob, 1)):
        person.sync()
        for position in range(count):
            person.grade(position, 1, scale)
        person.sync()
    monkeypatch.setattr(session_module, "FAREWELL_SECONDS", -1.0)
    server.ask("state", state="ended")
    ann.call("/survey", {"answers": {"words": "None."}})
    assert ann.sync()["code"] == "CODE1"
    assert ann.call("/welcome", {})["task"]["start"]["answered"]["words"] == "None."
    assert bob.try_call("/sync", {"want": 4}).json["kind"] == "ended"


def test_a_page_is_sent_the_questions_and_earlier_answers(server: Server) -> None:
    ann = join_panel(server, "ann")
    start = ann.call("/welcome", {})["task"]["start"]
    assert "<strong>agree</strong>" in start["consent"] and "<script" not in start["consent"]
    assert (start["minutes"], start["count"]) == (12, 2)
    assert start["before"][0]["choices"] == ["daily", "rarely"] and start["answered"] == {}
    ann.call("/survey", {"answers": {"often": "daily"}, "consented": True})
    ann.call("/survey", {"answers": {"words": "Nothing."}})
    answered = ann.call("/welcome", {})["task"]["start"]["answered"]
    assert answered.pop(CONSENTED) and answered == {"often": "daily", "words": "Nothing."}
    assert join_panel(server, "bob").call("/welcome", {})["task"]["start"]["answered"] == {}, (
        "participants do not see the answers of others"
    )


def test_answers_to_other_questions_are_refused(server: Server) -> None:
    ann = join_panel(server, "ann")
    asked: list[Any] = [
        {"often": "always"},
        {"other": "x"},
        {"words": 3},
        {"words": "x" * (MAX_ANSWER_LENGTH + 1)},
        {"words": "a lone surrogate \ud800"},
        "x",
    ]
    for answers in asked:
        assert ann.try_call("/survey", {"answers": answers}).status == 400, answers
        assert ann.call("/welcome", {})["task"]["start"]["answered"] == {}, answers


def test_a_withdrawn_participant_is_excluded_and_items_are_reassigned(
    server: Server, project: Path
) -> None:
    with open_project(project, writing=False) as opened:
        scale = opened.scale.version
    ann = accept_start_page(join_panel(server, "ann"))
    ann.sync()
    ann.grade(0, 1, scale)
    ann.sync()
    ann.call("/survey", {"withdraw": True})
    assert (
        ann.sync()["aside"]
        and server.ask("standing")["judged"] == 0
        and server.ask("standing")["people"][0]["held"] == 0
    )
    assert ann.call("/welcome", {})["task"]["start"]["answered"][WITHDRAWAL_KEY]
    (seat,) = server.lead(lambda session: session.status()).participants
    assert seat.aside and seat.withdrawn


def test_the_code_is_sent_with_the_link_and_not_before(server: Server, project: Path) -> None:
    with open_project(project, writing=False) as opened:
        scale = opened.scale.version
    ann = accept_start_page(join_panel(server, "ann"))
    assert (ann.sync()["complete"], ann.sync()["code"]) == ("", "")
    for position in (0, 1):
        ann.grade(position, 1, scale)
    ann.sync()
    ann.call("/survey", {"answers": {"words": "Nothing."}})
    response = ann.sync()
    assert response["complete"].endswith("cc=CODE1") and response["code"] == "CODE1"


def test_a_participant_who_withdrew_and_is_included_again_can_go_on(server: Server) -> None:
    ann = accept_start_page(join_panel(server, "ann"))
    ann.call("/survey", {"withdraw": True})
    assert WITHDRAWAL_KEY in ann.call("/welcome", {})["task"]["start"]["answered"]
    server.ask("back", person="ann")
    answered = ann.call("/welcome", {})["task"]["start"]["answered"]
    assert WITHDRAWAL_KEY not in answered and CONSENTED in answered


def test_without_a_panel_the_last_questions_follow_the_last_judgment(project: Path) -> None:
    options = SessionOptions(SchedulingOptions(overlap=2), start=START)
    with open_project(project, writing=False) as opened:
        scale = opened.scale.version
    with run_server(project, options) as server:
        ann = accept_start_page(Person(server, "ann"))
        assert ann.sync(5)["asks"] == ""
        while ann.open_items():
            for index in ann.open_items():
                ann.grade(index, 1, scale)
            answer = ann.sync(5)
        assert (answer["done"], answer["asks"], answer["complete"]) == (True, "end", "")
        ann.call("/survey", {"answers": {"words": "nothing"}})
        assert ann.sync(0)["asks"] == ""


def test_without_a_panel_the_last_questions_can_be_answered_after_the_end(
    project: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    options = SessionOptions(SchedulingOptions(overlap=2), start=START)
    with open_project(project, writing=False) as opened:
        scale = opened.scale.version
    with run_server(project, options) as server:
        ann, bob = (accept_start_page(Person(server, name)) for name in ("ann", "bob"))
        while ann.sync(5)["items"] or ann.open_items():
            for index in ann.open_items():
                ann.grade(index, 1, scale)
        bob.sync(1)
        bob.grade(bob.open_items()[0], 1, scale)
        assert bob.sync(0)["asks"] == "", "other documents are left"
        monkeypatch.setattr(session_module, "FAREWELL_SECONDS", -1.0)
        server.ask("state", state="ended")
        assert ann.sync(0)["asks"] == "end"
        ann.call("/survey", {"answers": {"words": "nothing"}})
        for person in (ann, bob):
            assert person.try_call("/sync", {"want": 0}).json["kind"] == "ended"


def test_answers_are_stored_in_the_project(server: Server, project: Path) -> None:
    ann = join_panel(server, "ann")
    ann.call("/survey", {"answers": {"often": "rarely"}})
    with open_project(pull(project), writing=False) as opened:
        (survey,) = opened.sessions.surveys().values()
        assert survey == {"often": "rarely"}


@pytest.mark.parametrize(
    "data",
    [
        [],
        {},
        {"before": [{"id": "a"}]},
        {"before": [{"id": "", "question": "x"}]},
        {"before": [{"id": "consented", "question": "x"}]},
        "x",
        {"before": [{"id": [], "question": "b", "choices": ["c"]}]},
        {"before": [{"id": {}, "question": "b", "choices": ["c"]}]},
        {"before": [{"id": "a\ud800", "question": "b", "choices": ["c"]}]},
        {"before": [{"id": "a", "question": "b\ud800", "choices": ["c"]}]},
        {"after": [{"id": "a", "question": "b", "choices": ["c\ud800"]}]},
        {"after": [{"id": "a", "question": "b", "choices": "yes"}]},
    ],
)
def test_a_file_that_is_not_a_survey_is_reported(tmp_path: Path, data: Any) -> None:
    path = tmp_path / "survey.json"
    path.write_text(json.dumps(data), encoding="utf-8")
    with pytest.raises(FormatError, match=r"survey\.json"):
        read_survey(path)


def test_a_written_survey_reads_back_unchanged(tmp_path: Path) -> None:
    path = tmp_path / "survey.json"
    path.write_text(
        json.dumps({"before": [{"id": "often", "question": "How often?", "choices": ["daily"]}]}),
        encoding="utf-8",
    )
    assert read_survey(path) == StartPage(
        before=(SurveyQuestion("often", "How often?", ("daily",)),)
    )


@pytest.mark.parametrize("text", ['{"minutes": 1e999}', "[" * 100_000, '{"before": [{"id": []}]}'])
def test_a_damaged_start_page_is_reported(project: Path, text: str) -> None:
    with open_project(project) as opened:
        opened.set_setting(START_PAGE_KEY, text)
        with pytest.raises(ProjectError) as refused:
            load_start_page(opened)
    assert refused.value.values["file"] == project.name
