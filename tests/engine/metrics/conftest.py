"""What the tests of measures share: small topics at random, and every measure with many values of its parameters."""

import itertools
from collections.abc import Callable
from dataclasses import dataclass
from functools import lru_cache

import numpy as np
import pytest
from hypothesis import Phase, given, settings
from hypothesis import strategies as st

from irjudge.metrics import GainMap, JudgedRun, Measure, MeasureDeclaration, Parameter, make
from irjudge.metrics.basis.judged import UNNAMED, SideRows, Subtopics
from irjudge.model.side import KEYS, SIDES, Side, SideColumn

WHOLES = (1, 2, 3, 8)
NUMBERS = (0.0, 0.1, 0.35, 0.5, 0.7, 1.0, 2.0, 3.5)
LISTS = ((0.25, 0.5, 0.75), (0.0,), (0.7, 0.1, 0.7))
# Grades 1 and 3 change places; grade 0 gains; grade 2 gains nothing.
GAIN_MAPS = (GainMap(((1, 3.0), (2, 1.5), (3, 0.5))), GainMap(((0, 0.25), (2, 0.0))))
# All combinations of the usual values would be too many, or need what no topic can say.
FEW = {"a": (1.0, 0.5), "b": (-1.0, 0.0), "c": (0.0, -2.0), "d": (0.0,), "universe": (None,), "highest": (None, 5), "judged_only": (None,)}
# Documents are judged for these subtopics with these grades, by the highest of them; no document of grade 0 or less is relevant for any.
SUBTOPICS = {0: {0: 0}, 1: {0: 1}, 2: {1: 2}, 3: {0: 1, 1: 3, 2: 1}}
COLLECTION = 50


@dataclass(frozen=True)
class Case:
    """A topic as a person would write it down: the grade at each rank, and the grades that were not retrieved."""

    ranked: tuple[int | None, ...]
    missed: tuple[int, ...] = ()

    @property
    def judged(self) -> list[int]:
        return sorted([grade for grade in (*self.ranked, *self.missed) if grade is not None and grade >= 0], reverse=True)


def build_run(cases: list[Case]) -> JudgedRun:
    hits = [(topic, rank, grade) for topic, case in enumerate(cases) for rank, grade in enumerate(case.ranked, 1) if grade is not None]
    return JudgedRun(
        topics=tuple(str(topic) for topic in range(len(cases))),
        hit_topic=np.array([hit[0] for hit in hits], dtype=np.int32),
        hit_rank=np.array([hit[1] for hit in hits], dtype=np.int32),
        hit_grade=np.array([hit[2] for hit in hits], dtype=np.int32),
        n_retrieved=np.array([len(case.ranked) for case in cases], dtype=np.int64),
        judged_starts=np.array([0, *itertools.accumulate(len(case.judged) for case in cases)], dtype=np.int64),
        judged_grades=np.array([grade for case in cases for grade in case.judged], dtype=np.int32),
        highest=3,
        subtopics=build_subtopics(cases, hits),
        collection=COLLECTION,
        sides={side.name: build_side(side, cases) for side in SIDES.values()},
    )


def build_side(side: Side, cases: list[Case]) -> SideRows:
    """A side file of these topics: what it says of a document depends on its grade alone, and of topics it says to all the same."""
    rows = []
    for topic, case in enumerate(cases):
        if side.by_document:
            rows += [(topic, 0, grade, max(grade, 0)) for grade in case.missed]
            rows += [(topic, rank, UNNAMED if grade is None else grade, max(grade or 0, 0)) for rank, grade in enumerate(case.ranked, 1)]
        else:
            rows += [(topic, 0, UNNAMED, each) for each in range(1 if side.once == ("topic",) else 4)]
    topic, rank, grade, seed = (np.array([row[place] for row in rows], dtype=np.int32) for place in range(4))
    columns = {column.name: says(column, seed) for column in side.columns if column.name not in KEYS}
    return SideRows(topic, rank, grade, columns, {column.name: ("x", "y", "") for column in side.columns if column.kind == "text"})


def says(column: SideColumn, seed: np.ndarray) -> np.ndarray:
    if column.kind == "choice":
        numbers = sorted({number for _, number in column.choices})
        return np.array([numbers[each % len(numbers)] for each in seed], dtype=np.float64)
    return seed % 3.0 if column.kind == "text" else 1.0 + 40 * seed


def build_subtopics(cases: list[Case], hits: list[tuple[int, int, int]]) -> Subtopics:
    found = [(*hit[:2], subtopic, grade) for hit in hits for subtopic, grade in SUBTOPICS.get(hit[2], {}).items()]
    documents = [(topic, grade) for topic, case in enumerate(cases) for grade in case.judged]
    judged = [(topic, document, *row) for document, (topic, highest) in enumerate(documents) for row in SUBTOPICS[highest].items()]
    return Subtopics(*(np.array([row[place] for row in rows], dtype=np.int32) for rows in (found, judged) for place in range(4)))


@lru_cache(1)
def all_variants(declaration: MeasureDeclaration) -> list[Measure]:
    choices = [tried(parameter) for parameter in declaration.parameters]
    names = [parameter.name for parameter in declaration.parameters]
    settings = [dict(zip(names, values, strict=True)) for values in itertools.product(*choices)]
    # Of beta and alpha, which say the same, one may be given.
    return [make(declaration, **each) for each in settings if each.get("beta", 1.0) == 1 or each.get("alpha") is None]


def tried(parameter: Parameter) -> list:
    if parameter.kind == "size":
        return [*parameter.choices, COLLECTION + 10, *([None] if parameter.optional else [])]
    if few := [value for value in FEW.get(parameter.name, ()) if value is None or value in parameter.range]:
        return few
    if parameter.kind in ("choice", "gain"):
        return [*parameter.choices, *(GAIN_MAPS if parameter.kind == "gain" else ())]
    if parameter.kind == "numbers":
        return [parameter.default, *LISTS]
    values = (1, 2) if parameter.name == "rel" else WHOLES if parameter.kind == "whole" else NUMBERS
    values = [value for value in values if value in parameter.range]
    return [None, *values] if parameter.optional else values


@pytest.fixture(scope="session")
def cases() -> st.SearchStrategy[list[Case]]:
    grades = st.sampled_from([None, None, -2, -1, 0, 0, 1, 1, 2, 3])
    case = st.builds(Case, st.lists(grades, max_size=12).map(tuple), st.lists(st.integers(0, 3), max_size=5).map(tuple))
    return st.lists(case, max_size=4)


@pytest.fixture(scope="session")
def examples(cases: st.SearchStrategy[list[Case]], full: bool) -> list[tuple[int, list[Case]]]:
    """Topics drawn at random once for all measures, whose values take less time; with each a number that says which variants see it."""
    drawn: list[tuple[int, list[Case]]] = []

    @settings(max_examples=200 if full else 24, database=None, phases=[Phase.generate])
    @given(cases, st.integers(0, 10**6))
    def keep(case: list[Case], turn: int) -> None:
        drawn.append((turn, case))

    keep()
    return drawn


@pytest.fixture(scope="session")
def build() -> Callable[[list[Case]], JudgedRun]:
    """Build topics; hundreds of measures are asked about the same ones, which are built once."""
    latest = lru_cache(4096)(lambda cases: build_run(list(cases)))
    return lambda cases: latest(tuple(cases))


@pytest.fixture(scope="session")
def variants() -> Callable[[MeasureDeclaration], list[Measure]]:
    return all_variants
