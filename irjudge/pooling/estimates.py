"""Estimates of measures from sampled judgments: xinfAP, infNDCG, statAP, Horvitz–Thompson."""

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
    """Sample and judgments of one topic: its n documents that could be sampled, in K strata.

    The n documents include those that were not sampled, which have the inclusion probability 0 and
    no grade. Estimates are computed with the inclusion probabilities or with `weight`, which
    follows from the numbers of documents and judged documents of each stratum.
    """

    stratum: Longs  # stratum of each document, 0 to K - 1, shape (n,)
    grade: Ints  # grade of each document, below 0 if unjudged or unjudgeable, shape (n,)
    probability: Floats  # inclusion probability of each document, shape (n,)

    @property
    def weight(self) -> Floats:
        """Number of documents that each judged document represents, shape (n,).

        The number is the size of the document's stratum divided by the number of judged documents
        in the stratum; 0 for unjudged documents.
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
    """Ranking of one topic by a run, restricted to the documents that could be sampled.

    It contains those H of the n documents of `topic` that the run retrieved, with their ranks in
    the whole ranking. All other retrieved documents count as non-relevant.
    """

    topic: SampledTopic  # sample and judgments
    document: Longs  # index in `topic` of each of H documents, sorted by rank, shape (H,)
    rank: Longs  # rank of each document in the whole ranking, from 1, shape (H,)

    def truncate(self, depth: int) -> "SampledRanking":
        """Return the ranking cut off after rank `depth`."""
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
        Number of kinds of judgments, such as relevant and non-relevant; the number of judged
        documents is smoothed with `kinds` × ε.

    Returns
    -------
    float
        0 if no judged document is relevant. With one stratum, the estimate is infAP. If all
        documents are judged, it is AP, except for the smoothing with ε = 0.00001.

    Notes
    -----
    For the precision at a relevant document, the unjudged documents above it are assumed to be
    relevant as often as the judged documents above it that are in the same stratum.

    References
    ----------
    Yilmaz, Kanoulas and Aslam (2008), A simple and efficient sampling method for estimating AP and NDCG, SIGIR, 603–610.
    """
    topic = ranking.topic
    grade, stratum = topic.grade[ranking.document], topic.stratum[ranking.document]
    hits = np.flatnonzero(grade >= rel)
    # for each hit and each stratum, the number of documents, of judged documents and of relevant
    # documents that are ranked above the hit
    counts_by_kind = np.zeros((len(grade) + 1, int(topic.stratum.max(initial=0)) + 1, 3))
    counts_by_kind[np.arange(1, len(grade) + 1), stratum] = np.stack(
        (np.ones(len(grade)), grade >= 0, grade >= rel), axis=1
    )
    pooled, judged, relevant = np.moveaxis(np.cumsum(counts_by_kind, axis=0)[hits], 2, 0)
    precision = (
        1 + (pooled * (relevant + SMOOTHING) / (judged + kinds * SMOOTHING)).sum(axis=1)
    ) / ranking.rank[hits]
    return _compute_ratio(
        (topic.weight[ranking.document[hits]] * precision).sum(),
        topic.weight[topic.grade >= rel].sum(),
    )


def inferred_ndcg(ranking: SampledRanking, _rel: int = 1) -> float:
    """Return infNDCG, an estimate of nDCG from a stratified sample, with grades as gains.

    Returns
    -------
    float
        0 if no judged document has a positive gain. If all documents are judged, it is nDCG.

    Notes
    -----
    The ideal ranking has the estimated number of documents with each grade. If this number is not
    an integer, its fraction is a document with that fraction of the gain.

    References
    ----------
    Yilmaz, Kanoulas and Aslam (2008), A simple and efficient sampling method for estimating AP and NDCG, SIGIR, 603–610.
    """
    topic = ranking.topic
    gain = np.maximum(topic.grade, 0)
    discounted_gains = (topic.weight * gain)[ranking.document] / np.log2(ranking.rank + 1.0)
    counts = np.bincount(gain, weights=topic.weight)
    # last rank of the documents with each grade in the ideal ranking, from the highest grade to 1
    last_ranks = np.cumsum(counts[:0:-1])
    discount_sums = np.diff(
        np.concatenate(([0.0], [_sum_discounts(rank) for rank in last_ranks.tolist()]))
    )
    return _compute_ratio(
        discounted_gains.sum(), float(discount_sums @ np.arange(len(counts) - 1, 0, -1))
    )


def nist_xinfap(ranking: SampledRanking, _rel: int = 1) -> float:
    """Return xinfAP as NIST's script sample_eval.pl computes it.

    The estimate is smoothed with 3ε and uses only ranks 1 to 1,000. Documents with grade 1 or more
    are relevant.
    """
    return extended_inferred_ap(ranking.truncate(NIST_DEPTH), kinds=3)


