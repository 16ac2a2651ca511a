"""The worked sheet: one topic of one run, where P@k, AP, DCG and nDCG are computed from the grades by formulas."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from irjudge.evaluation.explain import explanation
from irjudge.evaluation.table import Evaluation, Policy
from irjudge.metrics.gains import Gain, discounts, gains
from irjudge.metrics.judged import divide
from irjudge.metrics.names import parse
from irjudge.metrics.working import Board, is_relevant
from irjudge.model.ranking import UNJUDGEABLE, Floats, Qrels, Run
from irjudge.report.sheets import Book, Formula, lay_out, write_formula

WORKED = "Worked"
CUTOFF = 10
GAINS: tuple[Gain, ...] = ("linear", "exp2")
RESULTS = ("P@k", "AP", "DCG@k", "nDCG@k", "DCG", "nDCG")
HOW_TO = (
    "Change a grade or another coloured cell, and all is computed anew. Gain: linear is the grade, exp2 is 2^grade − 1. "
    "A grade that is no number counts as unjudged."
)
MISSED = "not retrieved"

# Settings and results stand above the table and stay in sight. Rows from 0; the cells that formulas name count them from 1.
REL, CUT, GAIN = "$B$4", "$B$5", "$B$6"
RESULT_COLUMN, HOW_TO_ROW, HEADING = 4, 6, 7
FIRST = HEADING + 2  # of the table, from 1
ENTRY = {"bg_color": "#FFF4CC", "font_color": "#1F3FA8", "border": 1, "border_color": "#C9B458"}
HIT = {"bg_color": "#E3F1DD"}


@dataclass(frozen=True, slots=True)
class Worked:
    """What a worked sheet shows.

    Parameters
    ----------
    board
        The ranking with its grades, and the relevant documents that were not retrieved.
    title
        The topic's; empty when it is not known.
    rel, cutoff, gain
        The lowest relevant grade, k, and how much a grade gains, all of which may be changed on the sheet.
    values
        What the measures themselves give, in the order of `RESULTS`.
    """

    board: Board
    title: str
    rel: int
    cutoff: int
    gain: Gain
    values: tuple[float, ...]


def worked(
    qrels: Qrels, run: Run, topic: str, policy: Policy | None = None, *, cutoff: int = CUTOFF, gain: Gain = "linear", title: str = ""
) -> Worked:
    """Return what a worked sheet shows of one topic of a run.

    Parameters
    ----------
    qrels, run, policy
        As for `evaluate`; DCG and nDCG are those of irjudge whatever the profile.
    topic
        Of the qrels.
    cutoff, gain
        With which the sheet begins; of gains, `linear` or `exp2`.
    title
        The topic's.

    Raises
    ------
    IrjudgeError
        When the topic is not evaluated.
    """
    policy = policy or Policy()
    names = (f"P@{cutoff}", "AP", f"DCG(gain={gain})@{cutoff}", f"nDCG(gain={gain})@{cutoff}", f"DCG(gain={gain})", f"nDCG(gain={gain})")
    found = [explanation(qrels, run, topic, parse(name, rel=policy.rel)[0], policy) for name in names]
    return Worked(found[0].board, title, policy.rel, cutoff, gain, tuple(each.value for each in found))


def settings_of(evaluation: Evaluation) -> tuple[int, Gain]:
    """Return the cutoff and the gain that an evaluation's measures use first; 10 and linear where none has any."""
    values = [measure.values for measure in evaluation.measures]
    cutoff = next((each["cutoff"] for each in values if isinstance(each.get("cutoff"), int)), CUTOFF)
    gain = next((each["gain"] for each in values if each.get("gain") in GAINS), GAINS[0])
    return int(str(cutoff)), "exp2" if gain == "exp2" else "linear"


