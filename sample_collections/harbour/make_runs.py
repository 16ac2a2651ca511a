"""Make the five sample runs from the documents and the topics."""

import html
import math
import re
import unicodedata
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from irjudge.formats.collections import read_documents, read_topics
from irjudge.model import Document

FOLDER = Path(__file__).parent
DEPTH = 20
GRAM = 3
TITLE_WEIGHT = 3

HAN = "\u3005-\u3007\u3400-\u4dbf\u4e00-\u9fff"
PIECE = re.compile(
    rf"[{HAN}]+|[\w\u0900-\u097f]+"
)  # \w alone would cut Hindi words at their vowel signs
STOP_WORDS = frozenset(
    """
    a about all an and are as at be but by can do does for from has have how i if in into is it its of on one or so that the their them
    then there they this to up was what when where which who why will with without you
    من في على الى إلى عن ثم أو او و كيف ما هو هي التي الذي هذا هذه
    का की के को में से है हैं और पर कैसे यह वह तो ही भी एक
    """.split()
)

Bag = Counter[str]
Cut = Callable[[str], Bag]
Score = Callable[[Bag, Bag], float]


@dataclass(frozen=True, slots=True)
class WordCounts:
    """The terms of every document, and the counts over all of them."""

    bags: dict[str, Bag]
    containing: Bag
    total: Bag

    @property
    def mean_length(self) -> float:
        """Return how many terms a document has on average."""
        return self.total.total() / len(self.bags)

    def rarity(self, term: str) -> float:
        """Return the inverse document frequency of `term`, which is above 0."""
        n = self.containing[term]
        return math.log(1 + (len(self.bags) - n + 0.5) / (n + 0.5))


# Terms


def pieces(text: str) -> list[str]:
    """Return the words of `text` in small letters; Chinese and Japanese come as whole runs of signs, since they have no spaces."""
    return PIECE.findall(unicodedata.normalize("NFKC", text).lower())


def words(text: str) -> Bag:
    """Return the words as they stand in the text: nothing is left out, nothing is cut."""
    return Counter(pieces(text))


def terms(text: str) -> Bag:
    """Return stems without stop words, and pairs of neighbouring signs where a script has no spaces."""
    bag: Bag = Counter()
    for piece in pieces(text):
        if re.match(f"[{HAN}]", piece):
            bag.update(piece[place : place + 2] for place in range(max(1, len(piece) - 1)))
        elif piece not in STOP_WORDS:
            bag[stem(piece)] += 1
    return bag


def grams(text: str) -> Bag:
    """Return all strings of three characters, ends of words included, and of two where a script has no spaces.

    The method knows no language at all.
    """
    bag: Bag = Counter()
    for piece in pieces(text):
        size, padded = (2, piece) if re.match(f"[{HAN}]", piece) else (GRAM, f" {piece} ")
        bag.update(padded[place : place + size] for place in range(max(1, len(padded) - size + 1)))
    return bag


def stem(word: str) -> str:
    """Cut the common endings of English, the article and endings of Arabic, and the case endings of Hindi."""
    if re.match("[a-z]", word):
        return _english(word)
    if re.match("[\u0621-\u064a]", word):
        return _arabic(word)
    if re.match("[\u0900-\u097f]", word):
        return _hindi(word)
    return word


def _english(word: str) -> str:
    if word.endswith("ss"):
        return word
    for ending in ("ing", "ed", "es", "s"):
        rest = word.removesuffix(ending)
        if rest != word and len(rest) >= 3 and re.search("[aeiouy]", rest):
            word = rest
            break
    return word.removesuffix("e") if len(word) > 3 else word


def _arabic(word: str) -> str:
    """Take off vowel marks, the article with what may stand before it, and endings of number and gender."""
    word = re.sub("[\u064b-\u0652\u0640]", "", word)
    word = re.sub("[أإآ]", "ا", word).replace("ى", "ي").replace("ة", "ه")
    for front in ("وال", "بال", "كال", "فال", "لل", "ال", "و"):
        if word.startswith(front) and len(word) - len(front) >= 3:
            word = word.removeprefix(front)
            break
    for ending in ("ها", "ات", "ون", "ين", "يه", "ه", "ي"):
        if word.endswith(ending) and len(word) - len(ending) >= 3:
            return word.removesuffix(ending)
    return word


def _hindi(word: str) -> str:
    """Take off the endings of gender, number and case, and write nasal signs in one way."""
    word = word.replace("\u0901", "\u0902").replace("\u093c", "")
    for ending in (
        "ाएं",
        "ियां",
        "ियों",
        "ाओं",
        "ों",
        "ें",
        "ीं",
        "ना",
        "ने",
        "ता",
        "ते",
        "ती",
        "ा",
        "े",
        "ी",
        "ो",
    ):
        if word.endswith(ending) and len(word) - len(ending) >= 2:
            return word.removesuffix(ending)
    return word


# Methods


def collect(texts: dict[str, str], cut: Cut) -> WordCounts:
    """Count the terms of `texts`, which maps document ids to texts."""
    return counted({document: cut(text) for document, text in texts.items()})


