"""Page on which a model grades documents: prompt, API key, cost, and replies."""

import json
import os
from collections.abc import Callable, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any, TypeVar

from PySide6.QtCore import QT_TRANSLATE_NOOP, QLocale, QSize, Signal
from PySide6.QtGui import QDoubleValidator
from PySide6.QtWidgets import QCheckBox, QFormLayout, QLineEdit, QWidget
from shiboken6 import isValid

from irjudge.audit import (
    KEYRING,
    AnswerFile,
    AskOptions,
    ChatEndpoint,
    ModelQuestion,
    RequestForecast,
    RequestLimits,
    SendReport,
    check_judge,
    describe_forecast,
    find_prompt,
    forecast_requests,
    import_answer_files,
    import_answers,
    is_allowed,
    list_shipped_prompts,
    make_answers_path,
    parse_endpoint,
    send_questions,
    set_allowed,
    store_key,
    write_prompts,
)
from irjudge.errors import Cancelled, IrjudgeError
from irjudge.judging import read_model_judgments
from irjudge.progress import Progress
from irjudge.store import ImportReport, Project
from irjudge_ui import jobs
from irjudge_ui.actions import BY_ID, ActionHandler, create_actions
from irjudge_ui.file_dialogs import ask_file, ask_folder
from irjudge_ui.messages import filled, join_sentences, translate, translate_message
from irjudge_ui.models import Column, TableModel
from irjudge_ui.pages.shared import View
from irjudge_ui.settings import Settings
from irjudge_ui.widgets import (
    SPACE_M,
    SPACE_S,
    ChoiceBox,
    FilterLine,
    Meter,
    NumberField,
    PageScrollArea,
    SideBySide,
    StateStack,
    Table,
    card,
    column,
    fill_choices,
    make_button,
    make_flow,
    make_label,
    named,
    show_text,
    with_tooltip,
)
from irjudge_ui.workspace import StateMessage

# Form for the options of requests to a model: endpoint, prompt, API key, data, and limits

MAX_REPEATS, MAX_CONCURRENT, MAX_REQUESTS, MAX_TIMEOUT_SECONDS = 20, 32, 9_999_999, 3600
ENVIRONMENT_VARIABLE = "variable"
NARROW_WIDTH, FIELD_LENGTH = 860, 14
DECIMALS = 6
SHORTEST = -128  # precision of `QLocale.toString` for the fewest digits that give the same number
AMOUNTS = ("sent", "written", "budget")  # entries that are stored as numbers
DEFAULT_PROMPT = "graded"
# labels of the built-in prompts, by prompt name
PROMPTS = {
    DEFAULT_PROMPT: QT_TRANSLATE_NOOP("AskForm", "a grade on the scale"),
    "binary": QT_TRANSLATE_NOOP("AskForm", "relevant or not"),
}


class _NameField(QLineEdit):
    """Text field whose minimum width fits its placeholder, so that long form rows wrap."""

    def minimumSizeHint(self) -> QSize:
        hint = super().minimumSizeHint()
        return QSize(
            hint.width() + self.fontMetrics().horizontalAdvance(self.placeholderText()),
            hint.height(),
        )


