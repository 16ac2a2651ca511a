"""Sessions stored in a PostgreSQL database, shared by several servers.

Servers take turns: only one server has a transaction at a time, in which it processes up to 64
of its queued requests. Each server has a copy of the session in memory. At the beginning of its
turn, it updates the copy from the rows that changed since its last turn. Therefore, the scheduling
code is the same as for sessions in a project file. If a write fails, the copy is discarded.
"""

import json
import secrets
import time
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, contextmanager
from dataclasses import dataclass, field, replace
from typing import Any, LiteralString, get_args

from irjudge.errors import ProjectError
from irjudge.exchange import AssignedItemCopy, ParticipantCopy, SessionCopy, compute_identity
from irjudge.judging import Ledger, list_excluded_assessors, list_unassigned
from irjudge.model import (
    AssignedItem,
    Assignment,
    Event,
    OrganiserNote,
    Pair,
    Role,
    decode_event,
    utc_now,
)
from irjudge.store import (
    ENDED,
    HOST_SECRET,
    HOSTED_ELSEWHERE,
    JOIN_CODE,
    OPEN,
    Completion,
    Participant,
    Project,
    StoredSession,
    merge_person_ids,
)
from irjudge.web.postgres_connection import (
    MIGRATION_LOCK,
    SCHEMA_VERSION,
    DatabaseConnection,
    Row,
    check_fingerprints,
    compute_fingerprints,
    migrate,
    read_schema_version,
    store_fingerprints,
)
from irjudge.web.scheduler import State
from irjudge.web.session_options import (
    NOTHING_LEFT,
    SessionOptions,
    build_round_options,
    find_resumable,
    make_join_code,
    validate_options,
)
from irjudge.web.session_store import (
    STATES_NOT_IN_LOG,
    ActionTaken,
    ExclusionChanged,
    Heartbeat,
    ItemAssigned,
    ItemStateChanged,
    LeasedItem,
    MessageChanged,
    ParticipantChanged,
    ParticipantJoined,
    ParticipantMerged,
    SessionChange,
    StateChanged,
    StoreOpener,
    TermsChanged,
    make_participant_id,
)

# Store

# maximum number of heartbeats of a participant that are stored per lease time, for other servers
HEARTBEATS_PER_LEASE = 4
SELECT_PARTICIPANTS: LiteralString = """SELECT id, code, name, token, joined, aside,
extract(epoch FROM clock_timestamp() - seen)::float, same_as, completed, survey
FROM assessor WHERE session = %s AND turn > %s ORDER BY code"""
SELECT_LEASES: LiteralString = """SELECT assessor, number, type, lease.topic, lists, sides, role, left_run, right_run, lease.state
FROM lease JOIN assessor ON assessor.id = lease.assessor WHERE session = %s AND lease.turn > %s ORDER BY assessor, number"""
SELECT_EVENTS: LiteralString = """SELECT event.assessor, digest, body FROM event JOIN assessor ON assessor.id = event.assessor
WHERE session = %s AND event.turn > %s ORDER BY sequence"""
INSERT_EVENTS: LiteralString = """INSERT INTO event (turn, digest, assessor, client, number, body)
SELECT %s, each.digest, each.assessor, each.client, each.number, each.body
FROM unnest(%s::bytea[], %s::text[], %s::text[], %s::integer[], %s::bytea[])
    WITH ORDINALITY AS each (digest, assessor, client, number, body, place) ORDER BY each.place"""


@dataclass(slots=True)
class _KnownParticipant:
    """State of a participant as this server last read or wrote it.

    If a row of the database differs from this state, another server changed it.
    """

    participant: Participant
    is_excluded: bool
    first_id: str = ""
    lease_count: int = 0
    completed: str = ""
    survey: str = ""
    last_heartbeat: float = float("-inf")


@dataclass(slots=True)
class _ParticipantWork:
    """Leases and events of a participant, read from the database before the session needs them."""

    items: list[LeasedItem] = field(default_factory=list)
    actions: list[Event] = field(default_factory=list)


@dataclass(slots=True)
class _PendingWrites:
    """Writes that are executed together at the end of a transaction."""

    item_rows: list[Row] = field(default_factory=list)
    states: dict[tuple[str, int], State] = field(default_factory=dict)
    actions: list[Event] = field(default_factory=list)
    heartbeat_ids: set[str] = field(default_factory=set)


