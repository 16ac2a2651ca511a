"""Tests of the automatic analyses of a report, and of the topics in worked sheets."""

import pytest

from irjudge.errors import IrjudgeError
from irjudge.evaluation import Evaluation, evaluate_runs, parse_measures
from irjudge.model import make_qrels, make_run
from irjudge.report import make_worked_sheets, parse_run_topic
from irjudge.report.contents import compare_all_runs, correlate_measures, first_evaluated_topic

QRELS = make_qrels(
    [(topic, f"d{each}", each % 3) for topic in ("1", "2:b", "3") for each in range(6)]
)


def evaluate(*names: str, measures: tuple[str, ...] = ("AP", "P@2")) -> Evaluation:
    """Return an evaluation of runs, each with another document first."""
    runs = [
        make_run(
            name,
            [
                (topic, f"d{(each + at) % 6}", -float(each))
                for topic in QRELS.topics
                for each in range(4)
            ],
        )
        for at, name in enumerate(names)
    ]
    return evaluate_runs(QRELS, runs, parse_measures(measures))


def test_few_runs_are_compared_pairwise() -> None:
    comparisons, notes = compare_all_runs(evaluate("a", "b", "c"))
    assert comparisons and {(pair.run_a, pair.run_b) for pair in comparisons.pairs} == {
        ("a", "b"),
        ("a", "c"),
        ("b", "c"),
    }
    assert notes == ()


def test_many_runs_are_compared_with_the_best_one() -> None:
    table = evaluate(*"abcdefghijk")
    best = max(table.runs, key=lambda run: run.summary[0]).run
    comparisons, notes = compare_all_runs(table)
    assert (
        comparisons
        and {pair.run_b for pair in comparisons.pairs} == {best}
        and len(comparisons.pairs) == 10 * 2 * 2
    )
    assert len(notes) == 1 and f" {best}, " in notes[0] and "AP" in notes[0]


def test_counts_and_single_runs_are_not_compared() -> None:
    comparisons, _ = compare_all_runs(evaluate("a", "b", measures=("NumRelRet", "AP")))
    assert comparisons and {pair.measure for pair in comparisons.pairs} == {"AP"}
    assert compare_all_runs(evaluate("a", "b", measures=("NumRelRet",))) == (None, ())
    assert compare_all_runs(evaluate("a")) == (None, ())


def test_no_number_of_topics_is_stated_for_runs_with_equal_means() -> None:
    # P@1 is 1 on one of two topics: each mean is .5, and the values of a run vary over the topics
    qrels = make_qrels([("1", "x", 1), ("1", "y", 0), ("2", "x", 1), ("2", "y", 0)])
    runs = [
        make_run(name, [("1", first, 1.0), ("2", second, 1.0)])
        for name, first, second in (("a", "x", "y"), ("b", "y", "x"), ("c", "x", "y"))
    ]
    comparison, _ = compare_all_runs(evaluate_runs(qrels, runs, parse_measures(["P@1"])))
    assert comparison
    (need,) = [need for need in comparison.needs if need.test == "anova"]
    assert (need.difference, need.needed) == (0, None) and need.seen
    (note,) = [note for note in comparison.notes if f"{need.seen:.4f}" in note]
    assert "million" not in note


def test_runs_without_common_topics_are_reported_as_not_compared() -> None:
    runs = [make_run("a", [("1", "d1", 1.0)]), make_run("b", [("3", "d1", 1.0)])]
    comparisons, (notes,) = compare_all_runs(evaluate_runs(QRELS, runs, parse_measures(["AP"])))
    assert comparisons is None and "a and b " in notes


def test_measures_are_correlated_if_there_are_two_and_two_runs() -> None:
    assert {each.statistic for each in correlate_measures(evaluate("a", "b", "c"))} == {
        "tau",
        "tau-b",
        "tau-ap",
        "spearman",
    }
    assert (
        correlate_measures(evaluate("a")) == ()
        and correlate_measures(evaluate("a", "b", measures=("AP",))) == ()
    )


@pytest.mark.parametrize(
    ("options", "expected"),
    [("a:1", ("a", "1")), ("a:2:b", ("a", "2:b")), ("x:y:2:b", ("x:y", "2:b"))],
)
def test_a_run_and_a_topic_with_colons_are_found(options: str, expected: tuple[str, str]) -> None:
    assert parse_run_topic(evaluate("a", "x:y", "x"), options) == expected


@pytest.mark.parametrize(
    ("options", "values"),
    [
        ("a:9", {"topic": "'9'", "run": "a", "topics": "1, 2:b, 3"}),
        ("b:1", {"text": "'b:1'", "runs": "a"}),
        ("a", {"text": "'a'", "runs": "a"}),
    ],
)
def test_an_unknown_topic_is_named(options: str, values: dict[str, str]) -> None:
    with pytest.raises(IrjudgeError) as error:
        parse_run_topic(evaluate("a"), options)
    assert dict(error.value.values) == values


def test_a_worked_sheet_begins_with_the_first_cutoff_and_gain_of_the_measures() -> None:
    table = evaluate("a", measures=("AP", "nDCG(gain=exp2)@3"))
    runs = {"a": make_run("a", [("1", "d2", 2.0), ("1", "d0", 1.0)])}
    (work,) = make_worked_sheets(
        table, first_evaluated_topic(table), runs.__getitem__, {"1": "one"}
    )
    assert (work.cutoff, work.gain, work.title, work.example.documents) == (
        3,
        "exp2",
        "one",
        ("d2", "d0"),
    )
    # DCG: grade 2 gains 3 at rank 1; ideal: 3 + 3/log2(3) + 1/2.
    assert work.values[2:4] == pytest.approx((3.0, 3 / (3 + 3 / 1.584962500721156 + 0.5)))
