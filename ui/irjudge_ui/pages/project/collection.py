"""Collection page: topics, runs, pool, qrels and shown fields of a project."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

import numpy as np
from PySide6.QtCore import QCoreApplication, Qt
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import (
    QAbstractItemView,
    QBoxLayout,
    QListWidget,
    QListWidgetItem,
    QPlainTextEdit,
    QPushButton,
    QVBoxLayout,
    QWidget,
)

from irjudge.errors import IrjudgeError
from irjudge.exchange import (
    CostEstimate,
    Prices,
    estimate_pool,
    measure_pace,
    read_prices,
    set_prices,
)
from irjudge.judging import QrelsChoice, list_qrels_choices, list_qrels_rows, read_project_qrels
from irjudge.model import UNJUDGED, Document, Pool
from irjudge.pooling import PoolOptions, build_pool, make_qrels_judge
from irjudge.progress import Progress
from irjudge.search import SearchOptions
from irjudge.store import (
    ImportReport,
    Project,
    StoredRanking,
    describe_auxiliary_tables,
    read_import_reports,
    select_fields,
    shown_field_names,
)
from irjudge_ui.actions import BY_ID, ActionHandler, bind_key_cap, create_actions
from irjudge_ui.messages import filled, join_sentences, translate_message
from irjudge_ui.models import Column, TableModel
from irjudge_ui.pages.project.export_dialog import ProjectExporter
from irjudge_ui.pages.project.file_import import FileImporter, JudgmentsImporter
from irjudge_ui.pages.project.make_run import MakeRunDialog, build_run
from irjudge_ui.pages.project.pool_form import (
    EstimatePreview,
    PoolForm,
    PricesDialog,
    Reckon,
    describe_pool,
)
from irjudge_ui.pages.shared import View, describe_qrels_source
from irjudge_ui.project_changes import (
    AddPool,
    AddRuns,
    Change,
    ChangeShownFields,
    ChangeStack,
    RemoveRun,
)
from irjudge_ui.settings import Settings
from irjudge_ui.widgets import (
    SPACE_L,
    SPACE_M,
    SPACE_S,
    Dialog,
    DocumentView,
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
    make_growing,
    make_label,
    row,
    scale_length,
)
from irjudge_ui.workspace import DocumentLoader

# Dialog that selects and orders the document fields shown to assessors, with a preview

SIZE = (860, 620)
LIST_WIDTH = 260


class ShownFieldsDialog(Dialog):
    """Choice and order of shown fields; `keep` is called with the checked names in order."""

    def __init__(
        self,
        parent: QWidget,
        project: Project,
        zoom: float,
        keep: Callable[[tuple[str, ...]], object],
    ) -> None:
        super().__init__(parent, SIZE)
        self._zoom, self._keep = zoom, keep
        self._document = _example_document(project)
        self.list = self._new_list(project)
        self.up, self.down = make_button(self.tr("Move up")), make_button(self.tr("Move down"))
        self.view = DocumentView()
        self.view.setAccessibleName(self.tr("What whoever judges will see"))
        self._page = DocumentLoader(self.view)
        self.finished.connect(lambda _result: self._page.stop())
        about = make_label(
            self.tr(
                "Ticked fields stand under the title of each document, for everybody who judges. Others stay in the project."
            ),
            "quiet",
        )
        self.fill(
            self.tr("Choose fields"),
            [about, self._laid_out()],
            [(self.tr("Cancel"), None), (self.tr("Show these"), self._chosen)],
        )
        self.list.itemChanged.connect(lambda _item: self._show())
        self.list.currentRowChanged.connect(lambda _row: self._enable())
        self.list.model().rowsMoved.connect(lambda *_where: self._show())
        self.up.clicked.connect(lambda: self.shift(-1))
        self.down.clicked.connect(lambda: self.shift(1))
        self.list.setCurrentRow(0)
        self.list.setFocus()
        self.view.ensurePolished()
        self._show()

    def _new_list(self, project: Project) -> QListWidget:
        made = QListWidget()
        made.setObjectName("hits")
        made.setAccessibleName(self.tr("Fields of documents"))
        made.setDragDropMode(QAbstractItemView.DragDropMode.InternalMove)
        made.setMinimumWidth(scale_length(LIST_WIDTH))
        shown = shown_field_names(project)
        for name in (
            *shown,
            *(each for each in project.collection.field_names() if each not in shown),
        ):
            item = QListWidgetItem(name, made)
            item.setFlags(item.flags() | Qt.ItemFlag.ItemIsUserCheckable)
            item.setCheckState(Qt.CheckState.Checked if name in shown else Qt.CheckState.Unchecked)
        return made

    def _laid_out(self) -> QWidget:
        whole = QWidget()
        choice = column(self.list, row(self.up, self.down, None), spacing=SPACE_S)
        sample = column(
            make_label(self.tr("Preview"), "heading"),
            card(self.view, margin=SPACE_L),
            spacing=SPACE_S,
        )
        sample.setStretch(1, 1)
        both = row(choice, sample, spacing=SPACE_L)
        both.setStretch(1, 1)
        whole.setLayout(both)
        return make_growing(whole)

    @property
    def names(self) -> tuple[str, ...]:
        """The fields that are ticked, in their order."""
        items = (self.list.item(place) for place in range(self.list.count()))
        return tuple(item.text() for item in items if item.checkState() == Qt.CheckState.Checked)

    def shift(self, step: int) -> None:
        """Move the chosen field by a place."""
        place = self.list.currentRow()
        if 0 <= place + step < self.list.count():
            self.list.insertItem(place + step, self.list.takeItem(place))
            self.list.setCurrentRow(place + step)
            self._show()

    def _enable(self) -> None:
        place = self.list.currentRow()
        self.up.setEnabled(place > 0)
        self.down.setEnabled(0 <= place < self.list.count() - 1)

    def _show(self) -> None:
        self._enable()
        names, document = self.names, self._document
        picture = document.picture if document.pictured in names else b""
        self._page.show(
            replace(document, fields=select_fields(document, names), picture=picture), self._zoom
        )

    def _chosen(self) -> None:
        self._keep(self.names)


def _example_document(project: Project) -> Document:
    """Return a document with fields, with its picture where it has one."""
    document = project.collection.example()
    return (
        replace(document, picture=project.collection.picture(document.id) or b"")
        if document
        else Document("", b"")
    )


# The collection page: topics, runs, pool and qrels of a project, and what is judged of them.

SIDE_WIDTH, NARROW, HEAD, TOPICS_HEIGHT = 360, 820, 480, 300
MAX_RUNS, MAX_LINES = 6, 12  # shown at once: runs, and lines of what one says of itself
translate = QCoreApplication.translate


@dataclass(frozen=True, slots=True)
class CollectionTopic:
    """Row of a topic.

    Judged and relevant count pooled documents, `outside` counts judged others.
    """

    id: str
    title: str
    pooled: int
    judged: int
    relevant: int
    outside: int


@dataclass(frozen=True, slots=True)
class ProjectCounts:
    """Counts made in the background: topics, available qrels, auxiliary files, documents."""

    topics: list[CollectionTopic]
    offered: list[QrelsChoice]
    sides: str = ""
    documents: int = 0


NOTHING = ProjectCounts([], [])


class RunDescriptionCard(QWidget):
    """Shows the metadata at the head of the selected run's file; hidden if no run has any."""

    def __init__(self) -> None:
        super().__init__()
        self._about, self.said = make_label("", "quiet"), QPlainTextEdit()
        self.said.setReadOnly(True)
        self.said.setLineWrapMode(QPlainTextEdit.LineWrapMode.NoWrap)
        self.said.setTabChangesFocus(True)
        self.setLayout(column(self._about, self.said, spacing=SPACE_S))
        self.hide()

    def show_of(self, chosen: str | None, runs: Sequence[StoredRanking]) -> None:
        """Show the words of the run that is chosen; where none is, say that one may be chosen."""
        said = next((run.metadata for run in runs if run.name == chosen), "")
        words = (
            filled(self.tr("{run} says of itself (ir_metadata):"), run=chosen or "") if said else ""
        )
        about = words or (
            "" if chosen else self.tr("Choose a run to read what it says of itself (ir_metadata).")
        )
        self._about.setText(about)
        self.said.setAccessibleName(words)
        self.said.setPlainText(said)
        self.said.setFixedHeight(
            round(self.fontMetrics().lineSpacing() * (2.5 + min(MAX_LINES, said.count("\n") + 1)))
        )
        self.said.setVisible(bool(said))
        self.setVisible(bool(about) and any(run.metadata for run in runs))


