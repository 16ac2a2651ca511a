"""Tests of interval bars in tables: number, ends and tick of each bar, and column widths."""

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QColor, QImage
from pytestqt.modeltest import ModelTester
from pytestqt.qtbot import QtBot

from irjudge_ui.charts import INTERVAL_ROLE, IntervalTable, IntervalValue
from irjudge_ui.models import Column, IntervalColumn, IntervalModel
from irjudge_ui.widgets.theme import DARK, LIGHT
from tests.ui.layout_checks import process_layouts

SPANS = {
    "wide": IntervalValue(0.5, 0.0, 1.0, 0.0, 1.0, "0.50", "0.00 to 1.00"),
    "high": IntervalValue(0.8, 0.75, 1.0, 0.0, 1.0, "0.80", "0.75 to 1.00"),
    "final": IntervalValue(0.75, 0.75, 0.75, 0.0, 1.0, "0.75", "final"),
    "unknown": IntervalValue(0.25, None, None, 0.0, 1.0, "0.25", "provisional"),
}


def make_table(qtbot: QtBot, rows: list[str], width: int = 500) -> IntervalTable:
    model = IntervalModel(
        [
            Column("Run", str),
            *(
                IntervalColumn(name, lambda row: SPANS[row].value, span=lambda row: SPANS[row])
                for name in ("P", "AP")
            ),
        ],
        rows,
    )
    table = IntervalTable(model, "Runs")
    qtbot.addWidget(table)
    table.keep = model  # keeps a reference: the sorted model holds none
    table.resize(width, 300)
    table.show()
    qtbot.waitExposed(table)
    return table


def bar_range(table: IntervalTable, row: int) -> tuple[float, float] | None:
    """Return the start and end of a row's bar.

    Both are shares of the width from the leftmost start to the rightmost end of the other bars.
    """
    index = table.model().index(row, 1)
    rect = table.visualRect(index)
    picture: QImage = table.viewport().grab(rect).toImage()
    surface, accent = QColor(LIGHT.surface), QColor(LIGHT.accent)
    mixed = QColor(
        *(
            round(0.65 * one + 0.35 * other)
            for one, other in zip(surface.getRgb()[:3], accent.getRgb()[:3], strict=True)
        )
    )
    line = round(rect.height() / 2) - 2
    near = [x for x in range(picture.width()) if _distance(picture.pixelColor(x, line), mixed) < 12]
    return (near[0], near[-1]) if near else None


def _distance(one: QColor, other: QColor) -> int:
    return max(abs(a - b) for a, b in zip(one.getRgb()[:3], other.getRgb()[:3], strict=True))


def test_a_bar_reaches_from_the_low_to_the_high_end(qtbot: QtBot, set_look) -> None:
    set_look(LIGHT, 1.0)
    table = make_table(qtbot, list(SPANS))
    wide, high = bar_range(table, 0), bar_range(table, 1)
    assert wide is not None and high is not None
    length = wide[1] - wide[0]
    assert high[1] == pytest.approx(
        wide[1], abs=8
    )  # numbers of different width leave bars of different width
    assert (high[1] - high[0]) / length == pytest.approx(0.25, abs=0.06)
    assert bar_range(table, 2) is None and bar_range(table, 3) is None


def test_bars_of_a_column_start_at_the_same_position_whatever_their_numbers(
    qtbot: QtBot, set_look, monkeypatch: pytest.MonkeyPatch
) -> None:
    set_look(LIGHT, 1.0)
    monkeypatch.setitem(
        SPANS, "long", IntervalValue(0.0, 0.0, 1.0, 0.0, 1.0, "−0.53000", "−0.53000 to −0.10000")
    )
    table = make_table(qtbot, ["wide", "long"])
    short, long = bar_range(table, 0), bar_range(table, 1)
    assert short is not None and long is not None
    assert short[0] == pytest.approx(long[0], abs=2) and short[1] == pytest.approx(long[1], abs=2)


@pytest.mark.parametrize("theme", [LIGHT, DARK], ids=lambda theme: theme.name)
def test_the_value_is_a_tick_in_the_colour_of_text(theme, qtbot: QtBot, set_look) -> None:
    set_look(theme, 1.0)
    table = make_table(qtbot, ["final"])
    rect = table.visualRect(table.model().index(0, 1))
    picture = table.viewport().grab(rect).toImage()
    ink = QColor(theme.text)
    line = round(rect.height() / 2) - 5  # next to the axis, where only a tick is drawn
    assert [
        x
        for x in range(rect.width() // 2, picture.width())
        if _distance(picture.pixelColor(x, line), ink) < 60
    ]


def test_bars_have_accessible_text_and_are_sorted_by_value(
    qtbot: QtBot, qtmodeltester: ModelTester
) -> None:
    model = IntervalModel(
        [IntervalColumn("P", lambda row: SPANS[row].value, span=lambda row: SPANS.get(row))],
        ["final", "wide"],
    )
    qtmodeltester.check(model)
    assert (
        model.index(1, 0).data() == "0.50 0.00 to 1.00"
        and model.index(0, 0).data(INTERVAL_ROLE) == SPANS["final"]
    )
    model.sort(0, Qt.SortOrder.AscendingOrder)
    assert [model.index(row, 0).data() for row in (0, 1)] == ["0.50 0.00 to 1.00", "0.75 final"]
    assert (
        IntervalModel([IntervalColumn("P", len, span=lambda _row: None)], ["x"]).index(0, 0).data()
        == ""
    )


def test_columns_with_bars_share_the_width_and_stay_readable_in_a_narrow_table(
    qtbot: QtBot,
) -> None:
    table = make_table(qtbot, list(SPANS), 900)
    widths = [table.columnWidth(section) for section in (1, 2)]
    assert widths[0] == widths[1] and sum(widths) + table.columnWidth(0) == pytest.approx(
        table.viewport().width(), abs=2
    )
    table.resize(200, 300)
    assert table.columnWidth(1) > table.fontMetrics().horizontalAdvance("0.50 0.00 to 1.00")


def test_a_bar_shrinks_before_the_table_scrolls_sideways(qtbot: QtBot) -> None:
    table = make_table(qtbot, list(SPANS), 900)
    while bar_range(table, 0) and table.width() > 200:
        assert table.horizontalScrollBar().maximum() == 0
        table.resize(table.width() - 20, 300)
        process_layouts()
    assert not bar_range(table, 0) and table.horizontalScrollBar().maximum() == 0


def test_a_table_with_bars_may_have_no_rows(qtbot: QtBot) -> None:
    assert make_table(qtbot, []).model().rowCount() == 0
