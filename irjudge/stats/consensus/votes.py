"""One grade out of several assessors' labels: majority, median, mean, and models of the assessors; each with its reason."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from irjudge.errors import IrjudgeError
from irjudge.message import Message
from irjudge.model.labels import Labels
from irjudge.model.ranking import UNJUDGEABLE, UNJUDGED, Ints
from irjudge.stats.consensus.dawid_skene import Fitted
from irjudge.stats.consensus.rules import (
    TIES,
    ConsensusGrades,
    Rule,
    RuleSettings,
    find_rule,
    said_so,
)
from irjudge.stats.rankings import Floats, Longs

UNJUDGEABLE_WORD = "unjudgeable"
JUDGED, KNOWN, DECIDED = range(3)
COLUMNS = ("item", "label", "votes", "reason")


@dataclass(frozen=True, slots=True, eq=False)
class Consensus:
    """One grade for each of I items."""

    labels: Labels  # what it was made of
    rule: Rule  # how
    label: Ints  # shape (I,): a place in the scale, `UNJUDGEABLE` (-2), or `UNJUDGED` (-1) for an item nobody labelled
    value: Floats  # shape (I,): the grade as a number, nan without one; of a rule that is real-valued only here
    votes: Longs  # shape (I,): labels of the item, the unjudgeable ones included
    model: Fitted | None  # what was fitted; None for a rule that fits nothing
    reasons: tuple[str, ...]  # why each item has its grade

    def rows(self) -> list[tuple[str, str | float | None, int, str]]:
        """Return a row of `COLUMNS` for each item; a document of a topic is `topic document`."""
        names = (
            [f"{topic} {document}" for topic, document in self.labels.pairs]
            if self.labels.pairs is not None
            else self.labels.items
        )
        return list(zip(names, self._shown(), self.votes.tolist(), self.reasons, strict=True))

    def _shown(self) -> list[str | float | None]:
        words = {
            UNJUDGEABLE: UNJUDGEABLE_WORD,
            UNJUDGED: None,
            **dict(enumerate(self.labels.scale)),
        }
        if not self.rule.real:
            return [words[code] for code in self.label.tolist()]
        values = zip(self.label.tolist(), self.value.tolist(), strict=True)
        return [value if code >= 0 else words[code] for code, value in values]

    def qrels_rows(self) -> list[tuple[str, str, int]]:
        """Return (topic, document, grade) for qrels; unjudgeable is -2, and what nobody labelled is left out.

        IrjudgeError where items are no documents of topics, or grades are not whole numbers of 0 or more.
        """
        values = self.labels.values
        if self.labels.pairs is None:
            raise IrjudgeError(
                "Qrels take documents of topics; these labels name items. Give the columns topic and document.",
                key="no-topics",
            )
        if (
            self.rule.real
            or values is None
            or (values < 0).any()
            or (values != np.floor(values)).any()
        ):
            raise IrjudgeError(
                "Qrels take whole grades of 0 or more; the {title} of these labels is none.",
                title=self.rule.title.lower(),
            )
        grades = zip(self.labels.pairs, self.label.tolist(), strict=True)
        return [
            (*pair, int(values[code]) if code >= 0 else UNJUDGEABLE)
            for pair, code in grades
            if code != UNJUDGED
        ]

    def right(self) -> tuple[int, int]:
        """Return how many items with a known answer have it, and how many have one.

        A real-valued consensus is right where it rounds to the answer, halves down.
        """
        gold = self.labels.gold
        if gold is None:
            return 0, 0
        known = gold >= 0
        if not self.rule.real or self.labels.values is None:
            return int((self.label == gold)[known].sum()), int(known.sum())
        rounded = np.ceil(self.value - 0.5)
        return int((rounded == self.labels.values[gold])[known].sum()), int(known.sum())


def consensus(
    labels: Labels,
    method: str = "majority",
    settings: RuleSettings | None = None,
    *,
    decided: Mapping[int, int] | None = None,
) -> Consensus:
    """Return one grade for each item, by a method of `RULES`; ties go to the lower grade where the settings say nothing else.

    Every row is a vote. Votes that say unjudgeable decide first: where they are more than half of an item's votes it is unjudgeable;
    otherwise they are left aside. Known answers (`Labels.gold`) bind the models, and no other rule. What an adjudicator decided, item code
    to label code or `UNJUDGEABLE`, always wins. IrjudgeError when the method is not known, or takes numbers where labels are words.

    >>> from irjudge.model.labels import make_labels
    >>> found = consensus(make_labels([("d1", "ann", 2), ("d1", "bob", 2), ("d1", "cem", 0), ("d2", "ann", 1), ("d2", "bob", 0)]))
    >>> for row in found.rows():
    ...     print(row)
    ('d1', '2', 3, '2 of 3 said 2')
    ('d2', '0', 2, '1 of 2 said 0, as many said 1; ties go to the lower grade')
    """
    chosen, settings = find_rule(method), settings or RuleSettings()
    if chosen.numbers and labels.values is None:
        raise IrjudgeError(
            "The {title} takes labels that are numbers; {first!r} is none.",
            title=chosen.title.lower(),
            first=labels.scale[0],
        )
    if settings.ties not in TIES:
        raise IrjudgeError(
            "Ties {ties!r} is not known; choose {known}.", ties=settings.ties, known=", ".join(TIES)
        )
    counts, refused = labels.counts(), labels.unjudgeable()
    graded = counts.sum(axis=1)
    votes = graded + refused
    settings.fitting.progress.step(
        0, None, Message("Weighing the votes: {title}", title=chosen.title)
    )
    found = chosen.function(labels, counts, settings)
    label = np.where(
        refused > graded, UNJUDGEABLE, np.where(graded > 0, found.label, UNJUDGED)
    ).astype(np.int32)
    label[list(decided or ())] = list((decided or {}).values())
    value = _values(labels, label, found, decided or {})
    reasons = _reasons(labels, counts, label, found, chosen, settings, decided or {})
    return Consensus(labels, chosen, label, value, votes, found.model, reasons)


def _values(
    labels: Labels, label: Ints, found: ConsensusGrades, decided: Mapping[int, int]
) -> Floats:
    values = np.full(len(label), np.nan)
    if labels.values is None:
        return values
    has = label >= 0
    values[has] = labels.values[label[has]]
    if found.value is not None:
        own = has.copy()
        own[list(decided)] = False
        values[own] = found.value[own]
    return values


def _reasons(
    labels: Labels,
    counts: Longs,
    label: Ints,
    found: ConsensusGrades,
    rule: Rule,
    settings: RuleSettings,
    decided: Mapping[int, int],
) -> tuple[str, ...]:
    """Return each item's reason; items with the same votes, grade and chance share it."""
    state = np.zeros(len(label), dtype=np.int64)
    percent = np.full(len(label), -1, dtype=np.int64)
    if found.model is not None:
        percent = np.minimum(np.rint(100 * found.model.chances.max(axis=1)), 99).astype(np.int64)
        state[labels.gold >= 0 if labels.gold is not None else []] = KNOWN
    state[list(decided)] = DECIDED
    cases, place = np.unique(
        np.column_stack((counts, labels.unjudgeable(), label, percent, state)),
        axis=0,
        return_inverse=True,
    )
    texts = [_reason(labels.scale, row, rule, settings) for row in cases.tolist()]
    return tuple(texts[at] for at in place.reshape(-1).tolist())


