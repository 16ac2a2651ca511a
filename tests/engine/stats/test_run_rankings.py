"""Tests of two runs compared topic by topic: shared topics, depth, ties."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from irjudge.errors import Cancelled, IrjudgeError
from irjudge.model import make_run
from irjudge.progress import Progress
from irjudge.stats import run_pairs

FIRST = make_run(
    "a", [("2", "x", 3.0), ("1", "d1", 3.0), ("1", "d2", 2.0), ("1", "d3", 2.0), ("1", "d4", 1.0)]
)
SECOND = make_run("b", [("1", "d4", 9.0), ("1", "d1", 8.0), ("1", "d9", 7.0), ("3", "x", 1.0)])


def list_ranks(pair) -> list[tuple[int, int]]:
    return sorted(zip(pair.first.tolist(), pair.second.tolist(), strict=True))


def test_only_topics_of_both_runs_are_compared() -> None:
    (pair,) = run_pairs(FIRST, SECOND)
    assert pair.topic == "1"
    assert list_ranks(pair.pair) == [(0, 3), (1, 2), (2, 0), (2, 0), (3, 1)]


def test_a_rule_for_ties_puts_equal_scores_in_order() -> None:
    (pair,) = run_pairs(FIRST, SECOND, ties="trec")
    assert list_ranks(pair.pair) == [(0, 3), (1, 2), (2, 0), (3, 0), (4, 1)]


def test_a_depth_cuts_both_rankings() -> None:
    (pair,) = run_pairs(FIRST, SECOND, depth=2)
    assert list_ranks(pair.pair) == [(0, 1), (1, 2), (2, 0)]


@pytest.mark.parametrize("depth", [0, -3])
def test_a_depth_below_1_is_refused(depth: int) -> None:
    with pytest.raises(IrjudgeError) as error:
        list(run_pairs(FIRST, SECOND, depth=depth))
    assert error.value.values["depth"] == str(depth)


def test_runs_without_common_topics_are_refused() -> None:
    with pytest.raises(IrjudgeError) as error:
        list(run_pairs(FIRST, make_run("c", [("9", "d1", 1.0)])))
    assert error.value.values["first"] == "a"
    assert error.value.values["second"] == "c"
    with pytest.raises(IrjudgeError, match="no topic in common"):
        list(run_pairs(FIRST, make_run("c", [])))


def test_cancelling_stops_the_work() -> None:
    with pytest.raises(Cancelled):
        list(run_pairs(FIRST, SECOND, progress=Progress(cancelled=lambda: True)))


@given(
    st.lists(
        st.tuples(st.sampled_from("12"), st.integers(0, 5), st.integers(0, 3)),
        unique_by=lambda row: row[:2],
    ).filter(bool)
)
def test_a_run_agrees_with_itself_in_any_order_of_lines(rows) -> None:
    run = make_run("a", [(topic, f"d{document}", float(score)) for topic, document, score in rows])
    again = make_run(
        "b", [(topic, f"d{document}", float(score)) for topic, document, score in reversed(rows)]
    )
    for pair in run_pairs(run, again):
        assert pair.pair.first.tolist() == pair.pair.second.tolist()
        assert min(pair.pair.first.tolist()) == 1
