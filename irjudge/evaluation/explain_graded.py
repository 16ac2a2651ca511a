"""Workings of graded measures."""

import math
from collections.abc import Sequence

import numpy as np

from irjudge.evaluation.explaining import Board, Working, added, divided, explains, looked_at, number
from irjudge.message import Message
from irjudge.metrics.blended import QNorm
from irjudge.metrics.gain import Discount, Gain, Ideal, gains
from irjudge.metrics.parameters import GainMap, show

GAIN_MEANS = {"linear": Message("gain = grade"), "exp2": Message("gain = 2^grade − 1")}


def gained(grades: Sequence[int | None], gain: Gain) -> list[float]:
    """Return what each document gains; 0 where it has no grade."""
    known = [-1 if grade is None else grade for grade in grades]
    return [max(0.0, each) for each in np.where(np.array(known) < 0, 0, gains(np.maximum(known, 0), gain)).tolist()] if known else []


def means(gain: Gain) -> str:
    """Say what a grade gains."""
    return Message("gain of grades {gain}, else gain = grade", gain=gain) if isinstance(gain, GainMap) else GAIN_MEANS[gain]


def divisor(rank: int, discount: Discount, base: float) -> float:
    """Return what the gain at a rank is divided by."""
    return math.log2(rank + 1 if discount == "log2p1" else max(rank, base)) / math.log2(base)


def discount_step(discount: Discount, base: float) -> str:
    """Say how gain is discounted."""
    if discount == "jk":
        return Message("The gain at rank r is divided by log{show}(r) from rank {show} on, and not before.", show=show(base))
    return Message("The gain at rank r is divided by log{show}(r + 1).", show=show(base))


def discounted(gain: Sequence[float], discount: Discount, base: float) -> tuple[list[float], str]:
    """Return the running sums of the discounted gains, and the sum in writing."""
    total, sums, terms = 0.0, [], []
    for rank, each in enumerate(gain, 1):
        below = divisor(rank, discount, base)
        total += each / below
        sums.append(total)
        if each:
            terms.append(number(each) if below == 1 else f"{number(each)}/{number(below)}")
    return sums, f"{added(terms)} = {number(total)}"


def ideal_of(board: Board, gain: Gain, ideal: Ideal, cutoff: int | None) -> tuple[list[float], str]:
    """Return the gains of the ideal ranking down to `cutoff`, and what it is."""
    grades = board.judged if ideal == "judged" else board.grades
    best = sorted((each for each in gained(grades, gain) if each > 0), reverse=True)[:cutoff]
    shown = ", ".join(map(number, best[:12])) + (Message(" … ({best} in all)", best=len(best)) if len(best) > 12 else "")
    whose = Message("all judged documents") if ideal == "judged" else Message("the retrieved documents")
    return best, Message("Ideal order of {whose}, gains: {value}.", whose=whose, value=shown or "none gains anything")


@explains("CG")
def cumulative_gain(board: Board, *, gain: Gain, cutoff: int | None) -> Working:
    """Gains added up."""
    each = gained(board.top(cutoff), gain)
    total, rows = 0.0, []
    for one in each:
        total += one
        rows.append((one, total))
    written = f"CG = {added([number(one) for one in each if one])} = {number(total)}"
    hits = frozenset(rank for rank, one in enumerate(each, 1) if one)
    return Working((looked_at(board, cutoff), f"{means(gain).capitalize()}.", written), total, ("gain", "CG"), tuple(rows), hits)


@explains("DCG")
def discounted_cumulative_gain(board: Board, *, gain: Gain, discount: Discount, base: float, cutoff: int | None) -> Working:
    """Gains, discounted and added up."""
    each = gained(board.top(cutoff), gain)
    sums, written = discounted(each, discount, base)
    rows = tuple(
        (one, divisor(rank, discount, base), one / divisor(rank, discount, base), total)
        for rank, (one, total) in enumerate(zip(each, sums, strict=True), 1)
    )
    steps = (looked_at(board, cutoff), f"{means(gain).capitalize()}. {discount_step(discount, base)}", f"DCG = {written}")
    hits = frozenset(rank for rank, one in enumerate(each, 1) if one)
    return Working(steps, sums[-1] if sums else 0.0, ("gain", Message("divided by"), "term", "DCG"), rows, hits)


@explains("IDCG")
def ideal_discounted_cumulative_gain(
    board: Board, *, gain: Gain, discount: Discount, base: float, ideal: Ideal, cutoff: int | None
) -> Working:
    """The DCG of the best order."""
    best, said = ideal_of(board, gain, ideal, cutoff)
    sums, written = discounted(best, discount, base)
    steps = (f"{means(gain).capitalize()}. {discount_step(discount, base)}", said, f"IDCG = {written}")
    hits = frozenset(rank for rank, one in enumerate(gained(board.grades, gain), 1) if one)
    return Working(steps, sums[-1] if sums else 0.0, hits=hits)


