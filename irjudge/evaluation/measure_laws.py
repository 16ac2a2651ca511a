"""Laws of measures, tested on small random topics.

A measure obeys every law or declares an exception. `irjudge measures NAME --laws` tests a measure
of this package or of an extension.
"""

import itertools
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Any, TypeAlias

import numpy as np

from irjudge.errors import GateFailed
from irjudge.metrics import (
    NOT_IN_QRELS,
    AuxiliaryRows,
    GainMap,
    JudgedRun,
    Law,
    Measure,
    MeasureDeclaration,
    Parameter,
    Scores,
    Subtopics,
    make_measure,
)
from irjudge.model import AUXILIARY_KINDS, KEY_COLUMNS, AuxiliaryColumn, AuxiliaryKind

EXACT_TOLERANCE = 1e-12  # tolerance for rounding errors that depend on the order of summation
HIGHEST_GRADE, COLLECTION_SIZE = 3, 50
MAX_SIZES = {"ranked": 12, "missed": 5, "cases": 4}
# grades from which cases are drawn, each entry with equal probability; None for no judgment
CASE_GRADES = (None, None, -2, -1, 0, 0, 1, 1, 2, 3)
# values with which parameters are tested
TESTED_INTEGERS = (1, 2, 3, 8)
TESTED_NUMBERS = (0.0, 0.1, 0.35, 0.5, 0.7, 1.0, 2.0, 3.5)
TESTED_LISTS = ((0.25, 0.5, 0.75), (0.0,), (0.7, 0.1, 0.7))
# Gain maps. The first reverses the order of grades. In the second, grade 0 has a gain, and grade 2
# has no gain.
TESTED_GAIN_MAPS = (GainMap(((1, 3.0), (2, 1.5), (3, 0.5))), GainMap(((0, 0.25), (2, 0.0))))
# parameters that are tested only with these values, since further values would cause too many
# combinations or need data that cases lack
REDUCED_VALUES: dict[str, tuple[Any, ...]] = {
    "a": (1.0, 0.5),
    "b": (-1.0, 0.0),
    "c": (0.0, -2.0),
    "d": (0.0,),
    "universe": (None,),
    "highest": (None, 5),
    "judged_only": (None,),
}
# grade of a document for each subtopic, by the document's highest grade; a document whose highest
# grade is 0 is relevant for no subtopic
SUBTOPIC_GRADES: dict[int, dict[int, int]] = {
    0: {0: 0},
    1: {0: 1},
    2: {1: 2},
    3: {0: 1, 1: 3, 2: 1},
}


@dataclass(frozen=True, slots=True)
class Case:
    """Random topic for tests: grade at each rank, and grades of documents not retrieved."""

    ranked: tuple[int | None, ...]
    missed: tuple[int, ...] = ()

    @property
    def judged_grades(self) -> list[int]:
        """Grades of all judged documents, descending."""
        return sorted(
            [grade for grade in (*self.ranked, *self.missed) if grade is not None and grade >= 0],
            reverse=True,
        )


Cases: TypeAlias = Sequence[Case]


def draw_cases(count: int, seed: int = 1) -> list[tuple[int, tuple[Case, ...]]]:
    """Draw `count` lists of random topics; return each list with its number, from 0.

    The number of a list determines which variants of a measure are tested with it.
    """
    random = np.random.default_rng(seed)

    def draw_case() -> Case:
        ranked = random.integers(0, len(CASE_GRADES), random.integers(0, MAX_SIZES["ranked"] + 1))
        missed = random.integers(0, HIGHEST_GRADE + 1, random.integers(0, MAX_SIZES["missed"] + 1))
        return Case(tuple(CASE_GRADES[index] for index in ranked), tuple(missed.tolist()))

    return [
        (list_number, tuple(draw_case() for _ in range(random.integers(0, MAX_SIZES["cases"] + 1))))
        for list_number in range(count)
    ]


@lru_cache(4096)  # cached, since hundreds of measures are tested on the same topics
def make_judged_run(cases: tuple[Case, ...]) -> JudgedRun:
    """Convert the cases to a judged run, the input of measures."""
    hits = [
        (topic, rank, grade)
        for topic, case in enumerate(cases)
        for rank, grade in enumerate(case.ranked, 1)
        if grade is not None
    ]
    return JudgedRun(
        topics=tuple(str(topic) for topic in range(len(cases))),
        hit_topic=np.array([hit[0] for hit in hits], dtype=np.int32),
        hit_rank=np.array([hit[1] for hit in hits], dtype=np.int32),
        hit_grade=np.array([hit[2] for hit in hits], dtype=np.int32),
        n_retrieved=np.array([len(case.ranked) for case in cases], dtype=np.int64),
        judged_starts=np.array(
            [0, *itertools.accumulate(len(case.judged_grades) for case in cases)], dtype=np.int64
        ),
        judged_grades=np.array(
            [grade for case in cases for grade in case.judged_grades], dtype=np.int32
        ),
        highest=HIGHEST_GRADE,
        subtopics=_make_subtopics(cases, hits),
        collection=COLLECTION_SIZE,
        auxiliary={
            kind.name: _make_auxiliary_rows(kind, cases) for kind in AUXILIARY_KINDS.values()
        },
    )