class DatabaseStore:
    """Session store in a PostgreSQL database that several servers share.

    The project file is only read. The servers take turns: a transaction locks the session, and
    `changes` returns what other servers have written since the last turn.
    """

    def __init__(self, database: DatabaseConnection, project: Project, session_number: int) -> None:
        self._database, self._project, self._number = database, project, session_number
        row = database.fetch_all(
            """SELECT code, id, state, terms, made, join_code, seed, pool, message, md5(terms)
            FROM session WHERE code = %s""",
            (session_number,),
        )[0]
        self._stored_session = StoredSession(
            row[0], row[1], 0, row[2], dict(json.loads(row[3])), row[4]
        )
        self._code, self._seed, self._pool_version = str(row[5]), int(row[6]), int(row[7])
        self._message, self._terms = str(row[8]), str(row[9])
        self._lease = float(self._stored_session.terms["terms"]["lease"])
        self._items: dict[str, list[str]] = {}
        for topic, document in database.fetch_all(
            "SELECT topic, document FROM item WHERE session = %s ORDER BY rank", (session_number,)
        ):
            self._items.setdefault(topic, []).append(document)
        self._participants: dict[str, _KnownParticipant] = {}
        self._work_by_participant: dict[str, _ParticipantWork] = {}
        self._pending_writes, self._has_written = _PendingWrites(), False
        self._turn, self._seen_turn = 0, -1

    @property
    def project(self) -> Project:
        """The project, read-only."""
        return self._project

    @property
    def log(self) -> "DatabaseStore":
        """Event log, which is the store itself."""
        return self

    # Turns

    @contextmanager
    def transaction(self) -> Iterator[None]:
        """Lock the session against other servers, run the block, and commit it durably."""
        self._pending_writes, self._has_written = _PendingWrites(), False
        with self._database.transaction():
            self._take_turn()
            yield
            self._flush()
        self._seen_turn = self._turn

    @contextmanager
    def savepoint(self) -> Iterator[None]:
        """Execute the writes of the block at its end; roll back if it raises an exception."""
        self._flush()
        previous_state = (
            self._has_written,
            self._turn,
            self._stored_session,
            self._message,
            self._terms,
        )
        try:
            with self._database.savepoint():
                yield
                self._flush()
        except BaseException:
            self._pending_writes = _PendingWrites()
            self._has_written, self._turn, self._stored_session, self._message, self._terms = (
                previous_state
            )
            raise

    def _take_turn(self) -> None:
        self._database.acquire_lock(self._number)
        rows = self._database.fetch_all(
            """SELECT turn, state, message, md5(terms), (SELECT value FROM irjudge_fact WHERE name = 'form')
            FROM session WHERE code = %s""",
            (self._number,),
        )
        if not rows or rows[0][4] != str(SCHEMA_VERSION):
            raise ProjectError(
                "Database {name} was changed by another irjudge server. Restart this server.",
                name=self._database.name,
            )
        self._turn, state, message, terms = rows[0][:4]
        self._session_changes: list[SessionChange] = (
            [] if state == self._stored_session.state else [StateChanged(state)]
        )
        self._session_changes += [] if message == self._message else [MessageChanged(message)]
        self._stored_session, self._message = replace(self._stored_session, state=state), message
        if terms != self._terms:
            ((text,),) = self._database.fetch_all(
                "SELECT terms FROM session WHERE code = %s", (self._number,)
            )
            self._stored_session = replace(self._stored_session, terms=dict(json.loads(text)))
            self._terms = terms
            self._session_changes.append(TermsChanged(self._stored_session.terms))

    def changes(self) -> Iterable[SessionChange]:
        """Yield changes by other servers since this server's last transaction."""
        yield from self._session_changes
        if self._turn > self._seen_turn:
            yield from self._iter_changes_since(self._seen_turn)
        self._seen_turn = self._turn
        self._work_by_participant.clear()

    def count_other_writes(self) -> int:
        """Return 0, since `changes` reports all changes by other servers."""
        return 0

    def _fetch_rows_since(self, turn: int) -> list[list[Row]]:
        """Return the rows of participants, leases and events written after turn number `turn`."""
        values = (self._number, turn)
        return self._database.run_all(
            [
                (SELECT_PARTICIPANTS, values),
                (SELECT_LEASES, values),
                (SELECT_EVENTS, values),
            ]
        )

    def _iter_changes_since(self, turn: int) -> Iterator[SessionChange]:
        participant_rows, leases, events = self._fetch_rows_since(turn)
        new_ids = {row[0] for row in participant_rows if row[0] not in self._participants}
        self._work_by_participant = _group_work(
            (row for row in leases if row[0] in new_ids),
            (row for row in events if row[0] in new_ids),
        )
        for row in participant_rows:
            yield from self._parse_changed_row(row)
        for row in leases:
            if row[0] not in new_ids:
                yield self._parse_lease_change(row)
        yield from (
            ActionTaken(decode_event(body, digest.hex()))
            for assessor, digest, body in events
            if assessor not in new_ids
        )

    def _parse_changed_row(self, row: Row) -> Iterator[SessionChange]:
        participant = _make_participant(row, self._number)
        is_excluded, main_id = bool(row[5]), str(row[7])
        previous_participant = self._participants.get(participant.id)
        known_participant = previous_participant or _KnownParticipant(
            participant, is_excluded, "", len(self._get_work(participant.id).items)
        )
        if previous_participant is None:
            self._participants[participant.id] = known_participant
            yield ParticipantJoined(participant)
        if main_id != known_participant.first_id:
            known_participant.first_id = main_id
            yield ParticipantMerged()
        if previous_participant and previous_participant.participant != participant:
            yield ParticipantChanged(participant)
        if is_excluded != (previous_participant is not None and previous_participant.is_excluded):
            yield ExclusionChanged(participant.id, is_excluded)
        known_participant.participant, known_participant.is_excluded = participant, is_excluded
        known_participant.completed, known_participant.survey = str(row[8]), str(row[9])
        yield Heartbeat(participant.id, float(row[6]))

    def _parse_lease_change(self, row: Row) -> SessionChange:
        participant, lease = self._participants[row[0]], parse_lease(row)
        if lease.number < participant.lease_count:
            return ItemStateChanged(row[0], lease.number, lease.state or "held")
        participant.lease_count += 1
        return ItemAssigned(row[0], lease)

    def _get_work(self, participant_id: str) -> _ParticipantWork:
        return self._work_by_participant.setdefault(participant_id, _ParticipantWork())

    def _flush(self) -> None:
        """Execute all pending writes; store the number of the current turn in the rows."""
        writes, self._pending_writes = self._pending_writes, _PendingWrites()
        if not (writes.item_rows or writes.states or writes.actions or writes.heartbeat_ids):
            return
        turn = self._get_turn_number()
        self._database.run_batch(
            "INSERT INTO lease VALUES (%s, %s, %s, %s, %s, %s, %s, %s, %s, %s, %s)",
            [(*row, turn) for row in writes.item_rows],
        )
        self._database.run_batch(
            "UPDATE lease SET state = %s, turn = %s WHERE assessor = %s AND number = %s",
            [
                (state, turn, participant_id, position)
                for (participant_id, position), state in writes.states.items()
            ],
        )
        if writes.actions:
            columns = zip(*map(_make_event_row, writes.actions), strict=True)
            self._database.run(INSERT_EVENTS, (turn, *map(list, columns)))
        self._database.run_batch(
            "UPDATE assessor SET seen = clock_timestamp(), turn = %s WHERE id = %s",
            [(turn, participant_id) for participant_id in sorted(writes.heartbeat_ids)],
        )

    def _get_turn_number(self) -> int:
        """Return the number of this turn; the number is assigned at the first write of the turn."""
        if not self._has_written:
            self._has_written, self._turn = True, self._turn + 1
            self._database.run(
                "UPDATE session SET turn = %s WHERE code = %s", (self._turn, self._number)
            )
        return self._turn

    # The session

    @property
    def code(self) -> str:
        """Join code, the same on all servers."""
        return self._code

    def session(self) -> StoredSession:
        """Return the session as of the start of the turn."""
        return self._stored_session

    def seed(self) -> int:
        """Return the random seed."""
        return self._seed

    def pool(self) -> Mapping[str, Sequence[str]]:
        """Return the pool as of the start of the session."""
        return self._items

    def pool_version(self) -> int:
        """Return the version of the pool, which never changes during the session."""
        return self._pool_version

    def set_state(self, state: str) -> None:
        """Store the session's state for all servers."""
        self._get_turn_number()
        self._database.run("UPDATE session SET state = %s WHERE code = %s", (state, self._number))
        self._stored_session = replace(self._stored_session, state=state)

    def set_terms(self, terms: Mapping[str, Any]) -> None:
        """Store the session's options for all servers."""
        self._get_turn_number()
        ((terms_hash,),) = self._database.fetch_all(
            "UPDATE session SET terms = %s WHERE code = %s RETURNING md5(terms)",
            (json.dumps(dict(terms), ensure_ascii=False), self._number),
        )
        self._stored_session, self._terms = (
            replace(self._stored_session, terms=dict(terms)),
            terms_hash,
        )

    def message(self) -> str:
        """Return the host's message as of the start of the turn."""
        return self._message

    def set_message(self, message: str) -> None:
        """Store a message for all servers."""
        self._get_turn_number()
        self._database.run(
            "UPDATE session SET message = %s WHERE code = %s", (message, self._number)
        )
        self._message = message

    # Participants

    def participants(self) -> Sequence[Participant]:
        """Reload the whole session and return its participants."""
        participant_rows, leases, events = self._fetch_rows_since(-1)
        self._work_by_participant = _group_work(leases, events)
        self._participants = {row[0]: self._parse_participant(row) for row in participant_rows}
        self._seen_turn = self._turn
        return [known_participant.participant for known_participant in self._participants.values()]

    def _parse_participant(self, row: Row) -> _KnownParticipant:
        return _KnownParticipant(
            _make_participant(row, self._number),
            bool(row[5]),
            str(row[7]),
            len(self._get_work(row[0]).items),
            str(row[8]),
            str(row[9]),
        )

    def excluded_ids(self) -> frozenset[str]:
        """Return the excluded ids."""
        return frozenset(
            id
            for id, known_participant in self._participants.items()
            if known_participant.is_excluded
        )

    def add_participant(self, name: str, token: bytes, time: str) -> Participant:
        """Add a participant."""
        id, assignment = make_participant_id(self._participants), secrets.token_hex(16)
        ((code,),) = self._database.fetch_all(
            """INSERT INTO assessor (id, session, assignment, name, token, joined, turn)
            VALUES (%s, %s, %s, %s, %s, %s, %s) RETURNING code""",
            (id, self._number, assignment, name, token, time, self._get_turn_number()),
        )
        participant = Participant(id, self._number, code, name, token, time)
        self._participants[id], self._work_by_participant[id] = (
            _KnownParticipant(participant, is_excluded=False),
            _ParticipantWork(),
        )
        return participant

    def assignment(self, participant: Participant) -> Assignment:
        """Return the assignment of a participant."""
        ((id,),) = self._database.fetch_all(
            "SELECT assignment FROM assessor WHERE id = %s", (participant.id,)
        )
        return Assignment(
            participant.assignment,
            id,
            participant.id,
            self._stored_session.mode,
            self._pool_version,
            made=participant.joined,
        )

    def set_token(self, participant_id: str, token: bytes) -> None:
        """Replace the token of a participant."""
        self._database.run(
            "UPDATE assessor SET token = %s, turn = %s WHERE id = %s",
            (token, self._get_turn_number(), participant_id),
        )
        self._participants[participant_id].participant = replace(
            self._participants[participant_id].participant, token=token
        )

    def free_seat(self, participant_id: str) -> None:
        """Clear the name and token of a participant."""
        self._database.run(
            "UPDATE assessor SET name = '', token = '', turn = %s WHERE id = %s",
            (self._get_turn_number(), participant_id),
        )
        self._participants[participant_id].participant = replace(
            self._participants[participant_id].participant, name="", token=b""
        )

    def completions(self) -> Mapping[str, Completion]:
        """Return the completion of each participant who was shown the completion link, by id."""
        return {
            id: Completion(*json.loads(known_participant.completed))
            for id, known_participant in self._participants.items()
            if known_participant.completed
        }

    def note_completion(self, participant_id: str, completion: Completion) -> None:
        """Record for all servers that a participant has been shown the completion link."""
        completion_text = self._participants[participant_id].completed = format_completion(
            completion
        )
        self._database.run(
            "UPDATE assessor SET completed = %s, turn = %s WHERE id = %s",
            (completion_text, self._get_turn_number(), participant_id),
        )

    def surveys(self) -> Mapping[str, Mapping[str, Any]]:
        """Return the survey answers by id."""
        return {
            id: json.loads(known_participant.survey)
            for id, known_participant in self._participants.items()
            if known_participant.survey
        }

    def note_survey(self, participant_id: str, answers: Mapping[str, Any]) -> None:
        """Add survey answers of a participant, for all servers."""
        survey_text = self._participants[participant_id].survey = json.dumps(
            {**self.surveys().get(participant_id, {}), **answers}, ensure_ascii=False
        )
        self._database.run(
            "UPDATE assessor SET survey = %s, turn = %s WHERE id = %s",
            (survey_text, self._get_turn_number(), participant_id),
        )

    def set_excluded(self, participant_id: str, *, is_excluded: bool) -> None:
        """Exclude or include a participant."""
        self._database.run(
            "UPDATE assessor SET aside = %s, turn = %s WHERE id = %s",
            (is_excluded, self._get_turn_number(), participant_id),
        )
        self._participants[participant_id].is_excluded = is_excluded

    def get_first_ids(self) -> Mapping[str, str]:
        """Return the main id for each id that was merged into it."""
        return {
            id: known_participant.first_id
            for id, known_participant in self._participants.items()
            if known_participant.first_id
        }

    def set_first_id(self, participant_id: str, other_id: str) -> None:
        """Merge two ids into one participant, for all servers."""
        main_ids = merge_person_ids(self.get_first_ids(), participant_id, other_id)
        changed_ids = [
            (id, main_ids.get(id, ""))
            for id, known_participant in self._participants.items()
            if known_participant.first_id != main_ids.get(id, "")
        ]
        turn = self._get_turn_number()
        self._database.run_batch(
            "UPDATE assessor SET same_as = %s, turn = %s WHERE id = %s",
            [(first_id, turn, id) for id, first_id in changed_ids],
        )
        for id, first_id in changed_ids:
            self._participants[id].first_id = first_id

    def record_heartbeat(self, participant_id: str) -> None:
        """Record a heartbeat for other servers, at most a few times per lease time."""
        participant, now = self._participants[participant_id], time.monotonic()
        if now - participant.last_heartbeat > self._lease / HEARTBEATS_PER_LEASE:
            participant.last_heartbeat = now
            self._pending_writes.heartbeat_ids.add(participant_id)

    # Leases

    def list_leases(self, participant: Participant) -> Sequence[LeasedItem]:
        """Return all leases of a participant that the last call of `participants` read."""
        return self._get_work(participant.id).items

    def assign_items(
        self,
        participant: Participant,
        start: int,
        items: Sequence[AssignedItem],
        organiser_notes: Sequence[OrganiserNote],
    ) -> None:
        """Store leases of a participant."""
        for position, (item, note) in enumerate(zip(items, organiser_notes, strict=True), start):
            self._pending_writes.item_rows.append(
                _make_lease_row(participant.id, position, item, note, "held")
            )
        self._participants[participant.id].lease_count += len(items)

    def store_lease_states(self, states: Iterable[tuple[Participant, int, State]]) -> None:
        """Store the states of leases."""
        for participant, position, state in states:
            self._pending_writes.states[participant.id, position] = state

    # The log

    def read(self, assessor: str | None = None) -> Iterator[Event]:
        """Yield the events of a participant, in the order of writing."""
        if assessor in self._work_by_participant:
            yield from self._work_by_participant[assessor].actions
            return
        self._flush()
        yield from (
            decode_event(body, digest.hex())
            for digest, body in self._database.fetch_all(
                "SELECT digest, body FROM event WHERE assessor = %s ORDER BY sequence", (assessor,)
            )
        )

    def has_client_elsewhere(self, client: str) -> bool:
        """Return whether a client without events in this session has events in another session."""
        return bool(
            self._database.fetch_all("SELECT 1 FROM event WHERE client = %s LIMIT 1", (client,))
        )

    def append(self, event: Event) -> None:
        """Write an event; the event is durable when the transaction has been committed."""
        self._pending_writes.actions.append(event)


