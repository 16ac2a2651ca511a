"""Cumulative gain: graded relevance, discounted by rank."""

import math
from dataclasses import dataclass
from typing import Annotated, Any, Literal, TypeAlias

import numpy as np
import numpy.typing as npt

from irjudge.errors import MeasureError
from irjudge.metrics.judged import Floats, Hits, Ints, JudgedRun, Scores, divide, place_in_topic
from irjudge.metrics.parameters import GainMap, MaybeCutoff, Range
from irjudge.metrics.precision import TREC_CUTOFFS
from irjudge.metrics.registry import Alias, measure

Gain: TypeAlias = Literal["linear", "exp2"] | GainMap
Discount: TypeAlias = Literal["log2p1", "jk"]
Ideal: TypeAlias = Literal["judged", "retrieved"]
Base: TypeAlias = Annotated[float, Range(1, above=True)]

# 2^1000 times the documents of any topic is still a finite double.
HIGHEST_EXP2 = 1000


@dataclass(frozen=True, slots=True, eq=False)
class Gains:
    """Documents with what they gain, sorted by topic and rank; each array has shape (H,).

    Parameters
    ----------
    topic, rank
        Place of the topic in `JudgedRun.topics`; 1-based rank.
    gain
        0 or more.
    """

    topic: Ints
    rank: Ints
    gain: Floats


@measure(
    "CG",
    title="Cumulative gain",
    formula="Σ of gain over ranks 1 to k; gain = grade (gain=exp2: 2^grade − 1; gain=1:3/2:9: as given)",
    bounds=(0, math.inf),
    kind="graded",
    top_heavy=True,
)
def cumulative_gain(judged: JudgedRun, *, gain: Gain = "linear", cutoff: MaybeCutoff = None) -> Scores:
    """Return the sum of the gains of the documents looked at.

    Parameters
    ----------
    judged
        T topics.
    gain
        `linear`: the grade; `exp2`: 2^grade − 1; `1:3/2:9`: these gains for these grades, the grade itself for others.
    cutoff
        Ranks 1 to `cutoff` count; None counts the whole ranking.

    Returns
    -------
    Scores
        Shape (T,).

    Notes
    -----
    Unjudged and unjudgeable documents gain nothing.

    Examples
    --------
    >>> cumulative_gain(JudgedRun.single(ranked=[3, 0, None, 2]), cutoff=10)
    array([5.])
    """
    gained = retrieved_gains(judged, gain, cutoff)
    return judged.sum_by_topic(gained.topic, gained.gain)


@measure(
    "NCG",
    title="Normalised cumulative gain",
    formula="CG / CG of the ideal order of all judged documents (ideal=retrieved: of the retrieved ones), both over ranks 1 to k",
    kind="graded",
    top_heavy=True,
)
def normalised_cumulative_gain(judged: JudgedRun, *, gain: Gain = "linear", ideal: Ideal = "judged", cutoff: MaybeCutoff = None) -> Scores:
    """Return cumulative gain as a share of the highest possible one.

    Parameters
    ----------
    judged
        T topics.
    gain
        `linear`: the grade; `exp2`: 2^grade − 1; `1:3/2:9`: these gains for these grades, the grade itself for others.
    ideal
        `judged`: the ideal ranking has all judged documents, best first; `retrieved`: only the documents of the whole list.
    cutoff
        Ranks 1 to `cutoff` of both rankings count; None counts all.

    Returns
    -------
    Scores
        Shape (T,), between 0 and 1; 0 where the ideal ranking gains nothing.

    Notes
    -----
    Unjudged and unjudgeable documents gain nothing.

    References
    ----------
    Järvelin and Kekäläinen (2002), Cumulated gain-based evaluation of IR techniques, ACM TOIS 20(4), 422–446.

    Examples
    --------
    >>> normalised_cumulative_gain(JudgedRun.single(ranked=[1, 0, 2], judged=[2, 1, 0]), cutoff=2).round(4)
    array([0.3333])
    """
    best = best_gains(judged, gain, ideal, cutoff)
    return divide(cumulative_gain(judged, gain=gain, cutoff=cutoff), judged.sum_by_topic(best.topic, best.gain))


