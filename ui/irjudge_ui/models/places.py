"""The documents of one topic as a list: in the order they are judged, with what was said of each."""

from collections.abc import Mapping, Sequence
from typing import Any

from PySide6.QtCore import QAbstractListModel, Qt

from irjudge.judging.queue import PlaceState
from irjudge_ui.models.tables import ROOT, Index
from irjudge_ui.widgets.delegates.score import ASIDE
from irjudge_ui.widgets.grades.chip import LEVEL, MARK
from irjudge_ui.words import filled, listed

PLACE = int(Qt.ItemDataRole.UserRole)
SIGNS = {"unjudgeable": "✕", "skipped": "↷", "unjudged": ""}
UNSURE, NOTED = "⚑", "✎"


class PlacesModel(QAbstractListModel):
    """Shows places in queue order, which tells nothing of rank or system."""

    def __init__(
        self, places: Sequence[PlaceState], titles: Mapping[str, str], grades: Sequence[int]
    ) -> None:
        super().__init__()
        self.places, self._titles, self._grades = list(places), titles, list(grades)

    def show_places(self, places: Sequence[PlaceState]) -> None:
        """List other places."""
        self.beginResetModel()
        self.places = list(places)
        self.endResetModel()

    def name(self, titles: Mapping[str, str]) -> None:
        """Take the titles of the places that are listed next."""
        self._titles = titles

    # What Qt asks

    def rowCount(self, parent: Index = ROOT) -> int:
        """Return the number of documents."""
        return 0 if parent.isValid() else len(self.places)

    def data(self, index: Index, role: int = int(Qt.ItemDataRole.DisplayRole)) -> Any:
        """Return the title, what the swatch says, its level, what stands aside, or the place itself."""
        if not index.isValid():
            return None
        state = self.places[index.row()]
        document = state.place.document
        title = self._titles.get(document, "")
        if role == Qt.ItemDataRole.DisplayRole:
            return title or document
        if role == Qt.ItemDataRole.AccessibleTextRole:
            return f"{self._said(state)}: {title or document}"
        return {
            PLACE: state,
            MARK: str(state.grade) if state.state == "grade" else SIGNS[state.state],
            LEVEL: (self._grades.index(state.grade), len(self._grades) - 1)
            if state.grade in self._grades
            else None,
            ASIDE: "  ".join(
                filter(
                    None, (NOTED * state.noted, UNSURE * state.unsure, document if title else "")
                )
            ),
        }.get(int(role))

    def _said(self, state: PlaceState) -> str:
        words = {
            "grade": filled(self.tr("grade {grade}"), grade=str(state.grade)),
            "unjudgeable": self.tr("cannot be judged"),
            "skipped": self.tr("skipped"),
            "unjudged": self.tr("not judged"),
        }[state.state]
        marks = (
            (state.unsure, self.tr("unsure")),
            (state.noted, self.tr("with a note or reasons")),
        )
        return listed((words, *(mark for stands, mark in marks if stands)))
