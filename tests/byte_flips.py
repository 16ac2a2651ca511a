"""Projects and assignment files with one changed byte."""

import random
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from irjudge.errors import ProjectError
from irjudge.exchange import merge_files
from irjudge.judging import Session, submit_work
from irjudge.store import Project, open_project
from tests.engine.exchange.classroom import assign_class, build_class, judge_file

PAGE, HEADER = 4096, 100


def make_class_project(folder: Path) -> tuple[Path, Path]:
    """Create a class project with one merged file, and return it with a second file to merge."""
    path = folder / "class.irjudge"
    build_class(path)
    first, second = (made.path for made in assign_class(path, folder / "out").files[:2])
    for file in (first, second):
        judge_file(file, lambda _topic, document: len(document) % 4, limit=9)
    with open_project(second) as task:
        submit_work(Session(task))
    with open_project(path) as project:
        merge_files(project, [first])
        session = Session(project)
        for number in range(20):
            session.grade(session.advance(), number % 4)
    return path, second


def read_contents(project: Project) -> dict[str, Any]:
    """Return everything that a project contains."""
    rankings, assignments = project.rankings, project.assignments
    runs = [rankings.run(stored.name) for stored in rankings.runs()]
    pool = rankings.pool()
    return {
        "topics": project.collection.topics(),
        "documents": list(project.collection.documents()),
        "runs": [
            (
                run.name,
                run.metadata,
                *(each.tolist() for each in (run.document, run.score, run.rank, run.line)),
            )
            for run in runs
        ],
        "qrels": [list(rankings.qrels(stored.name).rows()) for stored in rankings.qrels_names()],
        "pool": pool
        and [
            each.tolist()
            for each in (pool.document, pool.stratum, pool.probability, pool.contribution_rank)
        ],
        "assigned": [
            (each, assignments.items(each.code), assignments.organiser_notes(each.code))
            for each in assignments.all()
        ],
        "organised": (
            assignments.rounds(),
            assignments.registered_assessors(),
            assignments.merged_files(),
        ),
        "settings": (project.title, project.owner, project.scale, project.seed),
        "events": [event.digest for event in project.events.read()],
        "waiting": [event.digest for event in project.events.waiting()],
    }


def passes_verification(path: Path) -> bool:
    """Return whether `verify` finds no problem."""
    try:
        with open_project(path, writing=False) as project:
            return not project.verify().problems
    except ProjectError:
        return False


def changed_copies(data: bytes, seed: int, count: int) -> Iterator[bytes]:
    """Yield files with one changed byte: in the header, at the start of a page, or anywhere."""
    chance = random.Random(seed)
    for number in range(count):
        page = chance.randrange(len(data) // PAGE) * PAGE
        offset = (
            chance.randrange(HEADER),
            page + chance.randrange(40),
            chance.randrange(len(data)),
        )[number % 3]
        changed = bytearray(data)
        changed[offset] ^= chance.choice((1 << chance.randrange(8), chance.randrange(1, 256)))
        yield bytes(changed)
