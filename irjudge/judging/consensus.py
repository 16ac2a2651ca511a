"""Labels of assessors, their consensus, and adjudication."""

from collections import Counter, defaultdict
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import cast

import numpy as np

from irjudge.errors import IrjudgeError, ProjectError
from irjudge.judging.assignable_documents import (
    GOLD_FROM,
    GOLD_ROLES,
    GoldGrades,
    list_calibration,
    list_unassigned,
    read_gold,
    read_pool_pairs,
)
from irjudge.judging.counted_assessors import (
    find_nonvoting_assessors,
    list_counted_assessors,
    read_counted_group,
)
from irjudge.judging.ledger import JUDGMENTS, Ledger, get_ledger, list_grades_in_force
from irjudge.judging.model_judgments import SAW_MODELS, list_models_shown
from irjudge.judging.norming import is_rejudgment, read_norming
from irjudge.judging.recorder import Recorder
from irjudge.message import Message, join_messages
from irjudge.model import (
    UNJUDGEABLE,
    Document,
    Event,
    Floats,
    Item,
    Labels,
    NameCoder,
    active_ms,
    topic_of_each_row,
    utc_now,
)
from irjudge.progress import SILENT, Progress
from irjudge.stats.consensus import (
    RULES,
    UNJUDGEABLE_WORD,
    Consensus,
    DisputedItem,
    FitOptions,
    RuleSettings,
    adjudication_queue,
    consensus,
    consensus_by_methods,
    find_rule,
)
from irjudge.store import ENDED, Project, StoredSession

# What the assessors of a project said, as labels: who holds which grade of which document now.

Pair = tuple[str, str]
OTHER_GRADE = Message("the scale has no such grade now", key="other-grade")
OTHER_TEXT = Message("the project holds another text of the document now", key="other-text")


def project_labels(
    project: Project,
    *,
    leave_out: Collection[str] = (),
    repeats: bool = False,
    gold: GoldGrades | None = None,
    progress: Progress = SILENT,
) -> Labels:
    """Return the judgments in force of every assessor, one of each assessor and document."""
    places = {value: at for at, value in enumerate(project.scale.values)}
    items, workers = NameCoder(), NameCoder()
    pairs: list[Pair] = []
    rows: list[tuple[int, int, int, float, bool]] = []
    planted: list[bool] = []
    asked = gold.asked if gold else frozenset()
    same = project.sessions.same()
    assessors = sorted(
        set(project.events.assessors()) - set(leave_out), key=lambda name: (name in same, name)
    )
    said: set[tuple[str, Pair, int]] = set()
    not_counted = list_unpooled_calibration(project)
    foreign: Counter[str] = Counter()
    for name in progress.through(
        assessors, Message("Reading judgments"), total=len(assessors), every=1
    ):
        who = same.get(name, name)
        given = iter_judgments(project, name, repeats=repeats) if who not in leave_out else ()
        for event, pair, fits in given:
            what = who, pair, event.item.occurrence
            if what in said:
                continue  # said under the id that stands for the person
            if who in same.values():
                said.add(what)
            label = (
                UNJUDGEABLE
                if event.kind == "unjudgeable"
                else places.get(int(event.payload["value"]))
            )
            if label is None or not fits:
                foreign[OTHER_GRADE if label is None else OTHER_TEXT] += 1
            elif pair not in not_counted:
                item = items("\t".join(pair))
                pairs += [pair] if item == len(pairs) else []
                spent = active_ms(event)
                rows.append(
                    (
                        item,
                        workers(who),
                        label,
                        spent / 1000 if spent else np.nan,
                        event.item.occurrence > 1,
                    )
                )
                planted.append((who, pair) in asked)
    sizes = project.collection.lengths(list(dict.fromkeys(document for _, document in pairs)))
    made = replace(
        _make_labels(project, workers.names, tuple(pairs), rows),
        remarks=tuple(_exclusion_message(*each) for each in foreign.items()),
        sizes=np.array([sizes.get(document, np.nan) for _, document in pairs], dtype=np.float64),
    )
    judged = set(pairs)
    answers = gold.answers if gold else {}
    met = {pair: str(answer) for pair, answer in answers.items() if pair in judged}
    return (
        replace(made.with_gold(met), planted=np.array(planted, dtype=bool) if asked else None)
        if met
        else made
    )


