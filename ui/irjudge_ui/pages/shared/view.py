"""Base classes of the window's pages, and links to rarely needed pages."""

from collections.abc import Callable, Mapping, Sequence
from html import escape
from pathlib import Path
from typing import Any
from weakref import WeakSet

from PySide6.QtCore import Qt, QTimer, Signal
from PySide6.QtGui import QKeyEvent, QResizeEvent, QShowEvent
from PySide6.QtWidgets import QAbstractSlider, QApplication, QLabel, QPushButton, QWidget

from irjudge.judging import ComparisonSession, Session
from irjudge.model import Document, Scale
from irjudge.progress import Progress
from irjudge.store import Project
from irjudge.text import to_html
from irjudge_ui.actions import BY_ID, BoundAction, bind_key_cap
from irjudge_ui.jobs import Failure, LatestJob, ReportProgress, on_project
from irjudge_ui.messages import translate_message
from irjudge_ui.settings import Settings
from irjudge_ui.widgets import (
    SPACE_XL,
    Dialog,
    DocumentView,
    Flow,
    StatePage,
    StateStack,
    card,
    column,
    make_button,
    make_growing,
    make_label,
    named,
    scale_length,
    set_style,
    show_text,
)
from irjudge_ui.workspace import PresentationTurns, StateMessage, ask_link

# Base classes of pages: they show a project or a message, and send requests to the window


class View(QWidget):
    """Base class of the pages of the window, most of which show a part of the open project.

    The window calls `show_project` when another project is opened, and `refresh` each time the
    page is shown. The signals are requests to the window and reports of events.
    """

    actions_by_id: Mapping[str, BoundAction] = {}  # actions of the page, by id

    # Requests, each with its arguments in the comment

    wants = Signal(str)  # id of an action for the window to run
    message_shown = Signal(str)  # text for the status bar
    wrote = Signal(Path)  # path of a written file or folder; emitted after `message_shown`
    # title, function(progress) and on_done(result) of a job, during which the window is covered
    job_requested = Signal(str, object, object)
    opens = Signal(str, object)  # id of another page, and a request to that page
    open_file = Signal(Path)  # path of a file to open
    open_sample = Signal(str)  # name of a sample collection to open
    new_project = Signal(object)  # `ProjectRequest`
    judge_topic = Signal(str)  # id of a topic to judge
    evaluate_files = Signal()  # the window asks for files to evaluate
    report = Signal(object, Path)  # `Evaluation` or None, and path of the report to write
    printed = Signal(object)  # `Evaluation` whose report is to be printed, or None
    # `Evaluation` or None, path or None for printing, and `ClassifiedFiles`
    files_report = Signal(object, object, object)

    # Events, each with its arguments in the comment

    failed = Signal(object, str)  # error, and its traceback if the error is a bug
    changed = Signal()  # data of the project have changed, such as the items to judge or assessors
    progressed = Signal()  # the project's workflow has advanced
    adjudicated = Signal(object)  # displayed `AdjudicationCount`
    work_changed = Signal()  # background work has started, progressed or ended; see `job_progress`

    def __init__(self, settings: Settings) -> None:
        super().__init__()
        self._settings = settings
        self.project: Project | None = None
        self.problem = make_label("", "error", hidden=True)
        self.leads = False  # whether the page has a primary button of its own
        # minimum heights of widgets in pixels at normal zoom
        self.minimum_heights: dict[QWidget, int] = {}
        # buttons by the id of the action that they trigger; `mark_next` emphasises one of them
        self.next_buttons: dict[str, QPushButton] = {}
        self._background_jobs: list[LatestJob] = []
        # runners of jobs whose progress the window shows as the progress of the page, and the
        # functions that are called if the user cancels their jobs
        self._page_jobs: dict[LatestJob, Callable[[], None]] = {}

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        for widget, height in self.minimum_heights.items():
            widget.setMinimumHeight(scale_length(height))

    def latest(
        self, *, quiet: bool = False, on_cancelled: Callable[[], None] = lambda: None
    ) -> LatestJob:
        """Create a job runner whose job is cancelled when another project is shown.

        Unless `quiet`, the window shows the progress of its job as the progress of the page, and
        the user can cancel the job. `on_cancelled` then removes the displayed result that the job
        would have replaced, since it may not be that of the selected items.

        A page has a job runner for each kind of result. Details of a result are not computed while
        the result itself is being computed: its callback starts the computation of the details.
        """
        job = LatestJob() if quiet else LatestJob(self.work_changed.emit)
        self._background_jobs.append(job)
        if not quiet:
            self._page_jobs[job] = on_cancelled
        return job

    @property
    def can_write(self) -> bool:
        return self.project is not None and self.project.writing

    @property
    def zoom(self) -> float:
        return float(self._settings.get("zoom"))

    @property
    def decimals(self) -> int:
        return int(self._settings.get("decimals"))

    def run_on_project(
        self,
        job: LatestJob,
        work: Callable[[Project, Progress], Any],
        on_done: Callable[[Any], None],
        on_failed: Failure | None = None,
        progress: ReportProgress | None = None,
    ) -> None:
        """Run `work` in the background with a second connection to the project, if there is one.

        Unless `on_failed` is given, errors are shown by `show_error`.
        """
        if self.project:
            job.run(on_project(self.project, work), on_done, on_failed or self.show_error, progress)

    def request_job(
        self,
        title: str,
        work: Callable[[Project, Progress], Any],
        on_done: Callable[[Any], None],
    ) -> None:
        """Request a job that writes, with a second connection to the project, if there is one."""
        if self.project:
            self.job_requested.emit(title, on_project(self.project, work), on_done)

    def action_button(self, id: str, style: str = "", *, window: bool = False) -> QPushButton:
        """Return a button for an action of the page or, if `window` is True, of the window."""
        button = make_button(
            BY_ID[id].label,
            style,
            clicked=lambda: self.wants.emit(id) if window else self.actions_by_id[id].trigger(),
        )
        bind_key_cap(id, button.setToolTip, button)
        return button

    @property
    def job_progress(self) -> tuple[int, int | None, str] | None:
        """Progress of the page's job: steps done, total, description; None if no job is running."""
        return next((job.step for job in self._page_jobs if job.busy), None)

    @property
    def writing(self) -> bool:
        return False

    @property
    def prints(self) -> bool:
        return False

    def print_page(self) -> None: ...

    def cancel_jobs(self) -> None:
        """Cancel the jobs of the page, and remove the results that they would have replaced."""
        for job, on_cancelled in self._page_jobs.items():
            if job.busy:
                job.stop()
                on_cancelled()

    def restart_jobs(self) -> None:
        """Restart the jobs of the page after a cancellation; keep what the user has entered."""
        self.refresh()

    def show_project(self, project: Project | None) -> None:
        """Switch to another project, or to no project; `refresh` later shows its content."""
        for job in self._background_jobs:
            job.stop()
        self.project = project

    def show_error(self, error: Exception, trace: str, problem: QLabel | None = None) -> None:
        """Show the error of a background job in a label, by default `self.problem`.

        If `trace` is not empty, the error is a bug, which the window shows in a dialog instead.
        """
        if trace:
            self.failed.emit(error, trace)
        else:
            show_text(problem or self.problem, "✕ " + translate_message(str(error)))

    def show_problem(self, problem: str) -> None:
        show_text(self.problem, "✕ " + problem if problem else "")

    def set_request(self, request: object) -> None:
        """Set a request by another page, which the next call of `refresh` fulfils."""

    def refresh(self) -> None:
        """Show the current state of the project; called each time the page is shown."""

    def restyle(self) -> None:
        """Show documents in the current theme, zoom and font.

        All other widgets adapt without this call.
        """

    def mark_next(self, action: str) -> None:
        """Emphasise only the button for `action`, the next workflow step; if empty, no button."""
        for state in self.findChildren(StatePage) if action else ():
            state.hide_primary_button()
        for id, button in self.next_buttons.items():
            set_style(button, "primary" if id == action else "")

    def point_to(self, action: str) -> None:
        if action in self.next_buttons:
            self.next_buttons[action].setFocus()

    def focus(self) -> None:
        self.setFocus()


