"""Estimates of measures from sampled judgments: xinfAP, infNDCG, Horvitz–Thompson."""

import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import TypeAlias

import numpy as np

from irjudge.message import Message
from irjudge.model import Floats, Ints, Longs

SMOOTHING = 0.00001  # ε in the definition of infAP
NIST_DEPTH = 1000


@dataclass(frozen=True, slots=True, eq=False)
class SampledTopic:
    """Sample and judgments of one topic: n documents in K strata."""

    stratum: Longs  # stratum of each document, 0 to K - 1, shape (n,)
    grade: Ints  # grade of each document, below 0 if unjudged, shape (n,)
    probability: Floats  # inclusion probability of each document, shape (n,)

    @property
    def weight(self) -> Floats:
        """Number of documents that each judged document represents, shape (n,): size of its stratum
        divided by the number judged in it; 0 for unjudged documents.
        """
        stratum_sizes = np.bincount(self.stratum)
        judged_counts = np.bincount(
            self.stratum[self.grade >= 0], minlength=int(self.stratum.max(initial=0)) + 1
        )
        return np.where(
            self.grade >= 0, (stratum_sizes / np.maximum(judged_counts, 1))[self.stratum], 0.0
        )


@dataclass(frozen=True, slots=True, eq=False)
class SampledRanking:
    """Ranking of one topic, limited to documents that could be sampled, with the sample."""

    topic: SampledTopic  # sample and judgments
    # Retrieved documents that could be sampled, by rank; all others count as non-relevant
    document: Longs  # index of each document in `topic`, shape (H,)
    rank: Longs  # rank of each document, from 1, shape (H,)

    def top(self, depth: int) -> "SampledRanking":
        """Return the documents at ranks 1 to `depth`."""
        is_in_top = self.rank <= depth
        return SampledRanking(self.topic, self.document[is_in_top], self.rank[is_in_top])


Estimate: TypeAlias = Callable[[SampledRanking, int], float]


def extended_inferred_ap(ranking: SampledRanking, rel: int = 1, *, kinds: int = 2) -> float:
    """Return xinfAP, an estimate of average precision from a stratified sample.

    Parameters
    ----------
    ranking
        Documents of a stratum must have equal inclusion probabilities.
    kinds
        Number of ε added to the number of judged documents: one for each possible judgment.

    Returns
    -------
    float
        0 if no judged document is relevant. With one stratum it is infAP; if all are judged it
        is AP except for ε = 0.00001.

    Notes
    -----
    Unjudged documents of a stratum above a relevant one are assumed to be relevant as often as
    the judged ones of the same stratum above it.

    References
    ----------
    Yilmaz, Kanoulas and Aslam (2008), A simple and efficient sampling method for estimating AP and NDCG, SIGIR, 603–610.
    """
    topic = ranking.topic
    grade, stratum = topic.grade[ranking.document], topic.stratum[ranking.document]
    hits = np.flatnonzero(grade >= rel)
    # numbers of all, judged and relevant documents of each stratum at or above each hit
    counts_by_kind = np.zeros((len(grade) + 1, int(topic.stratum.max(initial=0)) + 1, 3))
    counts_by_kind[np.arange(1, len(grade) + 1), stratum] = np.stack(
        (np.ones(len(grade)), grade >= 0, grade >= rel), axis=1
    )
    pooled, judged, relevant = np.moveaxis(np.cumsum(counts_by_kind, axis=0)[hits], 2, 0)
    precision = (
        1 + (pooled * (relevant + SMOOTHING) / (judged + kinds * SMOOTHING)).sum(axis=1)
    ) / ranking.rank[hits]
    return _ratio(
        (topic.weight[ranking.document[hits]] * precision).sum(),
        topic.weight[topic.grade >= rel].sum(),
    )


def inferred_ndcg(ranking: SampledRanking, _rel: int = 1) -> float:
    """Return infNDCG, an estimate of nDCG from a stratified sample; a document gains its grade.

    Returns
    -------
    float
        0 if no judged document has a positive gain. If all are judged it is nDCG.

    Notes
    -----
    The ideal ranking has the estimated number of documents of each grade. This number need not be
    an integer: a fraction of a document contributes that fraction of its gain.

    References
    ----------
    Yilmaz, Kanoulas and Aslam (2008), A simple and efficient sampling method for estimating AP and NDCG, SIGIR, 603–610.
    """
    topic = ranking.topic
    gain = np.maximum(topic.grade, 0)
    discounted_gains = (topic.weight * gain)[ranking.document] / np.log2(ranking.rank + 1.0)
    counts = np.bincount(gain, weights=topic.weight)
    # end of the documents of each grade in the ideal ranking, highest grade first
    ends = np.cumsum(counts[:0:-1])
    mass = np.diff(np.concatenate(([0.0], [_sum_discounts(end) for end in ends.tolist()])))
    return _ratio(discounted_gains.sum(), float(mass @ np.arange(len(counts) - 1, 0, -1)))


def nist_xinfap(ranking: SampledRanking, _rel: int = 1) -> float:
    """Return xinfAP as NIST's script sample_eval.pl computes it.

    It is smoothed with 3ε and uses the top 1,000; documents are relevant from grade 1.
    """
    return extended_inferred_ap(ranking.top(NIST_DEPTH), kinds=3)


