"""Which fonts a figure needs: the one that comes with matplotlib, and those of this machine for signs that it lacks."""

from collections.abc import Iterator

from irjudge.report.figures.chart import Chart

FAMILY = "DejaVu Sans"  # a figure of Latin, Greek and Cyrillic letters is the same on every machine
OTHERS = (
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


def families(chart: Chart) -> list[str]:
    """Return the fonts that together write the words of a chart, as far as this machine has them."""
    from matplotlib.font_manager import FontProperties, findfont, fontManager, get_font  # noqa: PLC0415 -- loaded when a figure is drawn

    missing = {ord(sign) for words in _words(chart) for sign in words if sign.isprintable()}
    missing -= get_font(findfont(FAMILY)).get_charmap().keys()
    found, here = [FAMILY], {each.name for each in fontManager.ttflist} if missing else set()
    for name in OTHERS:
        if missing and name in here:
            covered = missing & get_font(findfont(FontProperties(family=[name]))).get_charmap().keys()
            found += [name] if covered else []
            missing -= covered
    return found


def _words(chart: Chart) -> Iterator[str]:
    yield from (chart.title, chart.caption)
    for axis in (chart.x, chart.y):
        yield axis.label
        yield from axis.names
    yield from (cell for row in chart.rows() for cell in row if isinstance(cell, str))
