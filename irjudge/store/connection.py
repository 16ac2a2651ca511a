"""One open SQLite file: durable commits, a check that the file is still there, faults in words."""

import sqlite3
import time
from collections.abc import Iterable, Iterator, Sequence
from contextlib import AbstractContextManager, closing, contextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path
from threading import RLock
from typing import Any

from filelock import Timeout

from irjudge.errors import (
    CommitFailed,
    CommitUnknown,
    ProjectDamaged,
    ProjectError,
    ProjectReadOnly,
)
from irjudge.formats.bytes import private_mode, sync_folder
from irjudge.message import Message
from irjudge.progress import SILENT, Progress
from irjudge.store.checksums import (
    GroupChecksum,
    find_written_tables,
    is_checksum_stored,
    track_changes,
    update_checksums,
)
from irjudge.store.lock_and_journals import (
    is_project,
    make_lock,
    partial_path,
    publish_file,
    release_lock,
    remove_leftovers,
    take_lock,
)
from irjudge.store.schema import (
    MIN_READABLE_VERSION,
    SCHEMA_VERSION,
    check_version,
    create_tables,
    foreign_file_error,
    layout_problem,
    migrate,
)

WAIT_SECONDS, POLL_SECONDS = (
    5.0,
    0.002,
)  # for a lock, and between two looks: SQLite's own looks come ever later, a tenth of a second apart
BACKUP_PAGES = 2000  # that are copied at once
MAX_UNTRUSTED_BYTES, MAX_UNTRUSTED_SECONDS, PROGRESS_STEPS = 64_000_000, 60.0, 100_000
ALLOWED_FUNCTIONS = {
    "count",
    "like",
    "max",
    "min",
    "coalesce",
    "length",
    "total",
    "sum",
    "substr",
}  # that we ask a strange file with
MAX_VALUE_BYTES = 512_000_000  # of a value or a row of one's own file

SQLITE_ERRORS = (
    sqlite3.DatabaseError,
    UnicodeDecodeError,
)  # SQLite quotes damaged bytes in what it says, and Python cannot read them
VALUE_ERRORS = (
    TypeError,
    ValueError,
    LookupError,
    AttributeError,
    ArithmeticError,
    RecursionError,
)  # working with values of an impossible kind
ACCESS_ERRORS = tuple(
    f"SQLITE_{name}"
    for name in (
        "BUSY",
        "LOCKED",
        "IOERR",
        "CANTOPEN",
        "PERM",
        "READONLY",
        "FULL",
        "NOMEM",
        "INTERRUPT",
    )
)

WRONG_VALUE_TYPE = Message("it holds a value of another kind than its table keeps")

ERROR_MESSAGES = {
    "malformed": (DAMAGED := Message("its bytes were damaged")),
    "decode to UTF-8": DAMAGED,
    Message("disk is full"): Message("the disk is full"),
    "readonly": Message("the file is read-only"),
    "locked": Message("another program holds the file", key="held-file"),
    Message("I/O error"): Message("the disk did not take the data"),
    Message("unable to open"): Message("the file or its folder cannot be written"),
    "interrupted": Message("reading it takes too long"),
}


# What tells one project, in one state, from every other: its seed, and number and digest of its newest event.
STATE_QUERY = """SELECT (SELECT value FROM fact WHERE name = 'seed'), sequence, digest
FROM (SELECT 1) LEFT JOIN (SELECT sequence, digest FROM event ORDER BY sequence DESC LIMIT 1)"""
FileState = tuple[str | None, int | None, bytes | None]
ChangeCounter = tuple[int, int, int]  # of others, of this connection, and what was taken back


@dataclass(frozen=True, slots=True)
class _CommitState:
    """What a file holds once a commit is made: its mark, and the hashes of what was changed."""

    mark: FileState
    seals: Sequence[GroupChecksum]


@dataclass(slots=True)
class _KnownState:
    """The state this process left a file in, shared by all its connections to it: its mark, and time and size on the disk.

    Whoever writes holds the turn from before it looks at the mark until it noted a new one: a session writes in a thread of its own.
    A commit that nobody knows of may have left the mark `doubtful`.
    """

    mark: FileState | None = None
    doubtful: FileState | None = None
    stamp: tuple[int, int] | None = None
    turn: AbstractContextManager[bool] = field(default_factory=RLock)


