"""Tests of two runs side by side: joined ranks, overlaps, and topics ordered by difference."""

import pytest

from irjudge.errors import IrjudgeError
from irjudge.evaluation import (
    JoinedRow,
    compare_tops,
    evaluate_runs,
    join_rankings,
    parse_measures,
)
from irjudge.model import make_qrels, make_run, top_documents


def run(name: str, **topics: str):
    return make_run(
        name,
        [
            (topic, document, float(-rank))
            for topic, documents in topics.items()
            for rank, document in enumerate(documents)
        ],
    )


ONE, TWO = run("one", t1="abcd", t2="abcd", t3="ab"), run("two", t1="abcd", t2="dxay", t4="ab")


def test_documents_of_both_rankings_are_joined_with_ranks_and_grades() -> None:
    assert join_rankings(ONE, TWO, "t2", depth=3, grades={"x": 2}) == (
        JoinedRow("a", 1, 3),
        JoinedRow("b", 2, None),
        JoinedRow("c", 3, None),
        JoinedRow("d", None, 1),
        JoinedRow("x", None, 2, 2),
    )


def test_a_run_that_lacks_the_topic_ranks_nothing_and_both_lacking_it_is_an_error() -> None:
    assert [row.second for row in join_rankings(ONE, TWO, "t3")] == [None, None]
    with pytest.raises(IrjudgeError) as error:
        join_rankings(ONE, TWO, "t9")
    assert error.value.values["first"] == "one"
    assert error.value.values["second"] == "two"
    assert error.value.values["topic"] == "t9"
    with pytest.raises(IrjudgeError, match="at least 1, got 0"):
        join_rankings(ONE, TWO, "t1", depth=0)


def test_ties_follow_the_policy() -> None:
    tied = make_run("tied", [("0", "z", 1.0), ("1", "a", 1.0), ("1", "b", 1.0)])
    assert (top_documents(tied, "1", 2), top_documents(tied, "1", 2, "docno")) == (
        ["b", "a"],
        ["a", "b"],
    )


def test_topics_that_differ_most_come_first_with_their_overlaps() -> None:
    qrels = make_qrels([("t1", "a", 1), ("t2", "a", 1)])
    overlaps = compare_tops(
        ONE, TWO, evaluation=evaluate_runs(qrels, [ONE, TWO], parse_measures(["P@1", "RR"]))
    )
    assert [each.topic for each in overlaps] == ["t2", "t1"]
    differ, same = overlaps
    assert (
        differ.both,
        differ.only_first,
        differ.only_second,
        differ.jaccard,
        differ.identical,
    ) == (2, 2, 2, 2 / 6, False)
    assert (same.jaccard, same.rbo, same.identical) == (1, pytest.approx(1), True)
    assert differ.difference("RR") == pytest.approx(1 - 1 / 3) and same.difference("RR") == 0
    assert differ.difference("AP") is None


def test_the_same_documents_in_another_order_are_not_identical() -> None:
    assert [each.identical for each in compare_tops(run("a", t="xyz"), run("b", t="xzy"))] == [
        False
    ]
    assert [
        each.identical for each in compare_tops(run("a", t="xyz"), run("b", t="xyw"), depth=2)
    ] == [True]


def test_swapped_runs_mirror_the_comparison() -> None:
    for forth, back in zip(compare_tops(ONE, TWO), compare_tops(TWO, ONE), strict=True):
        assert (forth.only_first, forth.both, forth.jaccard, forth.rbo) == (
            back.only_second,
            back.both,
            back.jaccard,
            pytest.approx(back.rbo),
        )
