"""Begins a session in a PostgreSQL database, or goes on with the one that is there."""

import json
import secrets
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager
from typing import LiteralString

from irjudge.exchange.assignments import identity_of
from irjudge.judging.assignable_documents import unassigned
from irjudge.judging.recorder import utc_now
from irjudge.store.project import Project
from irjudge.store.sessions import ENDED, OPEN, KeptSession
from irjudge.web.session_wish import SessionWish, checked, new_code
from irjudge.web.stores import Opening
from irjudge.web.stores.copies import put_back, to_go_on
from irjudge.web.stores.in_database import DatabaseStore
from irjudge.web.stores.link import Link
from irjudge.web.stores.tables import MAKING, bring_up_to_date, check_marks, keep_marks, marks_of

SEED_BITS = 60


def kept_in_database(
    url: str,
    opening: Callable[[], AbstractContextManager[Project]],
    wish: Callable[[Project], SessionWish],
    *,
    new: bool = False,
    unsafe: bool = False,
) -> Opening:
    """Return what opens the store of a session that is kept in a database."""

    @contextmanager
    def opened() -> Iterator[DatabaseStore]:
        with opening() as project:
            link = Link(url, unsafe=unsafe)
            try:
                store = DatabaseStore(link, project, _begin(link, project, wish, new=new))
                _say_same(store, project)
                yield store
            finally:
                link.close()

    return opened


def _say_same(store: DatabaseStore, project: Project) -> None:
    """Tell the database, and so all servers, which ids the project knows as those of one person."""
    with store.transaction():
        here = {person.id for person in store.people()}
        for one, other in project.sessions.same().items():
            known = store.same()
            if {one, other} <= here and known.get(one, one) != known.get(other, other):
                store.set_same(one, other)


def _begin(
    link: Link, project: Project, wish: Callable[[Project], SessionWish], *, new: bool
) -> int:
    """Return the number of the session that goes on, or of one that is begun."""
    bring_up_to_date(link)
    with link.transaction():
        link.take_turn(MAKING)
        rows = link.all(
            "SELECT code, terms, pool FROM session WHERE state != %s ORDER BY code DESC LIMIT 1",
            (ENDED,),
        )
        if rows and not new:
            number, terms, pool = rows[0]
            check_marks(
                link,
                marks_of(project, pool, SessionWish.from_json(json.loads(terms))),
                project.path.name,
            )
            return int(number)
        check_marks(link, {"project": identity_of(project)}, project.path.name)
        kept = None if new or link.all("SELECT 1 FROM session LIMIT 1") else to_go_on(project)
        return (
            _gone_on(link, project, kept)
            if kept
            else _begun(link, project, checked(project, wish(project)))
        )


def _gone_on(link: Link, project: Project, kept: KeptSession) -> int:
    """Go on, in a database that lost it, with a session that the project has, and return its number."""
    wish = SessionWish.from_json(kept.terms)
    number = put_back(link, project, kept, _pairs(project, wish, kept.round), new_code())
    ((version,),) = link.all("SELECT pool FROM session WHERE code = %s", (number,))
    keep_marks(link, marks_of(project, version, wish))
    return number


def _pairs(project: Project, wish: SessionWish, round: int | None) -> list[tuple[str, str]]:
    """Return the documents to grade, save those assigned outside of a round; none for a comparison, or where learning finds them."""
    pool = (
        {}
        if wish.compare or wish.learns
        else unassigned(project, besides=round, again=wish.again)[0]
    )
    return [(topic, document) for topic in wish.topics or pool for document in pool.get(topic, ())]


def _begun(link: Link, project: Project, wish: SessionWish) -> int:
    """Begin a session of what no session of the database gave out, and return its number."""
    version, made = project.rankings.pool_version() or 0, utc_now()
    keep_marks(link, marks_of(project, version, wish))
    begin: LiteralString = """INSERT INTO session (id, join_code, state, terms, seed, pool, made)
        VALUES (%s, %s, %s, %s, %s, %s, %s) RETURNING code"""
    terms = json.dumps(wish.as_json(), ensure_ascii=False)
    ((number,),) = link.all(
        begin,
        (
            secrets.token_hex(16),
            new_code(),
            OPEN,
            terms,
            secrets.randbits(SEED_BITS),
            version,
            made,
        ),
    )
    before = set(link.all("SELECT DISTINCT topic, document FROM item"))
    pairs = [pair for pair in _pairs(project, wish, None) if pair not in before]
    link.many(
        "INSERT INTO item VALUES (%s, %s, %s, %s)",
        [(number, rank, *pair) for rank, pair in enumerate(pairs)],
    )
    if wish.join == "links":
        store = DatabaseStore(link, project, number)
        store.people()
        for name in wish.names:
            store.seat(name, secrets.token_bytes(32), made)
    return int(number)
