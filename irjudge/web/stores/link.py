"""The connection to a PostgreSQL database: durable commits, one server's turn after the other, faults in words."""

import logging
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager, suppress
from typing import Any, LiteralString, TypeAlias

import psycopg
from psycopg import errors, pq
from psycopg.conninfo import conninfo_to_dict

from irjudge.errors import CommitFailed, CommitUnknown, IrjudgeError, ProjectError
from irjudge.message import Message
from irjudge.web.stores import Conflict

Row: TypeAlias = tuple[Any, ...]
Asked: TypeAlias = tuple[LiteralString, Sequence[Any]]

TURNS = 0x69726A  # the class of our advisory locks: "irj"
CONNECT_SECONDS, LOCK_SECONDS, IDLE_SECONDS = 5, 20, 30
OPTIONS = f"-c lock_timeout={LOCK_SECONDS}s -c idle_in_transaction_session_timeout={IDLE_SECONDS}s -c statement_timeout=120s"
DURABLE = {
    "fsync": ("on",),
    "full_page_writes": ("on",),
    "synchronous_commit": ("on", "local", "remote_write", "remote_apply"),
}
WORDS: tuple[tuple[type[psycopg.Error], str], ...] = (
    (errors.DiskFull, Message("the disk of the database is full")),
    (errors.InsufficientPrivilege, Message("the user of the database may not do that")),
    (errors.ReadOnlySqlTransaction, Message("the database is read-only")),
    (errors.LockNotAvailable, Message("another server holds the database for too long")),
    (errors.UndefinedTable, Message("a table of irjudge is missing in it")),
    (errors.UndefinedColumn, Message("a table of irjudge in it was changed")),
    (errors.UniqueViolation, Message("another program wrote what is being written")),
    (errors.TooManyConnections, Message("it takes no more connections")),
)
LOST = Message("the connection to it was lost")
logging.getLogger("psycopg").setLevel(
    logging.CRITICAL
)  # what goes wrong is raised; the terminal is the organiser's


