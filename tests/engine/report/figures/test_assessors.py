"""Tests of the figure of assessors against the engine's agreement of each pair."""

import numpy as np
import pytest

from irjudge.errors import IrjudgeError
from irjudge.model import Labels
from irjudge.report.figures import FigureOptions, find_figure
from irjudge.report.figures.chart import CellGrid
from irjudge.stats.agreement import agreement_of_pairs


@pytest.mark.parametrize("statistic", ["", "raw-agreement", "kappa-linear"])
def test_every_two_assessors_have_their_agreement(labels: Labels, statistic: str) -> None:
    chart = find_figure("assessor-agreement").chart(labels, FigureOptions(statistic=statistic))
    wanted = agreement_of_pairs(labels, [statistic or "kappa-nominal"])[0].matrix()
    assert isinstance(chart.marks, CellGrid) and chart.x.names == labels.workers
    np.testing.assert_allclose(chart.marks.values, wanted)
    assert np.isnan(np.diagonal(chart.marks.values)).all()


def test_a_statistic_of_all_assessors_together_is_refused(labels: Labels) -> None:
    with pytest.raises(IrjudgeError, match="fleiss-kappa"):
        find_figure("assessor-agreement").chart(labels, FigureOptions(statistic="fleiss-kappa"))


def test_one_assessor_has_no_agreement(labels: Labels) -> None:
    with pytest.raises(IrjudgeError, match="got 1"):
        find_figure("assessor-agreement").chart(labels.without(["ann", "bob"]), FigureOptions())
