"""Main window: contains the pages, opens projects and runs jobs that write."""

from collections.abc import Callable
from contextlib import suppress
from datetime import datetime
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

from PySide6.QtCore import QSize, Qt, QTimer
from PySide6.QtGui import QCloseEvent, QKeyEvent, QResizeEvent
from PySide6.QtWidgets import QApplication, QMainWindow, QWidget

from irjudge.errors import Cancelled, IrjudgeError
from irjudge.exchange import StageName, create_project_of_class
from irjudge.formats.bytes import path_exists
from irjudge.judging import Session, create_sample_project
from irjudge.progress import Progress
from irjudge.store import ImportReport, Project, create_project_from_files
from irjudge_ui import jobs
from irjudge_ui.actions import (
    BY_ID,
    KEYS,
    ActionHandler,
    BoundAction,
    bind_key_cap,
    create_actions,
    key_cap_text,
)
from irjudge_ui.file_dialogs import LAST_FOLDERS
from irjudge_ui.jobs import CLUSTER_WORKERS
from irjudge_ui.messages import escape_markup, filled, join_sentences, translate_message
from irjudge_ui.pages import BY_ID as PAGES_BY_ID
from irjudge_ui.pages import (
    ENTRIES,
    PAGES,
    Appearance,
    FileDrops,
    OpenedProject,
    Pages,
    ProjectOpener,
    ShortcutsDialog,
    create_session,
    sibling_pages,
    summarize_work,
)
from irjudge_ui.pages.assessors import AssessorsView
from irjudge_ui.pages.frame import (
    BlockingJob,
    CopyMenu,
    CrashDialog,
    Exports,
    IntegrityWarning,
    UncountedWarning,
    WorkflowBar,
    WorkIndicator,
)
from irjudge_ui.pages.judge import JudgeView
from irjudge_ui.pages.project import CollectionView, ProjectRequest
from irjudge_ui.pages.results import EvaluateView
from irjudge_ui.pages.session import close_controller, controller_of
from irjudge_ui.pages.shared import View
from irjudge_ui.pages.side_by_side import ComparisonView
from irjudge_ui.project_changes import drop_change_stack
from irjudge_ui.settings import Settings, locale_of
from irjudge_ui.widgets import (
    GUTTER_WIDTH,
    NEXT_STEP,
    SPACE_L,
    SPACE_S,
    NavigationBar,
    Tabs,
    WrittenFileButtons,
    apply_style,
    ask,
    column,
    make_container,
    make_label,
    row,
    show_text,
)
from irjudge_ui.workspace import JudgmentSaver

# pages that do not show the workflow bar
PAGES_WITHOUT_WORKFLOW = ("home", "judge", "panels", "preferences")
# pages available without a project
PAGES_WITHOUT_PROJECT = ("home", "new", "settings", "guides")
FOOTER_PAGES = ("settings", "guides")
SLIM_BAR_WIDTH = 1000
MIN_WINDOW_SIZE, DEFAULT_WINDOW_SIZE = (800, 560), (1360, 820)
# maximum width and height of the window's frame, in pixels
MAX_FRAME_SIZE = (16, 64)

if TYPE_CHECKING:
    from irjudge_ui.pages.results import FilesView


Kind = TypeVar("Kind", bound=View)


