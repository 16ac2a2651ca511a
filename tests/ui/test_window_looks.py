"""Every page in every size, zoom and theme: nothing cut, everything named, everything reached by keyboard."""

import shutil
from collections.abc import Callable, Sequence
from pathlib import Path

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtGui import QColor, QTextBlock, QTextCursor
from PySide6.QtWidgets import (
    QAbstractButton,
    QApplication,
    QDialog,
    QFrame,
    QLineEdit,
    QScrollArea,
    QWidget,
)
from pytestqt.qtbot import QtBot
from shiboken6 import isValid

from irjudge.exchange import ComparisonOptions, assign_comparison_to_owner
from irjudge.judging import has_comparisons
from irjudge.store import sample_sources
from irjudge.text import text_direction
from irjudge_ui.pages import PAGES as EVERY_PAGE
from irjudge_ui.pages.frame import CrashDialog
from irjudge_ui.widgets import Chips, DocumentView, PageScrollArea, Theme
from irjudge_ui.widgets.theme import DARK, LIGHT
from irjudge_ui.window import Window
from irjudge_ui.workspace import finished_state
from tests.arabic import DOCUMENTS, TOPICS, make_arabic
from tests.ui.filled import make_filled
from tests.ui.seen import SIZES, cut_words, dress, faint, overlapping, settle

FIRST = ("home", "new", "settings", "guides", "collection", "browse", "judge", "design")
PAGES = (
    *FIRST,
    "panels",
    *(page.id for page in EVERY_PAGE if page.id not in (*FIRST, "panels")),
    "note",
    "back",
    "done",
    "busy",
)
DIALOGS = {  # and the actions that open them
    "home": ("shortcuts",),
    "collection": ("prices", "export"),
    "runs": ("make-run",),
    "judge": ("help", "jump"),
    "assessors": ("booklet", "enter-paper"),
}
OF_DOCUMENTS = tuple(
    "collection browse judge panels agreement adjudicate evaluate explain live rankings preferences".split()
)
OF_ASSESSORS = ("agreement", "adjudicate", "quality")
SCROLL_BAR = 12
# colours are those of a theme in every language, and words lie alike in every theme (`test_theme`)
THEMES = {"en": LIGHT, "zh_CN": DARK}


def show(window: Window, page: str, idle: Callable[[], None], qtbot: QtBot) -> None:
    if page in ("new", "files"):
        choose_files(window, page)
    elif page == "note":
        window.show_page("judge")
        qtbot.waitUntil(lambda: window.judge.can_judge)
        window.judge.marking.write_note()
    elif page == "back":
        go_back(window, qtbot)
    elif page == "done":
        assert window.judge.session is not None
        window.show_page("judge")
        window.judge.show_state(
            finished_state(window.judge.session, window.judge.closing.submit, window.judge.jump)
        )
    elif page == "busy":
        window.working.busy.begin("Reading a file with a name", lambda: None)
        window.working.busy.show_progress(3, 10, "Reading a-run-with-a-long-name.run")
    elif page in ("design", "panels"):
        if page == "panels" and window.project and not has_comparisons(window.project):
            assign_comparison_to_owner(window.project, ComparisonOptions((("bm25", "ql"),)))
        window.show_page("panels")
    else:
        window.show_page(page)
    idle()
    if page == "panels":
        qtbot.waitUntil(lambda: window.panels.can_compare)
    if page == "judge":
        qtbot.waitUntil(lambda: window.judge.can_judge)
    settle()


def choose_files(window: Window, page: str) -> None:
    sources, _ = sample_sources("everyday")
    window.show_page(page)
    view = window.pages.view(page)
    if page == "files":
        view.add_files([*sources.qrels, *sources.runs])
        return
    view.rows["documents"].choose(sources.documents)
    view.rows["runs"].choose(sources.topics)
    view.more.setChecked(True)
    view.rows["instructions"].choose(sources.documents)


def go_back(window: Window, qtbot: QtBot) -> None:
    """Let a judgment be taken back, once: what says so and the way on are in view."""
    window.show_page("judge")
    qtbot.waitUntil(lambda: window.judge.can_judge)
    if not window.judge.can_go_on:
        window.judge.give(1)
        window.judge.turns.undo()
    qtbot.waitUntil(lambda: window.judge.can_judge)


