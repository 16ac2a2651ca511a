"""Tests of the order by decisiveness: unjudged documents that separate neighbouring runs first."""

import threading
import time
from collections.abc import Callable, Mapping
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from irjudge.judging import QueueItem, Session
from irjudge.model import Document, Scale, Topic, make_qrels, make_run
from irjudge.store import create_project, open_project
from irjudge.web import SchedulingOptions, SessionOptions, writer
from irjudge.web.writer import DecisivePoller, rank_decisive_documents
from tests.engine.exchange.classroom import build_class
from tests.engine.web.session_client import Person, run_server
from tests.pools import depth_pool


def make_decisive_project(path: Path, *, known: bool = False) -> None:
    """Create two runs that differ at the top for topic 2, and agree for topic 1."""
    with create_project(path, scale=Scale.parse("0-3"), title="Class", owner="teacher") as project:
        project.collection.add_topics([Topic("1", "tides"), Topic("2", "moons")])
        project.collection.add_documents(
            Document(f"d{number}", f"words {number}".encode()) for number in range(10)
        )
        for name, first in (("bm25", 0), ("tfidf", 9)):
            ranks = [first, *(number for number in range(10) if number != first)]
            rows = [("1", f"d{number}", float(-number)) for number in range(10)]
            project.rankings.add_run(
                make_run(
                    name,
                    rows
                    + [("2", f"d{number}", float(-index)) for index, number in enumerate(ranks)],
                )
            )
        project.rankings.add_pool(
            depth_pool([project.rankings.run(name) for name in ("bm25", "tfidf")], 10)
        )
        if known:
            project.rankings.add_qrels("truth", make_qrels([("1", "d0", 1), ("2", "d9", 1)]))


def test_documents_at_equal_ranks_decide_nothing_and_known_qrels_are_ignored(
    tmp_path: Path,
) -> None:
    for known in (False, True):
        path = tmp_path / f"{known}.irjudge"
        make_decisive_project(path, known=known)
        with open_project(path, writing=False) as project:
            documents = rank_decisive_documents(project)
        assert documents[0] == ("2", "d9") and {topic for topic, _ in documents} == {"2"}


def make_ranked_project(path: Path, runs: Mapping[str, str]) -> Path:
    """Create runs that rank letters for topic 1 and, after a comma, digits for topic 2."""
    with create_project(path, scale=Scale.parse("0-3"), title="Class", owner="teacher") as project:
        project.collection.add_topics([Topic("1", "tides"), Topic("2", "moons")])
        names = sorted({name for ranking in runs.values() for name in ranking} - {","})
        project.collection.add_documents(Document(name, f"words {name}".encode()) for name in names)
        for run, ranking in runs.items():
            rows = [
                (topic, name, float(-index))
                for topic, part in zip("12", ranking.split(","), strict=False)
                for index, name in enumerate(part)
            ]
            project.rankings.add_run(make_run(run, rows))
        project.rankings.add_pool(depth_pool([project.rankings.run(run) for run in runs], 20))
    return path


def order_of(path: Path) -> str:
    """Return the documents of topic 1 in order of decisiveness."""
    with open_project(path, writing=False) as project:
        documents = rank_decisive_documents(project)
    assert {topic for topic, _ in documents} <= {"1"}
    return "".join(document for _, document in documents)


# Without judgments, a document at rank r would add 1/log2(r + 1): D1 = 1, D2 = 0.6309, D3 = 0.5, D4
# = 0.4307.
# x|y: a D1 − D2 = 0.3691, b D2 − D1 = −0.3691
# y|z: a D2 − D3 = 0.1309, b D1 − D4 = 0.5693, c D3 − D1 = −0.5, d D4 − D2 = −0.2003
# x|z: a D1 − D3 = 0.5,    b D2 − D4 = 0.2003, c D3 − D1 = −0.5, d D4 − D2 = −0.2003
X, Y, Z = "abcd", "bacd", "cdab"
# x|y and y|z: b 0.5693, c 0.5, a 0.3691, d 0.2003; y|x and x|z: a 0.5, c 0.5, b 0.3691, d 0.2003
XYZ = "bcad"
YXZ = "acbd"


