"""Asks what judging costs in a project: an hour, a judgment, and in which currency."""

from collections.abc import Callable

from PySide6.QtCore import QLocale
from PySide6.QtGui import QDoubleValidator
from PySide6.QtWidgets import QFormLayout, QLineEdit, QWidget

from irjudge.exchange.costs import HIGHEST_PRICE, Prices
from irjudge_ui.widgets.dialog import Dialog
from irjudge_ui.widgets.layout import text
from irjudge_ui.widgets.theme import SPACE_M, SPACE_S

SIZE = (460, 320)
LONGEST = 12  # letters of a currency


class PricesDialog(Dialog):
    """Shows the prices of a project; `keep` is called with those that were entered."""

    def __init__(self, parent: QWidget, prices: Prices, keep: Callable[[Prices], object]) -> None:
        super().__init__(parent, SIZE)
        self.hour, self.item, self.currency = _price(prices.hour), _price(prices.item), QLineEdit(prices.currency)
        self.currency.setMaxLength(LONGEST)
        self.currency.setPlaceholderText("EUR")
        form = QFormLayout()
        form.setHorizontalSpacing(SPACE_M)
        form.setVerticalSpacing(SPACE_S)
        for words, field in (
            (self.tr("An hour"), self.hour),
            (self.tr("A judgment"), self.item),
            (self.tr("Currency"), self.currency),
        ):
            field.setAccessibleName(words)
            form.addRow(text(words, "quiet", wrap=False), field)
        about = text(
            self.tr("What judging costs stands in the previews before a pool is built and files are written. Empty: no price."), "quiet"
        )
        self.fill(self.tr("Prices"), [about, form, None], [(self.tr("Cancel"), None), (self.tr("Keep"), lambda: keep(self.prices()))])
        self.fit()
        self.hour.setFocus()

    def prices(self) -> Prices:
        """Return what was entered."""
        return Prices(_number(self.hour), _number(self.item), self.currency.text().strip())


def _price(value: float) -> QLineEdit:
    field = QLineEdit(f"{value:g}" if value else "")
    allowed = QDoubleValidator(0, HIGHEST_PRICE, 4, field)
    allowed.setLocale(QLocale.c())
    allowed.setNotation(QDoubleValidator.Notation.StandardNotation)
    field.setValidator(allowed)
    field.setPlaceholderText("0")
    return field


def _number(field: QLineEdit) -> float:
    return float(field.text() or 0) if field.hasAcceptableInput() else 0.0
