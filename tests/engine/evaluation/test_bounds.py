"""Tests of bounds against every completion of the qrels, and of the settings that affect them."""

import itertools

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from irjudge.errors import IrjudgeError
from irjudge.evaluation import (
    BoundsSetting,
    Policy,
    compute_live_table,
    count_unjudged_pairs,
    describe_unbounded_measures,
    evaluate_runs,
    pair_bounds,
    parse_measures,
    possible_grades,
    run_bounds,
)
from irjudge.evaluation.bounds import verdict
from irjudge.model import make_qrels, make_run
from tests.lengths import example_count

NAMES = "P@2 R@2 RR RBP DCG nDCG nDCG@2 ERR Success@1 CG@2"
MEASURES = parse_measures(NAMES.split())
LOOSE = parse_measures(["AP", "Bpref"])
Rows = list[tuple[str, str, int]]


def rank_letters(name: str, *topics: tuple[str, str]):
    """Return a run that ranks letters: ranked("a", ("1", "xyz")) has x first."""
    return make_run(
        name,
        [
            (topic, letter, 9.0 - index)
            for topic, letters in topics
            for index, letter in enumerate(letters)
        ],
    )


@st.composite
def collections(draw: st.DrawFn) -> tuple[Rows, list[str], list[str]]:
    """Return qrels of two topics with at most four unjudged documents, and two rankings of each."""
    rows: Rows = []
    for topic in "12":
        named = draw(st.lists(st.sampled_from("abcdef"), unique=True, min_size=1, max_size=5))
        rows += [(topic, letter, draw(st.sampled_from([0, 1, 2]))) for letter in named]
    for position in draw(st.sets(st.integers(0, len(rows) - 1), max_size=4)):
        rows[position] = (*rows[position][:2], -1)
    letters = st.permutations("abcdefgh").map("".join)
    rankings = [[draw(letters)[: draw(st.integers(1, 8))] for _ in "12"] for _ in "ab"]
    return rows, *rankings


def list_completions(rows: Rows) -> list[Rows]:
    """Return every completion of the judgments."""
    waiting = [index for index, row in enumerate(rows) if row[2] == -1]
    completions = []
    for grades in itertools.product((0, 1, 2), repeat=len(waiting)):
        done = dict(zip(waiting, grades, strict=True))
        completions.append([(*row[:2], done.get(index, row[2])) for index, row in enumerate(rows)])
    return completions


@pytest.mark.slow
@settings(max_examples=example_count(40), deadline=None)
@given(
    collections(),
    st.sampled_from([Policy(), Policy(depth=3), Policy(ties="docno", topics="qrels")]),
)
def test_intervals_are_the_extremes_over_all_completions(example, policy: Policy) -> None:
    rows, of_a, of_b = example
    a, b = (
        rank_letters(name, *zip("12", letters, strict=True))
        for name, letters in (("a", of_a), ("b", of_b))
    )
    setting = BoundsSetting(grades=(0, 1, 2))
    measures = [*MEASURES, *LOOSE]
    tried = np.array(
        [
            [
                run.values
                for run in evaluate_runs(make_qrels(done), [a, b], measures, policy, highest=2).runs
            ]
            for done in list_completions(rows)
        ]
    )
    for index, run in enumerate((a, b)):
        bounds = run_bounds(make_qrels(rows), run, measures, policy, setting)
        assert np.allclose(bounds.low, tried[:, index].min(axis=0), rtol=0, atol=1e-12)
        assert np.allclose(bounds.high, tried[:, index].max(axis=0), rtol=0, atol=1e-12)
    pair = pair_bounds(make_qrels(rows), a, b, measures, policy, setting)
    differences = tried[:, 0] - tried[:, 1]
    exact = slice(len(MEASURES))
    assert np.allclose(pair.low[exact], differences.min(axis=0)[exact], rtol=0, atol=1e-12)
    assert np.allclose(pair.high[exact], differences.max(axis=0)[exact], rtol=0, atol=1e-12)
    assert (pair.low <= differences.min(axis=0) + 1e-12).all() and (
        pair.high >= differences.max(axis=0) - 1e-12
    ).all()


