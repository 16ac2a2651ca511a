"""Drawing of charts with matplotlib, and figures as self-contained PNG, SVG and PDF files."""

import warnings
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from io import BytesIO
from pathlib import Path
from textwrap import fill
from typing import Any, Literal, TypeAlias, get_args

import numpy as np

from irjudge import palette
from irjudge.errors import IrjudgeError
from irjudge.formats.bytes import replace_file
from irjudge.message import format_count
from irjudge.report.figures.chart import (
    MAX_CHOSEN,
    Axis,
    Bars,
    Box,
    Boxes,
    CellGrid,
    Chart,
    Line,
    LineSeries,
    Points,
)


@dataclass(frozen=True, slots=True)
class FigureColours:
    """Colours with which a figure is drawn: a light or a dark set."""

    name: str  # name of the colours: `light` or `dark`
    paper: str  # background
    text: str
    quiet: str  # secondary text and background marks
    line: str  # axis lines
    # colours of highlighted marks; successive colours also differ in lightness
    hues: tuple[str, ...]
    # A grid without negative values uses one hue, whose lightness changes steadily with the value.
    pale: str  # colour of the lowest value in a grid
    strong: str  # colour of the highest value in a grid
    below: str  # colour of the lowest value in a grid with negative values


LIGHT_FIGURE = FigureColours(
    name="light",
    paper=palette.LIGHT.surface,
    text=palette.LIGHT.text,
    quiet="#AAB2BA",
    line="#D9DCDF",
    hues=(palette.LIGHT.accent, "#D55E00", "#00795A", "#8A3C7C", "#9A7400", palette.LIGHT.text),
    pale="#F3F6F8",
    strong="#0F3F61",
    below="#A84800",
)
DARK_FIGURE = FigureColours(
    name="dark",
    paper=palette.DARK.surface,
    text=palette.DARK.text,
    quiet="#6B737C",
    line="#3A3F46",
    hues=(palette.DARK.accent, "#FF9E57", "#4FC9A0", "#E29BD0", "#E5C453", "#F0F0EC"),
    pale="#262A2F",
    strong="#A9D6F7",
    below="#FFB27A",
)
FIGURE_COLOURS = {colours.name: colours for colours in (LIGHT_FIGURE, DARK_FIGURE)}


Axes = Any  # matplotlib's class, whose types mypy cannot check
STYLES: tuple[Any, ...] = (
    "-",
    (0, (5, 2)),
    (0, (5, 1.5, 1, 1.5)),
    (0, (1.2, 1.2)),
    (0, (9, 2)),
    (0, (3, 1, 1, 1, 1, 1)),
)
MARKER_SHAPES = ("o", "s", "^", "D", "v", "P")
TITLE_SIZE, LABEL_SIZE, TICK_SIZE, CAPTION_SIZE = 11.0, 9.5, 8.5, 7.5
CHARACTER_WIDTH, BOLD_CHARACTER_WIDTH = 0.56, 0.65  # mean character width divided by font size
MAX_NAME_LENGTH = 26  # maximum number of characters of a name in the legend or along an axis
# maximum number of box plots that are drawn with caps and means
MAX_DETAILED_BOXES = 40
MAX_NUMBERED_CELLS = 12  # maximum number of rows, and of columns, of a grid with printed numbers
FIGURE_PADDING = 0.09  # empty space around the parts of a figure, in inches
MARKERS_PER_LINE = 11  # approximate number of markers along a line
POINTS_PER_INCH = 72.0


def draw(chart: Chart, figure: Any, colours: FigureColours) -> None:
    """Draw a chart on a matplotlib Figure, which must be empty."""
    width = figure.get_size_inches()[0] * POINTS_PER_INCH
    figure.set_facecolor(colours.paper)
    if chart.title:
        figure.suptitle(
            fill(chart.title, int(width / TITLE_SIZE / BOLD_CHARACTER_WIDTH) - 2),
            x=0.012,
            ha="left",
            fontsize=TITLE_SIZE,
            color=colours.text,
            fontweight="bold",
        )
    if chart.caption:
        caption = fill(chart.caption, int(width / CAPTION_SIZE / CHARACTER_WIDTH) - 2)
        figure.supxlabel(
            caption, x=0.012, ha="left", fontsize=CAPTION_SIZE, color=colours.text, alpha=0.85
        )
    figure.get_layout_engine().set(w_pad=FIGURE_PADDING, h_pad=FIGURE_PADDING)
    axes = figure.add_subplot()
    _draw_frame(axes, chart, colours)
    DRAWING_FUNCTIONS[type(chart.marks)](axes, chart, chart.marks, colours)
    for axis, set_limits in ((chart.x, axes.set_xlim), (chart.y, axes.set_ylim)):
        if not axis.names and not axis.is_reversed:
            set_limits(axis.low, axis.high)


