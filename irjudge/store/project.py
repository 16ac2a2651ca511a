"""Project file: one SQLite file with a collection, runs, pools, qrels and judgments."""

import json
import os
import secrets
from collections.abc import Callable, Iterator, Mapping
from contextlib import AbstractContextManager, contextmanager
from pathlib import Path
from types import TracebackType
from typing import TYPE_CHECKING, Any, TypeVar

from irjudge.errors import IrjudgeError, ProjectBusy, ProjectDamaged, ProjectError, ProjectReadOnly
from irjudge.formats.bytes import private_mode, replace_surrogates
from irjudge.message import Message
from irjudge.model import AUXILIARY_KINDS, AuxiliaryTable, Scale
from irjudge.progress import SILENT, Progress
from irjudge.store.assignments import Assignments
from irjudge.store.collection import Collection
from irjudge.store.connection import ChangeCounter, Connection, new_file
from irjudge.store.events import EventLog
from irjudge.store.lock_and_journals import partial_path, publish_file
from irjudge.store.rankings import Rankings
from irjudge.store.sessions import Sessions
from irjudge.store.soundness import check_soundness

if TYPE_CHECKING:
    from irjudge.store.rescue_project import Damage, RescueReport
    from irjudge.store.verify import FileVerdict

# A project: one file that holds a collection, its runs, pools, qrels and every judgment.

SUFFIX = ".irjudge"
OWNER = "owner"
SEED_BITS = 128  # with fewer, all could be tried on the order of an assignment file
RESCUE_ADVICE = Message(
    "It can be opened for reading; `irjudge rescue` makes a sound project of what can be read. A backup may hold more."
)
INSTRUCTIONS, CALIBRATION, AUXILIARY_FILES = "instructions", "calibration", "side files"  # facts
Calibration = dict[str, dict[str, int]]
PARSE_ERRORS = (
    ValueError,
    LookupError,
    TypeError,
    AttributeError,
    RecursionError,
    OverflowError,
)  # what data of another form leads to
T = TypeVar("T")


