"""Workings of ranked measures of binary relevance."""

from fractions import Fraction
from itertools import accumulate

import numpy as np

from irjudge.evaluation.explain_counts import harmonic, one_minus
from irjudge.evaluation.explaining import (
    Board,
    Working,
    added,
    divided,
    explains,
    is_relevant,
    looked_at,
    number,
    power,
    relevance,
    relevant_step,
)
from irjudge.message import Message
from irjudge.metrics.average_precision import Norm
from irjudge.metrics.parameters import show
from irjudge.metrics.rank_biased import RankGain
from irjudge.metrics.recall_levels import Rule, decimal, first_at_level


def found_so_far(board: Board, rel: int, cutoff: int | None) -> list[int]:
    """Return at each rank how many relevant documents stand at or above it."""
    return list(accumulate(int(is_relevant(grade, rel)) for grade in board.top(cutoff)))


@explains("P")
def precision(board: Board, *, rel: int, cutoff: int) -> Working:
    """Relevant in the top k, divided by k."""
    found = found_so_far(board, rel, cutoff)
    step, value = divided(
        Message("P@{cutoff} = relevant in the top {cutoff} / {cutoff}", cutoff=cutoff), found[-1] if found else 0, cutoff, "k"
    )
    rows = tuple((count, count / rank) for rank, count in enumerate(found, 1))
    return Working((relevance(rel), looked_at(board, cutoff), step), value, ("found", "P@r"), rows, frozenset(board.hits(rel, cutoff)))


@explains("R")
def recall(board: Board, *, rel: int, cutoff: int) -> Working:
    """Relevant in the top k, divided by all relevant."""
    found, relevant = found_so_far(board, rel, cutoff), board.relevant(rel)
    step, value = divided(Message("R@{cutoff} = relevant in the top {cutoff} / R", cutoff=cutoff), found[-1] if found else 0, relevant, "R")
    rows = tuple((count, count / relevant if relevant else 0.0) for count in found)
    steps = (relevance(rel), looked_at(board, cutoff), relevant_step(board, rel), step)
    return Working(steps, value, ("found", "R@r"), rows, frozenset(board.hits(rel, cutoff)))


@explains("F")
def f_at_rank(board: Board, *, rel: int, beta: float, alpha: float | None, cutoff: int) -> Working:
    """The weighted harmonic mean of P@k and R@k."""
    return harmonic(board, rel, cutoff, cutoff, beta=beta, alpha=alpha)


@explains("E")
def e_at_rank(board: Board, *, rel: int, beta: float, alpha: float | None, cutoff: int) -> Working:
    """One minus the weighted harmonic mean of P@k and R@k."""
    return one_minus(harmonic(board, rel, cutoff, cutoff, beta=beta, alpha=alpha))


@explains("Rprec")
def r_precision(board: Board, *, rel: int) -> Working:
    """Precision at rank R."""
    relevant = board.relevant(rel)
    found = found_so_far(board, rel, relevant)
    step, value = divided(
        Message("Rprec = relevant in the top {relevant} / R", relevant=relevant), found[-1] if found else 0, relevant, "R"
    )
    rows = tuple((count, count / rank) for rank, count in enumerate(found, 1))
    return Working((relevance(rel), relevant_step(board, rel), step), value, ("found", "P@r"), rows, frozenset(board.hits(rel, relevant)))


@explains("Success")
def success(board: Board, *, rel: int, cutoff: int) -> Working:
    """Whether the top k has a relevant document."""
    hits = board.hits(rel, cutoff)
    said = (
        Message("The first relevant document is at rank {first}, so the topic succeeds.", first=hits[0])
        if hits
        else Message("No relevant document is there.")
    )
    return Working((relevance(rel), looked_at(board, cutoff), said), float(bool(hits)), hits=frozenset(hits[:1]))


@explains("RR")
def reciprocal_rank(board: Board, *, rel: int, cutoff: int | None) -> Working:
    """One divided by the rank of the first relevant document."""
    hits = board.hits(rel, cutoff)
    value = 1 / hits[0] if hits else 0.0
    said = (
        Message("RR = 1 / rank of the first relevant document = 1 / {first} = {number}", first=hits[0], number=number(value))
        if hits
        else Message("RR = 0: none is relevant.")
    )
    return Working((relevance(rel), looked_at(board, cutoff), said), value, hits=frozenset(hits[:1]))


