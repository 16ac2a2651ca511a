"""Forms of a session: its options, and the consent text and questionnaires around judging."""

from collections.abc import Callable, Sequence

from PySide6.QtCore import QCoreApplication, Signal
from PySide6.QtWidgets import (
    QCheckBox,
    QGridLayout,
    QLabel,
    QLineEdit,
    QPlainTextEdit,
    QVBoxLayout,
    QWidget,
)
from shiboken6 import isValid

from irjudge.errors import IrjudgeError
from irjudge.exchange import DEFAULT_DEPTH, Choice, pair_runs, parse_candidates
from irjudge.exchange import ComparisonOptions as Comparison
from irjudge.judging import Norming, list_unassigned
from irjudge.model import ComparisonRules, default_reasons, select_topics
from irjudge.store import DEFAULT_DOCUMENTS_PER_PAGE, Project
from irjudge.web import (
    Join,
    Order,
    SessionWish,
    StartPage,
    SurveyQuestion,
    Terms,
    likely_addresses,
    load_start_page,
    local_addresses,
    make_question_id,
    save_start_page,
)
from irjudge_ui import jobs
from irjudge_ui.messages import escape_markup, filled, join_list, translate_message
from irjudge_ui.widgets import (
    SPACE_M,
    SPACE_S,
    ChoiceBox,
    Dialog,
    FieldError,
    NumberField,
    Part,
    fill_choices,
    make_button,
    make_growing,
    make_label,
    row,
    scale_length,
    scrolling,
    with_label,
)

# What the host asks for when a session begins.

MAX_OVERLAP, MAX_EVERY, MAX_DEPTH, MAX_LEARNT = 50, 999, 100, 10_000
LISTS, PAIRS = "lists", "pairs"
HERE = "127.0.0.1"
NARROWEST = 140  # that a field becomes
translate = QCoreApplication.translate


