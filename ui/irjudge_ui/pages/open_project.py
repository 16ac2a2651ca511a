"""Opening of project files: for writing, read-only, or after rescue."""

from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from PySide6.QtCore import QEvent, QObject, Signal
from PySide6.QtGui import QDropEvent
from PySide6.QtWidgets import QWidget

from irjudge.errors import IrjudgeError, ProjectBusy, ProjectDamaged, ProjectReadOnly
from irjudge.exchange import TASK_SUFFIX
from irjudge.judging import (
    Session,
    describe_uncounted,
    find_learning_options,
    list_qrels_choices,
    open_learning_session,
    prepare_learning,
    read_comparison_rules,
)
from irjudge.message import Message
from irjudge.model import Scale
from irjudge.progress import Progress
from irjudge.store import (
    PROJECT_SUFFIX,
    RESCUE_ADVICE,
    ImportReport,
    Project,
    open_project,
    rescue_file,
)
from irjudge_ui.actions import BY_ID
from irjudge_ui.file_dialogs import accept_as_copy, ask_file, ask_save_path
from irjudge_ui.messages import filled, join_sentences, translate_message
from irjudge_ui.pages.shared import BRIEFED_PROJECTS, InstructionsDialog
from irjudge_ui.settings import Settings
from irjudge_ui.widgets import Dialog, ask


@dataclass(frozen=True, slots=True)
class OpenedProject:
    """Opened project with its judging session, warnings, and the reason if it is read-only.

    The session is None if judging is not possible, for example if the project is read-only or
    has no pool. `uncounted` are warnings about judgments that are not counted; None if this was
    not checked.
    """

    project: Project
    session: Session | None = None
    read_only_reason: str = ""
    # messages about judgments that are not counted; None if this was not checked
    uncounted: tuple[str, ...] | None = None


class ProjectOpener(QObject):
    """Object that opens projects in the background, and asks the user about problems.

    Problems are a damaged file, which can be opened read-only or rescued as a new file, and a file
    made for an assessor whose name is not one of the user's names in the settings. A project that
    another process writes to, or whose file cannot be written, is opened read-only. `ready` is
    emitted with an `OpenedProject` and the report given to `open` (None if none was given or the
    user was asked), `message_shown` with a message, `job_requested` with a job: title,
    function(progress), on_done(result).
    """

    ready = Signal(object, object)
    message_shown = Signal(str)
    job_requested = Signal(str, object, object)

    def __init__(self, parent: QWidget, settings: Settings) -> None:
        super().__init__(parent)
        self._parent, self._settings = parent, settings
        self.job_title = self.tr("Opening the project")

    def ask_file(self) -> Path | None:
        return ask_file(
            self._parent, BY_ID["open"].label, f"irjudge (*{PROJECT_SUFFIX} *{TASK_SUFFIX})"
        )

    def open(
        self,
        path: Path,
        report: ImportReport | None = None,
        on_opened: Callable[[], None] = lambda: None,
    ) -> None:
        """Open a project in the background, read-only if another process writes to it.

        `on_opened` is called after `ready` was emitted.
        """

        def on_done(result: OpenedProject | ProjectDamaged) -> None:
            if isinstance(result, ProjectDamaged):
                self._ask_damaged(path, _without_advice(str(result)))
                return
            owner = result.project.belongs_to
            if result.project.writing and owner and owner not in self._settings.names():
                self._confirm_assessor(result, owner, path)
                return
            self.ready.emit(result, report)
            if result.uncounted:
                self.message_shown.emit(join_sentences(*map(translate_message, result.uncounted)))
            on_opened()

        self.job_requested.emit(
            self.job_title,
            lambda progress: _open(path, self._settings.cache, progress),
            on_done,
        )

    def _confirm_assessor(self, opened_project: OpenedProject, owner: str, path: Path) -> None:
        project = opened_project.project
        is_unstarted = project.events.head(owner) is None

        def judge() -> None:
            self._settings.add_name(owner)
            BRIEFED_PROJECTS.add(project)
            self.ready.emit(opened_project, None)

        def open_read_only() -> None:
            project.close()
            self.ready.emit(
                OpenedProject(
                    open_project(path, writing=False),
                    read_only_reason=filled(self.tr("This file belongs to {owner}."), owner=owner),
                ),
                None,
            )

        message = filled(
            self.tr("{path} belongs to {owner}. Judgments made in this file count as {owner}'s."),
            path=path.name,
            owner=owner,
        )
        own_choice = self.tr("Start as {owner}") if is_unstarted else self.tr("Continue as {owner}")
        choices = [
            (self.tr("Not my file"), project.close),
            (self.tr("Open read-only"), open_read_only),
            (filled(own_choice, owner=owner), judge),
        ]
        dialog: Dialog
        if is_unstarted and project.instructions:
            dialog = InstructionsDialog(
                self._parent,
                project.instructions,
                _assigned_scale(project),
                float(self._settings.get("zoom")),
                choices,
                note=message,
            )
            dialog.open()
        else:
            dialog = ask(self._parent, self.tr("Is this your file?"), message, choices)
        dialog.rejected.connect(project.close)

    # Damaged files

    def _ask_damaged(self, path: Path, error: str) -> None:
        advice = self.tr(
            "The readable part of the project can be viewed or saved as a new project. The "
            "damaged file stays unchanged."
        )
        ask(
            self._parent,
            self.tr("This file is damaged"),
            f"{translate_message(error)}\n\n{advice}",
            [
                (self.tr("Leave unchanged"), None),
                (self.tr("Open read-only"), lambda: self._open_read_only(path, error)),
                (self.tr("Save readable part"), lambda: self._ask_rescue(path)),
            ],
        )

    def _open_read_only(self, path: Path, error: str) -> None:
        def on_done(project: Project) -> None:
            uncounted = describe_uncounted(project)
            self.ready.emit(
                OpenedProject(
                    project,
                    read_only_reason=join_sentences(
                        translate_message(error),
                        *map(translate_message, project.damage.sentences if project.damage else ()),
                        *map(translate_message, uncounted),
                    ),
                    uncounted=uncounted,
                ),
                None,
            )

        self.job_requested.emit(
            self.tr("Reading the remaining data"),
            lambda progress: open_project(path, writing=False, progress=progress),
            on_done,
        )

    def _ask_rescue(self, path: Path) -> None:
        target, _ = ask_save_path(
            self._parent,
            self.tr("Save readable part"),
            path.with_name(f"{path.stem}-rescued{PROJECT_SUFFIX}"),
            f"irjudge (*{PROJECT_SUFFIX})",
        )
        if target:
            self.rescue(path, target)

    def rescue(self, path: Path, target: Path) -> None:
        """Save the readable parts of a damaged project as a new one, and open it.

        The data that are lost are reported.
        """

        def on_done(report: Any) -> None:
            message = join_sentences(
                filled(self.tr("Saved as {path}."), path=target.name),
                *(list(map(translate_message, report.sentences)) or [self.tr("Nothing was lost.")]),
            )
            self.open(target, on_opened=lambda: self.message_shown.emit(message))

        self.job_requested.emit(
            self.tr("Saving the readable part of the project"),
            lambda progress: rescue_file(path, target, progress),
            on_done,
        )


