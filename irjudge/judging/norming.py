"""Norming: everybody judges the same documents blind, a round is closed for all, they talk about what they said, and judge again."""

from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from irjudge.errors import ProjectError
from irjudge.judging.assignable_documents import GOLD_FROM, read_gold
from irjudge.judging.counted_assessors import find_uncounted_assessors
from irjudge.judging.ledger import Ledger, get_ledger
from irjudge.judging.recorder import ROUND
from irjudge.model import (
    NORMING_ROLE,
    UNJUDGEABLE,
    AssignedItem,
    Event,
    Labels,
    OrganiserNote,
    Scale,
    make_labels,
)
from irjudge.stats import Sampling
from irjudge.stats.agreement import AgreementEstimate, agreement, agreement_by_grade
from irjudge.store import Project, StoredSession

Pair = tuple[str, str]
NORMING_KEY = "norming"  # among what a session asks: its rounds
STATISTICS = ("alpha-ordinal", "alpha-nominal", "kappa", "raw-agreement")
GRADE_STATISTICS = ("alpha-nominal", "positive-agreement")
MAX_SPLIT_SHARE = 2 / 3  # of the judgments: where no grade has more of them, the document is split
COUNTED_STATES = ("", "counted", "taken")  # states of a place whose judgment belongs to its round


@dataclass(frozen=True, slots=True)
class NormingRound:
    """A set of documents that everybody judges, each once."""

    pairs: tuple[Pair, ...]
    opened: str  # when, in UTC
    closed: str = ""  # likewise; empty while people judge
    qualifies: bool = (
        False  # whether it says who is ready, by known answers or by what most others said
    )
    reopened: str = ""  # when it was reopened last, after its results had been shown


@dataclass(frozen=True, slots=True)
class Norming:
    """The rounds of a session, oldest first, and what of the newest all look at."""

    rounds: tuple[NormingRound, ...] = ()
    shown: int | None = (
        None  # the place of the document of the newest round, which is closed, that all look at
    )
    names: bool = False  # whether people are asked if their names may stand with their reasons
    over: bool = False  # whether the pool is judged now, as in a session without rounds

    @staticmethod
    def from_json(data: Mapping[str, Any]) -> "Norming":
        """Return what a session keeps."""
        try:
            rounds = tuple(
                NormingRound(
                    tuple((str(topic), str(document)) for topic, document in each["pairs"]),
                    **_read_optional_fields(each),
                )
                for each in data["rounds"]
            )
            return Norming(
                rounds, **{name: data[name] for name in ("shown", "names", "over") if name in data}
            )
        except (KeyError, TypeError, ValueError) as fault:
            raise ProjectError(
                "The norming rounds of a session cannot be read ({fault!r}).", fault=fault
            ) from fault

    @property
    def open(self) -> bool:
        """Whether a round is being judged."""
        return bool(self.rounds) and not self.rounds[-1].closed

    @property
    def pairs(self) -> frozenset[Pair]:
        """All documents of all rounds."""
        return frozenset(pair for each in self.rounds for pair in each.pairs)

    def before(self, number: int, pair: Pair) -> int:
        """Return the number of the round before one in which a document was judged too; 0 for none."""
        return next(
            (other for other in range(number - 1, 0, -1) if pair in self.rounds[other - 1].pairs), 0
        )


def _read_optional_fields(data: Mapping[str, Any]) -> dict[str, Any]:
    return {
        name: data[name] for name in ("opened", "closed", "qualifies", "reopened") if name in data
    }


def read_norming(session: StoredSession) -> Norming | None:
    """Return the rounds of a session; None where it has none."""
    kept = session.terms.get(NORMING_KEY)
    return Norming.from_json(kept) if kept else None


# A place of a round is given out as such: the number of the round stands where the run of a panel's left side would, so that the same
# document of another round is another place in all forms of the store.


def make_norming_note(number: int) -> OrganiserNote:
    """Return what is kept of something that is given out in a round."""
    return OrganiserNote(NORMING_ROLE, str(number))


def read_round_number(secret: OrganiserNote) -> int:
    """Return the number of the round in which something was given out, from 1; 0 where it was in none."""
    return int(secret.left_run) if secret.role == NORMING_ROLE and secret.left_run.isdigit() else 0


