"""Documents that can be assigned: unassigned pooled, gold and calibration documents."""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache, partial

from irjudge.errors import ProjectError
from irjudge.judging.counted_assessors import list_excluded_assessors
from irjudge.judging.ledger import get_ledger
from irjudge.judging.sources import list_pool_pairs
from irjudge.message import Message
from irjudge.model import Assignment, Pair, merge_subtopic_grades
from irjudge.store import Project

GOLD_FROM = "gold_from"  # option of a round: name of the qrels with gold grades


# Assigned pairs


def list_assigned_pairs(project: Project) -> dict[str, set[Pair]]:
    """Return the pairs assigned to each assessor.

    If an assignment was withdrawn before any work was returned, only its judged pairs are included.
    """
    pairs_by_assessor: dict[str, set[Pair]] = {}
    for assignment in project.assignments.all():
        pairs_by_assessor.setdefault(assignment.assessor, set()).update(
            _list_blocked_pairs(project, assignment)
        )
    return pairs_by_assessor


def _list_blocked_pairs(
    project: Project, assignment: Assignment, *, is_over: bool = False
) -> set[Pair]:
    """Return the pairs of an assignment that cannot be assigned to others.

    These are all pairs of the assignment. If it was withdrawn, or if its session has ended
    (`is_over`), only the judged pairs are returned.
    """
    pairs = {
        (item.topic, item.documents[0])
        for item in project.assignments.items(assignment.code)
        if item.type == "document"
    }
    if not (assignment.withdrawn or is_over):
        return pairs
    ledger = get_ledger(project, assignment.assessor)
    return {pair for pair in pairs if ledger.judgment((pair[0], (pair[1],), 1)) is not None}


def list_unjudged_pairs(project: Project, assessor: str) -> list[Pair]:
    """Return the unjudged pooled pairs assigned to an assessor, in the order of assignment."""
    ledger, read_pool = get_ledger(project, assessor), cache(partial(read_pool_pairs, project))
    unjudged_pairs = []
    for assignment in project.assignments.all():
        if assignment.assessor == assessor and not assignment.withdrawn:
            pooled_pairs = read_pool(assignment.pool)
            items = project.assignments.items_with_notes(assignment.code)
            assigned_pairs = (
                (item.topic, item.documents[0])
                for item, secret in items
                if item.type == "document" and secret.role != "repeat"
            )
            unjudged_pairs += [
                pair
                for pair in assigned_pairs
                if pair in pooled_pairs and ledger.judgment((pair[0], (pair[1],), 1)) is None
            ]
    return unjudged_pairs


def list_unassigned(
    project: Project, *, ignored_round: int | None = None, include_assigned: bool = False
) -> tuple[dict[str, list[str]], list[str]]:
    """Return the unassigned documents of each topic in the newest pool, and warnings.

    Documents are in pool order; documents without a text are omitted. Assignments of the round
    `ignored_round` and of excluded assessors are ignored. With `include_assigned`, assigned documents are also returned, so
    that more assessors can judge them.
    """
    version = project.rankings.pool_version()
    if not version:
        raise ProjectError("There is nothing to assign: the project has no pool. Build one first.")
    assigned_pairs, ended_sessions = set[Pair](), project.sessions.ended_assignments()
    excluded_names = {assessor.name for assessor in list_excluded_assessors(project)}
    read_pool = cache(partial(read_pool_pairs, project))
    for assignment in (
        assignment
        for assignment in project.assignments.all()
        if assignment.round != ignored_round
        and assignment.assessor not in excluded_names
        and not include_assigned
    ):
        pooled_pairs = read_pool(assignment.pool)
        assigned_pairs |= (
            _list_blocked_pairs(project, assignment, is_over=assignment.code in ended_sessions)
            & pooled_pairs.keys()
        )
    documents_without_text = set(project.rankings.pooled_without_text())
    pool: dict[str, list[str]] = {}
    for topic, document in read_pool(version):
        if (topic, document) not in assigned_pairs and document not in documents_without_text:
            pool.setdefault(topic, []).append(document)
    warnings: list[str] = []
    if documents_without_text:
        examples = ", ".join(sorted(documents_without_text)[:5])
        warnings.append(
            Message(
                "Pooled documents without text, not assigned: {count:,} (for example {examples}).",
                key="pooled-without-text",
                count=len(documents_without_text),
                examples=examples,
            )
        )
    return pool, warnings


def count_assigned_pairs(project: Project) -> tuple[int, int]:
    """Return the numbers of assigned and unassigned pairs of the pool."""
    all_count, remaining_count = (
        sum(map(len, list_unassigned(project, include_assigned=includes_assigned)[0].values()))
        for includes_assigned in (True, False)
    )
    return all_count - remaining_count, remaining_count


