"""Tables in LaTeX, ruled by the package booktabs; whatever an id contains is text."""

import re
from collections.abc import Iterator

from irjudge.report.contents import Report
from irjudge.report.word_tables import Printed

SIGNS = {
    "\\": r"\textbackslash{}",
    "^": r"\textasciicircum{}",
    "~": r"\textasciitilde{}",
    "<": r"\textless{}",
    ">": r"\textgreater{}",
    "|": r"\textbar{}",
    '"': r"\char34{}",  # some languages give the plain sign a meaning of its own
    "'": r"\char39{}",
    "`": r"\char96{}",
    "[": "{[}",  # after \\ and \item a bracket begins an option
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
# Two hyphens or commas would be joined to another sign.
SIGN = re.compile("|".join(["(?<=-)-", "(?<=,),", *map(re.escape, SIGNS)]))
DAGGER = r"$^{\dagger}$"
WIDE = 9  # columns: more are made to fit the width of the text
HEAD = (
    "% Tables for \\input. The preamble needs \\usepackage{booktabs,graphicx}.",
    "% Letters beyond Latin ones need XeLaTeX or LuaLaTeX and a font that has them.",
)


def escaped(text: str) -> str:
    r"""Return a text that LaTeX prints as it is.

    >>> print(escaped("50 % of a_b & {c}"))
    50 \% of a\_b \& \{c\}
    """
    return SIGN.sub(lambda found: SIGNS.get(found[0], "{}" + found[0]), text)


def tabular(table: Printed) -> Iterator[str]:
    """Yield the lines of a table alone: best values in bold, significance as a dagger."""
    yield f"\\begin{{tabular}}{{{''.join('r' if each else 'l' for each in table.right)}}}"
    yield r"\toprule"
    yield " & ".join(map(escaped, table.headings)) + r" \\"
    yield r"\midrule"
    for row, cells in enumerate(table.rows):
        yield (
            " & ".join(_cell(table, (row, column), text) for column, text in enumerate(cells))
            + r" \\"
        )
    yield r"\bottomrule"
    yield r"\end{tabular}"


def latex_lines(report: Report, decimals: int = 4) -> Iterator[str]:
    """Yield the lines of a report: a floating table each, words as lists; tables to look something up in are for other forms."""
    yield f"% {' '.join(report.title.split())}"
    yield from HEAD
    for table in report.tables:
        if any(column.kind == "words" for column in table.columns):
            yield from _listed(table.printed(decimals), table.lead)
        elif not table.detail:
            yield from _floating(table.printed(decimals))


def _floating(table: Printed) -> Iterator[str]:
    yield ""
    yield r"\begin{table}"
    yield r"\centering"
    yield f"\\caption{{{escaped(table.title)}}}"
    wide = len(table.headings) > WIDE
    yield from ([r"\resizebox{\linewidth}{!}{%"] if wide else [])
    yield from tabular(table)
    yield from (["}"] if wide else [])
    for note in table.notes:
        yield r"\par\smallskip\footnotesize " + escaped(note)
    yield r"\end{table}"


def _listed(table: Printed, lead: str) -> Iterator[str]:
    """Yield a table of words as a list: what each row is about, and what is said of it."""
    yield ""
    yield f"\\paragraph{{{escaped(table.title)}}}" + (" " + escaped(lead)) * bool(lead)
    yield r"\begin{description}"
    for name, *rest in table.rows:
        yield f"\\item[{escaped(name)}] " + " ".join(
            escaped(text if text[-1] in ".;" else text + ".") for text in rest if text
        )
    yield r"\end{description}"


def _cell(table: Printed, place: tuple[int, int], text: str) -> str:
    number = table.right[place[1]] and text.startswith("-")
    made = "$-$" + escaped(text[1:]) if number else escaped(text)
    made = f"\\textbf{{{made}}}" if place in table.best else made
    return made + DAGGER if place in table.marked else made
