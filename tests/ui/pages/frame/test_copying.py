"""Tests of copying tables: visible rows in their order, in every format, with full precision."""

import csv
import io
from collections.abc import Callable

import pytest
from PySide6.QtCore import QEvent, QPoint, QPointF, Qt
from PySide6.QtGui import QAction, QContextMenuEvent, QGuiApplication, QMouseEvent
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QMenu
from pytestqt.qtbot import QtBot

from irjudge.report import COPY_FORMATS
from irjudge_ui.models import Column, TableModel
from irjudge_ui.pages.frame.exports import LABELS, model_to_table
from irjudge_ui.widgets import Table
from irjudge_ui.widgets.table import RowButton
from irjudge_ui.window import Window
from tests.numbers_in_text import find_numbers

ROWS = [("=1+1", 0.123456), ("a|b & <c>", 0.5), ("tab\there", float("nan"))]
COLUMNS = (
    Column("Run", lambda row: row[0]),
    Column(
        "AP",
        lambda row: row[1],
        lambda value: "–" if value != value else f"{value:.2f}",
        number=True,
        best=True,
    ),
)


@pytest.fixture
def table(qtbot: QtBot) -> Table:
    made = Table(TableModel(COLUMNS, ROWS), "Runs")
    qtbot.addWidget(made)
    return made


def clipboard() -> str:
    return QGuiApplication.clipboard().text()


def test_every_format_has_a_label() -> None:
    assert tuple(LABELS) == COPY_FORMATS


@pytest.mark.parametrize(("form", "between"), [("text", "\t"), ("csv", ",")])
def test_text_and_csv_read_back_with_full_numbers_and_empty_missing_values(
    form: str, between: str, table: Table, window: Window
) -> None:
    window.copy_menu.copy(table, "text" if form == "text" else "csv")
    read = list(csv.reader(io.StringIO(clipboard()), delimiter=between))
    assert read == [["Run", "AP"], ["'=1+1", "0.123456"], ["a|b & <c>", "0.5"], ["tab\\there", ""]]
    assert window.message.text() == "Copied Runs. Rows: 3."


def test_a_pair_of_numbers_is_copied_as_written_and_never_as_one_number() -> None:
    model = TableModel(
        [
            Column(
                "Possible ranks", lambda row: row, lambda ends: f"{ends[0]}–{ends[1]}", number=True
            )
        ],
        [(1, 3), (10, 12)],
    )
    assert model_to_table(model, full_precision=True).rows == (("1–3",), ("10–12",))


def test_a_missing_value_without_a_number_is_empty_with_full_precision() -> None:
    columns = [Column("Grade", lambda row: row, lambda value: "–", number=True)]
    assert model_to_table(TableModel(columns, [None]), full_precision=True).rows == (("",),)
    assert model_to_table(TableModel(columns, [None])).rows == (("–",),)


def test_the_other_formats_have_the_displayed_text_with_the_best_value_in_bold(
    table: Table, window: Window
) -> None:
    window.copy_menu.copy(table, "markdown")
    assert clipboard().splitlines()[2:4] == [r"| =1+1 | 0.12 |", r"| a\|b \& \<c\> | **0.50** |"]
    window.copy_menu.copy(table, "latex")
    assert r"a\textbar{}b \& \textless{}c\textgreater{} & \textbf{0.50} \\" in clipboard()
    window.copy_menu.copy(table, "html")
    data = QGuiApplication.clipboard().mimeData()
    assert (
        data.hasHtml()
        and '<td class="n best">0.50</td>' in data.html()
        and "<td>a|b &amp; &lt;c&gt;</td>" in clipboard()
    )


def test_rows_are_copied_in_the_displayed_order(table: Table) -> None:
    table.sortByColumn(1, Qt.SortOrder.DescendingOrder)
    assert [row[0] for row in model_to_table(table.model()).rows] == [
        "a|b & <c>",
        "=1+1",
        "tab\\there",
    ]
    assert model_to_table(table.model()).best_cells == {(0, 1)}


def test_the_key_offers_the_formats_of_the_focused_table_and_enter_copies_the_first(
    open_window: Window, wait_until_idle: Callable[[], None], qtbot: QtBot
) -> None:
    open_window.do("compare")
    wait_until_idle()
    shown = open_window.pages.view("compare").table
    shown.setFocus()
    assert open_window.copy_menu.table() is shown
    QTest.keyClick(
        shown, Qt.Key.Key_C, Qt.KeyboardModifier.ControlModifier | Qt.KeyboardModifier.ShiftModifier
    )
    menu = QApplication.activePopupWidget()
    assert isinstance(menu, QMenu) and len(menu.actions()) == len(COPY_FORMATS)
    with qtbot.waitSignal(menu.destroyed):
        QTest.keyClick(menu, Qt.Key.Key_Return)
    lines = clipboard().splitlines()
    assert (
        lines[0].split("\t")[:3] == ["Run A", "Run B", "Mean A"]
        and len(lines) == 1 + shown.model().rowCount()
    )


