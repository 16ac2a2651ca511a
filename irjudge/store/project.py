"""Project file: an SQLite file with a collection, runs, pools, qrels and judgments."""

import json
import os
import secrets
from collections.abc import Callable, Iterator, Mapping
from contextlib import AbstractContextManager, contextmanager
from pathlib import Path
from types import TracebackType
from typing import TYPE_CHECKING, Any, TypeVar

from irjudge.errors import IrjudgeError, ProjectBusy, ProjectDamaged, ProjectError, ProjectReadOnly
from irjudge.formats.bytes import get_copy_mode, replace_surrogates
from irjudge.message import Message, join_messages
from irjudge.model import AUXILIARY_KINDS, AuxiliaryTable, Scale
from irjudge.progress import SILENT, Progress
from irjudge.store.assignments import Assignments, Sessions
from irjudge.store.collection import Collection
from irjudge.store.connection import ChangeCounter, Connection, new_file
from irjudge.store.events import EventLog
from irjudge.store.lock_and_journals import PROJECT_SUFFIX, partial_path, publish_file
from irjudge.store.rankings import Rankings
from irjudge.store.soundness import RESCUE_ADVICE, check_soundness

if TYPE_CHECKING:
    from irjudge.store.rescue_project import Damage, RescueReport
    from irjudge.store.verify import FileVerdict

# Projects

OWNER_KEY = "owner"
SEED_BITS = 128  # a shorter seed could be guessed from the order of items in an assignment file
# keys of settings
INSTRUCTIONS, CALIBRATION, AUXILIARY_FILES = "instructions", "calibration", "side files"
Calibration = dict[str, dict[str, int]]
# errors that can be raised when data of an unexpected format is parsed
PARSE_ERRORS = (ValueError, LookupError, TypeError, AttributeError, RecursionError, OverflowError)
T = TypeVar("T")


