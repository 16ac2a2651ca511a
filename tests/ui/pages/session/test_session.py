"""Tests of the session page: start, participants, hosting, change of language, closing."""

import re
import shutil
import sqlite3
import subprocess
import sys
import threading
import time
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QComboBox, QLabel, QPushButton, QWidget
from pytestqt.qtbot import QtBot

from irjudge.errors import ProjectError
from irjudge.evaluation import find_decisive_documents, run_orderings
from irjudge.exchange import AssignmentOptions as AssignWish
from irjudge.exchange import assign_pool, parse_candidates
from irjudge.judging import count_assigned_pairs, count_outstanding, list_qrels_choices
from irjudge.stats.agreement import AgreementEstimate
from irjudge.store import ENDED, Project, create_project_from_files, open_project, sample_sources
from irjudge.web import ParticipantQuality, SessionOptions, SessionQuality, begin_session
from irjudge.web import session_state as session_answers
from irjudge_ui import jobs
from irjudge_ui.pages.assessors import AssessorsView
from irjudge_ui.pages.assessors import agreement as agreement_page
from irjudge_ui.pages.assessors.agreement import AgreementView
from irjudge_ui.pages.results.live import LiveView
from irjudge_ui.pages.session import close_controller, controller_of
from irjudge_ui.pages.session.controller import close_ended
from irjudge_ui.pages.session.session import SessionView
from irjudge_ui.widgets import Dialog, PageScrollArea, QrCode, Table
from irjudge_ui.window import Window
from tests.engine.web.session_client import Person
from tests.numbers_in_text import find_numbers
from tests.ui.window_content import (
    find_widget,
    is_shown,
    label_texts,
    missing_text,
    next_action,
    selected_row,
    stop_following,
    visible_text,
)

ONE_WINDOW = True


@pytest.mark.slow
def test_a_session_can_be_started_without_scrolling(page: SessionView, open_window: Window) -> None:
    open_window.resize(1350, 704)
    shown = page.start.visibleRegion().boundingRect()
    assert page.start.isVisible() and shown == page.start.rect()


@pytest.fixture
def running_session(page: SessionView, qtbot: QtBot) -> SessionView:
    page.form.address.clear()
    page.start.click()
    qtbot.waitUntil(lambda: page.controller is not None, timeout=10_000)
    qtbot.waitUntil(lambda: page.status is not None, timeout=10_000)
    return page


def join(page: SessionView, name: str) -> Person:
    assert page.controller is not None
    return Person(page.controller.server, name)


def compared_runs(live: LiveView) -> tuple[str, str]:
    """Return the run whose orderings are shown, and the other."""
    run, other = (
        selected_row(table)[0]
        for table in (live.run_table, find_widget(live, "Pairs of runs", Table))
    )
    return run, other


def scale_version(page: SessionView) -> str:
    assert page.project is not None
    return page.project.scale.version


def click_dialog_button(window: Window, label: str) -> None:
    dialog = next(each for each in window.findChildren(Dialog) if each.isVisible())
    next(made for made in dialog.findChildren(QPushButton) if made.text() == label).click()


@pytest.mark.slow
def test_a_started_session_shows_how_to_join(running_session: SessionView) -> None:
    assert running_session.controller is not None
    assert (
        find_widget(running_session, "Link", QLabel).text()
        == find_widget(running_session, "QR code", QrCode).accessibleDescription()
        == running_session.controller.link
    )
    assert running_session.controller.server.code in [
        text.replace(" ", "") for text in label_texts(running_session)
    ]


@pytest.mark.slow
@pytest.mark.parametrize(("mode", "asked"), [("lists", "panels"), ("pairs", "pairs")])
def test_a_session_compares_side_by_side(
    page: SessionView, qtbot: QtBot, mode: str, asked: str
) -> None:
    assert page.project is not None
    topic = page.project.collection.topics()[0].id
    page.form.mode.setCurrentIndex(page.form.mode.findData(mode))
    page.form.topics.setText(topic)
    page.form.address.clear()
    page.start.click()
    qtbot.waitUntil(lambda: page.controller is not None and page.status is not None, timeout=10_000)
    ann = join(page, "Ann")
    task = ann.call("/welcome", {})["task"]
    assert task["mode"] == asked and ("better order" in task["rules"]["reasons"]) == (
        mode == "lists"
    )
    ann.sync(want=1)
    assert ann.items[0]["topic"] == topic
    ann.prefer(0, "left")
    ann.sync()
    qtbot.waitUntil(
        lambda: [(seat.name, seat.judged) for seat in page.people.rows] == [("Ann", 1)],
        timeout=10_000,
    )


