"""What measures of diversity share: which subtopics a ranking covers, how often each was seen before, and the greedy ideal ranking."""

from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass
from typing import Annotated, TypeAlias

import numpy as np
import numpy.typing as npt

from irjudge.message import Message
from irjudge.metrics.basis.gain_and_discount import Gains
from irjudge.metrics.basis.judged import Floats, Ints, JudgedRun, Longs, place_in_topic
from irjudge.metrics.basis.working import (
    Board,
    Cell,
    Working,
    added,
    divided,
    looked_at,
    number,
    relevance,
)
from irjudge.metrics.naming.parameters import Range, show

WithSubtopics: TypeAlias = Annotated[
    JudgedRun, "T topics, with subtopics; without them each topic is one subtopic."
]
Alpha: TypeAlias = Annotated[
    float, Range(0, 1), "The probability that a relevant document satisfies."
]
COLUMNS = ("subtopics", "gain", "sum")
# The greedy ranking covers at least 1 − 1/e of what the best one covers at every rank, so that nothing divided by it passes this.
HIGHEST_OF_GREEDY = float(np.e / (np.e - 1))


@dataclass(frozen=True, slots=True, eq=False)
class Covered:
    """A row for each subtopic that a document is relevant for; each array has shape (F,)."""

    # sorted by (topic, rank)
    topic: Ints
    rank: Ints
    subtopic: Ints
    grade: Ints
    seen: Longs  # how often the subtopic was seen at this rank and above: 1 for the first time


def covered(judged: JudgedRun, rel: int, cutoff: int | None) -> Covered:
    """Return what the documents at ranks 1 to `cutoff` are relevant for; without subtopics, each topic is one.

    >>> covered(JudgedRun.single(ranked=[1, 0, 1]), 1, None).seen
    array([1, 2])
    """
    return judged.once(("covered", rel, cutoff), lambda: _covered(judged, rel, cutoff))


def _covered(judged: JudgedRun, rel: int, cutoff: int | None) -> Covered:
    if (known := judged.subtopics) is None:
        hits = judged.relevant_hits(rel, cutoff)
        return Covered(
            hits.topic, hits.rank, np.zeros_like(hits.rank), hits.grade, hits.nth_in_topic
        )
    kept = known.found_grade >= rel
    if cutoff is not None:
        kept &= known.found_rank <= cutoff
    topic, rank, subtopic, grade = (
        each[kept]
        for each in (known.found_topic, known.found_rank, known.found_subtopic, known.found_grade)
    )
    order = np.lexsort((rank, subtopic, topic))
    slot = slots(topic[order], subtopic[order])
    seen = np.empty(len(order), dtype=np.int64)
    seen[order] = place_in_topic(slot, int(slot.max(initial=-1)) + 1)
    return Covered(topic, rank, subtopic, grade, seen)


def slots(topic: Ints, other: Ints) -> Ints:
    """Return 0, 1, 2 … for the different pairs, for rows sorted by both."""
    changed = np.ones(len(topic), dtype=bool)
    changed[1:] = (topic[1:] != topic[:-1]) | (other[1:] != other[:-1])
    return (np.cumsum(changed) - 1).astype(np.int32)


def subtopics_of(judged: JudgedRun, rel: int) -> Longs:
    """Return how many subtopics of each topic have a relevant document: shape (T,)."""
    if judged.subtopics is None:
        return np.minimum(judged.n_relevant(rel), 1)
    return judged.count_by_topic((relevant_by_subtopic(judged, rel)[0] >> 32).astype(np.int32))


def relevant_by_subtopic(judged: JudgedRun, rel: int) -> tuple[Longs, Longs]:
    """Return topic << 32 | subtopic of each subtopic with a relevant document, ascending, and how many relevant documents it has."""
    if (known := judged.subtopics) is None:
        counts = judged.n_relevant(rel)
        return np.flatnonzero(counts).astype(np.int64) << 32, counts[counts > 0]
    relevant = known.grade >= rel
    keys, counts = np.unique(
        known.topic[relevant].astype(np.int64) << 32 | known.subtopic[relevant], return_counts=True
    )
    return keys, counts.astype(np.int64)


