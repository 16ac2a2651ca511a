"""Labels of assessors, their consensus, and adjudication."""

from collections import Counter, defaultdict
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import cast

import numpy as np

from irjudge.errors import IrjudgeError, ProjectError
from irjudge.judging.assignable_documents import (
    GOLD_FROM,
    PLANTED,
    GoldAnswers,
    known_answers,
    pooled_pairs,
    shown_calibration,
    unassigned,
)
from irjudge.judging.counted_assessors import assessors, counted_group, without_vote
from irjudge.judging.ledger import JUDGMENTS, Ledger, grades_in_force, ledger_of
from irjudge.judging.model_judgments import SAW, models_shown
from irjudge.judging.norming import is_again, norming_of
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
    gold: GoldAnswers | None = None,
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
    not_counted = calibration_only(project)
    foreign: Counter[str] = Counter()
    for name in progress.through(
        assessors, Message("Reading judgments"), total=len(assessors), every=1
    ):
        who = same.get(name, name)
        given = judgments_of(project, name, repeats=repeats) if who not in leave_out else ()
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
        _columns(project, workers.names, tuple(pairs), rows),
        remarks=tuple(_said(*each) for each in foreign.items()),
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


def _said(why: str, count: int) -> str:
    return Message(
        "{count:,} {rest} left out: {why}.",
        count=count,
        rest="judgment" if count == 1 else "judgments",
        why=why,
    )


def judgments_of(
    project: Project, assessor: str, *, repeats: bool = False
) -> Iterator[tuple[Event, Pair, bool]]:
    """Yield each judgment in force of an assessor, its pair, and whether it is of the text of now.

    Of a document that was judged in several norming rounds, the first is the one that nobody talked about before it was made.
    """
    found = grades_in_force(project, assessor)
    events = [
        event for event in found if event.item.occurrence == 1 or (repeats and not is_again(event))
    ]
    current = project.collection.digests(
        list(dict.fromkeys(event.item.documents[0] for event in events))
    )
    for event in events:
        document, content = event.item.documents[0], event.item.contents[0]
        yield event, (event.item.topic, document), content in ("", current.get(document, ""))


def calibration_only(project: Project) -> set[Pair]:
    """Return the calibration documents that are not pooled too."""
    calibration = {
        (topic, document) for topic, grades in project.calibration.items() for document in grades
    }
    pool = project.rankings.pool() if calibration else None
    if pool is None:
        return calibration
    topics = [pool.topics[code] for code in topic_of_each_row(pool.starts).tolist()]
    return calibration - set(zip(topics, pool.document.to_pylist(), strict=True))


