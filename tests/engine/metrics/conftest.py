"""Fixtures of the tests of measures: small random topics, and parameter values."""

from collections.abc import Callable

import pytest
from hypothesis import strategies as st

from irjudge.evaluation import measure_laws
from irjudge.evaluation.measure_laws import CASE_GRADES, HIGHEST_GRADE, MAX_SIZES, Case
from irjudge.metrics import JudgedRun, Measure, MeasureDeclaration


@pytest.fixture(scope="session")
def cases() -> st.SearchStrategy[list[Case]]:
    ranked = st.lists(st.sampled_from(CASE_GRADES), max_size=MAX_SIZES["ranked"])
    case = st.builds(
        Case,
        ranked.map(tuple),
        st.lists(st.integers(0, HIGHEST_GRADE), max_size=MAX_SIZES["missed"]).map(tuple),
    )
    return st.lists(case, max_size=MAX_SIZES["cases"])


@pytest.fixture(scope="session")
def examples(full: bool) -> list[tuple[int, tuple[Case, ...]]]:
    """Return random topics, each with a number that selects the variants to test on it.

    They are drawn once for all measures, since drawing takes longer than computing values.
    """
    return measure_laws.draw_cases(200 if full else 24)


@pytest.fixture(scope="session")
def build() -> Callable[[list[Case]], JudgedRun]:
    return lambda cases: measure_laws.make_judged_run(tuple(cases))


@pytest.fixture(scope="session")
def variants() -> Callable[[MeasureDeclaration], list[Measure]]:
    return measure_laws.measure_variants
