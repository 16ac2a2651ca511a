"""Intervals of proportions, many at once."""

from statistics import NormalDist

import numpy as np
import numpy.typing as npt

from irjudge.stats.rankings import Floats

LEVEL = 0.95
Z = NormalDist().inv_cdf((1 + LEVEL) / 2)


def wilson(
    count: npt.ArrayLike, total: npt.ArrayLike, level: float = LEVEL
) -> tuple[Floats, Floats]:
    """Return the ends of Wilson's score intervals of proportions of independent trials.

    Parameters
    ----------
    count, total
        Of one shape: successes and trials, 0 <= count <= total.
    level
        How often such an interval holds the truth.

    Returns
    -------
    tuple of arrays
        Low and high ends, within [0, 1] and around count / total; nan without a trial.

    References
    ----------
    Wilson (1927), Probable inference, the law of succession, and statistical inference, JASA 22.

    Examples
    --------
    >>> low, high = wilson([61, 0], [100, 0])
    >>> low.round(4).tolist(), high.round(4).tolist()
    ([0.512, nan], [0.6998, nan])
    """
    successes, trials = np.asarray(count, dtype=np.float64), np.asarray(total, dtype=np.float64)
    trials = np.where(trials > 0, trials, np.nan)
    z = NormalDist().inv_cdf((1 + level) / 2)
    share, square = successes / trials, z * z / trials
    centre = (share + square / 2) / (1 + square)
    half = z / (1 + square) * np.sqrt(share * (1 - share) / trials + square / trials / 4)
    return np.clip(centre - half, 0, share), np.clip(centre + half, share, 1)
