"""Live evaluation page: possible values of runs, orderings, and documents to judge next."""

from dataclasses import dataclass
from functools import partial
from typing import Any, TypeAlias, cast

from PySide6.QtCore import QT_TRANSLATE_NOOP, QTimer
from PySide6.QtWidgets import QLineEdit

from irjudge.errors import IrjudgeError
from irjudge.evaluation import (
    DEFAULT_LIVE_MEASURES,
    WORLD_DESCRIPTIONS,
    BoundsSetting,
    DecisiveDocument,
    LiveTable,
    Policy,
    RunOrdering,
    Verdict,
    compute_project_live_table,
    find_decisive_documents,
    parse_measures,
    run_orderings,
)
from irjudge.judging import QrelsChoice, choose_qrels, list_qrels_choices
from irjudge.metrics import WORLDS, Measure, to_goodness
from irjudge.progress import Progress
from irjudge.store import Project
from irjudge_ui.actions import BY_ID, ActionHandler, create_actions
from irjudge_ui.charts import IntervalTable, IntervalValue
from irjudge_ui.messages import filled, join_sentences, translate, translate_message
from irjudge_ui.models import Column, IntervalColumn, IntervalModel, TableModel
from irjudge_ui.pages.results.measure_chooser import describe_measure
from irjudge_ui.pages.session import controller_of
from irjudge_ui.pages.shared import (
    StatefulView,
    describe_qrels_source,
    open_document,
    stored_options,
    update_rows,
)
from irjudge_ui.settings import Settings
from irjudge_ui.widgets import (
    SPACE_M,
    Chips,
    ChoiceBox,
    FilterLine,
    Flow,
    Meter,
    PageScrollArea,
    SideBySide,
    Table,
    card,
    column,
    make_label,
    named,
    row,
    with_label,
)
from irjudge_ui.workspace import StateMessage

# Tables of live evaluation: possible values, orderings of pairs of runs, documents to judge

# symbol and label of each verdict on the first run of a pair
VERDICT_LABELS: dict[Verdict | None, object] = {
    "a_better": QT_TRANSLATE_NOOP("LiveView", "▲ stays better"),
    "b_better": QT_TRANSLATE_NOOP("LiveView", "▼ stays worse"),
    "equal": QT_TRANSLATE_NOOP("LiveView", "= stays equal"),
    "can_change": QT_TRANSLATE_NOOP("LiveView", "◇ can still change"),
    None: QT_TRANSLATE_NOOP("LiveView", "provisional"),
}


@dataclass(frozen=True, slots=True)
class NextDocument:
    """Row of the live evaluation page: document with a large effect on a difference of runs.

    The document is unjudged, or its consensus grade can still change. `decisive` contains the
    topic, the document, its ranks in both runs, and its effect on the difference of the runs on the
    topic. The effect need not change the ordering of the runs. `title` is the title of the document
    or, without a title, its first words; if there are none, it is the id.
    """

    decisive: DecisiveDocument
    title: str
    topic_title: str
    benefiting_run: str  # name of the run that benefits if the document is relevant


def _run_columns(table: LiveTable, decimals: int) -> list[Column]:
    columns = [Column(translate("LiveView", "Run"), lambda run: run.run)]
    for index, measure in enumerate(table.measures):
        cells = {run.run: table.cell(run, index) for run in table.runs}
        floor = min([0.0, *(low for _, low, _ in cells.values() if low is not None)])
        ceiling = max([1.0, *(high for _, _, high in cells.values() if high is not None)])
        is_final = not table.outstanding
        intervals = {
            name: _make_interval(*cell, floor, ceiling, decimals, final=is_final)
            for name, cell in cells.items()
        }
        columns.append(
            _make_interval_column(
                measure.name,
                translate_message(table.provisional.get(measure.name) or measure.definition),
                intervals,
            )
        )
    return columns


def _make_interval_column(
    header: str, help_text: str, intervals: dict[str, IntervalValue]
) -> IntervalColumn:
    return IntervalColumn(
        header,
        lambda run: intervals[run.run].value,
        help=help_text,
        span=lambda run: intervals[run.run],
    )


