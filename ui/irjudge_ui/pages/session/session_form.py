"""What whoever leads asks for when a session begins."""

from PySide6.QtCore import QCoreApplication
from PySide6.QtWidgets import QCheckBox, QGridLayout, QLabel, QLineEdit, QWidget
from shiboken6 import isValid

from irjudge.errors import IrjudgeError
from irjudge.exchange.assignment_plan import candidates_of
from irjudge.exchange.comparison_design import DEPTH, Choice, every_two
from irjudge.exchange.comparison_design import ComparisonWish as Comparison
from irjudge.judging.assignable_documents import unassigned
from irjudge.judging.norming import Norming
from irjudge.model.documents import chosen_topics
from irjudge.model.labels import ComparisonRules, usual_reasons
from irjudge.store.presentation import DEFAULT_DOCUMENTS_PER_PAGE
from irjudge.store.project import Project
from irjudge.web.participants import kept_start
from irjudge.web.scheduler import Order, Terms
from irjudge.web.server_address import likely_addresses, own_addresses
from irjudge.web.session_options import Join, SessionWish
from irjudge_ui import jobs
from irjudge_ui.messages import in_language
from irjudge_ui.widgets.fields import ChoiceBox, NumberField
from irjudge_ui.widgets.layout import Complaint, offer, row, text
from irjudge_ui.widgets.theme import SPACE_M, SPACE_S

MOST_OVERLAP, MOST_EVERY, MOST_DEPTH, MOST_LEARNT = 50, 999, 100, 10_000
LISTS, PAIRS = "lists", "pairs"
HERE = "127.0.0.1"
NARROWEST = 140  # that a field becomes
translate = QCoreApplication.translate


class SessionForm(QWidget):
    """What is asked, of which topics, how often, what is planted, who may join, and on which address."""

    def __init__(self) -> None:
        super().__init__()
        self.mode, self.order, self.topics = ChoiceBox(), ChoiceBox(), QLineEdit()
        self.overlap = NumberField(1, MOST_OVERLAP, 3, self.tr("Judgments of each document"))
        self.results = NumberField(1, MOST_DEPTH, DEPTH, self.tr("How many results of each list"))
        self.gold = NumberField(0, MOST_EVERY, 0, self.tr("A known answer every"))
        self.qualification = NumberField(
            0, MOST_EVERY, 0, self.tr("Documents with a known answer that open the work")
        )
        self.repeats = NumberField(0, MOST_EVERY, 0, self.tr("A document shown again every"))
        self.size_field = NumberField(
            1, MOST_LEARNT, Terms().size, self.tr("Documents of each topic")
        )
        self.rel = NumberField(1, MOST_EVERY, 1, self.tr("Relevant from grade"))
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
        self.complaints: dict[QWidget, Complaint] = {
            field: Complaint(field) for field in (self.topics, self.names)
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
        offer(self.mode, [(words, mode) for mode, words in modes])
        orders = [
            ("drawn", self.tr("topic by topic, by lot")),
            ("decisive", self.tr("what tells runs apart first")),
            ("learning", self.tr("learning, from the whole collection")),
        ]
        offer(self.order, [(words, order) for order, words in orders])
        offer(
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
            label, beside = text(words, "quiet"), text(after, "quiet")
            field.setAccessibleName(words)
            field.setMinimumWidth(
                min(field.minimumSizeHint().width(), NARROWEST)
            )  # in large letters a long choice gives way to its name
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
        """Offer to give out once more what is handed out, where anything is."""
        self._out = out
        self._show_fields()

    def forget(self) -> None:
        """Ask for what is usual, for another project."""
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
            jobs.run_apart(own_addresses, self._took_addresses)

    def _took_addresses(self, found: list[str]) -> None:
        self._asking = False
        if isValid(
            self.address
        ):  # the page may be another one by now, as after a change of language
            self._offer_addresses(found)

    def _offer_addresses(self, found: list[str]) -> None:
        offer(self.address, [(each, each) for each in dict.fromkeys([*found, HERE])])

    @property
    def learns(self) -> bool:
        """Whether learning is to find what is judged."""
        return not self.mode.currentData() and self.order.currentData() == "learning"

    @property
    def host(self) -> str:
        """The address to listen on."""
        return str(self.address.currentData() or HERE)

    def wish(self, project: Project) -> SessionWish | None:
        """Return what is asked for, of a project; None where a field is wrong, which is said below it."""
        join: Join = self.join.currentData()
        topics, names = self._topics(project), self._people() if join != "open" else ()
        if topics is None or names is None:
            return None
        mode, start = str(self.mode.currentData()), kept_start(project)
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
            return chosen_topics(
                self.topics.text(), [topic.id for topic in project.collection.topics()]
            )
        except IrjudgeError as fault:
            self.complaints[self.topics].say(in_language(str(fault)))
            return None

    def _people(self) -> tuple[str, ...] | None:
        if not self.names.text().strip():
            self.complaints[self.names].say(
                self.tr("Write who may join, with commas between the names, or name a file.")
            )
            return None
        try:
            return tuple(person.name for person in candidates_of(self.names.text()))
        except IrjudgeError as fault:
            self.complaints[self.names].say(in_language(str(fault)))
            return None

    def _compare(self, project: Project, topics: tuple[str, ...]) -> Comparison:
        """Return the comparison of every two runs, or of the documents that they find."""
        choice: Choice | None = "all" if self.mode.currentData() == PAIRS else None
        runs = every_two([run.name for run in project.rankings.runs()])
        rules = ComparisonRules(reasons=usual_reasons(documents=choice is not None))
        return Comparison(
            runs, topics, self.results.value(), seed=project.seed, rules=rules, choice=choice
        )


def handed_out(project: Project) -> tuple[int, int]:
    """Return how many pairs of the pool that can be shown are handed out, and how many are not."""
    everything, left = (
        sum(map(len, unassigned(project, again=again)[0].values())) for again in (True, False)
    )
    return everything - left, left
