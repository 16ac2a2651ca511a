"""Tests of a report's figures: those with values, light and dark."""

import pytest

from irjudge.evaluation import evaluate_runs, parse_measures
from irjudge.model import make_qrels
from irjudge.progress import Progress
from irjudge.report.figures import catalogue
from irjudge.report.writers import FigureSvg, draw_figures
from tests.engine.report.three_runs import evaluate_three_runs


@pytest.fixture(scope="module")
def steps() -> list[tuple[int, int | None]]:
    """Return the list of progress steps reported while `found` was drawn."""
    return []


@pytest.fixture(scope="module")
def figures(steps, slow: None) -> tuple[FigureSvg, ...]:
    return draw_figures(
        evaluate_three_runs("AP P@5 NumRet"),
        Progress(lambda done, total, _what: steps.append((done, total))),
    )


def test_progress_is_reported_for_each_figure(figures, steps):
    assert list(dict.fromkeys(steps)) == [
        (done, len(figures)) for done in range(1, len(figures) + 1)
    ]


def test_every_figure_of_values_is_drawn_twice(figures):
    assert len(figures) == sum(figure.input_kind == "values" for figure in catalogue())
    for picture in figures:
        assert picture.light.startswith(b"<?xml") and b"</svg>" in picture.light
        assert picture.light != picture.dark and b"#1d2024" in picture.dark.lower()
        assert picture.title and picture.caption


@pytest.mark.slow
def test_figures_without_enough_data_are_left_out(figures):
    one = draw_figures(evaluate_three_runs("AP"))
    assert {each.title for each in one} < {each.title for each in figures}
    assert (
        draw_figures(evaluate_runs(make_qrels([("1", "a", 1)]), [], parse_measures(["AP"]))) == ()
    )
