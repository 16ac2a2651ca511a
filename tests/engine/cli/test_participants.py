"""Tests of the participants of a session: listed, renamed, forgotten, merged and erased."""

import json
import shutil
import sqlite3
from collections import Counter
from pathlib import Path

import pytest

from irjudge.cli.lead import lead
from irjudge.cli.main import main
from irjudge.errors import IrjudgeError, ProjectError
from irjudge.exchange import make_booklet, merge_files, read_pages
from irjudge.judging import Session, exclude_assessor, project_labels, submit_work
from irjudge.model import Scale
from irjudge.store import (
    Participant,
    create_project,
    find_projects_with_data,
    open_project,
    write_without_people,
)
from irjudge.store.events import ERASED_EVENTS
from irjudge.web import SchedulingOptions, SessionOptions
from tests.engine.exchange.classroom import assign_class, build_class, judge_file, read_votes
from tests.engine.web.session_client import Person, run_server


@pytest.fixture
def project(tmp_path: Path) -> Path:
    """Return a project in whose session Ann judged one document, and Bob none."""
    path = tmp_path / "class.irjudge"
    build_class(path)
    with open_project(path) as opened:
        scale = opened.scale.version
    with run_server(path, SessionOptions(join="names", names=("Ann", "Bob"))) as server:
        ann, _ = Person(server, "Ann"), Person(server, "Bob")
        ann.sync()
        ann.grade(0, 2, scale)
        ann.sync()
    return path


def list_participants(path: Path, capsys: pytest.CaptureFixture[str]) -> list[dict[str, object]]:
    assert main(["participant", str(path), "--format", "json"]) == 0
    rows: list[dict[str, object]] = json.loads(capsys.readouterr().out)["values"]
    return rows


