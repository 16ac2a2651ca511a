"""Measures of a user who reads: what has to be read, and how long that takes, before a document is reached."""

import math
from typing import Annotated, TypeAlias

import numpy as np

from irjudge.errors import MeasureError
from irjudge.message import Message
from irjudge.metrics.basis.gain_and_discount import Gain, gains, means
from irjudge.metrics.basis.judged import Floats, JudgedRun, Scores, SideRows
from irjudge.metrics.basis.running import before, running
from irjudge.metrics.basis.working import Board, Cell, Working, added, explains, number, relevance
from irjudge.metrics.naming.parameters import Range, Rel, show
from irjudge.metrics.naming.registry import measure
from irjudge.model.auxiliary import DOCUMENT, Side, SideColumn, declare

LENGTHS = declare(
    Side(
        "lengths",
        title=Message("Lengths of documents"),
        columns=(
            DOCUMENT,
            SideColumn("characters", ("chars", "length", "len"), "number", default=math.nan),
            SideColumn("words", ("tokens", "terms"), "number", default=math.nan),
        ),
        complete=True,
        once=("document",),
    )
)
Positive: TypeAlias = Annotated[float, Range(0, above=True)]
NotNegative: TypeAlias = Annotated[float, Range(0)]
Share: TypeAlias = Annotated[float, Range(0, 1)]

# Smucker and Clarke's user: seconds for a summary, seconds for a word and for opening a document, and how often it is opened or saved.
SUMMARY, WORD, OPENING = 4.4, 0.018, 7.8
CLICK_RELEVANT, CLICK_OTHER, SAVE = 0.64, 0.39, 0.77


def _read(judged: JudgedRun, column: str) -> tuple[SideRows, Floats]:
    """Return the retrieved documents by rank, and how long they are."""
    side = judged.side("lengths")
    found = side.where(side.rank > 0)
    length = found.columns[column]
    if np.isnan(length).any():
        raise MeasureError(
            "The lengths of documents have no {column} for each retrieved document.", column=column
        )
    return found, length


@measure(
    "U",
    title="U-measure",
    formula="(1/norm) · Σ over ranks of gain · max(0, 1 − position / L); position: characters read to the end of the document, snippet for "
    "each document and share of each relevant one",
    bounds=(0, math.inf),
    kind="graded",
    aliases=("U-measure", "U_measure"),
    top_heavy=True,
    needs=("lengths",),
)
def u_measure(
    judged: JudgedRun,
    *,
    l: Positive = 132000,  # noqa: E741 -- as the paper calls it
    snippet: NotNegative = 200,
    share: Share = 0.2,
    gain: Gain = "linear",
    rel: Rel = 1,
    norm: Positive = 1,
) -> Scores:
    """Return what a user gains who reads on and values a document less the more there was to read before it.

    Parameters
    ----------
    judged
        T topics, with the lengths of all retrieved documents in characters.
    l
        How many characters a user reads at most, L.
    snippet
        Characters that are read of each document in the list.
    share
        How much of a relevant document is read, from 0 to 1.
    gain
        What a grade gains: `linear`, `exp2`, or a map.
    rel
        A document is read, and gains something, when its grade is `rel` or more.
    norm
        What the sum is divided by.

    Returns
    -------
    Scores
        Shape (T,), 0 or more; 0 where nothing relevant is reached within L characters.

    Raises
    ------
    MeasureError
        When the lengths were not given, or not in characters.

    Notes
    -----
    With `snippet=0,share=1` only relevant documents are read, all of each. Unjudged documents are not relevant.

    References
    ----------
    Sakai and Dou (2013), Summaries, ranked retrieval and sessions: a unified framework for information access evaluation, SIGIR, 473–482.

    Examples
    --------
    >>> from irjudge.metrics.basis.judged import SideRows
    >>> run = JudgedRun.single(ranked=[0, 1])
    >>> side = SideRows(run.hit_topic, run.hit_rank, run.hit_grade, {"characters": np.array([500.0, 1000.0])})
    >>> u_measure(run.beside(lengths=side), l=1000)
    array([0.4])
    """
    found, length = _read(judged, "characters")
    relevant = found.grade >= rel
    position = running(
        np.add, found.topic, snippet + np.where(relevant, share * length, 0.0), len(judged)
    )
    worth = gains(np.maximum(found.grade, 0), gain) * relevant
    return judged.sum_by_topic(found.topic, worth * np.maximum(0, 1 - position / l)) / norm


