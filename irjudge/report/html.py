"""Reports and tables in HTML: one file with everything inside, and no part of it from elsewhere."""

import base64
from collections.abc import Iterator, Sequence
from html import escape

from irjudge.palette import DARK, LIGHT, Palette
from irjudge.report.contents import MARK, Report, ReportTable
from irjudge.report.pictures import FigureSvg
from irjudge.report.word_tables import Printed
from irjudge.web.http.content_security_policy import REPORT_POLICY

MANY = 9  # columns: more are set in smaller letters on paper
COLOURS = {
    "page": "window",
    "card": "surface",
    "line": "line",
    "text": "text",
    "quiet": "quiet",
    "accent": "accent",
}


def _colours(palette: Palette, best: str) -> str:
    return (
        "".join(
            f"--{name}: {getattr(palette, colour).lower()}; " for name, colour in COLOURS.items()
        )
        + f"--best: {best};"
    )


# Not by `light-dark()`: a report is read for years, in whatever opens it.
STYLE = (
    f"""\
:root {{ color-scheme: light dark; {_colours(LIGHT, "#e4eff6")} }}
@media screen and (prefers-color-scheme: dark) {{ :root {{ {_colours(DARK, "#22384a")} }} }}
"""
    + """\
* { box-sizing: border-box; }
body { margin: 0; padding: 2rem 1rem 4rem; background: var(--page); color: var(--text);
  font: 15px/1.5 system-ui, "Segoe UI", Roboto, "Noto Sans", sans-serif; font-variant-numeric: tabular-nums; }
main { max-width: 110rem; margin: 0 auto; }
h1 { margin: 0 0 1.5rem; font-size: 1.7rem; line-height: 1.2; }
h2, summary { margin: 0; font-size: 1.1rem; font-weight: 600; }
summary { cursor: pointer; }
section, details { margin: 0 0 1rem; padding: 1rem 1.25rem; background: var(--card); border: 1px solid var(--line); border-radius: 8px; }
.wide { overflow-x: auto; margin-top: .75rem; }
details .wide { max-height: 36rem; overflow-y: auto; }
table { border-collapse: collapse; }
th, td { padding: .35rem .75rem; text-align: left; vertical-align: top; white-space: pre-wrap; overflow-wrap: break-word; }
th { position: sticky; top: 0; background: var(--card); color: var(--quiet); font-weight: 600; border-bottom: 1px solid var(--quiet); }
td { border-bottom: 1px solid var(--line); }
tr:last-child td { border-bottom: 0; }
.n { text-align: right; white-space: nowrap; }
td:first-child, th:first-child { position: sticky; left: 0; background: var(--card); }
th:first-child { z-index: 1; }
.best { font-weight: 700; background: var(--best); }
sup { color: var(--accent); line-height: 0; }
p { margin: .75rem 0 0; color: var(--quiet); font-size: .87rem; max-width: 60rem; }
p.lead { color: var(--text); font-size: 1rem; }
.figures { display: grid; grid-template-columns: repeat(auto-fit, minmax(min(30rem, 100%), 1fr)); gap: 2rem 1.5rem; margin-top: 1rem; }
figure { margin: 0; }
img { display: block; width: 100%; height: auto; }
@media print { body { padding: 0; background: none; font-size: 10pt; } section, details { border: 0; padding: 0; margin-bottom: 1.5rem; }
  .wide, details .wide { overflow: visible; max-height: none; } th, td { position: static !important; padding: .2rem .5rem; }
  :is(section, details):has(.many) { page: across; } @page across { size: A4 landscape; }
  .many table { font-size: 7.5pt; } .many th, .many td { padding: .1rem .2rem; white-space: normal; }
  thead { display: table-header-group; } tr, figure { break-inside: avoid; } h2 { break-after: avoid; }
  .figures { grid-template-columns: 1fr 1fr; gap: 1rem; } details:not([open]) { display: none; } }
"""
)


def table_lines(table: Printed) -> Iterator[str]:
    """Yield the lines of a table: best values in bold, significance as a dagger."""
    shown = ' class="n"'
    yield "<table>"
    heads = (
        f'<th scope="col"{shown * right}>{escape(text)}</th>'
        for text, right in zip(table.headings, table.right, strict=True)
    )
    yield f"<thead><tr>{''.join(heads)}</tr></thead>"
    yield "<tbody>"
    for row, cells in enumerate(table.rows):
        yield f"<tr>{''.join(_cell(table, (row, column), text) for column, text in enumerate(cells))}</tr>"
    yield "</tbody>"
    yield "</table>"


def html_lines(
    report: Report, pictures: Sequence[FigureSvg] = (), decimals: int = 4
) -> Iterator[str]:
    """Yield the lines of a page: the tables that are read, the pictures, then those in which something is looked up, folded."""
    title = escape(report.title)
    yield '<!DOCTYPE html>\n<html lang="en">\n<head>\n<meta charset="utf-8">'
    yield f'<meta http-equiv="Content-Security-Policy" content="{REPORT_POLICY}">'
    yield f'<meta name="viewport" content="width=device-width, initial-scale=1">\n<title>{title}</title>'
    yield f"<style>\n{STYLE}</style>\n</head>\n<body>\n<main>\n<h1>{title}</h1>"
    for table in (each for each in report.tables if not each.detail):
        yield from _section(table, decimals)
        if table is report.tables[0] and pictures:
            yield from _figures(pictures)
    for table in (each for each in report.tables if each.detail):
        yield from _folded(table, decimals)
    yield "</main>\n</body>\n</html>"


def _section(table: ReportTable, decimals: int) -> Iterator[str]:
    yield f"<section>\n<h2>{escape(table.title)}</h2>"
    yield from _inside(table, decimals)
    yield "</section>"


def _folded(table: ReportTable, decimals: int) -> Iterator[str]:
    yield f"<details>\n<summary>{escape(table.title)}</summary>"
    yield from _inside(table, decimals)
    yield "</details>"


def _inside(table: ReportTable, decimals: int) -> Iterator[str]:
    printed = table.printed(decimals)
    many = " many" * (len(printed.headings) > MANY)
    if table.lead:
        yield f'<p class="lead">{escape(table.lead)}</p>'
    yield f'<div class="wide{many}">'
    yield from table_lines(printed)
    yield "</div>"
    for note in printed.notes:
        yield f"<p>{escape(note)}</p>"


def _figures(pictures: Sequence[FigureSvg]) -> Iterator[str]:
    yield '<section>\n<h2>Figures</h2>\n<div class="figures">'
    for picture in pictures:
        yield "<figure>\n<picture>"
        yield f'<source media="screen and (prefers-color-scheme: dark)" srcset="{_inline(picture.dark)}">'
        yield f'<img src="{_inline(picture.light)}" alt="{escape(f"{picture.title}. {picture.caption}")}">\n</picture>\n</figure>'
    yield "</div>\n</section>"


def _inline(svg: bytes) -> str:
    return f"data:image/svg+xml;base64,{base64.b64encode(svg).decode()}"


def _cell(table: Printed, place: tuple[int, int], text: str) -> str:
    names = [
        name
        for name, holds in (("n", table.right[place[1]]), ("best", place in table.best))
        if holds
    ]
    shown = f' class="{" ".join(names)}"' if names else ""
    made = escape("−" + text[1:] if table.right[place[1]] and text.startswith("-") else text)
    mark = f"<sup>{MARK}</sup>" if place in table.marked else ""
    return f"<td{shown}>{made}{mark}</td>"
