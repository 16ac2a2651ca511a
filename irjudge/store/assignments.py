"""Assessors, assignments, rounds, returned files, and sessions of a project."""

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from irjudge.errors import ProjectError
from irjudge.message import Message
from irjudge.model import ITEM_TYPES, AssignedItem, Assignment, Mode, OrganiserNote
from irjudge.store.connection import Connection, parse_json_or_none
from irjudge.text import make_name_key

# key of the setting that contains the role of a file, and value of this setting in an assessor's
# file
ROLE_KEY, ASSESSOR_ROLE = "role", "assessor"
# keys of settings in an assessor's file: ids of the project and of the assignment
PROJECT_KEY, ASSIGNMENT_KEY = "project", "assignment"
# key of a setting: an assessor's submission, with its time, number of events, and digest of the
# newest event; for an assessor other than the owner, the assessor's name is appended to the key
SUBMISSION_KEY = "handed_in"
# key of a setting and of an option of a round: rules for pairwise comparisons
COMPARISON_RULES = "rules"
# key of a setting in the organiser's project: secret for choosing at random which list is on the
# left
SIDE_KEY = "side_key"

ASSIGNMENT_COLUMNS = "code, id, assessor, mode, pool, deadline, file, round, made, withdrawn"
SEED_KEY = "seed"  # key in the options of a round: seed, if it does not fit in the column
MAX_INTEGER = 2**63 - 1


@dataclass(frozen=True, slots=True)
class RegisteredAssessor:
    """Assessor in a project's list: name, e-mail address and reason for exclusion.

    Assessors are added to the list when documents or comparisons are assigned to them, or when they
    are excluded. The owner, participants of sessions and accounts of a class folder are added only
    if they are excluded. `exclusion_reason` is None if the assessor is not excluded; the judgments
    of an excluded assessor do not count.
    """

    name: str  # name of the assessor, or id of a participant of a session
    email: str = ""  # e-mail address; empty if unknown
    exclusion_reason: str | None = None


@dataclass(frozen=True, slots=True)
class Round:
    """Properties of a round of assignments: number, seed, options, and time of creation.

    A round consists of the assignments created in one step or for one session. The assignments are
    not part of this object. `options` are the options with which they were created, and `made` is
    the time of creation (UTC). The norming rounds of a session are not rounds of assignments.
    """

    number: int
    seed: int
    options: Mapping[str, Any]
    made: str


@dataclass(frozen=True, slots=True)
class MergedFile:
    """Record of a merged returned file: time (UTC), name, SHA-256 (hex), assignment, assessor.

    `balance` contains the report on the merge as JSON values, such as the number of events for each
    outcome. The record does not contain the events.
    """

    time: str
    file: str
    digest: str
    assignment: str
    assessor: str
    balance: Mapping[str, Any]


def _parse_round(round_number: int, seed: int, options_text: str, creation_time: str) -> Round:
    options = _parse_object(
        options_text, Message("round {number} of the assignments", number=round_number)
    )
    seed_text = options.get(SEED_KEY)
    return Round(
        round_number, seed_text if isinstance(seed_text, int) else seed, options, creation_time
    )


def _parse_object(text: str, subject: str) -> dict[str, Any]:
    """Parse a stored JSON object; raise ProjectError that names `subject` if it is invalid."""
    content = parse_json_or_none(text)
    if not isinstance(content, dict):
        raise ProjectError(
            "The project is damaged: cannot read {what}.", key="damaged-record", what=subject
        )
    return content


