"""Reads sessions out of a database for the project they belong to, and puts one of a project into an empty database."""

import json
from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from contextlib import contextmanager

from irjudge.errors import ProjectError
from irjudge.exchange.assignments import identity_of
from irjudge.exchange.session_merge import PersonCopy, PlaceCopy, SessionCopy
from irjudge.judging.counted_assessors import people_aside
from irjudge.judging.ledger import Ledger
from irjudge.store.project import Project
from irjudge.store.sessions import CODE, ELSEWHERE, LEADER, Completion, KeptSession, Participant
from irjudge.web.session_wish import SessionWish, round_wishes
from irjudge.web.stores.in_database import completion_text, given_of
from irjudge.web.stores.in_project import UNTOLD
from irjudge.web.stores.link import Link
from irjudge.web.stores.tables import FORM, check_marks, form_of

AT_ONCE = 1000  # events that are read together


@contextmanager
def sessions_in(url: str, project: Project) -> Iterator[list[SessionCopy]]:
    """Read the sessions of a database, all of one moment, which lasts as long as the block."""
    link = Link(url, unsafe=True)  # it is only read
    try:
        with link.snapshot():
            _check(link, project)
            yield [
                _copy(link, project, number)
                for (number,) in link.all("SELECT code FROM session ORDER BY code")
            ]
    finally:
        link.close()


def _check(link: Link, project: Project) -> None:
    form = form_of(link)
    if not form:
        raise ProjectError(
            "Database {name} holds no session. Begin one: irjudge serve PROJECT --store ADDRESS.",
            name=link.name,
        )
    if form < FORM:
        raise ProjectError(
            "Database {name} is of an older form ({form}; this one is {known}). Serve it once, and it is brought up to date.",
            name=link.name,
            form=form,
            known=FORM,
        )
    check_marks(
        link, {"project": identity_of(project), "scale": project.scale.version}, project.path.name
    )


def _copy(link: Link, project: Project, number: int) -> SessionCopy:
    asked = "SELECT id, state, terms, made, seed, pool, join_code FROM session WHERE code = %s"
    ((id, state, terms, made, seed, pool, code),) = link.all(asked, (number,))
    known = {name: value for name, value in json.loads(terms).items() if name != LEADER}
    session = KeptSession(number, id, 0, state, {**known, CODE: code}, made)
    places: dict[str, list[PlaceCopy]] = defaultdict(list)
    rows = link.all(
        "SELECT lease.assessor, number, type, topic, lists, sides, role, left_run, right_run, lease.state FROM lease "
        "JOIN assessor ON assessor.id = lease.assessor WHERE session = %s ORDER BY assessor, number",
        (number,),
    )
    for row in rows:
        given = given_of(row)
        places[row[0]].append(
            PlaceCopy(given.number, given.item, given.secret, row[-1] if row[-1] in UNTOLD else "")
        )
    people = [
        PersonCopy(
            Participant(id, number, 0, name, bytes(token), joined),
            assignment,
            places[id],
            aside,
            same,
            Completion(*json.loads(completed)) if completed else None,
            json.loads(survey) if survey else {},
        )
        for id, assignment, name, token, joined, aside, same, completed, survey in link.all(
            "SELECT id, assignment, name, token, joined, aside, same_as, completed, survey FROM assessor WHERE session = %s ORDER BY code",
            (number,),
        )
    ]
    asked_digests = "SELECT digest FROM event JOIN assessor ON assessor.id = event.assessor WHERE session = %s ORDER BY sequence"
    digests = [digest.hex() for (digest,) in link.all(asked_digests, (number,))]
    wish = SessionWish.from_json(session.terms)
    wishes, grading = (
        round_wishes(project, wish),
        wish.compare is not None and wish.compare.rules.grading,
    )
    return SessionCopy(
        link.name,
        session,
        seed,
        pool,
        wishes,
        grading,
        people,
        digests,
        lambda wanted: _bodies(link, wanted),
    )


