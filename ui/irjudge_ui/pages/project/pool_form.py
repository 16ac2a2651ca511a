"""Form for a pool, dialog for prices of judging, and preview of the cost."""

import re
from collections.abc import Callable, Sequence

from PySide6.QtCore import QLocale, Qt, Signal
from PySide6.QtGui import QDoubleValidator, QHideEvent
from PySide6.QtWidgets import QFormLayout, QLineEdit, QSizePolicy, QWidget

from irjudge.errors import IrjudgeError
from irjudge.exchange import MAX_PRICE, CostEstimate, Prices
from irjudge.model import Pool, select_topics
from irjudge.pooling import PRESETS, PoolOptions, PoolRequest, list_strategies
from irjudge.progress import Progress
from irjudge_ui.jobs import LatestJob
from irjudge_ui.messages import filled, join_sentences, translate, translate_message
from irjudge_ui.widgets import (
    SPACE_M,
    SPACE_S,
    ChoiceBox,
    Dialog,
    FixedHeightLabel,
    NumberField,
    column,
    make_label,
    make_timer,
    named,
    row,
)

# Form for a new pool, and dialog for prices

DIALOG_SIZE = (460, 320)
MAX_CURRENCY_LENGTH = 12  # maximum length of a currency name


class PricesDialog(Dialog):
    """Dialog in which the user edits the prices of judging, per hour and per judgment.

    On acceptance, `store_prices` is called with the entered prices and their currency; 0 means no
    price.
    """

    def __init__(
        self, parent: QWidget, prices: Prices, store_prices: Callable[[Prices], object]
    ) -> None:
        super().__init__(parent, DIALOG_SIZE)
        self.hour, self.item = map(_make_price_field, (prices.hour, prices.item))
        self.currency = QLineEdit(
            prices.currency, maxLength=MAX_CURRENCY_LENGTH, placeholderText="EUR"
        )
        form_layout = QFormLayout(horizontalSpacing=SPACE_M, verticalSpacing=SPACE_S)
        for label, field in (
            (self.tr("Price per hour"), self.hour),
            (self.tr("Price per judgment"), self.item),
            (self.tr("Currency"), self.currency),
        ):
            field.setAccessibleName(label)
            form_layout.addRow(make_label(label, "quiet", wrap=False), field)
        self.fill(
            self.tr("Judging costs"),
            [
                make_label(
                    self.tr(
                        "Judging costs are shown in the previews before a pool is built and files "
                        "are written. Leave the price empty to show no costs."
                    ),
                    "quiet",
                ),
                form_layout,
                None,
            ],
            [(self.tr("Cancel"), None), (self.tr("Save"), lambda: store_prices(self.prices()))],
        )
        self.fit()
        self.hour.setFocus()

    def prices(self) -> Prices:
        return Prices(
            _parse_price(self.hour), _parse_price(self.item), self.currency.text().strip()
        )


def _make_price_field(value: float) -> QLineEdit:
    field = QLineEdit(f"{value:g}" if value else "", placeholderText="0")
    validator = QDoubleValidator(0, MAX_PRICE, 4, field)
    validator.setLocale(QLocale.c())
    validator.setNotation(QDoubleValidator.Notation.StandardNotation)
    field.setValidator(validator)
    return field


def _parse_price(field: QLineEdit) -> float:
    # digits can be grouped, as in 1,250.5; the result for an invalid text is 0
    return QLocale.c().toDouble(field.text())[0] if field.hasAcceptableInput() else 0.0


DEFAULT_DEPTH, MAX_DEPTH = 10, 10_000