def _make_participant(row: Row, session: int) -> Participant:
    id, code, name, token, join_time = row[:5]
    return Participant(id, session, code, name, bytes(token), join_time)


def _make_lease_row(
    participant_id: str, position: int, item: AssignedItem, note: OrganiserNote, state: str
) -> Row:
    return (
        participant_id,
        position,
        item.type,
        item.topic,
        json.dumps(item.lists),
        json.dumps(item.sides),
        note.role,
        note.left_run,
        note.right_run,
        state,
    )


def _make_event_row(event: Event) -> Row:
    return (
        bytes.fromhex(event.digest),
        event.assessor,
        event.client,
        event.number,
        event.canonical_bytes,
    )


def format_completion(completion: Completion) -> str:
    """Return a completion as the JSON text that is stored in the database."""
    return json.dumps([completion.time, completion.failed, completion.judged])


def parse_lease(row: Row) -> LeasedItem:
    """Return the lease stored in a row."""
    _, position, kind, topic, lists, runs, role, left_run, right_run, state = row
    item = AssignedItem(topic, tuple(map(tuple, json.loads(lists))), kind, tuple(json.loads(runs)))
    state_or_none = next(
        (state_name for state_name in get_args(State) if state_name == state), None
    )
    roles: tuple[Role, ...] = get_args(Role)
    return LeasedItem(
        position,
        item,
        OrganiserNote(
            next(item_role for item_role in roles if item_role == role), left_run, right_run
        ),
        state_or_none,
    )


