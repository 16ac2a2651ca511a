"""The workbook of a project: its evaluation, judgments, qrels and pool."""

from pathlib import Path

from irjudge.evaluation.table import Evaluation
from irjudge.judging.judged_qrels import grades_in_force
from irjudge.progress import SILENT, Progress
from irjudge.report.workbook import WrittenWorkbook, judgment_rows, write_workbook
from irjudge.store.project import Project


def write_project_workbook(path: Path, project: Project, evaluation: Evaluation, progress: Progress = SILENT) -> WrittenWorkbook:
    """Write what a project's evaluation rests on beside its numbers.

    Parameters
    ----------
    path
        Replaced only when the whole workbook is written.
    project
        Where the judgments and the pool come from.
    evaluation
        What was computed; the sheet of qrels holds those it was computed with.
    progress
        Told sheet by sheet; cancelling leaves no file.

    Raises
    ------
    IrjudgeError
        When the file cannot be written.
    """
    facts = {
        "Project": project.title,
        "Scale": ", ".join(f"{grade.value} {grade.label}".strip() for grade in project.scale.grades),
        "Qrels": evaluation.source,
    }
    judged = [event for assessor in project.events.assessors() for event in grades_in_force(project, assessor)]
    pool = project.rankings.pool()
    return write_workbook(
        path, evaluation, judgments=judgment_rows(judged), qrels=evaluation.qrels.rows(), pool=pool, facts=facts, progress=progress
    )
