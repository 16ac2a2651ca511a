"""Tests of figures of curves: they have the engine's values, for all topics or one, with ideals."""

from dataclasses import replace

import numpy as np
import pytest

from irjudge.errors import IrjudgeError
from irjudge.evaluation import Policy, evaluate_runs, parse_measures
from irjudge.metrics import (
    Profile,
    gain_curves,
    precision_recall_levels,
    precision_recall_steps,
)
from irjudge.model import Qrels, Run, make_qrels, make_run
from irjudge.report.figures import (
    Chart,
    FigureOptions,
    JudgedRankings,
    Line,
    LineSeries,
    find_figure,
    judge_rankings,
)
from irjudge.report.figures.curves import format_topic_counts
from irjudge.stats import fit_binormal
from tests.engine.cli.output import keys_of


def draw_lines(name: str, joined: JudgedRankings, options: FigureOptions) -> dict[str, Line]:
    marks = find_figure(name).chart(joined, options).marks
    assert isinstance(marks, LineSeries)
    return {line.name: line for line in marks.lines}


@pytest.mark.parametrize("levels", [11, 101])
def test_precision_over_recall_is_the_average_curve_of_each_run(
    joined_rankings: JudgedRankings, levels: int
) -> None:
    lines = draw_lines("precision-recall", joined_rankings, FigureOptions(levels=levels))
    assert list(lines) == ["alpha", "beta", "gamma"]
    for name, judged in zip(joined_rankings.runs, joined_rankings.judged, strict=True):
        assert lines[name].x.tolist() == np.linspace(0, 1, levels).round(9).tolist()
        assert lines[name].y == pytest.approx(precision_recall_levels(judged, levels=levels).mean)


def test_precision_over_recall_of_a_topic_has_the_values_of_its_row(
    joined_rankings: JudgedRankings,
) -> None:
    lines = draw_lines("precision-recall", joined_rankings, FigureOptions(topic="2"))
    assert lines["beta"].y == pytest.approx(
        precision_recall_levels(joined_rankings.judged[1]).precision[1]
    )


@pytest.mark.parametrize(
    ("profile", "at_4", "at_7"),  # 3 relevant documents, at ranks 3, 8 and 15
    [
        ("irjudge", 2 / 8, 3 / 15),  # 1.2 and 2.1 documents: the second and the third
        ("trec_eval-9", 2 / 8, 2 / 8),  # floor(1.2 + .9) = 2; 2.1 + .9 is 2.9999999999999996
        ("trec_eval-10", 1 / 3, 2 / 8),  # 1.2 and 2.1 are rounded to 1 and 2
    ],
)
def test_recall_levels_are_those_of_the_profile(profile: Profile, at_4: float, at_7: float) -> None:
    qrels = make_qrels([("1", f"d{rank}", 1) for rank in (3, 8, 15)])
    run = make_run("a", [("1", f"d{rank}", -float(rank)) for rank in range(1, 16)])
    joined = judge_rankings(qrels, [run], Policy(profile=profile))
    line = draw_lines("precision-recall", joined, FigureOptions())["a"]
    assert line.y[[4, 7]] == pytest.approx([at_4, at_7])


def test_the_caption_states_whether_gains_are_grades_or_ratings() -> None:
    rows = [("1", "d1", 1)]
    qrels, run = make_qrels(rows), make_run("a", [("1", "d1", 1.0)])
    with_gains = replace(qrels, gain=np.array([0.4]))
    captions = [
        find_figure("gain").chart(judge_rankings(each, [run]), FigureOptions()).caption
        for each in (qrels, with_gains)
    ]
    assert [caption.split()[0] for caption in captions] == ["Grades", "Ratings"]


def test_the_raw_curve_of_all_topics_is_precision_and_recall_at_each_rank(
    example: tuple[Qrels, list[Run]], joined_rankings: JudgedRankings
) -> None:
    table = evaluate_runs(
        *example, parse_measures([f"{each}@{rank}" for each in ("P", "R") for rank in range(1, 5)])
    )
    line = draw_lines("precision-recall-raw", joined_rankings, FigureOptions(ranks=4))["alpha"]
    assert line.y == pytest.approx(table.runs[0].summary[:4]) and line.x == pytest.approx(
        table.runs[0].summary[4:]
    )


def test_the_raw_curve_of_a_topic_is_shown_with_the_interpolated_one(
    joined_rankings: JudgedRankings,
) -> None:
    lines = draw_lines(
        "precision-recall-raw", joined_rankings, FigureOptions(topic="1", runs=("beta",))
    )
    steps = precision_recall_steps(joined_rankings.judged[1])
    assert lines["beta"].y == pytest.approx(steps.precision[steps.topic == 0])
    assert (
        lines["beta, interpolated"].role == "guide"
        and lines["beta, interpolated"].hue == lines["beta"].hue
    )
    assert lines["beta, interpolated"].y == pytest.approx(steps.curve_of_topic(0)[1])
    assert lines["alpha"].role == lines["gamma"].role == "quiet"


@pytest.mark.parametrize("name", ["precision-recall", "precision-recall-raw"])
def test_binormal_curves_of_highlighted_runs_are_drawn_with_areas(
    joined_rankings: JudgedRankings, name: str
) -> None:
    options = FigureOptions(runs=("alpha", "beta"), fit="binormal")
    lines, chart = (
        draw_lines(name, joined_rankings, options),
        find_figure(name).chart(joined_rankings, options),
    )
    for run in options.runs:
        fit, line = fit_binormal(lines[run].x, lines[run].y), lines[f"{run}, binormal"]
        assert (line.role, line.hue) == ("guide", lines[run].hue)
        assert line.y == pytest.approx(fit.precision(line.x)) and line.y.mean() == pytest.approx(
            fit.area
        )
        assert f"{run} {fit.area:.4f} ({fit.error:.4f})" in chart.caption
    extrapolated = "extrapolated" in keys_of(chart.caption)
    assert extrapolated == (name == "precision-recall-raw")
    assert (
        "gamma, binormal" not in lines
        and "binormal" not in find_figure(name).chart(joined_rankings, FigureOptions()).caption
    )