@measure(
    "DCG",
    title="Discounted cumulative gain",
    formula="Σ of gain / log_base(r + 1) over ranks r <= k; gain = grade (gain=exp2: 2^grade − 1; gain=1:3/2:9: as given); "
    "discount=jk: gain where r < base, else gain / log_base(r)",
    bounds=(0, math.inf),
    kind="graded",
    top_heavy=True,
)
def discounted_cumulative_gain(
    judged: JudgedRun, *, gain: Gain = "linear", discount: Discount = "log2p1", base: Base = 2.0, cutoff: MaybeCutoff = None
) -> Scores:
    """Return the sum of the gains of the documents looked at, each worth less the later it comes.

    Parameters
    ----------
    judged
        T topics.
    gain
        `linear`: the grade; `exp2`: 2^grade − 1; `1:3/2:9`: these gains for these grades, the grade itself for others.
    discount
        `log2p1`: divided by log(rank + 1); `jk`, of Järvelin and Kekäläinen: undiscounted before rank `base`, then divided by log(rank).
    base
        Of the logarithm.
    cutoff
        Ranks 1 to `cutoff` count; None counts the whole ranking.

    Returns
    -------
    Scores
        Shape (T,).

    Notes
    -----
    Unjudged and unjudgeable documents gain nothing.

    References
    ----------
    Järvelin and Kekäläinen (2002), Cumulated gain-based evaluation of IR techniques, ACM TOIS 20(4), 422–446.
    Burges et al. (2005), Learning to rank using gradient descent, ICML, 89–96: gain=exp2 with discount=log2p1.

    Examples
    --------
    >>> discounted_cumulative_gain(JudgedRun.single(ranked=[3, 0, None, 2])).round(4)
    array([3.8614])
    """
    gained = retrieved_gains(judged, gain, cutoff)
    return judged.sum_by_topic(gained.topic, gained.gain / discounts(gained.rank, discount, base))


@measure(
    "IDCG",
    title="Ideal discounted cumulative gain",
    formula="DCG of the ideal order of all judged documents (ideal=retrieved: of the retrieved ones), over ranks 1 to k",
    bounds=(0, math.inf),
    kind="graded",
)
def ideal_discounted_cumulative_gain(
    judged: JudgedRun,
    *,
    gain: Gain = "linear",
    discount: Discount = "log2p1",
    base: Base = 2.0,
    ideal: Ideal = "judged",
    cutoff: MaybeCutoff = None,
) -> Scores:
    """Return the highest DCG that any order of the documents can have.

    Parameters
    ----------
    judged
        T topics.
    gain, discount, base
        As for DCG.
    ideal
        `judged`: the ideal ranking has all judged documents, best first; `retrieved`, of some lecture notes: only the documents of the
        whole list, which hides what was not found.
    cutoff
        Ranks 1 to `cutoff` of the ideal ranking count; None counts all.

    Returns
    -------
    Scores
        Shape (T,); 0 where no document gains anything.

    Notes
    -----
    Unjudged and unjudgeable documents gain nothing. The order of the ranking, and so its ties, do not matter.

    References
    ----------
    Järvelin and Kekäläinen (2002), Cumulated gain-based evaluation of IR techniques, ACM TOIS 20(4), 422–446.

    Examples
    --------
    >>> ideal_discounted_cumulative_gain(JudgedRun.single(ranked=[0, 3], judged=[3, 3, 2, 0]), cutoff=2).round(4)
    array([4.8928])
    """
    best = best_gains(judged, gain, ideal, cutoff)
    return judged.sum_by_topic(best.topic, best.gain / discounts(best.rank, discount, base))


@measure(
    "nDCG",
    title="Normalised discounted cumulative gain",
    formula="DCG / DCG of the ideal order of all judged documents (ideal=retrieved: of the retrieved ones), both over ranks 1 to k",
    kind="graded",
    # trec_eval's ndcg.1=3,2=9 gives gains; its ndcg_cut.5,10 gives cutoffs.
    aliases=(Alias("nDCG", suffix="gain"), Alias("ndcg_cut", bare="." + TREC_CUTOFFS), Alias("ndcg_burges", preset=(("gain", "exp2"),))),
    top_heavy=True,
)
def normalised_discounted_cumulative_gain(
    judged: JudgedRun,
    *,
    gain: Gain = "linear",
    discount: Discount = "log2p1",
    base: Base = 2.0,
    ideal: Ideal = "judged",
    cutoff: MaybeCutoff = None,
) -> Scores:
    """Return DCG as a share of the highest possible one.

    Parameters
    ----------
    judged
        T topics.
    gain
        `linear`: the grade; `exp2`: 2^grade − 1; `1:3/2:9`: these gains for these grades, the grade itself for others.
    discount
        `log2p1`: divided by log(rank + 1); `jk`, of Järvelin and Kekäläinen: undiscounted before rank `base`, then divided by log(rank).
    base
        Of the logarithm; without effect where discount=log2p1.
    ideal
        `judged`: the ideal ranking has all judged documents, best first; `retrieved`, of some lecture notes: only the documents of the
        whole list, which hides what was not found.
    cutoff
        Ranks 1 to `cutoff` of both rankings count; None counts all.

    Returns
    -------
    Scores
        Shape (T,), between 0 and 1; 0 where the ideal ranking gains nothing.

    Notes
    -----
    Unjudged and unjudgeable documents gain nothing.

    References
    ----------
    Järvelin and Kekäläinen (2002), Cumulated gain-based evaluation of IR techniques, ACM TOIS 20(4), 422–446.

    Examples
    --------
    >>> normalised_discounted_cumulative_gain(JudgedRun.single(ranked=[1, 0, 2], judged=[2, 1, 0])).round(4)
    array([0.7602])
    """
    reached = discounted_cumulative_gain(judged, gain=gain, discount=discount, base=base, cutoff=cutoff)
    possible = ideal_discounted_cumulative_gain(judged, gain=gain, discount=discount, base=base, ideal=ideal, cutoff=cutoff)
    return divide(reached, possible)


