"""A teacher with texts and topics only: runs, a pool, judging by a class, and evaluation."""

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
from tests.engine.web.session_client import Person

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
TEXTS = 30  # per topic; every third contains its name, the others only related words
NOISE = "people often ask about this and there is more to say of it than one may think on an ordinary day".split()


def random_source(*parts: object) -> int:
    return int.from_bytes(blake2b(repr(parts).encode(), digest_size=6).digest(), "big")


def make_text(topic: str, number: int) -> str:
    """Return sixty words, some of them about the topic; the same on every machine."""
    own = [*TOPICS[topic].split(), *([topic] * 3 if number % 3 == 0 else [])]
    arguments = [
        (own if random_source(topic, number, index) % 4 == 0 else NOISE)[
            random_source(number, index, topic) % 7
        ]
        for index in range(60)
    ]
    return " ".join([*arguments, *([topic] if number % 3 == 0 else [])])


@pytest.fixture
def texts(tmp_path: Path) -> Path:
    """A folder of texts, and a list of topics beside it."""
    folder = tmp_path / "texts"
    folder.mkdir()
    for topic in TOPICS:
        for number in range(TEXTS):
            (folder / f"{topic}-{number:02}.txt").write_text(
                make_text(topic, number), encoding="utf-8"
            )
    lines = (
        f"{number}\tabout {topic} {TOPICS[topic].split()[0]}\n"
        for number, topic in enumerate(TOPICS, 1)
    )
    (tmp_path / "topics.tsv").write_text("".join(lines), encoding="utf-8")
    return folder


def click_button(qtbot: QtBot, page: QWidget, label: str) -> None:
    result = [
        each
        for each in page.findChildren(QPushButton)
        if label in (each.text(), each.accessibleName()) and each.isVisible()
    ]
    assert result, f"no button says {label!r}"
    qtbot.mouseClick(result[0], Qt.MouseButton.LeftButton)


def wait_until_idle(qtbot: QtBot) -> None:
    qtbot.waitUntil(lambda: not jobs.is_busy(), timeout=60_000)


def visible_dialog(window: Window, kind: type[QDialog] = QDialog) -> QDialog:
    return next(each for each in window.findChildren(kind) if each.isVisible())


def make_runs(qtbot: QtBot, window: Window) -> None:
    window.do("runs")
    wait_until_idle(qtbot)
    for ranker in ("bm25", "ql"):
        click_button(qtbot, window.pages.view("runs"), "Create run")
        dialog = visible_dialog(window, MakeRunDialog)
        assert isinstance(dialog, MakeRunDialog)
        dialog.ranker.setCurrentIndex(dialog.ranker.findData(ranker))
        click_button(qtbot, dialog, "Save run")
        wait_until_idle(qtbot)


def judge_assigned(people: Sequence[Person], scale: str) -> None:
    """Judge assigned documents correctly: texts of a topic are relevant to it."""
    topics = {str(number): topic for number, topic in enumerate(TOPICS, 1)}
    at_work = [*people]
    while at_work:
        for person in [*at_work]:
            if not person.sync(2)["items"] and not person.open_items():
                at_work.remove(person)
            for index in person.open_items()[:2]:
                item = person.items[index]
                person.grade(
                    index, 1 if item["documents"][0].startswith(topics[item["topic"]]) else 0, scale
                )
    for person in people:
        person.sync(0)


def run_session(qtbot: QtBot, window: Window, snap: Snap) -> None:
    """Let three pupils judge in browsers; one finds a text that is in no run by searching."""
    window.do("session")
    wait_until_idle(qtbot)
    page = window.pages.view("session")
    assert isinstance(page, SessionView)
    page.form.overlap.set_value(1)
    page.form.search.setChecked(True)
    page.form.address.setCurrentIndex(page.form.address.findData("127.0.0.1"))
    snap(window, "teacher-session")
    click_button(qtbot, page, "Start a session")
    qtbot.waitUntil(lambda: page.controller is not None and page.status is not None, timeout=60_000)
    scale = window.project.scale.version
    ann, bob, cleo = (Person(page.controller.server, name) for name in ("Ann", "Bob", "Cleo"))
    pooled = window.project.rankings.pool().document.to_pylist()
    hits = ann.call("/search", {"words": "hive honey queen comb"})["hits"]
    unknown = next(
        hit["id"] for hit in hits if hit["id"].startswith("bees") and hit["id"] not in pooled
    )
    assert ann.call("/find", {"topic": "3", "document": unknown})["given"]
    judge_assigned((ann, bob, cleo), scale)
    qtbot.waitUntil(
        lambda: sum(seat.judged for seat in page.people.rows) == len(pooled) + 1, timeout=60_000
    )
    assert min(seat.judged for seat in page.people.rows) >= 10
    snap(window, "teacher-session-judged")
    click_button(qtbot, page, "End")
    click_button(qtbot, visible_dialog(window), "End")
    qtbot.waitUntil(lambda: page.controller is None or page.status.state == "ended", timeout=60_000)


def test_a_folder_of_texts_and_ten_topics_lead_to_a_workbook(
    qtbot: QtBot, open_window: OpenWindow, snap: Snap, texts: Path, tmp_path: Path
) -> None:
    window = open_window()
    click_button(qtbot, window.pages.view("home"), "New project")
    new = window.pages.view("new")
    new.rows["documents"].choose([texts])
    new.rows["topics"].choose([tmp_path / "topics.tsv"])
    wait_until_idle(qtbot)
    new.file.setText(str(tmp_path / "course.irjudge"))
    click_button(qtbot, new, "Create project")
    wait_until_idle(qtbot)
    assert (
        window.project.collection.document_count(),
        len(window.project.collection.topics()),
    ) == (300, 10)

    make_runs(qtbot, window)
    window.do("collection")
    window.collection.pool_form.top.set_value(6)
    click_button(qtbot, window.collection, "Build pool")
    wait_until_idle(qtbot)
    snap(window, "teacher-collection")

    run_session(qtbot, window, snap)
    window.do("evaluate")
    wait_until_idle(qtbot)
    qtbot.waitUntil(lambda: window.evaluation.table is not None, timeout=60_000)
    snap(window, "teacher-evaluation")
    window.do("found")
    wait_until_idle(qtbot)
    snap(window, "teacher-found")
    window.exports.write_report(window.evaluation.table, tmp_path / "course.xlsx")
    wait_until_idle(qtbot)
    QTest.qWait(0)
    window.close()

    with open_project(tmp_path / "course.irjudge", writing=False) as project:
        grades, runs_by_pair = compute_consensus_grades(project), map_retrieved_pairs(project)
        assert [*runs_by_pair.values()] == ["search"] and set(runs_by_pair) <= set(grades)
    book = openpyxl.load_workbook(tmp_path / "course.xlsx", data_only=True, read_only=True)
    assert [row[0] for row in book["Summary"].iter_rows(min_row=2, values_only=True)] and book[
        "Qrels"
    ].max_row == 1 + len(grades)
