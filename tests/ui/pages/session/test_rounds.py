"""Tests of norming rounds as the host sees them, on the page and on the big screen."""

from contextlib import suppress

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QLabel, QPushButton
from pytestqt.exceptions import TimeoutError as QtTimeoutError
from pytestqt.qtbot import QtBot

from irjudge.stats.agreement import AgreementEstimate
from irjudge.web import LiveResults
from irjudge.web.host import ClosedDocument, LiveRun
from irjudge_ui.charts import WideBars
from irjudge_ui.pages.session.big_screen import BigScreen
from irjudge_ui.pages.session.rounds import RoundsCard, format_reasons
from irjudge_ui.pages.session.session import SessionView
from irjudge_ui.widgets import Dialog
from irjudge_ui.widgets.theme import DARK, LIGHT
from irjudge_ui.window import Window
from tests.engine.web.session_client import Person
from tests.ui.layout_checks import process_layouts, set_size_and_theme
from tests.ui.pages.session.test_session_layout import BEAMERS, find_layout_problems
from tests.ui.window_content import find_widget, visible_text

ONE_WINDOW = True
SIZES = [*BEAMERS, (1024, 768)]
MIN_HEIGHT = 48  # minimum text height in pixels on a screen 1,080 pixels high


@pytest.fixture
def running_session(page: SessionView, qtbot: QtBot) -> SessionView:
    page.form.address.clear()
    page.form.norming.setChecked(True)
    page.start.click()
    qtbot.waitUntil(
        lambda: page.controller is not None and page.controller.rounds_report is not None,
        timeout=10_000,
    )
    return page


def judge_all(people: list[Person], scale: str, grades: list[int]) -> None:
    for person, grade in zip(people, grades, strict=True):
        while person.sync()["items"] or person.open_items():
            for index in person.open_items():
                action = person.grade(index, grade, scale)
                person.act(
                    "rationale", action["item"], {"text": f"because {grade}", "position": [0, 5]}
                )
        person.sync()


def visible_dialog(rounds: RoundsCard) -> Dialog:
    return next(each for each in rounds.findChildren(Dialog) if each.isVisible())


def press_button(rounds: RoundsCard, position: int, asks: QPushButton | None = None) -> None:
    """Press a button of the open question, or of the question that the button `asks` opens."""
    if asks is not None:
        asks.click()
    labels = (
        ("Cancel",),
        ("Close the round", "Reopen the round", "Open the round", "Start main judging"),
    )[position]
    dialog = visible_dialog(rounds)
    (fitting,) = (each for each in dialog.findChildren(QPushButton) if each.text() in labels)
    fitting.click()


@pytest.mark.slow
def test_a_round_is_opened_closed_shown_to_all_and_repeated(
    running_session: SessionView, open_window: Window, qtbot: QtBot
) -> None:
    assert running_session.controller is not None and running_session.project is not None
    rounds, scale = running_session.rounds, running_session.project.scale
    people = [Person(running_session.controller.server, name) for name in ("Ann", "Bob", "Cleo")]
    rounds.count.set_value(3)
    rounds.open.click()
    qtbot.waitUntil(lambda: "Round 1 is open" in visible_text(rounds), timeout=10_000)
    judge_all(people, scale.version, [scale.values[0], scale.values[0], scale.values[-1]])
    running_session.big_screen_button.click()
    screen = running_session.screen_shown
    assert screen is not None
    qtbot.waitUntil(lambda: "9 of 9" in visible_text(rounds), timeout=10_000)
    assert "because" not in visible_text(rounds) + visible_text(screen), (
        "nothing of an open round is shown"
    )
    rounds.close_round.click()
    assert "9 of 9" in visible_text(visible_dialog(rounds))
    press_button(rounds, 0)
    press_button(rounds, 1, rounds.close_round)
    qtbot.waitUntil(lambda: "Round 1, document 1 of 3" in visible_text(screen), timeout=10_000)
    bars = find_widget(screen, "Judgments", WideBars)
    assert bars.accessibleDescription().split("; ")[0].endswith(
        ": 2"
    ) and f"{scale.values[0]}  “because" in visible_text(screen)
    rounds.next.click()
    qtbot.waitUntil(lambda: "Round 1, document 2 of 3" in visible_text(screen), timeout=10_000)
    press_button(rounds, 0, rounds.same)
    press_button(rounds, 1, rounds.same)
    qtbot.waitUntil(lambda: "Round 2 is open" in visible_text(rounds), timeout=10_000)
    judge_all(people, scale.version, [scale.values[0]] * 3)
    press_button(rounds, 1, rounds.close_round)
    qtbot.waitUntil(lambda: "3 (previous round: 2)" in bars.accessibleDescription(), timeout=10_000)
    assert "2:  α undefined: all judgments have the same grade" in visible_text(screen), (
        "where everybody agrees, alpha is not defined"
    )
    assert [row["number"] for row in rounds.rounds.rows] == [1, 2]
    assert "Participants: 3" in visible_text(open_window)
    press_button(rounds, 1, rounds.pool)
    qtbot.waitUntil(lambda: "The rounds are finished" in visible_text(rounds), timeout=10_000)
    assert rounds.reopen.isVisible() and not rounds.pool.isVisible()
    press_button(rounds, 1, rounds.reopen)
    qtbot.waitUntil(lambda: "Round 2 is open" in visible_text(rounds), timeout=10_000)
    assert not rounds.reopen.isVisible()
    screen.close()


