"""The catalogue of significance tests: one declaration a test, filled by the decorator `significance_test`."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import TypeAlias

from irjudge.catalogue import Catalogue, about
from irjudge.message import Message
from irjudge.stats.rankings import Floats, Longs
from irjudge.stats.sampling import Sampling


@dataclass(frozen=True, slots=True, eq=False)
class Outcome:
    """What a test says of P pairs of systems."""

    statistic: tuple[float | None, ...]  # one a pair; None where it is not a finite number
    p: Floats  # shape (P,): two-sided, more than 0 except where the differences are all the same, at most 1
    how: str  # in words: exact or by sampling, and what else must be known to repeat it


# Takes scores of shape (K, n), a row for each of K systems on the same n topics; pairs of these rows, shape (P, 2); and the sampling, which
# does not matter where nothing is drawn. All rows of the scores make the family of a test for all pairs at once, whichever are asked for.
TestFunction: TypeAlias = Callable[[Floats, Longs, Sampling], Outcome]


@dataclass(frozen=True, slots=True)
class SignificanceTest:
    """All that is known of a test."""

    # `t`; `Paired t-test`
    name: str
    title: str
    family: (
        bool  # whether its p-values are for all pairs at once already, so that no correction is due
    )
    function: TestFunction  # computes it
    least: int = 1  # how many topics it needs; with fewer there is no p-value

    @property
    def about(self) -> str:
        """The first paragraph of the docstring."""
        return about(self.function)


TESTS: Catalogue[SignificanceTest] = Catalogue(Message("Test"))


def significance_test(
    name: str, title: str, *aliases: str, family: bool = False, least: int = 1
) -> Callable[[TestFunction], TestFunction]:
    """Add the decorated function to the catalogue; the words are explained by `SignificanceTest`."""

    def register(function: TestFunction) -> TestFunction:
        TESTS.add(SignificanceTest(name, title, family, function, least), aliases)
        return function

    return register