def _exclusion_message(why: str, count: int) -> str:
    return Message(
        "{count:,} {rest} left out: {why}.",
        count=count,
        rest="judgment" if count == 1 else "judgments",
        why=why,
    )


def iter_judgments(
    project: Project, assessor: str, *, repeats: bool = False
) -> Iterator[tuple[Event, Pair, bool]]:
    """Yield each judgment in force of an assessor, its pair, and whether it is of the text of now.

    Of a document that was judged in several norming rounds, the first is the one that nobody talked about before it was made.
    """
    found = list_grades_in_force(project, assessor)
    events = [
        event
        for event in found
        if event.item.occurrence == 1 or (repeats and not is_rejudgment(event))
    ]
    current = project.collection.digests(
        list(dict.fromkeys(event.item.documents[0] for event in events))
    )
    for event in events:
        document, content = event.item.documents[0], event.item.contents[0]
        yield event, (event.item.topic, document), content in ("", current.get(document, ""))


def list_unpooled_calibration(project: Project) -> set[Pair]:
    """Return the calibration documents that are not pooled too."""
    calibration = {
        (topic, document) for topic, grades in project.calibration.items() for document in grades
    }
    pool = project.rankings.pool() if calibration else None
    if pool is None:
        return calibration
    topics = [pool.topics[code] for code in topic_of_each_row(pool.starts).tolist()]
    return calibration - set(zip(topics, pool.document.to_pylist(), strict=True))


def _make_labels(
    project: Project,
    workers: tuple[str, ...],
    pairs: tuple[Pair, ...],
    rows: list[tuple[int, int, int, float, bool]],
) -> Labels:
    item, worker, label, seconds, again = (
        (list(column) for column in zip(*rows, strict=True)) if rows else ([], [], [], [], [])
    )
    return Labels(
        items=tuple(map(" ".join, pairs)),
        workers=workers,
        scale=tuple(map(str, project.scale.values)),
        values=np.array(project.scale.values, dtype=np.float64),
        item=np.array(item, dtype=np.int32),
        worker=np.array(worker, dtype=np.int32),
        label=np.array(label, dtype=np.int32),
        pairs=pairs,
        seconds=np.array(seconds, dtype=np.float64)
        if rows and np.isfinite(seconds).any()
        else None,
        again=np.array(again, dtype=bool) if any(again) else None,
    )


# The settled grades of a project, where what the organiser decided always wins, and what outstanding judgments can still change.

FACT, DEFAULT_CONSENSUS_METHOD = "consensus", "majority"
LEARNING_ORDER = "learning"  # the order of a session in which learning finds what is judged
TEST_ROLES = GOLD_ROLES | {"calibration"}  # roles of documents that test an assessor
# Rules that look at the votes of one document alone; by any other a vote can change the grades of other documents too.
ITEMWISE_RULES = frozenset({"majority", "lower-median"})


def read_consensus_method(project: Project) -> str:
    """Return the rule that settles the project's grades: the one that was kept, else the majority with ties to the lower grade."""
    kept = project.fact(FACT)
    return kept if kept and kept in RULES else DEFAULT_CONSENSUS_METHOD


def set_consensus_method(project: Project, name: str) -> str:
    """Let a rule settle the project's grades from now on, and return its name."""
    rule = find_rule(name)
    if rule.real:
        whole = ", ".join(each.name for each in RULES.values() if not each.real)
        raise IrjudgeError(
            "Qrels take whole grades, which the {title} does not give; choose {whole}.",
            key="fractional-grades",
            title=rule.title.lower(),
            whole=whole,
        )
    project.set_fact(FACT, rule.name)
    return rule.name


def build_vote_labels(
    project: Project, progress: Progress = SILENT, *, leave_out: Collection[str] = ()
) -> Labels:
    """Return the votes that a consensus is made of.

    Those of assessors who are set aside or in `leave_out` do not count, and neither do those of documents that nobody pooled: they
    were handed out as gold, for qualification or for calibration, to test an assessor. An item without a vote that counts stays among
    the items.
    """
    out = {*leave_out, *(set(project.events.assessors()) - set(list_counted_assessors(project)))}
    labels = project_labels(project, leave_out=out, progress=progress)
    tests = list_test_pairs(project)
    if not tests or labels.pairs is None:
        return labels
    counts = np.array([pair not in tests for pair in labels.pairs], dtype=bool)
    return labels.where(counts[labels.item])


