"""Connection to one SQLite file, with durable commits and checks that the file was not replaced."""

import json
import sqlite3
import time
from collections.abc import Iterable, Iterator, Sequence
from contextlib import AbstractContextManager, closing, contextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path
from threading import RLock
from typing import Any, TypeVar

from filelock import Timeout

from irjudge.errors import (
    CommitFailed,
    CommitUnknown,
    ProjectDamaged,
    ProjectError,
    ProjectReadOnly,
)
from irjudge.formats.bytes import get_copy_mode, sync_folder
from irjudge.message import Message
from irjudge.progress import SILENT, Progress
from irjudge.store.lock_and_journals import (
    acquire_lock,
    is_project,
    make_lock,
    partial_path,
    publish_file,
    release_lock,
    remove_leftovers,
)
from irjudge.store.schema import (
    MIN_READABLE_VERSION,
    SCHEMA_VERSION,
    GroupChecksum,
    check_version,
    create_tables,
    find_layout_problem,
    find_written_tables,
    is_checksum_stored,
    make_foreign_file_error,
    migrate,
    track_changes,
    update_checksums,
)

# timeout for acquiring a lock, and interval between attempts, which is shorter than SQLite's
# intervals of up to 100 ms
WAIT_SECONDS = 5.0
POLL_SECONDS = 0.002
# value of SQLite's pragma `synchronous`. With EXTRA and the journal mode DELETE, the journal is
# deleted durably at each commit, so that users can copy the open file. Only tests of durability use
# EXTRA; other tests use OFF, which is faster.
SYNCHRONOUS = "EXTRA"
BACKUP_PAGES = 2000  # number of pages copied per step of a backup
MAX_UNTRUSTED_BYTES, MAX_UNTRUSTED_SECONDS, PROGRESS_STEPS = 64_000_000, 60.0, 100_000
# SQL functions that may be called while a damaged file is open
ALLOWED_FUNCTIONS = {"count", "like", "max", "min", "coalesce", "length", "total", "sum", "substr"}
MAX_VALUE_BYTES = 512_000_000  # maximum size of a value or row, except in returned files
# maximum size of a setting that is written, and of one that is read: several copies are in memory
MAX_SETTING_BYTES, MAX_READ_SETTING_BYTES = 64_000_000, 256_000_000

T = TypeVar("T")

# UnicodeDecodeError is included because messages of SQLite may contain damaged bytes
SQLITE_ERRORS = (sqlite3.DatabaseError, UnicodeDecodeError)
# errors that can be raised when a stored value of an unexpected type is processed
VALUE_ERRORS = (TypeError, ValueError, LookupError, AttributeError, ArithmeticError, RecursionError)
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

UNEXPECTED_VALUE_TYPE = Message("it contains a value of a type that its table does not allow")

ERROR_MESSAGES = {
    "malformed": (DAMAGED := Message("the file is damaged")),
    "decode to UTF-8": DAMAGED,
    "disk is full": Message("the disk is full"),
    "readonly": Message("the file is read-only"),
    "locked": Message("the file is locked by another program", key="held-file"),
    "I/O error": Message("the disk reported an input or output error"),
    "unable to open": Message("the file or its folder is not writable"),
    "interrupted": Message("reading takes too long"),
}


# query for the state of a project: its seed, and number and digest of its newest event
STATE_QUERY = """SELECT (SELECT value FROM fact WHERE name = 'seed'), sequence, digest
FROM (SELECT 1) LEFT JOIN (SELECT sequence, digest FROM event ORDER BY sequence DESC LIMIT 1)"""
FileState = tuple[str | None, int | None, bytes | None]
# SQLite's data version, which changes when another connection commits, and the numbers of changed
# rows and of rollbacks of this connection
ChangeCounter = tuple[int, int, int]


@dataclass(frozen=True, slots=True)
class _CommitState:
    """State that the file must have after a commit: its `FileState` and the changed checksums."""

    file_state: FileState
    checksums: Sequence[GroupChecksum]


