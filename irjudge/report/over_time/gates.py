"""What a pipeline asks of values: a floor that none may fall below, and that nothing gets worse."""

import math
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from irjudge.errors import GateFailed, IrjudgeError
from irjudge.evaluation.comparison import (
    DEFAULT_ALPHA,
    DEFAULT_CORRECTION,
    DEFAULT_TEST,
    ComparedPair,
    Comparison,
    compare,
)
from irjudge.evaluation.table import Evaluation
from irjudge.message import SEMICOLON, Message, listed
from irjudge.metrics.naming.direction import to_goodness
from irjudge.metrics.naming.names import Measure, parse
from irjudge.model.topic import chosen_topics
from irjudge.report.over_time.history import KeptEvaluation, compare_with, pairs_with
from irjudge.stats.rankings import SAME

MOST_NAMED = 10  # topics in a message


@dataclass(frozen=True, slots=True)
class ValueFloor:
    """A value that no run may be worse than."""

    measure: str  # as it was said; what it means depends on the settings
    value: float


def parse_floor(said: str) -> ValueFloor:
    """Read `nDCG@10=0.45`; IrjudgeError when it is not a measure, a sign of equality and a number.

    >>> parse_floor("nDCG@10=0.45")
    ValueFloor(measure='nDCG@10', value=0.45)
    """
    name, sign, number = said.rpartition("=")
    try:
        value = float(number)
    except ValueError:
        value = math.nan
    if not sign or not name.strip() or not math.isfinite(value):
        raise IrjudgeError(
            "A floor is a measure and a number, as in nDCG@10=0.45, got {said}.",
            key="invalid-floor",
            said=said,
        )
    return ValueFloor(name.strip(), value)


def check_floors(evaluation: Evaluation, floors: Iterable[ValueFloor]) -> None:
    """Refuse values that are worse than a floor: below it, or above it where lower is better; GateFailed with every run that is."""
    _refuse([evaluation.topics_warning] if evaluation.topics_warning else [])
    policy = evaluation.policy
    fallen: list[str] = []
    for floor in floors:
        for measure in parse(floor.measure, rel=policy.rel, profile=policy.profile):
            place = evaluation.measures.index(measure)
            fallen += (
                _miss(measure, run.run, float(run.summary[place]), floor.value)
                for run in evaluation.runs
                if to_goodness(measure, floor.value - run.summary[place]) > SAME
            )
    _refuse(fallen)


def _miss(measure: Measure, run: str, value: float, floor: float) -> Message:
    template = (
        "{measure} of {run} is {value:.4f}, below {floor:g}"
        if value < floor
        else "{measure} of {run} is {value:.4f}, above {floor:g}"
    )
    return Message(template, measure=measure.name, run=run, value=value, floor=floor)


def check_not_worse(
    evaluation: Evaluation,
    before: KeptEvaluation | None = None,
    *,
    baseline: str = "",
    by: float = 0.0,
    significant: bool = False,
) -> None:
    """Refuse runs that are worse, in a mean by more than `by`, than they were, or than a baseline among them, over the topics both have.

    A run that lacks topics of what it is compared with fails too, since a query that finds nothing any more may leave no line.
    `significant` counts only what the topics tell apart: a paired t-test at 0.05, corrected by Holm for the pairs. GateFailed with every
    run and measure that is worse. IrjudgeError when no measure says what is better, or nothing can be compared.
    """
    measures = {each.name: each for each in evaluation.measures if each.direction}
    if not measures:
        raise IrjudgeError(
            "None of the measures says which of two values is better; name one that does, such as AP.",
            key="no-direction",
        )
    _refuse(_missing_topics(evaluation, before, baseline))
    _refuse([evaluation.topics_warning] if evaluation.topics_warning else [])
    found = _compared(evaluation, before, baseline)
    fallen = [
        pair
        for pair in found.pairs
        if pair.measure in measures
        and to_goodness(measures[pair.measure], -pair.difference) > by + SAME
    ]
    _refuse(_said(pair) for pair in fallen if not significant or pair.p_adjusted < DEFAULT_ALPHA)


def _missing_topics(
    evaluation: Evaluation, before: KeptEvaluation | None, baseline: str
) -> Iterator[str]:
    """Yield for each run which topics of its baseline it lacks; topics that were excluded by name do not count."""
    if before is None:
        baselines = [run for run in evaluation.runs if run.run == baseline]
        pairs = tuple(
            (run, other) for other in baselines for run in evaluation.runs if run is not other
        )
    else:
        pairs = pairs_with(evaluation, before)
    only = evaluation.policy.only
    for run, other in pairs:
        asked = {*chosen_topics(only, evaluation.qrels.topics)} if only else {*other.topics}
        missing = [topic for topic in other.topics if topic in asked.difference(run.topics)]
        if missing:
            yield Message(
                "{run} lacks {count} of the topics of its baseline: {topics}; if its queries find nothing there, evaluate with"
                " --topics qrels, which counts them as 0",
                run=run.run,
                count=len(missing),
                topics=_listed_some(missing),
            )


def _listed_some(topics: Sequence[str]) -> str:
    return ", ".join(topics[:MOST_NAMED]) + (" …" if len(topics) > MOST_NAMED else "")


def _compared(evaluation: Evaluation, before: KeptEvaluation | None, baseline: str) -> Comparison:
    if before is None:
        return compare(
            evaluation, tests=(DEFAULT_TEST,), correction=DEFAULT_CORRECTION, baseline=baseline
        )
    return compare_with(evaluation, before, tests=(DEFAULT_TEST,), correction=DEFAULT_CORRECTION)


def _said(pair: ComparedPair) -> str:
    return Message(
        "{measure} of {run} is worse than that of {other}: {now:.4f} after {then:.4f} (difference {difference:+.4f}, p {p:.4f})",
        measure=pair.measure,
        run=pair.run_a,
        other=pair.run_b,
        now=pair.mean_a,
        then=pair.mean_b,
        difference=pair.difference,
        p=pair.p_adjusted,
    )


def _refuse(fallen: Iterable[str]) -> None:
    words = list(fallen)
    if words:
        raise GateFailed("{fallen}.", fallen=listed(words, SEMICOLON))
