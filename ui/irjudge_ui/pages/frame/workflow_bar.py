"""Workflow bar: stage of the project, missing requirements, and the next step."""

from contextlib import suppress
from dataclasses import replace
from datetime import date
from html import escape
from typing import TYPE_CHECKING

from PySide6.QtCore import QEvent, Qt, QTimer, Signal
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QFrame, QPushButton, QSizePolicy

from irjudge.errors import IrjudgeError
from irjudge.exchange import (
    OpenSession,
    ProjectStatus,
    Stage,
    StageName,
    Workflow,
    make_workflow,
    mark_stage_done,
    read_project_status,
)
from irjudge.judging import AdjudicationCount
from irjudge.progress import Progress
from irjudge.store import ENDED, PAUSED, Project
from irjudge_ui.actions import BY_ID, bind_key_cap
from irjudge_ui.jobs import LatestJob, on_project
from irjudge_ui.messages import escape_markup, filled, translate, translate_message
from irjudge_ui.pages.session import SessionController, controller_of
from irjudge_ui.widgets import (
    SPACE_M,
    SPACE_S,
    SPACE_XS,
    column,
    current_theme,
    make_button,
    make_label,
    make_timer,
    row,
    scale_length,
    set_style,
)

NARROW_WIDTH, VERY_NARROW_WIDTH = (
    # two widths in pixels at normal zoom: below the first, the bar shows only the current stage;
    # below the second, it also hides the reason for the next step
    760,
    460,
)
# maximum number of a project's events for which the bar is refreshed after each decision; with
# 30,000 events, a refresh takes some seconds
MAX_EVENTS = 5000
REFRESH_DELAY_MS = 1500  # pause before a refresh, since decisions can come in quick succession
# actions of each stage: the next step, and at most two alternatives
ACTIONS: dict[StageName, tuple[str, ...]] = {
    "runs": ("add-runs", "make-run"),
    "pool": ("build-pool",),
    "assign": ("assign", "session", "judge"),
    "judge": ("judge", "assign"),
    "merge": ("merge",),
    "session": ("session",),
    "agreement": ("agreement", "export-qrels"),
    "decide": ("adjudicate", "evaluate"),
    "qrels": ("export-qrels", "evaluate"),
    "evaluate": ("evaluate", "export-qrels"),
    "report": ("workbook", "export-qrels"),
    "preferences": ("preferences",),
}
# stage that is complete once the user has viewed a page, by id of the page
VIEWED_PAGES: dict[str, StageName] = {"agreement": "agreement", "evaluate": "evaluate"}
if TYPE_CHECKING:
    from irjudge.web import SessionStatus