def list_test_pairs(project: Project) -> set[Pair]:
    """Return the documents that were handed out to test assessors and that the pool does not have."""
    tests = {
        (item.topic, item.documents[0])
        for assignment in project.assignments.all()
        for item, secret in project.assignments.with_secrets(assignment.code)
        if secret.role in TEST_ROLES
    }
    pool = project.rankings.pool() if tests else None
    if pool is None:
        return tests
    topics = [pool.topics[code] for code in topic_of_each_row(pool.starts).tolist()]
    return tests - set(zip(topics, pool.document.to_pylist(), strict=True))


def encode_adjudications(project: Project, labels: Labels) -> dict[int, int]:
    """Return what was decided of the items of labels, as codes: item to place on the scale, or `UNJUDGEABLE`."""
    decided = read_valid_adjudications(project)
    places = {value: at for at, value in enumerate(project.scale.values)}
    return {
        item: places.get(decided[pair].grade, UNJUDGEABLE)
        for item, pair in enumerate(labels.pairs or ())
        if pair in decided
    }


def compute_consensus(
    project: Project,
    method: str | None = None,
    progress: Progress = SILENT,
    *,
    labels: Labels | None = None,
    settings: RuleSettings | None = None,
) -> Consensus:
    """Return the consensus of a project by a rule, by default the one it keeps, with the organiser's decisions in it."""
    votes = build_vote_labels(project, progress) if labels is None else labels
    settings = settings or RuleSettings(fitting=FitOptions(progress=progress))
    return consensus(
        votes,
        method or read_consensus_method(project),
        settings,
        decided=encode_adjudications(project, votes),
    )


def compute_consensus_grades(project: Project, found: Consensus | None = None) -> dict[Pair, int]:
    """Return the settled grade of each document of a topic, by default of `compute_consensus`; unjudgeable is -2.

    A document that was decided and that nobody's vote counts for is among them; without votes and decisions it is empty.
    """
    found = found or compute_consensus(project)
    grades = (
        {(topic, document): grade for topic, document, grade in found.qrels_rows()}
        if len(found.labels.items)
        else {}
    )
    return grades | {
        pair: decision.grade for pair, decision in read_valid_adjudications(project).items()
    }


def grades_by_assessor(labels: Labels) -> dict[str, dict[Pair, int]]:
    """Return each assessor's own grades of the labels of a project; unjudgeable is -2."""
    latest = labels.latest()
    pairs: Sequence[Pair] = latest.pairs or ()
    values = [*map(int, latest.scale)]
    grades: dict[str, dict[Pair, int]] = {name: {} for name in latest.workers}
    for item, worker, label in zip(
        latest.item.tolist(), latest.worker.tolist(), latest.label.tolist(), strict=True
    ):
        grades[latest.workers[worker]][pairs[item]] = values[label] if label >= 0 else UNJUDGEABLE
    return grades


# What is still to come


def count_outstanding(project: Project) -> Counter[Pair]:
    """Return how many judgments that count are outstanding, of each (topic, document) that has one; empty without assignments and sessions.

    Of a session that has not ended those are all that it still wants, given to somebody or not. Assignments that were withdrawn,
    sessions that have ended and assessors who are set aside are waited for no more. A second showing of a document to the same assessor
    is no vote, and neither is a document that only tests assessors.
    """
    out, tests = find_nonvoting_assessors(project), list_test_pairs(project)
    in_sessions = {person.assignment for person in project.sessions.people()}
    asked: dict[str, dict[Pair, None]] = {}
    for each in project.assignments.all():
        if (
            each.mode == "grade"
            and not each.withdrawn
            and each.assessor not in out
            and each.code not in in_sessions
        ):
            asked.setdefault(each.assessor, {}).update(
                dict.fromkeys(_list_assigned_documents(project, each.code))
            )
    waiting = Counter(
        pair
        for name, pairs in asked.items()
        for pair in pairs
        if not _is_judged(project, name, pair)
    )
    waiting += count_outstanding_in_sessions(project)
    return Counter({pair: count for pair, count in waiting.items() if pair not in tests})


