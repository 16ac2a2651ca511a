"""Worked examples: steps of calculating a measure, and formulas for a worksheet."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import accumulate
from typing import Literal, TypeAlias

import numpy as np

from irjudge.message import Message, join_messages
from irjudge.metrics.judged import Floats, JudgedRun, Longs
from irjudge.metrics.registry import format_value

Cell: TypeAlias = str | int | float | None
ExplainFunction: TypeAlias = Callable[..., "WorkedExample"]
RelevancePredicate: TypeAlias = Callable[[int | None], bool]
SheetGain: TypeAlias = Literal["linear", "exp2"]

# A long sum is shortened to these numbers of first and last terms, but only if at least two terms
# are omitted.
FIRST_TERMS, LAST_TERMS = 6, 2
MIN_DECIMAL_VALUE, MAX_DECIMAL_VALUE = 0.0005, 1e15
MAX_SHOWN_NAME = 30


@dataclass(frozen=True, slots=True)
class ExampleGains:
    """Gains of the documents of an example topic, from qrels with gains."""

    # gain at each rank; None for a document without a grade of 0 or more
    ranked: tuple[float | None, ...]
    judged: tuple[float, ...]  # gains of all judged documents, descending
    missed: tuple[float, ...]  # gains of the documents in `ExampleTopic.missed`
    highest: float  # highest gain over all topics, or the highest grade that the user specified


@dataclass(frozen=True, slots=True)
class ExampleTopic:
    """Topic of a run, with its ranking, judgments and other data that worked examples need."""

    run: str  # name of the run
    topic: str  # id of the topic
    documents: tuple[str, ...]  # ranking, from first to last
    # grade at each rank; None for a document that is not in the qrels, -1 for a pooled but unjudged
    # document, -2 for an unjudgeable document
    grades: tuple[int | None, ...]
    judged: tuple[int, ...]  # grades of all judged documents, retrieved or not, descending
    # id and grade of unretrieved documents with a grade of 1 or more, or with gain, best first
    missed: tuple[tuple[str, int], ...]
    highest: int  # highest grade of the scale
    judged_run: JudgedRun  # input of the measure
    # titles of documents; empty if documents are shown by id
    titles: Mapping[str, str] = field(default_factory=dict)
    gains: ExampleGains | None = None  # gains of the documents; None if the qrels have only grades

    def without_unjudged(self) -> "ExampleTopic":
        """Return the topic without unjudged documents."""
        judged_documents = [
            (name, grade)
            for name, grade in zip(self.documents, self.grades, strict=True)
            if is_relevant(grade, 0)
        ]
        documents, grades = (
            tuple(name for name, _ in judged_documents),
            tuple(grade for _, grade in judged_documents),
        )
        gains = self.gains and replace(
            self.gains, ranked=tuple(gain for gain in self.gains.ranked if gain is not None)
        )
        judged_run = self.judged_run.without_unjudged()
        return replace(self, documents=documents, grades=grades, judged_run=judged_run, gains=gains)

    def top_grades(self, cutoff: int | None) -> tuple[int | None, ...]:
        """Return the grades at ranks 1 to `cutoff`."""
        return self.grades if cutoff is None else self.grades[:cutoff]

    def gains_or_grades(self, cutoff: int | None = None) -> tuple[float | None, ...]:
        """Return the gains at ranks 1 to `cutoff` if the qrels have gains, otherwise the grades."""
        return self.top_grades(cutoff) if self.gains is None else self.gains.ranked[:cutoff]

    def judged_gains_or_grades(self) -> tuple[float, ...]:
        """Return the gains of all judged documents if the qrels have gains, otherwise grades."""
        return self.judged if self.gains is None else self.gains.judged

    def highest_gain_or_grade(self) -> float:
        """Return the highest gain if the qrels have gains, otherwise the highest grade."""
        return self.highest if self.gains is None else self.gains.highest

    def list_hit_ranks(self, rel: int, cutoff: int | None = None) -> list[int]:
        """Return the ranks, up to `cutoff`, of documents of grade `rel` or more."""
        return [
            rank for rank, grade in enumerate(self.top_grades(cutoff), 1) if is_relevant(grade, rel)
        ]

    def count_relevant(self, rel: int) -> int:
        """Return the number of documents of grade `rel` or more, retrieved or not."""
        return sum(grade >= rel for grade in self.judged)


@dataclass(frozen=True, slots=True)
class WorkedExample:
    """Steps, table by rank, and result of calculating the value of a measure for a topic.

    If a measure defines no calculation, the steps state this, the result is NaN, and there is no
    table.
    """

    steps: tuple[str, ...]  # calculation, as sentences or equations
    result: float  # calculated value
    columns: tuple[str, ...] = ()  # names of the columns next to the ranking
    # a row of cells for each rank that the measure examines; a cell without a value is empty
    rows: tuple[tuple[Cell, ...], ...] = ()
    hits: frozenset[int] = frozenset()  # ranks that contribute to the value


WORKED_EXAMPLES: dict[str, ExplainFunction] = {}


def explains(*names: str) -> Callable[[ExplainFunction], ExplainFunction]:
    """Register the decorated function as the worked example of the named measures."""

    def register(function: ExplainFunction) -> ExplainFunction:
        WORKED_EXAMPLES.update(dict.fromkeys(names, function))
        return function

    return register


def is_relevant(grade: int | None, rel: int) -> bool:
    """Return whether a grade is `rel` or more; False for None."""
    return grade is not None and grade >= rel


# Text of the steps


def format_number(value: float) -> str:
    """Format a number as an integer, with four decimals, or with two significant digits.

    >>> format_number(2.0), format_number(2 / 3), format_number(0.00001234)
    ('2', '0.6667', '1.2e-05')
    """
    if value == round(value) and abs(value) < MAX_DECIMAL_VALUE:
        return str(round(value))
    return f"{value:.4f}" if MIN_DECIMAL_VALUE <= abs(value) < MAX_DECIMAL_VALUE else f"{value:.2g}"


def format_sum(terms: Sequence[str]) -> str:
    """Format a sum; in a long sum, the middle terms are replaced by their number.

    >>> format_sum(["1/1", "2/3"]), format_sum([])
    ('1/1 + 2/3', '0')
    """
    if not terms:
        return "0"
    if len(terms) <= FIRST_TERMS + LAST_TERMS + 1:
        return " + ".join(terms)
    return " + ".join(
        [
            *terms[:FIRST_TERMS],
            Message("… ({number} more terms) …", number=len(terms) - FIRST_TERMS - LAST_TERMS),
            *terms[-LAST_TERMS:],
        ]
    )


def format_quotient(
    name: str, numerator: float, denominator: float, divisor_label: str
) -> tuple[str, float]:
    """Return the step `name = numerator / denominator = value`, and the value.

    If the denominator is 0, the value is 0, and the step states that `divisor_label` is 0.
    """
    if not denominator:
        return Message(
            "{name} = {number} / 0, defined as 0 because {divisor} is 0",
            key="divided-by-zero",
            name=name,
            number=format_number(numerator),
            divisor=divisor_label,
        ), 0.0
    value = numerator / denominator
    step = Message(
        "{name} = {numerator} / {denominator} = {value}",
        name=name,
        numerator=format_number(numerator),
        denominator=format_number(denominator),
        value=format_number(value),
    )
    return step, value


def describe_relevance(rel: int) -> str:
    """Return a sentence that states which grades are relevant."""
    return Message("Relevant: grade {rel} or more.", rel=rel)


def describe_relevant(example: ExampleTopic, rel: int, name: str = "R = ") -> str:
    """Return a sentence with the number of relevant documents, and which were not retrieved."""
    count = example.count_relevant(rel)
    unretrieved = [
        Message(
            "{document} (grade {grade})",
            document=shorten_name(example.titles.get(document) or document),
            grade=grade,
        )
        for document, grade in example.missed
        if grade >= rel
    ]
    if not unretrieved:
        return Message(
            "Relevant documents: {name}{count}, all retrieved."
            if count
            else "Relevant documents: {name}{count}.",
            name=name,
            count=count,
        )
    unretrieved_text = join_messages(unretrieved[:FIRST_TERMS]) + (
        Message(" and {number} more", number=len(unretrieved) - FIRST_TERMS)
        if len(unretrieved) > FIRST_TERMS
        else ""
    )
    return Message(
        "Relevant documents: {name}{count}; not retrieved: {documents}.",
        name=name,
        count=count,
        documents=unretrieved_text,
    )


def shorten_name(name: str) -> str:
    """Return a name, with its middle omitted if it is long.

    >>> shorten_name("d1"), shorten_name("x" * 14 + "y" * 40 + "z" * 9)
    ('d1', 'xxxxxxxxxxxxxx…zzzzzzzzz')
    """
    return name if len(name) <= MAX_SHOWN_NAME else f"{name[:14]}…{name[-9:]}"


def describe_cutoff(example: ExampleTopic, cutoff: int | None) -> str:
    """Return a sentence that states which ranks are examined."""
    count = len(example.documents)
    if cutoff is None:
        return Message("Retrieved documents: n = {count}; all are used.", count=count)
    return Message(
        "k = {cutoff}: ranks 1 to {cutoff} are used; ranks with documents: {count}."
        if count < cutoff
        else "k = {cutoff}: ranks 1 to {cutoff} are used.",
        cutoff=cutoff,
        count=count,
    )


def format_power(base: float, exponent: float) -> str:
    """Format a power, such as `0.5^2`."""
    return f"{format_value(base)}^{format_value(exponent)}"


def count_relevant_by_rank(example: ExampleTopic, rel: int, cutoff: int | None) -> list[int]:
    """Return the number of relevant documents at or above each rank."""
    return list(accumulate(int(is_relevant(grade, rel)) for grade in example.top_grades(cutoff)))


def count_at_ranks(
    example: ExampleTopic, cutoff: int | None, column: str, is_counted: RelevancePredicate
) -> tuple[int, WorkedExample]:
    """Count documents at ranks 1 to `cutoff`; return the total and a worked example.

    A document is counted if `is_counted` returns True for its grade. The worked example contains
    the table but no steps.
    """
    total, rows, hits = 0, [], []
    for rank, grade in enumerate(example.top_grades(cutoff), 1):
        if is_counted(grade):
            total += 1
            hits.append(rank)
        rows.append((total,))
    return total, WorkedExample((), float(total), (column,), tuple(rows), frozenset(hits))


# Worked examples as worksheets, in which formulas compute the values from the grades


@dataclass(frozen=True, slots=True, eq=False)
class WorksheetData:
    """Data of a worked example on a worksheet: grades and gains, from which columns are computed.

    The retrieved documents are first, in the order of the ranking; documents that were not
    retrieved follow if they have a grade of 1 or more, or a gain.
    """

    # grades of the retrieved documents, then of those that were not retrieved
    grades: tuple[int | None, ...]
    retrieved: int  # number of retrieved documents
    rel: int  # lowest relevant grade
    gain: SheetGain  # gain of each grade
    # gains of the documents in `grades` if the qrels have gains, otherwise their grades
    gains_or_grades: tuple[float | None, ...]

    @property
    def rank(self) -> Longs:
        """Ranks of the retrieved documents."""
        return np.arange(1, self.retrieved + 1)

    @property
    def relevant(self) -> Floats:
        """1 for each relevant document, including unretrieved ones, and 0 for all others."""
        return np.array([is_relevant(grade, self.rel) for grade in self.grades], dtype=np.float64)

    @property
    def relevant_so_far(self) -> Floats:
        """Number of relevant documents at or above each rank."""
        return np.cumsum(self.relevant[: self.retrieved])


@dataclass(frozen=True, slots=True)
class SheetColumn:
    """Column of a worksheet that contains a worked example.

    The formula is written for each row, with its result, which the function `values` computes. If
    the formula is empty, only the results are written.
    """

    heading: str
    width: int  # width in characters
    # `{Found}` is the column with that heading, `{Found:area}` all its rows, `{row}` the row,
    # `{above}` the row above. `{rel}`, `{k}` and `{gain}` are the cells that users can change.
    formula: str
    # function that computes the values of the rows, or only of the first rows if others have none
    values: Callable[[WorksheetData], Sequence[str | int] | Sequence[float | str] | Floats]
    decimals: bool = True  # whether values are shown with the workbook's decimals


@dataclass(frozen=True, slots=True)
class SheetResult:
    """Value of a measure on a worksheet that contains a worked example.

    The formula is written with the value of the measure `name`.
    """

    title: str  # displayed name, such as `DCG@k`
    formula: str  # formula with placeholders, as in `SheetColumn`
    name: str  # name of the measure, which may contain `{cutoff}` and `{gain}`


@dataclass(frozen=True, slots=True)
class SheetPart:
    """Columns and results of related measures on a worksheet that contains a worked example."""

    columns: tuple[SheetColumn, ...]
    results: tuple[SheetResult, ...]