class Assignments:
    """Access to the assignments, rounds, returned files and assessors of one project."""

    def __init__(self, connection: Connection) -> None:
        self._db = connection

    # Assignments

    def assessor_assignment(self) -> Assignment | None:
        """Return the assignment in an assessor's file; None for other files."""
        assignments = self.all() if self._db.get_setting(ROLE_KEY) == ASSESSOR_ROLE else ()
        return assignments[0] if assignments else None

    def all(self) -> tuple[Assignment, ...]:
        """Return the assignments in order of creation, including withdrawn ones."""
        rows = self._db.fetch_all(f"SELECT {ASSIGNMENT_COLUMNS} FROM assignment ORDER BY code")
        return tuple(replace(Assignment(*row), withdrawn=bool(row[-1])) for row in rows)

    def items(self, code: int) -> tuple[AssignedItem, ...]:
        """Return the items of an assignment, in the order of presentation.

        Unjudged items that were reassigned to other assessors are omitted.
        """
        return tuple(item for _, item in self._read_items(code))

    def _read_items(
        self, code: int, *, include_lost: bool = False
    ) -> list[tuple[int, AssignedItem]]:
        query = "SELECT place, topic, lists, type, sides FROM assignment_item WHERE assignment = ? ORDER BY place"
        lost_positions = set() if include_lost else self.read_lost_positions(code)
        try:
            return [
                (position, _parse_item(topic, lists_text, item_type, labels_text))
                for position, topic, lists_text, item_type, labels_text in self._db.fetch_all(
                    query, (code,)
                )
                if position not in lost_positions
            ]
        except (ValueError, TypeError, RecursionError) as error:
            raise ProjectError(
                "{db} is damaged: cannot read an assigned item ({error}).",
                key="damaged-item",
                db=self._db.name,
                error=error,
            ) from error

    def organiser_notes(self, code: int) -> tuple[OrganiserNote, ...]:
        """Return the organiser's note on each item of `items`; a missing note is empty."""
        notes = self._read_organiser_notes(code)
        positions = self._db.fetch_all(
            "SELECT place FROM assignment_item WHERE assignment = ? ORDER BY place", (code,)
        )
        lost_positions = self.read_lost_positions(code)
        return tuple(
            notes.get(position, OrganiserNote())
            for (position,) in positions
            if position not in lost_positions
        )

    def items_with_notes(self, code: int) -> list[tuple[AssignedItem, OrganiserNote]]:
        """Return the items of an assignment, each with the organiser's note."""
        # Items are read first: a running session stores an item and its note together, so that the
        # notes, which are read afterwards, include the notes of all items.
        items_by_position = self._read_items(code)
        notes = self._read_organiser_notes(code)
        return [
            (item, notes.get(position, OrganiserNote())) for position, item in items_by_position
        ]

    def _read_organiser_notes(self, code: int) -> dict[int, OrganiserNote]:
        rows = self._db.fetch_all(
            "SELECT place, role, left_run, right_run FROM assignment_secret WHERE assignment = ?",
            (code,),
        )
        return {position: OrganiserNote(*row) for position, *row in rows}

    def all_assigned_items(self, code: int) -> list[tuple[int, AssignedItem, OrganiserNote]]:
        """Return (position, item, note) for all items of an assignment, even if reassigned."""
        notes = self._read_organiser_notes(code)
        return [
            (position, item, notes.get(position, OrganiserNote()))
            for position, item in self._read_items(code, include_lost=True)
        ]

    def read_lost_positions(self, code: int) -> set[int]:
        """Return the positions of unjudged items that were reassigned to others."""
        if self._db.schema_version < SESSIONS_SINCE:
            return set()
        return {
            position
            for (position,) in self._db.fetch_all(
                "SELECT place FROM session_place WHERE assignment = ? AND state = ?", (code, LOST)
            )
        }

    def add(
        self,
        assignment: Assignment,
        items: Sequence[AssignedItem],
        organiser_notes: Sequence[OrganiserNote] = (),
    ) -> int:
        """Store an assignment under a new number, and return the number.

        `assignment.code` is ignored.
        """
        if self._db.fetch_one("SELECT 1 FROM assignment WHERE id = ?", (assignment.id,)):
            raise ProjectError(
                "The assignment {id} is already in the project.",
                key="known-assignment",
                id=assignment.id,
            )
        values = (getattr(assignment, name) for name in ASSIGNMENT_COLUMNS.split(", ")[1:-1])
        with self._db.transaction():
            code = self._db.execute(
                f"INSERT INTO assignment ({ASSIGNMENT_COLUMNS.removeprefix('code, ').removesuffix(', withdrawn')}) VALUES (?, ?, ?, ?, ?, ?, ?, ?)",
                tuple(values),
            ).lastrowid
            self.append_items(int(code or 0), 0, items, organiser_notes)
        return int(code or 0)

    def append_items(
        self,
        code: int,
        start: int,
        items: Sequence[AssignedItem],
        organiser_notes: Sequence[OrganiserNote] = (),
    ) -> None:
        """Append items and notes to an assignment; the first item gets the position `start`."""
        rows = (
            (code, index, organiser_note.role, organiser_note.left_run, organiser_note.right_run)
            for index, organiser_note in enumerate(organiser_notes, start)
            if organiser_note != OrganiserNote()
        )
        with self._db.transaction():
            self._db.insert(
                "INSERT INTO assignment_item VALUES (?, ?, ?, ?, ?, ?)",
                _make_item_rows(code, start, items),
            )
            self._db.insert("INSERT INTO assignment_secret VALUES (?, ?, ?, ?, ?)", rows)

    def withdraw(self, code: int) -> None:
        """Mark an assignment as withdrawn; its unjudged items can be assigned to others."""
        with self._db.transaction():
            self._db.execute("UPDATE assignment SET withdrawn = 1 WHERE code = ?", (code,))

    # Rounds

    def rounds(self) -> tuple[Round, ...]:
        """Return all rounds of assignments, in the order of their numbers."""
        rows = self._db.fetch_all(
            "SELECT number, seed, wishes, made FROM assignment_round ORDER BY number"
        )
        return tuple(_parse_round(*row) for row in rows)

    def add_round(self, new_round: Round) -> None:
        """Store a round; files for assessors do not contain its seed."""
        fits_in_64_bits = -MAX_INTEGER <= new_round.seed <= MAX_INTEGER
        options = (
            dict(new_round.options)
            if fits_in_64_bits
            else {**new_round.options, SEED_KEY: new_round.seed}
        )  # a larger seed does not fit in the column, since SQLite integers have 64 bits
        values = (
            new_round.number,
            new_round.seed if fits_in_64_bits else 0,
            json.dumps(options, ensure_ascii=False),
            new_round.made,
        )
        with self._db.transaction():
            self._db.execute(
                "INSERT INTO assignment_round (number, seed, wishes, made) VALUES (?, ?, ?, ?)",
                values,
            )

    # Assessors

    def registered_assessors(self) -> tuple[RegisteredAssessor, ...]:
        """Return the assessors added with `add_people`, in the order they were added."""
        return tuple(
            RegisteredAssessor(*row)
            for row in self._db.fetch_all(
                "SELECT name, email, set_aside FROM assessor ORDER BY code"
            )
        )

    def add_people(self, assessors: Iterable[RegisteredAssessor]) -> None:
        """Register assessors; for an assessor who is already registered, update only the address.

        An empty address does not replace the stored address.
        """
        with self._db.transaction():
            for assessor in assessors:
                self._db.execute(
                    "INSERT INTO assessor (name, email) VALUES (?, ?) ON CONFLICT (name) "
                    "DO UPDATE SET email = excluded.email WHERE excluded.email != ''",
                    (assessor.name, assessor.email),
                )

    def set_exclusion(self, name: str, reason: str | None) -> None:
        """Exclude an assessor for a reason; if `reason` is None, include the assessor again.

        The assessor's events are kept.
        """
        with self._db.transaction():
            self._db.execute(
                "INSERT INTO assessor (name, email) VALUES (?, '') ON CONFLICT (name) DO NOTHING",
                (name,),
            )
            self._db.execute("UPDATE assessor SET set_aside = ? WHERE name = ?", (reason, name))

    # Returned files

    def merged_files(self) -> tuple[MergedFile, ...]:
        """Return all merged files in order of merging."""
        rows = self._db.fetch_all(
            "SELECT time, file, digest, assignment, assessor, balance FROM returned_file ORDER BY code"
        )
        return tuple(
            replace(
                MergedFile(*row),
                balance=_parse_object(row[-1], Message("the manifest of {file}", file=row[1])),
            )
            for row in rows
        )

    def add_returned(self, files: Iterable[MergedFile]) -> None:
        """Store the records of merged files."""
        statement = "INSERT INTO returned_file (time, file, digest, assignment, assessor, balance) VALUES (?, ?, ?, ?, ?, ?)"
        rows = (
            (
                file.time,
                file.file,
                file.digest,
                file.assignment,
                file.assessor,
                json.dumps(dict(file.balance), ensure_ascii=False),
            )
            for file in files
        )
        with self._db.transaction():
            self._db.insert(statement, rows)


