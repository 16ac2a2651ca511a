"""What a project keeps of sessions: their terms, who an opaque id is, and which places were lost, late or taken in."""

import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from irjudge.errors import ProjectError
from irjudge.model import Mode
from irjudge.store.connection import Connection
from irjudge.text import name_key

OPEN, PAUSED, ENDED = "open", "paused", "ended"
LATE, LOST = "late", "lost"
HOSTED_ELSEWHERE = (
    "elsewhere"  # among the terms: the session is kept elsewhere, and no window goes on with it
)
# Among the terms too: the code to join by, the host's secret, and whether personal links were given out. A restarted server goes on with
# them; the secret is removed when the session ends.
JOIN_CODE, HOST_SECRET, LINKS_ISSUED = "code", "leader", "linked"
SAME_PEOPLE = "same_people"  # fact: which id is that of another one's person
COMPLETED_PANELS = (
    "completions"  # fact: who was shown the way to the completion of a panel, and when
)
SESSION_MESSAGES = (
    "session_messages"  # fact: what whoever leads says to all in a session, by its number
)
SURVEY_ANSWERS = "surveys"  # fact: what people answered before and after their work, by id
SESSIONS_SINCE = 4  # the form of a file that keeps them
SESSION_COLUMNS = "code, id, round, state, terms, made"
PARTICIPANT_COLUMNS = "id, session, assignment, name, token, joined"


@dataclass(frozen=True, slots=True)
class StoredSession:
    """A session as the file keeps it."""

    # its number, and what tells it from all others
    code: int
    id: str
    round: int  # of the assignments made in it
    state: str  # `open`, `paused` or `ended`
    terms: Mapping[str, Any]  # what is asked of whom, as JSON has it
    made: str  # when, in UTC

    @property
    def again(self) -> bool:
        """Whether it gives out what others have in their hands too, or have judged."""
        return bool(self.terms.get("again"))

    @property
    def mode(self) -> Mode:
        """What it asks for."""
        return "side-by-side" if self.terms.get("compare") else "grade"


@dataclass(frozen=True, slots=True)
class Participant:
    """Somebody who joined a session; events name the id alone."""

    id: str  # opaque; the assessor of the person's events
    # numbers of the session and of what was given out to the person
    session: int
    assignment: int
    name: str  # as the person gave it; empty where it was forgotten
    token: (
        bytes  # SHA-256 of the secret that lets the person in; empty where nobody is let in by one
    )
    joined: str  # when, in UTC


@dataclass(frozen=True, slots=True)
class Completion:
    """Somebody of a panel was shown where to go when they are done."""

    time: str  # when, in UTC; what was taken back after it does not change that
    failed: bool  # whether attention checks were failed, so that it was the other end
    judged: int  # how many judgments stood by then

    @property
    def end(self) -> str:
        """Which of the two ends it was."""
        return "failed" if self.failed else "completion"


def merge_person_ids(known: Mapping[str, str], id: str, other: str) -> dict[str, str]:
    """Return which ids are those of people who have another one too, as `Sessions.same` has it, where `id` is that of another one's person.

    >>> merge_person_ids({"p2": "p1"}, "p1", "p0")
    {'p2': 'p0', 'p1': 'p0'}
    """
    stands = known.get(other, other)
    found = {one: stands if whose == id else whose for one, whose in known.items() if one != stands}
    return found | ({id: stands} if id != stands else {})


