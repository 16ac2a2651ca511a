"""What people read and answer before and after they judge in a session: a form that the project keeps."""

from collections.abc import Callable, Sequence

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QLabel, QLineEdit, QPlainTextEdit, QVBoxLayout, QWidget

from irjudge.store.project import Project
from irjudge.web.participants import StartPage, SurveyQuestion, keep_start, kept_start, question_id
from irjudge_ui.messages import filled, listed, plain
from irjudge_ui.widgets.dialog import Dialog, growing
from irjudge_ui.widgets.fields import ChoiceBox, NumberField
from irjudge_ui.widgets.layout import Part, button, labelled, offer, row, scrolling, text
from irjudge_ui.widgets.theme import SPACE_S, zoomed

SIZE = (640, 520)
MOST_MINUTES, CONSENT_HEIGHT = 999, 96
BEFORE, AFTER = "before", "after"


class BeforeAndAfter(QWidget):
    """A button that opens the form, and in words what is asked now."""

    def __init__(self) -> None:
        super().__init__()
        self._project: Project | None = None
        self.open, self.asked = button(self.tr("Consent and questions")), text("", "quiet")
        self.open.clicked.connect(self._ask)
        parts = row(self.open, self.asked)
        parts.setStretch(1, 1)
        self.setLayout(parts)

    def show_project(self, project: Project | None) -> None:
        """Say what the sessions of another project ask."""
        self._project = project
        kept = kept_start(project) if project else None
        self.open.setEnabled(project is not None and project.writing)
        self.asked.setText(self._in_words(kept or StartPage()))
        self.asked.setVisible(bool(self.asked.text()))

    def _in_words(self, asks: StartPage) -> str:
        questions = len(asks.before) + len(asks.after)
        parts = [
            self.tr("consent") if asks.consent else "",
            filled(self.tr("{minutes} min"), minutes=f"{asks.minutes:,}") if asks.minutes else "",
            filled(self.tr("questions: {questions}"), questions=f"{questions:,}")
            if questions
            else "",
        ]
        said = listed(filter(None, parts))
        return filled(self.tr("Before and after: {text}"), text=said) if said else ""

    def _ask(self) -> None:
        if self._project:
            StartPageDialog(self, kept_start(self._project) or StartPage(), self._keep).open()

    def _keep(self, asks: StartPage) -> None:
        if self._project:
            keep_start(self._project, asks)
            self.show_project(self._project)


class QuestionRow(QWidget):
    """One question: when it is asked, its words, and what can be chosen. `changed` comes as it is typed, `leaves` when it is taken out."""

    changed = Signal()
    leaves = Signal()

    def __init__(self, asked: SurveyQuestion | None = None, when: str = BEFORE) -> None:
        super().__init__()
        self._id = asked.id if asked else ""
        self.when, self.words, self.choices = (
            ChoiceBox(name=self.tr("When")),
            QLineEdit(),
            QLineEdit(),
        )
        offer(self.when, [(self.tr("before"), BEFORE), (self.tr("after"), AFTER)])
        self.when.setCurrentIndex(self.when.findData(when))
        self.problem, self.remove = text("", "error"), button("✕", "link")
        for field, hint in (
            (self.words, self.tr("Question")),
            (self.choices, self.tr("Choices with commas; empty: own words")),
        ):
            field.setPlaceholderText(hint)
            field.setToolTip(plain(hint))
            field.setAccessibleName(hint)
            field.textChanged.connect(self._show_problem)
        self.remove.setAccessibleName(self.tr("Take the question out"))
        self.remove.clicked.connect(self.leaves)
        if asked:
            self.words.setText(asked.question)
            self.choices.setText(listed(asked.choices))
        fields = row(self.when, self.words, self.choices, self.remove)
        for place in (1, 2):
            fields.setStretch(place, 1)
        box = QVBoxLayout(self)
        box.setContentsMargins(0, 0, 0, 0)
        box.setSpacing(SPACE_S)
        box.addLayout(fields)
        box.addWidget(self.problem)
        self._show_problem()

    def _named(self) -> list[str]:
        return list(
            dict.fromkeys(
                filter(
                    None,
                    (each.strip() for each in self.choices.text().replace("，", ",").split(",")),
                )
            )
        )

    def _show_problem(self) -> None:
        """Say below the fields what keeps the question from being asked."""
        words = self.words.text().strip()
        problem = self.tr("Write the question.") if self._named() and not words else ""
        if words and len(self._named()) == 1:
            problem = self.tr("One choice is none: write two or more, or leave them out.")
        self.problem.setText(f"✕ {problem}" if problem else "")
        self.problem.setVisible(bool(problem))
        self.changed.emit()

    @property
    def wrong(self) -> bool:
        """Whether it cannot be asked as it is."""
        return bool(self.problem.text())

    def question(self, taken: Sequence[str]) -> SurveyQuestion | None:
        """Return the question; None where there are no words. `taken` are what other questions are called."""
        words = self.words.text().strip()
        return (
            SurveyQuestion(self._id or question_id(words, taken), words, tuple(self._named()))
            if words
            else None
        )


