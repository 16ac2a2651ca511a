"""Session logic without HTTP: participants, assigned items and judgments."""

import secrets
import time
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import replace
from hashlib import sha256
from hmac import compare_digest
from typing import Any, TypeVar

from irjudge.errors import IrjudgeError
from irjudge.exchange import EventValidator, is_event_time, is_well_formed
from irjudge.judging import (
    DOCUMENT_SOURCES,
    PAGE_TIME,
    ParticipantLog,
    SessionLearner,
    list_calibration,
)
from irjudge.message import Message
from irjudge.model import (
    MALFORMED_EVENT,
    TOO_DEEP_EVENT,
    AssignedItem,
    Assignment,
    Event,
    Pair,
    action_problem,
    utc_now,
)
from irjudge.shipped import cache_folder
from irjudge.store import (
    ENDED,
    HOST_SECRET,
    JOIN_CODE,
    MAX_EVENT_BYTES,
    OPEN,
    PAUSED,
    Completion,
    Participant,
)
from irjudge.text import MAX_NAME_LENGTH, make_name_key, normalise_display_name
from irjudge.web.participants import CONSENTED, CONTINUE, CrowdPanel
from irjudge.web.scheduler import VOTING_STATES, Claim, Lease, Scheduler
from irjudge.web.session_options import SessionOptions, make_join_code, read_gold_by_topic
from irjudge.web.session_state import (
    ALL_PARTICIPANTS,
    NAME_CONSENT,
    WITHDRAWAL_KEY,
    PageUpdate,
    ParticipantWork,
    Refused,
    SessionStatus,
    SyncResponse,
    collect_votes,
    count_judged,
    list_missing_presentations,
    make_round_data,
    make_session_status,
)
from irjudge.web.session_store import (
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
    SessionStore,
    StateChanged,
    TermsChanged,
)
from irjudge.web.session_subject import NormingSubject, RoundScheduler

TOKEN_BYTES = 16
MAX_PARTICIPANTS, MAX_BROWSERS, MAX_WANTED, MAX_ACTIONS = 2000, 5, 5, 200
MIN_LARGE_SESSION = 5000  # minimum number of wanted judgments of a large session
PROGRESS_INTERVAL = 5.0  # seconds for which the progress of a large session is cached
# seconds after the end of a session during which pages can still request its state
FAREWELL_SECONDS = 16.0
MAX_MESSAGE_LENGTH = 500  # maximum characters of the host's message
NUMBER_TAKEN = Message("another action already has this number")
NUMBER_GAP = Message("an earlier action is missing")
UNASSIGNED_ITEM_MESSAGE = Message("the item was not assigned to you")
NO_TARGET = Message("the action to be undone or restored is missing")
T = TypeVar("T")
ROUND_CLOSED = Message("the round is closed, so its judgments can no longer be changed")
ACTION_TOO_LARGE = Message("larger than the maximum size of an action")


def hash_token(token: str) -> bytes:
    """Return the hash of a token; only hashes are stored in projects."""
    return sha256(token.encode()).digest()


