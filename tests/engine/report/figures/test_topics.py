"""Tests of figures of topics: differences, spread, and the heat map of runs and topics."""

from collections.abc import Callable

import numpy as np
import pytest

from irjudge.errors import IrjudgeError
from irjudge.evaluation import Evaluation, compute_needed_topics
from irjudge.report.figures import Bars, FigureOptions, LineSeries, find_figure
from irjudge.report.figures.chart import Boxes, CellGrid
from irjudge.stats.significance import detectable_difference


def test_differences_are_those_of_the_table_largest_first(
    evaluate_example: Callable[..., Evaluation],
) -> None:
    table = evaluate_example("Rprec")
    values = {run.run: dict(zip(run.topics, run.values[0], strict=True)) for run in table.runs}
    wanted = {
        topic: values["beta"][topic] - values["alpha"][topic]
        for topic in values["beta"].keys() & values["alpha"].keys()
    }
    chart = find_figure("topic-differences").chart(table, FigureOptions(runs=("beta", "alpha")))
    assert dict(chart.rows()) == pytest.approx(wanted)
    assert isinstance(chart.marks, Bars) and (np.diff(chart.marks.heights) <= 0).all()
    assert (chart.marks.above, chart.marks.below) == ("beta", "alpha")


def test_by_default_the_best_run_is_compared_with_the_next(
    evaluate_example: Callable[..., Evaluation],
) -> None:
    table = evaluate_example("AP")
    best = sorted(table.runs, key=lambda run: -run.summary[0])
    assert (
        find_figure("topic-differences").chart(table, FigureOptions()).title
        == f"AP by topic, {best[0].run} minus {best[1].run}"
    )


def test_a_run_cannot_be_compared_with_itself(evaluate_example: Callable[..., Evaluation]) -> None:
    with pytest.raises(IrjudgeError, match="beta") as error:
        find_figure("topic-differences").chart(
            evaluate_example("AP"), FigureOptions(runs=("beta", "beta"))
        )
    assert error.value.key == "same-run"


def test_boxes_show_the_topics_of_each_run_best_run_first(
    evaluate_example: Callable[..., Evaluation],
) -> None:
    table = evaluate_example("AP")
    chart = find_figure("topic-spread").chart(table, FigureOptions(runs=("gamma",)))
    assert isinstance(chart.marks, Boxes)
    by_name = {run.run: run for run in table.runs}
    means = [box.mean for box in chart.marks.boxes]
    assert means == sorted(means, reverse=True)
    for box in chart.marks.boxes:
        values = by_name[box.name].values[0]
        assert (box.first, box.median, box.third) == pytest.approx(
            np.percentile(values, [25, 50, 75])
        )
        assert box.mean == pytest.approx(by_name[box.name].summary[0]) and box.role == (
            "chosen" if box.name == "gamma" else "quiet"
        )


def test_the_heat_map_has_the_value_of_each_run_and_topic(
    evaluate_example: Callable[..., Evaluation],
) -> None:
    table = evaluate_example("AP")
    chart = find_figure("heat-map").chart(table, FigureOptions())
    wanted = {
        (run.run, topic): value
        for run in table.runs
        for topic, value in zip(run.topics, run.values[0], strict=True)
    }
    assert {(run, topic): value for run, topic, value in chart.rows()} == pytest.approx(wanted)
    assert (
        isinstance(chart.marks, CellGrid)
        and (np.diff(chart.marks.values.mean(axis=0)) <= 1e-12).all()
    )


def test_the_topics_needed_are_those_of_the_comparison(
    evaluate_example: Callable[..., Evaluation],
) -> None:
    table = evaluate_example("AP")
    chart = find_figure("topics-needed").chart(table, FigureOptions())
    needs = compute_needed_topics(table).rows
    assert isinstance(chart.marks, LineSeries)
    lines = {line.name: line for line in chart.marks.lines}
    assert [*lines] == [
        "all 3 runs",
        "alpha – beta",
        "alpha – gamma",
        "beta – gamma",
        "topics in this evaluation: 4",
    ]
    for need, name in zip(
        needs, ("alpha – beta", "alpha – gamma", "beta – gamma", "all 3 runs"), strict=True
    ):
        assert need.design is not None
        assert lines[name].y == pytest.approx(
            [detectable_difference(need.design, int(topics)) for topics in lines[name].x]
        )
        assert (np.diff(lines[name].y) < 0).all()


def test_of_many_pairs_the_requested_one_is_highlighted(
    evaluate_example: Callable[..., Evaluation],
) -> None:
    chart = find_figure("topics-needed").chart(
        evaluate_example("AP"), FigureOptions(runs=("beta", "alpha"))
    )
    assert isinstance(chart.marks, LineSeries) and [line.role for line in chart.marks.lines] == [
        "guide",
        *["chosen"] * 3,
        "guide",
    ]


def test_no_run_is_better_by_a_measure_without_a_direction(
    evaluate_example: Callable[..., Evaluation],
) -> None:
    figure = find_figure("topic-differences")
    charts = {
        name: figure.chart(evaluate_example(name), FigureOptions(runs=("beta", "alpha")))
        for name in ("AP", "NumRet")
    }
    assert {name: chart.marks.is_directed for name, chart in charts.items()} == {  # type: ignore[union-attr]
        "AP": True,
        "NumRet": False,
    }
    assert "better" in charts["AP"].caption and "better" not in charts["NumRet"].caption