class Project:
    """An open project file. Use `create_project` or `open_project`; close it, or use it in a `with`."""

    def __init__(self, connection: Connection, damage: "Damage | None" = None) -> None:
        self._db, self._damage = connection, damage
        self._settings = (
            dict(connection.readable("SELECT name, value FROM fact")) if connection.writing else {}
        )  # for a copy
        self._kept: dict[Callable[[], Any], Any] = {}
        self._derived: dict[Callable[[Project], Any], tuple[ChangeCounter, Any]] = {}
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
        fault: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.close()

    def close(self) -> None:
        """Close the file; other processes may judge in it then."""
        self._db.close()
        if self._damage:
            self._damage.held.close()

    @property
    def path(self) -> Path:
        """Where the file lies."""
        return self._damage.path.absolute() if self._damage else self._db.path

    @property
    def damage(self) -> "RescueReport | None":
        """What of a damaged file could be read and what is missing; None where nothing is known to be damaged."""
        return self._damage.report if self._damage else None

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
    def handed_out(self) -> bool:
        """Whether work was handed out to others than the owner."""
        return any(each.assessor != self.owner for each in self.assignments.all())

    @property
    def belongs_to(self) -> str | None:
        """Who is to judge in this file; None where it is nobody in particular."""
        return self.owner if self.owner != OWNER else None

    @property
    def instructions(self) -> str:
        """What assessors are to do, in Markdown; empty where the organiser gave none."""
        return self.fact(INSTRUCTIONS) or ""

    @property
    def calibration(self) -> Calibration:
        """The documents a topic opens with, whose grades are agreed: topic -> document -> grade."""

        def read(topics: Any) -> Calibration:
            return {
                str(topic): {str(document): int(grade) for document, grade in grades.items()}
                for topic, grades in topics.items()
            }

        return self.read_json_fact(
            CALIBRATION, {}, "The calibration documents of {file} cannot be read ({fault}).", read
        )

    @property
    def scale(self) -> Scale:
        """The scale documents are graded on."""
        try:
            return Scale.from_json(self.fact("scale") or Scale.parse("0-3").to_json())
        except (
            ValueError,
            KeyError,
            TypeError,
            AttributeError,
            RecursionError,
            OverflowError,
            IrjudgeError,
        ) as fault:
            raise ProjectError(
                "The scale of {file} cannot be read ({fault}).", file=self.path.name, fault=fault
            ) from fault

    @property
    def seed(self) -> int:
        """The number from which every order of this project is drawn."""
        try:
            return int(self.fact("seed") or 0)
        except ValueError as fault:
            raise ProjectError("The seed of {file} cannot be read.", file=self.path.name) from fault

    def fact(self, name: str) -> str | None:
        """Return one of the project's own settings."""
        row = self._db.one("SELECT value FROM fact WHERE name = ?", (name,))
        return row[0] if row else None

    def read_json_fact(
        self, name: str, default: T, unreadable: str = "", read: Callable[[Any], T] | None = None
    ) -> T:
        """Return a setting that is kept as JSON, as `read` understands it; the default where nothing is kept.

        What cannot be read, or is of another type than the default, raises `ProjectError` with the words of `unreadable`, in which `{file}`
        and `{fault}` may stand; it is the default again where no words are given.
        """
        fact = self.fact(name)
        if not fact:
            return default
        try:
            said = json.loads(fact)
            found: T = read(said) if read else said
            if not isinstance(found, type(default)):
                raise TypeError(
                    Message(
                        "expected a {kind}, got {fact}", kind=type(default).__name__, fact=fact[:20]
                    )
                )
        except PARSE_ERRORS as fault:
            if not unreadable:
                return default
            raise ProjectError(unreadable, file=self.path.name, fault=fault) from fault
        return found

    def set_fact(self, name: str, value: str) -> None:
        """Keep one of the project's own settings."""
        with self._db.transaction():
            self._db.execute(
                "INSERT INTO fact VALUES (?, ?) ON CONFLICT (name) DO UPDATE SET value = excluded.value",
                (name, value),
            )

    # What others make of the project, and keep with it

    @property
    def writes(self) -> ChangeCounter:
        """What is another once anything was written in the file, here or by anybody else."""
        return self._db.writes

    def compute_cached(self, make: Callable[["Project"], T]) -> T:
        """Return what a function makes of the project; it is made anew only once something was written."""
        writes = self.writes
        known = self._derived.get(make)
        if known is None or known[0] != writes:
            known = self._derived[make] = writes, make(self)
        found: T = known[1]
        return found

    def kept(self, make: Callable[[], T]) -> T:
        """Return what a function makes, made once for as long as the project is open: what follows the file by itself."""
        if make not in self._kept:
            self._kept[make] = make()
        found: T = self._kept[make]
        return found

    @contextmanager
    def transaction(self) -> Iterator[None]:
        """Make several changes durable as one, or none of them."""
        with self._db.transaction():
            yield

    def savepoint(self) -> AbstractContextManager[None]:
        """Inside a transaction, take back what happens here, and nothing else, where it raises."""
        return self._db.savepoint()

    @contextmanager
    def second_connection(self) -> Iterator["Project"]:
        """Open the same file again for a job in another thread, under the lock this process holds."""
        connection = Connection(
            self._db.path, writing=self.writing, beside=self._db, name=self._db.name
        )
        try:
            yield Project(connection)
        finally:
            connection.close()

    def copy_to(self, path: Path, progress: Progress = SILENT) -> None:
        """Write a copy of what is saved, though the file itself may have been moved or replaced; nothing is overwritten.

        Where another file was written over this one, the copy has what stands there, if that is the same project in an older or
        other state, and every event this process wrote or followed; of another project it has the settings and those events.
        """
        part = partial_path(path)
        try:
            os.close(os.open(part, os.O_CREAT | os.O_EXCL, private_mode(self.path)))
            if self._db.overwritten:
                self._assemble_copy(part, path.name, progress)
            else:
                self._db.backup_to(part, progress)
            publish_file(part, path)
        except OSError as fault:
            raise ProjectError(
                "{file} cannot be written ({value}).", file=path.name, value=fault.strerror or fault
            ) from fault
        finally:
            part.unlink(missing_ok=True)

    def _assemble_copy(self, part: Path, name: str, progress: Progress) -> None:
        """Make a project of what stands in the file now and of what this process still knows."""
        same = self._db.same_project
        if same:
            self._db.backup_to(part, progress)
        else:
            part.unlink()
        connection = Connection(part, create=not same, name=name)
        part.chmod(private_mode(self.path))
        try:
            made = Project(connection)
            with made.transaction():
                for fact, value in {} if same else self._settings.items():
                    made.set_fact(fact, value)
                made.events.append_all(self.events.followed())
        finally:
            connection.close()

    def verify(self, progress: Progress = SILENT, *, beside: bool = False) -> "FileVerdict":
        """Check the file, each event and each document; `beside` somebody who judges in it, so that they need not wait."""
        from irjudge.store.verify import verify  # noqa: PLC0415 -- opening needs none of it

        return (
            self._damage.verify(progress)
            if self._damage
            else verify(self._db, progress, beside=beside)
        )

    def verify_events(self, progress: Progress = SILENT) -> tuple[str, ...]:
        """Check the log alone and return the first events that do not fit, a sentence each."""
        from irjudge.store.verify import verify_events  # noqa: PLC0415 -- as above

        return tuple(verify_events(self._damage.source if self._damage else self._db, progress)[1])


