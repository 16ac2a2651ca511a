"""Power analysis of paired t-tests and one-way ANOVA: topics needed, detectable differences."""

import math
from dataclasses import dataclass
from functools import lru_cache
from typing import Protocol

import numpy as np
import scipy

from irjudge.errors import IrjudgeError

ALPHA, POWER = 0.05, 0.8  # default significance level and power, as in Sakai's tables
MAX_TOPICS = 1_000_000
MAX_BISECTIONS = 60  # enough for full precision, since a float has fewer binary digits


class ComparisonDesign(Protocol):
    """Interface of designs for which the power to detect a difference can be computed.

    `deviation` is the standard deviation of the data, above 0. `power` returns the power of the
    test with a number of topics. A design is hashable.
    """

    @property
    def deviation(self) -> float: ...  # noqa: D102

    def power(self, topics: int, difference: float, alpha: float = ALPHA) -> float: ...  # noqa: D102

    def __hash__(self) -> int: ...


@dataclass(frozen=True, slots=True)
class PairedDesign:
    """Design that compares two systems on the same topics by a two-sided paired t-test.

    Its deviation is the standard deviation of the differences by topic.

    >>> round(PairedDesign(1.0).power(34, 0.5), 4)
    0.8078
    """

    deviation: float  # standard deviation of the differences by topic, above 0

    def power(self, topics: int, difference: float, alpha: float = ALPHA) -> float:
        """Return the power, computed from the noncentral t distribution.

        It has topics - 1 degrees of freedom.
        """
        critical_value = float(scipy.special.stdtrit(topics - 1, 1 - alpha / 2))
        noncentrality = abs(difference) / self.deviation * math.sqrt(topics)
        upper_tail, lower_tail = np.nan_to_num(
            scipy.special.nctdtr(topics - 1, noncentrality, [critical_value, -critical_value])
        )  # the function returns nan for a tail that is too small for a float
        return float(1 - upper_tail + lower_tail)


@dataclass(frozen=True, slots=True)
class OneWayDesign:
    """Design in which several systems are compared by one-way ANOVA.

    The difference to detect is that between the best and the worst system. All other systems are
    assumed to be midway between these two, where the power is lowest, so that the noncentrality is
    n·difference²/(2·deviation²).

    References
    ----------
    Sakai (2016), Topic set size design, Information Retrieval Journal 19(3).

    Examples
    --------
    >>> round(OneWayDesign(1.0, 4).power(60, 0.5**0.5), 4)  # f² = .0625
    0.9122
    """

    deviation: float  # standard deviation of the scores of each system over topics, above 0
    systems: int  # number of systems, 2 or more

    def power(self, topics: int, difference: float, alpha: float = ALPHA) -> float:
        """Return the power, computed from the noncentral F distribution.

        With m systems and n topics, it has m - 1 and m(n - 1) degrees of freedom.
        """
        between_df, within_df = self.systems - 1, self.systems * (topics - 1)
        critical_value = float(scipy.special.fdtri(between_df, within_df, 1 - alpha))
        noncentrality = topics * (difference / self.deviation) ** 2 / 2
        return float(
            1
            - np.nan_to_num(
                scipy.special.ncfdtr(between_df, within_df, noncentrality, critical_value)
            )
        )


def required_topics(
    design: ComparisonDesign, difference: float, *, alpha: float = ALPHA, power: float = POWER
) -> int | None:
    """Return the smallest number of topics with which the power is `power` or more.

    None if the difference is 0, or if more than `MAX_TOPICS` would be needed.

    >>> required_topics(PairedDesign(0.2), 0.1), required_topics(OneWayDesign(1.0, 4), 0.5**0.5, power=0.9)
    (34, 58)
    """
    _check_levels(alpha, power)
    if difference == 0:
        return None
    low, high = 1, 2
    while design.power(high, difference, alpha) < power:
        if high == MAX_TOPICS:
            return None
        low, high = high, min(high * 2, MAX_TOPICS)
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (
            (low, middle) if design.power(middle, difference, alpha) >= power else (middle, high)
        )
    return high


def detectable_difference(
    design: ComparisonDesign, topics: int, *, alpha: float = ALPHA, power: float = POWER
) -> float | None:
    """Return the smallest difference for which the power is `power` with `topics` topics.

    None if there are fewer than two topics.

    >>> round(detectable_difference(PairedDesign(0.2), 34), 4)
    0.099
    """
    _check_levels(alpha, power)
    return _compute_detectable_difference(design, topics, alpha, power) if topics >= 2 else None


@lru_cache(maxsize=4096)  # the window draws the same curve again when another pair is selected
def _compute_detectable_difference(
    design: ComparisonDesign, topics: int, alpha: float, power: float
) -> float:
    low, high = 0.0, design.deviation
    while design.power(topics, high, alpha) < power:
        low, high = high, high * 2
    for _ in range(MAX_BISECTIONS):
        middle = (low + high) / 2
        low, high = (
            (low, middle) if design.power(topics, middle, alpha) >= power else (middle, high)
        )
    return high


def required_topics_for_effect(effect: float, *, alpha: float = ALPHA, power: float = POWER) -> int:
    """Return the number of topics that a two-sided paired t-test needs to detect an effect size.

    `effect` is the mean difference divided by the standard deviation of the differences; its sign
    is ignored. `alpha` is the probability of a type I error, and `power` that of detecting the
    effect. Raises IrjudgeError if the effect is 0 or needs too many topics (see `required_topics`),
    or if alpha or power is not between 0 and 1.

    >>> [required_topics_for_effect(effect) for effect in (.2, .3, .5, .8)]
    [199, 90, 34, 15]
    """
    topics = required_topics(PairedDesign(1.0), effect, alpha=alpha, power=power)
    if topics is None:
        raise IrjudgeError(
            "To detect an effect of {effect:g}, more than a million topics would be needed.",
            effect=effect,
        )
    return topics


def _check_levels(alpha: float, power: float) -> None:
    if not (0 < alpha < 1 and 0 < power < 1):
        raise IrjudgeError(
            "alpha and power must be between 0 and 1, got {alpha:g} and {power:g}.",
            alpha=alpha,
            power=power,
        )
