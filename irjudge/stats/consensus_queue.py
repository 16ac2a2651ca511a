"""Which items an adjudicator should look at: those on which rules of consensus disagree, the weightiest first."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from irjudge.errors import IrjudgeError
from irjudge.stats.consensus import Consensus
from irjudge.stats.rankings import Floats, Longs


@dataclass(frozen=True, slots=True)
class Disputed:
    """An item on which rules disagree.

    Parameters
    ----------
    item
        Its code in the labels.
    grades
        What each rule says, as a number; nan where it says unjudgeable. Places on the scale where labels are words.
    votes
        How many labels it has.
    weight
        How much it matters, 0 or more: the spread of the rules' grades, times the item's importance.
    crosses
        Whether the rules differ on its being relevant, or usable at all.
    """

    item: int
    grades: tuple[float, ...]
    votes: int
    weight: float
    crosses: bool


def adjudication_queue(found: Sequence[Consensus], *, rel: float = 1, importance: Floats | None = None) -> tuple[Disputed, ...]:
    """Return the items on which rules disagree, sorted by how much they matter.

    Parameters
    ----------
    found
        What two rules or more say of the same labels; a real-valued one counts as the grade that it rounds to, halves down.
    rel
        The lowest label that is relevant. Where rules differ on that, binary measures change: such items come first.
    importance
        Shape (I,), 0 or more: how much each item matters, for example by its ranks in the runs; None for 1 each.

    Returns
    -------
    tuple of Disputed
        First those that cross `rel`, then by falling weight, then by how evenly the votes are split (fewest votes for the strongest
        grade), then as the items stand. Empty where the rules agree.

    Raises
    ------
    IrjudgeError
        When there are fewer than two rules, or they are of different items.

    Examples
    --------
    >>> from irjudge.model.labels import make_labels
    >>> from irjudge.stats.consensus import several
    >>> labels = make_labels([("d1", "a", 0), ("d1", "b", 0), ("d1", "c", 3), ("d2", "a", 1), ("d2", "b", 1), ("d2", "c", 1)])
    >>> [(each.item, each.grades, each.crosses) for each in adjudication_queue(several(labels, ["majority", "mean"]))]
    [(0, (0.0, 1.0), True)]
    """
    if len(found) < 2 or any(each.labels.items != found[0].labels.items for each in found):
        raise IrjudgeError("Disagreement takes two rules or more of the same items.")
    labels = found[0].labels
    grades = np.stack([_graded(each) for each in found])
    usable = ~np.isnan(grades)
    lost = usable.any(axis=0) & ~usable.all(axis=0)
    low, high = np.where(usable, grades, np.inf).min(axis=0), np.where(usable, grades, -np.inf).max(axis=0)
    with np.errstate(invalid="ignore"):
        spread = np.where(usable.any(axis=0), high - low, 0.0)
    crosses = lost | ((low < rel) & (high >= rel) & (labels.values is not None))
    widest = float(np.ptp(labels.values)) if labels.values is not None else float(len(labels.scale) - 1)
    weight = np.where(lost, widest, spread) * (1.0 if importance is None else importance)
    disputed = np.flatnonzero(lost | (spread > 0))
    order = disputed[np.lexsort((disputed, _strongest(found[0])[disputed], -weight[disputed], ~crosses[disputed]))]
    columns = grades[:, order].T.tolist(), found[0].votes[order].tolist(), weight[order].tolist(), crosses[order].tolist()
    return tuple(
        Disputed(item, tuple(row), votes, value, across) for item, row, votes, value, across in zip(order.tolist(), *columns, strict=True)
    )


def _graded(found: Consensus) -> Floats:
    """Return each item's grade as a number of the scale, shape (I,); nan without one."""
    if found.labels.values is None:
        return np.where(found.label >= 0, found.label, np.nan)
    return np.ceil(found.value - 0.5) if found.rule.real else found.value


def _strongest(found: Consensus) -> Floats:
    """Return the share of the votes that each item's most frequent label has."""
    counts: Longs = found.labels.counts()
    share: Floats = counts.max(axis=1) / np.maximum(found.votes, 1)
    return share
