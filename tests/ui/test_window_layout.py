"""Layout tests of every page: sizes, zooms, themes, accessible names, and keyboard focus."""

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
from irjudge.text import detect_text_direction
from irjudge_ui.pages import PAGES as EVERY_PAGE
from irjudge_ui.pages.frame import CrashDialog
from irjudge_ui.widgets import Chips, DocumentView, PageScrollArea, Theme
from irjudge_ui.widgets.theme import DARK, LIGHT
from irjudge_ui.window import Window
from irjudge_ui.workspace import finished_state
from tests.arabic import DOCUMENTS, TOPICS, make_arabic
from tests.lengths import short_or_long
from tests.ui.full_project import make_full_project
from tests.ui.layout_checks import (
    SIZES,
    find_cut_texts,
    find_low_contrast,
    find_overlaps,
    process_layouts,
    set_size_and_theme,
)

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
DIALOGS = {  # by page: the actions that open them
    "home": ("shortcuts",),
    "collection": ("prices", "export"),
    "runs": ("make-run",),
    "judge": ("help", "jump"),
    "assessors": ("booklet", "enter-paper"),
}
DOCUMENT_PAGES = tuple(
    "collection browse judge panels agreement adjudicate evaluate explain live rankings preferences".split()
)
# pages and states that have other controls before anything is judged
UNJUDGED = (
    *("new", "files", "design", "panels", "agreement", "adjudicate", "quality"),
    *("note", "back", "done"),
)
SCROLL_BAR = 12
# colours depend on the theme only, and text lengths on the language only (`test_theme`)
THEMES = {"en": LIGHT, "zh_CN": DARK}


def show_state(
    window: Window, page: str, wait_until_idle: Callable[[], None], qtbot: QtBot
) -> None:
    if page in ("new", "files"):
        choose_files(window, page)
    elif page == "note":
        window.show_page("judge")
        qtbot.waitUntil(lambda: window.judge.can_judge)
        window.judge.marking.write_note()
    elif page == "back":
        undo_judgment(window, qtbot)
    elif page == "done":
        assert window.judge.session is not None
        window.show_page("judge")
        window.judge.show_state(
            finished_state(window.judge.session, window.judge.closing.submit, window.judge.jump)
        )
    elif page == "busy":
        window.blocking_job.busy.begin("Reading a file with a name", lambda: None)
        window.blocking_job.busy.show_progress(3, 10, "Reading a-run-with-a-long-name.run")
    elif page in ("design", "panels"):
        if page == "panels" and window.project and not has_comparisons(window.project):
            assign_comparison_to_owner(window.project, ComparisonOptions((("bm25", "ql"),)))
        window.show_page("panels")
    else:
        window.show_page(page)
    wait_until_idle()
    if page == "panels":
        qtbot.waitUntil(lambda: window.panels.can_compare)
    if page == "judge":
        qtbot.waitUntil(lambda: window.judge.can_judge)
    process_layouts()


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


def undo_judgment(window: Window, qtbot: QtBot) -> None:
    """Undo a judgment once, so that the message and the row to continue are visible."""
    window.show_page("judge")
    qtbot.waitUntil(lambda: window.judge.can_judge)
    if not window.judge.can_go_on:
        window.judge.give(1)
        window.judge.turns.undo()
    qtbot.waitUntil(lambda: window.judge.can_judge)


