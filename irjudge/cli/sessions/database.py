"""Merging out of a database, once or again and again: a part of `irjudge merge`."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from threading import Event
from typing import TYPE_CHECKING, Any, TypeVar

from irjudge.cli.shared.open_project import to_write
from irjudge.cli.shared.output import show, terminal_progress
from irjudge.cli.shared.streams import say
from irjudge.errors import IrjudgeError, ProjectError
from irjudge.exchange.merging import PARTS, backup_sentence
from irjudge.exchange.session_merge import Pulled, merge_sessions
from irjudge.store.project import Project, open_project

if TYPE_CHECKING:
    from irjudge.web.session import SharedSession
    from irjudge.web.session_store import Opening

T = TypeVar("T")
ADDRESSES = ("postgresql://", "postgres://")


def is_address(text: str) -> bool:
    """Tell whether a text is the address of a database and no file."""
    return text.startswith(ADDRESSES)


@contextmanager
def needing_psycopg() -> Iterator[None]:
    """Say what to install where a database is asked for and nothing can speak to it."""
    try:
        yield
    except ImportError as fault:
        raise IrjudgeError(
            'A database needs psycopg. Install it: pip install "irjudge[postgres]".'
        ) from fault


def pull(project: Path, address: str, every: float | None, form: str) -> None:
    """Take what is new in a database into a project; with `every`, again after so many seconds until Ctrl+C."""
    pulled = _once(project, address, backup=True)
    show(
        ("file", "read", *PARTS),
        ([getattr(each, name) for name in ("file", "read", *PARTS)] for each in pulled.balances),
        form,
    )
    for balance in pulled.balances:
        say(*balance.sentences)
    say(
        backup_sentence(pulled.backup)
        if pulled.backup
        else "Nothing is new; the project is as it was."
    )
    waiting = Event()
    with suppress(KeyboardInterrupt):
        while every and not waiting.wait(every):
            _again(project, address)


def _once(project: Path, address: str, *, backup: bool) -> Pulled:
    with needing_psycopg():
        from irjudge.web.database_store import sessions_in  # noqa: PLC0415 -- an extra that not everybody has
    with (
        to_write(project) as opened,
        sessions_in(address, opened) as copies,
        terminal_progress() as progress,
    ):
        return merge_sessions(opened, copies, backup=backup, progress=progress)


def _again(project: Path, address: str) -> None:
    """Take what is new; what is in the way now may not be the next time."""
    try:
        new = sum(
            balance.read - balance.identical
            for balance in _once(project, address, backup=False).balances
        )
    except ProjectError as fault:
        say(str(fault))
    else:
        say(f"{new} new.") if new else None


def free_submissions(project: Path, export: Path, address: str | None) -> list[str]:
    """Let what was returned or timed out in a panel count no more, so that others judge it; return what is to be told."""
    from irjudge.web.host import free_returned  # noqa: PLC0415
    from irjudge.web.participants import freed_in  # noqa: PLC0415 -- what a session needs loads half a second

    names, listed = freed_in(export)
    freed, unknown = in_session(project, address, lambda session: free_returned(session, names))
    return [
        f"Submissions listed: {listed:,}; returned or timed out: {len(names):,}.",
        f"Set aside now: {freed:,}. What they held and judged goes to others; at the server, `back NAME` lets one count again.",
        *([f"Of those, {unknown:,} never came to the session."] if unknown else []),
    ]


def in_session(project: Path, address: str | None, work: "Callable[[SharedSession], T]") -> T:
    """Do something with the session that goes on, in a project that no window and no server writes in, or in a database."""
    from irjudge.web.session import SharedSession  # noqa: PLC0415 -- see above

    with _store_of(project, address)() as store, store.transaction():
        session = SharedSession(store)
        session.catch_up()
        return work(session)


def _store_of(project: Path, address: str | None) -> "Opening":
    """Return what opens the store of the session that goes on."""
    from irjudge.web.session_options import resumable  # noqa: PLC0415 -- see above
    from irjudge.web.session_store import kept_in_project  # noqa: PLC0415

    def nothing(_project: Project) -> Any:
        raise ProjectError("There is no session that goes on.")

    if address is None:
        return kept_in_project(
            lambda: to_write(project), lambda opened: resumable(opened) or nothing(opened)
        )
    with needing_psycopg():
        from irjudge.web.database_store import kept_in_database  # noqa: PLC0415 -- an extra that not everybody has
    return kept_in_database(address, lambda: open_project(project, writing=False), nothing)
