"""Where topic, document, grades and keys stand on the judging page: beside each other, or one below another."""

from PySide6.QtCore import QTimer
from PySide6.QtWidgets import QBoxLayout, QFrame, QGridLayout, QSizePolicy, QWidget

from irjudge_ui.desk.action_list import ActionRow, KeyStrip
from irjudge_ui.desk.panels import GradePanel, TopicPanel
from irjudge_ui.widgets.layout import card, column
from irjudge_ui.widgets.theme import SPACE_L, SPACE_S, SPACE_XL

WIDE, NARROW = 830, 560  # widths of this page: a window of 1,000 and of 700 pixels less the rail
BESIDE_HEIGHT, GRADE_HEIGHT = (
    300,
    50,
)  # what stands beside the document, and each grade; with less height they go below
PLACES = {
    "wide": ((0, 0, 1, 1), (0, 1, 1, 1), (0, 2, 1, 1)),
    "middle": ((0, 0, 1, 2), (1, 0, 1, 1), (1, 1, 1, 1)),
    "narrow": ((0, 0, 1, 1), (1, 0, 1, 1), (2, 0, 1, 1)),
}


SHORT_LIST = (
    "skip",
    "unjudgeable",
    "unsure",
    "note",
    "reason",
    "undo",
    "passage",
    "jump",
    "shortcuts",
)


class Desk(QWidget):
    """Three columns in a wide window; the topic on top, and then the grades below, as the room gets less. The keys stand at the foot."""

    def __init__(self, topic: TopicPanel, papers: QWidget, grades: GradePanel) -> None:
        super().__init__()
        self.keys = KeyStrip(SHORT_LIST)
        self._topic, self._grades = topic, grades
        self.way_on = ActionRow("go-on", cap_width=0)
        self.way_on.hide()
        self._paper: QFrame = card(self.way_on, papers, margin=SPACE_XL)
        self._paper.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Expanding)
        self._grid = QGridLayout(self)
        self._grid.setContentsMargins(0, 0, 0, 0)
        self._arranged = ("wide", 0.0)
        self._arrange("wide")

    def fit(self, width: float, height: float, zoom: float, grades: int) -> None:
        """Stand as the room allows, given in pixels at the normal zoom; `grades` is how many the scale has."""
        low = height < BESIDE_HEIGHT + GRADE_HEIGHT * grades
        if low or width < NARROW:
            shape = "narrow"
        elif width >= WIDE:
            shape = "wide"
        else:
            shape = "middle"
        if (shape, zoom) != self._arranged:
            self._arranged = (shape, zoom)
            QTimer.singleShot(0, self, lambda: self._arrange(shape))

    def _arrange(self, shape: str) -> None:
        parts: tuple[QWidget, ...] = (self._topic, self._paper, self._grades)
        places = PLACES[shape]
        for part in parts:
            self._grid.removeWidget(part)
        self._grid.setSpacing(SPACE_S if shape == "narrow" else SPACE_L)
        self._topic.arrange(shape)
        self._grades.arrange(shape)
        margin = SPACE_XL if shape == "wide" else SPACE_S + 4
        inside = self._paper.layout()
        assert isinstance(inside, QBoxLayout)  # noqa: S101 -- a card is a column
        inside.setContentsMargins(margin, margin, margin, margin)
        (self._grades.low_line if shape == "narrow" else inside).insertWidget(0, self.way_on)
        for part, place in zip(parts, places, strict=True):
            self._grid.addWidget(part, *place)
        across = 1 + max(
            column for _, column, *_ in places
        )  # a column that holds nothing would keep its distance
        self._grid.addWidget(self.keys, 3, 0, 1, across)
        for line in range(3):
            self._grid.setColumnStretch(line, int(line == places[1][1]))
            self._grid.setRowStretch(line, int(line == places[1][0]))
        self._grid.activate()
        self._grid.invalidate()  # a part that asks for another height while it is placed leaves those before it without any
        self._grid.activate()


def papers(*parts: QWidget) -> QWidget:
    """Return what stands on the card in the middle: the document, and what is opened above it."""
    holder = QWidget()
    holder.setLayout(column(*parts))
    return holder
