"""Tables for the terminal and for other programs: aligned text, CSV, JSON, and what trec_eval prints."""

import csv
import io
import json
import re
from collections.abc import Iterable, Iterator, Sequence
from functools import lru_cache
from typing import Any, Literal, TextIO, TypeAlias, get_args

import numpy as np
from rich.cells import cell_len

from irjudge.errors import MeasureError
from irjudge.evaluation.table import ALL, Evaluation, RunScores
from irjudge.metrics.names import Measure, parse
from irjudge.metrics.parameters import Value
from irjudge.metrics.registry import SHIPPED, Alias, Declaration

Cell: TypeAlias = str | int | float | None
TableForm: TypeAlias = Literal["text", "csv", "json"]
TABLE_FORMS: tuple[TableForm, ...] = get_args(TableForm)

GAP = "  "
UNPRINTABLE = re.compile(r"[\x00-\x1f\x7f-\x9f\u2028\u2029\ud800-\udfff]")

# What trec_eval calls its measures. What each means is said by the aliases of ours: a word that is none of them names nothing here.
TREC_EVAL = (
    "num_q num_ret num_rel num_rel_ret num_nonrel_judged_ret map gm_map Rprec bpref gm_bpref recip_rank iprec_at_recall P recall infAP "
    "Rprec_mult utility 11pt_avg binG G ndcg ndcg_rel Rndcg ndcg_cut map_cut relative_P success set_P set_relative_P set_recall set_map "
    "set_F rbp rbp_resid unj yaap"
).split()


def write_table(columns: Sequence[str], rows: Iterable[Sequence[Cell]], form: TableForm, to: TextIO, *, decimals: int = 4) -> None:
    """Write rows to a stream.

    Parameters
    ----------
    columns
        Their names.
    rows
        As many cells as columns; None is an empty cell.
    form
        `text`: aligned, for people. `csv`: commas, `\\n` after each line, numbers in full. `json`: a list of objects, one a line,
        numbers in full, None as null.
    to
        Open for text; a file wants `newline=""` or `newline="\\n"`.
    decimals
        For `text`: how many are shown of numbers that are not whole by type.

    Examples
    --------
    >>> import sys
    >>> write_table(["run", "value"], [("a", 0.5), ("long", 12)], "text", sys.stdout)
    run    value
    a     0.5000
    long      12
    """
    if form == "text":
        _write_text(columns, rows, to, decimals)
    elif form == "csv":
        writer = csv.writer(_LineFeeds(to), lineterminator="\r\n")
        writer.writerow(columns)
        writer.writerows(map(_plain, row) for row in rows)
    else:
        _write_json(columns, rows, to)


def table_text(columns: Sequence[str], rows: Iterable[Sequence[Cell]], form: TableForm = "text", *, decimals: int = 4) -> str:
    """Return what `write_table` writes.

    Examples
    --------
    >>> table_text(["run", "value"], [("a", 0.1), ("=1+1", None)], "csv")
    'run,value\\na,0.1\\n=1+1,\\n'
    """
    text = io.StringIO()
    write_table(columns, rows, form, text, decimals=decimals)
    return text.getvalue()


def shown_value(measure: Measure, value: float) -> int | float:
    """Return a value as it is printed: counts as whole numbers."""
    return round(value) if measure.declaration.summary == "sum" else float(value)


class _LineFeeds:
    """Ends each row with a line feed alone. The writer must not know: it quotes a carriage return only where rows end with one."""

    def __init__(self, to: TextIO) -> None:
        self._to = to

    def write(self, row: str) -> None:
        self._to.write(row.removesuffix("\r\n") + "\n")


def _plain(cell: Any) -> Any:
    return cell.item() if isinstance(cell, np.generic) else cell


def _write_json(columns: Sequence[str], rows: Iterable[Sequence[Cell]], to: TextIO) -> None:
    before = "[\n"
    for row in rows:
        record = dict(zip(columns, map(_plain, row), strict=True))
        to.write(before + json.dumps(record, ensure_ascii=False, allow_nan=False))
        before = ",\n"
    to.write("[]\n" if before == "[\n" else "\n]\n")


# Text for people


def _write_text(columns: Sequence[str], rows: Iterable[Sequence[Cell]], to: TextIO, decimals: int) -> None:
    cells = [[_plain(cell) for cell in row] for row in rows]
    numeric = [_is_numeric([row[place] for row in cells]) for place in range(len(columns))]
    lines = [list(map(visible, columns)), *([_text(cell, decimals) for cell in row] for row in cells)]
    widths = [max(cell_len(line[place]) for line in lines) for place in range(len(columns))]
    for line in lines:
        padded = [_pad(text, width, right) for text, width, right in zip(line, widths, numeric, strict=True)]
        to.write(GAP.join(padded).rstrip(" ") + "\n")


