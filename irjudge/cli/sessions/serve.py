"""The command that lets a class judge together in browsers: `irjudge serve`."""

import io
import signal
import sys
import threading
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any

import click
import segno

from irjudge.cli.sessions.database import needing_psycopg
from irjudge.cli.shared.opening import to_write
from irjudge.cli.shared.output import say, tell
from irjudge.cli.shared.panel_options import comparison_options, comparison_wish, only_side_by_side
from irjudge.errors import IrjudgeError
from irjudge.exchange.people import candidates_of
from irjudge.exchange.shares import Pair
from irjudge.model.assignment import MODES, Mode
from irjudge.model.topic import chosen_topics
from irjudge.store.project import Project, open_project
from irjudge.store.sessions import ENDED, OPEN, PAUSED, KeptSession
from irjudge.web.addresses import own_addresses, own_names
from irjudge.web.crowd_panels import ASK, CONTINUE, PANELS, panel_called
from irjudge.web.dispatch import LEASE, ORDERS, Order, Terms
from irjudge.web.server import Server, ServerAddress
from irjudge.web.session import FAREWELL, SharedSession
from irjudge.web.session_wish import JOINS, Join, SessionWish, begin_session, resumable
from irjudge.web.stores import Opening
from irjudge.web.stores.in_project import kept_in_project
from irjudge.web.subject import what_is

FILE = click.Path(path_type=Path)  # `cli.projects` has one too, and brings what takes half a second to load
PORT = 8765
STORE_LEASE = 300.0  # seconds
OFFERED = tuple(order for order in ORDERS if order != "mixed")
ORDER = "drawn: topic by topic, by lot. pool: as the pool has them, which tells of ranks. decisive: what tells runs apart."
REJOIN = "ask: they go to whoever leads. continue: they do what is left, and see nothing of what was done."
SWITCH = 0.0005  # seconds: the thread that writes waits no longer for the one that reads requests, however many come
EVERYWHERE = ("0.0.0.0", "::")
WORDS = """people            who is here, and how far they are
pause, go on      stop giving documents out, and begin again
release NAME      give what somebody holds to others
aside NAME        let nothing of somebody count
back NAME         let somebody count again
same NAME = NAME  the first is the second, who joined twice
let NAME          a new link for somebody who lost theirs; the one before lets nobody in
revoke NAME       let nobody in by the link that somebody has
free NAME         let another join by a name under which nothing counts
free              the same for all who did nothing and are away
late              judgments that came too late to count
take WORDS        let one of those count, told by the words in the list
end               end the session"""

STATES = {
    "pause": (PAUSED, "Paused: nothing new is given out."),
    "go": (OPEN, "It goes on."),
    "end": (ENDED, "The session has ended. All of it is in the project."),
}