def test_a_right_click_on_a_table_offers_the_formats_and_elsewhere_nothing(
    open_window: Window, wait_until_idle: Callable[[], None], qtbot: QtBot
) -> None:
    open_window.do("compare")
    wait_until_idle()
    shown = open_window.pages.view("compare").table
    inside = shown.viewport()
    for _ in range(
        4
    ):  # layouts take a few turns of the event loop; until then parts of the page overlap
        QApplication.sendPostedEvents(None, QEvent.Type.LayoutRequest)
        QApplication.processEvents()
    point = inside.rect().center()
    QApplication.sendEvent(
        inside, QContextMenuEvent(QContextMenuEvent.Reason.Mouse, point, inside.mapToGlobal(point))
    )
    menu = QApplication.activePopupWidget()
    assert isinstance(menu, QMenu)
    with qtbot.waitSignal(menu.destroyed):
        menu.close()
    bar = open_window.navigation_bar
    QApplication.sendEvent(
        bar,
        QContextMenuEvent(
            QContextMenuEvent.Reason.Mouse, QPoint(2, 2), bar.mapToGlobal(QPoint(2, 2))
        ),
    )
    assert QApplication.activePopupWidget() is None


def test_without_a_table_there_is_nothing_to_copy(
    open_window: Window, wait_until_idle: Callable[[], None]
) -> None:
    open_window.do("home")
    wait_until_idle()
    assert not open_window.copy_menu.has_table
    open_window.copy_menu.copy_table()
    assert QApplication.activePopupWidget() is None


def test_selected_rows_are_copied_as_rows_and_all_rows_as_the_table(
    open_window: Window, qtbot: QtBot, wait_until_idle: Callable[[], None]
) -> None:
    open_window.show_page("compare")
    wait_until_idle()
    table = next(
        each for each in open_window.pages.currentWidget().findChildren(Table) if each.isVisible()
    )
    whole = [table.model().index(row, 0).data() for row in range(table.model().rowCount())]
    table.setFocus()
    table.selectRow(0)
    QTest.keyClick(table, Qt.Key.Key_Down, Qt.KeyboardModifier.ShiftModifier)
    QTest.keyClick(table, Qt.Key.Key_C, Qt.KeyboardModifier.ControlModifier)
    assert [line.split("\t")[0] for line in clipboard().splitlines()] == whole[:2]
    assert "Pairs of runs" in open_window.message.text()
    assert find_numbers(open_window.message.text()) == ["2"]
    QTest.keyClick(table, Qt.Key.Key_A, Qt.KeyboardModifier.ControlModifier)
    QTest.keyClick(table, Qt.Key.Key_C, Qt.KeyboardModifier.ControlModifier)
    lines = [line.split("\t")[0] for line in clipboard().splitlines()]
    assert lines[1:] == whole and lines[0] == table.model().headerData(0, Qt.Orientation.Horizontal)


@pytest.mark.slow
def test_a_field_copies_its_own_text(
    open_window: Window, wait_until_idle: Callable[[], None]
) -> None:
    open_window.show_page("evaluate")
    wait_until_idle()
    open_window.evaluation.chips.edit()
    field = QApplication.focusWidget()
    field.selectAll()
    QTest.keyClick(field, Qt.Key.Key_C, Qt.KeyboardModifier.ControlModifier)
    assert clipboard() == field.text()


def test_row_actions_are_in_the_menu_opened_by_button_key_and_right_click(
    table: Table, qtbot: QtBot
) -> None:
    done: list[int] = []
    actions = [QAction(name, table) for name in ("Open", "Remove")]
    actions[0].triggered.connect(lambda: done.append(table.currentIndex().row()))
    actions[1].setEnabled(False)
    table.set_row_actions(*actions)
    table.resize(500, 300)
    table.show()
    button = table.findChild(RowButton)
    assert button is not None and button.isVisible() and button.accessibleName()

    def choose_first() -> None:
        menu = QApplication.activePopupWidget()
        assert isinstance(menu, QMenu) and menu.actions() == actions
        with qtbot.waitSignal(menu.destroyed):
            QTest.keyClick(menu, Qt.Key.Key_Return)

    def middle_of_row(row: int) -> QPoint:
        return table.visualRect(table.model().index(row, 1)).center()

    def is_at_row(row: int) -> bool:
        return table.viewport().mapTo(table, middle_of_row(row)).y() in range(
            button.geometry().top(), button.geometry().bottom() + 1
        )

    assert is_at_row(0), "the first row, where none is current"
    QApplication.sendEvent(
        table.viewport(),
        QMouseEvent(
            QEvent.Type.MouseMove,
            QPointF(middle_of_row(2)),
            table.viewport().mapToGlobal(QPointF(middle_of_row(2))),
            Qt.MouseButton.NoButton,
            Qt.MouseButton.NoButton,
            Qt.KeyboardModifier.NoModifier,
        ),
    )
    assert is_at_row(2)
    QTest.mouseClick(button, Qt.MouseButton.LeftButton)
    choose_first()
    assert done == [2]
    table.selectRow(1)
    assert is_at_row(1)
    asked = QContextMenuEvent(QContextMenuEvent.Reason.Keyboard, QPoint(0, 0), QPoint(0, 0))
    QApplication.sendEvent(table.viewport(), asked)
    choose_first()
    assert done == [2, 1]
    table.model().fill([])
    assert not button.isVisible()