@explains("nDCG")
def normalised_discounted_cumulative_gain(
    board: Board, *, gain: Gain, discount: Discount, base: float, ideal: Ideal, cutoff: int | None
) -> Working:
    """DCG divided by the highest possible one."""
    each = gained(board.top(cutoff), gain)
    sums, written = discounted(each, discount, base)
    best, said = ideal_of(board, gain, ideal, cutoff)
    best_sums, best_written = discounted(best, discount, base)
    step, value = divided("nDCG = DCG / IDCG", sums[-1] if sums else 0, best_sums[-1] if best_sums else 0, "IDCG")
    rows = tuple(
        (one, divisor(rank, discount, base), total, best_sums[min(rank, len(best_sums)) - 1] if best_sums else 0.0)
        for rank, (one, total) in enumerate(zip(each, sums, strict=True), 1)
    )
    steps = (
        looked_at(board, cutoff),
        f"{means(gain).capitalize()}. {discount_step(discount, base)}",
        f"DCG = {written}",
        said,
        f"IDCG = {best_written}",
        step,
    )
    hits = frozenset(rank for rank, one in enumerate(each, 1) if one)
    return Working(steps, value, ("gain", Message("divided by"), "DCG", "IDCG"), rows, hits)


@explains("ERR")
def expected_reciprocal_rank(board: Board, *, highest: int | None, cutoff: int | None) -> Working:
    """A user who stops where a document satisfies."""
    scale = board.highest if highest is None else highest
    rows: list[tuple[float, ...]] = []
    total, arrives, terms, hits = 0.0, 1.0, [], []
    for rank, grade in enumerate(board.top(cutoff), 1):
        stops = (2.0 ** max(grade or 0, 0) - 1) / 2.0**scale
        total += arrives * stops / rank
        rows.append((stops, arrives, arrives * stops / rank, total))
        if stops:
            hits.append(rank)
            terms.append(f"{number(arrives)}·{number(stops)}/{rank}")
        arrives *= 1 - stops
    steps = (
        looked_at(board, cutoff),
        Message(
            "G = {scale}, the highest grade. Who comes to a document is satisfied with probability (2^grade − 1) / 2^G, and stops.",
            scale=scale,
        ),
        Message("ERR = sum of reaches·satisfied/r = {added} = {number}", added=added(terms), number=number(total)),
    )
    return Working(steps, total, ("satisfied", "reaches", "term", "sum"), tuple(rows), frozenset(hits))


@explains("Q")
def q_measure(board: Board, *, gain: Gain, beta: float, norm: QNorm, cutoff: int | None) -> Working:
    """Average precision with the blended ratio."""
    best, said = ideal_of(board, gain, "judged", None)
    each = gained(board.top(cutoff), gain)
    rows: list[tuple[float | None, ...]] = []
    nth, reached, possible, total, terms = 0, 0.0, 0.0, 0.0, []
    for rank, one in enumerate(each, 1):
        reached += one
        possible += best[rank - 1] if rank <= len(best) else 0.0
        ratio = None
        if one:
            nth += 1
            ratio = (nth + beta * reached) / (rank + beta * possible)
            total += ratio
            terms.append(f"({nth} + {show(beta)}·{number(reached)})/({rank} + {show(beta)}·{number(possible)})")
        rows.append((reached, possible, ratio, total))
    if norm == "cutoff" and cutoff is not None:
        step, value = divided(
            Message("Q = sum / min(k, R)"), total, min(cutoff, len(best)), Message("R, the number of documents that gain,")
        )
    else:
        step, value = divided(Message("Q = sum / R"), total, len(best), Message("R, the number of documents that gain,"))
    steps = (
        looked_at(board, cutoff),
        f"{means(gain).capitalize()}.",
        said,
        Message(
            "Sum of (found + beta·CG)/(r + beta·ideal CG) where a document gains: {added} = {number}",
            added=added(terms),
            number=number(total),
        ),
        step,
    )
    hits = frozenset(rank for rank, one in enumerate(each, 1) if one)
    return Working(steps, value, ("CG", Message("ideal CG"), "ratio", "sum"), tuple(rows), hits)


@explains("BPM")
def bejeweled_player(board: Board, *, t: float, highest: int | None, depth: int, k: int) -> Working:
    """A user who stops when enough was gained, or enough was looked at."""
    scale, most = max(board.highest if highest is None else highest, 1), min(k, depth)
    total, stop = 0, most
    rows: list[tuple[float, ...]] = []
    for rank, grade in enumerate(board.top(most), 1):
        total += max(grade or 0, 0)
        rows.append((max(grade or 0, 0) / scale, total / scale))
        if total and total >= t * scale:
            stop = rank
            break
    enough = Message("The gain reaches T = {show} at rank {stop}, so the user stops there.", show=show(t), stop=stop)
    patience = Message(
        "The gain does not reach T = {show}, so the user looks at all {most}, whether there are as many or not.", show=show(t), most=most
    )
    steps = (
        Message(
            "Gain = grade / {scale}, the highest grade. At most {most} documents are looked at: the lesser of K = {k} and depth = {depth}.",
            scale=scale,
            most=most,
            k=k,
            depth=depth,
        ),
        enough if total and total >= t * scale else patience,
    )
    step, value = divided(Message("BPM = gain / documents looked at"), total / scale, stop, Message("the number looked at"))
    hits = frozenset(rank for rank, (gain, _) in enumerate(rows, 1) if gain)
    return Working((*steps, step), value, ("gain", "sum"), tuple(rows), hits)