@click.command("serve")
@click.argument("project", type=FILE)
@click.option("--host", default="127.0.0.1", show_default=True, help="The address to listen on; 0.0.0.0 for all of this machine.")
@click.option("--port", type=click.IntRange(0, 65535), default=PORT, show_default=True, help="0 takes one that is free.")
@click.option("--name", "names", multiple=True, help="A further name by which browsers reach this machine.")
@click.option("--public", multiple=True, help="The address of a proxy with TLS in front, such as https://judge.example.org.")
@click.option("--trust-proxy", "proxies", multiple=True, metavar="ADDRESS", help="A proxy, or a network of such, that says who asks.")
@click.option("--join", type=click.Choice(JOINS), default="open", show_default=True, help="Who may take part.")
@click.option("--people", help="Names with commas between them, or a table with a column name, for --join names and links.")
@click.option("--overlap", type=click.IntRange(1), default=1, show_default=True, help="How many judgments of a document count.")
@click.option("--mode", type=click.Choice(MODES), default="grade", show_default=True, help="What is asked for.")
@click.option("--topic", "topics", multiple=True, help="Only this topic; may be repeated. 401-405 stands for all from one to the other.")
@comparison_options
@click.option("--gold-every", type=click.IntRange(0), default=0, help="One document of known answer in so many for each; 0 for none.")
@click.option("--gold-from", help="The imported qrels with the known answers. Default: the first.")
@click.option("--qualification", type=click.IntRange(0), default=0, help="Documents of known answer with which everybody begins.")
@click.option("--repeats-every", type=click.IntRange(0), default=0, help="One document shown a second time in so many; 0 for none.")
@click.option("--order", type=click.Choice(OFFERED), default="drawn", show_default=True, help="Which documents come first. " + ORDER)
@click.option("--lease", type=click.FloatRange(5), help="Seconds a document is held for a silent browser. Default: 60; with --store 300.")
@click.option("--panel", metavar="NAME|FILE", help=f"People come from {', '.join(PANELS)}, or a panel that a JSON file describes.")
@click.option("--completion", default="", help="With --panel: the code of the study, or the link that completes a submission.")
@click.option("--failed", default="", help="With --panel: the same for who fails attention checks; without it, nobody is sent away.")
@click.option("--each", type=click.IntRange(1), help="With --panel: how many documents make a submission.")
@click.option("--checks-from", default="", help="With --panel: imported qrels whose documents say which key to press.")
@click.option("--rejoin", type=click.Choice((ASK, CONTINUE)), help=f"With --panel: who comes by an id that is here already. {REJOIN}")
@click.option("--store", metavar="postgresql://…", help="Keep the session in a database, which several servers share.")
@click.option("--unsafe", is_flag=True, help="Take a database that may lose what it acknowledged; for trying out.")
@click.option("--again", is_flag=True, help="Give out what is in somebody's hands already too, for more judgments of the same pairs.")
@click.option("--new", is_flag=True, help="Begin a new session, though the last one has not ended.")
def serve_command(
    project: Path,
    host: str,
    port: int,
    names: tuple[str, ...],
    public: tuple[str, ...],
    proxies: tuple[str, ...],
    join: Join,
    people: str | None,
    overlap: int,
    mode: Mode,
    topics: tuple[str, ...],
    gold_every: int,
    qualification: int,
    gold_from: str | None,
    repeats_every: int,
    order: Order,
    lease: float | None,
    store: str | None,
    panel: str | None,
    completion: str,
    failed: str,
    each: int | None,
    checks_from: str,
    rejoin: str | None,
    *,
    unsafe: bool,
    again: bool,
    new: bool,
    **comparison: Any,
) -> None:
    """Let people judge the pool of a PROJECT together, in browsers. Ctrl+C stops; the next call goes on with the session.

    Everybody opens the link, gives a name and judges. Each document is given out until it has its overlap. All they judge is in the
    project, and what a page shows as saved is on the disk. With --mode side-by-side they compare the results of runs instead, blind, or
    with --choice two documents at a time.

    With --store it is kept in a PostgreSQL database, which several servers may share: call this on each of them, with a copy of the
    project, which is only read. `irjudge merge PROJECT postgresql://…` takes all of it into the project.
    """
    listed = tuple(person.name for person in candidates_of(people)) if people else ()
    held = lease or (STORE_LEASE if store else LEASE)
    terms = Terms(overlap, held, gold_every, repeats_every, order, qualification=qualification)
    if mode == "grade":
        only_side_by_side(comparison)

    if not panel and (completion or failed or each or checks_from or rejoin):
        raise IrjudgeError("--completion, --failed, --each, --checks-from and --rejoin are for people of a panel; say which with --panel.")
    sender = panel_called(panel, completion, failed, each=each or 0, checks=checks_from, rejoin=rejoin or "") if panel else None

    def begin(opened: Project) -> KeptSession:
        kept = None if new else resumable(opened)
        return kept or begin_session(opened, wish_for(opened))

    def wish_for(opened: Project) -> SessionWish:
        chosen = chosen_topics(",".join(topics), [topic.id for topic in opened.collection.topics()])
        if mode == "grade":
            return SessionWish(terms, chosen, join, listed, gold_from, panel=sender, again=again)
        asked = comparison_wish(opened, overlap=overlap, repeats=0, seed=None, topics=chosen, **comparison)
        return SessionWish(terms, (), join, listed, compare=asked, panel=sender)

    if store:
        opening = database_store(store, lambda: open_project(project, writing=False), wish_for, new=new, unsafe=unsafe)
    else:
        opening = kept_in_project(lambda: to_write(project), begin)
    addresses = own_addresses() if host in EVERYWHERE else [host]
    place = ServerAddress(host, port, (*addresses, *own_names(), *(name.lower() for name in names)), public, proxies)
    server = Server(project, opening, place, tell=say)
    signal.signal(signal.SIGTERM, signal.default_int_handler)
    sys.setswitchinterval(SWITCH)
    server.start()
    try:
        _show_links(server, [*public, *(f"http://{address}:{server.port}" for address in [*names, *addresses])])
        _wait(server, public[0] if public else f"http://{[*names, *addresses][0]}:{server.port}")
    except KeyboardInterrupt:
        say("Stopped. The next call goes on with the session.")
    finally:
        server.stop()