class SessionForm(QWidget):
    """Options of a session: task, topics, overlap, gold items, participants and address."""

    def __init__(self) -> None:
        super().__init__()
        self.mode, self.order, self.topics = ChoiceBox(), ChoiceBox(), QLineEdit()
        self.overlap = NumberField(1, MAX_OVERLAP, 3, self.tr("Judgments of each document"))
        self.results = NumberField(
            1, MAX_DEPTH, DEFAULT_DEPTH, self.tr("How many results of each list")
        )
        self.gold = NumberField(0, MAX_EVERY, 0, self.tr("A known answer every"))
        self.qualification = NumberField(
            0, MAX_EVERY, 0, self.tr("Documents with a known answer that open the work")
        )
        self.repeats = NumberField(0, MAX_EVERY, 0, self.tr("A document shown again every"))
        self.size_field = NumberField(
            1, MAX_LEARNT, Terms().size, self.tr("Documents of each topic")
        )
        self.rel = NumberField(1, MAX_EVERY, 1, self.tr("Relevant from grade"))
        self.search = QCheckBox(self.tr("people may search"))
        self.join, self.address, self.names = ChoiceBox(), ChoiceBox(), QLineEdit()
        self.again = QCheckBox(self.tr("give out once more"))
        self.norming = QCheckBox(self.tr("blind rounds first"))
        self.named = QCheckBox(self.tr("ask for consent"))
        self.several = QCheckBox(self.tr("several on a page"))
        self.several.setToolTip(
            self.tr("For short texts and products: those of a topic stand below each other.")
        )
        self.search.setToolTip(self.tr("They search the collection, and judge what they find."))
        self.again.setToolTip(self.tr("For more judgments of the same pairs."))
        self.norming.setToolTip(
            self.tr("All judge the same documents blind, and then talk about them.")
        )
        self.named.setToolTip(self.tr("Names stand with reasons where everybody agrees."))
        self._offer()
        self.topics.setPlaceholderText(self.tr("all"))
        self.topics.setToolTip(
            self.tr(
                "Ids with commas between them; 401-405 stands for all from one to the other. Empty: all."
            )
        )
        self.names.setPlaceholderText(self.tr("ann, bob, cleo, or a file"))
        self._asking = False
        self._out = False  # whether somebody has pairs of the pool in their hands, or had
        self.complaints: dict[QWidget, FieldError] = {
            field: FieldError(field) for field in (self.topics, self.names)
        }
        self._labels: dict[QWidget, tuple[QLabel, ...]] = {}
        self._lay_out()
        for box in (self.mode, self.order, self.join):
            box.currentIndexChanged.connect(lambda _place: self._show_fields())
        self.norming.toggled.connect(lambda _on: self._show_fields())
        self._show_fields()

    def _offer(self) -> None:
        """Fill the fields in which one of several is chosen."""
        modes = [
            ("", self.tr("grade documents")),
            (LISTS, self.tr("compare result lists")),
            (PAIRS, self.tr("compare documents in pairs")),
        ]
        fill_choices(self.mode, [(words, mode) for mode, words in modes])
        orders = [
            ("drawn", self.tr("topic by topic, by lot")),
            ("decisive", self.tr("what tells runs apart first")),
            ("learning", self.tr("learning, from the whole collection")),
        ]
        fill_choices(self.order, [(words, order) for order, words in orders])
        fill_choices(
            self.join,
            [
                (self.tr("Anyone with the code"), "open"),
                (self.tr("Names on a list"), "names"),
                (self.tr("One link each"), "links"),
            ],
        )

    def _lay_out(self) -> None:
        box = QGridLayout(self)
        box.setContentsMargins(0, 0, 0, 0)
        box.setVerticalSpacing(SPACE_S)
        box.setHorizontalSpacing(SPACE_M)
        every = self.tr("documents; 0 for none")
        fields: tuple[tuple[str, QWidget, str], ...] = (
            (self.tr("They"), self.mode, ""),
            (self.tr("Topics"), self.topics, ""),
            (self.tr("Order"), self.order, ""),
            (self.tr("Documents of each topic"), self.size_field, self.tr("relevant from grade")),
            (self.tr("Search"), self.search, ""),
            (self.tr("Documents shown"), self.several, ""),
            (self.tr("Depth"), self.results, self.tr("results of each list")),
            (self.tr("Judgments of each"), self.overlap, self.tr("document or comparison")),
            (self.tr("What is handed out"), self.again, ""),
            (self.tr("Norming"), self.norming, ""),
            (self.tr("Names in the talk"), self.named, ""),
            (self.tr("Qualification"), self.qualification, self.tr("known answers first")),
            (self.tr("A known answer every"), self.gold, every),
            (self.tr("One shown again every"), self.repeats, self.tr("of them; 0 for none")),
            (self.tr("Who may join"), self.join, ""),
            (self.tr("Names"), self.names, ""),
            (self.tr("Address of this machine"), self.address, ""),
        )
        self._labels[self.rel] = ()
        for place, (words, field, after) in enumerate(fields):
            label, beside = make_label(words, "quiet"), make_label(after, "quiet")
            field.setAccessibleName(words)
            field.setMinimumWidth(
                min(field.minimumSizeHint().width(), NARROWEST)
            )  # in large text a long choice gives way to its name
            box.addWidget(label, 2 * place, 0)
            number = isinstance(field, NumberField)
            more = (self.rel,) if field is self.size_field else ()
            box.addLayout(row(field, beside, *more, None) if number else row(field), 2 * place, 1)
            if complaint := self.complaints.get(field):
                box.addWidget(complaint, 2 * place + 1, 1, 1, 2)
            self._labels[field] = (label, beside) if number else (label,)
        box.setColumnStretch(2, 1)

    def _show_fields(self) -> None:
        """Show what is asked of a session of this kind."""
        comparing = bool(self.mode.currentData())
        learning = self.learns
        self.complaints[self.names].take_back()
        shown: dict[QWidget, bool] = {
            self.order: not comparing,
            self.size_field: learning,
            self.rel: learning,
            self.search: not comparing,
            self.again: not comparing and not learning and (self._out or self.again.isChecked()),
            self.norming: not comparing and not learning,
            self.named: not comparing and not learning and self.norming.isChecked(),
            self.gold: not comparing,
            self.qualification: not comparing,
            self.results: comparing,
            self.names: self.join.currentData() != "open",
        }
        for field, visible in shown.items():
            for each in (field, *self._labels[field]):
                each.setVisible(visible)

    def offer_again(self, out: bool) -> None:
        """Offer to assign items once more that are already assigned, if there are any."""
        self._out = out
        self._show_fields()

    def forget(self) -> None:
        """Restore the defaults for another project."""
        for check in (self.again, self.search, self.norming, self.named, self.several):
            check.setChecked(False)
        for box in (self.mode, self.order, self.join):
            box.setCurrentIndex(0)
        for field in (self.topics, self.names):
            field.clear()

    def refresh(self) -> None:
        """Offer the addresses that this machine has now; a network that does not answer is not waited for."""
        if not self.address.count():
            self._offer_addresses(likely_addresses())
        if not self._asking:
            self._asking = True
            jobs.run_detached(local_addresses, self._took_addresses)

    def _took_addresses(self, found: list[str]) -> None:
        self._asking = False
        if isValid(
            self.address
        ):  # the page may be another one by now, as after a change of language
            self._offer_addresses(found)

    def _offer_addresses(self, found: list[str]) -> None:
        fill_choices(self.address, [(each, each) for each in dict.fromkeys([*found, HERE])])

    @property
    def learns(self) -> bool:
        """Whether learning is to find what is judged."""
        return not self.mode.currentData() and self.order.currentData() == "learning"

    @property
    def host(self) -> str:
        """The address to listen on."""
        return str(self.address.currentData() or HERE)

    def wish(self, project: Project) -> SessionWish | None:
        """Return the options for a project; None if a field is invalid, which is shown below it."""
        join: Join = self.join.currentData()
        topics, names = self._topics(project), self._people() if join != "open" else ()
        if topics is None or names is None:
            return None
        mode, start = str(self.mode.currentData()), load_start_page(project)
        if mode:
            terms = Terms(self.overlap.value(), repeats_every=self.repeats.value())
            return SessionWish(
                terms, (), join, names, compare=self._compare(project, topics), start=start
            )
        order: Order = self.order.currentData()
        first = self.qualification.value()
        terms = Terms(
            self.overlap.value(),
            gold_every=self.gold.value(),
            repeats_every=self.repeats.value(),
            order=order,
            qualification=first,
            size=self.size_field.value(),
            rel=self.rel.value(),
        )
        rounds = (
            Norming(names=self.named.isChecked())
            if self.norming.isChecked() and not self.learns
            else None
        )
        again, search = self.again.isChecked(), self.search.isChecked()
        several = DEFAULT_DOCUMENTS_PER_PAGE if self.several.isChecked() and not self.learns else 0
        return SessionWish(
            terms,
            topics,
            join,
            names,
            start=start,
            again=again,
            search=search,
            norming=rounds,
            several=several,
        )

    def _topics(self, project: Project) -> tuple[str, ...] | None:
        try:
            return select_topics(
                self.topics.text(), [topic.id for topic in project.collection.topics()]
            )
        except IrjudgeError as fault:
            self.complaints[self.topics].say(translate_message(str(fault)))
            return None

    def _people(self) -> tuple[str, ...] | None:
        if not self.names.text().strip():
            self.complaints[self.names].say(
                self.tr("Write who may join, with commas between the names, or name a file.")
            )
            return None
        try:
            return tuple(person.name for person in parse_candidates(self.names.text()))
        except IrjudgeError as fault:
            self.complaints[self.names].say(translate_message(str(fault)))
            return None

    def _compare(self, project: Project, topics: tuple[str, ...]) -> Comparison:
        """Return the comparison of every two runs, or of the documents that they find."""
        choice: Choice | None = "all" if self.mode.currentData() == PAIRS else None
        runs = pair_runs([run.name for run in project.rankings.runs()])
        rules = ComparisonRules(reasons=default_reasons(documents=choice is not None))
        return Comparison(
            runs, topics, self.results.value(), seed=project.seed, rules=rules, choice=choice
        )


