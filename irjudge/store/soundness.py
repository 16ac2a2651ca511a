"""Checks of a project file for damage, made when the file is opened and when it is read."""

import hashlib
import json
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from itertools import groupby
from operator import itemgetter
from typing import Any

from irjudge.errors import IrjudgeError, ProjectDamaged, ProjectError
from irjudge.message import Message
from irjudge.model import Scale
from irjudge.progress import SILENT, Progress
from irjudge.store.connection import (
    MAX_READ_SETTING_BYTES,
    UNEXPECTED_VALUE_TYPE,
    VALUE_ERRORS,
    Connection,
    is_damage,
    parse_json_or_none,
)
from irjudge.store.schema import (
    CHECKSUMMED_TABLES,
    HEADER_CHANGED,
    ChecksummedTable,
    RowGroup,
    groups_query,
    hash_rows,
    is_header_sound,
    rows_query,
)

MAX_CHECKED_BYTES = 4_000_000  # maximum size of files that are checked completely when opened
MAX_SEED_DIGITS = 99  # maximum number of digits of a seed
HEAD_TABLES = tuple(table for table in CHECKSUMMED_TABLES if not table.is_wide)
RESCUE_ADVICE = Message(
    "The project can be opened read-only; `irjudge rescue` creates a valid project from the "
    "readable parts. A backup may contain more data."
)
JSON_COLUMNS = {"qrels": ("groups",), "pool": ("parameters", "runs")}  # columns with JSON, by table


def check_soundness(connection: Connection) -> None:
    """Check settings, topics and events of a file and, if it is small, the database pages.

    Raises
    ------
    ProjectDamaged
        If a check fails.
    """
    try:
        _check_setting_sizes(connection)
        metadata = dict(connection.fetch_all("SELECT name, value FROM fact"))
        connection.fetch_all("SELECT id, title, description, narrative FROM topic")
        json_texts = [
            text
            for table, columns in JSON_COLUMNS.items()
            for name in columns
            for (text,) in connection.fetch_all(f"SELECT {name} FROM {table}")
        ]
        events = connection.fetch_all("SELECT digest, body FROM event ORDER BY sequence")
        is_small = connection.path.stat().st_size <= MAX_CHECKED_BYTES
        mismatches = describe_mismatches(
            connection, CHECKSUMMED_TABLES if is_small else HEAD_TABLES
        )
        page_check = connection.fetch_one("PRAGMA quick_check(1)")[0] if is_small else "ok"
        sound_header = is_header_sound(connection.path)
    except ProjectError as error:
        if not is_damage(error.__cause__):
            raise
        raise ProjectDamaged(
            "{file} is damaged: {error}", file=connection.name, error=error
        ) from error
    except VALUE_ERRORS as error:
        raise ProjectDamaged(
            "{file} is damaged: {problem}.",
            file=connection.name,
            problem=UNEXPECTED_VALUE_TYPE,
        ) from error
    _check_settings(connection, metadata, json_texts)
    _check_events(connection, events)
    if mismatches:
        raise ProjectDamaged(
            "{file} is damaged: {problem}", file=connection.name, problem=mismatches[0]
        )
    if not sound_header:
        raise ProjectDamaged(
            "{file} is damaged: {problem}.",
            file=connection.name,
            problem=HEADER_CHANGED,
        )
    if page_check != "ok":
        raise ProjectDamaged(
            "{file} is damaged: its pages are inconsistent ({problem}).",
            file=connection.name,
            problem=str(page_check).splitlines()[-1].rstrip("."),
        )


def _check_setting_sizes(connection: Connection) -> None:
    """Raise ProjectDamaged for a setting that is too large to be read as one text."""
    row = connection.fetch_one(
        "SELECT name FROM fact WHERE length(CAST(value AS BLOB)) > ?", (MAX_READ_SETTING_BYTES,)
    )
    if row:
        raise ProjectDamaged(
            "{file} is damaged: its setting {name} is larger than {limit}.",
            file=connection.name,
            name=row[0],
            limit=f"{MAX_READ_SETTING_BYTES // 1_000_000} MB",
        )


