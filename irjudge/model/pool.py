"""A pool: which documents are to be judged for which topic, and who brought them."""

from dataclasses import dataclass

import numpy as np

from irjudge.model.ranking import Floats, Ids, Ints, Longs, rows_to_topics


@dataclass(frozen=True, slots=True, eq=False)
class Undrawn:
    """What a sampled pool left out: documents that could have been drawn, so that estimates know how many there were."""

    starts: Longs  # shape (T + 1,): the rows of topic t are `starts[t]:starts[t + 1]`
    # M document ids, Arrow strings; shape (M,) the stratum of each
    document: Ids
    stratum: Ints
    # shape (M,): the inclusion probability of each; NaN where an older file does not have it
    probability: Floats

    def __len__(self) -> int:
        return len(self.document)


IN_ORDER = "answers"
"""The strategy of a pool whose things are read one after another: their order is not drawn anew for each assessor."""


@dataclass(frozen=True, slots=True, eq=False)
class Pool:
    """The documents to judge, topic by topic, in pool order."""

    topics: tuple[str, ...]  # T topic ids
    starts: Longs  # shape (T + 1,): the rows of topic t are `starts[t]:starts[t + 1]`
    document: Ids  # N document ids, Arrow strings
    # how it was built, its seed among them: enough to build it again
    strategy: str
    parameters: dict[str, int | float | str]
    runs: tuple[str, ...]  # R names of the runs that contributed
    # row n was brought by the runs `contribution_run[contribution_starts[n]:contribution_starts[n + 1]]`, at the 1-based ranks beside them.
    # Hidden from assessors.
    contribution_starts: Longs
    contribution_run: Ints
    contribution_rank: Ints
    # shape (N,): the group each document was drawn from, from 0; how likely it was to come into the pool, in (0, 1]. All 0 and all 1 where
    # nothing was drawn.
    stratum: Ints
    probability: Floats
    undrawn: Undrawn  # what was left out by chance; no rows where nothing was drawn

    def __len__(self) -> int:
        return len(self.document)

    @property
    def topic(self) -> Ints:
        """The topic code of each row, shape (N,)."""
        return rows_to_topics(self.starts)

    @property
    def in_order(self) -> bool:
        """Whether everybody sees the documents in the order of the pool."""
        return self.strategy == IN_ORDER

    @property
    def sampled(self) -> bool:
        """Whether chance decided what is judged, so that values of runs are estimates."""
        return bool((self.probability < 1).any()) or len(self.undrawn) > 0

    @property
    def equal_chances(self) -> bool:
        """Whether all documents of a topic's stratum had the same chance to be drawn, and those left out are known."""
        drawn, left = (
            (self.topic.astype(np.int64), self.stratum),
            (rows_to_topics(self.undrawn.starts).astype(np.int64), self.undrawn.stratum),
        )
        width = 1 + max(int(self.stratum.max(initial=0)), int(self.undrawn.stratum.max(initial=0)))
        group, missing = (topic * width + stratum for topic, stratum in (drawn, left))
        count = np.bincount(group, minlength=len(self.topics) * width)
        size = count + np.bincount(missing, minlength=len(count))
        return bool(np.allclose(self.probability, (count / np.maximum(size, 1))[group], rtol=1e-6))