class StartPageDialog(Dialog):
    """Asks for the consent text, the expected minutes and the questions."""

    def __init__(
        self, parent: QWidget, asks: StartPage, keep: Callable[[StartPage], object]
    ) -> None:
        super().__init__(parent, SIZE)
        self.consent, self.minutes = (
            QPlainTextEdit(asks.consent),
            NumberField(0, MOST_MINUTES, asks.minutes, self.tr("Expected minutes")),
        )
        self.consent.setAccessibleName(self.tr("Consent"))
        self.consent.setPlaceholderText(self.tr("Empty: nothing is asked."))
        self.consent.setTabChangesFocus(True)
        self.consent.setFixedHeight(zoomed(CONSENT_HEIGHT))
        self.rows: list[QuestionRow] = []
        holder = QWidget()
        self._box = QVBoxLayout(holder)
        self._box.setContentsMargins(0, 0, 0, 0)
        self._box.addStretch(1)
        self.more = button(self.tr("Add a question"))
        self.more.clicked.connect(lambda: self._add().words.setFocus())
        about = text(
            self.tr(
                "What people agree to before they begin, as Markdown: who asks and what for, what is kept and for how long, and whom to "
                "write to. Who does not agree, or withdraws later, counts no more. What was answered is written with Export."
            ),
            "quiet",
        )
        minutes = row(
            labelled(self.tr("Expected minutes"), self.minutes),
            text(self.tr("0: nothing is said of it"), "quiet"),
            None,
        )
        questions: QLabel = text(self.tr("Questions"), "heading")
        parts: list[Part] = [
            text(self.tr("Consent"), "heading"),
            about,
            self.consent,
            minutes,
            questions,
            growing(scrolling(holder, "inset")),
            row(self.more, None),
        ]
        self.fill(
            self.tr("Consent and questions"),
            parts,
            [(self.tr("Cancel"), None), (self.tr("Keep"), lambda: keep(self.asked()))],
        )
        for when, asked in ((BEFORE, asks.before), (AFTER, asks.after)):
            for each in asked:
                self._add(each, when)
        self.consent.setFocus()

    def _add(self, asked: SurveyQuestion | None = None, when: str = BEFORE) -> QuestionRow:
        made = QuestionRow(asked, when)
        self.rows.append(made)
        self._box.insertWidget(self._box.count() - 1, made)
        made.changed.connect(self._check)
        made.leaves.connect(lambda: self._remove(made))
        return made

    def _remove(self, gone: QuestionRow) -> None:
        self.rows.remove(gone)
        gone.hide()
        gone.deleteLater()
        self._check()
        self.more.setFocus()

    def _check(self) -> None:
        self.buttons[-1].setEnabled(not any(each.wrong for each in self.rows))

    def asked(self) -> StartPage:
        """Return what the form says; rows without words are left out."""
        found: dict[str, list[SurveyQuestion]] = {BEFORE: [], AFTER: []}
        for each in self.rows:
            question = each.question([known.id for part in found.values() for known in part])
            if question:
                found[str(each.when.currentData())].append(question)
        return StartPage(
            self.consent.toPlainText().strip(),
            self.minutes.value(),
            tuple(found[BEFORE]),
            tuple(found[AFTER]),
        )
