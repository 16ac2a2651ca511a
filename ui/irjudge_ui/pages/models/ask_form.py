"""What is asked for before a model is asked: where it answers, with which prompt and key, about what, and what it may take."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

from PySide6.QtCore import QT_TRANSLATE_NOOP, QCoreApplication, Signal
from PySide6.QtGui import QDoubleValidator
from PySide6.QtWidgets import QCheckBox, QFormLayout, QLineEdit, QWidget

from irjudge.audit.judge_prompts import AskWish, prompt_named, shipped_prompts
from irjudge.audit.model_client import KEYRING
from irjudge.audit.model_requests import AskingLimits
from irjudge.errors import IrjudgeError
from irjudge_ui.file_dialogs import ask_file
from irjudge_ui.messages import filled
from irjudge_ui.widgets.fields import ChoiceBox, NumberField
from irjudge_ui.widgets.layout import Beside, button, card, column, flowing, offer, text
from irjudge_ui.widgets.theme import SPACE_M, SPACE_S

MOST_REPEATS, MOST_AT_ONCE, MOST_REQUESTS, MOST_SECONDS = 20, 32, 9_999_999, 3600
VARIABLE = "variable"
NARROW, LETTERS = 860, 14
DECIMALS = 6
USUAL = "graded"
# The prompts that come with the program, as they are offered.
PROMPTS = {
    USUAL: QT_TRANSLATE_NOOP("AskForm", "a grade of the scale"),
    "binary": QT_TRANSLATE_NOOP("AskForm", "relevant or not"),
}
translate = QCoreApplication.translate


class AskForm(QWidget):
    """Fields for a wish and its limits. `changed` comes when one of them is another; `keeping` with a key that the keyring is to have."""

    changed = Signal()
    keeping = Signal(str)

    def __init__(self) -> None:
        super().__init__()
        self.address, self.model, self.name, self.topics = (QLineEdit() for _ in range(4))
        self.prompt, self.key_from = ChoiceBox(LETTERS), ChoiceBox(LETTERS)
        self.variable, self.key = QLineEdit(), QLineEdit()
        self.choose, self.keep = button(self.tr("Choose a file …")), button(self.tr("Keep"))
        self.repeats = NumberField(
            1, MOST_REPEATS, 1, self.tr("How often each document is asked about")
        )
        self.at_once = NumberField(1, MOST_AT_ONCE, 1, self.tr("Requests under way at a time"))
        self.requests = NumberField(0, MOST_REQUESTS, 0, self.tr("Requests at most"))
        self.seconds = NumberField(1, MOST_SECONDS, 120, self.tr("Seconds that a reply may take"))
        self.sent, self.written, self.budget = (self._amount() for _ in range(3))
        self.schema = QCheckBox(self.tr("answers by a JSON schema"))
        self.logprobs = QCheckBox(self.tr("probabilities of grades"))
        self._lay_out()
        self._connect()
        self.forget()

    @staticmethod
    def _amount() -> QLineEdit:
        field = QLineEdit()
        field.setValidator(QDoubleValidator(0, MOST_REQUESTS, DECIMALS, field))
        field.setPlaceholderText("0")
        field.setMaximumWidth(field.fontMetrics().horizontalAdvance("0") * LETTERS)
        return field

    def _lay_out(self) -> None:
        self.address.setPlaceholderText("http://localhost:8080/v1")
        self.model.setPlaceholderText(self.tr("as the endpoint knows it"))
        self.name.setPlaceholderText(self.tr("as the model"))
        self.topics.setPlaceholderText(self.tr("all"))
        self.variable.setPlaceholderText("OPENAI_API_KEY")
        self.key.setEchoMode(QLineEdit.EchoMode.Password)
        self.key.setPlaceholderText(self.tr("a key, to keep there"))
        self.key.setAccessibleName(self.tr("A key for the keyring"))
        self.variable.setAccessibleName(self.tr("Name of the environment variable"))
        ways = [
            (self.tr("none"), ""),
            (self.tr("environment variable"), VARIABLE),
            (self.tr("the system's keyring"), KEYRING),
        ]
        offer(self.key_from, ways)
        self.schema.setToolTip(self.tr("Some servers know none."))
        self.logprobs.setToolTip(self.tr("They stand with the labels. Some servers have none."))
        whom = self._rows(
            (self.tr("Address"), (self.address,)),
            (self.tr("Model"), (self.model,)),
            (self.tr("Called here"), (self.name,)),
            (self.tr("Prompt"), (self.prompt, self.choose)),
            (self.tr("Key"), (self.key_from, self.variable, self.key, self.keep)),
            ("", (self.schema,)),
            ("", (self.logprobs,)),
        )
        each = text(self.tr("times each document"), "quiet", wrap=False)
        none = text(self.tr("0 for no limit"), "quiet", wrap=False)
        tokens = text(self.tr("a million tokens in, out"), "quiet", wrap=False)
        all_calls = text(self.tr("for all answers of this project"), "quiet", wrap=False)
        much = self._rows(
            (self.tr("Topics"), (self.topics,)),
            (self.tr("Repeats"), (self.repeats, each)),
            (self.tr("At a time"), (self.at_once,)),
            (self.tr("Requests"), (self.requests, none)),
            (self.tr("Seconds"), (self.seconds,)),
            (self.tr("Prices"), (self.sent, self.written, tokens)),
            (self.tr("Budget"), (self.budget, all_calls)),
        )
        self.sent.setAccessibleName(self.tr("Price of a million tokens sent"))
        self.written.setAccessibleName(self.tr("Price of a million tokens written"))
        left = card(text(self.tr("Whom"), "heading"), whom, margin=SPACE_M)
        right = card(text(self.tr("How much"), "heading"), much, margin=SPACE_M)
        self.setLayout(column(Beside(column(left, None), column(right, None), NARROW, (1, 1))))

    @staticmethod
    def _rows(*rows: tuple[str, tuple[QWidget, ...]]) -> QWidget:
        """Return fields with their names at the left; where there is little room the name stands above."""
        inside = QWidget()
        form = QFormLayout(inside)
        form.setContentsMargins(0, 0, 0, 0)
        form.setHorizontalSpacing(SPACE_M)
        form.setVerticalSpacing(SPACE_S)
        form.setRowWrapPolicy(QFormLayout.RowWrapPolicy.WrapLongRows)
        form.setFieldGrowthPolicy(QFormLayout.FieldGrowthPolicy.ExpandingFieldsGrow)
        for words, fields in rows:
            first = fields[0]
            first.setAccessibleName(first.accessibleName() or words)
            if len(fields) == 1:
                form.addRow(text(words, "quiet", wrap=False), first)
            else:
                form.addRow(text(words, "quiet", wrap=False), flowing(*fields))
        return inside

    def _connect(self) -> None:
        for line in (
            self.address,
            self.model,
            self.name,
            self.topics,
            self.variable,
            self.sent,
            self.written,
            self.budget,
        ):
            line.editingFinished.connect(self.changed)
        for number in (self.repeats, self.at_once, self.requests, self.seconds):
            number.changed.connect(self.changed)
        for box in (self.prompt, self.key_from):
            box.activated.connect(self.changed)
        for check in (self.schema, self.logprobs):
            check.toggled.connect(self.changed)
        self.key_from.currentIndexChanged.connect(self._show_key)
        self.choose.clicked.connect(self._ask_prompt)
        self.keep.clicked.connect(self._keep)

    def _show_key(self) -> None:
        where = self.key_from.currentData()
        self.variable.setVisible(where == VARIABLE)
        for part in (self.key, self.keep):
            part.setVisible(where == KEYRING)

    def _ask_prompt(self) -> None:
        if path := ask_file(self, self.tr("Prompt"), "Markdown (*.md *.txt);;*"):
            self._offer_prompts(str(path))
            self.changed.emit()

    def _offer_prompts(self, chosen: str) -> None:
        names = [*shipped_prompts(), *([] if chosen in shipped_prompts() else [chosen])]
        offer(
            self.prompt,
            [
                (
                    translate("AskForm", str(PROMPTS[name]))
                    if name in PROMPTS
                    else Path(name).name,
                    name,
                )
                for name in names
            ],
        )
        self.prompt.setCurrentIndex(self.prompt.findData(chosen))

    def _keep(self) -> None:
        self.keeping.emit(self.key.text())
        self.key.clear()

    # What the page calls

    def forget(self) -> None:
        """Ask for what is usual."""
        self.take({})

    def said(self) -> dict[str, Any]:
        """Return what was typed, as a project keeps it: all but a key."""
        lines = {name: field.text() for name, field in self._lines().items()}
        numbers = {name: field.value() for name, field in self._numbers().items()}
        checks = {"schema": self.schema.isChecked(), "logprobs": self.logprobs.isChecked()}
        return (
            lines
            | numbers
            | checks
            | {"prompt": self.prompt.currentData(), "key_from": self.key_from.currentData()}
        )

    def take(self, said: dict[str, Any]) -> None:
        """Show what was typed before; what is not known is as usual."""
        for name, line in self._lines().items():
            line.setText(str(said.get(name, "")))
        for name, number in self._numbers().items():
            number.reset()
            if isinstance(said.get(name), int):
                number.set_value(said[name])
        self.schema.setChecked(said.get("schema") is not False)
        self.logprobs.setChecked(said.get("logprobs") is True)
        self._offer_prompts(str(said.get("prompt") or USUAL))
        self.key_from.setCurrentIndex(max(0, self.key_from.findData(str(said.get("key_from", "")))))
        self.key.clear()
        self._show_key()

    def _lines(self) -> dict[str, QLineEdit]:
        names = ("address", "model", "name", "topics", "variable", "sent", "written", "budget")
        return {name: getattr(self, name) for name in names}

    def _numbers(self) -> dict[str, NumberField]:
        return {name: getattr(self, name) for name in ("repeats", "at_once", "requests", "seconds")}

    @property
    def key_source(self) -> str | None:
        """Where the key comes from, as `chat_endpoint` takes it."""
        where = self.key_from.currentData()
        if where == VARIABLE and not self.variable.text().strip():
            self.variable.setFocus()
            raise IrjudgeError(self.tr("Name the environment variable that holds the key."))
        return self.variable.text().strip() if where == VARIABLE else where or None

    def lacking(self, *, address: bool = True) -> tuple[QLineEdit, str] | None:
        """Return the first field without which nothing can be asked, and what to say of it."""
        needed: list[tuple[QLineEdit, Callable[[], str]]] = [
            (self.model, lambda: self.tr("Name the model, as the endpoint knows it."))
        ]
        if address:
            needed.insert(
                0,
                (
                    self.address,
                    lambda: self.tr(
                        "Write where the model answers, such as http://localhost:8080/v1."
                    ),
                ),
            )
        return next(((field, words()) for field, words in needed if not field.text().strip()), None)

    def wish(self, address: str = "") -> AskWish:
        """Return what is asked for; the address is that of the endpoint, and empty for files."""
        return AskWish(
            self.model.text().strip(),
            prompt_named(str(self.prompt.currentData())),
            self.name.text().strip(),
            self.repeats.value(),
            self.topics.text().strip(),
            schema=self.schema.isChecked(),
            logprobs=self.logprobs.isChecked(),
            address=address,
        )

    @property
    def limits(self) -> AskingLimits:
        """What asking may take."""
        budget = self.budget.text().strip()
        prices = self._number(self.sent), self._number(self.written)
        if budget and not any(prices):
            raise IrjudgeError(self.tr("A budget needs prices of a million tokens."))
        return AskingLimits(
            self.requests.value() or None,
            self._number(self.budget) if budget else None,
            prices,
            self.at_once.value(),
            float(self.seconds.value()),
        )

    def _number(self, field: QLineEdit) -> float:
        words = field.text().strip().replace(",", ".")
        try:
            return float(words or 0)
        except ValueError as fault:
            raise IrjudgeError(filled(self.tr("{text} is no number."), text=words)) from fault