def test_an_unknown_topic_is_reported_and_nothing_starts(page: SessionView) -> None:
    page.form.topics.setText("nowhere")
    page.start.click()
    assert "nowhere" in page.form.field_errors[page.form.topics].text() and page.controller is None


def test_only_options_of_the_kind_of_session_are_shown(page: SessionView) -> None:
    fields = (page.form.gold, page.form.qualification, page.form.order, page.form.results)

    def visible_fields() -> list[bool]:
        return [field.isVisibleTo(page) for field in fields]

    assert visible_fields() == [False, False, False, False]
    page.form.more.click()
    assert visible_fields() == [True, True, True, False]
    page.form.mode.setCurrentIndex(page.form.mode.findData("lists"))
    assert visible_fields() == [False, False, False, True]
    page.form.order.setCurrentIndex(page.form.order.findData("decisive"))
    page.form.mode.setCurrentIndex(0)
    assert (
        page.project is not None
        and page.form.session_options(page.project).terms.order == "decisive"
    )


def test_options_entered_for_a_project_are_dropped_for_the_next(
    page: SessionView, open_path: Callable[[Path], Window], harbour_path: Path
) -> None:
    boxes = (page.form.mode, page.form.order, page.form.join)
    fields = (page.form.topics, page.form.names)
    for box in boxes:
        box.setCurrentIndex(1)
    for field in fields:
        field.setText("1")
    open_path(harbour_path)
    assert [box.currentIndex() for box in boxes] == [0, 0, 0] and [
        field.text() for field in fields
    ] == ["", ""]


@pytest.mark.slow
def test_participants_are_listed_and_their_judgments_are_in_the_project_of_the_window(
    running_session: SessionView, qtbot: QtBot
) -> None:
    ann = join(running_session, "Ann")
    ann.sync()
    for index in ann.open_items():
        ann.grade(index, 2, scale_version(running_session))
    ann.sync()
    qtbot.waitUntil(
        lambda: [(seat.name, seat.judged) for seat in running_session.people.rows] == [("Ann", 3)],
        timeout=10_000,
    )
    assert running_session.project is not None
    assert len(list(running_session.project.events.read())) == 3
    running_session.project.set_setting("note", "the window writes too")
    ann.sync()
    for index in ann.open_items():
        ann.grade(index, 1, scale_version(running_session))
    assert ann.sync()["acknowledged"] == len(ann.saved) > 3


def is_link_shown(window: Window) -> bool:
    return any(each.isVisible() and each.findChild(QrCode) for each in window.findChildren(Dialog))


@pytest.mark.slow
def test_the_host_pauses_the_session_and_excludes_and_readmits_a_participant(
    running_session: SessionView, qtbot: QtBot, open_window: Window
) -> None:
    ann = join(running_session, "Ann")
    qtbot.waitUntil(lambda: running_session.people.rowCount() == 1, timeout=10_000)
    running_session.pause.click()
    qtbot.waitUntil(
        lambda: running_session.status is not None and running_session.status.state == "paused",
        timeout=10_000,
    )
    assert ann.sync()["items"] == [] and running_session.pause.text() == "Continue"
    running_session.pause.click()
    qtbot.waitUntil(
        lambda: running_session.status is not None and running_session.status.state == "open",
        timeout=10_000,
    )
    running_session.people_table.selectRow(0)
    running_session.exclude.trigger()
    click_dialog_button(open_window, "Cancel")
    running_session.exclude.trigger()
    assert not ann.sync()["aside"], "nothing happens before an answer"
    click_dialog_button(open_window, "Exclude")
    qtbot.waitUntil(lambda: running_session.people.rows[0].aside, timeout=10_000)
    assert running_session.exclude.text() == "Include again"
    running_session.again.trigger()
    assert ann.try_call("/sync", {}).status == 200
    click_dialog_button(open_window, "Readmit")
    qtbot.waitUntil(lambda: is_link_shown(open_window), timeout=10_000)
    assert ann.try_call("/sync", {}).status == 401
    click_dialog_button(open_window, "Close")


