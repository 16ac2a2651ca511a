"""Reproducible random numbers, and the options of random sampling.

numpy guarantees that the raw 64-bit words of a bit generator never change, but not the results of
its `Generator`: `integers`, `permutation` and `choice` have changed. Therefore this module uses
only raw words, and derives numbers and orders from them. The bit generator is Philox, whose
constants are published (Salmon et al. 2011, Parallel random numbers: as easy as 1, 2, 3). Its key
is the seed itself, without numpy's own mixing of seeds.
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

# Random numbers and orders, which do not depend on the machine or the version of numpy

MAX_SEED = 2**64 - 1
SeedOption = Annotated[
    int,
    Option(
        "Random seed, for reproducible intervals.", minimum=0, maximum=MAX_SEED, show_default=True
    ),
]
WORDS_PER_BLOCK = 4  # number of words that Philox generates at a time
Words = npt.NDArray[np.uint64]


class RandomStream:
    """Stream of reproducible random 64-bit words, and of numbers derived from them.

    It depends only on the seed, 0 to 2⁶⁴ - 1. Skipping words takes no time, so that several
    processes can compute parts of a result.

    >>> RandomStream(1, skip=5).draw_words(2).tolist() == RandomStream(1).draw_words(7)[5:].tolist()
    True
    >>> RandomStream(1).draw_words(2).tolist() == RandomStream(1).draw_words(2).tolist() != RandomStream(2).draw_words(2).tolist()
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
        self.draw_words(skip % WORDS_PER_BLOCK)

    def draw_words(self, count: int) -> Words:
        """Return the next random words, shape (count,)."""
        return self._generator.random_raw(count)

    def draw_signs(self, rows: int, columns: int) -> Floats:
        """Return random numbers -1 and 1, equally likely, shape (rows, columns).

        Each row begins with a new word, so that rows do not depend on how many rows one call
        requests.
        """
        words_per_row = -(-columns // 64)
        word_bytes = (
            self.draw_words(rows * words_per_row)
            .astype("<u8")
            .view(np.uint8)
            .reshape(rows, words_per_row * 8)
        )
        bits = np.unpackbits(word_bytes, axis=1, bitorder="little")[:, :columns].astype(np.float64)
        bits *= 2
        bits -= 1
        return bits

    def draw_integers(self, rows: int, columns: int, limit: int) -> Longs:
        """Return random integers from 0 to `limit` - 1, shape (rows, columns).

        The upper half of a word is scaled to the range, so that the probabilities of two integers
        differ by at most 2⁻³².
        """
        scaled_words = (self.draw_words(rows * columns) >> np.uint64(32)) * np.uint64(limit)
        return (scaled_words >> np.uint64(32)).astype(np.int64).reshape(rows, columns)

    def draw_orders(self, rows: int, columns: int) -> Longs:
        """Return rows of the numbers 0 to `columns` - 1, each row in random order.

        Each row contains the column numbers in the order of random words. To obtain this order, the
        lowest bits of each word are replaced by its column number, and the words are sorted, which
        is faster than argsort. With up to 16,000 columns, the other bits of two words are equal
        with a probability of at most 2⁻⁵⁰.
        """
        index_bits = np.uint64(max(1, (columns - 1).bit_length()))
        keys = self.draw_words(rows * columns).reshape(rows, columns)
        keys >>= index_bits
        keys <<= index_bits
        keys |= np.arange(columns, dtype=np.uint64)
        keys.sort(axis=1)
        keys &= (np.uint64(1) << index_bits) - np.uint64(1)
        return keys.astype(np.int64)


DEFAULT_SEED = 1


class TopicRandom:
    """Stream of random numbers that depend only on a seed and a topic id.

    Therefore the sample of a topic does not depend on the other topics. The numbers are strictly
    between 0 and 1.

    >>> TopicRandom(1, "051").draw_numbers(2).tolist() == TopicRandom(1, "051").draw_numbers(2).tolist()
    True
    """

    def __init__(self, seed: int, topic: str) -> None:
        RandomStream(seed)  # only to raise an error if the seed is out of range
        self._stream = RandomStream(
            int.from_bytes(blake2b(f"{seed}\0{topic}".encode(), digest_size=8).digest(), "little")
        )

    def draw_numbers(self, count: int) -> Floats:
        """Return the next random numbers, strictly between 0 and 1, shape (count,)."""
        return ((self._stream.draw_words(count) >> 12).astype(np.float64) + 0.5) * 2.0**-52


T = TypeVar("T")


class HashOrder:
    """Random order of items by hashes of a seed, a purpose and each item.

    Only the seed is stored; `shuffle` returns given items in random order. The order does not
    depend on the given order of the items. Items keep their relative order when other items are
    added.

    >>> HashOrder(7).shuffle(["a", "b", "c"], "example") == HashOrder(7).shuffle(["c", "a", "b"], "example")
    True
    """

    def __init__(self, seed: int) -> None:
        self._salt = str(seed).encode()

    def shuffle(self, items: Sequence[T], *purpose: str | Callable[[T], str]) -> list[T]:
        """Return the items in random order.

        `purpose` consists of strings; different strings yield independent orders of the same items.
        It may end with a function that converts an item to a string; the default is `str`.
        """
        strings = [part for part in purpose if isinstance(part, str)]
        to_string = purpose[-1] if purpose and callable(purpose[-1]) else str
        return sorted(items, key=lambda item: self.number(*strings, to_string(item)))

    def number(self, *strings: str) -> int:
        """Return a number from 0 to 2**64 - 1, a hash of the seed and the strings."""
        data = b"\0".join((self._salt, *(string.encode() for string in strings)))
        return int.from_bytes(blake2b(data, digest_size=8).digest(), "big")


# Options of resampling: seed, number of samples, and workers

Shared = TypeVar("Shared")
Result = TypeVar("Result")
Portion: TypeAlias = tuple[int, int]
"""Range of samples: the first sample, and the end (exclusive)."""

DEFAULT_SAMPLING_SEED = 0
# number of portions of samples per worker: above 1 to balance the load, but low, since part of the
# work is repeated for each portion
PORTIONS_PER_WORKER = 2


@dataclass(frozen=True, slots=True, kw_only=True)
class Sampling:
    """Options of a computation with random samples: seed, number of samples, progress, workers.

    The samples are, for example, bootstrap samples or random permutations. `map_portions` computes
    them in portions, in parallel if there are several workers; the result does not depend on the
    workers.
    """

    seed: int = DEFAULT_SAMPLING_SEED  # equal seeds yield equal numbers on all machines
    samples: int | None = None  # number of random samples; None for the default of the method
    progress: Progress = SILENT  # receives the progress, and can cancel the computation
    workers: Workers = SERIAL  # workers that compute the portions of the samples

    def count(self, default: int) -> int:
        """Return `samples`, or `default` if that is None; raise IrjudgeError if below 1."""
        count = default if self.samples is None else self.samples
        if count < 1:
            raise IrjudgeError(
                "The number of samples must be at least 1, got {count}.", count=count
            )
        return count

    def split_samples(self, samples: int, largest: int) -> list[Portion]:
        """Divide samples into portions for the workers, of at most `largest` samples each."""
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
        """Run `work` for each portion, report progress, and yield results in order of portions."""
        ends = [0, *(end for _, end in portions)]
        portion_progress = Progress(
            lambda done, _, message: self.progress.step(ends[done], ends[-1], message),
            self.progress.cancellation_check,
        )
        return self.workers.map_tasks(work, shared, portions, description, portion_progress)
