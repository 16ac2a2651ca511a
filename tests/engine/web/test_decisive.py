"""The most decisive first: what tells neighbouring runs apart, of what is not judged yet, and soon after a session began."""

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
from tests.engine.web.browsing import Person, serving
from tests.pools import depth_pool


def build(path: Path, *, known: bool = False) -> None:
    """Two runs that differ in what stands first for topic 2, and agree on topic 1."""
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
                    + [("2", f"d{number}", float(-place)) for place, number in enumerate(ranks)],
                )
            )
        project.rankings.add_pool(
            depth_pool([project.rankings.run(name) for name in ("bm25", "tfidf")], 10)
        )
        if known:
            project.rankings.add_qrels("truth", make_qrels([("1", "d0", 1), ("2", "d9", 1)]))


def test_what_runs_rank_alike_decides_nothing_and_known_qrels_do_not_stand_in_the_way(
    tmp_path: Path,
) -> None:
    for known in (False, True):
        path = tmp_path / f"{known}.irjudge"
        build(path, known=known)
        with open_project(path, writing=False) as project:
            found = rank_decisive_documents(project)
        assert found[0] == ("2", "d9") and {topic for topic, _ in found} == {"2"}


def ranked(path: Path, runs: Mapping[str, str]) -> Path:
    """A project whose runs rank letters for topic 1, and digits, behind a comma, for topic 2."""
    with create_project(path, scale=Scale.parse("0-3"), title="Class", owner="teacher") as project:
        project.collection.add_topics([Topic("1", "tides"), Topic("2", "moons")])
        names = sorted({name for ranking in runs.values() for name in ranking} - {","})
        project.collection.add_documents(Document(name, f"words {name}".encode()) for name in names)
        for run, ranking in runs.items():
            rows = [
                (topic, name, float(-place))
                for topic, part in zip("12", ranking.split(","), strict=False)
                for place, name in enumerate(part)
            ]
            project.rankings.add_run(make_run(run, rows))
        project.rankings.add_pool(depth_pool([project.rankings.run(run) for run in runs], 20))
    return path


def first(path: Path) -> str:
    """The documents that decide most, the farthest first; all of them of topic 1."""
    with open_project(path, writing=False) as project:
        found = rank_decisive_documents(project)
    assert {topic for topic, _ in found} <= {"1"}
    return "".join(document for _, document in found)


# Where nothing is judged, a document at rank r would add 1/log2(r + 1): D1 = 1, D2 = 0.6309, D3 = 0.5, D4 = 0.4307.
# x|y: a D1 − D2 = 0.3691, b D2 − D1 = −0.3691
# y|z: a D2 − D3 = 0.1309, b D1 − D4 = 0.5693, c D3 − D1 = −0.5, d D4 − D2 = −0.2003
# x|z: a D1 − D3 = 0.5,    b D2 − D4 = 0.2003, c D3 − D1 = −0.5, d D4 − D2 = −0.2003
X, Y, Z = "abcd", "bacd", "cdab"
# x|y and y|z: b 0.5693, c 0.5, a 0.3691, d 0.2003; y|x and x|z: a 0.5, c 0.5, b 0.3691, d 0.2003
XYZ = "bcad"
YXZ = "acbd"


