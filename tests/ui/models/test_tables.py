"""Tests of the table model: plain rows, sorting by value, and the best value in bold."""

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import pytest
from PySide6.QtCore import QAbstractItemModel, QPersistentModelIndex, Qt
from PySide6.QtGui import QFont
from pytestqt.modeltest import ModelTester
from pytestqt.qtbot import QtBot

from irjudge_ui.models import VALUE_ROLE, Column, TableModel

Role = Qt.ItemDataRole
COLUMNS = (
    Column("Run", lambda row: row[0]),
    Column(
        "AP",
        lambda row: row[1],
        lambda value: f"{value:.2f}",
        number=True,
        help="average precision",
        best=True,
    ),
)
ROWS = [("b", 9.0), ("A", 10.0), ("c", 10.0), ("d", 0.5)]


def column_texts(model: QAbstractItemModel, column: int = 0) -> list[Any]:
    return [model.index(row, column).data() for row in range(model.rowCount())]


@pytest.mark.parametrize("rows", [[], ROWS[:1], ROWS], ids=["none", "one", "many"])
def test_the_model_passes_qts_model_tester_sorted_and_filtered(
    rows: Sequence[Any], qtmodeltester: ModelTester
) -> None:
    model = TableModel(COLUMNS, rows)
    qtmodeltester.check(model)
    model.sort(1, Qt.SortOrder.DescendingOrder)
    model.filter_rows("b")
    model.filter_rows("")
    model.fill([*rows, ("z", 1.0)])
    model.fill([], COLUMNS[:1])
    model.fill(rows, COLUMNS)


def test_appended_rows_do_not_reset_the_model_and_the_best_value_is_updated(
    qtmodeltester: ModelTester, qtbot: QtBot
) -> None:
    model = TableModel(COLUMNS, ROWS[:3])
    resets: list[int] = []
    model.modelReset.connect(lambda: resets.append(1))
    finer = (COLUMNS[0], replace(COLUMNS[1], show=lambda value: f"{value:.4f}"))
    with qtbot.waitSignal(model.dataChanged):
        model.update_and_append([("b", 99.0), *ROWS[1:]], finer)
    assert column_texts(model, 1) == ["99.0000", "10.0000", "10.0000", "0.5000"] and not resets
    assert [model.index(row, 1).data(Role.FontRole) is not None for row in range(4)] == [
        True,
        False,
        False,
        False,
    ]
    assert model.lengths() == [1, 7]
    model.update_and_append(ROWS[:1])
    assert resets and column_texts(model) == ["b"]
    qtmodeltester.check(model)


def test_a_model_without_columns_passes_qts_model_tester(qtmodeltester: ModelTester) -> None:
    qtmodeltester.check(TableModel())


def test_cells_outside_the_table_and_children_of_cells_do_not_exist() -> None:
    model = TableModel(COLUMNS, ROWS)
    last = model.index(len(ROWS) - 1, len(COLUMNS) - 1)
    assert (last.isValid(), last.row(), last.column(), last.data()) == (True, 3, 1, "0.50")
    outside = [(len(ROWS), 0), (0, len(COLUMNS)), (-1, 0), (0, -1)]
    assert (
        not any(model.index(row, column).isValid() for row, column in outside)
        and not model.index(0, 0, last).isValid()
    )


def test_numbers_are_sorted_by_value_and_text_without_case() -> None:
    model = TableModel(COLUMNS, ROWS)
    model.sort(1, Qt.SortOrder.AscendingOrder)
    assert column_texts(model, 1) == ["0.50", "9.00", "10.00", "10.00"]
    model.sort(0, Qt.SortOrder.AscendingOrder)
    assert column_texts(model) == ["A", "b", "c", "d"]


def test_a_missing_number_is_sorted_below_every_other() -> None:
    model = TableModel(
        COLUMNS, [("a", 3.0), ("b", float("nan")), ("c", -1.0), ("d", float("nan")), ("e", 2.0)]
    )
    model.sort(1, Qt.SortOrder.DescendingOrder)
    assert column_texts(model) == ["a", "e", "c", "b", "d"]


