"""Tests of the figures of models against the audit."""

import numpy as np
import pytest

from irjudge.errors import IrjudgeError
from irjudge.report.figures import FigureOptions, JudgeAudits, LineSeries, Points, find_figure
from irjudge.report.figures.chart import CellGrid


def test_grades_are_shares_of_each_grade_of_people(audits: JudgeAudits) -> None:
    chart = find_figure("model-grades").chart(audits, FigureOptions())
    assert isinstance(chart.marks, CellGrid) and chart.x.names == chart.y.names == ("0", "1", "2")
    np.testing.assert_allclose(chart.marks.values, [[0, 1, 0], [0, 0, 1], [0, 0, 1]])


def test_leniency_compares_the_mean_grade_with_that_of_people(audits: JudgeAudits) -> None:
    chart = find_figure("model-leniency").chart(audits, FigureOptions(model="kind"))
    assert isinstance(chart.marks, LineSeries)
    assert [line.y.tolist() for line in chart.marks.lines] == [[0, 1, 2], [1, 2, 2]]
    lenient = audits.find_audit("kind").find_statistic("leniency").value
    assert f"{lenient:+.2f}" in chart.caption


def test_systems_have_the_values_of_people_and_of_the_model(audits: JudgeAudits) -> None:
    chart = find_figure("model-orders").chart(audits, FigureOptions(runs=("beta",)))
    orders = audits.find_audit("").orderings
    assert isinstance(chart.marks, Points) and orders is not None
    assert list(chart.rows()) == [(each.run, each.people, each.model) for each in orders.systems]
    assert dict(zip(chart.marks.names, chart.marks.roles, strict=True)) == {
        "alpha": "quiet",
        "beta": "chosen",
        "gamma": "quiet",
    }


@pytest.mark.parametrize(
    "options", [FigureOptions(model="nobody"), FigureOptions(runs=("nobody",))]
)
def test_missing_data_is_named(audits: JudgeAudits, options: FigureOptions) -> None:
    with pytest.raises(IrjudgeError, match="'nobody'"):
        find_figure("model-orders").chart(audits, options)
