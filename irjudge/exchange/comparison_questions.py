"""The questions of a comparison: which lists of which runs, or which documents, are compared on which topics."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from hashlib import blake2b
from itertools import combinations
from typing import Literal, get_args

from irjudge.errors import IrjudgeError, ProjectError
from irjudge.exchange.shares import Pair
from irjudge.message import Message
from irjudge.model.order import top_documents
from irjudge.model.preference import ComparisonRules
from irjudge.progress import SILENT, Progress
from irjudge.stats.preference_design import random_pairs, shuffled_pairs
from irjudge.store.project import Project

DEPTH = 10
Choice = Literal["all", "random", "top"]
CHOICES: tuple[Choice, ...] = get_args(Choice)
MOST_DOCUMENTS = 200  # of a topic that are compared in pairs


@dataclass(frozen=True, slots=True)
class ComparisonWish:
    """What the organiser asks for."""

    runs: tuple[
        tuple[str, str], ...
    ]  # pairs of runs to compare; with `choice`, the runs of these pairs bring the documents
    topics: tuple[str, ...] = ()  # ids; empty takes every topic that one of the runs has
    depth: int = DEPTH  # how many of the top of each list
    overlap: int = 1  # how many assessors answer a question, 1 or more
    repeats: int = 0  # how many of an assessor's questions are asked again with the sides swapped; fewer where there are too few
    seed: int = 0  # from which everything is drawn, together with a secret of the project
    rules: ComparisonRules = field(
        default_factory=ComparisonRules
    )  # what assessors may and must do
    # None compares lists. `all`, `random` and `top` compare two documents: every pair of a topic, `budget` of them, or as many as find the
    # best `rules.top`.
    choice: Choice | None = None
    budget: int = 20  # how many pairs of documents of a topic for `random`


@dataclass(frozen=True, slots=True)
class ComparisonQuestion:
    """Two lists to compare for a topic, and the runs they come from; none for two documents."""

    topic: str
    lists: tuple[tuple[str, ...], tuple[str, ...]]
    runs: tuple[str, str] = ("", "")

    @property
    def documents(self) -> tuple[str, ...]:
        """All documents, those of the first list first."""
        return self.lists[0] + self.lists[1]

    @property
    def pair(self) -> Pair:
        """What tells it from others when questions are shared out."""
        return self.topic, "\0".join(self.runs if self.runs[0] else self.documents)


def every_two(runs: Sequence[str]) -> tuple[tuple[str, str], ...]:
    """Return every two of some runs.

    >>> every_two(["a", "b", "c"])
    (('a', 'b'), ('a', 'c'), ('b', 'c'))
    """
    return tuple(combinations(runs, 2))


def questions_of(
    project: Project, wish: ComparisonWish, progress: Progress = SILENT
) -> tuple[list[ComparisonQuestion], list[str]]:
    """Return the questions of a comparison, topic by topic, and sentences about what is left out."""
    _check(project, wish)
    tops, textless = _tops(project, wish, progress)
    topics = wish.topics or tuple(dict.fromkeys(topic for top in tops.values() for topic in top))
    made: list[ComparisonQuestion] = []
    for topic in topics:
        lists = {run: top.get(topic, ()) for run, top in tops.items()}
        made += _of_documents(topic, lists, wish) if wish.choice else _of_lists(topic, lists, wish)
    if not made:
        raise IrjudgeError(
            "There is nothing to compare: no document with a text stands among the top of these runs."
        )
    remarks: list[str] = []
    if textless:
        named = ", ".join(sorted(textless)[:5])
        remarks.append(
            Message(
                "Documents left out of the lists, since they have no text: {textless:,} (for example {named}).",
                key="documents-without-text",
                textless=len(textless),
                named=named,
            )
        )
    same = sum(question.lists[0] == question.lists[1] for question in made)
    if same:
        remarks.append(
            Message(
                "Lists that are identical, recorded and not shown: {same:,} of {made:,}.",
                key="identical-lists",
                same=same,
                made=len(made),
            )
        )
    return made, remarks


def _check(project: Project, wish: ComparisonWish) -> None:
    if not wish.runs or any(first == second for first, second in wish.runs):
        raise IrjudgeError("A comparison needs two different runs; name them.", key="no-two-runs")
    if wish.depth < 1 or wish.overlap < 1:
        raise IrjudgeError(
            "Depth and overlap must be 1 or more, got {depth} and {overlap}.",
            key="invalid-depth",
            depth=wish.depth,
            overlap=wish.overlap,
        )
    if wish.repeats < 0:
        raise IrjudgeError(
            "The number of repeats must be 0 or more, got {repeats}.",
            key="negative-repeats",
            repeats=wish.repeats,
        )
    if wish.choice == "top" and wish.rules.top < 1:
        raise IrjudgeError(
            "Finding the best documents needs their number, 1 or more.", key="no-number"
        )
    known = {run.name for run in project.rankings.runs()}
    missing = next((run for pair in wish.runs for run in pair if run not in known), None)
    if missing is not None:
        raise ProjectError(
            "The project has no run called {missing}; it has {value}.",
            key="unknown-run",
            missing=missing,
            value=", ".join(sorted(known)) or "none",
        )


def _tops(
    project: Project, wish: ComparisonWish, progress: Progress
) -> tuple[dict[str, dict[str, tuple[str, ...]]], set[str]]:
    """Return the top of each run by topic, without the documents that have no text, and these documents."""
    names = list(dict.fromkeys(run for pair in wish.runs for run in pair))
    tops: dict[str, dict[str, tuple[str, ...]]] = {}
    textless: set[str] = set()
    for name in progress.through(names, Message("Reading the runs")):
        run = project.rankings.run(name)
        unknown = [topic for topic in wish.topics if topic not in run.topics]
        top = {
            topic: top_documents(run, topic, wish.depth)
            for topic in wish.topics or run.topics
            if topic not in unknown
        }
        missing = set(
            project.collection.without_text(
                list({document for documents in top.values() for document in documents})
            )
        )
        tops[name] = {
            topic: tuple(each for each in documents if each not in missing)
            for topic, documents in top.items()
        }
        textless |= missing
    unknown = [topic for topic in wish.topics if not any(topic in top for top in tops.values())]
    if unknown:
        raise IrjudgeError(
            "None of these runs has the topic {first}.", key="unknown-topic", first=unknown[0]
        )
    return tops, textless


def _of_lists(
    topic: str, lists: Mapping[str, tuple[str, ...]], wish: ComparisonWish
) -> list[ComparisonQuestion]:
    found = (
        ComparisonQuestion(topic, (lists[first], lists[second]), (first, second))
        for first, second in wish.runs
    )
    return [question for question in found if question.documents]


def _of_documents(
    topic: str, lists: Mapping[str, tuple[str, ...]], wish: ComparisonWish
) -> list[ComparisonQuestion]:
    """Return pairs of the documents among the top of any run, in an order that says nothing of ranks."""
    names = sorted({document for documents in lists.values() for document in documents})
    if len(names) > MOST_DOCUMENTS:
        raise IrjudgeError(
            "Topic {topic} has {names:,} documents to compare in pairs; at most {most_documents} can be. Lower the depth.",
            topic=topic,
            names=len(names),
            most_documents=MOST_DOCUMENTS,
        )
    seed = int.from_bytes(blake2b(f"{wish.seed}\0{topic}".encode(), digest_size=8).digest(), "big")
    if len(names) < 2:
        return []
    chosen = (
        random_pairs(len(names), wish.budget, seed=seed)
        if wish.choice == "random"
        else shuffled_pairs(len(names), seed=seed)
    )
    return [
        ComparisonQuestion(topic, ((names[one],), (names[two],))) for one, two in chosen.tolist()
    ]