def test_a_row_is_selected_at_any_position_and_deselected_when_filtered_out(
    qtmodeltester: ModelTester,
) -> None:
    model = TableModel(COLUMNS, ROWS)
    chosen, other = (QPersistentModelIndex(model.line_of(row)) for row in (1, 3))
    model.sort(0, Qt.SortOrder.DescendingOrder)
    assert column_texts(model) == ["d", "c", "b", "A"] and (chosen.row(), other.row()) == (3, 0)
    model.filter_rows("A")
    assert (model.at(chosen), model.row_of(chosen), other.isValid()) == (ROWS[1], 1, False)
    assert model.at(other) is None and not model.line_of(3).isValid()
    model.filter_rows("")
    model.restrict_rows(lambda row: row[1] == 10.0)
    assert column_texts(model) == ["c", "A"] and chosen.row() == 1
    model.update_and_append([*ROWS, ("B", 10.0)])
    assert column_texts(model) == ["c", "B", "A"] and chosen.row() == 2
    model.restrict_rows(None)
    model.sort(-1)
    assert column_texts(model) == ["b", "A", "c", "d", "B"] and chosen.row() == 1
    qtmodeltester.check(model)


def test_ties_keep_their_order_in_both_directions_and_pairs_sort_by_their_first_number() -> None:
    pairs = TableModel(
        [Column("Judged", lambda row: row, str, number=True)], [(2, 9), (10, 3), (2, 10), (2, 9)]
    )
    for order, rows in (
        (Qt.SortOrder.AscendingOrder, [0, 3, 2, 1]),
        (Qt.SortOrder.DescendingOrder, [1, 2, 0, 3]),
    ):
        pairs.sort(0, order)
        assert [pairs.row_of(pairs.index(line, 0)) for line in range(4)] == rows


def test_the_best_values_are_bold_and_no_others() -> None:
    model = TableModel(COLUMNS, ROWS)
    weights = [model.index(row, 1).data(Role.FontRole) for row in range(4)]
    assert [font is not None and font.weight() == QFont.Weight.DemiBold for font in weights] == [
        False,
        True,
        True,
        False,
    ]
    assert not any(model.index(row, 0).data(Role.FontRole) for row in range(4))


def test_a_single_row_is_not_marked_as_the_best() -> None:
    assert TableModel(COLUMNS, ROWS[:1]).index(0, 1).data(Role.FontRole) is None


def test_numbers_and_their_headers_are_right_aligned_and_have_tooltips() -> None:
    model = TableModel(COLUMNS, ROWS)
    for at_right, column in ((False, 0), (True, 1)):
        for alignment in (
            model.index(0, column).data(Role.TextAlignmentRole),
            model.headerData(column, Qt.Orientation.Horizontal, Role.TextAlignmentRole),
        ):
            assert bool(alignment & int(Qt.AlignmentFlag.AlignRight)) is at_right
    assert model.index(0, 1).data(Role.ToolTipRole) == "average precision"
    assert model.headerData(1, Qt.Orientation.Horizontal, Role.ToolTipRole) == "average precision"
    assert model.headerData(0, Qt.Orientation.Vertical) is None


def test_sort_values_are_the_values_themselves() -> None:
    assert TableModel(COLUMNS, ROWS).index(1, 1).data(VALUE_ROLE) == 10.0


@pytest.mark.parametrize(
    ("order", "expected"),
    [
        (Qt.SortOrder.AscendingOrder, ["t2", "T10", "t10b", "", ""]),
        (Qt.SortOrder.DescendingOrder, ["t10b", "T10", "t2", "", ""]),
    ],
)
def test_texts_are_in_natural_order_and_missing_values_last(
    order: Qt.SortOrder, expected: list[str]
) -> None:
    rows = [(None,), ("t10b",), (float("nan"),), ("t2",), ("T10",)]
    model = TableModel(
        [Column("Topic", lambda row: row[0], lambda value: value if value == value else "")], rows
    )
    model.sort(0, order)
    assert [text or "" for text in column_texts(model)] == expected