@pytest.mark.slow
def test_participants_are_listed_with_their_judgments(
    project: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert [(each["name"], each["judged"]) for each in list_participants(project, capsys)] == [
        ("Ann", 1),
        ("Bob", 0),
    ]


@pytest.mark.slow
def test_renaming_changes_no_event(project: Path, capsys: pytest.CaptureFixture[str]) -> None:
    with open_project(project, writing=False) as opened:
        before = opened.events.digests()
    assert main(["participant", str(project), "ann", "--rename", "Anna  Maria"]) == 0
    assert list_participants(project, capsys)[0]["name"] == "Anna Maria"
    with open_project(project, writing=False) as opened:
        assert opened.events.digests() == before and opened.verify().problems == ()


def test_a_forgotten_name_is_removed_from_the_file(
    project: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["participant", str(project), "Bob", "--forget"]) == 0
    assert [each["name"] for each in list_participants(project, capsys)] == ["Ann", ""]
    assert b"Bob" not in project.read_bytes() and b"Ann" in project.read_bytes()


def test_an_unknown_or_ambiguous_participant_is_reported(
    project: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["participant", str(project), "Eva", "--forget"]) == 2
    assert "has no participant Eva" in capsys.readouterr().err
    assert main(["participant", str(project), "Bob", "--rename", "Ann"]) == 0
    assert main(["participant", str(project), "Ann", "--forget"]) == 2
    assert "2 participants have the name Ann" in capsys.readouterr().err
    assert main(["participant", str(project), "--forget"]) == 2
    assert main(["participant", str(project), "Ann", "--forget", "--rename", "x"]) == 2


# Two ids of one participant


def judge_all(person: Person, scale: str, grade: int = 1, limit: int = 10**6) -> list[int]:
    """Judge all documents of a participant, and return their indices."""
    done: list[int] = []
    while len(done) < limit and (person.sync(want=1)["items"] or person.open_items()):
        for index in person.open_items():
            person.grade(index, grade, scale)
            done.append(index)
    person.sync(want=0)
    return done


@pytest.fixture
def project_with_two_ids(tmp_path: Path) -> Path:
    """Return a project whose session Ann joined again as Anna, with different grades."""
    path = tmp_path / "class.irjudge"
    build_class(path, topics=("051",), documents=6)
    with open_project(path) as opened:
        scale = opened.scale.version
    with run_server(path, SessionOptions(SchedulingOptions(overlap=3))) as server:
        for name, grade in (("Ann", 1), ("Anna", 3), ("Bob", 1)):
            judge_all(Person(server, name), scale, grade)
    return path


@pytest.mark.slow
def test_two_ids_of_one_participant_count_once_and_no_event_changes(
    project_with_two_ids: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    with open_project(project_with_two_ids, writing=False) as opened:
        before = opened.events.digests()
        ids = {each.name: each.id for each in opened.sessions.participants()}
        assert len(project_labels(opened)) == 18
    assert main(["participant", str(project_with_two_ids), "Anna", "--same-as", "Ann"]) == 0
    assert [each["same_as"] for each in list_participants(project_with_two_ids, capsys)] == [
        "",
        ids["Ann"],
        "",
    ]
    with open_project(project_with_two_ids, writing=False) as opened:
        labels = project_labels(opened)
        assert set(labels.workers) == {ids["Ann"], ids["Bob"]} and len(labels) == 12
        assert {labels.scale[label] for label in labels.label.tolist()} == {"1"}
        assert {vote.grade for vote in read_votes(opened)} == {1}
        assert opened.events.digests() == before and opened.verify().problems == ()


def test_no_id_of_an_excluded_participant_counts(project_with_two_ids: Path) -> None:
    assert main(["participant", str(project_with_two_ids), "Anna", "--same-as", "Ann"]) == 0
    with open_project(project_with_two_ids) as opened:
        ids = {each.name: each.id for each in opened.sessions.participants()}
        exclude_assessor(opened, ids["Ann"])
        assert {vote.assessor for vote in read_votes(opened)} == {ids["Bob"]}


@pytest.mark.slow
def test_merged_participants_have_one_main_id_in_any_order_of_merging(
    project_with_two_ids: Path,
) -> None:
    for one, other in (("Anna", "Bob"), ("Bob", "Ann")):
        assert main(["participant", str(project_with_two_ids), one, "--same-as", other]) == 0
    with open_project(project_with_two_ids, writing=False) as opened:
        ids = {each.name: each.id for each in opened.sessions.participants()}
        assert opened.sessions.first_ids() == {ids["Anna"]: ids["Ann"], ids["Bob"]: ids["Ann"]}
        assert {vote.assessor for vote in read_votes(opened)} == {ids["Ann"]}
    assert main(["participant", str(project_with_two_ids), "Ann", "--same-as", "Anna"]) == 0
    with open_project(project_with_two_ids, writing=False) as opened:
        assert opened.sessions.first_ids() == {ids["Anna"]: ids["Ann"], ids["Bob"]: ids["Ann"]}


def list_judged(person: Person) -> list[str]:
    return [person.items[index]["documents"][0] for index in sorted(person.judged)]


def test_a_running_session_assigns_no_document_twice_to_merged_ids(
    tmp_path: Path,
) -> None:
    path = tmp_path / "class.irjudge"
    build_class(path, topics=("051",), documents=8)
    with open_project(path) as opened:
        scale = opened.scale.version
    with run_server(path, SessionOptions(SchedulingOptions(overlap=2))) as server:
        ann, anna = Person(server, "Ann"), Person(server, "Anna")
        judge_all(ann, scale, limit=2)
        judge_all(anna, scale, limit=2)
        both = set(list_judged(ann)) & set(list_judged(anna))
        reported = list(lead(server, ["same", "Anna", "=", "Ann"]))
        assert [line.startswith("Anna and Ann ") for line in reported] == [True]
        judge_all(anna, scale, limit=3)
        judge_all(ann, scale)
        assert set(list_judged(ann)) & set(list_judged(anna)) == both
        status = server.lead(lambda session: session.status())
        assert [(seat.name, seat.same) for seat in status.participants] == [("Ann", "Anna")]
        assert status.topics == {"051": (8, 16)}  # every document once by the merged participant
        assert any("Ann (= Anna)" in line for line in lead(server, ["people"]))
        bob = Person(server, "Bob")
        judge_all(bob, scale)
        assert len(list_judged(bob)) == 8 and server.lead(lambda session: session.scheduler.is_done)
        with pytest.raises(IrjudgeError, match="same participant"):
            list(lead(server, ["same", "Ann", "=", "Anna"]))
    with open_project(path, writing=False) as opened:
        labels = project_labels(opened)
        assert (
            Counter(labels.item.tolist()) == dict.fromkeys(range(8), 2)
            and opened.verify().problems == ()
        )


@pytest.mark.slow
def test_a_resumed_session_knows_merged_participants(tmp_path: Path) -> None:
    path = tmp_path / "class.irjudge"
    build_class(path, topics=("051",), documents=6)
    with open_project(path) as opened:
        scale = opened.scale.version
    with run_server(path, SessionOptions(SchedulingOptions(overlap=2))) as server:
        judge_all(Person(server, "Ann"), scale)
        Person(server, "Anna")
    assert main(["participant", str(path), "Anna", "--same-as", "Ann"]) == 0
    with run_server(path) as server:
        person = server.lead(lambda session: session.find_participant("Anna"))
        token = server.lead(lambda session: session.renew_token(person))
        anna = Person(server, "Anna", join=False)
        anna.token = token
        assert judge_all(anna, scale) == []
        server.lead(lambda session: session.exclude_participant(person))
        seats = server.lead(lambda session: session.status()).participants
        assert [(seat.name, seat.aside) for seat in seats] == [("Ann", True)]
        assert server.lead(lambda session: session.status()).topics == {"051": (0, 12)}


# Erased participants


@pytest.mark.slow
def test_erasing_removes_all_data_and_names_files_that_still_have_it(
    project_with_two_ids: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    whole = project_with_two_ids.read_bytes()
    with open_project(project_with_two_ids, writing=False) as opened:
        ids = {each.name: each.id for each in opened.sessions.participants()}
    shutil.copy(project_with_two_ids, project_with_two_ids.with_name("backup.irjudge"))
    made = project_with_two_ids.with_name("without.irjudge")
    assert main(["participant", str(project_with_two_ids), "Anna", "--erase", "-o", str(made)]) == 0
    err = capsys.readouterr().err
    assert (
        "backup.irjudge, class.irjudge" in err
        and "6 events" in err
        and project_with_two_ids.read_bytes() == whole
    )
    content = made.read_bytes()
    assert (
        ids["Anna"].encode() not in content
        and b"Anna" not in content
        and ids["Ann"].encode() in content
    )
    with open_project(made) as opened:
        assert opened.verify().problems == () and opened.events.count() == 12
        assert {vote.assessor for vote in read_votes(opened)} == {ids["Ann"], ids["Bob"]}
        with pytest.raises(sqlite3.IntegrityError, match="never deleted"):
            opened._db.execute("DELETE FROM event")


def test_old_files_do_not_restore_erased_participants(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "class.irjudge"
    build_class(path)
    files = {each.assessor: each.path for each in assign_class(path, tmp_path / "files").files}
    for file in files.values():
        judge_file(file, limit=4)
    assert main(["merge", str(path), *map(str, files.values())]) == 0
    made = path.with_name("without.irjudge")
    assert main(["participant", str(path), "bob", "--erase", "-o", str(made)]) == 0
    judge_file(files["bob"], limit=2, tick=50)
    with open_project(made) as opened:
        assert opened.events.erased_digests() and "bob" not in opened.events.assessors()
        merge_files(opened, list(files.values()))
        assert opened.events.assessors() == ("ann", "cleo") and opened.verify().problems == ()


def test_an_erased_event_is_refused_from_any_source(tmp_path: Path) -> None:
    path = tmp_path / "class.irjudge"
    build_class(path)
    (file, *_) = (each.path for each in assign_class(path, tmp_path / "files").files)
    judge_file(file, limit=3)
    with open_project(file, writing=False) as task:
        digests = sorted(task.events.digests())
    with open_project(path) as opened:
        opened.set_setting(ERASED_EVENTS, json.dumps(digests))
        (report,) = merge_files(opened, [file]).reports
        assert opened.events.count() == 0 and sum(report.reasons.values()) == 3
        assert "erased" in str(next(iter(report.reasons)))


@pytest.mark.parametrize(
    "name",
    ["erased_people", "erased_events", "same_people", "completions", "surveys", "booklets"],
)
@pytest.mark.parametrize("text", ["[" * 100_000, "5", '"x"', "null"])
def test_erasing_reports_a_damaged_setting(tmp_path: Path, name: str, text: str) -> None:
    path = tmp_path / "class.irjudge"
    with create_project(path, scale=Scale.parse("0-3")) as opened:
        opened.set_setting(name, text)
    with open_project(path, writing=False) as opened, pytest.raises(ProjectError) as error:
        write_without_people(opened, ["bob"], tmp_path / "without.irjudge")
    assert error.value.values["file"] == "without.irjudge"
    assert not (tmp_path / "without.irjudge").exists()


def test_erasing_removes_a_damaged_list_of_names(tmp_path: Path) -> None:
    path, made = tmp_path / "class.irjudge", tmp_path / "without.irjudge"
    with create_project(path, scale=Scale.parse("0-3")) as opened:
        opened.sessions.add("s", 1, {"names": 5, "join": "names"}, "2026-03-01T10:00:00.000Z")
    with open_project(path, writing=False) as opened:
        write_without_people(opened, ["bob"], made)
    with open_project(made, writing=False) as opened:
        assert opened.sessions.all()[0].terms == {"names": [], "join": "names"}


def test_erasing_removes_submissions_booklets_and_listed_spellings(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path, made = tmp_path / "class.irjudge", tmp_path / "without.irjudge"
    build_class(path)
    with open_project(path) as opened:
        session = Session(opened, "bob")
        session.grade(session.advance(), 1, active_ms=1)
        submit_work(session)
        make_booklet(opened, "bob", "cleo")
        cleo = read_pages(opened)[max(read_pages(opened))]
        opened.sessions.add("s", 1, {"names": ["Ａnna  Maria", "Eve"]}, "2026-03-01T10:00:00.000Z")
        joined = Participant("p1", 1, 1, "Anna Maria", b"", "2026-03-01T10:00:00.000Z")
        opened.sessions.add_participant(joined)
    with open_project(path, writing=False) as opened:
        assert write_without_people(opened, ["bob", "p1"], made) == 1
    assert not [name for name in ("bob", "Maria") if name.encode() in made.read_bytes()]
    with open_project(made) as opened:
        assert opened.verify().problems == ()
        assert opened.sessions.all()[0].terms["names"] == ["Eve"]
        pages = read_pages(opened)
        assert pages[max(pages)] == cleo and {page.scale for page in pages.values()} > {""}
        assert make_booklet(opened, "cleo").pages.keys() <= pages.keys()


def test_erasing_lists_projects_with_an_assignment_of_the_participant(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path, made = tmp_path / "class.irjudge", tmp_path / "without.irjudge"
    build_class(path)
    assign_class(path, tmp_path / "files")
    assert main(["participant", str(path), "bob", "--erase", "-o", str(made)]) == 0
    assert "class.irjudge" in capsys.readouterr().err
    assert find_projects_with_data(tmp_path, ["bob"], path) == []
    assert find_projects_with_data(tmp_path, ["ann"], path) == [made]


def test_erasing_needs_a_new_file_and_fails_without_changes(
    project: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    whole = project.read_bytes()
    for arguments in (
        ["--erase"],
        ["--erase", "-o", str(project)],
        ["-o", "x"],
        ["--erase", "-o", str(project.with_name("no") / "x.irjudge")],
    ):
        assert main(["participant", str(project), "Ann", *arguments]) == 2, arguments
    assert (
        main(
            [
                "participant",
                str(project),
                "teacher",
                "--erase",
                "-o",
                str(project.with_name("x.irjudge")),
            ]
        )
        == 2
    )
    assert project.read_bytes() == whole and [each.name for each in project.parent.iterdir()] == [
        project.name
    ]


def test_seats_and_links_can_be_revoked_without_a_server(
    project: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert (
        main(["participant", str(project), "Ann", "--free"]) == 2
        and "Ann has judgments (1)" in capsys.readouterr().err
    )
    assert (
        main(["participant", str(project), "Ann", "--revoke"])
        == main(["participant", str(project), "Bob", "--free"])
        == 0
    )
    assert [each["name"] for each in list_participants(project, capsys)] == ["Ann"]
    with open_project(project, writing=False) as opened:
        assert [bool(person.token) for person in opened.sessions.participants()] == [False, False]
        assert opened.sessions.all()[0].terms["names"] == ["Ann", "Bob"], (
            "another can take the name"
        )
    assert main(["participant", str(project), "--store", "postgresql://x"]) == 2
    assert (
        main(["participant", str(project), "Eva", "--free"]) == 2
        and "There is no participant Eva" in capsys.readouterr().err
    )


def test_the_host_admits_revokes_and_frees_seats_at_a_terminal(tmp_path: Path) -> None:
    path = tmp_path / "class.irjudge"
    build_class(path)
    with run_server(path, SessionOptions()) as server:
        ann, bob = Person(server, "Ann"), Person(server, "Bob")
        *_, link = lead(server, ["let", "Ann"], "http://teacher.example:8765")
        address, _, token = link.partition("#t=")
        assert address == "http://teacher.example:8765/" and ann.try_call("/sync", {}).status == 401
        ann.token = token
        assert ann.try_call("/sync", {}).status == 200
        assert (
            list(lead(server, ["revoke", "Ann"]))
            == list(lead(server, ["free", "Bob"]))
            == ["Done."]
        )
        assert ann.try_call("/sync", {}).status == bob.try_call("/sync", {}).status == 401
        assert [line.partition(":")[0] for line in lead(server, ["people"])][:1] == ["Ann"]
        assert list(lead(server, ["free"])) == ["Seats freed: 0."]
