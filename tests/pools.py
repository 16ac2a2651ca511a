"""The pool that most tests judge: the top of each run."""

from collections.abc import Sequence

from irjudge.model.order import Ties
from irjudge.model.pool import Pool
from irjudge.model.ranking import Run
from irjudge.pooling.building import PoolPlan, build_pool
from irjudge.progress import SILENT, Progress


def depth_pool(runs: Sequence[Run], depth: int, *, ties: Ties = "docno", progress: Progress = SILENT) -> Pool:
    """Return the union of the top `depth` documents of each run, topic by topic."""
    return build_pool(runs, PoolPlan("depth", depth, ties=ties), progress=progress)
