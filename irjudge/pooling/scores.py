"""Strategies that score every retrieved document at once: by depth, by votes, by ranks, by scores."""

from typing import Annotated

import numpy as np

from irjudge.metrics.naming.parameters import Range
from irjudge.model.ranking import Floats
from irjudge.pooling.candidates import Candidates
from irjudge.pooling.registry import strategy

Persistence = Annotated[float, Range(0, 1)]
BLOCK = 200_000  # pairs of documents compared at once: few enough to stay in the processor's cache


@strategy("depth", title="Depth k", formula="lowest rank in any run", needs=("depth",))
def depth(found: Candidates) -> Floats:
    """Take the top of each run; the plain way, which new runs can be judged by as well as the old.

    References
    ----------
    Spärck Jones and van Rijsbergen (1975), Report on the need for and provision of an "ideal" test collection.
    """
    return -found.best.astype(np.float64)


@strategy("take", title="Take N", formula="lowest rank in any run", needs=("size",))
def take(found: Candidates) -> Floats:
    """Take as many documents for each topic as can be judged, those of the lowest rank in any run first.

    References
    ----------
    Lipani, Lupu and Hanbury (2017), Visual Pool, SIGIR.
    """
    return -found.best.astype(np.float64)


@strategy(
    "fair-take",
    title="Fair take N",
    formula="lowest rank in any run, then the number of runs that retrieved it",
    needs=("size",),
)
def fair_take(found: Candidates) -> Floats:
    """Take as many documents as can be judged; of the last rank, which is not taken whole, those that most runs retrieved.

    References
    ----------
    Lipani, Palotti, Lupu, Piroi, Zuccon and Hanbury (2017), Fixed-cost pooling strategies based on IR evaluation measures, ECIR.
    """
    return -found.best.astype(np.float64) + found.votes / (len(found.runs) + 1)


@strategy("votes", title="Votes", formula="number of runs that retrieved it")
def votes(found: Candidates) -> Floats:
    """Prefer what most runs retrieved."""
    return found.votes.astype(np.float64)


@strategy(
    "borda",
    title="Borda count",
    formula="−Σ rank; where a run lacks it, the mean of the places it left",
)
def borda(found: Candidates) -> Floats:
    """Prefer documents of low rank sums; a run ranks those it lacks at the mean of the places that are left.

    References
    ----------
    Aslam and Montague (2001), Models for metasearch, SIGIR.
    """
    size = np.repeat(np.diff(found.starts), len(found.runs))
    lacking = (size + found.list_length + 1) / 2
    everywhere = lacking.reshape(len(found.topics), len(found.runs)).sum(axis=1)
    sums: Floats = (
        found.total(found.entry_rank - lacking[found.list_code]) + everywhere[found.topic]
    )
    return -sums


@strategy(
    "condorcet",
    title="Condorcet",
    formula="number of documents that more runs rank below it than above",
)
def condorcet(found: Candidates) -> Floats:
    """Prefer documents that beat most others, in duels by majority of the runs.

    References
    ----------
    Montague and Aslam (2002), Condorcet fusion for improved retrieval, CIKM.
    """
    return np.concatenate(
        [_duels(found.lists(topic).rank) for topic in range(len(found.topics))] or [np.empty(0)]
    )