def _reason(scale: Sequence[str], case: Sequence[int], rule: Rule, settings: RuleSettings) -> str:
    counts, (refused, label, percent, state) = case[:-4], case[-4:]
    votes = sum(counts) + refused
    said: str
    if label == UNJUDGEABLE:
        said = Message("{refused} of {votes} said unjudgeable", refused=refused, votes=votes)
    elif label == UNJUDGED:
        said = Message("no label")
    elif state != JUDGED or not votes:
        said = said_so(scale, counts, label)
    else:
        said = rule.reason(scale, counts, label, settings)
    if refused and label >= 0:
        said += Message("; {refused} more said unjudgeable", refused=refused)
    if state != JUDGED:
        how = (
            Message("known answer", key="known-answer")
            if state == KNOWN
            else Message("decided by an adjudicator", key="adjudicated")
        )
        return Message("{how}; {said}", how=how, said=said)
    return (
        Message(
            "{said}; {percent} % likely by the model",
            said=said,
            percent="over 99" if percent == 99 else percent,
        )
        if percent >= 0 and label >= 0
        else said
    )


def several(
    labels: Labels,
    methods: Iterable[str],
    settings: RuleSettings | None = None,
    *,
    decided: Mapping[int, int] | None = None,
) -> tuple[Consensus, ...]:
    """Return the consensus of several methods side by side; those that take numbers are left out where labels are words."""
    chosen = [name for name in methods if labels.values is not None or not find_rule(name).numbers]
    return tuple(consensus(labels, name, settings, decided=decided) for name in chosen)
