"""The query's words in the document: marked in the text, counted on a card beside it."""

from collections.abc import Sequence

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QGridLayout, QVBoxLayout, QWidget

from irjudge.text.highlight import Hit, Term, counts
from irjudge_ui.widgets.keycap import keycap
from irjudge_ui.widgets.layout import card, clear, text
from irjudge_ui.widgets.theme import SPACE_L, SPACE_M

MOST_TERMS = 8


class HighlightsCard(QWidget):
    """Each word of the query and how often the document has it; a word it lacks is quiet and says 0."""

    def __init__(self) -> None:
        super().__init__()
        self.full = False  # whether there is anything to show
        self._grid = QGridLayout()
        self._grid.setVerticalSpacing(6)
        self._grid.setHorizontalSpacing(SPACE_M)
        self._grid.setColumnStretch(1, 1)
        box = QVBoxLayout(self)
        box.setContentsMargins(0, SPACE_L, 0, 0)
        box.addWidget(card(text(self.tr("Highlighted"), "small"), self._grid))

    def show_hits(self, terms: Sequence[Term], hits: Sequence[Hit]) -> None:
        """Show what was found."""
        clear(self._grid)
        for line, (term, count) in enumerate(list(zip(terms, counts(hits, terms), strict=True))[:MOST_TERMS]):
            self._grid.addWidget(keycap(f"{count:,}"), line, 0, Qt.AlignmentFlag.AlignLeft)
            self._grid.addWidget(text(term.text, "" if count else "quiet"), line, 1)
        self.full = bool(terms)