@pytest.mark.slow
def test_the_host_revokes_a_link_and_frees_seats(
    running_session: SessionView, qtbot: QtBot, open_window: Window, monkeypatch: pytest.MonkeyPatch
) -> None:
    ann, bob, cleo = (join(running_session, name) for name in ("Ann", "Bob", "Cleo"))
    ann.sync()
    ann.grade(0, 2, scale_version(running_session))
    ann.sync(want=0)
    qtbot.waitUntil(
        lambda: [seat.judged for seat in running_session.people.rows] == [1, 0, 0], timeout=10_000
    )
    select_participant(running_session, "Ann")
    assert (
        not running_session.free.isEnabled()
        and running_session.revoke.isEnabled()
        and not running_session.free_empty.isEnabled()
    )
    running_session.revoke.trigger()
    assert ann.try_call("/sync", {}).status == 200
    click_dialog_button(open_window, "Revoke")
    qtbot.waitUntil(lambda: ann.try_call("/sync", {}).status == 401, timeout=10_000)
    select_participant(running_session, "Bob")
    running_session.free.trigger()
    assert bob.try_call("/sync", {}).status == 200
    click_dialog_button(open_window, "Free the seat")
    qtbot.waitUntil(
        lambda: [seat.name for seat in running_session.people.rows] == ["Ann", "Cleo"],
        timeout=10_000,
    )
    assert (
        bob.try_call("/sync", {}).status == 401
        and join(running_session, "Bob").try_call("/sync", {}).status == 200
    )
    monkeypatch.setattr(session_answers, "PRESENCE_TIMEOUT", -1.0)
    qtbot.waitUntil(lambda: running_session.free_empty.isEnabled(), timeout=10_000)
    running_session.free_empty.trigger()
    assert cleo.try_call("/sync", {}).status == 200
    click_dialog_button(open_window, "Free unused seats")
    qtbot.waitUntil(
        lambda: [seat.name for seat in running_session.people.rows] == ["Ann"], timeout=10_000
    )
    assert cleo.try_call("/sync", {}).status == 401 and not running_session.free_empty.isEnabled()


def select_participant(running_session: SessionView, name: str) -> None:
    """Select the row of a participant."""
    position = next(
        position for position, seat in enumerate(running_session.people.rows) if seat.name == name
    )
    running_session.people_table.selectRow(running_session.people.line_of(position).row())


def test_a_late_judgment_is_listed_and_accepted(running_session: SessionView, qtbot: QtBot) -> None:
    ann = join(running_session, "Ann")
    ann.sync(want=1)
    qtbot.waitUntil(
        lambda: running_session.people.rowCount() == 1 and running_session.people.rows[0].held == 1,
        timeout=10_000,
    )
    running_session.people_table.selectRow(0)
    running_session.release.trigger()
    qtbot.waitUntil(lambda: running_session.people.rows[0].held == 0, timeout=10_000)
    for name in ("Bob", "Cleo", "Dan"):
        other = join(running_session, name)
        while other.sync()["items"] or other.open_items():
            for index in other.open_items():
                other.grade(index, 1, scale_version(running_session))
    ann.grade(0, 3, scale_version(running_session))
    ann.sync()
    qtbot.waitUntil(lambda: running_session.late.rowCount() == 1, timeout=10_000)
    find_widget(running_session, "Late judgments", Table).selectRow(0)
    running_session.count.click()
    qtbot.waitUntil(lambda: running_session.late.rowCount() == 0, timeout=10_000)


@pytest.mark.slow
def test_a_change_of_language_leaves_the_session_running(
    running_session: SessionView, open_window: Window, qtbot: QtBot
) -> None:
    ann, controller = join(running_session, "Ann"), running_session.controller
    open_window._change_language()
    view = open_window.pages.view("session")
    assert isinstance(view, SessionView) and view.controller is controller
    assert ann.sync()["items"]
    qtbot.waitUntil(lambda: view.status is not None, timeout=10_000)


def test_closing_the_window_asks_first_and_loses_nothing(
    running_session: SessionView, open_window: Window, qtbot: QtBot
) -> None:
    ann = join(running_session, "Ann")
    ann.sync()
    ann.grade(0, 2, scale_version(running_session))
    ann.sync()
    assert not open_window.close()
    click_dialog_button(open_window, "Stay")
    assert controller_of(running_session.project) is not None
    open_window.close()
    begun = time.monotonic()
    click_dialog_button(open_window, "Close")
    qtbot.waitUntil(
        lambda: not open_window.isVisible() and open_window.project is None, timeout=10_000
    )
    assert time.monotonic() - begun < 3


@pytest.mark.parametrize("stays", [True, False])
def test_opening_another_project_asks_before_it_stops_a_session(
    running_session: SessionView,
    open_window: Window,
    everyday: Path,
    tmp_path: Path,
    stays: bool,
    qtbot: QtBot,
) -> None:
    other = Path(shutil.copy(everyday, tmp_path / "other.irjudge"))
    project = open_window.project
    assert project is not None
    open_window.open(other)
    assert open_window.project is project and controller_of(project) is not None
    click_dialog_button(open_window, "Stay" if stays else "Close")
    qtbot.waitUntil(lambda: not jobs.is_busy(), timeout=10_000)
    assert (open_window.project is project) is stays
    assert (controller_of(project) is not None) is stays


