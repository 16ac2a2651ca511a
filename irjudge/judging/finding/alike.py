"""Grades that may be given to documents nearly the same as one that was judged: offered, never copied in silence."""

from collections.abc import Collection, Mapping
from dataclasses import dataclass

from irjudge.search.duplicates import AlikeGroups


@dataclass(frozen=True, slots=True)
class GradeOffer:
    """A pair that nobody judged, and the grade of a document that is nearly the same."""

    topic: str
    document: str
    grade: int
    source: str  # the document that was judged
    overlap: float  # the share of shingles: of the one of the two that shares less with the first of their group


@dataclass(frozen=True, slots=True)
class TornGroup:
    """Documents that are nearly the same, and were judged differently for a topic."""

    topic: str
    grades: tuple[tuple[str, int], ...]  # document and grade, in the order of the group


def grade_offers(
    pooled: Collection[tuple[str, str]],
    grades: Mapping[tuple[str, str], int],
    alike: AlikeGroups,
    topic: str = "",
    document: str = "",
) -> list[GradeOffer]:
    """Return what pairs that are pooled and not judged may be offered by documents nearly the same, in the order of the pool.

    With a topic and document only what the grade of this pair offers; without them what all offer, each pair by the first of its group that
    has a grade.
    """
    offers = []
    for pair in pooled:
        if pair in grades or (topic and pair[0] != topic):
            continue
        others = [
            each
            for each in alike.others(pair[1])
            if (pair[0], each.id) in grades and document in ("", each.id)
        ]
        if others:
            mine = next(each.overlap for each in alike.others(others[0].id) if each.id == pair[1])
            offers.append(
                GradeOffer(
                    *pair, grades[pair[0], others[0].id], others[0].id, min(mine, others[0].overlap)
                )
            )
    return offers


def torn_groups(grades: Mapping[tuple[str, str], int], alike: AlikeGroups) -> list[TornGroup]:
    """Return the groups that were judged differently for a topic: here somebody may have looked away."""
    torn = []
    for topic in dict.fromkeys(topic for topic, _ in grades):
        for group in alike.groups:
            given = tuple(
                (each.id, grades[topic, each.id]) for each in group if (topic, each.id) in grades
            )
            if len({grade for _, grade in given}) > 1:
                torn.append(TornGroup(topic, given))
    return torn
