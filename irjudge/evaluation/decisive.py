"""The next documents to judge: those that can move the difference of two runs most."""

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from irjudge.evaluation.bounds import ROUNDING
from irjudge.evaluation.live import LiveTable, RunStanding, at, pairs_in_a_topic
from irjudge.metrics.basis.bounds import Unsettled, why_unbounded
from irjudge.metrics.basis.judged import Floats, Ints, JudgedRun, Longs, place_in_topic
from irjudge.metrics.naming.names import Measure

DECISIVE_COLUMNS = ("measure", "run_a", "run_b", "topic", "document", "rank_a", "rank_b", "weight")
MOST_HITS = 1_000_000  # retrieved documents that are weighed at a time
DECIMALS = 12  # what differs less is rounding


@dataclass(frozen=True, slots=True)
class Decisive:
    """An unjudged document and what it decides between two runs."""

    # their ids
    topic: str
    document: str
    # where the two runs rank it; 0 where one did not retrieve it
    rank_a: int
    rank_b: int
    weight: float  # how far it can move the difference a − b on its topic, below 0 where it would lower it; see `decisive`

    @property
    def best_rank(self) -> int:
        """The better of the two ranks."""
        return min(rank for rank in (self.rank_a, self.rank_b) if rank)


def decisive(
    table: LiveTable, run_a: str, run_b: str, measure: Measure, count: int = 10
) -> list[Decisive]:
    """Return the unjudged documents that can move the difference of two runs most, those first.

    Parameters
    ----------
    table
        With both runs; its measures may be others.
    run_a, run_b
        Names.
    measure
        One that has bounds; for another there are no decisive documents.
    count
        How many at most. Documents that decide nothing are left out.

    Notes
    -----
    The weight is w_a(d) − w_b(d), where w is what the highest grade for d, rather than for a document that neither run found, adds to
    a run on its topic while all else counts as it does now. For P, CG, DCG and RBP that is the weight of its rank. For AP it is what
    a relevant document adds beside those judged relevant, or what is lost beside all that are or could be if it is not, whichever
    tells the runs further apart. Ties go to the better rank, then to the ids of topic and document.

    Raises
    ------
    IrjudgeError
        When the table has no such run.

    References
    ----------
    Carterette, Allan and Sitaraman (2006), Minimal test collections for retrieval evaluation, SIGIR.
    """
    a, b = table.standing(run_a), table.standing(run_b)
    if why_unbounded(measure):
        return []
    size = pairs_in_a_topic(table.qrels)
    key = np.union1d(a.key, b.key)
    key = key[(a.counts & b.counts)[key // size]]
    weight = _weights(key, a, b, measure)
    rank_a, rank_b = at(key, a.key, a.rank), at(key, b.key, b.rank)
    found = [
        Decisive(
            table.qrels.topics[int(key[place]) // size],
            table.qrels.documents[int(key[place]) % size].as_py(),
            int(rank_a[place]),
            int(rank_b[place]),
            float(weight[place]),
        )
        for place in _strongest(np.abs(weight), count)
    ]
    return sorted(
        found, key=lambda each: (-abs(each.weight), each.best_rank, each.topic, each.document)
    )[: max(0, count)]


def _strongest(weight: Floats, count: int) -> list[int]:
    """Return the places of the `count` highest weights, and of all that tie with the last of them; not of those that are nothing."""
    least = float(np.partition(weight, -count)[-count]) if 0 < count < len(weight) else 0.0
    places: list[int] = np.flatnonzero((weight >= least) & (weight > ROUNDING)).tolist()
    return places


def _weights(key: Longs, a: RunStanding, b: RunStanding, measure: Measure) -> Floats:
    """Return w_a(d) − w_b(d) of each key, rounded so that ties are ties."""
    weight = at(key, a.key, _gains(a, measure)) - at(key, b.key, _gains(b, measure))
    if measure.declaration.name == "AP":
        could = (
            weight
            + at(key, a.key, _beside_open(a, measure))
            - at(key, b.key, _beside_open(b, measure))
        )
        weight = np.where(np.abs(could) > np.abs(weight), could, weight)
    rounded: Floats = np.round(weight, DECIMALS)
    return rounded


def _gains(standing: RunStanding, measure: Measure) -> Floats:
    """Return what each open document of a run adds to the measure on its topic, shape (U,)."""
    known, topic, rank = standing.known, standing.topic, standing.rank
    every = np.arange(len(known.judged), dtype=np.int64)
    without = measure.compute(_with_one(known, every, np.zeros(len(every), dtype=np.int32)))
    parts = [
        measure.compute(_with_one(known, topic[part], rank[part]))
        for part in _parts(known.judged, topic)
    ]
    gains: Floats = np.concatenate([np.empty(0), *parts]) - without[topic]
    return gains


def _parts(judged: JudgedRun, topic: Longs) -> Iterator[slice]:
    """Yield slices of `topic` whose topics have together about as many hits as are weighed at a time."""
    hits = np.cumsum(judged.count_by_topic(judged.hit_topic)[topic])
    begin = 0
    while begin < len(topic):
        before = int(hits[begin - 1]) if begin else 0
        end = max(begin + 1, int(np.searchsorted(hits, before + MOST_HITS, side="right")))
        yield slice(begin, end)
        begin = end


def _with_one(known: Unsettled, topic: Longs, rank: Ints) -> JudgedRun:
    """Return N topics, copies of those at `topic`, shape (N,): each with one document more of the highest grade.

    It is the one retrieved at `rank`, shape (N,), or where that is 0 one that was not retrieved.
    """
    judged, top = known.judged, known.grades[-1]
    hits, sizes = _rows_of(
        np.concatenate(([0], np.cumsum(judged.count_by_topic(judged.hit_topic)))), topic
    )
    copy = np.repeat(np.arange(len(topic), dtype=np.int32), sizes)
    hit_rank = judged.hit_rank[hits]
    rows, counts = _rows_of(judged.judged_starts, topic)
    starts = np.concatenate(([0], np.cumsum(counts + 1))).astype(np.int64)
    grades = np.full(int(starts[-1]), top, dtype=np.int32)  # the first of each topic stays
    grades[np.arange(len(rows)) + np.repeat(np.arange(1, len(topic) + 1), counts)] = (
        judged.judged_grades[rows]
    )
    return JudgedRun(
        ("",) * len(topic),
        copy,
        hit_rank,
        np.where(hit_rank == rank[copy], np.int32(top), judged.hit_grade[hits]),
        judged.n_retrieved[topic],
        starts,
        grades,
        known.scaled().highest,
        collection=judged.collection,
    )


def _rows_of(starts: Longs, topic: Longs) -> tuple[Longs, Longs]:
    """Return the rows of topics from all topics' offsets, topic after topic, and how many each has."""
    sizes = (starts[1:] - starts[:-1])[topic]
    before = np.cumsum(sizes) - sizes
    return np.arange(int(sizes.sum())) + np.repeat(starts[:-1][topic] - before, sizes), sizes


def _beside_open(standing: RunStanding, measure: Measure) -> Floats:
    """Return what a relevant document would add to AP by open documents that were relevant too, shape (U,)."""
    known, rel, cutoff = standing.known, int(str(measure.values["rel"])), measure.values["cutoff"]
    counted = np.full(len(standing.rank), known.can_be_relevant(rel))
    if isinstance(cutoff, int):
        counted &= standing.rank <= cutoff
    topic, rank = standing.topic[counted], standing.rank[counted]
    order = np.lexsort((rank, topic))
    topic, inverse = topic[order], 1 / rank[order]
    above = place_in_topic(topic.astype(np.int32), len(known.judged)) - 1
    below = known.judged.sum_by_topic(topic, inverse)[topic] - _sums_so_far(topic, inverse)
    added = np.empty(len(topic))
    added[order] = above * inverse + below
    found = np.zeros(len(counted))
    found[counted] = added
    lost: Floats = found / (known.judged.n_relevant(rel) + 1)[standing.topic]
    return lost


def _sums_so_far(topic: Longs, values: Floats) -> Floats:
    """Return the sum of each topic's values up to each row; topics stand in ascending order."""
    total = np.cumsum(values)
    first = np.searchsorted(topic, topic)
    return total - (total[first] - values[first])