def counted(bags: dict[str, Bag]) -> WordCounts:
    """Return the bags with the counts over all of them."""
    total: Bag = Counter()
    containing: Bag = Counter()
    for bag in bags.values():
        total.update(bag)
        containing.update(bag.keys())
    return WordCounts(bags, containing, total)


def bm25(collection: WordCounts, *, k1: float = 0.9, b: float = 0.4) -> Score:
    """Return BM25: rare terms count more, repeated terms and long documents count less."""
    mean_length = collection.mean_length

    def score(query: Bag, bag: Bag) -> float:
        damping = k1 * (1 - b + b * bag.total() / mean_length)
        return math.fsum(
            count * collection.rarity(term) * bag[term] / (bag[term] + damping)
            for term, count in query.items()
        )

    return score


def tfidf_cosine(collection: WordCounts) -> Score:
    """Return the cosine of the angle between query and document as tf-idf vectors."""

    def weights(bag: Bag) -> dict[str, float]:
        n = len(collection.bags)
        return {
            term: (1 + math.log(count)) * math.log(n / collection.containing[term])
            for term, count in bag.items()
            if term in collection.containing
        }

    def score(query: Bag, bag: Bag) -> float:
        left, right = weights(query), weights(bag)
        product = math.fsum(left[term] * right.get(term, 0) for term in left)
        size = math.hypot(*left.values()) * math.hypot(*right.values())
        return product / size if size else 0

    return score


def query_likelihood(collection: WordCounts, *, mu: float = 300) -> Score:
    """Return the log-likelihood of the query, with Dirichlet smoothing.

    It is counted from that of an empty document, so that 0 means "no better than nothing".
    """
    whole = collection.total.total()

    def score(query: Bag, bag: Bag) -> float:
        known = [term for term in query.elements() if collection.total[term]]
        if not any(bag[term] for term in known):
            return 0
        seen = math.fsum(
            math.log(1 + bag[term] * whole / (mu * collection.total[term])) for term in known
        )
        return seen + len(known) * math.log(mu / (mu + bag.total()))

    return score


# Runs


def ranking(query: Bag, collection: WordCounts, score: Score) -> list[tuple[str, str]]:
    """Return the best documents with their printed scores; equal ones by id."""
    scored = [(document, f"{score(query, bag):.6f}") for document, bag in collection.bags.items()]
    found = [(document, printed) for document, printed in scored if float(printed) > 0]
    return sorted(found, key=lambda pair: (-float(pair[1]), pair[0]))[:DEPTH]


def iter_run_lines(
    tag: str, queries: dict[str, Bag], collection: WordCounts, score: Score
) -> list[str]:
    """Return the lines of a run in the form `topic Q0 document rank score tag`."""
    return [
        f"{topic} Q0 {document} {rank} {printed} {tag}\n"
        for topic, query in queries.items()
        for rank, (document, printed) in enumerate(ranking(query, collection, score), 1)
    ]


def plain(document: Document) -> str:
    """Return what can be searched: text without tags, and of a picture the words of its name."""
    if document.kind == "image":
        return document.id.replace("-", " ")
    if document.kind == "html":
        return html.unescape(
            re.sub(r"<[^>]*>", " ", re.sub(r"(?s)<head>.*?</head>", " ", document.text))
        )
    return document.text


def all_documents() -> list[Document]:
    """Return the documents of the collection."""
    return list(read_documents([FOLDER / "documents.jsonl", FOLDER / "documents"], warnings=[]))


def main() -> None:
    """Write the five run files."""
    documents = all_documents()
    texts = {each.id: f"{each.title}\n{plain(each)}" for each in documents}
    raw, stemmed, cut = collect(texts, words), collect(texts, terms), collect(texts, grams)
    heavier = counted(
        {
            each.id: Counter(
                {term: TITLE_WEIGHT * count for term, count in terms(each.title).items()}
            )
            + terms(plain(each))
            for each in documents
        }
    )
    topics = read_topics(FOLDER / "topics.txt").topics
    short = {topic.id: topic.title for topic in topics}
    long = {topic.id: f"{topic.title}\n{topic.description}" for topic in topics}
    runs: dict[str, tuple[dict[str, str], Cut, WordCounts, Score]] = {
        "bm25": (short, terms, stemmed, bm25(stemmed)),
        "grams": (short, grams, cut, bm25(cut)),
        "ql": (long, terms, stemmed, query_likelihood(stemmed)),
        "titles": (short, terms, heavier, bm25(heavier)),
        "words": (short, words, raw, tfidf_cosine(raw)),
    }
    for tag, (queries, each_cut, collection, score) in runs.items():
        lines = iter_run_lines(
            tag, {topic: each_cut(text) for topic, text in queries.items()}, collection, score
        )
        (FOLDER / "runs" / f"{tag}.run").write_text("".join(lines), encoding="utf-8", newline="\n")


if __name__ == "__main__":
    main()
