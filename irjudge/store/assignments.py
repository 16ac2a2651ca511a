"""Assignments, rounds, returned files and assessors of a project."""

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from irjudge.errors import ProjectError
from irjudge.message import Message
from irjudge.model import ITEM_TYPES, AssignedItem, Assignment, OrganiserNote
from irjudge.store.connection import Connection, parse_json_or_none
from irjudge.store.sessions import LOST, SESSIONS_SINCE

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

    Assessors are added to the list when they are assigned work or excluded. `exclusion_reason` is
    None if the assessor is not excluded; the judgments of an excluded assessor do not count.
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