def gains(grade: npt.NDArray[Any], gain: Gain) -> Floats:
    """Return the gain of grades of 1 or more, or of 0 or more where `gain` is a map; in the same shape.

    Raises
    ------
    MeasureError
        When 2 to the grade is too large for a number.
    """
    if gain == "linear":
        return grade.astype(np.float64)
    if isinstance(gain, GainMap):
        mapped = grade.astype(np.float64)
        for one, its_gain in gain.pairs:
            mapped[grade == one] = its_gain
        return mapped
    if grade.size and grade.max() > HIGHEST_EXP2:
        raise MeasureError(f"gain=exp2 takes grades up to {HIGHEST_EXP2}, got {grade.max()}; gain=linear takes any.")
    return np.exp2(grade.astype(np.float64)) - 1


def discounts(rank: npt.NDArray[Any], discount: Discount, base: float) -> Floats:
    """Return what the gain at each 1-based rank is divided by, in the same shape.

    Examples
    --------
    >>> discounts(np.array([1, 2, 4]), "jk", base=2)
    array([1., 1., 2.])
    """
    shifted = rank + 1.0 if discount == "log2p1" else np.maximum(rank, base)
    divisor: Floats = np.log2(shifted) / np.log2(base)
    return divisor


def retrieved_gains(judged: JudgedRun, gain: Gain, cutoff: int | None = None) -> Gains:
    """Return the retrieved documents at ranks 1 to `cutoff` that gain something.

    Examples
    --------
    >>> retrieved_gains(JudgedRun.single(ranked=[2, None, 0, 1]), "linear").gain
    array([2., 1.])
    """
    return judged.once(("retrieved gains", gain, cutoff), lambda: _gaining(judged.relevant_hits(_lowest(gain), cutoff), gain))


def ideal_gains(judged: JudgedRun, gain: Gain, cutoff: int | None = None) -> Gains:
    """Return the first `cutoff` documents of each topic's ideal ranking that gain something.

    Examples
    --------
    >>> ideal_gains(JudgedRun.single(ranked=[0], judged=[1, 2]), GainMap(((1, 5.0),))).gain
    array([5., 2.])
    """
    if not isinstance(gain, GainMap):
        return judged.once(("ideal gains", gain, cutoff), lambda: _gaining(judged.ideal_hits(cutoff), gain))
    kept = judged.judged_grades >= _lowest(gain)
    return _best(judged, judged.judged_topic[kept], gains(judged.judged_grades[kept], gain), cutoff)


def best_gains(judged: JudgedRun, gain: Gain, ideal: Ideal, cutoff: int | None = None) -> Gains:
    """Return the best `cutoff` of the judged or of the retrieved documents, best first, without those that gain nothing.

    Examples
    --------
    >>> best_gains(JudgedRun.single(ranked=[0, 1], judged=[2]), "linear", "retrieved").gain
    array([1.])
    """
    if ideal == "judged":
        return ideal_gains(judged, gain, cutoff)
    retrieved = retrieved_gains(judged, gain)
    return _best(judged, retrieved.topic, retrieved.gain, cutoff)


def _gaining(hits: Hits, gain: Gain) -> Gains:
    """Return the hits that gain something."""
    gained = gains(hits.grade, gain)
    kept = gained > 0
    if kept.all():
        return Gains(hits.topic, hits.rank, gained)
    return Gains(hits.topic[kept], hits.rank[kept], gained[kept])


def _best(judged: JudgedRun, topic: Ints, gain: Floats, cutoff: int | None) -> Gains:
    """Return documents in the order of their gain, without those that gain nothing."""
    order = np.lexsort((-gain, topic))
    order = order[gain[order] > 0]
    place = place_in_topic(topic[order], len(judged))
    kept = slice(None) if cutoff is None else place <= cutoff
    return Gains(topic[order][kept], place[kept].astype(np.int32), gain[order][kept])


def _lowest(gain: Gain) -> int:
    """Return the lowest grade that may gain something."""
    return 0 if isinstance(gain, GainMap) and gain.pairs[0][0] == 0 else 1
