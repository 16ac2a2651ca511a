"""Depth-k pools: the union of what each run ranks in its top k."""

from collections.abc import Sequence

from irjudge.model.order import Ties
from irjudge.model.pool import Pool
from irjudge.model.ranking import Run
from irjudge.pooling.building import Plan, build_pool
from irjudge.progress import SILENT, Progress


def depth_pool(runs: Sequence[Run], depth: int, *, ties: Ties = "docno", progress: Progress = SILENT) -> Pool:
    """Return the union of the top `depth` documents of each run, topic by topic.

    Parameters
    ----------
    runs
        One or more; topics and documents are compared by id.
    depth
        1 or more. A run that retrieved fewer brings what it has.
    ties
        The order of equal scores; pools take ids ascending by default.
    progress
        Told after each run.

    Returns
    -------
    Pool
        Within a topic by best rank, then id ascending; topics in order of first appearance. Each document keeps
        the runs that brought it and the rank it had there. Empty when no run retrieved anything.

    Raises
    ------
    IrjudgeError
        When there is no run, two runs share a name, or depth is below 1.

    References
    ----------
    Spärck Jones and van Rijsbergen (1975), Report on the need for and provision of an "ideal" test collection.

    Examples
    --------
    >>> from irjudge.model.ranking import make_run
    >>> a = make_run("a", [("1", "d1", 2.0), ("1", "d2", 1.0)])
    >>> b = make_run("b", [("1", "d3", 9.0), ("1", "d1", 8.0)])
    >>> depth_pool([a, b], 1).document.to_pylist()
    ['d1', 'd3']
    """
    return build_pool(runs, Plan("depth", depth, ties=ties), progress=progress)
