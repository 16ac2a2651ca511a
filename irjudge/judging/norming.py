"""Norming rounds of a session.

In a round, all participants judge the same documents independently. After the round is closed,
they discuss the judgments and judge the documents again in a new round.
"""

from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from irjudge.errors import ProjectError
from irjudge.judging.assignable_documents import GOLD_FROM, read_gold
from irjudge.judging.counted_assessors import find_uncounted_assessors
from irjudge.judging.ledger import Ledger, get_ledger
from irjudge.judging.recorder import ROUND_KEY
from irjudge.model import (
    NORMING_ROLE,
    UNJUDGEABLE,
    AssignedItem,
    Event,
    Labels,
    OrganiserNote,
    Pair,
    Scale,
    make_labels,
)
from irjudge.stats import Sampling
from irjudge.stats.agreement import AgreementEstimate, agreement, agreement_by_grade
from irjudge.store import Project, StoredSession

NORMING_KEY = "norming"  # key of the rounds in the stored options of a session
STATISTICS = ("alpha-ordinal", "alpha-nominal", "kappa", "raw-agreement")
GRADE_STATISTICS = ("alpha-nominal", "positive-agreement")
# maximum share of the most frequent grade among the judgments of a disputed document
MAX_DISPUTED_SHARE = 2 / 3
COUNTED_STATES = ("", "counted", "taken")  # states of items whose judgment is a vote in the round


@dataclass(frozen=True, slots=True)
class NormingRound:
    """Norming round: documents that every participant judges once, and times of the round.

    A round can be a test, and can be reopened after its results were shown. The judgments are not
    included.
    """

    pairs: tuple[Pair, ...]
    opened: str  # time of opening (UTC)
    closed: str = ""  # time of closing (UTC); empty while the round is open
    # whether the round is a test, which compares participants with gold grades or with each other
    qualifies: bool = False
    reopened: str = ""  # UTC time when the round was last reopened after its results were shown


@dataclass(frozen=True, slots=True)
class Norming:
    """State of norming in a session: rounds (oldest first), discussed document and settings.

    Norming rounds precede the judging of the pool; `over` is set when they have ended. The
    judgments are not included.
    """

    rounds: tuple[NormingRound, ...] = ()
    shown: int | None = None  # index of the discussed document in the newest round
    # whether participants are asked for consent to show their names with their reasons
    names: bool = False
    over: bool = False  # whether the rounds have ended, so that the pool is judged

    @staticmethod
    def from_json(data: Mapping[str, Any]) -> "Norming":
        """Parse the stored norming rounds of a session."""
        try:
            rounds = tuple(
                NormingRound(
                    tuple((str(topic), str(document)) for topic, document in round_data["pairs"]),
                    **{
                        name: round_data[name]
                        for name in ("opened", "closed", "qualifies", "reopened")
                        if name in round_data
                    },
                )
                for round_data in data["rounds"]
            )
            return Norming(
                rounds, **{name: data[name] for name in ("shown", "names", "over") if name in data}
            )
        except (KeyError, TypeError, ValueError) as error:
            raise ProjectError(
                "Cannot read the norming rounds of a session ({error!r}).", error=error
            ) from error

    @property
    def open(self) -> bool:
        """Whether the newest round is open for judging."""
        return bool(self.rounds) and not self.rounds[-1].closed

    @property
    def pairs(self) -> frozenset[Pair]:
        """Pairs of all rounds."""
        return frozenset(pair for norming_round in self.rounds for pair in norming_round.pairs)

    def before(self, round_number: int, pair: Pair) -> int:
        """Return the number of the last earlier round that has a pair; 0 if there is none."""
        return next(
            (
                round_number
                for round_number in range(round_number - 1, 0, -1)
                if pair in self.rounds[round_number - 1].pairs
            ),
            0,
        )


def read_norming(session: StoredSession) -> Norming | None:
    """Return the norming rounds of a session; None if the session has no norming."""
    stored_rounds = session.terms.get(NORMING_KEY)
    return Norming.from_json(stored_rounds) if stored_rounds else None


# Round numbers of assigned items. The number is stored as the left run of an item, so that items of
# one document in different rounds are distinct in the store.