class Connection:
    """A project file in use by this process."""

    def __init__(
        self,
        path: Path,
        *,
        writing: bool = True,
        create: bool = False,
        beside: "Connection | None" = None,
        name: str = "",
        damaged: bool = False,
        handed_on: bool = False,
        guest: bool = False,
    ) -> None:
        self.path, self.writing = path.absolute(), writing
        self.name = name or self.path.name
        self._lock = make_lock(self.path) if writing and beside is None else None
        self._depth, self._damaged, self._handed_on, self._guest = 0, damaged, handed_on, guest
        self._taken_back = 0  # how many transactions: what was read inside one is not so any more
        self._watched: frozenset[str] = frozenset()  # tables of which it is noted what changes
        self._known: _KnownState = beside._known if beside else _KnownState()
        self.backup: Path | None = None
        self._check_place(create)
        take_lock(self._lock, self.name, lambda: self._interrupted(Message("opened for writing")))
        try:
            if not writing and not guest:
                _roll_back_journal(self.path)
            self._open(create)
            self._check_beside(beside)
            if (
                beside is None and not damaged
            ):  # of a foreign or damaged file nothing is asked before its tables were looked at
                self._note_state()
            if self._lock and not create:
                remove_leftovers(self.path.resolve().parent)
        except BaseException:
            release_lock(self._lock)
            raise

    def _check_beside(self, other: "Connection | None") -> None:
        if other is not None and other._identity != self._identity:
            self._sqlite.close()
            raise ProjectError(
                "{project} was moved, deleted or replaced while it was open.", project=self.name
            )

    def _check_place(self, create: bool) -> None:
        if create and self.path.exists():
            raise ProjectError(
                "{project} exists already. Choose another name; nothing was overwritten.",
                project=self.name,
            )
        if create and not self.path.parent.is_dir():
            raise ProjectError("The folder {parent} does not exist.", parent=self.path.parent)
        if not create and not self.path.is_file():
            raise ProjectError("{path} does not exist.", path=self.path)

    def _open(self, create: bool) -> None:
        if create:
            mode = "rwc"
        elif self.writing:
            mode = "rw"
        else:
            mode = "ro"
        try:
            self._sqlite = sqlite3.connect(
                f"{self.path.as_uri()}?mode={mode}{'&immutable=1' if self._guest else ''}",
                uri=True,
                isolation_level=None,
                timeout=WAIT_SECONDS,
                check_same_thread=not self._handed_on,
            )
            try:
                self._prepare(create)
            except BaseException:
                self._sqlite.close()
                if create:
                    self.path.unlink(missing_ok=True)
                raise
        except SQLITE_ERRORS as fault:
            in_the_way = not is_damage(fault) and describe_error(fault) != ERROR_MESSAGES["locked"]
            if in_the_way and (interrupted := self._interrupted(Message("opened"))):
                raise ProjectReadOnly(interrupted) from fault
            if getattr(fault, "sqlite_errorname", None) == "SQLITE_NOTADB" and not is_project(
                self.path
            ):
                raise foreign_file_error(self.path) from fault
            kind = ProjectDamaged if is_project(self.path) and is_damage(fault) else ProjectError
            raise kind(
                "{project} cannot be opened: {in_words}.",
                project=self.name,
                in_words=describe_error(fault),
            ) from fault
        self._sqlite.execute("PRAGMA busy_timeout = 0")  # from here on it is we who wait
        self._identity = _file_identity(self.path)

    def _prepare(self, create: bool) -> None:
        _restrict(self._sqlite, guest=self._guest, damaged=self._damaged)
        if self._damaged:
            self._sqlite.execute(
                "PRAGMA writable_schema = ON"
            )  # then SQLite reads a file that ends too early
        # DELETE and EXTRA: people copy the file while it is open, so nothing may live beside it after a commit.
        self._sqlite.execute("PRAGMA synchronous = EXTRA")
        self._sqlite.execute("PRAGMA foreign_keys = ON")
        version = SCHEMA_VERSION if create else check_version(self._sqlite, self.path)
        self.form = SCHEMA_VERSION if self.writing else version
        if not (create or self._damaged):
            self._check_layout(version)
        if self.writing:
            self._sqlite.execute(
                "PRAGMA journal_mode = DELETE"
            )  # another program may have left it otherwise
            self._sqlite.execute("PRAGMA temp_store = MEMORY")
        if create:
            with self._transaction():
                create_tables(self._sqlite)
        elif self.writing:
            self.backup = migrate(self._sqlite, self.path, version)
        elif version < MIN_READABLE_VERSION and not self._guest:
            raise ProjectError(
                "{project} is of an older form. Open it for writing once, and it is brought up to date.",
                key="older-form",
                project=self.name,
            )

    def _check_layout(self, version: int) -> None:
        problem = layout_problem(self._sqlite, version)
        if problem:
            raise ProjectDamaged(
                "{project} is not as irjudge writes it: {problem}. Nothing in it was run.",
                project=self.name,
                problem=problem,
            )

    def close(self) -> None:
        """Close the file and let other processes judge in it."""
        self._sqlite.close()
        release_lock(self._lock)

    def backup_to(self, path: Path, progress: Progress = SILENT) -> None:
        """Write all that is committed to a new file; the file read is the one that was opened, whatever stands under its name now."""
        try:
            other = sqlite3.connect(path, isolation_level=None)
            try:
                self._sqlite.backup(
                    other,
                    pages=BACKUP_PAGES,
                    progress=lambda _state, left, total: progress.step(
                        total - left, total, "Copying"
                    ),
                )
            finally:
                other.close()
        except SQLITE_ERRORS as fault:
            raise ProjectError(
                "{file} cannot be written: {in_words}.",
                file=path.name,
                in_words=describe_error(fault, path.absolute().parent),
            ) from fault

    def discard(self) -> None:
        """Close a file that was made here and remove it, unless another stands in its place by now."""
        ours = self._in_place()
        self.close()
        if ours:
            self.path.unlink(missing_ok=True)

    def _interrupted(self, how: str) -> str:
        """Return what to do about a file whose journal cannot be played back where it lies; empty where there is no journal."""
        if not _journal_path(self.path).exists():
            return ""
        return Message(
            "{project} cannot be {how} where it is: its last change was interrupted, and {journal} beside it, which takes that change "
            "back, cannot be used in a place that is read-only. All that was saved before is safe. "
            "Copy both files together to a folder where you may write, and open the copy.",
            project=self.name,
            how=how,
            journal=_journal_path(self.path).name,
        )

    @contextmanager
    def transaction(self) -> Iterator[None]:
        """Make what happens inside durable as one, or not at all; inside another it joins that one."""
        if not self.writing:
            raise CommitFailed(
                "{project} is open for reading only; nothing was saved.", project=self.name
            )
        if self._depth:
            yield
            return
        self._depth += 1
        after: _CommitState | None = None
        try:
            with self._known.turn:
                try:
                    self._forget_stale_pages()
                    with self._transaction():
                        self._check_mark()
                        yield
                        self._check_identity()
                        seals = update_checksums(self._sqlite) if self._watched else []
                        after = _CommitState(self._mark(), seals)
                    self._note_state(after.mark)
                except sqlite3.IntegrityError:
                    raise
                except SQLITE_ERRORS as fault:
                    self._look_again(fault, after)
        finally:
            self._depth -= 1

    @contextmanager
    def savepoint(self) -> Iterator[None]:
        """Inside a transaction, take back what happens here, and nothing else, where it raises."""
        watched = self._watched
        self.execute("SAVEPOINT part")
        try:
            yield
        except BaseException:
            self._sqlite.execute("ROLLBACK TO part")
            self._watched = watched  # as where all of it is undone
            raise
        finally:
            self._sqlite.execute("RELEASE part")

    def _look_again(self, fault: Exception, after: _CommitState | None) -> None:
        """After a fault see what the file holds: a commit whose end failed can be there all the same, and then nothing is wrong."""
        words, held = (
            describe_error(fault, self.path.parent),
            after is not None and self._holds(after),
        )
        if (
            after and held and sync_folder(self.path.resolve().parent)
        ):  # the end of a commit is that its journal is gone for good
            self._note_state(after.mark)
            return
        if after and held is not False:
            self._known.doubtful = after.mark
            raise CommitUnknown(
                "It cannot be known whether this is saved: {in_words} ({project}).",
                in_words=words,
                project=self.name,
            ) from fault
        self._check_identity()  # SQLite calls a file that was moved read-only
        if self.overwritten:
            raise CommitFailed(self._overwritten) from fault
        raise CommitFailed(
            "Not saved: {in_words} ({project}).", in_words=words, project=self.name
        ) from fault

    def _holds(self, after: _CommitState) -> bool | None:
        """Tell whether the file holds what a commit was to leave in it; None where it cannot be read."""
        try:
            self._sqlite.execute(
                "PRAGMA shrink_memory"
            )  # what SQLite remembers is what was to be written
            return self._mark() == after.mark and all(
                is_checksum_stored(self._sqlite, seal) for seal in after.seals
            )
        except SQLITE_ERRORS:
            return None

    def _watch(self, statement: str) -> None:
        """Note from now on what changes in the tables that a statement writes: to note it in all would take most of the time of opening."""
        for table in find_written_tables(statement) - self._watched if self.writing else ():
            track_changes(self._sqlite, table)
            self._watched |= {table}

    @contextmanager
    def _transaction(self) -> Iterator[None]:
        watched = self._watched
        self.execute("BEGIN IMMEDIATE")
        try:
            yield
            self.execute("COMMIT")
        except BaseException:
            if self._sqlite.in_transaction:
                self._sqlite.execute("ROLLBACK")
            self._taken_back += 1
            self._watched = watched  # what was begun inside is undone with all the rest
            raise

    @property
    def writes(self) -> ChangeCounter:
        """What is another once something was written in the file, by this connection or another one, or was taken back."""
        return int(self.one("PRAGMA data_version")[0]), self._sqlite.total_changes, self._taken_back

    # The file is the one we know

    @property
    def overwritten(self) -> bool:
        """Whether another file was written over this one, byte for byte into its place, since this process wrote in it last."""
        if (
            self._known.mark is None or not self.writing or self._sqlite.in_transaction
        ):  # ours, which began by looking
            return False
        with self._known.turn:
            self._forget_stale_pages()
            try:
                return not self._is_known(self._mark())
            except SQLITE_ERRORS as fault:
                return is_damage(fault)

    @property
    def same_project(self) -> bool:
        """Whether the file still holds the project that was opened, in whatever state."""
        try:
            return self._known.mark is not None and self._mark()[0] == self._known.mark[0]
        except SQLITE_ERRORS:
            return False

    def _mark(self) -> FileState:
        mark: FileState = self.execute(STATE_QUERY).fetchone()
        return mark

    def _check_mark(self) -> None:
        if self._known.mark is not None and not self._is_known(self._mark()):
            raise CommitFailed(self._overwritten)

    def _is_known(self, mark: FileState) -> bool:
        return mark == self._known.mark or (
            self._known.doubtful is not None and mark == self._known.doubtful
        )

    @property
    def _overwritten(self) -> str:
        if self._went_on():
            return Message(
                "Not saved: {project} has judgments that were not made here. Either it is open under a second name too (a hard link), "
                "or a copy that went on was put in its place. Close it elsewhere, and open it here anew.",
                key="judged-elsewhere",
                project=self.name,
            )
        return Message(
            "Not saved: {project} was overwritten with another file while it was open.",
            key="overwritten",
            project=self.name,
        )

    def _went_on(self) -> bool:
        """Whether the file holds all that this process knows of, and newer events that others wrote."""
        if self._known.mark is None:
            return False
        seed, sequence, digest = self._known.mark
        with suppress(*SQLITE_ERRORS):
            now = self._mark()
            row = (
                self.execute("SELECT digest FROM event WHERE sequence = ?", (sequence,)).fetchone()
                if sequence
                else None
            )
            return (
                now[0] == seed
                and (now[1] or 0) > (sequence or 0)
                and (row[0] if row else None) == digest
            )
        return False

    def _note_state(self, mark: FileState | None = None) -> None:
        """Keep in mind what the file holds now, after this process opened it or wrote in it."""
        with suppress(*SQLITE_ERRORS):  # opening says what cannot be read
            self._known.mark, self._known.doubtful = mark or self._mark(), None
        self._known.stamp = self._stamp()

    def _stamp(self) -> tuple[int, int] | None:
        try:
            status = self.path.stat()
        except OSError:
            return None
        return status.st_mtime_ns, status.st_size

    def _forget_stale_pages(self) -> None:
        """Read the file anew when others wrote in it: SQLite trusts a counter in it, which another file can have by chance."""
        if self._stamp() != self._known.stamp and not self._sqlite.in_transaction:
            self._sqlite.execute("PRAGMA shrink_memory")

    def _check_identity(self) -> None:
        """Notice a file that was moved or replaced: SQLite would write into the one nobody sees."""
        if not self._in_place():
            raise CommitFailed(
                "Not saved: {project} was moved, deleted or replaced while it was open.",
                project=self.name,
            )

    def _in_place(self) -> bool:
        try:
            return _file_identity(self.path) == self._identity
        except OSError:
            return False

    def execute(self, statement: str, values: Sequence[Any] = ()) -> sqlite3.Cursor:
        """Run one statement; while another connection has the file to itself, wait for that."""
        until = time.monotonic() + WAIT_SECONDS
        while True:
            try:
                self._watch(statement)
                return self._sqlite.execute(statement, values)
            except sqlite3.OperationalError as fault:
                if (
                    getattr(fault, "sqlite_errorcode", 0) & 0xFF != sqlite3.SQLITE_BUSY
                    or time.monotonic() > until
                ):
                    raise
            time.sleep(POLL_SECONDS)

    def insert(self, statement: str, rows: Iterable[Sequence[Any]]) -> None:
        """Run one statement for each row."""
        self._watch(statement)
        self._sqlite.executemany(statement, rows)

    def all(self, statement: str, values: Sequence[Any] = ()) -> list[Any]:
        """Return all rows."""
        try:
            with closing(
                self.execute(statement, values)
            ) as cursor:  # one that met damage would hold the file until it is collected
                return cursor.fetchall()
        except SQLITE_ERRORS as fault:
            raise ProjectError(
                "{project} cannot be read: {in_words}.",
                project=self.name,
                in_words=describe_error(fault),
            ) from fault

    def each(self, statement: str, values: Sequence[Any] = ()) -> Iterator[Any]:
        """Yield the rows one by one, so that they need not all be in memory."""
        try:
            with closing(self.execute(statement, values)) as cursor:
                yield from cursor
        except SQLITE_ERRORS as fault:
            raise ProjectError(
                "{project} cannot be read: {in_words}.",
                project=self.name,
                in_words=describe_error(fault),
            ) from fault

    def unreadable(self, statement: str, values: Sequence[Any] = ()) -> bool:
        """Tell whether some row cannot be read."""
        try:
            for _ in self.each(statement, values):
                pass
        except ProjectError:
            return True
        return False

    @contextmanager
    def held(self) -> Iterator[None]:
        """Keep others from writing while the block reads, so that nothing but damage makes a row unreadable."""
        self._sqlite.execute("BEGIN")
        try:
            try:
                self.execute("SELECT 1 FROM sqlite_schema LIMIT 1").fetchone()
            except SQLITE_ERRORS as fault:
                if not is_damage(fault):
                    raise ProjectError(
                        "{project} cannot be read: {in_words}.",
                        project=self.name,
                        in_words=describe_error(fault),
                    ) from fault
            yield
        finally:
            self._sqlite.rollback()

    def readable(self, statement: str) -> list[Any]:
        """Return the rows that come before the first one that cannot be read."""
        rows: list[Any] = []
        with suppress(*SQLITE_ERRORS), closing(self.execute(statement)) as cursor:
            rows.extend(cursor)
        return rows

    def one(self, statement: str, values: Sequence[Any] = ()) -> Any:
        """Return the first row, or None."""
        rows = self.all(statement, values)
        return rows[0] if rows else None