def _columns(
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
LEARNS = "learning"  # the order of a session in which learning finds what is judged
EXAM = PLANTED | {"calibration"}  # roles of documents that test an assessor
# Rules that look at the votes of one document alone; by any other a vote can change the grades of other documents too.
ONE_BY_ONE = frozenset({"majority", "lower-median"})


def consensus_method(project: Project) -> str:
    """Return the rule that settles the project's grades: the one that was kept, else the majority with ties to the lower grade."""
    kept = project.fact(FACT)
    return kept if kept and kept in RULES else DEFAULT_CONSENSUS_METHOD


def keep_consensus_method(project: Project, name: str) -> str:
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


def voting_labels(
    project: Project, progress: Progress = SILENT, *, leave_out: Collection[str] = ()
) -> Labels:
    """Return the votes that a consensus is made of.

    Those of assessors who are set aside or in `leave_out` do not count, and neither do those of documents that nobody pooled: they
    were handed out as gold, for qualification or for calibration, to test an assessor. An item without a vote that counts stays among
    the items.
    """
    out = {*leave_out, *(set(project.events.assessors()) - set(assessors(project)))}
    labels = project_labels(project, leave_out=out, progress=progress)
    tests = exam_only(project)
    if not tests or labels.pairs is None:
        return labels
    counts = np.array([pair not in tests for pair in labels.pairs], dtype=bool)
    return labels.where(counts[labels.item])


def exam_only(project: Project) -> set[Pair]:
    """Return the documents that were handed out to test assessors and that the pool does not have."""
    tests = {
        (item.topic, item.documents[0])
        for assignment in project.assignments.all()
        for item, secret in project.assignments.with_secrets(assignment.code)
        if secret.role in EXAM
    }
    pool = project.rankings.pool() if tests else None
    if pool is None:
        return tests
    topics = [pool.topics[code] for code in topic_of_each_row(pool.starts).tolist()]
    return tests - set(zip(topics, pool.document.to_pylist(), strict=True))


def decided_codes(project: Project, labels: Labels) -> dict[int, int]:
    """Return what was decided of the items of labels, as codes: item to place on the scale, or `UNJUDGEABLE`."""
    decided = valid_decisions(project)
    places = {value: at for at, value in enumerate(project.scale.values)}
    return {
        item: places.get(decided[pair].grade, UNJUDGEABLE)
        for item, pair in enumerate(labels.pairs or ())
        if pair in decided
    }


def settled(
    project: Project,
    method: str | None = None,
    progress: Progress = SILENT,
    *,
    labels: Labels | None = None,
    settings: RuleSettings | None = None,
) -> Consensus:
    """Return the consensus of a project by a rule, by default the one it keeps, with the organiser's decisions in it."""
    votes = voting_labels(project, progress) if labels is None else labels
    settings = settings or RuleSettings(fitting=FitOptions(progress=progress))
    return consensus(
        votes, method or consensus_method(project), settings, decided=decided_codes(project, votes)
    )


def settled_grades(project: Project, found: Consensus | None = None) -> dict[Pair, int]:
    """Return the settled grade of each document of a topic, by default of `settled`; unjudgeable is -2.

    A document that was decided and that nobody's vote counts for is among them; without votes and decisions it is empty.
    """
    found = found or settled(project)
    grades = (
        {(topic, document): grade for topic, document, grade in found.qrels_rows()}
        if len(found.labels.items)
        else {}
    )
    return grades | {pair: decision.grade for pair, decision in valid_decisions(project).items()}


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


def awaited(project: Project) -> Counter[Pair]:
    """Return how many judgments that count are outstanding, of each (topic, document) that has one; empty without assignments and sessions.

    Of a session that has not ended those are all that it still wants, given to somebody or not. Assignments that were withdrawn,
    sessions that have ended and assessors who are set aside are waited for no more. A second showing of a document to the same assessor
    is no vote, and neither is a document that only tests assessors.
    """
    out, tests = without_vote(project), exam_only(project)
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
                dict.fromkeys(_documents(project, each.code))
            )
    waiting = Counter(
        pair for name, pairs in asked.items() for pair in pairs if not _judged(project, name, pair)
    )
    waiting += wanted_in_sessions(project)
    return Counter({pair: count for pair, count in waiting.items() if pair not in tests})


def wanted_in_sessions(project: Project) -> Counter[Pair]:
    """Return how many judgments sessions that have not ended still want of each pair, whether somebody holds it or not."""
    out, wanted = without_vote(project), Counter[Pair]()
    for session in _open_sessions(project):
        wanted += _wanted(project, session, out)
    return wanted


def sharing_people(project: Project) -> tuple[str, ...]:
    """Return who takes part in such a session and counts."""
    out = without_vote(project)
    people = (
        person.id
        for session in _open_sessions(project)
        for person in project.sessions.people(session.code)
    )
    return tuple(id for id in people if id not in out)


def movable_pairs(project: Project) -> set[Pair]:
    """Return the (topic, document) pairs whose grade in the consensus outstanding judgments can still change.

    Those are the pairs that an outstanding judgment is of, and what an open session shows to everybody who comes; by a rule that models
    assessors also every other pair with a vote. What the organiser decided does not change.
    """
    waiting = set(awaited(project)).union(
        *(_shown_to_all(project, session) for session in _open_sessions(project))
    )
    if waiting and consensus_method(project) not in ONE_BY_ONE:
        waiting |= set(settled_grades(project))
    return waiting - set(valid_decisions(project))


def _documents(project: Project, assignment: int) -> list[Pair]:
    return [
        (item.topic, item.documents[0])
        for item in project.assignments.items(assignment)
        if item.type == "document"
    ]


def _judged(project: Project, assessor: str, pair: Pair) -> bool:
    topic, document = pair
    event = ledger_of(project, assessor).judgment((topic, (document,), 1))
    return event is not None and event.kind in JUDGMENTS


def _open_sessions(project: Project) -> list[StoredSession]:
    """Return the sessions whose judgments are still to come and count."""
    counts = counted_group(project) != "others"
    return [
        each
        for each in project.sessions.all()
        if counts and each.state != ENDED and each.mode == "grade"
    ]


def _wanted(project: Project, session: StoredSession, out: Collection[str]) -> Counter[Pair]:
    """Return how many judgments a session still wants of each pair; of what else was given out, how many were not made yet."""
    judged: dict[Pair, set[str]] = {}
    held: set[tuple[Pair, str]] = set()
    same = project.sessions.same()
    for person in project.sessions.people(session.code):
        who, late = same.get(person.id, person.id), project.sessions.late(person.id)
        for pair in (
            _documents(project, person.assignment) if not {who, person.id} & set(out) else ()
        ):
            if not _judged(project, person.id, pair):
                held.add((pair, who))
            elif (pair[0], (pair[1],)) not in late:
                judged.setdefault(pair, set()).add(who)
    topics, overlap = _terms(session)
    share = _share(project, session, topics) - _normed(session)
    if _in_rounds(session):
        share = set()  # the pool comes after them
    wanted = {pair: overlap - len(judged.get(pair, ())) for pair in share}
    return +Counter(wanted) + Counter(
        pair for pair, who in held if pair not in share and who not in judged.get(pair, ())
    )


