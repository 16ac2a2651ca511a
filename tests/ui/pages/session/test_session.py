"""The session page: it begins, shows who is there, leads, survives a change of language, and asks before the window closes."""

import sqlite3
import time
from collections.abc import Callable, Iterator
from contextlib import closing
from pathlib import Path

import pytest
from PySide6.QtWidgets import QPushButton
from pytestqt.qtbot import QtBot

from irjudge.store.project import open_project
from irjudge_ui.pages.results.live import LiveView
from irjudge_ui.pages.session.hall import hall_of
from irjudge_ui.pages.session.session import SessionView
from irjudge_ui.widgets.dialog import Dialog
from irjudge_ui.window import Window
from tests.engine.web.browsing import Person


@pytest.fixture
def first_page() -> str:
    return "session"


@pytest.fixture
def page(open_window: Window, idle: Callable[[], None]) -> Iterator[SessionView]:
    open_window.do("session")
    idle()
    view = open_window.pages.view("session")
    assert isinstance(view, SessionView)
    yield view
    open_window.close_project()


@pytest.fixture
def running(page: SessionView, qtbot: QtBot) -> SessionView:
    page.form.address.clear()
    page.start.click()
    qtbot.waitUntil(lambda: page.hall is not None, timeout=10_000)
    qtbot.waitUntil(lambda: page.standing is not None, timeout=10_000)
    return page


def come(page: SessionView, name: str) -> Person:
    assert page.hall is not None
    return Person(page.hall.server, name)


def scale_of(page: SessionView) -> str:
    assert page.project is not None
    return page.project.scale.version


def choice(window: Window, words: str) -> None:
    dialog = window.findChild(Dialog)
    assert dialog is not None
    next(made for made in dialog.findChildren(QPushButton) if made.text() == words).click()


def test_a_session_begins_and_shows_how_to_join(running: SessionView) -> None:
    assert running.hall is not None
    assert running._link.text() == running.hall.link and running._picture.accessibleDescription() == running.hall.link
    assert running._code.text().replace(" ", "") == running.hall.server.code


@pytest.mark.parametrize(("mode", "asked"), [("lists", "panels"), ("pairs", "pairs")])
def test_a_session_compares_side_by_side(page: SessionView, qtbot: QtBot, mode: str, asked: str) -> None:
    assert page.project is not None
    topic = page.project.collection.topics()[0].id
    page.form.mode.setCurrentIndex(page.form.mode.findData(mode))
    page.form.topics.setText(topic)
    page.form.address.clear()
    page.start.click()
    qtbot.waitUntil(lambda: page.hall is not None and page.standing is not None, timeout=10_000)
    ann = come(page, "Ann")
    assert ann.call("/welcome", {})["task"]["mode"] == asked
    ann.sync(want=1)
    assert ann.items[0]["topic"] == topic
    ann.prefer(0, "left")
    ann.sync()
    qtbot.waitUntil(lambda: [(seat.name, seat.judged) for seat in page.people.rows] == [("Ann", 1)], timeout=10_000)


def test_a_topic_that_is_not_there_is_said_and_nothing_begins(page: SessionView) -> None:
    page.form.topics.setText("nowhere")
    page.start.click()
    assert "nowhere" in page._problem.text() and page.hall is None


def test_only_what_the_kind_of_session_knows_is_asked(page: SessionView) -> None:
    fields = (page.form.gold, page.form.qualification, page.form.order, page.form.results)

    def shown() -> list[bool]:
        return [field.isVisibleTo(page) for field in fields]

    assert shown() == [True, True, True, False]
    page.form.mode.setCurrentIndex(page.form.mode.findData("lists"))
    assert shown() == [False, False, False, True]
    page.form.order.setCurrentIndex(page.form.order.findData("decisive"))
    page.form.mode.setCurrentIndex(0)
    assert page.project is not None and page.form.wish(page.project).terms.order == "decisive"


def test_who_judges_is_seen_and_what_they_judge_is_in_the_project_of_the_window(running: SessionView, qtbot: QtBot) -> None:
    ann = come(running, "Ann")
    ann.sync()
    for place in ann.open_places():
        ann.grade(place, 2, scale_of(running))
    ann.sync()
    qtbot.waitUntil(lambda: [(seat.name, seat.judged) for seat in running.people.rows] == [("Ann", 3)], timeout=10_000)
    assert running.project is not None
    assert len(list(running.project.events.read())) == 3
    running.project.set_fact("note", "the window writes too")
    ann.sync()
    for place in ann.open_places():
        ann.grade(place, 1, scale_of(running))
    assert ann.sync()["acknowledged"] == len(ann.saved) > 3


