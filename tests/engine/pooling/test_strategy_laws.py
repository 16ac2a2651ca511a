"""Tests of laws that every pooling strategy of the registry obeys."""

import random

import numpy as np
import pytest
from hypothesis import Phase, given, settings
from hypothesis import strategies as st

from irjudge.errors import IrjudgeError
from irjudge.model import Pool, Run, make_qrels, make_run
from irjudge.pooling import PRESETS, PoolOptions, build_pool, list_strategies, make_qrels_judge
from irjudge.pooling.candidates import TopicLists, collect_candidates
from irjudge.pooling.strategies import (
    STRATEGIES,
    AdaptiveStrategy,
    BestRunStrategy,
    HedgeStrategy,
    StrategyRegistry,
)
from irjudge.stats import TopicRandom

NAMES = [each.name for each in list_strategies()]
# strategies whose pools do not depend on the order of the runs
UNORDERED = [each.name for each in list_strategies() if not each.adaptive]
Rows = list[tuple[str, str, float]]
Drawn = list[tuple[list[Rows], int]]

ROWS = st.lists(
    st.tuples(
        st.sampled_from("12"),
        st.sampled_from(["a", "b", "c", "ä", "d10", "d9", "e", "f"]),
        st.sampled_from([0.0, 0.5, 1.0, 2.0]),
    ),
    max_size=12,
    unique_by=lambda row: row[:2],
)
TABLES = st.lists(ROWS, min_size=1, max_size=4)


def judge(_topic: str, document: str) -> bool:
    return document in "abe"


def build(runs: list[Run], name: str, depth: int | None = 50, **plan) -> Pool:
    size = plan.pop("size", 50 if "size" in STRATEGIES.parse(name).declaration.needs else None)
    return build_pool(runs, PoolOptions(name, depth, size, **plan), judge=judge)


def pairs(pool: Pool) -> list[tuple[str, str]]:
    return list(
        zip(
            [pool.topics[code] for code in pool.topic.tolist()],
            pool.document.to_pylist(),
            strict=True,
        )
    )


def make_runs(tables: list[Rows]) -> list[Run]:
    return [make_run(f"run{number}", table) for number, table in enumerate(tables)]


@pytest.fixture(scope="session")
def random_runs(full: bool) -> Drawn:
    """Return random runs, drawn once for all strategies, each with a seed."""
    result: Drawn = []

    @settings(max_examples=75 if full else 12, database=None, phases=[Phase.generate])
    @given(TABLES, st.integers(0, 99))
    def keep(tables: list[Rows], seed: int) -> None:
        result.append((tables, seed))

    keep()
    return result


@pytest.mark.parametrize("name", NAMES)
def test_a_pool_is_the_union_without_duplicates_or_a_sample_of_it(
    name: str, random_runs: Drawn
) -> None:
    for tables, _ in random_runs:
        pool = build(make_runs(tables), name)
        left = [
            pool.topics[code]
            for code in np.repeat(np.arange(len(pool.topics)), np.diff(pool.unsampled.starts))
        ]
        undrawn = list(zip(left, pool.unsampled.document.to_pylist(), strict=True))
        assert sorted(pairs(pool) + undrawn) == sorted(
            {row[:2] for table in tables for row in table}
        )
        assert ((pool.probability > 0) & (pool.probability <= 1)).all() and (
            pool.stratum >= 0
        ).all()
        assert pool.is_sample or not undrawn


@pytest.mark.parametrize("name", NAMES)
def test_the_order_of_lines_does_not_matter(name: str, random_runs: Drawn) -> None:
    for tables, seed in random_runs:
        mixed = [random.Random(seed).sample(table, len(table)) for table in tables]
        one, other = build(make_runs(tables), name), build(make_runs(mixed), name)
        assert by_topic(one) == by_topic(other)


