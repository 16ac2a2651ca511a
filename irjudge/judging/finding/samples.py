"""Samples drawn at random from what nobody judged, as the project keeps them; every session reads them, so nothing heavy is loaded here."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from irjudge.judging.finding.sources import Pair
from irjudge.store.project import Project

FACT = "random samples"


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

    return project.kept_fact(FACT, {}, "{file} does not say in a readable way what was drawn at random ({fault}).", read)


def _sample(kept: Mapping[str, Any]) -> RandomSample:
    counts = {name: int(kept[name]) for name in ("rest", "found", "rel", "looks")}
    return RandomSample(str(kept["topic"]), tuple(map(str, kept["documents"])), **counts, made=str(kept["made"]))


def drawn_to_judge(project: Project) -> frozenset[Pair]:
    """Return what was drawn at random, judged or not: whoever judges it says so."""
    return frozenset(
        (sample.topic, document) for samples in samples_of(project).values() for sample in samples for document in sample.documents
    )
