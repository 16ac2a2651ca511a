"""Assessors page: assignment files, import of results, progress and forecast."""

from collections.abc import Mapping
from dataclasses import replace
from datetime import date
from pathlib import Path
from typing import cast

from PySide6.QtGui import QAction, QResizeEvent
from PySide6.QtWidgets import QBoxLayout, QPushButton, QWidget

from irjudge.errors import IrjudgeError
from irjudge.exchange import (
    EVENT_OUTCOMES,
    AssignmentFile,
    AssignmentReport,
    AssignmentRequest,
    Booklet,
    Forecast,
    MergeReport,
    ProgressChange,
    WorkStatus,
    assign,
    describe_backup,
    describe_textless,
    forecast_work,
    list_assignment_files,
    list_progress_rows,
    merge_files,
    preview_assignment,
    read_work_status,
)
from irjudge.judging import list_pooled_without_text, list_unassigned, make_display_names
from irjudge.progress import Progress
from irjudge.store import Project
from irjudge.web import HTML, choose_file_format, rewrite_page
from irjudge_ui.actions import BY_ID, ActionHandler, bind_key_cap, create_actions
from irjudge_ui.file_dialogs import ask_files, ask_folder, ask_save_path
from irjudge_ui.jobs import on_project
from irjudge_ui.messages import filled, translate, translate_message, with_title
from irjudge_ui.models import MISSING, Column, TableModel
from irjudge_ui.pages.assessors.assign_form import AssignForm
from irjudge_ui.pages.assessors.paper import BookletDialog, PaperEntryDialog
from irjudge_ui.pages.project import CostFunction, EstimatePreview
from irjudge_ui.pages.shared import View, print_booklet
from irjudge_ui.settings import Settings
from irjudge_ui.widgets import (
    MAX_WIDGET_SIZE,
    SPACE_L,
    SPACE_M,
    FilterLine,
    Flow,
    NumberField,
    PageScrollArea,
    Table,
    card,
    column,
    join_horizontally,
    make_container,
    make_label,
    row,
    scale_length,
    show_text,
)
from irjudge_ui.workspace import format_seconds

MAX_COPIES = 999


class ForecastCard(QWidget):
    """Card of the Assessors page with a forecast of the remaining work, and what-if fields.

    The forecast is the number of judgments left and, if they can be estimated, the hours of work
    and the date of completion. The fields are the number of additional assessors, the overlap and
    the pool depth; they are hidden if nothing is left to judge. Editing them does not change the
    project.
    """

    def __init__(self) -> None:
        super().__init__()
        self._status: WorkStatus | None = None
        self.forecast_label, self.variant_label = make_label(), make_label("", "quiet")
        self.more = NumberField(0, MAX_COPIES, 0, self.tr("Additional assessors"))
        self.overlap = NumberField(
            0, MAX_COPIES, 0, self.tr("Maximum judgments per document; 0 means the planned number")
        )
        self.ranks = NumberField(
            0, MAX_COPIES, 0, self.tr("Only documents down to this rank; 0 for all")
        )
        fields = (
            (self.tr("additional assessors"), self.more),
            (self.tr("judgments per document"), self.overlap),
            (self.tr("ranks per run"), self.ranks),
        )
        self.what_if = make_container(
            column(
                make_label(self.tr("What-if forecast (0 means no change)"), "small"),
                Flow(
                    join_horizontally(field, make_label(label, "quiet", wrap=False))
                    for label, field in fields
                ),
                self.variant_label,
            )
        )
        self.setLayout(column(self.forecast_label, self.what_if))
        for _, field in fields:
            field.changed.connect(lambda _value: self._show())

    def show_work(self, work: WorkStatus) -> None:
        self._status = work
        self._show()

    def variant(self) -> ProgressChange:
        return ProgressChange(
            self.more.value(), self.overlap.value() or None, self.ranks.value() or None
        )

    def _show(self) -> None:
        if self._status is not None:
            today, variant = _today(), self.variant()
            forecast = forecast_work(self._status, today)
            self.forecast_label.setText(self._describe(forecast))
            self.what_if.setVisible(forecast.left > 0)
            has_changes = variant != ProgressChange()
            show_text(
                self.variant_label,
                self._describe_variant(self._status, today, variant) if has_changes else "",
            )

    def _describe_variant(self, work: WorkStatus, today: date, variant: ProgressChange) -> str:
        try:
            return filled(
                self.tr("With these changes: {in_words}"),
                in_words=self._describe(forecast_work(work, today, variant)),
            )
        except IrjudgeError as error:
            return translate_message(str(error))

    def _describe(self, forecast: Forecast) -> str:
        if not forecast.left:
            return self.tr("Nothing is left to judge.")
        remaining = filled(self.tr("Judgments left: {left}."), left=f"{forecast.left:,}")
        if forecast.hours is None or forecast.low is None or forecast.high is None:
            return (
                remaining
                + " "
                + self.tr("The hours of work can be estimated only after judging has begun.")
            )
        finish_text = ""
        if forecast.finish and forecast.earliest and forecast.latest:
            finish_text = filled(
                self.tr(
                    "At the current pace, judging will be finished on {finish} ({earliest} "
                    "to {latest})."
                ),
                finish=forecast.finish,
                earliest=forecast.earliest,
                latest=forecast.latest,
            )
        is_short = forecast.high < 1
        factor = 60 if is_short else 1
        work_text = filled(
            self.tr("Minutes of work: {minutes} (95 % interval: {low} to {high}).")
            if is_short
            else self.tr("Hours of work: {hours} (95 % interval: {low} to {high})."),
            minutes=f"{factor * forecast.hours:.1f}",
            hours=f"{forecast.hours:.1f}",
            low=f"{factor * forecast.low:.1f}",
            high=f"{factor * forecast.high:.1f}",
        )
        return " ".join(filter(None, (remaining, work_text, finish_text)))


