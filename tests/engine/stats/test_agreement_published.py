"""Tests of agreement against published values and other tools, with the source of each."""

import json
from itertools import product
from pathlib import Path

import numpy as np
import pytest

from irjudge.model import Labels, make_labels
from irjudge.stats.agreement import (
    AgreementEstimate,
    agreement,
    agreement_by_grade,
    agreement_of_pairs,
    count_item_kinds,
)
from irjudge.stats.agreement.coefficients import sum_samples

IRRCAC = json.loads(
    (Path(__file__).parents[2] / "golden" / "irrcac.json").read_text(encoding="utf-8")
)
# Krippendorff (2011), Computing Krippendorff's alpha-reliability, section C to E: observers A to D,
# 12 units, a dot is missing.
KRIPPENDORFF = (
    "1 2 3 3 2 1 4 1 2 . . .",
    "1 2 3 3 2 2 4 1 2 5 . 3",
    ". 3 3 3 2 3 4 2 2 5 1 .",
    "1 2 3 3 2 4 4 1 2 5 1 .",
)
# The example of Wikipedia's article on Krippendorff's alpha: 3 coders, 15 units.
WIKIPEDIA = (
    ". . . . . 3 4 1 2 1 1 3 3 . 3",
    "1 . 2 1 3 3 4 3 . . . . . . .",
    ". . 2 1 3 4 4 . 2 1 1 3 3 . 4",
)
# Fleiss (1971), table 1: 30 patients, 6 psychiatrists, 5 diagnoses.
FLEISS = """0,0,0,6,0|0,3,0,0,3|0,1,4,0,1|0,0,0,0,6|0,3,0,3,0|2,0,4,0,0|0,0,4,0,2|2,0,3,1,0|2,0,0,4,0|0,0,0,0,6
1,0,0,5,0|1,1,0,4,0|0,3,3,0,0|1,0,0,5,0|0,2,0,3,1|0,0,5,0,1|3,0,0,1,2|5,1,0,0,0|0,2,0,4,0|1,0,2,0,3
0,0,0,0,6|0,1,0,5,0|0,2,0,1,3|2,0,0,4,0|1,0,0,4,1|0,5,0,1,0|4,0,0,0,2|0,2,0,4,0|1,0,5,0,0|0,0,0,0,6"""
# The example of Wikipedia's article on Fleiss' kappa: 14 raters, 10 subjects.
FLEISS_WIKIPEDIA = "0,0,0,0,14|0,2,6,4,2|0,0,3,5,6|0,3,9,2,0|2,2,8,1,1|7,7,0,0,0|3,2,6,3,0|2,5,3,2,2|6,5,2,1,0|0,2,2,3,7"  # one row of counts a subject
# R's package irr, data set anxiety: 20 subjects, raters 2 and 3, scale 1 to 6.
ANXIETY = ("3 6 4 6 2 4 2 4 3 3 2 3 3 3 2 2 1 3 3 4", "2 1 4 4 3 2 1 6 1 1 1 2 3 3 1 1 3 3 2 2")


def labels_of_units(observers: tuple[str, ...], scale: range | None = None) -> Labels:
    """Return labels of observers, one row of units each."""
    rows = [
        (str(unit), f"observer {at}", label)
        for at, row in enumerate(observers)
        for unit, label in enumerate(row.split())
    ]
    return make_labels([row for row in rows if row[2] != "."], scale)


def labels_of_counts(rows: str) -> Labels:
    """Return labels from rows of counts, one for each subject."""
    labels = []
    for subject, row in enumerate(rows.replace("\n", "|").split("|")):
        grades = [
            grade for grade, count in enumerate(map(int, row.split(","))) for _ in range(count)
        ]
        labels += [(str(subject), f"rater {at}", grade) for at, grade in enumerate(grades)]
    return make_labels(labels)


def labels_of_table(table: list[list[int]]) -> Labels:
    """Return labels of two raters from their contingency table, the first rater in rows."""
    cells = [
        cell
        for cell in product(range(len(table)), repeat=2)
        for _ in range(table[cell[0]][cell[1]])
    ]
    return make_labels(
        [
            (str(item), "ab"[rater], cell[rater])
            for item, cell in enumerate(cells)
            for rater in (0, 1)
        ],
        range(len(table)),
    )


def estimate(labels: Labels, name: str) -> AgreementEstimate:
    [estimated] = agreement(labels, [name])
    return estimated


def value(labels: Labels, name: str) -> float:
    result = estimate(labels, name).value
    assert result is not None
    return result


