"""Tests of comparison sessions: anonymous runs, balanced sides, swapped repeats, valid results."""

from collections import Counter
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from irjudge.errors import IrjudgeError
from irjudge.exchange import ComparisonOptions as Comparison
from irjudge.exchange import pair_runs
from irjudge.judging import map_sides_to_runs, project_labels, read_project_preferences
from irjudge.model import ComparisonRules, make_run
from irjudge.store import open_project
from irjudge.web import SchedulingOptions, Server, SessionOptions
from tests.engine.exchange.classroom import build_class
from tests.engine.web.session_client import Person, pull, run_server

TOPICS = ("051", "007", "9")
RUNS = ("zebrarank", "okapifuse", "third")
LISTS = Comparison(pair_runs(RUNS), depth=3, rules=ComparisonRules(grading=True))
PAIRS = Comparison(pair_runs(RUNS[:2]), depth=4, choice="all")
pytestmark = pytest.mark.usefixtures("store")


@pytest.fixture
def project(tmp_path: Path) -> Path:
    """Three topics; the first two runs have the same results, the third has others."""
    path = tmp_path / "class.irjudge"
    build_class(path)
    with open_project(path) as opened:
        rows = [
            (topic, f"t{topic}n{number}", float(number)) for topic in TOPICS for number in range(12)
        ]
        opened.rankings.add_run(make_run("third", rows))
    return path


def make_options(comparison: Comparison, **terms: Any) -> SessionOptions:
    return SessionOptions(SchedulingOptions(**terms), compare=comparison)


def compare_all(server: Server, *people: Person) -> None:
    """Answer all questions: the side with the lower id is better."""
    again = True
    while again:
        again = False
        for person in people:
            again |= bool(person.sync(want=2)["items"])
            for index in person.open_items():
                person.prefer(
                    index,
                    "left"
                    if person.items[index]["documents"][0] < person.items[index]["documents"][-1]
                    else "right",
                )
                again = True
    assert server.lead(lambda session: session.scheduler.is_done)


def assigned_questions(path: Path) -> Iterator[tuple[str, list[tuple[Any, Any]]]]:
    """Return the questions of each participant with the data known to the organiser only."""
    with open_project(path, writing=False) as opened:
        for person in opened.sessions.participants():
            yield (
                person.id,
                [
                    (item, secret)
                    for _, item, secret in opened.assignments.all_assigned_items(person.assignment)
                ],
            )


@pytest.mark.slow
def test_panels_reach_the_overlap_and_answers_refer_to_runs(project: Path) -> None:
    with run_server(project, make_options(LISTS, overlap=2)) as server:
        ann, bob = Person(server, "Ann"), Person(server, "Bob")
        task = ann.call("/welcome", {})["task"]
        assert task["mode"] == "panels" and task["rules"]["grading"] and task["rules"]["reasons"]
        compare_all(server, ann, bob)
    with open_project(project, writing=False) as opened:
        preferences = read_project_preferences(opened, map_sides_to_runs(opened))
        assert len(preferences) == 3 * 3 * 2 and set(preferences.items) == set(RUNS)
        assert opened.verify().problems == ()


@pytest.mark.slow
@pytest.mark.parametrize(
    "comparison", [replace(LISTS, runs=pair_runs((*RUNS, "fourth"))), PAIRS], ids=["lists", "pairs"]
)
def test_each_run_is_on_the_left_equally_often_for_every_participant(
    project: Path, comparison: Comparison
) -> None:
    with open_project(
        project
    ) as opened:  # with fewer questions, one in a hundred sessions has none that can be repeated
        opened.rankings.add_run(
            make_run(
                "fourth",
                [
                    (topic, f"t{topic}n{number}", 1.0 / (1 + number))
                    for topic in TOPICS
                    for number in range(12)
                ],
            )
        )
    with run_server(project, make_options(comparison, overlap=2, repeats_every=3)) as server:
        people = [Person(server, name) for name in ("Ann", "Bob")]
        compare_all(server, *people)
    repeated = 0
    for _, items in assigned_questions(project):
        balance: Counter[Any] = Counter()
        for item, secret in items:
            left = (secret.left_run, secret.right_run) if item.type == "panel" else item.lists
            if item.lists[0] != item.lists[1]:
                balance[tuple(sorted(left)) if item.type == "panel" else "documents"] += (
                    1 if left[0] < left[1] else -1
                )
        assert balance and all(abs(each) <= 1 for each in balance.values())
        for item, secret in items:
            if secret.role == "repeat":
                (first,) = (
                    each
                    for each, other in items
                    if other.role == "document"
                    and each.topic == item.topic
                    and other.left_run == secret.right_run
                    and other.right_run == secret.left_run
                    and sorted(each.documents) == sorted(item.documents)
                )
                assert first.lists == item.lists[::-1]
                repeated += 1
    assert repeated