def count_assigned(project: Project) -> tuple[int, int]:
    """Return how many pairs of the pool that can be shown are assigned, and how many are not."""
    everything, left = (
        sum(map(len, list_unassigned(project, again=again)[0].values())) for again in (True, False)
    )
    return everything - left, left


# Start page of a session: consent text and questions, stored in the project.

SIZE = (640, 520)
MAX_MINUTES, CONSENT_HEIGHT = 999, 96
BEFORE, AFTER = "before", "after"


class StartPageField(QWidget):
    """Button that opens the start page form, and a summary of it."""

    def __init__(self) -> None:
        super().__init__()
        self._project: Project | None = None
        self.open, self.asked = (
            make_button(self.tr("Consent and questions")),
            make_label("", "quiet"),
        )
        self.open.clicked.connect(self._ask)
        parts = row(self.open, self.asked)
        parts.setStretch(1, 1)
        self.setLayout(parts)

    def show_project(self, project: Project | None) -> None:
        """Show what the sessions of another project ask."""
        self._project = project
        kept = load_start_page(project) if project else None
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
        said = join_list(filter(None, parts))
        return filled(self.tr("Before and after: {text}"), text=said) if said else ""

    def _ask(self) -> None:
        if self._project:
            StartPageDialog(self, load_start_page(self._project) or StartPage(), self._keep).open()

    def _keep(self, asks: StartPage) -> None:
        if self._project:
            save_start_page(self._project, asks)
            self.show_project(self._project)