def test_too_few_points_give_no_binormal_curve_but_a_note(
    joined_rankings: JudgedRankings,
) -> None:
    options = FigureOptions(topic="4", runs=("gamma", "beta"), fit="binormal")
    assert not [
        name
        for name in draw_lines("precision-recall-raw", joined_rankings, options)
        if "binormal" in name
    ]
    caption = find_figure("precision-recall-raw").chart(joined_rankings, options).caption
    assert "too-few-points" in keys_of(caption) and ": gamma, beta." in caption


@pytest.mark.parametrize("curve", ["cg", "dcg", "ndcg"])
def test_the_discount_of_gain_can_be_chosen(joined_rankings: JudgedRankings, curve: str) -> None:
    charts = [
        find_figure("gain").chart(
            joined_rankings, FigureOptions(curve=curve, discount=discount, ranks=7)
        )
        for discount in ("jk", "log2p1")
    ]
    curves = gain_curves(
        joined_rankings.judged[0], depth=7, discount=None if curve == "cg" else "jk"
    )
    expected = curves.normalised if curve == "ndcg" else curves.gain
    [alpha] = [line for line in charts[0].marks.lines if line.name == "alpha"]
    assert alpha.y == pytest.approx(expected)
    assert (charts[0].caption == charts[1].caption) == (curve == "cg")


def test_ranks_are_integers_in_the_values_of_the_gain(joined_rankings: JudgedRankings) -> None:
    chart = find_figure("gain").chart(joined_rankings, FigureOptions(ranks=3))
    ranks = [rank for name, rank, _gain in chart.rows() if name == "alpha"]
    assert ranks == [1, 2, 3] and all(isinstance(rank, int) for rank in ranks)


@pytest.mark.parametrize("averaging", ["topics", "ratio"])
def test_gain_is_drawn_with_its_ideal(joined_rankings: JudgedRankings, averaging: str) -> None:
    curves = gain_curves(joined_rankings.judged[0], depth=7, discount="log2p1", mean=averaging)
    plain, ratio = (
        draw_lines(
            "gain", joined_rankings, FigureOptions(curve=curve, averaging=averaging, ranks=7)
        )
        for curve in ("dcg", "ndcg")
    )
    assert plain["alpha"].y == pytest.approx(curves.gain) and plain["ideal"].y == pytest.approx(
        curves.ideal
    )
    assert ratio["alpha"].y == pytest.approx(curves.normalised) and set(
        ratio["ideal"].y.tolist()
    ) == {1.0}


def test_a_single_topic_needs_no_average(joined_rankings: JudgedRankings) -> None:
    chart = find_figure("gain").chart(joined_rankings, FigureOptions(topic="3", curve="ncg"))
    assert "topic 3" in chart.title and "average" not in chart.title + chart.caption


def test_few_runs_are_all_highlighted_and_of_many_the_best_or_named_ones(
    example: tuple[Qrels, list[Run]],
) -> None:
    qrels, runs = example
    many = judge_rankings(
        qrels, [*runs, *(make_run(f"copy{at}", [("1", "gamma-1", 1.0)]) for at in range(9))]
    )
    best = max(
        draw_lines("precision-recall", many, FigureOptions()).values(),
        key=lambda line: line.y.mean(),
    ).name
    roles = {
        name: line.role
        for name, line in draw_lines("precision-recall", many, FigureOptions()).items()
    }
    assert [name for name, role in roles.items() if role == "chosen"] == [best] and len(roles) == 12
    wished = draw_lines("precision-recall", many, FigureOptions(runs=("copy3", "beta")))
    assert [(name, line.hue) for name, line in wished.items() if line.role == "chosen"] == [
        ("copy3", 0),
        ("beta", 1),
    ]


@pytest.mark.parametrize(
    ("options", "says"),
    [
        (FigureOptions(topic="9"), "Topic '9' was not evaluated"),
        (FigureOptions(runs=("delta",)), "no run 'delta'"),
        (FigureOptions(levels=1), "2 or more"),
    ],
)
def test_missing_data_is_reported(
    joined_rankings: JudgedRankings, options: FigureOptions, says: str
) -> None:
    with pytest.raises(IrjudgeError, match=says):
        find_figure("precision-recall").chart(joined_rankings, options)


def test_every_chart_states_its_average_and_policy(
    charts: dict[str, Chart],
) -> None:
    for name, chart in charts.items():
        assert chart.title and chart.x.label and chart.y.label
        if name != "assessor-agreement" and not name.startswith("model-"):
            assert f"settings: {Policy()}" in chart.caption and "made up" in chart.caption
            assert (
                "4 topics" in chart.title + chart.caption + chart.x.label
                or "topic 1" in chart.title
            )


def test_every_drawn_value_is_in_the_table(charts: dict[str, Chart]) -> None:
    for chart in charts.values():
        rows = list(chart.rows())
        assert rows and {len(row) for row in rows} == {len(chart.columns)}


def test_topics_of_a_chart_are_described() -> None:
    assert format_topic_counts([]) == "0 topics"
