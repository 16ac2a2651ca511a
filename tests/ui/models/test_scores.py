"""Tests of the model of runs and measures: position on a column's scale, and added signs."""

import pytest
from PySide6.QtCore import Qt
from pytestqt.modeltest import ModelTester
from pytestqt.qtbot import QtBot

from irjudge_ui.models import Column, ScoreColumn, ScoreModel
from irjudge_ui.widgets import HEAT_ROLE, SECOND_LINE_ROLE, SIGN_ROLE

NAN = float("nan")
COLUMNS = (
    Column("Run", lambda row: row[0]),
    ScoreColumn("AP", lambda row: row[1], "{:.2f}".format, number=True, best=True),
    ScoreColumn("NumRet", lambda row: row[1], str, number=True, heat=False),
    ScoreColumn("Same", lambda _row: 1.0, str, number=True),
)
ROWS = [("a", 0.2), ("b", 0.6), ("c", NAN), ("d", 1.0)]
Accessible = int(Qt.ItemDataRole.AccessibleTextRole)


@pytest.fixture
def model() -> ScoreModel:
    made = ScoreModel()
    made.fill(ROWS, COLUMNS)
    return made


def test_the_model_passes_qts_model_tester(model: ScoreModel, qtmodeltester: ModelTester) -> None:
    qtmodeltester.check(model)
    model.set_annotations(SIGN_ROLE, {(1, 1): "≈"})
    model.fill(())
    model.set_annotations(SECOND_LINE_ROLE, {})


def test_a_value_is_placed_between_the_lowest_and_the_highest_of_its_column(
    model: ScoreModel,
) -> None:
    assert [model.index(row, 1).data(HEAT_ROLE) for row in range(4)] == pytest.approx(
        [0, 0.5, None, 1]
    )


@pytest.mark.parametrize("column", [0, 2, 3], ids=["words", "counts", "all the same"])
def test_values_without_a_scale_have_no_colour(model: ScoreModel, column: int) -> None:
    assert model.index(3, column).data(HEAT_ROLE) is None


def test_colours_can_be_turned_off(model: ScoreModel) -> None:
    model.set_coloured(coloured=False)
    assert model.index(3, 1).data(HEAT_ROLE) is None


def test_signs_and_lines_stay_with_their_run_when_sorted(model: ScoreModel) -> None:
    model.set_annotations(SIGN_ROLE, {(1, 1): "≈"})
    model.set_annotations(SECOND_LINE_ROLE, {(1, 1): "0.5–0.7"})
    model.sort(1, Qt.SortOrder.DescendingOrder)
    descriptions = {
        model.index(row, 0).data(): (
            model.index(row, 1).data(SIGN_ROLE),
            model.index(row, 1).data(SECOND_LINE_ROLE),
        )
        for row in range(4)
    }
    assert descriptions == {
        "d": (None, None),
        "b": ("≈", "0.5–0.7"),
        "a": (None, None),
        "c": (None, None),
    }


def test_drawn_signs_have_accessible_text(model: ScoreModel) -> None:
    model.set_annotations(SIGN_ROLE, {(1, 1): "≈"})
    model.set_annotations(SECOND_LINE_ROLE, {(1, 1): "0.5–0.7"})
    value, interval, sign = model.index(1, 1).data(Accessible).split(", ")
    assert (value, interval) == ("0.60", "0.5–0.7") and sign
    assert model.index(0, 1).data(Accessible) == "0.20"


def test_new_rows_have_no_signs_of_the_old_ones(model: ScoreModel, qtbot: QtBot) -> None:
    with qtbot.waitSignal(model.dataChanged):
        model.set_annotations(SIGN_ROLE, {(1, 1): "≈"})
    model.fill(ROWS)
    assert model.index(1, 1).data(SIGN_ROLE) is None