def greedy_ideal(judged: JudgedRun, alpha: float, rel: int, cutoff: int | None) -> Gains:
    """Return what the documents of the greedy ideal ranking gain, one that gains most following another, at ranks 1 to `cutoff`.

    A subtopic is worth 1, and 1 − alpha of that each time it was seen before. Of documents that gain the same the first of `subtopics`
    is taken, which is the last by id, as TREC's ndeval does.

    >>> greedy_ideal(JudgedRun.single(ranked=[], judged=[1, 0, 1]), 0.5, 1, None).gain
    array([1. , 0.5])
    """
    return judged.once(
        ("greedy ideal", alpha, rel, cutoff), lambda: _greedy_ideal(judged, alpha, rel, cutoff)
    )


def _greedy_ideal(judged: JudgedRun, alpha: float, rel: int, cutoff: int | None) -> Gains:
    if (known := judged.subtopics) is None:
        kept = (
            judged.judged_grades >= rel
            if cutoff is None
            else (judged.judged_grades >= rel) & (judged.judged_place <= cutoff)
        )
        place = judged.judged_place[kept]
        return Gains(
            judged.judged_topic[kept], place.astype(np.int32), np.power(1 - alpha, place - 1.0)
        )
    relevant = known.grade >= rel
    topic, subtopic = known.topic[relevant], known.subtopic[relevant]
    document = slots(topic, known.document[relevant])
    order = np.lexsort((subtopic, topic))
    slot = np.empty(len(order), dtype=np.int32)
    slot[order] = slots(topic[order], subtopic[order])
    its_topic = topic[np.flatnonzero(np.append(True, np.diff(document) > 0)[: len(document)])]
    most = int(np.bincount(its_topic, minlength=1).max())
    worth, left = np.ones(len(order)), np.ones(len(its_topic), dtype=bool)
    found: list[tuple[Ints, Ints, Floats]] = []
    for rank in range(1, most + 1 if cutoff is None else min(cutoff, most) + 1):
        gains = np.bincount(document, weights=worth[slot], minlength=len(its_topic)).astype(
            np.float64, copy=False
        )
        best, gain = _best_left(gains, left, its_topic)
        found.append((its_topic[best], np.full(len(best), rank, dtype=np.int32), gain))
        taken = np.zeros(len(its_topic), dtype=bool)
        taken[best] = True
        left &= ~taken
        worth[slot[taken[document]]] *= 1 - alpha
    none = (np.zeros(0, dtype=np.int32), np.zeros(0, dtype=np.int32), np.zeros(0))
    return Gains(*(np.concatenate(column) for column in zip(none, *found, strict=True)))


def _best_left(gain: Floats, left: npt.NDArray[np.bool_], topic: Ints) -> tuple[Longs, Floats]:
    """Return the first of the best documents left of each topic that has one, and what it gains."""
    documents = np.flatnonzero(left)
    starts = np.flatnonzero(np.append(True, np.diff(topic[documents]) > 0))
    highest = np.maximum.reduceat(gain[documents], starts)
    is_best = gain[documents] == np.repeat(highest, np.diff(np.append(starts, len(documents))))
    candidates = documents[is_best]
    first = np.append(True, np.diff(topic[candidates]) > 0)
    return candidates[first], highest


# In writing


@dataclass(frozen=True, slots=True)
class Seen:
    """One document on the board: its rank, the subtopics it is relevant for, and how often each was seen above it."""

    rank: int
    subtopics: tuple[str, ...]
    before: tuple[int, ...]
    grades: tuple[int, ...]


