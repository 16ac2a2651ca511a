"""Consensus rules, the consensus of labels by a rule, and items with disagreement."""

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import reduce
from typing import Literal, TypeAlias, get_args

import numpy as np

from irjudge.catalogue import Catalogue, summarise
from irjudge.errors import IrjudgeError
from irjudge.message import Message
from irjudge.model import UNJUDGEABLE, UNJUDGED, Flags, Floats, Ints, Labels, Longs
from irjudge.stats.consensus.annotator_models import (
    TOLERANCE,
    FitOptions,
    FittedModel,
    dawid_skene,
    glad,
    mace,
    one_coin,
)

# Registry of consensus rules, which are declared by the decorator `rule`

Ties: TypeAlias = Literal["lower", "higher"]
TIES: tuple[Ties, ...] = get_args(Ties)
TIES_MEAN: dict[Ties, str] = {
    "lower": Message("the lower grade, so that fewer non-relevant documents count as relevant"),
    "higher": Message("the higher grade, so that fewer relevant documents are missed"),
}
MAX_PERCENT = 99  # highest printed probability of a label, in percent
MAX_LISTED = 9  # maximum number of votes listed individually in a reason


@dataclass(frozen=True, slots=True)
class RuleSettings:
    """Settings of consensus rules. Each rule uses only the settings that apply to it."""

    ties: Ties = "lower"  # grade that the rule `majority` uses in a tie: the lower or the higher
    # options of fitting an annotator model
    fitting: FitOptions = field(default_factory=FitOptions)


@dataclass(frozen=True, slots=True, eq=False)
class ConsensusGrades:
    """Result of a consensus rule's function for I items, which `consensus` completes.

    The function ignores unjudgeable labels; for items without a grade, its result is not used.
    """

    label: Longs  # position of each item's grade on the scale, shape (I,)
    value: Floats | None = None  # grades as real numbers, shape (I,); None if they are labels
    model: FittedModel | None = None  # fitted annotator model; None if the rule fits none


RuleFunction: TypeAlias = Callable[[Labels, Longs, RuleSettings], ConsensusGrades]
# Function that describes the reason for a consensus. Its arguments are the scale, the count of each
# label, the code of the consensus label, and the settings.
Reason: TypeAlias = Callable[[Sequence[str], Sequence[int], int, RuleSettings], str]


@dataclass(frozen=True, slots=True)
class Rule:
    """Registry entry of a consensus rule, such as majority: name, title, and two functions.

    `function` computes the grades of all items together; `reason` describes why an item has its
    grade.
    """

    name: str
    title: str
    needs_numbers: bool  # whether the labels must be numbers
    is_real_valued: bool  # whether the consensus is real-valued
    function: RuleFunction
    reason: Reason  # function that explains a consensus

    @property
    def about(self) -> str:
        """Description of the rule: first paragraph of the docstring of `function`."""
        return summarise(self.function)


CONSENSUS_RULES: Catalogue[Rule] = Catalogue(Message("Method"))
find_rule = CONSENSUS_RULES.find


def rule(
    name: str,
    title: str,
    reason: Reason,
    *,
    needs_numbers: bool = False,
    is_real_valued: bool = False,
) -> Callable[[RuleFunction], RuleFunction]:
    """Register the decorated function as a rule; see `Rule` for the arguments."""

    def register(function: RuleFunction) -> RuleFunction:
        CONSENSUS_RULES.add(Rule(name, title, needs_numbers, is_real_valued, function, reason))
        return function

    return register


def _explain_majority(
    scale: Sequence[str], counts: Sequence[int], label: int, settings: RuleSettings
) -> str:
    tied_labels = [
        scale[code] for code, count in enumerate(counts) if count == counts[label] and code != label
    ]
    support = describe_support(scale, counts, label)
    if not tied_labels:
        return support
    tied_text = reduce(
        lambda first, second: Message("{first} and {second}", first=first, second=second),
        tied_labels,
    )
    if settings.ties == "lower":
        return Message(
            "{support}, and the same number chose {others}; ties go to the lower grade",
            key="tie-lower",
            support=support,
            others=tied_text,
        )
    return Message(
        "{support}, and the same number chose {others}; ties go to the higher grade",
        key="tie-higher",
        support=support,
        others=tied_text,
    )