def _parse_item(topic: str, lists_text: str, item_type: Any, labels_text: str) -> AssignedItem:
    ids, names = json.loads(lists_text), json.loads(labels_text) if labels_text != "[]" else []
    if (
        item_type not in ITEM_TYPES
        or not isinstance(ids, list)
        or len(ids) != (1 if item_type == "document" else 2)
    ):
        raise ValueError(Message("not a valid item of type {kind}", kind=str(item_type)[:20]))
    texts = (*ids, names)
    if {type(text) for text in texts} != {list} or not {
        type(text) for document_texts in texts for text in document_texts
    } <= {str}:
        raise ValueError(Message("its documents are not a list"))
    if item_type != "panel" and any(len(document_ids) != 1 for document_ids in ids):
        raise ValueError(Message("its documents are not a list"))
    return AssignedItem(topic, tuple(map(tuple, ids)), item_type, tuple(names))


def _make_item_rows(
    code: int, start: int, items: Sequence[AssignedItem]
) -> Iterator[tuple[Any, ...]]:
    for index, item in enumerate(items, start):
        yield (
            code,
            index,
            item.topic,
            item.type,
            json.dumps(item.lists, ensure_ascii=False),
            json.dumps(item.sides),
        )


# Sessions: options, participants, and states of assigned items


