"""Nuggets: facts that a good answer has, each vital or okay, and which of them an answer says."""

from typing import Annotated, Literal, TypeAlias

import numpy as np

from irjudge.message import Message
from irjudge.metrics.basis.judged import Floats, JudgedRun, Scores, SideRows, divide
from irjudge.metrics.basis.working import Board, Working, divided, explains, number
from irjudge.metrics.naming.parameters import Range, show
from irjudge.metrics.naming.registry import Pooled, measure
from irjudge.model.auxiliary import RUN, TOPIC, Side, SideColumn, declare

NUGGETS = declare(
    Side(
        "nuggets",
        title=Message("Nuggets that answers support"),
        columns=(
            RUN,
            TOPIC,
            SideColumn("nugget", ("text", "nugget_text", "nugget_id", "question")),
            SideColumn(
                "importance",
                (),
                "choice",
                (("vital", 1), ("okay", 0), ("ok", 0), ("failed", 0)),
                default=0,
            ),
            SideColumn(
                "support",
                ("assignment", "label"),
                "choice",
                (
                    ("support", 2),
                    ("partial_support", 1),
                    ("not_support", 0),
                    ("partial", 1),
                    ("none", 0),
                    ("failed", 0),
                ),
            ),
        ),
        once=("run", "topic", "nugget"),
    )
)
Of: TypeAlias = Literal["all", "vital"]
Credit: TypeAlias = Literal["partial", "strict"]
Half: TypeAlias = Annotated[float, Range(0, 1)]
FULL, PARTIAL = 2, 1


def _chosen(judged: JudgedRun, of: Of) -> SideRows:
    side = judged.side("nuggets")
    return side.where((side.columns["importance"] > 0) | (of == "all"))


def _credits(support: Floats, credit: Credit) -> Floats:
    return np.where(
        support == FULL, 1.0, np.where((support == PARTIAL) & (credit == "partial"), 0.5, 0.0)
    )


def _counts(judged: JudgedRun, *, of: Of, credit: Credit) -> tuple[Scores, Scores]:
    """Return what the nuggets of each topic are worth, and how many there are."""
    rows = _chosen(judged, of)
    return judged.sum_by_topic(
        rows.topic, _credits(rows.columns["support"], credit)
    ), judged.count_by_topic(rows.topic).astype(np.float64)


@measure(
    "NuggetRecall",
    title="Nugget recall",
    formula="Σ over nuggets of 1 where the answer supports it, .5 where it does so partly (credit=strict: 0), / nuggets",
    kind="set",
    micro=Pooled(_counts),
    aliases=("nugget_recall",),
    needs=("nuggets",),
)
def nugget_recall(judged: JudgedRun, *, of: Of = "all", credit: Credit = "partial") -> Scores:
    """Return which share of the nuggets of a topic an answer has.

    Parameters
    ----------
    judged
        T topics, with nuggets.
    of
        `all` nuggets, or the `vital` ones alone.
    credit
        `partial`: a nugget that is supported partly counts half; `strict`: it does not count.

    Returns
    -------
    Scores
        Shape (T,), between 0 and 1; 0 where a topic has no nugget, or with of=vital no vital one.

    Raises
    ------
    MeasureError
        When the nuggets were not given.

    Notes
    -----
    Of the ranking nothing matters. A topic without a vital nugget has 0, as nuggetizer has it, and lowers the mean.

    References
    ----------
    Pradeep, Thakur, Upadhyay, Campos, Craswell and Lin (2025), The great nugget recall, SIGIR, 180–190.

    Examples
    --------
    >>> none = np.zeros(2, dtype=np.int32)
    >>> side = SideRows(none, none, none, {"importance": np.array([1.0, 0.0]), "support": np.array([1.0, 2.0])})
    >>> nugget_recall(JudgedRun.single(ranked=[]).beside(nuggets=side))
    array([0.75])
    """
    return divide(*_counts(judged, of=of, credit=credit))


@explains("NuggetRecall")
def nugget_recall_working(board: Board, *, of: Of, credit: Credit) -> Working:
    """How many nuggets are supported, and how many partly."""
    support = _chosen(board.seen, of).columns["support"]
    full, partly = int((support == FULL).sum()), int((support == PARTIAL).sum())
    worth = 0.5 if credit == "partial" else 0.0
    said = Message(
        "Of {count} nuggets the answer supports {full}, and {partly} partly.",
        count=len(support),
        full=full,
        partly=partly,
    )
    total = f"{full} + {show(worth)}·{partly} = {number(full + worth * partly)}"
    step, value = divided(
        "NuggetRecall", full + worth * partly, len(support), Message("the number of nuggets")
    )
    return Working((said, total, step), value)
