"""Recall estimation page: gain curve, and bounds on recall from random samples."""

from collections.abc import Callable

import numpy as np
from PySide6.QtCore import QTimer, Signal
from PySide6.QtGui import QHideEvent, QShowEvent
from PySide6.QtWidgets import QWidget

from irjudge.judging import (
    MAX_SAMPLE_COUNT,
    SOURCE_LABELS,
    TARGET_BATCH_SIZE,
    RecallState,
    RelevanceHistory,
    SampleStatus,
    TargetStatus,
    assume_remaining,
    describe_relevance_trend,
    draw_sample,
    draw_targets,
    expected_sample_size,
    read_learning_options,
    read_recall_state,
    start_target_search,
)
from irjudge.progress import Progress
from irjudge.report.figures import Axis, Line
from irjudge.stats import (
    TARGET_RECALL,
    TARGET_SAMPLE_SIZE,
    RecallCertificate,
)
from irjudge.store import ChangeCounter, Project
from irjudge_ui.charts import LinePlot
from irjudge_ui.messages import filled, isolate, join_sentences, translate, translate_message
from irjudge_ui.models import Column, TableModel
from irjudge_ui.pages.figure_view import current_look
from irjudge_ui.pages.shared import StatefulView
from irjudge_ui.settings import Settings
from irjudge_ui.widgets import (
    SPACE_M,
    ChoiceBox,
    FixedHeightLabel,
    NumberField,
    PageScrollArea,
    SideBySide,
    Table,
    card,
    column,
    make_button,
    make_container,
    make_flow,
    make_label,
    row,
    with_label,
)
from irjudge_ui.workspace import StateMessage

CHECK_INTERVAL_MS = 1000  # interval between checks for new judgments
MAX_SAMPLE, DEFAULT_SAMPLE = 100_000, 100
NARROW_WIDTH = 760
MIN_CHOICE_LENGTH = 24  # minimum width of the topic selector, in characters
# minimum width of the grade selector, in characters; its row must fit in 800 pixels at twice the
# normal text size
GRADE_CHARACTERS = 14
Step = Callable[[Project], object]  # function of a background job that changes the project


