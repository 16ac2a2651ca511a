"""Who stands left: sides that are balanced for every assessor and pair, and repeats with the sides swapped."""

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from irjudge.errors import IrjudgeError
from irjudge.stats.rankings import Flags, Longs
from irjudge.stats.streams import Stream


@dataclass(frozen=True, slots=True, eq=False)
class SideDesign:
    """What is shown to whom: M showings, each assessor's in the order shown."""

    question: Longs  # shape (M,): which of the N questions is shown
    first_left: Flags  # shape (M,): whether the pair's first item stands left
    again: Flags  # shape (M,): whether the question was shown before; the sides are swapped then

    def __len__(self) -> int:
        return len(self.question)


def balanced_sides(
    assessor: npt.ArrayLike, pair: npt.ArrayLike, *, seed: int, repeats: float = 0.0, gap: int = 10, shuffle: bool = True
) -> SideDesign:
    """Return who stands left in each question, in which order the questions are shown, and which are asked again.

    Parameters
    ----------
    assessor, pair
        Shape (N,): codes of who is asked and about which two systems; one question a topic.
    seed
        The same seed gives the same design.
    repeats
        Which share of an assessor's questions is asked again, between 0 and 1, rounded; fewer where the gap leaves no room.
    gap
        How many showings later at the earliest; half of an assessor's questions where that is less.
    shuffle
        Whether questions are shown in random order, instead of that given.

    Returns
    -------
    SideDesign
        For every assessor and pair the first item stands left as often as right, to within one: among the questions, and among all
        showings. Ordered by assessor.

    Raises
    ------
    IrjudgeError
        When `repeats` is not between 0 and 1 or `gap` is below 1.

    Notes
    -----
    Within an assessor and a pair, first those questions that are asked again, then the others, stand in random order and take sides in
    turn, beginning with a random one. A question and its repeat balance each other, so that both counts hold.

    Examples
    --------
    >>> design = balanced_sides([0] * 6, [0] * 6, seed=1, repeats=0.5, gap=3)
    >>> len(design), int(design.again.sum()), int(design.first_left.sum())
    (9, 3, 5)
    """
    if not 0 <= repeats <= 1:
        raise IrjudgeError("The share of questions asked again must be between 0 and 1, got {repeats:g}.", repeats=repeats)
    if gap < 1:
        raise IrjudgeError("The gap before a question is asked again must be 1 or more, got {gap}.", gap=gap)
    who, which = np.asarray(assessor, dtype=np.int64), np.asarray(pair, dtype=np.int64)
    stream, count = Stream(seed), len(who)
    chance, sides_chance, slot_chance = (stream.words(count) for _ in range(3))
    order = np.lexsort((chance if shuffle else np.arange(count), who))
    place, number = _places(who[order])
    gaps = np.minimum(gap, np.maximum(1, number // 2))
    chosen = _chosen(who[order], chance[order], place + gaps <= number, np.round(repeats * number).astype(np.int64))
    left = _in_turn(who[order], which[order], chosen, sides_chance[order], stream)
    slots = number - (place + gaps) + 1  # a repeat stands before the question at its slot, or after the last one
    reach = np.where(chosen, slots, 1).astype(np.uint64)
    slot = place + gaps + (slot_chance[order] % reach).astype(np.int64)
    return _woven(who[order], place, order, left, chosen, slot)


def _places(group: Longs) -> tuple[Longs, Longs]:
    """Return of rows in order of their group each one's place in it, from 0, and how many rows the group has."""
    _, begin, number = np.unique(group, return_index=True, return_counts=True)
    place = np.arange(len(group)) - np.repeat(begin, number)
    return place.astype(np.int64), np.repeat(number, number).astype(np.int64)


def _chosen(group: Longs, chance: npt.NDArray[np.uint64], possible: Flags, wanted: Longs) -> Flags:
    """Return which rows are asked again: of each group the wanted number, of those for which it is possible the ones with least luck."""
    mixed = chance * np.uint64(0x9E3779B97F4A7C15)  # the order shown came of `chance` itself
    by_luck = np.lexsort((mixed, ~possible, group))
    rank, _ = _places(group[by_luck])
    chosen = np.zeros(len(group), dtype=bool)
    chosen[by_luck] = rank < wanted[by_luck]
    return chosen & possible


def _in_turn(who: Longs, which: Longs, chosen: Flags, chance: npt.NDArray[np.uint64], stream: Stream) -> Flags:
    """Return whether the first item stands left in each row."""
    order = np.lexsort((chance, ~chosen, which, who))
    _, cell = np.unique(np.stack((who, which))[:, order], axis=1, return_inverse=True)
    place, _ = _places(cell.reshape(-1).astype(np.int64))
    begins = stream.draws(1, int(cell.max(initial=-1)) + 1, 2)[0]
    left = np.empty(len(who), dtype=bool)
    left[order] = (place + begins[cell.reshape(-1)]) % 2 == 0
    return left


def _woven(who: Longs, place: Longs, question: Longs, left: Flags, chosen: Flags, slot: Longs) -> SideDesign:
    """Return the questions with each repeat before the question at its slot."""
    again = np.concatenate((np.zeros(len(who), dtype=bool), np.ones(int(chosen.sum()), dtype=bool)))
    at = np.concatenate((place, slot[chosen]))
    order = np.lexsort((~again, at, np.concatenate((who, who[chosen]))))
    return SideDesign(
        np.concatenate((question, question[chosen]))[order].astype(np.int64), np.concatenate((left, ~left[chosen]))[order], again[order]
    )