@contextmanager
def create_project(
    path: Path, *, scale: Scale, title: str = "", owner: str = OWNER
) -> Iterator[Project]:
    """Make a new project and fill it; when the block fails, no file is left."""
    facts = {
        "title": replace_surrogates(title or path.stem),
        "owner": replace_surrogates(owner).strip() or OWNER,
        "scale": scale.to_json(),
        "seed": str(secrets.randbits(SEED_BITS)),
    }
    with new_file(path) as connection:
        project = Project(connection)
        with project.transaction():
            for name, value in facts.items():
                project.set_fact(name, value)
            yield project


def open_project(path: Path, *, writing: bool = True, progress: Progress = SILENT) -> Project:
    """Open a project, for judging or (`writing=False`) for reading beside whoever judges.

    Opening looks whether settings, topics and events can be read. Where they cannot, reading serves what is left of the file, and
    `Project.damage` says what is missing; the file itself stays as it is. That reads the whole file and tells `progress`.

    A project may be opened in another thread than the one that uses it then, but never be used by two at once.
    """
    _check_access(path)
    if path.is_dir():
        raise ProjectError(
            "{resolve} is a folder, expected a project file ({suffix}).",
            resolve=path.resolve().name,
            suffix=SUFFIX,
        )
    try:
        connection = Connection(path, writing=writing, handed_on=True)
        try:
            check_soundness(connection)
        except BaseException:
            connection.close()
            raise
    except (ProjectBusy, ProjectReadOnly):
        raise
    except ProjectError as fault:
        from irjudge.store.rescue_project import open_damaged, to_damage  # noqa: PLC0415 -- for damaged files alone

        damage = to_damage(fault, path)
        if damage is None:
            raise
        if writing:
            raise ProjectDamaged("{fault} {advice}", fault=damage, advice=RESCUE_ADVICE) from fault
        return Project(*open_damaged(path, damage, progress))
    return Project(connection)


def _check_access(path: Path) -> None:
    """Say why a file cannot even be looked at: no permission, a share that is gone, a name that is too long."""
    try:
        path.stat()
    except (FileNotFoundError, NotADirectoryError):
        return  # said where it is opened
    except (OSError, ValueError) as fault:
        raise ProjectError(
            "{path} cannot be opened: {value}.",
            path=path,
            value=getattr(fault, "strerror", None) or fault,
        ) from fault


# The side files of a project: lengths, sessions and what else measures need, as they were read, one of each kind.


def save_auxiliary_table(project: Project, table: AuxiliaryTable) -> bool:
    """Keep a side file; say whether it takes the place of another of its kind."""
    kept: dict[str, Any] = _read_auxiliary_fact(project, {})
    entry = {
        "source": table.source,
        "columns": {name: list(column) for name, column in table.columns.items()},
    }
    project.set_fact(AUXILIARY_FILES, json.dumps({**kept, table.side: entry}, ensure_ascii=False))
    return table.side in kept


def read_auxiliary_tables(
    project: Project, names: frozenset[str] | None = None
) -> tuple[AuxiliaryTable, ...]:
    """Return the side files of a project, or those of some kinds."""

    def read(kept: Mapping[str, Mapping[str, Any]]) -> tuple[AuxiliaryTable, ...]:
        return tuple(
            AuxiliaryTable(
                name,
                {column: tuple(values) for column, values in entry["columns"].items()},
                str(entry["source"]),
            )
            for name, entry in kept.items()
            if AUXILIARY_KINDS.known(name) and (names is None or name in names)
        )

    return _read_auxiliary_fact(project, (), read)


def describe_auxiliary_tables(project: Project) -> str:
    """Say which side files a project has; empty where it has none."""
    return ", ".join(
        Message(
            "{title} ({file}, rows: {rows:,})",
            title=AUXILIARY_KINDS.find(each.side).title,
            file=each.source,
            rows=len(each),
        )
        for each in read_auxiliary_tables(project)
    )


def _read_auxiliary_fact(project: Project, default: T, read: Callable[[Any], T] | None = None) -> T:
    return project.read_json_fact(
        AUXILIARY_FILES,
        default,
        "{file} does not say in a readable way what its side files hold.",
        read,
    )
