"""What an adjudicator looks at: documents on which assessors disagree and those decided, with every vote, the weightiest first."""

from collections import defaultdict
from collections.abc import Collection, Sequence
from dataclasses import dataclass

import numpy as np

from irjudge.judging.labels import judgments_of
from irjudge.judging.ledger import Ledger, ledger_of
from irjudge.judging.settlement import decisions_of, valid_decisions, voting_labels
from irjudge.model.event import Event
from irjudge.model.labels import Labels
from irjudge.model.ranking import UNJUDGEABLE, Floats, rows_to_topics
from irjudge.progress import SILENT, Progress
from irjudge.stats.consensus.dawid_skene import Fitting
from irjudge.stats.consensus.disputed_items import Disputed, adjudication_queue
from irjudge.stats.consensus.rules import RULES, RuleSettings
from irjudge.stats.consensus.votes import UNJUDGEABLE_WORD, Consensus, several
from irjudge.store.project import Project

Pair = tuple[str, str]


@dataclass(frozen=True, slots=True)
class Vote:
    """What one assessor said of a document."""

    assessor: str  # the name
    grade: int  # A grade of the scale, or `UNJUDGEABLE`
    reason: str = ""  # why it is unjudgeable; empty for a grade
    # what was marked beside it
    unsure: bool = False
    note: str = ""
    rationales: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class RuleVerdict:
    """What one rule of consensus says, as text, and why."""

    rule: str
    grade: str
    reason: str


@dataclass(frozen=True, slots=True)
class Dispute:
    """A document on which assessors disagree, or only rules, or that was decided."""

    # ids
    topic: str
    document: str
    votes: tuple[Vote, ...]  # by name of the assessor
    verdicts: tuple[RuleVerdict, ...]  # of each rule; none where no vote counts
    # how much it matters: how far apart its votes are, or only the rules, times how high runs rank the document; 0 where all agree
    weight: float
    crosses: bool  # whether it is relevant, or usable, by one vote or rule and not by another
    split: bool  # whether the votes differ, and not only the rules; one of `pairs_to_adjudicate`

    @property
    def pair(self) -> Pair:
        """Topic and document."""
        return self.topic, self.document


def disputes(project: Project, *, rel: int = 1, progress: Progress = SILENT) -> tuple[Dispute, ...]:
    """Return what there is to decide, what matters most first, as `dispute_queue` sorts it, and what was decided.

    What was decided stays where it stood; a document on which assessors agree by now, or that has fewer than two votes, stands at the
    end, so that its decision can be seen and changed. A document without a text in the project cannot be shown, and is left out.
    """
    labels = voting_labels(project, progress)
    found = (
        several(labels, RULES, RuleSettings(fitting=Fitting(progress=progress)))
        if len(labels)
        else ()
    )
    pairs: Sequence[Pair] = labels.pairs or ()
    queue = {pairs[each.item]: each for each in dispute_queue(project, found, rel=rel)}
    listed = [*queue, *(pair for pair in decisions_of(project) if pair not in queue)]
    textless = set(project.collection.without_text(list({document for _, document in listed})))
    listed = [pair for pair in listed if pair[1] not in textless]
    grades = [[row[1] for row in each.rows()] for each in found]
    counted = {pair: item for item, pair in enumerate(pairs) if found and found[0].votes[item]}
    votes = _votes(project, labels.workers, counted.keys() & listed)
    split = set(pairs_to_adjudicate(project, labels))
    return tuple(
        Dispute(
            *pair,
            tuple(votes[pair]),
            _verdicts(found, grades, counted[pair]) if pair in counted else (),
            queue[pair].weight if pair in queue else 0.0,
            pair in queue and queue[pair].crosses,
            pair in split,
        )
        for pair in listed
    )


@dataclass(frozen=True, slots=True)
class AdjudicationCount:
    """How many pairs there are to adjudicate, and how many of them were."""

    adjudicated: int
    total: int