def _check_settings(
    connection: Connection, metadata: Mapping[str, Any], json_texts: Sequence[Any]
) -> None:
    unreadable_settings = [
        name
        for name, is_valid in METADATA_CHECKS.items()
        if name in metadata and not (isinstance(metadata[name], str) and is_valid(metadata[name]))
    ]
    if unreadable_settings:
        raise ProjectDamaged(
            "{file} is damaged: cannot read its setting {name}.",
            file=connection.name,
            name=unreadable_settings[0],
        )
    if not all(map(is_json_container, json_texts)):
        raise ProjectDamaged(
            "{file} is damaged: cannot read its qrels or pools.",
            file=connection.name,
        )


def _check_events(connection: Connection, events: Sequence[Sequence[Any]]) -> None:
    unsound_event = next(
        (
            event_number
            for event_number, (digest, body) in enumerate(events, 1)
            if not matches_digest(digest, body)
        ),
        None,
    )
    if unsound_event:
        raise ProjectDamaged(
            "{file} is damaged: event {number:,} of {total:,} does not match its hash.",
            file=connection.name,
            number=unsound_event,
            total=len(events),
        )


def matches_digest(digest: Any, body: Any) -> bool:
    """Return whether `body` consists of bytes with the hash `digest`."""
    return isinstance(body, bytes) and hashlib.sha256(body).digest() == digest


def is_json_container(text: Any) -> bool:
    """Return whether a text is a JSON list or object."""
    return isinstance(parse_json_or_none(text), list | dict)


def _is_sound_scale(text: str) -> bool:
    try:
        Scale.from_json(text)
    except (
        ValueError,
        KeyError,
        TypeError,
        AttributeError,
        RecursionError,
        OverflowError,
        IrjudgeError,
    ):
        return False
    return True


def _is_sound_calibration(text: str) -> bool:
    try:
        return all(
            isinstance(grade, int)
            for grades in json.loads(text).values()
            for grade in grades.values()
        )
    except (ValueError, AttributeError, RecursionError):
        return False


# function that returns whether a setting is valid, by key of the setting
METADATA_CHECKS: dict[str, Callable[[str], bool]] = {
    "scale": _is_sound_scale,
    "seed": lambda text: text.isascii() and text.isdigit() and len(text) <= MAX_SEED_DIGITS,
    "owner": lambda text: bool(text.strip()),
    "calibration": _is_sound_calibration,
}


# Checksums of tables other than events and texts

MAX_LISTED_MISMATCHES = 5  # maximum number of mismatches that are listed per table

CHANGED_GROUP = Message("the data do not match their hash, so they were changed")
FOREIGN_GROUP = Message("the data have no hash, so irjudge did not write them")
MISSING_GROUP = Message("missing")
UNKNOWN_CHECKSUMS = Message(
    "Some hashes match none of the data that irjudge stored; the data have been changed."
)
ChecksumMismatch = tuple[ChecksummedTable | None, RowGroup, Message]


def has_checksums(connection: Connection) -> bool:
    """Return whether a file has checksums; files of older versions have none."""
    query = "SELECT 1 FROM sqlite_schema WHERE type = 'table' AND name = 'seal'"
    return connection.fetch_one(query) is not None


def find_mismatches(
    connection: Connection,
    tables: Sequence[ChecksummedTable] = CHECKSUMMED_TABLES,
    progress: Progress = SILENT,
) -> Iterator[ChecksumMismatch]:
    """Yield (table, group, problem) of each group of rows that does not match its checksum.

    If there are checksums of unknown tables, a last tuple with None as the table reports them.
    Nothing is yielded for files of older versions, which have no checksums.
    """
    if not has_checksums(connection):
        return
    stored_checksums: dict[Any, dict[RowGroup, Any]] = {table.table: {} for table in tables}
    query = f"SELECT part, key, place, digest FROM seal WHERE part IN ({', '.join('?' * len(stored_checksums))})"
    for table_name, key, position, digest in connection.fetch_all(query, tuple(stored_checksums)):
        # the query can return other table names if the file is damaged
        stored_checksums.setdefault(table_name, {})[key, position] = digest
    for table in tables:
        groups = _read_groups(connection, table, progress)
        for group, problem in _compare_groups(groups, stored_checksums.pop(table.table)):
            yield table, group, problem
    if stored_checksums:
        yield None, ("", 0), UNKNOWN_CHECKSUMS


