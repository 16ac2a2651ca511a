"""Command serve, which runs the server of a session."""

import os
import signal
import sys
import threading
from collections.abc import Callable, Sequence
from contextlib import suppress
from pathlib import Path
from urllib.parse import urlsplit

import click

from irjudge.cli.lead import SECRET_VARIABLE, lead, make_qr_code, personal_link
from irjudge.cli.open_project import open_verified
from irjudge.cli.options import FILE, options_of, terminal_progress
from irjudge.cli.participants import explain_missing_psycopg
from irjudge.cli.streams import say, tell
from irjudge.errors import IrjudgeError
from irjudge.formats.bytes import write_text_atomically
from irjudge.shipped import cache_folder
from irjudge.store import (
    ENDED,
    LINKS_ISSUED,
    Project,
    StoredSession,
    open_project,
    project_postings,
)
from irjudge.web import (
    FAREWELL_SECONDS,
    Server,
    ServerAddress,
    SessionOptions,
    SessionRequest,
    SharedSession,
    StoreOpener,
    begin_session,
    find_resumable,
    list_unopened_seats,
    local_addresses,
    local_names,
    make_address,
    open_project_session,
    plan_session,
)

MIN_SECRET_LENGTH = 20  # minimum number of characters of the host's secret
# maximum time in seconds that a Python thread runs before another thread can run; a short time, so
# that the writer thread need not wait long for the thread that handles requests
SWITCH_INTERVAL = 0.0005
ALL_INTERFACES = ("0.0.0.0", "::")
LOOPBACK_HOSTS = ("localhost", "127.0.0.1", "::1")
STOPPED_MESSAGE = "Stopped. Run the same command again to resume the session."


@click.command("serve")
@click.argument("project", type=FILE)
@options_of(SessionRequest)
def serve_command(project: Path, options: SessionRequest) -> None:
    """Run a session in which participants judge the pool of a PROJECT in browsers.

    Ctrl+C stops it; the same command resumes it. Participants open the link, enter a name and
    judge. Each document is assigned until it has the number of judgments given by --overlap. All
    judgments are stored in the project, and a judgment that a page shows as saved is on disk. With
    --mode side-by-side, participants instead compare the results of runs without seeing the run
    names, or, with --choice, two documents at a time. With --store, the session is stored in a
    PostgreSQL database, which several servers can share: run this command on each server with a
    copy of the project; the copies are only read. `irjudge merge PROJECT postgresql://…` imports
    everything into the project.
    """
    plan = plan_session(options)

    def start(opened_project: Project) -> StoredSession:
        resumed_session = None if options.new else find_resumable(opened_project)
        stored_session = resumed_session or begin_session(opened_project, plan(opened_project))
        if SessionOptions.from_json(stored_session.terms).finds:
            # documents are indexed before participants join, so that no search is delayed
            with terminal_progress() as progress:
                project_postings(opened_project, cache_folder(), progress)
        return stored_session

    if options.store:
        open_session = make_database_opener(
            options.store,
            lambda: open_project(project, writing=False),
            plan,
            new=options.new,
            unsafe=options.unsafe,
        )
    else:
        open_session = open_project_session(lambda: open_verified(project), start)
    addresses = local_addresses() if options.host in ALL_INTERFACES else [options.host]
    names = (*addresses, *local_names(), *(name.lower() for name in options.names))
    if not all(map(_is_web_address, options.public)):
        raise IrjudgeError(
            "--public must be an address such as https://judge.example.org, without a path. It "
            "must not contain a user name or a password either, because every link shows the "
            "address."
        )
    _serve(
        Server(
            project,
            open_session,
            ServerAddress(options.host, options.port, names, options.public, options.proxies),
            leader=_read_host_secret(),
            renew=options.new_links,
            report=say,
        ),
        options.output,
        options.public,
        [*options.names, *addresses],
    )


def _is_web_address(url: str) -> bool:
    """Return whether a text is an HTTP address without an account and without a path.

    >>> _is_web_address("https://judge.example.org"), _is_web_address("https://me@judge.example.org")
    (True, False)
    >>> _is_web_address("judge.example.org"), _is_web_address("https://[::1")
    (False, False)
    >>> _is_web_address("https://example.org/judge"), _is_web_address("https://example.org/")
    (False, True)
    """
    try:
        parts = urlsplit(url)
    except ValueError:
        return False
    return (
        parts.scheme in ("http", "https")
        and bool(parts.hostname)
        and "@" not in url
        and not (parts.path.strip("/") or parts.query or parts.fragment)
    )


def _serve(
    server: Server, cards_file: Path | None, public: Sequence[str], hosts: Sequence[str]
) -> None:
    signal.signal(signal.SIGTERM, signal.default_int_handler)
    sys.setswitchinterval(SWITCH_INTERVAL)
    server.start()
    end_event = threading.Event()
    threading.Thread(target=_watch_end, args=(server, end_event), daemon=True).start()
    try:
        addresses = [*public, *(make_address(host, server.port) for host in hosts)]
        _show_links(server, cards_file, addresses)
        _run_typed_commands(server, addresses[0], end_event)
    except KeyboardInterrupt:
        say("Stopped." if end_event.is_set() else STOPPED_MESSAGE)
    finally:
        end_event.set()
        server.stop()


def _read_host_secret() -> str:
    """Return the host's secret from the environment; empty if it is not set.

    Servers that share a session need the same secret. Raise IrjudgeError if the secret is too
    short, or if a browser cannot send it.
    """
    secret = os.environ.get(SECRET_VARIABLE, "").strip()
    if not (secret.isascii() and secret.isprintable()):
        raise IrjudgeError(
            "{name} contains characters that a browser cannot send; expected one line of ASCII "
            "characters.",
            key="invalid-secret",
            name=SECRET_VARIABLE,
        )
    if secret and len(secret) < MIN_SECRET_LENGTH:
        raise IrjudgeError(
            "{name} has {count} characters; expected at least {minimum}, because it grants "
            "session leader rights.",
            name=SECRET_VARIABLE,
            count=len(secret),
            minimum=MIN_SECRET_LENGTH,
        )
    return secret


