"""Connection to a PostgreSQL database, and its errors."""

import json
import logging
import re
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager, suppress
from hashlib import sha256
from typing import Any, LiteralString, TypeAlias

import psycopg
from psycopg import errors, pq
from psycopg.conninfo import conninfo_to_dict

from irjudge.errors import CommitFailed, CommitUnknown, IrjudgeError, ProjectError
from irjudge.exchange import compute_identity, list_questions
from irjudge.judging import list_calibration, list_pool_pairs
from irjudge.message import Message
from irjudge.store import Project
from irjudge.web.session_options import SessionOptions, read_gold_by_topic
from irjudge.web.session_store import Conflict

# Connection

Row: TypeAlias = tuple[Any, ...]
Query: TypeAlias = tuple[LiteralString, Sequence[Any]]

LOCK_CLASS = 0x69726A  # first key of irjudge's advisory locks: "irj"
CONNECT_SECONDS, LOCK_SECONDS, IDLE_SECONDS = 5, 20, 30
CONNECTION_OPTIONS = f"-c lock_timeout={LOCK_SECONDS}s -c idle_in_transaction_session_timeout={IDLE_SECONDS}s -c statement_timeout=120s"
REQUIRED_SETTINGS = {
    "fsync": ("on",),
    "full_page_writes": ("on",),
    "synchronous_commit": ("on", "local", "remote_write", "remote_apply"),
}
ERROR_MESSAGES: tuple[tuple[type[psycopg.Error], str], ...] = (
    (errors.DiskFull, Message("the disk of the database is full")),
    (
        errors.InsufficientPrivilege,
        Message("the database user has no permission for this operation"),
    ),
    (errors.ReadOnlySqlTransaction, Message("the database is read-only")),
    (errors.LockNotAvailable, Message("another server has locked the database for too long")),
    (errors.UndefinedTable, Message("a table of irjudge is missing")),
    (errors.UndefinedColumn, Message("a table of irjudge was changed")),
    (errors.UniqueViolation, Message("another program wrote to the database at the same time")),
    (errors.TooManyConnections, Message("the database accepts no more connections")),
)
CONNECTION_LOST = Message("the connection was lost")
# folder of a socket, host name, or IPv6 address; others may contain a password
_HOST = re.compile(r"/.*|[^@:]*|[0-9a-f:.]+(?:%[^@:]*)?", re.IGNORECASE | re.DOTALL)
# The log of psycopg is disabled, since psycopg also raises the logged errors, and irjudge reports
# them.
logging.getLogger("psycopg").setLevel(logging.CRITICAL)