def _explain_median(
    scale: Sequence[str], counts: Sequence[int], _label: int, _settings: RuleSettings
) -> str:
    return Message(
        "the median of {votes}" if sum(counts) % 2 else "the lower median of {votes}",
        votes=_describe_votes(scale, counts),
    )


def _explain_mean(
    scale: Sequence[str], counts: Sequence[int], _label: int, _settings: RuleSettings
) -> str:
    return Message("the mean of {votes}", votes=_describe_votes(scale, counts))


def _explain_model(
    scale: Sequence[str], counts: Sequence[int], label: int, _settings: RuleSettings
) -> str:
    return describe_support(scale, counts, label)


def describe_support(scale: Sequence[str], counts: Sequence[int], label: int) -> str:
    """Describe how many votes a label got, such as `2 of 3 chose 2`."""
    return Message(
        "{number} of {votes} chose {label}" if counts[label] else "none of {votes} chose {label}",
        number=counts[label],
        votes=sum(counts),
        label=scale[label],
    )


def _describe_votes(scale: Sequence[str], counts: Sequence[int]) -> str:
    if sum(counts) <= MAX_LISTED:
        return " ".join(scale[code] for code, count in enumerate(counts) for _ in range(count))
    return ", ".join(f"{count} × {scale[code]}" for code, count in enumerate(counts) if count)


@rule("majority", Message("Majority"), _explain_majority)
def majority(_labels: Labels, counts: Longs, settings: RuleSettings) -> ConsensusGrades:
    """Use the label that most assessors gave (in a tie, the lower label or, optionally, the higher label)."""
    if settings.ties == "lower":
        return ConsensusGrades(counts.argmax(axis=1))
    return ConsensusGrades(counts.shape[1] - 1 - counts[:, ::-1].argmax(axis=1))


@rule("lower-median", Message("Lower median"), _explain_median, needs_numbers=True)
def lower_median(_labels: Labels, counts: Longs, _settings: RuleSettings) -> ConsensusGrades:
    """Use the middle label or, if the number of labels is even, the lower of the middle two."""
    majority_count = (counts.sum(axis=1) + 1) // 2
    return ConsensusGrades((np.cumsum(counts, axis=1) >= majority_count[:, None]).argmax(axis=1))


@rule("mean", Message("Mean"), _explain_mean, needs_numbers=True, is_real_valued=True)
def mean(labels: Labels, counts: Longs, _settings: RuleSettings) -> ConsensusGrades:
    """Use the mean of the labels as numbers (the result is a real number, and sensitive to every careless assessor)."""
    values = labels.values if labels.values is not None else np.zeros(counts.shape[1])
    value = counts @ values / np.maximum(counts.sum(axis=1), 1)
    return ConsensusGrades(np.abs(value[:, None] - values[None, :]).argmin(axis=1), value)


@rule("one-coin", Message("One-coin model"), _explain_model)
def one_coin_rule(labels: Labels, counts: Longs, settings: RuleSettings) -> ConsensusGrades:
    """Use the most likely label, assuming that each assessor is right with an individual probability (for assessors with fewer than 100 labels)."""
    return _make_model_grades(one_coin(labels, settings.fitting), counts)


@rule("dawid-skene", Message("Dawid-Skene model"), _explain_model)
def dawid_skene_rule(labels: Labels, counts: Longs, settings: RuleSettings) -> ConsensusGrades:
    """Use the most likely label, assuming that each assessor confuses grades individually (for at least 300 labels per assessor or 5 per item)."""
    return _make_model_grades(dawid_skene(labels, settings.fitting), counts)


@rule("glad", Message("GLAD model"), _explain_model)
def glad_rule(labels: Labels, counts: Longs, settings: RuleSettings) -> ConsensusGrades:
    """Use the most likely label, assuming that assessors differ in ability and items in difficulty (for items with several labels)."""
    return _make_model_grades(glad(labels, settings.fitting), counts)


