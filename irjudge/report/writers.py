"""Writing of reports and tables as HTML, LaTeX, Markdown, CSV and text for the clipboard."""

import base64
import csv
import io
import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from html import escape
from pathlib import Path
from typing import Literal, TypeAlias, get_args

from irjudge.errors import IrjudgeError
from irjudge.evaluation import Evaluation
from irjudge.formats.bytes import replace_file
from irjudge.formats.rows import escape_formula
from irjudge.judging import list_norming_sessions
from irjudge.message import Message, escape_control_characters
from irjudge.palette import DARK, LIGHT, Palette
from irjudge.progress import SILENT, Progress
from irjudge.report.contents import (
    SIGNIFICANCE_MARK,
    Method,
    PrintedTable,
    Report,
    ReportContent,
    ReportTable,
    build_report,
    compare_all_runs,
    correlate_measures,
)
from irjudge.report.figures import (
    DARK_FIGURE,
    LIGHT_FIGURE,
    Chart,
    FigureOptions,
    catalogue,
    render_figure,
)
from irjudge.report.tables import write_table
from irjudge.report.workbook import is_count
from irjudge.stats import Sampling
from irjudge.store import Project
from irjudge.web import REPORT_POLICY

# Figures of a report, in light and dark colours


@dataclass(frozen=True, slots=True)
class FigureSvg:
    """Figure of a report as SVG files in light and dark colours.

    The image contains the title and the caption. They are also stored as text, as a description of
    the image in the HTML page.
    """

    title: str
    caption: str
    light: bytes
    dark: bytes


def draw_figures(evaluation: Evaluation, progress: Progress = SILENT) -> tuple[FigureSvg, ...]:
    """Draw each figure whose input is an evaluation, with as many measures as it can show.

    Measures that are counts are excluded. A figure is omitted if there are too few runs, topics or
    measures for it.
    """
    evaluation_without_counts = evaluation.select_measures(
        [measure for measure in evaluation.measures if not is_count(measure)]
    )
    charts = (
        list(_iter_figure_charts(evaluation_without_counts))
        if any(run.topics for run in evaluation_without_counts.runs)
        else []
    )
    return tuple(
        FigureSvg(
            chart.title,
            chart.caption,
            *(render_figure(chart, "svg", colours) for colours in (LIGHT_FIGURE, DARK_FIGURE)),
        )
        for chart in progress.track(charts, "Drawing figures", total=len(charts), every=1)
    )


def _iter_figure_charts(evaluation: Evaluation) -> Iterator[Chart]:
    for figure in catalogue():
        min_measures, max_measures = figure.measures
        if figure.input_kind == "values" and len(evaluation.measures) >= max(1, min_measures):
            # no message for a figure that cannot be drawn, since the user did not request it
            with suppress(IrjudgeError):
                yield figure.chart(
                    evaluation.select_measures(evaluation.measures[:max_measures]), FigureOptions()
                )


# Self-contained HTML reports and tables

# maximum number of columns of a table in normal font size; wider tables are printed smaller
MAX_NORMAL_COLUMNS = 9
COLOURS = {
    "page": "window",
    "card": "surface",
    "line": "line",
    "text": "text",
    "quiet": "quiet",
    "accent": "accent",
}


def _format_colour_variables(palette: Palette, best_colour: str) -> str:
    return (
        "".join(
            f"--{name}: {getattr(palette, colour).lower()}; " for name, colour in COLOURS.items()
        )
        + f"--best: {best_colour};"
    )


