"""Tests of column widths: texts shrink before the table scrolls, numbers never do."""

import pytest
from pytestqt.qtbot import QtBot

from irjudge_ui.models import Column, TableModel
from irjudge_ui.widgets import Table
from irjudge_ui.widgets.table import MARGIN, MIN_COLUMN_WIDTH, MIN_SHORT_TEXT_WIDTH
from tests.ui.layout_checks import process_layouts

LONG = "a name of an assessor that goes on and on and on and on"
WORDS = [Column(name, lambda row: row[0]) for name in ("Assessor", "File", "State")]
NUMBERS = [
    Column(name, lambda row: row[1], lambda value: f"{value:.4f}", number=True)
    for name in ("AP", "P@10", "nDCG@10")
]


@pytest.fixture
def table(qtbot: QtBot) -> Table:
    made = Table(TableModel([*WORDS, *NUMBERS], [(LONG, 0.5)]), "Files")
    qtbot.addWidget(made)
    made.resize(1600, 300)
    made.show()
    return made


def widths(table: Table) -> list[int]:
    return [table.columnWidth(section) for section in range(table.model().columnCount())]


def test_text_columns_shrink_before_the_table_scrolls_sideways(table: Table, qtbot: QtBot) -> None:
    wide = widths(table)
    table.resize(800, 300)
    narrow = widths(table)
    assert sum(narrow) <= table.viewport().width()
    qtbot.waitUntil(lambda: table.horizontalScrollBar().maximum() == 0)
    needed = table.fontMetrics().horizontalAdvance("0.5000")
    assert min(narrow[3:]) > needed + 2 * MARGIN, "half a number reads as another number"
    assert narrow[1] == narrow[2] < wide[1]


def test_headers_of_numbers_are_shown_in_full_while_texts_can_shrink(qtbot: QtBot) -> None:
    numbers = [
        Column(name, lambda row: row[1], lambda value: f"{value:.0f}", number=True)
        for name in ("Active time", "Median time")
    ]
    table = Table(TableModel([*WORDS[:1], *numbers], [(LONG, 1.0)]), "Progress")
    qtbot.addWidget(table)
    table.show()
    header = table.horizontalHeader()
    needed = [header.sectionSizeHint(section) for section in (1, 2)]
    table.resize(sum(needed) + table.fontMetrics().height() * (MIN_SHORT_TEXT_WIDTH + 4), 300)
    qtbot.waitUntil(lambda: sum(widths(table)) <= table.viewport().width())
    assert widths(table)[1:] == needed


def test_shrunk_columns_grow_again_with_the_room(table: Table) -> None:
    wide = widths(table)
    table.resize(800, 300)
    table.resize(1600, 300)
    assert widths(table) == wide


def test_if_shrinking_is_not_enough_texts_stay_readable_and_the_table_scrolls(
    table: Table, qtbot: QtBot
) -> None:
    table.resize(300, 300)
    qtbot.waitUntil(lambda: table.horizontalScrollBar().maximum() > 0)
    assert min(widths(table)[1:3]) > table.fontMetrics().height() * MIN_SHORT_TEXT_WIDTH


def test_a_column_without_texts_is_hidden_until_it_has_some(qtbot: QtBot) -> None:
    rows: list[tuple[str, str]] = [("ann", ""), ("bob", "–")]
    columns = [Column("Name", lambda row: row[0]), Column("Deadline", lambda row: row[1])]
    model = TableModel(columns, rows)
    table = Table(model, "Files")
    qtbot.addWidget(table)
    table.resize(400, 200)
    table.show()
    table.hide_empty_columns(1)
    assert table.isColumnHidden(1) and not table.isColumnHidden(0)
    model.fill([*rows, ("cleo", "2027-01-01")])
    assert not table.isColumnHidden(1)
    model.fill(rows)
    assert table.isColumnHidden(1)


def test_columns_are_no_wider_than_the_minimum_of_their_table_and_their_texts_require(
    qtbot: QtBot,
) -> None:
    columns = [Column("A", lambda row: row), Column("B", lambda row: row)]
    table = Table(TableModel(columns, ["x"]), "Letters")
    qtbot.addWidget(table)
    table.horizontalHeader().setMinimumSectionSize(44)
    table.resize(600, 200)
    table.show()
    assert table.columnWidth(1) < MIN_COLUMN_WIDTH


def test_minor_columns_are_hidden_in_a_narrow_table_and_shown_again_with_the_room(
    qtbot: QtBot,
) -> None:
    numbers = [Column(str(at), lambda _row: 0.5, "{:.4f}".format, number=True) for at in range(9)]
    model = TableModel([Column("Run", lambda _row: "bm25"), *numbers], ["row"])
    table = Table(model, "Pairs", dense=True)
    table.hide_when_narrow(5, 2)
    qtbot.addWidget(table)
    table.resize(1200, 200)
    table.show()
    wide = widths(table)
    states = []
    while table.horizontalScrollBar().maximum() == 0:
        states.append((table.isColumnHidden(5), table.isColumnHidden(2)))
        table.resize(table.width() - 10, 200)
        process_layouts()
    assert list(dict.fromkeys(states)) == [(False, False), (True, False), (True, True)]
    table.resize(1200, 200)
    assert widths(table) == wide


def test_a_column_measured_while_it_is_hidden_is_wide_enough_for_its_name(qtbot: QtBot) -> None:
    names = ["Run", "Number of topics", "Number of documents"]
    table = Table(TableModel([Column(name, lambda row: row) for name in names], ["x"]), "Pairs")
    table.hide_when_narrow(2)
    qtbot.addWidget(table)
    table.resize(100, 200)
    table.show()
    process_layouts()
    assert table.isColumnHidden(2)
    table.fit()
    table.resize(900, 200)
    process_layouts()
    assert table.columnWidth(2) >= table.horizontalHeader().sectionSizeHint(2) > 0
