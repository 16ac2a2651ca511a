"""Command serve."""

import os
import signal
import sys
import threading
from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import click

from irjudge.cli.comparison_options import (
    comparison_options,
    comparison_wish,
    only_side_by_side,
    several_option,
)
from irjudge.cli.lead import SECRET, lead, personal_link, picture_of
from irjudge.cli.open_project import to_write
from irjudge.cli.options import FILE, NAME_OR_FILE, terminal_progress
from irjudge.cli.participants import needing_psycopg
from irjudge.cli.streams import say, tell
from irjudge.errors import IrjudgeError
from irjudge.exchange import parse_candidates
from irjudge.formats.bytes import write_text_atomically
from irjudge.judging import Norming
from irjudge.model import MODES, Mode, select_topics
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
    ASK,
    CONTINUE,
    DEFAULT_LEASE,
    DEFAULT_PORTS,
    FAREWELL_SECONDS,
    JOINS,
    ORDERS,
    PANELS,
    CrowdPanel,
    Join,
    Opening,
    Order,
    Server,
    ServerAddress,
    SessionWish,
    SharedSession,
    StartPage,
    Terms,
    begin_session,
    load_panel,
    load_start_page,
    local_addresses,
    local_names,
    open_project_session,
    read_survey,
    resumable,
)

SHORTEST_SECRET = 20  # letters
STORE_LEASE = 300.0  # seconds
OFFERED = tuple(order for order in ORDERS if order != "mixed")
ORDER = (
    "drawn: topic by topic, by lot. pool: as the pool has them, which tells of ranks. decisive: what tells runs apart. "
    "learning: what is most likely to be relevant, learnt from all grades, in the whole collection."
)
REJOIN = "ask: they go to whoever leads. continue: they do what is left, and see nothing of what was done."
SWITCH = 0.0005  # seconds: the thread that writes waits no longer for the one that reads requests, however many come
EVERYWHERE = ("0.0.0.0", "::")


