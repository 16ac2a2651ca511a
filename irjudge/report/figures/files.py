"""Figures as self-contained PNG, SVG and PDF files; equal charts result in identical files."""

import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from io import BytesIO
from pathlib import Path
from typing import Any, Literal, TypeAlias, get_args

from irjudge.errors import IrjudgeError
from irjudge.formats.bytes import replace_file
from irjudge.report.figures.chart import Chart
from irjudge.report.figures.drawing import LIGHT_FIGURE, FigureColours, draw

# matplotlib contains this font, so that figures with Latin, Greek and Cyrillic characters are the
# same on all machines
MAIN_FONT = "DejaVu Sans"
FALLBACK_FONTS = (
    "Noto Sans CJK SC",
    "Source Han Sans SC",
    "Microsoft YaHei",
    "PingFang SC",
    "WenQuanYi Micro Hei",
    "Noto Sans Arabic",
    "Noto Sans Devanagari",
    "Noto Emoji",
    "Arial Unicode MS",
    "Arial",
)


def font_families(chart: Chart) -> list[str]:
    """Return the names of installed fonts that together contain the characters of a chart.

    Characters that none of the installed fallback fonts contains are ignored.
    """
    from matplotlib.font_manager import FontProperties, findfont, fontManager, get_font  # noqa: PLC0415 -- loaded when a figure is drawn

    missing_characters = {
        ord(character)
        for text in _iter_chart_texts(chart)
        for character in text
        if character.isprintable()
    }
    missing_characters -= get_font(findfont(MAIN_FONT)).get_charmap().keys()
    families = [MAIN_FONT]
    installed_names = {font.name for font in fontManager.ttflist} if missing_characters else set()
    for name in FALLBACK_FONTS:
        if missing_characters and name in installed_names:
            covered_characters = (
                missing_characters
                & get_font(findfont(FontProperties(family=[name]))).get_charmap().keys()
            )
            families += [name] if covered_characters else []
            missing_characters -= covered_characters
    return families


def _iter_chart_texts(chart: Chart) -> Iterator[str]:
    yield from (chart.title, chart.caption)
    for axis in (chart.x, chart.y):
        yield axis.label
        yield from axis.names
    yield from (cell for row in chart.rows() for cell in row if isinstance(cell, str))


FigureFormat: TypeAlias = Literal["png", "svg", "pdf"]
FIGURE_FORMATS: tuple[FigureFormat, ...] = get_args(FigureFormat)
FIGURE_SIZE = (7.2, 4.6)  # width and height in inches; the width is that of the text on a page
DPI = 200
MIN_INCHES, MAX_INCHES = 2.0, 40.0
SETTINGS: dict[str, Any] = {
    "pdf.fonttype": 42,  # embeds TrueType fonts, which publishers require
    "svg.fonttype": "path",  # draws text as outlines, so that readers need no fonts
    "svg.hashsalt": "irjudge",
    "axes.unicode_minus": True,
    "text.parse_math": False,  # a dollar sign in a name does not begin a formula
    "mathtext.default": "regular",
}


def render_figure(
    chart: Chart,
    file_format: FigureFormat = "png",
    colours: FigureColours = LIGHT_FIGURE,
    *,
    size: tuple[float, float] = FIGURE_SIZE,
    dpi: float = DPI,
) -> bytes:
    """Draw a chart and return the content of its file; `size` is width and height in inches.

    This is not thread-safe, since matplotlib has global settings. Raises IrjudgeError if the size
    is out of range.
    """
    if not all(MIN_INCHES <= inches <= MAX_INCHES for inches in size):
        raise IrjudgeError(
            "A figure must be {minimum:g} to {maximum:g} inches wide and high, got {width:g} "
            "x {height:g}.",
            minimum=MIN_INCHES,
            maximum=MAX_INCHES,
            width=size[0],
            height=size[1],
        )
    buffer = BytesIO()
    with draw_figure(chart, colours, size) as figure, warnings.catch_warnings():
        # matplotlib draws a box for a character that is in no installed font
        warnings.filterwarnings("ignore", "Glyph .* missing", UserWarning)
        figure.savefig(
            buffer,
            format=file_format,
            dpi=dpi,
            metadata=_make_metadata(chart, file_format),
            facecolor=colours.paper,
        )
    return buffer.getvalue()


def write_figure(
    path: Path,
    chart: Chart,
    colours: FigureColours = LIGHT_FIGURE,
    *,
    size: tuple[float, float] = FIGURE_SIZE,
    dpi: float = DPI,
) -> None:
    """Write a chart to a .png, .svg or .pdf file; for the other parameters see `render_figure`."""
    file_format = figure_format(path)
    with replace_file(path) as part:
        part.write_bytes(render_figure(chart, file_format, colours, size=size, dpi=dpi))


def figure_format(path: Path) -> FigureFormat:
    """Return the file format for a path's extension; raise IrjudgeError if there is none."""
    for file_format in FIGURE_FORMATS:
        if path.suffix.lower() == f".{file_format}":
            return file_format
    raise IrjudgeError(
        "The name of a figure file must end in .png, .svg or .pdf, got {path}.", path=path.name
    )


@contextmanager
def draw_figure(
    chart: Chart, colours: FigureColours = LIGHT_FIGURE, size: tuple[float, float] = FIGURE_SIZE
) -> Iterator[Any]:
    """Yield a matplotlib Figure with the chart, which must be saved within the `with` block.

    The settings of matplotlib that affect the file are changed only within the block.
    """
    import matplotlib as mpl  # noqa: PLC0415 -- takes half a second, and most work needs no figure
    from matplotlib.figure import Figure  # noqa: PLC0415

    settings: dict[Any, Any] = {
        **mpl.rcParamsDefault,
        **SETTINGS,
        "font.family": font_families(chart),
        "backend": "agg",
    }
    # settings of the user, such as those in a notebook, are replaced within this block
    with mpl.rc_context(settings):
        figure = Figure(figsize=size, layout="constrained")
        draw(chart, figure, colours)
        yield figure


def _make_metadata(chart: Chart, file_format: FigureFormat) -> dict[str, str | None]:
    if file_format == "pdf":
        return {
            "Title": chart.title,
            "Subject": chart.caption,
            "Creator": "irjudge",
            "CreationDate": None,
        }
    if file_format == "svg":
        return {
            "Title": chart.title,
            "Description": chart.caption,
            "Creator": "irjudge",
            "Date": None,
        }
    return {"Title": chart.title, "Description": chart.caption, "Software": None}
