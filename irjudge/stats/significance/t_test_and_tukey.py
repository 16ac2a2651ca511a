"""Tests that trust a distribution: the paired t-test with its interval, and Tukey's HSD of systems by topics."""

import math

import numpy as np
import scipy

from irjudge.message import Message
from irjudge.stats.rankings import Floats, Longs
from irjudge.stats.sampling import Sampling
from irjudge.stats.significance.differences import deviation, exact_differences, mean
from irjudge.stats.significance.registry import Outcome, significance_test


@significance_test("t", "Paired t-test", "t-test", "ttest", "student", least=2)
def t_test(scores: Floats, pairs: Longs, _sampling: Sampling) -> Outcome:
    """Test whether the mean difference is 0 by Student's distribution: the usual test for means over topics.

    Returns
    -------
    Outcome
        The statistic is t with n - 1 degrees of freedom. All differences 0: t 0, p 1. All differences the same and not 0: no t, and
        p 0, its limit. One topic or none: p 1, since there is no deviation to measure by.

    References
    ----------
    Student (1908), The probable error of a mean. Smucker, Allan and Carterette (2007), A comparison of statistical significance tests
    for information retrieval evaluation, CIKM.

    Examples
    --------
    >>> scores = np.array([[.7, -1.6, -.2, -1.2, -.1, 3.4, 3.7, .8, 0, 2], [1.9, .8, 1.1, .1, -.1, 4.4, 5.5, 1.6, 4.6, 3.4]])
    >>> found = t_test(scores, np.array([[0, 1]]), Sampling())
    >>> round(found.statistic[0], 6), found.p.round(6).tolist()
    (-4.062128, [0.002833])
    """
    topics = scores.shape[1]
    found = [student(row) for row in exact_differences(scores[pairs[:, 0]], scores[pairs[:, 1]])]
    return Outcome(
        tuple(t for t, _ in found),
        np.array([p for _, p in found]),
        Message("Student's t, {words} degrees of freedom", words=max(0, topics - 1)),
    )


def student(values: Floats) -> tuple[float | None, float]:
    """Return t and the two-sided p of differences; see `t_test` for the edges."""
    count, centre, spread = len(values), mean(values), deviation(values)
    if centre == 0:
        return 0.0, 1.0
    if count < 2:
        return None, 1.0
    if spread == 0:
        return None, 0.0
    t = centre / (spread / math.sqrt(count))
    return t, min(1.0, 2 * float(scipy.special.stdtr(count - 1, -abs(t))))


def t_interval(values: Floats, confidence: float = 0.95) -> tuple[float, float] | None:
    """Return the interval of the mean of differences, shape (n,), by Student's distribution; None with fewer than two topics.

    The confidence is more than 0 and less than 1. Both ends are the mean where the differences do not vary.

    >>> tuple(round(end, 4) for end in t_interval(np.array([1.0, 2.0, 3.0])))
    (-0.4841, 4.4841)
    """
    if len(values) < 2:
        return None
    centre = mean(values)
    half = (
        float(scipy.special.stdtrit(len(values) - 1, (1 + confidence) / 2))
        * deviation(values)
        / math.sqrt(len(values))
    )
    return centre - half, centre + half


@significance_test("tukey-hsd", "Tukey's HSD of systems by topics", family=True, least=2)
def tukey_hsd(scores: Floats, pairs: Longs, _sampling: Sampling) -> Outcome:
    """Test all pairs of systems at once by the studentized range, after systems and topics are both taken out of the variance.

    Returns
    -------
    Outcome
        The statistic is q = difference of means / √(V_E / n), with its sign. Without variance left a pair with equal means has p 1,
        another one p 0 and no q. One topic, one system or none: p 1. All rows of `scores` make the family.

    References
    ----------
    Tukey (1953), The problem of multiple comparisons. Sakai (2018), Laboratory experiments in information retrieval, ch. 4.

    Examples
    --------
    >>> rows = ".30 .42 .12 .55 .61 .28 .35 .47", ".33 .45 .20 .52 .66 .31 .40 .50", ".25 .40 .10 .50 .55 .20 .30 .41"
    >>> scores = np.array([[float(each) for each in row.split()] for row in rows])
    >>> tukey_hsd(scores, np.array([[0, 1], [0, 2]]), Sampling()).p.round(6).tolist()
    [0.011869, 0.000677]
    """
    systems, topics = scores.shape
    freedom = (systems - 1) * (topics - 1)
    gap = np.array(
        [mean(row) for row in exact_differences(scores[pairs[:, 0]], scores[pairs[:, 1]])]
    )
    how = Message(
        "studentized range of {systems} systems, {words} degrees of freedom; corrects itself",
        systems=systems,
        words=max(0, freedom),
    )
    variance = _left_over(scores) / freedom if freedom > 0 else 0.0
    if variance <= 0:
        sure = freedom > 0
        return Outcome(
            tuple(0.0 if each == 0 else None for each in gap),
            np.where((gap != 0) & sure, 0.0, 1.0),
            how,
        )
    q = gap / math.sqrt(variance / topics)
    return Outcome(
        tuple(q.tolist()),
        np.array([range_p(abs(each), systems, freedom) for each in q.tolist()]),
        how,
    )


def range_p(q: float, systems: int, freedom: int) -> float:
    """Return the chance that the studentized range of `systems` means is q or more.

    >>> round(range_p(3.506, 3, 27), 4)  # tables give 3.51 for .05
    0.05
    """
    return (
        min(1.0, max(0.0, float(scipy.stats.studentized_range.sf(q, systems, freedom))))
        if q > 0
        else 1.0
    )


def _left_over(scores: Floats) -> float:
    """Return the sum of squares that neither systems nor topics explain; 0 where only rounding is left."""
    left = (
        scores
        - scores.mean(axis=1, keepdims=True)
        - scores.mean(axis=0, keepdims=True)
        + scores.mean()
    )
    square = math.fsum((left**2).ravel().tolist())
    rounding = scores.size * (1e-13 * float(np.abs(scores).max(initial=0.0))) ** 2
    return square if square > rounding else 0.0
