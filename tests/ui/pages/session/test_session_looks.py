"""A running session as an eye finds it: nobody, sixty people, paused, late; the big screen in every theme; and personal links."""

from dataclasses import replace
from pathlib import Path

import pypdfium2
import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QGuiApplication
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QFileDialog, QLabel, QPushButton, QWidget
from pytestqt.qtbot import QtBot

from irjudge.store import OPEN, PAUSED, Completion
from irjudge.web import ParticipantQuality, ParticipantStatus, SessionStatus
from irjudge_ui.pages.session import SessionController
from irjudge_ui.pages.session.big_screen import BigScreen
from irjudge_ui.pages.session.participants import GOLD_COLUMN, LATE_COLUMN, NOTICE_COLUMN
from irjudge_ui.pages.session.session import SessionView
from irjudge_ui.pages.shared.printing import print_cards
from irjudge_ui.widgets import Dialog, QrCode, Table
from irjudge_ui.widgets.table import RowButton
from irjudge_ui.widgets.theme import DARK, LIGHT
from irjudge_ui.window import Window
from tests.engine.web.browsing import Person
from tests.ui.seen import SIZES, cut_words, dress, faint, overlapping, settle
from tests.ui.shown import is_shown, labels, says, stop_following, top_of

ONE_WINDOW = True

NOBODY = "Nobody has joined yet. Show the full-screen display, or send the link."
TOPICS = {str(number): (number, 30) for number in range(1, 13)}
WORDS = "Half of the answers took 0.1 s or less; 100 % of the answers were given before the first 40 words could be skimmed."
LONG = "http://[2001:db8:85a3:1234:5678:8a2e:370:7334]:54321"
BEAMERS = [(1920, 1080), (1366, 768), (800, 600)]


def seats(count: int) -> tuple[ParticipantStatus, ...]:
    made = [
        ParticipantStatus(
            f"p-{place}",
            f"Person {place}",
            10 * place,
            place % 2,
            3,
            aside=False,
            here=True,
            seconds=7.5,
        )
        for place in range(count)
    ]
    told = {place: Completion("2026-03-01T10:00:00.000Z", place == 2, 20) for place in (0, 2)}
    return tuple(
        replace(
            seat, aside=place == 1, same="Person 0" if place == 2 else "", completed=told.get(place)
        )
        for place, seat in enumerate(made)
    )


def standing(
    count: int, state: str = OPEN, late: tuple[tuple[str, tuple[str, str]], ...] = ()
) -> SessionStatus:
    return SessionStatus(state, seats(count), TOPICS, late, count)  # type: ignore[arg-type]


def begin(page: SessionView, qtbot: QtBot) -> SessionController:
    page.form.address.clear()
    page.start.click()
    qtbot.waitUntil(lambda: page.controller is not None and page.status is not None)
    assert page.controller is not None
    return page.controller


@pytest.fixture
def shown(page: SessionView, qtbot: QtBot) -> SessionView:
    """A session that shows what a test gives it."""
    stop_following(begin(page, qtbot))
    return page


def show(
    page: SessionView, what: SessionStatus, notices: dict[str, ParticipantQuality] | None = None
) -> None:
    page._checked_actions = what.actions  # nobody looks closer than the test
    page._notices.clear()
    page._notices.update(notices or {})
    assert page.controller is not None
    page.controller.status_changed.emit(what)
    page.people.update_and_append(page.people.rows)
    page._show_columns()


def wrong(widget: QWidget) -> list[str]:
    return cut_words(widget) + overlapping(widget) + faint(widget)


