"""Erasure of participants from a copy of a project."""

import json
from collections.abc import Iterable, Sequence
from hashlib import sha256
from pathlib import Path
from tempfile import TemporaryDirectory

from irjudge.errors import ProjectError
from irjudge.progress import SILENT, Progress
from irjudge.store.assignments import (
    COMPLETED_PANELS,
    FIRST_IDS_KEY,
    SUBMISSION_KEY,
    SURVEY_ANSWERS,
    Sessions,
)
from irjudge.store.connection import Connection
from irjudge.store.events import ERASED_EVENTS, read_erased_events
from irjudge.store.lock_and_journals import is_project, publish_file
from irjudge.store.project import Project, open_project
from irjudge.store.schema import LOG_TRIGGERS, UNUSED_COUNT, UNUSED_QUERY
from irjudge.text import make_name_key

ERASED_IDS_KEY = "erased_people"  # key of a setting: hashes of the ids of erased participants
BOOKLETS_KEY = "booklets"  # key of a setting: printed pages, whose codes are their positions


def is_erased(project: Project, participant_id: str) -> bool:
    """Return whether a session participant was erased from the project."""
    return _hash_id(participant_id) in (project.get_setting(ERASED_IDS_KEY) or "")


def _hash_id(participant_id: str) -> str:
    return sha256(participant_id.encode()).hexdigest()


def write_without_people(
    project: Project, names: Sequence[str], path: Path, progress: Progress = SILENT
) -> int:
    """Write a copy of a project without some participants; return the number of erased events."""
    if path.exists():
        raise ProjectError(
            "{file} already exists. Choose another name; nothing was overwritten.", file=path.name
        )
    try:
        with TemporaryDirectory(prefix=".irjudge-", dir=path.absolute().parent) as folder:
            temporary_path = Path(folder) / path.name
            project.copy_to(temporary_path, progress)
            count = _erase_participants(temporary_path, names)
            publish_file(temporary_path, path)
    except OSError as error:
        raise ProjectError(
            "Cannot write {file} ({value}).", file=path.name, value=error.strerror or error
        ) from error
    return count


def _erase_participants(path: Path, names: Sequence[str]) -> int:
    connection = Connection(path)
    try:
        with connection.transaction():
            count = sum(_erase_participant(connection, participant) for participant in names)
            (unused_numbers,) = connection.fetch_one(UNUSED_QUERY)
            connection.set_setting(UNUSED_COUNT, str(unused_numbers))
        # the bytes of deleted rows remain in the file unless it is rewritten
        connection.execute("VACUUM")
    finally:
        connection.close()
    return count


def _erase_participant(connection: Connection, participant_id: str) -> int:
    """Delete all data of a participant; return the number of deleted events.

    The digests of the events are recorded, so that the events are never imported again.
    """
    query = "SELECT digest FROM event WHERE assessor = ?1 UNION SELECT digest FROM waiting_event WHERE assessor = ?1"
    digests = {digest.hex() for (digest,) in connection.fetch_all(query, (participant_id,))}
    erased_digests = read_erased_events(connection)
    connection.set_setting(ERASED_EVENTS, json.dumps(sorted(digests | erased_digests)))
    erased_ids = [_hash_id(participant_id), *connection.read_json_setting(ERASED_IDS_KEY, list)]
    connection.set_setting(ERASED_IDS_KEY, json.dumps(sorted({str(id) for id in erased_ids})))
    for name in ("event_stays", "event_remains"):
        connection.execute(f"DROP TRIGGER IF EXISTS {name}")
    _remove_name(connection, participant_id)
    _anonymise_booklets(connection, participant_id)
    submission = f"{SUBMISSION_KEY} {participant_id}"
    connection.execute("DELETE FROM fact WHERE name = ?", (submission,))
    own_assignments = "IN (SELECT code FROM assignment WHERE assessor = ?)"
    for statement in (
        f"DELETE FROM session_place WHERE assignment {own_assignments}",
        f"DELETE FROM assignment_secret WHERE assignment {own_assignments}",
        f"DELETE FROM assignment_item WHERE assignment {own_assignments}",
        "DELETE FROM assignment WHERE assessor = ?",
        "DELETE FROM returned_file WHERE assessor = ?",
        "DELETE FROM assessor WHERE name = ?",
        "DELETE FROM participant WHERE id = ?",
        "DELETE FROM waiting_event WHERE assessor = ?",
        "DELETE FROM event WHERE assessor = ?",
    ):
        connection.execute(statement, (participant_id,))
    for trigger_statement in LOG_TRIGGERS:
        connection.execute(trigger_statement)
    return len(digests)


def _remove_name(connection: Connection, participant_id: str) -> None:
    """Remove a participant from lists of names, merged ids, completions and survey answers."""
    names = {
        make_name_key(str(name))
        for (name,) in connection.fetch_all(
            "SELECT name FROM participant WHERE id = ?", (participant_id,)
        )
    }
    sessions = Sessions(connection)
    for session in sessions.all():
        listed_names = session.terms.get("names")
        remaining_names = [
            name
            for name in (listed_names if isinstance(listed_names, list) else ())
            if make_name_key(str(name)) not in names
        ]
        sessions.set_terms(session.code, {**session.terms, "names": remaining_names})
    for key in (FIRST_IDS_KEY, COMPLETED_PANELS, SURVEY_ANSWERS):
        values = {
            id: value
            for id, value in connection.read_json_setting(key, dict).items()
            if id != participant_id and (key != FIRST_IDS_KEY or value != participant_id)
        }
        if connection.get_setting(key) is not None:
            connection.set_setting(key, json.dumps(values))


def _anonymise_booklets(connection: Connection, participant_id: str) -> None:
    """Remove a participant's id from printed pages; the pages can no longer be entered.

    The pages remain distinct, since their positions are the codes of all pages.
    """
    pages = [
        {**page, "assessor": _hash_id(participant_id), "scale": ""}
        if isinstance(page, dict) and page.get("assessor") == participant_id
        else page
        for page in connection.read_json_setting(BOOKLETS_KEY, list)
    ]
    if pages:
        connection.set_setting(BOOKLETS_KEY, json.dumps(pages, ensure_ascii=False))


def find_projects_with_data(folder: Path, names: Iterable[str], except_project: Path) -> list[Path]:
    """Return the projects in a folder, such as backups, that may contain data of participants.

    `names` contains the ids of the participants. `except_project` is not included. A project that
    cannot be opened is included.
    """
    erased_ids, projects = set(names), []
    for path in sorted(folder.iterdir()):
        if path.is_file() and path.absolute() != except_project.absolute() and is_project(path):
            try:
                with open_project(path, writing=False) as other_project:
                    assignments = other_project.assignments
                    has_data = not erased_ids.isdisjoint(
                        (
                            *other_project.events.assessors(),
                            *other_project.events.models(),
                            *(assignment.assessor for assignment in assignments.all()),
                            *(assessor.name for assessor in assignments.registered_assessors()),
                            *(person.id for person in other_project.sessions.participants()),
                        )
                    )
            except ProjectError:
                has_data = True  # an unreadable project may contain data of the participants
            projects += [path] if has_data else []
    return projects