def count_outstanding_in_sessions(project: Project) -> Counter[Pair]:
    """Return how many judgments sessions that have not ended still want of each pair, whether somebody holds it or not."""
    out, wanted = find_nonvoting_assessors(project), Counter[Pair]()
    for session in _list_open_sessions(project):
        wanted += _count_session_outstanding(project, session, out)
    return wanted


def list_session_participants(project: Project) -> tuple[str, ...]:
    """Return who takes part in such a session and counts."""
    out = find_nonvoting_assessors(project)
    people = (
        person.id
        for session in _list_open_sessions(project)
        for person in project.sessions.people(session.code)
    )
    return tuple(id for id in people if id not in out)


def find_changeable_pairs(project: Project) -> set[Pair]:
    """Return the (topic, document) pairs whose grade in the consensus outstanding judgments can still change.

    Those are the pairs that an outstanding judgment is of, and what an open session shows to everybody who comes; by a rule that models
    assessors also every other pair with a vote. What the organiser decided does not change.
    """
    waiting = set(count_outstanding(project)).union(
        *(_list_pairs_for_all(project, session) for session in _list_open_sessions(project))
    )
    if waiting and read_consensus_method(project) not in ITEMWISE_RULES:
        waiting |= set(compute_consensus_grades(project))
    return waiting - set(read_valid_adjudications(project))


def _list_assigned_documents(project: Project, assignment: int) -> list[Pair]:
    return [
        (item.topic, item.documents[0])
        for item in project.assignments.items(assignment)
        if item.type == "document"
    ]


def _is_judged(project: Project, assessor: str, pair: Pair) -> bool:
    topic, document = pair
    event = get_ledger(project, assessor).judgment((topic, (document,), 1))
    return event is not None and event.kind in JUDGMENTS


def _list_open_sessions(project: Project) -> list[StoredSession]:
    """Return the sessions whose judgments are still to come and count."""
    counts = read_counted_group(project) != "others"
    return [
        each
        for each in project.sessions.all()
        if counts and each.state != ENDED and each.mode == "grade"
    ]


def _count_session_outstanding(
    project: Project, session: StoredSession, out: Collection[str]
) -> Counter[Pair]:
    """Return how many judgments a session still wants of each pair; of what else was given out, how many were not made yet."""
    judged: dict[Pair, set[str]] = {}
    held: set[tuple[Pair, str]] = set()
    same = project.sessions.same()
    for person in project.sessions.people(session.code):
        who, late = same.get(person.id, person.id), project.sessions.late(person.id)
        for pair in (
            _list_assigned_documents(project, person.assignment)
            if not {who, person.id} & set(out)
            else ()
        ):
            if not _is_judged(project, person.id, pair):
                held.add((pair, who))
            elif (pair[0], (pair[1],)) not in late:
                judged.setdefault(pair, set()).add(who)
    topics, overlap = _read_terms(session)
    share = _list_session_pairs(project, session, topics) - _norming_pairs(session)
    if _is_norming(session):
        share = set()  # the pool comes after them
    wanted = {pair: overlap - len(judged.get(pair, ())) for pair in share}
    return +Counter(wanted) + Counter(
        pair for pair, who in held if pair not in share and who not in judged.get(pair, ())
    )


def _read_terms(session: StoredSession) -> tuple[tuple[str, ...], int]:
    """Return which topics a session asks for, none for all, and how many judgments of each pair."""
    try:
        return tuple(session.terms["topics"]), int(session.terms["terms"]["overlap"])
    except (KeyError, TypeError, ValueError) as fault:
        problem = (
            "What session {code} asks for cannot be read ({fault!r}); `irjudge verify` says more."
        )
        raise ProjectError(problem, code=session.code, fault=fault) from fault


def _list_session_pairs(
    project: Project, session: StoredSession, topics: Collection[str]
) -> set[Pair]:
    """Return what a session is to judge until each has its overlap."""
    if (
        session.terms.get("terms", {}).get("order") == LEARNING_ORDER
    ):  # what learning finds later, nobody knows
        return {
            pair
            for person in project.sessions.people(session.code)
            for pair in _list_assigned_documents(project, person.assignment)
        }
    if not project.rankings.pool_version():
        return set()
    pool = list_unassigned(project, besides=session.round, again=session.again)[0]
    shown = list_calibration(project)
    return {
        (topic, document)
        for topic in topics or pool
        for document in pool.get(topic, ())
        if document not in shown.get(topic, ())
    }


