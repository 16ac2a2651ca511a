"""Runs page: the runs of a project, and the ranking of the selected run for a topic."""

from collections.abc import Sequence
from dataclasses import dataclass

from PySide6.QtCore import QPoint
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QPlainTextEdit, QWidget

from irjudge.judging import (
    GradedResult,
    list_graded_results,
)
from irjudge.progress import Progress
from irjudge.search import SearchOptions, search_collection
from irjudge.store import ImportReport, Project, StoredRanking, project_postings
from irjudge_ui.actions import BY_ID, ActionHandler, create_actions
from irjudge_ui.messages import filled, translate
from irjudge_ui.models import Column, TableModel
from irjudge_ui.pages.project.editing import EditingView
from irjudge_ui.pages.project.make_run import MakeRunDialog
from irjudge_ui.pages.shared import format_grade, open_document
from irjudge_ui.project_changes import AddRuns, RemoveRun
from irjudge_ui.settings import Settings
from irjudge_ui.widgets import (
    SPACE_M,
    SPACE_S,
    ChoiceBox,
    FilterLine,
    Flow,
    PageScrollArea,
    SideBySide,
    Table,
    card,
    column,
    fill_choices,
    make_container,
    make_label,
    row,
    with_label,
)

NARROW_WIDTH = (
    820  # width in pixels at normal zoom; on a narrower page the ranking is below the runs
)
MAX_RUNS, MAX_RANKS = 12, 1000  # maximum numbers of runs and ranks shown
MIN_ROWS, MAX_ROWS = 8, 24  # minimum and maximum number of rows of the ranking shown at once
MAX_LINES = 12  # maximum number of lines of a run's metadata shown at once
TOPIC_WIDTH = 24  # minimum width of a topic, in characters


@dataclass(frozen=True, slots=True)
class RunRequest:
    """Request to select a run when the runs page is shown, such as from the command palette."""

    run: str


class RunDescriptionCard(QWidget):
    """Card of the runs page with the metadata (ir_metadata) of the selected run, as text.

    The card is hidden if no run has metadata, or if the selected run has none. If no run is
    selected, the card asks the user to select one.
    """

    def __init__(self) -> None:
        super().__init__()
        self._description_label = make_label("", "quiet")
        self.text = QPlainTextEdit(
            readOnly=True, lineWrapMode=QPlainTextEdit.LineWrapMode.NoWrap, tabChangesFocus=True
        )
        self.setLayout(column(self._description_label, self.text, spacing=SPACE_S))
        self.hide()

    def show_run(self, run_name: str | None, runs: Sequence[StoredRanking]) -> None:
        metadata = next((run.metadata for run in runs if run.name == run_name), "")
        text = (
            filled(self.tr("Metadata of {run} (ir_metadata):"), run=run_name or "")
            if metadata
            else ""
        )
        hint = "" if run_name else self.tr("Select a run to read its metadata (ir_metadata).")
        self._description_label.setText(text or hint)
        self.text.setAccessibleName(text)
        self.text.setPlainText(metadata)
        self.text.setFixedHeight(
            round(
                self.fontMetrics().lineSpacing() * (2.5 + min(MAX_LINES, metadata.count("\n") + 1))
            )
        )
        self.text.setVisible(bool(metadata))
        self.setVisible(bool(text or hint) and any(run.metadata for run in runs))