def test_a_restart_continues_with_the_remaining_questions(project: Path) -> None:
    with run_server(project, make_options(LISTS)) as server:
        ann = Person(server, "Ann")
        ann.sync(want=2)
        ann.prefer(0, "left")
        ann.sync(want=2)
    with run_server(project) as server:
        ann.port = server.port
        ann.open()
        compare_all(server, ann)
    ((_, items),) = assigned_questions(project)
    assert (
        len(items)
        == 9
        == len(
            {(item.topic, frozenset((secret.left_run, secret.right_run))) for item, secret in items}
        )
    )
    with open_project(project, writing=False) as opened:
        assert len(read_project_preferences(opened, map_sides_to_runs(opened))) == 9


@pytest.mark.slow
def test_opened_results_are_graded_only_if_the_options_allow_it(project: Path) -> None:
    for allowed in (True, False):
        with run_server(
            project, make_options(replace(LISTS, rules=ComparisonRules(grading=allowed))), code=""
        ) as server:
            with open_project(project, writing=False) as opened:
                scale = opened.scale.version
            ann = Person(server, "Ann")
            ann.sync(want=1)
            about = ann.items[0]
            one = {
                **about,
                "type": "document",
                "documents": about["documents"][:1],
                "contents": about["contents"][:1],
            }
            ann.act("grade", one, {"value": 2, "scale": scale})
            answer = ann.sync(want=0)
            assert (answer["refused"] is None) == allowed
            server.lead(lambda session: session.set_state("ended"))
    with open_project(project, writing=False) as opened:
        assert len(project_labels(opened)) == 1


def test_an_answer_to_no_question_is_refused(project: Path) -> None:
    with run_server(project, make_options(LISTS)) as server:
        ann = Person(server, "Ann")
        ann.sync(want=1)
        about, sound = ann.items[0], ann.prefer(0, "left")
        ann.outbox.clear()
        for change in (
            {
                "item": {
                    **about,
                    "documents": about["documents"][::-1],
                    "contents": about["contents"][::-1],
                }
            },
            {"item": {**about, "contents": about["contents"][::-1]}},
            {"item": {**about, "type": "pair"}},
            {"payload": {**sound["payload"], "winner": "both"}},
            {"payload": {**sound["payload"], "sides": ["x", "y"]}},
        ):
            ann.outbox = [{**sound, **change}]
            assert ann.sync(want=0)["refused"] is not None, change
        ann.outbox = [sound]
        assert ann.sync(want=0)["refused"] is None


@pytest.mark.slow
def test_a_late_preference_is_listed_left_out_and_accepted(project: Path) -> None:
    with run_server(project, make_options(replace(LISTS, topics=("9",)))) as server:
        ann, bob = Person(server, "Ann"), Person(server, "Bob")
        ann.sync(want=1)
        server.lead(lambda session: session.release(session.find_participant("Ann")))
        compare_all(server, bob)
        ann.prefer(0, "left")
        assert ann.sync(want=0)["acknowledged"] == 1
        ((person, pair),) = server.lead(lambda session: session.status().late)
        with open_project(pull(project), writing=False) as opened:
            assert len(read_project_preferences(opened, map_sides_to_runs(opened))) == 3
        assert server.lead(lambda session: session.accept_late(person, pair))
    with open_project(project, writing=False) as opened:
        assert len(read_project_preferences(opened, map_sides_to_runs(opened))) == 4


def test_a_page_never_receives_which_run_is_on_which_side(project: Path) -> None:
    with run_server(project, make_options(LISTS, overlap=2, repeats_every=2)) as server:
        ann = Person(server, "Ann")
        sent = ann.try_call("/welcome", {}).body
        while items := ann.try_call(
            "/sync", {"client": ann.client, "actions": ann.outbox, "want": 3, "has": ann.has}
        ):
            sent += items.body
            ann.outbox = []
            ann.has = items.json["places"]
            ann.parts |= {item["place"]: item["parts"]["items"][0] for item in items.json["items"]}
            ann.items = {index: parts["about"] for index, parts in ann.parts.items()}
            if not ann.open_items():
                break
            for index in ann.open_items():
                ann.prefer(index, "tie")
        assert len(ann.items) >= 9 and not any(run.encode() in sent for run in RUNS)


