"""Layout tests of a running session: no participants, sixty, paused, late; big screen; links."""

import os
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
from tests.engine.web.session_client import Person
from tests.ui.layout_checks import (
    SIZES,
    find_cut_texts,
    find_low_contrast,
    find_overlaps,
    process_layouts,
    set_size_and_theme,
)
from tests.ui.window_content import is_shown, label_texts, stop_following, top_of, visible_text

ONE_WINDOW = True

NO_PARTICIPANTS = "Nobody has joined yet. Show the full-screen display, or send the link."
TOPICS = {str(number): (number, 30) for number in range(1, 13)}
WORDS = "Half of the answers took 0.1 s or less; 100 % of the answers were given before the first 40 words could be skimmed."
LONG = "http://[2001:db8:85a3:1234:5678:8a2e:370:7334]:54321"
BEAMERS = [(1920, 1080), (1366, 768), (800, 600)]


def make_participants(count: int) -> tuple[ParticipantStatus, ...]:
    made = [
        ParticipantStatus(
            f"p-{index}",
            f"Person {index}",
            10 * index,
            index % 2,
            3,
            aside=False,
            here=True,
            seconds=7.5,
        )
        for index in range(count)
    ]
    completions = {
        index: Completion("2026-03-01T10:00:00.000Z", index == 2, 20) for index in (0, 2)
    }
    return tuple(
        replace(
            seat,
            aside=index == 1,
            same="Person 0" if index == 2 else "",
            completed=completions.get(index),
        )
        for index, seat in enumerate(made)
    )


def make_status(
    count: int, state: str = OPEN, late: tuple[tuple[str, tuple[str, str]], ...] = ()
) -> SessionStatus:
    return SessionStatus(state, make_participants(count), TOPICS, late, count)  # type: ignore[arg-type]


def start_session(page: SessionView, qtbot: QtBot) -> SessionController:
    page.form.address.clear()
    page.start.click()
    qtbot.waitUntil(lambda: page.controller is not None and page.status is not None)
    assert page.controller is not None
    return page.controller


@pytest.fixture
def controlled_session(page: SessionView, qtbot: QtBot) -> SessionView:
    """A running session whose page shows only the status that a test gives it."""
    stop_following(start_session(page, qtbot))
    return page


def show_status(
    page: SessionView, what: SessionStatus, notices: dict[str, ParticipantQuality] | None = None
) -> None:
    # no further checks of participants during the test
    page._quality_job.state = what.judgment_state
    page._notices.clear()
    page._notices.update(notices or {})
    assert page.controller is not None
    page.controller.status_changed.emit(what)
    page.people.update_and_append(page.people.rows)
    page._show_columns()


def find_layout_problems(widget: QWidget) -> list[str]:
    return find_cut_texts(widget) + find_overlaps(widget) + find_low_contrast(widget)


@pytest.mark.slow
def test_text_is_not_cut_covered_or_faint_while_a_session_runs(
    language: str, controlled_session: SessionView, open_window: Window
) -> None:
    notices = {"p-4": ParticipantQuality(0, 12, (WORDS,)), "p-5": ParticipantQuality(9, 12, ())}
    states = {
        "nobody": (make_status(0), {}),
        "sixty": (make_status(60), notices),
        "paused and late": (make_status(3, PAUSED, (("p-0", ("1", "d1")),)), notices),
    }
    problems = []
    for zoom, size in ((1.0, SIZES[0]), (1.0, SIZES[1]), (2.0, SIZES[0])):
        open_window.settings.set("zoom", zoom)
        set_size_and_theme(open_window, size, LIGHT)
        for name, (what, messages) in states.items():
            show_status(controlled_session, what, messages)
            if len(what.participants) > 4:
                controlled_session.people_table.selectRow(4)
            process_layouts()
            assert (open_window.width(), open_window.height()) == size, (
                f"{name} makes the window wider"
            )
            result = find_cut_texts(open_window) if zoom > 1 else find_layout_problems(open_window)
            problems += [f"{name}, {size}, {zoom}: {problem}" for problem in result]
    assert problems == [], language


