"""Makes a project of a shipped collection, with what its assessors judged where that belongs to it."""

from dataclasses import dataclass
from pathlib import Path

from irjudge.errors import IrjudgeError
from irjudge.formats.bytes.atomic_write import replacing
from irjudge.judging.imported_judgments import import_judgments
from irjudge.message import Message
from irjudge.pooling.building import PoolPlan, build_pool
from irjudge.progress import SILENT, Progress
from irjudge.store.import_files import import_into, sample_sources
from irjudge.store.import_report import ImportReport
from irjudge.store.project import Project, create


@dataclass(frozen=True, slots=True)
class JudgedSample:
    """What was judged of a collection: the table of judgments in its folder, and how deep the pool was."""

    table: str
    depth: int


MADE_BY_PYTHON = "__pycache__"  # a folder beside scripts that were run
# The other collections are there to be judged, or for their measures.
JUDGED = {"harbour": JudgedSample("judgments.csv", 10)}


def new_sample(path: Path, name: str, *, progress: Progress = SILENT) -> ImportReport:
    """Make a project of a shipped collection, with its pool and its assessors' judgments where it has them."""
    sources, scale = sample_sources(name)
    with create(path, scale=scale, title=name) as project:
        report = import_into(project, sources, progress)
        if name in JUDGED:
            _take_judgments(project, sources.topics[0].parent, JUDGED[name], report, progress)
    return report


def copy_sample(name: str, folder: Path) -> None:
    """Copy the files of a shipped collection into a folder that is made; those that the project has not taken are there too."""
    source = sample_sources(name)[0].topics[0].parent
    try:
        folder.mkdir()
        for file in sorted(source.rglob("*")):
            place = folder / file.relative_to(source)
            if file.is_dir() and file.name != MADE_BY_PYTHON:
                place.mkdir()
            elif file.is_file() and file.parent.name != MADE_BY_PYTHON:
                with replacing(place) as part:
                    part.write_bytes(file.read_bytes())
    except FileExistsError as fault:
        raise IrjudgeError(
            "{folder} exists already. Choose another name; nothing was overwritten.",
            folder=folder.name,
        ) from fault
    except OSError as fault:
        raise IrjudgeError(
            "The files could not be copied to {folder}: {fault}.", folder=str(folder), fault=fault
        ) from fault


def _take_judgments(
    project: Project, folder: Path, judged: JudgedSample, report: ImportReport, progress: Progress
) -> None:
    """Build the pool that was judged, and add the judgments to the log; `report` says so."""
    runs = [project.rankings.run(run.name) for run in project.rankings.runs()]
    pool = build_pool(runs, PoolPlan(depth=judged.depth), progress=progress)
    project.rankings.add_pool(pool)
    report.done.append(
        Message(
            "Pool: {pairs:,} pairs from the top {depth} of each run.",
            key="pool",
            pairs=len(pool),
            depth=judged.depth,
        )
    )
    taken = import_judgments(project, folder / judged.table, progress=progress)
    report.done += taken.done
    report.remarks += taken.remarks
