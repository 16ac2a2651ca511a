"""Scheduler of a session, which assigns items to participants."""

from collections import Counter, defaultdict
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Literal, TypeAlias, get_args

from irjudge.errors import IrjudgeError
from irjudge.judging import DOCUMENT_SOURCES
from irjudge.model import Pair, Role
from irjudge.stats import HashOrder

# State of a lease: `held` (the pair is assigned, but not judged), `counted` (the judgment counts),
# `lost` (the pair was assigned to another participant, or the lease was released), `late` (when the
# pair was judged, enough other participants already held or had judged it, or the participant was
# excluded), `taken` (the judgment was late, but the host accepted it).
State: TypeAlias = Literal["held", "counted", "lost", "late", "taken"]
STATES: tuple[State, ...] = get_args(State)
Order: TypeAlias = Literal["drawn", "pool", "decisive", "learning", "mixed"]
ORDERS: tuple[Order, ...] = get_args(Order)
SEPARATOR = "\0"
DEFAULT_LEASE = 60.0  # default number of seconds without a heartbeat after which a lease expires
MIN_REPEAT_DISTANCE = 4  # minimum number of presentations between a document and its repeat


@dataclass(frozen=True, slots=True)
class SchedulingOptions:
    """Options for assigning the pairs of a session to participants.

    A pair consists of a topic and a document or, in a comparison, two documents or lists. The
    constructor raises IrjudgeError for invalid values.
    """

    overlap: int = 1  # number of judgments of a pair that count, 1 or more
    lease: float = DEFAULT_LEASE  # seconds without a heartbeat after which a lease expires
    gold_every: int = 0  # number of items among which one is a gold item; 0 for no gold items
    repeats_every: int = 0  # number of items among which one is a repeat; 0 for no repeats
    # Order in which pairs are assigned. `drawn` (documents of the pool) and `learning` (documents
    # that active learning selects from the whole collection) go topic by topic, beginning with the
    # documents that the fewest participants hold or have judged; ties are in random order, which
    # hides ranks. The other orders mix topics: `mixed` (random), `pool` (as in the pool) and
    # `decisive` (first the pairs given to `prefer`, then random).
    order: Order = "drawn"
    # whether a participant for whom no other pair is left is assigned pairs that others hold; in
    # this case, the judgments that arrive first count
    share_last: bool = True
    # number of gold items that each participant judges first; these are the same for all
    # participants if the overlap allows it
    qualification: int = 0
    size: int = 50  # with `learning`: number of documents that are selected per topic
    rel: int = 1  # with `learning`: lowest relevant grade

    @property
    def asks_gold(self) -> bool:
        """Whether gold items are needed."""
        return bool(self.gold_every or self.qualification)

    def __post_init__(self) -> None:
        if self.overlap < 1:
            raise IrjudgeError(
                "The overlap must be at least 1, got {overlap}.", overlap=self.overlap
            )
        if min(self.size, self.rel) < 1:
            raise IrjudgeError(
                "Active learning needs a number of documents per topic and a lowest relevant "
                "grade, each at least 1; got {size} and {rel}.",
                size=self.size,
                rel=self.rel,
            )
        if self.lease <= 0:
            raise IrjudgeError(
                "The lease must be longer than 0 seconds, got {lease:g}.", lease=self.lease
            )
        if self.qualification < 0:
            raise IrjudgeError(
                "The number of qualification documents must be 0 or more, got {count}.",
                count=self.qualification,
            )
        if min(self.gold_every, self.repeats_every) < 0 or 1 in (
            self.gold_every,
            self.repeats_every,
        ):
            raise IrjudgeError(
                "The interval of gold or repeat items must be at least 2, or 0 for none."
            )


@dataclass(slots=True, eq=False)
class Lease:
    """Assignment of a pair to a participant for one presentation, and its state.

    A lease is held until the pair is judged; it is then `counted`, or `late` if its judgment does
    not count, or `taken` if the host accepted the late judgment. A held lease expires unless
    heartbeats of the participant renew it. It is `lost` when it is released, for example because
    its pair is assigned to another participant after the expiry.
    """

    participant_id: str  # id under which the item was assigned
    pair: Pair  # see `SchedulingOptions`; in a norming round, also with the number of the round
    role: Role = "document"  # reason for the presentation
    occurrence: int = 1  # 1, or 2 for a deliberate repeat
    state: State = "held"
    expiry_time: float = 0.0  # time when a held lease expires, in seconds of a monotonic clock
    votes: bool = True  # whether a judgment counts towards the overlap of its pair


@dataclass(slots=True)
class Claim:
    """Result of a request for pairs: the assigned leases, and the leases that ended as a result."""

    leases: list[Lease] = field(default_factory=list)  # assigned leases
    lost: list[Lease] = field(default_factory=list)  # leases whose state is now `lost`