@pytest.mark.slow
def test_no_words_are_cut_or_covered_or_faint_while_a_session_runs(
    language: str, shown: SessionView, open_window: Window
) -> None:
    notices = {"p-4": ParticipantQuality(0, 12, (WORDS,)), "p-5": ParticipantQuality(9, 12, ())}
    states = {
        "nobody": (standing(0), {}),
        "sixty": (standing(60), notices),
        "paused and late": (standing(3, PAUSED, (("p-0", ("1", "d1")),)), notices),
    }
    problems = []
    for zoom, size in ((1.0, SIZES[0]), (1.0, SIZES[1]), (2.0, SIZES[0])):
        open_window.settings.set("zoom", zoom)
        dress(open_window, size, LIGHT)
        for name, (what, told) in states.items():
            show(shown, what, told)
            if len(what.participants) > 4:
                shown.people_table.selectRow(4)
            settle()
            assert (open_window.width(), open_window.height()) == size, (
                f"{name} makes the window wider"
            )
            found = cut_words(open_window) if zoom > 1 else wrong(open_window)
            problems += [f"{name}, {size}, {zoom}: {words}" for words in found]
    assert problems == [], language


@pytest.mark.slow
def test_before_anybody_is_there_the_way_in_comes_first_and_then_the_people(
    shown: SessionView, open_window: Window
) -> None:
    dress(open_window, SIZES[0], LIGHT)
    show(shown, standing(0))
    settle()
    assert is_shown(shown, NOBODY) and not shown.people_table.isVisible()
    assert top_of(shown, "QR code") < top_of(shown, NOBODY)
    show(shown, standing(3))
    settle()
    assert shown.people_table.isVisible() and not is_shown(shown, NOBODY)
    assert top_of(shown, "Participants", Table) < top_of(shown, "QR code")


@pytest.mark.slow
def test_the_state_of_somebody_set_aside_is_read_whole(
    shown: SessionView, open_window: Window
) -> None:
    dress(open_window, SIZES[0], LIGHT)
    all_count = replace(
        standing(3), participants=tuple(replace(seat, aside=False) for seat in seats(3))
    )
    show(shown, all_count)
    settle()
    before = shown.people_table.columnWidth(1)
    show(shown, standing(3))
    settle()
    assert shown.people_table.columnWidth(1) > before


def test_who_withdrew_is_told_from_who_was_excluded(shown: SessionView) -> None:
    both = tuple(
        replace(seat, aside=True, withdrawn=place == 0) for place, seat in enumerate(seats(2))
    )
    show(shown, replace(standing(2), participants=both))
    model = shown.people_table.model()
    states = {str(model.index(row, 1).data()) for row in range(2)}
    assert states == {"withdrew", "excluded"}


def test_what_can_be_done_with_one_of_sixty_is_in_view(
    shown: SessionView, open_window: Window
) -> None:
    for size in (SIZES[1], (1900, 1000)):
        dress(open_window, size, LIGHT)
        show(shown, standing(60), {"p-4": ParticipantQuality(0, 12, (WORDS,))})
        shown.people_table.selectRow(4)
        settle()
        button = shown.people_table.findChild(RowButton)
        assert shown.exclude.isEnabled() and shown.exclude in shown.people_table.row_actions
        assert button.visibleRegion().boundingRect() == button.rect(), size
    assert shown.people_table.height() > 12 * shown.people_table.rowHeight(0), (
        "a large window shows more of them"
    )


def test_columns_that_say_nothing_of_anybody_are_not_there(shown: SessionView) -> None:
    table, quiet = shown.people_table, standing(1)

    def hidden() -> list[bool]:
        return [table.isColumnHidden(place) for place in (GOLD_COLUMN, NOTICE_COLUMN, LATE_COLUMN)]

    show(shown, quiet)
    assert hidden() == [True, True, True]
    show(shown, quiet, {"p-0": ParticipantQuality(3, 4, ())})
    assert hidden() == [False, True, True]
    show(shown, standing(2), {"p-0": ParticipantQuality(3, 4, (WORDS,))})
    assert hidden() == [False, False, False]


@pytest.mark.slow
def test_seconds_have_tenths_while_these_say_something(shown: SessionView) -> None:
    quick, slow = replace(seats(1)[0], seconds=0.15), replace(seats(2)[1], seconds=42.4)
    show(shown, replace(standing(0), participants=(quick, slow)))
    assert [shown.people.index(row, 3).data() for row in range(2)] == ["0.1 s", "42 s"]