@pytest.mark.slow
@settings(max_examples=30, deadline=None)
@given(collections())
def test_open_world_intervals_cover_qrels_with_further_documents(example) -> None:
    rows, of_a, of_b = example
    a, b = (
        rank_letters(name, *zip("12", letters, strict=True))
        for name, letters in (("a", of_a), ("b", of_b))
    )
    measures, setting = [*MEASURES, *LOOSE], BoundsSetting("open", (0, 1, 2))
    more = [*rows, ("1", "g", 2), ("1", "zz", 2), ("2", "h", 1), ("2", "g", 0)]
    of_runs = [run_bounds(make_qrels(rows), run, measures, None, setting) for run in (a, b)]
    pair = pair_bounds(make_qrels(rows), a, b, measures, None, setting)
    for done in list_completions(more)[:: max(1, 3 ** sum(row[2] == -1 for row in rows) // 9)]:
        one, two = (
            run.values for run in evaluate_runs(make_qrels(done), [a, b], measures, highest=2).runs
        )
        for value, interval in ((one, of_runs[0]), (two, of_runs[1]), (one - two, pair)):
            assert (interval.low - 1e-12 <= value).all() and (value <= interval.high + 1e-12).all()


def test_the_mean_lies_between_the_means_of_the_ends() -> None:
    qrels = make_qrels([("1", "x", 1), ("1", "y", -1), ("2", "x", 1), ("2", "y", -1)])
    run = rank_letters("a", ("1", "yx"), ("2", "xy"))
    rows = list(run_bounds(qrels, run, parse_measures(["P@1"])).rows(per_topic=True))
    assert rows == [
        ("a", "P@1", "1", 0, 0, 1),
        ("a", "P@1", "2", 1, 1, 1),
        ("a", "P@1", "all", 0.5, 0.5, 1),
    ]


def test_shared_documents_cancel() -> None:
    qrels = make_qrels([("1", "x", 1), ("1", "y", -1), ("1", "z", -1)])
    rows = list(
        pair_bounds(
            qrels,
            rank_letters("a", ("1", "xyz")),
            rank_letters("b", ("1", "qyz")),
            parse_measures(["DCG", "P@3"]),
        ).rows()
    )
    assert rows[0] == ("DCG", "a", "b", "all", 1.0, 1.0, 1.0, "a_better")
    assert rows[1][4:] == pytest.approx((1 / 3, 1 / 3, 1 / 3, "a_better"))


def test_topics_of_only_one_run_are_not_part_of_a_difference() -> None:
    qrels = make_qrels([("1", "x", 1), ("2", "x", 1), ("3", "x", 1)])
    a, b = rank_letters("a", ("1", "x"), ("2", "x")), rank_letters("b", ("3", "y"), ("2", "y"))
    assert pair_bounds(qrels, a, b, MEASURES).topics == ("2",)
    assert pair_bounds(qrels, a, b, MEASURES, Policy(topics="qrels")).topics == ("1", "2", "3")
    lonely = pair_bounds(
        qrels, rank_letters("a", ("1", "x")), rank_letters("b", ("3", "y")), parse_measures(["P@1"])
    )
    assert list(lonely.rows()) == [("P@1", "a", "b", "all", None, None, None, None)]
    assert [note.key for note in lonely.notes] == ["no-common-topic"]


def test_bounds_are_refused_for_topics_that_further_judgments_select() -> None:
    """Topic 2 has no relevant document yet; if c is relevant, P@1 of a is (1 + 0)/2."""
    qrels = make_qrels([("1", "x", 1), ("2", "c", -1), ("2", "d", -1)])
    runs = rank_letters("a", ("1", "x"), ("2", "d")), rank_letters("b", ("1", "x"), ("2", "c"))
    measures, policy = parse_measures(["P@1"]), Policy(topics="relevant")
    for compute in (
        lambda: run_bounds(qrels, runs[0], measures, policy),
        lambda: pair_bounds(qrels, *runs, measures, policy),
        lambda: compute_live_table(qrels, runs, measures, policy),
    ):
        with pytest.raises(IrjudgeError) as error:
            compute()
        assert error.value.key == "relevant-topics"


def test_a_pooled_document_judged_for_a_subtopic_is_not_unjudged() -> None:
    qrels = make_qrels([("1", "x", -1), ("1", "x", 0), ("1", "y", -1)])
    assert count_unjudged_pairs(qrels) == 1
    assert next(
        iter(run_bounds(qrels, rank_letters("a", ("1", "xy")), parse_measures(["P@2"])).rows())
    )[4:] == (0, 0.5)


def test_possible_grades_come_from_the_scale_or_from_qrels_and_measures() -> None:
    qrels = make_qrels([("1", "x", 2)])
    assert possible_grades(qrels, MEASURES, BoundsSetting()) == (0, 1, 2)
    assert possible_grades(qrels, parse_measures(["P(rel=4)@5"]), BoundsSetting()) == (
        0,
        1,
        2,
        3,
        4,
    )
    assert possible_grades(make_qrels([("1", "x", 0)]), MEASURES, BoundsSetting()) == (0, 1)
    assert possible_grades(qrels, MEASURES, BoundsSetting(grades=(0, 1, 3))) == (0, 1, 2, 3)
    with pytest.raises(IrjudgeError, match="as the lowest grade, got 1, 2"):
        possible_grades(qrels, MEASURES, BoundsSetting(grades=(1, 2)))


def test_a_measure_without_bounds_has_only_its_value() -> None:
    qrels, (count,) = make_qrels([("1", "x", 1), ("2", "x", -1)]), parse_measures(["NumRet"])
    runs = rank_letters("a", ("1", "xy"), ("2", "xyz")), rank_letters("b", ("1", "x"), ("2", "x"))
    assert list(run_bounds(qrels, runs[0], [count]).rows()) == [
        ("a", "NumRet", "all", 5, None, None)
    ]
    assert list(pair_bounds(qrels, *runs, [count]).rows()) == [
        ("NumRet", "a", "b", "all", 3, None, None, None)
    ]
    (warning,) = describe_unbounded_measures([count, *MEASURES])
    assert "NumRet" in warning


def test_a_verdict_follows_from_the_interval() -> None:
    assert [
        verdict(MEASURES[0], *ends)
        for ends in ((0.1, 0.2), (-0.2, -0.1), (0.0, 0.0), (0.0, 0.1), (-0.1, 0.1), (1e-17, 1e-17))
    ] == [
        "a_better",
        "b_better",
        "equal",
        "can_change",
        "can_change",
        "equal",
    ]
