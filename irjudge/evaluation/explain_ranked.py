"""Workings of ranked measures of binary relevance."""

from fractions import Fraction
from itertools import accumulate

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
from irjudge.metrics.average_precision import Norm
from irjudge.metrics.parameters import show
from irjudge.metrics.rank_biased import RankGain
from irjudge.metrics.recall_levels import Rule, decimal


def found_so_far(board: Board, rel: int, cutoff: int | None) -> list[int]:
    """Return at each rank how many relevant documents stand at or above it."""
    return list(accumulate(int(is_relevant(grade, rel)) for grade in board.top(cutoff)))


@explains("P")
def precision(board: Board, *, rel: int, cutoff: int) -> Working:
    """Relevant in the top k, divided by k."""
    found = found_so_far(board, rel, cutoff)
    step, value = divided(f"P@{cutoff} = relevant in the top {cutoff} / {cutoff}", found[-1] if found else 0, cutoff, "k")
    rows = tuple((count, count / rank) for rank, count in enumerate(found, 1))
    return Working((relevance(rel), looked_at(board, cutoff), step), value, ("found", "P@r"), rows, frozenset(board.hits(rel, cutoff)))


@explains("R")
def recall(board: Board, *, rel: int, cutoff: int) -> Working:
    """Relevant in the top k, divided by all relevant."""
    found, relevant = found_so_far(board, rel, cutoff), board.relevant(rel)
    step, value = divided(f"R@{cutoff} = relevant in the top {cutoff} / R", found[-1] if found else 0, relevant, "R")
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
    step, value = divided(f"Rprec = relevant in the top {relevant} / R", found[-1] if found else 0, relevant, "R")
    rows = tuple((count, count / rank) for rank, count in enumerate(found, 1))
    return Working((relevance(rel), relevant_step(board, rel), step), value, ("found", "P@r"), rows, frozenset(board.hits(rel, relevant)))


@explains("Success")
def success(board: Board, *, rel: int, cutoff: int) -> Working:
    """Whether the top k has a relevant document."""
    hits = board.hits(rel, cutoff)
    said = f"The first relevant document is at rank {hits[0]}, so the topic succeeds." if hits else "No relevant document is there."
    return Working((relevance(rel), looked_at(board, cutoff), said), float(bool(hits)), hits=frozenset(hits[:1]))


@explains("RR")
def reciprocal_rank(board: Board, *, rel: int, cutoff: int | None) -> Working:
    """One divided by the rank of the first relevant document."""
    hits = board.hits(rel, cutoff)
    value = 1 / hits[0] if hits else 0.0
    said = f"RR = 1 / rank of the first relevant document = 1 / {hits[0]} = {number(value)}" if hits else "RR = 0: none is relevant."
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
    summed = f"Sum of P@r at the relevant ranks: {added([f'{nth}/{rank}' for nth, rank in enumerate(hits, 1)])} = {number(total)}"
    below, what = relevant, "R"
    if norm == "retrieved":
        below, what = len(hits), "the number of relevant documents found"
    elif norm == "cutoff" and cutoff is not None:
        below, what = min(relevant, cutoff), "min(R, k)"
    step, value = divided(f"AP = sum / {what}", total, below, what)
    steps = (relevance(rel), looked_at(board, cutoff), relevant_step(board, rel), summed, step)
    return Working(steps, value, ("found", "P@r", "sum"), tuple(rows), frozenset(hits))


@explains("GMAP")
def geometric_average_precision(board: Board, *, rel: int, eps: float) -> Working:
    """Average precision, but at least eps."""
    work = average_precision(board, rel=rel, norm="relevant", cutoff=None)
    value = max(work.result, eps)
    steps = (
        *work.steps,
        f"max(AP, eps) = max({number(work.result)}, {show(eps)}) = {number(value) if value > eps else show(eps)}",
        "A run's value is the geometric mean over the topics: exp of the mean of the logarithms of these.",
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
    step, value = divided("Bpref = sum / R", total, relevant, "R")
    steps = (
        relevance(rel),
        relevant_step(board, rel),
        f"N = {others} documents judged not relevant; m = min(R, N) = {least}. Unjudged documents are passed over.",
        f"Sum of 1 − min(non-relevant above, m)/m at the relevant ranks: {added(terms)} = {number(total)}",
        step,
    )
    return Working(steps, value, ("non-relevant above", "term", "sum"), tuple(rows), frozenset(hits))


@explains("IPrec")
def interpolated_precision(board: Board, *, rel: int, rule: Rule, recall: float) -> Working:
    """The precision that can still be had at a level of recall."""
    hits, relevant = board.hits(rel), board.relevant(rel)
    found = found_so_far(board, rel, None)
    rows = tuple((count, count / relevant if relevant else 0.0, count / rank) for rank, count in enumerate(found, 1))
    first, last, said = _documents(decimal(recall), relevant, rule)
    chosen = [(nth, rank) for nth, rank in enumerate(hits, 1) if first <= nth <= last]
    value = max((nth / rank for nth, rank in chosen), default=0.0)
    fractions = ", ".join(f"{nth}/{rank}" for nth, rank in chosen[:8]) + (f" and {len(chosen) - 8} more" if len(chosen) > 8 else "")
    reached = (
        f"Highest precision there: the highest of {fractions} = {number(value)}" if chosen else "The run never reaches it, so it is 0."
    )
    steps = (relevance(rel), relevant_step(board, rel), said, reached)
    return Working(steps, value, ("found", "recall", "precision"), rows, frozenset(rank for _, rank in chosen))


def _documents(level: Fraction, relevant: int, rule: Rule) -> tuple[int, int, str]:
    """Return the first and the last relevant document, counted by rank, that count for a level of recall, and why."""
    wanted, least = f"Recall {show(float(level))} of R = {relevant}", level * relevant
    if rule == "trec9":
        first = int(least + Fraction(9, 10))
        return (
            first,
            relevant,
            f"By the rule of trec_eval 9: {wanted} is reached with {first} relevant documents: floor({float(least):g} + 0.9).",
        )
    if rule == "trec10":
        first = int(least + Fraction(1, 2))
        return (
            first,
            relevant,
            f"By the rule of trec_eval 10: {wanted} is reached with {first} relevant documents: {float(least):g}, rounded.",
        )
    first = -(-least.numerator // least.denominator)
    if rule == "max":
        return first, relevant, f"{wanted} is {float(least):g} documents, so it holds from relevant document {first} on."
    if least == first and first > 0:
        return first, first, f"{wanted} is exactly relevant document {first}."
    begin, end = int(least) + 1, level
    while relevant and end * relevant < begin:
        end += Fraction(1, 10)
    last = int(end * relevant)
    return (
        begin,
        last,
        f"Recall above {show(float(level))} up to {show(float(end))} has the relevant documents {begin} to {last} of {relevant}.",
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
    means = f"1 for a relevant document (grade {rel} or more)" if gain == "binary" else f"grade / {divisor}"
    steps = (
        looked_at(board, cutoff),
        f"p = {show(p)}; g is {means}; the weight of rank r is p^(r−1).",
        f"Sum of g·p^(r−1): {added(terms)} = {number(total)}",
        f"RBP = (1 − p)·sum = {number(1 - p)}·{number(total)} = {number(value)}",
    )
    return Working(steps, value, ("g", "weight", "sum"), tuple(rows), frozenset(hits))
