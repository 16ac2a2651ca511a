"""Tests of bounds with unjudged documents: worked values, and every possible outcome."""

import inspect
import itertools
from dataclasses import dataclass
from functools import lru_cache
from random import Random

import numpy as np
import pytest
from hypothesis import Phase, given, settings
from hypothesis import strategies as st

from irjudge.metrics import (
    GainMap,
    JudgedRun,
    Measure,
    OpenRun,
    OpenRunPair,
    World,
    bounds,
    difference_bounds,
    find_measure,
    make_measure,
    no_bounds_reason,
    open_run,
    parse_measure_name,
)
from irjudge.metrics import user_models as cascade
from irjudge.metrics.measure_bounds import DIFFERENCE_BOUNDS, RUN_BOUNDS, Interval
from irjudge.metrics.registry import JUDGED_ONLY

EXACT = 1e-12
OPEN = -1  # an unjudged document
K = 3
GRADES = tuple(range(K + 1))
# Each measure with the parameters that change its bounds.
VARIANTS = {
    "P": [{"cutoff": 2}, {"cutoff": 9}, {"cutoff": 3, "rel": 2}, {"cutoff": 3, "rel": 4}],
    "R": [{"cutoff": 2}, {"cutoff": 9}, {"cutoff": 3, "rel": 2}, {"cutoff": 3, "rel": 4}],
    "Success": [{"cutoff": 1}, {"cutoff": 3, "rel": 3}, {"cutoff": 3, "rel": 4}],
    "RR": [{}, {"cutoff": 2}, {"rel": 2}, {"rel": 4}],
    "RBP": [
        {},
        {"p": 0.0},
        {"p": 0.5, "cutoff": 2},
        {"gain": "graded"},
        {"rel": 4},
        {"rel": 4, "gain": "graded"},
    ],
    "AP": [
        {},
        {"cutoff": 2},
        {"norm": "retrieved"},
        {"norm": "retrieved", "cutoff": 3},
        {"norm": "cutoff", "cutoff": 2},
        {"rel": 4},
    ],
    "Bpref": [{}, {"rel": 2}, {"rel": 4}],
    "CG": [{}, {"cutoff": 2, "gain": "exp2"}, {"gain": GainMap(((1, 3.0), (2, 0.0)))}],
    "DCG": [
        {},
        {"cutoff": 2, "gain": "exp2"},
        {"gain": GainMap(((1, 4.0), (2, 0.0)))},
        {"discount": "jk"},
        {"discount": "jk", "base": 3.0},
    ],
    "nDCG": [
        {},
        {"cutoff": 2},
        {"cutoff": 3, "gain": "exp2"},
        {"gain": GainMap(((1, 3.0), (2, 0.5)))},
        {"discount": "jk", "base": 3.0},
        {"ideal": "retrieved", "cutoff": 2},
        {"ideal": "retrieved"},
    ],
    "ERR": [{}, {"cutoff": 2}, {"highest": 5}],
    "Rprec": [{}, {"rel": 2}, {"rel": 4}],
    "F": [
        {"cutoff": 3},
        {"cutoff": 9, "beta": 2.0},
        {"cutoff": 2, "alpha": 1.0},
        {"cutoff": 2, "beta": 0.0},
        {"cutoff": 2, "rel": 4},
    ],
    "SetF": [{}, {"cutoff": 2}, {"beta": 0.0}, {"beta": 3.0, "rel": 2}, {"alpha": 0.2}],
    "E": [{"cutoff": 3}, {"cutoff": 3, "rel": 4}],
    "SetE": [{}, {"beta": 2.0, "cutoff": 3}],
    "IPrec": [
        {"recall": 0.0},
        {"recall": 0.3},
        {"recall": 0.7, "rule": "trec9"},
        {"recall": 0.5, "rule": "trec10"},
        {"recall": 1.0, "rel": 2},
    ],
    "INSQ": [{"t": 1.0}, {"t": 0.3, "depth": 4}, {"t": 2.0, "highest": 5}],
    "INST": [{"t": 1.0}, {"t": 0.51}, {"t": 0.6, "depth": 4}, {"t": 3.0, "highest": 5}],
    "11ptAP": [{}, {"rule": "trec9"}, {"levels": (0.25, 1.0), "rule": "trec10"}, {"rel": 4}],
}
MEASURES = [
    make_measure(find_measure(name), **values) for name, many in VARIANTS.items() for values in many
]
each_measure = pytest.mark.parametrize("measure", MEASURES, ids=str)