@contextmanager
def new_file(path: Path, like: Path | None = None) -> Iterator[Connection]:
    """Make a project file that gets its name when the block ends well; otherwise no file is left. `like` says who may read it."""
    part = partial_path(path)
    connection, done = Connection(part, create=True, name=path.name), False
    try:
        if like is not None:
            part.chmod(private_mode(like) & part.stat().st_mode)
        yield connection
        done = True
    finally:
        if done:
            connection.close()
            publish_file(part, path)
        else:
            connection.discard()


def _restrict(sqlite: sqlite3.Connection, *, guest: bool, damaged: bool) -> None:
    """Limit what a file can make SQLite do; one from a stranger, or one whose tables are not ours, still more."""
    if damaged and not guest:  # of a returned file only plain tables are read
        sqlite.set_authorizer(_authorise)
    for pragma in ("trusted_schema = OFF", "cell_size_check = ON", "mmap_size = 0"):
        sqlite.execute(f"PRAGMA {pragma}")
    sqlite.setlimit(sqlite3.SQLITE_LIMIT_LENGTH, MAX_UNTRUSTED_BYTES if guest else MAX_VALUE_BYTES)
    if guest:
        end = time.monotonic() + MAX_UNTRUSTED_SECONDS
        sqlite.set_progress_handler(lambda: time.monotonic() > end, PROGRESS_STEPS)
        sqlite.execute("PRAGMA query_only = ON")


