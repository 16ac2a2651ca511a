"""The form that shares the pool out: who judges, how many times each document, what is planted."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date
from pathlib import Path

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QCheckBox, QFormLayout, QLineEdit, QWidget

from irjudge.errors import IrjudgeError
from irjudge.exchange.people import Candidate, candidates_of
from irjudge.exchange.plan import AssignmentWish
from irjudge.exchange.task_file import IRTASK, FileForm
from irjudge.model.topic import chosen_topics
from irjudge.web.page import HTML, PAGED
from irjudge_ui.widgets.choice_box import ChoiceBox
from irjudge_ui.widgets.layout import row, text
from irjudge_ui.widgets.number_field import NumberField
from irjudge_ui.widgets.theme import SPACE_M, SPACE_S

MOST = 999


@dataclass(frozen=True, slots=True)
class AssignRequest:
    """What the form asks for."""

    people: tuple[Candidate, ...]
    wish: AssignmentWish
    deadline: str
    comparing: bool = False  # two runs side by side, not documents
    form: FileForm = IRTASK


class AssignForm(QWidget):
    """Fields for a round of assignments. `changed` says that they ask for something else."""

    changed = Signal()

    def __init__(self) -> None:
        super().__init__()
        self.people = QLineEdit()
        self.people.setPlaceholderText(self.tr("ann, bob, … or a table file"))
        self.mode = ChoiceBox()
        self.mode.setAccessibleName(self.tr("What assessors do"))
        self.mode.addItem(self.tr("grade documents"), False)
        self.mode.addItem(self.tr("compare every two runs"), True)
        self.mode.activated.connect(self._on_mode)
        self.overlap = NumberField(1, MOST, 1, self.tr("How many assessors judge a document"))
        self.gold = NumberField(0, 99, 0, self.tr("Percent of documents with a known answer"))
        self.qualification = NumberField(0, MOST, 0, self.tr("Documents with a known answer that open the work"))
        self.repeats = NumberField(0, MOST, 0, self.tr("Documents shown a second time"))
        self._make_files()
        self.topics = QLineEdit()
        self.topics.setPlaceholderText(self.tr("all"))
        self.topics.setToolTip(self.tr("Ids with commas between them; 401-405 stands for all from one to the other. Empty: all."))
        self.deadline = QLineEdit()
        self.deadline.setPlaceholderText(self.tr("none (YYYY-MM-DD)"))
        self._lay_out()
        for typed in (self.people, self.topics, self.deadline):
            typed.textChanged.connect(lambda _text: self.changed.emit())
        for number in (self.overlap, self.gold, self.qualification, self.repeats):
            number.changed.connect(lambda _value: self.changed.emit())

    def _make_files(self) -> None:
        """Make the fields that say what is written."""
        self.files = ChoiceBox()
        self.files.setAccessibleName(self.tr("What the files open in"))
        self.files.addItem(self.tr("for irjudge (.irtask)"), IRTASK)
        self.files.addItem(self.tr("for any browser (.html)"), HTML)
        self.files.setToolTip(self.tr("A page judges in any browser on a computer, without an installation or a network."))
        self.files.activated.connect(lambda _place: self.changed.emit())
        self.page_images = QCheckBox(self.tr("with page images"))
        self.page_images.setToolTip(
            self.tr(
                "Lets assessors see the pages of documents that were PDF files. The files are larger then: those for irjudge carry the "
                "PDF files, those for a browser pictures of their first 20 pages."
            )
        )
        self.page_images.toggled.connect(lambda _on: self.changed.emit())

    def _lay_out(self) -> None:
        """Put a name before each field, and behind it what its number counts."""
        form = QFormLayout(self)
        form.setContentsMargins(0, 0, 0, 0)
        form.setHorizontalSpacing(SPACE_M)
        form.setVerticalSpacing(SPACE_S)
        form.setRowWrapPolicy(QFormLayout.RowWrapPolicy.WrapLongRows)
        for words, field, after in (
            (self.tr("Assessors"), self.people, ""),
            (self.tr("They"), self.mode, ""),
            (self.tr("Topics"), self.topics, ""),
            (self.tr("Overlap"), self.overlap, self.tr("assessors for each")),
            (self.tr("Gold"), self.gold, self.tr("% with a known answer")),
            (self.tr("Qualification"), self.qualification, self.tr("known answers first")),
            (self.tr("Repeats"), self.repeats, self.tr("shown twice")),
            (self.tr("Deadline"), self.deadline, ""),
            (self.tr("Files"), self.files, ""),
            ("", self.page_images, ""),
        ):
            if words and not field.accessibleName():
                field.setAccessibleName(words)
            beside = row(field, text(after, "quiet", wrap=False), None) if after else row(field)
            form.addRow(text(words, "quiet", wrap=False), beside)

    def forget(self) -> None:
        """Name nobody and no deadline, for another project."""
        self.people.clear()
        self.topics.clear()
        self.deadline.clear()
        for box in (self.mode, self.files):
            box.setCurrentIndex(0)
        self.page_images.setChecked(False)
        self._on_mode()

    def _on_mode(self) -> None:
        """Known answers are those of documents: a comparison has none."""
        for field in (self.gold, self.qualification):
            field.setEnabled(not self.mode.currentData())
        self.changed.emit()

    def asked(self, seed: int, topics: Sequence[str]) -> AssignRequest:
        """Return what the form asks for, of a project with this seed and these topics."""
        named = self.people.text().strip()
        if not named:
            raise IrjudgeError("Name the assessors, with commas between them, or a table of them.")
        people = candidates_of(str(Path(named).expanduser()) if Path(named).suffix else named)
        wish = AssignmentWish(
            overlap=self.overlap.value(),
            gold=self.gold.value() / 100,
            repeats=self.repeats.value(),
            qualification=self.qualification.value(),
            seed=seed,
            topics=chosen_topics(self.topics.text(), topics),
        )
        return AssignRequest(people, wish, self._deadline(), bool(self.mode.currentData()), self.file_form)

    @property
    def file_form(self) -> FileForm:
        """What the files open in."""
        chosen: FileForm = self.files.currentData()
        return PAGED[chosen.name] if self.page_images.isChecked() else chosen

    def _deadline(self) -> str:
        typed = self.deadline.text().strip()
        try:
            return date.fromisoformat(typed).isoformat() if typed else ""
        except ValueError as fault:
            raise IrjudgeError(f"The deadline {typed!r} is no date, expected one such as 2026-03-01.") from fault
