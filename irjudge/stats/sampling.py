"""How random a computation is: its seed, how many samples it draws, and who draws them."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import TypeAlias, TypeVar

from irjudge.errors import IrjudgeError
from irjudge.progress import SILENT, Progress
from irjudge.stats.workers import HERE, Workers

Shared = TypeVar("Shared")
Made = TypeVar("Made")
Portion: TypeAlias = tuple[int, int]
"""The first sample and the end of some."""

SEED = 0
PORTIONS = 2  # of a worker's samples: the last ones are done while others are, and each goes through all pairs anew


@dataclass(frozen=True, slots=True, kw_only=True)
class Sampling:
    """How random a test may be."""

    seed: int = SEED  # the same seed gives the same numbers on any machine
    samples: int | None = (
        None  # how many random samples, where a test draws any; None for the test's own number
    )
    progress: Progress = SILENT  # told now and then; the work stops when it is cancelled
    workers: Workers = HERE  # who draws; the numbers are the same with any

    def count(self, usual: int) -> int:
        """Return how many samples to draw; IrjudgeError when it is below 1."""
        count = usual if self.samples is None else self.samples
        if count < 1:
            raise IrjudgeError("The number of samples must be 1 or more, got {count}.", count=count)
        return count

    def portions(self, samples: int, largest: int) -> list[Portion]:
        """Return the first sample and the end of each portion, of `largest` at most, so that all workers have some."""
        size = max(
            1,
            min(
                largest,
                -(-samples // (PORTIONS * self.workers.count))
                if self.workers.count > 1
                else samples,
            ),
        )
        return [(begin, min(samples, begin + size)) for begin in range(0, samples, size)]

    def each(
        self,
        work: Callable[[Shared, Portion], Made],
        shared: Shared,
        portions: Sequence[Portion],
        what: str,
    ) -> Iterator[Made]:
        """Yield what `work` makes of each portion, in order, and tell how many samples are done."""
        ends = [0, *(end for _, end in portions)]
        told = Progress(
            lambda done, _, said: self.progress.step(ends[done], ends[-1], said),
            self.progress.asked,
        )
        return self.workers.each(work, shared, portions, what, told)
