"""How an evaluation was computed, and what its measures are, in words for every form of report."""

import math
from datetime import UTC, datetime

from irjudge.evaluation.judged_runs import TOPICS_MEAN
from irjudge.evaluation.table import AVERAGE_MEANS, Evaluation
from irjudge.metrics.naming.names import Measure
from irjudge.metrics.naming.parameters import show
from irjudge.metrics.naming.profiles import RULES
from irjudge.model.order import MEANING
from irjudge.report.workbook.formulas import is_count
from irjudge.shipped import program


def settings(evaluation: Evaluation) -> dict[str, str]:
    """Return with what program, when, and how an evaluation was computed."""
    policy = evaluation.policy
    said = {
        "Program": program(),
        "Written": f"{datetime.now(UTC):%Y-%m-%d %H:%M} UTC",
        "Topics averaged": TOPICS_MEAN[policy.topics],
        "Order of ties": f"{policy.ties}: {MEANING[policy.ties]}",
        "Relevant": f"grade {policy.rel} or more",
        "Runs": str(len(evaluation.runs)),
    }
    if policy.only:
        said["Only topics"] = policy.only
    if policy.average != "macro":
        said["Average"] = f"{policy.average}: {AVERAGE_MEANS[policy.average]}"
    if policy.profile != "irjudge":
        said["Profile"] = f"{policy.profile}: {RULES[policy.profile].meaning}"
    if policy.depth is not None:
        said["Depth"] = f"only the top {policy.depth:,} of each ranking"
    if evaluation.highest is not None:
        said["Highest grade"] = str(evaluation.highest)
    return said


def averaged_words(measure: Measure, evaluation: Evaluation) -> str:
    """Return how the topics' values become the run's."""
    if is_count(measure):
        return "sum over the topics"
    if measure.declaration.mean == "geometric":
        return "geometric mean over the topics"
    average = evaluation.policy.average
    return "mean over the topics" if average == "macro" else AVERAGE_MEANS[average]


def bounds_words(low: float, high: float) -> str:
    """Return between which values a measure lies."""
    if math.isinf(low):
        return "any number" if math.isinf(high) else f"{show(high)} or less"
    if math.isinf(high):
        return f"{show(low)} or more"
    if low == high:
        return show(low)
    return f"{show(low)} to {show(high)}"
