"""A pool: which documents are to be judged for which topic, and who brought them."""

from dataclasses import dataclass

from irjudge.model.ranking import Ids, Ints, Longs


@dataclass(frozen=True, slots=True, eq=False)
class Pool:
    """The documents to judge, topic by topic, in pool order.

    Parameters
    ----------
    topics
        T topic ids.
    starts
        Shape (T + 1,): the rows of topic t are `starts[t]:starts[t + 1]`.
    document
        N document ids, Arrow strings.
    strategy, parameters
        How it was built, enough to build it again.
    runs
        R names of the runs that contributed.
    contribution_starts, contribution_run, contribution_rank
        Row n was brought by the runs `contribution_run[contribution_starts[n]:contribution_starts[n + 1]]`, at the
        1-based ranks beside them. Hidden from assessors.
    """

    topics: tuple[str, ...]
    starts: Longs
    document: Ids
    strategy: str
    parameters: dict[str, int | float | str]
    runs: tuple[str, ...]
    contribution_starts: Longs
    contribution_run: Ints
    contribution_rank: Ints

    def __len__(self) -> int:
        return len(self.document)
