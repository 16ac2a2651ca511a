"""Two runs as rankings of documents, topic by topic."""

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
import pyarrow as pa

from irjudge.errors import IrjudgeError
from irjudge.message import Message
from irjudge.model.arrow import values_of
from irjudge.model.order import Ties, ranking_order
from irjudge.model.ranking import Run
from irjudge.progress import SILENT, Progress
from irjudge.stats.rankings import Longs, RankPair


@dataclass(frozen=True, slots=True, eq=False)
class TopicPair:
    """What two runs ranked for one topic."""

    topic: str
    pair: RankPair


def run_pairs(
    first: Run, second: Run, *, depth: int | None = None, ties: Ties | None = None, progress: Progress = SILENT
) -> Iterator[TopicPair]:
    """Yield the rankings of each topic that both runs have, in the order of the first run.

    Parameters
    ----------
    first, second
        Documents are compared by id.
    depth
        Only the top `depth` of each; None for all. Where a tie crosses it, the documents inside are those that `ties` puts first.
    ties
        Who stands first of equal scores; None leaves them tied, and lets documents stand in trec's order where a depth cuts them.
    progress
        Told as topics go by.

    Raises
    ------
    IrjudgeError
        When depth is below 1, or the runs share no topic.

    Examples
    --------
    >>> from irjudge.model.ranking import make_run
    >>> runs = [make_run(name, [("1", "d1", 2.0), ("1", other, 1.0)]) for name, other in (("a", "d2"), ("b", "d3"))]
    >>> [found] = run_pairs(*runs)
    >>> found.pair.first.tolist(), found.pair.second.tolist()
    ([1, 2, 0], [1, 0, 2])
    """
    if depth is not None and depth < 1:
        raise IrjudgeError("The depth must be 1 or more, got {depth}.", depth=depth)
    place = {topic: code for code, topic in enumerate(second.topics)}
    shared = [(topic, code, place[topic]) for code, topic in enumerate(first.topics) if topic in place]
    if not shared:
        raise IrjudgeError(
            "{first} and {second} have no topic in common, so nothing can be compared.", first=first.name, second=second.name
        )
    codes = values_of(pa.concat_arrays([first.document, second.document]).dictionary_encode().indices).astype(np.int64)
    one, two = _Tops.of(first, codes[: len(first)], depth, ties), _Tops.of(second, codes[len(first) :], depth, ties)
    for topic, a, b in progress.through(shared, Message("Comparing topics"), total=len(shared)):
        yield TopicPair(topic, _paired(one.topic(a), two.topic(b)))


@dataclass(frozen=True, slots=True, eq=False)
class _Tops:
    """The documents of a run in ranking order: code and place, and where each topic begins."""

    code: Longs
    place: Longs
    starts: Longs
    depth: int | None

    @classmethod
    def of(cls, run: Run, codes: Longs, depth: int | None, ties: Ties | None) -> "_Tops":
        order = ranking_order(run, ties or "trec")
        order = np.arange(len(run)) if order is None else order
        score = run.score[order]
        new = np.ones(len(run), dtype=bool)
        if ties is None:
            new[1:] = score[1:] != score[:-1]  # places are counted from each topic's first
        return cls(codes[order], np.cumsum(new), run.starts, depth)

    def topic(self, code: int) -> tuple[Longs, Longs]:
        """Return the documents of a topic and their places, 1 for the top."""
        begin, end = int(self.starts[code]), int(self.starts[code + 1])
        end = end if self.depth is None else min(end, begin + self.depth)
        place = self.place[begin:end]
        return self.code[begin:end], place - place[0] + 1 if len(place) else place


def _paired(first: tuple[Longs, Longs], second: tuple[Longs, Longs]) -> RankPair:
    """Return the rankings over all documents of both, in an order that says nothing."""
    codes, at = np.unique(np.concatenate((first[0], second[0])), return_inverse=True)
    one, two = np.zeros(len(codes), dtype=np.int64), np.zeros(len(codes), dtype=np.int64)
    one[at[: len(first[0])]] = first[1]
    two[at[len(first[0]) :]] = second[1]
    return RankPair(one, two)