class RecallView(StatefulView):
    """Recall estimation page: gain curve of a topic, lower bound on recall, random samples.

    The page draws samples of unjudged documents, for bounds or for the target method, and stores
    them in the project; the user then judges the documents on another page.

    While the page is visible, it is updated after new judgments.
    """

    def __init__(self, settings: Settings) -> None:
        super().__init__(settings)
        # a step has its own job, so that reading the state does not drop its callbacks
        self._job = self.latest(on_cancelled=self.show_cancelled)
        self._step_job = self.latest()
        self._planned_looks: dict[str, int] = {}  # entered numbers of looks, by topic
        self._seen_writes: ChangeCounter | None = None
        self.state: RecallState | None = None
        self.topic = ChoiceBox(
            MIN_CHOICE_LENGTH, self.tr("Topic"), activated=lambda _index: self._show()
        )
        self.rel = ChoiceBox(
            GRADE_CHARACTERS,
            self.tr("Lowest relevant grade"),
            activated=lambda _index: self._read_state(),
        )
        self.curve = LinePlot(self.tr("Relevant documents found, by number of documents judged"))
        self.description_label, self.hints = make_label("", "strong"), FixedHeightLabel()
        self.shares = TableModel(_share_columns())
        self.promises = TableModel(_forecast_columns())
        self._share_table = Table(self.shares, self.tr("Sources of the relevant documents"), rows=4)
        self._promise_table = Table(self.promises, self.tr("Planned samples"), rows=10)
        self.count = NumberField(1, MAX_SAMPLE, DEFAULT_SAMPLE, self.tr("Documents to sample"))
        self.looks = NumberField(1, MAX_SAMPLE_COUNT, 1, self.tr("Number of looks"))
        self.draw = make_button(self.tr("Sample"), clicked=self.draw_sample)
        self.judge_it = make_button(
            self.tr("Judge the sample"),
            "primary",
            clicked=lambda: self.judge_topic.emit(self.topic_id),
        )
        self.claim = FixedHeightLabel("strong")
        self.weak_note = FixedHeightLabel("warning")
        self.target = TargetPanel()
        self.forecast_text = FixedHeightLabel("small")
        self._timer = QTimer(self, interval=CHECK_INTERVAL_MS)
        self._timer.timeout.connect(self._check_changes)
        self._lay_out()
        self.count.changed.connect(lambda _value: self._show_forecast())
        self.looks.changed.connect(self._set_planned_looks)
        self.target.judge.connect(lambda: self.judge_topic.emit(self.topic_id))
        self.target.step.connect(self._run_step)

    def _lay_out(self) -> None:
        curve_card = card(
            make_label(self.tr("Relevant documents found"), "heading"),
            self.description_label,
            self.curve,
            self.hints,
            make_label(
                self.tr(
                    "These are hints, not bounds: the number of missed documents is unknown. "
                    "A bound needs a random sample."
                ),
                "small",
            ),
        )
        self._share_card = card(
            make_label(self.tr("Sources of the relevant documents"), "heading"), self._share_table
        )
        stopping_card = card(
            make_label(self.tr("Stopping rule"), "heading"),
            self.claim,
            self.weak_note,
            make_flow(
                with_label(self.tr("Documents to sample"), self.count),
                with_label(self.tr("Number of looks"), self.looks),
            ),
            self.forecast_text,
            row(self.draw, self.judge_it, None),
            self.problem,
            make_label(
                self.tr(
                    "Documents are sampled at random from all unjudged documents and judged like "
                    "any others. The result is a lower bound on recall with 95 % confidence. To "
                    "look at the result more than once, set the number of looks in advance: the "
                    "error probability of 5 % is divided among the looks."
                ),
                "quiet",
            ),
            make_label(self.tr("Planned sample, before judging"), "strong"),
            self._promise_table,
            self.target,
        )
        self.put_parts(
            make_container(
                column(
                    make_label(self.tr("Recall"), "title"),
                    PageScrollArea(
                        column(
                            make_flow(
                                with_label(self.tr("Topic"), self.topic),
                                with_label(self.tr("Lowest relevant grade"), self.rel),
                            ),
                            SideBySide(
                                column(curve_card, self._share_card, None, spacing=SPACE_M),
                                column(stopping_card, None, spacing=SPACE_M),
                                NARROW_WIDTH,
                                (1, 1),
                            ),
                            None,
                            spacing=SPACE_M,
                        )
                    ),
                )
            ),
            self.topic,
        )

    # Called by the window

    def show_project(self, project: Project | None) -> None:
        if project is not self.project:
            self.state, self._seen_writes = None, None
            self._planned_looks.clear()
            self.topic.clear()
            self.rel.clear()
        super().show_project(project)

    def refresh(self) -> None:
        if (project := self.project) is None:
            return
        old_topic, options = self.topic_id, read_learning_options(project)
        self.topic.clear()
        self.topic.add_choices(
            (f"{topic.id}  {isolate(topic.title)}".strip(), topic.id)
            for topic in project.collection.topics()
        )
        self.topic.setCurrentIndex(
            max(0, self.topic.findData(old_topic)) if self.topic.count() else -1
        )
        if not self.rel.count():
            for grade in project.scale.grades:
                if grade.value > 0:
                    self.rel.addItem(
                        f"{grade.value} {translate_message(grade.label)}".strip(), grade.value
                    )
            self.rel.setCurrentIndex(max(0, self.rel.findData(options.rel if options else 1)))
        self._read_state()

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        self._timer.start()

    def hideEvent(self, event: QHideEvent) -> None:
        super().hideEvent(event)
        self._timer.stop()

    def _check_changes(self) -> None:
        if (
            self.project is not None
            and not self._job.busy
            and self.project.writes != self._seen_writes
        ):
            self._read_state()

    # Display

    @property
    def topic_id(self) -> str:
        return str(self.topic.currentData() or "")

    def _read_state(self) -> None:
        rel, looks = int(self.rel.currentData() or 1), self.looks.value()
        self._seen_writes = self.project.writes if self.project else None

        def compute(project: Project, _progress: Progress) -> RecallState:
            state = read_recall_state(project, rel)
            for topic in ("", *state.judged):
                # the first forecast loads SciPy, which would block the window if it were computed
                # later, on the GUI thread
                state.list_forecasts(topic, looks)
            return state

        self.run_on_project(self._job, compute, self._set_state, self.failed.emit)

    def _set_state(self, state: RecallState) -> None:
        self.state = state
        if not self.topic.count() or not state.document_count:
            self.show_state(
                StateMessage(
                    self.tr("No topics or documents yet"),
                    self.tr(
                        "For each topic, this page shows how many relevant documents were found "
                        "and how many may have been missed. Add topics and documents to the "
                        "collection."
                    ),
                    [(self.tr("View the collection"), "collection")],
                )
            )
            return
        self.show_state(None)
        self._show()

    def _show(self) -> None:
        state, topic = self.state, self.topic_id
        if state is None or not topic:
            return
        history = state.histories.get(topic)
        self._show_curve(history)
        relevant_count, judged = (
            (history.relevant_count, len(history.relevant)) if history else (0, 0)
        )
        self.description_label.setText(
            filled(
                self.tr(
                    "Relevant: {found} of {judged} judged documents; documents in total: "
                    "{documents}"
                ),
                found=f"{relevant_count:,}",
                judged=f"{judged:,}",
                documents=f"{state.document_count:,}",
            )
        )
        self.hints.setText(
            "\n".join(map(translate_message, describe_relevance_trend(history)))
            if history
            else self.tr("Nothing is judged for this topic yet.")
        )
        self.shares.fill(state.shares)
        self._share_card.setVisible(bool(state.shares))
        self._show_samples(state, topic)

    def _show_curve(self, history: RelevanceHistory | None) -> None:
        curve = [0, *(history.curve if history else ())]
        self.curve.show_lines(
            Axis(
                self.tr("Documents judged"), 0.0, max(1.0, float(len(curve) - 1)), is_integer=True
            ),
            Axis(self.tr("Relevant"), 0.0, max(1.0, curve[-1] * 1.05), is_integer=True),
            [
                Line(
                    self.tr("relevant documents"),
                    np.arange(float(len(curve))),
                    np.array(curve, dtype=np.float64),
                )
            ],
            current_look().hues,
        )
        self.curve.setAccessibleDescription(
            filled(
                self.tr("Relevant documents among {count} judged documents: {curve}."),
                count=str(len(curve) - 1),
                curve=str(curve[-1]),
            )
        )

    def _show_samples(self, state: RecallState, topic: str) -> None:
        samples = state.samples.get(topic, ())
        newest_sample = samples[-1] if samples else None
        is_waiting = newest_sample is not None and not newest_sample.complete
        all_looks_used = newest_sample is not None and len(samples) >= newest_sample.sample.looks
        self._show_bound(
            newest_sample
            if is_waiting
            else next((sample for sample in reversed(samples) if sample.complete), None)
        )
        self.judge_it.setVisible(is_waiting)
        self.draw.setVisible(not is_waiting)
        self.draw.setEnabled(
            self.can_write and not all_looks_used and state.count_unjudged(topic) > 0
        )
        for field in (self.count, self.looks):
            field.setEnabled(self.can_write and not is_waiting and not all_looks_used)
        if newest_sample is None:
            self.looks.set_value(self._planned_looks.get(topic, 1))
        else:
            self.looks.set_value(newest_sample.sample.looks)
            self.looks.setEnabled(False)
        self.promises.fill(state.list_forecasts(topic, self.looks.value()))
        self._show_forecast()
        self.target.show_topic(
            topic,
            state.targets.get(topic),
            rel=state.rel,
            relevant_count=state.relevant_count(topic),
            unjudged_count=state.count_unjudged(topic),
            writing=self.can_write,
        )

    def _show_bound(self, status: SampleStatus | None) -> None:
        if status is None:
            self.claim.setText(self.tr("This topic has no sample and therefore no bound."))
            self.weak_note.hide()
            return
        self.claim.setText(
            join_sentences(*map(translate_message, status.sentences(include_warnings=False)))
        )
        self.weak_note.setText(
            "⚠ "
            + self.tr(
                "The bound is weak: less than half of the relevant documents may have been "
                "found. A larger sample gives a better bound."
            )
        )
        self.weak_note.setVisible(status.certificate is not None and status.certificate.weak)

    def _show_forecast(self) -> None:
        state, topic = self.state, self.topic_id
        if state is None or not topic or not (unjudged_count := state.count_unjudged(topic)):
            self.forecast_text.setText("")
            return
        samples = state.samples.get(topic, ())
        if samples and len(samples) >= samples[-1].sample.looks and samples[-1].complete:
            self.forecast_text.setText(
                self.tr(
                    "All planned looks at the sample have been used: another look would "
                    "invalidate the confidence level."
                )
            )
            return
        sample_size = min(self.count.value(), unjudged_count)
        certificate = RecallCertificate(
            state.relevant_count(topic), unjudged_count, sample_size, 0, self.looks.value()
        )
        message = filled(
            self.tr(
                "If none of the {drawn} sampled documents is relevant, then, with 95 % "
                "confidence, recall is at least {floor}, and the number of relevant documents "
                "missed is at most {most_missed}."
            ),
            drawn=f"{sample_size:,}",
            floor=f"{np.floor(100 * certificate.recall) / 100:.2f}",
            most_missed=f"{certificate.most_missed:,}",
        )
        self.forecast_text.setText(
            message + (" " + self.tr("The bound is weak.") if certificate.weak else "")
        )

    def _set_planned_looks(self, looks: int) -> None:
        self._planned_looks[self.topic_id] = looks
        self._show()

    def draw_sample(self) -> None:
        topic, rel = self.topic_id, int(self.rel.currentData() or 1)
        count, looks = self.count.value(), self.looks.value()
        if topic:
            self._run_step(
                lambda other: draw_sample(other, topic, count, rel=rel, planned_samples=looks)
            )

    def _run_step(self, step: Step) -> None:
        if self._step_job.busy:
            return
        self.problem.hide()

        def on_done(_result: None) -> None:
            self.changed.emit()  # new samples add items to the judging queue
            self._read_state()

        self.run_on_project(self._step_job, lambda project, _progress: step(project), on_done)