@rule("mace", Message("MACE model"), _explain_model)
def mace_rule(labels: Labels, counts: Longs, settings: RuleSettings) -> ConsensusGrades:
    """Use the most likely label, assuming that assessors either label carefully or guess (for crowds with careless assessors)."""
    return _make_model_grades(mace(labels, settings.fitting), counts)


def _make_model_grades(model: FittedModel, counts: Longs) -> ConsensusGrades:
    # Grades whose probability is nearly the highest are tied, since the fit has a tolerance. Of
    # these, the grade with the most votes is used; if votes are tied, too, the lowest.
    is_tied = model.probabilities >= model.probabilities.max(axis=1, keepdims=True) - 10 * TOLERANCE
    return ConsensusGrades(np.where(is_tied, counts, -1).argmax(axis=1), None, model)


# Consensus of labels, with a reason for each item

UNJUDGEABLE_WORD = "unjudgeable"
JUDGED_STATE, GOLD_STATE, ADJUDICATED_STATE = range(3)
CONSENSUS_COLUMNS = ("item", "label", "votes", "reason")


@dataclass(frozen=True, slots=True, eq=False)
class Consensus:
    """Result of `consensus`: the grade of each of I items by one rule, with votes and reason.

    Adjudicated grades replace those of the rule. An item without labels has no grade unless it is
    adjudicated. The fitted model is included if the rule fits one.
    """

    labels: Labels  # assessors' labels, from which the grades were computed
    rule: Rule  # rule that computed the grades
    # each item's grade as a position on the scale, or `UNJUDGEABLE` (-2), or `UNJUDGED` (-1) for an
    # item without labels that is not adjudicated; shape (I,)
    label: Ints
    # each item's grade as a number, shape (I,); nan if the item has no grade or is unjudgeable, or
    # if labels are words; not rounded if the rule is real-valued
    value: Floats
    votes: Longs  # number of labels, including unjudgeable ones, shape (I,)
    model: FittedModel | None  # fitted model; None if the rule fits no model
    reasons: tuple[str, ...]  # reason for each item's grade

    def rows(self) -> list[tuple[str, str | float | None, int, str]]:
        """Return the `CONSENSUS_COLUMNS` of each item.

        If items are documents of topics, the column `item` is topic, space and document.
        """
        names = (
            [f"{topic} {document}" for topic, document in self.labels.pairs]
            if self.labels.pairs is not None
            else self.labels.items
        )
        return list(
            zip(names, self._list_result_values(), self.votes.tolist(), self.reasons, strict=True)
        )

    def _list_result_values(self) -> list[str | float | None]:
        texts = {
            UNJUDGEABLE: UNJUDGEABLE_WORD,
            UNJUDGED: None,
            **dict(enumerate(self.labels.scale)),
        }
        if not self.rule.is_real_valued:
            return [texts[code] for code in self.label.tolist()]
        values = zip(self.label.tolist(), self.value.tolist(), strict=True)
        return [value if code >= 0 else texts[code] for code, value in values]

    def qrels_rows(self) -> list[tuple[str, str, int]]:
        """Return (topic, document, grade) rows for qrels; grade -2 is unjudgeable.

        Items without labels are omitted. Raises IrjudgeError if items are not documents of topics,
        if the rule is real-valued, or if the labels are not integers of 0 or more.
        """
        values = self.labels.values
        if self.labels.pairs is None:
            raise IrjudgeError(
                "Qrels need topics and documents, but the labels identify items. Give the "
                "columns topic and document.",
                key="no-topics",
            )
        if (
            self.rule.is_real_valued
            or values is None
            or (values < 0).any()
            or (values != np.floor(values)).any()
        ):
            raise IrjudgeError(
                "Grades in qrels must be whole numbers of 0 or more; the rule {rule} returns "
                "other values for some items.",
                rule=self.rule.title,
            )
        return [
            (*pair, int(values[code]) if code >= 0 else UNJUDGEABLE)
            for pair, code in zip(self.labels.pairs, self.label.tolist(), strict=True)
            if code != UNJUDGED
        ]

    def count_right_gold(self) -> tuple[int, int]:
        """Return the number of gold items with a correct consensus, and the number of gold items.

        A real-valued consensus is correct if it rounds to the gold grade, with halves rounded down.
        """
        gold = self.labels.gold
        if gold is None:
            return 0, 0
        has_gold = gold >= 0
        if not self.rule.is_real_valued or self.labels.values is None:
            return int((self.label == gold)[has_gold].sum()), int(has_gold.sum())
        rounded_values = np.ceil(self.value - 0.5)
        return int((rounded_values == self.labels.values[gold])[has_gold].sum()), int(
            has_gold.sum()
        )