def _group_work(leases: Iterable[Row], events: Iterable[Row]) -> dict[str, _ParticipantWork]:
    work_by_participant: dict[str, _ParticipantWork] = defaultdict(_ParticipantWork)
    for row in leases:
        work_by_participant[row[0]].items.append(parse_lease(row))
    for assessor, digest, body in events:
        work_by_participant[assessor].actions.append(decode_event(body, digest.hex()))
    return dict(work_by_participant)


# Copying sessions to their project, and restoring sessions in an empty database

EVENT_BATCH = 1000  # number of events per query


@contextmanager
def read_sessions(url: str, project: Project) -> Iterator[list[SessionCopy]]:
    """Yield all sessions of a database from one snapshot, which ends with the block."""
    database = DatabaseConnection(url, unsafe=True)  # durability does not matter for reading
    try:
        with database.snapshot():
            _check_database(database, project)
            yield [
                _copy_session(database, project, session_number)
                for (session_number,) in database.fetch_all(
                    "SELECT code FROM session ORDER BY code"
                )
            ]
    finally:
        database.close()


def _check_database(database: DatabaseConnection, project: Project) -> None:
    version = read_schema_version(database)
    if not version:
        raise ProjectError(
            "Database {name} contains no session. Start one: irjudge serve PROJECT --store "
            "ADDRESS.",
            name=database.name,
        )
    if version < SCHEMA_VERSION:
        raise ProjectError(
            "Database {name} has the older format {version}; this version of irjudge uses "
            "format {supported}. Run `irjudge serve` with this database once to upgrade it.",
            name=database.name,
            version=version,
            supported=SCHEMA_VERSION,
        )
    check_fingerprints(
        database,
        {"project": compute_identity(project), "scale": project.scale.version},
        project.path.name,
    )


