"""What to look at: items on which assessors disagree, the weightiest or farthest apart first, and those on which rules do."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from irjudge.errors import IrjudgeError
from irjudge.model.labels import Flags, Labels
from irjudge.model.ranking import UNJUDGEABLE
from irjudge.stats.consensus.votes import Consensus
from irjudge.stats.rankings import Floats


@dataclass(frozen=True, slots=True)
class Disputed:
    """An item on which votes disagree, or rules of consensus."""

    item: int  # its code in the labels
    # what each rule says, as a number; nan where it says unjudgeable. Places on the scale where labels are words.
    grades: tuple[float, ...]
    votes: int  # how many labels it has, 2 or more
    # how much it matters, 0 or more: how far apart two of its votes are on average, times the item's importance; where all votes are the
    # same, how far apart the rules are. Unjudgeable is as far from a grade as the scale is wide.
    weight: float
    crosses: bool  # whether the votes, or the rules, differ on its being relevant, or usable at all
    split: bool  # whether the votes differ; where they do not, the rules do


def adjudication_queue(
    found: Sequence[Consensus], *, rel: float = 1, importance: Floats | None = None
) -> tuple[Disputed, ...]:
    """Return the items of two votes or more that differ, or that rules make different grades of, sorted by how much they matter.

    `found` is what two rules or more say of the same labels; a real-valued one counts as the grade that it rounds to, halves down. Every
    label is a vote; unjudgeable is one that differs from every grade. `importance`, shape (I,), 0 or more, is how much each item matters,
    for example by its ranks in the runs; None for 1 each.

    First stand those whose votes differ, then those on which only rules do; of each kind first what crosses `rel`, the lowest label that is
    relevant, since there binary measures change; then by falling weight, then as the items stand. Empty where all agree. An item of one
    vote is never among them: nobody disagrees with it. IrjudgeError when there are fewer than two rules, or they are of different items.

    >>> from irjudge.model.labels import make_labels
    >>> from irjudge.stats.consensus.votes import several
    >>> labels = make_labels([("d1", "a", 0), ("d1", "b", 3), ("d2", "a", 1), ("d2", "b", 1), ("d3", "a", 3)])
    >>> [(each.item, each.votes, each.weight, each.crosses) for each in adjudication_queue(several(labels, ["majority", "mean"]))]
    [(0, 2, 3.0, True)]
    """
    if len(found) < 2 or any(each.labels.items != found[0].labels.items for each in found):
        raise IrjudgeError("Disagreement takes two rules or more of the same items.")
    labels, votes = found[0].labels, found[0].votes
    grades = np.stack([_graded(each) for each in found])
    apart, across = _votes_apart(labels, rel)
    rules_apart, rules_across = _rules_apart(grades, labels, rel)
    split, crosses = apart > 0, across | rules_across
    weight = np.where(split, apart, rules_apart) * (1.0 if importance is None else importance)
    disputed = np.flatnonzero((split | (rules_apart > 0)) & (votes > 1))
    order = disputed[
        np.lexsort((disputed, -weight[disputed], ~crosses[disputed], ~split[disputed]))
    ]
    columns = (each[order].tolist() for each in (votes, weight, crosses, split))
    return tuple(
        Disputed(item, tuple(row), *rest)
        for item, row, *rest in zip(
            order.tolist(), grades[:, order].T.tolist(), *columns, strict=True
        )
    )


def _votes_apart(labels: Labels, rel: float) -> tuple[Floats, Flags]:
    """Return how far apart two votes on each item are on average, shape (I,), and whether they differ on its being relevant or usable."""
    places, refused = _places(labels), labels.unjudgeable()[:, np.newaxis]
    counts = np.hstack([labels.counts(), refused]).astype(np.float64)
    distance = np.full((len(places) + 1,) * 2, _width(labels))
    distance[:-1, :-1] = np.abs(places[:, np.newaxis] - places)
    distance[-1, -1] = 0.0
    votes = counts.sum(axis=1)
    apart: Floats = ((counts @ distance) * counts).sum(axis=1) / np.maximum(votes * (votes - 1), 1)
    relevant = labels.relevant(rel)
    kinds = (
        np.ones((1, len(places)), dtype=bool)
        if relevant is None
        else np.stack([relevant, ~relevant])
    )
    said = np.column_stack(
        [*((counts[:, :-1][:, kind] > 0).any(axis=1) for kind in kinds), refused > 0]
    )
    return apart, said.sum(axis=1) > 1


def _rules_apart(grades: Floats, labels: Labels, rel: float) -> tuple[Floats, Flags]:
    """Return how far apart the rules' grades of each item are, shape (I,), and whether they differ on its being relevant or usable."""
    usable = ~np.isnan(grades)
    lost = usable.any(axis=0) & ~usable.all(axis=0)
    low, high = (
        np.where(usable, grades, np.inf).min(axis=0),
        np.where(usable, grades, -np.inf).max(axis=0),
    )
    with np.errstate(invalid="ignore"):
        spread = np.where(usable.any(axis=0), high - low, 0.0)
    return np.where(lost, _width(labels), spread), lost | (
        (low < rel) & (high >= rel) & (labels.values is not None)
    )