class WorkflowBar(QFrame):
    """Bar that shows the stages of the project's workflow, and buttons for the next step.

    The status of the project is read in the background; the bar is hidden until the status is
    known. During a session of this window, the session reports its progress to the bar.
    Viewing the pages of `VIEWED_PAGES` marks their stage as complete in the project if it can be
    written. `wants` is emitted with the action of a clicked button or stage, and `status_changed`
    with the action of the next step after each update of the display. `failed` is emitted with an
    error and its traceback, which is empty unless the error is a bug.
    """

    wants = Signal(str)
    status_changed = Signal(str)
    failed = Signal(object, str)

    def __init__(self) -> None:
        super().__init__()
        self.setObjectName("steps")
        self._project: Project | None = None
        self._page = ""
        self._seen_state: tuple[object, ...] = ()
        self._status: ProjectStatus | None = None
        self._workflow: Workflow | None = None
        # stages whose page the user has viewed, but which are not yet stored as complete
        self._viewed_stages: set[StageName] = set()
        self._controller: SessionController | None = None
        self._job, self._stage_job = LatestJob(), LatestJob()
        self._refresh_timer = make_timer(self, REFRESH_DELAY_MS, self.refresh)
        self._stages_label, self._reason_label = (
            make_label("", "small", name=self.tr("Project progress")),
            make_label("", "", name=self.tr("Missing")),
        )
        self._stages_label.setTextFormat(Qt.TextFormat.RichText)
        self._stages_label.linkActivated.connect(self.wants)
        # The links are not focusable, since Tab would stop at each stage; the navigation bar and
        # the command palette offer the same pages.
        self._stages_label.setTextInteractionFlags(Qt.TextInteractionFlag.LinksAccessibleByMouse)
        self._stages_label.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self.others = (make_button("", "link"), make_button("", "link"))
        self.now = make_button("", "primary")
        self._is_quiet = False
        self._actions = dict.fromkeys((*self.others, self.now), "")
        for action in self._actions:
            action.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Fixed)
            action.clicked.connect(
                lambda _checked=False, name=action: self.wants.emit(self._actions[name])
            )
        texts = column(self._stages_label, self._reason_label, spacing=SPACE_XS)
        self.setLayout(
            row(
                texts,
                *self.others,
                self.now,
                spacing=SPACE_M,
                stretched=texts,
                margins=(0, SPACE_S, 0, SPACE_S),
            )
        )
        self.hide()

    def show_project(self, project: Project | None) -> None:
        if project is not self._project:
            self._job.stop()
            self._refresh_timer.stop()
            self._project, self._status, self._seen_state = project, None, ()
            self._viewed_stages.clear()
            self.hide()

    def show_on(self, page: str) -> None:
        self._page = page
        if self._status:
            self._show_workflow()
        if page in VIEWED_PAGES and self._project is not None:
            self.complete_stage(VIEWED_PAGES[page], self._project)
        else:
            self.refresh()

    def set_quiet(self, quiet: bool) -> None:
        """Set whether the next step is less prominent, for pages with a primary button."""
        self._is_quiet = quiet
        self._emphasise()

    def _emphasise(self) -> None:
        is_done = self._workflow is not None and all(
            stage.state != "now" for stage in self._workflow.stages
        )
        set_style(self.now, "" if self._is_quiet or is_done else "primary")

    def complete_stage(self, stage: StageName, project: Project) -> None:
        """Mark a stage of a project as complete, also if the page does not show the bar."""
        if project is self._project:
            if project.writing:
                self._viewed_stages.add(stage)
            self.refresh()  # stores the mark in the project
        elif project.writing:
            today = date.today()  # noqa: DTZ011 -- deadlines are local dates

            def mark(job_project: Project, progress: Progress) -> None:
                mark_stage_done(
                    job_project, stage, read_project_status(job_project, today, progress)
                )

            self._stage_job.run(on_project(project, mark), lambda _result: None, self._on_unmarked)

    def _on_unmarked(self, error: Exception, trace: str) -> None:
        if trace:  # if the file is unavailable, the stage stays open
            self.failed.emit(error, trace)

    def later(self) -> None:
        """Refresh after a pause, unless the project is large or this window serves a session."""
        if (
            self._project
            and not self._connect_session()
            and self._project.events.count() <= MAX_EVENTS
        ):
            self._refresh_timer.start()

    def show_adjudicated(self, count: AdjudicationCount) -> None:
        """Show new numbers of adjudications; the next refresh updates the other numbers."""
        if self._status and (self._status.adjudicated, self._status.disputed) != (
            count.adjudicated,
            count.total,
        ):
            self._status = replace(
                self._status, adjudicated=count.adjudicated, disputed=count.total
            )
            self._show_workflow()

    def refresh(self) -> None:
        """Read the project's status in the background, unless nothing has changed.

        During a session of this window, the session reports the status instead.
        """
        project, today = self._project, date.today()  # noqa: DTZ011 -- deadlines are local dates
        if project is None or (self._connect_session() and self._status):
            return
        state = (*project.writes, today)
        if self._seen_state == state and self._status:
            if self._viewed_stages:
                self._store_viewed_stages(project, today)
            return

        def on_done(status: ProjectStatus) -> None:
            self._status, self._seen_state = status, state
            if state == (*project.writes, today):
                self._store_viewed_stages(project, today)
            self._show_workflow()

        self._job.run(
            on_project(
                project,
                lambda job_project, progress: read_project_status(job_project, today, progress),
            ),
            on_done,
            self.failed.emit,
        )

    def _store_viewed_stages(self, project: Project, today: date) -> None:
        if self._status is not None:
            with suppress(IrjudgeError):  # if the file is unavailable, the stages are stored later
                for stage in sorted(self._viewed_stages):
                    self._status = mark_stage_done(project, stage, self._status)
                self._seen_state = (*project.writes, today)
            self._viewed_stages.clear()
            self._show_workflow()

    def _connect_session(self) -> bool:
        """Follow the status of the project's session if this window serves it.

        Return whether this window serves a session of the project.
        """
        controller = controller_of(self._project)
        if controller is not self._controller:
            self._controller, self._seen_state = controller, ()
            if controller is not None:
                controller.status_changed.connect(self._show_session)
        return controller is not None

    def _show_session(self, session: "SessionStatus") -> None:
        judged_count, total_count = session.judgment_counts
        report = self._controller.rounds_report if self._controller else None
        open_session = OpenSession(
            len(session.participants),
            judged_count,
            total_count,
            paused=session.state == PAUSED,
            rounds=report is not None and not report["over"],
            is_ending=session.state == ENDED,
        )
        if self._status and self._controller and self._status.session != open_session:
            self._status = replace(self._status, session=open_session)
            self._show_workflow()

    def _show_workflow(self) -> None:
        if self._status is None:
            return
        workflow = self._workflow = make_workflow(self._status)
        action, *others = ACTIONS[workflow.current_stage]
        if workflow.current_stage == "pool" and self._status.qrels:
            others = ["evaluate"]  # values can be computed without a pool
        elif self._status.has_only_imported_qrels:
            others = ["build-pool"]
        elif workflow.current_stage == "assign" and self._status.has_ended_session:
            others = ["evaluate", "session"]  # judgments of the ended session can be evaluated
        self._reason_label.setText(translate_message(workflow.reason))
        self._stages_label.setToolTip(escape_markup(self._reason_label.text()))
        self._offer(self.now, action)
        self._emphasise()
        for stage_button, other in zip(self.others, (*others, "", ""), strict=False):
            self._offer(stage_button, other)
        self._fit()
        self.show()
        self.status_changed.emit(action)

    def _offer(self, stage_button: QPushButton, action: str) -> None:
        """Set the action and the label of a button.

        On the page that belongs to the action, the button has no action, so that it is hidden.
        """
        self._actions[stage_button] = (
            "" if action and self._page in (action, BY_ID[action].page) else action
        )
        if action:
            stage_button.setText(BY_ID[action].label)
            bind_key_cap(action, stage_button.setToolTip, stage_button)

    def _fit(self) -> None:
        is_tiny = self.width() < scale_length(VERY_NARROW_WIDTH)
        self._reason_label.setVisible(not is_tiny)
        self.now.setVisible(bool(self._actions[self.now]))
        narrow = self.width() < scale_length(NARROW_WIDTH)
        for other, has_room in zip(self.others, (not is_tiny, not narrow), strict=True):
            other.setVisible(
                bool(self._actions[other]) and (has_room or not self._actions[self.now])
            )
        if self._workflow is not None:
            stages = self._workflow.stages
            if narrow:
                index = [stage.name for stage in stages].index(self._workflow.current_stage)
                self._stages_label.setText(
                    escape(
                        filled(
                            self.tr("Step {at} of {count}: {counted}"),
                            at=index + 1,
                            count=len(stages),
                            counted=_stage_label(stages[index]),
                        )
                    )
                )
            else:
                self._stages_label.setText(" \u00a0·\u00a0 ".join(map(_link_stage, stages)))

    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        if event.type() == QEvent.Type.StyleChange and self._workflow:
            QTimer.singleShot(0, self, self._fit)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        if self._workflow:
            QTimer.singleShot(0, self, self._fit)