def _make_subtopics(cases: Cases, hits: list[tuple[int, int, int]]) -> Subtopics:
    rows_of_subtopics = [
        (*hit[:2], subtopic, grade)
        for hit in hits
        for subtopic, grade in SUBTOPIC_GRADES.get(hit[2], {}).items()
    ]
    documents = [(topic, grade) for topic, case in enumerate(cases) for grade in case.judged_grades]
    judgments = [
        (topic, document, *row)
        for document, (topic, highest_grade) in enumerate(documents)
        for row in SUBTOPIC_GRADES[highest_grade].items()
    ]
    (a, b, c, d), (e, f, g, h) = (
        [np.array([row[column] for row in rows], dtype=np.int32) for column in range(4)]
        for rows in (rows_of_subtopics, judgments)
    )
    return Subtopics(a, b, c, d, e, f, g, h)


def _make_auxiliary_rows(kind: AuxiliaryKind, cases: Cases) -> AuxiliaryRows:
    """Return rows of an auxiliary file of this kind for the topics `cases`.

    The values of a document depend only on its grade. The values of topics are all equal.
    """
    rows: list[tuple[int, int, int, int]] = []
    for topic, case in enumerate(cases):
        if kind.by_document:
            rows += [(topic, 0, grade, max(grade, 0)) for grade in case.missed]
            rows += [
                (topic, rank, NOT_IN_QRELS if grade is None else grade, max(grade or 0, 0))
                for rank, grade in enumerate(case.ranked, 1)
            ]
        else:
            rows += [
                (topic, 0, NOT_IN_QRELS, number)
                for number in range(1 if kind.key_columns == ("topic",) else 4)
            ]
    topics, rank, grades, seed = (
        np.array([row[column] for row in rows], dtype=np.int32) for column in range(4)
    )
    return AuxiliaryRows(
        topics,
        rank,
        grades,
        {
            column.name: _draw_column_values(column, seed)
            for column in kind.columns
            if column.name not in KEY_COLUMNS
        },
        {column.name: ("x", "y", "") for column in kind.columns if column.kind == "text"},
    )


def _draw_column_values(column: AuxiliaryColumn, seed: Any) -> Any:
    if column.kind == "choice":
        numbers = sorted({number for _, number in column.choices})
        return np.array([numbers[number % len(numbers)] for number in seed], dtype=np.float64)
    return seed % 3.0 if column.kind == "text" else 1.0 + 40 * seed


@lru_cache(1)
def measure_variants(declaration: MeasureDeclaration) -> list[Measure]:
    """Return variants of a measure with all combinations of the tested parameter values."""
    choices = [_list_parameter_values(parameter) for parameter in declaration.parameters]
    names = [parameter.name for parameter in declaration.parameters]
    settings = [dict(zip(names, values, strict=True)) for values in itertools.product(*choices)]
    # beta and alpha are alternatives: a measure accepts only one of them
    return [
        make_measure(declaration, **setting)
        for setting in settings
        if setting.get("beta", 1.0) == 1 or setting.get("alpha") is None
    ]


def _list_parameter_values(parameter: Parameter) -> list[Any]:
    if parameter.kind == "size":
        return [*parameter.choices, COLLECTION_SIZE + 10, *([None] if parameter.optional else [])]
    if sample_values := [
        value
        for value in REDUCED_VALUES.get(parameter.name, ())
        if value is None or value in parameter.range
    ]:
        return sample_values
    if parameter.kind in ("choice", "gain"):
        return [*parameter.choices, *(TESTED_GAIN_MAPS if parameter.kind == "gain" else ())]
    if parameter.kind == "numbers":
        return [parameter.default, *TESTED_LISTS]
    values: Sequence[float] = (
        (1, 2)
        if parameter.name == "rel"
        else TESTED_INTEGERS
        if parameter.kind == "whole"
        else TESTED_NUMBERS
    )
    values = [value for value in values if value in parameter.range]
    return [None, *values] if parameter.optional else list(values)


# Laws: functions that return a description of the violation; empty if there is none


def _check_finite(measure: Measure, cases: Cases) -> str:
    """Check that the value of every topic is finite and is computed without a warning."""
    with np.errstate(all="raise"):
        scores = _compute_values(measure, cases)
    is_finite = scores.shape == (len(cases),) and scores.dtype == np.float64
    return "" if is_finite and np.isfinite(scores).all() else f"{scores!r}"


def _check_bounds(measure: Measure, cases: Cases) -> str:
    """Check that no value lies outside the declared bounds."""
    low, high = measure.declaration.bounds
    scores = _compute_values(measure, cases)
    return (
        ""
        if ((scores >= low - EXACT_TOLERANCE) & (scores <= high + EXACT_TOLERANCE)).all()
        else f"{scores} is not between {low:g} and {high:g}"
    )


def _check_tail(measure: Measure, cases: Cases) -> str:
    """Check that an unjudged document appended to the ranking does not change the value."""
    return _compare_values(
        measure, cases, [replace(case, ranked=(*case.ranked, None)) for case in cases]
    )