RARE_PAGES = ("live", "found", "history")


class RarePagesLine(QWidget):
    """Line with the title of its page and links to rarely needed pages.

    Once the user has opened a page, in any project, the page has a tab, and its link is hidden. The
    evaluation page and the Compare page have such a line.
    """

    def __init__(self, view: View, settings: Settings, title: str) -> None:
        super().__init__()
        self._settings = settings
        self.links = {
            id: make_button(
                BY_ID[id].label, "link", clicked=lambda _checked=False, id=id: view.wants.emit(id)
            )
            for id in RARE_PAGES
        }
        self._caption = make_label(self.tr("More:"), "quiet", wrap=False)
        self.setLayout(
            Flow([make_label(title, "title", wrap=False), self._caption, *self.links.values()])
        )

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        used_pages = self._settings.used_pages()
        for id, link in self.links.items():
            link.setHidden(id in used_pages)
        self._caption.setHidden(all(id in used_pages for id in self.links))


class StatefulView(View):
    """Base class of pages that show a message instead of empty content.

    The message has buttons for actions, such as the next step. `show_state` switches between the
    message and the content.
    """

    def put_parts(self, parts: QWidget, first_control: QWidget | None = None) -> None:
        """Set the content of the page, and the control that `focus_parts` focuses."""
        self.state_stack, self._first_control = StateStack(parts), first_control
        self.setLayout(column(self.state_stack))

    @property
    def state_page(self) -> StatePage | None:
        """Message page that is shown instead of the content; None if the content is shown."""
        return self.state_stack.page

    def show_state(self, state: StateMessage | None) -> None:
        focused_widget = QApplication.focusWidget()
        had_focus = focused_widget is not None and self.isAncestorOf(focused_widget)
        self.state_stack.show_state(state.page(self.do) if state else None)
        if state and had_focus:
            self.focus()

    def show_cancelled(self) -> None:
        """Show that the content of the page was not computed, because the user cancelled it."""
        self.show_state(
            StateMessage(
                self.tr("Cancelled"), self.tr("Select Recompute to show the content of this page.")
            )
        )

    def do(self, action: str) -> None:
        page_action = self.actions_by_id.get(action)
        page_action.trigger() if page_action else self.wants.emit(action)

    def focus(self) -> None:
        """Focus the content or the button of the message, unless a dialog is open."""
        if not QApplication.activeModalWidget():
            self.state_page.focus() if self.state_page else self.focus_parts()

    def focus_parts(self) -> None:
        """Focus the first control of the content."""
        if self._first_control:
            self._first_control.setFocus()


