"""Columns of values that lie in an interval."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from irjudge_ui.charts.interval_bar import SPAN, Span
from irjudge_ui.models.tables import Column, Index, Role, TableModel


@dataclass(frozen=True, slots=True)
class SpanColumn(Column):
    """A column drawn as bars; `span` says what is drawn of a row, `without` what is written where that is nothing."""

    span: Callable[[Any], Span | None] = lambda _row: None
    without: str = ""

    def words(self, row: Any) -> str:
        """Return the numbers that a bar is drawn from."""
        span = self.span(row)
        return self.without if span is None else " ".join(filter(None, (span.words, span.aside)))

    def searched(self, row: Any) -> str:  # noqa: ARG002 -- what a bar shows are numbers, whatever the row
        """Return no words."""
        return ""


class SpanModel(TableModel):
    """A table some columns of which are drawn as bars; the words that stand for a bar are its numbers."""

    def data(self, index: Index, role: int = int(Role.DisplayRole)) -> Any:
        """Return what is drawn, or what any table returns."""
        column = self.columns[index.column()] if index.isValid() else None
        if role == SPAN and isinstance(column, SpanColumn):
            return column.span(self.rows[index.row()])
        return super().data(index, role)