@pytest.mark.slow
def test_the_join_code_comes_first_without_participants_and_the_table_with_them(
    controlled_session: SessionView, open_window: Window
) -> None:
    set_size_and_theme(open_window, SIZES[0], LIGHT)
    show_status(controlled_session, make_status(0))
    process_layouts()
    assert (
        is_shown(controlled_session, NO_PARTICIPANTS)
        and not controlled_session.people_table.isVisible()
    )
    assert top_of(controlled_session, "QR code") < top_of(controlled_session, NO_PARTICIPANTS)
    show_status(controlled_session, make_status(3))
    process_layouts()
    assert controlled_session.people_table.isVisible() and not is_shown(
        controlled_session, NO_PARTICIPANTS
    )
    assert top_of(controlled_session, "Participants", Table) < top_of(controlled_session, "QR code")


@pytest.mark.slow
def test_the_state_of_an_excluded_participant_is_shown_in_full(
    controlled_session: SessionView, open_window: Window
) -> None:
    set_size_and_theme(open_window, SIZES[0], LIGHT)
    all_count = replace(
        make_status(3),
        participants=tuple(replace(seat, aside=False) for seat in make_participants(3)),
    )
    show_status(controlled_session, all_count)
    process_layouts()
    before = controlled_session.people_table.columnWidth(1)
    show_status(controlled_session, make_status(3))
    process_layouts()
    assert controlled_session.people_table.columnWidth(1) > before


def test_withdrawn_and_excluded_participants_are_distinguished(
    controlled_session: SessionView,
) -> None:
    both = tuple(
        replace(seat, aside=True, withdrawn=index == 0)
        for index, seat in enumerate(make_participants(2))
    )
    show_status(controlled_session, replace(make_status(2), participants=both))
    model = controlled_session.people_table.model()
    states = {str(model.index(row, 1).data()) for row in range(2)}
    assert states == {"withdrew", "excluded"}


def test_the_actions_for_one_of_sixty_participants_are_visible(
    controlled_session: SessionView, open_window: Window
) -> None:
    for size in (SIZES[1], (1900, 1000)):
        set_size_and_theme(open_window, size, LIGHT)
        show_status(
            controlled_session, make_status(60), {"p-4": ParticipantQuality(0, 12, (WORDS,))}
        )
        controlled_session.people_table.selectRow(4)
        process_layouts()
        button = controlled_session.people_table.findChild(RowButton)
        assert (
            controlled_session.exclude.isEnabled()
            and controlled_session.exclude in controlled_session.people_table.row_actions
        )
        assert button.visibleRegion().boundingRect() == button.rect(), size
    assert (
        controlled_session.people_table.height() > 12 * controlled_session.people_table.rowHeight(0)
    ), "a large window shows more of them"


def test_columns_without_data_are_hidden(controlled_session: SessionView) -> None:
    table, quiet = controlled_session.people_table, make_status(1)

    def hidden_columns() -> list[bool]:
        return [
            table.isColumnHidden(position) for position in (GOLD_COLUMN, NOTICE_COLUMN, LATE_COLUMN)
        ]

    show_status(controlled_session, quiet)
    assert hidden_columns() == [True, True, True]
    show_status(controlled_session, quiet, {"p-0": ParticipantQuality(3, 4, ())})
    assert hidden_columns() == [False, True, True]
    show_status(controlled_session, make_status(2), {"p-0": ParticipantQuality(3, 4, (WORDS,))})
    assert hidden_columns() == [False, False, False]


@pytest.mark.slow
def test_seconds_have_decimals_while_these_are_informative(controlled_session: SessionView) -> None:
    quick, slow = (
        replace(make_participants(1)[0], seconds=0.15),
        replace(make_participants(2)[1], seconds=42.4),
    )
    show_status(controlled_session, replace(make_status(0), participants=(quick, slow)))
    assert [controlled_session.people.index(row, 3).data() for row in range(2)] == ["0.1 s", "42 s"]