@dataclass(slots=True)
class _KnownState:
    """State of the file as this process last wrote it, shared by the connections to the file.

    `stamp` is the file's modification time (ns) and size. `uncertain_state` is the expected state
    after a commit whose result is unknown. A writer holds `lock` while it reads the state, writes,
    and stores the new state, since a session writes in another thread.
    """

    file_state: FileState | None = None
    uncertain_state: FileState | None = None
    stamp: tuple[int, int] | None = None
    lock: AbstractContextManager[bool] = field(default_factory=RLock)


class Connection:
    """SQLite connection to a project file, read-only or with a write lock and transactions.

    Opening a file for writing upgrades an older format. Transactions are durable. A transaction
    fails if the file was moved, replaced or overwritten by another program since this process last
    wrote it. `Project` and its parts read and write the file through the connection.
    """

    def __init__(
        self,
        path: Path,
        *,
        writing: bool = True,
        create: bool = False,
        primary: "Connection | None" = None,
        name: str = "",
        damaged: bool = False,
        shared_lock: bool = False,
        untrusted: bool = False,
    ) -> None:
        self.path, self.writing = path.absolute(), writing
        self.name = name or self.path.name
        self._lock = make_lock(self.path) if writing and primary is None else None
        self._depth = 0
        self._is_damaged = damaged
        self._shared_lock = shared_lock
        self._is_untrusted = untrusted
        # number of rollbacks; after a rollback, cached values from the transaction are invalid
        self._rollback_count = 0
        self._watched_tables: frozenset[str] = frozenset()  # tables whose changes are tracked
        self._known: _KnownState = primary._known if primary else _KnownState()
        self.backup: Path | None = None
        self._check_path(create)
        acquire_lock(
            self._lock,
            self.name,
            lambda: self._make_interruption_advice(Message("opened for writing")),
        )
        try:
            if not writing and not untrusted:
                _roll_back_journal(self.path)
            self._open(create)
            self._check_same_file(primary)
            if (
                primary is None and not damaged
            ):  # damaged files have no known state; a second connection uses that of the first
                self._record_state()
            if self._lock and not create:
                remove_leftovers(self.path.resolve().parent)
        except BaseException:
            release_lock(self._lock)
            raise

    def _check_same_file(self, other_connection: "Connection | None") -> None:
        if other_connection is not None and other_connection._identity != self._identity:
            self._sqlite.close()
            raise ProjectError(
                "{project} was moved, deleted or replaced while it was open.", project=self.name
            )

    def _check_path(self, create: bool) -> None:
        if create and self.path.exists():
            raise ProjectError(
                "{project} already exists. Choose another name; nothing was overwritten.",
                project=self.name,
            )
        if create and not self.path.parent.is_dir():
            raise ProjectError("The folder {folder} does not exist.", folder=self.path.parent)
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
                f"{self.path.as_uri()}?mode={mode}{'&immutable=1' if self._is_untrusted else ''}",
                uri=True,
                isolation_level=None,
                timeout=WAIT_SECONDS,
                check_same_thread=not self._shared_lock,
            )
            try:
                self._prepare(create)
            except BaseException:
                self._sqlite.close()
                if create:
                    self.path.unlink(missing_ok=True)
                raise
        except SQLITE_ERRORS as error:
            is_unexpected = (
                not is_damage(error) and describe_error(error) != ERROR_MESSAGES["locked"]
            )
            if is_unexpected and (
                interruption_advice := self._make_interruption_advice(Message("opened"))
            ):
                raise ProjectReadOnly(interruption_advice) from error
            if getattr(error, "sqlite_errorname", None) == "SQLITE_NOTADB" and not is_project(
                self.path
            ):
                raise make_foreign_file_error(self.path) from error
            kind = ProjectDamaged if is_project(self.path) and is_damage(error) else ProjectError
            raise kind(
                "{project} cannot be opened: {reason}.",
                project=self.name,
                reason=describe_error(error),
            ) from error
        # SQLite itself must not wait for locks, because `execute` waits for them
        self._sqlite.execute("PRAGMA busy_timeout = 0")
        try:
            self._identity = _read_file_identity(self.path)
        except FileNotFoundError:  # the file was moved or deleted after SQLite opened it
            self._sqlite.close()
            raise ProjectError("{path} does not exist.", path=self.path) from None

    def _prepare(self, create: bool) -> None:
        _restrict(self._sqlite, untrusted=self._is_untrusted, damaged=self._is_damaged)
        if self._is_damaged:
            self._sqlite.execute("PRAGMA writable_schema = ON")  # lets SQLite read a truncated file
        self._sqlite.execute(f"PRAGMA synchronous = {SYNCHRONOUS}")
        self._sqlite.execute("PRAGMA foreign_keys = ON")
        version = SCHEMA_VERSION if create else check_version(self._sqlite, self.path)
        self.schema_version = SCHEMA_VERSION if self.writing else version
        if not (create or self._is_damaged):
            problem = find_layout_problem(self._sqlite, version)
            if problem:
                raise ProjectDamaged(
                    "{project} is not a valid irjudge file: {problem}. Nothing in it was executed.",
                    project=self.name,
                    problem=problem,
                )
        if self.writing:
            # another program may have changed these settings of the file
            self._sqlite.execute("PRAGMA journal_mode = DELETE")
            self._sqlite.execute("PRAGMA temp_store = MEMORY")
        if create:
            with self._transaction():
                create_tables(self._sqlite)
        elif self.writing:
            self.backup = migrate(self._sqlite, self.path, version)
        elif version < MIN_READABLE_VERSION and not self._is_untrusted:
            raise ProjectError(
                "{project} has an older format. Open it for writing once to upgrade it.",
                key="older-form",
                project=self.name,
            )

    def close(self) -> None:
        """Close the file and release its lock."""
        self._sqlite.close()
        release_lock(self._lock)

    def backup_to(self, path: Path, progress: Progress = SILENT) -> None:
        """Copy the committed state of the open file to a new file.

        The open file is copied even if another file now has its path.
        """
        try:
            target = sqlite3.connect(path, isolation_level=None)
            try:
                self._sqlite.backup(
                    target,
                    pages=BACKUP_PAGES,
                    progress=lambda _state, remaining_pages, total: progress.step(
                        total - remaining_pages, total, "Copying"
                    ),
                )
            finally:
                target.close()
        except SQLITE_ERRORS as error:
            raise ProjectError(
                "Cannot write {file}: {reason}.",
                file=path.name,
                reason=describe_error(error, path.absolute().parent),
            ) from error

    def discard(self) -> None:
        """Close a newly created file, and delete it unless another file now has its path."""
        is_in_place = self._is_in_place()
        self.close()
        if is_in_place:
            self.path.unlink(missing_ok=True)

    def _make_interruption_advice(self, action: str) -> str:
        """Return a message that advises users what to do if a journal cannot be applied.

        The message is empty if the file has no journal.
        """
        if not _find_journal_path(self.path).exists():
            return ""
        return Message(
            "{project} cannot be {action} in its folder: its last change was interrupted, and "
            "its journal {journal}, which rolls the change back, cannot be applied in a "
            "read-only folder. Everything saved before that change is safe. Copy both files to "
            "a writable folder and open the copy.",
            project=self.name,
            action=action,
            journal=_find_journal_path(self.path).name,
        )

    @contextmanager
    def transaction(self) -> Iterator[None]:
        """Commit the changes of the block atomically and durably.

        A nested transaction is part of the outer one.
        """
        if not self.writing:
            raise CommitFailed("{project} is open read-only; nothing was saved.", project=self.name)
        if self._depth:
            yield
            return
        self._depth += 1
        state_after: _CommitState | None = None
        try:
            with self._known.lock:
                try:
                    self._drop_stale_pages()
                    with self._transaction():
                        self._check_not_overwritten()
                        yield
                        self._check_identity()
                        checksums = update_checksums(self._sqlite) if self._watched_tables else []
                        state_after = _CommitState(self._read_state(), checksums)
                    self._record_state(state_after.file_state)
                except sqlite3.IntegrityError:
                    raise
                except SQLITE_ERRORS as error:
                    self._resolve_commit(error, state_after)
        finally:
            self._depth -= 1

    @contextmanager
    def savepoint(self) -> Iterator[None]:
        """Inside a transaction, roll back the changes of the block if it raises an exception."""
        watched_tables = self._watched_tables
        self.execute("SAVEPOINT part")
        try:
            yield
        except BaseException:
            self._sqlite.execute("ROLLBACK TO part")
            self._rollback_count += 1
            # triggers created in the block are also rolled back
            self._watched_tables = watched_tables
            raise
        finally:
            self._sqlite.execute("RELEASE part")

    def _resolve_commit(self, error: Exception, state_after: _CommitState | None) -> None:
        """Check whether a transaction that raised an error was committed.

        Raise CommitFailed if it was not committed, or CommitUnknown if this cannot be determined.
        """
        reason = describe_error(error, self.path.parent)
        is_committed = state_after is not None and self._has_state(state_after)
        if (
            state_after and is_committed and sync_folder(self.path.resolve().parent)
        ):  # the commit is complete, since the removal of the journal is durable
            self._record_state(state_after.file_state)
            return
        if state_after and is_committed is not False:
            self._known.uncertain_state = state_after.file_state
            raise CommitUnknown(
                "Cannot tell whether the last change was saved: {reason} ({project}).",
                reason=reason,
                project=self.name,
            ) from error
        self._check_identity()  # SQLite reports a moved file as read-only
        if self.is_overwritten:
            raise CommitFailed(self._overwritten_message) from error
        raise CommitFailed(
            "Not saved: {reason} ({project}).", reason=reason, project=self.name
        ) from error

    def _has_state(self, state_after: _CommitState) -> bool | None:
        """Return whether the file has the expected state; None if it cannot be read."""
        try:
            # cached pages contain the intended state, which may differ from that of the file
            self._sqlite.execute("PRAGMA shrink_memory")
            return self._read_state() == state_after.file_state and all(
                is_checksum_stored(self._sqlite, checksum) for checksum in state_after.checksums
            )
        except SQLITE_ERRORS:
            return None

    def _track_writes(self, statement: str) -> None:
        """Track changes of the tables that a statement may change.

        Only these tables are tracked, because tracking all tables is slow.
        """
        for table in find_written_tables(statement) - self._watched_tables if self.writing else ():
            track_changes(self._sqlite, table)
            self._watched_tables |= {table}

    @contextmanager
    def _transaction(self) -> Iterator[None]:
        watched_tables = self._watched_tables
        self.execute("BEGIN IMMEDIATE")
        try:
            yield
            self.execute("COMMIT")
        except BaseException:
            if self._sqlite.in_transaction:
                self._sqlite.execute("ROLLBACK")
            self._rollback_count += 1
            # triggers created in the transaction are also rolled back
            self._watched_tables = watched_tables
            raise

    @property
    def writes(self) -> ChangeCounter:
        """Counter that changes with every write by any connection, and with every rollback."""
        return (
            int(self.fetch_one("PRAGMA data_version")[0]),
            self._sqlite.total_changes,
            self._rollback_count,
        )

    # File identity

    @property
    def is_overwritten(self) -> bool:
        """Whether the file was overwritten since this process last opened or wrote it.

        The value is False for a read-only connection. It is also False inside a transaction, since
        the file was checked at the beginning of the transaction.
        """
        if self._known.file_state is None or not self.writing or self._sqlite.in_transaction:
            return False
        with self._known.lock:
            self._drop_stale_pages()
            try:
                return not self._is_known(self._read_state())
            except SQLITE_ERRORS as error:
                return is_damage(error)

    @property
    def is_same_project(self) -> bool:
        """Whether the file still contains the opened project, even if its events have changed."""
        try:
            return (
                self._known.file_state is not None
                and self._read_state()[0] == self._known.file_state[0]
            )
        except SQLITE_ERRORS:
            return False

    def _read_state(self) -> FileState:
        file_state: FileState = self.execute(STATE_QUERY).fetchone()
        return file_state

    def _check_not_overwritten(self) -> None:
        if self._known.file_state is not None and not self._is_known(self._read_state()):
            raise CommitFailed(self._overwritten_message)

    def _is_known(self, file_state: FileState) -> bool:
        return file_state == self._known.file_state or (
            self._known.uncertain_state is not None and file_state == self._known.uncertain_state
        )

    @property
    def _overwritten_message(self) -> str:
        if self._has_newer_events():
            return Message(
                "Not saved: {project} contains judgments that were saved elsewhere. The file "
                "is also open under another name (a hard link), or was replaced by a newer "
                "copy. If it is open elsewhere, close it there; then reopen it here.",
                key="judged-elsewhere",
                project=self.name,
            )
        return Message(
            "Not saved: {project} was overwritten with another file while it was open.",
            key="overwritten",
            project=self.name,
        )

    def _has_newer_events(self) -> bool:
        """Return whether another program has appended events to the log known to this process."""
        if self._known.file_state is None:
            return False
        seed, sequence, digest = self._known.file_state
        with suppress(*SQLITE_ERRORS):
            current_state = self._read_state()
            row = (
                self.execute("SELECT digest FROM event WHERE sequence = ?", (sequence,)).fetchone()
                if sequence
                else None
            )
            return (
                current_state[0] == seed
                and (current_state[1] or 0) > (sequence or 0)
                and (row[0] if row else None) == digest
            )
        return False

    def _record_state(self, file_state: FileState | None = None) -> None:
        """Record the state of the file that this process has just opened or written."""
        with suppress(*SQLITE_ERRORS):  # unreadable content is reported when the file is opened
            self._known.file_state, self._known.uncertain_state = (
                file_state or self._read_state(),
                None,
            )
        self._known.stamp = self._read_stamp()

    def _read_stamp(self) -> tuple[int, int] | None:
        try:
            status = self.path.stat()
        except OSError:
            return None
        return status.st_mtime_ns, status.st_size

    def _drop_stale_pages(self) -> None:
        """Drop SQLite's cached pages if the file has changed since this process last wrote it.

        SQLite itself does not drop them if the file was replaced with a file that has the same
        change counter.
        """
        if self._read_stamp() != self._known.stamp and not self._sqlite.in_transaction:
            self._sqlite.execute("PRAGMA shrink_memory")

    def _check_identity(self) -> None:
        """Raise CommitFailed if the file was moved or replaced, since writes would be lost."""
        if not self._is_in_place():
            raise CommitFailed(
                "Not saved: {project} was moved, deleted or replaced while it was open.",
                project=self.name,
            )

    def _is_in_place(self) -> bool:
        try:
            return _read_file_identity(self.path) == self._identity
        except OSError:
            return False

    def execute(self, statement: str, values: Sequence[Any] = ()) -> sqlite3.Cursor:
        """Run a statement; wait up to `WAIT_SECONDS` for another connection's lock."""
        deadline = time.monotonic() + WAIT_SECONDS
        while True:
            try:
                self._track_writes(statement)
                return self._sqlite.execute(statement, values)
            except sqlite3.OperationalError as error:
                if (
                    getattr(error, "sqlite_errorcode", 0) & 0xFF != sqlite3.SQLITE_BUSY
                    or time.monotonic() > deadline
                ):
                    raise
            time.sleep(POLL_SECONDS)

    def insert(self, statement: str, rows: Iterable[Sequence[Any]]) -> None:
        """Run one statement for each row."""
        self._track_writes(statement)
        self._sqlite.executemany(statement, rows)

    def fetch_all(self, statement: str, values: Sequence[Any] = ()) -> list[Any]:
        """Run a statement and return all its rows."""
        try:
            with closing(
                self.execute(statement, values)
            ) as cursor:  # unless closed, a cursor on damaged rows would keep the file locked
                return cursor.fetchall()
        except SQLITE_ERRORS as error:
            raise ProjectError(
                "Cannot read {project}: {reason}.",
                project=self.name,
                reason=describe_error(error),
            ) from error

    def iter_rows(self, statement: str, values: Sequence[Any] = ()) -> Iterator[Any]:
        """Run a statement and yield its rows one by one."""
        try:
            with closing(self.execute(statement, values)) as cursor:
                yield from cursor
        except SQLITE_ERRORS as error:
            raise ProjectError(
                "Cannot read {project}: {reason}.",
                project=self.name,
                reason=describe_error(error),
            ) from error

    def has_unreadable_rows(self, statement: str, values: Sequence[Any] = ()) -> bool:
        """Return whether any row of a query is unreadable."""
        try:
            for _ in self.iter_rows(statement, values):
                pass
        except ProjectError:
            return True
        return False

    @property
    def in_transaction(self) -> bool:
        """Whether a transaction of this connection is open."""
        return self._sqlite.in_transaction

    @contextmanager
    def hold_read_lock(self) -> Iterator[None]:
        """Hold a read lock during the block.

        Within the block, a writer cannot lock the file; therefore, an unreadable row is damaged.
        """
        self._sqlite.execute("BEGIN")
        try:
            try:
                self.execute("SELECT 1 FROM sqlite_schema LIMIT 1").fetchone()
            except SQLITE_ERRORS as error:
                if not is_damage(error):
                    raise ProjectError(
                        "Cannot read {project}: {reason}.",
                        project=self.name,
                        reason=describe_error(error),
                    ) from error
            yield
        finally:
            self._sqlite.rollback()

    def read_until_damage(self, statement: str) -> list[Any]:
        """Run a query and return the rows that precede the first unreadable row."""
        rows: list[Any] = []
        with suppress(*SQLITE_ERRORS), closing(self.execute(statement)) as cursor:
            rows.extend(cursor)
        return rows

    def fetch_one(self, statement: str, values: Sequence[Any] = ()) -> Any:
        """Run a query and return its first row; None if it returns no rows."""
        rows = self.fetch_all(statement, values)
        return rows[0] if rows else None

    def get_setting(self, name: str, default: str | None = None) -> Any:
        """Return the stored text of a setting; `default` if it is not set."""
        row = self.fetch_one("SELECT value FROM fact WHERE name = ?", (name,))
        return row[0] if row else default

    def read_json_setting(self, name: str, kind: type[T]) -> T:
        """Return a setting stored as a JSON list or object; an empty one if it is not set.

        Raises ProjectError if the setting is not a value of type `kind`.
        """
        text = self.get_setting(name)
        content = kind() if text is None else parse_json_or_none(text)
        if not isinstance(content, kind):
            raise ProjectError(
                "{file} is damaged: cannot read its setting {fact}.", file=self.name, fact=name
            )
        return content

    def set_setting(self, name: str, value: str) -> None:
        """Store the text of a setting; call this method in a transaction.

        Raise ProjectError if the text is too large.
        """
        size = len(value) if value.isascii() else len(value.encode())
        if size > MAX_SETTING_BYTES:
            raise ProjectError(
                "{file} cannot store {name}: it has {size:,} MB; the maximum is {limit} MB.",
                key="large-setting",
                file=self.name,
                name=name,
                size=size // 1_000_000,
                limit=MAX_SETTING_BYTES // 1_000_000,
            )
        self.execute(
            "INSERT INTO fact VALUES (?, ?) ON CONFLICT (name) DO UPDATE SET value = excluded.value",
            (name, value),
        )

    def read_readable_settings(self, names: Sequence[str]) -> dict[str, str]:
        """Return the readable settings of a project that may be damaged, by name.

        The table is read in ascending and in descending order. Then each setting in `names` is read
        separately. Settings that are too large are omitted.
        """
        query = f"SELECT name, value FROM fact WHERE length(CAST(value AS BLOB)) <= {MAX_READ_SETTING_BYTES}"
        rows = self.read_until_damage(f"{query} ORDER BY name") + self.read_until_damage(
            f"{query} ORDER BY name DESC"
        )
        for name in names:
            with suppress(ProjectError):
                rows += self.fetch_all(f"{query} AND name = ?", (name,))
        return {
            name: value for name, value in rows if isinstance(name, str) and isinstance(value, str)
        }