def _bodies(link: Link, digests: Sequence[str]) -> Iterator[tuple[str, bytes]]:
    """Yield digest and bytes of events, in the order asked for."""
    for begin in range(0, len(digests), AT_ONCE):
        part = [bytes.fromhex(digest) for digest in digests[begin : begin + AT_ONCE]]
        found: dict[bytes, bytes] = dict(
            link.all("SELECT digest, body FROM event WHERE digest = ANY(%s)", (part,))
        )
        yield from ((digest.hex(), bytes(found[digest])) for digest in part)


def to_go_on(project: Project) -> KeptSession | None:
    """Return the newest session of a project that a database kept and that has not ended; None where there is none."""
    return next(
        (
            each
            for each in reversed(project.sessions.all())
            if ELSEWHERE in each.terms and each.state != "ended"
        ),
        None,
    )


def put_back(
    link: Link, project: Project, kept: KeptSession, items: Sequence[tuple[str, str]], code: str
) -> int:
    """Put a session of a project into a database that lost it, and return its number there."""
    round = next(each for each in project.assignments.rounds() if each.number == kept.round)
    assignments = {
        each.code: each for each in project.assignments.all() if each.round == kept.round
    }
    pool = max(
        (each.pool for each in assignments.values()), default=project.rankings.pool_version() or 0
    )
    terms = {name: value for name, value in kept.terms.items() if name not in (ELSEWHERE, CODE)}
    ((number,),) = link.all(
        "INSERT INTO session (id, join_code, state, terms, seed, pool, made, turn) VALUES (%s, %s, %s, %s, %s, %s, %s, 1) RETURNING code",
        (
            kept.id,
            kept.terms.get(CODE, code),
            kept.state,
            json.dumps(terms, ensure_ascii=False),
            round.seed,
            pool,
            kept.made,
        ),
    )
    link.many(
        "INSERT INTO item VALUES (%s, %s, %s, %s)",
        [(number, rank, *pair) for rank, pair in enumerate(items)],
    )
    people, aside = (
        project.sessions.people(kept.code),
        {each.name for each in people_aside(project)},
    )
    same, completed = (
        project.sessions.same(),
        {id: completion_text(each) for id, each in project.sessions.completions().items()},
    )
    surveys = {
        id: json.dumps(said, ensure_ascii=False) for id, said in project.sessions.surveys().items()
    }
    link.many(
        "INSERT INTO assessor (id, session, assignment, name, token, joined, aside, same_as, completed, survey, turn) "
        "VALUES (%s, %s, %s, %s, %s, %s, %s, %s, %s, %s, 1)",
        [
            (
                *(
                    each.id,
                    number,
                    assignments[each.assignment].id,
                    each.name,
                    each.token,
                    each.joined,
                ),
                *(
                    each.id in aside,
                    same.get(each.id, ""),
                    completed.get(each.id, ""),
                    surveys.get(each.id, ""),
                ),
            )
            for each in people
        ],
    )
    for person in people:
        _put_work_back(link, project, person)
    return int(number)


def _put_work_back(link: Link, project: Project, person: Participant) -> None:
    """Put back what a person was given and did."""
    events, states = (
        list(project.events.read(person.id)),
        project.sessions.places(person.assignment),
    )
    judged = Ledger(events)
    rows, times = [], Counter[tuple[str, str, tuple[str, ...]]]()
    for number, item, secret in project.assignments.given(person.assignment):
        times[same := (item.type, item.topic, item.documents)] += 1
        done = judged.judgment((item.topic, item.documents, times[same])) is not None
        state = states.get(number) or ("counted" if done else "held")
        what = item.type, item.topic, json.dumps(item.lists), json.dumps(item.sides)
        rows.append(
            (person.id, number, *what, secret.role, secret.left_run, secret.right_run, state, 1)
        )
    link.many("INSERT INTO lease VALUES (%s, %s, %s, %s, %s, %s, %s, %s, %s, %s, %s)", rows)
    link.many(
        "INSERT INTO event (digest, assessor, client, number, body, turn) VALUES (%s, %s, %s, %s, %s, 1)",
        [
            (bytes.fromhex(each.digest), each.assessor, each.client, each.number, each.encoded)
            for each in events
        ],
    )
