"""Order of a measure's values: which are better, by the direction that the measure declares.

Whatever ranks runs or topics, marks the best value or counts wins calls these functions, so that measures
where lower values are better are ranked the right way everywhere.
"""

import re

import numpy as np
import numpy.typing as npt

from irjudge.errors import MeasureError
from irjudge.metrics.basis.judged import Floats
from irjudge.metrics.naming.names import Measure
from irjudge.metrics.naming.registry import SHIPPED


def to_goodness(measure: Measure, values: npt.ArrayLike) -> Floats:
    """Return values, of any shape, turned so that higher is better.

    Values of a measure that says nothing of quality stay as they are: they are listed from high to low, but
    none of them is the best (`Measure.direction` is 0).

    >>> from irjudge.metrics.naming.names import parse
    >>> to_goodness(parse("SetE")[0], [0.2, 0.5]).tolist()
    [-0.2, -0.5]
    """
    found = np.asarray(values, dtype=np.float64)
    return -found if measure.direction < 0 else found


def best_first(measure: Measure, values: npt.ArrayLike) -> list[int]:
    """Return the indices of values, shape (N,), best first; equal ones keep their order, nan comes last.

    >>> from irjudge.metrics.naming.names import parse
    >>> best_first(parse("SetE")[0], [0.5, 0.2, 0.9]), best_first(parse("AP")[0], [0.5, 0.2, 0.9])
    ([1, 0, 2], [2, 0, 1])
    """
    order: list[int] = np.argsort(-to_goodness(measure, values), kind="stable").tolist()
    return order


def count_outcomes(measure: Measure, differences: npt.ArrayLike) -> tuple[int, int, int]:
    """Return on how many topics the first of two runs is better, equal and worse, from first less second.

    >>> from irjudge.metrics.naming.names import parse
    >>> count_outcomes(parse("SetE")[0], [-0.1, -0.2, 0.0, 0.3])
    (2, 1, 1)
    """
    signs = np.sign(to_goodness(measure, differences))
    better, equal, worse = (int((signs == sign).sum()) for sign in (1, 0, -1))
    return better, equal, worse


def is_lower_better(name: str) -> bool:
    """Return whether a column of someone's table is called by a measure of which lower values are better.

    >>> is_lower_better("fallout"), is_lower_better("E@10"), is_lower_better("our own score")
    (True, True, False)
    """
    try:
        declaration = SHIPPED.find(re.split(r"[(@]", name, maxsplit=1)[0])
    except MeasureError:
        return False
    return declaration.better == "lower"