@explains("AP")
def average_precision(board: Board, *, rel: int, norm: Norm, cutoff: int | None) -> Working:
    """The mean of the precisions at the ranks of relevant documents."""
    hits, relevant = board.hits(rel, cutoff), board.relevant(rel)
    rows: list[tuple[float | None, ...]] = []
    total, nth = 0.0, 0
    for rank, grade in enumerate(board.top(cutoff), 1):
        if is_relevant(grade, rel):
            nth += 1
            total += nth / rank
            rows.append((nth, nth / rank, total))
        else:
            rows.append((nth, None, total))
    summed = Message(
        "Sum of P@r at the relevant ranks: {added} = {number}",
        added=added([f"{nth}/{rank}" for nth, rank in enumerate(hits, 1)]),
        number=number(total),
    )
    below, what = relevant, "R"
    if norm == "retrieved":
        below, what = len(hits), Message("the number of relevant documents found")
    elif norm == "cutoff" and cutoff is not None:
        below, what = min(relevant, cutoff), Message("min(R, k)")
    step, value = divided(Message("AP = sum / {what}", what=what), total, below, what)
    steps = (relevance(rel), looked_at(board, cutoff), relevant_step(board, rel), summed, step)
    return Working(steps, value, ("found", "P@r", "sum"), tuple(rows), frozenset(hits))


@explains("GMAP")
def geometric_average_precision(board: Board, *, rel: int, eps: float) -> Working:
    """Average precision, but at least eps."""
    work = average_precision(board, rel=rel, norm="relevant", cutoff=None)
    value = max(work.result, eps)
    steps = (
        *work.steps,
        Message(
            "max(AP, eps) = max({number}, {show}) = {number2}",
            number=number(work.result),
            show=show(eps),
            number2=number(value) if value > eps else show(eps),
        ),
        Message("A run's value is the geometric mean over the topics: exp of the mean of the logarithms of these."),
    )
    return Working(steps, value, work.columns, work.rows, work.hits)


@explains("Bpref")
def binary_preference(board: Board, *, rel: int) -> Working:
    """How rarely judged non-relevant documents stand above relevant ones."""
    hits, relevant = board.hits(rel), board.relevant(rel)
    others = len(board.judged) - relevant
    least = min(relevant, others)
    rows: list[tuple[int | float | None, ...]] = []
    terms, total, above = [], 0.0, 0
    for grade in board.grades:
        if is_relevant(grade, rel):
            term = 1 - min(above, least) / least if least else 1.0
            total += term
            terms.append(f"(1 − {min(above, least)}/{least})" if least else "1")
            rows.append((above, term, total))
        else:
            above += is_relevant(grade, 0)
            rows.append((above, None, total))
    step, value = divided(Message("Bpref = sum / R"), total, relevant, "R")
    steps = (
        relevance(rel),
        relevant_step(board, rel),
        Message(
            "N = {others} documents judged not relevant; m = min(R, N) = {least}. Unjudged documents are passed over.",
            others=others,
            least=least,
        ),
        Message(
            "Sum of 1 − min(non-relevant above, m)/m at the relevant ranks: {added} = {number}", added=added(terms), number=number(total)
        ),
        step,
    )
    return Working(steps, value, (Message("non-relevant above"), "term", "sum"), tuple(rows), frozenset(hits))


@explains("IPrec")
def interpolated_precision(board: Board, *, rel: int, rule: Rule, recall: float) -> Working:
    """The precision that can still be had at a level of recall."""
    hits, relevant = board.hits(rel), board.relevant(rel)
    found = found_so_far(board, rel, None)
    rows = tuple((count, count / relevant if relevant else 0.0, count / rank) for rank, count in enumerate(found, 1))
    first, last, said = _documents(recall, relevant, rule)
    chosen = [(nth, rank) for nth, rank in enumerate(hits, 1) if first <= nth <= last]
    value = max((nth / rank for nth, rank in chosen), default=0.0)
    fractions = ", ".join(f"{nth}/{rank}" for nth, rank in chosen[:8]) + (
        Message(" and {chosen} more", chosen=len(chosen) - 8) if len(chosen) > 8 else ""
    )
    reached = (
        Message("Highest precision there: the highest of {fractions} = {number}", fractions=fractions, number=number(value))
        if chosen
        else Message("The run never reaches it, so it is 0.")
    )
    steps = (relevance(rel), relevant_step(board, rel), said, reached)
    return Working(steps, value, ("found", "recall", "precision"), rows, frozenset(rank for _, rank in chosen))