OPEN, PAUSED, ENDED = "open", "paused", "ended"
LATE, LOST = "late", "lost"
# key of an option of a session that was merged from a database; such a session cannot be continued
# in the project
HOSTED_ELSEWHERE = "elsewhere"
# Keys of options of a session: join code, host's secret, and whether personal links were issued. A
# restarted server uses the same code and secret; the secret is removed when the session ends.
JOIN_CODE, HOST_SECRET, LINKS_ISSUED = "code", "leader", "linked"
FIRST_IDS_KEY = "same_people"  # key of a setting: main id of the participant for each merged id
# key of a setting: values of `Completion` for panel participants, by participant id
COMPLETED_PANELS = "completions"
# key of a setting: message of the host to all participants, by session number
SESSION_MESSAGES = "session_messages"
SURVEY_ANSWERS = "surveys"  # key of a setting: survey answers by participant id
SESSIONS_SINCE = 4  # first schema version with sessions
SESSION_COLUMNS = "code, id, round, state, terms, made"
PARTICIPANT_COLUMNS = "id, session, assignment, name, token, joined"


@dataclass(frozen=True, slots=True)
class StoredSession:
    """Session as stored in a project or database: id, state, options, and round.

    Participants and judgments are not part of this object.
    """

    code: int  # number of the session in the project file or database
    id: str  # globally unique id
    round: int  # number of the round that contains the session's assignments; 0 in a database
    state: str  # state: `open`, `paused` or `ended`
    terms: Mapping[str, Any]  # options of the session, JSON values
    made: str  # start time, UTC

    @property
    def assigns_again(self) -> bool:
        """Whether items that were assigned or judged outside the session are assigned too."""
        return bool(self.terms.get("again"))

    @property
    def mode(self) -> Mode:
        """Judging mode: `side-by-side` in a comparison, otherwise `grade`."""
        return "side-by-side" if self.terms.get("compare") else "grade"


