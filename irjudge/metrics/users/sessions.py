"""Measures of sessions: several queries of one person after another, each a topic of the run."""

import math
from typing import Annotated, TypeAlias

import numpy as np

from irjudge.errors import MeasureError
from irjudge.message import Message
from irjudge.metrics.basis.gain_and_discount import Base, Discount, Gain
from irjudge.metrics.basis.judged import Floats, JudgedRun, Scores, divide
from irjudge.metrics.basis.working import Board, Working, explains, number
from irjudge.metrics.graded.cumulative_gain import (
    discounted_cumulative_gain,
    discounted_cumulative_gain_working,
)
from irjudge.metrics.naming.parameters import MaybeCutoff, Range, show
from irjudge.metrics.naming.registry import Pooled, measure
from irjudge.model.auxiliary import TOPIC, Side, SideColumn, declare

SESSIONS = declare(
    Side(
        "sessions",
        title=Message("Sessions"),
        columns=(
            TOPIC,
            SideColumn("session", ("session_id", "sessionid")),
            SideColumn("position", ("number", "query_number", "order", "turn", "place"), "number"),
        ),
        once=("topic",),
    )
)
QueryBase: TypeAlias = Annotated[float, Range(1, above=True)]


def _positions(judged: JudgedRun) -> tuple[Floats, Floats]:
    """Return of each topic which query of its session it is, from 1, and its session as a code."""
    side = judged.side("sessions")
    found = np.zeros((2, len(judged)))
    found[:, side.topic] = side.columns["position"], side.columns["session"]
    lacking = np.setdiff1d(np.arange(len(judged)), side.topic)
    if len(lacking):
        raise MeasureError(
            "Topic {topic} is in no session of the file.",
            key="no-session",
            topic=judged.topics[int(lacking[0])],
        )
    if (found[0] < 1).any():
        raise MeasureError(
            "The position of topic {topic} in its session must be 1 or more.",
            key="invalid-position",
            topic=judged.topics[int(np.argmin(found[0]))],
        )
    return found[0], found[1]


def _counts(judged: JudgedRun, **settings: object) -> tuple[Scores, Scores]:
    """Return what each query adds, and 1 for the first topic of each session that is evaluated."""
    session = _positions(judged)[1]
    first = np.zeros(len(judged))
    first[np.unique(session, return_index=True)[1]] = 1
    return session_dcg(judged, **settings), first  # type: ignore[arg-type]


@measure(
    "sDCG",
    title="Session DCG",
    formula="of query j of a session: DCG / (1 + log_bq j); of a run: the mean over the sessions of the sums over their queries",
    bounds=(0, math.inf),
    kind="graded",
    summary="pooled",
    micro=Pooled(_counts),
    top_heavy=True,
    needs=("sessions",),
)
def session_dcg(
    judged: JudgedRun,
    *,
    b: Base = 2,
    bq: QueryBase = 4,
    gain: Gain = "linear",
    discount: Discount = "jk",
    cutoff: MaybeCutoff = None,
) -> Scores:
    """Return what a query adds to the gain of its session, the less the later it is asked.

    Parameters
    ----------
    judged
        T topics, each a query, with sessions.
    b
        The base of the logarithm that discounts ranks.
    bq
        The base of the logarithm that discounts queries.
    gain
        What a grade gains: `linear`, `exp2`, or a map.
    discount
        `jk`: ranks from b on are discounted, by log_b r; `log2p1`: all by log_b (r + 1).
    cutoff
        Ranks 1 to `cutoff` of each query count; None counts all.

    Returns
    -------
    Scores
        Shape (T,), 0 or more.

    Raises
    ------
    MeasureError
        When the sessions were not given, or a topic is in none.

    Notes
    -----
    The value of a run is the mean over sessions of the sums over their queries, however topics are averaged otherwise. Unjudged documents
    gain nothing.

    References
    ----------
    Järvelin, Price, Delcambre and Nielsen (2008), Discounted cumulated gain based evaluation of multiple-query IR sessions, ECIR, 4–15.

    Examples
    --------
    >>> from irjudge.metrics.basis.judged import SideRows
    >>> none = np.zeros(1, dtype=np.int32)
    >>> side = SideRows(none, none, none, {"session": np.array([0.0]), "position": np.array([4.0])})
    >>> session_dcg(JudgedRun.single(ranked=[1, 0, 0, 2]).beside(sessions=side))
    array([1.])
    """
    gained = discounted_cumulative_gain(judged, gain=gain, discount=discount, base=b, cutoff=cutoff)
    return divide(gained, 1 + np.log(_positions(judged)[0]) / np.log(bq))


@explains("sDCG")
def session_dcg_working(
    board: Board, *, b: float, bq: float, gain: Gain, discount: Discount, cutoff: int | None
) -> Working:
    """The discounted gain, discounted again."""
    work = discounted_cumulative_gain_working(
        board, gain=gain, discount=discount, base=b, cutoff=cutoff
    )
    position = float(_positions(board.seen)[0][0])
    below = 1 + math.log(position) / math.log(bq)
    value = work.result / below
    said = Message(
        "This is query {j} of its session: 1 + log{bq}({j}) = {below}",
        j=show(position),
        bq=show(bq),
        below=number(below),
    )
    last = f"sDCG = {number(work.result)} / {number(below)} = {number(value)}"
    mean = Message(
        "A run's value adds these up for each session, and is the mean over the sessions."
    )
    return Working((*work.steps, said, mean, last), value, work.columns, work.rows, work.hits)
