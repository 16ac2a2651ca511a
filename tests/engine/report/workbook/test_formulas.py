"""Tests of the workbook's formulas, computed as a spreadsheet would: the engine's values."""

import re
from collections.abc import Mapping

import numpy as np
import pytest

from irjudge.evaluation import MIN_GEOMETRIC_VALUE, Policy, evaluate_runs, parse_measures
from irjudge.evaluation.table import Average
from irjudge.model import make_qrels, make_run
from irjudge.report.workbook.sheets import PairedColumns, TopicTable, summary_cell

Cells = Mapping[str, object]
FUNCTIONS = {
    "EXP": np.exp,
    "LN": np.log,
    "SUMPRODUCT": lambda first, *more: float(np.nansum(np.prod([first, *more], axis=0))),
    "COUNTIFS": lambda column, wanted: float(np.sum(column == wanted)),
    "ISNUMBER": lambda column: (~np.isnan(column)).astype(float),
}


def compute_formula(formula: str, cells: Cells) -> float:
    """Compute a formula over named cells and ranges; an empty cell is NaN."""
    names = {f"cell_{index}": np.asarray(value) for index, value in enumerate(cells.values())}
    for index, reference in enumerate(cells):
        formula = formula.replace(reference, f"cell_{index}")
    python = re.sub("(?<![<>=])=(?!=)", "==", formula.removeprefix("="))
    with np.errstate(divide="ignore"):  # the logarithm of 0 is an error in a spreadsheet
        return float(eval(python, {"__builtins__": {}}, {**FUNCTIONS, **names}))


@pytest.mark.parametrize(
    ("values", "floored"),
    [
        ([0.5, 0.0, 0.25], [0.5, MIN_GEOMETRIC_VALUE, 0.25]),
        ([0.5, MIN_GEOMETRIC_VALUE, 1.0], [0.5, MIN_GEOMETRIC_VALUE, 1.0]),
    ],
)
def test_a_geometric_mean_uses_the_minimum_for_lower_values(
    values: list[float], floored: list[float]
) -> None:
    table = TopicTable("Per topic", 2, 1, 4)
    cells = {
        table.cell_ranges(0)[0]: [*values, 0.9],
        table.run_number_ranges[0]: [7, 7, 7, 8],
        "$K$2": 7,
    }
    assert compute_formula(
        table.geometric_mean_formula(0, "$K$2", MIN_GEOMETRIC_VALUE), cells
    ) == pytest.approx(np.prod(floored) ** (1 / 3), rel=1e-12)


@pytest.mark.parametrize(("measure", "average"), [("AP", "geometric"), ("GMAP", "macro")])
def test_the_formula_of_a_geometric_mean_gives_the_computed_mean(
    measure: str, average: Average
) -> None:
    qrels = make_qrels([("1", "a", 1), ("2", "a", 1), ("3", "b", 1)])
    run = make_run(
        "r",
        [
            (topic, name, -float(index))
            for topic in "123"
            for index, name in enumerate("bac" if topic != "2" else "cdb")
        ],
    )
    evaluation = evaluate_runs(qrels, [run], parse_measures([measure]), Policy(average=average))
    values = [value for *_, topic, value in evaluation.rows(per_topic=True) if topic != "all"]
    mean = next(value for *_, topic, value in evaluation.rows(per_topic=True) if topic == "all")
    table = TopicTable("Per topic", 2, 1, len(values) + 1)
    formula = summary_cell(evaluation, table, 0, "$K$2", len(values), mean)
    cells = {
        table.cell_ranges(0)[0]: values,
        table.run_number_ranges[0]: [1] * len(values),
        "$K$2": 1,
    }
    assert compute_formula(formula.text, cells) == pytest.approx(mean, rel=1e-9) and mean > 0


def test_topics_that_differ_by_less_than_rounding_are_ties() -> None:
    first, second = [0.1 + 0.2, 0.5, 0.2, 0.7, np.nan], [0.3, 0.4, 0.4, 0.7, 0.1]
    assert first[0] > second[0]
    cells = {"A2:A6": first, "B2:B6": second}
    (precision,) = parse_measures(["P@5"])
    outcomes = PairedColumns("A2:A6", "B2:B6").outcome_formulas(precision)
    assert [compute_formula(each, cells) for each in outcomes] == [1, 2, 1]
    swapped = PairedColumns("B2:B6", "A2:A6").outcome_formulas(precision)
    assert [compute_formula(each, cells) for each in swapped] == [1, 2, 1]
