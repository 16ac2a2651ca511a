"""Work of the participants of a session, and the state sent to pages and host."""

import re
from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, TypeAlias, TypeGuard

from irjudge.errors import IrjudgeError
from irjudge.exchange import Slot
from irjudge.judging import (
    COUNTED_STATES,
    JUDGMENTS,
    MAX_PACE_JUDGMENTS,
    MIN_PACE_JUDGMENTS,
    Norming,
    ParticipantLog,
    RoundDocument,
    RoundVote,
    name_reasons,
    read_round_number,
    summarize_round_documents,
)
from irjudge.message import Message
from irjudge.model import AssignedItem, Event, ItemKey, OrganiserNote, Pair
from irjudge.store import Completion, Participant, Project
from irjudge.web.scheduler import VOTING_STATES, Lease, Scheduler
from irjudge.web.session_store import SessionStore

# Quotas of one participant id: number of events, bytes of events, bytes of drafts. Each consists of
# an initial amount and an amount added for each lease.
ACTION_QUOTA = 1000, 200
BYTE_QUOTA = 2_000_000, 32_000
DRAFT_QUOTA, MAX_DRAFT_BYTES = (1_000_000, 32_000), 8_000_000
QUOTA_EXCEEDED = Message("there are more judgments than the assignment allows")


@dataclass(frozen=True, slots=True)
class Presentation:
    """Presentation of an item to a participant: lease, item as shown, and organiser's note.

    `ParticipantWork` contains the presentations of a participant.
    """

    lease: Lease
    item: AssignedItem
    organiser_note: OrganiserNote  # role of the item, hidden from the participant
    occurrence: int  # 1 for the first presentation of the item, 2 for a repeat

    @property
    def key(self) -> ItemKey:
        """Key of the presentation in the ledger."""
        return self.item.topic, self.item.documents, self.occurrence


