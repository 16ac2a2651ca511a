"""Form for assignments: assessors, judgments per document, gold and repeated documents."""

from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path
from typing import TypeVar

from PySide6.QtCore import QDate, Signal
from PySide6.QtWidgets import QCheckBox, QFormLayout, QLineEdit, QWidget

from irjudge.errors import IrjudgeError
from irjudge.exchange import (
    DEFAULT_DEPTH,
    IRTASK_FORMAT,
    AssignmentRequest,
    Candidate,
    ComparisonRequest,
    TaskFileFormat,
    parse_candidates,
)
from irjudge.model import select_topics
from irjudge.store import DEFAULT_DOCUMENTS_PER_PAGE
from irjudge.web import HTML, choose_file_format
from irjudge_ui.messages import filled, join_list, translate, translate_message
from irjudge_ui.widgets import (
    SPACE_M,
    SPACE_S,
    SPACE_XS,
    ChoiceBox,
    DateField,
    FieldError,
    NumberField,
    column,
    make_button,
    make_label,
    row,
    with_tooltip,
)

MAX_NUMBER, MAX_DEPTH = 999, 100
# form rows with options that most assignments do not need
ADVANCED_FIELDS = ("gold", "qualification", "repeats", "several", "files", "pages")
Read = TypeVar("Read")


