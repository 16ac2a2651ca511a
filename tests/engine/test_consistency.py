"""Tests that each fact is the same on all pages and in all commands.

One project has assessors, adjudication, a session with norming rounds, and a panel.
"""

import io
import json
from collections.abc import Iterator
from contextlib import redirect_stdout
from dataclasses import replace
from datetime import date
from pathlib import Path
from typing import Any

import openpyxl
import pytest

from irjudge.cli.main import main
from irjudge.evaluation import evaluate_project, parse_measures
from irjudge.exchange import (
    AssignmentOptions,
    assign_pool,
    make_workflow,
    parse_candidates,
    read_project_status,
)
from irjudge.judging import (
    AdjudicationRecorder,
    Norming,
    QueueItem,
    Session,
    choose_qrels,
    find_disputes,
    list_norming_sessions,
    select_adjudications,
    select_qrels,
)
from irjudge.model import Event, Item, make_qrels
from irjudge.report import describe_method, project_source
from irjudge.report.workbook import write_project_workbook
from irjudge.report.workbook.sheets import ALL_ITEMS
from irjudge.store import CALIBRATION, Project, open_project
from irjudge.web import (
    SchedulingOptions,
    Server,
    SessionOptions,
    compute_session_quality,
    load_panel,
)
from tests.engine.exchange.classroom import build_class
from tests.engine.web.session_client import Person, run_server, send_request

TODAY = date(2026, 3, 1)
DONE = "https://app.prolific.com/submissions/complete?cc=C123"


@pytest.fixture
def path(tmp_path: Path) -> Path:
    made = tmp_path / "class.irjudge"
    build_class(made, topics=("051", "007"), documents=12)
    return made


@pytest.fixture
def scale(path: Path) -> str:
    with open_project(path, writing=False) as project:
        return project.scale.version


def command_rows(*arguments: str) -> list[dict[str, Any]]:
    """Return the rows that a command prints as JSON."""
    out = io.StringIO()
    with redirect_stdout(out):
        assert main([*arguments, "--format", "json"]) == 0
    rows: list[dict[str, Any]] = json.loads(out.getvalue())["values"]
    return rows


def judge_two_by_two(project: Project) -> None:
    """Let five assessors judge so that votes differ on four pairs and only a model on a fifth."""
    good, contrary = (3, 0, 3, 0), (0, 3, 0, 3)
    grades = {"bob": good, "cleo": good, "dan": good, "eve": (*contrary, 3), "fay": (*contrary, 3)}
    for name, values in grades.items():
        session = Session(project, name)
        for number, value in enumerate(values):
            session.grade(session.open_item(QueueItem("051", f"t051n{number}")), value)


def judge_all(person: Person, scale: str, limit: int = 99, shift: int = 0) -> int:
    """Judge up to `most` documents, and return their number."""
    done = 0
    while done < limit and (person.sync(want=1)["items"] or person.open_items()):
        for index in person.open_items()[: limit - done]:
            person.grade(index, (index + shift * (index % 3 == 0)) % 4, scale)
            done += 1
    person.sync(want=0)
    return done


def seats_of(server: Server) -> dict[str, Any]:
    return {each["name"]: each for each in server.ask("standing")["people"]}


def alpha_in(estimates: list[Any]) -> tuple[float, float, float]:
    (row,) = [
        each
        for each in estimates
        if (each["statistic"], each["scale"]) == ("alpha", "ordinal")
        and (each.get("of") or ALL_ITEMS) == ALL_ITEMS
    ]
    return row["value"], row["low"], row["high"]