def _norming_pairs(session: StoredSession) -> set[Pair]:
    """Return the documents of norming rounds, which nobody gets any more when the pool is judged."""
    norming = read_norming(session)
    return set(norming.pairs) if norming else set()


def _is_norming(session: StoredSession) -> bool:
    norming = read_norming(session)
    return norming is not None and not norming.over


def _list_pairs_for_all(project: Project, session: StoredSession) -> set[Pair]:
    """Return pooled pairs with no set end in a session: calibration, and known answers that are not among what it is to judge."""
    shown = {
        (topic, document)
        for topic, documents in list_calibration(project).items()
        for document in documents
    }
    source = next(
        (
            each.wishes.get(GOLD_FROM)
            for each in project.assignments.rounds()
            if each.number == session.round
        ),
        None,
    )
    checks = (session.terms.get("panel") or {}).get("checks")
    for name in filter(None, (source, checks)):
        shown |= {
            (topic, document)
            for topic, documents in read_gold(project, name)[1].items()
            for document in documents
        }
    pooled = read_pool_pairs(project, project.rankings.pool_version())
    topics, _ = _read_terms(session)
    normed = _norming_pairs(session) if _is_norming(session) else set()
    return normed | {
        pair
        for pair in shown - _list_session_pairs(project, session, topics)
        if pair in pooled and (not topics or pair[0] in topics)
    }


@dataclass(frozen=True, slots=True)
class AdjudicatedGrade:
    """What was decided of a document of a topic."""

    # ids
    topic: str
    document: str
    content: str  # SHA-256 (hex) of the text that was shown
    grade: int  # A grade of the scale, or `UNJUDGEABLE`
    why: str  # what the organiser wrote about it; may be empty
    time: str  # UTC, as events keep it
    adjudicator: str = ""  # name of the assessor who decided

    @property
    def pair(self) -> Pair:
        """Topic and document."""
        return self.topic, self.document


def _to_adjudicated_grade(event: Event) -> AdjudicatedGrade:
    said: Mapping[str, object] = event.payload
    grade = UNJUDGEABLE if said.get("unjudgeable") else int(str(said["value"]))
    return AdjudicatedGrade(
        event.item.topic,
        event.item.documents[0],
        event.item.contents[0],
        grade,
        str(said.get("why", "")),
        event.time,
        event.assessor,
    )


def find_adjudication(ledger: Ledger, pair: Pair) -> AdjudicatedGrade | None:
    """Return the decision in force for a document of a topic; None where nothing is decided."""
    return next(map(_to_adjudicated_grade, ledger.decisions.in_force(pair)), None)


def list_adjudications(ledger: Ledger) -> dict[Pair, AdjudicatedGrade]:
    """Return every decision in force, in the order in which documents were first decided."""
    pairs = cast(Iterable[Pair], ledger.decisions.of)
    return {
        pair: decision
        for pair in pairs
        if (decision := find_adjudication(ledger, pair)) is not None
    }


def read_adjudications(project: Project) -> dict[Pair, AdjudicatedGrade]:
    """Return the decisions in force of the project's owner; nobody else's events decide anything."""
    return list_adjudications(get_ledger(project))


def read_valid_adjudications(project: Project) -> dict[Pair, AdjudicatedGrade]:
    """Return the decisions in force that are of the text and of the scale that the project holds now."""
    found = read_adjudications(project)
    current = project.collection.digests(list(dict.fromkeys(document for _, document in found)))
    grades = {*project.scale.values, UNJUDGEABLE}
    return {
        pair: each
        for pair, each in found.items()
        if each.grade in grades and each.content in ("", current.get(each.document, ""))
    }


def describe_adjudications(decisions: Collection[AdjudicatedGrade], pairs: int) -> str:
    """Return how many of some pairs were adjudicated, and by whom."""
    return Message(
        "Adjudicated by {names}: {count:,} of {pairs:,} pairs.",
        names=join_messages(sorted({each.adjudicator for each in decisions})),
        count=len(decisions),
        pairs=pairs,
    )