def _compare_groups(
    groups: Iterable[tuple[RowGroup, Sequence[Any]]], digests: dict[RowGroup, Any]
) -> Iterator[tuple[RowGroup, Message]]:
    """Yield (group, problem) of each group that differs from its checksum in `digests`."""
    for group, rows in groups:
        digest = digests.pop(group, None)
        if digest != hash_rows(rows):
            yield group, FOREIGN_GROUP if digest is None else CHANGED_GROUP
    yield from ((group, MISSING_GROUP) for group in digests)


def check_topic_rows(connection: Connection, table: ChecksummedTable, code: int) -> None:
    """Compare the rows of one run, qrels or pool with their checksums.

    Large files are not checked completely when opened, so that rows are checked when they are read.
    Rows that are read in the transaction that writes them have no checksums yet.

    Raises
    ------
    ProjectDamaged
        If a row was changed, is missing, or was not written by irjudge.
    """
    if connection.in_transaction or not has_checksums(connection):
        return
    with connection.hold_read_lock():
        digests = {
            (code, position): digest
            for position, digest in connection.fetch_all(
                "SELECT place, digest FROM seal WHERE part = ? AND key = ?", (table.table, code)
            )
        }
        rows = connection.iter_rows(
            f"SELECT place, * FROM {table.table} WHERE {table.key} = ? ORDER BY place", (code,)
        )
        groups = (((code, row[0]), [row[1:]]) for row in rows)
        mismatches = list(_compare_groups(groups, digests))
    if mismatches:
        raise ProjectDamaged(
            "{file} is damaged: {problem} {advice}",
            key="damaged-rows",
            file=connection.name,
            problem=_describe_mismatch(connection, table, *mismatches[0]),
            advice=RESCUE_ADVICE,
        )


def _read_groups(
    connection: Connection, table: ChecksummedTable, progress: Progress
) -> Iterator[tuple[RowGroup, list[Any]]]:
    """Yield each group of a table and its rows.

    A table with large rows is read group by group, so that writers are not blocked for long.
    """
    if table.is_wide:
        group_keys = connection.fetch_all(groups_query(table))
        for key, position in progress.track(
            group_keys, Message("Checking hashes"), total=len(group_keys)
        ):
            yield (key, position), connection.fetch_all(*rows_query(table, key, position))
        return
    # a setting that is too large is omitted, so that it counts as missing
    condition = (
        f"WHERE length(CAST(value AS BLOB)) <= {MAX_READ_SETTING_BYTES}"
        if table.table == "fact"
        else ""
    )
    query = f"SELECT {table.key}, {table.position}, * FROM {table.table} {condition} ORDER BY {table.key}, {table.order}"
    for group, rows in groupby(connection.fetch_all(query), key=lambda row: (row[0], row[1])):
        yield group, [row[2:] for row in rows]


def describe_mismatches(
    connection: Connection,
    tables: Sequence[ChecksummedTable] = CHECKSUMMED_TABLES,
    progress: Progress = SILENT,
) -> list[str]:
    """Return descriptions of checksum mismatches; empty for files without checksums.

    At most `MAX_LISTED_MISMATCHES` groups are described per table; the remaining groups are only
    counted.
    """
    messages: list[str] = []
    for table, mismatches in groupby(find_mismatches(connection, tables, progress), itemgetter(0)):
        if table is None:
            return [*messages, UNKNOWN_CHECKSUMS]
        groups = [(group, problem) for _, group, problem in mismatches]
        messages += [
            _describe_mismatch(connection, table, group, problem)
            for group, problem in groups[:MAX_LISTED_MISMATCHES]
        ]
        if len(groups) > MAX_LISTED_MISMATCHES:
            messages.append(
                Message(
                    "{content}: further entries that do not match their hashes: {count:,}.",
                    content=table.group_name,
                    count=len(groups) - MAX_LISTED_MISMATCHES,
                )
            )
    return messages


def _describe_mismatch(
    connection: Connection, table: ChecksummedTable, group: RowGroup, problem: Message
) -> Message:
    return Message(
        "{content} {entry}: {problem}.",
        content=table.group_name,
        entry=_format_group_label(connection, table, group),
        problem=problem,
    )


def _format_group_label(connection: Connection, table: ChecksummedTable, group: RowGroup) -> str:
    rows, values = rows_query(table, *group)
    try:
        row = connection.fetch_one(rows.replace("SELECT *", f"SELECT {table.label}", 1), values)
    except ProjectError:
        row = None
    name = row[0] if row and row[0] is not None else group[0]
    return "".join(character for character in str(name)[:80] if character.isprintable())