def _terms(session: StoredSession) -> tuple[tuple[str, ...], int]:
    """Return which topics a session asks for, none for all, and how many judgments of each pair."""
    try:
        return tuple(session.terms["topics"]), int(session.terms["terms"]["overlap"])
    except (KeyError, TypeError, ValueError) as fault:
        problem = (
            "What session {code} asks for cannot be read ({fault!r}); `irjudge verify` says more."
        )
        raise ProjectError(problem, code=session.code, fault=fault) from fault


def _share(project: Project, session: StoredSession, topics: Collection[str]) -> set[Pair]:
    """Return what a session is to judge until each has its overlap."""
    if (
        session.terms.get("terms", {}).get("order") == LEARNS
    ):  # what learning finds later, nobody knows
        return {
            pair
            for person in project.sessions.people(session.code)
            for pair in _documents(project, person.assignment)
        }
    if not project.rankings.pool_version():
        return set()
    pool = unassigned(project, besides=session.round, again=session.again)[0]
    shown = shown_calibration(project)
    return {
        (topic, document)
        for topic in topics or pool
        for document in pool.get(topic, ())
        if document not in shown.get(topic, ())
    }


def _normed(session: StoredSession) -> set[Pair]:
    """Return the documents of norming rounds, which nobody gets any more when the pool is judged."""
    norming = norming_of(session)
    return set(norming.pairs) if norming else set()


def _in_rounds(session: StoredSession) -> bool:
    norming = norming_of(session)
    return norming is not None and not norming.over


def _shown_to_all(project: Project, session: StoredSession) -> set[Pair]:
    """Return pooled pairs with no set end in a session: calibration, and known answers that are not among what it is to judge."""
    shown = {
        (topic, document)
        for topic, documents in shown_calibration(project).items()
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
            for topic, documents in known_answers(project, name)[1].items()
            for document in documents
        }
    pooled = pooled_pairs(project, project.rankings.pool_version())
    topics, _ = _terms(session)
    normed = _normed(session) if _in_rounds(session) else set()
    return normed | {
        pair
        for pair in shown - _share(project, session, topics)
        if pair in pooled and (not topics or pair[0] in topics)
    }


@dataclass(frozen=True, slots=True)
class Decision:
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


def _decision(event: Event) -> Decision:
    said: Mapping[str, object] = event.payload
    grade = UNJUDGEABLE if said.get("unjudgeable") else int(str(said["value"]))
    return Decision(
        event.item.topic,
        event.item.documents[0],
        event.item.contents[0],
        grade,
        str(said.get("why", "")),
        event.time,
        event.assessor,
    )


def decision_on(ledger: Ledger, pair: Pair) -> Decision | None:
    """Return the decision in force for a document of a topic; None where nothing is decided."""
    return next(map(_decision, ledger.decisions.in_force(pair)), None)


def decisions_in(ledger: Ledger) -> dict[Pair, Decision]:
    """Return every decision in force, in the order in which documents were first decided."""
    pairs = cast(Iterable[Pair], ledger.decisions.of)
    return {pair: decision for pair in pairs if (decision := decision_on(ledger, pair)) is not None}


def decisions_of(project: Project) -> dict[Pair, Decision]:
    """Return the decisions in force of the project's owner; nobody else's events decide anything."""
    return decisions_in(ledger_of(project))


def valid_decisions(project: Project) -> dict[Pair, Decision]:
    """Return the decisions in force that are of the text and of the scale that the project holds now."""
    found = decisions_of(project)
    current = project.collection.digests(list(dict.fromkeys(document for _, document in found)))
    grades = {*project.scale.values, UNJUDGEABLE}
    return {
        pair: each
        for pair, each in found.items()
        if each.grade in grades and each.content in ("", current.get(each.document, ""))
    }


def adjudication_sentence(decisions: Collection[Decision], pairs: int) -> str:
    """Return how many of some pairs were adjudicated, and by whom."""
    return Message(
        "Adjudicated by {names}: {count:,} of {pairs:,} pairs.",
        names=join_messages(sorted({each.adjudicator for each in decisions})),
        count=len(decisions),
        pairs=pairs,
    )