@dataclass(frozen=True)
class Case:
    """Grades of the documents of a topic, and two rankings of their indices.

    A grade is OPEN if unjudged, None if the document is not in the qrels.
    """

    grade: tuple[int | None, ...]
    a: tuple[int, ...]
    b: tuple[int, ...]

    @property
    def open(self) -> list[int]:
        return [document for document, grade in enumerate(self.grade) if grade == OPEN]


def make_judged(grade: tuple[int | None, ...], ranking: tuple[int, ...]) -> JudgedRun:
    grades = [each for each in grade if each is not None]
    return JudgedRun.single([grade[document] for document in ranking], grades, highest=K)


@lru_cache(256)
def outcomes(case: Case, grades: tuple[int, ...] = GRADES) -> tuple[tuple[int | None, ...], ...]:
    """Return every possible outcome of the unjudged documents."""
    outcomes_ = []
    for given_grades in itertools.product(grades, repeat=len(case.open)):
        settled = dict(zip(case.open, given_grades, strict=True))
        outcomes_.append(
            tuple(settled.get(document, grade) for document, grade in enumerate(case.grade))
        )
    return tuple(outcomes_)


@lru_cache(1024)
def make_open_run(case: Case, ranking: tuple[int, ...], world: World = "pool") -> OpenRun:
    return open_run(make_judged(case.grade, ranking), np.array([len(case.open)]), GRADES, world)


@lru_cache(256)
def pair_of(case: Case, world: World = "pool") -> OpenRunPair:
    wanted = (OPEN,) if world == "pool" else (OPEN, None)
    shown = [
        each
        for each, grade in enumerate(case.grade)
        if grade in wanted and each in (*case.a, *case.b)
    ]
    ranks = [
        [ranking.index(each) + 1 if each in ranking else 0 for each in shown]
        for ranking in (case.a, case.b)
    ]
    a, b = (make_open_run(case, ranking, world) for ranking in (case.a, case.b))
    outside = (
        np.array([len(case.open) - len(shown)], dtype=float)
        if world == "pool"
        else np.array([np.inf])
    )
    return OpenRunPair(
        a,
        b,
        np.zeros(len(shown), dtype=np.int32),
        *(np.array(each, dtype=np.int32) for each in ranks),
        outside,
    )


def values(
    measure: Measure, grades: tuple[tuple[int | None, ...], ...], ranking: tuple[int, ...]
) -> np.ndarray:
    """Return the value of the ranking with each of many qrels."""
    return measure.compute(judged_by_each(grades, ranking))


@lru_cache(256)
def judged_by_each(
    grades: tuple[tuple[int | None, ...], ...], ranking: tuple[int, ...]
) -> JudgedRun:
    count, unnamed = len(grades), -9
    of_all = np.array(
        [[unnamed if each is None else each for each in grade] for grade in grades], dtype=np.int32
    ).reshape(count, -1)
    result = of_all[:, list(ranking)]
    topic, position = np.nonzero(result != unnamed)
    falling = -np.sort(-of_all, axis=1)
    starts = np.concatenate(([0], np.cumsum((falling >= 0).sum(axis=1)))).astype(np.int64)
    hits = topic.astype(np.int32), (position + 1).astype(np.int32), result[topic, position]
    retrieved = np.full(count, len(ranking), dtype=np.int64)
    return JudgedRun(
        tuple(map(str, range(count))), *hits, retrieved, starts, falling[falling >= 0], K
    )


