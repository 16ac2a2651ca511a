"""Tests of agreement: used labels, undefined values, intervals, and invariance."""

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from irjudge.errors import Cancelled, MeasureError
from irjudge.model import Labels, make_labels
from irjudge.progress import Progress
from irjudge.stats import Sampling
from irjudge.stats.agreement import (
    AGREEMENT,
    AGREEMENT_COLUMNS,
    AgreementEstimate,
    agreement,
    agreement_by_grade,
    agreement_by_topic,
    agreement_of_pairs,
)
from irjudge.stats.agreement.coefficients import NO_SHARED_ITEM
from tests.lengths import example_count

QUICK = Sampling(samples=40)
Row = tuple[str, str, int]


def by_name(estimates: tuple[AgreementEstimate, ...]) -> dict[str, AgreementEstimate]:
    return {f"{each.statistic}-{each.scale}": each for each in estimates}


def values(labels: Labels) -> dict[str, float]:
    return {
        name: math.nan if each.value is None else each.value
        for name, each in by_name(agreement(labels, sampling=QUICK)).items()
    }


@st.composite
def rows(draw: st.DrawFn, workers: int = 4, grades: int = 4) -> list[Row]:
    """Return labels of up to 8 items, one for each worker and item at most."""
    cells = draw(
        st.lists(
            st.tuples(st.integers(0, 7), st.integers(0, workers - 1)),
            unique=True,
            min_size=1,
            max_size=24,
        )
    )
    return [(f"d{item}", f"w{worker}", draw(st.integers(0, grades - 1))) for item, worker in cells]


def test_the_first_columns_are_the_documented_ones() -> None:
    assert AGREEMENT_COLUMNS[:6] == ("statistic", "scale", "used", "total", "value", "reason")


def test_every_statistic_has_a_description() -> None:
    for each in AGREEMENT.values():
        assert each.title and each.formula and each.about and each.scalings, each.name


def test_the_last_label_of_a_worker_counts_once() -> None:
    labels = make_labels([("d1", "a", 0), ("d1", "b", 1), ("d1", "a", 1)])
    assert values(labels)["raw-agreement-nominal"] == 1


def test_a_single_worker_has_no_agreement() -> None:
    estimates = agreement(
        make_labels([("d1", "a", 0), ("d1", "a", 1), ("d2", "b", 1)]), sampling=QUICK
    )
    assert {(each.value, each.reason, each.used, each.total, each.low) for each in estimates} == {
        (None, NO_SHARED_ITEM, 0, 2, None)
    }


def test_unjudgeable_is_not_a_grade() -> None:
    made = make_labels(
        [
            ("d1", "a", 0),
            ("d1", "b", 0),
            ("d2", "a", 1),
            ("d2", "b", 0),
            ("d3", "a", 1),
            ("d3", "b", 1),
        ]
    )
    refused = Labels(
        made.items,
        made.workers,
        made.scale,
        made.values,
        made.item,
        made.worker,
        np.where(np.arange(6) == 3, -2, made.label),
    )
    estimates = by_name(agreement(refused, ["raw-agreement"], sampling=QUICK))[
        "raw-agreement-nominal"
    ]
    assert (estimates.value, estimates.used, estimates.total) == (1, 2, 3)


def test_identical_labels_have_undefined_chance_corrected_agreement() -> None:
    estimates = by_name(
        agreement(
            make_labels([("d1", "a", 1), ("d1", "b", 1), ("d2", "a", 1), ("d2", "b", 1)], range(3)),
            sampling=QUICK,
        )
    )
    assert estimates["raw-agreement-nominal"].value == 1
    for name in (
        "alpha-nominal",
        "alpha-ordinal",
        "alpha-interval",
        "alpha-ratio",
        "fleiss-kappa-nominal",
        "kappa-linear",
        "scott-pi-nominal",
    ):
        assert estimates[name].value is None and estimates[name].reason.key == "labels-all-same", (
            name
        )


def test_fleiss_kappa_needs_equal_numbers_of_labels() -> None:
    estimates = by_name(
        agreement(
            make_labels(
                [("d1", "a", 0), ("d1", "b", 1), ("d2", "a", 1), ("d2", "b", 1), ("d2", "c", 1)]
            ),
            sampling=QUICK,
        )
    )
    assert estimates["fleiss-kappa-nominal"].value is None
    reason = estimates["fleiss-kappa-nominal"].reason
    assert (reason.key, reason.values) == ("unequal-labels", {"minimum": "2", "maximum": "3"})
    assert estimates["alpha-nominal"].value is not None