SIDE_WIDTH, NARROW_WIDTH = 380, 860
MAX_FILES, MAX_ROWS, MAX_BALANCE_ROWS = 10, 12, 8  # maximum numbers of rows shown at once
DEADLINE_COLUMN, SUBMITTED_COLUMN = 4, 5  # indices of columns that are hidden if empty
ROW_ACTIONS = ("give-away", "browser-page")  # actions on the file of one assessor


class AssessorsView(View):
    """Assessors page: assignment files, merging of returned files, progress, forecast.

    The page creates the files. It can also assign an assessor's remaining work to others, write an
    assignment as a browser page, and print booklets. Marks that were made on paper are typed into a
    dialog.
    """

    def __init__(self, settings: Settings) -> None:
        super().__init__(settings)
        self._job = self.latest()
        # names of assessors and titles of topics, as displayed
        self._display_names = dict[str, str]()
        self._titles = dict[str, str]()
        # number of pairs that can be assigned; None before they are counted, and without a pool
        self._unassigned: int | None = None
        self.files = TableModel(_file_columns(self._display_names))
        self.progress = TableModel(_progress_columns(self._display_names, self._titles))
        self.reports = TableModel(_balance_columns())
        self._file_table = Table(self.files, self.tr("Files"), rows=MAX_FILES)
        self._file_table.hide_empty_columns(DEADLINE_COLUMN, SUBMITTED_COLUMN)
        self._progress_table = Table(self.progress, self.tr("Progress"), stretch=1, rows=MAX_ROWS)
        self._report_table = Table(self.reports, self.tr("Last import"), rows=MAX_BALANCE_ROWS)
        self.form = AssignForm()
        self.forecast = ForecastCard()
        self.preview = EstimatePreview(self._forecast_function)
        self.form.changed.connect(self.preview.ask)
        self.form.changed.connect(self._update_enabled)
        self.preview.failed.connect(self.failed)
        self._message = make_label("", "small", name=self.tr("Messages"))
        self.empty = make_label("", "quiet")
        self._textless_note = make_label("", "warning", hidden=True)
        self.buttons = {
            action: self.action_button(action, style)
            for action, style in (
                ("merge", ""),
                ("booklet", "link"),
                ("enter-paper", "link"),
                ("assign", ""),
            )
        }
        self._lay_out()
        self.next_buttons = {action: self.buttons[action] for action in ("assign", "merge")}
        self.setAcceptDrops(True)
        self.actions_by_id = create_actions(
            self,
            {
                "assign": ActionHandler(self.assign, lambda: self.can_assign),
                "merge": ActionHandler(self.ask_files, lambda: self.can_merge),
                "browser-page": ActionHandler(self.ask_page, lambda: self.can_write_page),
                "booklet": ActionHandler(self.ask_booklet, lambda: self.has_pool),
                "enter-paper": ActionHandler(self.enter_paper, lambda: self.has_pool),
                "give-away": ActionHandler(self.give_away, lambda: self.can_give),
            },
        )
        self._file_table.selectionModel().currentChanged.connect(
            lambda _current, _previous: self._update_enabled()
        )

    def _lay_out(self) -> None:
        self.row_actions = {action: self._make_row_action(action) for action in ROW_ACTIONS}
        self._file_table.set_row_actions(*self.row_actions.values())
        self._file_card = card(
            make_label(self.tr("Files"), "heading"),
            self.empty,
            FilterLine(self._file_table),
            self._file_table,
            Flow((self.buttons["booklet"], self.buttons["enter-paper"])),
        )
        self._progress_card = card(
            make_label(self.tr("Progress"), "heading"),
            FilterLine(self._progress_table),
            self._progress_table,
        )
        self._balance_card = card(
            make_label(self.tr("Last import"), "heading"),
            FilterLine(self._report_table),
            self._report_table,
            self._message,
        )
        assignment_part = card(
            make_label(self.tr("Assign the pool"), "heading"),
            make_label(
                self.tr(
                    "Each assessor gets a file and returns it by e-mail or USB; import it here."
                ),
                "quiet",
            ),
            self.form,
            row(self.buttons["assign"], None),
            self._textless_note,
            self.preview,  # below the button, so that the button does not move
        )
        self._forecast_card = card(make_label(self.tr("Forecast"), "heading"), self.forecast)
        self._side = make_container(
            column(assignment_part, self._forecast_card, None, spacing=SPACE_L)
        )
        cards = column(
            self._file_card, self._balance_card, self._progress_card, None, spacing=SPACE_L
        )
        self._body = row(cards, self._side, spacing=SPACE_L, stretched=cards)
        title = make_label(self.tr("Assessors"), "title", wrap=False)
        header = row(title, None, self.buttons["merge"])
        self._area = PageScrollArea(column(header, self._body, None, spacing=SPACE_M))
        self.setLayout(column(self._area))
        self._balance_card.hide()

    def _make_row_action(self, action: str) -> QAction:
        label, action_entry = BY_ID[action].label, QAction(self)
        bind_key_cap(action, lambda keys: action_entry.setText(f"{label}\t{keys}"), action_entry)
        action_entry.triggered.connect(lambda: self.actions_by_id[action].trigger())
        return action_entry

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._arrange(narrow=event.size().width() < scale_length(NARROW_WIDTH))

    def _arrange(self, *, narrow: bool) -> None:
        """Arrange the parts in two columns or, if `narrow` is True, in one column.

        In one column, the form is at the top until there are assignments.
        """
        direction = (
            QBoxLayout.Direction.TopToBottom
            if self.files.rows
            else QBoxLayout.Direction.BottomToTop
        )
        self._body.setDirection(direction if narrow else QBoxLayout.Direction.LeftToRight)
        self._side.setMaximumWidth(MAX_WIDGET_SIZE if narrow else scale_length(SIDE_WIDTH))
        self._side.setMinimumWidth(0 if narrow else scale_length(SIDE_WIDTH))

    def focus(self) -> None:
        (self._file_table if self.files.rows else self.form.people).setFocus()

    def point_to(self, action: str) -> None:
        self.ask_files() if action == "merge" else self.form.people.setFocus()

    # Display

    def show_project(self, project: Project | None) -> None:
        if project is not self.project:
            self.form.forget()
            self.reports.fill(())
            self._balance_card.hide()
            self._unassigned = None
            self._textless_note.hide()
            self.preview.stop()
            # scroll to the top, where the button for the next step may be
            self._area.verticalScrollBar().setValue(0)
        super().show_project(project)

    def refresh(self) -> None:
        if self.project:
            self.preview.ask()
            self.run_on_project(
                self._job,
                lambda project, _progress: (
                    list_assignment_files(project, _today()),
                    read_work_status(project),
                    make_display_names(project),
                    project.collection.topic_titles(),
                    sum(map(len, list_unassigned(project)[0].values()))
                    if project.rankings.pool_version()
                    else None,
                    list_pooled_without_text(project),
                ),
                lambda contents: self._show(*contents),
                self.failed.emit,
            )

    def _show(
        self,
        files: list[AssignmentFile],
        work: WorkStatus,
        names: dict[str, str],
        titles: dict[str, str],
        unassigned: int | None,
        textless: list[str],
    ) -> None:
        self._unassigned = unassigned
        show_text(
            self._textless_note,
            f"⚠ {translate_message(describe_textless(textless))}" if textless else "",
        )
        for cached, new_names in ((self._display_names, names), (self._titles, titles)):
            cached.clear()
            cached.update(new_names)
        self.files.fill(files)
        assigned_rows = [row for row in list_progress_rows(work) if row.assigned]
        self.progress.fill(sorted(assigned_rows, key=lambda row: row.topic is not None))  # totals
        self.forecast.show_work(work)
        self._file_table.setVisible(bool(files))
        self._arrange(narrow=self.width() < scale_length(NARROW_WIDTH))
        show_text(self.empty, "" if files else self._describe_empty())
        self._progress_card.setVisible(bool(self.progress.rows))
        self._forecast_card.setVisible(bool(self.progress.rows))
        self._update_enabled()
        self.preview.ask()

    def _describe_empty(self) -> str:
        if self.project and not self.project.rankings.pool_version():
            return self.tr(
                "Build a pool on the Collection page first. Then enter the assessors; each "
                "gets a file."
            )
        if self._display_names:
            return self.tr(
                "No files are assigned. Participants of a session do not get files; see "
                "Progress below."
            )
        return self.tr("Nothing is assigned yet. Enter the assessors; each gets a file.")

    def _describe_missing(self) -> str:
        if self.form.mode.currentData():
            return self.tr("Comparing needs at least two runs. Add them on the Collection page.")
        if self.has_pool:
            return self.tr("All pooled documents with a text are judged or assigned.")
        return self.tr(
            "There is no pool yet: build one on the Collection page, or choose to compare runs."
        )

    def _update_enabled(self) -> None:
        parts: dict[str, QPushButton | QAction] = {**self.buttons, **self.row_actions}
        for action, widget in parts.items():
            widget.setEnabled(self.actions_by_id[action].possible)

    # Actions

    @property
    def can_assign(self) -> bool:
        if self.project is None or not self.project.writing:
            return False
        rankings = self.project.rankings
        return (
            len(rankings.runs()) > 1
            if self.form.mode.currentData()
            else rankings.pool_version() > 0 and self._unassigned != 0
        )

    @property
    def has_pool(self) -> bool:
        return (
            self.can_write and self.project is not None and self.project.rankings.pool_version() > 0
        )

    @property
    def can_merge(self) -> bool:
        return (
            self.project is not None
            and self.project.writing
            and bool(self.project.assignments.all())
        )

    @property
    def can_give(self) -> bool:
        assignment = self._selected_assignment()
        return (
            self.can_merge
            and assignment is not None
            and assignment.state != "withdrawn"
            and assignment.judged < assignment.assigned
        )

    @property
    def can_write_page(self) -> bool:
        return self.project is not None and self._selected_assignment() is not None

    def _selected_assignment(self) -> AssignmentFile | None:
        return cast(AssignmentFile | None, self.files.at(self._file_table.currentIndex()))

    def assign(self) -> None:
        if (project := self.project) is None:
            return
        try:
            request = self._read_request(project)
        except IrjudgeError as error:
            self.preview.stop()
            self.form.show_field_error(error)
            return
        self._write_assignments(request)

    def _write_assignments(self, request: AssignmentRequest) -> None:
        folder = ask_folder(
            self,
            self.tr("Choose a folder for the task files"),
            self.project.path.parent if self.project else None,
        )
        if folder:
            self.request_job(
                self.tr("Writing task files"),
                lambda project, progress: assign(
                    project,
                    replace(request, output=folder),
                    file_format=choose_file_format(request),
                    progress=progress,
                ),
                lambda report: self._report_assigned(report, folder),
            )

    def _read_request(self, project: Project) -> AssignmentRequest:
        return self.form.read_request(
            [topic.id for topic in project.collection.topics()],
            [run.name for run in project.rankings.runs()],
        )

    def _forecast_function(self) -> CostFunction | None:
        if (project := self.project) is not None and project.writing and not self.can_assign:
            raise IrjudgeError(self._describe_missing())
        if project is None or not self.can_assign or not self.form.people.text().strip():
            return None
        request = self._read_request(project)

        return on_project(
            project,
            lambda job_project, progress: (
                preview_assignment(
                    job_project, request, file_format=choose_file_format(request), progress=progress
                ).estimate
            ),
        )

    def give_away(self) -> None:
        if self.project and (assignment := self._selected_assignment()):
            self._write_assignments(
                AssignmentRequest(
                    instead_of=assignment.assessor,
                    file_form=self.form.files.currentData().name,
                    page_images=self.form.page_images.isChecked(),
                )
            )

    def ask_page(self) -> None:
        if self.project and (assignment := self._selected_assignment()):
            path, _ = ask_save_path(
                self,
                BY_ID["browser-page"].label,
                self.project.path.with_name(assignment.file).with_suffix(HTML.suffix),
                f"HTML (*{HTML.suffix})",
            )
            if path:
                self.write_page(assignment.file, path)

    def write_page(self, file: str, path: Path) -> None:
        pages = self.form.page_images.isChecked()

        def write(project: Project, progress: Progress) -> list[str]:
            assignment = next(
                assignment for assignment in project.assignments.all() if assignment.file == file
            )
            return rewrite_page(path, project, assignment, page_images=pages, progress=progress)

        def on_done(warnings: list[str]) -> None:
            self.message_shown.emit(
                "\n".join(
                    [
                        filled(
                            self.tr(
                                "Created page {path}. The assessor returns the file {result}; "
                                "import that file here."
                            ),
                            path=path.name,
                            result=f"{path.stem}.result.json",
                        ),
                        *map(translate_message, warnings),
                    ]
                )
            )
            self.wrote.emit(path)

        self.request_job(self.tr("Writing the page"), write, on_done)

    def ask_booklet(self) -> None:
        if self.project:
            assignment = self._selected_assignment()
            dialog = BookletDialog(
                self, assignment.assessor if assignment else self.project.belongs_to or ""
            )
            dialog.named.connect(self._ask_pdf)
            dialog.open()

    def _ask_pdf(self, names: list[str]) -> None:
        path, _ = ask_save_path(
            self,
            BY_ID["booklet"].label,
            self.project.path.with_suffix(".pdf") if self.project else Path(),
            "PDF (*.pdf)",
        )
        if path:
            self.write_booklet(names, path)

    def write_booklet(self, names: list[str], path: Path) -> None:
        def on_done(booklet: Booklet) -> None:
            message = filled(
                self.tr(
                    "Created booklet {path}. Parts: {count}. Each part has a code for "
                    "entering its judgments."
                ),
                path=path.name,
                count=f"{len(booklet.pages):,}",
            )
            if booklet.too_long:
                message += "\n" + filled(
                    self.tr("⚠ Skipped documents that are too long to print: {too_long}."),
                    too_long=", ".join(booklet.too_long),
                )
            self.message_shown.emit(message)
            self.wrote.emit(path)
            self._update_enabled()

        self.request_job(
            self.tr("Printing the booklet"),
            lambda project, _progress: print_booklet(project, names, path),
            on_done,
        )

    def enter_paper(self) -> None:
        if self.project:
            dialog = PaperEntryDialog(self, self.project)
            dialog.finished.connect(lambda _result: self._report_paper(dialog.saved))
            dialog.open()

    def _report_paper(self, saved: int) -> None:
        if saved:
            self.message_shown.emit(
                filled(self.tr("Judgments entered from paper: {saved}."), saved=f"{saved:,}")
            )
            self.refresh()
            self.changed.emit()

    def _report_assigned(self, report: AssignmentReport, folder: Path) -> None:
        # with the old entries, the preview would report that nothing is left to assign
        self.form.forget()
        self.refresh()
        self.changed.emit()
        self._update_enabled()
        self.buttons["merge"].setFocus()  # importing is the next step
        self.message_shown.emit(
            "\n".join(
                [
                    filled(
                        self.tr("Files saved in {folder}: {count}. Send each to its assessor."),
                        count=str(len(report.files)),
                        folder=str(folder),
                    ),
                    *map(translate_message, report.notes),
                    *("⚠ " + translate_message(warning) for warning in report.warnings),
                ]
            )
        )
        self.wrote.emit(report.files[0].path if len(report.files) == 1 else folder)

    def ask_files(self) -> None:
        if paths := ask_files(
            self, self.tr("Choose returned files"), "irjudge (*.irtask *.irjudge *.json)"
        ):
            self.merge(list(paths))

    def merge(self, paths: list[Path]) -> None:
        self.request_job(
            self.tr("Importing returned files"),
            lambda project, progress: merge_files(project, paths, progress=progress),
            self._report_merged,
        )

    def _report_merged(self, merge_report: MergeReport) -> None:
        for section, part in enumerate(
            EVENT_OUTCOMES, len(self.reports.columns) - len(EVENT_OUTCOMES)
        ):  # columns are hidden before `fill`, which recomputes the widths
            self._report_table.setColumnHidden(
                section,
                part != "new"
                and not any(getattr(file_report, part) for file_report in merge_report.reports),
            )
        self.reports.fill(merge_report.reports)
        self._message.setText(
            "\n".join(
                map(
                    translate_message,
                    [
                        *merge_report.sentences,
                        *([describe_backup(merge_report.backup)] if merge_report.backup else []),
                    ],
                )
            )
        )
        self._balance_card.show()
        self.refresh()
        self.changed.emit()