class Project:
    """Open project file: settings, collection, rankings, events, assignments and sessions.

    `open_project` opens a project for reading or for writing; call `close` after use.
    `create_project` is a context manager that creates a project. Values that are computed from the
    file can be cached until the file changes. If a damaged file is open for reading, `damage`
    reports its missing content.
    """

    def __init__(self, connection: Connection, damage: "Damage | None" = None) -> None:
        self._db, self._damage = connection, damage
        self._settings = (
            dict(connection.read_until_damage("SELECT name, value FROM fact"))
            if connection.writing
            else {}
        )  # `copy_to` writes these settings if the file was overwritten
        self._values_once: dict[Callable[[], Any], Any] = {}
        self._cached_values: dict[Callable[[Project], Any], tuple[ChangeCounter, Any]] = {}
        self.collection = Collection(connection)
        self.rankings = Rankings(connection, self.collection)
        self.events = EventLog(connection)
        self.assignments = Assignments(connection)
        self.sessions = Sessions(connection)

    def __enter__(self) -> "Project":
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        self.close()

    def close(self) -> None:
        """Close the file and release its lock."""
        self._db.close()
        if self._damage:
            self._damage.resources.close()

    @property
    def path(self) -> Path:
        """Absolute path of the project file."""
        return self._damage.path.absolute() if self._damage else self._db.path

    @property
    def damage(self) -> "RescueReport | None":
        """Report of the missing content of a damaged file; None if the file is undamaged."""
        return self._damage.report if self._damage else None

    @property
    def writing(self) -> bool:
        """Whether this process may write."""
        return self._db.writing

    @property
    def title(self) -> str:
        """The project's title."""
        return self.get_setting("title") or self.path.stem

    @property
    def owner(self) -> str:
        """Assessor whose grades are the qrels of the project if there are no assignments."""
        return self.get_setting("owner") or OWNER_KEY

    @property
    def has_other_assessors(self) -> bool:
        """Whether any assignment is for an assessor other than the owner."""
        return any(assignment.assessor != self.owner for assignment in self.assignments.all())

    @property
    def belongs_to(self) -> str | None:
        """Assessor for whom the file was made; None if it was made for no particular assessor."""
        return self.owner if self.owner != OWNER_KEY else None

    @property
    def instructions(self) -> str:
        """Instructions for assessors in Markdown; empty if there are none."""
        return self.get_setting(INSTRUCTIONS) or ""

    @property
    def calibration(self) -> Calibration:
        """Agreed grades of the documents shown first in each topic: topic -> document -> grade."""

        def parse_calibration(topics: Any) -> Calibration:
            return {
                str(topic): {str(document): int(grade) for document, grade in grades.items()}
                for topic, grades in topics.items()
            }

        return self.read_json_setting(
            CALIBRATION,
            {},
            "Cannot read the calibration documents in {file} ({error}).",
            parse_calibration,
        )

    @property
    def scale(self) -> Scale:
        """Scale on which documents are graded."""
        try:
            return Scale.from_json(self.get_setting("scale") or Scale.parse("0-3").to_json())
        except (
            ValueError,
            KeyError,
            TypeError,
            AttributeError,
            RecursionError,
            OverflowError,
            IrjudgeError,
        ) as error:
            raise ProjectError(
                "Cannot read the scale in {file} ({error}).", file=self.path.name, error=error
            ) from error

    @property
    def seed(self) -> int:
        """Seed of all random orders of the project."""
        try:
            return int(self.get_setting("seed") or 0)
        except ValueError as error:
            raise ProjectError(
                "Cannot read the random seed in {file}.", file=self.path.name
            ) from error

    def get_setting(self, name: str) -> str | None:
        """Return a setting of the project; None if it is not set."""
        text: str | None = self._db.get_setting(name)
        return text

    def read_json_setting(
        self,
        name: str,
        default: T,
        error_template: str = "",
        parse: Callable[[Any], T] | None = None,
    ) -> T:
        """Return a setting stored as JSON, converted by `parse`; the default if it is not set.

        If the setting is invalid or has another type than the default, raise ProjectError with the
        message `error_template` (placeholders `{file}` and `{error}`). Without a template, return
        the default instead.
        """
        text = self.get_setting(name)
        if not text:
            return default
        try:
            content = json.loads(text)
            value: T = parse(content) if parse else content
            if not isinstance(value, type(default)):
                raise TypeError(
                    Message(
                        "expected a value of type {kind}, got {value}",
                        kind=type(default).__name__,
                        value=text[:20],
                    )
                )
        except PARSE_ERRORS as error:
            if not error_template:
                return default
            raise ProjectError(error_template, file=self.path.name, error=error) from error
        return value

    def set_setting(self, name: str, value: str) -> None:
        """Store a setting of the project."""
        with self._db.transaction():
            self._db.set_setting(name, value)

    # Cached values

    @property
    def writes(self) -> ChangeCounter:
        """Counter that changes whenever the file is written, by any process."""
        return self._db.writes

    def compute_cached(self, make: Callable[..., T], progress: Progress | None = None) -> T:
        """Return the result of a function of the project, cached until the next write.

        If `progress` is given, it is passed to the function.
        """
        writes = self.writes
        cached_value = self._cached_values.get(make)
        if cached_value is None or cached_value[0] != writes:
            value = make(self) if progress is None else make(self, progress)
            cached_value = self._cached_values[make] = writes, value
        result: T = cached_value[1]
        return result

    def compute_once(self, make: Callable[[], T]) -> T:
        """Return the result of a function, which is computed once while the project is open."""
        if make not in self._values_once:
            self._values_once[make] = make()
        result: T = self._values_once[make]
        return result

    @contextmanager
    def transaction(self) -> Iterator[None]:
        """Commit the changes of the block atomically."""
        with self._db.transaction():
            yield

    def savepoint(self) -> AbstractContextManager[None]:
        """Inside a transaction, roll back the changes of the block if it raises."""
        return self._db.savepoint()

    @contextmanager
    def second_connection(self) -> Iterator["Project"]:
        """Open the file a second time, under the same lock, for a job in another thread."""
        connection = Connection(
            self._db.path, writing=self.writing, primary=self._db, name=self._db.name
        )
        try:
            yield Project(connection)
        finally:
            connection.close()

    def copy_to(self, path: Path, progress: Progress = SILENT) -> None:
        """Write a copy of the saved state, even if the file was moved or replaced.

        If the file was overwritten, the copy contains the events of `EventLog.local_events`. If the
        file still contains the same project, the copy also contains the current content of the
        file; otherwise, it contains the settings that were read when the project was opened.
        """
        temporary_path = partial_path(path)
        try:
            os.close(os.open(temporary_path, os.O_CREAT | os.O_EXCL, get_copy_mode(self.path)))
            if self._db.is_overwritten:
                self._assemble_copy(temporary_path, path.name, progress)
            else:
                self._db.backup_to(temporary_path, progress)
            publish_file(temporary_path, path)
        except OSError as error:
            raise ProjectError(
                "Cannot write {file} ({value}).", file=path.name, value=error.strerror or error
            ) from error
        finally:
            temporary_path.unlink(missing_ok=True)

    def _assemble_copy(self, temporary_path: Path, name: str, progress: Progress) -> None:
        """Write a copy of an overwritten file with the events known to this process."""
        is_same_project = self._db.is_same_project
        if is_same_project:
            self._db.backup_to(temporary_path, progress)
        else:
            temporary_path.unlink()
        connection = Connection(temporary_path, create=not is_same_project, name=name)
        temporary_path.chmod(get_copy_mode(self.path))
        try:
            copied_project = Project(connection)
            with copied_project.transaction():
                for key, value in {} if is_same_project else self._settings.items():
                    copied_project.set_setting(key, value)
                copied_project.events.append_all(self.events.local_events())
        finally:
            connection.close()

    def verify(self, progress: Progress = SILENT, *, in_background: bool = False) -> "FileVerdict":
        """Check the whole file; with `in_background`, the check does not block writers."""
        from irjudge.store.verify import verify  # noqa: PLC0415 -- not needed to open a project

        return (
            self._damage.verify(progress)
            if self._damage
            else verify(self._db, progress, in_background=in_background)
        )

    def verify_events(self, progress: Progress = SILENT) -> tuple[str, ...]:
        """Check only the event log and return descriptions of the first invalid events."""
        from irjudge.store.verify import verify_events  # noqa: PLC0415 -- as above

        return tuple(verify_events(self._damage.source if self._damage else self._db, progress)[1])