class DatabaseConnection:
    """Connection to a PostgreSQL database; a lost connection is re-established on next use."""

    def __init__(self, url: str, *, unsafe: bool = False) -> None:
        self.name = check_url(url)
        self._url, self._allows_unsafe = url, unsafe
        self._psycopg_connection: psycopg.Connection[Row] | None = None
        self._in_transaction = False

    def close(self) -> None:
        """Close the connection if it is open."""
        if self._psycopg_connection is not None:
            with suppress(psycopg.Error):
                self._psycopg_connection.close()
        self._psycopg_connection = None

    @contextmanager
    def transaction(self) -> Iterator[None]:
        """Commit the block durably as one transaction, or roll it back."""
        if self._in_transaction:
            yield
            return
        self._in_transaction, is_committed = True, False
        try:
            with self._get_connection().transaction():
                yield
                is_committed = True
        except psycopg.Error as error:
            self._drop_if_lost()
            if is_committed and self._psycopg_connection is None:
                raise CommitUnknown(
                    "Cannot determine whether the last change was saved: {reason} (database "
                    "{name}).",
                    reason=describe_error(error),
                    name=self.name,
                ) from error
            raise self._make_commit_error(error) from error
        finally:
            self._in_transaction = False

    @contextmanager
    def savepoint(self) -> Iterator[None]:
        """Inside a transaction, roll back only this block if it raises."""
        try:
            with self._get_connection().transaction():
                yield
        except psycopg.Error as error:
            raise self._make_commit_error(error) from error

    def _make_commit_error(self, error: psycopg.Error) -> CommitFailed:
        error_class = (
            Conflict
            if isinstance(error, psycopg.IntegrityError | psycopg.DataError)
            else CommitFailed
        )
        return error_class(
            "Not saved: {reason} (database {name}).", reason=describe_error(error), name=self.name
        )

    @contextmanager
    def snapshot(self) -> Iterator[None]:
        """Make all queries of the block read the same snapshot of the database."""
        try:
            with self._get_connection().transaction():
                self.run("SET TRANSACTION ISOLATION LEVEL REPEATABLE READ READ ONLY")
                yield
        except psycopg.Error as error:
            self._drop_if_lost()
            raise ProjectError(
                "Cannot read database {name}: {reason}.",
                name=self.name,
                reason=describe_error(error),
            ) from error

    def acquire_lock(self, lock_number: int) -> None:
        """Acquire a lock until the transaction ends; wait if another server has it."""
        self.run("SELECT pg_advisory_xact_lock(%s, %s)", (LOCK_CLASS, lock_number))

    def run(self, statement: LiteralString, values: Sequence[Any] = ()) -> None:
        """Run one statement."""
        self._get_connection().execute(statement, values)

    def run_batch(self, statement: LiteralString, rows: Sequence[Sequence[Any]]) -> None:
        """Run a statement for each row, as one batch."""
        if rows:
            with self._get_connection().cursor() as cursor:
                cursor.executemany(statement, rows)

    def fetch_all(self, statement: LiteralString, values: Sequence[Any] = ()) -> list[Row]:
        """Run one statement, and return all rows of its result."""
        return self._get_connection().execute(statement, values).fetchall()

    def run_all(self, queries: Iterable[Query]) -> list[list[Row]]:
        """Run queries in the given order in one round trip; return the rows of each query."""
        connection = self._get_connection()
        with connection.pipeline():
            cursors = [connection.execute(statement, values) for statement, values in queries]
            return [cursor.fetchall() for cursor in cursors]

    def _get_connection(self) -> psycopg.Connection[Row]:
        if self._psycopg_connection is None:
            try:
                self._psycopg_connection = psycopg.connect(
                    self._url,
                    autocommit=True,
                    connect_timeout=CONNECT_SECONDS,
                    options=CONNECTION_OPTIONS,
                    application_name="irjudge",
                )
            except psycopg.Error as error:
                raise CommitFailed(
                    "Cannot connect to database {name}: {reason}.",
                    name=self.name,
                    reason=find_last_line(error),
                ) from error
            try:
                self._check_durable(self._psycopg_connection)
            except BaseException:
                self.close()
                raise
        return self._psycopg_connection

    def _check_durable(self, connection: psycopg.Connection[Row]) -> None:
        """Reject a database whose settings can lose commits after a power failure."""
        for name, safe_values in REQUIRED_SETTINGS.items():
            row = connection.execute("SELECT current_setting(%s)", (name,)).fetchone()
            value = row[0] if row else ""
            if value not in safe_values and not self._allows_unsafe:
                raise ProjectError(
                    "Database {name} has {setting} = {value}, so it could lose "
                    "acknowledged judgments. Turn this setting on, or use --unsafe for "
                    "tests.",
                    name=self.name,
                    setting=name,
                    value=value,
                )

    def _drop_if_lost(self) -> None:
        connection = self._psycopg_connection
        if connection is not None and (
            connection.closed or connection.info.transaction_status != pq.TransactionStatus.IDLE
        ):
            self.close()


def check_url(url: str) -> str:
    """Return the database name in an address.

    Raises IrjudgeError if the address is invalid or contains a password; the message never
    contains the address.
    """
    try:
        parts = conninfo_to_dict(url)
    except psycopg.ProgrammingError:
        parts = {}
    name = str(parts.get("dbname", "") or "postgres")
    hosts = str(parts.get("host", "")).split(",")
    # If a password contains a slash, the part of the password after the slash and the host would
    # be parsed as part of the database name.
    if not parts or "@" in name or not all(map(_HOST.fullmatch, hosts)):
        raise IrjudgeError(
            "This is not a valid database address; expected postgresql://user@host/name.",
            key="no-database-address",
        )
    if "sslpassword" in parts:
        raise IrjudgeError(
            "The database address contains the password of a key (sslpassword), which other "
            "programs on this computer could read. Use a key without a password.",
            key="key-password",
        )
    if "password" in parts:
        raise IrjudgeError(
            "The database address contains a password, which other programs on this computer "
            "could read. Put it into ~/.pgpass or the environment (PGPASSWORD)."
        )
    return name


def describe_error(error: psycopg.Error) -> str:
    """Return a PostgreSQL error as a message for users."""
    for kind, message in ERROR_MESSAGES:
        if isinstance(error, kind):
            return message
    if isinstance(
        error, errors.AdminShutdown | errors.CrashShutdown | errors.IdleInTransactionSessionTimeout
    ):
        return CONNECTION_LOST
    if error.sqlstate is None and isinstance(error, psycopg.OperationalError):
        return CONNECTION_LOST
    return find_last_line(error)