class TargetPanel(QWidget):
    """Panel of the recall estimation page for the target method: progress and next step.

    The target method samples documents at random until ten of them are relevant, and then
    determines whether the search finds these again. The panel shows the progress for one topic.
    `judge` is emitted to show the judging page, `step` with a function that changes the project,
    such as by sampling more documents.
    """

    judge = Signal()
    step = Signal(object)  # emitted with a `Step`

    def __init__(self) -> None:
        super().__init__()
        self.message, self.step_button = (
            FixedHeightLabel("small"),
            make_button("", clicked=lambda: self._step_action()),
        )
        self.step_button.hide()  # hidden until the button has an action
        self._step_action: Callable[[], object] = lambda: None
        self.setLayout(
            column(
                make_label(self.tr("Target-based bound"), "strong"),
                self.message,
                row(self.step_button, None),
            )
        )

    def show_topic(
        self,
        topic: str,
        status: TargetStatus | None,
        *,
        rel: int,
        relevant_count: int,
        unjudged_count: int,
        writing: bool,
    ) -> None:
        """Show the status of a topic; None if the topic does not use the method yet."""
        cost = expected_sample_size(relevant_count, unjudged_count) if status is None else 0.0
        self.message.setText(self._describe_status(status, relevant_count, unjudged_count))
        label, self._step_action = self._next_step(topic, status, rel)
        self.step_button.setText(label)
        self.step_button.setVisible(bool(label) and cost is not None)
        self.step_button.setEnabled(writing)

    def _next_step(
        self, topic: str, status: TargetStatus | None, rel: int
    ) -> tuple[str, Callable[[], object]]:
        """Return the label and function of the button; the label is empty if no step is left."""
        draw_step: Step = lambda project: draw_targets(project, topic, rel=rel)  # noqa: E731
        if status is None:
            return filled(
                self.tr("Sample the first {count} documents"), count=str(TARGET_BATCH_SIZE)
            ), lambda: self.step.emit(draw_step)
        if status.complete:
            return "", lambda: None
        if status.has_unjudged:
            return self.tr("Judge the sample"), self.judge.emit
        if not status.is_sampled:
            return filled(
                self.tr("Sample {count} more documents"), count=str(TARGET_BATCH_SIZE)
            ), lambda: self.step.emit(draw_step)
        if not status.sample.searching:
            return self.tr("Search again without the sampled documents"), lambda: self.step.emit(
                lambda project: start_target_search(project, topic)
            )
        return self.tr("Continue judging"), self.judge.emit

    def _describe_status(
        self, status: TargetStatus | None, relevant_count: int, unjudged_count: int
    ) -> str:
        """Return a text about the progress or, before the first sample, about the expected cost.

        The cost is computed for an assumed number of unjudged relevant documents.
        """
        if status is not None:
            return join_sentences(*map(translate_message, status.sentences()))
        if (cost := expected_sample_size(relevant_count, unjudged_count)) is None:
            return self.tr(
                "With this method, random documents are judged first until ten of them are "
                "relevant; this would take too many judgments here."
            )
        return filled(
            self.tr(
                "Judge random documents until {target} of them are relevant: this takes about "
                "{cost} judgments if {share} of the unjudged documents are relevant. Then search "
                "again without using these {target} documents until all of them are found: recall "
                "is then at least {target_recall} with 95 % confidence."
            ),
            target=str(TARGET_SAMPLE_SIZE),
            cost=f"{cost:,.0f}",
            share=f"{assume_remaining(relevant_count):,}",
            target_recall=str(TARGET_RECALL),
        )


