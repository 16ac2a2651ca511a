"""Finds what qrels name in a run of which it is known where each row ranks: only its documents are read."""

from dataclasses import dataclass

import numpy as np

from irjudge.formats.rankings.column_runs import ColumnRun
from irjudge.formats.rankings.hashed_ids import NO_NUMBER, Numbers
from irjudge.formats.rankings.ordered_runs import RunOrder, documents_of, order_of
from irjudge.formats.rows.grouping import Mask
from irjudge.formats.rows.side_by_side import side_by_side
from irjudge.model.order import Ties
from irjudge.model.ranking import Ints, Longs, Qrels, topics_at
from irjudge.model.retrieved import Retrieved

AS_PLACED: tuple[Ties, ...] = ("trec", "file")  # the orders in which such rows stand
MOST_BITS = 22  # of a document, that tell whether it may be looked for


@dataclass(frozen=True, slots=True, eq=False)
class Wanted:
    """The documents that the qrels name for the topics of a run."""

    values: Longs  # shape (V,), ascending: the documents as the run's files have them
    # shape (K,), sorted: topic x V + place of the document in `values`; and the document in the qrels
    pairs: Longs
    document: Ints
    some: Mask  # by the last bits of a document: whether it may be one of them

    @classmethod
    def of(cls, qrels: Qrels, run: ColumnRun, order: RunOrder) -> "Wanted":
        """Return them, of qrels that know their topics by id."""
        found = Numbers.of_texts(qrels.documents, run.names).values.astype(np.int64)
        there = found != NO_NUMBER if run.names is None else found >= 0
        place = {topic: at for at, topic in enumerate(order.topics)}
        topic = np.array([place.get(each, -1) for each in qrels.topics], dtype=np.int64)[qrels.topic]
        rows = np.flatnonzero((topic >= 0) & there[qrels.document])
        values = np.unique(found[qrels.document[rows]])
        pairs, first = np.unique(topic[rows] * len(values) + np.searchsorted(values, found[qrels.document[rows]]), return_index=True)
        bits = min(MOST_BITS, 10 + len(values).bit_length())
        some = np.zeros(1 << bits, dtype=bool)
        some[values & (len(some) - 1)] = True
        return cls(values, pairs, qrels.document[rows][first], some)

    def among(self, documents: Longs | Ints, first: int, starts: Longs) -> tuple[Longs, Longs]:
        """Return which rows of a run that has these documents from row `first` on are wanted, and which of the pairs each is."""
        near = np.flatnonzero(self.some[documents & documents.dtype.type(len(self.some) - 1)])
        values = documents[near].astype(np.int64)
        place = np.minimum(np.searchsorted(self.values, values), len(self.values) - 1)
        near, place = near[self.values[place] == values] + first, place[self.values[place] == values]
        wanted = topics_at(starts, near).astype(np.int64) * len(self.values) + place
        pair = np.minimum(np.searchsorted(self.pairs, wanted), len(self.pairs) - 1)
        same = self.pairs[pair] == wanted
        return near[same], pair[same]


def retrieved_in_order(run: ColumnRun, qrels: Qrels, name: str, *, ties: Ties, single: bool) -> Retrieved | None:
    """Return what `retrieved` does, of a run of which it is known where each row ranks in this order; None of others."""
    order = order_of(run) if ties in AS_PLACED and not single and not qrels.titles else None
    if order is None:
        return None
    found: list[tuple[Longs, Longs]] = [(np.empty(0, np.int64), np.empty(0, np.int64))]
    wanted = Wanted.of(qrels, run, order)
    if len(wanted.pairs):
        found += side_by_side(lambda read: wanted.among(*read(), order.starts), documents_of(run))
    rows, pairs = (np.concatenate(each) for each in zip(*found, strict=True))
    place = order.placed(rows) if ties == "trec" else rows
    by_rank = np.argsort(place)
    place, document = place[by_rank], wanted.document[pairs[by_rank]]
    topic = topics_at(order.starts, place)
    rank = (place - order.starts[topic] + 1).astype(np.int32)
    return Retrieved(name, order.topics, np.diff(order.starts), topic, rank, document, order.tied, ties, single, run.said)