def _authorise(
    action: int, _one: str | None, function: str | None, _base: str | None, inside: str | None
) -> int:
    """Forbid what a view or trigger of the file asks for, and functions that a computed column may call and we do not."""
    foreign = inside is not None or (
        action == sqlite3.SQLITE_FUNCTION and str(function).lower() not in ALLOWED_FUNCTIONS
    )
    return sqlite3.SQLITE_DENY if foreign else sqlite3.SQLITE_OK


def _journal_path(path: Path) -> Path:
    """Return where SQLite keeps what undoes a change that is under way: beside the file itself, not beside a link to it."""
    path = path.resolve()
    return path.with_name(f"{path.name}-journal")


def _roll_back_journal(path: Path) -> None:
    """Undo what a crash left half written: its journal stands beside the file, and who only reads cannot take it back."""
    path = path.resolve()
    if not _journal_path(path).exists():
        return
    try:
        with make_lock(path):
            sqlite = sqlite3.connect(
                f"{path.as_uri()}?mode=rw", uri=True, isolation_level=None, timeout=WAIT_SECONDS
            )
            try:
                sqlite.execute("SELECT count(*) FROM sqlite_master").fetchone()
            finally:
                sqlite.close()
    except (Timeout, OSError, sqlite3.DatabaseError):
        return  # another irjudge is writing just now, or the folder is read-only: opening says which


def is_damage(fault: BaseException | None) -> bool:
    """Tell whether it is the bytes of the file that cannot be read, and not another program or the disk that is in the way."""
    name = (
        getattr(fault, "sqlite_errorname", None) or ""
    )  # Python itself names none where a text is not UTF-8
    return isinstance(fault, SQLITE_ERRORS) and (
        name == "SQLITE_IOERR_SHORT_READ" or not name.startswith(ACCESS_ERRORS)
    )


def describe_error(fault: Exception, folder: Path | None = None) -> str:
    """Return what SQLite says in the words of a user; of a full disk it names the folder that was written to."""
    if folder and getattr(fault, "sqlite_errorname", None) == "SQLITE_FULL":
        return Message("the disk that holds {folder} is full", folder=folder)
    text = str(fault) if isinstance(fault, sqlite3.Error) else "malformed"
    return next((words for mark, words in ERROR_MESSAGES.items() if mark in text), text)


def _file_identity(path: Path) -> tuple[int, int]:
    status = path.stat()
    return status.st_dev, status.st_ino
