"""Make the four sample runs from the documents and the topic titles."""

import json
import math
import re
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

FOLDER = Path(__file__).parent
DEPTH = 20
STOP_LIST = """
a about after all also an and any are as at be because been but by can could did do does for from
had has have he her him his how i if in into is it its just may me more most my no not of on one
only or other our out over she so some such than that the their them then there these they this
those to up was we were what when where which who why will with would you your
"""
STOP_WORDS = frozenset(STOP_LIST.split())
ENDINGS = ("ing", "ed", "es", "s")

Bag = Counter[str]
Score = Callable[[Bag, Bag], float]


@dataclass(frozen=True, slots=True)
class WordCounts:
    """The words of every document, and the counts over all of them."""

    bags: dict[str, Bag]
    containing: Bag
    total: Bag
    mean_length: float

    def rarity(self, word: str) -> float:
        """Return the inverse document frequency of `word`, which is above 0."""
        n = self.containing[word]
        return math.log(1 + (len(self.bags) - n + 0.5) / (n + 0.5))

    def share(self, word: str) -> float:
        """Return which part of all words in the collection is `word`."""
        return self.total[word] / self.total.total()


def stem(word: str) -> str:
    """Cut a plural or verb ending and a last e: rises, rising and rise are one word.

    What is left has three letters or more and a vowel, so `red` and `spring` stay whole.
    """
    if word.endswith("ss"):
        return word
    for ending in ENDINGS:
        rest = word.removesuffix(ending)
        if rest != word and len(rest) >= 3 and re.search("[aeiouy]", rest):
            word = rest if ending == "s" else undouble(rest)
            break
    return word.removesuffix("e") if len(word) > 3 else word


def undouble(word: str) -> str:
    """Return `stop` for `stopp`, and leave `fall`, `pass` and `see` alone."""
    doubled = word[-1] == word[-2] and word[-1] not in "aeiouls"
    return word[:-1] if doubled else word


def words(text: str) -> Bag:
    """Return the stems of `text` with their counts, without stop words."""
    found = re.findall("[a-z]+", text.lower())
    return Counter(stem(word) for word in found if word not in STOP_WORDS)


def collect(texts: dict[str, str]) -> WordCounts:
    """Count the words of `texts`, which maps document ids to texts."""
    bags = {document: words(text) for document, text in texts.items()}
    total: Bag = Counter()
    containing: Bag = Counter()
    for bag in bags.values():
        total.update(bag)
        containing.update(bag.keys())
    return WordCounts(bags, containing, total, total.total() / len(bags))


def bm25(collection: WordCounts, *, k1: float = 0.9, b: float = 0.4) -> Score:
    """Return BM25: rare words count more, repeated words and long documents count less."""

    def score(query: Bag, bag: Bag) -> float:
        damping = k1 * (1 - b + b * bag.total() / collection.mean_length)
        return math.fsum(
            count * collection.rarity(word) * bag[word] / (bag[word] + damping)
            for word, count in query.items()
        )

    return score


def tfidf_cosine(collection: WordCounts) -> Score:
    """Return the cosine of the angle between query and document as tf-idf vectors."""

    def weights(bag: Bag) -> dict[str, float]:
        n = len(collection.bags)
        return {
            word: (1 + math.log(count)) * math.log(n / collection.containing[word])
            for word, count in bag.items()
            if word in collection.containing
        }

    def score(query: Bag, bag: Bag) -> float:
        left, right = weights(query), weights(bag)
        product = math.fsum(left[word] * right.get(word, 0) for word in left)
        size = math.hypot(*left.values()) * math.hypot(*right.values())
        return product / size if size else 0

    return score


def query_likelihood(collection: WordCounts, *, mu: float = 300) -> Score:
    """Return the log-likelihood of the query, with Dirichlet smoothing.

    It is counted from that of an empty document, so that 0 means "no better than nothing".
    """

    def score(query: Bag, bag: Bag) -> float:
        known = [word for word in query.elements() if collection.total[word]]
        if not any(bag[word] for word in known):
            return 0
        seen = math.fsum(math.log(1 + bag[word] / (mu * collection.share(word))) for word in known)
        return seen + len(known) * math.log(mu / (mu + bag.total()))

    return score


def ranking(query: Bag, collection: WordCounts, score: Score) -> list[tuple[str, str]]:
    """Return the best documents with their printed scores; equal ones by id."""
    scored = [(document, f"{score(query, bag):.6f}") for document, bag in collection.bags.items()]
    found = [(document, printed) for document, printed in scored if float(printed) > 0]
    return sorted(found, key=lambda pair: (-float(pair[1]), pair[0]))[:DEPTH]


def iter_run_lines(
    tag: str, topics: dict[str, str], collection: WordCounts, score: Score
) -> list[str]:
    """Return the lines of a run in the form `topic Q0 document rank score tag`."""
    return [
        f"{topic} Q0 {document} {rank} {printed} {tag}\n"
        for topic, title in topics.items()
        for rank, (document, printed) in enumerate(ranking(words(title), collection, score), 1)
    ]


def read_documents() -> list[dict[str, str]]:
    """Return the documents, each with `id`, `title` and `text`."""
    text = (FOLDER / "documents.jsonl").read_text(encoding="utf-8")
    return [json.loads(line) for line in text.splitlines()]


def read_topics() -> dict[str, str]:
    """Return the topic titles by topic id."""
    text = (FOLDER / "topics.txt").read_text(encoding="utf-8")
    return dict(re.findall(r"<num>(.+?)</num>\s*<title>(.+?)</title>", text))


def main() -> None:
    """Write the four run files."""
    documents = read_documents()
    titles = collect({doc["id"]: doc["title"] for doc in documents})
    whole = collect({doc["id"]: f"{doc['title']}\n{doc['text']}" for doc in documents})
    runs: dict[str, tuple[WordCounts, Score]] = {
        "bm25": (whole, bm25(whole)),
        "tfidf": (whole, tfidf_cosine(whole)),
        "ql": (whole, query_likelihood(whole)),
        "title": (titles, bm25(titles)),
    }
    topics = read_topics()
    for tag, (collection, score) in runs.items():
        lines = iter_run_lines(tag, topics, collection, score)
        path = FOLDER / "runs" / f"{tag}.run"
        path.parent.mkdir(exist_ok=True)
        path.write_text("".join(lines), encoding="utf-8", newline="\n")


if __name__ == "__main__":
    main()
