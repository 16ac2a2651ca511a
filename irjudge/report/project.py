"""The workbook of a project: its evaluation, judgments, qrels and pool."""

from pathlib import Path

from irjudge.evaluation.table import Evaluation
from irjudge.judging.judged_qrels import QrelsChoice, choices, judgments_in_force, qrels_rows
from irjudge.progress import SILENT, Progress
from irjudge.report.workbook import WrittenWorkbook, judgment_rows, write_workbook
from irjudge.store.project import Project


def write_project_workbook(
    path: Path, project: Project, evaluation: Evaluation, choice: QrelsChoice | None = None, progress: Progress = SILENT
) -> WrittenWorkbook:
    """Write what a project's evaluation rests on beside its numbers.

    Parameters
    ----------
    path
        Replaced only when the whole workbook is written.
    project
        Where the judgments, the qrels and the pool come from.
    evaluation
        What was computed.
    choice
        The qrels it was computed with; by default the project's.
    progress
        Told sheet by sheet; cancelling leaves no file.

    Raises
    ------
    IrjudgeError
        When the file cannot be written.
    """
    used = choice or next(iter(choices(project)), None)
    facts = {
        "Project": project.title,
        "Scale": ", ".join(f"{grade.value} {grade.label}".strip() for grade in project.scale.grades),
        "Qrels": f"{used.name} ({used.rows:,} pairs)" if used else "none",
    }
    judged = [event for assessor in project.events.assessors() for event in judgments_in_force(project, assessor)]
    return write_workbook(
        path,
        evaluation,
        judgments=judgment_rows(judged),
        qrels=qrels_rows(project, used),
        pool=project.rankings.pool(),
        facts=facts,
        progress=progress,
    )