def value(measure: Measure, grade: tuple[int | None, ...], ranking: tuple[int, ...]) -> float:
    return float(values(measure, (grade,), ranking)[0])


def interval_ends(interval: Interval | None) -> tuple[float, float]:
    assert interval is not None
    return float(interval.low[0]), float(interval.high[0])


def assert_near(found: tuple[float, float], expected: np.ndarray) -> None:
    assert found == pytest.approx((expected.min(), expected.max()), abs=EXACT)


@st.composite
def cases(draw: st.DrawFn) -> Case:
    grade = draw(st.lists(st.sampled_from([0, 0, 1, 1, 2, 3, None, -2]), max_size=5))
    grade += [OPEN] * draw(st.integers(0, 4))
    order = st.permutations(range(len(grade)))
    a, b = draw(order), draw(order)
    return Case(
        tuple(grade),
        tuple(a[: draw(st.integers(0, len(a)))]),
        tuple(b[: draw(st.integers(0, len(b)))]),
    )


@pytest.fixture(scope="session")
def random_cases(full: bool) -> list[tuple[Case, Random]]:
    """Return random topics, drawn once for all measures, each with a random generator."""
    result: list[tuple[Case, Random]] = []

    @settings(
        max_examples=60 if full else 16, deadline=None, database=None, phases=[Phase.generate]
    )
    @given(cases(), st.integers(0, 10**6))
    def keep(case: Case, seed: int) -> None:
        result.append((case, Random(seed)))

    keep()
    return result


# Worked values. The first topic: grades 1 ? 0 ? 1 ranked; one relevant, one other and two unjudged
# documents missed.

BINARY = {
    "P@5": (0.4, 0.8),
    "P@3": (0.333333, 0.666667),
    "RR": (1, 1),
    "R@5": (0.4, 0.8),
    "R@3": (0.166667, 0.5),
    "AP": (0.28, 0.71),
    "AP@3": (0.166667, 0.5),
    "nDCG@5": (0.470365, 0.830420),
    "nDCG@3": (0.469279, 0.765361),
    "Bpref": (0.25, 0.7),
}
GRADED = {
    "nDCG(gain=exp2)@6": (0.375831, 0.693923),
    "nDCG@6": (0.456189, 0.760271),
    "ERR@6": (0.513346, 0.667262),
}
SHORT = {
    ("AP", (0, 0, 0, 0, -1)): (0, 0.2),
    ("nDCG@5", (0, 0, 0, 0, -1)): (0, 0.386853),
    ("AP", (1, 1, 1, 1, -1)): (1, 1),
    ("nDCG@5", (1, 1, 1, 1, -1)): (1, 1),
    ("AP", (1, 0, 0, 0, -1)): (0.7, 1),
    ("nDCG@5", (1, 0, 0, 0, -1)): (0.850345, 1),
    ("AP", (-1, -1, -1, -1, -1)): (0, 1),
    ("nDCG@5", (-1, -1, -1, -1, -1)): (0, 1),
}
PAIR = {"nDCG@5": (-0.363318, 0.556846), "RBP(p=0.8)": (-0.2304, 0.22432), "P@5": (-0.4, 0.4)}


def interval(
    name: str, ranked: list[int], missed: list[int], open_missed: int, grades: tuple[int, ...]
) -> tuple[float, float]:
    (measure,) = parse_measure_name(name)
    run = JudgedRun.single(
        ranked, missed + [grade for grade in ranked if grade >= 0], highest=grades[-1]
    )
    return interval_ends(
        bounds(measure, open_run(run, np.array([open_missed + ranked.count(OPEN)]), grades))
    )


