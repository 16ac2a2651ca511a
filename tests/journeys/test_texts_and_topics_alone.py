"""A teacher has texts and topics and nothing else: runs, a pool, a class that judges it, an evaluation and a workbook, in the window."""

from collections.abc import Callable, Sequence
from hashlib import blake2b
from pathlib import Path

import openpyxl
import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QDialog, QPushButton, QWidget
from pytestqt.qtbot import QtBot

from irjudge.judging import compute_consensus_grades
from irjudge.judging.sources import map_retrieved_pairs
from irjudge.store import open_project
from irjudge_ui import jobs
from irjudge_ui.pages.project.make_run import MakeRunDialog
from irjudge_ui.pages.session.session import SessionView
from irjudge_ui.window import Window
from tests.engine.web.browsing import Person

OpenWindow = Callable[[], Window]
Snap = Callable[..., None]
TOPICS = {
    "tides": "moon sea harbour wave ebb flood coast",
    "bread": "dough yeast oven flour crust knead loaf",
    "bees": "hive honey queen pollen swarm comb nectar",
    "volcanoes": "lava crater ash magma erupt vent summit",
    "chess": "pawn bishop knight rook castle mate board",
    "glaciers": "ice moraine crevasse snow valley melt ridge",
    "violins": "string bow spruce varnish peg bridge tone",
    "deserts": "dune sand oasis camel drought wind cactus",
    "comets": "tail orbit nucleus dust sun coma telescope",
    "markets": "price buyer seller trade stall coin demand",
}
TEXTS = 30  # of each topic; every third says its name, the others only words that go with it
NOISE = "people often ask about this and there is more to say of it than one may think on an ordinary day".split()


def drawn(*words: object) -> int:
    return int.from_bytes(blake2b(repr(words).encode(), digest_size=6).digest(), "big")


def text_of(topic: str, number: int) -> str:
    """Sixty words, some of the topic's own: the same on every machine."""
    own = [*TOPICS[topic].split(), *([topic] * 3 if number % 3 == 0 else [])]
    words = [
        (own if drawn(topic, number, place) % 4 == 0 else NOISE)[drawn(number, place, topic) % 7]
        for place in range(60)
    ]
    return " ".join([*words, *([topic] if number % 3 == 0 else [])])


@pytest.fixture
def texts(tmp_path: Path) -> Path:
    """The teacher's folder, and the list of topics beside it."""
    folder = tmp_path / "texts"
    folder.mkdir()
    for topic in TOPICS:
        for number in range(TEXTS):
            (folder / f"{topic}-{number:02}.txt").write_text(
                text_of(topic, number), encoding="utf-8"
            )
    lines = (
        f"{number}\tabout {topic} {TOPICS[topic].split()[0]}\n"
        for number, topic in enumerate(TOPICS, 1)
    )
    (tmp_path / "topics.tsv").write_text("".join(lines), encoding="utf-8")
    return folder


def click(qtbot: QtBot, page: QWidget, words: str) -> None:
    found = [
        each
        for each in page.findChildren(QPushButton)
        if words in (each.text(), each.accessibleName()) and each.isVisible()
    ]
    assert found, f"no button says {words!r}"
    qtbot.mouseClick(found[0], Qt.MouseButton.LeftButton)


def settle(qtbot: QtBot) -> None:
    qtbot.waitUntil(lambda: not jobs.is_busy(), timeout=60_000)


def dialog_of(window: Window, kind: type[QDialog] = QDialog) -> QDialog:
    return next(each for each in window.findChildren(kind) if each.isVisible())


def make_runs(qtbot: QtBot, window: Window) -> None:
    window.do("runs")
    settle(qtbot)
    for ranker in ("bm25", "ql"):
        click(qtbot, window.pages.view("runs"), "Create run")
        dialog = dialog_of(window, MakeRunDialog)
        assert isinstance(dialog, MakeRunDialog)
        dialog.ranker.setCurrentIndex(dialog.ranker.findData(ranker))
        click(qtbot, dialog, "Save run")
        settle(qtbot)