class ParticipantWork:
    """Work of a participant under one id: presentations with leases, log, and last heartbeat.

    `SharedSession` has one for each id; a participant who joined again has several.
    """

    def __init__(self, participant: Participant, received_log: ParticipantLog) -> None:
        self.participant, self.log = participant, received_log
        self.presentations: list[Presentation] = []
        # index in `presentations`, from 0, by lease and by key
        self.positions: dict[Lease, int] = {}
        self.position_by_key: dict[ItemKey, int] = {}
        self._presentation_counts: Counter[tuple[str, str, tuple[str, ...]]] = Counter()
        # items that the participant may judge, each with the ids of its left and right side
        self.sides_by_item: dict[Slot, tuple[str, ...]] = {}
        self.text_hashes: dict[str, str] = {}  # cached digests of documents, by id
        self.active_times: list[int] = []  # active time of each judgment, in milliseconds
        # time of the last heartbeat, in seconds of a monotonic clock; -inf if there was none
        self.last_seen = float("-inf")

    @property
    def leases(self) -> list[Lease]:
        """All leases, in order of presentation."""
        return [presentation.lease for presentation in self.presentations]

    def add(
        self, lease: Lease, item: AssignedItem, organiser_note: OrganiserNote, *, grading: bool
    ) -> Presentation:
        """Add a lease and its item; with `grading`, compared documents may also be graded.

        The lease gets the role of the note, as it will have after a restart.
        """
        lease.role = organiser_note.role
        key = (item.type, item.topic, item.documents)
        self._presentation_counts[key] += 1
        presentation = Presentation(lease, item, organiser_note, self._presentation_counts[key])
        self.position_by_key[presentation.key] = self.positions[lease] = len(self.presentations)
        self.presentations.append(presentation)
        # the only document of a question has the question's key in the ledger, so that its grade
        # would count as the answer
        if grading and len(item.documents) > 1:
            self.sides_by_item |= {
                ("document", item.topic, (document,), 1): () for document in item.documents
            }
        self.sides_by_item[item.type, *presentation.key] = item.sides
        return presentation

    @property
    def judged_count(self) -> int:
        """Number of presented items that have a current judgment, including late judgments.

        Identical lists are not included, since they are not shown.
        """
        return sum(
            self.log.ledger.judgment(presentation.key) is not None
            for presentation in self.presentations
            if not presentation.item.identical
        )

    @property
    def late(self) -> int:
        """Number of late judgments that were not undone."""
        return sum(
            self.log.ledger.judgment(presentation.key) is not None
            for presentation in self.presentations
            if presentation.lease.state == "late"
        )

    def list_positions(self, state: str) -> list[int]:
        """Return the positions of the items whose leases have a given state."""
        return [
            position
            for position, presentation in enumerate(self.presentations)
            if presentation.lease.state == state
        ]

    def grades(self) -> Iterator[tuple[Lease, int]]:
        """Yield the lease and the grade of each item that is graded, without deliberate repeats."""
        for lease, event in self.judgments():
            if event.kind == "grade":
                yield lease, int(event.payload["value"])

    def judgments(self) -> Iterator[tuple[Lease, Event]]:
        """Yield the lease and the event of each current judgment, without deliberate repeats."""
        for presentation in self.presentations:
            event = self.log.ledger.judgment(presentation.key)
            if event is not None and presentation.lease.occurrence == 1:
                yield presentation.lease, event

    def round_of_item(self, item: Mapping[str, Any]) -> int:
        """Return the number of the norming round of an assigned item; 0 if it is in no round."""
        position = self.position_by_key.get(
            (item["topic"], tuple(item["documents"]), item["occurrence"])
        )
        return (
            0
            if position is None
            else read_round_number(self.presentations[position].organiser_note)
        )

    def round_votes(self, participant_key: str) -> Iterator[RoundVote]:
        """Yield the votes that this id made in norming rounds, as votes of `participant_key`."""
        for presentation in self.presentations:
            round_number = read_round_number(presentation.organiser_note)
            event = self.log.ledger.judgment(presentation.key)
            if round_number and event is not None and presentation.lease.state in COUNTED_STATES:
                yield RoundVote.from_event(participant_key, round_number, event, self.log.ledger)

    def first_judgment(self, key: ItemKey) -> Event | None:
        """Return the first judgment of an item, even if it was undone or replaced later.

        Return None if there is none.
        """
        return next(
            (event for event in self.log.ledger.history(key) if event.kind in JUDGMENTS), None
        )

    def count_wrong(self, checks: Mapping[Pair, int]) -> int:
        """Return the number of attention checks whose first judgment was wrong."""
        return sum(
            (event := self.first_judgment(presentation.key)) is not None
            and event.payload.get("value") != checks[presentation.lease.pair]
            for presentation in self.presentations
            if presentation.lease.pair in checks
        )

    @property
    def is_released(self) -> bool:
        """Whether the seat was freed: the participant's name and token were removed."""
        return not (self.participant.name or self.participant.token)

    def find_problem(self, event: Event) -> Message | None:
        """Return None, or an error message if an event exceeds the quotas of this id.

        Quotas prevent a participant from slowing down the writer for all other participants.
        """
        log = self.log
        max_actions, max_bytes, max_draft_bytes = (
            base_amount + amount_per_item * len(self.presentations)
            for base_amount, amount_per_item in (ACTION_QUOTA, BYTE_QUOTA, DRAFT_QUOTA)
        )
        if event.kind == "draft":
            return (
                QUOTA_EXCEEDED
                if len(log) >= max_actions
                or log.draft_bytes + event.size > min(max_draft_bytes, MAX_DRAFT_BYTES)
                else None
            )
        return (
            QUOTA_EXCEEDED
            if len(log) >= 2 * max_actions
            or log.event_bytes - log.draft_bytes + event.size > max_bytes
            else None
        )

    def register_event(self, event: Event) -> None:
        """Add an event that another server wrote, and its active time."""
        self.log.register(event)
        self.record_time(event)

    def record_time(self, event: Event) -> None:
        """Record the active time of an event if the event is a current judgment."""
        active_ms = event.payload.get("active_ms")
        if isinstance(active_ms, int) and self.log.ledger.judgment(event.item.key) is event:
            self.active_times.append(active_ms)

    def key(self, lease: Lease) -> ItemKey:
        """Return the ledger key of a lease."""
        return self.presentations[self.positions[lease]].key


def collect_votes(
    participant_works: Iterable[ParticipantWork], scheduler: Scheduler
) -> list[RoundVote]:
    """Return the votes in norming rounds of all participants who are not excluded.

    If a participant voted on a document under two ids, the vote of the main id is used.
    """
    votes: dict[tuple[str, int, Pair], RoundVote] = {}
    for participant_work in sorted(
        participant_works,
        key=lambda participant_work: (
            scheduler.find_main_id(participant_work.participant.id)
            != participant_work.participant.id
        ),
    ):
        id, main_id = (
            participant_work.participant.id,
            scheduler.find_main_id(participant_work.participant.id),
        )
        for vote in participant_work.round_votes(main_id) if not scheduler.is_excluded(id) else ():
            votes.setdefault((main_id, vote.round_number, vote.pair), vote)
    return list(votes.values())