@dataclass(frozen=True, slots=True, eq=False)
class _Part:
    """A column of the table.

    Parameters
    ----------
    heading, width
        What stands above it, and how wide it is in characters.
    formula
        With `{row}` for the row and `{above}` for the one before; empty where the values themselves are written.
    values
        One for each row that has a value; the rows of documents that were not retrieved are the last.
    number
        Whether it is shown with the decimals of the workbook.
    """

    heading: str
    width: int
    formula: str
    values: Sequence[Any] | Floats
    number: bool = True


def _table(work: Worked) -> list[_Part]:
    """Return the columns of the table, A to O."""
    board = work.board
    grades = [*board.grades, *(grade for _, grade in board.missed)]
    retrieved, last = len(board.documents), FIRST + max(len(grades), 1) - 1
    relevant = np.array([is_relevant(grade, work.rel) for grade in grades], dtype=np.float64)
    gain = gains(np.array([max(0, grade or 0) for grade in grades], dtype=np.int64), work.gain)
    place = np.arange(1, len(grades) + 1)
    divisor, ideal = discounts(place, "log2p1", 2.0), np.sort(gain)[::-1]
    rank, found = place[:retrieved], np.cumsum(relevant[:retrieved])
    dcg, idcg = np.cumsum((gain / divisor)[:retrieved]), np.cumsum(ideal / divisor)
    return [
        _Part("Rank", 20, "", [*rank.tolist(), *([MISSED] * len(board.missed))], number=False),
        _Part("Document", 28, "", [*board.documents, *(document for document, _ in board.missed)], number=False),
        _Part("Grade", 13, "", [_shown(grade) for grade in grades], number=False),
        _Part("Relevant", 11, f"=IF(ISNUMBER(C{{row}}),IF(C{{row}}>={REL},1,0),0)", relevant, number=False),
        _Part("Found", 10, "=N(E{above})+D{row}", found, number=False),
        _Part("P@r", 10, "=E{row}/A{row}", found / rank),
        _Part("Term of AP", 12, "=D{row}*F{row}", relevant[:retrieved] * found / rank),
        _Part("Gain", 9, f'=IF(ISNUMBER(C{{row}}),IF({GAIN}="exp2",2^MAX(0,C{{row}})-1,MAX(0,C{{row}})),0)', gain, number=False),
        _Part("Divided by", 12, "=LOG(A{row}+1,2)", divisor[:retrieved]),
        _Part("Term of DCG", 13, "=H{row}/I{row}", (gain / divisor)[:retrieved]),
        _Part("DCG@r", 10, "=N(K{above})+J{row}", dcg),
        _Part("Ideal rank", 12, "", place.tolist(), number=False),
        _Part("Ideal gain", 12, f"=LARGE($H${FIRST}:$H${last},L{{row}})", ideal, number=False),
        _Part("IDCG@r", 10, "=N(N{above})+M{row}/LOG(L{row}+1,2)", idcg),
        _Part("nDCG@r", 10, "=IF(N{row}=0,0,K{row}/N{row})", divide(dcg, idcg[:retrieved])),
    ]


def _shown(grade: int | None) -> int | str:
    """Return a grade as its cell has it: unjudged is never 0."""
    return "unjudgeable" if grade == UNJUDGEABLE else "unjudged" if grade is None or grade < 0 else grade


def _results(last: int) -> tuple[str, ...]:
    """Return the formulas of `RESULTS` over a table that ends on the row `last`."""
    rank, relevant, of_ap, term, place, ideal = (f"${letter}${FIRST}:${letter}${last}" for letter in "ADGJLN")
    within = f'{rank},"<="&{CUT}'
    best = f"INDEX({ideal},MIN({CUT},COUNT({place})))"
    all_best = f"INDEX({ideal},COUNT({place}))"
    return (
        f"=SUMIFS({relevant},{within})/{CUT}",
        f"=IF(SUM({relevant})=0,0,SUM({of_ap})/SUM({relevant}))",
        f"=SUMIFS({term},{within})",
        f"=IF({best}=0,0,SUMIFS({term},{within})/{best})",
        f"=SUM({term})",
        f"=IF({all_best}=0,0,SUM({term})/{all_best})",
    )