class FileDrops(QObject):
    """Event filter that accepts files dropped on a window, unless `is_blocked` returns True.

    `dropped` is emitted with the paths of the projects, assignment files and browser results among
    the files; the other files are then ignored. If there are none of these, `data_dropped` is
    emitted with the paths of all files.
    """

    dropped = Signal(list)
    data_dropped = Signal(list)

    def __init__(self, window: QWidget, is_blocked: Callable[[], bool]) -> None:
        super().__init__(window)
        self._is_blocked = is_blocked
        window.setAcceptDrops(True)
        window.installEventFilter(self)

    def eventFilter(self, _window: QObject, event: QEvent) -> bool:
        if not isinstance(event, QDropEvent):  # base class of all events of dragging and dropping
            return False
        paths = [Path(url.toLocalFile()) for url in event.mimeData().urls() if url.isLocalFile()]
        project_files = [
            path
            for path in paths
            if path.suffix in (PROJECT_SUFFIX, TASK_SUFFIX)
            or (path.suffix == ".json" and ".result" in path.name)
        ]
        is_accepted = bool(paths) and not self._is_blocked() and accept_as_copy(event)
        if is_accepted and event.type() == QEvent.Type.Drop:
            (self.dropped if project_files else self.data_dropped).emit(project_files or paths)
        return is_accepted


def create_session(project: Project) -> Session | None:
    """Return the judging session of a project; None if it cannot be judged.

    A project cannot be judged if it is read-only, has no pool, or is not yet prepared for active
    learning.
    """
    if not project.writing:
        return None
    if find_learning_options(project):
        return open_learning_session(project)
    return Session(project) if project.rankings.pool_version() else None


def _assigned_scale(project: Project) -> Scale | None:
    """Return the scale of a project; None if it is for a comparison that does not use grades."""
    assignment = project.assignments.assessor_assignment()
    if assignment is not None and assignment.mode == "side-by-side":
        with suppress(IrjudgeError):  # the error is reported when the comparison begins
            return project.scale if read_comparison_rules(project, assignment).grading else None
    return project.scale


def _without_advice(text: str) -> str:
    """Return an error message about damage, without the advice to use the command line."""
    return (
        text.values["error"]
        if isinstance(text, Message) and text.values.get("advice") == RESCUE_ADVICE
        else text
    )


# Background work


def _open(path: Path, cache: Path, progress: Progress) -> OpenedProject | ProjectDamaged:
    """Open a project, and read the data needed to show the first document.

    The function is called in the background.
    """
    progress.step(0, None, "")
    try:
        project = open_project(path, progress=progress)
    except (ProjectBusy, ProjectReadOnly) as error:
        return OpenedProject(
            open_project(path, writing=False, progress=progress),
            read_only_reason=translate_message(str(error)),
        )
    except ProjectDamaged as error:
        return error
    try:
        try:
            if project.writing and find_learning_options(project):
                prepare_learning(project, cache, progress)
            session = create_session(project)
        except ProjectDamaged as error:  # for example because an event is missing
            project.close()
            return error
        if session:
            session.current()
            session.fetch_ahead()
        # called to read and cache the judgments of all assessors, so that pages need not read them
        list_qrels_choices(project)
        progress.step(0, None, "")  # raises `Cancelled` if the user cancelled the job
    except BaseException:
        project.close()
        raise
    return OpenedProject(project, session, uncounted=describe_uncounted(project))
