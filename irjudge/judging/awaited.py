"""Judgments that are still to come in from assessors, and which grades of the consensus they can change."""

from collections import Counter

from irjudge.judging.deciding import valid_decisions
from irjudge.judging.ledger import JUDGMENTS, ledger_of
from irjudge.judging.settling import consensus_method, exam_only, settled_grades
from irjudge.judging.votes import without_vote
from irjudge.store.project import Project

Pair = tuple[str, str]
# Rules that look at the votes of one document alone; by any other a vote can change the grades of other documents too.
ONE_BY_ONE = frozenset({"majority", "lower-median"})


def awaited(project: Project) -> Counter[Pair]:
    """Return how many judgments that count are assigned and outstanding, of each (topic, document) that has one; empty without assignments.

    Assignments that were withdrawn and assessors who are set aside are waited for no more. A second showing of a document to the same
    assessor is no vote, and neither is a document that only tests assessors.
    """
    out, tests = without_vote(project), exam_only(project)
    asked: dict[str, dict[Pair, None]] = {}
    for each in project.assignments.all():
        if each.mode == "grade" and not each.withdrawn and each.assessor not in out:
            items = (item for item in project.assignments.items(each.code) if item.type == "document")
            asked.setdefault(each.assessor, {}).update(dict.fromkeys((item.topic, item.documents[0]) for item in items))
    return Counter(pair for name, pairs in asked.items() for pair in pairs if pair not in tests and not _judged(project, name, pair))


def _judged(project: Project, assessor: str, pair: Pair) -> bool:
    topic, document = pair
    event = ledger_of(project, assessor).judgment((topic, (document,), 1))
    return event is not None and event.kind in JUDGMENTS


def movable_pairs(project: Project) -> set[Pair]:
    """Return the (topic, document) pairs whose grade in the consensus outstanding judgments can still change.

    Those are the pairs that an outstanding judgment is of; by a rule that models assessors also every other pair with a vote. What the
    organiser decided does not change.
    """
    waiting = set(awaited(project))
    if waiting and consensus_method(project) not in ONE_BY_ONE:
        waiting |= set(settled_grades(project))
    return waiting - set(valid_decisions(project))