@pytest.mark.slow
def test_adjudicated_pairs_have_the_same_count_everywhere(
    path: Path,
) -> None:
    with open_project(path) as project:
        judge_two_by_two(project)
        choose_qrels(project, "consensus")
        deciding = AdjudicationRecorder(project)
        for name in ("t051n0", "t051n1", "t051n4"):  # the fifth, on which assessors agree
            document = project.collection.document(name)
            assert document is not None
            deciding.decide("051", document, 2, reason=f"about {name}")
        split = [each for each in find_disputes(project) if each.is_split]
        (stage,) = (
            each
            for each in make_workflow(read_project_status(project, TODAY)).stages
            if each.name == "decide"
        )
        assert (stage.done_count, stage.total) == (2, len(split)) == (2, 4)
        chosen = select_qrels(project)
        assert chosen.adjudicated_count == len(select_adjudications(project, chosen)) == 3
        table = evaluate_project(project, parse_measures(["AP"]))
        made = describe_method(table, project_source(project, table, ""))
        assert f"3 of {chosen.pair_count}" in made.paragraph
        assert table.source == chosen.description and "adjudicated: 3" in chosen.description
        write_project_workbook(path.with_suffix(".xlsx"), project, table)
    head, *rows = openpyxl.load_workbook(path.with_suffix(".xlsx"))["Qrels"].values
    reasons = [row[head.index("Reason")] for row in rows if row[head.index("Adjudicated by")]]
    assert len(rows) == chosen.pair_count and sorted(reasons) == [
        "about t051n0",
        "about t051n1",
        "about t051n4",
    ]


@pytest.mark.slow
def test_agreement_is_the_same_in_paragraph_workbook_and_command(path: Path) -> None:
    with open_project(path) as project:
        judge_two_by_two(project)
        choose_qrels(project, "consensus")
        # A gold document outside the pool tests two assessors; it is not part of any result.
        project.rankings.add_qrels("known", make_qrels([("051", "t051n13", 3)]), "known.txt")
        options = AssignmentOptions(gold=1.0, overlap=2)
        assign_pool(
            project, parse_candidates("bob,cleo"), options, path.with_name("out"), gold_from="known"
        )
        for name, value in (("bob", 0), ("cleo", 3)):
            payload = {"value": value, "scale": project.scale.version, "active_ms": 0}
            item, head = Item("051", ("t051n13",), ("",)), project.events.head(name)
            event = Event(name, "grade", item, "2026-03-01T10:00:00.000Z", payload, None, head)
            project.events.append(event)
        table = evaluate_project(project, parse_measures(["AP"]))
        made = describe_method(table, project_source(project, table, ""))
        write_project_workbook(path.with_suffix(".xlsx"), project, table)
    value, low, high = alpha_in(command_rows("agreement", str(path)))
    assert f"{value:.3f} [{low:.3f}, {high:.3f}]" in made.paragraph
    head, *rows = openpyxl.load_workbook(path.with_suffix(".xlsx"))["Agreement"].values
    names = [str(each).casefold() for each in head]
    (row,) = [
        row
        for row in rows
        if row[names.index("statistic")] == "alpha"
        and row[names.index("scale")] == "ordinal"
        and row[names.index("of")] == ALL_ITEMS
    ]
    assert row[names.index("value")] == pytest.approx(value)
    assert row[names.index("lower 95 %")] == pytest.approx(low)


@pytest.fixture
def normed_session(path: Path, scale: str) -> Iterator[tuple[Server, list[Person]]]:
    """Run a session with two participants who judged a closed norming round of six documents."""
    options = SessionOptions(SchedulingOptions(overlap=2), norming=Norming())
    with run_server(path, options) as server:
        people = [Person(server, name) for name in ("Ann", "Bob")]
        server.ask("round", count=6)
        assert [judge_all(each, scale, shift=at) for at, each in enumerate(people)] == [6, 6]
        server.ask("close")
        yield server, people


def test_agreement_of_a_round_is_the_same_on_the_page_and_in_the_command(
    path: Path, normed_session: tuple[Server, list[Person]]
) -> None:
    server, _ = normed_session
    (closed,) = server.ask("standing")["norming"]["rounds"]
    under_the_round = alpha_in(closed["estimates"])
    with open_project(path, writing=False) as project:
        progress = compute_session_quality(project).agreement
        (session,) = list_norming_sessions(project)
    assert progress is not None and progress.used == 6
    assert (progress.value, progress.low, progress.high) == under_the_round
    stored = session.rounds[0].value("alpha", "ordinal")
    assert (stored.value, stored.low, stored.high) == under_the_round
    assert alpha_in(command_rows("agreement", str(path), "--show", "rounds")) == under_the_round


