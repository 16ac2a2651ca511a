"""Binormal precision–recall curves, which assume normally distributed document scores."""

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt
import scipy

from irjudge.errors import MeasureError
from irjudge.metrics import Floats, divide

# The curve is sampled at the midpoints of equal steps of recall, so that the mean precision of the
# samples is the area under the curve
BINORMAL_STEPS = 1000
# Each fit starts from one of these pairs of separation and logarithm of the spread. The limits are
# those of the separation, the logarithm of the spread, and the logit of the share.
STARTING_POINTS = ((0.5, 0.0), (2.0, 0.0), (3.0, 1.0))
LOWER_LIMITS, UPPER_LIMITS = (-5.0, -3.0, -14.0), (10.0, 3.0, 14.0)
BINORMAL_PARAMETERS = len(LOWER_LIMITS)


@dataclass(frozen=True, slots=True)
class BinormalCurve:
    """Precision–recall curve of a ranking by scores that are normally distributed.

    The scores of relevant documents and the scores of other documents each follow a normal
    distribution.
    """

    # mean score of relevant documents minus mean score of other documents, in standard deviations
    # of the scores of other documents
    separation: float
    # standard deviation of the scores of relevant documents, divided by that of other documents
    spread: float
    share: float  # share of relevant documents, above 0 and at most 1: the precision at recall 1
    error: float = 0.0  # root mean squared difference in precision at the fitted points

    def precision(self, recall: npt.ArrayLike) -> Floats:
        """Return the precision at each level of recall, as an array of the same shape.

        Levels are from 0 to 1.

        >>> BinormalCurve(separation=0.0, spread=1.0, share=0.25).precision([0.5, 1.0])
        array([0.25, 0.25])
        """
        level = np.clip(np.asarray(recall, dtype=np.float64), 1e-12, 1.0)
        false_rate = scipy.special.ndtr(self.spread * scipy.special.ndtri(level) - self.separation)
        return divide(self.share * level, self.share * level + (1 - self.share) * false_rate)

    @property
    def area(self) -> float:
        """Area under the curve, between 0 and 1."""
        return float(self.precision((np.arange(BINORMAL_STEPS) + 0.5) / BINORMAL_STEPS).mean())


def fit_binormal(recall: npt.ArrayLike, precision: npt.ArrayLike) -> BinormalCurve:
    """Return the binormal curve closest to points of a precision–recall curve.

    Parameters
    ----------
    recall, precision
        Shape (N,) each, between 0 and 1: the points of a topic, or an average curve. Points of recall 0 are ignored.

    Returns
    -------
    BinormalCurve
        The best of several local fits: the curve with the smallest sum of squared differences in
        precision.

    Raises
    ------
    MeasureError
        If there are fewer distinct levels of recall above 0 than parameters of the curve.

    Notes
    -----
    The curve is that of Brodersen et al., who estimate its parameters from document scores. Scores
    of different systems and topics are not comparable, and rankings may have none. Therefore this
    function fits the curve to the points by least squares.

    References
    ----------
    Brodersen, Ong, Stephan and Buhmann (2010), The binormal assumption on precision-recall curves, ICPR, 4263–4266.

    Examples
    --------
    >>> points = [0.1, 0.4, 0.7, 1.0]
    >>> fit = fit_binormal(points, BinormalCurve(separation=2.0, spread=1.0, share=0.2).precision(points))
    >>> round(fit.separation, 3), round(fit.spread, 3), round(fit.share, 3)
    (2.0, 1.0, 0.2)
    """
    x, y = np.asarray(recall, dtype=np.float64), np.asarray(precision, dtype=np.float64)
    x, y = x[x > 0], y[x > 0]
    if (point_count := len(np.unique(x))) < BINORMAL_PARAMETERS:
        raise MeasureError(
            "A binormal curve needs at least {minimum} points that differ in recall and "
            "have a recall above 0, got {count}.",
            minimum=BINORMAL_PARAMETERS,
            count=point_count,
        )
    # The initial value of the share is the precision at the highest recall.
    initial_share = float(scipy.special.logit(np.clip(y[np.argmax(x)], 1e-3, 1 - 1e-3)))
    search, limits = scipy.optimize.least_squares, (LOWER_LIMITS, UPPER_LIMITS)
    fits = [
        search(
            lambda parameters: _make_precision_curve(parameters).precision(x) - y,
            (*start, initial_share),
            bounds=limits,
        )
        for start in STARTING_POINTS
    ]
    best_fit = min(fits, key=lambda fit: float(fit.cost))
    return _make_precision_curve(best_fit.x, float(np.sqrt(np.mean(np.square(best_fit.fun)))))


def _make_precision_curve(numbers: Floats, error: float = 0.0) -> BinormalCurve:
    separation, log_spread, logit_share = numbers.tolist()
    return BinormalCurve(
        separation, float(np.exp(log_spread)), float(scipy.special.expit(logit_share)), error
    )