def _check_unjudged(measure: Measure, cases: Cases) -> str:
    """Check that an unjudged pooled document has the same effect as one outside the qrels."""
    return _compare_values(
        measure,
        cases,
        [
            replace(
                case, ranked=tuple(None if grade in (-1, -2) else grade for grade in case.ranked)
            )
            for case in cases
        ],
    )


def _check_batching(measure: Measure, cases: Cases) -> str:
    """Check that topics evaluated together and separately have the same values."""
    separate_values = [float(_compute_values(measure, [case])[0]) for case in cases]
    return (
        ""
        if _compute_values(measure, cases).tolist() == separate_values
        else f"alone {separate_values}, together {_compute_values(measure, cases).tolist()}"
    )


def _check_top_heaviness(measure: Measure, cases: Cases) -> str:
    """Check that the value never falls if a relevant document moves up past a non-relevant one or,
    with a gain map, if a document with gain moves up.
    """
    pairs = [
        (case, better)
        for case in cases
        for better in _iter_promotions(case, _make_relevance_predicate(measure))
    ]
    values_before = _compute_values(measure, [case for case, _ in pairs])
    values_after = _compute_values(measure, [better for _, better in pairs])
    return (
        ""
        if (values_after >= values_before - EXACT_TOLERANCE).all()
        else f"lower by {float((values_before - values_after).max()):g} in {pairs[int(np.argmin(values_after - values_before))]}"
    )


def _make_relevance_predicate(measure: Measure) -> Callable[[int | None], bool]:
    gain, rel = measure.values.get("gain"), measure.values.get("rel", 1)
    if isinstance(gain, GainMap):
        return lambda grade: (
            grade is not None and grade >= 0 and dict(gain.pairs).get(grade, grade) > 0
        )
    lowest_relevant = rel if isinstance(rel, int) else 1
    return lambda grade: grade is not None and grade >= lowest_relevant


def _iter_promotions(case: Case, is_relevant: Callable[[int | None], bool]) -> Iterator[Case]:
    for upper_rank in range(len(case.ranked) - 1):
        upper_grade, lower_grade = (case.ranked[rank] for rank in (upper_rank, upper_rank + 1))
        if is_relevant(lower_grade) and not is_relevant(upper_grade):
            yield replace(
                case,
                ranked=(
                    *case.ranked[:upper_rank],
                    lower_grade,
                    upper_grade,
                    *case.ranked[upper_rank + 2 :],
                ),
            )


def _compare_values(measure: Measure, first_cases: Cases, second_cases: Cases) -> str:
    first_values = _compute_values(measure, first_cases)
    second_values = _compute_values(measure, second_cases)
    return (
        ""
        if np.allclose(first_values, second_values, rtol=0, atol=EXACT_TOLERANCE)
        else f"{first_values} became {second_values}"
    )


def _compute_values(measure: Measure, cases: Cases) -> Scores:
    return measure.compute(make_judged_run(tuple(cases)))


LAWS: dict[Law, Callable[[Measure, Cases], str]] = {
    "finite": _check_finite,
    "bounds": _check_bounds,
    "tail": _check_tail,
    "unjudged": _check_unjudged,
    "together": _check_batching,
    "top_heavy": _check_top_heaviness,
}


def find_violation(
    law: Law, declaration: MeasureDeclaration, examples: Sequence[tuple[int, tuple[Case, ...]]]
) -> str:
    """Return a text that describes the first violation of a law; empty if there is none.

    Variants that the declaration exempts from the law are skipped. `examples` come from
    `draw_cases`; if there are many variants, each example tests only some of them.
    """
    variants = [
        variant
        for variant in measure_variants(declaration)
        if declaration.satisfies(law, variant.values)
    ]
    parts = 1 + len(variants) // 10
    for number, cases in examples:
        for measure in variants[number % parts :: parts]:
            try:
                violation = LAWS[law](measure, cases)
            except Exception as error:  # noqa: BLE001 -- an extension can raise any exception
                violation = f"{type(error).__name__}: {error}"
            if violation:
                return f"{measure} for {list(cases)}: {violation}"
    return ""


LAW_COLUMNS = ("measure", "law", "broken")


def check_laws(declarations: Sequence[MeasureDeclaration]) -> list[tuple[str, str, str]]:
    """Test each measure against each law; return rows with the columns `LAW_COLUMNS`.

    If there is only one measure, it is tested on more topics.
    """
    examples = draw_cases(200 if len(declarations) == 1 else 24)
    return [
        (declaration.name, law, find_violation(law, declaration, examples))
        for declaration in {declaration.name: declaration for declaration in declarations}.values()
        for law in LAWS
    ]


def require_laws(rows: Sequence[tuple[str, str, str]]) -> None:
    """Raise `GateFailed` if a measure violates a law."""
    if violating_measures := sorted({measure for measure, _, violation in rows if violation}):
        raise GateFailed(
            "These measures violated a general law in the tests: {names}.",
            names=", ".join(violating_measures),
        )
