"""Tests of run comparison: pairs and baselines, missing topics, corrections, and edge cases."""

from dataclasses import astuple

import numpy as np
import pytest

from irjudge.errors import Cancelled, IrjudgeError
from irjudge.evaluation import (
    COMPARISON_COLUMNS,
    Evaluation,
    Policy,
    compare,
    evaluate_runs,
    parse_measures,
)
from irjudge.model import make_qrels, make_run
from irjudge.progress import Progress
from irjudge.stats import Sampling
from irjudge.stats.significance import holm

TOPICS = [str(topic) for topic in range(1, 9)]
QRELS = make_qrels([(topic, f"d{number}", 1) for topic in TOPICS for number in (1, 2)])


def run_with(name: str, ranks: list[int | None]):
    """Return a run whose first relevant document has these ranks; None omits the topic."""
    rows = []
    for topic, rank in zip(TOPICS, ranks, strict=False):
        if rank is not None:
            rows += [(topic, f"x{index}", 100.0 - index) for index in range(1, rank)] + [
                (topic, "d1", 100.0 - rank)
            ]
    return make_run(name, rows)


A = run_with("a", [1, 1, 2, 1, 4, 1, 1, 2])
B = run_with("b", [2, 1, 4, 2, 2, 4, 2, 2])
C = run_with("c", [4, 4, 5, 4, 4, 5, 4, 5])


def evaluate(*runs, measures: str = "RR") -> Evaluation:
    return evaluate_runs(QRELS, runs, parse_measures(measures.split()), Policy())


def test_columns_are_the_documented_ones() -> None:
    wanted = "measure,run_a,run_b,topics,mean_a,mean_b,difference,low,high,test,statistic,p,p_adjusted,effect,wins,ties,losses"
    assert ",".join(COMPARISON_COLUMNS) == wanted


def test_every_two_runs_are_compared_by_every_measure_and_test() -> None:
    comparison = compare(evaluate(A, B, C, measures="RR P@1"), tests=["t", "sign"])
    assert [(pair.measure, pair.test, pair.run_a, pair.run_b) for pair in comparison.pairs] == [
        (measure, test, *pair)
        for measure in ("RR", "P@1")
        for test in ("t", "sign")
        for pair in (("a", "b"), ("a", "c"), ("b", "c"))
    ]
    assert [tuple(row) for row in comparison.rows()] == [astuple(pair) for pair in comparison.pairs]


def test_a_row_has_the_values_worked_by_hand() -> None:
    """RR of a: 1 1 .5 1 .25 1 1 .5, of b: .5 1 .25 .5 .5 .25 .5 .5.

    The differences are .5 0 .25 .5 -.25 .75 .5 0, their mean is .28125.
    """
    (row,) = compare(evaluate(A, B), tests=["t"]).pairs
    differences = np.array([0.5, 0, 0.25, 0.5, -0.25, 0.75, 0.5, 0])
    spread = differences.std(ddof=1)
    assert (row.topics, row.mean_a, row.mean_b, row.difference) == (8, 0.78125, 0.5, 0.28125)
    assert (row.wins, row.ties, row.losses) == (5, 2, 1)
    assert row.statistic == pytest.approx(0.28125 / (spread / 8**0.5))
    assert row.effect == pytest.approx(0.28125 / spread)
    # Student's .975 quantile with 7 degrees of freedom, from tables 2.365
    half = 2.364624251010299 * spread / 8**0.5
    assert (row.low, row.high) == pytest.approx((0.28125 - half, 0.28125 + half))


def test_with_a_baseline_each_other_run_is_compared_with_it() -> None:
    comparison = compare(evaluate(A, B, C), tests=["t"], baseline="b")
    assert [(pair.run_a, pair.run_b) for pair in comparison.pairs] == [("a", "b"), ("c", "b")]
    assert comparison.pairs[0].difference > 0 > comparison.pairs[1].difference


def test_p_values_are_corrected_within_a_measure_and_test() -> None:
    comparison = compare(evaluate(A, B, C, measures="RR P@1"), tests=["t", "sign"])
    for at in range(0, 12, 3):
        assert [pair.p_adjusted for pair in comparison.pairs[at : at + 3]] == holm(
            [pair.p for pair in comparison.pairs[at : at + 3]]
        ).tolist()
    plain = compare(evaluate(A, B, C), tests=["t"], correction="none")
    assert [pair.p for pair in plain.pairs] == [pair.p_adjusted for pair in plain.pairs]


def test_tukey_is_not_corrected_again() -> None:
    comparison = compare(
        evaluate(A, B, C),
        tests=["tukey", "tukey-hsd"],
        correction="bonferroni",
        sampling=Sampling(samples=500),
    )
    assert [pair.p for pair in comparison.pairs] == [pair.p_adjusted for pair in comparison.pairs]


def test_the_family_has_all_runs_even_if_few_pairs_are_shown() -> None:
    every, some = (
        compare(evaluate(A, B, C), tests=["tukey-hsd"], baseline=name) for name in (None, "c")
    )
    assert [pair.p for pair in every.pairs][1:] == [pair.p for pair in some.pairs]


