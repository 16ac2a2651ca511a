"""The comparisons of a project: who is asked to compare, and by which rules."""

from irjudge.errors import ProjectError
from irjudge.model.assignment import Assignment
from irjudge.model.comparison import Rules
from irjudge.store.assignments import RULES
from irjudge.store.project import Project


def compares(project: Project, assessor: str | None = None) -> bool:
    """Tell whether an assessor (by default the owner) has something to compare side by side in a project."""
    return bool(comparisons_of(project, assessor or project.owner))


def comparisons_of(project: Project, assessor: str) -> list[Assignment]:
    """Return the assignments that ask an assessor to compare, in the order they were made; withdrawn ones are left out."""
    found = project.assignments.all()
    return [each for each in found if each.assessor == assessor and each.mode == "side-by-side" and not each.withdrawn]


def rules_of(project: Project, assignment: Assignment) -> Rules:
    """Return the rules of a comparison: in an assessor's file what it says, else what was wished when it was made.

    Raises
    ------
    ProjectError
        When they cannot be read.
    """
    try:
        written = project.fact(RULES)
        if written is not None:
            return Rules.parse(written)
        wishes = next((each.wishes for each in project.assignments.rounds() if each.number == assignment.round), {})
        return Rules.read(wishes.get(RULES) or {})
    except (ValueError, TypeError, AttributeError) as fault:
        raise ProjectError(
            "The rules of the comparison in {file} cannot be read ({fault}).", file=project.path.name, fault=fault
        ) from fault
