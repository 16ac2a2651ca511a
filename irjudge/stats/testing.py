"""The catalogue of significance tests: one declaration a test, filled by the decorator `significance_test`."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import TypeAlias, TypeVar

from irjudge.catalogue import Catalogue, about
from irjudge.errors import IrjudgeError
from irjudge.message import Message
from irjudge.progress import SILENT, Progress
from irjudge.stats.rankings import Floats, Longs
from irjudge.stats.workers import HERE, Workers

Shared = TypeVar("Shared")
Made = TypeVar("Made")
Portion: TypeAlias = tuple[int, int]
"""The first sample and the end of some."""

SEED = 0
PORTIONS = 2  # of a worker's samples: the last ones are done while others are, and each goes through all pairs anew


@dataclass(frozen=True, slots=True)
class Sampling:
    """How random a test may be."""

    seed: int = SEED  # the same seed gives the same numbers on any machine
    samples: int | None = None  # how many random samples, where a test draws any; None for the test's own number
    progress: Progress = SILENT  # told now and then; the work stops when it is cancelled
    workers: Workers = HERE  # who draws; the numbers are the same with any

    def count(self, usual: int) -> int:
        """Return how many samples to draw.

        Raises
        ------
        IrjudgeError
            When it is below 1.
        """
        count = usual if self.samples is None else self.samples
        if count < 1:
            raise IrjudgeError("The number of samples must be 1 or more, got {count}.", count=count)
        return count

    def portions(self, samples: int, largest: int) -> list[Portion]:
        """Return the first sample and the end of each portion, of `largest` at most, so that all workers have some."""
        size = max(1, min(largest, -(-samples // (PORTIONS * self.workers.count)) if self.workers.count > 1 else samples))
        return [(begin, min(samples, begin + size)) for begin in range(0, samples, size)]

    def each(self, work: Callable[[Shared, Portion], Made], shared: Shared, portions: Sequence[Portion], what: str) -> Iterator[Made]:
        """Yield what `work` makes of each portion, in order, and tell how many samples are done."""
        ends = [0, *(end for _, end in portions)]
        told = Progress(lambda done, _, said: self.progress.step(ends[done], ends[-1], said), self.progress.asked)
        return self.workers.each(work, shared, portions, what, told)


@dataclass(frozen=True, slots=True, eq=False)
class Outcome:
    """What a test says of P pairs of systems."""

    statistic: tuple[float | None, ...]  # one a pair; None where it is not a finite number
    p: Floats  # shape (P,): two-sided, more than 0 except where the differences are all the same, at most 1
    how: str  # in words: exact or by sampling, and what else must be known to repeat it


# Takes scores of shape (K, n), a row for each of K systems on the same n topics; pairs of these rows, shape (P, 2); and the sampling.
TestFunction: TypeAlias = Callable[[Floats, Longs, Sampling], Outcome]


@dataclass(frozen=True, slots=True)
class SignificanceTest:
    """All that is known of a test."""

    # `t`; `Paired t-test`
    name: str
    title: str
    family: bool  # whether its p-values are for all pairs at once already, so that no correction is due
    function: TestFunction  # computes it

    @property
    def about(self) -> str:
        """The first paragraph of the docstring."""
        return about(self.function)


TESTS: Catalogue[SignificanceTest] = Catalogue(Message("Test"))


def significance_test(name: str, title: str, *aliases: str, family: bool = False) -> Callable[[TestFunction], TestFunction]:
    """Add the decorated function to the catalogue; the words are explained by `SignificanceTest`."""

    def register(function: TestFunction) -> TestFunction:
        TESTS.add(SignificanceTest(name, title, family, function), aliases)
        return function

    return register