def nist_inferred_ndcg(ranking: SampledRanking, _rel: int = 1) -> float:
    """Return infNDCG as NIST's script sample_eval.pl computes it.

    It is 0 if no judged document has a positive gain, and may exceed 1. A judged document
    represents only those documents of its stratum that the run retrieved: gains of a stratum are
    multiplied by the number of its documents in the top 1,000 and divided by the number of judged
    ones there. The ideal ranking has the estimated, rounded number of documents of each grade, and
    ends at 1,000.
    """
    ranking = ranking.top(NIST_DEPTH)
    topic = ranking.topic
    grade, stratum = topic.grade[ranking.document], topic.stratum[ranking.document]
    gain = np.maximum(grade, 0) / np.log2(ranking.rank + 1.0)
    stratum_gain, retrieved_counts = np.bincount(stratum, weights=gain), np.bincount(stratum)
    judged_counts = np.bincount(stratum[grade >= 0], minlength=len(retrieved_counts))
    counts = np.floor(np.bincount(np.maximum(topic.grade, 0), weights=topic.weight) + 0.5).astype(
        np.int64
    )
    grades = np.arange(len(counts) - 1, 0, -1)
    ideal_grades = np.repeat(grades, counts[:0:-1])[:NIST_DEPTH]
    return _ratio(
        (stratum_gain * retrieved_counts / np.maximum(judged_counts, 1)).sum(),
        float((ideal_grades / np.log2(np.arange(2.0, len(ideal_grades) + 2))).sum()),
    )


def _sum_discounts(count: float) -> float:
    """Return the sum of 1 / log2(rank + 1) over the first `count` ranks, which need not be an
    integer.
    """
    whole_count = math.floor(count + 1e-9)
    return float((1 / np.log2(np.arange(2.0, whole_count + 2))).sum()) + max(
        0.0, count - whole_count
    ) / math.log2(whole_count + 2)


def weighted_ap(ranking: SampledRanking, rel: int = 1) -> float:
    """Return an estimate of average precision by inverse-probability weighting.

    Returns
    -------
    float
        0 if no judged document is relevant. If all are sampled and judged it is AP.

    References
    ----------
    Horvitz and Thompson (1952), A generalization of sampling without replacement from a finite
    universe, JASA 47. Li and Kanoulas (2017), Active sampling for large-scale information retrieval
    evaluation, CIKM.
    """
    weight = _inverse_probability(ranking, rel)
    return _ratio(
        (weight * np.cumsum(weight) / ranking.rank).sum(), estimate_relevant(ranking.topic, rel)
    )


def stat_ap(ranking: SampledRanking, rel: int = 1) -> float:
    """Return statAP, which estimates average precision from inclusion probabilities.

    Returns
    -------
    float
        0 if no judged document is relevant. If all are sampled and judged it is AP.

    Notes
    -----
    This is the measure of the Million Query tracks.
    The precision at a relevant document counts it once, since it is certain, and each relevant
    one above by its inverse inclusion probability. Documents are assumed to be sampled
    independently.

    References
    ----------
    Aslam and Pavlu (2007), A practical sampling strategy for efficient retrieval evaluation, Northeastern University.
    """
    weight = _inverse_probability(ranking, rel)
    precision = (1 + np.cumsum(weight) - weight) / ranking.rank
    return _ratio((weight * precision).sum(), estimate_relevant(ranking.topic, rel))


def weighted_precision(ranking: SampledRanking, rel: int = 1, *, cutoff: int = 10) -> float:
    """Return an unbiased estimate of the share of relevant documents in the top `cutoff`."""
    return float(_inverse_probability(ranking, rel)[ranking.rank <= cutoff].sum() / cutoff)


def estimate_relevant(topic: SampledTopic, rel: int = 1) -> float:
    """Return an unbiased estimate of the number of relevant documents."""
    return float((1 / topic.probability[topic.grade >= rel]).sum())


def _inverse_probability(ranking: SampledRanking, rel: int) -> Floats:
    relevant = ranking.topic.grade[ranking.document] >= rel
    return np.where(
        relevant, 1 / np.where(relevant, ranking.topic.probability[ranking.document], 1), 0.0
    )


def _ratio(numerator: float, denominator: float) -> float:
    return float(numerator / denominator) if denominator > 0 else 0.0


@dataclass(frozen=True, slots=True)
class Estimator:
    """Estimator of a measure, and its requirements on the pool."""

    meaning: str  # description, one line
    function: Estimate  # computed from a ranking and the lowest relevant grade
    # whether the estimator needs equal probabilities within strata of known size; otherwise it
    # needs the inclusion probability of each sampled document
    by_strata: bool

    @property
    def needs(self) -> Message:
        """Requirements on the pool, as the object of "needs" in a message."""
        return EQUAL_PROBABILITIES if self.by_strata else KNOWN_PROBABILITIES


EQUAL_PROBABILITIES = Message(
    "documents sampled with equal probability within strata of known size"
)
KNOWN_PROBABILITIES = Message("inclusion probability of each sampled document")
# Estimators by printed name; the first one that applies to a pool is the default for it.
ESTIMATES: dict[str, Estimator] = {
    "xinfAP": Estimator(
        Message("average precision, from a stratified sample"), extended_inferred_ap, True
    ),
    "statAP": Estimator(
        Message(
            "average precision, estimated from inclusion probabilities as in the Million "
            "Query tracks"
        ),
        stat_ap,
        False,
    ),
    "infNDCG": Estimator(Message("nDCG, from a stratified sample"), inferred_ndcg, True),
    "xinfAP(nist)": Estimator(
        Message("as computed by NIST's script sample_eval: smoothed with 3ε"), nist_xinfap, True
    ),
    "infNDCG(nist)": Estimator(
        Message(
            "as in NIST's script: a judged document represents the retrieved documents of its "
            "stratum"
        ),
        nist_inferred_ndcg,
        True,
    ),
    "htAP": Estimator(
        Message("average precision, each document weighted by 1 / its inclusion probability"),
        weighted_ap,
        False,
    ),
    "htP@10": Estimator(
        Message("precision at 10, each document weighted by 1 / its inclusion probability"),
        weighted_precision,
        False,
    ),
}
