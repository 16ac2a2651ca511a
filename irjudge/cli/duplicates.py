"""The command about documents that are nearly the same: duplicates."""

from collections.abc import Iterable, Sequence
from pathlib import Path

import click

from irjudge.cli.shared.locations import FILE
from irjudge.cli.shared.open_project import reading, said_qrels
from irjudge.cli.shared.output import format_option, show, terminal_progress
from irjudge.cli.shared.streams import say, tell
from irjudge.errors import IrjudgeError, ProjectError
from irjudge.formats.collections.documents import read_documents
from irjudge.judging.active_learning import grade_offers, torn_groups
from irjudge.judging.judged_qrels import qrels_rows
from irjudge.message import counted
from irjudge.model.document import Document
from irjudge.search.duplicates import DEFAULT_OVERLAP, MIN_OVERLAP, AlikeGroups, alike_documents
from irjudge.shipped import cache_folder
from irjudge.store.project import Project
from irjudge.store.schema import is_project
from irjudge.store.search_index import project_alike


@click.command("duplicates")
@click.argument("sources", type=FILE, nargs=-1, required=True, metavar="PROJECT | DOCUMENTS...")
@click.option(
    "--overlap",
    type=click.FloatRange(MIN_OVERLAP, 1),
    default=DEFAULT_OVERLAP,
    show_default=True,
    help="The share of runs of three words that two documents have in common at least; 1 takes equal words alone.",
)
@click.option(
    "--pool", "pooled", is_flag=True, help="Only those that stand together in the pool of a topic."
)
@click.option(
    "--offer",
    is_flag=True,
    help="Pairs of the pool that nobody judged, with the grade of one that is nearly the same.",
)
@format_option()
def duplicates_command(
    sources: tuple[Path, ...], overlap: float, pooled: bool, offer: bool, form: str
) -> None:
    """List documents of a PROJECT, or DOCUMENTS, that are nearly the same, in groups; nothing is changed.

    Grades of one are never taken for another; --offer lists those that could be, and says where the same text has several grades.
    """
    if not is_project(sources[0]):
        if pooled or offer:
            raise IrjudgeError(
                "--pool and --offer need a project, which has a pool.", key="project-needed"
            )
        _list(_of_files(sources, overlap), form)
        return
    if len(sources) > 1:
        raise IrjudgeError(
            "{name} is a project; give it alone.", key="project-alone", name=sources[0].name
        )
    with reading(sources[0]) as project, terminal_progress() as progress:
        groups = project_alike(project, cache_folder(), overlap, progress)
        if offer:
            _offer(project, groups, form)
        elif pooled:
            _list_pooled(_pairs(project), groups, form)
        else:
            _list(groups, form)


def _of_files(sources: Sequence[Path], overlap: float) -> AlikeGroups:
    remarks: list[str] = []

    def read() -> Iterable[Document]:
        remarks.clear()  # they are read twice
        return read_documents(sources, remarks=remarks)

    with terminal_progress() as progress:
        groups = alike_documents(read, overlap=overlap, progress=progress)
    say(*remarks)
    return groups


def _list(groups: AlikeGroups, form: str) -> None:
    rows = [
        (place, each.id, each.overlap)
        for place, group in enumerate(groups.groups, 1)
        for each in group
    ]
    show(("group", "document", "overlap"), rows, form)
    say(
        f"{counted(len(groups.groups), 'group')} with {counted(len(rows), 'document')}. Overlap is with the first of the group."
    )


def _pairs(project: Project) -> list[tuple[str, str]]:
    pool = project.rankings.pool()
    if pool is None:
        raise ProjectError(
            "The project has no pool yet. Build one with `irjudge pool`.", key="no-pool"
        )
    return list(
        zip(
            [pool.topics[code] for code in pool.topic.tolist()],
            pool.document.to_pylist(),
            strict=True,
        )
    )


def _list_pooled(pairs: Sequence[tuple[str, str]], groups: AlikeGroups, form: str) -> None:
    together: dict[tuple[str, str], list[str]] = {}
    for topic, document in pairs:
        together.setdefault((topic, groups.first(document)), []).append(document)
    met = {key: documents for key, documents in together.items() if len(documents) > 1}
    rows = [
        (topic, first, document)
        for (topic, first), documents in met.items()
        for document in documents
    ]
    show(("topic", "group of", "document"), rows, form)
    spared = sum(len(documents) - 1 for documents in met.values())
    say(
        f"{spared:,} of {counted(len(pairs), 'pair')} are nearly the same as one before; `irjudge pool --once` leaves them out."
    )


def _offer(project: Project, groups: AlikeGroups, form: str) -> None:
    grades = {
        (topic, document): grade
        for topic, document, grade in qrels_rows(project, said_qrels(project, None))
    }
    offers = grade_offers(_pairs(project), grades, groups)
    rows = [(each.topic, each.document, each.grade, each.source, each.overlap) for each in offers]
    show(("topic", "document", "grade", "of", "overlap"), rows, form)
    torn = [
        f"Topic {each.topic}: nearly the same, and judged differently: {', '.join(f'{id} {grade}' for id, grade in each.grades)}."
        for each in torn_groups(grades, groups)
    ]
    (say if form != "text" else tell)(
        *torn, f"{counted(len(rows), 'grade')} could be given; none was."
    )
