"""Collection page: overview of the topics, runs, pool and qrels of a project."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

from PySide6.QtCore import Qt
from PySide6.QtGui import QAction, QResizeEvent
from PySide6.QtWidgets import (
    QBoxLayout,
    QWidget,
)

from irjudge.errors import IrjudgeError
from irjudge.exchange import (
    PoolResult,
    Prices,
    create_pool,
    describe_retrieved_textless,
    describe_textless,
    read_prices,
    set_prices,
)
from irjudge.judging import (
    QrelsChoice,
    TopicCounts,
    count_documents_by_topic,
    list_pooled_without_text,
    list_qrels_choices,
    list_retrieved_without_text,
)
from irjudge.model import Document, Topic
from irjudge.pooling import PoolRequest
from irjudge.report import list_available_exports
from irjudge.store import (
    ImportReport,
    Project,
    describe_auxiliary_tables,
    read_import_reports,
)
from irjudge_ui.actions import BY_ID, ActionHandler, create_actions
from irjudge_ui.jobs import on_project
from irjudge_ui.messages import filled, translate, translate_message
from irjudge_ui.models import Column, TableModel
from irjudge_ui.pages.project.editing import EditingView, describe_report
from irjudge_ui.pages.project.export_dialog import ProjectExporter
from irjudge_ui.pages.project.file_import import JudgmentsImporter
from irjudge_ui.pages.project.pool_form import (
    CostFunction,
    EstimatePreview,
    PoolForm,
    PricesDialog,
    describe_pool,
)
from irjudge_ui.pages.shared import DocumentDialog
from irjudge_ui.project_changes import (
    AddPool,
)
from irjudge_ui.settings import Settings
from irjudge_ui.widgets import (
    MAX_WIDGET_SIZE,
    SPACE_L,
    SPACE_M,
    FilterLine,
    Flow,
    PageScrollArea,
    SideBySide,
    Table,
    ask,
    card,
    column,
    make_breakable,
    make_button,
    make_container,
    make_label,
    row,
    scale_length,
    set_style,
    show_text,
)

# The collection page

SIDE_WIDTH, NARROW_WIDTH, NARROW_HEAD_WIDTH, TOPICS_HEIGHT = 360, 820, 480, 300


@dataclass(frozen=True, slots=True)
class ProjectCounts:
    """Content of the collection page that is computed in the background: counts, rows and texts.

    `topics` are table rows, `offered` are the qrels that can be exported or used, and `sides` is a
    text about auxiliary files, empty if there are none. `document_count` is the number of documents
    that have a text. `pooled_textless` and `retrieved_textless` are the ids of pooled and of
    retrieved documents without text.
    """

    topics: list[TopicCounts]
    offered: list[QrelsChoice]
    sides: str = ""
    document_count: int = 0
    pooled_textless: Sequence[str] = ()
    retrieved_textless: Sequence[str] = ()


NO_COUNTS = ProjectCounts([], [])  # shown until the counts are computed


@dataclass(frozen=True, slots=True)
class TopicRequest:
    """Request to select a topic when the collection page is shown, such as from the palette."""

    topic: str


class CollectionView(EditingView):
    """Collection page: topics with counts of pooled and judged documents, the pool, and qrels.

    The page imports and exports data, builds pools from the runs, and edits the prices of judging.
    Opening a topic requests the judging page for it (`judge_topic`). The addition of runs and of a
    pool can be undone.
    """

    def __init__(self, settings: Settings) -> None:
        super().__init__(settings)
        self._count_job, self._counts_of_project = self.latest(), NO_COUNTS
        self._requested_topic: str | None = None  # topic requested by another page
        self._form_version = 0  # version of the pool whose options were last filled in
        self._title, self._path = make_label("", "title"), make_label("", "small")
        self._counts = make_label("", "quiet", wrap=False)
        # absolute alignment, so that a title in a right-to-left script stays at the left
        self._title.setAlignment(Qt.AlignmentFlag.AlignAbsolute | Qt.AlignmentFlag.AlignLeft)
        self.topics = TableModel(_topic_columns())
        self._topic_table = Table(self.topics, self.tr("Topics"), stretch=1)
        self._pool_text, self._qrels_text = make_label(), make_label()
        self._report, self._textless_import = (make_label("", "quiet") for _ in range(2))
        self._auxiliary_text = make_label("", "small")
        self._missing_text = make_label(
            "⚠ " + self.tr("There are no documents. Add some to read and judge."),
            "warning",
            hidden=True,
        )
        self._outside_note = make_label(
            self.tr("The “Judged” column counts documents in the pool + documents outside it."),
            "small",
            hidden=True,
        )
        self._textless_text = make_label("", "warning")
        self.pool_form, self.preview = PoolForm(), EstimatePreview(self._forecast_function)
        self.pool_form.changed.connect(self.preview.ask)
        self.preview.failed.connect(self.failed)
        self.exporting, self.judgments = ProjectExporter(self, self), JudgmentsImporter(self, self)
        self.judgments.taken.connect(self._on_judgments_imported)
        self._runs_button = make_button(
            BY_ID["add-runs"].label, clicked=lambda: self.wants.emit("runs")
        )
        self._lay_out()
        self.next_buttons = {action: self.buttons[action] for action in ("build-pool", "judge")}
        self.actions_by_id = create_actions(self, self._action_handlers())
        self._topic_table.opened.connect(self._open_topic)
        self._topic_table.set_row_actions(
            self._make_row_action(self.tr("Judge this topic"), self._open_topic),
            self._make_row_action(self.tr("Read the topic"), self._read_topic),
        )
        self._enable()

    def _action_handlers(self) -> dict[str, ActionHandler]:
        return {
            **self._history_handlers("undo-change", "redo-change"),
            "build-pool": ActionHandler(
                self.build_pool,
                lambda: (
                    self.project is not None
                    and self.project.writing
                    and bool(self.project.rankings.runs())
                ),
            ),
            "add-qrels": ActionHandler(self.adding.asks("qrels"), lambda: self.can_write),
            "add-topics": ActionHandler(self.adding.asks("topics"), lambda: self.can_write),
            "add-sides": ActionHandler(self.adding.asks("sides"), lambda: self.can_write),
            "prices": ActionHandler(self.ask_prices, lambda: self.can_write),
            "export": ActionHandler(
                self.exporting.ask,
                lambda: self.project is not None and bool(list_available_exports(self.project)),
            ),
            "import-judgments": ActionHandler(self.judgments.ask, lambda: self.can_write),
        }

    def _make_row_action(self, text: str, call: Callable[[int], object]) -> QAction:
        action_entry = QAction(text, self)
        action_entry.triggered.connect(lambda: call(self._topic_table.currentIndex().row()))
        return action_entry

    def _open_topic(self, table_row: int) -> None:
        self.judge_topic.emit(self._topic_at(table_row))

    def _read_topic(self, table_row: int) -> None:
        id = self._topic_at(table_row)
        topics = self.project.collection.topics() if self.project else []
        topic = next((topic for topic in topics if topic.id == id), Topic(id, ""))
        text = "\n\n".join(filter(None, (topic.description, topic.narrative)))
        DocumentDialog(
            self,
            Document(topic.id, text.encode(), topic.title),
            self.tr("Topic"),
            self.zoom,
        ).open()

    def _topic_at(self, table_row: int) -> str:
        return str(self._topic_table.model().index(table_row, 0).data())

    def _lay_out(self) -> None:
        pool_card = card(
            make_label(self.tr("Pool"), "heading"),
            self._pool_text,
            self._textless_text,
            Flow([self._add_button("add-documents", window=True)]),
            self.pool_form,
            row(
                self._runs_button,
                self._add_button("build-pool"),
                self._add_button("judge", window=True),
                None,
            ),
            self.preview,  # the estimate is below the buttons, so that the buttons do not move
        )
        qrels_card = card(
            make_label(self.tr("Qrels"), "heading"),
            self._qrels_text,
            self._auxiliary_text,
            Flow(
                [
                    self._add_button("add-qrels"),
                    self._add_button("add-sides"),
                    self._add_button("export-qrels", window=True),
                ]
            ),
        )
        self._report_card = card(
            make_label(self.tr("Last import"), "heading"), self._report, self._textless_import
        )
        set_style(self.buttons["add-documents"], "link")
        self._side = make_container(
            column(pool_card, qrels_card, self._report_card, None, spacing=SPACE_L)
        )
        self._topics_card = self._make_topics_card()
        self.minimum_heights[self._topics_card] = TOPICS_HEIGHT
        self._body = row(
            self._topics_card, self._side, spacing=SPACE_L, stretched=self._topics_card
        )
        header = SideBySide(
            row(self._title),
            row(
                self._add_button("prices"),
                self._add_button("import-judgments"),
                self._add_button("export"),
                None,
            ),
            NARROW_HEAD_WIDTH,
        )
        counts_row = SideBySide(row(self._path), row(self._counts), NARROW_HEAD_WIDTH)
        self.setLayout(
            column(PageScrollArea(column(header, counts_row, self._body, spacing=SPACE_M)))
        )

    def _make_topics_card(self) -> QWidget:
        return card(
            make_label(self.tr("Topics"), "heading"),
            self._outside_note,
            FilterLine(self._topic_table),
            self._topic_table,
            self._missing_text,
            Flow([self._add_button("add-topics")]),
        )

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        narrow = event.size().width() < scale_length(NARROW_WIDTH)
        self._body.setDirection(
            QBoxLayout.Direction.TopToBottom if narrow else QBoxLayout.Direction.LeftToRight
        )
        self._side.setMinimumWidth(0 if narrow else scale_length(SIDE_WIDTH))
        self._side.setMaximumWidth(MAX_WIDGET_SIZE if narrow else scale_length(SIDE_WIDTH))

    def _enable(self) -> None:
        super()._enable()
        self.buttons["export-qrels"].setEnabled(bool(self._counts_of_project.offered))
        self.buttons["judge"].setEnabled(
            self.project is not None and self.project.rankings.pool_version() > 0
        )

    # Called by the window

    def show_project(self, project: Project | None) -> None:
        if project is not self.project:
            self.preview.stop()
            self.pool_form.forget()
            self._form_version = 0
            self._show_counts(None, NO_COUNTS)
        super().show_project(project)
        self.show_report(None)

    def show_report(self, report: ImportReport | None) -> None:
        if report is None and self.project:
            report = next(reversed(read_import_reports(self.project)), None)
        self._report.setText(describe_report(report) if report else "")
        self._report_card.setVisible(report is not None)

    def set_request(self, request: object) -> None:
        if isinstance(request, TopicRequest):
            self._requested_topic = request.topic

    def focus(self) -> None:
        self._topic_table.setFocus()

    def refresh(self) -> None:
        if (project := self.project) is None:
            return
        self._title.setText(project.title)
        # the button is hidden until the project has prices; the command palette offers the action
        self.buttons["prices"].setVisible(read_prices(project) != Prices())
        self._path.setText(make_breakable(project.path))
        self.show_report(None)  # another page may have imported files
        has_runs = bool(project.rankings.runs())
        self._runs_button.setVisible(not has_runs)
        for part in (self.pool_form, self.preview, self.buttons["build-pool"]):
            part.setVisible(has_runs)
        self.preview.ask()
        self._enable()

        self._count_job.run(
            on_project(
                project,
                lambda job_project, _progress: ProjectCounts(
                    count_documents_by_topic(job_project),
                    list_qrels_choices(job_project),
                    describe_auxiliary_tables(job_project),
                    job_project.collection.document_count(),
                    list_pooled_without_text(job_project),
                    list_retrieved_without_text(job_project),
                ),
            ),
            lambda counts: self._show_counts(project, counts),
            self.failed.emit,
        )

    def _show_counts(self, project: Project | None, counts: ProjectCounts) -> None:
        self._counts_of_project = counts
        self.topics.fill(counts.topics)
        ids = [topic.id for topic in counts.topics]
        if self._requested_topic in ids:
            index = self.topics.line_of(ids.index(self._requested_topic))
            self._topic_table.selectRow(index.row())
            self._requested_topic = None
        self._qrels_text.setText(self._describe_qrels())
        self._auxiliary_text.setText(
            filled(self.tr("Auxiliary files: {sides}"), sides=translate_message(counts.sides))
        )
        for part in (self._auxiliary_text, self.buttons["add-sides"]):
            # hidden if there are no auxiliary files: the command palette also offers the action
            part.setVisible(bool(counts.sides))
        self._show_textless(counts)
        if project is None:
            return
        self._counts.setText(
            filled(
                self.tr("Documents: {documents} · topics: {topics} · runs: {runs}"),
                documents=f"{counts.document_count:,}",
                topics=f"{len(counts.topics):,}",
                runs=f"{len(project.rankings.runs()):,}",
            )
        )
        self._missing_text.setVisible(not counts.document_count)
        pool = project.rankings.pool()
        unpooled_count = sum(topic.judged_outside for topic in counts.topics)
        self._outside_note.setVisible(bool(unpooled_count))
        self._pool_text.setText(
            describe_pool(pool, sum(topic.judged for topic in counts.topics), unpooled_count)
        )
        self.pool_form.offer(adaptive=bool(counts.offered))
        # the options of the newest pool are filled in once, to preserve later edits
        version = project.rankings.pool_version()
        if pool is not None and version != self._form_version:
            self.pool_form.start_from(pool)
        self._form_version = version
        self._enable()

    def _show_textless(self, counts: ProjectCounts) -> None:
        pooled = counts.pooled_textless
        others = sorted({*counts.retrieved_textless}.difference(pooled))
        show_text(
            self._textless_text,
            f"⚠ {translate_message(describe_textless(pooled))}" if pooled else "",
        )
        show_text(
            self._textless_import,
            translate_message(describe_retrieved_textless(others)) if others else "",
        )
        self.buttons["add-documents"].setVisible(bool(pooled))

    def _describe_qrels(self) -> str:
        if self._counts_of_project is NO_COUNTS:
            return self.tr("Loading …")
        if not self._counts_of_project.offered:
            return self.tr("No qrels yet. Judge documents, or import a file.")
        return "\n".join(
            filled(
                self.tr("{name} (judgments: {rows})"),
                name=translate_message(qrels.name),
                rows=f"{qrels.pair_count:,}",
            )
            for qrels in self._counts_of_project.offered
        )

    # Actions

    def build_pool(self) -> None:
        if self.project is None:
            return
        try:
            pool_request = self._read_request(self.project)
        except IrjudgeError as error:
            self.message_shown.emit("✕ " + translate_message(str(error)))
            self.pool_form.topics.setFocus()
            return
        if self.project.has_other_assessors:
            ask(
                self,
                self.tr("Build another pool?"),
                self.tr(
                    "Assessors are working on the current pool. A new pool would replace this "
                    "pool; the documents added by the new pool can be assigned afterwards."
                ),
                [
                    (self.tr("Leave unchanged"), None),
                    (self.tr("Build pool"), lambda: self._build_pool(pool_request)),
                ],
            )
        else:
            self._build_pool(pool_request)

    def _read_request(self, project: Project) -> PoolRequest:
        return self.pool_form.read_request([topic.id for topic in project.collection.topics()])

    def _build_pool(self, pool_request: PoolRequest) -> None:
        self.request_job(
            self.tr("Building the pool"),
            lambda project, progress: create_pool(project, pool_request, progress=progress),
            self._on_pool_built,
        )

    def _forecast_function(self) -> CostFunction | None:
        if (project := self.project) is None or not project.rankings.runs():
            return None
        pool_request = replace(self._read_request(project), preview=True)

        return on_project(
            project,
            lambda job_project, progress: (
                create_pool(job_project, pool_request, progress=progress).estimate
            ),
        )

    def ask_prices(self) -> None:
        if project := self.project:
            PricesDialog(
                self,
                read_prices(project),
                lambda prices: self._change(lambda: set_prices(project, prices)),
            ).open()

    def _on_pool_built(self, result: PoolResult) -> None:
        if self.project and result.version is not None:
            self._make_change(AddPool(self.project, result.pool, result.version))

    def _on_judgments_imported(self, report: ImportReport) -> None:
        self.show_report(report)
        self._notify_changed()
        self.message_shown.emit(self._report.text())


def _topic_columns() -> list[Column]:
    return [
        Column(translate("CollectionView", "Topic"), lambda topic: topic.id),
        Column(translate("CollectionView", "Title"), lambda topic: topic.title),
        Column(
            translate("CollectionView", "Pooled"),
            lambda topic: topic.pooled,
            lambda count: f"{count:,}",
            number=True,
            help=translate("CollectionView", "Documents to judge"),
        ),
        Column(
            translate("CollectionView", "Judged"),
            lambda topic: (topic.judged, topic.judged_outside),
            lambda counts: f"{counts[0]:,}" + (f" + {counts[1]:,}" if counts[1] else ""),
            number=True,
            help=translate(
                "CollectionView",
                "Judged documents in the pool + judged documents outside it; without a pool, "
                "all judged documents",
            ),
        ),
        Column(
            translate("CollectionView", "Relevant"),
            lambda topic: topic.relevant,
            lambda count: f"{count:,}",
            number=True,
            help=translate("CollectionView", "Documents with grade 1 or more, in the pool or not"),
        ),
    ]