def test_after_the_end_of_a_session_its_page_shows_the_form(
    running_session: SessionView, open_window: Window, qtbot: QtBot
) -> None:
    running_session.end.click()
    click_dialog_button(open_window, "End")
    qtbot.waitUntil(lambda: running_session.controller is None, timeout=10_000)
    assert running_session.project is not None
    assert [each.state for each in running_session.project.sessions.all()] == ["ended"]
    assert not running_session.ended.isHidden()
    assert re.findall(r"\d+", running_session.ended_counts.text())[:2] == ["0", "0"]
    assert running_session.start.objectName() == "primary", "there is nothing to evaluate"
    running_session.start.click()
    qtbot.waitUntil(lambda: running_session.controller is not None, timeout=10_000)
    assert running_session.ended.isHidden()


@pytest.mark.slow
def test_before_a_session_ends_missing_judgments_are_counted(
    running_session: SessionView, open_window: Window, qtbot: QtBot
) -> None:
    assert running_session.status is not None
    judged, wanted = running_session.status.judgment_counts
    assert judged < wanted
    running_session.ask_end()
    dialog = next(each for each in running_session.findChildren(Dialog) if each.isVisible())
    assert {f"{wanted - judged:,}", f"{wanted:,}"} <= set(find_numbers(visible_text(dialog)))
    click_dialog_button(open_window, "Keep running")
    assert running_session.controller is not None