@pytest.mark.parametrize("name", UNORDERED)
def test_the_order_of_runs_does_not_matter_without_judgments(name: str, random_runs: Drawn) -> None:
    for tables, _ in random_runs:
        assert by_topic(build(make_runs(tables), name)) == by_topic(
            build(make_runs(tables)[::-1], name)
        )


def by_topic(pool: Pool) -> dict[str, list[str]]:
    return {
        topic: [document for each, document in pairs(pool) if each == topic]
        for topic in pool.topics
    }


RUNS = make_runs(
    [
        [("1", f"d{(index * step) % 31}", -float(index)) for index in range(31)]
        + [("2", f"e{place * step % 17}", -1.0 * place) for place in range(17)]
        for step in (1, 3, 7, 12)
    ]
)


@pytest.mark.parametrize("name", NAMES)
def test_a_size_is_kept_for_each_topic(name: str) -> None:
    whole, cut = build(RUNS, name, size=100), build(RUNS, name, size=9)
    assert [len(documents) for documents in by_topic(cut).values()] == [9, 9]
    if STRATEGIES.parse(name).declaration.kind != "sample":
        assert by_topic(cut) == {
            topic: documents[:9] for topic, documents in by_topic(whole).items()
        }


@pytest.mark.parametrize("name", NAMES)
def test_the_seed_matters_only_for_random_strategies(name: str) -> None:
    orders = [pairs(build(RUNS, name, size=9, seed=seed)) for seed in (1, 1, 2, 3, 4)]
    assert orders[0] == orders[1]
    assert (len({str(order) for order in orders}) > 1) == STRATEGIES.parse(name).declaration.seeded


@pytest.mark.parametrize("name", NAMES)
def test_the_pool_of_a_topic_does_not_depend_on_other_topics(name: str) -> None:
    alone = [
        make_run(
            run.name,
            [("2", run.document[row].as_py(), run.score[row]) for row in range(*run.starts[1:])],
        )
        for run in RUNS
    ]
    assert by_topic(build(alone, name, size=9))["2"] == by_topic(build(RUNS, name, size=9))["2"]


@pytest.mark.parametrize("name", NAMES)
def test_stored_options_build_the_same_pool(name: str) -> None:
    pool = build(RUNS, name, 12, size=9, seed=5)
    said = dict(pool.parameters)
    plan = {key: said.pop(key) for key in ("depth", "size", "ties", "seed") if key in said}
    text = f"{pool.strategy}({','.join(f'{key}={value}' for key, value in said.items())})"
    assert pairs(build_pool(RUNS, PoolOptions(text, **plan), judge=judge)) == pairs(pool)


@pytest.mark.parametrize("name", NAMES)
def test_empty_topics_and_single_documents_are_pooled(
    name: str,
) -> None:
    assert len(build([make_run("a", [])], name)) == 0
    assert pairs(build([make_run("a", [("1", "x", 1.0)]), make_run("b", [])], name)) == [("1", "x")]


@pytest.mark.parametrize("preset", PRESETS, ids=lambda preset: preset.name)
def test_a_preset_is_its_strategy_with_bounds(preset) -> None:
    pool = build_pool(RUNS, PoolOptions(preset.name, depth=12, size=9))
    assert pairs(pool) == pairs(
        build_pool(RUNS, PoolOptions(preset.strategy, depth=12, size=9, first=preset.first))
    )
    assert pool.parameters["depth"] == 12


# Samples


def test_a_stratified_sample_stores_inclusion_probabilities() -> None:
    pool = build(RUNS, "stratified(edges=2/5,rates=1/0.5/0.25)")
    sampled_documents = dict(
        zip(
            pairs(pool),
            zip(pool.stratum.tolist(), pool.probability.tolist(), strict=True),
            strict=True,
        )
    )
    candidates = collect_candidates(RUNS, 50)
    strata = np.searchsorted([2, 5], candidates.best_rank)
    for topic, name in enumerate(candidates.topics):
        for stratum, rate in enumerate((1, 0.5, 0.25)):
            there = [
                candidates.document[row].as_py()
                for row in np.flatnonzero((candidates.topic == topic) & (strata == stratum))
            ]
            mine = [
                sampled_documents[name, document]
                for document in there
                if (name, document) in sampled_documents
            ]
            assert len(mine) == max(1, int(len(there) * rate + 0.5))
            assert {each[0] for each in mine} == {stratum}
            assert [each[1] for each in mine] == pytest.approx([len(mine) / len(there)] * len(mine))


