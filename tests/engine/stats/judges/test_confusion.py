"""Tests of a model's confusion matrix against people, worked by hand."""

import numpy as np
import pytest

from irjudge.errors import IrjudgeError
from irjudge.stats import (
    GradeConfusion,
    Sampling,
    error_correlation,
    judge_statistics,
    leniency_by_grade,
)


def grades(
    table: list[list[int]], topics: int = 1
) -> tuple[dict[tuple[str, str], int], dict[tuple[str, str], int]]:
    """Return grades of people and of a model with these counts, spread evenly over topics."""
    both = [
        (row, column)
        for row, counts in enumerate(table)
        for column, count in enumerate(counts)
        for _ in range(count)
    ]
    pairs = [(str(at % topics), f"d{at}") for at in range(len(both))]
    return dict(zip(pairs, (row for row, _ in both), strict=True)), dict(
        zip(pairs, (column for _, column in both), strict=True)
    )


def compute_statistics(
    table: list[list[int]], topics: int = 1, samples: int = 200
) -> dict[str, tuple[float | None, float | None, float | None]]:
    statistics = judge_statistics(
        GradeConfusion.from_grades(*grades(table, topics), tuple(range(len(table)))),
        Sampling(samples=samples),
    )
    return {each.name: (each.value, each.low, each.high) for each in statistics}


def test_cohens_textbook_table_has_its_published_values() -> None:
    # po = 35/50 = .7, pe = .5 * .6 + .5 * .4 = .5, kappa = .2/.5
    values = compute_statistics([[20, 5], [10, 15]])
    assert values["kappa"][0] == pytest.approx(0.4)
    assert values["kappa>=1"][0] == pytest.approx(0.4)
    assert (values["too-high"][0], values["too-low"][0]) == (pytest.approx(0.1), pytest.approx(0.2))
    assert values["leniency"][0] == pytest.approx(-0.1)


def test_only_several_topics_give_an_interval() -> None:
    assert compute_statistics([[20, 5], [10, 15]])["kappa"][1:] == (None, None)
    value, low, high = compute_statistics([[20, 5], [10, 15]], topics=10)["kappa"]
    assert None not in (value, low, high) and low < 0.4 < high  # type: ignore[operator]


def test_intervals_follow_the_topics_not_the_documents() -> None:
    """Ten topics, each all right or all wrong, give wider intervals than independent documents."""
    people = {(str(topic), f"d{at}"): at % 2 for topic in range(10) for at in range(20)}
    clustered = {pair: grade if int(pair[0]) % 2 else 1 - grade for pair, grade in people.items()}
    spread = {
        pair: grade if int(pair[1][1:]) % 4 < 2 else 1 - grade for pair, grade in people.items()
    }
    wide, narrow = (
        next(
            each
            for each in judge_statistics(GradeConfusion.from_grades(people, model, (0, 1)))
            if each.name == "raw-agreement"
        )
        for model in (clustered, spread)
    )
    assert wide.value == narrow.value == 0.5
    assert (wide.high or 0) - (wide.low or 0) > 0.3 > (narrow.high or 0) - (narrow.low or 0)


def test_leniency_is_computed_by_grade() -> None:
    rows = leniency_by_grade(
        GradeConfusion.from_grades(*grades([[6, 2, 0], [1, 2, 1], [0, 0, 0]]), (0, 1, 2))
    )
    assert [(each.grade, each.pairs, each.mean, each.too_high, each.too_low) for each in rows] == [
        (0, 8, 0.25, 0.25, 0.0),
        (1, 4, 1.0, 0.25, 0.25),
    ]


def test_a_perfect_model_agrees_and_a_constant_one_is_uninformative() -> None:
    assert compute_statistics([[5, 0], [0, 5]])["alpha-ordinal"][0] == 1
    assert compute_statistics([[5, 0], [5, 0]])["kappa"][0] == 0


def test_grades_outside_the_scale_and_unpaired_grades_do_not_count() -> None:
    people = {("1", "a"): 0, ("1", "b"): 1, ("1", "c"): 9}
    assert (
        GradeConfusion.from_grades(
            people, {("1", "a"): 0, ("1", "b"): 7, ("1", "c"): 1, ("2", "x"): 1}, (0, 1)
        ).pairs
        == 1
    )
    with pytest.raises(IrjudgeError, match="was graded both"):
        GradeConfusion.from_grades(people, {("2", "a"): 0}, (0, 1))


def test_opposite_errors_correlate_by_minus_one() -> None:
    people = {("1", str(at)): 1 for at in range(4)}
    first = {pair: at for at, pair in enumerate(people)}
    second = {pair: -at for at, pair in enumerate(people)}
    assert error_correlation(people, [first, second]) == pytest.approx(-1)
    assert np.isnan(error_correlation(people, [first]))