@pytest.mark.slow
def test_the_end_is_shown_at_once_and_the_server_stops_after_pages_were_notified(
    running_session: SessionView, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("irjudge_ui.pages.session.session.FAREWELL_SECONDS", 60.0)
    ann = join(running_session, "Ann")
    ann.sync()
    ann.grade(0, 2, scale_version(running_session))
    ann.sync()
    controller, project = running_session.controller, running_session.project
    assert controller is not None and project is not None
    running_session.end_session()
    qtbot.waitUntil(lambda: running_session.controller is None, timeout=10_000)
    assert not running_session.ended.isHidden() and running_session.to_evaluation.hasFocus()
    assert (
        running_session.to_evaluation.objectName()
        == "primary"
        != running_session.start.objectName()
    )
    assert re.findall(r"\d+", running_session.ended_counts.text())[0] == "1"
    assert controller_of(project) is None, "other pages show the project without a session"
    ann.sync()  # the server still responds
    with qtbot.waitSignal(controller.destroyed, timeout=10_000):
        close_ended(project)
    assert running_session._notifying_note.isHidden()


@pytest.mark.slow
def test_the_big_screen_shows_the_join_code_and_no_judgment(
    running_session: SessionView, qtbot: QtBot
) -> None:
    ann = join(running_session, "Ann")
    ann.sync()
    running_session.big_screen_button.click()
    screen = running_session.screen_shown
    assert screen is not None
    qtbot.waitUntil(lambda: "Participants: 1" in visible_text(screen), timeout=10_000)
    assert "Ann" not in visible_text(screen)
    screen.close()


def test_unavailable_numbers_are_described(page: SessionView) -> None:
    page.form.gold.set_value(1)
    page.start.click()
    assert "at least 2" in page.problem.text() and page.controller is None


@pytest.mark.slow
def test_judgments_survive_a_killed_process(running_session: SessionView, tmp_path: Path) -> None:
    ann = join(running_session, "Ann")
    ann.sync()
    ann.grade(0, 2, scale_version(running_session))
    ann.sync()
    assert running_session.project is not None
    copy = tmp_path / "copy.irjudge"
    copy.write_bytes(running_session.project.path.read_bytes())
    with open_project(copy, writing=False) as opened:
        assert opened.verify().problems == () and opened.events.count() == 1


@pytest.mark.slow
def test_the_live_page_follows_a_session_and_never_waits_for_writes(
    running_session: SessionView, open_window: Window, qtbot: QtBot
) -> None:
    open_window.show_page("live")
    live = open_window.pages.view("live")
    assert isinstance(live, LiveView) and running_session.project is not None
    live.compute()
    qtbot.waitUntil(lambda: live.table is not None, timeout=10_000)
    first, ann = live.table, join(running_session, "Ann")
    ann.sync()
    ann.grade(0, 2, scale_version(running_session))
    ann.sync()
    qtbot.waitUntil(lambda: live.table is not first and not jobs.is_busy(), timeout=10_000)
    live._session_state = ()
    with closing(sqlite3.connect(running_session.project.path, isolation_level=None)) as writer:
        # as during a commit, which a slow disk makes long
        writer.execute("BEGIN EXCLUSIVE")
        begun = time.perf_counter()
        live.follow()
        taken = time.perf_counter() - begun
        writer.execute("ROLLBACK")
    assert jobs.is_busy() and taken < 0.1


@pytest.mark.usefixtures("own_window")
def test_choices_on_the_live_page_are_kept_and_their_results_appear_together(
    running_session: SessionView,
    open_window: Window,
    qtbot: QtBot,
    wait_until_idle: Callable[[], None],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    open_window.show_page("live")
    live = open_window.pages.view("live")
    assert isinstance(live, LiveView)
    stop_following(live)
    live.compute()
    wait_until_idle()
    live.run_table.selectRow(1)
    wait_until_idle()
    find_widget(live, "Pairs of runs", Table).selectRow(1)
    wait_until_idle()
    before, (run, other) = live.table, compared_runs(live)
    resets: list[str] = []
    live.runs.modelReset.connect(lambda: resets.append("runs"))
    live.orderings.modelReset.connect(lambda: resets.append("orderings"))
    asked: list[object] = []
    monkeypatch.setattr(live._ordering_job, "run", lambda *work: asked.append(work))
    ann = join(running_session, "Ann")
    ann.sync()
    for index in list(ann.open_items()):
        ann.grade(index, 2, scale_version(running_session))
    ann.sync()
    qtbot.waitUntil(
        lambda: running_session.status is not None and running_session.status.actions > 0,
        timeout=10_000,
    )
    live.follow()
    wait_until_idle()
    assert live.table is not before and live.table is not None and live.table.judged > 0
    assert compared_runs(live) == (run, other) and not resets and not asked, "one look, one picture"
    measure = live.table.measures[0]
    assert live.orderings.rows == run_orderings(live.table, run, measure)
    assert [each.decisive for each in live.next.rows] == find_decisive_documents(
        live.table, run, other, measure, 20
    )
    seen = live.table
    live.follow()
    wait_until_idle()
    assert live.table is seen, "nobody judged since"
    live._session_state = ()
    live.follow()
    live.run_table.selectRow(2)  # while the computation runs
    asked.clear()
    wait_until_idle()
    assert len(asked) == 1, "what hangs on another run is found by itself"


@pytest.mark.slow
def test_the_live_page_shows_outstanding_judgments_including_unassigned_ones(
    running_session: SessionView,
    open_window: Window,
    qtbot: QtBot,
    wait_until_idle: Callable[[], None],
) -> None:
    ann = join(running_session, "Ann")
    ann.sync()
    ann.grade(0, 2, scale_version(running_session))
    ann.sync()
    qtbot.waitUntil(
        lambda: running_session.status is not None and running_session.status.actions > 0,
        timeout=10_000,
    )
    assert running_session.project is not None and running_session.status is not None
    open_window.show_page("live")
    live = open_window.pages.view("live")
    assert isinstance(live, LiveView)
    wait_until_idle()
    left = sum(wanted - counted for counted, wanted in running_session.status.topics.values())
    titles = dict(running_session.project.collection.topic_titles())
    shown_topics = [
        running_session.topics.index(line, 0).data()
        for line in range(running_session.topics.rowCount())
    ]
    assert all(
        titles[id] in text
        for id, text in zip(running_session.status.topics, shown_topics, strict=True)
    )
    assert "outstanding" not in live.can_change.text(), "imported qrels wait for nobody"
    name = next(
        choice.name
        for choice in list_qrels_choices(running_session.project)
        if choice.source != "imported"
    )
    live.qrels.setCurrentIndex(live.qrels.findData(name))
    live.compute()
    wait_until_idle()
    assert live.table is not None and live.table.outstanding == left
    assert f"{left:,} judgments are outstanding" in live.can_change.text()
    assert running_session.controller is not None
    running_session.controller.do(lambda session: session.set_state(ENDED))
    qtbot.waitUntil(
        lambda: live.table is not None and not live.table.outstanding and not jobs.is_busy(),
        timeout=10_000,
    )
    assert "outstanding" not in live.can_change.text(), "what has ended waits for nothing"


def judge_more(person: Person, count: int, scale: str) -> None:
    """Grade more documents, each by the lengths of its id and of the participant's name."""
    left = count
    while left:
        person.sync(want=1)
        (index,) = person.open_items()
        person.grade(
            index, (len(person.items[index]["documents"][0]) + len(person.name)) % 2, scale
        )
        left -= 1
    person.sync(want=0)


@pytest.mark.usefixtures("own_window")
def test_agreement_follows_a_running_session_and_keeps_the_selection(
    page: SessionView,
    open_window: Window,
    qtbot: QtBot,
    wait_until_idle: Callable[[], None],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(agreement_page, "UPDATE_SECONDS", 0)
    monkeypatch.setattr(agreement_page, "COMPUTING_TIME_FACTOR", 0)
    assert page.project is not None
    page.form.topics.setText(page.project.collection.topics()[0].id)
    page.form.address.clear()
    page.start.click()
    qtbot.waitUntil(lambda: page.status is not None, timeout=10_000)
    open_window.show_page("agreement")
    view = open_window.pages.view("agreement")
    assert isinstance(view, AgreementView)
    stop_following(view)
    wait_until_idle()
    assert view.state_stack.page is not None, "nobody has judged"
    ann, robert, scale = join(page, "Ann"), join(page, "Robert"), scale_version(page)
    judge_more(ann, 6, scale)
    judge_more(robert, 4, scale)
    qtbot.waitUntil(lambda: page.status is not None and page.status.actions == 10, timeout=10_000)
    view.follow()
    wait_until_idle()
    assert view.state_stack.page is None and view.result is not None
    first, documents = view.result, find_widget(view, "Documents with disagreement", Table)
    assert "As of " in visible_text(view) and len(first.disagreed) > 1
    view.table.selectRow(3)
    documents.selectRow(len(first.disagreed) - 1)
    chosen = [documents.currentIndex().siblingAtColumn(position).data() for position in (0, 2)]
    view.follow()
    wait_until_idle()
    assert view.result is first, "nobody judged since"
    judge_more(robert, 2, scale)
    qtbot.waitUntil(lambda: page.status is not None and page.status.actions == 12, timeout=10_000)
    with closing(sqlite3.connect(page.project.path, isolation_level=None)) as writer:
        # as during a commit, which a slow disk makes long
        writer.execute("BEGIN EXCLUSIVE")
        begun = time.perf_counter()
        view.follow()
        taken = time.perf_counter() - begun
        writer.execute("ROLLBACK")
    assert (
        jobs.is_busy() and view.result is first and taken < 0.1 and "As of " in visible_text(view)
    ), "results stay until there are more"
    wait_until_idle()
    assert (
        len(view.result.disagreed) > len(first.disagreed) and view.table.currentIndex().row() == 3
    )
    assert [
        documents.currentIndex().siblingAtColumn(position).data() for position in (0, 2)
    ] == chosen


# Prerequisites and next steps


def test_without_a_pool_no_session_can_start_and_the_page_links_to_the_pool_form(
    window: Window, tmp_path: Path, wait_until_idle: Callable[[], None]
) -> None:
    sources, scale = sample_sources("everyday")
    create_project_from_files(tmp_path / "new.irjudge", sources, scale=scale)
    assert window.open(tmp_path / "new.irjudge")
    window.do("session")
    wait_until_idle()
    view = window.pages.view("session")
    assert isinstance(view, SessionView)
    assert not view.start.isEnabled() and "pool" in visible_text(view)
    view.form.mode.setCurrentIndex(view.form.mode.findData("lists"))
    assert view.start.isEnabled() and "pool" not in visible_text(view)  # comparing needs no pool
    view.form.mode.setCurrentIndex(0)
    view.lead_there.click()
    assert window.pages.on_top() == "collection"


def test_with_a_pool_nothing_is_missing(page: SessionView) -> None:
    assert (
        page.start.isEnabled()
        and "pool" not in visible_text(page)
        and not page.lead_there.isVisible()
    )


def test_assigned_pairs_are_counted_in_the_background_once_for_each_change(
    page: SessionView,
    open_window: Window,
    monkeypatch: pytest.MonkeyPatch,
    qtbot: QtBot,
    tmp_path: Path,
) -> None:
    """Counting 500,000 pairs takes seconds."""
    threads: list[threading.Thread] = []

    def count_slowly(project: Project) -> tuple[int, int]:
        threads.append(threading.current_thread())
        time.sleep(0.1)
        return count_assigned_pairs(project)

    monkeypatch.setattr("irjudge_ui.pages.session.session.count_assigned_pairs", count_slowly)
    project = open_window.project
    assert project is not None
    assign_pool(project, parse_candidates("ann,bob"), AssignWish(), tmp_path)
    page.refresh()
    page.refresh()
    assert page.start.isEnabled(), "nothing is missing as long as the pairs are counted"
    qtbot.waitUntil(lambda: not page.start.isEnabled())
    page.refresh()
    assert not page.start.isEnabled()
    assert len(threads) == 1 and threads[0] is not threading.main_thread()


@pytest.mark.slow
def test_the_next_step_is_the_session_while_it_runs(
    running_session: SessionView, open_window: Window, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("irjudge_ui.pages.session.session.FAREWELL_SECONDS", 0.0)
    ann = join(running_session, "Ann")
    ann.sync()
    ann.grade(0, 2, scale_version(running_session))
    ann.sync()
    qtbot.waitUntil(
        lambda: find_numbers(missing_text(open_window))[:2] == ["1", "1"], timeout=10_000
    )
    open_window.show_page("assessors")
    assert next_action(open_window) == "session"
    open_window.do("session")
    running_session.end_session()
    qtbot.waitUntil(lambda: running_session.controller is None, timeout=30_000)
    qtbot.waitUntil(lambda: "A session is running" not in missing_text(open_window), timeout=10_000)


def test_an_abandoned_session_is_ended(page: SessionView, qtbot: QtBot) -> None:
    page.form.address.clear()
    page.start.click()
    qtbot.waitUntil(lambda: page.controller is not None, timeout=10_000)
    close_controller(page.project)
    page._show_session(None)
    page.refresh()
    assert is_shown(page, "A session is running") and page.project is not None
    page.give_up.click()
    assert is_shown(page, "A session is running"), "nothing happens before an answer"
    dialog = page.findChild(Dialog)
    assert dialog is not None
    dialog.buttons[-1].click()
    assert not is_shown(page, "A session is running") and [
        each.state for each in page.project.sessions.all()
    ] == ["ended"]


@pytest.mark.slow
def test_showing_the_page_loads_no_web_server() -> None:
    look = "import sys, irjudge_ui.pages.session.session, irjudge_ui.pages.session.big_screen"
    asked = f"{look}; print(*({{'uvicorn', 'starlette'}} & set(sys.modules)))"
    completed = subprocess.run(
        [sys.executable, "-c", asked], capture_output=True, text=True, check=True
    )
    assert completed.stdout.split() == []


# Participants


@pytest.mark.slow
def test_the_selected_participant_stays_selected_while_the_table_is_resorted(
    running_session: SessionView, qtbot: QtBot
) -> None:
    people = {name: join(running_session, name) for name in ("Ann", "Bob", "Cleo")}
    qtbot.waitUntil(lambda: running_session.people.rowCount() == 3, timeout=10_000)
    running_session.people_table.sortByColumn(2, Qt.SortOrder.DescendingOrder)
    running_session.people_table.selectRow(0)
    chosen = running_session.chosen
    assert chosen is not None
    for name in people.keys() - {chosen.name}:  # the others overtake
        people[name].sync()
        people[name].grade(0, 1, scale_version(running_session))
        people[name].sync()
    qtbot.waitUntil(
        lambda: sum(seat.judged for seat in running_session.people.rows) == 2, timeout=10_000
    )
    assert running_session.chosen is not None and running_session.chosen.id == chosen.id
    assert running_session.people_table.currentIndex().row() == 2


@pytest.mark.slow
def test_gold_items_and_notices_are_shown_for_each_participant(
    running_session: SessionView, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    ann, bob = join(running_session, "Ann"), join(running_session, "Bob")
    qtbot.waitUntil(lambda: running_session.people.rowCount() == 2, timeout=10_000)
    ids = {seat.name: seat.id for seat in running_session.people.rows}
    people = {
        ids["Ann"]: ParticipantQuality(3, 4, ()),
        ids["Bob"]: ParticipantQuality(0, 4, ("Too fast.",)),
    }
    quality = SessionQuality(
        people, AgreementEstimate("alpha", "ordinal", 12, 40, -0.125, low=-0.5, high=0.25)
    )
    assert not running_session.agreement.isVisible()
    monkeypatch.setattr(
        "irjudge_ui.pages.session.session.compute_session_quality",
        lambda _project, _progress: quality,
    )
    ann.sync()
    ann.grade(0, 1, scale_version(running_session))
    ann.sync()
    running_session._quality_job.next_start = 0.0
    qtbot.waitUntil(lambda: "Flagged: Bob" in visible_text(running_session), timeout=10_000)
    table = running_session.people_table.model()
    cells = {
        table.index(row, 0).data(): [table.index(row, column).data() for column in (4, 5)]
        for row in range(2)
    }
    assert cells == {"Ann": ["3 of 4", ""], "Bob": ["0 of 4", "⚠ flagged"]}
    assert not any(running_session.people_table.isColumnHidden(column) for column in (4, 5))
    running_session.people_table.selectRow(
        next(row for row in range(2) if table.index(row, 0).data() == "Bob")
    )
    assert "Bob: Too fast." in label_texts(running_session)
    assert (
        running_session.agreement.isVisible()
        and "−0.50 to 0.25)" in running_session.agreement.text()
    )
    assert find_numbers(running_session.agreement.text())[4:] == [
        "1",
        "0",
        "12",
    ]  # full, chance, documents
    assert bob.token


def test_two_participants_who_are_the_same_person_are_merged(
    running_session: SessionView, open_window: Window, qtbot: QtBot
) -> None:
    for name in ("Ann", "Anna"):
        join(running_session, name)
    qtbot.waitUntil(lambda: running_session.people.rowCount() == 2, timeout=10_000)
    running_session.people_table.selectRow(1)
    assert running_session.chosen is not None
    running_session.same.trigger()
    dialog = open_window.findChild(Dialog)
    assert dialog is not None and dialog.findChild(QComboBox).count() == 2
    assert not dialog.buttons[-1].isEnabled(), "nobody is selected yet"
    dialog.findChild(QComboBox).setCurrentIndex(1)
    click_dialog_button(open_window, "Count as one participant")
    qtbot.waitUntil(lambda: any(seat.same for seat in running_session.people.rows), timeout=10_000)
    assert running_session.people.rowCount() == 1
    assert running_session.people_table.model().index(0, 0).data() == "Ann = Anna"


@pytest.mark.slow
def test_the_cards_of_a_running_session_end_where_those_of_other_pages_end(
    running_session: SessionView, open_window: Window, wait_until_idle: Callable[[], None]
) -> None:
    def right_edge(view: QWidget) -> int:
        """Return the right edge of a page's cards in the window."""
        area = next(area for area in view.findChildren(PageScrollArea) if area.isVisible())
        return area.viewport().mapTo(open_window, area.viewport().rect().topRight()).x()

    here = right_edge(running_session)
    open_window.do("assessors")
    wait_until_idle()
    assert right_edge(open_window.pages.view("assessors")) == here


def test_session_participants_are_not_listed_among_files(
    running_session: SessionView, open_window: Window, wait_until_idle: Callable[[], None]
) -> None:
    ann = join(running_session, "Ann")
    ann.sync()
    ann.grade(0, 2, scale_version(running_session))
    ann.sync()
    open_window.do("assessors")
    wait_until_idle()
    page = open_window.pages.view("assessors")
    assert (
        isinstance(page, AssessorsView)
        and page.files.rows == []
        and "see Progress below" in page.empty.text()
    )
    assert not page.can_give and not page.can_write_page, (
        "there is no file that these could be about"
    )
    assert {page.progress.index(row, 0).data() for row in range(page.progress.rowCount())} == {
        "Ann"
    }
    assert max(row.judged for row in page.progress.rows) == 1


@pytest.mark.slow
def test_every_button_and_column_about_participants_has_a_tooltip(
    running_session: SessionView, qtbot: QtBot
) -> None:
    join(running_session, "Ann")
    qtbot.waitUntil(lambda: bool(running_session.people.rows), timeout=10_000)
    buttons = [
        running_session.pause,
        running_session.big_screen_button,
        running_session.end,
        running_session.exclude,
        running_session.release,
        running_session.again,
        running_session.same,
        running_session.count,
    ]
    buttons += [running_session.revoke, running_session.free, running_session.free_empty]
    assert all(len(made.toolTip()) > len(made.text()) for made in buttons) and len(
        {made.toolTip() for made in buttons}
    ) == len(buttons)
    unexplained = [column.header for column in running_session.people.columns if not column.help]
    assert unexplained == ["Name"]


def test_when_everything_is_assigned_a_message_says_so_and_offers_more_judgments(
    page: SessionView,
    open_window: Window,
    wait_until_idle: Callable[[], None],
    qtbot: QtBot,
    tmp_path: Path,
) -> None:
    project = open_window.project
    assert project is not None and not page.form.again.isVisibleTo(page)
    assign_pool(project, parse_candidates("ann,bob"), AssignWish(), tmp_path)
    page.refresh()
    qtbot.waitUntil(lambda: not page.start.isEnabled())
    assert page.form.again.isVisibleTo(page)
    assert find_numbers(page._missing_label.text()) == ["34"]
    assert f"“{page.form.again.text()}”" in page._missing_label.text(), "the choice is named"
    with pytest.raises(ProjectError, match="already assigned"):
        begin_session(project, SessionOptions())
    page.form.again.setChecked(True)
    assert page.start.isEnabled() and "all 34 topic" not in visible_text(page)
    page.form.address.setCurrentIndex(page.form.address.findData("127.0.0.1"))
    page.begin()
    qtbot.waitUntil(lambda: page.controller is not None and page.status is not None)
    assert (
        page.status is not None
        and sum(wanted for _, wanted in page.status.topics.values()) == 3 * 34
    )
    assert "can reach 127.0.0.1." in visible_text(page) and "phone" not in visible_text(page)
    assert count_outstanding(project).total() == 34 + 3 * 34, (
        "what the session wants is awaited beside what was handed out"
    )


@pytest.mark.slow
def test_the_main_action_is_prominent_and_later_actions_are_not(
    page: SessionView, open_window: Window
) -> None:
    assert page.start.objectName() == "primary" and open_window.steps.now.objectName() == ""
    open_window.show_page("collection")
    assert open_window.steps.now.objectName() == "primary"
