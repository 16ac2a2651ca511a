"""A table of runs and measures: what a plain table shows, and for each number its place on the column's scale, a sign, a line below."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from irjudge_ui.models.tables import Column, Index, Role, TableModel
from irjudge_ui.widgets.delegates.score import BELOW, HEAT, PLACE, SIGN

Cell = tuple[int, int]  # row and column as they were filled, whatever they are sorted by


@dataclass(frozen=True, slots=True)
class ScoreColumn(Column):
    """A column of numbers that are coloured by their size."""

    heat: bool = True


class ScoreModel(TableModel):
    """Shows rows through columns. Signs and lines below come later, and go when other rows are shown."""

    def __init__(self) -> None:
        self._spans: tuple[tuple[float, float] | None, ...] = ()
        self._told: dict[int, Mapping[Cell, str]] = {}
        self.coloured = True
        super().__init__()

    def fill(self, rows: Sequence[Any], columns: Sequence[Column] | None = None) -> None:
        """Show other rows, and other columns when given."""
        self._told = {}
        self._spans = tuple(_span(column, rows) for column in (self.columns if columns is None else columns))
        super().fill(rows, columns)

    def tell(self, role: int, words: Mapping[Cell, str]) -> None:
        """Show signs (`SIGN`), lines below numbers (`BELOW`) or places before words (`PLACE`)."""
        self._told[role] = words
        self._refresh()

    def told(self, role: int) -> Mapping[Cell, str]:
        """Return the signs, the lines below numbers or the places that are shown."""
        return self._told.get(role, {})

    def colour(self, *, coloured: bool) -> None:
        """Colour numbers by their size, or do not."""
        self.coloured = coloured
        self._refresh()

    def extremes(self, column: int) -> set[str]:
        """Return how the lowest and the highest value of a column of numbers are written: none of the others is wider."""
        shown = self.columns[column]
        values = sorted(value for value in map(shown.value, self.rows) if value == value)
        return {shown.show(value) for value in (values[:1] + values[-1:])}

    def below(self, column: int) -> str:
        """Return the longest line below a number of a column."""
        return max((words for (_, at), words in self._told.get(BELOW, {}).items() if at == column), key=len, default="")

    def _refresh(self) -> None:
        if self.rows and self.columns:
            self.dataChanged.emit(self.index(0, 0), self.index(len(self.rows) - 1, len(self.columns) - 1))

    def data(self, index: Index, role: int = int(Role.DisplayRole)) -> Any:
        """Return what a plain table returns, a number's place on its column's scale, its sign, the line below it, or a place."""
        if not index.isValid():
            return None
        if role in (SIGN, BELOW, PLACE):
            return self._told.get(role, {}).get((index.row(), index.column()))
        if role == HEAT:
            return self._heat(index)
        if role == Role.AccessibleTextRole:
            return self._said(index)
        return super().data(index, role)

    def _heat(self, index: Index) -> float | None:
        span = self._spans[index.column()]
        if span is None or not self.coloured:
            return None
        value = float(self.columns[index.column()].value(self.rows[index.row()]))
        return None if value != value else (value - span[0]) / (span[1] - span[0])

    def _said(self, index: Index) -> str:
        cell = index.row(), index.column()
        parts = [str(super().data(index)), self._told.get(BELOW, {}).get(cell, "")]
        if self._told.get(SIGN, {}).get(cell):
            parts.append(self.tr("not significantly different from the best"))
        return ", ".join(filter(None, parts))


def _span(column: Column, rows: Sequence[Any]) -> tuple[float, float] | None:
    """Return the lowest and highest value of a coloured column; None where there is no difference to show."""
    if not isinstance(column, ScoreColumn) or not column.heat:
        return None
    values = [value for value in map(column.value, rows) if value == value]
    return (min(values), max(values)) if values and max(values) > min(values) else None
