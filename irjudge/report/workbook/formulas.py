"""Formulas over a sheet with a row for each run and topic, which hold however that sheet is sorted."""

from collections.abc import Sequence
from dataclasses import dataclass

from xlsxwriter.utility import xl_col_to_name

from irjudge.evaluation.table import EPSILON, Evaluation
from irjudge.metrics.naming.names import Measure
from irjudge.report.workbook.sheet_writer import Formula, parts
from irjudge.stats.rankings import SAME


@dataclass(frozen=True, slots=True)
class TopicTable:
    """Where the values and the keys of such a sheet stand.

    The keys are numbers and not names: a criterion takes `*` for anything, and 007 for 7. The number of the run is in the column
    behind the values, the number of the row, from 1, in the next.
    """

    name: str  # of the sheet, and of the further ones on which it goes on
    # column of the first value, from 0, and how many there are
    first: int
    values: int
    rows: int  # how many rows there are in all

    def areas(self, place: int) -> list[str]:
        """Return where the values of a place stand, on each sheet; the keys stand behind the last of them."""
        column = xl_col_to_name(self.first + place, col_abs=True)
        return [area(part.sheet, column, part.last) for part in parts(self.name, self.rows)]

    @property
    def run_numbers(self) -> list[str]:
        """Where the numbers of the runs stand."""
        return self.areas(self.values)

    @property
    def row_numbers(self) -> list[str]:
        """Where the numbers of the rows stand."""
        return self.areas(self.values + 1)

    def count(self, run: str) -> str:
        """Return the number of a run's topics; `run` is its number, or the cell that has it."""
        return "+".join(f"COUNTIFS({numbers},{run})" for numbers in self.run_numbers)

    def total(self, place: int, run: str) -> str:
        """Return the sum of a run's values."""
        return "+".join(
            f"SUMIFS({values},{numbers},{run})"
            for values, numbers in zip(self.areas(place), self.run_numbers, strict=True)
        )

    def mean(self, place: int, run: str, topics: int) -> str:
        """Return the mean of a run's values; 0 where the run has no topics."""
        values, numbers = self.areas(place), self.run_numbers
        if len(values) == 1 and topics:
            return f"AVERAGEIFS({values[0]},{numbers[0]},{run})"
        return f"({self.total(place, run)})/MAX(1,{self.count(run)})"

    def geometric(self, place: int, run: str, floor: float = 0.0) -> str:
        """Return the geometric mean of a run's values, of `floor` where a value is less."""
        terms = []
        for values, numbers in zip(self.areas(place), self.run_numbers, strict=True):
            raised = (
                f"({values}>={floor:g})*{values}+({values}<{floor:g})*{floor:g}"
                if floor
                else values
            )
            terms.append(f"SUMPRODUCT(({numbers}={run})*LN({raised}))")
        return f"EXP(({'+'.join(terms)})/({self.count(run)}))"

    def median(self, place: int, run: str) -> str:
        """Return the median of a run's values, as a formula over arrays."""
        chosen = (
            f"IF({numbers}={run},{values})"
            for values, numbers in zip(self.areas(place), self.run_numbers, strict=True)
        )
        return f"MEDIAN({','.join(chosen)})"

    def finders(self, place: int) -> list[str]:
        """Return for each sheet a formula that finds the value of one of its rows; `{row}` is the number of the row, as text."""
        areas = zip(self.areas(place), self.row_numbers, strict=True)
        return [f"=INDEX({values},MATCH({{row}},{numbers},0))" for values, numbers in areas]


def area(sheet: str, column: str, last: int) -> str:
    """Return the cells of a column below its heading."""
    return f"'{sheet}'!{column}$2:{column}${max(2, last)}"


def summary(
    evaluation: Evaluation, table: TopicTable, place: int, run: str, topics: int, value: float
) -> Formula | float:
    """Return the value of a run under one measure as the formula that its average is; a number where counts of topics were pooled."""
    measure, average = evaluation.measures[place], evaluation.policy.average
    if is_count(measure):
        return Formula(f"={table.total(place, run)}", value)
    if measure.declaration.summary == "pooled":
        return value
    if measure.declaration.mean == "geometric" or average == "geometric":
        floor = 0.0 if measure.declaration.mean == "geometric" else EPSILON
        return Formula(f"={table.geometric(place, run, floor)}" if topics else "=0", value)
    if average == "median":
        return Formula(
            f"={table.median(place, run)}" if topics else "=0", value, array=bool(topics)
        )
    return value if average == "micro" else Formula(f"={table.mean(place, run, topics)}", value)


def is_count(measure: Measure) -> bool:
    """Whether a measure is added up over the topics."""
    return measure.declaration.summary == "sum"


@dataclass(frozen=True, slots=True)
class Paired:
    """Formulas over two columns with a row for each topic, where a run that lacks a topic has an empty cell."""

    first: str
    second: str

    @property
    def topics(self) -> str:
        """How many topics both have."""
        return f"=SUMPRODUCT(ISNUMBER({self.first})*ISNUMBER({self.second}))"

    def means(self, topics: str) -> Sequence[str]:
        """Return the means of both, over the topics that both have; `topics` is the cell with their number."""
        return (
            f"=SUMPRODUCT(--ISNUMBER({self.second}),{self.first})/{topics}",
            f"=SUMPRODUCT(--ISNUMBER({self.first}),{self.second})/{topics}",
        )

    def outcomes(self, measure: Measure) -> Sequence[str]:
        """Return on how many topics the first is better, equal, worse; see `count_outcomes`."""
        both, difference = (
            f"ISNUMBER({self.first})*ISNUMBER({self.second})",
            f"{self.first}-{self.second}",
        )
        better, worse = f"({difference}>{SAME:g})", f"({difference}<-{SAME:g})"
        if measure.direction < 0:
            better, worse = worse, better
        return tuple(
            f"=SUMPRODUCT({both}*{each})" for each in (better, f"(1-{better}-{worse})", worse)
        )
