"""Tests of figure files: vector shapes, embedded fonts, reproducible bytes, and atomic writing."""

import re
import zlib
from dataclasses import replace
from pathlib import Path

import matplotlib as mpl
import pytest

from irjudge.errors import IrjudgeError
from irjudge.report.figures import (
    FIGURE_FORMATS,
    Chart,
    catalogue,
    figure_format,
    render_figure,
    write_figure,
)
from irjudge.report.figures.drawing import DRAWING_FUNCTIONS

NAMES = tuple(figure.name for figure in catalogue())


@pytest.mark.parametrize("name", NAMES)
def test_svg_has_only_shapes(charts: dict[str, Chart], name: str) -> None:
    svg = render_figure(charts[name], "svg").decode()
    assert "<path" in svg and "<image" not in svg and "data:image" not in svg
    assert "<text" not in svg, "letters are outlines, which need no font"
    assert charts[name].title in svg and charts[name].caption[:40] in svg, (
        "those who do not see it find its words in the metadata"
    )


@pytest.mark.slow
@pytest.mark.parametrize("marks", DRAWING_FUNCTIONS, ids=lambda marks: marks.__name__)
def test_pdf_has_only_shapes_and_embeds_its_font(charts: dict[str, Chart], marks: type) -> None:
    """Uses one figure of each kind of marks, since those of a kind share their drawing code."""
    pdf = render_figure(
        next(chart for chart in charts.values() if type(chart.marks) is marks), "pdf"
    )
    assert b"/Subtype /Image" not in pdf
    fonts = re.findall(rb"/FontName /(\S+)", pdf)
    assert fonts and all(b"DejaVuSans" in font for font in fonts)
    assert pdf.count(b"/FontFile2") == len(fonts) and b"/Type3" not in pdf
    streams = [
        zlib.decompress(each)
        for each in re.findall(rb"/FlateDecode[^>]*>>\s*stream\n(.*?)\nendstream", pdf, re.DOTALL)
    ]
    assert any(b" l\n" in each for each in streams), "there are lines"


@pytest.mark.slow
@pytest.mark.parametrize("form", FIGURE_FORMATS)
def test_the_same_chart_gives_the_same_bytes(charts: dict[str, Chart], form: str) -> None:
    first = render_figure(charts["gain"], form)
    with mpl.rc_context(
        {"font.size": 30, "svg.hashsalt": None, "pdf.fonttype": 3, "lines.linewidth": 9}
    ):  # as a notebook may set it
        assert render_figure(charts["gain"], form) == first
    assert b"CreationDate" not in first and b"<dc:date>" not in first


def test_settings_of_a_notebook_are_restored(charts: dict[str, Chart]) -> None:
    before = dict(mpl.rcParams)
    render_figure(charts["gain"], "svg")
    assert dict(mpl.rcParams) == before


@pytest.mark.parametrize("text", ["$x^2$ & <b>_", "检索 نتائج", "\U0010ffff"])
def test_names_with_any_characters_are_text(charts: dict[str, Chart], text: str) -> None:
    assert render_figure(replace(charts["gain"], title=text), "png").startswith(b"\x89PNG")


@pytest.mark.parametrize("size", [(0.1, 3.0), (3.0, 41.0)])
def test_a_size_out_of_range_is_an_error(
    charts: dict[str, Chart], size: tuple[float, float]
) -> None:
    with pytest.raises(IrjudgeError, match="2 to 40 inches") as error:
        render_figure(charts["scatter"], "png", size=size)
    values = error.value.values
    assert (values["width"], values["height"]) == tuple(f"{inches:g}" for inches in size)


@pytest.mark.slow
def test_a_file_is_written_whole_or_not_at_all(charts: dict[str, Chart], tmp_path: Path) -> None:
    target = tmp_path / "figure.pdf"
    write_figure(target, charts["scatter"])
    before = target.read_bytes()
    with pytest.raises(IrjudgeError, match="2 to 40 inches"):
        write_figure(target, charts["scatter"], size=(0.1, 3))
    assert target.read_bytes() == before and [path.name for path in tmp_path.iterdir()] == [
        "figure.pdf"
    ]


def test_the_file_extension_determines_the_format() -> None:
    assert [figure_format(Path(f"a.{form.upper()}")) for form in FIGURE_FORMATS] == list(
        FIGURE_FORMATS
    )
    with pytest.raises(IrjudgeError, match=r" in .png, .svg or .pdf, got a.gif"):
        figure_format(Path("a.gif"))