@pytest.mark.slow
def test_documents_are_sampled_with_their_probability() -> None:
    times, often = 800, {}
    for seed in range(times):
        pool = build(RUNS[:2], "stratified(edges=3,rates=0.5/0.25)", seed=seed)
        for pair, probability in zip(pairs(pool), pool.probability.tolist(), strict=True):
            often.setdefault(pair, []).append(probability)
    for probabilities in often.values():
        expected = probabilities[0]
        assert set(probabilities) == {expected}
        assert (
            abs(len(probabilities) / times - expected)
            < 5 * (expected * (1 - expected) / times) ** 0.5
        )


# Invalid options


@pytest.mark.parametrize(
    ("plan", "key", "values"),
    [
        (PoolOptions(), "missing-need", {"strategy": "depth", "need": "depth"}),
        (PoolOptions("take", 5), "missing-need", {"strategy": "take", "need": "size"}),
        (PoolOptions("active", 5), "missing-need", {"strategy": "active", "need": "size"}),
        (PoolOptions("maxmean"), "needs-judgments", {"strategy": "maxmean"}),
        (PoolOptions("maxmen"), "unknown-name", {"name": "'maxmen'", "suggestion": "maxmean"}),
        (PoolOptions("rrf(k=-1)"), "out-of-range", {"parameter": "k", "value": "-1"}),
        (
            PoolOptions("rrf(p=1)"),
            "unknown-parameter",
            {"owner": "rrf", "name": "'p'", "names": "k"},
        ),
        (PoolOptions("votes(p=1)"), "unknown-parameter", {"owner": "votes", "name": "'p'"}),
        (PoolOptions("rrf(k"), "wrong-shape", {"text": "rrf(k"}),
        (
            PoolOptions("rrf", size=0),
            "out-of-range",
            {"name": "size", "minimum": "1", "value": "0"},
        ),
        (PoolOptions("rrf", first=-1), "out-of-range", {"name": "first", "minimum": "0"}),
        (PoolOptions("sample", first=3), "no-first", {"strategy": "sample"}),
        (
            PoolOptions("stratified(edges=5/3,rates=1/1/1)"),
            "wrong-number-of-rates",
            {"edges": "2", "needed": "3", "rates": "3"},
        ),
        (
            PoolOptions("stratified(edges=5,rates=1)"),
            "wrong-number-of-rates",
            {"edges": "1", "needed": "2", "rates": "1"},
        ),
        (PoolOptions("sample", seed=2**64), "invalid-seed", {"seed": str(2**64)}),
    ],
)
def test_invalid_options_are_refused(plan: PoolOptions, key: str, values: dict[str, str]) -> None:
    with pytest.raises(IrjudgeError) as error:
        build_pool(RUNS, plan)
    assert error.value.key == key and error.value.values.items() >= values.items()


# Adaptive strategies


def lists() -> TopicLists:
    return collect_candidates(RUNS, 31).get_topic_lists(0)


@pytest.mark.parametrize("name", [each.name for each in list_strategies() if each.kind == "walk"])
def test_an_adaptive_strategy_accepts_judgments_in_any_order(name: str) -> None:
    walk: AdaptiveStrategy = STRATEGIES.parse(name).compute(lists(), TopicRandom(1, "1"))
    reported = []
    for document in (30, 4, 4):
        walk.tell(document, relevant=document == 4)
    while walk.judged_count < 31:
        reported.append(walk.next())
        walk.tell(reported[-1], relevant=reported[-1] % 3 == 0)
    assert sorted([*reported, 30, 4]) == list(range(31))