@pytest.fixture(scope="module")
def filled(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A project in which every page has something to show, made once."""
    return make_filled(tmp_path_factory.mktemp("filled") / "filled.irjudge")


@pytest.mark.slow
@pytest.mark.parametrize("zoom", [1.0, 2.0])
def test_no_words_are_cut_or_covered_or_faint_on_any_page(
    language: str,
    make_window: Callable[[], Window],
    look: Callable[[Theme, float], None],
    filled: Path,
    tmp_path: Path,
    idle: Callable[[], None],
    qtbot: QtBot,
    zoom: float,
    full: bool,
) -> None:
    if zoom > 1 and language != "en" and not full:
        pytest.skip("English words are the longer ones: --full")
    window = make_window()
    assert window.open(Path(shutil.copy(filled, tmp_path / "filled.irjudge")))
    window.settings.set("zoom", zoom)
    problems = faults(
        window, PAGES, lambda page: show(window, page, idle, qtbot), zoom, THEMES[language]
    )
    for page, actions in DIALOGS.items():
        for action in actions:
            show(window, page, idle, qtbot)
            problems += [
                f"{action}: {words}" for words in faults_of_dialog(window, action, idle, qtbot)
            ]
    assert problems == [], language


def faults_of_dialog(
    window: Window, action: str, idle: Callable[[], None], qtbot: QtBot
) -> list[str]:
    """Say what is wrong in a dialog that an action of the page in view opens, in a small window."""
    window.resize(*SIZES[0])
    settle()
    of_page = getattr(window.pages.currentWidget(), "actions_by_id", {})
    {**window.actions_by_id, **of_page}[action].trigger()
    idle()
    (dialog,) = (each for each in window.findChildren(QDialog) if each.isVisible())
    settle()
    found = cut_words(dialog) + overlapping(dialog) + faint(dialog)
    dialog.close()
    qtbot.waitUntil(lambda: not isValid(dialog))
    return found


def faults(
    window: Window, pages: Sequence[str], show: Callable[[str], None], zoom: float, theme: Theme
) -> list[str]:
    """Say what is wrong on pages in every size: each is shown in one and brought to the other."""
    problems = []
    dress(window, SIZES[0], theme)
    for turn, page in enumerate(pages):
        show(page)
        for size in SIZES[
            :: -1 if turn % 2 else 1
        ]:  # the first is the one that the page before ended with
            window.resize(*size)
            settle()
            assert (window.width(), window.height()) == size, (
                f"{page} makes the window {window.width()}x{window.height()}"
            )
            problems += [f"{page}, {size}: {words}" for words in wrong(window, page, zoom)]
    window.working.busy.end()
    return problems


def too_wide(window: Window) -> list[str]:
    """Say which part that scrolls down alone is wider than its room, so that the focus moves it sideways."""
    areas = (each for each in window.findChildren(QScrollArea) if each.isVisible())
    down = (
        each
        for each in areas
        if each.horizontalScrollBarPolicy() == Qt.ScrollBarPolicy.ScrollBarAlwaysOff
    )
    return [
        f"what scrolls is {area.horizontalScrollBar().maximum()} wider than its room"
        for area in down
        if area.horizontalScrollBar().maximum()
    ]


def wrong(window: Window, page: str, zoom: float) -> list[str]:
    """Say what an eye finds wrong; what covers a page lies upon it, and colours are the same at every zoom."""
    covered = page == "busy"
    return (
        cut_words(window)
        + too_wide(window)
        + ([] if covered else overlapping(window))
        + ([] if covered or zoom > 1 else faint(window))
    )


@pytest.mark.slow
@pytest.mark.parametrize("zoom", [1.0, 2.0])
def test_no_words_are_cut_or_covered_or_faint_where_documents_run_from_right_to_left(
    window: Window, tmp_path: Path, idle: Callable[[], None], qtbot: QtBot, zoom: float
) -> None:
    assert window.open(make_arabic(tmp_path / "arabic.irjudge"))
    window.settings.set("zoom", zoom)
    assert (
        faults(
            window,
            OF_DOCUMENTS,
            lambda page: show(window, page, idle, qtbot),
            zoom,
            LIGHT if zoom > 1 else DARK,
        )
        == []
    )


@pytest.mark.slow
def test_what_runs_from_right_to_left_begins_at_the_right_and_is_marked_where_it_stands(
    window: Window, tmp_path: Path, idle: Callable[[], None], qtbot: QtBot
) -> None:
    assert window.open(make_arabic(tmp_path / "arabic.irjudge"))
    show(window, "judge", idle, qtbot)
    session, document = window.judge.session, window.judge.findChild(DocumentView, "document")
    assert session and document
    place = next(
        each.item
        for each in session.item_states(TOPICS[0].id)
        if each.item.document == DOCUMENTS[0].id
    )
    window.judge._jump(lambda: session.open_item(place))
    qtbot.waitUntil(
        lambda: window.judge.can_judge and document.complete and bool(document.extraSelections())
    )
    right = document.viewport().width() - 24
    paragraphs = [
        found
        for found in blocks(document)
        if text_direction(found.text()) == "rtl" and not found.textList()
    ]
    assert len(paragraphs) > 2
    for found in paragraphs:
        line = found.layout().lineAt(0).naturalTextRect().translated(found.layout().position())
        assert line.right() > right - document.document().documentMargin(), found.text()
    picture, mark = document.viewport().grab().toImage(), QColor(LIGHT.mark)
    selections = document.extraSelections()  # the cursors live as long as these
    marked = [each.cursor for each in selections]
    assert {cursor.selectedText() for cursor in marked} <= set(TOPICS[0].title.split()) | {"الهيل"}
    for cursor in marked:
        ends = [
            document.cursorRect(at_place(cursor, place))
            for place in (cursor.selectionStart(), cursor.selectionEnd())
        ]
        assert ends[0].x() > ends[1].x(), "an Arabic word begins at its right"
        inside = QPoint((ends[0].x() + ends[1].x()) // 2, ends[0].top() + 2)
        if document.viewport().rect().contains(inside):
            assert picture.pixelColor(inside) == mark


def blocks(document: DocumentView) -> list[QTextBlock]:
    found, block = [], document.document().begin()
    while block.isValid():
        found += [block] if block.text().strip() else []
        block = block.next()
    return found


def at_place(cursor: QTextCursor, place: int) -> QTextCursor:
    made = QTextCursor(cursor)
    made.setPosition(place)
    return made


@pytest.mark.parametrize("zoom", [1.0, 2.0])
def test_no_words_are_cut_where_a_fault_is_told(
    language: str,
    window: Window,
    look: Callable[[Theme, float], None],
    qtbot: QtBot,
    zoom: float,
    idle: Callable[[], None],
) -> None:
    window.settings.set("zoom", zoom)
    window.settings.changed.emit("theme")
    dialog = CrashDialog(window, ValueError("a fault " * 20), "trace\n" * 50)
    dialog.open()
    settle()
    assert cut_words(dialog) == []
    with qtbot.waitSignal(dialog.destroyed):
        dialog.close()


def focusable(root: QWidget) -> list[QWidget]:
    return [
        each
        for each in root.findChildren(QWidget)
        if each.isVisible() and each.isEnabled() and each.focusPolicy() & Qt.FocusPolicy.TabFocus
    ]


def name_of(widget: QWidget) -> str:
    return widget.accessibleName() or (widget.text() if isinstance(widget, QAbstractButton) else "")


def inside_another(widget: QWidget) -> bool:
    """Whether it is a part of a control that Qt made: what one tabs to is the control."""
    return widget.objectName().startswith("qt_") or widget.focusProxy() is not None


@pytest.mark.slow
def test_everything_one_can_reach_has_a_name_and_is_reached_with_tab(
    open_window: Window, idle: Callable[[], None], qtbot: QtBot, press: Callable[..., None]
) -> None:
    for page in PAGES[:-1]:
        show(open_window, page, idle, qtbot)
        check_tab(open_window, page, press)
        here = open_window.pages.currentWidget()
        names = [name_of(each) for each in focusable(here) if isinstance(each, QAbstractButton)]
        assert sorted(names) == sorted(set(names)), f"{page}: buttons have the same name"


@pytest.mark.slow
def test_everything_one_can_reach_where_several_assessors_judged_has_a_name_and_is_reached_with_tab(
    assessed_window: Window, idle: Callable[[], None], qtbot: QtBot, press: Callable[..., None]
) -> None:
    for page in OF_ASSESSORS:
        show(assessed_window, page, idle, qtbot)
        check_tab(assessed_window, page, press)


def check_tab(window: Window, page: str, press: Callable[..., None]) -> None:
    wanted = [each for each in focusable(window) if not inside_another(each)]
    assert [each for each in wanted if not name_of(each)] == [], page
    reached: set[QWidget] = set()
    backwards: set[QWidget] = set()
    for key, met in ((Qt.Key.Key_Tab, reached), (Qt.Key.Key_Backtab, backwards)):
        begin = QApplication.focusWidget()
        for _ in range(2 * len(wanted) + 4):
            focus = QApplication.focusWidget()
            assert focus is not None, page
            if focus is begin and met > {begin}:  # from here on it is the same way round
                break
            met.add(focus)
            press(key)
    missed = [
        name_of(each) for each in wanted if not met_in(each, reached) or not met_in(each, backwards)
    ]
    assert missed == [], page


def met_in(wanted: QWidget, met: set[QWidget]) -> bool:
    """Whether the focus was there; chips give way to their line, which has it instead."""
    return wanted in met or (
        isinstance(wanted, Chips) and any(wanted.isAncestorOf(each) for each in met)
    )


@pytest.mark.slow
def test_while_work_is_under_way_the_focus_stays_on_cancel(
    open_window: Window, press: Callable[..., None]
) -> None:
    open_window.working._set_enabled(False)
    open_window.working.busy.begin("Working", lambda: None)
    for _ in range(5):
        press(Qt.Key.Key_Tab)
        focus = QApplication.focusWidget()
        assert focus is not None and open_window.working.busy.isAncestorOf(focus)
    open_window.working._end()


@pytest.mark.slow
def test_zooming_elsewhere_leaves_the_cursor_where_it_is(
    open_window: Window, idle: Callable[[], None]
) -> None:
    open_window.show_page("evaluate")
    idle()
    open_window.evaluation.focus_measures()
    open_window.appearance.zoom_in()
    assert isinstance(QApplication.focusWidget(), QLineEdit)
    open_window.appearance.zoom_reset()


@pytest.mark.slow
def test_after_a_click_on_the_rail_digits_grade_again(
    open_window: Window, qtbot: QtBot, press: Callable[..., None]
) -> None:
    qtbot.mouseClick(open_window.rail.buttons["collection"], Qt.MouseButton.LeftButton)
    qtbot.mouseClick(open_window.rail.buttons["judge"], Qt.MouseButton.LeftButton)
    qtbot.waitUntil(lambda: open_window.judge.can_judge)
    press("1")
    assert open_window.judge.turns.can_undo
    open_window.rail.buttons["guides"].setFocus()
    press("T", Qt.KeyboardModifier.ControlModifier)
    qtbot.waitUntil(lambda: open_window.judge.can_judge)
    press("Z", Qt.KeyboardModifier.ControlModifier)
    assert open_window.judge.turns.can_redo


@pytest.mark.slow
def test_cards_end_where_they_end_on_every_page_and_their_scroll_bar_beside_them(
    assessed_window: Window, idle: Callable[[], None], qtbot: QtBot
) -> None:
    assessed_window.resize(1366, 728)
    ends = {}
    for page in (
        "collection",
        "browse",
        "judge",
        "assessors",
        "agreement",
        "adjudicate",
        "quality",
        "evaluate",
        "figures",
        "compare",
    ):
        show(assessed_window, page, idle, qtbot)
        here = assessed_window.pages.currentWidget()
        cards = [each for each in here.findChildren(QFrame, "card") if each.isVisible()]
        ends[page] = max(each.mapTo(assessed_window, each.rect().topRight()).x() for each in cards)
        for area in here.findChildren(PageScrollArea):
            bar = area.verticalScrollBar()
            assert bar.isEnabled() == (bar.maximum() > 0)
            assert bar.mapTo(assessed_window, QPoint()).x() > ends[page]
    assert len(set(ends.values())) == 1, ends