class SharedSession:
    """Session in memory: participants, scheduler and options, with the session store.

    Its methods perform the requests of pages and host, such as `join`, `sync` and `set_state`; the
    writer's thread calls them. Every change that must survive a restart is written to the store.
    The caller runs changes in a transaction. If the transaction fails, the caller discards this
    object and creates a new one from the store, which has the state of the last successful
    transaction.
    """

    def __init__(
        self,
        store: SessionStore,
        *,
        clock: Callable[[], str] = utc_now,
        monotonic: Callable[[], float] = time.monotonic,
    ) -> None:
        self.store, self.project = store, store.project
        self._clock, self._monotonic = clock, monotonic
        self.ids_to_notify: set[str] = set()  # participant ids, or ALL_PARTICIPANTS
        stored_session = store.session()
        self.options = SessionOptions.from_json(stored_session.terms)
        self._apply_state(stored_session.state)
        self._scale = self.project.scale
        self._scale_versions = frozenset({self._scale.version})
        self._grade_values = frozenset(self._scale.values)
        self._pool_version = store.pool_version()
        self.gold, self._checks = read_gold_by_topic(self.project, self.options)
        self.subject = self.options.subject(store)
        # active learning, created on first use and trained on all judgments so far
        self._active_learning: SessionLearner | None = None
        participants, excluded_ids = store.participants(), store.excluded_ids()
        self.scheduler = self._make_scheduler()
        self._works_by_id: dict[str, ParticipantWork] = {}
        self._started_ids: set[str] = set()  # participants known to have accepted the start page
        self._tokens: dict[bytes, str] = {}
        # hash of the `page_key` with which each participant joined, by participant id
        self._page_keys: dict[str, bytes] = {}
        self._clients: dict[str, str] = {}
        self.message = store.message()
        self.rounds = RoundCache(self)
        self._cached_counts: tuple[float, int, int] = (float("-inf"), 0, 0)
        # time at which the unfinished pairs were last listed, and these pairs
        self._cached_unfinished: tuple[float, list[Pair]] = (float("-inf"), [])
        self._other_writes = store.count_other_writes()
        for participant in participants:
            self._load_work(participant)
            if participant.id in excluded_ids:
                self.scheduler.exclude_participant(participant.id)
        if self.options.finds:
            self.active_learning.load()  # loaded now, so that participants need not wait for it
        self.scheduler.withdraw(self.subject.closed)
        self._record_imported_judgments()

    def _record_imported_judgments(self) -> None:
        """Count judgments of lost leases, or record them as late; they come from result files."""
        imported_leases = [
            presentation.lease
            for participant_work in self._works_by_id.values()
            for presentation in participant_work.presentations
            if presentation.lease.state == "lost"
            and participant_work.log.ledger.judgment(presentation.key) is not None
        ]
        for lease in imported_leases:
            self.scheduler.record_judgment(lease)
            self._store_states([lease, *self.scheduler.withdraw_leases(lease.pair)])

    def _make_scheduler(self) -> Scheduler:
        """Return a new scheduler, without leases, for the session's subject and merged ids."""
        if isinstance(self.subject, NormingSubject) and not self.subject.over:
            return RoundScheduler(
                self.subject,
                self.store.seed(),
                self.options.terms.lease,
                self.store.get_first_ids(),
            )
        shared_pairs = frozenset[Pair]()
        gold = {topic: [*gold_documents] for topic, gold_documents in self.gold.items()}
        if isinstance(self.subject, NormingSubject):
            # participants discussed the documents of norming rounds, which cannot be gold items
            shared_pairs, gold = self.subject.closed, self.subject.exclude_rounds(gold)
        return Scheduler(
            self.options.terms,
            self.subject.pool(),
            self.store.seed(),
            calibration={} if self.options.compare else list_calibration(self.project),
            gold=gold,
            may_repeat=self._can_repeat,
            main_ids=self.store.get_first_ids(),
            shared_pairs=shared_pairs,
            uncounted_pairs=self.subject.identical,
        )

    def now(self) -> str:
        """Return the current time in the format that events use."""
        return self._clock()

    def _load_work(self, participant: Participant) -> ParticipantWork:
        """Restore the leases and the log of a participant from the store."""
        participant_work = ParticipantWork(
            participant, ParticipantLog(self.store.log, participant.id)
        )
        self._works_by_id[participant.id] = participant_work
        self._register_token(participant)
        self._clients |= dict.fromkeys(participant_work.log.clients, participant.id)
        for leased_item in self.store.list_leases(participant):
            self._restore_lease(participant_work, leased_item)
        return participant_work

    def _restore_lease(self, participant_work: ParticipantWork, leased_item: LeasedItem) -> None:
        occurrence = 2 if leased_item.organiser_note.role == "repeat" else 1
        lease = Lease(
            participant_work.participant.id,
            self.subject.get_pair(leased_item.item, leased_item.organiser_note),
            leased_item.organiser_note.role,
            occurrence,
        )
        self._register_search_hit(lease)
        presentation = participant_work.add(
            lease, leased_item.item, leased_item.organiser_note, grading=self._allows_grading
        )
        lease.state = leased_item.state or (
            "counted"
            if participant_work.log.ledger.judgment(presentation.key) is not None
            else "held"
        )
        self.scheduler.restore(lease, self._monotonic())

    def _update_learner(self, participant_work: ParticipantWork, event: Event) -> None:
        """Pass the current grade of an event's document to active learning, if it is in use.

        Grades of excluded participants are not passed.
        """
        if (
            self._active_learning is None
            or event.item.type != "document"
            or self.scheduler.is_excluded(participant_work.participant.id)
        ):
            return
        judgment = participant_work.log.ledger.judgment(event.item.key)
        self._active_learning.record_vote(
            self.scheduler.find_main_id(participant_work.participant.id),
            (event.item.topic, event.item.documents[0]),
            int(judgment.payload["value"]) if judgment and judgment.kind == "grade" else None,
        )

    def _register_search_hit(self, lease: Lease) -> None:
        """Add the pair of a lease to the scheduler if search or active learning retrieved it.

        Such pairs are not in the stored pool, so the scheduler gets them from their leases. They
        are not assigned in norming rounds.
        """
        if lease.role in DOCUMENT_SOURCES and not isinstance(self.scheduler, RoundScheduler):
            self.scheduler.extend({lease.pair[0]: [lease.pair[1]]}, lease.role)

    @property
    def active_learning(self) -> SessionLearner:
        """Active learning over the collection, trained on participants who are not excluded."""
        if self._active_learning is None:
            self._active_learning = SessionLearner(
                self.project, cache_folder(), self.options.terms.rel
            )
            for participant_work in self._works_by_id.values():
                for lease, grade in (
                    ()
                    if self.scheduler.is_excluded(participant_work.participant.id)
                    else participant_work.grades()
                ):
                    self._active_learning.record_vote(
                        self.scheduler.find_main_id(lease.participant_id), lease.pair, grade
                    )
        return self._active_learning

    @property
    def _allows_grading(self) -> bool:
        """Whether participants of a comparison may also grade documents."""
        return self.subject.rules is not None and self.subject.rules.grading

    def _can_repeat(self, lease: Lease) -> bool:
        return self.subject.can_repeat(lease, self._works_by_id[lease.participant_id].presentations)

    def labels(self) -> tuple[str, ...]:
        """Return the texts of this session to translate for pages, such as labels of grades."""
        return (
            *(text for grade in self._scale.grades for text in (grade.label, grade.help)),
            self._scale.question,
            *(self.subject.rules.reasons if self.subject.rules else ()),
        )

    def catch_up(self) -> None:
        """Apply changes that other servers of the session made since the last transaction.

        Call this at the start of a transaction.
        """
        for change in self.store.changes():
            self._apply_change(change)

    def is_outdated(self) -> bool:
        """Return whether judgments, exclusions or merged ids were changed outside the session.

        The window of the project imports result files and excludes assessors during the session.
        Call this in a transaction; if the result is True, create a new session from the store.
        """
        other_writes = self.store.count_other_writes()
        if other_writes == self._other_writes:
            return False
        self._other_writes = other_writes
        find_main_id, events = self.scheduler.find_main_id, self.project.events
        return (
            self.store.get_first_ids() != self.scheduler.main_ids
            or {find_main_id(id) for id in self.store.excluded_ids() & self._works_by_id.keys()}
            != {find_main_id(id) for id in self._works_by_id if self.scheduler.is_excluded(id)}
            or any(events.count(id) != len(work.log) for id, work in self._works_by_id.items())
        )

    def copy_presence(self, earlier_session: "SharedSession") -> None:
        """Take over from an earlier session object when each participant was last seen."""
        for id, earlier_work in earlier_session._works_by_id.items():
            if id in self._works_by_id:
                self._works_by_id[id].last_seen = earlier_work.last_seen

    def _apply_change(self, change: SessionChange) -> None:
        match change:
            case ParticipantJoined(participant):
                self._load_work(participant)
            case ItemAssigned(participant_id, leased_item):
                self._restore_lease(self._works_by_id[participant_id], leased_item)
            case ItemStateChanged(participant_id, position, state):
                self.scheduler.move(
                    self._works_by_id[participant_id].presentations[position].lease,
                    state,
                    self._monotonic(),
                )
            case ActionTaken(event):
                self._works_by_id[event.assessor].register_event(event)
                self._update_learner(self._works_by_id[event.assessor], event)
                self._clients.setdefault(event.client, event.assessor)
            case Heartbeat(participant_id, seconds):
                self._works_by_id[participant_id].last_seen = max(
                    self._works_by_id[participant_id].last_seen, self._monotonic() - seconds
                )
                self.scheduler.record_heartbeat(participant_id, self._monotonic() - seconds)
            case ExclusionChanged(participant_id, is_excluded):
                self.scheduler.exclude_participant(
                    participant_id
                ) if is_excluded else self.scheduler.readmit_participant(participant_id)
                self._active_learning = None
                self.ids_to_notify.add(participant_id)
            case ParticipantChanged(participant):
                self._change_participant(participant)
            case _:
                self._apply_session_change(change)

    def _apply_session_change(self, change: SessionChange) -> None:
        match change:
            case ParticipantMerged():
                self._active_learning = None
                self._reschedule()
            case StateChanged(state):
                self._apply_state(state)
            case MessageChanged(text):
                self._show_message(text)
            case TermsChanged(terms):
                self._apply_options(SessionOptions.from_json(terms))

    # Joining

    def access(self, code: str = "", leader: str = "", *, renew: bool = False) -> tuple[str, str]:
        """Return the join code and the host secret; if one is missing, create and store it.

        Without arguments, the code and secret of an earlier start are returned, so that distributed
        links remain valid. With `renew`, a new code and a new secret are created. If the secret is
        given as `leader`, it is used but not stored.
        """
        terms = dict(self.store.session().terms)
        stored_secrets = {} if renew else dict(terms)
        if not self.store.code:
            terms[JOIN_CODE] = code or stored_secrets.get(JOIN_CODE) or make_join_code()
        if not leader:
            terms[HOST_SECRET] = stored_secrets.get(HOST_SECRET) or secrets.token_urlsafe(
                TOKEN_BYTES
            )
        if terms != self.store.session().terms:
            self.store.set_terms(terms)
        return self.store.code or terms[JOIN_CODE], leader or terms[HOST_SECRET]

    def join(self, name: str, page_key: str = "") -> tuple[str, str]:
        """Admit a participant by name; return id and token. The caller checks the join code.

        `page_key` is a random value chosen by the page. If the page does not receive the response,
        it can join again with the same value and gets a new token, unless the participant already
        has actions.
        """
        name = normalise_display_name(name)
        if not name:
            raise Refused(
                "name",
                "Enter a name of 1 to {limit} visible characters.",
                limit=MAX_NAME_LENGTH,
            )
        if self.options.join == "links":
            raise Refused(
                "links", "This session needs personal links. Ask the session leader for yours."
            )
        key = make_name_key(name)
        listed_names = {
            make_name_key(listed_name): listed_name for listed_name in self.options.names
        }
        holder = next(
            (
                participant_work
                for participant_work in self._works_by_id.values()
                if make_name_key(participant_work.participant.name) == key
            ),
            None,
        )
        if holder and page_key and not len(holder.log):
            participant_id = holder.participant.id
            page_key_hash = self._page_keys.get(participant_id, b"")
            if compare_digest(page_key_hash, hash_token(page_key)):
                token = self.renew_token(participant_id)
                self._page_keys[participant_id] = page_key_hash
                return participant_id, token
        if (self.options.join == "names" and key not in listed_names) or holder:
            # unlisted and used names get the same message, so as not to reveal who has joined
            raise Refused(
                "taken",
                "The name {name} cannot be used here. Check the list of participants, use "
                "another name, or ask the session leader.",
                name=name,
            )
        if self.options.join == "names":
            name = normalise_display_name(listed_names[key])  # the name as the host spelled it
        participant_id, token = self._create_seat(name)
        self._page_keys[participant_id] = hash_token(page_key) if page_key else b""
        return participant_id, token

    def _create_seat(self, name: str) -> tuple[str, str]:
        if self.state == ENDED:
            raise Refused("ended", "The session has ended.")
        if (
            sum(not participant_work.is_released for participant_work in self._works_by_id.values())
            >= MAX_PARTICIPANTS
        ):
            raise Refused("full", "The session is full.")
        token = secrets.token_urlsafe(TOKEN_BYTES)
        participant = self.store.add_participant(name, hash_token(token), self._clock())
        self._load_work(participant).last_seen = self._monotonic()
        return participant.id, token

    def join_by_panel(self, link_parameters: Mapping[str, Any]) -> tuple[str, str]:
        """Admit a participant sent by the panel, and return their id and token.

        The participant's id at the panel is not secret. Therefore, a second browser with the same
        id never receives earlier work. If there is earlier work, the second browser is rejected
        unless the option `rejoin` of the panel admits it.
        """
        if self.options.panel is None:
            raise Refused("panel", "Open this page with the link on the site that sent you here.")
        name = self.options.panel.get_participant_name(link_parameters)
        known_ids = [
            id
            for id, participant_work in self._works_by_id.items()
            if participant_work.participant.name == name
        ]
        if self._has_withdrawn(known_ids):
            raise Refused(
                "withdrawn",
                "You chose not to take part. None of your work here will be used. If another "
                "site sent you here, return your submission there.",
            )
        judged_count = self._count_judged(self._works_by_id[known_ids[0]]) if known_ids else 0
        if known_ids and (
            self.store.completions().keys() & {*known_ids}
            or judged_count >= self.options.panel.each
        ):
            raise Refused(
                "finished",
                "You've finished in another browser (judged: {count}). Complete the submission "
                "there. If you can't, contact the researcher through the site that sent you "
                "here.",
                count=judged_count,
            )
        if (judged_count and self.options.panel.rejoin != CONTINUE) or len(
            known_ids
        ) >= MAX_BROWSERS:
            raise Refused(
                "known",
                "You've already started in another browser (judged: {count}). Continue there. "
                "If you can't, contact the researcher through the site that sent you here.",
                count=judged_count,
            )
        participant_id, token = self._create_seat(name)
        if known_ids:
            self.set_first_id(participant_id, known_ids[0])
        return participant_id, token

    def _has_withdrawn(self, ids: Collection[str]) -> bool:
        """Return whether the participant with these ids withdrew consent and is still excluded."""
        surveys = self.store.surveys() if ids else {}
        return any(
            WITHDRAWAL_KEY in surveys.get(id, {}) and self.scheduler.is_excluded(id) for id in ids
        )

    def authenticate(self, token: str) -> str:
        """Return the participant id of a token; raise `Refused` if the token is not accepted.

        Shortly after the end of the session, most tokens are no longer accepted. Participants of a
        panel with a complete submission keep access, so that they can answer the last questions and
        get their completion code, and so do other participants with unanswered last questions.
        """
        now, participant_id = self._monotonic(), self._tokens.get(hash_token(token))
        if participant_id is None:
            raise Refused(
                "token",
                "You no longer have access. Join again, or ask the session leader to let you in.",
            )
        if (
            self.state == ENDED
            and now - self._last_change > FAREWELL_SECONDS
            and not self._can_finish(self._works_by_id[participant_id], now)
        ):
            raise Refused("ended", "The session has ended.")
        return participant_id

    def _can_finish(self, participant_work: ParticipantWork, now: float) -> bool:
        """Return whether a participant may answer the last questions or get a completion code."""
        if self.options.panel:
            return self._has_complete_submission(participant_work)
        is_done = self._is_done(participant_work, now)
        asks, _ = self._finish_submission(participant_work, is_done=is_done)
        return bool(asks)

    def renew_token(self, participant_id: str) -> str:
        """Replace the token of a participant who lost it; return the new token."""
        token = secrets.token_urlsafe(TOKEN_BYTES)
        self._change_participant(
            replace(self._works_by_id[participant_id].participant, token=hash_token(token))
        )
        self.store.set_token(participant_id, hash_token(token))
        return token

    def revoke(self, participant_id: str) -> None:
        """Invalidate the token of an id; for a main id, also the tokens of ids merged into it."""
        for participant_work in (
            self._list_works_of(participant_id)
            if self.scheduler.find_main_id(participant_id) == participant_id
            else [self._works_by_id[participant_id]]
        ):
            self.store.set_token(participant_work.participant.id, b"")
            self._change_participant(replace(participant_work.participant, token=b""))

    def _change_participant(self, participant: Participant) -> None:
        """Apply a change of a participant's name or token; the caller stores the change."""
        participant_work = self._works_by_id[participant.id]
        self.ids_to_notify.add(participant.id)
        # so that the page that joined earlier cannot replace a new or revoked token
        self._page_keys.pop(participant.id, None)
        self._tokens.pop(participant_work.participant.token, None)
        participant_work.participant = participant
        self._register_token(participant)

    def _register_token(self, participant: Participant) -> None:
        if participant.token:
            self._tokens[participant.token] = participant.id

    def free_seat(self, participant_id: str) -> None:
        """Remove the name and token of a participant, so that someone else can use the name.

        Raises IrjudgeError if the participant has judgments and is not excluded, or if participants
        join with personal links.
        """
        participant_work = self._works_by_id[participant_id]
        if self.options.join == "links":
            raise IrjudgeError(
                "If participants join with personal links, a seat cannot be freed. Revoke "
                "the link, or readmit the participant with a new one."
            )
        if participant_work.judged_count and participant_id not in self.store.excluded_ids():
            raise IrjudgeError(
                "{name} has judgments ({count}). Exclude the assessor first.",
                key="judged-seat",
                name=participant_work.participant.name or participant_id,
                count=participant_work.judged_count,
            )
        self.release(participant_id)
        self.store.free_seat(participant_id)
        self._change_participant(replace(participant_work.participant, name="", token=b""))

    def welcome(self, participant_id: str) -> tuple[Assignment, str, list[dict[str, Any]]]:
        """Return a participant's assignment, name and stored actions, for a newly opened page."""
        participant_work = self._works_by_id[participant_id]
        return (
            self.store.assignment(participant_work.participant),
            participant_work.participant.name,
            participant_work.log.actions(),
        )

    # Judging

    def sync(
        self,
        participant_id: str,
        actions: Sequence[Any],
        *,
        client: str = "",
        wanted_count: int = 0,
        item_count: int = 0,
        needed_positions: Collection[int] = (),
        only_held: bool = False,
    ) -> SyncResponse:
        """Store actions of a participant's page in the given order, then assign items.

        Items are assigned until the participant has `wanted_count` unjudged items. `item_count` is
        the number of items that the page already knows. `needed_positions` are the positions of
        known items that are still to be judged and whose content the page lacks. With `only_held`,
        judged items are not returned, so that a page that was opened again first gets the items to
        judge.
        """
        participant_work, now = self._works_by_id[participant_id], self._monotonic()
        participant_work.last_seen = now
        self.scheduler.record_heartbeat(participant_id, now)
        self.store.record_heartbeat(participant_id)
        if actions or wanted_count:
            self.check_started(participant_id)
        refusal = self._store_actions(participant_work, actions, now)
        if wanted_count and self.state == OPEN:
            self._assign_items(
                participant_work,
                min(wanted_count, self._max_wanted, self._count_left(participant_work)),
                now,
            )
        if self.options.panel and not self._count_left(participant_work):
            # items that a second browser of the participant holds are no longer needed
            self.release(participant_id)
        judged, wanted_total = self._count_progress(now)
        is_done = self._is_done(participant_work, now)
        asks, completion_link = self._finish_submission(participant_work, is_done=is_done)
        panel = self.options.panel
        code, item_limit = (panel.find_code(completion_link), panel.each) if panel else ("", 0)
        return SyncResponse(
            participant_work.log.last_number(client),
            refusal,
            len(participant_work.log),
            len(participant_work.leases),
            list_missing_presentations(
                participant_work, item_count, needed_positions, only_held=only_held
            ),
            participant_work.list_positions("lost"),
            participant_work.list_positions("held"),
            wanted_total,
            judged,
            self._count_own(participant_work),
            asks=asks,
            complete=completion_link,
            code=code,
            late=participant_work.late,
            share=item_limit,
            done=is_done,
            **vars(self.update(participant_id)),
        )

    def _count_own(self, work: ParticipantWork) -> int:
        """Return how many judgments of a participant count, as shown to the participant.

        With a panel, late judgments are included.
        """
        if self.options.panel:
            return self._count_judged(work)
        return count_judged(self._list_works_of(work.participant.id), self.scheduler)[0]

    def record_presence(self, participant_id: str) -> None:
        """Record that a page of a participant is open, even if it is in the background."""
        self._works_by_id[participant_id].last_seen = self._monotonic()

    def update(self, participant_id: str) -> PageUpdate:
        """Return the part of the session state that is sent to a page as soon as it changes.

        The judgments of others are not sent to participants who are excluded or have not completed
        the start page.
        """
        is_excluded = self.scheduler.is_excluded(participant_id)
        newest_round = self.rounds.newest_round()
        if newest_round and (is_excluded or not self._has_started(participant_id)):
            newest_round = {**newest_round, "shown": None}
        return PageUpdate(self.state, self.message, is_excluded, newest_round)

    def _count_left(self, participant_work: ParticipantWork) -> int:
        """Return the maximum number of unjudged items that a participant may have.

        With a panel, it is the number of judgments that the submission still needs. Otherwise, it
        is the maximum number for a page.
        """
        return (
            max(0, self.options.panel.each - self._count_judged(participant_work))
            if self.options.panel
            else self._max_wanted
        )

    @property
    def _max_wanted(self) -> int:
        return max(MAX_WANTED, self.options.several)

    def _count_judged(self, participant_work: ParticipantWork) -> int:
        """Return the number of current judgments that a participant made, under all ids."""
        return sum(
            participant_work.judged_count
            for participant_work in self._list_works_of(participant_work.participant.id)
        )

    def _list_works_of(self, participant_id: str) -> list[ParticipantWork]:
        """Return the work of a participant under each of their ids, the main id first."""
        return [
            self._works_by_id[id]
            for id in self.scheduler.list_ids(participant_id)
            if id in self._works_by_id
        ]

    def check_started(self, participant_id: str) -> None:
        """Raise `Refused` if the participant has not completed the session's start page."""
        if not self._has_started(participant_id):
            raise Refused("start", "Answer the start page of the session before judging.")

    def _has_started(self, participant_id: str) -> bool:
        """Return whether the participant has completed the start page, or there is none."""
        if self.options.start is None or participant_id in self._started_ids:
            return True
        if CONSENTED not in self.store.surveys().get(participant_id, {}):
            return False
        self._started_ids.add(participant_id)
        return True

    def _is_done(self, participant_work: ParticipantWork, now: float) -> bool:
        """Return whether no item is left for a participant, even if others leave the session."""
        participant_id = participant_work.participant.id
        return not self.scheduler.list_held(participant_id) and not (
            self._count_left(participant_work) and self._has_more(participant_id, now)
        )

    def _finish_submission(
        self, participant_work: ParticipantWork, *, is_done: bool
    ) -> tuple[str, str]:
        """Return what the page shows after the work: questions or a completion link.

        If questions after judging are unanswered, the result is what the page will show after the
        questions (`code`, `link`, or `end` without a panel) and an empty string. Otherwise, the
        result is an empty string and the completion link, and the store records that the link was
        shown. Both strings are empty if the work is incomplete; the link is empty without a panel.

        The link is returned even if the session is paused.
        """
        panel, participant_id = self.options.panel, participant_work.participant.id
        start_page = self.options.start
        has_questions = (
            start_page is not None
            and participant_id not in self.store.completions()
            and start_page.asks_after(self.store.surveys().get(participant_id, {}))
        )
        if panel is None:
            is_over = (
                is_done
                and bool(participant_work.judged_count)
                and not self.scheduler.is_excluded(participant_id)
                and not isinstance(self.scheduler, RoundScheduler)  # more rounds may follow
            )
            return ("end" if has_questions and is_over else ""), ""
        if not self._has_complete_submission(participant_work):
            return "", ""
        if has_questions:
            return "code" if panel.code else "link", ""
        return "", self._make_completion_link(
            participant_work, panel, self._count_judged(participant_work)
        )

    def _has_complete_submission(self, participant_work: ParticipantWork) -> bool:
        """Return whether a participant of a panel made all judgments of the submission."""
        panel, participant_id = self.options.panel, participant_work.participant.id
        if (
            panel is None
            or not participant_work.judged_count
            or self.scheduler.list_held(participant_id)
        ):
            return False
        if self._count_judged(participant_work) >= panel.each:
            return True
        if self.scheduler.is_excluded(participant_id):
            return participant_id in self.store.completions()
        return not self.scheduler.has_more(participant_id, self.scheduler.list_unfinished_pairs())

    def _make_completion_link(
        self, work: ParticipantWork, panel: CrowdPanel, judged_count: int
    ) -> str:
        """Return the completion link of a submission, and record that it was shown.

        If too many attention checks failed and the panel has a link for this case, return that
        link.
        """
        participant_id = work.participant.id
        completion = self.store.completions().get(participant_id)
        if completion is None:
            wrong_count = sum(
                participant_work.count_wrong(self._checks)
                for participant_work in self._list_works_of(participant_id)
            )
            completion = Completion(
                self._clock(), bool(panel.failed) and wrong_count > panel.forgiven, judged_count
            )
            self.store.note_completion(participant_id, completion)
        return panel.failed if completion.failed else panel.completion

    def _count_progress(self, now: float) -> tuple[int, int]:
        """Return the numbers of judgments that count and of judgments wanted in the session.

        For a large session, the numbers are cached for some seconds.
        """
        if (
            self._cached_counts[2] < MIN_LARGE_SESSION
            or now - self._cached_counts[0] >= PROGRESS_INTERVAL
        ):
            topics = self.scheduler.progress().values()
            self._cached_counts = (
                now,
                sum(counted_count for counted_count, _ in topics),
                sum(wanted_count for _, wanted_count in topics),
            )
        return self._cached_counts[1:]

    def _has_more(self, participant_id: str, now: float) -> bool:
        """Return whether a participant may be assigned more pairs; see `Scheduler.has_more`.

        For a large session, the unfinished pairs are cached for some seconds.
        """
        if (
            self._cached_counts[2] < MIN_LARGE_SESSION
            or now - self._cached_unfinished[0] >= PROGRESS_INTERVAL
        ):
            self._cached_unfinished = now, self.scheduler.list_unfinished_pairs()
        return self.scheduler.has_more(participant_id, self._cached_unfinished[1])

    def _store_actions(
        self, participant_work: ParticipantWork, actions: Sequence[Any], now: float
    ) -> tuple[int, str] | None:
        """Store actions in order, up to the first rejected action.

        Return the sequence number of the rejected action and the reason; None if all were stored.
        """
        for action in actions:
            problem = self._store_action(participant_work, action, now)
            if problem is not None:
                sequence_number = action.get("number") if isinstance(action, dict) else 0
                return (sequence_number if isinstance(sequence_number, int) else 0), problem
        return None

    def _store_action(
        self, participant_work: ParticipantWork, action: Any, now: float
    ) -> str | None:
        """Store one action; return None, or an error message if the action is rejected."""
        if (
            not is_well_formed(action)
            or PAGE_TIME in action["payload"]
            or not is_event_time(action["time"])
        ):
            return MALFORMED_EVENT
        stored_hash = participant_work.log.known_actions.get((action["client"], action["number"]))
        try:
            event = participant_work.log.event_of(
                action, self._clock(), participant_work.round_of_item(action["item"])
            )
            if event is not None and len(event.canonical_bytes) > MAX_EVENT_BYTES:
                return ACTION_TOO_LARGE
        except RecursionError:
            return TOO_DEEP_EVENT
        except (ValueError, TypeError):
            return MALFORMED_EVENT
        if event is None:
            return NO_TARGET
        if stored_hash is not None:
            return None if event.digest == stored_hash.digest else NUMBER_TAKEN
        problem = (
            self._find_number_problem(participant_work, action)
            or action_problem(event.kind, action["payload"])
            or self._find_event_problem(participant_work, event)
        )
        if problem is None:
            self._store_event(participant_work, event, now)
        return problem

    def _find_number_problem(
        self, participant_work: ParticipantWork, action: Mapping[str, Any]
    ) -> str | None:
        """Return None, or an error message if an action's client or sequence number is invalid."""
        client, participant_id = action["client"], participant_work.participant.id
        if (
            self._clients[client] != participant_id
            if client in self._clients
            else self.store.has_client_elsewhere(client)  # the client has events in another session
        ):
            return NUMBER_TAKEN
        return (
            None if action["number"] == participant_work.log.last_number(client) + 1 else NUMBER_GAP
        )

    def _find_event_problem(self, participant_work: ParticipantWork, event: Event) -> str | None:
        """Return None, or an error message if an event does not match the assigned items."""
        item = event.item
        position = participant_work.position_by_key.get(item.key)
        lease = None if position is None else participant_work.presentations[position].lease
        if (
            lease is not None
            and lease.pair in self.subject.closed
            and lease.state in VOTING_STATES
            and event.kind != "draft"  # a note that was being typed when the round was closed
        ):
            return ROUND_CLOSED
        if (
            item.type,
            *item.key,
        ) not in participant_work.sides_by_item or item.contents != self._hash_texts(
            participant_work, item.documents
        ):
            return UNASSIGNED_ITEM_MESSAGE
        return EventValidator(
            participant_work.participant.id,
            participant_work.sides_by_item,
            self._scale_versions,
            self._grade_values,
        ).find_problem(event) or participant_work.find_problem(event)

    def _hash_texts(
        self, participant_work: ParticipantWork, documents: Sequence[str]
    ) -> tuple[str, ...]:
        """Return the hashes of the current texts of documents."""
        if missing_documents := [
            document for document in documents if document not in participant_work.text_hashes
        ]:
            participant_work.text_hashes |= self.project.collection.digests(missing_documents)
        return tuple(participant_work.text_hashes.get(document, "") for document in documents)

    def _store_event(self, participant_work: ParticipantWork, event: Event, now: float) -> None:
        key = event.item.key
        position, previous_judgment = (
            participant_work.position_by_key.get(key),
            participant_work.log.ledger.judgment(key),
        )
        participant_work.log.append(event)
        self._clients[event.client] = participant_work.participant.id
        participant_work.record_time(event)
        judgment = participant_work.log.ledger.judgment(key)
        self._update_learner(participant_work, event)
        if position is None:
            return  # a grade in a comparison does not count towards the overlap
        lease = participant_work.presentations[position].lease
        previous_state = lease.state
        if judgment is None and previous_judgment is not None:
            self.scheduler.record_undo(lease, now)
        elif judgment is not None and (
            previous_judgment is None or previous_state in ("lost", "held")
        ):
            self.scheduler.record_judgment(lease)
            self._store_states(self.scheduler.withdraw_leases(lease.pair))
        if lease.state != previous_state:
            self._store_states([lease])

    def _store_states(self, leases: Sequence[Lease]) -> None:
        self.rounds.forget()
        works = self._works_by_id
        self.store.store_lease_states(
            [
                (
                    works[lease.participant_id].participant,
                    works[lease.participant_id].positions[lease],
                    lease.state,
                )
                for lease in leases
            ]
        )

    def _assign_items(
        self, participant_work: ParticipantWork, wanted_count: int, now: float
    ) -> None:
        """Assign and store items until the participant holds `wanted_count` unskipped items."""
        participant_id, is_skipped = (
            participant_work.participant.id,
            participant_work.log.ledger.is_skipped,
        )
        open_leases = [
            lease
            for lease in self.scheduler.list_held(participant_id)
            if not is_skipped(participant_work.key(lease))
        ]
        if len(open_leases) >= wanted_count:
            return
        first_new, missing_count = (
            len(participant_work.presentations),
            wanted_count - len(open_leases),
        )
        while missing_count > 0:
            claim = self._claim_next(participant_id, now)
            for lease in claim.leases:
                if lease not in participant_work.positions:
                    participant_work.add(
                        lease,
                        *self.subject.item(lease, participant_work.presentations),
                        grading=self._allows_grading,
                    )
            reassigned_leases = [
                lease for lease in claim.leases if participant_work.positions[lease] < first_new
            ]
            if claim.leases or claim.lost:
                self._store_states([*claim.lost, *reassigned_leases])
            if not claim.leases:
                break
            missing_count -= len(claim.leases)
        new_presentations = participant_work.presentations[first_new:]
        self.store.assign_items(
            participant_work.participant,
            first_new,
            [presentation.item for presentation in new_presentations],
            [presentation.organiser_note for presentation in new_presentations],
        )

    def _claim_next(self, participant_id: str, now: float) -> Claim:
        """Claim the participant's next leases; if none are left, try again with the newest pool."""
        if self.options.learns:
            self.active_learning.find_for(participant_id, self.scheduler)
        claim = self.scheduler.claim(participant_id, now)
        if not claim.leases and self.store.pool_version() != self._pool_version:
            self._pool_version = self.store.pool_version()
            self.scheduler.extend(self.subject.pool())
            lost_leases, claim = claim.lost, self.scheduler.claim(participant_id, now)
            claim.lost += lost_leases
        return claim

    def shown_item(self, participant_id: str) -> AssignedItem:
        """Return the document that is shown to all participants after a norming round."""
        self.check_started(participant_id)
        norming = self.options.norming
        if (
            norming is None
            or norming.open
            or norming.shown is None
            or self.scheduler.is_excluded(participant_id)
        ):
            raise Refused("shown", "No document of a norming round is shown at the moment.")
        topic, document = norming.rounds[-1].pairs[norming.shown]
        return AssignedItem(topic, ((document,),))

    def assign_search_result(self, participant_id: str, topic: str, document: str) -> bool:
        """Assign a search result to a participant.

        Return True if the result is now, or was already, one of the participant's items.
        """
        self.check_started(participant_id)
        participant_work, now = self._works_by_id[participant_id], self._monotonic()
        if (
            not self.options.search
            or isinstance(
                self.scheduler, RoundScheduler
            )  # all participants judge the same documents
            or self.state != OPEN
            or topic not in self.active_learning.topics
            # documents of norming rounds are not judged again
            or (self.options.norming and (topic, document) in self.options.norming.pairs)
            or self.scheduler.is_excluded(participant_id)
            or not self.project.collection.digests([document])
        ):
            raise Refused("search", "This document cannot be judged at the moment.")
        known_works = [
            known_work
            for known_work in self._list_works_of(participant_id)
            if any(lease.pair == (topic, document) for lease in known_work.leases)
        ]
        if known_works:  # also a gold item outside the pool, which must not be assigned to others
            self._store_states(self.scheduler.reassign_lost(participant_id, (topic, document), now))
            return any(
                lease.pair == (topic, document) and lease.state != "lost"
                for lease in participant_work.leases
            )
        self.scheduler.extend({topic: [document]}, "search")
        lease = self.scheduler.assign_pair(participant_id, (topic, document), now)
        if lease is None:
            return False
        presentation = participant_work.add(
            lease,
            *self.subject.item(lease, participant_work.presentations),
            grading=self._allows_grading,
        )
        self.store.assign_items(
            participant_work.participant,
            len(participant_work.presentations) - 1,
            [presentation.item],
            [presentation.organiser_note],
        )
        return True

    # Requests of the host

    def set_state(self, state: str) -> None:
        """Store whether the session is open, paused or ended, and notify all pages."""
        if state not in (OPEN, PAUSED, ENDED):
            raise IrjudgeError(
                "The session state must be open, paused or ended, got {state}.", state=state
            )
        self.store.set_state(state)
        terms = dict(self.store.session().terms)
        if state == ENDED and terms.pop(HOST_SECRET, None):
            self.store.set_terms(terms)
        self._apply_state(state)

    def _apply_state(self, state: str) -> None:
        """Set the state in memory and notify all pages."""
        self.state, self._last_change = state, self._monotonic()
        self.ids_to_notify.add(ALL_PARTICIPANTS)

    def set_message(self, message: str) -> None:
        """Show a message on every page; an empty string removes it."""
        message = " ".join(message.split())
        if len(message) > MAX_MESSAGE_LENGTH:
            raise IrjudgeError(
                "A message can have at most {limit} characters, got {count}.",
                limit=MAX_MESSAGE_LENGTH,
                count=len(message),
            )
        self.store.set_message(message)
        self._show_message(message)

    def _show_message(self, message: str) -> None:
        self.message = message
        self.ids_to_notify.add(ALL_PARTICIPANTS)

    def replace_options(self, options: SessionOptions) -> None:
        """Replace and store the options of the running session.

        Leases that are lost because of the change are stored as lost.
        """
        self.store.set_terms({**self.store.session().terms, **options.as_json()})
        self._store_states(self._apply_options(options))

    def _apply_options(self, options: SessionOptions) -> list[Lease]:
        """Apply new options; return the leases that are lost because of the change.

        If another server changed the options, it has already stored the states of these leases.
        """
        self.options, self.subject = options, options.subject(self.store)
        self.ids_to_notify.add(ALL_PARTICIPANTS)
        return self._reschedule()

    def exclude_participant(self, participant_id: str) -> None:
        """Exclude a participant and assign the same pairs to others; the events are kept."""
        for participant_work in self._list_works_of(participant_id):
            self.store.set_excluded(participant_work.participant.id, is_excluded=True)
            self.ids_to_notify.add(participant_work.participant.id)
        self._store_states(self.scheduler.exclude_participant(participant_id))
        self._active_learning = None

    def readmit_participant(self, participant_id: str) -> None:
        """Include a participant again.

        If other participants completed a pair during the exclusion, the participant's judgment of
        the pair becomes late. Pairs that this inclusion completes are released by other participants.
        """
        for participant_work in self._list_works_of(participant_id):
            self.store.set_excluded(participant_work.participant.id, is_excluded=False)
            self.ids_to_notify.add(participant_work.participant.id)
        self._store_states(self.scheduler.readmit_participant(participant_id))
        self._active_learning = None

    def set_first_id(self, participant_id: str, other_id: str) -> None:
        """Merge two ids of the same participant.

        Items that one id holds and the other has judged are released.
        """
        if self.scheduler.find_main_id(participant_id) == self.scheduler.find_main_id(other_id):
            raise IrjudgeError("Both names already belong to the same participant.")
        self.store.set_first_id(participant_id, other_id)
        self._active_learning = None  # recreated, since the two ids now share one vote
        self._store_states(self._reschedule())
        self._store_states(self.scheduler.release_duplicates(participant_id))
        for id in self.store.excluded_ids():
            self.exclude_participant(id)

    def _reschedule(self) -> list[Lease]:
        """Create a new scheduler with all leases, and return the leases that become lost."""
        self.scheduler, now = self._make_scheduler(), self._monotonic()
        for participant_work in self._works_by_id.values():
            for lease in participant_work.leases:
                self._register_search_hit(lease)
                self.scheduler.restore(lease, now)
        withdrawn_leases = [
            lease
            for id in self.store.excluded_ids()
            for lease in self.scheduler.exclude_participant(id)
        ]
        withdrawn_leases += self.scheduler.withdraw(self.subject.closed)
        if isinstance(self.scheduler, RoundScheduler):
            # if a round was reopened after the rounds had ended, pooled documents may be leased
            withdrawn_leases += self.scheduler.release_others()
        return withdrawn_leases

    def release(self, participant_id: str) -> int:
        """Release all held leases of a participant, under all ids; return their number."""
        released_leases = self.scheduler.release(
            [
                lease
                for id in self.scheduler.list_ids(participant_id)
                for lease in self.scheduler.list_held(id)
            ]
        )
        self._store_states(released_leases)
        return len(released_leases)

    def accept_late(self, participant_id: str, pair: Pair) -> bool:
        """Accept the late judgment of a pair by a participant id.

        Return False if there is no such judgment.
        """
        lease = next(
            (
                lease
                for lease in self._list_late_leases()
                if lease.participant_id == participant_id and lease.pair == pair
            ),
            None,
        )
        if lease is None or not self.scheduler.accept_late(lease):
            return False
        self._store_states([lease, *self.scheduler.withdraw_leases(pair)])
        return True

    def count_late_judgments(self) -> None:
        """Count the late judgments of pairs that lack judgments."""
        counted_leases = [
            lease for lease in self._list_late_leases() if self.scheduler.count_late(lease)
        ]
        released_leases = [
            lease
            for counted_lease in counted_leases
            for lease in self.scheduler.withdraw_leases(counted_lease.pair)
        ]
        self._store_states([*counted_leases, *released_leases])

    def _list_late_leases(self) -> list[Lease]:
        """Return the late leases whose judgments can be accepted.

        Those of undone judgments and of excluded participants are omitted.
        """
        works_by_id = self._works_by_id
        return [
            lease
            for lease in self.scheduler.list_late()
            if not self.scheduler.is_excluded(lease.participant_id)
            and works_by_id[lease.participant_id].log.ledger.judgment(
                works_by_id[lease.participant_id].key(lease)
            )
            is not None
        ]

    @property
    def works(self) -> Collection[ParticipantWork]:
        """Leases and log of each participant id."""
        return self._works_by_id.values()

    def find_participant(self, name: str) -> str:
        """Return the id of the participant with a given name or id."""
        if name in self._works_by_id:
            return name
        for id, participant_work in self._works_by_id.items():
            if make_name_key(participant_work.participant.name) == make_name_key(name) != "":
                return id
        raise IrjudgeError("There is no participant {name}.", name=name)

    def status(self) -> SessionStatus:
        """Return the status of the session as shown to the host."""
        late_items = tuple((lease.participant_id, lease.pair) for lease in self._list_late_leases())
        return make_session_status(
            self.state, self.works, self.scheduler, self.store, late_items, self._monotonic()
        )


