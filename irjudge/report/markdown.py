"""Tables in Markdown, as GitHub and most editors read them; whatever an id contains is text."""

import re
from collections.abc import Iterable, Iterator

from irjudge.report.contents import MARK, Report
from irjudge.report.printed import Printed

SIGN = re.compile(r"[\\`*_\[\]<>|~&$!#]")


def escaped(text: str) -> str:
    r"""Return a text that Markdown shows as it is, in a cell or outside.

    Examples
    --------
    >>> print(escaped("a|b *c*"))
    a\|b \*c\*
    """
    return SIGN.sub(r"\\\g<0>", text)


def table_lines(table: Printed) -> Iterator[str]:
    """Yield the lines of a table: best values in bold, significance as a dagger."""
    yield _row(map(escaped, table.headings))
    yield _row("---:" if right else "---" for right in table.right)
    for row, cells in enumerate(table.rows):
        yield _row(_cell(table, (row, column), text) for column, text in enumerate(cells))


def markdown_lines(report: Report, decimals: int = 4) -> Iterator[str]:
    """Yield the lines of a report: a heading, a table and its notes each."""
    yield f"# {escaped(report.title)}"
    for table in report.tables:
        yield from ("", f"## {escaped(table.title)}", "")
        printed = table.printed(decimals)
        yield from table_lines(printed)
        for note in printed.notes:
            yield from ("", escaped(note))


def _row(cells: Iterable[str]) -> str:
    return f"| {' | '.join(cells)} |"


def _cell(table: Printed, place: tuple[int, int], text: str) -> str:
    made = escaped(text)
    made = f"**{made}**" if place in table.best else made
    return made + MARK if place in table.marked else made