def _link_stage(stage: Stage) -> str:
    label = escape(_stage_label(stage)).replace(" ", "\u00a0")
    marked_labels = {"done": f"✓\u00a0{label}", "now": f"<b>▸\u00a0{label}</b>", "ahead": label}
    style = f"color: {current_theme().quiet}; text-decoration: none"
    return f'<a href="{ACTIONS[stage.name][0]}" style="{style}">{marked_labels[stage.state]}</a>'


def _stage_label(stage: Stage) -> str:
    if not stage.total or stage.state == "done":
        return _list_stage_names()[stage.name]
    return filled(
        translate("StepBar", "{names} {done} of {total}"),
        names=_list_stage_names()[stage.name],
        done=f"{stage.done_count:,}",
        total=f"{stage.total:,}",
    )


def _list_stage_names() -> dict[str, str]:
    return {
        "runs": translate("StepBar", "Runs"),
        "pool": translate("StepBar", "Pool"),
        "assign": translate("StepBar", "Assign"),
        "judge": translate("StepBar", "Judge"),
        "merge": translate("StepBar", "Merge"),
        "session": translate("StepBar", "Session"),
        "agreement": translate("StepBar", "Agreement"),
        "decide": translate("StepBar", "Adjudicate"),
        "qrels": translate("StepBar", "Qrels"),
        "evaluate": translate("StepBar", "Evaluate"),
        "report": translate("StepBar", "Report"),
        "preferences": translate("StepBar", "Preferences"),
    }
