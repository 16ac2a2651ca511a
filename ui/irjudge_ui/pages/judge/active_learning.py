"""Active learning on the judging page: order dialog, choice of the next document, texts."""

from collections.abc import Callable
from pathlib import Path

from PySide6.QtCore import QObject, Signal
from PySide6.QtWidgets import QFormLayout, QWidget

from irjudge.judging import (
    LearningOptions,
    LearningSession,
    Lookahead,
    PreparedLearning,
    Session,
    UntrainedLearner,
    cache_postings,
    describe_relevance_trend,
    prepare_learning,
    read_learning_options,
    read_source,
    read_term_reasons,
)
from irjudge.model import Event
from irjudge.store import Project
from irjudge_ui.jobs import LatestJob, on_project
from irjudge_ui.messages import filled, join_sentences, translate, translate_message
from irjudge_ui.widgets import (
    SPACE_M,
    SPACE_S,
    ChoiceBox,
    Dialog,
    FixedHeightLabel,
    NumberField,
    make_label,
    row,
)
from irjudge_ui.workspace import StateMessage

DIALOG_SIZE = (520, 400)
MAX_COUNT, DEFAULT_MORE_COUNT = 10_000, 20
MAX_TERMS = 5  # maximum number of terms shown per document


class OrderDialog(Dialog):
    """Dialog of the judging page for choosing the order: pool order or active learning.

    The organiser chooses the order in which documents are judged. On acceptance, `store_options` is
    called with the chosen options of active learning (lowest relevant grade, documents per topic,
    and earlier requests for more documents), or None for pool order.
    """

    def __init__(
        self,
        parent: QWidget,
        project: Project,
        store_options: Callable[[LearningOptions | None], object],
    ) -> None:
        super().__init__(parent, DIALOG_SIZE)
        self._old_options = read_learning_options(project)
        # by default, documents with at least half the highest grade are relevant
        options = self._old_options or LearningOptions(rel=max(1, project.scale.values[-1] // 2))
        self.order = ChoiceBox(name=self.tr("Order"))
        self.rel = ChoiceBox(name=self.tr("Lowest relevant grade"))
        self.size_field = NumberField(1, MAX_COUNT, options.size, self.tr("Documents per topic"))
        self._description_label = FixedHeightLabel("small")
        self.order.add_choices(
            [
                (self.tr("Documents of the pool in random order"), "pool"),
                (self.tr("Active learning, from the whole collection"), "learning"),
            ]
        )
        self.rel.add_choices(
            (f"{grade.value} {translate_message(grade.label)}".strip(), grade.value)
            for grade in project.scale.grades
            if grade.value > 0
        )
        self.rel.setCurrentIndex(max(0, self.rel.findData(options.rel)))
        form_layout = QFormLayout(horizontalSpacing=SPACE_M, verticalSpacing=SPACE_S)
        form_layout.addRow(make_label(self.tr("Order"), "quiet", wrap=False), self.order)
        form_layout.addRow(
            make_label(self.tr("Lowest relevant grade"), "quiet", wrap=False), self.rel
        )
        form_layout.addRow(
            make_label(self.tr("Documents per topic"), "quiet", wrap=False),
            row(self.size_field, None),
        )
        self.fill(
            self.tr("Order of judging"),
            [form_layout, self._description_label, None],
            [
                (self.tr("Cancel"), None),
                (self.tr("Judge in this order"), lambda: store_options(self.options())),
            ],
        )
        self.order.setFocus()
        self.order.currentIndexChanged.connect(lambda _index: self._show_order())
        self.order.setCurrentIndex(
            int(self._old_options is not None or not project.rankings.pool_version())
        )
        self._show_order()

    def _show_order(self) -> None:
        is_learning = self.order.currentData() == "learning"
        for field in (self.rel, self.size_field):
            field.setEnabled(is_learning)
        self._description_label.setText(
            self.tr(
                "After each grade, the next document shown is the one most likely to be "
                "relevant, as learnt from all grades so far. No runs and no pool are needed. "
                "Once the chosen number of documents of a topic has been judged, you can "
                "continue with more. A pool built by active learning favours systems similar "
                "to the learner; reports state which documents active learning contributed."
            )
            if is_learning
            else self.tr(
                "The documents of the pool appear topic by topic, in a random order that does "
                "not reveal ranks."
            )
        )

    def options(self) -> LearningOptions | None:
        """Return the chosen options of active learning; None if pool order is chosen.

        The options include earlier requests for more documents of a topic.
        """
        if self.order.currentData() != "learning":
            return None
        return LearningOptions(
            int(self.rel.currentData() or 1),
            self.size_field.value(),
            self._old_options.more if self._old_options else {},
        )


class ActiveLearning(QObject):
    """Runner of the background jobs that active learning needs on the judging page.

    One job prepares the project (index, first document) and caches the result; `ready` is
    emitted when judging can begin. The other job chooses the next document while the assessor
    reads the current one. `failed` is emitted with an error and its traceback, which is empty
    unless the error is a bug.
    """

    ready = Signal()
    failed = Signal(object, str)

    def __init__(
        self, parent: QWidget, lookahead_job: LatestJob, preparation_job: LatestJob
    ) -> None:
        super().__init__(parent)
        self._lookahead_job, self._preparation_job = lookahead_job, preparation_job

    def look_ahead(self, session: Session, on_ready: Callable[[], None]) -> None:
        """Choose the next document in the background, while the assessor reads the current one.

        `on_ready` is called when the next document has been chosen.
        """
        if not isinstance(session, LearningSession) or (prepare := session.look_ahead()) is None:
            return

        def store_lookahead(lookahead: Lookahead | UntrainedLearner) -> None:
            session.take(lookahead)
            on_ready()

        self._lookahead_job.run(prepare, store_lookahead, self.failed.emit)

    def make_ready(self, project: Project, cache: Path) -> None:
        """Index the documents if needed, and prepare the first document, in the background."""

        def on_done(prepared: PreparedLearning) -> None:
            cache_postings(project, prepared.postings, prepared.first_learner)
            self.ready.emit()

        self._preparation_job.run(
            on_project(
                project,
                lambda job_project, progress: prepare_learning(job_project, cache, progress),
            ),
            on_done,
            self.failed.emit,
        )

    def make_waiting_state(self) -> StateMessage:
        return StateMessage(
            self.tr("Preparing active learning"),
            self.tr("Indexing the words of all documents. This is done once."),
        )


def describe_order(session: Session) -> str:
    """Return a note on the order of judging; empty for pool order.

    The note contains the relevance threshold of active learning.
    """
    if not isinstance(session, LearningSession):
        return ""
    labels = {grade.value: translate_message(grade.label) for grade in session.scale.grades}
    rel = session.options.rel
    return filled(
        translate("LearningOnDesk", "Active learning; relevant: grade {value} or higher"),
        value=f"{rel} {labels.get(rel, '')}".strip(),
    )


def explain_presentation(event: Event) -> str:
    """Return a sentence that explains why the document of a judgment was shown."""
    source, terms = read_source(event), read_term_reasons(event)[:MAX_TERMS]
    if source is None:
        template = translate(
            "LearningOnDesk",
            "{document} is from the pool; the runs that retrieved it are not shown.",
        )
    elif source == "search":
        template = translate("LearningOnDesk", "{document} was found by a search.")
    elif source == "drawn":
        template = translate(
            "LearningOnDesk",
            "{document} was sampled at random, to estimate how many relevant documents are "
            "missing.",
        )
    elif terms:
        template = translate(
            "LearningOnDesk", "{document} was shown because of these terms: {listed}"
        )
    else:
        template = translate(
            "LearningOnDesk",
            "{document} was shown because it matches the topic's terms; there were no grades "
            "to learn from yet.",
        )
    return filled(
        template,
        document=event.item.documents[0],
        listed=", ".join(f"{term.term} {term.weight:.2f}" for term in terms),
    )


def describe_topic_end(session: LearningSession, topic: str) -> str:
    """Return the message shown when a topic has the requested number of judgments.

    It contains the number of relevant documents and a hint derived from the topic's gain curve.
    """
    return join_sentences(
        filled(
            translate("LearningOnDesk", "Relevant: {relevant} of {judged} judged documents."),
            relevant=f"{session.count_relevant(topic):,}",
            judged=f"{session.count(topic).judged:,}",
        ),
        *map(translate_message, describe_relevance_trend(session.make_history(topic))),
    )