@pytest.mark.slow
def test_counts_of_a_session_are_the_same_on_every_page(
    path: Path, scale: str, normed_session: tuple[Server, list[Person]]
) -> None:
    server, people = normed_session
    for stage, own in (("round", 6), ("pool", 18)):
        if stage == "pool":
            server.ask("pool")
            for each in people:
                judge_all(each, scale)
        reported, seats = server.ask("standing"), seats_of(server)
        answers = [each.sync(want=0) for each in people]
        assert [each["own"] for each in answers] == [seats[each.name]["judged"] for each in people]
        assert sum(each["own"] for each in answers) == reported["judged"] == 2 * own
        assert {(each["judged"], each["wanted"]) for each in answers} == {
            (reported["judged"], reported["wanted"])
        }
        # Each document needs two judgments: the complete ones agree with the total.
        status = server.lead(lambda session: session.status())
        assert 2 * status.complete == reported["judged"] == reported["wanted"]
        assert {each.norming_count for each in status.participants} == {
            0 if stage == "round" else 6
        }
    with open_project(path, writing=False) as project:
        session_status = read_project_status(project, TODAY).session
        assert (
            session_status is not None
            and session_status.participants == len(status.participants) == 2
        )


@pytest.mark.slow
def test_gold_items_have_the_same_count_everywhere(path: Path, scale: str) -> None:
    # Qualification and gold; a gold document of one assessor is ordinary for the other.
    options = SessionOptions(
        SchedulingOptions(overlap=2, qualification=3, gold_every=4),
        gold_from="truth",
        topics=("051",),
    )
    with run_server(path, options) as server:
        people = [Person(server, name) for name in ("Ann", "Bob")]
        for at, each in enumerate(people):
            judge_all(each, scale, shift=at)
        quality, seats = server.ask("quality")["people"], seats_of(server)
        with open_project(path, writing=False) as project:
            noticed = compute_session_quality(project).participants
    rows = {
        each["assessor"]: each
        for each in command_rows("agreement", str(path), "--show", "assessors")
    }
    for person in people:
        id = seats[person.name]["id"]
        gold_met, asked = quality[id]["gold"]
        assert asked >= 4
        assert (gold_met, asked) == (noticed[id].correct_count, noticed[id].gold_count)
        assert (gold_met, asked) == (rows[person.name]["right"], rows[person.name]["gold"])


@pytest.mark.slow
def test_a_gold_document_of_another_assessor_is_not_counted_as_gold(path: Path, scale: str) -> None:
    with open_project(path) as project:
        project.rankings.add_qrels("few", make_qrels([("051", "t051n0", 0), ("051", "t051n1", 1)]))
    options = SessionOptions(
        SchedulingOptions(overlap=2, gold_every=12), gold_from="few", topics=("051",)
    )
    with run_server(path, options) as server:
        people = [Person(server, name) for name in ("Ann", "Bob")]
        for each in people:
            judge_all(each, scale)
        asked = {
            work.participant.name: sum(lease.role == "gold" for lease in work.leases)
            for work in server.lead(lambda session: list(session.works))
        }
        quality, seats = server.ask("quality")["people"], seats_of(server)
    rows = {
        each["assessor"]: each
        for each in command_rows("agreement", str(path), "--show", "assessors")
    }
    # Both participants judged both documents, at most one of them as gold.
    assert max(asked.values()) <= 1
    for name, count in asked.items():
        assert quality[seats[name]["id"]]["gold"][1] == rows[name]["gold"] == count


def test_a_panel_participant_in_two_browsers_counts_once_everywhere(path: Path, scale: str) -> None:
    panel = replace(load_panel("prolific", "C123", "", each=6, checks=""), rejoin="continue")
    with run_server(path, SessionOptions(SchedulingOptions(overlap=1), panel=panel)) as server:
        browsers = []
        for _ in range(2):
            person = Person.__new__(Person)
            person.port, person.name = server.port, "p1"
            given = {"PROLIFIC_PID": "p1", "STUDY_ID": "s", "SESSION_ID": "x"}
            sent = {"protocol": 1, "code": server.code, "panel": given}
            person.token = send_request(server.port, "/join", sent).json["token"]
            person.open()
            browsers.append(person)
        assert [judge_all(browsers[0], scale, 1), judge_all(browsers[1], scale, 5)] == [1, 5]
        answers = [each.sync(want=0) for each in browsers]
        assert [(each["own"], each["share"], each["complete"]) for each in answers] == [
            (6, 6, DONE)
        ] * 2
        (seat,) = server.ask("standing")["people"]
        assert seat["judged"] + seat["late"] == 6
        with open_project(path, writing=False) as project:
            gathering = read_project_status(project, TODAY).session
        assert gathering is not None and gathering.participants == 1
        rows = [row for row in command_rows("status", str(path)) if row["topic"] == "all"]
        assert [(row["assessor"], row["judged"]) for row in rows] == [("p1", 6)]
        (row,) = command_rows("agreement", str(path), "--show", "assessors")
        assert (row["assessor"], row["labels"]) == ("p1", 6)