def consensus(
    labels: Labels,
    method: str = "majority",
    settings: RuleSettings | None = None,
    *,
    adjudicated_grades: Mapping[int, int] | None = None,
) -> Consensus:
    """Return one grade for each item by a consensus rule.

    Each label is a vote. If more than half of an item's votes are unjudgeable, so is the item;
    otherwise unjudgeable votes are ignored. Gold grades (`Labels.gold`) are used only by rules that
    fit a model. `adjudicated_grades` maps item codes to label codes or `UNJUDGEABLE`, which replace
    the results of the rule. If the majority is tied, the lower grade is used by default. Raises
    IrjudgeError if the rule is unknown, or if it needs numbers and the labels are words.

    >>> from irjudge.model import make_labels
    >>> result = consensus(make_labels([("d1", "ann", 2), ("d1", "bob", 2), ("d1", "cem", 0), ("d2", "ann", 1), ("d2", "bob", 0)]))
    >>> for row in result.rows():
    ...     print(row)
    ('d1', '2', 3, '2 of 3 chose 2')
    ('d2', '0', 2, '1 of 2 chose 0, and the same number chose 1; ties go to the lower grade')
    """
    declaration, settings = find_rule(method), settings or RuleSettings()
    if declaration.needs_numbers and labels.values is None:
        raise IrjudgeError(
            "The rule {rule} needs numeric labels; {label!r} is not a number.",
            rule=declaration.title,
            label=labels.scale[0],
        )
    if settings.ties not in TIES:
        raise IrjudgeError(
            "Unknown tie order {ties!r}; expected one of {names}.",
            ties=settings.ties,
            names=", ".join(TIES),
        )
    counts, unjudgeable = labels.count_grades(), labels.count_unjudgeable()
    graded = counts.sum(axis=1)
    votes = graded + unjudgeable
    settings.fitting.progress.step(
        0, None, Message("Weighting the votes: {rule}", rule=declaration.title)
    )
    result = declaration.function(labels, counts, settings)
    label = np.where(
        unjudgeable > graded, UNJUDGEABLE, np.where(graded > 0, result.label, UNJUDGED)
    ).astype(np.int32)
    label[list(adjudicated_grades or ())] = list((adjudicated_grades or {}).values())
    numeric_grades = _list_label_values(labels, label, result, adjudicated_grades or {})
    reasons = _list_reasons(
        labels, counts, label, result, declaration, settings, adjudicated_grades or {}
    )
    return Consensus(labels, declaration, label, numeric_grades, votes, result.model, reasons)


def _list_label_values(
    labels: Labels, label: Ints, result: ConsensusGrades, adjudicated_grades: Mapping[int, int]
) -> Floats:
    values = np.full(len(label), np.nan)
    if labels.values is None:
        return values
    has_label = label >= 0
    values[has_label] = labels.values[label[has_label]]
    if result.value is not None:
        has_own_value = has_label.copy()
        has_own_value[list(adjudicated_grades)] = False
        values[has_own_value] = result.value[has_own_value]
    return values


