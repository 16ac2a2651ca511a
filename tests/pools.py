"""Pools and small projects that many tests use."""

from collections.abc import Sequence
from pathlib import Path

from irjudge.model import Document, Pool, Run, Scale, Ties, Topic, make_run
from irjudge.pooling import PoolOptions, build_pool
from irjudge.progress import SILENT, Progress
from irjudge.store import create_project


def depth_pool(
    runs: Sequence[Run], depth: int, *, ties: Ties = "docno", progress: Progress = SILENT
) -> Pool:
    """Return the union of the top `depth` documents of each run, topic by topic."""
    return build_pool(runs, PoolOptions("depth", depth, ties=ties), progress=progress)


def make_small_project(path: Path) -> None:
    """Create a project with two topics; d0 to d5 are pooled for `051`, d3 to d8 for `007`."""
    with create_project(path, scale=Scale.parse("0-3"), title="Small", owner="ann") as project:
        project.collection.add_topics(
            [Topic("051", "one", "about one", "only one"), Topic("007", "seven")]
        )
        project.collection.add_documents(
            Document(f"d{number}", f"text {number}".encode(), f"title {number}")
            for number in range(12)
        )
        rows = [("051", f"d{number}", 9.0 - number) for number in range(6)] + [
            ("007", f"d{number}", 9.0 - number) for number in range(3, 9)
        ]
        run = make_run("bm25", rows)
        project.rankings.add_run(run, "bm25.run")
        project.rankings.add_pool(depth_pool([run], 10))