class RunsView(EditingView):
    """Runs page: add, create and remove runs; show the selected run's ranking for a topic.

    Runs are added from files, or created by searching the documents. Adding, creating and removing
    runs can be undone.
    """

    def __init__(self, settings: Settings) -> None:
        super().__init__(settings)
        self._job = self.latest()
        self._requested_run: str | None = None  # run requested by another page
        self._ranked: tuple[str, str] | None = None  # run and topic of the listed documents
        self.runs, self.ranks = (
            TableModel(
                [
                    Column(translate("CollectionView", "Run"), lambda run: run.name),
                    Column(
                        translate("CollectionView", "Retrieved"),
                        lambda run: run.rows,
                        lambda count: f"{count:,}",
                        number=True,
                    ),
                ]
            ),
            TableModel(_rank_columns()),
        )
        self.run_table = Table(self.runs, self.tr("Runs"), rows=MAX_RUNS)
        self.rank_table = Table(self.ranks, self.tr("Ranking"), stretch=2, rows=MIN_ROWS)
        self.topic, self.description_label = (
            ChoiceBox(
                TOPIC_WIDTH, name=self.tr("Topic"), activated=lambda _index: self.read_ranking()
            ),
            make_label("", "quiet"),
        )
        self.description_card = RunDescriptionCard()
        self._heading = make_label(self.tr("Ranking"), "heading")
        self._lay_out()
        self.next_buttons = {action: self.buttons[action] for action in ("add-runs", "make-run")}
        self.actions_by_id = create_actions(
            self,
            {
                "add-runs": ActionHandler(self.adding.asks("runs"), lambda: self.can_write),
                "make-run": ActionHandler(self.ask_how, self._can_search),
                "remove-run": ActionHandler(
                    self.remove_run, lambda: self.can_write and self._chosen_run() is not None
                ),
                **self._history_handlers("undo-runs", "redo-runs"),
            },
        )
        self.run_table.selectionModel().currentRowChanged.connect(
            lambda _current, _previous: self._show_run()
        )
        self.rank_table.opened.connect(self._open)
        self._enable()

    def _lay_out(self) -> None:
        self._no_runs_note = make_label(
            self.tr(
                "No runs yet. Add the results of search systems, or search the documents here."
            ),
            "quiet",
        )
        self._run_filter = FilterLine(self.run_table)
        runs_card = card(
            self._no_runs_note,
            self._run_filter,
            self.run_table,
            self.description_card,
            Flow([self._add_button(action) for action in ("add-runs", "make-run", "remove-run")]),
        )
        self._ranking = card(
            self._heading,
            row(with_label(self.topic.accessibleName(), self.topic), None),
            self.description_label,
            FilterLine(self.rank_table),
            self.rank_table,
        )
        self._content = make_container(
            column(
                make_label(BY_ID["runs"].label, "title"),
                SideBySide(
                    column(runs_card, None), column(self._ranking, None), NARROW_WIDTH, (2, 3)
                ),
                None,
                spacing=SPACE_M,
            )
        )
        self._page = PageScrollArea(self._content)
        self.setLayout(column(self._page))

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._fit_ranking()

    def _fit_ranking(self) -> None:
        """Make the table of ranks as high as the page allows, so that the page need not scroll."""
        table, viewport = self.rank_table, self._page.viewport()
        ranking_layout = self._ranking.layout()
        bottom_margin = ranking_layout.contentsMargins().bottom() if ranking_layout else 0
        free_height = (
            viewport.height()
            - table.mapTo(self._content, QPoint()).y()
            - (bottom_margin + SPACE_M)
            - table.horizontalHeader().sizeHint().height()
        )
        row_height = table.verticalHeader().defaultSectionSize()
        table.show_rows(min(MAX_ROWS, max(MIN_ROWS, free_height // row_height)))

    def focus(self) -> None:
        (self.run_table if self.runs.rows else self.buttons["add-runs"]).setFocus()

    # Display

    def set_request(self, request: object) -> None:
        if isinstance(request, RunRequest):
            self._requested_run = request.run

    def refresh(self) -> None:
        if (project := self.project) is None:
            return
        requested_run, self._requested_run = self._requested_run, None
        runs, selected_run = project.rankings.runs(), requested_run or self._chosen_run()
        topics = project.collection.topic_titles()
        fill_choices(self.topic, [(f"{id}  {title}".strip(), id) for id, title in topics.items()])
        self.runs.fill(runs)
        for widget in (self.run_table, self._ranking):
            widget.setVisible(bool(runs))
        self._no_runs_note.setVisible(not runs)
        if runs:
            names = [run.name for run in runs]
            index = names.index(selected_run) if selected_run in names else 0
            if requested_run and not self.runs.line_of(index).isValid():
                self._run_filter.line.clear()  # the filter hides the requested run
            self.run_table.selectRow(max(0, self.runs.line_of(index).row()))
        self._show_run()

    def _show_run(self) -> None:
        selected_run = self._chosen_run()
        runs = self.project.rankings.runs() if self.project else ()
        self.description_card.show_run(selected_run, runs)
        self._heading.setText(selected_run or self.tr("Ranking"))
        self._enable()
        self.read_ranking()

    def read_ranking(self) -> None:
        run, topic = self._chosen_run(), self.topic.currentData()
        if self._ranked != (run, topic):  # the job may be cancelled or fail
            self._ranked = None
            self.ranks.fill(())
            self.description_label.setText("")
        if run is None or topic is None:
            self._job.stop()
            return

        def show(ranking: tuple[list[GradedResult], int]) -> None:
            self._ranked, (rows, retrieved_count) = (run, topic), ranking
            self.ranks.fill(rows)
            self._fit_ranking()
            if not rows:
                text = self.tr("This run has no documents for this topic.")
            elif len(rows) < retrieved_count:
                text = filled(
                    self.tr("Showing the first {count} of {total} documents."),
                    count=f"{len(rows):,}",
                    total=f"{retrieved_count:,}",
                )
            else:
                text = filled(self.tr("Documents retrieved: {count}."), count=f"{len(rows):,}")
            self.description_label.setText(text)

        self.run_on_project(
            self._job,
            lambda project, _progress: list_graded_results(project, run, str(topic), MAX_RANKS),
            show,
            self.failed.emit,
        )

    def _open(self, table_row: int) -> None:
        rank, id = (self.rank_table.model().index(table_row, column).data() for column in (0, 1))
        if self.project:
            caption = filled(
                self.tr("Rank {rank} in {run}."), rank=rank, run=self._chosen_run() or ""
            )
            self.message_shown.emit(open_document(self, self.project, str(id), caption, self.zoom))

    def _chosen_run(self) -> str | None:
        index = self.run_table.currentIndex()
        return str(index.siblingAtColumn(0).data()) if index.isValid() else None

    # Actions

    def _can_search(self) -> bool:
        return (
            self.can_write
            and self.project is not None
            and self.topic.count() > 0
            and self.project.collection.document_count() > 0
        )

    def point_to(self, action: str) -> None:
        super().point_to(action)
        if action == "make-run":
            self.actions_by_id[action].trigger()

    def ask_how(self) -> None:
        if self.project:
            MakeRunDialog(self, self.project, self._settings.cache, self.make_run).open()

    def make_run(self, plan: SearchOptions, name: str) -> None:
        cache = self._settings.cache

        def make(project: Project, progress: Progress) -> str:
            run = search_collection(
                project_postings(project, cache, progress),
                project.collection.topics(),
                plan,
                name,
                progress,
            )
            project.rankings.add_run(run, "search")
            return name

        self.request_job(self.tr("Creating the run"), make, self._use_run)

    def _use_run(self, name: str) -> None:
        if self.project:
            self._requested_run = name
            self._make_change(AddRuns(self.project, [name]))

    def _record_added_runs(self, report: ImportReport, old_runs: set[str]) -> None:
        if self.project:
            self._requested_run = next(
                (run.name for run in self.project.rankings.runs() if run.name not in old_runs), None
            )
        super()._record_added_runs(report, old_runs)

    def remove_run(self) -> None:
        name = self._chosen_run()
        if self.project and name:
            self._make_change(RemoveRun(self.project, name))


def _rank_columns() -> list[Column]:
    return [
        Column(
            translate("BrowseView", "Rank"),
            lambda row: row.rank,
            lambda rank: f"{rank:,}",
            number=True,
        ),
        Column(translate("BrowseView", "Document"), lambda row: row.id),
        Column(translate("BrowseView", "Title"), lambda row: row.title),
        Column(
            translate("BrowseView", "Score"),
            lambda row: row.score,
            lambda score: f"{score:.4f}",
            number=True,
        ),
        Column(
            translate("BrowseView", "Grade"),
            lambda row: row.grade,
            format_grade,
            number=True,
        ),
    ]
