"""The most decisive first: what tells neighbouring runs apart, of what is not judged yet, and soon after a session began."""

import time
from pathlib import Path

from irjudge.model.document import Document
from irjudge.model.ranking import make_qrels, make_run
from irjudge.model.scale import Scale
from irjudge.model.topic import Topic
from irjudge.store.project import create, open_project
from irjudge.web.decisive import most_decisive
from irjudge.web.dispatch import Terms
from irjudge.web.wish import Wish
from tests.engine.web.browsing import Person, serving
from tests.pools import depth_pool


def build(path: Path, *, known: bool = False) -> None:
    """Two runs that differ in what stands first for topic 2, and agree on topic 1."""
    with create(path, scale=Scale.parse("0-3"), title="Class", owner="teacher") as project:
        project.collection.add_topics([Topic("1", "tides"), Topic("2", "moons")])
        project.collection.add_documents(Document(f"d{number}", f"words {number}".encode()) for number in range(10))
        for name, first in (("bm25", 0), ("tfidf", 9)):
            ranks = [first, *(number for number in range(10) if number != first)]
            rows = [("1", f"d{number}", float(-number)) for number in range(10)]
            project.rankings.add_run(make_run(name, rows + [("2", f"d{number}", float(-place)) for place, number in enumerate(ranks)]))
        project.rankings.add_pool(depth_pool([project.rankings.run(name) for name in ("bm25", "tfidf")], 10))
        if known:
            project.rankings.add_qrels("truth", make_qrels([("1", "d0", 1), ("2", "d9", 1)]))


def test_what_runs_rank_alike_decides_nothing_and_known_qrels_do_not_stand_in_the_way(tmp_path: Path) -> None:
    for known in (False, True):
        path = tmp_path / f"{known}.irjudge"
        build(path, known=known)
        with open_project(path, writing=False) as project:
            found = most_decisive(project)
        assert found[0] == ("2", "d9") and {topic for topic, _ in found} == {"2"}


def test_a_session_gives_the_most_decisive_out_first_and_looks_again(tmp_path: Path) -> None:
    path = tmp_path / "class.irjudge"
    build(path)
    with serving(path, Wish(Terms(order="decisive"))) as server:
        ranked = lambda: server.lead(lambda session: list(session.dispatch._rank))  # noqa: E731
        until = time.monotonic() + 20
        while ranked()[0] != ("2", "d9") and time.monotonic() < until:
            time.sleep(0.05)
        ann = Person(server, "Ann")
        ann.sync(want=1)
        assert ann.items[0]["documents"] == ["d9"]
        begun = time.monotonic()
    assert time.monotonic() - begun < 2
