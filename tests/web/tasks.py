"""Small tasks, created from projects and written as browser pages."""

import json
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from irjudge.exchange import (
    IRTASK_FORMAT,
    AssignmentOptions,
    Choice,
    TaskFileFormat,
    assign_comparison,
    assign_pool,
    pair_runs,
    parse_candidates,
)
from irjudge.exchange import ComparisonOptions as Comparison
from irjudge.model import ComparisonRules, Document, Scale, Topic, make_run
from irjudge.store import CALIBRATION, create_project, open_project
from irjudge.web import own_assignment, rewrite_page
from irjudge.web.page import render_page
from tests.engine.web.page_parser import make_task_of
from tests.pools import depth_pool

TIDES = "Twice a day the sea rises. The Moon's pull is a little stronger on the near side, and the tides follow the Moon."
TOPICS = (
    Topic(
        "051",
        "why are there two tides a day",
        "Find what explains the tides.",
        "Tables of times alone are not relevant.",
    ),
    Topic("007", "حركة المد والجزر", "ابحث عن نصوص تشرح المد والجزر."),
)
Change = Callable[[dict[str, Any]], object]


@dataclass(frozen=True)
class AssignedTask:
    """The organiser's project, the assessor's file, and the same task as a browser page."""

    project: Path
    task: Path
    page: Path


def make_documents(topic: Topic, count: int = 6) -> list[Document]:
    """Return documents about the tides, each with its own title."""
    return [
        Document(
            f"t{topic.id}d{index}",
            f"Document {index}. {TIDES}".encode(),
            f"Paper {index} on {topic.id}",
        )
        for index in range(count)
    ]


def assign_task(
    folder: Path,
    documents: Sequence[Sequence[Document]] | None = None,
    *,
    topics: Sequence[Topic] = TOPICS,
    scale: str = "0-3",
    instructions: str = "",
    calibration: dict[str, dict[str, int]] | None = None,
    options: AssignmentOptions | Comparison | None = None,
    change: Change | None = None,
    form: TaskFileFormat = IRTASK_FORMAT,
) -> AssignedTask:
    """Create a project and assign it to ann.

    `change` may change the data of her page, unless that has page images.
    """
    folder.mkdir(exist_ok=True)
    path = folder / "tides.irjudge"
    papers = list(documents or [make_documents(topic) for topic in topics])
    with create_project(path, scale=Scale.parse(scale), title="Tides", owner="teacher") as project:
        project.set_setting("seed", "3")
        project.collection.add_topics(topics)
        project.collection.add_documents(
            {each.id: each for mine in papers for each in mine}.values()
        )
        for name, sign in (("zebrarank", 1.0), ("okapifuse", -1.0)):
            rows = [
                (topic.id, each.id, sign * index)
                for topic, mine in zip(topics, papers, strict=True)
                for index, each in enumerate(mine)
            ]
            project.rankings.add_run(make_run(name, rows))
        project.rankings.add_pool(
            depth_pool(
                [project.rankings.run(run.name) for run in project.rankings.runs()],
                max(map(len, papers)),
            )
        )
        if instructions:
            project.set_setting("instructions", instructions)
        if calibration:
            project.set_setting(CALIBRATION, json.dumps(calibration))
        people, asked = parse_candidates("ann"), options or AssignmentOptions(overlap=1, seed=5)
        if isinstance(asked, Comparison):
            made = assign_comparison(project, people, asked, folder, file_format=form)
        else:
            made = assign_pool(project, people, asked, folder, file_format=form)
    task = made.files[0].path
    return AssignedTask(
        path,
        task,
        write_page(task, folder / "ann.html", change, page_images=form.page_images is not None),
    )


def assign_comparison_task(
    folder: Path,
    *,
    pairs: bool = False,
    change: Change | None = None,
    rules: ComparisonRules | None = None,
    **how: Any,
) -> AssignedTask:
    """Create a project whose two runs are compared as lists or as pairs of documents."""
    choice: Choice | None = "random" if pairs else None
    options = Comparison(
        pair_runs(("zebrarank", "okapifuse")),
        seed=5,
        depth=4,
        choice=choice,
        budget=4,
        rules=rules or ComparisonRules(grading=True),
    )
    return assign_task(folder, options=options, change=change, **how)


def write_page(
    task: Path, path: Path, change: Change | None = None, *, page_images: bool = False
) -> Path:
    """Write an assessor's file as a browser page."""
    with open_project(task) as opened:
        if page_images:
            rewrite_page(path, opened, own_assignment(opened), page_images=True)
            return path
        made = make_task_of(opened, file=path.name)
    if change:
        change(made)
    path.write_text(render_page(made), encoding="utf-8")
    return path


def disable_guard_time(task: dict[str, Any]) -> None:
    """Let keys count as soon as a document is rendered, and put the English topic first."""
    task["settings"]["guard_ms"] = 0
    english = next(
        (index for index, topic in enumerate(task["topics"]) if topic["id"] == TOPICS[0].id), 0
    )
    task["items"].sort(key=lambda item: item["topic"] != english)