def _copy_session(
    database: DatabaseConnection, project: Project, session_number: int
) -> SessionCopy:
    ((id, state, terms, creation_time, seed, pool, code),) = database.fetch_all(
        "SELECT id, state, terms, made, seed, pool, join_code FROM session WHERE code = %s",
        (session_number,),
    )
    stored_terms = {name: value for name, value in json.loads(terms).items() if name != HOST_SECRET}
    session = StoredSession(
        session_number, id, 0, state, {**stored_terms, JOIN_CODE: code}, creation_time
    )
    items: dict[str, list[AssignedItemCopy]] = defaultdict(list)
    for row in database.fetch_all(
        "SELECT lease.assessor, number, type, topic, lists, sides, role, left_run, right_run, lease.state FROM lease "
        "JOIN assessor ON assessor.id = lease.assessor WHERE session = %s ORDER BY assessor, number",
        (session_number,),
    ):
        leased_item = parse_lease(row)
        items[row[0]].append(
            AssignedItemCopy(
                leased_item.number,
                leased_item.item,
                leased_item.organiser_note,
                row[-1] if row[-1] in STATES_NOT_IN_LOG else "",
            )
        )
    participants = [
        ParticipantCopy(
            Participant(id, session_number, 0, name, bytes(token), join_time),
            assignment,
            items[id],
            is_excluded,
            first_id,
            Completion(*json.loads(completed)) if completed else None,
            json.loads(survey) if survey else {},
        )
        for id, assignment, name, token, join_time, is_excluded, first_id, completed, survey in database.fetch_all(
            "SELECT id, assignment, name, token, joined, aside, same_as, completed, survey FROM assessor WHERE session = %s ORDER BY code",
            (session_number,),
        )
    ]
    digests = [
        digest.hex()
        for (digest,) in database.fetch_all(
            "SELECT digest FROM event JOIN assessor ON assessor.id = event.assessor WHERE session = %s ORDER BY sequence",
            (session_number,),
        )
    ]
    options = SessionOptions.from_json(session.terms)
    return SessionCopy(
        database.name,
        session,
        seed,
        pool,
        build_round_options(project, options),
        options.compare is not None and options.compare.rules.grading,
        participants,
        digests,
        lambda digests: _iter_bodies(database, digests),
    )