@contextmanager
def create_project(
    path: Path, *, scale: Scale, title: str = "", owner: str = OWNER_KEY
) -> Iterator[Project]:
    """Create a project and yield it, so that the block can add content.

    If the block raises an exception, no file is left."""
    metadata = {
        "title": replace_surrogates(title or path.stem),
        "owner": replace_surrogates(owner).strip() or OWNER_KEY,
        "scale": scale.to_json(),
        "seed": str(secrets.randbits(SEED_BITS)),
    }
    with new_file(path) as connection:
        project = Project(connection)
        with project.transaction():
            for name, value in metadata.items():
                project.set_setting(name, value)
            yield project


def open_project(path: Path, *, writing: bool = True, progress: Progress = SILENT) -> Project:
    """Open a project for judging; with `writing=False`, only for reading.

    A project can be opened for reading while another process judges.

    Settings, topics and events are checked. If the file is damaged, opening it for writing raises
    ProjectDamaged. If it is opened for reading, the project contains the readable content, and
    `Project.damage` reports what is missing. In this case, the whole file is read (`progress`
    receives the progress), but not changed.

    A project may be opened in one thread and used in another, but not in two at the same time.
    """
    _check_access(path)
    if path.is_dir():
        raise ProjectError(
            "{folder} is a folder; expected a project file ({suffix}).",
            folder=path.resolve().name,
            suffix=PROJECT_SUFFIX,
        )
    try:
        connection = Connection(path, writing=writing, shared_lock=True)
        try:
            check_soundness(connection)
        except BaseException:
            connection.close()
            raise
    except (ProjectBusy, ProjectReadOnly):
        raise
    except ProjectError as error:
        from irjudge.store.rescue_project import open_rescued_project, to_damage  # noqa: PLC0415 -- for damaged files alone

        damage = to_damage(error, path)
        if damage is None:
            raise
        if writing:
            raise ProjectDamaged("{error} {advice}", error=damage, advice=RESCUE_ADVICE) from error
        return Project(*open_rescued_project(path, damage, progress))
    return Project(connection)


def _check_access(path: Path) -> None:
    """Raise ProjectError if a path cannot be accessed, for example because it is too long."""
    try:
        path.stat()
    except (FileNotFoundError, NotADirectoryError):
        return  # the error is reported when the file is opened
    except (OSError, ValueError) as error:
        raise ProjectError(
            "Cannot open {path}: {value}.",
            path=path,
            value=getattr(error, "strerror", None) or error,
        ) from error


# Auxiliary files of a project, at most one of each kind


def save_auxiliary_table(project: Project, table: AuxiliaryTable) -> bool:
    """Store an auxiliary table; return whether it replaced a table of the same kind."""
    entries: dict[str, Any] = _read_auxiliary_entries(project, {})
    entry = {
        "source": table.source,
        "columns": {name: list(column) for name, column in table.columns.items()},
    }
    project.set_setting(
        AUXILIARY_FILES, json.dumps({**entries, table.kind: entry}, ensure_ascii=False)
    )
    return table.kind in entries


def read_auxiliary_tables(
    project: Project, names: frozenset[str] | None = None
) -> tuple[AuxiliaryTable, ...]:
    """Return the auxiliary tables of a project; `names` limits them to certain kinds."""

    def parse_tables(entries: Mapping[str, Mapping[str, Any]]) -> tuple[AuxiliaryTable, ...]:
        return tuple(
            AuxiliaryTable(
                name,
                {column: tuple(values) for column, values in entry["columns"].items()},
                str(entry["source"]),
            )
            for name, entry in entries.items()
            if AUXILIARY_KINDS.lookup(name) and (names is None or name in names)
        )

    return _read_auxiliary_entries(project, (), parse_tables)


def describe_auxiliary_tables(project: Project) -> str:
    """Return a text that lists the auxiliary files of a project; empty if there are none."""
    return join_messages(
        Message(
            "{title} ({file}, rows: {rows:,})",
            title=AUXILIARY_KINDS.find(table.kind).title,
            file=table.source,
            rows=len(table),
        )
        for table in read_auxiliary_tables(project)
    )


def _read_auxiliary_entries(
    project: Project, default: T, parse: Callable[[Any], T] | None = None
) -> T:
    return project.read_json_setting(
        AUXILIARY_FILES,
        default,
        "Cannot read the auxiliary files in {file}.",
        parse,
    )