def test_a_document_counts_by_the_neighbours_that_it_moves_most(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = ranked(tmp_path / "p.irjudge", {"x": X, "y": Y, "z": Z})
    assert first(path) == XYZ
    # of x|y the first of a and b, of y|z b alone
    monkeypatch.setattr(writer, "MAX_DECISIVE_PER_PAIR", 1)
    assert first(path) == "ba"


def test_documents_that_decide_alike_come_by_their_ids(tmp_path: Path) -> None:
    # z D1 − D3 = 0.5 and a D3 − 0 = 0.5, which stands lower; q D2 − D1 = −0.3691, p 0 − D2 = −0.6309
    assert first(ranked(tmp_path / "p.irjudge", {"x": "zqa", "y": "qpz"})) == "pazq"


def test_ten_ranks_decide(tmp_path: Path) -> None:
    assert (
        first(ranked(tmp_path / "p.irjudge", {"x": "abcdefghijkl", "y": "abcdehgfijlk"})) == "fh"
    )  # ranks 6 and 8, and not 11 and 12


@pytest.mark.parametrize(
    ("of_topic_2", "order"),
    [
        ({"y": "123", "x": "123", "z": "213"}, XYZ),  # x and y are equal, and stand by their names
        ({"y": "123", "x": "213", "z": "231"}, YXZ),
    ],
)
@pytest.mark.parametrize("assessor", ["teacher", "bob"])
def test_neighbours_are_those_by_what_anybody_judged(
    tmp_path: Path, of_topic_2: Mapping[str, str], order: str, assessor: str
) -> None:
    rankings = {"x": X, "y": Y, "z": Z}
    path = ranked(
        tmp_path / "p.irjudge",
        {run: f"{rankings[run]},{ranking}" for run, ranking in of_topic_2.items()},
    )
    with open_project(path) as project:
        # which would make another order
        project.rankings.add_qrels("known", make_qrels([("2", "3", 1), ("1", "d", 1)]))
        session = Session(project, assessor)
        for document, grade in (("1", 3), ("2", 0), ("3", 0)):
            session.grade(session.open_item(QueueItem("2", document)), grade)
    assert first(path) == order


def wait(until: Callable[[], bool]) -> None:
    end = time.monotonic() + 60
    while not until():
        assert time.monotonic() < end
        time.sleep(0.01)


def looking() -> bool:
    return any(thread.name == "irjudge-decisive" for thread in threading.enumerate())


def count_openings(monkeypatch: pytest.MonkeyPatch) -> list[Path]:
    """The projects that are opened for a look from now on."""
    opened: list[Path] = []

    def open_counted(path: Path, *, writing: bool) -> Any:
        opened.append(path)
        return open_project(path, writing=writing)

    monkeypatch.setattr(writer, "open_project", open_counted)
    return opened


def test_it_is_looked_again_when_something_was_judged_and_a_file_that_is_away_ends_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = ranked(tmp_path / "p.irjudge", {"x": X, "y": Y})
    opened, looked, told = count_openings(monkeypatch), list[int](), list[Any]()
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
        path, lambda do: do(SimpleNamespace(scheduler=SimpleNamespace(prefer=told.append)))
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
    assert told == [[("1", "1")], [("1", "2")], [("1", "3")]]


def test_there_is_a_pause_between_looks_and_none_at_the_end(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = ranked(tmp_path / "p.irjudge", {"x": X, "y": Y})
    opened, looked = count_openings(monkeypatch), list[int]()
    monkeypatch.setattr(
        writer,
        "rank_decisive_documents",
        lambda project: looked.append(project.events.count()) or [],
    )
    monkeypatch.setattr(writer, "POLL_PAUSE", 600.0)
    lookout = DecisivePoller(path, lambda _do: None)
    with open_project(path):  # as a session has it, which writes
        lookout.start()
        wait(lambda: looked == [0])
    lookout.stop()
    wait(lambda: not looking())
    assert opened == [path]


@pytest.mark.slow
def test_a_session_gives_the_most_decisive_out_first_and_looks_again(tmp_path: Path) -> None:
    path = tmp_path / "class.irjudge"
    build(path)
    with serving(path, SessionOptions(SchedulingOptions(order="decisive"))) as server:
        ranked = lambda: server.lead(lambda session: list(session.scheduler._rank))  # noqa: E731
        until = time.monotonic() + 60
        while ranked()[0] != ("2", "d9") and time.monotonic() < until:
            time.sleep(0.05)
        ann = Person(server, "Ann")
        ann.sync(want=1)
        assert ann.items[0]["documents"] == ["d9"]
        begun = time.monotonic()
    assert time.monotonic() - begun < 2