@pytest.mark.parametrize(
    ("observers", "nominal", "ordinal", "interval", "ratio"),
    [
        (
            KRIPPENDORFF,
            0.743421,
            0.815388,
            0.849107,
            0.797403,
        ),  # published to three digits; these from the published fractions
        (
            WIKIPEDIA,
            0.691358,
            0.806721,
            0.810845,
            0.808944,
        ),  # nominal and interval published, also in the README of fast-krippendorff
    ],
    ids=["Krippendorff", "Wikipedia"],
)
def test_alpha_with_four_levels_of_measurement_is_as_published(
    observers: tuple[str, ...], nominal: float, ordinal: float, interval: float, ratio: float
) -> None:
    estimates = agreement(labels_of_units(observers), ["alpha"])
    assert [each.scale for each in estimates] == ["nominal", "ordinal", "interval", "ratio"]
    assert [each.value for each in estimates] == pytest.approx(
        [nominal, ordinal, interval, ratio], abs=5e-7
    )


def test_the_coincidences_are_krippendorffs() -> None:
    third = 1 / 3
    sums = sum_samples(count_item_kinds(labels_of_units(KRIPPENDORFF)), None)
    assert sums.coincidences[0] == pytest.approx(
        np.array(
            [
                [7, 4 / 3, third, third, 0],
                [4 / 3, 10, 4 / 3, third, 0],
                [third, 4 / 3, 8, third, 0],
                [third, third, third, 4, 0],
                [0, 0, 0, 0, 3],
            ]
        )
    )
    assert sums.labels.sum() == 40


def test_units_with_one_value_are_not_used() -> None:
    result = estimate(labels_of_units(KRIPPENDORFF), "alpha-nominal")
    assert (result.used, result.total) == (11, 12)


@pytest.mark.parametrize(
    ("observers", "expected"),
    [
        (
            ("0 1 0 0 0 0 0 0 1 0", "1 1 1 0 0 1 0 0 0 0"),
            0.095238,
        ),  # Krippendorff (2011), section A
        (("a a b b d c c c e d d a", "b a b b b c c c e d d d"), 0.691964),  # section B
    ],
)
def test_alpha_of_two_observers_is_as_published(
    observers: tuple[str, ...], expected: float
) -> None:
    assert value(labels_of_units(observers), "alpha-nominal") == pytest.approx(expected, abs=5e-7)


def test_fleiss_kappa_is_as_published_by_fleiss() -> None:
    labels = labels_of_counts(FLEISS)
    assert value(labels, "raw-agreement") == pytest.approx(0.555556, abs=5e-7)
    assert value(labels, "fleiss-kappa") == pytest.approx(
        0.4302445, abs=5e-8
    )  # published .430; R's irr prints .43
    assert value(labels, "alpha-nominal") == pytest.approx(0.433410, abs=5e-7)
    categories = [each.value for each in agreement_by_grade(labels, ["fleiss-kappa"])]
    assert categories == pytest.approx([0.2448, 0.2448, 0.5200, 0.4711, 0.5661], abs=5e-5)


def test_fleiss_kappa_is_as_in_wikipedia() -> None:
    labels = labels_of_counts(FLEISS_WIKIPEDIA)
    assert value(labels, "raw-agreement") == pytest.approx(0.378022, abs=5e-7)
    assert value(labels, "fleiss-kappa") == pytest.approx(0.209931, abs=5e-7)


def test_kappas_are_as_printed_by_sas() -> None:
    """SAS/STAT, PROC FREQ:

    kappa .4842 with ASE .1380 and limits .2137 and .7547, weighted kappa .4701. The rest by the
    formulas.
    """
    labels = labels_of_table([[0, 4, 1], [0, 8, 0], [0, 1, 5]])
    nominal = estimate(labels, "kappa-nominal")
    assert (nominal.value, nominal.low, nominal.high) == pytest.approx(
        (0.484163, 0.2137, 0.7547), abs=5e-5
    )
    names = ("kappa-linear", "kappa-quadratic", "scott-pi", "ac1")
    assert [value(labels, name) for name in names] == pytest.approx(
        [0.470120, 0.450161, 0.453237, 0.555988], abs=5e-7
    )


@pytest.mark.parametrize(
    ("table", "expected"),
    [
        (
            [[20, 5], [10, 15]],
            {"kappa-nominal": 0.4, "scott-pi": 0.393939, "ac1": 0.405941},
        ),  # Wikipedia's article on Cohen's kappa
        ([[45, 15], [25, 15]], {"kappa-nominal": 0.1304}),
        ([[25, 35], [5, 35]], {"kappa-nominal": 0.2593}),
    ],
)
def test_kappas_of_two_by_two_tables_are_as_published(
    table: list[list[int]], expected: dict[str, float]
) -> None:
    labels = labels_of_table(table)
    assert {name: value(labels, name) for name in expected} == pytest.approx(expected, abs=5e-5)