@explains("U")
def u_measure_working(
    board: Board,
    *,
    l: float,  # noqa: E741
    snippet: float,
    share: float,
    gain: Gain,
    rel: int,
    norm: float,
) -> Working:
    """What is read, and what each relevant document is then worth."""
    found, length = _read(board.seen, "characters")
    rows: list[tuple[Cell, ...]] = []
    position, total, terms, hits = 0.0, 0.0, [], set()
    for rank, grade, characters in zip(
        found.rank.tolist(), found.grade.tolist(), length.tolist(), strict=True
    ):
        position += snippet + (share * characters if grade >= rel else 0)
        if grade >= rel:
            worth, left = float(gains(np.array([grade]), gain)[0]), max(0.0, 1 - position / l)
            total += worth * left
            terms.append(f"{number(worth)}·{number(left)}")
            hits.add(rank)
        rows.append((characters, position, total))
    value = total / norm
    steps = (
        relevance(rel),
        f"{means(gain).capitalize()}.",
        Message(
            "Read are {snippet} characters of each document and {share} of each relevant one.",
            snippet=show(snippet),
            share=show(share),
        ),
        Message(
            "Sum of gain · max(0, 1 − position / {l}): {added} = {total}",
            l=show(l),
            added=added(terms),
            total=number(total),
        ),
        f"U = {number(total)} / {show(norm)} = {number(value)}",
    )
    return Working(steps, value, ("characters", "position", "sum"), tuple(rows), frozenset(hits))


@measure(
    "TBG",
    title="Time-biased gain",
    formula="Σ over relevant ranks k of .64·.77 · 2^(−T(k) / h); T(k) = Σ over m < k of 4.4 + (.018·words of m + 7.8) · "
    "(.64 where m is relevant, else .39)",
    bounds=(0, math.inf),
    kind="graded",
    aliases=("time_biased_gain",),
    top_heavy=True,
    needs=("lengths",),
)
def time_biased_gain(judged: JudgedRun, *, h: Positive = 224, rel: Rel = 1) -> Scores:
    """Return how many relevant documents a user saves who may stop at any time, reading takes its time.

    Parameters
    ----------
    judged
        T topics, with the lengths of all retrieved documents in words.
    h
        After how many seconds half of the users have stopped.

    Returns
    -------
    Scores
        Shape (T,), in documents, 0 or more.

    Raises
    ------
    MeasureError
        When the lengths were not given, or not in words.

    Notes
    -----
    The times and probabilities are those the authors measured: 4.4 seconds for a summary, 7.8 and .018 a word for a document that is
    opened; a relevant one is opened with .64, another with .39, and one that is relevant and opened is saved with .77. Unjudged documents
    are not relevant.

    References
    ----------
    Smucker and Clarke (2012), Time-based calibration of effectiveness measures, SIGIR, 95–104.

    Examples
    --------
    >>> from irjudge.metrics.basis.judged import SideRows
    >>> run = JudgedRun.single(ranked=[1, 1])
    >>> side = SideRows(run.hit_topic, run.hit_rank, run.hit_grade, {"words": np.array([1000.0, 1000.0])})
    >>> time_biased_gain(run.beside(lengths=side)).round(4)
    array([0.9547])
    """
    found, words = _read(judged, "words")
    relevant = found.grade >= rel
    taken = running(np.add, found.topic, _seconds(words, relevant), len(judged))
    reached = before(found.topic, taken, 0.0)
    return judged.sum_by_topic(
        found.topic, np.where(relevant, CLICK_RELEVANT * SAVE * np.exp2(-reached / h), 0.0)
    )


def _seconds(words: Floats, relevant: np.ndarray[tuple[int, ...], np.dtype[np.bool_]]) -> Floats:
    """Return how long each document takes."""
    seconds: Floats = SUMMARY + (WORD * words + OPENING) * np.where(
        relevant, CLICK_RELEVANT, CLICK_OTHER
    )
    return seconds


@explains("TBG")
def time_biased_gain_working(board: Board, *, h: float, rel: int) -> Working:
    """When each document is reached, and what it is then worth."""
    found, words = _read(board.seen, "words")
    relevant = found.grade >= rel
    rows: list[tuple[Cell, ...]] = []
    clock, total, terms = 0.0, 0.0, []
    for is_one, count, seconds in zip(
        relevant.tolist(), words.tolist(), _seconds(words, relevant).tolist(), strict=True
    ):
        if is_one:
            total += CLICK_RELEVANT * SAVE * 2 ** (-clock / h)
            terms.append(f"2^(−{number(clock)}/{show(h)})")
        rows.append((count, clock, total))
        clock += seconds
    steps = (
        relevance(rel),
        Message(
            "A document takes 4.4 seconds, and if it is opened .018 a word and 7.8: with .64 where it is relevant, else with .39."
        ),
        Message(
            "A relevant document is worth .64·.77 = .4928, halved each {h} seconds.", h=show(h)
        ),
        f"TBG = .4928 · ({added(terms)}) = {number(total)}",
    )
    return Working(
        steps,
        total,
        ("words", "seconds", "sum"),
        tuple(rows),
        frozenset(found.rank[relevant].tolist()),
    )
