"""Controllers of sessions that this window serves."""

import time
from collections.abc import Callable, Mapping
from concurrent.futures import Future
from pathlib import Path
from typing import TYPE_CHECKING, Any

from PySide6.QtCore import QObject, QTimer, Signal

from irjudge.errors import IrjudgeError
from irjudge.progress import SILENT, Progress
from irjudge.store import Project, project_postings
from irjudge.web import live_results
from irjudge_ui import jobs

if TYPE_CHECKING:
    from irjudge.web import Server, SessionOptions, SessionStatus, SharedSession

STATUS_MS = 500  # interval between status requests
RESPONSE_MS = 20  # interval between checks for a response to pending requests
RESULT_SECONDS = 3.0  # minimum time between updates of results
COMPUTING_TIME_FACTOR = 10  # minimum time between jobs, as a multiple of the computing time


class RepeatedJob:
    """Background job that is repeated at a limited rate, and only after changes of a session.

    `seconds` is the minimum time between the end of a job and the next one. Such jobs compute the
    results for the big screen and the quality of participants.
    """

    def __init__(self, job: jobs.LatestJob, seconds: float) -> None:
        self._job, self._seconds = job, seconds
        self.reset()

    def reset(self) -> None:
        self._job.stop()
        self.restart()

    def restart(self) -> None:
        """Let the next call of `run_if_due` start a job, even if it is early or nothing changed."""
        self.next_start = 0.0
        self.state: object = None  # state of the session for the last job

    def run_if_due(
        self,
        state: object,
        function: Callable[[Progress], Any],
        on_done: Callable[[Any], None],
        on_failed: jobs.Failure,
    ) -> None:
        """Run a function unless a job is running, it is too early, or nothing has changed.

        `state` is compared with that of the last job, such as `SessionStatus.judgment_state`.
        """
        started = time.monotonic()
        if self._job.busy or state == self.state or started < self.next_start:
            return
        self.state = state

        def finish(result: Any) -> None:
            now = time.monotonic()
            self.next_start = now + max(self._seconds, COMPUTING_TIME_FACTOR * (now - started))
            on_done(result)

        self._job.run(function, finish, on_failed)


class SessionController(QObject):
    """Interface of the window to a session that it serves; only `stop` blocks the window.

    The session's server runs in this process. `do` runs a function on the session, and passes its
    result to a callback; `ask` executes a host command by name, as a browser can. The controller
    also polls the status. After each poll, changed or not, `status_changed` is emitted with a
    `SessionStatus` and `rounds` with the state of the norming rounds (None if there are none).
    `results` is emitted with `LiveResults`, which are computed in the background while
    `is_watching`, and `failed` with an error message.
    """

    status_changed = Signal(object)
    rounds = Signal(object)
    results = Signal(object)
    failed = Signal(str)

    def __init__(self, server: "Server", address: str, project: Project) -> None:
        super().__init__()
        self._project = project
        self._results_job = RepeatedJob(jobs.LatestJob(), RESULT_SECONDS)
        self.is_watching = False  # whether results are displayed
        self.server, self.address = server, f"http://{address}:{server.port}"
        self.link = f"{self.address}/#{server.code}"
        self.status: SessionStatus | None = None  # last reported status
        # last reported state of the norming rounds; None if there are none
        self.rounds_report: Mapping[str, Any] | None = None
        self.links: dict[str, str] = {}  # personal links created by this window, by participant id
        self._pending_requests: list[tuple[Future[Any], Callable[[Any], object]]] = []
        self._timer = QTimer(self)
        self._timer.timeout.connect(self._poll)
        self._timer.start(RESPONSE_MS)

    def do(
        self,
        work: "Callable[[SharedSession], Any]",
        on_done: Callable[[Any], object] = lambda _done: None,
    ) -> None:
        """Run a host action; `on_done` is called with its result once the action is saved."""
        self._pending_requests.append((self.server.writer.do(work), on_done))
        self._timer.start(RESPONSE_MS)

    def ask(self, command: str, **values: Any) -> None:
        """Execute a host command, as if it came from a browser."""
        from irjudge.web import run_host_request  # noqa: PLC0415 -- loaded with the server

        self.do(lambda session: run_host_request(session, command, values))

    def watch(self, enabled: bool) -> None:
        self.is_watching = enabled
        self._results_job.restart()

    def _poll(self) -> None:
        # `_pending_requests` is replaced first, since a callback may add further commands to it
        pending, self._pending_requests = self._pending_requests, []
        still_pending = []
        for future, callback in pending:
            if not future.done():
                still_pending.append((future, callback))
            elif isinstance(error := future.exception(), IrjudgeError):
                self.failed.emit(str(error))
            else:
                callback(future.result())
        self._pending_requests = still_pending + self._pending_requests
        if not pending:
            self.do(_read_status, self._publish_status)
        elif not self._pending_requests:
            self._timer.start(STATUS_MS)

    def _publish_status(self, report: "tuple[SessionStatus, Mapping[str, Any] | None]") -> None:
        self.status, self.rounds_report = report
        self.status_changed.emit(self.status)
        self.rounds.emit(self.rounds_report)
        if self.is_watching:
            self._results_job.run_if_due(
                self.status.judgment_state,
                jobs.on_project(self._project, live_results),
                self.results.emit,
                lambda error, _trace: self.failed.emit(str(error)),
            )

    def stop(self) -> None:
        """Stop the server, which takes at most two seconds, and delete this object."""
        self._timer.stop()
        self._results_job.reset()
        self.server.stop()
        self.deleteLater()


