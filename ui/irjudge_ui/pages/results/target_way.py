"""The target way on the page Found: what it costs, how far it is, and the one step that comes next."""

from collections.abc import Callable

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QWidget

from irjudge.judging.finding.target import AT_ONCE, TargetStanding, draw_targets, search_anew
from irjudge.stats.certificate import TARGET, TARGET_RECALL, target_cost
from irjudge.store.project import Project
from irjudge_ui.widgets.layout import Held, button, column, row, text
from irjudge_ui.words import filled, in_language, sentences

Step = Callable[[Project], object]


class TargetPart(QWidget):
    """Shows how far a topic is on the target way. `judge` comes where something is to be judged, `step` with work to do beside it."""

    judge = Signal()
    step = Signal(object)  # takes the project

    def __init__(self) -> None:
        super().__init__()
        self.said, self.go = Held("small"), button("")
        self._do: Callable[[], object] = lambda: None
        self.setLayout(column(text(self.tr("The target way"), "strong"), self.said, row(self.go, None)))
        self.go.clicked.connect(lambda: self._do())

    def show_topic(self, topic: str, standing: TargetStanding | None, *, rel: int, found: int, rest: int, writing: bool) -> None:
        """Show a topic of which so many documents are relevant, and so many are not judged by anybody."""
        cost = _cost(found, rest) if standing is None else 0.0
        self.said.setText(self._words(standing, found, rest))
        words, self._do = self._next(topic, standing, rel)
        self.go.setText(words)
        self.go.setVisible(bool(words) and cost is not None)
        self.go.setEnabled(writing)

    def _next(self, topic: str, standing: TargetStanding | None, rel: int) -> tuple[str, Callable[[], object]]:
        """Return what the button says and does; nothing once all is found again."""
        draw: Step = lambda project: draw_targets(project, topic, rel=rel)  # noqa: E731 it is named for what it does
        if standing is None:
            return filled(self.tr("Draw the first %1"), str(AT_ONCE)), lambda: self.step.emit(draw)
        if standing.complete:
            return "", lambda: None
        if standing.waits:
            return self.tr("Judge what was drawn"), self.judge.emit
        if not standing.drawn:
            return filled(self.tr("Draw %1 more"), str(AT_ONCE)), lambda: self.step.emit(draw)
        if not standing.way.searching:
            return self.tr("Search anew without them"), lambda: self.step.emit(lambda project: search_anew(project, topic))
        return self.tr("Go on judging"), self.judge.emit

    def _words(self, standing: TargetStanding | None, found: int, rest: int) -> str:
        """Return how far it is; before it begins what it costs, where as many are left as a quarter of what was found, or ten."""
        if standing is not None:
            return sentences(*map(in_language, standing.sentences()))
        cost = _cost(found, rest)
        if cost is None:
            return self.tr("It begins with ten relevant documents that are drawn at random, which is not affordable here.")
        words = self.tr(
            "Judge at random until %1 are relevant, about %2 documents if %3 of the rest are. Then search anew, without them, until all"
            " %1 are found again: recall is at least %4 with 95 %."
        )
        return filled(words, str(TARGET), f"{cost:,.0f}", f"{_perhaps(found):,}", str(TARGET_RECALL))


def _perhaps(found: int) -> int:
    """Return how many relevant documents may be left."""
    return max(found // 4, TARGET)


def _cost(found: int, rest: int) -> float | None:
    """Return how many documents are drawn on average; None where that is all of them."""
    cost = target_cost(rest, _perhaps(found)) if rest else None
    return cost if cost is not None and cost < rest else None