class Link:
    """A connection that is made anew when it was lost."""

    def __init__(self, url: str, *, unsafe: bool = False) -> None:
        self.name = checked_url(url)
        self._url, self._unsafe = url, unsafe
        self._made: psycopg.Connection[Row] | None = None
        self._inside = False

    def close(self) -> None:
        """Let the connection go."""
        if self._made is not None:
            with suppress(psycopg.Error):
                self._made.close()
        self._made = None

    @contextmanager
    def transaction(self) -> Iterator[None]:
        """Make what happens inside durable as one, or none of it."""
        if self._inside:
            yield
            return
        self._inside, done = True, False
        try:
            with self._connection().transaction():
                yield
                done = True
        except psycopg.Error as fault:
            self._drop_if_lost()
            if done and self._made is None:
                raise CommitUnknown(
                    "It cannot be known whether this is saved: {words} (database {name}).",
                    words=in_words(fault),
                    name=self.name,
                ) from fault
            raise self._not_saved(fault) from fault
        finally:
            self._inside = False

    @contextmanager
    def savepoint(self) -> Iterator[None]:
        """Inside a transaction, take back what happens here, and nothing else, where it raises."""
        try:
            with self._connection().transaction():
                yield
        except psycopg.Error as fault:
            raise self._not_saved(fault) from fault

    def _not_saved(self, fault: psycopg.Error) -> CommitFailed:
        kind = (
            Conflict
            if isinstance(fault, psycopg.IntegrityError | psycopg.DataError)
            else CommitFailed
        )
        return kind("Not saved: {words} (database {name}).", words=in_words(fault), name=self.name)

    @contextmanager
    def snapshot(self) -> Iterator[None]:
        """Let all that is read inside be of one moment."""
        try:
            with self._connection().transaction():
                self.run("SET TRANSACTION ISOLATION LEVEL REPEATABLE READ READ ONLY")
                yield
        except psycopg.Error as fault:
            self._drop_if_lost()
            raise ProjectError(
                "Database {name} cannot be read: {words}.", name=self.name, words=in_words(fault)
            ) from fault

    def take_turn(self, number: int) -> None:
        """Wait until no other server has the turn, and keep it until the transaction ends."""
        self.run("SELECT pg_advisory_xact_lock(%s, %s)", (TURNS, number))

    def run(self, statement: LiteralString, values: Sequence[Any] = ()) -> None:
        """Run one statement."""
        self._connection().execute(statement, values)

    def many(self, statement: LiteralString, rows: Sequence[Sequence[Any]]) -> None:
        """Run one statement for each row, all in one go."""
        if rows:
            with self._connection().cursor() as cursor:
                cursor.executemany(statement, rows)

    def all(self, statement: LiteralString, values: Sequence[Any] = ()) -> list[Row]:
        """Return all rows."""
        return self._connection().execute(statement, values).fetchall()

    def together(self, asked: Iterable[Asked]) -> list[list[Row]]:
        """Return the rows of several statements that travel together, each made after the one before it has ended."""
        connection = self._connection()
        with connection.pipeline():
            cursors = [connection.execute(statement, values) for statement, values in asked]
            return [cursor.fetchall() for cursor in cursors]

    def _connection(self) -> psycopg.Connection[Row]:
        if self._made is None:
            try:
                self._made = psycopg.connect(
                    self._url,
                    autocommit=True,
                    connect_timeout=CONNECT_SECONDS,
                    options=OPTIONS,
                    application_name="irjudge",
                )
            except psycopg.Error as fault:
                raise CommitFailed(
                    "Database {name} cannot be reached: {words}.",
                    name=self.name,
                    words=last_line(fault),
                ) from fault
            try:
                self._check_durable(self._made)
            except BaseException:
                self.close()
                raise
        return self._made

    def _check_durable(self, connection: psycopg.Connection[Row]) -> None:
        """Refuse a database that acknowledges what a cut of power takes back."""
        for name, sound in DURABLE.items():
            row = connection.execute("SELECT current_setting(%s)", (name,)).fetchone()
            value = row[0] if row else ""
            if value not in sound and not self._unsafe:
                raise ProjectError(
                    "Database {name} has {setting} = {value}: it could lose judgments that it acknowledged. Turn it on, or say "
                    "--unsafe if nothing matters here.",
                    name=self.name,
                    setting=name,
                    value=value,
                )

    def _drop_if_lost(self) -> None:
        made = self._made
        if made is not None and (
            made.closed or made.info.transaction_status != pq.TransactionStatus.IDLE
        ):
            self.close()


def checked_url(url: str) -> str:
    """Return the name of the database that an address leads to."""
    try:
        parts = conninfo_to_dict(url)
    except psycopg.ProgrammingError as fault:
        raise IrjudgeError(
            "{url} is no address of a database, expected postgresql://user@host/name.", url=url
        ) from fault
    if "password" in parts:
        raise IrjudgeError(
            "The address of the database holds a password, which other programs of this machine could read. Put it into ~/.pgpass or "
            "the environment (PGPASSWORD)."
        )
    return str(parts.get("dbname", "") or "postgres")


def in_words(fault: psycopg.Error) -> str:
    """Return what PostgreSQL says in the words of a user."""
    for kind, words in WORDS:
        if isinstance(fault, kind):
            return words
    if isinstance(
        fault, errors.AdminShutdown | errors.CrashShutdown | errors.IdleInTransactionSessionTimeout
    ):
        return LOST
    if fault.sqlstate is None and isinstance(fault, psycopg.OperationalError):
        return LOST
    return last_line(fault)


def last_line(fault: psycopg.Error) -> str:
    """Return the last line of what PostgreSQL says; those before it say the same of other addresses."""
    return (str(fault).strip().splitlines() or [type(fault).__name__])[-1].strip().rstrip(".")
