"""Running sums, products and maxima within each topic."""

from collections.abc import Iterator

import numpy as np

from irjudge.metrics.basis.judged import Floats, Ints, Longs


def running(operation: np.ufunc, topic: Ints, values: Floats, count: int) -> Floats:
    """Return what `np.add`, `np.multiply` or `np.maximum` makes of each topic's values from the first up to each, shape (H,).

    `topic` are codes below `count` in ascending order; values are 0 or more for `np.maximum`. A topic gets the same numbers whatever other
    topics there are.

    >>> running(np.add, np.array([0, 0, 2], dtype=np.int32), np.array([1.0, 2.0, 4.0]), 3)
    array([1., 3., 4.])
    """
    sizes = np.bincount(topic, minlength=count)
    starts = np.cumsum(sizes) - sizes
    result = np.empty(len(values), dtype=np.float64)
    for topics in _alike(sizes):
        ranks = np.arange(sizes[topics].max())
        within = ranks < sizes[topics][:, None]
        place = (starts[topics][:, None] + ranks)[within]
        padded = np.full(
            within.shape, 0.0 if operation.identity is None else float(operation.identity)
        )
        padded[within] = values[place]
        result[place] = operation.accumulate(padded, axis=1)[within]
    return result


def before(topic: Ints, accumulated: Floats, first: float) -> Floats:
    """Return for each value what was accumulated before it in its topic, and `first` at the topic's first.

    >>> before(np.array([0, 0, 2], dtype=np.int32), np.array([1.0, 3.0, 4.0]), 0.0)
    array([0., 1., 0.])
    """
    shifted = np.full(len(accumulated), first)
    shifted[1:] = np.where(topic[1:] == topic[:-1], accumulated[:-1], first)
    return shifted


def _alike(sizes: Longs) -> Iterator[Longs]:
    """Yield the topics that have values, together those whose sizes differ by less than a factor of two: so padding costs little."""
    magnitude = np.frexp(sizes)[1]
    for each in np.flatnonzero(np.bincount(magnitude[sizes > 0])):
        yield np.flatnonzero(magnitude == each)
