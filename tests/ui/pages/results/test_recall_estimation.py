"""Tests of recall estimation in the window: the target method, from its cost to its claim."""

import shutil
import threading
from collections.abc import Callable
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from pytestqt.qtbot import QtBot

from irjudge.judging import LearningSession, read_learning_options, read_samples
from irjudge.judging.sources import read_target_samples
from irjudge.stats import SampleForecast, forecast_samples
from irjudge_ui.pages.results.recall_estimation import RecallView
from irjudge_ui.window import Window
from tests.numbers_in_text import find_numbers

RELEVANT = 12  # of the sampled documents

ONE_WINDOW = True


def test_sample_forecasts_are_computed_in_the_background(
    open_window: Window, wait_until_idle: Callable[[], None], monkeypatch: pytest.MonkeyPatch
) -> None:
    asked: list[tuple[object, bool]] = []

    def record_call(*counts: int, **more: int) -> tuple[SampleForecast, ...]:
        asked.append(
            ((counts, *more.values()), threading.current_thread() is threading.main_thread())
        )
        return forecast_samples(*counts, **more)

    monkeypatch.setattr("irjudge.judging.stopping.forecast_samples", record_call)
    open_window.show_page("found")
    wait_until_idle()
    hidden = {counts for counts, shown in asked if not shown}
    assert hidden and {counts for counts, shown in asked if shown} <= hidden, (
        "the first loads SciPy: half a second"
    )


@pytest.mark.slow
def test_a_sample_is_drawn_once_and_reported_even_if_the_lowest_relevant_grade_is_changed(
    open_window: Window, qtbot: QtBot, wait_until_idle: Callable[[], None]
) -> None:
    page = open_window.pages.view("found")
    assert isinstance(page, RecallView)
    open_window.show_page("found")
    wait_until_idle()
    with qtbot.waitSignal(page.changed):
        page.draw_sample()
        page.draw_sample()
        page.rel.setCurrentIndex(1)
        page.rel.activated.emit(1)
    wait_until_idle()
    assert len(read_samples(open_window.project)[page.topic_id]) == 1
    assert not page.problem.isVisible() and page.judge_it.isVisible()


@pytest.mark.slow
def test_the_target_method_is_run_from_its_cost_to_its_claim(
    open_window: Window, qtbot: QtBot, wait_until_idle: Callable[[], None]
) -> None:
    window, page = open_window, open_window.pages.view("found")
    assert isinstance(page, RecallView)

    def step(text: str) -> str:
        """Press the button, which must have this text, and return the message shown then."""
        window.show_page("found")
        wait_until_idle()
        assert page.target.step_button.text() == text and page.target.step_button.isEnabled()
        qtbot.mouseClick(page.target.step_button, Qt.MouseButton.LeftButton)
        wait_until_idle()
        return page.target.message.text()

    window.show_page("found")
    wait_until_idle()
    assert {"37", "10"} <= {*find_numbers(page.target.message.text())}, (
        "what it costs is said before it begins"
    )
    assert find_numbers(step("Sample the first 25 documents"))[:3] == [
        "40",
        "25",
        "0",
    ]  # of, sampled, judged
    step("Judge the sample")
    sample = read_target_samples(window.project)["1"].documents
    for index in range(25):
        work = window.judge.session.open_topic("1")
        assert work.document.id in sample
        window.judge.session.grade(work, 3 if index < RELEVANT else 0)
    assert read_learning_options(window.project) is None
    assert "found again: 0 of 10" in step("Search again without the sampled documents")
    step("Continue judging")
    qtbot.waitUntil(
        lambda: isinstance(window.judge.session, LearningSession) and window.judge.can_judge
    )
    session = window.judge.session
    while (work := session.current()) is not None and work.topic.id == "1":
        assert work.document.id not in sample
        session.grade(work, 0)
        session.advance()
    window.show_page("found")
    wait_until_idle()
    assert (
        find_numbers(page.target.message.text())[:2] == ["0.7", "95"]
        and not page.target.step_button.isVisible()
    )


@pytest.fixture
def page(open_window: Window, wait_until_idle: Callable[[], None]) -> RecallView:
    view = open_window.pages.view("found")
    assert isinstance(view, RecallView)
    open_window.show_page("found")
    wait_until_idle()
    return view


def choose_topic(page: RecallView, index: int) -> None:
    page.topic.setCurrentIndex(index)
    page.topic.activated.emit(index)


def enter_looks(page: RecallView, looks: int) -> None:
    page.looks.set_value(looks)
    page.looks.changed.emit(looks)


def test_the_number_of_looks_is_planned_for_each_topic(
    page: RecallView, wait_until_idle: Callable[[], None]
) -> None:
    choose_topic(page, 0)
    enter_looks(page, 3)
    page.draw_sample()
    wait_until_idle()
    choose_topic(page, 1)
    assert page.looks.value() == 1 and page.looks.isEnabled()
    enter_looks(page, 5)
    choose_topic(page, 0)
    assert page.looks.value() == 3 and not page.looks.isEnabled()
    choose_topic(page, 1)
    assert page.looks.value() == 5


def test_another_project_starts_without_the_choices_made_for_the_first(
    open_path: Callable[[Path], Window],
    assessed_sample: Path,
    tmp_path: Path,
    wait_until_idle: Callable[[], None],
) -> None:
    window = open_path(Path(shutil.copy(assessed_sample, tmp_path / "first.irjudge")))
    page = window.pages.view("found")
    assert isinstance(page, RecallView)
    window.show_page("found")
    wait_until_idle()
    choose_topic(page, 1)
    enter_looks(page, 5)
    page.rel.setCurrentIndex(2)
    first = page.topic.itemData(0)
    open_path(Path(shutil.copy(assessed_sample, tmp_path / "other.irjudge")))
    window.show_page("found")
    wait_until_idle()
    assert (page.topic_id, page.rel.currentData()) == (first, 1)
    choose_topic(page, 1)
    assert page.looks.value() == 1


def test_a_new_sample_is_announced_even_if_another_grade_is_chosen_while_it_is_drawn(
    page: RecallView, wait_until_idle: Callable[[], None], qtbot: QtBot
) -> None:
    assert page.project is not None
    with qtbot.waitSignal(page.changed):
        page.draw_sample()
        page.rel.setCurrentIndex(1)
        page.rel.activated.emit(1)
    wait_until_idle()
    assert len(read_samples(page.project)) == 1
    assert page.state is not None and page.state.rel == page.rel.currentData()


def test_after_a_cancellation_no_numbers_of_another_grade_are_shown(
    open_path: Callable[[Path], Window],
    assessed_sample: Path,
    tmp_path: Path,
    wait_until_idle: Callable[[], None],
) -> None:
    window = open_path(Path(shutil.copy(assessed_sample, tmp_path / "a.irjudge")))
    page = window.pages.view("found")
    window.show_page("found")
    wait_until_idle()
    page.rel.setCurrentIndex(2)
    page.rel.activated.emit(2)
    page.cancel_jobs()
    wait_until_idle()
    assert page.state_page is not None and not page.description_label.isVisible()
    page.restart_jobs()
    wait_until_idle()
    assert page.state_page is None and page.description_label.isVisible()
