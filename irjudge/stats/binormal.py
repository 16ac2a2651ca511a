"""The smooth curve of precision over recall that two normal distributions of scores would give."""

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt
import scipy

from irjudge.errors import MeasureError
from irjudge.metrics import Floats, divide

# The curve is drawn through the middles of as many equal steps of recall, so that its mean height is its area.
BINORMAL_STEPS = 1000
# Where the search begins: separation, logarithm of the spread, logit of the share. Beyond the limits no curve looks different.
STARTING_POINTS = ((0.5, 0.0), (2.0, 0.0), (3.0, 1.0))
LOWEST, HIGHEST = (-5.0, -3.0, -14.0), (10.0, 3.0, 14.0)
BINORMAL_PARAMETERS = len(LOWEST)


@dataclass(frozen=True, slots=True)
class BinormalCurve:
    """Scores of relevant documents are normal, those of others too, each with a mean and a spread of their own."""

    separation: float  # how far the mean of the relevant documents lies above that of the others, in standard deviations of the others
    spread: (
        float  # the standard deviation of the relevant documents over that of the others, above 0
    )
    share: float  # of relevant documents, above 0 and at most 1: the precision at recall 1
    error: float = (
        0.0  # the root of the mean squared difference in precision at the points it was fitted to
    )

    def precision(self, recall: npt.ArrayLike) -> Floats:
        """Return the precision at levels of recall from 0 to 1, in the same shape.

        >>> BinormalCurve(separation=0.0, spread=1.0, share=0.25).precision([0.5, 1.0])
        array([0.25, 0.25])
        """
        level = np.clip(np.asarray(recall, dtype=np.float64), 1e-12, 1.0)
        wrong = scipy.special.ndtr(self.spread * scipy.special.ndtri(level) - self.separation)
        return divide(self.share * level, self.share * level + (1 - self.share) * wrong)

    @property
    def area(self) -> float:
        """The area under the curve, between 0 and 1."""
        return float(self.precision((np.arange(BINORMAL_STEPS) + 0.5) / BINORMAL_STEPS).mean())


def fit_binormal(recall: npt.ArrayLike, precision: npt.ArrayLike) -> BinormalCurve:
    """Return the binormal curve that comes nearest to points of a curve of precision over recall.

    Parameters
    ----------
    recall, precision
        Shape (N,) each, between 0 and 1: the points of a topic, or an average curve. Points of recall 0 say nothing of the model and
        are left out.

    Returns
    -------
    BinormalCurve
        With the smallest sum of squared differences in precision that was found.

    Raises
    ------
    MeasureError
        When there are fewer points of different recall than numbers to fit.

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
    >>> fit = fit_binormal(points, BinormalCurve(separation=2.0, spread=1.0, share=0.2).precision(points))
    >>> round(fit.separation, 3), round(fit.spread, 3), round(fit.share, 3)
    (2.0, 1.0, 0.2)
    """
    x, y = np.asarray(recall, dtype=np.float64), np.asarray(precision, dtype=np.float64)
    x, y = x[x > 0], y[x > 0]
    if (there := len(np.unique(x))) < BINORMAL_PARAMETERS:
        raise MeasureError(
            "A binormal curve needs {numbers} points of different recall above 0 or more, got "
            "{there}.",
            numbers=BINORMAL_PARAMETERS,
            there=there,
        )
    # The precision at the highest recall is the first guess of the share.
    guess = float(scipy.special.logit(np.clip(y[np.argmax(x)], 1e-3, 1 - 1e-3)))
    search, limits = scipy.optimize.least_squares, (LOWEST, HIGHEST)
    fits = [
        search(lambda at: _precision_curve(at).precision(x) - y, (*start, guess), bounds=limits)
        for start in STARTING_POINTS
    ]
    best = min(fits, key=lambda fit: float(fit.cost))
    return _precision_curve(best.x, float(np.sqrt(np.mean(np.square(best.fun)))))


def _precision_curve(numbers: Floats, error: float = 0.0) -> BinormalCurve:
    separation, spread, share = numbers.tolist()
    return BinormalCurve(
        separation, float(np.exp(spread)), float(scipy.special.expit(share)), error
    )