@pytest.mark.slow
def test_agreement_with_others_is_the_same_for_host_and_command(path: Path, scale: str) -> None:
    with open_project(path) as project:
        # A calibration document outside the pool is practice and never counted.
        project.set_setting(CALIBRATION, json.dumps({"051": {"t051n13": 1}}))
    options = SessionOptions(
        SchedulingOptions(overlap=3, qualification=3, gold_every=4),
        gold_from="truth",
        topics=("051",),
    )
    with run_server(path, options) as server:
        people = [Person(server, name) for name in ("Ann", "Bob", "Cleo", "Dan")]
        for at, each in enumerate(people):
            judge_all(each, scale, shift=at)
        seats = seats_of(server)
        values = []
        for excluded in ((), ("Cleo",), ("Ann", "Cleo")):
            for name in excluded:
                server.ask("aside", person=name)
            quality = server.ask("quality")["people"]
            values.append({each.name: quality[seats[each.name]["id"]] for each in people})
            rows = command_rows("agreement", str(path), "--show", "assessors")
            assert {row["assessor"] for row in rows} == {*values[-1]} - {*excluded}
            for row in rows:
                value = values[-1][row["assessor"]]
                assert value["agreement"] == pytest.approx(row["agreement"], abs=1e-12)
                assert value["gold"] == [row["right"], row["gold"]]
    # An excluded assessor is compared with the others, and stays listed.
    all_count, without_cleo, _ = (each["Cleo"]["agreement"] for each in values)
    assert all_count is not None and all_count == without_cleo


@pytest.mark.slow
def test_agreement_with_others_is_the_share_of_others_with_the_same_grade(
    path: Path, scale: str
) -> None:
    grades = {"Ann": 1, "Bob": 1, "Cleo": 2}
    with run_server(path, SessionOptions(SchedulingOptions(overlap=3), topics=("051",))) as server:
        for name, grade in grades.items():
            person = Person(server, name)
            while person.sync(want=1)["items"] or person.open_items():
                for index in person.open_items():
                    person.grade(index, grade, scale)
            person.sync(want=0)
        quality, seats = server.ask("quality")["people"], seats_of(server)
    # All judged each document: one of Ann's two others agrees with her, none with Cleo.
    values = {name: quality[seats[name]["id"]]["agreement"] for name in grades}
    assert values == {"Ann": 0.5, "Bob": 0.5, "Cleo": 0.0}


@pytest.mark.slow
def test_after_norming_gold_and_agreement_are_the_same_and_no_round_document_is_gold(
    path: Path, scale: str
) -> None:
    options = SessionOptions(
        SchedulingOptions(overlap=2, gold_every=2), norming=Norming(), gold_from="truth"
    )
    with run_server(path, options) as server:
        ann, bob, cleo = (Person(server, name) for name in ("Ann", "Bob", "Cleo"))
        # Cleo misses the first round; its documents are repeated in the second one.
        for people, values in (
            ((ann, bob), {"count": 6}),
            ((ann, bob, cleo), {"documents": "same"}),
        ):
            server.ask("round", **values)
            for at, each in enumerate(people):
                judge_all(each, scale, shift=at)
            server.ask("close")
        server.ask("pool")
        for at, each in enumerate((ann, bob, cleo)):
            judge_all(each, scale, shift=at)
        rounds = server.lead(lambda session: list(session.options.norming.pairs))
        gold = server.lead(
            lambda session: [
                lease.pair
                for desk in session.works
                for lease in desk.leases
                if lease.role == "gold"
            ]
        )
        quality, seats = server.ask("quality")["people"], seats_of(server)
        rows = command_rows("agreement", str(path), "--show", "assessors")
    assert len(rows) == 3
    for row in rows:
        value = quality[seats[row["assessor"]]["id"]]
        assert value["gold"] == [row["right"], row["gold"]]
        assert value["agreement"] == pytest.approx(row["agreement"], abs=1e-12)
    assert gold and rounds and not {*gold} & {*rounds}