def _today() -> date:
    return date.today()  # noqa: DTZ011 -- deadlines and forecasts are local dates


def _describe_state(row: AssignmentFile) -> str:
    label = {
        "out": translate("AssessorsView", "assigned"),
        "begun": translate("AssessorsView", "partly returned"),
        "returned": translate("AssessorsView", "✓ returned"),
        "withdrawn": translate("AssessorsView", "reassigned"),
    }[row.state]
    return filled(translate("AssessorsView", "⚠ late: {text}"), text=label) if row.late else label


def _file_columns(display_names: Mapping[str, str]) -> list[Column]:
    return [
        Column(
            translate("AssessorsView", "Assessor"),
            lambda row: display_names.get(row.assessor, row.assessor),
        ),
        Column(translate("AssessorsView", "File"), lambda row: row.file),
        Column(
            translate("AssessorsView", "State"),
            _describe_state,
            also=lambda row: (
                filled(
                    translate("AssessorsView", "Returned: {returned}"), returned=row.returned[:10]
                )
                if row.returned
                else ""
            ),
        ),
        Column(
            translate("AssessorsView", "Judged"),
            lambda row: (row.judged, row.assigned),
            lambda counts: filled(
                translate("AssessorsView", "{count} of {total}"),
                count=f"{counts[0]:,}",
                total=f"{counts[1]:,}",
            ),
            number=True,
        ),
        Column(translate("AssessorsView", "Deadline"), lambda row: row.deadline),
        Column(translate("AssessorsView", "Submitted"), lambda row: row.handed_in[:10]),
    ]