def _list_reasons(
    labels: Labels,
    counts: Longs,
    label: Ints,
    result: ConsensusGrades,
    rule: Rule,
    settings: RuleSettings,
    adjudicated_grades: Mapping[int, int],
) -> tuple[str, ...]:
    """Return the reason for each item's grade; items with equal votes and grades share a string."""
    state = np.zeros(len(label), dtype=np.int64)
    percent = np.full(len(label), -1, dtype=np.int64)
    if result.model is not None:
        percent = np.minimum(
            np.rint(100 * result.model.probabilities.max(axis=1)), MAX_PERCENT
        ).astype(np.int64)
        state[labels.gold >= 0 if labels.gold is not None else []] = GOLD_STATE
    state[list(adjudicated_grades)] = ADJUDICATED_STATE
    cases, case_indexes = np.unique(
        np.column_stack((counts, labels.count_unjudgeable(), label, percent, state)),
        axis=0,
        return_inverse=True,
    )
    texts = [_explain_grade(labels.scale, row, rule, settings) for row in cases.tolist()]
    return tuple(texts[index] for index in case_indexes.reshape(-1).tolist())


def _explain_grade(
    scale: Sequence[str], case: Sequence[int], rule: Rule, settings: RuleSettings
) -> str:
    counts, (unjudgeable, label, percent, state) = case[:-4], case[-4:]
    votes = sum(counts) + unjudgeable
    reason: str
    if label == UNJUDGEABLE:
        reason = Message(
            "votes that mark the document as unjudgeable: {refused} of {votes}",
            refused=unjudgeable,
            votes=votes,
        )
    elif label == UNJUDGED:
        reason = Message("no label")
    elif state != JUDGED_STATE or not votes:
        reason = describe_support(scale, counts, label)
    else:
        reason = rule.reason(scale, counts, label, settings)
    if unjudgeable and label >= 0:
        reason += Message(
            "; marked as unjudgeable by other assessors: {refused}", refused=unjudgeable
        )
    if state != JUDGED_STATE:
        origin = (
            Message("gold item", key="known-answer")
            if state == GOLD_STATE
            else Message("adjudicated", key="adjudicated")
        )
        return Message("{origin}; {reason}", origin=origin, reason=reason)
    if percent < 0 or label < 0:
        return reason
    return Message(
        "{reason}; probability according to the assessor model: over 99 %"
        if percent == MAX_PERCENT
        else "{reason}; probability according to the assessor model: {percent} %",
        reason=reason,
        percent=percent,
    )


def consensus_by_methods(
    labels: Labels,
    methods: Iterable[str],
    settings: RuleSettings | None = None,
    *,
    adjudicated_grades: Mapping[int, int] | None = None,
) -> tuple[Consensus, ...]:
    """Return the consensus by each of several rules.

    Rules that need numbers are omitted if the labels are words.
    """
    applicable_methods = [
        name for name in methods if labels.values is not None or not find_rule(name).needs_numbers
    ]
    return tuple(
        consensus(labels, name, settings, adjudicated_grades=adjudicated_grades)
        for name in applicable_methods
    )


# Disagreement: items for adjudication


@dataclass(frozen=True, slots=True)
class DisputedItem:
    """Item on which votes or rules disagree, as an entry of the queue for adjudication.

    The item has at least two votes. Their number is included, but not the votes themselves.
    """

    item: int  # item code
    # grade of the item by each rule: a number or, if labels are words, a position on the scale; nan
    # if the item is unjudgeable by the rule
    grades: tuple[float, ...]
    votes: int  # number of labels, 2 or more
    # priority, 0 or more: importance of the item, multiplied by the mean distance between two votes
    # or, if all votes are equal, by the distance between the lowest and the highest grade by the
    # rules. An unjudgeable vote differs from any grade by the width of the scale.
    weight: float
    differs_in_relevance: bool  # whether votes or rules differ on relevance or judgeability
    votes_differ: bool  # whether votes differ; if False, only the grades by the rules differ