class Window(QMainWindow):
    """Main window with all pages and at most one open project.

    The window opens and closes projects, runs the jobs and actions that pages request, shows the
    messages and errors of pages, and switches pages. The requested jobs, such as imports, cover the
    window; pages run other jobs in the background themselves.
    """

    def __init__(self, settings: Settings) -> None:
        super().__init__()
        self.settings = settings
        self.project: Project | None = None
        self._read_only_reason, self._is_closing = "", False
        self._next_page = ""  # id of the page of the project's next step; empty if unknown
        # judging session that was created when the project was opened; None once the judging page
        # uses the session
        self._session: Session | None = None
        self._opener = ProjectOpener(self, settings)
        self._opener.ready.connect(self._enter)
        self._opener.message_shown.connect(self.show_message)
        self._opener.job_requested.connect(self.run)
        self.exports = Exports(self)
        self.exports.message_shown.connect(self.show_message)
        self.exports.details_shown.connect(
            lambda details: self.message.setToolTip(escape_markup(details))
        )
        self.exports.job_requested.connect(self.run)
        self.copy_menu = CopyMenu(self, self.show_message)
        self.actions_by_id: dict[str, BoundAction] = {}
        KEYS.use(settings)
        LAST_FOLDERS.use(settings)
        CLUSTER_WORKERS.use(settings)
        self._build()
        settings.changed.connect(self._on_setting)
        self.appearance = Appearance(settings, self)
        self.appearance.changed.connect(self._restyle)
        self.setWindowTitle("irjudge")
        # a job that writes must end before another project is opened or another such job begins
        drops = FileDrops(self, lambda: bool(self.blocking_job.title))
        drops.dropped.connect(self._open_dropped_files)
        drops.data_dropped.connect(self._add_dropped_data)
        self.setMinimumSize(*MIN_WINDOW_SIZE)
        if not self.restoreGeometry(settings.geometry()):
            self.resize(
                QSize(*DEFAULT_WINDOW_SIZE).boundedTo(
                    self.screen().availableSize() - QSize(*MAX_FRAME_SIZE)
                )
            )
        self.show_page("home")

    def _build(self) -> None:
        """Create the content of the window in the current language, and replace the old content."""
        for action in self.actions_by_id.values():
            self.removeAction(action)
            action.deleteLater()
        self.pages = Pages(self.settings)
        self.pages.view_created.connect(self._connect)
        # id of the page shown last in each navigation entry, and under each tab
        self._newest_pages: dict[str, str] = {}
        self._newest_parts: dict[str, str] = {}
        self._tabs, self._parts = (
            Tabs(lambda tab: self.show_page(self._newest_parts.get(tab, tab))),
            Tabs(self.show_page, "part"),
        )
        self.message = make_label("", "small", name=self.tr("Message"), hidden=True)
        self.written_file_buttons = WrittenFileButtons()
        self.exports.wrote.connect(self.written_file_buttons.offer)
        self.steps = WorkflowBar()
        self.steps.wants.connect(self._begin_step)
        self.exports.wrote_qrels.connect(lambda: self._complete_stage("qrels"))
        self.exports.wrote_report.connect(self._complete_report)
        self.steps.failed.connect(self._show_error)
        self.steps.status_changed.connect(self._mark_next)
        self.uncounted_warning = UncountedWarning()
        self.integrity_warning = IntegrityWarning()
        self.work_indicator = WorkIndicator()
        self.read_only_label = make_label(
            "", "warning", hidden=True
        )  # shows why the project is read-only
        self._lay_out()
        self.actions_by_id = create_actions(self, self._action_handlers())
        self.blocking_job = BlockingJob(
            self._body,
            (self.pages, self.navigation_bar, self._tabs, self._parts, self.steps),
            self.actions_by_id,
            self._focus,
        )
        self.blocking_job.failed.connect(self._show_error)
        self._apply_theme(self)

    def _action_handlers(self) -> dict[str, ActionHandler]:
        return {
            **{
                page.id: ActionHandler(
                    partial(self.show_page, page.id), partial(self._offers, page.id)
                )
                for page in PAGES
            },
            "open": ActionHandler(self.ask_open),
            "reopen": ActionHandler(self.reopen, lambda: self.has_project),
            "copy-table": ActionHandler(
                self.copy_menu.copy_table, lambda: self.copy_menu.has_table
            ),
            "copy-rows": ActionHandler(self.copy_menu.copy_rows, lambda: self.copy_menu.has_rows),
            "zoom-in": ActionHandler(lambda: self.appearance.zoom_in()),
            "zoom-out": ActionHandler(lambda: self.appearance.zoom_out()),
            "zoom-reset": ActionHandler(lambda: self.appearance.zoom_reset()),
            "theme": ActionHandler(lambda: self.appearance.switch_theme()),
            "command-palette": ActionHandler(self.show_palette),
            "shortcuts": ActionHandler(self.show_shortcuts),
            "help": ActionHandler(self.show_help),
            "quit": ActionHandler(self.close),
            "print": ActionHandler(
                self.print_page, lambda: self.pages.view(self.pages.on_top()).prints
            ),
            "export-qrels": ActionHandler(self.exports.ask_qrels, lambda: self.exports.has_qrels),
        }

    def _lay_out(self) -> None:
        def entries(names: tuple[str, ...]) -> list[tuple[str, str, str]]:
            return [(name, BY_ID[name].label, key_cap_text(name)) for name in names]

        home, search = entries(("home", "command-palette"))
        self.navigation_bar = NavigationBar(
            "irjudge",
            home,
            search,
            entries(tuple(name for name in ENTRIES if name != "home")),
            entries(FOOTER_PAGES),
            lambda entry: self.do(self._newest_pages.get(entry, entry)),
        )
        for name, button in self.navigation_bar.buttons.items():
            bind_key_cap(name, button.setToolTip, button)
        bind_key_cap(
            "command-palette", self.navigation_bar.search.show_keys, self.navigation_bar.search
        )
        gutter = (0, 0, GUTTER_WIDTH, 0)
        header = column(
            self._tabs,
            self._parts,
            self.read_only_label,
            self.integrity_warning,
            self.uncounted_warning,
            margins=gutter,
        )
        self.work_indicator.setContentsMargins(*gutter)
        # the status text gets the remaining width; if it wrapped, the height of the page would
        # change
        foot = row(self.message, self.written_file_buttons, stretched=self.message)
        # the progress indicator is between the tabs and the page
        main_column = column(
            header, self.work_indicator, self.pages, spacing=1, stretched=self.pages
        )
        body = make_container(
            column(
                main_column,
                column(foot, self.steps, margins=gutter),
                margins=(SPACE_L + 4, SPACE_L + 4, SPACE_L + 4 - GUTTER_WIDTH, SPACE_S),
                stretched=main_column,
            )
        )
        body.setObjectName("page")
        self._body = make_container(row(self.navigation_bar, body, spacing=0, stretched=body))
        self.setCentralWidget(self._body)

    def _connect(self, view: View) -> None:
        view.wants.connect(self.do)
        view.message_shown.connect(self.show_message)
        view.wrote.connect(self.written_file_buttons.offer)
        view.job_requested.connect(self.run)
        view.failed.connect(self._show_error)
        view.changed.connect(self._on_project_changed)
        view.progressed.connect(self.steps.later)
        view.adjudicated.connect(self.steps.show_adjudicated)
        view.progressed.connect(
            lambda: self.uncounted_warning.show_above(PAGES_BY_ID[self.pages.on_top()].judgments)
        )
        view.open_file.connect(self.open)
        view.open_sample.connect(self.open_sample)
        view.new_project.connect(self.make_project)
        view.evaluate_files.connect(self._ask_files)
        view.judge_topic.connect(self._judge_topic)
        view.report.connect(self.exports.write_report)
        view.printed.connect(self.exports.print_report)
        view.files_report.connect(self.exports.write_files_report)

    def do(self, action: str) -> None:
        self.actions_by_id[action].trigger()

    # Pages

    def _offers(self, page: str) -> bool:
        """Return whether a page is available, given the open project."""
        if page in PAGES_WITHOUT_PROJECT:
            return True
        return {"judge": self.grades, "panels": self.compares}.get(page, self.is_organiser_project)

    @property
    def has_project(self) -> bool:
        return self.project is not None

    @property
    def is_organiser_project(self) -> bool:
        """Whether the open project is an organiser's project, not an assessor's task file."""
        return self.project is not None and self.project.assignments.assessor_assignment() is None

    @property
    def grades(self) -> bool:
        """Whether documents can be graded in the open project.

        Documents cannot be graded in a task file for comparisons.
        """
        return self.project is not None and not self._only_compares

    @property
    def compares(self) -> bool:
        """Whether the open project can have comparisons.

        This applies to organisers' projects and to task files for comparisons.
        """
        return self.is_organiser_project or self._only_compares

    @property
    def _only_compares(self) -> bool:
        own_assignment = self.project.assignments.assessor_assignment() if self.project else None
        return own_assignment is not None and own_assignment.mode == "side-by-side"

    @property
    def panels(self) -> ComparisonView:
        return self._get_view("panels", ComparisonView)

    @property
    def judge(self) -> JudgeView:
        return self._get_view("judge", JudgeView)

    @property
    def collection(self) -> CollectionView:
        return self._get_view("collection", CollectionView)

    @property
    def evaluation(self) -> EvaluateView:
        return self._get_view("evaluate", EvaluateView)

    def _get_judge_view(self) -> JudgeView | None:
        view = self.pages.existing_view("judge")
        return view if isinstance(view, JudgeView) else None

    def _get_view(self, id: str, kind: type[Kind]) -> Kind:
        view = self.pages.view(id)
        assert isinstance(view, kind)  # noqa: S101 -- by the table of pages
        return view

    def show_page(self, id: str) -> None:
        self.show_message("")  # clears the message, which is about the previous page
        view = self.pages.view(id)
        self.pages.setCurrentWidget(view)
        self.uncounted_warning.show_above(PAGES_BY_ID[id].judgments)
        self._mark(id)
        if id == "home":
            self._store_progress()
        if id == "judge" and self.judge.session is None:
            self._begin_judging()
        else:
            view.refresh()
        view.focus()
        self.work_indicator.follow(view)
        self._show_step(id)

    def _show_step(self, page: str) -> None:
        """Show the workflow bar on a page to which it applies; hide it on other pages."""
        visible = (
            self.is_organiser_project
            and page not in PAGES_WITHOUT_WORKFLOW
            and bool(PAGES_BY_ID[page].entry)
        )
        self.steps.show_project(self.project if visible else None)
        self.setProperty(NEXT_STEP, visible)
        if visible:
            self.steps.set_quiet(self.pages.view(page).leads)
            self.steps.show_on(page)

    def _complete_stage(self, stage: StageName) -> None:
        if self.project is not None:
            self.steps.complete_stage(stage, self.project)

    def _complete_report(self) -> None:
        """Mark the report stage as complete, and focus the button that wrote the report."""
        self._complete_stage("report")
        button = self.pages.view(self.pages.on_top()).next_buttons.get("workbook")
        if button is not None and button.isEnabled():
            # needed because the focus moved to another widget while the page was disabled
            button.setFocus()

    def _mark_next(self, action: str) -> None:
        """Emphasise the button for the next step on the current page, and store the step's page."""
        self.pages.view(self.pages.on_top()).mark_next(action)
        self._next_page = BY_ID[action].page or action

    def _begin_step(self, action: str) -> None:
        """Begin a workflow step: show the page of its action, or run an action without a page."""
        page = BY_ID[action].page
        if not page:
            self.do(action)
        else:
            self.show_page(page)
            self.pages.view(page).point_to(action)

    def _mark(self, id: str) -> None:
        if PAGES_BY_ID[id].rare:
            self.settings.add_used_page(id)
        used_pages = self.settings.used_pages()
        pages = [
            page.id
            for page in sibling_pages(id)
            if self.actions_by_id[page.id].possible and (page.id in used_pages or not page.rare)
        ]
        main = PAGES_BY_ID[id].main
        tabs = dict.fromkeys(PAGES_BY_ID[page].main for page in pages)
        self._tabs.show_pages(
            [(tab, PAGES_BY_ID[tab].tab_label, key_cap_text(tab)) for tab in tabs], main
        )
        parts = [page for page in pages if PAGES_BY_ID[page].main == main]
        self._parts.show_pages(
            [(part, PAGES_BY_ID[part].part_label, key_cap_text(part)) for part in parts], id
        )
        self._newest_parts[main] = id
        entry = sibling_pages(id)[0].entry if pages else ""
        self._newest_pages[entry] = id
        for name in ENTRIES:
            self.navigation_bar.buttons[name].setVisible(self.actions_by_id[name].possible)
        self.navigation_bar.show_page(entry or id)

    def _focus(self) -> None:
        self.pages.view(self.pages.on_top()).focus()

    # Projects

    def ask_open(self) -> None:
        path = self._opener.ask_file()
        if path:
            self.open(path)

    def reopen(self) -> None:
        """Reopen the file of the project, for example after another process has released it."""
        if self.project and self._can_close(self._reopen):
            self._reopen()

    def _reopen(self) -> None:
        if self.project:
            path = self.project.path
            self.close_project()
            self.open(path)

    def open(self, path: Path, report: ImportReport | None = None) -> None:
        """Open a project in the background, or show the page to continue if it is open already.

        If something in the open project would be lost, the user is asked first.
        """
        self.show_message("")
        open_path = partial(self._opener.open, path, report)
        if self._is_open(path):
            self.show_page(self._choose_page_to_continue())
        elif self._can_close(open_path):
            open_path()

    def _enter(self, opened_project: OpenedProject, report: ImportReport | None) -> None:
        self.close_project()
        project = self.project = self.exports.project = opened_project.project
        self._read_only_reason, self._session = (
            opened_project.read_only_reason,
            opened_project.session,
        )
        self.settings.add_recent(project.path)
        self._next_page = self.settings.last_seen().get(str(project.path), {}).get("next", "")
        self._show_name(project)
        self.pages.show_project(project)
        self.uncounted_warning.show_project(project, opened_project.uncounted)
        self.integrity_warning.show_project(project)
        if report:
            self.collection.show_report(report)
        self.show_page(self._choose_first_page(project, is_new=report is not None))

    def _show_name(self, project: Project) -> None:
        """Show the name of the project in the title, and why it is read-only."""
        reading = "" if project.writing else " " + self.tr("(read-only)")
        self.setWindowTitle(f"{project.path.name}{reading} – irjudge")
        show_text(
            self.read_only_label,
            ""
            if project.writing
            else "⚠ "
            + join_sentences(
                self._read_only_reason, self.tr("The project is open read-only in this window.")
            ),
        )

    def _choose_first_page(self, project: Project, *, is_new: bool) -> str:
        if self._only_compares:
            return "panels"
        if is_new or not project.rankings.pool_version():
            return "collection"
        if not self.is_organiser_project or project.belongs_to:
            return "judge"
        if self._has_other_assessors:
            return self._available_page(self._next_page) or "assessors"
        return "judge" if project.events.assessors() else "collection"

    def _choose_page_to_continue(self) -> str:
        """Return the id of the page on which work in the open project continues."""
        if self._only_compares:
            return "panels"
        if not self._has_other_assessors:
            return "judge"
        return self._available_page(self._next_page) or "assessors"

    @property
    def _has_other_assessors(self) -> bool:
        """Whether the open project is an organiser's project with other assessors."""
        project = self.project
        return (
            project is not None
            and self.is_organiser_project
            and not project.belongs_to
            and bool(
                project.has_other_assessors or set(project.events.assessors()) - {project.owner}
            )
        )

    def _available_page(self, page: str) -> str:
        """Return the id of a page if it exists and is available, otherwise an empty string."""
        return page if page in PAGES_BY_ID and self._offers(page) else ""

    def _open_dropped_files(self, files: list[Path]) -> None:
        """Import dropped files into the open project if it has other assessors.

        If it has none, or no project is open, open the first file.
        """
        if self.is_organiser_project and self.project and self.project.has_other_assessors:
            self.show_page("assessors")
            self._get_view("assessors", AssessorsView).merge(files)
        else:
            self.open(files[0])

    def _ask_files(self) -> None:
        self._get_files_page().ask_files()

    def _add_dropped_data(self, files: list[Path]) -> None:
        """Add dropped data files on the page for a new project; on other pages, evaluate them."""
        if self.pages.on_top() == "new":
            self.pages.view("new").set_request(files)
        else:
            self._get_files_page().add_files(files)

    def _get_files_page(self) -> "FilesView":
        from irjudge_ui.pages.results import FilesView  # noqa: PLC0415 -- a page is loaded when it is first shown

        self.show_page("files")
        return self._get_view("files", FilesView)

    def _is_open(self, path: Path) -> bool:
        """Return whether a file is the file of the open project."""
        return (
            self.project is not None
            and path_exists(path)
            and path_exists(self.project.path)
            and path.samefile(self.project.path)
        )

    def open_sample(self, name: str) -> None:
        """Open the user's copy of a sample collection; create it first if there is none."""
        try:
            path = self.settings.sample_path(name)
        except IrjudgeError as error:
            self.show_message("✕ " + translate_message(str(error)))
            return
        if path_exists(path):
            self.open(path)
            return
        self._make(path, lambda progress: create_sample_project(path, name, progress=progress))

    def make_project(self, request: ProjectRequest) -> None:
        def make(progress: Progress) -> ImportReport:
            if request.class_folder is not None:
                report = create_project_of_class(
                    request.path,
                    request.class_folder,
                    request.sources,
                    scale=request.scale,
                    owner=request.owner,
                    off_scale=request.off_scale,
                    progress=progress,
                )
                report.import_report.warnings += report.assignment_report.warnings
                return report.import_report
            return create_project_from_files(
                request.path,
                request.sources,
                scale=request.scale,
                owner=request.owner,
                off_scale=request.off_scale,
                progress=progress,
            )

        self._make(request.path, make)

    def _make(self, path: Path, make: Callable[[Progress], ImportReport]) -> None:
        self.run(self.tr("Creating the project"), make, lambda report: self.open(path, report))

    def _begin_judging(self) -> None:
        if self.project is None:
            return
        session, self._session = self._session or create_session(self.project), None
        self.judge.begin(
            session, read_only_reason="" if self.project.writing else self._read_only_reason
        )
        self.judge.brief()

    def _judge_topic(self, topic: str) -> None:
        self.show_page("judge")
        self.judge.open_topic(topic)

    def _on_project_changed(self) -> None:
        self._session = None
        self.steps.refresh()
        if judge_view := self._get_judge_view():
            # the pool or a run may have changed, so a new session begins when the page is shown
            judge_view.stop()

    def _store_progress(self) -> None:
        """Store the progress of the open project in the settings, for the start page.

        Without a judging or comparison session, the stored progress does not change.
        """
        judging_views = (
            view
            for view in map(self.pages.existing_view, ("judge", "panels"))
            if isinstance(view, JudgeView | ComparisonView)
        )
        work = next((view.session for view in judging_views if view.session), self._session)
        if self.project and work:
            with suppress(IrjudgeError, ValueError):
                now = datetime.now()  # noqa: DTZ005 -- the user's own day
                self.settings.keep_last_seen(
                    self.project.path, summarize_work(work, now, next_page=self._next_page)
                )

    def close_project(self) -> None:
        if self.project:
            self._store_progress()
            self.pages.show_project(None)
            self.read_only_label.hide()
            close_controller(self.project)
            drop_change_stack(self.project)
            self.steps.show_project(None)
            self.uncounted_warning.show_project(None)
            self.integrity_warning.show_project(None)
            self.project.close()
            self.project = self.exports.project = self._session = None

    # Background work

    def run(
        self, title: str, function: Callable[[Progress], Any], on_done: Callable[[Any], Any]
    ) -> None:
        """Run a job that writes; meanwhile the window is covered by an overlay."""
        self.show_message("")
        self.blocking_job.run(title, function, on_done)

    def _show_error(self, error: Exception, trace: str) -> None:
        if trace:
            CrashDialog(self, error, trace).open()
        elif isinstance(error, Cancelled):
            self.show_message(translate_message(str(error)))
        else:
            self.show_message("✕ " + translate_message(str(error)))

    def show_message(self, message: str) -> None:
        """Show a message at the bottom of the window; an empty text hides it."""
        show_text(self.message, message)
        self.message.setToolTip("")
        self.written_file_buttons.hide()

    # Appearance and language

    def _restyle(self) -> None:
        self._apply_theme(self)
        self.pages.restyle()

    def _apply_theme(self, part: QWidget) -> None:
        """Apply the style to the descendants of a widget, except the pages.

        `Pages` styles the pages.
        """
        for child in part.findChildren(QWidget, options=Qt.FindChildOption.FindDirectChildrenOnly):
            if child is self.pages:
                continue
            if child.isAncestorOf(self.pages):
                self._apply_theme(child)
            else:
                apply_style(child)

    def _on_setting(self, name: str) -> None:
        if name == "language":
            # deferred, because the page that requested the change is also deleted
            QTimer.singleShot(0, self, self._change_language)

    def _change_language(self) -> None:
        """Recreate the window's content in another language, with the same project and session."""
        judge_view, project = self._get_judge_view(), self.project
        session = judge_view.session if judge_view else None
        self.pages.show_project(None)  # stops jobs, which must not report to deleted widgets
        self.uncounted_warning.show_project(None)
        self.integrity_warning.show_project(None)
        self._build()
        if project:
            self._show_name(project)
        self.pages.show_project(project)
        self.uncounted_warning.show_project(project)
        self.integrity_warning.show_project(project)
        if session:
            self.judge.begin(session)
        self.activateWindow()  # needed because the focused widget was deleted
        self.show_page("settings")

    def print_page(self) -> None:
        self.pages.view(self.pages.on_top()).print_page()

    def show_palette(self) -> None:
        from irjudge_ui.command_palette import CommandPalette, PaletteSources  # noqa: PLC0415 -- pages that it names are loaded when first shown

        sources = PaletteSources(
            self.pages,
            self.actions_by_id,
            self.show_page,
            self._judge_topic,
            project=self.project,
            zoom=float(self.settings.get("zoom")),
            language=locale_of(str(self.settings.get("language"))).name(),
        )
        CommandPalette(self, sources).open()

    def show_shortcuts(self) -> None:
        scale = self.project.scale if self.project else None
        ShortcutsDialog(self, self.pages.on_top(), scale).open()

    def show_help(self) -> None:
        """Show the instructions while judging or comparing, otherwise the guides."""
        if self.pages.on_top() == "judge" and self.judge.session:
            self.judge.show_instructions()
        elif self.pages.on_top() == "panels" and self.panels.session:
            self.panels.show_instructions()
        else:
            self.show_page("guides")

    # Qt overrides

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self.navigation_bar.set_slim(event.size().width() < SLIM_BAR_WIDTH)
        self.blocking_job.busy.resize(self._body.size())

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Pass keys to the judging page if it is visible but no widget on it has the focus."""
        focus = QApplication.focusWidget()
        if self.pages.on_top() == "judge" and (focus is None or not self.judge.isAncestorOf(focus)):
            self.judge.keyPressEvent(event)
        else:
            super().keyPressEvent(event)

    def closeEvent(self, event: QCloseEvent) -> None:
        if not self._is_closing and not self._can_close(self._end_all):
            event.ignore()
            return
        jobs.cancel_all()
        self.settings.set_geometry(self.saveGeometry())
        self.close_project()
        self._is_closing = False
        event.accept()

    def _can_close(self, close: Callable[[], object], *, discards: bool = False) -> bool:
        """Return whether the project can be closed without a loss; if not, ask the user.

        Unsaved actions, unless `discards` is True, a running session, and a running task, except
        opening a project, would be lost. `close` is called if the user agrees.
        """

        def discard() -> None:
            if self._can_close(close, discards=True):
                close()

        def stop() -> None:
            if self.blocking_job.title:
                self.blocking_job.busy.cancel()
            close()

        agree: Callable[[], object] = close
        if not discards and any(
            saver.has_failed_saves for saver in self.findChildren(JudgmentSaver)
        ):
            title, choice = self.tr("Not everything is saved"), self.tr("Close and discard")
            agree = discard
            message = self.tr(
                "Your last action is not saved. Choose Stay, and try again once the disk "
                "has space or the file is available again."
            )
        elif controller_of(self.project):
            title, choice = self.tr("A session is running"), self.tr("Close")
            message = self.tr(
                "Participants are judging in browsers. Everything sent is saved, and the "
                "session can resume when the project is opened again."
            )
        elif self.pages.writing or self.blocking_job.title not in ("", self._opener.job_title):
            title, choice = self.tr("A task is running"), self.tr("Stop and close")
            agree = stop
            message = self._describe_task()
        else:
            return True
        ask(self, title, message, [(choice, agree), (self.tr("Stay"), None)])
        return False

    def _describe_task(self) -> str:
        """Return a text about a running job or a file that is being written."""
        if self.blocking_job.title:
            return filled(
                self.tr(
                    "In progress: {title}. Closing stops this task; incomplete files are discarded."
                ),
                title=self.blocking_job.title,
            )
        return join_sentences(
            self.tr("A file is being written."),
            self.tr("Closing stops this task; incomplete files are discarded."),
        )

    def _end_all(self) -> None:
        self._is_closing = True
        self.close()
