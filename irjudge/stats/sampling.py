"""Reproducible random numbers, and the options of random sampling.

numpy guarantees that the raw 64-bit words of a bit generator never change, but not the results of
its `Generator`: `integers`, `permutation` and `choice` have changed. Therefore only raw words are
used, of Philox, which is published with its constants (Salmon et al. 2011, Parallel random numbers:
as easy as 1, 2, 3) and takes the seed as its key, without numpy's own mixing of seeds. This module
derives numbers and orders from the words.
"""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from hashlib import blake2b
from typing import Annotated, TypeAlias, TypeVar

import numpy as np
import numpy.typing as npt

from irjudge.errors import IrjudgeError
from irjudge.model import Floats, Longs
from irjudge.options import Option
from irjudge.progress import SILENT, Progress
from irjudge.stats.workers import SERIAL, Workers

# Random numbers and orders that depend only on the seed, not on the machine or the version of numpy

MAX_SEED = 2**64 - 1
SeedOption = Annotated[
    int,
    Option(
        "Random seed, for reproducible intervals.", minimum=0, maximum=MAX_SEED, show_default=True
    ),
]
WORDS_PER_BLOCK = 4  # words that Philox generates at a time
Words = npt.NDArray[np.uint64]


class RandomStream:
    """Reproducible random 64-bit words from a seed, 0 to 2⁶⁴ - 1.

    Skipping words costs nothing, so that parts of a computation can be done separately.

    >>> RandomStream(1, skip=5).words(2).tolist() == RandomStream(1).words(7)[5:].tolist()
    True
    >>> RandomStream(1).words(2).tolist() == RandomStream(1).words(2).tolist() != RandomStream(2).words(2).tolist()
    True
    """

    def __init__(self, seed: int, skip: int = 0) -> None:
        if not 0 <= seed <= MAX_SEED:
            raise IrjudgeError(
                "The seed must be a whole number from 0 to {maximum}, got {seed}.",
                key="invalid-seed",
                maximum=MAX_SEED,
                seed=seed,
            )
        self._generator = np.random.Philox(key=seed)
        self._generator.advance(skip // WORDS_PER_BLOCK)
        self.words(skip % WORDS_PER_BLOCK)

    def words(self, count: int) -> Words:
        """Return the next random words, shape (count,)."""
        values: Words = self._generator.random_raw(count)
        return values

    def signs(self, rows: int, columns: int) -> Floats:
        """Return rows of -1 and 1, equally likely.

        Each row begins with a new word, so that rows do not depend on how many are requested at a
        time.
        """
        width = -(-columns // 64)
        octets = self.words(rows * width).astype("<u8").view(np.uint8).reshape(rows, width * 8)
        bits = np.unpackbits(octets, axis=1, bitorder="little")[:, :columns].astype(np.float64)
        bits *= 2
        bits -= 1
        return bits

    def draws(self, rows: int, columns: int, limit: int) -> Longs:
        """Return numbers from 0 to `limit` - 1, shape (rows, columns).

        The upper half of a word is scaled to the range, so that probabilities of numbers differ by
        at most `limit` / 2³².
        """
        upper = (self.words(rows * columns) >> np.uint64(32)) * np.uint64(limit)
        return (upper >> np.uint64(32)).astype(np.int64).reshape(rows, columns)

    def orders(self, rows: int, columns: int) -> Longs:
        """Return rows of the numbers 0 to `columns` - 1 in random order.

        A row is the order of random words. The column is stored in the lowest bits of each word, so
        that words can be sorted, which is faster than argsort; their other bits are equal with a
        probability of at most 2⁻⁵⁰ for up to 16,000 columns.
        """
        bits = np.uint64(max(1, (columns - 1).bit_length()))
        keys = self.words(rows * columns).reshape(rows, columns)
        keys >>= bits
        keys <<= bits
        keys |= np.arange(columns, dtype=np.uint64)
        keys.sort(axis=1)
        keys &= (np.uint64(1) << bits) - np.uint64(1)
        return keys.astype(np.int64)


DEFAULT_SEED = 1


class TopicRandom:
    """Random numbers that depend on a seed and a topic id.

    >>> TopicRandom(1, "051").numbers(2).tolist() == TopicRandom(1, "051").numbers(2).tolist()
    True
    """

    def __init__(self, seed: int, topic: str) -> None:
        RandomStream(seed)  # raises an error if the seed is out of range
        self._stream = RandomStream(
            int.from_bytes(blake2b(f"{seed}\0{topic}".encode(), digest_size=8).digest(), "little")
        )

    def numbers(self, count: int) -> Floats:
        """Return numbers strictly between 0 and 1, shape (count,)."""
        numbers: Floats = ((self._stream.words(count) >> 12).astype(np.float64) + 0.5) * 2.0**-52
        return numbers


T = TypeVar("T")


class HashOrder:
    """Stable random order by hashes of seed, purpose and item.

    >>> HashOrder(7).shuffle(["a", "b", "c"], "example") == HashOrder(7).shuffle(["c", "a", "b"], "example")
    True
    """

    def __init__(self, seed: int) -> None:
        self._salt = str(seed).encode()

    def shuffle(self, items: Sequence[T], *purpose: str | Callable[[T], str]) -> list[T]:
        """Return the items in random order; `purpose` ends with an optional key function."""
        texts = [word for word in purpose if isinstance(word, str)]
        name = purpose[-1] if purpose and callable(purpose[-1]) else str
        return sorted(items, key=lambda item: self.number(*texts, name(item)))

    def number(self, *texts: str) -> int:
        """Return a random number from 0 to 2**64 - 1."""
        data = b"\0".join((self._salt, *(word.encode() for word in texts)))
        return int.from_bytes(blake2b(data, digest_size=8).digest(), "big")


# Options of resampling: seed, number of samples, and workers

Shared = TypeVar("Shared")
Result = TypeVar("Result")
Portion: TypeAlias = tuple[int, int]
"""Range of samples: the first sample, and the end (exclusive)."""

DEFAULT_SAMPLING_SEED = 0
# more than one, to balance the load, but few, since each portion repeats some work
PORTIONS_PER_WORKER = 2


@dataclass(frozen=True, slots=True, kw_only=True)
class Sampling:
    """Options of resampling: seed, samples, workers, progress."""

    seed: int = DEFAULT_SAMPLING_SEED  # equal seeds yield equal numbers on all machines
    samples: int | None = None  # number of random samples; None for the test's default
    progress: Progress = SILENT  # reports the progress of the work, which can be cancelled
    workers: Workers = SERIAL  # processes that draw samples; results do not depend on them

    def count(self, default: int) -> int:
        """Return the number of samples; raise IrjudgeError if it is below 1."""
        count = default if self.samples is None else self.samples
        if count < 1:
            raise IrjudgeError(
                "The number of samples must be at least 1, got {count}.", count=count
            )
        return count

    def portions(self, samples: int, largest: int) -> list[Portion]:
        """Return the range of samples of each portion, of at most `largest` samples."""
        size = max(
            1,
            min(
                largest,
                -(-samples // (PORTIONS_PER_WORKER * self.workers.count))
                if self.workers.count > 1
                else samples,
            ),
        )
        return [(start, min(samples, start + size)) for start in range(0, samples, size)]

    def map_portions(
        self,
        work: Callable[[Shared, Portion], Result],
        shared: Shared,
        portions: Sequence[Portion],
        description: str,
    ) -> Iterator[Result]:
        """Yield the result of `work` for each portion, in order, and report progress."""
        ends = [0, *(end for _, end in portions)]
        notified = Progress(
            lambda done, _, message: self.progress.step(ends[done], ends[-1], message),
            self.progress.cancellation_check,
        )
        return self.workers.map_tasks(work, shared, portions, description, notified)