def test_who_leads_pauses_sets_aside_and_lets_in_again(running: SessionView, qtbot: QtBot, open_window: Window) -> None:
    ann = come(running, "Ann")
    qtbot.waitUntil(lambda: running.people.rowCount() == 1, timeout=10_000)
    running.pause.click()
    qtbot.waitUntil(lambda: running.standing is not None and running.standing.state == "paused", timeout=10_000)
    assert ann.sync()["items"] == [] and running.pause.text() == "Go on"
    running.pause.click()
    qtbot.waitUntil(lambda: running.standing is not None and running.standing.state == "open", timeout=10_000)
    running._people_table.selectRow(0)
    running.aside.click()
    qtbot.waitUntil(lambda: running.people.rows[0].aside, timeout=10_000)
    assert running.aside.text() == "Count again"
    running.again.click()
    qtbot.waitUntil(lambda: open_window.findChild(Dialog) is not None, timeout=10_000)
    assert ann.try_call("/sync", {}).status == 401
    choice(open_window, "Close")


def test_a_late_judgment_is_listed_and_taken_in(running: SessionView, qtbot: QtBot) -> None:
    ann = come(running, "Ann")
    ann.sync(want=1)
    qtbot.waitUntil(lambda: running.people.rowCount() == 1 and running.people.rows[0].held == 1, timeout=10_000)
    running._people_table.selectRow(0)
    running.release.click()
    qtbot.waitUntil(lambda: running.people.rows[0].held == 0, timeout=10_000)
    for name in ("Bob", "Cleo", "Dan"):
        other = come(running, name)
        while other.sync()["items"] or other.open_places():
            for place in other.open_places():
                other.grade(place, 1, scale_of(running))
    ann.grade(0, 3, scale_of(running))
    ann.sync()
    qtbot.waitUntil(lambda: running.late.rowCount() == 1, timeout=10_000)
    running._late_table.selectRow(0)
    running.count.click()
    qtbot.waitUntil(lambda: running.late.rowCount() == 0, timeout=10_000)


def test_another_language_leaves_the_session_alone(running: SessionView, open_window: Window, qtbot: QtBot) -> None:
    ann, hall = come(running, "Ann"), running.hall
    open_window._speak()
    view = open_window.pages.view("session")
    assert isinstance(view, SessionView) and view.hall is hall
    assert ann.sync()["items"]
    qtbot.waitUntil(lambda: view.standing is not None, timeout=10_000)


def test_closing_the_window_asks_and_loses_nothing(running: SessionView, open_window: Window, qtbot: QtBot) -> None:
    ann = come(running, "Ann")
    ann.sync()
    ann.grade(0, 2, scale_of(running))
    ann.sync()
    assert not open_window.close()
    choice(open_window, "Stay")
    assert hall_of(running.project) is not None
    open_window.close()
    begun = time.monotonic()
    choice(open_window, "Close")
    qtbot.waitUntil(lambda: not open_window.isVisible() and open_window.project is None, timeout=10_000)
    assert time.monotonic() - begun < 3


def test_the_session_ends_and_its_page_goes_on_with_the_form(running: SessionView, open_window: Window, qtbot: QtBot) -> None:
    running.end.click()
    choice(open_window, "End")
    qtbot.waitUntil(lambda: running.hall is None, timeout=10_000)
    assert running.project is not None
    assert [each.state for each in running.project.sessions.all()] == ["ended"]


def test_the_big_screen_shows_the_way_in_and_no_judgment(running: SessionView, qtbot: QtBot) -> None:
    ann = come(running, "Ann")
    ann.sync()
    running.beamer.click()
    screen = running.screen_shown
    assert screen is not None
    qtbot.waitUntil(lambda: "People here: 1" in screen._people.text(), timeout=10_000)
    assert "Ann" not in "".join(label.text() for label in screen.findChildren(type(screen._people)))
    screen.close()


def test_numbers_that_cannot_be_are_told(page: SessionView) -> None:
    page.form.gold.set_value(1)
    page.start.click()
    assert "once in 2" in page._problem.text() and page.hall is None


def test_what_was_judged_stays_when_the_process_ends_without_a_word(running: SessionView, tmp_path: Path) -> None:
    ann = come(running, "Ann")
    ann.sync()
    ann.grade(0, 2, scale_of(running))
    ann.sync()
    assert running.project is not None
    copy = tmp_path / "copy.irjudge"
    copy.write_bytes(running.project.path.read_bytes())
    with open_project(copy, writing=False) as opened:
        assert opened.verify().faults == () and opened.events.count() == 1


def test_the_live_view_follows_and_never_waits_for_what_is_being_written(running: SessionView, open_window: Window, qtbot: QtBot) -> None:
    open_window.show_page("live")
    live = open_window.pages.view("live")
    assert isinstance(live, LiveView) and running.project is not None
    live.compute()
    qtbot.waitUntil(lambda: live.table is not None, timeout=10_000)
    first, ann = live.table, come(running, "Ann")
    ann.sync()
    ann.grade(0, 2, scale_of(running))
    ann.sync()
    qtbot.waitUntil(lambda: live.table is not first and not live._work.busy, timeout=10_000)
    live._followed = ()
    with closing(sqlite3.connect(running.project.path, isolation_level=None)) as writer:
        writer.execute("BEGIN EXCLUSIVE")  # as for the moment of a commit, which a slow disk makes long
        begun = time.perf_counter()
        live.follow()
        taken = time.perf_counter() - begun
        writer.execute("ROLLBACK")
    assert live._work.busy and taken < 0.1