class PoolForm(QWidget):
    """Form of the collection page for a new pool: strategy or preset, depth, size, topics.

    The size is the maximum number of documents per topic. The form does not build the pool;
    `read_request` returns the options as a `PoolRequest`, or raises IrjudgeError if the topics
    are invalid. Adaptive strategies are offered only if there are judgments. `changed` is
    emitted after editing, and when the page sets options or offers strategies.
    """

    changed = Signal()

    def __init__(self) -> None:
        super().__init__()
        self.strategy = ChoiceBox(name=self.tr("Purpose of the pool"))
        self.strategy.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Fixed)
        self.top = NumberField(1, MAX_DEPTH, DEFAULT_DEPTH, self.tr("Depth"))
        self.max_size = NumberField(
            0, MAX_DEPTH, 0, self.tr("Maximum documents per topic; 0 for all")
        )
        self._purpose = FixedHeightLabel("small")
        self.topics = named(
            QLineEdit(placeholderText=self.tr("all")),
            self.tr("Topics to pool"),
            self.tr(
                "Topic ids separated by commas; 401-405 means all ids in that range. Leave "
                "empty for all topics."
            ),
        )
        self.setLayout(
            column(
                self.strategy,
                self._purpose,
                row(
                    make_label(self.tr("Top"), "quiet", wrap=False),
                    self.top,
                    make_label(self.tr("per run"), "quiet", wrap=False),
                    None,
                ),
                row(
                    make_label(self.tr("At most"), "quiet", wrap=False),
                    self.max_size,
                    make_label(self.tr("per topic (0: all)"), "quiet", wrap=False),
                    None,
                ),
                row(make_label(self.tr("Topics"), "quiet", wrap=False), self.topics),
            )
        )
        self.strategy.currentIndexChanged.connect(self._show_purpose)
        self.topics.textChanged.connect(lambda _text: self.changed.emit())
        for field in (self.top, self.max_size):
            for signal in (field.changed, field.typed):
                signal.connect(lambda _value: self.changed.emit())
        self.offer(adaptive=False)

    def offer(self, *, adaptive: bool) -> None:
        """Offer presets and strategies; adaptive strategies only if `adaptive` is True.

        The selected strategy stays selected if it is still offered.
        """
        old_value = self.strategy.currentData()
        self.strategy.clear()
        choices = [(preset.title, preset.name, preset.purpose) for preset in PRESETS]
        choices += [
            (declaration.title, declaration.name, declaration.purpose)
            for declaration in list_strategies()
            if adaptive or not declaration.adaptive
        ]
        for title, name, purpose in choices:
            self.strategy.add_choice(translate_message(title), name, translate_message(purpose))
        self.strategy.insertSeparator(len(PRESETS))
        self.strategy.setCurrentIndex(max(0, self.strategy.findData(old_value or PRESETS[0].name)))
        self._show_purpose()

    def forget(self) -> None:
        self.strategy.setCurrentIndex(0)
        self.top.set_value(DEFAULT_DEPTH)
        self.max_size.set_value(0)
        self.topics.clear()

    def start_from(self, pool: Pool) -> None:
        """Set the strategy, depth and size to those of a pool, except values not allowed here."""
        index = self.strategy.findData(_find_choice(pool))
        if index >= 0:
            self.strategy.setCurrentIndex(index)
        for field, name in ((self.top, "depth"), (self.max_size, "size")):
            old_number = pool.parameters.get(name)
            if isinstance(old_number, int) and old_number <= MAX_DEPTH:
                field.set_value(old_number)

    def _show_purpose(self) -> None:
        self._purpose.setText(str(self.strategy.currentData(Qt.ItemDataRole.ToolTipRole) or ""))
        self.changed.emit()

    def read_request(self, topics: Sequence[str]) -> PoolRequest:
        select_topics(self.topics.text(), topics)
        return PoolRequest(
            strategy=str(self.strategy.currentData()),
            depth=self.top.value(),
            size=self.max_size.value() or None,
            wanted=self.topics.text(),
        )


def _find_choice(pool: Pool) -> str:
    """Return the name of the preset with which a pool was built, or else of its strategy."""
    for preset in PRESETS:
        strategy, options = PoolOptions(preset.name).resolve()
        if (
            strategy.declaration.name == pool.strategy
            and all(
                f"{name}={pool.parameters.get(name)}" in preset.strategy
                for name, _value in strategy.parameters
            )
            and pool.parameters.get("first", 0) == options.first
        ):
            return preset.name
    return pool.strategy


