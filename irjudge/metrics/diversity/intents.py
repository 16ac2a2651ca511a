"""Graded diversity: what a document gains for all intents together, and which intents are found."""

from typing import Annotated, TypeAlias

import numpy as np

from irjudge.message import Message
from irjudge.metrics.basis.gain_and_discount import (
    Gain,
    Gains,
    gained,
    gains,
    ideal_gains,
    means,
    retrieved_gains,
)
from irjudge.metrics.basis.judged import Ints, JudgedRun, Scores, divide, place_in_topic
from irjudge.metrics.basis.working import (
    Board,
    Working,
    added,
    divided,
    explains,
    looked_at,
    number,
)
from irjudge.metrics.diversity.diversity import subtopic_recall
from irjudge.metrics.diversity.novelty import documents_seen, in_words, subtopic_names
from irjudge.metrics.naming.parameters import BothCutoff, GainMap, Range, Rel, TopCutoff
from irjudge.metrics.naming.registry import Exemption, measure

Gamma: TypeAlias = Annotated[float, Range(0, 1)]


@measure(
    "D-nDCG",
    title="D-nDCG",
    formula="Σ over ranks r <= k of (Σ over intents of what r gains for it) / log2(r + 1), "
    "over that of the documents in the order of this gain",
    kind="graded",
    aliases=("DnDCG", "D_nDCG"),
    top_heavy=True,
    needs=("subtopics",),
)
def d_ndcg(judged: JudgedRun, *, gain: Gain = "linear", cutoff: BothCutoff) -> Scores:
    """Return nDCG where a document gains what it gains for all intents of the topic together.

    Parameters
    ----------
    judged
        T topics, with subtopics, which are the intents; without them the value is nDCG.
    gain
        What a grade gains: `linear`, `exp2`, or a map.

    Returns
    -------
    Scores
        Shape (T,), between 0 and 1; 0 where no document gains anything.

    Notes
    -----
    All intents are equally probable. Unjudged documents gain nothing.

    References
    ----------
    Sakai and Song (2011), Evaluating diversified search results using per-intent graded relevance, SIGIR, 1043–1052.

    Examples
    --------
    >>> d_ndcg(JudgedRun.single(ranked=[1, 0, 3]), cutoff=3).round(4)
    array([0.6885])
    """
    reached, best = _found(judged, gain, cutoff), _ideal(judged, gain, cutoff)
    return divide(
        *(
            judged.sum_by_topic(each.topic, each.gain / np.log2(each.rank + 1.0))
            for each in (reached, best)
        )
    )


def _found(judged: JudgedRun, gain: Gain, cutoff: int) -> Gains:
    """Return what the retrieved documents gain, a row for each intent."""
    if (known := judged.subtopics) is None:
        return retrieved_gains(judged, gain, cutoff)
    kept = (known.found_rank <= cutoff) & (known.found_grade >= 0)
    return Gains(
        known.found_topic[kept], known.found_rank[kept], gains(known.found_grade[kept], gain)
    )


def _ideal(judged: JudgedRun, gain: Gain, cutoff: int) -> Gains:
    """Return what the documents gain for all intents together, the best first."""
    if (known := judged.subtopics) is None:
        return ideal_gains(judged, gain, cutoff)
    return judged.once(
        ("ideal of intents", gain, cutoff),
        lambda: _global(known.topic, known.document, known.grade, gain, cutoff),
    )


def _global(topic: Ints, document: Ints, grade: Ints, gain: Gain, cutoff: int) -> Gains:
    judged = grade >= 0
    topic, document, grade = topic[judged], document[judged], grade[judged]
    total = np.bincount(document, weights=gains(grade, gain)).astype(np.float64, copy=False)
    its_topic = np.zeros(len(total), dtype=np.int32)
    its_topic[document] = topic
    order = np.lexsort((-total, its_topic))
    order = order[total[order] > 0]
    place = place_in_topic(its_topic[order], int(its_topic.max(initial=0)) + 1)
    kept = place <= cutoff
    return Gains(its_topic[order][kept], place[kept].astype(np.int32), total[order][kept])