@click.command("serve")
@click.argument("project", type=FILE)
@click.option(
    "--host",
    default="127.0.0.1",
    show_default=True,
    help="The address to listen on; 0.0.0.0 for all of this machine.",
)
@click.option(
    "--port",
    type=click.IntRange(0, 65535),
    help=f"0 takes one that is free. Default: {DEFAULT_PORTS[0]}, or the next that is free.",
)
@click.option(
    "--name", "names", multiple=True, help="A further name by which browsers reach this machine."
)
@click.option(
    "--public",
    multiple=True,
    help="The address of a proxy with TLS in front, such as https://judge.example.org.",
)
@click.option(
    "--trust-proxy",
    "proxies",
    multiple=True,
    metavar="ADDRESS",
    help="A proxy, or a network of such, that says who asks.",
)
@click.option(
    "--join", type=click.Choice(JOINS), default="open", show_default=True, help="Who may take part."
)
@click.option(
    "--people",
    help="Names with commas between them, or a table with a column name, for --join names and links.",
)
@click.option(
    "--overlap",
    type=click.IntRange(1),
    default=1,
    show_default=True,
    help="How many judgments of a document count.",
)
@click.option(
    "--mode",
    type=click.Choice(MODES),
    default="grade",
    show_default=True,
    help="What is asked for.",
)
@click.option(
    "--topic",
    "topics",
    multiple=True,
    help="Only this topic; may be repeated. 401-405 stands for all from one to the other.",
)
@comparison_options
@click.option(
    "--gold-every",
    type=click.IntRange(0),
    default=0,
    help="One document of known answer in so many for each; 0 for none.",
)
@click.option("--gold-from", help="The imported qrels with the known answers. Default: the first.")
@click.option(
    "--qualification",
    type=click.IntRange(0),
    default=0,
    help="Documents of known answer with which everybody begins.",
)
@click.option(
    "--repeats-every",
    type=click.IntRange(0),
    default=0,
    help="One document shown a second time in so many; 0 for none.",
)
@click.option(
    "--order",
    type=click.Choice(OFFERED),
    default="drawn",
    show_default=True,
    help="Which documents come first. " + ORDER,
)
@click.option(
    "--size",
    type=click.IntRange(1),
    default=50,
    show_default=True,
    help="With --order learning: documents of each topic.",
)
@click.option(
    "--rel",
    type=click.IntRange(1),
    default=1,
    show_default=True,
    help="With --order learning: relevant from this grade on.",
)
@several_option
@click.option(
    "--search", is_flag=True, help="Let people search the collection, and judge what they find."
)
@click.option(
    "--lease",
    type=click.FloatRange(5),
    help="Seconds a document is held for a silent browser. Default: 60; with --store 300.",
)
@click.option(
    "--panel",
    type=NAME_OR_FILE,
    metavar="NAME|FILE",
    help=f"People come from {', '.join(PANELS)}, or a panel that a JSON file describes.",
)
@click.option(
    "--completion",
    default="",
    help="With --panel: the code of the study, or the link that completes a submission.",
)
@click.option(
    "--failed",
    default="",
    help="With --panel: the same for who fails attention checks; without it, nobody is sent away.",
)
@click.option(
    "--each", type=click.IntRange(1), help="With --panel: how many documents make a submission."
)
@click.option(
    "--checks-from",
    default="",
    help="With --panel: imported qrels whose documents say which key to press.",
)
@click.option(
    "--rejoin",
    type=click.Choice((ASK, CONTINUE)),
    help=f"With --panel: who comes by an id that is here already. {REJOIN}",
)
@click.option(
    "--consent",
    type=FILE,
    help="A text (Markdown) that people agree to before they judge; who does not may withdraw.",
)
@click.option(
    "--minutes",
    type=click.IntRange(1),
    help="How long it is expected to take, said before people begin.",
)
@click.option(
    "--survey", type=FILE, help="Questions before and after, as JSON. Default: the project's own."
)
@click.option(
    "--store",
    metavar="postgresql://…",
    help="Keep the session in a database, which several servers share.",
)
@click.option(
    "--unsafe",
    is_flag=True,
    help="Take a database that may lose what it acknowledged; for trying out.",
)
@click.option(
    "-o",
    "--cards",
    "output",
    type=FILE,
    help="With --join links: write each name and link on a card to print (HTML).",
)
@click.option(
    "--norming",
    is_flag=True,
    help="Begin with rounds that all judge blind and then talk about; type round, close, show, pool.",
)
@click.option(
    "--names",
    "named",
    is_flag=True,
    help="With --norming: names stand with kept reasons where everybody agrees to that.",
)
@click.option(
    "--again",
    is_flag=True,
    help="Give out what is in somebody's hands already too, for more judgments of the same pairs.",
)
@click.option(
    "--new-links",
    is_flag=True,
    help="Replace the leader's secret and, without --store, the code: links given out before stop working.",
)
@click.option("--new", is_flag=True, help="Begin a new session, though the last one has not ended.")
def serve_command(
    project: Path,
    host: str,
    port: int | None,
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
    size: int,
    rel: int,
    several: int,
    lease: float | None,
    store: str | None,
    panel: str | None,
    completion: str,
    failed: str,
    each: int | None,
    checks_from: str,
    rejoin: str | None,
    consent: Path | None,
    minutes: int | None,
    survey: Path | None,
    *,
    search: bool,
    unsafe: bool,
    again: bool,
    output: Path | None,
    norming: bool,
    named: bool,
    new_links: bool,
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
    listed = tuple(person.name for person in parse_candidates(people)) if people else ()
    held = lease or (STORE_LEASE if store else DEFAULT_LEASE)
    terms = Terms(
        overlap,
        held,
        gold_every,
        repeats_every,
        order,
        qualification=qualification,
        size=size,
        rel=rel,
    )
    if mode == "grade":
        only_side_by_side(comparison)
    sender = _sender(panel, completion, failed, each, checks_from, rejoin)
    _check_cards(output, join)
    start, rounds = (
        _start_page(consent, minutes, survey),
        _rounds(mode, order, norming=norming, named=named),
    )

    def begin(opened: Project) -> StoredSession:
        kept = None if new else resumable(opened)
        begun = kept or begin_session(opened, wish_for(opened))
        if SessionWish.from_json(begun.terms).finds:
            index_for_session(opened)
        return begun

    def wish_for(opened: Project) -> SessionWish:
        chosen = select_topics(",".join(topics), [topic.id for topic in opened.collection.topics()])
        asks = start or load_start_page(opened)
        if mode == "grade":
            wish = SessionWish(
                terms, chosen, join, listed, gold_from, panel=sender, start=asks, again=again
            )
            return replace(wish, search=search, norming=rounds, several=several)
        if several:
            raise IrjudgeError("--several is for grading documents.")
        asked = comparison_wish(
            opened, overlap=overlap, repeats=0, seed=None, topics=chosen, **comparison
        )
        return SessionWish(terms, (), join, listed, compare=asked, panel=sender, start=asks)

    if store:
        opening = database_store(
            store, lambda: open_project(project, writing=False), wish_for, new=new, unsafe=unsafe
        )
    else:
        opening = open_project_session(lambda: to_write(project), begin)
    addresses = local_addresses() if host in EVERYWHERE else [host]
    place = ServerAddress(
        host, port, (*addresses, *local_names(), *(name.lower() for name in names)), public, proxies
    )
    _serve(
        Server(project, opening, place, leader=_leader(), renew=new_links, tell=say),
        output,
        public,
        [*names, *addresses],
    )


def _serve(server: Server, cards: Path | None, public: Sequence[str], hosts: Sequence[str]) -> None:
    """Answer browsers until the session ends, or somebody stops it."""
    signal.signal(signal.SIGTERM, signal.default_int_handler)
    sys.setswitchinterval(SWITCH)
    server.start()
    try:
        addresses = [*public, *(f"http://{host}:{server.port}" for host in hosts)]
        _show_links(server, cards, addresses)
        _wait(server, addresses[0])
    except KeyboardInterrupt:
        say("Stopped. The next call goes on with the session.")
    finally:
        server.stop()


def index_for_session(project: Project) -> None:
    """Index the words of all documents before anybody waits for it."""
    with terminal_progress() as progress:
        project_postings(project, cache_folder(), progress)


def _start_page(consent: Path | None, minutes: int | None, survey: Path | None) -> StartPage | None:
    """Return what people read and answer before and after; None for nothing."""
    if not (consent or minutes or survey):
        return None
    try:
        text = consent.read_text(encoding="utf-8") if consent else ""
    except (OSError, UnicodeError) as fault:
        raise IrjudgeError("{file} cannot be read as a text in UTF-8.", file=consent) from fault
    return replace(
        read_survey(survey) if survey else StartPage(), consent=text, minutes=minutes or 0
    )


def _leader() -> str:
    """Return the secret of whoever leads, where the environment says one: the same at all servers, and after each start."""
    given = os.environ.get(SECRET, "").strip()
    if given and len(given) < SHORTEST_SECRET:
        raise IrjudgeError(
            "{name} has {count} letters, expected {least} or more: it lets in whoever leads.",
            name=SECRET,
            count=len(given),
            least=SHORTEST_SECRET,
        )
    return given


def database_store(
    url: str,
    opening: Callable[[], Project],
    wish: Callable[[Project], SessionWish],
    *,
    new: bool,
    unsafe: bool,
) -> Opening:
    """Return what opens a session that is kept in a database."""
    with needing_psycopg():
        from irjudge.web import open_database_session  # noqa: PLC0415 -- an extra that not everybody has
    return open_database_session(url, opening, wish, new=new, unsafe=unsafe)


def _sender(
    panel: str | None,
    completion: str,
    failed: str,
    each: int | None,
    checks_from: str,
    rejoin: str | None,
) -> CrowdPanel | None:
    if panel:
        return load_panel(
            panel, completion, failed, each=each or 0, checks=checks_from, rejoin=rejoin or ""
        )
    if completion or failed or each or checks_from or rejoin:
        raise IrjudgeError(
            "--completion, --failed, --each, --checks-from and --rejoin are for people of a panel; say which with --panel."
        )
    return None


def _rounds(mode: Mode, order: Order, *, norming: bool, named: bool) -> Norming | None:
    if norming and mode != "grade":
        raise IrjudgeError("Norming rounds are for grading documents; leave --mode out.")
    if norming and order == "learning":
        raise IrjudgeError(
            "Norming rounds are drawn from the pool, and learning needs none; leave --norming or --order out."
        )
    return Norming(names=named) if norming else None


def _show_links(server: Server, cards: Path | None, addresses: Sequence[str]) -> None:
    """Tell where the session is; the first address as a code to scan."""
    wish = server.lead(lambda session: session.wish)
    links = [_link(address, server.code, wish) for address in addresses]
    say(*picture_of(links[0]))
    say(f"Code: {server.code[:4]} {server.code[4:]}")
    for link in links:
        tell(link)
    if wish.join == "links":
        _show_personal_links(server, cards, addresses[0])
    if _leader():
        say(
            f"To lead it from a browser, open {addresses[0].rstrip('/')}/lead# and add the secret that {SECRET} holds."
        )
    else:
        say("To lead it from a browser; whoever has this link leads:")
        tell(f"{addresses[0].rstrip('/')}/lead#{server.leader}")
    if any(address.startswith("http://") for address in addresses):
        say(
            "The link is plain http: others in the same network could read along. Help tells how to put a proxy with TLS in front."
        )


def _check_cards(cards: Path | None, join: Join) -> None:
    if cards and join != "links":
        raise IrjudgeError(
            "--cards is for links of one person each; say --join links and --people."
        )


def _show_personal_links(server: Server, cards: Path | None, address: str) -> None:
    """Print the personal link of each participant who has not begun, and write it on a card.

    After a restart the links that were given out are still valid: only new cards replace them.
    """
    if server.lead(_note_links) and not cards:
        say(
            "The personal links that were printed before are still valid. Type let NAME for a new one."
        )
        return
    waiting = [
        each
        for each in server.lead(lambda session: session.standing()).seats
        if not (each.judged or each.normed)
    ]
    links = [(each.name, personal_link(address, server.lead(_again(each.id)))) for each in waiting]
    for name, link in links:
        tell(f"{name}  {link}")
    if cards:
        from irjudge.report import card_lines  # noqa: PLC0415 -- it brings all that writes reports

        title = server.lead(lambda session: session.project.title)
        write_text_atomically(cards, "\n".join(card_lines(title, links)) + "\n")
        say(f"Wrote {cards}: {len(links)} cards. Print it from a browser, also to PDF.")


def _link(address: str, code: str, wish: SessionWish) -> str:
    """Return the link that people open; a panel puts in who comes."""
    panel = wish.panel
    if panel is None:
        return f"{address.rstrip('/')}/#{code}"
    given = [f"{name}={{{{%{name}%}}}}" for name in panel.parameters]
    return f"{address.rstrip('/')}/?{'&'.join(given)}&code={code}"


def _note_links(session: SharedSession) -> bool:
    """Store that personal links are given out; return whether they were before."""
    terms = session.store.session().terms
    if LINKS_ISSUED in terms:
        return True
    session.store.set_terms({**terms, LINKS_ISSUED: True})
    return False


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
                threading.Event().wait(FAREWELL_SECONDS)
            return
    _until_stopped()


def _until_stopped() -> None:
    """Wait for Ctrl+C: looked for each second, since the system may give the signal to another thread, which does not wake this one."""
    never = threading.Event()
    while not never.wait(1.0):
        pass