def _progress_columns(display_names: Mapping[str, str], titles: Mapping[str, str]) -> list[Column]:

    return [
        Column(
            translate("AssessorsView", "Assessor"),
            lambda row: display_names.get(row.assessor, row.assessor),
        ),
        Column(
            translate("AssessorsView", "Topic"),
            lambda row: (
                translate("AssessorsView", "all topics")
                if row.topic is None
                else with_title(row.topic, titles.get(row.topic, ""))
            ),
        ),
        Column(
            translate("AssessorsView", "Judged"),
            lambda row: row.judged,
            lambda count: f"{count:,}",
            number=True,
        ),
        Column(
            translate("AssessorsView", "Left", "still to be judged, not the side"),
            lambda row: row.left,
            lambda count: f"{count:,}",
            number=True,
        ),
        Column(
            translate("AssessorsView", "Active time"),
            lambda row: row.active_ms / 60_000,
            lambda minutes: filled(
                translate("Duration", "{minutes} min"), minutes=f"{minutes:.1f}"
            ),
            number=True,
            help=translate("AssessorsView", "Active time"),
        ),
        Column(
            translate("AssessorsView", "Median"),
            lambda row: row.median_seconds,
            lambda value: MISSING if value is None else format_seconds(value),
            number=True,
            help=translate("AssessorsView", "Median active time per judgment"),
        ),
    ]


def _balance_columns() -> list[Column]:
    titles = {
        "new": translate("AssessorsView", "New"),
        "identical": translate("AssessorsView", "Already imported"),
        "superseded": translate("AssessorsView", "Superseded"),
        "waiting": translate("AssessorsView", "Waiting"),
        "rejected": translate("AssessorsView", "Not included"),
    }

    def make_count_column(part: str) -> Column:
        return Column(
            titles[part],
            lambda report: int(getattr(report, part)),
            lambda count: f"{count:,}",
            number=True,
        )

    return [
        Column(
            translate("AssessorsView", "File"),
            lambda report: ("✕ " if report.refused else "") + report.file,
        ),
        Column(translate("AssessorsView", "Assessor"), lambda report: report.assessor),
        Column(
            translate("AssessorsView", "Entries"),
            lambda report: report.read,
            lambda count: f"{count:,}",
            number=True,
            help=translate(
                "AssessorsView",
                "Number of entries in the file: judgments, notes, marks and undo actions",
            ),
        ),
        *map(make_count_column, EVENT_OUTCOMES),
    ]