def judge_in_turn(people: Sequence[Person], scale: str) -> None:
    """Judge what is given out, as people do who know the topics: relevant is what a text of the topic is."""
    topics = {str(number): topic for number, topic in enumerate(TOPICS, 1)}
    at_work = [*people]
    while at_work:
        for person in [*at_work]:
            if not person.sync(2)["items"] and not person.open_places():
                at_work.remove(person)
            for place in person.open_places()[:2]:
                item = person.items[place]
                person.grade(
                    place, 1 if item["documents"][0].startswith(topics[item["topic"]]) else 0, scale
                )
    for person in people:
        person.sync(0)


def hold_session(qtbot: QtBot, window: Window, snap: Snap) -> None:
    """Three pupils judge in browsers; one of them knows a text that no run found, and finds it by a search."""
    window.do("session")
    settle(qtbot)
    page = window.pages.view("session")
    assert isinstance(page, SessionView)
    page.form.overlap.set_value(1)
    page.form.search.setChecked(True)
    page.form.address.setCurrentIndex(page.form.address.findData("127.0.0.1"))
    snap(window, "teacher-session")
    click(qtbot, page, "Start a session")
    qtbot.waitUntil(lambda: page.controller is not None and page.status is not None, timeout=60_000)
    scale = window.project.scale.version
    ann, bob, cleo = (Person(page.controller.server, name) for name in ("Ann", "Bob", "Cleo"))
    pooled = window.project.rankings.pool().document.to_pylist()
    hits = ann.call("/search", {"words": "hive honey queen comb"})["hits"]
    unknown = next(
        hit["id"] for hit in hits if hit["id"].startswith("bees") and hit["id"] not in pooled
    )
    assert ann.call("/find", {"topic": "3", "document": unknown})["given"]
    judge_in_turn((ann, bob, cleo), scale)
    qtbot.waitUntil(
        lambda: sum(seat.judged for seat in page.people.rows) == len(pooled) + 1, timeout=60_000
    )
    assert min(seat.judged for seat in page.people.rows) >= 10
    snap(window, "teacher-session-judged")
    click(qtbot, page, "End")
    click(qtbot, dialog_of(window), "End")
    qtbot.waitUntil(lambda: page.controller is None or page.status.state == "ended", timeout=60_000)


def test_from_a_folder_of_texts_and_ten_topics_to_a_workbook(
    qtbot: QtBot, open_a_window: OpenWindow, snap: Snap, texts: Path, tmp_path: Path
) -> None:
    window = open_a_window()
    click(qtbot, window.pages.view("home"), "New project")
    new = window.pages.view("new")
    new.rows["documents"].choose([texts])
    new.rows["topics"].choose([tmp_path / "topics.tsv"])
    settle(qtbot)
    new.file.setText(str(tmp_path / "course.irjudge"))
    click(qtbot, new, "Create project")
    settle(qtbot)
    assert (
        window.project.collection.document_count(),
        len(window.project.collection.topics()),
    ) == (300, 10)

    make_runs(qtbot, window)
    window.do("collection")
    window.collection.pool_form.top.set_value(6)
    click(qtbot, window.collection, "Build pool")
    settle(qtbot)
    snap(window, "teacher-collection")

    hold_session(qtbot, window, snap)
    window.do("evaluate")
    settle(qtbot)
    qtbot.waitUntil(lambda: window.evaluation.table is not None, timeout=60_000)
    snap(window, "teacher-evaluation")
    window.do("found")
    settle(qtbot)
    snap(window, "teacher-found")
    window.exports.write_report(window.evaluation.table, tmp_path / "course.xlsx")
    settle(qtbot)
    QTest.qWait(0)
    window.close()

    with open_project(tmp_path / "course.irjudge", writing=False) as project:
        grades, found = compute_consensus_grades(project), map_retrieved_pairs(project)
        assert [*found.values()] == ["search"] and set(found) <= set(grades)
    book = openpyxl.load_workbook(tmp_path / "course.xlsx", data_only=True, read_only=True)
    assert [row[0] for row in book["Summary"].iter_rows(min_row=2, values_only=True)] and book[
        "Qrels"
    ].max_row == 1 + len(grades)
