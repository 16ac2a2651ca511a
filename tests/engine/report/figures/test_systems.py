"""Tests of figures of systems and measures against averages and correlations of the engine."""

from collections.abc import Callable

import numpy as np
import pytest

from irjudge.errors import IrjudgeError
from irjudge.evaluation import Evaluation, measure_orderings, ordering_matrix
from irjudge.report.figures import FigureOptions, Points, find_figure
from irjudge.report.figures.chart import CellGrid
from irjudge.stats import parse_statistics


def test_points_are_the_averages_of_the_systems(
    evaluate_example: Callable[..., Evaluation],
) -> None:
    table = evaluate_example("AP", "P@5")
    rows = list(find_figure("scatter").chart(table, FigureOptions()).rows())
    assert rows == [
        (run.run, pytest.approx(run.summary[0]), pytest.approx(run.summary[1]))
        for run in table.runs
    ]


def test_points_can_be_the_topics_of_a_run(evaluate_example: Callable[..., Evaluation]) -> None:
    table = evaluate_example("AP", "P@5")
    chart = find_figure("scatter").chart(
        table, FigureOptions(of="topics", runs=("beta",), topic="3")
    )
    beta = table.runs[1]
    assert list(chart.rows()) == [
        tuple(each)
        for each in zip(beta.topics, beta.values[0].tolist(), beta.values[1].tolist(), strict=True)
    ]
    assert isinstance(chart.marks, Points) and chart.marks.roles == (
        "quiet",
        "quiet",
        "chosen",
        "quiet",
    )


def test_the_correlation_of_measures_is_that_of_the_engine(
    evaluate_example: Callable[..., Evaluation],
) -> None:
    table = evaluate_example("AP", "P@5", "RR")
    chart = find_figure("measure-correlation").chart(table, FigureOptions(statistic="tau-ap"))
    assert isinstance(chart.marks, CellGrid) and chart.x.names == chart.y.names == (
        "AP",
        "P@5",
        "RR",
    )
    assert chart.marks.values == pytest.approx(
        ordering_matrix(measure_orderings(table), *parse_statistics(["tau-ap"]))
    )
    assert "reference ranking" in chart.caption


def test_ranks_start_at_the_best_and_equal_systems_share_the_mean_rank(
    evaluate_example: Callable[..., Evaluation],
) -> None:
    table = evaluate_example("AP", "RR")
    rows = list(find_figure("system-ranks").chart(table, FigureOptions()).rows())
    for index, name in enumerate(("AP", "RR")):
        values = {run.run: run.summary[index] for run in table.runs}
        for run, value in values.items():
            better, same = (
                sum(test(other, value) for other in values.values())
                for test in (np.greater, np.isclose)
            )
            assert (run, name, better + (same + 1) / 2) in rows


@pytest.mark.parametrize(
    ("name", "measures", "number"),
    [
        ("scatter", 1, "2"),
        ("measure-correlation", 1, "2"),
        ("heat-map", 2, "1"),
    ],
)
def test_too_few_or_too_many_measures_are_refused(name: str, measures: int, number: str) -> None:
    with pytest.raises(IrjudgeError) as error:
        find_figure(name).check(measures)
    values = error.value.values
    assert (values["name"], values["count"]) == (name, str(measures))
    assert values.get("number", "1") == number  # the text for one measure spells out the number


def test_a_misspelt_name_gets_a_suggestion() -> None:
    with pytest.raises(IrjudgeError, match="Did you mean heat-map"):
        find_figure("heatmap")
