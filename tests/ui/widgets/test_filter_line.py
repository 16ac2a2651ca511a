"""Tests of table filters: rows that contain all words, and no filter for short tables."""

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QVBoxLayout, QWidget
from pytestqt.modeltest import ModelTester
from pytestqt.qtbot import QtBot

from irjudge_ui.charts import IntervalValue
from irjudge_ui.models import Column, IntervalColumn, IntervalModel, TableModel
from irjudge_ui.widgets import FilterLine, Table
from irjudge_ui.widgets.table import MAX_UNFILTERED_ROWS
from tests.ui.window_content import label_texts

ROWS = [(f"topic {place}", "Ferry times" if place % 2 else "tea", place) for place in range(40)]
COLUMNS = [
    Column("Id", lambda row: row[0]),
    Column("Title", lambda row: row[1]),
    Column("Value", lambda row: row[2], number=True),
]


@pytest.fixture
def line(qtbot: QtBot) -> FilterLine:
    page, model = QWidget(), TableModel(COLUMNS, ROWS)
    table = Table(model, "Topics")
    made = FilterLine(table)
    box = QVBoxLayout(page)
    box.addWidget(made)
    box.addWidget(table)
    qtbot.addWidget(page)
    page.show()
    made.page, made.table, made.model = page, table, model
    return made


def visible_rows(line: FilterLine) -> list[str]:
    model = line.table.model()
    return [model.index(row, 0).data() for row in range(model.rowCount())]


def test_rows_that_contain_all_words_are_shown_and_counted(
    line: FilterLine, qtmodeltester: ModelTester
) -> None:
    QTest.keyClicks(line.line, "FERRY 3")
    assert visible_rows(line) == [
        f"topic {position}" for position in (3, 13, 23, 31, 33, 35, 37, 39)
    ]
    assert label_texts(line) == ["8 of 40"]
    qtmodeltester.check(line.table.model())


def test_rows_added_later_are_counted(line: FilterLine) -> None:
    QTest.keyClicks(line.line, "ferry")
    line.model.update_and_append([*ROWS, ("topic 40", "Ferry times", 40), ("topic 41", "tea", 41)])
    assert label_texts(line) == ["21 of 42"]
    line.model.restrict_rows(lambda row: row[2] < 10)
    assert label_texts(line) == ["5 of 42"]


def test_numbers_are_not_searched(line: FilterLine) -> None:
    line.model.fill([("a", "b", 7)] * 20)
    QTest.keyClicks(line.line, "7")
    assert visible_rows(line) == []


def test_a_row_is_found_by_the_tooltip_of_an_elided_cell(
    line: FilterLine,
) -> None:
    line.model.fill(
        ROWS,
        [Column("Topic", lambda row: row[0], also=lambda row: f"{row[1]} of {row[2]}"), COLUMNS[2]],
    )
    QTest.keyClicks(line.line, "ferry 23")
    assert visible_rows(line) == ["topic 23"]
    assert line.table.model().index(0, 0).data(Qt.ItemDataRole.ToolTipRole) == "Ferry times of 23"


def test_the_numbers_of_a_bar_are_not_searched() -> None:
    bar = IntervalColumn(
        "Share",
        lambda row: row[2] / 40,
        span=lambda row: IntervalValue(row[2] / 40, 0.0, 1.0, 0.0, 1.0, f"{row[2] / 40:.4f}", ""),
    )
    model = IntervalModel([bar, COLUMNS[1]], ROWS)
    model.filter_rows("0.5")
    assert model.rowCount() == 0
    model.filter_rows("ferry")
    assert model.rowCount() == 20


def test_filtered_rows_are_sorted_and_opened_as_before(line: FilterLine, qtbot: QtBot) -> None:
    QTest.keyClicks(line.line, "tea 1")
    line.table.sortByColumn(2, Qt.SortOrder.DescendingOrder)
    assert visible_rows(line)[:2] == ["topic 18", "topic 16"]
    QTest.keyClick(line.line, Qt.Key.Key_Down)
    assert line.table.hasFocus() and line.table.currentIndex().isValid()
    with qtbot.waitSignal(line.table.opened):
        QTest.keyClick(line.table, Qt.Key.Key_Return)


def test_escape_shows_all_rows_again(line: FilterLine) -> None:
    QTest.keyClicks(line.line, "nothing has this")
    assert visible_rows(line) == [] and label_texts(line) == ["0 of 40"]
    QTest.keyClick(line.line, Qt.Key.Key_Escape)
    assert len(visible_rows(line)) == 40 and label_texts(line) == []


def test_it_is_shown_for_long_tables_and_while_it_filters(line: FilterLine) -> None:
    assert line.isVisible()
    line.model.fill(ROWS[:MAX_UNFILTERED_ROWS])
    assert not line.isVisible()
    line.model.fill(ROWS)
    QTest.keyClicks(line.line, "tea")
    line.model.fill(ROWS[:4])
    assert line.isVisible() and visible_rows(line) == ["topic 0", "topic 2"], (
        "new rows are filtered as the old ones were"
    )
