"""Simulated careful and careless assessors, and how often a verdict identifies them.

Run as a program it prints the table of the help: python tests/engine/stats/simulated_assessors.py
1000
"""

import sys
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, replace
from itertools import product
from typing import get_args

import numpy as np
import numpy.typing as npt

from irjudge.model import Labels, make_labels
from irjudge.stats import VerdictState, judge_assessors

SCALES = {"binary": 2, "0-3": 4}
OVERLAPS, PREVALENCES, ACCURACIES = (1, 3), (0.1, 0.3), (0.7, 0.8, 0.9)
JUDGMENTS, GOLD = 100, 10
# medians, and the standard deviation of the logarithm
CAREFUL_SECONDS = 8.0
HASTY_SECONDS = 0.8
SPREAD = 0.5
BYTES = 3000
Grades = npt.NDArray[np.int64]
Rng = np.random.Generator


@dataclass(frozen=True, slots=True)
class Cell:
    """Parameters of a simulated situation."""

    scale: str
    overlap: int
    prevalence: float
    accuracy: float

    @property
    def grades(self) -> int:
        """Return the number of grades."""
        return SCALES[self.scale]


CELLS = [Cell(*each) for each in product(SCALES, OVERLAPS, PREVALENCES, ACCURACIES)]


def truth_of(cell: Cell, rng: Rng) -> Grades:
    """Draw the true grades: 0 or, with equal probability, one of the others."""
    relevant = rng.random(JUDGMENTS) < cell.prevalence
    return np.where(relevant, rng.integers(1, cell.grades, JUDGMENTS), 0)


def judge_carefully(truth: Grades, cell: Cell, rng: Rng) -> Grades:
    """Return the true grade with the accuracy of the cell; else one of the other grades."""
    is_wrong = rng.random(len(truth)) >= cell.accuracy
    return np.where(
        is_wrong, (truth + rng.integers(1, cell.grades, len(truth))) % cell.grades, truth
    )


def press_any_digit(truth: Grades, cell: Cell, rng: Rng) -> Grades:
    """Return random grades."""
    return rng.integers(0, cell.grades, len(truth))


def judge_hastily(truth: Grades, cell: Cell, rng: Rng) -> Grades:
    """Return random grades for every second document."""
    return np.where(
        rng.random(len(truth)) < 0.5,
        press_any_digit(truth, cell, rng),
        judge_carefully(truth, cell, rng),
    )


KINDS: dict[str, Callable[[Grades, Cell, Rng], Grades]] = {
    "careful": judge_carefully,
    "hasty": judge_hastily,
    "half random": judge_hastily,
    "random": press_any_digit,
    "always zero": lambda truth, cell, rng: np.zeros_like(truth),
    "reversed": lambda truth, cell, rng: cell.grades - 1 - judge_carefully(truth, cell, rng),
    "copying": judge_carefully,  # copied labels are set below
}


def simulate(kind: str, cell: Cell, rng: Rng) -> Labels:
    """Return the labels of one assessor of a kind, `odd`, and of careful ones.

    All judge the same documents only if there is overlap. Only the hasty assessor is fast, so that
    times identify no other one.
    """
    truth = truth_of(cell, rng)
    labels = {
        f"careful {number}": judge_carefully(truth, cell, rng) for number in range(cell.overlap - 1)
    }
    labels["odd"] = (
        labels["careful 0"] if kind == "copying" and labels else KINDS[kind](truth, cell, rng)
    )
    rows = [
        (f"d{at}", name, int(grades[at]))
        for name, grades in labels.items()
        for at in range(JUDGMENTS)
    ]
    if cell.overlap == 1:  # others judge other documents
        for name in ("careful 0", "careful 1"):
            rows += [
                (f"{name} {at}", name, int(grade))
                for at, grade in enumerate(judge_carefully(truth_of(cell, rng), cell, rng))
            ]
    made = make_labels(rows, range(cell.grades)).with_gold(
        {f"d{at}": str(truth[at]) for at in rng.permutation(JUDGMENTS)[:GOLD]}
    )
    seconds = CAREFUL_SECONDS * np.exp(rng.normal(0, SPREAD, len(made)))
    if kind == "hasty":
        seconds[made.worker == made.workers.index("odd")] *= HASTY_SECONDS / CAREFUL_SECONDS
    return replace(made, seconds=seconds, sizes=np.full(len(made.items), float(BYTES)))


def verdict_shares(
    kind: str, cell: Cell, times: int, seed: int = 1
) -> tuple[dict[VerdictState, float], float]:
    """Return how often `odd` gets each verdict, and how often a careful assessor is flagged."""
    rng = np.random.default_rng([seed, CELLS.index(cell), list(KINDS).index(kind)])
    states: Counter[VerdictState] = Counter()
    alarms = copiers = 0
    for _ in range(times):
        labels = simulate(kind, cell, rng)
        for name, verdict in zip(labels.workers, judge_assessors(labels), strict=True):
            if name == "odd":
                states[verdict.state] += 1
            # the assessor who was copied is named too
            elif kind != "copying" or name != "careful 0":
                alarms += verdict.state == "stands out"
                copiers += 1
    return {state: count / times for state, count in states.items()}, alarms / max(copiers, 1)


if __name__ == "__main__":
    sys.stdout.write(
        "scale overlap prevalence accuracy kind stands_out nothing too_little careful_beside_named\n"
    )
    for cell, kind in product(CELLS, KINDS):
        found, alarms = verdict_shares(kind, cell, int(sys.argv[1]))
        shown = (*(found.get(state, 0) for state in get_args(VerdictState)), alarms)
        cells = (
            cell.scale,
            cell.overlap,
            cell.prevalence,
            cell.accuracy,
            kind.replace(" ", "-"),
            *(f"{share:.3f}" for share in shown),
        )
        sys.stdout.write(" ".join(map(str, cells)) + "\n")