@explains("D-nDCG")
def d_ndcg_working(board: Board, *, gain: Gain, cutoff: int) -> Working:
    """The discounted gains over those of the ideal order."""
    rows, terms, total, hits = [], [], 0.0, set()
    for each in documents_seen(board, 0, cutoff):
        worth = sum(gained(each.grades, gain))
        total += worth / np.log2(each.rank + 1)
        rows.append((in_words(each), worth, total))
        if worth:
            hits.add(each.rank)
            terms.append(f"{number(worth)}/{number(np.log2(each.rank + 1))}")
    best = _ideal(board.seen, gain, cutoff)
    ideal = float((best.gain / np.log2(best.rank + 1.0)).sum())
    steps = (
        Message(
            "{means}, added up over the intents of a document.", means=means(gain).capitalize()
        ),
        looked_at(board, cutoff),
        Message(
            "Sum of gain / log2(r + 1): {added} = {number}",
            added=added(terms),
            number=number(total),
        ),
        Message(
            "In ideal order the gains are {gains}, which comes to {ideal}",
            gains=", ".join(map(number, best.gain[:12].tolist())) or "-",
            ideal=number(ideal),
        ),
    )
    step, value = divided("D-nDCG", total, ideal, Message("the ideal sum"))
    return Working((*steps, step), value, ("intents", "gain", "sum"), tuple(rows), frozenset(hits))


@measure(
    "D#-nDCG",
    title="D♯-nDCG",
    formula="gamma · (intents found in the top k / intents with a relevant document) + (1 − gamma) · D-nDCG",
    kind="graded",
    aliases=("D♯-nDCG", "D#nDCG", "Dsharp-nDCG", "D_sharp_nDCG"),
    top_heavy=True,
    exemptions=(
        Exemption(
            "top_heavy",
            "with a map a document that finds an intent may gain less",
            when=(("gain", (GainMap,)),),
        ),
    ),
    needs=("subtopics",),
)
def d_sharp_ndcg(
    judged: JudgedRun, *, gamma: Gamma = 0.5, gain: Gain = "linear", rel: Rel = 1, cutoff: TopCutoff
) -> Scores:
    """Return a mean of how many intents are found and of D-nDCG.

    Parameters
    ----------
    judged
        T topics, with subtopics, which are the intents; without them each topic is one.
    gamma
        The weight of the intents that are found.
    gain
        What a grade gains: `linear`, `exp2`, or a map.
    rel
        An intent is found with a document whose grade for it is `rel` or more.

    Returns
    -------
    Scores
        Shape (T,), between 0 and 1; 0 where no document gains anything.

    Notes
    -----
    All intents are equally probable, and those without a relevant document do not count. The share of intents found is StRecall, which is
    called I-rec here. Unjudged documents gain nothing.

    References
    ----------
    Sakai and Song (2011), Evaluating diversified search results using per-intent graded relevance, SIGIR, 1043–1052.

    Examples
    --------
    >>> d_sharp_ndcg(JudgedRun.single(ranked=[1, 0, 3]), cutoff=3).round(4)
    array([0.8443])
    """
    return gamma * subtopic_recall(judged, rel=rel, cutoff=cutoff) + (1 - gamma) * d_ndcg(
        judged, gain=gain, cutoff=cutoff
    )


@explains("D#-nDCG")
def d_sharp_ndcg_working(
    board: Board, *, gamma: float, gain: Gain, rel: int, cutoff: int
) -> Working:
    """The two parts and their mean."""
    work = d_ndcg_working(board, gain=gain, cutoff=cutoff)
    new = sum(not times for each in documents_seen(board, rel, cutoff) for times in each.before)
    said, found = divided(
        "I-rec",
        new,
        len(subtopic_names(board, rel)),
        Message("the number of intents with a relevant document"),
    )
    value = gamma * found + (1 - gamma) * work.result
    last = f"D#-nDCG = {number(gamma)} · {number(found)} + {number(1 - gamma)} · {number(work.result)} = {number(value)}"
    return Working((*work.steps, said, last), value, work.columns, work.rows, work.hits)