class CollectionView(View):
    """Shows the content of a project; imports and pooling run as jobs of the window."""

    def __init__(self, settings: Settings) -> None:
        super().__init__()
        self._settings = settings
        self.changes = ChangeStack(self)
        self._counting, self._held = self.latest(), NOTHING
        self._title, self._path, self._counts = (
            make_label("", "title"),
            make_label("", "small"),
            make_label("", "quiet", wrap=False),
        )
        self._title.setAlignment(
            Qt.AlignmentFlag.AlignAbsolute | Qt.AlignmentFlag.AlignLeft
        )  # a name from right to left too
        self.topics = TableModel(_topic_columns())
        self.runs = TableModel(_run_columns())
        self._topic_table = Table(self.topics, self.tr("Topics"), stretch=1)
        self.run_table = Table(self.runs, self.tr("Runs"), rows=MAX_RUNS)
        self.said_by_run = RunDescriptionCard()
        self._pool_words, self._qrels_words, self._report = (
            make_label(),
            make_label(),
            make_label("", "quiet"),
        )
        self._sides_words, self._needs = make_label("", "small"), make_label("", "warning")
        self.pool_wishes, self.preview = PoolForm(), EstimatePreview(self._reckon)
        self.pool_wishes.changed.connect(self.preview.ask)
        self.preview.failed.connect(self.failed)
        self.buttons: dict[str, QPushButton] = {}
        self.exporting, self.judgments = ProjectExporter(self, self), JudgmentsImporter(self, self)
        self.judgments.taken.connect(self._took)
        self.adding = FileImporter(self, self)
        self.adding.added.connect(self._record_added_runs)
        self._lay_out()
        self.next_buttons = {
            action: self.buttons[action] for action in ("build-pool", "add-runs", "judge")
        }
        self.actions_by_id = create_actions(self, self._deeds())
        self.run_table.selectionModel().currentChanged.connect(
            lambda _now, _before: self._chose_run()
        )
        self._topic_table.opened.connect(self._open_topic)
        self._enable()

    def _deeds(self) -> dict[str, ActionHandler]:
        return {
            "undo-change": ActionHandler(self.undo_change, lambda: self.can_undo),
            "redo-change": ActionHandler(self.redo_change, lambda: self.can_redo),
            "build-pool": ActionHandler(self.build_pool, lambda: self.can_pool),
            "add-runs": ActionHandler(self.adding.asks("runs"), lambda: self.can_change),
            "make-run": ActionHandler(self.ask_how, lambda: self.can_search),
            "remove-run": ActionHandler(self.remove_run, lambda: self.can_remove),
            "add-qrels": ActionHandler(self.adding.asks("qrels"), lambda: self.can_change),
            "add-topics": ActionHandler(self.adding.asks("topics"), lambda: self.can_change),
            "add-documents": ActionHandler(self.adding.asks("documents"), lambda: self.can_change),
            "add-sides": ActionHandler(self.adding.asks("sides"), lambda: self.can_change),
            "fields": ActionHandler(self.ask_fields, lambda: self.can_choose_fields),
            "prices": ActionHandler(self.ask_prices, lambda: self.can_change),
            "export": ActionHandler(self.exporting.ask, lambda: self.exporting.can_export),
            "import-judgments": ActionHandler(
                self.judgments.ask, lambda: self.judgments.can_import
            ),
        }

    def _open_topic(self, line: int) -> None:
        self.judge_topic.emit(str(self._topic_table.model().index(line, 0).data()))

    def _lay_out(self) -> None:
        pool = card(
            make_label(self.tr("Pool"), "heading"),
            self._pool_words,
            self.pool_wishes,
            self.preview,
            row(*self._button("build-pool"), *self._button("judge", window=True), None),
        )
        self._runs_card = card(
            make_label(self.tr("Runs"), "heading"),
            FilterLine(self.run_table),
            self.run_table,
            self.said_by_run,
            Flow(
                [*self._button("add-runs"), *self._button("make-run"), *self._button("remove-run")]
            ),
        )
        qrels = card(
            make_label(self.tr("Qrels"), "heading"),
            self._qrels_words,
            self._sides_words,
            Flow(
                [
                    *self._button("add-qrels"),
                    *self._button("add-sides"),
                    *self._button("export-qrels", window=True),
                ]
            ),
        )
        self._report_card = card(make_label(self.tr("Last import"), "heading"), self._report)
        self._side = QWidget()
        self._side_cards = column(
            pool, self._runs_card, qrels, self._report_card, None, spacing=SPACE_L
        )
        self._side.setLayout(self._side_cards)
        self._topics_card = self._laid_topics()
        self._body = QBoxLayout(QBoxLayout.Direction.LeftToRight)
        self._body.setSpacing(SPACE_L)
        self._body.addWidget(self._topics_card, 1)
        self._body.addWidget(self._side)
        inside = QWidget()
        head = SideBySide(
            row(self._title),
            row(
                *self._button("prices"),
                *self._button("import-judgments"),
                *self._button("export"),
                None,
            ),
            HEAD,
        )
        counts = SideBySide(row(self._path), row(self._counts), HEAD)
        inside.setLayout(column(head, counts, self._body, spacing=SPACE_M))
        box = QVBoxLayout(self)
        box.setContentsMargins(0, 0, 0, 0)
        box.addWidget(PageScrollArea(inside))

    def _laid_topics(self) -> QWidget:
        self._needs.hide()
        return card(
            make_label(self.tr("Topics"), "heading"),
            FilterLine(self._topic_table),
            self._topic_table,
            self._needs,
            Flow(
                [
                    *self._button("add-topics"),
                    *self._button("add-documents"),
                    *self._button("fields"),
                ]
            ),
        )

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        narrow = event.size().width() < scale_length(NARROW)
        self._topics_card.setMinimumHeight(scale_length(TOPICS_HEIGHT))
        self._body.setDirection(
            QBoxLayout.Direction.TopToBottom if narrow else QBoxLayout.Direction.LeftToRight
        )
        self._side.setMinimumWidth(0 if narrow else scale_length(SIDE_WIDTH))
        self._side.setMaximumWidth(16_777_215 if narrow else scale_length(SIDE_WIDTH))

    def _button(self, action: str, *, window: bool = False) -> list[QWidget]:
        declared = BY_ID[action]
        made = make_button(declared.label)
        bind_key_cap(action, made.setToolTip, made)
        call: Callable[[], None] = (
            (lambda: self.wants.emit(action)) if window else (lambda: self._act(action))
        )
        made.clicked.connect(lambda _checked=False: call())
        self.buttons[action] = made
        return [made]

    def _enable(self) -> None:
        """Offer only what can be done."""
        for action in self.buttons:
            if action in self.actions_by_id:
                self._enable_one(action)
        self.buttons["export-qrels"].setEnabled(bool(self._held.offered))
        self.buttons["judge"].setEnabled(
            self.project is not None and self.project.rankings.pool_version() > 0
        )

    def _enable_one(self, action: str) -> None:
        self.buttons[action].setEnabled(self.actions_by_id[action].possible)

    def _act(self, action: str) -> None:
        self.actions_by_id[action].trigger()

    # Called by the window

    def show_project(self, project: Project | None) -> None:
        """Switch to another project; reports of earlier imports are cleared."""
        if project is not self.project:
            self.preview.stop()
            self.changes.clear()
            self.pool_wishes.forget()
            self._show_held(None, NOTHING)
        super().show_project(project)
        self.tell(None)

    def tell(self, report: ImportReport | None) -> None:
        """Show what an import did; without one, what the last import into the project did."""
        if report is None and self.project:
            report = next(reversed(read_import_reports(self.project)), None)
        lines = (
            [
                *map(translate_message, report.done),
                *("⚠ " + translate_message(remark) for remark in report.remarks),
            ]
            if report
            else []
        )
        self._report.setText("\n".join(lines))
        self._report_card.setVisible(report is not None)

    def focus(self) -> None:
        self._topic_table.setFocus()

    def refresh(self) -> None:
        """Show what the project holds now; what rests on judgments is counted in the background."""
        project = self.project
        if project is None:
            return
        self._title.setText(project.title)
        self.buttons["prices"].setVisible(read_prices(project) != Prices())  # once used
        self._path.setText(make_breakable(project.path))
        self.runs.fill(project.rankings.runs())
        self._place_runs(0 if not project.rankings.runs() else 1)
        self.preview.ask()
        self._enable()
        self.said_by_run.show_of(self._chosen_run(), project.rankings.runs())

        def count(_progress: Progress) -> ProjectCounts:
            with project.second_connection() as other:
                return ProjectCounts(
                    topic_rows(other),
                    list_qrels_choices(other),
                    describe_auxiliary_tables(other),
                    other.collection.document_count(),
                )

        self._counting.run(count, lambda held: self._show_held(project, held), self.failed.emit)

    def _place_runs(self, place: int) -> None:
        """Place the runs above the pool while there are none."""
        if self._side_cards.indexOf(self._runs_card) != place:
            self._side_cards.removeWidget(self._runs_card)
            self._side_cards.insertWidget(place, self._runs_card)

    def _show_held(self, project: Project | None, held: ProjectCounts) -> None:
        self._held = held
        self.topics.fill(held.topics)
        self._qrels_words.setText(self._qrels_in_words())
        self._sides_words.setText(
            filled(self.tr("Side files: {sides}"), sides=translate_message(held.sides))
        )
        self._sides_words.setVisible(bool(held.sides))
        if project is None:
            return
        documents, runs = held.documents, len(project.rankings.runs())
        words = self.tr("Documents: {documents} · topics: {topics} · runs: {runs}")
        self._counts.setText(
            filled(
                words, documents=f"{documents:,}", topics=f"{len(held.topics):,}", runs=f"{runs:,}"
            )
        )
        self._needs.setText(
            "⚠ "
            + self.tr(
                "There are no documents: nothing can be read and judged until some are added."
            )
        )
        self._needs.setVisible(not documents)
        judged, outside = (
            sum(each.judged for each in held.topics),
            sum(each.outside for each in held.topics),
        )
        rests = describe_qrels_source(held.offered[0].words) if held.offered else ""
        self._pool_words.setText(
            join_sentences(describe_pool(project.rankings.pool(), judged, outside), rests)
        )
        self.pool_wishes.offer(adaptive=bool(held.offered))
        self._enable()

    def _qrels_in_words(self) -> str:
        if not self._held.offered:
            return self.tr("None yet. Judge documents, or import a file.")
        words = self.tr("{name} (pairs: {rows})")
        return "\n".join(
            filled(words, name=translate_message(each.name), rows=f"{each.rows:,}")
            for each in self._held.offered
        )

    # Actions

    @property
    def can_change(self) -> bool:
        """Whether the project is open for writing."""
        return self.project is not None and self.project.writing

    @property
    def can_choose_fields(self) -> bool:
        """Whether documents have fields that can be shown."""
        return (
            self.can_change
            and self.project is not None
            and bool(self.project.collection.field_names())
        )

    @property
    def can_pool(self) -> bool:
        """Whether there are runs to pool."""
        return (
            self.project is not None and self.project.writing and bool(self.project.rankings.runs())
        )

    @property
    def can_search(self) -> bool:
        """Whether there are documents, and topics to search for."""
        return self.can_change and bool(self._held.topics) and bool(self._held.documents)

    @property
    def can_remove(self) -> bool:
        """Whether a run is chosen."""
        return self.can_change and self._chosen_run() is not None

    @property
    def can_undo(self) -> bool:
        """Whether a change can be undone."""
        return self.changes.canUndo()

    @property
    def can_redo(self) -> bool:
        """Whether a change can be redone."""
        return self.changes.canRedo()

    def undo_change(self) -> None:
        self._change(self.changes.take_back)

    def redo_change(self) -> None:
        self._change(self.changes.bring_back)

    def build_pool(self) -> None:
        """Pool the runs as the card says; ask first where the pool in use is assigned."""
        if self.project is None:
            return
        try:
            plan = self._plan(self.project)
        except IrjudgeError as fault:
            self.said.emit("✕ " + translate_message(str(fault)))
            self.pool_wishes.topics.setFocus()
            return
        if self.project.handed_out:
            words = self.tr(
                "Assessors work on the pool of now. A new one changes what is evaluated; what it adds can be handed out afterwards."
            )
            choices = [
                (self.tr("Leave it"), None),
                (self.tr("Build pool"), lambda: self._build_pool(plan)),
            ]
            ask(self, self.tr("Build another pool?"), words, choices)
        else:
            self._build_pool(plan)

    def _plan(self, project: Project) -> PoolOptions:
        return self.pool_wishes.plan([topic.id for topic in project.collection.topics()])

    def _build_pool(self, plan: PoolOptions) -> None:
        """Pool the runs in the background."""
        project = self.project
        if project is None:
            return

        def build(progress: Progress) -> tuple[Pool, int]:
            with project.second_connection() as other:
                pool = _pool_of(other, plan, progress)
                return pool, other.rankings.add_pool(pool)

        self.work.emit(self.tr("Building the pool"), build, self._use_pool)

    def _reckon(self) -> Reckon | None:
        """Return the work that says what judging the pool would take which the card asks for."""
        project = self.project
        if project is None or not project.rankings.runs():
            return None
        plan = self._plan(project)

        def reckon(progress: Progress) -> CostEstimate:
            with project.second_connection() as other:
                return estimate_pool(
                    _pool_of(other, plan, progress), measure_pace(other), read_prices(other)
                )

        return reckon

    def ask_fields(self) -> None:
        """Ask which fields of documents are shown."""
        if self.project:
            ShownFieldsDialog(
                self, self.project, float(self._settings.get("zoom")), self._show_fields
            ).open()

    def _show_fields(self, names: tuple[str, ...]) -> None:
        if self.project:
            self._make(ChangeShownFields(self.project, names))

    def ask_prices(self) -> None:
        """Ask what judging costs."""
        if self.project:
            PricesDialog(self, read_prices(self.project), self._keep_prices).open()

    def _keep_prices(self, prices: Prices) -> None:
        project = self.project
        if project:
            self._change(lambda: set_prices(project, prices))

    def _use_pool(self, built: tuple[Pool, int]) -> None:
        if self.project:
            self._make(AddPool(self.project, *built))

    def _record_added_runs(self, report: ImportReport, known: set[str]) -> None:
        if self.project:
            new = [run.name for run in self.project.rankings.runs() if run.name not in known]
            if new:
                self.changes.make(AddRuns(self.project, new))
        self.tell(report)
        self._notify_changed()

    def _took(self, report: ImportReport) -> None:
        """Show what an import of judgments did, at the foot too: its card may be out of sight."""
        self.tell(report)
        self._notify_changed()
        self.said.emit(self._report.text())

    def ask_how(self) -> None:
        """Ask how to search the documents for the topics."""
        if self.project:
            MakeRunDialog(self, self.project, self._settings.cache, self.make_run).open()

    def make_run(self, plan: SearchOptions, name: str) -> None:
        """Search in the background, and keep the run."""
        project, cache = self.project, self._settings.cache
        if project is None:
            return

        def make(progress: Progress) -> str:
            with project.second_connection() as other:
                other.rankings.add_run(build_run(other, cache, plan, name, progress), "search")
            return name

        self.work.emit(self.tr("Making the run"), make, self._use_run)

    def _use_run(self, name: str) -> None:
        if self.project:
            self._make(AddRuns(self.project, [name]))

    def remove_run(self) -> None:
        """Take the chosen run out."""
        name = self._chosen_run()
        if self.project and name:
            self._make(RemoveRun(self.project, name))

    def _make(self, change: Change) -> None:
        self._change(lambda: self.changes.make(change))

    def _change(self, act: Callable[[], None]) -> None:
        self.said.emit("")
        try:
            act()
        except IrjudgeError as fault:
            self.said.emit("✕ " + translate_message(str(fault)))
        self._notify_changed()

    def _chose_run(self) -> None:
        self._enable_one("remove-run")
        self.said_by_run.show_of(
            self._chosen_run(), self.project.rankings.runs() if self.project else ()
        )

    def _chosen_run(self) -> str | None:
        index = self.run_table.currentIndex()
        return str(index.siblingAtColumn(0).data()) if index.isValid() else None

    def _notify_changed(self) -> None:
        self.refresh()
        self.changed.emit()