class AdjudicationRecorder(Recorder):
    """The organiser deciding, one document at a time, in the owner's one chain, in which the owner's judgments stand as well."""

    decides = True

    def __init__(self, project: Project, *, clock: Callable[[], str] = utc_now) -> None:
        super().__init__(project, clock=clock)

    def decision(self, pair: Pair) -> AdjudicatedGrade | None:
        """Return the decision in force for a document of a topic; None where nothing is decided."""
        return find_adjudication(self.ledger, pair)

    def decide(
        self,
        topic: str,
        document: Document,
        grade: int,
        *,
        why: str = "",
        active_ms: int = 0,
        source: str = "",
    ) -> Event:
        """Decide the grade (or `UNJUDGEABLE`) of the document that was painted; `source` says what found one that nobody had to judge."""
        scale = self._project.scale
        if grade not in (*scale.values, UNJUDGEABLE):
            raise IrjudgeError(
                "The scale has no grade {grade}; it has {values}.",
                key="unknown-grade",
                grade=grade,
                values=", ".join(map(str, scale.values)),
            )
        said = {"unjudgeable": True} if grade == UNJUDGEABLE else {"value": grade}
        item = Item(topic, (document.id,), (document.digest.hex(),))
        found: dict[str, object] = {"source": source} if source else {}
        if models := list_models_shown(self._project, self._project.owner, (topic, document.id)):
            found[SAW_MODELS] = list(models)
        return self._record(
            "adjudicate",
            item,
            {**said, "scale": scale.version, "why": why, "active_ms": active_ms, **found},
        )

    def follow(self) -> None:
        """Take in what was written since by others, such as decisions of a copy that was merged."""
        self._chain.follow()


# What an adjudicator looks at: documents on which assessors disagree and those decided, with every vote, the weightiest first.


@dataclass(frozen=True, slots=True)
class Vote:
    """What one assessor said of a document."""

    assessor: str  # the name
    grade: int  # A grade of the scale, or `UNJUDGEABLE`
    reason: str = ""  # why it is unjudgeable; empty for a grade
    # what was marked beside it
    unsure: bool = False
    note: str = ""
    rationales: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class RuleVerdict:
    """What one rule of consensus says, as text, and why."""

    rule: str
    grade: str
    reason: str


@dataclass(frozen=True, slots=True)
class Dispute:
    """A document on which assessors disagree, or only rules, or that was decided."""

    # ids
    topic: str
    document: str
    votes: tuple[Vote, ...]  # by name of the assessor
    verdicts: tuple[RuleVerdict, ...]  # of each rule; none where no vote counts
    # how much it matters: how far apart its votes are, or only the rules, times how high runs rank the document; 0 where all agree
    weight: float
    crosses: bool  # whether it is relevant, or usable, by one vote or rule and not by another
    split: (
        bool  # whether the votes differ, and not only the rules; one of `find_pairs_to_adjudicate`
    )

    @property
    def pair(self) -> Pair:
        """Topic and document."""
        return self.topic, self.document


def find_disputes(
    project: Project, *, rel: int = 1, progress: Progress = SILENT
) -> tuple[Dispute, ...]:
    """Return what there is to decide, what matters most first, as `queue_disputes` sorts it, and what was decided.

    What was decided stays where it stood; a document on which assessors agree by now, or that has fewer than two votes, stands at the
    end, so that its decision can be seen and changed. A document without a text in the project cannot be shown, and is left out.
    """
    labels = build_vote_labels(project, progress)
    found = (
        consensus_by_methods(labels, RULES, RuleSettings(fitting=FitOptions(progress=progress)))
        if len(labels)
        else ()
    )
    pairs: Sequence[Pair] = labels.pairs or ()
    queue = {pairs[each.item]: each for each in queue_disputes(project, found, rel=rel)}
    listed = [*queue, *(pair for pair in read_adjudications(project) if pair not in queue)]
    textless = set(project.collection.without_text(list({document for _, document in listed})))
    listed = [pair for pair in listed if pair[1] not in textless]
    grades = [[row[1] for row in each.rows()] for each in found]
    counted = {pair: item for item, pair in enumerate(pairs) if found and found[0].votes[item]}
    votes = _list_votes(project, labels.workers, counted.keys() & listed)
    split = set(find_pairs_to_adjudicate(project, labels))
    return tuple(
        Dispute(
            *pair,
            tuple(votes[pair]),
            _rule_verdicts(found, grades, counted[pair]) if pair in counted else (),
            queue[pair].weight if pair in queue else 0.0,
            pair in queue and queue[pair].crosses,
            pair in split,
        )
        for pair in listed
    )