def _share_columns() -> list[Column]:
    format_count = "{:,}".format
    return [
        Column(
            translate("RecallView", "Source"),
            lambda row: translate_message(SOURCE_LABELS[row.source]),
        ),
        Column(
            translate("RecallView", "Judged"), lambda row: row.judged, format_count, number=True
        ),
        Column(
            translate("RecallView", "Relevant"), lambda row: row.relevant, format_count, number=True
        ),
        Column(
            translate("RecallView", "Share"),
            lambda row: row.share,
            lambda share: f"{100 * share:.0f} %",
            number=True,
            help=translate("RecallView", "Share of all known relevant documents"),
        ),
    ]


def _forecast_columns() -> list[Column]:
    format_count = "{:,}".format

    def format_recall(value: float) -> str:
        return f"{np.floor(100 * value) / 100:.2f}"

    return [
        Column(
            translate("RecallView", "Sampled"),
            lambda row: row.drawn,
            format_count,
            number=True,
            rising=True,
        ),
        Column(
            translate("RecallView", "Max. missed"),
            lambda row: row.missed_if_none,
            format_count,
            number=True,
            rising=True,
            help=translate("RecallView", "Bound if no sampled document is relevant"),
        ),
        Column(
            translate("RecallView", "Min. recall"),
            lambda row: row.recall_if_none,
            format_recall,
            number=True,
            help=translate("RecallView", "Bound if no sampled document is relevant"),
        ),
        Column(
            translate("RecallView", "Min. recall (1 relevant)"),
            lambda row: row.recall_if_one,
            format_recall,
            number=True,
            help=translate(
                "RecallView", "Lower bound on recall if one sampled document is relevant"
            ),
        ),
    ]