def _pool_of(project: Project, plan: PoolOptions, progress: Progress) -> Pool:
    """Pool the runs of a project; adaptive strategies are answered by what is judged."""
    runs = [project.rankings.run(run.name) for run in project.rankings.runs()]
    strategy, _ = plan.resolve()
    judge = make_qrels_judge(read_project_qrels(project)) if strategy.declaration.adaptive else None
    return build_pool(runs, plan, judge=judge, progress=progress)


def topic_rows(project: Project) -> list[CollectionTopic]:
    """Return pooled, judged, relevant and additionally judged documents of each topic; topics
    without text last.

    Without a pool all that is judged counts.
    """
    pool = project.rankings.pool()
    pooled = dict(zip(pool.topics, np.diff(pool.starts).tolist(), strict=True)) if pool else {}
    judged: dict[str, dict[str, int]] = {}
    for topic, document, grade in list_qrels_rows(project) if list_qrels_choices(project) else ():
        if grade != UNJUDGED:
            judged.setdefault(topic, {})[document] = max(
                grade, judged.get(topic, {}).get(document, grade)
            )
    titles = project.collection.topic_titles()
    rows = []
    for name in dict.fromkeys([*titles, *pooled, *judged]):
        grades = judged.get(name, {})
        inside = (
            [grades[document] for document in _pooled_documents(pool, name) if document in grades]
            if pool and grades
            else [*grades.values()]
        )
        relevant = sum(grade > 0 for grade in grades.values())
        rows.append(
            CollectionTopic(
                name,
                titles.get(name, ""),
                pooled.get(name, 0),
                len(inside),
                relevant,
                len(grades) - len(inside),
            )
        )
    return rows


def _pooled_documents(pool: Pool, topic: str) -> list[str]:
    """Return the documents of a topic of a pool; none where it has none of it."""
    if topic not in pool.topics:
        return []
    place = pool.topics.index(topic)
    documents: list[str] = pool.document[
        int(pool.starts[place]) : int(pool.starts[place + 1])
    ].to_pylist()
    return documents


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
            lambda topic: (topic.judged, topic.outside),
            lambda counts: f"{counts[0]:,}" + (f" + {counts[1]:,}" if counts[1] else ""),
            number=True,
            help=translate(
                "CollectionView",
                "Documents of the pool that are judged, + those beside it; without a pool all that are",
            ),
        ),
        Column(
            translate("CollectionView", "Relevant"),
            lambda topic: topic.relevant,
            lambda count: f"{count:,}",
            number=True,
            help=translate(
                "CollectionView", "Documents with grade 1 or more, in the pool and beside it"
            ),
        ),
    ]


def _run_columns() -> list[Column]:
    return [
        Column(translate("CollectionView", "Run"), lambda run: run.name),
        Column(
            translate("CollectionView", "Retrieved"),
            lambda run: run.rows,
            lambda count: f"{count:,}",
            number=True,
        ),
    ]
