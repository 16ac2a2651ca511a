"""Command participant, and functions with which other commands access sessions."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from threading import Event
from typing import TYPE_CHECKING, Any, TypeVar

import click

from irjudge.cli.open_project import open_verified
from irjudge.cli.options import FILE, format_option, show, terminal_progress
from irjudge.cli.streams import say
from irjudge.errors import IrjudgeError, ProjectError
from irjudge.exchange import EVENT_OUTCOMES, SessionMergeReport, describe_backup, merge_sessions
from irjudge.judging import get_ledger
from irjudge.message import format_count
from irjudge.store import (
    Participant,
    Project,
    find_projects_with_data,
    open_project,
    write_without_people,
)
from irjudge.text import make_name_key

# Access to sessions in a database or a project

if TYPE_CHECKING:
    from irjudge.web import SharedSession, StoreOpener

T = TypeVar("T")


@contextmanager
def explain_missing_psycopg() -> Iterator[None]:
    """Replace an ImportError in the block with an IrjudgeError: psycopg is missing."""
    try:
        yield
    except ImportError as error:
        raise IrjudgeError(
            "Connecting to a database requires psycopg. To install psycopg: pip install "
            '"irjudge[postgres]".'
        ) from error


def import_session_events(
    project: Path, address: str, every: float | None, output_format: str
) -> None:
    """Merge new events of a database into a project, and print a table of the events read.

    If `every` is not None, merge again every `every` seconds until Ctrl+C.
    """
    result = _pull_once(project, address, backup=True)
    show(
        ("file", "read", *EVENT_OUTCOMES),
        (
            [getattr(report, name) for name in ("file", "read", *EVENT_OUTCOMES)]
            for report in result.reports
        ),
        output_format,
    )
    for report in result.reports:
        say(*report.sentences)
    say(
        describe_backup(result.backup)
        if result.backup
        else "Nothing is new; the project is unchanged."
    )
    wake_event = Event()
    with suppress(KeyboardInterrupt):
        while every and not wake_event.wait(every):
            try:
                new_count = sum(
                    report.read - report.identical
                    for report in _pull_once(project, address, backup=False).reports
                )
            except ProjectError as error:
                say(str(error))  # the next attempt may succeed
            else:
                say(f"New events imported from the session: {new_count:,}.") if new_count else None


def _pull_once(project: Path, address: str, *, backup: bool) -> SessionMergeReport:
    with explain_missing_psycopg():
        from irjudge.web import read_sessions  # noqa: PLC0415 -- optional extra
    with (
        open_verified(project) as opened_project,
        read_sessions(address, opened_project) as copies,
        terminal_progress() as progress,
    ):
        return merge_sessions(opened_project, copies, backup=backup, progress=progress)


def free_submissions(project: Path, export: Path, address: str | None) -> list[str]:
    """Exclude participants whose submissions were returned or timed out; return messages.

    `export` is the file of submissions that the panel of participants exports.
    """
    from irjudge.web import exclude_returned, read_returned_submissions  # noqa: PLC0415 -- slow

    names, submission_count = read_returned_submissions(export)
    excluded_count, unknown_count = call_in_session(
        project, address, lambda session: exclude_returned(session, names)
    )
    return [
        f"Submissions listed: {submission_count:,}; returned or timed out: {len(names):,}.",
        f"Excluded now: {excluded_count:,}. Their documents are reassigned; on the server, `back NAME` includes a participant again.",
        *([f"Of those, {unknown_count:,} never joined the session."] if unknown_count else []),
    ]


def call_in_session(
    project: Path, address: str | None, operation: "Callable[[SharedSession], T]"
) -> T:
    """Call `operation` with the running session, and return the result.

    The session is in the database at `address` or, if `address` is None, in the project.
    """
    from irjudge.web import SharedSession  # noqa: PLC0415 -- see above

    with _make_store_opener(project, address)() as store, store.transaction():
        session = SharedSession(store)
        session.catch_up()
        return operation(session)


def _make_store_opener(project: Path, address: str | None) -> "StoreOpener":
    """Return a function that opens the store of the running session; see `call_in_session`."""
    from irjudge.web import find_resumable, open_project_session  # noqa: PLC0415 -- see above

    def refuse_opening(_project: Project) -> Any:
        raise ProjectError("There is no running session; start one with `irjudge serve`.")

    if address is None:
        return open_project_session(
            lambda: open_verified(project),
            lambda opened_project: find_resumable(opened_project) or refuse_opening(opened_project),
        )
    with explain_missing_psycopg():
        from irjudge.web import open_database_session  # noqa: PLC0415 -- optional extra
    return open_database_session(
        address, lambda: open_project(project, writing=False), refuse_opening
    )


# Command participant

COLUMNS = ("id", "name", "session", "joined", "judged", "set_aside", "same_as", "completed", "end")


@click.command("participant")
@click.argument("project", type=FILE)
@click.argument("person", required=False)
@click.option("--rename", metavar="NAME", help="Rename the participant.")
@click.option(
    "--forget",
    is_flag=True,
    help=(
        "Delete the participant's name from the project; the participant's judgments stay "
        "under an opaque id."
    ),
)
@click.option(
    "--same-as",
    metavar="OTHER",
    help="Count the participant and OTHER (an id or a name) as one participant.",
)
@click.option(
    "--erase",
    is_flag=True,
    help=(
        "Write a copy of the project without the participant and the participant's judgments "
        "to the file given with -o."
    ),
)
@click.option(
    "--revoke",
    is_flag=True,
    help="Revoke the participant's link in the running session.",
)
@click.option(
    "--free",
    is_flag=True,
    help=(
        "In the running session, free the name of a participant whose judgments are not used, "
        "so that another participant can join under this name."
    ),
)
@click.option(
    "--store",
    metavar="postgresql://…",
    help="With --revoke or --free: the database with the session.",
)
@click.option("-o", "--output", type=FILE, help="With --erase: name of the new project file.")
@format_option()
def participant_command(
    project: Path,
    person: str | None,
    rename: str | None,
    same_as: str | None,
    store: str | None,
    output: Path | None,
    output_format: str,
    *,
    forget: bool,
    erase: bool,
    revoke: bool,
    free: bool,
) -> None:
    """Show the participants of the sessions of a PROJECT, or change the data of a PERSON (an id or
    a name). Judgments contain only an opaque id, so a name can be changed or deleted without
    changing the judgments. --erase leaves the project unchanged and writes a new one; merging
    old files does not restore what was erased.
    """
    changes = sum([rename is not None, forget, same_as is not None, erase, revoke, free])
    if erase != (output is not None):
        raise IrjudgeError(
            "--erase writes a new project; give its name with -o FILE."
            if erase
            else "Use -o only with --erase."
        )
    if store and not (revoke or free):
        raise IrjudgeError("Use --store only with --revoke or --free.")
    if not changes:
        _show_participants(project, person, output_format)
        return
    if person is None:
        raise IrjudgeError("No participant given; give an id or a unique name.")
    if changes > 1 or any(name is not None and not name.strip() for name in (rename, same_as)):
        raise IrjudgeError(
            "Expected exactly one of --rename NAME, --forget, --same-as OTHER, --erase, "
            "--revoke and --free."
        )
    if revoke:
        call_in_session(
            project, store, lambda session: session.revoke(session.find_participant(person))
        )
        say(f"{person} no longer has access.")
    elif free:
        call_in_session(
            project, store, lambda session: session.free_seat(session.find_participant(person))
        )
        say(f"The name {person} is free; the old link of this participant no longer works.")
    elif output is not None:
        _write_without_participant(project, person, output)
    elif same_as is not None:
        _merge_ids(project, person, same_as)
    else:
        _rename_participant(project, person, " ".join((rename or "").split()))


def _show_participants(project: Path, participant: str | None, output_format: str) -> None:
    with open_project(project, writing=False) as opened_project:
        participants = (
            [_get_participant(opened_project, participant)]
            if participant
            else [
                participant
                for participant in opened_project.sessions.participants()
                # a participant without name, token and events was erased
                if participant.name
                or participant.token
                or opened_project.events.count(participant.id)
            ]
        )
        show(
            COLUMNS,
            (_make_row(opened_project, participant) for participant in participants),
            output_format,
        )


def _rename_participant(path: Path, id_or_name: str, name: str) -> None:
    with open_verified(path) as opened_project:
        participant = _get_participant(opened_project, id_or_name)
        opened_project.sessions.rename_person(participant.id, name)
    if name:
        say(f"{participant.id} is now named {name}.")
    else:
        say(
            f"Deleted the name of {participant.id} from {path.name}. Copies and backups of the project may still contain it."
        )


def _merge_ids(path: Path, participant: str, other_name: str) -> None:
    """Record in a project that two participants, identified by id or name, are one person."""
    with open_verified(path) as opened_project:
        source_id, target_id = (
            _find_id(opened_project, participant),
            _find_id(opened_project, other_name),
        )
        if source_id == target_id:
            raise IrjudgeError(
                "{person} and {other} already have the same id.",
                person=participant,
                other=other_name,
            )
        opened_project.sessions.set_first_id(source_id, target_id)
    say(
        f"{source_id} and {target_id} now count as one participant. "
        f"Where both judged a document, the judgment of {target_id} is used. No judgment was changed."
    )


def _write_without_participant(path: Path, participant: str, output: Path) -> None:
    """Write a project without a participant's data; print where else the data may be stored."""
    with open_project(path, writing=False) as opened_project:
        id = _find_id(opened_project, participant)
        if id == opened_project.owner:
            raise IrjudgeError("{id} owns the project and cannot be erased from it.", id=id)
        count = write_without_people(opened_project, [id], output)
    say(
        f"Wrote {output.name} without {id}: {format_count(count, 'event')} removed. Merging an "
        f"old file does not restore them."
    )
    other_projects = [
        project.name for project in find_projects_with_data(path.absolute().parent, [id], output)
    ]
    say(f"These projects still contain data of {id}; delete them: {', '.join(other_projects)}.")
    say("Submitted files, and copies and backups elsewhere, may contain such data too.")