@pytest.mark.parametrize(
    ("options", "text"),
    [
        (make_options(replace(LISTS, choice="top", rules=ComparisonRules(top=1))), "top documents"),
        (make_options(replace(LISTS, repeats=2)), "number of repeats"),
        (make_options(replace(LISTS, runs=(("zebrarank", "nobody"),))), "nobody"),
        (make_options(LISTS, gold_every=4), "Gold items"),
        (SessionOptions(SchedulingOptions(order="wrong")), "order must be one of"),
        (SessionOptions(join="wrong"), "way to join must be one of"),
    ],
)
def test_an_impossible_comparison_is_refused_without_side_effects(
    project: Path, options: SessionOptions, text: str
) -> None:
    with pytest.raises(IrjudgeError, match=text), run_server(project, options):
        pass
    with open_project(project, writing=False) as opened:
        assert opened.sessions.all() == () and opened.assignments.rounds() == ()


def test_identical_lists_are_recorded_but_are_no_work(project: Path) -> None:
    with open_project(project) as opened:
        twin = [
            (topic, f"t{topic}n{number}", float(number)) for topic in TOPICS for number in range(12)
        ]
        opened.rankings.add_run(make_run("twin", twin))
    lists = Comparison(pair_runs(("zebrarank", "third", "twin")), depth=3)
    with run_server(project, make_options(lists)) as server:
        ann, bob = Person(server, "Ann"), Person(server, "Bob")
        bob.sync(want=2)
        assert ann.sync(want=2)["wanted"] == 6, "two of three pairs differ, in each of three topics"
        compare_all(server, ann, bob)
        last = ann.sync(want=2)
        assert (last["judged"], last["wanted"], last["own"] + bob.sync()["own"]) == (6, 6, 6)
        status = server.lead(lambda session: session.status())
        assert sum(seat.judged for seat in status.participants) == 6
        assert {seat.norming_count for seat in status.participants} == {0} and status.complete == 6
    with open_project(project, writing=False) as opened:
        answers = read_project_preferences(opened, map_sides_to_runs(opened))
        questions = zip(
            answers.topic.tolist(), answers.left.tolist(), answers.right.tolist(), strict=True
        )
        # two participants may record the same identical lists, which are no work
        assert len({(topic, frozenset(sides)) for topic, *sides in questions}) == 9


def test_a_participant_who_has_judged_everything_gets_a_message(project: Path) -> None:
    with open_project(project, writing=False) as opened:
        scale = opened.scale.version
    with run_server(project, SessionOptions(SchedulingOptions(overlap=2))) as server:
        ann, bob = Person(server, "Ann"), Person(server, "Bob")
        assert not ann.sync(want=2)["done"] and not bob.sync(want=2)["done"]
        while ann.sync(want=4)["items"]:
            for index in ann.open_items():
                ann.grade(index, 1, scale)
        last = ann.sync(want=4)
        assert last["done"] and last["judged"] < last["wanted"]
        assert not bob.sync(want=2)["done"]


def test_a_grade_is_not_the_answer_of_a_question_with_one_document(
    project: Path,
) -> None:
    """One run retrieved nothing for the topic."""
    with open_project(project) as opened:
        opened.rankings.add_run(make_run("one", [("9", "t9n0", 1.0), ("007", "t007n0", 1.0)]))
        opened.rankings.add_run(make_run("two", [("007", "t007n1", 1.0)]))
        scale = opened.scale.version
    runs = replace(LISTS, runs=pair_runs(("one", "two")))
    with run_server(project, make_options(runs)) as server:
        ann = Person(server, "ann")
        ann.sync(want=2)
        for item in list(ann.items.values()):
            single = {**item, "type": "document", "documents": item["documents"][:1]}
            single["contents"] = item["contents"][:1]
            ann.act("grade", single, {"value": 2, "scale": scale, "active_ms": 0})
            answer = ann.sync(want=0)
            assert (answer["refused"] is None) == (len(item["documents"]) == 2)
            ann.outbox.clear()
            ann.number = answer["acknowledged"]
        assert answer["judged"] == 0
        for index in ann.open_items():
            ann.prefer(index, "left")
        assert ann.sync(want=0)["judged"] == 2
