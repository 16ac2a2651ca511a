"""Tests of the model of an editable ranking: the text of each rank, and drag and drop."""

import pytest
from PySide6.QtCore import QModelIndex, Qt
from pytestqt.modeltest import ModelTester
from pytestqt.qtbot import QtBot

from irjudge_ui.pages.results.what_if import (
    DOCUMENT_COLUMN,
    GRADE_COLUMN,
    RANK_COLUMN,
    RankedRow,
    TrialModel,
)
from irjudge_ui.widgets import GRADE_LEVEL_ROLE, GRADE_TEXT_ROLE

ROWS = [
    RankedRow("d1", 3, contributes=True, cells=("1", "1.0000")),
    RankedRow("d2", None, cells=("1", "")),
    RankedRow("d3", -1),
    RankedRow("d4", -2),
    RankedRow("d5", 0),
]
SCALE = (0, 1, 3)
MOVE = Qt.DropAction.MoveAction


@pytest.fixture
def model() -> TrialModel:
    made = TrialModel()
    made.show_ranking(ROWS, ("found", "P@r"), SCALE)
    return made


def column(
    model: TrialModel, at: int, role: int = int(Qt.ItemDataRole.DisplayRole)
) -> list[object]:
    return [model.index(row, at).data(role) for row in range(model.rowCount())]


def test_the_model_passes_qts_model_tester(model: TrialModel, qtmodeltester: ModelTester) -> None:
    qtmodeltester.check(model)
    model.show_ranking(ROWS[1:], (), SCALE)
    model.show_ranking((), (), SCALE)
    qtmodeltester.check(TrialModel(movable=False))


def test_each_rank_shows_grade_document_and_running_values(model: TrialModel) -> None:
    assert column(model, RANK_COLUMN) == ["1", "2", "3", "4", "5"]
    assert column(model, GRADE_COLUMN) == [
        "grade 3",
        "unjudged",
        "unjudged",
        "unjudgeable",
        "grade 0",
    ]
    assert column(model, GRADE_COLUMN, GRADE_TEXT_ROLE) == ["3", "", "", "✕", "0"]
    assert column(model, GRADE_COLUMN, GRADE_LEVEL_ROLE) == [(2, 2), None, None, None, (0, 2)], (
        "places on a scale with a gap"
    )
    assert column(model, DOCUMENT_COLUMN + 2) == ["1.0000", "", "", "", ""]
    headers = [model.headerData(at, Qt.Orientation.Horizontal) for at in range(model.columnCount())]
    assert headers == ["Rank", "Grade", "Document", "found", "P@r"]


def test_documents_that_affect_the_value_are_bold(model: TrialModel) -> None:
    assert [
        font is not None for font in column(model, DOCUMENT_COLUMN, int(Qt.ItemDataRole.FontRole))
    ] == [True, False, False, False, False]


@pytest.mark.parametrize(
    ("dragged", "dropped", "to"),
    [(0, 2, 1), (0, 5, 4), (3, 1, 1), (4, 0, 0), (2, 0, 0)],
    ids=lambda each: str(each),
)
def test_a_dropped_document_requests_its_new_rank_and_stays_until_it_gets_it(
    model: TrialModel, qtbot: QtBot, dragged: int, dropped: int, to: int
) -> None:
    carried = model.mimeData([model.index(dragged, DOCUMENT_COLUMN)])
    with qtbot.waitSignal(model.moved) as asked:
        assert not model.dropMimeData(carried, MOVE, dropped, 0, QModelIndex()), (
            "the view must take nothing away"
        )
    assert asked.args == [dragged, to] and model.rows == tuple(ROWS)


def test_a_document_dropped_at_its_own_rank_requests_nothing(
    model: TrialModel, qtbot: QtBot
) -> None:
    carried = model.mimeData([model.index(2, DOCUMENT_COLUMN)])
    with qtbot.assertNotEmitted(model.moved):
        for below in (2, 3):
            model.dropMimeData(carried, MOVE, below, 0, QModelIndex())


def test_a_document_dropped_on_another_takes_its_rank_and_below_all_the_last(
    model: TrialModel, qtbot: QtBot
) -> None:
    carried = model.mimeData([model.index(4, DOCUMENT_COLUMN)])
    with qtbot.waitSignal(model.moved) as asked:
        model.dropMimeData(carried, MOVE, -1, -1, model.index(1, DOCUMENT_COLUMN))
    assert asked.args == [4, 1]
    with qtbot.waitSignal(model.moved) as asked:
        model.dropMimeData(
            model.mimeData([model.index(0, DOCUMENT_COLUMN)]), MOVE, -1, -1, QModelIndex()
        )
    assert asked.args == [0, 4]


def test_only_an_editable_ranking_can_be_dragged(model: TrialModel) -> None:
    fixed = TrialModel(movable=False)
    fixed.show_ranking(ROWS, (), SCALE)
    draggable = Qt.ItemFlag.ItemIsDragEnabled
    assert (
        model.flags(model.index(0, 0)) & draggable
        and not fixed.flags(fixed.index(0, 0)) & draggable
    )


def test_a_ranking_of_the_same_shape_does_not_scroll_the_view(
    model: TrialModel, qtbot: QtBot
) -> None:
    with qtbot.assertNotEmitted(model.modelReset), qtbot.waitSignal(model.dataChanged):
        model.show_ranking(ROWS[::-1], ("found", "P@r"), SCALE)
    assert column(model, DOCUMENT_COLUMN) == ["d5", "d4", "d3", "d2", "d1"]