def test_words_have_no_order() -> None:
    labels = make_labels(
        [("d1", "a", "spam"), ("d1", "b", "fine"), ("d2", "a", "fine"), ("d2", "b", "fine")]
    )
    estimates = by_name(agreement(labels, sampling=QUICK))
    defined = {name for name, each in estimates.items() if each.value is not None}
    names = (
        "raw-agreement",
        "fleiss-kappa",
        "alpha",
        "ac1",
        "brennan-prediger",
        "kappa",
        "scott-pi",
    )
    assert defined == {f"{name}-nominal" for name in names}
    assert (
        estimates["overlap-binary"].reason.key
        == estimates["kappa-linear"].reason.key
        == "labels-are-words"
    )


def test_a_ratio_scale_refuses_negative_labels() -> None:
    labels = make_labels([("d1", "a", -1), ("d1", "b", 1), ("d2", "a", 1), ("d2", "b", 1)])
    estimates = by_name(agreement(labels, ["alpha"], sampling=QUICK))
    assert estimates["alpha-ratio"].reason.key == "negative-labels"


def test_agreement_without_relevant_labels_is_undefined() -> None:
    labels = make_labels([("d1", "a", 0), ("d1", "b", 1), ("d2", "a", 1), ("d2", "b", 1)])
    estimates = by_name(agreement(labels, ["overlap", "positive-agreement"], rel=2, sampling=QUICK))
    assert {each.reason for each in estimates.values()} == {"no label is relevant"}


def test_more_than_two_workers_have_the_mean_of_their_pairs() -> None:
    """a and b share 2 items, a and c one, with undefined agreement; b and c also one."""
    labels = make_labels(
        [("d1", "a", 0), ("d1", "b", 0), ("d2", "a", 1), ("d2", "b", 1), ("d2", "c", 0)]
    )
    estimates = by_name(agreement(labels, ["kappa-nominal"], sampling=QUICK))["kappa-nominal"]
    # Pairs with c: one item, grades 1 and 0, so Do = De = 1 and kappa 0; weights 2, 1, 1.
    assert estimates.value == pytest.approx(0.5)
    assert estimates.reason.key == "mean-of-pairs"
    assert estimates.reason.values == {"count": "3", "total": "3"}


def test_too_many_pairs_of_workers_have_no_value(monkeypatch: pytest.MonkeyPatch) -> None:
    """Tables of all pairs of 20,000 workers would need 50 GB."""
    monkeypatch.setattr("irjudge.stats.agreement.coefficients.MAX_PAIR_GRADES", 5)
    labels = make_labels([("d1", "a", 0), ("d1", "b", 1), ("d1", "c", 1)])  # 3 pairs, 2 grades
    found = by_name(agreement(labels, ["kappa-nominal", "raw-agreement"], sampling=QUICK))
    assert found["kappa-nominal"].value is None
    assert found["kappa-nominal"].reason.key == "too-many-pairs"
    assert found["raw-agreement-nominal"].value == pytest.approx(1 / 3)
    with pytest.raises(MeasureError) as error:
        agreement_of_pairs(labels)
    assert error.value.key == "too-many-pairs"


@pytest.mark.slow
def test_the_interval_of_the_mean_over_pairs_is_that_of_a_bootstrap() -> None:
    """The interval of a bootstrap over items is as wide as that of the delta method."""
    random = np.random.default_rng(5)
    truth = random.integers(0, 3, 150)
    rows = [
        (
            f"d{item}",
            f"w{worker}",
            int(truth[item] if random.random() < 0.7 else random.integers(0, 3)),
        )
        for item in range(150)
        for worker in random.permutation(4)[:3]
    ]
    [estimate] = agreement(make_labels(rows), ["kappa-linear"])
    label_rows = []
    for _ in range(300):
        items = random.integers(0, 150, 150)
        again = [
            (f"{at}", worker, label)
            for at, item in enumerate(items)
            for name, worker, label in rows[3 * item : 3 * item + 3]
        ]
        [sample] = agreement(make_labels(again), ["kappa-linear"])
        label_rows.append(sample.value)
    low, high = np.quantile(label_rows, (0.025, 0.975))
    assert (estimate.low, estimate.high) == pytest.approx((low, high), abs=0.02)


def test_intervals_contain_their_value_and_depend_on_the_seed() -> None:
    labels = make_labels(
        [
            (f"d{item}", f"w{worker}", (item * worker) % 3)
            for item in range(30)
            for worker in range(3)
        ]
    )
    estimates = agreement(labels, sampling=QUICK)
    assert all(each.low <= each.value <= each.high for each in estimates if each.value is not None)
    assert any(each.low < each.value < each.high for each in estimates)
    assert (
        estimates
        == agreement(labels, sampling=QUICK)
        != agreement(labels, sampling=Sampling(seed=1, samples=40))
    )


