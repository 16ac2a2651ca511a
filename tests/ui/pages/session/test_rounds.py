"""Norming rounds as whoever leads sees them, on the page and on the big screen; and what comes of a session while it goes on."""

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
from irjudge_ui.pages.session.rounds import RoundsCard
from irjudge_ui.pages.session.session import SessionView
from irjudge_ui.widgets import Dialog
from irjudge_ui.widgets.theme import DARK, LIGHT
from irjudge_ui.window import Window
from tests.engine.web.browsing import Person
from tests.ui.pages.session.test_session_looks import BEAMERS, wrong
from tests.ui.seen import dress, settle
from tests.ui.shown import named, says

ONE_WINDOW = True
SIZES = [*BEAMERS, (1024, 768)]
READ = 48  # pixels of a screen of 1,080


@pytest.fixture
def running(page: SessionView, qtbot: QtBot) -> SessionView:
    page.form.address.clear()
    page.form.norming.setChecked(True)
    page.start.click()
    qtbot.waitUntil(
        lambda: page.controller is not None and page.controller.rounds_report is not None,
        timeout=10_000,
    )
    return page


def judge(people: list[Person], scale: str, grades: list[int]) -> None:
    for person, grade in zip(people, grades, strict=True):
        while person.sync()["items"] or person.open_places():
            for place in person.open_places():
                action = person.grade(place, grade, scale)
                person.act(
                    "rationale", action["item"], {"text": f"because {grade}", "position": [0, 5]}
                )
        person.sync()


def dialog_of(rounds: RoundsCard) -> Dialog:
    return next(each for each in rounds.findChildren(Dialog) if each.isVisible())


def choose(rounds: RoundsCard, place: int, asks: QPushButton | None = None) -> None:
    """Press a button of the question that is open, or (`asks`) that another button opens."""
    if asks is not None:
        asks.click()
    labels = (
        ("Cancel",),
        ("Close the round", "Reopen the round", "Open the round", "Start main judging"),
    )[place]
    dialog = dialog_of(rounds)
    (fitting,) = (each for each in dialog.findChildren(QPushButton) if each.text() in labels)
    fitting.click()


@pytest.mark.slow
def test_a_round_is_opened_closed_shown_to_all_and_judged_again(
    running: SessionView, open_window: Window, qtbot: QtBot
) -> None:
    assert running.controller is not None and running.project is not None
    rounds, scale = running.rounds, running.project.scale
    people = [Person(running.controller.server, name) for name in ("Ann", "Bob", "Cleo")]
    rounds.count.set_value(3)
    rounds.open.click()
    qtbot.waitUntil(lambda: "Round 1 is open" in says(rounds), timeout=10_000)
    judge(people, scale.version, [scale.values[0], scale.values[0], scale.values[-1]])
    running.beamer.click()
    screen = running.screen_shown
    assert screen is not None
    qtbot.waitUntil(lambda: "9 of 9" in says(rounds), timeout=10_000)
    assert "because" not in says(rounds) + says(screen), "nothing of an open round is shown"
    rounds.close_round.click()
    assert "9 of 9" in says(dialog_of(rounds))
    choose(rounds, 0)
    choose(rounds, 1, rounds.close_round)
    qtbot.waitUntil(lambda: "Round 1, document 1 of 3" in says(screen), timeout=10_000)
    bars = named(screen, "Judgments", WideBars)
    assert bars.accessibleDescription().split("; ")[0].endswith(
        ": 2"
    ) and f"{scale.values[0]}  “because" in says(screen)
    rounds.next.click()
    qtbot.waitUntil(lambda: "Round 1, document 2 of 3" in says(screen), timeout=10_000)
    choose(rounds, 0, rounds.same)
    choose(rounds, 1, rounds.same)
    qtbot.waitUntil(lambda: "Round 2 is open" in says(rounds), timeout=10_000)
    judge(people, scale.version, [scale.values[0]] * 3)
    choose(rounds, 1, rounds.close_round)
    qtbot.waitUntil(lambda: "3 (previous round: 2)" in bars.accessibleDescription(), timeout=10_000)
    assert "2:  α undefined: all judgments have the same grade" in says(screen), (
        "where everybody agrees, alpha is not defined"
    )
    assert [row["number"] for row in rounds.rounds.rows] == [1, 2]
    assert "Participants: 3" in says(open_window)
    choose(rounds, 1, rounds.pool)
    qtbot.waitUntil(lambda: "The rounds are finished" in says(rounds), timeout=10_000)
    assert rounds.reopen.isVisible() and not rounds.pool.isVisible()
    choose(rounds, 1, rounds.reopen)
    qtbot.waitUntil(lambda: "Round 2 is open" in says(rounds), timeout=10_000)
    assert not rounds.reopen.isVisible()
    screen.close()


def results(runs: int = 5) -> LiveResults:
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
    made = tuple(LiveRun(f"run-{place}", 0.8 - place / 10, 0.2, 0.9) for place in range(runs))
    return LiveResults(document, 30, agreement, "nDCG@10", made)


def test_results_are_readable_from_the_back_row_in_every_size_and_theme(
    language: str, running: SessionView, open_window: Window, qtbot: QtBot
) -> None:
    hall, problems = running.controller, []
    assert hall is not None
    screen = BigScreen(hall, "A class")
    screen.show()
    qtbot.waitExposed(screen)
    screen.show_results(True)
    hall.results.emit(results())
    for theme in (LIGHT, DARK):
        dress(open_window, (1366, 768), theme)
        for size in SIZES:
            screen.resize(*size)
            settle()
            with suppress(QtTimeoutError):  # a label grows after its font
                qtbot.waitUntil(lambda: not wrong(screen), timeout=3_000)
            problems += [f"{theme.name}, {size}: {words}" for words in wrong(screen)]
            assert (screen.width(), screen.height()) == size
    screen.resize(*SIZES[0])
    settle()
    small = [
        each.text()
        for each in screen.findChildren(QLabel)
        if each.isVisible() and each.fontInfo().pixelSize() < READ
    ]
    assert len(small) == 1 and problems == [], language
    screen.close()


@pytest.mark.slow
def test_runs_that_change_places_say_so_and_the_key_goes_back_to_how_to_join(
    running: SessionView, qtbot: QtBot
) -> None:
    hall = running.controller
    assert hall is not None
    screen = BigScreen(hall, "A class")
    screen.show()
    qtbot.waitExposed(screen)
    QTest.keyClick(screen, Qt.Key.Key_R)
    assert hall.is_watching
    first = results(2)
    hall.results.emit(first)
    bars = named(screen, "Runs", WideBars)
    assert (
        bars.accessibleDescription() == "1  run-0: 0.80  (0.20–0.90); 2  run-1: 0.70  (0.20–0.90)"
    )
    hall.results.emit(LiveResults(None, 4, None, "nDCG@10", first.runs[::-1]))
    assert bars.accessibleDescription().startswith("1  run-1 ↑1: ") and "judgments: 0." in says(
        screen
    )
    QTest.keyClick(screen, Qt.Key.Key_R)
    assert not hall.is_watching and "Scan the code" in says(screen)
    screen.close()