@pytest.mark.slow
def test_a_pause_is_shown_at_the_top_and_resume_is_the_primary_button(
    controlled_session: SessionView,
) -> None:
    show_status(controlled_session, make_status(1))
    assert (
        "Paused" not in visible_text(controlled_session)
        and controlled_session.pause.objectName() == ""
    )
    show_status(controlled_session, make_status(1, PAUSED))
    assert (
        any(text.startswith("⚠ Paused") for text in label_texts(controlled_session))
        and controlled_session.pause.objectName() == "primary"
    )


# The big screen


@pytest.mark.slow
def test_the_big_screen_is_readable_in_every_size_and_follows_the_theme(
    language: str, controlled_session: SessionView, open_window: Window, qtbot: QtBot
) -> None:
    controller, problems = controlled_session.controller, []
    assert controller is not None
    controller.status = make_status(60, PAUSED)
    for address in (controller.address, LONG):
        controller.address = address
        screen = BigScreen(
            controller, "A class that judges a harbour's notice board and its book shelf"
        )
        screen.show()
        qtbot.waitExposed(screen)
        for theme in (LIGHT, DARK):
            set_size_and_theme(open_window, SIZES[1], theme)
            for size in BEAMERS:
                screen.resize(*size)
                process_layouts()
                problems += [
                    f"{address}, {theme.name}, {size}: {problem}"
                    for problem in find_layout_problems(screen)
                ]
                assert (screen.width(), screen.height()) == size
        screen.close()
    assert problems == [], language


@pytest.mark.slow
def test_the_text_of_the_big_screen_grows_with_it(controlled_session: SessionView) -> None:
    controlled_session.big_screen_button.click()
    screen, heights = controlled_session.screen_shown, []
    assert screen is not None
    screen.showNormal()
    for size in BEAMERS[:2]:
        screen.resize(*size)
        process_layouts()
        code = screen.findChild(QLabel, "strong")
        heights.append(code.fontMetrics().height())
    assert heights[0] > 1.3 * heights[1] > 100
    assert screen._keys.fontMetrics().height() > 16, "keys are readable from the lectern"
    screen.close()


@pytest.mark.slow
def test_text_for_a_class_is_readable_from_the_back_row(controlled_session: SessionView) -> None:
    assert controlled_session.controller is not None
    controlled_session.controller.status = make_status(60, PAUSED)
    screen = BigScreen(controlled_session.controller, "A class")
    screen.show()
    screen.resize(*BEAMERS[0])
    process_layouts()
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


def test_the_big_screen_fills_the_screen_and_the_keys_close_it(
    controlled_session: SessionView, qtbot: QtBot
) -> None:
    QTest.keyClick(controlled_session.window(), Qt.Key.Key_F11)
    screen = controlled_session.screen_shown
    assert screen is not None
    qtbot.waitUntil(screen.isActiveWindow)
    assert screen.isFullScreen() and "Esc: exit full screen" in visible_text(screen)
    QTest.keyClick(screen, Qt.Key.Key_F11)
    assert not screen.isFullScreen() and screen.isVisible()
    QTest.keyClick(screen, Qt.Key.Key_F11)
    assert screen.isFullScreen()
    with qtbot.waitSignal(screen.destroyed):
        QTest.keyClick(screen, Qt.Key.Key_Escape)


# Links


@pytest.fixture
def link_session(page: SessionView, qtbot: QtBot) -> SessionView:
    """A session that participants join by personal links."""
    page.form.join.setCurrentIndex(page.form.join.findData("links"))
    page.form.names.setText("ann, bob")
    start_session(page, qtbot)
    qtbot.waitUntil(lambda: page.people.rowCount() == 2)
    return page


