"""Storage of values, and checks against stored values."""

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import click

from irjudge.cli.options import terminal_progress
from irjudge.cli.streams import say
from irjudge.errors import IrjudgeError
from irjudge.evaluation import Evaluation
from irjudge.formats.rankings import expand_run_folders
from irjudge.model import AuxiliaryTable
from irjudge.report import (
    StoredEvaluation,
    check_evaluation_name,
    check_floors,
    check_not_worse,
    evaluation_changes,
    file_inputs,
    is_study,
    make_stored_evaluation,
    make_stored_project_evaluation,
    newest_evaluation,
    parse_floor,
    read_stored_evaluations,
    side_inputs,
    store_in_file,
    store_in_project,
    stored_evaluations,
    stored_evaluations_path,
)
from irjudge.shipped import program_version
from irjudge.store import Project, is_project, open_project


def check_options(keep: str | None, floors: Sequence[str]) -> None:
    """Raise IrjudgeError for invalid options before anything is computed."""
    if keep is not None:
        check_evaluation_name(keep)
    for each in floors:
        parse_floor(each)


def check_values(
    table: Evaluation, qrels: Path, floors: Sequence[str], worse: str | None, **how: Any
) -> None:
    """Raise an error if a value is below its minimum, or worse than the baseline."""
    check_floors(table, map(parse_floor, floors))
    if worse is None:
        return
    if not table.runs:
        raise IrjudgeError("There is no run to compare.")
    if any(run.run == worse for run in table.runs):
        check_not_worse(table, baseline=worse, **how)
    else:
        check_not_worse(table, find_stored_evaluation(qrels, worse), **how)


def keep_values(
    table: Evaluation,
    name: str,
    qrels: Path,
    runs: Sequence[Path],
    project: Project | None,
    auxiliary: Sequence[AuxiliaryTable],
) -> None:
    """Store values in the project or next to the qrels, and print where."""
    path = qrels if project else stored_evaluations_path(qrels, name)
    if project:
        with terminal_progress() as progress:
            store_in_project(
                project,
                make_stored_project_evaluation(
                    project, table, name, auxiliary, program=program_version(), progress=progress
                ),
            )
    else:
        store_in_file(path, evaluation_of_files(table, name, qrels, runs, auxiliary))
    say(f"Saved as {name} in {path.name}.")


def evaluation_of_files(
    table: Evaluation,
    name: str,
    qrels: Path,
    runs: Sequence[Path],
    auxiliary: Sequence[AuxiliaryTable] = (),
) -> StoredEvaluation:
    """Convert an evaluation of files to stored form, with the options for reading the files."""
    inputs = (
        *file_inputs(qrels, expand_run_folders(runs), [run.run for run in table.runs]),
        *side_inputs(auxiliary),
    )
    return make_stored_evaluation(
        table, name, inputs, program=program_version(), reading=reading_options()
    )


def describe_changes(
    before: StoredEvaluation, table: Evaluation, qrels: Path, runs: Sequence[Path]
) -> list[str]:
    """Return a sentence for each change in inputs and settings since an evaluation was stored."""
    if is_project(qrels):
        with open_project(qrels, writing=False) as project, terminal_progress() as progress:
            now = make_stored_project_evaluation(
                project, table, before.name, program=program_version(), progress=progress
            )
    else:
        now = evaluation_of_files(table, before.name, qrels, runs)
    changes = [
        f"{each.what}: {each.before or 'none'} before, {each.now or 'none'} now."
        for each in evaluation_changes(before, now)
    ]
    return changes or [f"The same inputs and settings as {before.dated_name}."]


def reading_options() -> dict[str, str]:
    """Return the options of the running command that affect how files are read."""
    given = click.get_current_context().params
    options = {
        "columns": "\n".join(given.get("columns", ())),
        "sheet": "\n".join(given.get("sheets", ())),
        "negative": given.get("negative"),
        "grades": given.get("grades"),
        "cuts": given.get("cuts"),
        "gains": "yes" if given.get("gains") else None,
    }
    return {name: str(value) for name, value in options.items() if value}


def list_stored_evaluations(source: Path) -> tuple[StoredEvaluation, ...]:
    """Return the stored evaluations of a project, a study or a file, oldest first."""
    if is_project(source):
        with open_project(source, writing=False) as project:
            return stored_evaluations(project)
    if is_study(source):
        from irjudge.report import read_study  # noqa: PLC0415 -- reports take half a second to load

        return (read_study(source).stored,)
    return read_stored_evaluations(source)


def find_stored_evaluation(qrels: Path, name: str) -> StoredEvaluation:
    """Return the newest evaluation with a name, in the project, next to the qrels, or in the named
    file.
    """
    if Path(name).is_file():
        return list_stored_evaluations(Path(name))[-1]
    if is_project(qrels):
        return newest_evaluation(list_stored_evaluations(qrels), name)
    path = stored_evaluations_path(qrels, name)
    return newest_evaluation(read_stored_evaluations(path) if path.is_file() else (), name)
