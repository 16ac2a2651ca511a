"""One of two rankings as a list: rank, grade, words, and where the other ranking has the document."""

from collections.abc import Mapping, Sequence
from typing import Any

from PySide6.QtCore import QAbstractListModel, Qt

from irjudge.evaluation.run_comparison import JoinedRow
from irjudge.model.ranking import UNJUDGEABLE, UNJUDGED
from irjudge_ui.charts.rank_lines import RANKED, RankedDocument
from irjudge_ui.models.tables import ROOT, Index
from irjudge_ui.words import filled, listed, plain


class RankedModel(QAbstractListModel):
    """Shows the documents of one ranking, best first."""

    def __init__(self) -> None:
        super().__init__()
        self.rows: list[RankedDocument] = []

    def fill(self, rows: Sequence[RankedDocument]) -> None:
        """Show another ranking."""
        self.beginResetModel()
        self.rows = list(rows)
        self.endResetModel()

    # What Qt asks

    def rowCount(self, parent: Index = ROOT) -> int:
        """Return the number of documents."""
        return 0 if parent.isValid() else len(self.rows)

    def data(self, index: Index, role: int = int(Qt.ItemDataRole.DisplayRole)) -> Any:
        """Return the words, the document, or all of it in words for who does not see it."""
        if not index.isValid():
            return None
        found = self.rows[index.row()]
        if role == Qt.ItemDataRole.DisplayRole:
            return found.words
        if role in (Qt.ItemDataRole.AccessibleTextRole, Qt.ItemDataRole.ToolTipRole):
            return plain(self._said(found))
        return found if role == RANKED else None

    def _said(self, found: RankedDocument) -> str:
        grade = filled(self.tr("grade %1"), found.mark) if found.level else self.tr("not judged")
        grade = self.tr("cannot be judged") if found.mark and not found.level else grade
        other = self.tr("only in this run") if found.other is None else filled(self.tr("rank %1 in the other run"), f"{found.other:,}")
        name = found.words if found.words == found.document else f"{found.words} ({found.document})"
        return f"{found.rank:,}: {listed((name, grade, other))}"


def both_rankings(
    rows: Sequence[JoinedRow], titles: Mapping[str, str], scale: Sequence[int]
) -> tuple[list[RankedDocument], list[RankedDocument]]:
    """Return the two rankings that joined rows come from."""
    first = [_ranked(row, row.first, row.second, titles, scale) for row in rows if row.first is not None]
    second = [_ranked(row, row.second, row.first, titles, scale) for row in rows if row.second is not None]
    return sorted(first, key=lambda each: each.rank), sorted(second, key=lambda each: each.rank)


def _ranked(row: JoinedRow, rank: int, other: int | None, titles: Mapping[str, str], scale: Sequence[int]) -> RankedDocument:
    words = titles.get(row.document) or row.document
    if row.grade is None or (row.grade not in scale and row.grade == UNJUDGED):
        return RankedDocument(row.document, words, rank, other)
    if row.grade not in scale and row.grade == UNJUDGEABLE:
        return RankedDocument(row.document, words, rank, other, "✕")
    place = max(0, sum(grade <= row.grade for grade in scale) - 1)
    return RankedDocument(row.document, words, rank, other, str(row.grade).replace("-", "−"), (place, len(scale) - 1))
