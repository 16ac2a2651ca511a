"""What can be chosen of a figure: runs that stand out, topic, measures, and how its numbers come about."""

from collections.abc import Sequence
from typing import Any

from PySide6.QtCore import QT_TRANSLATE_NOOP, QCoreApplication, Signal
from PySide6.QtWidgets import QLineEdit, QWidget

from irjudge.report.figures.chart import CURVES, DOTS, FITS, Figure, FigureWish
from irjudge.stats.agreement.coefficients import AGREEMENT
from irjudge.stats.correlation import list_correlations
from irjudge_ui.widgets.fields import ChoiceBox
from irjudge_ui.widgets.layout import Flow, row, text
from irjudge_ui.widgets.theme import SPACE_S, zoomed

LETTERS, FIELD = 12, 220
LEVELS = (11, 101)
RANKS = (10, 20, 50, 100, 1000)
translate = QCoreApplication.translate
CHOICES = {
    "topics": QT_TRANSLATE_NOOP("FigureChoices", "mean of ratios"),
    "ratio": QT_TRANSLATE_NOOP("FigureChoices", "ratio of means"),
    "systems": QT_TRANSLATE_NOOP("FigureChoices", "a point a run"),
    "none": QT_TRANSLATE_NOOP("FigureChoices", "none"),
    "binormal": QT_TRANSLATE_NOOP("FigureChoices", "binormal, with its area"),
    "each": QT_TRANSLATE_NOOP("FigureChoices", "a point a topic"),
    "cg": "CG",
    "dcg": "DCG",
    "ncg": "NCG",
    "ndcg": "nDCG",
    "log2p1": "log2(rank + 1)",
    "jk": "log2(rank)",
}
DISCOUNTS = ("log2p1", "jk")