def make_database_opener(
    url: str,
    open_project: Callable[[], Project],
    make_request: Callable[[Project], SessionOptions],
    *,
    new: bool,
    unsafe: bool,
) -> StoreOpener:
    """Return a function that opens or creates a session in the database at `url`."""
    with explain_missing_psycopg():
        from irjudge.web import open_database_session  # noqa: PLC0415 -- from an optional extra
    return open_database_session(url, open_project, make_request, is_new=new, unsafe=unsafe)


def _show_links(server: Server, cards_file: Path | None, addresses: Sequence[str]) -> None:
    request = server.lead(lambda session: session.options)
    links = [_make_link(address, server.code, request) for address in addresses]
    say(*make_qr_code(links[0]))
    say(f"Code: {server.code[:4]} {server.code[4:]}")
    for link in links:
        tell(link)
    if request.join == "links":
        _show_personal_links(server, cards_file, addresses[0])
    if _read_host_secret():
        say(
            f"To lead the session from a browser, open {addresses[0].rstrip('/')}/lead# and add the secret stored in {SECRET_VARIABLE}."
        )
    else:
        say("To lead the session from a browser (anyone with this link can lead):")
        tell(f"{addresses[0].rstrip('/')}/lead#{server.leader}")
    if all(urlsplit(address).hostname in LOOPBACK_HOSTS for address in addresses):
        say(
            "Only browsers on this computer can open the link. For other devices, connect this "
            "computer to their network and start the session with --host 0.0.0.0."
        )
    elif any(address.startswith("http://") for address in addresses):
        say(
            "The link is not encrypted (http): others on this network can read what is sent. The guide “Security” describes a proxy with TLS."
        )


def _show_personal_links(server: Server, cards_file: Path | None, address: str) -> None:
    """Create and print the personal links of participants who have not begun.

    If `cards_file` is given, also write a card with each link. Links remain valid after a restart
    and are then replaced only if cards are written, since projects do not contain the links.
    """
    has_old_links = server.lead(_record_links)
    if has_old_links and not cards_file:
        say("Personal links printed earlier are still valid. Type 'let NAME' to create a new link.")
        return
    participants = server.lead(list_unopened_seats)
    links = [
        (participant.name, personal_link(address, server.lead(_make_token_renewal(participant.id))))
        for participant in participants
    ]
    if has_old_links and links:
        say("The links printed earlier for these participants are no longer valid.")
    for name, link in links:
        tell(f"{name}  {link}")
    if cards_file:
        from irjudge.report import card_lines  # noqa: PLC0415 -- imports the writers of reports

        title = server.lead(lambda session: session.project.title)
        write_text_atomically(
            cards_file, "\n".join(card_lines(title, links)) + "\n", is_private=True
        )
        say(
            f"Wrote {cards_file} (cards: {len(links)}). Print the file from a browser, on paper or to "
            f"PDF."
        )


def _make_link(address: str, code: str, request: SessionOptions) -> str:
    """Return the link with which participants join the session.

    For participants of a panel, the link has placeholders, which the panel replaces with their ids.
    """
    panel = request.panel
    if panel is None:
        return f"{address.rstrip('/')}/#{code}"
    parameters = [f"{name}={{{{%{name}%}}}}" for name in panel.parameters]
    return f"{address.rstrip('/')}/?{'&'.join(parameters)}&code={code}"


def _record_links(session: SharedSession) -> bool:
    """Record that personal links were created; return whether this was already recorded."""
    stored_options = session.store.session().terms
    if LINKS_ISSUED in stored_options:
        return True
    session.store.set_terms({**stored_options, LINKS_ISSUED: True})
    return False


def _make_token_renewal(participant_id: str) -> Callable[[SharedSession], str]:
    return lambda session: session.renew_token(participant_id)


def _watch_end(server: Server, end_event: threading.Event) -> None:
    """Wait until the session ends, print a message and set `end_event`.

    Return without a message if `end_event` is set by another thread.
    """
    while not end_event.wait(1.0):
        with suppress(IrjudgeError):  # errors are ignored, since the server may be busy or stopping
            if server.lead(lambda session: session.state) == ENDED and not end_event.is_set():
                end_event.set()
                say(
                    "The session has ended. All judgments are saved. Press Ctrl+C to stop the "
                    "server before you open the project."
                )


def _run_typed_commands(server: Server, address: str, end_event: threading.Event) -> None:
    """Execute commands that the host types until the session ends.

    If standard input is not a terminal, wait until Ctrl+C.
    """
    if not sys.stdin.isatty():
        _wait_for_stop()
    say(
        "",
        "Type a command such as people, pause or late; help lists all commands, and end ends "
        "the session.",
    )
    for line in sys.stdin:
        try:
            for message in lead(server, line.split(), address):
                say(message)
        except IrjudgeError as error:
            say(str(error))
        status = server.lead(lambda session: session.status())
        if status.state == ENDED:
            end_event.set()  # so that `_watch_end` does not report the end again
            if any(participant.here for participant in status.participants):
                say("Notifying participants; this takes some seconds.")
                threading.Event().wait(FAREWELL_SECONDS)
            return
    _wait_for_stop()


def _wait_for_stop() -> None:
    """Wait for Ctrl+C.

    The waiting time is divided into short steps, since a signal does not end a step if another
    thread receives it.
    """
    stop_event = threading.Event()
    while not stop_event.wait(1.0):
        pass