@pytest.mark.slow
def test_paused_is_said_at_the_top_and_going_on_is_what_stands_out(shown: SessionView) -> None:
    show(shown, standing(1))
    assert "Paused" not in says(shown) and shown.pause.objectName() == ""
    show(shown, standing(1, PAUSED))
    assert (
        any(words.startswith("⚠ Paused") for words in labels(shown))
        and shown.pause.objectName() == "primary"
    )


# The big screen


@pytest.mark.slow
def test_the_big_screen_is_readable_in_every_size_and_follows_the_theme(
    language: str, shown: SessionView, open_window: Window, qtbot: QtBot
) -> None:
    hall, problems = shown.controller, []
    assert hall is not None
    hall.status = standing(60, PAUSED)
    for address in (hall.address, LONG):
        hall.address = address
        screen = BigScreen(hall, "A class that judges a harbour's notice board and its book shelf")
        screen.show()
        qtbot.waitExposed(screen)
        for theme in (LIGHT, DARK):
            dress(open_window, SIZES[1], theme)
            for size in BEAMERS:
                screen.resize(*size)
                settle()
                problems += [f"{address}, {theme.name}, {size}: {words}" for words in wrong(screen)]
                assert (screen.width(), screen.height()) == size
        screen.close()
    assert problems == [], language


@pytest.mark.slow
def test_letters_of_the_big_screen_grow_with_it(shown: SessionView) -> None:
    shown.beamer.click()
    screen, heights = shown.screen_shown, []
    assert screen is not None
    screen.showNormal()
    for size in BEAMERS[:2]:
        screen.resize(*size)
        settle()
        code = screen.findChild(QLabel, "strong")
        heights.append(code.fontMetrics().height())
    assert heights[0] > 1.3 * heights[1] > 100
    assert screen._keys.fontMetrics().height() > 16, "keys are readable from the lectern"
    screen.close()


@pytest.mark.slow
def test_what_a_class_reads_is_readable_from_the_back_row(shown: SessionView) -> None:
    assert shown.controller is not None
    shown.controller.status = standing(60, PAUSED)
    screen = BigScreen(shown.controller, "A class")
    screen.show()
    screen.resize(*BEAMERS[0])
    settle()
    small = [
        each.text()
        for each in screen.findChildren(QLabel)
        if each.isVisible() and each.fontInfo().pixelSize() < 48
    ]
    title, how, code, keys = small
    assert (title, code) == ("A class", "Code") and "open" in how
    assert all(key in keys for key in ("R: ", "F11: ", "Esc: "))
    code = next(each for each in screen.findChildren(QrCode))
    assert min(code.width(), code.height()) > 400
    screen.close()


def test_the_big_screen_fills_the_screen_and_the_keys_leave_it(
    shown: SessionView, qtbot: QtBot
) -> None:
    QTest.keyClick(shown.window(), Qt.Key.Key_F11)
    screen = shown.screen_shown
    assert screen is not None
    qtbot.waitUntil(screen.isActiveWindow)
    assert screen.isFullScreen() and "Esc: exit full screen" in says(screen)
    QTest.keyClick(screen, Qt.Key.Key_F11)
    assert not screen.isFullScreen() and screen.isVisible()
    QTest.keyClick(screen, Qt.Key.Key_F11)
    assert screen.isFullScreen()
    with qtbot.waitSignal(screen.destroyed):
        QTest.keyClick(screen, Qt.Key.Key_Escape)


# Links


@pytest.fixture
def by_links(page: SessionView, qtbot: QtBot) -> SessionView:
    """A session that each joins by a link of their own."""
    page.form.join.setCurrentIndex(page.form.join.findData("links"))
    page.form.names.setText("ann, bob")
    begin(page, qtbot)
    qtbot.waitUntil(lambda: page.people.rowCount() == 2)
    return page


def copied(page: SessionView, window: Window, qtbot: QtBot) -> dict[str, str]:
    page.copy.click()
    qtbot.waitUntil(lambda: window.findChild(Dialog) is not None)
    close(window, qtbot)
    return dict(line.split("\t") for line in QGuiApplication.clipboard().text().split("\n"))


