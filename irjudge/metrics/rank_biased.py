"""Rank-biased precision, and how much of it unjudged documents leave open."""

from typing import Annotated, Literal, TypeAlias

import numpy as np

from irjudge.metrics.judged import Floats, Hits, JudgedRun, Scores, divide
from irjudge.metrics.parameters import MaybeCutoff, Range, Rel
from irjudge.metrics.registry import Alias, Exemption, measure

Persistence: TypeAlias = Annotated[float, Range(0, 0.999999)]
RankGain: TypeAlias = Literal["binary", "graded", "topic"]
Rule: TypeAlias = Literal["definition", "trec10"]


@measure(
    "RBP",
    title="Rank-biased precision",
    formula="(1 − p) Σ of g·p^(r−1) over ranks r <= k; g = 1 for relevant (gain=graded: grade / highest grade of the scale; "
    "gain=topic: grade / highest grade of the topic)",
    always=("p",),
    aliases=(Alias("RBP", suffix="p"),),
    top_heavy=True,
)
def rank_biased_precision(
    judged: JudgedRun, *, p: Persistence = 0.8, rel: Rel = 1, gain: RankGain = "binary", cutoff: MaybeCutoff = None
) -> Scores:
    """Return how fast a user gains who goes on from each document to the next with a fixed probability.

    Parameters
    ----------
    judged
        T topics; `highest` is the scale's highest grade, else the highest grade judged.
    p
        The probability of going on, the persistence.
    rel
        For `gain=binary`: a document is relevant when its grade is `rel` or more.
    gain
        `binary`: 1 for a relevant document; `graded`: its grade / the scale's highest grade; `topic`, of trec_eval's `rbp`: its grade /
        the highest grade judged for its topic.
    cutoff
        Ranks 1 to `cutoff` count; None counts the whole ranking.

    Returns
    -------
    Scores
        Shape (T,); 0 where nothing relevant was retrieved.

    Notes
    -----
    Unjudged and unjudgeable documents gain nothing; RBPResid says what they could add.

    References
    ----------
    Moffat and Zobel (2008), Rank-biased precision for measurement of retrieval effectiveness, ACM TOIS 27(1), 2:1–2:27.

    Examples
    --------
    >>> rank_biased_precision(JudgedRun.single(ranked=[1, 0, 1]), p=0.5)
    array([0.625])
    """
    hits = judged.relevant_hits(rel if gain == "binary" else 1, cutoff)
    return (1 - p) * judged.sum_by_topic(hits.topic, _rank_gain(judged, hits, gain) * p ** (hits.rank - 1.0))


def _rank_gain(judged: JudgedRun, hits: Hits, gain: RankGain) -> Floats:
    if gain == "binary":
        return np.ones(len(hits.grade))
    if gain == "topic":
        return hits.grade / judged.max_by_topic(judged.judged_topic, judged.judged_grades)[hits.topic]
    highest = max(judged.highest or 0, int(judged.judged_grades.max(initial=0)))
    return divide(hits.grade, highest)


@measure(
    "RBPResid",
    title="Residual of rank-biased precision",
    formula="(1 − p) Σ of p^(r−1) over the unjudged at ranks r <= k, and p^min(k, n) for all that comes after them",
    always=("p",),
    aliases=(Alias("rbp_resid", preset=(("p", 0.9),)),),
    exemptions=(Exemption("tail", "an unjudged document retrieved is an unjudged document not retrieved", when=(("rule", ("trec10",)),)),),
)
def rank_biased_residual(judged: JudgedRun, *, p: Persistence = 0.8, rule: Rule = "definition", cutoff: MaybeCutoff = None) -> Scores:
    """Return how much rank-biased precision could still grow if all unjudged documents had the highest grade.

    Parameters
    ----------
    judged
        T topics.
    p
        The probability of going on, the persistence.
    rule
        `definition`; or `trec10`, of trec_eval 10: 0 where no unjudged document is among those looked at.
    cutoff
        Ranks 1 to `cutoff` are looked at; None looks at the whole ranking.

    Returns
    -------
    Scores
        Shape (T,); 1 where nothing was retrieved, 0 there with `rule=trec10`.

    Notes
    -----
    Pooled but unjudged and unjudgeable documents count as unjudged. The end of the list counts, since what would come there is not judged.

    References
    ----------
    Moffat and Zobel (2008), Rank-biased precision for measurement of retrieval effectiveness, ACM TOIS 27(1), 2:1–2:27.

    Examples
    --------
    >>> rank_biased_residual(JudgedRun.single(ranked=[1, None]), p=0.5)
    array([0.5])
    """
    hits, depth = judged.judged_hits(cutoff), judged.depth(cutoff)
    known = (1 - p) * judged.sum_by_topic(hits.topic, p ** (hits.rank - 1.0))
    rest = np.clip(1 - known, 0, 1)
    if rule == "definition":
        return rest
    return np.where(judged.count_by_topic(hits.topic) < depth, rest, 0.0)