def _duels(rank: np.ndarray) -> Floats:
    """Return how many others each document beats; a run prefers what it retrieved to what it lacks."""
    kind = (
        np.int16 if rank.max(initial=0) < np.iinfo(np.int16).max else np.int32
    )  # narrow numbers compare faster
    last = np.where(rank == 0, np.iinfo(kind).max, rank).astype(kind)
    count = rank.shape[1]
    wins = np.zeros(count)
    step = max(1, BLOCK // max(1, count))
    for begin in range(0, count, step):
        margin = np.zeros((min(step, count - begin), count), dtype=np.int16)
        for row in last:
            mine = row[begin : begin + step, None]
            margin += row > mine
            margin -= row < mine
        wins[begin : begin + step] = (margin > 0).sum(axis=1)
    return wins


@strategy("rrf", title="Reciprocal rank fusion", formula="Σ 1 / (k + rank)")
def reciprocal_rank_fusion(found: Candidates, *, k: Annotated[float, Range(0)] = 60.0) -> Floats:
    """Prefer documents that many runs rank high; needs no scores and no judgments.

    References
    ----------
    Cormack, Clarke and Büttcher (2009), Reciprocal rank fusion outperforms Condorcet and individual rank learning methods, SIGIR.
    """
    return found.total(1 / (k + found.entry_rank.astype(np.float64)))


@strategy("dcg", title="DCG mass", formula="Σ 1 / log2(rank + 1)")
def dcg_mass(found: Candidates) -> Floats:
    """Prefer documents that weigh most in the runs' discounted cumulative gain.

    References
    ----------
    Lipani, Palotti, Lupu, Piroi, Zuccon and Hanbury (2017), Fixed-cost pooling strategies based on IR evaluation measures, ECIR.
    """
    return found.total(1 / np.log2(found.entry_rank + 1.0))


@strategy("rbp-a", title="RBP mass", formula="Σ (1 − p) p^(rank − 1)")
def rbp_mass(found: Candidates, *, p: Persistence = 0.8) -> Floats:
    """Prefer documents that weigh most in the runs' rank-biased precision.

    References
    ----------
    Moffat, Webber and Zobel (2007), Strategic system comparisons via targeted relevance judgments, SIGIR.
    """
    weight: Floats = (1 - p) * p ** (found.entry_rank.astype(np.float64) - 1)
    return found.total(weight)


# By scores, which are brought between 0 and 1 for each run and topic


def _scaled(found: Candidates) -> Floats:
    """Return the entries' scores with 0 for the lowest and 1 for the highest of the same run and topic; 1 where all are the same."""
    most = np.finfo(np.float64).max
    score = np.clip(found.entry_score, -most, most) / 2  # so that a difference is never too large
    low, high = np.full(len(found.list_length), np.inf), np.full(len(found.list_length), -np.inf)
    np.minimum.at(low, found.list_code, score)
    np.maximum.at(high, found.list_code, score)
    low, high = low[found.list_code], high[found.list_code]
    width = np.where(high > low, high - low, 1)
    scaled: Floats = np.where(high > low, (score - low) / width, 1.0)
    return scaled


@strategy("combsum", title="CombSUM", formula="Σ score, scaled to 0–1 in each run")
def comb_sum(found: Candidates) -> Floats:
    """Prefer documents of high scores in many runs.

    References
    ----------
    Fox and Shaw (1994), Combination of multiple searches, TREC-2.
    """
    return found.total(_scaled(found))


@strategy("combmnz", title="CombMNZ", formula="number of runs × Σ score, scaled to 0–1 in each run")
def comb_mnz(found: Candidates) -> Floats:
    """Prefer documents of high scores in many runs, and those that many runs agree on; finds many relevant documents.

    References
    ----------
    Fox and Shaw (1994), Combination of multiple searches, TREC-2.
    """
    return comb_sum(found) * found.votes


@strategy(
    "combanz",
    title="CombANZ",
    formula="mean of the scores, scaled to 0–1 in each run, over the runs that retrieved it",
)
def comb_anz(found: Candidates) -> Floats:
    """Prefer documents that score high wherever they are retrieved, however few runs that are.

    References
    ----------
    Fox and Shaw (1994), Combination of multiple searches, TREC-2.
    """
    return comb_sum(found) / np.maximum(found.votes, 1)


@strategy("combmax", title="CombMAX", formula="highest score, scaled to 0–1 in each run")
def comb_max(found: Candidates) -> Floats:
    """Prefer documents that some run scores high.

    References
    ----------
    Fox and Shaw (1994), Combination of multiple searches, TREC-2.
    """
    highest = np.zeros(len(found))
    np.maximum.at(highest, found.entry_pair, _scaled(found))
    return highest


@strategy(
    "combmin",
    title="CombMIN",
    formula="lowest score, scaled to 0–1 in each run, over the runs that retrieved it",
)
def comb_min(found: Candidates) -> Floats:
    """Prefer documents that no run that retrieved them scores low.

    References
    ----------
    Fox and Shaw (1994), Combination of multiple searches, TREC-2.
    """
    lowest = np.ones(len(found))
    np.minimum.at(lowest, found.entry_pair, _scaled(found))
    return lowest


@strategy(
    "combmed",
    title="CombMED",
    formula="median of the scores, scaled to 0–1 in each run, over the runs that retrieved it",
)
def comb_med(found: Candidates) -> Floats:
    """Prefer documents of a high median score where they are retrieved.

    References
    ----------
    Fox and Shaw (1994), Combination of multiple searches, TREC-2.
    """
    score = _scaled(found)
    ordered = score[np.lexsort((score, found.entry_pair))]
    begin = np.concatenate(([0], np.cumsum(found.votes)))[:-1]
    return (ordered[begin + (found.votes - 1) // 2] + ordered[begin + found.votes // 2]) / 2