def describe_pool(pool: Pool | None, judged: int, unpooled_count: int) -> str:
    """Return sentences about a pool: its size, its progress, and judged pairs outside the pool."""
    if pool is None:
        return translate(
            "CollectionView",
            "No pool yet. The pool is the list of documents to judge, such as the top "
            "documents of every run.",
        )
    if not pool.runs:
        template = translate(
            "CollectionView", "{pairs} topic–document pairs, chosen by {strategy}, without runs."
        )
    elif pool.strategy == "depth":
        template = translate(
            "CollectionView",
            "{pairs} topic–document pairs, from the top {depth} of each run (runs: {runs}).",
        )
    else:
        template = translate(
            "CollectionView",
            "{pairs} topic–document pairs, chosen by {strategy} from the top {depth} of "
            "each run (runs: {runs}).",
        )
    return join_sentences(
        filled(
            template,
            pairs=f"{len(pool):,}",
            depth=pool.parameters.get("depth", "–"),
            runs=len(pool.runs),
            strategy=pool.strategy,
        ),
        filled(
            translate("CollectionView", "Topic–document pairs graded: {judged} of {pairs}."),
            judged=f"{judged:,}",
            pairs=f"{len(pool):,}",
        )
        if judged
        else translate("CollectionView", "None of the pairs is graded yet."),
        filled(
            translate("CollectionView", "Graded documents outside the pool: {outside}."),
            outside=f"{unpooled_count:,}",
        )
        if unpooled_count
        else "",
    )


# Estimated cost, displayed below a form

UNIT_SPACE = re.compile(r"(?<=\d) (?=(?:s|min|h)\b)")  # space between a number and its unit
TYPING_PAUSE_MS = 250  # pause in typing before the estimate is computed
CostFunction = Callable[[Progress], CostEstimate]


class EstimatePreview(QWidget):
    """Label that shows the estimated cost of the pool or assignment that a form describes.

    The estimate contains judgments, hours and, if there are prices, their cost. `make_forecast` is
    called in the GUI thread, and returns the function that computes the estimate in the background,
    or None if the form is incomplete. If `make_forecast` raises an IrjudgeError, its message is
    shown. `ask` requests a new estimate; if the widget is visible after a short pause, it is
    computed. The collection page and the Assessors page have such a label.
    """

    failed = Signal(object, str)  # an internal error and its traceback; other errors are shown

    def __init__(self, make_forecast: Callable[[], CostFunction | None]) -> None:
        super().__init__()
        self._make_forecast = make_forecast
        self.message = named(FixedHeightLabel("quiet"), self.tr("Work needed"))
        self._job = LatestJob()
        self._timer = make_timer(self, TYPING_PAUSE_MS, self._ask)
        self.setLayout(column(self.message))

    def ask(self) -> None:
        self._job.stop()
        self._timer.start()

    def stop(self) -> None:
        self._timer.stop()
        self._job.stop()
        self.message.setText("")

    def hideEvent(self, event: QHideEvent) -> None:
        super().hideEvent(event)
        self._timer.stop()
        self._job.stop()

    def _ask(self) -> None:
        if not self.isVisible():
            return
        try:
            forecast = self._make_forecast()
        except IrjudgeError as error:
            self.message.setText(translate_message(str(error)))
            return
        if forecast is None:
            self.message.setText("")
        else:
            self._job.run(forecast, self._show, self._on_failed)

    def _show(self, estimate: CostEstimate) -> None:
        self.message.setText(
            UNIT_SPACE.sub(
                "\N{NO-BREAK SPACE}", "\n".join(map(translate_message, estimate.sentences()))
            )
        )

    def _on_failed(self, error: Exception, trace: str) -> None:
        if trace:
            self.failed.emit(error, trace)
        else:
            self.message.setText(translate_message(str(error)))
