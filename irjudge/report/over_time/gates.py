"""What a pipeline asks of values: a floor that none may fall below, and that nothing gets worse."""

import math
from collections.abc import Iterable
from dataclasses import dataclass

from irjudge.errors import GateFailed, IrjudgeError
from irjudge.evaluation.comparison import ComparedPair, Comparison, compare
from irjudge.evaluation.leaders import ALPHA, CORRECTION, TEST, direction
from irjudge.evaluation.table import Evaluation
from irjudge.message import SEMICOLON, Message, listed
from irjudge.metrics.naming.names import parse
from irjudge.report.over_time.history import KeptEvaluation, compare_with
from irjudge.stats.rankings import SAME


@dataclass(frozen=True, slots=True)
class ValueFloor:
    """A value that no run may fall below."""

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
            "A floor is a measure and a number, as in nDCG@10=0.45, got {said}.", said=said
        )
    return ValueFloor(name.strip(), value)


def check_floors(evaluation: Evaluation, floors: Iterable[ValueFloor]) -> None:
    """Refuse values that are below a floor; GateFailed with every run that is."""
    policy = evaluation.policy
    fallen: list[str] = []
    for floor in floors:
        for measure in parse(floor.measure, rel=policy.rel, profile=policy.profile):
            values = {
                run.run: float(run.summary[evaluation.measures.index(measure)])
                for run in evaluation.runs
            }
            fallen += (
                Message(
                    "{measure} of {run} is {value:.4f}, below {floor:g}",
                    measure=measure.name,
                    run=run,
                    value=value,
                    floor=floor.value,
                )
                for run, value in values.items()
                if value < floor.value - SAME
            )
    _refuse(fallen)


def check_not_worse(
    evaluation: Evaluation,
    before: KeptEvaluation | None = None,
    *,
    baseline: str = "",
    by: float = 0.0,
    significant: bool = False,
) -> None:
    """Refuse runs that are worse, in a mean by more than `by`, than they were, or than a baseline among them, over the topics both have.

    `significant` counts only what the topics tell apart: a paired t-test at 0.05, corrected by Holm for the pairs. GateFailed with every
    run and measure that is worse. IrjudgeError when no measure says what is better, or nothing can be compared.
    """
    signs = {each.name: sign for each in evaluation.measures if (sign := direction(each))}
    if not signs:
        raise IrjudgeError(
            "None of the measures says which of two values is better; name one that does, such as AP."
        )
    found = _compared(evaluation, before, baseline)
    fallen = [
        pair for pair in found.pairs if -pair.difference * signs.get(pair.measure, 0) > by + SAME
    ]
    _refuse(_said(pair) for pair in fallen if not significant or pair.p_adjusted < ALPHA)


def _compared(evaluation: Evaluation, before: KeptEvaluation | None, baseline: str) -> Comparison:
    if before is None:
        return compare(evaluation, tests=(TEST,), correction=CORRECTION, baseline=baseline)
    return compare_with(evaluation, before, tests=(TEST,), correction=CORRECTION)


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