class QuestionRow(QWidget):
    """Question: when it is asked, text and choices.

    `changed` is emitted on editing, `leaves` on removal.
    """

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
        fill_choices(self.when, [(self.tr("before"), BEFORE), (self.tr("after"), AFTER)])
        self.when.setCurrentIndex(self.when.findData(when))
        self.problem, self.remove = make_label("", "error"), make_button("✕", "link")
        for field, hint in (
            (self.words, self.tr("Question")),
            (self.choices, self.tr("Choices with commas; empty: own words")),
        ):
            field.setPlaceholderText(hint)
            field.setToolTip(escape_markup(hint))
            field.setAccessibleName(hint)
            field.textChanged.connect(self._show_problem)
        self.remove.setAccessibleName(self.tr("Take the question out"))
        self.remove.clicked.connect(self.leaves)
        if asked:
            self.words.setText(asked.question)
            self.choices.setText(join_list(asked.choices))
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
        """Show below the fields what keeps the question from being asked."""
        words = self.words.text().strip()
        problem = self.tr("Write the question.") if self._named() and not words else ""
        if words and len(self._named()) == 1:
            problem = self.tr("One choice is none: write two or more, or leave them out.")
        self.problem.setText(f"✕ {problem}" if problem else "")
        self.problem.setVisible(bool(problem))
        self.changed.emit()

    @property
    def wrong(self) -> bool:
        """Whether the question is invalid."""
        return bool(self.problem.text())

    def question(self, taken: Sequence[str]) -> SurveyQuestion | None:
        """Return the question; None where there are no words. `taken` are what other questions are called."""
        words = self.words.text().strip()
        return (
            SurveyQuestion(self._id or make_question_id(words, taken), words, tuple(self._named()))
            if words
            else None
        )


class StartPageDialog(Dialog):
    """Form for the consent text, the expected minutes and the questions."""

    def __init__(
        self, parent: QWidget, asks: StartPage, keep: Callable[[StartPage], object]
    ) -> None:
        super().__init__(parent, SIZE)
        self.consent, self.minutes = (
            QPlainTextEdit(asks.consent),
            NumberField(0, MAX_MINUTES, asks.minutes, self.tr("Expected minutes")),
        )
        self.consent.setAccessibleName(self.tr("Consent"))
        self.consent.setPlaceholderText(self.tr("Empty: nothing is asked."))
        self.consent.setTabChangesFocus(True)
        self.consent.setFixedHeight(scale_length(CONSENT_HEIGHT))
        self.rows: list[QuestionRow] = []
        holder = QWidget()
        self._box = QVBoxLayout(holder)
        self._box.setContentsMargins(0, 0, 0, 0)
        self._box.addStretch(1)
        self.more = make_button(self.tr("Add a question"))
        self.more.clicked.connect(lambda: self._add().words.setFocus())
        about = make_label(
            self.tr(
                "What people agree to before they begin, as Markdown: who asks and what for, what is kept and for how long, and whom to "
                "write to. Who does not agree, or withdraws later, counts no more. What was answered is written with Export."
            ),
            "quiet",
        )
        minutes = row(
            with_label(self.tr("Expected minutes"), self.minutes),
            make_label(self.tr("0: nothing is said of it"), "quiet"),
            None,
        )
        questions: QLabel = make_label(self.tr("Questions"), "heading")
        parts: list[Part] = [
            make_label(self.tr("Consent"), "heading"),
            about,
            self.consent,
            minutes,
            questions,
            make_growing(scrolling(holder, "inset")),
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
