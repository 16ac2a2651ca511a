"""Tests of the agreement of each pair of assessors."""

import numpy as np
import pytest

import irjudge.stats.agreement.coefficients as agreement_pairs
from irjudge.errors import MeasureError
from irjudge.model import make_labels
from irjudge.stats.agreement import agreement, agreement_of_pairs
from irjudge.stats.agreement.coefficients import build_pair_tables


def some_labels():
    random = np.random.default_rng(3)
    return make_labels(
        [
            (f"d{item}", f"w{worker}", int(random.integers(0, 3)))
            for item in range(40)
            for worker in random.permutation(5)[:3]
        ]
    )


def test_each_pair_has_the_value_of_its_own_labels() -> None:
    labels = some_labels()
    for pair in agreement_of_pairs(labels):
        for estimate in pair.estimates():
            first, second = estimate.of.split(" / ")
            alone = labels.without(set(labels.workers) - {first, second})
            name = f"{pair.statistic}-{pair.scale}"
            [wanted] = agreement(alone, [name])
            assert (estimate.value, estimate.used) == (pytest.approx(wanted.value), wanted.used), (
                name,
                estimate.of,
            )


def test_the_matrix_is_symmetrical_and_empty_on_the_diagonal() -> None:
    labels = make_labels([("d1", "a", 0), ("d1", "b", 1), ("d2", "c", 1), ("d2", "b", 1)])
    [raw] = agreement_of_pairs(labels, ["raw-agreement"])
    assert np.array_equal(
        raw.matrix(), [[np.nan, 0, np.nan], [0, np.nan, 1], [np.nan, 1, np.nan]], equal_nan=True
    )


def test_an_undefined_pair_has_a_reason() -> None:
    labels = make_labels([("d1", "a", 1), ("d1", "b", 1)])
    [pair] = agreement_of_pairs(labels, ["kappa-nominal"])
    [estimate] = pair.estimates()
    assert (estimate.value, estimate.low) == (None, None)
    assert estimate.reason.key == "labels-all-same"


def test_pairs_are_counted_the_same_however_many_fit_into_memory(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    labels = some_labels()
    whole = build_pair_tables(labels)
    monkeypatch.setattr(agreement_pairs, "MAX_PAIRS_PER_BLOCK", 10)
    parts = build_pair_tables(labels)
    assert parts.label_pairs is None and whole.label_pairs is not None
    for name in (
        "first",
        "second",
        "items",
        "row",
        "column",
        "count",
        "first_grades",
        "second_grades",
    ):
        assert np.array_equal(getattr(whole, name), getattr(parts, name)), name
    [one], [two] = agreement(labels, ["kappa-nominal"]), agreement(labels, ["kappa-nominal"])
    assert one.value == two.value and one.low is None


def test_a_statistic_of_all_workers_together_is_refused_with_those_of_two() -> None:
    with pytest.raises(MeasureError) as error:
        agreement_of_pairs(make_labels([("d1", "ann", 0), ("d1", "bob", 1)]), ["kappa", "alpha"])
    assert error.value.values["name"] == "alpha"
