"""Tests of two rankings that scroll together: only visible rows are drawn."""

import pytest
from PySide6.QtWidgets import QApplication
from pytestqt.modeltest import ModelTester
from pytestqt.qtbot import QtBot

from irjudge.evaluation import JoinedRow
from irjudge_ui.charts import RankLists
from irjudge_ui.pages.compare.run_comparison import RankedModel, split_rankings

LONG = 1000


def make_lists(qtbot: QtBot, rows: list[JoinedRow]) -> RankLists:
    models = RankedModel(), RankedModel()
    made = RankLists(*models)
    made.models = models  # type: ignore[attr-defined]  # a view does not own its model
    qtbot.addWidget(made)
    for model, ranked in zip(models, split_rankings(rows, {}, (0, 1, 2)), strict=True):
        model.fill(ranked)
    made.resize(700, 400)
    made.show()
    qtbot.waitExposed(made)
    return made


def test_both_lists_scroll_together_and_only_visible_rows_are_drawn(qtbot: QtBot) -> None:
    made = make_lists(qtbot, [JoinedRow(f"d{index}", index, index) for index in range(1, LONG + 1)])
    left, right = made.lists
    left.verticalScrollBar().setValue(500 * left.row_height())
    assert right.verticalScrollBar().value() == 500 * left.row_height()
    visible = made.lines.visible_lines()
    assert [document for _, _, document in visible] == [
        f"d{index + 1}" for index in left.visible_rows()
    ] and len(visible) < 20
    assert all(begin == end for begin, end, _ in visible)
    QApplication.processEvents()
    assert not made.grab().isNull()


def test_a_short_ranking_does_not_limit_scrolling_of_the_long_one(qtbot: QtBot) -> None:
    short = 50
    made = make_lists(
        qtbot,
        [
            JoinedRow(f"d{index}", index, index if index <= short else None)
            for index in range(1, LONG + 1)
        ],
    )
    left, right = made.lists
    left.verticalScrollBar().setValue(900 * left.row_height())
    assert left.verticalScrollBar().value() == 900 * left.row_height()
    assert right.verticalScrollBar().value() == right.verticalScrollBar().maximum() > 0
    visible = made.lines.visible_lines()
    assert [document for _, _, document in visible] == [
        f"d{index + 1}" for index in right.visible_rows()
    ]
    assert all(begin < 0 for begin, _, _ in visible)


def test_a_line_points_to_a_rank_that_is_scrolled_out_of_view(qtbot: QtBot) -> None:
    rows = [
        JoinedRow("far", 1, 900),
        *(JoinedRow(f"d{index}", None, index) for index in range(1, 900)),
    ]
    made = make_lists(qtbot, rows)
    height = made.lists[0].row_height()
    assert made.lines.visible_lines() == [(0.5 * height, 899.5 * height, "far")]


def test_a_line_joins_the_two_ranks_of_a_document(qtbot: QtBot) -> None:
    made = make_lists(
        qtbot, [JoinedRow("d1", 1, 3), JoinedRow("d2", 2, 1), JoinedRow("d3", None, 2)]
    )
    height = made.lists[0].row_height()
    assert sorted(made.lines.visible_lines()) == [
        (0.5 * height, 2.5 * height, "d1"),
        (1.5 * height, 0.5 * height, "d2"),
    ]


@pytest.mark.parametrize(
    ("grade", "scale", "mark", "level"),
    [
        (None, (0, 1, 2), "", None),
        (-1, (0, 1, 2), "", None),
        (-2, (0, 1, 2), "✕", None),
        (-2, (-2, 0, 1), "−2", (0, 2)),
        (2, (0, 1, 2), "2", (2, 2)),
        (7, (0, 1, 2), "7", (2, 2)),
        (1, (0, 2), "1", (0, 1)),
    ],
)
def test_grades_are_mapped_to_positions_on_their_scale(
    grade: int | None, scale: tuple[int, ...], mark: str, level: tuple[int, int] | None
) -> None:
    [ranked], [] = split_rankings([JoinedRow("d1", 1, None, grade)], {"d1": "A title"}, scale)
    assert (ranked.mark, ranked.level, ranked.label) == (mark, level, "A title")


def test_the_model_passes_qts_model_tester(qtmodeltester: ModelTester) -> None:
    model = RankedModel()
    qtmodeltester.check(model)
    model.fill(split_rankings([JoinedRow("d1", 1, 2), JoinedRow("d2", 2, 1)], {}, (0, 1))[0])
    qtmodeltester.check(model)