def _draw_frame(axes: Axes, chart: Chart, colours: FigureColours) -> None:
    axes.set_facecolor(colours.paper)
    axes.set_axisbelow(True)
    for side, spine in axes.spines.items():
        spine.set_visible(side in ("left", "bottom"))
        spine.set_color(colours.line)
    axes.tick_params(labelsize=TICK_SIZE, labelcolor=colours.text, color=colours.line, length=3)
    axes.set_xlabel(chart.x.label, fontsize=LABEL_SIZE, color=colours.text)
    axes.set_ylabel(chart.y.label, fontsize=LABEL_SIZE, color=colours.text)
    if not isinstance(chart.marks, CellGrid):
        for axis, axis_data in ((axes.xaxis, chart.x), (axes.yaxis, chart.y)):
            if not axis_data.names:
                axis.grid(visible=True, color=colours.line, linewidth=0.6)


def _label_ticks(
    axis: Any, axis_data: Axis, is_horizontal: bool, highlighted: Sequence[str] = ()
) -> None:
    """Write the names of an axis at its positions.

    If there is no space for all names, only highlighted names are written. If no names are
    highlighted, every n-th name is written.
    """
    figure_size = axis.axes.figure.get_size_inches()
    tick_space = (
        (figure_size[0] if is_horizontal else figure_size[1])
        * POINTS_PER_INCH
        * 0.72
        / max(1, len(axis_data.names))
    )
    step = int(np.ceil(TICK_SIZE * 1.15 / max(tick_space, 1e-9)))
    labelled_positions = list(range(0, len(axis_data.names), step))
    if step > 1 and highlighted:
        labelled_positions = _separate_ticks(
            [position for position, name in enumerate(axis_data.names) if name in highlighted], step
        )
    names = [shorten_name(axis_data.names[position]) for position in labelled_positions]
    # names are rotated if the longest name would touch the next name
    is_rotated = (
        is_horizontal
        and (max(map(len, names), default=0) + 1) * TICK_SIZE * CHARACTER_WIDTH > tick_space * step
    )
    axis.set_ticks(labelled_positions, names, rotation=90 if is_rotated else 0)
    if step > 1 or len(axis_data.names) > MAX_NUMBERED_CELLS:
        axis.set_tick_params(length=2)


def _separate_ticks(positions: Sequence[int], step: int) -> list[int]:
    """Return those positions that are at least `step` apart, so that labels do not overlap.

    >>> _separate_ticks([0, 1, 5], 3)
    [0, 5]
    """
    separated_positions: list[int] = []
    for position in positions:
        if not separated_positions or position - separated_positions[-1] >= step:
            separated_positions.append(position)
    return separated_positions


def shorten_name(name: str) -> str:
    """Return a name; if it is too long, its middle is replaced with an ellipsis.

    >>> shorten_name("bm25"), shorten_name("a-very-long-name-of-a-run-with-settings")
    ('bm25', 'a-very-long-n…ith-settings')
    """
    half_length = (MAX_NAME_LENGTH - 1) // 2
    return (
        name if len(name) <= MAX_NAME_LENGTH else f"{name[: half_length + 1]}…{name[-half_length:]}"
    )


def _draw_legend(axes: Axes, colours: FigureColours, entries: Sequence[tuple[Any, str]]) -> None:
    handles, names = zip(*entries, strict=True)
    index_of = {"loc": "upper left", "bbox_to_anchor": (1.015, 1.0), "borderaxespad": 0.0}
    axes.legend(
        handles,
        names,
        frameon=False,
        fontsize=TICK_SIZE,
        labelcolor=colours.text,
        handlelength=3.4,
        **index_of,
    )


def _draw_lines(axes: Axes, chart: Chart, lines: LineSeries, colours: FigureColours) -> None:
    artists = [_draw_line(axes, line, colours) for line in lines.lines]
    if chart.x.names:
        _label_ticks(axes.xaxis, chart.x, is_horizontal=True)
        axes.set_xlim(-0.15, len(chart.x.names) - 0.85)
        axes.grid(visible=True, axis="x", color=colours.line, linewidth=0.6)
    if chart.y.is_reversed:
        axes.set_yticks(_select_tick_positions(int(chart.y.high or 1)))
        axes.set_ylim((chart.y.high or 1) + 0.5, 0.5)
    _draw_legend(
        axes, colours, _make_legend_entries(artists, lines.lines, is_reversed=chart.y.is_reversed)
    )


