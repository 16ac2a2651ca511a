"""p-values of several comparisons corrected for their number."""

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from irjudge.catalogue import Catalogue
from irjudge.message import Message
from irjudge.model import Floats


@dataclass(frozen=True, slots=True)
class Correction:
    """A correction: its name, its title, what it holds, and the function that adjusts p-values of shape (m,)."""

    name: str
    title: str
    meaning: str
    adjust: Callable[[npt.ArrayLike], Floats]


def bonferroni(p: npt.ArrayLike) -> Floats:
    """Return each p-value times their number, 1 at most.

    >>> bonferroni([.01, .04, .5]).round(4).tolist()
    [0.03, 0.12, 1.0]
    """
    given = np.asarray(p, dtype=np.float64)
    return np.minimum(1.0, given * len(given))


def holm(p: npt.ArrayLike) -> Floats:
    """Return p-values adjusted step by step: the smallest times m, the next times m - 1 …, none below the one before.

    Returns
    -------
    Floats
        Shape (m,), in the order of `p`, which may be any; m may be 0. Rejecting those below α makes any false rejection at all as likely
        as α or less.

    References
    ----------
    Holm (1979), A simple sequentially rejective multiple test procedure.

    Examples
    --------
    >>> holm([.01, .04, .03, .005]).round(4).tolist()
    [0.03, 0.06, 0.06, 0.02]
    """
    given = np.asarray(p, dtype=np.float64)
    order = np.argsort(given, kind="stable")
    stepped = np.maximum.accumulate(given[order] * np.arange(len(given), 0, -1))
    return _restore_order(np.minimum(1.0, stepped), order)


def benjamini_hochberg(p: npt.ArrayLike) -> Floats:
    """Return p-values adjusted so that rejecting those below q makes q or less of the rejections false, on average.

    `p` has shape (m,), in any order; m may be 0.

    References
    ----------
    Benjamini and Hochberg (1995), Controlling the false discovery rate.

    Examples
    --------
    >>> benjamini_hochberg([.01, .04, .03, .005]).round(4).tolist()
    [0.02, 0.04, 0.04, 0.02]
    """
    given = np.asarray(p, dtype=np.float64)
    order = np.argsort(given, kind="stable")
    count = len(given)
    stepped = np.minimum.accumulate((given[order] * count / np.arange(1, count + 1))[::-1])[::-1]
    return _restore_order(np.minimum(1.0, stepped), order)


def no_correction(p: npt.ArrayLike) -> Floats:
    """Return the p-values as they are."""
    return np.asarray(p, dtype=np.float64)


def _restore_order(stepped: Floats, order: npt.NDArray[np.intp]) -> Floats:
    adjusted = np.empty_like(stepped)
    adjusted[order] = stepped
    return adjusted


CORRECTIONS: Catalogue[Correction] = Catalogue(Message("Correction"))
CORRECTIONS.add(
    Correction(
        "holm",
        Message("Holm"),
        Message("the chance of any false finding is held, step by step (Holm)"),
        holm,
    )
)
CORRECTIONS.add(
    Correction(
        "bonferroni",
        Message("Bonferroni"),
        Message("the chance of any false finding is held (Bonferroni)"),
        bonferroni,
    )
)
CORRECTIONS.add(
    Correction(
        "bh",
        Message("Benjamini and Hochberg"),
        Message(
            "the share of false findings is held (false discovery rate, Benjamini and Hochberg)"
        ),
        benjamini_hochberg,
    ),
    ("fdr", "benjamini-hochberg"),
)
CORRECTIONS.add(Correction("none", Message("None"), Message("not corrected"), no_correction))