def test_a_reason_for_unjudgeable_is_listed_without_a_number() -> None:
    reasons = [
        {"grade": -2, "text": "garbled", "name": "Ann"},
        {"grade": 1, "text": "because", "name": ""},
        {"grade": 3, "text": "omitted", "name": ""},
    ]
    assert format_reasons({"reasons": reasons}, 2) == [
        "unjudgeable  “garbled” · Ann",
        "1  “because”",
    ]


def make_results(runs: int = 5) -> LiveResults:
    counts = (
        (0, "Not relevant", 1),
        (1, "Marginally relevant", 0),
        (2, "Relevant", 2),
        (3, "Highly relevant", 4),
    )
    document = ClosedDocument(
        "when does the ferry leave on Sundays", "From rowing boat to electric ferry", counts, 0
    )
    agreement = AgreementEstimate("alpha", "ordinal", 40, 60, 0.41, "", 0.2, 0.6)
    made = tuple(LiveRun(f"run-{index}", 0.8 - index / 10, 0.2, 0.9) for index in range(runs))
    return LiveResults(document, 30, agreement, "nDCG@10", made)


def test_results_are_readable_from_the_back_row_in_every_size_and_theme(
    language: str, running_session: SessionView, open_window: Window, qtbot: QtBot
) -> None:
    hall, problems = running_session.controller, []
    assert hall is not None
    screen = BigScreen(hall, "A class")
    screen.show()
    qtbot.waitExposed(screen)
    screen.show_results(True)
    hall.results.emit(make_results())
    for theme in (LIGHT, DARK):
        set_size_and_theme(open_window, (1366, 768), theme)
        for size in SIZES:
            screen.resize(*size)
            process_layouts()
            with suppress(QtTimeoutError):  # a label grows after its font
                qtbot.waitUntil(lambda: not find_layout_problems(screen), timeout=3_000)
            problems += [
                f"{theme.name}, {size}: {problem}" for problem in find_layout_problems(screen)
            ]
            assert (screen.width(), screen.height()) == size
    screen.resize(*SIZES[0])
    process_layouts()
    small = [
        each.text()
        for each in screen.findChildren(QLabel)
        if each.isVisible() and each.fontInfo().pixelSize() < MIN_HEIGHT
    ]
    assert len(small) == 1 and problems == [], language
    screen.close()


@pytest.mark.slow
def test_runs_that_change_ranks_are_marked_and_the_key_returns_to_the_join_code(
    running_session: SessionView, qtbot: QtBot
) -> None:
    controller = running_session.controller
    assert controller is not None
    screen = BigScreen(controller, "A class")
    screen.show()
    qtbot.waitExposed(screen)
    QTest.keyClick(screen, Qt.Key.Key_R)
    assert controller.is_watching
    first = make_results(2)
    controller.results.emit(first)
    bars = find_widget(screen, "Runs", WideBars)
    assert (
        bars.accessibleDescription() == "1  run-0: 0.80  (0.20–0.90); 2  run-1: 0.70  (0.20–0.90)"
    )
    controller.results.emit(LiveResults(None, 4, None, "nDCG@10", first.runs[::-1]))
    assert bars.accessibleDescription().startswith(
        "1  run-1 ↑1: "
    ) and "judgments: 0." in visible_text(screen)
    QTest.keyClick(screen, Qt.Key.Key_R)
    assert not controller.is_watching and "Scan the code" in visible_text(screen)
    screen.close()
