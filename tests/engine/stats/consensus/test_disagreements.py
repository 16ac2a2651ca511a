"""Tests of the list of documents on which assessors disagree, the largest difference first."""

from hypothesis import given, settings
from hypothesis import strategies as st

from irjudge.model import UNJUDGEABLE, make_labels
from irjudge.stats.consensus import find_disagreements
from tests.lengths import example_count

LABEL = st.tuples(
    st.sampled_from("abc"), st.sampled_from(["ann", "bob", "cleo"]), st.integers(0, 3)
)


def test_the_largest_differences_come_first_then_most_votes() -> None:
    rows = [
        ("a", "ann", 0),
        ("a", "bob", 1),
        ("b", "ann", 0),
        ("b", "bob", 3),
        ("c", "ann", 1),
        ("c", "bob", 2),
        ("c", "cleo", 2),
    ]
    disagreements = find_disagreements(make_labels(rows))
    assert [(each.document, each.distance) for each in disagreements] == [
        ("b", 3),
        ("c", 1),
        ("a", 1),
    ]
    assert disagreements[1].counts == (("2", 2), ("1", 1))


def test_superseded_labels_do_not_count() -> None:
    assert (
        find_disagreements(make_labels([("a", "ann", 0), ("a", "bob", 1), ("a", "ann", 1)])) == ()
    )


def test_unjudgeable_against_a_grade_is_the_largest_difference() -> None:
    labels = make_labels([("a", "ann", 0), ("a", "bob", 1), ("b", "ann", 0), ("b", "bob", 2)])
    labels.label[0] = UNJUDGEABLE
    disagreements = {each.document: each for each in find_disagreements(labels)}
    assert disagreements["a"].distance == disagreements["b"].distance == 2 and disagreements[
        "a"
    ].labels == (
        ("ann", "✕"),
        ("bob", "1"),
    )


def test_no_labels_give_no_disagreement() -> None:
    assert find_disagreements(make_labels([])) == ()


@settings(max_examples=example_count(60), deadline=None)
@given(st.lists(LABEL, min_size=1, max_size=30))
def test_the_list_equals_that_of_a_loop_over_documents(rows: list[tuple[str, str, int]]) -> None:
    now = {(item, worker): label for item, worker, label in rows}
    split = {
        item
        for item in "abc"
        if len({label for (other, _), label in now.items() if other == item}) > 1
    }
    disagreements = find_disagreements(make_labels(rows))
    assert {each.document for each in disagreements} == split
    for each in disagreements:
        assert dict(each.labels) == {
            worker: str(label) for (item, worker), label in now.items() if item == each.document
        }