MAX_DIGITS = 9  # maximum digits of a round number; a longer text is invalid


def make_norming_note(round_number: int) -> OrganiserNote:
    """Return the organiser's note for an item that is assigned in a norming round."""
    return OrganiserNote(NORMING_ROLE, str(round_number))


def read_round_number(secret: OrganiserNote) -> int:
    """Return the number of the norming round in which an item was assigned, or 0.

    >>> [read_round_number(OrganiserNote(NORMING_ROLE, text)) for text in ("2", "²", "9" * 5000)]
    [2, 0, 0]
    """
    round_number = secret.left_run
    is_number = (
        round_number.isascii() and round_number.isdigit() and len(round_number) <= MAX_DIGITS
    )
    return int(round_number) if secret.role == NORMING_ROLE and is_number else 0


@dataclass(frozen=True, slots=True)
class RoundVote:
    """Judgment of one participant on a document in a norming round, with its reasons.

    The reasons are passages of the document that the participant marked, and the note.
    `participant_id` is the main id, if the ids of a participant were merged.
    """

    participant_id: str
    round_number: int
    pair: Pair
    grade: int  # grade of the scale, or `UNJUDGEABLE`
    reasons: tuple[str, ...] = ()  # texts of the marked passages (rationales), then the note

    @staticmethod
    def from_event(
        participant_id: str, round_number: int, event: Event, ledger: Ledger
    ) -> "RoundVote":
        """Convert a current judgment to a vote."""
        grade = int(event.payload["value"]) if event.kind == "grade" else UNJUDGEABLE
        marks = ledger.marks(event.item.key)
        reasons = (*(rationale.text for rationale in marks.rationales), marks.note)
        return RoundVote(
            participant_id,
            round_number,
            (event.item.topic, event.item.documents[0]),
            grade,
            tuple(filter(None, reasons)),
        )


def collect_round_votes(project: Project, session: StoredSession) -> list[RoundVote]:
    """Return the votes in all rounds of a session, of participants whose judgments count.

    If a participant voted on a document under several ids, the vote under the main id counts.
    """
    uncounted_assessors, first_ids = find_uncounted_assessors(project), project.sessions.first_ids()
    participants = sorted(
        project.sessions.participants(session.code),
        key=lambda participant: participant.id in first_ids,
    )
    votes: dict[tuple[str, int, Pair], RoundVote] = {}
    for participant in participants:
        first_id = first_ids.get(participant.id, participant.id)
        for vote in (
            _iter_round_votes(project, participant.id, first_id, participant.assignment)
            if not {first_id, participant.id} & uncounted_assessors
            else ()
        ):
            votes.setdefault((first_id, vote.round_number, vote.pair), vote)
    return list(votes.values())


def _iter_round_votes(
    project: Project, assessor: str, participant_id: str, assignment: int
) -> Iterator[RoundVote]:
    ledger, states = get_ledger(project, assessor), project.sessions.item_states(assignment)
    occurrences = Counter[AssignedItem]()
    for index, item, secret in project.assignments.all_assigned_items(assignment):
        occurrences[item] += 1
        event = ledger.judgment((item.topic, item.documents, occurrences[item]))
        if (
            event is not None
            and read_round_number(secret)
            and states.get(index, "") in COUNTED_STATES
        ):
            yield RoundVote.from_event(participant_id, read_round_number(secret), event, ledger)


# Results of rounds


@dataclass(frozen=True, slots=True)
class RoundDocument:
    """Summary of the votes on a document in a round: counts of grades, and reasons.

    A document is disputed (`is_split`) if it has two or more votes, of which no grade has more than
    two thirds; unjudgeable counts as a grade.
    """

    round_number: int
    pair: Pair
    counts: tuple[tuple[int, int], ...]  # number of votes for each grade of the scale
    unjudgeable: int  # number of votes that the document is unjudgeable
    # (supported grade, text, participant) of each reason; `name_reasons` replaces the id of the
    # participant with a name, or removes it
    reasons: tuple[tuple[int, str, str], ...]

    @property
    def votes(self) -> int:
        """Number of votes."""
        return self.unjudgeable + sum(count for _, count in self.counts)

    @property
    def is_split(self) -> bool:
        """Whether there are two or more votes, of which no grade has more than two thirds."""
        largest_count = max((self.unjudgeable, *(count for _, count in self.counts)))
        return self.votes > 1 and largest_count <= MAX_DISPUTED_SHARE * self.votes


