"""Explanations of values as text: the ranking, the steps of the calculation, and the value."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from rich.cells import cell_len, chop_cells, set_cell_size

from irjudge.errors import IrjudgeError
from irjudge.evaluation import (
    Explanation,
    Policy,
    TopicPolicy,
    explain_value,
    find_topic,
    parse_measures,
)
from irjudge.formats import read_qrels, read_run
from irjudge.message import Message, escape_control_characters, format_count
from irjudge.metrics import (
    MIN_DECIMAL_VALUE,
    PARAMETER_SYMBOLS,
    Cell,
    Profile,
    format_number,
    format_value,
)
from irjudge.model import UNJUDGEABLE, UNJUDGED, Qrels, Run, Ties, with_query_ids

if TYPE_CHECKING:
    import pandas as pd

DEFAULT_WIDTH = 100
COLUMN_GAP = INDENT = "  "
# maximum length of a ranking that is shown completely; a longer ranking is reduced to hits and the
# first and last rank
MAX_WHOLE_RANKING = 15
# number of first hits and number of last hits that are shown; the hits between them are omitted
FIRST_HITS, LAST_HITS = 25, 3
MIN_DOCUMENT_WIDTH = 12
DOCUMENT_INDEX, GRADE_INDEX = 1, 2


@dataclass(frozen=True, slots=True)
class TrecEvalDefault:
    """Row of a table that compares a default of irjudge with that of trec_eval.

    `option` is the command-line option, or the name of a measure, with which irjudge behaves like
    trec_eval; if the defaults are the same, like trec_eval with the option named in the row.
    """

    subject: str
    irjudge_default: str
    trec_eval_default: str
    option: str
    measures: tuple[str, ...] = ()  # names of the measures that the default affects; empty for all


# The guide on differences from trec_eval repeats this table.
TREC_EVAL_DEFAULTS = (
    TrecEvalDefault(
        Message("ties"),
        Message("descending by score, then by document id; scores in double precision"),
        Message("the same as in irjudge; version 9 compares scores in single precision"),
        "--profile trec_eval-9",
    ),
    TrecEvalDefault(
        Message("topics"),
        Message("topics in both qrels and run"),
        Message(
            "the same as in irjudge; with -c, all topics of the qrels, and a topic missing "
            "from the run scores 0"
        ),
        "--topics qrels",
    ),
    TrecEvalDefault(
        Message("relevant"),
        Message("grade 1 or more"),
        Message("the same as in irjudge; with -l N, grade N or more"),
        "--rel N",
    ),
    TrecEvalDefault(
        Message("gains"),
        Message("the grade, divided by log2(rank + 1)"),
        Message("the same as in irjudge; with -m ndcg.1=3,2=9, the gains given there"),
        "nDCG(gain=1:3/2:9)",
        ("DCG", "nDCG", "CG", "RnDCG"),
    ),
    TrecEvalDefault(
        Message("recall levels"),
        Message("the smallest count that is at least x·R"),
        Message("floor(x·R + 0.9) in version 9, x·R rounded in version 10"),
        "--profile trec_eval-9, --profile trec_eval-10",
        ("IPrec", "11ptAP", "RprecMult"),
    ),
    TrecEvalDefault(
        Message("rank-biased precision"),
        Message("p = 0.8; each document is either relevant or not relevant"),
        Message("p = 0.9; grades are divided by the highest grade of the topic"),
        "--profile trec_eval-10",
        ("RBP", "RBPResid"),
    ),
)


def compare_with_trec_eval(measures: Sequence[str] = ()) -> list[tuple[str, str, str, str]]:
    """Return rows: subject, irjudge's default, trec_eval's default, option to use trec_eval's.

    If `measures` are given, rows that affect none of them are omitted.

    >>> [row[0] for row in compare_with_trec_eval(["AP"])]
    ['ties', 'topics', 'relevant']
    """
    return [
        (default.subject, default.irjudge_default, default.trec_eval_default, default.option)
        for default in TREC_EVAL_DEFAULTS
        if not measures or not default.measures or {*measures} & {*default.measures}
    ]


def explain(
    qrels: "Qrels | Path | str | Mapping[Any, Mapping[Any, int]] | pd.DataFrame",
    run: "Run | Path | str | Mapping[Any, Mapping[Any, float]] | pd.DataFrame",
    topic: str,
    measure: str,
    *,
    ties: Ties = "trec",
    topics: TopicPolicy = "both",
    rel: int = 1,
    profile: Profile = "irjudge",
    depth: int | None = None,
    highest: int | None = None,
) -> str:
    """Return a text that explains how a run's value for a topic is calculated.

    The text has at most 100 columns, and its last line ends with the value. `measure` may contain
    several measures, separated by spaces.

    Examples
    --------
    >>> from irjudge.model import make_qrels, make_run
    >>> print(explain(make_qrels([("1", "y", 1)]), make_run("a", [("1", "x", 2.0), ("1", "y", 1.0)]), "1", "P@2"))
    P@2 of topic 1, run a
    Precision: relevant documents in the top k / k; k = 2
    <BLANKLINE>
    rank  document  grade     found     P@r
       1  x         unjudged      0  0.0000
       2  y         1             1  0.5000
    <BLANKLINE>
    Relevant: grade 1 or more.
    k = 2: ranks 1 to 2 are used.
    P@2 = relevant in the top 2 / 2 = 1 / 2 = 0.5000
    P@2 = 0.5
    """
    policy = Policy(ties, topics, rel, profile, depth, highest=highest)
    parsed_measures = parse_measures(measure.split(), rel, profile)
    qrels_data = read_qrels(qrels)
    ranking, topic = with_query_ids(read_run(run), qrels_data), find_topic(str(topic), qrels_data)
    return "\n\n".join(
        explanation_text(explain_value(qrels_data, ranking, topic, parsed_measure, policy))
        for parsed_measure in parsed_measures
    )


def explanation_text(explanation: Explanation, *, width: int = DEFAULT_WIDTH) -> str:
    """Return an explanation as lines of at most `width` columns."""
    lines = [
        f"{explanation.measure.name} of topic {explanation.example.topic}, run {explanation.example.run}",
        _format_definition(explanation),
        "",
    ]
    if explanation.example.documents:
        lines += [*_iter_ranking_lines(explanation, width), ""]
    else:
        lines += ["Nothing was retrieved.", ""]
    lines += [*explanation.worked_example.steps, explanation.result]
    return "\n".join(part for line in lines for part in _wrap_line(line, width))


def _format_definition(explanation: Explanation) -> str:
    """Return a measure's title, formula and parameters.

    The lowest relevant grade is omitted, since a step of the calculation states it.
    """
    declaration = explanation.measure.declaration
    values = [
        f"{PARAMETER_SYMBOLS.get(name, name)} = {format_value(value)}"
        for name, value in explanation.measure.parameters
        if value is not None and name != "rel"
    ]
    formula = explanation.measure.select_variants(declaration.formula)
    return "; ".join([f"{declaration.title}: {formula}", *values])


def _wrap_line(line: str, width: int) -> list[str]:
    """Wrap a line at spaces; a word that is longer than a line is wrapped at any character.

    A wide character, such as a Chinese character, has the width of two columns.
    """
    line = escape_control_characters(line)
    if cell_len(line) <= width:
        return [line]
    lines, current_line = [], ""
    for piece in (
        piece for word in line.split(" ") for piece in chop_cells(word, width - len(INDENT))
    ):
        if current_line.strip() and cell_len(current_line) + 1 + cell_len(piece) > width:
            lines.append(current_line)
            current_line = INDENT
        current_line = f"{current_line} {piece}" if current_line.strip() else current_line + piece
    return [*lines, current_line]


# The ranking in an explanation


def _iter_ranking_lines(explanation: Explanation, width: int) -> Iterator[str]:
    rows = list(
        zip(
            *(
                format_column(index, cells)
                for index, cells in enumerate(zip(*explanation.rows(), strict=True))
            ),
            strict=True,
        )
    )
    shown_ranks = list(_iter_shown_ranks(explanation, len(rows)))
    visible_rows = [rows[rank - 1] for rank in shown_ranks if isinstance(rank, int)]
    lines = [explanation.columns, *visible_rows]
    widths = [
        max((cell_len(line[index]) for line in lines), default=0)
        for index in range(len(explanation.columns))
    ]
    other_widths = sum(widths) - widths[1] + cell_len(COLUMN_GAP) * (len(widths) - 1)
    widths[1] = min(widths[1], max(MIN_DOCUMENT_WIDTH, width - other_widths))
    yield _format_row(explanation.columns, widths)
    for shown_rank in shown_ranks:
        yield (
            _format_row(rows[shown_rank - 1], widths) if isinstance(shown_rank, int) else shown_rank
        )
    remaining = len(explanation.example.documents) - len(rows)
    if remaining:
        yield f"{'…':>{widths[0]}}{COLUMN_GAP}{format_count(remaining, 'document')} below rank {len(rows)} that the measure does not look at"


def _iter_shown_ranks(explanation: Explanation, count: int) -> Iterator[int | str]:
    """Yield the ranks to show and, in place of each range of omitted ranks, a line of text."""
    hits = sorted(rank for rank in explanation.worked_example.hits if rank <= count)
    ranks = set(
        hits if len(hits) <= FIRST_HITS + LAST_HITS else hits[:FIRST_HITS] + hits[-LAST_HITS:]
    )
    ranks |= {1, count} if explanation.worked_example.rows else {1}
    previous_rank = 0
    for rank in [
        *(range(1, count + 1) if count <= MAX_WHOLE_RANKING else sorted(ranks)),
        count + 1,
    ]:
        if rank - previous_rank == 2 and rank <= count:
            yield rank - 1
        elif rank - previous_rank > 1:
            yield _format_omission_line(
                rank - previous_rank - 1,
                sum(previous_rank < hit < rank for hit in hits),
                len(str(count)),
            )
        if rank <= count:
            yield rank
        previous_rank = rank


def _format_omission_line(count: int, hit_count: int, rank_width: int) -> str:
    text = (
        f"{hit_count:,} more relevant"
        if hit_count == count
        else f"{format_count(count, 'document')}{f', {hit_count:,} of them relevant' if hit_count else ', none relevant'}"
    )
    return f"{'…':>{max(len('rank'), rank_width)}}{COLUMN_GAP}{text}"


def format_column(column: int, cells: Sequence[Cell]) -> list[str]:
    """Return the cells of column number `column` as strings.

    Numbers have four decimals unless all of them are integers.
    """
    if column == GRADE_INDEX:
        labels: dict[Cell, str] = {
            None: "unjudged",
            UNJUDGED: "unjudged",
            UNJUDGEABLE: "unjudgeable",
        }
        return [labels.get(cell, str(cell)) for cell in cells]
    has_fractions = any(isinstance(cell, float) and cell != round(cell) for cell in cells)
    return [_format_cell(cell, has_fractions) for cell in cells]


def _format_cell(cell: Cell, has_fractions: bool) -> str:
    if isinstance(cell, float):
        return (
            f"{cell:.4f}"
            if has_fractions and (cell == round(cell) or abs(cell) >= MIN_DECIMAL_VALUE)
            else format_number(cell)
        )
    return "" if cell is None else escape_control_characters(str(cell))


def _format_row(cells: Sequence[str], widths: Sequence[int]) -> str:
    """Return a row as a line of text, with cells shortened and padded to their widths.

    Document ids and grades are left-aligned, other columns right-aligned.
    """
    parts = []
    for index, (cell, width) in enumerate(zip(cells, widths, strict=True)):
        if cell_len(cell) > width:
            half_width = (width - 1) // 2
            cell = f"{set_cell_size(cell, width - 1 - half_width).rstrip()}…{cell[-half_width:]}"
            cell = set_cell_size(cell, width)
        padding = " " * (width - cell_len(cell))
        parts.append(cell + padding if index in (DOCUMENT_INDEX, GRADE_INDEX) else padding + cell)
    return COLUMN_GAP.join(parts).rstrip()


def require_single_explanation(explanations: Sequence[Explanation]) -> Explanation:
    """Return the only explanation; raise IrjudgeError if there are several.

    A table cannot contain several explanations, since their columns differ.
    """
    if len(explanations) != 1:
        raise IrjudgeError(
            "A table can explain only one measure, got {count} ({names}); use --format text to "
            "explain several measures.",
            count=len(explanations),
            names=", ".join(explanation.measure.name for explanation in explanations),
        )
    return explanations[0]