@dataclass(frozen=True, slots=True)
class RoundVote:
    """What one person said of a document in a round."""

    person: str
    round: int
    pair: Pair
    grade: int  # of the scale, or `UNJUDGEABLE`
    reasons: tuple[str, ...] = ()  # kept by selection

    @staticmethod
    def of(person: str, number: int, event: Event, ledger: Ledger) -> "RoundVote":
        """Return the vote that a judgment in force is."""
        grade = int(event.payload["value"]) if event.kind == "grade" else UNJUDGEABLE
        kept = tuple(each.text for each in ledger.marks(event.item.key).rationales)
        return RoundVote(person, number, (event.item.topic, event.item.documents[0]), grade, kept)


def collect_round_votes(project: Project, session: StoredSession) -> list[RoundVote]:
    """Return what everybody who counts said in the rounds of a session; of two ids of one person, what the first of them said."""
    out, same = find_uncounted_assessors(project), project.sessions.same()
    people = sorted(project.sessions.people(session.code), key=lambda person: person.id in same)
    said: dict[tuple[str, int, Pair], RoundVote] = {}
    for person in people:
        who = same.get(person.id, person.id)
        for vote in (
            _iter_round_votes(project, person.id, who, person.assignment)
            if not {who, person.id} & out
            else ()
        ):
            said.setdefault((who, vote.round, vote.pair), vote)
    return list(said.values())


def _iter_round_votes(project: Project, id: str, who: str, assignment: int) -> Iterator[RoundVote]:
    ledger, states = get_ledger(project, id), project.sessions.places(assignment)
    times = Counter[AssignedItem]()
    for place, item, secret in project.assignments.given(assignment):
        times[item] += 1
        event = ledger.judgment((item.topic, item.documents, times[item]))
        if (
            event is not None
            and read_round_number(secret)
            and states.get(place, "") in COUNTED_STATES
        ):
            yield RoundVote.of(who, read_round_number(secret), event, ledger)


# What came of them


@dataclass(frozen=True, slots=True)
class RoundDocument:
    """How a document was judged in a round."""

    round: int
    pair: Pair
    counts: tuple[tuple[int, int], ...]  # each grade of the scale, and how often it was given
    unjudgeable: int
    reasons: tuple[tuple[int, str, str], ...]  # grade, words and person of each reason

    @property
    def votes(self) -> int:
        """How many judged it."""
        return self.unjudgeable + sum(count for _, count in self.counts)

    @property
    def split(self) -> bool:
        """Whether no answer has more than two thirds of the judgments."""
        most = max((self.unjudgeable, *(count for _, count in self.counts)))
        return self.votes > 1 and most <= MAX_SPLIT_SHARE * self.votes


@dataclass(frozen=True, slots=True)
class RoundResult:
    """What came of a round."""

    number: int
    kept: NormingRound
    people: int
    agreement: tuple[
        AgreementEstimate, ...
    ]  # of all grades; then, with a grade in `of`, of each against the others
    documents: tuple[RoundDocument, ...]
    qualified: Mapping[
        str, tuple[int, int]
    ]  # in a round that qualifies: how many answers a person met, of those there are

    @property
    def split(self) -> tuple[RoundDocument, ...]:
        """The documents on which people do not agree."""
        return tuple(each for each in self.documents if each.split)

    def value(self, statistic: str, scale: str) -> AgreementEstimate:
        """Return one of the statistics of all grades."""
        return next(
            each
            for each in self.agreement
            if (each.statistic, each.scale, each.of) == (statistic, scale, "")
        )


def summarize_round_documents(
    norming: Norming, number: int, votes: Iterable[RoundVote], scale: Scale
) -> tuple[RoundDocument, ...]:
    """Return how the documents of a round were judged, in its order."""
    by_pair: dict[Pair, list[RoundVote]] = defaultdict(list)
    for vote in votes:
        if vote.round == number:
            by_pair[vote.pair].append(vote)
    found = []
    for pair in norming.rounds[number - 1].pairs:
        given = Counter(vote.grade for vote in by_pair[pair])
        reasons = sorted(
            (vote.grade, words, vote.person) for vote in by_pair[pair] for words in vote.reasons
        )
        counts = tuple((value, given[value]) for value in scale.values)
        found.append(RoundDocument(number, pair, counts, given[UNJUDGEABLE], tuple(reasons)))
    return tuple(found)


def make_round_labels(votes: Iterable[RoundVote], number: int, scale: Scale) -> Labels:
    """Return the grades of a round as labels."""
    rows = [
        ("\t".join(vote.pair), vote.person, vote.grade)
        for vote in votes
        if vote.round == number and vote.grade in scale.values
    ]
    return make_labels(rows, scale.values)


