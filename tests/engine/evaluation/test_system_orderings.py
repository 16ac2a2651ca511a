"""Tests of orders of systems: under two measures, under two qrels, and the matrix of measures."""

import numpy as np
import pytest

from irjudge.errors import IrjudgeError
from irjudge.evaluation import (
    ORDERING_COLUMNS,
    Evaluation,
    SystemOrdering,
    compare_orderings,
    evaluate_runs,
    measure_orderings,
    measure_pairs,
    ordering_matrix,
    ordering_rows,
    parse_measures,
    qrels_pairs,
)
from irjudge.model import make_qrels, make_run
from irjudge.stats import parse_statistics

QRELS = make_qrels([("1", "d1", 1), ("1", "d2", 1), ("1", "d3", 0)])
OTHER = make_qrels([("1", "d1", 0), ("1", "d2", 1), ("1", "d3", 1)])
RUNS = [
    make_run(name, [("1", document, 10.0 - index) for index, document in enumerate(documents)])
    for name, documents in (
        ("a", ["d1", "d2", "d3"]),
        ("b", ["d1", "d3", "d2"]),
        ("c", ["d3", "d1", "d2"]),
        ("d", ["d3", "d4", "d5"]),
    )
]


def evaluate(qrels=QRELS, measures: str = "AP RR P@1") -> Evaluation:
    return evaluate_runs(qrels, RUNS, parse_measures(measures.split()), source="q")


def test_columns_are_the_documented_ones() -> None:
    assert ",".join(ORDERING_COLUMNS) == "measure_a,measure_b,statistic,systems,value"


def test_every_two_measures_are_compared() -> None:
    """AP: 1, .8333, .5833, 0; RR: 1, 1, .5, 0; P@1: 1, 1, 0, 0.

    Of 6 pairs RR ties one and P@1 two.
    """
    comparisons = list(
        compare_orderings(measure_pairs(evaluate()), parse_statistics(["tau", "tau-b"]))
    )
    assert [
        (pair.measure_a, pair.measure_b, pair.statistic, pair.systems) for pair in comparisons
    ] == [
        (*pair, statistic, 4)
        for pair in (("AP", "RR"), ("AP", "P@1"), ("RR", "P@1"))
        for statistic in ("tau", "tau-b")
    ]
    assert [pair.value for pair in comparisons] == pytest.approx(
        [5 / 6, 5 / 30**0.5, 4 / 6, 4 / 24**0.5, 4 / 6, 4 / 20**0.5]
    )
    assert next(ordering_rows(comparisons)) == ("AP", "RR", "tau", 4, pytest.approx(5 / 6))


def test_each_measure_is_compared_under_both_qrels() -> None:
    pairs = qrels_pairs(evaluate(measures="RR"), evaluate(OTHER, "RR"), ("one", "two"))
    (comparison,) = compare_orderings(pairs, parse_statistics(["spearman"]))
    assert (comparison.measure_a, comparison.measure_b) == ("RR [one]", "RR [two]")
    # RR under the other qrels: .5, .5, 1, 1.
    assert comparison.value == pytest.approx(
        np.corrcoef([1.5, 1.5, 3, 4], [3.5, 3.5, 1.5, 1.5])[0, 1]
    )


def test_the_matrix_has_every_measure_with_every_other() -> None:
    (statistic,) = parse_statistics(["tau-b"])
    matrix = ordering_matrix(measure_orderings(evaluate()), statistic)
    assert matrix.shape == (3, 3) and np.diag(matrix) == pytest.approx(1)
    assert matrix[0, 1] == matrix[1, 0] == pytest.approx(5 / 30**0.5)


def test_means_equal_but_for_rounding_are_tied() -> None:
    pair = (
        SystemOrdering("x", ("a", "b", "c"), np.array([0.1 + 0.2, 0.3, 0.1])),
        SystemOrdering("y", ("a", "b", "c"), np.array([2.0, 2.0, 1.0])),
    )
    (comparison,) = compare_orderings([pair], parse_statistics(["tau-b"]))
    assert comparison.value == pytest.approx(1)


def test_only_systems_of_both_orders_count() -> None:
    pair = (
        SystemOrdering("x", ("a", "b", "c"), np.array([3.0, 2.0, 1.0])),
        SystemOrdering("y", ("c", "z", "a"), np.array([5.0, 9.0, 4.0])),
    )
    (comparison,) = compare_orderings([pair], parse_statistics(["tau"]))
    assert (comparison.systems, comparison.value) == (2, -1)


def test_one_system_has_no_order() -> None:
    pair = (
        SystemOrdering("x", ("a",), np.array([3.0])),
        SystemOrdering("y", ("a",), np.array([5.0])),
    )
    with pytest.raises(IrjudgeError) as error:
        list(compare_orderings([pair], parse_statistics(["tau"])))
    assert error.value.values["first"] == "x"
    assert error.value.values["second"] == "y"
    assert error.value.values["count"] == "1"


def test_an_ordering_has_the_values_of_the_runs() -> None:
    assert [
        (each.name, each.systems) for each in measure_orderings(evaluate(measures="RR"), "here")
    ] == [("RR [here]", ("a", "b", "c", "d"))]
    assert measure_orderings(evaluate(measures="RR"))[0].values.tolist() == [1, 1, 0.5, 0]
