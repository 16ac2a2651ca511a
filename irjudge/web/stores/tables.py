"""The tables of a session in a PostgreSQL database, how an older form becomes the newest, and whose database it is."""

import json
from collections.abc import Iterable
from hashlib import sha256
from typing import LiteralString

from irjudge.errors import ProjectError
from irjudge.exchange.assignments import identity_of
from irjudge.exchange.comparison_design import questions_of
from irjudge.judging.assignable_documents import shown_calibration
from irjudge.message import Message
from irjudge.store.project import Project
from irjudge.web.session_wish import SessionWish, planted
from irjudge.web.stores.link import Link

FORM_1: LiteralString = """
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
"""
FORM_2: LiteralString = """
-- The id that stands for somebody who has another one too; empty for who has one alone.
ALTER TABLE assessor ADD COLUMN same_as text NOT NULL DEFAULT '';
"""
FORM_3: LiteralString = """
-- When the way to the completion of a panel was shown, which one, and how many judgments stood by then; empty for never.
ALTER TABLE assessor ADD COLUMN completed text NOT NULL DEFAULT '';
"""
FORM_4: LiteralString = """
-- What whoever leads says to all, and what somebody answered before and after their work (JSON); empty for nothing.
ALTER TABLE session ADD COLUMN message text NOT NULL DEFAULT '';
ALTER TABLE assessor ADD COLUMN survey text NOT NULL DEFAULT '';
"""
STEPS: dict[int, LiteralString] = {
    1: FORM_1,
    2: FORM_2,
    3: FORM_3,
    4: FORM_4,
}  # what makes each form of the one before it
FORM = max(STEPS)
MAKING = 0  # the number of the turn for making tables; sessions count from 1
PARTS = {
    "project": Message("another project"),
    "scale": Message("another scale"),
    "topics": Message("other topics"),
    "texts": Message("other texts"),
    "pool": Message("another pool"),
    "gold": Message("other known answers"),
}


def form_of(link: Link) -> int:
    """Return the form of a database; 0 where it holds nothing of irjudge."""
    (there,) = link.all("SELECT to_regclass('irjudge_fact') IS NOT NULL")
    if not there[0]:
        return 0
    rows = link.all("SELECT value FROM irjudge_fact WHERE name = 'form'")
    form = int(rows[0][0]) if rows and str(rows[0][0]).isdigit() else 0
    if form > FORM:
        raise ProjectError(
            "Database {name} was written by a newer irjudge (form {form}; this one knows {known}). Install the newer irjudge.",
            name=link.name,
            form=form,
            known=FORM,
        )
    return form


def bring_up_to_date(link: Link) -> bool:
    """Make the tables, or those of an older form newer; tell whether there were none."""
    with link.transaction():
        link.take_turn(MAKING)
        form = form_of(link)
        if not form:
            _check_free(link)
        for step in range(form + 1, FORM + 1):
            link.run(STEPS[step])
        if form != FORM:
            keep_marks(link, {"form": str(FORM)})
    return form == 0


def _check_free(link: Link) -> None:
    """Refuse a database in which another program keeps tables of the same names."""
    rows = link.all(
        "SELECT name FROM unnest(%s::text[]) AS name WHERE to_regclass(name) IS NOT NULL",
        (["session", "item", "event"],),
    )
    if rows:
        raise ProjectError(
            "Database {name} belongs to another program: it has a table {table}. Give irjudge one of its own.",
            key="foreign-database",
            name=link.name,
            table=rows[0][0],
        )


def marks_of(project: Project, pool: int, wish: SessionWish) -> dict[str, str]:
    """Return what tells project, pool (of a version) or comparison, texts and answers of a session from all others."""
    answers, _ = planted(project, wish)
    shown = {topic: sorted(grades) for topic, grades in answers.items()}, shown_calibration(project)
    asked = _asked(project, pool, wish)
    named = {document for _, *documents in asked for document in documents}
    named |= {each for part in shown for documents in part.values() for each in documents}
    digests = project.collection.digests(sorted(named))
    return {
        "project": identity_of(project),
        "scale": project.scale.version,
        "topics": _hash([topic.id, topic.digest.hex()] for topic in project.collection.topics()),
        "texts": _hash([name, digests.get(name, "")] for name in sorted(named)),
        "pool": _hash(asked),
        "gold": _hash([answers, shown[1]]),
    }


def _asked(project: Project, pool: int, wish: SessionWish) -> list[tuple[str, ...]]:
    """Return the topic and the documents of all that may be asked."""
    if wish.compare is not None:
        return [
            (question.topic, *question.documents)
            for question in questions_of(project, wish.compare)[0]
        ]
    found = project.rankings.pool(pool)
    return (
        list(
            zip(
                (found.topics[code] for code in found.topic.tolist()),
                found.document.to_pylist(),
                strict=True,
            )
        )
        if found
        else []
    )


def _hash(parts: Iterable[object]) -> str:
    """Return a hash of parts, of a million in little memory."""
    made = sha256()
    for part in parts:
        made.update(json.dumps(part, ensure_ascii=True, sort_keys=True).encode() + b"\n")
    return made.hexdigest()


def check_marks(link: Link, own: dict[str, str], name: str) -> None:
    """See that a database is that of a project."""
    kept: dict[str, str] = dict(link.all("SELECT name, value FROM irjudge_fact"))
    for part, words in PARTS.items():
        if part in own and part in kept and kept[part] != own[part]:
            raise ProjectError(
                "Database {database} holds a session of {words} than {project} has. Nothing was changed in either.",
                database=link.name,
                words=words,
                project=name,
            )


def keep_marks(link: Link, own: dict[str, str]) -> None:
    """Keep whose database it is."""
    statement: LiteralString = "INSERT INTO irjudge_fact VALUES (%s, %s) ON CONFLICT (name) DO UPDATE SET value = excluded.value"
    link.many(statement, list(own.items()))