def _places(labels: Labels) -> Floats:
    return (
        np.arange(len(labels.scale), dtype=np.float64) if labels.values is None else labels.values
    )


def _width(labels: Labels) -> float:
    """Return how wide the scale is, and 1 for one of a single label."""
    return float(np.ptp(_places(labels))) or 1.0 if len(labels.scale) else 1.0


def _graded(found: Consensus) -> Floats:
    """Return each item's grade as a number of the scale, shape (I,); nan without one."""
    if found.labels.values is None:
        return np.where(found.label >= 0, found.label, np.nan)
    return np.ceil(found.value - 0.5) + 0.0 if found.rule.real else found.value  # never -0


UNUSABLE = "✕"  # how a label is written that says that a document cannot be judged


@dataclass(frozen=True, slots=True)
class Disagreed:
    """A document to which assessors gave different labels."""

    # its ids; the topic is empty where items are no documents of topics
    topic: str
    document: str
    said: tuple[tuple[str, str], ...]  # each assessor and what was said, by name
    # how far the lowest and the highest label are from each other, in places of the scale; one that says that the document cannot be judged
    # is as far from any grade as the ends of the scale are
    apart: int

    @property
    def counts(self) -> tuple[tuple[str, int], ...]:
        """Each label and how many gave it, the most frequent first."""
        return tuple(Counter(label for _, label in self.said).most_common())


def disagreed(labels: Labels) -> tuple[Disagreed, ...]:
    """Return what assessors said differently of, the farthest apart first, then by how many said it; what they hold now counts.

    >>> from irjudge.model.labels import make_labels
    >>> rows = [("d1", "ann", 0), ("d1", "bob", 1), ("d2", "ann", 0), ("d2", "bob", 2), ("d3", "ann", 1), ("d3", "bob", 1)]
    >>> [(each.document, each.apart, each.said) for each in disagreed(make_labels(rows))]
    [('d2', 2, (('ann', '0'), ('bob', '2'))), ('d1', 1, (('ann', '0'), ('bob', '1')))]
    """
    now = labels.first_showings().latest()
    order = np.lexsort((now.worker, now.item))
    item, worker, label = now.item[order], now.worker[order], now.label[order]
    begins = np.flatnonzero(np.diff(item, prepend=-1))
    lowest, highest = (
        ends.reduceat(label, begins) if len(begins) else label for ends in (np.minimum, np.maximum)
    )
    ends = np.append(begins[1:], len(item))
    found = []
    for place in np.flatnonzero(lowest != highest).tolist():
        rows = slice(int(begins[place]), int(ends[place]))
        said = tuple(
            sorted(
                (labels.workers[who], _word(labels, what))
                for who, what in zip(worker[rows], label[rows], strict=True)
            )
        )
        topic, document = (
            labels.pairs[item[rows][0]] if labels.pairs else ("", labels.items[item[rows][0]])
        )
        apart = (
            len(labels.scale) - 1
            if lowest[place] == UNJUDGEABLE
            else int(highest[place] - lowest[place])
        )
        found.append(Disagreed(topic, document, said, max(1, apart)))
    return tuple(sorted(found, key=lambda each: (-each.apart, -len(each.said))))


def _word(labels: Labels, label: int) -> str:
    return UNUSABLE if label == UNJUDGEABLE else labels.scale[label]
