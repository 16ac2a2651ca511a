"""What each rule of consensus would change in a project: how many labels, and which runs change places."""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations

import numpy as np

from irjudge.evaluation.orderings import orderings
from irjudge.evaluation.table import Policy, evaluate
from irjudge.judging.judged_qrels import settled_rows
from irjudge.judging.settlement import consensus_method, settled, voting_labels
from irjudge.message import Message
from irjudge.metrics.naming.names import Measure
from irjudge.model.ranking import make_qrels
from irjudge.progress import SILENT, Progress
from irjudge.stats.consensus.rules import RULES, Rule
from irjudge.stats.rankings import Floats
from irjudge.store.project import Project
from irjudge.store.sides import sides_of

CLOSE = 1e-12  # values that differ by rounding alone are tied
Grades = dict[tuple[str, str], int]


@dataclass(frozen=True, slots=True)
class RuleEffect:
    """What a rule would change against the one in force.

    Parameters
    ----------
    rule
        The rule, one whose grades qrels can hold.
    in_force
        Whether it settles the project's grades now.
    labels
        How many pairs of topic and document would have another grade, or none any more.
    swapped
        Every two runs that would change places by the measure.
    """

    rule: Rule
    in_force: bool
    labels: int
    swapped: tuple[tuple[str, str], ...]


def rule_effects(
    project: Project, measure: Measure, policy: Policy | None = None, progress: Progress = SILENT
) -> tuple[RuleEffect, ...]:
    """Return what each rule would change, in the order of the rules; what the organiser decided stays by any of them.

    Raises
    ------
    IrjudgeError
        When an event cannot be read, or the measure needs what the project does not have.
    """
    votes, now = voting_labels(project, progress), consensus_method(project)
    rules = [each for each in RULES.values() if not each.real]
    rows = {each.name: settled_rows(project, settled(project, each.name, progress, labels=votes)) for each in rules}
    grades: dict[str, Grades] = {name: {(topic, document): grade for topic, document, grade in found} for name, found in rows.items()}
    values = {name: _values(project, found, measure, policy, progress) for name, found in rows.items() if grades[name] != grades[now]}
    before = _values(project, rows[now], measure, policy, progress) if values else ((), np.zeros(0))
    return tuple(
        RuleEffect(each, each.name == now, _different(grades[now], grades[each.name]), _swapped(before, values.get(each.name, before)))
        for each in rules
    )


def _different(one: Grades, other: Grades) -> int:
    return sum(one.get(pair) != other.get(pair) for pair in one.keys() | other.keys())


def _values(
    project: Project, rows: Sequence[tuple[str, str, int]], measure: Measure, policy: Policy | None, progress: Progress
) -> tuple[tuple[str, ...], Floats]:
    """Return the runs and their means."""
    names = [run.name for run in project.rankings.runs()]
    if not names or not rows:
        return (), np.zeros(0)
    runs = (project.rankings.run(name) for name in progress.through(names, Message("Comparing rules"), total=len(names), every=1))
    size = project.collection.document_count() or None
    needed = frozenset(measure.declaration.needs)
    sides = sides_of(project, needed) if needed else ()
    table = evaluate(
        make_qrels(rows), runs, [measure], policy, highest=project.scale.highest, collection=size, sides=sides, total=len(names)
    )
    (found,) = orderings(table)
    return found.systems, found.values


def _swapped(before: tuple[tuple[str, ...], Floats], after: tuple[tuple[str, ...], Floats]) -> tuple[tuple[str, str], ...]:
    (names, one), (_, other) = before, after
    return tuple(
        (names[a], names[b])
        for a, b in combinations(range(len(names)), 2)
        if (one[a] - one[b]) * (other[a] - other[b]) < 0 and min(abs(one[a] - one[b]), abs(other[a] - other[b])) > CLOSE
    )
