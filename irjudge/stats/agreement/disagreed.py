"""The documents on which assessors disagree, the farthest apart first."""

from collections import Counter
from dataclasses import dataclass

import numpy as np

from irjudge.model.labels import Labels
from irjudge.model.ranking import UNJUDGEABLE

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

    Examples
    --------
    >>> from irjudge.model.labels import make_labels
    >>> rows = [("d1", "ann", 0), ("d1", "bob", 1), ("d2", "ann", 0), ("d2", "bob", 2), ("d3", "ann", 1), ("d3", "bob", 1)]
    >>> [(each.document, each.apart, each.said) for each in disagreed(make_labels(rows))]
    [('d2', 2, (('ann', '0'), ('bob', '2'))), ('d1', 1, (('ann', '0'), ('bob', '1')))]
    """
    now = labels.first_showings().latest()
    order = np.lexsort((now.worker, now.item))
    item, worker, label = now.item[order], now.worker[order], now.label[order]
    begins = np.flatnonzero(np.diff(item, prepend=-1))
    lowest, highest = (ends.reduceat(label, begins) if len(begins) else label for ends in (np.minimum, np.maximum))
    ends = np.append(begins[1:], len(item))
    found = []
    for place in np.flatnonzero(lowest != highest).tolist():
        rows = slice(int(begins[place]), int(ends[place]))
        said = tuple(sorted((labels.workers[who], _word(labels, what)) for who, what in zip(worker[rows], label[rows], strict=True)))
        topic, document = labels.pairs[item[rows][0]] if labels.pairs else ("", labels.items[item[rows][0]])
        apart = len(labels.scale) - 1 if lowest[place] == UNJUDGEABLE else int(highest[place] - lowest[place])
        found.append(Disagreed(topic, document, said, max(1, apart)))
    return tuple(sorted(found, key=lambda each: (-each.apart, -len(each.said))))


def _word(labels: Labels, label: int) -> str:
    return UNUSABLE if label == UNJUDGEABLE else labels.scale[label]