@pytest.mark.parametrize("name", BINARY)
def test_bounds_of_binary_grades_have_the_values_worked_by_hand(name: str) -> None:
    assert interval(name, [1, OPEN, 0, OPEN, 1], [1, 0], 2, (0, 1)) == pytest.approx(
        BINARY[name], abs=1e-6
    )


@pytest.mark.parametrize("name", GRADED)
def test_bounds_of_grades_have_the_values_worked_by_hand(name: str) -> None:
    assert interval(name, [2, OPEN, 0, 3, OPEN, 1], [3, 1], 1, GRADES) == pytest.approx(
        GRADED[name], abs=1e-6
    )


@pytest.mark.parametrize("options", SHORT, ids=str)
def test_bounds_without_further_pooled_documents_have_the_worked_values(
    options: tuple[str, tuple[int, ...]],
) -> None:
    assert interval(options[0], list(options[1]), [], 0, (0, 1)) == pytest.approx(
        SHORT[options], abs=1e-6
    )


@pytest.mark.parametrize("name", PAIR)
def test_bounds_of_a_difference_have_the_values_worked_by_hand(name: str) -> None:
    # a b c d e against b a f g c; a is relevant and c is not
    case = Case((1, OPEN, 0, OPEN, OPEN, OPEN, OPEN), (0, 1, 2, 3, 4), (1, 0, 5, 6, 2))
    pair = pair_of(case)
    binary = [
        OpenRun(each.judged, each.topic, each.rank, each.unretrieved_open, (0, 1))
        for each in (pair.a, pair.b)
    ]
    result = difference_bounds(
        parse_measure_name(name)[0],
        OpenRunPair(*binary, pair.topic, pair.rank_a, pair.rank_b, pair.unretrieved_open),
    )
    assert result is not None and interval_ends(result[0]) == pytest.approx(PAIR[name], abs=1e-6)
    assert result[1] == ""


# Every possible outcome


@each_measure
def test_the_interval_equals_the_extremes_over_all_outcomes(
    measure: Measure, random_cases: list[tuple[Case, Random]]
) -> None:
    for case, _ in random_cases:
        tried = values(measure, outcomes(case), case.a)
        assert_near(interval_ends(bounds(measure, make_open_run(case, case.a))), tried)


@each_measure
def test_the_interval_of_a_difference_equals_the_extremes_over_all_outcomes(
    measure: Measure, random_cases: list[tuple[Case, Random]]
) -> None:
    for case, _ in random_cases:
        grades = outcomes(case)
        tried = values(measure, grades, case.a) - values(measure, grades, case.b)
        result = difference_bounds(measure, pair_of(case))
        assert result is not None
        low, high = interval_ends(result[0])
        if "wider than necessary;" in result[1]:
            assert low <= tried.min() + EXACT and high >= tried.max() - EXACT
        else:
            assert_near((low, high), tried)


@each_measure
def test_intervals_only_shrink_and_contain_the_final_value(
    measure: Measure, random_cases: list[tuple[Case, Random]]
) -> None:
    for case, chance in random_cases:
        final = chance.choice(outcomes(case))
        end, lows, highs = value(measure, final, case.a), [], []
        for judged_first in range(len(case.open) + 1):
            done = case.open[:judged_first]
            now = tuple(
                final[document] if document in done else grade
                for document, grade in enumerate(case.grade)
            )
            low, high = interval_ends(
                bounds(measure, make_open_run(Case(now, case.a, case.b), case.a))
            )
            assert low - EXACT <= end <= high + EXACT
            lows.append(low), highs.append(high)
        assert (np.diff(lows) >= -EXACT).all() and (np.diff(highs) <= EXACT).all()
        assert (lows[-1], highs[-1]) == pytest.approx((end, end), abs=EXACT)