def _make_legend_entries(
    artists: Sequence[Any], lines: Sequence[Line], *, is_reversed: bool
) -> list[tuple[Any, str]]:
    """Return the entries of the legend: drawn objects and their labels.

    Highlighted lines are first, sorted by mean height from top to bottom, then guides, then one
    entry for all other lines.
    """
    artists_and_lines = list(zip(artists, lines, strict=True))
    highlighted = [line for line in artists_and_lines if line[1].role == "chosen"]
    highlighted.sort(
        key=lambda named_line: (
            float(named_line[1].y.mean()) * (1 if is_reversed else -1)
            if len(named_line[1].y)
            else 0.0
        )
    )
    entries = [
        (handle, shorten_name(line.name))
        for handle, line in [
            *highlighted,
            *(line for line in artists_and_lines if line[1].role == "guide"),
        ]
    ]
    other_handles = [handle for handle, line in artists_and_lines if line.role == "quiet"]
    return (
        [*entries, (other_handles[0], format_count(len(other_handles), "other run"))]
        if other_handles
        else entries
    )


def _select_tick_positions(last: int) -> list[int]:
    """Return the positions of ticks on an axis of ranks: 1 and multiples of a round number.

    >>> _select_tick_positions(4), _select_tick_positions(30)
    ([1, 2, 3, 4], [1, 5, 10, 15, 20, 25, 30])
    """
    if last <= 12:
        step = 1
    elif last <= 50:
        step = 5
    elif last <= 100:
        step = 10
    else:
        step = 20
    return sorted({1, *range(step, last + 1, step)})


