"""Tests of active learning and search in a session: hits are assigned to others, and restored."""

import shutil
from collections import Counter
from pathlib import Path
from typing import Any

import pytest

from irjudge.judging import build_extended_pool, compute_consensus_grades
from irjudge.judging.sources import map_retrieved_pairs
from irjudge.store import create_project, import_sources, open_project, sample_sources
from irjudge.web import SchedulingOptions, Server, SessionOptions
from tests.engine.web.session_client import Person, run_server

SIZE, OVERLAP = 6, 2
RELEVANT = ("tide", "moon")


@pytest.fixture
def project(tmp_path: Path) -> Path:
    """The everyday collection, without runs and without a pool."""
    from dataclasses import replace  # noqa: PLC0415

    path = tmp_path / "class.irjudge"
    sources, scale = sample_sources("everyday")
    with create_project(path, scale=scale) as made:
        import_sources(made, replace(sources, runs=(), qrels=()))
    return path


def make_options(**terms: Any) -> SessionOptions:
    return SessionOptions(
        SchedulingOptions(overlap=OVERLAP, order="learning", size=SIZE, rel=2, **terms),
        topics=("1",),
        search=True,
    )


def scale_version(project: Path) -> str:
    with open_project(project, writing=False) as opened:
        return opened.scale.version


def judge(person: Person, scale: str, limit: int) -> list[str]:
    """Judge a limited number of documents as relevant if their id says so."""
    shown: list[str] = []
    while len(shown) < limit and (person.sync(1)["items"] or person.open_items()):
        for index in person.open_items()[: limit - len(shown)]:
            document = person.items[index]["documents"][0]
            person.grade(index, 3 if any(word in document for word in RELEVANT) else 0, scale)
            shown.append(document)
    person.sync(0)
    return shown


@pytest.mark.usefixtures("store")
def test_a_class_finds_documents_by_learning_and_each_reaches_its_overlap(project: Path) -> None:
    scale = scale_version(project)
    with run_server(project, make_options()) as server:
        ann, bob = Person(server, "Ann"), Person(server, "Bob")
        shown = judge(ann, scale, 2) + judge(bob, scale, 3)
        assert server.ask("standing")["wanted"] == SIZE * OVERLAP
    # a killed or stopped session continues with the documents found
    with run_server(project) as server:
        bob.port = server.port
        bob.open()
        cleo, dan = Person(server, "Cleo"), Person(server, "Dan")
        for person in (cleo, dan):
            shown += judge(person, scale, SIZE)
        status = server.ask("standing")
        assert status["judged"] == status["wanted"] == SIZE * OVERLAP
    with open_project(project) as opened:
        runs_by_pair = map_retrieved_pairs(opened)
        assert (
            len(runs_by_pair) == SIZE
            and set(runs_by_pair.values()) == {"learnt"}
            and {document for _, document in runs_by_pair} == set(shown)
        )
        assert max(Counter(shown).values()) <= OVERLAP
        pool = build_extended_pool(opened)
        assert (
            pool is not None and len(pool) == SIZE and len(compute_consensus_grades(opened)) == SIZE
        )


@pytest.mark.usefixtures("store")
def test_a_participant_finds_an_unassigned_document_by_searching_and_grades_it(
    project: Path,
) -> None:
    scale = scale_version(project)
    with run_server(project, make_options()) as server:
        ann, bob = Person(server, "Ann"), Person(server, "Bob")
        judge(ann, scale, 1)
        hits = ann.call("/search", {"words": "bread dough oven"})["hits"]
        assert hits and set(hits[0]) == {"id", "title", "text"}, "no ranks and names of runs"
        document = hits[0]["id"]
        assert ann.call("/find", {"topic": "1", "document": document})["given"] is True
        ann.sync(0)
        position = next(
            position for position, item in ann.items.items() if item["documents"] == [document]
        )
        ann.grade(position, 2, scale)
        ann.sync(0)
        given = judge(bob, scale, 2)
        assert document in given, "it is reassigned up to the overlap"
        assert ann.try_call("/find", {"topic": "1", "document": "nothing"}).status == 400
        assert ann.try_call("/find", {"topic": "9 9", "document": document}).status == 400
    with open_project(project) as opened:
        assert map_retrieved_pairs(opened)["1", document] == "search"