@dataclass(frozen=True, slots=True)
class AdjudicationCount:
    """How many pairs there are to adjudicate, and how many of them were."""

    adjudicated: int
    total: int


def find_pairs_to_adjudicate(project: Project, labels: Labels) -> tuple[Pair, ...]:
    """Return the pairs on which the votes of a project differ, without those that have no text to show.

    `labels` are those of `build_vote_labels`. A pair on which only rules of consensus differ is none.
    """
    limits = np.iinfo(np.int32)
    lowest = np.full(len(labels.items), limits.max)
    highest = np.full(len(labels.items), limits.min)
    np.minimum.at(lowest, labels.item, labels.label)
    np.maximum.at(highest, labels.item, labels.label)
    pairs: Sequence[Pair] = labels.pairs or ()
    split = [pairs[item] for item in np.flatnonzero(lowest < highest).tolist()]
    textless = set(project.collection.without_text(list({document for _, document in split})))
    return tuple(pair for pair in split if pair[1] not in textless)


def count_adjudicated(project: Project, pairs: Collection[Pair]) -> AdjudicationCount:
    """Count those of `find_pairs_to_adjudicate` that were adjudicated, on the text and scale of now."""
    return AdjudicationCount(len(set(pairs) & read_valid_adjudications(project).keys()), len(pairs))


def queue_disputes(
    project: Project, found: Sequence[Consensus], *, rel: int = 1
) -> tuple[DisputedItem, ...]:
    """Return the documents on which assessors disagree, then those on which only rules do; the weightiest first."""
    return (
        adjudication_queue(found, rel=rel, importance=compute_importance(project, found[0].labels))
        if found
        else ()
    )


def compute_importance(project: Project, labels: Labels) -> Floats | None:
    """Return how much each item weighs, shape (I,): 1, and more the higher the runs that brought it into the pool rank it.

    Each such run adds 1 / log2(rank + 1). None without a pool.
    """
    pool = project.rankings.pool()
    if pool is None:
        return None
    gains = 1 / np.log2(pool.contribution_rank.astype(np.float64) + 1)
    rows = topic_of_each_row(pool.contribution_starts)
    weights = 1 + np.bincount(rows, weights=gains, minlength=len(pool))
    topics = [pool.topics[code] for code in pool.topic.tolist()]
    known = dict(
        zip(zip(topics, pool.document.to_pylist(), strict=True), weights.tolist(), strict=True)
    )
    return np.array([known.get(pair, 1.0) for pair in labels.pairs or ()])


def _rule_verdicts(
    found: Sequence[Consensus], grades: Sequence[Sequence[str | float | None]], item: int
) -> tuple[RuleVerdict, ...]:
    return tuple(
        RuleVerdict(each.rule.title, _format_grade(said[item]), each.reasons[item])
        for each, said in zip(found, grades, strict=True)
    )


def _format_grade(grade: str | float | None) -> str:
    if grade is None or isinstance(grade, str):
        return grade or UNJUDGEABLE_WORD
    return f"{grade:.2f}"


def _list_votes(
    project: Project, names: Sequence[str], wanted: set[Pair]
) -> dict[Pair, list[Vote]]:
    """Return the votes for some documents, by assessor in alphabetical order, as `build_vote_labels` has them."""
    votes: dict[Pair, list[Vote]] = defaultdict(list)
    usable = {*project.scale.values, UNJUDGEABLE}
    ids: dict[str, list[str]] = {name: [name] for name in names}
    for other, name in project.sessions.same().items():
        ids.get(name, []).append(other)
    for name, theirs in ids.items():
        given: set[Pair] = set()
        for id in theirs:
            ledger = get_ledger(project, id)
            for event, pair, fits in iter_judgments(project, id):
                vote = _to_vote(name, event, ledger)
                if pair in wanted and pair not in given and fits and vote.grade in usable:
                    given.add(pair)
                    votes[pair].append(vote)
    return votes


def _to_vote(name: str, event: Event, ledger: Ledger) -> Vote:
    marks, payload = ledger.marks(event.item.key), event.payload
    return Vote(
        name,
        int(payload["value"]) if event.kind == "grade" else UNJUDGEABLE,
        str(payload.get("reason", "")),
        marks.unsure,
        marks.note,
        tuple(each.text for each in marks.rationales),
    )