def test_each_pair_is_compared_on_the_topics_both_have() -> None:
    short = run_with("short", [2, None, 4, 2, 2])
    comparison = compare(evaluate(A, B, short), tests=["t", "tukey-hsd"])
    assert [pair.topics for pair in comparison.pairs[:3]] == [8, 4, 4]
    assert comparison.pairs[1].mean_a == pytest.approx(np.mean([1, 0.5, 1, 0.25]))
    assert "different-topics" in [warning.key for warning in comparison.notes]
    alone = compare(evaluate(A, short), tests=["t"])
    assert alone.pairs[0] == comparison.pairs[1].__class__(
        *astuple(comparison.pairs[1])[:12], alone.pairs[0].p, *astuple(comparison.pairs[1])[13:]
    )


def test_the_order_of_topics_in_a_run_does_not_matter() -> None:
    rows = [(topic, "d1", 1.0) if topic in "135" else (topic, "x", 1.0) for topic in TOPICS]
    forwards, backwards = make_run("r", rows), make_run("r", rows[::-1])
    assert (
        compare(evaluate(A, forwards), tests=["t"]).pairs
        == compare(evaluate(A, backwards), tests=["t"]).pairs
    )


def test_identical_runs_do_not_differ() -> None:
    same = run_with("same", [1, 1, 2, 1, 4, 1, 1, 2])
    for pair in compare(
        evaluate(A, same),
        tests=["t", "permutation", "wilcoxon", "sign", "bootstrap", "tukey", "tukey-hsd"],
    ).pairs:
        assert (pair.p, pair.p_adjusted, pair.difference, pair.low, pair.high, pair.effect) == (
            1,
            1,
            0,
            0,
            0,
            0,
        )
        assert (pair.wins, pair.ties, pair.losses) == (0, 8, 0)


def test_one_topic_gives_no_test_and_no_error() -> None:
    one = [make_run("a", [("1", "d1", 1.0)]), make_run("b", [("1", "x", 2.0), ("1", "d1", 1.0)])]
    for pair in compare(
        evaluate(*one),
        tests=["t", "permutation", "wilcoxon", "sign", "bootstrap", "tukey", "tukey-hsd"],
    ).pairs:
        assert (pair.p, pair.topics, pair.difference, pair.low, pair.high, pair.effect) == (
            1,
            1,
            0.5,
            None,
            None,
            None,
        )


@pytest.mark.parametrize("interval", ["percentile", "bca"])
def test_bootstrap_intervals_report_their_method(interval) -> None:
    comparison = compare(
        evaluate(A, B, C), tests=["t"], interval=interval, sampling=Sampling(seed=3, samples=200)
    )
    (method,) = (each.values["method"] for each in comparison.notes if each.key == "interval")
    assert interval in method and all(each in method for each in ("200 ", "seed 3"))
    assert all(pair.low < pair.difference < pair.high for pair in comparison.pairs)


def test_settings_needed_to_repeat_a_test_are_reported() -> None:
    warnings = compare(evaluate(A, B, C), tests=["t", "permutation"]).notes
    student, permutation = (each.all_values for each in warnings if each.key == "test")
    assert (student["test"], student["degrees"]) == ("t", "7")
    assert (permutation["test"], permutation["method"]) == ("permutation", "exact")
    (adjusted,) = (each.values for each in warnings if each.key == "adjusted-p")
    assert adjusted["pairs"] == "3"
    assert any("ignore missing judgments" in warning for warning in warnings)


def test_incomparable_input_is_refused() -> None:
    with pytest.raises(IrjudgeError) as error:
        compare(evaluate(A))
    assert error.value.key == "no-two-runs"
    assert error.value.values["run"] == "a"
    with pytest.raises(IrjudgeError) as error:
        compare(evaluate())
    assert error.value.key == "no-two-runs"
    assert "run" not in error.value.values
    with pytest.raises(IrjudgeError) as error:
        compare(evaluate(A, B), baseline="z")
    assert error.value.values["name"] == "'z'"
    assert error.value.values["names"] == "a, b"
    with pytest.raises(IrjudgeError, match="'magic' is not known"):
        compare(evaluate(A, B), tests=["magic"])
    with pytest.raises(IrjudgeError, match="'magic' is not known"):
        compare(evaluate(A, B), correction="magic")
    apart = [run_with("x", [1, 1]), run_with("y", [None, None, 1, 1])]
    with pytest.raises(IrjudgeError) as error:
        compare(evaluate(*apart))
    assert error.value.key == "no-common-evaluated-topic"
    assert error.value.values["first"] == "x"
    assert error.value.values["second"] == "y"
    ring = [run_with("x", [1, 1]), run_with("y", [None, 1, 1]), run_with("z", [1, None, 1])]
    with pytest.raises(IrjudgeError) as error:
        compare(evaluate(*ring), tests=["tukey"])
    assert error.value.key == "no-topic-of-all"


def test_cancelling_stops_the_work() -> None:
    with pytest.raises(Cancelled):
        compare(
            evaluate(A, B),
            tests=["bootstrap"],
            sampling=Sampling(progress=Progress(cancelled=lambda: True)),
        )
