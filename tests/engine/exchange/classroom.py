"""A small class: a project with distinctive run names, and functions to assign and judge."""

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import NamedTuple

from irjudge.exchange import AssignmentOptions, AssignmentReport, assign_pool, parse_candidates
from irjudge.judging import Session, list_counted_assessors, project_labels
from irjudge.model import Document, Scale, Topic, make_qrels, make_run
from irjudge.store import Project, create_project, open_project
from tests.outside_edits import change as change
from tests.pools import depth_pool

TOPICS, DOCUMENTS = ("051", "007", "9"), 12
OPTIONS = AssignmentOptions(overlap=2, gold=2, repeats=1, seed=5)


def build_class(path: Path, topics: tuple[str, ...] = TOPICS, documents: int = DOCUMENTS) -> None:
    """Create a project with two runs, and qrels with some judgments outside the pool."""
    with create_project(path, scale=Scale.parse("0-3"), title="Class", owner="teacher") as project:
        project.set_setting("seed", "3")
        project.collection.add_topics(
            [Topic(topic, f"title of {topic}", f"about {topic}") for topic in topics]
        )
        project.collection.add_documents(
            Document(
                f"t{topic}n{number}",
                f"words {number} on {topic} {'more ' * number}".encode(),
                f"title {number}",
            )
            for topic in topics
            for number in range(documents + 4)
        )
        rows = [
            (topic, f"t{topic}n{number}", float(-number))
            for topic in topics
            for number in range(documents)
        ]
        for name in ("zebrarank", "okapifuse"):
            project.rankings.add_run(
                replace(make_run(name, rows), metadata=f"tag: {name}"), f"{name}.run"
            )
        answers = [
            (topic, f"t{topic}n{number}", number % 4)
            for topic in topics
            for number in range(documents + 4)
        ]
        project.rankings.add_qrels("truth", make_qrels(answers))
        runs = [project.rankings.run(run.name) for run in project.rankings.runs()]
        project.rankings.add_pool(depth_pool(runs, documents))


def assign_class(
    path: Path, folder: Path, names: str = "ann,bob,cleo", options: AssignmentOptions = OPTIONS
) -> AssignmentReport:
    with open_project(path) as project:
        return assign_pool(project, parse_candidates(names), options, folder)


def judge_file(
    path: Path,
    grade: Callable[[str, str], int] = lambda topic, document: 1,
    *,
    limit: int = 10**6,
    tick: int = 0,
) -> int:
    """Judge open items of an assessor's file one second after another; return their number."""
    seconds = iter(range(tick, 10**6))

    def clock() -> str:
        second = next(seconds)
        return f"2026-03-{1 + second // 86400:02}T{second // 3600 % 24:02}:{second // 60 % 60:02}:{second % 60:02}.000Z"

    with open_project(path) as task:
        session = Session(task, clock=clock)
        judged = 0
        while session.count().left and judged < limit:
            work = session.advance()
            session.grade(
                work, grade(work.topic.id, work.document.id), active_ms=1000 + 10 * judged
            )
            judged += 1
    return judged


class Vote(NamedTuple):
    """A judgment in force, as agreement and consensus use it."""

    assessor: str
    topic: str
    document: str
    grade: int


def read_votes(project: Project, *, repeats: bool = False, aside: bool = False) -> list[Vote]:
    """Return the judgments in force of the assessors who count."""
    out = set(project.events.assessors()) - set(
        list_counted_assessors(project, include_excluded=aside)
    )
    labels = project_labels(project, excluded=out, repeats=repeats)
    rows = zip(labels.worker.tolist(), labels.item.tolist(), labels.label.tolist(), strict=True)
    return [
        Vote(labels.workers[worker], *labels.pairs[item], int(labels.scale[label]))
        for worker, item, label in rows
    ]
