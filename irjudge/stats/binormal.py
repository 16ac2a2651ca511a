"""The smooth curve of precision over recall that two normal distributions of scores would give."""

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt
from scipy.optimize import least_squares
from scipy.special import expit, logit, ndtr, ndtri

from irjudge.errors import MeasureError
from irjudge.metrics.judged import Floats, divide

LEVELS = 1000
# Where the search begins, and the limits it keeps: beyond them no curve looks different.
STARTS = ((0.5, 0.0), (2.0, 0.0), (3.0, 1.0))
LOWEST, HIGHEST = (-5.0, -3.0, -14.0), (10.0, 3.0, 14.0)


@dataclass(frozen=True, slots=True)
class Binormal:
    """Scores of relevant documents are normal, those of others too; each with its own mean and spread.

    Parameters
    ----------
    separation
        How far the mean of the relevant documents lies above that of the others, in standard deviations of the others.
    spread
        The standard deviation of the relevant documents over that of the others, above 0.
    share
        The share of relevant documents, above 0 and at most 1: the precision at recall 1.
    error
        The root of the mean squared difference in precision at the points it was fitted to.
    """

    separation: float
    spread: float
    share: float
    error: float = 0.0

    def precision(self, recall: npt.ArrayLike) -> Floats:
        """Return the precision at levels of recall from 0 to 1, in the same shape.

        Examples
        --------
        >>> Binormal(separation=0.0, spread=1.0, share=0.25).precision([0.5, 1.0])
        array([0.25, 0.25])
        """
        level = np.clip(np.asarray(recall, dtype=np.float64), 1e-12, 1.0)
        wrong = ndtr(self.spread * ndtri(level) - self.separation)
        return divide(self.share * level, self.share * level + (1 - self.share) * wrong)

    @property
    def area(self) -> float:
        """The area under the curve, between 0 and 1."""
        levels = (np.arange(LEVELS) + 0.5) / LEVELS
        return float(self.precision(levels).mean())


def fit_binormal(recall: npt.ArrayLike, precision: npt.ArrayLike, *, share: float | None = None) -> Binormal:
    """Return the binormal curve that comes nearest to points of a curve of precision over recall.

    Parameters
    ----------
    recall, precision
        Shape (N,) each, between 0 and 1: the points of a topic, or an average curve. Points of recall 0 say nothing of the model and
        are left out.
    share
        The share of relevant documents among all that were ranked, above 0 and below 1, where it is known; None fits it too.

    Returns
    -------
    Binormal
        With the smallest sum of squared differences in precision that was found.

    Raises
    ------
    MeasureError
        When there are fewer points of different recall than numbers to fit (three, or two where `share` is given), or `share` is no
        such share.

    Notes
    -----
    The curve is that of Brodersen et al.; they estimate its numbers from the scores of the documents. Scores of different systems and
    topics are not comparable and a ranking may have none, so that here the curve is fitted to the points, by least squares.

    References
    ----------
    Brodersen, Ong, Stephan and Buhmann (2010), The binormal assumption on precision-recall curves, ICPR, 4263–4266.

    Examples
    --------
    >>> points = [0.1, 0.4, 0.7, 1.0]
    >>> fit = fit_binormal(points, Binormal(separation=2.0, spread=1.0, share=0.2).precision(points))
    >>> round(fit.separation, 3), round(fit.spread, 3), round(fit.share, 3)
    (2.0, 1.0, 0.2)
    """
    x, y = np.asarray(recall, dtype=np.float64), np.asarray(precision, dtype=np.float64)
    x, y = x[x > 0], y[x > 0]
    if share is not None and not 0 < share < 1:
        raise MeasureError(f"share must be above 0 and below 1, got {share:g}.")
    wanted = 3 if share is None else 2
    if len(np.unique(x)) < wanted:
        raise MeasureError(f"A binormal curve needs {wanted} points of different recall above 0 or more, got {len(np.unique(x))}.")

    def curve(numbers: Floats) -> Binormal:
        known = share if share is not None else float(expit(numbers[2]))
        return Binormal(float(numbers[0]), float(np.exp(numbers[1])), known)

    def differences(numbers: Floats) -> Floats:
        return curve(numbers).precision(x) - y

    # The precision at the highest recall is the first guess of the share.
    guess = () if share is not None else (float(logit(np.clip(y[np.argmax(x)], 1e-3, 1 - 1e-3))),)
    fits = [least_squares(differences, (*start, *guess), bounds=(LOWEST[:wanted], HIGHEST[:wanted])) for start in STARTS]
    best = min(fits, key=lambda fit: float(fit.cost))
    found = curve(best.x)
    return Binormal(found.separation, found.spread, found.share, float(np.sqrt(np.mean(np.square(best.fun)))))
