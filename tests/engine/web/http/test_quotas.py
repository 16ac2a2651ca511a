"""Tests of quotas per participant: others never wait for one participant's requests."""

import json
from collections.abc import Iterator
from pathlib import Path

import pytest

from irjudge.model import Document, Scale, Topic, make_run
from irjudge.store import create_project, open_project
from irjudge.web import SchedulingOptions, Server, SessionOptions, task
from irjudge.web import connections as quotas
from irjudge.web import server as serving_module
from irjudge.web import session_state as personal_desk
from irjudge.web.connections import RateBudget, ServerBusy
from tests.engine.exchange.classroom import build_class
from tests.engine.web.session_client import Person, run_server
from tests.pools import depth_pool

LARGE = 100_000  # bytes of a document


@pytest.fixture
def project(tmp_path: Path) -> Path:
    path = tmp_path / "class.irjudge"
    build_class(path)
    return path


@pytest.fixture
def server(project: Path) -> Iterator[Server]:
    with run_server(project) as started:
        yield started


@pytest.fixture
def large_documents(tmp_path: Path) -> Path:
    """A project with eight large documents."""
    path = tmp_path / "large.irjudge"
    names = [f"d{number}" for number in range(8)]
    with create_project(path, scale=Scale.parse("0-3"), title="Class", owner="teacher") as project:
        project.collection.add_topics([Topic("1", "tides")])
        project.collection.add_documents(
            Document(name, (f"{name} " + "x" * LARGE).encode(), name) for name in names
        )
        run = make_run("bm25", [("1", name, 9.0 - index) for index, name in enumerate(names)])
        project.rankings.add_run(run, "x.run")
        project.rankings.add_pool(depth_pool([run], 8))
    return path


def scale_version(path: Path) -> str:
    with open_project(path, writing=False) as opened:
        return opened.scale.version


def test_drafts_are_limited_but_a_judgment_is_still_accepted(
    server: Server, project: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(personal_desk, "DRAFT_QUOTA", (30_000, 1000))
    ann = Person(server, "Ann")
    ann.sync(want=3)
    for _ in range(50):
        ann.act("draft", ann.items[0], {"text": "x" * 2000})
        answer = ann.sync(want=0)
        if answer["refused"]:
            break
    assert "more judgments" in answer["refused"]["problem"] and 8 < len(ann.saved) < 20
    ann.number -= 1
    ann.outbox.clear()
    ann.grade(0, 1, scale_version(project))
    assert ann.sync()["refused"] is None
    assert Person(server, "Bob").sync()["items"]


def test_the_drafts_of_one_participant_never_exceed_some_megabytes(server: Server) -> None:
    ann = Person(server, "Ann")
    ann.sync(want=5)
    taken = 0
    for _ in range(12):
        ann.act("draft", ann.items[0], {"text": "x" * 240_000})
        if ann.sync(want=0)["refused"]:
            break
        taken += 1
    assert 2 < taken < 6


@pytest.mark.slow
def test_quotas_grow_with_assigned_items_and_count_on_after_a_restart(
    project: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(personal_desk, "ACTION_QUOTA", (4, 2))
    scale = scale_version(project)
    with run_server(project) as server:
        ann = Person(server, "Ann")
        ann.sync(want=1)
        for _ in range(6):
            ann.undo(ann.grade(0, 1, scale))
        answer = ann.sync(want=0)
        assert answer["acknowledged"] == 12 and answer["refused"] is None
        ann.grade(0, 1, scale)
        assert "more judgments" in ann.sync(want=0)["refused"]["problem"]
    with run_server(project) as server:
        ann.port = server.port
        assert "more judgments" in ann.sync(want=0)["refused"]["problem"]
        ann.sync(want=2)
        assert ann.sync(want=0)["refused"] is None, "with more to judge there is more to write"


@pytest.mark.slow
def test_the_bytes_of_a_response_are_limited_and_the_page_requests_the_rest(
    large_documents: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(serving_module, "MAX_RESPONSE_BYTES", 250_000)
    scale = scale_version(large_documents)
    with run_server(large_documents, SessionOptions(SchedulingOptions(overlap=2))) as server:
        ann = Person(server, "Ann")
        for _ in range(8):
            ann.sync(want=1)
            ann.grade(ann.open_items()[0], 1, scale)
        ann.sync(want=0)
        ann.open()  # a new client without items
        sizes = []
        for _ in range(8):
            answer = ann.try_call("/sync", {"client": ann.client, "want": 0, "has": ann.has})
            sizes.append(len(answer.body))
            ann.items |= dict.fromkeys(item["place"] for item in answer.json["items"])
            ann.has = answer.json["places"]
            if not answer.json.get("more"):
                break
        assert sorted(ann.items) == list(range(8)) and ann.has == 8 and len(sizes) >= 4
        assert max(sizes) < 260_000


@pytest.mark.slow
def test_a_document_larger_than_a_response_is_sent_alone(
    large_documents: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(serving_module, "MAX_RESPONSE_BYTES", 1000)
    with run_server(large_documents, SessionOptions(SchedulingOptions(overlap=2))) as server:
        ann = Person(server, "Ann")
        answers = [ann.sync(want=3 if not number else 0) for number in range(3)]
        assert [len(answer["items"]) for answer in answers] == [1, 1, 1]
        assert [answer.get("more", False) for answer in answers] == [True, True, False] and len(
            ann.open_items()
        ) == 3


@pytest.mark.slow
def test_repeated_requests_for_the_same_items_are_delayed(
    large_documents: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(serving_module, "BYTES_BURST", 500_000)
    with run_server(large_documents, SessionOptions(SchedulingOptions(overlap=2))) as server:
        ann, bob = Person(server, "Ann"), Person(server, "Bob")
        ann.sync(want=2)
        statuses = [
            ann.try_call("/sync", {"client": ann.client, "has": 0}).status for _ in range(10)
        ]
        assert statuses[0] == 200 and 503 in statuses
        assert bob.sync(want=1)["items"]


@pytest.mark.slow
def test_cached_texts_use_bounded_memory(
    large_documents: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(task, "MAX_CACHED_BYTES", 2 * LARGE + 1000)
    with (
        run_server(large_documents, SessionOptions(SchedulingOptions(overlap=2))) as server,
        open_project(large_documents, writing=False) as project,
    ):
        ann = Person(server, "Ann")
        while ann.sync(want=5).get("more") or len(ann.items) < 8:
            for index in ann.open_items():
                ann.grade(index, 1, project.scale.version)
        (assignment,) = project.assignments.all()
        items = project.assignments.items(assignment.code)
        cache = task.RenderedItemCache()
        fragments = task.ItemRenderer(project, cache=cache)
        before = json.dumps(fragments.render([(item, 1) for item in items]))
        assert (
            len(cache) <= 2
            and json.dumps(fragments.render([(item, 1) for item in items])) == before
        )


def test_a_budget_is_spent_and_refilled() -> None:
    now = [0.0]
    account = RateBudget(2.0, 10.0, lambda: now[0])
    account.spend("ann", 10.0)
    account.check("ann")
    account.spend("ann", 4.0)
    account.check("bob")
    with pytest.raises(ServerBusy) as error:
        account.check("ann")
    assert error.value.seconds in (2, 3)
    now[0] = 2.5
    account.check("ann")


def test_full_budgets_are_deleted(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(quotas, "MAX_BUDGETS", 10)
    now = [0.0]
    account = RateBudget(1.0, 1.0, lambda: now[0])
    for number in range(1000):
        now[0] += 1.0
        account.spend(str(number), 2.0)
    assert len(account._spending_by_key) <= 10
