"""The session that this window serves: it outlives the page that began it, and ends with the project."""

from collections.abc import Callable
from concurrent.futures import Future
from pathlib import Path
from typing import TYPE_CHECKING, Any

from PySide6.QtCore import QObject, QTimer, Signal

from irjudge.errors import IrjudgeError
from irjudge.progress import SILENT, Progress
from irjudge.store.project import Project
from irjudge.store.search_index import project_postings

if TYPE_CHECKING:
    from irjudge.web.server import Server
    from irjudge.web.session import SharedSession
    from irjudge.web.session_wish import SessionWish
    from irjudge.web.standing import SessionStanding

LOOK_MS = 500


class Hall(QObject):
    """Asks the session how it stands, again and again, and never waits for it.

    `stands` brings a `SessionStanding`, `failed` a sentence that says what could not be done.
    """

    stands = Signal(object)
    failed = Signal(str)

    def __init__(self, server: "Server", address: str) -> None:
        super().__init__()
        self.server, self.link = server, f"http://{address}:{server.port}/#{server.code}"
        self.address = f"http://{address}:{server.port}"
        self.standing: SessionStanding | None = None  # as it was told last
        self.links: dict[str, str] = {}  # personal ones that were made here, by id
        self._asked: list[tuple[Future[Any], Callable[[Any], object]]] = []
        self._timer = QTimer(self)
        self._timer.setInterval(LOOK_MS)
        self._timer.timeout.connect(self._look)
        self._timer.start()

    def do(self, work: "Callable[[SharedSession], Any]", then: Callable[[Any], object] = lambda _done: None) -> None:
        """Let the session do something; `then` is called here with what it gives, once that is on the disk."""
        self._asked.append((self.server.writer.do(work), then))

    def _look(self) -> None:
        waiting = []
        for future, then in self._asked:
            if not future.done():
                waiting.append((future, then))
            elif isinstance(fault := future.exception(), IrjudgeError):
                self.failed.emit(str(fault))
            else:
                then(future.result())
        self._asked = waiting
        if not waiting:
            self.do(lambda session: session.standing(), self._tell)

    def _tell(self, standing: "SessionStanding") -> None:
        self.standing = standing
        self.stands.emit(standing)

    def stop(self) -> None:
        """Answer browsers no more; takes two seconds at most."""
        self._timer.stop()
        self.server.stop()
        self.deleteLater()


_running: dict[int, tuple[Project, Hall]] = {}


def hall_of(project: Project | None) -> Hall | None:
    """Return the session that is served from a project; None where there is none."""
    return _running.get(id(project), (None, None))[1]


def open_hall(project: Project, server: "Server", address: str) -> Hall:
    """Keep a server that was started."""
    made = Hall(server, address)
    _running[id(project)] = project, made
    return made


def close_hall(project: Project | None) -> None:
    """Stop the session that is served from a project, if there is one."""
    _, hall = _running.pop(id(project), (None, None))
    if hall:
        hall.stop()


def make_server(project: Project, wish: "SessionWish | None", host: str, cache: Path, progress: Progress = SILENT) -> "Server":
    """Return a started server of a new session, or (None) of the one that has not ended; run it beside the window."""
    from irjudge.web.addresses import own_names  # noqa: PLC0415
    from irjudge.web.server import Server, ServerAddress  # noqa: PLC0415 -- a fifth of a second that the window's start does not pay
    from irjudge.web.session_wish import SessionWish, begin_session, resumable  # noqa: PLC0415
    from irjudge.web.stores.in_project import kept_in_project  # noqa: PLC0415

    if wish and wish.finds:
        with project.second_connection() as other:
            project_postings(other, cache, progress)  # before anybody waits for it

    def begin(opened: Project) -> Any:
        kept = resumable(opened) if wish is None else None
        return kept or begin_session(opened, wish or SessionWish())

    server = Server(project.path, kept_in_project(project.second_connection, begin), ServerAddress(host, None, own_names()))
    server.start()
    return server
