"""The card that says when the work will be done, and what would change it."""

from datetime import date

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QWidget

from irjudge.errors import IrjudgeError
from irjudge.exchange.progress import Forecast, WhatIf, Work, forecast
from irjudge_ui.widgets.flow import Flow
from irjudge_ui.widgets.layout import column, text, together
from irjudge_ui.widgets.number_field import NumberField
from irjudge_ui.words import filled, in_language

MOST = 999


class ForecastCard(QWidget):
    """Shows a forecast; three fields try what more assessors, less overlap or a shallower pool would change."""

    changed = Signal()

    def __init__(self) -> None:
        super().__init__()
        self._work: Work | None = None
        self.words, self.instead = text(), text("", "quiet")
        self.more = NumberField(0, MOST, 0, self.tr("More assessors"))
        self.overlap = NumberField(0, MOST, 0, self.tr("Judgments of a document at most; 0 for as planned"))
        self.ranks = NumberField(0, MOST, 0, self.tr("Only documents down to this rank; 0 for all"))
        fields = (
            (self.tr("more assessors"), self.more),
            (self.tr("judgments a document"), self.overlap),
            (self.tr("ranks deep"), self.ranks),
        )
        tries = Flow(together(field, text(words, "quiet", wrap=False)) for words, field in fields)
        self.setLayout(column(self.words, text(self.tr("What if (0: as it is)"), "small"), tries, self.instead))
        for _, field in fields:
            field.changed.connect(lambda _value: self._show())

    def show_work(self, work: Work) -> None:
        """Forecast other work."""
        self._work = work
        self._show()

    def what_if(self) -> WhatIf:
        """Return the change to try."""
        return WhatIf(self.more.value(), self.overlap.value() or None, self.ranks.value() or None)

    def _show(self) -> None:
        if self._work is None:
            return
        today = date.today()  # noqa: DTZ011 -- the day on the wall of whoever asks
        self.words.setText(self._in_words(forecast(self._work, today)))
        asked = self.what_if()
        self.instead.setVisible(asked != WhatIf())
        if asked != WhatIf():
            self.instead.setText(self._then(self._work, today, asked))

    def _then(self, work: Work, today: date, asked: WhatIf) -> str:
        try:
            return filled(self.tr("Then: %1"), self._in_words(forecast(work, today, asked)))
        except IrjudgeError as fault:
            return in_language(str(fault))

    def _in_words(self, found: Forecast) -> str:
        if not found.left:
            return self.tr("Nothing is left to judge.")
        left = filled(self.tr("Judgments left: %1."), f"{found.left:,}")
        if found.hours is None or found.low is None or found.high is None:
            return left + " " + self.tr("How long they take is known once somebody has judged.")
        words = self.tr("Hours of work: %1 (95 %: %2 to %3).")
        for place, hours in enumerate((found.hours, found.low, found.high), 1):
            words = words.replace(f"%{place}", f"{hours:.1f}")
        days = ""
        if found.finish and found.earliest and found.latest:
            days = self.tr("At the pace so far done on %1 (%2 to %3).")
            for place, day in enumerate((found.finish, found.earliest, found.latest), 1):
                days = days.replace(f"%{place}", day.isoformat())
        return " ".join(filter(None, (left, words, days)))
