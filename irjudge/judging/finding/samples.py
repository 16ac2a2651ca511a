"""Samples drawn at random from what nobody judged, as the project keeps them; every session reads them, so nothing heavy is loaded here."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from irjudge.judging.finding.sources import Pair
from irjudge.store.project import Project

FACT, TARGET_FACT = "random samples", "target way"


@dataclass(frozen=True, slots=True)
class RandomSample:
    """Documents of a topic that were drawn at random from all that nobody had judged, and how it stood then."""

    topic: str
    documents: tuple[str, ...]
    rest: int  # documents that nobody had judged
    found: int  # relevant documents that were known
    rel: int  # a document is relevant from this grade on
    looks: int  # how many samples may be drawn in all before the stop: the level is split over them
    made: str  # when it was drawn, UTC


def samples_of(project: Project) -> dict[str, tuple[RandomSample, ...]]:
    """Return the samples that were drawn, by topic, the first one first."""

    def read(kept: Mapping[str, list[dict[str, Any]]]) -> dict[str, tuple[RandomSample, ...]]:
        return {topic: tuple(_sample(each) for each in drawn) for topic, drawn in kept.items()}

    return project.kept_fact(
        FACT, {}, "{file} does not say in a readable way what was drawn at random ({fault}).", read
    )


def _sample(kept: Mapping[str, Any]) -> RandomSample:
    counts = {name: int(kept[name]) for name in ("rest", "found", "rel", "looks")}
    return RandomSample(
        str(kept["topic"]), tuple(map(str, kept["documents"])), **counts, made=str(kept["made"])
    )


@dataclass(frozen=True, slots=True)
class TargetWay:
    """How far a topic is on the target way: documents are drawn until enough are relevant, and a search finds these again."""

    topic: str
    documents: tuple[str, ...]  # drawn so far, in the order they were drawn
    rest: int  # documents that nobody had judged when it began
    rel: int  # a document is relevant from this grade on
    made: str  # when it began, UTC
    searching: bool = False  # whether enough were drawn, and the search goes on
    again: tuple[str, ...] = ()  # those drawn that the search came to, in its order


def target_ways(project: Project) -> dict[str, TargetWay]:
    """Return which topics go the target way, and how far they are."""

    def read(kept: Mapping[str, Mapping[str, Any]]) -> dict[str, TargetWay]:
        return {topic: _way(each) for topic, each in kept.items()}

    return project.kept_fact(
        TARGET_FACT,
        {},
        "{file} does not say in a readable way what was drawn at random ({fault}).",
        read,
    )


def _way(kept: Mapping[str, Any]) -> TargetWay:
    documents, again = (tuple(map(str, kept[name])) for name in ("documents", "again"))
    rest, rel = (int(kept[name]) for name in ("rest", "rel"))
    return TargetWay(
        str(kept["topic"]), documents, rest, rel, str(kept["made"]), bool(kept["searching"]), again
    )


def drawn_to_judge(project: Project) -> frozenset[Pair]:
    """Return what was drawn at random, judged or not: whoever judges it says so."""
    sampled = (
        (each.topic, document)
        for samples in samples_of(project).values()
        for each in samples
        for document in each.documents
    )
    targets = (
        (way.topic, document) for way in target_ways(project).values() for document in way.documents
    )
    return frozenset((*sampled, *targets))