def _iter_bodies(
    database: DatabaseConnection, digests: Sequence[str]
) -> Iterator[tuple[str, bytes]]:
    """Yield the hash and the bytes of each event in `digests`, in the order of `digests`."""
    for start in range(0, len(digests), EVENT_BATCH):
        block = [bytes.fromhex(digest) for digest in digests[start : start + EVENT_BATCH]]
        bodies: dict[bytes, bytes] = dict(
            database.fetch_all("SELECT digest, body FROM event WHERE digest = ANY(%s)", (block,))
        )
        yield from ((digest.hex(), bytes(bodies[digest])) for digest in block)


def restore_session(
    database: DatabaseConnection,
    project: Project,
    session: StoredSession,
    items: Sequence[tuple[str, str]],
    code: str,
) -> int:
    """Copy a session of a project to a database that has lost the session.

    Return the number of the session in the database.
    """
    round = next(
        assignment_round
        for assignment_round in project.assignments.rounds()
        if assignment_round.number == session.round
    )
    assignments = {
        assignment.code: assignment
        for assignment in project.assignments.all()
        if assignment.round == session.round
    }
    pool = max(
        (assignment.pool for assignment in assignments.values()),
        default=project.rankings.pool_version() or 0,
    )
    terms = {
        name: value
        for name, value in session.terms.items()
        if name not in (HOSTED_ELSEWHERE, JOIN_CODE)
    }
    ((session_number,),) = database.fetch_all(
        "INSERT INTO session (id, join_code, state, terms, seed, pool, made, turn) VALUES (%s, %s, %s, %s, %s, %s, %s, 1) RETURNING code",
        (
            session.id,
            session.terms.get(JOIN_CODE, code),
            session.state,
            json.dumps(terms, ensure_ascii=False),
            round.seed,
            pool,
            session.made,
        ),
    )
    database.run_batch(
        "INSERT INTO item VALUES (%s, %s, %s, %s)",
        [(session_number, rank, *pair) for rank, pair in enumerate(items)],
    )
    participants = project.sessions.participants(session.code)
    excluded_ids = {assessor.name for assessor in list_excluded_assessors(project)}
    main_ids = project.sessions.first_ids()
    completed = {
        id: format_completion(completion)
        for id, completion in project.sessions.completions().items()
    }
    surveys = {
        id: json.dumps(answers, ensure_ascii=False)
        for id, answers in project.sessions.surveys().items()
    }
    database.run_batch(
        "INSERT INTO assessor (id, session, assignment, name, token, joined, aside, same_as, completed, survey, turn) "
        "VALUES (%s, %s, %s, %s, %s, %s, %s, %s, %s, %s, 1)",
        [
            (
                *(
                    participant.id,
                    session_number,
                    assignments[participant.assignment].id,
                    participant.name,
                    participant.token,
                    participant.joined,
                ),
                *(
                    participant.id in excluded_ids,
                    main_ids.get(participant.id, ""),
                    completed.get(participant.id, ""),
                    surveys.get(participant.id, ""),
                ),
            )
            for participant in participants
        ],
    )
    for participant in participants:
        _restore_work(database, project, participant)
    return int(session_number)