def documents_seen(board: Board, rel: int, cutoff: int | None) -> list[Seen]:
    """Return the documents at ranks 1 to `cutoff`, those included that are relevant for nothing."""
    known = covered(board.seen, rel, cutoff)
    rows: dict[int, list[tuple[str, int, int]]] = {
        rank: [] for rank in range(1, len(board.top(cutoff)) + 1)
    }
    times: Counter[int] = Counter()
    for rank, subtopic, grade in zip(
        known.rank.tolist(), known.subtopic.tolist(), known.grade.tolist(), strict=True
    ):
        rows[rank].append((subtopic_name(board, subtopic), times[subtopic], grade))
        times[subtopic] += 1
    return [
        Seen(
            rank,
            tuple(name for name, _, _ in found),
            tuple(times for _, times, _ in found),
            tuple(grade for *_, grade in found),
        )
        for rank, found in rows.items()
    ]


def subtopic_name(board: Board, code: int) -> str:
    """Return what a subtopic is called; without subtopics the topic is its own."""
    known = board.seen.subtopics
    if known and known.names:
        return known.names[code]
    if known is None:
        return board.topic
    return str(code)


def subtopic_names(board: Board, rel: int) -> list[str]:
    """Return the names of the subtopics with a relevant document."""
    return [
        subtopic_name(board, int(key & 0xFFFFFFFF))
        for key in relevant_by_subtopic(board.seen, rel)[0]
    ]


def subtopics_step(board: Board, rel: int) -> str:
    """Say which subtopics count."""
    names = subtopic_names(board, rel)
    return Message(
        "N = {count} subtopics have a relevant document: {names}.",
        count=len(names),
        names=", ".join(names) or "-",
    )


def first_steps(board: Board, rel: int, cutoff: int | None) -> tuple[str, ...]:
    """Say what is relevant, which ranks are looked at and which subtopics there are."""
    return relevance(rel), looked_at(board, cutoff), subtopics_step(board, rel)


def in_words(seen: Seen) -> Cell:
    """Return the subtopics of a document as a cell."""
    return " ".join(seen.subtopics) or None


def ideal_step(ideal: Gains) -> str:
    """Say what the documents of the greedy ideal ranking gain."""
    shown = ", ".join(map(number, ideal.gain[:12].tolist())) + (
        " …" if len(ideal.gain) > 12 else ""
    )
    return Message("Greedy ideal ranking, gains: {shown}.", shown=shown or "-")


def added_up(
    board: Board,
    alpha: float,
    rel: int,
    cutoff: int | None,
    weight: Callable[[int], float],
    written: str,
) -> tuple[tuple[str, ...], tuple[tuple[Cell, ...], ...], float, frozenset[int]]:
    """Return the steps, the rows, the sum and the ranks that matter of gains times a weight of their rank, which is said as `written`."""
    total, rows, terms, hits = 0.0, [], [], set()
    for each in documents_seen(board, rel, cutoff):
        gain = sum((1 - alpha) ** times for times in each.before)
        total += gain * weight(each.rank)
        rows.append((in_words(each), gain, total))
        if each.subtopics:
            hits.add(each.rank)
            terms.append(f"{number(gain)}·{number(weight(each.rank))}")
    steps = (
        *first_steps(board, rel, cutoff),
        Message(
            "A subtopic is worth {worth} to the power of the times it was seen before.",
            worth=show(1 - alpha),
        ),
        Message(
            "Sum of gain · {weight}: {added} = {total}",
            weight=written,
            added=added(terms),
            total=number(total),
        ),
    )
    return steps, tuple(rows), total, frozenset(hits)


def over_ideal(
    board: Board,
    name: str,
    alpha: float,
    rel: int,
    cutoff: int | None,
    weight: Callable[[int], float],
    written: str,
) -> Working:
    """Return the working of a sum as of `added_up` over that of the greedy ideal ranking."""
    steps, rows, total, hits = added_up(board, alpha, rel, cutoff, weight, written)
    ideal = greedy_ideal(board.seen, alpha, rel, cutoff)
    best = sum(
        gain * weight(rank)
        for gain, rank in zip(ideal.gain.tolist(), ideal.rank.tolist(), strict=True)
    )
    step, value = divided(name, total, best, Message("the sum of the ideal ranking"))
    return Working(
        (*steps, ideal_step(ideal), Message("Its sum: {best}", best=number(best)), step),
        value,
        COLUMNS,
        rows,
        hits,
    )
