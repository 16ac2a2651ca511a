"""Depth-k pools: the union of what each run ranks in its top k."""

from collections.abc import Sequence

import numpy as np
import pyarrow as pa
import pyarrow.compute

from irjudge.errors import IrjudgeError
from irjudge.model.order import Ties, ranking_order
from irjudge.model.pool import Pool
from irjudge.model.ranking import Ids, Ints, Longs, Run, starts_of
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
    _check(runs, depth)
    topics = tuple(dict.fromkeys(topic for run in runs for topic in run.topics))
    code = {topic: place for place, topic in enumerate(topics)}
    tops = []
    for done, run in enumerate(runs, 1):
        tops.append(_top(run, depth, ties, code))
        progress.step(done, len(runs), "Pooling")
    run_codes = np.repeat(np.arange(len(runs), dtype=np.int32), [len(rank) for _, _, rank in tops])
    topic = np.concatenate([top[0] for top in tops])
    document = pa.concat_arrays([top[1] for top in tops])
    rank = np.concatenate([top[2] for top in tops])
    return _unite(topics, topic, document, rank, run_codes, tuple(run.name for run in runs), depth, ties)


def _check(runs: Sequence[Run], depth: int) -> None:
    if depth < 1:
        raise IrjudgeError(f"The depth of a pool must be 1 or more, got {depth}.")
    if not runs:
        raise IrjudgeError("A pool needs one run or more, got none.")
    names = [run.name for run in runs]
    for name in names:
        if names.count(name) > 1:
            raise IrjudgeError(f"Two runs are called {name}; a pool tells runs apart by name.")


def _top(run: Run, depth: int, ties: Ties, code: dict[str, int]) -> tuple[Ints, Ids, Ints]:
    """Return topic codes, documents and ranks of the first `depth` rows of each topic."""
    order = ranking_order(run, ties)
    rank = np.arange(len(run)) - np.repeat(run.starts[:-1], np.diff(run.starts)) + 1
    places = np.flatnonzero(rank <= depth)
    rows = places if order is None else order[places]
    to_pool = np.array([code[topic] for topic in run.topics], dtype=np.int32)
    return to_pool[run.topic[places]], run.document.take(pa.array(rows)), rank[places].astype(np.int32)


def _unite(
    topics: tuple[str, ...], topic: Ints, document: Ids, rank: Ints, run: Ints, names: tuple[str, ...], depth: int, ties: Ties
) -> Pool:
    coded = document.dictionary_encode()
    alphabet = np.argsort(_bytes_order(coded.dictionary))  # the place of each id among the sorted ids
    pair = topic.astype(np.int64) * max(1, len(coded.dictionary)) + coded.indices.to_numpy()
    _, pair_code = np.unique(pair, return_inverse=True)
    best = np.full(pair_code.max(initial=-1) + 1, np.iinfo(np.int32).max, dtype=np.int32)
    np.minimum.at(best, pair_code, rank)
    by_pair = np.lexsort((run, rank, alphabet[coded.indices.to_numpy()], best[pair_code], topic))
    new = np.concatenate(([True], np.diff(pair_code[by_pair]) != 0)) if len(by_pair) else np.empty(0, bool)
    firsts = by_pair[new]
    return Pool(
        topics=topics,
        starts=starts_of(topic[firsts], len(topics)),
        document=document.take(pa.array(firsts)),
        strategy="depth",
        parameters={"depth": depth, "ties": ties},
        runs=names,
        contribution_starts=_offsets(new),
        contribution_run=run[by_pair],
        contribution_rank=rank[by_pair],
    )


def _bytes_order(ids: Ids) -> Longs:
    """Return the places of ids in ascending order of their UTF-8 bytes."""
    places: Longs = pa.compute.sort_indices(ids).to_numpy().astype(np.int64)
    return places


def _offsets(new: np.ndarray) -> Longs:
    return np.concatenate((np.flatnonzero(new), [len(new)])).astype(np.int64)