def test_hedge_tolerates_runs_that_are_wrong_for_long() -> None:
    ranked = np.arange(1, 2001, dtype=np.int32)
    walk = HedgeStrategy(TopicLists(np.stack((ranked, ranked)), (list(range(2000)),) * 2), 1e-6)
    for document in range(1000):
        walk.tell(document, relevant=False)
    assert np.isfinite(walk.compute_mean_gains()).all()


def test_a_repeated_judgment_counts_once() -> None:
    walk = BestRunStrategy(lists(), lambda relevant, judged, total: judged)
    walk.tell(3, relevant=True)
    walk.tell(3, relevant=False)
    assert walk._judged_counts.tolist() == [1, 1, 1, 1] and walk._relevant_counts.tolist() == [
        1,
        1,
        1,
        1,
    ]


def test_qrels_judge_by_the_lowest_relevant_grade() -> None:
    known = make_qrels_judge(make_qrels([("1", "a", 2), ("1", "b", 1), ("2", "c", -1)]), 2)
    assert [known("1", "a"), known("1", "b"), known("2", "a"), known("2", "c")] == [
        True,
        False,
        False,
        False,
    ]


def test_older_judgments_of_a_run_weigh_less() -> None:
    walk = BestRunStrategy(lists(), lambda relevant, judged, total: judged, 0.5)
    for document, relevant in ((3, True), (4, False), (5, True)):  # each run has all of them
        walk.tell(document, relevant=relevant)
    # Relevant: 1, .5, 1.25. Judged: 1, 1.5, 1.75.
    assert (
        walk._relevant_counts.tolist() == [1.25] * 4 and walk._judged_counts.tolist() == [1.75] * 4
    )


def test_a_run_is_not_penalised_for_documents_of_other_runs() -> None:
    walk = STRATEGIES.parse("mtf").compute(lists(), TopicRandom(1, "1"))
    first = walk.next()
    walk.tell(30, relevant=False)
    assert walk.next() == first
    walk.tell(first, relevant=False)
    assert walk._priority.tolist() == [-1, 0, 0, 0]


def test_scores_tie_for_any_order_of_summation() -> None:
    # .1 + .2 + .3 differs from .3 + .2 + .1 in floating point; y has the same three scores as b,
    # and comes after it.
    tables = [
        [("1", "top", 1.0), ("1", "b", first), ("1", "y", last), ("1", "low", 0.0)]
        for first, last in ((0.3, 0.1), (0.2, 0.2), (0.1, 0.3))
    ]
    candidates = collect_candidates(make_runs(tables))
    score = dict(
        zip(
            candidates.document.to_pylist(),
            STRATEGIES.parse("combsum").compute(candidates).tolist(),
            strict=True,
        )
    )
    assert 0.1 + 0.2 + 0.3 != 0.3 + 0.2 + 0.1
    assert score["b"] == score["y"]


# The registry


def test_every_declaration_has_a_purpose_and_a_reference() -> None:
    for each in list_strategies():
        assert each.purpose.endswith(".") and each.title and each.formula
        assert each.name == "votes" or "References" in (each.function.__doc__ or ""), each.name


def test_a_name_is_declared_once_with_a_description() -> None:
    registry = StrategyRegistry()

    def one(candidates: object) -> None:
        """Say nothing."""

    registry.strategy("one", title="One", formula="1")(one)
    with pytest.raises(ValueError, match="one already names one"):
        registry.strategy("one", title="One", formula="1")(one)
    with pytest.raises(TypeError, match="two needs a docstring"):
        registry.strategy("two", title="Two", formula="2")(lambda candidates: None)


def test_a_strategy_prints_its_name_so_that_it_reads_back() -> None:
    for each in list_strategies():
        strategy = STRATEGIES.parse(each.name)
        assert STRATEGIES.parse(strategy.name) == strategy