def _read_status(session: "SharedSession") -> "tuple[SessionStatus, Mapping[str, Any] | None]":
    from irjudge.web import round_status  # noqa: PLC0415 -- loaded with the server

    return session.status(), round_status(session)


_running: dict[Project, SessionController] = {}
# controllers of ended sessions, whose servers still notify open pages
_ended_controllers: dict[Project, SessionController] = {}


def controller_of(project: Project | None) -> SessionController | None:
    """Return the controller of a project's session; None if this window does not serve it."""
    return _running.get(project) if project else None


def open_controller(project: Project, server: "Server", address: str) -> SessionController:
    """Create and register the controller for a started server; see `controller_of`."""
    controller = _running[project] = SessionController(server, address, project)
    return controller


def close_controller(project: Project | None) -> None:
    """Stop the servers of a project's running session and of its ended session, if any."""
    for controllers in (_running, _ended_controllers):
        if project in controllers:
            controllers.pop(project).stop()


def retire_controller(project: Project, seconds: float) -> None:
    """Stop the server of an ended session after `seconds`, so that open pages are notified.

    `controller_of` returns None from now on.
    """
    controller = _ended_controllers[project] = _running.pop(project)

    # Qt cancels the call if the controller is deleted earlier
    QTimer.singleShot(round(seconds * 1000), controller, lambda: close_ended(project))


def close_ended(project: Project) -> None:
    """Stop the server of a project's ended session, if it is still running."""
    if project in _ended_controllers:
        _ended_controllers.pop(project).stop()


def make_server(
    project: Project,
    options: "SessionOptions | None",
    host: str,
    cache: Path,
    progress: Progress = SILENT,
) -> "Server":
    """Start the server of a new session or, if `options` is None, of the unfinished session.

    The function is slow, so it must be called in the background.
    """
    from irjudge.web import (  # noqa: PLC0415 -- .2 s that the start of the window does not pay
        Server,
        ServerAddress,
        SessionOptions,
        begin_session,
        find_resumable,
        local_names,
        open_project_session,
    )

    if options and options.finds:
        with project.second_connection() as job_project:
            # index the documents now, so that participants need not wait
            project_postings(job_project, cache, progress)

    def begin(project: Project) -> Any:
        unfinished = find_resumable(project) if options is None else None
        return unfinished or begin_session(project, options or SessionOptions())

    server = Server(
        project.path,
        open_project_session(project.second_connection, begin),
        ServerAddress(host, None, local_names()),
    )
    server.start()
    return server