@pytest.mark.usefixtures("store")
def test_a_released_document_that_is_found_again_is_assigned_again(project: Path) -> None:
    scale = scale_version(project)
    with run_server(project, make_options()) as server:
        ann, bob = Person(server, "Ann"), Person(server, "Bob")
        judge(ann, scale, 1)
        hit = ann.call("/search", {"words": "bread dough oven"})["hits"][0]["id"]
        request = {"topic": "1", "document": hit}
        assert ann.call("/find", request)["given"]
        (index,) = ann.sync(0)["held"]
        assert server.ask("release", person="Ann") == {"count": 1}
        assert ann.sync(0)["lost"] == [index]
        assert ann.call("/find", request)["given"]
        assert (response := ann.sync(0))["held"] == [index] and response["lost"] == []
        server.ask("release", person="Ann")
        for person in (bob, *(Person(server, str(number)) for number in range(OVERLAP - 1))):
            assert person.call("/find", request)["given"]
        assert not ann.call("/find", request)["given"], "all its judgments are assigned to others"


@pytest.mark.usefixtures("store")
@pytest.mark.parametrize(
    ("path", "request_values"),
    [
        ("/search", {"words": "bread \ud800"}),
        ("/find", {"topic": "1", "document": "\udfff"}),
        ("/find", {"topic": "\ud800", "document": "spring-neap"}),
    ],
)
def test_a_lone_surrogate_is_refused_and_never_reaches_the_store(
    project: Path, path: str, request_values: dict[str, str]
) -> None:
    with run_server(project, make_options()) as server:
        ann = Person(server, "Ann")
        response = ann.try_call(path, request_values)
        assert response.status == 400
        assert ann.call("/search", {"words": "bread dough oven"})["hits"]


@pytest.mark.usefixtures("store")
def test_search_is_refused_if_it_is_not_offered(project: Path) -> None:
    with run_server(project, SessionOptions(SchedulingOptions(order="learning", size=1))) as server:
        ann = Person(server, "Ann")
        assert ann.try_call("/search", {"words": "bread"}).status == 400
        assert ann.try_call("/find", {"topic": "1", "document": "spring-neap"}).status == 400


def in_turn(servers: list[Server], scale: str) -> list[str]:
    """Let two participants judge in turn; each document is assigned once, in learned order."""
    people = [Person(server, name) for server, name in zip(servers, ("Ann", "Bob"), strict=True)]
    shown: list[str] = []
    while new := [document for person in people for document in judge(person, scale, 1)]:
        shown += new
    return shown


@pytest.mark.usefixtures("databases")
def test_judgments_at_one_server_train_the_other_servers_at_once(
    project: Path, tmp_path: Path
) -> None:
    scale, copied = scale_version(project), Path(shutil.copy(project, tmp_path / "copied.irjudge"))
    asked = SessionOptions(SchedulingOptions(order="learning", size=12, rel=2), topics=("1",))
    with run_server(copied, asked) as server:
        wanted = in_turn([server, server], scale)
    with run_server(project, asked) as one, run_server(project, asked) as other:
        assert in_turn([one, other], scale) == wanted and len(wanted) == 12


def test_the_ids_of_one_participant_have_one_vote(project: Path) -> None:
    """Both after the merge and after a later judgment, as after a restart."""
    scale = scale_version(project)
    with run_server(project, make_options()) as server:
        ann, anna = Person(server, "Ann"), Person(server, "Anna")
        shown = judge(ann, scale, 1)
        assert judge(anna, scale, 1) == shown

        def count_votes() -> list[int]:
            return server.lead(
                lambda session: [len(votes) for votes in session.active_learning._votes.values()]
            )

        assert count_votes() == [2]
        server.lead(
            lambda session: session.set_first_id(
                session.find_participant("Anna"), session.find_participant("Ann")
            )
        )
        assert count_votes() == [1]
        anna.grade(0, 1, scale)
        anna.sync(0)
        assert count_votes() == [1]