def find_last_line(error: psycopg.Error) -> str:
    """Return the last line of a PostgreSQL error that is not a question.

    Earlier lines contain the same error for other addresses. Questions, such as "Is the server
    running?", are hints.
    """
    lines = [line.strip().rstrip(".") for line in str(error).splitlines()]
    statements = [line for line in lines if line and not line.endswith("?")]
    return statements[-1] if statements else type(error).__name__


# Tables, migrations and fingerprints

# for each schema version: statements that migrate the tables from the previous version
MIGRATIONS: dict[int, LiteralString] = {
    1: """
-- What the database is: its form, and the project it belongs to.
CREATE TABLE irjudge_fact (name text PRIMARY KEY, value text NOT NULL);
-- What is asked. `turn` counts the transactions that wrote: rows of other tables say in which one they changed last.
CREATE TABLE session (
    code integer GENERATED ALWAYS AS IDENTITY PRIMARY KEY, id text NOT NULL UNIQUE, join_code text NOT NULL, state text NOT NULL,
    terms text NOT NULL, seed bigint NOT NULL, pool integer NOT NULL, made text NOT NULL, turn bigint NOT NULL DEFAULT 0
);
-- What there is to judge.
CREATE TABLE item (
    session integer NOT NULL REFERENCES session, rank integer NOT NULL, topic text NOT NULL, document text NOT NULL,
    PRIMARY KEY (session, rank), UNIQUE (session, topic, document)
);
-- Who the opaque id is that events name; names stand here and nowhere else.
CREATE TABLE assessor (
    code integer GENERATED ALWAYS AS IDENTITY PRIMARY KEY, id text NOT NULL UNIQUE, session integer NOT NULL REFERENCES session,
    assignment text NOT NULL, name text NOT NULL, token bytea NOT NULL, joined text NOT NULL, aside boolean NOT NULL DEFAULT false,
    seen timestamptz NOT NULL DEFAULT clock_timestamp(), turn bigint NOT NULL
);
CREATE INDEX ON assessor (turn);
-- What was given to whom, and how that stands; nobody is given the same a second time, save a planted repeat.
CREATE TABLE lease (
    assessor text NOT NULL REFERENCES assessor (id), number integer NOT NULL, type text NOT NULL, topic text NOT NULL, lists text NOT NULL,
    sides text NOT NULL, role text NOT NULL, left_run text NOT NULL, right_run text NOT NULL, state text NOT NULL, turn bigint NOT NULL,
    PRIMARY KEY (assessor, number)
);
CREATE UNIQUE INDEX lease_once
    ON lease (assessor, type, topic, md5(lists), least(left_run, right_run), greatest(left_run, right_run), (role = 'repeat'));
CREATE INDEX ON lease (turn);
-- The log; an event is known by its hash, and by the client that sent it and that one's number.
CREATE TABLE event (
    sequence bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY, digest bytea NOT NULL UNIQUE, assessor text NOT NULL REFERENCES assessor (id),
    client text NOT NULL, number integer NOT NULL, body bytea NOT NULL, turn bigint NOT NULL, UNIQUE (client, number)
);
CREATE INDEX ON event (turn);
CREATE INDEX ON event (assessor, sequence);
""",
    2: """
-- The id that stands for somebody who has another one too; empty for who has one alone.
ALTER TABLE assessor ADD COLUMN same_as text NOT NULL DEFAULT '';
""",
    3: """
-- When the way to the completion of a panel was shown, which one, and how many judgments stood by then; empty for never.
ALTER TABLE assessor ADD COLUMN completed text NOT NULL DEFAULT '';
""",
    4: """
-- What whoever leads says to all, and what somebody answered before and after their work (JSON); empty for nothing.
ALTER TABLE session ADD COLUMN message text NOT NULL DEFAULT '';
ALTER TABLE assessor ADD COLUMN survey text NOT NULL DEFAULT '';
""",
}
SCHEMA_VERSION = max(MIGRATIONS)
MIGRATION_LOCK = 0  # lock number of migrations; sessions are numbered from 1
FINGERPRINT_LABELS = {
    "project": Message("a different project"),
    "scale": Message("a different scale"),
    "topics": Message("different topics"),
    "texts": Message("different texts"),
    "pool": Message("a different pool"),
    "gold": Message("different gold items"),
}