def _ordering_columns(orderings: list[RunOrdering], decimals: int) -> list[Column]:
    max_difference = (
        max(
            [
                abs(end)
                for ordering in orderings
                for end in (ordering.low, ordering.high, ordering.difference)
                if end is not None
            ],
            default=0.0,
        )
        or 1.0
    )
    return [
        Column(translate("LiveView", "Compared with"), lambda row: row.run_b),
        Column(
            translate("LiveView", "Ordering"),
            lambda row: (
                "–"
                if row.difference is None
                else translate("LiveView", str(VERDICT_LABELS[row.verdict]))
            ),
        ),
        IntervalColumn(
            translate("LiveView", "Difference"),
            lambda row: row.difference,
            help=translate(
                "LiveView",
                "Current difference between the chosen run and the run that it is compared "
                "with, and the range of possible differences",
            ),
            span=lambda row: (
                None
                if row.difference is None
                else _make_interval(
                    row.difference,
                    row.low,
                    row.high,
                    -max_difference,
                    max_difference,
                    decimals,
                    signed=True,
                )
            ),
            without="–",
        ),
    ]


def _next_columns(decimals: int) -> list[Column]:
    return [
        Column(translate("LiveView", "Document"), lambda row: row.title),
        Column(
            translate("LiveView", "Topic"),
            lambda row: row.decisive.topic,
            also=lambda row: row.topic_title,
        ),
        Column(
            translate("LiveView", "Largest change"),
            lambda row: abs(row.decisive.weight),
            lambda weight: f"{weight:.{decimals}f}",
            number=True,
            help=translate(
                "LiveView",
                "Largest change that a judgment of this document can cause in the difference "
                "between the two runs on the topic of the document",
            ),
        ),
        Column(
            translate("LiveView", "Run that benefits"),
            lambda row: row.benefiting_run,
            help=translate("LiveView", "The run that benefits if the document is relevant"),
        ),
    ]


def _make_interval(
    value: float,
    low: float | None,
    high: float | None,
    floor: float,
    ceiling: float,
    decimals: int,
    *,
    signed: bool = False,
    final: bool = True,
) -> IntervalValue:
    def number(value: float) -> str:
        return f"{value:+.{decimals}f}".replace("-", "−") if signed else f"{value:.{decimals}f}"

    if low is None or high is None:
        return IntervalValue(
            value, None, None, floor, ceiling, number(value), translate("LiveView", "provisional")
        )
    interval_ends = number(low), number(high)
    return IntervalValue(
        value,
        low,
        high,
        floor,
        ceiling,
        number(value),
        filled(
            translate("LiveView", "final")
            if final and interval_ends[0] == interval_ends[1]
            else translate("LiveView", "{low} to {high}"),
            low=interval_ends[0],
            high=interval_ends[1],
        ),
    )


# The live evaluation page

UPDATE_MS = 3000
# key of the project setting that stores the measures and the selected option as one text, and the
# separator between them
SETTING_KEY, SEPARATOR = ("live", "|")
MAX_RUNS, MAX_NEXT_DOCUMENTS = 7, 20
NARROW_WIDTH, MIN_CARD_HEIGHT = 860, 260


@dataclass(frozen=True, slots=True)
class LiveRequest:
    """Input of the table of possible values on the live evaluation page.

    A table is up to date if it was computed for the current input. `setting` states which unjudged
    documents can be relevant. `choice` is None if the project has no qrels. `state` identifies the
    state of the project.
    """

    measures: tuple[Measure, ...]
    policy: Policy
    setting: BoundsSetting
    choice: QrelsChoice | None
    state: tuple[Any, ...]


@dataclass(frozen=True, slots=True)
class LiveSelection:
    """Selection on the live evaluation page: a run, a run to compare it with, and a measure.

    The fields are names, empty if nothing is selected.
    """

    run: str
    other: str
    measure: str


# details of a selection: orderings of its run with other runs, and the documents whose judgments
# can decide the ordering of the two selected runs
PairAnalysis: TypeAlias = tuple[list[RunOrdering], list[NextDocument]]