# Dark colours are set by a media query, because older browsers do not support CSS `light-dark()`.
STYLE = (
    f"""\
:root {{ color-scheme: light dark; {_format_colour_variables(LIGHT, "#e4eff6")} }}
@media screen and (prefers-color-scheme: dark) {{ :root {{ {_format_colour_variables(DARK, "#22384a")} }} }}
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


def table_lines(table: PrintedTable) -> Iterator[str]:
    """Yield the lines of a table in HTML; best values are bold, marked cells have a dagger."""
    class_attribute = ' class="n"'
    yield "<table>"
    heading_cells = (
        f'<th scope="col"{class_attribute * is_right}>{escape(text)}</th>'
        for text, is_right in zip(table.headings, table.right_aligned, strict=True)
    )
    yield f"<thead><tr>{''.join(heading_cells)}</tr></thead>"
    yield "<tbody>"
    for row, cells in enumerate(table.rows):
        yield f"<tr>{''.join(_format_html_cell(table, (row, column), text) for column, text in enumerate(cells))}</tr>"
    yield "</tbody>"
    yield "</table>"


def html_lines(
    report: Report, pictures: Sequence[FigureSvg] = (), decimals: int = 4
) -> Iterator[str]:
    """Yield the lines of a report as an HTML page.

    The page contains the main tables, `pictures`, and the tables of details, which are collapsed.
    """
    title = escape(report.title)
    yield '<!DOCTYPE html>\n<html lang="en">\n<head>\n<meta charset="utf-8">'
    yield f'<meta http-equiv="Content-Security-Policy" content="{REPORT_POLICY}">'
    yield f'<meta name="viewport" content="width=device-width, initial-scale=1">\n<title>{title}</title>'
    yield f"<style>\n{STYLE}</style>\n</head>\n<body>\n<main>\n<h1>{title}</h1>"
    for table in (table for table in report.tables if not table.has_details):
        yield f"<section>\n<h2>{escape(table.title)}</h2>"
        yield from _format_table_with_notes(table, decimals)
        yield "</section>"
        if table is report.tables[0] and pictures:
            yield '<section>\n<h2>Figures</h2>\n<div class="figures">'
            for picture in pictures:
                yield "<figure>\n<picture>"
                yield f'<source media="screen and (prefers-color-scheme: dark)" srcset="{_make_data_uri(picture.dark)}">'
                yield f'<img src="{_make_data_uri(picture.light)}" alt="{escape(f"{picture.title}. {picture.caption}")}">\n</picture>\n</figure>'
            yield "</div>\n</section>"
    for table in (table for table in report.tables if table.has_details):
        yield f"<details>\n<summary>{escape(table.title)}</summary>"
        yield from _format_table_with_notes(table, decimals)
        yield "</details>"
    yield "</main>\n</body>\n</html>"


def _format_table_with_notes(table: ReportTable, decimals: int) -> Iterator[str]:
    printed_table = table.format_rows(decimals)
    size_class = " many" * (len(printed_table.headings) > MAX_NORMAL_COLUMNS)
    if table.introduction:
        yield f'<p class="lead">{escape(table.introduction)}</p>'
    yield f'<div class="wide{size_class}">'
    yield from table_lines(printed_table)
    yield "</div>"
    yield from (f"<p>{escape(note)}</p>" for note in printed_table.notes)


def _make_data_uri(svg: bytes) -> str:
    return f"data:image/svg+xml;base64,{base64.b64encode(svg).decode()}"


def _format_html_cell(table: PrintedTable, cell: tuple[int, int], text: str) -> str:
    names = [
        name
        for name, is_applied in (
            ("n", table.right_aligned[cell[1]]),
            ("best", cell in table.best_cells),
        )
        if is_applied
    ]
    class_attribute = f' class="{" ".join(names)}"' if names else ""
    content = escape(
        "−" + text[1:] if table.right_aligned[cell[1]] and text.startswith("-") else text
    )
    mark = f"<sup>{SIGNIFICANCE_MARK}</sup>" if cell in table.marked_cells else ""
    return f"<td{class_attribute}>{content}{mark}</td>"


# LaTeX tables with booktabs rules; ids are escaped

LATEX_ESCAPES = {
    "\\": r"\textbackslash{}",
    "^": r"\textasciicircum{}",
    "~": r"\textasciitilde{}",
    "<": r"\textless{}",
    ">": r"\textgreater{}",
    "|": r"\textbar{}",
    '"': r"\char34{}",  # a shorthand character of the LaTeX package babel
    "'": r"\char39{}",
    "`": r"\char96{}",
    "[": "{[}",  # after \\ or \item, a bracket would begin an optional argument
    "]": "{]}",
    "*": "{*}",
    "−": "$-$",
    "±": r"$\pm$",
    "×": r"$\times$",
    "≤": r"$\leq$",
    "≥": r"$\geq$",
    "√": r"$\surd$",
    "Σ": r"$\Sigma$",
    "α": r"$\alpha$",
    "†": r"$^{\dagger}$",
    "…": r"\ldots{}",
    "–": "--",
    **{sign: f"\\{sign}" for sign in "{}$&#%_"},
}
# Two hyphens or two commas are separated, since LaTeX would combine them into another character.
LATEX_SPECIAL_PATTERN = re.compile("|".join(["(?<=-)-", "(?<=,),", *map(re.escape, LATEX_ESCAPES)]))
LATEX_DAGGER = r"$^{\dagger}$"
# maximum number of columns of a table that is not scaled; wider tables are scaled to the text width
MAX_TEXT_WIDTH_COLUMNS = 9
LATEX_PREAMBLE_NOTE = (
    "% Tables for \\input. The preamble needs \\usepackage{booktabs,graphicx}.",
    "% Non-Latin characters need XeLaTeX or LuaLaTeX and a suitable font.",
)


def escape_latex(text: str) -> str:
    r"""Escape text for LaTeX.

    >>> print(escape_latex("50 % of a_b & {c}"))
    50 \% of a\_b \& \{c\}
    """
    return LATEX_SPECIAL_PATTERN.sub(
        lambda match: LATEX_ESCAPES.get(match[0], "{}" + match[0]), text
    )


def tabular(table: PrintedTable) -> Iterator[str]:
    """Yield the lines of a LaTeX `tabular` with booktabs rules.

    Best values are bold; marked cells have a dagger.
    """
    yield f"\\begin{{tabular}}{{{''.join('r' if is_right else 'l' for is_right in table.right_aligned)}}}"
    yield r"\toprule"
    yield " & ".join(map(escape_latex, table.headings)) + r" \\"
    yield r"\midrule"
    for row, cells in enumerate(table.rows):
        yield (
            " & ".join(
                _format_latex_cell(table, (row, column), text) for column, text in enumerate(cells)
            )
            + r" \\"
        )
    yield r"\bottomrule"
    yield r"\end{tabular}"


def latex_lines(report: Report, decimals: int = 4) -> Iterator[str]:
    """Yield the lines of a report in LaTeX.

    A table with columns of text is written as a list. Other tables are written as floats, except
    tables of details, which are omitted.
    """
    yield f"% {' '.join(report.title.split())}"
    yield from LATEX_PREAMBLE_NOTE
    for table in report.tables:
        if any(column.kind == "words" for column in table.columns):
            yield from _iter_latex_list(table.format_rows(decimals), table.introduction)
        elif not table.has_details:
            yield from _format_float(table.format_rows(decimals))


def _format_float(table: PrintedTable) -> Iterator[str]:
    yield ""
    yield r"\begin{table}"
    yield r"\centering"
    yield f"\\caption{{{escape_latex(table.title)}}}"
    is_wide = len(table.headings) > MAX_TEXT_WIDTH_COLUMNS
    yield from ([r"\resizebox{\linewidth}{!}{%"] if is_wide else [])
    yield from tabular(table)
    yield from (["}"] if is_wide else [])
    for note in table.notes:
        yield r"\par\smallskip\footnotesize " + escape_latex(note)
    yield r"\end{table}"


def _iter_latex_list(table: PrintedTable, introduction: str) -> Iterator[str]:
    """Yield the lines of a table of texts as a LaTeX list, with an item for each row."""
    yield ""
    yield f"\\paragraph{{{escape_latex(table.title)}}}" + (" " + escape_latex(introduction)) * bool(
        introduction
    )
    yield r"\begin{description}"
    for name, *cells in table.rows:
        yield f"\\item[{escape_latex(name)}] " + " ".join(
            escape_latex(text if text[-1] in ".;" else text + ".") for text in cells if text
        )
    yield r"\end{description}"


def _format_latex_cell(table: PrintedTable, cell: tuple[int, int], text: str) -> str:
    is_negative = table.right_aligned[cell[1]] and text.startswith("-")
    content = "$-$" + escape_latex(text[1:]) if is_negative else escape_latex(text)
    content = f"\\textbf{{{content}}}" if cell in table.best_cells else content
    return content + LATEX_DAGGER if cell in table.marked_cells else content


# Reports by file extension, and tables in clipboard formats

COLUMNS = ("run", "measure", "topic", "value")
# ids that a spreadsheet program would read as numbers and display differently
REFORMATTED_NUMBER_PATTERN = re.compile(r"0\d+|\d+[eE]\d+|\d{16,}|\d+\.\d*0")
MAX_LISTED_IDS = 3


def write_long_form(
    path: Path, evaluation: Evaluation, progress: Progress = SILENT
) -> tuple[str, ...]:
    """Write each value by topic and each average as a row of a CSV file; return warnings.

    The columns are run, measure, topic and value. The file is written atomically.
    """
    total = len(evaluation.measures) * sum(len(run.topics) + 1 for run in evaluation.runs)
    # Names of runs may be file names that are not UTF-8, whose bytes are preserved.
    with (
        replace_file(path) as part,
        part.open("w", encoding="utf-8", errors="surrogateescape", newline="\n") as file,
    ):
        rows = progress.track(
            evaluation.rows(per_topic=True), f"Writing {path.name}", total=total, every=4096
        )
        write_table(COLUMNS, rows, "csv", file, for_spreadsheet=True)
    return spreadsheet_warnings((*(run.run for run in evaluation.runs), *evaluation.topics))


def spreadsheet_warnings(ids: Iterable[str]) -> tuple[str, ...]:
    """Return warnings about ids that were changed for spreadsheets or that spreadsheets change.

    >>> spreadsheet_warnings(["=1+1", "301"])
    ('A leading apostrophe was added to 1 id that a spreadsheet would read as a formula: =1+1.',)
    """
    ids = list(dict.fromkeys(ids))
    formulas = [identifier for identifier in ids if escape_formula(identifier) != identifier]
    numbers = [identifier for identifier in ids if REFORMATTED_NUMBER_PATTERN.fullmatch(identifier)]
    advice = "Import its column as text there, or write .xlsx."
    reading_text = "that a spreadsheet would read as"
    messages = (
        [
            f"A leading apostrophe was added to {_format_ids_with_problem(formulas, f'{reading_text} a formula', f'{reading_text} formulas')}."
        ]
        if formulas
        else []
    )
    messages += (
        [
            f"A spreadsheet would read {_format_ids_with_problem(numbers, 'as a number', 'as numbers')}. {advice}"
        ]
        if numbers
        else []
    )
    return tuple(messages)


def _format_ids_with_problem(ids: list[str], singular: str, plural: str) -> str:
    remaining_text = f" and {len(ids) - MAX_LISTED_IDS:,} more" if len(ids) > MAX_LISTED_IDS else ""
    ids_text = f"1 id {singular}" if len(ids) == 1 else f"{len(ids):,} ids {plural}"
    return f"{ids_text}: {', '.join(map(escape_control_characters, ids[:MAX_LISTED_IDS]))}{remaining_text}"


MARKDOWN_SPECIAL_PATTERN = re.compile(r"[\\`*_\[\]<>|~&$!#]")


def escape_markdown(text: str) -> str:
    r"""Escape text for Markdown, so that it can also be a cell of a table.

    >>> print(escape_markdown("a|b *c*"))
    a\|b \*c\*
    """
    return MARKDOWN_SPECIAL_PATTERN.sub(r"\\\g<0>", text)


def markdown_table_lines(table: PrintedTable) -> Iterator[str]:
    """Yield the lines of a table in Markdown.

    Best values are bold; marked cells have a dagger.
    """
    yield _format_markdown_row(map(escape_markdown, table.headings))
    yield _format_markdown_row("---:" if is_right else "---" for is_right in table.right_aligned)
    for row, cells in enumerate(table.rows):
        yield _format_markdown_row(
            _format_markdown_cell(table, (row, column), text) for column, text in enumerate(cells)
        )


def markdown_lines(report: Report, decimals: int = 4) -> Iterator[str]:
    """Yield the lines of a report in Markdown: for each table, its heading, cells and notes."""
    yield f"# {escape_markdown(report.title)}"
    for table in report.tables:
        yield from ("", f"## {escape_markdown(table.title)}", "")
        yield from ([escape_markdown(table.introduction), ""] if table.introduction else [])
        printed_table = table.format_rows(decimals)
        yield from markdown_table_lines(printed_table)
        for note in printed_table.notes:
            yield from ("", escape_markdown(note))


def _format_markdown_row(cells: Iterable[str]) -> str:
    return f"| {' | '.join(cells)} |"


def _format_markdown_cell(table: PrintedTable, cell: tuple[int, int], text: str) -> str:
    content = escape_markdown(text)
    content = f"**{content}**" if cell in table.best_cells else content
    return content + SIGNIFICANCE_MARK if cell in table.marked_cells else content


CopyFormat: TypeAlias = Literal["text", "csv", "markdown", "latex", "html"]
COPY_FORMATS: tuple[CopyFormat, ...] = get_args(CopyFormat)
Lines: TypeAlias = Callable[[Report, Progress], Iterator[str]]


def _format_html_page(report: Report, progress: Progress) -> Iterator[str]:
    return html_lines(report, draw_figures(report.evaluation, progress))


# Functions that yield the lines of a report, by file extension
REPORT_WRITERS: dict[str, Lines] = {
    ".html": _format_html_page,
    ".htm": _format_html_page,
    ".tex": lambda report, _progress: latex_lines(report),
    ".md": lambda report, _progress: markdown_lines(report),
}


def write_report(
    path: Path,
    evaluation: Evaluation,
    findings: ReportContent | None = None,
    progress: Progress = SILENT,
) -> tuple[str, ...]:
    """Write a report atomically, in the format of the file extension; return warnings."""
    if path.suffix == ".csv":
        return write_long_form(path, evaluation, progress)
    report_lines = REPORT_WRITERS[path.suffix]
    with replace_file(path) as part, part.open("w", encoding="utf-8", newline="\n") as file:
        for line in progress.track(
            report_lines(build_report(evaluation, findings, progress), progress),
            Message("Writing {file}", file=path.name),
        ):
            file.write(line + "\n")
    return ()


def collect_report_content(
    evaluation: Evaluation,
    titles: Mapping[str, str],
    metadata: Mapping[str, str],
    progress: Progress = SILENT,
    *,
    method: Method | None = None,
    project: Project | None = None,
) -> ReportContent:
    """Return the content that `write_report` needs in addition to the values of an evaluation.

    Comparisons of runs and correlations of measures are computed here; norming rounds are read from
    the project, if there is one.
    """
    comparison, notes = compare_all_runs(evaluation, progress)
    rounds = list_norming_sessions(project, sampling=Sampling(progress=progress)) if project else ()
    return ReportContent(
        comparison,
        correlate_measures(evaluation),
        titles=titles,
        metadata=metadata,
        notes=notes,
        method=method,
        rounds=rounds,
    )


def format_table(table: PrintedTable, copy_format: CopyFormat) -> str:
    r"""Format a table for the clipboard.

    The format `text` separates cells with tabs, as spreadsheet programs expect. In `text` and
    `csv`, an apostrophe is added before a cell that looks like a formula.

    >>> table = PrintedTable(("run", "AP"), (False, True), (("a|b", "0.5000"),))
    >>> format_table(table, "text"), format_table(table, "csv")
    ('run\tAP\na|b\t0.5000\n', 'run,AP\na|b,0.5000\n')
    """
    if copy_format in ("text", "csv"):
        stream = io.StringIO()
        writer = csv.writer(
            stream, "excel-tab" if copy_format == "text" else "excel", lineterminator="\n"
        )
        writer.writerow(table.headings)
        writer.writerows(
            [
                cell if is_right else escape_formula(cell)
                for cell, is_right in zip(row, table.right_aligned, strict=True)
            ]
            for row in table.rows
        )
        return stream.getvalue()
    lines = {"markdown": markdown_table_lines, "latex": tabular, "html": table_lines}[copy_format](
        table
    )
    return "\n".join(lines) + "\n"
