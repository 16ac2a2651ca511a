"""Grades that are offered to documents nearly the same."""

from irjudge.judging import GradeOffer, grade_offers, torn_groups
from irjudge.judging.active_learning import TornGroup
from irjudge.search import NearDuplicateGroups
from irjudge.search.duplicates import NearDuplicate

ALIKE = NearDuplicateGroups(
    (tuple(NearDuplicate(id, shared) for id, shared in (("a", 1.0), ("b", 0.9), ("c", 0.85))),)
)
POOLED = [(topic, document) for topic in "12" for document in "cxab"]


def test_a_grade_is_offered_to_what_is_pooled_and_not_judged() -> None:
    offers = grade_offers(POOLED, {("1", "b"): 2, ("1", "x"): 1, ("2", "x"): 0}, ALIKE)
    assert offers == [GradeOffer("1", "c", 2, "b", 0.85), GradeOffer("1", "a", 2, "b", 0.9)]


def test_one_judgment_offers_its_own_grade() -> None:
    grades = {("1", "a"): 0, ("1", "b"): 2, ("2", "a"): 1}
    assert grade_offers(POOLED, grades, ALIKE, "1", "b") == [GradeOffer("1", "c", 2, "b", 0.85)]
    assert grade_offers(POOLED, grades, ALIKE)[0] == GradeOffer("1", "c", 0, "a", 0.85)
    assert grade_offers(POOLED, grades, ALIKE, "1", "x") == []


def test_the_same_text_with_two_grades_is_told() -> None:
    grades = {("1", "a"): 0, ("1", "b"): 2, ("2", "a"): 1, ("2", "c"): 1}
    assert torn_groups(grades, ALIKE) == [TornGroup("1", (("a", 0), ("b", 2)))]