@each_measure
def test_open_world_values_stay_in_the_interval(
    measure: Measure, random_cases: list[tuple[Case, Random]]
) -> None:
    """Documents missing from the qrels may have any grade, retrieved or not."""
    for case, chance in random_cases:
        low, high = interval_ends(bounds(measure, make_open_run(case, case.a, "open")))
        of_both = difference_bounds(measure, pair_of(case, "open"))
        assert of_both is not None
        least, highest = interval_ends(of_both[0])
        named = tuple(OPEN if grade is None else grade for grade in case.grade)
        wider = Case((*named, *[OPEN] * chance.randint(0, 3)), case.a, case.b)
        if len(wider.open) < 6:
            grades = outcomes(wider, (0, 1, 3))
            of_a, of_b = (values(measure, grades, ranking) for ranking in (case.a, case.b))
            assert low - EXACT <= of_a.min() and of_a.max() <= high + EXACT
            assert least - EXACT <= (of_a - of_b).min() and (of_a - of_b).max() <= highest + EXACT


@pytest.mark.parametrize(
    "name",
    ["AP", "R@2", "nDCG", "Bpref", "Rprec", "F@3", "SetF", "IPrec@0.3", "11ptAP(levels=.1/1)"],
)
def test_open_world_limits_are_approached_by_large_pools(name: str) -> None:
    (measure,) = parse_measure_name(name)
    ranked = [1, 0, None, 1, 0]
    free = interval_ends(
        bounds(measure, open_run(JudgedRun.single(ranked), np.array([0]), (0, 1), "open"))
    )
    named = JudgedRun.single([OPEN if grade is None else grade for grade in ranked])
    many = interval_ends(
        bounds(measure, open_run(named, np.array([200 if name == "Bpref" else 20_000]), (0, 1)))
    )
    assert free[0] == 0 and many[0] < 0.02
    assert many[1] == pytest.approx(free[1], abs=1e-9)


def test_a_condensed_list_has_no_bounds():
    assert "P(judged_only=true)@5" in no_bounds_reason(
        parse_measure_name("P(judged_only=true)@5")[0]
    )


def test_open_world_rbp_includes_documents_after_the_list() -> None:
    (measure,) = parse_measure_name("RBP(p=0.5)")
    run = JudgedRun.single([1, None])
    assert interval_ends(bounds(measure, open_run(run, np.array([0]), (0, 1), "open"))) == (
        0.5,
        1.0,
    )
    assert interval_ends(bounds(measure, open_run(run, np.array([0]), (0, 1), "pool"))) == (
        0.5,
        0.5,
    )


def test_bounds_of_topics_are_independent() -> None:
    ranked = [[1, OPEN, 0], [], [OPEN, OPEN, 2], [None, 1]]
    pooled = np.array([2, 1, 2, 0])
    hits = [
        (topic, rank, grade)
        for topic, run in enumerate(ranked)
        for rank, grade in enumerate(run, 1)
        if grade is not None
    ]
    topic, rank, grade = (np.array(column, dtype=np.int32) for column in zip(*hits, strict=True))
    together = JudgedRun(
        ("1", "2", "3", "4"),
        topic,
        rank,
        grade,
        np.array([3, 0, 3, 2]),
        np.array([0, 2, 2, 3, 4]),
        np.array([1, 0, 2, 1], np.int32),
        K,
    )
    for measure in MEASURES:
        result = bounds(measure, open_run(together, pooled, GRADES))
        assert result is not None
        for index, run in enumerate(ranked):
            alone = bounds(
                measure,
                open_run(JudgedRun.single(run, highest=K), pooled[index : index + 1], GRADES),
            )
            assert (result.low[index], result.high[index]) == pytest.approx(
                interval_ends(alone), abs=EXACT
            )


