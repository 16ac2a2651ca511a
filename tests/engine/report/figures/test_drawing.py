"""Tests of rendered figures against stored pictures, light and dark, and of the drawn values."""

import io
import os
from pathlib import Path

import numpy as np
import pytest
from matplotlib.image import imread

from irjudge.report.figures import (
    FIGURE_COLOURS,
    Bars,
    Chart,
    LineSeries,
    Points,
    catalogue,
    render_figure,
)
from irjudge.report.figures.chart import Boxes, CellGrid
from irjudge.report.figures.drawing import draw_figure

STORED = Path(__file__).parents[3] / "golden" / "figures"
NAMES = (*(figure.name for figure in catalogue()), "precision-recall-raw-topic", "gain-dcg")
SMALL = {"size": (5.4, 3.6), "dpi": 60.0}
# root mean square over all pixels and colours, from 0 to 1; another colour of one line gives 0.013
TOLERANCE = 0.008


def pixels(picture: bytes | Path) -> np.ndarray:
    return imread(io.BytesIO(picture) if isinstance(picture, bytes) else picture)[..., :3]


@pytest.mark.parametrize("look", FIGURE_COLOURS)
@pytest.mark.parametrize("name", NAMES)
def test_a_figure_matches_the_stored_picture(
    charts: dict[str, Chart], name: str, look: str, tmp_path: Path
) -> None:
    """This test stored the pictures with IRJUDGE_STORE_FIGURES=1; they were then inspected."""
    made = render_figure(charts[name], "png", FIGURE_COLOURS[look], **SMALL)
    stored = STORED / f"{name}-{look}.png"
    if os.environ.get("IRJUDGE_STORE_FIGURES"):
        stored.write_bytes(made)
    (tmp_path / stored.name).write_bytes(made)
    now, before = pixels(made), pixels(stored)
    assert now.shape == before.shape
    assert np.sqrt(np.mean((now - before) ** 2)) < TOLERANCE, tmp_path / stored.name


def test_no_stored_picture_is_unused() -> None:
    assert {path.stem for path in STORED.glob("*.png")} == {
        f"{name}-{look}" for name in NAMES for look in FIGURE_COLOURS
    }


@pytest.mark.parametrize("name", NAMES)
def test_drawn_values_are_those_of_the_chart(charts: dict[str, Chart], name: str) -> None:
    chart = charts[name]
    with draw_figure(chart) as figure:
        axes, marks = figure.axes[0], chart.marks
        if isinstance(marks, LineSeries):
            for line, shown in zip(marks.lines, axes.lines, strict=True):
                assert (
                    shown.get_xdata().tolist() == line.x.tolist()
                    and shown.get_ydata().tolist() == line.y.tolist()
                )
        elif isinstance(marks, Bars):
            heights = sorted(bar.get_height() for bar in axes.patches)
            assert heights == sorted(marks.heights[marks.heights != 0].tolist())
        elif isinstance(marks, Boxes):
            medians = {tuple(line.get_xdata()) for line in axes.lines}
            assert {(box.median, box.median) for box in marks.boxes} <= medians
        elif isinstance(marks, Points):
            shown = [
                tuple(map(float, point))
                for line in axes.lines
                for point in zip(line.get_xdata(), line.get_ydata(), strict=True)
            ]
            assert sorted(shown) == sorted(zip(marks.x.tolist(), marks.y.tolist(), strict=True))
        else:
            assert isinstance(marks, CellGrid)
            np.testing.assert_array_equal(
                axes.collections[-1].get_array().filled(np.nan).reshape(marks.values.shape),
                marks.values,
            )


def test_highlighted_lines_differ_by_stroke_shape_and_colour(
    charts: dict[str, Chart],
) -> None:
    with draw_figure(charts["precision-recall"]) as figure:
        looks = [
            (line.get_color(), line.get_marker(), line._dash_pattern)
            for line in figure.axes[0].lines
        ]
    assert all(len({str(look[part]) for look in looks}) == 3 for part in range(3))


@pytest.mark.parametrize("name", NAMES)
def test_no_text_leaves_the_figure(charts: dict[str, Chart], name: str, full: bool) -> None:
    """Figures of all types in the smallest size; the larger sizes take turns."""
    larger_sizes = [(7.2, 4.6), (12.0, 8.0)]
    others = larger_sizes if full else [larger_sizes[NAMES.index(name) % len(larger_sizes)]]
    for size in [(4.5, 3.2), *others]:
        assert find_texts_outside(charts[name], size) == [], size


def find_texts_outside(chart: Chart, size: tuple[float, float]) -> list[str]:
    """Return the texts that are not wholly on the page of a figure."""
    with draw_figure(chart, size=size) as figure:
        figure.draw_without_rendering()
        page, legend = figure.bbox, figure.axes[0].get_legend()
        parts = [
            figure._suptitle,
            figure._supxlabel,
            *figure.axes[0].texts,
            *(legend.get_texts() if legend else []),
        ]
        for axes in figure.axes:
            parts += [axes.xaxis.label, axes.yaxis.label]
        boxes = {part.get_text(): part.get_window_extent() for part in parts if part.get_text()}
        return [
            text
            for text, box in boxes.items()
            if box.x0 < page.x0 or box.x1 > page.x1 or box.y0 < page.y0 or box.y1 > page.y1
        ]