def parse_json_or_none(text: str) -> Any:
    """Return the value of a stored JSON text; None if it is invalid."""
    try:
        return json.loads(text)
    except (ValueError, TypeError, RecursionError):
        return None


@contextmanager
def new_file(path: Path, permissions_of: Path | None = None) -> Iterator[Connection]:
    """Create a project file under a temporary name; rename it to `path` if the block succeeds.

    If the file `permissions_of` is given, only users who may read that file can read the new file.
    """
    temporary_path = partial_path(path)
    connection, is_complete = Connection(temporary_path, create=True, name=path.name), False
    try:
        if permissions_of is not None:
            temporary_path.chmod(get_copy_mode(permissions_of) & temporary_path.stat().st_mode)
        yield connection
        is_complete = True
    finally:
        if is_complete:
            connection.close()
            publish_file(temporary_path, path)
        else:
            connection.discard()


def _restrict(sqlite: sqlite3.Connection, *, untrusted: bool, damaged: bool) -> None:
    """Limit what the content of a file can make SQLite do.

    Returned (`untrusted`) and damaged files are limited more strictly.
    """
    # returned files need no authorizer, since only their plain tables are read
    if damaged and not untrusted:
        sqlite.set_authorizer(_authorise)
    for pragma in ("trusted_schema = OFF", "cell_size_check = ON", "mmap_size = 0"):
        sqlite.execute(f"PRAGMA {pragma}")
    sqlite.setlimit(
        sqlite3.SQLITE_LIMIT_LENGTH, MAX_UNTRUSTED_BYTES if untrusted else MAX_VALUE_BYTES
    )
    if untrusted:
        deadline = time.monotonic() + MAX_UNTRUSTED_SECONDS
        sqlite.set_progress_handler(lambda: time.monotonic() > deadline, PROGRESS_STEPS)
        sqlite.execute("PRAGMA query_only = ON")


