"""The command for answers: a project in which citations, nuggets or whole answers are judged, and the table of what was judged."""

from collections.abc import Sequence
from pathlib import Path

import click

from irjudge.cli.projects import ManyFiles
from irjudge.cli.shared.locations import FILE
from irjudge.cli.shared.open_project import reading, said_qrels
from irjudge.cli.shared.output import format_option, show, source_option, terminal_progress
from irjudge.cli.shared.streams import say, tell
from irjudge.errors import IrjudgeError
from irjudge.formats.collections.answers import read_answers
from irjudge.formats.collections.documents import read_documents
from irjudge.formats.judgments.tasks import read_nuggets
from irjudge.formats.remarks import Remarks
from irjudge.judging.answers import TASKS, Material, answer_project, judged_table
from irjudge.judging.judged_qrels import choices
from irjudge.message import counted
from irjudge.model.answer import CitedAnswer
from irjudge.model.document import Document
from irjudge.progress import Progress
from irjudge.store.project import OWNER


@click.command("answers", cls=ManyFiles)
@click.argument("project", type=FILE)
@click.option(
    "--answers",
    "files",
    type=FILE,
    multiple=True,
    help="Answers as TREC RAG has them. Without it, print what was judged.",
)
@click.option(
    "--task",
    type=click.Choice(list(TASKS)),
    default="support",
    show_default=True,
    help="What is judged of them.",
)
@click.option(
    "--documents",
    type=FILE,
    multiple=True,
    help="The texts of what is cited: files, folders or archives.",
)
@click.option("--nuggets", type=FILE, help="The nuggets of each topic, as JSON lines.")
@click.option(
    "--owner", default=OWNER, help="Who is to judge in it. Default: nobody in particular."
)
@source_option()
@format_option()
def answers_command(
    project: Path,
    files: Sequence[Path],
    task: str,
    documents: Sequence[Path],
    nuggets: Path | None,
    owner: str,
    which: str | None,
    form: str,
) -> None:
    """Make a PROJECT in which the answers of systems are judged blind, one key each; without --answers, print what was judged in one.

    Judged are by --task: the support of each citation (none, partial, full; with --documents), the nuggets that each answer holds (not,
    partly, supported; with --nuggets), the importance of each nugget (okay, vital), or each whole answer.
    """
    if not files:
        _print(project, which, form)
        return
    given = {"documents": documents, "nuggets": nuggets}
    if (needs := TASKS[task].needs) and not given[needs]:
        raise IrjudgeError("--task {task} needs --{needs}.", task=task, needs=needs)
    answers = [answer for path in files for answer in _read(path)]
    with terminal_progress() as progress:
        passages = _passages(documents, answers, progress)
    made = answer_project(
        project,
        task,
        answers,
        Material(passages, read_nuggets(nuggets) if nuggets else {}),
        owner=owner,
    )
    say(*made.remarks)
    items = f"{counted(made.items, 'thing')} to judge"
    tell(
        f"Made {project}: {items}, of {counted(made.answers, 'answer')} to {counted(made.topics, 'topic')}."
    )


def _read(path: Path) -> list[CitedAnswer]:
    remarks = Remarks()
    answers = read_answers(path, remarks)
    say(*remarks.about(path.name))
    return answers


def _passages(
    paths: Sequence[Path], answers: Sequence[CitedAnswer], progress: Progress
) -> dict[str, Document]:
    """Return the cited documents; others are passed over."""
    if not paths:
        return {}
    cited = {
        each for answer in answers for sentence in answer.sentences for each in sentence.citations
    }
    return {
        document.id: document
        for document in read_documents(paths, progress, remarks=[], wanted=cited)
    }


def _print(project: Path, which: str | None, form: str) -> None:
    with reading(project) as opened:
        graded = which is not None or choices(opened)
        columns, rows = judged_table(opened, said_qrels(opened, which) if graded else None)
    show(columns, rows, form)