class LiveView(StatefulView):
    """Live evaluation page: possible values of runs while judgments are missing.

    Values and differences have intervals of possible values, except for measures without bounds.
    For the selected run the page shows whether its ordering with each other run can still change;
    for the selected ordering, the unjudged documents with the largest effect on the difference of
    the two runs. While this window serves a session, the visible page is updated after new
    judgments.
    """

    def __init__(self, settings: Settings) -> None:
        super().__init__(settings)
        self.table: LiveTable | None = None
        self._request: LiveRequest | None = None
        # the table of runs and the details of the selection are computed independently; the details
        # are the orderings, and then the documents to judge next
        self._table_job = self.latest(on_cancelled=self._clear_table)
        self._ordering_job, self._document_job = (
            self.latest(on_cancelled=self._clear_details) for _ in range(2)
        )
        self.measures = named(
            QLineEdit(),
            self.tr("Measures"),
            self.tr("Names separated by spaces, for example: AP P@10 nDCG@10 RR"),
        )
        self.chips = Chips(self.measures, describe_measure)
        self.measure = ChoiceBox(activated=lambda _index: self._compare())
        self.world = ChoiceBox(activated=lambda _index: self.compute())
        for world, label in zip(
            WORLDS, (self.tr("pooled documents"), self.tr("any document")), strict=True
        ):
            self.world.add_choice(label, world, translate_message(WORLD_DESCRIPTIONS[world]))
        self.qrels = ChoiceBox(activated=self._choose_qrels)
        self.runs, self.orderings, self.next = IntervalModel(), IntervalModel(), TableModel()
        self.run_table = IntervalTable(
            self.runs, self.tr("Runs with their intervals"), rows=MAX_RUNS
        )
        self._order_table = IntervalTable(self.orderings, self.tr("Pairs of runs"))
        self._next_table = Table(self.next, self.tr("Documents to judge next"), stretch=0)
        self._meter = Meter(self.tr("Documents with a judgment"))
        self.can_change = make_label("", "quiet")
        self.basis_label = make_label("", "small")
        self._order_title, self._order_text = make_label("", "heading"), make_label("", "quiet")
        self._next_text = make_label("", "quiet")
        self._lay_out()
        self._connect()
        self.actions_by_id = create_actions(
            self,
            {
                "live-measures": ActionHandler(self.chips.edit),
                "judge-next": ActionHandler(self.judge_next, lambda: self.can_judge_next),
                "open-next": ActionHandler(self.open_next, lambda: self.can_open_next),
            },
        )

    def _lay_out(self) -> None:
        self._judge_button, self._open_button = map(self.action_button, ("judge-next", "open-next"))
        self._qrels_field = with_label(self.tr("Qrels"), self.qrels)
        orderings = card(
            self._order_title, self._order_text, FilterLine(self._order_table), self._order_table
        )
        next_card = card(
            make_label(self.tr("Documents to judge next"), "heading"),
            self._next_text,
            FilterLine(self._next_table),
            self._next_table,
            row(self._judge_button, self._open_button, None),
        )
        self.minimum_heights = dict.fromkeys((orderings, next_card), MIN_CARD_HEIGHT)
        self._lower_part = SideBySide(column(orderings), column(next_card), NARROW_WIDTH, (1, 1))
        fields = (
            with_label(self.tr("Compare runs by"), self.measure),
            with_label(self.tr("Possibly relevant"), self.world),
            self._qrels_field,
        )
        header = SideBySide(
            column(make_label(self.tr("Live evaluation"), "title", wrap=False), self.can_change),
            column(self._meter),
            NARROW_WIDTH // 2,
            (3, 2),
        )
        self.put_parts(
            PageScrollArea(
                column(
                    header,
                    row(
                        make_label(self.tr("Measures"), "quiet", wrap=False),
                        self.chips,
                        spacing=SPACE_M,
                        stretched=self.chips,
                    ),
                    Flow(fields),
                    self.problem,
                    card(
                        FilterLine(self.run_table), self.run_table, self.basis_label, margin=SPACE_M
                    ),
                    self._lower_part,
                    None,
                    spacing=SPACE_M,
                    stretched=self._lower_part,
                    stretch=100,
                )
            ),
            self.run_table,
        )

    def _connect(self) -> None:
        self.measures.editingFinished.connect(self.compute)
        self.chips.removed.connect(self.compute)
        self.run_table.selectionModel().currentRowChanged.connect(
            lambda _current, _previous: self._compare()
        )
        self._order_table.selectionModel().currentRowChanged.connect(
            lambda _current, _previous: self._find_documents()
        )
        self._next_table.selectionModel().currentRowChanged.connect(
            lambda _current, _previous: self._offer_judging()
        )
        self._next_table.opened.connect(lambda _line: self.judge_next())

        self._session_state: tuple[Any, ...] = ()
        self._update_timer = QTimer(self, interval=UPDATE_MS)
        self._update_timer.timeout.connect(self.follow)
        self._update_timer.start()

    def follow(self) -> None:
        """Recompute if a session of this window has new judgments and the page is visible."""
        project, request, controller = self.project, self._request, controller_of(self.project)
        if (
            project is None
            or request is None
            or controller is None
            or controller.status is None
            or not self.isVisible()
            or self._table_job.busy
        ):
            return
        # the session's state in memory is compared, since reading the file would have to wait for
        # writes
        state = (
            project.path,
            controller.status.state,
            controller.status.judgment_state,
            *controller.status.topics.items(),
        )
        if self._session_state != state:
            self._session_state, selection = state, self._current_selection()

            def compute(
                job_project: Project, progress: Progress
            ) -> tuple[LiveTable, PairAnalysis | None]:
                same_qrels = (
                    choice
                    for choice in list_qrels_choices(job_project)
                    if request.choice
                    and (choice.source, choice.origin)
                    == (request.choice.source, request.choice.origin)
                )
                table = compute_project_live_table(
                    job_project,
                    request.measures,
                    request.policy,
                    request.setting,
                    next(same_qrels, None),
                    progress,
                )
                return table, _analyse_pair(table, job_project, selection, progress)

            self.run_on_project(
                self._table_job,
                compute,
                lambda answer: self._update_all(selection, *answer),
                self._on_failed,
            )

    # Called by the window

    def show_project(self, project: Project | None) -> None:
        super().show_project(project)
        self._clear_table()
        for box in (self.measure, self.qrels):
            box.clear()
        stored_parts = ((project.get_setting(SETTING_KEY) if project else None) or "").split(
            SEPARATOR
        )
        self.measures.setText(stored_parts[0] or " ".join(DEFAULT_LIVE_MEASURES))
        self.world.setCurrentIndex(max(0, self.world.findData(stored_parts[-1])))

    def refresh(self) -> None:
        if self.project is None:
            return
        # a writable project stores the selected qrels, which are then the first choice
        old_qrels = None if self.project.writing else self.qrels.currentData()
        self.qrels.clear()
        self.qrels.add_choices(
            (translate_message(choice.name), choice.name)
            for choice in list_qrels_choices(self.project)
        )
        self.qrels.setCurrentIndex(max(0, self.qrels.findData(old_qrels)))
        self._qrels_field.setVisible(self.qrels.count() > 1)
        missing = _describe_missing(self.project)
        self.show_state(missing)
        if missing is None:
            self.compute()

    # Actions

    @property
    def can_judge_next(self) -> bool:
        return self.can_write and self.can_open_next

    def judge_next(self) -> None:
        if next_document := self._current_document():
            self.judge_topic.emit(next_document.decisive.topic)

    @property
    def can_open_next(self) -> bool:
        return self.project is not None and self._current_document() is not None

    def open_next(self) -> None:
        if self.project and (next_document := self._current_document()):
            self.message_shown.emit(
                open_document(
                    self,
                    self.project,
                    next_document.decisive.document,
                    filled(self.tr("Topic {topic}"), topic=next_document.decisive.topic),
                    self.zoom,
                )
            )

    # Computation

    def compute(self) -> None:
        if (project := self.project) is None:
            return
        try:
            request = self._make_request(project)
        except IrjudgeError as error:
            self.show_problem(translate_message(str(error)))
            return
        self.show_problem("")
        if request == self._request:
            return  # this result is already displayed or being computed
        self._request = request
        self.run_on_project(
            self._table_job,
            lambda job_project, progress: compute_project_live_table(
                job_project,
                request.measures,
                request.policy,
                request.setting,
                request.choice,
                progress,
            ),
            self._show,
            self._on_failed,
            self._show_progress,
        )

    def _clear_table(self) -> None:
        self.table = None
        self.runs.fill(())
        self.basis_label.setText("")
        self.can_change.setText("")
        self._clear_details()

    def _clear_details(self) -> None:
        self._request = None
        self.orderings.fill(())
        self._order_title.setText("")
        self._order_text.setText("")
        self._show_next([], "", "")

    def _choose_qrels(self, index: int) -> None:
        if self.project is not None and self.project.writing:
            try:
                choose_qrels(self.project, str(self.qrels.itemData(index)))
            except IrjudgeError as error:
                self.show_problem(translate_message(str(error)))
                return
        self.compute()

    def _make_request(self, project: Project) -> LiveRequest:
        options = stored_options(project, self._settings)
        measures = parse_measures(self.measures.text().split(), options.rel)
        if project.writing:
            stored_text = SEPARATOR.join((self.measures.text(), self.world.currentData()))
            if project.get_setting(SETTING_KEY) != stored_text:
                project.set_setting(SETTING_KEY, stored_text)
        # topics without relevant documents are included, since such documents may still be judged
        policy = Policy(
            options.policy().ties,
            "qrels" if options.topics == "qrels" else "both",
            options.rel,
            depth=options.depth or None,
        )
        choice = next(
            (
                choice
                for choice in list_qrels_choices(project)
                if choice.name == self.qrels.currentData()
            ),
            None,
        )
        return LiveRequest(
            tuple(measures),
            policy,
            BoundsSetting(self.world.currentData()),
            choice,
            (project.path, project.writes),
        )

    def _show_progress(self, done_count: int, total: int | None, description: str) -> None:
        if total and total > 1:
            self.can_change.setText(
                filled(
                    self.tr("{what}: {done} of {total}"),
                    what=translate_message(description),
                    done=f"{done_count:,}",
                    total=f"{total:,}",
                )
            )

    def _on_failed(self, error: Exception, trace: str) -> None:
        self._request = None
        self._show_open_values()
        self.show_error(error, trace)

    def _compare(self) -> None:
        table, name, measure = (
            self.table,
            self._get_selected_name(self.run_table),
            self._get_selected_measure(),
        )
        if table is not None and name and measure is not None:
            self._document_job.stop()
            self._ordering_job.run(
                partial(run_orderings, table, name, measure),
                lambda orderings: self._show_orderings(orderings, measure),
                self._on_failed,
                self._show_progress,
            )

    def _find_documents(self) -> None:
        table, measure = self.table, self._get_selected_measure()
        run_name, other_name = (
            self._get_selected_name(self.run_table),
            self._get_selected_name(self._order_table),
        )
        if table is None or not run_name or not other_name or measure is None:
            self._show_next([], "", "")
            return
        if self._ordering_job.busy:
            return  # `_show_orderings` finds the documents
        self.run_on_project(
            self._document_job,
            lambda project, _progress: _find_decisive_documents(
                table, project, run_name, other_name, measure
            ),
            lambda documents: self._show_next(documents, run_name, other_name),
            self._on_failed,
            self._show_progress,
        )

    def _get_selected_measure(self) -> Measure | None:
        return _get_measure(self.table, self.measure.currentData()) if self.table else None

    def _current_selection(self) -> LiveSelection:
        return LiveSelection(
            self._get_selected_name(self.run_table),
            self._get_selected_name(self._order_table),
            self.measure.currentData() or "",
        )

    def _get_selected_name(self, table: Table) -> str:
        index = table.currentIndex()
        return str(index.siblingAtColumn(0).data()) if index.isValid() else ""

    def _current_document(self) -> NextDocument | None:
        return cast(NextDocument | None, self.next.at(self._next_table.currentIndex()))

    # Display

    def _show(self, table: LiveTable) -> None:
        if self._show_table(table):
            self._compare()

    def _update_all(
        self, selection: LiveSelection, table: LiveTable, analysis: PairAnalysis | None
    ) -> None:
        """Show the table, and the details of the selection that were computed with it.

        If the selection has changed meanwhile, the details are computed again.
        """
        if not self._show_table(table):
            return  # the selection has changed, which starts the computation of the details
        measure = self._get_selected_measure()
        if (
            analysis is None
            or measure is None
            or selection != self._current_selection()
            or self._ordering_job.busy
            or self._document_job.busy
        ):
            self._compare()
        elif self._list_orderings(analysis[0], measure):
            self._show_next(analysis[1], selection.run, selection.other)

    def _show_table(self, table: LiveTable) -> bool:
        """Show the possible values of all runs; return whether the same run is still selected."""
        old_run, self.table = self._get_selected_name(self.run_table), table
        old_value, names = self.measure.currentData(), [measure.name for measure in table.measures]
        if [self.measure.itemData(index) for index in range(self.measure.count())] != names:
            self.measure.clear()
            self.measure.add_choices((name, name) for name in names)
            self.measure.setCurrentIndex(max(0, self.measure.findData(old_value)))
        self._meter.show_count(table.judged, table.pooled)
        self.basis_label.setText(self._describe_basis(table))
        self._show_open_values()
        if (
            update_rows(self.run_table, self.runs, table.runs, _run_columns(table, self.decimals))
            and old_run
        ):
            return True
        _select_row(self.run_table, old_run)
        return False

    def _show_open_values(self) -> None:
        if (table := self.table) is not None:
            value_count = len(table.runs) * (len(table.measures) - len(table.provisional))
            open_values = table.count_open_values()
            message = filled(
                self.tr("{left} of {cells} values can still change."),
                left=f"{open_values:,}",
                cells=f"{value_count:,}",
            )
            if not value_count:  # no measure has bounds
                message = ""
            elif not open_values and not table.outstanding:
                message = self.tr("All values are final.")
            if table.outstanding:
                message = join_sentences(message, self._describe_outstanding(table))
            self.can_change.setText(message)

    def _describe_outstanding(self, table: LiveTable) -> str:
        """Return a sentence with the number of outstanding judgments.

        If every document has a judgment, the outstanding judgments are those of further assessors.
        """
        choice, outstanding = self._request.choice if self._request else None, table.outstanding
        only_these_missing = (
            choice is not None
            and choice.source == "consensus"
            and table.judged == table.pooled
            and table.setting.world == "pool"
        )
        if outstanding == 1:
            parts = (
                self.tr("One more judgment is outstanding.")
                if only_these_missing
                else self.tr("One judgment is outstanding.")
            )
        else:
            parts = filled(
                self.tr("{count} more judgments are outstanding.")
                if only_these_missing
                else self.tr("{count} judgments are outstanding."),
                count=f"{outstanding:,}",
            )
        return (
            join_sentences(
                self.tr("Each document has at least one judgment."),
                parts,
                self.tr("The values will be final once all judgments are complete."),
            )
            if only_these_missing
            else parts
        )

    def _describe_basis(self, table: LiveTable) -> str:
        choice = self._request.choice if self._request else None
        return join_sentences(
            describe_qrels_source(choice.description) if choice else "",
            filled(
                self.tr("Intervals are valid if {assumption}."),
                assumption=translate_message(WORLD_DESCRIPTIONS[table.setting.world]),
            ),
            *map(translate_message, table.provisional.values()),
            filled(
                self.tr("Evaluation settings: {policy}."),
                policy=translate_message(str(table.policy)),
            ),
        )

    def _show_orderings(self, orderings: list[RunOrdering], measure: Measure) -> None:
        if self._list_orderings(orderings, measure) or not orderings:
            self._find_documents()

    def _list_orderings(self, orderings: list[RunOrdering], measure: Measure) -> bool:
        """Show orderings; return whether the same ordering is still selected."""
        self._show_open_values()
        old_other, name = (
            self._get_selected_name(self._order_table),
            self._get_selected_name(self.run_table),
        )
        self._order_title.setText(
            filled(
                self.tr("{name} compared with the other runs by {measure}"),
                name=name,
                measure=measure.name,
            )
        )
        self._order_text.setText(
            join_sentences(
                filled(
                    self.tr("The order can still change for {left} of {count} pairs of runs."),
                    left=f"{sum(ordering.verdict == 'can_change' for ordering in orderings):,}",
                    count=f"{len(orderings):,}",
                ),
                *dict.fromkeys(
                    translate_message(ordering.note) for ordering in orderings if ordering.note
                ),
            )
            if orderings
            else self.tr("Comparing needs a second run.")
        )
        is_unchanged = update_rows(
            self._order_table,
            self.orderings,
            orderings,
            _ordering_columns(orderings, self.decimals),
        )
        run_to_select = _choose_other_run(orderings, old_other)
        if is_unchanged and run_to_select == old_other:
            return True
        _select_row(self._order_table, run_to_select)
        return False

    def _show_next(self, documents: list[NextDocument], run: str, other: str) -> None:
        message = self.tr("No unjudged document affects this difference.") if other else ""
        if documents:
            message = self.tr(
                "These documents have the largest effect on the difference between {one} and "
                "{other}."
            )
        self._next_text.setText(filled(message, one=run, other=other))
        self.next.fill(documents, _next_columns(self.decimals))
        _select_row(self._next_table, "")
        self._offer_judging()

    def _offer_judging(self) -> None:
        self._judge_button.setEnabled(self.can_judge_next)
        self._open_button.setEnabled(self.can_open_next)