@given(rows(), st.randoms(use_true_random=False))
@settings(max_examples=example_count(40))
def test_neither_the_order_of_rows_nor_the_names_of_workers_matter(
    labels: list[Row], random
) -> None:
    shuffled = labels[:]
    random.shuffle(shuffled)
    names = [f"w{at}" for at in range(4)]
    random.shuffle(names)
    renamed = [(item, names[int(worker[1:])], label) for item, worker, label in shuffled]
    one = agreement(make_labels(labels, range(4)), sampling=QUICK)
    two = agreement(make_labels(renamed, range(4)), sampling=QUICK)
    for first, second in zip(one, two, strict=True):
        assert (first.statistic, first.used, first.total, first.reason) == (
            second.statistic,
            second.used,
            second.total,
            second.reason,
        )
        assert (first.value, first.low, first.high) == pytest.approx(
            (second.value, second.low, second.high), abs=1e-9
        )


@given(rows(), st.permutations(range(4)))
@settings(max_examples=example_count(40))
def test_names_of_unordered_grades_do_not_matter(labels: list[Row], to: list[int]) -> None:
    one = values(make_labels(labels, range(4)))
    two = values(
        make_labels([(item, worker, to[label]) for item, worker, label in labels], range(4))
    )
    for name in (
        "raw-agreement",
        "fleiss-kappa",
        "alpha",
        "ac1",
        "brennan-prediger",
        "kappa",
        "scott-pi",
    ):
        assert one[f"{name}-nominal"] == pytest.approx(
            two[f"{name}-nominal"], abs=1e-9, nan_ok=True
        )


@given(rows())
@settings(max_examples=example_count(40))
def test_equivalent_scales_give_the_same_agreement(labels: list[Row]) -> None:
    """Interval alpha and weighted kappas ignore a shift.

    Ordinal alpha ignores any stretching, and all ignore a reflection.
    """
    one = values(make_labels(labels, range(4)))
    shifted = values(
        make_labels([(item, worker, 5 + label) for item, worker, label in labels], range(5, 9))
    )
    mirrored = values(
        make_labels([(item, worker, 3 - label) for item, worker, label in labels], range(4))
    )
    stretched = values(
        make_labels([(item, worker, label**2) for item, worker, label in labels], [0, 1, 4, 9])
    )
    weighted = [
        f"{name}-{scaling}"
        for name in ("kappa", "ac2", "brennan-prediger")
        for scaling in ("linear", "quadratic")
    ]
    for name in ("alpha-ordinal", "alpha-interval", *weighted):
        assert shifted[name] == pytest.approx(one[name], abs=1e-9, nan_ok=True)
        assert mirrored[name] == pytest.approx(one[name], abs=1e-9, nan_ok=True)
    for name in ("alpha-ordinal", *weighted):
        assert stretched[name] == pytest.approx(one[name], abs=1e-9, nan_ok=True)


@given(rows(workers=2))
@settings(max_examples=example_count(40))
def test_fleiss_kappa_of_two_workers_is_scotts_pi(labels: list[Row]) -> None:
    both = {item for item, _, _ in labels if sum(row[0] == item for row in labels) == 2}
    estimates = values(make_labels([row for row in labels if row[0] in both] or labels))
    assert estimates["fleiss-kappa-nominal"] == pytest.approx(
        estimates["scott-pi-nominal"], abs=1e-9, nan_ok=True
    )


def test_agreement_is_computed_by_topic_and_by_grade() -> None:
    made = make_labels(
        [
            ("1 x", "a", 0),
            ("1 x", "b", 0),
            ("2 y", "a", 1),
            ("2 y", "b", 0),
            ("1 z", "a", 1),
            ("1 z", "b", 1),
        ]
    )
    labels = Labels(
        made.items,
        made.workers,
        made.scale,
        made.values,
        made.item,
        made.worker,
        made.label,
        (("1", "x"), ("2", "y"), ("1", "z")),
    )
    estimates = list(agreement_by_topic(labels, ["raw-agreement"], sampling=QUICK))
    assert [(each.of, each.value, each.used, each.total) for each in estimates] == [
        ("1", 1, 2, 2),
        ("2", 0, 1, 1),
    ]
    grades = list(agreement_by_grade(labels, ["positive-agreement"], sampling=QUICK))
    # Grade 0: a gave it once, b twice, both once; grade 1: a twice, b once, both once.
    assert [(each.of, each.value) for each in grades] == [
        ("0", pytest.approx(2 / 3)),
        ("1", pytest.approx(2 / 3)),
    ]
    assert list(agreement_by_topic(made)) == []


def test_an_unknown_name_gets_a_suggestion() -> None:
    with pytest.raises(MeasureError, match="Did you mean kappa"):
        agreement(make_labels([("d", "a", 1)]), ["kapa"])


def test_the_work_can_be_cancelled() -> None:
    labels = make_labels([("d1", "a", 0), ("d1", "b", 1), ("d2", "a", 1), ("d2", "b", 1)])
    for name in ("alpha", "kappa"):
        with pytest.raises(Cancelled):
            agreement(labels, [name], sampling=Sampling(progress=Progress(cancelled=lambda: True)))
