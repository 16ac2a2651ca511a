"""People whom a panel sends: let in by its parameters, sent back when all is acknowledged, their items freed when they gave up."""

import json
from pathlib import Path

import pytest

from irjudge.cli.main import main
from irjudge.errors import IrjudgeError
from irjudge.judging.labels import project_labels
from irjudge.judging.votes import without_vote
from irjudge.model.ranking import make_qrels
from irjudge.store.project import open_project
from irjudge.web.crowd_panels import PANELS, freed_in, panel_called
from irjudge.web.dispatch import Terms
from irjudge.web.server import Server
from irjudge.web.wish import Wish
from tests.engine.exchange.classroom import build
from tests.engine.web import browsing
from tests.engine.web.browsing import Person, ask, serving

pytestmark = pytest.mark.usefixtures("store")
SENT = "5f0a61c2e9d34b7f8a90c1d2"  # long as a panel makes it: a short one is met by chance in a digest
DONE, FAILED = "https://app.prolific.com/submissions/complete?cc=C123", "https://app.prolific.com/submissions/complete?cc=F456"


@pytest.fixture
def project(tmp_path: Path) -> Path:
    path = tmp_path / "class.irjudge"
    build(path)
    with open_project(path) as opened:  # instructed documents: which key to press is their known answer
        checks = make_qrels([(topic, f"t{topic}n{number}", 2) for topic in ("051", "007", "9") for number in (12, 13, 14, 15)])
        opened.rankings.add_qrels("checks", checks)
    return path


@pytest.fixture
def scale(project: Path) -> str:
    with open_project(project, writing=False) as opened:
        return opened.scale.version


def wish(each: int = 4, *, checks: str = "", gold_every: int = 0) -> Wish:
    panel = panel_called("prolific", "C123", "F456" if checks else "", each=each, checks=checks)
    return Wish(Terms(overlap=1, gold_every=gold_every), panel=panel)


def sent(server: Server, person: str) -> Person:
    """Somebody who follows the link of the panel."""
    made = Person.__new__(Person)
    made.port, made.name = server.port, person
    given = {"PROLIFIC_PID": person, "STUDY_ID": "s", "SESSION_ID": "x"}
    answer = ask(server.port, "/join", {"protocol": 1, "code": server.code, "panel": given})
    assert answer.status == 200, answer.body
    made.token = answer.json["token"]
    made.open()
    return made


def test_a_submission_is_complete_with_the_acknowledgement_of_its_last_judgment(project: Path, scale: str) -> None:
    with serving(project, wish()) as server:
        ann = sent(server, SENT)
        for _ in range(4):
            assert ann.sync(want=4)["complete"] == ""
            place = ann.open_places()[0]
            ann.grade(place, 1, scale)
        answer = ann.sync(want=4)
        assert answer["complete"] == DONE and not answer["items"] and not ann.open_places()
        ann.undo(ann.saved[-1])
        assert ann.sync(want=0)["complete"] == ""  # it is to be judged again
    with open_project(project, writing=False) as opened:
        assert [person.name for person in opened.sessions.people()] == [SENT]
        assert SENT.encode() not in b"".join(event.encoded for event in opened.events.read())


def test_who_comes_back_is_the_same_person_and_who_comes_without_the_panel_does_not_come_in(project: Path, scale: str) -> None:
    with serving(project, wish()) as server:
        ann = sent(server, SENT)
        ann.sync()
        ann.grade(0, 1, scale)
        ann.sync()
        again = sent(server, SENT)
        assert again.call("/welcome", {})["actions"] == ann.saved and ann.try_call("/sync", {}).status == 401
        for given in ({}, {"PROLIFIC_PID": ""}, {"PROLIFIC_PID": 7}, {"PROLIFIC_PID": "x" * 81}, {"PROLIFIC_PID": "a\nb"}):
            assert ask(server.port, "/join", {"protocol": 1, "code": server.code, "panel": given}).json["kind"] == "panel"


def test_who_presses_other_keys_than_were_asked_for_is_sent_to_the_other_end(project: Path, scale: str) -> None:
    with serving(project, wish(8, checks="checks", gold_every=2)) as server:
        for name, value, end in (("good", 2, DONE), ("bad", 0, FAILED)):
            person = sent(server, name)
            for _ in range(20):
                answer = person.sync(want=1)
                if answer["complete"]:
                    break
                for place in person.open_places():
                    person.grade(place, value, scale)
            assert answer["complete"] == end, name


def test_what_was_returned_or_timed_out_goes_to_others(
    project: Path, scale: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    with serving(project, wish(36)) as server:
        ann = sent(server, SENT)
        ann.sync(want=2)
        ann.grade(0, 1, scale)
        ann.sync(want=0)
    export = tmp_path / "prolific.csv"
    export.write_text(
        f"Submission id,Participant id,Status,Time taken\n1,{SENT},RETURNED,60\n2,77,APPROVED,60\n3,9,TIMED-OUT,\n", encoding="utf-8"
    )
    store = ["--store", browsing.databases[project]] if browsing.databases is not None else []
    assert main(["import", str(project), "--panel", str(export), *store]) == 0
    assert "Set aside now: 1." in (said := capsys.readouterr().err) and "1 never came" in said
    with serving(project) as server:
        bob = sent(server, "77")
        while bob.sync()["items"] or bob.open_places():
            for place in bob.open_places():
                bob.grade(place, 1, scale)
        assert bob.sync()["complete"] == DONE
    with open_project(project, writing=False) as opened:
        labels = project_labels(opened, leave_out=without_vote(opened))
        assert len(labels) == 36 and len(labels.workers) == 1


def test_a_panel_is_data(tmp_path: Path) -> None:
    path = tmp_path / "mine.json"
    path.write_text(json.dumps({"name": "mine", "person": "who", "completion": "https://panel.example/{code}"}))
    made = panel_called(str(path), "K", each=3)
    assert (made.completion, made.person, made.each) == ("https://panel.example/K", "who", 3) and type(made).from_json(
        made.as_json()
    ) == made
    assert panel_called("sona", "https://sona.example/done?id=1", each=1).completion.startswith("https://sona")
    assert set(PANELS) == {"prolific", "connect", "sona"}


@pytest.mark.parametrize(
    ("text", "code", "each", "words"),
    [
        ("nobody", "C", 1, "is no panel"),
        ("prolific", "", 1, "completion link"),
        ("prolific", "C", 0, "--each"),
        ("sona", "http://plain.example", 1, "https"),
        ('{"person": 3}', "C", 1, "does not read as a panel"),
        ('{"name": "x", "person": 3}', "C", 1, "are texts"),
        ("[", "C", 1, "does not read as a panel"),
    ],
)
def test_panels_that_cannot_be_get_a_sentence(tmp_path: Path, text: str, code: str, each: int, words: str) -> None:
    path = tmp_path / "panel.json"
    path.write_text(text)
    with pytest.raises(IrjudgeError, match=words):
        panel_called(str(path) if text[0] in "{[" else text, code, each=each)


def test_exports_are_known_by_their_columns(tmp_path: Path) -> None:
    path = tmp_path / "x.csv"
    path.write_text("ParticipantId,Status\na,TimedOut\nb,Approved\n")
    assert freed_in(path) == (["a"], 2)
    path.write_text("who,what\na,b\n")
    with pytest.raises(IrjudgeError, match="person"):
        freed_in(path)
