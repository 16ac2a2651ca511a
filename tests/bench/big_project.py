"""Creates a large project once; `python big_project.py 1000000` prints its path."""

import random
import sys
import tempfile
import time
from bisect import bisect
from collections.abc import Iterator
from pathlib import Path

from irjudge.model import Document, Run, Scale, Topic, make_run
from irjudge.store import create_project
from tests.pools import depth_pool

VERSION = 1  # of the generator: another version creates the project again
TOPICS, RUNS, DEPTH, POOL_DEPTH = 120, 5, 200, 30
CANDIDATES, LONG_CANDIDATES = 396, 4  # per topic: one pooled document in a hundred is long
LONG_EVERY = 2500
SHORT, LONG = (300, 1500), (20_000, 200_000)  # bytes
VOCABULARY, WORDS = 6000, 1_200_000
OF_TOPICS = slice(10, 60)  # frequent words, of which each document has a few
ONSETS = "b c d f g h l m n p r s t v w st tr pl gr ch".split()
VOWELS = "a e i o u ea ou".split()
ENDINGS = " n r s t l nd ck".split(" ")


def invent_words(chance: random.Random) -> list[str]:
    """Return distinct invented words."""
    words: dict[str, None] = {}
    while len(words) < VOCABULARY:
        syllables = chance.choice((1, 2, 2, 3))
        words[
            "".join(chance.choice(ONSETS) + chance.choice(VOWELS) for _ in range(syllables))
            + chance.choice(ENDINGS)
        ] = None
    return list(words)


def invent_sentences(chance: random.Random, words: list[str]) -> Iterator[str]:
    """Yield sentences with natural word frequencies; some end a paragraph."""
    words_in_order = iter(
        chance.choices(words, weights=[1 / rank for rank in range(1, len(words) + 1)], k=WORDS)
    )
    while sentence := [
        word for word, _ in zip(words_in_order, range(chance.randint(6, 20)), strict=False)
    ]:
        yield " ".join(sentence).capitalize() + (".\n\n" if chance.random() < 0.2 else ". ")


class Prose:
    """Long invented prose, of which each document is a piece."""

    def __init__(self, seed: int) -> None:
        self.chance = random.Random(seed)
        self.words = invent_words(self.chance)
        pieces = list(invent_sentences(self.chance, self.words))
        self.text = "".join(pieces)
        self.starts = [0]
        for piece in pieces:
            self.starts.append(self.starts[-1] + len(piece))
        self._last = bisect(self.starts, len(self.text) - LONG[1])

    def piece(self, size: int) -> str:
        """Return complete sentences with about a number of characters."""
        begin = self.starts[self.chance.randrange(self._last)]
        return self.text[begin : self.text.rfind(".", begin, begin + size) + 1]

    def phrase(self, words: int) -> str:
        """Return some words as a query."""
        return " ".join(self.chance.sample(self.words[OF_TOPICS], words))


def is_long(number: int) -> bool:
    """Return whether a document is one of the few long ones."""
    return number % LONG_EVERY == 0


def documents(prose: Prose, count: int) -> Iterator[Document]:
    """Yield documents one by one."""
    for number in range(count):
        size = (
            round(LONG[0] * (LONG[1] / LONG[0]) ** prose.chance.random())
            if is_long(number)
            else prose.chance.randint(*SHORT)
        )
        yield Document(name_of(number), prose.piece(size).encode(), prose.piece(80).split(".")[0])


def name_of(number: int) -> str:
    """Return the id of a document."""
    return f"doc-{number:07}"


def topics(prose: Prose) -> list[Topic]:
    """Return topics with title, description and narrative."""
    made = []
    for number in range(1, TOPICS + 1):
        title = prose.phrase(prose.chance.randint(2, 4))
        made.append(
            Topic(
                f"{number:03}",
                title,
                f"Find what is said about {title}. {prose.piece(120)}",
                prose.piece(500),
            )
        )
    return made


def runs(chance: random.Random, count: int) -> list[Run]:
    """Return runs that agree on some of the documents of each topic."""
    rows: list[list[tuple[str, str, float]]] = [[] for _ in range(RUNS)]
    for topic in range(1, TOPICS + 1):
        numbers = chance.sample([*range(0, count, LONG_EVERY)], LONG_CANDIDATES)
        numbers += chance.sample(
            [
                number
                for number in chance.sample(range(count), CANDIDATES + 20)
                if not is_long(number)
            ],
            CANDIDATES,
        )
        for own in rows:
            ranked = chance.sample(numbers, DEPTH)
            own += [
                (f"{topic:03}", name_of(number), float(DEPTH - index))
                for index, number in enumerate(ranked)
            ]
    return [make_run(f"run-{number}", own) for number, own in enumerate(rows, 1)]


def make(path: Path, count: int) -> None:
    """Create the project; documents are written while they are invented."""
    prose = Prose(seed=count)
    with create_project(path, scale=Scale.parse("0-3"), title=f"{count:,} documents") as project:
        project.set_setting("seed", "1")
        project.collection.add_topics(topics(prose))
        project.collection.add_documents(documents(prose, count))
        made = runs(prose.chance, count)
        for run in made:
            project.rankings.add_run(run)
        project.rankings.add_pool(depth_pool(made, POOL_DEPTH))


def big_project(count: int, folder: Path | None = None) -> Path:
    """Return the path of the project with a number of documents, creating it if necessary."""
    path = (folder or Path(tempfile.gettempdir())) / f"irjudge-bench-{VERSION}-{count}.irjudge"
    if not path.exists():
        begin = time.perf_counter()
        make(path, count)
        sys.stderr.write(f"{path.name} made in {time.perf_counter() - begin:.0f} s\n")
    return path


if __name__ == "__main__":
    sys.stdout.write(
        f"{big_project(int(sys.argv[1]), Path(sys.argv[2]) if len(sys.argv) > 2 else None)}\n"
    )