@dataclass(frozen=True, slots=True)
class _Choice:
    """Pair selected for a participant, with the reason and number of its presentation."""

    pair: Pair
    role: Role = "document"
    occurrence: int = 1
    evicted_lease: Lease | None = None  # expired lease that ends if the pair is assigned


@dataclass(slots=True)
class _ParticipantLeases:
    """Leases of a participant under all of their ids, in order of presentation."""

    leases: list[Lease] = field(default_factory=list)
    held_leases: dict[Lease, None] = field(default_factory=dict)
    leases_by_pair: dict[Pair, list[Lease]] = field(default_factory=dict)
    topics: set[str] = field(default_factory=set)
    is_excluded: bool = False

    @property
    def topic(self) -> str | None:
        """Topic of the newest lease."""
        return self.leases[-1].pair[0] if self.leases else None

    def has_lease(self, pair: Pair, states: frozenset[State]) -> bool:
        """Return whether the participant has a lease of a pair in one of `states`.

        Leases whose judgments do not count towards the overlap, such as leases of repeats, are
        ignored. A participant with two ids can have two leases of a pair.
        """
        return any(
            lease.votes and lease.state in states for lease in self.leases_by_pair.get(pair, ())
        )


class Scheduler:
    """Scheduler that assigns a session's pairs to participants, who may join or leave at any time.

    At most `overlap` judgments of a pair count; later ones are late, and the host may accept them.
    A participant is shown a pair twice only as a deliberate repeat. Times are seconds of a
    monotonic clock.
    """

    def __init__(
        self,
        terms: SchedulingOptions,
        pool: Mapping[str, Sequence[str]],
        seed: int,
        *,
        gold: Mapping[str, Iterable[str]] | None = None,
        calibration: Mapping[str, Iterable[str]] | None = None,
        may_repeat: Callable[[Lease], bool] = lambda _place: True,
        main_ids: Mapping[str, str] | None = None,
        shared_pairs: Collection[Pair] = (),
        uncounted_pairs: Collection[Pair] = (),
    ) -> None:
        self.terms, self._hash_order, self._may_repeat = terms, HashOrder(seed), may_repeat
        self._calibration = {
            topic: sorted(documents) for topic, documents in (calibration or {}).items()
        }
        self._gold = {
            (topic, document): None
            for topic, documents in (gold or {}).items()
            for document in documents
            if document not in self._calibration.get(topic, ())
        }
        self._participants_by_id: dict[str, _ParticipantLeases] = {}
        self._main_ids = dict(main_ids or {})
        # pairs of norming rounds, which were assigned to all participants regardless of the overlap
        self._shared_pairs = frozenset(shared_pairs)
        # pairs that are judged automatically without being shown, such as pairs of identical lists
        self._uncounted_pairs = frozenset(uncounted_pairs)
        self._rank: dict[Pair, int] = {}
        self._pairs_by_topic: dict[str, list[Pair]] = {}
        self._needed_counts: Counter[str] = Counter()
        # number of pairs of each topic, without withdrawn and uncounted pairs
        self._offered_pair_counts: Counter[str] = Counter()
        # number of counted judgments of each topic, at most `overlap` for each pair
        self._progress_counts: Counter[str] = Counter()
        self._judgment_counts: Counter[Pair] = Counter()
        self._occupant_counts: Counter[Pair] = Counter()
        self._leases: dict[Pair, list[Lease]] = defaultdict(list)
        self._withdrawn_pairs: set[Pair] = set()
        # pairs outside the pool, each with the reason for its presentation
        self._outside_pool: dict[Pair, Role] = {}
        self._wanted_documents = (
            dict.fromkeys(pool, terms.size) if terms.order == "learning" else {}
        )  # number of documents that active learning selects for each topic
        self.extend(pool)

    @property
    def mixes_topics(self) -> bool:
        """Whether a participant may get documents of other topics before a topic is finished."""
        return self.terms.order not in ("drawn", "learning")

    # Pairs

    def extend(self, pool: Mapping[str, Sequence[str]], role: Role = "document") -> None:
        """Add the pairs of a new pool version or of search results; ignore known pairs."""
        for topic, document_names in pool.items():
            documents = dict.fromkeys(document_names)  # a pool file may contain duplicates
            if role != "document":
                self._outside_pool |= {
                    (topic, document): role
                    for document in documents
                    if (topic, document) not in self._rank
                }
            calibration = set(self._calibration.get(topic, ()))
            new_pairs = [
                (topic, document)
                for document in documents
                if (topic, document) not in self._rank and document not in calibration
            ]
            if self.terms.order != "pool":
                new_pairs = self._hash_order.shuffle(
                    new_pairs, "session", topic, lambda pair: pair[1]
                )
            for pair in new_pairs:
                self._rank[pair] = len(self._rank)
            self._pairs_by_topic.setdefault(topic, []).extend(new_pairs)
            self._needed_counts[topic] += sum(
                max(0, self.terms.overlap - self._occupant_counts[pair]) for pair in new_pairs
            )
            self._offered_pair_counts[topic] += sum(
                pair not in self._uncounted_pairs for pair in new_pairs
            )
        if self.terms.order in ("mixed", "decisive"):
            self._update_ranks()

    def _update_ranks(self, preferred_pairs: Sequence[Pair] = ()) -> None:
        """Rank the preferred pairs first, in the given order, and all other pairs randomly."""
        first_pairs = dict.fromkeys(pair for pair in preferred_pairs if pair in self._rank)
        shuffled_pairs = self._hash_order.shuffle(
            [pair for pair in self._rank if pair not in first_pairs], "mixed", SEPARATOR.join
        )
        self._rank = {pair: rank for rank, pair in enumerate([*first_pairs, *shuffled_pairs])}

    def prefer(self, pairs: Sequence[Pair]) -> None:
        """Assign `pairs` first, in the given order, if the order of the session is "decisive"."""
        if self.terms.order == "decisive":
            self._update_ranks(pairs)

    def withdraw(self, pairs: Iterable[Pair]) -> list[Lease]:
        """Stop assigning the given pairs; release and return the held leases of these pairs.

        Judgments of the pairs still count.
        """
        withdrawn_leases = []
        for pair in pairs:
            if pair in self._rank and pair not in self._withdrawn_pairs:
                self._needed_counts[pair[0]] -= max(
                    0, self.terms.overlap - self._occupant_counts[pair]
                )
                if pair not in self._uncounted_pairs:
                    self._offered_pair_counts[pair[0]] -= 1
                    self._progress_counts[pair[0]] -= min(
                        self._judgment_counts[pair], self.terms.overlap
                    )
                self._withdrawn_pairs.add(pair)
                withdrawn_leases += self._leases[pair]
        return self.release(withdrawn_leases)

    # Active learning and search

    def list_incomplete_topics(self, participant_id: str) -> list[str]:
        """Return the topics for which active learning has to select more documents.

        The list is empty if a pair can be assigned to the participant without selecting documents.
        The participant's current topic comes first, then the topics with the fewest documents.
        """
        participant = self._get_leases(participant_id)
        if (
            not self._wanted_documents
            or participant.is_excluded
            or self._find_best_pair(participant) is not None
        ):
            return []
        topics = [
            topic
            for topic, count in self._wanted_documents.items()
            if len(self._pairs_by_topic[topic]) < count
        ]
        return sorted(
            topics, key=lambda topic: (topic != participant.topic, len(self._pairs_by_topic[topic]))
        )

    def list_documents(self, topic: str) -> list[str]:
        """Return the documents added to a topic so far."""
        return [document for _, document in self._pairs_by_topic.get(topic, ())]

    def complete_topic(self, topic: str) -> None:
        """Record that active learning cannot select more documents for a topic."""
        self._wanted_documents[topic] = len(self._pairs_by_topic[topic])

    def add_document(self, topic: str, document: str) -> None:
        """Add a document that active learning selected."""
        self.extend({topic: [document]}, "learnt")

    def assign_pair(self, participant_id: str, pair: Pair, now: float) -> Lease | None:
        """Assign a given pair to a participant.

        Return None if the participant is excluded or was assigned the pair before, if enough
        participants hold or have judged the pair, or if the pair is withdrawn.
        """
        participant = self._get_leases(participant_id)
        if (
            participant.is_excluded
            or pair in participant.leases_by_pair
            or self._occupant_counts[pair] >= self.terms.overlap
            or pair in self._withdrawn_pairs
        ):
            return None
        lease = self._add_lease(
            Lease(participant_id, pair, self._outside_pool.get(pair, "document"), state="lost")
        )
        self._set_state(lease, "held")
        lease.expiry_time = now + self.terms.lease
        return lease

    def reassign_lost(self, participant_id: str, pair: Pair, now: float) -> list[Lease]:
        """Assign a pair again to a participant who lost it; return the lease, if it is possible."""
        participant = self._get_leases(participant_id)
        lost_leases = [
            lease
            for lease in participant.leases_by_pair.get(pair, ())
            if lease.state == "lost"
            and lease.votes
            and lease.participant_id == participant_id
            and self._can_reassign(pair, participant)
        ][:1]
        for lease in lost_leases:
            self._set_state(lease, "held")
            lease.expiry_time = now + self.terms.lease
        return lost_leases

    # Participants

    @property
    def main_ids(self) -> Mapping[str, str]:
        """Main id of each id that was merged into it."""
        return self._main_ids

    def find_main_id(self, participant_id: str) -> str:
        """Return the main id of a participant."""
        return self._main_ids.get(participant_id, participant_id)

    def is_excluded(self, participant_id: str) -> bool:
        """Return whether the judgments of a participant are excluded."""
        return self._get_leases(participant_id).is_excluded

    def list_ids(self, participant_id: str) -> list[str]:
        """Return all ids of a participant; the main id comes first."""
        participant = self.find_main_id(participant_id)
        return [
            participant,
            *(id for id, main_id in self._main_ids.items() if main_id == participant),
        ]

    def _get_leases(self, participant_id: str) -> _ParticipantLeases:
        return self._participants_by_id.setdefault(
            self.find_main_id(participant_id), _ParticipantLeases()
        )

    def restore(self, lease: Lease, now: float) -> None:
        """Restore a stored lease; a held lease will expire one lease time after `now`."""
        state, lease.state = lease.state, "lost"
        self._add_lease(lease)
        self._set_state(lease, state)
        lease.expiry_time = now + self.terms.lease

    def move(self, lease: Lease, state: State, now: float) -> None:
        """Apply the state of a lease that another server of the session stored."""
        self._set_state(lease, state)
        lease.expiry_time = now + self.terms.lease

    def claim(self, participant_id: str, now: float, count: int = 1) -> Claim:
        """Assign pairs to a participant until `count` leases are assigned or no pair is left.

        The claim is empty if no pair is left or if the participant is excluded. The claim can have
        more than `count` leases, since the calibration documents of a topic are assigned together.
        """
        claim, participant = Claim(), self._get_leases(participant_id)
        while len(claim.leases) < count and not participant.is_excluded:
            lost_lease = self._find_lost_test(participant_id, participant)
            choice = None if lost_lease else self._choose_next(participant_id, participant, now)
            if not (lost_lease or choice):
                claim.lost += self.release(
                    self._list_expired_elsewhere(participant_id, participant, now)
                )
                lost_lease = self._find_lost_lease(participant_id, participant)
                choice = (
                    None
                    if lost_lease
                    else self._choose_lost_elsewhere(participant_id, participant)
                    or self._choose_shared(participant)
                )
            if lost_lease:
                leases = [lost_lease]
            elif choice:
                leases = self._make_leases(participant_id, participant, choice)
            else:
                break
            if (
                choice
                and choice.evicted_lease
                and choice.evicted_lease.state == "held"
                and leases[-1].pair == choice.pair
            ):
                self._set_state(choice.evicted_lease, "lost")
                claim.lost.append(choice.evicted_lease)
            for lease in leases:
                self._set_state(lease, "held")
                lease.expiry_time = now + self.terms.lease
            claim.leases += leases
        return claim

    def record_heartbeat(self, participant_id: str, now: float) -> None:
        """Renew all leases that an id holds, after a heartbeat."""
        for lease in self.list_held(participant_id):
            lease.expiry_time = now + self.terms.lease

    def record_judgment(self, lease: Lease) -> State:
        """Record that the item of a lease was judged, and return the new state of the lease.

        The state is `counted`, `late`, or `taken` if the host accepted a late judgment.
        """
        participant = self._get_leases(lease.participant_id)
        if lease.state in ("held", "lost"):
            is_counted = not participant.is_excluded and (
                not lease.votes or self._counts_towards_overlap(lease, participant)
            )
            self._set_state(lease, "counted" if is_counted else "late")
        return lease.state

    def _counts_towards_overlap(self, lease: Lease, participant: _ParticipantLeases) -> bool:
        """Return whether a judgment of a lease counts towards the overlap of the lease's pair.

        The judgment always counts if the participant's judgment of the pair under another id
        already counts, since this does not increase any count.
        """
        if participant.has_lease(lease.pair, VOTING_STATES):
            return True
        if lease.state == "held":
            return self._judgment_counts[lease.pair] < self.terms.overlap
        occupants = self._occupant_counts[lease.pair] - participant.has_lease(
            lease.pair, OCCUPYING_STATES
        )  # this lease is lost, but the participant may hold the pair under another id
        return occupants < self.terms.overlap and lease.pair not in self._withdrawn_pairs

    def withdraw_leases(self, pair: Pair) -> list[Lease]:
        """If a pair has all its judgments, release the held leases of the pair; return them."""
        return self.release(
            self._leases[pair] if self._judgment_counts[pair] >= self.terms.overlap else ()
        )

    def record_undo(self, lease: Lease, now: float) -> None:
        """Record that a judgment was undone.

        A lease whose judgment counted is held again, or lost if the participant is excluded. A late
        lease is lost.
        """
        if lease.state in VOTING_STATES:
            self._set_state(
                lease, "lost" if self._get_leases(lease.participant_id).is_excluded else "held"
            )
            lease.expiry_time = now + self.terms.lease
        elif lease.state == "late":
            self._set_state(lease, "lost")

    def release(self, leases: Iterable[Lease]) -> list[Lease]:
        """Release and return those of `leases` that are held; their pairs can be assigned again."""
        released_leases = [lease for lease in leases if lease.state == "held"]
        for lease in released_leases:
            self._set_state(lease, "lost")
        return released_leases

    def release_duplicates(self, participant_id: str) -> list[Lease]:
        """Release and return held leases of pairs that a participant was assigned under two ids.

        If a pair was judged under one id, all held leases of the pair are released. Otherwise, all
        held leases of the pair except the last one are released.
        """
        duplicates = []
        for leases in self._get_leases(participant_id).leases_by_pair.values():
            first_leases = [lease for lease in leases if lease.occurrence == 1]
            held_leases = [lease for lease in first_leases if lease.state == "held"]
            duplicates += (
                held_leases
                if any(lease.state in JUDGED_STATES for lease in first_leases)
                else held_leases[:-1]
            )
        return self.release(duplicates)

    def accept_late(self, lease: Lease) -> bool:
        """Accept a late judgment; return whether the lease was late."""
        if lease.state != "late":
            return False
        self._set_state(lease, "taken")
        return True

    def count_late(self, lease: Lease) -> bool:
        """Count a late judgment if its pair lacks judgments, as after the overlap was raised."""
        participant = self._get_leases(lease.participant_id)
        if lease.state != "late" or not self._counts_towards_overlap(lease, participant):
            return False
        self._set_state(lease, "counted")
        return True

    def exclude_participant(self, participant_id: str) -> list[Lease]:
        """Exclude a participant; return their leases that were held and are now lost.

        The participant's judgments no longer count; the pairs are assigned to other participants.
        """
        participant = self._get_leases(participant_id)
        released_leases = self.release(participant.leases)
        if not participant.is_excluded:
            participant.is_excluded = True
            for pair in self._list_counted_pairs(participant):
                self._change_occupant_count(pair, -1)
                self._change_judgment_count(pair, -1)
        return released_leases

    def readmit_participant(self, participant_id: str) -> list[Lease]:
        """Include a participant again; return the leases whose states change.

        Leases of the participant become late if other participants judged their pairs during the
        exclusion. Leases of other participants become lost if their pairs are now complete.
        """
        participant = self._get_leases(participant_id)
        late_leases, lost_leases = list[Lease](), list[Lease]()
        if participant.is_excluded:
            participant.is_excluded = False
            for pair in self._list_counted_pairs(participant):
                is_complete = (
                    pair not in self._shared_pairs
                    and self._judgment_counts[pair] >= self.terms.overlap
                )
                if is_complete:
                    late_leases += [
                        lease
                        for lease in participant.leases_by_pair[pair]
                        if lease.votes and lease.state == "counted"
                    ]
                if not is_complete or participant.has_lease(pair, ACCEPTED_LATE):
                    self._change_occupant_count(pair, 1)
                    self._change_judgment_count(pair, 1)
                    lost_leases += self.withdraw_leases(pair)
        for lease in late_leases:
            lease.state = "late"
        return [*late_leases, *lost_leases]

    @staticmethod
    def _list_counted_pairs(participant: _ParticipantLeases) -> list[Pair]:
        return [
            pair
            for pair in participant.leases_by_pair
            if participant.has_lease(pair, VOTING_STATES)
        ]

    # Status

    def leases(self, participant_id: str) -> tuple[Lease, ...]:
        """Return all leases of an id, in order of presentation."""
        return tuple(
            lease
            for lease in self._get_leases(participant_id).leases
            if lease.participant_id == participant_id
        )

    def list_held(self, participant_id: str) -> list[Lease]:
        """Return the leases that an id holds."""
        return [
            lease
            for lease in self._get_leases(participant_id).held_leases
            if lease.participant_id == participant_id
        ]

    def list_late(self) -> list[Lease]:
        """Return all late leases, grouped by participant."""
        return [
            lease
            for participant in self._participants_by_id.values()
            for lease in participant.leases
            if lease.state == "late"
        ]

    def progress(self) -> dict[str, tuple[int, int]]:
        """Return, for each topic, the numbers of counted judgments and of wanted judgments."""
        return {
            topic: (
                self._progress_counts[topic],
                max(self._offered_pair_counts[topic], self._wanted_documents.get(topic, 0))
                * self.terms.overlap,
            )
            for topic in self._pairs_by_topic
        }

    def list_unfinished_pairs(self) -> list[Pair]:
        """Return the pairs that lack judgments."""
        overlap = self.terms.overlap
        return [
            pair
            for pair in self._rank
            if self._judgment_counts[pair] < overlap and pair not in self._withdrawn_pairs
        ]

    def has_more(self, participant_id: str, unfinished_pairs: Sequence[Pair]) -> bool:
        """Return whether a participant may be assigned more pairs.

        A pair of `unfinished_pairs` may be assigned if the participant has not judged it, even if
        another participant holds it. The result is also True if active learning has to select more
        documents.
        """
        participant = self._get_leases(participant_id)
        return any(
            len(self._pairs_by_topic[topic]) < count
            for topic, count in self._wanted_documents.items()
        ) or any(not participant.has_lease(pair, JUDGED_STATES) for pair in unfinished_pairs)

    @property
    def is_done(self) -> bool:
        """Whether every pair has all its judgments."""
        return all(
            counted_count >= wanted_count
            for counted_count, wanted_count in self.progress().values()
        )

    def is_current(self, pair: Pair) -> bool:
        """Return whether a pair is included in `progress`; pairs of norming rounds are not."""
        return pair not in self._shared_pairs

    def is_counted(self, pair: Pair) -> bool:
        """Return whether a pair counts as work; pairs that are judged automatically do not."""
        return pair not in self._uncounted_pairs

    def count_complete(self) -> int:
        """Return how many of the pairs in `progress` have all their judgments."""
        overlap, ignored_pairs = self.terms.overlap, self._withdrawn_pairs | self._uncounted_pairs
        return sum(
            count >= overlap and pair not in ignored_pairs
            for pair, count in self._judgment_counts.items()
            if pair in self._rank
        )

    def count_judgments(self, pair: Pair) -> int:
        """Return the number of judgments of a pair that count."""
        return self._judgment_counts[pair]

    # Selection of the next pair

    def _choose_next(
        self, participant_id: str, participant: _ParticipantLeases, now: float
    ) -> _Choice | None:
        """Select the next pair of a participant; None if no pair is left.

        Qualification items come first. After these, a pair that needs judgments is selected or, if
        there is none, a pair whose lease has expired. A gold item or repeat that is due is selected
        instead of this pair.
        """
        qualification = self._choose_qualification(participant)
        if qualification is not None:
            return _Choice(qualification, "qualification")
        pair, evicted_lease = self._find_best_pair(participant), None
        if pair is None:
            evicted_lease = min(
                (
                    lease
                    for lease in self._iter_leases_of_others(participant)
                    if lease.expiry_time < now
                ),
                key=lambda lease: (lease.expiry_time, self._rank[lease.pair]),
                default=None,
            )
            if evicted_lease is None:
                return None
            pair = evicted_lease.pair
        return self._choose_gold_or_repeat(participant_id, participant) or _Choice(
            pair, evicted_lease=evicted_lease
        )

    def _make_leases(
        self, participant_id: str, participant: _ParticipantLeases, choice: _Choice
    ) -> list[Lease]:
        """Add and return a lease for a choice.

        If the topic of the choice is new to the participant and has calibration documents, add and
        return leases of these documents instead.
        """
        topic = choice.pair[0]
        is_first_batch, calibration = (
            topic not in participant.topics,
            self._calibration.get(topic, ()),
        )
        pairs = [
            (topic, document)
            for document in calibration
            if is_first_batch and (topic, document) not in participant.leases_by_pair
        ]
        if pairs:
            return [
                self._add_lease(Lease(participant_id, pair, "calibration", state="lost"))
                for pair in self._hash_order.shuffle(
                    pairs, "opening", participant_id, lambda pair: pair[1]
                )
            ]
        role = (
            self._outside_pool.get(choice.pair, choice.role)
            if choice.role == "document"
            else choice.role
        )
        return [
            self._add_lease(Lease(participant_id, choice.pair, role, choice.occurrence, "lost"))
        ]

    def _find_best_pair(self, participant: _ParticipantLeases) -> Pair | None:
        open_topics = [topic for topic in self._pairs_by_topic if self._needed_counts[topic] > 0]
        if self.mixes_topics:
            pairs = (
                pair for topic in open_topics for pair in self._iter_open_pairs(topic, participant)
            )
            return min(pairs, key=self._rank.__getitem__, default=None)
        open_topics.sort(
            key=lambda topic: (topic != participant.topic, -self._needed_counts[topic])
        )
        for topic in open_topics:
            best_pair = self._find_least_occupied(self._iter_open_pairs(topic, participant))
            if best_pair is not None:
                return best_pair
        return None

    def _find_least_occupied(self, pairs: Iterable[Pair]) -> Pair | None:
        """Return the pair that the fewest participants hold or have judged; None without pairs.

        If several pairs are equally suitable, return the first of them.
        """
        best_pair: Pair | None = None
        for pair in pairs:
            if best_pair is None or self._occupant_counts[pair] < self._occupant_counts[best_pair]:
                best_pair = pair
            if not self._occupant_counts[best_pair]:
                break
        return best_pair

    def _iter_open_pairs(self, topic: str, participant: _ParticipantLeases) -> Iterator[Pair]:
        for pair in self._pairs_by_topic[topic]:
            if (
                self._occupant_counts[pair] < self.terms.overlap
                and pair not in participant.leases_by_pair
                and pair not in self._withdrawn_pairs
            ):
                yield pair

    def _find_lost_test(self, participant_id: str, participant: _ParticipantLeases) -> Lease | None:
        """Return a lost lease of a qualification or calibration document; None if there is none.

        Without it, a participant whose documents were released would judge without having
        qualified.
        """
        return next(
            (
                lease
                for lease in participant.leases
                if lease.state == "lost"
                and lease.role in ("qualification", "calibration")
                and lease.participant_id == participant_id
                and (not lease.votes or self._can_reassign(lease.pair, participant))
            ),
            None,
        )

    def _find_lost_lease(
        self, participant_id: str, participant: _ParticipantLeases
    ) -> Lease | None:
        """Return a lost lease whose pair can be assigned to the participant again, or None.

        A small group could not complete all pairs if lost pairs were never assigned again.
        """
        return next(
            (
                lease
                for lease in participant.leases
                if lease.state == "lost"
                and lease.votes
                and lease.participant_id == participant_id
                and self._can_reassign(lease.pair, participant)
            ),
            None,
        )

    @staticmethod
    def _list_expired_elsewhere(
        participant_id: str, participant: _ParticipantLeases, now: float
    ) -> list[Lease]:
        """Return the expired leases that a participant holds under other ids."""
        return [
            lease
            for lease in participant.held_leases
            if lease.participant_id != participant_id and lease.votes and lease.expiry_time < now
        ]

    def _choose_lost_elsewhere(
        self, participant_id: str, participant: _ParticipantLeases
    ) -> _Choice | None:
        """Select an assignable pair that the participant lost under another id.

        Pairs that were assigned under `participant_id` are not selected.
        """
        return next(
            (
                _Choice(lost_lease.pair)
                for lost_lease in participant.leases
                if lost_lease.state == "lost"
                and lost_lease.votes
                and self._can_reassign(lost_lease.pair, participant)
                and all(
                    lease.participant_id != participant_id
                    for lease in participant.leases_by_pair[lost_lease.pair]
                )
            ),
            None,
        )

    def _can_reassign(self, pair: Pair, participant: _ParticipantLeases) -> bool:
        """Return whether a pair can be assigned again to a participant who lost the pair."""
        return (
            pair not in self._withdrawn_pairs
            and self._occupant_counts[pair] < self.terms.overlap
            and not participant.has_lease(pair, PRESENTED_STATES)
        )

    def _choose_shared(self, participant: _ParticipantLeases) -> _Choice | None:
        """Select a pair that another participant holds, if this participant holds no lease."""
        if not self.terms.share_last or participant.held_leases:
            return None
        pairs = {
            lease.pair
            for lease in self._iter_leases_of_others(participant)
            if self._judgment_counts[lease.pair] < self.terms.overlap
        }
        least_occupied_pair = min(
            pairs, key=lambda pair: (self._occupant_counts[pair], self._rank[pair]), default=None
        )
        return None if least_occupied_pair is None else _Choice(least_occupied_pair)

    def _iter_leases_of_others(self, participant: _ParticipantLeases) -> Iterator[Lease]:
        for other_participant in self._participants_by_id.values():
            if other_participant is not participant:
                yield from (
                    lease
                    for lease in other_participant.held_leases
                    if lease.votes and lease.pair not in participant.leases_by_pair
                )

    def _choose_gold_or_repeat(
        self, participant_id: str, participant: _ParticipantLeases
    ) -> _Choice | None:
        repeated_pair = (
            self._choose_repeat(participant_id, participant)
            if self._is_due("repeat", participant_id, participant)
            else None
        )
        if repeated_pair is not None:
            return _Choice(repeated_pair, "repeat", 2)
        gold_pair = (
            self._choose_gold(participant_id, participant)
            if self._is_due("gold", participant_id, participant)
            else None
        )
        return None if gold_pair is None else _Choice(gold_pair, "gold")

    def _is_due(self, role: Role, participant_id: str, participant: _ParticipantLeases) -> bool:
        """Return whether the next presentation should be a repeat or a gold item (`role`).

        Each block of presentations contains one such item, at a random position.
        """
        interval = self.terms.gold_every if role == "gold" else self.terms.repeats_every
        if not interval:
            return False
        block, position = divmod(len(participant.leases), interval)
        return (
            position
            == self._hash_order.number(role, self.find_main_id(participant_id), str(block))
            % interval
        )

    def _choose_qualification(self, participant: _ParticipantLeases) -> Pair | None:
        """Return the next qualification item of a participant; None if there are no more.

        The order of the items depends neither on the participant nor on the gold answers.
        """
        if (
            sum(lease.role == "qualification" for lease in participant.leases)
            >= self.terms.qualification
        ):
            return None
        return min(
            self._iter_gold(participant),
            key=lambda pair: (pair in self._rank, self._hash_order.number("qualification", *pair)),
            default=None,
        )

    def _choose_gold(self, participant_id: str, participant: _ParticipantLeases) -> Pair | None:
        """Select a gold item; None if there is none.

        Items of the participant's current topic are preferred, then documents outside the pool.
        """
        return min(
            self._iter_gold(participant),
            key=lambda pair: (
                pair[0] != participant.topic,
                pair in self._rank,
                self._hash_order.number("gold", self.find_main_id(participant_id), *pair),
            ),
            default=None,
        )

    def _iter_gold(self, participant: _ParticipantLeases) -> Iterator[Pair]:
        """Yield the gold items that can be assigned to a participant."""
        return (
            pair
            for pair in self._gold
            if pair[0] in self._pairs_by_topic
            and pair not in participant.leases_by_pair
            and (
                pair not in self._rank
                or (
                    pair not in self._withdrawn_pairs
                    and self._occupant_counts[pair] < self.terms.overlap
                )
            )
        )

    def _choose_repeat(self, participant_id: str, participant: _ParticipantLeases) -> Pair | None:
        repeated_pairs = {lease.pair for lease in participant.leases if lease.role == "repeat"}
        earlier_leases = participant.leases[: max(0, len(participant.leases) - MIN_REPEAT_DISTANCE)]
        pairs = [
            lease.pair
            for lease in earlier_leases
            # the first judgment and the repeated judgment must be in the log of the same id
            if lease.participant_id == participant_id
            and lease.state == "counted"
            and lease.occurrence == 1
            and lease.role in ("document", "gold", *DOCUMENT_SOURCES)
            and lease.pair not in repeated_pairs
            and self._may_repeat(lease)
        ]
        return min(
            pairs,
            key=lambda pair: (
                pair[0] != participant.topic,
                self._hash_order.number("repeat", participant_id, *pair),
            ),
            default=None,
        )

    # Counters

    def _add_lease(self, lease: Lease) -> Lease:
        """Add a lease in the state "lost", and return it; use `_set_state` to change the state."""
        participant = self._get_leases(lease.participant_id)
        lease.votes = lease.occurrence == 1 and lease.pair in self._rank
        participant.leases.append(lease)
        participant.leases_by_pair.setdefault(lease.pair, []).append(lease)
        participant.topics.add(lease.pair[0])
        if lease.votes:
            self._leases[lease.pair].append(lease)
        return lease

    def _set_state(self, lease: Lease, state: State) -> None:
        """Set the state of a lease and update all counts.

        All other methods change states only by calling this method, except `readmit_participant`.
        """
        participant, pair = self._get_leases(lease.participant_id), lease.pair
        counts_before = (
            participant.has_lease(pair, OCCUPYING_STATES),
            participant.has_lease(pair, VOTING_STATES),
        )
        lease.state = state
        if state == "held":
            participant.held_leases[lease] = None
        else:
            participant.held_leases.pop(lease, None)
        if lease.votes and not participant.is_excluded:
            self._change_occupant_count(
                pair, participant.has_lease(pair, OCCUPYING_STATES) - counts_before[0]
            )
            self._change_judgment_count(
                pair, participant.has_lease(pair, VOTING_STATES) - counts_before[1]
            )

    def _change_judgment_count(self, pair: Pair, change: int) -> None:
        previous_count = min(self._judgment_counts[pair], self.terms.overlap)
        self._judgment_counts[pair] += change
        if pair not in self._withdrawn_pairs and pair not in self._uncounted_pairs:
            self._progress_counts[pair[0]] += (
                min(self._judgment_counts[pair], self.terms.overlap) - previous_count
            )

    def _change_occupant_count(self, pair: Pair, change: int) -> None:
        previous_count = max(0, self.terms.overlap - self._occupant_counts[pair])
        self._occupant_counts[pair] += change
        if pair not in self._withdrawn_pairs:
            self._needed_counts[pair[0]] += (
                max(0, self.terms.overlap - self._occupant_counts[pair]) - previous_count
            )


OCCUPYING_STATES: frozenset[State] = frozenset({"held", "counted", "taken"})
VOTING_STATES: frozenset[State] = frozenset({"counted", "taken"})
PRESENTED_STATES: frozenset[State] = OCCUPYING_STATES | {"late"}
JUDGED_STATES: frozenset[State] = VOTING_STATES | {"late"}
ACCEPTED_LATE: frozenset[State] = frozenset({"taken"})
