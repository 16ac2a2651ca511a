"""A project: one file that holds a collection, its runs, pools, qrels and every judgment."""

import os
import secrets
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from types import TracebackType

from irjudge.errors import ProjectError
from irjudge.formats.utf8 import without_half_characters
from irjudge.model.scale import Scale
from irjudge.progress import SILENT, Progress
from irjudge.store.collection import Collection
from irjudge.store.connection import Connection
from irjudge.store.events import EventLog
from irjudge.store.rankings import Rankings
from irjudge.store.schema import APPLICATION_ID
from irjudge.store.verify import Verdict, verify

SUFFIX = ".irjudge"
OWNER = "owner"


class Project:
    """An open project file. Use `create` or `open_project`; close it, or use it in a `with`.

    Attributes
    ----------
    collection
        Topics and documents.
    rankings
        Runs, qrels and pools.
    events
        The log of judgments; only `irjudge.judging` appends to it.
    """

    def __init__(self, connection: Connection) -> None:
        self._db = connection
        self.collection = Collection(connection)
        self.rankings = Rankings(connection, self.collection)
        self.events = EventLog(connection)

    def __enter__(self) -> "Project":
        return self

    def __exit__(self, kind: type[BaseException] | None, fault: BaseException | None, trace: TracebackType | None) -> None:
        self.close()

    def close(self) -> None:
        """Close the file; other processes may judge in it then."""
        self._db.close()

    @property
    def path(self) -> Path:
        """Where the file lies."""
        return self._db.path

    @property
    def writing(self) -> bool:
        """Whether this process may write."""
        return self._db.writing

    @property
    def title(self) -> str:
        """The project's title."""
        return self.fact("title") or self.path.stem

    @property
    def owner(self) -> str:
        """Whose grades are the qrels while there are no assignments."""
        return self.fact("owner") or OWNER

    @property
    def scale(self) -> Scale:
        """The scale documents are graded on."""
        return Scale.from_json(self.fact("scale") or Scale.parse("0-3").to_json())

    @property
    def seed(self) -> int:
        """The number from which every order of this project is drawn."""
        return int(self.fact("seed") or 0)

    def fact(self, name: str) -> str | None:
        """Return one of the project's own settings."""
        row = self._db.one("SELECT value FROM fact WHERE name = ?", (name,))
        return row[0] if row else None

    def set_fact(self, name: str, value: str) -> None:
        """Keep one of the project's own settings."""
        with self._db.transaction():
            self._db.execute("INSERT INTO fact VALUES (?, ?) ON CONFLICT (name) DO UPDATE SET value = excluded.value", (name, value))

    @contextmanager
    def transaction(self) -> Iterator[None]:
        """Make several changes durable as one, or none of them."""
        with self._db.transaction():
            yield

    @contextmanager
    def second_connection(self) -> Iterator["Project"]:
        """Open the same file again for a job in another thread, under the lock this process holds."""
        connection = Connection(self.path, writing=self.writing, beside=self._db)
        try:
            yield Project(connection)
        finally:
            connection.close()

    def verify(self, progress: Progress = SILENT) -> Verdict:
        """Check the file, each event and each document."""
        return verify(self._db, progress)


@contextmanager
def create(path: Path, *, scale: Scale, title: str = "", owner: str = OWNER) -> Iterator[Project]:
    """Make a new project and fill it; when the block fails, no file is left.

    Raises
    ------
    ProjectError
        When the file exists or cannot be made.
    """
    if path.exists():
        raise ProjectError(f"{path.name} exists already. Choose another name; nothing was overwritten.")
    part = path.with_name(f".{path.name}.{secrets.token_hex(4)}.part")  # a crash leaves no half-filled project under the name
    connection = Connection(part, create=True, name=path.name)
    project, done = Project(connection), False
    facts = {
        "title": without_half_characters(title or path.stem),
        "owner": owner,
        "scale": scale.to_json(),
        "seed": str(secrets.randbits(31)),
    }
    try:
        with project.transaction():
            for name, value in facts.items():
                project.set_fact(name, value)
            yield project
        done = True
    finally:
        if done:
            connection.close()
            _give_name(part, path)
        else:
            connection.discard()


def _give_name(part: Path, path: Path) -> None:
    """Give a finished project its name, over nothing that came to stand there meanwhile."""
    try:
        os.link(part, path)
    except FileExistsError as fault:
        part.unlink()
        raise ProjectError(f"{path.name} exists already. Choose another name; nothing was overwritten.") from fault
    except OSError:  # a file system without links
        part.rename(path)
        return
    part.unlink()


def is_project(path: Path) -> bool:
    """Tell whether a file is a project, by its first bytes and not by its name."""
    try:
        with path.open("rb") as file:
            head = file.read(72)
    except OSError:
        return False
    return head.startswith(b"SQLite format 3\0") and head[68:72] == APPLICATION_ID.to_bytes(4, "big")


def open_project(path: Path, *, writing: bool = True) -> Project:
    """Open a project, for judging or (`writing=False`) for reading beside whoever judges.

    Raises
    ------
    ProjectBusy
        When another process judges in it.
    ProjectError
        When it is not there, not a project, damaged, or newer than this program.
    """
    if path.is_dir():
        raise ProjectError(f"{path.name} is a folder, expected a project file ({SUFFIX}).")
    return Project(Connection(path, writing=writing))