def _restore_work(database: DatabaseConnection, project: Project, participant: Participant) -> None:
    events = list(project.events.read(participant.id))
    states = project.sessions.item_states(participant.assignment)
    ledger = Ledger(events)
    rows, occurrences = [], Counter[tuple[str, str, tuple[str, ...]]]()
    for position, item, note in project.assignments.all_assigned_items(participant.assignment):
        occurrences[key := (item.type, item.topic, item.documents)] += 1
        is_judged = ledger.judgment((item.topic, item.documents, occurrences[key])) is not None
        state = states.get(position) or ("counted" if is_judged else "held")
        rows.append((*_make_lease_row(participant.id, position, item, note, state), 1))
    database.run_batch(
        "INSERT INTO lease VALUES (%s, %s, %s, %s, %s, %s, %s, %s, %s, %s, %s)", rows
    )
    database.run_batch(
        "INSERT INTO event (digest, assessor, client, number, body, turn) VALUES (%s, %s, %s, %s, %s, 1)",
        [_make_event_row(event) for event in events],
    )


# Beginning and resuming a session

SEED_BITS = 60


def open_database_session(
    url: str,
    open_project: Callable[[], AbstractContextManager[Project]],
    make_options: Callable[[Project], SessionOptions],
    *,
    is_new: bool = False,
    unsafe: bool = False,
) -> StoreOpener:
    """Return a function that opens the store of a session in a database."""

    @contextmanager
    def open_store() -> Iterator[DatabaseStore]:
        with open_project() as project:
            database = DatabaseConnection(url, unsafe=unsafe)
            try:
                store = DatabaseStore(
                    database, project, _open_session(database, project, make_options, is_new=is_new)
                )
                _store_merges(store, project)
                yield store
            finally:
                database.close()

    return open_store


def _store_merges(store: DatabaseStore, project: Project) -> None:
    """Merge, in the database, ids that were merged in the project."""
    with store.transaction():
        participant_ids = {known_participant.id for known_participant in store.participants()}
        for further_id, main_id in project.sessions.first_ids().items():
            main_ids = store.get_first_ids()
            if {further_id, main_id} <= participant_ids and main_ids.get(
                further_id, further_id
            ) != main_ids.get(main_id, main_id):
                store.set_first_id(further_id, main_id)


