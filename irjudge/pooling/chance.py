"""Random numbers for pools: one stream for each topic, so that what is drawn for one does not depend on the others."""

from hashlib import blake2b

import numpy as np

from irjudge.model.ranking import Floats
from irjudge.stats.streams import Stream

SEED = 1


class Chance:
    """Random numbers of one seed and one topic.

    Parameters
    ----------
    seed
        0 to 2⁶⁴ - 1.
    topic
        The topic's id.

    Examples
    --------
    >>> Chance(1, "051").numbers(2).tolist() == Chance(1, "051").numbers(2).tolist()
    True
    """

    def __init__(self, seed: int, topic: str) -> None:
        Stream(seed)  # says when a seed is out of its range
        self._stream = Stream(int.from_bytes(blake2b(f"{seed}\0{topic}".encode(), digest_size=8).digest(), "little"))

    def numbers(self, count: int) -> Floats:
        """Return numbers strictly between 0 and 1, shape (count,)."""
        numbers: Floats = ((self._stream.words(count) >> 12).astype(np.float64) + 0.5) * 2.0**-52
        return numbers

    def below(self, count: int) -> int:
        """Return a number from 0 to `count` - 1."""
        return int(self._stream.draws(1, 1, count)[0, 0])