class AskForm(QWidget):
    """Form with the endpoint, options and limits of requests that ask a model for grades.

    The limits are the number of requests, concurrent requests, the timeout and the budget. The form
    sends no requests. Its entries can be stored in the project, except secrets.

    `changed` is emitted after an edit, except of the API key; `key_entered` is emitted with a typed
    API key that is to be stored in the keyring.
    """

    changed = Signal()
    key_entered = Signal(str)

    def __init__(self) -> None:
        super().__init__()
        self.address, self.model, self.name, self.topics = (
            _NameField(placeholderText=hint)
            for hint in (
                "http://localhost:8080/v1",
                self.tr("name used by the endpoint"),
                self.tr("same as the model name"),
                self.tr("all"),
            )
        )
        self.prompt, self.key_from = ChoiceBox(FIELD_LENGTH), ChoiceBox(FIELD_LENGTH)
        self.variable = named(
            QLineEdit(placeholderText="OPENAI_API_KEY"), self.tr("Name of the environment variable")
        )
        self.key = named(
            QLineEdit(
                placeholderText=self.tr("API key to store"), echoMode=QLineEdit.EchoMode.Password
            ),
            self.tr("API key to store in the keyring"),
        )
        self.repeats = NumberField(
            1, MAX_REPEATS, 1, self.tr("Number of times the model is asked about each document")
        )
        self.at_once = NumberField(1, MAX_CONCURRENT, 1, self.tr("Concurrent requests"))
        self.requests = NumberField(0, MAX_REQUESTS, 0, self.tr("Maximum requests"))
        self.timeout = NumberField(
            1, MAX_TIMEOUT_SECONDS, 120, self.tr("Request timeout in seconds")
        )
        self.sent, self.written, self.budget = (
            self._make_amount_field(name)
            for name in (
                self.tr("Price per million input tokens"),
                self.tr("Price per million output tokens"),
                self.tr("Budget"),
            )
        )
        self.schema = with_tooltip(
            QCheckBox(self.tr("require a JSON schema")), self.tr("Not supported by some servers.")
        )
        self.logprobs = with_tooltip(
            QCheckBox(self.tr("request grade probabilities")),
            self.tr(
                "The probabilities are stored with the labels. Some servers do not provide them."
            ),
        )
        self._lay_out()
        self._set_up_fields()
        self.set_entries({})

    @staticmethod
    def _make_amount_field(name: str) -> QLineEdit:
        field = named(QLineEdit(placeholderText="0"), name)
        field.setValidator(QDoubleValidator(0, MAX_REQUESTS, DECIMALS, field))
        field.setMaximumWidth(field.fontMetrics().horizontalAdvance("0") * FIELD_LENGTH)
        return field

    def _lay_out(self) -> None:
        self.choose = make_button(self.tr("Choose a file…"), clicked=self._ask_prompt)
        self.save_button = make_button(self.tr("Save"), clicked=self._submit_api_key)
        model_card = card(
            make_label(self.tr("Model"), "heading"),
            self._make_labelled_form(
                (self.tr("Address"), (self.address,)),
                (self.tr("Model"), (self.model,)),
                (self.tr("Name in the project"), (self.name,)),
                (self.tr("Prompt"), (self.prompt, self.choose)),
                (self.tr("API key"), (self.key_from, self.variable, self.key, self.save_button)),
                ("", (self.schema,)),
                ("", (self.logprobs,)),
            ),
            margin=SPACE_M,
        )
        unit_label, no_limit_note, tokens, budget_note = (
            make_label(note, "quiet", wrap=False)
            for note in (
                self.tr("times per document"),
                self.tr("0 means no limit"),
                self.tr("per million tokens (input, output)"),
                self.tr("total for all answers in this project"),
            )
        )
        limits_card = card(
            make_label(self.tr("Limits"), "heading"),
            self._make_labelled_form(
                (self.tr("Topics"), (self.topics,)),
                (self.tr("Repeats"), (self.repeats, unit_label)),
                (self.tr("Concurrency"), (self.at_once,)),
                (self.tr("Requests"), (self.requests, no_limit_note)),
                (self.tr("Timeout (s)"), (self.timeout,)),
                (self.tr("Prices"), (self.sent, self.written, tokens)),
                (self.tr("Budget"), (self.budget, budget_note)),
            ),
            margin=SPACE_M,
        )
        self.setLayout(
            column(
                SideBySide(
                    column(model_card, None), column(limits_card, None), NARROW_WIDTH, (1, 1)
                )
            )
        )

    @staticmethod
    def _make_labelled_form(*rows: tuple[str, tuple[QWidget, ...]]) -> QWidget:
        """Return a form of labelled fields; in a narrow window the labels are above the fields."""
        content = QWidget()
        form_layout = QFormLayout(
            content,
            horizontalSpacing=SPACE_M,
            verticalSpacing=SPACE_S,
            rowWrapPolicy=QFormLayout.RowWrapPolicy.WrapLongRows,
            fieldGrowthPolicy=QFormLayout.FieldGrowthPolicy.ExpandingFieldsGrow,
        )
        form_layout.setContentsMargins(0, 0, 0, 0)
        for text, fields in rows:
            fields[0].setAccessibleName(fields[0].accessibleName() or text)
            form_layout.addRow(
                make_label(text, "quiet", wrap=False),
                fields[0] if len(fields) == 1 else make_flow(*fields),
            )
        return content

    def _set_up_fields(self) -> None:
        fill_choices(
            self.key_from,
            [
                (self.tr("none"), ""),
                (self.tr("environment variable"), ENVIRONMENT_VARIABLE),
                (self.tr("the system's keyring"), KEYRING),
            ],
        )
        # fields by the name of their stored entry
        self._text_fields = {
            "address": self.address,
            "model": self.model,
            "name": self.name,
            "topics": self.topics,
            "variable": self.variable,
            "sent": self.sent,
            "written": self.written,
            "budget": self.budget,
        }
        self._number_fields = {
            "repeats": self.repeats,
            "at_once": self.at_once,
            "requests": self.requests,
            "seconds": self.timeout,
        }
        for signal in (
            *(field.editingFinished for field in self._text_fields.values()),
            *(field.changed for field in self._number_fields.values()),
            *(box.activated for box in (self.prompt, self.key_from)),
            *(box.toggled for box in (self.schema, self.logprobs)),
        ):
            signal.connect(self.changed)
        self.key_from.currentIndexChanged.connect(self._show_key)

    def _show_key(self) -> None:
        source = self.key_from.currentData()
        self.variable.setVisible(source == ENVIRONMENT_VARIABLE)
        for part in (self.key, self.save_button):
            part.setVisible(source == KEYRING)

    def _ask_prompt(self) -> None:
        if path := ask_file(self, self.tr("Choose a prompt"), "Markdown (*.md *.txt);;*"):
            self._offer_prompts(str(path))
            self.changed.emit()

    def _offer_prompts(self, selected: str) -> None:
        fill_choices(
            self.prompt,
            [
                (
                    translate("AskForm", str(PROMPTS[name]))
                    if name in PROMPTS
                    else Path(name).name,
                    name,
                )
                for name in dict.fromkeys([*list_shipped_prompts(), selected])
            ],
        )
        self.prompt.setCurrentIndex(self.prompt.findData(selected))

    def _submit_api_key(self) -> None:
        self.key_entered.emit(self.key.text())
        self.key.clear()

    # Called by the page

    def entries(self) -> dict[str, Any]:
        """Return all entries except the API key."""
        return (
            {name: field.text() for name, field in self._text_fields.items()}
            | {name: number for name in AMOUNTS if (number := self._read_amount(name)) is not None}
            | {name: field.value() for name, field in self._number_fields.items()}
            | {"schema": self.schema.isChecked(), "logprobs": self.logprobs.isChecked()}
            | {"prompt": self.prompt.currentData(), "key_from": self.key_from.currentData()}
        )

    def storable_entries(self) -> dict[str, Any]:
        """Return the entries to store in the project.

        Users may enter a key as the name of its variable, or an address with a password. Therefore,
        a name is included only if the variable exists, and an address only if it is valid. Other
        entries, such as the name of the model, are not checked.
        """
        entries = self.entries()
        if entries["variable"].strip() not in os.environ:
            entries["variable"] = ""
        try:
            parse_endpoint(entries["address"].strip())
        except IrjudgeError:
            entries["address"] = ""
        return entries

    def set_entries(self, entries: dict[str, Any]) -> None:
        """Fill in stored entries; a field without a stored entry gets its default."""
        for name, text_field in self._text_fields.items():
            entry = entries.get(name, "")
            is_amount = name in AMOUNTS and isinstance(entry, float)
            text_field.setText(
                self._locale.toString(entry, "f", SHORTEST) if is_amount else str(entry)
            )
        for name, number_field in self._number_fields.items():
            number_field.reset()
            if isinstance(entries.get(name), int):
                number_field.set_value(entries[name])
        self.schema.setChecked(entries.get("schema") is not False)
        self.logprobs.setChecked(entries.get("logprobs") is True)
        self._offer_prompts(str(entries.get("prompt") or DEFAULT_PROMPT))
        self.key_from.setCurrentIndex(
            max(0, self.key_from.findData(str(entries.get("key_from", ""))))
        )
        self.key.clear()
        self._show_key()

    @property
    def key_source(self) -> str | None:
        """Source of the API key, as an argument of `parse_endpoint`; None if no key is used."""
        source = self.key_from.currentData()
        if source == ENVIRONMENT_VARIABLE and not self.variable.text().strip():
            self.variable.setFocus()
            raise IrjudgeError(
                self.tr("Enter the name of the environment variable that contains the API key.")
            )
        return self.variable.text().strip() if source == ENVIRONMENT_VARIABLE else source or None

    def find_missing(self, *, address: bool = True) -> tuple[QLineEdit, str] | None:
        """Return the first empty required field and its error message; None if there is none."""
        if address and not self.address.text().strip():
            return self.address, self.tr(
                "Enter the address of the model, such as http://localhost:8080/v1."
            )
        if not self.model.text().strip():
            return self.model, self.tr("Enter the name of the model, as used by the endpoint.")
        return None

    def options(self, address: str = "") -> AskOptions:
        """Return the entered options; `address` is the endpoint's URL, empty if files are used."""
        return AskOptions(
            self.model.text().strip(),
            find_prompt(str(self.prompt.currentData())),
            self.name.text().strip(),
            self.repeats.value(),
            self.topics.text().strip(),
            schema=self.schema.isChecked(),
            logprobs=self.logprobs.isChecked(),
            address=address,
        )

    @property
    def limits(self) -> RequestLimits:
        budget = self.budget.text().strip()
        prices = self._parse_number("sent"), self._parse_number("written")
        if budget and not any(prices):
            raise IrjudgeError(self.tr("To set a budget, enter the prices per million tokens."))
        return RequestLimits(
            self.requests.value() or None,
            self._parse_number("budget") if budget else None,
            prices,
            self.at_once.value(),
            float(self.timeout.value()),
        )

    @property
    def _locale(self) -> QLocale:
        locale = QLocale(self.budget.validator().locale())
        locale.setNumberOptions(QLocale.NumberOption.OmitGroupSeparator)
        return locale

    def _read_amount(self, name: str) -> float | None:
        """Return a budget or price, which users enter in their locale; None for other texts."""
        value, is_number = self._locale.toDouble(self._text_fields[name].text().strip())
        return float(value) if is_number else None

    def _parse_number(self, name: str) -> float:
        text, value = self._text_fields[name].text().strip(), self._read_amount(name)
        if text and value is None:
            raise IrjudgeError(filled(self.tr("{text} is not a number."), text=text))
        return value or 0.0


