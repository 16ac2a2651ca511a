"""The settled grades of a project, where what the organiser decided always wins, and what outstanding judgments can still change."""

from collections import Counter
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import cast

import numpy as np

from irjudge.errors import IrjudgeError, ProjectError
from irjudge.judging.incoming.shown_models import SAW, models_shown
from irjudge.judging.labels import project_labels
from irjudge.judging.ledger import JUDGMENTS, Ledger, ledger_of
from irjudge.judging.norming import norming_of
from irjudge.judging.recorder import Recorder, utc_now
from irjudge.judging.supply import (
    GOLD_FROM,
    PLANTED,
    known_answers,
    pooled_pairs,
    shown_calibration,
    unassigned,
)
from irjudge.judging.votes import assessors, counted_group, without_vote
from irjudge.message import Message, listed
from irjudge.model.document import Document
from irjudge.model.event import Event, Item
from irjudge.model.labels import Labels
from irjudge.model.ranking import UNJUDGEABLE, rows_to_topics
from irjudge.progress import SILENT, Progress
from irjudge.stats.consensus.dawid_skene import Fitting
from irjudge.stats.consensus.rules import RULES, RuleSettings, find_rule
from irjudge.stats.consensus.votes import Consensus, consensus
from irjudge.store.project import Project
from irjudge.store.sessions import ENDED, KeptSession

Pair = tuple[str, str]
FACT, USUAL = "consensus", "majority"
LEARNS = "learning"  # the order of a session in which learning finds what is judged
EXAM = PLANTED | {"calibration"}  # roles of documents that test an assessor
# Rules that look at the votes of one document alone; by any other a vote can change the grades of other documents too.
ONE_BY_ONE = frozenset({"majority", "lower-median"})


def consensus_method(project: Project) -> str:
    """Return the rule that settles the project's grades: the one that was kept, else the majority with ties to the lower grade."""
    kept = project.fact(FACT)
    return kept if kept and kept in RULES else USUAL


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
    topics = [pool.topics[code] for code in rows_to_topics(pool.starts).tolist()]
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
    settings = settings or RuleSettings(fitting=Fitting(progress=progress))
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


def _open_sessions(project: Project) -> list[KeptSession]:
    """Return the sessions whose judgments are still to come and count."""
    counts = counted_group(project) != "others"
    return [
        each
        for each in project.sessions.all()
        if counts and each.state != ENDED and each.mode == "grade"
    ]


def _wanted(project: Project, session: KeptSession, out: Collection[str]) -> Counter[Pair]:
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


def _terms(session: KeptSession) -> tuple[tuple[str, ...], int]:
    """Return which topics a session asks for, none for all, and how many judgments of each pair."""
    try:
        return tuple(session.terms["topics"]), int(session.terms["terms"]["overlap"])
    except (KeyError, TypeError, ValueError) as fault:
        problem = (
            "What session {code} asks for cannot be read ({fault!r}); `irjudge verify` says more."
        )
        raise ProjectError(problem, code=session.code, fault=fault) from fault


def _share(project: Project, session: KeptSession, topics: Collection[str]) -> set[Pair]:
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


def _normed(session: KeptSession) -> set[Pair]:
    """Return the documents of norming rounds, which nobody gets any more when the pool is judged."""
    norming = norming_of(session)
    return set(norming.pairs) if norming else set()


def _in_rounds(session: KeptSession) -> bool:
    norming = norming_of(session)
    return norming is not None and not norming.over


def _shown_to_all(project: Project, session: KeptSession) -> set[Pair]:
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
        names=listed(sorted({each.adjudicator for each in decisions})),
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
