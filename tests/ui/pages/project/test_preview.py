"""Tests of previews: size and cost of a pool and of assignments, selected topics, stored prices."""

from collections.abc import Callable
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QFileDialog
from pytestqt.qtbot import QtBot

from irjudge.exchange import Prices, read_prices
from irjudge_ui.pages.project.pool_form import PricesDialog
from irjudge_ui.window import Window
from tests.numbers_in_text import find_numbers

ONE_WINDOW = True

Idle = Callable[[], None]


@pytest.fixture
def organiser(window: Window, project_path: Path, wait_until_idle: Idle) -> Window:
    assert window.open(project_path)
    wait_until_idle()
    return window


@pytest.mark.slow
def test_the_pool_size_is_shown_before_it_is_built(
    organiser: Window, qtbot: QtBot, wait_until_idle: Idle
) -> None:
    page, project = organiser.collection, organiser.project
    assert project is not None
    before = project.rankings.pool_version()
    page.pool_form.top.setFocus()
    page.pool_form.top.selectAll()
    qtbot.keyClicks(page.pool_form.top, "10\r")
    qtbot.waitUntil(lambda: find_numbers(page.preview.message.text())[:3] == ["54", "36", "6"])
    assert (
        "About 27\N{NO-BREAK SPACE}min, at an assumed 30\N{NO-BREAK SPACE}s"
        in page.preview.message.text()
        and "Cost" not in page.preview.message.text()
    )
    assert project.rankings.pool_version() == before
    page.build_pool()
    wait_until_idle()
    assert len(project.rankings.pool() or ()) == 54


@pytest.mark.slow
def test_selected_topics_are_pooled_and_an_invalid_one_is_reported_at_once(
    organiser: Window, qtbot: QtBot, wait_until_idle: Idle
) -> None:
    page, project = organiser.collection, organiser.project
    assert project is not None
    ids = [topic.id for topic in project.collection.topics()]
    page.pool_form.topics.setText("nowhere")
    qtbot.waitUntil(lambda: "nowhere" in page.preview.message.text())
    version = project.rankings.pool_version()
    page.build_pool()
    assert "nowhere" in organiser.message.text() and project.rankings.pool_version() == version
    page.pool_form.topics.setText(f"{ids[0]}-{ids[1]}")
    qtbot.waitUntil(lambda: "topics: 2." in page.preview.message.text())
    page.build_pool()
    wait_until_idle()
    pool = project.rankings.pool()
    assert pool is not None and set(pool.topics) == set(ids[:2])


@pytest.mark.slow
def test_a_hidden_page_computes_no_preview(
    organiser: Window, wait_until_idle: Idle, monkeypatch: pytest.MonkeyPatch, qtbot: QtBot
) -> None:
    asked = []
    monkeypatch.setattr(organiser.collection.preview, "_make_forecast", lambda: asked.append(1))
    organiser.collection.preview.ask()
    organiser.show_page("settings")
    qtbot.waitUntil(lambda: not organiser.collection.preview._timer.isActive())
    assert asked == []
    organiser.show_page("collection")
    qtbot.waitUntil(lambda: bool(asked))


def test_prices_are_asked_once_and_shown_in_the_preview(organiser: Window, qtbot: QtBot) -> None:
    project = organiser.project
    assert project is not None
    organiser.collection.ask_prices()
    dialog = organiser.findChild(PricesDialog)
    assert dialog is not None
    for field, typed in ((dialog.hour, "12.5"), (dialog.item, "-3"), (dialog.currency, "EUR")):
        qtbot.keyClicks(field, typed)
    qtbot.mouseClick(dialog.buttons[-1], Qt.MouseButton.LeftButton)
    assert read_prices(project) == Prices(12.5, 3.0, "EUR"), "no sign can be typed"
    qtbot.waitUntil(lambda: "Cost: about" in organiser.collection.preview.message.text())


def test_digits_of_a_price_can_be_grouped(organiser: Window, qtbot: QtBot) -> None:
    assert organiser.project is not None
    organiser.collection.ask_prices()
    dialog = organiser.findChild(PricesDialog)
    assert dialog is not None
    qtbot.keyClicks(dialog.hour, "1,250.5")
    qtbot.mouseClick(dialog.buttons[-1], Qt.MouseButton.LeftButton)
    assert read_prices(organiser.project).hour == 1250.5


@pytest.mark.slow
def test_assignments_are_previewed_before_files_are_written(
    organiser: Window,
    qtbot: QtBot,
    wait_until_idle: Idle,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    organiser.show_page("assessors")
    wait_until_idle()
    page, project = organiser.pages.view("assessors"), organiser.project
    assert project is not None and page.preview.message.text() == ""
    qtbot.keyClicks(page.form.people, "ann, bob")
    page.form.topics.setText(project.collection.topics()[0].id)
    page.form.overlap.setFocus()
    page.form.overlap.selectAll()
    qtbot.keyClicks(page.form.overlap, "3\r")
    qtbot.waitUntil(lambda: find_numbers(page.preview.message.text()) == ["1", "2", "3"])
    page.form.overlap.selectAll()
    qtbot.keyClicks(page.form.overlap, "2\r")
    qtbot.waitUntil(lambda: "topics: 1.\nItems per assessor: " in page.preview.message.text())
    assert project.assignments.all() == ()
    monkeypatch.setattr(QFileDialog, "getExistingDirectory", lambda *_: str(tmp_path / "out"))
    page.assign()
    wait_until_idle()
    texts = {
        item.topic
        for each in project.assignments.all()
        for item in project.assignments.items(each.code)
    }
    assert texts == {project.collection.topics()[0].id}