def test_a_rare_grade_gives_high_agreement_and_low_kappa() -> None:
    """Raw 970/1000; both 20, either 50; π: p = .035, pe = .93245; AC1: pe = 2 · .035 · .965."""
    labels = labels_of_table([[950, 15], [15, 20]])
    names = (
        "raw-agreement",
        "kappa-nominal",
        "scott-pi",
        "ac1",
        "overlap",
        "positive-agreement",
        "prevalence",
    )
    assert [value(labels, name) for name in names] == pytest.approx(
        [0.970, 0.556, 0.556, 0.968, 0.40, 0.571, 0.035], abs=5e-4
    )


@pytest.mark.parametrize("case", range(len(IRRCAC["cases"])))
def test_ac1_ac2_and_brennan_prediger_are_those_of_irrcac(case: int) -> None:
    """There are two to five raters, missing ratings, and an unused grade of the scale."""
    rows, grades, expected = (IRRCAC["cases"][case][name] for name in ("rows", "grades", "values"))
    given = [
        (f"d{item}", f"r{at}", label)
        for item, row in enumerate(rows)
        for at, label in enumerate(row)
        if label is not None
    ]
    labels = make_labels(given, range(grades))
    assert {name: value(labels, name) for name in expected} == pytest.approx(expected, abs=1e-10)


def test_weighted_agreement_of_a_small_table_is_that_worked_by_hand() -> None:
    """Pairs of grades 0 0, 0 1, 1 2, 0 2 on 0 to 2, and an item with three labels 2 2 1.

    An item with one label is left out.

    Linear w is 1, 1/2, 0: P = (1 + 1/2 + 1/2 + 0 + 2/3)/5 = 8/15, quadratic w 1, 3/4, 0: P = (1 +
    3/4 + 3/4 + 0 + 5/6)/5 = 2/3. The mean shares of the grades are .4, 4/15, 1/3, so Σ π(1 - π) =
    .2400 + .1956 + .2222 = 148/225. AC2: Σ w = 5 and 6, Pe = 5/6 · 148/225 and 148/225.
    Brennan-Prediger: Pe = 3/9, 5/9, 6/9.
    """
    answers = {"d1": "00", "d2": "01", "d3": "12", "d4": "02", "d5": "221", "d6": "1"}
    labels = make_labels(
        [(item, f"r{at}", label) for item, row in answers.items() for at, label in enumerate(row)],
        range(3),
    )
    linear, quadratic = 5 / 6 * 148 / 225, 148 / 225
    assert value(labels, "ac2-linear") == pytest.approx((8 / 15 - linear) / (1 - linear))
    assert value(labels, "ac2-quadratic") == pytest.approx((2 / 3 - quadratic) / (1 - quadratic))
    names = [f"brennan-prediger-{scaling}" for scaling in ("nominal", "linear", "quadratic")]
    chance = zip((4 / 15, 8 / 15, 2 / 3), (3 / 9, 5 / 9, 6 / 9), strict=True)
    assert [value(labels, name) for name in names] == pytest.approx(
        [(observed - by) / (1 - by) for observed, by in chance], abs=1e-12
    )


def test_a_scale_of_one_grade_has_no_chance_to_correct_for() -> None:
    labels = make_labels([("d1", "a", 1), ("d1", "b", 1)])
    estimates = agreement(labels, ["ac1", "ac2", "brennan-prediger"])
    assert {(each.value, each.low, each.reason.key) for each in estimates} == {
        (None, None, "one-grade")
    }


def test_overlap_and_positive_agreement_are_those_worked_by_hand() -> None:
    """{a … f} and {b … i}: 5 in both, 9 in either; F1 = 2 · 5/(6 + 8)."""
    rows = [
        (letter, name, int(letter in relevant))
        for name, relevant in (("x", "abcdef"), ("y", "bcdefghi"))
        for letter in "abcdefghi"
    ]
    labels = make_labels(rows)
    assert (value(labels, "overlap"), value(labels, "positive-agreement")) == pytest.approx(
        (5 / 9, 10 / 14)
    )
    pairs = {
        each.statistic: float(each.value[0])
        for each in agreement_of_pairs(labels, ["overlap", "positive-agreement"])
    }
    assert pairs == pytest.approx({"overlap": 5 / 9, "positive-agreement": 10 / 14})


def test_weights_count_steps_of_the_declared_scale() -> None:
    """R's irr drops the unused grade 5 and gives .145908 and .252033; irjudge keeps the scale."""
    full = labels_of_units(ANXIETY, range(1, 7))
    assert value(full, "kappa-nominal") == pytest.approx(-0.006289, abs=5e-7)
    assert value(full, "kappa-linear") == pytest.approx(0.126214, abs=5e-7)
    assert value(full, "kappa-quadratic") == pytest.approx(0.229798, abs=5e-7)
    dropped = labels_of_units(tuple(row.replace("6", "5") for row in ANXIETY), range(1, 6))
    assert value(dropped, "kappa-linear") == pytest.approx(0.145908, abs=1e-6)
    assert value(dropped, "kappa-quadratic") == pytest.approx(0.252033, abs=5e-7)