class AssignForm(QWidget):
    """Form of the Assessors page for the options of new assignments.

    The assignments are for one or several assessors. The options are their names, grading or
    comparing, overlap, gold items and file format, among others. `changed` is emitted after each
    edit and reset. `read_request` returns the options or raises an error; the form does not create
    assignments.
    """

    changed = Signal()

    def __init__(self) -> None:
        super().__init__()
        self.people = QLineEdit(placeholderText=self.tr("ann, bob, … or a file"))
        self._make_filters()
        self.mode = ChoiceBox(0, self.tr("Instructions for assessors"), activated=self._on_mode)
        self.mode.addItem(self.tr("grade documents"), False)
        self.mode.addItem(self.tr("compare all pairs of runs"), True)
        self.overlap = NumberField(1, MAX_NUMBER, 1, self.tr("Number of assessors per document"))
        self.results = NumberField(
            1, MAX_DEPTH, DEFAULT_DEPTH, self.tr("Number of results per list")
        )
        self.gold = NumberField(0, 99, 0, self.tr("Percentage of gold items"))
        self.qualification = NumberField(
            0, MAX_NUMBER, 0, self.tr("Number of gold items at the start")
        )
        self.repeats = NumberField(
            0, MAX_NUMBER, 0, self.tr("Number of documents shown a second time")
        )
        self.several = with_tooltip(
            QCheckBox(self.tr("several documents per page")),
            self.tr(
                "For short texts and products: the documents of a topic are listed on one page."
            ),
        )
        self.several.toggled.connect(lambda _checked: self.changed.emit())
        self._make_files()
        self.deadline = DateField(self.tr("Deadline"))
        self.deadline.setPlaceholderText(
            filled(self.tr("e.g. {written}"), written=DateField.format_day(QDate(2027, 12, 31)))
        )
        self.field_errors: dict[QLineEdit, FieldError] = {
            field: FieldError(field)
            for field in (self.people, self.topics, self.runs, self.deadline)
        }
        self.more = make_button(
            self.tr("More options"),
            "link",
            tooltip=self.tr("Gold items, repeat items, browser files"),
            checkable=True,
        )
        # label that shows the next error: of the field that was read last, or of the whole request
        self._error_label = self.field_errors[self.people]
        self._lay_out()
        for text_field in self.field_errors:
            text_field.textChanged.connect(lambda _text: self.changed.emit())
        for field in (self.overlap, self.results, self.gold, self.qualification, self.repeats):
            for signal in (field.changed, field.typed):
                signal.connect(lambda _value: self.changed.emit())

    def _make_filters(self) -> None:
        self.topics = with_tooltip(
            QLineEdit(placeholderText=self.tr("all")),
            self.tr(
                "Topic ids separated by commas; 401-405 means all ids in that range. Leave empty "
                "for all topics."
            ),
        )
        self.runs = with_tooltip(
            QLineEdit(placeholderText=self.tr("all")),
            self.tr("Names of at least two runs, separated by commas. Leave empty for all runs."),
        )

    def _make_files(self) -> None:
        self.files = with_tooltip(
            ChoiceBox(
                0,
                self.tr("Program that opens the files"),
                activated=lambda _index: self.changed.emit(),
            ),
            self.tr(
                "The page works in any desktop browser, without installation or a network "
                "connection."
            ),
        )
        self.files.addItem(self.tr("for irjudge (.irtask)"), IRTASK_FORMAT)
        self.files.addItem(self.tr("for any browser (.html)"), HTML)
        self.page_images = with_tooltip(
            QCheckBox(self.tr("include page images")),
            self.tr(
                "Lets assessors see the pages of documents that were imported from PDF files. "
                "This makes the files larger: irjudge files contain the PDFs, and browser "
                "files contain images of the first 20 pages."
            ),
        )
        self.page_images.toggled.connect(lambda _checked: self.changed.emit())

    def _lay_out(self) -> None:
        form_layout = self._form = QFormLayout(
            self,
            horizontalSpacing=SPACE_M,
            verticalSpacing=SPACE_S,
            rowWrapPolicy=QFormLayout.RowWrapPolicy.WrapLongRows,
        )
        form_layout.setContentsMargins(0, 0, 0, 0)
        self._rows: dict[str, int] = {}
        for name, label, field, unit in (
            ("people", self.tr("Assessors"), self.people, ""),
            ("mode", self.tr("Task"), self.mode, ""),
            ("runs", self.tr("Runs"), self.runs, ""),
            ("depth", self.tr("Depth"), self.results, self.tr("results per list")),
            ("topics", self.tr("Topics"), self.topics, ""),
            ("overlap", self.tr("Overlap"), self.overlap, self.tr("assessors per document")),
            ("deadline", self.tr("Deadline"), self.deadline, ""),
            ("gold", self.tr("Gold"), self.gold, self.tr("% gold items")),
            (
                "qualification",
                self.tr("Qualification"),
                self.qualification,
                self.tr("gold items at the start"),
            ),
            ("repeats", self.tr("Repeats"), self.repeats, self.tr("repeat items")),
            ("several", self.tr("Page"), self.several, ""),
            ("files", self.tr("Files"), self.files, ""),
            ("pages", "", self.page_images, ""),
        ):
            if label and not field.accessibleName():
                field.setAccessibleName(label)
            suffix = row(field, make_label(unit, "quiet", wrap=False), None) if unit else row(field)
            if field is self.deadline:
                suffix.addWidget(self.deadline.pick)
            notes = [self.deadline.note] if field is self.deadline else []
            if isinstance(field, QLineEdit) and field in self.field_errors:
                notes.append(self.field_errors[field])
            if name == ADVANCED_FIELDS[0]:  # the advanced options appear below the link
                form_layout.addRow(self.more)
            self._rows[name] = form_layout.rowCount()
            form_layout.addRow(
                make_label(label, "quiet", wrap=False),
                column(suffix, *notes, spacing=SPACE_XS) if notes else suffix,
            )
        self.more.toggled.connect(lambda _checked: self._show_rows())
        self._show_rows()

    def _show_rows(self) -> None:
        is_comparing, shows_more = bool(self.mode.currentData()), self.more.isChecked()
        visibility = {
            "runs": is_comparing,
            "depth": is_comparing,
            **dict.fromkeys(ADVANCED_FIELDS, shows_more),
        }
        # these options are only for graded documents, not for comparisons
        for name in ("gold", "qualification", "several"):
            visibility[name] = shows_more and not is_comparing
        for name, is_visible in visibility.items():
            self._form.setRowVisible(self._rows[name], is_visible)

    def forget(self) -> None:
        for text_field in self.field_errors:
            text_field.clear()
        for number in (self.overlap, self.results, self.gold, self.qualification, self.repeats):
            number.reset()
        for box in (self.mode, self.files):
            box.setCurrentIndex(0)
        for button in (self.page_images, self.several, self.more):
            button.setChecked(False)
        self._on_mode()

    def _on_mode(self) -> None:
        self._show_rows()
        self.changed.emit()

    def read_request(self, topics: Sequence[str], runs: Sequence[str]) -> AssignmentRequest:
        self._read_field(self.people, self._read_candidates)
        self._read_field(self.topics, lambda: select_topics(self.topics.text(), topics))
        request = AssignmentRequest(
            assessors=self._entered_people(),
            overlap=self.overlap.value(),
            repeats=self.repeats.value(),
            topics=(self.topics.text(),),
            deadline=self._read_field(self.deadline, self._deadline),
            file_form=self.files.currentData().name,
            page_images=self.page_images.isChecked(),
        )
        if self.mode.currentData():
            return replace(
                request,
                mode="side-by-side",
                comparison=ComparisonRequest(
                    runs=tuple(
                        self._read_field(self.runs, lambda: _parse_runs(self.runs.text(), runs))
                    ),
                    depth=self.results.value(),
                ),
            )
        return replace(
            request,
            gold=self.gold.value() / 100,
            qualification=self.qualification.value(),
            several=DEFAULT_DOCUMENTS_PER_PAGE if self.several.isChecked() else 0,
        )

    def _read_field(self, field: QLineEdit, read_field: Callable[[], Read]) -> Read:
        """Return the parsed value of a field; `show_field_error` then shows errors below it."""
        self._error_label = self.field_errors[field]
        return read_field()

    def show_field_error(self, error: IrjudgeError) -> None:
        self._error_label.show_message(translate_message(str(error)))

    def _read_candidates(self) -> tuple[Candidate, ...]:
        if not self.people.text().strip():
            raise IrjudgeError(
                self.tr(
                    "Enter the names of the assessors, separated by commas, or the path of a "
                    "file that lists them."
                )
            )
        return parse_candidates(self._entered_people())

    def _entered_people(self) -> str:
        entered_text = self.people.text().strip()
        return str(Path(entered_text).expanduser()) if Path(entered_text).suffix else entered_text

    @property
    def file_format(self) -> TaskFileFormat:
        return choose_file_format(
            AssignmentRequest(
                file_form=self.files.currentData().name, page_images=self.page_images.isChecked()
            )
        )

    def _deadline(self) -> str:
        entered_text, deadline = self.deadline.text().strip(), self.deadline.day
        if entered_text and deadline is None:
            raise IrjudgeError(
                filled(
                    self.tr("Cannot read the deadline {typed}; expected a date such as {example}."),
                    typed=repr(entered_text),
                    example=DateField.format_day(QDate(2027, 12, 31)),
                )
            )
        return deadline.isoformat() if deadline else ""


def _parse_runs(entered_text: str, run_names: Sequence[str]) -> Sequence[str]:
    names = list(dict.fromkeys(filter(None, (part.strip() for part in entered_text.split(",")))))
    unknown = next((name for name in names if name not in run_names), None)
    if unknown is not None:
        raise IrjudgeError(
            filled(
                translate("AssignForm", "There is no run {unknown}; expected one of {known}."),
                unknown=unknown,
                known=join_list(run_names),
            )
        )
    if len(names or run_names) < 2:
        raise IrjudgeError(translate("AssignForm", "Comparing needs at least two runs."))
    return names or run_names