# Responses to pages, and status for the host

PRESENCE_TIMEOUT = 30.0  # seconds without a heartbeat after which a participant counts as absent
ALL_PARTICIPANTS = ""  # value that stands for all participants where an id is expected
# Keys stored with the survey answers: whether the participant may be named with their reasons, and
# the time at which the participant declined or withdrew consent.
NAME_CONSENT = "named"
WITHDRAWAL_KEY = "withdrawn"
MAX_REASONS = 20  # maximum number of reasons shown per document
MAX_REASON_LENGTH = 300  # maximum number of characters of a shown reason
MAX_RESENT = 30  # maximum number of judged items that are sent again to a page
SURROGATE_PATTERN = re.compile("[\ud800-\udfff]")


class Refused(IrjudgeError):
    """Error: a request was rejected; the response contains its message and `kind`.

    `kind` is the reason, such as `ended` or `token`, by which the page chooses its reaction.
    """

    def __init__(self, kind: str, sentence: str, /, *, key: object = "", **values: object) -> None:
        super().__init__(sentence, key=key, **values)
        self.kind = kind


def is_storable(text: object) -> TypeGuard[str]:
    """Return whether a value of a request is a string without lone surrogates.

    A store cannot encode lone surrogates; the error would make the writer reload the session.
    """
    return isinstance(text, str) and not SURROGATE_PATTERN.search(text)


@dataclass(frozen=True, slots=True)
class ItemPresentation:
    """Item to be sent to a page; a rendering thread adds the texts of its documents.

    See `Presentation` for the item with its lease.
    """

    position: int  # index among the participant's items
    item: AssignedItem
    occurrence: int  # 1 for the first presentation of the item, 2 for a repeat


@dataclass(frozen=True)  # without slots, since `vars` copies the fields into responses
class PageUpdate:
    """Part of the session state that a page receives as soon as it changes.

    `SyncResponse` has these fields, too, together with data such as progress and items, which a
    page receives only in response to a request.
    """

    state: str  # state of the session
    message: str = ""  # message of the host to all participants
    aside: bool = False  # whether the participant is excluded
    round: Mapping[str, Any] | None = None  # newest norming round; None if there are none


@dataclass(slots=True)
class SyncResponse:
    """Response to a synchronisation request of a page: acknowledgment, new items, progress."""

    acknowledged: int  # sequence number of the newest stored action of the page
    refused: tuple[int, str] | None  # sequence number of the first rejected action, and the reason
    count: int  # number of stored actions of the participant
    places: int  # number of items ever assigned to the participant
    new_items: list[ItemPresentation]  # items that the page lacks
    lost: list[int]  # positions of lost items
    held: list[int]  # positions of items to judge; a page may lack some of these items
    wanted: int  # number of judgments wanted in the whole session
    judged: int  # number of judgments that count in the whole session
    # number of the participant's judgments that count; in a session with a recruitment panel, late
    # judgments are included
    own: int = 0
    # if the page has to ask the questions after judging: what it shows next, which is `code` or
    # `link` of the completion, or `end` without a panel; otherwise empty
    asks: str = ""
    complete: str = ""  # completion link of a panel; empty until the submission is complete
    code: str = ""  # completion code to be typed; may be empty
    late: int = 0  # number of late judgments of the participant
    share: int = 0  # number of items of a submission; 0 without a panel
    done: bool = (
        False  # whether no item is left for the participant, even if others leave the session
    )
    # the same fields as in `PageUpdate`
    state: str = ""
    message: str = ""
    aside: bool = False
    round: Mapping[str, Any] | None = None
    server: str = ""  # id of the server that created the response
    number: int = 0  # position of the response among those of the server


@dataclass(frozen=True, slots=True)
class ParticipantStatus:
    """State of one participant as shown to the host; one row for all ids of the participant.

    `held` is the number of assigned pairs that are not judged yet. `late` is the number of late
    judgments that were not undone; they do not count, because the pair already had all wanted
    judgments or the participant was excluded. `aside` states whether the participant is excluded,
    `here` whether a page of the participant sent a request recently.
    """

    id: str  # main id
    name: str
    # number of judgments that count in the newest norming round or, after the rounds, in the pool
    judged: int
    late: int
    held: int
    aside: bool
    here: bool
    # median active time of the latest judgments, in seconds; None if there are too few
    seconds: float | None
    same: str = ""  # other names under which the participant joined, separated by commas
    norming_count: int = 0  # number of counted judgments from earlier norming rounds
    completed: Completion | None = None  # for panels: when the completion link was shown
    withdrawn: bool = False  # whether the participant declined or withdrew
    revoked: bool = False  # whether the participant has no valid token
    unused: bool = False  # whether `here` is false and the participant has no actions


