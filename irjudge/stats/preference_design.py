"""Designs of preference judgments: the pairs to compare, and the item shown on the left."""

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from irjudge.errors import IrjudgeError
from irjudge.model import Flags, Longs
from irjudge.stats.sampling import RandomStream
from irjudge.stats.significance import all_pairs

# Selection of pairs: all pairs, a random subset, or adaptive selection until the best items are
# known


def shuffled_pairs(items: int, *, seed: int) -> Longs:
    """Return all pairs of items in random order, shape (P, 2), with the lower code first.

    >>> sorted(shuffled_pairs(3, seed=1).tolist())
    [[0, 1], [0, 2], [1, 2]]
    """
    pairs = all_pairs(items)
    return pairs[RandomStream(seed).draw_orders(1, len(pairs))[0]] if len(pairs) else pairs


def random_pairs(items: int, budget: int, *, seed: int) -> Longs:
    """Return a random subset of pairs in which items are compared about equally often.

    The shape is (P, 2) with P = min(budget, items (items - 1) / 2), with the lower code first. If
    `budget` is at least items - 1, the pairs connect all items, as the estimation of strengths
    requires. Pairs are added in rounds: each is a random cycle through all items, without pairs
    that were added before. Raises IrjudgeError for a budget below 1.

    >>> len(random_pairs(6, 5, seed=1)), len(random_pairs(6, 99, seed=1))
    (5, 15)
    """
    if budget < 1:
        raise IrjudgeError("The number of pairs must be at least 1, got {budget}.", budget=budget)
    total, stream = items * (items - 1) // 2, RandomStream(seed)
    selected_pairs: dict[int, None] = {}
    while len(selected_pairs) < min(budget, total // 2):
        order = stream.draw_orders(1, items)[0]
        next_items = np.roll(order, -1)
        selected_pairs |= dict.fromkeys(
            (np.minimum(order, next_items) * items + np.maximum(order, next_items)).tolist()
        )
    # After half of all pairs, further rounds would mostly repeat pairs. Therefore the other pairs
    # are added in random order.
    all_pairs = shuffled_pairs(items, seed=seed)
    codes = np.array(
        list(selected_pairs | dict.fromkeys((all_pairs[:, 0] * items + all_pairs[:, 1]).tolist())),
        dtype=np.int64,
    )[:budget]
    return np.stack((codes // max(1, items), codes % max(1, items)), axis=1)


class TopSearch:
    """Adaptive search for the best k items by pairwise comparisons.

    The caller asks for each pair (`next_pair`), and records the result with `answer`. Items are
    numbers from 0. Of pairs that are equally useful, the seed determines which is compared. Only
    strict preferences are assumed to be transitive: if a is better than b, and b is better than c,
    then a is better than c, unless an answer contradicts this. A tie implies nothing for other
    pairs. Raises IrjudgeError if `top`, the number of best items, is below 1.

    The search is a tournament: among the unranked items that no other unranked item has beaten, the
    two with the fewest wins are compared next. Once all pairs of the unbeaten items have been
    compared, these items are ranked, with a shared rank if they are tied or form a cycle. Without
    ties and contradictions, items - 1 comparisons determine the best item, and about log₂(items)
    more determine each further item.

    >>> search = TopSearch(4, 1, seed=1)
    >>> while (pair := search.next_pair()) is not None:
    ...     search.answer(*pair, 1 if pair[0] < pair[1] else -1)  # the lower the better
    >>> search.ranking(), search.answer_count
    ([[0]], 3)
    """

    def __init__(self, items: int, top: int, *, seed: int) -> None:
        if top < 1:
            raise IrjudgeError("The number of top items must be at least 1, got {top}.", top=top)
        self._items, self._top = items, min(top, items)
        self._reaches = np.eye(items, dtype=bool)
        self._tied = np.eye(items, dtype=bool)
        self._tie_order = (
            RandomStream(seed).draw_orders(1, items)[0] if items else np.empty(0, dtype=np.int64)
        )
        self.answer_count = 0

    def answer(self, first: int, second: int, outcome: int) -> None:
        """Record an answer: 1 if the first item is better, -1 if the second is, 0 for a tie."""
        self.answer_count += 1
        if outcome == 0:
            self._tied[first, second] = self._tied[second, first] = True
            return
        better, worse = (first, second) if outcome > 0 else (second, first)
        if not self._reaches[better, worse]:
            self._reaches |= self._reaches[:, better, None] & self._reaches[None, worse, :]

    def next_pair(self) -> tuple[int, int] | None:
        """Return the pair of items to compare next; None if the best items are known."""
        _, candidates = self._partition()
        if not len(candidates):
            return None
        is_unknown = ~self._find_known_pairs()[np.ix_(candidates, candidates)]
        beaten_counts = self._find_beaten_pairs().sum(axis=1)[candidates]
        first_items, second_items = np.nonzero(np.triu(is_unknown, 1))
        tie_order = self._tie_order[candidates]
        order = np.lexsort(
            (
                tie_order[first_items] + tie_order[second_items],
                beaten_counts[first_items] + beaten_counts[second_items],
                np.maximum(beaten_counts[first_items], beaten_counts[second_items]),
            )
        )[0]
        return int(candidates[first_items[order]]), int(candidates[second_items[order]])

    def ranking(self) -> list[list[int]]:
        """Return groups of ranked items, the best first.

        A group has several items if they are tied or form a cycle.
        """
        return self._partition()[0]

    def _partition(self) -> tuple[list[list[int]], Longs]:
        """Return the groups of ranked items, and the items to compare next.

        There are no items to compare if the best items are known.
        """
        beats, is_known = self._find_beaten_pairs(), self._find_known_pairs()
        is_unranked, groups = np.ones(self._items, dtype=bool), list[list[int]]()
        while sum(map(len, groups)) < self._top:
            candidates = np.flatnonzero(is_unranked & ~beats[is_unranked].any(axis=0))
            if not is_known[np.ix_(candidates, candidates)].all():
                return groups, candidates
            groups.append(candidates.tolist())
            is_unranked[candidates] = False
        return groups, np.empty(0, dtype=np.int64)

    def _find_beaten_pairs(self) -> Flags:
        """Return whether the row's item beats the column's, directly or transitively.

        The shape is (K, K). Items of the same cycle do not beat each other.
        """
        return self._reaches & ~self._reaches.T

    def _find_known_pairs(self) -> Flags:
        return self._reaches | self._reaches.T | self._tied


# Left and right sides, balanced for each assessor and pair; repeats with swapped sides


@dataclass(frozen=True, slots=True, eq=False)
class PresentationPlan:
    """Table of M presentations of N preference questions, with sides and repeats.

    Each question is for one assessor. The rows are sorted by assessor, then by the order of
    presentation. A question is presented once, or twice if it is repeated.
    """

    question: Longs  # index of the question, 0 to N - 1, shape (M,)
    first_left: Flags  # whether the pair's first item is on the left, shape (M,)
    is_repeat: Flags  # whether the presentation is a repeat, with swapped sides, shape (M,)

    def __len__(self) -> int:
        return len(self.question)


def balance_sides(
    assessor: npt.ArrayLike,
    pair: npt.ArrayLike,
    *,
    seed: int,
    repeats: float = 0.0,
    gap: int = 10,
    shuffle: bool = True,
) -> PresentationPlan:
    """Return the order of questions, which items are on the left, and which questions are repeated.

    `assessor` and `pair`, shape (N,), are the codes of each question's assessor and pair of
    systems. `repeats`, 0 to 1, is the share of an assessor's questions to repeat. Their number is
    rounded, and lower if `gap` does not allow as many. `gap` is the minimum distance between a
    question and its repeat, in questions; for an assessor with few questions, it is reduced to half
    their number.
    If `shuffle` is True, questions are presented in random order, otherwise in the given order.
    Equal seeds yield equal designs. Raises IrjudgeError if `repeats` is not between 0 and 1, or if
    `gap` is below 1.

    For every assessor and pair, the numbers of questions with the first item on the left and on the
    right differ by at most one, and so do the numbers of presentations. For this purpose, the
    questions of an assessor and pair are put in random order, with repeated questions first. The
    first item is shown on alternate sides, beginning with a random side. A repeat has its first
    item on the opposite side.

    >>> design = balance_sides([0] * 6, [0] * 6, seed=1, repeats=0.5, gap=3)
    >>> len(design), int(design.is_repeat.sum()), int(design.first_left.sum())
    (9, 3, 5)
    """
    if not 0 <= repeats <= 1:
        raise IrjudgeError(
            "The share of repeated questions must be between 0 and 1, got {share:g}.",
            share=repeats,
        )
    if gap < 1:
        raise IrjudgeError(
            "The minimum number of questions before a repeat must be at least 1, got {gap}.",
            gap=gap,
        )
    assessors, pairs = np.asarray(assessor, dtype=np.int64), np.asarray(pair, dtype=np.int64)
    stream, count = RandomStream(seed), len(assessors)
    order_words, side_words, slot_words = (stream.draw_words(count) for _ in range(3))
    order = np.lexsort((order_words if shuffle else np.arange(count), assessors))
    position, number = _number_rows_in_groups(assessors[order])
    gaps = np.minimum(gap, np.maximum(1, number // 2))
    is_repeated = _choose_repeats(
        assessors[order],
        order_words[order],
        position + gaps <= number,
        np.round(repeats * number).astype(np.int64),
    )
    is_left = _alternate_sides(
        assessors[order], pairs[order], is_repeated, side_words[order], stream
    )
    # A slot is a position among the assessor's questions. A repeat is inserted before the question
    # at its slot, or after the last question.
    slot_count = np.where(is_repeated, number - (position + gaps) + 1, 1).astype(np.uint64)
    slot = position + gaps + (slot_words[order] % slot_count).astype(np.int64)
    return _insert_repeats(assessors[order], position, order, is_left, is_repeated, slot)


def _number_rows_in_groups(group: Longs) -> tuple[Longs, Longs]:
    """Return each row's index in its group, from 0, and the size of the group.

    Rows must be sorted by group.
    """
    _, start, group_size = np.unique(group, return_index=True, return_counts=True)
    position = np.arange(len(group)) - np.repeat(start, group_size)
    return position.astype(np.int64), np.repeat(group_size, group_size).astype(np.int64)


def _choose_repeats(
    group: Longs, random_words: npt.NDArray[np.uint64], is_possible: Flags, requested_counts: Longs
) -> Flags:
    """Return a mask of rows to repeat, selected at random.

    In each group, the requested number of rows is selected; all possible rows if these are fewer.
    """
    # The random words are multiplied by a constant to obtain an order that differs from the order
    # of presentation, which is the order of the words themselves.
    random_order = np.lexsort((random_words * np.uint64(0x9E3779B97F4A7C15), ~is_possible, group))
    rank, _ = _number_rows_in_groups(group[random_order])
    is_repeated = np.zeros(len(group), dtype=bool)
    is_repeated[random_order] = rank < requested_counts[random_order]
    return is_repeated & is_possible


def _alternate_sides(
    assessors: Longs,
    pairs: Longs,
    is_repeated: Flags,
    random_words: npt.NDArray[np.uint64],
    stream: RandomStream,
) -> Flags:
    """Return, for each row, whether the pair's first item is on the left; see `balance_sides`."""
    order = np.lexsort((random_words, ~is_repeated, pairs, assessors))
    _, cell = np.unique(np.stack((assessors, pairs))[:, order], axis=1, return_inverse=True)
    position, _ = _number_rows_in_groups(cell.reshape(-1).astype(np.int64))
    starts = stream.draw_integers(1, int(cell.max(initial=-1)) + 1, 2)[0]
    is_left = np.empty(len(assessors), dtype=bool)
    is_left[order] = (position + starts[cell.reshape(-1)]) % 2 == 0
    return is_left


def _insert_repeats(
    assessors: Longs,
    position: Longs,
    question: Longs,
    is_left: Flags,
    is_repeated: Flags,
    slot: Longs,
) -> PresentationPlan:
    """Return the plan in which each repeat is inserted at its slot among the questions."""
    is_repeat = np.concatenate(
        (np.zeros(len(assessors), dtype=bool), np.ones(int(is_repeated.sum()), dtype=bool))
    )
    order_keys = np.concatenate((position, slot[is_repeated]))
    order = np.lexsort(
        (~is_repeat, order_keys, np.concatenate((assessors, assessors[is_repeated])))
    )
    return PresentationPlan(
        np.concatenate((question, question[is_repeated]))[order].astype(np.int64),
        np.concatenate((is_left, ~is_left[is_repeated]))[order],
        is_repeat[order],
    )