def _is_numeric(cells: Sequence[Cell]) -> bool:
    filled = [cell for cell in cells if cell is not None]
    return bool(filled) and all(isinstance(cell, int | float) for cell in filled)


def _text(cell: Cell, decimals: int) -> str:
    if cell is None:
        return ""
    return f"{cell:z.{decimals}f}" if isinstance(cell, float) else visible(str(cell))


def _pad(text: str, width: int, right: bool) -> str:
    room = " " * (width - cell_len(text))
    return room + text if right else text + room


def visible(text: str) -> str:
    """Return a text with control characters spelt out: a stranger's id must neither break lines nor command the terminal.

    Examples
    --------
    >>> visible("d\\x1b[2J")
    'd\\\\x1b[2J'
    """
    return UNPRINTABLE.sub(lambda match: match[0].encode("unicode_escape").decode(), text)


# What trec_eval prints


def write_trec(evaluation: Evaluation, to: TextIO, *, per_topic: bool = False) -> None:
    """Write an evaluation as trec_eval prints it: measure, topic, value.

    Parameters
    ----------
    evaluation
        Where it has several runs, a line `runid` begins each.
    to
        Open for text.
    per_topic
        Each topic's values before those of all.
    """
    for run in evaluation.runs:
        if len(evaluation.runs) > 1:
            to.write(f"{'runid':<22}\t{ALL}\t{visible(run.run)}\n")
        for measure, topic, value in _trec_rows(evaluation, run, per_topic):
            to.write(trec_line(measure, topic, value, rel=evaluation.policy.rel))


def _trec_rows(evaluation: Evaluation, run: RunScores, per_topic: bool) -> Iterator[tuple[Measure, str, float]]:
    if per_topic:
        # What is 1 for each topic is said of all of them only.
        shown = [(place, measure) for place, measure in enumerate(evaluation.measures) if measure.declaration.bounds != (1, 1)]
        for column, topic in enumerate(run.topics):
            yield from ((measure, topic, float(run.values[place, column])) for place, measure in shown)
    yield from ((measure, ALL, float(value)) for measure, value in zip(evaluation.measures, run.summary, strict=True))


def trec_line(measure: Measure, topic: str, value: float, *, rel: int = 1) -> str:
    """Return one line as trec_eval prints it: counts as whole numbers, others with four decimals.

    Examples
    --------
    >>> (measure,) = parse("map")
    >>> trec_line(measure, "all", 0.17846)
    'map                   \\tall\\t0.1785\\n'
    """
    shown = shown_value(measure, value)
    number = f"{shown:d}" if isinstance(shown, int) else f"{shown:6.4f}"
    return f"{trec_name(measure, rel):<22}\t{topic}\t{number}\n"


@lru_cache(maxsize=1024)
def trec_name(measure: Measure, rel: int = 1) -> str:
    """Return trec_eval's name of a measure, or ours where trec_eval has none.

    Parameters
    ----------
    measure
        With its parameters.
    rel
        The lowest relevant grade of the whole evaluation (trec_eval's option `-l`), which its names do not tell.

    Examples
    --------
    >>> [trec_name(parse(name)[0]) for name in ("AP", "P@5", "nDCG@10", "RR", "IPrec@0.1", "nDCG(gain=exp2)")]
    ['map', 'P_5', 'ndcg_cut_10', 'recip_rank', 'iprec_at_recall_0.10', 'nDCG(gain=exp2)']
    """
    for word in TREC_EVAL:
        declaration, alias = SHIPPED.names.get(word.lower(), (None, None))
        if declaration is measure.declaration and declaration and alias:
            name = word + _suffix(declaration, alias, measure.values)
            if _means(name, rel) == measure:
                return name
    return measure.name


def _suffix(declaration: Declaration, alias: Alias, values: dict[str, Value]) -> str:
    """Return what stands behind trec_eval's word where it takes a cutoff or a level."""
    value = values.get(declaration.at) if declaration.at else None
    if value is None or not (alias.bare or declaration.at_required):
        return ""
    return f"_{value:.2f}" if isinstance(value, float) else f"_{value}"


def _means(name: str, rel: int) -> Measure | None:
    """Return the measure that a name means; None where it means none or several."""
    try:
        found = parse(name, rel=rel)
    except MeasureError:
        return None
    return found[0] if len(found) == 1 else None