def test_many_shared_documents_widen_the_interval_of_err(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    case = Case((1, OPEN, OPEN, OPEN, 2), (0, 1, 2, 3, 4), (4, 3, 1, 2, 0))
    (measure,) = parse_measure_name("ERR")
    exact = difference_bounds(measure, pair_of(case))
    monkeypatch.setattr(cascade, "MAX_ENUMERATED", 1)
    wider = difference_bounds(measure, pair_of(case))
    assert exact is not None and wider is not None and "exact if" in exact[1]
    assert wider[0].low < exact[0].low and wider[0].high > exact[0].high


# The registry


def test_all_measures_of_the_catalogue_that_must_have_bounds_have_them() -> None:
    assert {"P", "R", "RR", "RBP", "DCG", "ERR", "AP", "nDCG", "Bpref"} <= set(RUN_BOUNDS)


@pytest.mark.parametrize(
    "known", [*RUN_BOUNDS.values(), *DIFFERENCE_BOUNDS.values()], ids=lambda each: each.name
)
def test_bounds_take_the_parameters_of_their_measure(known) -> None:
    taken = [
        each
        for each in inspect.signature(known.function).parameters.values()
        if each.kind is each.KEYWORD_ONLY
    ]
    assert {each.name for each in taken} == {
        each.name for each in find_measure(known.name).parameters if each is not JUDGED_ONLY
    }
    assert known.name in RUN_BOUNDS and known.name in VARIANTS


def test_measures_without_bounds_have_a_reason() -> None:
    run = open_run(JudgedRun.single([1, OPEN]), np.array([1]), (0, 1))
    for name, why in {
        "TNR(universe=9)": "TNR(universe=9) has no bounds, so its value is provisional.",
        "infAP": (
            "infAP has no bounds, so its value is provisional: the measure is itself an "
            "estimate of AP that allows for unjudged documents; use AP, which has bounds."
        ),
        "IPrec(rule=window)@0.5": (
            "IPrec(rule=window)@0.5 has no bounds, so its value is "
            "provisional: with rule=window, one more relevant document can move the "
            "window, and so raise or lower the value."
        ),
        "RBP(gain=topic)": "RBP(p=0.8,gain=topic) has no bounds, so its value is provisional: "
        "an unjudged document may raise the topic's highest grade.",
        "nDCG(gain=0:1)": "nDCG(gain=0:1) has no bounds, so its value is provisional: "
        "grade 0 has a gain above 0, so an unjudged document adds gain, whatever grade it would get.",
    }.items():
        (measure,) = parse_measure_name(name)
        assert no_bounds_reason(measure) == why
        assert (
            bounds(measure, run) is None
            and difference_bounds(
                measure, OpenRunPair(run, run, *[run.topic] * 3, run.unretrieved_open)
            )
            is None
        )


def test_the_reason_for_no_bounds_of_nerr_and_q_is_true() -> None:
    """For nERR a higher grade may raise or lower the value.

    For Q the lowest value needs a grade between two documents of grade 0.
    """
    normalised, blended = parse_measure_name("nERR")[0], parse_measure_name("Q")[0]
    order = tuple(range(6))
    assert (
        value(normalised, (2, 1, 0, 1, 0, 0), order)
        < value(normalised, (2, 1, 0, 0, 0, 0), order)
        == 1
    )
    assert value(normalised, (1, 1, 0, 0, 0, 0), order) > value(
        normalised, (0, 1, 0, 0, 0, 0), order
    )
    case = Case((OPEN, OPEN, 3, 0, OPEN, 3), order, order)
    result = {each: value(blended, each, order) for each in outcomes(case)}
    lowest = min(result, key=lambda each: result[each])
    assert [lowest[position] for position in case.open] == [0, 1, 0]
    for name in ("nERR", "Q"):
        assert "method available tries" in no_bounds_reason(parse_measure_name(name)[0])


def test_a_difference_without_joint_bounds_is_marked() -> None:
    case = Case((1, OPEN), (0, 1), (1, 0))
    result = difference_bounds(parse_measure_name("AP")[0], pair_of(case))
    assert result is not None and result[1].startswith("AP: ")
    result = difference_bounds(parse_measure_name("nDCG(ideal=retrieved)")[0], pair_of(case))
    assert result is not None and "ideal=retrieved" in result[1]