def adjudication_queue(
    consensuses: Sequence[Consensus], *, rel: float = 1, importance: Floats | None = None
) -> tuple[DisputedItem, ...]:
    """Return items with different votes or consensus grades, the most important first.

    `consensuses` are the results of two or more rules for the same labels; real values are rounded,
    halves down. Each label is a vote; unjudgeable differs from all grades. The weight of each item
    is multiplied by its `importance`, shape (I,), 0 or more. The importance may depend on the ranks
    of the item in the runs; None means 1 for each item.

    Items with different votes come first, then those on which only the rules differ. In each group,
    items on which votes or rules differ in relevance or judgeability precede others, since they
    change binary measures; `rel` is the lowest relevant label. Then items are sorted by descending
    weight, then by code. Items with a single vote are never included. Raises IrjudgeError for fewer
    than two rules, or for rules that were applied to different items.

    >>> from irjudge.model import make_labels
    >>> from irjudge.stats.consensus import consensus_by_methods
    >>> labels = make_labels([("d1", "a", 0), ("d1", "b", 3), ("d2", "a", 1), ("d2", "b", 1), ("d3", "a", 3)])
    >>> queue = adjudication_queue(consensus_by_methods(labels, ["majority", "mean"]))
    >>> [(each.item, each.votes, each.weight, each.differs_in_relevance) for each in queue]
    [(0, 2, 3.0, True)]
    """
    if len(consensuses) < 2 or any(
        consensus.labels.items != consensuses[0].labels.items for consensus in consensuses
    ):
        raise IrjudgeError("A comparison of rules needs at least two rules for the same items.")
    labels, votes = consensuses[0].labels, consensuses[0].votes
    grades = np.stack([_convert_grades_to_numbers(consensus) for consensus in consensuses])
    vote_distance, votes_differ_in_relevance = _compute_vote_distance(labels, rel)
    rule_distance, rules_differ_in_relevance = _compute_rule_distance(grades, labels, rel)
    votes_differ = vote_distance > 0
    differs_in_relevance = votes_differ_in_relevance | rules_differ_in_relevance
    weight = np.where(votes_differ, vote_distance, rule_distance) * (
        1.0 if importance is None else importance
    )
    disputed_items = np.flatnonzero((votes_differ | (rule_distance > 0)) & (votes > 1))
    order = disputed_items[
        np.lexsort(
            (
                disputed_items,
                -weight[disputed_items],
                ~differs_in_relevance[disputed_items],
                ~votes_differ[disputed_items],
            )
        )
    ]
    columns = (
        values[order].tolist() for values in (votes, weight, differs_in_relevance, votes_differ)
    )
    return tuple(
        DisputedItem(item, tuple(item_grades), *other_fields)
        for item, item_grades, *other_fields in zip(
            order.tolist(), grades[:, order].T.tolist(), *columns, strict=True
        )
    )


def _compute_vote_distance(labels: Labels, rel: float) -> tuple[Floats, Flags]:
    """Return, for each item, how its votes differ, as two arrays of shape (I,).

    The first is the mean distance between two votes, the second whether votes differ in relevance
    or judgeability.
    """
    positions, unjudgeable = (
        _list_scale_positions(labels),
        labels.count_unjudgeable()[:, np.newaxis],
    )
    counts = np.hstack([labels.count_grades(), unjudgeable]).astype(np.float64)
    distance = np.full((len(positions) + 1,) * 2, _compute_scale_width(labels))
    distance[:-1, :-1] = np.abs(positions[:, np.newaxis] - positions)
    distance[-1, -1] = 0.0
    votes = counts.sum(axis=1)
    vote_distance: Floats = ((counts @ distance) * counts).sum(axis=1) / np.maximum(
        votes * (votes - 1), 1
    )
    relevant = labels.mark_relevant(rel)
    kinds = (
        np.ones((1, len(positions)), dtype=bool)
        if relevant is None
        else np.stack([relevant, ~relevant])
    )
    has_votes = np.column_stack(
        [*((counts[:, :-1][:, kind] > 0).any(axis=1) for kind in kinds), unjudgeable > 0]
    )
    return vote_distance, has_votes.sum(axis=1) > 1


def _compute_rule_distance(grades: Floats, labels: Labels, rel: float) -> tuple[Floats, Flags]:
    """Return, for each item, how the rules' grades differ, as two arrays of shape (I,).

    The first is the distance between the lowest and the highest grade, the second whether the
    grades differ in relevance or judgeability.
    """
    has_number = ~np.isnan(grades)
    is_conflict = has_number.any(axis=0) & ~has_number.all(axis=0)
    low = np.where(has_number, grades, np.inf).min(axis=0)
    high = np.where(has_number, grades, -np.inf).max(axis=0)
    with np.errstate(invalid="ignore"):
        spread = np.where(has_number.any(axis=0), high - low, 0.0)
    return np.where(is_conflict, _compute_scale_width(labels), spread), is_conflict | (
        (low < rel) & (high >= rel) & (labels.values is not None)
    )