@dataclass(frozen=True, slots=True)
class RoundResult:
    """Result of a norming round: agreement, votes and, in a test, each participant's matches.

    `participants` is the number of participants with at least one vote. In a test, each judgment is
    compared with the gold grade of its document or, if there is none, with the most frequent grade
    of the other participants; it is not compared if this grade is tied or missing. If the round is
    not a test, `qualified` is empty.
    """

    number: int
    norming_round: NormingRound
    participants: int
    # agreement on all grades, then agreement on each grade (`of`), for which all other grades count
    # as one grade
    agreement: tuple[AgreementEstimate, ...]
    documents: tuple[RoundDocument, ...]
    # in a test: numbers of matching and of compared judgments, by participant
    qualified: Mapping[str, tuple[int, int]]

    @property
    def disputed_documents(self) -> tuple[RoundDocument, ...]:
        """Disputed documents; see `RoundDocument.is_split`."""
        return tuple(document for document in self.documents if document.is_split)

    def value(self, statistic: str, scale: str) -> AgreementEstimate:
        """Return the estimate of a statistic on all grades."""
        return next(
            estimate
            for estimate in self.agreement
            if (estimate.statistic, estimate.scale, estimate.of) == (statistic, scale, "")
        )


def summarize_round_documents(
    norming: Norming, round_number: int, votes: Iterable[RoundVote], scale: Scale
) -> tuple[RoundDocument, ...]:
    """Return a summary of the votes on each document of a round, in the order of the round."""
    votes_by_pair: dict[Pair, list[RoundVote]] = defaultdict(list)
    for vote in votes:
        if vote.round_number == round_number:
            votes_by_pair[vote.pair].append(vote)
    documents = []
    for pair in norming.rounds[round_number - 1].pairs:
        grade_counts = Counter(vote.grade for vote in votes_by_pair[pair])
        reasons = sorted(
            (vote.grade, reason, vote.participant_id)
            for vote in votes_by_pair[pair]
            for reason in vote.reasons
        )
        counts = tuple((value, grade_counts[value]) for value in scale.values)
        documents.append(
            RoundDocument(round_number, pair, counts, grade_counts[UNJUDGEABLE], tuple(reasons))
        )
    return tuple(documents)


def make_round_labels(votes: Iterable[RoundVote], round_number: int, scale: Scale) -> Labels:
    """Return the grades of a round as labels; unjudgeable documents are omitted."""
    rows = [
        ("\t".join(vote.pair), vote.participant_id, vote.grade)
        for vote in votes
        if vote.round_number == round_number and vote.grade in scale.values
    ]
    return make_labels(rows, scale.values)


def compute_round_result(
    norming: Norming,
    round_number: int,
    votes: Sequence[RoundVote],
    scale: Scale,
    gold_grades: Mapping[Pair, int] | None = None,
    *,
    sampling: Sampling | None = None,
) -> RoundResult:
    """Compute the result of a round from the votes in all rounds of the session."""
    labels = make_round_labels(votes, round_number, scale)
    round_votes = [vote for vote in votes if vote.round_number == round_number]
    estimates = (
        *agreement(labels, STATISTICS, sampling=sampling),
        *agreement_by_grade(labels, GRADE_STATISTICS, sampling=sampling),
    )
    norming_round = norming.rounds[round_number - 1]
    match_counts = _count_matches(round_votes, gold_grades or {}) if norming_round.qualifies else {}
    participant_count = len({vote.participant_id for vote in round_votes})
    return RoundResult(
        round_number,
        norming_round,
        participant_count,
        estimates,
        summarize_round_documents(norming, round_number, round_votes, scale),
        match_counts,
    )


