"""The rules of consensus: one declaration a rule, filled by the decorator `rule`."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from functools import reduce
from typing import Literal, TypeAlias, get_args

import numpy as np

from irjudge.catalogue import Catalogue, about
from irjudge.message import Message
from irjudge.model.labels import Labels
from irjudge.stats.consensus.dawid_skene import TOLERANCE, Fitted, Fitting, dawid_skene, one_coin
from irjudge.stats.consensus.glad_mace import glad, mace
from irjudge.stats.rankings import Floats, Longs

Ties: TypeAlias = Literal["lower", "higher"]
TIES: tuple[Ties, ...] = get_args(Ties)
TIES_MEAN: dict[Ties, str] = {
    "lower": Message("the lower grade, which keeps what is called relevant sure"),
    "higher": Message("the higher grade, which keeps what is called relevant complete"),
}
LISTED = 9  # votes that a reason lists one by one


@dataclass(frozen=True, slots=True)
class RuleSettings:
    """What rules may be told: who wins a tie of a majority, and how models are fitted."""

    ties: Ties = "lower"
    fitting: Fitting = field(default_factory=Fitting)


@dataclass(frozen=True, slots=True, eq=False)
class ConsensusGrades:
    """What a rule says of I items: a code each (any for an item without a grade), real values if it has any, the model if it fits one."""

    label: Longs
    value: Floats | None = None
    model: Fitted | None = None


RuleFunction: TypeAlias = Callable[[Labels, Longs, RuleSettings], ConsensusGrades]
# Takes the scale, how many gave each of its labels, and the code of the consensus; says why it is that.
Reason: TypeAlias = Callable[[Sequence[str], Sequence[int], int, RuleSettings], str]


@dataclass(frozen=True, slots=True)
class Rule:
    """A rule of consensus: its name and title, whether it takes numbers, whether grades are real-valued, what computes it."""

    name: str
    title: str
    numbers: bool
    real: bool
    function: RuleFunction
    reason: Reason

    @property
    def about(self) -> str:
        """The first paragraph of the docstring."""
        return about(self.function)


RULES: Catalogue[Rule] = Catalogue(Message("Method"))
find_rule = RULES.find


def rule(
    name: str, title: str, reason: Reason, *, numbers: bool = False, real: bool = False
) -> Callable[[RuleFunction], RuleFunction]:
    """Add the decorated function to the rules; the words are explained by `Rule`."""

    def register(function: RuleFunction) -> RuleFunction:
        RULES.add(Rule(name, title, numbers, real, function, reason))
        return function

    return register


def _majority_reason(
    scale: Sequence[str], counts: Sequence[int], label: int, settings: RuleSettings
) -> str:
    others = [
        scale[at] for at, count in enumerate(counts) if count == counts[label] and at != label
    ]
    said = said_so(scale, counts, label)
    if not others:
        return said
    joined = reduce(
        lambda first, second: Message("{first} and {second}", first=first, second=second), others
    )
    if settings.ties == "lower":
        return Message(
            "{said}, as many said {others}; ties go to the lower grade",
            key="tie-lower",
            said=said,
            others=joined,
        )
    return Message(
        "{said}, as many said {others}; ties go to the higher grade",
        key="tie-higher",
        said=said,
        others=joined,
    )


def _median_reason(
    scale: Sequence[str], counts: Sequence[int], _label: int, _settings: RuleSettings
) -> str:
    return Message(
        "the {rest}median of {votes}",
        rest="lower " if sum(counts) % 2 == 0 else "",
        votes=_votes(scale, counts),
    )


def _mean_reason(
    scale: Sequence[str], counts: Sequence[int], _label: int, _settings: RuleSettings
) -> str:
    return Message("the mean of {votes}", votes=_votes(scale, counts))


def _model_reason(
    scale: Sequence[str], counts: Sequence[int], label: int, _settings: RuleSettings
) -> str:
    return said_so(scale, counts, label)


def said_so(scale: Sequence[str], counts: Sequence[int], label: int) -> str:
    """Return how many of an item's graders gave a label: `2 of 3 said 2`."""
    return Message(
        "{value} of {counts} said {scale}",
        value=counts[label] or "none",
        counts=sum(counts),
        scale=scale[label],
    )


def _votes(scale: Sequence[str], counts: Sequence[int]) -> str:
    if sum(counts) <= LISTED:
        return " ".join(scale[at] for at, count in enumerate(counts) for _ in range(count))
    return ", ".join(f"{count} × {scale[at]}" for at, count in enumerate(counts) if count)


@rule("majority", Message("Majority"), _majority_reason)
def majority(_labels: Labels, counts: Longs, settings: RuleSettings) -> ConsensusGrades:
    """Take the label that most workers gave; a tie goes to the lower one, or the higher one where that is wished."""
    if settings.ties == "lower":
        return ConsensusGrades(counts.argmax(axis=1))
    return ConsensusGrades(counts.shape[1] - 1 - counts[:, ::-1].argmax(axis=1))


@rule("lower-median", "Lower median", _median_reason, numbers=True)
def lower_median(_labels: Labels, counts: Longs, _settings: RuleSettings) -> ConsensusGrades:
    """Take the middle label; of an even number the lower of the middle two."""
    half = (counts.sum(axis=1) + 1) // 2
    return ConsensusGrades((np.cumsum(counts, axis=1) >= half[:, None]).argmax(axis=1))


@rule("mean", Message("Mean"), _mean_reason, numbers=True, real=True)
def mean(labels: Labels, counts: Longs, _settings: RuleSettings) -> ConsensusGrades:
    """Take the mean of the labels as numbers: real-valued, and moved by every careless worker."""
    values = labels.values if labels.values is not None else np.zeros(counts.shape[1])
    value = counts @ values / np.maximum(counts.sum(axis=1), 1)
    return ConsensusGrades(np.abs(value[:, None] - values[None, :]).argmin(axis=1), value)


@rule("one-coin", "One-coin model", _model_reason)
def one_coin_rule(labels: Labels, counts: Longs, settings: RuleSettings) -> ConsensusGrades:
    """Take the label that is likeliest where each worker is right with a chance of their own; for workers with under 100 labels."""
    return _modelled(one_coin(labels, settings.fitting), counts)


@rule("dawid-skene", "Dawid-Skene model", _model_reason)
def dawid_skene_rule(labels: Labels, counts: Longs, settings: RuleSettings) -> ConsensusGrades:
    """Take the label that is likeliest where each worker confuses grades in their own way; for 300 labels a worker or 5 an item."""
    return _modelled(dawid_skene(labels, settings.fitting), counts)


@rule("glad", Message("GLAD model"), _model_reason)
def glad_rule(labels: Labels, counts: Longs, settings: RuleSettings) -> ConsensusGrades:
    """Take the label that is likeliest where workers differ in ability and items in difficulty; for items that several labelled."""
    return _modelled(glad(labels, settings.fitting), counts)


@rule("mace", Message("MACE model"), _model_reason)
def mace_rule(labels: Labels, counts: Longs, settings: RuleSettings) -> ConsensusGrades:
    """Take the label that is likeliest where workers either look or give grades without looking; for crowds with careless workers."""
    return _modelled(mace(labels, settings.fitting), counts)


def _modelled(fitted: Fitted, counts: Longs) -> ConsensusGrades:
    # Chances no further apart than where fitting rests are equal: most votes have it, then the lower grade.
    close = fitted.chances >= fitted.chances.max(axis=1, keepdims=True) - 10 * TOLERANCE
    return ConsensusGrades(np.where(close, counts, -1).argmax(axis=1), None, fitted)