class Adjudication(Recorder):
    """The organiser deciding, one document at a time, in the owner's one chain, in which the owner's judgments stand as well."""

    decides = True

    def __init__(self, project: Project, *, clock: Callable[[], str] = utc_now) -> None:
        super().__init__(project, clock=clock)

    def decision(self, pair: Pair) -> Decision | None:
        """Return the decision in force for a document of a topic; None where nothing is decided."""
        return decision_on(self.ledger, pair)

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
        if models := models_shown(self._project, self._project.owner, (topic, document.id)):
            found[SAW] = list(models)
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
    split: bool  # whether the votes differ, and not only the rules; one of `pairs_to_adjudicate`

    @property
    def pair(self) -> Pair:
        """Topic and document."""
        return self.topic, self.document


def disputes(project: Project, *, rel: int = 1, progress: Progress = SILENT) -> tuple[Dispute, ...]:
    """Return what there is to decide, what matters most first, as `dispute_queue` sorts it, and what was decided.

    What was decided stays where it stood; a document on which assessors agree by now, or that has fewer than two votes, stands at the
    end, so that its decision can be seen and changed. A document without a text in the project cannot be shown, and is left out.
    """
    labels = voting_labels(project, progress)
    found = (
        consensus_by_methods(labels, RULES, RuleSettings(fitting=FitOptions(progress=progress)))
        if len(labels)
        else ()
    )
    pairs: Sequence[Pair] = labels.pairs or ()
    queue = {pairs[each.item]: each for each in dispute_queue(project, found, rel=rel)}
    listed = [*queue, *(pair for pair in decisions_of(project) if pair not in queue)]
    textless = set(project.collection.without_text(list({document for _, document in listed})))
    listed = [pair for pair in listed if pair[1] not in textless]
    grades = [[row[1] for row in each.rows()] for each in found]
    counted = {pair: item for item, pair in enumerate(pairs) if found and found[0].votes[item]}
    votes = _votes(project, labels.workers, counted.keys() & listed)
    split = set(pairs_to_adjudicate(project, labels))
    return tuple(
        Dispute(
            *pair,
            tuple(votes[pair]),
            _verdicts(found, grades, counted[pair]) if pair in counted else (),
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


def pairs_to_adjudicate(project: Project, labels: Labels) -> tuple[Pair, ...]:
    """Return the pairs on which the votes of a project differ, without those that have no text to show.

    `labels` are those of `voting_labels`. A pair on which only rules of consensus differ is none.
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
    """Count those of `pairs_to_adjudicate` that were adjudicated, on the text and scale of now."""
    return AdjudicationCount(len(set(pairs) & valid_decisions(project).keys()), len(pairs))


def dispute_queue(
    project: Project, found: Sequence[Consensus], *, rel: int = 1
) -> tuple[DisputedItem, ...]:
    """Return the documents on which assessors disagree, then those on which only rules do; the weightiest first."""
    return (
        adjudication_queue(found, rel=rel, importance=importance(project, found[0].labels))
        if found
        else ()
    )


def importance(project: Project, labels: Labels) -> Floats | None:
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


def _verdicts(
    found: Sequence[Consensus], grades: Sequence[Sequence[str | float | None]], item: int
) -> tuple[RuleVerdict, ...]:
    return tuple(
        RuleVerdict(each.rule.title, _shown(said[item]), each.reasons[item])
        for each, said in zip(found, grades, strict=True)
    )


def _shown(grade: str | float | None) -> str:
    if grade is None or isinstance(grade, str):
        return grade or UNJUDGEABLE_WORD
    return f"{grade:.2f}"


def _votes(project: Project, names: Sequence[str], wanted: set[Pair]) -> dict[Pair, list[Vote]]:
    """Return the votes for some documents, by assessor in alphabetical order, as `voting_labels` has them."""
    votes: dict[Pair, list[Vote]] = defaultdict(list)
    usable = {*project.scale.values, UNJUDGEABLE}
    ids: dict[str, list[str]] = {name: [name] for name in names}
    for other, name in project.sessions.same().items():
        ids.get(name, []).append(other)
    for name, theirs in ids.items():
        given: set[Pair] = set()
        for id in theirs:
            ledger = ledger_of(project, id)
            for event, pair, fits in judgments_of(project, id):
                vote = _vote(name, event, ledger)
                if pair in wanted and pair not in given and fits and vote.grade in usable:
                    given.add(pair)
                    votes[pair].append(vote)
    return votes


def _vote(name: str, event: Event, ledger: Ledger) -> Vote:
    marks, payload = ledger.marks(event.item.key), event.payload
    return Vote(
        name,
        int(payload["value"]) if event.kind == "grade" else UNJUDGEABLE,
        str(payload.get("reason", "")),
        marks.unsure,
        marks.note,
        tuple(each.text for each in marks.rationales),
    )