class FigureChoices(QWidget):
    """Fields for the parts of a wish; those that the figure does not look at are hidden. `changed` comes when a person changes one."""

    changed = Signal()

    def __init__(self) -> None:
        super().__init__()
        self._figure: Figure | None = None
        self._typed: dict[str, str] = {}  # the measures of each figure
        self.measures = QLineEdit()
        self.measures.setAccessibleName(self.tr("Measures of the figure"))
        self.measures.setToolTip(self.tr("Names with spaces between, for example: AP nDCG@10"))
        self.run = ChoiceBox(LETTERS, self.tr("Run that stands out"))
        self.against = ChoiceBox(LETTERS, self.tr("Second run that stands out"))
        self.topic = ChoiceBox(LETTERS, self.tr("Topic of the figure"))
        self.model = ChoiceBox(LETTERS, self.tr("Model of the figure"))
        self.levels, self.ranks = (
            ChoiceBox(LETTERS, self.tr("Levels of recall")),
            ChoiceBox(LETTERS, self.tr("Last rank")),
        )
        self.fit = ChoiceBox(LETTERS, self.tr("Smooth curve"))
        self.curve, self.discount, self.averaging = (
            ChoiceBox(LETTERS, self.tr("Curve")),
            ChoiceBox(LETTERS, self.tr("Discount of the ranks")),
            ChoiceBox(LETTERS, self.tr("How ratios are averaged")),
        )
        self.of, self.statistic = (
            ChoiceBox(LETTERS, self.tr("What the points are")),
            ChoiceBox(LETTERS, self.tr("Statistic")),
        )
        self._fields: dict[str, QWidget] = {}
        self._lay_out()
        self._fill()
        self._connect()

    def _lay_out(self) -> None:
        fields = (
            ("measures", self.tr("Measures"), self.measures),
            ("runs", self.tr("Run"), self.run),
            ("against", self.tr("and"), self.against),
            ("topic", self.tr("Topic"), self.topic),
            ("model", self.tr("Model"), self.model),
            ("curve", self.tr("Curve"), self.curve),
            ("discount", self.tr("Discount"), self.discount),
            ("levels", self.tr("Levels"), self.levels),
            ("fit", self.tr("Smooth curve"), self.fit),
            ("averaging", self.tr("Average"), self.averaging),
            ("ranks", self.tr("Ranks to"), self.ranks),
            ("of", self.tr("Points"), self.of),
            ("statistic", self.tr("Statistic"), self.statistic),
        )
        for name, words, field in fields:
            both = QWidget(self)
            both.setLayout(row(text(words, "quiet", wrap=False), field, spacing=SPACE_S))
            self._fields[name] = both
        self._flow = Flow(self._fields.values())
        self.setLayout(self._flow)

    def _fill(self) -> None:
        for box, numbers in ((self.levels, LEVELS), (self.ranks, RANKS)):
            for number in numbers:
                box.addItem(f"{number:,}", number)
        self.ranks.setCurrentIndex(RANKS.index(100))
        for curve in CURVES:
            self.curve.addItem(str(CHOICES[curve]), curve)
        self.curve.setCurrentIndex(self.curve.findData("ndcg"))
        for name in DISCOUNTS:
            self.discount.addItem(str(CHOICES[name]), name)
        for box, names in ((self.averaging, ("topics", "ratio")), (self.fit, FITS)):
            for name in names:
                box.addItem(translate("FigureChoices", str(CHOICES[name])), name)
        for of in DOTS:
            self.of.addItem(
                translate("FigureChoices", str(CHOICES["each" if of == "topics" else of])), of
            )

    def _connect(self) -> None:
        self.measures.editingFinished.connect(self._enter)
        for box in self.findChildren(ChoiceBox):
            box.activated.connect(lambda _place: self.changed.emit())

    def _enter(self) -> None:
        """Tell of measures when they were changed, not whenever the cursor leaves them."""
        if self._figure is not None and self.measures.text() != self._typed.get(self._figure.name):
            self._typed[self._figure.name] = self.measures.text()
            self.changed.emit()

    # What the page calls

    def forget(self) -> None:
        """Take back what was chosen for another project."""
        self._typed.clear()
        for box in (self.run, self.against, self.topic, self.model):
            box.clear()

    def show_figure(self, figure: Figure, measures: str) -> None:
        """Offer what a figure looks at; `measures` are those of the project, for a figure that takes any number."""
        self._figure = figure
        usual = (
            measures
            if figure.measures[1] is None and len(measures.split()) >= figure.measures[0]
            else " ".join(figure.usual)
        )
        self._typed.setdefault(figure.name, usual)
        self.measures.setText(self._typed[figure.name])
        self.measures.setMinimumWidth(zoomed(FIELD if figure.measures[1] is None else FIELD // 2))
        names = _statistics(figure)
        if [self.statistic.itemData(place) for place in range(self.statistic.count())] != names:
            self.statistic.clear()
            for name in names:
                self.statistic.addItem(name, name)
        looked_at = {
            *figure.options,
            *(["measures"] if figure.takes == "values" else []),
            *(["against"] if "runs" in figure.options else []),
        }
        for name, field in self._fields.items():
            self._flow.removeWidget(field)
            if name in looked_at:
                self._flow.addWidget(field)
            field.setVisible(name in looked_at)
        self.updateGeometry()

    def offer(self, runs: Sequence[str], topics: Sequence[str], models: Sequence[str]) -> None:
        """Offer the runs, topics and models that there are; what is chosen stays chosen."""
        offered = (
            (self.run, self.tr("the usual"), runs),
            (self.against, "–", runs),
            (self.topic, self.tr("all"), topics),
            (self.model, self.tr("the first"), models),
        )
        for box, first, names in offered:
            if names and [box.itemData(place) for place in range(1, box.count())] != list(names):
                before = box.currentData()
                box.clear()
                box.addItem(first, None)
                for name in names:
                    box.addItem(name, name)
                box.setCurrentIndex(max(0, box.findData(before)) if before is not None else 0)

    def named(self) -> str:
        """Return the measures as they are typed."""
        return self.measures.text()

    def wish(self, rel: int) -> FigureWish:
        """Return what is chosen, as far as the figure looks at it."""
        assert self._figure is not None  # noqa: S101 -- a figure is always shown first
        given: dict[str, Any] = {
            "runs": tuple(
                dict.fromkeys(
                    box.currentData() for box in (self.run, self.against) if box.currentData()
                )
            ),
            "topic": self.topic.currentData(),
            "model": self.model.currentData() or "",
            "levels": self.levels.currentData(),
            "fit": self.fit.currentData(),
            "curve": self.curve.currentData(),
            "discount": self.discount.currentData(),
            "averaging": self.averaging.currentData(),
            "ranks": self.ranks.currentData(),
            "of": self.of.currentData(),
            "statistic": self.statistic.currentData() or "",
        }
        return FigureWish(
            **{name: value for name, value in given.items() if name in self._figure.options},
            rel=rel,
        )


def _statistics(figure: Figure) -> list[str]:
    if figure.takes == "labels":
        names = [name for name, each in AGREEMENT.items() if each.pairs]
        return sorted(names, key=lambda name: name != "kappa")
    names = [each.name for each in list_correlations() if each.kind == "order"]
    return sorted(names, key=lambda name: name != "tau-b") if "statistic" in figure.options else []