class RoundCache:
    """Cache of the results of norming rounds, which are shown to participants and host.

    New actions, exclusions, and changes of the rounds or of the displayed names make it invalid.
    """

    def __init__(self, session: SharedSession) -> None:
        self._session = session
        self._version: object = None
        self._results: dict[object, Any] = {}

    def forget(self) -> None:
        """Invalidate all results."""
        self._version = None

    def newest_round(self) -> Mapping[str, Any] | None:
        """Return the newest norming round for pages; None if there is none or the rounds ended."""
        session = self._session
        norming = session.options.norming
        if norming is None or norming.over:
            return None
        return self.get(
            "news",
            lambda: make_round_data(
                norming,
                collect_votes(session.works, session.scheduler),
                session.project,
                self._list_participant_names(),
            ),
        )

    def get(self, key: object, compute: Callable[[], T]) -> T:
        """Return the cached result for `key`; compute it if the session has changed."""
        session = self._session
        version = (
            session.options.norming,
            sum(len(participant_work.log) for participant_work in session.works),
            session.store.excluded_ids(),
            self._list_participant_names(),
        )
        if self._version != version:
            self._version, self._results = version, {}
        if key not in self._results:
            self._results[key] = compute()
        result: T = self._results[key]
        return result

    def _list_participant_names(self) -> dict[str, str]:
        surveys = self._session.store.surveys()
        return {
            participant_work.participant.id: participant_work.participant.name
            for participant_work in self._session.works
            if surveys.get(participant_work.participant.id, {}).get(NAME_CONSENT)
        }