def write_worked(book: Book, work: Worked, place: int) -> None:
    """Write a worked sheet; the first has the place 0."""
    name = f"{WORKED} {place + 1}" if place else WORKED
    sheet = book.workbook.add_worksheet(name)
    add = book.workbook.add_format
    looks = {
        "bold": add({"bold": True}),
        "note": add({"italic": True, "font_color": "#595959"}),
        "entry": add({**ENTRY, "align": "left"}),
        "grade": add({**ENTRY, "align": "right"}),
        "result": add({"bold": True, "num_format": book.looks["number"].num_format}),
    }
    table = _table(work)
    rows = max(len(part.values) for part in table)
    _write_top(book, sheet, work, FIRST + max(rows, 1) - 1, looks)
    _write_table(book, sheet, table, rows, looks["grade"])
    _finish(book, sheet, FIRST + max(rows, 1) - 1)
    book.counts.append((name, rows))


def _write_top(book: Book, sheet: Any, work: Worked, last: int, looks: dict[str, Any]) -> None:
    """Write the settings and the results beside them."""
    named = (("Run", work.board.run), ("Topic", work.board.topic), ("Title", work.title))
    entries = (("Relevant from grade", work.rel), ("Cutoff k", work.cutoff), ("Gain", work.gain))
    formulas = _results(last)
    for row, (name, value) in enumerate((*named, *entries)):
        sheet.write_string(row, 0, name, looks["bold"])
        if row < len(named):
            sheet.write_string(row, 1, book.fitting(str(value), f"{sheet.name}, {name}"))
        else:
            sheet.write(row, 1, value, looks["entry"])
        sheet.write_string(row, RESULT_COLUMN, RESULTS[row], looks["bold"])
        write_formula(sheet, row, RESULT_COLUMN + 1, Formula(formulas[row], work.values[row]), looks["result"])
    sheet.write_string(HOW_TO_ROW, 0, HOW_TO, looks["note"])


def _write_table(book: Book, sheet: Any, table: Sequence[_Part], rows: int, grade: Any) -> None:
    for column, part in enumerate(table):
        sheet.write_string(HEADING, column, part.heading, book.heading if part.heading == "Document" else book.heading_right)
        sheet.set_column(column, column, part.width)
    for row in range(rows):
        for column, part in enumerate(table):
            if row < len(part.values):
                look = grade if part.heading == "Grade" else book.looks["number" if part.number else "plain"]
                _write_cell(book, sheet, (row + HEADING + 1, column), part, part.values[row], look)


def _write_cell(book: Book, sheet: Any, at: tuple[int, int], part: _Part, value: Any, look: Any) -> None:
    if part.formula:
        write_formula(sheet, *at, Formula(part.formula.format(row=at[0] + 1, above=at[0]), float(value)), look)
    elif isinstance(value, str):
        is_document = part.heading == "Document"
        text = book.fitting(value, f"{sheet.name}, row {at[0] + 1}, {part.heading}")
        sheet.write_string(*at, text, book.looks["id"] if is_document else look)
    else:
        sheet.write_number(*at, value, look)


def _finish(book: Book, sheet: Any, last: int) -> None:
    """Set what concerns the whole sheet: what may be entered, relevant documents in colour, print layout."""
    sheet.freeze_panes(HEADING + 1, 2)
    number = {"validate": "integer", "criteria": ">=", "value": 1, "error_message": "Expected a whole number, 1 or more."}
    sheet.data_validation("B4:B5", number)
    sheet.data_validation("B6", {"validate": "list", "source": list(GAINS)})
    hit = {"type": "formula", "criteria": f"=$D{FIRST}=1", "format": book.workbook.add_format(HIT)}
    for columns in ("AB", "DO"):  # the grades between them keep the colour of what may be changed
        sheet.conditional_format(f"{columns[0]}{FIRST}:{columns[1]}{last}", hit)
    sheet.ignore_errors({"number_stored_as_text": f"A1:O{last}"})
    lay_out(sheet, HEADING)
