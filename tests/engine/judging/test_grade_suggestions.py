"""Tests of grades that are suggested for near-duplicates."""

from irjudge.judging import GradeSuggestion, find_inconsistent_groups, suggest_grades
from irjudge.judging.active_learning import InconsistentGroup
from irjudge.search import NearDuplicateGroups
from irjudge.search.duplicates import NearDuplicate

NEAR_DUPLICATES = NearDuplicateGroups(
    (tuple(NearDuplicate(id, shared) for id, shared in (("a", 1.0), ("b", 0.9), ("c", 0.85))),)
)
POOLED = [(topic, document) for topic in "12" for document in "cxab"]


def test_a_grade_is_suggested_for_pooled_unjudged_duplicates() -> None:
    offers = suggest_grades(POOLED, {("1", "b"): 2, ("1", "x"): 1, ("2", "x"): 0}, NEAR_DUPLICATES)
    assert offers == [
        GradeSuggestion("1", "c", 2, "b"),
        GradeSuggestion("1", "a", 2, "b"),
    ]


def test_a_single_judgment_suggests_its_own_grade() -> None:
    grades = {("1", "a"): 0, ("1", "b"): 2, ("2", "a"): 1}
    assert suggest_grades(POOLED, grades, NEAR_DUPLICATES, "1", "b") == [
        GradeSuggestion("1", "c", 2, "b")
    ]
    assert suggest_grades(POOLED, grades, NEAR_DUPLICATES)[0] == GradeSuggestion("1", "c", 0, "a")
    assert suggest_grades(POOLED, grades, NEAR_DUPLICATES, "1", "x") == []


def test_duplicates_with_different_grades_are_reported() -> None:
    grades = {("1", "a"): 0, ("1", "b"): 2, ("2", "a"): 1, ("2", "c"): 1}
    assert find_inconsistent_groups(grades, NEAR_DUPLICATES) == [
        InconsistentGroup("1", (("a", 0), ("b", 2)))
    ]