def count_judged(
    participant_works: Iterable[ParticipantWork], scheduler: Scheduler
) -> tuple[int, int]:
    """Return how many current and how many earlier judgments of a participant count.

    During norming rounds, judgments in the newest round are current; after the rounds, judgments of
    pooled documents are. All other judgments are earlier ones. A document that the participant
    judged under two ids counts once; deliberate repeats count.
    """
    counting_items = {
        (lease.pair, lease.occurrence): scheduler.is_current(lease.pair)
        for participant_work in participant_works
        for lease in participant_work.leases
        if lease.state in VOTING_STATES and scheduler.is_counted(lease.pair)
    }
    current_count = sum(counting_items.values())
    return current_count, len(counting_items) - current_count


def make_participant_status(
    participant_works: Sequence[ParticipantWork],
    scheduler: Scheduler,
    *,
    is_excluded: bool,
    is_online: bool,
    completed: Completion | None,
    is_withdrawn: bool,
) -> ParticipantStatus:
    """Return the state of one participant; the first work must be that of the main id."""
    participant = participant_works[0].participant
    names = dict.fromkeys(
        participant_work.participant.name for participant_work in participant_works[1:]
    )
    held_count = sum(
        lease.state == "held"
        for participant_work in participant_works
        for lease in participant_work.leases
    )
    times = sorted(
        time
        for participant_work in participant_works
        for time in participant_work.active_times[-MAX_PACE_JUDGMENTS:]
        if time > 0
    )
    judged, norming_count = count_judged(participant_works, scheduler)
    return ParticipantStatus(
        participant.id,
        participant.name,
        judged,
        sum(participant_work.late for participant_work in participant_works),
        held_count,
        is_excluded,
        is_online,
        times[len(times) // 2] / 1000 if len(times) >= MIN_PACE_JUDGMENTS else None,
        ", ".join(name for name in names if name not in ("", participant.name)),
        norming_count,
        completed,
        is_withdrawn,
        not any(participant_work.participant.token for participant_work in participant_works),
        not is_online
        and not any(len(participant_work.log) for participant_work in participant_works),
    )


def list_missing_presentations(
    participant_work: ParticipantWork,
    item_count: int,
    needed_positions: Collection[int],
    *,
    only_held: bool = False,
) -> list[ItemPresentation]:
    """Return the items that a page still needs if it already has the first `item_count` items.

    Of the first items, those at `needed_positions` are also returned if they are held.

    Lost items are omitted and, with `only_held`, judged items. Of the judged items, only the last `MAX_RESENT` are returned, because
    the page does not need the texts of the earlier ones.
    """
    missing_items = [
        (position, item_state)
        for position, item_state in enumerate(participant_work.presentations)
        if (position >= item_count and not only_held)
        or (
            (position >= item_count or position in needed_positions)
            and item_state.lease.state == "held"
        )
    ]
    judged_numbers = [
        position
        for position, item_state in missing_items
        if item_state.lease.state in ("counted", "late", "taken")
    ]
    omitted_numbers = set(judged_numbers[:-MAX_RESENT])
    return [
        ItemPresentation(position, item_state.item, item_state.occurrence)
        for position, item_state in missing_items
        if item_state.lease.state != "lost" and position not in omitted_numbers
    ]


Json: TypeAlias = dict[str, Any]


def make_round_data(
    norming: Norming, votes: Sequence[RoundVote], project: Project, names: Mapping[str, str]
) -> Json:
    """Return the newest norming round for a page.

    If the round is closed, the document that the host shows is included.

    `names` are the names of participants who agreed to be named with their reasons.
    """
    round_number = len(norming.rounds)
    fields: Json = {
        "number": round_number,
        "state": "open" if norming.open else "closed" if round_number else "waiting",
        "names": norming.names,
        "documents": len(norming.rounds[-1].pairs) if round_number else 0,
        "shown": None,
    }
    if round_number and norming.shown is not None and not norming.open:
        fields["shown"] = make_round_document_data(
            norming, norming.shown, votes, project, names if norming.names else {}
        )
    return fields


def make_round_document_data(
    norming: Norming,
    index: int,
    votes: Sequence[RoundVote],
    project: Project,
    names: Mapping[str, str],
) -> Json:
    """Return the grade counts and reasons of a document of the newest round, for all pages."""
    round_number, scale, collection = len(norming.rounds), project.scale, project.collection
    topic, document = pair = norming.rounds[-1].pairs[index]
    current_summary = summarize_round_documents(norming, round_number, votes, scale)[index]
    previous_number = norming.before(round_number, pair)
    earlier_counts = (
        summarize_round_documents(norming, previous_number, votes, scale)[
            norming.rounds[previous_number - 1].pairs.index(pair)
        ]
        if previous_number
        else None
    )
    named_reasons = name_reasons(
        current_summary,
        {vote.participant_id for vote in votes if vote.round_number == round_number},
        names,
    )
    return {
        "place": index,
        "topic": topic,
        "topic_title": collection.topic_titles().get(topic, ""),
        "document": document,
        "title": collection.titles([document]).get(document, ""),
        "labels": [grade.label for grade in scale.grades],
        **_count_grades(named_reasons),
        "before": _count_grades(earlier_counts) if earlier_counts else None,
        "reasons": [
            {"grade": grade, "text": text[:MAX_REASON_LENGTH], "name": name}
            for grade, text, name in named_reasons.reasons[:MAX_REASONS]
        ],
    }


def _count_grades(document: RoundDocument) -> Json:
    return {
        "counts": [list(count) for count in document.counts],
        "unjudgeable": document.unjudgeable,
        "votes": document.votes,
        "split": document.is_split,
    }


@dataclass(frozen=True, slots=True)
class SessionStatus:
    """Status of a session as shown to the host: participants, progress, late judgments.

    `topics` contains two numbers for each topic: judgments that count, and judgments wanted; during
    norming rounds, those of the newest round. `state` is `open`, `paused` or `ended`. Participants
    whose seat was freed are omitted from `participants` if they have no events.
    """

    state: str
    participants: tuple[ParticipantStatus, ...]
    topics: Mapping[str, tuple[int, int]]
    # participant and pair of each late judgment that was not undone; these judgments do not count
    late: tuple[tuple[str, Pair], ...]
    actions: int  # number of actions of all participants
    complete: int = 0  # number of pairs in `topics` that have all wanted judgments
    names: Mapping[str, str] = field(default_factory=dict)  # names of all participants, by id

    @property
    def judgment_counts(self) -> tuple[int, int]:
        """Numbers of judgments that count and that are wanted, over all topics."""
        counts = self.topics.values()
        return sum(judged_count for judged_count, _ in counts), sum(
            wanted_count for _, wanted_count in counts
        )

    @property
    def judgment_state(self) -> tuple[object, ...]:
        """Value that differs whenever other judgments or participants may count."""
        participants = ((row.id, row.same, row.aside, row.judged) for row in self.participants)
        return self.actions, self.late, *participants


def make_session_status(
    state: str,
    participant_works: Collection[ParticipantWork],
    scheduler: Scheduler,
    store: SessionStore,
    late_items: tuple[tuple[str, Pair], ...],
    now: float,
) -> SessionStatus:
    """Return the status of a session.

    Participants whose seat was freed are omitted if they have no events.
    """
    excluded_ids, completed, surveys = store.excluded_ids(), store.completions(), store.surveys()
    works_by_participant: dict[str, list[ParticipantWork]] = {}
    for participant_work in participant_works:
        if len(participant_work.log) or not participant_work.is_released:
            works_by_participant.setdefault(
                scheduler.find_main_id(participant_work.participant.id), []
            ).append(participant_work)

    def make_status(participant_key: str, work_records: list[ParticipantWork]) -> ParticipantStatus:
        work_records.sort(
            key=lambda participant_work: participant_work.participant.id != participant_key
        )
        ids = [participant_work.participant.id for participant_work in work_records]
        return make_participant_status(
            work_records,
            scheduler,
            is_excluded=ids[0] in excluded_ids,
            is_online=any(
                now - participant_work.last_seen < PRESENCE_TIMEOUT
                for participant_work in work_records
            ),
            completed=next((completed[id] for id in ids if id in completed), None),
            is_withdrawn=any(WITHDRAWAL_KEY in surveys.get(id, {}) for id in ids),
        )

    return SessionStatus(
        state,
        tuple(make_status(*item) for item in works_by_participant.items()),
        scheduler.progress(),
        late_items,
        sum(len(participant_work.log) for participant_work in participant_works),
        scheduler.count_complete(),
        {
            participant_work.participant.id: participant_work.participant.name
            for participant_work in participant_works
        },
    )