def nist_inferred_ndcg(ranking: SampledRanking, _rel: int = 1) -> float:
    """Return infNDCG as NIST's script sample_eval.pl computes it.

    It is 0 if no judged document has a positive gain, and may exceed 1. Only ranks 1 to 1,000 are
    used. A judged document represents only documents of its stratum that the run retrieved: the
    gain of a stratum is multiplied by the number of its documents in the top 1,000, and divided by
    the number of judged documents among them. The ideal ranking has the estimated number of
    documents with each grade, rounded, and ends at rank 1,000.
    """
    ranking = ranking.truncate(NIST_DEPTH)
    topic = ranking.topic
    grade, stratum = topic.grade[ranking.document], topic.stratum[ranking.document]
    gain = np.maximum(grade, 0) / np.log2(ranking.rank + 1.0)
    stratum_gain, retrieved_counts = np.bincount(stratum, weights=gain), np.bincount(stratum)
    judged_counts = np.bincount(stratum[grade >= 0], minlength=len(retrieved_counts))
    counts = np.floor(np.bincount(np.maximum(topic.grade, 0), weights=topic.weight) + 0.5).astype(
        np.int64
    )
    ideal_grades = np.repeat(np.arange(len(counts) - 1, 0, -1), counts[:0:-1])[:NIST_DEPTH]
    return _compute_ratio(
        (stratum_gain * retrieved_counts / np.maximum(judged_counts, 1)).sum(),
        float((ideal_grades / np.log2(np.arange(2.0, len(ideal_grades) + 2))).sum()),
    )


def _sum_discounts(count: float) -> float:
    """Return the sum of 1 / log2(rank + 1) over the first `count` ranks.

    `count` need not be an integer; its fraction is multiplied by the discount of the next rank.
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
        0 if no judged document is relevant. If all documents are sampled and judged, it is AP.

    References
    ----------
    Horvitz and Thompson (1952), A generalization of sampling without replacement from a finite
    universe, JASA 47. Li and Kanoulas (2017), Active sampling for large-scale information retrieval
    evaluation, CIKM.
    """
    weight = _compute_inverse_probabilities(ranking, rel)
    return _compute_ratio(
        (weight * np.cumsum(weight) / ranking.rank).sum(), estimate_relevant(ranking.topic, rel)
    )


def stat_ap(ranking: SampledRanking, rel: int = 1) -> float:
    """Return statAP, which estimates average precision from inclusion probabilities.

    Returns
    -------
    float
        0 if no judged document is relevant. If all documents are sampled and judged, it is AP.

    Notes
    -----
    This is the measure of the Million Query tracks. In the precision at a relevant document, the
    document itself counts as 1, since it is known to be retrieved, and each relevant document above
    it counts as 1 divided by its inclusion probability. Documents are assumed to be sampled
    independently.

    References
    ----------
    Aslam and Pavlu (2007), A practical sampling strategy for efficient retrieval evaluation, Northeastern University.
    """
    weight = _compute_inverse_probabilities(ranking, rel)
    precision = (1 + np.cumsum(weight) - weight) / ranking.rank
    return _compute_ratio((weight * precision).sum(), estimate_relevant(ranking.topic, rel))


def weighted_precision(ranking: SampledRanking, rel: int = 1, *, cutoff: int = 10) -> float:
    """Return an unbiased estimate of precision at `cutoff` by inverse-probability weighting."""
    return float(
        _compute_inverse_probabilities(ranking, rel)[ranking.rank <= cutoff].sum() / cutoff
    )


def estimate_relevant(topic: SampledTopic, rel: int = 1) -> float:
    """Return an unbiased estimate of the number of relevant documents of a topic."""
    return float((1 / topic.probability[topic.grade >= rel]).sum())


def _compute_inverse_probabilities(ranking: SampledRanking, rel: int) -> Floats:
    relevant = ranking.topic.grade[ranking.document] >= rel
    return np.where(
        relevant, 1 / np.where(relevant, ranking.topic.probability[ranking.document], 1), 0.0
    )


def _compute_ratio(numerator: float, denominator: float) -> float:
    return float(numerator / denominator) if denominator > 0 else 0.0


@dataclass(frozen=True, slots=True)
class Estimator:
    """Declaration of an estimator of a measure: function, and requirement on pools."""

    meaning: str  # description, in one line
    function: Estimate  # function of a ranking and the lowest relevant grade
    # whether the pool must have equal inclusion probabilities within strata of known size; if not,
    # the pool must have the inclusion probability of each sampled document
    needs_equal_probabilities: bool

    @property
    def needs(self) -> Message:
        """Requirement on the pool, as a phrase that follows the verb "needs" in messages."""
        return EQUAL_PROBABILITIES if self.needs_equal_probabilities else KNOWN_PROBABILITIES


EQUAL_PROBABILITIES = Message(
    "documents sampled with equal probability within strata of known size"
)
KNOWN_PROBABILITIES = Message("inclusion probability of each sampled document")
# Estimators by printed name. The default for a pool is the first one whose requirement it meets.
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
        Message("as computed by NIST's script sample_eval (smoothed with 3ε)"), nist_xinfap, True
    ),
    "infNDCG(nist)": Estimator(
        Message(
            "as in NIST's script (a judged document represents the retrieved documents of its "
            "stratum)"
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
