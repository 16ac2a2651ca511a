"""Tests of the quality of participants during a session: gold grades met, and implausible speed."""

from pathlib import Path

import pytest

from irjudge.judging import create_sample_project, list_counted_assessors, project_labels
from irjudge.model import make_qrels
from irjudge.stats.agreement import agreement
from irjudge.store import open_project
from irjudge.web import SchedulingOptions, SessionOptions, SessionQuality, compute_session_quality
from tests.engine.exchange.classroom import build_class
from tests.engine.web.session_client import Person, run_server

RIGHT = 2


@pytest.fixture
def project(tmp_path: Path) -> Path:
    path = tmp_path / "class.irjudge"
    build_class(path, topics=("051",), documents=60)
    with open_project(path) as opened:
        pool = opened.rankings.pool()
        assert pool is not None
        opened.rankings.add_qrels(
            "known",
            make_qrels([("051", document, RIGHT) for document in pool.document.to_pylist()[:20]]),
        )
    return path


def judge(person: Person, scale: str, grades: tuple[int, ...], ms: int, limit: int) -> None:
    """Judge a number of documents with repeated grades and a fixed time each."""
    done = 0
    while done < limit and (person.sync(want=1)["items"] or person.open_items()):
        for index in person.open_items():
            person.judged.add(index)
            payload = {"value": grades[done % len(grades)], "scale": scale, "active_ms": ms}
            person.act("grade", person.items[index], payload)
            done += 1
    person.sync(want=0)


@pytest.mark.slow
def test_participants_who_miss_gold_or_do_not_read_are_noticed_and_others_not(
    project: Path,
) -> None:
    with open_project(project) as opened:
        scale = opened.scale.version
    options = SessionOptions(SchedulingOptions(overlap=4, qualification=12), gold_from="known")
    with run_server(project, options) as server:
        people = {name: Person(server, name) for name in ("Ann", "Guess", "Rush", "New")}
        judge(people["Ann"], scale, (RIGHT, RIGHT, RIGHT, RIGHT), 9000, 12)
        judge(people["Guess"], scale, (0, 1, 3), 9000, 14)
        judge(people["Rush"], scale, (RIGHT,), 150, 14)
        ids = {
            seat.name: seat.id
            for seat in server.lead(lambda session: session.status()).participants
        }
        with open_project(project, writing=False) as opened:
            quality = compute_session_quality(opened).participants
    assert (
        quality[ids["Ann"]].correct_count,
        quality[ids["Ann"]].gold_count,
        quality[ids["Ann"]].outlier_reasons,
    ) == (
        12,
        12,
        (),
    )
    guess, rush = quality[ids["Guess"]], quality[ids["Rush"]]
    assert (
        guess.correct_count == 0
        and guess.gold_count >= 12
        and "gold items" in "".join(guess.outlier_reasons)
    )
    assert rush.correct_count == rush.gold_count and "be skimmed" in "".join(rush.outlier_reasons)
    assert ids["New"] not in quality


@pytest.mark.slow
def test_all_ids_of_a_participant_have_the_same_quality(project: Path) -> None:
    with open_project(project) as opened:
        scale = opened.scale.version
    with run_server(
        project, SessionOptions(SchedulingOptions(overlap=4, qualification=3), gold_from="known")
    ) as server:
        ann, anna = Person(server, "Ann"), Person(server, "Anna")
        judge(ann, scale, (RIGHT,), 9000, 3)
        judge(anna, scale, (RIGHT,), 9000, 2)
        server.lead(
            lambda session: session.set_first_id(
                session.find_participant("Anna"), session.find_participant("Ann")
            )
        )
        with open_project(project, writing=False) as opened:
            quality = compute_session_quality(opened).participants
            ids = [person.id for person in opened.sessions.participants()]
    assert quality[ids[0]] == quality[ids[1]] and quality[ids[0]].gold_count == 3


def test_without_judgments_there_are_no_notices(project: Path) -> None:
    with open_project(project, writing=False) as opened:
        assert compute_session_quality(opened) == SessionQuality({}, None)


@pytest.mark.slow
def test_agreement_is_computed_from_included_participants(project: Path) -> None:
    with open_project(project) as opened:
        scale = opened.scale.version
    with run_server(project, SessionOptions(SchedulingOptions(overlap=3))) as server:
        people = [Person(server, name) for name in ("Ann", "Bob", "Cleo")]
        for number, person in enumerate(people):
            judge(person, scale, ((0, 1, 2, 3, 3), (0, 1, 2, 3, 0), (3, 0, 3))[number], 9000, 60)
        agreement_by_name = {}
        for name in ("", "Cleo"):
            if name:
                server.lead(
                    lambda session: session.exclude_participant(session.find_participant("Cleo"))
                )
            with open_project(project, writing=False) as opened:
                (expected,) = agreement(
                    project_labels(
                        opened,
                        excluded=set(opened.events.assessors())
                        - set(list_counted_assessors(opened)),
                    ),
                    ["alpha-ordinal"],
                )
                agreement_by_name[name] = quality = compute_session_quality(opened).agreement
            assert (
                quality is not None
                and quality.value == expected.value
                and quality.used == expected.used == 60
            )
            assert quality.low is not None and quality.low < quality.value < (quality.high or 0)
        server.lead(lambda session: session.exclude_participant(session.find_participant("Bob")))
        with open_project(project, writing=False) as opened:
            assert compute_session_quality(opened).agreement is None, (
                "one assessor alone has no agreement"
            )
    assert agreement_by_name["Cleo"].value > agreement_by_name[""].value


@pytest.mark.slow
def test_earlier_assessors_do_not_affect_the_agreement_of_a_class(tmp_path: Path) -> None:
    create_sample_project(tmp_path / "p.irjudge", "harbour")
    with open_project(tmp_path / "p.irjudge") as opened:
        assert (
            len(list_counted_assessors(opened)) > 1
            and compute_session_quality(opened).agreement is None
        )