def _list_scale_positions(labels: Labels) -> Floats:
    return (
        np.arange(len(labels.scale), dtype=np.float64) if labels.values is None else labels.values
    )


def _compute_scale_width(labels: Labels) -> float:
    """Return the highest minus the lowest grade of the scale; 1 if there are fewer than two."""
    return float(np.ptp(_list_scale_positions(labels))) or 1.0 if len(labels.scale) else 1.0


def _convert_grades_to_numbers(result: Consensus) -> Floats:
    """Return each item's grade as a number, shape (I,); nan if it has none.

    Real values are rounded, halves down; words become positions on the scale.
    """
    if result.labels.values is None:
        return np.where(result.label >= 0, result.label, np.nan)
    # adding 0.0 converts -0.0 to 0.0
    return np.ceil(result.value - 0.5) + 0.0 if result.rule.is_real_valued else result.value


UNJUDGEABLE_SIGN = "✕"  # sign for an unjudgeable label in lists of labels


@dataclass(frozen=True, slots=True)
class DisagreedDocument:
    """Document whose latest labels by different assessors differ, with these labels.

    A label is a text of the scale, or the sign for unjudgeable. Labels of deliberately repeated
    items are ignored. The agreement page lists such documents.
    """

    topic: str  # topic id; empty if items are not documents of topics
    document: str  # document id
    labels: tuple[tuple[str, str], ...]  # (assessor, label), sorted by the assessor's name
    # number of steps on the scale between the lowest and the highest label; if a label is
    # unjudgeable, number of steps of the whole scale, at least 1
    distance: int

    @property
    def counts(self) -> tuple[tuple[str, int], ...]:
        """Labels with their counts, most frequent first."""
        return tuple(Counter(label for _, label in self.labels).most_common())


def find_disagreements(labels: Labels) -> tuple[DisagreedDocument, ...]:
    """Return documents whose latest labels differ, largest distance first.

    >>> from irjudge.model import make_labels
    >>> rows = [("d1", "ann", 0), ("d1", "bob", 1), ("d2", "ann", 0), ("d2", "bob", 2), ("d3", "ann", 1), ("d3", "bob", 1)]
    >>> [(each.document, each.distance, each.labels) for each in find_disagreements(make_labels(rows))]
    [('d2', 2, (('ann', '0'), ('bob', '2'))), ('d1', 1, (('ann', '0'), ('bob', '1')))]
    """
    latest_labels = labels.without_repeats().latest()
    order = np.lexsort((latest_labels.worker, latest_labels.item))
    item, worker, label = (
        latest_labels.item[order],
        latest_labels.worker[order],
        latest_labels.label[order],
    )
    starts = np.flatnonzero(np.diff(item, prepend=-1))
    lowest_grades, highest_grades = (
        operation.reduceat(label, starts) if len(starts) else label
        for operation in (np.minimum, np.maximum)
    )
    ends = np.append(starts[1:], len(item))
    documents = []
    for group in np.flatnonzero(lowest_grades != highest_grades).tolist():
        rows = slice(int(starts[group]), int(ends[group]))
        votes = tuple(
            sorted(
                (
                    labels.workers[worker_code],
                    UNJUDGEABLE_SIGN if label_code == UNJUDGEABLE else labels.scale[label_code],
                )
                for worker_code, label_code in zip(worker[rows], label[rows], strict=True)
            )
        )
        topic, document = (
            labels.pairs[item[rows][0]] if labels.pairs else ("", labels.items[item[rows][0]])
        )
        distance = (
            len(labels.scale) - 1
            if lowest_grades[group] == UNJUDGEABLE
            else int(highest_grades[group] - lowest_grades[group])
        )
        documents.append(DisagreedDocument(topic, document, votes, max(1, distance)))
    return tuple(
        sorted(documents, key=lambda document: (-document.distance, -len(document.labels)))
    )