@pytest.fixture(scope="module")
def full_project(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A project in which every page has content, created once per module."""
    return make_full_project(tmp_path_factory.mktemp("filled") / "filled.irjudge")


@pytest.mark.slow
@pytest.mark.parametrize("zoom", [1.0, 2.0])
def test_text_is_not_cut_covered_or_faint_on_any_page(
    language: str,
    make_window: Callable[[], Window],
    set_look: Callable[[Theme, float], None],
    full_project: Path,
    tmp_path: Path,
    wait_until_idle: Callable[[], None],
    qtbot: QtBot,
    zoom: float,
    full: bool,
) -> None:
    if (zoom > 1) != (language == "en") and not full:
        pytest.skip("English words are the longer ones, and have less room at double size: --full")
    window = make_window()
    assert window.open(Path(shutil.copy(full_project, tmp_path / "filled.irjudge")))
    window.settings.set("zoom", zoom)
    problems = find_page_problems(
        window,
        PAGES,
        lambda page: show_state(window, page, wait_until_idle, qtbot),
        THEMES[language],
    )
    for page, actions in DIALOGS.items():
        for action in actions:
            show_state(window, page, wait_until_idle, qtbot)
            problems += [
                f"{action}: {problem}"
                for problem in find_dialog_problems(window, action, wait_until_idle, qtbot)
            ]
    assert problems == [], language


def find_dialog_problems(
    window: Window, action: str, wait_until_idle: Callable[[], None], qtbot: QtBot
) -> list[str]:
    """Describe layout problems of a dialog opened by an action, in a small window."""
    window.resize(*SIZES[0])
    process_layouts()
    of_page = getattr(window.pages.currentWidget(), "actions_by_id", {})
    {**window.actions_by_id, **of_page}[action].trigger()
    wait_until_idle()
    (dialog,) = (each for each in window.findChildren(QDialog) if each.isVisible())
    process_layouts()
    result = find_cut_texts(dialog) + find_overlaps(dialog) + find_low_contrast(dialog)
    dialog.close()
    qtbot.waitUntil(lambda: not isValid(dialog))
    return result


def find_page_problems(
    window: Window, pages: Sequence[str], show: Callable[[str], None], theme: Theme
) -> list[str]:
    """Describe layout problems of pages in both sizes: shown in one, then resized to the other."""
    problems = []
    set_size_and_theme(window, SIZES[0], theme)
    for turn, page in enumerate(pages):
        show(page)
        for size in SIZES[
            :: -1 if turn % 2 else 1
        ]:  # start with the size in which the previous page ended
            window.resize(*size)
            process_layouts()
            assert (window.width(), window.height()) == size, (
                f"{page} makes the window {window.width()}x{window.height()}"
            )
            has_colours = size == SIZES[-1]  # the size in which most is visible
            problems += [
                f"{page}, {size}: {problem}"
                for problem in find_problems(window, page, has_colours=has_colours)
            ]
    window.blocking_job.busy.end()
    return problems


def find_too_wide(window: Window) -> list[str]:
    """Describe vertical scroll areas with too wide content, which moves with the focus."""
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


def find_problems(window: Window, page: str, *, has_colours: bool) -> list[str]:
    """Describe the layout problems of a page.

    The progress page overlays another, so that overlaps are expected. Colours depend on neither the
    zoom nor the size, and are only checked with `has_colours`.
    """
    covered = page == "busy"
    return (
        find_cut_texts(window)
        + find_too_wide(window)
        + ([] if covered else find_overlaps(window))
        + (find_low_contrast(window) if has_colours and not covered else [])
    )


@pytest.mark.slow
@pytest.mark.parametrize("zoom", short_or_long([1.0], [1.0, 2.0]))
def test_text_is_not_cut_covered_or_faint_if_documents_run_from_right_to_left(
    window: Window, tmp_path: Path, wait_until_idle: Callable[[], None], qtbot: QtBot, zoom: float
) -> None:
    assert window.open(make_arabic(tmp_path / "arabic.irjudge"))
    window.settings.set("zoom", zoom)
    assert (
        find_page_problems(
            window,
            DOCUMENT_PAGES,
            lambda page: show_state(window, page, wait_until_idle, qtbot),
            LIGHT if zoom > 1 else DARK,
        )
        == []
    )


@pytest.mark.slow
def test_right_to_left_text_is_right_aligned_and_marked_at_its_position(
    window: Window, tmp_path: Path, wait_until_idle: Callable[[], None], qtbot: QtBot
) -> None:
    assert window.open(make_arabic(tmp_path / "arabic.irjudge"))
    show_state(window, "judge", wait_until_idle, qtbot)
    session, document = window.judge.session, window.judge.findChild(DocumentView, "document")
    assert session and document
    position = next(
        each.item
        for each in session.item_states(TOPICS[0].id)
        if each.item.document == DOCUMENTS[0].id
    )
    window.judge._jump(lambda: session.open_item(position))
    qtbot.waitUntil(
        lambda: window.judge.can_judge and document.complete and bool(document.extraSelections())
    )
    right = document.viewport().width() - 24
    paragraphs = [
        alignment
        for alignment in block_alignments(document)
        if detect_text_direction(alignment.text()) == "rtl" and not alignment.textList()
    ]
    assert len(paragraphs) > 2
    for alignment in paragraphs:
        line = (
            alignment.layout().lineAt(0).naturalTextRect().translated(alignment.layout().position())
        )
        assert line.right() > right - document.document().documentMargin(), alignment.text()
    picture, mark = document.viewport().grab().toImage(), QColor(LIGHT.mark)
    selections = document.extraSelections()  # the cursors live as long as these
    marked = [each.cursor for each in selections]
    assert {cursor.selectedText() for cursor in marked} <= set(TOPICS[0].title.split()) | {"الهيل"}
    for cursor in marked:
        ends = [
            document.cursorRect(rect_of(cursor, position))
            for position in (cursor.selectionStart(), cursor.selectionEnd())
        ]
        assert ends[0].x() > ends[1].x(), "an Arabic word begins at its right"
        inside = QPoint((ends[0].x() + ends[1].x()) // 2, ends[0].top() + 2)
        if document.viewport().rect().contains(inside):
            assert picture.pixelColor(inside) == mark


def block_alignments(document: DocumentView) -> list[QTextBlock]:
    blocks, block = [], document.document().begin()
    while block.isValid():
        blocks += [block] if block.text().strip() else []
        block = block.next()
    return blocks


def rect_of(cursor: QTextCursor, position: int) -> QTextCursor:
    made = QTextCursor(cursor)
    made.setPosition(position)
    return made


@pytest.mark.parametrize("zoom", [1.0, 2.0])
def test_text_of_error_pages_is_not_cut(
    language: str,
    window: Window,
    set_look: Callable[[Theme, float], None],
    qtbot: QtBot,
    zoom: float,
    wait_until_idle: Callable[[], None],
) -> None:
    window.settings.set("zoom", zoom)
    window.settings.changed.emit("theme")
    dialog = CrashDialog(window, ValueError("a fault " * 20), "trace\n" * 50)
    dialog.open()
    process_layouts()
    assert find_cut_texts(dialog) == []
    with qtbot.waitSignal(dialog.destroyed):
        dialog.close()


def focusable_widgets(root: QWidget) -> list[QWidget]:
    return [
        each
        for each in root.findChildren(QWidget)
        if each.isVisible() and each.isEnabled() and each.focusPolicy() & Qt.FocusPolicy.TabFocus
    ]


def accessible_name(widget: QWidget) -> str:
    return widget.accessibleName() or (widget.text() if isinstance(widget, QAbstractButton) else "")


def is_inside_control(widget: QWidget) -> bool:
    """Return whether a widget is an internal part of a control, which receives the focus itself."""
    return widget.objectName().startswith("qt_") or widget.focusProxy() is not None


@pytest.mark.slow
def test_everything_focusable_has_a_name_and_is_reached_with_tab_before_judging(
    open_window: Window,
    wait_until_idle: Callable[[], None],
    qtbot: QtBot,
    press: Callable[..., None],
) -> None:
    """`test_pages` checks every page of a project with judgments."""
    for page in UNJUDGED:
        show_state(open_window, page, wait_until_idle, qtbot)
        check_tab_order(open_window, page, press)


def check_tab_order(window: Window, page: str, press: Callable[..., None]) -> None:
    wanted = [each for each in focusable_widgets(window) if not is_inside_control(each)]
    assert [each for each in wanted if not accessible_name(each)] == [], page
    reached: set[QWidget] = set()
    backwards: set[QWidget] = set()
    for key, met in ((Qt.Key.Key_Tab, reached), (Qt.Key.Key_Backtab, backwards)):
        begin = QApplication.focusWidget()
        for _ in range(2 * len(wanted) + 4):
            focus = QApplication.focusWidget()
            assert focus is not None, page
            if focus is begin and met > {begin}:  # from here on the order repeats
                break
            met.add(focus)
            press(key)
    missed = [
        accessible_name(each)
        for each in wanted
        if not was_focused(each, reached) or not was_focused(each, backwards)
    ]
    assert missed == [], page
    names = [
        accessible_name(each)
        for each in focusable_widgets(window.pages.currentWidget())
        if isinstance(each, QAbstractButton)
    ]
    assert sorted(names) == sorted(set(names)), f"{page}: buttons have the same name"


def was_focused(wanted: QWidget, focused: set[QWidget]) -> bool:
    """Return whether a widget had the focus; chips pass it to their line edit."""
    return wanted in focused or (
        isinstance(wanted, Chips) and any(wanted.isAncestorOf(each) for each in focused)
    )


@pytest.mark.slow
def test_the_focus_stays_on_cancel_while_work_is_running(
    open_window: Window, press: Callable[..., None]
) -> None:
    open_window.blocking_job._set_enabled(False)
    open_window.blocking_job.busy.begin("Working", lambda: None)
    for _ in range(5):
        press(Qt.Key.Key_Tab)
        focus = QApplication.focusWidget()
        assert focus is not None and open_window.blocking_job.busy.isAncestorOf(focus)
    open_window.blocking_job._end()


@pytest.mark.slow
def test_zooming_on_another_page_does_not_move_the_cursor(
    open_window: Window, wait_until_idle: Callable[[], None]
) -> None:
    open_window.show_page("evaluate")
    wait_until_idle()
    open_window.evaluation.chips.edit()
    open_window.appearance.zoom_in()
    assert isinstance(QApplication.focusWidget(), QLineEdit)
    open_window.appearance.zoom_reset()


@pytest.mark.slow
def test_after_a_click_on_the_navigation_bar_digits_grade_again(
    open_window: Window, qtbot: QtBot, press: Callable[..., None]
) -> None:
    qtbot.mouseClick(open_window.navigation_bar.buttons["collection"], Qt.MouseButton.LeftButton)
    qtbot.mouseClick(open_window.navigation_bar.buttons["judge"], Qt.MouseButton.LeftButton)
    qtbot.waitUntil(lambda: open_window.judge.can_judge)
    press("1")
    assert open_window.judge.turns.can_undo
    open_window.navigation_bar.buttons["guides"].setFocus()
    press("T", Qt.KeyboardModifier.ControlModifier)
    qtbot.waitUntil(lambda: open_window.judge.can_judge)
    press("Z", Qt.KeyboardModifier.ControlModifier)
    assert open_window.judge.turns.can_redo


@pytest.mark.slow
def test_cards_have_the_same_right_edge_on_every_page_next_to_the_scroll_bar(
    assessed_window: Window, wait_until_idle: Callable[[], None], qtbot: QtBot
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
        show_state(assessed_window, page, wait_until_idle, qtbot)
        here = assessed_window.pages.currentWidget()
        cards = [each for each in here.findChildren(QFrame, "card") if each.isVisible()]
        ends[page] = max(each.mapTo(assessed_window, each.rect().topRight()).x() for each in cards)
        for area in here.findChildren(PageScrollArea):
            bar = area.verticalScrollBar()
            assert bar.isEnabled() == (bar.maximum() > 0)
            assert bar.mapTo(assessed_window, QPoint()).x() > ends[page]
    assert len(set(ends.values())) == 1, ends
