"""How a value comes about, in words: the value, the formula filled in step by step, what would change it, and every chosen measure."""

from collections.abc import Sequence

from PySide6.QtCore import QCoreApplication, Qt, Signal
from PySide6.QtWidgets import QVBoxLayout, QWidget

from irjudge.evaluation.explain import Explanation
from irjudge.evaluation.what_if import Exchange, ValueChanges
from irjudge.metrics.basis.judged import Scores
from irjudge.metrics.naming.names import Measure
from irjudge_ui.models.tables import Column, TableModel, sorted_model
from irjudge_ui.widgets.filter_line import FilterLine
from irjudge_ui.widgets.layout import button, card, row, text
from irjudge_ui.widgets.table import Table
from irjudge_ui.widgets.theme import SPACE_M
from irjudge_ui.words import filled, in_language, sentences

MOST_MEASURES = 6  # shown at once
SAME = 1e-12
translate = QCoreApplication.translate


class Calculation(QWidget):
    """Shows an explanation. `exchanged` asks for two ranks to change places, `asked` for another measure by its name."""

    exchanged = Signal(int, int)
    asked = Signal(str)

    def __init__(self) -> None:
        super().__init__()
        self.value, self._formula, self.steps = text("", "title"), text("", "quiet"), text("")
        self._change, self._judgment = text(""), text("")
        self._exchange: Exchange | None = None
        self._try = button(self.tr("Exchange them"))
        self.measures = TableModel()
        self._sorted = sorted_model(self.measures)
        self.table = Table(self._sorted, self.tr("Every chosen measure"), rows=MOST_MEASURES)
        for each in (self.value, self._formula, self.steps):
            each.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
        self._try.clicked.connect(self._ask_exchange)
        self.table.opened.connect(lambda row: self.asked.emit(str(self.table.model().index(row, 0).data())))
        what = text(self.tr("What would change it"), "heading")
        self._what = card(what, self._change, row(self._try, None), self._judgment, margin=SPACE_M)
        box = QVBoxLayout(self)
        box.setContentsMargins(0, 0, 0, 0)
        box.setSpacing(SPACE_M)
        box.addWidget(card(self.value, self._formula, self.steps, margin=SPACE_M))
        box.addWidget(card(text(self.tr("Every chosen measure"), "heading"), FilterLine(self.table), self.table, margin=SPACE_M))
        box.addWidget(self._what)

    def show_explanation(self, found: Explanation, before: float, decimals: int) -> None:
        """Show a calculation, whose last line is the value in full, and what the value was before anything was changed."""
        declaration = found.measure.declaration
        decimals = 0 if found.value == round(found.value) and declaration.summary == "sum" else decimals
        words = f"{found.measure.name} = {found.value:.{decimals}f}"
        if abs(found.value - before) > SAME:
            words = filled(self.tr("%1 (it was %2)"), words, f"{before:.{decimals}f}")
        self.value.setText(words)
        self._formula.setText(sentences(in_language(declaration.title) + ":", declaration.formula))
        steps = [*map(in_language, found.working.steps), found.result]
        self.steps.setText("\n".join(steps))

    def show_measures(self, measures: Sequence[Measure], before: Scores, now: Scores, at: int, decimals: int) -> None:
        """Show the values of all chosen measures, as the project has them and as they are now; the one at a place is explained."""
        rows = list(zip(measures, before.tolist(), now.tolist(), strict=True))
        self.measures.fill(rows, _columns(decimals, changed=bool((before != now).any())))
        self.table.setCurrentIndex(self._sorted.mapFromSource(self.measures.index(at, 0)))

    def show_waiting(self) -> None:
        """Say that what would change the value is being computed."""
        self._change.setText(self.tr("Every exchange of two documents is tried …"))
        self._try.hide()
        self._judgment.hide()

    def show_changes(self, found: ValueChanges, decimals: int) -> None:
        """Show what would change the value."""
        best = self._exchange = found.exchange
        if best:
            words = self.tr("Of %1 exchanges of two documents, ranks %2 and %3 raise it most: to %4 (%5).")
            gained = f"{best.value:.{decimals}f}", _signed(best.value - found.value, decimals)
            words = filled(words, f"{found.tried:,}", best.upper, best.lower, *gained)
        else:
            words = filled(self.tr("None of %1 exchanges of two documents raises it."), f"{found.tried:,}")
        self._change.setText(words)
        self._try.setVisible(best is not None)
        next_one = found.judgment
        said = self.tr("Every document of the ranking is judged.")
        if next_one:
            said = self.tr("The first unjudged document stands at rank %1. With the lowest grade the value is %2, with the highest %3.")
            said = filled(said, next_one.rank, f"{next_one.lowest:.{decimals}f}", f"{next_one.highest:.{decimals}f}")
        self._judgment.setText(said)
        self._judgment.show()

    def _ask_exchange(self) -> None:
        if self._exchange:
            self.exchanged.emit(self._exchange.upper, self._exchange.lower)


def _signed(difference: float, decimals: int) -> str:
    return f"{difference:+.{decimals}f}".replace("-", "−")


def _columns(decimals: int, *, changed: bool) -> list[Column]:
    """Return the columns: measure and value; after a change also the difference from what the project has."""

    def shown(value: float) -> str:
        return f"{value:.{decimals}f}"

    columns = [
        Column(translate("Calculation", "Measure"), lambda line: line[0].name),
        Column(translate("Calculation", "Value"), lambda line: line[2], shown, number=True),
    ]
    if changed:
        header, value = translate("Calculation", "Change"), lambda line: line[2] - line[1]
        columns.append(Column(header, value, lambda each: _signed(each, decimals) if abs(each) > SAME else "=", number=True))
    return columns