# The page: it shows which data will be sent where, then sends requests in the background and stores
# the replies.

FORM_KEY = "asking_form"  # key of the project setting that stores the form entries
MAX_ROWS = 9
Result = TypeVar("Result")


def _with_answers(
    project: Project, work: Callable[[Project, AnswerFile, Progress], Result]
) -> Callable[[Progress], Result]:
    """Return a function for a job, which calls `work` with the answer file of the project."""

    def work_on_answers(progress: Progress) -> Result:
        with (
            project.second_connection() as job_project,
            AnswerFile(make_answers_path(job_project.path), job_project.path) as answers,
        ):
            return work(job_project, answers, progress)

    return work_on_answers


class AskModelsView(View):
    """Page for asking a model to grade documents: form, forecast, and unanswered questions.

    The page sends requests in the background when the user starts it, if the user has allowed for
    the project that texts are sent (to any address). It imports the answers as the model's
    judgments. Without a connection, it can write prompts to files and import the answers.
    """

    def __init__(self, settings: Settings) -> None:
        super().__init__(settings)
        self._job: jobs.Job | None = None  # job that sends requests; None if there is none
        self._forecast_job = self.latest(on_cancelled=lambda: self.forecast_label.setText(""))
        self._key_job = self.latest(quiet=True)
        self.form = AskForm()
        self.allowed = QCheckBox(self.tr("Texts may be sent to models"))
        self.forecast_label, self.result = make_label(), make_label()
        self.meter = Meter(self.tr("Answers"))
        self.stop = make_button(self.tr("Stop"), clicked=self._stop)
        self.audit = make_button(
            self.tr("See the model's reliability"),
            "link",
            clicked=lambda: self.opens.emit("models", self._assessor_name),
        )
        self.unanswered_model = TableModel()
        self.unanswered_table = Table(
            self.unanswered_model, self.tr("Unanswered questions"), stretch=2, rows=MAX_ROWS
        )
        self.forecast: RequestForecast | None = None
        # form entries for which the last forecast was computed
        self._forecast_entries: dict[str, object] = {}
        self._lay_out()
        self.form.changed.connect(self._refresh_forecast)
        self.form.key_entered.connect(self._store_key)
        self.allowed.clicked.connect(self._set_allowed)
        self.actions_by_id = create_actions(
            self,
            {
                "ask-start": ActionHandler(self.start, self._can_ask),
                "write-prompts": ActionHandler(self.ask_prompts, self._can_ask),
                "read-answers": ActionHandler(self.ask_answers, self._can_ask),
            },
        )

    def _lay_out(self) -> None:
        self._buttons = {
            id: self.action_button(id) for id in ("ask-start", "write-prompts", "read-answers")
        }
        self.ask, prompts_button, answers_button = self._buttons.values()
        sent_card = card(
            make_flow(
                make_label(self.tr("Data to send"), "heading", wrap=False),
                self.audit,
                self.stop,
                self.ask,
            ),
            self.forecast_label,
            self.allowed,
            self.problem,
            self.meter,
            self.result,
            margin=SPACE_M,
        )
        self._unanswered_card = card(
            make_label(self.tr("Unanswered questions"), "heading"),
            make_label(
                self.tr(
                    "Documents without a valid answer count as unjudged, not as grade 0. "
                    "Failed requests are sent again the next time you ask the model."
                ),
                "quiet",
            ),
            FilterLine(self.unanswered_table),
            self.unanswered_table,
            margin=SPACE_M,
        )
        offline_card = card(
            make_label(self.tr("Offline"), "heading"),
            make_label(
                self.tr(
                    "Prompts are saved in a folder, as files with one request per line. To "
                    "import the model's responses, put the response files into the same folder."
                ),
                "quiet",
            ),
            make_flow(prompts_button, answers_button),
            margin=SPACE_M,
        )
        self.state_stack = StateStack(
            PageScrollArea(
                column(
                    make_label(BY_ID["ask-models"].label, "title", wrap=False),
                    make_label(
                        self.tr(
                            "Nothing is sent until you press “Ask”, and then only if this project "
                            "allows it."
                        ),
                        "quiet",
                    ),
                    self.form,
                    sent_card,
                    self._unanswered_card,
                    offline_card,
                    None,
                    spacing=SPACE_M,
                )
            )
        )
        self.setLayout(column(self.state_stack))
        self._show_asking()

    def focus(self) -> None:
        if self.state_stack.page:
            self.state_stack.page.focus()
        elif (missing_field := self.form.find_missing()) is not None:
            missing_field[0].setFocus()
        else:
            self.ask.setFocus()

    # Display

    def show_project(self, project: Project | None) -> None:
        if self._job is not None:
            self._job.cancel()
            self._job.forget()
            self._job = None
            self.stop.setEnabled(True)
        super().show_project(project)
        self.form.set_entries(project.read_json_setting(FORM_KEY, {}) if project else {})
        self.result.setText("")
        self.problem.setText("")
        self._show_asking()

    def refresh(self) -> None:
        if (project := self.project) is None:
            return
        self.state_stack.show_state(
            None
            if project.rankings.pool_version()
            else StateMessage(
                translate("AskModels", "No documents to ask about yet"),
                translate(
                    "AskModels",
                    "Models are asked to grade the documents of the latest pool. Build a pool from "
                    "the runs.",
                ),
                [(translate("AskModels", "Build pool"), "collection")],
            ).page(self.wants.emit)
        )
        self.allowed.setChecked(is_allowed(project))
        self.allowed.setEnabled(project.writing)
        self._show_unanswered()
        self._compute_forecast()

    @property
    def _assessor_name(self) -> str:
        return self.form.name.text().strip() or self.form.model.text().strip()

    def _show_asking(self) -> None:
        is_asking = self._job is not None
        self.meter.setVisible(is_asking)
        self.allowed.setVisible(not is_asking)
        self.stop.setVisible(is_asking)
        self.form.setEnabled(not is_asking)
        for button in self._buttons.values():
            button.setEnabled(self._can_ask())
        self.ask.setEnabled(
            self._can_ask() and (self.forecast is not None or self.form.find_missing() is not None)
        )
        self.problem.setVisible(bool(self.problem.text()))
        self.result.setVisible(bool(self.result.text()))
        self.audit.setVisible(not is_asking and self._has_labels)

    @property
    def _has_labels(self) -> bool:
        return self.project is not None and self._assessor_name in self.project.events.models()

    def _show_unanswered(self) -> None:
        reasons = (
            read_model_judgments(self.project, self._assessor_name).unjudged
            if self.project is not None and self._has_labels
            else {}
        )
        rows = [(*pair, reason) for pair, reason in reasons.items()]
        self.unanswered_model.fill(
            rows,
            [
                Column(translate("AskModels", "Topic"), lambda row: row[0]),
                Column(translate("AskModels", "Document"), lambda row: row[1]),
                Column(translate("AskModels", "Reason"), lambda row: translate_message(row[2])),
            ],
        )
        self._unanswered_card.setVisible(bool(rows))

    def _refresh_forecast(self) -> None:
        if self.form.entries() != self._forecast_entries:
            self._compute_forecast()

    def _compute_forecast(self) -> None:
        self.forecast, self._forecast_entries = None, self.form.entries()
        self.ask.setText(BY_ID["ask-start"].label)
        if (project := self.project) is None or self._job is not None or self.state_stack.page:
            return
        self.show_problem("")
        if (missing_field := self.form.find_missing()) is not None:
            self._forecast_job.stop()
            self.forecast_label.setText(missing_field[1])
            self._show_asking()
            return
        try:
            endpoint, limits = parse_endpoint(self.form.address.text().strip()), self.form.limits
            options = self.form.options(endpoint.address)
        except IrjudgeError as error:
            self.show_problem(translate_message(str(error)))
            return
        self.forecast_label.setText(self.tr("Estimating …"))
        self._show_asking()

        def forecast_cost(
            job_project: Project, answers: AnswerFile, progress: Progress
        ) -> tuple[RequestForecast, Sequence[str]]:
            check_judge(job_project, options.make_judge())
            forecast = forecast_requests(job_project, options, answers, limits.requests, progress)
            return forecast, describe_forecast(forecast, endpoint, options, limits)

        self._forecast_job.run(
            _with_answers(project, forecast_cost), self._show_forecast, self._on_failed
        )

    def _show_forecast(self, result: tuple[RequestForecast, Sequence[str]]) -> None:
        self.forecast, messages = result
        self.forecast_label.setText("\n".join(map(translate_message, messages)))
        self.ask.setText(
            self.tr("Continue")
            if self.forecast.answered and self.forecast.requests
            else BY_ID["ask-start"].label
        )
        self._show_unanswered()
        self._show_asking()

    def _on_failed(self, error: Exception, trace: str) -> None:
        self.forecast_label.setText("")
        self.show_error(error, trace)

    # Actions

    @property
    def writing(self) -> bool:
        return self._job is not None

    def _can_ask(self) -> bool:
        return self.can_write and self._job is None

    def _set_allowed(self, is_allowed: bool) -> None:
        if self.project is not None and self.project.writing:
            set_allowed(self.project, is_allowed=is_allowed)
            self.show_problem("")
            self.progressed.emit()

    def _store_key(self, key: str) -> None:
        """Store an API key for the endpoint's host in the keyring, in the background.

        The keyring may ask the user for a password.
        """
        address = self.form.address.text().strip()

        def save_key(_progress: Progress) -> str:
            host = parse_endpoint(address).host
            store_key(key, host)
            return host

        self._key_job.run(
            save_key,
            lambda host: self.message_shown.emit(
                filled(self.tr("The keyring contains the API key for {host}."), host=host)
            ),
            self._on_failed,
        )

    def _is_incomplete(self, *, address: bool) -> bool:
        if (missing_field := self.form.find_missing(address=address)) is not None:
            missing_field[0].setFocus()
            self.show_problem(missing_field[1])
        return missing_field is not None

    def start(self) -> None:
        if (project := self.project) is None or self._is_incomplete(address=True):
            return
        if not is_allowed(project):
            self.allowed.setFocus()
            self.show_problem(
                self.tr(
                    "This project does not allow sending texts yet: tick “Texts may be sent to "
                    "models”."
                )
            )
            return
        if self.forecast is None:  # requests are sent only after the forecast has been displayed
            self.show_problem(
                self.tr("Requests cannot be sent yet: wait until the page shows what will be sent.")
            )
            return
        url = self.form.address.text().strip()
        try:
            endpoint = parse_endpoint(url)
            limits, source = self.form.limits, self.form.key_source
            options = self.form.options(endpoint.address)
        except IrjudgeError as error:
            self.show_problem(translate_message(str(error)))
            return
        self._store_form_entries(project)
        self._forecast_job.stop()
        self.show_problem("")
        self.result.setText("")
        remaining = self.forecast.requests
        self.meter.show_count(0, remaining)
        self._job = jobs.run(
            _with_answers(
                project,
                lambda job_project, answers, progress: _ask_model(
                    job_project,
                    answers,
                    parse_endpoint(url, source),
                    options,
                    limits,
                    remaining,
                    progress,
                ),
            ),
            lambda outcome: self._store_replies(options, *outcome),
            self._show_failure,
            self._show_progress,
        )
        self._show_asking()
        self.stop.setFocus()

    def _store_form_entries(self, project: Project) -> None:
        entries = json.dumps(self.form.storable_entries(), ensure_ascii=False)
        if project.get_setting(FORM_KEY) != entries:
            project.set_setting(FORM_KEY, entries)

    def _show_progress(self, done_count: int, total: int | None, _label: str) -> None:
        if isValid(self) and self._job is not None:
            self.meter.show_count(done_count, total or 0)

    def _stop(self) -> None:
        """Stop sending requests, but wait for pending replies, since they are charged anyway."""
        if self._job is not None:
            self._job.cancel()
            self.stop.setEnabled(False)
            show_text(self.result, self.tr("Stopping: waiting for pending requests …"))

    def _store_replies(
        self, options: AskOptions, send_report: SendReport | None, questions: list[ModelQuestion]
    ) -> None:
        if not isValid(self):
            return
        self._end()
        if project := self.project:

            def on_done(report: ImportReport) -> None:
                if self.project is project:  # it may have been closed while the import waited
                    self._on_imported(send_report, report)

            self.job_requested.emit(
                self.tr("Importing responses"),
                _with_answers(
                    project,
                    lambda job_project, answers, progress: import_answers(
                        job_project, options, answers, questions, progress
                    ),
                ),
                on_done,
            )

    def _on_imported(self, send_report: SendReport | None, report: ImportReport) -> None:
        self._on_answers_read(report)
        if send_report is None:
            messages = [self.tr("Stopped. All answers are saved. To continue, choose Ask.")]
        else:
            messages = [
                translate_message(send_report.stop_reason),
                filled(
                    self.tr("Requests sent: {requests}. Questions left: {open}."),
                    requests=f"{send_report.requests:,}",
                    open=f"{send_report.unanswered_count:,}",
                ),
            ]
        self.result.setText(join_sentences(*messages, *map(translate_message, report.warnings)))
        self._show_asking()

    def _on_answers_read(self, report: ImportReport) -> None:
        self.message_shown.emit(" ".join(map(translate_message, report.sentences)))
        self.progressed.emit()
        self.refresh()

    def _show_failure(self, error: Exception, trace: str) -> None:
        if isValid(self):
            self._end()
            self.show_error(error, trace)

    def _end(self) -> None:
        self._job = None
        self.stop.setEnabled(True)
        self.result.setText("")
        self._show_asking()

    # Files of requests and replies, for use without a network

    def ask_prompts(self) -> None:
        if (project := self.project) is None or self._is_incomplete(address=False):
            return
        folder = ask_folder(self, BY_ID["write-prompts"].label, project.path.parent)
        if folder is None:
            return
        try:
            options = self.form.options()
        except IrjudgeError as error:
            self.show_problem(translate_message(str(error)))
            return
        self._store_form_entries(project)

        self._run_job(
            self.tr("Saving prompts"),
            _with_answers(
                project,
                lambda job_project, answers, progress: write_prompts(
                    job_project, options, folder, answers, progress
                ),
            ),
            lambda count: self._on_prompts_written(count, folder),
        )

    def _on_prompts_written(self, count: int, folder: Path) -> None:
        self.message_shown.emit(
            filled(
                self.tr("Prompts saved to {folder}: {count}."),
                count=f"{count:,}",
                folder=folder.name,
            )
        )
        self.wrote.emit(folder)

    def ask_answers(self) -> None:
        project = self.project
        folder = (
            ask_folder(self, BY_ID["read-answers"].label, project.path.parent) if project else None
        )
        if project and folder:
            self._run_job(
                self.tr("Reading responses"),
                _with_answers(
                    project,
                    lambda job_project, answers, progress: import_answer_files(
                        job_project, folder, answers, progress
                    ),
                ),
                self._report_answers,
            )

    def _report_answers(self, report: ImportReport) -> None:
        self._on_answers_read(report)
        self.result.setText(
            join_sentences(*map(translate_message, (*report.sentences, *report.warnings)))
        )
        self._show_asking()

    def _run_job(
        self, title: str, do: Callable[[Progress], object], on_done: Callable[..., object]
    ) -> None:
        self.show_problem("")

        def run_job(progress: Progress) -> object:
            try:
                return do(progress)
            except Cancelled:
                raise
            except IrjudgeError as error:
                return error

        def end(result: object) -> None:
            if isinstance(result, IrjudgeError):
                self.show_problem(translate_message(str(result)))
            else:
                on_done(result)

        self._forecast_job.stop()
        self.job_requested.emit(title, run_job, end)


def _ask_model(
    project: Project,
    answers: AnswerFile,
    endpoint: ChatEndpoint,
    options: AskOptions,
    limits: RequestLimits,
    remaining_count: int,
    progress: Progress,
) -> tuple[SendReport | None, list[ModelQuestion]]:
    """Send requests to a model; return the report and the questions.

    The report is None if the job was cancelled. Even then, the replies are saved in the answer
    file.
    """
    questions: list[ModelQuestion] = []
    report: SendReport | None = None
    with suppress(Cancelled):
        report = send_questions(
            project,
            options,
            endpoint,
            answers,
            limits,
            questions,
            progress,
            open_count=remaining_count,
        )
    return report, questions
