"""Tests of right-to-left text in tables and combo boxes: its end and its dots are at the left."""

from collections.abc import Callable

import numpy as np
import pytest
from PySide6.QtCore import QRect
from PySide6.QtGui import QImage
from PySide6.QtWidgets import QWidget
from pytestqt.qtbot import QtBot

from irjudge_ui.charts import RankedDocument
from irjudge_ui.charts.ranking_comparison import LEFT, RankedList
from irjudge_ui.messages import isolate, with_title
from irjudge_ui.models import Column, TableModel
from irjudge_ui.pages.compare.run_comparison import RankedModel
from irjudge_ui.pages.frame.exports import model_to_table
from irjudge_ui.widgets import ChoiceBox, Table
from tests.arabic import DOCUMENTS, TOPICS

SENTENCE = "رأيت في السوق تمرا كثيرا، ولم أشتر شيئا."
LONG = DOCUMENTS[0].title


def ink_mask(widget: QWidget, cell: QRect) -> np.ndarray:
    """Return where a part of a widget is darker than its background."""
    image = widget.grab(cell).toImage().convertToFormat(QImage.Format.Format_Grayscale8)
    grey = np.frombuffer(image.constBits(), np.uint8).reshape(image.height(), image.bytesPerLine())[
        :, : image.width()
    ]
    return np.asarray(grey[: grey.shape[0] - 3] < 140)  # without the line below a row


def begins_with_dots(dark: np.ndarray) -> bool:
    """Return whether the leftmost ink is as low as a full stop and the rightmost is a letter."""
    columns = np.flatnonzero(dark.any(axis=0))
    heights = [
        np.ptp(np.flatnonzero(dark[:, part].any(axis=1))) + 1
        for part in (slice(columns[0], columns[0] + 3), columns[-3:])
    ]
    return bool(heights[0] <= 4 < heights[1])


@pytest.fixture
def make_table(qtbot: QtBot) -> Callable[[str, int], Table]:
    def make(text: str, width: int) -> Table:
        model = TableModel([Column("Title", lambda row: row)], [text])
        made = Table(model, "titles")
        made.resize(width, 120)
        made.setStyleSheet("QTableView { background: white; color: black; }")
        qtbot.addWidget(made)
        made.show()
        qtbot.waitExposed(made)
        made.clearSelection()
        return made

    return make


@pytest.mark.parametrize(
    ("text", "width", "first"),
    [(SENTENCE, 700, True), (LONG, 300, True), ("A sentence.", 700, False)],
)
def test_the_end_of_a_title_is_at_its_left(
    make_table: Callable[[str, int], Table], text: str, width: int, first: bool
) -> None:
    made = make_table(text, width)
    assert (
        begins_with_dots(ink_mask(made.viewport(), made.visualRect(made.model().index(0, 0))))
        is first
    )


def test_titles_are_aligned_where_the_column_begins(
    make_table: Callable[[str, int], Table],
) -> None:
    begins = [np.flatnonzero(ink_mask(made.viewport(), made.visualRect(made.model().index(0, 0))).any(axis=0))[0] for made in
              (make_table(text, 700) for text in (SENTENCE, "A sentence."))]  # fmt: skip
    assert abs(begins[0] - begins[1]) < 4


def test_copied_text_has_no_direction_marks() -> None:
    model = TableModel(
        [
            Column(
                "Topic",
                lambda topic: topic.id,
                lambda _id: with_title(TOPICS[0].id, TOPICS[0].title),
            )
        ],
        [TOPICS[0]],
    )
    assert isolate(TOPICS[0].title) in model.index(0, 0).data()
    assert model_to_table(model).rows == ((f"1  {TOPICS[0].title}",),)


def test_a_combo_box_shows_the_beginning_of_a_title_and_then_dots(qtbot: QtBot) -> None:
    box = ChoiceBox(12)
    qtbot.addWidget(box)
    box.addItem(with_title("1", TOPICS[0].title), "1")
    box.show()
    assert (
        box.elided_text().startswith(f"1  \u2068{TOPICS[0].title[:5]}") and "…" in box.elided_text()
    )
    room = box.rect().adjusted(8, 6, -30, -6)
    assert np.flatnonzero(ink_mask(box, room).any(axis=0))[-1] > room.width() - 14, (
        "the first letter is at the right"
    )
    box.setItemText(0, "1  tea")
    assert box.elided_text() == "1  tea"


def test_a_list_of_titles_ends_them_at_the_left(qtbot: QtBot) -> None:
    model = RankedModel()
    model.fill([RankedDocument("d", LONG, 1, None, "", None)])
    made = RankedList(model, LEFT)
    made.setStyleSheet("QListView { background: white; }")
    qtbot.addWidget(made)
    made.resize(260, 60)
    made.show()
    qtbot.waitExposed(made)
    row = made.visualRect(model.index(0))
    assert begins_with_dots(ink_mask(made.viewport(), row.adjusted(64, 4, -30, -4)))