def close(window: Window, qtbot: QtBot) -> None:
    dialog = window.findChild(Dialog)
    with qtbot.waitSignal(dialog.destroyed):
        dialog.findChildren(QPushButton)[-1].click()


@pytest.mark.slow
def test_the_link_of_each_is_copied_lets_them_in_and_stays_good(
    by_links: SessionView, open_window: Window, qtbot: QtBot
) -> None:
    assert (
        by_links.controller is not None
        and by_links.controller.server.code[:4] not in says(by_links)
        and not is_shown(by_links, "QR code")
    )
    links = copied(by_links, open_window, qtbot)
    assert set(links) == {"ann", "bob"}
    ann = Person(by_links.controller.server, "ann", join=False)
    ann.token = links["ann"].partition("#t=")[2]
    assert ann.sync()["items"]
    assert copied(by_links, open_window, qtbot) == links
    assert ann.sync()["items"] or ann.has


def test_cards_with_names_and_links_are_printed(
    by_links: SessionView,
    open_window: Window,
    qtbot: QtBot,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    assert by_links.project is not None
    path, work = tmp_path / "cards.pdf", tmp_path / "work.pdf"
    work.symlink_to(by_links.project.path)
    for file in (work, path):
        monkeypatch.setattr(QFileDialog, "getSaveFileName", lambda *_, file=file: (str(file), ""))
        by_links.cards.click()
        qtbot.waitUntil(path.exists if file is path else by_links.problem.isVisible)
    assert "never overwritten" in by_links.problem.text() and work.is_symlink()
    qtbot.waitUntil(path.exists)
    links = copied(by_links, open_window, qtbot)
    print_cards(
        "Ünïçödé مشروع",
        [(f"Person {number}", links["ann"]) for number in range(11)],
        tmp_path / "many.pdf",
    )
    for file, names, sheets in (
        (path, ["ann", "bob"], 1),
        (tmp_path / "many.pdf", [f"Person {number}" for number in range(11)], 2),
    ):
        document = pypdfium2.PdfDocument(file)
        told = "".join(sheet.get_textpage().get_text_range() for sheet in document)
        assert len(document) == sheets and all(name in told for name in names)
        assert told.count("#t=") == len(names)
        document.close()


@pytest.mark.slow
def test_where_everybody_has_a_link_the_big_screen_shows_no_code(by_links: SessionView) -> None:
    by_links.beamer.click()
    screen = by_links.screen_shown
    assert screen is not None and by_links.controller is not None
    code = by_links.controller.server.code
    assert not is_shown(screen, "QR code") and code[:4] not in says(screen)
    screen.close()


def test_a_lost_link_is_shown_as_a_code_too(
    by_links: SessionView, open_window: Window, qtbot: QtBot
) -> None:
    by_links.people_table.selectRow(0)
    by_links.again.trigger()
    open_window.findChild(Dialog).buttons[-1].click()
    qtbot.waitUntil(
        lambda: any(each.findChild(QrCode) for each in open_window.findChildren(Dialog))
    )
    dialog = next(each for each in open_window.findChildren(Dialog) if each.findChild(QrCode))
    assert (
        dialog.findChild(QrCode).accessibleDescription() == QGuiApplication.clipboard().text() != ""
    )
    assert cut_words(dialog) == []
    close(open_window, qtbot)


def test_a_list_without_names_is_said_in_the_words_of_the_form(page: SessionView) -> None:
    page.form.join.setCurrentIndex(page.form.join.findData("names"))
    page.start.click()
    form = page.form
    names, topics = form.field_errors[form.names], form.field_errors[form.topics]
    assert names.text().startswith("✕ Enter") and page.controller is None
    assert (
        form.names.hasFocus()
        and form.names.geometry().bottom() < names.geometry().top() < form.address.geometry().top()
    )
    form.names.setText("ann")
    assert not names.isVisible(), "an error goes as soon as it is mended"
    form.more.click()
    form.topics.setText("nowhere")
    page.start.click()
    assert "nowhere" in topics.text() and form.topics.hasFocus()
    assert form.topics.geometry().bottom() < topics.geometry().top() < form.order.geometry().top()