def _documents(recall: float, relevant: int, rule: Rule) -> tuple[int, int, str]:
    """Return the first and the last relevant document, counted by rank, that count for a level of recall, and why."""
    level = decimal(recall)
    wanted, least = Message("Recall {show} of R = {relevant}", show=show(recall), relevant=relevant), level * relevant
    first = int(first_at_level(recall, np.array([relevant]), rule)[0])
    if rule in ("trec9", "trec9fused", "trec10"):
        reached = recall * relevant
        how = (
            Message("floor({reached!r} + 0.9), where the sum is {reached2!r}", reached=reached, reached2=reached + 0.9)
            if rule == "trec9"
            else Message("{reached!r}, rounded", reached=reached)
        )
        if rule == "trec9fused":
            how = Message("floor({recall!r}·{relevant} + 0.9), rounded once", recall=recall, relevant=relevant)
        by = Message("By the rule of trec_eval {removeprefix}", removeprefix=rule.removeprefix("trec").replace("fused", " on ARM"))
        return (
            first,
            relevant,
            Message("{by}: {wanted} is reached with {first} relevant documents: {how}.", by=by, wanted=wanted, first=first, how=how),
        )
    if rule == "max":
        return (
            first,
            relevant,
            Message(
                "{wanted} is {float:g} documents, so it holds from relevant document {first} on.",
                wanted=wanted,
                float=float(least),
                first=first,
            ),
        )
    if least == first and first > 0:
        return first, first, Message("{wanted} is exactly relevant document {first}.", wanted=wanted, first=first)
    begin, end = int(least) + 1, level
    while relevant and end * relevant < begin:
        end += Fraction(1, 10)
    last = int(end * relevant)
    return (
        begin,
        last,
        Message(
            "Recall above {show} up to {show2} has the relevant documents {begin} to {last} of {relevant}.",
            show=show(float(level)),
            show2=show(float(end)),
            begin=begin,
            last=last,
            relevant=relevant,
        ),
    )


@explains("RBP")
def rank_biased_precision(board: Board, *, p: float, rel: int, gain: RankGain, cutoff: int | None) -> Working:
    """A user who goes on with probability p."""
    divisor = {"binary": 1, "graded": board.highest, "topic": max(board.judged, default=0)}[gain]
    rows: list[tuple[float | None, ...]] = []
    total, terms, hits = 0.0, [], []
    for rank, grade in enumerate(board.top(cutoff), 1):
        weight, gained = p ** (rank - 1), 0.0
        if grade is not None and is_relevant(grade, rel if gain == "binary" else 1):
            gained = 1.0 if gain == "binary" else grade / divisor
            hits.append(rank)
            terms.append(power(p, rank - 1) if gained == 1 else f"{number(gained)}·{power(p, rank - 1)}")
        total += gained * weight
        rows.append((gained, weight, total))
    value = (1 - p) * total
    means = (
        Message("1 for a relevant document (grade {rel} or more)", rel=rel)
        if gain == "binary"
        else Message("grade / {divisor}", divisor=divisor)
    )
    steps = (
        looked_at(board, cutoff),
        Message("p = {show}; g is {means}; the weight of rank r is p^(r−1).", show=show(p), means=means),
        Message("Sum of g·p^(r−1): {added} = {number}", added=added(terms), number=number(total)),
        Message("RBP = (1 − p)·sum = {number}·{number2} = {number3}", number=number(1 - p), number2=number(total), number3=number(value)),
    )
    return Working(steps, value, ("g", "weight", "sum"), tuple(rows), frozenset(hits))