def read_schema_version(database: DatabaseConnection) -> int:
    """Return the schema version of a database; 0 if it has no tables of irjudge."""
    (has_tables,) = database.fetch_all("SELECT to_regclass('irjudge_fact') IS NOT NULL")
    if not has_tables[0]:
        return 0
    rows = database.fetch_all("SELECT value FROM irjudge_fact WHERE name = 'form'")
    version = int(rows[0][0]) if rows and str(rows[0][0]).isdigit() else 0
    if version > SCHEMA_VERSION:
        raise ProjectError(
            "Database {name} was written by a newer version of irjudge (format {version}; this "
            "version reads {supported}). Install the newer version.",
            name=database.name,
            version=version,
            supported=SCHEMA_VERSION,
        )
    return version


def migrate(database: DatabaseConnection) -> bool:
    """Create or migrate the tables; return whether they were created."""
    with database.transaction():
        database.acquire_lock(MIGRATION_LOCK)
        version = read_schema_version(database)
        if not version:
            _check_no_foreign_tables(database)
        for step in range(version + 1, SCHEMA_VERSION + 1):
            database.run(MIGRATIONS[step])
        if version != SCHEMA_VERSION:
            store_fingerprints(database, {"form": str(SCHEMA_VERSION)})
    return version == 0


def _check_no_foreign_tables(database: DatabaseConnection) -> None:
    """Raise `ProjectError` if another program's tables have the names of irjudge's tables."""
    rows = database.fetch_all(
        "SELECT name FROM unnest(%s::text[]) AS name WHERE to_regclass(name) IS NOT NULL",
        (["session", "item", "event"],),
    )
    if rows:
        raise ProjectError(
            "Database {name} belongs to another program: it has a table {table}. Use a "
            "separate database for irjudge.",
            key="foreign-database",
            name=database.name,
            table=rows[0][0],
        )


def compute_fingerprints(project: Project, pool: int, options: SessionOptions) -> dict[str, str]:
    """Return hashes that identify the project and the session to which a database belongs.

    There are hashes of the project, the scale, the topics, the texts, the pool or comparison, and
    the gold answers.
    """
    answers, _ = read_gold_by_topic(project, options)
    gold_and_calibration = (
        {topic: sorted(grades) for topic, grades in answers.items()},
        list_calibration(project),
    )
    questions = _list_judged_items(project, pool, options)
    document_names = {document for _, *documents in questions for document in documents}
    document_names |= {
        document
        for part in gold_and_calibration
        for documents in part.values()
        for document in documents
    }
    digests = project.collection.digests(sorted(document_names))
    return {
        "project": compute_identity(project),
        "scale": project.scale.version,
        "topics": _hash_parts(
            [topic.id, topic.digest.hex()] for topic in project.collection.topics()
        ),
        "texts": _hash_parts([name, digests.get(name, "")] for name in sorted(document_names)),
        "pool": _hash_parts(questions),
        "gold": _hash_parts([answers, gold_and_calibration[1]]),
    }


def _list_judged_items(
    project: Project, pool: int, options: SessionOptions
) -> list[tuple[str, ...]]:
    """Return the topic and the documents of each item that is judged in a session.

    The items are the questions of a comparison or, in other sessions, the pooled pairs.
    """
    if options.compare is not None:
        return [
            (question.topic, *question.documents)
            for question in list_questions(project, options.compare)[0]
        ]
    return [*list_pool_pairs(project.rankings.pool(pool))]


def _hash_parts(parts: Iterable[object]) -> str:
    """Return a hash of the parts, which are encoded one at a time to save memory."""
    digest = sha256()
    for part in parts:
        digest.update(json.dumps(part, ensure_ascii=True, sort_keys=True).encode() + b"\n")
    return digest.hexdigest()


def check_fingerprints(
    database: DatabaseConnection, fingerprints: dict[str, str], name: str
) -> None:
    """Raise `ProjectError` if a stored fingerprint of the database differs from the given one."""
    stored_fingerprints: dict[str, str] = dict(
        database.fetch_all("SELECT name, value FROM irjudge_fact")
    )
    for part, label in FINGERPRINT_LABELS.items():
        if (
            part in fingerprints
            and part in stored_fingerprints
            and stored_fingerprints[part] != fingerprints[part]
        ):
            raise ProjectError(
                "The session in database {database} does not match {project} ({difference}). "
                "Neither was changed.",
                database=database.name,
                difference=label,
                project=name,
            )


def store_fingerprints(database: DatabaseConnection, fingerprints: dict[str, str]) -> None:
    """Store or replace values, such as the fingerprint of the project, by name."""
    database.run_batch(
        "INSERT INTO irjudge_fact VALUES (%s, %s) ON CONFLICT (name) DO UPDATE SET value = excluded.value",
        list(fingerprints.items()),
    )