def pairs_to_adjudicate(project: Project, labels: Labels) -> tuple[Pair, ...]:
    """Return the pairs on which the votes of a project differ, without those that have no text to show.

    `labels` are those of `voting_labels`. A pair on which only rules of consensus differ is none.
    """
    limits = np.iinfo(np.int32)
    lowest = np.full(len(labels.items), limits.max)
    highest = np.full(len(labels.items), limits.min)
    np.minimum.at(lowest, labels.item, labels.label)
    np.maximum.at(highest, labels.item, labels.label)
    pairs: Sequence[Pair] = labels.pairs or ()
    split = [pairs[item] for item in np.flatnonzero(lowest < highest).tolist()]
    textless = set(project.collection.without_text(list({document for _, document in split})))
    return tuple(pair for pair in split if pair[1] not in textless)


def count_adjudicated(project: Project, pairs: Collection[Pair]) -> AdjudicationCount:
    """Count those of `pairs_to_adjudicate` that were adjudicated, on the text and scale of now."""
    return AdjudicationCount(len(set(pairs) & valid_decisions(project).keys()), len(pairs))


def dispute_queue(
    project: Project, found: Sequence[Consensus], *, rel: int = 1
) -> tuple[Disputed, ...]:
    """Return the documents on which assessors disagree, then those on which only rules do; the weightiest first."""
    return (
        adjudication_queue(found, rel=rel, importance=importance(project, found[0].labels))
        if found
        else ()
    )


def importance(project: Project, labels: Labels) -> Floats | None:
    """Return how much each item weighs, shape (I,): 1, and more the higher the runs that brought it into the pool rank it.

    Each such run adds 1 / log2(rank + 1). None without a pool.
    """
    pool = project.rankings.pool()
    if pool is None:
        return None
    gains = 1 / np.log2(pool.contribution_rank.astype(np.float64) + 1)
    rows = rows_to_topics(pool.contribution_starts)
    weights = 1 + np.bincount(rows, weights=gains, minlength=len(pool))
    topics = [pool.topics[code] for code in pool.topic.tolist()]
    known = dict(
        zip(zip(topics, pool.document.to_pylist(), strict=True), weights.tolist(), strict=True)
    )
    return np.array([known.get(pair, 1.0) for pair in labels.pairs or ()])


def _verdicts(
    found: Sequence[Consensus], grades: Sequence[Sequence[str | float | None]], item: int
) -> tuple[RuleVerdict, ...]:
    return tuple(
        RuleVerdict(each.rule.title, _shown(said[item]), each.reasons[item])
        for each, said in zip(found, grades, strict=True)
    )


def _shown(grade: str | float | None) -> str:
    if grade is None or isinstance(grade, str):
        return grade or UNJUDGEABLE_WORD
    return f"{grade:.2f}"


def _votes(project: Project, names: Sequence[str], wanted: set[Pair]) -> dict[Pair, list[Vote]]:
    """Return the votes for some documents, by assessor in alphabetical order, as `voting_labels` has them."""
    votes: dict[Pair, list[Vote]] = defaultdict(list)
    usable = {*project.scale.values, UNJUDGEABLE}
    ids: dict[str, list[str]] = {name: [name] for name in names}
    for other, name in project.sessions.same().items():
        ids.get(name, []).append(other)
    for name, theirs in ids.items():
        given: set[Pair] = set()
        for id in theirs:
            ledger = ledger_of(project, id)
            for event, pair, fits in judgments_of(project, id):
                vote = _vote(name, event, ledger)
                if pair in wanted and pair not in given and fits and vote.grade in usable:
                    given.add(pair)
                    votes[pair].append(vote)
    return votes


def _vote(name: str, event: Event, ledger: Ledger) -> Vote:
    marks, payload = ledger.marks(event.item.key), event.payload
    return Vote(
        name,
        int(payload["value"]) if event.kind == "grade" else UNJUDGEABLE,
        str(payload.get("reason", "")),
        marks.unsure,
        marks.note,
        tuple(each.text for each in marks.rationales),
    )
