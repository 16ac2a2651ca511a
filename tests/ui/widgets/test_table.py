"""The widths of a table: nothing scrolls sideways where words could give way, numbers never do, and what gave way comes back."""

import pytest
from pytestqt.qtbot import QtBot

from irjudge_ui.models import Column, TableModel
from irjudge_ui.widgets import Table
from irjudge_ui.widgets.table import MARGIN, SHORT

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


def test_columns_of_words_give_way_before_the_table_scrolls_sideways(
    table: Table, qtbot: QtBot
) -> None:
    wide = widths(table)
    table.resize(800, 300)
    narrow = widths(table)
    assert sum(narrow) <= table.viewport().width()
    qtbot.waitUntil(lambda: table.horizontalScrollBar().maximum() == 0)
    needed = table.fontMetrics().horizontalAdvance("0.5000")
    assert min(narrow[3:]) > needed + 2 * MARGIN, "half a number reads as another number"
    assert narrow[1] == narrow[2] < wide[1]


def test_what_gave_way_comes_back_with_the_room(table: Table) -> None:
    wide = widths(table)
    table.resize(800, 300)
    table.resize(1600, 300)
    assert widths(table) == wide


def test_where_even_that_is_not_enough_words_stay_readable_and_the_table_scrolls(
    table: Table, qtbot: QtBot
) -> None:
    table.resize(300, 300)
    qtbot.waitUntil(lambda: table.horizontalScrollBar().maximum() > 0)
    assert min(widths(table)[1:3]) > table.fontMetrics().height() * SHORT
