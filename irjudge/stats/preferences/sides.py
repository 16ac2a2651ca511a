"""Whether people prefer a side whatever stands there, and whether they answer the same when asked again."""

from dataclasses import dataclass

import numpy as np

from irjudge.model.preference import NOT_SAID, Preferences
from irjudge.stats.preferences.counts import oriented


@dataclass(frozen=True, slots=True)
class Repeats:
    """What came of asking the same assessor about the same two items of a topic again."""

    total: int  # answers that were given to a question answered before; each is compared with the answer just before it
    same: int  # how many say the same
    swapped: int  # of the total, those for which the items had changed sides
    swapped_same: int  # of these, how many say the same
    followed_side: int  # of these, how many chose the same side, and so the other item: the side decided


def left_choices(preferences: Preferences) -> tuple[int, int]:
    """Return how many answers chose the left item, and how many chose one at all.

    Examples
    --------
    >>> from irjudge.model.preference import make_preferences
    >>> left_choices(make_preferences(["a", "b", "a"], ["b", "a", "b"], [1, -1, 0]))
    (1, 2)
    """
    return int((preferences.winner > 0).sum()), int((preferences.winner != 0).sum())


def stood_left(preferences: Preferences) -> tuple[int, int]:
    """Return of the pair whose sides are least balanced how often its first item stood left, and how often it was shown.

    Sides that are not balanced make a liking for a side look like a liking for an item. (0, 0) without an answer.

    Examples
    --------
    >>> from irjudge.model.preference import make_preferences
    >>> stood_left(make_preferences(["a", "b", "a"], ["b", "a", "c"], [1, -1, 0]))
    (1, 1)
    """
    one, two, _ = oriented(preferences)
    if not len(one):
        return 0, 0
    _, pair = np.unique(one * len(preferences.items) + two, return_inverse=True)
    shown, left = np.bincount(pair), np.bincount(pair, preferences.left < preferences.right).astype(np.int64)
    worst = int(np.argmax(np.abs(2 * left - shown)))
    return int(left[worst]), int(shown[worst])


def self_agreement(preferences: Preferences) -> Repeats:
    """Compare answers to repeated questions; answers without an assessor are left out.

    Parameters
    ----------
    preferences
        N answers, in the order in which they were given.

    Examples
    --------
    >>> from irjudge.model.preference import make_preferences
    >>> self_agreement(make_preferences(["a", "b", "a"], ["b", "a", "b"], [1, -1, -1], assessor=["x"] * 3))
    Repeats(total=2, same=1, swapped=2, swapped_same=1, followed_side=1)
    """
    known = preferences.where(preferences.assessor != NOT_SAID)
    one, two, sign = oriented(known)
    order = np.lexsort((two, one, known.topic, known.assessor))  # stable: of the same question the earlier answer stays before
    question = np.stack((known.assessor, known.topic, one, two))[:, order]
    again = (question[:, 1:] == question[:, :-1]).all(axis=0)
    before, after = order[:-1][again], order[1:][again]
    same, swapped = sign[before] == sign[after], known.left[before] != known.left[after]
    followed = swapped & ~same & (known.winner[before] == known.winner[after])
    return Repeats(len(before), int(same.sum()), int(swapped.sum()), int((same & swapped).sum()), int(followed.sum()))