def _authorise(
    action: int, _one: str | None, function: str | None, _base: str | None, trigger: str | None
) -> int:
    """Deny actions of views and triggers, and SQL functions other than `ALLOWED_FUNCTIONS`."""
    is_denied = trigger is not None or (
        action == sqlite3.SQLITE_FUNCTION and str(function).lower() not in ALLOWED_FUNCTIONS
    )
    return sqlite3.SQLITE_DENY if is_denied else sqlite3.SQLITE_OK


def _find_journal_path(path: Path) -> Path:
    """Return the path of the SQLite journal of a file.

    If `path` is a link, the journal is next to the file that it refers to.
    """
    path = path.resolve()
    return path.with_name(f"{path.name}-journal")


def _roll_back_journal(path: Path) -> None:
    """If a file has a journal, roll back the interrupted write.

    This is necessary before the file is opened read-only, since a read-only connection cannot roll
    back.
    """
    path = path.resolve()
    if not _find_journal_path(path).exists():
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
        return  # another process is writing, or the folder is read-only; opening reports the error


def is_damage(error: BaseException | None) -> bool:
    """Return whether an SQLite error is caused by damaged bytes, not by a lock or the disk."""
    # UnicodeDecodeError has no error name
    name = getattr(error, "sqlite_errorname", None) or ""
    return isinstance(error, SQLITE_ERRORS) and (
        name == "SQLITE_IOERR_SHORT_READ" or not name.startswith(ACCESS_ERRORS)
    )


def describe_error(error: Exception, folder: Path | None = None) -> str:
    """Return a description of an SQLite error for users.

    If `folder` is given, the description of a full disk contains it.
    """
    if folder and getattr(error, "sqlite_errorname", None) == "SQLITE_FULL":
        return Message("the disk of {folder} is full", folder=folder)
    text = str(error) if isinstance(error, sqlite3.Error) else "malformed"
    return next((message for fragment, message in ERROR_MESSAGES.items() if fragment in text), text)


def _read_file_identity(path: Path) -> tuple[int, int]:
    status = path.stat()
    return status.st_dev, status.st_ino