# Base class of the pages for judging, comparison and adjudication


class WorkspaceView(StatefulView):
    """Base class of the pages on which a user judges, compares or adjudicates items.

    If there is no item, the page shows a message with the reason and the next step. The class also
    shows the organiser's instructions, on request and to an assessor who has not begun.
    """

    # presents the items of a session in turn, and saves the user's actions; set by subclasses
    turns: PresentationTurns[Any, Any]

    @property
    def can_go_on(self) -> bool:
        """Whether the user has gone back to an earlier item, so that `go_on` can return."""
        return self.turns.session is not None and bool(self.turns.session.is_revisiting)

    def instructions_scale(self) -> Scale | None:
        """Return the scale to show with the instructions; None if grades are not used."""
        return self.project.scale if self.project else None

    def brief(self) -> None:
        """Show the instructions if the user is an assessor who has not begun."""
        session: Session | ComparisonSession | None = self.turns.session
        if (
            session is not None
            and session.is_unstarted
            and session.project.instructions
            and session.project not in BRIEFED_PROJECTS
            and (session.project.assignments.assessor_assignment() or session.project.belongs_to)
        ):
            self.show_instructions()

    def show_instructions(self) -> None:
        session: Session | ComparisonSession | None = self.turns.session
        if session:
            dialog = InstructionsDialog(
                self,
                session.project.instructions,
                self.instructions_scale(),
                self.zoom,
                [(self.tr("Start") if session.is_unstarted else self.tr("Close"), None)],
            )
            dialog.finished.connect(self.come_back)
            dialog.open()

    def come_back(self) -> None:
        """Activate the window, and focus the page; called after a dialog was closed."""
        self.window().activateWindow()
        QTimer.singleShot(0, self, self.focus)


# open projects whose instructions the user saw in a question when the project was opened
BRIEFED_PROJECTS: WeakSet[Project] = WeakSet()
DIALOG_SIZE = (760, 640)
SCROLL_STEPS = {
    Qt.Key.Key_PageDown: QAbstractSlider.SliderAction.SliderPageStepAdd,
    Qt.Key.Key_PageUp: QAbstractSlider.SliderAction.SliderPageStepSub,
    Qt.Key.Key_End: QAbstractSlider.SliderAction.SliderToMaximum,
    Qt.Key.Key_Home: QAbstractSlider.SliderAction.SliderToMinimum,
}


class InstructionsDialog(Dialog):
    """Read-only dialog with the organiser's instructions, the meaning of grades, and any note.

    The scale is None if grades are not used. `choices` are the buttons: label and function.
    """

    def __init__(
        self,
        parent: QWidget,
        instructions: str,
        scale: Scale | None,
        zoom: float,
        choices: Sequence[tuple[str, Callable[[], object] | None]],
        note: str = "",
    ) -> None:
        super().__init__(parent, DIALOG_SIZE)
        self.view = named(DocumentView(), self.tr("Instructions"))
        self.view.link_requested.connect(lambda address: ask_link(self.view, address))
        page = make_growing(card(self.view, margin=SPACE_XL))
        self.fill(self.tr("Instructions"), [make_label(note), page] if note else [page], choices)
        self.view.ensurePolished()  # without this, the style sheet would change the font later
        self.view.show_html(self._make_html(instructions, scale), zoom)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Scroll the text with the usual keys, even while a button has the focus."""
        if (step := SCROLL_STEPS.get(Qt.Key(event.key()))) is None:
            super().keyPressEvent(event)
        else:
            self.view.verticalScrollBar().triggerAction(step)

    def _make_html(self, instructions: str, scale: Scale | None) -> str:
        instructions_html = (
            to_html(Document("", instructions.encode(), kind="markdown"))
            if instructions.strip()
            else ""
        )
        if scale is None:
            return instructions_html
        grades_html = "".join(
            f"<p><b>{grade.value} {escape(translate_message(grade.label))}</b>{'<br>' + escape(grade.help) if grade.help else ''}</p>"
            for grade in reversed(scale.grades)
        )
        heading = self.tr("Grades")
        return f"{instructions_html}<h2>{escape(heading)}</h2>{grades_html}"