def compute_round_result(
    norming: Norming,
    number: int,
    votes: Sequence[RoundVote],
    scale: Scale,
    known: Mapping[Pair, int] | None = None,
    *,
    sampling: Sampling | None = None,
) -> RoundResult:
    """Return what came of a round: agreement with its intervals, how each document was judged, and who met how many answers."""
    labels = make_round_labels(votes, number, scale)
    mine = [vote for vote in votes if vote.round == number]
    estimates = (
        *agreement(labels, STATISTICS, sampling=sampling),
        *agreement_by_grade(labels, GRADE_STATISTICS, sampling=sampling),
    )
    kept = norming.rounds[number - 1]
    qualified = _count_matches(mine, known or {}) if kept.qualifies else {}
    people = len({vote.person for vote in mine})
    return RoundResult(
        number,
        kept,
        people,
        estimates,
        summarize_round_documents(norming, number, mine, scale),
        qualified,
    )


def _count_matches(
    votes: Sequence[RoundVote], known: Mapping[Pair, int]
) -> dict[str, tuple[int, int]]:
    """Return how many answers each person met: known ones, else what more of the others said than anything else."""
    said: dict[Pair, Counter[int]] = defaultdict(Counter)
    for vote in votes:
        said[vote.pair][vote.grade] += 1
    met: dict[str, tuple[int, int]] = {}
    for vote in votes:
        answer = known.get(vote.pair, _majority_of_others(said[vote.pair], vote.grade))
        right, asked = met.get(vote.person, (0, 0))
        met[vote.person] = (
            (right + (vote.grade == answer), asked + 1) if answer is not None else (right, asked)
        )
    return met


def _majority_of_others(said: Counter[int], own: int) -> int | None:
    """Return what more of the others said than anything else; None where they are even.

    >>> _majority_of_others(Counter({1: 3, 2: 1}), 2), _majority_of_others(Counter({1: 2, 2: 2}), 2), _majority_of_others(Counter({1: 1, 2: 2}), 2)
    (1, 1, None)
    """
    others = (said - Counter([own])).most_common(2)
    even = len(others) > 1 and others[0][1] == others[1][1]
    return None if even or not others else others[0][0]


@dataclass(frozen=True, slots=True)
class NormingSession:
    """A session with rounds, and what came of those that are closed."""

    session: StoredSession
    norming: Norming
    rounds: tuple[RoundResult, ...]

    @property
    def persistent_splits(self) -> tuple[Pair, ...]:
        """The documents that were still split in the last round that had them: what they ask, or what the instructions say, is unclear."""
        last = {document.pair: document for each in self.rounds for document in each.documents}
        return tuple(pair for pair, document in last.items() if document.split)


def list_norming_sessions(
    project: Project, *, sampling: Sampling | None = None
) -> tuple[NormingSession, ...]:
    """Return the sessions of a project that had rounds, and what came of those that are closed."""
    found = []
    for session in project.sessions.all():
        norming = read_norming(session)
        if norming is None or not any(each.closed for each in norming.rounds):
            continue
        votes, known = collect_round_votes(project, session), read_session_gold(project, session)
        closed = [number for number, each in enumerate(norming.rounds, 1) if each.closed]
        results = tuple(
            compute_round_result(norming, number, votes, project.scale, known, sampling=sampling)
            for number in closed
        )
        found.append(NormingSession(session, norming, results))
    return tuple(found)


def read_session_gold(project: Project, session: StoredSession) -> dict[Pair, int]:
    """Return the known answers that a session goes by: of the qrels it names, or of the first; none where there are no qrels."""
    if not project.rankings.qrels_names():
        return {}
    found = read_gold(project, session.terms.get(GOLD_FROM))[1]
    return {
        (topic, document): grade
        for topic, grades in found.items()
        for document, grade in grades.items()
    }


def name_reasons(
    document: RoundDocument, people: Collection[str], names: Mapping[str, str]
) -> RoundDocument:
    """Return a document whose reasons have names in the place of ids or, where `names` lacks one of the people of its round, nothing."""
    everybody = set(people) <= names.keys()
    reasons = tuple(
        (grade, words, names[person] if everybody else "")
        for grade, words, person in document.reasons
    )
    return replace(document, reasons=reasons)


def is_rejudgment(event: Event) -> bool:
    """Tell whether a judgment is of a later round: people talked before it, so it is no planted repeat."""
    return event.item.occurrence > 1 and ROUND in event.payload
