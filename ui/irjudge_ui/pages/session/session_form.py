"""Forms of a session: its options, and its start page (consent text, questions)."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any, TypeVar, cast

from PySide6.QtCore import Signal
from PySide6.QtWidgets import (
    QCheckBox,
    QLineEdit,
    QPlainTextEdit,
    QVBoxLayout,
    QWidget,
)
from shiboken6 import isValid

from irjudge.errors import IrjudgeError
from irjudge.exchange import parse_candidates
from irjudge.model import select_topics
from irjudge.options import OptionField
from irjudge.store import Project
from irjudge.web import (
    SessionOptions,
    SessionRequest,
    StartPage,
    SurveyQuestion,
    likely_addresses,
    load_start_page,
    local_addresses,
    make_question_id,
    plan_session,
    save_start_page,
)
from irjudge_ui import jobs
from irjudge_ui.messages import filled, join_list, translate_message
from irjudge_ui.widgets import (
    ChoiceBox,
    Dialog,
    NumberField,
    OptionsForm,
    column,
    fill_choices,
    make_button,
    make_growing,
    make_label,
    make_scroll_area,
    named,
    row,
    scale_length,
    show_text,
    with_label,
)

# Options of a new session

Field = TypeVar("Field", bound=QWidget)
LISTS, PAIRS = "lists", "pairs"
LOCAL_ADDRESS = "127.0.0.1"
FIELD_ORDER = (
    "mode",
    "topics",
    "order",
    "size",
    "rel",
    "search",
    "several",
    "depth",
    "overlap",
    "again",
    "norming",
    "named",
    "qualification",
    "gold_every",
    "repeats_every",
    "join",
    "people",
    "host",
)


class SessionForm(OptionsForm):
    """Form of the session page for the options of a new session; it does not start one.

    `session_options` returns the options for a project, or None if the topics or names are invalid;
    the error is then shown below the field. Other errors raise IrjudgeError. Consent and questions
    belong to the start page, which has its own field (`StartPageField`).
    """

    def __init__(self) -> None:
        self._is_finding_addresses = False
        self._has_assigned = False  # whether any pairs of the pool have been assigned
        super().__init__(SessionRequest, FIELD_ORDER)
        self.mode, self.order, self.join, self.address = (
            self._field(ChoiceBox, name) for name in ("mode", "order", "join", "host")
        )
        self.overlap, self.results, self.gold, self.qualification, self.repeats = (
            self._field(NumberField, name)
            for name in ("overlap", "depth", "gold_every", "qualification", "repeats_every")
        )
        self.search, self.several, self.again, self.norming, self.named = (
            self._field(QCheckBox, name)
            for name in ("search", "several", "again", "norming", "named")
        )
        self.topics, self.names = (self._field(QLineEdit, name) for name in ("topics", "people"))

    def _field(self, _kind: type[Field], name: str) -> Field:
        return cast(Field, self.fields[name])

    def make_field(self, declared: OptionField) -> QWidget:
        if declared.name not in ("mode", "host"):
            return super().make_field(declared)
        field = ChoiceBox()
        if declared.name == "mode":
            fill_choices(
                field,
                [
                    (self.tr("grade documents"), ""),
                    (self.tr("compare result lists"), LISTS),
                    (self.tr("compare documents in pairs"), PAIRS),
                ],
            )
        return field

    def get_value(self, declared: OptionField) -> Any:
        if declared.name == "mode":
            return "side-by-side" if self._field(ChoiceBox, "mode").currentData() else "grade"
        return self.host if declared.name == "host" else super().get_value(declared)

    def values(self) -> Mapping[tuple[str, ...], Any]:
        compares_pairs = self._field(ChoiceBox, "mode").currentData() == PAIRS
        return {**super().values(), ("compare", "choice"): "all" if compares_pairs else None}

    def has_effect(self, declared: OptionField, draft: Any) -> bool:
        if declared.name == "again" and not self._has_assigned:
            is_possible = self._field(QCheckBox, "again").isChecked()
        else:
            is_possible = declared.name != "several" or draft.order != "learning"
        return is_possible and super().has_effect(declared, draft)

    def reset(self) -> None:
        """Restore the defaults of all options except the address.

        The address depends on the computer, not on the project.
        """
        index = self.address.currentIndex()
        super().reset()
        self.address.setCurrentIndex(index)

    def offer_again(self, assigned: bool) -> None:
        self._has_assigned = assigned
        self.show_fields()

    def refresh(self) -> None:
        """Offer the current addresses of this computer, which are determined in the background.

        Until then, likely addresses are offered.
        """
        if not self.address.count():
            self._offer_addresses(likely_addresses())
        if not self._is_finding_addresses:
            self._is_finding_addresses = True
            jobs.run_detached(local_addresses, self._set_addresses)

    def _set_addresses(self, addresses: list[str]) -> None:
        self._is_finding_addresses = False
        # the form may have been deleted meanwhile, for example after a change of the language
        if isValid(self.address):
            self._offer_addresses(addresses)

    def _offer_addresses(self, addresses: list[str]) -> None:
        fill_choices(
            self.address,
            [(address, address) for address in dict.fromkeys([*addresses, LOCAL_ADDRESS])],
        )

    @property
    def host(self) -> str:
        """Network address on which the server is to listen."""
        return str(self._field(ChoiceBox, "host").currentData() or LOCAL_ADDRESS)

    def session_options(self, project: Project) -> SessionOptions | None:
        """Return the session options for a project; None if a field is invalid.

        The error of an invalid field is shown below it.
        """
        topics = [topic.id for topic in project.collection.topics()]
        if self._can_parse(self.topics, lambda text: select_topics(text, topics)) and (
            self.join.currentData() == "open" or self._check_people()
        ):
            return plan_session(self.options())(project)
        return None

    def _can_parse(self, field: QLineEdit, parse: Callable[[str], object]) -> bool:
        try:
            parse(field.text())
        except IrjudgeError as error:
            self.field_errors[field].show_message(translate_message(str(error)))
            return False
        return True

    def _check_people(self) -> bool:
        if not self.names.text().strip():
            self.field_errors[self.names].show_message(
                self.tr(
                    "Enter the names of the participants who may join, separated by commas, or "
                    "choose a file."
                )
            )
            return False
        return self._can_parse(self.names, parse_candidates)


# Start page of a session: consent text and questions, which are stored in the project

DIALOG_SIZE = (640, 520)
MAX_MINUTES, CONSENT_HEIGHT = 999, 96
BEFORE, AFTER = "before", "after"


class StartPageField(QWidget):
    """Field of the session page: opens the dialog for the start page, and summarises the page.

    The start page contains the consent text, the expected minutes and the questions of a session.
    Changes are stored in the project.
    """

    def __init__(self) -> None:
        super().__init__()
        self._project: Project | None = None
        self.open = make_button(self.tr("Consent and questions"), clicked=self._ask)
        self.summary = make_label("", "quiet")
        self.setLayout(row(self.open, self.summary, stretched=self.summary))

    def show_project(self, project: Project | None) -> None:
        self._project = project
        self.open.setEnabled(project is not None and project.writing)
        start_page = (load_start_page(project) if project else None) or StartPage()
        show_text(self.summary, self._describe(start_page))

    def _describe(self, start_page: StartPage) -> str:
        questions = len(start_page.before) + len(start_page.after)
        parts = [
            self.tr("consent") if start_page.consent else "",
            filled(self.tr("{minutes} min"), minutes=f"{start_page.minutes:,}")
            if start_page.minutes
            else "",
            filled(self.tr("questions: {questions}"), questions=f"{questions:,}")
            if questions
            else "",
        ]
        summary_text = join_list(filter(None, parts))
        return (
            filled(
                self.tr("Shown to participants before or after the work: {text}"), text=summary_text
            )
            if summary_text
            else ""
        )

    def _ask(self) -> None:
        if self._project:
            StartPageDialog(self, load_start_page(self._project) or StartPage(), self._store).open()

    def _store(self, start_page: StartPage) -> None:
        if self._project:
            save_start_page(self._project, start_page)
            self.show_project(self._project)


class QuestionRow(QWidget):
    """Editable row of the start page dialog for a question: time, text and choices.

    Without choices, participants answer with free text. `question` returns the entered question, or
    None if the text is empty; it gives a new question an id that is not in `used_ids`. `when` has
    the time, before or after the work. `changed` is emitted after an edit of the text or the
    choices, `leaves` when the user removes the question.
    """

    changed = Signal()
    leaves = Signal()

    def __init__(self, question: SurveyQuestion | None = None, when: str = BEFORE) -> None:
        super().__init__()
        self._id = question.id if question else ""
        self.when = ChoiceBox(name=self.tr("When"))
        self.wording, self.choices = (
            named(QLineEdit(placeholderText=hint), hint, hint)
            for hint in (
                self.tr("Question"),
                self.tr("Choices separated by commas; leave empty for free text"),
            )
        )
        fill_choices(
            self.when, [(self.tr("before the work"), BEFORE), (self.tr("after the work"), AFTER)]
        )
        self.when.setCurrentIndex(self.when.findData(when))
        self.problem = make_label("", "error")
        self.remove = make_button("✕", "link", name=self.tr("Remove question"), clicked=self.leaves)
        for field in (self.wording, self.choices):
            field.textChanged.connect(self._show_problem)
        if question:
            self.wording.setText(question.question)
            self.choices.setText(join_list(question.choices))
        field_row = row(self.when, self.wording, self.choices, self.remove)
        for index in (1, 2):
            field_row.setStretch(index, 1)
        self.setLayout(column(field_row, self.problem))
        self._show_problem()

    def _choice_list(self) -> list[str]:
        parts = (part.strip() for part in self.choices.text().replace("，", ",").split(","))
        return list(dict.fromkeys(filter(None, parts)))

    def _show_problem(self) -> None:
        text = self.wording.text().strip()
        problem = self.tr("Enter the question.") if self._choice_list() and not text else ""
        if text and len(self._choice_list()) == 1:
            problem = self.tr("One choice is not enough: enter at least two choices, or none.")
        show_text(self.problem, f"✕ {problem}" if problem else "")
        self.changed.emit()

    def question(self, used_ids: Sequence[str]) -> SurveyQuestion | None:
        text = self.wording.text().strip()
        return (
            SurveyQuestion(
                self._id or make_question_id(text, used_ids), text, tuple(self._choice_list())
            )
            if text
            else None
        )


class StartPageDialog(Dialog):
    """Dialog that edits a session's start page: consent text, minutes, and questions.

    The minutes are the expected duration. On acceptance, `store` is called with the new start page.
    """

    def __init__(
        self, parent: QWidget, start_page: StartPage, store: Callable[[StartPage], object]
    ) -> None:
        super().__init__(parent, DIALOG_SIZE)
        self.minutes = NumberField(0, MAX_MINUTES, start_page.minutes, self.tr("Expected minutes"))
        self.consent = named(
            QPlainTextEdit(start_page.consent, tabChangesFocus=True), self.tr("Consent")
        )
        self.consent.setPlaceholderText(self.tr("Leave empty if no consent is required."))
        self.consent.setFixedHeight(scale_length(CONSENT_HEIGHT))
        self.rows: list[QuestionRow] = []
        container = QWidget()
        self._box = QVBoxLayout(container)
        self._box.setContentsMargins(0, 0, 0, 0)
        self._box.addStretch(1)
        self.more = make_button(
            self.tr("Add a question"), clicked=lambda: self._add().wording.setFocus()
        )
        self.fill(
            self.tr("Consent and questions"),
            [
                make_label(self.tr("Consent"), "heading"),
                make_label(
                    self.tr(
                        "What participants agree to before they start, in Markdown: who asks and why, "
                        "what is stored and for how long, and a contact. Participants who do not "
                        "agree, or withdraw later, are excluded. Use Export to save all participants' "
                        "answers to the questions."
                    ),
                    "quiet",
                ),
                self.consent,
                row(
                    with_label(self.tr("Expected minutes"), self.minutes),
                    make_label(self.tr("0: not shown to participants"), "quiet"),
                    None,
                ),
                make_label(self.tr("Questions"), "heading"),
                make_label(
                    self.tr(
                        "Questions after the work are shown when no document is left for the "
                        "participant to judge."
                    ),
                    "quiet",
                ),
                make_growing(make_scroll_area(container, "inset")),
                row(self.more, None),
            ],
            [(self.tr("Cancel"), None), (self.tr("Save"), lambda: store(self.read_questions()))],
        )
        for when, questions_at in ((BEFORE, start_page.before), (AFTER, start_page.after)):
            for question in questions_at:
                self._add(question, when)
        self.consent.setFocus()

    def _add(self, question: SurveyQuestion | None = None, when: str = BEFORE) -> QuestionRow:
        question_row = QuestionRow(question, when)
        self.rows.append(question_row)
        self._box.insertWidget(self._box.count() - 1, question_row)
        question_row.changed.connect(self._update_save_button)
        question_row.leaves.connect(lambda: self._remove(question_row))
        return question_row

    def _remove(self, question_row: QuestionRow) -> None:
        self.rows.remove(question_row)
        question_row.hide()
        question_row.deleteLater()
        self._update_save_button()
        self.more.setFocus()

    def _update_save_button(self) -> None:
        self.buttons[-1].setEnabled(not any(row.problem.text() for row in self.rows))

    def read_questions(self) -> StartPage:
        questions: dict[str, list[SurveyQuestion]] = {BEFORE: [], AFTER: []}
        for question_row in self.rows:
            question = question_row.question(
                [known_question.id for part in questions.values() for known_question in part]
            )
            if question:
                questions[str(question_row.when.currentData())].append(question)
        return StartPage(
            self.consent.toPlainText().strip(),
            self.minutes.value(),
            tuple(questions[BEFORE]),
            tuple(questions[AFTER]),
        )