@dataclass(frozen=True, slots=True)
class Participant:
    """Participant id of a session, with assignment, name, and hash of the secret.

    Events contain only the id, not the name. A participant who joined several times has several
    ids, each with its own object and assignment. In a `SessionCopy`, `assignment` is 0, since the
    `ParticipantCopy` has the id of the assignment.
    """

    id: str  # opaque id, which is the assessor in the participant's events
    session: int  # number of the session
    assignment: int  # number of the participant's assignment
    # name that the participant entered or was invited with, or id in a recruitment panel; empty if
    # the participant was erased or the seat was freed
    name: str
    token: bytes  # SHA-256 of the participant's secret; empty if access was revoked
    joined: str  # time of joining, UTC


@dataclass(frozen=True, slots=True)
class Completion:
    """Record that a completion link was shown to a participant of a recruitment panel.

    The record is not changed later, even if judgments are undone.
    """

    time: str  # time when the link was shown, in UTC
    failed: bool  # whether it was the link for failed attention checks, not for completed work
    judged: int  # number of judgments when the link was shown

    @property
    def end(self) -> str:
        """Kind of link: `failed` or `completion`."""
        return "failed" if self.failed else "completion"


def merge_person_ids(first_ids: Mapping[str, str], id: str, first_id: str) -> dict[str, str]:
    """Merge the person with `id` into the person with `first_id`; return the main ids.

    If `id` or `first_id` was merged before, all ids of both persons are merged. The result contains
    the main id of each merged id.

    >>> merge_person_ids({"p2": "p1"}, "p2", "p0")
    {'p2': 'p0', 'p1': 'p0'}
    """
    main_id, target = first_ids.get(id, id), first_ids.get(first_id, first_id)
    merged_ids = {
        participant_id: target if earlier_target == main_id else earlier_target
        for participant_id, earlier_target in first_ids.items()
    }
    return merged_ids | ({main_id: target} if main_id != target else {})


