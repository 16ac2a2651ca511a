"""Workings of counts and set measures."""

from collections.abc import Callable
from dataclasses import replace
from typing import TypeAlias

from irjudge.evaluation.explaining import Board, Working, divided, explains, is_relevant, looked_at, number, relevance, relevant_step
from irjudge.message import Message
from irjudge.metrics.parameters import show

Wanted: TypeAlias = Callable[[int | None], bool]


def counted(board: Board, cutoff: int | None, column: str, wanted: Wanted) -> tuple[int, Working]:
    """Return how many documents of the top are wanted, and the working that counts along."""
    total, rows, hits = 0, [], []
    for rank, grade in enumerate(board.top(cutoff), 1):
        if wanted(grade):
            total += 1
            hits.append(rank)
        rows.append((total,))
    return total, Working((), float(total), (column,), tuple(rows), frozenset(hits))


def _only(board: Board, cutoff: int | None, column: str, wanted: Wanted, *steps: str) -> Working:
    total, found = counted(board, cutoff, column, wanted)
    return Working(
        (looked_at(board, cutoff), *steps, Message("Counted: {total}", total=total)), total, found.columns, found.rows, found.hits
    )


@explains("NumQ")
def number_of_topics(_board: Board) -> Working:
    """Each topic is one."""
    return Working((Message("Each topic counts 1; a run's value is the number of topics evaluated."),), 1)


@explains("NumRet")
def number_retrieved(board: Board, *, cutoff: int | None) -> Working:
    """All are counted."""
    return _only(board, cutoff, "retrieved", lambda _: True)


@explains("NumRel")
def number_relevant(board: Board, *, rel: int) -> Working:
    """What the qrels say."""
    return Working((relevance(rel), relevant_step(board, rel)), board.relevant(rel), hits=frozenset(board.hits(rel)))


@explains("NumRelRet")
def number_relevant_retrieved(board: Board, *, rel: int, cutoff: int | None) -> Working:
    """Relevant documents are counted."""
    return _only(board, cutoff, "found", lambda grade: is_relevant(grade, rel), relevance(rel))


@explains("NumJudgedRet")
def number_judged_retrieved(board: Board, *, cutoff: int | None) -> Working:
    """Judged documents are counted."""
    return _only(board, cutoff, "judged", lambda grade: is_relevant(grade, 0))


@explains("NumNonrelJudgedRet")
def number_non_relevant_retrieved(board: Board, *, rel: int, cutoff: int | None) -> Working:
    """Documents are counted that were judged and are not relevant."""
    return _only(
        board, cutoff, Message("not relevant"), lambda grade: is_relevant(grade, 0) and not is_relevant(grade, rel), relevance(rel)
    )


@explains("Judged")
def share_judged(board: Board, *, cutoff: int) -> Working:
    """Judged documents among those looked at."""
    total, found = counted(board, cutoff, "judged", lambda grade: is_relevant(grade, 0))
    step, value = divided(
        Message("Judged@{cutoff} = judged / min(k, n)", cutoff=cutoff),
        total,
        min(cutoff, len(board.documents)),
        Message("the number looked at"),
    )
    return Working((looked_at(board, cutoff), step), value, found.columns, found.rows, found.hits)


@explains("Unjudged")
def share_unjudged(board: Board, *, cutoff: int) -> Working:
    """Unjudged documents among the top k."""
    total, found = counted(board, cutoff, "unjudged", lambda grade: not is_relevant(grade, 0))
    step, value = divided(Message("Unjudged@{cutoff} = unjudged / k", cutoff=cutoff), total, cutoff, "k")
    return Working((looked_at(board, cutoff), step), value, found.columns, found.rows, found.hits)


@explains("SetP")
def set_precision(board: Board, *, rel: int, cutoff: int | None) -> Working:
    """Relevant among the retrieved."""
    total, found = counted(board, cutoff, "found", lambda grade: is_relevant(grade, rel))
    step, value = divided(Message("P = relevant retrieved / retrieved"), total, len(board.top(cutoff)), Message("the number retrieved"))
    return Working((relevance(rel), looked_at(board, cutoff), step), value, found.columns, found.rows, found.hits)


@explains("SetR")
def set_recall(board: Board, *, rel: int, cutoff: int | None) -> Working:
    """Retrieved among the relevant."""
    total, found = counted(board, cutoff, "found", lambda grade: is_relevant(grade, rel))
    step, value = divided(
        Message("R = relevant retrieved / relevant"), total, board.relevant(rel), Message("the number of relevant documents")
    )
    steps = (relevance(rel), looked_at(board, cutoff), relevant_step(board, rel, ""), step)
    return Working(steps, value, found.columns, found.rows, found.hits)


@explains("SetF")
def set_f(board: Board, *, rel: int, beta: float, alpha: float | None, cutoff: int | None) -> Working:
    """The weighted harmonic mean of set precision and set recall."""
    return harmonic(board, rel, cutoff, len(board.top(cutoff)), beta=beta, alpha=alpha)


@explains("SetE")
def set_e(board: Board, *, rel: int, beta: float, alpha: float | None, cutoff: int | None) -> Working:
    """One minus the weighted harmonic mean of set precision and set recall."""
    return one_minus(harmonic(board, rel, cutoff, len(board.top(cutoff)), beta=beta, alpha=alpha))


def harmonic(board: Board, rel: int, cutoff: int | None, size: int, *, beta: float, alpha: float | None = None) -> Working:
    """Return the working of F, where precision is divided by `size`."""
    total, found = counted(board, cutoff, "found", lambda grade: is_relevant(grade, rel))
    first, precision = divided("P", total, size, Message("the number looked at"))
    second, recall = divided("R", total, board.relevant(rel), Message("the number of relevant documents"))
    if alpha is None:
        weight = beta * beta
        formula, above, below = (
            f"(1 + {show(beta)}²)·P·R / ({show(beta)}²·P + R)",
            (1 + weight) * precision * recall,
            weight * precision + recall,
        )
    else:
        formula, above = f"P·R / ({show(alpha)}·R + {show(1 - alpha)}·P)", precision * recall
        below = alpha * recall + (1 - alpha) * precision
    value = above / below if below else 0.0
    last = (
        f"F = {formula} = {number(above)} / {number(below)} = {number(value)}"
        if below
        else Message("F = {formula} = 0, since P and R are 0", formula=formula)
    )
    steps = (relevance(rel), looked_at(board, cutoff), relevant_step(board, rel, ""), first, second, last)
    return Working(steps, value, found.columns, found.rows, found.hits)


def one_minus(work: Working) -> Working:
    """Return the working of E = 1 − F."""
    value = 1 - work.result
    return replace(work, steps=(*work.steps, f"E = 1 − F = 1 − {number(work.result)} = {number(value)}"), result=value)
