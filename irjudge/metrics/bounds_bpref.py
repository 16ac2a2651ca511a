"""Bounds of bpref, where a document judged non-relevant lowers the value of the relevant ones below it."""

from typing import Any, TypeAlias

import numpy as np
import numpy.typing as npt

from irjudge.metrics.bounds import Interval, Unsettled, bounded, by_topic
from irjudge.metrics.judged import Floats, divide

Numbers: TypeAlias = npt.NDArray[Any]


@bounded("Bpref")
def binary_preference_bounds(run: Unsettled, *, rel: int) -> Interval:
    """Tried for every number of relevant documents among the open ones: the highest ranked are relevant, or the lowest.

    In the open world any number of other documents may be relevant or not, so the lowest value is 0 as soon as one is missing.
    """
    count, can = len(run.judged), run.can_be_relevant(rel)
    seen = run.judged.judged_hits()
    relevant = run.judged.n_relevant(rel)
    others = run.judged.n_judged - relevant
    low, high = np.zeros(count), np.zeros(count)
    for topic, (judged, unknown) in enumerate(zip(by_topic(seen.topic, count), by_topic(run.topic, count), strict=True)):
        rank, is_relevant = np.concatenate((seen.rank[judged], run.rank[unknown])), seen.grade[judged] >= rel
        order = np.argsort(rank)
        place = np.empty(len(rank), dtype=np.int64)
        place[order] = np.arange(len(rank))
        known, unsure = place[: len(is_relevant)], place[len(is_relevant) :]
        low[topic], high[topic] = _extremes(
            known[is_relevant], unsure, int(relevant[topic]), int(others[topic]), float(run.outside[topic]), can
        )
    return Interval(low, high)


def _extremes(known: Numbers, unsure: Numbers, relevant: int, others: int, outside: float, can: bool) -> tuple[float, float]:
    """Return the lowest and the highest value of one topic.

    Parameters
    ----------
    known, unsure
        Places, from 0 among the judged and the open documents of the ranking, of the relevant and of the open ones.
    relevant, others
        Documents judged relevant, and judged non-relevant, retrieved or not.
    outside
        Open documents that were not retrieved.
    can
        Whether an open document can be relevant.
    """
    endless = np.isinf(outside)
    # More relevant documents elsewhere than twice what was retrieved only lower the value.
    reach = int(2 * (len(known) + len(unsure) + others) + 2) if endless else int(outside)
    missed = np.arange(reach + 1 if can else 1)
    low, high = np.inf, 0.0
    for more in range(len(unsure) + 1 if can else 1):
        total = relevant + more + missed
        rest: Numbers = others + (len(unsure) - more) + (missed * 0.0 if endless else outside - missed)
        most = np.full(len(missed), np.inf) if endless else rest
        top, bottom = np.sort(np.concatenate((known, unsure[:more]))), np.sort(np.concatenate((known, unsure[len(unsure) - more :])))
        high = max(high, float(_values(top, total, most).max()))
        low = min(low, float(_values(bottom, total, rest).min()))
    return 0.0 if endless and can else low, high


def _values(place: Numbers, relevant: Numbers, others: Numbers) -> Floats:
    """Return bpref of relevant documents at these places among the judged, for several numbers of all relevant and all others."""
    above = place - np.arange(len(place))
    most = np.minimum(relevant, others)
    total = np.concatenate(([0], np.cumsum(above)))
    below = np.searchsorted(above, most)
    lost = total[below] + (len(place) - below) * most
    return divide(len(place) - divide(lost, most), relevant)