def read_pool_pairs(project: Project, version: int) -> dict[Pair, None]:
    """Return the pairs of a pool in pool order; empty if there is no such pool."""
    return list_pool_pairs(project.rankings.pool(version))


# Gold documents


GOLD_ROLES = frozenset({"gold", "qualification"})  # roles of documents with a gold grade


@dataclass(frozen=True, slots=True)
class GoldGrades:
    """Gold grades of the assigned gold items, with which assessors' judgments are compared.

    Only the first presentation of a pair to an assessor is a gold item.
    """

    answers: Mapping[Pair, int]  # gold grade by pair
    # (assessor, pair) of each assigned gold item; a participant is identified by the main id
    assigned_pairs: frozenset[tuple[str, Pair]]


def read_assigned_gold(project: Project) -> GoldGrades:
    """Return the gold grades of assigned gold and qualification items, and their assessors."""
    gold_grades: dict[Pair, int] = {}
    assigned_pairs: set[tuple[str, Pair]] = set()
    first_ids = project.sessions.first_ids()
    qrels_names = {
        assignment_round.number: str(assignment_round.options.get(GOLD_FROM) or "")
        for assignment_round in project.assignments.rounds()
    }
    gold_by_name = {
        name: _read_gold_grades(project, name) for name in set(qrels_names.values()) if name
    }
    for assignment in project.assignments.all():
        qrels_grades = gold_by_name.get(qrels_names.get(assignment.round, ""), {})
        seen_pairs: set[Pair] = set()
        for item, secret in project.assignments.items_with_notes(assignment.code):
            pair = (item.topic, item.documents[0])
            # if a pair is presented several times, only the first presentation is a gold item
            is_first = pair not in seen_pairs
            seen_pairs.add(pair)
            if is_first and secret.role in GOLD_ROLES and pair in qrels_grades:
                gold_grades[pair] = qrels_grades[pair]
                assigned_pairs.add((first_ids.get(assignment.assessor, assignment.assessor), pair))
    return GoldGrades(gold_grades, frozenset(assigned_pairs))


def read_gold(project: Project, name: str | None) -> tuple[str, dict[str, dict[str, int]]]:
    """Return the name of the gold qrels and their grades by topic and document.

    If no name is given, the first qrels are used. Grades that are not on the scale are omitted.
    """
    qrels_name = _choose_gold_qrels(project, name)
    grades_by_topic: dict[str, dict[str, int]] = {}
    for (topic, document), grade in _read_gold_grades(project, qrels_name).items():
        grades_by_topic.setdefault(topic, {})[document] = grade
    return qrels_name, grades_by_topic


def _choose_gold_qrels(project: Project, name: str | None) -> str:
    names = [qrels_name.name for qrels_name in project.rankings.qrels_names()]
    if not names:
        raise ProjectError(
            "Gold and qualification items need known grades: first import qrels with these grades."
        )
    if name is not None and name not in names:
        raise ProjectError(
            "The project has no qrels {name}; available: {names}.",
            name=name,
            names=", ".join(names),
        )
    return name or names[0]


def _read_gold_grades(project: Project, name: str) -> dict[Pair, int]:
    """Return the grades in qrels, by pair.

    Unjudged documents, documents without a text and grades that are not on the scale are omitted.
    """
    graded_pairs = _read_known_grades(project, name)
    documents_without_text = set(
        project.collection.without_text(
            list(dict.fromkeys(document for _, document in graded_pairs))
        )
    )
    return {
        pair: grade
        for pair, grade in graded_pairs.items()
        if grade in project.scale.values and pair[1] not in documents_without_text
    }


def _read_known_grades(project: Project, name: str) -> dict[Pair, int]:
    return merge_subtopic_grades(row for row in project.rankings.qrels(name).rows() if row[2] >= 0)


def warn_off_scale_gold(project: Project, name: str) -> list[str]:
    """Return a warning if gold qrels have grades that are not on the scale."""
    grades, values = _read_known_grades(project, name).values(), project.scale.values
    count = sum(grade not in values for grade in grades)
    if not count:
        return []
    return [
        Message(
            "Pairs of the qrels {name} that are not used as gold items, because their grades are "
            "not on the scale ({scale}): {count:,}.",
            key="off-scale-gold",
            name=name,
            scale=", ".join(map(str, values)),
            count=count,
        )
    ]


def list_calibration(project: Project) -> dict[str, list[str]]:
    """Return the calibration documents that have a text, by topic."""
    calibration = project.calibration
    documents_without_text = set(
        project.collection.without_text(
            list({document for grades in calibration.values() for document in grades})
        )
    )
    return {
        topic: [document for document in grades if document not in documents_without_text]
        for topic, grades in calibration.items()
    }