def _describe_missing(project: Project) -> StateMessage | None:
    """Return a message about why no values can be shown; None if values can be shown."""
    if not project.rankings.runs():
        return StateMessage(
            translate("LiveView", "No runs yet"),
            translate(
                "LiveView",
                "Intervals show which values the runs can still reach while documents are "
                "unjudged. Add runs first.",
            ),
            [(BY_ID["runs"].label, "runs")],
        )
    if not project.rankings.pool_version() and not project.rankings.qrels_names():
        return StateMessage(
            translate("LiveView", "No pool yet"),
            translate(
                "LiveView",
                "A pool is the list of documents to judge. While some of these documents are "
                "unjudged, the values and the order of the runs are uncertain.",
            ),
            [(translate("LiveView", "Build a pool"), "collection")],
        )
    return None


def _get_measure(table: LiveTable, name: str) -> Measure | None:
    return next((measure for measure in table.measures if measure.name == name), None)


def _analyse_pair(
    table: LiveTable, project: Project, selection: LiveSelection, progress: Progress
) -> PairAnalysis | None:
    """Return the details of a selection; None if its run or measure no longer exists."""
    measure = _get_measure(table, selection.measure)
    if measure is None or selection.run not in table.live_runs:
        return None
    orderings = run_orderings(table, selection.run, measure, progress)
    is_selected = (
        selection.other and _choose_other_run(orderings, selection.other) == selection.other
    )
    return orderings, (
        _find_decisive_documents(table, project, selection.run, selection.other, measure)
        if is_selected
        else []
    )


def _choose_other_run(orderings: list[RunOrdering], run_name: str) -> str:
    """Return the run to compare with: `run_name` or the first run of an undecided ordering.

    `run_name` is returned if its ordering is undecided, or if all orderings are decided.
    """
    open_runs = [ordering.run_b for ordering in orderings if ordering.verdict == "can_change"]
    return run_name if run_name in open_runs or not open_runs else open_runs[0]


def _find_decisive_documents(
    table: LiveTable, project: Project, run_name: str, other_name: str, measure: Measure
) -> list[NextDocument]:
    documents = find_decisive_documents(table, run_name, other_name, measure, MAX_NEXT_DOCUMENTS)
    titles = project.collection.titles([document.document for document in documents])
    topics = project.collection.topic_titles()
    return [
        NextDocument(
            document,
            titles.get(document.document) or document.document,
            topics.get(document.topic, ""),
            run_name if to_goodness(measure, document.weight) > 0 else other_name,
        )
        for document in documents
    ]


def _select_row(table: Table, name: str) -> None:
    model = table.model()
    names = [model.index(table_row, 0).data() for table_row in range(model.rowCount())]
    if names:
        table.setCurrentIndex(model.index(names.index(name) if name in names else 0, 0))