class Sessions:
    """The sessions of one project."""

    def __init__(self, connection: Connection) -> None:
        self._db = connection

    @property
    def _kept(self) -> bool:
        return self._db.form >= SESSIONS_SINCE

    def all(self) -> tuple[StoredSession, ...]:
        """Return the sessions in the order in which they were begun."""
        rows = (
            self._db.all(f"SELECT {SESSION_COLUMNS} FROM session ORDER BY code")
            if self._kept
            else []
        )
        try:
            return tuple(
                StoredSession(code, id, number, state, dict(json.loads(terms)), made)
                for code, id, number, state, terms, made in rows
            )
        except (ValueError, TypeError, RecursionError) as fault:
            raise ProjectError(
                "{file} is damaged: the terms of a session cannot be read.", file=self._db.name
            ) from fault

    def add(self, id: str, number: int, terms: Mapping[str, Any], made: str) -> int:
        """Keep a session that begins now, and return its number."""
        with self._db.transaction():
            values = (id, number, OPEN, json.dumps(dict(terms), ensure_ascii=False), made)
            added = self._db.execute(
                "INSERT INTO session (id, round, state, terms, made) VALUES (?, ?, ?, ?, ?)", values
            )
        return int(added.lastrowid or 0)

    def set_state(self, code: int, state: str) -> None:
        """Let a session be open, paused or ended."""
        with self._db.transaction():
            self._db.execute("UPDATE session SET state = ? WHERE code = ?", (state, code))

    def set_terms(self, code: int, terms: Mapping[str, Any]) -> None:
        """Ask something else of whom from now on."""
        with self._db.transaction():
            self._db.execute(
                "UPDATE session SET terms = ? WHERE code = ?",
                (json.dumps(dict(terms), ensure_ascii=False), code),
            )

    def message(self, code: int) -> str:
        """Return what whoever leads says to all in a session; empty for nothing."""
        return str(self._fact(SESSION_MESSAGES).get(str(code), ""))

    def say(self, code: int, words: str) -> None:
        """Let something be said to all in a session; empty for nothing any more."""
        self._set_fact(SESSION_MESSAGES, self._fact(SESSION_MESSAGES) | {str(code): words})

    def _fact(self, name: str) -> dict[str, Any]:
        """Return what a fact holds."""
        row = self._db.one("SELECT value FROM fact WHERE name = ?", (name,))
        try:
            return dict(json.loads(row[0])) if row else {}
        except (ValueError, TypeError, RecursionError) as fault:
            raise ProjectError(
                "{file} is damaged: {fact} cannot be read.", file=self._db.name, fact=name
            ) from fault

    def _set_fact(self, name: str, value: Mapping[str, Any]) -> None:
        """Let a fact hold something."""
        statement = (
            "INSERT INTO fact VALUES (?, ?) ON CONFLICT (name) DO UPDATE SET value = excluded.value"
        )
        with self._db.transaction():
            self._db.execute(
                statement, (name, json.dumps(dict(value), sort_keys=True, ensure_ascii=False))
            )

    # People

    def people(self, session: int | None = None) -> tuple[Participant, ...]:
        """Return who joined a session, or any, in the order in which they came."""
        condition, values = ("WHERE session = ?", (session,)) if session is not None else ("", ())
        rows = (
            self._db.all(
                f"SELECT {PARTICIPANT_COLUMNS} FROM participant {condition} ORDER BY code", values
            )
            if self._kept
            else []
        )
        return tuple(Participant(*row) for row in rows)

    def over(self) -> frozenset[int]:
        """Return the assignments of those who took part in a session that has ended."""
        ended = {each.code for each in self.all() if each.state == ENDED}
        return frozenset(each.assignment for each in self.people() if each.session in ended)

    def join(self, person: Participant) -> None:
        """Keep somebody who joined."""
        with self._db.transaction():
            values = tuple(getattr(person, name) for name in PARTICIPANT_COLUMNS.split(", "))
            self._db.execute(
                f"INSERT INTO participant ({PARTICIPANT_COLUMNS}) VALUES (?, ?, ?, ?, ?, ?)", values
            )

    def set_token(self, id: str, token: bytes) -> None:
        """Let a person in by another secret; the one before lets nobody in any more."""
        with self._db.transaction():
            self._db.execute("UPDATE participant SET token = ? WHERE id = ?", (token, id))

    def free(self, id: str) -> None:
        """Let a person have no name and nobody in by their secret; lists of sessions keep the name, which others can take."""
        with self._db.transaction():
            self._db.execute("UPDATE participant SET name = '', token = ? WHERE id = ?", (b"", id))

    def completions(self) -> dict[str, Completion]:
        """Return who was shown the way to the completion of a panel, by id."""
        row = self._db.one("SELECT value FROM fact WHERE name = ?", (COMPLETED_PANELS,))
        try:
            return (
                {str(id): Completion(*said) for id, said in json.loads(row[0]).items()}
                if row
                else {}
            )
        except (ValueError, TypeError, AttributeError, RecursionError) as fault:
            raise ProjectError(
                "{file} does not say in a readable way who completed a submission.",
                file=self._db.name,
            ) from fault

    def note_completion(self, id: str, completion: Completion) -> None:
        """Note that somebody was shown the way to the completion; what was noted before stays."""
        known = {
            one: [each.time, each.failed, each.judged]
            for one, each in ({id: completion} | self.completions()).items()
        }
        self._set_fact(COMPLETED_PANELS, known)

    def surveys(self) -> dict[str, dict[str, Any]]:
        """Return what people answered before and after their work, by id."""
        return {
            str(id): dict(said)
            for id, said in self._fact(SURVEY_ANSWERS).items()
            if isinstance(said, dict)
        }

    def note_survey(self, id: str, answers: Mapping[str, Any]) -> None:
        """Keep more of what somebody answered."""
        known = self.surveys()
        self._set_fact(SURVEY_ANSWERS, known | {id: known.get(id, {}) | dict(answers)})

    def rename_person(self, id: str, name: str) -> None:
        """Give a person another name, or (empty) none, and let no list of a session hold the one before; no event changes."""
        before = next((each for each in self.people() if each.id == id), None)
        with self._db.transaction():
            self._db.execute("PRAGMA secure_delete = ON")  # what a row held is not left in the file
            self._db.execute("UPDATE participant SET name = ? WHERE id = ?", (name, id))
            for each in self.all():
                listed = list(each.terms.get("names", ()))
                if (
                    before
                    and each.code == before.session
                    and any(name_key(one) == name_key(before.name) for one in listed)
                ):
                    kept = [
                        name if name_key(one) == name_key(before.name) else one for one in listed
                    ]
                    terms = {**each.terms, "names": [one for one in kept if one]}
                    self.set_terms(each.code, terms)

    def same(self) -> dict[str, str]:
        """Return which ids are those of people who have another one too: id -> the one that stands for the person."""
        row = self._db.one("SELECT value FROM fact WHERE name = ?", (SAME_PEOPLE,))
        try:
            return (
                {str(one): str(other) for one, other in json.loads(row[0]).items()} if row else {}
            )
        except (ValueError, AttributeError, RecursionError) as fault:
            raise ProjectError(
                "{file} does not say in a readable way which ids are those of one person.",
                file=self._db.name,
            ) from fault

    def set_same(self, id: str, other: str) -> None:
        """Let an id be that of another one's person, and so all that stand for it; no event changes."""
        self._set_fact(SAME_PEOPLE, merge_person_ids(self.same(), id, other))

    # Places

    def places(self, assignment: int) -> dict[int, str]:
        """Return the states that are kept of the places of an assignment, by place."""
        rows = (
            self._db.all(
                "SELECT place, state FROM session_place WHERE assignment = ?", (assignment,)
            )
            if self._kept
            else []
        )
        return {int(place): str(state) for place, state in rows}

    def store_lease_states(self, states: Iterable[tuple[int, int, str]]) -> None:
        """Keep states (assignment, place, state); an empty one takes back what was kept."""
        with self._db.transaction():
            for assignment, place, state in states:
                self._db.execute(
                    "DELETE FROM session_place WHERE assignment = ? AND place = ?",
                    (assignment, place),
                )
                if state:
                    self._db.execute(
                        "INSERT INTO session_place VALUES (?, ?, ?)", (assignment, place, state)
                    )

    def late(self, assessor: str) -> frozenset[tuple[str, tuple[str, ...]]]:
        """Return topic and documents of each judgment of an assessor that came too late; that of a later showing hides no first one."""
        if not self._kept:
            return frozenset()
        rows = self._db.all(
            "SELECT topic, lists FROM session_place JOIN assignment_item USING (assignment, place) "
            "JOIN assignment ON assignment.code = session_place.assignment WHERE assessor = ? AND state = ? AND NOT EXISTS (SELECT 1 "
            "FROM assignment_item AS before WHERE before.assignment = session_place.assignment AND before.place < session_place.place "
            "AND before.topic = assignment_item.topic AND before.lists = assignment_item.lists)",
            (assessor, LATE),
        )
        try:
            return frozenset(
                (str(topic), tuple(str(each) for part in json.loads(lists) for each in part))
                for topic, lists in rows
            )
        except (ValueError, TypeError, LookupError, RecursionError) as fault:
            raise ProjectError(
                "{file} is damaged: an item that came too late cannot be read.", file=self._db.name
            ) from fault
