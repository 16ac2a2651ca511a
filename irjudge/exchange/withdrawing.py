"""Takes back a round of assignments that was made by mistake, as far as nothing of it came back."""

from irjudge.errors import ProjectError
from irjudge.model.assignment import Assignment
from irjudge.store.project import Project


def withdraw_round(project: Project, number: int) -> tuple[Assignment, ...]:
    """Withdraw the files of a round of which nothing came back, and return them; what they asked for can be assigned anew.

    The assignments stay known: should such a file come back after all, what was judged in it is taken.

    Parameters
    ----------
    number
        Of the round, from 1.

    Raises
    ------
    ProjectError
        When there is no such round, or it has no file that could be withdrawn.
    """
    rounds = [each.number for each in project.assignments.rounds()]
    if number not in rounds:
        raise ProjectError(f"There is no round {number} of assignments; there are {', '.join(map(str, rounds)) or 'none'}.")
    back = {each.assignment for each in project.assignments.returned()}
    made = [each for each in project.assignments.all() if each.round == number and each.file]
    out = tuple(each for each in made if not each.withdrawn and each.id not in back)
    if not out:
        raise ProjectError(f"No file of round {number} can be withdrawn: each came back already, or was withdrawn before.")
    with project.transaction():
        for each in out:
            project.assignments.withdraw(each.code)
    return out
