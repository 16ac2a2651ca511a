"""Clicks over expected clicks (COEC), from the results shown in a search log."""

from collections.abc import Iterator, Sequence
from dataclasses import astuple, dataclass, fields
from itertools import pairwise

import numpy as np
import scipy

from irjudge.errors import IrjudgeError
from irjudge.model import Floats, Longs, ShownResults
from irjudge.stats import DEFAULT_LEVEL

MIN_IMPRESSIONS, DEFAULT_CUTS = 10, (0.5, 1.0, 2.0)


@dataclass(frozen=True, slots=True)
class ClickEstimate:
    """Clicks over expected clicks (COEC) of one document for one query, estimated from a log."""

    query: str  # text of the query
    document: str
    impressions: int  # number of times that the document was shown for the query
    clicks: int  # number of impressions with a click
    expected: float  # sum, over the impressions, of the click rate of the whole log at the rank
    coec: float  # clicks / expected; 0 if expected is 0
    low: float | None  # lower end of the 95 % Poisson interval of coec; None if expected is 0
    high: float | None  # upper end of the 95 % Poisson interval of coec; None if expected is 0


COEC_COLUMNS = tuple(field.name for field in fields(ClickEstimate))


@dataclass(frozen=True, slots=True, eq=False)
class ClickEstimates:
    """Result of estimating COEC: a row per query and document, and the click rate by rank."""

    rows: tuple[ClickEstimate, ...]
    ranks: Longs  # ranks at which results were shown, ascending
    share: Floats  # for each of these ranks, the share of shown results that were clicked
    shown: Longs  # for each of these ranks, the number of results shown

    def cells(self) -> Iterator[tuple[str | int | float | None, ...]]:
        """Yield the values of `COEC_COLUMNS` for each row."""
        yield from map(astuple, self.rows)


def clicks_over_expected(results: ShownResults) -> ClickEstimates:
    """Return clicks over expected clicks of each document and query.

    Parameters
    ----------
    results
        Shown results with their ranks and clicks.

    Returns
    -------
    ClickEstimates
        A row for each pair of a query and a document that was shown for it.

    Notes
    -----
    The expected clicks of a document are the sum, over its impressions, of the share of clicks at
    that rank in the whole log. The interval is the exact interval of a Poisson count (Garwood
    1936), divided by the expected clicks.

    References
    ----------
    Zhang and Jones (2007), Comparing click logs and editorial labels for training query rewriting, WWW workshop on query log analysis.

    Examples
    --------
    >>> results = ShownResults()
    >>> for clicked in (True, False, True, False):
    ...     results.add("tea", "a", 1, clicked=clicked)
    >>> results.add("tea", "b", 1, clicked=True)
    >>> results.add("tea", "b", 2, clicked=False)
    >>> [(row.document, row.clicks, round(row.expected, 4), round(row.coec, 4)) for row in clicks_over_expected(results).rows]
    [('a', 2, 2.4, 0.8333), ('b', 1, 0.6, 1.6667)]
    """
    rank, has_click = results.rank.astype(np.int64), results.has_click
    ranks, rank_index = np.unique(rank, return_inverse=True)
    shown_counts = np.bincount(rank_index)
    click_through = np.bincount(rank_index, weights=has_click) / shown_counts
    pair, group = np.unique(
        results.query.astype(np.int64) << 32 | results.document, return_inverse=True
    )
    impressions, clicks = np.bincount(group), np.bincount(group, weights=has_click).astype(np.int64)
    expected = np.bincount(group, weights=click_through[rank_index])
    low, high = poisson_interval(clicks)
    queries, documents = list(results.queries), list(results.documents)
    order = np.lexsort((pair & 0xFFFFFFFF, -impressions, pair >> 32))
    rows = [
        ClickEstimate(
            queries[pair[index] >> 32],
            documents[pair[index] & 0xFFFFFFFF],
            int(impressions[index]),
            int(clicks[index]),
            float(expected[index]),
            float(clicks[index] / expected[index]) if expected[index] else 0.0,
            float(low[index] / expected[index]) if expected[index] else None,
            float(high[index] / expected[index]) if expected[index] else None,
        )
        for index in order.tolist()
    ]
    return ClickEstimates(tuple(rows), ranks, click_through, shown_counts)


def poisson_interval(counts: Longs, level: float = DEFAULT_LEVEL) -> tuple[Floats, Floats]:
    """Return the exact interval of the mean of Poisson counts.

    >>> low, high = poisson_interval(np.array([0, 2]))
    >>> low.round(4).tolist(), high.round(4).tolist()
    ([0.0, 0.2422], [3.6889, 7.2247])
    """
    tail_probability = (1 - level) / 2
    low = np.where(
        counts > 0, scipy.special.chdtri(2.0 * np.maximum(counts, 1), 1 - tail_probability) / 2, 0.0
    )
    return low, scipy.special.chdtri(2.0 * counts + 2, tail_probability) / 2


def parse_cut_points(text: str) -> tuple[float, ...]:
    """Return the thresholds of COEC in a text such as `0.5,1,2`, which separate grades 0 to 3.

    Raises IrjudgeError if the thresholds are not ascending numbers above 0.

    >>> parse_cut_points("0.5,1,2")
    (0.5, 1.0, 2.0)
    """
    try:
        cuts = tuple(float(part) for part in text.split(","))
    except ValueError:
        cuts = ()
    if (
        not cuts
        or not all(0 < low < np.inf for low in cuts)
        or any(low >= high for low, high in pairwise(cuts))
    ):
        raise IrjudgeError(
            "Cuts must be increasing numbers above 0, such as 0.5,1,2 for the grades 0 to 3; "
            "got {text}.",
            key="invalid-cuts",
            text=text,
        )
    return cuts


def grade_by_coec(
    estimates: ClickEstimates,
    cuts: Sequence[float] = DEFAULT_CUTS,
    min_impressions: int = MIN_IMPRESSIONS,
) -> Iterator[tuple[str, str, int]]:
    """Yield (query, document, grade) for documents that were shown often enough.

    A document must have `min_impressions` impressions for the query. Its grade is the number of
    thresholds (`cuts`) that its COEC reaches.

    >>> results = ShownResults()
    >>> for clicked in (True, False):
    ...     results.add("tea", "a", 1, clicked=clicked)
    >>> list(grade_by_coec(clicks_over_expected(results), (0.5, 2.0), min_impressions=2))
    [('tea', 'a', 1)]
    """
    for row in estimates.rows:
        if row.impressions >= min_impressions and row.low is not None:
            yield row.query, row.document, sum(row.coec >= cut for cut in cuts)