def _count_matches(
    votes: Sequence[RoundVote], gold_grades: Mapping[Pair, int]
) -> dict[str, tuple[int, int]]:
    """Return the numbers of matching and of compared judgments of each participant.

    A judgment is compared with the gold grade or, if there is none, with the most frequent grade of
    the other participants.
    """
    grades: dict[Pair, Counter[int]] = defaultdict(Counter)
    for vote in votes:
        grades[vote.pair][vote.grade] += 1
    match_counts: dict[str, tuple[int, int]] = {}
    for vote in votes:
        reference_grade = gold_grades.get(
            vote.pair, _find_majority_of_others(grades[vote.pair], vote.grade)
        )
        matching_count, comparable_count = match_counts.get(vote.participant_id, (0, 0))
        match_counts[vote.participant_id] = (
            (matching_count + (vote.grade == reference_grade), comparable_count + 1)
            if reference_grade is not None
            else (matching_count, comparable_count)
        )
    return match_counts


def _find_majority_of_others(grades: Counter[int], own_grade: int) -> int | None:
    """Return the most frequent grade after removing `own_grade` once; None if tied or empty.

    >>> _find_majority_of_others(Counter({1: 3, 2: 1}), 2)
    1
    >>> _find_majority_of_others(Counter({1: 2, 2: 2}), 2)
    1
    >>> _find_majority_of_others(Counter({1: 1, 2: 2}), 2) is None
    True
    """
    other_grades = (grades - Counter([own_grade])).most_common(2)
    is_tied = len(other_grades) > 1 and other_grades[0][1] == other_grades[1][1]
    return None if is_tied or not other_grades else other_grades[0][0]


@dataclass(frozen=True, slots=True)
class NormingSession:
    """Session that has norming rounds, with the results of the closed rounds, for reports.

    At least one round is closed; another round may be open. Participants whose judgments do not
    count are not included in the results.
    """

    session: StoredSession
    norming: Norming
    rounds: tuple[RoundResult, ...]  # results of the closed rounds, oldest first

    @property
    def persistent_splits(self) -> tuple[Pair, ...]:
        """Documents that were disputed in the last round that contained them.

        Their topics or the instructions may be unclear.
        """
        last_documents = {
            document.pair: document
            for norming_round in self.rounds
            for document in norming_round.documents
        }
        return tuple(pair for pair, document in last_documents.items() if document.is_split)


def list_norming_sessions(
    project: Project, *, sampling: Sampling | None = None
) -> tuple[NormingSession, ...]:
    """Return the sessions with closed norming rounds, and the results of these rounds."""
    sessions = []
    for session in project.sessions.all():
        norming = read_norming(session)
        if norming is None or not any(norming_round.closed for norming_round in norming.rounds):
            continue
        votes = collect_round_votes(project, session)
        gold_grades = read_session_gold(project, session)
        closed_rounds = [
            round_number
            for round_number, norming_round in enumerate(norming.rounds, 1)
            if norming_round.closed
        ]
        results = tuple(
            compute_round_result(
                norming, round_number, votes, project.scale, gold_grades, sampling=sampling
            )
            for round_number in closed_rounds
        )
        sessions.append(NormingSession(session, norming, results))
    return tuple(sessions)


def read_session_gold(project: Project, session: StoredSession) -> dict[Pair, int]:
    """Return the gold grades of a session.

    The grades are those in the qrels that the session's options name or, by default, in the first
    qrels. The result is empty if the project has no qrels.
    """
    if not project.rankings.qrels_names():
        return {}
    grades_by_topic = read_gold(project, session.terms.get(GOLD_FROM))[1]
    return {
        (topic, document): grade
        for topic, grades in grades_by_topic.items()
        for document, grade in grades.items()
    }


def name_reasons(
    document: RoundDocument, participant_ids: Collection[str], names: Mapping[str, str]
) -> RoundDocument:
    """Replace the ids of participants in the reasons of a document with names.

    `names` contains the names of participants who agreed to be named. If any participant did not
    agree, the ids are removed.
    """
    are_names_shown = set(participant_ids) <= names.keys()
    reasons = tuple(
        (grade, reason, names[participant] if are_names_shown else "")
        for grade, reason, participant in document.reasons
    )
    return replace(document, reasons=reasons)


def is_rejudgment(event: Event) -> bool:
    """Return whether the document of a judgment was also assigned in an earlier round."""
    return event.item.occurrence > 1 and ROUND_KEY in event.payload