def _open_session(
    database: DatabaseConnection,
    project: Project,
    make_options: Callable[[Project], SessionOptions],
    *,
    is_new: bool,
) -> int:
    """Resume a session or begin one; return its number."""
    migrate(database)
    with database.transaction():
        database.acquire_lock(MIGRATION_LOCK)
        rows = database.fetch_all(
            "SELECT code, terms, pool FROM session WHERE state != %s ORDER BY code DESC LIMIT 1",
            (ENDED,),
        )
        if rows and not is_new:
            session_number, terms, pool = rows[0]
            check_fingerprints(
                database,
                compute_fingerprints(project, pool, SessionOptions.from_json(json.loads(terms))),
                project.path.name,
            )
            return int(session_number)
        check_fingerprints(database, {"project": compute_identity(project)}, project.path.name)
        project_session = (
            None
            if is_new or database.fetch_all("SELECT 1 FROM session LIMIT 1")
            else find_resumable(project, is_hosted_elsewhere=True)
        )
        return (
            _resume_session(database, project, project_session)
            if project_session
            else _begin_session(database, project, validate_options(project, make_options(project)))
        )


def _resume_session(
    database: DatabaseConnection, project: Project, project_session: StoredSession
) -> int:
    """Resume a session of the project in a database that has lost it; return the new number."""
    options = SessionOptions.from_json(project_session.terms)
    session_number = restore_session(
        database,
        project,
        project_session,
        _list_unassigned_pairs(project, options, project_session.round),
        make_join_code(),
    )
    ((version,),) = database.fetch_all(
        "SELECT pool FROM session WHERE code = %s", (session_number,)
    )
    store_fingerprints(database, compute_fingerprints(project, version, options))
    return session_number


def _list_unassigned_pairs(
    project: Project, options: SessionOptions, round: int | None
) -> list[tuple[str, str]]:
    """Return the pairs that remain to be graded in a session.

    Assignments of round `round` are ignored. The list is empty for a comparison and for active
    learning.
    """
    pool = (
        {}
        if options.compare or options.learns
        else list_unassigned(project, ignored_round=round, include_assigned=options.again)[0]
    )
    return [
        (topic, document) for topic in options.topics or pool for document in pool.get(topic, ())
    ]


def _begin_session(database: DatabaseConnection, project: Project, options: SessionOptions) -> int:
    """Begin a session with documents that are not yet assigned; return its number.

    Documents of open sessions of the database and judged documents of ended ones are also omitted.
    With the option `again`, no documents are omitted.
    """
    version, creation_time = project.rankings.pool_version() or 0, utc_now()
    store_fingerprints(database, compute_fingerprints(project, version, options))
    ((session_number,),) = database.fetch_all(
        """INSERT INTO session (id, join_code, state, terms, seed, pool, made)
        VALUES (%s, %s, %s, %s, %s, %s, %s) RETURNING code""",
        (
            secrets.token_hex(16),
            make_join_code(),
            OPEN,
            json.dumps(options.as_json(), ensure_ascii=False),
            secrets.randbits(SEED_BITS),
            version,
            creation_time,
        ),
    )
    assigned_pairs = set() if options.again else _fetch_assigned_pairs(database)
    unassigned_pairs = _list_unassigned_pairs(project, options, None)
    pairs = [pair for pair in unassigned_pairs if pair not in assigned_pairs]
    if unassigned_pairs and not pairs:
        raise ProjectError(NOTHING_LEFT)  # the transaction is rolled back
    database.run_batch(
        "INSERT INTO item VALUES (%s, %s, %s, %s)",
        [(session_number, rank, *pair) for rank, pair in enumerate(pairs)],
    )
    if options.join == "links":
        store = DatabaseStore(database, project, session_number)
        store.participants()
        for name in options.names:
            store.add_participant(name, secrets.token_bytes(32), creation_time)
    return int(session_number)


def _fetch_assigned_pairs(database: DatabaseConnection) -> set[Pair]:
    """Return the documents of sessions that have not ended, and the judged ones of the others.

    Judgments of excluded participants are ignored.
    """
    open_pairs = database.fetch_all(
        "SELECT topic, document FROM item JOIN session ON session.code = item.session "
        "WHERE session.state != %s",
        (ENDED,),
    )
    judged_items = database.fetch_all(
        "SELECT DISTINCT topic, lists FROM lease JOIN assessor ON assessor.id = lease.assessor "
        "WHERE type = 'document' AND NOT aside AND state IN ('counted', 'taken', 'late')"
    )
    return {*open_pairs, *((topic, json.loads(lists)[0][0]) for topic, lists in judged_items)}