def database_store(url: str, opening: Callable[[], Project], wish: Callable[[Project], SessionWish], *, new: bool, unsafe: bool) -> Opening:
    """Return what opens a session that is kept in a database."""
    with needing_psycopg():
        from irjudge.web.database import kept_in_database  # noqa: PLC0415 -- an extra that not everybody has
    return kept_in_database(url, opening, wish, new=new, unsafe=unsafe)


def _show_links(server: Server, addresses: Sequence[str]) -> None:
    """Tell where the session is; the first address as a code to scan."""
    wish = server.lead(lambda session: session.wish)
    links = [_link(address, server.code, wish) for address in addresses]
    say(*_picture(links[0]))
    say(f"Code: {server.code[:4]} {server.code[4:]}")
    for link in links:
        tell(link)
    if wish.join == "links":
        seats = server.lead(lambda session: session.standing()).seats
        for seat in (each for each in seats if not each.judged):  # who is at work keeps the link they have
            tell(f"{seat.name}  {_personal(addresses[0], server.lead(_again(seat.id)))}")
    if any(address.startswith("http://") for address in addresses):
        say("The link is plain http: others in the same network could read along. Help tells how to put a proxy with TLS in front.")


def _link(address: str, code: str, wish: SessionWish) -> str:
    """Return the link that people open; a panel puts in who comes."""
    panel = wish.panel
    if panel is None:
        return f"{address.rstrip('/')}/#{code}"
    given = [f"{name}={{{{%{name}%}}}}" for name in (panel.person, panel.study, panel.submission) if name]
    return f"{address.rstrip('/')}/?{'&'.join(given)}&code={code}"


def _personal(address: str, token: str) -> str:
    """Return the link by which one person is let in."""
    return f"{address.rstrip('/')}/#t={token}"


def _picture(link: str) -> list[str]:
    """Return a link as a code to scan, in lines of a terminal; none where there is no terminal."""
    picture = io.StringIO()
    if sys.stderr.isatty():
        segno.make(link, micro=False).terminal(picture, compact=True)
    return picture.getvalue().split("\n")


def _again(person: str) -> Callable[[SharedSession], str]:
    return lambda session: session.let_in_again(person)


def _wait(server: Server, address: str) -> None:
    """Do what is typed until the session ends; without a terminal, wait until the process is stopped."""
    if not sys.stdin.isatty():
        _until_stopped()
    say("", "Type people, pause, late … or help; end ends the session.")
    for line in sys.stdin:
        try:
            for told in lead(server, line.split(), address):
                say(told)
        except IrjudgeError as fault:
            say(str(fault))
        standing = server.lead(lambda session: session.standing())
        if standing.state == ENDED:
            if any(seat.here for seat in standing.seats):
                say("The pages are told; this takes some seconds.")
                threading.Event().wait(FAREWELL)
            return
    _until_stopped()