def test_a_document_counts_by_the_neighbouring_runs_that_it_affects_most(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = make_ranked_project(tmp_path / "p.irjudge", {"x": X, "y": Y, "z": Z})
    assert order_of(path) == XYZ
    # from x|y the first of a and b, from y|z only b
    monkeypatch.setattr(writer, "MAX_DECISIVE_PER_PAIR", 1)
    assert order_of(path) == "ba"


def test_equally_decisive_documents_are_ordered_by_id(tmp_path: Path) -> None:
    # z D1 − D3 = 0.5 and a D3 − 0 = 0.5, which is lower; q D2 − D1 = −0.3691, p 0 − D2 = −0.6309
    assert order_of(make_ranked_project(tmp_path / "p.irjudge", {"x": "zqa", "y": "qpz"})) == "pazq"


def test_only_ten_ranks_count(tmp_path: Path) -> None:
    assert (
        order_of(
            make_ranked_project(tmp_path / "p.irjudge", {"x": "abcdefghijkl", "y": "abcdehgfijlk"})
        )
        == "fh"
    )  # ranks 6 and 8, and not 11 and 12


@pytest.mark.parametrize(
    ("of_topic_2", "order"),
    [
        ({"y": "123", "x": "123", "z": "213"}, XYZ),  # x and y are equal, and are ordered by name
        ({"y": "123", "x": "213", "z": "231"}, YXZ),
    ],
)
@pytest.mark.parametrize("assessor", ["teacher", "bob"])
def test_neighbours_are_determined_from_the_judgments_of_all_assessors(
    tmp_path: Path, of_topic_2: Mapping[str, str], order: str, assessor: str
) -> None:
    rankings = {"x": X, "y": Y, "z": Z}
    path = make_ranked_project(
        tmp_path / "p.irjudge",
        {run: f"{rankings[run]},{ranking}" for run, ranking in of_topic_2.items()},
    )
    with open_project(path) as project:
        # which would give another order
        project.rankings.add_qrels("known", make_qrels([("2", "3", 1), ("1", "d", 1)]))
        session = Session(project, assessor)
        for document, grade in (("1", 3), ("2", 0), ("3", 0)):
            session.grade(session.open_item(QueueItem("2", document)), grade)
    assert order_of(path) == order


def wait(until: Callable[[], bool]) -> None:
    end = time.monotonic() + 60
    while not until():
        assert time.monotonic() < end
        time.sleep(0.01)


def looking() -> bool:
    return any(thread.name == "irjudge-decisive" for thread in threading.enumerate())


def count_openings(monkeypatch: pytest.MonkeyPatch) -> list[Path]:
    """Return the projects opened for recomputation from now on."""
    opened: list[Path] = []

    def open_counted(path: Path, *, writing: bool) -> Any:
        opened.append(path)
        return open_project(path, writing=writing)

    monkeypatch.setattr(writer, "open_project", open_counted)
    return opened


def test_the_order_is_recomputed_after_judgments_and_a_missing_file_stops_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = make_ranked_project(tmp_path / "p.irjudge", {"x": X, "y": Y})
    opened, looked, notified = count_openings(monkeypatch), list[int](), list[Any]()
    monkeypatch.setattr(
        writer,
        "rank_decisive_documents",
        lambda project: looked.append(project.events.count()) or [("1", str(len(looked)))],
    )
    monkeypatch.setattr(writer, "POLL_PAUSE", 0.01)

    def turns(count: int) -> None:
        end = len(opened) + count
        wait(lambda: len(opened) >= end)

    def judge() -> None:
        with open_project(path) as project:
            session = Session(project)
            session.grade(session.current(), 1)

    lookout = DecisivePoller(
        path, lambda do: do(SimpleNamespace(scheduler=SimpleNamespace(prefer=notified.append)))
    )
    lookout.start()
    turns(4)
    assert looked == [0]
    judge()
    wait(lambda: looked == [0, 1])
    path.rename(tmp_path / "away.irjudge")
    turns(3)
    (tmp_path / "away.irjudge").rename(path)
    judge()
    wait(lambda: looked == [0, 1, 2])
    turns(2)
    lookout.stop()
    wait(lambda: not looking())
    assert notified == [[("1", "1")], [("1", "2")], [("1", "3")]]


def test_recomputations_are_separated_by_pauses_and_stop_at_once(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = make_ranked_project(tmp_path / "p.irjudge", {"x": X, "y": Y})
    opened, looked = count_openings(monkeypatch), list[int]()
    monkeypatch.setattr(
        writer,
        "rank_decisive_documents",
        lambda project: looked.append(project.events.count()) or [],
    )
    monkeypatch.setattr(writer, "POLL_PAUSE", 600.0)
    lookout = DecisivePoller(path, lambda _do: None)
    with open_project(path):  # open for writing, as in a session
        lookout.start()
        wait(lambda: looked == [0])
    lookout.stop()
    wait(lambda: not looking())
    assert opened == [path]


@pytest.mark.slow
def test_a_session_assigns_the_most_decisive_first_and_recomputes(tmp_path: Path) -> None:
    path = tmp_path / "class.irjudge"
    make_decisive_project(path)
    with run_server(path, SessionOptions(SchedulingOptions(order="decisive"))) as server:
        ranked = lambda: server.lead(lambda session: list(session.scheduler._rank))  # noqa: E731
        until = time.monotonic() + 60
        while ranked()[0] != ("2", "d9") and time.monotonic() < until:
            time.sleep(0.05)
        ann = Person(server, "Ann")
        ann.sync(want=1)
        assert ann.items[0]["documents"] == ["d9"]
        begun = time.monotonic()
    assert time.monotonic() - begun < 2


@pytest.mark.parametrize(("order", "mixed"), [("drawn", None), ("pool", True), ("mixed", True)])
def test_a_page_is_told_whether_its_documents_are_of_different_topics(
    tmp_path: Path, order: Any, mixed: bool | None
) -> None:
    build_class(tmp_path / "class.irjudge")
    with run_server(
        tmp_path / "class.irjudge", SessionOptions(SchedulingOptions(order=order))
    ) as server:
        assert Person(server, "ann").call("/welcome", {})["task"].get("mixed") == mixed