def _find_id(project: Project, participant: str) -> str:
    known_ids = {
        *project.events.assessors(),
        *(assignment.assessor for assignment in project.assignments.all()),
    }
    return participant if participant in known_ids else _get_participant(project, participant).id


def _get_participant(project: Project, id_or_name: str) -> Participant:
    """Return the participant of sessions whose id or name is `id_or_name`.

    Raise IrjudgeError if there is no such participant or more than one.
    """
    matches = [
        participant
        for participant in project.sessions.participants()
        if id_or_name == participant.id
        or make_name_key(id_or_name) == make_name_key(participant.name) != ""
    ]
    if not matches:
        raise IrjudgeError(
            "{path} has no participant {person}; `irjudge participant PROJECT` lists the "
            "participants.",
            path=project.path.name,
            person=id_or_name,
        )
    if len(matches) > 1:
        raise IrjudgeError(
            "{count} participants have the name {person}: {found}. Give the id.",
            count=len(matches),
            person=id_or_name,
            found=", ".join(match.id for match in matches),
        )
    return matches[0]


def _make_row(project: Project, participant: Participant) -> tuple[str | int, ...]:
    exclusion_reason = next(
        (
            assessor.exclusion_reason
            for assessor in project.assignments.registered_assessors()
            if assessor.name == participant.id
        ),
        None,
    )
    completed = project.sessions.completions().get(participant.id)
    return (
        participant.id,
        participant.name,
        participant.session,
        participant.joined,
        sum(1 for _ in get_ledger(project, participant.id).judgments()),
        exclusion_reason or "",
        project.sessions.first_ids().get(participant.id, ""),
        *((completed.time, completed.end) if completed else ("", "")),
    )