def _until_stopped() -> None:
    """Wait for Ctrl+C: looked for each second, since the system may give the signal to another thread, which does not wake this one."""
    never = threading.Event()
    while not never.wait(1.0):
        pass


def lead(server: Server, words: Sequence[str], address: str = "") -> Iterator[str]:
    """Do what whoever leads types, and yield what is to be told; links begin with an address."""
    match words:
        case ["people"]:
            yield from _people(server)
        case [("pause" | "end") as wish] | ["go" as wish, *_]:
            state, told = STATES[wish]
            server.lead(lambda session: session.set_state(state))
            yield told
        case ["late"]:
            yield from _late(server)
        case ["take", *said] if said:
            yield _take(server, " ".join(said))
        case ["same", *names] if "=" in names:
            at = names.index("=")
            yield _same(server, " ".join(names[:at]), " ".join(names[at + 1 :]))
        case ["let", *name] if name:
            yield from _let_in(server, " ".join(name), address)
        case ["free"]:
            yield f"Free now: {server.lead(SharedSession.free_empty)}."
        case [("release" | "aside" | "back" | "revoke" | "free") as wish, *name] if name:
            yield _about(server, wish, " ".join(name))
        case [] | [""]:
            return
        case _:
            yield from WORDS.split("\n")


def _let_in(server: Server, name: str, address: str) -> Iterator[str]:
    """Let somebody in again, by a link that is a code to scan too."""
    link = _personal(address, server.lead(lambda session: session.let_in_again(session.person_called(name))))
    yield from _picture(link)
    yield link


def _people(server: Server) -> Iterator[str]:
    standing = server.lead(lambda session: session.standing())
    for seat in standing.seats:
        if seat.aside:
            state = "set aside"
        elif seat.here:
            state = "here"
        else:
            state = "away"
        pace = f", {seat.seconds:.0f} s each" if seat.seconds else ""
        same = f" (= {seat.same})" if seat.same else ""
        told = f", told the way to the {seat.completed.end} at {seat.completed.time}" if seat.completed else ""
        yield f"{seat.name or seat.id}{same}: {seat.judged} judged{pace}, {state}{told}"
    judged, wanted = (sum(each[place] for each in standing.topics.values()) for place in (0, 1))
    yield f"{judged} of {wanted} judgments."


def _late(server: Server) -> Iterator[str]:
    yield from _late_ones(server) or ["None came late."]


def _late_ones(server: Server) -> dict[str, tuple[str, Pair]]:
    """Return the person and pair of each late judgment by the words that tell it."""
    standing = server.lead(lambda session: session.standing())
    names = {seat.id: seat.name or seat.id for seat in standing.seats}
    return {f"{names[person]} {pair[0]} {what_is(pair)}": (person, pair) for person, pair in standing.late}


def _take(server: Server, said: str) -> str:
    """Let the late judgment that is told by some words count."""
    found = next((late for words, late in _late_ones(server).items() if words.casefold() == said.casefold()), None)
    taken = found is not None and server.lead(lambda session: session.take_in(*found))
    return "It counts now." if taken else "There is no such late judgment."


def _same(server: Server, name: str, other: str) -> str:
    """Let two who joined be one person."""
    server.lead(lambda session: session.set_same(session.person_called(name), session.person_called(other)))
    return f"{name} and {other} are one person now. No judgment was changed."


def _about(server: Server, wish: str, name: str) -> str:
    """Do something about one person and return what is to be told."""

    def work(session: SharedSession) -> Any:
        calls = {
            "release": session.release,
            "aside": session.set_aside,
            "back": session.bring_back,
            "revoke": session.revoke,
            "free": session.free_seat,
        }
        return calls[wish](session.person_called(name))

    done = server.lead(work)
    return f"Given back: {done}." if wish == "release" else "Done."