def copy_links(page: SessionView, window: Window, qtbot: QtBot) -> dict[str, str]:
    page.copy.click()
    qtbot.waitUntil(lambda: window.findChild(Dialog) is not None)
    close_dialog(window, qtbot)
    return dict(line.split("\t") for line in QGuiApplication.clipboard().text().split("\n"))


def close_dialog(window: Window, qtbot: QtBot) -> None:
    dialog = window.findChild(Dialog)
    with qtbot.waitSignal(dialog.destroyed):
        dialog.findChildren(QPushButton)[-1].click()


@pytest.mark.slow
def test_each_personal_link_is_copied_admits_its_owner_and_stays_valid(
    link_session: SessionView, open_window: Window, qtbot: QtBot
) -> None:
    assert (
        link_session.controller is not None
        and link_session.controller.server.code[:4] not in visible_text(link_session)
        and not is_shown(link_session, "QR code")
    )
    links = copy_links(link_session, open_window, qtbot)
    assert set(links) == {"ann", "bob"}
    ann = Person(link_session.controller.server, "ann", join=False)
    ann.token = links["ann"].partition("#t=")[2]
    assert ann.sync()["items"]
    assert copy_links(link_session, open_window, qtbot) == links
    assert ann.sync()["items"] or ann.has


def test_cards_with_names_and_links_are_printed(
    link_session: SessionView,
    open_window: Window,
    qtbot: QtBot,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    assert link_session.project is not None
    path, work = tmp_path / "cards.pdf", tmp_path / "work.pdf"
    work.symlink_to(link_session.project.path)
    for file in (work, path):
        monkeypatch.setattr(QFileDialog, "getSaveFileName", lambda *_, file=file: (str(file), ""))
        link_session.cards.click()
        qtbot.waitUntil(path.exists if file is path else link_session.problem.isVisible)
    assert "never overwritten" in link_session.problem.text() and work.is_symlink()
    qtbot.waitUntil(path.exists)
    links = copy_links(link_session, open_window, qtbot)
    print_cards(
        "Ünïçödé مشروع",
        [(f"Person {number}", links["ann"]) for number in range(11)],
        tmp_path / "many.pdf",
    )
    for file, names, sheets in (
        (path, ["ann", "bob"], 1),
        (tmp_path / "many.pdf", [f"Person {number}" for number in range(11)], 2),
    ):
        assert os.name != "posix" or file.stat().st_mode & 0o777 == 0o600
        document = pypdfium2.PdfDocument(file)
        text = "".join(sheet.get_textpage().get_text_range() for sheet in document)
        assert len(document) == sheets and all(name in text for name in names)
        assert text.count("#t=") == len(names)
        document.close()


@pytest.mark.slow
def test_with_personal_links_the_big_screen_shows_no_code(link_session: SessionView) -> None:
    link_session.big_screen_button.click()
    screen = link_session.screen_shown
    assert screen is not None and link_session.controller is not None
    code = link_session.controller.server.code
    assert not is_shown(screen, "QR code") and code[:4] not in visible_text(screen)
    screen.close()


def test_a_lost_link_is_shown_as_a_qr_code_too(
    link_session: SessionView, open_window: Window, qtbot: QtBot
) -> None:
    link_session.people_table.selectRow(0)
    link_session.again.trigger()
    open_window.findChild(Dialog).buttons[-1].click()
    qtbot.waitUntil(
        lambda: any(each.findChild(QrCode) for each in open_window.findChildren(Dialog))
    )
    dialog = next(each for each in open_window.findChildren(Dialog) if each.findChild(QrCode))
    assert (
        dialog.findChild(QrCode).accessibleDescription() == QGuiApplication.clipboard().text() != ""
    )
    assert find_cut_texts(dialog) == []
    close_dialog(open_window, qtbot)


def test_a_list_without_names_is_reported_with_the_labels_of_the_form(page: SessionView) -> None:
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