class Sessions:
    """Access to the sessions of one project: options, participants, item states and surveys."""

    def __init__(self, connection: Connection) -> None:
        self._db = connection

    @property
    def _has_session_tables(self) -> bool:
        return self._db.schema_version >= SESSIONS_SINCE

    def all(self) -> tuple[StoredSession, ...]:
        """Return the sessions in order of start time."""
        rows = (
            self._db.fetch_all(f"SELECT {SESSION_COLUMNS} FROM session ORDER BY code")
            if self._has_session_tables
            else []
        )
        try:
            return tuple(
                StoredSession(code, id, round_number, state, dict(json.loads(terms)), start_time)
                for code, id, round_number, state, terms, start_time in rows
            )
        except (ValueError, TypeError, RecursionError) as error:
            raise ProjectError(
                "{file} is damaged: cannot read the options of a session.", file=self._db.name
            ) from error

    def add(self, id: str, round_number: int, terms: Mapping[str, Any], start_time: str) -> int:
        """Store a new session and return its number."""
        with self._db.transaction():
            values = (
                id,
                round_number,
                OPEN,
                json.dumps(dict(terms), ensure_ascii=False),
                start_time,
            )
            cursor = self._db.execute(
                "INSERT INTO session (id, round, state, terms, made) VALUES (?, ?, ?, ?, ?)", values
            )
        return int(cursor.lastrowid or 0)

    def set_state(self, code: int, state: str) -> None:
        """Set the state of a session: open, paused or ended."""
        with self._db.transaction():
            self._db.execute("UPDATE session SET state = ? WHERE code = ?", (state, code))

    def set_terms(self, code: int, terms: Mapping[str, Any]) -> None:
        """Replace the options of a session."""
        with self._db.transaction():
            self._db.execute(
                "UPDATE session SET terms = ? WHERE code = ?",
                (json.dumps(dict(terms), ensure_ascii=False), code),
            )

    def message(self, code: int) -> str:
        """Return the host's message to all participants; empty if there is none."""
        return str(self._get_setting(SESSION_MESSAGES).get(str(code), ""))

    def set_message(self, code: int, text: str) -> None:
        """Set the host's message to all participants; an empty text removes it."""
        self._set_setting(SESSION_MESSAGES, self._get_setting(SESSION_MESSAGES) | {str(code): text})

    def _get_setting(self, name: str) -> dict[str, Any]:
        """Return a setting stored as a JSON object; empty if there is none."""
        content: dict[str, Any] = self._db.read_json_setting(name, dict)
        return content

    def _set_setting(self, name: str, value: Mapping[str, Any]) -> None:
        with self._db.transaction():
            self._db.set_setting(name, json.dumps(dict(value), sort_keys=True, ensure_ascii=False))

    # Participants

    def participants(self, session: int | None = None) -> tuple[Participant, ...]:
        """Return the participants of a session, or of all sessions, in the order they joined."""
        condition, values = ("WHERE session = ?", (session,)) if session is not None else ("", ())
        rows = (
            self._db.fetch_all(
                f"SELECT {PARTICIPANT_COLUMNS} FROM participant {condition} ORDER BY code", values
            )
            if self._has_session_tables
            else []
        )
        return tuple(Participant(*row) for row in rows)

    def ended_assignments(self) -> frozenset[int]:
        """Return the numbers of the assignments of participants in ended sessions."""
        ended_sessions = {
            stored_session.code for stored_session in self.all() if stored_session.state == ENDED
        }
        return frozenset(
            participant.assignment
            for participant in self.participants()
            if participant.session in ended_sessions
        )

    def add_participant(self, participant: Participant) -> None:
        """Store a participant."""
        with self._db.transaction():
            values = tuple(getattr(participant, name) for name in PARTICIPANT_COLUMNS.split(", "))
            self._db.execute(
                f"INSERT INTO participant ({PARTICIPANT_COLUMNS}) VALUES (?, ?, ?, ?, ?, ?)", values
            )

    def set_token(self, id: str, token: bytes) -> None:
        """Replace the secret of a participant; the old secret becomes invalid."""
        with self._db.transaction():
            self._db.execute("UPDATE participant SET token = ? WHERE id = ?", (token, id))

    def release(self, id: str) -> None:
        """Remove the name and secret of a participant.

        The list of names that may join the session is not changed, so that another participant can
        join with this name.
        """
        with self._db.transaction():
            self._db.execute("UPDATE participant SET name = '', token = ? WHERE id = ?", (b"", id))

    def completions(self) -> dict[str, Completion]:
        """Return the completions of panel participants, by participant id."""
        try:
            contents = json.loads(self._db.get_setting(COMPLETED_PANELS, "{}"))
            return {str(id): Completion(*content) for id, content in contents.items()}
        except (ValueError, TypeError, AttributeError, RecursionError) as error:
            raise ProjectError(
                "Cannot read the completed submissions in {file}.",
                file=self._db.name,
            ) from error

    def note_completion(self, id: str, completion: Completion) -> None:
        """Record the completion of a participant unless a completion is already recorded."""
        completions = {
            participant_id: [
                stored_completion.time,
                stored_completion.failed,
                stored_completion.judged,
            ]
            for participant_id, stored_completion in ({id: completion} | self.completions()).items()
        }
        self._set_setting(COMPLETED_PANELS, completions)

    def surveys(self) -> dict[str, dict[str, Any]]:
        """Return survey answers by participant id."""
        return {
            str(id): dict(answers)
            for id, answers in self._get_setting(SURVEY_ANSWERS).items()
            if isinstance(answers, dict)
        }

    def note_survey(self, id: str, answers: Mapping[str, Any]) -> None:
        """Add answers of a participant to the stored survey answers."""
        surveys = self.surveys()
        self._set_setting(SURVEY_ANSWERS, surveys | {id: surveys.get(id, {}) | dict(answers)})

    def rename_person(self, id: str, name: str) -> None:
        """Rename a participant, also in the list of names that may join the session.

        An empty name removes the name of the participant from the project and from the list.
        """
        renamed_person = next(
            (participant for participant in self.participants() if participant.id == id), None
        )
        with self._db.transaction():
            self._db.execute("PRAGMA secure_delete = ON")  # overwrites the old name in the file
            self._db.execute("UPDATE participant SET name = ? WHERE id = ?", (name, id))
            for stored_session in self.all():
                listed_names = list(stored_session.terms.get("names", ()))
                if (
                    renamed_person
                    and stored_session.code == renamed_person.session
                    and any(
                        make_name_key(listed_name) == make_name_key(renamed_person.name)
                        for listed_name in listed_names
                    )
                ):
                    names = [
                        name
                        if make_name_key(listed_name) == make_name_key(renamed_person.name)
                        else listed_name
                        for listed_name in listed_names
                    ]
                    terms = {
                        **stored_session.terms,
                        "names": [listed_name for listed_name in names if listed_name],
                    }
                    self.set_terms(stored_session.code, terms)

    def first_ids(self) -> dict[str, str]:
        """Return the main id of the participant for each merged id."""
        try:
            first_ids = json.loads(self._db.get_setting(FIRST_IDS_KEY, "{}"))
            return {str(id): str(first_id) for id, first_id in first_ids.items()}
        except (ValueError, TypeError, AttributeError, RecursionError) as error:
            raise ProjectError(
                "Cannot read the list of merged participants in {file}.",
                file=self._db.name,
            ) from error

    def set_first_id(self, id: str, first_id: str) -> None:
        """Record that an id, and the ids merged into this id, belong to participant `first_id`."""
        self._set_setting(FIRST_IDS_KEY, merge_person_ids(self.first_ids(), id, first_id))

    # States of items

    def item_states(self, assignment: int) -> dict[int, str]:
        """Return the stored states of an assignment's items, by position."""
        rows = (
            self._db.fetch_all(
                "SELECT place, state FROM session_place WHERE assignment = ?", (assignment,)
            )
            if self._has_session_tables
            else []
        )
        return {int(position): str(state) for position, state in rows}

    def store_lease_states(self, states: Iterable[tuple[int, int, str]]) -> None:
        """Store (assignment, position, state) rows; for an empty state, delete the stored state."""
        with self._db.transaction():
            for assignment, position, state in states:
                self._db.execute(
                    "DELETE FROM session_place WHERE assignment = ? AND place = ?",
                    (assignment, position),
                )
                if state:
                    self._db.execute(
                        "INSERT INTO session_place VALUES (?, ?, ?)", (assignment, position, state)
                    )

    def late_items(self, assessor: str) -> frozenset[tuple[str, tuple[str, ...]]]:
        """Return (topic, documents) for each item that an assessor judged late, except repeats."""
        if not self._has_session_tables:
            return frozenset()
        rows = self._db.fetch_all(
            "SELECT topic, lists FROM session_place JOIN assignment_item USING (assignment, place) "
            "JOIN assignment ON assignment.code = session_place.assignment WHERE assessor = ? AND state = ? AND NOT EXISTS (SELECT 1 "
            "FROM assignment_item AS before WHERE before.assignment = session_place.assignment AND before.place < session_place.place "
            "AND before.topic = assignment_item.topic AND before.lists = assignment_item.lists)",
            (assessor, LATE),
        )
        try:
            return frozenset(
                (
                    str(topic),
                    tuple(
                        str(document)
                        for documents_of_list in json.loads(lists)
                        for document in documents_of_list
                    ),
                )
                for topic, lists in rows
            )
        except (ValueError, TypeError, LookupError, RecursionError) as error:
            raise ProjectError(
                "{file} is damaged: cannot read the documents of a late judgment.",
                file=self._db.name,
            ) from error