def _draw_line(axes: Axes, line: Line, colours: FigureColours) -> Any:
    if line.role == "quiet":
        return axes.plot(
            line.x, line.y, color=colours.quiet, linewidth=0.7, alpha=0.6, zorder=1, label=line.name
        )[0]
    hue = colours.hues[line.hue % len(colours.hues)]
    if line.role == "guide":
        is_single_ideal = line.name == "ideal"
        colour, style = (colours.text, (0, (4, 3))) if is_single_ideal else (hue, (0, (2, 2)))
        return axes.plot(
            line.x,
            line.y,
            color=colour,
            linewidth=1.1,
            linestyle=style,
            alpha=0.8,
            zorder=2,
            label=line.name,
        )[0]
    return axes.plot(
        line.x,
        line.y,
        color=hue,
        linewidth=1.8,
        linestyle=STYLES[line.hue % MAX_CHOSEN],
        marker=MARKER_SHAPES[(line.hue + line.hue // MAX_CHOSEN) % MAX_CHOSEN],
        markersize=4.5,
        markevery=max(1, -(-len(line.x) // MARKERS_PER_LINE)),
        markeredgecolor=colours.paper,
        markeredgewidth=0.5,
        zorder=3 + 0.01 * line.hue,
        clip_on=False,
        label=line.name,
    )[0]


def _draw_bars(axes: Axes, chart: Chart, bars: Bars, colours: FigureColours) -> None:
    from matplotlib.patches import Patch  # noqa: PLC0415 -- loaded when a figure is drawn

    positions, entries = np.arange(len(bars.heights)), []
    for is_in_group, name, hue, hatch in (
        (bars.heights > 0, bars.above, 0, ""),
        (bars.heights < 0, bars.below, 1, "////"),
    ):
        style: dict[str, Any] = {
            "facecolor": colours.hues[hue],
            "hatch": hatch,
            "edgecolor": colours.paper,
            "linewidth": 0,
            "hatch_linewidth": 0.8,
        }
        axes.bar(positions[is_in_group], bars.heights[is_in_group], width=0.8, **style)
        outcome = "better" if bars.is_directed else "higher"
        entries.append(
            (Patch(**style), f"{shorten_name(name)} {outcome}: {int(is_in_group.sum()):,}")
        )
    ties = positions[bars.heights == 0]
    if len(ties):
        tie_markers = axes.plot(
            ties,
            np.zeros(len(ties)),
            linestyle="",
            marker="o",
            color=colours.text,
            markersize=3.5,
            clip_on=False,
        )[0]
        entries.append((tie_markers, f"equal: {len(ties):,}"))
    axes.axhline(0, color=colours.text, linewidth=0.8)
    axes.set_xlim(-0.7, len(positions) - 0.3)
    _label_ticks(axes.xaxis, chart.x, is_horizontal=True)
    _draw_legend(axes, colours, entries)


def _draw_boxes(axes: Axes, chart: Chart, boxes: Boxes, colours: FigureColours) -> None:
    highlighted = [box.name for box in boxes.boxes if box.role == "chosen"]
    is_simplified = len(boxes.boxes) > MAX_DETAILED_BOXES
    for position, box in enumerate(boxes.boxes):
        if box.role == "chosen":
            _draw_box(
                axes,
                position,
                box,
                colours,
                colours.hues[highlighted.index(box.name) % len(colours.hues)],
                width=1.6,
            )
        else:
            _draw_box(
                axes,
                position,
                box,
                colours,
                colours.quiet if is_simplified else colours.text,
                width=0.5 if is_simplified else 0.8,
                is_simplified=is_simplified,
            )
    axes.set_ylim(len(boxes.boxes) - 0.4, -0.6)
    _label_ticks(axes.yaxis, chart.y, is_horizontal=False, highlighted=highlighted)


def _draw_box(
    axes: Axes,
    position: int,
    box: Box,
    colours: FigureColours,
    colour: str,
    *,
    width: float,
    is_simplified: bool = False,
) -> None:
    lines = {"color": colour, "linewidth": width}
    outlier_style = {
        "marker": "o",
        "markerfacecolor": "none",
        "markeredgecolor": colour,
        "markersize": 1.8 if is_simplified else 2.8,
    }
    axes.bxp(
        [
            {
                "whislo": box.low,
                "q1": box.first,
                "med": box.median,
                "q3": box.third,
                "whishi": box.high,
                "mean": box.mean,
                "fliers": box.outliers,
            }
        ],
        positions=[position],
        widths=0.62,
        orientation="horizontal",
        showmeans=not is_simplified,
        showcaps=not is_simplified,
        patch_artist=True,
        manage_ticks=False,
        zorder=2 if is_simplified else 3,
        boxprops={"facecolor": colours.line, "edgecolor": colour, "linewidth": width},
        whiskerprops=lines,
        capprops=lines,
        medianprops={"color": colours.text if is_simplified else colour, "linewidth": width + 0.8},
        meanprops={
            "marker": "D",
            "markersize": 3.5,
            "markerfacecolor": colours.paper,
            "markeredgecolor": colour,
        },
        flierprops={**outlier_style, "markeredgewidth": 0.4 if is_simplified else 0.7},
    )


def _draw_points(axes: Axes, chart: Chart, points: Points, colours: FigureColours) -> None:
    is_highlighted = np.array([role == "chosen" for role in points.roles], dtype=bool)
    axes.plot(
        points.x[~is_highlighted],
        points.y[~is_highlighted],
        linestyle="",
        marker="o",
        markersize=4.5,
        color=colours.text,
        markerfacecolor="none",
        alpha=0.55,
    )
    for hue, index in enumerate(np.flatnonzero(is_highlighted)):
        marker = MARKER_SHAPES[(hue + hue // MAX_CHOSEN) % MAX_CHOSEN]
        axes.plot(
            points.x[index],
            points.y[index],
            linestyle="",
            marker=marker,
            markersize=6,
            color=colours.hues[hue % len(colours.hues)],
            zorder=3,
        )
    _label_points(axes, chart, points, colours, np.flatnonzero(is_highlighted).tolist())


def _label_points(
    axes: Axes, chart: Chart, points: Points, colours: FigureColours, highlighted: list[int]
) -> None:
    """Write the name of each highlighted point next to the point, lower if names would overlap."""
    width, height = axes.figure.get_size_inches() * POINTS_PER_INCH * 0.75
    axis_ranges = [((axis.high or 1.0) - (axis.low or 0.0)) or 1.0 for axis in (chart.x, chart.y)]
    occupied_spaces: list[tuple[float, float, float]] = []
    for index in sorted(highlighted, key=lambda point: -points.y[point]):
        name = shorten_name(points.names[index])
        x = (points.x[index] - (chart.x.low or 0)) / axis_ranges[0] * width
        y = (points.y[index] - (chart.y.low or 0)) / axis_ranges[1] * height
        text_width = len(name) * TICK_SIZE * CHARACTER_WIDTH
        is_left = x + text_width > width
        text_start = x - text_width - 7 if is_left else x + 7
        offset = 0.0
        while any(
            text_start < end
            and start < text_start + text_width
            and abs(y - offset - label_y) < TICK_SIZE
            for start, end, label_y in occupied_spaces
        ):
            offset += TICK_SIZE / 2
        occupied_spaces.append((text_start, text_start + text_width, y - offset))
        axes.annotate(
            name,
            (points.x[index], points.y[index]),
            (-7 if is_left else 7, -offset),
            textcoords="offset points",
            ha="right" if is_left else "left",
            va="center",
            fontsize=TICK_SIZE,
            color=colours.text,
        )


def _draw_grid(axes: Axes, chart: Chart, grid: CellGrid, figure_colours: FigureColours) -> None:
    from matplotlib.colors import LinearSegmentedColormap, Normalize  # noqa: PLC0415 -- loaded when a figure is drawn

    colours = (
        [figure_colours.below, figure_colours.pale, figure_colours.strong]
        if grid.low < 0
        else [figure_colours.pale, figure_colours.strong]
    )
    low, high = (
        (-max(-grid.low, grid.high), max(-grid.low, grid.high))
        if grid.low < 0
        else (grid.low, grid.high)
    )
    scale = LinearSegmentedColormap.from_list("grid", colours)
    norm = Normalize(low, high if high > low else low + 1)
    rows, columns = grid.values.shape
    # Cells are drawn as vector shapes and not as an image, so that they are sharp at every size.
    undefined = np.isnan(grid.values)
    if undefined.any():
        hatched_cells = np.ma.masked_where(~undefined, np.zeros_like(grid.values))
        axes.pcolor(
            hatched_cells,
            cmap=LinearSegmentedColormap.from_list("no", [figure_colours.paper] * 2),
            hatch="////",
            edgecolor=figure_colours.quiet,
            linewidth=0,
        )
    edge_options = (
        {"edgecolors": figure_colours.paper, "linewidth": 0.8}
        if columns <= 40 and rows <= 40
        else {"edgecolors": "face", "linewidth": 0.1}
    )
    mesh = axes.pcolormesh(
        np.ma.masked_invalid(grid.values), cmap=scale, norm=norm, rasterized=False, **edge_options
    )
    axes.set_xlim(0, columns)
    axes.set_ylim(rows, 0)
    _label_ticks(axes.xaxis, chart.x, is_horizontal=True)
    _label_ticks(axes.yaxis, chart.y, is_horizontal=False, highlighted=grid.highlighted)
    for axis in (axes.xaxis, axes.yaxis):
        axis.set_ticks(
            axis.get_ticklocs() + 0.5, [label.get_text() for label in axis.get_ticklabels()]
        )
    if columns <= MAX_NUMBERED_CELLS and rows <= MAX_NUMBERED_CELLS:
        _write_numbers(axes, grid, figure_colours, scale, norm)
    colour_bar = axes.figure.colorbar(mesh, ax=axes, shrink=0.85, pad=0.02)
    colour_bar.solids.set_rasterized(False)
    colour_bar.solids.set_edgecolor("face")
    colour_bar.outline.set_visible(False)
    colour_bar.ax.tick_params(
        labelsize=TICK_SIZE, labelcolor=figure_colours.text, color=figure_colours.line
    )
    colour_bar.set_label(grid.scale_label, fontsize=LABEL_SIZE, color=figure_colours.text)


def _write_numbers(
    axes: Axes, grid: CellGrid, colours: FigureColours, scale: Any, norm: Any
) -> None:
    for (row, column), value in np.ndenumerate(grid.values):
        if not np.isnan(value):
            background = _compute_luminance(scale(norm(value))[:3])
            text_colour = max(
                (colours.paper, colours.text),
                key=lambda text_colour: abs(
                    np.log(
                        (_compute_luminance(_parse_colour(text_colour)) + 0.05)
                        / (background + 0.05)
                    )
                ),
            )
            axes.text(
                column + 0.5,
                row + 0.5,
                f"{value:.2f}",
                ha="center",
                va="center",
                fontsize=TICK_SIZE,
                color=text_colour,
            )


def _parse_colour(colour: str) -> tuple[float, ...]:
    return tuple(int(colour[start : start + 2], 16) / 255 for start in (1, 3, 5))


def _compute_luminance(parts: Sequence[float]) -> float:
    """Return the relative luminance of a colour as WCAG 2 defines it; `parts` are from 0 to 1."""
    red, green, blue = (
        channel / 12.92 if channel <= 0.04045 else ((channel + 0.055) / 1.055) ** 2.4
        for channel in parts
    )
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


DRAWING_FUNCTIONS: dict[type, Callable[[Axes, Chart, Any, FigureColours], None]] = {
    LineSeries: _draw_lines,
    Bars: _draw_bars,
    Boxes: _draw_boxes,
    Points: _draw_points,
    CellGrid: _draw_grid,
}


# Figures as self-contained PNG, SVG and PDF files; equal charts result in identical files

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
